// std: metal3.2
#include <metal_stdlib>
#include <metal_logging>
using namespace metal;

constant os_log renderer("com.example.app", "renderer");

kernel void report(device float4* values [[buffer(0)]], uint gid [[thread_position_in_grid]]) {
    os_log_default.log("thread %u", gid);
    renderer.log_error("value %v4hlf of %d", values[gid], 3);
    renderer.log_with_type(log_type_debug, "x %f", values[gid].x);
}
