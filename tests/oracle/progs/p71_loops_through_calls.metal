// Mixing that only one caller does.
#include <metal_stdlib>
using namespace metal;
float dot4(const float* a, const float* b) {
    float sum = 0.0f;
    for (int j = 0; j < 4; ++j)
        sum += a[j] * b[j];
    return sum;
}
float either(const float* a, const float* b, int c) {
    const float* p = c > 0 ? a : b;
    return dot4(p, b);
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    e[0] = either(d, e, n);
    e[1] = either(t, t + 4, n);
    e[2] = either(d, t, n);
}
