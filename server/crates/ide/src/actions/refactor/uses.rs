//! What is done with an expression.

use msl_parser::ast::*;
use msl_ty::{
    DeclRef, Sema,
    store::{BindId, Cv, TyKind},
};

use crate::view::Layer;

/// What is done with an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    Value,
    /// It is written, or something refers to it.
    Object,
}

/// What is done with an expression, or with the object that it names a part of.
pub(super) fn use_of(layer: &Layer<'_>, sema: &Sema<'_>, ast: &Ast, expr: ExprId) -> Use {
    let mut at = expr;
    // Outwards through what names a part of it.
    for _ in 0..64 {
        let mut outer = None;
        for (parent, data) in ast.own_exprs() {
            let is_around = data.range.start <= ast[at].range.start && ast[at].range.end <= data.range.end;
            if !is_around || parent == at || !layer.facts.exprs.contains_key(&parent) {
                continue;
            }
            match &data.kind {
                ExprKind::Assign { lhs, .. } if *lhs == at => return Use::Object,
                ExprKind::Unary {
                    op: UnaryOp::AddrOf | UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec,
                    operand,
                    ..
                } if *operand == at => return Use::Object,
                ExprKind::Paren(inner) if *inner == at => outer = Some(parent),
                ExprKind::Member { base, arrow: false, .. } if *base == at => outer = Some(parent),
                ExprKind::Index { base, .. } if *base == at && !is_pointer(layer, sema, at) => outer = Some(parent),
                ExprKind::Call { callee, args } => {
                    let signature = layer.facts.callees.get(&parent).map(|&item| sema.signature(item));
                    if *callee == at {
                        let changes = signature.and_then(|it| it.this).is_none_or(|this| !this.cv.contains(Cv::CONST));
                        return if changes { Use::Object } else { Use::Value };
                    }
                    if let Some(number) = args.iter().position(|&arg| arg == at) {
                        let param = signature.and_then(|it| it.params.get(number).map(|param| param.ty));
                        let refers =
                            param.is_none_or(|ty| matches!(sema.kind(ty.ty), TyKind::LRef(inner) if !inner.is_const()));
                        return if refers { Use::Object } else { Use::Value };
                    }
                }
                _ => {}
            }
        }
        match outer {
            Some(outer) => at = outer,
            None => break,
        }
    }
    let refers = ast.own_decls().any(|(decl, data)| {
        if let DeclKind::StructuredBinding { init, .. } = &data.kind {
            return *init == Some(at);
        }
        let DeclKind::Variable(variable) = &data.kind else { return false };
        let init = match &variable.init {
            Init::Assign(init) => *init,
            Init::Paren(inits) if inits.len() == 1 => inits[0],
            _ => return false,
        };
        let known = layer.facts.variables.get(&decl);
        init == at && known.is_some_and(|ty| sema.is_ref(ty.ty))
    });
    let stays =
        refers || is_returned_by_reference(layer, sema, ast, at) || is_operand_by_reference(layer, sema, ast, at);
    if stays { Use::Object } else { Use::Value }
}

/// Whether a loop goes over an object, or the function returns a reference to it.
fn is_returned_by_reference(layer: &Layer<'_>, sema: &Sema<'_>, ast: &Ast, expr: ExprId) -> bool {
    let returns_reference = || {
        let function = layer.function.map(|decl| DeclRef { decl, bind: BindId::NONE });
        function.is_some_and(|function| sema.is_ref(sema.signature(function).ret.ty))
    };
    ast.own_stmts().any(|(_, data)| match &data.kind {
        StmtKind::RangeFor { range, .. } => *range == expr,
        StmtKind::Return(value) => *value == Some(expr) && returns_reference(),
        _ => false,
    })
}

/// Whether an overloaded operator takes an operand by reference.
fn is_operand_by_reference(layer: &Layer<'_>, sema: &Sema<'_>, ast: &Ast, expr: ExprId) -> bool {
    layer.facts.callees.iter().any(|(&call, &item)| {
        let ExprKind::Binary { lhs, rhs, .. } = &ast[call].kind else { return false };
        let Some(number) = [*lhs, *rhs].iter().position(|&operand| operand == expr) else { return false };
        let signature = sema.signature(item);
        // For a member the left operand is the object.
        let number = if signature.this.is_some() { number.checked_sub(1) } else { Some(number) };
        let Some(number) = number else { return true };
        let param = signature.params.get(number).map(|param| param.ty);
        param.is_none_or(|ty| matches!(sema.kind(ty.ty), TyKind::LRef(inner) if !inner.is_const()))
    })
}

fn is_pointer(layer: &Layer<'_>, sema: &Sema<'_>, expr: ExprId) -> bool {
    layer.facts.exprs.get(&expr).is_some_and(|info| matches!(sema.kind(info.ty.ty), TyKind::Pointer(_)))
}
