// A cast that tests gives null or a pointer that is known.
#include <metal_stdlib>
using namespace metal;
struct Args { float* p; };
kernel void k(device Args& a [[buffer(0)]], device float* d [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    device float* q = addrspace_cast<device float*>(a.p);
    if (q != nullptr) {
        q[i] = 1.0f;
        float* g = q;
        g[i + 1] = 2.0f;
    }
    threadgroup float* t = addrspace_cast<threadgroup float*>(a.p);
    float* r = t;
    if (r)
        r[i] = 3.0f;
}
