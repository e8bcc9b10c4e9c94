//! The workspace as a whole: files that are not open, units that headers are looked at through.

use serde_json::{Value, json};

use crate::client::{Client, capable};

const WRONG: &str = "kernel void k(float *p [[buffer(0)]]) { *p = 1; }\n";

fn pulling(files: &[(&str, &str)]) -> Client {
    let mut client = Client::uninitialized(files);
    let mut abilities = capable();
    abilities["textDocument"]["diagnostic"] = json!({});
    abilities["workspace"]["diagnostics"] = json!({ "refreshSupport": true });
    client.initialize(&abilities, Value::Null);
    client.wait_for_index();
    client
}

fn pull(client: &mut Client, before: Value) -> Vec<Value> {
    let report = client.request("workspace/diagnostic", json!({ "previousResultIds": before }));
    report["items"].as_array().cloned().unwrap_or_default()
}

#[test]
fn units_that_are_not_open_are_judged() {
    let mut client = pulling(&[
        ("msl-analyzer.toml", "std = \"metal4.1\""),
        ("a.metal", WRONG),
        ("b.metal", "constant int b = 1;\n"),
        ("c.metal", "int c() { return d; }\n"),
    ]);
    assert_eq!(client.capabilities["diagnosticProvider"]["workspaceDiagnostics"], true);
    client.open("c.metal", "int c() { return d; }\n");
    let items = pull(&mut client, json!([]));
    let counts: Vec<(&str, usize)> =
        items.iter().map(|item| (client.name_of(&item["uri"]), item["items"].as_array().map_or(0, Vec::len))).collect();
    // The open one is asked for by itself.
    assert!(counts.contains(&("a.metal", 1)) && !counts.iter().any(|(name, _)| *name == "c.metal"), "{counts:?}");
    // What did not change is not sent again.
    let before: Vec<Value> =
        items.iter().map(|item| json!({ "uri": item["uri"], "value": item["resultId"] })).collect();
    let again = pull(&mut client, json!(before));
    assert!(again.iter().all(|item| item["kind"] == "unchanged"), "{again:?}");
    client.write("a.metal", "constant int repaired = 1;\n");
    let uri = client.uri("a.metal");
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 2 }] }));
    let again = pull(&mut client, json!(before));
    let a = again.iter().find(|item| client.name_of(&item["uri"]) == "a.metal").unwrap();
    assert_eq!((&a["kind"], &a["items"]), (&json!("full"), &json!([])));
}

#[test]
fn calls_and_references_in_files_that_are_not_open() {
    let mut client = Client::with(&[
        ("lib.h", "inline int helper(int x) { return x; }\n"),
        ("b.metal", "#include \"lib.h\"\nint middle() { return helper(1); }\nint top() { return middle(); }\n"),
    ]);
    client.wait_for_index();
    let fixture = client.open_fixture("a.metal", "#include \"lib.h\"\nint a() { return $0helper(2); }\n");
    let items = client.request("textDocument/prepareCallHierarchy", client.at("a.metal", &fixture.places[0]));
    let incoming = client.request("callHierarchy/incomingCalls", json!({ "item": items[0] }));
    let mut names: Vec<&str> =
        incoming.as_array().unwrap().iter().filter_map(|it| it["from"]["name"].as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["a", "middle"]);
    // From there on in files that nobody opened.
    let middle = incoming.as_array().unwrap().iter().find(|it| it["from"]["name"] == "middle").unwrap();
    let above = client.request("callHierarchy/incomingCalls", json!({ "item": middle["from"] }));
    assert_eq!(above[0]["from"]["name"], "top");
    let below = client.request("callHierarchy/outgoingCalls", json!({ "item": middle["from"] }));
    assert_eq!(below[0]["to"]["name"], "helper");
    let mut params = client.at("a.metal", &fixture.places[0]);
    params["context"] = json!({ "includeDeclaration": true });
    let found = client.request("textDocument/references", params);
    let mut files: Vec<&str> = found.as_array().unwrap().iter().map(|it| client.name_of(&it["uri"])).collect();
    files.sort_unstable();
    assert_eq!(files, ["a.metal", "b.metal", "lib.h"]);
}

