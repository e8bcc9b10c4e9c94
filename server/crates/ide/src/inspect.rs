//! What is known about one place, or about every reference and pointer access of a file.

use std::sync::Arc;

use msl_diagnostics::{Place, Related, TextRange};

use crate::{
    analysis::{Analysis, UnitRequest},
    flow_report::AccessCounts,
};

/// What hover knows about a place. The fields are those of the JSON that `inspect` prints.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Inspection {
    /// Where the name or access is.
    pub range: TextRange,
    pub text: String,
    /// `variable`, `parameter`, `field`, `function`, `method`, `type`, `macro`, `attribute`, `this`, `access`,
    /// `call`, `expression` …; `None` if there is nothing.
    pub kind: Option<&'static str>,
    /// As MSL spells it; a generic pointer is spelled without a space.
    pub ty: Option<String>,
    /// Declared space of the pointee or referee.
    pub space: Option<&'static str>,
    /// Space of the object that an lvalue designates.
    pub storage: Option<&'static str>,
    /// Only for generic pointers; empty means null or unreachable.
    pub inferred: Option<Vec<&'static str>>,
    pub resolution: Option<&'static str>,
    /// Why nothing is claimed, where that is a limit of the analysis.
    pub limit: Option<&'static str>,
    /// For a function's definition: its accesses through generic pointers.
    pub accesses: Option<AccessCounts>,
    pub contexts: Vec<Context>,
    pub origins: Vec<Related>,
    pub definitions: Vec<Definition>,
    pub instantiation: Option<String>,
    pub loops: Vec<Loop>,
    pub docs: Option<String>,
}

/// The inferred spaces in one direct caller.
#[derive(Clone, Debug, PartialEq)]
pub struct Context {
    pub caller: Place,
    pub inferred: Vec<&'static str>,
}

/// What a name refers to after overload resolution.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    pub place: Place,
    pub name: String,
}

/// A loop around an access.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    pub range: TextRange,
    /// From 1 for the outermost.
    pub depth: u32,
    pub trip_count: Option<u64>,
}

impl Analysis {
    /// What is known about the name at `offset` of `path`, a file of the unit.
    pub fn inspect(&self, request: &UnitRequest, path: &Arc<str>, offset: u32) -> Inspection {
        let unit = self.unit(request, request.std.version);
        let found = crate::names::inspections(&self.db, unit, path, Some(offset));
        // The innermost of what covers the place; a name goes before an access that starts with it.
        found
            .into_iter()
            .filter(|found| found.kind != Some("access"))
            .min_by_key(|found| found.range.end - found.range.start)
            .unwrap_or(Inspection { range: TextRange::new(offset, offset), ..Inspection::default() })
    }

    /// Everything that [`Analysis::inspect`] could say about `path`: names and accesses, in order of place.
    pub fn inspect_all(&self, request: &UnitRequest, path: &Arc<str>) -> Vec<Inspection> {
        let unit = self.unit(request, request.std.version);
        crate::names::inspections(&self.db, unit, path, None)
    }
}
