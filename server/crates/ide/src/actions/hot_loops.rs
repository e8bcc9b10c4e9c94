//! Changes that take the price of a generic pointer out of a loop (`generic-pointer-in-hot-loop`).
//!
//! * *Dispatch*: the address space is tested once before the loop, and there is a loop for each space in which the pointer
//!   is a concrete one.
//! * *Hoisting*: a pointer that is loaded from a structure in each iteration is loaded once before the loop.
//! * *Agreement*: all callers pass pointers to the same spaces, so the signature can say which.
//!
//! A loop is dispatched on a variable that it only reads through: there is no other use of it inside that could mean
//! something else for a concrete pointer.

use std::sync::Arc;

use msl_diagnostics::{Code, Diagnostic, Place, TextEdit, TextRange};
use msl_parser::ast::*;
use msl_preproc::TokenKind;
use msl_ty::{
    Sema,
    store::{QualTy, Space, TyKind},
};
use rustc_hash::FxHashSet;

use super::{
    edits::{EditBuilder, indentation, line_start},
    offers::{Action, ActionKind},
    verify::{Replacement, Verifier},
};
use crate::{
    analysis::{Analysis, UnitRequest},
    flow_facts::FlowFacts,
    view::{Layer, Spot, View},
};

/// Loops with more text than this are not copied.
const MAX_LOOP_BYTES: usize = 4000;

impl Analysis {
    /// The changes for the generic pointers in hot loops that a range touches.
    pub(crate) fn offer_for_hot_loops(
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
        let findings = self.check_under(request, request.std.version).diagnostics;
        let touched = |finding: &&Diagnostic| {
            finding.code == Code::GenericPointerInHotLoop
                && finding.place.path == *path
                && finding.place.range.start <= range.end
                && range.start <= finding.place.range.end
        };
        for finding in findings.iter().filter(touched) {
            self.offer_for(request, &finding.place, verifier, actions);
        }
    }

    /// The changes for all generic pointers in hot loops of a unit.
    pub(crate) fn all_for_hot_loops(&self, request: &UnitRequest, verifier: &mut Verifier<'_>) -> Vec<Action> {
        let mut actions = Vec::new();
        if request.std.version.has_generic_pointers() {
            let findings = self.check_under(request, request.std.version).diagnostics;
            for finding in findings.iter().filter(|finding| finding.code == Code::GenericPointerInHotLoop) {
                self.offer_for(request, &finding.place, verifier, &mut actions);
            }
        }
        // Several accesses of one pointer have one change.
        let mut seen: Vec<Vec<TextEdit>> = Vec::new();
        actions.retain(|action| {
            let Ok(edits) = &action.edits else { return true };
            let is_new = !seen.contains(edits);
            if is_new {
                seen.push(edits.clone());
            }
            is_new
        });
        actions
    }

    fn offer_for(&self, request: &UnitRequest, place: &Place, verifier: &mut Verifier<'_>, actions: &mut Vec<Action>) {
        let view = View::new(self, request);
        let Some(&spot) = view.spots_at(&place.path, place.range.start).first() else { return };
        let Some(layer) = view.layer(spot) else { return };
        let Some(function) = layer.function else { return };
        let built = HotAccess::find(&view, &layer, spot, place);
        if let Some(access) = &built {
            let found = access.dispatches().into_iter().chain(access.hoisting());
            // The first that keeps the unit right: which copy of the loop stays in place decides what can be checked.
            for mut of_kind in group_by_id(found.collect()) {
                of_kind.retain(|action| {
                    let edits = action.edits.as_ref();
                    edits.is_ok_and(|edits| verifier.verify(edits, &Replacement::default()).is_ok())
                });
                actions.extend(of_kind.into_iter().next());
            }
        }
        let Some(name) = view.place_of(&view.declarations(), function) else { return };
        let specialized = self.specialization_with(request, &|other| *other == name, verifier);
        if let Some(found) = specialized.filter(|found| found.count == 1 && found.overloads.is_ok()) {
            actions.push(Action {
                id: "annotate-as-callers-agree",
                title: format!(
                    "Write the address spaces that all callers agree on into `{}`: {}",
                    found.name, found.spaces
                ),
                kind: ActionKind::QuickFix,
                edits: found.overloads,
                replacement: Some(found.replacement),
                notes: Vec::new(),
            });
        }
    }
}

/// Actions, those with the same name together.
fn group_by_id(actions: Vec<Action>) -> Vec<Vec<Action>> {
    let mut groups: Vec<Vec<Action>> = Vec::new();
    for action in actions {
        match groups.iter_mut().find(|group| group[0].id == action.id) {
            Some(group) => group.push(action),
            None => groups.push(vec![action]),
        }
    }
    groups
}

