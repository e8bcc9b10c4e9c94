//! Shell scripts, as far as they run Metal tools.
//!
//! A small interpreter: assignments, arrays, `for` over words that are known, functions with arguments, pipes,
//! conditions. Both branches of a condition run from the same variables, and what they leave different is not known
//! afterwards. Nothing is executed; what depends on the machine is not known.

mod tokens;

use self::tokens::{Part, Token, tokenize};

use rustc_hash::FxHashMap;

use crate::{
    paths,
    step::{Sink, Step},
    text::{Known, Origin, Text},
};

/// Statements that may be run before the interpreter gives up.
const FUEL: u32 = 50_000;
/// How deep calls and blocks may nest.
const MAX_DEPTH: u32 = 40;

/// Where a script runs.
pub(crate) struct ShellContext<'a> {
    /// Folders that relative paths may be relative to, the likeliest first.
    pub(crate) directories: &'a [String],
    /// The folder of the script, which `$(dirname "$0")` names.
    pub(crate) script_folder: &'a str,
    /// Variables that are set from outside.
    pub(crate) variables: &'a [(String, Vec<Text>)],
    /// Existing files, for patterns.
    pub(crate) files: &'a [String],
    /// See [`Step::scope`].
    pub(crate) scope: &'a str,
}

/// Runs a script whose text is already put together.
pub(crate) fn run_script(script: &Text, context: &ShellContext<'_>, sink: &mut Sink) {
    let tokens = tokenize(script);
    let mut shell = Shell {
        context,
        variables: context.variables.iter().cloned().collect(),
        functions: FxHashMap::default(),
        arguments: None,
        directories: context.directories.to_vec(),
        fuel: FUEL,
        sink,
    };
    let end = tokens.len();
    shell.run(&tokens, 0..end, 0);
}

struct Shell<'a> {
    context: &'a ShellContext<'a>,
    variables: FxHashMap<String, Vec<Text>>,
    /// Bodies of functions.
    functions: FxHashMap<String, Vec<Token>>,
    /// `$1`, `$2`, … inside a function; outside nobody knows them.
    arguments: Option<Vec<Text>>,
    directories: Vec<String>,
    fuel: u32,
    sink: &'a mut Sink,
}

/// What a variable holds where nothing is known of it.
fn unknown_words(spelling: &str, origin: Origin, quoted: bool) -> Vec<Text> {
    let known = if quoted { Known::NotTheValue } else { Known::NotTheWords };
    vec![Text::unknown(spelling, origin, known)]
}

