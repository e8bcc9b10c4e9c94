//! Replaces a local variable by what it is initialised with.

use std::sync::Arc;

use msl_diagnostics::{Place, TextEdit, TextRange};
use msl_parser::ast::*;
use msl_ty::{
    Sema,
    store::{QualTy, Ty, TyKind},
};

use super::{
    Built, Ways,
    effects::{Effects, EffectsOf},
    statements::{Role, Statements},
    text::Written,
};
use crate::{
    actions::{edits::whole_lines, offers::ActionKind},
    view::{Layer, View},
};

const ID: &str = "inline-variable";

pub(super) fn build(view: &View<'_>, path: &Arc<str>, range: TextRange) -> Option<Built> {
    let (layer, named) = view.named_at(path, range.start)?;
    // A selection must be the name itself.
    if range.start < range.end && named.spot.range != range {
        return None;
    }
    let &[item] = named.items.as_slice() else { return None };
    let ast = layer.ast();
    if !ast.owns_decl(item.decl) || layer.body.is_none() {
        return None;
    }
    let DeclKind::Variable(variable) = &ast[item.decl].kind else { return None };
    let name = variable.name.ident()?;
    if variable.kind != VariableKind::Local || matches!(variable.init, Init::None | Init::Implied) {
        return None;
    }
    let title = format!("Inline `{name}`");
    let sema = layer.sema(view.env);
    Some(match ways(view, &layer, &sema, item.decl, variable) {
        Ok(ways) => Built { id: ID, title, kind: ActionKind::Inline, ways },
        Err(reason) => Built::refused(ID, &title, ActionKind::Inline, reason),
    })
}

fn ways(
    view: &View<'_>,
    layer: &Layer<'_>,
    sema: &Sema<'_>,
    decl: DeclId,
    variable: &Variable,
) -> Result<Ways, String> {
    let ast = layer.ast();
    let data = &ast[decl];
    let root = layer.root().ok_or("it is no part of a function body")?;
    let tree = Statements::of(ast, root);
    let name_token = TokenRange::new(data.name_token, data.name_token + 1);
    let statement = tree.innermost(name_token).ok_or("its declaration is no statement")?;
    let StmtKind::Decl(decls) = &ast[statement].kind else {
        return Err("its declaration is part of another statement".to_owned());
    };
    if decls.len() != 1 || !matches!(tree.parent(statement), Some((_, Role::InBlock(_)))) {
        return Err("it is declared together with something else".to_owned());
    }
    if data.specs.contains(Specs::STATIC) || !data.attrs.is_empty() {
        return Err("it is static or has attributes".to_owned());
    }
    let init = match &variable.init {
        Init::Assign(init) => *init,
        Init::Paren(inits) if inits.len() == 1 => inits[0],
        Init::Brace(list) => *list,
        _ => return Err("it is initialised with more than one value".to_owned()),
    };
    let effects = EffectsOf::new(layer, sema);
    let declared = effects.type_of(decl);
    let is_reference = sema.is_ref(declared.ty);
    if matches!(sema.kind(declared.ty), TyKind::Array(..)) {
        return Err("it is an array".to_owned());
    }
    let uses = uses(layer, decl);
    if uses.is_empty() {
        return Err("nothing uses it".to_owned());
    }
    // A value that changes later is not the one that it began with.
    let own_writes = writes_to(layer, &effects, decl, data.name_token);
    if !is_reference && own_writes {
        return Err("it is written after its declaration, or something refers to it".to_owned());
    }
    check_uses(view, layer, &tree, statement, &uses)?;
    let own = if is_reference { effects.of_designator(init) } else { effects.within(ast[init].range) };
    check_changes(layer, &effects, &tree, statement, &own, &uses)?;
    check_shadows(layer, init, decl)?;

    let text = Written::of(view, layer, ast[init].range).ok_or("its value comes from a macro")?;
    let spelled = text.spelled();
    let info = layer.facts.exprs.get(&init);
    let is_list = matches!(ast[init].kind, ExprKind::InitList(_));
    let same_type = info.is_some_and(|info| info.ty.ty == sema.strip_ref(declared).ty);
    let (value, is_operand) = if is_reference || same_type && !is_list {
        (spelled, is_operand(&ast[init].kind))
    } else {
        let ty = written_type(view, layer, sema, variable, declared)
            .ok_or("its declaration converts the value to another type")?;
        // A list is written behind the type as it is.
        (if is_list { format!("{ty}{spelled}") } else { format!("{ty}({spelled})") }, true)
    };
    let mut edits = Vec::new();
    for &token in &uses {
        let tokens = TokenRange::new(token, token + 1);
        let place = view.places.editable(layer.body, tokens, false).ok_or("a macro uses it")?;
        let stands_alone = is_operand || stands_alone(ast, token);
        let new_text = if stands_alone { value.clone() } else { format!("({value})") };
        edits.push(TextEdit { place, new_text });
    }
    let written = Written::of(view, layer, ast[statement].range).ok_or("its declaration comes from a macro")?;
    let mut range = whole_lines(&written.text, written.place.range);
    if range.end > written.place.range.end
        && written.text[written.place.range.end as usize..range.end as usize].windows(2).any(|pair| pair == b"//")
    {
        // A comment behind it stays.
        range = written.place.range;
    }
    if range == written.place.range {
        let behind = &written.text[range.end as usize..];
        range.end += behind.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count() as u32;
    }
    edits.push(TextEdit { place: Place { path: written.place.path.clone(), range }, new_text: String::new() });
    edits.sort_by(|a, b| a.place.cmp(&b.place));
    if edits.windows(2).any(|pair| pair[0].place.path != pair[1].place.path) {
        return Err("its uses stand in another file".to_owned());
    }
    Ok(vec![Ok(edits)])
}

