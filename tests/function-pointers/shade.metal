// The shader that the hosts in Objective-C, C++ and Rust set up.
#include <metal_stdlib>
using namespace metal;

using Surface = float3(float3 position);

[[visible]] float3 wood(float3 position) {
    return float3(0.4f, 0.3f, 0.2f) * fract(position.x);
}

[[visible]] float3 stone(float3 position) {
    return float3(0.5f) * fract(position.y);
}

kernel void shade(device float3 *samples [[buffer(0)]],
                  visible_function_table<Surface> surfaces [[buffer(1)]],
                  uint group [[threadgroup_position_in_grid]],
                  uint index [[thread_position_in_grid]]) {
    [[function_groups("surfaces")]] float3 colour = surfaces[group % 2](samples[index]);
    samples[index] = colour;
}
