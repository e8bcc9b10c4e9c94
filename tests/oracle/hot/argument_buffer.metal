// A pointer that lies in an argument buffer.
#include <metal_stdlib>
using namespace metal;
struct Light { float intensity; };
struct LightData { Light* lights; uint count; };
kernel void k(device LightData& data [[buffer(0)]], device float* out [[buffer(1)]]) {
    float sum = 0.0f;
    for (uint i = 0; i < data.count; ++i)
        sum += data.lights[i].intensity;  // hot
    out[0] = sum;
}
