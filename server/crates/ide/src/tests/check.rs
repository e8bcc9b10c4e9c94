//! Places of findings: in files, in headers, in macros, where something is missing.

use expect_test::expect;

use super::{check, report};

#[test]
fn something_is_missing() {
    check(
        &[("main.metal", "constant int a = 1\nconstant int b = 2;\nvoid f() { int c = (1; }\n")],
        expect![[r#"
        main.metal:1 `` syntax-error: expected `;` before the reserved word `constant`
        main.metal:3 `` syntax-error: expected `)` before `;`
            main.metal:3 `(`: to close this `(`
    "#]],
    );
}

#[test]
fn in_the_body_of_a_macro() {
    check(
        &[
            ("main.metal", "#include \"macros.h\"\nvoid f() {\n    DECLARE(x);\n}\n"),
            ("macros.h", "#define TYPE nonsense\n#define DECLARE(name) TYPE name = 1\n"),
        ],
        expect![[r#"
            main.metal:3 `DECLARE(x)` undeclared-identifier: nothing declares a type `nonsense`
                macros.h:1 `nonsense`: in the definition of the macro `TYPE`
                macros.h:2 `TYPE`: in the definition of the macro `DECLARE`
        "#]],
    );
}

#[test]
fn in_an_argument_of_a_macro() {
    check(
        &[("main.metal", "#define TWICE(x) x x\n#define ONCE(x) x\nONCE(nonsense a;)\nTWICE(nonsense b;)\n")],
        expect![[r#"
            main.metal:3 `nonsense` undeclared-identifier: nothing declares a type `nonsense`
            main.metal:4 `nonsense` undeclared-identifier: nothing declares a type `nonsense`
        "#]],
    );
}

#[test]
fn in_a_header_and_in_an_inline_body() {
    check(
        &[
            ("main.metal", "#include \"a.h\"\nconstexpr int one() { nonsense a; return 1; }\n"),
            ("a.h", "inline int two() { nonsense b; return 2; }\n"),
        ],
        expect![[r#"
            a.h:1 `nonsense` undeclared-identifier: nothing declares a type `nonsense`
            main.metal:2 `nonsense` undeclared-identifier: nothing declares a type `nonsense`
        "#]],
    );
}

#[test]
fn types_of_the_library_that_are_not_visible() {
    check(
        &[(
            "main.metal",
            "#include <metal_stdlib>\nvoid f(vec<float, 4> a, metal::vec<float, 4> b, simd::nothing c) { texture2d<half> d; }\n",
        )],
        expect![[r#"
            main.metal:2 `vec<float, 4>` undeclared-identifier: nothing declares a type `vec` here, but the library has `metal::vec`: write that, or `using namespace metal;`
            main.metal:2 `simd::nothing` undeclared-identifier: nothing declares a type `simd::nothing`
            main.metal:2 `texture2d<half>` undeclared-identifier: nothing declares a type `texture2d` here, but the library has `metal::texture2d`: write that, or `using namespace metal;`
        "#]],
    );
}

#[test]
fn what_a_missing_include_may_declare_is_not_reported() {
    check(
        &[("main.metal", "#include \"gone.h\"\nKERNEL(a) { nonsense b; }\n")],
        expect![[r#"
        main.metal:1 `"gone.h"` include-not-found: `gone.h` is not found
    "#]],
    );
    check(
        &[(
            "main.metal",
            "\
#include \"gone.h\"
INSTANTIATE(float);
INSTANTIATE(half);
int f(int a) { FAIL(\"never here\"); }
int g() { int unused; float never_set; if (f(1)) DO; return UNLESS(2); }
void h() { int a[4]; int first;
#include \"body.inc\"
}
",
        )],
        expect![[r#"
            main.metal:1 `"gone.h"` include-not-found: `gone.h` is not found
            main.metal:7 `"body.inc"` include-not-found: `body.inc` is not found
        "#]],
    );
}

#[test]
fn files_and_completeness() {
    let files = [("main.metal", "#include \"b.h\"\n#include \"a.h\"\n"), ("a.h", ""), ("b.h", "")];
    let report = report(&files, "metal4.0");
    assert_eq!(report.files.iter().map(|path| &**path).collect::<Vec<_>>(), ["main.metal", "a.h", "b.h"]);
    assert!(report.is_complete());
    assert_eq!(report.stats.lines, 2);
}
