// A pointer to a local pointer changes it.
#include <metal_stdlib>
using namespace metal;
void choose(float* thread* where, float* what) {
    *where = what;
}
void advance(float** p, int by) {
    *p = *p + by;
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float* p = d;
    float** pp = &p;
    **pp = 1.0f;
    *pp = t;
    p[i] = 2.0f;
    advance(&p, n);
    p[i + 1] = 3.0f;
    float* q = t;
    advance(&q, 2);
    *pp = d;
    advance(pp, 1);
    p[i + 2] = 4.0f;
    q[i] = 5.0f;
    choose(&q, e);
    q[i + 1] = 6.0f;
}
