// A constructor stores what it is given.
#include <metal_stdlib>
using namespace metal;
struct Cursor {
    float* at;
    float* end;
    Cursor(float* p, int count) : at(p), end(p + count) {}
    bool more() const { return at != end; }
    float next() { return *at++; }
};
float drain(Cursor& c) {
    float sum = 0.0f;
    while (c.more())
        sum += c.next();
    return sum;
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    Cursor a(d, n);
    Cursor b(t, n);
    e[0] = drain(a);
    e[1] = drain(b);
    *a.at = 1.0f;
}
