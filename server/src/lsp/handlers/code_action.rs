//! Code actions: the repairs of findings, and changes that are offered at a place.

use std::sync::Arc;

use msl_diagnostics::{Diagnostic, TextRange};
use msl_ide::{Action, ActionKind};
use serde::{Deserialize, Serialize};
use tower_lsp::{
    jsonrpc::Result,
    lsp_types::{CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse, Url},
};

use crate::lsp::{
    diagnostics,
    events::{content_modified, invalid_params, refused},
    from_proto, include_graph, paths,
    snapshot::{At, Snapshot},
    to_proto,
};

pub(crate) fn code_action(snapshot: &Snapshot, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
    let path = paths::path_of(&params.text_document.uri);
    let Some(document) = snapshot.documents.get(&path) else { return Ok(None) };
    let range = from_proto::line_columns(params.range);
    let offset = |position| document.text.offset(position, snapshot.encoding);
    let range = TextRange::new(offset(range.start), offset(range.end));
    let is_touched =
        |finding: &Diagnostic| finding.place.range.start <= range.end && range.start <= finding.place.range.end;
    let across: Vec<CodeActionOrCommand> = snapshot
        .links
        .findings_in(&path)
        .filter(|finding| is_touched(finding))
        .flat_map(|finding| finding.fixes.iter().filter_map(|fix| to_proto::code_action(snapshot, fix, finding)))
        .map(CodeActionOrCommand::CodeAction)
        .collect();
    let Some(at) = snapshot.whole(&params.text_document.uri)? else { return Ok(Some(across)) };
    let wants = |kind: &CodeActionKind| {
        params.context.only.as_ref().is_none_or(|only| {
            only.iter().any(|wanted| {
                kind.as_str() == wanted.as_str() || kind.as_str().starts_with(&format!("{}.", wanted.as_str()))
            })
        })
    };
    let report = diagnostics::report(snapshot, &at.unit.path);
    let here: Vec<&Diagnostic> = report
        .diagnostics
        .iter()
        .filter(|finding| finding.place.path == at.path && !finding.fixes.is_empty())
        .collect();

    let mut actions = Vec::new();
    if wants(&CodeActionKind::QUICKFIX) {
        for finding in here.iter().filter(|finding| is_touched(finding)) {
            actions.extend(finding.fixes.iter().filter_map(|fix| to_proto::code_action(snapshot, fix, finding)));
        }
    }
    if wants(&CodeActionKind::QUICKFIX)
        && let Some(found) = snapshot.caches.compiled.get(&at.path)
    {
        let touched = found.iter().filter(|found| found.range.start <= range.end && range.start <= found.range.end);
        for (found, repair) in touched.flat_map(|found| found.repairs.iter().map(move |repair| (found, repair))) {
            let edit = to_proto::workspace_edit(snapshot, repair.edits.iter());
            actions.extend(edit.map(|edit| CodeAction {
                title: format!("Compiler: {}", repair.title),
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![found.diagnostic.clone()]),
                edit: Some(edit),
                ..CodeAction::default()
            }));
        }
    }
    let offered = [
        (CodeActionKind::REFACTOR, snapshot.analysis.group_action(&at.unit, &at.path, range.start)),
        (CodeActionKind::REFACTOR, snapshot.analysis.visible_action(&at.unit, &at.path, range.start)),
        (CodeActionKind::REFACTOR_EXTRACT, snapshot.analysis.alias_action(&at.unit, &at.path, range.start)),
    ];
    for (kind, fix) in offered {
        if let Some(fix) = fix.filter(|_| wants(&kind)) {
            actions.extend(to_proto::refactoring(snapshot, &fix, kind));
        }
    }
    if wants_some_of(&params, &["refactor.extract", "refactor.inline", "refactor.rewrite"]) {
        for action in snapshot.analysis.refactorings(&at.unit, &at.path, range) {
            if wants(&kind_of(&action)) {
                actions.extend(offer(snapshot, &params, &at, range, action));
            }
        }
    }
    // Only where they were asked for by name: an editor runs them on save.
    if params.context.only.is_some() {
        let mut of_file = Vec::new();
        if wants(&CodeActionKind::new(ActionKind::FixAll.as_str())) {
            of_file.extend(snapshot.analysis.fix_all(&at.unit, &at.path, here.iter().copied()));
        }
        if wants(&CodeActionKind::SOURCE_ORGANIZE_IMPORTS) {
            of_file.extend(snapshot.analysis.organize_includes(&at.unit, &at.path));
        }
        for action in &of_file {
            actions.extend(to_proto::offered_action(snapshot, action, kind_of(action)));
        }
    }
    if wants_some_of(&params, &["quickfix", "refactor.rewrite"]) {
        for mut action in snapshot.analysis.actions(&at.unit, &at.path, range) {
            verify_elsewhere(snapshot, &at.unit.path, &mut action);
            let kind = kind_of(&action);
            if wants(&kind) {
                actions.extend(to_proto::offered_action(snapshot, &action, kind));
            }
        }
    }
    Ok(Some(across.into_iter().chain(actions.into_iter().map(CodeActionOrCommand::CodeAction)).collect()))
}

