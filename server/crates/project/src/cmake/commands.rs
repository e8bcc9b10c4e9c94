//! What CMake's own commands do with variables, lists, files, targets.

use super::*;

impl CMake<'_> {
    pub(super) fn run_set(&mut self, words: &[Text], at: Origin) {
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

    pub(super) fn run_list(&mut self, words: &[Text], at: Origin) {
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

    pub(super) fn run_string(&mut self, words: &[Text], at: Origin) {
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

    pub(super) fn run_filename(&mut self, output: &str, input: Option<&Text>, mode: &str, at: Origin) {
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

    pub(super) fn run_file_command(&mut self, words: &[Text], at: Origin) {
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

    pub(super) fn run_parse_arguments(&mut self, words: &[Text]) {
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

    pub(super) fn run_include(&mut self, name: &str, depth: u32) -> Flow {
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

    pub(super) fn run_execute_process(&mut self, words: &[Text], at: Origin) {
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

    pub(super) fn run_custom_command(&mut self, words: &[Text]) {
        let commands = split_commands(words, CUSTOM_KEYWORDS);
        self.emit(words, commands);
    }

    pub(super) fn emit(&mut self, words: &[Text], commands: Vec<Vec<Text>>) {
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

    pub(super) fn run_target(&mut self, words: &[Text], command: &Invocation) {
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

    pub(super) fn run_properties(&mut self, words: &[Text]) {
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
}

pub(super) const CUSTOM_KEYWORDS: &[&str] = &[
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

pub(super) const EXECUTE_KEYWORDS: &[&str] = &[
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
pub(super) fn split_commands(words: &[Text], keywords: &[&str]) -> Vec<Vec<Text>> {
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
