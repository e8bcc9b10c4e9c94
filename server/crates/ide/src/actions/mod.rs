//! Changes of code that the analyser can make: one file a family, plain data in and out.
//!
//! Vocabulary:
//!
//! * An *action* is a change that a user may choose at some place: a title and edits of files.
//! * A *refusal* is an action that was asked for and is not right here, with the reason. Nothing is edited inside a
//!   macro's definition, because that would change every use of the macro.
//! * A *judgement* says what a change of the language version does to a unit.
//!
//! [`edits`] builds edits from tokens, so that formatting, comments and macros stay. [`members`] judges member functions
//! under Metal 4.1. [`casts`], [`annotate`] and [`hot_loops`] write address spaces where they are needed, [`unannotate`] takes them away.
//! [`overloads`] finds families of overloads, with what [`spelling`] does not tell apart, [`consolidate`] makes one function
//! of each, [`generate`] is the inverse. [`verify`] checks a unit with edits made. [`refactor`] moves
//! code. [`source`] changes a whole file. [`offers`] is what an editor offers at a
//! place, [`trial`] makes all of it and looks whether it keeps its promise.

mod annotate;
mod casts;
mod consolidate;
pub(crate) mod edits;
mod generate;
mod hot_loops;
pub(crate) mod members;
mod members_findings;
mod offers;
mod overloads;
mod refactor;
mod source;
mod spelling;
mod trial;
mod unannotate;
mod verify;

pub(crate) use casts::resolving_cast;
pub use consolidate::{Depth, OverloadFamily};

pub use edits::apply as apply_edits;
pub use generate::Specialization;
pub use members::{JudgedMember, MemberVerdict, MembersJudgement};
pub use members_findings::migration_finding;
pub use offers::{Action, ActionKind};
pub use trial::{Trial, TrialOutcome};
pub use verify::{EditMap, Replacement};
