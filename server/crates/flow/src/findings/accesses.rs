//! Accesses that branch on the address space at run time.

use msl_diagnostics::{Code, Severity};
use msl_ty::Env;

use super::{Finding, RelatedStep, Thresholds, words};
use crate::program::{OriginKind, OriginStep, Program, Resolution};
use crate::summary::{Access, Loop, Summary};
use crate::value::{Spaces, Value};

/// How many places of one explanation are shown.
const MAX_STEPS: usize = 12;

/// Accesses through one value in the same loops, which are one finding.
struct Group<'a> {
    number: usize,
    summary: &'a Summary,
    loops: &'a [u32],
    value: &'a Value,
    accesses: Vec<&'a Access>,
    inferred: Spaces,
}

/// The findings about the instances of one function.
pub(super) fn find(
    env: &Env,
    program: &Program,
    instances: &[usize],
    thresholds: Thresholds,
    found: &mut Vec<Finding>,
) {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for &number in instances {
        let summary = &*program.functions[number].1;
        for access in &summary.accesses {
            let verdict = program.verdict(number, &access.pointer);
            if verdict.resolution != Some(Resolution::Runtime) {
                continue;
            }
            let is_known = |group: &&mut Group<'_>| {
                group.number == number && *group.loops == *access.loops && is_same(group.value, &access.pointer)
            };
            // Another instance has said it already.
            if groups
                .iter()
                .any(|group| group.number != number && group.accesses.iter().any(|own| own.range == access.range))
            {
                continue;
            }
            match groups.iter_mut().find(is_known) {
                Some(group) => {
                    group.accesses.push(access);
                    group.inferred = group.inferred.union(verdict.inferred);
                }
                None => groups.push(Group {
                    number,
                    summary,
                    loops: &access.loops,
                    value: &access.pointer,
                    accesses: vec![access],
                    inferred: verdict.inferred,
                }),
            }
        }
    }
    found.extend(groups.iter().map(|group| finding(env, program, group, thresholds)));
}

fn is_same(a: &Value, b: &Value) -> bool {
    a.mask == b.mask
        && a.sources.len() == b.sources.len()
        && a.sources.iter().zip(&b.sources).all(|(a, b)| a.kind == b.kind)
}

fn finding(env: &Env, program: &Program, group: &Group<'_>, thresholds: Thresholds) -> Finding {
    let function = program.functions[group.number].0.item.decl;
    let call_path = program.loop_call(group.number, group.value).unwrap_or_default();
    let outer: Vec<(usize, &Loop)> = call_path
        .iter()
        .rev()
        .flat_map(|&(caller, call)| {
            let summary = &program.functions[caller].1;
            summary.calls[call as usize].loops.iter().map(move |&index| (caller, &summary.loops[index as usize]))
        })
        .collect();
    let own = group.loops.iter().map(|&index| (group.number, &group.summary.loops[index as usize]));
    let loops: Vec<(usize, &Loop)> = outer.into_iter().chain(own).collect();
    let (code, severity) = match &*loops {
        [] => (Code::UnresolvedGenericPointer, None),
        loops => {
            let trips = loops
                .iter()
                .map(|(_, of)| of.trip_count)
                .try_fold(1u64, |product, trips| Some(product.saturating_mul(trips?)));
            let is_small = trips.is_some_and(|trips| trips <= thresholds.small_trip_count);
            (Code::GenericPointerInHotLoop, is_small.then_some(Severity::Hint))
        }
    };
    let chains = program.origins(group.number, group.value);
    let mut related = Vec::new();
    for (depth, (number, of)) in loops.iter().enumerate().rev() {
        let trips = of.trip_count.map_or_else(String::new, |trips| format!(", {trips} passes"));
        let unrolled = if of.is_unrolled { ", unrolled" } else { "" };
        related.push(RelatedStep {
            function: program.functions[*number].0.item.decl,
            range: of.range,
            message: format!("in this loop (depth {}{trips}{unrolled})", depth + 1),
        });
    }
    for &(caller, call) in &call_path {
        related.push(RelatedStep {
            function: program.functions[caller].0.item.decl,
            range: program.functions[caller].1.calls[call as usize].range,
            message: format!(
                "the loop reaches the access through this call in {}",
                words::function(env, program, caller)
            ),
        });
    }
    for access in group.accesses.iter().skip(1) {
        let message = "the same pointer is used here".to_owned();
        related.push(RelatedStep { function, range: access.range, message });
    }
    related.extend(steps(env, program, &chains));
    Finding {
        function,
        code,
        severity,
        range: group.accesses[0].range,
        message: message(env, program, group, &chains, &call_path, loops.len()),
        related,
    }
}

/// The steps of an explanation as related places, each once.
pub(super) fn steps(env: &Env, program: &Program, chains: &[Vec<OriginStep>]) -> Vec<RelatedStep> {
    let mut related: Vec<RelatedStep> = Vec::new();
    for step in chains.iter().flatten() {
        let of = RelatedStep {
            function: program.functions[step.function].0.item.decl,
            range: step.range,
            message: words::step(env, program, step),
        };
        if related.len() < MAX_STEPS && !related.contains(&of) {
            related.push(of);
        }
    }
    related
}

fn message(
    env: &Env,
    program: &Program,
    group: &Group<'_>,
    chains: &[Vec<OriginStep>],
    call_path: &[(usize, u32)],
    depth: usize,
) -> String {
    let why = reason(env, program, group, chains);
    if depth == 0 {
        return format!(
            "the compiler cannot resolve this generic pointer, since {why}: the access branches on the address space at run time"
        );
    }
    let words = group.inferred.words();
    let way_out = match &*words {
        [one] => format!(
            "it can only point to {one} memory: `static_cast<{one} …>` says so to the compiler and makes the access free"
        ),
        _ => "test the address space once and use a concrete pointer, or give the callers overloads for their spaces"
            .to_owned(),
    };
    let place = match (call_path.last(), depth) {
        (Some(&(caller, _)), _) => {
            format!("in a function that {} calls from a loop", words::function(env, program, caller))
        }
        (None, 1) => "in a loop".to_owned(),
        (None, depth) => format!("in {depth} nested loops"),
    };
    format!(
        "the compiler cannot resolve this generic pointer, since {why}: each access {place} branches on the address space; {way_out}"
    )
}

/// What keeps the compiler from resolving a value.
fn reason(env: &Env, program: &Program, group: &Group<'_>, chains: &[Vec<OriginStep>]) -> String {
    if group.value.is_opaque {
        return "it is taken from a local whose contents the compiler cannot follow".to_owned();
    }
    let ends = || chains.iter().filter_map(|chain| chain.last());
    for step in ends() {
        match &step.kind {
            OriginKind::Loaded(holder) => return format!("it is {}", words::loaded(env, holder)),
            OriginKind::Outside => return "it comes from a call that leaves this program".to_owned(),
            OriginKind::UnknownCaller(_) => {
                let name = words::function(env, program, step.function);
                return format!("{name} has callers that this program does not contain");
            }
            _ => {}
        }
    }
    let role = program.role(group.number);
    let is_input = |source: &crate::value::Source| matches!(source.kind, crate::value::SourceKind::Input(_));
    if group.value.sources.iter().all(is_input) && group.value.sources.len() == 1 && role.is_apart {
        let what = if role.is_recursive { "calls itself" } else { "is never inlined" };
        return format!(
            "{} {what} and its callers pass different address spaces",
            words::function(env, program, group.number)
        );
    }
    "values of different address spaces meet in it".to_owned()
}
