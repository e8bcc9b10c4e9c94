// std: metal3.0
#include <metal_stdlib>
using namespace metal;

struct Attachments {
    half4 albedo [[color(0)]];
    float depth [[color(1)]];
};

struct Pixel {
    rgba8unorm<half4> color;
    r16snorm<float> height;
    rg11b10f<half3> light;
    uint count;
};

kernel void resolve(
    imageblock<Attachments, imageblock_layout_implicit> block, texture2d<half, access::write> out [[texture(0)]],
    ushort2 lid [[thread_position_in_threadgroup]], ushort2 gid [[thread_position_in_grid]]) {
    Attachments a = block.read(lid);
    ushort colors = block.get_num_colors(lid);
    for (ushort i = 0; i < colors; i++) {
        ushort mask = block.get_color_coverage_mask(lid, i);
        a.albedo += block.read(lid, i, imageblock_data_rate::color).albedo * half(popcount(mask));
    }
    block.write(a, lid);
    out.write(block.slice<half4>(0), gid);
}

kernel void accumulate(
    imageblock<Pixel, imageblock_layout_explicit> block, texture2d<half, access::write> out [[texture(0)]],
    ushort2 lid [[thread_position_in_threadgroup]]) {
    threadgroup_imageblock Pixel* pixel = block.data(lid);
    half4 color = pixel->color;
    pixel->color = color * 0.5h;
    pixel->height = float(pixel->count);
    pixel->light = half3(1, 2, 3);
    threadgroup_barrier(mem_flags::mem_threadgroup_imageblock);
    if (lid.x == 0 && block.get_width() > lid.y)
        out.write(block.slice(pixel->color), lid);
}

kernel void convert(
    device const rgba8unorm<float4>* in [[buffer(0)]], device rgb10a2<half4>* out [[buffer(1)]],
    device srgba8unorm<half4>& last [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float4 c = in[i];
    out[i] = half4(c);
    rgb9e5<float3> shared = c.rgb;
    float3 back = shared;
    last = half4(half3(back), 1);
}
