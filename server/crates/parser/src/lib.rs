//! Tokens to syntax tree, with the name lookup that C++ needs while parsing.
//!
//! The way of a translation unit through this crate:
//!
//! 1. [`split`] cuts the function bodies out of its expanded tokens; what is left is the *declaration stream*.
//! 2. [`parse_decls`] parses the declaration stream as a layer on the library's tree.
//! 3. [`parse_body`] parses one function body, when it is needed, as a layer on the unit's tree.
//!
//! See [`ast`] for the shape of the tree and its layers, [`scope`] for the symbol table that is built on the way,
//! [`lookup`] for name lookup on it, [`dump`] for a readable form.
//!
//! Nothing here fails: broken code gives a tree with error nodes, and diagnostics. Nesting is limited; a thread that
//! calls [`parse_decls`] or [`parse_body`] needs a stack of 2 MB, or 4 MB where this crate is built without any
//! optimisation.

use std::sync::Arc;

use msl_preproc::{Punct, Token, TokenKind};

use crate::ast::{Ast, DeclId, DeclKind, Init, MemInit, ScopeId, StmtId};
use crate::name::PathUse;
use crate::parser::Parser;
use crate::scope::{Scope, ScopeKind};

pub mod ast;
mod attribute;
mod class;
mod decl;
mod declarator;
mod diagnostic;
pub mod dump;
mod expr;
mod lambda;
pub mod lookup;
mod name;
mod namespace;
mod operand;
mod parser;
mod recover;
mod scan;
pub mod scope;
mod split;
mod stmt;
mod template;
mod types;

pub use diagnostic::{SyntaxDiagnostic, SyntaxErrorKind};
pub use split::{DeclStream, split};

/// A parsed declaration stream.
#[derive(Debug)]
pub struct ParsedUnit {
    pub ast: Ast,
    /// The declarations at namespace level, in order. Those of one namespace stand in its declaration.
    pub decls: Box<[DeclId]>,
    /// The global scope. It continues that of the layer below.
    pub global: ScopeId,
    pub diagnostics: Vec<SyntaxDiagnostic>,
}

/// A parsed function body.
#[derive(Debug)]
pub struct ParsedBody {
    pub ast: Ast,
    /// The member initialisers of a constructor. Their ranges are tokens of the unit.
    pub inits: Box<[MemInit]>,
    /// The outermost block.
    pub root: StmtId,
    pub diagnostics: Vec<SyntaxDiagnostic>,
}

/// Parses a declaration stream as a layer on `base`.
///
/// Token number `base.end().tokens + i` is `tokens[i]`; without a base the numbers start at zero. Bodies may be cut
/// out or not: those that are still there become [`ast::FunctionBody::Inline`] and are not looked into.
pub fn parse_decls(base: Option<Arc<Ast>>, tokens: &[Token]) -> ParsedUnit {
    let lower_global = base.as_deref().and_then(global_of);
    let mut ast = Parser::layer(base, tokens.len());
    let start = ast.start().tokens;
    let mut global_scope = Scope::new(ScopeKind::Global, None);
    global_scope.extends = lower_global;
    let global = ast.alloc_scope(global_scope);
    if let Some(lower) = lower_global {
        let root = ast.root_scope(lower);
        ast.extensions.insert(root, global);
    }
    let mut parser = Parser::new(ast, global, up_to_eof(tokens), start);
    let mut decls = Vec::new();
    parser.parse_declarations(&mut decls, false);
    let Parser { ast, diagnostics, .. } = parser;
    ParsedUnit { ast, decls: decls.into_boxed_slice(), global, diagnostics }
}

/// Parses a function body, braces included, and the function's member initialisers, as a layer on `unit`.
///
/// `unit_tokens` is what `unit` was parsed from, and `function` a function of it. The body's tokens get numbers of
/// their own: `unit.end().tokens + i` is `body[i]`. For a body that stayed in the stream
/// ([`ast::FunctionBody::Inline`] of some range) the caller passes the tokens of that range, and a number `n` of the
/// body's layer is the unit's token `range.start + (n - unit.end().tokens)`.
///
/// What is declared behind the function at namespace level is invisible in the body; its class is complete.
pub fn parse_body(unit: Arc<Ast>, unit_tokens: &[Token], function: DeclId, body: &[Token]) -> ParsedBody {
    let unit_start = unit.start().tokens;
    let (scope, inits) = match &unit[function].kind {
        DeclKind::Function(function) => (function.scope, function.inits),
        _ => (unit[function].scope, ast::TokenRange::default()),
    };
    let mut ast = Parser::layer(Some(unit), body.len());
    let body_start = ast.start().tokens;
    let mut diagnostics = Vec::new();
    let mut parsed_inits = Vec::new();
    let init_tokens = inits
        .start
        .checked_sub(unit_start)
        .and_then(|first| unit_tokens.get(first as usize..(inits.end - unit_start) as usize))
        .unwrap_or_default();
    if !init_tokens.is_empty() {
        let mut parser = Parser::new(ast, scope, init_tokens, inits.start);
        parsed_inits = parser.parse_member_initialisers();
        diagnostics = parser.diagnostics;
        ast = parser.ast;
    }
    let mut parser = Parser::new(ast, scope, up_to_eof(body), body_start);
    let root = parser.parse_compound_statement();
    if !parser.at_end() && parser.diagnostics.is_empty() {
        parser.expected("the end of the function");
    }
    diagnostics.append(&mut parser.diagnostics);
    ParsedBody { ast: parser.ast, inits: parsed_inits.into_boxed_slice(), root, diagnostics }
}

/// The tokens in front of the first end marker.
fn up_to_eof(tokens: &[Token]) -> &[Token] {
    let end = tokens.iter().position(|token| token.kind == TokenKind::Eof).unwrap_or(tokens.len());
    &tokens[..end]
}

/// The global scope of a layer that [`parse_decls`] made.
fn global_of(ast: &Ast) -> Option<ScopeId> {
    // It is the first scope of its layer.
    let scope = ScopeId(ast.start().scopes);
    (ast.end().scopes > scope.0 && ast[scope].kind == ScopeKind::Global).then_some(scope)
}

impl Parser<'_> {
    /// `a(1), b{2}, base<T>(x)...`.
    fn parse_member_initialisers(&mut self) -> Vec<MemInit> {
        let mut inits = Vec::new();
        while !self.at_end() {
            let start = self.number();
            if !self.at_path() && !self.at_keyword(msl_preproc::Keyword::Decltype) {
                self.expected("a member or base class");
                break;
            }
            let parsed = self.parse_path(PathUse::Type);
            let range = self.range_from(start);
            let target = self.path_type(parsed.path, range, false);
            let init = match self.kind() {
                TokenKind::Punct(Punct::LParen | Punct::LBrace) => self.parse_initialiser(),
                _ => {
                    self.expected("`(` or `{` behind a member");
                    Init::None
                }
            };
            let expansion = self.eat(Punct::Ellipsis);
            let range = self.range_from(start);
            inits.push(MemInit { target, init, expansion, range });
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        if !self.at_end() {
            self.missing("`,`");
        }
        inits
    }
}
