// A member that returns its object can be called in a chain.
#include <metal_stdlib>
using namespace metal;
struct Builder {
    float a, b, c;
    Builder& first(float v) { a = v; return *this; }
    Builder& second(float v) { b = v; return *this; }
    Builder* third(float v) { c = v; return this; }
};
kernel void k(device Builder* d [[buffer(0)]], threadgroup Builder* t [[threadgroup(0)]], uint i [[thread_position_in_grid]]) {
    d[i].first(1.0f).second(2.0f);
    t[i].first(3.0f).second(4.0f).third(5.0f)->first(6.0f);
    d[i + 1].third(7.0f)->c += 1.0f;
}
