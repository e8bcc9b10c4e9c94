// The address of a member lies with its object.
#include <metal_stdlib>
using namespace metal;
struct Point {
    float x, y;
    float* second() { return &y; }
};
void half_of(float* p) { *p *= 0.5f; }
kernel void k(device Point* d [[buffer(0)]], threadgroup Point* t [[threadgroup(0)]], uint i [[thread_position_in_grid]]) {
    half_of(&d[i].x);
    half_of(&t[i].y);
    half_of(d[i].second());
    *t[i].second() = 1.0f;
    Point* p = d + i;
    half_of(&p->y);
    p->x = 2.0f;
}
