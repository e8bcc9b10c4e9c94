//! What editors and packagers rely on: the ABI version and the words of the grammar.

use tree_sitter::{Language, Parser};

fn language() -> Language {
    tree_sitter_metal::LANGUAGE.into()
}

/// Decision: the parser has ABI 14.
///
/// Neovim 0.11 and Helix 25.07 load 13 to 15, Helix 25.01 loads 13 and 14.
/// Emacs 30 loads what the system's libtree-sitter loads, and distributions pair it with 0.22, which ends at 14.
/// What ABI 15 adds (names and versions in the parser, reserved words) is used by none of them.
#[test]
fn the_abi_is_one_that_every_supported_editor_loads() {
    assert_eq!(language().abi_version(), 14);
}

#[test]
fn every_address_space_is_a_word_of_the_grammar() {
    for word in
        ["device", "constant", "thread", "threadgroup", "threadgroup_imageblock", "object_data", "ray_data", "coherent"]
    {
        assert_ne!(language().id_for_node_kind(word, false), 0, "{word}");
    }
    for kind in ["address_space", "coherent_qualifier", "function_qualifier", "macro_modifier", "named_cast_expression"]
    {
        assert_ne!(language().id_for_node_kind(kind, true), 0, "{kind}");
    }
}

#[test]
fn node_types_are_those_of_the_parser() {
    for kind in ["address_space", "macro_invocation", "pragma_operator"] {
        assert!(tree_sitter_metal::NODE_TYPES.contains(&format!("\"type\": \"{kind}\"")), "{kind}");
    }
}

/// Corpus files cannot show the end of a file without a line end.
#[test]
fn the_last_directive_needs_no_line_end() {
    let mut parser = Parser::new();
    parser.set_language(&language()).expect("the ABI fits");
    for source in
        ["#define A", "#define A 1", "#define F(x) x", "#include <metal_stdlib>", "#pragma once ", "#if A\n#endif"]
    {
        let tree = parser.parse(source, None).expect("no cancellation");
        assert!(!tree.root_node().has_error(), "{source}: {}", tree.root_node().to_sexp());
    }
}

/// Nesting as deep as a hostile file has it must neither overflow the stack nor take quadratic time.
#[test]
fn deep_nesting_is_parsed() {
    let mut parser = Parser::new();
    parser.set_language(&language()).expect("the ABI fits");
    for (open, close) in [("(", ")"), ("{", "}"), ("[", "]"), ("f(", ")"), ("a<", ">"), ("\n#if A\n", "\n#endif\n")] {
        let source = format!("void f() {{ {}1{}; }}", open.repeat(5_000), close.repeat(5_000));
        let tree = parser.parse(&source, None).expect("no cancellation");
        assert_eq!(tree.root_node().end_byte(), source.len());
    }
}

/// The scanner reads ahead of macro names: cut every construct off at every byte.
#[test]
fn every_prefix_is_parsed() {
    let source = "METAL_FUNC void f() { FOR(i = 0; \"a\\\"\" /* c */; 'x') g(R\"x(a)\"b)x\") } CALL(1) // end\nNEXT(2)";
    let mut parser = Parser::new();
    parser.set_language(&language()).expect("the ABI fits");
    for end in 0..=source.len() {
        let tree = parser.parse(&source[..end], None).expect("no cancellation");
        assert!(tree.root_node().end_byte() <= end);
    }
}
