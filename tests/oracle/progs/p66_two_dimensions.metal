// Pointers to rows.
#include <metal_stdlib>
using namespace metal;
float trace(const float (*rows)[4], int size) {
    float sum = 0.0f;
    for (int j = 0; j < size; ++j)
        sum += rows[j][j];
    return sum;
}
kernel void k(device float* d [[buffer(0)]], constant int& n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    threadgroup float shared[4][4];
    shared[i][n] = 1.0f;
    float mine[4][4];
    for (int j = 0; j < 4; ++j)
        for (int l = 0; l < 4; ++l)
            mine[j][l] = d[j * 4 + l];
    d[0] = trace(shared, n);
    d[1] = trace(mine, n);
}