impl Shell<'_> {
    fn run(&mut self, tokens: &[Token], range: std::ops::Range<usize>, depth: u32) {
        let mut at = range.start;
        while at < range.end {
            if self.fuel == 0 || depth > MAX_DEPTH {
                return;
            }
            self.fuel -= 1;
            match self.keyword(tokens, at) {
                Some("if") => at = self.run_if(tokens, at, range.end, depth),
                Some("for") => at = self.run_for(tokens, at, range.end, depth),
                Some("while" | "until") => {
                    let end = block_end(tokens, at, range.end);
                    let body = find_keyword(tokens, at + 1..end, "do").unwrap_or(end);
                    self.run_branches(tokens, &[at + 1..body, body + 1..end.max(body + 1)], true, depth);
                    at = end + 1;
                }
                Some("case") => {
                    let end = block_end(tokens, at, range.end);
                    self.run_case(tokens, at, end, depth);
                    at = end + 1;
                }
                Some("then" | "do" | "else" | "elif" | "fi" | "done" | "esac" | "{" | "}" | "!" | "time") => at += 1,
                _ => at = self.run_simple(tokens, at, range.end, depth),
            }
        }
    }

    /// The bare word at `at`, if a command starts there.
    fn keyword<'t>(&self, tokens: &'t [Token], at: usize) -> Option<&'t str> {
        bare_word(tokens.get(at)?)
    }

    fn run_if(&mut self, tokens: &[Token], at: usize, limit: usize, depth: u32) -> usize {
        let end = block_end(tokens, at, limit);
        let mut branches = Vec::new();
        let mut start = find_keyword(tokens, at + 1..end, "then").map_or(end, |then| then + 1);
        // The condition may run something, too.
        self.run(tokens, at + 1..start.saturating_sub(1).max(at + 1), depth + 1);
        let mut has_else = false;
        let mut position = start;
        let mut nesting = 0;
        while position < end {
            match bare_word(&tokens[position]) {
                Some("if" | "for" | "while" | "until" | "case") if starts_command(tokens, position) => nesting += 1,
                Some("fi" | "done" | "esac") if starts_command(tokens, position) => nesting -= 1,
                Some("elif") if nesting == 0 => {
                    branches.push(start..position);
                    let then = find_keyword(tokens, position..end, "then").unwrap_or(end);
                    start = (then + 1).min(end);
                    position = then;
                }
                Some("else") if nesting == 0 => {
                    branches.push(start..position);
                    start = position + 1;
                    has_else = true;
                }
                _ => {}
            }
            position += 1;
        }
        branches.push(start..end.max(start));
        self.run_branches(tokens, &branches, !has_else, depth);
        end + 1
    }

    /// Runs each branch from the present variables; what they leave different becomes unknown.
    fn run_branches(&mut self, tokens: &[Token], branches: &[std::ops::Range<usize>], may_skip: bool, depth: u32) {
        let before = self.variables.clone();
        self.fuel = self.fuel.saturating_sub(before.values().flatten().map(Text::cost).sum::<u32>() / 16);
        let directories = self.directories.clone();
        let mut outcomes = Vec::new();
        if may_skip {
            outcomes.push(before.clone());
        }
        for branch in branches {
            self.variables = before.clone();
            self.directories = directories.clone();
            self.run(tokens, branch.clone(), depth + 1);
            outcomes.push(std::mem::take(&mut self.variables));
        }
        self.directories = directories;
        self.variables = merge(outcomes);
    }

    fn run_case(&mut self, tokens: &[Token], at: usize, end: usize, depth: u32) {
        let body = find_keyword(tokens, at + 1..end, "in").map_or(end, |found| found + 1);
        let mut branches = Vec::new();
        let mut start = body;
        for position in body..end {
            if matches!(tokens[position], Token::Operator(";;")) || position + 1 == end {
                let stop = if matches!(tokens[position], Token::Operator(";;")) { position } else { end };
                let paren = (start..stop).find(|&at| matches!(tokens[at], Token::Operator(")")));
                if let Some(paren) = paren {
                    branches.push(paren + 1..stop);
                }
                start = position + 1;
            }
        }
        self.run_branches(tokens, &branches, true, depth);
    }

    fn run_for(&mut self, tokens: &[Token], at: usize, limit: usize, depth: u32) -> usize {
        let end = block_end(tokens, at, limit);
        let body = find_keyword(tokens, at + 1..end, "do").unwrap_or(end);
        let name = tokens.get(at + 1).and_then(bare_word).unwrap_or_default().to_owned();
        let mut words = Vec::new();
        if tokens.get(at + 2).and_then(bare_word) == Some("in") {
            for token in &tokens[at + 3..body.max(at + 3).min(end)] {
                if let Token::Word(parts) = token {
                    words.extend(self.expand(parts).into_iter().flat_map(|word| self.match_files(word)));
                }
            }
        }
        if words.is_empty() {
            words = vec![Text::unknown(&format!("${name}"), Origin::new(0, 0, 0), Known::NotTheValue)];
        }
        for word in words.into_iter().take(256) {
            self.variables.insert(name.clone(), vec![word]);
            self.run(tokens, (body + 1).min(end)..end, depth + 1);
        }
        end + 1
    }

    /// Existing files that an unquoted pattern matches; the word itself if there are none.
    fn match_files(&self, word: Text) -> Vec<Text> {
        let Some(pattern) = word.value().filter(|pattern| paths::is_glob(pattern)) else { return vec![word] };
        let origin = word.origin().unwrap_or(Origin::new(0, 0, 0));
        for directory in &self.directories {
            let full = paths::join(directory, &pattern);
            let found: Vec<Text> = self
                .context
                .files
                .iter()
                .filter(|file| paths::glob_matches(&full, file))
                .take(1024)
                .map(|file| Text::known(relative_to(directory, file), origin))
                .collect();
            if !found.is_empty() {
                return found;
            }
        }
        vec![word]
    }

    /// Runs the command at `at`, with pipes; gives the place behind it.
    fn run_simple(&mut self, tokens: &[Token], at: usize, limit: usize, depth: u32) -> usize {
        // A function: `name() {`, or `function name {`.
        let name_at = if self.keyword(tokens, at) == Some("function") { at + 1 } else { at };
        let has_parens = matches!(tokens.get(name_at + 1), Some(Token::Operator("(")))
            && matches!(tokens.get(name_at + 2), Some(Token::Operator(")")));
        if has_parens || name_at > at {
            let mut open = name_at + if has_parens { 3 } else { 1 };
            while matches!(tokens.get(open), Some(Token::Operator(";"))) {
                open += 1;
            }
            if let (Some(name), Some("{")) =
                (tokens.get(name_at).and_then(bare_word), tokens.get(open).and_then(bare_word))
            {
                let end = brace_end(tokens, open, limit);
                self.functions.insert(name.to_owned(), tokens[open + 1..end].to_vec());
                return end + 1;
            }
        }
        let mut words: Vec<Text> = Vec::new();
        let mut piped = false;
        let mut position = at;
        while position <= limit {
            let token = if position < limit { tokens.get(position) } else { None };
            match token {
                Some(Token::Word(parts)) => {
                    if words.is_empty() && self.assign(tokens, &mut position, limit, parts) {
                        continue;
                    }
                    // Patterns stay as they are: whether they match outputs is known when all commands are.
                    words.extend(self.expand(parts));
                }
                // Where output goes is no word of the command.
                Some(Token::Operator("<" | ">" | "<<")) => position += 1,
                Some(Token::Operator("|")) => {
                    self.finish(std::mem::take(&mut words), piped, depth);
                    piped = true;
                }
                Some(Token::Operator(_)) | None => {
                    self.finish(std::mem::take(&mut words), piped, depth);
                    return position + 1;
                }
            }
            position += 1;
        }
        position
    }

    /// Carries out `name=value` and `name=(…)` in front of a command.
    fn assign(&mut self, tokens: &[Token], position: &mut usize, limit: usize, parts: &[Part]) -> bool {
        let Some(Part::Literal { text, quoted: false }) = parts.first() else { return false };
        let first = text.text();
        let Some(equals) = first.find('=') else { return false };
        let (name, append) = match first[..equals].strip_suffix('+') {
            Some(name) => (name, true),
            None => (&first[..equals], false),
        };
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            return false;
        }
        let name = name.to_owned();
        let rest = text.slice(equals + 1..first.len());
        let is_array =
            rest.is_empty() && parts.len() == 1 && matches!(tokens.get(*position + 1), Some(Token::Operator("(")));
        let value = if is_array {
            let mut values = Vec::new();
            *position += 2;
            while *position < limit && !matches!(tokens[*position], Token::Operator(")")) {
                if let Token::Word(parts) = &tokens[*position] {
                    values.extend(self.expand(parts));
                }
                *position += 1;
            }
            values
        } else {
            let mut value = parts.to_vec();
            value[0] = Part::Literal { text: rest, quoted: true };
            self.expand_joined(&value)
        };
        *position += 1;
        // `NAME=value command` sets it for the command alone; the words that follow it do not see it, and neither does
        // the language version: that is decided by words.
        let is_whole = matches!(tokens.get(*position), Some(Token::Operator(_)) | None) || *position >= limit;
        if is_whole || is_array {
            let slot = self.variables.entry(name).or_default();
            if append && is_array {
                slot.extend(value);
                slot.truncate(4096);
            } else if append {
                let mut joined = slot.first().cloned().unwrap_or_default();
                value.iter().for_each(|value| joined.push_text(value));
                *slot = vec![joined];
            } else {
                *slot = value;
            }
        }
        true
    }

    fn finish(&mut self, mut words: Vec<Text>, piped: bool, depth: u32) {
        while words
            .first()
            .is_some_and(|word| matches!(word.text().as_str(), "export" | "local" | "readonly" | "declare"))
        {
            words.remove(0);
            for word in &words {
                if let Some((name, _)) = word.text().split_once('=') {
                    self.variables.insert(name.to_owned(), vec![word.slice(name.len() + 1..word.text().len())]);
                }
            }
            words.clear();
        }
        let Some(first) = words.first() else { return };
        let name = first.text();
        if let Some(body) = self.functions.get(&name).cloned() {
            if depth < MAX_DEPTH {
                self.fuel = self.fuel.saturating_sub(1 + body.len() as u32 / 8);
                let before = self.arguments.replace(words[1..].to_vec());
                let end = body.len();
                self.run(&body, 0..end, depth + 1);
                self.arguments = before;
            }
            return;
        }
        if name == "cd" || name == "pushd" {
            if let Some(target) = words.get(1) {
                let target = target.text();
                self.directories = self.directories.iter().map(|directory| paths::join(directory, &target)).collect();
            }
            return;
        }
        // `sh -c '…'` and `bash -c '…'` run a script of their own.
        if matches!(paths::file_name(&name), "sh" | "bash" | "zsh") {
            if let Some(flag) = words.iter().position(|word| word.text() == "-c")
                && let Some(script) = words.get(flag + 1)
                && depth < MAX_DEPTH
            {
                let tokens = tokenize(script);
                let end = tokens.len();
                self.run(&tokens, 0..end, depth + 1);
            }
            return;
        }
        self.sink.steps.push(Step {
            words,
            directories: self.directories.clone(),
            scope: self.context.scope.to_owned(),
            piped,
        });
    }

    /// The words that a word becomes.
    fn expand(&mut self, parts: &[Part]) -> Vec<Text> {
        let mut words = vec![Text::default()];
        let mut has_content = false;
        for part in parts {
            let (values, quoted) = match part {
                Part::Literal { text, quoted } => {
                    has_content |= *quoted || !text.is_empty();
                    // A literal holds no white space unless it is quoted; unknown pieces stay what they are.
                    (vec![text.clone()], true)
                }
                Part::Variable { expression, quoted, spelling, origin } => {
                    let values = self.variable(expression, *quoted, spelling, *origin);
                    // `"${array[@]}"` is several words, everything else in quotes is one.
                    let is_list = expression == "@" || expression.ends_with("[@]") || values.len() == 1;
                    let values = if *quoted && !is_list { vec![join_words(&values)] } else { values };
                    has_content |= *quoted && !(values.is_empty());
                    (values, *quoted)
                }
                Part::Command { text, quoted, origin } => {
                    has_content |= *quoted;
                    (self.substitute(text, *quoted, *origin), *quoted)
                }
            };
            let values: Vec<Text> =
                if quoted { values } else { values.iter().flat_map(Text::split_whitespace).collect() };
            for (index, value) in values.iter().enumerate() {
                if index > 0 {
                    words.push(Text::default());
                }
                if let Some(last) = words.last_mut() {
                    last.push_text(value);
                }
            }
        }
        if words.len() == 1 && words[0].is_empty() && !has_content {
            return Vec::new();
        }
        words.truncate(4096);
        self.fuel = self.fuel.saturating_sub(words.iter().map(Text::cost).sum::<u32>() / 4);
        words
    }

    /// The value of an assignment: one text, not split.
    fn expand_joined(&mut self, parts: &[Part]) -> Vec<Text> {
        let mut joined = Text::default();
        for part in parts {
            let values = match part {
                Part::Literal { text, .. } => vec![text.clone()],
                Part::Variable { expression, spelling, origin, .. } => {
                    self.variable(expression, true, spelling, *origin)
                }
                Part::Command { text, origin, .. } => self.substitute(text, true, *origin),
            };
            joined.push_text(&join_words(&values));
        }
        self.fuel = self.fuel.saturating_sub(joined.cost() / 4);
        vec![joined]
    }

    /// What `${expression}` is.
    fn variable(&mut self, expression: &str, quoted: bool, spelling: &str, origin: Origin) -> Vec<Text> {
        let unknown = || unknown_words(spelling, origin, quoted);
        let length = expression.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        if length == 0 {
            return match (expression, &self.arguments) {
                ("@" | "*", Some(arguments)) => arguments.clone(),
                _ => unknown(),
            };
        }
        let (name, operation) = expression.split_at(length);
        let value = match name.parse::<usize>() {
            Ok(0) => Some(vec![Text::known(paths::join(self.context.script_folder, "script"), origin)]),
            Ok(index) => {
                self.arguments.as_ref().map(|arguments| arguments.get(index - 1).cloned().into_iter().collect())
            }
            Err(_) if name == "BASH_SOURCE" => {
                Some(vec![Text::known(paths::join(self.context.script_folder, "script"), origin)])
            }
            Err(_) => self.variables.get(name).cloned(),
        };
        if let Some(fallback) = operation
            .strip_prefix(":-")
            .or_else(|| operation.strip_prefix("-"))
            .or_else(|| operation.strip_prefix(":="))
        {
            return match value {
                Some(value) if value.iter().any(|text| !text.is_empty()) => value,
                // Whoever calls the script may set it.
                _ => {
                    let message = format!("{spelling} (default {fallback})");
                    let text = spelling.find(fallback).filter(|_| !fallback.is_empty() && !fallback.contains('$'));
                    match text {
                        Some(offset) => {
                            let start = origin.start as usize + offset;
                            vec![Text::known(fallback, Origin::new(origin.file, start, start + fallback.len()))]
                        }
                        None if fallback.is_empty() => Vec::new(),
                        None => unknown_words(&message, origin, quoted),
                    }
                }
            };
        }
        let Some(value) = value else { return unknown() };
        match operation {
            "" | "[@]" | "[*]" => value,
            _ if operation.starts_with("[0]") => value,
            _ if operation.starts_with(['%', '#']) => {
                let longest = operation.starts_with("%%") || operation.starts_with("##");
                let pattern = operation.trim_start_matches(['%', '#']);
                value.iter().map(|text| cut(text, operation.starts_with('#'), longest, pattern)).collect()
            }
            _ => unknown(),
        }
    }

    /// What `$(…)` prints, where that follows from the script alone.
    fn substitute(&mut self, command: &Text, quoted: bool, origin: Origin) -> Vec<Text> {
        let text = command.text();
        let words: Vec<&str> = text.split_whitespace().collect();
        let unknown = || unknown_words(&format!("$({text})"), origin, quoted);
        if words.first().is_some_and(|word| paths::file_name(word) == "xcrun") {
            let find = words.iter().position(|word| matches!(*word, "-f" | "-find" | "--find"));
            return match find.and_then(|at| words.get(at + 1)) {
                Some(tool) => vec![Text::known(*tool, origin)],
                None => unknown(),
            };
        }
        let plain = text.replace(['"', '\'', '{', '}'], "");
        let names_script = plain.contains("$0") || plain.contains("$BASH_SOURCE");
        if names_script && plain.contains("dirname") {
            let up = plain.matches("/..").count();
            let folder = (0..up).fold(self.context.script_folder.to_owned(), |folder, _| paths::join(&folder, ".."));
            return vec![Text::known(folder, origin)];
        }
        if matches!(words.first(), Some(&"basename" | &"dirname")) && self.fuel > 0 {
            self.fuel -= 1;
            let tokens = tokenize(command);
            let mut arguments = Vec::new();
            for token in &tokens {
                if let Token::Word(parts) = token {
                    // Nested substitutions end with the text, which is shorter each time.
                    arguments.extend(self.expand(parts));
                }
            }
            if let Some(path) = arguments.get(1).and_then(Text::value) {
                let result = if words[0] == "dirname" { paths::folder_of(&path) } else { paths::file_name(&path) };
                let suffix = arguments.get(2).and_then(Text::value).unwrap_or_default();
                return vec![Text::known(result.strip_suffix(&suffix).unwrap_or(result), origin)];
            }
        }
        if plain.trim() == "pwd" {
            return vec![Text::known(self.directories.first().cloned().unwrap_or_default(), origin)];
        }
        unknown()
    }
}

