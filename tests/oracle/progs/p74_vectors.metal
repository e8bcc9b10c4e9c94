// Vectors behind generic pointers.
#include <metal_stdlib>
using namespace metal;
void scale(float4* p, float by) {
    *p *= by;
    p[1].x = by;
    p->y += 1.0f;
}
kernel void k(device float4* d [[buffer(0)]], threadgroup float4* t [[threadgroup(0)]], uint i [[thread_position_in_grid]]) {
    scale(d + i, 2.0f);
    scale(t + i, 3.0f);
    float4* p = d;
    p[i].zw = p[i + 1].xy;
}
