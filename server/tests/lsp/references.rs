//! References and highlights.

use serde_json::{Value, json};

use crate::client::{Client, Fixture};

fn spell(client: &Client, found: &Value) -> Vec<String> {
    let found = found.as_array().cloned().unwrap_or_default();
    found
        .iter()
        .map(|it| {
            let start = &it["range"]["start"];
            format!("{}:{}:{}", client.name_of(&it["uri"]), start["line"], start["character"])
        })
        .collect()
}

fn references(client: &mut Client, position: &Value, declaration: bool) -> Vec<String> {
    let mut params = client.at("a.metal", position);
    params["context"] = json!({ "includeDeclaration": declaration });
    let found = client.request("textDocument/references", params);
    spell(client, &found)
}

#[test]
fn of_a_local() {
    let mut client = Client::with(&[]);
    let fixture = client.open_fixture(
        "a.metal",
        "int f() { int x$0 = 1; { int x = 2; x++; } return x; }\nint g() { int x = 3; return x; }\n",
    );
    assert_eq!(references(&mut client, &fixture.places[0], true), ["a.metal:0:14", "a.metal:0:48"]);
    assert_eq!(references(&mut client, &fixture.places[0], false), ["a.metal:0:48"]);
}

#[test]
fn of_a_field_in_all_its_spellings() {
    let mut client = Client::with(&[]);
    let text = "struct S {\n  int x;\n  S(int a) : x(a) {}\n  int get() { return x + this->x; }\n};\n\
                struct P { int x; };\n\
                int f(thread S *s, P p) { s->x$0 = 1; P q = { .x = 2 }; return s->x + p.x; }\n";
    let fixture = client.open_fixture("a.metal", text);
    let found = references(&mut client, &fixture.places[0], true);
    assert_eq!(found, ["a.metal:1:6", "a.metal:2:13", "a.metal:3:21", "a.metal:3:31", "a.metal:6:29", "a.metal:6:64"]);
}

#[test]
fn across_files() {
    let mut client = Client::with(&[
        ("shared.h", "int helper(int x);\n"),
        ("b.metal", "#include \"shared.h\"\nint b() { return helper(1); }\n"),
        ("c.metal", "int helper(int x) { return x; }\nint c() { return helper(1); }\n"),
    ]);
    // The workspace is read in the background.
    client.wait(|message| message["params"]["value"]["kind"] == "end");
    let fixture = client.open_fixture("a.metal", "#include \"shared.h\"\nint a() { return hel$0per(2); }\n");
    let found = references(&mut client, &fixture.places[0], true);
    // The one in `c.metal` has the same name and is another.
    assert_eq!(found, ["a.metal:1:17", "b.metal:1:17", "shared.h:0:4"]);
}

#[test]
fn of_macros_and_through_arguments() {
    let mut client = Client::with(&[]);
    let text = "#define TWICE(x) ((x) + (x))\n#ifdef TWICE\nint f(int va$0lue) { return TWI$1CE(value); }\n#endif\n";
    let fixture = client.open_fixture("a.metal", text);
    assert_eq!(references(&mut client, &fixture.places[0], true), ["a.metal:2:10", "a.metal:2:32"]);
    assert_eq!(references(&mut client, &fixture.places[1], true), ["a.metal:0:8", "a.metal:1:7", "a.metal:2:26"]);
}

#[test]
fn in_templates_through_their_instances() {
    let mut client = Client::with(&[]);
    let text = "struct A { int size$0() { return 1; } };\n\
                template <typename T> int f(T t) { return t.size(); }\n\
                int g(A a) { return f(a); }\n";
    let fixture = client.open_fixture("a.metal", text);
    assert_eq!(references(&mut client, &fixture.places[0], true), ["a.metal:0:15", "a.metal:1:44"]);
}

#[test]
fn highlights_tell_reads_from_writes() {
    let mut client = Client::with(&[]);
    let fixture: Fixture = client.open_fixture("a.metal", "int f() { int x$0 = 1; x += 2; ++x; return x; }\n");
    let found = client.request("textDocument/documentHighlight", client.at("a.metal", &fixture.places[0]));
    let kinds: Vec<String> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|it| format!("{}:{}", it["range"]["start"]["character"], it["kind"]))
        .collect();
    assert_eq!(kinds, ["14:1", "21:3", "31:3", "41:2"]);
}
