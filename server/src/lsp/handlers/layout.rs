//! What depends on the layout of a text alone: folding and selection ranges, from the raw tree.

use msl_syntax::FoldingKind;
use tower_lsp::{
    jsonrpc::Result,
    lsp_types::{FoldingRange, FoldingRangeKind, FoldingRangeParams, Range, SelectionRange, SelectionRangeParams},
};

use crate::lsp::{from_proto, snapshot::Snapshot, to_proto};

pub(crate) fn folding_ranges(snapshot: &Snapshot, params: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
    let (_, document) = snapshot.document(&params.text_document.uri)?;
    let text = &document.text;
    let lines = text.lines();
    let ranges = msl_syntax::folding_ranges(document.tree(), text);
    let folds = ranges.into_iter().filter_map(|fold| {
        let kind = match fold.kind {
            FoldingKind::Code => None,
            FoldingKind::Comment => Some(FoldingRangeKind::Comment),
            FoldingKind::Includes => Some(FoldingRangeKind::Imports),
            FoldingKind::Region => Some(FoldingRangeKind::Region),
        };
        if snapshot.client.line_folding_only {
            let (start_line, end_line) = fold.lines(text)?;
            return Some(FoldingRange { start_line, end_line, kind, ..FoldingRange::default() });
        }
        let start = lines.position(fold.range.start, snapshot.encoding);
        let end = lines.position(fold.range.end, snapshot.encoding);
        Some(FoldingRange {
            start_line: start.line,
            start_character: Some(start.column),
            end_line: end.line,
            end_character: Some(end.column),
            kind,
            collapsed_text: None,
        })
    });
    Ok(Some(folds.collect()))
}

pub(crate) fn selection_ranges(
    snapshot: &Snapshot,
    params: SelectionRangeParams,
) -> Result<Option<Vec<SelectionRange>>> {
    let (_, document) = snapshot.document(&params.text_document.uri)?;
    let text = &document.text;
    let position = |offset| to_proto::position(text.position(offset, snapshot.encoding));
    let ranges = params.positions.into_iter().map(|at| {
        let offset = text.offset(from_proto::line_column(at), snapshot.encoding);
        let mut outer: Option<SelectionRange> = None;
        for range in msl_syntax::selection_ranges(document.tree(), text, offset).into_iter().rev() {
            let range = Range::new(position(range.start), position(range.end));
            outer = Some(SelectionRange { range, parent: outer.map(Box::new) });
        }
        // Every position gets an answer, so that they stay in step.
        outer.unwrap_or(SelectionRange { range: Range::new(at, at), parent: None })
    });
    Ok(Some(ranges.collect()))
}
