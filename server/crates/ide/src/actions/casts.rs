//! Casts and tests of address spaces (rules G47–G57).
//!
//! A `static_cast` from a generic pointer is not checked; `addrspace_cast` gives null if it does not fit, and is the same
//! as a test with `is_…_addrspace` where only that is wanted.

use std::sync::Arc;

use msl_db::{BodyPlace, Database, Unit, parsed_body, split_unit};
use msl_diagnostics::{Code, Diagnostic, Fix, FixKind, Place, TextEdit, TextRange};
use msl_flow::{findings::Finding, program::Function, unit_flow, value::Spaces};
use msl_parser::ast::*;
use msl_ty::{
    DeclRef, Sema, body_of, checked_body, environment,
    sema::LocalCaches,
    store::{BindId, QualTy, Scalar, Space, TyKind},
};

use super::{
    edits::{EditBuilder, indentation, line_start},
    offers::{Action, ActionKind},
    verify::{Replacement, Verifier},
};
use crate::{
    analysis::{Analysis, UnitRequest},
    view::{Layer, Spot, View},
};

/// The repair of an access that the compiler cannot resolve although only one space is possible: a `static_cast` says so.
pub(crate) fn resolving_cast(db: &Database, unit: Unit, finding: &Finding) -> Option<Fix> {
    if !matches!(finding.code, Code::GenericPointerInHotLoop | Code::UnresolvedGenericPointer) {
        return None;
    }
    let program = unit_flow(db, unit);
    // A template has no number of its own: its instances may differ.
    let number = program.number(Function::of(DeclRef { decl: finding.function, bind: BindId::NONE }))?;
    let access = program.accesses(number).into_iter().find(|access| access.range == finding.range)?;
    let space = [Space::Thread, Space::Device, Space::Threadgroup]
        .into_iter()
        .find(|&space| access.inferred == Spaces::of(space))?;
    let env = environment(db, unit);
    let place = body_of(db, unit, finding.function)?;
    let BodyPlace::Deferred(body) = place else { return None };
    let &body = split_unit(db, unit).bodies(db).get(body as usize)?;
    let (parsed, checked) = (parsed_body(db, body).as_ref()?, checked_body(db, body).as_ref()?);
    let pointer = match parsed.ast[access.expr].kind {
        ExprKind::Unary { op: UnaryOp::Deref, operand, .. } => operand,
        ExprKind::Index { base, .. } | ExprKind::Member { base, arrow: true, .. } => base,
        _ => return None,
    };
    let local = LocalCaches::default();
    let sema = Sema::new(env, &parsed.ast, &local);
    let info = checked.facts.exprs.get(&pointer)?;
    let TyKind::Pointer(inner) = sema.kind(sema.decayed(info.ty)) else { return None };
    let target = sema.spell(QualTy::plain(sema.store().pointer(QualTy { space, ..*inner })));
    let mut builder = EditBuilder::new(db, unit);
    let range = parsed.ast[pointer].range;
    let is_in_parentheses = matches!(parsed.ast[pointer].kind, ExprKind::Paren(_));
    let (open, close) = if is_in_parentheses { ("", "") } else { ("(", ")") };
    builder.insert_before(Some(place), range.start, &format!("static_cast<{target}>{open}"));
    if !close.is_empty() {
        builder.insert_behind(Some(place), range.end - 1, close);
    }
    let edits = builder.finish().ok()?;
    let title = format!("Cast to {} memory, the only one that it can point to", space.word());
    Some(Fix { title, kind: FixKind::QuickFix, preferred: true, edits })
}

/// How far out from the cursor expressions are looked at.
const MAX_AROUND: usize = 6;

impl Analysis {
    /// Actions about casts and tests at a place.
    pub(crate) fn offer_casts(
        &self,
        request: &UnitRequest,
        path: &Arc<str>,
        range: TextRange,
        verifier: &mut Verifier<'_>,
        actions: &mut Vec<Action>,
    ) {
        if !request.std.version.has_generic_pointers() {
            return;
        }
        let view = View::new(self, request);
        for spot in view.spots_at(path, range.start).into_iter().take(1) {
            let Some(layer) = view.layer(spot) else { continue };
            let mut around: Vec<(ExprId, TokenRange)> = layer
                .ast()
                .own_exprs()
                .map(|(expr, data)| (expr, data.range))
                .filter(|(_, tokens)| tokens.start <= spot.token && spot.token < tokens.end)
                .collect();
            around.sort_by_key(|(_, tokens)| tokens.end - tokens.start);
            for (expr, _) in around.into_iter().take(MAX_AROUND) {
                let found = at_expression(&view, &layer, spot, expr);
                actions.extend(found.into_iter().filter_map(|action| verified(verifier, action)));
            }
        }
        self.offer_guards(request, path, range, &view, verifier, actions);
    }

