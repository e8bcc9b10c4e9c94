//! Diagnostics that the client asks for: those of a document, and those of all units of the workspace.
//!
//! A unit that is not open is analysed by an analyser of its own, which is freed with its results, so that the memory that
//! a workspace takes does not grow with its size. What was found is kept until something on disk changes.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use rustc_hash::FxHashMap;
use tower_lsp::{
    jsonrpc::Result,
    lsp_types::{
        self, DocumentDiagnosticParams, DocumentDiagnosticReport, DocumentDiagnosticReportResult,
        FullDocumentDiagnosticReport, RelatedFullDocumentDiagnosticReport, UnchangedDocumentDiagnosticReport, Url,
        WorkspaceDiagnosticParams, WorkspaceDiagnosticReport, WorkspaceDiagnosticReportResult,
        WorkspaceFullDocumentDiagnosticReport, WorkspaceUnchangedDocumentDiagnosticReport,
    },
};

use crate::lsp::{STACK_SIZE, diagnostics, paths, snapshot::Snapshot};

/// Threads that analyse units that are not open. The others are for who waits at the keyboard.
const MAX_THREADS: usize = 4;

/// What is wrong with a unit that is not open.
pub(crate) struct ClosedUnit {
    /// When it was judged.
    time: u64,
    files: Vec<Arc<str>>,
    /// By file; the root is always there.
    found: FxHashMap<Arc<str>, Vec<lsp_types::Diagnostic>>,
}

pub(crate) fn document_diagnostic(
    snapshot: &Snapshot,
    params: DocumentDiagnosticParams,
) -> Result<DocumentDiagnosticReportResult> {
    let items = match snapshot.whole(&params.text_document.uri)? {
        Some(at) => diagnostics::diagnose(snapshot, &at.unit.path, 0, None).found.remove(&at.path).unwrap_or_default(),
        None => Vec::new(),
    };
    let full = FullDocumentDiagnosticReport { result_id: None, items };
    let report = RelatedFullDocumentDiagnosticReport { related_documents: None, full_document_diagnostic_report: full };
    Ok(DocumentDiagnosticReportResult::Report(DocumentDiagnosticReport::Full(report)))
}

pub(crate) fn workspace_diagnostic(
    snapshot: &Snapshot,
    params: WorkspaceDiagnosticParams,
) -> Result<WorkspaceDiagnosticReportResult> {
    analyse_closed_units(snapshot);
    // A header shows what all units say about it that are not open.
    let mut by_file: FxHashMap<Arc<str>, Vec<lsp_types::Diagnostic>> = FxHashMap::default();
    for root in closed_units(snapshot) {
        let Some(unit) = snapshot.caches.closed_units.get(&root).map(|unit| unit.clone()) else { continue };
        for (path, findings) in unit.found.iter().filter(|(path, _)| !snapshot.documents.contains_key(*path)) {
            let known = by_file.entry(path.clone()).or_default();
            for finding in findings {
                if !known.contains(finding) {
                    known.push(finding.clone());
                }
            }
        }
    }
    let before: FxHashMap<&Url, &str> =
        params.previous_result_ids.iter().map(|known| (&known.uri, known.value.as_str())).collect();
    let mut paths: Vec<Arc<str>> = by_file.keys().cloned().collect();
    paths.sort();
    let mut items = Vec::new();
    for path in paths {
        let Some(uri) = paths::uri_of(&path) else { continue };
        let mut findings = by_file.remove(&path).unwrap_or_default();
        findings.sort_by_key(|finding| (finding.range.start, finding.range.end));
        let result_id = name_of(&findings);
        items.push(if before.get(&uri) == Some(&result_id.as_str()) {
            let unchanged = UnchangedDocumentDiagnosticReport { result_id };
            WorkspaceUnchangedDocumentDiagnosticReport {
                uri,
                version: None,
                unchanged_document_diagnostic_report: unchanged,
            }
            .into()
        } else {
            let full = FullDocumentDiagnosticReport { result_id: Some(result_id), items: findings };
            WorkspaceFullDocumentDiagnosticReport { uri, version: None, full_document_diagnostic_report: full }.into()
        });
    }
    Ok(WorkspaceDiagnosticReportResult::Report(WorkspaceDiagnosticReport { items }))
}

fn closed_units(snapshot: &Snapshot) -> impl Iterator<Item = Arc<str>> {
    snapshot.includes.units.iter().filter(|path| !snapshot.documents.contains_key(*path)).cloned()
}

/// Brings what is known of units that are not open up to date, as far as the client waits for it.
fn analyse_closed_units(snapshot: &Snapshot) {
    let is_outdated = |root: &Arc<str>| {
        let known = snapshot.caches.closed_units.get(root);
        known.is_none_or(|unit| snapshot.changes.since(unit.time, &unit.files))
    };
    let outdated: Vec<Arc<str>> = closed_units(snapshot).filter(is_outdated).collect();
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = (cores / 2).clamp(1, MAX_THREADS).min(outdated.len());
    let next = AtomicUsize::new(0);
    let snapshots: Vec<Snapshot> = (0..threads).map(|_| snapshot.apart()).collect();
    let panicked = Mutex::new(None);
    std::thread::scope(|scope| {
        for mut own in snapshots {
            let (outdated, next, panicked) = (&outdated, &next, &panicked);
            let worker = std::thread::Builder::new().name("closed units".to_owned()).stack_size(STACK_SIZE);
            let _ = worker.spawn_scoped(scope, move || {
                while let Some(root) = outdated.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if own.is_cancelled() {
                        return;
                    }
                    own = own.apart();
                    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| analyse(&own, root)));
                    if let Err(panic) = outcome {
                        // One unit that cannot be analysed is a bug, but not one that hides the others.
                        *panicked.lock().unwrap_or_else(PoisonError::into_inner) = Some(panic);
                    }
                }
            });
        }
    });
    if let Some(panic) = panicked.into_inner().unwrap_or_else(PoisonError::into_inner) {
        std::panic::resume_unwind(panic);
    }
}

fn analyse(snapshot: &Snapshot, root: &Arc<str>) {
    let diagnostics::Diagnosed { files, mut found, .. } = diagnostics::diagnose(snapshot, root, 0, None);
    found.entry(root.clone()).or_default();
    let unit = ClosedUnit { time: snapshot.changes.now(), files, found };
    snapshot.caches.closed_units.insert(root.clone(), Arc::new(unit));
}

/// A name for findings: the same for the same ones.
fn name_of(findings: &[lsp_types::Diagnostic]) -> String {
    use std::hash::{Hash, Hasher};
    let mut hasher = rustc_hash::FxHasher::default();
    serde_json::to_string(findings).unwrap_or_default().hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}
