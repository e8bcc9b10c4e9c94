// std: macos-metal2.4
#include <metal_stdlib>
using namespace metal;

struct Varyings {
    float4 position [[position]];
    interpolant<float2, interpolation::perspective> uv;
    interpolant<half4, interpolation::no_perspective> color [[user(tint)]];
    float3 normal;
};

fragment float4 pull(
    Varyings in [[stage_in]], texture2d<float> image [[texture(0)]], uint sample [[sample_id]],
    constant rasterization_rate_map_data& rates [[buffer(0)]]) {
    constexpr sampler s(filter::linear);
    float2 uv = in.uv.interpolate_at_sample(sample) + in.uv.interpolate_at_centroid();
    half4 tint = in.color.interpolate_at_center() + in.color.interpolate_at_offset(float2(0.5f));
    float3 slope = fwidth(in.normal) + dfdx(in.normal) + dfdy(in.normal);
    if (get_num_samples() > 4 || get_sample_position(sample).x > 0.5f)
        discard_fragment();
    rasterization_rate_map_decoder decoder(rates);
    float2 screen = decoder.map_physical_to_screen_coordinates(in.position.xy);
    uint2 physical = decoder.map_screen_to_physical_coordinates(uint2(screen), 1);
    return image.sample(s, uv) * float4(tint) + float4(slope, float(physical.x));
}
