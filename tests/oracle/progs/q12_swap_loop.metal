// Ping and pong.
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float* from = d;
    float* to = t;
    for (int j = 0; j < n; ++j) {
        to[i] = from[i] + 1.0f;
        float* c = from;
        from = to;
        to = c;
    }
    e[i] = from[i];
}
