//! Diagnostics: started, published and taken back, with those of a configured compiler.

use super::*;

impl MainLoop {
    /// Runs the configured compiler, if there is one.
    pub(super) fn compile(&mut self, root: Arc<str>) {
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

    pub(super) fn compiled(&mut self, compiled: Compiled) {
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
    pub(super) fn forget_compiled(&mut self, path: &Arc<str>) {
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

    pub(super) fn diagnose(&mut self, root: Arc<str>) {
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

    pub(super) fn diagnosed(&mut self, diagnosed: Diagnosed) {
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
    pub(super) fn publish_to(&mut self, path: &Arc<str>, uri: Option<&Url>) {
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

    /// Tells the client under which version and through which unit its documents are looked at, if it wants to know.
    pub(super) fn tell_status(&mut self) {
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

    /// Asks the client to ask again for what it keeps of its documents.
    pub(super) fn refresh_views(&self) {
        if self.client.refreshes_semantic_tokens {
            self.outgoing.send(Message::RefreshSemanticTokens);
        }
        if self.client.refreshes_inlay_hints {
            self.outgoing.send(Message::RefreshInlayHints);
        }
    }
}
