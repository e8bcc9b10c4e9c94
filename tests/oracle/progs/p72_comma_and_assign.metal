// Assignments and commas as values.
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float* p;
    float* q = t;
    (p = d)[i] = 1.0f;
    *(p = q) = 2.0f;
    (q = d, p)[i + 1] = 3.0f;
    q[i + 2] = 4.0f;
    p += 2;
    p[i] = 5.0f;
    *p++ = 6.0f;
    *--p = 7.0f;
    *(2 + q) = 8.0f;
    1[q] = 9.0f;
}
