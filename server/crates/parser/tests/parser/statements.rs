//! Statements.

use expect_test::expect;

use crate::support::{check, check_body};

#[test]
fn control_flow() {
    check_body(
        "int a, b; int f(int); struct R { thread int *begin(); } r;",
        "if (a) b = 1; else if (b) a = 1; else { }
         if (int x = f(1)) a = x;
         if (int x = f(1); x > 2) a = x;
         if constexpr (sizeof(int) == 4) { a = 1; }
         switch (a) { case 1: case 2: b = 1; break; case 3 ... 5: b = 2; default: ; }
         switch (int x = a; x) { default: break; }
         for (int i = 0, j = 1; i < 3; ++i, j--) continue;
         for (;;) break;
         for (; a;) { }
         for (a = 0; a < 3; a++) ;
         for (auto x : r) { a = x; }
         for (thread const auto &x : r) a = x;
         for (int x : {1, 2, 3}) a = x;
         for (auto [k, v] : r) a = k;
         while (a) --a;
         while (int x = f(a)) a = x;
         do { a++; } while (a < 3);
         goto end;
         end: return;
         { { } }
         ;",
        expect![[r#"
            if a
              (= b 1)
            else
              if b
                (= a 1)
              else
                block
            if var x: int = (call f 1)
              (= a x)
            if (> x 2)
            init
              var x: int = (call f 1)
              (= a x)
            if constexpr (== (sizeof [int]) 4)
              block
                (= a 1)
            switch a
              block
                case 1
                  case 2
                    (= b 1)
                break
                case 3 ... 5
                  (= b 2)
                default
                  null
            switch x
            init
              var x: int = a
              block
                default
                  break
            for ; (< i 3) ; (, (++_ i) (_-- j))
            init
              var i: int = 0
              var j: int = 1
              continue
            for ;  ;
              break
            for ; a ;
              block
            for ; (< a 3) ; (_++ a)
            init
              (= a 0)
              null
            for in r
              var x: auto
              block
                (= a x)
            for in r
              var x: ref thread const auto
              (= a x)
            for in {1, 2, 3}
              var x: int
              (= a x)
            for in r
              binding [k, v]: auto
              (= a k)
            while a
              (--_ a)
            while var x: int = (call f a)
              (= a x)
            do while (< a 3)
              block
                (_++ a)
            goto end
            label end
              return
            block
              block
            null
        "#]],
    );
}

#[test]
fn pragmas_and_attributes() {
    check_body(
        "int a; void f();",
        "
#pragma unroll
         for (int i = 0; i < 3; ++i) a = i;
#pragma unroll 4
         for (;;) { }
#pragma unroll(8)
         while (a) { }
#pragma clang loop unroll(full)
         do { } while (a);
#pragma nounroll
         for (int x : {1}) { }
#pragma clang loop unroll(disable)
         for (;;) { }
#pragma clang loop unroll_count(2)
         for (;;) { }
#pragma unroll(N)
         for (;;) { }
         [[function_groups(\"a\", \"b\")]] f();
         [[likely]] if (a) { }
         [[maybe_unused]] int x = 1;
         switch (a) { case 1: [[fallthrough]]; case 2: break; }",
        expect![[r#"
            for unroll ; (< i 3) ; (++_ i)
            init
              var i: int = 0
              (= a i)
            for unroll(4) ;  ;
              block
            while unroll(8) a
              block
            do unroll while a
              block
            for nounroll in {1}
              var x: int
              block
            for nounroll ;  ;
              block
            for unroll(2) ;  ;
              block
            for unroll ;  ;
              block
            [[function_groups("a", "b")]] (call f)
            [[likely]] if a
              block
            [[maybe_unused]] var x: int = 1
            switch a
              block
                case 1
                  [[fallthrough]] null
                case 2
                  break
        "#]],
    );
}

#[test]
fn declarations_in_blocks() {
    check_body(
        "namespace n { struct X { int a, b; }; } template <typename T> struct G {}; n::X make();",
        "using namespace n;
         X x;
         using n::X;
         namespace m = n;
         m::X y;
         static_assert(sizeof(int) == 4, \"size\");
         threadgroup float shared[64];
         constexpr int c = 3;
         const device float *p, *const q = p;
         auto [a, b] = make();
         const thread auto &[d, e] = x;
         extern constant int ext;
         enum { one, two };
         int k = one;
         union { int i; float f; } u;
         i = 3;
         struct Local { float f(float z) { return z; } int v = 2; };
         Local l; l.f(1);
         G<float> g1, *g2;
         float w = 1, v[2] = {1, 2}, z{3};
         int func(float);
         coherent(device) float *cd;
         object_data X *od;
         asm volatile(\"nop\" : : \"r\"(k));
         static int s = 0;",
        expect![[r#"
            using namespace n
            var x: X
            using n::X
            namespace m = n
            var y: m::X
            static_assert (== (sizeof [int]) 4) "size"
            var shared: array[64] threadgroup float
            constexpr var c: int = 3
            var p: ptr device const float
            var q: const ptr device const float = p
            binding [a, b]: auto = (call make)
            binding [d, e]: ref thread const auto = x
            extern var ext: constant int
            enum
              one
              two
            var k: int = one
            union
              var i: int
              var f: float
            var u: {union }
            (= i 3)
            struct Local
              fn f: (z: float) -> float body
              var v: int = 2
            var l: Local
            (call (. l f) 1)
            var g1: G<float>
            var g2: ptr G<float>
            var w: float = 1
            var v: array[2] float = {1, 2}
            var z: float {3}
            fn func: (float) -> int
            var cd: ptr coherent float
            var od: ptr object_data X
            asm
            static var s: int = 0
        "#]],
    );
}

#[test]
fn removed_features() {
    check(
        "struct V { virtual void f() = 0; virtual ~V(); };
         void g() throw() { try { throw 1; } catch (int e) { } catch (...) { } register int x; thread_local int y; }",
        expect![[r#"
            struct V
              virtual pure fn f: () -> void
              virtual dtor ~V: () -> <none>
            fn g: () -> void body
            g:
            block
              try
                block
                  (removed Throw 1)
              catch
                block
              catch
                block
              register var x: int
              thread_local var y: int
        "#]],
    );
}
