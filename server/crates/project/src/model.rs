//! What a project comes to: units, link units, findings.

use std::sync::Arc;

use msl_diagnostics::TextRange;
use msl_metallib::Side;
use msl_preproc::LanguageVersion;

use crate::{
    command::SpelledForm,
    version::{DeploymentTarget, side_of},
};

/// Something that has one language version.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    pub kind: UnitKind,
    /// What it is about: a shader source, a build file, a host source, a binary.
    pub path: Arc<str>,
    pub range: Option<TextRange>,
    /// Functions of a binary, when they are listed.
    pub function: Option<String>,
    /// `None`: not known.
    pub std: Option<LanguageVersion>,
    pub side: Side,
    /// The oldest system it is built for, when that is stated.
    pub deployment: Option<DeploymentTarget>,
    /// From the most telling on.
    pub evidence: Vec<Evidence>,
    /// Whether only a preset or options from outside give this version.
    pub(crate) is_alternative: bool,
    /// Where the version is spelled or can be written, when that place decides.
    pub(crate) spelled: Option<(Arc<str>, TextRange, SpelledForm)>,
}

impl Unit {
    pub(crate) fn new(kind: UnitKind, path: Arc<str>, std: Option<LanguageVersion>) -> Unit {
        Unit {
            kind,
            path,
            range: None,
            function: None,
            std,
            side: side_of(std),
            deployment: None,
            evidence: Vec::new(),
            is_alternative: false,
            spelled: None,
        }
    }

    /// The version in words.
    pub fn std_text(&self) -> String {
        match (self.std, self.side) {
            (Some(std), _) => std.to_string(),
            (None, Side::Before41) => "older than metal4.1".to_owned(),
            (None, Side::From41) => "metal4.1 or newer".to_owned(),
            (None, Side::Unknown) => "unknown".to_owned(),
        }
    }
}

/// What a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnitKind {
    /// A shader source that a build compiles, or that lies in the tree.
    Source,
    /// A compile whose source is not known or not there.
    Target,
    /// A compile at run time.
    Runtime,
    /// Compiled Metal.
    Binary,
}

impl UnitKind {
    /// The word used in JSON output.
    pub const fn as_str(self) -> &'static str {
        match self {
            UnitKind::Source => "source",
            UnitKind::Target => "target",
            UnitKind::Runtime => "runtime",
            UnitKind::Binary => "binary",
        }
    }
}

/// A place that shows a version, and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    pub path: Arc<str>,
    /// `None` in binaries.
    pub range: Option<TextRange>,
    /// The line of the range's start, from 1.
    pub line: Option<u32>,
    pub message: String,
}

/// Units that are joined.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkUnit {
    pub name: String,
    pub path: Arc<str>,
    pub range: Option<TextRange>,
    /// Indices of units.
    pub members: Vec<usize>,
    /// Inputs that could not be followed.
    pub unresolved: Vec<String>,
    pub join: Join,
    /// Whether a dynamic library is made of them, and not only linked with them.
    pub is_dynamic: bool,
    pub verdict: LinkVerdict,
    /// A name that one side needs and the other defines.
    pub crossing: Option<String>,
    /// The oldest system the link is for, when its command says so.
    pub deployment: Option<DeploymentTarget>,
    /// Whether the library gets its oldest system from the first input: `metallib` does that.
    pub(crate) takes_system_of_first: bool,
}

/// How the members of a link unit are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// Into one library, by `metallib`, `metal` or the build system.
    Library,
    /// Into an archive for later links.
    Archive,
    /// Slices for several GPUs side by side.
    Merge,
    /// By a dynamic library, when it is loaded.
    Dynamic,
    /// By host code, into one pipeline.
    Pipeline,
    /// A library that was found as it is.
    Binary,
}

/// Whether all members of a link unit stand on one side of the boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkVerdict {
    Consistent,
    Mixed,
    Unknown,
}

impl LinkVerdict {
    /// The word used in JSON output.
    pub const fn as_str(self) -> &'static str {
        match self {
            LinkVerdict::Consistent => "consistent",
            LinkVerdict::Mixed => "mixed",
            LinkVerdict::Unknown => "unknown",
        }
    }

    /// The verdict on sides, of which some may be missing.
    pub(crate) fn of(sides: impl Iterator<Item = Side>, all_are_known: bool) -> LinkVerdict {
        let (mut old, mut new, mut unknown) = (false, false, !all_are_known);
        for side in sides {
            match side {
                Side::Before41 => old = true,
                Side::From41 => new = true,
                Side::Unknown => unknown = true,
            }
        }
        match (old && new, unknown || !(old || new)) {
            (true, _) => LinkVerdict::Mixed,
            (false, true) => LinkVerdict::Unknown,
            (false, false) => LinkVerdict::Consistent,
        }
    }
}

/// The version that build files give a shader source.
#[derive(Clone, Debug, PartialEq)]
pub struct Detected {
    pub std: LanguageVersion,
    pub evidence: Vec<Evidence>,
}
