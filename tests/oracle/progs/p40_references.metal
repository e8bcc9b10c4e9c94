// References to elements, to locals and to references.
#include <metal_stdlib>
using namespace metal;
void add(float& to, const float& what) {
    to += what;
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float x[4] = {1, 2, 3, 4};
    float& a = d[i];
    float& b = t[i];
    a = 1.0f;
    b += 2.0f;
    float& c = a;
    c *= 3.0f;
    add(a, b);
    add(b, x[i & 3]);
    add(x[(i + 1) & 3], d[0]);
    e[i] = x[(i + 2) & 3];
}
