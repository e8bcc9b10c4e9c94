// Pointers that are kept in threadgroup memory.
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* d [[buffer(0)]], constant int& n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    threadgroup float* table[8];
    threadgroup float shared[8];
    table[i & 7] = shared + n;
    float* p = table[n & 7];
    p[0] = 1.0f;
    device float* known = d + i;
    float* q = known;
    *q = 2.0f;
}
