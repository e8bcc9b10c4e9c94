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

/// The actions of some kinds for what is between `$0` and `$1`.
fn of_selection(client: &mut Client, fixture: &Fixture, only: &[&str]) -> Vec<Value> {
    let mut params = client.at("a.metal", &fixture.places[0]);
    let _ = params["position"].take();
    params["range"] = json!({ "start": fixture.places[0], "end": fixture.places[1] });
    params["context"] = json!({ "diagnostics": [], "only": only });
    client.request("textDocument/codeAction", params).as_array().unwrap().clone()
}

const SELECTED: &str = "float f(float a, float b) {\n    return 2 * ($0a + b$1);\n}\n";

#[test]
fn a_client_that_asks_later_gets_edits_when_the_user_chooses() {
    let mut client = Client::uninitialized(&[("msl-analyzer.toml", "std = \"metal4.0\"")]);
    let mut capabilities = capable();
    capabilities["textDocument"]["codeAction"]["dataSupport"] = json!(true);
    capabilities["textDocument"]["codeAction"]["resolveSupport"] = json!({ "properties": ["edit"] });
    client.initialize(&capabilities, Value::Null);
    assert_eq!(client.capabilities["codeActionProvider"]["resolveProvider"], true);
    let fixture = client.open_fixture("a.metal", SELECTED);
    let found = of_selection(&mut client, &fixture, &["refactor.extract"]);
    let titles: Vec<&str> = found.iter().map(|action| action["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Extract into a variable", "Extract into a function"]);
    assert!(found[0]["edit"].is_null());
    let chosen = client.request("codeAction/resolve", found[0].clone());
    let edits = &chosen["edit"]["documentChanges"][0]["edits"];
    assert_eq!(edits[0]["newText"], "float value = a + b;\n    ");
    assert_eq!(edits[1]["newText"], "value");
    assert!(of_selection(&mut client, &fixture, &["refactor.inline"]).is_empty());
    assert!(of_selection(&mut client, &fixture, &["quickfix"]).is_empty());
}

#[test]
fn a_client_that_cannot_ask_later_gets_edits_at_once() {
    let mut client = client("metal4.0");
    let fixture = client.open_fixture("a.metal", SELECTED);
    let found = of_selection(&mut client, &fixture, &["refactor"]);
    assert_eq!(found[0]["kind"], "refactor.extract");
    assert_eq!(found[0]["edit"]["documentChanges"][0]["edits"][0]["newText"], "float value = a + b;\n    ");
}

#[test]
fn a_variable_is_inlined_or_the_reason_is_said() {
    let mut client = client("metal4.0");
    let fixture = client.open_fixture("a.metal", "int f(int n) {\n    int $0m = n;\n    return m;\n}\n");
    let found = actions(&mut client, &fixture, &["refactor.inline"]);
    assert_eq!(found[0]["title"], "Inline `m`");
    assert_eq!(found[0]["edit"]["documentChanges"][0]["edits"][1]["newText"], "n");
    client.close("a.metal");
    let fixture = client.open_fixture("a.metal", "int f(int n) {\n    int $0m = n;\n    m++;\n    return m;\n}\n");
    let found = actions(&mut client, &fixture, &["refactor.inline"]);
    assert_eq!(found[0]["disabled"]["reason"], "it is written after its declaration, or something refers to it");
}

#[test]
fn includes_are_ordered_and_repairs_made_on_request() {
    let mut client = Client::uninitialized(&[("msl-analyzer.toml", "std = \"metal4.0\""), ("b.h", "#pragma once\n")]);
    client.initialize(&capable(), Value::Null);
    let text = "$0#include \"b.h\"\n#include <metal_stdlib>\nusing namespace metal;\nfloat scale = 1;\n";
    let fixture = client.open_fixture("a.metal", text);
    let found = actions(&mut client, &fixture, &["source.organizeImports"]);
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0]["edit"]["documentChanges"][0]["edits"][0]["newText"],
        "#include <metal_stdlib>\n#include \"b.h\"\n"
    );
    for only in ["source.fixAll", "source.fixAll.msl-analyzer"] {
        let found = actions(&mut client, &fixture, &[only]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0]["kind"], "source.fixAll.msl-analyzer");
        assert_eq!(found[0]["edit"]["documentChanges"][0]["edits"][0]["newText"], "constant ");
    }
    assert_eq!(actions(&mut client, &fixture, &["source"]).len(), 2);
    assert!(actions(&mut client, &fixture, &["source.fixAll.eslint"]).is_empty());
}
