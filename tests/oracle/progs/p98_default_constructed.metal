// Members with initialisers.
#include <metal_stdlib>
using namespace metal;
struct Slot {
    float* p = nullptr;
    int n = 0;
    void bind(float* q, int count) { p = q; n = count; }
    void put(float v) { if (n > 0) p[0] = v; }
};
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    Slot a;
    a.bind(d + i, n);
    a.put(1.0f);
    Slot b;
    b.bind(t + i, n);
    b.put(2.0f);
    b.bind(d, n);
    b.put(3.0f);
}
