//! Recovery: where to go on after an error.
//!
//! The rule is that a broken construct spoils nothing beyond itself. A token that starts a line and can only start a
//! declaration ends whatever is unfinished before it, brackets included.

use msl_preproc::{Keyword, Punct, Token, TokenFlags, TokenKind};

use crate::parser::Parser;
use crate::scan::{is_type_keyword, space_of_keyword};

impl Parser<'_> {
    /// Whether the current token starts a line and a declaration at namespace level.
    pub(crate) fn at_line_start_declaration(&self) -> bool {
        self.sub == 0 && starts_declaration(self.tokens, self.position)
    }

    /// Whether the current token starts a line and a declaration that cannot stand inside brackets: the list around
    /// it is not finished.
    pub(crate) fn breaks_list(&self) -> bool {
        self.at_line_start()
            && self.at_line_start_declaration()
            && (matches!(
                self.kind(),
                TokenKind::Keyword(
                    Keyword::Template
                        | Keyword::Namespace
                        | Keyword::Typedef
                        | Keyword::Using
                        | Keyword::Struct
                        | Keyword::Class
                        | Keyword::Enum
                        | Keyword::Union
                )
            ) || function_definition_at(self.tokens, self.position))
    }

    /// To the closing bracket of the one numbered `open`, which is not taken; without one, to where the code around
    /// it seems to go on.
    pub(crate) fn skip_to_closing(&mut self, open: u32) {
        let Some(position) = open.checked_sub(self.base) else { return };
        if let Some(close) = self.partner_of(position as usize)
            && close >= self.position
        {
            self.position = close;
            self.sub = 0;
            return;
        }
        while !matches!(
            self.kind(),
            TokenKind::Eof | TokenKind::Body | TokenKind::Punct(Punct::Semi | Punct::RBrace | Punct::LBrace)
        ) && !self.at_line_start_declaration()
        {
            self.bump();
        }
    }

    /// Behind the partner of the bracket numbered `open`, unless a statement ends in between: then the partner is
    /// that of another bracket.
    pub(crate) fn skip_behind_partner(&mut self, open: u32) {
        let Some(close) = open.checked_sub(self.base).and_then(|position| self.partner_of(position as usize)) else {
            return;
        };
        let ends_between =
            (self.position..close).any(|position| matches!(self.kind_at(position), TokenKind::Punct(Punct::Semi)));
        if close >= self.position && !ends_between {
            self.position = close + 1;
            self.sub = 0;
        }
    }

    /// Over `<…>` without looking at what it holds.
    pub(crate) fn skip_angles(&mut self) {
        match self.scan_angles(self.position) {
            Some(end) if end > self.position => {
                self.position = end;
                self.sub = 0;
                // Only the first character of a longer token closed the list.
                if !self.punct_before_is_gt() && self.at_closing_angle() {
                    self.eat_closing_angle();
                }
            }
            _ => {
                self.bump();
            }
        }
    }

    fn punct_before_is_gt(&self) -> bool {
        matches!(self.kind_at(self.position.wrapping_sub(1)), TokenKind::Punct(Punct::Gt | Punct::Shr))
    }

    /// Over the rest of a broken declaration, its `;` or body included.
    pub(crate) fn skip_declaration(&mut self) {
        let start = self.position;
        self.skip_to_declaration_end();
        match self.kind() {
            TokenKind::Punct(Punct::Semi) | TokenKind::Body => {
                self.bump();
            }
            _ if self.position == start && !self.at(Punct::RBrace) && !self.at_line_start_declaration() => {
                self.bump();
            }
            _ => {}
        }
    }

    /// To the `;`, body or `}` that ends the declaration, or to the next declaration. Balanced braces are skipped.
    pub(crate) fn skip_to_declaration_end(&mut self) {
        let start = self.position;
        loop {
            match self.kind() {
                TokenKind::Eof | TokenKind::Body | TokenKind::Punct(Punct::Semi | Punct::RBrace) => return,
                TokenKind::Punct(Punct::LBrace) => {
                    match self.partner_of(self.position) {
                        Some(close) => self.position = close + 1,
                        None => {
                            self.bump();
                        }
                    }
                    // A block ends the declaration, save for what may follow a class.
                    if !matches!(self.kind(), TokenKind::Punct(Punct::Semi | Punct::Comma)) {
                        return;
                    }
                }
                TokenKind::Punct(Punct::LParen | Punct::LBracket) => match self.partner_of(self.position) {
                    Some(close) => self.position = close + 1,
                    None => {
                        self.bump();
                    }
                },
                _ if self.position > start && self.at_line_start_declaration() => return,
                _ => {
                    self.bump();
                }
            }
            self.sub = 0;
        }
    }
}

