// std: metal3.2
#include <metal_stdlib>
using namespace metal;

kernel void publish(
    coherent(device) float* data [[buffer(0)]], device atomic_uint* ready [[buffer(1)]],
    texture2d<float, access::read_write, memory_coherence_device> image [[texture(0)]],
    uint gid [[thread_position_in_grid]]) {
    data[gid] = 1.0f;
    image.write(float4(1.0f), uint2(gid, 0));
    atomic_thread_fence(mem_flags::mem_device | mem_flags::mem_texture, memory_order_seq_cst);
    atomic_store_explicit(ready, 1, memory_order_relaxed);
    atomic_thread_fence(mem_flags::mem_threadgroup, memory_order_seq_cst, thread_scope_threadgroup);
    threadgroup_barrier(mem_flags::mem_device, thread_scope_device);
    simdgroup_barrier(mem_flags::mem_none);
}
