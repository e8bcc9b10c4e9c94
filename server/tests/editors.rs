//! Real editors with this server, the book, its recipes, and what is released, through `tests/editors/run.py`. A suite whose
//! editor is not installed says `SKIPPED name: reason`.
//!
//! `CI=true` lets it install what is small; `MSL_EDITORS_FULL=1` runs the suites that take minutes to install as well, and
//! installs what they need.

use std::{
    path::Path,
    process::{Command, Stdio},
};

use libtest_mimic::{Arguments, Failed, Trial};

/// Suites whose editors are a small download, and those that need a browser or a newer system in a chroot.
const SMALL: &[&str] = &["neovim", "extension", "zed", "book", "recipes", "release"];
const LARGE: &[&str] = &["vscode", "neovim_current", "helix", "emacs", "kakoune"];

fn main() {
    let mut arguments = Arguments::from_args();
    // Several of them build the extension, in the same folder.
    arguments.test_threads = Some(1);
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    let full = is_set("MSL_EDITORS_FULL");
    let has_python = Command::new("python3")
        .args(["-c", "import sys; sys.exit(sys.version_info < (3, 11))"])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    let suites = if full { [SMALL, LARGE].concat() } else { SMALL.to_vec() };
    let trials = suites
        .into_iter()
        .map(|suite| {
            Trial::test(suite, move || {
                if !has_python {
                    return skipped(suite, "Python 3.11 is needed");
                }
                run(
                    suite,
                    if full {
                        &["--full"]
                    } else if is_set("CI") {
                        &["--install"]
                    } else {
                        &[]
                    },
                )
            })
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit();
}

#[allow(clippy::print_stderr, reason = "the runner does not capture it")]
fn skipped(suite: &str, reason: &str) -> Result<(), Failed> {
    eprintln!("SKIPPED {suite}: {reason}");
    Ok(())
}

#[allow(clippy::print_stderr, reason = "the runner does not capture it")]
fn run(suite: &str, options: &[&str]) -> Result<(), Failed> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/editors/run.py");
    let output = Command::new("python3")
        .arg(script)
        .arg(suite)
        .args(["--binary", env!("CARGO_BIN_EXE_msl-analyzer")])
        .args(["--output", concat!(env!("CARGO_TARGET_TMPDIR"), "/editors")])
        .args(options)
        .stdin(Stdio::null())
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    for line in text.lines().filter(|line| line.starts_with("SKIPPED")) {
        eprintln!("{line}");
    }
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{text}{}", String::from_utf8_lossy(&output.stderr)).into())
}
