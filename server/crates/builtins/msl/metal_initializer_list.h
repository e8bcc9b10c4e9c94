//! The type of a braced list of values.
