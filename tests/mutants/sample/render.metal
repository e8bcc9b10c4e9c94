#include <metal_stdlib>
using namespace metal;

struct Vertex {
    float3 position [[attribute(0)]];
    float2 texcoord [[attribute(1)]];
};

struct Varyings {
    float4 position [[position]];
    float2 texcoord;
    half4 tint;
};

struct Camera {
    float4x4 projection;
    float4 eye;
};

float3 lit(float3 normal, float3 light) {
    float amount = dot(normal, light);
    float3 shade = float3(amount, amount, amount);
    return mix(normal, shade, 0.5f);
}

vertex Varyings transform(
    Vertex in [[stage_in]],
    constant Camera &camera [[buffer(1)]],
    constant half4 *tints [[buffer(2)]],
    uint vid [[vertex_id]]) {
    Varyings out;
    float4 world = float4(in.position, 1.0f);
    out.position = camera.projection * world;
    out.texcoord = in.texcoord;
    out.tint = tints[vid];
    return out;
}

fragment float4 shade(
    Varyings in [[stage_in]],
    texture2d<float> albedo [[texture(0)]],
    texture2d<float> bumps [[texture(1)]],
    sampler linear [[sampler(0)]],
    constant Camera &camera [[buffer(0)]]) {
    float4 base = albedo.sample(linear, in.texcoord);
    float4 bump = bumps.sample(linear, in.texcoord);
    float3 color = lit(bump.xyz, camera.eye.xyz);
    return float4(color * base.xyz, base.w) * float4(in.tint);
}
