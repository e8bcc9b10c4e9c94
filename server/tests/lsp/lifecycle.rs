//! The conversation as a whole: beginning, end, and what does not belong there.

use serde_json::{Value, json};

use crate::client::{Client, capable};

#[test]
fn shutdown_and_exit() {
    let client = Client::with(&[]);
    assert_eq!(client.shut_down(), Some(0));
}

#[test]
fn exit_without_shutdown_is_an_error() {
    let mut client = Client::with(&[]);
    client.notify("exit", Value::Null);
    assert_eq!(client.wait_for_exit(), Some(1));
}

#[test]
fn a_client_that_vanishes_ends_the_server() {
    let mut client = Client::with(&[]);
    client.close_pipe();
    assert_eq!(client.wait_for_exit(), Some(1));
}

#[test]
fn requests_at_the_wrong_time() {
    let mut client = Client::uninitialized(&[]);
    let hover = client.at("a.metal", &json!({ "line": 0, "character": 0 }));
    assert_eq!(client.request_error("textDocument/hover", hover.clone())["code"], -32002);
    assert_eq!(client.request_error("shutdown", Value::Null)["code"], -32002);
    // A notification before its time has no effect.
    client.open("a.metal", "int x;");
    assert_eq!(client.request_error("initialize", json!([1]))["code"], -32602);
    client.initialize(&capable(), Value::Null);
    assert_eq!(client.request_error("initialize", json!({ "capabilities": {} }))["code"], -32600);
    assert_eq!(client.request_error("textDocument/hover", hover.clone())["code"], -32602);
    client.request("shutdown", Value::Null);
    assert_eq!(client.request_error("textDocument/hover", hover)["code"], -32600);
    assert_eq!(client.request_error("shutdown", Value::Null)["code"], -32600);
}

#[test]
fn what_the_server_does_not_know() {
    let mut client = Client::with(&[]);
    assert_eq!(client.request_error("textDocument/knit", json!({}))["code"], -32601);
    assert_eq!(client.request_error("textDocument/hover", json!({ "textDocument": 1 }))["code"], -32602);
    assert_eq!(client.request_error("textDocument/hover", Value::Null)["code"], -32602);
    client.notify("$/setTrace", json!({ "value": "verbose" }));
    client.notify("telemetry/of/somebody", json!({}));
    client.notify("textDocument/didChange", json!({ "nonsense": true }));
    client.notify("$/cancelRequest", json!({ "id": 12345 }));
    client.notify("$/cancelRequest", json!("nonsense"));
    client.send_raw(b"Content-Length: 9\r\n\r\n{\"a\":nope");
    let error = client.wait(|message| message.get("error").is_some());
    assert_eq!(error["error"]["code"], -32700);
    client.open("a.metal", "int x;");
    assert_eq!(client.diagnostics("a.metal", 1).len(), 1);
}

#[test]
fn odd_edits() {
    let mut client = Client::with(&[]);
    // Of what was never opened.
    client.replace("no.metal", 7, "int x;");
    client.close("no.metal");
    client.open("a.metal", "constant int x = 1;\n");
    assert_eq!(client.diagnostics("a.metal", 1), [] as [Value; 0]);
    // Outside of the text, and with a version far ahead.
    let uri = client.uri("a.metal");
    let edit = |start: u32, end: u32, text: &str| {
        let range = json!({ "start": { "line": start, "character": 900 }, "end": { "line": end, "character": 7 } });
        json!({ "range": range, "text": text })
    };
    client.notify(
        "textDocument/didChange",
        json!({
            "textDocument": { "uri": uri, "version": 900 },
            "contentChanges": [edit(70, 80, "int y;"), edit(70, 2, "\nint z;")],
        }),
    );
    let messages: Vec<String> =
        client.diagnostics("a.metal", 900).iter().map(|it| it["range"]["start"]["line"].to_string()).collect();
    assert_eq!(messages, ["1", "2"]);
    // Opened again without having been closed.
    client.open("a.metal", "");
    assert_eq!(client.diagnostics("a.metal", 1), [] as [Value; 0]);
}

#[test]
fn position_encodings() {
    for (offered, chosen, column) in [
        (json!(["utf-16"]), "utf-16", 13),
        (json!(["utf-16", "utf-8"]), "utf-8", 15),
        (json!(["utf-32"]), "utf-32", 12),
        (Value::Null, "utf-16", 13),
    ] {
        let mut client = Client::uninitialized(&[]);
        let mut abilities = capable();
        if !offered.is_null() {
            abilities["general"] = json!({ "positionEncodings": offered });
        }
        client.initialize(&abilities, Value::Null);
        assert_eq!(client.capabilities["positionEncoding"], chosen);
        client.open("a.metal", "/* 𝒳 */ int x;\n");
        let found = client.diagnostics("a.metal", 1);
        let start = &found[0]["range"]["start"];
        assert_eq!(*start, json!({ "line": 0, "character": column }), "{chosen}");
    }
}

#[test]
fn many_documents_come_and_go() {
    let mut client = Client::with(&[("msl-analyzer.toml", "std = \"metal4.1\"")]);
    client.open("kept.metal", "constant int kept = 1;\n");
    client.replace("kept.metal", 2, "constant int changed = 1;\n");
    for number in 0..30 {
        let name = format!("{number}.metal");
        client.open(&name, "int x;\n");
        assert_eq!(client.diagnostics(&name, 1).len(), 1);
        client.close(&name);
    }
    let hover = client.request("textDocument/hover", client.at("kept.metal", &json!({ "line": 0, "character": 14 })));
    assert!(hover["contents"]["value"].as_str().unwrap().contains("changed"), "{hover}");
}
