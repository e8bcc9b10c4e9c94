//! Rules of Metal that go beyond names, conversions and overloads: what may stand where although every type fits.
//!
//! Each rule looks at something that the walk of [`crate::expr`] has just resolved, and stays silent about whatever is
//! unknown or depends on template parameters.
//!
//! * [`access`]: private and protected members.
//! * [`conditions`]: what decides a branch is one truth value.
//! * [`constant_conversion`]: constants that become another value.
//! * [`construction`]: how many components a vector or matrix is made from, and which components exist.
//! * [`divergence`]: calls and arguments that have to be the same in all threads of a group.
//! * [`texture_fences`]: reads of what the thread has just written to a texture.
//! * [`narrowing`]: items of lists that the type they initialise may not hold.
//! * [`newer_syntax`]: syntax of C++17 before Metal 4.0.
//! * [`jumps`]: `break`, `continue` and the labels of `switch`; [`missing_return`]: functions that end without a result.
//! * [`operands`]: operands, callees and indices of a type that cannot be one. [`initialisation`]: constructors and lists.
//! * [`function_pointers`]: pointers to functions, tables of them, and the groups that calls name.
//! * [`library_calls`]: constant arguments, ranges and memory orders that the library asks for; deprecated names.
//! * [`variables`]: what may be declared in a function and at program scope, and how it is initialised.
//! * [`written_types`]: types and qualifiers that Metal, or the version in force, does not have.
//! * [`recursion`]: cycles among the functions of a unit.
//! * [`suggest`]: names close to one that nothing declares.

mod access;
mod conditions;
mod constant_conversion;
mod construction;
mod divergence;
pub mod function_pointers;
mod initialisation;
pub(crate) mod jumps;
mod library_calls;
mod missing_return;
mod narrowing;
mod newer_syntax;
mod operands;
pub mod recursion;
mod suggest;
pub(crate) mod texture_fences;
mod variables;
mod written_types;

pub(crate) use divergence::Parting;
pub(crate) use suggest::Wanted;

use msl_builtins::Since;
use msl_diagnostics::{Code, Severity};
use msl_parser::ast::*;

use crate::expr::{Checker, ExprInfo};
use crate::sema::{TokenEdit, TokenFix, TyDiagnostic};
use crate::store::*;

/// A repair that writes a call around an expression: `x` becomes `name(x)`.
pub(crate) fn wrap(range: TokenRange, name: &str, preferred: bool) -> TokenFix {
    TokenFix {
        title: format!("Write `{name}(…)`"),
        preferred,
        edits: vec![
            TokenEdit { range: TokenRange::new(range.start, range.start), after: false, text: format!("{name}(") },
            TokenEdit { range: TokenRange::new(range.end, range.end), after: true, text: ")".to_owned() },
        ],
    }
}

/// A repair that replaces tokens by text.
pub(crate) fn replace(range: TokenRange, text: &str) -> TokenFix {
    TokenFix {
        title: format!("Write `{text}`"),
        preferred: true,
        edits: vec![TokenEdit { range, after: false, text: text.to_owned() }],
    }
}

/// A repair that takes a word out.
pub(crate) fn remove(token: u32, word: &str, preferred: bool) -> TokenFix {
    TokenFix {
        title: format!("Remove `{word}`"),
        preferred,
        edits: vec![TokenEdit { range: TokenRange::new(token, token + 1), after: false, text: String::new() }],
    }
}

impl<'a> Checker<'a> {
    /// Reports a finding with repairs.
    pub(crate) fn report_with(&self, code: Code, range: TokenRange, message: String, fixes: Vec<TokenFix>) {
        self.sema.report(|| TyDiagnostic { code, severity: None, range, message, related: Vec::new(), fixes });
    }

    /// Reports a finding that is less serious than its code's default.
    pub(crate) fn report_as(&self, severity: Severity, code: Code, range: TokenRange, message: String) {
        let severity = Some(severity);
        self.sema.report(|| TyDiagnostic { code, severity, range, message, related: Vec::new(), fixes: Vec::new() });
    }

    /// Reports something that the version in force is too old for; `what` begins the sentence.
    pub(crate) fn needs(&self, since: Since, range: TokenRange, what: &str) {
        if self.sema.has(since) {
            return;
        }
        self.report(
            Code::RequiresNewerLanguageVersion,
            range,
            format!(
                "{what} {} or later; this file is built as {}",
                self.sema.needed_version(since),
                self.sema.version()
            ),
        );
    }

    /// Whether a type is a class of the library with this name in namespace `metal`.
    pub(crate) fn is_library_class(&self, ty: Ty, name: &str) -> bool {
        match self.kind(ty) {
            TyKind::Record(decl, _) => {
                self.sema.is_metal_library(*decl) && self.sema.decl_name(*decl).is_some_and(|own| own.as_str() == name)
            }
            _ => false,
        }
    }

    /// Whether objects of a type cannot be copied (atomic objects, intersection queries).
    pub(crate) fn is_no_copy(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TyKind::Record(decl, _) => {
                self.sema.is_library(*decl) && self.sema.env.library.facts(*decl).is_some_and(|facts| facts.no_copy)
            }
            _ => false,
        }
    }

    /// Reports a copy of an object that cannot be copied; `false` if it can.
    pub(crate) fn check_copy(&self, expr: ExprId, from: &ExprInfo) -> bool {
        if from.category == crate::expr::Category::PrValue || !self.is_no_copy(from.ty.ty) {
            return false;
        }
        let range = self.ast()[expr].range;
        let (message, fixes) = if self.is_library_class(from.ty.ty, "atomic") {
            let edit = |at: u32, after: bool, text: &str| TokenEdit {
                range: TokenRange::new(at, at),
                after,
                text: text.to_owned(),
            };
            let load = TokenFix {
                title: "Read it with `atomic_load_explicit`".to_owned(),
                preferred: false,
                edits: vec![
                    edit(range.start, false, "atomic_load_explicit(&"),
                    edit(range.end, true, ", memory_order_relaxed)"),
                ],
            };
            let is_operand = matches!(
                self.ast()[expr].kind,
                ExprKind::Path(_) | ExprKind::Member { .. } | ExprKind::Index { .. } | ExprKind::Paren(_)
            );
            (
                "an atomic object cannot be copied: read its value with `atomic_load_explicit` (MSL spec §2.6)"
                    .to_owned(),
                if is_operand { vec![load] } else { Vec::new() },
            )
        } else {
            (format!("an object of type `{}` cannot be copied", self.sema.spell_ty(from.ty.ty)), Vec::new())
        };
        self.report_with(Code::NotCopyable, range, message, fixes);
        true
    }
}
