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
    pub(crate) stage: Stage,
    /// The unit's files, the root first.
    pub(crate) files: Vec<Arc<str>>,
    /// The generations of those that were open.
    pub(crate) generations: FxHashMap<Arc<str>, u64>,
    /// Findings by file; a file of the unit without an entry has none.
    pub(crate) found: FxHashMap<Arc<str>, Vec<lsp_types::Diagnostic>>,
}

/// How much of a unit was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Declarations and bodies. Instances of templates and the program as a whole may add to it.
    Early,
    /// Everything. `repeats_early`: it is what was said early.
    Complete { repeats_early: bool },
}

/// Judges a unit for an editor. What is known early is given to `early` if it is there.
pub(crate) fn diagnose(snapshot: &Snapshot, root: &Arc<str>, job: u64, early: Option<&dyn Fn(Diagnosed)>) -> Diagnosed {
    let mut found_early = None;
    let complete = report_in_stages(snapshot, root, |report| {
        let diagnosed = diagnosed(snapshot, job, Stage::Early, report);
        found_early = Some(diagnosed.found.clone());
        if let Some(early) = early {
            early(diagnosed);
        }
    });
    let mut complete = diagnosed(snapshot, job, Stage::Complete { repeats_early: false }, complete);
    let repeats_early = found_early.is_some_and(|found| found == complete.found);
    complete.stage = Stage::Complete { repeats_early };
    complete
}

fn diagnosed(snapshot: &Snapshot, job: u64, stage: Stage, report: UnitReport) -> Diagnosed {
    let generations =
        report.files.iter().filter_map(|path| Some((path.clone(), snapshot.documents.get(path)?.generation))).collect();
    let mut found: FxHashMap<Arc<str>, Vec<lsp_types::Diagnostic>> = FxHashMap::default();
    for diagnostic in &report.diagnostics {
        found.entry(diagnostic.place.path.clone()).or_default().push(to_proto::diagnostic(snapshot, diagnostic));
    }
    Diagnosed { root: report.path, job, stage, files: report.files, generations, found }
}

/// The findings of a unit as the user wants them: silenced by comments, with the severities of the settings.
pub(crate) fn report(snapshot: &Snapshot, root: &Arc<str>) -> UnitReport {
    report_in_stages(snapshot, root, |_| ())
}

/// The same; what is known early is given to `early` first, if there is such a thing.
fn report_in_stages(snapshot: &Snapshot, root: &Arc<str>, early: impl FnOnce(UnitReport)) -> UnitReport {
    let settings = snapshot.settings.of(root);
    let mut requests = settings.requests(root).into_iter();
    let Some(first) = requests.next() else { unreachable!("a file has at least one version") };
    // Errors in a file that is included elsewhere decide about what else is said of it.
    let has_early = requests.len() == 0 && !paths::is_header(root) && !snapshot.includes.is_included(root);
    let mut report = snapshot.analysis.check_in_stages(&first, |mut report| {
        if has_early {
            // Whether a comment silences nothing is not known yet.
            silence(snapshot, &mut report);
            apply_levels(snapshot, &mut report);
            early(report);
        }
    });
    for request in requests {
        let other = snapshot.analysis.check_in_stages(&request, |_| ());
        report.diagnostics.extend(other.diagnostics);
    }
    sort_and_merge(&mut report.diagnostics);
    judge_alone(snapshot, &mut report);
    let comments = silence(snapshot, &mut report);
    if report.is_complete() {
        let levels = &snapshot.settings.of(&report.path).levels;
        let unused: Vec<Diagnostic> = comments.unused(&report.path, |code| levels.is_on(code));
        report.diagnostics.extend(unused);
    }
    apply_levels(snapshot, &mut report);
    report
}

fn apply_levels(snapshot: &Snapshot, report: &mut UnitReport) {
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

/// Takes out what comments silence. Returns the comments of the root.
fn silence(snapshot: &Snapshot, report: &mut UnitReport) -> Suppressions {
    let mut comments: FxHashMap<Arc<str>, Suppressions> = FxHashMap::default();
    let scan = |path: &Arc<str>| Suppressions::scan(&snapshot.analysis.text(path).unwrap_or_default());
    comments.insert(report.path.clone(), scan(&report.path));
    report.diagnostics.retain(|diagnostic| {
        let of_file = comments.entry(diagnostic.place.path.clone()).or_insert_with_key(scan);
        !of_file.silences(diagnostic.code, diagnostic.place.range.start)
    });
    comments.remove(&report.path).unwrap_or_default()
}
