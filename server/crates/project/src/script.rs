//! Commands in scripts of general languages: Python, Rust, Swift, Ruby, JavaScript, zig, Lua, OCaml, Starlark, …
//!
//! Such scripts build a command as a list of strings, in a literal, step by step, or through functions. The reader
//! follows variables, lists, concatenation, functions of the same file with their arguments, and loops over literal
//! lists; everything else is unknown. Variables that branches set differently are unknown after the first difference.

mod evaluate;

use self::evaluate::{spread, uncertain};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    command::read_command,
    lexer::{Dialect, StringPart, TokenKind, Tokens, tokenize},
    paths,
    shell::{ShellContext, run_script},
    step::{Sink, Step},
    text::{Known, Origin, Text},
    tree::{SourceFile, Tree},
};

/// Statements and expressions that may be looked at before the reader gives up.
const FUEL: u32 = 400_000;
/// How deep calls and expressions may nest.
const MAX_DEPTH: u32 = 24;

/// Reads a script.
pub(crate) fn read(tree: &Tree<'_>, file: &SourceFile, dialect: Dialect, directories: &[String], sink: &mut Sink) {
    if !mentions_metal(&file.text) {
        return;
    }
    let tokens = tokenize(file, dialect);
    let mut script = Script {
        tree,
        tokens: &tokens,
        functions: find_functions(&tokens),
        called: FxHashSet::default(),
        directories,
        base_indent: 0,
        fuel: FUEL,
        sink,
    };
    script.run();
}

/// Whether a file can hold a command of a Metal tool.
fn mentions_metal(text: &str) -> bool {
    text.contains("xcrun") || text.contains("metallib") || text.contains("-std=metal")
}

/// What an expression comes to.
#[derive(Clone, Debug, PartialEq)]
struct Value {
    words: Vec<Text>,
    is_list: bool,
}

impl Value {
    fn word(text: Text) -> Value {
        Value { words: vec![text], is_list: false }
    }

    fn list(words: Vec<Text>) -> Value {
        Value { words, is_list: true }
    }

    fn same_text(&self, other: &Value) -> bool {
        self.is_list == other.is_list
            && self.words.len() == other.words.len()
            && self.words.iter().zip(&other.words).all(|(a, b)| a.text() == b.text())
    }
}

/// A function: its parameters with the tokens of their defaults, and its body.
struct Function {
    name: String,
    parameters: Vec<(String, Option<std::ops::Range<usize>>)>,
    /// From the first token of its definition to the end of its body.
    whole: std::ops::Range<usize>,
    body: std::ops::Range<usize>,
}

/// Variables of one function or of the top of the file.
#[derive(Default, Clone)]
struct Scope {
    variables: FxHashMap<String, Variable>,
}

#[derive(Clone)]
struct Variable {
    value: Value,
    /// Whether it is a command that nothing has run yet.
    is_pending: bool,
}

struct Script<'a> {
    tree: &'a Tree<'a>,
    tokens: &'a Tokens<'a>,
    functions: Vec<Function>,
    called: FxHashSet<usize>,
    directories: &'a [String],
    /// The column of the statements that run whenever the present block does; what is deeper may not run.
    base_indent: usize,
    fuel: u32,
    sink: &'a mut Sink,
}

