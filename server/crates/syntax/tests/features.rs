//! What stands on the raw tree: folding, selection, brackets, declarations, colours.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use msl_syntax::{
    RawTree, Text, folding_ranges, matching_bracket, selection_ranges, syntax_tokens, top_level_declarations,
};
use proptest::prelude::*;

fn parse(source: &str) -> (Text, RawTree) {
    let text = Text::new(source);
    let tree = RawTree::parse(&text);
    (text, tree)
}

/// Takes `$0` out of the source and returns its offset.
fn cursor(fixture: &str) -> (String, u32) {
    let offset = fixture.find("$0").expect("a cursor");
    (fixture.replacen("$0", "", 1), offset as u32)
}

fn one_line(text: &str) -> String {
    text.escape_debug().to_string()
}

fn check_folding(source: &str, expected: Expect) {
    let (text, tree) = parse(source);
    let mut output = String::new();
    for fold in folding_ranges(&tree, &text) {
        let hidden = one_line(&text.slice(fold.range.clone()));
        let lines = fold.lines(&text).map_or("-".to_owned(), |(first, last)| format!("{first}-{last}"));
        writeln!(output, "{:?} {lines} {hidden}", fold.kind).expect("a string");
    }
    expected.assert_eq(&output);
}

#[test]
fn folding_blocks_and_lists() {
    check_folding(
        "kernel void f(device int *a,\n    device int *b) {\n  if (x) { y; }\n  for (;;) {\n    z;\n  }\n}\nstruct S {\n  int x; };\n",
        expect![[r#"
            Code 0-1 device int *a,\n    device int *b
            Code 1-5 \n  if (x) { y; }\n  for (;;) {\n    z;\n  }\n
            Code 3-4 \n    z;\n  
            Code 7-8 \n  int x; 
        "#]],
    );
}

#[test]
fn folding_comments_and_includes() {
    check_folding(
        "/* one\n two */\n#include <a>\n\n#include \"b\"\nint x; // x\n\n// one\n// two\n// three\nint y;\n",
        expect![[r#"
            Comment 0-1  one\n two 
            Includes 2-4 \n\n#include \"b\"
            Comment 7-9 \n// two\n// three
        "#]],
    );
}

#[test]
fn folding_directives_within_parameters() {
    check_folding(
        "#pragma region buffers\nkernel void f(\n#if A\n  int a,\n#else\n  int b,\n#endif\n  int c);\n#pragma endregion\n",
        expect![[r#"
            Region 0-7 \nkernel void f(\n#if A\n  int a,\n#else\n  int b,\n#endif\n  int c);
            Code 1-7 \n#if A\n  int a,\n#else\n  int b,\n#endif\n  int c
            Region 2-3 \n  int a,
            Region 4-5 \n  int b,
        "#]],
    );
}

#[test]
fn folding_macro_bodies_but_not_text_that_looks_like_directives() {
    check_folding(
        "#define F(x) \\\n  g(x) \\\n  h(x)\n/*\n#if A\n#endif\n*/\nswitch_(x) { case 1:\n  a;\n  b;\n}\r\n#if 1\r\nint x;\r\n#endif",
        expect![[r#"
            Code 0-2 \n  g(x) \\\n  h(x)
            Comment 3-5 \n#if A\n#endif\n
            Code 7-9  case 1:\n  a;\n  b;\n
            Code 7-9 \n  a;\n  b;
            Region 11-12 \r\nint x;
        "#]],
    );
}

fn check_selection(fixture: &str, expected: Expect) {
    let (source, offset) = cursor(fixture);
    let (text, tree) = parse(&source);
    let ranges = selection_ranges(&tree, &text, offset);
    for pair in ranges.windows(2) {
        assert!(pair[1].start <= pair[0].start && pair[0].end <= pair[1].end && pair[0] != pair[1], "{pair:?}");
    }
    let lines: Vec<String> = ranges.into_iter().map(|range| one_line(&text.slice(range)) + "\n").collect();
    expected.assert_eq(&lines.concat());
}

#[test]
fn selection_grows_from_a_word() {
    check_selection(
        "void f() { out[gid] = in.co$0lor * 2; }",
        expect![[r#"
            color
            in.color
            in.color * 2
            out[gid] = in.color * 2
            out[gid] = in.color * 2;
            { out[gid] = in.color * 2; }
            void f() { out[gid] = in.color * 2; }
        "#]],
    );
}

#[test]
fn selection_behind_a_word_and_inside_an_attribute() {
    check_selection(
        "void f(device float *p$0 [[buffer(0)]], int x);",
        expect![[r#"
            p
            p [[buffer(0)]]
            *p [[buffer(0)]]
            device float *p [[buffer(0)]]
            device float *p [[buffer(0)]], int x
            (device float *p [[buffer(0)]], int x)
            f(device float *p [[buffer(0)]], int x)
            void f(device float *p [[buffer(0)]], int x);
        "#]],
    );
}

#[test]
fn selection_in_comments_strings_and_nothing() {
    check_selection(
        "// see th$0is\nint x;",
        expect![[r#"
            this
            // see this
            // see this\nint x;
        "#]],
    );
    let (text, tree) = parse("");
    assert_eq!(selection_ranges(&tree, &text, 7), vec![0..0]);
}

fn check_brackets(fixture: &str, expected: Option<(&str, &str)>) {
    let (source, offset) = cursor(fixture);
    let (text, tree) = parse(&source);
    let pair = matching_bracket(&tree, &text, offset);
    if let Some(pair) = &pair {
        // Both ends lead to the same pair.
        assert_eq!(matching_bracket(&tree, &text, pair.open.start).as_ref(), Some(pair));
        assert_eq!(matching_bracket(&tree, &text, pair.close.start).as_ref(), Some(pair));
    }
    let found =
        pair.map(|pair| (source[..pair.open.end as usize].to_owned(), source[pair.close.start as usize..].to_owned()));
    assert_eq!(found.as_ref().map(|(open, close)| (open.as_str(), close.as_str())), expected, "{fixture}");
}

#[test]
fn brackets() {
    check_brackets("void f$0(int a[(2)]) {}", Some(("void f(", ") {}")));
    check_brackets("void f(int a[(2)])$0 {}", Some(("void f(", ") {}")));
    check_brackets("void f(int a[(2)$0]) {}", Some(("void f(int a[", "]) {}")));
    check_brackets("int x [[id(0)$0]];", Some(("int x [[", "]];")));
    check_brackets("vec$0<float, vec<int, 2>::size> v;", Some(("vec<", "> v;")));
    check_brackets("bool b = x $0< y;", None);
    check_brackets("auto v = as_type$0<int>(x);", Some(("auto v = as_type<", ">(x);")));
    check_brackets("CALL(a, $0{ b, (c) })\nint x;", Some(("CALL(a, {", "})\nint x;")));
    check_brackets("#define A(x) f$0(g[x])\n", Some(("#define A(x) f(", ")\n")));
    check_brackets("void f() { g$0(1; }", None);
}

fn check_declarations(source: &str, expected: Expect) {
    let (text, tree) = parse(source);
    let mut output = String::new();
    for declaration in top_level_declarations(&tree, &text) {
        let names: Vec<_> = declaration.names.iter().map(|name| text.slice(name.clone())).collect();
        let parent = declaration.parent.map_or(String::new(), |parent| format!(" in {parent}"));
        writeln!(
            output,
            "{:?} {}{parent}: {}",
            declaration.kind,
            names.join(", "),
            one_line(&text.slice(declaration.range))
        )
        .expect("a string");
    }
    expected.assert_eq(&output);
}

#[test]
fn declarations_of_every_kind() {
    check_declarations(
        r#"#include <metal_stdlib>
using namespace metal;
using metal::float4;
struct S { int x; };
struct Forward;
enum class E : uint { a, b };
typedef float F;
using G = half;
constant int a = 1, *b, c[2];
constexpr sampler s(filter::linear);
static_assert(sizeof(S) == 4, "");
template <typename T> [[visible]] T f(T x) { return x; }
template [[host_name("f")]] int f<int>(int);
device int *g(int x);
S operator+(S a, S b) { return a; }
void S::h() const device {}
union U { int i; } u;
"#,
        expect![[r#"
            Using : using namespace metal;
            Using metal::float4: using metal::float4;
            Struct S: struct S { int x; };
            Struct Forward: struct Forward;
            Enum E: enum class E : uint { a, b };
            TypeAlias F: typedef float F;
            TypeAlias G: using G = half;
            Declaration a, b, c: constant int a = 1, *b, c[2];
            Declaration s: constexpr sampler s(filter::linear);
            StaticAssert : static_assert(sizeof(S) == 4, \"\");
            Function f: template <typename T> [[visible]] T f(T x) { return x; }
            ExplicitInstantiation f: template [[host_name(\"f\")]] int f<int>(int);
            Declaration g: device int *g(int x);
            Function operator+: S operator+(S a, S b) { return a; }
            Function S::h: void S::h() const device {}
            Declaration u: union U { int i; } u;
        "#]],
    );
}

#[test]
fn declarations_in_namespaces_and_directives() {
    check_declarations(
        "namespace n {\n#if A\nint a;\n#elif B\nint b;\n#else\nnamespace m { void f() {} }\n#endif\nint c;\n}\nextern \"C\" { int d; }\nextern \"C\" int e;\nMACRO(1)\nint g;\n",
        expect![[r#"
            Namespace n: namespace n {\n#if A\nint a;\n#elif B\nint b;\n#else\nnamespace m { void f() {} }\n#endif\nint c;\n}
            Declaration a in 0: int a;
            Declaration b in 0: int b;
            Namespace m in 0: namespace m { void f() {} }
            Function f in 3: void f() {}
            Declaration c in 0: int c;
            Linkage : extern \"C\" { int d; }
            Declaration d in 6: int d;
            Declaration e: extern \"C\" int e;
            Other MACRO: MACRO(1)
            Declaration g: int g;
        "#]],
    );
}

fn check_tokens(source: &str, expected: Expect) {
    let (text, tree) = parse(source);
    let tokens = syntax_tokens(&tree, &text, 0..text.len());
    for pair in tokens.windows(2) {
        assert!(pair[0].range.end <= pair[1].range.start, "{pair:?}");
    }
    let lines: Vec<String> = tokens
        .iter()
        .map(|token| format!("{:?} {}\n", token.class, one_line(&text.slice(token.range.clone()))))
        .collect();
    expected.assert_eq(&lines.concat());
    // A part has the colours of the whole.
    let part = text.len() / 3..text.len() * 2 / 3;
    let expected: Vec<_> =
        tokens.into_iter().filter(|token| token.range.start < part.end && token.range.end > part.start).collect();
    let found = syntax_tokens(&tree, &text, part.clone());
    let found: Vec<_> =
        found.into_iter().filter(|token| token.range.start < part.end && token.range.end > part.start).collect();
    assert_eq!(found, expected);
}

#[test]
fn tokens_of_a_kernel() {
    check_tokens(
        "#define N 4 // four\nkernel void f(device half4 *p [[buffer(0)]]) {\n  UNROLL for (int i = 0; i < N; i++) p[i].xy = metal::max(half2(1.0h), \"a\\n\"[0]);\n}\n",
        expect![[r#"
            Directive #define
            Macro N
            Modifier kernel
            Type void
            Function f
            Modifier device
            Type half4
            Operator *
            Parameter p
            Attribute buffer
            Number 0
            Macro UNROLL
            Keyword for
            Type int
            Variable i
            Operator =
            Number 0
            Variable i
            Operator <
            Variable N
            Variable i
            Operator ++
            Variable p
            Variable i
            Member xy
            Operator =
            Namespace metal
            Function max
            Type half2
            Number 1.0h
            String \"a
            String \\n
            String \"
            Number 0
        "#]],
    );
}

#[test]
fn tokens_of_declarations() {
    check_tokens(
        "namespace n { enum E { A }; }\nconstexpr sampler s(filter::linear);\n/* c */ template <class T> T S<T>::operator+(T x) const thread { return this->y_; }\nFOO(1)\n",
        expect![[r#"
            Keyword namespace
            Namespace n
            Keyword enum
            Type E
            Constant A
            Modifier constexpr
            Type sampler
            Variable s
            Namespace filter
            Type linear
            Comment /* c */
            Keyword template
            Keyword class
            Type T
            Type T
            Type S
            Type T
            Keyword operator
            Operator +
            Type T
            Parameter x
            Modifier const
            Modifier thread
            Keyword return
            Keyword this
            Operator ->
            Member y_
            Macro FOO
        "#]],
    );
}

/// Pieces of Metal, whole and broken, in any order.
fn any_source() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "kernel void f(",
        "device float *p",
        " [[buffer(0)]]",
        ")",
        "(",
        "{",
        "}",
        "[",
        "]",
        "<",
        ">",
        ";",
        ",",
        "\n",
        "\r\n",
        "\r",
        "#if A\n",
        "#else\n",
        "#endif\n",
        "#define M(x) \\\n x\n",
        "#include <a>\n",
        "#pragma region\n",
        "#pragma endregion",
        "#",
        "/*",
        "*/",
        "//",
        "// é😀\n",
        "\"",
        "'",
        "R\"x(",
        ")x\"",
        "namespace n ",
        "extern \"C\" ",
        "struct S ",
        "template <typename T>",
        "using ",
        "typedef int I",
        "operator",
        "~S()",
        "FOR (int i = 0; i < 2; i++) ",
        "CALL(1)\n",
        "as_type<int>(x)",
        "é",
        "\\",
        "::",
        "switch (x) { case 1:\n",
        "enum E { a, b }",
        "= ",
        "&",
        "auto [a, b] = c;",
        " ",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_feature_takes_any_text(source in any_source()) {
        let (text, tree) = parse(&source);
        let is_inside = |range: &std::ops::Range<u32>| {
            range.start <= range.end
                && range.end <= text.len()
                && source.is_char_boundary(range.start as usize)
                && source.is_char_boundary(range.end as usize)
        };
        for fold in folding_ranges(&tree, &text) {
            prop_assert!(is_inside(&fold.range), "{:?}", fold);
            if let Some((first, last)) = fold.lines(&text) {
                prop_assert!(first < last && last < text.line_count());
            }
        }
        for offset in 0..=text.len() + 1 {
            let ranges = selection_ranges(&tree, &text, offset);
            prop_assert!(ranges.iter().all(is_inside), "{:?}", ranges);
            prop_assert_eq!(ranges.last(), Some(&(0..text.len())));
            for pair in ranges.windows(2) {
                prop_assert!(pair[1].start <= pair[0].start && pair[0].end <= pair[1].end && pair[0] != pair[1]);
            }
            if let Some(pair) = matching_bracket(&tree, &text, offset) {
                prop_assert!(is_inside(&pair.open) && is_inside(&pair.close) && pair.open.end <= pair.close.start);
                prop_assert_eq!(matching_bracket(&tree, &text, pair.close.start), Some(pair.clone()));
                prop_assert_eq!(matching_bracket(&tree, &text, pair.open.start), Some(pair.clone()));
            }
        }
        let declarations = top_level_declarations(&tree, &text);
        for (index, declaration) in declarations.iter().enumerate() {
            prop_assert!(is_inside(&declaration.range) && declaration.names.iter().all(is_inside));
            prop_assert!(declaration.parent.is_none_or(|parent| parent < index));
        }
        let tokens = syntax_tokens(&tree, &text, 0..u32::MAX);
        prop_assert!(tokens.iter().all(|token| is_inside(&token.range) && !token.range.is_empty()));
        prop_assert!(tokens.is_sorted_by(|a, b| a.range.end <= b.range.start), "{:?}", tokens);
    }
}

/// Nesting as deep as a hostile file has it: no feature recurses.
#[test]
fn deep_nesting_is_no_danger() {
    for (open, close) in [("(", ")"), ("{", "}"), ("f(", ")"), ("\n#if A\n", "\n#endif\n"), ("namespace n {", "}")] {
        let source = format!("{}{}", open.repeat(3_000), close.repeat(3_000));
        let (text, tree) = parse(&source);
        let middle = text.len() / 2;
        folding_ranges(&tree, &text);
        assert!(!selection_ranges(&tree, &text, middle).is_empty());
        matching_bracket(&tree, &text, middle);
        top_level_declarations(&tree, &text);
        syntax_tokens(&tree, &text, 0..text.len());
    }
}
