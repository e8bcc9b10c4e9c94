// Functions in namespaces and with default arguments.
#include <metal_stdlib>
using namespace metal;
namespace math {
namespace detail {
float at(const float* p, int j = 0) { return p[j]; }
}
float sum(const float* p, int count = 2) {
    float total = 0.0f;
    for (int j = 0; j < count; ++j)
        total += detail::at(p, j);
    return total + detail::at(p);
}
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    e[0] = math::sum(d) + math::sum(t, n);
}
