// std: macos-metal2.4
#include <metal_stdlib>
using namespace metal;

kernel void reduce(
    device const float* input [[buffer(0)]], device atomic_int* output [[buffer(1)]], device float4* moments [[buffer(2)]],
    threadgroup float* partial [[threadgroup(0)]], uint gid [[thread_position_in_grid]],
    uint lane [[thread_index_in_simdgroup]], uint group [[simdgroup_index_in_threadgroup]],
    uint width [[threads_per_simdgroup]]) {
    float value = input[gid];
    float sum = simd_sum(value);
    float4 sums = simd_sum(float4(value, value * value, 1, 0));
    half largest = simd_max(half(value));
    for (uint offset = width / 2; offset > 0; offset /= 2)
        value += simd_shuffle_down(value, offset);
    value += simd_shuffle_xor(value, 1);
    value += simd_shuffle(value, ushort(lane ^ 1));
    value += simd_shuffle_up(value, 16) + simd_shuffle_rotate_down(value, 1) + simd_shuffle_rotate_up(value, 1);
    value += simd_shuffle_and_fill_up(value, 0.0f, 1) + simd_shuffle_and_fill_down(value, sum, 2, 8);
    value += simd_broadcast(sum, 0) + simd_broadcast_first(sum);
    int before = simd_prefix_exclusive_sum(int(lane)) + simd_prefix_inclusive_sum(1);
    uint bits = simd_or(1u << lane) & simd_and(lane) ^ simd_xor(lane);

    simd_vote votes = simd_ballot(value > 0.5f);
    uint64_t mask = uint64_t(votes);
    uint low = uint(mask & 0xFFFFFFFF);
    if (votes.all() || simd_any(lane == 3) || simd_all(true))
        low += uint(simd_vote::vote_t(simd_active_threads_mask()) & 1);
    if (simd_is_first())
        partial[group] = sum + float(largest) + float(popcount(low) + bits);
    simdgroup_barrier(mem_flags::mem_threadgroup);
    atomic_fetch_add_explicit(output, before + int(partial[0]), memory_order_relaxed);
    moments[group] = sums;
}

struct Varyings {
    float4 position [[position]];
    float2 uv;
};

fragment half4 quads(Varyings in [[stage_in]]) {
    float2 uv = in.uv;
    half4 color = half4(half2(uv), 0, 1);
    color += quad_shuffle_xor(color, 1) + quad_broadcast(color, 0) + quad_shuffle(color, ushort(3));
    color += quad_sum(color) + quad_shuffle_rotate_up(color, 1) + quad_shuffle_and_fill_down(color, half4(0), 1);
    float2 ddx = quad_shuffle_down(uv, 1) - uv;
    uint votes = uint(quad_vote::vote_t(quad_ballot(ddx.x > 0)));
    if (quad_is_helper_thread() || simd_is_helper_thread() || quad_all(votes == 15) || !quad_any(uv.x > 0.5f))
        discard_fragment();
    return color * half(quad_min(ddx.y)) * half(quad_prefix_inclusive_sum(1u));
}
