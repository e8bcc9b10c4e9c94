// All three spaces through one chain.
#include <metal_stdlib>
using namespace metal;
void leaf(float* p) { p[0] += 1.0f; }
void middle(float* p, int c) {
    if (c > 0)
        leaf(p);
    leaf(p + 1);
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float x[8];
    for (int j = 0; j < 8; ++j) x[j] = d[j];
    middle(d + i, n);
    middle(t + i, n);
    middle(x + (i & 3), n);
    e[i] = x[n & 7];
}
