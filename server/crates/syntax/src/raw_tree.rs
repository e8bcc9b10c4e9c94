//! The raw tree: what tree-sitter-metal makes of a text as it was typed.
//!
//! Macros are not expanded and names have no meaning, so the tree may be wrong wherever C++ needs name lookup.
//! It serves what depends on layout: folding, selection, brackets, colours before the analysis is ready, and knowing
//! which part of a file an edit touched.
//!
//! A tree belongs to one version of a text. Whoever edits the text edits the tree in step:
//! [`RawTree::edit`] for each edit, in order, then [`RawTree::reparse`] once.

use std::cell::RefCell;
use std::ops::{ControlFlow, Range};

use tree_sitter::{Node, ParseOptions, Parser, Tree, TreeCursor};

use crate::text::{AppliedEdit, Text};

/// The raw tree of one version of a text. A clone shares the nodes.
#[derive(Clone)]
pub struct RawTree {
    tree: Tree,
    /// What edits since the last parse have replaced, in offsets of the text as it is now.
    edited: Vec<Range<u32>>,
}

impl RawTree {
    /// Parses a whole text.
    pub fn parse(text: &Text) -> RawTree {
        let tree = parse_text(text, None, &mut || false).expect("a parse that nobody stops ends with a tree");
        RawTree { tree, edited: Vec::new() }
    }

    /// The same, unless `should_stop` says so on the way; it is asked every few thousand steps of the parser.
    pub fn parse_unless(text: &Text, should_stop: &mut dyn FnMut() -> bool) -> Option<RawTree> {
        Some(RawTree { tree: parse_text(text, None, should_stop)?, edited: Vec::new() })
    }

    /// Moves the nodes to where they are after an edit of the text. The tree is that of no text until it is reparsed.
    pub fn edit(&mut self, edit: &AppliedEdit) {
        self.tree.edit(&edit.to_input_edit());
        for range in &mut self.edited {
            *range = moved_range(range, edit);
        }
        self.edited.push(edit.inserted());
    }

    /// Parses again what the edits since the last parse may have changed; `text` is the text behind all of them.
    ///
    /// Returns what differs, in order and without overlap: the inserted bytes, and every range whose nodes are others
    /// than before.
    pub fn reparse(&mut self, text: &Text) -> Vec<Range<u32>> {
        let tree =
            parse_text(text, Some(&self.tree), &mut || false).expect("a parse that nobody stops ends with a tree");
        let mut changed = std::mem::take(&mut self.edited);
        let new_nodes = self.tree.changed_ranges(&tree);
        changed.extend(new_nodes.map(|range| range.start_byte as u32..range.end_byte as u32));
        self.tree = tree;
        merge_ranges(changed)
    }

    /// tree-sitter's own tree, for whatever this façade does not offer.
    pub fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    /// Whether the text is no Metal, as far as one can tell without expanding macros.
    pub fn has_error(&self) -> bool {
        self.root().has_error()
    }

    /// Number of `ERROR` and missing nodes.
    pub fn error_count(&self) -> usize {
        self.preorder().filter(|node| node.is_error() || node.is_missing()).count()
    }

    /// Every node, parents before children, in the order of the text. Uses no stack, however deep the tree is.
    pub fn preorder(&self) -> Preorder<'_> {
        Preorder { cursor: self.tree.walk(), step: Step::Here }
    }

    /// The nodes that hold `range`, from the root to the smallest.
    pub(crate) fn path_to(&self, range: Range<u32>) -> Vec<Node<'_>> {
        let mut cursor = self.tree.walk();
        let mut path = vec![cursor.node()];
        while cursor.goto_first_child_for_byte(range.start as usize).is_some() {
            let node = cursor.node();
            if node.start_byte() > range.start as usize || node.end_byte() < range.end as usize {
                break;
            }
            path.push(node);
        }
        path
    }
}

impl std::fmt::Debug for RawTree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.root().to_sexp())
    }
}

/// The nodes of a tree, parents first. See [`RawTree::preorder`].
pub struct Preorder<'tree> {
    /// Stands on the node that was returned last.
    cursor: TreeCursor<'tree>,
    step: Step,
}

/// Where the next node is, seen from the cursor.
enum Step {
    Here,
    Child,
    Sibling,
    Nowhere,
}

impl Preorder<'_> {
    /// Leaves out what is below the node that was returned last.
    pub fn skip_children(&mut self) {
        if matches!(self.step, Step::Child) {
            self.step = Step::Sibling;
        }
    }
}

impl<'tree> Iterator for Preorder<'tree> {
    type Item = Node<'tree>;

    fn next(&mut self) -> Option<Node<'tree>> {
        let found = match self.step {
            Step::Here => true,
            Step::Child => self.cursor.goto_first_child() || goto_next(&mut self.cursor),
            Step::Sibling => goto_next(&mut self.cursor),
            Step::Nowhere => false,
        };
        self.step = if found { Step::Child } else { Step::Nowhere };
        found.then(|| self.cursor.node())
    }
}

/// The next sibling of the node or of its nearest ancestor that has one.
fn goto_next(cursor: &mut TreeCursor<'_>) -> bool {
    loop {
        if cursor.goto_next_sibling() {
            return true;
        }
        if !cursor.goto_parent() {
            return false;
        }
    }
}

/// The bytes of a node.
pub(crate) fn range_of(node: Node<'_>) -> Range<u32> {
    node.start_byte() as u32..node.end_byte() as u32
}

fn parse_text(text: &Text, old: Option<&Tree>, should_stop: &mut dyn FnMut() -> bool) -> Option<Tree> {
    thread_local! {
        // A parser keeps its stacks from one parse to the next, hence one for each thread.
        static PARSER: RefCell<Parser> = RefCell::new({
            let mut parser = Parser::new();
            parser.set_language(&tree_sitter_metal::LANGUAGE.into()).expect("the ABI of the bundled grammar fits");
            parser
        });
    }
    PARSER.with_borrow_mut(|parser| {
        let mut progress = |_: &_| if should_stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let tree = parser.parse_with_options(&mut |offset, _| text.chunk_from(offset), old, Some(options));
        if tree.is_none() {
            // Otherwise the next parse would go on with this one.
            parser.reset();
        }
        tree
    })
}

/// Where a range stands after an edit. A range that the edit touches grows to hold the inserted text.
fn moved_range(range: &Range<u32>, edit: &AppliedEdit) -> Range<u32> {
    let inserted = edit.inserted();
    let moved = |offset: u32, inside: u32| {
        if offset < edit.replaced.start {
            offset
        } else if offset >= edit.replaced.end {
            offset - edit.replaced.end + inserted.end
        } else {
            inside
        }
    };
    moved(range.start, inserted.start)..moved(range.end, inserted.end)
}

/// Sorted, with overlapping and adjacent ranges joined.
fn merge_ranges(mut ranges: Vec<Range<u32>>) -> Vec<Range<u32>> {
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut merged: Vec<Range<u32>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}
