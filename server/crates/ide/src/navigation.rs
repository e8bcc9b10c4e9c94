//! Definition, declaration and type definition of a name.

use std::sync::Arc;

use msl_builtins::{HeaderId, LibraryInclude, lookup_include};
use msl_db::Db;
use msl_diagnostics::{Place, TextRange};
use msl_parser::ast::*;
use msl_preproc::Include;
use msl_ty::{
    DeclRef, Sema,
    store::{BindId, QualTy, TyKind},
};

use crate::{
    analysis::{Analysis, UnitRequest},
    view::{Layer, Named, View},
};

/// Where a name leads.
#[derive(Clone, Debug, PartialEq)]
pub struct Navigation {
    /// The name itself.
    pub origin: TextRange,
    pub targets: Vec<NavigationTarget>,
}

/// One place that a name leads to. The path of a header of the library is `<name>`.
#[derive(Clone, Debug, PartialEq)]
pub struct NavigationTarget {
    pub name: Place,
    /// The whole declaration, in the same file.
    pub full_range: TextRange,
}

/// What of a thing's declarations is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Want {
    /// The one with a body, if there is one.
    Definition,
    /// Those without a body, if there are any.
    Declaration,
}

impl Analysis {
    /// Where the thing at `offset` is defined. On a definition, where it is declared; on an `#include`, the file.
    pub fn definition(&self, request: &UnitRequest, path: &Arc<str>, offset: u32) -> Option<Navigation> {
        let view = View::new(self, request);
        include(&view, path, offset)
            .or_else(|| macro_definition(&view, path, offset))
            .or_else(|| declarations(&view, path, offset, Want::Definition))
    }

    /// Where the thing at `offset` is declared without being defined, else where it is defined.
    pub fn declaration(&self, request: &UnitRequest, path: &Arc<str>, offset: u32) -> Option<Navigation> {
        let view = View::new(self, request);
        include(&view, path, offset)
            .or_else(|| macro_definition(&view, path, offset))
            .or_else(|| declarations(&view, path, offset, Want::Declaration))
    }

    /// Where the type of the thing at `offset` is defined.
    pub fn type_definition(&self, request: &UnitRequest, path: &Arc<str>, offset: u32) -> Option<Navigation> {
        let view = View::new(self, request);
        let (layer, named) = view.named_at(path, offset)?;
        let sema = layer.sema(view.env);
        let mut targets = Vec::new();
        for &item in &named.items {
            let ty = match &sema.ast[item.decl].kind {
                DeclKind::Variable(_) => {
                    layer.facts.variables.get(&item.decl).copied().unwrap_or_else(|| sema.variable_type(item))
                }
                DeclKind::Function(_) => sema.signature(item).ret,
                DeclKind::Enumerator { .. } => {
                    let owner = sema.enum_of(item.decl)?;
                    QualTy::plain(sema.enum_type(owner, item.bind))
                }
                DeclKind::TypeAlias { .. } if sema.ast[item.decl].templates.is_empty() => sema.alias_type(item),
                _ => continue,
            };
            if let Some(decl) = declared_type(&sema, ty) {
                targets.extend(target(&view, &layer, decl));
            }
        }
        finish(&named, targets)
    }
}

/// The class or enumeration that a type is made of.
pub(crate) fn declared_type(sema: &Sema<'_>, ty: QualTy) -> Option<DeclId> {
    let mut ty = ty.ty;
    // Types nest as deep as declarators do, which the parser bounds.
    loop {
        match sema.kind(ty) {
            TyKind::Pointer(inner) | TyKind::LRef(inner) | TyKind::RRef(inner) | TyKind::Array(inner, _) => {
                ty = inner.ty;
            }
            TyKind::Record(decl, _) => {
                return Some(sema.record_info(ty).map_or(*decl, |info| info.decl));
            }
            TyKind::Enum(decl, _) | TyKind::Param(decl) => return Some(*decl),
            _ => return None,
        }
    }
}

fn finish(named: &Named, mut targets: Vec<NavigationTarget>) -> Option<Navigation> {
    let mut seen = Vec::new();
    targets.retain(|target| {
        let is_new = !seen.contains(&target.name);
        if is_new {
            seen.push(target.name.clone());
        }
        is_new
    });
    (!targets.is_empty()).then_some(Navigation { origin: named.spot.range, targets })
}

fn declarations(view: &View<'_>, path: &Arc<str>, offset: u32, want: Want) -> Option<Navigation> {
    let (layer, named) = view.named_at(path, offset)?;
    let sema = layer.sema(view.env);
    let mut targets = Vec::new();
    for &item in &named.items {
        let all = same_entity(&sema, item.decl);
        let (defined, declared): (Vec<DeclId>, Vec<DeclId>) =
            all.iter().partition(|&&decl| is_definition(&sema.ast[decl]));
        let mut wanted = match want {
            Want::Definition => [defined, declared],
            Want::Declaration => [declared, defined],
        };
        // On the place itself the others are wanted: a jump back and forth.
        if want == Want::Definition && named.is_declaration && wanted[0].contains(&item.decl) && !wanted[1].is_empty() {
            wanted.reverse();
        }
        let chosen = wanted.into_iter().find(|decls| !decls.is_empty()).unwrap_or_default();
        targets.extend(chosen.into_iter().filter_map(|decl| target(view, &layer, decl)));
    }
    finish(&named, targets)
}