/// An access through a generic pointer in a loop.
struct HotAccess<'a> {
    view: &'a View<'a>,
    layer: &'a Layer<'a>,
    function: DeclId,
    place: Place,
    /// The pointer, parentheses around it left out.
    pointer: ExprId,
    pointee: QualTy,
}

impl<'a> HotAccess<'a> {
    fn find(view: &'a View<'a>, layer: &'a Layer<'a>, spot: Spot, place: &Place) -> Option<HotAccess<'a>> {
        let ast = layer.ast();
        let is_it = |range: TokenRange| view.places.place(layer.body, range).is_some_and(|(other, _)| other == *place);
        let (_, data) = ast.own_exprs().find(|(_, data)| {
            data.range.start <= spot.token
                && spot.token < data.range.end
                && accessed(&data.kind).is_some()
                && is_it(data.range)
        })?;
        let pointer = without_parentheses(ast, accessed(&data.kind)?);
        let sema = layer.sema(view.env);
        let info = layer.facts.exprs.get(&pointer)?;
        let TyKind::Pointer(inner) = sema.kind(sema.decayed(info.ty)) else { return None };
        let pointee = *inner;
        (pointee.space == Space::Generic).then_some(())?;
        Some(HotAccess { view, layer, function: layer.function?, place: place.clone(), pointer, pointee })
    }

    fn ast(&self) -> &Ast {
        self.layer.ast()
    }

    /// The loops around the pointer, outermost first.
    fn loops(&self) -> Vec<TokenRange> {
        let at = self.ast()[self.pointer].range.start;
        let mut found: Vec<TokenRange> = self
            .ast()
            .own_stmts()
            .filter(|(_, stmt)| {
                let is_loop = matches!(
                    stmt.kind,
                    StmtKind::While { .. } | StmtKind::Do { .. } | StmtKind::For { .. } | StmtKind::RangeFor { .. }
                );
                is_loop && stmt.range.start <= at && at < stmt.range.end
            })
            .map(|(_, stmt)| stmt.range)
            .collect();
        found.sort_by_key(|range| range.start);
        found
    }

    fn target(&self, space: Space) -> String {
        let sema = self.layer.sema(self.view.env);
        sema.spell(QualTy::plain(sema.store().pointer(QualTy { space, ..self.pointee })))
    }

    /// A name that the function does not use; it may hide one that it does not use either.
    fn fresh_name(&self, wanted: String) -> Option<String> {
        let ast = self.ast();
        let first = |path: &Path| path.segments.first().and_then(|segment| segment.name.ident());
        let of_expr = ast.own_exprs().filter_map(|(_, data)| match &data.kind {
            ExprKind::Path(path) => first(path),
            _ => None,
        });
        let of_type = ast.own_types().filter_map(|(_, node)| match &node.kind {
            TypeKind::Path { path, .. } => first(path),
            _ => None,
        });
        let name_of = |data: &Decl| match &data.kind {
            DeclKind::Variable(variable) => variable.name.ident(),
            DeclKind::TypeAlias { name, .. } => Some(*name),
            _ => None,
        };
        let params = match &self.view.env.ast[self.function].kind {
            DeclKind::Function(function) => match &self.view.env.ast[function.ty].kind {
                TypeKind::Function(written) => &*written.params,
                _ => &[],
            },
            _ => &[],
        };
        let of_decl = ast.own_decls().filter_map(|(_, data)| name_of(data));
        let of_param = params.iter().filter_map(|&param| name_of(&self.view.env.ast[param]));
        let used: FxHashSet<msl_intern::Name> = of_expr.chain(of_type).chain(of_decl).chain(of_param).collect();
        let is_free = |name: &String| !used.iter().any(|other| other.as_str() == name);
        std::iter::once(wanted.clone()).chain((2..9).map(|number| format!("{wanted}{number}"))).find(is_free)
    }

    /// A loop with a test of the space before it; one action for each space whose loop is the one that stays in place.
    fn dispatches(&self) -> Vec<Action> {
        let words = self.spaces().unwrap_or_default();
        if words.len() < 2 {
            return Vec::new();
        }
        (0..words.len()).filter_map(|first| self.dispatch(&words, first)).collect()
    }

    /// The spaces that the pointer can lead to.
    fn spaces(&self) -> Option<Vec<Space>> {
        let facts = FlowFacts::of(self.view.db, self.view.unit);
        let accesses = facts.accesses(|decl| decl == self.function);
        let access = accesses.iter().find(|access| access.place == self.place)?;
        let inferred = access.fact.verdict.inferred;
        let all = [Space::Device, Space::Thread, Space::Threadgroup];
        let is_in = |space: &Space| !inferred.intersection(msl_flow::value::Spaces::of(*space)).is_empty();
        Some(all.into_iter().filter(is_in).collect())
    }

    /// The variable that the pointer is, with the tokens of all its uses in a range, if it is only read through there.
    fn read_through(&self, range: TokenRange) -> Option<(String, Vec<u32>)> {
        let ast = self.ast();
        let ExprKind::Path(path) = &ast[self.pointer].kind else { return None };
        let last = path.last()?;
        let refers = |token: u32| match self.layer.facts.refs.get(&token).map(|items| &**items) {
            Some(&[item]) => Some(item.decl),
            _ => None,
        };
        let variable = refers(last.token)?;
        let declared = match variable.0 >= self.view.env.ast.end().decls {
            true => &ast[variable],
            false => &self.view.env.ast[variable],
        };
        let is_variable = matches!(declared.kind, DeclKind::Variable(_)) && !self.view.is_library(variable);
        // A variable of the loop itself is not there before it.
        if !is_variable || range.start <= declared.name_token && declared.name_token < range.end {
            return None;
        }
        let through: FxHashSet<ExprId> = ast
            .own_exprs()
            .filter_map(|(_, data)| accessed(&data.kind))
            .map(|expr| without_parentheses(ast, expr))
            .collect();
        let mut uses = Vec::new();
        for (expr, data) in ast.own_exprs() {
            let ExprKind::Path(path) = &data.kind else { continue };
            let Some(token) = path.last().map(|last| last.token) else { continue };
            if !(range.start <= token && token < range.end) || refers(token) != Some(variable) {
                continue;
            }
            // A member function is another one for a concrete pointer.
            if !through.contains(&expr) || self.calls_member_of(expr) {
                return None;
            }
            uses.push(token);
        }
        let captured = ast.own_exprs().any(|(_, data)| {
            matches!(data.kind, ExprKind::Lambda(_)) && range.start <= data.range.start && data.range.end <= range.end
        });
        uses.sort_unstable();
        uses.dedup();
        (!captured).then(|| (last.name.ident().map(|name| name.to_string()).unwrap_or_default(), uses))
    }

    /// Whether a member function is called through a pointer.
    fn calls_member_of(&self, pointer: ExprId) -> bool {
        let ast = self.ast();
        ast.own_exprs().any(|(_, data)| match data.kind {
            ExprKind::Call { callee, .. } => match ast[callee].kind {
                ExprKind::Member { base, .. } => without_parentheses(ast, base) == pointer,
                _ => false,
            },
            _ => false,
        })
    }

    fn dispatch(&self, spaces: &[Space], first: usize) -> Option<Action> {
        let (range, name, uses) = self.loops().into_iter().find_map(|range| {
            let (name, uses) = self.read_through(range)?;
            Some((range, name, uses))
        })?;
        let mut builder = EditBuilder::new(self.view.db, self.view.unit);
        let place = builder.place(self.layer.body, range)?;
        let text = builder.text(&place.path);
        let (start, end) = (place.range.start as usize, place.range.end as usize);
        let line = line_start(&text, start);
        if !text[line..start].iter().all(u8::is_ascii_whitespace) || end - start > MAX_LOOP_BYTES {
            return None;
        }
        let uses: Vec<TextRange> = uses
            .iter()
            .map(|&token| {
                let at = builder.place(self.layer.body, TokenRange::new(token, token + 1))?;
                (at.path == place.path).then_some(at.range)
            })
            .collect::<Option<_>>()?;
        let indent = indentation(&text, start);
        let step = if indent.contains('\t') { "\t" } else { "    " };
        let mut order = vec![spaces[first]];
        order.extend(spaces.iter().copied().filter(|space| *space != spaces[first]));
        let names: Vec<String> =
            order.iter().map(|space| self.fresh_name(format!("{name}_in_{}", space.word()))).collect::<Option<_>>()?;
        let head = |index: usize| {
            let space = order[index];
            let target = self.target(space);
            let test = match index + 1 == order.len() {
                true => "{".to_owned(),
                false => format!("if (is_{}_addrspace({name})) {{", space.word()),
            };
            let declarator = declarator(&target);
            format!("{test}\n{indent}{step}{declarator}{} = static_cast<{target}>({name});\n", names[index])
        };
        // The loop that stays: its lines move to the right, and each use has the new name.
        let at =
            |offset: usize| Place { path: place.path.clone(), range: TextRange::new(offset as u32, offset as u32) };
        builder.replace_text(at(start), &format!("{}{indent}{step}", head(0)));
        for use_ in &uses {
            builder.replace_text(Place { path: place.path.clone(), range: *use_ }, &names[0]);
        }
        for newline in memchr::memchr_iter(b'\n', &text[start..end]) {
            let line = start + newline + 1;
            if text.get(line).is_some_and(|byte| !matches!(byte, b'\n' | b'\r' | b'#')) {
                builder.replace_text(at(line), step);
            }
        }
        let mut rest = String::new();
        for (index, name) in names.iter().enumerate().skip(1) {
            let mut copy = String::new();
            let mut from = start;
            for use_ in &uses {
                copy.push_str(&String::from_utf8_lossy(&text[from..use_.start as usize]));
                copy.push_str(name);
                from = use_.end as usize;
            }
            copy.push_str(&String::from_utf8_lossy(&text[from..end]));
            let copy = indented(&copy, step);
            rest.push_str(&format!("\n{indent}}} else {}{indent}{step}{copy}", head(index)));
        }
        builder.replace_text(at(end), &format!("{rest}\n{indent}}}"));
        let words: Vec<&str> = order.iter().map(|space| space.word()).collect();
        Some(Action {
            id: "dispatch-before-loop",
            title: format!("Test the address space of `{name}` once before the loop: a loop each for {}", list(&words)),
            kind: ActionKind::QuickFix,
            edits: builder.finish(),
            replacement: None,
            notes: vec!["the loop is copied for each address space".to_owned()],
        })
    }

    /// The load of a pointer from a structure, moved before the loop.
    fn hoisting(&self) -> Option<Action> {
        let ast = self.ast();
        let ExprKind::Member { member, base, .. } = &ast[self.pointer].kind else { return None };
        let field = member.last()?.name.ident()?.to_string();
        let sema = self.layer.sema(self.view.env);
        let is_constant = self.layer.facts.exprs.get(base).is_some_and(|info| info.ty.space == Space::Constant);
        let tokens = self.tokens(ast[self.pointer].range)?;
        let range = self.loops().into_iter().find(|&range| {
            self.root_is_outside(self.pointer, range) && (is_constant || !self.may_store_pointers(&sema, range))
        })?;
        let mut builder = EditBuilder::new(self.view.db, self.view.unit);
        let place = builder.place(self.layer.body, range)?;
        let text = builder.text(&place.path);
        let start = place.range.start as usize;
        let line = line_start(&text, start);
        if !text[line..start].iter().all(u8::is_ascii_whitespace) || self.is_governed(range) {
            return None;
        }
        let own = builder.place(self.layer.body, ast[self.pointer].range)?;
        let written = String::from_utf8_lossy(&text[own.range.start as usize..own.range.end as usize]).into_owned();
        let name = self.fresh_name(field)?;
        for (_, data) in ast.own_exprs() {
            let is_inside = range.start <= data.range.start && data.range.end <= range.end;
            if is_inside
                && matches!(data.kind, ExprKind::Member { .. })
                && self.tokens(data.range).is_some_and(|other| other == tokens)
            {
                builder.replace(self.layer.body, data.range, &name);
            }
        }
        let sema_target = sema.spell(QualTy::plain(sema.store().pointer(self.pointee)));
        let indent = indentation(&text, start);
        let at = Place { path: place.path.clone(), range: TextRange::new(start as u32, start as u32) };
        builder.replace_text(at, &format!("{}{name} = {written};\n{indent}", declarator(&sema_target)));
        Some(Action {
            id: "hoist-pointer-load",
            title: format!("Load `{written}` once before the loop"),
            kind: ActionKind::QuickFix,
            edits: builder.finish(),
            replacement: None,
            notes: Vec::new(),
        })
    }

    /// The tokens of a run, to compare what is written.
    fn tokens(&self, range: TokenRange) -> Option<Vec<TokenKindAndName>> {
        let first = self.view.places.first(self.layer.body, range.start)?;
        let tokens = self.view.preprocessed.tokens.get(first..first + (range.end - range.start) as usize)?;
        Some(tokens.iter().map(|token| (token.kind, token.name)).collect())
    }

    /// Whether a chain of members starts at a variable that is there before a loop and does not change in it.
    fn root_is_outside(&self, expr: ExprId, range: TokenRange) -> bool {
        let ast = self.ast();
        let mut at = expr;
        loop {
            match &ast[at].kind {
                ExprKind::Paren(inner) => at = *inner,
                ExprKind::Member { base, .. } => at = *base,
                ExprKind::Path(path) => {
                    let Some(last) = path.last() else { return false };
                    let Some(&[item]) = self.layer.facts.refs.get(&last.token).map(|items| &**items) else {
                        return false;
                    };
                    let declared = match item.decl.0 >= self.view.env.ast.end().decls {
                        true => &ast[item.decl],
                        false => &self.view.env.ast[item.decl],
                    };
                    let is_inside = range.start <= declared.name_token && declared.name_token < range.end;
                    return matches!(declared.kind, DeclKind::Variable(_))
                        && !is_inside
                        && !self.is_changed(item.decl, range);
                }
                _ => return false,
            }
        }
    }

    /// Whether a variable itself is assigned in a range, or its address is taken there.
    fn is_changed(&self, variable: DeclId, range: TokenRange) -> bool {
        let ast = self.ast();
        ast.own_exprs().any(|(_, data)| {
            let target = match data.kind {
                ExprKind::Assign { lhs, .. } => lhs,
                ExprKind::Unary {
                    op: UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec | UnaryOp::AddrOf,
                    operand,
                    ..
                } => operand,
                _ => return false,
            };
            let ExprKind::Path(path) = &ast[without_parentheses(ast, target)].kind else { return false };
            let is_it = path.last().is_some_and(|last| {
                self.layer.facts.refs.get(&last.token).is_some_and(|items| items.iter().any(|it| it.decl == variable))
            });
            is_it && range.start <= data.range.start && data.range.end <= range.end
        })
    }

    /// Whether something in a loop may write the pointer: an assignment of a pointer or a structure, or a call of a
    /// function of the program.
    fn may_store_pointers(&self, sema: &Sema<'_>, range: TokenRange) -> bool {
        let ast = self.ast();
        ast.own_exprs().any(|(expr, data)| {
            if !(range.start <= data.range.start && data.range.end <= range.end) {
                return false;
            }
            match data.kind {
                ExprKind::Assign { lhs, .. } => match self.layer.facts.exprs.get(&lhs) {
                    Some(info) => matches!(
                        sema.kind(info.ty.ty),
                        TyKind::Pointer(_)
                            | TyKind::Record(..)
                            | TyKind::Array(..)
                            | TyKind::Unknown
                            | TyKind::Dependent
                    ),
                    None => true,
                },
                ExprKind::Call { .. } => {
                    !self.layer.facts.callees.get(&expr).is_some_and(|item| self.view.is_library(item.decl))
                }
                _ => false,
            }
        })
    }

    /// Whether a statement is the only one under a condition or loop, so that nothing can stand before it.
    fn is_governed(&self, range: TokenRange) -> bool {
        let ast = self.ast();
        ast.own_stmts().any(|(_, stmt)| {
            let governed: &[Option<StmtId>] = match stmt.kind {
                StmtKind::If { then, otherwise, .. } => &[Some(then), otherwise],
                StmtKind::While { body, .. }
                | StmtKind::Do { body, .. }
                | StmtKind::For { body, .. }
                | StmtKind::RangeFor { body, .. } => &[Some(body)],
                StmtKind::Case { stmt, .. } | StmtKind::Default { stmt } | StmtKind::Label { stmt, .. } => {
                    &[Some(stmt)]
                }
                _ => &[],
            };
            governed.iter().flatten().any(|&other| ast[other].range == range)
        })
    }
}

type TokenKindAndName = (TokenKind, msl_intern::Name);

/// The pointer that an expression accesses memory through.
fn accessed(kind: &ExprKind) -> Option<ExprId> {
    match kind {
        ExprKind::Unary { op: UnaryOp::Deref, operand, .. } => Some(*operand),
        ExprKind::Index { base, .. } | ExprKind::Member { base, arrow: true, .. } => Some(*base),
        _ => None,
    }
}

fn without_parentheses(ast: &Ast, mut expr: ExprId) -> ExprId {
    while let ExprKind::Paren(inner) = ast[expr].kind {
        expr = inner;
    }
    expr
}

/// A pointer type in front of a name.
fn declarator(target: &str) -> String {
    if target.ends_with('*') { target.to_owned() } else { format!("{target} ") }
}

/// A text of several lines, all but the first moved to the right.
fn indented(text: &str, step: &str) -> String {
    let mut out = String::new();
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            out.push('\n');
            if !line.is_empty() && !line.starts_with(['\r', '#']) {
                out.push_str(step);
            }
        }
        out.push_str(line);
    }
    out
}

fn list(words: &[&str]) -> String {
    match words {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last} memory", rest.join(", ")),
        _ => format!("{} memory", words.concat()),
    }
}
