// Pointers in device memory, one and two levels down.
#include <metal_stdlib>
using namespace metal;
struct Node {
    float weight;
    Node* next;
};
struct Graph {
    Node* head;
    device Node* known;
};
kernel void k(device Graph& g [[buffer(0)]], device float* d [[buffer(1)]], constant int& n [[buffer(2)]]) {
    float sum = g.head->weight;
    Node* at = g.head->next;
    for (int j = 0; j < n; ++j) {
        sum += at->weight;
        at = at->next;
    }
    device Node* known = g.known;
    sum += known->weight + known->next->weight;
    d[0] = sum;
}
