// Summaries compose over several levels.
#include <metal_stdlib>
using namespace metal;
float* step(float* p) { return p + 1; }
float* twice(float* p) { return step(step(p)); }
void fill(float* p, float v) {
    float* q = twice(p);
    *q = v;
}
void both(float* a, float* b) {
    fill(a, 1.0f);
    fill(b, 2.0f);
    *twice(b) += 1.0f;
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    both(d + i, e);
    both(t + i, d);
}
