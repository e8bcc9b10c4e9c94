//! Macro expansion.

use super::*;

#[test]
fn object_like() {
    check(
        "#define N 4\n#define M N+N\nint a[M];\nN\n",
        expect![[r#"
        int a[4+4];
        4
    "#]],
    );
}

#[test]
fn rescanning_stops_at_the_macro_itself() {
    check(
        "#define f(x) f(x + 1)\n#define a b\n#define b a\nf(f(2)) a b\n",
        expect![[r#"
        f(f(2 + 1) + 1) a b
    "#]],
    );
}

#[test]
fn rescanning_takes_in_what_follows() {
    check(
        "#define twice(x) (2 * x)\n#define name twice\n#define open twice(\nname(3) open 4) twice\n(5) twice;\n",
        expect![[r#"
            (2 * 3) (2 * 4) (2 * 5) twice;
        "#]],
    );
}

#[test]
fn arguments_are_expanded_unless_operands() {
    check(
        "#define one 1\n#define str(x) #x\n#define xstr(x) str(x)\n#define cat(a, b) a ## b\n#define xcat(a, b) cat(a, b)\nstr(one) xstr(one) cat(one, two) xcat(one, two)\n",
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
        "#define cat3(a, b, c) a##b##c|\ncat3(x, y, z) cat3(,y,) cat3(,,) cat3(1,.,5h) cat3(<,<,=) cat3(+,-,)\n#define hash # ## #\nhash\n",
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
        "#define log(fmt, ...) print(fmt, ## __VA_ARGS__)\n#define gnu(args...) g(args)\n#define opt(f, ...) f(0 __VA_OPT__(,) __VA_ARGS__)\nlog(\"a\") log(\"a\",) log(\"a\", 1, 2)\ngnu() gnu(1, 2) opt(f) opt(f, 1) opt(f, )\n",
        expect![[r#"
            print("a") print("a",) print("a", 1, 2)
            g() g(1, 2) f(0 ) f(0 , 1) f(0 )
        "#]],
    );
}

#[test]
fn wrong_number_of_arguments() {
    check(
        "#define two(a, b) a b\n#define none() n\ntwo(1) two(1, 2, 3) none() none(1) two(1, (2, 3))\ntwo(1",
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
        "#define constant __constant\n#define half float\nconstant half x = 1.0h;\n",
        expect![[r#"
        __constant float x = 1.0h;
    "#]],
    );
}

#[test]
fn spacing_of_empty_expansions() {
    check(
        "#define EMPTY\n#define ID(x) x\nEMPTY int EMPTY x; -EMPTY- ID() y ID(-)ID(-)\n",
        expect![[r#"
        int x; -- y --
    "#]],
    );
}

#[test]
fn pragma_operator() {
    check(
        "#define UNROLL _Pragma(\"unroll\")\n#define N 4\n#define LOOP(n) _Pragma(\"clang loop unroll_count(n)\")\nUNROLL for (;;);\n_Pragma(\"clang loop unroll_count(N)\") for (;;);\n_Pragma(\"mark x\") int y;\n_Pragma(1)\n",
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
        "__LINE__ __COUNTER__ __COUNTER__ __FILE__ __INCLUDE_LEVEL__\n#line 100 \"other.h\"\n__LINE__ __FILE__\n#define AT __LINE__\n#define CALL(x) x\nCALL(\nAT\n)\n",
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
    text.push_str("m39\nm1\n");
    let unit = Files::single(&text).preprocess();
    let kinds: Vec<_> = unit.diagnostics.iter().map(|diagnostic| diagnostic.kind).collect();
    assert_eq!(kinds, [msl_preproc::DiagnosticKind::Limit]);
    assert!(expanded_text(&unit).ends_with("x x x x\n"));
}

#[test]
fn deep_nesting() {
    let depth = 10_000;
    let nested = format!("{}1{}", "(".repeat(depth), ")".repeat(depth));
    let text = format!("#define id(x) x\n#if {nested}\nid({nested})\n#endif\n");
    let unit = Files::single(&text).preprocess();
    assert_eq!(report(&unit), "");
    assert_eq!(unit.tokens.len(), 2 * depth + 1);
    let calls = format!("{}1{}\n", "id(".repeat(2_000), ")".repeat(2_000));
    let unit = Files::single(&format!("#define id(x) x\n{calls}")).preprocess();
    assert!(report(&unit).contains("Limit"), "{}", report(&unit));
}
