//! Growing a selection from a place to ever larger parts of the text.

use std::ops::Range;

use crate::raw_tree::{RawTree, range_of};
use crate::text::Text;

/// The ranges around `offset`, from the smallest to the whole text; each holds the one before it and is larger.
///
/// They are the word, the nodes of the raw tree, and between a bracketed node and its inside the inside.
pub fn selection_ranges(tree: &RawTree, text: &Text, offset: u32) -> Vec<Range<u32>> {
    let offset = text.clamp_offset(offset);
    let word = word_at(text, offset);
    let mut ranges: Vec<Range<u32>> = Vec::new();
    let mut push = |range: Range<u32>| {
        let fits =
            ranges.last().is_none_or(|last| range.start <= last.start && range.end >= last.end && range != *last);
        if fits {
            ranges.push(range);
        }
    };
    if !word.is_empty() {
        push(word.clone());
    }
    for node in tree.path_to(word).into_iter().rev() {
        let range = range_of(node);
        let children = node.child_count();
        if children >= 2 {
            let (first, last) = (node.child(0), node.child(children - 1));
            if let (Some(first), Some(last)) = (first, last)
                && is_bracket_pair(first.kind(), last.kind())
            {
                let inside = range_of(first).end..range_of(last).start;
                let inside = trim(text, inside);
                if inside.start <= offset && offset <= inside.end {
                    push(inside);
                }
            }
        }
        push(range);
    }
    push(0..text.len());
    if ranges.is_empty() {
        ranges.push(offset..offset);
    }
    ranges
}

fn is_bracket_pair(open: &str, close: &str) -> bool {
    matches!((open, close), ("(", ")") | ("[", "]") | ("[[", "]]") | ("{", "}") | ("<", ">") | ("\"", "\""))
}

/// The word of letters, digits and underscores that holds `offset` or ends there; else the empty range.
fn word_at(text: &Text, offset: u32) -> Range<u32> {
    /// Longest word that is looked for in either direction.
    const REACH: u32 = 256;
    let is_word = |c: &char| c.is_alphanumeric() || *c == '_';
    let before = text.slice(offset.saturating_sub(REACH)..offset);
    let after = text.slice(offset..offset.saturating_add(REACH));
    let left: usize = before.chars().rev().take_while(is_word).map(char::len_utf8).sum();
    let right: usize = after.chars().take_while(is_word).map(char::len_utf8).sum();
    offset - left as u32..offset + right as u32
}

/// `range` without white space at its ends.
fn trim(text: &Text, range: Range<u32>) -> Range<u32> {
    let inside = text.slice(range.clone());
    let start = range.start + (inside.len() - inside.trim_start().len()) as u32;
    let end = range.end - (inside.len() - inside.trim_end().len()) as u32;
    start.min(end)..end.max(start.min(end))
}
