//! How function bodies use entry points and the variables that only some of them have.

use msl_builtins::attributes::{Role, Stages};
use msl_diagnostics::Code;
use msl_parser::ast::*;

use super::{EntryPoint, describe_stages, finding, is_texture_or_sampler, quoted_name, stages_of, written_on};
use crate::expr::Facts;
use crate::sema::{DeclRef, Sema};
use crate::store::*;

/// Checks one body, whose names and types `facts` has.
pub(crate) fn check(sema: &Sema<'_>, function: DeclId, layer: &Ast, facts: &Facts) {
    for (_, expr) in layer.own_exprs() {
        if let ExprKind::Call { callee, .. } = &expr.kind {
            check_call(sema, *callee, facts);
        }
    }
    check_globals(sema, function, facts);
    check_vertex_writes(sema, function, layer, facts);
    crate::rules::texture_fences::check(sema, layer, facts);
}

/// Only a pipeline calls an entry point (MSL spec §5.1).
fn check_call(sema: &Sema<'_>, callee: ExprId, facts: &Facts) {
    let ExprKind::Path(path) = &sema.ast[callee].kind else { return };
    let Some(last) = path.last() else { return };
    let Some(targets) = facts.refs.get(&last.token) else { return };
    let [target] = targets.as_slice() else { return };
    let Some(stage) = sema.stage_of(target.decl) else { return };
    if !matches!(sema.ast[target.decl].kind, DeclKind::Function(_)) {
        return;
    }
    sema.report(|| {
        let mut found = finding(
            Code::EntryPointSignature,
            TokenRange::new(last.token, last.token + 1),
            format!(
                "{} is a {} function and cannot be called from a shader (MSL spec §5.1)",
                quoted_name(sema, target.decl),
                stage.word()
            ),
        );
        found.related.push((super::name_range(sema, target.decl), "the entry point".to_owned()));
        found
    });
}

/// Built-in values at program scope exist only in functions that run as threads of a grid (MSL spec §5.9).
fn check_globals(sema: &Sema<'_>, function: DeclId, facts: &Facts) {
    let stages = stages_of(sema, function);
    if !sema.version().at_least(3, 1)
        || !stages.intersects(Stages::ANY_VERTEX.or(Stages::FRAGMENT).or(Stages::INTERSECTION))
    {
        return;
    }
    let mut tokens: Vec<(&u32, DeclRef)> =
        facts.refs.iter().filter_map(|(token, refs)| Some((token, *refs.first()?))).collect();
    tokens.sort_by_key(|(token, _)| **token);
    for (&token, item) in tokens {
        let is_global =
            matches!(&sema.ast[item.decl].kind, DeclKind::Variable(variable) if variable.kind == VariableKind::Global);
        if !is_global || sema.is_library(item.decl) {
            continue;
        }
        for written in written_on(sema, item.decl) {
            let allowed = written
                .info
                .uses
                .iter()
                .filter(|one| one.role == Role::Global)
                .fold(Stages::NONE, |all, one| all.or(one.stages));
            if allowed == Stages::NONE || allowed.intersects(stages) {
                continue;
            }
            sema.report(|| {
                finding(
                    Code::AttributeMisuse,
                    TokenRange::new(token, token + 1),
                    format!(
                        "{} is `[[{}]]`, which only {} have (MSL spec §5.9)",
                        quoted_name(sema, item.decl),
                        written.info.name,
                        describe_stages(allowed)
                    ),
                )
            });
        }
    }
}

/// Before 2.1 a vertex function that writes to a buffer must return `void`, and before 2.2 one that writes to a texture
/// (MSL spec §5.11; from when on each is allowed is what translators to Metal rely on).
fn check_vertex_writes(sema: &Sema<'_>, function: DeclId, layer: &Ast, facts: &Facts) {
    if sema.version().at_least(2, 2) || !stages_of(sema, function).intersects(Stages::ANY_VERTEX) {
        return;
    }
    let Some(entry) = EntryPoint::of(sema, DeclRef { decl: function, bind: BindId::NONE }) else { return };
    let ret = sema.signature(entry.item).ret;
    if ret.ty == Ty::VOID || !sema.store().is_solid(ret.ty) {
        return;
    }
    for (id, expr) in layer.own_exprs() {
        let (token, what, since) = match &expr.kind {
            ExprKind::Assign { lhs, op_token, .. } if !sema.version().at_least(2, 1) => {
                let Some(target) = facts.exprs.get(lhs) else { continue };
                if !target.is_lvalue() || target.place() != Space::Device {
                    continue;
                }
                (*op_token, "buffer", "2.1")
            }
            ExprKind::Call { callee, .. } => {
                let ExprKind::Member { base, member, .. } = &sema.ast[*callee].kind else { continue };
                let (Some(object), Some(last)) = (facts.exprs.get(base), member.last()) else { continue };
                let is_write = last.name.ident().is_some_and(|name| name.as_str() == "write");
                if !is_write || !facts.callees.contains_key(&id) || !is_texture_or_sampler(sema, object.ty) {
                    continue;
                }
                (last.token, "texture", "2.2")
            }
            _ => continue,
        };
        sema.report(|| {
            finding(
                Code::EntryPointSignature,
                TokenRange::new(token, token + 1),
                format!(
                    "a vertex function that writes to a {what} must return `void` before Metal {since} (MSL spec §5.11)"
                ),
            )
        });
        return;
    }
}
