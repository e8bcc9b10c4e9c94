//! From plain data to LSP types.

use msl_diagnostics::{Diagnostic, Fix, FixKind, Severity, Tag};
use msl_syntax::LineColumn;
use tower_lsp::lsp_types::{
    self, CodeAction, CodeActionKind, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, NumberOrString,
    Position, WorkspaceEdit,
};

use super::snapshot::Snapshot;

/// What the client shows as the source of a diagnostic.
pub(crate) const SOURCE: &str = "msl-analyzer";

pub(crate) fn position(position: LineColumn) -> Position {
    Position::new(position.line, position.column)
}

pub(crate) fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Information => DiagnosticSeverity::INFORMATION,
        Severity::Hint => DiagnosticSeverity::HINT,
    }
}

fn diagnostic_tag(tag: Tag) -> DiagnosticTag {
    match tag {
        Tag::Unnecessary => DiagnosticTag::UNNECESSARY,
        Tag::Deprecated => DiagnosticTag::DEPRECATED,
    }
}

pub(crate) fn symbol_kind(kind: msl_ide::SymbolKind) -> lsp_types::SymbolKind {
    use msl_ide::SymbolKind;
    match kind {
        SymbolKind::Namespace => lsp_types::SymbolKind::NAMESPACE,
        SymbolKind::Struct => lsp_types::SymbolKind::STRUCT,
        SymbolKind::Class | SymbolKind::TypeAlias => lsp_types::SymbolKind::CLASS,
        SymbolKind::Enum => lsp_types::SymbolKind::ENUM,
        SymbolKind::EnumMember => lsp_types::SymbolKind::ENUM_MEMBER,
        SymbolKind::TypeParameter => lsp_types::SymbolKind::TYPE_PARAMETER,
        SymbolKind::Function | SymbolKind::EntryPoint => lsp_types::SymbolKind::FUNCTION,
        SymbolKind::Method => lsp_types::SymbolKind::METHOD,
        SymbolKind::Constructor => lsp_types::SymbolKind::CONSTRUCTOR,
        SymbolKind::Field => lsp_types::SymbolKind::FIELD,
        SymbolKind::Variable | SymbolKind::Parameter => lsp_types::SymbolKind::VARIABLE,
        SymbolKind::Constant | SymbolKind::Macro => lsp_types::SymbolKind::CONSTANT,
    }
}

pub(crate) fn diagnostic(snapshot: &Snapshot, diagnostic: &Diagnostic) -> lsp_types::Diagnostic {
    let code = diagnostic.code.as_str();
    let related: Vec<DiagnosticRelatedInformation> = diagnostic
        .related
        .iter()
        .filter_map(|related| {
            let location = snapshot.location(&related.place)?;
            Some(DiagnosticRelatedInformation { location, message: related.message.clone() })
        })
        .collect();
    lsp_types::Diagnostic {
        range: snapshot.range(&diagnostic.place.path, diagnostic.place.range),
        severity: Some(severity(diagnostic.severity)),
        code: Some(NumberOrString::String(code.to_owned())),
        source: Some(SOURCE.to_owned()),
        message: diagnostic.message.clone(),
        tags: diagnostic.code.tag().map(|tag| vec![diagnostic_tag(tag)]),
        related_information: (!related.is_empty()).then_some(related),
        ..lsp_types::Diagnostic::default()
    }
}

