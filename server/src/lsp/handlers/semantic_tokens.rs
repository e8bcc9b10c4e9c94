//! Semantic tokens, whole, in a range, and as a difference to what the client has.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use msl_diagnostics::TextRange;
use msl_ide::{SemanticToken, SymbolKind, TokenKind, TokenModifiers};
use tower_lsp::{
    jsonrpc::Result,
    lsp_types::{
        self, SemanticTokenModifier, SemanticTokenType, SemanticTokens, SemanticTokensDelta, SemanticTokensDeltaParams,
        SemanticTokensEdit, SemanticTokensFullDeltaResult, SemanticTokensLegend, SemanticTokensParams,
        SemanticTokensRangeParams, SemanticTokensRangeResult, SemanticTokensResult,
    },
};

use crate::lsp::{
    from_proto,
    snapshot::{At, Snapshot},
};

/// The names of the types and modifiers, whose numbers the tokens carry.
pub(crate) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: TYPES.to_vec(),
        token_modifiers: TokenModifiers::NAMES.iter().map(|name| SemanticTokenModifier::new(name)).collect(),
    }
}

const TYPES: [SemanticTokenType; 15] = [
    SemanticTokenType::NAMESPACE,
    SemanticTokenType::STRUCT,
    SemanticTokenType::CLASS,
    SemanticTokenType::ENUM,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::TYPE,
    SemanticTokenType::TYPE_PARAMETER,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::METHOD,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::MACRO,
    SemanticTokenType::DECORATOR,
    SemanticTokenType::COMMENT,
];

fn type_of(kind: TokenKind) -> u32 {
    match kind {
        TokenKind::Name(symbol) => match symbol {
            SymbolKind::Namespace => 0,
            SymbolKind::Struct => 1,
            SymbolKind::Class => 2,
            SymbolKind::Enum => 3,
            SymbolKind::EnumMember => 4,
            SymbolKind::TypeAlias => 5,
            SymbolKind::TypeParameter => 6,
            SymbolKind::Function | SymbolKind::EntryPoint => 7,
            SymbolKind::Method | SymbolKind::Constructor => 8,
            SymbolKind::Field => 9,
            SymbolKind::Variable | SymbolKind::Constant => 10,
            SymbolKind::Parameter => 11,
            SymbolKind::Macro => 12,
        },
        TokenKind::Attribute => 13,
        // What every theme shows dim.
        TokenKind::Inactive => 14,
    }
}

pub(crate) fn full(snapshot: &Snapshot, params: SemanticTokensParams) -> Result<Option<SemanticTokensResult>> {
    let Some(at) = snapshot.whole(&params.text_document.uri)? else { return Ok(None) };
    let data = tokens(snapshot, &at, None);
    let result_id = Some(remember(snapshot, &at, &data));
    Ok(Some(SemanticTokensResult::Tokens(SemanticTokens { result_id, data })))
}

pub(crate) fn range(
    snapshot: &Snapshot,
    params: SemanticTokensRangeParams,
) -> Result<Option<SemanticTokensRangeResult>> {
    let Some(at) = snapshot.whole(&params.text_document.uri)? else { return Ok(None) };
    let range = from_proto::line_columns(params.range);
    let offset = |position| at.document.text.offset(position, snapshot.encoding);
    let data = tokens(snapshot, &at, Some(TextRange::new(offset(range.start), offset(range.end))));
    Ok(Some(SemanticTokensRangeResult::Tokens(SemanticTokens { result_id: None, data })))
}

pub(crate) fn delta(
    snapshot: &Snapshot,
    params: SemanticTokensDeltaParams,
) -> Result<Option<SemanticTokensFullDeltaResult>> {
    let Some(at) = snapshot.whole(&params.text_document.uri)? else { return Ok(None) };
    let before = snapshot.caches.tokens.get(&at.path).map(|known| known.clone());
    let data = tokens(snapshot, &at, None);
    let result_id = Some(remember(snapshot, &at, &data));
    Ok(Some(match before.filter(|(id, _)| *id == params.previous_result_id) {
        Some((_, before)) => {
            let edits = difference(&before, &data);
            SemanticTokensFullDeltaResult::TokensDelta(SemanticTokensDelta { result_id, edits })
        }
        None => SemanticTokensFullDeltaResult::Tokens(SemanticTokens { result_id, data }),
    }))
}

