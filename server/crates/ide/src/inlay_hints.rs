//! Hints between the words of a text: names of parameters, types that `auto` stands for.

use std::sync::Arc;

use msl_diagnostics::TextRange;
use msl_parser::ast::*;
use msl_ty::{
    Sema,
    rules::function_pointers::CallKind,
    store::{QualTy, TyKind},
};

use crate::{
    analysis::{Analysis, UnitRequest},
    view::{Layer, View},
};

/// Types longer than this many characters tell the reader less than the code does.
const MAX_TYPE: usize = 40;

/// Which hints are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InlayHintOptions {
    pub parameters: bool,
    pub types: bool,
}

/// One hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlayHint {
    pub offset: u32,
    pub label: InlayHintLabel,
}

/// What a hint says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InlayHintLabel {
    /// Before an argument.
    Parameter(String),
    /// Behind a name.
    Type(String),
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
                hints.push(InlayHint { offset: place.range.start, label });
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
            hints.push(InlayHint { offset: place.range.start, label: InlayHintLabel::Parameter(name.to_owned()) });
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
            hints.push(InlayHint { offset: place.range.end, label: InlayHintLabel::Type(spelled) });
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
