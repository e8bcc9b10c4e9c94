//! What is reported: generic accesses that cost in loops, casts and tests that cannot be right.

use msl_diagnostics::{Code, Severity};
use msl_parser::ast::TokenRange;
use msl_ty::{DeclRef, Env};

use crate::program::{Program, Resolution};
use crate::summary::{Access, Input, Summary, TestKind};
use crate::value::{SourceKind, Spaces, Value};

/// A finding in a function's body, in terms of its tokens.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub function: DeclRef,
    pub code: Code,
    pub severity: Option<Severity>,
    pub range: TokenRange,
    pub message: String,
    /// Places of the same body.
    pub related: Vec<(TokenRange, String)>,
}

/// Loops that run at most so often cost little (design default).
const SMALL_TRIP_COUNT: u64 = 4;

/// The findings of a program.
pub fn findings(env: &Env, program: &Program) -> Vec<Finding> {
    let mut found = Vec::new();
    for (number, (function, summary)) in program.functions.iter().enumerate() {
        hot_accesses(program, number, *function, summary, &mut found);
        tests(program, number, *function, summary, &mut found);
    }
    let _ = env;
    found
}

fn hot_accesses(program: &Program, number: usize, function: DeclRef, summary: &Summary, found: &mut Vec<Finding>) {
    // Accesses through one value in one loop are one finding.
    let mut groups: Vec<(Vec<u32>, Value, Vec<&Access>, Spaces)> = Vec::new();
    for access in &summary.accesses {
        let (inferred, resolution) = program.verdict(number, &access.pointer);
        if resolution != Some(Resolution::Runtime) {
            continue;
        }
        let same = |(loops, value, ..): &&mut (Vec<u32>, Value, Vec<&Access>, Spaces)| {
            *loops == access.loops && same_sources(value, &access.pointer)
        };
        match groups.iter_mut().find(same) {
            Some((_, _, members, spaces)) => {
                members.push(access);
                *spaces = spaces.union(inferred);
            }
            None => groups.push((access.loops.clone(), access.pointer.clone(), vec![access], inferred)),
        }
    }
    for (loops, value, accesses, inferred) in groups {
        let is_called_in_loop = program.called_in_loop[number];
        let (code, severity) = match (&*loops, is_called_in_loop) {
            ([], false) => (Code::UnresolvedGenericPointer, None),
            (own, called) => {
                let trips = own
                    .iter()
                    .map(|&index| summary.loops[index as usize].trip_count)
                    .try_fold(1u64, |product, trips| Some(product.saturating_mul(trips?)));
                let is_small = !called && trips.is_some_and(|trips| trips <= SMALL_TRIP_COUNT);
                (Code::GenericPointerInHotLoop, is_small.then_some(Severity::Hint))
            }
        };
        let mut related = Vec::new();
        for &index in loops.iter().rev() {
            let of = &summary.loops[index as usize];
            let trips = of.trip_count.map_or_else(String::new, |trips| format!(", {trips} passes"));
            related.push((of.range, format!("in this loop (depth {}{trips})", index_depth(&loops, index))));
        }
        for access in accesses.iter().skip(1) {
            related.push((access.range, "the same pointer is used here".to_owned()));
        }
        for source in &value.sources {
            if !source.at.is_empty() {
                related.push((source.at, origin(source.kind.clone())));
            }
        }
        let first = accesses[0];
        found.push(Finding {
            function,
            code,
            severity,
            range: first.range,
            message: message(code, summary, &value, inferred, loops.is_empty()),
            related,
        });
    }
}

fn index_depth(loops: &[u32], index: u32) -> usize {
    loops.iter().position(|&own| own == index).map_or(1, |position| position + 1)
}

fn same_sources(a: &Value, b: &Value) -> bool {
    a.sources.len() == b.sources.len() && a.sources.iter().zip(&b.sources).all(|(a, b)| a.kind == b.kind)
}

fn message(code: Code, summary: &Summary, value: &Value, inferred: Spaces, called: bool) -> String {
    let why = if value.is_opaque {
        "it is taken from a local whose contents the compiler cannot follow"
    } else if value.sources.iter().any(|source| is_from_memory(summary, &source.kind)) {
        "it is loaded from memory"
    } else if value.sources.iter().any(|source| matches!(source.kind, SourceKind::Outside)) {
        "it comes from a call that leaves this program"
    } else if value.sources.len() > 1 {
        "values of different address spaces meet in it"
    } else {
        "its callers do not agree in a way that the compiler can see"
    };
    let words = inferred.words();
    let way_out = match &*words {
        [one] => format!(
            "it can only point to {one} memory: `static_cast<{one} …>` says so to the compiler and makes the access free"
        ),
        _ => "test the address space once and use a concrete pointer, or give the callers overloads for their spaces"
            .to_owned(),
    };
    match code {
        Code::GenericPointerInHotLoop => {
            let place = if called { "in a function that is called from a loop" } else { "in a loop" };
            format!(
                "the compiler cannot resolve this generic pointer, since {why}: each access {place} branches on the address space; {way_out}"
            )
        }
        _ => format!(
            "the compiler cannot resolve this generic pointer, since {why}: the access branches on the address space at run time"
        ),
    }
}

/// Whether a value is one that lies in memory that the function is only given a way to.
fn is_from_memory(summary: &Summary, kind: &SourceKind) -> bool {
    match kind {
        SourceKind::Memory => true,
        SourceKind::Input(input) => matches!(summary.inputs.get(*input as usize), Some(Input::Behind(..))),
        _ => false,
    }
}

/// A source in words.
pub fn origin(kind: SourceKind) -> String {
    match kind {
        SourceKind::Space(spaces, _) => match &*spaces.words() {
            [one] => format!("points to {one} memory from here"),
            _ => "from here".to_owned(),
        },
        SourceKind::Input(_) => "what the caller passes".to_owned(),
        SourceKind::Output(..) => "what this call gives".to_owned(),
        SourceKind::Memory => "loaded from memory here".to_owned(),
        SourceKind::Outside => "comes from outside of this program here".to_owned(),
    }
}

fn tests(program: &Program, number: usize, function: DeclRef, summary: &Summary, found: &mut Vec<Finding>) {
    for test in &summary.tests {
        let (inferred, resolution) = program.verdict(number, &test.pointer);
        // Without callers, and where nothing is known, there is nothing to say.
        if resolution.is_none() || inferred.is_empty() || inferred == Spaces::ALL {
            continue;
        }
        let words = inferred.words().join(" or ");
        let mut say = |code: Code, message: String| {
            found.push(Finding { function, code, severity: None, range: test.range, message, related: Vec::new() });
        };
        match test.kind {
            TestKind::Cast(to) if inferred.intersection(to).is_empty() => say(
                Code::InvalidAddressSpaceCast,
                format!(
                    "this pointer can only point to {words} memory; a cast to {} memory gives a wrong pointer, and only Shader Validation would notice",
                    to.words().join(" or ")
                ),
            ),
            TestKind::CheckedCast(to) if inferred.intersection(to).is_empty() => say(
                Code::InvalidAddressSpaceCast,
                format!("this pointer can only point to {words} memory: the cast always gives `nullptr`"),
            ),
            TestKind::Is(space) if inferred.intersection(space).is_empty() => say(
                Code::ConstantAddressSpaceTest,
                format!("this is always false: the pointer can only point to {words} memory"),
            ),
            _ => {}
        }
    }
}
