//! Recovery: where to go on after an error.
//!
//! The rule is that a broken construct spoils nothing beyond itself. A token that starts a line and can only start a
//! declaration ends whatever is unfinished before it, brackets included.

use msl_preproc::{Keyword, Punct, Token, TokenFlags, TokenKind};

use crate::ast::TokenRange;
use crate::diagnostic::SyntaxErrorKind;
use crate::lookup::NameClass;
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

    /// Over `[…]` in front of a declaration or statement, which other languages write for attributes; reports it.
    /// `false` if that does not stand here.
    pub(crate) fn skip_foreign_attribute(&mut self) -> bool {
        let is_word = matches!(self.nth(1).kind, TokenKind::Ident);
        let (true, Some(close)) = (is_word, self.partner_of(self.position)) else { return false };
        if !matches!(self.kind_at(self.position + 2), TokenKind::Punct(Punct::LParen | Punct::RBracket)) {
            return false;
        }
        let first = self.number();
        let range = TokenRange::new(first, first + (close - self.position) as u32 + 1);
        let name = self.nth(1).name;
        self.report(
            SyntaxErrorKind::Misplaced,
            range,
            format!("`[{name}]` is not Metal: attributes stand in double brackets, `[[…]]`"),
        );
        self.position = close + 1;
        self.sub = 0;
        true
    }

    /// Over a declaration that begins with a word of another language: `precision highp float;`, `uniform vec4 c;`,
    /// `cbuffer Frame { … };`. Reports the word; a function is left to be read. `false` if that does not stand here.
    ///
    /// Two names in a row can be a type and what it declares; three cannot, nor can a block of declarations be what
    /// initialises a variable.
    pub(crate) fn skip_foreign_declaration(&mut self) -> bool {
        let token = self.peek();
        let name = token.name;
        let continues = |parser: &Self, position: usize| match parser.kind_at(position) {
            TokenKind::Ident => Some(true),
            TokenKind::Keyword(keyword) if is_type_keyword(keyword) => Some(false),
            _ => None,
        };
        let is_foreign = match continues(self, self.position + 1) {
            Some(is_name) => {
                !is_name
                    || continues(self, self.position + 2).is_some()
                    || self.block_of_declarations_at(self.position + 2)
            }
            // `layout(location = 0) in vec3 p;`.
            None if self.nth_is(1, Punct::LParen) => self
                .partner_of(self.position + 1)
                .is_some_and(|close| continues(self, close + 1).is_some() && !self.starts_line_at(close + 1)),
            None => false,
        };
        let is_special = self.words.is_stage(name)
            || self.space_word_at(self.position).is_some()
            || self.coherent_at(self.position)
            || name == self.words.extension
            || self.words.inline_names.contains(&name)
            || self.words.asm_names.contains(&name)
            || name == self.words.half
            || name == self.words.bfloat;
        if !is_foreign || is_special || self.starts_line_at(self.position + 1) {
            return false;
        }
        if !matches!(self.classify_name(name), NameClass::Unknown | NameClass::ClassTemplate) {
            return false;
        }
        let range = self.here();
        self.report(
            SyntaxErrorKind::Misplaced,
            range,
            format!("expected a declaration, but `{name}` is neither a type nor a word of Metal"),
        );
        self.bump();
        if function_head_at(self.tokens, self.position).is_none() {
            self.skip_declaration();
        }
        true
    }

    fn starts_line_at(&self, position: usize) -> bool {
        self.token_at(position).flags.has(TokenFlags::LINE_START)
    }

    /// Whether `{ … ; … }` stands at a position, or behind a `:` there.
    fn block_of_declarations_at(&self, mut position: usize) -> bool {
        if self.kind_at(position) == TokenKind::Punct(Punct::Colon) {
            let limit = position + 8;
            while position < limit && self.kind_at(position) != TokenKind::Punct(Punct::LBrace) {
                // Braces behind parentheses look like a function's body.
                if self.kind_at(position) == TokenKind::Body {
                    return true;
                }
                position += 1;
            }
        }
        if self.kind_at(position) != TokenKind::Punct(Punct::LBrace) {
            return false;
        }
        let Some(close) = self.partner_of(position) else { return false };
        // A semicolon comes early in such a block.
        (position + 1..close.min(position + 64)).any(|at| self.kind_at(at) == TokenKind::Punct(Punct::Semi))
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
