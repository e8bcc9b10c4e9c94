// std: metal4.0
#include <metal_stdlib>
#include <metal_tensor>
#include <MetalPerformancePrimitives/MetalPerformancePrimitives.h>
using namespace metal;
using namespace mpp;

kernel void multiply(
    tensor<device half, dextents<int, 2>> a [[buffer(0)]], tensor<device half, dextents<int, 2>> b [[buffer(1)]],
    tensor<device float, dextents<int, 2>> c [[buffer(2)]], uint2 group [[threadgroup_position_in_grid]]) {
    constexpr auto descriptor = tensor_ops::matmul2d_descriptor(64, 32, dynamic_length_v<int>);
    tensor_ops::matmul2d<descriptor, execution_simdgroups<4>> operation;
    auto left = a.slice(0, group.y * 64);
    auto right = b.slice(group.x * 32, 0);
    auto out = c.slice(group.x * 32, group.y * 64);
    operation.run(left, right, out);

    auto result = operation.get_destination_cooperative_tensor<decltype(left), decltype(right), float>();
    operation.run(left, right, result);
    for (uint16_t i = 0; i < result.get_capacity(); i++) {
        if (result.is_valid_element(i))
            result[i] *= 2.0f;
    }
    result.store(out);
}

kernel void elements(device float* memory [[buffer(0)]], tensor<device float, extents<int, 64, 32>> t [[buffer(1)]]) {
    tensor<device float, dextents<int, 2>, tensor_inline> own(memory, dextents<int, 2>(16, 32));
    auto part = t.slice<16, 8>(0, 8);
    if (!is_null_tensor(t) && own.get_extent(0) <= part.get_extent(0))
        own.set(1.0f, 0, 1);
    own.set(t.get(1, 2), 3, 4);
}
