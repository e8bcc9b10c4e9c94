//! CMake: an interpreter of what decides flags and files.
//!
//! It carries out `set`, `list`, `string`, `foreach`, functions and macros with their arguments, `include` and
//! `add_subdirectory`, and takes the commands of `add_custom_command` and its like. A condition that cannot be decided
//! runs every branch, and what the branches leave different is unknown. What only the machine knows (programs, probes,
//! generator expressions) is unknown, too.

mod commands;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    cmake_condition::decide,
    cmake_syntax::{Argument, ArgumentKind, Invocation, parse},
    command::{Detection, Fact, Spelled, SpelledForm, is_metal_source, version_of_flags},
    paths,
    shell::{ShellContext, run_script},
    step::{Sink, Step, Target, TargetSource},
    text::{Known, Origin, Text},
    tree::{SourceFile, Tree},
    version::{DeploymentTarget, System, from_revision},
};

/// Commands that may be run for one root before the reader gives up.
const FUEL: u32 = 200_000;
/// How deep calls and files may nest.
const MAX_DEPTH: u32 = 40;

/// Values from outside: a preset, or `-D` on a command line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cache {
    /// Names a configuration; empty for what the files say alone.
    pub(crate) name: String,
    pub(crate) entries: Vec<(String, Text)>,
}

/// Reads a `CMakeLists.txt` and all that it brings in, with values of the cache. Gives the files that were read.
pub(crate) fn read(tree: &Tree<'_>, file: &SourceFile, cache: &Cache, sink: &mut Sink) -> FxHashSet<String> {
    let scope = if cache.name.is_empty() { file.path.to_string() } else { format!("{}#{}", file.path, cache.name) };
    let folder = tree.absolute(file.folder());
    let at = Origin::new(file.id, 0, 0);
    let binary = Text::unknown("${CMAKE_BINARY_DIR}", at, Known::NotTheValue);
    let mut variables = FxHashMap::default();
    for (name, value) in [("APPLE", "1"), ("UNIX", "1"), ("CMAKE_SYSTEM_NAME", "Darwin"), ("CMAKE_HOST_APPLE", "1")] {
        variables.insert(name.to_owned(), Text::known(value, at));
    }
    let source = Text::known(folder, at);
    for name in ["CMAKE_SOURCE_DIR", "PROJECT_SOURCE_DIR"] {
        variables.insert(name.to_owned(), source.clone());
    }
    for name in ["CMAKE_BINARY_DIR", "PROJECT_BINARY_DIR"] {
        variables.insert(name.to_owned(), binary.clone());
    }
    let mut cmake = CMake {
        tree,
        scopes: vec![variables],
        cache: cache.entries.iter().cloned().collect(),
        functions: FxHashMap::default(),
        targets: Vec::new(),
        read: FxHashSet::default(),
        scope,
        fuel: FUEL,
        sink,
    };
    cmake.run_file(file, source, binary, 0);
    cmake.finish_targets();
    cmake.read
}

/// What a run of commands ended with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Next,
    Return,
    Break,
}

#[derive(Clone)]
struct Function {
    is_macro: bool,
    parameters: Vec<String>,
    body: Vec<Invocation>,
}

/// A target with Metal sources, which the Xcode generator compiles.
struct CMakeTarget {
    name: String,
    at: Origin,
    sources: Vec<Text>,
    folder: String,
    revision: Option<Text>,
    flags: Option<Text>,
    deployment: Option<Text>,
}

type Variables = FxHashMap<String, Text>;

struct CMake<'a> {
    tree: &'a Tree<'a>,
    scopes: Vec<Variables>,
    cache: Variables,
    functions: FxHashMap<String, Function>,
    targets: Vec<CMakeTarget>,
    read: FxHashSet<String>,
    scope: String,
    fuel: u32,
    sink: &'a mut Sink,
}

