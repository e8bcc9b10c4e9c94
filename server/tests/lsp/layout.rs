//! Folding and selection ranges.

use serde_json::{Value, json};

use crate::client::{Client, capable};

const TEXT: &str = "// One\n// comment.\nvoid f(int a) {\n    if (a > 1) {\n        return;\n    }\n}\n";

#[test]
fn folding() {
    let mut client = Client::uninitialized(&[]);
    let mut abilities = capable();
    abilities["textDocument"]["foldingRange"] = json!({ "lineFoldingOnly": true });
    client.initialize(&abilities, Value::Null);
    client.open("a.metal", TEXT);
    let params = json!({ "textDocument": { "uri": client.uri("a.metal") } });
    let folds = client.request("textDocument/foldingRange", params);
    let lines: Vec<String> = folds
        .as_array()
        .unwrap()
        .iter()
        .map(|it| format!("{}-{} {}", it["startLine"], it["endLine"], it["kind"].as_str().unwrap_or("code")))
        .collect();
    assert_eq!(lines, ["0-1 comment", "2-5 code", "3-4 code"]);
}

#[test]
fn selection_grows() {
    let mut client = Client::with(&[]);
    client.open("a.metal", TEXT);
    let position = json!({ "line": 3, "character": 8 });
    let params = json!({ "textDocument": { "uri": client.uri("a.metal") }, "positions": [position, position] });
    let found = client.request("textDocument/selectionRange", params);
    assert_eq!(found.as_array().unwrap().len(), 2);
    let mut widths = Vec::new();
    let mut at = &found[0];
    while at.is_object() {
        widths.push(format!("{}-{}", at["range"]["start"], at["range"]["end"]));
        at = &at["parent"];
    }
    assert!(widths.len() > 4, "{widths:?}");
    assert_eq!(at, &Value::Null);
}
