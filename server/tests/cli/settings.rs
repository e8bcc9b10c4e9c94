//! Language versions, configuration, severities, silencing, baselines, fixes.

use crate::Folder;

const ONLY_4_0: &str = "#if __METAL_VERSION__ < 410\n#error \"needs 4.1\"\n#endif\n";

#[test]
fn the_strongest_source_of_a_version_wins() {
    let folder = Folder::with(&[
        ("a.metal", ""),
        (
            "compile_commands.json",
            r#"[{"directory": ".", "file": "a.metal", "command": "metal -std=metal3.1 a.metal"}]"#,
        ),
    ]);
    let version = |arguments: &[&str]| {
        let (_, output) = folder.check(arguments);
        format!("{} {}", output["files"][0]["std"], output["files"][0]["stdSource"]).replace('"', "")
    };
    assert_eq!(version(&[]), "metal3.1 compile_commands.json:1 -std=metal3.1");
    folder.write("msl-analyzer.toml", b"# Shaders\nstd = \"metal3.2\"\n");
    assert_eq!(version(&[]), "metal3.2 msl-analyzer.toml:2");
    assert_eq!(version(&["--std", "-std=macos-metal2.4"]), "macos-metal2.4 command line");
    assert_eq!(version(&["-std=ios-metal2.1"]), "ios-metal2.1 command line");
    folder.write("other.toml", b"std = \"metal4.1\"\n");
    assert_eq!(version(&["--config", "other.toml"]), "metal4.1 other.toml:1");

    let doctor = folder.run(&["doctor", "a.metal"]).stdout;
    assert!(doctor.contains("language version  metal3.2 (from msl-analyzer.toml:2)"), "{doctor}");
    assert!(doctor.contains("overrides metal3.1 (from compile_commands.json:1 -std=metal3.1)"), "{doctor}");
}

