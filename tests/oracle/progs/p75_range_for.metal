// A range-for over an array.
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* d [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    threadgroup float shared[8];
    for (int j = 0; j < 8; ++j)
        shared[j] = d[j + i];
    float sum = 0.0f;
    for (float& v : shared) {
        float* p = &v;
        *p += 1.0f;
        sum += v;
    }
    d[i] = sum;
}
