//! Formatting through clang-format, which need not be there.

use serde_json::{Value, json};

use crate::client::{Client, capable};

/// A server that takes this program for clang-format.
fn client_with(program: &str) -> Client {
    let mut client = Client::uninitialized(&[]);
    let program = program.replace("$FOLDER", &client.folder.to_string_lossy());
    client.initialize(&capable(), json!({ "clang-format": program }));
    client
}

fn whole(client: &Client) -> Value {
    json!({
        "textDocument": { "uri": client.uri("a.metal") },
        "options": { "tabSize": 4, "insertSpaces": true },
    })
}

#[test]
fn says_that_it_is_not_there() {
    let mut client = client_with("no-such-clang-format");
    client.open("a.metal", "int  x;\n");
    let error = client.request_error("textDocument/formatting", whole(&client));
    assert_eq!(error["code"], -32803);
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("no-such-clang-format") && message.contains("install"), "{message}");
    // Nobody asked for it by hand.
    let mut typed = whole(&client);
    typed["position"] = json!({ "line": 0, "character": 7 });
    typed["ch"] = json!(";");
    assert_eq!(client.request("textDocument/onTypeFormatting", typed), Value::Null);
}

/// Programs that stand for clang-format.
#[cfg(unix)]
mod with_a_program {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// In one step: a program that is being started cannot be written to.
    fn write_program(client: &Client, text: &str) {
        client.write("format.new", text);
        let path = client.path("format.new");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        std::fs::rename(path, client.path("format.sh")).unwrap();
    }

    /// Joins double spaces, and on request says which lines it was given.
    const SQUEEZE: &str = "#!/bin/sh\necho \"$@\" >> arguments.txt\nsed 's/  */ /g'\n";

    #[test]
    fn edits_of_the_lines_that_differ() {
        let mut client = client_with("$FOLDER/format.sh");
        write_program(&client, SQUEEZE);
        client.open("a.metal", "int a;\nint  b;\nint c;\nint  d;\n");
        let edits = client.request("textDocument/formatting", whole(&client));
        let range = |line: u32| json!({ "start": { "line": line, "character": 0 }, "end": { "line": line + 1, "character": 0 } });
        assert_eq!(
            edits,
            json!([
                { "range": range(1), "newText": "int b;\n" },
                { "range": range(3), "newText": "int d;\n" },
            ])
        );
        let mut part = whole(&client);
        part["range"] = range(1);
        client.request("textDocument/rangeFormatting", part);
        let mut typed = whole(&client);
        typed["position"] = json!({ "line": 3, "character": 7 });
        typed["ch"] = json!(";");
        client.request("textDocument/onTypeFormatting", typed);
        let arguments = std::fs::read_to_string(client.path("arguments.txt")).unwrap();
        let lines: Vec<&str> = arguments.lines().collect();
        assert!(lines[0].contains("--assume-filename=") && lines[0].contains("a.metal"), "{arguments}");
        assert!(lines[1].ends_with("--lines=2:2"), "{arguments}");
        assert!(lines[2].ends_with("--lines=4:4"), "{arguments}");
    }

    #[test]
    fn what_is_typed_is_never_changed_but_for_space() {
        let mut client = client_with("$FOLDER/format.sh");
        write_program(&client, "#!/bin/sh\nsed 's/int/float/'\n");
        client.open("a.metal", "int x;\n");
        let mut typed = whole(&client);
        typed["position"] = json!({ "line": 0, "character": 6 });
        typed["ch"] = json!(";");
        assert_eq!(client.request("textDocument/onTypeFormatting", typed), Value::Null);
    }

    #[test]
    fn a_program_that_fails_is_quoted() {
        let mut client = client_with("$FOLDER/format.sh");
        write_program(&client, "#!/bin/sh\ncat > /dev/null\necho 'bad style' >&2\nexit 1\n");
        client.open("a.metal", "int x;\n");
        let error = client.request_error("textDocument/formatting", whole(&client));
        assert!(error["message"].as_str().unwrap().contains("bad style"), "{error}");
    }

    /// Four requests that take half a minute each keep nobody waiting.
    #[test]
    fn slow_requests_block_nothing() {
        let mut client = client_with("$FOLDER/format.sh");
        write_program(&client, "#!/bin/sh\nexec sleep 30\n");
        client.open("a.metal", "int f() { return 1; }\n");
        client.diagnostics("a.metal", 1);
        let slow: Vec<i64> = (0..4).map(|_| client.ask("textDocument/formatting", whole(&client))).collect();
        let position = json!({ "line": 0, "character": 4 });
        assert!(client.request("textDocument/hover", client.at("a.metal", &position)).is_object());
        client.replace("a.metal", 2, "int f() { return w; }\n");
        assert_eq!(client.diagnostics("a.metal", 2)[0]["code"], "undeclared-identifier");
        for &id in &slow {
            client.notify("$/cancelRequest", json!({ "id": id }));
        }
        for id in slow {
            assert_eq!(client.answer(id)["error"]["code"], -32800);
        }
        // The programs were ended with their requests: the next one need not wait for them.
        write_program(&client, SQUEEZE);
        assert_eq!(client.request("textDocument/formatting", whole(&client)), json!([]));
    }
}
