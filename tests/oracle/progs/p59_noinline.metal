// A function that stays apart is one context.
#include <metal_stdlib>
using namespace metal;
__attribute__((noinline)) float mixed(const float* p, int at) { return p[at]; }
__attribute__((noinline)) float once(const float* p, int at) { return p[at]; }
float inner(const float* p, int at) { return p[at]; }
__attribute__((noinline)) float wrapper(const float* p, int at) { return inner(p, at); }
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    e[0] = mixed(d, n) + mixed(t, n);
    e[1] = inner(d, n);
    e[2] = wrapper(d, n) + wrapper(t, n);
    e[3] = once(d, n);
}
