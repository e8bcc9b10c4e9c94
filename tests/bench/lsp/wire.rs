//! A client of a language server that notes when each message came.

use std::{
    collections::HashMap,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

/// How long the slowest answer may take.
const PATIENCE: Duration = Duration::from_secs(300);

pub(crate) struct Server {
    child: Child,
    input: ChildStdin,
    messages: Receiver<(Instant, Vec<u8>)>,
    next_id: i64,
    /// Diagnostics that came while something else was awaited: when, of which file and version, how many.
    diagnostics: Vec<(Instant, String, Option<i64>, usize)>,
    /// Answers that came while something else was awaited.
    answers: HashMap<i64, (Instant, Value)>,
    /// When the server's progress began and ended last.
    pub(crate) progress: (Option<Instant>, Option<Instant>),
}

impl Server {
    /// Starts a server and initialises it with a folder as its workspace.
    pub(crate) fn start(command: &[String], folder: &Path, has_progress: bool) -> Server {
        let mut child = Command::new(&command[0])
            .args(&command[1..])
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let input = child.stdin.take().expect("a pipe");
        let mut output = BufReader::with_capacity(1 << 20, child.stdout.take().expect("a pipe"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(body) = read_message(&mut output) {
                if sender.send((Instant::now(), body)).is_err() {
                    return;
                }
            }
        });
        let mut server = Server {
            child,
            input,
            messages,
            next_id: 1,
            diagnostics: Vec::new(),
            answers: HashMap::new(),
            progress: (None, None),
        };
        server.request(
            "initialize",
            json!({
                "processId": std::process::id(),
                "rootUri": uri_of(folder),
                "workspaceFolders": if has_progress { json!([{ "uri": uri_of(folder), "name": "bench" }]) } else { json!(null) },
                "capabilities": {
                    "textDocument": {
                        "publishDiagnostics": { "versionSupport": true },
                        "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
                        "semanticTokens": { "requests": { "full": { "delta": true } }, "tokenTypes": [],
                            "tokenModifiers": [], "formats": ["relative"] },
                    },
                    "window": { "workDoneProgress": has_progress },
                },
            }),
        );
        server.notify("initialized", json!({}));
        server
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) -> Instant {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    /// Sends a request; returns its number and when it was sent.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> (i64, Instant) {
        let id = self.next_id;
        self.next_id += 1;
        let sent = self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        (id, sent)
    }

    /// Milliseconds and result of a request.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> (f64, Value) {
        let (id, sent) = self.ask(method, params);
        let (when, result) = self.answer(id);
        (milliseconds(sent, when), result)
    }

    /// When the answer to a request came, and the result.
    pub(crate) fn answer(&mut self, id: i64) -> (Instant, Value) {
        loop {
            if let Some(answer) = self.answers.remove(&id) {
                return answer;
            }
            self.receive();
        }
    }

    /// When the diagnostics of a version of a file came first, and how many they were.
    pub(crate) fn wait_for_diagnostics(&mut self, uri: &str, version: i64) -> (Instant, usize) {
        loop {
            let fits = |(_, of, known, _): &(Instant, String, Option<i64>, usize)| {
                of == uri && known.is_none_or(|known| known == version)
            };
            if let Some(at) = self.diagnostics.iter().position(fits) {
                let (when, _, _, count) = self.diagnostics.remove(at);
                return (when, count);
            }
            self.receive();
        }
    }

    /// Forgets the diagnostics that came so far.
    pub(crate) fn forget_diagnostics(&mut self) {
        self.diagnostics.clear();
    }

    fn receive(&mut self) {
        let (when, body) = self.messages.recv_timeout(PATIENCE).expect("the server answers");
        let mut message: Value = serde_json::from_slice(&body).expect("a message");
        match message["method"].as_str() {
            Some("textDocument/publishDiagnostics") => {
                let params = &message["params"];
                let uri = params["uri"].as_str().unwrap_or_default().to_owned();
                let count = params["diagnostics"].as_array().map_or(0, Vec::len);
                self.diagnostics.push((when, uri, params["version"].as_i64(), count));
            }
            Some("$/progress") => match message["params"]["value"]["kind"].as_str() {
                Some("begin") => self.progress.0 = Some(when),
                Some("end") => self.progress.1 = Some(when),
                _ => {}
            },
            Some(_) if message.get("id").is_some() => {
                self.send(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": null }));
            }
            Some(_) => {}
            None => {
                if let Some(id) = message["id"].as_i64() {
                    self.answers.insert(id, (when, message["result"].take()));
                }
            }
        }
    }

    fn send(&mut self, message: &Value) -> Instant {
        let body = message.to_string();
        let frame = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        let sent = Instant::now();
        self.input.write_all(frame.as_bytes()).expect("the server reads");
        self.input.flush().expect("the server reads");
        sent
    }

    /// Resident and greatest resident memory in MiB, where the system tells.
    pub(crate) fn memory(&self) -> Option<(u64, u64)> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let field = |name: &str| {
            let line = status.lines().find(|line| line.starts_with(name))?;
            line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib / 1024)
        };
        Some((field("VmRSS:")?, field("VmHWM:")?))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn milliseconds(from: Instant, to: Instant) -> f64 {
    to.saturating_duration_since(from).as_secs_f64() * 1000.0
}

pub(crate) fn uri_of(path: &Path) -> String {
    let path = path.to_string_lossy().replace('\\', "/");
    format!("file://{}{}", if path.starts_with('/') { "" } else { "/" }, path.replace('+', "%2B"))
}

fn read_message(output: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("Content-Length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    Some(body)
}
