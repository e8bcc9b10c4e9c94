//! Symbols of documents and of the workspace.

use expect_test::expect;
use serde_json::{Value, json};

use crate::client::{Client, capable};

fn outline(symbols: &Value, depth: usize, text: &mut String) {
    for symbol in symbols.as_array().into_iter().flatten() {
        let indent = "  ".repeat(depth);
        let detail = symbol["detail"].as_str().map(|detail| format!(" · {detail}")).unwrap_or_default();
        text.push_str(&format!("{indent}{} {}{detail}\n", symbol["kind"], symbol["name"].as_str().unwrap()));
        outline(&symbol["children"], depth + 1, text);
    }
}

const TEXT: &str = "#define WIDTH 4\n\
                    namespace n {\nstruct S { float4 color; void m(); enum { a, b }; };\nvoid S::m() {}\n}\n\
                    enum class Mode : ushort { on, off = 5 };\n\
                    using Pointer = device float *;\n\
                    constant int limit = 1;\n\
                    template <typename T> T twice(T x) { return x + x; }\n\
                    kernel void k(Pointer p [[buffer(0)]]) {}\n";

#[test]
fn of_a_document() {
    let mut client = Client::with(&[]);
    client.open("a.metal", TEXT);
    let params = json!({ "textDocument": { "uri": client.uri("a.metal") } });
    let symbols = client.request("textDocument/documentSymbol", params);
    let mut text = String::new();
    outline(&symbols, 0, &mut text);
    expect![[r#"
        14 WIDTH · #define
        3 n
          23 S
            8 color · float4
            6 m · void n::S::m()
            22 a · 0
            22 b · 1
          6 S::m · void n::m()
        10 Mode
          22 on · 0
          22 off · 5
        5 Pointer · device float *
        14 limit · constant int
        12 twice · T twice(T x)
        12 k · [[kernel]] void k(device float *p)
    "#]]
    .assert_eq(&text);
    let function = symbols.as_array().unwrap().last().unwrap();
    assert_eq!(function["range"]["start"], json!({ "line": 9, "character": 0 }));
    assert_eq!(function["selectionRange"]["start"], json!({ "line": 9, "character": 12 }));
}

#[test]
fn flat_for_clients_without_trees() {
    let mut client = Client::uninitialized(&[]);
    let mut abilities = capable();
    abilities["textDocument"]["documentSymbol"] = json!({});
    client.initialize(&abilities, Value::Null);
    client.open("a.metal", TEXT);
    let params = json!({ "textDocument": { "uri": client.uri("a.metal") } });
    let symbols = client.request("textDocument/documentSymbol", params);
    let color = symbols.as_array().unwrap().iter().find(|it| it["name"] == "color").unwrap();
    assert_eq!(color["containerName"], "S");
}

#[test]
fn of_the_workspace() {
    let mut client = Client::with(&[
        ("one.metal", "kernel void blur_horizontal() {}\nkernel void blur_vertical() {}\n"),
        ("two/two.h", "namespace n { struct Blur { int radius; }; }\n"),
    ]);
    client.wait(|message| message["params"]["value"]["kind"] == "end");
    client.open("open.metal", "void unsaved_blur() {}\n");
    let found = client.request("workspace/symbol", json!({ "query": "blur" }));
    let names: Vec<&str> = found.as_array().unwrap().iter().filter_map(|it| it["name"].as_str()).collect();
    assert_eq!(names, ["Blur", "blur_vertical", "blur_horizontal", "unsaved_blur"]);
    assert_eq!(found[0]["containerName"], "n");
    let found = client.request("workspace/symbol", json!({ "query": "bhor" }));
    assert_eq!(found[0]["name"], "blur_horizontal");
    assert_eq!(client.request("workspace/symbol", json!({ "query": "nothing like it" })), json!([]));
}