fn target(view: &View<'_>, layer: &Layer<'_>, decl: DeclId) -> Option<NavigationTarget> {
    let name = view.place_of(layer, decl)?;
    let full_range = match view.full_place_of(layer, decl) {
        // A declaration that a macro makes has no range of its own.
        Some(full) if full.path == name.path && full.range.start <= name.range.start => full.range.cover(name.range),
        _ => name.range,
    };
    Some(NavigationTarget { name, full_range })
}

/// All declarations of the function, class, variable or whatever it is, the given one included.
pub(crate) fn same_entity(sema: &Sema<'_>, decl: DeclId) -> Vec<DeclId> {
    let data = &sema.ast[decl];
    match &data.kind {
        DeclKind::Function(function) => {
            let Some(name) = function.name.ident() else { return vec![decl] };
            let item = |decl| DeclRef { decl, bind: BindId::NONE };
            let mut all: Vec<DeclId> = vec![decl];
            let mut add = |other: DeclId| {
                if !all.contains(&other)
                    && matches!(sema.ast[other].kind, DeclKind::Function(_))
                    && !sema.ast[other].specs.contains(Specs::INSTANTIATION)
                    && sema.same_function(item(decl), item(other))
                {
                    all.push(other);
                }
            };
            let mut scope = Some(member_scope(sema, decl).unwrap_or_else(|| sema.declared_in(decl)));
            while let Some(id) = scope {
                for &other in sema.ast[id].get(name) {
                    add(other);
                }
                scope = sema.ast[id].extends;
            }
            // Definitions outside of their class are in no scope.
            if !sema.is_library(decl) && sema.class_of(item(decl)).is_some() {
                for (other, data) in sema.env.ast.own_decls() {
                    if let DeclKind::Function(candidate) = &data.kind
                        && candidate.qualifier.is_some()
                        && candidate.name.ident() == Some(name)
                        && sema.class_of(item(other)) == sema.class_of(item(decl))
                    {
                        add(other);
                    }
                }
            }
            all.sort();
            all
        }
        DeclKind::Record(_) | DeclKind::Enum(_) | DeclKind::TypeAlias { .. } | DeclKind::Namespace { .. } => {
            sema.redeclarations(decl).into_iter().collect()
        }
        DeclKind::Variable(variable) if variable.kind == VariableKind::Global => {
            sema.redeclarations(decl).into_iter().collect()
        }
        _ => vec![decl],
    }
}

/// The member scope of the class that a function defined outside of it belongs to.
fn member_scope(sema: &Sema<'_>, decl: DeclId) -> Option<ScopeId> {
    let DeclKind::Function(Function { qualifier: Some(_), .. }) = &sema.ast[decl].kind else { return None };
    let class = sema.class_of(DeclRef { decl, bind: BindId::NONE })?;
    sema.record_info(class)?.scope
}

fn is_definition(decl: &Decl) -> bool {
    match &decl.kind {
        DeclKind::Function(function) => !matches!(function.body, FunctionBody::None),
        DeclKind::Record(record) => record.scope.is_some(),
        DeclKind::Enum(enumeration) => enumeration.scope.is_some(),
        DeclKind::Variable(_) => !decl.specs.contains(Specs::EXTERN),
        _ => true,
    }
}

fn include(view: &View<'_>, path: &Arc<str>, offset: u32) -> Option<Navigation> {
    let file = view.file(path)?;
    let directive = view
        .preprocessed
        .includes
        .iter()
        .find(|include| include.file == file && include.range.start <= offset && offset <= include.range.end)?;
    let path = included_path(view, &directive.target)?;
    let origin = TextRange::new(directive.name_range.start, directive.name_range.end);
    let top = TextRange::default();
    Some(Navigation { origin, targets: vec![NavigationTarget { name: Place { path, range: top }, full_range: top }] })
}

/// The file that an `#include` leads to; that of a header of the library is `<name>`.
pub(crate) fn included_path(view: &View<'_>, target: &Include) -> Option<Arc<str>> {
    Some(match target {
        Include::File(target) => view.db.shared().path(*target)?.clone(),
        Include::Library(name) => match lookup_include(name.as_str())? {
            LibraryInclude::Header(header) => format!("<{}>", header.header().name).into(),
            LibraryInclude::Umbrella(name) => format!("<{name}>").into(),
            LibraryInclude::Standard { .. } | LibraryInclude::Sdk => return None,
        },
        Include::Sdk(_) | Include::NotFound => return None,
    })
}

fn macro_definition(view: &View<'_>, path: &Arc<str>, offset: u32) -> Option<Navigation> {
    let used = crate::view::macro_at(view, path, offset)?;
    let definition = &used.definition;
    let path: Arc<str> = match HeaderId::from_file(definition.file) {
        Some(header) => format!("<{}>", header.header().name).into(),
        None => view.db.shared().path(definition.file)?.clone(),
    };
    let name = Place { path, range: TextRange::new(definition.name_range.start, definition.name_range.end) };
    let full_range = TextRange::new(definition.range.start, definition.range.end);
    Some(Navigation { origin: used.range, targets: vec![NavigationTarget { name, full_range }] })
}
