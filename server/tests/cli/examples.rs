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
        generic-pointers/this-becomes-generic.metal:17 metal4.1 no-matching-function
    "#]]
    .assert_eq(&shown);
}
