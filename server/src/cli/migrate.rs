//! `migrate`: what another language version breaks or changes, and the fewest edits that keep everything right.
//!
//! The units are judged one by one and the edits of all of them are put together, because a header belongs to several:
//! what one unit needs in it, all others get, and what that asks of them follows. At the end the edited texts are
//! checked under the new version; what is wrong there and was not before could not be migrated.

use std::{
    io::{self, BufWriter, Write},
    path::Path,
    sync::Arc,
};

use msl_diagnostics::{Code, Diagnostic, Place, Severity, TextEdit, sort_and_merge};
use msl_ide::{
    Analysis, EditMap, MemberVerdict, MembersJudgement, StdChoice, UnitRequest, apply_edits,
    file_system::{DiskFiles, FileSystem, ReadError},
    migration_finding,
};
use msl_preproc::LanguageVersion;
use msl_project::{Project, UnitKind};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use super::{
    STACK_SIZE, Status,
    arguments::{Format, MigrateArguments},
    backport,
    check::{keep_panics_quiet, requests_of},
    complain, consolidate,
    fix::{self, FixedFile},
    output::{self, Finding, Output, Stats, json},
    progress::Progress,
    sources::Sources,
    walk::{self, InputFile, Role},
};
use crate::workspace::{DiskTree, Workspace};

/// The version of the JSON format.
const SCHEMA: u32 = 1;

/// How often what one unit needs is carried to the others.
const MAX_ROUNDS: usize = 16;

pub(crate) fn run(arguments: &MigrateArguments) -> Status {
    let inputs = walk::collect(&arguments.paths);
    for line in inputs.unreadable.iter().chain(&inputs.skipped) {
        complain(line);
    }
    let mut status = if inputs.unreadable.is_empty() { Status::Clean } else { Status::Usage };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.common.jobs).stack_size(STACK_SIZE).build();
    let pool = match pool {
        Ok(pool) => pool,
        Err(error) => {
            complain(format!("cannot start threads: {error}"));
            return Status::Usage;
        }
    };
    keep_panics_quiet();
    let migrated = Workspace::new(arguments.common.explicit(msl_diagnostics::Levels::default()))
        .and_then(|mut workspace| migrate(arguments, &inputs.files, &mut workspace, &pool));
    let migration = match migrated {
        Ok(migration) => migration,
        Err(error) => {
            complain(error);
            return Status::Usage;
        }
    };
    let mut sources = Sources::new(Arc::new(DiskFiles::default()));
    let files = migration.edited(&mut sources);
    if arguments.write {
        for file in &files {
            if let Err(error) = std::fs::write(&*file.path, &file.text) {
                complain(format!("{}: {error}", file.path));
                return Status::Usage;
            }
        }
    }
    let is_pending = !files.is_empty() && !arguments.write;
    if is_pending || !migration.remaining.is_empty() {
        status = status.max(Status::Findings);
    }
    // A closed pipe ends the printing and is no fault.
    let _ = print(&migration, &files, &mut sources, arguments);
    status
}

/// What a migration comes to.
#[derive(Default)]
struct Migration {
    /// What breaks or changes, in the texts as they are.
    findings: Vec<Diagnostic>,
    /// In order of place, none overlapping.
    edits: Vec<TextEdit>,
    /// What the edits do not repair, in the texts as they are.
    remaining: Vec<Diagnostic>,
    /// Members that become generic and stay right.
    fine_members: usize,
    /// How many functions stand for how many overloads that are gone.
    consolidated: (usize, usize),
    units: usize,
}

impl Migration {
    /// The files as they are after the edits.
    fn edited(&self, sources: &mut Sources) -> Vec<FixedFile> {
        let by_file = self.edits.chunk_by(|a, b| a.place.path == b.place.path);
        by_file
            .map(|edits| {
                let path = edits[0].place.path.clone();
                let text = apply_edits(&sources.text(&path).bytes, edits.iter());
                FixedFile { path, text, applied: edits.len() }
            })
            .collect()
    }
}

/// What one unit says.
struct Judged {
    request: UnitRequest,
    members: MembersJudgement,
    /// The unit has errors under the new version.
    has_errors: bool,
    /// What could be simplified under it.
    simpler: Vec<Diagnostic>,
    /// All files of the unit.
    files: Vec<Arc<str>>,
}

