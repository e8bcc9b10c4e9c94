// A guarded cast of a loaded pointer is free, the pointer itself is not.
#include <metal_stdlib>
using namespace metal;
struct Args {
    float* p;
    float* q;
};
kernel void k(device Args& a [[buffer(0)]], device float* d [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    float* p = a.p;
    if (is_device_addrspace(p)) {
        device float* known = static_cast<device float*>(p);
        known[i] = 1.0f;
        p[i + 1] = 2.0f;
    }
    float* q = a.q;
    if (!is_threadgroup_addrspace(q))
        return;
    q[i] = 3.0f;
    threadgroup float* t = static_cast<threadgroup float*>(q);
    t[i + 1] = 4.0f;
}