fn remember(snapshot: &Snapshot, at: &At<'_>, data: &[lsp_types::SemanticToken]) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let id = NEXT.fetch_add(1, Ordering::Relaxed).to_string();
    snapshot.caches.tokens.insert(at.path.clone(), (id.clone(), Arc::from(data)));
    id
}

/// One edit that replaces what is between what both have in common at their ends.
fn difference(before: &[lsp_types::SemanticToken], after: &[lsp_types::SemanticToken]) -> Vec<SemanticTokensEdit> {
    let same_start = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let (before, after) = (&before[same_start..], &after[same_start..]);
    let same_end = before.iter().rev().zip(after.iter().rev()).take_while(|(a, b)| a == b).count();
    let (removed, added) = (before.len() - same_end, &after[..after.len() - same_end]);
    if removed == 0 && added.is_empty() {
        return Vec::new();
    }
    // The protocol counts numbers, of which a token has five.
    vec![SemanticTokensEdit {
        start: same_start as u32 * 5,
        delete_count: removed as u32 * 5,
        data: Some(added.to_vec()),
    }]
}

fn tokens(snapshot: &Snapshot, at: &At<'_>, within: Option<TextRange>) -> Vec<lsp_types::SemanticToken> {
    let found = snapshot.analysis.semantic_tokens(&at.unit, &at.path, within);
    let lines = at.document.text.lines();
    let mut data = Vec::with_capacity(found.len());
    let (mut last_line, mut last_column) = (0, 0);
    let mut at_line = 0;
    let mut push = |start: u32, end: u32, token: &SemanticToken| {
        // They come in order, so that the next one is on the same line or a little below.
        while at_line + 1 < lines.line_count() && lines.line_range(at_line + 1).start <= start {
            at_line += 1;
        }
        if end > lines.line_range(at_line).end {
            return;
        }
        let from = lines.position_in(at_line, start, snapshot.encoding);
        let to = lines.position_in(at_line, end, snapshot.encoding);
        if to.column <= from.column {
            return;
        }
        let delta_line = from.line - last_line;
        let delta_start = if delta_line == 0 { from.column - last_column } else { from.column };
        (last_line, last_column) = (from.line, from.column);
        data.push(lsp_types::SemanticToken {
            delta_line,
            delta_start,
            length: to.column - from.column,
            token_type: type_of(token.kind),
            token_modifiers_bitset: token.modifiers.bits(),
        });
    };
    for token in &found {
        match token.kind {
            // Tokens do not span lines.
            TokenKind::Inactive => {
                let first = lines.position(token.range.start, snapshot.encoding).line;
                let last = lines.position(token.range.end, snapshot.encoding).line;
                for line in first..=last {
                    let range = lines.line_range(line);
                    push(range.start.max(token.range.start), range.end.min(token.range.end), token);
                }
            }
            _ => push(token.range.start, token.range.end, token),
        }
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(delta_start: u32) -> lsp_types::SemanticToken {
        lsp_types::SemanticToken { delta_start, ..lsp_types::SemanticToken::default() }
    }

    #[test]
    fn differences() {
        let tokens = |columns: &[u32]| columns.iter().map(|&column| token(column)).collect::<Vec<_>>();
        for (before, after) in [
            (&[1, 2, 3][..], &[1, 2, 3][..]),
            (&[1, 2, 3], &[1, 3]),
            (&[1, 1, 1], &[1, 1]),
            (&[], &[4]),
            (&[4, 5], &[]),
            (&[1, 2, 3], &[1, 7, 8, 3]),
        ] {
            let mut patched = tokens(before);
            for edit in difference(&patched.clone(), &tokens(after)) {
                let start = edit.start as usize / 5;
                patched.splice(start..start + edit.delete_count as usize / 5, edit.data.unwrap_or_default());
            }
            assert_eq!(patched, tokens(after));
        }
    }
}
