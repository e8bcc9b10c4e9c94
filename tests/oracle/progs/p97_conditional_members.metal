// Members that pick one of their pointers.
#include <metal_stdlib>
using namespace metal;
struct Ping {
    float* a;
    float* b;
    int which;
    float* current() const { return which > 0 ? a : b; }
    void flip() { which = 1 - which; }
};
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    Ping same = {d, e, n};
    same.current()[i] = 1.0f;
    same.flip();
    same.current()[i + 1] = 2.0f;
    Ping mixed = {d, t, n};
    mixed.current()[i + 2] = 3.0f;
    mixed.a[i + 3] = 4.0f;
}
