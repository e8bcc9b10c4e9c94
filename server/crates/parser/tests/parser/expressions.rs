//! Expressions.

use expect_test::expect;

use crate::support::{check, check_body};

#[test]
fn precedence_and_associativity() {
    check_body(
        "int a, b, c, d; float *p; struct S { int m; thread S *n; int f(int); } s;",
        "a = b + c * d - a;
         a = b << 2 + c;
         a = b & c == d;
         a = b | c ^ d & a;
         a = b || c && d;
         a = b ? c : d ? a : b;
         a = b = c;
         a += b -= c;
         a = b, c;
         a = -b * +c;
         a = !b == ~c;
         a = *p++ + ++*p;
         a = (b + c) * d;
         a = s.n->n->m + s.f(1)[2];
         a = b ?: c;
         a >>= 2; a <<= 1; a = b >= c;
         a = p[1, 2];
         a = 1 ? b = 2 : c = 3;",
        expect![[r#"
            (= a (- (+ b (* c d)) a))
            (= a (<< b (+ 2 c)))
            (= a (& b (== c d)))
            (= a (| b (^ c (& d a))))
            (= a (|| b (&& c d)))
            (= a (? b c (? d a b)))
            (= a (= b c))
            (+= a (-= b c))
            (, (= a b) c)
            (= a (* (- b) (+ c)))
            (= a (== (! b) (~ c)))
            (= a (+ (deref (_++ p)) (++_ (deref p))))
            (= a (* ((+ b c)) d))
            (= a (+ (-> (-> (. s n) n) m) (index (call (. s f) 1) 2)))
            (= a (? b b c))
            (>>= a 2)
            (<<= a 1)
            (= a (>= b c))
            (= a (index p 1 2))
            (= a (? 1 (= b 2) (= c 3)))
        "#]],
    );
}

#[test]
fn operands() {
    check_body(
        "int a; device float *p; struct P { float x, y; }; template <typename... Ts> int sum(Ts... xs);",
        r#"a = 1u + 0x1F + 1.5h + 'c';
         "one" "two";
         a = true ? false : nullptr;
         float2(1, 2).xy;
         float4{1, 2, 3, 4};
         static_cast<device uint *>(p);
         reinterpret_cast<thread const float &>(a);
         as_type<uint>(1.0f);
         metal::as_type<uint>(1.0f);
         addrspace_cast<device float *>(p);
         P q = {.x = 1, .y{2}};
         P r = (P){1, 2};
         int arr[3] = {[0] = 1, [2] = 3};
         int nested[2][2] = {{1, 2}, {3, 4},};
         sizeof(int[4]);
         noexcept(a);
         __is_same(int, device float *);
         __builtin_expect(a, 0);
         decltype(a)(3);
         unsigned(3);
         ({ int t = a; t + 1; });
         int x = sizeof...(a);
         operator+(a, a);
         new int(3); delete p; throw 1; typeid(int); dynamic_cast<int>(a);
         new (p) P{1, 2};
         __extension__ a;
         ::metal::max(1, 2);"#,
        expect![[r#"
            (= a (+ (+ (+ 1u 0x1F) 1.5h) 'c'))
            "one" "two"
            (= a (? true false nullptr))
            (. (new [float2] 1 2) xy)
            (new [float4] {1, 2, 3, 4})
            (static_cast [ptr device uint] p)
            (reinterpret_cast [ref thread const float] a)
            (as_type [uint] 1.0f)
            (as_type [uint] 1.0f)
            (addrspace_cast [ptr device float] p)
            var q: P = {.x = 1, .y = {2}}
            var r: P = (new [P] {1, 2})
            var arr: array[3] int = {[0] = 1, [2] = 3}
            var nested: array[2] array[2] int = {{1, 2}, {3, 4}}
            (sizeof [array[4] int])
            (noexcept a)
            (trait __is_same [int] [ptr device float])
            (call __builtin_expect a 0)
            (new [decltype(a)] 3)
            (new [uint] 3)
            (stmt block; var t: int = a; (+ t 1))
            var x: int = (sizeof... a)
            (call operator+ a a)
            (removed New [int] 3)
            (removed Delete p)
            (removed Throw 1)
            (removed Typeid [int])
            (dynamic_cast [int] a)
            (removed PlacementNew [P] p {1, 2})
            a
            (call ::metal::max 1 2)
        "#]],
    );
}

#[test]
fn lambdas() {
    check_body(
        "struct S {}; int a, b;",
        "auto f = [](int x) { return x; };
         auto g = [&, a, b = a + 1](thread float &x) mutable -> float { return x; };
         auto h = [=] { return a; };
         auto k = [this, *this, &a](auto... xs) thread { };
         [](float x) [[clang::noinline]] constexpr { }(1.0f);
         f([&](int i) { return i < a; }, b);
         int arr[2] = {[] { return 1; }(), 2};",
        expect![[r#"
            var f: auto = (lambda [] (x: int) -> auto block; return x)
            var g: auto = (lambda [&, a, b = (+ a 1)] (x: ref thread float) ~> float mutable block; return x)
            var h: auto = (lambda [=] () -> auto block; return a)
            var k: auto = (lambda [this, *this, &a] (xs: pack auto) thread -> auto block)
            (call (lambda [] [[clang::noinline]] (x: float) -> auto block) 1.0f)
            (call f (lambda [&] (i: int) -> auto block; return (< i a)) b)
            var arr: array[2] int = {(call (lambda [] () -> auto block; return 1)), 2}
        "#]],
    );
}

#[test]
fn packs_and_folds() {
    check(
        "template <typename... Ts> auto sum(Ts... xs) -> int {
             auto a = (xs + ...);
             auto b = (... && xs);
             auto c = (0 + ... + xs);
             auto d = (xs + ... + 0);
             ((xs = 1), ...);
             f(xs..., g(xs)...);
             int arr[] = {xs...};
             array<Ts...> t;
             return sizeof...(Ts);
         }
         template <int... Is> struct seq {};
         template <typename... Bs> struct D : Bs... { using Bs::f...; D(Bs... bs) : Bs(bs)... {} };",
        expect![[r#"
            <type... Ts> fn sum: (xs: pack Ts) ~> int body
            <Is: pack int> struct seq
            <type... Bs> struct D : Bs...
              using Bs::f
              ctor D: (bs: pack Bs) -> <none> inits body
            sum:
            block
              var a: auto = (fold + xs _)
              var b: auto = (fold && _ xs)
              var c: auto = (fold + 0 xs)
              var d: auto = (fold + xs 0)
              (fold , ((= xs 1)) _)
              (call f xs... (call g xs)...)
              var arr: array[] int = {xs...}
              var t: array<Ts...>
              return (sizeof... Ts)
            D:
            init Bs (bs)...
            block
        "#]],
    );
}
