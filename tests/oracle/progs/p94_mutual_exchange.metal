// Values that two variables exchange in a loop.
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float* p = d;
    float* q = e;
    for (int j = 0; j < n; ++j) {
        p[j] = q[j] + 1.0f;
        float* r = p;
        p = q;
        q = r;
    }
    float* a = d;
    float* b = t;
    for (int j = 0; j < n; ++j) {
        a[j] = b[j] + 1.0f;
        float* r = a;
        a = b;
        b = r;
    }
}
