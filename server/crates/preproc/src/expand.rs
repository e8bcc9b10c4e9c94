//! Macro expansion (C++17 [cpp.replace]).
//!
//! Vocabulary:
//!
//! * A *frame* is a stretch of tokens that is read before the file goes on: the result of an expansion, which is
//!   thereby rescanned together with what follows it. Frames stand on a stack and share one store of tokens.
//! * While the frame of a macro is on the stack the macro is *disabled*. A token that names it then is *painted*
//!   ([`TokenFlags::NO_EXPAND`]) and never expanded again, wherever it ends up.
//! * The *floor* hides the frames below it, and the file, while an argument is expanded by itself.
//! * A *placemarker* stands for an empty operand of `##`; here it is a token of kind [`TokenKind::Eof`].
//!
//! Only expanding an argument recurses, and [`Limits::argument_depth`](crate::Limits) bounds that.

mod builtin;
mod operators;

pub(crate) use builtin::line_of;
pub(crate) use operators::closing_paren;

use std::sync::Arc;

use crate::{
    macros::{MacroDef, MacroId, MacroKind},
    output::{DiagnosticKind, MacroReference, MacroReferenceKind},
    preprocess::Preprocessor,
    source_map::Interval,
    token::{Origin, Punct, Token, TokenFlags, TokenKind},
};

/// A token with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) token: Token,
    pub(crate) origin: Origin,
}

/// The flags that say how a token stands to the one before it.
const SPACING: u8 = TokenFlags::LINE_START | TokenFlags::SPACE_BEFORE;

const PLACEMARKER: Token = Token::EOF;

struct Frame {
    /// The macro that is disabled while the frame stands; `None` for tokens that were only put back.
    disables: Option<MacroId>,
    start: usize,
    at: usize,
    end: usize,
}

/// The stack of frames and the fuel.
#[derive(Default)]
pub(crate) struct Expander {
    frames: Vec<Frame>,
    /// The tokens of all frames.
    tokens: Vec<Placed>,
    /// By macro number.
    disabled: Vec<bool>,
    floor: usize,
    argument_depth: u32,
    /// Spacing of expansions that came out empty, for the next token.
    carry: u8,
    total: u32,
    this_expansion: u32,
    /// Fuel ran out: until the next top-level expansion (or for good) nothing is expanded.
    stopped: bool,
    /// Buffers to use again.
    buffers: Vec<Vec<Placed>>,
}

impl Expander {
    pub(crate) fn add_macro(&mut self) {
        self.disabled.push(false);
    }

    pub(crate) fn begin_top_level(&mut self) {
        self.this_expansion = 0;
        self.stopped = false;
    }

    #[inline]
    pub(crate) fn take_carry(&mut self) -> u8 {
        std::mem::take(&mut self.carry)
    }

    fn buffer(&mut self) -> Vec<Placed> {
        self.buffers.pop().unwrap_or_default()
    }

    fn give_back(&mut self, mut buffer: Vec<Placed>) {
        buffer.clear();
        if self.buffers.len() < 64 {
            self.buffers.push(buffer);
        }
    }

    /// Puts tokens before everything else that will be read.
    fn push(&mut self, tokens: impl IntoIterator<Item = Placed>, disables: Option<MacroId>) {
        let start = self.tokens.len();
        self.tokens.extend(tokens);
        self.frames.push(Frame { disables, start, at: start, end: self.tokens.len() });
        if let Some(id) = disables {
            self.disabled[id.0 as usize] = true;
        }
    }

    fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.tokens.truncate(frame.start);
            if let Some(id) = frame.disables {
                self.disabled[id.0 as usize] = false;
            }
        }
    }
}

/// The arguments of a macro call.
struct Arguments {
    /// All tokens of the call behind the name, parentheses included.
    tokens: Vec<Placed>,
    /// The stretch of `tokens` of each argument.
    bounds: Vec<(usize, usize)>,
    closed: bool,
    /// The variable arguments were left out, not merely empty.
    variable_omitted: bool,
}

