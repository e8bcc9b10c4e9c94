// Templates by instance.
#include <metal_stdlib>
using namespace metal;
template <typename T> void put(T* p, T v) { *p = v; }
template <typename T> T get(const T* p, int at) { return p[at]; }
template <typename P> float through(P p) { return p[0]; }
kernel void k(device float* d [[buffer(0)]], device int* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]], uint i [[thread_position_in_grid]]) {
    float* g = d;
    float* h = t;
    int* j = e;
    put<float>(g + i, 1.0f);
    put<float>(h + i, 2.0f);
    put<int>(j + i, 3);
    d[0] = get<float>(g, 3) + float(get<int>(j, 4));
    d[1] = through(h) + through(g);
}
