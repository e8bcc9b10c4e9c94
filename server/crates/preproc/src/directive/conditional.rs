//! `#if` and its relatives.

use std::ops::Range;

use super::Line;
use crate::{
    condition::evaluate,
    expand::Placed,
    names::names,
    output::{DiagnosticKind, MacroReference, MacroReferenceKind},
    preprocess::{Conditional, Preprocessor},
    source::FileId,
    token::{Origin, Punct, Token, TokenFlags, TokenKind},
};

impl Preprocessor<'_> {
    pub(super) fn if_directive(&mut self, line: Line) {
        let taken = self.condition(line);
        self.open_conditional(line, taken);
    }

    pub(super) fn ifdef_directive(&mut self, line: Line, wanted: bool) {
        let taken = self.tests_name(line) == Some(wanted);
        self.open_conditional(line, taken);
    }

    fn open_conditional(&mut self, line: Line, taken: bool) {
        self.top().conditionals.push(Conditional { start: line.hash, taken, seen_else: false });
        if !taken {
            self.skip_groups(line);
        }
    }

    /// An `#elif` or `#else` that ends a group that was read.
    pub(super) fn other_group(&mut self, line: Line) {
        let is_else = self.top().lexed.tokens[line.hash + 1].token.name.bytes() == b"else";
        if self.top().conditionals.is_empty() {
            let word = self.top().lexed.tokens[line.hash + 1].token.text();
            let range = self.top().origin_range(line.hash, line.hash + 2);
            self.report(DiagnosticKind::PreprocessorError, range, format!("`#{word}` without `#if`"));
            return;
        }
        self.check_group_order(line, is_else);
        if is_else {
            self.expect_line_end(line, line.operands());
        }
        if let Some(conditional) = self.top().conditionals.last_mut() {
            conditional.taken = true;
            conditional.seen_else |= is_else;
        }
        self.skip_groups(line);
    }

    pub(super) fn endif_directive(&mut self, line: Line) {
        if self.top().conditionals.pop().is_none() {
            let range = self.top().origin_range(line.hash, line.hash + 2);
            self.report(DiagnosticKind::PreprocessorError, range, "`#endif` without `#if`".to_owned());
        }
        self.expect_line_end(line, line.operands());
    }

    fn check_group_order(&mut self, line: Line, is_else: bool) {
        if self.top().conditionals.last().is_some_and(|conditional| conditional.seen_else) {
            let word = if is_else { "#else" } else { "#elif" };
            let range = self.top().origin_range(line.hash, line.hash + 2);
            self.report(DiagnosticKind::PreprocessorError, range, format!("`{word}` after `#else`"));
        }
    }

    /// Skips from the end of `line` to the group that is read next, or behind the `#endif`.
    fn skip_groups(&mut self, line: Line) {
        let mut depth = 0u32;
        let mut skipped_from = line;
        loop {
            let frame = self.top();
            let Some(&hash) = frame.lexed.directives.get(frame.next_directive) else {
                let end = frame.lexed.eof();
                frame.at = end;
                self.skip_problems(end);
                self.record_inactive(skipped_from, None);
                return;
            };
            let hash = hash as usize;
            frame.next_directive += 1;
            let Some(word) = frame.lexed.directive_word(hash) else { continue };
            let word = word.token.name.bytes();
            match word {
                b"if" | b"ifdef" | b"ifndef" => depth += 1,
                b"endif" if depth > 0 => depth -= 1,
                b"endif" | b"else" | b"elif" | b"elifdef" | b"elifndef" if depth == 0 => {
                    let line = Line { hash, end: frame.lexed.line_end(hash) };
                    frame.at = line.end;
                    self.skip_problems(hash);
                    self.record_inactive(skipped_from, Some(line));
                    if word == b"endif" {
                        self.skip_problems(line.end);
                        self.top().conditionals.pop();
                        self.expect_line_end(line, line.operands());
                        return;
                    }
                    self.check_group_order(line, word == b"else");
                    let Some(conditional) = self.top().conditionals.last().copied() else { return };
                    let reads = !conditional.taken
                        && !conditional.seen_else
                        && match word {
                            b"else" => {
                                self.expect_line_end(line, line.operands());
                                true
                            }
                            b"elif" => self.condition(line),
                            b"elifdef" => self.tests_name(line) == Some(true),
                            _ => self.tests_name(line) == Some(false),
                        };
                    self.skip_problems(line.end);
                    if let Some(conditional) = self.top().conditionals.last_mut() {
                        conditional.taken |= reads;
                        conditional.seen_else |= word == b"else";
                    }
                    if reads {
                        return;
                    }
                    skipped_from = line;
                }
                _ => {}
            }
        }
    }

    /// Records the lines between two directives as skipped.
    fn record_inactive(&mut self, from: Line, to: Option<Line>) {
        let frame = self.top();
        let text = &frame.text;
        let after = frame.lexed.tokens[from.end - 1].end as usize;
        let start = memchr::memchr(b'\n', &text[after..]).map_or(text.len(), |at| after + at + 1);
        let end = match to {
            Some(line) => {
                let hash = frame.lexed.tokens[line.hash].start as usize;
                memchr::memrchr(b'\n', &text[..hash]).map_or(0, |at| at + 1)
            }
            None => text.len(),
        };
        if start < end {
            let (file, range): (FileId, Range<u32>) = (frame.file, start as u32..end as u32);
            self.out.inactive.entry(file).or_default().push(range);
        }
    }

    /// Whether the name behind `#ifdef` and the like is a macro; `None` if there is no name.
    fn tests_name(&mut self, line: Line) -> Option<bool> {
        let operand = self.top().lexed.tokens[line.operands()];
        if line.operands() >= line.end || !operand.token.is_word() {
            let range = self.line_range(line);
            self.report(DiagnosticKind::PreprocessorError, range, "expected the name of a macro".to_owned());
            return None;
        }
        self.expect_line_end(line, line.operands() + 1);
        let origin = self.top().origin(line.operands());
        Some(self.test_macro(operand.token, origin))
    }

    /// Whether a name is a macro, recorded for editors.
    fn test_macro(&mut self, token: Token, origin: Origin) -> bool {
        let definition = self.table.get(token.name).cloned();
        let definition = definition.map(|definition| self.macro_id(&definition));
        let kind = MacroReferenceKind::Test;
        self.out.macros.references.push(MacroReference { name: token.name, definition, origin, kind });
        definition.is_some()
    }

    /// The value of the condition of an `#if` or `#elif`.
    fn condition(&mut self, line: Line) -> bool {
        let frame = self.top();
        let outer_limit = std::mem::replace(&mut frame.limit, line.end);
        frame.at = line.operands();
        self.begin_line();
        let mut tokens = Vec::new();
        let mut complete = true;
        while let Some(placed) = self.next_expanded(true) {
            if placed.token.kind == TokenKind::Ident && placed.token.name == names().defined {
                match self.defined_operator(placed) {
                    Some(value) => tokens.push(value),
                    None => {
                        complete = false;
                        break;
                    }
                }
            } else {
                tokens.push(placed);
            }
        }
        // After a bad `defined` the rest of the line is still in the frames.
        while self.next_raw(true).is_some() {}
        let frame = self.top();
        frame.limit = outer_limit;
        frame.at = line.end;
        self.expander.take_carry();
        if !complete {
            return false;
        }
        match evaluate(&tokens) {
            Ok(value) => value,
            Err(error) => {
                let range = match error.origin {
                    Some(origin) => origin..origin,
                    None => self.line_range(line),
                };
                self.report(DiagnosticKind::PreprocessorError, range, error.message);
                false
            }
        }
    }

    /// `defined X` and `defined(X)`: the name is read unexpanded.
    fn defined_operator(&mut self, defined: Placed) -> Option<Placed> {
        let mut operand = self.next_raw(true);
        let parenthesis = operand.is_some_and(|operand| operand.token.is_punct(Punct::LParen));
        if parenthesis {
            operand = self.next_raw(true);
        }
        let name = operand.filter(|operand| operand.token.is_word());
        let closed = !parenthesis
            || name.is_some() && self.next_raw(true).is_some_and(|close| close.token.is_punct(Punct::RParen));
        let (Some(name), true) = (name, closed) else {
            let message = "`defined` needs the name of a macro, with or without parentheses".to_owned();
            self.report(DiagnosticKind::PreprocessorError, defined.origin..defined.origin, message);
            return None;
        };
        let value = if self.test_macro(name.token, name.origin) { "1" } else { "0" };
        let token = Token { kind: TokenKind::Int, flags: TokenFlags(0), name: msl_intern::Name::new(value) };
        Some(Placed { token, origin: defined.origin })
    }
}