impl Arguments {
    fn get(&self, parameter: usize) -> &[Placed] {
        self.bounds.get(parameter).map_or(&[], |&(start, end)| &self.tokens[start..end])
    }
}

impl Preprocessor<'_> {
    /// The next token that no macro will touch any more. `from_file` says whether to read on in the file when the
    /// frames are used up.
    pub(crate) fn next_expanded(&mut self, from_file: bool) -> Option<Placed> {
        loop {
            let mut placed = self.next_raw(from_file)?;
            placed.token.flags.0 |= self.expander.take_carry();
            if placed.token.is_word() && self.table.may_contain(placed.token.name) {
                match self.expand_or_keep(placed.token, placed.origin) {
                    Some(token) => return Some(Placed { token, ..placed }),
                    None => continue,
                }
            }
            return Some(placed);
        }
    }

    /// The next token as it is. Directives on the way, which stand inside the arguments of a macro call, are handled.
    pub(crate) fn next_raw(&mut self, from_file: bool) -> Option<Placed> {
        loop {
            if self.expander.frames.len() > self.expander.floor {
                let frame = self.expander.frames.last_mut()?;
                if frame.at < frame.end {
                    frame.at += 1;
                    return Some(self.expander.tokens[frame.at - 1]);
                }
                self.expander.pop();
                continue;
            }
            if self.expander.floor > 0 || !from_file {
                return None;
            }
            let frame = self.top();
            if frame.at >= frame.limit {
                return None;
            }
            if frame.lexed.directives.get(frame.next_directive).is_some_and(|&index| index as usize == frame.at) {
                if frame.at_include() {
                    // No compiler includes a file inside arguments, so the call's parenthesis is missing.
                    return None;
                }
                self.directive();
                continue;
            }
            let token = frame.lexed.tokens[frame.at].token;
            let origin = frame.origin(frame.at);
            frame.at += 1;
            let at = frame.at;
            self.report_problems(at);
            return Some(Placed { token, origin });
        }
    }

    /// Whether the next token is an opening parenthesis. Nothing is read, so no macro is enabled again.
    fn next_is_open_paren(&mut self) -> bool {
        let expander = &self.expander;
        for frame in expander.frames[expander.floor..].iter().rev() {
            if frame.at < frame.end {
                return expander.tokens[frame.at].token.is_punct(Punct::LParen);
            }
        }
        if expander.floor > 0 {
            return false;
        }
        let frame = self.top();
        frame.at < frame.limit && frame.lexed.tokens[frame.at].token.is_punct(Punct::LParen)
    }

    /// Expands a token if it names a macro that may be expanded here: then its replacement is put before what follows
    /// and the result is `None`. Else gives the token, maybe painted.
    pub(crate) fn expand_or_keep(&mut self, token: Token, origin: Origin) -> Option<Token> {
        if token.flags.has(TokenFlags::NO_EXPAND) || self.expander.stopped {
            return Some(token);
        }
        let Some(definition) = self.table.get(token.name) else { return Some(token) };
        let definition = Arc::clone(definition);
        let id = self.macro_id(&definition);
        if self.expander.disabled[id.0 as usize] {
            return Some(painted(token));
        }
        if self.expander.frames.len() >= self.options.limits.expansion_depth as usize {
            self.report_limit("depth", origin..origin, "macros are expanded too deeply inside each other");
            return Some(painted(token));
        }
        match definition.kind {
            MacroKind::Object => {
                if !self.burn(definition.body.len(), origin) {
                    return Some(painted(token));
                }
                self.substitute(id, &definition, (origin, origin), token, None);
                None
            }
            MacroKind::Function => {
                if !self.next_is_open_paren() {
                    let kind = MacroReferenceKind::NotCalled;
                    let reference = MacroReference { name: token.name, definition: Some(id), origin, kind };
                    self.out.macros.references.push(reference);
                    return Some(token);
                }
                self.expand_call(id, &definition, token, origin)
            }
            MacroKind::Builtin(builtin) => self.expand_builtin(id, builtin, token, origin),
        }
    }

    fn expand_call(&mut self, id: MacroId, definition: &MacroDef, name: Token, origin: Origin) -> Option<Token> {
        let mut arguments = self.collect_arguments(definition);
        let wanted = definition.parameters.len();
        if wanted == 0 && arguments.bounds.len() == 1 && arguments.get(0).is_empty() {
            arguments.bounds.clear();
        }
        if definition.variadic {
            // The variable arguments may be left out together with their comma.
            if arguments.bounds.len() + 1 == wanted {
                let end = arguments.tokens.len() - 1;
                arguments.bounds.push((end, end));
                arguments.variable_omitted = true;
            }
            arguments.variable_omitted |= wanted == 1 && arguments.get(0).is_empty();
        }
        // What was read counts also if the call is broken: a file of open calls is read to its end for each of them.
        let has_fuel = self.burn(definition.body.len() + arguments.tokens.len(), origin);
        let complaint = if !arguments.closed {
            Some("this macro call has no closing parenthesis".to_owned())
        } else if arguments.bounds.len() != wanted {
            let given = arguments.bounds.len();
            let few = if given < wanted { "few" } else { "many" };
            Some(format!("too {few} arguments for macro `{}`: it takes {wanted}, not {given}", name.name))
        } else {
            None
        };
        if !has_fuel {
            self.expander.push(arguments.tokens.iter().copied(), None);
            self.expander.give_back(arguments.tokens);
            return Some(painted(name));
        }
        if let Some(complaint) = complaint {
            let note = crate::output::Note {
                file: definition.file,
                range: definition.name_range.clone(),
                message: format!("macro `{}` is defined here", name.name),
            };
            let end = Origin(origin.0 + name.bytes().len() as u32);
            self.report_with_notes(DiagnosticKind::PreprocessorError, origin..end, complaint, vec![note]);
            // What was typed stays, so that the parser sees something like a function call.
            self.expander.push(arguments.tokens.iter().copied(), None);
            self.expander.give_back(arguments.tokens);
            return Some(painted(name));
        }
        let call_end = arguments.tokens.last().map_or(origin, |placed| placed.origin);
        self.substitute(id, definition, (origin, call_end), name, Some(&arguments));
        self.expander.give_back(arguments.tokens);
        None
    }

    /// Reads the arguments of a call; the next token is its opening parenthesis.
    fn collect_arguments(&mut self, definition: &MacroDef) -> Arguments {
        let mut arguments =
            Arguments { tokens: self.expander.buffer(), bounds: Vec::new(), closed: false, variable_omitted: false };
        arguments.tokens.extend(self.next_raw(true));
        let mut start = 1;
        let mut depth = 0u32;
        while let Some(mut placed) = self.next_raw(true) {
            let token = &mut placed.token;
            if token.flags.has(TokenFlags::LINE_START) {
                token.flags.0 = token.flags.0 & !TokenFlags::LINE_START | TokenFlags::SPACE_BEFORE;
            }
            let end = arguments.tokens.len();
            match token.kind {
                TokenKind::Punct(Punct::LParen) => depth += 1,
                TokenKind::Punct(Punct::RParen) if depth == 0 => {
                    arguments.bounds.push((start, end));
                    arguments.closed = true;
                    arguments.tokens.push(placed);
                    break;
                }
                TokenKind::Punct(Punct::RParen) => depth -= 1,
                TokenKind::Punct(Punct::Comma)
                    if depth == 0
                        && !(definition.variadic && arguments.bounds.len() + 1 == definition.parameters.len()) =>
                {
                    arguments.bounds.push((start, end));
                    start = end + 1;
                }
                // Reading arguments may leave the frame of the macro that a word names; it must stay unexpanded.
                TokenKind::Ident | TokenKind::Keyword(_) if self.is_disabled(*token) => *token = painted(*token),
                _ => {}
            }
            arguments.tokens.push(placed);
        }
        if !arguments.closed {
            arguments.bounds.push((start.min(arguments.tokens.len()), arguments.tokens.len()));
        }
        arguments
    }

    fn is_disabled(&mut self, token: Token) -> bool {
        if !self.table.may_contain(token.name) {
            return false;
        }
        let Some(definition) = self.table.get(token.name) else { return false };
        let id = self.macro_ids.get(&Arc::as_ptr(definition));
        id.is_some_and(|id| self.expander.disabled[id.0 as usize])
    }

    /// Puts a macro's replacement before what follows.
    fn substitute(
        &mut self,
        id: MacroId,
        definition: &MacroDef,
        (call_site, call_end): (Origin, Origin),
        name: Token,
        arguments: Option<&Arguments>,
    ) {
        let length = definition.body.len();
        let expansion_index = self.out.map.add_expansion(id, call_site, call_end);
        let Some(base) = self.out.map.allocate(Interval::Body { expansion: expansion_index }, length) else {
            self.stop(call_site, "locations");
            return;
        };
        let spacing = name.flags.0 & SPACING;
        if length == 0 {
            self.expander.carry |= spacing;
            return;
        }
        if !definition.has_operators && (arguments.is_none() || definition.parameter_of.is_empty()) {
            let body = definition.body.iter().zip(base.0..);
            let start = self.expander.tokens.len();
            self.expander.push(body.map(|(&token, origin)| Placed { token, origin: Origin(origin) }), Some(id));
            set_spacing(&mut self.expander.tokens[start].token, spacing);
            return;
        }
        let mut result = self.expander.buffer();
        self.substitute_into(&mut result, definition, expansion_index, base, arguments);
        match result.first_mut() {
            Some(first) => {
                set_spacing(&mut first.token, spacing);
                self.expander.push(result.iter().copied(), Some(id));
            }
            None => self.expander.carry |= spacing,
        }
        self.expander.give_back(result);
    }

    /// Expands the tokens of an argument by themselves.
    pub(crate) fn expand_argument(&mut self, argument: &[Placed]) -> Vec<Placed> {
        let mut result = self.expander.buffer();
        if !argument.iter().any(|placed| placed.token.is_word() && self.table.may_contain(placed.token.name)) {
            result.extend_from_slice(argument);
            return result;
        }
        if self.expander.argument_depth >= self.options.limits.argument_depth {
            let origin = argument[0].origin;
            self.report_limit("arguments", origin..origin, "macro calls are nested too deeply inside arguments");
            result.extend_from_slice(argument);
            return result;
        }
        self.expander.argument_depth += 1;
        let outer_carry = self.expander.take_carry();
        let outer_floor = self.expander.floor;
        // The floor counts the frames it hides; an empty frame at the bottom keeps it above zero.
        if self.expander.frames.is_empty() {
            self.expander.push([], None);
        }
        self.expander.floor = self.expander.frames.len();
        self.expander.push(argument.iter().copied(), None);
        while let Some(placed) = self.next_expanded(false) {
            result.push(placed);
        }
        self.expander.floor = outer_floor;
        self.expander.carry = outer_carry;
        self.expander.argument_depth -= 1;
        result
    }

    /// Uses fuel for `tokens` tokens. Says whether there was enough.
    fn burn(&mut self, tokens: usize, origin: Origin) -> bool {
        let tokens = u32::try_from(tokens).unwrap_or(u32::MAX).saturating_add(1);
        self.expander.total = self.expander.total.saturating_add(tokens);
        self.expander.this_expansion = self.expander.this_expansion.saturating_add(tokens);
        if self.expander.total > self.options.limits.expanded_tokens {
            self.stop(origin, "all expansions");
            return false;
        }
        if self.expander.this_expansion > self.options.limits.tokens_per_expansion {
            self.stop(origin, "one expansion");
            return false;
        }
        true
    }

    fn stop(&mut self, origin: Origin, limit: &'static str) {
        self.expander.stopped = true;
        let message = match limit {
            "one expansion" => "this macro expands to too many tokens; the rest of its expansion is left out",
            _ => "macros expand to too many tokens; no more are expanded",
        };
        self.report_limit(limit, origin..origin, message);
    }
}

fn painted(mut token: Token) -> Token {
    token.flags.0 |= TokenFlags::NO_EXPAND;
    token
}

fn set_spacing(token: &mut Token, spacing: u8) {
    token.flags.0 = token.flags.0 & !SPACING | spacing;
}
