// std: metal3.1
#include <metal_stdlib>
#include <metal_raytracing>
using namespace metal;
using namespace metal::raytracing;

struct Payload {
    float3 throughput;
    uint bounces;
};

struct Hit {
    bool accept [[accept_intersection]];
    float distance [[distance]];
};

[[intersection(bounding_box, triangle_data, instancing)]] Hit sphere(
    float3 origin [[origin]], float3 direction [[direction]], float nearest [[min_distance]],
    float farthest [[max_distance]], ray_data Payload& payload [[payload]]) {
    float b = dot(origin, direction);
    payload.bounces += 1;
    return {b > nearest && b < farthest, b};
}

kernel void trace(
    texture2d<float, access::write> out [[texture(0)]], instance_acceleration_structure scene [[buffer(0)]],
    intersection_function_table<triangle_data, instancing> functions [[buffer(1)]],
    primitive_acceleration_structure geometry [[buffer(2)]],
    acceleration_structure<instancing, primitive_motion> moving [[buffer(3)]], uint2 gid [[thread_position_in_grid]]) {
    ray r;
    r.origin = float3(0, 0, -1);
    r.direction = normalize(float3(float2(gid), 1));
    r.min_distance = 0.001f;
    r.max_distance = INFINITY;

    intersector<triangle_data, instancing> i;
    i.assume_geometry_type(geometry_type::triangle | geometry_type::bounding_box);
    i.set_triangle_cull_mode(triangle_cull_mode::back);
    i.set_triangle_front_facing_winding(winding::counterclockwise);
    i.force_opacity(forced_opacity::non_opaque);
    i.accept_any_intersection(false);

    Payload payload = {float3(1), 0};
    auto result = i.intersect(r, scene, 0xFFu, functions, payload);
    intersector<triangle_data, instancing>::result_type again = i.intersect(r, scene);
    again = i.intersect(r, scene, functions);
    float3 color = 0;
    if (result.type == intersection_type::triangle) {
        float2 at = result.triangle_barycentric_coord;
        device const float3* data = (device const float3*)result.primitive_data;
        color = float3(at, result.distance) + data[result.primitive_id + result.geometry_id + result.instance_id];
        color *= result.triangle_front_facing ? 1.0f : 0.5f;
    }

    intersector<> simple;
    if (simple.intersect(ray(r.origin, r.direction), geometry).type == intersection_type::none)
        color += 0.1f;

    intersector<instancing, world_space_data, primitive_motion> motion;
    auto blurred = motion.intersect(r, moving, 0xFFu, 0.5f);
    float4x3 to_world = blurred.object_to_world_transform;
    color += to_world * float4(blurred.distance, 0, 0, 1);

    intersector<triangle_data, instancing, max_levels<3>> deep;
    auto nested = deep.intersect(r, scene, 1u);
    if (nested.instance_count > 1)
        color += float(nested.instance_id[1] + nested.user_instance_id[0]);
    if (!is_null_instance_acceleration_structure(scene) && !is_null_intersection_function_table(functions))
        color *= float(functions.size()) * payload.throughput;
    out.write(float4(color, 1), gid);
}

kernel void query(
    device float* out [[buffer(0)]], instance_acceleration_structure scene [[buffer(1)]],
    uint gid [[thread_position_in_grid]]) {
    ray r(float3(0), float3(0, 0, 1), 0.0f, 100.0f);
    intersection_params params;
    params.accept_any_intersection(true);
    params.assume_geometry_type(geometry_type::all);
    intersection_query<instancing, triangle_data> q;
    q.reset(r, scene, 0xFF, params);
    while (q.next()) {
        switch (q.get_candidate_intersection_type()) {
        case intersection_type::triangle:
            if (q.get_candidate_triangle_barycentric_coord().x > 0.5f && q.is_candidate_triangle_front_facing())
                q.commit_triangle_intersection();
            break;
        case intersection_type::bounding_box:
            q.commit_bounding_box_intersection(length(q.get_candidate_ray_origin()));
            break;
        default:
            q.abort();
        }
    }
    if (q.get_committed_intersection_type() != intersection_type::none)
        out[gid] = q.get_committed_distance() + float(q.get_committed_instance_id() + q.get_committed_primitive_id())
            + q.get_committed_object_to_world_transform()[3].x;
}

kernel void instances(
    device MTLAccelerationStructureUserIDInstanceDescriptor* descriptors [[buffer(0)]],
    device MTLIndirectAccelerationStructureInstanceDescriptor* indirect [[buffer(1)]],
    acceleration_structure<> geometry [[buffer(2)]], instance_acceleration_structure scene [[buffer(3)]],
    uint i [[thread_position_in_grid]]) {
    descriptors[i].mask = 0xFF;
    descriptors[i].options = MTLAccelerationStructureInstanceOptionOpaque;
    descriptors[i].transformationMatrix[3] = packed_float3(0, 1, 0);
    descriptors[i].userID = scene.get_instance_count();
    indirect[i].accelerationStructureID = geometry;
}
