// ?: on objects and their members.
#include <metal_stdlib>
using namespace metal;
struct Cell { float v; float w; };
void touch(Cell& c) { c.v += 1.0f; }
kernel void k(device Cell* d [[buffer(0)]], threadgroup Cell* t [[threadgroup(0)]], constant int& n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    touch(n > 0 ? d[i] : d[i + 1]);
    touch(n > 0 ? t[i] : t[i + 1]);
    Cell& a = d[i];
    Cell& b = t[i];
    touch(n > 1 ? a : b);
    (n > 2 ? a : b).w = 1.0f;
}
