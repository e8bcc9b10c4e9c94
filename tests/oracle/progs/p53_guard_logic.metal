// Guards in conditions.
#include <metal_stdlib>
using namespace metal;
struct Args { float* p; };
float load(const float* p, int at) {
    if (is_device_addrspace(p) && at > 0)
        return p[at];
    if (!is_thread_addrspace(p) || at < 0)
        return p[0];
    return 0.0f;
}
kernel void k(device Args& a [[buffer(0)]], device float* d [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]]) {
    d[0] = load(a.p, n);
    d[1] = load(d, n) + load(t, n);
}
