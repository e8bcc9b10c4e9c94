// A loop carries a value of another space into its next pass.
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float* p = d;
    for (int j = 0; j < n; ++j) {
        p[j] = 1.0f;
        p = t;
    }
    float* q = d;
    for (int j = 0; j < n; ++j) {
        q[j] = 2.0f;
        q = e + j;
    }
    q[i] = 3.0f;
}
