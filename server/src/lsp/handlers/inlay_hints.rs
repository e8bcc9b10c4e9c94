//! Inlay hints.

use msl_diagnostics::TextRange;
use msl_ide::{InlayHintLabel, InlayHintOptions};
use tower_lsp::{
    jsonrpc::Result,
    lsp_types::{InlayHint, InlayHintKind, InlayHintLabel as Label, InlayHintParams},
};

use crate::lsp::{from_proto, snapshot::Snapshot, to_proto};

pub(crate) fn inlay_hints(snapshot: &Snapshot, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
    let Some(at) = snapshot.whole(&params.text_document.uri)? else { return Ok(None) };
    let range = from_proto::line_columns(params.range);
    let offset = |position| at.document.text.offset(position, snapshot.encoding);
    let within = TextRange::new(offset(range.start), offset(range.end));
    let wanted = snapshot.settings.client.inlay_hints;
    let options =
        InlayHintOptions { parameters: wanted.parameters, types: wanted.types, spaces: wanted.address_spaces };
    let hints = snapshot.analysis.inlay_hints(&at.unit, &at.path, within, options).into_iter().map(|hint| {
        let position = to_proto::position(at.document.text.position(hint.offset, snapshot.encoding));
        let (label, kind) = match hint.label {
            InlayHintLabel::Parameter(name) => (format!("{name}:"), InlayHintKind::PARAMETER),
            InlayHintLabel::Type(ty) => (format!(": {ty}"), InlayHintKind::TYPE),
            InlayHintLabel::Spaces(spaces) => (format!(" {spaces}"), InlayHintKind::TYPE),
        };
        InlayHint {
            position,
            label: Label::String(label),
            kind: Some(kind),
            text_edits: None,
            tooltip: None,
            padding_left: Some(false),
            padding_right: Some(kind == InlayHintKind::PARAMETER),
            data: None,
        }
    });
    Ok(Some(hints.collect()))
}