#[test]
fn a_build_says_what_is_a_dynamic_library() {
    let text = "void put(float *p) { *p = 1; }\nkernel void k(device float *d [[buffer(0)]]) { put(d); }\n";
    let folder = Folder::with(&[
        (
            "build.sh",
            "xcrun metal -std=metal4.1 -dynamiclib a.metal -install_name @rpath/libA.metallib -o libA.metallib\n\
             xcrun metal -std=metal4.1 b.metal -lA -L . -o b.metallib\n",
        ),
        ("a.metal", text),
        ("b.metal", text),
    ]);
    let resolution = |file: &str| {
        let run = folder.run(&["inspect", &format!("{file}:1:23"), "--format", "json"]);
        let found: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        found["resolution"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!((resolution("a.metal"), resolution("b.metal")), ("runtime".to_owned(), "static".to_owned()));
}

#[test]
fn the_nearest_configuration_holds() {
    let folder = Folder::with(&[
        ("msl-analyzer.toml", "std = \"metal3.0\"\n[[override]]\nfiles = [\"old/*\"]\nstd = \"ios-metal1.1\"\n"),
        ("a.metal", ""),
        ("old/b.metal", ""),
        ("sub/msl-analyzer.toml", "std = \"metal4.1\"\nincludes = [\"inc\"]\n"),
        ("sub/c.metal", "#include <x.h>\n"),
        ("sub/inc/x.h", ""),
    ]);
    let (status, output) = folder.check(&[]);
    assert_eq!(status, 0);
    let files: Vec<String> =
        output["files"].as_array().unwrap().iter().map(|f| f["std"].as_str().unwrap().into()).collect();
    assert_eq!(files, ["metal3.0", "ios-metal1.1", "metal4.1"]);
}

#[test]
fn a_broken_configuration_is_wrong_usage() {
    let folder = Folder::with(&[("msl-analyzer.toml", "std = \"metal2.4\"\n"), ("a.metal", "")]);
    let run = folder.run(&["check"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("msl-analyzer.toml: line 1:") && run.stderr.contains("macos-metal2.4"),
        "{}",
        run.stderr
    );
}

#[test]
fn spellings_of_versions_that_do_not_exist_are_corrected() {
    let folder = Folder::with(&[("a.metal", "")]);
    let run = folder.run(&["check", "--std", "metal2.4"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("macos-metal2.4"), "{}", run.stderr);
}

#[test]
fn several_versions_say_which_findings_differ() {
    let folder = Folder::with(&[("a.metal", ONLY_4_0), ("b.metal", "#error \"always\"\n")]);
    let run = folder.run(&["check", "--std", "metal4.0", "--std", "metal4.1"]);
    assert_eq!(run.status, 1);
    assert_eq!(run.stdout.matches("needs 4.1").count(), 2, "title and source line: {}", run.stdout);
    assert_eq!(run.stdout.matches("note: only under metal4.0").count(), 1, "{}", run.stdout);
    let (_, output) = folder.check(&["--std", "metal4.0", "--std", "metal4.1"]);
    assert_eq!(output["diagnostics"].as_array().unwrap().len(), 3);
}

#[test]
fn without_a_version_what_depends_on_it_is_a_hint() {
    let folder = Folder::with(&[("a.metal", ONLY_4_0)]);
    let (status, output) = folder.check(&[]);
    assert_eq!(status, 0);
    assert_eq!(output["files"][0]["std"], "metal4.0");
    let finding = &output["diagnostics"][0];
    assert_eq!(finding["severity"], "hint");
    assert!(finding["message"].as_str().unwrap().contains("--std"));
}

#[test]
fn levels() {
    let folder = Folder::with(&[("a.metal", "#warning \"careful\"\n"), ("msl-analyzer.toml", "std = \"metal4.0\"\n")]);
    let severity = |arguments: &[&str]| {
        let (status, output) = folder.check(arguments);
        (status, output["diagnostics"][0]["severity"].as_str().map(str::to_owned))
    };
    assert_eq!(severity(&[]), (0, Some("warning".into())));
    assert_eq!(severity(&["--deny", "warnings"]), (1, Some("error".into())));
    assert_eq!(severity(&["--deny", "preprocessor-warning"]), (1, Some("error".into())));
    assert_eq!(severity(&["--allow", "language"]), (0, None));
    folder.write("msl-analyzer.toml", b"std = \"metal4.0\"\n[severities]\npreprocessor-warning = \"error\"\n");
    assert_eq!(severity(&[]), (1, Some("error".into())));
    assert_eq!(severity(&["--warn", "preprocessor-warning"]), (0, Some("warning".into())));
    assert_eq!(folder.run(&["check", "--deny", "nonsense"]).status, 2);
}

#[test]
fn comments_silence_and_unused_ones_are_reported() {
    let folder = Folder::with(&[(
        "a.metal",
        "// msl-analyzer: allow(preprocessor-error)\n#error \"silenced\"\n#warning \"heard\"\n\
         void f(); // msl-analyzer: allow(include-not-found)\n",
    )]);
    assert_eq!(
        folder.findings(&["--std", "metal4.0"]),
        ["a.metal:3:1 warning preprocessor-warning", "a.metal:4:34 warning unused-allow"]
    );
}

#[test]
fn baselines_hide_what_was_there() {
    let folder = Folder::with(&[("sub/a.metal", "#error \"old\"\n")]);
    assert_eq!(folder.run(&["check", "--baseline", "known.json"]).status, 2, "there is none yet");
    assert_eq!(folder.run(&["check", "--baseline", "known.json", "--write-baseline"]).status, 0);
    assert!(folder.read("known.json").contains("\"path\": \"sub/a.metal\""), "{}", folder.read("known.json"));
    assert_eq!(folder.findings(&["--baseline", "known.json"]), [""; 0]);
    folder.write("sub/a.metal", b"\n\n#error \"old\"\n#error \"old\"\n#error \"new\"\n");
    assert_eq!(
        folder.findings(&["--baseline", "known.json"]),
        ["sub/a.metal:4:1 error preprocessor-error", "sub/a.metal:5:1 error preprocessor-error"]
    );
}

#[test]
fn explain_prints_pages_and_lists_codes() {
    let folder = Folder::new();
    let run = folder.run(&["explain", "generic-to-concrete"]);
    assert_eq!(run.status, 0);
    assert!(run.stdout.starts_with("generic-to-concrete\n"), "{}", run.stdout);
    assert!(!run.stdout.contains("```"));
    let list = folder.run(&["explain"]).stdout;
    assert!(list.lines().count() > 30 && list.contains("generic-pointer-in-hot-loop"), "{list}");
    let run = folder.run(&["explain", "generic-to-concret"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("did you mean `generic-to-concrete`"));
}

#[test]
fn preferred_fixes_are_applied_or_printed() {
    let text = "#include <metal_stdlib>\nstruct S {\n    vec<float, 2> a;\n    metal::vec<float, 2> b;\n};\n";
    let folder = Folder::with(&[("a.metal", text)]);
    let run = folder.run(&["check", "--std", "metal4.0", "--fix-dry-run", "--color", "never"]);
    assert_eq!(run.status, 1);
    assert!(run.stdout.starts_with("--- a.metal\n+++ a.metal\n@@ "), "{}", run.stdout);
    assert!(run.stdout.contains("\n-    vec<float, 2> a;\n+    metal::vec<float, 2> a;\n"), "{}", run.stdout);
    assert_eq!(folder.read("a.metal"), text, "nothing is written");

    let run = folder.run(&["check", "--std", "metal4.0", "--fix", "--quiet", "--color", "never"]);
    assert_eq!(folder.read("a.metal"), text.replace("    vec<", "    metal::vec<"));
    assert_eq!((run.status, run.stdout.as_str()), (0, ""));
}
