//! A thread that reads from a texture what it has just written there needs a fence in between (MSL spec §6.12).
//!
//! Only the plain case is looked for: in one block, a `write` to a `read_write` texture and, later in the block or in
//! what is nested in it, a `read` of the same variable at coordinates that are written the same way, with no fence, no
//! barrier and no change of the coordinates' variables in between.

use msl_diagnostics::Code;
use msl_parser::ast::*;

use crate::expr::Facts;
use crate::sema::{Sema, TokenEdit, TokenFix, TyDiagnostic};
use crate::store::*;

/// A call of a member of a texture.
struct Access<'a> {
    texture: DeclId,
    method: msl_intern::Name,
    coordinates: &'a [ExprId],
    /// The token of the method's name.
    token: u32,
    /// Where the call ends: what its arguments read is read before it writes.
    end: u32,
}

/// Checks one body, whose names and types `facts` has.
pub(crate) fn check(sema: &Sema<'_>, layer: &Ast, facts: &Facts) {
    let mut accesses: Vec<Access<'_>> = Vec::new();
    // Where something orders or changes what an access depends on: `None` for a fence or a barrier.
    let mut changes: Vec<(u32, Option<DeclId>)> = Vec::new();
    for (id, expr) in layer.own_exprs() {
        match &expr.kind {
            ExprKind::Call { .. } => {
                let Some(item) = facts.callees.get(&id) else { continue };
                let name = sema.decl_name(item.decl).filter(|_| sema.is_library(item.decl));
                let Some(name) = name else { continue };
                if sema.env.library.facts(item.decl).is_some_and(|facts| facts.fence) {
                    changes.push((expr.range.start, None));
                } else if let Some(access) = access_of(sema, layer, facts, id, name) {
                    accesses.push(access);
                }
            }
            ExprKind::Assign { lhs: target, .. }
            | ExprKind::Unary {
                op: UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec | UnaryOp::AddrOf,
                operand: target,
                ..
            } => {
                if let Some(variable) = variable_of(layer, facts, *target) {
                    changes.push((expr.range.start, Some(variable)));
                }
            }
            _ => {}
        }
    }
    accesses.sort_by_key(|access| access.token);
    for write in accesses.iter().filter(|access| access.method.as_str() == "write") {
        let Some(block) = block_around(layer, write.token) else { continue };
        let [_, at, ..] = write.coordinates else { continue };
        let read = accesses.iter().find(|read| {
            read.method.as_str() == "read"
                && read.texture == write.texture
                && write.end <= read.token
                && read.token < block.end
                && read.coordinates.first().is_some_and(|&own| same(layer, facts, *at, own, 0))
        });
        let Some(read) = read else { continue };
        let between = |position: u32| write.token < position && position < read.token;
        let mentioned = |variable: DeclId| mentions(layer, facts, *at, variable);
        if changes.iter().any(|&(at, of)| between(at) && of.is_none_or(mentioned)) {
            continue;
        }
        let name = sema.decl_name(write.texture).map_or(String::new(), |name| name.to_string());
        sema.report(|| TyDiagnostic {
            code: Code::MissingTextureFence,
            severity: None,
            range: TokenRange::new(read.token, read.token + 1),
            message: format!(
                "this may not see what was written before: call `{name}.fence()` between a write to a texture and a read of it by the \
                 same thread (MSL spec §6.12)"
            ),
            related: vec![(TokenRange::new(write.token, write.token + 1), "written here".to_owned())],
            fixes: statement_at(layer, block, read.token)
                .map(|at| TokenFix {
                    title: format!("Call `{name}.fence()` before it"),
                    preferred: false,
                    edits: vec![TokenEdit {
                        range: TokenRange::new(at, at),
                        after: false,
                        text: format!("{name}.fence();\n"),
                    }],
                })
                .into_iter()
                .collect(),
        });
    }
}

