//! `if` and `switch`: the two branches exchanged, the cases completed.

use std::sync::Arc;

use msl_diagnostics::{Place, TextEdit, TextRange};
use msl_parser::ast::*;
use msl_ty::{
    DeclRef, Sema,
    store::{QualTy, TyKind},
};

use super::{
    Built,
    statements::Statements,
    text::{Written, has_directives},
};
use crate::{
    actions::offers::ActionKind,
    view::{Layer, View},
};

const SWAP: &str = "swap-branches";
const COMPLETE: &str = "complete-switch";

/// What is offered on the words `if` and `switch`.
pub(super) fn build(view: &View<'_>, path: &Arc<str>, range: TextRange) -> Option<Built> {
    let spot = view.spots_at(path, range.start).into_iter().next().filter(|spot| range.end <= spot.range.end)?;
    let word = view.preprocessed.tokens.get(spot.expanded)?.text();
    if !matches!(word, "if" | "switch") {
        return None;
    }
    let layer = view.body(spot.body?)?;
    let ast = layer.ast();
    let (_, stmt) = ast.own_stmts().find(|(_, data)| {
        data.range.start == spot.token && matches!(data.kind, StmtKind::If { .. } | StmtKind::Switch { .. })
    })?;
    match stmt.kind {
        StmtKind::If { is_constexpr, ref cond, then, otherwise: Some(otherwise), .. } => {
            const TITLE: &str = "Exchange the branches";
            let cond = cond.expr();
            let edits = match cond {
                Some(_) if is_constexpr => Err("the condition is a constant that templates choose by".to_owned()),
                Some(cond) => swapped(view, &layer, cond, then, otherwise),
                None => Err("the condition declares a variable".to_owned()),
            };
            Some(Built { id: SWAP, title: TITLE.to_owned(), kind: ActionKind::Rewrite, ways: vec![edits] })
        }
        StmtKind::Switch { ref cond, body, .. } => complete(view, &layer, cond.expr()?, body),
        _ => None,
    }
}

fn swapped(
    view: &View<'_>,
    layer: &Layer<'_>,
    cond: ExprId,
    then: StmtId,
    otherwise: StmtId,
) -> Result<Vec<TextEdit>, String> {
    const IN_A_MACRO: &str = "part of it comes from a macro";
    let ast = layer.ast();
    let written = |tokens: TokenRange| Written::of(view, layer, tokens).ok_or(IN_A_MACRO);
    let (first, second) = (written(ast[then].range)?, written(ast[otherwise].range)?);
    let negated = negated(view, layer, cond).ok_or(IN_A_MACRO)?;
    // A statement that is no block could take the `else` that comes to stand behind it.
    let second_text = match ast[otherwise].kind {
        StmtKind::Compound { .. } => second.spelled(),
        _ => format!("{{ {} }}", second.spelled()),
    };
    let whole = written(TokenRange::new(ast[then].range.start, ast[otherwise].range.end))?;
    if has_directives(&whole.spelled()) {
        return Err("it holds directives of the preprocessor".to_owned());
    }
    let mut edits = vec![
        negated,
        TextEdit { place: first.place.clone(), new_text: second_text },
        TextEdit { place: second.place.clone(), new_text: first.spelled() },
    ];
    edits.sort_by(|a, b| a.place.cmp(&b.place));
    if edits.windows(2).any(|pair| pair[0].place.path != pair[1].place.path) {
        return Err("its parts stand in several files".to_owned());
    }
    Ok(edits)
}

/// Makes a condition the opposite of what it was.
fn negated(view: &View<'_>, layer: &Layer<'_>, cond: ExprId) -> Option<TextEdit> {
    let ast = layer.ast();
    let place = |tokens: TokenRange| view.places.editable(layer.body, tokens, false);
    match &ast[cond].kind {
        // `!x`
        ExprKind::Unary { op: UnaryOp::Not, operand, .. } => {
            let inner = match ast[*operand].kind {
                ExprKind::Paren(inner) => inner,
                _ => *operand,
            };
            let text = Written::of(view, layer, ast[inner].range)?.spelled();
            Some(TextEdit { place: place(ast[cond].range)?, new_text: text })
        }
        // The other comparisons are not each other's opposite where a NaN may be.
        ExprKind::Binary { op: op @ (BinaryOp::Eq | BinaryOp::Ne), op_token, .. } if is_scalar(layer, view, cond) => {
            let new_text = if *op == BinaryOp::Eq { "!=" } else { "==" };
            Some(TextEdit { place: place(TokenRange::new(*op_token, *op_token + 1))?, new_text: new_text.to_owned() })
        }
        kind => {
            let place = place(ast[cond].range)?;
            let text = Written::at(view, place.clone())?.spelled();
            let is_operand = matches!(
                kind,
                ExprKind::Path(_)
                    | ExprKind::Call { .. }
                    | ExprKind::Member { .. }
                    | ExprKind::Index { .. }
                    | ExprKind::Paren(_)
                    | ExprKind::Bool(_)
            );
            Some(TextEdit { place, new_text: if is_operand { format!("!{text}") } else { format!("!({text})") } })
        }
    }
}

