// std: metal3.1
#include <metal_stdlib>
#include <metal_command_buffer>
using namespace metal;

struct Commands {
    command_buffer draws;
    command_buffer dispatches;
    render_pipeline_state pipeline;
    compute_pipeline_state kernels[2];
};

kernel void encode(
    device Commands& commands [[buffer(0)]], device float4* vertices [[buffer(1)]], constant float4x4& camera [[buffer(2)]],
    device const uint* indices [[buffer(3)]], constant MTLQuadTessellationFactorsHalf* factors [[buffer(4)]],
    device MTLIndirectCommandBufferExecutionRange& range [[buffer(5)]], uint i [[thread_position_in_grid]]) {
    if (i >= commands.draws.size())
        return;
    render_command draw(commands.draws, i);
    draw.reset();
    draw.set_render_pipeline_state(commands.pipeline);
    draw.set_vertex_buffer(vertices, 0);
    draw.set_vertex_buffer(vertices, 16, 1);
    draw.set_fragment_buffer(&camera, 0);
    draw.draw_primitives(primitive_type::triangle, 0, 3, 1, 0);
    draw.draw_indexed_primitives(primitive_type::triangle_strip, 36, indices, 1);
    draw.draw_patches(16, 0, 1, indices, 1, 0, factors);
    draw.draw_mesh_threadgroups(uint3(1), uint3(32, 1, 1), uint3(64, 1, 1));
    render_command other(commands.draws, i + 1);
    other.copy_command(draw);

    compute_command dispatch(commands.dispatches, i);
    dispatch.set_compute_pipeline_state(commands.kernels[i & 1]);
    dispatch.set_kernel_buffer(vertices, 0);
    dispatch.set_kernel_buffer(&camera, 1);
    dispatch.set_threadgroup_memory_length(256, 0);
    dispatch.set_barrier();
    dispatch.concurrent_dispatch_threadgroups(uint3(8, 1, 1), uint3(64, 1, 1));
    dispatch.concurrent_dispatch_threads(uint3(512, 1, 1), uint3(64, 1, 1));
    range.location = 0;
    range.length = i;
}
