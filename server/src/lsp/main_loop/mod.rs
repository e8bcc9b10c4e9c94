//! The one owner of mutable state.
//!
//! It takes events in order. A notification changes the documents at once and notes which of them the analyser has not
//! seen; a request first shows the analyser what it has not seen, then gets a snapshot and goes to a lane. So a run of
//! edits is one write, and every request sees exactly the edits before it.
//!
//! A write cancels all readers and waits for them to let go, which is why this is a thread of its own and why no reader
//! runs on it.

mod documents;
mod publishing;
mod reading;

use std::{
    cell::Cell,
    panic::AssertUnwindSafe,
    sync::{
        Arc, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};

use msl_ide::{Analysis, file_system::DiskFiles};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value, json};
use tower_lsp::{
    jsonrpc::Error,
    lsp_types::{
        self, DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidOpenTextDocumentParams, FileChangeType,
        InitializeParams, MessageType, PublishDiagnosticsParams, Registration, Url,
    },
};

use super::{
    capabilities::{self, ClientAbilities},
    compiler::{self, Compiled},
    diagnostics::{self, Diagnosed, Stage},
    dispatch::{self, Handler, Needs, Overtaken},
    documents::{Document, Documents},
    events::{Event, Reply, Request, content_modified, invalid_params, refused},
    from_proto::{self, PositionEncoding},
    handlers,
    include_graph::IncludeGraph,
    lanes::{Lane, Lanes},
    library_files,
    outgoing::{Message, Outgoing, Status, section_of},
    paths,
    project_links::{self, ProjectLinks},
    settings::{ClientSettings, SECTION, Settings},
    snapshot::{Caches, Changes, Snapshot},
    watchdog::Watchdog,
};
use crate::workspace::CONFIG_FILE;

/// Events that are handled before the analyser is shown what changed and diagnostics are started anew.
const EVENTS_AT_ONCE: usize = 256;

/// After so many closed documents the analyser starts anew: what it knows of them would never be freed.
const CLOSED_DOCUMENTS_KEPT: usize = 8;

/// The request that runs commands, which may change what the main loop holds.
pub(crate) const EXECUTE_COMMAND: &str = "workspace/executeCommand";

/// Our own request for the units through which a header can be looked at. Parameters: `textDocument`. The result has
/// `current`, a URI or `null`; `isChosen`, whether the user chose it; and `candidates`, URIs.
pub(crate) const HEADER_CONTEXTS: &str = "msl-analyzer/headerContexts";

/// The token of the progress of reading the workspace.
const INDEXING: &str = "msl-analyzer/includes";

/// How often that progress is reported.
const PROGRESS_PERIOD: Duration = Duration::from_millis(100);

/// Handles events until the transport is gone.
pub(crate) fn run(queue: &mpsc::Receiver<Event>, events: mpsc::Sender<Event>, outgoing: Outgoing) {
    let mut main_loop = MainLoop::new(events, outgoing);
    while let Ok(event) = queue.recv() {
        main_loop.handle(event);
        for event in queue.try_iter().take(EVENTS_AT_ONCE) {
            main_loop.handle(event);
        }
        main_loop.settle();
    }
}

