// std: metal3.1
#include <metal_stdlib>
#include <metal_curves>
using namespace metal;

kernel void evaluate(device float3* out [[buffer(0)]], constant float3* p [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    float t = float(i) / 64;
    out[i] = bezier(t, p[0], p[1], p[2]) + bezier_derivative(t, p[0], p[1], p[2], p[3]);
    out[i] += bspline(t, p[0], p[1], p[2], p[3]) + catmull_rom(t, p[0], p[1], p[2], p[3]);
    out[i] += hermite_second_derivative(t, p[0], p[1], p[2], p[3]);
    out[i].x += float(bspline_derivative(half(t), 0.0h, 1.0h, 2.0h));
}