/// Whether an expression is of a scalar type, so that its operator is the language's own.
fn is_scalar(layer: &Layer<'_>, view: &View<'_>, expr: ExprId) -> bool {
    let sema = layer.sema(view.env);
    let is_own = !layer.facts.callees.contains_key(&expr);
    is_own && layer.facts.exprs.get(&expr).is_some_and(|info| matches!(sema.kind(info.ty.ty), TyKind::Scalar(_)))
}

/// Adds the enumerators that no case names.
fn complete(view: &View<'_>, layer: &Layer<'_>, cond: ExprId, body: StmtId) -> Option<Built> {
    let ast = layer.ast();
    let sema = layer.sema(view.env);
    let ty = sema.strip_ref(layer.facts.exprs.get(&cond)?.ty);
    let TyKind::Enum(decl, bind) = *sema.kind(ty.ty) else { return None };
    let DeclKind::Enum(of_type) = &sema.ast[decl].kind else { return None };
    let tree = Statements::of(ast, layer.root()?);
    let own_switch = tree.parent(body).map(|(switch, _)| switch)?;
    let belongs = |stmt: StmtId| {
        let is_switch = |other: StmtId| matches!(ast[other].kind, StmtKind::Switch { .. });
        tree.around(stmt).map(|(outer, _)| outer).find(|&outer| is_switch(outer)) == Some(own_switch)
    };
    let mut named: Vec<i128> = Vec::new();
    for stmt in tree.iter().filter(|&stmt| belongs(stmt)) {
        match &ast[stmt].kind {
            StmtKind::Default { .. } => return None,
            StmtKind::Case { end: Some(_), .. } => return None,
            StmtKind::Case { value, .. } => {
                let &item = layer.facts.refs.get(&(ast[*value].range.end - 1))?.first()?;
                // A number that is no name may be any of them.
                named.push(enumerator_value(&sema, item)?);
            }
            _ => {}
        }
    }
    let mut missing: Vec<String> = Vec::new();
    for &enumerator in &of_type.enumerators {
        let value = enumerator_value(&sema, DeclRef { decl: enumerator, bind })?;
        if !named.contains(&value) {
            missing.push(sema.decl_name(enumerator)?.to_string());
            named.push(value);
        }
    }
    if missing.is_empty() {
        return None;
    }
    let title = match missing.len() {
        1 => format!("Add the missing case `{}`", missing[0]),
        count => format!("Add the {count} missing cases"),
    };
    let ways = added(view, layer, &sema, body, &missing, ty, of_type.scoped);
    Some(Built { id: COMPLETE, title, kind: ActionKind::Rewrite, ways })
}

fn enumerator_value(sema: &Sema<'_>, item: DeclRef) -> Option<i128> {
    matches!(sema.ast[item.decl].kind, DeclKind::Enumerator { .. }).then(|| sema.enumerator_value(item))?
}

/// The names as they are, if that says the same, else behind the name of their type.
fn added(
    view: &View<'_>,
    layer: &Layer<'_>,
    sema: &Sema<'_>,
    body: StmtId,
    missing: &[String],
    of_type: QualTy,
    scoped: bool,
) -> Vec<Result<Vec<TextEdit>, String>> {
    let ast = layer.ast();
    let StmtKind::Compound { stmts, .. } = &ast[body].kind else {
        return vec![Err("its body is no block".to_owned())];
    };
    let tokens = ast[body].range;
    let Some(written) = Written::of(view, layer, tokens) else {
        return vec![Err("it comes from a macro".to_owned())];
    };
    let last = stmts.last().and_then(|&last| Written::of(view, layer, ast[last].range));
    // As deep as the cases that are there; they are written as deep as `switch` in many styles.
    let first = stmts.first().and_then(|&first| Written::of(view, layer, ast[first].range));
    let (outer, newline) = (written.indent(), written.newline());
    let indent = first.filter(Written::starts_line).map_or_else(|| outer.clone(), |first| first.indent());
    let end = written.place.range.end - 1;
    let before = last.map_or(written.place.range.start + 1, |last| last.place.range.end);
    let place = Place { path: Arc::clone(&written.place.path), range: TextRange::new(end, end) };
    let is_on_own_line = written.text[before as usize..end as usize].contains(&b'\n');
    let qualified = sema.spell_ty(of_type.ty);
    let plain = (!scoped).then(String::new);
    plain
        .into_iter()
        .chain([format!("{qualified}::")])
        .map(|qualifier| {
            let mut text = String::new();
            for name in missing {
                text.push_str(&format!("{indent}case {qualifier}{name}:{newline}{indent}    break;{newline}"));
            }
            let new_text = match is_on_own_line {
                // In front of the white space before the closing brace.
                true => format!("{}{outer}", text.strip_prefix(outer.as_str()).unwrap_or(&text)),
                false => format!("{newline}{text}{outer}"),
            };
            Ok(vec![TextEdit { place: place.clone(), new_text }])
        })
        .collect()
}