struct MainLoop {
    events: mpsc::Sender<Event>,
    outgoing: Outgoing,
    lanes: Lanes,
    watchdog: Watchdog,
    analysis: Analysis,
    /// How many documents were closed since the analyser started.
    closed: usize,
    documents: Arc<Documents>,
    /// The generation of the next text of any document.
    next_generation: u64,
    settings: Arc<Settings>,
    includes: Arc<IncludeGraph>,
    encoding: PositionEncoding,
    client: Arc<ClientAbilities>,
    folders: Arc<[String]>,
    caches: Arc<Caches>,
    /// Documents whose text the analyser has not seen.
    unseen: FxHashSet<Arc<str>>,
    /// Roots whose diagnostics are out of date.
    outdated: FxHashSet<Arc<str>>,
    /// By root: the number of its newest diagnostics job, and the files of its unit as of the last one that ended.
    jobs: FxHashMap<Arc<str>, u64>,
    files_of: FxHashMap<Arc<str>, Vec<Arc<str>>>,
    next_job: u64,
    /// Roots of which the last complete analysis said more than was known early: until it does not any more, nothing is
    /// said early, because that would take back what is shown.
    waits_for_complete: FxHashSet<Arc<str>>,
    /// What is shown, by file and by the root that says it.
    shown: FxHashMap<Arc<str>, FxHashMap<Arc<str>, Vec<lsp_types::Diagnostic>>>,
    /// Runs of a configured compiler by the root of their unit: the number of the newest, and what ends it.
    compilers: FxHashMap<Arc<str>, (u64, Arc<AtomicBool>)>,
    /// The files that a compiler said something about, by root.
    compiled: FxHashMap<Arc<str>, Vec<Arc<str>>>,
    /// Mistakes in settings that the user was told about.
    told: FxHashSet<String>,
    is_reading_includes: bool,
    must_read_includes: bool,
    changes: Arc<Changes>,
    /// What the client was told about its documents, if it wants to know.
    told_status: FxHashMap<Arc<str>, Status>,
    links: Arc<ProjectLinks>,
    is_reading_links: bool,
    must_read_links: bool,
}

