//! Tests and casts of address spaces that cannot be right.

use msl_diagnostics::{Code, Severity};
use msl_parser::ast::TokenRange;
use msl_ty::Env;

use super::{Finding, accesses, words};
use crate::program::Program;
use crate::summary::{Test, TestKind};
use crate::value::{SourceKind, Spaces};

/// The findings about the instances of one function.
pub(super) fn find(env: &Env, program: &Program, instances: &[usize], found: &mut Vec<Finding>) {
    let mut seen: Vec<(TokenRange, TestKind)> = Vec::new();
    for &number in instances {
        for test in &program.functions[number].1.tests {
            if seen.contains(&(test.range, test.kind)) {
                continue;
            }
            seen.push((test.range, test.kind));
            let inferred = match test.kind {
                TestKind::Unchecked => None,
                _ => over_instances(program, instances, test.range, test.kind),
            };
            found.extend(judge(env, program, number, test, inferred, instances));
        }
    }
}

/// The spaces of a tested pointer over all instances; `None` if they are not known in all that are called, or if none
/// is.
fn over_instances(program: &Program, instances: &[usize], range: TokenRange, kind: TestKind) -> Option<Spaces> {
    let mut all = Spaces::NONE;
    let mut is_called = false;
    for &number in instances {
        if !program.is_called(number) {
            continue;
        }
        let tests = &program.functions[number].1.tests;
        for test in tests.iter().filter(|test| test.range == range && test.kind == kind) {
            let verdict = program.verdict(number, &test.pointer);
            verdict.resolution?;
            is_called = true;
            all = all.union(verdict.inferred);
        }
    }
    // Nothing reaches it: null, or code that does not run.
    (is_called && !all.is_empty()).then_some(all)
}

fn judge(
    env: &Env,
    program: &Program,
    number: usize,
    test: &Test,
    inferred: Option<Spaces>,
    instances: &[usize],
) -> Option<Finding> {
    // What depends on callers is true of these callers; the function may be written for others as well.
    let is_from_callers = test.pointer.sources.iter().any(|source| !matches!(source.kind, SourceKind::Space(..)));
    let of_callers = is_from_callers.then_some(Severity::Hint);
    let with_callers = if is_from_callers { " with the callers in this program" } else { "" };
    let of = |spaces: Spaces| words::spaces(spaces);
    let (code, severity, message) = match test.kind {
        TestKind::Cast(to) => {
            let inferred = inferred.filter(|inferred| inferred.intersection(to).is_empty())?;
            let message = format!(
                "this pointer can only point to {} memory; a cast to {} memory gives a wrong pointer, and only Shader Validation would notice",
                of(inferred),
                of(to)
            );
            (Code::InvalidAddressSpaceCast, None, message)
        }
        TestKind::CheckedCast(to) => {
            let inferred = inferred?;
            if inferred.intersection(to).is_empty() {
                let message =
                    format!("this pointer can only point to {} memory: the cast always gives `nullptr`", of(inferred));
                (Code::InvalidAddressSpaceCast, None, message)
            } else if inferred == to {
                let message = format!(
                    "this pointer can only point to {0} memory{with_callers}: the cast always succeeds, and `static_cast<{0} …>` does the same without a test",
                    of(inferred)
                );
                (Code::ConstantAddressSpaceTest, of_callers, message)
            } else {
                return None;
            }
        }
        TestKind::Is(space) | TestKind::ComparedCast(space) => {
            let inferred = inferred?;
            let result = if inferred.intersection(space).is_empty() {
                "false"
            } else if inferred == space {
                "true, unless the pointer is null"
            } else {
                return None;
            };
            let message =
                format!("this is always {result}: the pointer can only point to {} memory{with_callers}", of(inferred));
            (Code::ConstantAddressSpaceTest, of_callers, message)
        }
        TestKind::Unchecked => {
            // The cast that gave the pointer, if it can fail.
            let cast = test.pointer.sources.first()?.at;
            let summary = &program.functions[number].1;
            let of_cast = summary.tests.iter().find(|own| own.range == cast);
            if let Some(Test { kind: kind @ TestKind::CheckedCast(to), .. }) = of_cast
                && over_instances(program, instances, cast, *kind).is_some_and(|inferred| inferred == *to)
            {
                return None;
            }
            let message = "`addrspace_cast` gives `nullptr` if the pointer is in another address space; compare the result with `nullptr` before it is used".to_owned();
            (Code::UncheckedAddrspaceCast, None, message)
        }
    };
    let related = match test.kind {
        TestKind::Unchecked => vec![super::RelatedStep {
            function: program.functions[number].0.item.decl,
            range: test.pointer.sources.first()?.at,
            message: "the cast".to_owned(),
        }],
        _ => accesses::steps(env, program, &program.origins(number, &test.pointer)),
    };
    Some(Finding {
        function: program.functions[number].0.item.decl,
        code,
        severity,
        range: test.range,
        message,
        related,
    })
}
