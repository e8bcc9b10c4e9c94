// A function that code elsewhere calls.
#include <metal_stdlib>
using namespace metal;
[[visible]] float total(const float* values, uint count) {
    float sum = 0.0f;
    for (uint i = 0; i < count; ++i)
        sum += values[i];  // hot
    return sum;
}
