// A pointer that lies in an argument buffer can lead anywhere: each access in the loop branches on its address space.
#include <metal_stdlib>
using namespace metal;

struct Light {
    float3 direction;
    float intensity;
};

struct LightData {
    Light *lights;
    uint count;
};

kernel void shade(device LightData &data [[buffer(0)]], device float *out [[buffer(1)]],
                  uint id [[thread_position_in_grid]]) {
    float sum = 0;
    for (uint i = 0; i < data.count; ++i) {
        sum += data.lights[i].intensity;
    }
    out[id] = sum;
}
