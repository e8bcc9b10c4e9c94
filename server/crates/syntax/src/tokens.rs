//! Colours before the analysis is ready: classes of tokens from the grammar's highlight query.

use std::ops::Range;
use std::sync::OnceLock;

use tree_sitter::{Query, QueryCursor, StreamingIterator as _};

use crate::raw_tree::{RawTree, range_of};
use crate::text::Text;

/// The class of a token, as far as its place in the raw tree tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenClass {
    Attribute,
    Comment,
    Constant,
    /// `#if` and its like, `_Pragma`.
    Directive,
    Function,
    Keyword,
    Label,
    Macro,
    Member,
    /// Address spaces and other words that qualify a declaration.
    Modifier,
    Namespace,
    Number,
    Operator,
    Parameter,
    String,
    Type,
    Variable,
}

/// A part of the text that has one class. It may span lines (comments, raw strings).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxToken {
    pub range: Range<u32>,
    pub class: TokenClass,
}

/// Levels of nesting that get colours. Each level may keep a pattern waiting for the end of its node, and the query looks at
/// all that wait at every node: without a limit, hostile nesting would take quadratic time.
const MAX_DEPTH: u32 = 300;

/// The tokens in `range`, in order and without overlap. Punctuation has no class.
pub fn syntax_tokens(tree: &RawTree, text: &Text, range: Range<u32>) -> Vec<SyntaxToken> {
    let Highlights { query, classes } = highlights();
    let source = text.to_str().as_bytes();
    let range = text.clamp_range(range);
    let mut cursor = QueryCursor::new();
    cursor.set_max_start_depth(Some(MAX_DEPTH));
    cursor.set_byte_range(range.start as usize..range.end as usize);

    let mut found: Vec<(Range<u32>, usize, Option<TokenClass>)> = Vec::new();
    let mut matches = cursor.matches(query, tree.root(), source);
    while let Some(one) = matches.next() {
        for capture in one.captures() {
            let node = range_of(capture.node);
            // A match may begin before the range that was asked for.
            if node.start < range.end && node.end > range.start && !node.is_empty() {
                found.push((node, one.pattern_index, classes[capture.index as usize]));
            }
        }
    }
    // Outer nodes before inner ones; of several patterns for one node the last one wins.
    found.sort_by_key(|(range, pattern, _)| (range.start, std::cmp::Reverse(range.end), std::cmp::Reverse(*pattern)));
    found.dedup_by(|later, earlier| later.0 == earlier.0);
    flatten(found.into_iter().map(|(range, _, class)| (range, class)))
}

/// Cuts outer ranges where inner ones begin and end. Nodes nest, so ranges never cross.
fn flatten(found: impl Iterator<Item = (Range<u32>, Option<TokenClass>)>) -> Vec<SyntaxToken> {
    let mut tokens: Vec<SyntaxToken> = Vec::new();
    let mut open: Vec<(Range<u32>, Option<TokenClass>)> = Vec::new();
    let mut at = 0;
    let mut emit = |range: Range<u32>, class: Option<TokenClass>| {
        if let Some(class) = class
            && !range.is_empty()
        {
            tokens.push(SyntaxToken { range, class });
        }
    };
    for (range, class) in found {
        while let Some((outer, outer_class)) = open.last().cloned() {
            if outer.end > range.start {
                emit(at.max(outer.start)..range.start, outer_class);
                break;
            }
            emit(at.max(outer.start)..outer.end, outer_class);
            at = at.max(outer.end);
            open.pop();
        }
        at = at.max(range.start);
        open.push((range, class));
    }
    while let Some((outer, class)) = open.pop() {
        emit(at.max(outer.start)..outer.end, class);
        at = at.max(outer.end);
    }
    tokens
}

struct Highlights {
    query: Query,
    /// By capture index; `None` for captures that are no colour.
    classes: Vec<Option<TokenClass>>,
}

fn highlights() -> &'static Highlights {
    static HIGHLIGHTS: OnceLock<Highlights> = OnceLock::new();
    HIGHLIGHTS.get_or_init(|| {
        let query = Query::new(&tree_sitter_metal::LANGUAGE.into(), tree_sitter_metal::HIGHLIGHTS_QUERY)
            .expect("the bundled query compiles against the bundled grammar");
        let classes = query.capture_names().iter().map(|name| class_of_capture(name)).collect();
        Highlights { query, classes }
    })
}

/// The class for a capture name of nvim-treesitter: the most specific prefix decides.
fn class_of_capture(name: &str) -> Option<TokenClass> {
    Some(match name {
        "attribute" => TokenClass::Attribute,
        "boolean" | "constant.builtin" | "variable.builtin" => TokenClass::Keyword,
        "comment" => TokenClass::Comment,
        "constant" => TokenClass::Constant,
        "constant.macro" | "function.macro" => TokenClass::Macro,
        "function" | "function.call" => TokenClass::Function,
        "keyword.directive" | "keyword.import" => TokenClass::Directive,
        "keyword.function" | "keyword.modifier" => TokenClass::Modifier,
        "label" => TokenClass::Label,
        "module" => TokenClass::Namespace,
        "number" => TokenClass::Number,
        "operator" => TokenClass::Operator,
        "character" | "string" | "string.escape" => TokenClass::String,
        "type" | "type.builtin" => TokenClass::Type,
        "variable" => TokenClass::Variable,
        "variable.member" => TokenClass::Member,
        "variable.parameter" => TokenClass::Parameter,
        name if name.starts_with("keyword") => TokenClass::Keyword,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A capture that nobody thought of would silently lose its colour.
    #[test]
    fn every_capture_but_punctuation_has_a_class() {
        let Highlights { query, classes } = highlights();
        for (name, class) in query.capture_names().iter().zip(classes) {
            assert_eq!(class.is_none(), name.starts_with("punctuation"), "{name}");
        }
    }
}
