//! Every finding of a translation unit.
//!
//! When nothing states the language version, the unit is judged under Metal 4.0 and under 4.1, and a finding that
//! holds under only one of the two is lowered to a hint that says so: unknown is not wrong. Most units of older code
//! never ask what differs between the two; they are judged once.

use std::sync::{Arc, OnceLock};

use msl_builtins::Library;
use msl_db::{Database, Db, Unit, file_system, preprocessed};
use msl_diagnostics::{Code, Diagnostic, Related, Severity, sort_and_merge};
use msl_flow::Thresholds;
use msl_intern::Name;
use msl_preproc::{LanguageVersion, MacroTable, Platform, Preprocessed};
use msl_ty::{checked_declarations, environment};

use crate::{
    analysis::{Analysis, UnitRequest},
    link, parallel,
    report::{UnitReport, UnitStats},
    semantic, syntax_errors,
};

/// What a unit's check found so far.
#[derive(Clone)]
struct Partial {
    unit: Unit,
    report: UnitReport,
    /// How many of the findings are the preprocessor's.
    of_the_text: usize,
    thresholds: Thresholds,
}

impl Analysis {
    /// Analyses a translation unit, and counts how much of it is understood.
    pub fn check(&self, request: &UnitRequest) -> UnitReport {
        let finish = |unit| finish_partial(&self.db, add_program(&self.db, start_partial(&self.db, request, unit)));
        let units = self.units(request);
        let mut reports = vec![finish(units.first)];
        reports.extend(units.second(&self.db).map(finish));
        let mut report = join(reports, self.suggestions(request));
        self.add_repairs(request, &mut report);
        semantic::statistics(&self.db, units.first, &mut report.stats);
        report
    }

    /// Analyses a translation unit for somebody who waits: on several threads, without statistics. What the declarations
    /// and bodies say is given to `early` before instances of templates and the program as a whole are looked at, which
    /// may add to it but take nothing away. `early` is not called where that cannot be promised.
    pub fn check_in_stages(&self, request: &UnitRequest, early: impl FnOnce(UnitReport)) -> UnitReport {
        let units = self.units(request);
        // What the declarations tell apart is known soon, and then both versions are judged at the same time.
        checked_declarations(&self.db, units.first);
        let partial = units.judge(&self.db, |db, unit| {
            semantic::prepare_bodies(db, unit);
            start_partial(db, request, unit)
        });
        let mut so_far = partial.iter().cloned().map(|partial| finish_partial(&self.db, partial));
        let Some(mut report) = so_far.next() else { unreachable!("a unit is judged under at least one version") };
        // What only one version says may be said by the other one's program.
        let mut depends_on_version = false;
        for other in so_far {
            depends_on_version |= merge_unstated(&mut report, other);
        }
        if !depends_on_version {
            early(report);
        }
        let complete = units.judge(&self.db, |db, unit| {
            semantic::prepare_instances(db, unit);
            // Only an instance told the versions apart, if there is nothing of the other one yet.
            let known = partial.iter().find(|partial| partial.unit == unit).cloned();
            finish_partial(db, add_program(db, known.unwrap_or_else(|| start_partial(db, request, unit))))
        });
        let mut report = join(complete, self.suggestions(request));
        self.add_repairs(request, &mut report);
        report
    }

    fn units(&self, request: &UnitRequest) -> Units {
        if request.std.stated {
            return Units { first: self.unit(request, request.std.version), other: None };
        }
        let [first, other] = UNSTATED.map(|version| self.unit(request, version));
        Units { first, other: Some(other) }
    }
}

/// What a file is judged under if nothing states a version: the last one without generic pointers, and the first with.
const UNSTATED: [LanguageVersion; 2] =
    [LanguageVersion::new(4, 0, Platform::MacOs), LanguageVersion::new(4, 1, Platform::MacOs)];

/// A file under the versions that it is judged under.
struct Units {
    first: Unit,
    /// Where no version is stated.
    other: Option<Unit>,
}

