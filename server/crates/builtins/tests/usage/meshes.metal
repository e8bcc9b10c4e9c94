// std: metal3.0
#include <metal_stdlib>
using namespace metal;

struct Payload {
    uint first[32];
};

struct Vertex {
    float4 position [[position]];
    float3 normal;
};

struct Primitive {
    uint material [[flat]];
    bool culled [[primitive_culled]];
};

using Triangles = metal::mesh<Vertex, Primitive, 64, 124, metal::topology::triangle>;

[[object]] void choose(
    object_data Payload& payload [[payload]], mesh_grid_properties grid, uint i [[thread_index_in_threadgroup]]) {
    payload.first[i] = i * 64;
    threadgroup_barrier(mem_flags::mem_object_data);
    if (i == 0)
        grid.set_threadgroups_per_grid(uint3(32, 1, 1));
}

[[mesh]] void build(
    Triangles out, const object_data Payload& payload [[payload]], uint i [[thread_index_in_threadgroup]],
    uint group [[threadgroup_position_in_grid]]) {
    if (i < Triangles::max_vertices) {
        Vertex v;
        v.position = float4(payload.first[group], 0, 0, 1);
        v.normal = float3(0, 0, 1);
        out.set_vertex(i, v);
    }
    Primitive p = {1, false};
    out.set_primitive(i, p);
    out.set_index(i * Triangles::indices_per_primitive, uchar(i));
    out.set_indices(i * 4, uchar4(0, 1, 2, 3));
    if (i == 0)
        out.set_primitive_count(Triangles::max_primitives);
}

[[mesh]] void points(metal::mesh<float4, void, 4, 4, topology::point> out, uint i [[thread_index_in_threadgroup]]) {
    out.set_vertex(i, float4(0));
    out.set_index(i, uchar(i));
    out.set_primitive_count(4);
}
