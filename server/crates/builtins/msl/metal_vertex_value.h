//! `<metal_vertex_value>`: the values of a fragment input at the three vertices of its triangle, before interpolation.

namespace [[msl::since("4.0")]] metal {

/// A vertex of the triangle that a fragment belongs to.
enum class vertex_index {
    first = 0,
    second = 1,
    third = 2,
};

/// A fragment input that gives its values at the vertices of the triangle.
///
/// - `T`: the type of the vertex output.
template <typename T>
struct [[msl::stage(fragment), msl::opaque]] vertex_value {
    /// The value at the vertex `i`.
    T get(vertex_index i) const;
};

} // namespace metal
