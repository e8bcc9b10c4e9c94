//! Directives, includes and lexical matters.

use super::*;

fn check_files(fixture: &str, expected: Expect) {
    let unit = Files::fixture(fixture).preprocess();
    let mut text = expanded_text(&unit);
    text.push_str(&report(&unit));
    expected.assert_eq(&text);
}

#[test]
fn conditions() {
    check(
        "#if 1 + 2 * 3 == 7 && -1 < 0 && -1 > 0u && (1 ? 2 : 3) == 2 && 0x7fffffffffffffff + 1 < 0\na\n#endif\n#if 0 && 1 / 0\nb\n#elif 'a' == 97 && '\\n' == 10 && '\\377' < 0 && 'ab' == 24930\nc\n#else\nd\n#endif\n#if 1 / 0\n#endif\n#if undefined_thing || true\ne\n#endif\n#if -1 >> 70 == -1 && 1 << 64 == 0 && (2, 3) == 3 && 1 ? 0 : 1 ? 2 : 3\n#else\nf\n#endif\n",
        expect![[r#"
            a
            c
            e
            f
            0:202..203 PreprocessorError: division by zero
        "#]],
    );
}

#[test]
fn bad_conditions() {
    check(
        "#if\n#endif\n#if (1\n#endif\n#if 1)\n#endif\n#if 1 +\n#endif\n#if 1 2\n#endif\n#if f(1)\n#endif\n#if 1.0\n#endif\n#if defined\n#endif\n#if 1 ? 2\n#endif\n#if 1 : 2\n#endif\n#if (1 ? 2)\n#endif\n#if 99999999999999999999\n#endif\n#if 1uu\n#endif\n",
        expect![[r#"

            0:0..3 PreprocessorError: the condition is empty
            0:15..16 PreprocessorError: `(` without `)`
            0:30..31 PreprocessorError: `)` without `(`
            0:39..46 PreprocessorError: the condition ends where a value should stand
            0:60..61 PreprocessorError: expected an operator before `2`
            0:73..74 PreprocessorError: function-like macro `f` is not defined
            0:89..92 PreprocessorError: a condition has no floating literals
            0:104..111 PreprocessorError: `defined` needs the name of a macro, with or without parentheses
            0:125..126 PreprocessorError: `?` without `:`
            0:142..143 PreprocessorError: `:` without `?`
            0:163..164 PreprocessorError: `?` without `:`
            0:176..196 PreprocessorError: this integer literal is too large
            0:208..211 PreprocessorError: invalid suffix of an integer literal
        "#]],
    );
}

#[test]
fn defined_and_has() {
    check(
        "#define X\n#define HAS defined(X)\n#if defined X && !defined(Y) && HAS && defined(__has_include)\na\n#endif\n#if __has_include(<metal_stdlib>) && !__has_include(\"nothing.h\") && __has_attribute(always_inline)\nb\n#endif\n#if __has_cpp_attribute(nodiscard) >= 201603 && __has_builtin(__builtin_expect) && __is_identifier(foo) && !__is_identifier(int)\nc\n#endif\n#if __has_feature(cxx_constexpr) && !__has_extension(blocks)\nd\n#endif\n",
        expect![[r#"
            a
            b
            c
            d
        "#]],
    );
}

#[test]
fn the_target() {
    check(
        "#if __is_target_os(macos) && !__is_target_os(ios) && __is_target_vendor(apple) && __is_target_arch(air64)\nmac\n#endif\n#if __building_module(x) || __has_embed(\"x\")\nno\n#endif\n",
        expect![[r#"
            mac
        "#]],
    );
}

#[test]
fn groups() {
    check(
        "#ifdef A\n1\n#elifdef B\n2\n#elifndef C\n3\n#elif 1\n4\n#else\n5\n#endif extra\n#ifndef A\n6\n#else\n7\n#endif\n#if 0\n#if 1\n8\n#else\n9\n#endif\n#unknown don't\n#elif 1\n10\n#endif\n",
        expect![[r#"
            3
            6
            10
            0:63..68 Warning: extra tokens at the end of the directive
        "#]],
    );
}

#[test]
fn misplaced_groups() {
    check(
        "#endif\n#else\n#elif 1\n#if 1\n#else\n#else\n#elif 1\n#endif\n#if 1\nx\n#ifdef Y\n",
        expect![[r#"
        x
        0:0..6 PreprocessorError: `#endif` without `#if`
        0:7..12 PreprocessorError: `#else` without `#if`
        0:13..18 PreprocessorError: `#elif` without `#if`
        0:33..38 PreprocessorError: `#else` after `#else`
        0:39..44 PreprocessorError: `#elif` after `#else`
        0:54..57 PreprocessorError: this conditional has no `#endif`
        0:62..68 PreprocessorError: this conditional has no `#endif`
    "#]],
    );
}

#[test]
fn messages() {
    check(
        "#error don't   do \"this\nx\n#warning hm\n#bogus\n#inlcude \"x\"\n#elseif\n#\n# 1 \"marker.h\"\n",
        expect![[r#"
            x
            0:0..23 PreprocessorError: don't do "this
            0:26..37 Warning: hm
            0:38..44 PreprocessorError: unknown directive `#bogus`
            0:45..53 PreprocessorError: unknown directive `#inlcude`; did you mean `#include`?
            0:58..65 PreprocessorError: unknown directive `#elseif`; did you mean `#elif`?
        "#]],
    );
}

#[test]
fn bad_definitions() {
    check(
        "#define\n#define 1\n#define and or\n#define defined\n#define f(\n#define f(a,a)\n#define f(a b)\n#define f(...,a)\n#define f(a) #b\n#define f(a) ## a\n#define g a ##\n#define h __VA_ARGS__\n#define k 1\n#define k 2\n#define k  2\n#undef k extra\n#undef __FILE__\n#define __METAL_VERSION__ 1\n",
        expect![[r#"

            0:0..7 PreprocessorError: the name of the macro is missing
            0:16..17 PreprocessorError: a macro's name must be an identifier
            0:26..29 PreprocessorError: `and` is an operator and cannot name a macro
            0:41..48 PreprocessorError: `defined` cannot name a macro
            0:58..59 PreprocessorError: the macro's parameter list has no `)`
            0:72..73 PreprocessorError: parameter `a` is named twice
            0:87..88 PreprocessorError: expected a parameter's name, `...` or `)`
            0:103..104 PreprocessorError: expected a parameter's name, `...` or `)`
            0:120..121 PreprocessorError: `#` must be followed by a parameter of the macro
            0:136..138 PreprocessorError: `##` cannot stand at either end of a macro
            0:153..155 PreprocessorError: `##` cannot stand at either end of a macro
            0:166..177 Warning: `__VA_ARGS__` means something only in a variadic macro
            0:198..199 Warning: macro `k` is defined anew with a different meaning
                0:186..187 the definition so far is here
            0:224..229 Warning: extra tokens at the end of the directive
            0:237..245 Warning: `__FILE__` is a predefined macro
            0:254..271 Warning: macro `__METAL_VERSION__` is defined anew with a different meaning
        "#]],
    );
}

#[test]
fn directives_inside_arguments() {
    check(
        "#define f(x) [x]\nf(1\n#define g 2\n#ifdef g\ng\n#else\n3\n#endif\n#include \"x.h\"\n)\n",
        expect![[r#"
            f(1 2
            )
            0:17..18 PreprocessorError: this macro call has no closing parenthesis
                0:8..9 macro `f` is defined here
            0:68..73 IncludeNotFound: `x.h` is not found
        "#]],
    );
}

#[test]
fn an_include_ends_an_open_call() {
    check_files(
        "// file: main.metal\n#define f(x) <x>\nf(1\n#include \"a.h\"\nb\n// file: a.h\na f(2)\n",
        expect![[r#"
            f(1
            a <2>
            b
            0:17..18 PreprocessorError: this macro call has no closing parenthesis
                0:8..9 macro `f` is defined here
        "#]],
    );
}

#[test]
fn splices_and_digraphs() {
    check(
        "in\\\nt x\\\n  = 1\\\n2; // comment \\\n still comment\n%:define A(x) %:x %:%: x\nA(b) <% a<:0:> %> \"a\\\nb\" +\\\n+ a; x<::y; /\\\n* c *\\\n/ z\n",
        expect![[r#"
            int x = 12;
            "b"b { a[0] } "ab" ++ a; x<::y; z
            0:72..76 PreprocessorError: `##` makes no token of `"b"b`
                0:56..57 in the expansion of macro `A`
        "#]],
    );
}

#[test]
fn literals() {
    check(
        "1.0h 1.bf 0x1p3f 1.0H 2u 3ul 1'000'000 .5f 0b101u 1e-3 0x1e+2 08 \"a\\\"b\"_km 'x'_c u8\"x\" L'y' R\"d(a)\"\n)d\" 1..2\n",
        expect![[r#"
            1.0h 1.bf 0x1p3f 1.0H 2u 3ul 1'000'000 .5f 0b101u 1e-3 0x1e+2 08 "a\"b"_km 'x'_c u8"x" L'y' R"d(a)"
            )d" 1..2
        "#]],
    );
}

#[test]
fn broken_text() {
    check(
        "a \"open\nb 'open\n'' `\nR\"123456789012345678(x)\" \0 c /* open\nd",
        expect![[r#"
        a "open
        b 'open
        '' `
        R"123456789012345678(x)" c
        0:2..7 SyntaxError: this string literal has no closing quote on its line
        0:10..15 SyntaxError: this character literal has no closing quote on its line
        0:16..18 SyntaxError: empty character literal
        0:19..20 SyntaxError: this character starts no token
        0:21..45 SyntaxError: a raw string needs a delimiter of at most 16 characters and `(`
        0:46..47 SyntaxError: NUL byte in the source text
        0:50..52 SyntaxError: this comment is never closed
    "#]],
    );
    let unit = Files::bytes(b"\xef\xbb\xbfa \xff b\r\nc \xe2\x80\x9c").preprocess();
    expect![[r#"
        0:5..6 SyntaxError: this byte is not valid UTF-8
        0:12..15 SyntaxError: this character starts no token
    "#]]
    .assert_eq(&report(&unit));
}

#[test]
fn includes() {
    check_files(
        "// file: main.metal\n#include <metal_stdlib>\n#include \"guarded.h\"\n#include \"guarded.h\"\n#include \"once.h\"\n#include \"once.h\"\n#define NAME \"plain.h\"\n#include NAME\n#define ANGLED <plain.h>\n#include ANGLED\n#import \"imported.h\"\n#import \"imported.h\"\n#include \"nothing.h\"\n#include\n#include \"dir/next.h\"\nend\n// file: guarded.h\n#ifndef G\n#define G\nguarded\n#endif\n// file: once.h\n#pragma once\nonce __INCLUDE_LEVEL__\n// file: plain.h\nplain\n// file: imported.h\nimported\n// file: dir/next.h\n#include_next <next.h>\nfirst\n// file: other/next.h\nsecond\n",
        expect![[r#"
            guarded
            once 1
            plain
            plain
            imported
            second
            first
            end
            0:231..242 IncludeNotFound: `nothing.h` is not found
            0:243..251 PreprocessorError: expected a header's name in quotes or angle brackets
        "#]],
    );
}

#[test]
fn include_cycle() {
    check_files(
        "// file: main.metal\n#include \"a.h\"\nend\n// file: a.h\n#include \"b.h\"\n// file: b.h\n#include \"a.h\"\n",
        expect![[r#"
            end
            2:0..14 Limit: this file includes itself, directly or by way of others
                2:0..14 included from here
                1:0..14 included from here
        "#]],
    );
}

#[test]
fn pragmas() {
    check(
        "#define N 8\n#pragma unroll\nfor (;;);\n#pragma unroll N\n#pragma nounroll\n#pragma clang loop unroll(full)  vectorize(enable)\n#pragma METAL fp math_mode(fast)\n#pragma mark - stuff that isn't code\nx\n",
        expect![[r#"
            #pragma unroll
            for (;;);
            #pragma unroll 8
            #pragma nounroll
            #pragma clang loop unroll(full) vectorize(enable)
            x
        "#]],
    );
}

#[test]
fn versions() {
    use msl_preproc::Platform::{Ios, MacOs};
    let text = "__METAL_VERSION__ __cplusplus\n#ifdef __METAL__\nunified\n#endif\n#ifdef __METAL_MACOS__\nmacos\n#endif\n#ifdef __METAL_IOS__\nios\n#endif\n#ifdef __HAVE_BFLOAT__\nbfloat\n#endif\n#ifdef __HAVE_TEXTURE_CUBE_ARRAY__\ncube\n#endif\n";
    let mut all = String::new();
    for (major, minor, platform) in [(1, 1, MacOs), (1, 1, Ios), (2, 4, Ios), (3, 0, MacOs), (3, 1, Ios), (4, 1, MacOs)]
    {
        all.push_str(&expanded_text(&Files::single(text).version(major, minor, platform).preprocess()));
        all.push('\n');
    }
    expect![[r#"
        110 201103L
        macos
        cube

        110 201103L
        ios

        240 201402L
        ios
        cube

        300 201402L
        unified
        cube

        310 201402L
        unified
        bfloat
        cube

        410 201703L
        unified
        bfloat
        cube

    "#]]
    .assert_eq(&all);
}

#[test]
fn command_line() {
    let mut files = Files::single("A B C(1) D __METAL_VERSION__\n");
    files.options.defines = vec![
        ("A".into(), None),
        ("B".into(), Some("2 +\n 3".into())),
        ("C(x)".into(), Some("<x>".into())),
        ("D".into(), Some(String::new())),
        ("__METAL_VERSION__".into(), Some("7".into())),
    ];
    files.options.undefs = vec!["A".into()];
    let unit = files.preprocess();
    expect![[r#"
        A 2 + 3 <1> 7
    "#]]
    .assert_eq(&(expanded_text(&unit) + &report(&unit)));
}

#[test]
fn inactive_lines_and_marked_comments() {
    let text = "// msl-analyzer: allow(x)\n#if 0\na\n# if 1\nb\n# endif\n#else // other\nc\n#endif\n/* msl-analyzer: allow-file(y) */\n";
    let files = Files::single(text);
    let unit = files.preprocess();
    let file = msl_preproc::FileId(0);
    let show = |ranges: &[std::ops::Range<u32>]| -> Vec<String> {
        ranges.iter().map(|range| files.slice(file, range.clone())).collect()
    };
    assert_eq!(show(&unit.inactive[&file]), ["a\n# if 1\nb\n# endif\n"]);
    assert_eq!(show(&unit.marked_comments[&file]), ["// msl-analyzer: allow(x)", "/* msl-analyzer: allow-file(y) */"]);
}
