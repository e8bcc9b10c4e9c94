// A pointer that a function of a table gives back.
#include <metal_stdlib>
using namespace metal;
kernel void k(visible_function_table<float*(uint)> rows [[buffer(0)]], device float* out [[buffer(1)]],
              constant uint& count [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float* row = rows[i](i);
    float sum = 0.0f;
    for (uint j = 0; j < count; ++j)
        sum += row[j];  // hot
    out[i] = sum;
}
