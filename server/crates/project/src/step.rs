//! What readers of build files hand on: commands that would run, and targets that a build system compiles by itself.

use crate::{
    command::Detection,
    text::{Origin, Text},
};

/// One command that a build would run.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) words: Vec<Text>,
    /// Folders that relative paths may be relative to, the likeliest first.
    pub(crate) directories: Vec<String>,
    /// Steps of one scope see each other's outputs: a configuration of a build.
    pub(crate) scope: String,
    /// Whether its input is the output of the step before.
    pub(crate) piped: bool,
}

/// A target whose sources are compiled with the same settings and linked into one library.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) name: String,
    pub(crate) at: Origin,
    pub(crate) version: Detection,
    pub(crate) sources: Vec<TargetSource>,
}

/// A source of a target.
#[derive(Clone, Debug)]
pub(crate) struct TargetSource {
    pub(crate) path: String,
    /// What flags of this file alone say.
    pub(crate) version: Option<Detection>,
}

/// Where readers put what they find.
#[derive(Debug, Default)]
pub(crate) struct Sink {
    pub(crate) steps: Vec<Step>,
    pub(crate) targets: Vec<Target>,
}