/// The tokens that name a variable, in order.
fn uses(layer: &Layer<'_>, decl: DeclId) -> Vec<u32> {
    let refs = layer.facts.refs.iter();
    let mut tokens: Vec<u32> =
        refs.filter(|(_, items)| items.iter().any(|item| item.decl == decl)).map(|(&token, _)| token).collect();
    tokens.sort_unstable();
    tokens
}

/// Whether anything but its declaration writes a variable or refers to it.
fn writes_to(layer: &Layer<'_>, effects: &EffectsOf<'_>, decl: DeclId, name_token: u32) -> bool {
    let Some(root) = layer.root() else { return true };
    let ast = layer.ast();
    let behind = TokenRange::new(name_token + 1, ast[root].range.end);
    let written = effects.within(behind);
    written.writes.locals.contains(&decl) || effects.has_escaped(decl)
}

fn check_uses(
    view: &View<'_>,
    layer: &Layer<'_>,
    tree: &Statements<'_>,
    statement: StmtId,
    uses: &[u32],
) -> Result<(), String> {
    let ast = layer.ast();
    let Some((block, _)) = tree.parent(statement) else { return Err("its declaration is no statement".to_owned()) };
    for &token in uses {
        let tokens = TokenRange::new(token, token + 1);
        let holds = |range: TokenRange| range.start <= token && token < range.end;
        if !holds(ast[block].range) {
            return Err("it is used outside of its block".to_owned());
        }
        if ast.own_exprs().any(|(_, data)| matches!(data.kind, ExprKind::Lambda(_)) && holds(data.range)) {
            return Err("a lambda captures it".to_owned());
        }
        if view.places.editable(layer.body, tokens, false).is_none() {
            return Err("a macro uses it".to_owned());
        }
    }
    Ok(())
}

/// Whether its value is still the same wherever it is used.
fn check_changes(
    layer: &Layer<'_>,
    effects: &EffectsOf<'_>,
    tree: &Statements<'_>,
    statement: StmtId,
    own: &Effects,
    uses: &[u32],
) -> Result<(), String> {
    let ast = layer.ast();
    if !own.is_pure() {
        return Err("computing its value changes something".to_owned());
    }
    let start = ast[statement].range.end;
    let mut end = start;
    let mut is_nested = false;
    let block = tree.parent(statement).map(|(block, _)| block);
    for &token in uses {
        let tokens = TokenRange::new(token, token + 1);
        let Some(user) = tree.innermost(tokens) else { continue };
        end = end.max(token);
        for (outer, role) in tree.around(user).take_while(|(outer, _)| Some(*outer) != block) {
            is_nested |= !matches!(role, Role::InBlock(_) | Role::Init);
            if tree.is_loop(outer) {
                end = end.max(ast[outer].range.end);
            }
        }
        if tree.is_loop(user) {
            end = end.max(ast[user].range.end);
            is_nested = true;
        }
    }
    if own.calls && (is_nested || uses.len() > 1) {
        return Err("its value comes from a call, which would be made more often or under a condition".to_owned());
    }
    // What holds the last use is done after it, unless a loop comes back to it.
    let last = uses.last().copied().unwrap_or(start);
    let is_done_after = |range: TokenRange| end == last && range.start <= last && last < range.end;
    let between = effects.within_except(TokenRange::new(start, end.max(last + 1)), is_done_after);
    match own.is_independent_of(&between) {
        true => Ok(()),
        false => Err("what its value is computed from may change before it is used".to_owned()),
    }
}

