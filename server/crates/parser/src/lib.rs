//! Tokens to syntax tree, with the name lookup that C++ needs while parsing.
//!
//! See [`ast`] for the shape of the tree and its layers, [`scope`] for the symbol table that is built on the way.

pub mod ast;
pub mod scope;
