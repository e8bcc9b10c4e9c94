// A loop carries what a call picks.
#include <metal_stdlib>
using namespace metal;
float* pick(float* a, float* b, int j) {
    if (j & 1)
        return a;
    return b;
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float* p = d;
    for (int j = 0; j < n; ++j) {
        p[j] = 1.0f;
        p = pick(p, t, j);
    }
    float* q = d;
    for (int j = 0; j < n; ++j) {
        q[j] = 2.0f;
        q = pick(q, e, j);
    }
}
