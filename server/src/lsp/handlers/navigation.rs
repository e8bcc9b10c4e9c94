//! Definition, declaration, type definition, implementation.

use msl_ide::NavigationTarget;
use tower_lsp::{
    jsonrpc::Result,
    lsp_types::{
        GotoDefinitionParams, GotoDefinitionResponse, LocationLink,
        request::{GotoDeclarationParams, GotoImplementationParams, GotoTypeDefinitionParams},
    },
};

use crate::lsp::{
    project_links,
    snapshot::{At, Snapshot},
};

pub(crate) fn definition(snapshot: &Snapshot, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
    if let Some(found) = project_links::definition(snapshot, &params.text_document_position_params) {
        return Ok(Some(found));
    }
    if let Some(found) = project_links::pointer_targets(snapshot, &params.text_document_position_params) {
        return Ok(Some(found));
    }
    let Some(at) = snapshot.at(&params.text_document_position_params)? else { return Ok(None) };
    Ok(answer(snapshot, &at, snapshot.analysis.definition(&at.unit, &at.path, at.offset)))
}

pub(crate) fn declaration(
    snapshot: &Snapshot,
    params: GotoDeclarationParams,
) -> Result<Option<GotoDefinitionResponse>> {
    let Some(at) = snapshot.at(&params.text_document_position_params)? else { return Ok(None) };
    Ok(answer(snapshot, &at, snapshot.analysis.declaration(&at.unit, &at.path, at.offset)))
}

pub(crate) fn type_definition(
    snapshot: &Snapshot,
    params: GotoTypeDefinitionParams,
) -> Result<Option<GotoDefinitionResponse>> {
    let Some(at) = snapshot.at(&params.text_document_position_params)? else { return Ok(None) };
    Ok(answer(snapshot, &at, snapshot.analysis.type_definition(&at.unit, &at.path, at.offset)))
}

pub(crate) fn implementation(
    snapshot: &Snapshot,
    params: GotoImplementationParams,
) -> Result<Option<GotoDefinitionResponse>> {
    let Some(at) = snapshot.at(&params.text_document_position_params)? else { return Ok(None) };
    Ok(answer(snapshot, &at, snapshot.analysis.implementation(&at.unit, &at.path, at.offset)))
}

fn answer(snapshot: &Snapshot, at: &At<'_>, found: Option<msl_ide::Navigation>) -> Option<GotoDefinitionResponse> {
    let found = found?;
    if !snapshot.client.location_links {
        let locations = found.targets.iter().filter_map(|target| snapshot.location(&target.name)).collect();
        return Some(GotoDefinitionResponse::Array(locations));
    }
    let origin = snapshot.range(&at.path, found.origin);
    let link = |target: &NavigationTarget| {
        let name = snapshot.location(&target.name)?;
        Some(LocationLink {
            origin_selection_range: Some(origin),
            target_uri: name.uri,
            target_range: snapshot.range(&target.name.path, target.full_range),
            target_selection_range: name.range,
        })
    };
    Some(GotoDefinitionResponse::Link(found.targets.iter().filter_map(link).collect()))
}
