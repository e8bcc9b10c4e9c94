//! End-to-end tests of the command line: what it prints and how it exits.

mod abi;
mod examples;
mod frameworks;
mod generate;
mod hard_inputs;
mod link_graph;
mod migrate;
mod outputs;
mod settings;
mod workspace;

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
};

use serde_json::Value;

/// A folder of its own for one test, removed at the end.
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
}

/// What a run of the binary gave.
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Folder {
    pub(crate) fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        // Outside any repository, so that no ignore file of ours is in force.
        let path = std::env::temp_dir().join(format!("msl-analyzer-test-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder { path }
    }

    /// A folder with these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Folder {
        let folder = Folder::new();
        for (name, text) in files {
            folder.write(name, text.as_bytes());
        }
        folder
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path.join(name)).unwrap()
    }

    /// Runs the binary here.
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        run_command(Command::new(binary()).args(arguments).current_dir(&self.path))
    }

    /// Runs `check --format json` and reads what it prints.
    pub(crate) fn check(&self, arguments: &[&str]) -> (i32, Value) {
        let run = self.run(&[&["check", "--format", "json"], arguments].concat());
        let value = serde_json::from_str(&run.stdout);
        (run.status, value.unwrap_or_else(|_| panic!("no JSON: {}{}", run.stdout, run.stderr)))
    }

    /// `path:line:column severity code` of each finding.
    pub(crate) fn findings(&self, arguments: &[&str]) -> Vec<String> {
        let (_, output) = self.check(arguments);
        let findings = output["diagnostics"].as_array().unwrap();
        findings
            .iter()
            .map(|finding| {
                let start = &finding["range"]["start"];
                let word = |value: &Value| value.as_str().unwrap().to_owned();
                format!(
                    "{}:{}:{} {} {}",
                    word(&finding["path"]),
                    start["line"],
                    start["column"],
                    word(&finding["severity"]),
                    word(&finding["code"])
                )
            })
            .collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

pub(crate) fn binary() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_msl-analyzer"))
}

pub(crate) fn run_command(command: &mut Command) -> Run {
    let output = command.env_remove("RUST_BACKTRACE").output().unwrap();
    Run {
        status: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
