// A test of the space does not narrow what compilers know.
#include <metal_stdlib>
using namespace metal;
void put(float* p, float v) {
    if (is_device_addrspace(p)) {
        device float* q = static_cast<device float*>(p);
        *q = v;
    } else {
        *p = v + 1.0f;
    }
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    put(d + i, 1.0f);
    put(t + i, 2.0f);
}
