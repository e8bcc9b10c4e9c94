//! Messages are handled in the order of the wire.

use serde_json::{Value, json};

use crate::client::Client;

fn insertion(line: usize, text: &str) -> Value {
    let position = json!({ "line": line, "character": 0 });
    json!({ "range": { "start": position, "end": position }, "text": text })
}

#[test]
fn three_thousand_edits_keep_their_order() {
    let mut client = Client::with(&[("msl-analyzer.toml", "std = \"metal4.1\"")]);
    client.open("a.metal", "");
    let uri = client.uri("a.metal");
    let mut asked = Vec::new();
    for number in 0..3000 {
        let document = json!({ "uri": uri, "version": number + 2 });
        let change = insertion(number, &format!("constant int v{number} = {number};\n"));
        client.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
        if number % 300 == 0 {
            let position = json!({ "line": number, "character": 14 });
            let params = json!({ "textDocument": { "uri": uri }, "position": position });
            asked.push((number, client.ask("textDocument/hover", params)));
        }
    }
    assert_eq!(client.diagnostics("a.metal", 3001), [] as [Value; 0]);
    // Each request saw the edits before it and none behind it, or was told that it is out of date.
    for (number, id) in asked {
        let answer = client.answer(id);
        match answer.get("error") {
            Some(error) => assert_eq!(error["code"], -32801),
            None => {
                let value = answer["result"]["contents"]["value"].as_str().unwrap_or_default();
                assert!(value.contains(&format!("v{number}")), "{answer}");
            }
        }
    }
    let position = json!({ "line": 2999, "character": 14 });
    let hover = client.request("textDocument/hover", client.at("a.metal", &position));
    assert!(hover["contents"]["value"].as_str().unwrap().contains("v2999"), "{hover}");
}

#[test]
fn a_cancelled_request_is_answered_at_once() {
    let mut client = Client::with(&[]);
    let body: String = (0..4000).map(|n| format!("float f{n}(float x) {{ return x * {n}; }}\n")).collect();
    client.open("a.metal", &body);
    let position = json!({ "line": 0, "character": 7 });
    let id = client.ask("textDocument/hover", client.at("a.metal", &position));
    client.notify("$/cancelRequest", json!({ "id": id }));
    let answer = client.answer(id);
    let code = &answer["error"]["code"];
    assert!(*code == -32800 || !answer["result"].is_null(), "{answer}");
    // The server goes on.
    assert!(client.request("textDocument/hover", client.at("a.metal", &position)).is_object());
}
