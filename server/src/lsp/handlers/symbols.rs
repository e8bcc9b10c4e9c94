//! Symbols of a document and of the workspace.

use std::sync::Arc;

use msl_diagnostics::{Place, TextRange};
use msl_ide::DocumentSymbol;
use msl_syntax::{DeclarationKind, RawTree, Text, top_level_declarations};
use tower_lsp::{
    jsonrpc::Result,
    lsp_types::{
        self, DocumentSymbolParams, DocumentSymbolResponse, Location, SymbolInformation, SymbolKind, Url,
        WorkspaceSymbolParams, WorkspaceSymbolResponse,
    },
};

use crate::lsp::{
    include_graph,
    snapshot::{Caches, Snapshot},
    to_proto,
};

/// At most so many symbols of a workspace are listed.
const MAX_SYMBOLS: usize = 512;

pub(crate) fn document_symbols(
    snapshot: &Snapshot,
    params: DocumentSymbolParams,
) -> Result<Option<DocumentSymbolResponse>> {
    let Some(at) = snapshot.whole(&params.text_document.uri)? else { return Ok(None) };
    // There are many positions to come.
    at.document.text.lines();
    let symbols = snapshot.analysis.document_symbols(&at.unit, &at.path);
    if snapshot.client.hierarchical_symbols {
        let nested = symbols.into_iter().map(|symbol| nested(snapshot, &at.path, symbol)).collect();
        return Ok(Some(DocumentSymbolResponse::Nested(nested)));
    }
    let mut flat = Vec::new();
    for symbol in symbols {
        flatten(snapshot, &at.path, &params.text_document.uri, symbol, None, &mut flat);
    }
    Ok(Some(DocumentSymbolResponse::Flat(flat)))
}

#[allow(deprecated, reason = "the field has no default")]
fn nested(snapshot: &Snapshot, path: &Arc<str>, symbol: DocumentSymbol) -> lsp_types::DocumentSymbol {
    let children: Vec<lsp_types::DocumentSymbol> =
        symbol.children.into_iter().map(|child| nested(snapshot, path, child)).collect();
    lsp_types::DocumentSymbol {
        name: symbol.name,
        detail: (!symbol.detail.is_empty()).then_some(symbol.detail),
        kind: to_proto::symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: snapshot.range(path, symbol.range),
        selection_range: snapshot.range(path, symbol.name_range),
        children: (!children.is_empty()).then_some(children),
    }
}

#[allow(deprecated, reason = "the field has no default")]
fn flatten(
    snapshot: &Snapshot,
    path: &Arc<str>,
    uri: &Url,
    symbol: DocumentSymbol,
    container: Option<&str>,
    flat: &mut Vec<SymbolInformation>,
) {
    flat.push(SymbolInformation {
        name: symbol.name.clone(),
        kind: to_proto::symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        location: Location::new(uri.clone(), snapshot.range(path, symbol.range)),
        container_name: container.map(str::to_owned),
    });
    for child in symbol.children {
        flatten(snapshot, path, uri, child, Some(&symbol.name), flat);
    }
}

/// A declaration of some file of the workspace, from its raw tree: whatever conditions and macros say, it is there to be
/// found.
#[derive(Clone)]
pub(crate) struct FileSymbol {
    name: String,
    kind: SymbolKind,
    container: Option<String>,
    range: TextRange,
}

