//! Names for what a refactoring declares.

use msl_parser::ast::*;
use msl_preproc::TokenKind;
use msl_ty::{
    Sema,
    store::{Scalar, Ty, TyKind},
};
use rustc_hash::FxHashSet;

use crate::view::{Layer, View};

/// A name for the value of an expression: that of the member or function that it comes from, else what it is.
pub(super) fn for_value(sema: &Sema<'_>, expr: ExprId, ty: Ty) -> String {
    let mut at = expr;
    loop {
        match &sema.ast[at].kind {
            ExprKind::Paren(inner) => at = *inner,
            ExprKind::Index { base, .. } => at = *base,
            ExprKind::Member { member, .. } => {
                let name = member.last().and_then(|last| last.name.ident()).map(|name| name.to_string());
                // Components of vectors and colours have names that say nothing elsewhere.
                match name.filter(|name| name.len() > 4) {
                    Some(name) => return if at == expr { name } else { format!("{name}_element") },
                    None => break,
                }
            }
            ExprKind::Call { .. } => return "result".to_owned(),
            _ => break,
        }
    }
    match sema.kind(ty) {
        TyKind::Scalar(Scalar::Bool) => "condition",
        TyKind::Pointer(_) => "pointer",
        _ => "value",
    }
    .to_owned()
}

/// The name with a number behind it if need be, so that nothing in the body and no macro has it.
pub(super) fn unused(view: &View<'_>, layer: &Layer<'_>, name: &str) -> String {
    let taken = words(view, layer);
    let is_free = |name: &str| {
        !taken.contains(name)
            && !view.preprocessed.map.definitions().iter().any(|definition| definition.name.as_str() == name)
    };
    if is_free(name) {
        return name.to_owned();
    }
    (2u32..).map(|number| format!("{name}{number}")).find(|name| is_free(name)).unwrap_or_default()
}

/// The name with a number behind it if need be, so that nothing in the whole unit has it.
pub(super) fn unused_in_unit(view: &View<'_>, name: &str) -> String {
    let is_free = |name: &str| {
        !view.preprocessed.tokens.iter().any(|token| token.kind == TokenKind::Ident && token.text() == name)
            && !view.preprocessed.map.definitions().iter().any(|definition| definition.name.as_str() == name)
    };
    if is_free(name) {
        return name.to_owned();
    }
    (2u32..).map(|number| format!("{name}{number}")).find(|name| is_free(name)).unwrap_or_default()
}

/// Every identifier of a function's parameters and body, those that come from macros included.
fn words(view: &View<'_>, layer: &Layer<'_>) -> FxHashSet<&'static str> {
    let mut taken = FxHashSet::default();
    let Some(body) = layer.body else { return taken };
    let ast = layer.ast();
    let parameters = layer.function.map(|function| ast[function].range);
    let first = parameters
        .and_then(|range| view.places.first(None, range.start))
        .into_iter()
        .chain(view.first_token_of(body))
        .min();
    let (Some(first), Some(last)) = (first, view.last_token_of(body)) else { return taken };
    let tokens = view.preprocessed.tokens.get(first..=last).unwrap_or_default();
    taken.extend(tokens.iter().filter(|token| token.kind == TokenKind::Ident).map(|token| token.text()));
    taken
}
