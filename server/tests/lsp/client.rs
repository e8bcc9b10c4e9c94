//! A client of the server over its standard input and output, for tests.

use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        atomic::{AtomicU32, Ordering},
        mpsc::{Receiver, RecvTimeoutError, channel},
    },
    time::Duration,
};

use serde_json::{Value, json};

/// How long an answer may take before the test fails; tests run beside much else.
const PATIENCE: Duration = Duration::from_secs(120);

/// A server with a folder of its own as its workspace.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    next_id: i64,
    pub(crate) folder: PathBuf,
    /// Messages that came while another was awaited.
    waiting: Vec<Value>,
    /// What the server said at `initialize`.
    pub(crate) capabilities: Value,
}

/// A text with marked places.
pub(crate) struct Fixture {
    pub(crate) text: String,
    /// Line and column, in UTF-16 units, of `$0`, `$1` …
    pub(crate) places: Vec<Value>,
}

impl Fixture {
    /// Takes the marks `$0`, `$1` … out of a text. They must come in order.
    pub(crate) fn new(marked: &str) -> Fixture {
        let (mut text, mut places) = (String::new(), Vec::new());
        let mut rest = marked;
        loop {
            let mark = format!("${}", places.len());
            let Some(at) = rest.find(&mark) else { break };
            text.push_str(&rest[..at]);
            places.push(end_of(&text));
            rest = &rest[at + mark.len()..];
        }
        text.push_str(rest);
        Fixture { text, places }
    }
}

/// The position behind a text.
pub(crate) fn end_of(text: &str) -> Value {
    let line = text.matches('\n').count();
    let column = text.rsplit('\n').next().unwrap_or_default().encode_utf16().count();
    json!({ "line": line, "character": column })
}

/// What a capable editor says of itself.
pub(crate) fn capable() -> Value {
    json!({
        "workspace": {
            "workspaceEdit": { "documentChanges": true },
            "workspaceFolders": true,
            "semanticTokens": { "refreshSupport": false },
        },
        "textDocument": {
            "hover": { "contentFormat": ["markdown", "plaintext"] },
            "definition": { "linkSupport": true },
            "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": ["quickfix"] } } },
            "completion": { "completionItem": { "snippetSupport": true, "documentationFormat": ["markdown"] } },
            "signatureHelp": { "signatureInformation": { "parameterInformation": { "labelOffsetSupport": true } } },
            "rename": { "prepareSupport": true },
            "publishDiagnostics": { "versionSupport": true, "relatedInformation": true },
        },
        "window": { "workDoneProgress": true },
    })
}

impl Client {
    /// A server with these files on disk, initialised by a capable editor.
    pub(crate) fn with(files: &[(&str, &str)]) -> Client {
        let mut client = Client::uninitialized(files);
        client.initialize(&capable(), Value::Null);
        client
    }