impl Script<'_> {
    fn run(&mut self) {
        let mut scope = Scope::default();
        self.run_range(0..self.tokens.list.len(), &mut scope, 0);
        self.flush(&mut scope);
        // Functions that nothing here calls run once with arguments that nobody knows.
        for index in 0..self.functions.len() {
            if !self.called.contains(&index) {
                let mut inner = Scope { variables: scope.variables.clone() };
                inner.variables.values_mut().for_each(|variable| variable.is_pending = false);
                self.bind(index, &[], &mut inner, 0);
                let body = self.functions[index].body.clone();
                self.called.insert(index);
                self.run_block(body, &mut inner, 1);
                self.flush(&mut inner);
            }
        }
    }

    /// Commands that were put together and never passed on.
    fn flush(&mut self, scope: &mut Scope) {
        let mut pending: Vec<Vec<Text>> = Vec::new();
        for variable in scope.variables.values_mut().filter(|variable| variable.is_pending) {
            variable.is_pending = false;
            pending.push(variable.value.words.clone());
        }
        pending.sort_by_key(|words| words.first().and_then(Text::origin).map(|origin| origin.start));
        pending.into_iter().for_each(|words| self.emit(words));
    }

    fn emit(&mut self, words: Vec<Text>) {
        self.sink.steps.push(Step {
            words,
            directories: self.directories.to_vec(),
            scope: self.tokens.file.path.to_string(),
            piped: false,
        });
    }

    /// Runs a block.
    fn run_block(&mut self, range: std::ops::Range<usize>, scope: &mut Scope, depth: u32) {
        let indent = self.tokens.indent(range.start);
        let before = std::mem::replace(&mut self.base_indent, indent);
        self.run_range(range, scope, depth);
        self.base_indent = before;
    }

    fn run_range(&mut self, range: std::ops::Range<usize>, scope: &mut Scope, depth: u32) {
        let mut at = range.start;
        while at < range.end {
            if self.fuel == 0 || depth > MAX_DEPTH {
                return;
            }
            self.fuel -= 1;
            if let Some(function) = self.functions.iter().find(|function| function.whole.start == at) {
                at = function.whole.end.max(at + 1);
                continue;
            }
            if let Some(end) = self.run_loop(at, range.end, scope, depth) {
                at = end;
                continue;
            }
            if let Some(end) = self.run_assignment(at, range.end, scope, depth) {
                at = end;
                continue;
            }
            at = self.run_token(at, range.end, scope, depth);
        }
    }

    /// `for x in [a, b]` over values that are known.
    fn run_loop(&mut self, at: usize, limit: usize, scope: &mut Scope, depth: u32) -> Option<usize> {
        if !self.tokens.is(at, "for") {
            return None;
        }
        let mut name_at = at + 1;
        while matches!(self.tokens.text(name_at), "(" | "const" | "let" | "var") {
            name_at += 1;
        }
        let binding = name_at + 1;
        if !self.tokens.is_word(name_at) || !matches!(self.tokens.text(binding), "in" | "of") {
            return None;
        }
        let start = binding + 1;
        let (header_end, body) = if self.tokens.dialect.is_indented() {
            let colon = (start..limit).find(|&at| self.tokens.is(at, ":"))?;
            (colon, colon + 1..indented_end(self.tokens, at, colon + 1, limit))
        } else if self.tokens.dialect.ends_with_word() {
            return None;
        } else {
            let mut open = start;
            while open < limit && !self.tokens.is(open, "{") {
                // Lists and calls in the header are passed over as a whole.
                open = if self.tokens.is_open(open) { self.tokens.close_of(open) + 1 } else { open + 1 };
            }
            let close = self.tokens.close_of(open).min(limit);
            let header_end = if self.tokens.is(open.saturating_sub(1), ")") && self.tokens.is(at + 1, "(") {
                open - 1
            } else {
                open
            };
            (header_end, (open + 1).min(close)..close)
        };
        let values = self.evaluate(start..header_end, scope, depth + 1);
        let name = self.tokens.text(name_at).to_owned();
        let words = match values.is_list && values.words.iter().all(Text::is_known) && values.words.len() <= 128 {
            true => values.words,
            false => vec![Text::unknown(&name, self.tokens.origin(name_at), Known::NotTheValue)],
        };
        for word in words {
            scope.variables.insert(name.clone(), Variable { value: Value::word(word), is_pending: false });
            self.run_block(body.clone(), scope, depth + 1);
        }
        Some(body.end.max(at + 1))
    }

    /// `name = …`, `name := …`, `name += …`, with a type or a keyword before it.
    fn run_assignment(&mut self, at: usize, limit: usize, scope: &mut Scope, depth: u32) -> Option<usize> {
        if !self.tokens.is_word(at) {
            return None;
        }
        let mut operator = at + 1;
        // `let name: Type = …`.
        if self.tokens.is(operator, ":") && !self.tokens.is(operator + 1, "=") && self.tokens.dialect != Dialect::Python
        {
            let stop = (operator..limit.min(operator + 40))
                .find(|&at| matches!(self.tokens.text(at), "=" | ";" | ")" | "{" | ","))?;
            operator = stop;
        }
        let (start, appends) = match (self.tokens.text(operator), self.tokens.text(operator + 1)) {
            ("=", next) if !matches!(next, "=" | ">" | "~") => (operator + 1, false),
            (":", "=") => (operator + 2, false),
            ("+", "=") => (operator + 2, true),
            _ => return None,
        };
        // A keyword argument is no assignment.
        if at > 0 && matches!(self.tokens.text(at - 1), "," | "(") {
            return None;
        }
        let end = self.statement_end(start, limit);
        let value = self.evaluate(start..end, scope, depth + 1);
        // A field of something that runs it: `process.arguments = […]`.
        if at > 0 && matches!(self.tokens.text(at - 1), "." | ">") {
            if value.is_list && is_command(&value.words) {
                self.emit(value.words);
            }
            self.run_calls(start..end, scope, depth);
            return Some(end.max(at + 1));
        }
        let name = self.tokens.text(at).to_owned();
        let may_not_run = self.tokens.indent(at) > self.base_indent;
        self.set(name, value, appends, may_not_run, scope);
        // Calls inside the expression run, too; lists were taken as the value.
        self.run_calls(start..end, scope, depth);
        Some(end.max(at + 1))
    }

    fn set(&mut self, name: String, mut value: Value, appends: bool, may_not_run: bool, scope: &mut Scope) {
        let is_command = |value: &Value| value.is_list && is_command(&value.words);
        if may_not_run && appends {
            value.words = value.words.into_iter().map(uncertain).collect();
        } else if may_not_run && scope.variables.get(&name).is_some_and(|old| !old.value.same_text(&value)) {
            let origin = value.words.first().and_then(Text::origin).unwrap_or(Origin::new(self.tokens.file.id, 0, 0));
            let known = if value.is_list { Known::NotTheWords } else { Known::NotTheValue };
            value = Value { words: vec![Text::unknown(&name, origin, known)], is_list: value.is_list };
        }
        match scope.variables.get_mut(&name) {
            Some(variable) if appends => {
                variable.value.is_list |= value.is_list;
                if variable.value.is_list {
                    variable.value.words.extend(value.words);
                    variable.value.words.truncate(4096);
                } else {
                    let mut joined = variable.value.words.first().cloned().unwrap_or_default();
                    value.words.iter().for_each(|word| joined.push_text(word));
                    variable.value.words = vec![joined];
                }
            }
            _ => {
                let is_pending = is_command(&value);
                scope.variables.insert(name, Variable { value, is_pending });
            }
        }
    }

    /// The end of the statement that holds the expression at `start`.
    fn statement_end(&self, start: usize, limit: usize) -> usize {
        let mut at = start;
        while at < limit {
            let token = &self.tokens.list[at];
            if at > start && token.starts_line && self.tokens.dialect.ends_at_lines() {
                // A line that begins with an operator or a method goes on with the expression.
                let continues = matches!(token.kind, TokenKind::Punctuation('.' | '+' | '?' | '|' | '&'));
                let previous_continues = matches!(self.tokens.text(at - 1), "+" | "=" | "," | "\\" | "|");
                if !continues && !previous_continues {
                    return at;
                }
            }
            match token.kind {
                TokenKind::Punctuation(';') => return at,
                TokenKind::Punctuation('(' | '[' | '{') => at = self.tokens.close_of(at),
                TokenKind::Punctuation(')' | ']' | '}') => return at,
                TokenKind::Punctuation(',') if !matches!(self.tokens.dialect, Dialect::Python | Dialect::Ruby) => {
                    return at;
                }
                TokenKind::Word if self.tokens.is(at, "in") && self.tokens.dialect == Dialect::OCaml => return at,
                _ => {}
            }
            at += 1;
        }
        limit
    }

    /// Runs the calls in an expression whose value was taken.
    fn run_calls(&mut self, range: std::ops::Range<usize>, scope: &mut Scope, depth: u32) {
        let mut at = range.start;
        while at < range.end {
            if self.tokens.is_word(at) && self.tokens.is(at + 1, "(") {
                at = self.run_token(at, range.end, scope, depth + 1);
            } else {
                at += 1;
            }
        }
    }

    /// Runs what begins at one token: a call, a chain of a command, a command in backquotes. Gives the next place.
    fn run_token(&mut self, at: usize, limit: usize, scope: &mut Scope, depth: u32) -> usize {
        let tokens = self.tokens;
        if let TokenKind::String { is_command: true, .. } = &tokens.list[at].kind {
            let text = self.string(at, scope);
            self.run_shell(&text);
            return at + 1;
        }
        if !tokens.is_word(at) {
            return at + 1;
        }
        // `Command::new("xcrun").args([…])…`, unless it becomes the value of a variable.
        if let Some((value, end)) = self.command_chain(at, scope, depth) {
            self.emit(value);
            return end.max(at + 1);
        }
        if let Some(end) = self.run_method(at, scope, depth) {
            return end;
        }
        if tokens.is(at + 1, "(") {
            let close = tokens.close_of(at + 1).min(limit);
            self.run_call(at, at + 2..close, scope, depth);
            // What stands in the arguments runs on its own: calls in calls.
            return at + 2;
        }
        // `system "xcrun", "-sdk", …`: a call without parentheses.
        let is_bare_call = matches!(tokens.dialect, Dialect::Ruby | Dialect::OCaml)
            && tokens
                .list
                .get(at + 1)
                .is_some_and(|next| matches!(next.kind, TokenKind::String { .. }) && !next.starts_line);
        if is_bare_call {
            let end = self.statement_end(at + 1, limit);
            // Arguments of OCaml stand side by side: the program, then a list.
            let list = (at + 1..end).find(|&at| tokens.is(at, "["));
            match list.filter(|_| tokens.dialect == Dialect::OCaml) {
                Some(open) => {
                    let value = self.evaluate(open..tokens.close_of(open) + 1, scope, depth + 1);
                    if is_command(&value.words) {
                        self.emit(value.words);
                    }
                }
                None => self.run_call(at, at + 1..end, scope, depth),
            }
            return end.max(at + 1);
        }
        at + 1
    }

    /// `name.append(x)`, `name.arg(x)`: what lists and commands grow by.
    fn run_method(&mut self, at: usize, scope: &mut Scope, depth: u32) -> Option<usize> {
        if !(self.tokens.is(at + 1, ".") && self.tokens.is_word(at + 2) && self.tokens.is(at + 3, "(")) {
            return None;
        }
        let name = self.tokens.text(at).to_owned();
        if !scope.variables.contains_key(&name) {
            return None;
        }
        let mut position = at + 1;
        let mut grew = false;
        while self.tokens.is(position, ".") && self.tokens.is_word(position + 1) && self.tokens.is(position + 2, "(") {
            let close = self.tokens.close_of(position + 2);
            let arguments = position + 3..close;
            match self.tokens.text(position + 1) {
                "append" | "push" | "arg" | "add" | "push_back" | "addArg" | "extend" | "args"
                | "extend_from_slice" | "concat" | "addArgs" => {
                    let value = self.arguments(arguments, scope, depth + 1);
                    let words: Vec<Text> = value.into_iter().flat_map(|(_, value)| value.words).collect();
                    let may_not_run = self.tokens.indent(at) > self.base_indent;
                    let words = words.into_iter().map(|word| if may_not_run { uncertain(word) } else { word });
                    if let Some(variable) = scope.variables.get_mut(&name) {
                        variable.value.words.extend(words);
                        variable.value.words.truncate(4096);
                        variable.value.is_list = true;
                        variable.is_pending = is_command(&variable.value.words);
                        grew = true;
                    }
                }
                "env" | "current_dir" | "stdout" | "stderr" => {}
                _ => break,
            }
            position = close + 1;
        }
        grew.then_some(position)
    }

    /// The words of `Command::new("x").arg(…)…` or `Process()`-like chains at `at`.
    fn command_chain(&mut self, at: usize, scope: &Scope, depth: u32) -> Option<(Vec<Text>, usize)> {
        let tokens = self.tokens;
        let is_new =
            tokens.is(at, "Command") && tokens.is(at + 1, ":") && tokens.is(at + 2, ":") && tokens.is(at + 3, "new");
        if !is_new || !tokens.is(at + 4, "(") {
            return None;
        }
        let mut position = tokens.close_of(at + 4);
        let program = self.evaluate(at + 5..position, scope, depth + 1);
        let mut words = program.words;
        position += 1;
        while tokens.is(position, ".") && tokens.is_word(position + 1) && tokens.is(position + 2, "(") {
            let close = tokens.close_of(position + 2);
            if matches!(tokens.text(position + 1), "arg" | "args") {
                let value = self.evaluate(position + 3..close, scope, depth + 1);
                words.extend(spread(value));
            }
            position = close + 1;
        }
        Some((words, position))
    }

    fn run_call(&mut self, name_at: usize, range: std::ops::Range<usize>, scope: &mut Scope, depth: u32) {
        let name = self.tokens.text(name_at).to_owned();
        let arguments = self.arguments(range.clone(), scope, depth + 1);
        // Commands in variables that are passed on are run by whoever takes them.
        let names: Vec<String> =
            range.clone().filter(|&at| self.tokens.is_word(at)).map(|at| self.tokens.text(at).to_owned()).collect();
        for name in &names {
            if let Some(variable) = scope.variables.get_mut(name) {
                variable.is_pending = false;
            }
        }
        let function = self.functions.iter().position(|function| function.name == name);
        if let Some(index) = function {
            if depth < MAX_DEPTH {
                self.called.insert(index);
                let size: u32 =
                    scope.variables.values().flat_map(|variable| &variable.value.words).map(Text::cost).sum();
                self.fuel = self.fuel.saturating_sub(20 + size);
                let mut inner = Scope { variables: scope.variables.clone() };
                inner.variables.values_mut().for_each(|variable| variable.is_pending = false);
                self.bind(index, &arguments, &mut inner, depth);
                let body = self.functions[index].body.clone();
                self.run_block(body, &mut inner, depth + 1);
                self.flush(&mut inner);
            }
            return;
        }
        // One argument is the whole command, or all of them together are.
        let mut found = false;
        for (_, value) in &arguments {
            if value.is_list && is_command(&value.words) {
                self.emit(value.words.clone());
                found = true;
            } else if let [word] = value.words.as_slice()
                && !value.is_list
                && is_command_line(word)
                && !is_message(&name)
            {
                self.run_shell(word);
                found = true;
            }
        }
        let together: Vec<Text> = arguments.iter().flat_map(|(_, value)| spread(value.clone())).collect();
        if !found && together.first().is_some_and(|first| is_program(&first.text())) && is_command(&together) {
            self.emit(together);
        }
    }

    /// Sets the parameters of a function.
    fn bind(&mut self, index: usize, arguments: &[(Option<String>, Value)], scope: &mut Scope, depth: u32) {
        let parameters: Vec<(String, Option<std::ops::Range<usize>>)> = self.functions[index].parameters.clone();
        let mut positional =
            arguments.iter().filter(|(name, _)| name.is_none() || self.tokens.dialect == Dialect::Swift);
        let at = self.tokens.origin(self.functions[index].whole.start);
        for (name, default) in parameters {
            let named =
                arguments.iter().find(|(label, _)| label.as_deref() == Some(&name)).map(|(_, value)| value.clone());
            let value = match named.or_else(|| positional.next().map(|(_, value)| value.clone())) {
                Some(value) => value,
                // A default holds when the function is called without the argument, not when nobody calls it.
                None if !arguments.is_empty() && default.is_some() => {
                    self.evaluate(default.unwrap_or_default(), scope, depth + 1)
                }
                None => Value::word(Text::unknown(&name, at, Known::NotTheValue)),
            };
            scope.variables.insert(name, Variable { value, is_pending: false });
        }
    }

    fn run_shell(&mut self, script: &Text) {
        let context = ShellContext {
            directories: self.directories,
            script_folder: self.tokens.file.folder(),
            variables: &[],
            files: &self.tree.files,
            scope: &self.tokens.file.path,
        };
        run_script(script, &context, self.sink);
    }
}

