//! Who calls a function, and whom it calls.

use std::sync::Arc;

use msl_diagnostics::{Place, TextRange};
use msl_parser::ast::*;
use msl_ty::{DeclRef, store::BindId};
use rustc_hash::FxHashMap;

use crate::{
    analysis::{Analysis, UnitRequest},
    references::Entity,
    symbols::{SymbolKind, kind_of},
    view::{Layer, View},
};

/// A function in the hierarchy.
#[derive(Clone, Debug, PartialEq)]
pub struct HierarchyItem {
    pub name: String,
    pub detail: String,
    pub kind: SymbolKind,
    /// Its name.
    pub place: Place,
    /// The whole declaration, in the same file.
    pub full_range: TextRange,
}

/// A function that calls or is called, and where the calls are. They stand in the file of the caller.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub item: HierarchyItem,
    pub sites: Vec<Place>,
}

impl Analysis {
    /// The function at `offset`.
    pub fn call_hierarchy_item(&self, request: &UnitRequest, path: &Arc<str>, offset: u32) -> Option<HierarchyItem> {
        let view = View::new(self, request);
        let (layer, named) = view.named_at(path, offset)?;
        let sema = layer.sema(view.env);
        let function = named.items.iter().find(|item| matches!(sema.ast[item.decl].kind, DeclKind::Function(_)))?.decl;
        item(&view, &layer, function)
    }

    /// The functions of the unit that call the function at `offset`.
    pub fn incoming_calls(&self, request: &UnitRequest, path: &Arc<str>, offset: u32) -> Vec<Call> {
        let view = View::new(self, request);
        let Some((layer, named)) = view.named_at(path, offset) else { return Vec::new() };
        let Some(entity) = Entity::of(&view, &layer, &named.items) else { return Vec::new() };
        let mut calls = Vec::new();
        for layer in view.layers() {
            let Some(caller) = layer.function else { continue };
            let mut sites: Vec<Place> = Vec::new();
            let instances = view.instances_of(&layer).flat_map(|facts| &facts.refs);
            for (&token, items) in layer.facts.refs.iter().chain(instances) {
                if entity.is_meant_by(items)
                    && let Some((place, _)) = view.places.place(layer.body, TokenRange::new(token, token + 1))
                {
                    sites.push(place);
                }
            }
            if sites.is_empty() {
                continue;
            }
            sites.sort();
            sites.dedup();
            if let Some(item) = item(&view, &layer, caller) {
                calls.push(Call { item, sites });
            }
        }
        calls
    }

    /// The functions that the function at `offset` calls in its body.
    pub fn outgoing_calls(&self, request: &UnitRequest, path: &Arc<str>, offset: u32) -> Vec<Call> {
        let view = View::new(self, request);
        let Some((layer, named)) = view.named_at(path, offset) else { return Vec::new() };
        let Some(entity) = Entity::of(&view, &layer, &named.items) else { return Vec::new() };
        let mut by_callee: FxHashMap<DeclId, Vec<Place>> = FxHashMap::default();
        let mut calls = Vec::new();
        for layer in view.tree.functions.iter().filter(|of| entity.decls.contains(&of.function)) {
            let Some(layer) = view.body(layer.body) else { continue };
            let sema = layer.sema(view.env);
            let instances = view.instances_of(&layer).flat_map(|facts| &facts.refs);
            for (&token, items) in layer.facts.refs.iter().chain(instances) {
                let callee = items.iter().find(|item| matches!(sema.ast[item.decl].kind, DeclKind::Function(_)));
                if let Some(callee) = callee
                    && let Some((place, _)) = view.places.place(layer.body, TokenRange::new(token, token + 1))
                {
                    by_callee.entry(callee.decl).or_default().push(place);
                }
            }
            for (callee, mut sites) in by_callee.drain() {
                sites.sort();
                sites.dedup();
                if let Some(item) = item(&view, &layer, callee) {
                    calls.push(Call { item, sites });
                }
            }
        }
        calls.sort_by(|a, b| (&a.sites, &a.item.name).cmp(&(&b.sites, &b.item.name)));
        calls
    }
}

fn item(view: &View<'_>, layer: &Layer<'_>, function: DeclId) -> Option<HierarchyItem> {
    let sema = layer.sema(view.env);
    let place = view.place_of(layer, function)?;
    let full = view.full_place_of(layer, function).filter(|full| full.path == place.path);
    Some(HierarchyItem {
        name: sema.decl_name(function).map_or_else(
            || match &sema.ast[function].kind {
                DeclKind::Function(data) => msl_ty::types::spell_name(data.name),
                _ => String::new(),
            },
            |name| name.to_string(),
        ),
        detail: sema.spell_function(DeclRef { decl: function, bind: BindId::NONE }),
        kind: kind_of(&sema, function)?,
        full_range: full.map_or(place.range, |full| full.range.cover(place.range)),
        place,
    })
}
