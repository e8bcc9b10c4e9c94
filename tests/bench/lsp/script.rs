//! What is asked, in which order, and the table of how long it took.

use std::path::Path;

use serde_json::{Value, json};

use crate::{
    places::{Places, Position, sample},
    wire::{Server, milliseconds, uri_of},
};

pub(crate) struct Options {
    /// The version, as an editor's setting. Without it the file is judged under two.
    pub(crate) std: Option<String>,
    /// How often each request is asked.
    pub(crate) rounds: usize,
}

/// Milliseconds by what was timed, in the order in which it was first timed.
#[derive(Default)]
pub(crate) struct Table {
    rows: Vec<(String, Vec<f64>, String)>,
    memory: Option<(u64, u64)>,
}

impl Table {
    fn add(&mut self, name: &str, time: f64) {
        match self.rows.iter_mut().find(|(known, ..)| known == name) {
            Some((_, times, _)) => times.push(time),
            None => self.rows.push((name.to_owned(), vec![time], String::new())),
        }
    }

    fn note(&mut self, name: &str, note: String) {
        if let Some(row) = self.rows.iter_mut().find(|(known, ..)| known == name) {
            row.2 = note;
        }
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = (&str, &[f64])> {
        self.rows.iter().map(|(name, times, _)| (name.as_str(), times.as_slice()))
    }

    pub(crate) fn row(&self, name: &str) -> Option<&[f64]> {
        self.rows().find(|(known, _)| *known == name).map(|(_, times)| times)
    }

    pub(crate) fn print(&self) {
        println!("  {:44} {:>9} {:>9} {:>9}  times", "milliseconds", "p50", "p95", "max");
        for (name, times, note) in &self.rows {
            let [p50, p95, max] = [0.5, 0.95, 1.0].map(|part| percentile(times, part));
            println!("  {name:44} {p50:9.2} {p95:9.2} {max:9.2}  {:5}  {note}", times.len());
        }
        if let Some((now, greatest)) = self.memory {
            println!("  {:44} {now:9} MiB, at most {greatest} MiB", "memory");
        }
    }
}

/// The smallest time that this part of the times do not exceed.
pub(crate) fn percentile(times: &[f64], part: f64) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = ((part * sorted.len() as f64).ceil() as usize).clamp(1, sorted.len().max(1)) - 1;
    sorted.get(at).copied().unwrap_or_default()
}

/// An open file.
struct Session {
    server: Server,
    uri: String,
    version: i64,
    lines: Vec<String>,
    table: Table,
}

impl Session {
    fn open(mut server: Server, file: &Path, language: &str, options: &Options) -> Session {
        let text = String::from_utf8_lossy(&std::fs::read(file).expect("the file can be read")).into_owned();
        if let Some(std) = &options.std {
            let settings = json!({ "settings": { "msl-analyzer": { "std": std } } });
            server.notify("workspace/didChangeConfiguration", settings);
        }
        let uri = uri_of(file);
        let lines = text.split('\n').map(str::to_owned).collect();
        let document = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
        let sent = server.notify("textDocument/didOpen", json!({ "textDocument": document }));
        let mut session = Session { server, uri, version: 1, lines, table: Table::default() };
        let (when, count) = session.server.wait_for_diagnostics(&session.uri, 1);
        session.table.add("open to first diagnostics", milliseconds(sent, when));
        session.table.note("open to first diagnostics", format!("{count} findings"));
        session
    }

    fn params(&self, position: Option<Position>) -> Value {
        let mut params = json!({ "textDocument": { "uri": self.uri } });
        if let Some(position) = position {
            params["position"] = json!({ "line": position.line, "character": position.column });
        }
        params
    }

    /// Times a request and returns its result.
    fn time(&mut self, name: &str, method: &str, params: Value) -> Value {
        let (time, result) = self.server.request(&format!("textDocument/{method}"), params);
        self.table.add(name, time);
        result
    }

    fn time_at(&mut self, name: &str, method: &str, places: &[Position]) {
        let mut answered = 0;
        for &place in places {
            let mut params = self.params(Some(place));
            if method == "references" {
                params["context"] = json!({ "includeDeclaration": true });
            }
            let result = self.time(name, method, params);
            answered += usize::from(!result.is_null() && result != json!([]));
        }
        self.table.note(name, format!("{answered} answered"));
    }

    /// Replaces one digit by another, and returns when that was sent. A server may do nothing about a text that stays.
    fn edit(&mut self, at: Position) -> std::time::Instant {
        let text = match self.lines[at.line].as_bytes()[at.column] {
            b'9' => "1".to_owned(),
            digit => char::from(digit + 1).to_string(),
        };
        self.version += 1;
        self.server.forget_diagnostics();
        self.lines[at.line].replace_range(at.column..at.column + 1, &text);
        let position = |column: usize| json!({ "line": at.line, "character": column });
        let range = json!({ "start": position(at.column), "end": position(at.column + 1) });
        let document = json!({ "uri": self.uri, "version": self.version });
        let changes = json!([{ "range": range, "text": text }]);
        self.server.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }))
    }
}