impl Units {
    /// The unit under the second version, if that may say anything else than the first one, as far as that has been looked
    /// at.
    fn second(&self, db: &Database) -> Option<Unit> {
        self.other.filter(|_| environment(db, self.first).depends_on_generics() || names_version(db, self.first))
    }

    /// What `judge` finds under each version that matters, the first one's first.
    fn judge<T: Send>(&self, db: &Database, judge: impl Fn(&Database, Unit) -> T + Sync) -> Vec<T> {
        let known: Vec<Unit> = [Some(self.first), self.second(db)].into_iter().flatten().collect();
        let mut found = parallel::map(db, &known, |db, &unit| judge(db, unit));
        if known.len() == 1 {
            found.extend(self.second(db).map(|unit| judge(db, unit)));
        }
        found
    }
}

/// Whether a unit may read a macro that is not the same under both versions of [`UNSTATED`].
fn names_version(db: &Database, unit: Unit) -> bool {
    static DIFFERENT: OnceLock<Vec<Name>> = OnceLock::new();
    let different = DIFFERENT.get_or_init(|| {
        let [before, after] = UNSTATED.map(|version| {
            MacroTable::new(Some(Library::get().macros(version)), Some(msl_preproc::predefined_macros(version)))
        });
        let differs = |name: &Name| match (before.get(*name), after.get(*name)) {
            (Some(before), Some(after)) => !before.same_as(after),
            (before, after) => before.is_some() != after.is_some(),
        };
        before.iter().chain(after.iter()).map(|definition| definition.name).filter(differs).collect()
    });
    let map = &preprocessed(db, unit).map;
    let texts = map.files().filter_map(|file| map.text(file)).map(|text| &**text);
    let given = unit.options(db).defines.iter().filter_map(|define| Some(define.value.as_ref()?.as_bytes()));
    let mut read = texts.chain(given);
    // One whose name is put together in the source is expanded nevertheless.
    read.any(|text| different.iter().any(|name| memchr::memmem::find(text, name.bytes()).is_some()))
        || map.definitions().iter().any(|definition| different.contains(&definition.name))
}

impl Analysis {
    /// What is found under one version, without what is suggested because of others.
    pub(crate) fn check_under(&self, request: &UnitRequest, version: LanguageVersion) -> UnitReport {
        let unit = self.unit(request, version);
        finish_partial(&self.db, add_program(&self.db, start_partial(&self.db, request, unit)))
    }

    /// Adds repairs that rest on more than the place of a finding.
    fn add_repairs(&self, request: &UnitRequest, report: &mut UnitReport) {
        if request.std.stated {
            self.repair_in_members(request, &mut report.diagnostics);
            self.prefer_inferred_spaces(request, request.std.version, &mut report.diagnostics);
        }
    }

    /// Findings about member functions and Metal 4.1, and about overloads that one generic function could be.
    fn suggestions(&self, request: &UnitRequest) -> Vec<Diagnostic> {
        let mut found = self.member_findings(request);
        if request.std.stated {
            found.extend(self.family_findings(request));
        }
        found
    }
}

/// Joins the reports of one unit under one or two versions, of which there must be one, with what is suggested.
fn join(reports: Vec<UnitReport>, mut suggestions: Vec<Diagnostic>) -> UnitReport {
    let mut reports = reports.into_iter();
    let Some(mut report) = reports.next() else { unreachable!("a unit is judged under at least one version") };
    for mut generic in reports {
        // What breaks is said once, with its repair.
        generic.diagnostics.retain(|finding| {
            let is_it = |related: &Related| related.place == finding.place;
            !suggestions.iter().any(|it| it.code == Code::BreaksIn41 && it.related.iter().any(is_it))
        });
        merge_unstated(&mut report, generic);
    }
    report.diagnostics.append(&mut suggestions);
    sort_and_merge(&mut report.diagnostics);
    report
}

