//! The one owner of mutable state.
//!
//! It takes events in order. A notification changes the documents at once and notes which of them the analyser has not
//! seen; a request first shows the analyser what it has not seen, then gets a snapshot and goes to a lane. So a run of
//! edits is one write, and every request sees exactly the edits before it.
//!
//! A write cancels all readers and waits for them to let go, which is why this is a thread of its own and why no reader
//! runs on it.

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

    fn opened(&mut self, params: DidOpenTextDocumentParams) {
        let document = params.text_document;
        let path = paths::path_of(&document.uri);
        let opened = Document::new(document.uri, document.version, self.generation(), &document.text);
        if !opened.is_analysed() {
            self.tell(&format!("{path} is too large to be analysed"));
        }
        let is_new = Arc::make_mut(&mut self.documents).insert(path.clone(), opened).is_none();
        if is_new {
            // Written at once: from now on the analyser expects this file to change often.
            let text = self.documents[&path].text.to_bytes();
            let Self { watchdog, analysis, .. } = self;
            watchdog.during(|| analysis.open(&path, text));
        } else {
            self.unseen.insert(path.clone());
        }
        // The raw tree of a large text takes long the first time; from then on it is kept in step.
        if let Some(document) = self.documents.get(&path).filter(|document| document.is_analysed()).cloned() {
            let quiet = self.lanes.quiet();
            self.lanes.run(Lane::Batch, move || {
                quiet.wait();
                document.tree();
            });
        }
        if !self.includes.knows(&path) {
            // A file that was never saved includes others as well.
            self.read_includes_of(std::slice::from_ref(&path));
        }
        Arc::make_mut(&mut self.changes).note(&path);
        self.outdate(&path);
        let root = self.root_of(&path);
        self.outdated.insert(root);
    }

    fn changed(&mut self, params: &DidChangeTextDocumentParams) {
        let path = paths::path_of(&params.text_document.uri);
        let generation = self.generation();
        let encoding = self.encoding;
        // An edit of what is not open has nothing to change.
        let Some(document) = Arc::make_mut(&mut self.documents).get_mut(&path) else { return };
        document.apply(params.text_document.version, generation, &params.content_changes, encoding);
        self.forget_compiled(&path);
        Arc::make_mut(&mut self.changes).note(&path);
        self.unseen.insert(path.clone());
        self.outdate(&path);
    }

    fn saved(&mut self, uri: &Url) {
        let path = paths::path_of(uri);
        self.must_read_links |= project_links::is_part(&path);
        if is_configuration(&path) {
            self.reload_settings(self.settings.client.clone());
            return;
        }
        if !self.documents.contains_key(&path) {
            return;
        }
        if self.read_includes_of(std::slice::from_ref(&path)) {
            self.retire_roots();
            self.outdate_all();
        }
        self.compile(self.root_of(&path));
    }

    /// Runs the configured compiler, if there is one.
    fn compile(&mut self, root: Arc<str>) {
        if self.settings.client.compiler.command.is_empty() || library_files::is_library(&root) {
            return;
        }
        self.next_job += 1;
        let (run, is_stale) = (self.next_job, Arc::new(AtomicBool::new(false)));
        if let Some((_, before)) = self.compilers.insert(root.clone(), (run, Arc::clone(&is_stale))) {
            before.store(true, Ordering::Relaxed);
        }
        let snapshot = Snapshot { analysis: self.analysis.fresh(), ..self.snapshot(None) };
        let events = self.events.clone();
        self.lanes.run(Lane::External, move || {
            if let Some(compiled) = compiler::run(&snapshot, &root, run, &is_stale) {
                let _ = events.send(Event::Compiled(Box::new(compiled)));
            }
        });
    }

    fn compiled(&mut self, compiled: Compiled) {
        if self.compilers.get(&compiled.root).is_none_or(|(run, _)| *run != compiled.run) {
            return;
        }
        if let Some(failure) = &compiled.failure {
            self.tell(failure);
        }
        let mut paths: FxHashSet<Arc<str>> = self.compiled.remove(&compiled.root).into_iter().flatten().collect();
        for path in &paths {
            self.caches.compiled.remove(path);
        }
        self.compiled.insert(compiled.root, compiled.found.keys().cloned().collect());
        for (path, found) in compiled.found {
            self.caches.compiled.insert(path.clone(), found);
            paths.insert(path);
        }
        for path in paths {
            self.publish_to(&path, None);
        }
    }

    /// Ends compilers and drops findings of theirs that an edit of a file makes pointless.
    fn forget_compiled(&mut self, path: &Arc<str>) {
        if self.compilers.is_empty() {
            return;
        }
        let root = self.root_of(path);
        if let Some((_, is_stale)) = self.compilers.remove(&root) {
            is_stale.store(true, Ordering::Relaxed);
        }
        for of_root in self.compiled.remove(&root).into_iter().flatten() {
            self.caches.compiled.remove(&of_root);
            // What is open is published anew in a moment.
            if !self.documents.contains_key(&of_root) {
                self.publish_to(&of_root, None);
            }
        }
    }

    /// Reads the `#include` lines of open documents; whether any of them changed.
    fn read_includes_of(&mut self, paths: &[Arc<str>]) -> bool {
        let mut changed = false;
        let includes = Arc::make_mut(&mut self.includes);
        for path in paths.iter().filter(|path| !library_files::is_library(path)) {
            if let Some(document) = self.documents.get(path).filter(|document| document.is_analysed()) {
                // To find out settings may take long, as build files are read for it; whoever analyses the file does.
                let settings = |path: &Arc<str>| self.settings.known(path);
                changed |= includes.update(path, document.text.to_str().as_bytes(), &settings);
            }
        }
        changed
    }

    fn closed(&mut self, uri: &Url) {
        let path = paths::path_of(uri);
        if Arc::make_mut(&mut self.documents).remove(&path).is_none() {
            return;
        }
        self.unseen.remove(&path);
        let Self { watchdog, analysis, .. } = self;
        watchdog.during(|| analysis.refresh(&path));
        self.outdate(&path);
        self.caches.symbols_on_disk.remove(&path);
        self.told_status.remove(&path);
        Arc::make_mut(&mut self.changes).note(&path);
        self.forget_compiled(&path);
        let is_in_workspace = self.folders.iter().any(|folder| {
            path.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/') || folder.ends_with('/'))
        });
        if !is_in_workspace || !std::path::Path::new(&*path).is_file() {
            Arc::make_mut(&mut self.includes).remove(&path);
        }
        self.closed += 1;
        if self.closed > CLOSED_DOCUMENTS_KEPT {
            self.start_anew();
        }
        self.retire_roots();
        self.shown.remove(&path);
        self.publish_to(&path, Some(uri));
    }

    /// Replaces the analyser by an empty one over the same files and texts. Readers of the old one end on their own, and
    /// what they find is as good.
    fn start_anew(&mut self) {
        self.closed = 0;
        self.analysis = self.analysis.fresh();
        for (path, document) in self.documents.iter() {
            self.analysis.open(path, document.text.to_bytes());
        }
        self.unseen.clear();
    }

    /// Takes back what roots said that no open document has any more: because it was closed, or because it is looked at
    /// through another unit now.
    fn retire_roots(&mut self) {
        let roots: FxHashSet<Arc<str>> = self.open_roots().collect();
        self.jobs.retain(|root, _| roots.contains(root));
        self.files_of.retain(|root, _| roots.contains(root));
        self.waits_for_complete.retain(|root| roots.contains(root));
        self.outdated.retain(|root| roots.contains(root));
        let mut changed: Vec<Arc<str>> = Vec::new();
        for (path, by_root) in &mut self.shown {
            let before = by_root.len();
            by_root.retain(|root, _| roots.contains(root) || &**root == project_links::ROOT);
            if by_root.len() != before {
                changed.push(path.clone());
            }
        }
        for path in changed {
            // Of an open document the new root will speak in a moment.
            if !self.documents.contains_key(&path) {
                self.publish_to(&path, None);
            }
        }
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

    fn files_changed(&mut self, params: &DidChangeWatchedFilesParams) {
        let paths: Vec<Arc<str>> = params.changes.iter().map(|change| paths::path_of(&change.uri)).collect();
        self.must_read_links |= paths.iter().any(|path| project_links::is_part(path));
        if paths.iter().any(|path| is_configuration(path)) {
            self.reload_settings(self.settings.client.clone());
        }
        if params.changes.iter().any(|change| change.typ != FileChangeType::CHANGED) {
            self.must_read_includes = true;
        }
        self.changed_on_disk(&paths);
    }

    fn changed_on_disk(&mut self, paths: &[Arc<str>]) {
        for path in paths.iter().filter(|path| !is_configuration(path)) {
            // What is open in an editor is as the editor says.
            if !self.documents.contains_key(path) {
                let Self { watchdog, analysis, .. } = self;
                watchdog.during(|| analysis.refresh(path));
                self.caches.symbols_on_disk.remove(path);
                Arc::make_mut(&mut self.changes).note(path);
                // A unit may have looked for this file and not found it, so it need not be among those it has.
                self.outdate_all();
            }
        }
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

    fn diagnose(&mut self, root: Arc<str>) {
        let job = self.next_job;
        self.next_job += 1;
        self.jobs.insert(root.clone(), job);
        let snapshot = self.snapshot(None);
        let (events, outgoing) = (self.events.clone(), self.outgoing.clone());
        let speaks_early = !self.waits_for_complete.contains(&root);
        self.lanes.run(Lane::Diagnostics, move || {
            let early = |diagnosed| _ = events.send(Event::Diagnosed(Box::new(diagnosed)));
            let early: Option<&dyn Fn(Diagnosed)> = if speaks_early { Some(&early) } else { None };
            let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| {
                Analysis::cancellable(|| diagnostics::diagnose(&snapshot, &root, job, early))
            }));
            drop(snapshot);
            match outcome {
                Ok(Some(diagnosed)) => _ = events.send(Event::Diagnosed(Box::new(diagnosed))),
                Ok(None) => _ = events.send(Event::DiagnosticsCancelled(root, job)),
                Err(panic) => report_panic(&outgoing, &root, &*panic),
            }
        });
    }

    fn diagnosed(&mut self, diagnosed: Diagnosed) {
        let Diagnosed { root, job, stage, files, generations, mut found } = diagnosed;
        let is_stale = |(path, generation): (&Arc<str>, &u64)| {
            self.documents.get(path).is_none_or(|document| document.generation != *generation)
        };
        if self.jobs.get(&root) != Some(&job) {
            return;
        }
        if generations.iter().any(is_stale) {
            // An edit came in between. It need not have found out that this unit has the edited file, which may be known
            // only from this result, so the unit is judged again.
            self.outdated.insert(root);
            return;
        }
        if let Stage::Complete { repeats_early } = stage {
            let spoke_early = !self.waits_for_complete.contains(&root);
            if repeats_early {
                self.waits_for_complete.remove(&root);
                if spoke_early {
                    return;
                }
            } else {
                self.waits_for_complete.insert(root.clone());
            }
        }
        let is_root_open = self.documents.contains_key(&root);
        let mut paths: FxHashSet<Arc<str>> = found.keys().cloned().collect();
        paths.extend(files.iter().cloned());
        paths
            .extend(self.shown.iter().filter(|(_, by_root)| by_root.contains_key(&root)).map(|(path, _)| path.clone()));
        self.files_of.insert(root.clone(), files);
        for path in paths {
            let is_open = self.documents.contains_key(&path);
            if !is_open && !is_root_open {
                continue;
            }
            let findings = found.remove(&path).unwrap_or_default();
            let by_root = self.shown.entry(path.clone()).or_default();
            let before = by_root.get(&root).is_some_and(|before| !before.is_empty());
            if is_open || before || !findings.is_empty() {
                by_root.insert(root.clone(), findings);
                self.publish_to(&path, None);
            } else {
                by_root.remove(&root);
            }
        }
    }

    /// Shows what all roots say about a file.
    fn publish_to(&mut self, path: &Arc<str>, uri: Option<&Url>) {
        let mut diagnostics: Vec<lsp_types::Diagnostic> = Vec::new();
        if let Some(by_root) = self.shown.get(path) {
            for diagnostic in by_root.values().flatten() {
                if by_root.len() == 1 || !diagnostics.contains(diagnostic) {
                    diagnostics.push(diagnostic.clone());
                }
            }
            if by_root.is_empty() {
                self.shown.remove(path);
            }
        }
        if let Some(found) = self.caches.compiled.get(path) {
            let theirs = found.iter().map(|found| &found.diagnostic);
            let new = theirs.filter(|theirs| !diagnostics.iter().any(|ours| compiler::is_said(ours, theirs)));
            let new: Vec<lsp_types::Diagnostic> = new.cloned().collect();
            diagnostics.extend(new);
        }
        diagnostics.sort_by_key(|diagnostic| (diagnostic.range.start, diagnostic.range.end));
        let document = self.documents.get(path);
        let uri =
            document.map(|document| document.uri.clone()).or_else(|| uri.cloned()).or_else(|| paths::uri_of(path));
        if let Some(uri) = uri {
            let version = document.map(|document| document.version);
            self.outgoing.send(Message::Publish(PublishDiagnosticsParams { uri, diagnostics, version }));
        }
    }

    fn read_includes(&mut self) {
        self.must_read_includes = false;
        if self.folders.is_empty() {
            return;
        }
        self.is_reading_includes = true;
        if self.client.progress {
            let title = "Reading the workspace".to_owned();
            self.outgoing.send(Message::BeginProgress { token: INDEXING.to_owned(), title });
        }
        let (events, folders, settings) = (self.events.clone(), self.folders.clone(), self.settings.clone());
        let progress = Progress::new(self.outgoing.clone(), "includes");
        self.lanes.run(Lane::Batch, move || {
            let graph = std::panic::catch_unwind(AssertUnwindSafe(|| {
                IncludeGraph::read(&folders, &settings, |number, count| progress.report(number, count))
            }));
            let _ = events.send(Event::IncludesFound(graph.ok().map(Box::new)));
        });
    }

    /// Reads the declarations of the workspace's files before anybody asks for them.
    fn read_symbols(&mut self) {
        let (events, outgoing) = (self.events.clone(), self.outgoing.clone());
        let (includes, caches) = (self.includes.clone(), self.caches.clone());
        let quiet = self.lanes.quiet();
        self.lanes.run(Lane::Batch, move || {
            let _ = std::panic::catch_unwind(AssertUnwindSafe(|| {
                let files: Vec<Arc<str>> = includes.files().collect();
                let progress = Progress::new(outgoing, "declarations");
                for (number, path) in files.iter().enumerate() {
                    progress.report(number, files.len());
                    quiet.wait();
                    handlers::symbols::symbols_on_disk(&caches, path);
                }
            }));
            let _ = events.send(Event::SymbolsRead);
        });
    }

    /// Tells the client under which version and through which unit its documents are looked at, if it wants to know.
    fn tell_status(&mut self) {
        if !self.client.wants_status {
            return;
        }
        let mut found = Vec::new();
        for (path, document) in self.documents.iter().filter(|(path, _)| !library_files::is_library(path)) {
            let root = self.root_of(path);
            // Whoever analyses the document finds out; then there is something to tell.
            let Some(settings) = self.settings.known(&root) else { continue };
            let Some(std) = settings.std.first() else { continue };
            let status = Status {
                uri: document.uri.clone(),
                std: std.version.to_string(),
                std_source: std.source.to_string(),
                is_stated: std.stated,
                header_context: if root == *path { None } else { self.uri_of(&root) },
            };
            if self.told_status.get(path) != Some(&status) {
                found.push((path.clone(), status));
            }
        }
        for (path, status) in found {
            self.told_status.insert(path, status.clone());
            self.outgoing.send(Message::Status(status));
        }
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

    /// Asks the client to ask again for what it keeps of its documents.
    fn refresh_views(&self) {
        if self.client.refreshes_semantic_tokens {
            self.outgoing.send(Message::RefreshSemanticTokens);
        }
        if self.client.refreshes_inlay_hints {
            self.outgoing.send(Message::RefreshInlayHints);
        }
    }

    /// Reads builds, host code and binaries anew.
    fn read_links(&mut self) {
        self.must_read_links = false;
        if self.folders.is_empty() {
            return;
        }
        self.is_reading_links = true;
        // Over an analysis of its own: edits do not wait for it.
        let analysis = self.analysis.fresh();
        let (folders, settings, documents) = (self.folders.clone(), self.settings.clone(), self.documents.clone());
        let (events, outgoing) = (self.events.clone(), self.outgoing.clone());
        let quiet = self.lanes.quiet();
        self.lanes.run(Lane::Batch, move || {
            let read = AssertUnwindSafe(|| project_links::read(&folders, &settings, &documents, &analysis, &quiet));
            let links = std::panic::catch_unwind(read).unwrap_or_else(|panic| {
                report_panic(&outgoing, "reading the project", &*panic);
                ProjectLinks::default()
            });
            let _ = events.send(Event::ProjectRead(Box::new(links)));
        });
    }

    /// Shows what a reading found, on whatever files it is about.
    fn project_read(&mut self, links: ProjectLinks) {
        self.is_reading_links = false;
        self.links = Arc::new(links);
        let snapshot = self.snapshot(None);
        let mut found = self.links.by_file(&snapshot);
        drop(snapshot);
        let root: Arc<str> = project_links::ROOT.into();
        let mut paths: FxHashSet<Arc<str>> = found.keys().cloned().collect();
        paths
            .extend(self.shown.iter().filter(|(_, by_root)| by_root.contains_key(&root)).map(|(path, _)| path.clone()));
        for path in paths {
            let by_root = self.shown.entry(path.clone()).or_default();
            match found.remove(&path) {
                Some(findings) => _ = by_root.insert(root.clone(), findings),
                None => _ = by_root.remove(&root),
            }
            self.publish_to(&path, None);
        }
    }

    /// Marks the diagnostics of all units that a document belongs to.
    fn outdate(&mut self, path: &Arc<str>) {
        let roots: Vec<Arc<str>> = self
            .open_roots()
            .filter(|root| root == path || self.files_of.get(root).is_none_or(|files| files.contains(path)))
            .collect();
        let others = roots.iter().any(|root| root != path);
        self.outdated.extend(roots);
        if others && self.client.refreshes_diagnostics {
            self.outgoing.send(Message::RefreshDiagnostics);
        }
    }

    fn outdate_all(&mut self) {
        let roots: Vec<Arc<str>> = self.open_roots().collect();
        self.outdated.extend(roots);
        if self.client.refreshes_diagnostics && !self.documents.is_empty() {
            self.outgoing.send(Message::RefreshDiagnostics);
        }
    }

    /// The roots of all open documents that are analysed.
    fn open_roots(&self) -> impl Iterator<Item = Arc<str>> {
        self.documents
            .iter()
            .filter(|(path, document)| {
                document.is_analysed() && !library_files::is_library(path) && !project_links::is_foreign(path)
            })
            .map(|(path, _)| self.root_of(path))
    }

    fn root_of(&self, path: &Arc<str>) -> Arc<str> {
        self.includes.root_of(path, &self.documents)
    }

    fn generation(&mut self) -> u64 {
        self.next_generation += 1;
        self.next_generation - 1
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

/// Tells the client how far the reading of the workspace is, now and then.
struct Progress {
    outgoing: Outgoing,
    what: &'static str,
    last: Cell<Instant>,
}

impl Progress {
    fn new(outgoing: Outgoing, what: &'static str) -> Progress {
        Progress { outgoing, what, last: Cell::new(Instant::now()) }
    }

    fn report(&self, number: usize, count: usize) {
        if self.last.get().elapsed() < PROGRESS_PERIOD {
            return;
        }
        self.last.set(Instant::now());
        self.outgoing.send(Message::ReportProgress {
            token: INDEXING.to_owned(),
            message: format!("{}: {number} of {count} files", self.what),
            percentage: (number * 100 / count.max(1)) as u32,
        });
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
