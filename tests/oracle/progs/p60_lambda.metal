// A lambda is a function with what it captured.
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float* p = d;
    float* q = t;
    auto put = [&](float v) { p[i] = v; };
    put(1.0f);
    auto both = [=](float v) {
        p[i + 1] = v;
        q[i + 1] = v;
    };
    both(2.0f);
    p = q;
    put(3.0f);
}
