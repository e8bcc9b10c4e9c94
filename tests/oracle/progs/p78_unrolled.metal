// Loops with constant bounds are loops.
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float* p = d;
    for (int j = 0; j < 3; ++j) {
        p[i] += 1.0f;
        p = (j & 1) ? d : e;
    }
    float* q[3] = {d, d + 1, d + 2};
    float sum = 0.0f;
    sum += q[0][i] + q[1][i] + q[2][i];
    e[i] = sum;
}
