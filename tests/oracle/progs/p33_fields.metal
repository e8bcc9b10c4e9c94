// Pointers in a local struct are as good as locals.
#include <metal_stdlib>
using namespace metal;
struct Span {
    float* first;
    int count;
};
float sum(Span s) {
    float total = 0.0f;
    for (int j = 0; j < s.count; ++j)
        total += s.first[j];
    return total;
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    Span a = {d, n};
    Span b;
    b.first = t;
    b.count = n + 1;
    a.first[i] = 1.0f;
    b.first[i] = 2.0f;
    a.first = b.first;
    a.first[i + 1] = 3.0f;
    e[i] = sum(b);
    b.first = d;
    e[i + 1] = sum(b);
}
