// Objects of the program and of a threadgroup.
#include <metal_stdlib>
using namespace metal;
constant float table[4] = {1, 2, 3, 4};
void put(float* p, float v) { *p = v; }
kernel void k(device float* d [[buffer(0)]], constant int& n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    threadgroup float shared[64];
    threadgroup float single;
    put(&shared[i], table[n & 3]);
    put(&single, 1.0f);
    put(d + i, shared[i + 1] + single);
    float* p = shared;
    p[i + 2] = 2.0f;
    float* q = &single;
    *q = 3.0f;
}
