//! What is offered at the cursor.

use serde_json::{Value, json};

use crate::client::Client;

/// The labels that are offered at `$0`, under this version.
fn labels_under(std: &str, marked: &str) -> Vec<String> {
    items_under(std, marked).iter().filter_map(|item| item["label"].as_str().map(str::to_owned)).collect()
}

fn items_under(std: &str, marked: &str) -> Vec<Value> {
    let mut client = Client::with(&[("msl-analyzer.toml", &format!("std = \"{std}\""))]);
    let fixture = client.open_fixture("a.metal", marked);
    let found = client.request("textDocument/completion", client.at("a.metal", &fixture.places[0]));
    found["items"].as_array().cloned().unwrap_or_default()
}

#[track_caller]
fn offers(marked: &str, present: &[&str], absent: &[&str]) {
    let labels = labels_under("metal4.1", marked);
    for label in present {
        assert!(labels.iter().any(|it| it == label), "{label} is not among {labels:?}");
    }
    for label in absent {
        assert!(!labels.iter().any(|it| it == label), "{label} is among {labels:?}");
    }
}

#[test]
fn members_of_classes() {
    let class = "struct Base { int inherited; };\nstruct S : Base { float4 color; void paint(); };\n";
    offers(&format!("{class}void f(S s) {{ s.$0 }}"), &["color", "paint", "inherited"], &["f", "S", "return"]);
    offers(&format!("{class}void f(device S *s) {{ s->col$0; }}"), &["color"], &["paint", "inherited"]);
    offers(&format!("{class}void f(device S *s) {{\n  s[2].$0\n  int next = 1;\n}}"), &["color"], &["next"]);
}

#[test]
fn swizzles() {
    let vector = |rest: &str| format!("#include <metal_stdlib>\nvoid f(float3 v) {{ v.{rest} }}");
    offers(&vector("$0"), &["x", "xy", "xyz", "rgb"], &["w", "xyzw", "a"]);
    offers(&vector("r$0;"), &["r", "rg", "rgb"], &["x"]);
}

#[test]
fn names_in_scope() {
    let text = "constant int global = 1;\nint later();\n\
                int f(int parameter) { int local = 1; { int inner = 2; } $0 int behind; }\nconstant int after = 2;\n";
    offers(
        text,
        &["global", "later", "parameter", "local", "f", "return", "for loop"],
        &["inner", "behind", "after", "kernel"],
    );
    offers("$0", &["kernel", "struct", "kernel function"], &["return"]);
    offers("struct S { int field; void m() { $0 } };", &["field", "m", "this"], &[]);
    offers("namespace n { int inside(); }\nvoid f() { n::$0 }", &["inside"], &["f"]);
    offers("enum class E { one, two };\nvoid f() { E e = E::$0; }", &["one", "two"], &["f"]);
    offers("#define LIMIT 3\nint f() { return LI$0; }", &["LIMIT"], &[]);
}

#[test]
fn the_library_of_the_version() {
    let text = "#include <metal_stdlib>\nusing namespace metal;\nvoid f() { addrspace$0 }";
    assert!(!labels_under("metal4.0", text).iter().any(|label| label.starts_with("addrspace")));
    let text = "#include <metal_stdlib>\nusing namespace metal;\nfloat f(float x) { return clam$0 }";
    let items = items_under("metal4.0", text);
    let clamp = items.iter().find(|item| item["label"] == "clamp").expect("clamp is offered");
    assert_eq!(clamp["textEdit"]["newText"], "clamp($0)");
    assert_eq!(clamp["insertTextFormat"], 2);
    assert!(clamp["detail"].as_str().unwrap().contains("overloads"), "{clamp}");
    let mut client = Client::with(&[]);
    let resolved = client.request("completionItem/resolve", clamp.clone());
    assert!(resolved["documentation"]["value"].as_str().unwrap().contains("minval"), "{resolved}");
    // Without the namespace it cannot be named so.
    assert!(!labels_under("metal4.0", "float f(float x) { return clam$0 }").contains(&"clamp".to_owned()));
}

#[test]
fn attributes_that_fit() {
    offers(
        "kernel void k(uint id [[thread_$0]]) {}",
        &["thread_position_in_grid", "threads_per_threadgroup"],
        &["vertex_id", "position", "return"],
    );
    offers("vertex float4 v(uint id [[$0]]) {}", &["vertex_id", "buffer"], &["thread_position_in_grid"]);
    offers("struct V { float4 p [[$0]]; };", &["position", "attribute", "user"], &["kernel"]);
}

#[test]
fn headers() {
    offers("#include <metal_$0", &["metal_stdlib", "metal_math"], &["return"]);
}

#[test]
fn nothing_in_comments_strings_and_numbers() {
    for text in ["// re$0", "/* re$0 */", "void f() { int x = 1$0; }"] {
        assert_eq!(labels_under("metal4.1", text), [] as [String; 0], "{text}");
    }
}

#[test]
fn what_is_typed_is_replaced() {
    let items = items_under("metal4.1", "int value; void f() { val$0ue; }");
    let value = items.iter().find(|item| item["label"] == "value").unwrap();
    let range = &value["textEdit"]["range"];
    assert_eq!(*range, json!({ "start": { "line": 0, "character": 22 }, "end": { "line": 0, "character": 25 } }));
}
