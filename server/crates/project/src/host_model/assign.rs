//! What statements of host code assign, and to what: names, members and elements.

use super::{
    value::{Tokens, Value},
    walk::Walker,
};
use crate::lexer::Dialect;

/// What a value is assigned to.
enum Target {
    /// A new variable of the block.
    New(String),
    /// A name: a variable or a member.
    Name(String),
    /// A member of a value: the tokens of the value, the name.
    Member(Tokens, String),
    /// An element: the tokens of what holds it, those of the key.
    Element(Tokens, Tokens),
}

impl Walker<'_> {
    /// Runs `target = value`, `target += value` or an expression.
    pub(super) fn assignment(&mut self, range: Tokens) -> Value {
        let tokens = self.tokens;
        let mut at = range.start;
        while at < range.end {
            if tokens.is_open(at) {
                at = tokens.close_of(at).min(range.end);
            } else if tokens.is(at, "=") && at > range.start {
                let joins = |a: usize, b: usize| tokens.list[a].end == tokens.list[b].start;
                let before = if joins(at - 1, at) { tokens.text(at - 1) } else { "" };
                let after = if at + 1 < range.end && joins(at, at + 1) { tokens.text(at + 1) } else { "" };
                if after == "=" || matches!(before, "=" | "!" | "<" | ">") || after == ">" {
                    at += 1 + usize::from(after == "=");
                    continue;
                }
                let is_added = before == "+";
                let value = self.expression(at + 1..range.end);
                let left = range.start..at - usize::from(is_added);
                if let Some(target) = self.target(left) {
                    self.assign(target, value.clone(), at + 1..range.end, is_added);
                }
                return value;
            }
            at += 1;
        }
        self.expression(range)
    }

    /// What stands in front of `=`.
    fn target(&self, range: Tokens) -> Option<Target> {
        let tokens = self.tokens;
        let mut range = range;
        // A type behind the name.
        let declares_with_colon = matches!(tokens.dialect, Dialect::Swift | Dialect::Rust);
        let colon = range.clone().find(|&at| {
            tokens.is(at, ":") && !tokens.is(at + 1, ":") && (at == range.start || !tokens.is(at - 1, ":"))
        });
        if let Some(colon) = colon.filter(|_| declares_with_colon) {
            range.end = colon;
        }
        if range.is_empty() {
            return None;
        }
        let last = range.end - 1;
        if tokens.is(last, "]") {
            let open = tokens.list[last].pair.filter(|&open| open > range.start)?;
            if open + 1 == last {
                // `T name[] = …`
                return Some(Target::New(tokens.text(open - 1).to_owned()));
            }
            let base = self.path_start(open, range.start);
            return Some(Target::Element(base..open, open + 1..last));
        }
        // Patterns: `Some(name)`, `Ok(name)`.
        if tokens.is(last, ")") {
            let name = tokens.is_word(last - 1).then(|| tokens.text(last - 1).to_owned())?;
            return Some(Target::New(name));
        }
        if !tokens.is_word(last) {
            return None;
        }
        let name = tokens.text(last).to_owned();
        let start = self.path_start(range.end, range.start);
        if start == last {
            return Some(if start > range.start { Target::New(name) } else { Target::Name(name) });
        }
        let separator = if tokens.is(last - 1, ">") { 2 } else { 1 };
        Some(Target::Member(start..last - separator, name))
    }

    /// Where the path `a.b->c` that ends before `end` begins.
    fn path_start(&self, end: usize, least: usize) -> usize {
        let tokens = self.tokens;
        let mut at = end - 1;
        loop {
            let mut before = at;
            if before > least && tokens.is(before - 1, ".") {
                before -= 1;
            } else if before > least + 1 && tokens.is(before - 1, ">") && tokens.is(before - 2, "-") {
                before -= 2;
            } else {
                return at;
            }
            while before > least && matches!(tokens.text(before - 1), "?" | "!") {
                before -= 1;
            }
            if before <= least {
                return at;
            }
            let mut start = before - 1;
            // `a[0].b`, `f().b`
            while matches!(tokens.text(start), "]" | ")") && start > least {
                start = tokens.list[start].pair.unwrap_or(start).saturating_sub(1).max(least);
            }
            at = start;
        }
    }

    fn assign(&mut self, target: Target, value: Value, at: Tokens, is_added: bool) {
        match target {
            Target::New(name) => self.declare(name, value),
            Target::Name(name) => {
                let value = if is_added { self.lookup(&name).plus(value) } else { value };
                self.set(&name, value);
            }
            Target::Member(base, name) => {
                let is_self = base.len() == 1 && matches!(self.tokens.text(base.start), "self" | "this");
                if is_self {
                    let value = if is_added { self.lookup_member(&name).plus(value) } else { value };
                    self.set_member(&name, value);
                    return;
                }
                let path = self.path_text(base.clone());
                match self.expression(base).object() {
                    Some(object) => {
                        let value = if is_added { self.property(object, &name).plus(value) } else { value };
                        self.set_property(object, &name, value, at);
                    }
                    None => {
                        if let Some(path) = path {
                            self.set_member(&format!("{path}.{name}"), value);
                        }
                    }
                }
            }
            Target::Element(base, key) => {
                let key = self.expression(key);
                let added = |old: Value| match old {
                    Value::Map(mut entries, is_complete) if entries.len() < 1000 => {
                        entries.retain(|(other, _)| *other != key);
                        entries.push((key.clone(), value.clone()));
                        Value::Map(entries, is_complete)
                    }
                    _ => Value::Unknown,
                };
                let last = base.end - 1;
                let start = self.path_start(base.end, base.start);
                if start == last {
                    let name = self.tokens.text(last).to_owned();
                    let new = added(self.lookup(&name));
                    self.set(&name, new);
                } else {
                    let separator = if self.tokens.is(last - 1, ">") { 2 } else { 1 };
                    let name = self.tokens.text(last).to_owned();
                    if let Some(object) = self.expression(start..last - separator).object() {
                        let new = added(self.property(object, &name));
                        self.set_property(object, &name, new, at);
                    }
                }
            }
        }
    }

    /// A path of plain names as text.
    pub(super) fn path_text(&self, range: Tokens) -> Option<String> {
        let tokens = self.tokens;
        let mut text = String::new();
        for at in range {
            match tokens.text(at) {
                "self" | "this" | "?" | "!" | "-" => {}
                "." | ">" if text.is_empty() => {}
                "." | ">" => text.push('.'),
                word if tokens.is_word(at) => text.push_str(word),
                _ => return None,
            }
        }
        (!text.is_empty()).then_some(text)
    }
}
