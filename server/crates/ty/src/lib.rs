//! Types, conversions, overloads, templates and rule checks.
