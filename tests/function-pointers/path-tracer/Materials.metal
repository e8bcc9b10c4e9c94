// Library 2: the materials, which are compiled on their own.
#include "PathTracer.h"

using namespace metal;

[[visible]] float smoothCurve(float x) {
    return x * x * (3.0f - 2.0f * x);
}

[[visible]] float3 matte(Hit hit, float3 light, visible_function_table<float(float)> curves) {
    return light * saturate(hit.normal.y);
}

[[visible]] float3 lacquer(Hit hit, float3 light, visible_function_table<float(float)> curves) {
    [[function_groups("curves")]] float sheen = curves[0](hit.normal.y);
    return light * sheen;
}
