//! Templates, specialisations and instantiations.

use expect_test::expect;

use crate::support::check;

#[test]
fn headers() {
    check(
        "template <typename T, class U = float, int N = 3, typename... Rest> struct A {};
         template <template <typename, int> class C, template <typename> typename... D> struct B {};
         template <typename T, typename = enable_if_t<sizeof(T) == 4>> void f(T x);
         template <typename T, enable_if_t<(sizeof(T) > 4), bool> = true> void f(T x);
         template <int... Is> struct seq {};
         template <typename T, typename T::size N> struct C {};
         template <device float *P, float (*F)(float)> struct E {};
         template <auto V> struct G {};
         template <> struct A<int> {};
         template <typename T> struct A<T *, int> { using type = T; };
         template <typename T, int N> struct A<T[N]> {};
         template <typename R, typename... As> struct A<R(As...)> {};
         template <typename T> constexpr constant int zero = T(0);
         template <> constexpr constant int zero<float> = 1;
         template <typename T> using Ptr = device T *;
         template <typename T, typename U> struct Pair { Pair(T, U); };
         template <typename T> Pair(T, int) -> Pair<T, float>;
         A(int) -> A<int>;",
        expect![[r#"
            <type T, type U = float, N: int = 3, type... Rest> struct A
            <template <type , ?: int> C, template <type >... D> struct B
            <type T, type  = enable_if_t<#(== (sizeof [T]) 4)>> fn f: (x: T) -> void
            <type T, ?: enable_if_t<#((> (sizeof [T]) 4)), bool> = true> fn f: (x: T) -> void
            <Is: pack int> struct seq
            <type T, N: typename T::size> struct C
            <P: ptr device float, F: ptr (float) -> float> struct E
            <V: auto> struct G
            <> struct A<int>
            <type T> struct A<ptr T, int>
              alias type = T
            <type T, N: int> struct A<array[N] T>
            <type R, type... As> struct A<(pack As) -> R>
            <type T> constexpr var zero: constant int = (new [T] 0)
            <> constexpr var zero<float>: constant int = 1
            <type T> alias Ptr = ptr device T
            <type T, type U> struct Pair
              ctor Pair: (T, U) -> <none>
            <type T> guide Pair: (T, int) ~> Pair<T, float>
            guide A: (int) ~> A<int>
        "#]],
    );
}

#[test]
fn explicit_instantiations() {
    check(
        "template <typename T, int N> [[kernel]] void f(device T *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = N; }
         template [[host_name(\"f_float\")]] [[kernel]] void f<float, 4>(device float *, uint);
         template [[host_name(\"f_half\")]] kernel decltype(f<half, 4>) f<half, 4>;
         typedef decltype(f<half, 2>) f_t;
         template [[host_name(\"f_2\")]] kernel f_t f<half, 2>;
         template kernel void f<int, 1>(device int *x [[buffer(0)]], uint i [[thread_position_in_grid]]);
         template <typename T> struct S { T x; };
         template struct S<float>;
         extern template struct S<int>;
         template <> [[kernel]] void f<uint, 1>(device uint *x, uint i) { x[i] = 0; }
         template <typename T> kernel void words_behind(T t) { }
         template <typename T> [[host_name(\"k\")]] [[kernel]] [[max_total_threads_per_threadgroup(1024)]] void many(T t);
         void kernel odd_place(device float *x) { }",
        expect![[r#"
            <type T, N: int> [[kernel]] fn f: ([[buffer(0)]] x: ptr device T, [[thread_position_in_grid]] i: uint) -> void body
            [[host_name("f_float")]] [[kernel]] instantiate fn f<float, #4>: (ptr device float, uint) -> void
            [[host_name("f_half")]] instantiate kernel var f<half, #4>: decltype(f<half, #4>)
            alias f_t = decltype(f<half, #2>)
            [[host_name("f_2")]] instantiate kernel var f<half, #2>: f_t
            instantiate kernel fn f<int, #1>: ([[buffer(0)]] x: ptr device int, [[thread_position_in_grid]] i: uint) -> void
            <type T> struct S
              var x: T
            instantiate struct S<float> declared
            extern-template instantiate struct S<int> declared
            <> [[kernel]] fn f<uint, #1>: (x: ptr device uint, i: uint) -> void body
            <type T> kernel fn words_behind: (t: T) -> void body
            <type T> [[host_name("k")]] [[kernel]] [[max_total_threads_per_threadgroup(1024)]] fn many: (t: T) -> void
            kernel fn odd_place: (x: ptr device float) -> void body
            f:
            block
              (= (index x i) N)
            f:
            block
              (= (index x i) 0)
            words_behind:
            block
            odd_place:
            block
        "#]],
    );
}

#[test]
fn out_of_class_definitions() {
    check(
        "template <typename T> struct A { struct In { T t; }; T get(In i) const; static int count; template <typename U> U conv(In i); A(In i); ~A(); operator T(); };
         template <typename T> T A<T>::get(In i) const { In j = i; return j.t; }
         template <typename X> int A<X>::count = 3;
         template <typename T> template <typename U> U A<T>::conv(In i) { In * p; U * q; T * r; return U(i.t); }
         template <typename T> A<T>::A(In i) { }
         template <typename T> A<T>::~A() { }
         template <typename T> A<T>::operator T() { return T(); }
         template <typename T> typename A<T>::In make() { return typename A<T>::In(); }
         namespace n { struct B { void f(); enum E : int; }; void g(B b); }
         void n::B::f() { E * e; }
         void n::g(B b) { B * c; }
         enum n::B::E : int { one };",
        expect![[r#"
            <type T> struct A
              struct In
                var t: T
              fn get: (i: In) const -> T
              static var count: int
              <type U> fn conv: (i: In) -> U
              ctor A: (i: In) -> <none>
              dtor ~A: () -> <none>
              conv operator T: () -> <none>
            <type T> fn A<T>::get: (i: In) const -> T body
            <type X> var A<X>::count: int = 3
            <type T> <type U> fn A<T>::conv: (i: In) -> U body
            <type T> ctor A<T>::A: (i: In) -> <none> body
            <type T> dtor A<T>::~A: () -> <none> body
            <type T> conv A<T>::operator T: () -> <none> body
            <type T> fn make: () -> typename A<T>::In body
            namespace n
              struct B
                fn f: () -> void
                enum E : int
              fn g: (b: B) -> void
            fn n::B::f: () -> void body
            fn n::g: (b: B) -> void body
            enum n::B::E : int
              one
            get:
            block
              var j: In = i
              return (. j t)
            conv:
            block
              var p: ptr In
              var q: ptr U
              var r: ptr T
              return (new [U] (. i t))
            A:
            block
            ~A:
            block
            operator T:
            block
              return (new [T])
            make:
            block
              return (new [typename A<T>::In])
            f:
            block
              var e: ptr E
            g:
            block
              var c: ptr B
        "#]],
    );
}

#[test]
fn function_pointers_and_member_pointers() {
    check(
        "struct S { int m; int f(float); };
         int S::*pm = &S::m;
         int (S::*pf)(float) = &S::f;
         float (*table[2])(float, float);
         using Op = float (*)(float);
         float apply(float (*op)(float), float x, float op2(float)) { return op(x) + (*op)(x); }
         float (&ref)(float);
         visible_function_table<float3(float3, float3)> t;
         void g(S s, thread S *p) { s.*pm = (p->*pf)(1); }
         auto h() -> float (*)(float);
         typedef float fn(float);
         fn declared_by_alias;",
        expect![[r#"
            struct S
              var m: int
              fn f: (float) -> int
            var pm: memptr S int = (addr S::m)
            var pf: memptr S (float) -> int = (addr S::f)
            var table: array[2] ptr (float, float) -> float
            alias Op = ptr (float) -> float
            fn apply: (op: ptr (float) -> float, x: float, op2: (float) -> float) -> float body
            var ref: ref (float) -> float
            var t: visible_function_table<(float3, float3) -> float3>
            fn g: (s: S, p: ptr thread S) -> void body
            fn h: () ~> ptr (float) -> float
            alias fn = (float) -> float
            var declared_by_alias: fn
            apply:
            block
              return (+ (call op x) (call ((deref op)) x))
            g:
            block
              (= (.* s pm) (call ((->* p pf)) 1))
        "#]],
    );
}

#[test]
fn address_spaces_stand_in_many_places() {
    check(
        "struct P { int a; void f() const device; void g() object_data; };
         void f(object_data P &p, ray_data P *q, const object_data P *r, threadgroup_imageblock P *s, coherent device float *c, coherent(device) float *d);
         void g(device const float *const a, float const device *b, float *device *c, device float *thread *thread d);
         int object_data = 3, ray_data = 4;
         void h(thread device int *two);
         void k(constant P &object_data, int coherent);
         void l() { int ray_data = object_data; ray_data = ray_data * 2; object_data P *p; coherent(device) float *c; }
         threadgroup float *constant tp = nullptr;
         device atomic_uint *counters;
         using DP = device P *; using RP = const thread P &;",
        expect![[r#"
            struct P
              var a: int
              fn f: () device const -> void
              fn g: () object_data -> void
            fn f: (p: ref object_data P, q: ptr ray_data P, r: ptr object_data const P, s: ptr threadgroup_imageblock P, c: ptr device coherent float, d: ptr coherent float) -> void
            fn g: (a: const ptr device const float, b: ptr device const float, c: ptr device ptr float, d: thread ptr thread ptr device float) -> void
            var object_data: int = 3
            var ray_data: int = 4
            fn h: (two: ptr thread device int) -> void
            fn k: (object_data: ref constant P, coherent: int) -> void
            fn l: () -> void body
            var tp: constant ptr threadgroup float = nullptr
            var counters: ptr device atomic_uint
            alias DP = ptr device P
            alias RP = ref thread const P
            l:
            block
              var ray_data: int = object_data
              (= ray_data (* ray_data 2))
              var p: ptr object_data P
              var c: ptr coherent float
        "#]],
    );
}

#[test]
fn attributes_stand_in_many_places() {
    check(
        "struct [[msl::builtin(\"vec\")]] [[a]] X { [[b]] int c [[d(1)]] [[e, f]]; int g [[h]] = 1, i [[j]]; int bits : 3 [[k]]; };
         namespace [[msl::since(\"3.0\")]] n { }
         using Y [[msl::since(\"3.1\")]] = int;
         enum [[a]] E { one [[b]] = 1, two [[c]] };
         [[a]] int x [[b]], y [[c]];
         [[using clang: a, b(1)]] int z;
         void f([[a]] int b [[c]] = 1, int [[d]]) [[e]];
         __attribute__((always_inline, noinline)) inline int g(int) __attribute__((availability(macos, introduced = 10.1)));
         [[patch(quad, 16)]] [[intersection(bounding_box, triangle_data, max_levels<4>)]] bool k(float3 o [[origin]]);
         alignas(16) alignas(float4) float w;
         struct Out { float4 position [[position]]; float d [[depth(less)]]; half4 c [[color(0), index(1)]]; };
         template <typename T> [[msl::each(T, floats, halfs)]] T sin(T x);
         const int q __attribute__((unused)) = 1;
         fragment Out frag(Out in [[stage_in]], constant int &n [[buffer(2), function_constant(has_n)]]) { return in; }",
        expect![[r#"
            [[msl::builtin("vec")]] [[a]] struct X
              [[b]] [[d(1)]] [[e]] [[f]] var c: int
              [[h]] var g: int = 1
              [[j]] var i: int
              [[k]] var bits: int width 3
            [[msl::since("3.0")]] namespace n
            [[msl::since("3.1")]] alias Y = int
            [[a]] enum E
              [[b]] one = 1
              [[c]] two
            [[a]] [[b]] var x: int
            [[a]] [[c]] var y: int
            [[clang::a]] [[clang::b(1)]] var z: int
            [[e]] fn f: ([[a]] [[c]] b: int = 1, [[d]] int) -> void
            __attribute__((always_inline)) __attribute__((noinline)) __attribute__((availability(macos, (= introduced 10.1)))) inline fn g: (int) -> int
            [[patch(quad, 16)]] [[intersection(bounding_box, triangle_data, max_levels<#4>)]] fn k: ([[origin]] o: float3) -> bool
            alignas(16) alignas((alignof [float4])) var w: float
            struct Out
              [[position]] var position: float4
              [[depth(less)]] var d: float
              [[color(0)]] [[index(1)]] var c: half4
            <type T> [[msl::each(T, floats, halfs)]] fn sin: (x: T) -> T
            __attribute__((unused)) var q: const int = 1
            fragment fn frag: ([[stage_in]] in: Out, [[buffer(2)]] [[function_constant(has_n)]] n: ref constant int) -> Out body
            frag:
            block
              return in
        "#]],
    );
}

#[test]
fn words_that_are_names_elsewhere() {
    check(
        "struct vertex { int v; };
         void f(vertex v) { vertex w; vertex x = v; int kernel = 1; kernel = kernel + 1; int fragment[2]; fragment[0] = 1; int override, final; final = override; }
         vertex g();
         vertex float4 real_vertex(uint i [[vertex_id]]) { return float4(i); }
         kernel void k() { float4 vertex = float4(1); vertex.x = 2; }",
        expect![[r#"
            struct vertex
              var v: int
            fn f: (v: vertex) -> void body
            fn g: () -> vertex
            vertex fn real_vertex: ([[vertex_id]] i: uint) -> float4 body
            kernel fn k: () -> void body
            f:
            block
              var w: vertex
              var x: vertex = v
              var kernel: int = 1
              (= kernel (+ kernel 1))
              var fragment: array[2] int
              (= (index fragment 0) 1)
              var override: int
              var final: int
              (= final override)
            real_vertex:
            block
              return (new [float4] i)
            k:
            block
              var vertex: float4 = (new [float4] 1)
              (= (. vertex x) 2)
        "#]],
    );
}

#[test]
fn classes_with_everything() {
    check(
        "namespace n { template <typename T> struct E {}; }
         struct A { A() = default; A(int) {} A(const thread A &) = default; A &operator=(A &&) = delete; bool operator<(A o) const { return true; } A operator++(int); void operator()() const; template <typename T> A(T t) : x{t} {} private: int x; public: protected: static constexpr int n = 3; using B = int; typedef float C; };
         class D final : public A, private virtual n::E<int> { };
         struct F { union { struct { float x, y; }; float v[2]; }; int get() { return x + v[0]; } };
         struct G { struct H; struct H { int a; } h; friend class D; friend void free_friend(G g); enum { K = 3 }; int arr[K]; };
         struct I { int a : 3, b : K2 = 1; static const int K2 = 4; };
         struct Later { void f() { T t; g(t); } void g(int); using T = int; };
         ",
        expect![[r#"
            namespace n
              <type T> struct E
            struct A
              ctor A: () -> <none> default
              ctor A: (int) -> <none> body
              ctor A: (ref thread const A) -> <none> default
              fn operator=: (rref A) -> ref A delete
              fn operator<: (o: A) const -> bool body
              fn operator++: (int) -> A
              fn operator(): () const -> void
              <type T> ctor A: (t: T) -> <none> inits body
              var x: int
              static constexpr var n: int = 3
              alias B = int
              alias C = float
            final class D : A, virtual n::E<int>
            struct F
              union
                struct
                  var x: float
                  var y: float
                var v: array[2] float
              fn get: () -> int body
            struct G
              struct H declared
              struct H
                var a: int
              var h: {struct H}
              friend friend class D
              friend fn free_friend: (g: G) -> void
              enum
                K = 3
              var arr: array[K] int
            struct I
              var a: int width 3
              var b: int width K2 = 1
              static var K2: const int = 4
            struct Later
              fn f: () -> void body
              fn g: (int) -> void
              alias T = int
            A:
            block
            operator<:
            block
              return true
            A:
            init x {t}
            block
            get:
            block
              return (+ x (index v 0))
            f:
            block
              var t: T
              (call g t)
        "#]],
    );
}
