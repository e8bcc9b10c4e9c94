//! `check`: analyse files and folders and print what was found.
//!
//! Each translation unit is analysed on its own, with its own database over files that are read once, so that memory
//! is given back when a unit is done. What comes out of all units is then merged, silenced, levelled and printed.

use std::{
    cell::RefCell,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::Instant,
};

use msl_diagnostics::{Baseline, Code, Diagnostic, Levels, Place, Severity, Suppressions, TextRange, sort_and_merge};
use msl_ide::{
    Analysis, FlowReport, FunctionCounts, UnitReport, UnitRequest, UnitStats,
    file_system::{self, DiskFiles, FileSystem},
};
use msl_preproc::LanguageVersion;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    STACK_SIZE, Status,
    arguments::{CheckArguments, Format},
    complain, fix, link_graph,
    output::{self, FileEntry, Finding, Output, Stats},
    progress::Progress,
    sources::Sources,
    walk::{self, InputFile, Inputs, Role},
};
use crate::workspace::{ConfigError, Workspace, display};

/// How often `--fix` analyses again: one repair can make another possible.
const FIX_ROUNDS: usize = 8;

pub(crate) fn run(arguments: &CheckArguments) -> Status {
    let started = Instant::now();
    let inputs = walk::collect(&arguments.paths);
    for line in inputs.unreadable.iter().chain(&inputs.skipped) {
        complain(line);
    }
    let mut status = if inputs.unreadable.is_empty() { Status::Clean } else { Status::Usage };

    let baseline = match &arguments.baseline {
        Some(path) if !arguments.write_baseline => match output::read_baseline(path) {
            Ok(baseline) => Some(baseline),
            Err(message) => {
                complain(format!("{}: {message}", path.display()));
                return Status::Usage;
            }
        },
        _ => None,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.common.jobs).stack_size(STACK_SIZE).build();
    let pool = match pool {
        Ok(pool) => pool,
        Err(error) => {
            complain(format!("cannot start threads: {error}"));
            return Status::Usage;
        }
    };
    keep_panics_quiet();

    if let Some(format) = arguments.report.first().filter(|format| *format != "html") {
        complain(format!("`{format}` is no format of a report; `html` is"));
        return Status::Usage;
    }
    let mut session =
        Session { arguments, inputs: &inputs, files: Arc::new(DiskFiles::default()), pool, flows: Mutex::default() };
    let mut outcome = match session.analyse() {
        Ok(outcome) => outcome,
        Err(error) => {
            complain(error);
            return Status::Usage;
        }
    };
    if arguments.fix {
        outcome = match session.fix(outcome) {
            Ok(outcome) => outcome,
            Err(message) => {
                complain(message);
                return Status::Usage;
            }
        };
    }

    let mut findings = std::mem::take(&mut outcome.findings);
    if arguments.fix_dry_run && arguments.common.format == Format::Text {
        let fixed = fix::apply(&findings, outcome.versions, &mut outcome.sources);
        fix::print_diff(&fixed, &mut outcome.sources, arguments.common.color);
    }
    if arguments.write_baseline
        && let Some(path) = &arguments.baseline
    {
        let folder = baseline_folder(path);
        let known = Baseline::of(findings.iter().map(|finding| &finding.diagnostic), |path| relative(&folder, path));
        if let Err(error) = output::write_baseline(path, &known) {
            complain(format!("{}: {error}", path.display()));
            return Status::Usage;
        }
        findings.clear();
    }
    if let (Some(mut baseline), Some(path)) = (baseline, &arguments.baseline) {
        let folder = baseline_folder(path);
        findings.retain(|finding| {
            let diagnostic = &finding.diagnostic;
            !baseline.take(&relative(&folder, &diagnostic.place.path), diagnostic.code, &diagnostic.message)
        });
    }

    if findings.iter().any(|finding| finding.diagnostic.severity == Severity::Error) {
        status = status.max(Status::Findings);
    }
    if outcome.panicked {
        status = status.max(Status::Bug);
    }
    let flows = session.take_flows();
    if let [_, path] = &*arguments.report {
        let units: Vec<(String, String, FlowReport)> = flows
            .iter()
            .filter_map(|flow| Some((flow.path.to_string(), flow.std.to_string(), flow.report.clone()?)))
            .collect();
        let explicit = arguments.common.explicit(arguments.levels());
        let (paths, _) = link_graph::paths_of(&arguments.paths);
        let links = Workspace::new(explicit)
            .map_err(|error| error.to_string())
            .and_then(|mut workspace| link_graph::load(&paths, &mut workspace, arguments.common.jobs));
        let links = match links {
            Ok(program) => program.graph(),
            Err(error) => {
                complain(error);
                return Status::Usage;
            }
        };
        let page = output::flow_page(&units, &links, &mut outcome.sources);
        if let Err(error) = std::fs::write(path, page) {
            complain(format!("{path}: {error}"));
            return Status::Usage;
        }
    }
    let mut functions: Vec<FunctionCounts> = flows.into_iter().flat_map(|flow| flow.functions).collect();
    // A helper in a header counts once, as it is in the unit where it costs most.
    functions.sort_by(|a, b| {
        let cost = |of: &FunctionCounts| std::cmp::Reverse((of.accesses.runtime, of.accesses.per_call));
        (&a.place, cost(a)).cmp(&(&b.place, cost(b)))
    });
    functions.dedup_by(|later, kept| later.place == kept.place);
    for function in &functions {
        outcome.stats.accesses.add(&function.accesses);
    }
    outcome.stats.milliseconds = started.elapsed().as_millis() as u64;
    let output = Output {
        findings,
        files: outcome.files,
        stats: outcome.stats,
        incomplete: outcome.incomplete,
        versions: outcome.versions,
        limit: arguments.max_diagnostics,
        show_stats: arguments.stats,
        functions,
    };
    output::print(&output, &mut outcome.sources, &arguments.common);
    status
}

