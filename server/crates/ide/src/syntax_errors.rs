//! Findings of the phases that know no names: preprocessor and parser.

use msl_db::{BodyPlace, Db, Unit, parse_inline_body, parsed_body, parsed_decls, preprocessed, split_unit};
use msl_diagnostics::{Code, Diagnostic, Related, Severity};
use msl_parser::{SyntaxDiagnostic, SyntaxErrorKind};
use msl_preproc::DiagnosticKind;

use crate::{
    check::UnitReport,
    places::{Places, TokenPlaces},
};

/// Adds what the preprocessor found, and what is missing because of it.
pub(crate) fn preprocessor(db: &dyn Db, unit: Unit, report: &mut UnitReport) {
    let preprocessed = preprocessed(db, unit);
    let places = Places { shared: db.shared(), preprocessed, root: unit.root(db).path(db) };
    for file in preprocessed.map.files() {
        if let Some(path) = db.shared().path(file)
            && !report.files.contains(path)
        {
            report.files.push(path.clone());
        }
    }
    // In no particular order so far; the root stays first.
    report.files[1..].sort();
    for finding in &preprocessed.diagnostics {
        let (code, severity) = match finding.kind {
            DiagnosticKind::SyntaxError => (Code::SyntaxError, Severity::Error),
            DiagnosticKind::PreprocessorError => (Code::PreprocessorError, Severity::Error),
            DiagnosticKind::Warning => (Code::PreprocessorWarning, Severity::Warning),
            DiagnosticKind::IncludeNotFound => (Code::IncludeNotFound, Severity::Error),
            DiagnosticKind::Limit => (Code::LimitReached, Severity::Warning),
        };
        if matches!(finding.kind, DiagnosticKind::IncludeNotFound | DiagnosticKind::Limit) {
            report.incomplete.push(finding.message.clone());
        }
        let place = places.between(finding.range.clone());
        let mut diagnostic = Diagnostic::new(code, severity, place, finding.message.clone());
        diagnostic.related.extend(finding.notes.iter().map(|note| Related {
            place: places.in_file(note.file, note.range.clone()),
            message: note.message.clone(),
        }));
        report.diagnostics.push(diagnostic);
    }
}

/// Adds what the parser found in declarations and in each body.
pub(crate) fn parser(db: &dyn Db, unit: Unit, report: &mut UnitReport) {
    let tree = parsed_decls(db, unit);
    let places = TokenPlaces::of(db, unit);
    let mut add = |body: Option<BodyPlace>, findings: &[SyntaxDiagnostic]| {
        for finding in findings {
            let (code, severity) = match finding.kind {
                SyntaxErrorKind::UnknownType(_) => (Code::UndeclaredIdentifier, Severity::Error),
                SyntaxErrorKind::TooDeep => (Code::LimitReached, Severity::Warning),
                SyntaxErrorKind::Expected
                | SyntaxErrorKind::ReservedWord(_)
                | SyntaxErrorKind::Unbalanced
                | SyntaxErrorKind::Misplaced => (Code::SyntaxError, Severity::Error),
            };
            if code == Code::LimitReached {
                report.incomplete.push(finding.message.clone());
            }
            let message = finding.message.clone();
            report.diagnostics.push(places.diagnostic(body, code, severity, finding.range, message, &finding.related));
        }
    };
    add(None, &tree.diagnostics);
    let bodies = split_unit(db, unit).bodies(db);
    for of in &tree.functions {
        match of.body {
            BodyPlace::Deferred(number) => {
                if let Some(parsed) = bodies.get(number as usize).and_then(|&body| parsed_body(db, body).as_ref()) {
                    add(Some(of.body), &parsed.diagnostics);
                }
            }
            BodyPlace::Inline(range) => {
                let parsed = parse_inline_body(db, unit, of.function, range);
                add(Some(of.body), &parsed.diagnostics);
            }
        }
    }
}
