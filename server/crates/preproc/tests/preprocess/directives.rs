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
        r#"#if 1 + 2 * 3 == 7 && -1 < 0 && -1 > 0u && (1 ? 2 : 3) == 2 && 0x7fffffffffffffff + 1 < 0
a
#endif
#if 0 && 1 / 0
b
#elif 'a' == 97 && '\n' == 10 && '\377' < 0 && 'ab' == 24930
c
#else
d
#endif
#if 1 / 0
#endif
#if undefined_thing || true
e
#endif
#if -1 >> 70 == -1 && 1 << 64 == 0 && (2, 3) == 3 && 1 ? 0 : 1 ? 2 : 3
#else
f
#endif
"#,
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
        r#"#if
#endif
#if (1
#endif
#if 1)
#endif
#if 1 +
#endif
#if 1 2
#endif
#if f(1)
#endif
#if 1.0
#endif
#if defined
#endif
#if 1 ? 2
#endif
#if 1 : 2
#endif
#if (1 ? 2)
#endif
#if 99999999999999999999
#endif
#if 1uu
#endif
"#,
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
        r#"#define X
#define HAS defined(X)
#if defined X && !defined(Y) && HAS && defined(__has_include)
a
#endif
#if __has_include(<metal_stdlib>) && !__has_include("nothing.h") && __has_attribute(always_inline)
b
#endif
#if __has_cpp_attribute(nodiscard) >= 201603 && __has_builtin(__builtin_expect) && __is_identifier(foo) && !__is_identifier(int)
c
#endif
#if __has_feature(cxx_constexpr) && !__has_extension(blocks)
d
#endif
"#,
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
        r#"#if __is_target_os(macos) && !__is_target_os(ios) && __is_target_vendor(apple) && __is_target_arch(air64)
mac
#endif
#if __building_module(x) || __has_embed("x")
no
#endif
"#,
        expect![[r#"
            mac
        "#]],
    );
}

#[test]
fn groups() {
    check(
        r#"#ifdef A
1
#elifdef B
2
#elifndef C
3
#elif 1
4
#else
5
#endif extra
#ifndef A
6
#else
7
#endif
#if 0
#if 1
8
#else
9
#endif
#unknown don't
#elif 1
10
#endif
"#,
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
        r#"#endif
#else
#elif 1
#if 1
#else
#else
#elif 1
#endif
#if 1
x
#ifdef Y
"#,
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
        r#"#error don't   do "this
x
#warning hm
#bogus
#inlcude "x"
#elseif
#
# 1 "marker.h"
"#,
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
        r#"#define
#define 1
#define and or
#define defined
#define f(
#define f(a,a)
#define f(a b)
#define f(...,a)
#define f(a) #b
#define f(a) ## a
#define g a ##
#define h __VA_ARGS__
#define k 1
#define k 2
#define k  2
#undef k extra
#undef __FILE__
#define __METAL_VERSION__ 1
"#,
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
        r#"#define f(x) [x]
f(1
#define g 2
#ifdef g
g
#else
3
#endif
#include "x.h"
)
"#,
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
        r#"// file: main.metal
#define f(x) <x>
f(1
#include "a.h"
b
// file: a.h
a f(2)
"#,
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
        r#"in\
t x\
  = 1\
2; // comment \
 still comment
%:define A(x) %:x %:%: x
A(b) <% a<:0:> %> "a\
b" +\
+ a; x<::y; /\
* c *\
/ z
"#,
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
        r#"1.0h 1.bf 0x1p3f 1.0H 2u 3ul 1'000'000 .5f 0b101u 1e-3 0x1e+2 08 "a\"b"_km 'x'_c u8"x" L'y' R"d(a)"
)d" 1..2
"#,
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
        r#"// file: main.metal
#include <metal_stdlib>
#include "guarded.h"
#include "guarded.h"
#include "once.h"
#include "once.h"
#define NAME "plain.h"
#include NAME
#define ANGLED <plain.h>
#include ANGLED
#import "imported.h"
#import "imported.h"
#include "nothing.h"
#include
#include "dir/next.h"
end
// file: guarded.h
#ifndef G
#define G
guarded
#endif
// file: once.h
#pragma once
once __INCLUDE_LEVEL__
// file: plain.h
plain
// file: imported.h
imported
// file: dir/next.h
#include_next <next.h>
first
// file: other/next.h
second
"#,
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
        r#"// file: main.metal
#include "a.h"
end
// file: a.h
#include "b.h"
// file: b.h
#include "a.h"
"#,
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
        r#"#define N 8
#pragma unroll
for (;;);
#pragma unroll N
#pragma nounroll
#pragma clang loop unroll(full)  vectorize(enable)
#pragma METAL fp math_mode(fast)
#pragma mark - stuff that isn't code
x
"#,
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
    let text = r#"__METAL_VERSION__ __cplusplus
#ifdef __METAL__
unified
#endif
#ifdef __METAL_MACOS__
macos
#endif
#ifdef __METAL_IOS__
ios
#endif
#ifdef __HAVE_BFLOAT__
bfloat
#endif
#ifdef __HAVE_TEXTURE_CUBE_ARRAY__
cube
#endif
"#;
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
    let text = r#"// msl-analyzer: allow(x)
#if 0
a
# if 1
b
# endif
#else // other
c
#endif
/* msl-analyzer: allow-file(y) */
"#;
    let files = Files::single(text);
    let unit = files.preprocess();
    let file = msl_preproc::FileId(0);
    let show = |ranges: &[std::ops::Range<u32>]| -> Vec<String> {
        ranges.iter().map(|range| files.slice(file, range.clone())).collect()
    };
    assert_eq!(
        show(&unit.inactive[&file]),
        [r#"a
# if 1
b
# endif
"#]
    );
    assert_eq!(show(&unit.marked_comments[&file]), ["// msl-analyzer: allow(x)", "/* msl-analyzer: allow-file(y) */"]);
}
