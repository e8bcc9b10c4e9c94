//! Findings of units, and which of them are shown where.
//!
//! A *root* is the file at the root of a unit. Each open document has one ([`Snapshot::root_of`]). A unit is judged as a
//! whole; what it says about each of its files is kept by root, and a file shows what all roots say about it.

use std::sync::Arc;

use msl_diagnostics::{Code, Diagnostic, Severity, Suppressions, sort_and_merge};
use msl_ide::UnitReport;
use rustc_hash::FxHashMap;
use tower_lsp::lsp_types;

use super::{paths, snapshot::Snapshot, to_proto};

/// What the analysis of one unit found.
pub(crate) struct Diagnosed {
    pub(crate) root: Arc<str>,
    /// The number of the job.
    pub(crate) job: u64,
    /// The unit's files, the root first.
    pub(crate) files: Vec<Arc<str>>,
    /// The generations of those that were open.
    pub(crate) generations: FxHashMap<Arc<str>, u64>,
    /// Findings by file; a file of the unit without an entry has none.
    pub(crate) found: FxHashMap<Arc<str>, Vec<lsp_types::Diagnostic>>,
}

/// Judges a unit for an editor.
pub(crate) fn diagnose(snapshot: &Snapshot, root: &Arc<str>, job: u64) -> Diagnosed {
    let report = report(snapshot, root);
    let generations =
        report.files.iter().filter_map(|path| Some((path.clone(), snapshot.documents.get(path)?.generation))).collect();
    let mut found: FxHashMap<Arc<str>, Vec<lsp_types::Diagnostic>> = FxHashMap::default();
    for diagnostic in &report.diagnostics {
        found.entry(diagnostic.place.path.clone()).or_default().push(to_proto::diagnostic(snapshot, diagnostic));
    }
    Diagnosed { root: root.clone(), job, files: report.files, generations, found }
}

/// The findings of a unit as the user wants them: silenced by comments, with the severities of the settings.
pub(crate) fn report(snapshot: &Snapshot, root: &Arc<str>) -> UnitReport {
    let settings = snapshot.settings.of(root);
    let mut requests = settings.requests(root).into_iter();
    let Some(first) = requests.next() else { unreachable!("a file has at least one version") };
    let mut report = snapshot.analysis.check(&first);
    for request in requests {
        let other = snapshot.analysis.check(&request);
        report.diagnostics.extend(other.diagnostics);
    }
    sort_and_merge(&mut report.diagnostics);
    judge_alone(snapshot, &mut report);
    silence(snapshot, &mut report);
    report.diagnostics.retain_mut(|diagnostic| {
        let levels = &snapshot.settings.of(&diagnostic.place.path).levels;
        match levels.severity(diagnostic.code, diagnostic.severity) {
            Some(severity) => {
                diagnostic.severity = severity;
                true
            }
            None => false,
        }
    });
    report
}

/// What is included elsewhere may rely on what its includers declare.
fn judge_alone(snapshot: &Snapshot, report: &mut UnitReport) {
    let has_errors = report.diagnostics.iter().any(|finding| finding.severity == Severity::Error);
    if !has_errors {
        return;
    }
    if paths::is_header(&report.path) {
        report.incomplete.push("no unit includes this header, and it cannot be judged alone".to_owned());
        for finding in report.diagnostics.iter_mut().filter(|finding| finding.code == Code::UndeclaredIdentifier) {
            finding.severity = Severity::Hint;
            finding.message.push_str("; no unit includes this header, so it was checked alone");
        }
    } else if snapshot.includes.is_included(&report.path) {
        report.incomplete.push("other units include this file, and it cannot be judged alone".to_owned());
        report.diagnostics.clear();
    }
}

fn silence(snapshot: &Snapshot, report: &mut UnitReport) {
    let mut comments: FxHashMap<Arc<str>, Suppressions> = FxHashMap::default();
    let scan = |path: &Arc<str>| Suppressions::scan(&snapshot.analysis.text(path).unwrap_or_default());
    comments.insert(report.path.clone(), scan(&report.path));
    report.diagnostics.retain(|diagnostic| {
        let of_file = comments.entry(diagnostic.place.path.clone()).or_insert_with_key(scan);
        !of_file.silences(diagnostic.code, diagnostic.place.range.start)
    });
    if report.is_complete() {
        let levels = &snapshot.settings.of(&report.path).levels;
        let unused: Vec<Diagnostic> = comments[&report.path].unused(&report.path, |code| levels.is_on(code));
        report.diagnostics.extend(unused);
    }
}
