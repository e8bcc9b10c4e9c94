//! Types, conversions, overloads, templates and rule checks.

pub mod store;
