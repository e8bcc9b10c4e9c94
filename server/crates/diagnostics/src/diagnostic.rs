//! What a user sees: a finding with places in files.

use std::sync::Arc;

use crate::{Code, Severity};

/// A half-open range of byte offsets in one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct TextRange {
    pub start: u32,
    pub end: u32,
}

impl TextRange {
    pub const fn new(start: u32, end: u32) -> TextRange {
        TextRange { start, end }
    }

    /// Whether `offset` lies in the range or at its end.
    pub const fn touches(self, offset: u32) -> bool {
        self.start <= offset && offset <= self.end
    }

    /// The smallest range that holds both.
    pub fn cover(self, other: TextRange) -> TextRange {
        TextRange { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A range in a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The path of the file as the file system abstraction names it: with `/`, normalised.
    pub path: Arc<str>,
    pub range: TextRange,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub code: Code,
    pub severity: Severity,
    pub place: Place,
    /// What is wrong in the author's terms, and the way out. No full stop at the end, no code, no severity.
    pub message: String,
    pub related: Vec<Related>,
    pub fixes: Vec<Fix>,
}

/// A place that helps to understand a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    pub place: Place,
    pub message: String,
}

/// A change that repairs a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    pub title: String,
    pub kind: FixKind,
    /// Whether it is the one repair that keeps the meaning and can be applied without asking.
    pub preferred: bool,
    pub edits: Vec<TextEdit>,
}

/// What sort of change a fix is; the names are those of LSP code action kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FixKind {
    QuickFix,
    Refactor,
}

impl FixKind {
    pub const fn as_str(self) -> &'static str {
        match self {
            FixKind::QuickFix => "quickfix",
            FixKind::Refactor => "refactor",
        }
    }
}

/// The text of `place` becomes `new_text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    pub place: Place,
    pub new_text: String,
}

impl Diagnostic {
    pub fn new(code: Code, severity: Severity, place: Place, message: impl Into<String>) -> Diagnostic {
        Diagnostic { code, severity, place, message: message.into(), related: Vec::new(), fixes: Vec::new() }
    }
}

/// Sorts by place and leaves one of each finding.
///
/// A header that several units include is analysed in each of them, so the same finding comes several times. The
/// places, code and message decide what is the same; of several, the worst severity and the most related places stay.
pub fn sort_and_merge(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by(|a, b| {
        (&a.place, a.code, &a.message, a.severity, b.related.len()).cmp(&(
            &b.place,
            b.code,
            &b.message,
            b.severity,
            a.related.len(),
        ))
    });
    diagnostics
        .dedup_by(|later, kept| later.place == kept.place && later.code == kept.code && later.message == kept.message);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagnostic(start: u32, severity: Severity, message: &str) -> Diagnostic {
        let place = Place { path: "a.metal".into(), range: TextRange::new(start, start + 1) };
        Diagnostic::new(Code::TypeMismatch, severity, place, message)
    }

    #[test]
    fn one_of_each_in_order_of_place() {
        let mut all = vec![
            diagnostic(9, Severity::Error, "later"),
            diagnostic(3, Severity::Hint, "same"),
            diagnostic(3, Severity::Error, "same"),
            diagnostic(3, Severity::Error, "another"),
        ];
        sort_and_merge(&mut all);
        let seen: Vec<_> = all.iter().map(|d| (d.place.range.start, d.severity, d.message.as_str())).collect();
        assert_eq!(
            seen,
            [(3, Severity::Error, "another"), (3, Severity::Error, "same"), (9, Severity::Error, "later")]
        );
    }
}
