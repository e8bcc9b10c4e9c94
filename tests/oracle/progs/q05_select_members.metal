// A member function that picks between a buffer and shared memory.
#include <metal_stdlib>
using namespace metal;
struct Cache {
    float* near;
    float* far;
    float read(int j, int limit) const {
        const float* p = j < limit ? near : far;
        return p[j];
    }
};
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    Cache a = {t, d};
    Cache b = {d, e};
    e[i] = a.read(int(i), n);
    e[i + 1] = b.read(int(i), n);
}
