// A lambda that goes into a template.
#include <metal_stdlib>
using namespace metal;
template <typename F> void repeat(int count, F f) {
    for (int j = 0; j < count; ++j)
        f(j);
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float* p = d;
    float* q = t;
    repeat(n, [=](int j) { p[j] = 1.0f; });
    repeat(n, [&](int j) { q[j] = 2.0f; });
}
