// std: macos-metal2.4
#include <metal_stdlib>
using namespace metal;

struct ControlPoint {
    float3 position [[attribute(0)]];
    float2 uv [[attribute(1)]];
};

struct Patch {
    patch_control_point<ControlPoint> points;
    float4 color [[attribute(2)]];
};

struct Out {
    float4 position [[position]];
    float4 color;
};

kernel void factors(
    device MTLQuadTessellationFactorsHalf* quads [[buffer(0)]],
    device MTLTriangleTessellationFactorsHalf* triangles [[buffer(1)]],
    device MTLDrawPatchIndirectArguments& draw [[buffer(2)]],
    device MTLDrawIndexedPrimitivesIndirectArguments& indexed [[buffer(3)]],
    device MTLDispatchThreadgroupsIndirectArguments& dispatch [[buffer(4)]], uint i [[thread_position_in_grid]]) {
    quads[i].edgeTessellationFactor[3] = 4.0h;
    quads[i].insideTessellationFactor[1] = quads[i].edgeTessellationFactor[0];
    triangles[i].insideTessellationFactor = 2.0h;
    draw.patchCount = 1;
    indexed.baseVertex = draw.patchStart;
    dispatch.threadgroupsPerGrid[0] = 64;
}

[[patch(triangle, 3)]] vertex Out surface(Patch patch [[stage_in]], float3 place [[position_in_patch]]) {
    float3 p = 0;
    for (size_t i = 0; i < patch.points.size(); i++)
        p += patch.points[i].position * place[i];
    return {float4(p, 1), patch.color};
}
