//! What the client says of documents and files, and what is out of date because of it.

use super::*;

impl MainLoop {
    pub(super) fn opened(&mut self, params: DidOpenTextDocumentParams) {
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

    pub(super) fn changed(&mut self, params: &DidChangeTextDocumentParams) {
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

    pub(super) fn saved(&mut self, uri: &Url) {
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

    /// Reads the `#include` lines of open documents; whether any of them changed.
    pub(super) fn read_includes_of(&mut self, paths: &[Arc<str>]) -> bool {
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

    pub(super) fn closed(&mut self, uri: &Url) {
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
    pub(super) fn start_anew(&mut self) {
        self.closed = 0;
        self.analysis = self.analysis.fresh();
        for (path, document) in self.documents.iter() {
            self.analysis.open(path, document.text.to_bytes());
        }
        self.unseen.clear();
    }

    /// Takes back what roots said that no open document has any more: because it was closed, or because it is looked at
    /// through another unit now.
    pub(super) fn retire_roots(&mut self) {
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

    pub(super) fn files_changed(&mut self, params: &DidChangeWatchedFilesParams) {
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

    pub(super) fn changed_on_disk(&mut self, paths: &[Arc<str>]) {
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

    /// Marks the diagnostics of all units that a document belongs to.
    pub(super) fn outdate(&mut self, path: &Arc<str>) {
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

    pub(super) fn outdate_all(&mut self) {
        let roots: Vec<Arc<str>> = self.open_roots().collect();
        self.outdated.extend(roots);
        if self.client.refreshes_diagnostics && !self.documents.is_empty() {
            self.outgoing.send(Message::RefreshDiagnostics);
        }
    }

    /// The roots of all open documents that are analysed.
    pub(super) fn open_roots(&self) -> impl Iterator<Item = Arc<str>> {
        self.documents
            .iter()
            .filter(|(path, document)| {
                document.is_analysed() && !library_files::is_library(path) && !project_links::is_foreign(path)
            })
            .map(|(path, _)| self.root_of(path))
    }

    pub(super) fn root_of(&self, path: &Arc<str>) -> Arc<str> {
        self.includes.root_of(path, &self.documents)
    }

    pub(super) fn generation(&mut self) -> u64 {
        self.next_generation += 1;
        self.next_generation - 1
    }
}
