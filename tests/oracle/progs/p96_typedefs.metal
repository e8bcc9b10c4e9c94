// Aliases of pointer types.
#include <metal_stdlib>
using namespace metal;
using Pointer = float*;
typedef const float* ConstPointer;
template <typename T> using PointerTo = T*;
float read(ConstPointer p, PointerTo<float> q) { return *p + *q; }
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    Pointer p = d;
    p[i] = read(d, e);
    PointerTo<float> q = t;
    q[i] = read(d, t);
}
