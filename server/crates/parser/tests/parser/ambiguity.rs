//! What C++ decides by name lookup.

use expect_test::expect;

use crate::support::{check, check_body};

#[test]
fn less_than_or_template_arguments() {
    check_body(
        "int a, b, c, d; template <int N> int f(int); struct S { template <typename T> T get(); int size; }; S s;",
        "d = a < b > (c);
         d = f<3>(c);
         d = f<(1 > 0)>(c);
         d = max<int>(a, b) + metal::max<float>(1, 2);
         bool x = a < b && c > d;
         bool y = a < b;
         d = s.get<int>();
         d = s.size < a > b;
         array<vec<float, 4>, 3> arr;
         array<array<float, 2>, (a >> 1)> shifted;
         enable_if<true, vec<float, 2>>::type z;",
        expect![[r#"
            (= d (> (< a b) (c)))
            (= d (call f<#3> c))
            (= d (call f<#((> 1 0))> c))
            (= d (+ (call max<int> a b) (call metal::max<float> 1 2)))
            var x: bool = (&& (< a b) (> c d))
            var y: bool = (< a b)
            (= d (call (. s get<int>)))
            (= d (> (< (. s size) a) b))
            var arr: array<vec<float, #4>, #3>
            var shifted: array<array<float, #2>, #((>> a 1))>
            var z: enable_if<#true, vec<float, #2>>::type
        "#]],
    );
}

#[test]
fn casts_or_parentheses() {
    check_body(
        "struct T { int m; }; int y, x; void *p; int f(int);",
        "x = (T)(y);
         x = (y)(x);
         x = (T) * y;
         x = (y) * x;
         x = (T) - y;
         x = (y) - x;
         x = (T) & y;
         x = (device T *)(p);
         x = (device T *)p;
         x = ((device const uint *)p)[3];
         x = (float3)(x, y);
         x = (f)(x);
         x = (unsigned int)x;
         x = (float(x));
         x = (float(x) * 2);
         x = (float (*)(int))p;
         x = (int)sizeof(T) + sizeof y + sizeof(y) + sizeof (y)[0] + alignof(T);
         x = (T){1, 2}.m;
         x = (metal::uint)y;",
        expect![[r#"
            (= x (cast [T] (y)))
            (= x (call (y) x))
            (= x (cast [T] (deref y)))
            (= x (* (y) x))
            (= x (cast [T] (- y)))
            (= x (- (y) x))
            (= x (cast [T] (addr y)))
            (= x (cast [ptr device T] (p)))
            (= x (cast [ptr device T] p))
            (= x (index ((cast [ptr device const uint] p)) 3))
            (= x (cast [float3] ((, x y))))
            (= x (call (f) x))
            (= x (cast [uint] x))
            (= x ((new [float] x)))
            (= x ((* (new [float] x) 2)))
            (= x (cast [ptr (int) -> float] p))
            (= x (+ (+ (+ (+ (cast [int] (sizeof [T])) (sizeof y)) (sizeof (y))) (sizeof (index (y) 0))) (alignof [T])))
            (= x (. (new [T] {1, 2}) m))
            (= x (cast [metal::uint] y))
        "#]],
    );
}

#[test]
fn declarations_or_expressions() {
    check_body(
        "struct T { T(int); }; int v, w; int *p; float g(float);",
        "T (z);
         T (v) = 3;
         T(v).m();
         T(v), w;
         T *q = nullptr;
         v * w;
         T u(v);
         T vexing(T(v));
         T not_vexing((T(v)));
         T also(T(1));
         T empty();
         float k(2.0f), l(g(1)), h(float);
         int(x), y;
         int(v) * 2;
         float2(1, 2);
         float a[3], b[2][2], (*pa)[3];
         unsigned n = 3u;
         const T &r = u;
         thread float &tr = *reinterpret_cast<thread float *>(p);
         using L = float;
         L local = 1;
         typedef int I;
         I i = I(3);
         struct Local { int a; } loc = {1};
         auto c = T{1};
         decltype(v) dv = v;",
        expect![[r#"
            var z: T
            var v: T = 3
            (call (. (new [T] v) m))
            var v: T
            var w: T
            var q: ptr T = nullptr
            (* v w)
            var u: T (v)
            fn vexing: (v: T) -> T
            var not_vexing: T (((new [T] v)))
            var also: T ((new [T] 1))
            fn empty: () -> T
            var k: float (2.0f)
            var l: float ((call g 1))
            fn h: (float) -> float
            var x: int
            var y: int
            (* (new [int] v) 2)
            (new [float2] 1 2)
            var a: array[3] float
            var b: array[2] array[2] float
            var pa: ptr array[3] float
            var n: uint = 3u
            var r: ref const T = u
            var tr: ref thread float = (deref (reinterpret_cast [ptr thread float] p))
            alias L = float
            var local: L = 1
            alias I = int
            var i: I = (new [I] 3)
            struct Local
              var a: int
            var loc: {struct Local} = {1}
            var c: auto = (new [T] {1})
            var dv: decltype(v) = v
        "#]],
    );
}

#[test]
fn a_local_name_hides_a_type() {
    check_body(
        "struct T { int m; }; struct U {};",
        "int T = 3;
         int x = (T) - 1;
         T * x;
         struct T t;
         { int U; U = 2; }
         U u;",
        expect![[r#"
            var T: int = 3
            var x: int = (- (T) 1)
            (* T x)
            var t: struct T
            block
              var U: int
              (= U 2)
            var u: U
        "#]],
    );
}

#[test]
fn dependent_names() {
    check(
        "template <typename T> struct A {
             using type = T;
             typename T::value_type v;
             T::lenient w;
             void f() {
                 T::x * v;
                 typename T::y *p;
                 int n = T::count < 3;
                 T::template g<int>(n);
                 auto q = T::template h<int>::value;
                 v.template m<float>(1);
                 typename T::z c(1);
                 A<T>::type t;
                 T t2 = T(1), t3{2};
                 t2.type::foo();
                 array<T, sizeof(T)> arr;
                 arr[0] = T::make(3);
                 if (T::x < 3 && T::y > (4)) return;
             }
         };",
        expect![[r#"
            <type T> struct A
              alias type = T
              var v: typename T::value_type
              var w: T::lenient
              fn f: () -> void body
            f:
            block
              (* T::x v)
              var p: ptr typename T::y
              var n: int = (< T::count 3)
              (call T::template g<int> n)
              var q: auto = T::template h<int>::value
              (call (. v template m<float>) 1)
              var c: typename T::z (1)
              var t: A<T>::type
              var t2: T = (new [T] 1)
              var t3: T {2}
              (call (. t2 type::foo))
              var arr: array<T, #(sizeof [T])>
              (= (index arr 0) (call T::make 3))
              if (&& (< T::x 3) (> T::y (4)))
                return
        "#]],
    );
}

#[test]
fn types_or_values_in_template_arguments() {
    check_body(
        "struct T {}; constexpr int n = 3; template <typename X> struct A {}; template <int N> struct B {}; template <template <typename, int> class C> struct D {}; template <typename F> struct E {}; template <typename R, typename... As> struct F {};",
        "A<T> a1;
         A<T()> a2;
         A<int(float)> a3;
         A<device T *> a4;
         A<const T &> a5;
         A<A<A<int>>> a6;
         B<n> b1;
         B<n + 1> b2;
         B<int(3.5)> b3;
         B<sizeof(T)> b4;
         B<(n > 1)> b5;
         B<-1> b6;
         B<n == 3 ? 1 : 2> b7;
         D<vec> d;
         E<float3(float3, float3)> e1;
         E<void (*)(int)> e2;
         E<float[4]> e3;
         F<int, float, double> f;
         visible_function_table<float3(T, T)> t;
         texture2d<float, access::read_write> tex;
         B<(n >> 1)> b8;",
        expect![[r#"
            var a1: A<T>
            var a2: A<() -> T>
            var a3: A<(float) -> int>
            var a4: A<ptr device T>
            var a5: A<ref const T>
            var a6: A<A<A<int>>>
            var b1: B<#n>
            var b2: B<#(+ n 1)>
            var b3: B<#(new [int] 3.5)>
            var b4: B<#(sizeof [T])>
            var b5: B<#((> n 1))>
            var b6: B<#(- 1)>
            var b7: B<#(? (== n 3) 1 2)>
            var d: D<vec>
            var e1: E<(float3, float3) -> float3>
            var e2: E<ptr (int) -> void>
            var e3: E<array[4] float>
            var f: F<int, float, double>
            var t: visible_function_table<(T, T) -> float3>
            var tex: texture2d<float, #access::read_write>
            var b8: B<#((>> n 1))>
        "#]],
    );
}

#[test]
fn using_directives_and_declarations() {
    check(
        "namespace a { struct X { struct In {}; }; template <int N> struct Y {}; namespace inner { struct Z {}; } inline namespace v1 { struct V {}; } namespace { struct U {}; } }
         namespace b = a::inner;
         using a::X;
         using Alias = a::X;
         using namespace a;
         void f(b::Z z, X x, Alias::In in, Y<3> y, V v, U u, a::V av) {
             b::Z *p = &z;
             Alias::In *q;
             Y<2> *r;
             V * s;
             ::a::X t;
         }
         namespace a { void g(X x) { int Z, z; Z * z; inner::Z * w; } }
         enum class E { one }; enum Plain { two };
         void h() { E e = E::one; Plain p = two; int i = E::one < 3; }",
        expect![[r#"
            namespace a
              struct X
                struct In
              <N: int> struct Y
              namespace inner
                struct Z
              inline namespace v1
                struct V
              namespace
                struct U
            namespace b = a::inner
            using a::X
            alias Alias = a::X
            using namespace a
            fn f: (z: b::Z, x: X, in: Alias::In, y: Y<#3>, v: V, u: U, av: a::V) -> void body
            namespace a
              fn g: (x: X) -> void body
            enum class E
              one
            enum Plain
              two
            fn h: () -> void body
            f:
            block
              var p: ptr b::Z = (addr z)
              var q: ptr Alias::In
              var r: ptr Y<#2>
              var s: ptr V
              var t: ::a::X
            g:
            block
              var Z: int
              var z: int
              (* Z z)
              var w: ptr inner::Z
            h:
            block
              var e: E = E::one
              var p: Plain = two
              var i: int = (< E::one 3)
        "#]],
    );
}

#[test]
fn bases_and_members() {
    check(
        "struct Base { struct Inner {}; using Num = float; template <typename T> struct Tmp {}; };
         struct Derived : Base {
             Inner a;
             void f() { Inner *p; Num n; Tmp<int> *t; Later *l; }
             struct Later {};
             Later g();
         };
         template <typename T> struct Gen : Base { Inner i; void f(); };
         template <typename T> void Gen<T>::f() { Inner * x; Gen * y; T * z; }
         Derived::Later Derived::g() { Later * l; return Later(); }
         struct Other { Derived::Inner x; };",
        expect![[r#"
            struct Base
              struct Inner
              alias Num = float
              <type T> struct Tmp
            struct Derived : Base
              var a: Inner
              fn f: () -> void body
              struct Later
              fn g: () -> Later
            <type T> struct Gen : Base
              var i: Inner
              fn f: () -> void
            <type T> fn Gen<T>::f: () -> void body
            fn Derived::g: () -> Derived::Later body
            struct Other
              var x: Derived::Inner
            f:
            block
              var p: ptr Inner
              var n: Num
              var t: ptr Tmp<int>
              var l: ptr Later
            f:
            block
              var x: ptr Inner
              var y: ptr Gen
              var z: ptr T
            g:
            block
              var l: ptr Later
              return (new [Later])
        "#]],
    );
}

#[test]
fn names_declared_behind_a_function_are_invisible_in_it() {
    check_body(
        "void before() { }",
        "int late; late * late;",
        expect![[r#"
            var late: int
            (* late late)
        "#]],
    );
    check(
        "int X;
         void f(int y) { X * y; }
         namespace n { void g(int y) { X * y; } struct X {}; void h() { X * y; } }",
        expect![[r#"
            var X: int
            fn f: (y: int) -> void body
            namespace n
              fn g: (y: int) -> void body
              struct X
              fn h: () -> void body
            f:
            block
              (* X y)
            g:
            block
              (* X y)
            h:
            block
              var y: ptr X
        "#]],
    );
}
