//! Syntax of C++17, which Metal has from 4.0 on. Before that compilers accept most of it as an extension and warn, so
//! these are hints; what they reject is reported where it is met.

use msl_builtins::Since;
use msl_diagnostics::{Code, Severity};
use msl_parser::ast::*;

use crate::expr::Checker;

impl<'a> Checker<'a> {
    /// Hints at syntax of C++17 in a version that is based on C++14. `what` is in the plural.
    pub(crate) fn newer_syntax(&self, range: TokenRange, what: &str) {
        if Since::both(4, 0).includes(self.sema.version()) || self.generic.is_some() {
            return;
        }
        self.report_as(
            Severity::Hint,
            Code::RequiresNewerLanguageVersion,
            range,
            format!("{what} are C++17, which Metal has from 4.0 on: before that compilers take them as an extension and warn"),
        );
    }
}
