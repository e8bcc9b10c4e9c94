//! `<metal_logging>`: messages from shaders to the host's log.
//!
//! The compiler option `-fmetal-enable-logging` turns logging on (MSL spec §6.19).

namespace [[msl::since("3.2")]] metal {

/// How important a message is.
enum log_type {
    /// Details for debugging.
    log_type_debug,
    /// Helpful for finding a problem.
    log_type_info,
    /// Needed for finding a problem.
    log_type_default,
    /// An error of the execution.
    log_type_error,
    /// A fault of the program.
    log_type_fault,
};

/// A place that messages go to.
///
/// Declare it at program scope: `constant os_log renderer("com.example.app", "renderer");`
struct os_log {
    /// - `subsystem`: the part of the program, by convention in reverse domain order.
    /// - `category`: the area inside it.
    os_log(constant char* subsystem, constant char* category);

    /// The subsystem given to the constructor.
    constant char* subsystem() const;

    /// The category given to the constructor.
    constant char* category() const;

    /// Writes a message of the given importance.
    ///
    /// - `type`: how important it is.
    /// - `format`: a string literal in the manner of `printf`, without `%n`, `%s`, `%@` and `%.*`.
    ///   Vectors have `v` and their size: `%v4hlf` for `float4`, `%v2hhu` for `uchar2`.
    [[msl::constant(format)]] void log_with_type(log_type type, constant char* format, ...) const;

    /// Writes a message of the importance `log_type_debug`.
    ///
    /// - `format`: a string literal in the manner of `printf`; see `log_with_type`.
    [[msl::constant(format)]] void log_debug(constant char* format, ...) const;

    /// Writes a message of the importance `log_type_info`.
    ///
    /// - `format`: a string literal in the manner of `printf`; see `log_with_type`.
    [[msl::constant(format)]] void log_info(constant char* format, ...) const;

    /// Writes a message of the importance `log_type_default`.
    ///
    /// - `format`: a string literal in the manner of `printf`; see `log_with_type`.
    [[msl::constant(format)]] void log(constant char* format, ...) const;

    /// Writes a message of the importance `log_type_error`.
    ///
    /// - `format`: a string literal in the manner of `printf`; see `log_with_type`.
    [[msl::constant(format)]] void log_error(constant char* format, ...) const;

    /// Writes a message of the importance `log_type_fault`.
    ///
    /// - `format`: a string literal in the manner of `printf`; see `log_with_type`.
    [[msl::constant(format)]] void log_fault(constant char* format, ...) const;
};

/// The log without subsystem and category.
extern constant os_log os_log_default;

/// A log that drops its messages.
extern constant os_log os_log_disabled;

} // namespace metal
