//! `abi`: what it prints and how it exits.

use serde_json::Value;

use super::Folder;

const MAKEFILE: &str = "\
old.air: old.metal
\txcrun -sdk macosx metal -std=metal4.0 -c old.metal -o old.air
new.air: new.metal
\txcrun -sdk macosx metal -std=metal4.1 -c new.metal -o new.air
all.metallib: old.air new.air
\txcrun -sdk macosx metallib old.air new.air -o all.metallib
";

fn mixed() -> Folder {
    Folder::with(&[("Makefile", MAKEFILE), ("old.metal", ""), ("new.metal", "")])
}

#[test]
fn json_names_units_links_and_findings() {
    let run = mixed().run(&["abi", "--format", "json"]);
    let output: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(run.status, 0);
    assert_eq!(output["schema"], 1);
    let unit = &output["units"][0];
    assert_eq!(
        (&unit["path"], &unit["std"], &unit["side"]),
        (&"old.metal".into(), &"metal4.0".into(), &"before-4.1".into())
    );
    assert_eq!(unit["evidence"][0]["range"]["start"]["line"], 2);
    let link = &output["linkUnits"][0];
    assert_eq!((&link["name"], &link["verdict"]), (&"all.metallib".into(), &"mixed".into()));
    assert_eq!(link["members"], serde_json::json!(["unit-0", "unit-1"]));
    let finding = &output["diagnostics"][0];
    assert_eq!((&finding["code"], &finding["severity"]), (&"abi-version-mismatch".into(), &"warning".into()));
    assert_eq!(finding["related"].as_array().unwrap().len(), 2);
    assert_eq!(finding["fixes"][0]["edits"][0]["newText"], "metal4.1");
}

#[test]
fn a_denied_mix_fails_and_a_silenced_one_is_silent() {
    assert_eq!(mixed().run(&["abi", "--deny", "abi"]).status, 1);
    let silenced = MAKEFILE.replace(
        "\txcrun -sdk macosx metallib",
        "# msl-analyzer: allow(abi-version-mismatch)\n\txcrun -sdk macosx metallib",
    );
    let folder = Folder::with(&[("Makefile", &silenced), ("old.metal", ""), ("new.metal", "")]);
    let run = folder.run(&["abi", "--deny", "abi", "--format", "jsonl"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""));
}

#[test]
fn graph_sarif_and_annotations() {
    let folder = mixed();
    assert!(folder.run(&["abi", "--dot"]).stdout.contains("color=red, label=\"all.metallib\\nmixed\""));
    assert!(folder.run(&["abi", "--format", "github"]).stdout.starts_with("::warning file=Makefile,line=6,"));
    let sarif: Value = serde_json::from_str(&folder.run(&["abi", "--format", "sarif"]).stdout).unwrap();
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "abi-version-mismatch");
    assert_eq!(folder.run(&["abi", "nothing-here"]).status, 2);
}

#[test]
fn check_judges_a_file_as_its_build_does() {
    let folder = Folder::with(&[("Makefile", MAKEFILE), ("new.metal", "kernel void f() {}\n"), ("old.metal", "")]);
    let (_, output) = folder.check(&["new.metal"]);
    assert_eq!(output["files"][0]["std"], "metal4.1");
    assert_eq!(output["files"][0]["stdSource"], "Makefile:4 -std=metal4.1");
}
