//! Broken code: one mistake, one report, and everything around it intact.

use expect_test::expect;

use crate::support::{analyse, check_errors, check_recovery};

#[test]
fn unknown_types_declare_their_names() {
    check_recovery(
        "void f(out float x, in Ray r, mat2 m) { mat2 k; Foo *p = x; Bar<int> b; vec2 v = vec2(1); k = m; }
         mat3 global;
         Unknown g(Unknown2 x);
         struct S { Missing m; int ok; };",
        expect![[r#"
            at `out`: unknown type name `out`
            at `in`: unknown type name `in`
            at `Ray`: unknown type name `Ray`
            at `mat2`: unknown type name `mat2`
            at `mat3`: unknown type name `mat3`
            at `Unknown`: unknown type name `Unknown`
            at `Unknown2`: unknown type name `Unknown2`
            at `Missing`: unknown type name `Missing`
            at `mat2`: unknown type name `mat2`
            at `Foo`: unknown type name `Foo`
            at `Bar < int >`: unknown type name `Bar`
            at `vec2`: unknown type name `vec2`
            ---
            fn f: (x: float, r: <error>, m: <error>) -> void body
            var global: <error>
            fn g: (x: <error>) -> <error>
            struct S
              var m: <error>
              var ok: int
            f:
            block
              var k: <error>
              var p: ptr <error> = x
              var b: <error>
              var v: <error> = (call vec2 1)
              (= k m)
        "#]],
    );
}

#[test]
fn reserved_words_as_names() {
    check_recovery(
        "kernel void k(uint3 gid [[thread_position_in_grid]], device float *device) {
             uint3 thread = gid;
             float constant[3];
             int x = thread.x + thread.y;
             thread.x = 3;
         }
         void f(float thread, int y) { y = thread; }
         struct S { int device; float ok; };
         void after() { }",
        expect![[r#"
            at `device`: the reserved word `device` cannot be used as a name
            at `thread`: the reserved word `thread` cannot be used as a name
            at `device`: the reserved word `device` cannot be used as a name
            at `thread`: the reserved word `thread` cannot be used as a name
            at `constant`: the reserved word `constant` cannot be used as a name
            ---
            kernel fn k: ([[thread_position_in_grid]] gid: uint3, device: ptr device float) -> void body
            fn f: (thread: float, y: int) -> void body
            struct S
              var device: int
              var ok: float
            fn after: () -> void body
            k:
            block
              var thread: uint3 = gid
              var constant: array[3] float
              var x: int = (+ (. thread x) (. thread y))
              (= (. thread x) 3)
            f:
            block
              (= y thread)
            after:
            block
        "#]],
    );
}

#[test]
fn missing_semicolons() {
    check_recovery(
        "struct S { int a }
         void f() {
             int x = 3
             x = 4
             f()
             return
         }
         constant int a = 1
         constant int b = 2;
         using namespace metal
         struct T { float x; int y }
         void g(S s, T t) { }",
        expect![[r#"
            behind `a`: expected `;` before `}`
            behind `}`: expected `;` before the reserved word `void`
            behind `1`: expected `;` before the reserved word `constant`
            behind `metal`: expected `;` before the reserved word `struct`
            behind `y`: expected `;` before `}`
            behind `}`: expected `;` before the reserved word `void`
            behind `3`: expected `;` before `x`
            behind `4`: expected `;` before `f`
            behind `)`: expected `;` before the reserved word `return`
            behind `return`: expected `;` before `}`
            ---
            struct S
              var a: int
            fn f: () -> void body
            var a: constant int = 1
            var b: constant int = 2
            using namespace metal
            struct T
              var x: float
              var y: int
            fn g: (s: S, t: T) -> void body
            f:
            block
              var x: int = 3
              (= x 4)
              (call f)
              return
            g:
            block
        "#]],
    );
}

#[test]
fn half_typed_functions() {
    check_recovery(
        "void before() { }
         void f(int x,
         kernel void after1(device float *p [[buffer(0)]]) { p[0] = 1; }
         float g(float y
         float after2(float z) { return z; }
         float h(float
         struct After3 { int a; };
         void i(
         template <typename T> void after4(T t) { }
         void j
         void after5() { }
         float4
         void after6() { }
         kernel void
         void after7() { }",
        expect![[r#"
            behind `,`: expected `)` before `kernel` (to close this `(`: at `(`)
            behind `y`: expected `)` before the reserved word `float` (to close this `(`: at `(`)
            behind `float`: expected `)` before the reserved word `struct` (to close this `(`: at `(`)
            behind `(`: expected `)` before the reserved word `template` (to close this `(`: at `(`)
            behind `j`: expected `;` before the reserved word `void`
            behind `float4`: expected a name before the reserved word `void`
            behind `void`: expected a name before the reserved word `void`
            ---
            fn before: () -> void body
            fn f: (x: int) -> void
            kernel fn after1: ([[buffer(0)]] p: ptr device float) -> void body
            fn g: (y: float) -> float
            fn after2: (z: float) -> float body
            fn h: (float) -> float
            struct After3
              var a: int
            fn i: () -> void
            <type T> fn after4: (t: T) -> void body
            var j: void
            fn after5: () -> void body
            fn after6: () -> void body
            fn after7: () -> void body
            before:
            block
            after1:
            block
              (= (index p 0) 1)
            after2:
            block
              return z
            after4:
            block
            after5:
            block
            after6:
            block
            after7:
            block
        "#]],
    );
}

#[test]
fn unclosed_braces() {
    check_recovery(
        "void f() {
             if (true) {
                 int x = 1;
         kernel void after1(device float *p) { p[0] = 1; }
         void g() {
             for (int i = 0; i < 3; ++i)
         float after2(float z) { return z; }
         void h() { } }
         void after3() { }",
        expect![[r#"
            at `}`: this `}` closes nothing
            behind `;`: expected `}` before the end of the code (to close this `{`: at `{`)
            behind `)`: expected a statement, found the end of the code
            ---
            fn f: () -> void body
            kernel fn after1: (p: ptr device float) -> void body
            fn g: () -> void body
            fn after2: (z: float) -> float body
            fn h: () -> void body
            fn after3: () -> void body
            f:
            block
              if true
                block
                  var x: int = 1
            after1:
            block
              (= (index p 0) 1)
            g:
            block
              for ; (< i 3) ; (++_ i)
              init
                var i: int = 0
                <error>
            after2:
            block
              return z
            h:
            block
            after3:
            block
        "#]],
    );
}

#[test]
fn half_typed_statements() {
    check_recovery(
        "struct S { int a; }; S s; int f(int, int);
         void g() {
             s.
             int a = 1;
             a = f(1,
             int b = 2;
             a = b +
             int c = 3;
             if (
             int d = 4;
             if (a
             int e = 5;
             for (int i = 0; i <
             int h = 6;
             a = (b + ;
             int k = 7;
             a = b[;
             int l = 8;
             return a b;
             int m = 9;
             a = 3 4;
             a = max(1, );
             else { }
             a = f(1, 2;
             int last;
         }
         void after() { }",
        expect![[r#"
            at `int`: expected the name of a member, found the reserved word `int`
            at `int`: expected an expression, found the reserved word `int`
            at `int`: expected an expression, found the reserved word `int`
            behind `4`: expected `)` before `;` (to close this `(`: at `(`)
            behind `a`: expected `)` before the reserved word `int` (to close this `(`: at `(`)
            at `int`: expected an expression, found the reserved word `int`
            at `;`: expected an expression, found `;`
            at `;`: expected an expression, found `;`
            behind `a`: expected `;` before `b`
            behind `3`: expected `;` before `4`
            at `)`: expected an expression, found `)`
            at `else`: this `else` belongs to no `if`
            behind `2`: expected `)` before `;` (to close this `(`: at `(`)
            ---
            struct S
              var a: int
            var s: S
            fn f: (int, int) -> int
            fn g: () -> void body
            fn after: () -> void body
            g:
            block
              (. s ?)
              var a: int = 1
              (= a (call f 1 <error>))
              var b: int = 2
              (= a (+ b <error>))
              var c: int = 3
              if var d: int = 4
                null
              if a
                var e: int = 5
              for ; (< i <error>) ; <error>
              init
                var i: int = 0
                var h: int = 6
              (= a ((+ b <error>)))
              var k: int = 7
              (= a (index b <error>))
              var l: int = 8
              return a
              var m: int = 9
              (= a 3)
              (= a (call max 1))
              block
              (= a (call f 1 2))
              var last: int
            after:
            block
        "#]],
    );
}

#[test]
fn stray_tokens() {
    check_recovery(
        ") int a;
         int b; }
         int c;
         @ int d;
         enum E { x y, = 3, z };
         struct S { int a; ) int b; int c( };
         int e;
         template <typename T void f(T t) { }
         template <typename T,> struct Q { };
         int last;",
        expect![[r#"
            at `)`: expected a declaration, found `)`
            at `}`: this `}` closes nothing
            at `@`: expected a declaration, found `@`
            behind `x`: expected `,` before `y`
            at `=`: expected an enumerator, found `=`
            at `)`: expected a member, found `)`
            at `}`: expected a type, found `}`
            behind `T`: expected `>` of the template header before the reserved word `void`
            at `>`: expected a template parameter, found `>`
            ---
            var a: int
            var b: int
            var c: int
            var d: int
            enum E
              x
              y
              z
            struct S
              var a: int
              var b: int
              fn c: (<error>) -> int
            var e: int
            <type T> fn f: (t: T) -> void body
            <type T> struct Q
            var last: int
            f:
            block
        "#]],
    );
}

#[test]
fn messages_name_what_was_found() {
    check_errors(
        "int f( { }
         int = 3;
         int x = ;
         int y[ = 3;
         void g() { while () { } do x(); }
         namespace { int z;
         ",
        expect![[r#"
            at `{`: expected a type, found `{`
            at `=`: expected a name, found `=`
            at `;`: expected an expression, found `;`
            at `=`: expected an expression, found `=`
            behind `3`: expected `]` before `;` (to close this `[`: at `[`)
            behind `;`: expected `}` before the end of the code (to close this `{`: at `{`)
            at `)`: expected a condition, found `)`
            behind `;`: expected `while` of the `do` statement before `}`
        "#]],
    );
}

#[test]
fn deep_nesting_is_reported_once() {
    let nestings = [
        ("(", ")"),
        ("{", "}"),
        ("-(", ")"),
        ("f(", ")"),
        ("x[", "]"),
        ("(int)", ""),
        ("[]{ return ", "; }"),
        ("a ? (", ") : b"),
        ("f<int>(", ")"),
        ("sizeof(", ")"),
        ("-sizeof ", ""),
        ("{.a = ", "}"),
        ("f([&] { return f(", "); })"),
        ("A<decltype(f(", "))>()"),
        ("float(int(f<int>(", ")))"),
    ];
    for (open, close) in nestings {
        let (open, close) = (open.repeat(10_000), close.repeat(10_000));
        let source = format!(
            "template <typename T> int f(T); template <typename T> struct A {{ }}; void g() {{ x = {open}1{close}; }} void h() {{ y = 2; }}"
        );
        let analysed = analyse(&source);
        assert_eq!(analysed.diagnostics.len(), 1, "{open:.9}: {:?}", analysed.diagnostics);
        assert!(analysed.diagnostics[0].contains("nested too deeply"), "{open:.9}: {:?}", analysed.diagnostics);
        assert!(analysed.tree.contains("(= y 2)"));
    }
    let nestings = [
        ("if (x) { ", "}"),
        ("if (x) ", ""),
        ("for (int i : x) { ", "}"),
        ("while (int y = x) ", ""),
        ("switch (x) { default: ", "}"),
        ("do ", " while (x);"),
        ("label: ", ""),
        ("default: ", ""),
        ("f([&](int q) { ", "});"),
        ("try { ", "} catch (int e) { }"),
        ("({ ", "});"),
    ];
    for (open, close) in nestings {
        let (open, close) = (open.repeat(5_000), close.repeat(5_000));
        let source = format!(
            "template <typename T> struct A {{ }}; int x; int f(int); void g() {{ {open} x = 1; {close} }} void h() {{ y = 2; }}"
        );
        let analysed = analyse(&source);
        assert_eq!(analysed.diagnostics.len(), 1, "{open:.9}: {:?}", analysed.diagnostics);
        assert!(analysed.tree.contains("(= y 2)"), "{open:.9}");
    }
    let nestings = [
        ("namespace n {", "}"),
        ("struct S {", "};"),
        ("A<", ">"),
        ("void (*", ")(int)"),
        ("template <template <", "> class T> struct X;"),
        ("int x = (", ")"),
        ("void f(void f(", "))"),
        ("int a[", "]"),
        ("decltype(", ")"),
        ("extern \"C\" {", "}"),
        ("[[a(", ")]]"),
        ("enum E { x = (", ") }"),
    ];
    for (open, close) in nestings {
        let source = format!(
            "template <typename T> struct A {{}}; {} int {}; int last;",
            open.repeat(10_000),
            close.repeat(10_000)
        );
        let analysed = analyse(&source);
        let _ = (analysed.tree, analysed.diagnostics);
    }
}

#[test]
fn long_chains_are_no_nesting() {
    let sum = vec!["x"; 20_000].join(" + ");
    let commas = vec!["x"; 20_000].join(", ");
    let chain = "if (x) { } else ".repeat(5_000);
    let conditional = "x ? x : ".repeat(5_000);
    let prefix = "- ".repeat(20_000);
    let cases = "case 1: ".repeat(5_000);
    let calls = "(1)".repeat(5_000);
    let members = ".a".repeat(5_000);
    let source = format!(
        "int x; void f() {{ x = {sum}; {commas}; {chain} {{ }} x = {conditional} x; x = {prefix} x; switch (x) {{ {cases} x = 1; }} x{calls}; x{members}; }}"
    );
    let tokens = crate::support::tokens_of(&source);
    let stream = msl_parser::split(&tokens);
    let unit = msl_parser::parse_decls(None, &stream.tokens);
    assert_eq!(unit.diagnostics, []);
    let unit = std::sync::Arc::new(unit.ast);
    let function = unit.own_decls().map(|(decl, _)| decl).last().expect("there is a function");
    let body = &stream.bodies[0];
    let parsed =
        msl_parser::parse_body(unit, &stream.tokens, function, &tokens[body.start as usize..body.end as usize]);
    assert_eq!(parsed.diagnostics, []);
}

#[test]
fn a_mistake_does_not_hide_types() {
    check_recovery(
        "constexpr constant uint
         constexpr constant uint a = 1;
         static inline int2 int2 f(int x) { return x; }
         inline auto float4 g() { return 1; }
         uint b; int2 c; float4 d;
         template <typename T, int BK BK, int N> T e(T t);
         void (int x) { }
         kernel void k
             device float *x [[buffer(0)]],
             constant uint &n [[buffer(1)]]) { x[0] = n; }
         uint after;",
        expect![[r#"
            behind `uint`: expected `;` before `a`
            behind `int2`: expected `;` before `f`
            behind `float4`: expected `;` before `g`
            at `BK`: expected `,` or `>`, found `BK`
            at `(`: expected the name of the function before its parameters
            behind `k`: expected `;` before the reserved word `device`
            at `constant`: expected a name, found the reserved word `constant`
            ---
            constexpr var uint: constant constant uint
            static inline var int2: int2
            inline var float4: auto
            var b: uint
            var c: int2
            var d: float4
            <type T, BK: int, N: int> fn e: (t: T) -> T
            fn ?: (x: int) -> void body
            kernel var k: void
            [[buffer(0)]] var x: ptr device float
            var ?: device float
            var after: uint
            ?:
            block
        "#]],
    );
}

#[test]
fn code_that_is_being_typed() {
    check_recovery(
        "namespace n {
         struct Open { int a;
         kernel void k1(device float *p [[buffer(0)]]) { p[0] = 1; }
         }
         void f1(float4 v) { v. }
         void f2(float4 v) { metal:: }
         void f3(float4 v) { float x = v.x * }
         void f4(float4 v) { f1( }
         void f5(float4 v) { if }
         void f6(float4 v) { for ( }
         void f7(float4 v) { return }
         void f8(float4 v) { v.x = f1(v, [ }
         void f9(float4 v) { array< }
         void f10(float4 v) { auto l = [&](int x }
         kernel void k2(device float *x [[) { }
         kernel void k3(device float *x [[buf) { }
         kernel void k4(device float *x [[buffer() { }
         kernel void k5(device float *x [[buffer(0)], uint y) { }
         missing(int x) { return x; }
         struct S2 : { int a; };
         struct { int b; };
         using T2 = ;
         typedef int;
         template <typename T>
         constant int z = 1;
         void last() { }",
        expect![[r#"
            behind `;`: expected `}` before `kernel` (to close this `{`: at `{`)
            behind `[`: expected `]` before `)` (to close this `[`: at `[`)
            behind `buf`: expected `]` before `)` (to close this `[`: at `[`)
            behind `)`: expected `]` before `{` (to close this `[`: at `[`)
            behind `]`: expected `]` before `,` (to close this `[`: at `[`)
            at `missing`: the function `missing` has no return type
            at `{`: expected a base class, found `{`
            at `;`: expected a type, found `;`
            at `}`: expected the name of a member, found `}`
            at `}`: expected a name, found `}`
            at `}`: expected an expression, found `}`
            at `}`: expected an expression, found `}`
            behind `if`: expected `(` before `}`
            at `}`: expected an expression, found `}`
            behind `return`: expected `;` before `}`
            at `}`: expected a capture, found `}`
            at `}`: expected an expression, found `}`
            at `}`: expected `,` or `)`, found `}`
            ---
            namespace n
              struct Open
                var a: int
              kernel fn k1: ([[buffer(0)]] p: ptr device float) -> void body
            fn f1: (v: float4) -> void body
            fn f2: (v: float4) -> void body
            fn f3: (v: float4) -> void body
            fn f4: (v: float4) -> void body
            fn f5: (v: float4) -> void body
            fn f6: (v: float4) -> void body
            fn f7: (v: float4) -> void body
            fn f8: (v: float4) -> void body
            fn f9: (v: float4) -> void body
            fn f10: (v: float4) -> void body
            kernel fn k2: (x: ptr device float) -> void body
            kernel fn k3: ([[buf]] x: ptr device float) -> void body
            kernel fn k4: ([[buffer()]] x: ptr device float) -> void body
            kernel fn k5: ([[buffer(0)]] x: ptr device float, y: uint) -> void body
            fn missing: (x: int) -> <none> body
            struct S2
              var a: int
            struct
              var b: int
            alias T2 = <error>
            empty
            <type T> var z: constant int = 1
            fn last: () -> void body
            k1:
            block
              (= (index p 0) 1)
            f1:
            block
              (. v ?)
            f2:
            block
              metal::?
            f3:
            block
              var x: float = (* (. v x) <error>)
            f4:
            block
              (call f1 <error>)
            f5:
            block
              if <error>
                <error>
            f6:
            block
              for ; <error> ; <error>
              init
                <error>
                <error>
            f7:
            block
              return
            f8:
            block
              (= (. v x) (call f1 v (lambda [] () -> auto <error>)))
            f9:
            block
              array<#<error>>
            f10:
            block
              var l: auto = (lambda [&] (x: int) -> auto <error>)
            k2:
            block
            k3:
            block
            k4:
            block
            k5:
            block
            missing:
            block
              return x
            last:
            block
        "#]],
    );
}