    /// The actions about casts and tests of a whole unit.
    pub(crate) fn all_casts(&self, request: &UnitRequest, verifier: &mut Verifier<'_>) -> Vec<Action> {
        if !request.std.version.has_generic_pointers() {
            return Vec::new();
        }
        let view = View::new(self, request);
        let mut found = Vec::new();
        for layer in view.layers() {
            for (expr, data) in layer.ast().own_exprs() {
                // A test is offered on its name.
                let token = match &data.kind {
                    ExprKind::Call { callee, .. } => match &layer.ast()[*callee].kind {
                        ExprKind::Path(path) => path.last().map_or(data.range.start, |last| last.token),
                        _ => continue,
                    },
                    _ => data.range.start,
                };
                let spot = Spot { body: layer.body, token, expanded: 0, range: TextRange::default() };
                found.extend(at_expression(&view, &layer, spot, expr));
            }
        }
        found.into_iter().filter_map(|action| verified(verifier, action)).collect()
    }

    /// Where a generic pointer is used as a concrete one: tests around the statement.
    fn offer_guards(
        &self,
        request: &UnitRequest,
        path: &Arc<str>,
        range: TextRange,
        view: &View<'_>,
        verifier: &mut Verifier<'_>,
        actions: &mut Vec<Action>,
    ) {
        let findings = self.check_under(request, request.std.version).diagnostics;
        let touched = |finding: &&Diagnostic| {
            matches!(finding.code, Code::GenericToConcrete | Code::NoMatchingFunction)
                && finding.place.path == *path
                && finding.place.range.start <= range.end
                && range.start <= finding.place.range.end
        };
        for finding in findings.iter().filter(touched) {
            let Some(cast) = finding.fixes.iter().find_map(|fix| Cast::of(&fix.edits)) else { continue };
            for spot in view.spots_at(path, finding.place.range.start).into_iter().take(1) {
                let Some(layer) = view.layer(spot) else { continue };
                let built = guards(view, &layer, spot, &finding.place, &cast);
                for action in built {
                    let keeps = action.edits.as_ref().is_ok_and(|edits| verifier.has_fewer_errors(edits));
                    if keeps {
                        actions.push(action);
                    }
                }
            }
        }
    }
}

/// An action that keeps the unit right, or none: these change how something is written, not what it means.
fn verified(verifier: &mut Verifier<'_>, action: Action) -> Option<Action> {
    let edits = action.edits.as_ref().ok()?;
    verifier.verify(edits, &Replacement::default()).is_ok().then_some(action)
}

/// The target of a repair that casts.
struct Cast {
    /// `device float *`.
    target: String,
    space: Space,
}

impl Cast {
    /// Reads the repair of the type checker: a `static_cast` around a pointer.
    fn of(edits: &[TextEdit]) -> Option<Cast> {
        let open = &edits.first()?.new_text;
        let target = open.strip_prefix("static_cast<")?.strip_suffix(">(")?.to_owned();
        let is_word = |word: &str| target.split(|c: char| !c.is_alphanumeric()).any(|other| other == word);
        let space =
            [Space::Thread, Space::Device, Space::Threadgroup].into_iter().find(|space| is_word(space.word()))?;
        Some(Cast { target, space })
    }
}

/// A test around the statement that uses a generic pointer as a concrete one, in both forms.
fn guards(view: &View<'_>, layer: &Layer<'_>, spot: Spot, at: &Place, cast: &Cast) -> Vec<Action> {
    let ast = layer.ast();
    // The smallest statement around it that stands alone.
    let statement = ast
        .own_stmts()
        .filter(|(_, data)| data.range.start <= spot.token && spot.token < data.range.end)
        .min_by_key(|(_, data)| data.range.end - data.range.start);
    let Some((_, Stmt { kind: StmtKind::Expr(_), range, .. })) = statement else { return Vec::new() };
    let builder = EditBuilder::new(view.db, view.unit);
    let Some(place) = builder.place(layer.body, *range) else { return Vec::new() };
    let text = builder.text(&place.path);
    let (start, end) = (place.range.start as usize, place.range.end as usize);
    let line = line_start(&text, start);
    // One statement on lines of its own: what is around it stays as it is.
    if !text[line..start].iter().all(u8::is_ascii_whitespace) || !text[start..end].ends_with(b";") {
        return Vec::new();
    }
    let pointer = String::from_utf8_lossy(&text[at.range.start as usize..at.range.end as usize]).into_owned();
    // It is written twice, so it must not do anything.
    if !pointer.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '>')) {
        return Vec::new();
    }
    let indent = indentation(&text, start);
    let step = if indent.contains('\t') { "\t" } else { "    " };
    let (before, after) = (
        String::from_utf8_lossy(&text[start..at.range.start as usize]).into_owned(),
        String::from_utf8_lossy(&text[at.range.end as usize..end]).into_owned(),
    );
    let word = cast.space.word();
    let target = &cast.target;
    let action = |id, title: String, head: String, used: String| {
        let new_text = format!("{head} {{\n{indent}{step}{before}{used}{after}\n{indent}}}");
        let edits = vec![TextEdit { place: place.clone(), new_text }];
        Action { id, title, kind: ActionKind::QuickFix, edits: Ok(edits), replacement: None, notes: Vec::new() }
    };
    let declarator = if target.ends_with('*') { target.clone() } else { format!("{target} ") };
    vec![
        action(
            "guard-with-cast",
            format!("Do it only if `addrspace_cast` to {word} memory succeeds"),
            format!("if ({declarator}checked = addrspace_cast<{target}>({pointer}))"),
            "checked".to_owned(),
        ),
        action(
            "guard-with-test",
            format!("Do it only if `is_{word}_addrspace`"),
            format!("if (is_{word}_addrspace({pointer}))"),
            format!("static_cast<{target}>({pointer})"),
        ),
    ]
}

