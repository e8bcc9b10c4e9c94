// Arrays of pointers that are passed, and pointers to members.
#include <metal_stdlib>
using namespace metal;
struct Pair { int n; float* p; };
float first(float* const* x) { return x[0][0]; }
float at(float* const* x, int j) {
    float* p = x[j];
    return p[1];
}
void replace(float** x, float* p) { *x = p; }
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float* x[2] = {d, e};
    d[0] = first(x);
    d[1] = at(x, n);
    Pair pair;
    pair.p = t;
    pair.p[0] = 1.0f;
    float** where = &pair.p;
    *where = d;
    pair.p[1] = 2.0f;
    replace(&pair.p, t);
    pair.p[2] = 3.0f;
}
