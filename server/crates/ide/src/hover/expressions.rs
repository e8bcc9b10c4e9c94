//! What has a type or a value but no declaration: `this`, numbers, components of vectors, and `auto`.

use std::sync::Arc;

use msl_parser::ast::*;
use msl_ty::{
    DeclRef, Sema,
    consteval::{Value, char_literal, int_literal},
    store::{Const, QualTy, Space, TyKind},
};

use super::{GENERIC, Hover, UNANNOTATED_THIS, inferred, variable_type};
use crate::view::{Layer, Spot, View};

pub(super) fn of_expression(view: &View<'_>, path: &Arc<str>, offset: u32) -> Option<Hover> {
    let spot = *view.spots_at(path, offset).first()?;
    let layer = view.layer(spot)?;
    let sema = layer.sema(view.env);
    let ast = layer.ast();
    let wanted = |kind: &ExprKind, range: TokenRange| match kind {
        ExprKind::This | ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Char(_) => range.start == spot.token,
        ExprKind::Member { member, .. } => member.last().is_some_and(|last| last.token == spot.token),
        _ => false,
    };
    let Some((expr, data)) = ast.own_exprs().find(|(_, expr)| wanted(&expr.kind, expr.range)) else {
        return of_auto(&layer, &sema, spot);
    };
    let info = layer.facts.exprs.get(&expr)?;
    if matches!(sema.kind(info.ty.ty), TyKind::Unknown | TyKind::Invalid | TyKind::Dependent) {
        return None;
    }
    let value = QualTy { space: Space::None, ..info.ty };
    let hover = |declaration: String, facts: Vec<String>| {
        Some(Hover { range: spot.range, declarations: vec![declaration], facts, ..Hover::default() })
    };
    match &data.kind {
        ExprKind::This => of_this(view, &layer, &sema, spot, info.ty),
        ExprKind::Member { member, .. } => {
            let name = member.as_ident()?;
            hover(sema.spell_with(value, name.as_str()), vec!["components of a vector".to_owned()])
        }
        ExprKind::Int(name) => {
            let (value, _) = int_literal(*name)?;
            hover(sema.spell_ty(info.ty.ty), vec![spell_integer(value)])
        }
        ExprKind::Char(name) => hover(sema.spell_ty(info.ty.ty), vec![spell_integer(char_literal(*name)?)]),
        ExprKind::Float(_) => {
            let cx = sema.cx_of(DeclRef { decl: layer.function?, bind: msl_ty::store::BindId::NONE });
            let Value::Known(Const::Float(bits)) = sema.evaluate_in(expr, cx) else { return None };
            // The shortest text that gives the same number.
            hover(sema.spell_ty(info.ty.ty), vec![format!("value `{:?}`", f64::from_bits(bits) as f32)])
        }
        _ => None,
    }
}

fn spell_integer(value: i128) -> String {
    match value {
        0..=9 => format!("value `{value}`"),
        _ => format!("value `{value}`, `{value:#x}`"),
    }
}

fn of_this(view: &View<'_>, layer: &Layer<'_>, sema: &Sema<'_>, spot: Spot, ty: QualTy) -> Option<Hover> {
    let bind = msl_ty::store::BindId::NONE;
    let this = layer.function.and_then(|function| sema.signature(DeclRef { decl: function, bind }).this);
    let address_space = match sema.kind(ty.ty) {
        TyKind::Pointer(inner)
            if inner.space.is_named() && this.is_some_and(|this| !this.annotated && this.space == inner.space) =>
        {
            Some(UNANNOTATED_THIS.to_owned())
        }
        TyKind::Pointer(inner) if inner.space.is_named() => {
            Some(format!("points to `{}` memory, as declared · resolution: concrete", inner.space.word()))
        }
        TyKind::Pointer(inner) if inner.space == Space::Generic => Some(format!("points to {GENERIC}")),
        _ => None,
    };
    let declarations = vec![sema.spell_with(QualTy { space: Space::None, ..ty }, "this")];
    let mut hover = Hover { range: spot.range, declarations, address_space, ..Hover::default() };
    if let Some(inferred) = inferred(view, layer, spot.token, None) {
        inferred.tell(&mut hover);
    }
    Some(hover)
}

/// The variable whose type an `auto` takes from its initialiser.
fn of_auto(layer: &Layer<'_>, sema: &Sema<'_>, spot: Spot) -> Option<Hover> {
    let ast = layer.ast();
    let (decl, data) = ast.own_decls().find(|(_, data)| match &data.kind {
        DeclKind::Variable(variable) => auto_token(ast, variable.ty) == Some(spot.token),
        _ => false,
    })?;
    let DeclKind::Variable(variable) = &data.kind else { return None };
    let ty = variable_type(layer, sema, DeclRef { decl, bind: msl_ty::store::BindId::NONE });
    if matches!(sema.kind(ty.ty), TyKind::Unknown | TyKind::Invalid | TyKind::Dependent) {
        return None;
    }
    let name = variable.name.ident().map_or_else(String::new, |name| name.to_string());
    let space = if ty.space == Space::Thread { Space::None } else { ty.space };
    let declarations = vec![sema.spell_with(QualTy { space, ..ty }, &name)];
    Some(Hover { range: spot.range, declarations, ..Hover::default() })
}

/// The `auto` in a type as written.
fn auto_token(ast: &Ast, mut node: TypeId) -> Option<u32> {
    loop {
        match &ast[node].kind {
            TypeKind::Auto | TypeKind::DecltypeAuto => return Some(ast[node].range.start),
            TypeKind::Qualified { inner, .. }
            | TypeKind::Pointer(inner)
            | TypeKind::LRef(inner)
            | TypeKind::RRef(inner) => node = *inner,
            _ => return None,
        }
    }
}
