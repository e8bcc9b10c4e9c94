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

/// Runs what a server runs on an open file, before and after an edit, and names the queries that ran after it.
#[track_caller]
fn check(from: &str, to: &str, expected: Expect) {
    let ran: Arc<Mutex<Vec<salsa::DatabaseKeyIndex>>> = Arc::default();
    let log = ran.clone();
    let events = move |event: salsa::Event| {
        if let salsa::EventKind::WillExecute { database_key } = event.kind {
            log.lock().unwrap().push(database_key);
        }
    };
    let files = Arc::new(MemoryFiles::default());
    let mut analysis = Analysis { db: Database::with_events(files, Some(Box::new(events))) };
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
    // Threads share the work, so that there is no order. Bodies are numbered, so that their queries are told apart.
    let ran = std::mem::take(&mut *ran.lock().unwrap());
    let mut names: Vec<String> = Vec::new();
    analysis.db.attach(|_| names.extend(ran.iter().map(|key| format!("{key:?}"))));
    for name in &mut names {
        name.truncate(name.find('(').unwrap_or(name.len()));
    }
    names.sort();
    expected.assert_eq(&names.join("\n"));
}

#[test]
fn an_edit_in_a_body() {
    check(
        "first(p) + 1",
        "first(p) + 2",
        expect![[r#"
        callees_of_body
        checked_body
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
            checked_body
            checked_instance
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
