//! Rename: what it edits, and what it refuses.

use serde_json::{Value, json};

use crate::client::{Client, Fixture};

/// The text after the rename of `$0`, or why it was refused.
#[track_caller]
fn check(marked: &str, new_name: &str, expected: Result<&str, &str>) {
    let mut client = Client::with(&[("msl-analyzer.toml", "std = \"metal4.1\"")]);
    let fixture = client.open_fixture("a.metal", marked);
    let mut params = client.at("a.metal", &fixture.places[0]);
    params["newName"] = json!(new_name);
    let id = client.ask("textDocument/rename", params);
    let answer = client.answer(id);
    match expected {
        Ok(text) => assert_eq!(apply(&fixture, &answer["result"]["documentChanges"][0]["edits"]), text, "{answer}"),
        Err(reason) => {
            let message = answer["error"]["message"].as_str().unwrap_or_default();
            assert!(message.contains(reason), "{answer}");
        }
    }
}

fn apply(fixture: &Fixture, edits: &Value) -> String {
    let mut lines: Vec<String> = fixture.text.split('\n').map(str::to_owned).collect();
    let mut edits: Vec<&Value> = edits.as_array().into_iter().flatten().collect();
    let number = |value: &Value| value.as_u64().unwrap() as usize;
    edits.sort_by_key(|edit| {
        let start = &edit["range"]["start"];
        std::cmp::Reverse((number(&start["line"]), number(&start["character"])))
    });
    for edit in edits {
        let (start, end) = (&edit["range"]["start"], &edit["range"]["end"]);
        let line = &mut lines[number(&start["line"])];
        line.replace_range(number(&start["character"])..number(&end["character"]), edit["newText"].as_str().unwrap());
    }
    lines.join("\n")
}

#[test]
fn locals_are_told_apart() {
    check(
        "int f() { int x$0 = 1; { int x = 2; x++; } return x; }\nint x() { int x = 1; return x; }",
        "y",
        Ok("int f() { int y = 1; { int x = 2; x++; } return y; }\nint x() { int x = 1; return x; }"),
    );
}

#[test]
fn fields_at_all_uses() {
    check(
        "struct S { int x; S(int x) : x(x) {} int get() { return this->x; } };\nint f(S s) { return s.x$0; }",
        "width",
        Ok(
            "struct S { int width; S(int x) : width(x) {} int get() { return this->width; } };\nint f(S s) { return s.width; }",
        ),
    );
}

#[test]
fn overloads_by_space_are_kept_apart() {
    check(
        "void f(device int *p) {}\nvoid f(threadgroup int *p) {}\nvoid g(device int *d, threadgroup int *t) { f$0(d); f(t); }",
        "h",
        Ok(
            "void h(device int *p) {}\nvoid f(threadgroup int *p) {}\nvoid g(device int *d, threadgroup int *t) { h(d); f(t); }",
        ),
    );
}

#[test]
fn classes_with_their_constructors() {
    check(
        "struct S$0 { S(int a) {} ~S() {} static S make() { return S(1); } void m(); };\nvoid S::m() {}\nS s(thread S &t) { return S(2); }",
        "T",
        Ok(
            "struct T { T(int a) {} ~T() {} static T make() { return T(1); } void m(); };\nvoid T::m() {}\nT s(thread T &t) { return T(2); }",
        ),
    );
}

#[test]
fn macro_arguments() {
    check(
        "#define TWICE(x) ((x) + (x))\nint f(int a$0) { return TWICE(a); }",
        "b",
        Ok("#define TWICE(x) ((x) + (x))\nint f(int b) { return TWICE(b); }"),
    );
}

#[test]
fn invalid_names() {
    let text = "int f() { int x$0 = 1; return x; }";
    for (name, reason) in
        [("1x", "not a name"), ("float", "keyword"), ("a b", "not a name"), ("__x", "reserved"), ("", "not a name")]
    {
        check(text, name, Err(reason));
    }
}

#[test]
fn what_is_not_the_authors() {
    check(
        "#include <metal_stdlib>\nfloat f(float x) { return metal::cla$0mp(x, 0.0f, 1.0f); }",
        "limit",
        Err("library"),
    );
    check("#define TWI$0CE(x) ((x) + (x))\n", "thrice", Err("macro"));
    check("constant int x$0 = 1;\n#define GET() (x)\nint f() { return GET(); }", "y", Err("macro `GET`"));
}

#[test]
fn clashes() {
    check("int f(int a) { int x$0 = 1; return x + a; }", "a", Err("`a`"));
    check("constant int y = 2;\nint f() { int x$0 = 1; return x + y; }", "y", Err("means something else"));
    check("constant int x$0 = 2;\nint f(int y) { return x + y; }", "y", Err("means something else"));
    check("struct S { int a; int b$0; };", "a", Err("same scope"));
    check("#define LIMIT 3\nint f() { int x$0 = 1; return x; }", "LIMIT", Err("macro"));
}

#[test]
fn across_files() {
    let mut client = Client::with(&[
        ("shared.h", "struct S { int field; };\n"),
        ("b.metal", "#include \"shared.h\"\nint b(S s) { return s.field; }\n"),
        ("c.metal", "struct S { int field; };\nint c(S s) { return s.field; }\n"),
    ]);
    client.wait(|message| message["params"]["value"]["kind"] == "end");
    let fixture = client.open_fixture("a.metal", "#include \"shared.h\"\nint a(S s) { return s.fie$0ld; }\n");
    let mut params = client.at("a.metal", &fixture.places[0]);
    let prepared = client.request("textDocument/prepareRename", params.clone());
    assert_eq!(prepared["placeholder"], "field");
    params["newName"] = json!("member");
    let edit = client.request("textDocument/rename", params);
    let changes = edit["documentChanges"].as_array().unwrap();
    let mut files: Vec<(String, usize)> = changes
        .iter()
        .map(|it| (client.name_of(&it["textDocument"]["uri"]).to_owned(), it["edits"].as_array().unwrap().len()))
        .collect();
    files.sort();
    assert_eq!(files, [("a.metal".to_owned(), 1), ("b.metal".to_owned(), 1), ("shared.h".to_owned(), 1)]);
}
