// A local whose address is kept in memory.
#include <metal_stdlib>
using namespace metal;
struct Link { float** slot; };
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float* p = d;
    Link link = {&p};
    **link.slot = 1.0f;
    *link.slot = t;
    p[i] = 2.0f;
    (*link.slot)[i + 1] = 3.0f;
}
