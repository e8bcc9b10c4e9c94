//! What is wrong with a file, as data.
//!
//! A reader of foreign binaries meets truncated, damaged and hostile input. None of that is an error of the program:
//! each reader returns what it could read together with [`Problems`].

use std::fmt;

/// How many problems are kept in one list. A damaged file repeats itself; the rest are only counted.
const MAX_PROBLEMS: usize = 64;

/// The class of a [`Problem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ProblemKind {
    /// The input ends before a structure that it announces.
    Truncated,
    /// A structure has a form that the format does not allow.
    Malformed,
    /// An offset or a size points outside the input or its section.
    OutOfRange,
    /// A known form that this reader does not follow (a thin archive, several modules in one bitcode file).
    Unsupported,
    /// The reader stopped because the input asked for more work than its size justifies.
    LimitReached,
    /// Two statements of the file contradict each other.
    Inconsistent,
    /// The file was not made by Apple's tools. It may be right, but Apple's invariants do not hold for it.
    Foreign,
}

impl ProblemKind {
    /// A stable kebab-case name.
    pub const fn as_str(self) -> &'static str {
        match self {
            ProblemKind::Truncated => "truncated",
            ProblemKind::Malformed => "malformed",
            ProblemKind::OutOfRange => "out-of-range",
            ProblemKind::Unsupported => "unsupported",
            ProblemKind::LimitReached => "limit-reached",
            ProblemKind::Inconsistent => "inconsistent",
            ProblemKind::Foreign => "foreign",
        }
    }
}

/// One thing that is wrong with the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub kind: ProblemKind,
    /// Where, in bytes from the start of the slice that the reporting reader was given.
    pub offset: u64,
    /// A sentence without its full stop.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}: {}", self.kind.as_str(), self.offset, self.message)
    }
}

/// A bounded list of problems.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problems {
    list: Vec<Problem>,
    suppressed: usize,
}

impl Problems {
    /// The problems that were kept, in the order in which they were met.
    pub fn list(&self) -> &[Problem] {
        &self.list
    }

    /// How many more there were.
    pub fn suppressed(&self) -> usize {
        self.suppressed
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub fn iter(&self) -> std::slice::Iter<'_, Problem> {
        self.list.iter()
    }

    /// Whether one of the kept problems is of this kind.
    pub fn has(&self, kind: ProblemKind) -> bool {
        self.list.iter().any(|problem| problem.kind == kind)
    }

    pub(crate) fn add(&mut self, kind: ProblemKind, offset: u64, message: impl Into<String>) {
        if self.list.len() < MAX_PROBLEMS {
            self.list.push(Problem { kind, offset, message: message.into() });
        } else {
            self.suppressed += 1;
        }
    }
}

impl<'a> IntoIterator for &'a Problems {
    type Item = &'a Problem;
    type IntoIter = std::slice::Iter<'a, Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}
