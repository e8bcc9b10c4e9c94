//! Code lenses: references, and entry points with their resources.

use serde_json::{Value, json};

use crate::client::{Client, capable};

const TEXT: &str = "#include <metal_stdlib>\nusing namespace metal;\n\
                    float twice(float x) { return x * 2; }\n\
                    kernel void k(device float *a [[buffer(0)]], device float *b [[buffer(1)]],\n\
                    constant float &c [[buffer(4)]], texture2d<float> t [[texture(0)]],\n\
                    uint i [[thread_position_in_grid]]) { a[i] = twice(b[i]) + twice(c); }\n\
                    vertex float4 v() { return 0; }\n";

fn lenses(client: &mut Client, name: &str) -> Vec<Value> {
    let params = json!({ "textDocument": { "uri": client.uri(name) } });
    client.request("textDocument/codeLens", params).as_array().cloned().unwrap_or_default()
}

#[test]
fn references_and_resources() {
    let mut client = Client::uninitialized(&[("msl-analyzer.toml", "std = \"metal4.1\"")]);
    let mut abilities = capable();
    abilities["experimental"] = json!({ "commands": { "commands": ["msl-analyzer.showReferences"] } });
    client.initialize(&abilities, Value::Null);
    assert_eq!(client.capabilities["codeLensProvider"]["resolveProvider"], true);
    client.open("a.metal", TEXT);
    let found = lenses(&mut client, "a.metal");
    let titles: Vec<&str> = found.iter().filter_map(|lens| lens["command"]["title"].as_str()).collect();
    assert_eq!(titles, ["kernel · buffer 0, 1, 4 · texture 0", "vertex · no resources"]);
    let unresolved: Vec<&Value> = found.iter().filter(|lens| lens.get("command").is_none()).collect();
    assert_eq!(unresolved.len(), 3, "{found:?}");
    let resolved = client.request("codeLens/resolve", unresolved[0].clone());
    assert_eq!(resolved["command"]["title"], "2 references");
    assert_eq!(resolved["command"]["command"], "msl-analyzer.showReferences");
    assert_eq!(resolved["command"]["arguments"][2].as_array().unwrap().len(), 2);
}

#[test]
fn counts_what_other_units_name() {
    let mut client = Client::with(&[
        ("lib.h", "inline int helper(int x) { return x; }\n"),
        ("b.metal", "#include \"lib.h\"\nint b() { return helper(1) + helper(2); }\n"),
        ("c.metal", "#include \"lib.h\"\nint c() { return helper(1); }\n"),
    ]);
    client.wait_for_index();
    client.open("lib.h", "inline int helper(int x) { return x; }\n");
    let found = lenses(&mut client, "lib.h");
    let resolved = client.request("codeLens/resolve", found[0].clone());
    assert_eq!(resolved["command"]["title"], "3 references");
    // A client without the command can only show the words.
    assert_eq!(resolved["command"]["command"], "");
}

#[test]
fn the_address_spaces_of_a_function() {
    let text = "void put(float *p) { *p = 1; }\n\
                kernel void k(device float *d [[buffer(0)]], threadgroup float *t [[threadgroup(0)]]) {\n\
                put(d);\nput(t);\n}\n";
    let mut client = Client::uninitialized(&[("msl-analyzer.toml", "std = \"metal4.1\"")]);
    let mut abilities = capable();
    abilities["experimental"] = json!({ "commands": { "commands": ["msl-analyzer.explainAddressSpaces"] } });
    client.initialize(&abilities, Value::Null);
    client.open("a.metal", text);
    let uri = client.uri("a.metal");
    let found = lenses(&mut client, "a.metal");
    let lens = found.iter().find(|lens| lens["command"]["command"] == "msl-analyzer.explainAddressSpaces");
    let command = &lens.unwrap_or_else(|| panic!("{found:?}"))["command"];
    assert_eq!(command["title"], "p: device | threadgroup · 1 per call");
    let arguments = json!([uri, { "line": 0, "character": 5 }]);
    assert_eq!(command["arguments"], arguments);

    // What the command asks for.
    let params = json!({ "textDocument": { "uri": uri }, "position": arguments[1] });
    let table = client.request("msl-analyzer/explainAddressSpaces", params);
    assert_eq!(table["title"], "Address spaces of `put`");
    let markdown = table["markdown"].as_str().unwrap();
    assert!(markdown.contains("| caller | call | p |"), "{markdown}");
    assert!(markdown.contains(&format!("| `k` | [a.metal:3]({uri}#L3) | device |")), "{markdown}");
    assert!(markdown.contains(&format!("| `k` | [a.metal:4]({uri}#L4) | threadgroup |")), "{markdown}");
    let nothing = json!({ "textDocument": { "uri": uri }, "position": { "line": 4, "character": 1 } });
    assert_eq!(client.request("msl-analyzer/explainAddressSpaces", nothing), Value::Null);
}
