// std: metal4.0
#include <metal_stdlib>
#include <metal_raytracing>
using namespace metal;
using namespace metal::raytracing;

struct Payload {
    float value;
};

kernel void trace(
    device float* out [[buffer(0)]], instance_acceleration_structure scene [[buffer(1)]],
    constant intersection_function_buffer_arguments& functions [[buffer(2)]], uint gid [[thread_position_in_grid]]) {
    ray r(float3(0), float3(0, 0, 1));
    float distance = 0;
    intersector<instancing, triangle_data> i;
    i.intersect(r, scene, [&](intersection_result_ref<instancing, triangle_data> hit) {
        distance = hit.get_distance() + hit.get_triangle_barycentric_coord().x + float(hit.get_instance_id());
    });

    intersector<instancing, intersection_function_buffer, user_data> j;
    j.set_base_id(3);
    j.set_geometry_multiplier(2);
    Payload payload = {0};
    intersection_function_buffer_arguments arguments = functions;
    auto result = j.intersect(r, scene, 0xFFu, arguments, (const device void*)out, payload);
    out[gid] = distance + result.distance + payload.value;
}
