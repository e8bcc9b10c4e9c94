//! The `assert` macro.
