// Advancing a pointer keeps its space.
#include <metal_stdlib>
using namespace metal;
float total(const float* first, const float* last) {
    float sum = 0.0f;
    while (first != last) {
        sum += *first;
        ++first;
    }
    return sum;
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float x[8];
    for (int j = 0; j < 8; ++j) x[j] = d[j + i];
    e[0] = total(d, d + n);
    e[1] = total(t, t + n);
    e[2] = total(x + (n & 3), x + 8);
}
