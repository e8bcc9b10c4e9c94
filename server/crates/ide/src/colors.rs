//! Literals that are colours.
//!
//! `float4(1.0, 0.5, 0.0, 1.0)` is a colour where something around it says so: the variable or field that it is given to,
//! the parameter that it is passed for, the function that returns it. Vectors of numbers are mostly something else, so that
//! without such a word nothing is shown.

use std::sync::Arc;

use msl_diagnostics::TextRange;
use msl_parser::ast::*;
use msl_ty::{
    Sema,
    store::{Scalar, TyKind},
};
use rustc_hash::FxHashMap;

use crate::{
    analysis::{Analysis, UnitRequest},
    view::{Layer, View},
};

/// Parts of names of colours.
const WORDS: [&str; 12] = [
    "color",
    "colour",
    "rgb",
    "tint",
    "albedo",
    "diffuse",
    "specular",
    "ambient",
    "emissi",
    "background",
    "foreground",
    "shade",
];

/// A colour in a text.
#[derive(Clone, Debug, PartialEq)]
pub struct ColorLiteral {
    /// The whole expression: `float4(…)`.
    pub range: TextRange,
    /// Red, green, blue, alpha, each from 0 to 1.
    pub rgba: [f32; 4],
}

impl Analysis {
    /// The literals of a file that are colours, in order.
    pub fn colors(&self, request: &UnitRequest, path: &Arc<str>) -> Vec<ColorLiteral> {
        let view = View::new(self, request);
        let mut found = Vec::new();
        for layer in view.layers() {
            of_layer(&view, &layer, path, &mut found);
        }
        found.sort_by_key(|color: &ColorLiteral| (color.range.start, color.range.end));
        found.dedup_by(|later, earlier| later.range == earlier.range);
        found
    }
}

fn of_layer(view: &View<'_>, layer: &Layer<'_>, path: &Arc<str>, found: &mut Vec<ColorLiteral>) {
    let ast = layer.ast();
    let sema = layer.sema(view.env);
    let candidates: FxHashMap<ExprId, [f32; 4]> =
        ast.own_exprs().filter_map(|(expr, _)| Some((expr, color(layer, &sema, ast, expr)?))).collect();
    if candidates.is_empty() {
        return;
    }
    let mut add = |expr: ExprId, name: &str| {
        let expr = without_parens(ast, expr);
        let Some(&rgba) = candidates.get(&expr) else { return };
        let lower = name.to_ascii_lowercase();
        if WORDS.iter().any(|word| lower.contains(word))
            && let Some(place) = view.places.editable(layer.body, ast[expr].range, false)
            && place.path == *path
        {
            found.push(ColorLiteral { range: place.range, rgba });
        }
    };
    for (decl, data) in ast.own_decls() {
        if let DeclKind::Variable(variable) = &data.kind
            && let Some(name) = sema.decl_name(decl)
            && let Init::Assign(value) = &variable.init
        {
            add(*value, name.as_str());
        }
        // `float4 color(1, 0, 0, 1)` has no expression of its own to replace.
    }
    for (expr, data) in ast.own_exprs() {
        match &data.kind {
            ExprKind::Assign { lhs, rhs, .. } => {
                if let ExprKind::Path(path) | ExprKind::Member { member: path, .. } = &ast[*lhs].kind
                    && let Some(name) = path.last().and_then(|segment| segment.name.ident())
                {
                    add(*rhs, name.as_str());
                }
            }
            ExprKind::Call { args, .. } => {
                if let Some(&callee) = layer.facts.callees.get(&expr)
                    && let DeclKind::Function(_) = &sema.ast[callee.decl].kind
                {
                    for (&arg, param) in args.iter().zip(&sema.signature(callee).params) {
                        if let Some(name) = sema.decl_name(param.decl) {
                            add(arg, name.as_str());
                        }
                    }
                }
            }
            ExprKind::Designated { field: Some(field), value, .. } => add(*value, field.as_str()),
            _ => {}
        }
    }
    let function = layer.function.and_then(|function| sema.decl_name(function));
    for (_, stmt) in ast.own_stmts() {
        if let (StmtKind::Return(Some(value)), Some(name)) = (&stmt.kind, function) {
            add(*value, name.as_str());
        }
    }
}

/// The colour that an expression would be: a vector of 3 or 4 floating-point numbers, each written and from 0 to 1.
fn color(layer: &Layer<'_>, sema: &Sema<'_>, ast: &Ast, expr: ExprId) -> Option<[f32; 4]> {
    let args = match &ast[expr].kind {
        ExprKind::Call { args, .. } | ExprKind::Construct { args, braces: false, .. } => args,
        _ => return None,
    };
    if !matches!(args.len(), 1 | 3 | 4) {
        return None;
    }
    let (scalar, width) = match *sema.kind(layer.facts.exprs.get(&expr)?.ty.ty) {
        TyKind::Vector(scalar, width) | TyKind::Packed(scalar, width) => (scalar, usize::from(width)),
        _ => return None,
    };
    let is_color = matches!(scalar, Scalar::Float | Scalar::Half) && matches!(width, 3 | 4);
    if !is_color || args.len() != 1 && args.len() != width {
        return None;
    }
    let mut rgba = [1.0; 4];
    for (at, part) in rgba.iter_mut().take(width).enumerate() {
        *part = number(ast, args[at.min(args.len() - 1)])?;
    }
    Some(rgba)
}

/// A written number from 0 to 1.
fn number(ast: &Ast, expr: ExprId) -> Option<f32> {
    let (ExprKind::Float(spelling) | ExprKind::Int(spelling)) = &ast[without_parens(ast, expr)].kind else {
        return None;
    };
    let value: f32 = spelling.as_str().trim_end_matches(['f', 'F', 'h', 'H']).parse().ok()?;
    (0.0..=1.0).contains(&value).then_some(value)
}

fn without_parens(ast: &Ast, expr: ExprId) -> ExprId {
    let mut at = expr;
    while let ExprKind::Paren(inner) = &ast[at].kind {
        at = *inner;
    }
    at
}
