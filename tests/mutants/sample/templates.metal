#include <metal_stdlib>
using namespace metal;

template <typename T>
struct Block {
    T scale;
    T values[4];

    T at(uint index) const {
        return values[index] * scale;
    }
};

template <typename T>
T total(device const Block<T> *blocks, uint count) {
    T result = 0;
    for (uint i = 0; i < count; ++i) {
        result += blocks[i].at(i & 3);
    }
    return result;
}

template <typename T>
kernel void totals(
    device const Block<T> *blocks [[buffer(0)]],
    device T *output [[buffer(1)]],
    constant uint &count [[buffer(2)]],
    uint tid [[thread_position_in_grid]]) {
    const T value = total(blocks + tid, count);
    output[tid] = value;
}

template [[host_name("totals_float")]] kernel void totals<float>(
    device const Block<float> *, device float *, constant uint &, uint);
template [[host_name("totals_half")]] kernel void totals<half>(
    device const Block<half> *, device half *, constant uint &, uint);
