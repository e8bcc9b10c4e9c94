//! Published and pulled diagnostics, and their repairs.

use serde_json::{Value, json};

use crate::client::{Client, capable};

const WRONG: &str = "kernel void k(float *p [[buffer(0)]]) { *p = 1; }\n";

#[test]
fn a_finding_with_its_repair() {
    let mut client = Client::with(&[("msl-analyzer.toml", "std = \"metal4.1\"")]);
    client.open("a.metal", WRONG);
    let found = client.diagnostics("a.metal", 1);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["code"], "entry-point-address-space");
    assert_eq!(found[0]["severity"], 1);
    assert_eq!(found[0]["source"], "msl-analyzer");
    assert_eq!(found[0]["range"]["start"], json!({ "line": 0, "character": 21 }));
    let params = json!({
        "textDocument": { "uri": client.uri("a.metal") },
        "range": found[0]["range"],
        "context": { "diagnostics": found },
    });
    let actions = client.request("textDocument/codeAction", params);
    let titles: Vec<&str> = actions.as_array().unwrap().iter().filter_map(|it| it["title"].as_str()).collect();
    assert_eq!(titles, ["Add `device`", "Add `constant`", "Add `threadgroup`"]);
    assert_eq!(actions[0]["isPreferred"], true);
    let change = &actions[0]["edit"]["documentChanges"][0];
    assert_eq!(change["textDocument"]["version"], 1);
    assert_eq!(change["edits"][0]["newText"], "device ");
    assert_eq!(change["edits"][0]["range"]["start"], json!({ "line": 0, "character": 14 }));

    client.replace("a.metal", 2, &WRONG.replace("float *p", "device float *p"));
    assert_eq!(client.diagnostics("a.metal", 2), [] as [Value; 0]);
}

#[test]
fn related_places_lead_to_other_files() {
    let mut client =
        Client::with(&[("msl-analyzer.toml", "std = \"metal4.1\""), ("f.h", "void f(device float *p);\n")]);
    client.open("a.metal", "#include \"f.h\"\nvoid g(threadgroup float *p) { f(p); }\n");
    let found = client.diagnostics("a.metal", 1);
    assert_eq!(found.len(), 1, "{found:?}");
    let related = &found[0]["relatedInformation"][0];
    assert_eq!(client.name_of(&related["location"]["uri"]), "f.h");
    assert_eq!(related["location"]["range"]["start"], json!({ "line": 0, "character": 5 }));
}

#[test]
fn unsaved_headers_are_seen_by_their_includers() {
    let mut client = Client::with(&[
        ("msl-analyzer.toml", "std = \"metal4.1\""),
        ("h.h", "constant int width = 1;\n"),
        ("a.metal", "#include \"h.h\"\nint f() { return width; }\n"),
    ]);
    client.open("a.metal", "#include \"h.h\"\nint f() { return width; }\n");
    assert_eq!(client.diagnostics("a.metal", 1), [] as [Value; 0]);
    client.open("h.h", "constant int width = 1;\n");
    client.diagnostics("h.h", 1);
    client.replace("h.h", 2, "constant int height = 1;\n");
    client.diagnostics("h.h", 2);
    let found = loop {
        let found = client.diagnostics("a.metal", 1);
        if !found.is_empty() {
            break found;
        }
    };
    assert_eq!(found[0]["code"], "undeclared-identifier");
    // Closed without saving: the disk counts again.
    client.close("h.h");
    while !client.diagnostics("a.metal", 1).is_empty() {}
}

#[test]
fn a_header_is_judged_through_its_includer() {
    let mut client = Client::with(&[
        ("msl-analyzer.toml", "std = \"metal4.1\""),
        ("part.h", "int g() { return width; }\n"),
        ("a.metal", "constant int width = 1;\n#include \"part.h\"\n"),
    ]);
    client.open("part.h", "int g() { return width; }\n");
    // Before the workspace is read the header stands alone; then it is seen through its includer.
    while !client.diagnostics("part.h", 1).is_empty() {}
}

#[test]
fn configuration_files_and_settings() {
    let mut client = Client::with(&[("msl-analyzer.toml", "std = \"metal4.1\"")]);
    let text = "void f(device float *p) { float *q = p; *q = 1; }\n";
    client.open("a.metal", text);
    assert_eq!(client.diagnostics("a.metal", 1), [] as [Value; 0]);
    // Changed on disk.
    client.write("msl-analyzer.toml", "std = \"metal3.2\"");
    let uri = client.uri("msl-analyzer.toml");
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 2 }] }));
    // What was found before may be said once more.
    let found = loop {
        let found = client.diagnostics("a.metal", 1);
        if !found.is_empty() {
            break found;
        }
    };
    assert_eq!(found[0]["severity"], 1, "{found:?}");
    // The editor's setting goes before the file.
    let settings = json!({ "settings": { "msl-analyzer": { "std": "metal4.1" } } });
    client.notify("workspace/didChangeConfiguration", settings);
    while !client.diagnostics("a.metal", 1).is_empty() {}
    // A setting that cannot be read is reported.
    let settings = json!({ "settings": { "msl-analyzer": { "std": "metal9.9" } } });
    client.notify("workspace/didChangeConfiguration", settings);
    let shown = client.wait(|message| message["method"] == "window/showMessage");
    assert!(shown["params"]["message"].as_str().unwrap().contains("metal9.9"), "{shown}");
}

