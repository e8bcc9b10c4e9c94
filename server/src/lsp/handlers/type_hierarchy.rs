//! Type hierarchy.

use msl_ide::HierarchyItem;
use tower_lsp::{
    jsonrpc::Result,
    lsp_types::{
        TypeHierarchyItem, TypeHierarchyPrepareParams, TypeHierarchySubtypesParams, TypeHierarchySupertypesParams,
    },
};

use super::references::everywhere;
use crate::lsp::{snapshot::Snapshot, to_proto};

pub(crate) fn prepare(
    snapshot: &Snapshot,
    params: TypeHierarchyPrepareParams,
) -> Result<Option<Vec<TypeHierarchyItem>>> {
    let Some(at) = snapshot.at(&params.text_document_position_params)? else { return Ok(None) };
    let found = snapshot.analysis.type_hierarchy_item(&at.unit, &at.path, at.offset);
    Ok(found.and_then(|found| item(snapshot, &found)).map(|item| vec![item]))
}

pub(crate) fn supertypes(
    snapshot: &Snapshot,
    params: TypeHierarchySupertypesParams,
) -> Result<Option<Vec<TypeHierarchyItem>>> {
    let Some(at) = snapshot.anywhere(&params.item.uri, params.item.selection_range.start)? else { return Ok(None) };
    let found = snapshot.analysis.supertypes(&at.unit, &at.path, at.offset);
    Ok(Some(found.iter().filter_map(|found| item(snapshot, found)).collect()))
}

pub(crate) fn subtypes(
    snapshot: &Snapshot,
    params: TypeHierarchySubtypesParams,
) -> Result<Option<Vec<TypeHierarchyItem>>> {
    let Some(at) = snapshot.anywhere(&params.item.uri, params.item.selection_range.start)? else { return Ok(None) };
    let mut found: Vec<HierarchyItem> = Vec::new();
    everywhere(snapshot, &at, |unit, place, _| {
        for item in snapshot.analysis.subtypes(unit, &place.path, place.range.start) {
            if !found.iter().any(|known| known.place == item.place) {
                found.push(item);
            }
        }
        Ok(())
    })?;
    Ok(Some(found.iter().filter_map(|found| item(snapshot, found)).collect()))
}

fn item(snapshot: &Snapshot, item: &HierarchyItem) -> Option<TypeHierarchyItem> {
    Some(TypeHierarchyItem {
        name: item.name.clone(),
        kind: to_proto::symbol_kind(item.kind),
        tags: None,
        detail: Some(item.detail.clone()),
        uri: snapshot.uri(&item.place.path)?,
        range: snapshot.range(&item.place.path, item.full_range),
        selection_range: snapshot.range(&item.place.path, item.place.range),
        data: None,
    })
}