fn migrate(
    arguments: &MigrateArguments,
    files: &[InputFile],
    workspace: &mut Workspace,
    pool: &rayon::ThreadPool,
) -> Result<Migration, crate::workspace::ConfigError> {
    let disk: Arc<DiskFiles> = Arc::default();
    let analysis = Analysis::new(disk.clone());
    let of_role = |role: Role| files.iter().filter(move |file| file.role == role);
    let mut requests = requests_of(of_role(Role::Unit), workspace)?;
    // A file is migrated once, however many versions it is asked to be judged under.
    requests.dedup_by(|later, kept| later.path == kept.path);
    let work = Work { disk, to: arguments.to, pool, quiet: arguments.common.quiet };
    let mut units = work.judge_all(&analysis, requests);
    let reached: FxHashSet<Arc<str>> = units.iter().flat_map(|unit| unit.files.iter().skip(1).cloned()).collect();
    let lonely = of_role(Role::Header).filter(|file| !reached.contains(file.path.as_str()));
    units.extend(work.judge_all(&analysis, requests_of(lonely, workspace)?));
    let mut migration = Migration { units: units.len(), ..Migration::default() };
    work.annotate_members(&analysis, &mut units, &mut migration);
    if !arguments.to.has_generic_pointers() {
        let (own, work, units) = (analysis.clone(), &work, &units);
        let broken: Vec<Vec<Diagnostic>> =
            work.pool.install(move || units.iter().map(|unit| work.broken(&own, unit)).collect());
        migration.findings.extend(broken.into_iter().flatten());
        let wrong: Vec<UnitRequest> =
            units.iter().filter(|unit| unit.has_errors).map(|unit| unit.request.clone()).collect();
        migration.edits.extend(work.pool.install(|| backport::edits(&work.disk, &wrong, arguments.to)));
    }
    migration.edits.extend(configuration_edits(&units, workspace, arguments.to)?);
    build_edits(&units, arguments.to, &mut migration);
    migration.edits.sort_by(|a, b| (&a.place, &a.new_text).cmp(&(&b.place, &b.new_text)));
    migration.edits.dedup();
    if arguments.consolidate && arguments.to.has_generic_pointers() {
        work.consolidate(&units, &mut migration);
    }
    if !units.iter().all(|unit| unit.request.std.stated && unit.request.std.version.has_generic_pointers()) {
        migration.findings.extend(units.iter().flat_map(|unit| unit.simpler.iter().cloned()));
    }
    work.verify(&analysis, &units, &mut migration);
    sort_and_merge(&mut migration.findings);
    sort_and_merge(&mut migration.remaining);
    Ok(migration)
}

/// What the steps of a migration share.
struct Work<'a> {
    disk: Arc<DiskFiles>,
    to: LanguageVersion,
    pool: &'a rayon::ThreadPool,
    quiet: bool,
}

