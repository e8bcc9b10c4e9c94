//! Definition, declaration and type definition.

use serde_json::{Value, json};

use crate::client::Client;

/// The targets, as `file:line:column`, counted from 0.
fn targets(client: &mut Client, method: &str, position: &Value) -> Vec<String> {
    let found = client.request(method, client.at("a.metal", position));
    let found = found.as_array().cloned().unwrap_or_default();
    found
        .iter()
        .map(|link| {
            let start = &link["targetSelectionRange"]["start"];
            format!("{}:{}:{}", client.name_of(&link["targetUri"]), start["line"], start["character"])
        })
        .collect()
}

#[test]
fn from_uses_to_definitions() {
    let mut client = Client::with(&[("h.h", "struct S { int field; };\nint helper(S s);\n")]);
    let fixture = client.open_fixture(
        "a.metal",
        "#include $0\"h.h\"\n\
         int hel$1per(S s) { return s.fie$2ld; }\n\
         #define TWICE(x) ((x) * 2)\n\
         int g(S$3 s) { int local = TWI$4CE(helper($5s)); return lo$6cal; }\n",
    );
    for (place, expected) in [
        (0, "h.h:0:0"),
        // On the definition itself, the declaration.
        (1, "h.h:1:4"),
        (2, "h.h:0:15"),
        (3, "h.h:0:7"),
        (4, "a.metal:2:8"),
        (6, "a.metal:3:17"),
    ] {
        assert_eq!(targets(&mut client, "textDocument/definition", &fixture.places[place]), [expected], "${place}");
    }
    assert_eq!(targets(&mut client, "textDocument/declaration", &fixture.places[1]), ["h.h:1:4"]);
    assert_eq!(targets(&mut client, "textDocument/typeDefinition", &fixture.places[5]), ["h.h:0:7"]);
}

#[test]
fn overloads_are_told_apart() {
    let mut client = Client::with(&[("msl-analyzer.toml", "std = \"metal4.1\"")]);
    let fixture = client.open_fixture(
        "a.metal",
        "void f(device int *p) {}\n\
         void f(threadgroup int *p) {}\n\
         void g(device int *d, threadgroup int *t) { f$0(d); f$1(t); }\n",
    );
    assert_eq!(targets(&mut client, "textDocument/definition", &fixture.places[0]), ["a.metal:0:5"]);
    assert_eq!(targets(&mut client, "textDocument/definition", &fixture.places[1]), ["a.metal:1:5"]);
}

#[test]
fn members_defined_outside_of_their_class() {
    let mut client = Client::with(&[]);
    let fixture = client.open_fixture(
        "a.metal",
        "struct S { int get(); };\n\
         int S::get() { return 1; }\n\
         int f(S s) { return s.g$0et(); }\n",
    );
    assert_eq!(targets(&mut client, "textDocument/definition", &fixture.places[0]), ["a.metal:1:7"]);
    assert_eq!(targets(&mut client, "textDocument/declaration", &fixture.places[0]), ["a.metal:0:15"]);
}

#[test]
fn the_library_is_made_of_files() {
    let mut client = Client::with(&[]);
    let text = "#include <metal$0_stdlib>\nusing namespace metal;\nfloat f(float x) { return fmi$1n(x, 1.0f); }\n";
    let fixture = client.open_fixture("a.metal", text);
    assert_eq!(targets(&mut client, "textDocument/definition", &fixture.places[0]), ["metal_stdlib.metal:0:0"]);
    let found = client.request("textDocument/definition", client.at("a.metal", &fixture.places[1]));
    assert_eq!(client.name_of(&found[0]["targetUri"]), "metal_math.metal");
    let path = client.path("cache").join(concat!("library-", env!("CARGO_PKG_VERSION"))).join("metal_math.metal");
    let library = std::fs::read_to_string(&path).unwrap();
    let line = found[0]["targetSelectionRange"]["start"]["line"].as_u64().unwrap() as usize;
    assert!(library.lines().nth(line).unwrap().contains("fmin"));
    assert!(std::fs::metadata(&path).unwrap().permissions().readonly());
    // The library is not judged.
    let uri = json!({ "textDocument": { "uri": found[0]["targetUri"], "languageId": "metal", "version": 1, "text": library } });
    client.notify("textDocument/didOpen", uri);
    let position = &found[0]["targetSelectionRange"]["start"];
    let params = json!({ "textDocument": { "uri": found[0]["targetUri"] }, "position": position });
    assert_eq!(client.request("textDocument/hover", params), Value::Null);
}

#[test]
fn a_client_without_links_gets_locations() {
    let mut client = Client::uninitialized(&[]);
    client.initialize(&json!({}), Value::Null);
    let fixture = client.open_fixture("a.metal", "constant int x = 1;\nint f() { return x$0; }\n");
    let found = client.request("textDocument/definition", client.at("a.metal", &fixture.places[0]));
    assert_eq!(found[0]["range"]["start"], json!({ "line": 0, "character": 13 }));
}