/// Removes what a pattern matches from the start or the end; the pattern may begin or end with `*`.
fn cut(text: &Text, from_start: bool, longest: bool, pattern: &str) -> Text {
    let all = text.text();
    let literal = pattern.trim_matches('*');
    if literal.is_empty() {
        return text.clone();
    }
    if from_start {
        let end = if pattern.starts_with('*') {
            if longest { all.rfind(literal) } else { all.find(literal) }.map(|at| at + literal.len())
        } else {
            all.starts_with(literal).then_some(literal.len())
        };
        end.map_or_else(|| text.clone(), |end| text.slice(end..all.len()))
    } else {
        let start = if pattern.ends_with('*') {
            if longest { all.find(literal) } else { all.rfind(literal) }
        } else {
            all.ends_with(literal).then(|| all.len() - literal.len())
        };
        start.map_or_else(|| text.clone(), |start| text.slice(0..start))
    }
}

fn join_words(words: &[Text]) -> Text {
    let mut joined = Text::default();
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            let origin = word.origin().unwrap_or(Origin::new(0, 0, 0));
            joined.push_known(" ", Origin { end: origin.start, ..origin });
        }
        joined.push_text(word);
    }
    joined
}

/// What several outcomes agree on; the rest is unknown.
pub(crate) fn merge(outcomes: Vec<FxHashMap<String, Vec<Text>>>) -> FxHashMap<String, Vec<Text>> {
    let mut outcomes = outcomes.into_iter();
    let Some(mut merged) = outcomes.next() else { return FxHashMap::default() };
    for other in outcomes {
        let names: Vec<String> = merged.keys().chain(other.keys()).cloned().collect();
        for name in names {
            let (ours, theirs) = (merged.get(&name), other.get(&name));
            let texts = |value: Option<&Vec<Text>>| value.map(|v| v.iter().map(Text::text).collect::<Vec<_>>());
            if texts(ours) != texts(theirs) {
                let origin = theirs.or(ours).and_then(|value| value.first()).and_then(Text::origin);
                let value =
                    Text::unknown(&format!("${{{name}}}"), origin.unwrap_or(Origin::new(0, 0, 0)), Known::NotTheWords);
                merged.insert(name, vec![value]);
            }
        }
    }
    merged
}

