// A value that an inner loop changes and an outer loop carries.
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float* p = d;
    for (int j = 0; j < n; ++j) {
        for (int l = 0; l < j; ++l) {
            p[l] = 1.0f;
            if (p[l + 1] > 2.0f)
                p = e;
        }
        p[j] = 3.0f;
    }
    float* q = d;
    for (int j = 0; j < n; ++j) {
        float* r = q;
        for (int l = 0; l < j; ++l) {
            r[l] = 4.0f;
            r = r + 1;
        }
        q[j] = 5.0f;
        q = t;
    }
}