/// The actions about one expression.
fn at_expression(view: &View<'_>, layer: &Layer<'_>, spot: Spot, expr: ExprId) -> Vec<Action> {
    let ast = layer.ast();
    let sema = layer.sema(view.env);
    let mut found = Vec::new();
    match &ast[expr].kind {
        ExprKind::CCast { ty, operand } => {
            found.extend(named_cast(view, layer, &sema, expr, *ty, *operand));
            found.extend(needless_cast(view, layer, &sema, expr, *operand));
        }
        ExprKind::NamedCast { cast: NamedCast::Static | NamedCast::AddrSpace, operand, .. } => {
            found.extend(needless_cast(view, layer, &sema, expr, *operand));
        }
        ExprKind::Binary { op: op @ (BinaryOp::Eq | BinaryOp::Ne), lhs, rhs, .. } => {
            found.extend(test_for_comparison(view, layer, &sema, expr, *op, *lhs, *rhs));
        }
        ExprKind::Call { callee, args } => {
            found.extend(comparison_for_test(view, layer, &sema, spot, expr, *callee, args));
        }
        _ => {}
    }
    found
}

fn rewrite(id: &'static str, title: String, builder: EditBuilder<'_>) -> Action {
    let edits = builder.finish();
    Action { id, title, kind: ActionKind::Rewrite, edits, replacement: None, notes: Vec::new() }
}

/// The text of a run of tokens, as the author typed it.
fn written(builder: &EditBuilder<'_>, layer: &Layer<'_>, tokens: TokenRange) -> Option<String> {
    let place = builder.place(layer.body, tokens)?;
    let text = builder.text(&place.path);
    Some(String::from_utf8_lossy(&text[place.range.start as usize..place.range.end as usize]).into_owned())
}

/// What an expression points to, if it is a pointer.
fn pointee(sema: &Sema<'_>, layer: &Layer<'_>, expr: ExprId) -> Option<QualTy> {
    let info = layer.facts.exprs.get(&expr)?;
    match sema.kind(sema.decayed(info.ty)) {
        TyKind::Pointer(inner) => Some(*inner),
        _ => None,
    }
}

/// `(device T *)p` as `static_cast<device T *>(p)`.
fn named_cast(
    view: &View<'_>,
    layer: &Layer<'_>,
    sema: &Sema<'_>,
    expr: ExprId,
    ty: TypeId,
    operand: ExprId,
) -> Option<Action> {
    let (from, to) = (pointee(sema, layer, operand)?, pointee(sema, layer, expr)?);
    // Other casts of this form may need `reinterpret_cast` or drop `const`.
    if from.ty != to.ty || !to.cv.contains(from.cv) || from.space != Space::Generic || !to.space.is_named() {
        return None;
    }
    let ast = layer.ast();
    let mut builder = EditBuilder::new(view.db, view.unit);
    let target = written(&builder, layer, ast[ty].range)?;
    let mut inner = operand;
    while let ExprKind::Paren(expr) = ast[inner].kind {
        inner = expr;
    }
    let operand = written(&builder, layer, ast[inner].range)?;
    builder.replace(layer.body, ast[expr].range, &format!("static_cast<{target}>({operand})"));
    Some(rewrite("c-style-cast", "Replace the C-style cast by `static_cast`".to_owned(), builder))
}

