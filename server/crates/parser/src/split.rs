//! The cheap split: function bodies are cut out of a unit's tokens, so that an edit inside a body leaves the
//! declarations' tokens equal.
//!
//! It is a pure function of the tokens and knows no names. It cuts `{ … }` only where it surely is a function body:
//! at namespace level or in a class, behind a parameter list and what may follow one. Bodies that declarations may
//! depend on stay: those of `constexpr` functions and of functions whose return type is deduced.

use std::cell::Cell;
use std::ops::Range;

use msl_intern::Name;
use msl_preproc::{Keyword, Punct, Token, TokenFlags, TokenKind};

use crate::recover::function_definition_at;
use crate::scan::space_of_keyword;

/// A unit's tokens without the bodies of its functions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct DeclStream {
    /// The declarations. In place of each body stands one [`TokenKind::Body`] whose `name.index()` is its number.
    pub tokens: Vec<Token>,
    /// For each of [`DeclStream::tokens`] its index in the expanded tokens; for a body that of its `{`.
    pub source: Vec<u32>,
    /// The expanded tokens of each body, braces included. A body that is never closed ends where the next
    /// declaration starts.
    pub bodies: Vec<Range<u32>>,
}

/// How far a bracket's partner is looked for in any case.
const SHORT_SCAN: usize = 256;

/// What braces hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Namespace,
    Class,
}

/// Where in a declaration's tail the splitter is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tail {
    /// Nothing that looks like a parameter list has been seen, or something else came behind it.
    None,
    /// Behind a parameter list and what belongs to it.
    Parameters,
    /// Behind `->`.
    Trailing,
    /// Behind the colon of member initialisers.
    Initialisers,
}

/// What is known of the declaration at hand.
#[derive(Clone, Copy)]
struct Declaration {
    tail: Tail,
    is_constexpr: bool,
    is_auto: bool,
    has_arrow: bool,
    has_equals: bool,
    has_class_key: bool,
    has_enum: bool,
    has_namespace: bool,
    has_extern_string: bool,
}

impl Declaration {
    const START: Declaration = Declaration {
        tail: Tail::None,
        is_constexpr: false,
        is_auto: false,
        has_arrow: false,
        has_equals: false,
        has_class_key: false,
        has_enum: false,
        has_namespace: false,
        has_extern_string: false,
    };
}

/// Cuts the function bodies out of a unit's expanded tokens.
pub fn split(tokens: &[Token]) -> DeclStream {
    let end = tokens.iter().position(|token| token.kind == TokenKind::Eof).unwrap_or(tokens.len());
    let mut splitter = Splitter {
        tokens: &tokens[..end],
        position: 0,
        out: DeclStream::default(),
        failed_scans: Cell::new(end * 8 + 65_536),
    };
    splitter.run();
    splitter.out
}

struct Splitter<'t> {
    tokens: &'t [Token],
    position: usize,
    out: DeclStream,
    /// How many tokens searches for a missing bracket may still look at.
    failed_scans: Cell<usize>,
}

