// A lambda with parameters.
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    auto add = [](float* to, const float* what) { *to += *what; };
    add(d + i, e + i);
    add(t + i, d + i);
    auto pick = [](float* a, float* b, int c) { return c > 0 ? a : b; };
    pick(d, e, n)[i] = 1.0f;
    pick(d, t, n)[i] = 2.0f;
}
