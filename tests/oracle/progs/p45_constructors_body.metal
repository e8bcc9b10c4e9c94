// A constructor with a body, and one that calls another constructor's type.
#include <metal_stdlib>
using namespace metal;
struct Range {
    float* first;
    float* last;
    Range(float* p) {
        first = p;
        last = p + 1;
    }
};
struct Two {
    Range a;
    Range b;
    Two(float* p, float* q) : a(p), b(q) {}
};
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    Range r(d);
    Range s = Range(t);
    r.last[i] = 1.0f;
    s.first[i] = 2.0f;
    Two two(d, t);
    two.a.first[i + 1] = 3.0f;
    two.b.last[i + 1] = 4.0f;
}
