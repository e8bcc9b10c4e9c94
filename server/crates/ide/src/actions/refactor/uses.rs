//! What is done with an expression.

use msl_parser::ast::*;
use msl_ty::{
    Sema,
    store::{Cv, TyKind},
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
        let DeclKind::Variable(variable) = &data.kind else { return false };
        let init = match &variable.init {
            Init::Assign(init) => *init,
            Init::Paren(inits) if inits.len() == 1 => inits[0],
            _ => return false,
        };
        let known = layer.facts.variables.get(&decl);
        init == at && known.is_some_and(|ty| sema.is_ref(ty.ty))
    });
    if refers { Use::Object } else { Use::Value }
}

fn is_pointer(layer: &Layer<'_>, sema: &Sema<'_>, expr: ExprId) -> bool {
    layer.facts.exprs.get(&expr).is_some_and(|info| matches!(sema.kind(info.ty.ty), TyKind::Pointer(_)))
}
