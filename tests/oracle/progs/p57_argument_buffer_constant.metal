// Pointers in constant and threadgroup memory.
#include <metal_stdlib>
using namespace metal;
struct Args {
    float* p;
    int count;
};
kernel void k(constant Args& a [[buffer(0)]], threadgroup Args* t [[threadgroup(0)]], device float* d [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {
    d[0] = a.p[i];
    d[1] = t[i].p[0];
    float* p = a.p;
    for (int j = 0; j < a.count; ++j)
        p[j] += 1.0f;
}