#[test]
fn the_unit_of_a_header_is_shown_and_switched() {
    let mut client = Client::uninitialized(&[
        ("msl-analyzer.toml", "std = \"metal4.1\""),
        ("part.h", "int g() { return WIDTH; }\n"),
        ("one.metal", "#define WIDTH 1\n#include \"part.h\"\n"),
        ("two.metal", "#define WIDTH missing\n#include \"part.h\"\n"),
    ]);
    let mut abilities = capable();
    abilities["experimental"] = json!({ "statusNotification": true });
    client.initialize(&abilities, Value::Null);
    client.wait_for_index();
    client.open("part.h", "int g() { return WIDTH; }\n");
    let status = client.wait(|message| message["method"] == "msl-analyzer/status");
    assert_eq!(status["params"]["std"], "metal4.1");
    assert!(status["params"]["stdSource"].as_str().unwrap().contains("msl-analyzer.toml"), "{status}");
    assert_eq!(status["params"]["isStated"], true);
    assert_eq!(client.name_of(&status["params"]["headerContext"]), "one.metal");
    assert_eq!(client.diagnostics("part.h", 1), [] as [Value; 0]);

    let document = json!({ "textDocument": { "uri": client.uri("part.h") } });
    let contexts = client.request("msl-analyzer/headerContexts", document.clone());
    let candidates: Vec<&str> =
        contexts["candidates"].as_array().unwrap().iter().map(|it| client.name_of(it)).collect();
    assert_eq!(candidates, ["one.metal", "two.metal"]);
    assert_eq!((client.name_of(&contexts["current"]), &contexts["isChosen"]), ("one.metal", &json!(false)));

    let switch = |client: &Client, unit: Value| json!({ "command": "msl-analyzer.switchHeaderContext", "arguments": [client.uri("part.h"), unit] });
    let params = switch(&client, json!(client.uri("two.metal")));
    assert_eq!(client.request("workspace/executeCommand", params), Value::Null);
    assert_eq!(client.diagnostics("part.h", 1)[0]["code"], "undeclared-identifier");
    let status = client.wait(|message| message["method"] == "msl-analyzer/status");
    assert_eq!(client.name_of(&status["params"]["headerContext"]), "two.metal");
    let contexts = client.request("msl-analyzer/headerContexts", document);
    assert_eq!((client.name_of(&contexts["current"]), &contexts["isChosen"]), ("two.metal", &json!(true)));

    // A unit that does not include it is refused; `null` gives the choice back.
    let params = switch(&client, json!(client.uri("msl-analyzer.toml")));
    assert_eq!(client.request_error("workspace/executeCommand", params)["code"], -32803);
    let params = switch(&client, Value::Null);
    client.request("workspace/executeCommand", params);
    while !client.diagnostics("part.h", 1).is_empty() {}
}

#[test]
fn a_document_whose_version_nothing_states() {
    let mut client = Client::uninitialized(&[]);
    let mut abilities = capable();
    abilities["experimental"] = json!({ "statusNotification": true });
    client.initialize(&abilities, Value::Null);
    client.open("a.metal", "int x;\n");
    let status = client.wait(|message| message["method"] == "msl-analyzer/status");
    assert_eq!((&status["params"]["std"], &status["params"]["isStated"]), (&json!("metal4.0"), &json!(false)));
    assert_eq!(status["params"]["headerContext"], Value::Null);
}

#[test]
fn commands_that_nobody_knows() {
    let mut client = Client::with(&[]);
    let error = client.request_error("workspace/executeCommand", json!({ "command": "rm" }));
    assert_eq!(error["code"], -32602);
}
