// A table of pointers in a struct.
#include <metal_stdlib>
using namespace metal;
struct Table {
    float* rows[4];
    int count;
};
float read(const Table& table, int row, int column) { return table.rows[row][column]; }
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    Table a;
    a.rows[0] = d;
    a.rows[1] = d + 4;
    a.rows[2] = e;
    a.rows[3] = e + 4;
    a.count = 4;
    e[0] = a.rows[0][i] + a.rows[3][i];
    e[1] = read(a, n & 3, 1);
}
