//! Runs over the statements of host code.
//!
//! What a file is cut into stands in [`super::items`], what statements assign in [`super::assign`], what names mean in
//! [`super::variables`].
//!
//! Functions that the file itself calls are run where they are called, with their arguments; the others run once with
//! arguments that nobody knows. Everything runs twice, so that members are known above the place that sets
//! them; what is found is keyed by its place, so that running again changes nothing.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::{
    items::block_end,
    value::{Tokens, Value, World},
};
use crate::lexer::{self, Dialect};

/// Statements and expressions that may be looked at before the rest is left out.
const FUEL: u32 = 300_000;
/// How deep calls of local functions may nest.
const MAX_CALLS: usize = 4;
/// How deep blocks and expressions may nest.
pub(super) const MAX_DEPTH: usize = 48;
/// How often everything runs.
const PASSES: usize = 2;

pub(super) struct Walker<'a> {
    pub(super) tokens: &'a lexer::Tokens<'a>,
    pub(super) world: World,
    /// Variables of the blocks that are open, the innermost last.
    pub(super) scopes: Vec<FxHashMap<String, Value>>,
    /// Members by type; the file itself has an empty name.
    pub(super) members: FxHashMap<String, FxHashMap<String, Value>>,
    pub(super) current_type: String,
    pub(super) functions: Vec<LocalFunction>,
    pub(super) by_name: FxHashMap<String, Vec<usize>>,
    pub(super) called: FxHashSet<usize>,
    pub(super) calls: Vec<usize>,
    /// What the function that runs returns.
    pub(super) returned: Option<Value>,
    /// Closures that ran with their arguments, by the token of their bracket.
    pub(super) evaluated: FxHashSet<usize>,
    /// Tells apart the calls of local functions that lead here.
    pub(super) context: u64,
    pub(super) depth: usize,
    pub(super) fuel: u32,
}

/// A function of the file.
#[derive(Clone, Debug)]
pub(super) struct LocalFunction {
    /// External and internal names of parameters.
    pub(super) parameters: Vec<(String, String)>,
    pub(super) body: Tokens,
    /// The type that it is a member of.
    pub(super) owner: String,
}

const CONTROL_WORDS: &[&str] = &[
    "if",
    "guard",
    "while",
    "for",
    "switch",
    "do",
    "else",
    "catch",
    "repeat",
    "match",
    "unsafe",
    "defer",
    "loop",
    "try",
    "autoreleasepool",
    "func",
    "fn",
    "class",
    "struct",
    "enum",
    "extension",
    "impl",
    "namespace",
    "case",
    "default",
];