/// What one analysis of all inputs needs.
struct Session<'a> {
    arguments: &'a CheckArguments,
    inputs: &'a Inputs,
    files: Arc<DiskFiles>,
    pool: rayon::ThreadPool,
    /// The address-space flow of the units, as far as it is asked for.
    flows: Mutex<Vec<UnitFlow>>,
}

/// The address-space flow of a unit.
struct UnitFlow {
    path: Arc<str>,
    std: LanguageVersion,
    functions: Vec<FunctionCounts>,
    report: Option<FlowReport>,
}

/// What one analysis of all inputs found.
struct Outcome {
    findings: Vec<Finding>,
    files: Vec<FileEntry>,
    /// Path and reason of what could not be modelled.
    incomplete: Vec<(Arc<str>, String)>,
    stats: Stats,
    /// How many versions every file was judged under, as asked for on the command line.
    versions: usize,
    panicked: bool,
    sources: Sources,
}

impl Session<'_> {
    fn analyse(&self) -> Result<Outcome, ConfigError> {
        let mut workspace = Workspace::new(self.arguments.common.explicit(self.arguments.levels()))?;
        let of_role = |role: Role| self.inputs.files.iter().filter(move |file| file.role == role);
        let requests = requests_of(of_role(Role::Unit), &mut workspace)?;
        let mut reports = self.run_all(&requests);

        // A header is judged through the units that include it; the ones that none includes follow alone.
        let reached: FxHashSet<Arc<str>> =
            reports.iter().flat_map(|(report, _)| report.files.iter().skip(1).cloned()).collect();
        for (report, _) in reports.iter_mut().filter(|(report, panicked)| !panicked && reached.contains(&report.path)) {
            judge_included_unit(report);
        }
        let mut lonely: Vec<InputFile> =
            of_role(Role::Header).filter(|file| !reached.contains(file.path.as_str())).cloned().collect();
        reports.extend(self.through_other_units(&mut lonely, &mut workspace)?);
        let lonely_requests = requests_of(lonely.iter(), &mut workspace)?;
        let mut lonely_reports = self.run_all(&lonely_requests);
        for (report, _) in &mut lonely_reports {
            judge_lonely_header(report);
        }
        reports.extend(lonely_reports);
        self.merge(reports, &mut workspace)
    }

    /// Judges headers through units that were not asked for, and takes those headers off the list. Units are looked for
    /// below the folder of the configuration, else below the current folder; of what they say, only what is in the
    /// headers counts.
    fn through_other_units(
        &self,
        lonely: &mut Vec<InputFile>,
        workspace: &mut Workspace,
    ) -> Result<Vec<(UnitReport, bool)>, ConfigError> {
        let mut reports = Vec::new();
        if lonely.is_empty() {
            return Ok(reports);
        }
        let mut roots: Vec<PathBuf> = Vec::new();
        for header in lonely.iter() {
            let config = workspace.settings(&header.path)?.config;
            let root = config.and_then(|config| config.parent().map(display)).unwrap_or_else(|| ".".to_owned());
            let root = PathBuf::from(if root.is_empty() { "." } else { &root });
            if !roots.contains(&root) {
                roots.push(root);
            }
        }
        // A unit that includes a header, itself or through others, usually names one of the headers; those that do
        // not are not worth an analysis.
        let names: Vec<&[u8]> = lonely.iter().map(|header| file_name(&header.path).as_bytes()).collect();
        let known: FxHashSet<&str> = self.inputs.files.iter().map(|file| file.path.as_str()).collect();
        let candidates: Vec<InputFile> = walk::collect(&roots)
            .files
            .into_iter()
            .filter(|file| file.role == Role::Unit && !known.contains(file.path.as_str()))
            .filter(|file| self.files.read(&file.path).is_ok_and(|text| mentions_any(&text, &names)))
            .collect();
        let requests = requests_of(candidates.iter(), workspace)?;
        for (report, panicked) in self.run_all(&requests) {
            let judged: Vec<Arc<str>> = report
                .files
                .iter()
                .filter(|path| lonely.iter().any(|header| header.path == ***path))
                .cloned()
                .collect();
            for path in judged {
                let in_header = |finding: &&Diagnostic| finding.place.path == path;
                let of_header = UnitReport {
                    path: path.clone(),
                    diagnostics: report.diagnostics.iter().filter(in_header).cloned().collect(),
                    files: vec![path.clone()],
                    stats: UnitStats::default(),
                    ..report.clone()
                };
                reports.push((of_header, panicked));
            }
        }
        lonely.retain(|header| !reports.iter().any(|(report, _)| *report.path == *header.path));
        Ok(reports)
    }

    fn run_all(&self, requests: &[UnitRequest]) -> Vec<(UnitReport, bool)> {
        let progress = Progress::new(requests.len(), !self.arguments.common.quiet);
        let analysis = Analysis::new(self.files.clone());
        self.pool.install(|| {
            requests
                .par_iter()
                .map_with(analysis, |analysis, request| {
                    let outcome = check_one(request, || {
                        let analysis = analysis.fresh();
                        let report = analysis.check(request);
                        self.flow(&analysis, request);
                        report
                    });
                    progress.advance(&request.path);
                    outcome
                })
                .collect()
        })
    }

    /// Keeps what is asked for of a unit's flow.
    fn flow(&self, analysis: &Analysis, request: &UnitRequest) {
        let wants_report = !self.arguments.report.is_empty();
        if !wants_report && !self.arguments.stats {
            return;
        }
        let flow = UnitFlow {
            path: request.path.clone(),
            std: request.std.version,
            functions: if self.arguments.stats { analysis.flow_counts(request) } else { Vec::new() },
            report: wants_report.then(|| analysis.flow_report(request)),
        };
        if let Ok(mut flows) = self.flows.lock() {
            flows.push(flow);
        }
    }

    /// The flow of all units, each once, in order.
    fn take_flows(&self) -> Vec<UnitFlow> {
        let mut flows = self.flows.lock().map(|mut flows| std::mem::take(&mut *flows)).unwrap_or_default();
        // The last analysis counts, the one after repairs.
        flows.reverse();
        flows.sort_by(|a, b| (&a.path, a.std).cmp(&(&b.path, b.std)));
        flows.dedup_by(|later, kept| later.path == kept.path && later.std == kept.std);
        flows
    }

    fn merge(&self, reports: Vec<(UnitReport, bool)>, workspace: &mut Workspace) -> Result<Outcome, ConfigError> {
        let mut sources = Sources::new(self.files.clone());
        let mut stats = Stats::default();
        let mut files = Vec::new();
        let mut incomplete = Vec::new();
        let mut by_version: Vec<(LanguageVersion, Vec<Diagnostic>)> = Vec::new();
        let mut judged_whole: FxHashSet<Arc<str>> = FxHashSet::default();
        let mut seen_files: FxHashSet<Arc<str>> = FxHashSet::default();
        let panicked = reports.iter().any(|(_, panicked)| *panicked);
        for (report, _) in reports {
            let UnitStats { lines, .. } = report.stats;
            if seen_files.insert(report.path.clone()) {
                stats.files += 1;
                stats.lines += u64::from(lines);
            }
            stats.count(&report.stats);
            files.push(FileEntry {
                path: report.path.clone(),
                std: report.std.version,
                std_source: report.std.source.clone(),
                complete: report.is_complete(),
            });
            if report.is_complete() {
                judged_whole.insert(report.path.clone());
                if self.inputs.walked {
                    judged_whole.extend(report.files.iter().cloned());
                }
            }
            incomplete.extend(report.incomplete.into_iter().map(|reason| (report.path.clone(), reason)));
            match by_version.iter_mut().find(|(version, _)| *version == report.std.version) {
                Some((_, all)) => all.extend(report.diagnostics),
                None => by_version.push((report.std.version, report.diagnostics)),
            }
        }

        let mut comments: FxHashMap<Arc<str>, Suppressions> = FxHashMap::default();
        for path in &judged_whole {
            comments.insert(path.clone(), Suppressions::scan(&sources.text(path).bytes));
        }
        let mut findings = Vec::new();
        for (version, mut diagnostics) in by_version {
            sort_and_merge(&mut diagnostics);
            for diagnostic in diagnostics {
                let path = diagnostic.place.path.clone();
                let silencing =
                    comments.entry(path).or_insert_with_key(|path| Suppressions::scan(&sources.text(path).bytes));
                if !silencing.silences(diagnostic.code, diagnostic.place.range.start) {
                    findings.push(Finding { version, diagnostic });
                }
            }
        }
        let mut levels = LevelsOfFiles { workspace, known: FxHashMap::default() };
        if !panicked {
            let mut judged: Vec<&Arc<str>> = judged_whole.iter().collect();
            judged.sort();
            for path in judged {
                let of_file = levels.of(path)?;
                let version = files.iter().find(|file| file.path == *path).map_or(LanguageVersion::DEFAULT, |f| f.std);
                let unused = comments[path].unused(path, |code| of_file.is_on(code));
                findings.extend(unused.into_iter().map(|diagnostic| Finding { version, diagnostic }));
            }
        }
        let mut shown = Vec::new();
        for mut finding in findings {
            let diagnostic = &mut finding.diagnostic;
            if let Some(severity) = levels.of(&diagnostic.place.path)?.severity(diagnostic.code, diagnostic.severity) {
                diagnostic.severity = severity;
                shown.push(finding);
            }
        }
        shown.sort_by(|a, b| (&a.diagnostic.place, a.version).cmp(&(&b.diagnostic.place, b.version)));
        // A header that was judged through several units is one file; it is complete if all of them are.
        files.sort_by(|a, b| (&a.path, a.std).cmp(&(&b.path, b.std)));
        files.dedup_by(|later, kept| {
            let same = later.path == kept.path && later.std == kept.std;
            kept.complete &= !same || later.complete;
            same
        });
        let versions = self.arguments.common.version_count();
        Ok(Outcome { findings: shown, files, incomplete, stats, versions, panicked, sources })
    }

    /// Applies preferred fixes and analyses again until there are none left.
    fn fix(&mut self, mut outcome: Outcome) -> Result<Outcome, String> {
        let mut applied = 0;
        for _ in 0..FIX_ROUNDS {
            let fixed = fix::apply(&outcome.findings, outcome.versions, &mut outcome.sources);
            if fixed.is_empty() {
                break;
            }
            for file in &fixed {
                std::fs::write(&*file.path, &file.text).map_err(|error| format!("{}: {error}", file.path))?;
                self.files.forget(&file.path);
                applied += file.applied;
            }
            outcome = self.analyse().map_err(|error| error.to_string())?;
        }
        if !self.arguments.common.quiet {
            complain(format!("{applied} {} applied", if applied == 1 { "fix" } else { "fixes" }));
        }
        Ok(outcome)
    }
}

