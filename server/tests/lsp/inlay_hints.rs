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

const TEMPLATES: &str = "template <typename T> T half_of(T *v, int n) { return v[n] / 2; }\n\
                         float use(device float *v) { return half_of(v, 1) + half_of<device float>(v, 2); }\n";

#[test]
fn deduced_template_arguments() {
    let options = json!({ "inlay-hints": { "parameters": false, "types": false, "address-spaces": false } });
    assert_eq!(hints(options, TEMPLATES), ["1:43 <device float>"]);
}

#[test]
fn ids_of_argument_buffers() {
    let text = "#include <metal_stdlib>\nusing namespace metal;\n\
                struct Material {\n  float4 color;\n  array<texture2d<float>, 3> maps;\n  sampler look [[id(9)]];\n  \
                device float *data;\n};\nstruct Plain {\n  float4 color;\n};\n";
    assert_eq!(hints(Value::Null, text), ["3:14  [[id(0)]]", "4:33  [[id(1)]]", "6:20  [[id(10)]]"]);
}

#[test]
fn what_a_hint_speaks_of() {
    let mut client = Client::uninitialized(&[]);
    client.initialize(&capable(), Value::Null);
    client.open("a.metal", TEMPLATES);
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let params = json!({ "textDocument": { "uri": client.uri("a.metal") }, "range": range });
    let found = client.request("textDocument/inlayHint", params);
    let hint = found.as_array().unwrap().iter().find(|hint| hint["label"] == "<device float>").expect("the hint");
    let resolved = client.request("inlayHint/resolve", hint.clone());
    let part = &resolved["label"][0];
    assert_eq!(part["location"]["range"]["start"], json!({ "line": 0, "character": 24 }), "{resolved}");
    assert!(part["tooltip"]["value"].as_str().unwrap().contains("half_of"), "{resolved}");
}
