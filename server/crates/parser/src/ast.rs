//! The syntax tree: what was written, with every C++ ambiguity decided by name lookup, and nothing resolved.
//!
//! Vocabulary:
//!
//! * All nodes of one kind stand in a table and are named by a number: [`ExprId`], [`StmtId`], [`TypeId`],
//!   [`DeclId`], [`AttrId`], [`ScopeId`], [`TemplateId`]. A number is only meaningful together with its [`Ast`].
//! * Trees are stacked in *layers*. The library is the bottom layer, a translation unit's declarations lie on it, and
//!   each function body lies on its unit. A layer's numbers start where its base's end, so a reference into the
//!   library, the unit or the body is the same small number, and a lower layer is shared, never copied.
//!   Declarations are numbered in the order of their point of declaration, so "declared before use" is `<`.
//! * Places are token numbers ([`TokenRange`]), stacked the same way: library tokens, then the unit's declaration
//!   stream (with function bodies cut out), then the body's tokens. There are no byte offsets in the tree.
//! * Declarators are folded into types: `thread float *a[4]` is a variable `a` of type array of pointer to
//!   `thread float`.
//! * A *deferred body* is a function body that was cut out of the declaration stream; it is parsed alone, when it is
//!   needed, by [`crate::parse_body`].

mod decls;
mod exprs;
mod names;
mod stmts;
mod types;

pub use decls::*;
pub use exprs::*;
pub use names::*;
pub use stmts::*;
pub use types::*;

use std::sync::Arc;

use msl_intern::Name;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::scope::Scope;

/// A half-open range of token numbers, in the stacked numbering of the layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct TokenRange {
    pub start: u32,
    pub end: u32,
}

impl TokenRange {
    pub const fn new(start: u32, end: u32) -> TokenRange {
        TokenRange { start, end }
    }

    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// The smallest range that holds both.
    pub fn cover(self, other: TokenRange) -> TokenRange {
        TokenRange { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

macro_rules! tables {
    ($($(#[$doc:meta])* $id:ident $node:ident $field:ident $alloc:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub struct $id(pub u32);
        )*

        /// Where the numbers of a layer start, one count for each kind of node and one for tokens.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
        pub struct LayerStart {
            pub tokens: u32,
            $(pub $field: u32,)*
        }

        /// One layer of the syntax tree; see the module documentation.
        #[derive(Debug, Default)]
        pub struct Ast {
            base: Option<Arc<Ast>>,
            start: LayerStart,
            /// How many tokens this layer adds.
            pub token_count: u32,
            /// Names that some class of this layer declares as a member template: after `.` and `->`, `<` opens
            /// template arguments only for these (and after the keyword `template`).
            pub member_templates: FxHashSet<Name>,
            /// For each scope of a lower layer that this layer continues, the continuing scope of this layer. The
            /// keys are the lowest scopes of their `extends` chains.
            pub extensions: FxHashMap<ScopeId, ScopeId>,
            $($field: Vec<$node>,)*
        }

        impl Ast {
            /// An empty layer on top of `base`.
            pub fn on(base: Arc<Ast>) -> Ast {
                let start = base.end();
                Ast { base: Some(base), start, ..Ast::default() }
            }

            /// Where a layer on top of this one starts.
            pub fn end(&self) -> LayerStart {
                LayerStart {
                    tokens: self.start.tokens + self.token_count,
                    $($field: self.start.$field + self.$field.len() as u32,)*
                }
            }

            $(
                /// Adds a node to this layer.
                pub fn $alloc(&mut self, node: $node) -> $id {
                    self.$field.push(node);
                    $id(self.start.$field + self.$field.len() as u32 - 1)
                }
            )*
        }

        $(
            impl std::ops::Index<$id> for Ast {
                type Output = $node;

                fn index(&self, id: $id) -> &$node {
                    let mut layer = self;
                    while id.0 < layer.start.$field {
                        layer = layer.base.as_deref().expect("a layer that does not start at zero has a base");
                    }
                    &layer.$field[(id.0 - layer.start.$field) as usize]
                }
            }

            impl std::ops::IndexMut<$id> for Ast {
                /// Only nodes of the top layer can be changed.
                fn index_mut(&mut self, id: $id) -> &mut $node {
                    &mut self.$field[(id.0 - self.start.$field) as usize]
                }
            }
        )*
    };
}

tables! {
    ExprId Expr exprs alloc_expr;
    StmtId Stmt stmts alloc_stmt;
    TypeId TypeNode types alloc_type;
    DeclId Decl decls alloc_decl;
    AttrId Attr attrs alloc_attr;
    ScopeId Scope scopes alloc_scope;
    TemplateId TemplateHeader templates alloc_template;
}

impl Ast {
    /// The layer below, if any.
    pub fn base(&self) -> Option<&Arc<Ast>> {
        self.base.as_ref()
    }

    /// Where this layer's numbers start.
    pub fn start(&self) -> LayerStart {
        self.start
    }

    /// Whether a node of this number was made by this layer and not by one below.
    pub fn owns_decl(&self, decl: DeclId) -> bool {
        decl.0 >= self.start.decls
    }

    /// Whether a scope of this number was made by this layer and not by one below.
    pub fn owns_scope(&self, scope: ScopeId) -> bool {
        scope.0 >= self.start.scopes
    }

    /// Whether some class of this layer or one below has a member template of this name.
    pub fn is_member_template(&self, name: Name) -> bool {
        let mut layer = Some(self);
        while let Some(ast) = layer {
            if ast.member_templates.contains(&name) {
                return true;
            }
            layer = ast.base.as_deref();
        }
        false
    }

    /// The scope of the topmost layer that continues `scope`; `scope` itself if none does.
    pub fn newest(&self, scope: ScopeId) -> ScopeId {
        let root = self.root_scope(scope);
        let mut layer = Some(self);
        while let Some(ast) = layer {
            if let Some(&newer) = ast.extensions.get(&root) {
                return newer;
            }
            layer = ast.base.as_deref();
        }
        scope
    }

    /// The lowest scope that `scope` continues: two scopes with the same root are parts of one namespace.
    pub fn root_scope(&self, scope: ScopeId) -> ScopeId {
        let mut root = scope;
        while let Some(lower) = self[root].extends {
            root = lower;
        }
        root
    }

    /// The number that the next declaration of this layer will get; as a limit for lookup, everything so far.
    pub fn next_decl(&self) -> DeclId {
        DeclId(self.start.decls + self.decls.len() as u32)
    }

    /// The declarations of this layer alone, in order of their point of declaration.
    pub fn own_decls(&self) -> impl Iterator<Item = (DeclId, &Decl)> {
        self.decls.iter().enumerate().map(|(index, decl)| (DeclId(self.start.decls + index as u32), decl))
    }

    /// The statements of this layer alone.
    pub fn own_stmts(&self) -> impl Iterator<Item = (StmtId, &Stmt)> {
        self.stmts.iter().enumerate().map(|(index, stmt)| (StmtId(self.start.stmts + index as u32), stmt))
    }

    /// The types of this layer alone.
    pub fn own_types(&self) -> impl Iterator<Item = (TypeId, &TypeNode)> {
        self.types.iter().enumerate().map(|(index, ty)| (TypeId(self.start.types + index as u32), ty))
    }

    /// The expressions of this layer alone.
    pub fn own_exprs(&self) -> impl Iterator<Item = (ExprId, &Expr)> {
        self.exprs.iter().enumerate().map(|(index, expr)| (ExprId(self.start.exprs + index as u32), expr))
    }
}