impl MainLoop {
    fn new(events: mpsc::Sender<Event>, outgoing: Outgoing) -> MainLoop {
        let lanes = Lanes::start();
        // What is slow the first time is done before anybody asks.
        lanes.run(Lane::Latency, || {
            msl_builtins::Library::get();
        });
        MainLoop {
            events,
            watchdog: Watchdog::start(outgoing.clone()),
            outgoing,
            lanes,
            analysis: Analysis::new(Arc::new(DiskFiles::default())),
            closed: 0,
            documents: Arc::default(),
            next_generation: 1,
            settings: Arc::new(Settings::new(ClientSettings::default(), "")),
            includes: Arc::default(),
            encoding: PositionEncoding::Utf16,
            client: Arc::default(),
            folders: Arc::default(),
            caches: Arc::default(),
            unseen: FxHashSet::default(),
            outdated: FxHashSet::default(),
            jobs: FxHashMap::default(),
            files_of: FxHashMap::default(),
            next_job: 1,
            waits_for_complete: FxHashSet::default(),
            shown: FxHashMap::default(),
            compilers: FxHashMap::default(),
            compiled: FxHashMap::default(),
            told: FxHashSet::default(),
            is_reading_includes: false,
            must_read_includes: false,
            changes: Arc::default(),
            told_status: FxHashMap::default(),
            links: Arc::default(),
            is_reading_links: false,
            must_read_links: false,
        }
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Initialize(params, reply) => self.initialize(&params, &reply),
            Event::Initialized => self.initialized(),
            Event::Opened(params) => self.opened(params),
            Event::Changed(params) => self.changed(&params),
            Event::Saved(params) => self.saved(&params.text_document.uri),
            Event::Closed(params) => self.closed(&params.text_document.uri),
            Event::ConfigurationChanged(params) => {
                if self.client.configuration {
                    self.outgoing.send(Message::AskConfiguration(SECTION));
                } else {
                    self.configure(section_of(params.settings, SECTION));
                }
            }
            Event::ConfigurationReceived(value) => self.configure(value),
            Event::FoldersChanged(params) => {
                let removed: Vec<String> =
                    params.event.removed.iter().map(|it| paths::path_of(&it.uri).to_string()).collect();
                let mut folders: Vec<String> =
                    self.folders.iter().filter(|folder| !removed.contains(folder)).cloned().collect();
                folders.extend(params.event.added.iter().map(|it| paths::path_of(&it.uri).to_string()));
                folders.sort();
                folders.dedup();
                self.folders = folders.into();
                self.reload_settings(self.settings.client.clone());
            }
            Event::FilesChanged(params) => self.files_changed(&params),
            Event::FilesRenamed(params) => {
                let uris = params.files.iter().flat_map(|file| [&file.old_uri, &file.new_uri]);
                let paths: Vec<Arc<str>> =
                    uris.filter_map(|uri| Url::parse(uri).ok()).map(|uri| paths::path_of(&uri)).collect();
                self.changed_on_disk(&paths);
            }
            Event::Request(request) => self.request(request, None),
            Event::Retry(request, asked) => self.request(request, Some(asked)),
            Event::Diagnosed(diagnosed) => self.diagnosed(*diagnosed),
            Event::Compiled(compiled) => self.compiled(*compiled),
            Event::DiagnosticsCancelled(root, job) => {
                if self.jobs.get(&root) == Some(&job) {
                    self.outdated.insert(root);
                }
            }
            Event::ProjectRead(links) => self.project_read(*links),
            Event::IncludesFound(graph) => {
                if let Some(mut graph) = graph {
                    graph.chosen = std::mem::take(&mut Arc::make_mut(&mut self.includes).chosen);
                    self.includes = Arc::new(*graph);
                    // What editors have open is as they have it, saved or not.
                    let open: Vec<Arc<str>> = self.documents.keys().cloned().collect();
                    self.read_includes_of(&open);
                    Arc::make_mut(&mut self.changes).note_everything();
                    self.retire_roots();
                    self.outdate_all();
                }
                self.read_symbols();
            }
            Event::SymbolsRead => {
                self.is_reading_includes = false;
                self.outgoing.send(Message::EndProgress { token: INDEXING.to_owned() });
            }
        }
    }

    fn initialize(&mut self, params: &InitializeParams, reply: &Reply) {
        self.encoding = from_proto::position_encoding(params);
        self.client = Arc::new(ClientAbilities::of(params));
        let mut folders: Vec<String> = match &params.workspace_folders {
            Some(folders) => folders.iter().map(|folder| paths::path_of(&folder.uri).to_string()).collect(),
            #[allow(deprecated, reason = "older clients have nothing else")]
            None => params.root_uri.iter().map(|uri| paths::path_of(uri).to_string()).collect(),
        };
        folders.sort();
        folders.dedup();
        self.folders = folders.into();
        let options = params.initialization_options.clone().unwrap_or(Value::Null);
        let (client, mistakes) = ClientSettings::read(section_of(options, SECTION));
        self.settings = Arc::new(Settings::new(client, self.folder()));
        for mistake in mistakes {
            self.tell(&mistake);
        }
        let result = capabilities::initialize_result(&self.client, self.encoding);
        reply.send(serde_json::to_string(&result).map_err(|_| Error::internal_error()));
    }

    fn initialized(&mut self) {
        let mut registrations = Vec::new();
        if self.client.registers_watched_files {
            let watchers: Vec<Value> =
                ["**/*.{metal,msl,metalh,h,hpp,hh,hxx,inc,inl}", "**/msl-analyzer.toml", "**/compile_commands.json"]
                    .iter()
                    .chain(project_links::WATCHED)
                    .map(|glob| json!({ "globPattern": glob }))
                    .collect();
            registrations.push(Registration {
                id: "msl-analyzer/watched-files".to_owned(),
                method: "workspace/didChangeWatchedFiles".to_owned(),
                register_options: Some(json!({ "watchers": watchers })),
            });
        }
        if self.client.registers_configuration {
            registrations.push(Registration {
                id: "msl-analyzer/configuration".to_owned(),
                method: "workspace/didChangeConfiguration".to_owned(),
                register_options: Some(json!({ "section": SECTION })),
            });
        }
        if !registrations.is_empty() {
            self.outgoing.send(Message::Register(registrations));
        }
        if self.client.configuration {
            self.outgoing.send(Message::AskConfiguration(SECTION));
        }
        self.must_read_includes = true;
        self.must_read_links = true;
    }

    fn configure(&mut self, value: Value) {
        // A client that has nothing to say about our section leaves what it said at `initialize`.
        if value.is_null() {
            return;
        }
        let (client, mistakes) = ClientSettings::read(value);
        for mistake in mistakes {
            self.tell(&mistake);
        }
        self.reload_settings(client);
    }

    fn reload_settings(&mut self, client: ClientSettings) {
        self.settings = Arc::new(Settings::new(client, self.folder()));
        Arc::make_mut(&mut self.changes).note_everything();
        self.must_read_includes = true;
        self.outdate_all();
        self.refresh_views();
    }

    /// Brings everything that depends on documents up to date.
    fn settle(&mut self) {
        self.show_analyser();
        if self.must_read_includes && !self.is_reading_includes {
            self.read_includes();
        }
        // One after the other: somebody waits for what the workspace declares sooner than for its host code.
        if self.must_read_links && !self.is_reading_links && !self.is_reading_includes {
            self.read_links();
        }
        self.report_mistakes();
        self.tell_status();
        let outdated = std::mem::take(&mut self.outdated);
        if self.client.pulls_diagnostics {
            return;
        }
        let open: FxHashSet<Arc<str>> = self.open_roots().collect();
        for root in outdated.into_iter().filter(|root| open.contains(root)) {
            self.diagnose(root);
        }
    }

    /// Gives the analyser the texts it has not seen.
    fn show_analyser(&mut self) {
        if self.unseen.is_empty() {
            return;
        }
        let Self { watchdog, analysis, unseen, documents, .. } = self;
        watchdog.during(|| {
            for path in unseen.drain() {
                if let Some(document) = documents.get(&path) {
                    analysis.edit(&path, document.text.to_bytes());
                }
            }
        });
    }

    fn snapshot(&self, reply: Option<Reply>) -> Snapshot {
        Snapshot {
            analysis: self.analysis.clone(),
            documents: self.documents.clone(),
            settings: self.settings.clone(),
            includes: self.includes.clone(),
            encoding: self.encoding,
            client: self.client.clone(),
            caches: self.caches.clone(),
            changes: self.changes.clone(),
            links: self.links.clone(),
            reply,
            lines: Default::default(),
        }
    }

    /// Hands a request to its handler. `asked` is what it was about when it came, if an edit has overtaken it since.
    fn request(&mut self, request: Request, asked: Option<Asked>) {
        if request.reply.is_cancelled() {
            return;
        }
        match request.method.as_str() {
            EXECUTE_COMMAND => return self.execute_command(&request),
            HEADER_CONTEXTS => return self.header_contexts(&request),
            _ => {}
        }
        let Some(handler) = dispatch::handler(&request.method) else {
            request.reply.send(Err(Error::method_not_found()));
            return;
        };
        let now = self.about(&request.params);
        let asked = match asked {
            Some(asked) if handler.overtaken == Overtaken::ContentModified && asked != now => {
                request.reply.send(Err(content_modified()));
                return;
            }
            Some(asked) => asked,
            None => now,
        };
        if handler.needs == Needs::Analysis {
            self.show_analyser();
        }
        let mut snapshot = self.snapshot(Some(request.reply.clone()));
        if handler.needs == Needs::Documents {
            snapshot.analysis = self.analysis.fresh();
        }
        let (events, outgoing) = (self.events.clone(), self.outgoing.clone());
        self.lanes.run(handler.lane, move || answer(&handler, snapshot, request, asked, &events, &outgoing));
    }

    /// The document that the parameters of a request name, and its generation.
    fn about(&self, params: &Value) -> Asked {
        let uri = params.get("textDocument")?.get("uri")?.as_str()?;
        let path = paths::path_of(&Url::parse(uri).ok()?);
        Some((path.clone(), self.documents.get(&path)?.generation))
    }

    fn uri_of(&self, path: &str) -> Option<Url> {
        self.documents.get(path).map(|document| document.uri.clone()).or_else(|| paths::uri_of(path))
    }

    /// `workspace/executeCommand`.
    fn execute_command(&mut self, request: &Request) {
        let command = request.params.get("command").and_then(Value::as_str).unwrap_or_default();
        if command != capabilities::SWITCH_HEADER_CONTEXT {
            return request.reply.send(Err(invalid_params(format!("there is no command `{command}`"))));
        }
        let argument = |number: usize| request.params.get("arguments").and_then(|all| all.get(number));
        let path = |value: &Value| Url::parse(value.as_str()?).ok().map(|uri| paths::path_of(&uri));
        let Some(header) = argument(0).and_then(path) else {
            return request.reply.send(Err(invalid_params("the first argument is the URI of a header")));
        };
        match argument(1).filter(|unit| !unit.is_null()) {
            None => _ = Arc::make_mut(&mut self.includes).chosen.remove(&header),
            Some(unit) => match path(unit).filter(|unit| self.includes.units_including(&header).contains(unit)) {
                Some(unit) => _ = Arc::make_mut(&mut self.includes).chosen.insert(header, unit),
                None => return request.reply.send(Err(refused("that unit does not include the header"))),
            },
        }
        self.retire_roots();
        self.outdate_all();
        self.refresh_views();
        request.reply.send(Ok("null".to_owned()));
    }

    /// Our own request for the units through which a header can be looked at.
    fn header_contexts(&self, request: &Request) {
        let uri = request.params.get("textDocument").and_then(|document| document.get("uri")).and_then(Value::as_str);
        let Some(uri) = uri.and_then(|uri| Url::parse(uri).ok()) else {
            return request.reply.send(Err(invalid_params("there is no `textDocument`")));
        };
        let path = paths::path_of(&uri);
        let root = self.root_of(&path);
        let units = if paths::is_header(&path) { self.includes.units_including(&path) } else { Vec::new() };
        let answer = json!({
            "current": if root == path { None } else { self.uri_of(&root) },
            "isChosen": self.includes.chosen.get(&path) == Some(&root),
            "candidates": units.iter().filter_map(|unit| self.uri_of(unit)).collect::<Vec<Url>>(),
        });
        request.reply.send(Ok(answer.to_string()));
    }

    /// What relative paths in the client's settings are relative to.
    fn folder(&self) -> &str {
        self.folders.first().map_or("", String::as_str)
    }

    fn report_mistakes(&mut self) {
        let mistakes: Vec<String> = {
            let mut mistakes = self.settings.mistakes.lock().unwrap_or_else(PoisonError::into_inner);
            mistakes.drain(..).map(|mistake| mistake.to_string()).collect()
        };
        for mistake in mistakes {
            self.tell(&mistake);
        }
    }

    /// Tells the user about a mistake, once.
    fn tell(&mut self, mistake: &str) {
        if self.told.insert(mistake.to_owned()) {
            self.outgoing.send(Message::Show(MessageType::WARNING, format!("msl-analyzer: {mistake}")));
        }
    }
}
/// What a request is about: a document and its generation, if it is about an open document.
pub(crate) type Asked = Option<(Arc<str>, u64)>;

