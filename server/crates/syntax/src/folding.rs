//! What an editor may fold.
//!
//! Blocks and comments come from the raw tree. Directives are read line by line, because the tree knows them only where
//! whole declarations or statements stand between them.

use std::ops::Range;

use crate::position::PositionEncoding;
use crate::raw_tree::{RawTree, range_of};
use crate::text::Text;

/// What a fold hides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FoldingKind {
    /// The inside of braces, parentheses or angle brackets, a `case`, or a macro body.
    Code,
    /// The rest of a comment, or of several `//` lines.
    Comment,
    /// All `#include` lines after the first.
    Includes,
    /// One branch of `#if`, or what `#pragma region` encloses.
    Region,
}

/// A part of the text that may be folded away; it spans at least one line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoldingRange {
    /// The hidden bytes, without the delimiters around them.
    pub range: Range<u32>,
    pub kind: FoldingKind,
}

impl FoldingRange {
    /// First and last line for an editor that folds whole lines: it hides what follows the first up to the last.
    ///
    /// The line of the closing delimiter stays visible if nothing is before the delimiter. `None` if no line is left.
    pub fn lines(&self, text: &Text) -> Option<(u32, u32)> {
        let line_of = |offset| text.position(offset, PositionEncoding::Utf8).line;
        let first = line_of(self.range.start);
        let mut last = line_of(self.range.end);
        let line_start = text.line_range(last).start;
        if text.slice(line_start..self.range.end).trim().is_empty() {
            last = last.saturating_sub(1);
        }
        (last > first).then_some((first, last))
    }
}

/// All folds, in the order of their starts; of two with one start the longer first.
pub fn folding_ranges(tree: &RawTree, text: &Text) -> Vec<FoldingRange> {
    let mut folds = Vec::new();
    let mut line_comments: Option<Range<u32>> = None;
    // Comments and strings, in order: a `#` in them is text.
    let mut literals: Vec<Range<u32>> = Vec::new();
    for node in tree.preorder() {
        let range = range_of(node);
        if matches!(node.kind(), "comment" | "raw_string_literal" | "string_literal") {
            literals.push(range.clone());
        }
        match node.kind() {
            "compound_statement"
            | "declaration_list"
            | "field_declaration_list"
            | "enumerator_list"
            | "initializer_list"
            | "argument_list"
            | "parameter_list"
            | "template_parameter_list"
            | "template_argument_list"
            | "macro_arguments" => {
                let closed = text.slice(range.end.saturating_sub(1)..range.end);
                let end = if matches!(&*closed, "}" | ")" | ">") { range.end - 1 } else { range.end };
                push(&mut folds, text, range.start + 1..end, FoldingKind::Code);
            }
            "case_statement" => {
                push(&mut folds, text, text.line_range(line_of(text, range.start)).end..range.end, FoldingKind::Code);
            }
            "comment" if text.slice(range.start..range.start + 2) == "/*" => {
                push(&mut folds, text, range.start + 2..range.end.saturating_sub(2), FoldingKind::Comment);
            }
            "comment" => match &mut line_comments {
                Some(run) if is_next_line(text, run.end, range.start) => run.end = range.end,
                run => {
                    if let Some(run) = run.replace(range) {
                        push(
                            &mut folds,
                            text,
                            text.line_range(line_of(text, run.start)).end..run.end,
                            FoldingKind::Comment,
                        );
                    }
                }
            },
            _ => {}
        }
    }
    if let Some(run) = line_comments {
        push(&mut folds, text, text.line_range(line_of(text, run.start)).end..run.end, FoldingKind::Comment);
    }
    fold_directives(text, &literals, &mut folds);
    folds.sort_by_key(|fold| (fold.range.start, std::cmp::Reverse(fold.range.end)));
    folds
}

fn push(folds: &mut Vec<FoldingRange>, text: &Text, range: Range<u32>, kind: FoldingKind) {
    if range.start < range.end && line_of(text, range.start) < line_of(text, range.end) {
        folds.push(FoldingRange { range, kind });
    }
}

