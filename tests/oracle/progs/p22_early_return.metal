// A path that returns does not reach the join.
#include <metal_stdlib>
using namespace metal;
void put(float* p, float v) {
    p[0] = v;
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float* p = d;
    if (n > 3) {
        p = t;
        put(p + i, 1.0f);
        return;
    }
    p[i] = 2.0f;
    put(p, 3.0f);
}
