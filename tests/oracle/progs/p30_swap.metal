// What a callee leaves behind references that it is given.
#include <metal_stdlib>
using namespace metal;
void exchange(float*& a, float*& b) {
    float* c = a;
    a = b;
    b = c;
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float* p = d;
    float* q = t;
    exchange(p, q);
    p[i] = 1.0f;
    q[i] = 2.0f;
}