impl Work<'_> {
    fn judge_all(&self, analysis: &Analysis, requests: Vec<UnitRequest>) -> Vec<Judged> {
        let progress = Progress::new(requests.len(), !self.quiet);
        let analysis = analysis.clone();
        self.pool.install(move || {
            requests
                .into_par_iter()
                .map_with(analysis, |analysis, request| {
                    let analysis = analysis.fresh();
                    let members = if self.to.has_generic_pointers() {
                        analysis.judge_members(&request, &FxHashSet::default())
                    } else {
                        MembersJudgement::default()
                    };
                    let report = analysis.check(&self.under(&request));
                    progress.advance(&request.path);
                    let has_errors = report.diagnostics.iter().any(is_error);
                    let is_simpler = |finding: &Diagnostic| finding.code == Code::ConsolidatableOverloads;
                    let simpler = report.diagnostics.into_iter().filter(is_simpler).collect();
                    Judged { request, members, has_errors, simpler, files: report.files }
                })
                .collect()
        })
    }

    /// A unit under the new version.
    fn under(&self, request: &UnitRequest) -> UnitRequest {
        let old = request.std.version;
        // What is newer already stays what it is.
        let is_there = old.has_generic_pointers() == self.to.has_generic_pointers() && request.std.stated;
        let version = if is_there { old } else { LanguageVersion { platform: old.platform, ..self.to } };
        let std = StdChoice { version, source: "migration".into(), stated: true };
        UnitRequest { std, ..request.clone() }
    }

    /// The errors of a unit under the new version that it does not have under its own.
    fn broken(&self, analysis: &Analysis, unit: &Judged) -> Vec<Diagnostic> {
        if !unit.has_errors {
            return Vec::new();
        }
        let analysis = analysis.fresh();
        let mut found = analysis.check(&self.under(&unit.request)).diagnostics;
        found.retain(is_error);
        let own = analysis.check(&self.before(&unit.request)).diagnostics;
        found.retain(|finding| !own.iter().any(|other| is_error(other) && other.place == finding.place));
        found
    }

    /// A unit as it is: where nothing states a version, on the other side of the one to move to.
    fn before(&self, request: &UnitRequest) -> UnitRequest {
        let mut std = StdChoice { stated: true, ..request.std.clone() };
        if !request.std.stated && !self.to.has_generic_pointers() {
            std.version = LanguageVersion::new(4, 1, std.version.platform);
        }
        UnitRequest { std, ..request.clone() }
    }

    /// Annotates the members that need it, in all units until none asks for more.
    fn annotate_members(&self, analysis: &Analysis, units: &mut [Judged], migration: &mut Migration) {
        let mut needed: FxHashSet<Place> = FxHashSet::default();
        for _ in 0..MAX_ROUNDS {
            let before = needed.len();
            for unit in units.iter() {
                needed.extend(unit.members.members.iter().filter(|member| member.is_needed).map(|it| it.place.clone()));
            }
            if needed.len() == before {
                break;
            }
            let (analysis, needed) = (analysis.clone(), &needed);
            let units = &mut *units;
            self.pool.install(move || {
                units.par_iter_mut().for_each_with(analysis, |analysis, unit| {
                    let is_new = unit.members.members.iter().any(|it| !it.is_needed && needed.contains(&it.place));
                    if is_new {
                        unit.members = analysis.fresh().judge_members(&unit.request, needed);
                    }
                });
            });
        }
        let mut seen: FxHashMap<&Place, bool> = FxHashMap::default();
        for member in units.iter().flat_map(|unit| &unit.members.members) {
            let is_needed = seen.entry(&member.place).or_default();
            *is_needed |= member.is_needed;
            if !member.is_needed {
                continue;
            }
            let mut finding = migration_finding(member);
            match &member.own_annotation {
                Ok(edits) => migration.edits.extend(edits.iter().cloned()),
                Err(reason) => {
                    finding.message.push_str(&format!("; it cannot be annotated here: {reason}"));
                    migration.remaining.push(finding.clone());
                }
            }
            if member.verdict != MemberVerdict::Generic {
                migration.findings.push(finding);
            }
        }
        migration.fine_members = seen.values().filter(|is_needed| !**is_needed).count();
    }

    /// Replaces overloads that differ only in address spaces, in all units.
    fn consolidate(&self, units: &[Judged], migration: &mut Migration) {
        let of_unit =
            |unit: &Judged| consolidate::UnitFiles { request: self.under(&unit.request), files: unit.files.clone() };
        let all: Vec<consolidate::UnitFiles> = units.iter().map(of_unit).collect();
        let with_families: Vec<usize> =
            units.iter().enumerate().filter(|(_, unit)| !unit.simpler.is_empty()).map(|(index, _)| index).collect();
        let edits = &migration.edits;
        let done = self.pool.install(|| consolidate::consolidated(&self.disk, &all, &with_families, edits));
        migration.edits = done.edits;
        migration.consolidated = (done.functions, done.overloads);
    }

    /// Checks the edited texts under the new version, and keeps what is wrong there and was not before.
    fn verify(&self, analysis: &Analysis, units: &[Judged], migration: &mut Migration) {
        let map = EditMap::new(&migration.edits);
        let mut texts: FxHashMap<Arc<str>, Arc<[u8]>> = FxHashMap::default();
        for path in map.files() {
            if let Ok(text) = self.disk.read(path) {
                texts.insert(path.clone(), map.apply(path, &text).into());
            }
        }
        let edited = Analysis::new(Arc::new(Edited { below: self.disk.clone(), texts }));
        let analyses = (analysis.clone(), edited);
        let map = &map;
        let remaining: Vec<Vec<Diagnostic>> = self.pool.install(move || {
            units
                .par_iter()
                .map_with(analyses, |(before, after), unit| self.wrong_after(before, after, unit, map))
                .collect()
        });
        migration.remaining.extend(remaining.into_iter().flatten());
    }

    /// The errors of a unit after the edits that it did not have before.
    fn wrong_after(&self, before: &Analysis, after: &Analysis, unit: &Judged, map: &EditMap) -> Vec<Diagnostic> {
        if !unit.has_errors && !unit.files.iter().any(|path| map.files().any(|file| file == path)) {
            return Vec::new();
        }
        let mut found = after.fresh().check(&self.under(&unit.request)).diagnostics;
        found.retain(is_error);
        if found.is_empty() {
            return found;
        }
        for finding in &mut found {
            finding.place = map.back(&finding.place);
            finding.related.iter_mut().for_each(|related| related.place = map.back(&related.place));
            finding.fixes.clear();
        }
        let old = before.fresh().check(&self.before(&unit.request)).diagnostics;
        found.retain(|finding| !old.iter().any(|other| is_error(other) && other.place == finding.place));
        found
    }
}