/// Gives the edits of a refactoring that the user chose, once they are found to keep the program right.
pub(crate) fn resolve(snapshot: &Snapshot, mut action: CodeAction) -> Result<CodeAction> {
    let Some(data) = action.data.take() else { return Ok(action) };
    let chosen: Chosen = serde_json::from_value(data).map_err(|error| invalid_params(error.to_string()))?;
    let Some(at) = snapshot.whole(&chosen.uri)? else { return Ok(action) };
    if at.document.version != chosen.version {
        return Err(content_modified());
    }
    let range = TextRange::new(chosen.start, chosen.end);
    let Some(verified) = snapshot.analysis.refactoring(&at.unit, &at.path, range, &chosen.id) else {
        return Err(content_modified());
    };
    match verified.edits {
        Ok(edits) => action.edit = to_proto::workspace_edit(snapshot, edits.iter()),
        Err(reason) => return Err(refused(reason)),
    }
    Ok(action)
}

/// What a refactoring is found by again when the user chooses it.
#[derive(Serialize, Deserialize)]
struct Chosen {
    uri: Url,
    version: i32,
    /// Byte offsets of what was selected.
    start: u32,
    end: u32,
    id: String,
}

/// A refactoring that is built: with its edits only if the client cannot ask for them later, because it takes a check of
/// the unit to know that they are right.
fn offer(
    snapshot: &Snapshot,
    params: &CodeActionParams,
    at: &At<'_>,
    range: TextRange,
    action: Action,
) -> Option<CodeAction> {
    let kind = kind_of(&action);
    if action.edits.is_err() {
        return to_proto::offered_action(snapshot, &action, kind);
    }
    if !snapshot.client.resolves_actions {
        let verified = snapshot.analysis.refactoring(&at.unit, &at.path, range, action.id)?;
        return to_proto::offered_action(snapshot, &verified, kind);
    }
    let chosen = Chosen {
        uri: params.text_document.uri.clone(),
        version: at.document.version,
        start: range.start,
        end: range.end,
        id: action.id.to_owned(),
    };
    let data = serde_json::to_value(chosen).ok();
    Some(CodeAction { title: action.title, kind: Some(kind), data, ..CodeAction::default() })
}

fn kind_of(action: &Action) -> CodeActionKind {
    CodeActionKind::from(action.kind.as_str().to_owned())
}

/// Whether the client may want actions of one of these kinds.
fn wants_some_of(params: &CodeActionParams, kinds: &[&str]) -> bool {
    let Some(only) = &params.context.only else { return true };
    let starts = |long: &str, short: &str| long == short || long.starts_with(&format!("{short}."));
    kinds.iter().any(|kind| only.iter().any(|wanted| starts(kind, wanted.as_str()) || starts(wanted.as_str(), kind)))
}

/// How many other units a change of a header is checked in.
const MAX_UNITS: usize = 16;

/// Checks a change that replaces functions in the other units that see the files it edits.
fn verify_elsewhere(snapshot: &Snapshot, own: &Arc<str>, action: &mut Action) {
    let (Ok(edits), Some(replacement)) = (&action.edits, &action.replacement) else { return };
    let mut roots: Vec<Arc<str>> = Vec::new();
    for edit in edits {
        for path in snapshot.includes.including(&edit.place.path) {
            let root = if include_graph::is_unit(&path) { path } else { snapshot.root_of(&path) };
            if root != *own && !roots.contains(&root) {
                roots.push(root);
            }
        }
    }
    for root in roots.iter().take(MAX_UNITS) {
        let unit = snapshot.settings.request(root);
        if let Err(reason) = snapshot.analysis.verify(&unit, edits, replacement) {
            action.edits = Err(reason);
            return;
        }
    }
}
