// Either side of ?: in one space stays in it, through calls as well.
#include <metal_stdlib>
using namespace metal;
float* first(float* a, float* b, int c) {
    return c > 0 ? a : b;
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    first(d, e, n)[i] = 1.0f;
    first(t, t + 4, n)[i] = 2.0f;
    first(d, t, n)[i + 1] = 3.0f;
}
