// A pointer that the loop moves to other memory.
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* d [[buffer(0)]], threadgroup float* t [[threadgroup(0)]], constant uint& count [[buffer(1)]]) {
    float* p = d;
    for (uint j = 0; j < count; ++j) {
        p[j] = 1.0f;  // hot
        p = t;
    }
    float* q = d;
    for (uint j = 0; j < count; ++j) {
        q[j] = 1.0f;
        q = d + 4;
    }
}
