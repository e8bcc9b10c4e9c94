//! What the check of a unit says: findings, and numbers about how much of it is understood.

use std::sync::Arc;

use msl_diagnostics::Diagnostic;

use crate::analysis::StdChoice;

/// What [`Analysis::check`](crate::Analysis::check) found.
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
