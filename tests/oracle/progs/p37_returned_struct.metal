// A struct that is returned brings its pointers along.
#include <metal_stdlib>
using namespace metal;
struct View {
    float* data;
    int stride;
};
View view(float* p, int stride) {
    View v;
    v.data = p;
    v.stride = stride;
    return v;
}
View shifted(View v, int by) {
    return {v.data + by * v.stride, v.stride};
}
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    View a = view(d, 4);
    View b = shifted(view(t, 2), n);
    a.data[i] = 1.0f;
    b.data[i] = 2.0f;
    view(e, 1).data[i] = 3.0f;
    shifted(a, 2).data[i + 1] = 4.0f;
}