/// A cast to the type that the operand has already.
fn needless_cast(view: &View<'_>, layer: &Layer<'_>, sema: &Sema<'_>, expr: ExprId, operand: ExprId) -> Option<Action> {
    let (from, to) = (pointee(sema, layer, operand)?, pointee(sema, layer, expr)?);
    // Whether `char` and `signed char`, which `int8_t` may be, are one type is not written down.
    let is_char = matches!(sema.kind(to.ty), TyKind::Scalar(Scalar::Char));
    if from != to || !to.space.is_named() || is_char {
        return None;
    }
    let ast = layer.ast();
    let mut builder = EditBuilder::new(view.db, view.unit);
    let text = written(&builder, layer, ast[operand].range)?;
    let is_simple = matches!(
        ast[operand].kind,
        ExprKind::Path(_)
            | ExprKind::Member { .. }
            | ExprKind::Call { .. }
            | ExprKind::Index { .. }
            | ExprKind::Paren(_)
    );
    let text = if is_simple { text } else { format!("({text})") };
    builder.replace(layer.body, ast[expr].range, &text);
    let title = format!("Remove the cast: this points to {} memory already", to.space.word());
    Some(rewrite("needless-cast", title, builder))
}

/// `addrspace_cast<device T *>(p) != nullptr` as `is_device_addrspace(p)` (rule G53).
fn test_for_comparison(
    view: &View<'_>,
    layer: &Layer<'_>,
    sema: &Sema<'_>,
    expr: ExprId,
    op: BinaryOp,
    lhs: ExprId,
    rhs: ExprId,
) -> Option<Action> {
    let ast = layer.ast();
    let (cast, null) = if matches!(ast[rhs].kind, ExprKind::Nullptr) { (lhs, rhs) } else { (rhs, lhs) };
    let ExprKind::Nullptr = ast[null].kind else { return None };
    let ExprKind::NamedCast { cast: NamedCast::AddrSpace, operand, .. } = ast[cast].kind else { return None };
    let space = pointee(sema, layer, cast)?.space;
    if pointee(sema, layer, operand)?.space != Space::Generic || !space.is_named() {
        return None;
    }
    let mut builder = EditBuilder::new(view.db, view.unit);
    let operand = written(&builder, layer, ast[operand].range)?;
    let not = if op == BinaryOp::Eq { "!" } else { "" };
    let word = space.word();
    builder.replace(layer.body, ast[expr].range, &format!("{not}is_{word}_addrspace({operand})"));
    Some(rewrite("cast-and-compare-to-test", format!("Replace the comparison by `is_{word}_addrspace`"), builder))
}

/// The reverse.
fn comparison_for_test(
    view: &View<'_>,
    layer: &Layer<'_>,
    sema: &Sema<'_>,
    spot: Spot,
    expr: ExprId,
    callee: ExprId,
    args: &[ExprId],
) -> Option<Action> {
    let ast = layer.ast();
    let (ExprKind::Path(path), &[arg]) = (&ast[callee].kind, args) else { return None };
    let item = layer.facts.callees.get(&expr)?;
    let last = path.last().filter(|last| view.is_library(item.decl) && last.token == spot.token)?;
    let space = [Space::Thread, Space::Device, Space::Threadgroup].into_iter().find(|space| {
        last.name.ident().is_some_and(|name| name.as_str() == format!("is_{}_addrspace", space.word()))
    })?;
    let pointee = pointee(sema, layer, arg)?;
    let target = sema.store().pointer(QualTy { space, ..pointee });
    let target = sema.spell(QualTy::plain(target));
    let mut builder = EditBuilder::new(view.db, view.unit);
    let operand = written(&builder, layer, ast[arg].range)?;
    // A `!` in front is part of the comparison.
    let negated = ast.own_exprs().find_map(|(_, data)| match data.kind {
        ExprKind::Unary { op: UnaryOp::Not, operand, .. } if operand == expr => Some(data.range),
        _ => None,
    });
    let range = negated.unwrap_or(ast[expr].range);
    let op = if negated.is_some() { "==" } else { "!=" };
    let place = builder.place(layer.body, range)?;
    let text = builder.text(&place.path);
    let before = text[..place.range.start as usize].trim_ascii_end().last().copied();
    let after = text[place.range.end as usize..].trim_ascii_start().first().copied();
    let comparison = format!("addrspace_cast<{target}>({operand}) {op} nullptr");
    let is_alone = matches!((before, after), (Some(b'(' | b'='), Some(b')' | b';')));
    let comparison = if is_alone { comparison } else { format!("({comparison})") };
    builder.replace(layer.body, range, &comparison);
    Some(rewrite(
        "test-to-cast-and-compare",
        "Replace the test by `addrspace_cast` and a comparison".to_owned(),
        builder,
    ))
}
