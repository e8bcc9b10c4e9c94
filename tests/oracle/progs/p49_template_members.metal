// Members of class templates.
#include <metal_stdlib>
using namespace metal;
template <typename T> struct Buffer {
    T* data;
    int size;
    T& operator[](int at) { return data[at]; }
    void clear() {
        for (int j = 0; j < size; ++j)
            data[j] = T(0);
    }
};
kernel void k(device float* d [[buffer(0)]], device int* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    Buffer<float> a = {d, n};
    Buffer<float> b = {t, n};
    Buffer<int> c = {e, n};
    a[n] = 1.0f;
    b[n] = 2.0f;
    c[n] = 3;
    a.clear();
    c.clear();
}
