//! Metal Shading Language (MSL 1.0–4.1) for [tree-sitter].
//!
//! The grammar extends tree-sitter-cpp by address spaces, function qualifiers, MSL's literals and built-in types, named
//! casts, and the shapes of macro use that C++ tools stumble over.
//! It describes text as it was typed: macros are not expanded and names have no meaning.
//!
//! ```
//! let mut parser = tree_sitter::Parser::new();
//! parser.set_language(&tree_sitter_metal::LANGUAGE.into()).unwrap();
//! let tree = parser.parse("kernel void f(device float *p [[buffer(0)]]) { p[0] = 1.0h; }", None).unwrap();
//! assert!(!tree.root_node().has_error());
//! ```
//!
//! [tree-sitter]: https://docs.rs/tree-sitter

use tree_sitter_language::LanguageFn;

unsafe extern "C" {
    fn tree_sitter_metal() -> *const ();
}

/// The grammar, to be given to `tree_sitter::Parser::set_language`.
///
/// Its ABI version is 14, the newest that Neovim 0.11, Helix 25 and Emacs 30 all load.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_metal) };

/// The node types of the grammar as JSON, in the format of tree-sitter's `node-types.json`.
pub const NODE_TYPES: &str = include_str!("../../src/node-types.json");

/// Highlighting with the capture names of nvim-treesitter. Where two patterns match a node, the later one wins.
pub const HIGHLIGHTS_QUERY: &str = include_str!("../../queries/highlights.scm");

/// Languages inside the file: comments.
pub const INJECTIONS_QUERY: &str = include_str!("../../queries/injections.scm");

/// Scopes, definitions and references of local names.
pub const LOCALS_QUERY: &str = include_str!("../../queries/locals.scm");

/// Definitions and calls, for code navigation without a language server.
pub const TAGS_QUERY: &str = include_str!("../../queries/tags.scm");

/// Ranges that an editor may fold: `@fold`.
pub const FOLDS_QUERY: &str = include_str!("../../queries/folds.scm");

/// Indentation with the capture names of nvim-treesitter.
pub const INDENTS_QUERY: &str = include_str!("../../queries/indents.scm");

/// Text objects with the capture names of nvim-treesitter-textobjects.
pub const TEXTOBJECTS_QUERY: &str = include_str!("../../queries/textobjects.scm");
