// Member functions that call functions on their members.
#include <metal_stdlib>
using namespace metal;
struct Mat {
    float m[4];
    float get(int r, int c) const { return m[r * 2 + c]; }
    void set(int r, int c, float v) { m[r * 2 + c] = v; }
    void multiply(const Mat& a, const Mat& b) {
        for (int r = 0; r < 2; ++r)
            for (int c = 0; c < 2; ++c)
                set(r, c, a.get(r, 0) * b.get(0, c) + a.get(r, 1) * b.get(1, c));
    }
};
kernel void k(device Mat* d [[buffer(0)]], threadgroup Mat* t [[threadgroup(0)]], uint i [[thread_position_in_grid]]) {
    t[0].multiply(d[0], d[1]);
    d[i].multiply(t[0], d[2]);
    d[i + 1].multiply(d[3], d[4]);
}
