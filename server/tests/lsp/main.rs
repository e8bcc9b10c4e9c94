//! End-to-end tests of the language server over its standard input and output: one file for each feature.

mod call_hierarchy;
mod client;
mod code_actions;
mod code_lens;
mod color;
mod compiler;
mod completion;
mod diagnostics;
mod document_link;
mod formatting;
mod frameworks;
mod hover;
mod inlay_hints;
mod layout;
mod lifecycle;
mod links;
mod navigation;
mod ordering;
mod properties;
mod references;
mod rename;
mod semantic_tokens;
mod signature_help;
mod symbols;
mod type_hierarchy;
mod workspace;
