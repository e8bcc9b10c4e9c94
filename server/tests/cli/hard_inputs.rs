//! Inputs that break tools: each has a clear answer and the status that is due.

use std::{fs::File, process::Command};

use crate::{Folder, binary, run_command};

/// Checks one file under a stated version: status, and the codes of its findings.
fn check(text: &[u8]) -> (i32, Vec<String>) {
    let folder = Folder::new();
    folder.write("a.metal", text);
    let (status, output) = folder.check(&["--std", "metal4.0", "a.metal"]);
    let codes = output["diagnostics"].as_array().unwrap().iter().map(|d| d["code"].as_str().unwrap().to_owned());
    (status, codes.collect())
}

#[test]
fn an_empty_file_is_fine() {
    assert_eq!(check(b""), (0, vec![]));
    assert_eq!(check(b"\xef\xbb\xbf"), (0, vec![]), "a byte order mark");
}

#[test]
fn invalid_utf_8_is_an_error_at_the_byte_and_the_rest_is_analysed() {
    let folder = Folder::new();
    folder.write("a.metal", b"constant int a = 1;\nconstant int \xff = 2;\n#error \"still read\"\n");
    let findings = folder.findings(&["--std", "metal4.0"]);
    assert!(findings.contains(&"a.metal:2:14 error syntax-error".to_owned()), "{findings:?}");
    assert!(findings.contains(&"a.metal:3:1 error preprocessor-error".to_owned()), "{findings:?}");
}

#[test]
fn a_nul_byte_is_an_error_at_the_byte_and_the_rest_is_analysed() {
    let folder = Folder::new();
    folder.write("a.metal", b"constant int a = 1;\0\n#error \"still read\"\n");
    let findings = folder.findings(&["--std", "metal4.0"]);
    assert!(findings.contains(&"a.metal:1:20 error syntax-error".to_owned()), "{findings:?}");
    assert!(findings.contains(&"a.metal:2:1 error preprocessor-error".to_owned()), "{findings:?}");
}

#[test]
fn a_line_of_a_megabyte() {
    let mut text = "constant int table[] = {".to_owned();
    while text.len() < 1 << 20 {
        text.push_str("1, ");
    }
    text.push_str("};");
    assert_eq!(check(text.as_bytes()), (0, vec![]));

    // A finding in it is shown without printing the whole line.
    let folder = Folder::new();
    folder.write("a.metal", text.replace("};", "1 }; \0").as_bytes());
    let run = folder.run(&["check", "--std", "metal4.0", "--color", "never"]);
    assert_eq!(run.status, 1);
    assert!(run.stdout.len() < 2000, "{} bytes", run.stdout.len());
}

#[test]
fn ten_thousand_nested_parentheses() {
    let text = format!("constant int a = {}1{};\n", "(".repeat(10_000), ")".repeat(10_000));
    let (status, codes) = check(text.as_bytes());
    assert!(status == 0 || status == 1, "{status}");
    assert!(codes.len() <= 2, "one clear message: {codes:?}");
    let body = format!("void f() {{ int a = {}1{}; }}\n", "(".repeat(10_000), ")".repeat(10_000));
    assert!(matches!(check(body.as_bytes()).0, 0 | 1));
    let braces = format!("void f() {}{}\n", "{".repeat(10_000), "}".repeat(10_000));
    assert!(matches!(check(braces.as_bytes()).0, 0 | 1));
}

#[test]
fn unclosed_parentheses() {
    assert_eq!(check(format!("constant int a = {}", "(".repeat(10)).as_bytes()), (1, vec!["syntax-error".to_owned()]));
    let (status, codes) = check(format!("constant int a = {}", "(".repeat(10_000)).as_bytes());
    assert!(status == 0 || status == 1, "{status}");
    assert_eq!(codes.len(), 1, "one clear message: {codes:?}");
}

