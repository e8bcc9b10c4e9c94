//! The forms of the output.

use expect_test::{Expect, expect};
use serde_json::Value;

use crate::Folder;

fn sample() -> Folder {
    Folder::with(&[
        ("msl-analyzer.toml", "std = \"metal4.0\"\n"),
        ("a b.metal", "// \u{1F600}\n/*\u{e9}\u{1F600}*/ #\n#define F(x) x\n#error \"50%: no, never\"\n"),
    ])
}

fn check(arguments: &[&str], expected: Expect) {
    expected.assert_eq(&sample().run(&[&["check"], arguments].concat()).stdout);
}

#[test]
fn text() {
    check(
        &["--color", "never"],
        expect![[r#"
            error[preprocessor-error]: "50%: no, never"
             --> a b.metal:4:1
              |
            4 | #error "50%: no, never"
              | ^^^^^^^^^^^^^^^^^^^^^^^

            1 error in 1 file.
        "#]],
    );
}

#[test]
fn quiet_text_has_no_summary() {
    let run = Folder::with(&[("a.metal", "")]).run(&["check", "--quiet"]);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.status), ("", "", 0));
}

#[test]
fn short() {
    check(
        &["--format", "short"],
        expect![[r#"
        a b.metal:4:1: error: "50%: no, never" [preprocessor-error]
    "#]],
    );
    let folder = Folder::with(&[("a.metal", "void f(int);\nint f(int);\n")]);
    let run = folder.run(&["check", "--std", "metal3.2", "--format", "short"]);
    expect![[r#"
        a.metal:2:5: error: `f` is declared with the same parameters and another result, `void`: overloads cannot differ in the result alone [redefinition]
        a.metal:1:6: note: the earlier declaration
    "#]].assert_eq(&run.stdout);
    assert_eq!((run.stderr.as_str(), run.status), ("", 1));
}

#[test]
fn github() {
    check(
        &["--format", "github"],
        expect![[r#"
        ::error file=a b.metal,line=4,endLine=4,col=1,endColumn=24,title=preprocessor-error::"50%25: no, never" (metal4.0)
    "#]],
    );
}

#[test]
fn json_lines() {
    check(
        &["--format", "jsonl"],
        expect![[r#"
        {"path":"a b.metal","range":{"start":{"line":4,"column":1,"offset":36},"end":{"line":4,"column":24,"offset":59}},"severity":"error","code":"preprocessor-error","std":"metal4.0","message":"\"50%: no, never\"","related":[],"fixes":[]}
    "#]],
    );
}

#[test]
fn sarif() {
    let folder = sample();
    let run = folder.run(&["check", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let of_run = &log["runs"][0];
    assert_eq!(of_run["columnKind"], "utf16CodeUnits");
    let result = &of_run["results"][0];
    let rule = &of_run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
    assert_eq!(rule["id"], result["ruleId"]);
    assert_eq!(result["level"], "error");
    let location = &result["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "a%20b.metal");
    assert_eq!(location["region"]["startLine"], 4);
    assert_eq!(location["region"]["startColumn"], 1);
}

#[test]
fn so_many_findings_and_no_more() {
    let folder = Folder::with(&[("a.metal", &"#warning \"w\"\n".repeat(5))]);
    let (_, output) = folder.check(&["--max-diagnostics", "2"]);
    assert_eq!(output["diagnostics"].as_array().unwrap().len(), 2);
    let text = folder.run(&["check", "--max-diagnostics", "2", "--color", "never"]).stdout;
    assert!(text.ends_with("5 warnings in 1 file (3 not shown).\n"), "{text}");
    assert_eq!(folder.run(&["check", "--max-diagnostics", "0", "--deny", "warnings"]).status, 1);
}

#[test]
fn inspect_where_nothing_is() {
    let folder = Folder::with(&[("a.metal", "\n  \n")]);
    let run = folder.run(&["inspect", "a.metal:2:2", "--format", "json"]);
    assert_eq!(run.status, 0);
    let value: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&value["path"], &value["kind"]), (&"a.metal".into(), &Value::Null));
    assert_eq!(value["range"]["start"]["offset"], 2);
    for wrong in ["a.metal", "a.metal:9:1", "b.metal:1:1", "a.metal:0:1"] {
        assert_eq!(folder.run(&["inspect", wrong]).status, 2, "{wrong}");
    }
}