/// Whether the token at `position` starts a line and can only be the start of a declaration at namespace level:
/// `template <`, `namespace n {`, `struct S {`, `kernel void f(`, `float f(`.
pub(crate) fn starts_declaration(tokens: &[Token], position: usize) -> bool {
    let kind = |position: usize| tokens.get(position).map_or(TokenKind::Eof, |token| token.kind);
    let Some(token) = tokens.get(position) else { return false };
    if !token.flags.has(TokenFlags::LINE_START) {
        return false;
    }
    match token.kind {
        TokenKind::Keyword(Keyword::Template) => {
            matches!(kind(position + 1), TokenKind::Punct(Punct::Lt | Punct::LBracket))
        }
        TokenKind::Keyword(Keyword::Namespace) => match kind(position + 1) {
            TokenKind::Ident => matches!(kind(position + 2), TokenKind::Punct(Punct::LBrace | Punct::ColonColon)),
            other => other == TokenKind::Punct(Punct::LBrace),
        },
        TokenKind::Keyword(Keyword::Typedef) => true,
        TokenKind::Keyword(Keyword::Using) => kind(position + 1) == TokenKind::Keyword(Keyword::Namespace),
        TokenKind::Keyword(Keyword::Struct | Keyword::Class | Keyword::Enum | Keyword::Union) => {
            kind(position + 1) == TokenKind::Ident
                && matches!(kind(position + 2), TokenKind::Punct(Punct::LBrace | Punct::Colon))
        }
        _ => function_head_at(tokens, position).is_some(),
    }
}

/// The position of the `(` of `[specifiers] type name (`, if that stands at `position`.
pub(crate) fn function_head_at(tokens: &[Token], mut position: usize) -> Option<usize> {
    let kind = |position: usize| tokens.get(position).map_or(TokenKind::Eof, |token| token.kind);
    let start = position;
    let mut words = 0;
    // Statements start with other keywords, calls with one name: two names in a row and `(` are a declaration.
    while position < start + 24 {
        match kind(position) {
            TokenKind::Ident => {
                if words > 0 && kind(position + 1) == TokenKind::Punct(Punct::LParen) {
                    // `T (&x)[3]` is a parameter or variable.
                    let wraps = matches!(kind(position + 2), TokenKind::Punct(Punct::Star | Punct::Amp));
                    return (!wraps).then_some(position + 1);
                }
                words += 1;
                position += 1;
                if kind(position) == TokenKind::Punct(Punct::Lt) {
                    position = angles_end(tokens, position)?;
                }
            }
            TokenKind::Keyword(keyword)
                if is_type_keyword(keyword)
                    || space_of_keyword(keyword).is_some()
                    || matches!(
                        keyword,
                        Keyword::Const
                            | Keyword::Static
                            | Keyword::Inline
                            | Keyword::Constexpr
                            | Keyword::Volatile
                            | Keyword::Struct
                    ) =>
            {
                words += 1;
                position += 1;
            }
            // In an expression a pointer operator would be a multiplication.
            TokenKind::Punct(Punct::Star | Punct::Amp) if words > 1 => position += 1,
            TokenKind::Punct(Punct::ColonColon) => {
                // `a::b`: one name.
                words -= i32::from(words > 0);
                position += 1;
            }
            TokenKind::Punct(Punct::LBracket) if kind(position + 1) == TokenKind::Punct(Punct::LBracket) => {
                // Attributes between the specifiers, or in front of them.
                let mut depth = 0;
                while position < start + 24 {
                    match kind(position) {
                        TokenKind::Punct(Punct::LBracket) => depth += 1,
                        TokenKind::Punct(Punct::RBracket) => depth -= 1,
                        TokenKind::Eof => return None,
                        _ => {}
                    }
                    position += 1;
                    if depth == 0 {
                        break;
                    }
                }
            }
            _ => return None,
        }
    }
    None
}

/// Behind the template arguments at `position`, if they are short and hold only what types are made of.
fn angles_end(tokens: &[Token], mut position: usize) -> Option<usize> {
    let end = position + 24;
    let mut depth = 0i32;
    while position < end {
        match tokens.get(position).map_or(TokenKind::Eof, |token| token.kind) {
            TokenKind::Punct(Punct::Lt) => depth += 1,
            TokenKind::Punct(Punct::Gt) => depth -= 1,
            TokenKind::Punct(Punct::Shr) => depth -= 2,
            TokenKind::Ident
            | TokenKind::Int
            | TokenKind::Keyword(_)
            | TokenKind::Punct(Punct::Comma | Punct::ColonColon | Punct::Star | Punct::Amp | Punct::Ellipsis) => {}
            _ => return None,
        }
        position += 1;
        if depth <= 0 {
            return Some(position);
        }
    }
    None
}

/// Whether a function definition stands at `position`: a head, its parameters, and `{` or the token of a cut body.
pub(crate) fn function_definition_at(tokens: &[Token], position: usize) -> bool {
    let Some(open) = function_head_at(tokens, position) else { return false };
    let kind = |position: usize| tokens.get(position).map_or(TokenKind::Eof, |token| token.kind);
    let mut depth = 0;
    let mut position = open;
    while position < open + 4096 {
        match kind(position) {
            TokenKind::Punct(Punct::LParen) => depth += 1,
            TokenKind::Punct(Punct::RParen) => {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
            TokenKind::Eof | TokenKind::Punct(Punct::Semi) => return false,
            _ => {}
        }
        position += 1;
    }
    position += 1;
    while let TokenKind::Keyword(keyword) = kind(position)
        && (keyword == Keyword::Const || space_of_keyword(keyword).is_some())
    {
        position += 1;
    }
    matches!(kind(position), TokenKind::Punct(Punct::LBrace) | TokenKind::Body)
}
