// A pointer that is assigned anew points where the last assignment says.
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float x[4] = {0, 1, 2, 3};
    float* p = d;
    p[i] = 1.0f;
    p = t;
    p[i] = 2.0f;
    p = x;
    p[i & 3] = 3.0f;
    e[i] = x[(i + 1) & 3];
}
