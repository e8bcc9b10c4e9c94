// A struct is copied, and then changed.
#include <metal_stdlib>
using namespace metal;
struct Span { float* p; int n; };
Span next(Span s) {
    s.p += s.n;
    return s;
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    Span a = {d, n};
    Span b = a;
    a.p = t;
    a.p[i] = 1.0f;
    b.p[i] = 2.0f;
    b = a;
    b.p[i + 1] = 3.0f;
    Span c = next(next(b));
    c.p[i] = 4.0f;
}
