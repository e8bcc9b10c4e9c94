// The overload for the space is taken where there is one.
#include <metal_stdlib>
using namespace metal;
float peek(const float* p) { return p[0]; }
float peek(const device float* p) { return p[1]; }
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float* g = d;
    e[0] = peek(d) + peek(t) + peek(g);
}
