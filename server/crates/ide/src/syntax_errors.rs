//! Findings of the phases that know no names: preprocessor and parser.

use msl_db::{Db, Unit, preprocessed};
use msl_diagnostics::{Code, Diagnostic, Related, Severity};
use msl_preproc::DiagnosticKind;

use crate::{check::UnitReport, places::Places};

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
