//! The declarations of a file as its author typed them.
//!
//! This list is what both front ends must agree on for files without macros: the semantic one reports the same
//! declarations with the same ranges. The raw tree cannot tell a function declaration from a variable with constructor
//! arguments, so both are a [`DeclarationKind::Declaration`].

use std::ops::Range;

use tree_sitter::Node;

use crate::raw_tree::{RawTree, range_of};
use crate::text::Text;

/// What a declaration is, as far as its first words tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeclarationKind {
    /// `namespace n { … }`; its members follow it.
    Namespace,
    NamespaceAlias,
    /// `extern "C" { … }`; its members follow it.
    Linkage,
    /// A function with a body.
    Function,
    /// Functions without a body and variables, of which one declaration may hold several.
    Declaration,
    Struct,
    Class,
    Union,
    Enum,
    /// `using T = …;` or `typedef … T;`.
    TypeAlias,
    /// `using n::x;` or `using namespace n;`.
    Using,
    StaticAssert,
    /// `template void f<int>();`.
    ExplicitInstantiation,
    /// A macro invocation in the place of a declaration, or a statement, which a file cannot hold.
    Other,
}

/// One declaration at file or namespace level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawDeclaration {
    pub kind: DeclarationKind,
    /// From its first token, `template` and attributes included, to its last, the semicolon included.
    pub range: Range<u32>,
    /// The declared names. Empty for `using namespace`, and for what has no name.
    pub names: Vec<Range<u32>>,
    /// Index in the list of the namespace or linkage block around it.
    pub parent: Option<usize>,
}

/// All declarations outside function bodies and types, in the order of the text. Every branch of `#if` counts.
pub fn top_level_declarations(tree: &RawTree, text: &Text) -> Vec<RawDeclaration> {
    let mut declarations = Vec::new();
    // A stack, so that deeply nested directives need none of the thread's.
    let mut pending = Vec::new();
    push_items(&mut pending, tree.root(), None);
    while let Some(Item { node, end, parent }) = pending.pop() {
        match node.kind() {
            "preproc_if" | "preproc_ifdef" | "preproc_else" | "preproc_elif" | "preproc_elifdef"
            | "declaration_list" => push_items(&mut pending, node, parent),
            kind if kind.starts_with("preproc_") || kind == "comment" || kind == "pragma_operator" => {}
            // Tokens of directives and braces, parts of an error.
            _ if !node.is_named() || node.is_error() || node.is_missing() => {}
            _ => {
                let (kind, named) = classify(node);
                let range = node.start_byte() as u32..end;
                declarations.push(RawDeclaration { kind, range, names: names_of(named, text), parent });
                if matches!(kind, DeclarationKind::Namespace | DeclarationKind::Linkage)
                    && let Some(body) = named.child_by_field_name("body")
                {
                    push_items(&mut pending, body, Some(declarations.len() - 1));
                }
            }
        }
    }
    declarations
}

/// A node in the place of a declaration.
struct Item<'tree> {
    node: Node<'tree>,
    /// Where it ends with its semicolon, which behind a type is a token of its own.
    end: u32,
    parent: Option<usize>,
}

/// Puts the children of `node` on the stack, the first one on top.
fn push_items<'tree>(pending: &mut Vec<Item<'tree>>, node: Node<'tree>, parent: Option<usize>) {
    let start = pending.len();
    let mut cursor = node.walk();
    let mut more = cursor.goto_first_child();
    while more {
        let child = cursor.node();
        let end = child.end_byte() as u32;
        match cursor.field_name() {
            // `#if` has its condition or name beside the items.
            Some("condition" | "name") => {}
            _ if child.kind() == ";" => {
                if let Some(last) = pending[start..].last_mut() {
                    last.end = end;
                }
            }
            _ => pending.push(Item { node: child, end, parent }),
        }
        more = cursor.goto_next_sibling();
    }
    pending[start..].reverse();
}

/// The kind of an item, and the node below `template<…>` or `extern "C"` that holds its names.
fn classify(item: Node<'_>) -> (DeclarationKind, Node<'_>) {
    let mut node = item;
    // Each step goes to a child, so the loop ends.
    loop {
        let kind = match node.kind() {
            "template_declaration" => match last_named_child(node) {
                Some(inner) => {
                    node = inner;
                    continue;
                }
                None => DeclarationKind::Other,
            },
            "linkage_specification" => match node.child_by_field_name("body").or_else(|| last_named_child(node)) {
                Some(body) if body.kind() != "declaration_list" => {
                    node = body;
                    continue;
                }
                _ => DeclarationKind::Linkage,
            },
            "namespace_definition" => DeclarationKind::Namespace,
            "namespace_alias_definition" => DeclarationKind::NamespaceAlias,
            "function_definition" => DeclarationKind::Function,
            "declaration" => DeclarationKind::Declaration,
            "struct_specifier" => DeclarationKind::Struct,
            "class_specifier" => DeclarationKind::Class,
            "union_specifier" => DeclarationKind::Union,
            "enum_specifier" => DeclarationKind::Enum,
            "alias_declaration" | "type_definition" => DeclarationKind::TypeAlias,
            "using_declaration" => DeclarationKind::Using,
            "static_assert_declaration" => DeclarationKind::StaticAssert,
            "template_instantiation" => DeclarationKind::ExplicitInstantiation,
            _ => DeclarationKind::Other,
        };
        return (kind, node);
    }
}

fn last_named_child(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| child.kind() != "comment").last()
}

fn names_of(node: Node<'_>, text: &Text) -> Vec<Range<u32>> {
    let mut cursor = node.walk();
    let mut names: Vec<Range<u32>> =
        node.children_by_field_name("declarator", &mut cursor).filter_map(declared_name).map(range_of).collect();
    if names.is_empty() && node.kind() != "declaration" {
        names.extend(node.child_by_field_name("name").map(range_of));
    }
    if names.is_empty() && node.kind() == "using_declaration" && !text.slice(range_of(node)).contains("namespace") {
        names.extend(last_named_child(node).map(range_of));
    }
    names
}

/// The name inside pointers, arrays, parameters and attributes.
fn declared_name(declarator: Node<'_>) -> Option<Node<'_>> {
    let mut node = declarator;
    loop {
        node = match node.kind() {
            "identifier"
            | "field_identifier"
            | "type_identifier"
            | "qualified_identifier"
            | "operator_name"
            | "destructor_name"
            | "primitive_type" => return Some(node),
            "template_function" => return node.child_by_field_name("name"),
            "structured_binding_declarator" | "operator_cast" => return Some(node),
            // A reference or an attributed declarator holds its declarator without a field.
            "reference_declarator" => last_named_child(node)?,
            _ => match node.child_by_field_name("declarator") {
                Some(inner) => inner,
                None => node.named_child(0)?,
            },
        };
    }
}