fn is_error(finding: &Diagnostic) -> bool {
    finding.severity == Severity::Error
}

/// Files with other texts for some of them.
pub(super) struct Edited {
    pub(super) below: Arc<DiskFiles>,
    pub(super) texts: FxHashMap<Arc<str>, Arc<[u8]>>,
}

impl FileSystem for Edited {
    fn read(&self, path: &str) -> Result<Arc<[u8]>, ReadError> {
        match self.texts.get(path) {
            Some(text) => Ok(text.clone()),
            None => self.below.read(path),
        }
    }
}

/// The edits of configuration files that state the versions of the units.
fn configuration_edits(
    units: &[Judged],
    workspace: &mut Workspace,
    to: LanguageVersion,
) -> Result<Vec<TextEdit>, crate::workspace::ConfigError> {
    let mut edits = Vec::new();
    for unit in units {
        let std = &unit.request.std;
        if !std.stated || std.version.has_generic_pointers() == to.has_generic_pointers() {
            continue;
        }
        let settings = workspace.settings(&unit.request.path)?;
        let Some(config) = settings.config.as_deref().map(crate::workspace::display) else { continue };
        let line = std.source.strip_prefix(config.as_str()).and_then(|rest| rest.strip_prefix(':'));
        if let Some(line) = line.and_then(|line| line.parse::<usize>().ok()) {
            edits.extend(version_in_line(Path::new(&config), line, to));
        }
    }
    Ok(edits)
}

/// The edits of build files that give the units their versions: all compiles of a project change together, because what
/// is linked must be of one side.
fn build_edits(units: &[Judged], to: LanguageVersion, migration: &mut Migration) {
    let is_other_side = |std: LanguageVersion| std.has_generic_pointers() != to.has_generic_pointers();
    let mut roots: Vec<Arc<str>> = Vec::new();
    for unit in units {
        let std = &unit.request.std;
        let of_build = std.stated && is_other_side(std.version) && std.source.contains(' ');
        if let Some(root) = unit.request.options.project_root.as_ref().filter(|_| of_build)
            && !roots.contains(root)
        {
            roots.push(root.clone());
        }
    }
    for root in roots {
        let project = Project::load(&root, &DiskTree);
        let changes =
            project.version_edits(to, |unit| unit.kind != UnitKind::Binary && unit.std.is_some_and(is_other_side));
        let shown = |place: Place| {
            let path = crate::workspace::display(Path::new(&*place.path));
            Place { path: path.into(), ..place }
        };
        let edits = changes.edits.into_iter();
        migration.edits.extend(edits.map(|edit| TextEdit { place: shown(edit.place), ..edit }));
        for (place, message) in changes.remaining {
            let nowhere = || Place { path: root.clone(), range: msl_diagnostics::TextRange::default() };
            let place = place.map_or_else(nowhere, shown);
            let left = Diagnostic::new(Code::AbiVersionMismatch, Severity::Warning, place, message);
            migration.remaining.push(left);
        }
    }
}

