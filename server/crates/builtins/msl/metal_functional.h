//! Operators as function objects, for generic code.

namespace metal {
/// A function object that gives the sum of two values.
template <typename T> struct plus {
    /// The type of the values and of the result.
    using first_argument_type [[msl::since("4.0")]] = T;
    using second_argument_type [[msl::since("4.0")]] = T;
    using result_type [[msl::since("4.0")]] = T;
    /// `a` + `b`.
    T operator()(T a, T b) const;
};

/// A function object that gives the difference of two values.
template <typename T> struct minus {
    /// The type of the values and of the result.
    using first_argument_type [[msl::since("4.0")]] = T;
    using second_argument_type [[msl::since("4.0")]] = T;
    using result_type [[msl::since("4.0")]] = T;
    /// `a` - `b`.
    T operator()(T a, T b) const;
};

/// A function object that gives the product of two values.
template <typename T> struct multiplies {
    /// The type of the values and of the result.
    using first_argument_type [[msl::since("4.0")]] = T;
    using second_argument_type [[msl::since("4.0")]] = T;
    using result_type [[msl::since("4.0")]] = T;
    /// `a` * `b`.
    T operator()(T a, T b) const;
};

/// A function object that gives the quotient of two values.
template <typename T> struct divides {
    /// The type of the values and of the result.
    using first_argument_type [[msl::since("4.0")]] = T;
    using second_argument_type [[msl::since("4.0")]] = T;
    using result_type [[msl::since("4.0")]] = T;
    /// `a` / `b`.
    T operator()(T a, T b) const;
};
} // namespace metal
