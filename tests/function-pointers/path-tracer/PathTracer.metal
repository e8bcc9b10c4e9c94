// Library 1: the kernel that follows the paths, and the lights.
#include "PathTracer.h"

using namespace metal;

[[visible]] float3 areaLight(constant Light &light, float3 position) {
    return light.colour * saturate(1.0f - distance(light.position, position) / light.radius);
}

[[visible]] float3 spotLight(constant Light &light, float3 position) {
    float3 towards = normalize(light.position - position);
    return light.colour * saturate(towards.y);
}

static Hit follow(uint2 pixel, constant Scene &scene) {
    Hit hit;
    hit.position = float3(float2(pixel), 0.0f);
    hit.normal = float3(0.0f, 1.0f, 0.0f);
    hit.material = (pixel.x + pixel.y) % 3;
    return hit;
}

kernel void tracePaths(texture2d<float, access::write> image [[texture(0)]],
                       constant Scene &scene [[buffer(0)]],
                       visible_function_table<LightFunction> lights [[buffer(1)]],
                       visible_function_table<MaterialFunction> materials [[buffer(2)]],
                       visible_function_table<float(float)> curves [[buffer(3)]],
                       uint2 pixel [[thread_position_in_grid]]) {
    Hit hit = follow(pixel, scene);
    float3 colour = float3(0.0f);
    for (uint bounce = 0; bounce < scene.bounces; bounce++) {
        [[function_groups("lighting")]] float3 light = lights[scene.lightKind](scene.light, hit.position);
        [[function_groups("materials")]] colour += materials[scene.materialKind](hit, light, curves);
    }
    image.write(float4(colour, 1.0f), pixel);
}
