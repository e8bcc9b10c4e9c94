//! Where the text cursor is, in code that is being typed.
//!
//! A cursor stands between two tokens: *before* it is the last token that ends at or before it, apart from the word that
//! is being typed (the *prefix*). From there the scope is found in which a name at the cursor would be looked up.

use std::sync::Arc;

use msl_diagnostics::TextRange;
use msl_parser::ast::*;
use msl_preproc::{Punct, SpellingKind, Token, TokenKind};
use msl_ty::{DeclRef, Sema, sema::Cx, store::BindId};

use crate::view::{Layer, View, word_at};

/// A cursor in a file of a unit.
pub(crate) struct Cursor<'a> {
    pub(crate) layer: Layer<'a>,
    /// The expanded token before the prefix; `None` at the start of the unit.
    pub(crate) before: Option<usize>,
    /// The number in the layer that a token at the cursor would have.
    pub(crate) token: u32,
    /// The part of a word between its start and the cursor.
    pub(crate) prefix: TextRange,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(view: &View<'a>, path: &Arc<str>, offset: u32) -> Option<Cursor<'a>> {
        let file = view.file(path)?;
        let text = view.preprocessed.map.text(file)?;
        let offset = offset.min(text.len() as u32);
        let start = word_at(&text[..offset as usize], offset).map_or(offset, |word| word.start);
        let prefix = TextRange::new(start, offset);
        let before = token_before(view, file, start);
        let number = before.and_then(|before| view.number(before));
        let ends_body = before
            .is_some_and(|before| matches!(number, Some((Some(body), _)) if view.last_token_of(body) == Some(before)));
        let (layer, token) = match number {
            Some((Some(body), token)) if !ends_body => (view.body(body)?, token + 1),
            Some((None, token)) => (view.declarations(), token + 1),
            // Behind a body stands what follows its function.
            Some((Some(_), _)) | None => {
                let after = before.map_or(0, |before| before + 1);
                let in_stream = view.places.layout.stream.partition_point(|&token| (token as usize) < after);
                (view.declarations(), view.places.stream.start + in_stream as u32)
            }
        };
        Some(Cursor { layer, before, token, prefix })
    }

    /// The token that stands `back` tokens before the prefix, from 0.
    pub(crate) fn token_before<'v>(&self, view: &'v View<'_>, back: usize) -> Option<&'v Token> {
        view.preprocessed.tokens.get(self.before?.checked_sub(back)?)
    }

    /// From where a name at the cursor would be looked up.
    pub(crate) fn cx(&self, view: &View<'_>, sema: &Sema<'_>) -> Cx {
        let ast = self.layer.ast();
        let mut scope = view.env.global;
        let mut class = None;
        let mut visible = u32::MAX;
        // Behind a brace is outside of what it closes; behind anything else what was opened may go on.
        let closed = self.token_before(view, 0).is_some_and(|token| token.is_punct(Punct::RBrace));
        if let Some(function) = self.layer.function {
            let item = DeclRef { decl: function, bind: BindId::NONE };
            let outer = sema.cx_of(item);
            (scope, class, visible) = (outer.scope, outer.class, outer.before);
            let mut smallest = u32::MAX;
            for (_, stmt) in ast.own_stmts() {
                let inner = match &stmt.kind {
                    StmtKind::Compound { scope, .. }
                    | StmtKind::If { scope, .. }
                    | StmtKind::Switch { scope, .. }
                    | StmtKind::While { scope, .. }
                    | StmtKind::For { scope, .. }
                    | StmtKind::RangeFor { scope, .. } => *scope,
                    _ => continue,
                };
                self.narrow(stmt.range, closed, inner, &mut smallest, &mut scope);
            }
            for (_, expr) in ast.own_exprs() {
                if let ExprKind::Lambda(lambda) = &expr.kind {
                    self.narrow(expr.range, closed, lambda.scope, &mut smallest, &mut scope);
                }
            }
        } else {
            let mut smallest = u32::MAX;
            for (decl, data) in ast.own_decls() {
                match &data.kind {
                    DeclKind::Namespace { scope: inner, .. } => {
                        self.narrow(data.range, closed, *inner, &mut smallest, &mut scope);
                    }
                    DeclKind::Record(record) => {
                        if let Some(inner) = record.scope
                            && self.narrow(data.range, closed, inner, &mut smallest, &mut scope)
                        {
                            class = Some(sema.record_self(decl, BindId::NONE));
                        }
                    }
                    DeclKind::Function(function) => {
                        self.narrow(data.range, closed, function.scope, &mut smallest, &mut scope);
                    }
                    _ => {}
                }
            }
        }
        // Declarations are numbered in the order of their points of declaration.
        let own = ast.start().decls;
        let later = ast.own_decls().filter(|(_, decl)| decl.name_token >= self.token).map(|(decl, _)| decl.0).min();
        let limit = later.unwrap_or(ast.end().decls).max(own);
        let (before, before_local) =
            if self.layer.body.is_some() { (visible, limit) } else { (limit.max(own), u32::MAX) };
        Cx { scope, bind: BindId::NONE, before, before_local, class }
    }

    fn narrow(&self, range: TokenRange, closed: bool, inner: ScopeId, smallest: &mut u32, scope: &mut ScopeId) -> bool {
        let is_inside = range.start < self.token && (self.token < range.end || self.token == range.end && !closed);
        let size = range.end - range.start;
        if is_inside && size <= *smallest {
            (*smallest, *scope) = (size, inner);
        }
        is_inside
    }
}

