//! Which files are checked, and through what.

use crate::Folder;

const BROKEN: &str = "#error \"broken\"\n";

#[test]
fn folders_are_walked_with_ignore_rules() {
    let folder = Folder::with(&[
        (".gitignore", "generated/\n"),
        ("a.metal", BROKEN),
        ("deep/b.msl", BROKEN),
        ("generated/c.metal", BROKEN),
        ("host.cpp", BROKEN),
    ]);
    let expected = ["a.metal:1:1 error preprocessor-error", "deep/b.msl:1:1 error preprocessor-error"];
    assert_eq!(folder.findings(&[]), expected);
    assert_eq!(folder.findings(&["."]), expected);
    assert_eq!(folder.findings(&["deep", "deep/b.msl"]), expected[1..]);
    // What is named is checked whatever the rules say.
    assert_eq!(folder.findings(&["generated/c.metal"]), ["generated/c.metal:1:1 error preprocessor-error"]);
}

#[test]
fn headers_are_checked_through_the_units_that_include_them() {
    let folder = Folder::with(&[
        ("a.metal", "#define WANTED\n#include \"shared.metalh\"\n"),
        ("b.metal", "#define WANTED\n#include \"shared.metalh\"\n"),
        ("shared.metalh", "#ifndef WANTED\n#error \"include after WANTED\"\n#endif\n#error \"once\"\n"),
        ("lonely.metalh", "#error \"alone\"\n"),
    ]);
    assert_eq!(
        folder.findings(&[]),
        ["lonely.metalh:1:1 error preprocessor-error", "shared.metalh:4:1 error preprocessor-error"]
    );
    let (_, output) = folder.check(&[]);
    let files: Vec<_> = output["files"].as_array().unwrap().iter().map(|f| (&f["path"], &f["complete"])).collect();
    assert_eq!(
        files,
        [
            (&"a.metal".into(), &true.into()),
            (&"b.metal".into(), &true.into()),
            (&"lonely.metalh".into(), &false.into())
        ]
    );
}

#[test]
fn includes_are_found_from_the_folders_above() {
    let folder = Folder::with(&[
        (
            "lib/kernels/a.metal",
            "#include \"lib/common/x.h\"\n#include <y.h>\n#include \"lib/none.h\"\n#include \"z.h\"\n",
        ),
        ("lib/common/x.h", "#error \"found\"\n"),
        ("lib/include/y.h", "#error \"found\"\n"),
        ("z.h", "#error \"a bare name is not searched for\"\n"),
    ]);
    let expected = [
        "lib/common/x.h:1:1 error preprocessor-error",
        "lib/include/y.h:1:1 error preprocessor-error",
        "lib/kernels/a.metal:3:10 error include-not-found",
        "lib/kernels/a.metal:4:10 error include-not-found",
    ];
    assert_eq!(folder.findings(&[]), expected);
    // The same when the project is not the current folder.
    let elsewhere = Folder::new();
    folder.write("msl-analyzer.toml", b"std = \"metal4.0\"\n");
    let found = elsewhere.findings(&[folder.path.to_str().unwrap()]);
    assert_eq!(found.len(), expected.len(), "{found:?}");
}

#[test]
fn a_header_that_is_named_is_checked_through_units_nearby() {
    let folder = Folder::with(&[
        ("msl-analyzer.toml", "std = \"metal4.1\"\n"),
        ("src/a.metal", "#define WANTED\n#error \"not asked for\"\n#include \"../include/shared.h\"\n"),
        ("src/b.metal", "// shared.h\n#error \"not asked for\"\n"),
        ("include/shared.h", "#ifndef WANTED\n#error \"include after WANTED\"\n#endif\n#error \"in the header\"\n"),
    ]);
    let (_, output) = folder.check(&["include/shared.h"]);
    assert_eq!(folder.findings(&["include/shared.h"]), ["include/shared.h:4:1 error preprocessor-error"]);
    assert_eq!(output["files"].as_array().unwrap().len(), 1);
    assert_eq!(output["files"][0]["path"], "include/shared.h");
    assert_eq!(output["files"][0]["complete"], true);
}

#[test]
fn a_file_that_another_unit_includes_may_be_a_header() {
    let folder = Folder::with(&[
        ("a.metal", "#define WIDTH 4\n#include \"common.metal\"\n"),
        ("common.metal", "#ifndef WIDTH\n#error \"define WIDTH\"\n#endif\n"),
    ]);
    assert_eq!(folder.findings(&[]), [""; 0]);
    assert_eq!(folder.findings(&["common.metal"]), ["common.metal:2:1 error preprocessor-error"]);
}

#[test]
fn a_missing_include_makes_a_unit_incomplete() {
    let folder = Folder::with(&[("a.metal", "#include \"nowhere.h\"\n"), ("b.metal", "#include <metal_stdlib>\n")]);
    let (status, output) = folder.check(&[]);
    assert_eq!(status, 1);
    assert_eq!(output["files"][0]["complete"], false);
    assert_eq!(output["files"][1]["complete"], true);
    let run = folder.run(&["check", "--stats"]);
    assert!(run.stdout.contains("not modelled: a.metal: "), "{}", run.stdout);
}

#[test]
fn exit_statuses() {
    let folder = Folder::with(&[("good.metal", ""), ("bad.metal", BROKEN)]);
    assert_eq!(folder.run(&["check", "good.metal"]).status, 0);
    assert_eq!(folder.run(&["check", "bad.metal"]).status, 1);
    let run = folder.run(&["check", "absent.metal", "bad.metal", "--format", "json"]);
    assert_eq!(run.status, 2);
    assert_eq!(run.stderr, "msl-analyzer: absent.metal: no such file or folder\n");
    assert!(run.stdout.contains("preprocessor-error"), "the others are still checked");
    assert_eq!(folder.run(&["check", "--no-such-option"]).status, 2);
    assert_eq!(folder.run(&["check", "--std", "metal9.9"]).status, 2);
}

#[test]
fn include_folders_and_macros_from_the_command_line() {
    let folder = Folder::with(&[
        ("a.metal", "#include \"x.h\"\n#if WIDTH != 8 || !FLAG || !FORCED\n#error \"macros\"\n#endif\n"),
        ("include/x.h", ""),
        ("force.h", "#define FORCED 1\n"),
    ]);
    assert_eq!(
        folder.findings(&["a.metal", "-I", "include", "-DWIDTH=8", "-D", "FLAG", "-include", "force.h"]),
        [""; 0]
    );
    assert_eq!(folder.findings(&["a.metal", "-Iinclude"]), ["a.metal:3:1 error preprocessor-error"]);
}
