//! Code actions that change code at a place.

use serde_json::{Value, json};

use crate::client::{Client, Fixture, capable};

/// The actions of some kinds at `$0`, in a client that shows refusals.
fn actions(client: &mut Client, fixture: &Fixture, only: &[&str]) -> Vec<Value> {
    let mut params = client.at("a.metal", &fixture.places[0]);
    let at = params["position"].take();
    params["range"] = json!({ "start": at, "end": at });
    params["context"] = json!({ "diagnostics": [], "only": only });
    client.request("textDocument/codeAction", params).as_array().unwrap().clone()
}

fn client(std: &str) -> Client {
    let mut client = Client::uninitialized(&[("msl-analyzer.toml", &format!("std = \"{std}\""))]);
    let mut capabilities = capable();
    capabilities["textDocument"]["codeAction"]["disabledSupport"] = json!(true);
    capabilities["workspace"]["workspaceEdit"] = json!({ "documentChanges": true, "changeAnnotationSupport": {} });
    client.initialize(&capabilities, Value::Null);
    client
}

#[test]
fn overloads_become_one_with_a_note() {
    let mut client = client("metal4.1");
    let fixture = client.open_fixture(
        "a.metal",
        "// In device memory.\nvoid set(device int *p) { *p = 1; }\nvoid s$0et(thread int *p) { *p = 1; }\n",
    );
    let found = actions(&mut client, &fixture, &["refactor"]);
    let action = &found[0];
    assert_eq!(action["title"], "Replace 2 overloads of `set` by one generic function");
    assert_eq!(action["kind"], "refactor.rewrite");
    let change = &action["edit"]["documentChanges"][0];
    assert_eq!(change["textDocument"]["version"], 1);
    assert_eq!(change["edits"].as_array().unwrap().len(), 2);
    assert_eq!(change["edits"][0]["annotationId"], "consolidate-overloads");
    let annotation = &action["edit"]["changeAnnotations"]["consolidate-overloads"];
    assert_eq!(annotation["description"], "its comment speaks of device memory");
    assert!(actions(&mut client, &fixture, &["quickfix"]).is_empty());
}

#[test]
fn a_refusal_says_why() {
    let mut client = client("metal4.0");
    let fixture =
        client.open_fixture("a.metal", "void set(device int *p) { *p = 1; }\nvoid s$0et(thread int *p) { *p = 1; }\n");
    let found = actions(&mut client, &fixture, &["refactor.rewrite"]);
    assert_eq!(
        found[0]["disabled"]["reason"],
        "generic functions need Metal 4.1: change the version of the build first"
    );
}

#[test]
fn members_are_annotated() {
    let mut client = client("metal4.0");
    let fixture = client.open_fixture(
        "a.metal",
        "void set(thread int &v) { v = 1; }\nstruct S { int v; void a$0() { set(v); } void b() { a(); } int c() { return v; } };\n",
    );
    let titles: Vec<String> = actions(&mut client, &fixture, &["refactor.rewrite"])
        .iter()
        .map(|action| {
            let edits = action["edit"]["documentChanges"][0]["edits"].as_array().unwrap();
            format!("{} ({})", action["title"].as_str().unwrap(), edits.len())
        })
        .collect();
    assert_eq!(
        titles,
        [
            "Add `thread` to `S::a` (2)",
            "Add `thread` to the 2 member functions that need it for Metal 4.1 (2)",
            "Add `thread` to all 3 member functions of this file without an address space (3)",
        ]
    );
}