/// Runs a handler on a lane.
fn answer(
    handler: &Handler,
    snapshot: Snapshot,
    request: Request,
    asked: Asked,
    events: &mpsc::Sender<Event>,
    outgoing: &Outgoing,
) {
    if request.reply.is_cancelled() {
        return;
    }
    let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| {
        Analysis::cancellable(|| handler.run(&snapshot, request.params.clone()))
    }));
    // A write waits for this.
    drop(snapshot);
    match outcome {
        Ok(Some(result)) => request.reply.send(result),
        Ok(None) => _ = events.send(Event::Retry(request, asked)),
        Err(panic) => {
            report_panic(outgoing, &request.method, &*panic);
            request.reply.send(Err(Error::internal_error()));
        }
    }
}

fn report_panic(outgoing: &Outgoing, what: &str, panic: &(dyn std::any::Any + Send)) {
    let message = panic
        .downcast_ref::<&str>()
        .map(|message| (*message).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    outgoing.send(Message::Log(MessageType::ERROR, format!("this is a bug in msl-analyzer: {what}: {message}")));
}

fn is_configuration(path: &str) -> bool {
    // Builds say which version a file is compiled as.
    matches!(path.rsplit('/').next(), Some(CONFIG_FILE | "compile_commands.json"))
        || (msl_project::is_build_file(path) && !msl_project::is_host_file(path))
}
