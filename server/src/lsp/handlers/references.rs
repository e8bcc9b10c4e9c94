//! References, document highlight, rename.

use std::sync::Arc;

use msl_diagnostics::{Place, TextEdit};
use msl_ide::{Access, Occurrences, UnitRequest, is_valid_name};
use rustc_hash::FxHashSet;
use tower_lsp::{
    jsonrpc::Result,
    lsp_types::{
        DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, Location, PrepareRenameResponse,
        ReferenceParams, RenameParams, TextDocumentPositionParams, WorkspaceEdit,
    },
};

use crate::lsp::{
    events::refused,
    include_graph, project_links,
    snapshot::{Anywhere, Snapshot},
    to_proto,
};

pub(crate) fn highlight(
    snapshot: &Snapshot,
    params: DocumentHighlightParams,
) -> Result<Option<Vec<DocumentHighlight>>> {
    let Some(at) = snapshot.at(&params.text_document_position_params)? else { return Ok(None) };
    let Some(found) = snapshot.analysis.occurrences_in_file(&at.unit, &at.path, at.offset) else { return Ok(None) };
    let highlights = found.references.iter().map(|reference| DocumentHighlight {
        range: snapshot.range(&at.path, reference.place.range),
        kind: Some(match reference.access {
            Access::Write => DocumentHighlightKind::WRITE,
            Access::Read => DocumentHighlightKind::READ,
            Access::Declaration => DocumentHighlightKind::TEXT,
        }),
    });
    Ok(Some(highlights.collect()))
}

pub(crate) fn references(snapshot: &Snapshot, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
    let across = project_links::references(snapshot, &params.text_document_position);
    let more = match across {
        Some((locations, true)) => return Ok(Some(locations)),
        Some((locations, false)) => locations,
        None => Vec::new(),
    };
    let Some(at) = snapshot.at(&params.text_document_position)?.map(Anywhere::from) else { return Ok(None) };
    let mut places: Vec<(Place, Access)> = Vec::new();
    let Some(_) = everywhere(snapshot, &at, |_, _, found| {
        places.extend(found.references.iter().map(|reference| (reference.place.clone(), reference.access)));
        Ok(())
    })?
    else {
        return Ok(None);
    };
    places.sort();
    places.dedup_by(|later, earlier| later.0 == earlier.0);
    if !params.context.include_declaration {
        places.retain(|(_, access)| *access != Access::Declaration);
    }
    let own = places.iter().filter_map(|(place, _)| snapshot.location(place)).collect();
    Ok(project_links::merge(Some(own), more).or(Some(Vec::new())))
}

pub(crate) fn prepare_rename(
    snapshot: &Snapshot,
    params: TextDocumentPositionParams,
) -> Result<Option<PrepareRenameResponse>> {
    if let Some(answer) = project_links::prepare_rename(snapshot, &params) {
        return Ok(Some(answer));
    }
    let Some(at) = snapshot.at(&params)? else { return Ok(None) };
    let Some(found) = snapshot.analysis.occurrences(&at.unit, &at.path, at.offset) else { return Ok(None) };
    found.check_renamable().map_err(|problem| refused(problem.to_string()))?;
    Ok(Some(PrepareRenameResponse::RangeWithPlaceholder {
        range: snapshot.range(&at.path, found.range),
        placeholder: found.name,
    }))
}

