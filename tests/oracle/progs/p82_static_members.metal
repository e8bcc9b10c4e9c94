// Static members have no object.
#include <metal_stdlib>
using namespace metal;
struct Tools {
    static float first(const float* p) { return *p; }
    static void put(float& r, float v) { r = v; }
};
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    e[0] = Tools::first(d) + Tools::first(t);
    Tools::put(d[i], 1.0f);
    Tools::put(e[i], 2.0f);
}
