// Structs in structs.
#include <metal_stdlib>
using namespace metal;
struct Inner {
    float* p;
    float scale;
};
struct Outer {
    Inner left;
    Inner right;
};
void scale(Outer& o, int at) {
    o.left.p[at] *= o.left.scale;
    o.right.p[at] *= o.right.scale;
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    Outer o = {{d, 2.0f}, {t, 3.0f}};
    o.left.p[i] = 1.0f;
    o.right.p[i] = 2.0f;
    scale(o, n);
    Outer r = {{t, 2.0f}, {t + 2, 3.0f}};
    scale(r, n);
    r.right = o.left;
    r.right.p[i] = 4.0f;
}
