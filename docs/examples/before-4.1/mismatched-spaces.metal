// Metal 4.0: spaces that do not fit each other.
#include <metal_stdlib>
using namespace metal;

static float sum(threadgroup const float *values, uint count) {
    float total = 0;
    for (uint i = 0; i < count; ++i)
        total += values[i];
    return total;
}

kernel void reduce(device const float *input [[buffer(0)]], device float *output [[buffer(1)]],
                   uint lane [[thread_index_in_threadgroup]]) {
    threadgroup float tile[64];
    tile[lane] = input[lane];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (lane == 0) {
        output[0] = sum(tile, 64);
        // The input is in device memory, the parameter points to threadgroup memory.
        output[1] = sum(input, 64);
        threadgroup float *first = output;
        *first = 0;
    }
}
