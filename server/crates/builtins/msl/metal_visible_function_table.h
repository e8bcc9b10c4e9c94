//! `<metal_visible_function_table>`: tables of functions that the host fills and a shader calls.

namespace [[msl::since("2.3")]] metal {

/// A table of pointers to `[[visible]]` functions of one signature.
///
/// It lies in a buffer slot or an argument buffer and cannot be changed by a shader.
/// Kernels have it since 2.3, vertex, fragment and tile functions since 2.4.
///
/// - `T`: the signature: `float(float, int)`.
template <typename T>
struct visible_function_table {
    static_assert(__is_function(T), "the argument of visible_function_table is the type of a function");

    /// A pointer to a function of the table.
    using function_pointer_type = T*;

    /// A null table; `is_null_visible_function_table` tells it apart.
    visible_function_table();

    /// The function at `idx`, which is below `size()`.
    function_pointer_type operator[](uint idx) const;

    /// The number of functions.
    uint size() const;

    /// Whether there are no functions.
    bool empty() const;
};

/// Whether the table is null, as it is where the host bound none.
template <typename T> bool is_null_visible_function_table(visible_function_table<T> vft);

/// The handle of a function, as the host stores it in a buffer.
struct [[msl::since("4.0")]] function_handle {
    /// A null handle; `is_null_function_handle` tells it apart.
    function_handle();
    function_handle(nullptr_t);
};

/// Whether the two handles are of the same function, or are not.
[[msl::since("4.0")]] bool operator==(function_handle lhs, function_handle rhs);
[[msl::since("4.0")]] bool operator!=(function_handle lhs, function_handle rhs);

/// Whether the handle is null.
[[msl::since("4.0")]] bool is_null_function_handle(function_handle f);

} // namespace metal
