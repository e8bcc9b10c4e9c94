// Results through pointers.
#include <metal_stdlib>
using namespace metal;
struct Hit {
    float* where;
    float value;
};
bool nearest(float* p, int count, Hit* hit) {
    hit->where = p;
    hit->value = p[0];
    for (int j = 1; j < count; ++j) {
        if (p[j] < hit->value) {
            hit->where = p + j;
            hit->value = p[j];
        }
    }
    return count > 0;
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    Hit a;
    if (nearest(d, n, &a))
        *a.where = 1.0f;
    Hit b;
    nearest(t, n, &b);
    *b.where = 2.0f;
}
