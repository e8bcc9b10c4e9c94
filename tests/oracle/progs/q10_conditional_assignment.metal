// Assignments under independent conditions.
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float* p = d;
    float* q = d;
    if (n > 1)
        q = e;
    if (n > 2)
        p = q;
    p[i] = 1.0f;
    if (n > 3)
        p = t;
    p[i + 1] = 2.0f;
    if (n > 4)
        q = p;
    q[i + 2] = 3.0f;
}
