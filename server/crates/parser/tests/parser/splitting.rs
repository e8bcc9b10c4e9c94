//! The cheap split.

use expect_test::{Expect, expect};
use msl_parser::split;
use msl_preproc::TokenKind;

use crate::support::tokens_of;

/// The declaration stream as text, bodies as `{#n}`.
#[track_caller]
fn check_split(source: &str, expected: Expect) {
    let tokens = tokens_of(source);
    let stream = split(&tokens);
    let mut text = String::new();
    for token in &stream.tokens {
        match token.kind {
            TokenKind::Body => text.push_str(&format!("{{#{}}}\n", token.name.index())),
            _ => {
                text.push_str(token.text());
                text.push(if matches!(token.text(), ";" | "}") { '\n' } else { ' ' });
            }
        }
    }
    expected.assert_eq(&text);
}

#[test]
fn bodies_are_cut() {
    check_split(
        "void f() { a; { b; } }
         float g(int x) const thread noexcept(true) override { }
         auto h() -> int { }
         S::S(int x) : a(x), b{x}, c<int>{1} { }
         struct T : B<int> { T() {} int a = {1}; void m() & { } int n{3}; operator float() const { } T &operator=(const T &o) { } bool operator()(int) { } };
         namespace n { inline namespace m { void k() { } } }
         extern \"C\" { void e() { } }
         template <class T = int, int N = (1<2)> void t(T x = {}) { }
         kernel void kern(device float *p [[buffer(0)]]) { }
         void w() [[attr]] __attribute__((noinline)) { }
         float (*fp(int))(float) { }
         ",
        expect![[r#"
            void f ( ) {#0}
            float g ( int x ) const thread noexcept ( true ) override {#1}
            auto h ( ) -> int {#2}
            S :: S ( int x ) : a ( x ) , b { x }
            , c < int > { 1 }
            {#3}
            struct T : B < int > { T ( ) {#4}
            int a = { 1 }
            ;
            void m ( ) & {#5}
            int n { 3 }
            ;
            operator float ( ) const {#6}
            T & operator = ( const T & o ) {#7}
            bool operator ( ) ( int ) {#8}
            }
            ;
            namespace n { inline namespace m { void k ( ) {#9}
            }
            }
            extern "C" { void e ( ) {#10}
            }
            template < class T = int , int N = ( 1 < 2 ) > void t ( T x = { }
            ) {#11}
            kernel void kern ( device float * p [ [ buffer ( 0 ) ] ] ) {#12}
            void w ( ) [ [ attr ] ] __attribute__ ( ( noinline ) ) {#13}
            float ( * fp ( int ) ) ( float ) {#14}
        "#]],
    );
}

#[test]
fn other_braces_stay() {
    check_split(
        "int a[] = {1, 2};
         auto l = [](int x) { return x; };
         float4 v{1, 2};
         struct alignas(16) A { int x; };
         struct __attribute__((packed)) B { int x; };
         struct [[attr(1)]] C { int x; };
         enum E : int { x, y = (1) };
         enum class F { z };
         union U { int i; };
         constexpr int c(int x) { return x; }
         auto d() { return 1; }
         decltype(auto) e() { return 1; }
         struct { int q; } anonymous = {1};
         constant float table[2] = {f(1), 2};
         constexpr auto lambda = [](float) -> float { return 1; };
         int operator==(A, A);
         struct Holder { constexpr Holder(int x) : v(x) {} int v; auto get() { return v; } };",
        expect![[r#"
            int a [ ] = { 1 , 2 }
            ;
            auto l = [ ] ( int x ) { return x ;
            }
            ;
            float4 v { 1 , 2 }
            ;
            struct alignas ( 16 ) A { int x ;
            }
            ;
            struct __attribute__ ( ( packed ) ) B { int x ;
            }
            ;
            struct [ [ attr ( 1 ) ] ] C { int x ;
            }
            ;
            enum E : int { x , y = ( 1 ) }
            ;
            enum class F { z }
            ;
            union U { int i ;
            }
            ;
            constexpr int c ( int x ) { return x ;
            }
            auto d ( ) { return 1 ;
            }
            decltype ( auto ) e ( ) { return 1 ;
            }
            struct { int q ;
            }
            anonymous = { 1 }
            ;
            constant float table [ 2 ] = { f ( 1 ) , 2 }
            ;
            constexpr auto lambda = [ ] ( float ) -> float { return 1 ;
            }
            ;
            int operator == ( A , A ) ;
            struct Holder { constexpr Holder ( int x ) : v ( x ) { }
            int v ;
            auto get ( ) { return v ;
            }
            }
            ;
        "#]],
    );
}

#[test]
fn an_edit_inside_a_body_leaves_the_declarations_equal() {
    let before = split(&tokens_of("int a; void f() { x; } struct S { void g() { } }; int b;"));
    let after = split(&tokens_of("int a; void f() { y + (z * 3); if (q) { } } struct S { void g() { } }; int b;"));
    assert_eq!(before.tokens, after.tokens);
    assert_ne!(before.bodies, after.bodies);
}

#[test]
fn no_token_is_lost() {
    for source in [
        "void f() { { } kernel void g() { } }",
        "void f(int x,\n kernel void g(float y) { z; }",
        "} ) ] { ( [ void f() { } template < void g() { }",
        "void f() {\n struct S {\n void g() {\n",
        "void f() {\n if (x) {\n constant int a = 1;\n struct S { int a; };\n void g(int x) { }\n",
    ] {
        let tokens = tokens_of(source);
        let stream = split(&tokens);
        let mut covered = vec![0; tokens.len()];
        for (token, &index) in stream.tokens.iter().zip(&stream.source) {
            if token.kind != TokenKind::Body {
                covered[index as usize] += 1;
            }
        }
        for body in &stream.bodies {
            for index in body.clone() {
                covered[index as usize] += 1;
            }
        }
        assert!(covered.iter().all(|&count| count == 1), "{source}: {covered:?}");
    }
}

#[test]
fn an_unclosed_body_ends_where_the_next_declaration_starts() {
    check_split(
        "void f() {
           if (x) {
             int y = 1;
         template <typename T> void g(T t) { }
         void h() { for (;;) {
         [[kernel]] void k(device float *p) { }
         void l() { struct Local {
             void method(int x) { }
           }; }
         void m() { {
         struct S { int a; };
         constant int c = 1;",
        expect![[r#"
            void f ( ) {#0}
            template < typename T > void g ( T t ) {#1}
            void h ( ) {#2}
            [ [ kernel ] ] void k ( device float * p ) {#3}
            void l ( ) {#4}
            void m ( ) {#5}
            struct S { int a ;
            }
            ;
            constant int c = 1 ;
        "#]],
    );
}
