// The value of `c ? p[i] : x` is loaded where it is chosen; an object that is chosen to be written is in either memory.
#include <metal_stdlib>
using namespace metal;
float padded(const float* a, int i, int n) {
    float zero = 0.0f;
    float value = i < n ? a[i] : zero;
    return value;
}
float either(float* a, float* b, int i, int n) {
    return (i < n ? (a[i]) : (b[i]));
}
void put(float* a, float* b, int i, int n) {
    (i < n ? a[i] : b[i]) = 1.0f;
}
float4 wide(const float4* a, int i, int n, float4 other) {
    return i < n ? a[i] : other;
}
kernel void k(device float* d [[buffer(0)]], threadgroup float* t [[threadgroup(0)]], constant int& n [[buffer(2)]],
              device float4* v [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    d[i] = padded(d, i, n);
    d[i + 1] = padded(t, i, n);
    for (int j = 0; j < n; ++j)
        d[j] = either(t, d, j, n);
    put(d, t, i, n);
    v[i] = wide(v, i, n, float4(0.0f));
}
