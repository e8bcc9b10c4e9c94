//! Which bracket belongs to which.
//!
//! The tree tells template brackets from comparisons. Where tree-sitter made one token of many characters (macro
//! arguments, macro bodies, comments), brackets are counted in the text of that token.

use std::ops::Range;

use tree_sitter::Node;

use crate::raw_tree::{RawTree, range_of};
use crate::text::Text;

/// Two brackets that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BracketPair {
    pub open: Range<u32>,
    pub close: Range<u32>,
}

const PAIRS: [(&str, &str); 5] = [("(", ")"), ("[", "]"), ("[[", "]]"), ("{", "}"), ("<", ">")];

/// The pair of the bracket at `offset` or, if none starts there, of the one that ends there.
pub fn matching_bracket(tree: &RawTree, text: &Text, offset: u32) -> Option<BracketPair> {
    let offset = text.clamp_offset(offset);
    bracket_at(tree, text, offset).or_else(|| bracket_at(tree, text, offset.checked_sub(1)?))
}

fn bracket_at(tree: &RawTree, text: &Text, offset: u32) -> Option<BracketPair> {
    let character = text.slice(offset..offset + 1);
    if !matches!(&*character, "(" | ")" | "[" | "]" | "{" | "}" | "<" | ">") {
        return None;
    }
    let path = tree.path_to(offset..offset + 1);
    let (leaf, parents) = path.split_last()?;
    if leaf.child_count() > 0 {
        return None;
    }
    if !PAIRS.iter().any(|(open, close)| [*open, *close].contains(&leaf.kind())) {
        return bracket_in_token(text, range_of(*leaf), offset);
    }
    let parent = parents.last()?;
    let is_angle = matches!(leaf.kind(), "<" | ">");
    if is_angle
        && !matches!(parent.kind(), "template_argument_list" | "template_parameter_list" | "named_cast_expression")
    {
        return None;
    }
    bracket_among_siblings(*parent, *leaf)
}

/// Counts nesting among the children of one node; below an `ERROR` several pairs may stand side by side.
fn bracket_among_siblings(parent: Node<'_>, leaf: Node<'_>) -> Option<BracketPair> {
    let (open, close) = PAIRS.iter().find(|(open, close)| [*open, *close].contains(&leaf.kind()))?;
    let mut cursor = parent.walk();
    let mut stack = Vec::new();
    for child in parent.children(&mut cursor).filter(|child| !child.is_missing()) {
        if child.kind() == *open {
            stack.push(child);
        } else if child.kind() == *close
            && let Some(opener) = stack.pop()
            && (opener == leaf || child == leaf)
        {
            return Some(BracketPair { open: range_of(opener), close: range_of(child) });
        }
    }
    None
}

/// Counts nesting of round, square and curly brackets in the text of one token.
fn bracket_in_token(text: &Text, token: Range<u32>, offset: u32) -> Option<BracketPair> {
    let source = text.slice(token.clone());
    let mut stack: Vec<(char, u32)> = Vec::new();
    for (at, character) in source.char_indices() {
        let at = token.start + at as u32;
        match character {
            '(' | '[' | '{' => stack.push((character, at)),
            ')' | ']' | '}' => {
                let Some((opener, start)) = stack.pop() else { continue };
                if (start == offset || at == offset)
                    && matches!((opener, character), ('(', ')') | ('[', ']') | ('{', '}'))
                {
                    return Some(BracketPair { open: start..start + 1, close: at..at + 1 });
                }
            }
            _ => {}
        }
    }
    None
}
