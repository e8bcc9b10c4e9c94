//! Every finding of a translation unit.
//!
//! When nothing states the language version, the unit is judged under Metal 4.0 and under 4.1, and a finding that
//! holds under only one of the two is lowered to a hint that says so: unknown is not wrong.

use std::sync::Arc;

use msl_db::{Unit, preprocessed};
use msl_diagnostics::{Code, Diagnostic, Related, Severity, sort_and_merge};
use msl_preproc::{LanguageVersion, Platform, Preprocessed};

use crate::{
    analysis::{Analysis, StdChoice, UnitRequest},
    link, semantic, syntax_errors,
};

/// What [`Analysis::check`] found.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitReport {
    pub path: Arc<str>,
    pub std: StdChoice,
    /// Sorted by place; severities as the phases report them, before the user's levels and silencing comments.
    pub diagnostics: Vec<Diagnostic>,
    /// The files of the unit: the root first, then what it includes, each once.
    pub files: Vec<Arc<str>>,
    /// What could not be modelled, in words; empty if the unit is complete.
    pub incomplete: Vec<String>,
    pub stats: UnitStats,
}

/// Numbers about one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct UnitStats {
    /// Lines of the root file.
    pub lines: u32,
    /// Written expressions; each counts once, however often its template is instantiated.
    pub expressions: u32,
    /// Written expressions whose type is not known in some instantiation.
    pub unknown_expressions: u32,
    /// Written expressions that depend on a template parameter in code that nothing instantiates.
    pub dependent_expressions: u32,
    /// Written expressions inside templates.
    pub template_expressions: u32,
    /// Those of them whose type is not known.
    pub unknown_template_expressions: u32,
}

impl UnitReport {
    /// Whether everything in the unit could be modelled.
    pub fn is_complete(&self) -> bool {
        self.incomplete.is_empty()
    }
}

impl Analysis {
    /// Analyses a translation unit.
    pub fn check(&self, request: &UnitRequest) -> UnitReport {
        let mut members = self.member_findings(request);
        if request.std.stated {
            let mut report = self.check_under(request, request.std.version);
            report.diagnostics.append(&mut members);
            report.diagnostics.extend(self.family_findings(request));
            sort_and_merge(&mut report.diagnostics);
            return report;
        }
        let mut report = self.check_under(request, LanguageVersion::new(4, 0, Platform::MacOs));
        let mut generic = self.check_under(request, LanguageVersion::new(4, 1, Platform::MacOs));
        // What breaks is said once, with its repair.
        generic.diagnostics.retain(|finding| {
            let is_it = |related: &Related| related.place == finding.place;
            !members.iter().any(|member| member.code == Code::BreaksIn41 && member.related.iter().any(is_it))
        });
        merge_unstated(&mut report, generic);
        report.diagnostics.append(&mut members);
        sort_and_merge(&mut report.diagnostics);
        report
    }

    pub(crate) fn check_under(&self, request: &UnitRequest, version: LanguageVersion) -> UnitReport {
        let unit = self.unit(request, version);
        let mut report = UnitReport {
            path: request.path.clone(),
            std: request.std.clone(),
            diagnostics: Vec::new(),
            files: vec![request.path.clone()],
            incomplete: Vec::new(),
            stats: UnitStats::default(),
        };
        self.collect(unit, &mut report);
        sort_and_merge(&mut report.diagnostics);
        report
    }

    fn collect(&self, unit: Unit, report: &mut UnitReport) {
        let db = &self.db;
        if let Some(text) = unit.root(db).content(db).text() {
            report.stats.lines = line_count(text);
        }
        syntax_errors::preprocessor(db, unit, report);
        let of_the_text = report.diagnostics.len();
        syntax_errors::parser(db, unit, report);
        semantic::check(db, unit, report);
        if turns_fast_math_off(preprocessed(db, unit)) {
            report.diagnostics.retain(|finding| finding.code != Code::NanTestUnderFastMath);
        }
        report.diagnostics.extend(link::similar_groups_of(db, unit));
        let tokens_are_missing = |code| matches!(code, Code::IncludeNotFound | Code::LimitReached);
        if report.diagnostics[..of_the_text].iter().any(|finding| tokens_are_missing(finding.code)) {
            let mut later = report.diagnostics.split_off(of_the_text);
            later.retain(|finding| !rests_on_missing_tokens(finding.code));
            report.diagnostics.append(&mut later);
        }
    }
}

/// Whether a pragma of the unit turns fast math off (MSL spec §1.6.3), wherever it does.
fn turns_fast_math_off(preprocessed: &Preprocessed) -> bool {
    preprocessed.pragmas.iter().any(|pragma| {
        let text = pragma.text.as_str();
        text.starts_with("METAL fp") && (text.contains("safe") || text.contains("relaxed"))
    })
}

/// Whether findings of a code may only be there because an included file or the rest of an expansion is missing. What
/// is missing may declare anything, overloads as well, and define macros without which the rest is not even C++.
fn rests_on_missing_tokens(code: Code) -> bool {
    matches!(
        code,
        Code::SyntaxError
            | Code::UndeclaredIdentifier
            | Code::ProgramScopeVariable
            | Code::NoMatchingFunction
            | Code::AmbiguousCall
    )
}

/// Joins the reports of one unit under 4.0 and 4.1. A finding stays as it is if the other version has one of the
/// same code at its place, or an error there whatever its code: then the code is wrong under both.
fn merge_unstated(report: &mut UnitReport, generic: UnitReport) {
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
    for finding in &mut report.diagnostics {
        if !holds_in(&generic.diagnostics, finding) {
            lower_to_hint(finding, "Metal 4.0 and older");
        }
    }
    for finding in &mut only_generic {
        lower_to_hint(finding, "Metal 4.1 and newer");
    }
    report.diagnostics.append(&mut only_generic);
    sort_and_merge(&mut report.diagnostics);
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
