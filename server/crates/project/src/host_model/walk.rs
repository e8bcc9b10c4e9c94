//! Runs over the statements of host code.
//!
//! A file is cut into *items*: functions, and statements that stand outside of them. Names belong to a block, to a type
//! or to the file. Functions that the file itself calls are run where they are called, with their arguments; the others
//! run once with arguments that nobody knows. Everything runs twice, so that members are known above the place that sets
//! them; what is found is keyed by its place, so that running again changes nothing.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::value::{Tokens, Value, World};
use crate::lexer::{self, Dialect};

/// Statements and expressions that may be looked at before the rest is left out.
const FUEL: u32 = 300_000;
/// How deep calls of local functions may nest.
const MAX_CALLS: usize = 4;
/// How deep blocks and expressions may nest.
const MAX_DEPTH: usize = 48;
/// How often everything runs.
const PASSES: usize = 2;

pub(super) struct Walker<'a> {
    pub(super) tokens: &'a lexer::Tokens<'a>,
    pub(super) world: World,
    /// Variables of the blocks that are open, the innermost last.
    scopes: Vec<FxHashMap<String, Value>>,
    /// Members by type; the file itself has an empty name.
    members: FxHashMap<String, FxHashMap<String, Value>>,
    current_type: String,
    functions: Vec<LocalFunction>,
    by_name: FxHashMap<String, Vec<usize>>,
    called: FxHashSet<usize>,
    calls: Vec<usize>,
    /// What the function that runs returns.
    returned: Option<Value>,
    /// Closures that ran with their arguments, by the token of their bracket.
    pub(super) evaluated: FxHashSet<usize>,
    /// Tells apart the calls of local functions that lead here.
    pub(super) context: u64,
    pub(super) depth: usize,
    fuel: u32,
}

/// A function of the file.
#[derive(Clone, Debug)]
struct LocalFunction {
    /// External and internal names of parameters.
    parameters: Vec<(String, String)>,
    body: Tokens,
    /// The type that it is a member of.
    owner: String,
}

/// What stands outside of functions.
struct Item {
    owner: String,
    statement: Tokens,
}

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

    // Items.

    /// Cuts a file or the body of a type into functions and other statements.
    fn find_items(&mut self, range: Tokens, owner: &str, depth: usize, items: &mut Vec<Item>) {
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

    // Running.

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
    fn continues(&self, at: usize) -> bool {
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

    /// Runs `target = value`, `target += value` or an expression.
    fn assignment(&mut self, range: Tokens) -> Value {
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

    // Variables.

    pub(super) fn declare(&mut self, name: String, value: Value) {
        match self.scopes.last_mut() {
            Some(scope) => {
                scope.insert(name, value);
            }
            None => self.set_member(&name, value),
        }
    }

    pub(super) fn lookup(&self, name: &str) -> Value {
        let local = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        local.cloned().unwrap_or_else(|| self.lookup_member(name))
    }

    pub(super) fn lookup_member(&self, name: &str) -> Value {
        let of_type = self.members.get(&self.current_type).and_then(|members| members.get(name));
        let of_file = || self.members.get("").and_then(|members| members.get(name));
        of_type.or_else(of_file).cloned().unwrap_or(Value::Unknown)
    }

    pub(super) fn set(&mut self, name: &str, value: Value) {
        let innermost = self.scopes.len();
        for (index, scope) in self.scopes.iter_mut().enumerate().rev() {
            if let Some(slot) = scope.get_mut(name) {
                // In a block that may not run, the old value may stay; an empty one is filled.
                let is_branch = index + 1 < innermost;
                let keeps =
                    is_branch && !matches!(slot, Value::Unknown | Value::Nil | Value::Array(..) | Value::Map(..));
                *slot = if keeps { slot.clone().or(value) } else { value };
                return;
            }
        }
        self.set_member(name, value);
    }

    fn set_member(&mut self, name: &str, value: Value) {
        self.members.entry(self.current_type.clone()).or_default().insert(name.to_owned(), value);
    }
}

impl Value {
    /// What `+` makes of two values.
    pub(super) fn plus(self, other: Value) -> Value {
        match (self, other) {
            (Value::Array(mut left, a), Value::Array(right, b)) => {
                left.extend(right);
                left.truncate(10_000);
                Value::Array(left, a && b)
            }
            (Value::Array(left, _), _) => Value::Array(left, false),
            (Value::Int(left), Value::Int(right)) => left.checked_add(right).map_or(Value::Unknown, Value::Int),
            _ => Value::Unknown,
        }
    }
}

/// The token behind a statement or item that ends at `end`, and behind its block.
fn block_end(end: usize, tokens: &lexer::Tokens<'_>, limit: usize) -> usize {
    if tokens.is(end, "{") && end < limit {
        return (tokens.close_of(end) + 1).min(limit);
    }
    if tokens.is(end, ";") || tokens.is(end, "}") { end + 1 } else { end }
}

impl Walker<'_> {
    /// How many blocks are open, within the function that runs.
    pub(super) fn block_depth(&self) -> usize {
        self.scopes.len()
    }

    pub(super) fn push_scope(&mut self, name: String, value: Value) {
        self.scopes.push(FxHashMap::from_iter([(name, value)]));
    }

    pub(super) fn pop_scope(&mut self) {
        self.scopes.pop();
    }

    pub(super) fn take_returned(&mut self) -> Option<Value> {
        self.returned.take()
    }

    pub(super) fn replace_returned(&mut self, before: Option<Value>) -> Option<Value> {
        std::mem::replace(&mut self.returned, before)
    }
}
