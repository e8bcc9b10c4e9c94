//! One file a feature: plain data in, plain data out.
//!
//! [`Analysis`] is the whole interface of the analyser for its front ends, the command line and the language server.
//! It answers about a translation unit ([`UnitRequest`]: a file, how it is compiled and how certain that is) with
//! plain data whose places are byte ranges in files.
//!
//! * [`check`](Analysis::check): every finding of a unit.
//! * [`inspect`](Analysis::inspect): what is known about one place; [`inspect_all`](Analysis::inspect_all): about
//!   every reference and pointer access of a file.
//! * [`hover`](Analysis::hover), [`definition`](Analysis::definition) and what else an editor asks about a place.

mod analysis;
mod attributes;
mod check;
mod comments;
mod hover;
mod inspect;
mod names;
mod navigation;
mod places;
mod semantic;
mod syntax_errors;
mod view;

pub use analysis::{Analysis, StdChoice, UnitRequest};
pub use check::{UnitReport, UnitStats};
pub use hover::Hover;
pub use inspect::{Context, Definition, Inspection, Loop};
pub use msl_db::{Define, UnitOptions, file_system};
pub use navigation::{Navigation, NavigationTarget};

#[cfg(test)]
mod tests;
