// std: metal3.0
#include <metal_stdlib>
using namespace metal;

struct Material {
    texture2d<float> albedo;
    sampler s;
    array<texture2d<half>, 3> details;
    device float4* constants;
    int kind;
};

constexpr sampler nearest(filter::nearest);

float4 look_up(constant Material& m, float2 uv) {
    float4 c = m.albedo.sample(m.s, uv);
    for (size_t i = 0; i < m.details.size(); i++)
        c += float4(m.details[i].sample(nearest, uv));
    return c * m.constants[m.kind];
}

float4 sum(array_ref<texture2d<float>> images, uint2 at) {
    float4 c = 0;
    for (uint i = 0; i < images.size(); i++)
        c += images[i].read(at);
    return c;
}

kernel void gather_all(
    const array<texture2d<float>, 8> images [[texture(0)]], array<texture2d<float, access::write>, 2> out [[texture(8)]],
    array<sampler, 2> samplers [[sampler(0)]], constant Material* materials [[buffer(0)]],
    device array<float, 4>* tables [[buffer(1)]], uint2 gid [[thread_position_in_grid]]) {
    uniform<uint> layer = make_uniform(gid.x & 7);
    float4 c = images[layer].sample(samplers[1], float2(gid));
    c += look_up(materials[gid.y], float2(gid)) + sum(images, gid);
    array<float, 4> local = {1, 2, 3, 4};
    local[2] = tables[gid.x][1];
    tables[gid.y] = local;
    tables[gid.y][0] += local.front() + local.back();
    if (!is_null_texture(images[0]) && local.size() == 4)
        out[1].write(c, gid);
}

kernel void uniforms(device int* out [[buffer(0)]], constant int& limit [[buffer(1)]], uint gid [[thread_position_in_grid]]) {
    uniform<int> n = make_uniform(limit);
    uniform<int> twice = n + n;
    uniform<bool> many = twice > n;
    int each = n * int(gid);
    if (many)
        out[gid] = each + twice;
}
