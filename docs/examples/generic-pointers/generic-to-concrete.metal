// Metal 4.1: a pointer without a space is generic. Any of the three spaces becomes generic by itself, never the
// reverse.
#include <metal_stdlib>
using namespace metal;

static void accumulate(float *total, const float *value) { *total += *value; }

static void clear(thread float *value) { *value = 0; }

static void clear_any(float *value) {
    // Only the author can know that `value` points to thread memory.
    clear(value);
}

kernel void total(device float *values [[buffer(0)]], constant float &bias [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
    float sum;
    clear_any(&sum);
    // Thread and device memory: one function serves both.
    accumulate(&sum, values + i);
    // Generic pointers do not cover constant memory.
    accumulate(&sum, &bias);
    values[i] = sum;
}
