// std: metal3.0
#include <metal_stdlib>
using namespace metal;

struct Counters {
    atomic_uint total;
    atomic_int lowest;
};

kernel void reduce(
    device const int* values [[buffer(0)]], device Counters& counters [[buffer(1)]],
    device atomic_uint* histogram [[buffer(2)]], device atomic_float* sum [[buffer(3)]],
    volatile device atomic_uint& tickets [[buffer(4)]], device atomic_bool* flags [[buffer(5)]],
    device atomic<ulong>* nearest [[buffer(6)]], threadgroup atomic_int* shared [[threadgroup(0)]],
    uint gid [[thread_position_in_grid]], uint lid [[thread_index_in_threadgroup]]) {
    threadgroup atomic_uint local_count;
    if (lid == 0) {
        atomic_store_explicit(&local_count, 0, memory_order_relaxed);
        atomic_store_explicit(shared, 0, memory_order_relaxed);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);

    int value = values[gid];
    atomic_fetch_add_explicit(&local_count, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(shared, value, memory_order_relaxed);
    atomic_fetch_min_explicit(&counters.lowest, value, memory_order_relaxed);
    atomic_fetch_or_explicit(&histogram[value & 255], 1u << lid, memory_order_relaxed);
    atomic_fetch_add_explicit(sum, float(value), memory_order_relaxed);
    uint ticket = atomic_fetch_add_explicit(&tickets, 1u, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);

    if (lid == 0) {
        uint count = atomic_load_explicit(&local_count, memory_order_relaxed);
        atomic_fetch_add_explicit(&counters.total, count, memory_order_relaxed);
    }
    bool was_set = atomic_exchange_explicit(flags, true, memory_order_relaxed);
    uint expected = atomic_load_explicit(histogram, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(
        histogram, &expected, expected + (was_set ? ticket : 1), memory_order_relaxed, memory_order_relaxed)) {
    }
    atomic_min_explicit(nearest, ulong(ticket), memory_order_relaxed);
}

// A helper over the value type.
template <typename T>
T add_to(device atomic<T>* target, T value) {
    return atomic_fetch_add_explicit(target, value, memory_order_relaxed);
}

kernel void use_helper(device atomic_int* a [[buffer(0)]], device atomic_float* b [[buffer(1)]]) {
    add_to(a, 1);
    add_to(b, 0.5f);
}
