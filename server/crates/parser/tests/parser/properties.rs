//! What holds for any input.

use std::sync::Arc;

use msl_parser::ast::{Ast, DeclId, DeclKind, FunctionBody, TokenRange};
use msl_parser::{dump, parse_body, parse_decls, split};
use msl_preproc::{Token, TokenKind};
use proptest::prelude::*;

use crate::support::{library, tokens_of};

/// Pieces of source from which soup is made.
const PIECES: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    ">>",
    ">=",
    ">>=",
    "[[",
    "]]",
    ";",
    ",",
    ":",
    "::",
    "?",
    "...",
    "=",
    "+",
    "-",
    "*",
    "&",
    "&&",
    "||",
    "!",
    "~",
    ".",
    "->",
    "->*",
    ".*",
    "++",
    "#",
    "@",
    "1",
    "2.0h",
    "\"s\"",
    "'c'",
    "a",
    "b",
    "T",
    "X",
    "f",
    "float3",
    "vec",
    "metal",
    "array",
    "kernel",
    "vertex",
    "coherent",
    "object_data",
    "as_type",
    "__is_same",
    "final",
    "override",
    "__extension__",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "return",
    "break",
    "goto",
    "try",
    "catch",
    "throw",
    "new",
    "delete",
    "sizeof",
    "alignof",
    "alignas",
    "noexcept",
    "typeid",
    "static_cast",
    "decltype",
    "auto",
    "int",
    "unsigned",
    "float",
    "void",
    "const",
    "volatile",
    "device",
    "thread",
    "constant",
    "threadgroup",
    "struct",
    "class",
    "union",
    "enum",
    "namespace",
    "using",
    "typedef",
    "template",
    "typename",
    "operator",
    "friend",
    "virtual",
    "static",
    "constexpr",
    "inline",
    "extern",
    "explicit",
    "this",
    "static_assert",
    "__attribute__",
    "asm",
    "public",
    "mutable",
    "true",
    "\n",
    "struct X { int a; ",
    "template <typename T> ",
    "void f(int a) { ",
    "[](int x) { ",
    "X(int a) : a(a) { ",
    "array<T, 3>",
    "template <typename T, int N> struct Y ",
    "using namespace metal;",
    "for (int i = 0; i < 3; ++i) ",
    "device float *p",
];

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..120).prop_map(|pieces| pieces.join(" "))
}

/// Every node of the top layer lies in its stream, and in the streams below for member initialisers.
fn check_ranges(ast: &Ast) {
    let end = ast.end().tokens;
    let check = |range: TokenRange, what: &str| {
        assert!(range.start <= range.end && range.end <= end, "{what}: {range:?} does not lie in 0..{end}");
    };
    for (_, decl) in ast.own_decls() {
        check(decl.range, "declaration");
        assert!(decl.name_token <= end);
    }
    for (_, expr) in ast.own_exprs() {
        check(expr.range, "expression");
    }
    for (_, stmt) in ast.own_stmts() {
        check(stmt.range, "statement");
    }
    for (_, ty) in ast.own_types() {
        check(ty.range, "type");
    }
}

/// Splits and parses everything; returns the declarations' tree and that of each body.
fn parse_all(base: &Arc<Ast>, tokens: &[Token], cut: bool) -> (String, Vec<String>) {
    let stream = if cut {
        split(tokens)
    } else {
        msl_parser::DeclStream {
            tokens: tokens.to_vec(),
            source: (0..tokens.len() as u32).collect(),
            bodies: Vec::new(),
        }
    };
    let unit = parse_decls(Some(Arc::clone(base)), &stream.tokens);
    check_ranges(&unit.ast);
    for diagnostic in &unit.diagnostics {
        assert!(diagnostic.range.end <= unit.ast.end().tokens);
    }
    let tree = dump::dump_decls(&unit.ast, &unit.decls);
    let unit = Arc::new(unit.ast);
    let start = unit.start().tokens;
    let mut bodies = Vec::new();
    let functions: Vec<DeclId> = unit.own_decls().map(|(decl, _)| decl).collect();
    for decl in functions {
        let DeclKind::Function(function) = &unit[decl].kind else { continue };
        let body = match function.body {
            FunctionBody::Deferred(number) => {
                let range = stream.bodies[number as usize].clone();
                &tokens[range.start as usize..range.end as usize]
            }
            FunctionBody::Inline(range) => &stream.tokens[(range.start - start) as usize..(range.end - start) as usize],
            _ => continue,
        };
        let parsed = parse_body(Arc::clone(&unit), &stream.tokens, decl, body);
        check_ranges(&parsed.ast);
        bodies.push(dump::dump_inits(&parsed.ast, &parsed.inits) + &dump::dump_stmt(&parsed.ast, parsed.root));
    }
    (tree, bodies)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn soup_never_panics(source in soup()) {
        let tokens = tokens_of(&source);
        parse_all(&library(), &tokens, true);
    }

    #[test]
    fn soup_in_a_body_never_panics(source in soup()) {
        let tokens = tokens_of(&format!("template <typename T> struct X {{ int a; void f(int a) {{ {source} }} }};"));
        parse_all(&library(), &tokens, true);
    }

    #[test]
    fn soup_without_splitting_never_panics(source in soup()) {
        let tokens = tokens_of(&source);
        parse_all(&library(), &tokens, false);
    }

    #[test]
    fn splitting_loses_no_token(source in soup()) {
        let tokens = tokens_of(&source);
        let stream = split(&tokens);
        let mut next = 0;
        for (token, &index) in stream.tokens.iter().zip(&stream.source) {
            prop_assert_eq!(index, next);
            next = match token.kind {
                TokenKind::Body => stream.bodies[token.name.index() as usize].end,
                _ => index + 1,
            };
        }
        prop_assert_eq!(next as usize, tokens.len());
    }
}

/// Declarations without mistakes, put together at random.
fn declarations() -> impl Strategy<Value = String> {
    const DECLARATIONS: &[&str] = &[
        "void f(int a, device float *p) { p[a] = a; if (a < 3) { a = 1; } }",
        "struct S { int a; S(int x) : a(x) { a = x; } int get() const thread { return a; } operator int() { return a; } };",
        "template <typename T, int N = 3> T g(T x) { return x + N; }",
        "namespace n { constant int k = 1; inline int h() { return k; } struct In { void m() { } }; }",
        "constexpr int c(int x) { return x * 2; }",
        "auto d(float x) { return x; }",
        "auto e(float x) -> float { return x; }",
        "enum E { one, two = 3 };",
        "using A = vec<float, 4>;",
        "kernel void k(texture2d<float> t [[texture(0)]], uint3 gid [[thread_position_in_grid]]) { auto l = [](int x) { return x; }; l(1); }",
        "constant float table[] = {1, 2, 3};",
        "float4 operator+(n::In a, n::In b) { return float4(1); }",
        "struct alignas(8) Q { float2 v = {1, 2}; Q &operator=(const Q &o) { return *this; } };",
    ];
    prop::collection::vec(prop::sample::select(DECLARATIONS), 0..12).prop_map(|parts| parts.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn splitting_changes_nothing(source in declarations()) {
        let base = library();
        let tokens = tokens_of(&source);
        let cut = parse_all(&base, &tokens, true);
        let whole = parse_all(&base, &tokens, false);
        prop_assert_eq!(cut, whole);
    }
}
