//! Cuts host code into *items*: functions, and statements that stand outside of them.

use super::{
    value::Tokens,
    walk::{LocalFunction, MAX_DEPTH, Walker},
};
use crate::lexer::{self, Dialect};

/// What stands outside of functions.
pub(super) struct Item {
    pub(super) owner: String,
    pub(super) statement: Tokens,
}

const TYPE_WORDS: &[&str] = &[
    "class",
    "struct",
    "extension",
    "enum",
    "impl",
    "protocol",
    "namespace",
    "trait",
    "mod",
    "actor",
    "union",
    "extern",
];

impl Walker<'_> {
    /// Cuts a file or the body of a type into functions and other statements.
    pub(super) fn find_items(&mut self, range: Tokens, owner: &str, depth: usize, items: &mut Vec<Item>) {
        let tokens = self.tokens;
        if depth > MAX_DEPTH {
            return;
        }
        let mut owner = owner.to_owned();
        let mut at = range.start;
        while at < range.end && self.step() {
            // Objective-C's classes have no braces.
            if tokens.is(at, "@") && matches!(tokens.text(at + 1), "implementation" | "interface" | "protocol") {
                tokens.text(at + 2).clone_into(&mut owner);
                at += 3;
                continue;
            }
            if tokens.is(at, "@") && tokens.is(at + 1, "end") {
                owner.clear();
                at += 2;
                continue;
            }
            // Directives end at their line.
            if tokens.dialect == Dialect::C && tokens.is(at, "#") && tokens.list[at].starts_line {
                at += 1;
                while at < range.end && !tokens.list[at].starts_line {
                    at += 1;
                }
                continue;
            }
            let (end, block) = self.item_end(at, range.end);
            match block {
                None => items.push(Item { owner: owner.clone(), statement: at..end }),
                Some(body) => {
                    let head = at..end;
                    if let Some(name) = self.type_name(head.clone()) {
                        let name = name.unwrap_or_else(|| owner.clone());
                        self.find_items(body.start..body.end, &name, depth + 1, items);
                    } else {
                        self.add_function(head, body.clone(), &owner);
                    }
                }
            }
            at = block_end(end, self.tokens, range.end);
        }
    }

    /// Where an item ends, and the block behind it.
    fn item_end(&self, start: usize, end: usize) -> (usize, Option<Tokens>) {
        let tokens = self.tokens;
        let mut at = start;
        let mut has_value = false;
        while at < end {
            let text = tokens.text(at);
            if text == ";" || (text == "}" && !tokens.is_open(at)) {
                return (at, None);
            }
            if tokens.is(at, "=") {
                has_value = true;
            }
            let new_line = at > start && tokens.list[at].starts_line && tokens.dialect == Dialect::Swift;
            if new_line && !self.continues(at) && !tokens.is(at, "{") {
                return (at, None);
            }
            if tokens.is(at, "{") {
                let close = tokens.close_of(at).min(end);
                if !has_value {
                    return (at, Some(at + 1..close));
                }
                at = close;
            } else if tokens.is_open(at) {
                at = tokens.close_of(at).min(end);
            }
            at += 1;
        }
        (end, None)
    }

    /// For the head of a type or namespace: its name. `Some(None)` is one whose members count as the outer's.
    fn type_name(&self, head: Tokens) -> Option<Option<String>> {
        let tokens = self.tokens;
        let has_parameters = head.clone().any(|at| tokens.is(at, "("));
        let word = head.clone().find(|&at| tokens.is_word(at) && TYPE_WORDS.contains(&tokens.text(at)))?;
        if matches!(tokens.text(word), "namespace" | "extern" | "mod") {
            return Some(None);
        }
        // A function may return a `struct T`.
        if has_parameters && tokens.dialect == Dialect::C {
            return None;
        }
        if tokens.text(word) == "class" && matches!(tokens.text(word + 1), "func" | "var") {
            return None;
        }
        let mut names = (word + 1..head.end).filter(|&at| tokens.is_word(at));
        let mut name = names.next().map(|at| tokens.text(at).to_owned());
        // `impl Trait for Type`.
        if let Some(at) = (word + 1..head.end).find(|&at| tokens.is(at, "for")) {
            name = Some(tokens.text(at + 1).to_owned());
        }
        Some(Some(name.unwrap_or_default()))
    }

    /// Notes a function: its name, its parameters, its body.
    fn add_function(&mut self, head: Tokens, body: Tokens, owner: &str) {
        let tokens = self.tokens;
        let mut owner = owner.to_owned();
        let first_sign = tokens.text(head.start);
        let mut parameters = Vec::new();
        let mut name = String::new();
        if tokens.dialect == Dialect::C && matches!(first_sign, "-" | "+") {
            // `- (T)name:(A)a with:(B)b`
            let mut at = head.start + 1;
            if tokens.is(at, "(") {
                at = tokens.close_of(at) + 1;
            }
            tokens.text(at).clone_into(&mut name);
            while at < head.end {
                if tokens.is(at, ":") && tokens.is(at + 1, "(") {
                    let label = tokens.text(at - 1).to_owned();
                    at = tokens.close_of(at + 1) + 1;
                    parameters.push((label, tokens.text(at).to_owned()));
                }
                at += 1;
            }
        } else {
            let open = head.clone().find(|&at| {
                tokens.is(at, "(") && at > head.start && (tokens.is_word(at - 1) || tokens.is(at - 1, ">"))
            });
            let Some(open) = open else {
                // An initialiser block, or an accessor.
                self.push_function(String::new(), LocalFunction { parameters, body, owner });
                return;
            };
            let named = (head.start..open).rev().find(|&at| tokens.is_word(at));
            // Behind `func` and `fn` stands the name; generic parameters may follow it.
            let keyword = (head.start..open).find(|&at| matches!(tokens.text(at), "func" | "fn"));
            let at = keyword.map(|at| at + 1).or(named).unwrap_or(open);
            tokens.text(at).clone_into(&mut name);
            if at >= 3 && tokens.is(at - 1, ":") && tokens.is(at - 2, ":") && tokens.is_word(at - 3) {
                tokens.text(at - 3).clone_into(&mut owner);
            }
            for part in self.split(open + 1..tokens.close_of(open).min(head.end)) {
                parameters.push(self.parameter(part));
            }
            parameters.retain(|(_, inner)| !inner.is_empty() && inner != "self");
        }
        self.push_function(name, LocalFunction { parameters, body, owner });
    }

    fn parameter(&self, part: Tokens) -> (String, String) {
        let tokens = self.tokens;
        let end = part.clone().find(|&at| tokens.is(at, ":") || tokens.is(at, "=")).unwrap_or(part.end);
        match tokens.dialect {
            Dialect::Swift | Dialect::Rust => {
                let words: Vec<&str> =
                    (part.start..end).filter(|&at| tokens.is_word(at)).map(|at| tokens.text(at)).collect();
                let inner = words.last().copied().unwrap_or_default().to_owned();
                let outer = words.first().copied().unwrap_or_default().to_owned();
                (outer, inner)
            }
            _ => {
                let end = part.clone().find(|&at| tokens.is(at, "=")).unwrap_or(part.end);
                let name = (part.start..end).rev().find(|&at| tokens.is_word(at));
                (String::new(), name.map_or(String::new(), |at| tokens.text(at).to_owned()))
            }
        }
    }

    fn push_function(&mut self, name: String, function: LocalFunction) {
        let index = self.functions.len();
        if !name.is_empty() {
            self.by_name.entry(name).or_default().push(index);
        }
        self.functions.push(function);
    }
}

/// The token behind a statement or item that ends at `end`, and behind its block.
pub(super) fn block_end(end: usize, tokens: &lexer::Tokens<'_>, limit: usize) -> usize {
    if tokens.is(end, "{") && end < limit {
        return (tokens.close_of(end) + 1).min(limit);
    }
    if tokens.is(end, ";") || tokens.is(end, "}") { end + 1 } else { end }
}
