// A helper that mixes its own parameters, called with the same and with other spaces.
#include <metal_stdlib>
using namespace metal;
void blend(float* to, const float* a, const float* b, int n) {
    for (int j = 0; j < n; ++j) {
        const float* p = (j & 1) ? a : b;
        to[j] = *p;
    }
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    blend(e, d, d + 4, n);
    blend(e, d, t, n);
    blend(t, d, e, n);
}
