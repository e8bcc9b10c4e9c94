//! How fast a language server answers, measured at the wire.
//!
//! ```text
//! cargo bench -p msl-analyzer --bench lsp -- FILE… [--std VERSION] [--rounds N] [--workspace FOLDER] [--clangd]
//! ```
//!
//! Each file is opened in a server of its own, every kind of request is timed at places spread over it, and then one digit
//! of a function body at a time is changed and what an editor asks for after an edit is timed. A time begins before the
//! first byte of a request is written and ends when the last byte of its answer was read; reading it as JSON is not in it.
//! The first line of each table is what driver and transport cost alone: a request that the server refuses at once.
//!
//! `--clangd` drives clangd over the same script, on the file as `tests/oracle/msl_rewrite.py` turns it into OpenCL, in the
//! same run, and prints the ratio. `--workspace` opens a folder, and times requests on the first file while the server reads
//! it. Nothing here is a test: no figure passes or fails.

#![allow(clippy::print_stdout, reason = "what this program is for")]

mod places;
mod script;
mod wire;

use std::{
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use script::{Options, Table};

/// The server that was built with this program.
const SERVER: &str = env!("CARGO_BIN_EXE_msl-analyzer");

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let mut files: Vec<PathBuf> = Vec::new();
    let mut options = Options { std: None, rounds: 60 };
    let (mut workspace, mut drives_clangd) = (None, false);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--std" => options.std = arguments.next(),
            "--rounds" => options.rounds = arguments.next().and_then(|it| it.parse().ok()).unwrap_or(options.rounds),
            "--workspace" => workspace = arguments.next().map(PathBuf::from),
            "--clangd" => drives_clangd = true,
            // What `cargo bench` adds.
            "--bench" => {}
            _ => files.push(PathBuf::from(argument)),
        }
    }
    let files: Vec<PathBuf> = files.iter().filter_map(|file| file.canonicalize().ok()).collect();
    let Some(first) = files.first() else {
        println!("usage: lsp FILE… [--std VERSION] [--rounds N] [--workspace FOLDER] [--clangd]");
        return ExitCode::FAILURE;
    };
    let clangd = drives_clangd.then(find_clangd).flatten();
    if drives_clangd && clangd.is_none() {
        println!("SKIPPED clangd: not installed");
    }
    for file in &files {
        let ours = script::run(&[SERVER.to_owned(), "lsp".to_owned()], file, "metal", &options);
        println!("msl-analyzer {}: {}", env!("CARGO_PKG_VERSION"), describe(file));
        ours.print();
        let Some(clangd) = &clangd else { continue };
        match Rewritten::new(file) {
            Some(rewritten) => {
                let mut command = vec![clangd.clone()];
                command
                    .extend(["--background-index=0", "--log=error", "--pch-storage=memory", "-j=2"].map(str::to_owned));
                let theirs = script::run(&command, &rewritten.file, "cpp", &options);
                println!("{clangd}: {}", describe(&rewritten.file));
                theirs.print();
                print_ratio(&ours, &theirs);
            }
            None => println!("SKIPPED clangd: the file could not be rewritten"),
        }
    }
    if let Some(folder) = workspace.and_then(|folder| folder.canonicalize().ok()) {
        println!("{} as a workspace, {} open", folder.display(), describe(first));
        script::index(&[SERVER.to_owned(), "lsp".to_owned()], &folder, first, &options).print();
    }
    ExitCode::SUCCESS
}

fn describe(file: &Path) -> String {
    let lines = std::fs::read(file).map_or(0, |text| text.iter().filter(|&&byte| byte == b'\n').count());
    format!("{}, {lines} lines", file.file_name().unwrap_or_default().to_string_lossy())
}

fn find_clangd() -> Option<String> {
    let named = std::env::var("CLANGD").ok();
    let candidates = named.into_iter().chain(["clangd-22", "clangd"].map(str::to_owned));
    candidates.into_iter().find(|name| Command::new(name).arg("--version").output().is_ok_and(|it| it.status.success()))
}

/// A file that clang can read, in a folder of its own with its compilation database.
struct Rewritten {
    folder: PathBuf,
    file: PathBuf,
}

impl Rewritten {
    fn new(file: &Path) -> Option<Rewritten> {
        let folder = std::env::temp_dir().join(format!("msl-analyzer-bench-{}", std::process::id()));
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/bench/rewrite.py");
        let status = Command::new("python3").arg(script).arg(file).arg(&folder).status().ok()?;
        status.success().then(|| Rewritten { file: folder.join(file.file_name().unwrap_or_default()), folder })
    }
}

impl Drop for Rewritten {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn print_ratio(ours: &Table, theirs: &Table) {
    println!("how many times faster than clangd, at the median and at the 95th percentile");
    for (name, own) in ours.rows() {
        if let Some(other) = theirs.row(name).filter(|other| !other.is_empty() && !own.is_empty()) {
            let ratio = |part: f64| script::percentile(other, part) / script::percentile(own, part).max(1e-9);
            println!("  {name:44} {:8.1} {:8.1}", ratio(0.5), ratio(0.95));
        }
    }
}
