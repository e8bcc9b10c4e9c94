//! One file for each family of methods. A handler reads a [`Snapshot`](super::snapshot::Snapshot), asks the analyser,
//! and translates.

pub(crate) mod call_hierarchy;
pub(crate) mod code_action;
pub(crate) mod code_lens;
pub(crate) mod color;
pub(crate) mod completion;
pub(crate) mod document_link;
pub(crate) mod explain_spaces;
pub(crate) mod formatting;
pub(crate) mod hover;
pub(crate) mod inlay_hints;
pub(crate) mod layout;
pub(crate) mod navigation;
pub(crate) mod pull_diagnostics;
pub(crate) mod references;
pub(crate) mod semantic_tokens;
pub(crate) mod signature_help;
pub(crate) mod symbols;
pub(crate) mod type_hierarchy;
