//! What an editor may fold.
//!
//! Blocks and comments come from the raw tree. Directives are read line by line, because the tree knows them only where
//! whole declarations or statements stand between them.

use std::ops::Range;

use tree_sitter::Node;

use crate::line_index::LineIndex;
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
        let (source, lines) = (text.to_str(), text.lines());
        let first = lines.line_of(self.range.start);
        let mut last = lines.line_of(self.range.end);
        let line_start = lines.line_range(last).start.min(self.range.end);
        if source.get(line_start as usize..self.range.end as usize).is_some_and(|before| before.trim().is_empty()) {
            last = last.saturating_sub(1);
        }
        (last > first).then_some((first, last))
    }
}

/// All folds, in the order of their starts; of two with one start the longer first.
pub fn folding_ranges(tree: &RawTree, text: &Text) -> Vec<FoldingRange> {
    let mut folder = Folder {
        source: text.to_str(),
        lines: text.lines(),
        folds: Vec::new(),
        line_comments: None,
        literals: Vec::new(),
    };
    let mut nodes = tree.preorder();
    while let Some(node) = nodes.next() {
        let range = range_of(node);
        // Almost every node stands on one line. Nothing in such a node can be folded, and it is not looked into; only
        // a comment joins others of its kind on the lines around it.
        let is_on_one_line = folder.line_of(range.start) == folder.line_of(range.end);
        if is_on_one_line {
            nodes.skip_children();
        }
        if !is_on_one_line || node.kind() == "comment" {
            folder.node(node, range);
        }
    }
    let Folder { mut folds, .. } = folder.finish();
    folds.sort_by_key(|fold| (fold.range.start, std::cmp::Reverse(fold.range.end)));
    folds
}

/// What was found so far.
struct Folder<'a> {
    source: &'a str,
    lines: &'a LineIndex,
    folds: Vec<FoldingRange>,
    /// The `//` comments on the lines right before.
    line_comments: Option<Range<u32>>,
    /// Comments and strings over several lines, in order: a `#` at the start of a line in them is text.
    literals: Vec<Range<u32>>,
}

impl Folder<'_> {
    fn node(&mut self, node: Node<'_>, range: Range<u32>) {
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
                let is_closed = self.source[..range.end as usize].ends_with(['}', ')', '>']);
                let end = if is_closed { range.end - 1 } else { range.end };
                self.push(range.start + 1..end, FoldingKind::Code);
            }
            "case_statement" => self.push_behind_first_line(range, FoldingKind::Code),
            "raw_string_literal" | "string_literal" => self.literals.push(range),
            "comment" if self.source[range.start as usize..].starts_with("/*") => {
                self.push(range.start + 2..range.end.saturating_sub(2), FoldingKind::Comment);
                self.literals.push(range);
            }
            "comment" => {
                self.literals.push(range.clone());
                match &mut self.line_comments {
                    Some(run) if is_next_line(self.source, self.lines, run.end, range.start) => run.end = range.end,
                    run => {
                        if let Some(run) = run.replace(range) {
                            self.push_behind_first_line(run, FoldingKind::Comment);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    fn finish(mut self) -> Self {
        if let Some(run) = self.line_comments.take() {
            self.push_behind_first_line(run, FoldingKind::Comment);
        }
        self.directives();
        self
    }

    fn push(&mut self, range: Range<u32>, kind: FoldingKind) {
        if range.start < range.end && self.line_of(range.start) < self.line_of(range.end) {
            self.folds.push(FoldingRange { range, kind });
        }
    }

    fn push_behind_first_line(&mut self, range: Range<u32>, kind: FoldingKind) {
        let start = self.lines.line_range(self.line_of(range.start)).end;
        self.push(start..range.end, kind);
    }

    fn line_of(&self, offset: u32) -> u32 {
        self.lines.line_of(offset)
    }

    fn directives(&mut self) {
        let source = self.source;
        // Where the hidden part of each open `#if` branch or region starts.
        let mut conditionals: Vec<u32> = Vec::new();
        let mut regions: Vec<u32> = Vec::new();
        let mut includes: Option<Range<u32>> = None;

        for directive in directives(source) {
            let before = self.literals.partition_point(|literal| literal.start <= directive.range.start);
            if before > 0 && directive.range.start < self.literals[before - 1].end {
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
                        if let Some(run) = run.replace(directive.range.clone()) {
                            self.push_behind_first_line(run, FoldingKind::Includes);
                        }
                    }
                }
            }
            match directive.name {
                "if" | "ifdef" | "ifndef" => conditionals.push(directive.range.end),
                "elif" | "else" | "elifdef" | "elifndef" => {
                    if let Some(start) = conditionals.last_mut() {
                        let from = std::mem::replace(start, directive.range.end);
                        self.push(from..before, FoldingKind::Region);
                    }
                }
                "endif" => {
                    if let Some(start) = conditionals.pop() {
                        self.push(start..before, FoldingKind::Region);
                    }
                }
                "pragma" if directive.argument.starts_with("region") => regions.push(directive.range.end),
                "pragma" if directive.argument.starts_with("endregion") => {
                    if let Some(start) = regions.pop() {
                        self.push(start..before, FoldingKind::Region);
                    }
                }
                "define" => self.push_behind_first_line(directive.range.clone(), FoldingKind::Code),
                _ => {}
            }
        }
        if let Some(run) = includes {
            self.push_behind_first_line(run, FoldingKind::Includes);
        }
    }
}

/// Whether a comment at `start` is alone on the line below that of `end`.
fn is_next_line(source: &str, lines: &LineIndex, end: u32, start: u32) -> bool {
    let line = lines.line_of(start);
    line == lines.line_of(end) + 1 && source[lines.line_range(line).start as usize..start as usize].trim().is_empty()
}

/// A directive that matters to folding, with the lines that it takes (several if they end in backslashes).
struct Directive<'a> {
    name: &'a str,
    argument: &'a str,
    range: Range<u32>,
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
