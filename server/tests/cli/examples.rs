//! What the README's first command shows.

use std::{path::Path, process::Command};

use expect_test::expect;
use serde_json::Value;

use crate::{binary, run_command};

#[test]
fn the_examples_show_what_their_comments_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let run =
        run_command(Command::new(binary()).args(["check", "--format", "jsonl", "docs/examples"]).current_dir(root));
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    let mut shown = String::new();
    for line in run.stdout.lines() {
        let finding: Value = serde_json::from_str(line).unwrap();
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let path = word(&finding["path"]);
        let path = path.strip_prefix("docs/examples/").unwrap_or(&path);
        let line = &finding["range"]["start"]["line"];
        shown.push_str(&format!("{path}:{line} {} {}\n", word(&finding["std"]), word(&finding["code"])));
    }
    expect![[r#"
        before-4.1/mismatched-spaces.metal:20 metal4.0 no-matching-function
        before-4.1/mismatched-spaces.metal:21 metal4.0 address-space-mismatch
        before-4.1/missing-spaces.metal:6 metal4.0 missing-address-space
        before-4.1/missing-spaces.metal:6 metal4.0 missing-address-space
        before-4.1/missing-spaces.metal:24 metal4.0 address-space-mismatch
        generic-pointers/generic-to-concrete.metal:12 metal4.1 no-matching-function
        generic-pointers/generic-to-concrete.metal:22 metal4.1 no-matching-function
        generic-pointers/hot-loop.metal:19 metal4.1 generic-pointer-in-hot-loop
        generic-pointers/this-becomes-generic.metal:17 metal4.1 no-matching-function
    "#]]
    .assert_eq(&shown);
}

/// Every identifier of the examples is known: what it is and, but for attributes, where it is declared.
#[test]
fn inspect_knows_every_identifier() {
    for folder in ["before-4.1", "generic-pointers"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/examples").join(folder);
        for entry in std::fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let output = Command::new(env!("CARGO_BIN_EXE_msl-analyzer"))
                .args(["inspect", path.to_str().unwrap(), "--all", "--format", "jsonl"])
                .output()
                .unwrap();
            let known: std::collections::HashMap<(u64, u64), Value> = String::from_utf8(output.stdout)
                .unwrap()
                .lines()
                .map(|line| serde_json::from_str::<Value>(line).unwrap())
                .filter(|item| item["kind"] != "access")
                .map(|item| {
                    let range = &item["range"];
                    let key = (range["start"]["offset"].as_u64().unwrap(), range["end"]["offset"].as_u64().unwrap());
                    (key, item)
                })
                .collect();
            for (start, end) in identifiers(&text) {
                let name = &text[start..end];
                let item = known
                    .get(&(start as u64, end as u64))
                    .unwrap_or_else(|| panic!("{}: nothing is known of `{name}` at {start}", path.display()));
                let has_definition = !item["definitions"].as_array().unwrap().is_empty();
                assert!(
                    item["kind"] == "attribute" || has_definition,
                    "{}: `{name}` has no definition",
                    path.display()
                );
            }
        }
    }
}

/// The identifiers of a file that has no macros: byte ranges; comments, directives and reserved words left out.
fn identifiers(text: &str) -> Vec<(usize, usize)> {
    let lexed = msl_preproc::lex(text.as_bytes());
    let mut line_is_directive = false;
    let mut found = Vec::new();
    for token in &lexed.tokens {
        if token.token.flags.has(msl_preproc::TokenFlags::LINE_START) {
            line_is_directive = text[token.start as usize..].starts_with('#');
        }
        let spelled = &text[token.start as usize..token.end as usize];
        let is_word = spelled.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let is_reserved = msl_preproc::Keyword::from_text(spelled.as_bytes()).is_some() || spelled == "kernel";
        if is_word && !is_reserved && !line_is_directive {
            found.push((token.start as usize, token.end as usize));
        }
    }
    found
}
