// A pointer in a base class.
#include <metal_stdlib>
using namespace metal;
struct Store {
    float* data;
};
struct Stack : Store {
    int top;
    void push(float v) { data[top++] = v; }
};
kernel void k(device float* d [[buffer(0)]], device float* e [[buffer(1)]], threadgroup float* t [[threadgroup(0)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    Stack a;
    a.data = d;
    a.top = n;
    a.push(1.0f);
    Stack b;
    b.data = t;
    b.top = 0;
    b.push(2.0f);
    b.data[i] = 3.0f;
}
