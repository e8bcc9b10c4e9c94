// What the two libraries of the path tracer share.
#pragma once

#include <metal_stdlib>

struct Light {
    float3 position;
    float3 colour;
    float radius;
};

struct Hit {
    float3 position;
    float3 normal;
    uint material;
};

struct Scene {
    Light light;
    uint lightKind;
    uint materialKind;
    uint bounces;
};

using LightFunction = float3(constant Light &light, float3 position);
using MaterialFunction = float3(Hit hit, float3 light, metal::visible_function_table<float(float)> curves);
