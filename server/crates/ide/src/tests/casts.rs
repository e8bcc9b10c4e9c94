//! Casts, tests and annotations of address spaces.

use expect_test::{Expect, expect};
use msl_diagnostics::TextRange;

use super::{analysis, report, request};
use crate::apply_edits;

const PRELUDE: &str = "#include <metal_stdlib>\nusing namespace metal;\n";

/// Shows the text after each action of a family at `$0`, without the prelude.
fn check(id: &str, marked: &str, expected: Expect) {
    check_under("metal4.1", id, marked, expected);
}

fn check_under(std: &str, id: &str, marked: &str, expected: Expect) {
    let marked = format!("{PRELUDE}{marked}");
    let at = marked.find("$0").unwrap() as u32;
    let text = marked.replace("$0", "");
    let analysis = analysis(&[("main.metal", &text)]);
    let actions = analysis.actions(&request(std), &"main.metal".into(), TextRange::new(at, at));
    let mut out = String::new();
    for action in actions.iter().filter(|action| action.id.starts_with(id)) {
        let edited = match &action.edits {
            Ok(edits) => String::from_utf8(apply_edits(text.as_bytes(), edits.iter())).unwrap(),
            Err(reason) => format!("{PRELUDE}refused: {reason}\n"),
        };
        out.push_str(&format!("// {}\n{}", action.title, edited.strip_prefix(PRELUDE).unwrap()));
    }
    expected.assert_eq(&out);
}

