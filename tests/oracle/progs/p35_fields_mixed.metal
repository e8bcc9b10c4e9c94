// A field that is assigned both ways.
#include <metal_stdlib>
using namespace metal;
struct Holder {
    float* p;
    float* q;
};
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    Holder h;
    h.q = d;
    if (n > 0)
        h.p = d;
    else
        h.p = t;
    h.p[i] = 1.0f;
    h.q[i] = 2.0f;
    h.p = h.q;
    h.p[i + 1] = 3.0f;
}
