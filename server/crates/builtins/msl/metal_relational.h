//! Tests on floating-point values and vectors of truth values, and selection by them.
