// Operators as members and as functions.
#include <metal_stdlib>
using namespace metal;
struct Vec {
    float x, y;
    Vec& operator+=(const Vec& o) {
        x += o.x;
        y += o.y;
        return *this;
    }
    float& operator[](int j) { return j == 0 ? x : y; }
};
float operator*(const Vec& a, const Vec& b) {
    return a.x * b.x + a.y * b.y;
}
kernel void k(device Vec* d [[buffer(0)]], threadgroup Vec* t [[threadgroup(0)]], device float* out [[buffer(1)]],
              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    d[i] += t[i];
    t[i] += d[i + 1];
    (d[i] += d[i + 2]).x = 1.0f;
    out[0] = d[i] * t[i];
    out[1] = d[i] * d[i + 1];
    t[i][n] = 2.0f;
    d[i][1] += 3.0f;
}