#[test]
fn c_style_casts() {
    check(
        "c-style-cast",
        "void f(float *p) { device float *q = $0(device float *)(p + 1); *q = 1; }\n",
        expect![[r#"
            // Replace the C-style cast by `static_cast`
            void f(float *p) { device float *q = static_cast<device float *>(p + 1); *q = 1; }
        "#]],
    );
    check("c-style-cast", "void f(float *p) { device int *q = $0(device int *)p; *q = 1; }\n", expect![""]);
}

#[test]
fn needless_casts() {
    check(
        "needless-cast",
        "void f(device float *p) { device float *q = $0static_cast<device float *>(p + 1); *q = 1; }\n",
        expect![[r#"
            // Remove the cast: this points to device memory already
            void f(device float *p) { device float *q = (p + 1); *q = 1; }
        "#]],
    );
    check(
        "needless-cast",
        "void f(float *p) { device float *q = $0static_cast<device float *>(p); *q = 1; }\n",
        expect![""],
    );
}

#[test]
fn comparisons_and_tests() {
    check(
        "cast-and-compare",
        "void f(float *p) { if (addrspace_cast<device float *>(p) $0!= nullptr) *p = 1; }\n",
        expect![[r#"
            // Replace the comparison by `is_device_addrspace`
            void f(float *p) { if (is_device_addrspace(p)) *p = 1; }
        "#]],
    );
    check(
        "cast-and-compare",
        "bool f(const int *p) { return nullptr $0== addrspace_cast<thread const int *>(p); }\n",
        expect![[r#"
            // Replace the comparison by `is_thread_addrspace`
            bool f(const int *p) { return !is_thread_addrspace(p); }
        "#]],
    );
    check(
        "test-to-cast",
        "void f(float *p) { if ($0is_device_addrspace(p)) *p = 1; }\n",
        expect![[r#"
            // Replace the test by `addrspace_cast` and a comparison
            void f(float *p) { if (addrspace_cast<device float *>(p) != nullptr) *p = 1; }
        "#]],
    );
    check(
        "test-to-cast",
        "bool f(float *p, bool b) { return b && !$0is_threadgroup_addrspace(p); }\n",
        expect![[r#"
            // Replace the test by `addrspace_cast` and a comparison
            bool f(float *p, bool b) { return b && (addrspace_cast<threadgroup float *>(p) == nullptr); }
        "#]],
    );
}

#[test]
fn guards_where_a_concrete_pointer_is_needed() {
    check(
        "guard",
        "void use(device float *q) { *q = 1; }\nvoid f(float *p)\n{\n    use($0p);\n}\n",
        expect![[r#"
            // Do it only if `addrspace_cast` to device memory succeeds
            void use(device float *q) { *q = 1; }
            void f(float *p)
            {
                if (device float *checked = addrspace_cast<device float *>(p)) {
                    use(checked);
                }
            }
            // Do it only if `is_device_addrspace`
            void use(device float *q) { *q = 1; }
            void f(float *p)
            {
                if (is_device_addrspace(p)) {
                    use(static_cast<device float *>(p));
                }
            }
        "#]],
    );
}

/// The findings and their first repair, applied.
fn repaired(std: &str, text: &str) -> Vec<String> {
    let files = [("main.metal", text)];
    let findings = report(&files, std).diagnostics;
    findings
        .iter()
        .filter_map(|finding| {
            let fix = finding.fixes.first()?;
            let edited = String::from_utf8(apply_edits(text.as_bytes(), fix.edits.iter())).unwrap();
            let lines = edited.lines().zip(text.lines()).filter(|(new, old)| new != old).map(|(new, _)| new.trim());
            let sure = if fix.preferred { "" } else { "? " };
            Some(format!("{sure}{}: {}", fix.title, lines.collect::<Vec<_>>().join(" | ")))
        })
        .collect()
}

#[test]
fn repairs_that_cast() {
    let text = "\
void point(device float *q);
void refer(thread float &r);
void f(float *p, float &r) {
    device float *q = p + 1;
    point(p);
    point(q);
    refer(r);
}
";
    assert_eq!(
        repaired("metal4.1", text),
        [
            "? Cast to device memory with `static_cast`, unchecked: device float *q = static_cast<device float *>(p + 1);",
            "? Cast to device memory with `static_cast`, unchecked: point(static_cast<device float *>(p));",
            "? Cast to thread memory with `static_cast`, unchecked: refer(*static_cast<thread float *>(&r));",
        ]
    );
}

#[test]
fn the_space_that_callers_use() {
    let text = "\
void one(float *to, const float *from) { float *at = to; *at = *from; }
void both(float *p) { *p = 1; }
void nobody(float *p) { *p = 1; }
kernel void k(device float *d [[buffer(0)]], threadgroup float *t [[threadgroup(0)]]) {
    float own = 1;
    one(d, &own);
    both(d);
    both(t);
}
";
    assert_eq!(
        repaired("metal4.0", text),
        [
            "Add `device`: nothing else reaches it: void one(device float *to, const float *from) { float *at = to; *at = *from; }",
            "Add `thread`: nothing else reaches it: void one(float *to, thread const float *from) { float *at = to; *at = *from; }",
            "Add `device`: nothing else reaches it: void one(float *to, const float *from) { device float *at = to; *at = *from; }",
            "? Add `thread`: void both(thread float *p) { *p = 1; }",
            "? Add `thread`: void nobody(thread float *p) { *p = 1; }",
        ]
    );
    let finding = &report(&[("main.metal", text)], "metal4.0").diagnostics[0];
    assert_eq!(finding.fixes[1].title, "Add address spaces to all parameters, as the callers use them");
    let edited = String::from_utf8(apply_edits(text.as_bytes(), finding.fixes[1].edits.iter())).unwrap();
    assert!(edited.starts_with("void one(device float *to, thread const float *from) {"), "{edited}");
}

#[test]
fn the_cast_that_resolves_an_access() {
    // Behind the test only one space is left, and the compiler does not see that.
    let text = "\
struct Table { float *values; };
kernel void k(device Table &table [[buffer(0)]], device float *out [[buffer(1)]], constant int &n [[buffer(2)]]) {
    float *values = table.values;
    if (is_threadgroup_addrspace(values)) {
        for (int i = 0; i < n; ++i)
            *out += values[i];
        *out += *(values);
    }
    *out += values[0];
}
";
    expect![[r#"
        [
            "Cast to threadgroup memory, the only one that it can point to: *out += static_cast<threadgroup float *>(values)[i];",
            "Cast to threadgroup memory, the only one that it can point to: *out += *static_cast<threadgroup float *>(values);",
        ]"#]].assert_eq(&format!("{:#?}", repaired("metal4.1", text)));
}

#[test]
fn a_loop_for_each_address_space() {
    check(
        "dispatch",
        "\
struct Points { float *xs; };
kernel void sum(device Points &points [[buffer(0)]], device float *out [[buffer(1)]], constant uint &count [[buffer(2)]])
{
    float total = 0;
    float *xs = points.xs;
    for (uint i = 0; i < count; ++i) {
        // Adds one up.
        total += $0xs[i];
    }
    out[0] = total;
}
",
        expect![[r#"
            // Test the address space of `xs` once before the loop: a loop each for device, thread and threadgroup memory
            struct Points { float *xs; };
            kernel void sum(device Points &points [[buffer(0)]], device float *out [[buffer(1)]], constant uint &count [[buffer(2)]])
            {
                float total = 0;
                float *xs = points.xs;
                if (is_device_addrspace(xs)) {
                    device float *xs_in_device = static_cast<device float *>(xs);
                    for (uint i = 0; i < count; ++i) {
                        // Adds one up.
                        total += xs_in_device[i];
                    }
                } else if (is_thread_addrspace(xs)) {
                    thread float *xs_in_thread = static_cast<thread float *>(xs);
                    for (uint i = 0; i < count; ++i) {
                        // Adds one up.
                        total += xs_in_thread[i];
                    }
                } else {
                    threadgroup float *xs_in_threadgroup = static_cast<threadgroup float *>(xs);
                    for (uint i = 0; i < count; ++i) {
                        // Adds one up.
                        total += xs_in_threadgroup[i];
                    }
                }
                out[0] = total;
            }
        "#]],
    );
    // Passed on, it could mean something else.
    check(
        "dispatch",
        "\
struct Points { float *xs; };
float get(float *p) { return *p; }
kernel void sum(device Points &points [[buffer(0)]], device float *out [[buffer(1)]], constant uint &count [[buffer(2)]])
{
    float total = 0;
    float *xs = points.xs;
    for (uint i = 0; i < count; ++i)
        total += $0xs[i] + get(xs);
    out[0] = total;
}
",
        expect![[r#""#]],
    );
}

#[test]
fn a_load_before_the_loop() {
    check(
        "hoist",
        "\
struct Points { float *xs; float *ys; };
kernel void sum(device Points &points [[buffer(0)]], device float *out [[buffer(1)]], constant uint &count [[buffer(2)]])
{
    float total = 0;
    for (uint i = 0; i < count; ++i) {
        total += $0points.xs[i] * points.xs[i] + points.ys[i];
    }
    out[0] = total;
}
",
        expect![[r#"
            // Load `points.xs` once before the loop
            struct Points { float *xs; float *ys; };
            kernel void sum(device Points &points [[buffer(0)]], device float *out [[buffer(1)]], constant uint &count [[buffer(2)]])
            {
                float total = 0;
                float *xs = points.xs;
                for (uint i = 0; i < count; ++i) {
                    total += xs[i] * xs[i] + points.ys[i];
                }
                out[0] = total;
            }
        "#]],
    );
    // The pointer may change in the loop.
    check(
        "hoist",
        "\
struct Points { float *xs; };
kernel void sum(device Points &points [[buffer(0)]], device float *out [[buffer(1)]], constant uint &count [[buffer(2)]])
{
    float total = 0;
    for (uint i = 0; i < count; ++i) {
        total += $0points.xs[i];
        points.xs = points.xs + 1;
    }
    out[0] = total;
}
",
        expect![[""]],
    );
}

#[test]
fn functions_made_generic() {
    check(
        "make-generic",
        "\
void scale(device float *to, device const float *from, int n);
void $0scale(device float *to, device const float *from, int n) {
    device const float *at = from;
    for (int i = 0; i < n; ++i) to[i] = *at++;
}
kernel void k(device float *d [[buffer(0)]]) { scale(d, d, 4); }
",
        expect![[r#"
            // Make `scale` generic: take its address spaces away
            void scale(float *to, const float *from, int n);
            void scale(float *to, const float *from, int n) {
                const float *at = from;
                for (int i = 0; i < n; ++i) to[i] = *at++;
            }
            kernel void k(device float *d [[buffer(0)]]) { scale(d, d, 4); }
        "#]],
    );
    check(
        "make-generic",
        "\
float needs(device float *p) { return *p; }
float $0calls(device float *p) { return needs(p); }
void uses(device atomic_ulong *p) { atomic_max_explicit(p, 1ul, memory_order_relaxed); }
",
        expect![[r#"
            // Make `calls` generic: take its address spaces away
            refused: main.metal:4 would get the finding `no-matching-function`: `needs` does not take this argument: a generic pointer cannot be passed as one to `device` memory without a cast: use `static_cast` if it is known to be `device`, or `addrspace_cast` and test for null
        "#]],
    );
    // What is called from outside stays as it is.
    check("make-generic", "[[visible]] float $0f(device float *p) { return *p; }\n", expect![[""]]);
}

#[test]
fn pointers_of_a_structure() {
    check_under(
        "metal4.0",
        "annotate-s",
        "\
struct Mesh {
    $0float *xs;
    const float *ys;
    int count;
};
",
        expect![[r#"
            // Add `device` to all 2 pointer members of `Mesh`
            struct Mesh {
                device float *xs;
                device const float *ys;
                int count;
            };
        "#]],
    );
    check_under(
        "metal4.0",
        "annotate-shared",
        "\
#ifdef __METAL_VERSION__
struct Header { int n; };
#endif

struct Mesh {
    $0float *xs;
    const float *ys;
};
",
        expect![[r#"
            // Add a macro to all 2 pointer members of `Mesh` that is `device` for Metal before 4.1 only
            #ifdef __METAL_VERSION__
            struct Header { int n; };
            #endif

            #if defined(__METAL_VERSION__) && __METAL_VERSION__ < 410
            #define METAL_DEVICE device
            #else
            #define METAL_DEVICE
            #endif

            struct Mesh {
                METAL_DEVICE float *xs;
                METAL_DEVICE const float *ys;
            };
        "#]],
    );
    let both = "\
#if defined(__METAL_VERSION__) && __METAL_VERSION__ < 410
#define METAL_DEVICE device
#else
#define METAL_DEVICE
#endif
struct Mesh { METAL_DEVICE float *xs; };
";
    for std in ["metal4.0", "metal4.1"] {
        assert_eq!(repaired(std, both), Vec::<String>::new(), "{std}");
    }
}

#[test]
fn variables_of_the_program() {
    assert_eq!(
        repaired("metal4.1", "float table[2] = {1, 2};\nconst int n = 3;\n"),
        ["Add `constant`: constant float table[2] = {1, 2};", "Add `constant`: constant const int n = 3;",]
    );
}
