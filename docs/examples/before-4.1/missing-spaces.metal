// Metal 4.0: every pointer says where it points. C++ code that is moved over does not.
#include <metal_stdlib>
using namespace metal;

// Both out-parameters lack an address space.
static void rotation(float angle, float *cosine, float *sine) {
    *cosine = cos(angle);
    *sine = sin(angle);
}

struct Particle {
    float2 position;
    float2 velocity;
    // Before 4.1 `this` points to thread memory here.
    void step(float dt) { position += velocity * dt; }
};

kernel void simulate(device Particle *particles [[buffer(0)]], constant float &dt [[buffer(1)]],
                     uint i [[thread_position_in_grid]]) {
    float c, s;
    rotation(dt, &c, &s);

    // An object in device memory has no `step`: copy it, or add an overload for `device`.
    particles[i].step(dt);

    Particle copy = particles[i];
    copy.step(dt);
    particles[i] = copy;
}
