//! The raw tree in step with edits.

use std::ops::Range;

use msl_syntax::{RawTree, Text};
use proptest::prelude::*;

const SOURCE: &str = r#"#include <metal_stdlib>
using namespace metal;

struct Varyings { float4 position [[position]]; half2 uv; };

#if FAST
METAL_FUNC half scale(half x) { return x * 2.0h; }
#endif

template <typename T>
kernel void copy(device T *to [[buffer(0)]], const device T *from [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  FOR_UNROLL (int k = 0; k < 4; k++) { to[i] = from[i]; /* é😀 */ }
  constant char *raw = R"x(a)"b)x";
}
INSTANTIATE(float)
template [[host_name("copy_float")]] kernel void copy<float>(device float *, const device float *, uint);
"#;

fn assert_same(left: &RawTree, right: &RawTree) {
    let (left, right) = (nodes(left), nodes(right));
    let difference = left.iter().zip(&right).find(|(left, right)| left != right);
    assert_eq!(difference, None);
    assert_eq!(left.len(), right.len());
}

fn check_step(tree: &RawTree, text: &Text) {
    let fresh = RawTree::parse(text);
    assert_eq!(tree.root().byte_range(), fresh.root().byte_range());
    if !fresh.has_error() || !tree.has_error() {
        assert_same(tree, &fresh);
    }
}

/// Everything that can be seen of the nodes of a tree.
fn nodes(tree: &RawTree) -> Vec<(&str, [Range<usize>; 3], bool)> {
    tree.preorder()
        .map(|node| {
            let (start, end) = (node.start_position(), node.end_position());
            (node.kind(), [node.byte_range(), start.row..end.row, start.column..end.column], node.is_missing())
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Wherever the text is whole, every node of the incremental tree is that of a fresh parse, with its bytes, rows and
    /// columns; in broken text tree-sitter recovers in a way that depends on the nodes that it may use again, and only
    /// the extent of the tree is certain. However broken a text was, once it is mended its tree is that of a fresh parse.
    #[test]
    fn incremental_trees_equal_fresh_ones(
        edits in prop::collection::vec(
            (0u32..900, 0u32..12, prop::sample::select(vec![
                "", "x", " ", "\n", "\r", "\r\n", "{", "}", "(", ")", ";", "/*", "*/", "//", "\"", "R\"(", "#if A\n", "#endif\n",
                "device ", "METAL_FUNC ", "é", "😀", "<", ">", "[[", "]]", "float4 v = in.", "FOR_UNROLL (;;) ", "CALL(1)\n",
            ])),
            1..10,
        ),
        batch in 1usize..4,
    ) {
        let mut text = Text::new(SOURCE);
        let mut tree = RawTree::parse(&text);
        let mut undo = Vec::new();
        for edits in edits.chunks(batch) {
            let before = tree.clone();
            let old_nodes = nodes(&before).len();
            for (start, len, new) in edits {
                let range = text.clamp_range(*start..start + len);
                let old = text.slice(range.clone()).into_owned();
                let edit = text.replace(range, new);
                tree.edit(&edit);
                undo.push((edit.inserted(), old));
            }
            let changed = tree.reparse(&text);
            check_step(&tree, &text);
            prop_assert_eq!(nodes(&before).len(), old_nodes, "a clone keeps its nodes");
            prop_assert!(changed.is_sorted_by(|a, b| a.end < b.start), "{:?}", changed);
            prop_assert!(changed.iter().all(|range| range.end <= text.len()));
        }
        for (range, old) in undo.into_iter().rev() {
            tree.edit(&text.replace(range, &old));
            tree.reparse(&text);
            check_step(&tree, &text);
        }
        prop_assert_eq!(&**text.to_str(), SOURCE);
        prop_assert!(!tree.has_error());
    }

    #[test]
    fn any_text_has_a_tree(text in "[a-z(){}<>\\[\\];:,#\"'*/&=+ \\n\\r.é]{0,200}") {
        let text = Text::new(&text);
        let tree = RawTree::parse(&text);
        prop_assert_eq!(tree.preorder().count(), tree.root().descendant_count());
        prop_assert!(tree.has_error() || tree.error_count() == 0);
    }
}

#[test]
fn an_edit_in_one_body_changes_that_body_only() {
    let mut text = Text::new(SOURCE);
    let mut tree = RawTree::parse(&text);
    assert!(!tree.has_error(), "{tree:?}");
    let at = SOURCE.find("return x").expect("the body") as u32;
    tree.edit(&text.replace(at..at, "if (x > 1) "));
    let changed = tree.reparse(&text);
    let body = SOURCE.find("{ return x").expect("the body") as u32..SOURCE.find("#endif").expect("the end") as u32 + 11;
    assert!(!changed.is_empty());
    assert!(changed.iter().all(|range| body.start <= range.start && range.end <= body.end), "{changed:?}");
}

#[test]
fn children_can_be_left_out() {
    let tree = RawTree::parse(&Text::new("void f() { g(1); }\nint x;"));
    let mut nodes = tree.preorder();
    let mut kinds = Vec::new();
    while let Some(node) = nodes.next() {
        kinds.push(node.kind());
        if node.kind() == "function_definition" {
            nodes.skip_children();
        }
    }
    assert_eq!(kinds, ["translation_unit", "function_definition", "declaration", "primitive_type", "identifier", ";"]);
}

#[test]
fn a_parse_can_be_stopped() {
    let text = Text::new(&SOURCE.repeat(200));
    assert!(RawTree::parse_unless(&text, &mut || true).is_none());
    // The parser of this thread is as new afterwards.
    let small = Text::new(SOURCE);
    assert_same(&RawTree::parse(&small), &RawTree::parse_unless(&small, &mut || false).expect("nobody stops it"));
}
