//! What an edit makes the analyser do again, query by query.

use std::sync::{Arc, Mutex};

use expect_test::{Expect, expect};
use msl_db::{Database, UnitOptions, file_system::MemoryFiles};
use msl_preproc::LanguageVersion;
use salsa::Database as _;

use crate::{Analysis, StdChoice, UnitRequest};

const TEXT: &str = "#include <metal_stdlib>\n\
                    template <typename T> T twice(T x) { return x + x; }\n\
                    float first(device float *p) { return twice(p[0]); }\n\
                    float second(device float *p) { return first(p) + 1; }\n\
                    kernel void third(device float *p [[buffer(0)]]) { *p = second(p); }\n";

/// An analysis that says which queries run.
fn logged() -> (Analysis, Arc<Mutex<Vec<salsa::DatabaseKeyIndex>>>) {
    let ran: Arc<Mutex<Vec<salsa::DatabaseKeyIndex>>> = Arc::default();
    let log = ran.clone();
    let events = move |event: salsa::Event| {
        if let salsa::EventKind::WillExecute { database_key } = event.kind {
            log.lock().unwrap().push(database_key);
        }
    };
    let files = Arc::new(MemoryFiles::default());
    (Analysis { db: Database::with_events(files, Some(Box::new(events))) }, ran)
}

/// The names of queries, sorted.
fn names(analysis: &Analysis, ran: &Mutex<Vec<salsa::DatabaseKeyIndex>>) -> Vec<String> {
    // Threads share the work, so that there is no order. Bodies are numbered, so that their queries are told apart.
    let ran = std::mem::take(&mut *ran.lock().unwrap());
    let mut names: Vec<String> = Vec::new();
    analysis.db.attach(|_| names.extend(ran.iter().map(|key| format!("{key:?}"))));
    for name in &mut names {
        name.truncate(name.find('(').unwrap_or(name.len()));
    }
    names.sort();
    names
}

/// Runs what a server runs on an open file, before and after an edit, and names the queries that ran after it.
#[track_caller]
fn check(from: &str, to: &str, expected: Expect) {
    let (mut analysis, ran) = logged();
    let version = LanguageVersion::parse("metal4.1").unwrap();
    let request = UnitRequest {
        path: "a.metal".into(),
        std: StdChoice { version, source: "test".into(), stated: true },
        options: UnitOptions::new(version),
        thresholds: Default::default(),
    };
    let everything = |analysis: &Analysis| {
        analysis.check_in_stages(&request, |_| ());
        analysis.semantic_tokens(&request, &request.path, None);
        analysis.document_symbols(&request, &request.path);
    };
    assert!(TEXT.contains(from));
    analysis.open("a.metal", TEXT.as_bytes().into());
    everything(&analysis);
    ran.lock().unwrap().clear();
    analysis.edit("a.metal", TEXT.replace(from, to).as_bytes().into());
    everything(&analysis);
    expected.assert_eq(&names(&analysis, &ran).join("\n"));
}

#[test]
fn an_edit_in_a_body() {
    check(
        "first(p) + 1",
        "first(p) + 2",
        expect![[r#"
            callees_of_body
            checked_body
            included_frameworks
            instances_of_body
            painted_body
            parsed_body
            preprocessed
            split_unit
            summary_of_body"#]],
    );
}

#[test]
fn an_edit_of_layout_and_comments() {
    check(
        "float second",
        "// What it does.\n\nfloat  second",
        expect![[r#"
            included_frameworks
            preprocessed
            split_unit"#]],
    );
}

#[test]
fn an_edit_in_the_body_of_a_template() {
    check(
        "x + x",
        "x * 2",
        expect![[r#"
            body_concerns_generics
            checked_body
            checked_instance
            included_frameworks
            instances_of_body
            painted_body
            parsed_body
            preprocessed
            split_unit
            summary_of_instance
            unit_instances
            unit_recursion
            unit_summaries"#]],
    );
}

/// How often the declarations of a unit of which nothing states the version are judged.
#[track_caller]
fn judged(text: &str) -> usize {
    let (mut analysis, ran) = logged();
    let version = LanguageVersion::DEFAULT;
    let request = UnitRequest {
        path: "a.metal".into(),
        std: StdChoice::unstated(),
        options: UnitOptions::new(version),
        thresholds: Default::default(),
    };
    analysis.open("a.metal", format!("#include <metal_stdlib>\nusing namespace metal;\n{text}").as_bytes().into());
    let staged = analysis.check_in_stages(&request, |_| ());
    assert_eq!(staged.diagnostics, analysis.check(&request).diagnostics);
    names(&analysis, &ran).iter().filter(|name| *name == "checked_declarations").count()
}

#[test]
fn an_unstated_version_is_judged_twice_only_where_it_matters() {
    for text in [
        "kernel void k(device float *p [[buffer(0)]], threadgroup float *t [[threadgroup(0)]]) { p[0] = max(t[0], 1.0f); }",
        "struct S { float a[4]; }; float f(thread const S &s, constant float *c) { float x[2] = { s.a[0], *c }; return x[1]; }",
        "template <typename T> T load(device T *p) { return p[0]; } float f(device float *p) { return load(p); }",
        "float f() { return missing; }",
    ] {
        assert_eq!(judged(text), 1, "{text}");
    }
    for text in [
        "struct S { float x; float get() const { return x; } };",
        "float f(float *p) { return *p; }",
        "float f(device float *p) { float *q = p; return *q; }",
        "template <typename T> T load(T *p) { return p[0]; } float f(device float *p) { return load(p); }",
        "float f(float a[2]) { return a[0]; }",
        "#if __METAL_VERSION__ >= 410\nint x(\n#endif",
        "void f(device float *p) { (void)addrspace_cast<thread float *>(p); }",
        "float f(thread float &x) { decltype(x) y = x; float z = 1; decltype(z) w = z; return y + w; }",
    ] {
        assert_eq!(judged(text), 2, "{text}");
    }
}
