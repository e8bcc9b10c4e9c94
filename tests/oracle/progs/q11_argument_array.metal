// An array of pointers in an argument buffer.
#include <metal_stdlib>
using namespace metal;
struct Args { float* planes[3]; };
kernel void k(device Args& a [[buffer(0)]], device float* d [[buffer(1)]], constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    d[i] = a.planes[0][i] + a.planes[n][i];
    for (int j = 0; j < 3; ++j)
        a.planes[j][i] = 0.0f;
    device float* known = static_cast<device float*>(a.planes[1]);
    known[i] = 1.0f;
}
