//! CMake: an interpreter of what decides flags and files.
//!
//! It carries out `set`, `list`, `string`, `foreach`, functions and macros with their arguments, `include` and
//! `add_subdirectory`, and takes the commands of `add_custom_command` and its like. A condition that cannot be decided
//! runs every branch, and what the branches leave different is unknown. What only the machine knows (programs, probes,
//! generator expressions) is unknown, too.

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

    fn run_set(&mut self, words: &[Text], at: Origin) {
        let Some((name, rest)) = words.split_first() else { return };
        let name = name.text();
        let keyword = rest.iter().position(|word| matches!(word.text().as_str(), "CACHE" | "PARENT_SCOPE"));
        let value = join_list(&rest[..keyword.unwrap_or(rest.len())], at);
        match keyword.map(|at| rest[at].text()) {
            Some(word) if word == "CACHE" => {
                let is_forced = rest.iter().any(|word| word.text() == "FORCE");
                if is_forced {
                    self.cache.insert(name, value);
                } else {
                    self.cache.entry(name).or_insert(value);
                }
            }
            Some(_) => {
                let parent = self.scopes.len().checked_sub(2);
                if let Some(scope) = parent.and_then(|parent| self.scopes.get_mut(parent)) {
                    scope.insert(name, value);
                }
            }
            None if rest.is_empty() => {
                if let Some(scope) = self.scopes.last_mut() {
                    scope.remove(&name);
                }
            }
            None => self.set(&name, value),
        }
    }

    fn run_list(&mut self, words: &[Text], at: Origin) {
        let operation = words.first().map(Text::text).unwrap_or_default();
        let Some(name) = words.get(1).map(Text::text) else { return };
        let mut items = self.get(&name).map(|value| split_list(&value)).unwrap_or_default();
        let rest = &words[2..];
        match operation.as_str() {
            "APPEND" => items.extend(rest.iter().cloned()),
            "PREPEND" => items = rest.iter().cloned().chain(items).collect(),
            "REMOVE_ITEM" => items.retain(|item| !rest.iter().any(|other| other.text() == item.text())),
            "REMOVE_DUPLICATES" => {
                let mut seen = FxHashSet::default();
                items.retain(|item| seen.insert(item.text()));
            }
            "REVERSE" | "SORT" => {}
            "JOIN" => {
                let mut joined = Text::default();
                for (index, item) in items.iter().enumerate() {
                    if index > 0
                        && let Some(glue) = rest.first()
                    {
                        joined.push_text(glue);
                    }
                    joined.push_text(item);
                }
                if let Some(output) = rest.get(1) {
                    self.set(&output.text(), joined);
                }
                return;
            }
            "GET" => {
                let index = rest.first().and_then(|index| index.text().parse::<usize>().ok());
                if let (Some(output), Some(item)) = (rest.last(), index.and_then(|index| items.get(index))) {
                    self.set(&output.text(), item.clone());
                }
                return;
            }
            "LENGTH" => {
                if let Some(output) = rest.first() {
                    self.set(&output.text(), Text::known(items.len().to_string(), at));
                }
                return;
            }
            _ => {
                let output = rest.last().map_or(name, Text::text);
                self.set_unknown(&output, at);
                return;
            }
        }
        self.set(&name, join_list(&items, at));
    }

    fn run_string(&mut self, words: &[Text], at: Origin) {
        let operation = words.first().map(Text::text).unwrap_or_default();
        let Some(name) = words.get(1).map(Text::text) else { return };
        let concatenated = |words: &[Text]| {
            let mut joined = Text::default();
            words.iter().for_each(|word| joined.push_text(word));
            joined
        };
        match operation.as_str() {
            "APPEND" => {
                let mut value = self.get(&name).unwrap_or_default();
                value.push_text(&concatenated(&words[2..]));
                self.set(&name, value);
            }
            "CONCAT" => self.set(&name, concatenated(&words[2..])),
            "REPLACE" => {
                let (from, to) = (words[1].text(), words.get(2).cloned().unwrap_or_default());
                let input = join_list(words.get(4..).unwrap_or_default(), at);
                let Some(output) = words.get(3) else { return };
                if from.is_empty() || !input.is_known() {
                    self.set_unknown(&output.text(), at);
                    return;
                }
                let text = input.text();
                let mut result = Text::default();
                let mut start = 0;
                for (found, _) in text.match_indices(&from) {
                    result.push_text(&input.slice(start..found));
                    result.push_text(&to);
                    start = found + from.len();
                }
                result.push_text(&input.slice(start..text.len()));
                self.set(&output.text(), result);
            }
            "STRIP" => {
                if let Some(output) = words.get(2) {
                    self.set(&output.text(), words[1].trim());
                }
            }
            "TOLOWER" | "TOUPPER" => {
                if let (Some(output), Some(value)) = (words.get(2), words[1].value()) {
                    let value = if operation == "TOLOWER" { value.to_lowercase() } else { value.to_uppercase() };
                    self.set(&output.text(), Text::known(value, at));
                }
            }
            _ => {
                // Outputs stand in various places: every name that is given is unknown afterwards.
                let names: Vec<String> =
                    words[1..].iter().filter_map(Text::value).filter(|name| is_name(name)).collect();
                names.iter().for_each(|name| self.set_unknown(name, at));
            }
        }
    }

    fn run_filename(&mut self, output: &str, input: Option<&Text>, mode: &str, at: Origin) {
        let Some(input) = input else { return };
        let path = input.text();
        let name_start = path.rfind('/').map_or(0, |slash| slash + 1);
        let name = &path[name_start..];
        let value = match mode {
            "NAME" | "FILENAME" => input.slice(name_start..path.len()),
            "NAME_WE" => input.slice(name_start..name_start + name.find('.').unwrap_or(name.len())),
            "NAME_WLE" | "STEM" => input.slice(name_start..name_start + name.rfind('.').unwrap_or(name.len())),
            "EXT" | "LAST_EXT" | "EXTENSION" => {
                input.slice(name_start + name.rfind('.').unwrap_or(name.len())..path.len())
            }
            "DIRECTORY" | "PATH" | "PARENT_PATH" => input.slice(0..name_start.saturating_sub(1)),
            "ABSOLUTE" | "REALPATH" => match input.value() {
                Some(path) => Text::known(paths::join(&self.source_folder(), &path), at),
                None => input.clone(),
            },
            _ => {
                self.set_unknown(output, at);
                return;
            }
        };
        self.set(output, value);
    }

    fn run_file_command(&mut self, words: &[Text], at: Origin) {
        let operation = words.first().map(Text::text).unwrap_or_default();
        let Some(name) = words.get(1).map(Text::text) else { return };
        match operation.as_str() {
            "GLOB" | "GLOB_RECURSE" => {
                let mut relative = None;
                let mut found = Vec::new();
                let mut rest = words[2..].iter();
                while let Some(word) = rest.next() {
                    match word.text().as_str() {
                        "RELATIVE" => relative = rest.next().map(|folder| paths::normalize(&folder.text())),
                        "CONFIGURE_DEPENDS" => {}
                        "LIST_DIRECTORIES" | "FOLLOW_SYMLINKS" => {
                            rest.next();
                        }
                        pattern => {
                            let full = paths::join(&self.source_folder(), pattern);
                            let full = match (operation.as_str(), full.rfind('/')) {
                                ("GLOB_RECURSE", Some(slash)) => format!("{}/**{}", &full[..slash], &full[slash..]),
                                ("GLOB_RECURSE", None) => format!("**/{full}"),
                                _ => full,
                            };
                            for file in self.tree.glob(&self.tree.localize(full)) {
                                let shown = match &relative {
                                    Some(folder) => crate::shell::relative_to(folder, &self.tree.absolute(file)),
                                    // As an absolute path would be: no later folder is put before it.
                                    None => self.tree.absolute(file),
                                };
                                found.push(Text::known(shown, at));
                            }
                        }
                    }
                }
                self.set(&name, join_list(&found, at));
            }
            "READ" | "STRINGS" | "TIMESTAMP" | "RELATIVE_PATH" | "SIZE" => {
                let output = words.get(if operation == "RELATIVE_PATH" { 1 } else { 2 }).map(Text::text);
                output.iter().for_each(|name| self.set_unknown(name, at));
            }
            _ => {}
        }
    }

    fn run_parse_arguments(&mut self, words: &[Text]) {
        let is_positional = words.first().is_some_and(|word| word.text() == "PARSE_ARGV");
        let (skipped, at) =
            if is_positional { (words.get(1).and_then(|n| n.text().parse().ok()).unwrap_or(0), 2) } else { (0, 0) };
        let Some(prefix) = words.get(at).map(Text::text) else { return };
        let names = |index: usize| -> Vec<String> {
            words.get(at + index).map(|list| split_list(list).iter().map(Text::text).collect()).unwrap_or_default()
        };
        let (options, single, multiple) = (names(1), names(2), names(3));
        let arguments: Vec<Text> = if is_positional {
            let all = self.get("ARGV").map(|value| split_list(&value)).unwrap_or_default();
            all.into_iter().skip(skipped).collect()
        } else {
            words.get(at + 4..).unwrap_or_default().to_vec()
        };
        let mut values: FxHashMap<String, Vec<Text>> = FxHashMap::default();
        let mut current: Option<(String, bool)> = None;
        for argument in &arguments {
            let text = argument.text();
            if options.contains(&text) {
                values.insert(text, vec![Text::known("TRUE", argument.origin().unwrap_or(Origin::new(0, 0, 0)))]);
                current = None;
            } else if single.contains(&text) || multiple.contains(&text) {
                values.entry(text.clone()).or_default();
                current = Some((text.clone(), single.contains(&text)));
            } else if let Some((name, is_single)) = current.clone() {
                values.entry(name).or_default().push(argument.clone());
                if is_single {
                    current = None;
                }
            } else {
                values.entry("UNPARSED_ARGUMENTS".to_owned()).or_default().push(argument.clone());
            }
        }
        for name in options.iter().chain(&single).chain(&multiple) {
            let full = format!("{prefix}_{name}");
            match values.remove(name) {
                Some(words) => self.set(&full, join_list(&words, Origin::new(0, 0, 0))),
                None => {
                    if let Some(scope) = self.scopes.last_mut() {
                        scope.remove(&full);
                    }
                }
            }
        }
    }

    fn run_include(&mut self, name: &str, depth: u32) -> Flow {
        let folder = self.source_folder();
        let mut candidates = vec![paths::join(&folder, name)];
        let modules = self.get("CMAKE_MODULE_PATH").map(|value| split_list(&value)).unwrap_or_default();
        candidates.extend(modules.iter().map(|module| paths::join(&module.text(), &format!("{name}.cmake"))));
        let mut candidates = candidates.into_iter().map(|path| self.tree.localize(path));
        let file = candidates.find(|path| self.tree.exists(path)).and_then(|path| self.tree.load(&path));
        let Some(file) = file else { return Flow::Next };
        let source = self.get("CMAKE_CURRENT_SOURCE_DIR").unwrap_or_default();
        let binary = self.get("CMAKE_CURRENT_BINARY_DIR").unwrap_or_default();
        self.run_file(&file, source, binary, depth + 1);
        Flow::Next
    }

    fn run_execute_process(&mut self, words: &[Text], at: Origin) {
        let commands = split_commands(words, EXECUTE_KEYWORDS);
        let find = commands.iter().find_map(|command| {
            let flag = command.iter().position(|word| matches!(word.text().as_str(), "-f" | "-find" | "--find"))?;
            command.get(flag + 1).filter(|_| command[0].text() == "xcrun").cloned()
        });
        for keyword in ["OUTPUT_VARIABLE", "RESULT_VARIABLE", "ERROR_VARIABLE"] {
            let name = words.iter().position(|word| word.text() == keyword).and_then(|at| words.get(at + 1));
            let Some(name) = name.map(Text::text) else { continue };
            match (&find, keyword) {
                (Some(tool), "OUTPUT_VARIABLE") => self.set(&name, tool.clone()),
                _ => self.set_unknown(&name, at),
            }
        }
        self.emit(words, commands);
    }

    fn run_custom_command(&mut self, words: &[Text]) {
        let commands = split_commands(words, CUSTOM_KEYWORDS);
        self.emit(words, commands);
    }

    fn emit(&mut self, words: &[Text], commands: Vec<Vec<Text>>) {
        let working = words.iter().position(|word| word.text() == "WORKING_DIRECTORY").and_then(|at| words.get(at + 1));
        let binary = self.get("CMAKE_CURRENT_BINARY_DIR").unwrap_or_default().text();
        let source = self.source_folder();
        let mut directories: Vec<String> =
            working.map(|folder| paths::join(&binary, &folder.text())).into_iter().collect();
        directories.extend([binary, source.clone()]);
        for command in commands {
            let is_shell =
                command.first().is_some_and(|first| matches!(paths::file_name(&first.text()), "sh" | "bash" | "zsh"));
            if is_shell {
                if let Some(script) =
                    command.iter().position(|word| word.text().ends_with('c')).and_then(|at| command.get(at + 1))
                {
                    let context = ShellContext {
                        directories: &directories,
                        script_folder: &self.tree.localize(source.clone()),
                        variables: &[],
                        files: &self.tree.files,
                        scope: &self.scope,
                    };
                    run_script(script, &context, self.sink);
                }
                continue;
            }
            let mut piped = false;
            for words in command.split(|word| matches!(word.text().as_str(), "|" | "&&" | "||" | ";")) {
                let redirected = words.iter().position(|word| matches!(word.text().as_str(), ">" | "2>" | ">>" | "<"));
                let words = words[..redirected.unwrap_or(words.len())].to_vec();
                if !words.is_empty() {
                    let (directories, scope) = (directories.clone(), self.scope.clone());
                    self.sink.steps.push(Step { words, directories, scope, piped });
                }
                piped = true;
            }
        }
    }

    fn run_target(&mut self, words: &[Text], command: &Invocation) {
        let Some((name, rest)) = words.split_first() else { return };
        let sources: Vec<Text> = rest.iter().filter(|word| is_metal_source(&word.text())).cloned().collect();
        let name = name.text();
        let (revision, flags, deployment) = (
            self.get("CMAKE_XCODE_ATTRIBUTE_MTL_LANGUAGE_REVISION"),
            self.get("CMAKE_XCODE_ATTRIBUTE_MTL_COMPILER_FLAGS"),
            self.get("CMAKE_OSX_DEPLOYMENT_TARGET"),
        );
        let folder = self.source_folder();
        match self.targets.iter_mut().find(|target| target.name == name) {
            Some(target) => target.sources.extend(sources),
            None => {
                self.targets.push(CMakeTarget { name, at: command.at, sources, folder, revision, flags, deployment })
            }
        }
    }

    fn run_properties(&mut self, words: &[Text]) {
        let Some(start) = words.iter().position(|word| matches!(word.text().as_str(), "PROPERTIES" | "PROPERTY"))
        else {
            return;
        };
        let names: Vec<String> = words[..start].iter().map(Text::text).collect();
        for pair in words[start + 1..].chunks(2) {
            let [key, value] = pair else { break };
            for target in self.targets.iter_mut().filter(|target| names.contains(&target.name)) {
                match key.text().as_str() {
                    "XCODE_ATTRIBUTE_MTL_LANGUAGE_REVISION" => target.revision = Some(value.clone()),
                    "XCODE_ATTRIBUTE_MTL_COMPILER_FLAGS" => target.flags = Some(value.clone()),
                    "XCODE_ATTRIBUTE_MACOSX_DEPLOYMENT_TARGET" => target.deployment = Some(value.clone()),
                    _ => {}
                }
            }
        }
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

const CUSTOM_KEYWORDS: &[&str] = &[
    "OUTPUT",
    "DEPENDS",
    "MAIN_DEPENDENCY",
    "IMPLICIT_DEPENDS",
    "BYPRODUCTS",
    "WORKING_DIRECTORY",
    "COMMENT",
    "VERBATIM",
    "APPEND",
    "USES_TERMINAL",
    "COMMAND_EXPAND_LISTS",
    "DEPFILE",
    "JOB_POOL",
    "TARGET",
    "PRE_BUILD",
    "PRE_LINK",
    "POST_BUILD",
    "SOURCES",
    "ALL",
    "DEPENDS_EXPLICIT_ONLY",
    "CODEGEN",
];

const EXECUTE_KEYWORDS: &[&str] = &[
    "WORKING_DIRECTORY",
    "TIMEOUT",
    "RESULT_VARIABLE",
    "RESULTS_VARIABLE",
    "OUTPUT_VARIABLE",
    "ERROR_VARIABLE",
    "INPUT_FILE",
    "OUTPUT_FILE",
    "ERROR_FILE",
    "OUTPUT_QUIET",
    "ERROR_QUIET",
    "COMMAND_ECHO",
    "OUTPUT_STRIP_TRAILING_WHITESPACE",
    "ERROR_STRIP_TRAILING_WHITESPACE",
    "ENCODING",
    "ECHO_OUTPUT_VARIABLE",
    "ECHO_ERROR_VARIABLE",
    "COMMAND_ERROR_IS_FATAL",
];

/// The commands after each `COMMAND`, up to the next keyword.
fn split_commands(words: &[Text], keywords: &[&str]) -> Vec<Vec<Text>> {
    let mut commands: Vec<Vec<Text>> = Vec::new();
    let mut is_inside = false;
    for word in words {
        let text = word.text();
        if text == "COMMAND" {
            commands.push(Vec::new());
            is_inside = true;
        } else if keywords.contains(&text.as_str()) {
            is_inside = false;
        } else if is_inside
            && text != "ARGS"
            && let Some(command) = commands.last_mut()
        {
            command.push(word.clone());
        }
    }
    commands
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
