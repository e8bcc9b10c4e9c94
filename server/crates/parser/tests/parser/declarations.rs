//! Declarations.

use expect_test::expect;

use crate::support::check;

#[test]
fn variables_fold_their_declarators() {
    check(
        "constant float pi = 3.14;
         constant float table[2][3] = {{1, 2, 3}, {4, 5, 6}};
         typedef float (*fn_t)(int, device float *);
         using handler = float3(float3, float3);
         extern constant int count;
         constant float *thread const *pp;
         struct S; device S &r;
         int a, *b, c[3];",
        expect![[r#"
            var pi: constant float = 3.14
            var table: array[2] array[3] constant float = {{1, 2, 3}, {4, 5, 6}}
            alias fn_t = ptr (int, ptr device float) -> float
            alias handler = (float3, float3) -> float3
            extern var count: constant int
            var pp: ptr thread const ptr constant float
            struct S declared
            var r: ref device S
            var a: int
            var b: ptr int
            var c: array[3] int
        "#]],
    );
}

#[test]
fn functions() {
    check(
        "kernel void k(device float *in [[buffer(0)]], constant uint &n [[buffer(1)]], uint3 gid [[thread_position_in_grid]]) { in[gid.x] = n; }
         vertex float4 v(uint id [[vertex_id]]) { return float4(id); }
         [[kernel]] void k2(texture2d<float, access::write> out [[texture(0)]]);
         fragment [[early_fragment_tests]] half4 f() { return half4(0); }
         static inline float add(float a, float b = 1.0f) { return a + b; }
         auto trailing(int x) -> float { return x; }
         constexpr int square(int x) { return x * x; }
         void old(void);
         float (*get())(int);
         void array_param(float x[4], thread float (&y)[3], int, ...);",
        expect![[r#"
            kernel fn k: ([[buffer(0)]] in: ptr device float, [[buffer(1)]] n: ref constant uint, [[thread_position_in_grid]] gid: uint3) -> void body
            vertex fn v: ([[vertex_id]] id: uint) -> float4 body
            [[kernel]] fn k2: ([[texture(0)]] out: texture2d<float, #access::write>) -> void
            [[early_fragment_tests]] fragment fn f: () -> half4 body
            static inline fn add: (a: float, b: float = 1.0f) -> float body
            fn trailing: (x: int) ~> float body
            constexpr fn square: (x: int) -> int body
            fn old: () -> void
            fn get: () -> ptr (int) -> float
            fn array_param: (x: array[4] float, y: ref array[3] thread float, int, ...) -> void
            k:
            block
              (= (index in (. gid x)) n)
            v:
            block
              return (new [float4] id)
            f:
            block
              return (new [half4] 0)
            add:
            block
              return (+ a b)
            trailing:
            block
              return x
            square:
            block
              return (* x x)
        "#]],
    );
}

#[test]
fn classes() {
    check(
        "struct Base { int b; };
         struct S : Base {
             int a = 1, *p;
             unsigned int bits : 3, : 2;
             float4 position [[position]];
             static constant int n = 3;
             S() : a(1), p{nullptr} {}
             explicit S(int a_) : Base{}, a(a_) { a = later; }
             ~S() = default;
             S(const thread S &) = delete;
             void f() device;
             float g() const thread { return a; }
             void h() && ;
             S operator+(S other) const { return S(a + other.a); }
             thread S &operator=(const thread S &o) thread { a = o.a; return *this; }
             float operator()(int i) const { return i; }
             float operator[](int i) const { return i; }
             operator float() const { return a; }
             operator thread float2 &() { return x; }
             friend S operator-(S a, S b) { return a; }
             friend struct Other;
             template <typename T> T convert() const { return T(a); }
             union { int u; float v; };
             struct { int inner; } nested;
             enum Kind { A, B };
             Kind kind;
             int later;
         };
         void S::f() device { kind = A; }
         struct alignas(16) Aligned { float x; };
         struct __attribute__((packed)) Packed { char c; };
         struct [[nodiscard]] Attr;
         union U { int i; float f; };
         enum E : ushort { x = 1, y [[maybe_unused]] = 2, };
         enum class Scoped { one, two };",
        expect![[r#"
            struct Base
              var b: int
            struct S : Base
              var a: int = 1
              var p: ptr int
              var bits: uint width 3
              var ?: uint width 2
              [[position]] var position: float4
              static var n: constant int = 3
              ctor S: () -> <none> inits body
              explicit ctor S: (a_: int) -> <none> inits body
              dtor ~S: () -> <none> default
              ctor S: (ref thread const S) -> <none> delete
              fn f: () device -> void
              fn g: () thread const -> float body
              fn h: () && -> void
              fn operator+: (other: S) const -> S body
              fn operator=: (o: ref thread const S) thread -> ref thread S body
              fn operator(): (i: int) const -> float body
              fn operator[]: (i: int) const -> float body
              conv operator float: () const -> <none> body
              conv operator ref thread float2: () -> <none> body
              friend fn operator-: (a: S, b: S) -> S body
              friend friend struct Other
              <type T> fn convert: () const -> T body
              union
                var u: int
                var v: float
              struct
                var inner: int
              var nested: {struct }
              enum Kind
                A
                B
              var kind: Kind
              var later: int
            fn S::f: () device -> void body
            alignas(16) struct Aligned
              var x: float
            __attribute__((packed)) struct Packed
              var c: char
            [[nodiscard]] struct Attr declared
            union U
              var i: int
              var f: float
            enum E : ushort
              x = 1
              [[maybe_unused]] y = 2
            enum class Scoped
              one
              two
            S:
            init a (1)
            init p {nullptr}
            block
            S:
            init Base {}
            init a (a_)
            block
              (= a later)
            g:
            block
              return a
            operator+:
            block
              return (new [S] (+ a (. other a)))
            operator=:
            block
              (= a (. o a))
              return (deref this)
            operator():
            block
              return i
            operator[]:
            block
              return i
            operator float:
            block
              return a
            operator ref thread float2:
            block
              return x
            operator-:
            block
              return a
            convert:
            block
              return (new [T] a)
            f:
            block
              (= kind A)
        "#]],
    );
}
