// A derived object lies where its base lies.
#include <metal_stdlib>
using namespace metal;
struct Base {
    float a;
    void set(float v) { a = v; }
};
struct Derived : Base {
    float b;
    void both(float v) {
        set(v);
        b = v + 1.0f;
    }
};
void reset(Base* p) { p->a = 0.0f; }
kernel void k(device Derived* d [[buffer(0)]], threadgroup Derived* t [[threadgroup(0)]], uint i [[thread_position_in_grid]]) {
    d[i].both(1.0f);
    t[i].both(2.0f);
    d[i + 1].set(3.0f);
    reset(d + i);
    Base* p = t + i;
    p->set(4.0f);
    p->a += 5.0f;
}
