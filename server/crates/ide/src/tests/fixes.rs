//! Repairs of findings: before and after, and whether they are made without asking.

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::{analysis, request};
use crate::apply_edits;

const PRELUDE: &str = "#include <metal_stdlib>\nusing namespace metal;\n";

/// Shows the lines that each repair of each finding changes.
fn check_raw(std: &str, text: &str, expected: Expect) {
    let analysis = analysis(&[("main.metal", text)]);
    let mut out = String::new();
    for finding in analysis.check(&request(std)).diagnostics {
        for fix in &finding.fixes {
            let sure = if fix.preferred { "" } else { "?" };
            let _ = writeln!(out, "{}{sure}: {}", finding.code, fix.title);
            let edited = String::from_utf8(apply_edits(text.as_bytes(), fix.edits.iter())).unwrap();
            let old: Vec<&str> = text.lines().collect();
            for line in edited.lines().filter(|line| !old.contains(line)) {
                let _ = writeln!(out, "    {line}");
            }
        }
    }
    expected.assert_eq(&out);
}

fn check(std: &str, text: &str, expected: Expect) {
    check_raw(std, &format!("{PRELUDE}{text}"), expected);
}

#[test]
fn a_line_that_lacks_its_semicolon() {
    check(
        "metal3.0",
        "float f(float a) {\n    float b = a * 2 // twice\n    return b;\n}\nstruct S { int a; }\nint g();\n",
        expect![[r#"
            syntax-error: Add `;`
                    float b = a * 2; // twice
            syntax-error: Add `;`
                struct S { int a; };
        "#]],
    );
}

#[test]
fn names_of_the_library() {
    check_raw(
        "metal3.0",
        "#include <metal_stdlib>\nfloat f(float a) {\n    return saturate(a) * 2;\n}\n",
        expect![[r#"
            undeclared-identifier: Write `metal::saturate`
                    return metal::saturate(a) * 2;
        "#]],
    );
}

#[test]
fn words_that_cannot_stand_there() {
    check(
        "metal3.0",
        "struct S { device float a; };\nvoid f(constant float3 v) {\n    device float x = v.x;\n}\n",
        expect![[r#"
            misplaced-address-space: Remove `device`
                struct S { float a; };
            misplaced-address-space?: Remove `constant`
                void f(float3 v) {
            misplaced-address-space: Remove `device`
                    float x = v.x;
        "#]],
    );
}

#[test]
fn atomics_are_loaded() {
    check(
        "metal3.0",
        "kernel void k(device atomic_int *p [[buffer(0)]], device int *q [[buffer(1)]]) { q[0] = p[1]; }\n",
        expect![[r#"
            not-copyable?: Read it with `atomic_load_explicit`
                kernel void k(device atomic_int *p [[buffer(0)]], device int *q [[buffer(1)]]) { q[0] = atomic_load_explicit(&p[1], memory_order_relaxed); }
        "#]],
    );
}

#[test]
fn slots_out_of_range() {
    check(
        "metal3.0",
        "kernel void k(device float *a [[buffer(0)]], device float *b [[buffer(31)]], texture2d<float> t [[texture(200)]]) { *a = *b; }\n",
        expect![[r#"
            resource-index?: Use the free slot 1
                kernel void k(device float *a [[buffer(0)]], device float *b [[buffer(1)]], texture2d<float> t [[texture(200)]]) { *a = *b; }
            resource-index?: Use the free slot 0
                kernel void k(device float *a [[buffer(0)]], device float *b [[buffer(31)]], texture2d<float> t [[texture(0)]]) { *a = *b; }
        "#]],
    );
}

#[test]
fn conditions_and_conversions() {
    check(
        "metal3.0",
        "float4 f(half4 h, float3 a, float3 b) {\n    if (a == b) return 0;\n    float4 v = h;\n    return v;\n}\n",
        expect![[r#"
            type-mismatch?: Write `all(…)`
                    if (all(a == b)) return 0;
            type-mismatch?: Write `any(…)`
                    if (any(a == b)) return 0;
            type-mismatch: Write `float4(…)`
                    float4 v = float4(h);
        "#]],
    );
}

#[test]
fn textures_are_fenced_before_they_are_read_again() {
    check(
        "metal3.0",
        "\
kernel void k(texture2d<float, access::read_write> t [[texture(0)]], uint2 p [[thread_position_in_grid]]) {
    t.write(1, p);
    float4 c = t.read(p);
    t.write(c * 2, p + 1);
}
",
        expect![[r#"
            missing-texture-fence?: Call `t.fence()` before it
                    t.fence();
        "#]],
    );
}

/// The text after the first repair of its only finding.
fn check_only(text: &str, expected: Expect) {
    let analysis = analysis(&[("main.metal", text)]);
    let found = analysis.check(&request("metal4.0")).diagnostics;
    let codes: Vec<_> = found.iter().map(|finding| finding.code.as_str()).collect();
    let edited = match found.first().and_then(|finding| finding.fixes.first()) {
        Some(fix) => String::from_utf8(apply_edits(text.as_bytes(), fix.edits.iter())).unwrap(),
        None => "no repair\n".to_owned(),
    };
    expected.assert_eq(&format!("{codes:?}\n{edited}"));
}

#[test]
fn an_unused_variable_goes_with_its_line() {
    check_only(
        "int f(device int *p) {\n    int unused = p[0] * 2;\n    return 1;\n}\n",
        expect![[r#"
            ["unused-variable"]
            int f(device int *p) {
                return 1;
            }
        "#]],
    );
    check_only(
        "int f() {\n    int unused = 1; return 1;\n}\n",
        expect![[r#"
            ["unused-variable"]
            int f() {
                return 1;
            }
        "#]],
    );
}

#[test]
fn an_unused_variable_stays_if_something_may_be_lost() {
    // A call may do more than give a value.
    check_only(
        "int g();\nint f() {\n    int unused = g();\n    return 1;\n}\n",
        expect![[r#"
            ["unused-variable"]
            no repair
        "#]],
    );
    // Another declarator stands beside it.
    check_only(
        "int f() {\n    int unused = 1, used = 2;\n    return used;\n}\n",
        expect![[r#"
            ["unused-variable"]
            no repair
        "#]],
    );
    // Directives stand inside.
    check_only(
        "int f() {\n    int unused =\n#if 1\n        1;\n#else\n        2;\n#endif\n    return 1;\n}\n",
        expect![[r#"
            ["unused-variable"]
            no repair
        "#]],
    );
}

#[test]
fn parentheses_say_which_operator_comes_first() {
    check(
        "metal4.0",
        "\
bool a(uint flags, uint mask) { return flags & mask == 0; }
bool b(uint flags, uint mask) { return 0 != flags | mask; }
bool c(int count) { return !count == 1; }
void d(int x) { if (x = 1) {} }
void e(thread int &x) { x == 1; }
",
        expect![[r#"
            operator-precedence?: Evaluate `&` first
                bool a(uint flags, uint mask) { return (flags & mask) == 0; }
            operator-precedence?: Write parentheses around `==`, which keeps the meaning
                bool a(uint flags, uint mask) { return flags & (mask == 0); }
            operator-precedence?: Evaluate `|` first
                bool b(uint flags, uint mask) { return 0 != (flags | mask); }
            operator-precedence?: Write parentheses around `!=`, which keeps the meaning
                bool b(uint flags, uint mask) { return (0 != flags) | mask; }
            operator-precedence?: Evaluate `==` first
                bool c(int count) { return !(count == 1); }
            operator-precedence?: Write parentheses around `!`, which keeps the meaning
                bool c(int count) { return (!count) == 1; }
            assignment-in-condition?: Write `==`
                void d(int x) { if (x == 1) {} }
            assignment-in-condition?: Write parentheses around the assignment
                void d(int x) { if ((x = 1)) {} }
            unused-value?: Write `=`
                void e(thread int &x) { x = 1; }
        "#]],
    );
}
