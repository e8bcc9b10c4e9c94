// Arrays decay where they are passed.
#include <metal_stdlib>
using namespace metal;
float sum3(const float* a) { return a[0] + a[1] + a[2]; }
void clear(float* a, int size) {
    for (int j = 0; j < size; ++j)
        a[j] = 0.0f;
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    threadgroup float shared[16];
    clear(shared, n);
    clear(d, n);
    shared[i] = d[i];
    e[0] = sum3(d + i) + sum3(t + i) + sum3(shared + (i & 7));
}
