//! Host code: compiles at run time, and the version that they ask for.
//!
//! A *runtime unit* is a place that sets the language version of compile options, or one that compiles source without a
//! version, so that the newest version of the host's system is taken. Names of Metal's interfaces identify them; the
//! value is an enumerator in the spelling of the language, a raw number, or an integer expression.

use std::sync::Arc;

use msl_preproc::LanguageVersion;

use crate::{
    command::{Detection, Fact, Spelled, SpelledForm},
    lexer::{Dialect, Tokens, tokenize},
    link::unit_of,
    model::{Unit, UnitKind},
    text::Origin,
    tree::{SourceFile, Tree},
    version::{from_numbers, from_raw},
};

/// Names that set the version: a property, a setter, or an argument label.
const VERSION_NAMES: &[&str] =
    &["languageVersion", "setLanguageVersion", "setLanguageVersion_", "set_language_version", "language_version"];
/// Names that compile source, with whether options are part of the call.
const COMPILE_NAMES: &[&str] = &[
    "newLibraryWithSource",
    "newLibraryWithSource_options_error_",
    "newLibraryWithSource_options_error",
    "new_library_with_source",
    "makeLibrary",
];
/// How deep an integer expression may nest.
const MAX_DEPTH: u32 = 32;

/// The runtime units of a host source.
pub(crate) fn read(tree: &Tree<'_>, file: &SourceFile, dialect: Dialect) -> Vec<Unit> {
    let text = &file.text;
    let is_about_metal = ["anguageVersion", "anguage_version"].iter().any(|name| text.contains(name))
        || COMPILE_NAMES.iter().any(|name| text.contains(name))
        || text.contains("newLibrary");
    let names_metal = ["MTL", "Metal", "metal"].iter().any(|name| text.contains(name));
    if !is_about_metal || !names_metal {
        return Vec::new();
    }
    let tokens = tokenize(file, dialect);
    let host = Host { tokens: &tokens };
    let mut units = Vec::new();
    let mut sets_version = false;
    for at in 0..tokens.list.len() {
        let Some(detection) = host.version_set_at(at) else { continue };
        sets_version = true;
        units.push(runtime_unit(tree, file, at, &tokens, &detection));
    }
    for at in 0..tokens.list.len() {
        if let Some(detection) = host.compile_at(at, sets_version) {
            units.push(runtime_unit(tree, file, at, &tokens, &detection));
        }
    }
    units
}

fn runtime_unit(tree: &Tree<'_>, file: &SourceFile, at: usize, tokens: &Tokens<'_>, detection: &Detection) -> Unit {
    let mut unit = unit_of(tree, UnitKind::Runtime, Arc::clone(&file.path), detection);
    unit.range = Some(tree.place(tokens.origin(at)).range);
    unit
}

struct Host<'a> {
    tokens: &'a Tokens<'a>,
}

