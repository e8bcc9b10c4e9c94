// Arrays inside of structs.
#include <metal_stdlib>
using namespace metal;
struct Tile {
    float cells[8];
    float& cell(int at) { return cells[at]; }
    float* row(int at) { return cells + at * 2; }
};
kernel void k(device Tile* d [[buffer(0)]], threadgroup Tile* t [[threadgroup(0)]], constant int& n [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {
    d[i].cell(n) = 1.0f;
    t[i].cell(n) += 2.0f;
    d[i].row(n)[1] = 3.0f;
    float* p = t[i].row(n);
    p[0] = 4.0f;
    float* q = d[i].cells;
    q[n] = 5.0f;
}
