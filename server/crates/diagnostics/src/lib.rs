//! Diagnostics as plain data, and everything that decides which of them a user sees.
//!
//! * A [`Code`] is a stable kebab-case name with a [`Group`] and a default [`Severity`].
//! * Phases report a code, a place in their own terms and a message; what a user sees is a [`Diagnostic`] with file
//!   ranges, which text, JSON, SARIF, GitHub and LSP merely print.
//! * [`Levels`] are the user's choice of severity by code or group, [`Suppressions`] the comments in a file that
//!   silence findings, a [`Baseline`] the findings that were there before.
//!
//! This crate knows no other crate of the workspace.

mod baseline;
mod code;
mod diagnostic;
mod levels;
mod suppress;

pub use baseline::{Baseline, BaselineEntry};
pub use code::{Code, Group, Severity, Tag};
pub use diagnostic::{Diagnostic, Fix, FixKind, Place, Related, TextEdit, TextRange, sort_and_merge};
pub use levels::{Level, Levels, Selector};
pub use suppress::{Allow, AllowScope, AllowWhat, Suppressions};
