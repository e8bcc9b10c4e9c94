//! From LSP types to plain data.

use std::ops::Range;

use msl_syntax::LineColumn;
pub(crate) use msl_syntax::PositionEncoding;
use tower_lsp::lsp_types::{self, InitializeParams, PositionEncodingKind};

pub(crate) fn line_column(position: lsp_types::Position) -> LineColumn {
    LineColumn { line: position.line, column: position.character }
}

/// A range whose end does not lie before its start.
pub(crate) fn line_columns(range: lsp_types::Range) -> Range<LineColumn> {
    let (start, end) = (line_column(range.start), line_column(range.end));
    start..end.max(start)
}

/// The encoding to speak: UTF-8 if the client can, because it costs nothing here; else UTF-16, which every client can.
pub(crate) fn position_encoding(params: &InitializeParams) -> PositionEncoding {
    let offered = params.capabilities.general.as_ref().and_then(|general| general.position_encodings.as_deref());
    let offered = offered.unwrap_or_default();
    if offered.contains(&PositionEncodingKind::UTF8) {
        PositionEncoding::Utf8
    } else if offered.contains(&PositionEncodingKind::UTF32) && !offered.contains(&PositionEncodingKind::UTF16) {
        PositionEncoding::Utf32
    } else {
        PositionEncoding::Utf16
    }
}
