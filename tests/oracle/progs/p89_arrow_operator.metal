// A class that acts as a pointer.
#include <metal_stdlib>
using namespace metal;
struct Item { float v; void bump() { v += 1.0f; } };
struct Handle {
    Item* item;
    Item* operator->() const { return item; }
    Item& operator*() const { return *item; }
};
kernel void k(device Item* d [[buffer(0)]], threadgroup Item* t [[threadgroup(0)]], uint i [[thread_position_in_grid]]) {
    Handle a = {d + i};
    Handle b = {t + i};
    a->v = 1.0f;
    b->bump();
    (*a).bump();
    (*b).v = 2.0f;
}
