// std: metal3.1
#include <metal_stdlib>
using namespace metal;

kernel void count(
    texture2d<uint, access::read_write> histogram [[texture(0)]], texture2d<float> image [[texture(1)]],
    texture2d_array<int, access::read_write> signed_values [[texture(2)]],
    texture_buffer<uint, access::read_write> counters [[texture(3)]],
    texture2d<ulong, access::read_write> keys [[texture(4)]], uint2 gid [[thread_position_in_grid]]) {
    uint bin = uint(image.read(gid).r * 255.0f);
    histogram.atomic_fetch_add(uint2(bin, 0), uint4(1));
    uint4 before = histogram.atomic_load(uint2(bin, 0));
    histogram.atomic_store(before, uint2(bin, 1));
    uint4 expected = before;
    while (!histogram.atomic_compare_exchange_weak(uint2(bin, 2), &expected, expected + 1)) {
    }
    signed_values.atomic_fetch_max(gid, 1, int4(int(bin)));
    signed_values.atomic_fetch_xor(ushort2(gid), ushort(1), int4(-1));
    before = counters.atomic_exchange(bin, before);
    keys.atomic_min(gid, ulong4(ulong(bin) << 32 | ulong(gid.x)));
}
