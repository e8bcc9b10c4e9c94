//! Completion.

use msl_ide::{CompletionKind, SymbolKind};
use serde_json::json;
use tower_lsp::{
    jsonrpc::Result,
    lsp_types::{
        CompletionItem, CompletionItemKind, CompletionList, CompletionParams, CompletionResponse, CompletionTextEdit,
        Documentation, InsertTextFormat, MarkupContent, MarkupKind, TextEdit,
    },
};

use crate::lsp::{project_links, snapshot::Snapshot};

pub(crate) fn completion(snapshot: &Snapshot, params: CompletionParams) -> Result<Option<CompletionResponse>> {
    if let Some(found) = project_links::completion(snapshot, &params.text_document_position) {
        return Ok(Some(found));
    }
    let Some(at) = snapshot.at(&params.text_document_position)? else { return Ok(None) };
    let found = snapshot.analysis.completions(&at.unit, &at.path, at.offset);
    let replaced = snapshot.range(&at.path, found.replaced);
    let items = found.items.into_iter().map(|item| {
        let snippet = item.snippet.filter(|_| snapshot.client.snippets);
        let new_text = snippet.clone().unwrap_or_else(|| item.label.clone());
        CompletionItem {
            kind: Some(kind(item.kind)),
            sort_text: Some(format!("{:02}{}", item.rank, item.label)),
            label: item.label,
            detail: (!item.detail.is_empty()).then_some(item.detail),
            documentation: item.documentation.map(markdown),
            insert_text_format: Some(match snippet {
                Some(_) => InsertTextFormat::SNIPPET,
                None => InsertTextFormat::PLAIN_TEXT,
            }),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(replaced, new_text))),
            data: item.library.map(|decl| json!({ "library": decl })),
            ..CompletionItem::default()
        }
    });
    let list = CompletionList { is_incomplete: found.is_incomplete, items: items.collect() };
    Ok(Some(CompletionResponse::List(list)))
}

/// Adds the documentation of what the user looks at.
pub(crate) fn resolve(snapshot: &Snapshot, mut item: CompletionItem) -> Result<CompletionItem> {
    let decl = item.data.as_ref().and_then(|data| data.get("library")).and_then(|decl| decl.as_u64());
    if let Some(decl) = decl.and_then(|decl| u32::try_from(decl).ok()) {
        item.documentation = snapshot.analysis.library_documentation(decl).map(markdown);
    }
    Ok(item)
}

fn markdown(value: String) -> Documentation {
    Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })
}

fn kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Symbol(symbol) => match symbol {
            SymbolKind::Namespace => CompletionItemKind::MODULE,
            SymbolKind::Struct => CompletionItemKind::STRUCT,
            SymbolKind::Class | SymbolKind::TypeAlias => CompletionItemKind::CLASS,
            SymbolKind::Enum => CompletionItemKind::ENUM,
            SymbolKind::EnumMember => CompletionItemKind::ENUM_MEMBER,
            SymbolKind::TypeParameter => CompletionItemKind::TYPE_PARAMETER,
            SymbolKind::Function | SymbolKind::EntryPoint => CompletionItemKind::FUNCTION,
            SymbolKind::Method => CompletionItemKind::METHOD,
            SymbolKind::Constructor => CompletionItemKind::CONSTRUCTOR,
            SymbolKind::Field => CompletionItemKind::FIELD,
            SymbolKind::Variable | SymbolKind::Parameter => CompletionItemKind::VARIABLE,
            SymbolKind::Constant | SymbolKind::Macro => CompletionItemKind::CONSTANT,
        },
        CompletionKind::Keyword => CompletionItemKind::KEYWORD,
        CompletionKind::Snippet => CompletionItemKind::SNIPPET,
        CompletionKind::Attribute => CompletionItemKind::PROPERTY,
        CompletionKind::Swizzle => CompletionItemKind::FIELD,
        CompletionKind::Header => CompletionItemKind::FILE,
    }
}
