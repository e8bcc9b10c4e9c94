//! What a range of a file selects.

use std::sync::Arc;

use msl_diagnostics::TextRange;
use msl_parser::ast::*;

use super::statements::{Role, Statements};
use crate::view::{Layer, View};

/// What is selected in one function body.
pub(super) struct Selection<'a> {
    pub(super) layer: Layer<'a>,
    pub(super) tokens: TokenRange,
    pub(super) what: Selected,
    /// Where the text that is selected stands, without white space around it.
    pub(super) range: TextRange,
    pub(super) path: Arc<str>,
}

pub(super) enum Selected {
    Expression(ExprId),
    /// Statements of one block, in order.
    Statements(Vec<StmtId>),
}

impl<'a> Selection<'a> {
    /// What a range selects; `None` unless it is something whole in a function body, and typed outside of macros.
    pub(super) fn of(view: &View<'a>, path: &Arc<str>, range: TextRange) -> Option<Selection<'a>> {
        let range = trimmed(view.text(path)?, range)?;
        let file = view.file(path)?;
        let mut starts = view.preprocessed.spelled_to_expanded().tokens_at(file, range.start);
        // A token of a macro's argument may stand in several places; what is selected must be in one.
        let (first, None) = (starts.next()? as usize, starts.next()) else { return None };
        let spot = view.spot(first).filter(|spot| spot.range.start == range.start)?;
        let origin = *view.preprocessed.origins.get(first)?;
        if view.preprocessed.map.step_out(origin).is_some() {
            return None;
        }
        let layer = view.body(spot.body?)?;
        let is_selected = |tokens: TokenRange| ends_at(view, &layer, tokens, range.end);
        let (tokens, what) = {
            let ast = layer.ast();
            let expression = ast
                .own_exprs()
                .filter(|(expr, data)| data.range.start == spot.token && layer.facts.exprs.contains_key(expr))
                .find(|(_, data)| is_selected(data.range));
            match expression {
                Some((expr, data)) => (data.range, Selected::Expression(expr)),
                None => statements(&layer, spot.token, is_selected)?,
            }
        };
        Some(Selection { layer, tokens, what, range, path: Arc::clone(path) })
    }
}

/// Whether the last of the tokens ends at an offset of the file that the first one stands in. It may be the last one of a
/// macro's expansion, but not one in the middle.
fn ends_at(view: &View<'_>, layer: &Layer<'_>, tokens: TokenRange, offset: u32) -> bool {
    let place = view.places.place(layer.body, tokens);
    let fits = place.is_some_and(|(place, _)| place.range.end == offset);
    let last = tokens.end.checked_sub(1).and_then(|last| view.places.first(layer.body, last));
    let (true, Some(last)) = (fits, last) else { return false };
    let origin = |token: usize| view.preprocessed.origins.get(token).copied();
    let (Some(own), Some(next)) = (origin(last), origin(last + 1)) else { return false };
    let map = &view.preprocessed.map;
    map.step_out(own).is_none() || map.expansion_range(own) != map.expansion_range(next)
}

/// The run of statements of one block that starts at a token and is selected.
fn statements(
    layer: &Layer<'_>,
    start: u32,
    is_selected: impl Fn(TokenRange) -> bool,
) -> Option<(TokenRange, Selected)> {
    let ast = layer.ast();
    let tree = Statements::of(ast, layer.root()?);
    tree.iter().filter(|&stmt| ast[stmt].range.start == start).find_map(|stmt| {
        let (block, Role::InBlock(number)) = tree.parent(stmt)? else { return None };
        let StmtKind::Compound { stmts, .. } = &ast[block].kind else { return None };
        let mut tokens = ast[stmt].range;
        for (count, &last) in stmts[number..].iter().enumerate() {
            tokens.end = ast[last].range.end;
            if is_selected(tokens) {
                return Some((tokens, Selected::Statements(stmts[number..=number + count].to_vec())));
            }
        }
        None
    })
}

/// A range without the white space at its ends.
fn trimmed(text: &[u8], range: TextRange) -> Option<TextRange> {
    let part = text.get(range.start as usize..range.end as usize)?;
    let before = part.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let after = part.iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
    (before < part.len()).then(|| TextRange::new(range.start + before as u32, range.end - after as u32))
}