/// What the text, the declarations and the bodies say.
fn start_partial(db: &Database, request: &UnitRequest, unit: Unit) -> Partial {
    let mut report = UnitReport {
        path: request.path.clone(),
        std: request.std.clone(),
        diagnostics: Vec::new(),
        files: vec![request.path.clone()],
        incomplete: Vec::new(),
        stats: UnitStats::default(),
    };
    if let Some(text) = unit.root(db).content(db).text() {
        report.stats.lines = line_count(text);
    }
    syntax_errors::preprocessor(db, unit, &mut report);
    let of_the_text = report.diagnostics.len();
    syntax_errors::parser(db, unit, &mut report);
    semantic::bodies(db, unit, &mut report);
    Partial { unit, report, of_the_text, thresholds: request.thresholds }
}

/// Adds what the program as a whole says.
fn add_program(db: &Database, mut partial: Partial) -> Partial {
    semantic::program(db, partial.unit, partial.thresholds, &mut partial.report);
    partial.report.diagnostics.extend(link::similar_groups_of(db, partial.unit));
    partial
}

fn finish_partial(db: &Database, partial: Partial) -> UnitReport {
    let Partial { unit, mut report, of_the_text, .. } = partial;
    if turns_fast_math_off(preprocessed(db, unit)) {
        report.diagnostics.retain(|finding| finding.code != Code::NanTestUnderFastMath);
    }
    let tokens_are_missing =
        |code| matches!(code, Code::IncludeNotFound | Code::FrameworkNotFound | Code::LimitReached);
    if report.diagnostics[..of_the_text].iter().any(|finding| tokens_are_missing(finding.code)) {
        let mut later = report.diagnostics.split_off(of_the_text);
        later.retain(|finding| !rests_on_missing_tokens(finding.code));
        report.diagnostics.append(&mut later);
    }
    retain_outside_frameworks(&mut report, &unit.options(db).framework_dirs);
    retain_uncalled_framework_functions(db, unit, &mut report);
    sort_and_merge(&mut report.diagnostics);
    report
}

/// Leaves out findings in headers of frameworks: who includes them cannot change them, and compilers say nothing there.
fn retain_outside_frameworks(report: &mut UnitReport, folders: &[Arc<str>]) {
    if folders.is_empty() {
        return;
    }
    let root = report.path.clone();
    let is_there =
        |path: &str| path != &*root && folders.iter().any(|folder| file_system::is_in_framework(folder, path));
    report.diagnostics.retain(|finding| !is_there(&finding.place.path));
}

/// Leaves out what is said of functions for frameworks that the unit itself uses: with the attribute of one that a
/// framework calls or without, they do their work.
fn retain_uncalled_framework_functions(db: &Database, unit: Unit, report: &mut UnitReport) {
    let preprocessed = preprocessed(db, unit);
    report.diagnostics.retain(|finding| {
        if finding.code != Code::FrameworkSignature {
            return true;
        }
        let text = preprocessed.map.text(db.shared().file_id(&finding.place.path));
        let range = finding.place.range.start as usize..finding.place.range.end as usize;
        let name = text.and_then(|text| text.get(range)).map(Name::from_bytes);
        preprocessed.tokens.iter().filter(|token| Some(token.name) == name).count() <= 1
    });
}

/// Whether a pragma of the unit turns fast math off (MSL spec §1.6.3), wherever it does.
fn turns_fast_math_off(preprocessed: &Preprocessed) -> bool {
    preprocessed.pragmas.iter().any(|pragma| {
        let text = pragma.text.as_str();
        text.starts_with("METAL fp") && (text.contains("safe") || text.contains("relaxed"))
    })
}

/// Whether findings of a code may only be there because an included file or the rest of an expansion is missing. What
/// is missing may declare anything, overloads as well, and define macros without which the rest is not even C++: a use
/// of one looks like a declaration, its effects on control flow and variables are not seen, and a part of a body can be a
/// file of its own.
fn rests_on_missing_tokens(code: Code) -> bool {
    matches!(
        code,
        Code::SyntaxError
            | Code::UndeclaredIdentifier
            | Code::ProgramScopeVariable
            | Code::NoMatchingFunction
            | Code::AmbiguousCall
            | Code::Redefinition
            | Code::MissingReturn
            | Code::UninitializedVariable
            | Code::EmptyBody
            | Code::UnusedValue
            | Code::UnusedVariable
            | Code::UnreachableCode
    )
}

