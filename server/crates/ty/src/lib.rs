//! Types, conversions, overloads, templates and rule checks.
//!
//! * [`store`]: interned types. [`sema`]: the environment of a unit and the questions asked of it.
//! * [`lookup`], [`resolve`] with `containers` and `template_args`, [`record`], [`signature`]: from names and types as written to what they mean.
//! * [`deduce`], `ctad`, [`convert`], [`overload`]: templates and calls. [`consteval`]: constants.
//! * [`queries`]: all of it as salsa queries.
//! * [`attributes`]: attributes and entry points.
//! * [`expr`] with `names`, `members`, `operators`, `assignments`, `casts`, `construct`, `call`, `lambdas`, `stmt`, `decls`:
//!   the walk that checks; `call_findings` and `conversion_findings`: what it says. [`check`]: its entry points.
//! * [`rules`]: what the walk asks beyond names and types.

mod assignments;
pub mod attributes;
mod call;
mod call_findings;
mod casts;
pub mod check;
pub mod consteval;
mod construct;
mod containers;
mod conversion_findings;
pub mod convert;
mod ctad;
pub mod decls;
pub mod deduce;
pub mod expr;
mod instantiate;
mod lambdas;
pub mod lookup;
mod members;
mod names;
mod operators;
pub mod overload;
pub mod queries;
pub mod record;
mod redeclare;
pub mod resolve;
mod review;
pub mod rules;
pub mod sema;
pub mod signature;
pub mod since;
mod stmt;
pub mod store;
mod template_args;
pub mod types;

pub use check::{Checked, Counts};
pub use queries::{Instance, MAX_INSTANCES, body_of, called_instances, checked_instance, unit_instances};
pub use queries::{checked_body, checked_declarations, checked_inline_bodies, entry_instances, environment};
pub use queries::{explicit_instances, unit_recursion};
pub use sema::{DeclRef, Env, Sema, TyDiagnostic};