/// Drives one server over one file.
pub(crate) fn run(command: &[String], file: &Path, language: &str, options: &Options) -> Table {
    let folder = file.parent().expect("a file is in a folder");
    let server = Server::start(command, folder, false);
    let mut session = Session::open(server, file, language, options);
    let places = Places::find(&session.lines);
    let rounds = options.rounds;
    // What came first is over when a request that needs everything is answered.
    let position = |line: usize| json!({ "line": line, "character": 0 });
    let mut everything = session.params(None);
    everything["range"] = json!({ "start": position(0), "end": position(1) });
    everything["context"] = json!({ "diagnostics": [] });
    session.server.request("textDocument/codeAction", everything.clone());
    for _ in 0..rounds {
        session.time("driver and transport alone", "noSuchMethod", json!({}));
    }
    let names = sample(&places.names, rounds);
    for (name, method, places) in [
        ("hover", "hover", &names),
        ("definition", "definition", &names),
        ("document highlight", "documentHighlight", &names),
        ("references", "references", &names),
        ("signature help", "signatureHelp", &sample(&places.calls, rounds)),
        ("completion", "completion", &names),
        ("completion behind a dot", "completion", &sample(&places.dots, rounds)),
    ] {
        session.time_at(name, method, places);
    }
    let few = (rounds / 4).max(4);
    let mut result_id = Value::Null;
    for _ in 0..few {
        let params = session.params(None);
        let tokens = session.time("semantic tokens", "semanticTokens/full", params.clone());
        result_id = tokens["resultId"].clone();
        session.table.note("semantic tokens", format!("{} tokens", tokens["data"].as_array().map_or(0, Vec::len) / 5));
        let symbols = session.time("document symbols", "documentSymbol", params.clone());
        session.table.note("document symbols", format!("{} at the top", symbols.as_array().map_or(0, Vec::len)));
        let folds = session.time("folding", "foldingRange", params);
        session.table.note("folding", format!("{} folds", folds.as_array().map_or(0, Vec::len)));
    }
    for at in sample(&places.digits, rounds) {
        let sent = session.edit(at);
        let (when, _) = session.server.wait_for_diagnostics(&session.uri, session.version);
        session.table.add("edit in a body to diagnostics", milliseconds(sent, when));
        let mut delta = session.params(None);
        delta["previousResultId"] = result_id;
        let tokens = session.time("semantic tokens delta after an edit", "semanticTokens/full/delta", delta);
        result_id = tokens["resultId"].clone();
        for (name, method) in [("hover after an edit", "hover"), ("completion after an edit", "completion")] {
            session.time_at(name, method, &[at]);
        }
        let params = session.params(None);
        session.time("folding after an edit", "foldingRange", params.clone());
        session.time("document symbols after an edit", "documentSymbol", params);
    }
    // Repairs are known when everything is.
    for at in sample(&places.digits, rounds) {
        let sent = session.edit(at);
        let (id, _) = session.server.ask("textDocument/codeAction", everything.clone());
        let (when, _) = session.server.answer(id);
        session.table.add("edit in a body to everything judged", milliseconds(sent, when));
        session.server.wait_for_diagnostics(&session.uri, session.version);
    }
    // Right behind an edit, before its diagnostics: what an editor does while the user types.
    for at in sample(&places.digits, rounds / 2) {
        session.edit(at);
        session.time_at("completion right behind an edit", "completion", &[at]);
        session.server.wait_for_diagnostics(&session.uri, session.version);
    }
    session.table.memory = session.server.memory();
    session.table
}

/// Opens a folder as a workspace and times requests on a file of it while the server reads it.
pub(crate) fn index(command: &[String], folder: &Path, file: &Path, options: &Options) -> Table {
    let server = Server::start(command, folder, true);
    let started = std::time::Instant::now();
    let mut session = Session::open(server, file, "metal", options);
    let places = Places::find(&session.lines);
    for place in sample(&places.names, 100_000) {
        if session.server.progress.1.is_some() {
            break;
        }
        session.time_at("hover while the workspace is read", "hover", &[place]);
        session.time_at("definition while the workspace is read", "definition", &[place]);
    }
    if let Some(end) = session.server.progress.1 {
        session.table.add("start to the end of reading the workspace", milliseconds(started, end));
    }
    for query in ["kernel", "mul", "k", "zzz"] {
        let (time, result) = session.server.request("workspace/symbol", json!({ "query": query }));
        session.table.add("workspace symbols", time);
        session.table.note("workspace symbols", format!("{} for the last", result.as_array().map_or(0, Vec::len)));
    }
    session.table.memory = session.server.memory();
    session.table
}
