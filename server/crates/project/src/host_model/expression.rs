//! Evaluates expressions of host code: names, literals, members, calls.

use super::{
    value::{Tokens, Value},
    walk::Walker,
};
use crate::{
    host::integer,
    lexer::{Dialect, TokenKind},
    text::Known,
};

/// An argument of a call.
#[derive(Clone, Debug)]
pub(super) struct Argument {
    /// Swift's label, or a piece of Objective-C's selector behind the first.
    pub(super) label: Option<String>,
    pub(super) value: Value,
    pub(super) at: Tokens,
}

/// What a chain of members and calls has come to.
struct Chain {
    value: Value,
    /// The names so far, while it is nothing but names.
    path: Option<String>,
    /// Whether it names a type or a namespace.
    names_type: bool,
}

/// Operators that take values to other values.
const OPERATORS: &[&str] = &["+", "-", "*", "/", "%", "<", ">", "|", "&", "^", "=", "!"];

impl Walker<'_> {
    pub(super) fn expression(&mut self, range: Tokens) -> Value {
        if range.is_empty() || !self.step() || self.depth > 200 {
            return Value::Unknown;
        }
        self.depth += 1;
        let value = self.expression_inner(range);
        self.depth -= 1;
        value
    }

    fn expression_inner(&mut self, mut range: Tokens) -> Value {
        let tokens = self.tokens;
        // Words in front that change nothing.
        while range.start < range.end {
            let text = tokens.text(range.start);
            let is_word = matches!(text, "try" | "await" | "throw" | "new" | "mut" | "move" | "ref" | "const" | "std");
            if (is_word && tokens.is_word(range.start) && range.len() > 1 && !tokens.is(range.start + 1, ":"))
                || (matches!(text, "&" | "*" | "!" | "?") && !tokens.list[range.start].starts_line)
                || (matches!(text, "&" | "*") && range.len() > 1)
            {
                range.start += 1;
            } else {
                break;
            }
        }
        while range.start < range.end && matches!(tokens.text(range.end - 1), "!" | "?" | ";") {
            range.end -= 1;
        }
        if range.is_empty() {
            return Value::Unknown;
        }
        if let Some(value) = self.operators(range.clone()) {
            return value;
        }
        self.chain(range)
    }

    /// Binary operators outside of brackets; `None` if there are none.
    fn operators(&mut self, range: Tokens) -> Option<Value> {
        let tokens = self.tokens;
        let joins = |a: usize, b: usize| tokens.list[a].end == tokens.list[b].start;
        let mut operands: Vec<Tokens> = Vec::new();
        let mut all_add = true;
        let mut start = range.start;
        let mut at = range.start;
        while at < range.end {
            if tokens.is_open(at) {
                at = tokens.close_of(at).min(range.end) + 1;
                continue;
            }
            let text = tokens.text(at);
            if matches!(text, "as") && tokens.is_word(at) && at > start && tokens.dialect != Dialect::C {
                // A cast changes nothing that matters here.
                return Some(self.expression(start..at)).filter(|_| operands.is_empty());
            }
            let follows_value = at > start && at + 1 < range.end;
            if text == "?" && follows_value && !joins(at - 1, at) {
                // `a ?? b`, or `c ? a : b`.
                if tokens.is(at + 1, "?") {
                    let left = self.expression(range.start..at);
                    let right = self.expression(at + 2..range.end);
                    return Some(if matches!(left, Value::Unknown | Value::Nil) && operands.is_empty() {
                        right
                    } else {
                        left
                    });
                }
                let colon = (at..range.end).find(|&at| tokens.is(at, ":") && !joins_colon(self, at))?;
                let (left, right) = (self.expression(at + 1..colon), self.expression(colon + 1..range.end));
                return Some(left.or(right));
            }
            let is_range = text == "." && follows_value && tokens.is(at + 1, ".") && !tokens.is(at + 2, ")");
            if is_range {
                return Some(match self.expression(start..at) {
                    Value::Int(first) => Value::RangeFrom(first),
                    _ => Value::Unknown,
                });
            }
            let spaced = follows_value && !joins(at - 1, at) && !matches!(tokens.text(at - 1), "-" | "=" | "<" | ">");
            if spaced && OPERATORS.contains(&text) && tokens.list[at].kind != TokenKind::Word {
                operands.push(start..at);
                all_add &= text == "+";
                at += 1;
                while at < range.end && OPERATORS.contains(&tokens.text(at)) && joins(at - 1, at) {
                    all_add = false;
                    at += 1;
                }
                start = at;
                continue;
            }
            at += 1;
        }
        if operands.is_empty() {
            return None;
        }
        if let Some(number) = integer(tokens, range.clone()) {
            return Some(Value::Int(number));
        }
        operands.push(start..range.end);
        let values: Vec<Value> = operands.into_iter().map(|operand| self.expression(operand)).collect();
        let total = values.into_iter().reduce(Value::plus).unwrap_or(Value::Unknown);
        Some(if all_add { total } else { Value::Unknown })
    }

    /// A value with its members, calls and subscripts.
    fn chain(&mut self, range: Tokens) -> Value {
        let Some((mut chain, mut at)) = self.primary(range.clone()) else { return Value::Unknown };
        let tokens = self.tokens;
        while at < range.end && self.step() {
            let text = tokens.text(at);
            let is_arrow = text == "-" && tokens.is(at + 1, ">");
            if matches!(text, "!" | "?") {
                at += 1;
            } else if text == "." || is_arrow {
                let name_at = at + if is_arrow { 2 } else { 1 };
                if name_at >= range.end {
                    return Value::Unknown;
                }
                at = self.member(&mut chain, name_at, range.end);
            } else if text == "(" {
                let close = tokens.close_of(at).min(range.end);
                self.arguments(at + 1..close);
                chain = Chain { value: Value::Unknown, path: None, names_type: false };
                at = close + 1;
            } else if text == "[" {
                let close = tokens.close_of(at).min(range.end);
                let key = self.expression(at + 1..close);
                chain.value = element(&chain.value, &key);
                chain.path = None;
                at = close + 1;
            } else {
                // What follows is not understood, so neither is the whole.
                return Value::Unknown;
            }
        }
        chain.value
    }

    /// `.name`, or `.name(…)` with the closure behind it. Gives the token behind.
    fn member(&mut self, chain: &mut Chain, name_at: usize, end: usize) -> usize {
        let tokens = self.tokens;
        let name = tokens.text(name_at).to_owned();
        let mut at = name_at + 1;
        // Rust's `.collect::<T>()`.
        if tokens.is(at, ":") && tokens.is(at + 1, ":") && tokens.is(at + 2, "<") {
            while at < end && !tokens.is(at, "(") {
                at += 1;
            }
        }
        let is_call = at < end && tokens.is(at, "(") && !tokens.list[at].starts_line;
        let has_closure = |at: usize| at < end && tokens.is(at, "{") && tokens.dialect == Dialect::Swift;
        if is_call || has_closure(at) {
            let mut arguments = Vec::new();
            let mut closure = None;
            if is_call {
                let close = tokens.close_of(at).min(end);
                closure = self.closure_in(at + 1..close);
                if closure.is_none() {
                    arguments = self.arguments(at + 1..close);
                }
                at = close + 1;
            }
            if has_closure(at) {
                closure = Some(at..tokens.close_of(at).min(end) + 1);
                at = tokens.close_of(at).min(end) + 1;
            }
            let value = self.call(chain, &name, name_at, &arguments, closure);
            *chain = Chain { value, path: None, names_type: false };
            return at;
        }
        let is_self = chain.path.as_deref() == Some("");
        let value = match chain.value.object() {
            Some(object) => self.property(object, &name),
            None if is_self => self.lookup_member(&name),
            None if name == "rawValue" || name == "self" => chain.value.clone(),
            None => match &chain.path {
                Some(path) if chain.value == Value::Unknown => match self.lookup_member(&format!("{path}.{name}")) {
                    // An enumerator, perhaps.
                    Value::Unknown if chain.names_type => Value::Word(name.clone()),
                    value => value,
                },
                _ => Value::Unknown,
            },
        };
        let path = chain.path.take().map(|path| if path.is_empty() { name.clone() } else { format!("{path}.{name}") });
        *chain = Chain { value, path, names_type: false };
        at
    }

    /// The closure that is the only argument of a call: `|x| …`, `{ … }`.
    fn closure_in(&self, range: Tokens) -> Option<Tokens> {
        let tokens = self.tokens;
        let is_closure = match tokens.dialect {
            Dialect::Rust => {
                tokens.is(range.start, "|") || (tokens.is(range.start, "move") && tokens.is(range.start + 1, "|"))
            }
            Dialect::Swift => tokens.is(range.start, "{"),
            _ => false,
        };
        is_closure.then_some(range)
    }

    /// The first part of a chain, and the token behind it.
    fn primary(&mut self, range: Tokens) -> Option<(Chain, usize)> {
        let tokens = self.tokens;
        let at = range.start;
        let plain = |value: Value, end: usize| Some((Chain { value, path: None, names_type: false }, end));
        match &tokens.list.get(at)?.kind {
            TokenKind::String { .. } => {
                let value = self.string(at);
                // Strings that stand side by side are one, and have no single place.
                let is_joined = at + 1 < range.end && matches!(tokens.list[at + 1].kind, TokenKind::String { .. });
                return plain(if is_joined { Value::Unknown } else { value }, at + 1);
            }
            TokenKind::Number => {
                return plain(integer(tokens, at..at + 1).map_or(Value::Unknown, Value::Int), at + 1);
            }
            TokenKind::Words(_) => return None,
            TokenKind::Word => {}
            TokenKind::Punctuation(sign) => return self.punctuated(*sign, range),
        }
        let text = tokens.text(at);
        match text {
            "true" | "YES" => return plain(Value::Bool(true), at + 1),
            "false" | "NO" => return plain(Value::Bool(false), at + 1),
            "nil" | "NULL" | "nullptr" | "None" | "Nil" => return plain(Value::Nil, at + 1),
            "self" | "this" => {
                let chain = Chain { value: Value::Unknown, path: Some(String::new()), names_type: false };
                return Some((chain, at + 1));
            }
            _ => {}
        }
        // Rust's macros.
        if tokens.dialect == Dialect::Rust && tokens.is(at + 1, "!") && at + 2 < range.end && tokens.is_open(at + 2) {
            let close = tokens.close_of(at + 2).min(range.end);
            let arguments = self.arguments(at + 3..close);
            let value = match text {
                "vec" => Value::Array(arguments.into_iter().map(|argument| argument.value).collect(), true),
                "ns_string" => arguments.into_iter().next().map_or(Value::Unknown, |argument| argument.value),
                _ => Value::Unknown,
            };
            return plain(value, close + 1);
        }
        // `A::B::c`
        let mut names = vec![text.to_owned()];
        let mut next = at + 1;
        while next + 1 < range.end && tokens.is(next, ":") && tokens.is(next + 1, ":") {
            if tokens.is_word(next + 2) {
                names.push(tokens.text(next + 2).to_owned());
                next += 3;
            } else {
                // Generic arguments.
                next += 2;
                while next < range.end && !tokens.is(next, "(") && !tokens.is(next, ":") {
                    next += 1;
                }
            }
        }
        let name = names.last().cloned().unwrap_or_default();
        // Swift's generic arguments of a constructor.
        if tokens.dialect == Dialect::Swift
            && tokens.is(next, "<")
            && next < range.end
            && tokens.list[next].start == tokens.list[next - 1].end
        {
            while next < range.end && !tokens.is(next, "(") {
                next += 1;
            }
        }
        if next < range.end && tokens.is(next, "(") && !tokens.list[next].starts_line {
            let close = tokens.close_of(next).min(range.end);
            let arguments = self.arguments(next + 1..close);
            let mut end = close + 1;
            let owner = names.len().checked_sub(2).map(|index| names[index].clone());
            if end < range.end && tokens.is(end, "{") && tokens.dialect == Dialect::Swift {
                end = tokens.close_of(end).min(range.end) + 1;
            }
            let value = match &owner {
                Some(owner) => self.static_call(owner, &name, at, &arguments),
                None => self.free_call(&name, at, &arguments),
            };
            return plain(value, end);
        }
        if names.len() > 1 {
            return plain(Value::Word(name), next);
        }
        let value = self.lookup(&name);
        let names_type = name.chars().next().is_some_and(char::is_uppercase);
        // C's enumerators.
        let value = match value {
            Value::Unknown if tokens.dialect == Dialect::C && name.starts_with("MTL") => Value::Word(name.clone()),
            value => value,
        };
        Some((Chain { value, path: Some(name), names_type }, next))
    }

    /// A part that begins with a sign.
    fn punctuated(&mut self, sign: char, range: Tokens) -> Option<(Chain, usize)> {
        let tokens = self.tokens;
        let at = range.start;
        let plain = |value: Value, end: usize| Some((Chain { value, path: None, names_type: false }, end));
        match sign {
            // Objective-C's literals.
            '@' => {
                if tokens.is(at + 1, "[") {
                    let close = tokens.close_of(at + 1).min(range.end);
                    let values = self.arguments(at + 2..close).into_iter().map(|argument| argument.value).collect();
                    return plain(Value::Array(values, true), close + 1);
                }
                if tokens.is(at + 1, "{") {
                    let close = tokens.close_of(at + 1).min(range.end);
                    return plain(self.map(at + 2..close), close + 1);
                }
                if tokens.is(at + 1, "(") {
                    let close = tokens.close_of(at + 1).min(range.end);
                    return plain(self.expression(at + 2..close), close + 1);
                }
                self.primary(at + 1..range.end)
            }
            '(' => {
                let close = tokens.close_of(at).min(range.end);
                // A cast, if a value follows.
                let follows = close + 1 < range.end
                    && (tokens.is_word(close + 1)
                        || matches!(tokens.text(close + 1), "[" | "(" | "@" | "&")
                        || matches!(tokens.list[close + 1].kind, TokenKind::String { .. } | TokenKind::Number));
                if tokens.dialect == Dialect::C && follows {
                    return self.primary(close + 1..range.end);
                }
                let parts = self.split(at + 1..close);
                let value = match parts.as_slice() {
                    [part] => self.expression(part.clone()),
                    _ => {
                        parts.into_iter().for_each(|part| {
                            self.expression(part);
                        });
                        Value::Unknown
                    }
                };
                plain(value, close + 1)
            }
            '[' if tokens.dialect == Dialect::C => {
                let close = tokens.close_of(at).min(range.end);
                let is_lambda = matches!(tokens.text(close + 1), "(" | "{") && close + 1 < range.end;
                if is_lambda {
                    return plain(Value::Unknown, range.end);
                }
                let value = self.message(at, close);
                plain(value, close + 1)
            }
            '[' => {
                let close = tokens.close_of(at).min(range.end);
                let first_colon =
                    self.split(at + 1..close).first().is_some_and(|part| self.colon_in(part.clone()).is_some());
                // `[:]` is an empty map, `[T]()` an empty array of a type.
                let is_empty_map = tokens.is(at + 1, ":") && at + 2 == close;
                if tokens.dialect == Dialect::Swift && (first_colon || is_empty_map) {
                    if tokens.is(close + 1, "(") && close + 1 < range.end {
                        return plain(Value::Map(Vec::new(), true), tokens.close_of(close + 1).min(range.end) + 1);
                    }
                    let value = if is_empty_map { Value::Map(Vec::new(), true) } else { self.map(at + 1..close) };
                    return plain(value, close + 1);
                }
                if tokens.is(close + 1, "(") && close + 1 < range.end && tokens.dialect == Dialect::Swift {
                    return plain(Value::Array(Vec::new(), true), tokens.close_of(close + 1).min(range.end) + 1);
                }
                let values = self.arguments(at + 1..close).into_iter().map(|argument| argument.value).collect();
                plain(Value::Array(values, true), close + 1)
            }
            '{' if tokens.dialect == Dialect::C => {
                let close = tokens.close_of(at).min(range.end);
                let values = self.arguments(at + 1..close).into_iter().map(|argument| argument.value).collect();
                plain(Value::Array(values, true), close + 1)
            }
            // An enumerator whose type is known from where it stands.
            '.' if tokens.is_word(at + 1) && at + 1 < range.end => {
                if tokens.is(at + 2, "(") && at + 2 < range.end {
                    let close = tokens.close_of(at + 2).min(range.end);
                    self.arguments(at + 3..close);
                    return plain(Value::Unknown, close + 1);
                }
                plain(Value::Word(tokens.text(at + 1).to_owned()), at + 2)
            }
            // `$0` of a closure.
            '$' if at + 1 < range.end => plain(self.lookup(&format!("${}", tokens.text(at + 1))), at + 2),
            '-' => {
                self.expression(at + 1..range.end);
                plain(Value::Unknown, range.end)
            }
            _ => None,
        }
    }

    /// A string without holes.
    fn string(&self, at: usize) -> Value {
        match self.tokens.string(at) {
            Some(text) if text.pieces().iter().all(|piece| piece.known == Known::Yes) => Value::String(text.text(), at),
            _ => Value::Unknown,
        }
    }

    fn colon_in(&self, range: Tokens) -> Option<usize> {
        let tokens = self.tokens;
        let mut at = range.start;
        while at < range.end {
            if tokens.is_open(at) {
                at = tokens.close_of(at).min(range.end);
            } else if tokens.is(at, ":") && !joins_colon(self, at) {
                return Some(at);
            }
            at += 1;
        }
        None
    }

    /// `key: value, …`
    fn map(&mut self, range: Tokens) -> Value {
        let mut entries = Vec::new();
        for part in self.split(range) {
            let Some(colon) = self.colon_in(part.clone()) else { return Value::Map(entries, false) };
            let key = self.expression(part.start..colon);
            entries.push((key, self.expression(colon + 1..part.end)));
        }
        Value::Map(entries, true)
    }

    /// The arguments between the parentheses of a call, or the elements of a literal.
    pub(super) fn arguments(&mut self, range: Tokens) -> Vec<Argument> {
        let tokens = self.tokens;
        let parts = self.split(range);
        let mut arguments = Vec::new();
        for part in parts {
            let has_label = tokens.dialect == Dialect::Swift
                && tokens.is_word(part.start)
                && tokens.is(part.start + 1, ":")
                && part.len() > 2;
            let at = if has_label { part.start + 2..part.end } else { part.clone() };
            let label = has_label.then(|| tokens.text(part.start).to_owned());
            let value = self.expression(at.clone());
            arguments.push(Argument { label, value, at });
        }
        arguments
    }

    /// `[receiver name:a label:b]`
    fn message(&mut self, open: usize, close: usize) -> Value {
        let tokens = self.tokens;
        let range = open + 1..close;
        // The receiver: a word with members, or brackets.
        let mut at = range.start;
        if at >= range.end {
            return Value::Unknown;
        }
        at = if tokens.is_open(at) { tokens.close_of(at).min(range.end) + 1 } else { at + 1 };
        loop {
            if tokens.is(at, ".") && at + 1 < range.end {
                at += 2;
            } else if tokens.is(at, "-") && tokens.is(at + 1, ">") && at + 2 < range.end {
                at += 3;
            } else if tokens.is(at, "[") && at < range.end {
                at = tokens.close_of(at).min(range.end) + 1;
            } else {
                break;
            }
        }
        let receiver = range.start..at;
        if at >= range.end || !tokens.is_word(at) {
            // No message: an element of something.
            return self.expression(range);
        }
        let name_at = at;
        let name = tokens.text(at).to_owned();
        let mut arguments = Vec::new();
        at += 1;
        let mut label: Option<String> = None;
        while at < range.end && tokens.is(at, ":") {
            // Up to the next piece of the selector: a word with a colon.
            let start = at + 1;
            let mut end = start;
            while end < range.end {
                let is_piece =
                    end > start && tokens.is_word(end) && tokens.is(end + 1, ":") && !tokens.is(end + 2, ":");
                // `c ? a : b` in an argument is rare enough to be given up on.
                if is_piece && end + 1 < range.end {
                    break;
                }
                end = if tokens.is_open(end) { tokens.close_of(end).min(range.end) + 1 } else { end + 1 };
            }
            let end = end.min(range.end);
            for part in self.split(start..end) {
                let value = self.expression(part.clone());
                arguments.push(Argument { label: label.clone(), value, at: part });
            }
            label = (end < range.end).then(|| tokens.text(end).to_owned());
            at = end + 1;
        }
        let is_type = receiver.len() == 1 && tokens.text(receiver.start).chars().next().is_some_and(char::is_uppercase);
        if is_type && self.lookup(tokens.text(receiver.start)) == Value::Unknown {
            let owner = tokens.text(receiver.start).to_owned();
            return self.static_call(&owner, &name, open, &arguments);
        }
        let is_self = receiver.len() == 1 && tokens.is(receiver.start, "self");
        if is_self {
            let plain: Vec<(Option<String>, Value)> =
                arguments.iter().map(|argument| (argument.label.clone(), argument.value.clone())).collect();
            if let Some(value) = self.call_local(&name, &plain, open) {
                return value;
            }
        }
        let path = self.path_text(receiver.clone());
        let value = self.expression(receiver);
        let chain = Chain { value, path, names_type: false };
        self.call(&chain, &name, name_at, &arguments, None)
    }

    /// A call of a method on a value.
    fn call(&mut self, chain: &Chain, name: &str, at: usize, arguments: &[Argument], closure: Option<Tokens>) -> Value {
        if let Some(closure) = closure {
            return self.call_with_closure(&chain.value, name, closure);
        }
        if chain.names_type && chain.value == Value::Unknown {
            let owner = chain.path.clone().unwrap_or_default();
            return self.static_call(&owner, name, at, arguments);
        }
        // A member function of the file's own, through `self` or whatever holds it.
        if chain.path.as_deref() == Some("") {
            let plain: Vec<(Option<String>, Value)> =
                arguments.iter().map(|argument| (argument.label.clone(), argument.value.clone())).collect();
            if let Some(value) = self.call_local(name, &plain, at) {
                return value;
            }
        }
        if self.grow(chain, name, arguments) {
            return Value::Unknown;
        }
        self.method(&chain.value, name, at, arguments)
    }

    /// Methods that add an element to an array that a name holds.
    fn grow(&mut self, chain: &Chain, name: &str, arguments: &[Argument]) -> bool {
        let Some(path) = chain.path.as_ref().filter(|path| !path.is_empty()) else { return false };
        let added = match (name, arguments) {
            ("append", [only]) if only.label.as_deref() == Some("contentsOf") => only.value.clone(),
            ("append" | "addObject" | "push" | "push_back" | "emplace_back", [only]) => {
                Value::Array(vec![only.value.clone()], true)
            }
            ("addObjectsFromArray" | "extend", [only]) => only.value.clone(),
            ("insert" | "setObject", [key, value]) => {
                // Maps: `insert(key, value)` in Rust, `setObject:forKey:` the other way round.
                let (key, value) = if name == "insert" { (key, value) } else { (value, key) };
                let Value::Map(mut entries, is_complete) = self.lookup(path) else { return false };
                entries.retain(|(other, _)| *other != key.value);
                entries.push((key.value.clone(), value.value.clone()));
                entries.truncate(1000);
                self.set(path, Value::Map(entries, is_complete));
                return true;
            }
            _ => return false,
        };
        let Value::Array(mut elements, is_complete) = self.lookup(path) else { return false };
        let Value::Array(more, more_is_complete) = added else {
            self.set(path, Value::Array(elements, false));
            return true;
        };
        for element in more {
            // Running a loop's body once stands for all its rounds.
            if !elements.contains(&element) && elements.len() < 1000 {
                elements.push(element);
            }
        }
        self.set(path, Value::Array(elements, is_complete && more_is_complete));
        true
    }

    /// `values.map { … }` and its like.
    fn call_with_closure(&mut self, receiver: &Value, name: &str, closure: Tokens) -> Value {
        let tokens = self.tokens;
        let element = match receiver {
            Value::Array(values, is_complete) => {
                let rest = (!is_complete).then_some(Value::Unknown);
                values.iter().cloned().chain(rest).reduce(Value::or)
            }
            _ => None,
        };
        let is_map = matches!(name, "map" | "compactMap" | "flatMap" | "forEach" | "filter_map" | "for_each");
        let (parameter, body) = if tokens.is(closure.start, "{") {
            let body = closure.start + 1..closure.end - 1;
            let separator = (body.start..(body.start + 8).min(body.end)).find(|&at| tokens.is(at, "in"));
            match separator {
                Some(separator) => {
                    let named = (body.start..separator).find(|&at| tokens.is_word(at));
                    (named.map_or("$0".to_owned(), |at| tokens.text(at).to_owned()), separator + 1..body.end)
                }
                None => ("$0".to_owned(), body),
            }
        } else {
            let start = if tokens.is(closure.start, "move") { closure.start + 1 } else { closure.start };
            let Some(bar) = (start + 1..closure.end).find(|&at| tokens.is(at, "|")) else { return Value::Unknown };
            let named = (start + 1..bar).find(|&at| tokens.is_word(at));
            (named.map_or(String::new(), |at| tokens.text(at).to_owned()), bar + 1..closure.end)
        };
        let value = element.filter(|_| is_map).unwrap_or(Value::Unknown);
        self.evaluated.extend(closure.clone().find(|&at| tokens.is(at, "{")));
        let result = self.closure(parameter, value.clone(), body);
        match (receiver, name) {
            (Value::Array(_, is_complete), "map" | "compactMap" | "filter_map") => {
                let is_known = result.choices().1;
                Value::Array(vec![result], *is_complete && is_known)
            }
            (Value::Array(..), "filter") => receiver.clone(),
            _ => Value::Unknown,
        }
    }

    /// Runs the body of a closure with one argument; gives what it returns.
    fn closure(&mut self, parameter: String, value: Value, body: Tokens) -> Value {
        if self.depth > 40 {
            return Value::Unknown;
        }
        self.push_scope(parameter, value);
        let body = if self.tokens.is(body.start, "{") && self.tokens.close_of(body.start) + 1 == body.end {
            body.start + 1..body.end - 1
        } else {
            body
        };
        let before = self.take_returned();
        let last = self.block(body);
        let returned = self.replace_returned(before);
        self.pop_scope();
        returned.or(last).unwrap_or(Value::Unknown)
    }
}

/// Whether a colon is part of `::`.
fn joins_colon(walker: &Walker<'_>, at: usize) -> bool {
    walker.tokens.is(at + 1, ":") || (at > 0 && walker.tokens.is(at - 1, ":"))
}

/// An element of a value.
fn element(value: &Value, key: &Value) -> Value {
    match (value, key) {
        (Value::Array(values, _), Value::Int(index)) => {
            // Elements that loops added have no positions of their own.
            let at =
                usize::try_from(*index).ok().filter(|_| values.iter().all(|value| !matches!(value, Value::OneOf(_))));
            at.and_then(|at| values.get(at)).cloned().unwrap_or(Value::Unknown)
        }
        (Value::Array(values, is_complete), _) => {
            let rest = (!is_complete).then_some(Value::Unknown);
            values.iter().cloned().chain(rest).reduce(Value::or).unwrap_or(Value::Unknown)
        }
        (Value::Map(entries, _), Value::String(key, _)) => {
            let found = entries.iter().find(|(other, _)| matches!(other, Value::String(text, _) if text == key));
            found.map_or(Value::Unknown, |(_, value)| value.clone())
        }
        _ => Value::Unknown,
    }
}
