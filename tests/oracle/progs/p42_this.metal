// Members act where their object lies.
#include <metal_stdlib>
using namespace metal;
struct Counter {
    float value;
    float step;
    void advance() { value += step; }
    float read() const { return value * 2.0f; }
    void twice() {
        advance();
        this->advance();
    }
};
kernel void k(device Counter* c [[buffer(0)]], threadgroup Counter* t [[threadgroup(0)]], uint i [[thread_position_in_grid]]) {
    c[i].advance();
    c[i].twice();
    t[i].twice();
    c[0].value = t[i].read();
    c[1].advance();
}
