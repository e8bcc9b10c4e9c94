//! Questions about types and types made from types, at compile time.