impl CMake<'_> {
    fn run_file(&mut self, file: &SourceFile, source: Text, binary: Text, depth: u32) -> Flow {
        if depth > MAX_DEPTH || self.read.len() > 4000 {
            return Flow::Next;
        }
        self.read.insert(file.path.to_string());
        let at = Origin::new(file.id, 0, 0);
        let folder = self.tree.absolute(file.folder());
        let saved: Vec<(&str, Option<Text>)> =
            ["CMAKE_CURRENT_SOURCE_DIR", "CMAKE_CURRENT_BINARY_DIR", "CMAKE_CURRENT_LIST_DIR"]
                .into_iter()
                .map(|name| (name, self.get(name)))
                .collect();
        self.set("CMAKE_CURRENT_SOURCE_DIR", source);
        self.set("CMAKE_CURRENT_BINARY_DIR", binary);
        self.set("CMAKE_CURRENT_LIST_DIR", Text::known(folder, at));
        let commands = parse(file);
        let flow = self.run(&commands, depth);
        for (name, value) in saved {
            if let Some(value) = value {
                self.set(name, value);
            }
        }
        flow
    }

    fn get(&self, name: &str) -> Option<Text> {
        self.scopes.last().and_then(|scope| scope.get(name)).or_else(|| self.cache.get(name)).cloned()
    }

    fn set(&mut self, name: &str, value: Text) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), value);
        }
    }

    fn set_unknown(&mut self, name: &str, at: Origin) {
        self.set(name, Text::unknown(&format!("${{{name}}}"), at, Known::NotTheWords));
    }

    fn run(&mut self, commands: &[Invocation], depth: u32) -> Flow {
        let mut at = 0;
        while at < commands.len() {
            if self.fuel == 0 || depth > MAX_DEPTH {
                return Flow::Return;
            }
            self.fuel -= 1;
            let command = &commands[at];
            let flow = match command.name.as_str() {
                "if" => {
                    let end = block_end(commands, at, "if", "endif");
                    let flow = self.run_if(&commands[at..end], depth);
                    at = end;
                    flow
                }
                "foreach" => {
                    let end = block_end(commands, at, "foreach", "endforeach");
                    let flow = self.run_foreach(command, &commands[at + 1..end], depth);
                    at = end;
                    flow
                }
                "while" => {
                    let end = block_end(commands, at, "while", "endwhile");
                    let body = &commands[at + 1..end];
                    self.run_branches(&[body], true, depth);
                    at = end;
                    Flow::Next
                }
                "function" | "macro" => {
                    let is_macro = command.name == "macro";
                    let end = block_end(commands, at, &command.name, if is_macro { "endmacro" } else { "endfunction" });
                    let mut names = command.arguments.iter().map(|argument| argument.text.text());
                    if let Some(name) = names.next() {
                        let body = commands[at + 1..end].to_vec();
                        let function = Function { is_macro, parameters: names.collect(), body };
                        self.functions.insert(name.to_ascii_lowercase(), function);
                    }
                    at = end;
                    Flow::Next
                }
                "return" => Flow::Return,
                "break" | "continue" => Flow::Break,
                _ => self.run_command(command, depth),
            };
            if flow != Flow::Next {
                return flow;
            }
            at += 1;
        }
        Flow::Next
    }

    /// `commands` begins with `if` and ends before `endif`.
    fn run_if(&mut self, commands: &[Invocation], depth: u32) -> Flow {
        let mut heads = vec![0];
        let mut nesting = 0;
        for (index, command) in commands.iter().enumerate().skip(1) {
            match command.name.as_str() {
                "if" => nesting += 1,
                "endif" => nesting -= 1,
                "elseif" | "else" if nesting == 0 => heads.push(index),
                _ => {}
            }
        }
        let mut possible: Vec<&[Invocation]> = Vec::new();
        let mut is_certain = false;
        for (number, &head) in heads.iter().enumerate() {
            let end = heads.get(number + 1).copied().unwrap_or(commands.len());
            let body = &commands[head + 1..end];
            let decided = match commands[head].name.as_str() {
                "else" => Some(true),
                _ => self.condition(&commands[head].arguments),
            };
            match decided {
                Some(false) => {}
                Some(true) => {
                    possible.push(body);
                    is_certain = true;
                    break;
                }
                None => possible.push(body),
            }
        }
        match possible.as_slice() {
            [body] if is_certain => self.run(body, depth + 1),
            _ => {
                self.run_branches(&possible, !is_certain, depth);
                Flow::Next
            }
        }
    }

    fn condition(&mut self, arguments: &[Argument]) -> Option<bool> {
        let words: Vec<(Text, bool)> = arguments
            .iter()
            .flat_map(|argument| {
                let is_quoted = argument.kind == ArgumentKind::Quoted;
                let expanded = self.expand(&argument.text);
                let words = if is_quoted { vec![expanded] } else { split_list(&expanded) };
                words.into_iter().map(move |word| (word, is_quoted))
            })
            .collect();
        decide(&words, &|name| {
            let value = self.get(name);
            // Variables of CMake itself that nothing here sets have values that only the machine knows.
            match value {
                None if name.starts_with("CMAKE_") || name == "XCODE" || name == "MSVC" => None,
                value => Some(value),
            }
        })
    }

    fn run_branches(&mut self, branches: &[&[Invocation]], may_skip: bool, depth: u32) {
        let before = self.copy_scope();
        let mut outcomes = Vec::new();
        if may_skip {
            outcomes.push(before.clone());
        }
        for branch in branches {
            if let Some(scope) = self.scopes.last_mut() {
                *scope = before.clone();
            }
            self.run(branch, depth + 1);
            outcomes.push(self.scopes.last().cloned().unwrap_or_default());
        }
        let mut outcomes = outcomes.into_iter();
        let mut merged = outcomes.next().unwrap_or(before);
        for other in outcomes {
            let names: FxHashSet<String> = merged.keys().chain(other.keys()).cloned().collect();
            for name in names {
                let (ours, theirs) = (merged.get(&name), other.get(&name));
                if ours.map(Text::text) != theirs.map(Text::text) {
                    let origin = theirs.or(ours).and_then(Text::origin).unwrap_or(Origin::new(0, 0, 0));
                    let value = Text::unknown(&format!("${{{name}}}"), origin, Known::NotTheWords);
                    merged.insert(name, value);
                }
            }
        }
        if let Some(scope) = self.scopes.last_mut() {
            *scope = merged;
        }
    }

    fn run_foreach(&mut self, head: &Invocation, body: &[Invocation], depth: u32) -> Flow {
        let arguments = self.expand_all(&head.arguments);
        let Some((name, rest)) = arguments.split_first() else { return Flow::Next };
        let name = name.text();
        let mut items = Vec::new();
        match rest.first().map(Text::text).as_deref() {
            Some("IN") => {
                let mut in_lists = false;
                for word in &rest[1..] {
                    match word.text().as_str() {
                        "LISTS" => in_lists = true,
                        "ITEMS" => in_lists = false,
                        list if in_lists => {
                            items.extend(self.get(list).map(|value| split_list(&value)).unwrap_or_default())
                        }
                        _ => items.push(word.clone()),
                    }
                }
            }
            Some("RANGE") => items.push(Text::unknown(&name, head.at, Known::NotTheValue)),
            _ => items.extend(rest.iter().cloned()),
        }
        for item in items.into_iter().take(2048) {
            self.set(&name, item);
            if self.run(body, depth + 1) == Flow::Return {
                return Flow::Return;
            }
        }
        Flow::Next
    }

    /// Fills in `${…}`; generator expressions become unknown.
    fn expand(&mut self, text: &Text) -> Text {
        let all = text.text();
        if !all.contains('$') {
            return text.clone();
        }
        if self.fuel == 0 {
            return Text::default();
        }
        self.fuel -= 1;
        let bytes = all.as_bytes();
        let mut result = Text::default();
        let mut start = 0;
        let mut at = 0;
        while at < bytes.len() {
            let Some(rest) = all.get(at..) else {
                at += 1;
                continue;
            };
            if rest.starts_with(crate::text::UNKNOWN_MARK) {
                at += rest.find('\u{2}').map_or(rest.len(), |end| end + 1);
                continue;
            }
            if rest.starts_with("\\$") {
                result.push_text(&text.slice(start..at));
                result.push_text(&text.slice(at + 1..at + 2));
                at += 2;
                start = at;
                continue;
            }
            let (open, close) = match () {
                () if rest.starts_with("${") => ("${", b'}'),
                () if rest.starts_with("$ENV{") => ("$ENV{", b'}'),
                () if rest.starts_with("$CACHE{") => ("$CACHE{", b'}'),
                () if rest.starts_with("$<") => ("$<", b'>'),
                () => {
                    at += 1;
                    continue;
                }
            };
            result.push_text(&text.slice(start..at));
            let end = reference_end(bytes, at + open.len(), close);
            let after = (end + 1).min(bytes.len());
            let spelling = &all[at..after];
            let origin = text.slice(at..after).origin().unwrap_or(Origin::new(0, 0, 0));
            match open {
                "$<" => {
                    let decides = ["-std", "-m", "-target", "TARGET"].iter().any(|part| spelling.contains(part));
                    // Flags that have nothing to do with versions may be there or not.
                    if decides || !spelling.starts_with("$<$<") {
                        result.push_unknown(spelling, origin, Known::NotTheWords);
                    }
                }
                "$ENV{" => result.push_unknown(spelling, origin, Known::NotTheValue),
                _ => {
                    let name = self.expand(&text.slice(at + open.len()..end));
                    match name.value().map(|name| (self.get(&name), name)) {
                        Some((Some(value), _)) => result.push_text(&value),
                        // What CMake or the user sets outside is not known; other names that nothing sets are empty.
                        Some((None, name)) if name.starts_with("CMAKE_") => {
                            result.push_unknown(spelling, origin, Known::NotTheValue);
                        }
                        Some((None, _)) => {}
                        None => result.push_unknown(spelling, origin, Known::NotTheWords),
                    }
                }
            }
            at = after;
            start = at;
        }
        result.push_text(&text.slice(start..bytes.len()));
        self.fuel = self.fuel.saturating_sub(result.cost());
        result
    }

    /// The present variables, for a scope or branch of its own. Copies cost as much as they are large.
    fn copy_scope(&mut self) -> Variables {
        let scope = self.scopes.last().cloned().unwrap_or_default();
        self.fuel = self.fuel.saturating_sub(scope.values().map(Text::cost).sum::<u32>() / 16);
        scope
    }

    /// Arguments as a command receives them: lists split, empty ones gone.
    fn expand_all(&mut self, arguments: &[Argument]) -> Vec<Text> {
        let mut words = Vec::new();
        for argument in arguments {
            match argument.kind {
                ArgumentKind::Bracket => words.push(argument.text.clone()),
                ArgumentKind::Quoted => words.push(self.expand(&argument.text)),
                ArgumentKind::Bare => {
                    let expanded = self.expand(&argument.text);
                    words.extend(split_list(&expanded));
                }
                ArgumentKind::Parenthesis => words.push(argument.text.clone()),
            }
        }
        words.truncate(20_000);
        words
    }

    fn run_command(&mut self, command: &Invocation, depth: u32) -> Flow {
        let words = self.expand_all(&command.arguments);
        let text = |index: usize| words.get(index).map(Text::text).unwrap_or_default();
        match command.name.as_str() {
            "set" => self.run_set(&words, command.at),
            "unset" => {
                if let Some(scope) = self.scopes.last_mut() {
                    scope.remove(&text(0));
                }
            }
            "option" => {
                let value = words.get(2).cloned().unwrap_or_else(|| Text::known("OFF", command.at));
                self.cache.entry(text(0)).or_insert(value);
            }
            "project" => {
                for (name, from) in [("SOURCE", "CMAKE_CURRENT_SOURCE_DIR"), ("BINARY", "CMAKE_CURRENT_BINARY_DIR")] {
                    if let Some(value) = self.get(from) {
                        self.set(&format!("{}_{name}_DIR", text(0)), value.clone());
                        self.set(&format!("PROJECT_{name}_DIR"), value);
                    }
                }
                self.set("PROJECT_NAME", words.first().cloned().unwrap_or_default());
            }
            "list" => self.run_list(&words, command.at),
            "string" => self.run_string(&words, command.at),
            "get_filename_component" => self.run_filename(&text(0), words.get(1), &text(2), command.at),
            "cmake_path" if text(0) == "GET" => {
                let input = self.get(&text(1));
                self.run_filename(&text(3), input.as_ref(), &text(2), command.at);
            }
            "file" => self.run_file_command(&words, command.at),
            "cmake_parse_arguments" => self.run_parse_arguments(&words),
            "include" => return self.run_include(&text(0), depth),
            "add_subdirectory" => {
                let path = paths::join(&self.source_folder(), &text(0));
                if let Some(file) = self.tree.load(&self.tree.localize(paths::join(&path, "CMakeLists.txt"))) {
                    let mut binary = self.get("CMAKE_CURRENT_BINARY_DIR").unwrap_or_default();
                    binary.push_known(format!("/{}", text(0)), command.at);
                    let scope = self.copy_scope();
                    self.scopes.push(scope);
                    self.run_file(&file, Text::known(path, command.at), binary, depth + 1);
                    self.scopes.pop();
                }
            }
            "find_program" => {
                let names = words.iter().skip(1).map(Text::text);
                let tool =
                    names.filter(|name| name != "NAMES").find(|name| name == "xcrun" || name.starts_with("metal"));
                match tool {
                    Some(tool) => self.set(&text(0), Text::known(tool, command.at)),
                    None => self.set_unknown(&text(0), command.at),
                }
            }
            "execute_process" => self.run_execute_process(&words, command.at),
            "add_custom_command" | "add_custom_target" => self.run_custom_command(&words),
            "add_library" | "add_executable" | "target_sources" => self.run_target(&words, command),
            "set_target_properties" | "set_property" => self.run_properties(&words),
            "math" | "find_library" | "find_path" | "find_file" => {
                let name = if command.name == "math" { text(1) } else { text(0) };
                self.set_unknown(&name, command.at);
            }
            name => {
                if let Some(function) = self.functions.get(name).cloned() {
                    self.call(&function, &words, command.at, depth);
                }
            }
        }
        Flow::Next
    }

    fn source_folder(&self) -> String {
        self.get("CMAKE_CURRENT_SOURCE_DIR").map(|text| paths::normalize(&text.text())).unwrap_or_default()
    }

    /// Targets that hold Metal sources and say something about the version.
    fn finish_targets(&mut self) {
        for target in std::mem::take(&mut self.targets) {
            if target.sources.is_empty() {
                continue;
            }
            let version = xcode_version(&target);
            let sources = target
                .sources
                .iter()
                .map(|source| self.tree.localize(paths::join(&target.folder, &source.text())))
                .filter(|path| self.tree.exists(path))
                .map(|path| TargetSource { path, version: None })
                .collect();
            if let Some(version) = version {
                self.sink.targets.push(Target { name: target.name, at: target.at, version, sources });
            }
        }
    }

    fn call(&mut self, function: &Function, words: &[Text], at: Origin, depth: u32) {
        if depth >= MAX_DEPTH {
            return;
        }
        let mut bound: Vec<(String, Text)> = vec![
            ("ARGC".to_owned(), Text::known(words.len().to_string(), at)),
            ("ARGV".to_owned(), join_list(words, at)),
            ("ARGN".to_owned(), join_list(words.get(function.parameters.len()..).unwrap_or_default(), at)),
        ];
        bound.extend(words.iter().enumerate().map(|(index, word)| (format!("ARGV{index}"), word.clone())));
        for (name, value) in function.parameters.iter().zip(words) {
            bound.push((name.clone(), value.clone()));
        }
        let scope = self.copy_scope();
        if function.is_macro {
            let names: Vec<String> = bound.iter().map(|(name, _)| name.clone()).collect();
            bound.into_iter().for_each(|(name, value)| self.set(&name, value));
            self.run(&function.body, depth + 1);
            // What a macro sets stays, its arguments do not.
            for name in names {
                match scope.get(&name) {
                    Some(value) => self.set(&name, value.clone()),
                    None => {
                        if let Some(scope) = self.scopes.last_mut() {
                            scope.remove(&name);
                        }
                    }
                }
            }
        } else {
            self.scopes.push(scope);
            bound.into_iter().for_each(|(name, value)| self.set(&name, value));
            self.run(&function.body, depth + 1);
            self.scopes.pop();
        }
    }
}

