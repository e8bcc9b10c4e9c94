// std: metal4.1
#include <metal_stdlib>
using namespace metal;

struct Bag {
    array<float, 4> values;
    float sum() const {
        float s = 0;
        for (size_t i = 0; i < values.size(); i++)
            s += values[i];
        return s;
    }
    void fill(float x) {
        for (uint i = 0; i < 4; i++)
            values[i] = x;
    }
};

float read_any(const float* p) {
    if (is_device_addrspace(p))
        return *static_cast<const device float*>(p);
    return is_thread_addrspace(p) || is_threadgroup_addrspace(p) ? *p : 0.0f;
}

kernel void use(device Bag* bags [[buffer(0)]], threadgroup float* shared [[threadgroup(0)]], uint i [[thread_index_in_threadgroup]]) {
    Bag local;
    local.fill(1.0f);
    bags[i].fill(local.sum());
    shared[i] = bags[i].sum() + read_any(shared) + read_any(&bags[i].values[1]);
}
