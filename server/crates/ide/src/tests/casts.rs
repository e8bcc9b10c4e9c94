//! Casts, tests and annotations of address spaces.

use expect_test::{Expect, expect};
use msl_diagnostics::TextRange;

use super::{analysis, report, request};
use crate::apply_edits;

const PRELUDE: &str = "#include <metal_stdlib>\nusing namespace metal;\n";

/// Shows the text after each action of a family at `$0`, without the prelude.
fn check(id: &str, marked: &str, expected: Expect) {
    let marked = format!("{PRELUDE}{marked}");
    let at = marked.find("$0").unwrap() as u32;
    let text = marked.replace("$0", "");
    let analysis = analysis(&[("main.metal", &text)]);
    let actions = analysis.actions(&request("metal4.1"), &"main.metal".into(), TextRange::new(at, at));
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
