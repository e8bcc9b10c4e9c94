// A loaded pointer through several helpers.
#include <metal_stdlib>
using namespace metal;
struct Args { float* in; float* out; int count; };
float at(const float* p, int j) { return p[j]; }
float pair(const float* p, int j) { return at(p, j) + at(p, j + 1); }
void put(float* p, int j, float v) { p[j] = v; }
kernel void k(device Args& a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    for (int j = 0; j < a.count; ++j)
        put(a.out, j, pair(a.in, j));
    a.out[i] += 1.0f;
}
