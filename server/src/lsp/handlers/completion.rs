//! Completion.

use msl_ide::{CompletionKind, IncludePrefix, LibraryItem, SymbolKind, file_system};
use serde_json::json;
use tower_lsp::{
    jsonrpc::Result,
    lsp_types::{
        CompletionItem, CompletionItemKind, CompletionList, CompletionParams, CompletionResponse, CompletionTextEdit,
        Documentation, InsertTextFormat, MarkupContent, MarkupKind, TextEdit,
    },
};

use crate::lsp::{
    paths, project_links,
    snapshot::{At, Snapshot},
};

/// At most so many headers are offered.
const MAX_HEADERS: usize = 200;

pub(crate) fn completion(snapshot: &Snapshot, params: CompletionParams) -> Result<Option<CompletionResponse>> {
    if let Some(found) = project_links::completion(snapshot, &params.text_document_position) {
        return Ok(Some(found));
    }
    let Some(at) = snapshot.at(&params.text_document_position)? else { return Ok(None) };
    let mut found = snapshot.analysis.completions(&at.unit, &at.path, at.offset);
    if let Some(include) = &found.include {
        found.items.extend(headers(snapshot, &at, include));
    }
    let replaced = snapshot.range(&at.path, found.replaced);
    let arrow = found.arrow.map(|dot| vec![TextEdit::new(snapshot.range(&at.path, dot), "->".to_owned())]);
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
            additional_text_edits: arrow.clone(),
            data: item.library.map(|item| json!({ "library": item.decl, "frameworks": item.frameworks })),
            ..CompletionItem::default()
        }
    });
    let list = CompletionList { is_incomplete: found.is_incomplete, items: items.collect() };
    Ok(Some(CompletionResponse::List(list)))
}

/// The files of the workspace that could be included: by their way from the including file's folder, for `"…"`, from the
/// include folders, and in frameworks.
fn headers(snapshot: &Snapshot, at: &At<'_>, include: &IncludePrefix) -> Vec<msl_ide::CompletionItem> {
    let own = file_system::folder_of(&at.path).to_owned();
    let folders = at.unit.options.include_dirs.iter().map(|folder| folder.to_string());
    let folders: Vec<String> = (!include.is_angled).then_some(own).into_iter().chain(folders).collect();
    let mut labels: Vec<String> = Vec::new();
    for path in snapshot.includes.files().filter(|path| paths::is_header(path) && *path != at.path) {
        let below = |folder: &String| path.strip_prefix(folder.as_str())?.strip_prefix('/').map(str::to_owned);
        let frameworks = &at.unit.options.framework_dirs;
        let in_framework = || frameworks.iter().find_map(|folder| file_system::framework_spelling(folder, &path));
        let label = folders.iter().find_map(below).or_else(in_framework);
        labels.extend(label.filter(|label| label.starts_with(&include.typed)));
    }
    labels.sort();
    labels.dedup();
    labels.truncate(MAX_HEADERS);
    let item = |label: String| msl_ide::CompletionItem {
        label,
        kind: CompletionKind::Header,
        detail: String::new(),
        snippet: None,
        documentation: None,
        library: None,
        rank: 0,
    };
    labels.into_iter().map(item).collect()
}

/// Adds the documentation of what the user looks at.
pub(crate) fn resolve(snapshot: &Snapshot, mut item: CompletionItem) -> Result<CompletionItem> {
    let number = |key| {
        let number = item.data.as_ref()?.get(key)?.as_u64()?;
        u32::try_from(number).ok()
    };
    if let Some(decl) = number("library") {
        let of_library = LibraryItem { decl, frameworks: number("frameworks").unwrap_or_default() };
        item.documentation = snapshot.analysis.library_documentation(of_library).map(markdown);
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
