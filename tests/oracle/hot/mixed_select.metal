// Pointers to different memory that a condition chooses between.
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* d [[buffer(0)]], threadgroup float* t [[threadgroup(0)]], constant uint& count [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {
    float* a = d;
    float* b = t;
    float* p = count > 8 ? a : b;
    for (uint j = 0; j < count; ++j)
        p[j] = 1.0f;  // hot
    for (uint j = 0; j < count; ++j) {
        a[j] += 1.0f;
        b[j] += 1.0f;
    }
}
