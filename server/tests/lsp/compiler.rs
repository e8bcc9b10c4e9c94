//! The findings of a configured compiler. Clang stands for Apple's, which prints the same.

use std::process::Command;

use serde_json::{Value, json};

use crate::client::{Client, capable};

/// A clang that is there.
fn clang() -> Option<&'static str> {
    let names = ["clang-22", "clang-19", "clang-14", "clang"];
    names.into_iter().find(|name| Command::new(name).arg("--version").output().is_ok_and(|it| it.status.success()))
}

fn client_with(command: &Value) -> Client {
    let mut client = Client::uninitialized(&[("msl-analyzer.toml", "std = \"metal4.1\"")]);
    let options = json!({ "compiler": { "command": command, "std": false } });
    client.initialize(&capable(), options);
    client
}

fn save(client: &mut Client, name: &str) {
    let uri = client.uri(name);
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
}

#[allow(clippy::print_stdout, reason = "a test that is skipped says so")]
fn skip() {
    println!("SKIPPED: no clang");
}

/// What the compiler alone knows: a warning of clang's that is none of ours.
const TEXT: &str = "inline int f(int x) { return x & 1 == 0; }\n";

#[test]
fn findings_and_repairs_on_save() {
    let Some(clang) = clang() else { return skip() };
    let mut client = client_with(&json!([clang, "-x", "c++", "-std=c++17", "-Wparentheses"]));
    client.write("a.metal", TEXT);
    client.open("a.metal", TEXT);
    let of_compiler =
        |found: &[Value]| found.iter().filter(|it| it["source"] == "compiler").cloned().collect::<Vec<_>>();
    assert_eq!(of_compiler(&client.diagnostics("a.metal", 1)), [] as [Value; 0]);
    save(&mut client, "a.metal");
    let found = loop {
        let found = of_compiler(&client.diagnostics("a.metal", 1));
        if !found.is_empty() {
            break found;
        }
    };
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&found[0]["severity"], &found[0]["range"]["start"]["line"]), (&json!(2), &json!(0)));
    assert!(found[0]["relatedInformation"].as_array().is_some_and(|notes| !notes.is_empty()), "{found:?}");
    let params = json!({
        "textDocument": { "uri": client.uri("a.metal") },
        "range": found[0]["range"],
        "context": { "diagnostics": found },
    });
    let actions = client.request("textDocument/codeAction", params);
    let repairs: Vec<(&str, usize)> = actions
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["diagnostics"][0]["source"] == "compiler")
        .map(|it| (it["title"].as_str().unwrap(), it["edit"]["documentChanges"][0]["edits"].as_array().unwrap().len()))
        .collect();
    // The compiler's two ways out, each by itself.
    assert_eq!(repairs.iter().map(|(_, edits)| *edits).collect::<Vec<usize>>(), [2, 2], "{repairs:?}");
    assert!(repairs[0].0.contains("'=='"), "{repairs:?}");
    // After an edit its findings are about a text that is no more.
    client.replace("a.metal", 2, &format!("\n{TEXT}"));
    assert_eq!(of_compiler(&client.diagnostics("a.metal", 2)), [] as [Value; 0]);
}

#[test]
fn what_both_say_is_said_once() {
    let Some(clang) = clang() else { return skip() };
    let mut client = client_with(&json!([clang, "-x", "c++", "-std=c++17"]));
    let text = "inline int f() { return missing; }\ninline int g() { return 1 = 2; }\n";
    client.write("a.metal", text);
    client.open("a.metal", text);
    let ours = client.diagnostics("a.metal", 1);
    assert_eq!(ours[0]["code"], "undeclared-identifier");
    save(&mut client, "a.metal");
    let both = client.diagnostics("a.metal", 1);
    assert!(both.iter().filter(|it| it["range"]["start"]["line"] == 0).count() == 1, "{both:?}");
}

#[test]
fn a_compiler_that_is_not_there_is_told_once() {
    let mut client = client_with(&json!(["no-such-compiler"]));
    client.write("a.metal", TEXT);
    client.open("a.metal", TEXT);
    save(&mut client, "a.metal");
    let shown = client.wait(|message| message["method"] == "window/showMessage");
    assert!(shown["params"]["message"].as_str().unwrap().contains("no-such-compiler"), "{shown}");
}
