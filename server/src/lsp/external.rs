//! Programs that the server runs for the user: clang-format, and a compiler whose findings are merged with ours.
//!
//! One never runs on a thread that answers other requests, is ended when nobody waits for it any more, and has a time
//! limit.

use std::{
    io::{Read, Write},
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// How long a program may take.
const TIME_LIMIT: Duration = Duration::from_secs(20);

/// How often it is looked after.
const PERIOD: Duration = Duration::from_millis(4);

/// At most so many bytes of output are kept: 64 MB.
const MAX_OUTPUT: u64 = 64 << 20;

/// What a program gave.
pub(crate) struct Output {
    pub(crate) is_success: bool,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

/// Why there is no output.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// There is no such program.
    NotFound,
    /// It took too long.
    TimedOut,
    /// Nobody waits for it any more.
    Cancelled,
    /// What the operating system said.
    Io(String),
}

/// Runs a program with `input` as its standard input, until it ends or `is_cancelled` says so.
pub(crate) fn run(
    program: &str,
    arguments: &[String],
    folder: &Path,
    input: Vec<u8>,
    is_cancelled: impl Fn() -> bool,
) -> Result<Output, Failure> {
    let child = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Failure::NotFound,
        _ => Failure::Io(error.to_string()),
    })?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    // A program that does not read ends this thread by ending itself.
    std::thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)));
    let (stdout, stderr) = (read_all(stdout), read_all(stderr));
    let started = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Ok(status),
            Ok(None) if is_cancelled() => break Err(Failure::Cancelled),
            Ok(None) if started.elapsed() > TIME_LIMIT => break Err(Failure::TimedOut),
            Ok(None) => std::thread::sleep(PERIOD),
            Err(error) => break Err(Failure::Io(error.to_string())),
        }
    };
    match status {
        Ok(status) => Ok(Output {
            is_success: status.success(),
            stdout: stdout.join().unwrap_or_default(),
            stderr: stderr.join().unwrap_or_default(),
        }),
        Err(failure) => {
            let _ = child.kill();
            let _ = child.wait();
            Err(failure)
        }
    }
}

fn read_all(stream: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(stream) = stream {
            let _ = stream.take(MAX_OUTPUT).read_to_end(&mut bytes);
        }
        bytes
    })
}