/// Joins the reports of one unit under 4.0 and 4.1. A finding stays as it is if the other version has one of the
/// same code at its place, or an error there whatever its code: then the code is wrong under both. Whether there is any
/// finding that one of the two does not have.
fn merge_unstated(report: &mut UnitReport, generic: UnitReport) -> bool {
    let holds_in = |others: &[Diagnostic], finding: &Diagnostic| {
        others.iter().any(|other| {
            other.place.path == finding.place.path
                && other.place.range.start == finding.place.range.start
                && (other.code == finding.code
                    || (other.severity == Severity::Error && finding.severity == Severity::Error))
        })
    };
    let mut only_generic: Vec<Diagnostic> =
        generic.diagnostics.iter().filter(|finding| !holds_in(&report.diagnostics, finding)).cloned().collect();
    let mut depends_on_version = !only_generic.is_empty();
    for finding in &mut report.diagnostics {
        if !holds_in(&generic.diagnostics, finding) {
            lower_to_hint(finding, "Metal 4.0 and older");
            depends_on_version = true;
        }
    }
    for finding in &mut only_generic {
        lower_to_hint(finding, "Metal 4.1 and newer");
    }
    report.diagnostics.append(&mut only_generic);
    sort_and_merge(&mut report.diagnostics);
    depends_on_version
}

fn lower_to_hint(finding: &mut Diagnostic, versions: &str) {
    finding.severity = Severity::Hint;
    finding.message = format!(
        "under {versions}: {}; nothing says which version this file is built for: set `std` in msl-analyzer.toml or \
         pass `--std`",
        finding.message
    );
    for fix in &mut finding.fixes {
        // A repair for one version is not for applying unseen when the version is a guess.
        fix.preferred = false;
    }
}

fn line_count(text: &[u8]) -> u32 {
    let newlines = text.iter().filter(|&&byte| byte == b'\n').count() as u32;
    newlines + u32::from(text.last().is_some_and(|&byte| byte != b'\n'))
}

#[cfg(test)]
mod tests {
    use msl_diagnostics::{Place, TextRange};

    use super::*;
    use crate::analysis::StdChoice;

    fn report(findings: &[(u32, Code, Severity)]) -> UnitReport {
        let finding = |&(start, code, severity)| {
            let place = Place { path: "a.metal".into(), range: TextRange::new(start, start + 1) };
            Diagnostic::new(code, severity, place, "it is wrong")
        };
        UnitReport {
            path: "a.metal".into(),
            std: StdChoice::unstated(),
            diagnostics: findings.iter().map(finding).collect(),
            files: Vec::new(),
            incomplete: Vec::new(),
            stats: UnitStats::default(),
        }
    }

    #[test]
    fn what_depends_on_an_unstated_version_is_a_hint() {
        use Severity::{Error, Hint};
        let mut merged = report(&[
            (0, Code::MissingAddressSpace, Error),
            (5, Code::TypeMismatch, Error),
            (9, Code::AddressSpaceMismatch, Error),
        ]);
        let generic = report(&[
            (5, Code::TypeMismatch, Error),
            (9, Code::GenericToConcrete, Error),
            (12, Code::ConstantToGeneric, Error),
        ]);
        merge_unstated(&mut merged, generic);
        let seen: Vec<_> = merged.diagnostics.iter().map(|d| (d.place.range.start, d.severity)).collect();
        assert_eq!(seen, [(0, Hint), (5, Error), (9, Error), (12, Hint)]);
        assert!(merged.diagnostics[0].message.starts_with("under Metal 4.0 and older: it is wrong; nothing says"));
        assert!(merged.diagnostics[3].message.starts_with("under Metal 4.1 and newer: "));
    }
}
