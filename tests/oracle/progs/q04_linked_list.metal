// A list in memory.
#include <metal_stdlib>
using namespace metal;
struct Node { float v; Node* next; };
float sum(const Node* n, int limit) {
    float total = 0.0f;
    for (int j = 0; j < limit && n; ++j) {
        total += n->v;
        n = n->next;
    }
    return total;
}
kernel void k(device Node* d [[buffer(0)]], device float* out [[buffer(1)]], constant int& n [[buffer(2)]]) {
    out[0] = sum(d, n);
    out[1] = d->next->v;
}
