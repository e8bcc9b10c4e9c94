//! `#pragma` and `_Pragma`.

use std::ops::Range;

use msl_intern::Name;

use super::Line;
use crate::{
    expand::Placed,
    output::PragmaDirective,
    preprocess::Preprocessor,
    source::FileId,
    token::{Punct, Token, TokenFlags, TokenKind},
};

impl Preprocessor<'_> {
    pub(super) fn pragma_directive(&mut self, line: Line) {
        let tokens = self.placed_tokens(line.operands(), line.end);
        let frame = self.top();
        let (file, range) = (frame.file, frame.byte_range(line.hash, line.end));
        let origin = frame.origin(line.hash + 1);
        let mut flags = TokenFlags(TokenFlags::LINE_START);
        flags.0 |= self.expander.take_carry();
        if let Some(name) = self.pragma(&tokens, file, range) {
            self.out.tokens.push(Token { kind: TokenKind::Pragma, flags, name });
            self.out.origins.push(origin);
        }
    }

    /// Obeys a pragma and records it. Gives the text of one that belongs to the statement behind it.
    pub(crate) fn pragma(&mut self, tokens: &[Placed], file: FileId, range: Range<u32>) -> Option<Name> {
        let word = |index: usize| tokens.get(index).map_or(&b""[..], |placed| placed.token.bytes());
        let is_loop_hint = match word(0) {
            b"unroll" | b"nounroll" => true,
            b"clang" => word(1) == b"loop",
            b"push_macro" | b"pop_macro" => {
                self.push_or_pop_macro(tokens);
                false
            }
            b"once" => {
                if self.files.len() > 1 {
                    self.once.insert(file);
                }
                false
            }
            _ => false,
        };
        // Loop hints take numbers that are often macros; other pragmas are recorded as typed.
        let text = if is_loop_hint { pragma_text(&self.expand_pragma(tokens)) } else { pragma_text(tokens) };
        self.out.pragmas.push(PragmaDirective { file, range, text });
        is_loop_hint.then_some(text)
    }

    /// `#pragma push_macro("X")` remembers what `X` means, `pop_macro` makes it mean that again.
    fn push_or_pop_macro(&mut self, tokens: &[Placed]) {
        let [word, open, literal, close] = tokens else { return };
        if !open.token.is_punct(Punct::LParen) || !close.token.is_punct(Punct::RParen) {
            return;
        }
        let [b'"', name @ .., b'"'] = literal.token.bytes() else { return };
        let name = Name::from_bytes(name);
        if word.token.name.bytes() == b"push_macro" {
            let current = self.table.get(name).cloned();
            self.pushed_macros.entry(name).or_default().push(current);
        } else if let Some(pushed) = self.pushed_macros.get_mut(&name).and_then(Vec::pop) {
            match pushed {
                Some(definition) => self.table.define(definition),
                None => self.table.undefine(name),
            }
        }
    }

    fn expand_pragma(&mut self, tokens: &[Placed]) -> Vec<Placed> {
        // The hint's own words are no macros.
        let own = if tokens[0].token.bytes() == b"clang" { 2 } else { 1 };
        let mut result = tokens[..own].to_vec();
        result.extend(self.expand_argument(&tokens[own..]));
        result
    }
}

/// The text of tokens, one space where there was white space.
fn pragma_text(tokens: &[Placed]) -> Name {
    let mut text = Vec::new();
    for (index, placed) in tokens.iter().enumerate() {
        let spaced = TokenFlags::SPACE_BEFORE | TokenFlags::LINE_START;
        if index > 0 && placed.token.flags.0 & spaced != 0 {
            text.push(b' ');
        }
        text.extend(placed.token.bytes());
    }
    Name::from_bytes(&text)
}
