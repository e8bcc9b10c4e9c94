//! Address-space flow: what every generic pointer can point to, why, and what it costs.
//!
//! Vocabulary:
//!
//! * A [`Value`](value::Value) is what is known of a generic pointer at one point of a function, in terms of the
//!   function's *inputs*: its generic parameters, `this`, and the generic pointers stored in what those lead to.
//! * A function's [`Summary`](summary::Summary) lists its *accesses* through generic pointers, its *calls* and its
//!   *outputs*: the value it returns and what it leaves in the objects of its caller. A summary says nothing about
//!   callers.
//! * A *context* is a vector of what the inputs are in one call, as full inlining would copy the function.
//!   [`Program`](program::Program) finds the contexts of every function from the entry points down, and decides each
//!   access: its *inferred* spaces are what is true, its [`Resolution`](program::Resolution) is what is paid.
//!
//! Under versions before 4.1 nothing is generic and nothing is computed.

pub mod border;
pub mod findings;
mod loops;
pub mod program;
pub mod queries;
pub mod summary;
pub mod uniformity;
pub mod value;
mod walk;

pub use findings::{Finding, Thresholds};
pub use program::{AccessVerdict, Program, Resolution, Verdict};
pub use queries::{flow_findings, summary_of_body, summary_of_instance, unit_flow};
pub use uniformity::divergent_tables;
