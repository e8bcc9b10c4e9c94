//! Overloads that mean the same and are written in different ways, and templates that differ in address spaces.

use expect_test::expect;

use super::consolidate::check;

#[test]
fn parentheses_comments_and_names() {
    check(
        "\
float mix(thread const float *a, float t) { return a[0] * (1 - t) + a[1] * t; }
float mix(device const float *values, float at) {
    // Between the two.
    return ((values[0] * (1 - at)) + (values[1] * at));
}
float left(thread const float *a) { return a[0] - (a[1] - a[2]); }
float left(device const float *a) { return (a[0] - a[1]) - a[2]; }
",
        expect![[r#"
            // 2 overloads of `mix` become one
            // `left`: its declaration or its body differs from those of the other overloads
            float mix(const float *a, float t) { return a[0] * (1 - t) + a[1] * t; }
            float left(thread const float *a) { return a[0] - (a[1] - a[2]); }
            float left(device const float *a) { return (a[0] - a[1]) - a[2]; }
        "#]],
    );
}

#[test]
fn the_order_of_qualifiers() {
    check(
        "\
struct S { float v; };
float get(thread const S *p) { const thread S *q = p; return q->v; }
float get(S const device *p) { device S const *q = p; return q->v; }
float get(threadgroup S const *p) { S threadgroup const *q = p; return q->v; }
",
        expect![[r#"
            // 3 overloads of `get` become one
            struct S { float v; };
            float get(const S *p) { const S *q = p; return q->v; }
        "#]],
    );
}

#[test]
fn braces_around_one_statement() {
    check(
        "\
void clear(thread float *p, int n) { for (int i = 0; i < n; ++i) p[i] = 0; }
void clear(device float *p, int n) {
    for (int i = 0; i < n; ++i) {
        p[i] = 0;
    }
}
",
        expect![[r#"
            // 2 overloads of `clear` become one
            void clear(float *p, int n) { for (int i = 0; i < n; ++i) p[i] = 0; }
        "#]],
    );
}

#[test]
fn what_names_mean_decides() {
    check(
        "\
struct A { float x; float y; };
namespace one { constant float scale = 1; float get(thread A *a) { return a->x * scale; } }
float plain(thread A *a) { return a->x; }
float plain(device A *a) { return a->y; }
float grouped(thread A *a) { return -(a->x + a->y); }
float grouped(device A *a) { return -a->x + a->y; }
",
        expect![[r#"
            // `grouped`: its declaration or its body differs from those of the other overloads
            // `plain`: its declaration or its body differs from those of the other overloads
            struct A { float x; float y; };
            namespace one { constant float scale = 1; float get(thread A *a) { return a->x * scale; } }
            float plain(thread A *a) { return a->x; }
            float plain(device A *a) { return a->y; }
            float grouped(thread A *a) { return -(a->x + a->y); }
            float grouped(device A *a) { return -a->x + a->y; }
        "#]],
    );
}

#[test]
fn templates_whose_parameters_do_not_take_the_space_over() {
    check(
        "\
template <typename T> struct complex_t {
    T real;
    T imag;
    constexpr complex_t() thread : real(0), imag(0) {};
    constexpr complex_t() threadgroup : real(0), imag(0) {};

    // From what converts.
    template <typename U>
    constexpr complex_t(U x) thread : real(static_cast<T>(x)), imag(static_cast<T>(0)) {}
    // From what converts.
    template <typename V>
    constexpr complex_t(V x) threadgroup : real(static_cast<T>(x)), imag(static_cast<T>(0)) {}

    template <typename U>
    constexpr operator U() const thread { return static_cast<U>(real); }
    template <typename U>
    constexpr operator U() const device { return static_cast<U>(real); }
};

template <typename T>
constexpr thread complex_t<T> &operator+=(thread complex_t<T> &a, complex_t<T> b) {
    a.real += b.real;
    a.imag += b.imag;
    return a;
}

template <typename T>
constexpr device complex_t<T> &operator+=(device complex_t<T> &a, complex_t<T> b) {
    a.real += b.real;
    a.imag += b.imag;
    return a;
}

kernel void add(device complex_t<float> *d [[buffer(0)]]) {
    complex_t<float> own;
    own += *d;
    *d += own;
}
",
        expect![[r#"
            // 2 overloads of `complex_t` become one
            // 2 overloads of `complex_t` become one
            // 2 overloads of `operator U` become one
            // 2 overloads of `operator+=` become one
            template <typename T> struct complex_t {
                T real;
                T imag;
                constexpr complex_t() : real(0), imag(0) {};

                // From what converts.
                template <typename U>
                constexpr complex_t(U x) : real(static_cast<T>(x)), imag(static_cast<T>(0)) {}

                template <typename U>
                constexpr operator U() const { return static_cast<U>(real); }
            };

            template <typename T>
            constexpr complex_t<T> &operator+=(complex_t<T> &a, complex_t<T> b) {
                a.real += b.real;
                a.imag += b.imag;
                return a;
            }

            kernel void add(device complex_t<float> *d [[buffer(0)]]) {
                complex_t<float> own;
                own += *d;
                *d += own;
            }
        "#]],
    );
}