fn line_of(text: &Text, offset: u32) -> u32 {
    text.position(offset, PositionEncoding::Utf8).line
}

/// Whether a comment at `start` is alone on the line below that of `end`.
fn is_next_line(text: &Text, end: u32, start: u32) -> bool {
    let line = line_of(text, start);
    line == line_of(text, end) + 1 && text.slice(text.line_range(line).start..start).trim().is_empty()
}

/// A directive that matters to folding, with the lines that it takes (several if they end in backslashes).
struct Directive<'a> {
    name: &'a str,
    argument: &'a str,
    range: Range<u32>,
}

fn fold_directives(text: &Text, literals: &[Range<u32>], folds: &mut Vec<FoldingRange>) {
    let source = text.to_str();
    // Where the hidden part of each open `#if` branch or region starts.
    let mut conditionals: Vec<u32> = Vec::new();
    let mut regions: Vec<u32> = Vec::new();
    let mut includes: Option<Range<u32>> = None;

    for directive in directives(source) {
        let before = literals.partition_point(|literal| literal.start <= directive.range.start);
        if before > 0 && directive.range.start < literals[before - 1].end {
            continue;
        }
        // The line end before the directive: the directive itself stays visible.
        let before = source[..directive.range.start as usize].trim_end_matches([' ', '\t']);
        let before = before.strip_suffix('\n').unwrap_or(before);
        let before = before.strip_suffix('\r').unwrap_or(before).len() as u32;

        if directive.name == "include" {
            match &mut includes {
                Some(run) if source[run.end as usize..directive.range.start as usize].trim().is_empty() => {
                    run.end = directive.range.end;
                }
                run => {
                    fold_includes(run.replace(directive.range.clone()), text, folds);
                }
            }
        }
        match directive.name {
            "if" | "ifdef" | "ifndef" => conditionals.push(directive.range.end),
            "elif" | "else" | "elifdef" | "elifndef" => {
                if let Some(start) = conditionals.last_mut() {
                    push(folds, text, *start..before, FoldingKind::Region);
                    *start = directive.range.end;
                }
            }
            "endif" => {
                if let Some(start) = conditionals.pop() {
                    push(folds, text, start..before, FoldingKind::Region);
                }
            }
            "pragma" if directive.argument.starts_with("region") => regions.push(directive.range.end),
            "pragma" if directive.argument.starts_with("endregion") => {
                if let Some(start) = regions.pop() {
                    push(folds, text, start..before, FoldingKind::Region);
                }
            }
            "define" => {
                let first_line_end = text.line_range(line_of(text, directive.range.start)).end;
                push(folds, text, first_line_end..directive.range.end, FoldingKind::Code);
            }
            _ => {}
        }
    }
    fold_includes(includes, text, folds);
}

fn fold_includes(run: Option<Range<u32>>, text: &Text, folds: &mut Vec<FoldingRange>) {
    if let Some(run) = run {
        push(folds, text, text.line_range(line_of(text, run.start)).end..run.end, FoldingKind::Includes);
    }
}

/// The lines that start with `#`.
fn directives(source: &str) -> impl Iterator<Item = Directive<'_>> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        loop {
            if rest >= source.len() {
                return None;
            }
            let start = rest;
            // A line, and every following one as long as a backslash ends it.
            let mut end = start;
            loop {
                end += source[end..].find(['\n', '\r']).unwrap_or(source.len() - end);
                let continues = source[start..end].ends_with('\\');
                let after = end + terminator_len(&source[end..]);
                rest = after;
                if !continues || after >= source.len() {
                    break;
                }
                end = after;
            }
            let line = &source[start..end];
            let Some(words) = line.trim_start().strip_prefix('#') else { continue };
            let words = words.trim_start();
            let name_len = words.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(words.len());
            let indent = line.len() - line.trim_start().len();
            return Some(Directive {
                name: &words[..name_len],
                argument: words[name_len..].trim(),
                range: (start + indent) as u32..end as u32,
            });
        }
    })
}

fn terminator_len(text: &str) -> usize {
    if text.starts_with("\r\n") { 2 } else { usize::from(!text.is_empty()) }
}
