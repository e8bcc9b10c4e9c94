//! Hints between the words of a text: names of parameters, types that `auto` stands for, template arguments that are
//! deduced, ids of members of argument buffers, spaces of generic pointers.

use std::sync::Arc;

use msl_diagnostics::{Place, TextRange};
use msl_parser::ast::*;
use msl_ty::{
    DeclRef, Sema,
    attributes::automatic_ids,
    rules::function_pointers::CallKind,
    store::{BindId, QualTy, TyKind},
};

use crate::{
    analysis::{Analysis, UnitRequest},
    flow_facts::{Fact, FlowFacts},
    view::{Layer, View},
};

/// Types longer than this many characters tell the reader less than the code does.
const MAX_TYPE: usize = 40;

/// Which hints are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InlayHintOptions {
    pub parameters: bool,
    pub types: bool,
    /// The spaces that a generic pointer can have, behind its declaration.
    pub spaces: bool,
    /// The arguments of function templates that a call leaves to deduction.
    pub template_arguments: bool,
    /// The ids of members of argument buffers that say none.
    pub slots: bool,
}

/// One hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlayHint {
    pub offset: u32,
    pub label: InlayHintLabel,
    /// The declaration that it speaks of.
    pub about: Option<Place>,
}

/// What a hint says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InlayHintLabel {
    /// Before an argument.
    Parameter(String),
    /// Behind a name.
    Type(String),
    /// Behind the name of a function template in a call.
    TemplateArguments(String),
    /// Behind the name of a member: the attribute that it could carry.
    Slot(String),
    /// Behind the name of a generic pointer, or of a member function for its `this`.
    Spaces(String),
}

impl Analysis {
    /// The hints of a file in a range, in order.
    pub fn inlay_hints(
        &self,
        request: &UnitRequest,
        path: &Arc<str>,
        within: TextRange,
        options: InlayHintOptions,
    ) -> Vec<InlayHint> {
        let view = View::new(self, request);
        let mut hints = Vec::new();
        for function in &view.tree.functions {
            let meets = |range: TextRange| range.start < within.end && within.start < range.end;
            if !view.range_of_body(function.body).is_some_and(meets) {
                continue;
            }
            let Some(layer) = view.body(function.body) else { continue };
            let sema = layer.sema(view.env);
            if options.parameters {
                parameters(&view, &layer, &sema, path, &mut hints);
            }
            if options.types {
                types(&view, &layer, &sema, path, &mut hints);
            }
            if options.template_arguments {
                template_arguments(&view, &layer, &sema, path, &mut hints);
            }
        }
        if options.slots {
            slots(&view, path, &mut hints);
        }
        if options.spaces {
            spaces(&view, path, within, &mut hints);
        }
        hints.retain(|hint| within.start <= hint.offset && hint.offset <= within.end);
        hints.sort_by_key(|hint| hint.offset);
        hints.dedup();
        hints
    }
}

fn parameters(view: &View<'_>, layer: &Layer<'_>, sema: &Sema<'_>, path: &Arc<str>, hints: &mut Vec<InlayHint>) {
    let ast = layer.ast();
    for (expr, data) in ast.own_exprs() {
        let (ExprKind::Call { args, .. } | ExprKind::Construct { args, .. }) = &data.kind else { continue };
        let Some(&callee) = layer.facts.callees.get(&expr) else {
            pointer_parameters(view, layer, sema, path, expr, hints);
            continue;
        };
        let DeclKind::Function(_) = &sema.ast[callee.decl].kind else { continue };
        let signature = sema.signature(callee);
        for (&arg, param) in args.iter().zip(&signature.params) {
            let Some(name) = sema.decl_name(param.decl) else { continue };
            let name = name.as_str().trim_matches('_');
            // One letter says nothing, and neither does what is written there anyway.
            if name.len() < 2 || says(ast, arg, name) {
                continue;
            }
            let start = ast[arg].range.start;
            if let Some(place) = view.places.editable(layer.body, TokenRange::new(start, start + 1), false)
                && place.path == *path
            {
                let label = InlayHintLabel::Parameter(name.to_owned());
                let about = view.place_of(layer, param.decl);
                hints.push(InlayHint { offset: place.range.start, label, about });
            }
        }
    }
}

