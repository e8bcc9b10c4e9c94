//! What a class derives from, what derives from it, and where a name is implemented.

use std::sync::Arc;

use msl_parser::ast::*;
use msl_ty::{
    DeclRef, Sema,
    store::{BindId, TyKind},
};
use rustc_hash::FxHashSet;

use crate::{
    analysis::{Analysis, UnitRequest},
    call_hierarchy::HierarchyItem,
    navigation::{Navigation, NavigationTarget, same_entity},
    symbols::kind_of,
    view::{Layer, View},
};

impl Analysis {
    /// The class at `offset`.
    pub fn type_hierarchy_item(&self, request: &UnitRequest, path: &Arc<str>, offset: u32) -> Option<HierarchyItem> {
        let view = View::new(self, request);
        let (layer, class) = class_at(&view, path, offset)?;
        item(&view, &layer, class)
    }

    /// The classes that the class at `offset` names as its bases.
    pub fn supertypes(&self, request: &UnitRequest, path: &Arc<str>, offset: u32) -> Vec<HierarchyItem> {
        let view = View::new(self, request);
        let Some((layer, class)) = class_at(&view, path, offset) else { return Vec::new() };
        let sema = layer.sema(view.env);
        let bases = bases_of(&sema, definition_of(&sema, class));
        bases.into_iter().filter_map(|base| item(&view, &layer, definition_of(&sema, base))).collect()
    }

    /// The classes of the unit that name the class at `offset` as a base.
    pub fn subtypes(&self, request: &UnitRequest, path: &Arc<str>, offset: u32) -> Vec<HierarchyItem> {
        let view = View::new(self, request);
        let Some((layer, class)) = class_at(&view, path, offset) else { return Vec::new() };
        let sema = layer.sema(view.env);
        let derived = derived_from(&view, &sema, class);
        derived.into_iter().filter_map(|derived| item(&view, &layer, derived)).collect()
    }

    /// Where the thing at `offset` is implemented: the definitions of a function, those of its specialisations included;
    /// for a class the classes derived from it, directly or not, or the class itself if there are none.
    pub fn implementation(&self, request: &UnitRequest, path: &Arc<str>, offset: u32) -> Option<Navigation> {
        let view = View::new(self, request);
        let (layer, named) = view.named_at(path, offset)?;
        let sema = layer.sema(view.env);
        let mut found: Vec<DeclId> = Vec::new();
        for item in &named.items {
            match &sema.ast[item.decl].kind {
                DeclKind::Function(_) => {
                    let mut all = same_entity(&sema, item.decl);
                    all.extend(template_of(&view, &sema, item.decl));
                    let specialised = specialisations(&view, &sema, &all);
                    let is_defined = |decl: &DeclId| matches!(&sema.ast[*decl].kind, DeclKind::Function(it) if !matches!(it.body, FunctionBody::None));
                    found.extend(all.into_iter().chain(specialised).filter(is_defined));
                }
                DeclKind::Record(_) => {
                    let mut derived: Vec<DeclId> = Vec::new();
                    let mut pending = vec![item.decl];
                    while let Some(class) = pending.pop() {
                        for next in derived_from(&view, &sema, class) {
                            if !derived.contains(&next) {
                                derived.push(next);
                                pending.push(next);
                            }
                        }
                    }
                    if derived.is_empty() {
                        derived.push(definition_of(&sema, item.decl));
                    }
                    found.extend(derived);
                }
                _ => {}
            }
        }
        found.sort();
        found.dedup();
        let targets: Vec<NavigationTarget> = found
            .into_iter()
            .filter_map(|decl| item(&view, &layer, decl))
            .map(|item| NavigationTarget { name: item.place, full_range: item.full_range })
            .collect();
        (!targets.is_empty()).then_some(Navigation { origin: named.spot.range, targets })
    }
}

/// The class that a position names, or the class of the variable or alias that it names.
fn class_at<'a>(view: &View<'a>, path: &Arc<str>, offset: u32) -> Option<(Layer<'a>, DeclId)> {
    let (layer, named) = view.named_at(path, offset)?;
    let class = {
        let sema = layer.sema(view.env);
        named.items.iter().find_map(|&item| match &sema.ast[item.decl].kind {
            DeclKind::Record(_) => Some(sema.primary_record(item.decl)),
            DeclKind::Function(function) if function.role == FunctionRole::Constructor => {
                record_of(&sema, sema.class_of(item)?)
            }
            DeclKind::TypeAlias { .. } if sema.ast[item.decl].templates.is_empty() => {
                record_of(&sema, sema.alias_type(item).ty)
            }
            DeclKind::Variable(_) => {
                let known = layer.facts.variables.get(&item.decl).copied();
                record_of(&sema, known.unwrap_or_else(|| sema.variable_type(item)).ty)
            }
            _ => None,
        })?
    };
    Some((layer, class))
}

