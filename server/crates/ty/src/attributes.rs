//! Checks of attributes and of the functions that a pipeline calls (MSL spec §5).
//!
//! Vocabulary:
//!
//! * A *written attribute* is one that stands in the code and that the table of attributes knows ([`Written`]).
//! * Its *place* is what it stands on: a function, a parameter, a member, a variable, a type, a statement
//!   ([`place::Place`]). Each place admits some of the roles of the table.
//! * An *entry point* is a function that a pipeline calls: a vertex, fragment, kernel, object, mesh or intersection
//!   function ([`EntryPoint`]).
//! * A *slot* is a number in one of the tables of buffers, textures, samplers and threadgroup memory that the host
//!   fills ([`slots`]).
//! * A *guarded* declaration carries `[[function_constant(name)]]`: it is there only for some values of the constant.
//!
//! The checks rest on what is certain. A type that depends on template parameters or that could not be modelled, a
//! number that cannot be computed here, and a class with a base that is unknown are never the ground of a finding.
//! What the specification does not state in so many words is a hint or a warning.

mod argument_buffers;
mod arguments;
mod body;
mod entry_point;
mod frameworks;
mod function_constants;
mod grid;
mod imageblocks;
mod intersection;
mod mesh;
mod parameters;
mod place;
mod shapes;
mod slots;
mod stage_io;
#[cfg(test)]
mod tests;
mod unit;

pub use argument_buffers::automatic_ids;
use std::cell::RefCell;

use msl_builtins::attributes::{AttributeInfo, Stages, attribute};
use msl_diagnostics::{Code, Severity};
use msl_parser::ast::*;
use rustc_hash::FxHashSet;

use crate::decls::Stage;
use crate::rules::function_pointers;
use crate::sema::{DeclRef, Sema, TokenEdit, TokenFix, TyDiagnostic};
use crate::store::*;

/// Checks the attributes and entry points among a unit's own declarations.
pub(crate) fn check_declarations(sema: &Sema<'_>) {
    let ast = &*sema.env.ast;
    check_layer(sema, ast);
    unit::check(sema);
    check_instances(sema);
}

/// Checks entry points that are templates once more as each explicit instantiation makes them: then the types of
/// parameters and results are known.
fn check_instances(sema: &Sema<'_>) {
    let Some(sink) = sema.sink else { return };
    let mut seen = FxHashSet::default();
    for (decl, data) in sema.env.ast.own_decls() {
        if !data.specs.contains(Specs::INSTANTIATION) {
            continue;
        }
        for item in sema.explicitly_instantiated(decl) {
            let DeclKind::Function(function) = &sema.ast[item.decl].kind else { continue };
            if sema.stage_of(item.decl).is_none() || !seen.insert(item) {
                continue;
            }
            let found = RefCell::new(Vec::new());
            let reporting = sema.reporting(&found);
            place::check_function(&reporting, item, function);
            if let Some(entry) = EntryPoint::of(&reporting, item) {
                entry_point::check(&reporting, &entry);
            }
            let mut all = sink.borrow_mut();
            for mut finding in found.take() {
                // What is wrong whatever the parameters are was said once.
                if finding.severity == Some(Severity::Hint)
                    || all.iter().any(|said| said.code == finding.code && said.range == finding.range)
                {
                    continue;
                }
                let instance = format!("in the instantiation `{}`", sema.spell_instance(item));
                finding.related.push((name_range(sema, decl), instance));
                // A repair of the template would concern its other instantiations, too.
                finding.fixes.clear();
                all.push(finding);
            }
        }
    }
}

/// Checks what stands in one function body: its declarations and statements, and how it uses entry points.
pub(crate) fn check_body(sema: &Sema<'_>, function: DeclId, body: &msl_parser::ParsedBody, facts: &crate::expr::Facts) {
    check_layer(sema, &body.ast);
    body::check(sema, function, &body.ast, facts);
    let is_templated = crate::check::is_templated(sema, function);
    function_pointers::check_body(sema, function, &body.ast, facts, is_templated);
}