fn access_of<'a>(
    sema: &Sema<'_>,
    layer: &'a Ast,
    facts: &Facts,
    call: ExprId,
    method: msl_intern::Name,
) -> Option<Access<'a>> {
    if !matches!(method.as_str(), "read" | "write") {
        return None;
    }
    let ExprKind::Call { callee, args } = &layer[call].kind else { return None };
    let ExprKind::Member { base, member, .. } = &layer[*callee].kind else { return None };
    let texture = variable_of(layer, facts, *base)?;
    let TyKind::Record(class, bind) = sema.kind(facts.exprs.get(base)?.ty.ty) else { return None };
    let is_read_write = sema.is_library(*class)
        && *bind != BindId::NONE
        && sema.store().bindings(*bind).args.iter().any(|arg| match arg {
            TArg::Value { value, ty } => sema.spell_const(*value, *ty).ends_with("access::read_write"),
            _ => false,
        });
    is_read_write.then(|| Access {
        texture,
        method,
        coordinates: args,
        token: member.last().map_or(0, |last| last.token),
        end: layer[call].range.end,
    })
}

/// The variable that an expression names.
fn variable_of(layer: &Ast, facts: &Facts, expr: ExprId) -> Option<DeclId> {
    match &layer[expr].kind {
        ExprKind::Paren(inner) => variable_of(layer, facts, *inner),
        // A write to a component changes its vector.
        ExprKind::Member { base, arrow: false, .. } => variable_of(layer, facts, *base),
        ExprKind::Path(path) => match facts.refs.get(&path.last()?.token)?.as_slice() {
            [item] => matches!(layer[item.decl].kind, DeclKind::Variable(_)).then_some(item.decl),
            _ => None,
        },
        _ => None,
    }
}

/// The innermost block around a token.
fn block_around(layer: &Ast, token: u32) -> Option<TokenRange> {
    layer
        .own_stmts()
        .filter(|(_, stmt)| matches!(stmt.kind, StmtKind::Compound { .. }))
        .map(|(_, stmt)| stmt.range)
        .filter(|range| range.start <= token && token < range.end)
        .min_by_key(|range| range.end - range.start)
}

/// Where the statement of a block begins that a token lies in, and in front of which another one can stand.
fn statement_at(layer: &Ast, block: TokenRange, token: u32) -> Option<u32> {
    // The block is that of the write; the read may be in one inside of it.
    let block = block_around(layer, token).unwrap_or(block);
    let stmts = layer.own_stmts().find_map(|(_, stmt)| match &stmt.kind {
        StmtKind::Compound { stmts, .. } if stmt.range == block => Some(stmts),
        _ => None,
    })?;
    let own =
        stmts.iter().map(|&stmt| &layer[stmt]).find(|stmt| stmt.range.start <= token && token < stmt.range.end)?;
    matches!(own.kind, StmtKind::Expr(_) | StmtKind::Decl(_) | StmtKind::Return(_)).then_some(own.range.start)
}

/// Whether two expressions are written the same way, from variables, components, literals and constructions alone.
fn same(layer: &Ast, facts: &Facts, a: ExprId, b: ExprId, depth: u32) -> bool {
    if depth > 8 {
        return false;
    }
    let next = |a: ExprId, b: ExprId| same(layer, facts, a, b, depth + 1);
    match (&layer[a].kind, &layer[b].kind) {
        (ExprKind::Paren(a), _) => next(*a, b),
        (_, ExprKind::Paren(b)) => next(a, *b),
        (ExprKind::Path(_), ExprKind::Path(_)) => {
            variable_of(layer, facts, a).is_some_and(|of_a| variable_of(layer, facts, b) == Some(of_a))
        }
        (ExprKind::Int(a), ExprKind::Int(b)) => a == b,
        (
            ExprKind::Member { base: a, member: x, arrow: false, .. },
            ExprKind::Member { base: b, member: y, arrow: false, .. },
        ) => x.as_ident().is_some() && x.as_ident() == y.as_ident() && next(*a, *b),
        (ExprKind::Construct { args: a, .. }, ExprKind::Construct { args: b, .. }) => {
            a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| next(a, b))
        }
        _ => false,
    }
}

/// Whether coordinates mention a variable.
fn mentions(layer: &Ast, facts: &Facts, expr: ExprId, variable: DeclId) -> bool {
    match &layer[expr].kind {
        ExprKind::Paren(inner) => mentions(layer, facts, *inner, variable),
        ExprKind::Construct { args, .. } => args.iter().any(|&arg| mentions(layer, facts, arg, variable)),
        _ => variable_of(layer, facts, expr) == Some(variable),
    }
}
