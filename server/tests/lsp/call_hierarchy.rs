//! Who calls whom.

use serde_json::{Value, json};

use crate::client::Client;

fn names(calls: &Value, key: &str) -> Vec<String> {
    let spell =
        |it: &Value| format!("{} {}", it[key]["name"].as_str().unwrap(), it["fromRanges"].as_array().unwrap().len());
    calls.as_array().unwrap().iter().map(spell).collect()
}

#[test]
fn both_ways() {
    let mut client = Client::with(&[
        ("lib.h", "int helper(int x);\n"),
        ("b.metal", "#include \"lib.h\"\nint elsewhere() { return helper(1); }\n"),
    ]);
    client.wait(|message| message["params"]["value"]["kind"] == "end");
    let text = "#include \"lib.h\"\n\
                int leaf(device int *p) { return *p; }\n\
                int leaf(threadgroup int *p) { return *p; }\n\
                int mid$0dle(device int *p) { return leaf(p) + leaf(p) + helper(1); }\n\
                kernel void top(device int *p [[buffer(0)]]) { middle(p); }\n";
    let fixture = client.open_fixture("a.metal", text);
    let items = client.request("textDocument/prepareCallHierarchy", client.at("a.metal", &fixture.places[0]));
    assert_eq!(items[0]["name"], "middle");
    let incoming = client.request("callHierarchy/incomingCalls", json!({ "item": items[0] }));
    assert_eq!(names(&incoming, "from"), ["top 1"]);
    let outgoing = client.request("callHierarchy/outgoingCalls", json!({ "item": items[0] }));
    assert_eq!(names(&outgoing, "to"), ["leaf 2", "helper 1"]);
    // The overload that is meant.
    assert_eq!(outgoing[0]["to"]["selectionRange"]["start"]["line"], 1);
    // Through a header into other units.
    let position = json!({ "line": 3, "character": 59 });
    let items = client.request("textDocument/prepareCallHierarchy", client.at("a.metal", &position));
    assert_eq!(items[0]["name"], "helper");
}
