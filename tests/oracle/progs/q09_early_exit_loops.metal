// Loops that end in different ways.
#include <metal_stdlib>
using namespace metal;
float* search(float* p, float* otherwise, int count, float what) {
    for (int j = 0; j < count; ++j) {
        if (p[j] == what)
            return p + j;
    }
    return otherwise;
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    *search(d, e, n, 1.0f) = 2.0f;
    *search(d, t, n, 1.0f) = 3.0f;
    float* p = search(t, t + 1, n, 4.0f);
    *p = 5.0f;
}
