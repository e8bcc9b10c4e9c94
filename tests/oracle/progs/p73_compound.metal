// Compound assignment and increment.
#include <metal_stdlib>
using namespace metal;
void update(int& a, int* b) {
    a += 1;
    ++*b;
    (*b)--;
    b[1] <<= 2;
    a = b[0] = 3;
}
kernel void k(device int* d [[buffer(0)]], threadgroup int* t [[threadgroup(0)]], uint i [[thread_position_in_grid]]) {
    update(d[i], t + i);
    update(t[i], t);
    update(d[i], d + 4);
}
