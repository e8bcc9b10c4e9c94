//! `<metal_mesh>`: what object functions dispatch and mesh functions produce.

namespace [[msl::since("3.0")]] metal {

/// Says how many mesh threadgroups follow from a threadgroup of an object function.
struct [[msl::stage(object), msl::opaque]] mesh_grid_properties {
    /// Dispatches mesh threadgroups; without a call there are none.
    ///
    /// - `tgs`: the number of threadgroups in x, y and z.
    void set_threadgroups_per_grid(uint3 tgs);
};

/// The vertices, primitives and indices that a threadgroup of a mesh function produces.
///
/// - `V`: the type of a vertex: `float4` (its position), or a structure with a `[[position]]` member.
/// - `P`: the type of the data of a primitive: a structure, or `void`.
/// - `NV`: the largest number of vertices.
/// - `NP`: the largest number of primitives.
/// - `t`: the shape of the primitives.
template <typename V, typename P, uint NV, uint NP, topology t>
struct [[msl::stage(mesh), msl::opaque]] mesh {
    /// The type of a vertex.
    using vertex_type = V;

    /// The type of the data of a primitive.
    using primitive_type = P;

    /// The largest number of vertices.
    static constexpr constant uint max_vertices = NV;

    /// The largest number of primitives.
    static constexpr constant uint max_primitives = NP;

    /// The number of indices of each primitive: 1 for points, 2 for lines, 3 for triangles.
    static constexpr constant uint indices_per_primitive = t == topology::point ? 1 : t == topology::line ? 2 : 3;

    /// The largest number of indices.
    static constexpr constant uint max_indices = NP * indices_per_primitive;

    /// Sets a vertex.
    ///
    /// - `i`: below `max_vertices`.
    void set_vertex(uint i, V v);

    /// Sets the data of a primitive.
    ///
    /// - `i`: below `max_primitives`.
    [[msl::enable_if(!__is_same(P, void), "the mesh has no data for primitives")]] void set_primitive(uint i, P p);

    /// Sets one index.
    ///
    /// - `i`: the place in the list of indices, below `max_indices`.
    /// - `v`: the vertex.
    void set_index(uint i, uchar v);

    /// Sets two or four consecutive indices.
    ///
    /// - `i`: the place of the first, a multiple of their number.
    /// - `v`: the vertices.
    void set_indices(uint i, uchar2 v);
    void set_indices(uint i, uchar4 v);

    /// Says how many primitives there are; all threads have to agree.
    ///
    /// - `n`: at most `max_primitives`.
    void set_primitive_count(uint n);
};

} // namespace metal
