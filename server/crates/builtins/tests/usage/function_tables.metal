// std: metal3.0
#include <metal_stdlib>
using namespace metal;

[[visible]] float twice(float x) {
    return 2 * x;
}

struct Tables {
    visible_function_table<float(float)> curves;
    device float* results;
};

kernel void call(
    visible_function_table<float(float)> table [[buffer(0)]], visible_function_table<void(device int*, uint)> actions [[buffer(1)]],
    device Tables& tables [[buffer(2)]], device int* values [[buffer(3)]], uint gid [[thread_position_in_grid]]) {
    if (is_null_visible_function_table(table) || table.empty())
        return;
    auto function = table[gid % table.size()];
    float x = function(1.0f) + table[0](2.0f);
    actions[1](values, gid);
    tables.results[gid] = x + tables.curves[gid](0.5f);
}
