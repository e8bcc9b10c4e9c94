//! What classes derive from, and where things are implemented.

use serde_json::{Value, json};

use crate::client::Client;

const TEXT: &str = "struct $0Base { int a; };\n\
                    struct Middle : Base { int b; };\n\
                    struct Leaf : Middle { int c; };\n\
                    struct Other { int d; };\n\
                    int use($1Leaf leaf) { return leaf.a; }\n";

fn names(items: &Value) -> Vec<&str> {
    items.as_array().map(|items| items.iter().filter_map(|it| it["name"].as_str()).collect()).unwrap_or_default()
}

#[test]
fn both_ways() {
    let mut client = Client::with(&[("msl-analyzer.toml", "std = \"metal4.1\"")]);
    assert_eq!(client.capabilities["typeHierarchyProvider"], true);
    let fixture = client.open_fixture("a.metal", TEXT);
    let base = client.request("textDocument/prepareTypeHierarchy", client.at("a.metal", &fixture.places[0]));
    assert_eq!(names(&base), ["Base"]);
    assert_eq!(names(&client.request("typeHierarchy/supertypes", json!({ "item": base[0] }))), [] as [&str; 0]);
    let middle = client.request("typeHierarchy/subtypes", json!({ "item": base[0] }));
    assert_eq!(names(&middle), ["Middle"]);
    let leaf = client.request("typeHierarchy/subtypes", json!({ "item": middle[0] }));
    assert_eq!(names(&leaf), ["Leaf"]);
    assert_eq!(names(&client.request("typeHierarchy/supertypes", json!({ "item": leaf[0] }))), ["Middle"]);
    // From a use of the class.
    let used = client.request("textDocument/prepareTypeHierarchy", client.at("a.metal", &fixture.places[1]));
    assert_eq!(names(&used), ["Leaf"]);
}

#[test]
fn through_headers_that_are_not_open() {
    let mut client = Client::with(&[
        ("msl-analyzer.toml", "std = \"metal4.1\""),
        ("base.h", "struct Base { int a; };\n"),
        ("b.metal", "#include \"base.h\"\nstruct Elsewhere : Base { int b; };\n"),
    ]);
    client.wait_for_index();
    let fixture = client.open_fixture("a.metal", "#include \"base.h\"\nstruct Here : $0Base {};\n");
    let base = client.request("textDocument/prepareTypeHierarchy", client.at("a.metal", &fixture.places[0]));
    assert_eq!(client.name_of(&base[0]["uri"]), "base.h");
    let derived = client.request("typeHierarchy/subtypes", json!({ "item": base[0] }));
    let mut found = names(&derived);
    found.sort_unstable();
    assert_eq!(found, ["Elsewhere", "Here"]);
}

fn lines(found: &Value) -> Vec<u64> {
    let line = |it: &Value| it["targetSelectionRange"]["start"]["line"].as_u64();
    found.as_array().map(|found| found.iter().filter_map(line).collect()).unwrap_or_default()
}

#[test]
fn implementations() {
    let mut client = Client::with(&[("msl-analyzer.toml", "std = \"metal4.1\"")]);
    let text = "int f(int x);\n\
                template <typename T> T g(T x) { return x; }\n\
                template <> int g<int>(int x) { return x + 1; }\n\
                int f(int x) { return g(x) + 1; }\n\
                int h() { return $0f(1) + $1g(2); }\n\
                struct $2Shape { int a; };\n\
                struct Circle : Shape {};\n\
                struct Disc : Circle {};\n";
    let fixture = client.open_fixture("a.metal", text);
    let mut at = |place: usize| {
        let params = client.at("a.metal", &fixture.places[place]);
        lines(&client.request("textDocument/implementation", params))
    };
    assert_eq!(at(0), [3]);
    assert_eq!(at(1), [1, 2]);
    assert_eq!(at(2), [6, 7]);
}