impl Splitter<'_> {
    fn kind(&self, position: usize) -> TokenKind {
        self.tokens.get(position).map_or(TokenKind::Eof, |token| token.kind)
    }

    fn is(&self, position: usize, punct: Punct) -> bool {
        self.kind(position) == TokenKind::Punct(punct)
    }

    /// Copies tokens up to `end`.
    fn copy_to(&mut self, end: usize) {
        let end = end.min(self.tokens.len());
        while self.position < end {
            self.out.tokens.push(self.tokens[self.position]);
            self.out.source.push(self.position as u32);
            self.position += 1;
        }
    }

    fn run(&mut self) {
        let mut contexts: Vec<Context> = Vec::new();
        let mut declaration = Declaration::START;
        while self.position < self.tokens.len() {
            let here = self.position;
            match self.kind(here) {
                TokenKind::Punct(punct) => match punct {
                    Punct::Semi => {
                        self.copy_to(here + 1);
                        declaration = Declaration::START;
                    }
                    Punct::RBrace => {
                        self.copy_to(here + 1);
                        contexts.pop();
                        declaration = Declaration::START;
                    }
                    Punct::LParen => {
                        let counts = !self.belongs_to_keyword(here);
                        match self.balanced_end(here) {
                            Some(end) => {
                                self.copy_to(end);
                                if counts
                                    && declaration.tail != Tail::Initialisers
                                    && declaration.tail != Tail::Trailing
                                {
                                    declaration.tail = Tail::Parameters;
                                }
                            }
                            None => {
                                let end = self.broken_end(here);
                                self.copy_to(end);
                                declaration = Declaration::START;
                            }
                        }
                    }
                    Punct::LBracket => {
                        let end = self.balanced_end(here).unwrap_or(here + 1);
                        let attribute = self.is(here + 1, Punct::LBracket);
                        self.copy_to(end);
                        if !attribute && declaration.tail == Tail::Parameters {
                            declaration.tail = Tail::None;
                        }
                    }
                    Punct::LBrace => self.open_brace(&mut contexts, &mut declaration),
                    Punct::Eq => {
                        declaration.has_equals = true;
                        declaration.tail = Tail::None;
                        self.copy_to(here + 1);
                    }
                    Punct::Arrow if declaration.tail == Tail::Parameters => {
                        declaration.tail = Tail::Trailing;
                        declaration.has_arrow = true;
                        self.copy_to(here + 1);
                    }
                    Punct::Colon => {
                        if declaration.tail == Tail::Parameters && !declaration.has_equals {
                            declaration.tail = Tail::Initialisers;
                        }
                        self.copy_to(here + 1);
                        if here > 0
                            && matches!(
                                self.kind(here - 1),
                                TokenKind::Keyword(Keyword::Public | Keyword::Private | Keyword::Protected)
                            )
                        {
                            declaration = if declaration.has_class_key { declaration } else { Declaration::START };
                        }
                    }
                    Punct::Comma => {
                        if declaration.tail == Tail::Parameters {
                            declaration.tail = Tail::None;
                        }
                        self.copy_to(here + 1);
                    }
                    Punct::Amp | Punct::AmpAmp | Punct::ColonColon | Punct::Lt | Punct::Gt | Punct::Star => {
                        if declaration.tail == Tail::Parameters && !matches!(punct, Punct::Amp | Punct::AmpAmp) {
                            declaration.tail = Tail::None;
                        }
                        self.copy_to(here + 1);
                    }
                    _ => {
                        if declaration.tail == Tail::Parameters {
                            declaration.tail = Tail::None;
                        }
                        self.copy_to(here + 1);
                    }
                },
                TokenKind::Keyword(keyword) => self.keyword(keyword, &mut declaration),
                TokenKind::Ident => {
                    if declaration.tail == Tail::Parameters && !self.is_tail_word(here) {
                        declaration.tail = Tail::None;
                    }
                    self.copy_to(here + 1);
                }
                TokenKind::String => {
                    if here > 0 && self.kind(here - 1) == TokenKind::Keyword(Keyword::Extern) {
                        declaration.has_extern_string = true;
                    }
                    self.copy_to(here + 1);
                }
                _ => self.copy_to(here + 1),
            }
        }
    }

    /// Words that may stand between a parameter list and a body.
    fn is_tail_word(&self, position: usize) -> bool {
        let text = self.tokens[position].name.bytes();
        matches!(text, b"override" | b"final" | b"object_data" | b"ray_data" | b"threadgroup_imageblock" | b"coherent")
    }

    /// Whether the `(` at `position` belongs to a keyword in front of it and is no parameter list.
    fn belongs_to_keyword(&self, position: usize) -> bool {
        let Some(before) = position.checked_sub(1) else { return false };
        match self.kind(before) {
            TokenKind::Keyword(keyword) => matches!(
                keyword,
                Keyword::Alignas
                    | Keyword::Attribute
                    | Keyword::Decltype
                    | Keyword::Noexcept
                    | Keyword::Explicit
                    | Keyword::StaticAssert
                    | Keyword::Sizeof
                    | Keyword::Alignof
                    | Keyword::Throw
                    | Keyword::Asm
            ),
            TokenKind::Ident => {
                let text = self.tokens[before].name.bytes();
                text == b"coherent" && matches!(self.kind(position + 1), TokenKind::Keyword(_))
                    || matches!(text, b"typeof" | b"__typeof__" | b"__asm__" | b"__underlying_type")
            }
            _ => false,
        }
    }

    fn keyword(&mut self, keyword: Keyword, declaration: &mut Declaration) {
        let here = self.position;
        match keyword {
            Keyword::Template if self.is(here + 1, Punct::Lt) => {
                let end = self.angles_end(here + 1);
                self.copy_to(end);
                return;
            }
            Keyword::Operator => {
                // The operator's own tokens mean nothing to the splitter: `operator=`, `operator()`, `operator<`.
                let end = match self.kind(here + 1) {
                    TokenKind::Punct(Punct::LParen) if self.is(here + 2, Punct::RParen) => here + 3,
                    TokenKind::Punct(Punct::LBracket) if self.is(here + 2, Punct::RBracket) => here + 3,
                    TokenKind::Punct(Punct::LParen | Punct::LBrace | Punct::RBrace | Punct::Semi) => here + 1,
                    TokenKind::Punct(_) => here + 2,
                    _ => here + 1,
                };
                declaration.tail = Tail::None;
                self.copy_to(end);
                return;
            }
            Keyword::Constexpr => declaration.is_constexpr = true,
            Keyword::Auto if declaration.tail == Tail::None => declaration.is_auto = true,
            Keyword::Decltype
                if declaration.tail == Tail::None
                    && self.is(here + 1, Punct::LParen)
                    && self.kind(here + 2) == TokenKind::Keyword(Keyword::Auto) =>
            {
                declaration.is_auto = true;
            }
            Keyword::Struct | Keyword::Class | Keyword::Union => declaration.has_class_key = true,
            Keyword::Enum => declaration.has_enum = true,
            Keyword::Namespace => declaration.has_namespace = true,
            _ => {}
        }
        if declaration.tail == Tail::Parameters
            && !matches!(
                keyword,
                Keyword::Const
                    | Keyword::Volatile
                    | Keyword::Restrict
                    | Keyword::Noexcept
                    | Keyword::Throw
                    | Keyword::Attribute
                    | Keyword::Try
            )
            && space_of_keyword(keyword).is_none()
        {
            declaration.tail = Tail::None;
        }
        self.copy_to(here + 1);
    }

    fn open_brace(&mut self, contexts: &mut Vec<Context>, declaration: &mut Declaration) {
        let here = self.position;
        let is_body = !declaration.has_equals
            && match declaration.tail {
                Tail::None => false,
                Tail::Parameters | Tail::Trailing => true,
                // Behind a name the brace is an initialiser's.
                Tail::Initialisers => !matches!(
                    self.kind(here.wrapping_sub(1)),
                    TokenKind::Ident | TokenKind::Punct(Punct::Gt | Punct::Shr)
                ),
            };
        if is_body {
            let deduced = declaration.is_auto && !declaration.has_arrow;
            let end = self.body_end(here);
            if declaration.is_constexpr || deduced {
                self.copy_to(end);
            } else {
                let number = self.out.bodies.len() as u32;
                self.out.tokens.push(Token {
                    kind: TokenKind::Body,
                    flags: self.tokens[here].flags,
                    name: Name::from_index(number),
                });
                self.out.source.push(here as u32);
                self.out.bodies.push(here as u32..end as u32);
                self.position = end;
            }
            *declaration = Declaration::START;
            return;
        }
        if declaration.has_namespace || declaration.has_extern_string && declaration.tail == Tail::None {
            contexts.push(Context::Namespace);
            self.copy_to(here + 1);
            *declaration = Declaration::START;
            return;
        }
        if declaration.has_class_key
            && !declaration.has_enum
            && !declaration.has_equals
            && declaration.tail == Tail::None
        {
            contexts.push(Context::Class);
            self.copy_to(here + 1);
            *declaration = Declaration::START;
            return;
        }
        // An enumeration's list or an initialiser.
        let end = self.balanced_end(here).unwrap_or(here + 1);
        self.copy_to(end);
    }

    /// Behind the `>` of the template header whose `<` is at `position`; behind the `<` if there is none.
    fn angles_end(&self, position: usize) -> usize {
        let mut depth = 0i32;
        let mut at = position;
        while at < self.tokens.len() {
            match self.kind(at) {
                TokenKind::Punct(Punct::Lt) => depth += 1,
                TokenKind::Punct(Punct::Gt) => depth -= 1,
                TokenKind::Punct(Punct::Shr) => depth -= 2,
                TokenKind::Punct(Punct::LParen | Punct::LBracket) => match self.balanced_end(at) {
                    Some(end) => {
                        at = end;
                        continue;
                    }
                    None => return position + 1,
                },
                // The header is never closed.
                TokenKind::Punct(Punct::Semi | Punct::LBrace | Punct::RBrace) => return position + 1,
                _ => {}
            }
            at += 1;
            if depth <= 0 {
                return at;
            }
        }
        at
    }

    /// Behind the partner of the bracket at `position`. Between them no declaration may start.
    fn balanced_end(&self, position: usize) -> Option<usize> {
        // Brackets without partner are looked for again and again from inside; the budget keeps that linear.
        let budget = self.failed_scans.get();
        let limit = self.tokens.len().min(position + budget.max(SHORT_SCAN));
        let (end, at) = self.scan_balanced(position, limit);
        if end.is_none() {
            self.failed_scans.set(budget.saturating_sub(at - position));
        }
        end
    }

    /// The end of the bracket, and where the search stopped.
    fn scan_balanced(&self, position: usize, limit: usize) -> (Option<usize>, usize) {
        let mut open: Vec<Punct> = Vec::new();
        let mut braces = 0;
        let mut at = position;
        while at < limit {
            if at > position && self.declaration_starts(at) {
                return (None, at);
            }
            if let TokenKind::Punct(punct) = self.kind(at) {
                match punct {
                    Punct::LParen | Punct::LBracket | Punct::LBrace => {
                        braces += usize::from(punct == Punct::LBrace);
                        open.push(punct);
                    }
                    Punct::RParen | Punct::RBracket | Punct::RBrace => {
                        let wanted = match punct {
                            Punct::RParen => Punct::LParen,
                            Punct::RBracket => Punct::LBracket,
                            _ => Punct::LBrace,
                        };
                        if open.pop() != Some(wanted) {
                            return (None, at);
                        }
                        braces -= usize::from(punct == Punct::RBrace);
                        if open.is_empty() {
                            return (Some(at + 1), at);
                        }
                    }
                    Punct::Semi if braces == 0 => return (None, at),
                    _ => {}
                }
            }
            at += 1;
        }
        (None, at)
    }

    /// Where a declaration with an unclosed bracket at `position` seems to end.
    fn broken_end(&self, position: usize) -> usize {
        let mut at = position + 1;
        while at < self.tokens.len() {
            if self.declaration_starts(at)
                || matches!(self.kind(at), TokenKind::Punct(Punct::Semi | Punct::LBrace | Punct::RBrace))
            {
                return at;
            }
            at += 1;
        }
        at
    }

    /// Whether a token starts a line and something that cannot stand in a function or in brackets.
    fn declaration_starts(&self, position: usize) -> bool {
        let token = self.tokens[position];
        if !token.flags.has(TokenFlags::LINE_START) {
            return false;
        }
        match token.kind {
            TokenKind::Keyword(Keyword::Template) => self.is(position + 1, Punct::Lt),
            TokenKind::Keyword(Keyword::Namespace) => {
                self.kind(position + 1) == TokenKind::Ident && self.is(position + 2, Punct::LBrace)
            }
            TokenKind::Ident | TokenKind::Keyword(_) => function_definition_at(self.tokens, position),
            TokenKind::Punct(Punct::LBracket) => function_definition_at(self.tokens, position),
            _ => false,
        }
    }

    /// Whether a token starts a line and something that seldom stands in a function; asked only if the braces do
    /// not balance.
    fn declaration_may_start(&self, position: usize) -> bool {
        let token = self.tokens[position];
        token.flags.has(TokenFlags::LINE_START)
            && match token.kind {
                TokenKind::Keyword(Keyword::Typedef | Keyword::Constant) => true,
                TokenKind::Keyword(Keyword::Struct | Keyword::Class | Keyword::Enum | Keyword::Union) => {
                    self.kind(position + 1) == TokenKind::Ident
                        && matches!(self.kind(position + 2), TokenKind::Punct(Punct::LBrace | Punct::Colon))
                }
                TokenKind::Keyword(Keyword::Using) => self.kind(position + 1) == TokenKind::Keyword(Keyword::Namespace),
                _ => false,
            }
    }

    /// Behind the body whose `{` is at `position`; if it is never closed, where the next declaration starts.
    fn body_end(&self, position: usize) -> usize {
        let mut braces: Vec<Context> = Vec::new();
        let mut classes = 0;
        let mut class_key = false;
        let mut at = position;
        while at < self.tokens.len() {
            if classes == 0 && at > position && self.declaration_starts(at) {
                return at;
            }
            match self.kind(at) {
                TokenKind::Punct(Punct::LBrace) => {
                    let context = if class_key { Context::Class } else { Context::Namespace };
                    classes += usize::from(class_key);
                    class_key = false;
                    braces.push(context);
                }
                TokenKind::Punct(Punct::RBrace) => {
                    class_key = false;
                    if braces.pop() == Some(Context::Class) {
                        classes -= 1;
                    }
                    if braces.is_empty() {
                        return at + 1;
                    }
                }
                TokenKind::Punct(Punct::Semi | Punct::LParen | Punct::RParen | Punct::Eq) => class_key = false,
                TokenKind::Keyword(Keyword::Struct | Keyword::Class | Keyword::Union) => class_key = true,
                _ => {}
            }
            at += 1;
        }
        (position + 1..self.tokens.len()).find(|&at| self.declaration_may_start(at)).unwrap_or(self.tokens.len())
    }
}