fn is_command(words: &[Text]) -> bool {
    read_command(words).is_some()
}

/// Whether a word begins a command.
fn is_program(text: &str) -> bool {
    matches!(paths::file_name(text), "xcrun" | "metal" | "metallib" | "metal-ar" | "metal-libtool")
}

/// Whether a string is a whole command line that runs a Metal tool.
fn is_command_line(text: &Text) -> bool {
    let text = text.text();
    let has_tool = text.contains("xcrun") || text.contains("metallib ") || text.contains("metal ");
    has_tool && text.trim().contains(' ')
}

/// Functions that show text rather than run it.
fn is_message(name: &str) -> bool {
    matches!(
        name,
        "print"
            | "println"
            | "eprintln"
            | "puts"
            | "log"
            | "info"
            | "warn"
            | "error"
            | "debug"
            | "panic"
            | "expect"
            | "printf"
            | "Error"
            | "RuntimeError"
            | "ValueError"
            | "Exception"
            | "fatalError"
            | "assert"
            | "warning"
            | "echo"
            | "write"
    )
}

/// Finds the functions of a file.
fn find_functions(tokens: &Tokens<'_>) -> Vec<Function> {
    let mut functions = Vec::new();
    let count = tokens.list.len();
    for at in 0..count {
        let is_keyword = matches!(tokens.text(at), "def" | "fn" | "func" | "function");
        let arrow_name = tokens.is(at, "=").then(|| at.checked_sub(1)).flatten();
        let (name_at, open) = if is_keyword && tokens.is_word(at + 1) {
            let mut open = at + 2;
            // Generic parameters.
            if tokens.is(open, "<") {
                open = (open..count.min(open + 200)).find(|&at| tokens.is(at, "(")).unwrap_or(open);
            }
            (at + 1, open)
        } else if let Some(name_at) = arrow_name.filter(|_| tokens.dialect == Dialect::JavaScript) {
            let open = if tokens.is(at + 1, "async") { at + 2 } else { at + 1 };
            let close = tokens.close_of(open);
            if !(tokens.is(open, "(") && tokens.is(close + 1, "=") && tokens.is(close + 2, ">")) {
                continue;
            }
            (name_at, open)
        } else {
            continue;
        };
        if !tokens.is(open, "(") {
            continue;
        }
        let close = tokens.close_of(open);
        if close >= count {
            continue;
        }
        let body = if tokens.dialect.is_indented() {
            let Some(colon) = (close..count.min(close + 100)).find(|&at| tokens.is(at, ":")) else { continue };
            colon + 1..indented_end(tokens, at, colon + 1, count)
        } else if tokens.dialect.ends_with_word() {
            let column = tokens.indent(at);
            let end = (close..count)
                .find(|&at| tokens.is(at, "end") && tokens.list[at].starts_line && tokens.indent(at) <= column);
            close + 1..end.unwrap_or(count)
        } else {
            let Some(brace) = (close..count.min(close + 100)).find(|&at| tokens.is(at, "{") || tokens.is(at, ";"))
            else {
                continue;
            };
            if !tokens.is(brace, "{") {
                continue;
            }
            brace + 1..tokens.close_of(brace)
        };
        let start = if is_keyword { at } else { name_at };
        functions.push(Function {
            name: tokens.text(name_at).to_owned(),
            parameters: parameters(tokens, open + 1..close),
            whole: start..body.end,
            body,
        });
    }
    functions
}