/// The last token that the author typed in a file before an offset.
fn token_before(view: &View<'_>, file: msl_preproc::FileId, offset: u32) -> Option<usize> {
    let index = view.preprocessed.spelled_to_expanded();
    let mut window = 256;
    loop {
        let start = offset.saturating_sub(window);
        let found = index
            .tokens_in(file, start..offset)
            .filter(|&token| {
                let (_, range, kind) = view.preprocessed.map.spelling(view.preprocessed.origins[token as usize]);
                kind == SpellingKind::Typed && range.end <= offset
            })
            .last();
        match found {
            Some(token) => return Some(token as usize),
            None if start == 0 => return None,
            None => window *= 8,
        }
    }
}

/// Whether code could stand at an offset: not in a comment, a string or a number. `start` is where the word at the offset
/// begins, or the offset itself.
pub(crate) fn is_code(view: &View<'_>, file: msl_preproc::FileId, start: u32) -> bool {
    let Some(text) = view.preprocessed.map.text(file) else { return false };
    let before = token_before(view, file, start);
    let end = before.map_or(0, |before| {
        let (_, range, _) = view.preprocessed.map.spelling(view.preprocessed.origins[before]);
        range.end
    });
    // A token that goes on behind the place.
    let around = view.preprocessed.spelled_to_expanded().tokens_in(file, end..start).any(|token| {
        let (_, range, _) = view.preprocessed.map.spelling(view.preprocessed.origins[token as usize]);
        range.start < start && start < range.end
    });
    if around {
        return false;
    }
    // Between tokens there are white space, comments and directives.
    let mut gap = &text[end as usize..(start as usize).max(end as usize)];
    loop {
        let slash = gap.iter().position(|&byte| byte == b'/');
        let Some(rest) = slash.map(|slash| &gap[slash..]) else { return true };
        if rest.starts_with(b"//") {
            match rest.iter().position(|&byte| byte == b'\n') {
                Some(newline) => gap = &rest[newline..],
                None => return false,
            }
        } else if rest.starts_with(b"/*") {
            match rest[2..].windows(2).position(|pair| pair == b"*/") {
                Some(close) => gap = &rest[close + 4..],
                None => return false,
            }
        } else {
            gap = &rest[1..];
        }
    }
}

/// What encloses the cursor: a call whose arguments are being typed.
pub(crate) struct OpenCall {
    /// The expanded token of the opening parenthesis (or brace).
    pub(crate) open: usize,
    /// Commas between it and the cursor that are not inside other brackets.
    pub(crate) commas: usize,
}

/// How far the search for an opening parenthesis goes back.
const MAX_CALL: usize = 4000;

/// The innermost call that is open at the cursor.
pub(crate) fn open_call(view: &View<'_>, cursor: &Cursor<'_>) -> Option<OpenCall> {
    let tokens = &view.preprocessed.tokens;
    let mut depth = 0usize;
    let mut commas = 0;
    let mut at = cursor.before? + 1;
    for _ in 0..MAX_CALL {
        at = at.checked_sub(1)?;
        let TokenKind::Punct(punct) = tokens[at].kind else { continue };
        match punct {
            Punct::RParen | Punct::RBracket | Punct::RBrace => depth += 1,
            Punct::LParen if depth == 0 => {
                let is_call = at.checked_sub(1).is_some_and(|before| {
                    matches!(tokens[before].kind, TokenKind::Ident | TokenKind::Keyword(_))
                        || tokens[before].is_punct(Punct::Gt)
                        // `table[i](…)`; what stands before the parameters of a lambda calls nothing.
                        || tokens[before].is_punct(Punct::RBracket)
                });
                if is_call {
                    return Some(OpenCall { open: at, commas });
                }
                commas = 0;
            }
            Punct::LBracket if depth == 0 => commas = 0,
            Punct::LBrace if depth == 0 => return None,
            Punct::LParen | Punct::LBracket | Punct::LBrace => depth = depth.saturating_sub(1),
            Punct::Semi if depth == 0 => return None,
            Punct::Comma if depth == 0 => commas += 1,
            _ => {}
        }
    }
    None
}
