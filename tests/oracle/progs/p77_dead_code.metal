// What is never reached says nothing.
#include <metal_stdlib>
using namespace metal;
template <bool WIDE> float read(const float* p, const float* q, int at) {
    if constexpr (WIDE)
        return q[at];
    else
        return p[at];
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    e[0] = read<true>(d, t, n);
    e[1] = read<false>(d, t, n);
    float* p = d;
    if (false)
        p = t;
    p[i] = 1.0f;
}
