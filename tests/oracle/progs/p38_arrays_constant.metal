// An array of pointers with constant indices is a bundle of locals.
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float* p[2];
    p[0] = d;
    p[1] = e;
    p[0][i] = 1.0f;
    p[1][i] = 2.0f;
    float* q[2] = {t, t + 4};
    q[0][i] = 3.0f;
    q[1][i] = 4.0f;
}