/// The parameters of a call through a pointer, by the names that an alias of its type gives them.
fn pointer_parameters(
    view: &View<'_>,
    layer: &Layer<'_>,
    sema: &Sema<'_>,
    path: &Arc<str>,
    expr: ExprId,
    hints: &mut Vec<InlayHint>,
) {
    let ast = layer.ast();
    let ExprKind::Call { callee, args } = &ast[expr].kind else { return };
    let CallKind::Indirect(signature) = sema.call_kind(layer.facts, expr, *callee) else { return };
    let Some(names) = sema.alias_parameters(&signature) else { return };
    for (&arg, name) in args.iter().zip(names) {
        let name = name.as_str().trim_matches('_');
        if name.len() < 2 || says(ast, arg, name) {
            continue;
        }
        let start = ast[arg].range.start;
        if let Some(place) = view.places.editable(layer.body, TokenRange::new(start, start + 1), false)
            && place.path == *path
        {
            let label = InlayHintLabel::Parameter(name.to_owned());
            hints.push(InlayHint { offset: place.range.start, label, about: None });
        }
    }
}

/// Whether an argument says by itself what it is: it is, or ends in, the parameter's name.
fn says(ast: &Ast, arg: ExprId, name: &str) -> bool {
    let mut at = arg;
    loop {
        match &ast[at].kind {
            ExprKind::Paren(inner) | ExprKind::Expansion(inner) => at = *inner,
            ExprKind::Unary { operand, .. } => at = *operand,
            ExprKind::CCast { operand, .. } | ExprKind::NamedCast { operand, .. } => at = *operand,
            ExprKind::Call { callee, .. } => at = *callee,
            ExprKind::Index { base, .. } => at = *base,
            ExprKind::Path(path) | ExprKind::Member { member: path, .. } => {
                let Some(last) = path.last().and_then(|segment| segment.name.ident()) else { return false };
                let (last, name) = (last.as_str().to_ascii_lowercase(), name.to_ascii_lowercase());
                return last.trim_matches('_') == name || last.ends_with(&name) || last.starts_with(&name);
            }
            _ => return false,
        }
    }
}

fn types(view: &View<'_>, layer: &Layer<'_>, sema: &Sema<'_>, path: &Arc<str>, hints: &mut Vec<InlayHint>) {
    let ast = layer.ast();
    for (decl, data) in ast.own_decls() {
        let DeclKind::Variable(variable) = &data.kind else { continue };
        let is_deduced = match variable.kind {
            VariableKind::Local => is_auto(ast, variable.ty),
            VariableKind::Binding => true,
            _ => false,
        };
        let Some(&ty) = layer.facts.variables.get(&decl) else { continue };
        if !is_deduced
            || matches!(
                sema.kind(ty.ty),
                TyKind::Unknown | TyKind::Invalid | TyKind::Dependent | TyKind::Closure(..) | TyKind::Auto
            )
        {
            continue;
        }
        let spelled = sema.spell(QualTy::plain(ty.ty));
        if spelled.chars().count() > MAX_TYPE || spelled.contains('<') && spelled.contains("unknown") {
            continue;
        }
        if let Some(place) =
            view.places.editable(layer.body, TokenRange::new(data.name_token, data.name_token + 1), false)
            && place.path == *path
        {
            let about = match sema.kind(ty.ty) {
                TyKind::Record(decl, _) | TyKind::Enum(decl, _) => view.place_of(layer, *decl),
                _ => None,
            };
            hints.push(InlayHint { offset: place.range.end, label: InlayHintLabel::Type(spelled), about });
        }
    }
}

