//! The lexer: bytes to tokens with their places, directives not interpreted.
//!
//! Vocabulary:
//!
//! * A *line splice* is a backslash, optional blanks and a line end; it is removed wherever it stands, also inside a
//!   token (C++17 [lex.phases] phase 2), except in a raw string.
//! * A *problem* is something wrong with the text itself (a byte that is not UTF-8, an unterminated string). It is
//!   recorded at its place and becomes a diagnostic only if the text around it is not skipped by a conditional.
//! * A *directive* is a `#` that is the first token of its line.
//!
//! The whole file is lexed at once, also what conditionals skip later: the result depends on the text only and can be
//! kept for as long as the text does not change. Every byte belongs to a token, to a comment or to white space, and
//! tokens never overlap.

mod literal;
mod scan;
mod words;

use std::ops::Range;

use msl_intern::Name;

use crate::token::{Token, TokenKind};

pub(crate) use scan::{length_of_token_at, lex_pasted};
pub(crate) use words::word_kind;

/// The longest text that is lexed, in bytes; what follows is left out and reported.
pub const MAX_FILE_LENGTH: usize = 256 << 20;

/// A token and the bytes of the file that spell it, line splices included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LexedToken {
    pub token: Token,
    /// Offset of its first byte.
    pub start: u32,
    /// Offset behind its last byte.
    pub end: u32,
}

impl LexedToken {
    /// The bytes that spell the token.
    pub fn range(&self) -> Range<u32> {
        self.start..self.end
    }
}

/// What is wrong with a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    InvalidUtf8,
    NulByte,
    UnterminatedComment,
    UnterminatedString,
    UnterminatedCharacter,
    UnterminatedRawString,
    InvalidRawStringDelimiter,
    EmptyCharacter,
    UnknownCharacter,
    FileTooLong,
}

impl ProblemKind {
    /// The message shown to the user.
    pub const fn message(self) -> &'static str {
        match self {
            ProblemKind::InvalidUtf8 => "this byte is not valid UTF-8",
            ProblemKind::NulByte => "NUL byte in the source text",
            ProblemKind::UnterminatedComment => "this comment is never closed",
            ProblemKind::UnterminatedString => "this string literal has no closing quote on its line",
            ProblemKind::UnterminatedCharacter => "this character literal has no closing quote on its line",
            ProblemKind::UnterminatedRawString => "this raw string literal is never closed",
            ProblemKind::InvalidRawStringDelimiter => "a raw string needs a delimiter of at most 16 characters and `(`",
            ProblemKind::EmptyCharacter => "empty character literal",
            ProblemKind::UnknownCharacter => "this character starts no token",
            ProblemKind::FileTooLong => "the file is too long; the rest is not analysed",
        }
    }

    pub(crate) const fn is_open_quote(self) -> bool {
        matches!(self, ProblemKind::UnterminatedString | ProblemKind::UnterminatedCharacter)
    }
}

/// Something wrong with the text, at its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub kind: ProblemKind,
    pub range: Range<u32>,
}

/// A file's tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lexed {
    /// The tokens in order; the last one is [`TokenKind::Eof`] at the end of the text and starts a line.
    pub tokens: Vec<LexedToken>,
    /// Indices into `tokens` of every `#` that is the first token of its line.
    pub directives: Vec<u32>,
    /// The comments, with their delimiters, in order.
    pub comments: Vec<Range<u32>>,
    /// Those comments that contain `msl-analyzer:`.
    pub marked_comments: Vec<Range<u32>>,
    /// What is wrong with the text, in order.
    pub problems: Vec<Problem>,
    /// The macro that guards the whole file against a second inclusion, if one does.
    pub guard: Option<Name>,
}

/// Lexes a text. `text` need not be UTF-8; a byte order mark at its start is skipped.
pub fn lex(text: &[u8]) -> Lexed {
    let mut lexed = scan::scan(text);
    lexed.guard = include_guard(&lexed);
    lexed
}

impl Lexed {
    /// The index of the first token that is not on the logical line of the token at `index`.
    pub(crate) fn line_end(&self, index: usize) -> usize {
        let mut end = index + 1;
        while end < self.tokens.len() && !self.tokens[end].token.starts_line() {
            end += 1;
        }
        end.min(self.tokens.len() - 1)
    }

    /// The index of the token that ends the text.
    pub(crate) fn eof(&self) -> usize {
        self.tokens.len() - 1
    }

    /// The name of the directive whose `#` is the token at `index`, if it is a word.
    pub(crate) fn directive_word(&self, index: usize) -> Option<&LexedToken> {
        let next = self.tokens.get(index + 1)?;
        (!next.token.starts_line() && next.token.is_word()).then_some(next)
    }
}

/// Finds the macro `X` of a file whose tokens all stand between `#ifndef X` (or `#if !defined(X)`) and its `#endif`.
fn include_guard(lexed: &Lexed) -> Option<Name> {
    use crate::token::Punct::{Bang, LParen, RParen};
    let (&first, &last) = (lexed.directives.first()?, lexed.directives.last()?);
    if first != 0 || first == last {
        return None;
    }
    let line = &lexed.tokens[1..lexed.line_end(0)];
    let is_word = |token: &LexedToken, word: &[u8]| token.token.is_word() && token.token.name.bytes() == word;
    let guard = match line {
        [directive, name] if is_word(directive, b"ifndef") => name,
        [directive, bang, defined, rest @ ..]
            if is_word(directive, b"if") && bang.token.is_punct(Bang) && is_word(defined, b"defined") =>
        {
            match rest {
                [name] => name,
                [open, name, close] if open.token.is_punct(LParen) && close.token.is_punct(RParen) => name,
                _ => return None,
            }
        }
        _ => return None,
    };
    if !guard.token.is_word() {
        return None;
    }
    let last = last as usize;
    if !is_word(lexed.directive_word(last)?, b"endif") || lexed.line_end(last) != lexed.eof() {
        return None;
    }
    let mut depth = 0u32;
    for &directive in &lexed.directives {
        let Some(word) = lexed.directive_word(directive as usize) else { continue };
        match word.token.name.bytes() {
            b"if" | b"ifdef" | b"ifndef" => depth += 1,
            b"endif" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 && directive as usize != last {
                    return None;
                }
            }
            b"else" | b"elif" | b"elifdef" | b"elifndef" if depth == 1 => return None,
            _ => {}
        }
    }
    (depth == 0).then_some(guard.token.name)
}

impl Token {
    /// Whether it is an identifier or a keyword: something that a macro can be named.
    pub fn is_word(self) -> bool {
        matches!(self.kind, TokenKind::Ident | TokenKind::Keyword(_))
    }

    /// Whether it is the first token of its line.
    pub(crate) fn starts_line(self) -> bool {
        self.flags.has(crate::token::TokenFlags::LINE_START)
    }

    /// The spelling as bytes: of the name, or the usual one of a punctuator.
    pub fn bytes(self) -> &'static [u8] {
        match self.kind {
            TokenKind::Punct(punct) => punct.text().as_bytes(),
            TokenKind::Eof => b"",
            _ => self.name.bytes(),
        }
    }
}
