//! What names mean, in templates and in their instances.

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::{analysis, request};

/// Compares what is known about the names `names` of one file: kind, type, storage, lines of definitions, instance.
fn check(text: &str, names: &[&str], expected: Expect) {
    let found = analysis(&[("main.metal", text)]).inspect_all(&request("metal4.1"), &"main.metal".into());
    let mut out = String::new();
    let line = |offset: u32| text[..offset as usize].matches('\n').count() + 1;
    for of in found.iter().filter(|of| names.contains(&&*of.text)) {
        let lines: Vec<usize> = of.definitions.iter().map(|definition| line(definition.place.range.start)).collect();
        let _ = write!(out, "{} {} `{}`", line(of.range.start), of.kind.unwrap_or_default(), of.text);
        let _ = write!(out, " type {} storage {}", of.ty.as_deref().unwrap_or("?"), of.storage.unwrap_or("-"));
        let _ = write!(out, " defined {lines:?}");
        let _ = writeln!(out, "{}", of.instantiation.as_ref().map_or(String::new(), |name| format!(" in {name}")));
    }
    expected.assert_eq(&out);
}

#[test]
fn names_in_instances() {
    check(
        "template <typename T>\n\
         void take(T value) {}\n\
         void take(device float *value) {}\n\
         template <typename T>\n\
         void pass(T value) { T copy = value; take(copy); }\n\
         void f(device float *d) { pass(d); pass(1); }\n",
        &["copy", "take"],
        expect![[r#"
            2 function `take` type void take(T value) storage - defined [2]
            3 function `take` type void take(device float *value) storage - defined [3]
            5 variable `copy` type T storage thread defined [5]
            5 variable `copy` type device float * storage thread defined [5] in pass<device float *>
            5 variable `copy` type int storage thread defined [5] in pass<int>
            5 function `take` type void take(T value) storage - defined [3, 2]
            5 function `take` type void take(device float *value) storage - defined [3] in pass<device float *>
            5 function `take` type void take(int value) storage - defined [2] in pass<int>
            5 variable `copy` type T storage thread defined [5]
            5 variable `copy` type device float * storage thread defined [5] in pass<device float *>
            5 variable `copy` type int storage thread defined [5] in pass<int>
        "#]],
    );
}

#[test]
fn explicit_specialization() {
    check(
        "template <typename T> T largest();\n\
         template <> float largest<float>() { return 1; }\n\
         template <> half largest<half>() { return 2; }\n\
         template <typename T> T use() { return largest<T>(); }\n\
         float f() { return use<float>(); }\n",
        &["largest"],
        expect![[r#"
            1 function `largest` type T largest() storage - defined [1]
            2 function `largest` type float largest() storage - defined [2]
            3 function `largest` type half largest() storage - defined [3]
            4 function `largest` type T largest() storage - defined [2]
            4 function `largest` type float largest() storage - defined [2] in use<float>
        "#]],
    );
}