#[test]
fn a_macro_bomb_runs_out_of_fuel() {
    let mut text = "#define A0 1 +\n".to_owned();
    for n in 1..64 {
        text.push_str(&format!("#define A{n} A{p} A{p}\n", p = n - 1));
    }
    text.push_str("constant int a = A63 0;\n");
    let (status, codes) = check(text.as_bytes());
    assert!(status == 0 || status == 1, "{status}");
    assert!(codes.contains(&"limit-reached".to_owned()), "{codes:?}");
}

#[test]
fn files_that_include_each_other() {
    let folder = Folder::with(&[("a.metal", "#include \"b.h\"\n"), ("b.h", "#include \"a.metal\"\n")]);
    let (status, output) = folder.check(&["--std", "metal4.0", "a.metal"]);
    assert!(status == 0 || status == 1, "{status}");
    let codes: Vec<_> = output["diagnostics"].as_array().unwrap().iter().map(|d| d["code"].as_str().unwrap()).collect();
    assert!(codes.contains(&"limit-reached") || codes.contains(&"preprocessor-error"), "{codes:?}");
    assert!(codes.len() <= 2, "one clear message: {codes:?}");
}

#[test]
fn a_file_of_200_megabytes_is_refused() {
    let folder = Folder::with(&[("good.metal", "#warning \"read\"\n")]);
    File::create(folder.path.join("huge.metal")).unwrap().set_len(200 << 20).unwrap();
    let run = folder.run(&["check", "huge.metal", "good.metal", "--format", "json"]);
    assert_eq!(run.status, 2);
    assert_eq!(run.stderr, "msl-analyzer: huge.metal: 200 MB large, the limit is 64 MB\n");
    assert!(run.stdout.contains("preprocessor-warning"), "the others are still checked");
    // Met while walking it is a line and no more.
    let run = folder.run(&["check", "--format", "json"]);
    assert_eq!((run.status, run.stderr.lines().count()), (0, 1), "{}", run.stderr);
}

#[test]
fn what_is_named_must_be_a_file_or_folder() {
    let folder = Folder::new();
    assert_eq!(folder.run(&["check", "absent"]).status, 2);
    #[cfg(unix)]
    {
        let run = folder.run(&["check", "/dev/null"]);
        assert_eq!(run.status, 2);
        assert!(run.stderr.contains("not a regular file"), "{}", run.stderr);
    }
    assert_eq!(folder.run(&["check", "."]).status, 0, "an empty folder is fine");
}

/// A folder that may not be read. The superuser may read everything, so the binary runs as somebody else then.
#[cfg(unix)]
#[test]
fn a_folder_without_permission() {
    use std::{io::Write, os::unix::fs::PermissionsExt};

    let folder = Folder::with(&[("open/a.metal", "#warning \"read\"\n"), ("closed/b.metal", "")]);
    let closed = folder.path.join("closed");
    let set_mode = |mode| std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(mode)).unwrap();
    set_mode(0o000);
    let superuser = std::fs::read_dir(&closed).is_ok();
    let command = |arguments: &[&str]| {
        let mut command = if superuser {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(binary());
            command
        } else {
            Command::new(binary())
        };
        command.args(arguments).current_dir(&folder.path);
        command
    };
    if superuser && !command(&["--version"]).output().is_ok_and(|output| output.status.success()) {
        set_mode(0o755);
        let _ = writeln!(std::io::stderr(), "skipped: cannot run as another user");
        return;
    }
    let walked = run_command(&mut command(&["check", "--format", "json"]));
    let named = run_command(&mut command(&["check", "closed", "open", "--format", "json"]));
    set_mode(0o755);
    assert_eq!((walked.status, walked.stderr.lines().count()), (0, 1), "{}", walked.stderr);
    assert!(walked.stderr.contains("closed: permission denied"), "{}", walked.stderr);
    assert!(walked.stdout.contains("preprocessor-warning"));
    assert_eq!(named.status, 2);
    assert_eq!(named.stderr, "msl-analyzer: closed: permission denied\n");
    assert!(named.stdout.contains("preprocessor-warning"), "the others are still checked");
}
