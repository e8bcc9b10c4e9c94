//! The call that is being typed.

use serde_json::{Value, json};

use crate::client::Client;

fn help(marked: &str) -> Value {
    let mut client = Client::with(&[("msl-analyzer.toml", "std = \"metal4.1\"")]);
    let fixture = client.open_fixture("a.metal", marked);
    client.request("textDocument/signatureHelp", client.at("a.metal", &fixture.places[0]))
}

fn labels(help: &Value) -> Vec<&str> {
    help["signatures"].as_array().into_iter().flatten().filter_map(|it| it["label"].as_str()).collect()
}

#[test]
fn overloads_and_the_active_parameter() {
    let text = "void f(device int *p, int n);\nvoid f(threadgroup int *p, int n);\n\
                void g(threadgroup int *t) { f(t, $0) }";
    let help = help(text);
    assert_eq!(labels(&help), ["void f(device int *p, int n)", "void f(threadgroup int *p, int n)"]);
    assert_eq!(help["activeParameter"], 1);
    let first = &help["signatures"][0]["parameters"];
    assert_eq!(first[1]["label"], serde_json::json!([22, 27]));
}

#[test]
fn those_that_take_so_many_come_first() {
    let help = help("void f(int a);\nvoid f(int a, int b);\nvoid g() { f(1, $0); }");
    assert_eq!(labels(&help), ["void f(int a, int b)", "void f(int a)"]);
    assert_eq!(help["activeSignature"], 0);
}

#[test]
fn nested_calls_members_and_constructors() {
    assert_eq!(labels(&help("int f(int a);\nint g(int b);\nint h() { return f(g($0)); }")), ["int g(int b)"]);
    assert_eq!(labels(&help("int f(int a);\nint g(int b);\nint h() { return f(g(1), $0); }")), ["int f(int a)"]);
    assert_eq!(labels(&help("struct S { void m(float x); };\nvoid f(S s) { s.m($0); }")), ["void S::m(float x)"]);
    assert_eq!(labels(&help("struct S { S(int a, int b); };\nvoid f() { S s = S(1, $0); }")), ["S::S(int a, int b)"]);
    assert_eq!(labels(&help("#include <metal_stdlib>\nvoid f() { metal::sincos($0); }")).len(), 1);
}

#[test]
fn nothing_outside_of_calls() {
    assert!(help("int f(int a) { if ($0) {} return 1; }").is_null());
    assert!(help("int f(int a) { f(1); $0 }").is_null());
}

#[test]
fn everywhere_in_broken_code() {
    let mut client = Client::with(&[("msl-analyzer.toml", "std = \"metal4.1\"")]);
    let text = "int f(int a, int b);\nvoid g() { { { { f(1, } } } }\nvoid h() { f(\nvoid i() { int x; }\nint j = f(2, ; void k() {\n";
    client.open("a.metal", text);
    for (line, content) in text.lines().enumerate() {
        for character in 0..=content.len() {
            let at = client.at("a.metal", &json!({ "line": line, "character": character }));
            client.request("textDocument/signatureHelp", at);
        }
    }
}
