//! The replacement list: parameters, `#`, `##`, `__VA_OPT__` and the GNU comma.

use msl_intern::Name;

use super::{Arguments, PLACEMARKER, Placed, SPACING, set_spacing};
use crate::{
    lexer::lex_pasted,
    macros::MacroDef,
    names::names,
    output::DiagnosticKind,
    preprocess::Preprocessor,
    source_map::{Interval, SpellingKind},
    token::{Origin, Punct, Token, TokenFlags, TokenKind},
};

/// The longest token that `#` or `##` makes, in bytes. Doubling macros would fill the memory with a single token.
const MAX_MADE_TOKEN: usize = 64 << 10;

/// What the operators of one replacement list share.
struct Substitution<'a> {
    definition: &'a MacroDef,
    arguments: Option<&'a Arguments>,
    expansion: u32,
    /// The origin of the first token of the replacement list.
    base: Origin,
    /// The arguments expanded by themselves, as far as they were wanted.
    expanded: Vec<Option<Vec<Placed>>>,
    /// A `##` was read and waits for its right operand.
    pasting: bool,
    /// Spacing of a parameter that came out empty, for the next token.
    carry: u8,
}

impl Substitution<'_> {
    fn origin(&self, index: usize) -> Origin {
        Origin(self.base.0 + index as u32)
    }

    fn is_paste(&self, index: usize) -> bool {
        self.definition.body.get(index).is_some_and(|token| token.is_punct(Punct::HashHash))
    }

    fn variadic_parameter(&self) -> Option<usize> {
        self.definition.variadic.then(|| self.definition.parameters.len() - 1)
    }
}

