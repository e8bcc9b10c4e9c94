// Metal 4.1: `this` of a member function without annotation is generic. It is the only pointer that changes its
// meaning in code that compiled under 4.0.
#include <metal_stdlib>
using namespace metal;

static float longest(thread const float2 *points, int count) {
    float best = 0;
    for (int i = 0; i < count; ++i)
        best = max(best, length(points[i]));
    return best;
}

struct Shape {
    float2 corners[4];

    // `corners` decays to a generic pointer, which does not become `thread const float2 *`.
    float radius() const { return longest(corners, 4); }

    // With the annotation it means what it meant before 4.1.
    float annotated_radius() const thread { return longest(corners, 4); }

    // Works for shapes in every space, which 4.0 could not say.
    void scale(float factor) {
        for (int i = 0; i < 4; ++i)
            corners[i] *= factor;
    }
};

kernel void grow(device Shape *shapes [[buffer(0)]], device float *radii [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
    shapes[i].scale(2);
    Shape copy = shapes[i];
    radii[i] = copy.annotated_radius();
}