/// The parameters between parentheses.
fn parameters(tokens: &Tokens<'_>, range: std::ops::Range<usize>) -> Vec<(String, Option<std::ops::Range<usize>>)> {
    let mut parts = Vec::new();
    let mut start = range.start;
    let mut at = range.start;
    while at <= range.end {
        if at == range.end || tokens.is(at, ",") {
            if start < at {
                parts.push(start..at);
            }
            start = at + 1;
        } else if tokens.is_open(at) {
            at = tokens.close_of(at).min(range.end.saturating_sub(1)).max(at);
        }
        at += 1;
    }
    let mut parameters = Vec::new();
    for part in parts {
        // The name is the last word before a type or a default: `_ name: Type`, `mut name: Type`, `name = x`.
        let stop = part.clone().find(|&at| matches!(tokens.text(at), ":" | "=")).unwrap_or(part.end);
        let Some(name) = (part.start..stop).rev().find(|&at| tokens.is_word(at)) else { continue };
        if tokens.is(name, "self") {
            continue;
        }
        let default = part.clone().find(|&at| tokens.is(at, "=")).map(|equals| equals + 1..part.end);
        parameters.push((tokens.text(name).to_owned(), default));
    }
    parameters
}

/// The end of a block that is indented deeper than the line at `header`.
fn indented_end(tokens: &Tokens<'_>, header: usize, start: usize, limit: usize) -> usize {
    let column = tokens.indent(header);
    let mut at = start;
    while at < limit {
        if tokens.is_open(at) {
            at = tokens.close_of(at).min(limit);
        } else if tokens.list[at].starts_line && tokens.indent(at) <= column {
            return at;
        }
        at += 1;
    }
    limit
}