/// The edit of the quoted version in a line of a configuration file; lines count from 1.
fn version_in_line(path: &Path, line: usize, to: LanguageVersion) -> Option<TextEdit> {
    let text = std::fs::read_to_string(path).ok()?;
    let start: usize = text.split_inclusive('\n').take(line.checked_sub(1)?).map(str::len).sum();
    let content = text[start..].lines().next()?;
    let open = content.find(['"', '\''])?;
    let quote = content[open..].chars().next()?;
    let close = open + 1 + content[open + 1..].find(quote)?;
    let range = msl_diagnostics::TextRange::new((start + open + 1) as u32, (start + close) as u32);
    let place = Place { path: crate::workspace::display(path).into(), range };
    Some(TextEdit { place, new_text: to.to_string() })
}

#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    findings: Vec<json::Diagnostic<'a>>,
    edits: Vec<json::Edit<'a>>,
    remaining: Vec<json::Diagnostic<'a>>,
}

fn print(
    migration: &Migration,
    files: &[FixedFile],
    sources: &mut Sources,
    arguments: &MigrateArguments,
) -> io::Result<()> {
    let finding = |diagnostic: &Diagnostic| Finding { version: arguments.to, diagnostic: diagnostic.clone() };
    let findings: Vec<Finding> = migration.findings.iter().map(finding).collect();
    let remaining: Vec<Finding> = migration.remaining.iter().map(finding).collect();
    let output = |findings: Vec<Finding>| Output {
        functions: Vec::new(),
        findings,
        files: Vec::new(),
        stats: Stats { files: migration.units as u64, ..Stats::default() },
        incomplete: Vec::new(),
        versions: 1,
        limit: None,
        show_stats: false,
    };
    let options = &arguments.common;
    match options.format {
        Format::Json | Format::Jsonl => {
            let answer = Answer {
                schema: SCHEMA,
                findings: findings.iter().map(|finding| json::diagnostic(finding, sources)).collect(),
                edits: migration.edits.iter().map(|edit| json::edit(edit, sources)).collect(),
                remaining: remaining.iter().map(|finding| json::diagnostic(finding, sources)).collect(),
            };
            let mut out = BufWriter::new(io::stdout().lock());
            if options.format == Format::Json {
                serde_json::to_writer_pretty(&mut out, &answer)?;
            } else {
                serde_json::to_writer(&mut out, &answer)?;
            }
            writeln!(out)?;
            out.flush()
        }
        Format::Short | Format::Sarif | Format::Github => {
            let all = [findings, remaining].concat();
            output::print(&output(all), sources, options);
            Ok(())
        }
        Format::Text => {
            // What is written already is not shown where it was.
            if !arguments.write {
                output::print(&output([findings, remaining].concat()), sources, options);
                fix::print_diff(files, sources, options.color);
            } else if !remaining.is_empty() {
                output::print(&output(remaining), sources, options);
            }
            if !options.quiet {
                writeln!(io::stdout().lock(), "{}", summary(migration, files, arguments))?;
            }
            Ok(())
        }
    }
}

fn summary(migration: &Migration, files: &[FixedFile], arguments: &MigrateArguments) -> String {
    let plural = |count: usize, one: &str, several: &str| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {several}"),
    };
    let to = arguments.to;
    let edits = plural(migration.edits.len(), "edit", "edits");
    let in_files = plural(files.len(), "file", "files");
    let mut parts = Vec::new();
    if migration.edits.is_empty() && migration.remaining.is_empty() {
        parts.push(format!("nothing to do for {to}"));
    } else if migration.edits.is_empty() {
        parts.push("no edits".to_owned());
    } else if arguments.write {
        parts.push(format!("{edits} in {in_files} made"));
    } else {
        parts.push(format!("{edits} in {in_files}; `--write` makes them"));
    }
    if !migration.remaining.is_empty() {
        let left = plural(migration.remaining.len(), "thing", "things");
        parts.push(format!("{left} cannot be migrated by themselves"));
    }
    if let (functions @ 1.., overloads) = migration.consolidated {
        let functions = plural(functions, "generic function", "generic functions");
        parts.push(format!("{functions} for {overloads} overloads"));
    }
    if migration.fine_members > 0 {
        parts.push(match migration.fine_members {
            1 => "1 member function becomes generic and means what it did".to_owned(),
            fine => format!("{fine} member functions become generic and mean what they did"),
        });
    }
    format!("{}.", parts.join("; "))
}