impl Host<'_> {
    /// What is set when the token at `at` sets the language version of compile options.
    fn version_set_at(&self, at: usize) -> Option<Detection> {
        let tokens = self.tokens;
        if !tokens.is_word(at) || !VERSION_NAMES.contains(&tokens.text(at)) {
            return None;
        }
        let next = at + 1;
        let value = match tokens.text(next) {
            // `options.languageVersion = …`, but not a comparison or a declaration of one's own.
            "=" if !tokens.is(next + 1, "=") => {
                let is_member = at > 0 && matches!(tokens.text(at - 1), "." | ">");
                if !is_member {
                    return None;
                }
                next + 1..self.expression_end(next + 1)
            }
            "(" => {
                let is_method = at > 0 && matches!(tokens.text(at - 1), "." | ">" | "]");
                if !is_method {
                    return None;
                }
                next + 1..tokens.close_of(next)
            }
            // `[options setLanguageVersion:…]`, `msg_send![options, setLanguageVersion: …]`.
            ":" if tokens.text(at).starts_with("set") => next + 1..self.expression_end(next + 1),
            _ => return None,
        };
        if value.is_empty() {
            return None;
        }
        let first = tokens.origin(value.start);
        let origin = first.cover(tokens.origin(value.end.saturating_sub(1).max(value.start)));
        let spelling: String = tokens
            .file
            .text
            .get(origin.start as usize..origin.end as usize)
            .unwrap_or_default()
            .chars()
            .take(80)
            .collect();
        Some(match self.version(value.clone(), 0) {
            Some(version) => {
                let message = format!("{} is set to {spelling}", tokens.text(at));
                let spelled = self.spelled(value.end.saturating_sub(1));
                Detection {
                    std: Some(version),
                    evidence: vec![Fact { origin, message }],
                    spelled,
                    ..Detection::default()
                }
            }
            None => {
                Detection::unknown(origin, format!("{} is set to `{spelling}`, which is not known", tokens.text(at)))
            }
        })
    }

    /// The numbers at the end of an enumerator.
    fn spelled(&self, at: usize) -> Option<Spelled> {
        let text = self.tokens.text(at);
        enumerator(text)?;
        let digits = text.trim_start_matches(|c: char| !c.is_ascii_digit()).len();
        let origin = self.tokens.origin(at);
        let origin = Origin { start: origin.end.checked_sub(digits as u32)?, ..origin };
        Some(Spelled { origin, form: SpelledForm::Enumerator })
    }

    /// What is known of the version when the token at `at` compiles source without one.
    fn compile_at(&self, at: usize, file_sets_version: bool) -> Option<Detection> {
        let tokens = self.tokens;
        if !tokens.is_word(at) {
            return None;
        }
        let name = tokens.text(at);
        let is_call = tokens.is(at + 1, "(");
        let arguments = if is_call { at + 2..tokens.close_of(at + 1) } else { at + 1..(at + 1) };
        let options_are_nil = |range: std::ops::Range<usize>| {
            range.clone().any(|at| {
                matches!(tokens.text(at), "nil" | "nullptr" | "NULL" | "None" | "null")
                    && !matches!(tokens.text(at.saturating_sub(1)), "error")
            })
        };
        let has_no_options = match name {
            // `makeLibrary(source: …, options: nil)`; other overloads take no source.
            "makeLibrary" if is_call && tokens.is(at + 2, "source") => {
                let label = arguments.clone().find(|&at| tokens.is(at, "options") && tokens.is(at + 1, ":"));
                label.is_none_or(|label| tokens.is(label + 2, "nil"))
            }
            "makeLibrary" => return None,
            // `[device newLibraryWithSource:s options:nil error:&e]`.
            "newLibraryWithSource" if tokens.is(at + 1, ":") => {
                let label = (at..tokens.list.len().min(at + 400))
                    .find(|&at| tokens.is(at, "options") && tokens.is(at + 1, ":"))?;
                matches!(tokens.text(label + 2), "nil" | "NULL" | "nullptr")
            }
            // metal-cpp: `newLibrary(source, options, &error)` against `newLibrary(path, &error)`.
            "newLibrary" if is_call && tokens.dialect == Dialect::C && at > 0 && tokens.is(at - 1, ">") => {
                let parts = self.split(arguments.clone());
                parts.len() >= 3 && parts.get(1).is_some_and(|part| options_are_nil(part.clone()))
            }
            "newLibraryWithSource_options_error_" | "newLibraryWithSource_options_error" if is_call => {
                self.split(arguments.clone()).get(1).is_some_and(|part| options_are_nil(part.clone()))
            }
            _ => return None,
        };
        let origin = tokens.origin(at);
        if has_no_options {
            let message = "compiled without options: the newest version that the host's system knows, metal4.1 on 27 and \
                           metal4.0 or older before";
            return Some(Detection::unknown(origin, message));
        }
        // Options that nothing in the file gives a version.
        if file_sets_version || !self.makes_options() {
            return None;
        }
        let message = "its compile options set no language version: the newest that the host's system knows, metal4.1 on \
                       27 and metal4.0 or older before";
        Some(Detection::unknown(origin, message))
    }

    /// Whether the file makes compile options itself, so that what it does not set is not set.
    fn makes_options(&self) -> bool {
        (0..self.tokens.list.len()).any(|at| matches!(self.tokens.text(at), "MTLCompileOptions" | "CompileOptions"))
    }

    fn split(&self, range: std::ops::Range<usize>) -> Vec<std::ops::Range<usize>> {
        let mut parts = Vec::new();
        let mut start = range.start;
        let mut at = range.start;
        while at < range.end {
            if self.tokens.is_open(at) {
                at = self.tokens.close_of(at).max(at);
            } else if self.tokens.is(at, ",") {
                parts.push(start..at);
                start = at + 1;
            }
            at += 1;
        }
        parts.push(start..range.end);
        parts
    }

    /// The end of the expression at `start`: a separator, a closing bracket or, where lines end statements, a line end.
    fn expression_end(&self, start: usize) -> usize {
        let tokens = self.tokens;
        let mut at = start;
        while at < tokens.list.len() {
            let ends_line = at > start && tokens.list[at].starts_line && tokens.dialect.ends_at_lines();
            let continues = matches!(tokens.text(at), "." | "?" | ":" | "|" | "+" | "<");
            if (ends_line && !continues) || matches!(tokens.text(at), ";" | "," | ")" | "]" | "}") {
                return at;
            }
            at = if tokens.is_open(at) { tokens.close_of(at) + 1 } else { at + 1 };
        }
        tokens.list.len()
    }

    /// The version that an expression stands for.
    fn version(&self, range: std::ops::Range<usize>, depth: u32) -> Option<LanguageVersion> {
        if depth > MAX_DEPTH || range.is_empty() {
            return None;
        }
        let tokens = self.tokens;
        // An enumerator, whatever qualifies it.
        let last = range.end - 1;
        if tokens.is_word(last)
            && let Some(version) = enumerator(tokens.text(last))
            && (range.start..last).all(|at| tokens.is_word(at) || matches!(tokens.text(at), "." | ":"))
        {
            return Some(version);
        }
        // Wrappers around a value: casts, constructors, parentheses, `unwrap`.
        if tokens.is_open(range.start) && tokens.close_of(range.start) == last && !tokens.is(range.start, "{") {
            return self.version(range.start + 1..last, depth + 1);
        }
        // C's cast: `(MTLLanguageVersion)x`.
        if tokens.is(range.start, "(") {
            let close = tokens.close_of(range.start);
            if close < last
                && (range.start + 1..close).all(|at| tokens.is_word(at) || matches!(tokens.text(at), ":" | "."))
            {
                let names_type = tokens.text(close - 1).contains("LanguageVersion");
                if names_type {
                    return self.version(close + 1..range.end, depth + 1);
                }
            }
        }
        let open = range.clone().find(|&at| tokens.is(at, "(") || tokens.is(at, "{"));
        if let Some(open) = open
            && tokens.is_word(range.start)
        {
            let close = tokens.close_of(open);
            let head = (range.start..open).any(|at| {
                let text = tokens.text(at);
                text.contains("LanguageVersion")
                    || matches!(text, "static_cast" | "transmute" | "init" | "NSUInteger" | "UInt")
            });
            // `.unwrap()`, `!` and the like behind it do not change the value.
            if head && close < range.end {
                let inner = match tokens.text(open + 1) {
                    "rawValue" if tokens.is(open + 2, ":") => open + 3..close,
                    _ => open + 1..close,
                };
                return self.version(inner, depth + 1);
            }
        }
        from_raw(Integer { tokens, at: range.start, end: trim_postfix(tokens, &range), depth: 0 }.whole()?)
    }
}

