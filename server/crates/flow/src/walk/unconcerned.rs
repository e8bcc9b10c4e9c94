//! Functions in which nothing is generic: most of them, and all of older code. They matter only for whom they call.

use super::*;

/// Whether anything in a body is generic, holds something generic or is passed to something generic.
pub(crate) fn concerns_generics(sema: &Sema<'_>, facts: &Facts) -> bool {
    let mut known: FxHashMap<Ty, bool> = FxHashMap::default();
    let mut mentions = |ty: QualTy| ty.space == Space::Generic || holds_generic(sema, ty.ty, 0, &mut known);
    if facts.exprs.values().any(|info| mentions(info.ty)) || facts.variables.values().any(|&ty| mentions(ty)) {
        return true;
    }
    callees(facts).filter(|callee| !sema.is_library(callee.decl)).any(|callee| {
        let signature = sema.signature(callee);
        signature.this.is_some_and(|this| this.space == Space::Generic)
            || mentions(signature.ret)
            || signature.params.iter().any(|param| mentions(param.ty))
    })
}

/// Whether a type is, contains, or leads to a generic pointer, or is a function that takes one.
fn holds_generic(sema: &Sema<'_>, ty: Ty, depth: u32, known: &mut FxHashMap<Ty, bool>) -> bool {
    if let Some(&answer) = known.get(&ty) {
        return answer;
    }
    if depth > 8 {
        return false;
    }
    // A type that contains itself adds nothing by that.
    known.insert(ty, false);
    let answer = match sema.kind(ty) {
        TyKind::Pointer(inner) | TyKind::LRef(inner) | TyKind::RRef(inner) => {
            inner.space == Space::Generic || holds_generic(sema, inner.ty, depth + 1, known)
        }
        TyKind::Array(elem, _) => holds_generic(sema, elem.ty, depth + 1, known),
        TyKind::Function(function) => {
            holds_generic(sema, function.ret.ty, depth + 1, known)
                || function.params.iter().any(|param| holds_generic(sema, param.ty, depth + 1, known))
        }
        TyKind::Record(..) => match sema.record_info(ty) {
            Some(info) if !sema.is_library(info.decl) => {
                let fields = sema.fields(&info);
                fields.iter().any(|&field| holds_generic(sema, sema.variable_type(field).ty, depth + 1, known))
                    || info.bases.iter().any(|&base| holds_generic(sema, base, depth + 1, known))
            }
            _ => false,
        },
        TyKind::Closure(..) => true,
        _ => false,
    };
    known.insert(ty, answer);
    answer
}

fn callees(facts: &Facts) -> impl Iterator<Item = DeclRef> {
    let constructors = facts.constructors.values().chain(facts.member_constructors.values());
    facts.callees.values().chain(constructors).copied()
}

/// A summary of nothing but calls and the loops around them.
pub(super) fn calls_alone(sema: &Sema<'_>, item: DeclRef, view: View<'_>) -> Summary {
    let mut summary = Summary::default();
    let ast = sema.ast;
    let mut found: Vec<(TokenRange, DeclRef)> = Vec::new();
    for facts in [Some(view.own), view.generic].into_iter().flatten() {
        let of_exprs = facts.callees.iter().map(|(&expr, &callee)| (ast[expr].range, callee));
        let of_variables = facts.constructors.iter().map(|(&decl, &callee)| {
            let token = ast[decl].name_token;
            (TokenRange::new(token, token + 1), callee)
        });
        let of_members = facts.member_constructors.iter().map(|(&target, &callee)| (ast[target].range, callee));
        found
            .extend(of_exprs.chain(of_variables).chain(of_members).filter(|(_, callee)| !sema.is_library(callee.decl)));
    }
    if found.is_empty() {
        return summary;
    }
    found.sort_unstable_by_key(|(range, callee)| (range.start, range.end, callee.decl, callee.bind));
    found.dedup();
    let of_function = sema.cx_of(item);
    let mut loops: Vec<TokenRange> = Vec::new();
    for (_, stmt) in ast.own_stmts() {
        // A loop without calls is around nothing that matters here.
        let has_calls = || {
            let from = found.partition_point(|(range, _)| range.start < stmt.range.start);
            found.get(from).is_some_and(|(range, _)| range.start < stmt.range.end)
        };
        let (init, cond, step, body, unroll) = match &stmt.kind {
            StmtKind::For { init, cond, step, body, unroll, .. } => (*init, *cond, *step, *body, *unroll),
            StmtKind::While { body, unroll, .. }
            | StmtKind::Do { body, unroll, .. }
            | StmtKind::RangeFor { body, unroll, .. } => (None, None, None, *body, *unroll),
            _ => continue,
        };
        if !has_calls() {
            continue;
        }
        let cx = match &stmt.kind {
            StmtKind::For { scope, .. } => Cx { scope: *scope, before_local: u32::MAX, ..of_function },
            _ => of_function,
        };
        let head = match &stmt.kind {
            StmtKind::Do { .. } => TokenRange::new(stmt.range.start, stmt.range.start + 1),
            _ => TokenRange::new(stmt.range.start, ast[body].range.start),
        };
        let trip_count = trip_count(sema, cx, init, cond, step);
        let is_unrolled = matches!(unroll, Unroll::Full | Unroll::Count(_));
        summary.loops.push(Loop { range: head, trip_count, is_unrolled });
        loops.push(stmt.range);
    }
    for (range, callee) in found {
        let around = (0..loops.len() as u32).filter(|&index| {
            let of = loops[index as usize];
            of.start <= range.start && range.end <= of.end
        });
        let mut around: Vec<u32> = around.collect();
        // Outermost first.
        around.sort_unstable_by_key(|&index| {
            let of = loops[index as usize];
            (of.start, std::cmp::Reverse(of.end))
        });
        let callee = sema.definition(callee).map_or(Callee::Outside, Callee::Function);
        summary.calls.push(Call { range, callee, args: Vec::new(), places: Vec::new(), loops: around });
    }
    summary
}