pub(crate) fn rename(snapshot: &Snapshot, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
    let new_name = params.new_name.trim();
    is_valid_name(new_name).map_err(|problem| refused(problem.to_string()))?;
    let mut in_hosts = Vec::new();
    let mut is_asked_about = false;
    match project_links::rename(snapshot, &params.text_document_position, new_name) {
        Some(project_links::Renamed::Whole(edit)) => return Ok(edit),
        Some(project_links::Renamed::Host { edits, may_be_looked_up }) => {
            in_hosts = edits;
            is_asked_about = may_be_looked_up;
        }
        None => {}
    }
    let Some(at) = snapshot.at(&params.text_document_position)?.map(Anywhere::from) else { return Ok(None) };
    let mut places: Vec<Place> = Vec::new();
    let found = everywhere(snapshot, &at, |unit, place, found| {
        found.check_renamable().map_err(|problem| refused(problem.to_string()))?;
        if found.name != new_name {
            snapshot
                .analysis
                .check_new_name(unit, &place.path, place.range.start, new_name)
                .map_err(|problem| refused(problem.to_string()))?;
        }
        places.extend(found.references.iter().map(|reference| reference.place.clone()));
        Ok(())
    })?;
    if found.is_none() {
        return Err(refused("there is no name here"));
    }
    places.sort();
    places.dedup();
    let mut edits: Vec<TextEdit> =
        places.into_iter().map(|place| TextEdit { place, new_text: new_name.to_owned() }).collect();
    edits.extend(in_hosts);
    let mut edit = to_proto::workspace_edit(snapshot, edits.iter());
    if let Some(edit) = edit.as_mut().filter(|_| is_asked_about) {
        let why = "no host code that is known names it; what looks it up by its name, such as a function descriptor, has to \
                   follow, or `[[host_name(\"…\")]]` keeps the old name";
        to_proto::annotate(snapshot, edit, "rename-visible", "Rename a visible function", why.to_owned());
    }
    Ok(edit)
}

/// Where a thing is used rather than declared.
pub(crate) fn uses(found: &Occurrences) -> impl Iterator<Item = Place> {
    let uses = found.references.iter().filter(|reference| reference.access != Access::Declaration);
    uses.map(|reference| reference.place.clone())
}

/// Looks for the thing at a place in its own unit, and if other units may see it, in those. `each` is called with the
/// unit, a place in it that names the thing, and what was found.
pub(crate) fn everywhere(
    snapshot: &Snapshot,
    at: &Anywhere,
    mut each: impl FnMut(&UnitRequest, &Place, &Occurrences) -> Result<()>,
) -> Result<Option<()>> {
    let Some(own) = snapshot.analysis.occurrences(&at.unit, &at.path, at.offset) else { return Ok(None) };
    each(&at.unit, &Place { path: at.path.clone(), range: own.range }, &own)?;
    if own.is_local {
        return Ok(Some(()));
    }
    for root in other_units(snapshot, &at.unit.path, &own) {
        if snapshot.is_cancelled() {
            break;
        }
        let unit = snapshot.settings.request(&root);
        // The same thing is declared at the same place, seen through another unit.
        let declared = own.declarations.iter().find_map(|place| {
            let found = snapshot.analysis.occurrences(&unit, &place.path, place.range.start)?;
            let is_same = found.declarations.iter().any(|other| own.declarations.contains(other));
            is_same.then_some((place, found))
        });
        if let Some((place, found)) = declared {
            each(&unit, place, &found)?;
        }
    }
    Ok(Some(()))
}

/// The units, apart from one, that may name what is declared in these places: for each file that mentions the name and
/// sees one of the declarations, a unit that it is part of.
fn other_units(snapshot: &Snapshot, own: &Arc<str>, found: &Occurrences) -> Vec<Arc<str>> {
    let mut seen: FxHashSet<Arc<str>> = FxHashSet::default();
    let mut units: Vec<Arc<str>> = Vec::new();
    let mentions = |path: &Arc<str>| {
        let text = snapshot.analysis.text(path).unwrap_or_default();
        let name = found.name.as_bytes();
        !name.is_empty() && text.windows(name.len()).any(|window| window == name)
    };
    for place in &found.declarations {
        for path in snapshot.includes.including(&place.path) {
            if !seen.insert(path.clone()) || !mentions(&path) {
                continue;
            }
            let root = if include_graph::is_unit(&path) { path } else { snapshot.root_of(&path) };
            if root != *own && !units.contains(&root) {
                units.push(root);
            }
        }
    }
    units.sort();
    units
}