pub(crate) fn workspace_symbols(
    snapshot: &Snapshot,
    params: WorkspaceSymbolParams,
) -> Result<Option<WorkspaceSymbolResponse>> {
    let query = params.query.to_ascii_lowercase();
    let mut paths: Vec<Arc<str>> = snapshot.includes.files().collect();
    paths.extend(snapshot.documents.keys().cloned());
    paths.sort();
    paths.dedup();
    let mut found: Vec<(u8, Arc<str>, FileSymbol)> = Vec::new();
    for path in paths {
        if snapshot.is_cancelled() {
            break;
        }
        for symbol in file_symbols(snapshot, &path).iter() {
            if let Some(rank) = rank(&symbol.name, &query) {
                found.push((rank, path.clone(), symbol.clone()));
            }
        }
    }
    found.sort_by(|a, b| (a.0, a.2.name.len(), &a.2.name, &a.1).cmp(&(b.0, b.2.name.len(), &b.2.name, &b.1)));
    found.truncate(MAX_SYMBOLS);
    let found = found.into_iter().filter_map(|(_, path, symbol)| {
        #[allow(deprecated, reason = "the field has no default")]
        Some(SymbolInformation {
            name: symbol.name,
            kind: symbol.kind,
            tags: None,
            deprecated: None,
            location: snapshot.location(&Place { path, range: symbol.range })?,
            container_name: symbol.container,
        })
    });
    Ok(Some(WorkspaceSymbolResponse::Flat(found.collect())))
}

/// How well a name fits a query, 0 best: the name itself, its start, a part of it, its letters in order.
fn rank(name: &str, query: &str) -> Option<u8> {
    let lower = name.to_ascii_lowercase();
    if lower == query {
        return Some(0);
    }
    if lower.starts_with(query) {
        return Some(1);
    }
    if lower.contains(query) {
        return Some(2);
    }
    let mut letters = lower.bytes();
    query.bytes().all(|wanted| letters.any(|letter| letter == wanted)).then_some(3)
}

/// The declarations of a file, which are read once for each of its texts.
fn file_symbols(snapshot: &Snapshot, path: &Arc<str>) -> Arc<Vec<FileSymbol>> {
    let Some(document) = snapshot.documents.get(path) else {
        return symbols_on_disk(&snapshot.caches, path);
    };
    if let Some(known) = snapshot.caches.symbols.get(path)
        && known.0 == document.generation
    {
        return known.1.clone();
    }
    let symbols = Arc::new(read_symbols(document.tree(), &document.text));
    snapshot.caches.symbols.insert(path.clone(), (document.generation, symbols.clone()));
    symbols
}

/// The declarations of a file on disk. Files that cannot be read declare nothing.
pub(crate) fn symbols_on_disk(caches: &Caches, path: &Arc<str>) -> Arc<Vec<FileSymbol>> {
    if let Some(known) = caches.symbols_on_disk.get(path) {
        return known.clone();
    }
    let is_small = std::fs::metadata(&**path).is_ok_and(|metadata| metadata.len() <= include_graph::MAX_SIZE);
    let symbols = match std::fs::read(&**path) {
        Ok(bytes) if is_small => {
            let (text, _) = Text::from_bytes(&bytes);
            read_symbols(&RawTree::parse(&text), &text)
        }
        _ => Vec::new(),
    };
    let symbols = Arc::new(symbols);
    caches.symbols_on_disk.insert(path.clone(), symbols.clone());
    symbols
}

fn read_symbols(tree: &RawTree, text: &Text) -> Vec<FileSymbol> {
    let declarations = top_level_declarations(tree, text);
    let mut symbols = Vec::new();
    for declaration in &declarations {
        let kind = match declaration.kind {
            DeclarationKind::Namespace | DeclarationKind::NamespaceAlias => SymbolKind::NAMESPACE,
            DeclarationKind::Function => SymbolKind::FUNCTION,
            DeclarationKind::Declaration => SymbolKind::VARIABLE,
            DeclarationKind::Struct | DeclarationKind::Union => SymbolKind::STRUCT,
            DeclarationKind::Class => SymbolKind::CLASS,
            DeclarationKind::Enum => SymbolKind::ENUM,
            DeclarationKind::TypeAlias => SymbolKind::TYPE_PARAMETER,
            _ => continue,
        };
        let container = declaration.parent.and_then(|parent| {
            let name = declarations[parent].names.first()?;
            Some(text.slice(name.clone()).into_owned())
        });
        for name in &declaration.names {
            symbols.push(FileSymbol {
                name: text.slice(name.clone()).into_owned(),
                kind,
                container: container.clone(),
                range: TextRange::new(name.start, name.end),
            });
        }
    }
    symbols
}