fn record_of(sema: &Sema<'_>, ty: msl_ty::store::Ty) -> Option<DeclId> {
    match sema.kind(ty) {
        TyKind::Record(decl, _) => Some(*decl),
        TyKind::Pointer(inner) | TyKind::LRef(inner) | TyKind::RRef(inner) | TyKind::Array(inner, _) => {
            match sema.kind(inner.ty) {
                TyKind::Record(decl, _) => Some(*decl),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The declaration of a class that has its body, else the class as it was given.
fn definition_of(sema: &Sema<'_>, class: DeclId) -> DeclId {
    let has_body = |decl: &DeclId| matches!(&sema.ast[*decl].kind, DeclKind::Record(record) if record.scope.is_some());
    if has_body(&class) {
        return class;
    }
    sema.redeclarations(class).into_iter().find(has_body).unwrap_or(class)
}

/// The classes that a definition names as bases.
fn bases_of(sema: &Sema<'_>, definition: DeclId) -> Vec<DeclId> {
    let ty = sema.record_self(definition, BindId::NONE);
    let bases = sema.record_info(ty).map(|info| info.bases.clone()).unwrap_or_default();
    bases.into_iter().filter_map(|base| record_of(sema, base)).collect()
}

/// The definitions of the unit that name a class as a base.
fn derived_from(view: &View<'_>, sema: &Sema<'_>, class: DeclId) -> Vec<DeclId> {
    let same: FxHashSet<DeclId> = sema.redeclarations(class).into_iter().chain([class]).collect();
    let classes = view.tree.ast.own_decls().filter(
        |(_, data)| matches!(&data.kind, DeclKind::Record(record) if record.scope.is_some() && !record.bases.is_empty()),
    );
    classes.map(|(decl, _)| decl).filter(|&decl| bases_of(sema, decl).iter().any(|base| same.contains(base))).collect()
}

/// The template that an explicit specialisation specialises, if only one of its name can be meant.
fn template_of(view: &View<'_>, sema: &Sema<'_>, decl: DeclId) -> Option<DeclId> {
    let name = sema.decl_name(decl)?;
    let is_specialised = |data: &Decl| matches!(&data.kind, DeclKind::Function(it) if it.name_args.is_some());
    if !is_specialised(&sema.ast[decl]) {
        return None;
    }
    let mut templates = view.tree.ast.own_decls().filter(|(other, data)| {
        matches!(&data.kind, DeclKind::Function(it) if it.name.ident() == Some(name) && !matches!(it.body, FunctionBody::None))
            && !is_specialised(data)
            && !data.templates.is_empty()
            && sema.declared_in(*other) == sema.declared_in(decl)
    });
    let (template, _) = templates.next()?;
    templates.next().is_none().then_some(template)
}

/// The explicit specialisations of function templates.
fn specialisations(view: &View<'_>, sema: &Sema<'_>, templates: &[DeclId]) -> Vec<DeclId> {
    let Some(name) = templates.iter().find_map(|&decl| sema.decl_name(decl)) else { return Vec::new() };
    let scopes: Vec<ScopeId> = templates.iter().map(|&decl| sema.declared_in(decl)).collect();
    let specialised = view.tree.ast.own_decls().filter(|(decl, data)| match &data.kind {
        DeclKind::Function(function) => {
            function.name_args.is_some()
                && !data.specs.contains(Specs::INSTANTIATION)
                && function.name.ident() == Some(name)
                && scopes.contains(&sema.declared_in(*decl))
        }
        _ => false,
    });
    specialised.map(|(decl, _)| decl).collect()
}

fn item(view: &View<'_>, layer: &Layer<'_>, decl: DeclId) -> Option<HierarchyItem> {
    let sema = layer.sema(view.env);
    let place = view.place_of(layer, decl)?;
    let full = view.full_place_of(layer, decl).filter(|full| full.path == place.path);
    let declared = DeclRef { decl, bind: BindId::NONE };
    Some(HierarchyItem {
        name: sema.decl_name(decl)?.to_string(),
        detail: match &sema.ast[decl].kind {
            DeclKind::Function(_) => sema.spell_function(declared),
            _ => sema.spell_ty(sema.record_self(decl, BindId::NONE)),
        },
        kind: kind_of(&sema, decl)?,
        full_range: full.map_or(place.range, |full| full.range.cover(place.range)),
        place,
    })
}
