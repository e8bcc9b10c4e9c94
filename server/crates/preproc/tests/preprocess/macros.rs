//! Macro expansion.

use super::*;

#[test]
fn object_like() {
    check(
        r#"#define N 4
#define M N+N
int a[M];
N
"#,
        expect![[r#"
        int a[4+4];
        4
    "#]],
    );
}

#[test]
fn rescanning_stops_at_the_macro_itself() {
    check(
        r#"#define f(x) f(x + 1)
#define a b
#define b a
f(f(2)) a b
"#,
        expect![[r#"
        f(f(2 + 1) + 1) a b
    "#]],
    );
}

#[test]
fn rescanning_takes_in_what_follows() {
    check(
        r#"#define twice(x) (2 * x)
#define name twice
#define open twice(
name(3) open 4) twice
(5) twice;
"#,
        expect![[r#"
            (2 * 3) (2 * 4) (2 * 5) twice;
        "#]],
    );
}

#[test]
fn arguments_are_expanded_unless_operands() {
    check(
        r#"#define one 1
#define str(x) #x
#define xstr(x) str(x)
#define cat(a, b) a ## b
#define xcat(a, b) cat(a, b)
str(one) xstr(one) cat(one, two) xcat(one, two)
"#,
        expect![[r#"
            "one" "1" onetwo 1two
        "#]],
    );
}

#[test]
fn stringizing() {
    check(
        r#"#define str(x) #x
str(  a   +
  b  ) str("x\n" '\'' "\"") str() str(<: and :>) str(a/**/b) str(,)
"#,
        expect![[r#"
            "a + b" "\"x\\n\" '\\'' \"\\\"\"" "" "<: and :>" "a b" str(,)
            0:91..94 PreprocessorError: too many arguments for macro `str`: it takes 1, not 2
                0:8..11 macro `str` is defined here
        "#]],
    );
}

#[test]
fn pasting() {
    check(
        r#"#define cat3(a, b, c) a##b##c|
cat3(x, y, z) cat3(,y,) cat3(,,) cat3(1,.,5h) cat3(<,<,=) cat3(+,-,)
#define hash # ## #
hash
"#,
        expect![[r#"
            xyz| y| | 1.5h| <<=| +-|
            ##
            0:89..99 PreprocessorError: `##` makes no token of `+-`
                0:8..12 in the expansion of macro `cat3`
        "#]],
    );
}

#[test]
fn variadic() {
    check(
        r#"#define log(fmt, ...) print(fmt, ## __VA_ARGS__)
#define gnu(args...) g(args)
#define opt(f, ...) f(0 __VA_OPT__(,) __VA_ARGS__)
log("a") log("a",) log("a", 1, 2)
gnu() gnu(1, 2) opt(f) opt(f, 1) opt(f, )
"#,
        expect![[r#"
            print("a") print("a",) print("a", 1, 2)
            g() g(1, 2) f(0 ) f(0 , 1) f(0 )
        "#]],
    );
}

#[test]
fn wrong_number_of_arguments() {
    check(
        r#"#define two(a, b) a b
#define none() n
two(1) two(1, 2, 3) none() none(1) two(1, (2, 3))
two(1"#,
        expect![[r#"
        two(1) two(1, 2, 3) n none(1) 1 (2, 3)
        two(1
        0:39..42 PreprocessorError: too few arguments for macro `two`: it takes 2, not 1
            0:8..11 macro `two` is defined here
        0:46..49 PreprocessorError: too many arguments for macro `two`: it takes 2, not 3
            0:8..11 macro `two` is defined here
        0:66..70 PreprocessorError: too many arguments for macro `none`: it takes 0, not 1
            0:30..34 macro `none` is defined here
        0:89..92 PreprocessorError: this macro call has no closing parenthesis
            0:8..11 macro `two` is defined here
    "#]],
    );
}

#[test]
fn keywords_can_be_macros() {
    check(
        r#"#define constant __constant
#define half float
constant half x = 1.0h;
"#,
        expect![[r#"
        __constant float x = 1.0h;
    "#]],
    );
}

#[test]
fn spacing_of_empty_expansions() {
    check(
        r#"#define EMPTY
#define ID(x) x
EMPTY int EMPTY x; -EMPTY- ID() y ID(-)ID(-)
"#,
        expect![[r#"
        int x; -- y --
    "#]],
    );
}

#[test]
fn pragma_operator() {
    check(
        r#"#define UNROLL _Pragma("unroll")
#define N 4
#define LOOP(n) _Pragma("clang loop unroll_count(n)")
UNROLL for (;;);
_Pragma("clang loop unroll_count(N)") for (;;);
_Pragma("mark x") int y;
_Pragma(1)
"#,
        expect![[r#"
            #pragma unroll for (;;);
            #pragma clang loop unroll_count(4) for (;;);
            int y;
            _Pragma(1)
            0:189..196 PreprocessorError: `_Pragma` takes one string literal in parentheses
        "#]],
    );
}

#[test]
fn computed_macros() {
    check(
        r#"__LINE__ __COUNTER__ __COUNTER__ __FILE__ __INCLUDE_LEVEL__
#line 100 "other.h"
__LINE__ __FILE__
#define AT __LINE__
#define CALL(x) x
CALL(
AT
)
"#,
        expect![[r#"
            1 0 1 "main.metal" 0
            100 "other.h"
            104
        "#]],
    );
}

#[test]
fn billion_laughs_end() {
    let mut text = String::from("#define m0 x x\n");
    for level in 1..40 {
        text.push_str(&format!("#define m{level} m{0} m{0}\n", level - 1));
    }
    text.push_str(
        r#"m39
m1
"#,
    );
    let unit = Files::single(&text).preprocess();
    let kinds: Vec<_> = unit.diagnostics.iter().map(|diagnostic| diagnostic.kind).collect();
    assert_eq!(kinds, [msl_preproc::DiagnosticKind::Limit]);
    assert!(expanded_text(&unit).ends_with("x x x x\n"));
}

#[test]
fn deep_nesting() {
    let depth = 10_000;
    let nested = format!("{}1{}", "(".repeat(depth), ")".repeat(depth));
    let text = format!(
        r#"#define id(x) x
#if {nested}
id({nested})
#endif
"#
    );
    let unit = Files::single(&text).preprocess();
    assert_eq!(report(&unit), "");
    assert_eq!(unit.tokens.len(), 2 * depth + 1);
    let calls = format!("{}1{}\n", "id(".repeat(2_000), ")".repeat(2_000));
    let unit = Files::single(&format!("#define id(x) x\n{calls}")).preprocess();
    assert!(report(&unit).contains("Limit"), "{}", report(&unit));
}
