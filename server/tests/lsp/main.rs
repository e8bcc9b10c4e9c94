//! End-to-end tests of the language server over its standard input and output: one file for each feature.

mod client;
mod diagnostics;
mod hover;
mod lifecycle;
mod navigation;
mod ordering;
