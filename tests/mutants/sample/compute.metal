#include <metal_stdlib>
using namespace metal;

struct Params {
    uint count;
    float scale;
    float4 offset;
};

float weight(device const float *values, uint index, float scale) {
    const float value = values[index];
    return value * scale;
}

float4 shifted(float4 color, constant Params &params) {
    float4 result = color;
    result.xyz = color.xyz + params.offset.xyz;
    return result;
}

void store(threadgroup float *shared, uint index, float value) {
    threadgroup float *slot = shared + index;
    *slot = value;
}

kernel void sum(
    device const float *input [[buffer(0)]],
    device float *output [[buffer(1)]],
    constant Params &params [[buffer(2)]],
    threadgroup float *shared [[threadgroup(0)]],
    uint tid [[thread_position_in_grid]],
    uint lane [[thread_index_in_threadgroup]]) {
    float total = 0.0f;
    device const float *cursor = input + tid;
    for (uint i = 0; i < params.count; ++i) {
        total += weight(cursor, i, params.scale);
    }
    store(shared, lane, total);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    float largest = max(total, shared[0]);
    output[tid] = clamp(largest, 0.0f, 1.0f);
}

kernel void copy(
    texture2d<float, access::read> source [[texture(0)]],
    texture2d<float, access::write> target [[texture(1)]],
    constant Params &params [[buffer(0)]],
    uint2 position [[thread_position_in_grid]]) {
    float4 color = source.read(position);
    float4 moved = shifted(color, params);
    target.write(moved, position);
}
