// Pointers two structs deep in memory.
#include <metal_stdlib>
using namespace metal;
struct Mesh { float* vertices; int* indices; };
struct Scene { Mesh meshes[2]; Mesh* more; };
kernel void k(device Scene& s [[buffer(0)]], device float* d [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    float sum = s.meshes[0].vertices[i];
    sum += float(s.meshes[1].indices[i]);
    sum += s.more->vertices[i];
    sum += float(s.more[1].indices[i]);
    d[i] = sum;
}