/// What settings for the Xcode generator say.
fn xcode_version(target: &CMakeTarget) -> Option<Detection> {
    if let Some(flags) = &target.flags
        && let Some(version) = version_of_flags(&flags.split_whitespace())
        && version.std.is_some()
    {
        return Some(version);
    }
    if let Some(revision) = &target.revision
        && let (Some(text), Some(origin)) = (revision.value(), revision.origin())
        && text != "UseDeploymentTarget"
    {
        let evidence = vec![Fact { origin, message: format!("MTL_LANGUAGE_REVISION = {text}") }];
        let spelled = Some(Spelled { origin, form: SpelledForm::Revision });
        return Some(Detection { std: from_revision(&text, None), evidence, spelled, ..Detection::default() });
    }
    let deployment = target.deployment.as_ref()?;
    let stated = DeploymentTarget::parse(System::MacOs, &deployment.value()?)?;
    let origin = deployment.origin()?;
    let default = stated.default_version().map_or("not known".to_owned(), |version| version.to_string());
    let message = format!("CMAKE_OSX_DEPLOYMENT_TARGET: the default of {stated} is {default}");
    Some(Detection::of_deployment(stated, vec![Fact { origin, message }]))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The items of a list; empty ones are left out, as unquoted arguments are.
fn split_list(text: &Text) -> Vec<Text> {
    text.split(|c| c == ';').into_iter().filter(|item| !item.is_empty()).collect()
}

fn join_list(words: &[Text], at: Origin) -> Text {
    let mut joined = Text::default();
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            joined.push_known(";", Origin { end: at.start, ..at });
        }
        joined.push_text(word);
    }
    joined
}

fn reference_end(bytes: &[u8], start: usize, close: u8) -> usize {
    let mut depth = 0;
    let mut at = start;
    while at < bytes.len() {
        if bytes[at] == b'$' && matches!(bytes.get(at + 1), Some(b'{' | b'<')) {
            depth += 1;
            at += 1;
        } else if bytes[at] == close || (depth > 0 && matches!(bytes[at], b'}' | b'>')) {
            if depth == 0 {
                return at;
            }
            depth -= 1;
        }
        at += 1;
    }
    bytes.len()
}

/// The index of the command that ends the block at `at`, or the end.
fn block_end(commands: &[Invocation], at: usize, open: &str, close: &str) -> usize {
    let mut depth = 0;
    for (index, command) in commands.iter().enumerate().skip(at) {
        if command.name == open {
            depth += 1;
        } else if command.name == close {
            depth -= 1;
            if depth == 0 {
                return index;
            }
        }
    }
    commands.len()
}
