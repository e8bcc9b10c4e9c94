// A cast to a named space and back is known.
#include <metal_stdlib>
using namespace metal;
struct Args { float* p; };
float* known(float* p) {
    device float* q = static_cast<device float*>(p);
    return q;
}
kernel void k(device Args& a [[buffer(0)]], device float* d [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    float* p = a.p;
    p[i] = 1.0f;
    float* q = static_cast<device float*>(p);
    q[i + 1] = 2.0f;
    known(p)[i + 2] = 3.0f;
    device int* bits = (device int*)p;
    bits[i + 3] = 4;
    int* generic_bits = (int*)p;
    generic_bits[i + 4] = 5;
}
