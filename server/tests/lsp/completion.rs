//! What is offered at the cursor.

use serde_json::{Value, json};

use crate::client::{Client, Fixture};

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
fn headers_of_the_workspace() {
    let mut client = Client::with(&[
        ("msl-analyzer.toml", "includes = [\"inc\"]"),
        ("sub/part.h", "\n"),
        ("inc/shared.h", "\n"),
        ("part2.h", "\n"),
    ]);
    client.wait_for_index();
    let mut labels = |marked: &str, version: i32| {
        let fixture = Fixture::new(marked);
        match version {
            1 => client.open("a.metal", &fixture.text),
            _ => client.replace("a.metal", version, &fixture.text),
        }
        let found = client.request("textDocument/completion", client.at("a.metal", &fixture.places[0]));
        let labels = found["items"].as_array().cloned().unwrap_or_default();
        labels.iter().filter_map(|item| item["label"].as_str().map(str::to_owned)).collect::<Vec<String>>()
    };
    assert_eq!(labels("#include \"sub/$0", 1), ["sub/part.h"]);
    assert_eq!(labels("#include \"pa$0", 2), ["part2.h"]);
    assert_eq!(labels("#include <sh$0", 3), ["shared.h"]);
}

/// The labels in the order in which an editor shows them.
fn sorted(marked: &str) -> Vec<String> {
    let mut items = items_under("metal4.1", marked);
    items.sort_by_key(|item| item["sortText"].as_str().unwrap_or_default().to_owned());
    items.iter().filter_map(|item| item["label"].as_str().map(str::to_owned)).collect()
}

#[track_caller]
fn comes_before(marked: &str, first: &str, second: &str) {
    let labels = sorted(marked);
    let at = |label: &str| labels.iter().position(|it| it == label);
    assert!(at(first).is_some() && at(first) < at(second), "{first} and {second} in {labels:?}");
}

#[test]
fn what_fits_comes_first() {
    let locals = "int number = 1; float2 pair = 2;";
    let head = "#include <metal_stdlib>\nusing namespace metal;\nvoid take(float2 v, int n);\n";
    let inside = |rest: &str| format!("{head}float2 f() {{ {locals} {rest} }}");
    comes_before(&inside("return $0"), "pair", "number");
    comes_before(&inside("int other = $0;"), "number", "pair");
    comes_before(&inside("pair = $0;"), "pair", "number");
    comes_before(&inside("take($0"), "pair", "number");
    comes_before(&inside("take(pair, $0"), "number", "pair");
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

#[test]
fn a_dot_behind_a_pointer_becomes_an_arrow() {
    let items = items_under("metal4.1", "struct S { int inside; };\nint f(device S *s) { return s.in$0; }\n");
    let item = items.iter().find(|item| item["label"] == "inside").expect("the member is offered");
    let position = |character: u32| json!({ "line": 1, "character": character });
    let dot = json!([{ "range": { "start": position(29), "end": position(30) }, "newText": "->" }]);
    assert_eq!(item["additionalTextEdits"], dot, "{item}");
    let items = items_under("metal4.1", "struct S { int inside; };\nint f(device S *s) { return s->in$0; }\n");
    assert_eq!(items[0]["additionalTextEdits"], Value::Null);
}

#[test]
fn directives() {
    offers("#in$0\n", &["include", "include <metal_stdlib>"], &["int", "define"]);
    offers("# $0\n", &["define", "if", "pragma once"], &["int"]);
    offers("#define WIDTH flo$0\n", &[], &["define"]);
}

#[test]
fn names_reserved_for_the_library() {
    offers("#include <metal_stdlib>\nvoid f() { metal::$0 }\n", &["abs"], &["_conjunction"]);
}
