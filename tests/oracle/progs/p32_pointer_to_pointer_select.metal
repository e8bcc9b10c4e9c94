// A pointer to either of two local pointers.
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float* p = d;
    float* q = e;
    float** pp = n > 0 ? &p : &q;
    (*pp)[i] = 1.0f;
    float* r = t;
    float* s = t + 1;
    float** rr = &r;
    rr = &s;
    (*rr)[i] = 2.0f;
    *rr = d;
    s[i] = 3.0f;
    r[i + 1] = 4.0f;
}
