// Null adds no space.
#include <metal_stdlib>
using namespace metal;
float* find(float* p, int count, float what) {
    for (int j = 0; j < count; ++j)
        if (p[j] == what)
            return p + j;
    return nullptr;
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float* p = nullptr;
    if (n > 0)
        p = d;
    if (p)
        p[i] = 1.0f;
    float* q = find(t, n, 2.0f);
    if (q != nullptr)
        *q = 3.0f;
    if (float* r = find(d, n, 4.0f))
        *r = 5.0f;
}