/// Checks all declarations and statements that one layer of the tree adds.
fn check_layer(sema: &Sema<'_>, layer: &Ast) {
    for (decl, data) in layer.own_decls() {
        let item = DeclRef { decl, bind: BindId::NONE };
        match &data.kind {
            DeclKind::Function(function) => {
                place::check_function(sema, item, function);
                function_pointers::check_function(sema, item, function);
                frameworks::check_function(sema, item);
                intersection::check_query(sema, decl, sema.signature(item).ret, "a result");
                if let Some(entry) = EntryPoint::of(sema, item) {
                    function_pointers::check_tables(sema, item);
                    entry_point::check(sema, &entry);
                }
            }
            DeclKind::Record(record) => {
                place::check_type(sema, item);
                place::check_members(sema, item, record);
                argument_buffers::check_ids(sema, item, record);
                stage_io::check_unique_members(sema, item, record);
            }
            DeclKind::Enum(_) | DeclKind::TypeAlias { .. } => place::check_type(sema, item),
            DeclKind::Variable(variable) => match variable.kind {
                VariableKind::Global if variable.name_args.is_none() => {
                    place::check_variable(sema, item, variable);
                    function_constants::check_declared(sema, item, variable);
                    function_constants::check_not_in_type(sema, item, variable);
                }
                VariableKind::Local => {
                    place::check_variable(sema, item, variable);
                    function_constants::check_not_in_type(sema, item, variable);
                }
                VariableKind::Field => {
                    function_constants::check_not_in_type(sema, item, variable);
                    imageblocks::check_member(sema, item);
                    intersection::check_query(sema, decl, sema.variable_type(item), "a member");
                }
                VariableKind::Param => imageblocks::check_parameter(sema, item),
                _ => {}
            },
            _ => {}
        }
    }
    for (_, stmt) in layer.own_stmts() {
        place::check_statement(sema, &stmt.attrs);
    }
}

/// An attribute of the table where it is written.
#[derive(Clone, Copy)]
pub(crate) struct Written<'a> {
    pub(crate) attr: &'a Attr,
    pub(crate) info: &'static AttributeInfo,
}

/// The attributes in brackets on a declaration that the table knows.
pub(crate) fn written_on<'a>(sema: &Sema<'a>, decl: DeclId) -> Vec<Written<'a>> {
    let ast: &'a Ast = sema.ast;
    ast[decl].attrs.iter().filter_map(|&attr| written(&ast[attr])).collect()
}

/// The row of the table for an attribute in brackets.
pub(crate) fn written(attr: &Attr) -> Option<Written<'_>> {
    if attr.syntax != AttrSyntax::Brackets || attr.namespace.is_some() {
        return None;
    }
    Some(Written { attr, info: attribute(attr.name.as_str())? })
}

/// The attribute of this name on a declaration, in any syntax.
pub(crate) fn find_attr<'a>(sema: &Sema<'a>, decl: DeclId, name: &str) -> Option<&'a Attr> {
    let ast: &'a Ast = sema.ast;
    ast[decl].attrs.iter().map(|&attr| &ast[attr]).find(|attr| attr.name.as_str() == name && attr.namespace.is_none())
}

/// Whether a declaration has an attribute of this name.
pub(crate) fn has_attr(sema: &Sema<'_>, decl: DeclId, name: &str) -> bool {
    find_attr(sema, decl, name).is_some()
}

/// Whether a type is one of a texture or of a sampler: what has no value of its own.
pub(crate) fn is_texture_or_sampler(sema: &Sema<'_>, ty: QualTy) -> bool {
    matches!(sema.kind(ty.ty), TyKind::Record(..))
        && shapes::resource_shape(sema, ty)
            .is_some_and(|shape| matches!(shape.resource, shapes::Resource::Texture | shapes::Resource::Sampler))
}

/// Whether a declaration is there only for some values of a function constant (MSL spec §5.8.1).
pub(crate) fn is_guarded(sema: &Sema<'_>, decl: DeclId) -> bool {
    has_attr(sema, decl, "function_constant")
}

/// A function that a pipeline calls, as far as its declaration says.
pub(crate) struct EntryPoint<'a> {
    pub(crate) item: DeclRef,
    pub(crate) function: &'a Function,
    pub(crate) ty: &'a FunctionType,
    pub(crate) stage: Stage,
    /// The stage as the table of attributes counts them: with and without `[[patch]]` apart.
    pub(crate) stages: Stages,
    /// Has a body; only then it is certain that all attributes are at hand.
    pub(crate) is_definition: bool,
    pub(crate) is_template: bool,
}