/// The levels for findings in each file, looked up once a file.
struct LevelsOfFiles<'a> {
    workspace: &'a mut Workspace,
    known: FxHashMap<Arc<str>, Levels>,
}

impl LevelsOfFiles<'_> {
    fn of(&mut self, path: &Arc<str>) -> Result<&Levels, ConfigError> {
        if !self.known.contains_key(path) {
            let levels = self.workspace.settings(path)?.levels;
            self.known.insert(path.clone(), levels);
        }
        Ok(&self.known[path])
    }
}

pub(crate) fn requests_of<'a>(
    files: impl Iterator<Item = &'a InputFile>,
    workspace: &mut Workspace,
) -> Result<Vec<UnitRequest>, ConfigError> {
    let mut requests = Vec::new();
    for file in files {
        requests.extend(workspace.settings(&file.path)?.requests(&Arc::from(file.path.as_str())));
    }
    Ok(requests)
}

/// A file that is a unit by its name, and is included by another unit, is a header if it cannot stand alone: then what
/// the including units say of it counts.
fn judge_included_unit(report: &mut UnitReport) {
    if report.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        report.incomplete.push("other units include this file, and it cannot be judged alone".to_owned());
        report.diagnostics.clear();
    }
}

/// A header that no unit includes is checked alone. Names that the includer would have declared are not mistakes
/// then, so findings that only say that something is not declared become hints, and the header is not complete.
fn judge_lonely_header(report: &mut UnitReport) {
    let failed = report.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
    if failed == 0 {
        return;
    }
    report.incomplete.push("no unit includes this header, and it cannot be judged alone".to_owned());
    for diagnostic in &mut report.diagnostics {
        if diagnostic.code == Code::UndeclaredIdentifier {
            diagnostic.severity = Severity::Hint;
            diagnostic.message.push_str("; no unit includes this header, so it was checked alone");
        }
    }
}

