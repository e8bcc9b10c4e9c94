// Two paths to one function with the same space.
#include <metal_stdlib>
using namespace metal;
void leaf(float* p) { *p = 1.0f; }
void left(float* p) { leaf(p); }
void right(float* p) { leaf(p + 1); }
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    left(d + i);
    right(e + i);
    left(t);
}
