// Members of a struct that lies in a buffer and holds a pointer.
#include <metal_stdlib>
using namespace metal;
struct Vec {
    float* data;
    int size;
    float get(int j) const { return data[j]; }
    void set(int j, float v) { data[j] = v; }
};
kernel void k(device Vec& a [[buffer(0)]], device float* d [[buffer(1)]], constant int& n [[buffer(2)]]) {
    d[0] = a.get(n);
    a.set(n, 1.0f);
    Vec mine;
    mine.data = d;
    mine.size = n;
    d[1] = mine.get(2);
}
