//! `#define` and `#undef`.

use std::sync::Arc;

use msl_intern::Name;

use super::Line;
use crate::{
    macros::{MacroDef, MacroKind, NO_PARAMETER},
    names::names,
    output::{DiagnosticKind, MacroReference, MacroReferenceKind, Note},
    preprocess::Preprocessor,
    source::FileId,
    token::{Punct, Token, TokenFlags, TokenKind},
};

/// The parameters of a function-like macro.
#[derive(Default)]
struct Parameters {
    names: Vec<Name>,
    variadic: bool,
    /// The token behind the closing parenthesis.
    end: usize,
}

impl Preprocessor<'_> {
    pub(super) fn define_directive(&mut self, line: Line) {
        let at = line.operands();
        let Some(name) = self.macro_name(line) else { return };
        let frame = self.top();
        let tokens = &frame.lexed.tokens;
        let is_function = at + 1 < line.end
            && tokens[at + 1].token.is_punct(Punct::LParen)
            && !tokens[at + 1].token.flags.has(TokenFlags::SPACE_BEFORE);
        let parameters = if is_function {
            let Some(parameters) = self.parameters(line, at + 2) else { return };
            parameters
        } else {
            Parameters { end: at + 1, ..Parameters::default() }
        };
        let frame = self.top();
        let body_tokens = &frame.lexed.tokens[parameters.end.min(line.end)..line.end];
        let body: Box<[Token]> = body_tokens.iter().map(|lexed| lexed.token).collect();
        let body_ranges = body_tokens.iter().map(|lexed| (lexed.start, lexed.end)).collect();
        let parameter_of: Box<[u16]> = if parameters.names.is_empty() {
            Box::default()
        } else {
            let number = |token: &Token| {
                let found = parameters.names.iter().position(|&name| token.is_word() && name == token.name);
                found.and_then(|index| u16::try_from(index).ok()).unwrap_or(NO_PARAMETER)
            };
            body.iter().map(number).collect()
        };
        let has_operators = body.iter().any(|token| {
            token.is_punct(Punct::HashHash)
                || is_function && token.is_punct(Punct::Hash)
                || parameters.variadic && token.name == names().va_opt
        });
        let definition = MacroDef {
            name: name.name,
            kind: if is_function { MacroKind::Function } else { MacroKind::Object },
            parameters: parameters.names.into(),
            variadic: parameters.variadic,
            file: frame.file,
            name_range: frame.lexed.tokens[at].range(),
            range: frame.byte_range(line.hash, line.end),
            body,
            body_ranges,
            parameter_of,
            has_operators,
        };
        if !self.check_body(line, &definition, parameters.end) {
            return;
        }
        self.add_definition(line, definition);
    }

    fn add_definition(&mut self, line: Line, definition: MacroDef) {
        let origin = self.top().origin(line.operands());
        if let Some(old) = self.table.get(definition.name).cloned()
            && !old.same_as(&definition)
            && self.top().file.is_real()
        {
            let range = self.top().origin_range(line.operands(), line.operands() + 1);
            let message = format!("macro `{}` is defined anew with a different meaning", definition.name);
            let note = Note {
                file: old.file,
                range: old.name_range.clone(),
                message: "the definition so far is here".to_owned(),
            };
            let notes = if old.file == FileId::PREDEFINED { Vec::new() } else { vec![note] };
            self.report_with_notes(DiagnosticKind::Warning, range, message, notes);
        }
        let definition = Arc::new(definition);
        let id = self.macro_id(&definition);
        self.out.macros.references.push(MacroReference {
            name: definition.name,
            definition: Some(id),
            origin,
            kind: MacroReferenceKind::Define,
        });
        self.table.define(definition);
    }

    pub(super) fn undef_directive(&mut self, line: Line) {
        let Some(name) = self.macro_name(line) else { return };
        self.expect_line_end(line, line.operands() + 1);
        let origin = self.top().origin(line.operands());
        let definition = self.table.get(name.name).cloned();
        let definition = definition.map(|definition| self.macro_id(&definition));
        if let Some(id) = definition {
            if matches!(self.out.map.definition(id).kind, MacroKind::Builtin(_)) && self.top().file.is_real() {
                let range = self.top().origin_range(line.operands(), line.operands() + 1);
                self.report(DiagnosticKind::Warning, range, format!("`{}` is a predefined macro", name.name));
            }
            self.table.undefine(name.name);
        }
        let kind = MacroReferenceKind::Undef;
        self.out.macros.references.push(MacroReference { name: name.name, definition, origin, kind });
    }

    /// The name that a `#define` or `#undef` is about.
    fn macro_name(&mut self, line: Line) -> Option<Token> {
        let at = line.operands();
        let frame = self.top();
        if at >= line.end {
            let range = self.line_range(line);
            self.report(DiagnosticKind::PreprocessorError, range, "the name of the macro is missing".to_owned());
            return None;
        }
        let lexed = frame.lexed.tokens[at];
        let range = frame.origin_range(at, at + 1);
        if !lexed.token.is_word() {
            let typed = &frame.text[lexed.start as usize..lexed.end as usize];
            let message = if typed.first().is_some_and(u8::is_ascii_alphabetic)
                && matches!(lexed.token.kind, TokenKind::Punct(_))
            {
                format!("`{}` is an operator and cannot name a macro", String::from_utf8_lossy(typed))
            } else {
                "a macro's name must be an identifier".to_owned()
            };
            self.report(DiagnosticKind::PreprocessorError, range, message);
            return None;
        }
        if lexed.token.name == names().defined {
            let message = "`defined` cannot name a macro".to_owned();
            self.report(DiagnosticKind::PreprocessorError, range, message);
            return None;
        }
        Some(lexed.token)
    }

    /// Reads parameters; `at` is the token behind the opening parenthesis.
    fn parameters(&mut self, line: Line, mut at: usize) -> Option<Parameters> {
        let mut parameters = Parameters::default();
        let mut wants_name = true;
        loop {
            let token = self.top().lexed.tokens[at].token;
            let message = if at >= line.end {
                at = line.end - 1;
                "the macro's parameter list has no `)`".to_owned()
            } else {
                match token.kind {
                    TokenKind::Punct(Punct::RParen) if !wants_name || parameters.names.is_empty() => {
                        parameters.end = at + 1;
                        return Some(parameters);
                    }
                    TokenKind::Punct(Punct::Comma) if !wants_name && !parameters.variadic => {
                        wants_name = true;
                        at += 1;
                        continue;
                    }
                    TokenKind::Punct(Punct::Ellipsis) if !parameters.variadic => {
                        // GNU: `args...` names the variable arguments.
                        if wants_name {
                            parameters.names.push(names().va_args);
                        }
                        parameters.variadic = true;
                        wants_name = false;
                        at += 1;
                        continue;
                    }
                    TokenKind::Ident | TokenKind::Keyword(_) if wants_name => {
                        if !parameters.names.contains(&token.name) {
                            parameters.names.push(token.name);
                            wants_name = false;
                            at += 1;
                            continue;
                        }
                        format!("parameter `{}` is named twice", token.name)
                    }
                    _ => "expected a parameter's name, `...` or `)`".to_owned(),
                }
            };
            let range = self.top().origin_range(at, at + 1);
            self.report(DiagnosticKind::PreprocessorError, range, message);
            return None;
        }
    }

    /// Checks where `#` and `##` stand. Says whether the definition can be used.
    fn check_body(&mut self, line: Line, definition: &MacroDef, start: usize) -> bool {
        let body = &definition.body;
        let is_function = definition.kind == MacroKind::Function;
        let paste = |token: Option<&Token>| token.is_some_and(|token| token.is_punct(Punct::HashHash));
        if paste(body.first()) || paste(body.last()) {
            let at = if paste(body.first()) { start } else { line.end - 1 };
            let range = self.top().origin_range(at, at + 1);
            let message = "`##` cannot stand at either end of a macro".to_owned();
            self.report(DiagnosticKind::PreprocessorError, range, message);
            return false;
        }
        for (index, token) in body.iter().enumerate() {
            let is_option = |token: &Token| definition.variadic && token.name == names().va_opt;
            let message = if is_function && token.is_punct(Punct::Hash) {
                if definition.parameter(index + 1).is_some() || body.get(index + 1).is_some_and(is_option) {
                    continue;
                }
                "`#` must be followed by a parameter of the macro"
            } else if is_option(token) {
                if crate::expand::closing_paren(body, index + 1).is_some() {
                    continue;
                }
                "`__VA_OPT__` needs its tokens in parentheses"
            } else {
                continue;
            };
            let range = self.top().origin_range(start + index, start + index + 1);
            self.report(DiagnosticKind::PreprocessorError, range, message.to_owned());
            return false;
        }
        if !definition.variadic
            && let Some(index) = body.iter().position(|token| token.name == names().va_args && token.is_word())
        {
            let range = self.top().origin_range(start + index, start + index + 1);
            let message = "`__VA_ARGS__` means something only in a variadic macro".to_owned();
            self.report(DiagnosticKind::Warning, range, message);
        }
        true
    }
}
