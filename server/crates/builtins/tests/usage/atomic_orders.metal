// std: metal4.1
#include <metal_stdlib>
using namespace metal;

kernel void hand_over(
    device float* data [[buffer(0)]], device atomic_uint* ready [[buffer(1)]], uint gid [[thread_position_in_grid]]) {
    data[gid] = 1.0f;
    atomic_store_explicit(ready, 1, memory_order_release, mem_flags::mem_device);
    while (atomic_load_explicit(ready, memory_order_acquire, mem_flags::mem_device) == 0) {
    }
    atomic_fetch_add_explicit(ready, 1, memory_order_acq_rel, mem_flags::mem_device);
    atomic_fetch_add_explicit(ready, 1, memory_order_relaxed);
}
