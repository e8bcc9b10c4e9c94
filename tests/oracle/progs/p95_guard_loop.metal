// A loop that is run on a pointer that a cast has made known.
#include <metal_stdlib>
using namespace metal;
struct Args { float* p; int count; };
kernel void k(device Args& a [[buffer(0)]], device float* d [[buffer(1)]]) {
    float sum = 0.0f;
    if (is_device_addrspace(a.p)) {
        device float* p = static_cast<device float*>(a.p);
        for (int j = 0; j < a.count; ++j)
            sum += p[j];
    } else {
        for (int j = 0; j < a.count; ++j)
            sum += a.p[j];
    }
    d[0] = sum;
}