/// Without `!` behind an expression.
fn trim_postfix(tokens: &Tokens<'_>, range: &std::ops::Range<usize>) -> usize {
    if range.len() > 1 && matches!(tokens.text(range.end - 1), "!" | "?") { range.end - 1 } else { range.end }
}

/// The version that an enumerator names: `version4_1`, `MTLLanguageVersion4_1`, `LanguageVersion4_1`, `V4_1`,
/// `Version4_1`.
fn enumerator(name: &str) -> Option<LanguageVersion> {
    let prefixes = ["MTLLanguageVersion", "LanguageVersion", "Version", "version", "V"];
    let rest = prefixes.iter().find_map(|prefix| name.strip_prefix(prefix))?;
    let rest = rest.strip_prefix('_').unwrap_or(rest);
    let (major, minor) = rest.split_once('_')?;
    from_numbers(major.parse().ok()?, minor.parse().ok()?)
}

/// The value of an integer expression of literals.
pub(crate) fn integer(tokens: &Tokens<'_>, range: std::ops::Range<usize>) -> Option<i128> {
    Integer { tokens, at: range.start, end: range.end, depth: 0 }.whole()
}

/// Evaluates integer expressions of literals, parentheses and operators that all the languages share.
struct Integer<'a> {
    tokens: &'a Tokens<'a>,
    at: usize,
    end: usize,
    depth: u32,
}

