// An array of pointers that a variable indexes stays in memory.
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float* p[2] = {d, t};
    p[n & 1][i] = 1.0f;
    float* q[2] = {d, e};
    q[n & 1][i] = 2.0f;
}