thread_local! {
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps what a panic says for the finding that reports it. With a backtrace asked for, it is printed as usual too.
pub(crate) fn keep_panics_quiet() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        LAST_PANIC.set(info.to_string());
        if std::env::var_os("RUST_BACKTRACE").is_some() {
            usual(info);
        }
    }));
}

/// Analyses one unit. A panic becomes a finding, so that the other units are still checked.
fn check_one(request: &UnitRequest, work: impl FnOnce() -> UnitReport) -> (UnitReport, bool) {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(report) => (report, false),
        Err(_) => {
            let what = LAST_PANIC.take().replace('\n', " ");
            let place = Place { path: request.path.clone(), range: TextRange::default() };
            let message = format!("msl-analyzer failed on this file, which is a bug of msl-analyzer: {what}");
            let report = UnitReport {
                path: request.path.clone(),
                std: request.std.clone(),
                diagnostics: vec![Diagnostic::new(Code::InternalError, Severity::Error, place, message)],
                files: vec![request.path.clone()],
                incomplete: vec!["the analysis failed".to_owned()],
                stats: UnitStats::default(),
            };
            (report, true)
        }
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether one of the names occurs in a line that starts with `#`.
fn mentions_any(text: &[u8], names: &[&[u8]]) -> bool {
    let directives = text.split(|&byte| byte == b'\n').filter(|line| line.trim_ascii_start().starts_with(b"#"));
    let mentions = |line: &[u8], name: &[u8]| line.windows(name.len()).any(|window| window == name);
    directives.into_iter().any(|line| names.iter().any(|name| mentions(line, name)))
}

fn baseline_folder(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    absolute.parent().map(Path::to_path_buf).unwrap_or_default()
}

/// `path` as seen from `folder`, with `/`.
fn relative(folder: &Path, path: &str) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path));
    let normal = file_system::normalize(&absolute.to_string_lossy());
    let folder = file_system::normalize(&folder.to_string_lossy());
    match normal.strip_prefix(&folder) {
        Some(rest) => rest.trim_start_matches('/').to_owned(),
        None => normal,
    }
}

#[cfg(test)]
mod tests {
    use msl_ide::{StdChoice, UnitOptions};

    use super::*;

    #[test]
    fn a_panic_is_a_finding_of_its_file() {
        let std = StdChoice::unstated();
        let options = UnitOptions::new(std.version);
        let request = UnitRequest { path: "a.metal".into(), std, options, thresholds: Default::default() };
        keep_panics_quiet();
        let (report, panicked) = check_one(&request, || panic!("the table\nis empty"));
        assert!(panicked && !report.is_complete());
        let finding = &report.diagnostics[0];
        assert_eq!((finding.code, &*finding.place.path), (Code::InternalError, "a.metal"));
        assert!(finding.message.contains("check.rs:") && finding.message.ends_with("the table is empty"));
    }

    #[test]
    fn paths_in_a_baseline_are_seen_from_its_folder() {
        let here = std::env::current_dir().unwrap();
        assert_eq!(relative(&here, "sub/a.metal"), "sub/a.metal");
        assert_eq!(relative(&here.join("sub"), "sub/a.metal"), "a.metal");
        assert_eq!(relative(Path::new("/elsewhere"), "/sub/a.metal"), "/sub/a.metal");
    }
}
