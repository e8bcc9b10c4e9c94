//! Links from `#include` lines to files.

use tower_lsp::{
    jsonrpc::Result,
    lsp_types::{DocumentLink, DocumentLinkParams},
};

use crate::lsp::snapshot::Snapshot;

pub(crate) fn document_links(snapshot: &Snapshot, params: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
    let Some(at) = snapshot.whole(&params.text_document.uri)? else { return Ok(None) };
    let links = snapshot.analysis.document_links(&at.unit, &at.path).into_iter().filter_map(|link| {
        Some(DocumentLink {
            range: snapshot.range(&at.path, link.range),
            target: Some(snapshot.uri(&link.target)?),
            tooltip: None,
            data: None,
        })
    });
    Ok(Some(links.collect()))
}
