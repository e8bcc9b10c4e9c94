//! Semantic tokens.

use expect_test::expect;
use serde_json::{Value, json};

use crate::client::Client;

/// The tokens as `line:column text type modifiers`.
fn spell(client: &Client, text: &str, data: &Value) -> String {
    let legend = &client.capabilities["semanticTokensProvider"]["legend"];
    let lines: Vec<Vec<u16>> = text.split('\n').map(|line| line.encode_utf16().collect()).collect();
    let numbers: Vec<usize> = data.as_array().unwrap().iter().map(|it| it.as_u64().unwrap() as usize).collect();
    let (mut line, mut column) = (0, 0);
    let mut spelled = String::new();
    for token in numbers.chunks(5) {
        (line, column) = if token[0] == 0 { (line, column + token[1]) } else { (line + token[0], token[1]) };
        let word = String::from_utf16_lossy(&lines[line][column..column + token[2]]);
        let kind = legend["tokenTypes"][token[3]].as_str().unwrap();
        let modifiers: Vec<&str> = (0..32)
            .filter(|bit| token[4] >> bit & 1 != 0)
            .map(|bit| legend["tokenModifiers"][bit].as_str().unwrap())
            .collect();
        spelled.push_str(&format!("{line}:{column} {word} {kind} {}\n", modifiers.join(" ")));
    }
    spelled
}

const TEXT: &str = "#include <metal_stdlib>\nusing namespace metal;\n#define TWICE(x) ((x) * 2)\n\
                    struct S { float4 color; };\nconstant int limit = 1;\n\
                    kernel void k(device S *s [[buffer(0)]], threadgroup float *t [[threadgroup(0)]]) {\n\
                    \x20   float local = TWICE(limit);\n    t[0] = min(local, s->color.x);\n}\n\
                    #if 0\nnot /* 𝒳 */ here\n#endif\n";

#[test]
fn names_with_their_spaces() {
    let mut client = Client::with(&[("msl-analyzer.toml", "std = \"metal4.1\"")]);
    client.open("a.metal", TEXT);
    let params = json!({ "textDocument": { "uri": client.uri("a.metal") } });
    let tokens = client.request("textDocument/semanticTokens/full", params);
    expect![[r#"
        1:16 metal namespace defaultLibrary
        2:8 TWICE macro 
        3:7 S struct declaration
        3:11 float4 type defaultLibrary
        3:18 color property declaration
        4:13 limit variable declaration readonly constant
        5:12 k function declaration
        5:21 S struct 
        5:24 s parameter declaration device
        5:28 buffer decorator 
        5:60 t parameter declaration threadgroup
        5:64 threadgroup decorator 
        6:10 local variable declaration thread
        6:18 TWICE macro 
        6:24 limit variable readonly constant
        7:4 t parameter threadgroup
        7:11 min function defaultLibrary
        7:15 local variable thread
        7:22 s parameter device
        7:25 color property 
        10:0 not /* 𝒳 */ here comment 
    "#]]
    .assert_eq(&spell(&client, TEXT, &tokens["data"]));
}

#[test]
fn a_range_has_a_part_of_the_whole() {
    let mut client = Client::with(&[]);
    client.open("a.metal", TEXT);
    let uri = client.uri("a.metal");
    let whole = client.request("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": uri } }));
    let whole = spell(&client, TEXT, &whole["data"]);
    let range = json!({ "start": { "line": 6, "character": 0 }, "end": { "line": 7, "character": 0 } });
    let params = json!({ "textDocument": { "uri": uri }, "range": range });
    let part = client.request("textDocument/semanticTokens/range", params);
    let part = spell(&client, TEXT, &part["data"]);
    let expected: String =
        whole.lines().filter(|line| line.starts_with("6:")).map(|line| format!("{line}\n")).collect();
    assert_eq!(part, expected);
}

#[test]
fn a_difference_leads_to_the_whole() {
    let mut client = Client::with(&[]);
    client.open("a.metal", TEXT);
    let uri = client.uri("a.metal");
    let whole = client.request("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": uri } }));
    let changed = TEXT.replace("float local", "float other; float local");
    client.replace("a.metal", 2, &changed);
    let params = json!({ "textDocument": { "uri": uri }, "previousResultId": whole["resultId"] });
    let delta = client.request("textDocument/semanticTokens/full/delta", params);
    let mut data = whole["data"].as_array().unwrap().clone();
    for edit in delta["edits"].as_array().unwrap() {
        let start = edit["start"].as_u64().unwrap() as usize;
        let end = start + edit["deleteCount"].as_u64().unwrap() as usize;
        data.splice(start..end, edit["data"].as_array().unwrap().iter().cloned());
    }
    let fresh = client.request("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(Value::from(data), fresh["data"]);
}
