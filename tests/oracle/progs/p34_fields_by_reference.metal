// A function fills the fields of a struct that it is given by reference.
#include <metal_stdlib>
using namespace metal;
struct Pair {
    float* a;
    float* b;
};
void turn(Pair& p) {
    float* c = p.a;
    p.a = p.b;
    p.b = c;
}
void add(const Pair& p, int at) {
    p.a[at] += p.b[at];
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    Pair p = {d, t};
    p.a[i] = 1.0f;
    turn(p);
    p.a[i] = 2.0f;
    add(p, int(i));
    Pair q = {d, e};
    turn(q);
    q.b[i] = 3.0f;
}