/// Whether the names in its value mean the same wherever it is used.
fn check_shadows(layer: &Layer<'_>, init: ExprId, decl: DeclId) -> Result<(), String> {
    let ast = layer.ast();
    let range = ast[init].range;
    let named: Vec<DeclId> = (range.start..range.end)
        .filter_map(|token| layer.facts.refs.get(&token))
        .flatten()
        .map(|item| item.decl)
        .collect();
    let names = named.iter().filter_map(|&named| name_of(ast, named)).collect::<Vec<_>>();
    let is_shadowed = ast.own_decls().any(|(other, _)| {
        other != decl && !named.contains(&other) && name_of(ast, other).is_some_and(|name| names.contains(&name))
    });
    if is_shadowed { Err("a name in its value means something else in another place".to_owned()) } else { Ok(()) }
}

fn name_of(ast: &Ast, decl: DeclId) -> Option<msl_intern::Name> {
    match &ast[decl].kind {
        DeclKind::Variable(variable) => variable.name.ident(),
        DeclKind::Function(function) => function.name.ident(),
        _ => None,
    }
}

/// The type of a variable as a conversion can name it: one word, or with template arguments.
fn written_type(
    view: &View<'_>,
    layer: &Layer<'_>,
    sema: &Sema<'_>,
    variable: &Variable,
    declared: QualTy,
) -> Option<String> {
    if sema.store().is_dependent(declared.ty) || declared.ty == Ty::UNKNOWN {
        return None;
    }
    if !matches!(
        sema.kind(declared.ty),
        TyKind::Scalar(_)
            | TyKind::Vector(..)
            | TyKind::Packed(..)
            | TyKind::Matrix(..)
            | TyKind::Enum(..)
            | TyKind::Record(..)
    ) {
        return None;
    }
    let ast = layer.ast();
    let mut ty = variable.ty;
    while let TypeKind::Qualified { inner, .. } = ast[ty].kind {
        ty = inner;
    }
    match &ast[ty].kind {
        TypeKind::Path { path, typename: false } if path.last().is_some_and(|last| last.args.is_none()) => {
            let spelled = Written::of(view, layer, ast[ty].range)?.spelled();
            // A type that is written with its qualifiers in between is not taken apart.
            spelled.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':')).then_some(spelled)
        }
        TypeKind::Builtin(_) => {
            let spelled = Written::of(view, layer, ast[ty].range)?.spelled();
            spelled.chars().all(|c| c.is_alphanumeric()).then_some(spelled)
        }
        _ => None,
    }
}

/// Whether an expression can be the operand of every operator as it is.
fn is_operand(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::Path(_)
            | ExprKind::Paren(_)
            | ExprKind::Call { .. }
            | ExprKind::Index { .. }
            | ExprKind::Member { .. }
            | ExprKind::Construct { .. }
            | ExprKind::NamedCast { .. }
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Nullptr
            | ExprKind::This
    )
}

/// Whether the name at a token is all of an argument, initialiser or right side.
fn stands_alone(ast: &Ast, token: u32) -> bool {
    let Some((name, _)) = ast.own_exprs().find(|(_, data)| data.range == TokenRange::new(token, token + 1)) else {
        return false;
    };
    let in_expression = ast.own_exprs().any(|(_, data)| match &data.kind {
        ExprKind::Assign { rhs, .. } => *rhs == name,
        ExprKind::Paren(inner) => *inner == name,
        ExprKind::Call { args, .. } | ExprKind::Construct { args, .. } | ExprKind::InitList(args) => {
            args.contains(&name)
        }
        ExprKind::Index { args, .. } => args.contains(&name),
        _ => false,
    });
    let in_declaration = || {
        ast.own_decls().any(|(_, data)| match &data.kind {
            DeclKind::Variable(variable) => match &variable.init {
                Init::Assign(init) => *init == name,
                Init::Paren(inits) => inits.contains(&name),
                _ => false,
            },
            _ => false,
        })
    };
    let in_statement = || {
        ast.own_stmts().any(|(_, data)| match &data.kind {
            StmtKind::Return(value) => *value == Some(name),
            StmtKind::If { cond, .. } | StmtKind::While { cond, .. } | StmtKind::Switch { cond, .. } => {
                cond.expr() == Some(name)
            }
            _ => false,
        })
    };
    in_expression || in_declaration() || in_statement()
}
