//! Inlay hints.

use serde_json::{Value, json};

use crate::client::{Client, capable};

fn hints(options: Value, text: &str) -> Vec<String> {
    let mut client = Client::uninitialized(&[]);
    client.initialize(&capable(), options);
    client.open("a.metal", text);
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let params = json!({ "textDocument": { "uri": client.uri("a.metal") }, "range": range });
    let found = client.request("textDocument/inlayHint", params);
    let spell = |it: &Value| {
        let at = &it["position"];
        format!("{}:{} {}", at["line"], at["character"], it["label"].as_str().unwrap())
    };
    found.as_array().unwrap().iter().map(spell).collect()
}

const TEXT: &str = "float area(float width, float height, float z);\n\
                    struct S { S(int size); };\n\
                    void f(float height) {\n  auto a = area(1, height, 2);\n  const auto b = &a;\n  S(3);\n}\n";

#[test]
fn names_of_parameters_and_deduced_types() {
    assert_eq!(hints(Value::Null, TEXT), ["3:8 : float", "3:16 width:", "4:14 : thread float *", "5:4 size:"]);
}

#[test]
fn settings_turn_them_off() {
    let options = json!({ "inlay-hints": { "parameters": false } });
    assert_eq!(hints(options, TEXT), ["3:8 : float", "4:14 : thread float *"]);
}
