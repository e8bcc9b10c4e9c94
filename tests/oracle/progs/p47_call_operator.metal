// A functor with state.
#include <metal_stdlib>
using namespace metal;
struct Adder {
    float* to;
    void operator()(const float& what) const { *to += what; }
};
template <typename F> void each(const float* p, int count, F f) {
    for (int j = 0; j < count; ++j)
        f(p[j]);
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    Adder a = {d + i};
    Adder b = {t};
    a(t[i]);
    each(e, n, a);
    each(t, n, b);
}
