// An iterator class with operators.
#include <metal_stdlib>
using namespace metal;
struct Iter {
    float* at;
    float& operator*() const { return *at; }
    Iter& operator++() { ++at; return *this; }
    bool operator!=(const Iter& o) const { return at != o.at; }
    Iter operator+(int by) const { return Iter{at + by}; }
};
float sum(Iter first, Iter last) {
    float total = 0.0f;
    for (Iter it = first; it != last; ++it)
        total += *it;
    return total;
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    Iter a = {d};
    Iter b = {t};
    e[0] = sum(a, a + n);
    e[1] = sum(b, b + n);
    *(a + 3) = 1.0f;
    *++b = 2.0f;
}
