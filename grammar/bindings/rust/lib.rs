//! tree-sitter-metal.
