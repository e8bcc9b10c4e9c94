// std: metal3.1
#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;

kernel void gemm(
    device const half* a [[buffer(0)]], device const half* b [[buffer(1)]], device float* c [[buffer(2)]],
    constant uint& stride [[buffer(3)]], threadgroup half* tile [[threadgroup(0)]],
    uint2 group [[threadgroup_position_in_grid]]) {
    simdgroup_float8x8 sum = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
    simdgroup_half8x8 left;
    simdgroup_half8x8 right;
    simdgroup_half8x8 rows[2];
    for (uint k = 0; k < stride; k += 8) {
        simdgroup_load(left, a + k, stride);
        simdgroup_load(right, tile, 8, ulong2(0, 0), true);
        simdgroup_load(rows[0], b + k, stride, ulong2(0, 8));
        simdgroup_multiply_accumulate(sum, left, right, sum);
    }
    simdgroup_half8x8 product;
    simdgroup_multiply(product, left, rows[0]);
    product = left * right;
    rows[1] = product;
    sum.thread_elements()[0] += 1.0f;
    simdgroup_store(sum, c + group.x * 8, stride);
    simdgroup_store(product, tile);
    simdgroup_barrier(mem_flags::mem_threadgroup);
    simdgroup_matrix<bfloat, 8, 8> brain(bfloat(1.0f));
    simdgroup_bfloat8x8 identity = brain;
}
