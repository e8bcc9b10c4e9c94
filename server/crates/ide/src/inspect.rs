//! What is known about one place. [`crate::names`] finds it.

use msl_diagnostics::{Place, Related, TextRange};

use crate::{
    flow_facts::{Context, Loop},
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

/// What a name refers to after overload resolution.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    pub place: Place,
    pub name: String,
}
