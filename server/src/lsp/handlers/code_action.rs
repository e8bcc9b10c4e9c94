//! Code actions: the repairs of findings, and changes that are offered at a place.

use std::sync::Arc;

use msl_diagnostics::{Diagnostic, TextRange};
use msl_ide::Action;
use tower_lsp::{
    jsonrpc::Result,
    lsp_types::{CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse},
};

use crate::lsp::{diagnostics, from_proto, include_graph, paths, snapshot::Snapshot, to_proto};

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
            actions.extend(edit.map(|edit| tower_lsp::lsp_types::CodeAction {
                title: format!("Compiler: {}", repair.title),
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![found.diagnostic.clone()]),
                edit: Some(edit),
                ..tower_lsp::lsp_types::CodeAction::default()
            }));
        }
    }
    if wants(&CodeActionKind::REFACTOR) {
        let offered = [
            snapshot.analysis.group_action(&at.unit, &at.path, range.start),
            snapshot.analysis.alias_action(&at.unit, &at.path, range.start),
            snapshot.analysis.visible_action(&at.unit, &at.path, range.start),
        ];
        actions.extend(offered.iter().flatten().filter_map(|fix| to_proto::refactoring(snapshot, fix)));
    }
    // Only where it was asked for by name: an editor runs it on save.
    let asks_for_all = params.context.only.is_some();
    if asks_for_all && wants(&CodeActionKind::SOURCE_FIX_ALL) {
        let mut edits: Vec<&msl_diagnostics::TextEdit> = Vec::new();
        for fix in here.iter().flat_map(|finding| finding.fixes.iter().find(|fix| fix.preferred)) {
            // Whole repairs only, and none that meets another.
            let meets = |edit: &msl_diagnostics::TextEdit| {
                edits.iter().any(|other| {
                    let (a, b) = (other.place.range, edit.place.range);
                    other.place.path == edit.place.path && a.start <= b.end && b.start <= a.end
                })
            };
            if !fix.edits.iter().any(meets) {
                edits.extend(&fix.edits);
            }
        }
        if !edits.is_empty()
            && let Some(edit) = to_proto::workspace_edit(snapshot, edits.into_iter())
        {
            actions.push(tower_lsp::lsp_types::CodeAction {
                title: "Apply all preferred repairs".to_owned(),
                kind: Some(CodeActionKind::SOURCE_FIX_ALL),
                edit: Some(edit),
                ..tower_lsp::lsp_types::CodeAction::default()
            });
        }
    }
    if wants_some_of(&params, &["quickfix", "refactor.rewrite"]) {
        for mut action in snapshot.analysis.actions(&at.unit, &at.path, range) {
            verify_elsewhere(snapshot, &at.unit.path, &mut action);
            let kind = CodeActionKind::from(action.kind.as_str().to_owned());
            if wants(&kind) {
                actions.extend(to_proto::offered_action(snapshot, &action, kind));
            }
        }
    }
    Ok(Some(across.into_iter().chain(actions.into_iter().map(CodeActionOrCommand::CodeAction)).collect()))
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
