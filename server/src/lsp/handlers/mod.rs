//! One file for each family of methods. A handler reads a [`Snapshot`](super::snapshot::Snapshot), asks the analyser,
//! and translates.

pub(crate) mod code_action;
pub(crate) mod hover;
pub(crate) mod navigation;
pub(crate) mod pull_diagnostics;
