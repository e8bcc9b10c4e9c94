// A parameter that the function assigns.
#include <metal_stdlib>
using namespace metal;
float skip(const float* p, const float* other, int count) {
    if (count > 4)
        p = other;
    return *p;
}
float always(const float* p, const float* other) {
    float a = *p;
    p = other;
    return a + *p;
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    e[0] = skip(d, e, n);
    e[1] = skip(t, d, n);
    e[2] = always(d, t) + always(e, t);
}