impl<'a> Walker<'a> {
    pub(super) fn new(tokens: &'a lexer::Tokens<'a>) -> Walker<'a> {
        Walker {
            tokens,
            world: World::default(),
            scopes: Vec::new(),
            members: FxHashMap::default(),
            current_type: String::new(),
            functions: Vec::new(),
            by_name: FxHashMap::default(),
            called: FxHashSet::default(),
            calls: Vec::new(),
            returned: None,
            evaluated: FxHashSet::default(),
            context: 0,
            depth: 0,
            fuel: FUEL,
        }
    }

    pub(super) fn into_world(self) -> World {
        self.world
    }

    pub(super) fn run(&mut self) {
        let mut items = Vec::new();
        self.find_items(0..self.tokens.list.len(), "", 0, &mut items);
        for _ in 0..PASSES {
            self.called.clear();
            for item in &items {
                self.current_type.clone_from(&item.owner);
                self.statement(item.statement.clone());
            }
            for index in 0..self.functions.len() {
                if !self.called.contains(&index) {
                    let function = self.functions[index].clone();
                    self.run_function(index, &function, FxHashMap::default());
                }
            }
        }
        self.context = 0;
    }

    /// Whether there is fuel for another step.
    pub(super) fn step(&mut self) -> bool {
        self.fuel = self.fuel.saturating_sub(1);
        self.fuel > 0
    }

    fn run_function(&mut self, index: usize, function: &LocalFunction, arguments: FxHashMap<String, Value>) -> Value {
        let scopes = std::mem::take(&mut self.scopes);
        let owner = std::mem::replace(&mut self.current_type, function.owner.clone());
        let returned = self.returned.take();
        self.calls.push(index);
        self.depth += 1;
        let mut scope: FxHashMap<String, Value> = FxHashMap::default();
        // Parameters hide members.
        for (_, inner) in &function.parameters {
            scope.insert(inner.clone(), Value::Unknown);
        }
        scope.extend(arguments);
        self.scopes.push(scope);
        let last = self.block(function.body.clone());
        self.depth -= 1;
        self.calls.pop();
        self.scopes = scopes;
        self.current_type = owner;
        let result = std::mem::replace(&mut self.returned, returned);
        result.or(last).unwrap_or(Value::Unknown)
    }

    /// Calls a function of the file, if exactly one has this name.
    pub(super) fn call_local(&mut self, name: &str, arguments: &[(Option<String>, Value)], at: usize) -> Option<Value> {
        let &[index] = self.by_name.get(name)?.as_slice() else { return None };
        if self.calls.len() >= MAX_CALLS || self.calls.contains(&index) || self.depth > MAX_DEPTH {
            return None;
        }
        self.called.insert(index);
        let function = self.functions[index].clone();
        let mut bound: FxHashMap<String, Value> = FxHashMap::default();
        let mut next = 0;
        for (label, value) in arguments {
            let labelled = label
                .as_ref()
                .and_then(|label| function.parameters.iter().position(|(outer, _)| outer == label))
                .or_else(|| (next < function.parameters.len()).then_some(next));
            if let Some(position) = labelled {
                bound.insert(function.parameters[position].1.clone(), value.clone());
                next = position + 1;
            }
        }
        let context = self.context;
        let mut hasher = FxHasher::default();
        (context, at).hash(&mut hasher);
        self.context = hasher.finish();
        let result = self.run_function(index, &function, bound);
        self.context = context;
        Some(result)
    }

    /// Runs a block in a scope of its own; gives the value of a last expression that nothing ends.
    pub(super) fn block(&mut self, range: Tokens) -> Option<Value> {
        if self.depth > MAX_DEPTH || range.start > range.end {
            return None;
        }
        self.depth += 1;
        self.scopes.push(FxHashMap::default());
        let mut at = range.start;
        let mut last = None;
        let mut statements = 0;
        while at < range.end && self.step() {
            let (end, block) = self.statement_end(at, range.end);
            statements += 1;
            let value = self.statement(at..end);
            if let Some(body) = block.clone() {
                self.block(body);
            }
            at = block_end(end, self.tokens, range.end);
            let ends_open = block.is_none() && !self.tokens.is(end, ";");
            let is_result = match self.tokens.dialect {
                Dialect::Rust => ends_open && at >= range.end,
                Dialect::Swift => statements == 1 && ends_open && at >= range.end,
                _ => false,
            };
            if is_result {
                last = value;
            }
        }
        self.scopes.pop();
        self.depth -= 1;
        last
    }

    /// Where a statement ends, and the block behind it.
    fn statement_end(&self, start: usize, end: usize) -> (usize, Option<Tokens>) {
        let tokens = self.tokens;
        let is_control = CONTROL_WORDS.contains(&tokens.text(start)) && tokens.is_word(start);
        let mut at = start;
        let mut has_value = false;
        while at < end {
            if tokens.is(at, ";") {
                return (at, None);
            }
            has_value |= tokens.is(at, "=");
            let new_line = at > start && tokens.list[at].starts_line && tokens.dialect == Dialect::Swift;
            if new_line && !self.continues(at) && !(is_control && tokens.is(at, "{")) {
                return (at, None);
            }
            if tokens.is(at, "{") {
                let close = tokens.close_of(at).min(end);
                let before = if at > start { tokens.text(at - 1) } else { "" };
                let is_value = !is_control
                    && at > start
                    && match tokens.dialect {
                        Dialect::Swift => true,
                        Dialect::Rust => has_value || before == "|",
                        _ => matches!(before, "=" | "," | ":" | "return" | "@" | "^" | ")" | "]" | ">"),
                    };
                if !is_value {
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

    /// Whether the token that begins a line continues the statement of the line before.
    pub(super) fn continues(&self, at: usize) -> bool {
        let tokens = self.tokens;
        let before = tokens.text(at.saturating_sub(1));
        matches!(tokens.text(at), "." | "?" | ":" | "&" | "|" | "+" | "*" | "/" | "=" | ")" | "]" | ",")
            || matches!(before, "=" | "," | "+" | "(" | "[" | "&" | "|" | ":" | "." | "return" | "let" | "var" | "guard" | "if")
            // `->`.
            || (before == ">" && tokens.is(at.saturating_sub(2), "-"))
    }

    /// Runs one statement, without the block behind it.
    fn statement(&mut self, range: Tokens) -> Option<Value> {
        if range.is_empty() || !self.step() {
            return None;
        }
        let tokens = self.tokens;
        let first = tokens.text(range.start);
        match first {
            "for" if tokens.is_word(range.start) => {
                self.bind_loop(range);
                return None;
            }
            "func" | "fn" | "import" | "use" | "using" | "typealias" | "#" => return None,
            "return" if tokens.is_word(range.start) => {
                let value = self.expression(range.start + 1..range.end);
                let returned = self.returned.take();
                self.returned = Some(returned.map_or(value.clone(), |before| before.or(value)));
                self.inner_blocks(range);
                return None;
            }
            _ => {}
        }
        let mut range = range;
        while range.len() > 1 && tokens.is(range.end - 1, "else") {
            range.end -= 1;
        }
        while CONTROL_WORDS.contains(&tokens.text(range.start))
            && tokens.is_word(range.start)
            && range.start < range.end
        {
            range.start += 1;
        }
        // The condition of `if (auto f = …)`.
        if tokens.dialect == Dialect::C
            && tokens.is(range.start, "(")
            && tokens.close_of(range.start) + 1 == range.end
            && range.len() > 2
        {
            range = range.start + 1..range.end - 1;
        }
        let mut value = None;
        for part in self.split(range.clone()) {
            value = Some(self.assignment(part));
        }
        self.inner_blocks(range);
        value
    }

    /// Runs closures and the like inside a statement.
    fn inner_blocks(&mut self, range: Tokens) {
        let mut at = range.start;
        while at < range.end {
            if self.tokens.is(at, "{") {
                let close = self.tokens.close_of(at).min(range.end);
                if !self.evaluated.remove(&at) {
                    self.block(at + 1..close);
                }
                at = close;
            }
            at += 1;
        }
    }

    /// `for name in values`, `for (T *name in values)`, `for (auto name : values)`: the name is one of the values.
    fn bind_loop(&mut self, range: Tokens) {
        let tokens = self.tokens;
        let mut range = range.start + 1..range.end;
        if tokens.is(range.start, "(") && tokens.close_of(range.start) + 1 == range.end {
            range = range.start + 1..range.end - 1;
        }
        let separator = range.clone().find(|&at| {
            tokens.is(at, "in") || (tokens.is(at, ":") && !tokens.is(at + 1, ":") && at > 0 && !tokens.is(at - 1, ":"))
        });
        let Some(separator) = separator else {
            self.statement(range);
            return;
        };
        let Some(name) = (range.start..separator).rev().find(|&at| tokens.is_word(at)) else { return };
        let values = self.expression(separator + 1..range.end);
        let value = match values {
            Value::Array(values, is_complete) => {
                let rest = (!is_complete).then_some(Value::Unknown);
                values.into_iter().chain(rest).reduce(Value::or).unwrap_or(Value::Unknown)
            }
            _ => Value::Unknown,
        };
        let name = tokens.text(name).to_owned();
        // It belongs to the block that follows, and nothing behind that block reads it.
        for at in range.start..separator {
            if tokens.is_word(at) && tokens.text(at) != name {
                self.declare(tokens.text(at).to_owned(), Value::Unknown);
            }
        }
        self.declare(name, value);
    }

    /// Parts between commas outside of brackets.
    pub(super) fn split(&self, range: Tokens) -> Vec<Tokens> {
        let mut parts = Vec::new();
        let mut start = range.start;
        let mut at = range.start;
        while at < range.end {
            if self.tokens.is_open(at) {
                at = self.tokens.close_of(at).min(range.end);
            } else if self.tokens.is(at, ",") {
                parts.push(start..at);
                start = at + 1;
            }
            at += 1;
        }
        if start < range.end {
            parts.push(start..range.end);
        }
        parts
    }
}