impl<'a> EntryPoint<'a> {
    /// The entry point that a declaration is; `None` for other functions and for explicit instantiations.
    pub(crate) fn of(sema: &Sema<'a>, item: DeclRef) -> Option<EntryPoint<'a>> {
        let ast: &'a Ast = sema.ast;
        let data = &ast[item.decl];
        let DeclKind::Function(function) = &data.kind else { return None };
        let TypeKind::Function(ty) = &ast[function.ty].kind else { return None };
        if data.specs.contains(Specs::INSTANTIATION) {
            return None;
        }
        let stage = sema.stage_of(item.decl)?;
        let is_definition = matches!(function.body, FunctionBody::Deferred(_) | FunctionBody::Inline(_));
        Some(EntryPoint {
            item,
            function,
            ty,
            stage,
            stages: stages_of(sema, item.decl),
            is_definition,
            is_template: crate::check::is_templated(sema, item.decl),
        })
    }

    /// The token of the function's name.
    pub(crate) fn name_range(&self, sema: &Sema<'_>) -> TokenRange {
        name_range(sema, self.item.decl)
    }

    /// The parameters with their types as declared; arrays are not turned into pointers.
    pub(crate) fn params(&self, sema: &Sema<'a>) -> Vec<EntryParam<'a>> {
        let ast: &'a Ast = sema.ast;
        let quiet = sema.quiet();
        let cx = quiet.cx_of(self.item);
        let mut params = Vec::with_capacity(self.ty.params.len());
        for &decl in &self.ty.params {
            let DeclKind::Variable(variable) = &ast[decl].kind else { continue };
            let ty = quiet.resolve_type(variable.ty, cx);
            if ty.ty == Ty::VOID && self.ty.params.len() == 1 {
                continue;
            }
            params.push(EntryParam { decl, variable, ty });
        }
        params
    }
}

/// A parameter of an entry point.
#[derive(Clone, Copy)]
pub(crate) struct EntryParam<'a> {
    pub(crate) decl: DeclId,
    pub(crate) variable: &'a Variable,
    pub(crate) ty: QualTy,
}

/// The kinds of function that a declaration is; empty for a plain function.
pub(crate) fn stages_of(sema: &Sema<'_>, decl: DeclId) -> Stages {
    match sema.stage_of(decl) {
        Some(Stage::Vertex) if has_attr(sema, decl, "patch") => Stages::POST_TESSELLATION,
        Some(Stage::Vertex) => Stages::VERTEX,
        Some(Stage::Fragment) => Stages::FRAGMENT,
        Some(Stage::Kernel) => Stages::KERNEL,
        Some(Stage::Object) => Stages::OBJECT,
        Some(Stage::Mesh) => Stages::MESH,
        Some(Stage::Intersection) => Stages::INTERSECTION,
        None if has_attr(sema, decl, "visible") || has_attr(sema, decl, "stitchable") => Stages::VISIBLE,
        None => Stages::NONE,
    }
}

/// The functions of a set in words: `vertex and fragment functions`.
pub(crate) fn describe_stages(stages: Stages) -> String {
    let mut words = Vec::new();
    for (stage, word) in [
        (Stages::VERTEX, "vertex"),
        (Stages::POST_TESSELLATION, "post-tessellation vertex"),
        (Stages::FRAGMENT, "fragment"),
        (Stages::KERNEL, "kernel"),
        (Stages::OBJECT, "object"),
        (Stages::MESH, "mesh"),
        (Stages::INTERSECTION, "intersection"),
        (Stages::VISIBLE, "visible"),
    ] {
        let is_named_already = stage == Stages::POST_TESSELLATION && stages.contains(Stages::VERTEX);
        if stages.intersects(stage) && !is_named_already {
            words.push(word);
        }
    }
    format!("{} functions", list(&words, "and"))
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn list<T: AsRef<str>>(words: &[T], last: &str) -> String {
    match words {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [front @ .., end] => {
            let front: Vec<&str> = front.iter().map(AsRef::as_ref).collect();
            format!("{} {last} {}", front.join(", "), end.as_ref())
        }
    }
}

/// The token of a declaration's name.
pub(crate) fn name_range(sema: &Sema<'_>, decl: DeclId) -> TokenRange {
    let token = sema.ast[decl].name_token;
    TokenRange::new(token, token + 1)
}

/// A declaration's name in backquotes; words in place of a name that is missing.
pub(crate) fn quoted_name(sema: &Sema<'_>, decl: DeclId) -> String {
    sema.decl_name(decl).map_or_else(|| "this declaration".to_owned(), |name| format!("`{name}`"))
}

/// A finding with the code's own severity.
pub(crate) fn finding(code: Code, range: TokenRange, message: impl Into<String>) -> TyDiagnostic {
    TyDiagnostic { code, severity: None, range, message: message.into(), related: Vec::new(), fixes: Vec::new() }
}

/// A finding below the code's own severity: the rule is not stated, or what it rests on is not all in the unit.
pub(crate) fn cautious(code: Code, severity: Severity, range: TokenRange, message: impl Into<String>) -> TyDiagnostic {
    TyDiagnostic { severity: Some(severity), ..finding(code, range, message) }
}

/// A fix that puts text in the place of tokens.
pub(crate) fn replace(title: impl Into<String>, range: TokenRange, text: impl Into<String>) -> TokenFix {
    TokenFix { title: title.into(), preferred: true, edits: vec![TokenEdit { range, after: false, text: text.into() }] }
}

/// A fix that puts text behind a declaration's name.
pub(crate) fn insert_after_name(sema: &Sema<'_>, decl: DeclId, title: &str, text: &str) -> TokenFix {
    let token = sema.ast[decl].name_token + 1;
    TokenFix {
        title: title.to_owned(),
        preferred: true,
        edits: vec![TokenEdit { range: TokenRange::new(token, token), after: true, text: text.to_owned() }],
    }
}
