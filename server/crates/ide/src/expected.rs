//! Which type something at the cursor should have, as far as what stands before it says.

use msl_parser::ast::*;
use msl_preproc::{Keyword, Punct, TokenKind};
use msl_ty::{
    DeclRef, Sema,
    store::{BindId, Ty},
};

use crate::{
    cursor::{Cursor, open_call},
    signature_help::{candidates, name_before},
    view::View,
};

/// The types that would fit at the cursor; empty if nothing says. Behind `=` it is that of the left side, behind `return`
/// what the function gives, among arguments that of the parameter, of which each overload may have another.
pub(crate) fn expected_types(view: &View<'_>, cursor: &Cursor<'_>, sema: &Sema<'_>) -> Vec<Ty> {
    let Some(before) = cursor.token_before(view, 0).copied() else { return Vec::new() };
    let mut types = match before.kind {
        TokenKind::Keyword(Keyword::Return) => of_return(cursor, sema),
        TokenKind::Punct(Punct::Eq) => of_left_side(cursor, sema),
        TokenKind::Punct(Punct::LParen | Punct::Comma) => of_parameter(view, cursor, sema),
        _ => Vec::new(),
    };
    let store = sema.store();
    types.retain(|&ty| ty != Ty::UNKNOWN && !store.is_dependent(ty));
    types.sort();
    types.dedup();
    types
}

fn of_return(cursor: &Cursor<'_>, sema: &Sema<'_>) -> Vec<Ty> {
    let function = cursor.layer.function.map(|decl| DeclRef { decl, bind: BindId::NONE });
    function.map(|function| sema.strip_ref(sema.signature(function).ret).ty).into_iter().collect()
}

fn of_left_side(cursor: &Cursor<'_>, sema: &Sema<'_>) -> Vec<Ty> {
    let Some(equals) = cursor.token.checked_sub(1) else { return Vec::new() };
    let ast = cursor.layer.ast();
    let facts = cursor.layer.facts;
    let assigned = ast.own_exprs().find_map(|(_, expr)| match &expr.kind {
        ExprKind::Assign { lhs, op_token, .. } if *op_token == equals => facts.exprs.get(lhs),
        _ => None,
    });
    if let Some(info) = assigned {
        return vec![sema.strip_ref(info.ty).ty];
    }
    let initialised = ast
        .own_decls()
        .find(|(_, data)| matches!(data.kind, DeclKind::Variable(_)) && Some(data.name_token) == equals.checked_sub(1));
    let Some((decl, _)) = initialised else { return Vec::new() };
    let known = facts.variables.get(&decl).copied();
    let ty = known.unwrap_or_else(|| sema.variable_type(DeclRef { decl, bind: BindId::NONE }));
    vec![sema.strip_ref(ty).ty]
}

fn of_parameter(view: &View<'_>, cursor: &Cursor<'_>, sema: &Sema<'_>) -> Vec<Ty> {
    let found = (|| {
        let call = open_call(view, cursor)?;
        let callee = name_before(view, call.open)?;
        let (_, token) = view.number(callee)?;
        Some((candidates(view, cursor, sema, callee, token), call.commas))
    })();
    let Some((candidates, number)) = found else { return Vec::new() };
    let of = |&item: &DeclRef| sema.signature(item).params.get(number).map(|param| sema.strip_ref(param.ty).ty);
    candidates.iter().filter_map(of).collect()
}