impl Preprocessor<'_> {
    /// Appends the replacement of a macro to `out`.
    pub(super) fn substitute_into(
        &mut self,
        out: &mut Vec<Placed>,
        definition: &MacroDef,
        expansion: u32,
        base: Origin,
        arguments: Option<&Arguments>,
    ) {
        let mut state = Substitution {
            definition,
            arguments,
            expansion,
            base,
            expanded: vec![None; definition.parameters.len()],
            pasting: false,
            carry: 0,
        };
        let body = &definition.body;
        let is_option = |token: Option<&Token>| {
            let is_named = |token: &Token| token.name == names().va_opt && token.kind == TokenKind::Ident;
            definition.variadic && token.is_some_and(is_named)
        };
        // The closing parenthesis of the `__VA_OPT__` that is being copied.
        let mut optional_end = usize::MAX;
        // The `#` before it, with the length of `out` there: what it makes becomes a string.
        let mut stringized: Option<(Token, Origin, usize)> = None;
        let mut index = 0;
        while let Some(&token) = body.get(index) {
            let origin = state.origin(index);
            if index == optional_end {
                if let Some((hash, place, start)) = stringized.take() {
                    let start = start.min(out.len());
                    let made = self.string_of(&state, hash, &out[start..], place);
                    out.truncate(start);
                    self.append(out, &mut state, hash, &[made]);
                }
                index += 1;
            } else if index > 0 && token.is_punct(Punct::HashHash) {
                state.pasting = true;
                index += 1;
            } else if token.is_punct(Punct::Hash) && arguments.is_some() && definition.parameter(index + 1).is_some() {
                let parameter = definition.parameter(index + 1).unwrap_or_default();
                let made = self.stringize(&state, token, parameter, origin);
                self.append(out, &mut state, token, &[made]);
                index += 2;
            } else if token.is_punct(Punct::Hash) && is_option(body.get(index + 1)) {
                let is_empty = !self.has_variable_arguments(&mut state);
                match closing_paren(body, index + 2) {
                    Some(close) if is_empty || close == index + 3 => {
                        let made = self.string_of(&state, token, &[], origin);
                        self.append(out, &mut state, token, &[made]);
                        index = close + 1;
                    }
                    Some(close) => {
                        optional_end = close;
                        stringized = Some((token, origin, out.len()));
                        index += 3;
                    }
                    None => index += 1,
                }
            } else if let Some(parameter) = definition.parameter(index) {
                self.append_parameter(out, &mut state, index, parameter);
                index += 1;
            } else if is_option(Some(&token)) {
                let Some(close) = closing_paren(body, index + 1) else {
                    index += 1;
                    continue;
                };
                if self.has_variable_arguments(&mut state) && close > index + 2 {
                    optional_end = close;
                    state.carry |= token.flags.0 & SPACING;
                    index += 2;
                } else {
                    if state.pasting || state.is_paste(close + 1) {
                        self.append(out, &mut state, token, &[Placed { token: PLACEMARKER, origin }]);
                    }
                    index = close + 1;
                }
            } else {
                self.append(out, &mut state, token, &[Placed { token, origin }]);
                index += 1;
            }
        }
        for buffer in state.expanded.into_iter().flatten() {
            self.expander.give_back(buffer);
        }
        out.retain(|placed| placed.token.kind != TokenKind::Eof);
    }

    fn append_parameter(
        &mut self,
        out: &mut Vec<Placed>,
        state: &mut Substitution<'_>,
        index: usize,
        parameter: usize,
    ) {
        let token = state.definition.body[index];
        let Some(arguments) = state.arguments else { return };
        let raw = arguments.get(parameter);
        let is_operand = state.pasting || state.is_paste(index + 1);
        // GNU: in `, ## __VA_ARGS__` nothing is pasted; the comma goes if the arguments were left out.
        if state.pasting
            && state.variadic_parameter() == Some(parameter)
            && index >= 2
            && state.definition.body[index - 2].is_punct(Punct::Comma)
            && out.last().is_some_and(|last| last.token.is_punct(Punct::Comma))
        {
            state.pasting = false;
            if arguments.variable_omitted {
                out.pop();
                return;
            }
        }
        let count = if is_operand {
            raw.len()
        } else {
            self.expanded_argument(state, parameter);
            state.expanded[parameter].as_ref().map_or(0, Vec::len)
        };
        let origin = state.origin(index);
        if count == 0 {
            if is_operand {
                self.append(out, state, token, &[Placed { token: PLACEMARKER, origin }]);
            } else {
                state.carry |= token.flags.0 & SPACING;
            }
            return;
        }
        if !self.burn(count, origin) {
            return;
        }
        let taken = state.expanded[parameter].take();
        let tokens: &[Placed] = if is_operand { raw } else { taken.as_deref().unwrap_or_default() };
        let number = u16::try_from(parameter).unwrap_or(u16::MAX);
        let spellings = tokens.iter().map(|placed| placed.origin);
        if let Some(base) = self.out.map.allocate_argument(state.expansion, number, origin, spellings) {
            let mut moved = self.expander.buffer();
            moved.extend(
                tokens
                    .iter()
                    .zip(base.0..)
                    .map(|(placed, origin)| Placed { token: placed.token, origin: Origin(origin) }),
            );
            self.append(out, state, token, &moved);
            self.expander.give_back(moved);
        } else {
            self.stop(origin, "locations");
        }
        state.expanded[parameter] = taken;
    }

    /// Makes sure that the expanded form of an argument is at hand.
    fn expanded_argument(&mut self, state: &mut Substitution<'_>, parameter: usize) {
        if state.expanded[parameter].is_none() {
            let raw = state.arguments.map_or(&[][..], |arguments| arguments.get(parameter));
            state.expanded[parameter] = Some(self.expand_argument(raw));
        }
    }

    fn has_variable_arguments(&mut self, state: &mut Substitution<'_>) -> bool {
        let Some(parameter) = state.variadic_parameter() else { return false };
        self.expanded_argument(state, parameter);
        state.expanded[parameter].as_ref().is_some_and(|tokens| !tokens.is_empty())
    }

    /// Appends tokens that stand for `token` of the replacement list, the first pasted to what is there if `##` asks.
    fn append(&mut self, out: &mut Vec<Placed>, state: &mut Substitution<'_>, token: Token, tokens: &[Placed]) {
        let spacing = token.flags.0 & SPACING | std::mem::take(&mut state.carry);
        let Some((&first, rest)) = tokens.split_first() else { return };
        let pasting = std::mem::take(&mut state.pasting);
        match out.last().copied() {
            Some(left) if pasting => {
                if left.token.kind == TokenKind::Eof {
                    let mut first = first;
                    set_spacing(&mut first.token, left.token.flags.0 & SPACING);
                    out.pop();
                    out.push(first);
                } else if first.token.kind != TokenKind::Eof {
                    self.paste(out, state, left, first);
                }
            }
            _ => {
                let mut first = first;
                set_spacing(&mut first.token, spacing);
                out.push(first);
            }
        }
        out.extend_from_slice(rest);
    }

    /// Replaces the last token of `out`, which is `left`, by it and `right` put together.
    fn paste(&mut self, out: &mut Vec<Placed>, state: &Substitution<'_>, left: Placed, right: Placed) {
        let mut text = self.spelling(left).to_vec();
        text.extend_from_slice(&self.spelling(right));
        if !self.burn_bytes(text.len(), left.origin) {
            return;
        }
        let Some((kind, name)) = lex_pasted(&text) else {
            let message = format!("`##` makes no token of `{}`", String::from_utf8_lossy(&text));
            let range = left.origin..left.origin;
            self.report(DiagnosticKind::PreprocessorError, range, message);
            let mut right = right;
            set_spacing(&mut right.token, 0);
            out.push(right);
            return;
        };
        // The call site is the place in the replacement list that the left operand takes.
        let call_site = match self.out.map.step_out(left.origin) {
            Some(step) if step.expansion == state.expansion && left.origin.0 >= state.base.0 => {
                if self.is_in_body(state, left.origin) { left.origin } else { step.call_site }
            }
            _ => state.base,
        };
        let interval =
            Interval::Paste { expansion: state.expansion, left: left.origin, right: right.origin, call_site };
        let Some(origin) = self.out.map.allocate(interval, 1) else { return };
        let flags = TokenFlags(left.token.flags.0 & SPACING);
        out.pop();
        out.push(Placed { token: Token { kind, flags, name }, origin });
    }

    /// Uses fuel for a token that `#` or `##` makes. Says whether there was enough.
    fn burn_bytes(&mut self, length: usize, origin: Origin) -> bool {
        if length > MAX_MADE_TOKEN {
            self.report_limit("token length", origin..origin, "a macro makes a token that is too long");
            return false;
        }
        self.burn(length / 8, origin)
    }

    fn is_in_body(&self, state: &Substitution<'_>, origin: Origin) -> bool {
        (state.base.0..state.base.0 + state.definition.body.len() as u32).contains(&origin.0)
    }

    /// The string literal that `#` makes of an argument (C++17 [cpp.stringize]).
    fn stringize(&mut self, state: &Substitution<'_>, hash: Token, parameter: usize, call_site: Origin) -> Placed {
        let argument = state.arguments.map_or(&[][..], |arguments| arguments.get(parameter));
        self.string_of(state, hash, argument, call_site)
    }

    /// The string literal of tokens.
    fn string_of(&mut self, state: &Substitution<'_>, hash: Token, tokens: &[Placed], call_site: Origin) -> Placed {
        let tokens = tokens.iter().filter(|placed| placed.token.kind != TokenKind::Eof);
        let mut text = vec![b'"'];
        for (index, placed) in tokens.enumerate() {
            if text.len() > MAX_MADE_TOKEN {
                break;
            }
            if index > 0 && placed.token.flags.0 & SPACING != 0 {
                text.push(b' ');
            }
            let quoted = matches!(placed.token.kind, TokenKind::String | TokenKind::Char);
            for &byte in self.spelling(*placed).iter() {
                match byte {
                    b'"' | b'\\' if quoted => text.extend([b'\\', byte]),
                    b'\n' => text.extend(b"\\n"),
                    b'\r' => {}
                    _ => text.push(byte),
                }
            }
        }
        // A lone backslash at the end would escape the closing quote.
        if text.iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1 {
            text.pop();
        }
        text.push(b'"');
        if !self.burn_bytes(text.len(), call_site) {
            text = b"\"\"".to_vec();
        }
        let interval = Interval::Stringize { expansion: state.expansion, call_site };
        let origin = self.out.map.allocate(interval, 1).unwrap_or(call_site);
        let flags = TokenFlags(hash.flags.0 & SPACING);
        Placed { token: Token { kind: TokenKind::String, flags, name: Name::from_bytes(&text) }, origin }
    }

    /// How a token was typed, without line splices: digraphs and operator words stay what they are.
    fn spelling(&self, placed: Placed) -> std::borrow::Cow<'static, [u8]> {
        let usual = placed.token.bytes();
        if let TokenKind::Punct(_) = placed.token.kind {
            let (file, range, kind) = self.out.map.spelling(placed.origin);
            let typed = matches!(kind, SpellingKind::Typed | SpellingKind::MacroBody);
            if typed
                && range.len() != usual.len()
                && let Some(typed) = self.out.map.text(file).and_then(|text| {
                    text.get(range.start as usize..range.end as usize).filter(|typed| !typed.contains(&b'\\'))
                })
            {
                return typed.to_vec().into();
            }
        }
        usual.into()
    }
}

/// The index of the parenthesis that closes the one at `open`.
pub(crate) fn closing_paren(tokens: &[Token], open: usize) -> Option<usize> {
    if !tokens.get(open)?.is_punct(Punct::LParen) {
        return None;
    }
    let mut depth = 0u32;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            TokenKind::Punct(Punct::LParen) => depth += 1,
            TokenKind::Punct(Punct::RParen) => {
                depth -= 1;
                if depth == 0 {
                    return Some(index);
                }
            }
            _ => {}
        }
    }
    None
}