impl Integer<'_> {
    fn whole(mut self) -> Option<i128> {
        let value = self.binary(0)?;
        (self.at == self.end).then_some(value)
    }

    fn peek(&self, offset: usize) -> &str {
        if self.at + offset < self.end { self.tokens.text(self.at + offset) } else { "" }
    }

    fn binary(&mut self, least: u8) -> Option<i128> {
        self.depth += 1;
        if self.depth > 64 {
            return None;
        }
        let mut left = self.unary()?;
        loop {
            let (operator, length, strength) = match (self.peek(0), self.peek(1)) {
                ("|", next) if next != "|" => ('|', 1, 1),
                ("^", _) => ('^', 1, 2),
                ("&", next) if next != "&" => ('&', 1, 3),
                ("<", "<") => ('<', 2, 4),
                (">", ">") => ('>', 2, 4),
                ("+", _) => ('+', 1, 5),
                ("-", _) => ('-', 1, 5),
                ("*", _) => ('*', 1, 6),
                _ => break,
            };
            if strength <= least {
                break;
            }
            self.at += length;
            let right = self.binary(strength)?;
            left = match operator {
                '|' => left | right,
                '^' => left ^ right,
                '&' => left & right,
                '<' => left.checked_shl(u32::try_from(right).ok()?)?,
                '>' => left.checked_shr(u32::try_from(right).ok()?)?,
                '+' => left.checked_add(right)?,
                '-' => left.checked_sub(right)?,
                _ => left.checked_mul(right)?,
            };
        }
        self.depth -= 1;
        Some(left)
    }

    fn unary(&mut self) -> Option<i128> {
        if self.peek(0) == "(" {
            let close = self.tokens.close_of(self.at);
            if close >= self.end {
                return None;
            }
            let value =
                Integer { tokens: self.tokens, at: self.at + 1, end: close, depth: self.depth + 1 }.binary_whole()?;
            self.at = close + 1;
            return Some(value);
        }
        let text = self.peek(0).replace('_', "");
        let digits = text.trim_end_matches(['u', 'U', 'l', 'L', 'z']);
        let digits =
            ["u32", "u64", "usize", "i32", "i64"].iter().find_map(|suffix| text.strip_suffix(suffix)).unwrap_or(digits);
        let value = match digits.get(..2) {
            Some("0x" | "0X") => i128::from_str_radix(&digits[2..], 16).ok()?,
            Some("0b" | "0B") => i128::from_str_radix(&digits[2..], 2).ok()?,
            _ => digits.parse().ok()?,
        };
        self.at += 1;
        Some(value)
    }

    fn binary_whole(self) -> Option<i128> {
        if self.depth > 64 { None } else { self.whole() }
    }
}
