// What leaves a loop by break joins what leaves it by its condition.
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float* p = d;
    for (int j = 0; j < n; ++j) {
        if (d[j] > 1.0f) {
            p = t;
            break;
        }
    }
    p[i] = 1.0f;
    float* q = d;
    for (int j = 0; j < n; ++j) {
        if (d[j] > 2.0f) {
            q = e;
            break;
        }
        if (d[j] < 0.0f)
            continue;
        q = d + j;
    }
    q[i] = 2.0f;
}
