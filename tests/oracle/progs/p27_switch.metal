// Every case starts from the head, or from the case above it.
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float* p = d;
    switch (n) {
    case 0:
        p = t;
        p[i] = 1.0f;
        break;
    case 1:
        p[i + 1] = 2.0f;
        break;
    default:
        p = e;
        p[i + 2] = 3.0f;
        break;
    }
    p[i + 3] = 4.0f;
    float* q;
    switch (n & 1) {
    case 0: q = d; break;
    default: q = e; break;
    }
    q[i + 4] = 5.0f;
}
