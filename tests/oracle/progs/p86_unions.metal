// A union of pointer and number stays in memory.
#include <metal_stdlib>
using namespace metal;
union Bits {
    float* p;
    ulong bits;
};
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    Bits b;
    b.p = d;
    b.p[i] = 1.0f;
    Bits c;
    c.p = t;
    c.p[i] = 2.0f;
}