/// The arguments of the program's own function templates that calls leave to deduction. The library's say little.
fn template_arguments(
    view: &View<'_>,
    layer: &Layer<'_>,
    sema: &Sema<'_>,
    path: &Arc<str>,
    hints: &mut Vec<InlayHint>,
) {
    let ast = layer.ast();
    for (expr, data) in ast.own_exprs() {
        let ExprKind::Call { callee, .. } = &data.kind else { continue };
        let Some(&item) = layer.facts.callees.get(&expr) else { continue };
        let (ExprKind::Path(name) | ExprKind::Member { member: name, .. }) = &ast[*callee].kind else { continue };
        let Some(last) = name.last().filter(|last| last.args.is_none()) else { continue };
        if view.is_library(item.decl) || sema.ast[item.decl].templates.is_empty() {
            continue;
        }
        let spelled = sema.spell_instance(item);
        let Some(own) = sema.decl_name(item.decl) else { continue };
        let Some((_, arguments)) = spelled.split_once(&format!("{own}<")) else { continue };
        let label = format!("<{arguments}");
        if label.chars().count() > MAX_TYPE || label.contains("unknown") || label.contains('…') {
            continue;
        }
        if let Some(place) = view.places.editable(layer.body, TokenRange::new(last.token, last.token + 1), false)
            && place.path == *path
        {
            let label = InlayHintLabel::TemplateArguments(label);
            hints.push(InlayHint { offset: place.range.end, label, about: view.place_of(layer, item.decl) });
        }
    }
}

/// The ids of members of argument buffers that say none, where another member says one.
fn slots(view: &View<'_>, path: &Arc<str>, hints: &mut Vec<InlayHint>) {
    let layer = view.declarations();
    let sema = layer.sema(view.env);
    for (decl, data) in layer.ast().own_decls() {
        let DeclKind::Record(record) = &data.kind else { continue };
        // Where the declaration is no template, every member is what it will be.
        if record.scope.is_none() || !sema.headers_around(decl).is_empty() {
            continue;
        }
        let is_here = view.place_of(&layer, decl).is_some_and(|place| place.path == *path);
        if !is_here {
            continue;
        }
        for (member, id) in automatic_ids(&sema, DeclRef { decl, bind: BindId::NONE }) {
            let token = sema.ast[member].name_token;
            if let Some(place) = view.places.editable(None, TokenRange::new(token, token + 1), false)
                && place.path == *path
            {
                let label = InlayHintLabel::Slot(format!("[[id({id})]]"));
                hints.push(InlayHint { offset: place.range.end, label, about: None });
            }
        }
    }
}

/// What each generic pointer that is declared can point to.
fn spaces(view: &View<'_>, path: &Arc<str>, within: TextRange, hints: &mut Vec<InlayHint>) {
    let facts = FlowFacts::of(view.db, view.unit);
    let end = view.env.ast.end();
    for function in &view.tree.functions {
        let meets = |range: TextRange| range.start < within.end && within.start < range.end;
        let near = facts.name_place(function.function).is_some_and(|place| {
            let body = view.range_of_body(function.body).unwrap_or(place.range);
            place.path == *path && meets(TextRange::new(place.range.start, body.end))
        });
        if !near {
            continue;
        }
        let mut found: Vec<(u32, bool, Fact<'_>)> = Vec::new();
        for &number in facts.program.of_declaration(function.function) {
            for variable in &facts.program.functions[number].1.variables {
                if !found.iter().any(|(token, ..)| *token == variable.token)
                    && let Some(fact) = facts.variable(function.function, variable.decl)
                {
                    found.push((variable.token, variable.decl.0 >= end.decls, fact));
                }
            }
        }
        let name = view.env.ast[function.function].name_token;
        found.extend(facts.this(function.function).map(|fact| (name, false, fact)));
        for (token, in_body, fact) in found {
            if !facts.is_called(&fact) || fact.verdict.limit.is_some() || fact.verdict.inferred.is_empty() {
                continue;
            }
            let words = fact.verdict.inferred.words().join(" | ");
            let label = if token == name { format!("this ⟨{words}⟩") } else { format!("⟨{words}⟩") };
            let body = in_body.then_some(function.body);
            if let Some(place) = view.places.editable(body, TokenRange::new(token, token + 1), false)
                && place.path == *path
            {
                let label = InlayHintLabel::Spaces(label);
                hints.push(InlayHint { offset: place.range.end, label, about: None });
            }
        }
    }
}

fn is_auto(ast: &Ast, ty: TypeId) -> bool {
    let mut at = ty;
    loop {
        match &ast[at].kind {
            TypeKind::Auto | TypeKind::DecltypeAuto => return true,
            TypeKind::Qualified { inner, .. }
            | TypeKind::Pointer(inner)
            | TypeKind::LRef(inner)
            | TypeKind::RRef(inner) => at = *inner,
            _ => return false,
        }
    }
}
