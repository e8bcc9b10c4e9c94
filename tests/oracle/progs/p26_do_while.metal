// A do loop runs its body before the test.
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float* p = t;
    int j = 0;
    do {
        p = d + j;
        p[i] = 1.0f;
        ++j;
    } while (j < n);
    p[i + 1] = 2.0f;
    float* q = t;
    do {
        q[i + 2] = 3.0f;
        q = d;
    } while (--j > 0);
    q[i + 3] = 4.0f;
}
