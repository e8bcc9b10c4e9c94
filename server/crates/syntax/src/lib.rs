//! Text, line index and the raw tree over tree-sitter-metal.
