// A helper that gets the loaded pointer, or the struct that holds it.
#include <metal_stdlib>
using namespace metal;
struct Args {
    float* p;
    int count;
};
float first(const float* p) { return *p; }
float sum(const Args& a) {
    float total = 0.0f;
    for (int j = 0; j < a.count; ++j)
        total += a.p[j];
    return total;
}
kernel void k(device Args& a [[buffer(0)]], device float* d [[buffer(1)]], constant int& n [[buffer(2)]]) {
    d[0] = first(a.p);
    d[1] = sum(a);
    Args mine;
    mine.p = d;
    mine.count = n;
    d[2] = sum(mine);
}
