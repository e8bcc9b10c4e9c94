//! Edits that compile everything as one version.

mod support;

use expect_test::{Expect, expect};
use msl_preproc::LanguageVersion;
use msl_project::{FileAccess, Project};

/// The files as they are after the edits, without those that do not change, and what stays.
fn check(fixture: &str, version: &str, expected: Expect) {
    let tree = support::tree(fixture);
    let project = Project::load(".", &tree);
    let result = project.version_edits(LanguageVersion::parse(version).expect("a version"), |_| true);
    let mut shown = String::new();
    let mut paths: Vec<_> = result.edits.iter().map(|edit| edit.place.path.clone()).collect();
    paths.dedup();
    for path in paths {
        let bytes = tree.read(&path).expect("edits are in files");
        let mut text = String::from_utf8_lossy((*bytes).as_ref()).into_owned();
        for edit in result.edits.iter().rev().filter(|edit| edit.place.path == path) {
            let range = edit.place.range;
            text.replace_range(range.start as usize..range.end as usize, &edit.new_text);
        }
        shown.push_str(&format!("--- {path}\n{text}"));
    }
    for (place, message) in &result.remaining {
        shown.push_str(&format!("remains {}: {message}\n", place.as_ref().map_or("-", |place| &place.path)));
    }
    expected.assert_eq(&shown);
    // After the edits there is nothing left to edit, and what remains is what remained.
    let mut edited = tree.clone();
    for part in shown.split("--- ").skip(1) {
        let (path, text) = part.split_once('\n').expect("a path and a text");
        let text = text.split("remains ").next().unwrap_or_default();
        edited.insert(path, text);
    }
    let again = Project::load(".", &edited);
    let again = again.version_edits(LanguageVersion::parse(version).expect("a version"), |_| true);
    assert!(again.edits.is_empty(), "{again:?}");
    assert_eq!(again.remaining.len(), result.remaining.len());
}

#[test]
fn versions_that_are_spelled() {
    check(
        "\
--- a.metal
--- b.metal
--- Makefile
STD := metal4.0
a.air: a.metal
\txcrun -sdk macosx metal -std=$(STD) -c a.metal -o a.air
b.air: b.metal
\txcrun -sdk macosx metal -std=metal4.1 -c b.metal -o b.air
all.metallib: a.air b.air
\txcrun -sdk macosx metallib a.air b.air -o all.metallib
--- Host.swift
import Metal
let options = MTLCompileOptions()
options.languageVersion = .version4_0
",
        "metal4.1",
        expect![[r#"
            --- Host.swift
            import Metal
            let options = MTLCompileOptions()
            options.languageVersion = .version4_1
            --- Makefile
            STD := metal4.1
            a.air: a.metal
            	xcrun -sdk macosx metal -std=$(STD) -c a.metal -o a.air
            b.air: b.metal
            	xcrun -sdk macosx metal -std=metal4.1 -c b.metal -o b.air
            all.metallib: a.air b.air
            	xcrun -sdk macosx metallib a.air b.air -o all.metallib
        "#]],
    );
}

#[test]
fn versions_that_nothing_spells() {
    check(
        "\
--- a.metal
--- build.sh
xcrun -sdk macosx metal -mmacosx-version-min=27.0 -c a.metal -o a.air
xcrun -sdk macosx metal $FLAGS -c c.metal -o c.air
--- build.py
import subprocess
subprocess.run([\"xcrun\", \"-sdk\", \"macosx\", \"metal\", \"-c\", \"b.metal\"])
--- b.metal
--- c.metal
",
        "metal4.0",
        expect![[r#"
            --- build.py
            import subprocess
            subprocess.run(["xcrun", "-sdk", "macosx", "metal", "-std=metal4.0", "-c", "b.metal"])
            --- build.sh
            xcrun -sdk macosx metal -std=metal4.0 -mmacosx-version-min=27.0 -c a.metal -o a.air
            xcrun -sdk macosx metal $FLAGS -c c.metal -o c.air
            remains build.sh: `c.metal` stays unknown: `$FLAGS` may hold `-std`, and its value is not known
        "#]],
    );
}
