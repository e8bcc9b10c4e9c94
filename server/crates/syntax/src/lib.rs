//! Text and its layout: the lowest room of the house.
//!
//! - [`Text`] is an editable document on a rope, [`LineIndex`] the lines of a string that does not change; both speak the
//!   three [`PositionEncoding`]s.
//! - [`RawTree`] is what tree-sitter-metal makes of the text as it was typed, kept in step with edits.
//! - On the tree stand [`folding_ranges`], [`selection_ranges`], [`matching_bracket`], [`top_level_declarations`] and
//!   [`syntax_tokens`].
//!
//! What is absent: names have no meaning here, macros are not expanded, nothing is known of salsa, files or LSP.
//! Every function takes any text, complete or broken, and none recurses.

mod brackets;
mod declarations;
mod folding;
mod line_index;
mod position;
mod raw_tree;
mod selection;
mod text;
mod tokens;

pub use brackets::{BracketPair, matching_bracket};
pub use declarations::{DeclarationKind, RawDeclaration, top_level_declarations};
pub use folding::{FoldingKind, FoldingRange, folding_ranges};
pub use line_index::LineIndex;
pub use position::{LineColumn, PositionEncoding};
pub use raw_tree::{Preorder, RawTree};
pub use selection::selection_ranges;
pub use text::{AppliedEdit, Text, decode_utf8};
pub use tokens::{SyntaxToken, TokenClass, syntax_tokens};
/// A node of the raw tree.
pub use tree_sitter::Node;
