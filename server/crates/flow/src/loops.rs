//! How often loops run.

use msl_parser::ast::*;
use msl_ty::Sema;
use msl_ty::sema::Cx;

/// The number of passes of `for (T i = a; i < b; i += c)` and the like with constant `a`, `b` and `c`; `None` if they
/// are not constant or the loop has another form.
pub(crate) fn trip_count(
    sema: &Sema<'_>,
    cx: Cx,
    init: Option<StmtId>,
    cond: Option<Condition>,
    step: Option<ExprId>,
) -> Option<u64> {
    let StmtKind::Decl(decls) = &sema.ast[init?].kind else { return None };
    let &[decl] = &**decls else { return None };
    let DeclKind::Variable(variable) = &sema.ast[decl].kind else { return None };
    let name = variable.name.ident()?;
    let constant = |expr: ExprId| sema.evaluate_in(expr, cx).int();
    let start = match &variable.init {
        Init::Assign(init) => constant(*init)?,
        Init::Paren(args) => constant(*args.first()?)?,
        _ => return None,
    };
    let is_counter = |expr: ExprId| {
        let mut expr = expr;
        while let ExprKind::Paren(inner) = &sema.ast[expr].kind {
            expr = *inner;
        }
        matches!(&sema.ast[expr].kind, ExprKind::Path(path) if path.as_ident() == Some(name))
    };
    let Condition::Expr(cond) = cond? else { return None };
    let ExprKind::Binary { op, lhs, rhs, .. } = &sema.ast[cond].kind else { return None };
    let (op, bound) = if is_counter(*lhs) {
        (*op, constant(*rhs)?)
    } else if is_counter(*rhs) {
        let mirrored = match op {
            BinaryOp::Lt => BinaryOp::Gt,
            BinaryOp::Gt => BinaryOp::Lt,
            BinaryOp::Le => BinaryOp::Ge,
            BinaryOp::Ge => BinaryOp::Le,
            other => *other,
        };
        (mirrored, constant(*lhs)?)
    } else {
        return None;
    };
    let by = match &sema.ast[step?].kind {
        ExprKind::Unary { op: UnaryOp::PreInc | UnaryOp::PostInc, operand, .. } if is_counter(*operand) => 1,
        ExprKind::Unary { op: UnaryOp::PreDec | UnaryOp::PostDec, operand, .. } if is_counter(*operand) => -1,
        ExprKind::Assign { op: Some(BinaryOp::Add), lhs, rhs, .. } if is_counter(*lhs) => constant(*rhs)?,
        ExprKind::Assign { op: Some(BinaryOp::Sub), lhs, rhs, .. } if is_counter(*lhs) => {
            constant(*rhs)?.checked_neg()?
        }
        _ => return None,
    };
    let distance = match op {
        BinaryOp::Lt if by > 0 => bound.checked_sub(start)?,
        BinaryOp::Le if by > 0 => bound.checked_sub(start)?.checked_add(1)?,
        BinaryOp::Gt if by < 0 => start.checked_sub(bound)?,
        BinaryOp::Ge if by < 0 => start.checked_sub(bound)?.checked_add(1)?,
        BinaryOp::Ne if by != 0 => {
            let distance = bound.checked_sub(start)?;
            if distance % by != 0 || distance / by < 0 {
                return None;
            }
            return u64::try_from(distance / by).ok();
        }
        _ => return None,
    };
    if distance <= 0 {
        return Some(0);
    }
    let by = by.unsigned_abs();
    u64::try_from(distance.unsigned_abs().div_ceil(by)).ok()
}
