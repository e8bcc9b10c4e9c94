//! What is reported: generic accesses that cost in loops, casts and tests that cannot be right.
//!
//! What a template's body says is reported once: an access if it costs in any instance, a test if it is constant in
//! all of them.

mod accesses;
mod tests;
pub mod words;

use msl_diagnostics::{Code, Severity};
use msl_parser::ast::{DeclId, TokenRange};
use msl_ty::Env;

use crate::program::Program;

/// A finding in a function's body, in terms of its tokens.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The function whose body it is in.
    pub function: DeclId,
    pub code: Code,
    pub severity: Option<Severity>,
    pub range: TokenRange,
    pub message: String,
    pub related: Vec<RelatedStep>,
}

/// A place that explains a finding.
#[derive(Clone, Debug, PartialEq)]
pub struct RelatedStep {
    /// The function whose body it is in.
    pub function: DeclId,
    /// Empty for the function as a whole.
    pub range: TokenRange,
    pub message: String,
}

/// Where costs start to matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Thresholds {
    /// Loops that run at most so often cost little.
    pub small_trip_count: u64,
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds { small_trip_count: 4 }
    }
}

/// The findings of a program.
pub fn findings(env: &Env, program: &Program, thresholds: Thresholds) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut numbers: Vec<usize> = (0..program.functions.len()).collect();
    numbers.sort_by_key(|&number| {
        let (function, _) = &program.functions[number];
        (function.item.decl, function.closure, number)
    });
    let same = |a: &usize, b: &usize| {
        let (a, b) = (&program.functions[*a].0, &program.functions[*b].0);
        a.item.decl == b.item.decl && a.closure == b.closure
    };
    for instances in numbers.chunk_by(same) {
        accesses::find(env, program, instances, thresholds, &mut found);
        tests::find(env, program, instances, &mut found);
    }
    found
}