/// The text of a word without quotes and expansions.
fn bare_word(token: &Token) -> Option<&str> {
    match token {
        Token::Word(parts) => match parts.as_slice() {
            [Part::Literal { text, quoted: false }] if text.pieces().len() == 1 => Some(&text.pieces()[0].text),
            _ => None,
        },
        Token::Operator(_) => None,
    }
}

fn starts_command(tokens: &[Token], at: usize) -> bool {
    at == 0
        || matches!(tokens[at - 1], Token::Operator(_))
        || matches!(bare_word(&tokens[at - 1]), Some("then" | "do" | "else" | "{" | "!"))
}

/// The place of the `fi`, `done` or `esac` that ends the block at `at`.
fn block_end(tokens: &[Token], at: usize, limit: usize) -> usize {
    let mut depth = 0;
    for position in at..limit {
        if !starts_command(tokens, position) && position != at {
            continue;
        }
        match bare_word(&tokens[position]) {
            Some("if" | "for" | "while" | "until" | "case" | "select") => depth += 1,
            Some("fi" | "done" | "esac") => {
                depth -= 1;
                if depth == 0 {
                    return position;
                }
            }
            _ => {}
        }
    }
    limit
}

fn brace_end(tokens: &[Token], open: usize, limit: usize) -> usize {
    let mut depth = 0;
    for (position, token) in tokens.iter().enumerate().take(limit).skip(open) {
        match bare_word(token) {
            Some("{") => depth += 1,
            Some("}") => {
                depth -= 1;
                if depth == 0 {
                    return position;
                }
            }
            _ => {}
        }
    }
    limit
}

fn find_keyword(tokens: &[Token], mut range: std::ops::Range<usize>, word: &str) -> Option<usize> {
    range.find(|&at| tokens.get(at).and_then(bare_word) == Some(word))
}

/// `file` as seen from `directory`, if it lies below.
pub(crate) fn relative_to(directory: &str, file: &str) -> String {
    if directory == "." {
        return file.to_owned();
    }
    file.strip_prefix(directory).and_then(|rest| rest.strip_prefix('/')).unwrap_or(file).to_owned()
}

/// The words of one command line without control structures: `compile_commands.json`.
pub(crate) fn split_words(line: &Text) -> Vec<Text> {
    let mut sink = Sink::default();
    let context =
        ShellContext { directories: &[".".to_owned()], script_folder: ".", variables: &[], files: &[], scope: "" };
    run_script(line, &context, &mut sink);
    sink.steps.into_iter().next().map(|step| step.words).unwrap_or_default()
}
