// std: metal3.0
#include <metal_stdlib>
using namespace metal;

constexpr sampler linear_repeat(coord::normalized, address::repeat, filter::linear, mip_filter::linear);
constexpr sampler pixel_nearest(coord::pixel, address::clamp_to_edge, filter::nearest);
constexpr sampler bordered(s_address::clamp_to_border, t_address::repeat, border_color::opaque_white);
constexpr sampler anisotropic(filter::linear, mip_filter::linear, max_anisotropy(8), lod_clamp(0.0f, 4.0f));
constexpr sampler largest(mag_filter::linear, min_filter::nearest, reduction::maximum);

// Sampling, with every way to choose the level.
float4 sample_2d(texture2d<float> t, sampler s, float2 uv) {
    float4 c = t.sample(s, uv);
    c += t.sample(s, uv, int2(1, -1));
    c += t.sample(linear_repeat, uv, level(2));
    c += t.sample(linear_repeat, uv, level(2.5f), int2(3, 3));
    c += t.sample(s, uv, bias(-0.5));
    c += t.sample(s, uv, gradient2d(dfdx(uv), dfdy(uv)));
    c += t.sample(s, uv, min_lod_clamp(1.0f));
    c += t.sample(s, uv, bias(1), min_lod_clamp(1));
    c += t.gather(s, uv);
    c += t.gather(s, uv, int2(0), component::y);
    float lod = t.calculate_clamped_lod(s, uv) + t.calculate_unclamped_lod(s, uv);
    return c * lod;
}

half4 sample_others(
    texture1d<half> row, texture1d_array<half> rows, texture2d_array<half> layers, texture3d<half> volume,
    texturecube<half> sky, texturecube_array<half> skies, float3 p, uint layer) {
    half4 c = row.sample(pixel_nearest, p.x);
    c += rows.sample(linear_repeat, p.x, layer);
    c += layers.sample(linear_repeat, p.xy, layer);
    c += layers.sample(linear_repeat, p.xy, 0, level(0), int2(1));
    c += layers.gather(linear_repeat, p.xy, layer, int2(0, 1), component::w);
    c += volume.sample(linear_repeat, p, level(1), int3(1));
    c += volume.sample(linear_repeat, p, gradient3d(dfdx(p), dfdy(p)));
    c += sky.sample(linear_repeat, p);
    c += sky.sample(linear_repeat, p, gradientcube(dfdx(p), dfdy(p)));
    c += sky.gather(linear_repeat, p, component::z);
    c += skies.sample(linear_repeat, p, layer, level(3));
    return c;
}

constexpr sampler shadow(coord::normalized, filter::linear, compare_func::less_equal);

float sample_depth(
    depth2d<float> map, depth2d_array<float> cascades, depthcube<float> lamp, depthcube_array<float> lamps, float3 p) {
    float lit = map.sample(bordered, p.xy);
    lit += map.sample_compare(shadow, p.xy, p.z);
    lit += map.sample_compare(shadow, p.xy, p.z, level(0), int2(-1, 1));
    lit += dot(map.gather_compare(shadow, p.xy, p.z), float4(0.25f));
    lit += cascades.sample_compare(shadow, p.xy, 2, p.z);
    lit += lamp.sample_compare(shadow, p, 0.5f);
    lit += lamps.sample_compare(shadow, p, 1, 0.5f);
    lit += map.read(uint2(p.xy)) + cascades.read(ushort2(p.xy), ushort(1));
    return lit;
}

fragment float4 shade(
    float4 position [[position]], texture2d<float> color [[texture(0)]], depth2d<float> map [[texture(1)]],
    texture2d_ms<float> samples [[texture(2)]], depth2d_ms<float> depths [[texture(3)]], sampler s [[sampler(0)]]) {
    float4 c = sample_2d(color, s, position.xy);
    for (uint i = 0; i < samples.get_num_samples(); i++)
        c += samples.read(uint2(position.xy), i);
    c.a *= map.sample(anisotropic, position.xy) + depths.read(uint2(position.xy), 0);
    c.rgb *= color.sample(largest, position.xy).rgb;
    return c;
}

// Reading and writing.
kernel void blur(
    texture2d<half, access::read> in [[texture(0)]], texture2d<half, access::write> out [[texture(1)]],
    ushort2 gid [[thread_position_in_grid]]) {
    if (gid.x >= out.get_width() || gid.y >= out.get_height())
        return;
    half4 sum = in.read(gid) * half(0.5) + in.read(uint2(gid) + uint2(1, 0)) * half(0.5);
    out.write(sum, gid);
    out.write(half4(in.read(uint2(gid)).r), uint2(gid));
}

kernel void copy_everything(
    texture3d<float, access::read> volume_in [[texture(0)]], texture3d<float, access::write> volume_out [[texture(1)]],
    texturecube<uint, access::read> cube_in [[texture(2)]], texturecube<uint, access::write> cube_out [[texture(3)]],
    texture2d_array<int, access::read_write> layers [[texture(4)]], texture1d<short, access::write> row [[texture(5)]],
    texture_buffer<float, access::read_write> buffer [[texture(6)]], uint3 gid [[thread_position_in_grid]]) {
    volume_out.write(volume_in.read(gid, 1), gid);
    cube_out.write(cube_in.read(gid.xy, gid.z), gid.xy, gid.z);
    int4 old = layers.read(gid.xy, gid.z);
    layers.write(old + 1, gid.xy, gid.z);
    layers.fence();
    row.write(short4(layers.read(gid.xy, gid.z)), gid.x);
    if (gid.x < buffer.get_width())
        buffer.write(buffer.read(gid.x) + float4(volume_in.get_depth()), gid.x);
    if (is_null_texture(row) || layers.get_array_size() < gid.z || volume_in.get_num_mip_levels() == 1)
        buffer.fence();
}

// Sparse textures say whether their pixels are in memory.
fragment float4 sparse(float4 position [[position]], texture2d<float> t [[texture(0)]], depth2d<float> d [[texture(1)]]) {
    sparse_color<float4> c = t.sparse_sample(linear_repeat, position.xy, min_lod_clamp(1.0f));
    if (!c.resident())
        c = t.sparse_read(uint2(position.xy), 4);
    float depth = d.sparse_sample_compare(shadow, position.xy, 0.5f).value();
    return c.value() * depth + t.sparse_gather(linear_repeat, position.xy).value();
}
