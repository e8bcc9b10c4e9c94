//! The texts that editors have open.
//!
//! A document is a rope and, in step with it, the raw tree. The tree is moved by every edit at once, which is cheap,
//! and reparsed only when a request wants it; until then it waits in a [`LazyTree`].

use std::sync::{Arc, OnceLock};

use msl_syntax::{AppliedEdit, RawTree, Text};
use rustc_hash::FxHashMap;
use tower_lsp::lsp_types::{TextDocumentContentChangeEvent, Url};

use super::from_proto::{self, PositionEncoding};

/// Documents over this size are kept in step but not analysed: 8 MB.
const MAX_ANALYSED: u32 = 8 << 20;

/// The open documents, by path.
pub(crate) type Documents = FxHashMap<Arc<str>, Document>;

/// One open document. Clones share the text and the tree.
#[derive(Clone)]
pub(crate) struct Document {
    /// As the client spells it.
    pub(crate) uri: Url,
    /// The client's number; it need not be without gaps.
    pub(crate) version: i32,
    /// Counts the texts that this document had in this session, from 1. A closed and opened document goes on counting.
    pub(crate) generation: u64,
    pub(crate) text: Text,
    tree: Arc<LazyTree>,
}

/// The raw tree of one text, parsed when it is first asked for.
struct LazyTree {
    text: Text,
    /// The tree of an older text with all edits since then applied.
    moved: Option<RawTree>,
    parsed: OnceLock<RawTree>,
}

impl Document {
    pub(crate) fn new(uri: Url, version: i32, generation: u64, text: &str) -> Document {
        let text = Text::from_shared(text.into());
        let tree = Arc::new(LazyTree { text: text.clone(), moved: None, parsed: OnceLock::new() });
        Document { uri, version, generation, text, tree }
    }

    /// Applies the changes of one notification, each to the text that the one before left.
    pub(crate) fn apply(
        &mut self,
        version: i32,
        generation: u64,
        changes: &[TextDocumentContentChangeEvent],
        encoding: PositionEncoding,
    ) {
        let mut edits: Vec<AppliedEdit> = Vec::with_capacity(changes.len());
        let mut replaced = false;
        for change in changes {
            match change.range {
                Some(range) => {
                    let range = from_proto::line_columns(range);
                    edits.push(self.text.replace_positions(Some(range), encoding, &change.text));
                }
                None => {
                    self.text = Text::from_shared(change.text.as_str().into());
                    edits.clear();
                    replaced = true;
                }
            }
        }
        let mut moved = if replaced { None } else { self.tree.newest() };
        if let Some(tree) = &mut moved {
            for edit in &edits {
                tree.edit(edit);
            }
        }
        self.tree = Arc::new(LazyTree { text: self.text.clone(), moved, parsed: OnceLock::new() });
        self.version = version;
        self.generation = generation;
    }

    /// The raw tree of the text as it is.
    pub(crate) fn tree(&self) -> &RawTree {
        self.tree.parsed.get_or_init(|| match &self.tree.moved {
            Some(moved) => {
                let mut tree = moved.clone();
                tree.reparse(&self.tree.text);
                tree
            }
            None => RawTree::parse(&self.tree.text),
        })
    }

    /// Whether the text is one that a shader could be; others are kept in step and left alone.
    pub(crate) fn is_analysed(&self) -> bool {
        self.text.len() <= MAX_ANALYSED
    }
}

impl LazyTree {
    /// The newest tree there is, on the way to the current text.
    fn newest(&self) -> Option<RawTree> {
        self.parsed.get().or(self.moved.as_ref()).cloned()
    }
}