/// Edits of files as the client wants them: with versions if it knows what those are.
pub(crate) fn workspace_edit<'a>(
    snapshot: &Snapshot,
    edits: impl Iterator<Item = &'a msl_diagnostics::TextEdit>,
) -> Option<WorkspaceEdit> {
    let mut by_file: Vec<(lsp_types::Url, Option<i32>, Vec<lsp_types::TextEdit>)> = Vec::new();
    for edit in edits {
        let uri = snapshot.uri(&edit.place.path)?;
        let range = snapshot.range(&edit.place.path, edit.place.range);
        let edit_there = lsp_types::TextEdit::new(range, edit.new_text.clone());
        match by_file.iter_mut().find(|(other, ..)| *other == uri) {
            Some((_, _, edits)) => edits.push(edit_there),
            None => {
                let version = snapshot.documents.get(&edit.place.path).map(|document| document.version);
                by_file.push((uri, version, vec![edit_there]));
            }
        }
    }
    if snapshot.client.document_changes {
        let edits = by_file
            .into_iter()
            .map(|(uri, version, edits)| lsp_types::TextDocumentEdit {
                text_document: lsp_types::OptionalVersionedTextDocumentIdentifier { uri, version },
                edits: edits.into_iter().map(lsp_types::OneOf::Left).collect(),
            })
            .collect();
        let document_changes = Some(lsp_types::DocumentChanges::Edits(edits));
        return Some(WorkspaceEdit { document_changes, ..WorkspaceEdit::default() });
    }
    let changes = by_file.into_iter().map(|(uri, _, edits)| (uri, edits)).collect();
    Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
}

/// A repair of a finding.
pub(crate) fn code_action(snapshot: &Snapshot, fix: &Fix, repaired: &Diagnostic) -> Option<CodeAction> {
    Some(CodeAction {
        title: fix.title.clone(),
        kind: Some(match fix.kind {
            FixKind::QuickFix => CodeActionKind::QUICKFIX,
            FixKind::Refactor => CodeActionKind::REFACTOR,
        }),
        diagnostics: Some(vec![diagnostic(snapshot, repaired)]),
        edit: Some(workspace_edit(snapshot, fix.edits.iter())?),
        is_preferred: fix.preferred.then_some(true),
        ..CodeAction::default()
    })
}

/// A change that is offered at a place. One that is refused is shown with its reason if the client can do that.
pub(crate) fn offered_action(
    snapshot: &Snapshot,
    action: &msl_ide::Action,
    kind: CodeActionKind,
) -> Option<CodeAction> {
    let mut offered = CodeAction { title: action.title.clone(), kind: Some(kind), ..CodeAction::default() };
    match &action.edits {
        Ok(edits) => {
            let mut edit = workspace_edit(snapshot, edits.iter())?;
            if !action.notes.is_empty() {
                annotate(snapshot, &mut edit, action.id, &action.title, action.notes.join("; "));
            }
            offered.edit = Some(edit);
        }
        Err(reason) if snapshot.client.disabled_actions => {
            offered.disabled = Some(lsp_types::CodeActionDisabled { reason: reason.clone() });
        }
        Err(_) => return None,
    }
    Some(offered)
}

/// Marks edits with what the author should look at, if the client shows that.
pub(crate) fn annotate(snapshot: &Snapshot, edit: &mut WorkspaceEdit, id: &str, label: &str, description: String) {
    let Some(lsp_types::DocumentChanges::Edits(files)) = &mut edit.document_changes else { return };
    if !snapshot.client.change_annotations {
        return;
    }
    for edit in files.iter_mut().flat_map(|file| &mut file.edits) {
        if let lsp_types::OneOf::Left(plain) = edit {
            *edit = lsp_types::OneOf::Right(lsp_types::AnnotatedTextEdit {
                text_edit: plain.clone(),
                annotation_id: id.to_owned(),
            });
        }
    }
    let annotation = lsp_types::ChangeAnnotation {
        label: label.to_owned(),
        needs_confirmation: Some(true),
        description: Some(description),
    };
    edit.change_annotations = Some([(id.to_owned(), annotation)].into());
}

/// A change that is offered without a finding.
pub(crate) fn refactoring(snapshot: &Snapshot, fix: &Fix, kind: CodeActionKind) -> Option<CodeAction> {
    Some(CodeAction {
        title: fix.title.clone(),
        kind: Some(kind),
        edit: Some(workspace_edit(snapshot, fix.edits.iter())?),
        ..CodeAction::default()
    })
}
