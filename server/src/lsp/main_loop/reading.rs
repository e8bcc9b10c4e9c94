//! What is read ahead of time: the include graph, symbols, and the project around the shaders.

use super::*;

impl MainLoop {
    pub(super) fn read_includes(&mut self) {
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
    pub(super) fn read_symbols(&mut self) {
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

    /// Reads builds, host code and binaries anew.
    pub(super) fn read_links(&mut self) {
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
    pub(super) fn project_read(&mut self, links: ProjectLinks) {
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
