// Values meet behind a branch, and not before it.
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float* p = d;
    if (n > 3) {
        p = t;
        p[i] = 1.0f;
    } else {
        p[i] = 2.0f;
    }
    p[i + 1] = 3.0f;
    float* q = d;
    if (n > 4) {
        q = e;
    }
    q[i + 2] = 4.0f;
}