    /// A server that nobody has spoken to.
    pub(crate) fn uninitialized(files: &[(&str, &str)]) -> Client {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("msl-analyzer-lsp-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let folder = folder.canonicalize().expect("a folder");
        for (name, text) in files {
            write(&folder.join(name), text);
        }
        let mut child = Command::new(env!("CARGO_BIN_EXE_msl-analyzer"))
            .arg("lsp")
            .current_dir(&folder)
            .env("MSL_ANALYZER_CACHE_DIR", folder.join("cache"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let (sender, messages) = channel();
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        std::thread::spawn(move || {
            while let Some(message) = read_message(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Client { child, input, messages, next_id: 1, folder, waiting: Vec::new(), capabilities: Value::Null }
    }

    pub(crate) fn initialize(&mut self, capabilities: &Value, options: Value) {
        let uri = self.uri("");
        let result = self.request(
            "initialize",
            json!({
                "processId": null,
                "rootUri": uri,
                "workspaceFolders": [{ "uri": uri, "name": "test" }],
                "capabilities": capabilities,
                "initializationOptions": options,
            }),
        );
        self.capabilities = result["capabilities"].clone();
        self.notify("initialized", json!({}));
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Writes a file to disk, as another program would.
    pub(crate) fn write(&self, name: &str, text: &str) {
        write(&self.path(name), text);
    }

    pub(crate) fn uri(&self, name: &str) -> String {
        let path = self.path(name).to_string_lossy().replace('\\', "/");
        format!("file://{}{path}", if path.starts_with('/') { "" } else { "/" })
    }

    /// The last part of a URI.
    pub(crate) fn name_of<'a>(&self, uri: &'a Value) -> &'a str {
        uri.as_str().and_then(|uri| uri.rsplit('/').next()).unwrap_or_default()
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.send_raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    pub(crate) fn send_raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the pipe is open");
        input.write_all(bytes).expect("the server reads");
        input.flush().expect("the server reads");
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request and returns its number, not the answer.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> i64 {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// The whole answer to a request.
    pub(crate) fn answer(&mut self, id: i64) -> Value {
        self.wait(|message| message["id"] == id && message.get("method").is_none())
    }

    /// The result of a request, which must succeed.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        let answer = self.answer(id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The error of a request, which must fail.
    pub(crate) fn request_error(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        let answer = self.answer(id);
        assert!(answer.get("error").is_some(), "{method}: {answer}");
        answer["error"].clone()
    }

    /// The next message that is wanted. Requests of the server get an empty answer.
    pub(crate) fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.waiting.iter().position(&wanted) {
            return self.waiting.remove(at);
        }
        loop {
            let message = match self.messages.recv_timeout(PATIENCE) {
                Ok(message) => message,
                Err(RecvTimeoutError::Timeout) => panic!("no answer in time; other messages: {:?}", self.waiting),
                Err(RecvTimeoutError::Disconnected) => panic!("the server has gone; messages: {:?}", self.waiting),
            };
            if message.get("method").is_some() && message.get("id").is_some() {
                let result = match message["method"].as_str() {
                    Some("workspace/configuration") => json!([null]),
                    _ => Value::Null,
                };
                self.send(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": result }));
            }
            if wanted(&message) {
                return message;
            }
            self.waiting.push(message);
        }
    }

    /// Opens a document.
    pub(crate) fn open(&mut self, name: &str, text: &str) {
        let uri = self.uri(name);
        let document = json!({ "uri": uri, "languageId": "metal", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Opens a document with marked places.
    pub(crate) fn open_fixture(&mut self, name: &str, marked: &str) -> Fixture {
        let fixture = Fixture::new(marked);
        self.open(name, &fixture.text);
        fixture
    }

    /// Replaces the whole text of a document.
    pub(crate) fn replace(&mut self, name: &str, version: i32, text: &str) {
        let uri = self.uri(name);
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": [{ "text": text }] }),
        );
    }

    pub(crate) fn close(&mut self, name: &str) {
        let uri = self.uri(name);
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }

    /// Waits until the server has read the workspace.
    pub(crate) fn wait_for_index(&mut self) {
        self.wait(|message| message["params"]["value"]["kind"] == "end");
    }

    /// The published diagnostics of a version of a document.
    pub(crate) fn diagnostics(&mut self, name: &str, version: i32) -> Vec<Value> {
        let uri = self.uri(name);
        let message = self.wait(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri.as_str()
                && message["params"]["version"] == version
        });
        message["params"]["diagnostics"].as_array().cloned().unwrap_or_default()
    }

    /// The parameters of a request about a place of a document.
    pub(crate) fn at(&self, name: &str, position: &Value) -> Value {
        json!({ "textDocument": { "uri": self.uri(name) }, "position": position })
    }

    /// Ends the conversation as LSP wants it, and returns the status of the process.
    pub(crate) fn shut_down(mut self) -> Option<i32> {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.child.wait().ok()?.code()
    }

    /// The status of the process, which must end on its own.
    pub(crate) fn wait_for_exit(&mut self) -> Option<i32> {
        self.child.wait().ok()?.code()
    }

    pub(crate) fn close_pipe(&mut self) {
        self.input = None;
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, text).expect("a file");
}

fn read_message(output: &mut impl BufRead) -> Option<Value> {
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
    serde_json::from_slice(&body).ok()
}