#[test]
fn what_changes_on_disk() {
    let mut client = Client::with(&[("msl-analyzer.toml", "std = \"metal4.1\"")]);
    client.open("a.metal", "#include \"late.h\"\n");
    assert_eq!(client.diagnostics("a.metal", 1)[0]["code"], "include-not-found");
    client.write("late.h", "constant int x = 1;\n");
    let uri = client.uri("late.h");
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 1 }] }));
    while !client.diagnostics("a.metal", 1).is_empty() {}
    std::fs::remove_file(client.path("late.h")).unwrap();
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 3 }] }));
    while client.diagnostics("a.metal", 1).is_empty() {}
}

/// The server runs in the folder of the configuration, as most editors start it.
#[test]
fn include_folders_of_the_configuration() {
    let mut client = Client::with(&[
        ("msl-analyzer.toml", "std = \"metal4.1\"\nincludes = [\"headers\"]"),
        ("headers/found.h", "constant int x = 1;\n"),
    ]);
    client.open("a.metal", "#include \"found.h\"\n");
    assert_eq!(client.diagnostics("a.metal", 1), [] as [Value; 0]);
}

#[test]
fn a_client_that_pulls_is_not_pushed_to() {
    let mut client = Client::uninitialized(&[("msl-analyzer.toml", "std = \"metal4.1\"")]);
    let mut abilities = capable();
    abilities["textDocument"]["diagnostic"] = json!({});
    abilities["workspace"]["diagnostics"] = json!({ "refreshSupport": true });
    client.initialize(&abilities, Value::Null);
    assert_eq!(client.capabilities["diagnosticProvider"]["interFileDependencies"], true);
    client.open("a.metal", WRONG);
    let params = json!({ "textDocument": { "uri": client.uri("a.metal") } });
    let report = client.request("textDocument/diagnostic", params.clone());
    assert_eq!(report["kind"], "full");
    assert_eq!(report["items"][0]["code"], "entry-point-address-space");
    client.replace("a.metal", 2, "");
    assert_eq!(client.request("textDocument/diagnostic", params)["items"], json!([]));
}

/// Neovim 0.11 pulls and does not know `workspace/diagnostic/refresh`.
#[test]
fn a_client_that_cannot_be_asked_to_pull_is_pushed_to() {
    let mut client = Client::uninitialized(&[("msl-analyzer.toml", "std = \"metal4.1\"")]);
    let mut abilities = capable();
    abilities["textDocument"]["diagnostic"] = json!({});
    client.initialize(&abilities, Value::Null);
    assert!(client.capabilities["diagnosticProvider"].is_null());
    client.open("a.metal", WRONG);
    assert_eq!(client.diagnostics("a.metal", 1)[0]["code"], "entry-point-address-space");
}

#[test]
fn all_repairs_at_once() {
    let mut client = Client::with(&[("msl-analyzer.toml", "std = \"metal4.1\"")]);
    client.open("a.metal", &WRONG.repeat(2).replacen("void k", "void l", 1));
    assert_eq!(client.diagnostics("a.metal", 1).len(), 2);
    let everything = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let params = json!({
        "textDocument": { "uri": client.uri("a.metal") },
        "range": everything,
        "context": { "diagnostics": [], "only": ["source.fixAll"] },
    });
    let actions = client.request("textDocument/codeAction", params);
    assert_eq!(actions[0]["edit"]["documentChanges"][0]["edits"].as_array().unwrap().len(), 2);
}

#[test]
fn what_can_be_left_out_is_tagged() {
    let mut client = Client::with(&[("msl-analyzer.toml", "std = \"metal4.1\"")]);
    client.open("a.metal", "int f() {\n    int unused = 1;\n    return 1;\n}\n");
    let found = client.diagnostics("a.metal", 1);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&found[0]["code"], &found[0]["severity"]), (&json!("unused-variable"), &json!(4)));
    assert_eq!(found[0]["tags"], json!([1]), "unnecessary");
    let params = json!({
        "textDocument": { "uri": client.uri("a.metal") },
        "range": found[0]["range"],
        "context": { "diagnostics": found, "only": ["quickfix"] },
    });
    let actions = client.request("textDocument/codeAction", params);
    let action = actions.as_array().unwrap().iter().find(|it| it["title"] == "Remove `unused`").unwrap();
    assert_eq!(action["isPreferred"], Value::Null, "whoever types a declaration wants to use it next");
    let edit = &action["edit"]["documentChanges"][0]["edits"][0];
    assert_eq!(edit["range"], json!({ "start": { "line": 1, "character": 0 }, "end": { "line": 2, "character": 0 } }));
}
