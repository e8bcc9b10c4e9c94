//! Makefiles: variables, explicit and pattern rules, `include`, the functions that build flags and lists of files.
//!
//! Rules are not run in order: every rule's recipe is expanded with its automatic variables, and a pattern rule once for
//! each target that something asks for, else for each source in the tree that fits. A condition that cannot be decided
//! leaves what it sets unknown.

mod expand;

use self::expand::{join, top_level_commas};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    paths,
    shell::{ShellContext, run_script},
    step::Sink,
    text::{Known, Origin, Text},
    tree::{SourceFile, Tree},
};

/// Expansions before the reader gives up.
const FUEL: u32 = 200_000;
/// How deep variables and included files may nest.
const MAX_DEPTH: u32 = 40;

/// Reads a makefile.
pub(crate) fn read(tree: &Tree<'_>, file: &SourceFile, sink: &mut Sink) {
    let mut make = Make {
        tree,
        folder: file.folder().to_owned(),
        variables: FxHashMap::default(),
        rules: Vec::new(),
        included: FxHashSet::default(),
        fuel: FUEL,
    };
    make.read_file(file, 0);
    make.run_rules(&file.path, sink);
}

struct Variable {
    value: Text,
    /// `=`: expanded where it is used.
    is_recursive: bool,
}

struct Rule {
    targets: Vec<Text>,
    prerequisites: Vec<Text>,
    recipe: Vec<Text>,
}

struct Make<'a> {
    tree: &'a Tree<'a>,
    folder: String,
    variables: FxHashMap<String, Variable>,
    rules: Vec<Rule>,
    included: FxHashSet<String>,
    fuel: u32,
}

/// A logical line: continuation lines joined.
struct Line {
    text: Text,
    is_recipe: bool,
}

fn logical_lines(file: &SourceFile) -> Vec<Line> {
    let text = &file.text;
    let mut lines = Vec::new();
    let mut current = Text::default();
    let mut is_recipe = false;
    let mut continues = false;
    let mut at = 0;
    for raw in text.split_inclusive('\n') {
        let line = raw.trim_end_matches(['\n', '\r']);
        let start = at;
        at += raw.len();
        if !continues {
            is_recipe = line.starts_with('\t');
        }
        let body_start = if continues || is_recipe { line.len() - line.trim_start().len() } else { 0 };
        let body_end = line.strip_suffix('\\').map_or(line.len(), str::len);
        if continues {
            current.push_known(" ", Origin::new(file.id, start, start));
        }
        current.push_text(&file.slice(start + body_start.min(body_end)..start + body_end));
        continues = body_end < line.len();
        if !continues {
            lines.push(Line { text: std::mem::take(&mut current), is_recipe });
        }
    }
    if continues {
        lines.push(Line { text: current, is_recipe });
    }
    lines
}

/// A condition: whether its branch is taken, and whether one of its branches was.
struct Condition {
    taken: Option<bool>,
    any_taken: bool,
    any_unknown: bool,
}

impl Make<'_> {
    fn read_file(&mut self, file: &SourceFile, depth: u32) {
        if depth > MAX_DEPTH || !self.included.insert(file.path.to_string()) {
            return;
        }
        let mut conditions: Vec<Condition> = Vec::new();
        let mut define: Option<(String, Text)> = None;
        let mut in_rule = false;
        for line in logical_lines(file) {
            let text = line.text.text();
            let trimmed = text.trim();
            if let Some((name, body)) = &mut define {
                if trimmed == "endef" {
                    let value = std::mem::take(body);
                    self.variables.insert(std::mem::take(name), Variable { value, is_recursive: true });
                    define = None;
                } else {
                    body.push_text(&line.text);
                    let end = line.text.origin().unwrap_or(Origin::new(file.id, 0, 0));
                    body.push_known("\n", Origin { start: end.end, ..end });
                }
                continue;
            }
            let word = trimmed.split_whitespace().next().unwrap_or_default();
            if self.read_condition(word, &line.text, &mut conditions) {
                continue;
            }
            if conditions.iter().any(|condition| condition.taken == Some(false)) {
                continue;
            }
            let is_unsure = conditions.iter().any(|condition| condition.taken.is_none());
            if line.is_recipe && in_rule {
                if let Some(rule) = self.rules.last_mut() {
                    rule.recipe.push(line.text);
                }
                continue;
            }
            if trimmed.is_empty() || trimmed.starts_with('#') {
                continue;
            }
            if word == "define" {
                define = Some((trimmed[6..].trim().trim_end_matches('=').trim().to_owned(), Text::default()));
                continue;
            }
            if matches!(word, "include" | "-include" | "sinclude") {
                let offset = text.find(word).map_or(0, |at| at + word.len());
                for path in self.expand(&line.text.slice(offset..text.len()), depth).split_whitespace() {
                    let path = paths::join(&self.folder.clone(), &path.text());
                    if let Some(file) = self.tree.load(&path) {
                        self.read_file(&file, depth + 1);
                    }
                }
                continue;
            }
            let code = without_comment(&line.text);
            if self.read_assignment(&code, is_unsure) {
                in_rule = false;
                continue;
            }
            in_rule = self.read_rule(&code) || (in_rule && line.is_recipe);
        }
    }

    fn read_condition(&mut self, word: &str, line: &Text, conditions: &mut Vec<Condition>) -> bool {
        let text = line.text();
        let decide = |make: &mut Self, word: &str, line: &Text| -> Option<bool> {
            let text = line.text();
            let offset = text.find(word)? + word.len();
            let argument = line.slice(offset..text.len());
            let decided = match word {
                "ifeq" | "ifneq" => {
                    let (left, right) = make.comparison(&argument)?;
                    left == right
                }
                _ => {
                    let name = make.expand(&argument, 0).trim().value()?;
                    match make.variables.get(&name) {
                        Some(variable) => !variable.value.is_empty(),
                        // The environment may have it.
                        None => return None,
                    }
                }
            };
            Some(decided != word.starts_with("ifn"))
        };
        match word {
            "ifeq" | "ifneq" | "ifdef" | "ifndef" => {
                let outer_is_off = conditions.iter().any(|condition| condition.taken == Some(false));
                let taken = if outer_is_off { Some(false) } else { decide(self, word, line) };
                conditions.push(Condition { taken, any_taken: taken == Some(true), any_unknown: taken.is_none() });
                true
            }
            "else" => {
                let rest = text.trim().strip_prefix("else").unwrap_or_default().trim();
                let next = rest.split_whitespace().next().filter(|word| word.starts_with("if")).map(str::to_owned);
                let decided = match &next {
                    Some(word) => decide(self, word, line),
                    None => Some(true),
                };
                if let Some(condition) = conditions.last_mut() {
                    condition.taken = match decided {
                        _ if condition.any_taken => Some(false),
                        Some(false) => Some(false),
                        Some(true) if !condition.any_unknown => Some(true),
                        _ => None,
                    };
                    condition.any_taken |= condition.taken == Some(true);
                    condition.any_unknown |= condition.taken.is_none();
                }
                true
            }
            "endif" => {
                conditions.pop();
                true
            }
            _ => false,
        }
    }

    /// The two sides of `(a,b)`, `"a" "b"` or `'a' 'b'`.
    fn comparison(&mut self, argument: &Text) -> Option<(String, String)> {
        let text = argument.text();
        let trimmed = text.trim();
        let offset = text.find(trimmed)?;
        if trimmed.starts_with('(') && trimmed.ends_with(')') {
            let inner = argument.slice(offset + 1..offset + trimmed.len() - 1);
            let comma = top_level_commas(&inner.text()).first().copied()?;
            let length = inner.text().len();
            let left = self.expand(&inner.slice(0..comma), 0).trim().value()?;
            let right = self.expand(&inner.slice(comma + 1..length), 0).trim().value()?;
            return Some((left, right));
        }
        let expanded = self.expand(argument, 0).value()?;
        let mut parts = Vec::new();
        let mut rest = expanded.trim();
        while let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) {
            let end = rest[1..].find(quote)? + 1;
            parts.push(rest[1..end].to_owned());
            rest = rest[end + 1..].trim_start();
        }
        match parts.as_slice() {
            [left, right] => Some((left.clone(), right.clone())),
            _ => None,
        }
    }

    fn read_assignment(&mut self, line: &Text, is_unsure: bool) -> bool {
        let text = line.text();
        let Some((at, operator)) = find_assignment(&text) else { return false };
        let mut name = text[..at].trim();
        for prefix in ["export ", "override "] {
            name = name.strip_prefix(prefix).unwrap_or(name).trim();
        }
        // `target: VAR = value` sets it for one target; what it says for all of them is taken as if for all, where no
        // other value is known.
        let target_specific = name.rsplit_once(':').map(|(_, name)| name.trim().to_owned());
        let name = target_specific.clone().unwrap_or_else(|| name.to_owned());
        if name.is_empty() || name.contains(char::is_whitespace) || name.contains('$') {
            return false;
        }
        let start = at + operator.len();
        let raw = line.slice(start..text.len());
        let leading = raw.text().len() - raw.text().trim_start().len();
        let raw = raw.slice(leading..raw.text().trim_end().len().max(leading));
        let existing = self.variables.contains_key(&name);
        if operator == "?=" && existing {
            return true;
        }
        let is_recursive = matches!(operator, "=" | "?=" | "+=");
        let mut value = if is_recursive { raw.clone() } else { self.expand(&raw, 0) };
        if operator == "+=" {
            let old = self.variables.remove(&name);
            let mut joined = old.map(|old| old.value).unwrap_or_default();
            if !joined.is_empty() {
                let origin = raw.origin().or(line.origin()).unwrap_or(Origin::new(0, 0, 0));
                joined.push_known(" ", Origin { end: origin.start, ..origin });
            }
            joined.push_text(&raw);
            value = joined;
        }
        if operator == "!=" || ((is_unsure || target_specific.is_some()) && existing && operator != "+=") {
            let origin = line.origin().unwrap_or(Origin::new(0, 0, 0));
            value = Text::unknown(&format!("$({name})"), origin, Known::NotTheWords);
        }
        self.variables.insert(name, Variable { value, is_recursive });
        true
    }

    fn read_rule(&mut self, line: &Text) -> bool {
        let text = line.text();
        let Some(colon) = top_level_colon(&text) else { return false };
        let mut rest_start = colon + 1;
        if text[rest_start..].starts_with(':') {
            rest_start += 1;
        }
        let semicolon = text[rest_start..].find(';').map(|at| rest_start + at);
        let prerequisites_end = semicolon.unwrap_or(text.len());
        let targets = self.expand(&line.slice(0..colon), 0).split_whitespace();
        let mut prerequisites = line.slice(rest_start..prerequisites_end);
        let mut targets = targets;
        // A static pattern rule: `targets: target-pattern: prerequisite-patterns`.
        let inner = prerequisites.text();
        if let Some(second) = top_level_colon(&inner) {
            let pattern = self.expand(&prerequisites.slice(0..second), 0).trim().text();
            prerequisites = prerequisites.slice(second + 1..inner.len());
            let listed = std::mem::take(&mut targets);
            let patterns = self.expand(&prerequisites, 0).split_whitespace();
            for target in listed {
                let Some(stem) = stem_of(&pattern, &target.text()) else { continue };
                let prerequisites = patterns.iter().map(|word| substitute_stem(word, &stem, &target)).collect();
                self.rules.push(Rule { targets: vec![target], prerequisites, recipe: Vec::new() });
            }
            return true;
        }
        let prerequisites = self.expand(&prerequisites, 0).split_whitespace();
        let prerequisites = prerequisites.into_iter().filter(|word| word.text() != "|").collect();
        let recipe = semicolon.map(|at| line.slice(at + 1..text.len())).into_iter().collect();
        self.rules.push(Rule { targets, prerequisites, recipe });
        true
    }

    /// Expands the recipes of all rules.
    fn run_rules(&mut self, path: &str, sink: &mut Sink) {
        let rules = std::mem::take(&mut self.rules);
        // Recipes of one target may stand apart from its prerequisites.
        let mut wanted: Vec<Text> = Vec::new();
        let mut seen: FxHashSet<String> = FxHashSet::default();
        for rule in &rules {
            for word in rule.prerequisites.iter().chain(&rule.targets) {
                if !word.text().contains('%') && seen.insert(word.text()) {
                    wanted.push(word.clone());
                }
            }
        }
        let mut extra: FxHashMap<String, Vec<Text>> = FxHashMap::default();
        for rule in rules.iter().filter(|rule| rule.recipe.is_empty()) {
            for target in &rule.targets {
                extra.entry(target.text()).or_default().extend(rule.prerequisites.iter().cloned());
            }
        }
        let has_recipe: FxHashSet<String> = rules
            .iter()
            .filter(|rule| !rule.recipe.is_empty())
            .flat_map(|rule| rule.targets.iter().map(Text::text))
            .collect();
        // Static pattern rules share the recipe that follows the last of them.
        let mut pending: Vec<(Vec<Text>, Vec<Text>)> = Vec::new();
        for rule in &rules {
            let is_pattern = rule.targets.iter().any(|target| target.text().contains('%'))
                || rule.targets.first().is_some_and(|target| is_suffix_rule(&target.text()));
            if rule.recipe.is_empty() {
                pending.push((rule.targets.clone(), rule.prerequisites.clone()));
                continue;
            }
            if is_pattern {
                self.run_pattern(rule, &wanted, &has_recipe, path, sink);
            } else {
                let mut prerequisites = rule.prerequisites.clone();
                for target in &rule.targets {
                    prerequisites.extend(extra.get(&target.text()).into_iter().flatten().cloned());
                }
                for target in &rule.targets {
                    self.run_recipe(target, &prerequisites, "", &rule.recipe, path, sink);
                }
                self.run_static(&rule.targets, &pending, &rule.recipe, path, sink);
            }
            pending.clear();
        }
    }

    /// The rules before this one that came from the same static pattern.
    fn run_static(
        &mut self,
        targets: &[Text],
        pending: &[(Vec<Text>, Vec<Text>)],
        recipe: &[Text],
        path: &str,
        sink: &mut Sink,
    ) {
        let Some(own) = targets.first().and_then(Text::origin) else { return };
        for (others, prerequisites) in pending {
            for other in others.iter().filter(|other| other.origin().is_some_and(|o| o.file == own.file)) {
                let is_same_rule = self.is_static_sibling(other, targets);
                if is_same_rule {
                    self.run_recipe(other, prerequisites, "", recipe, path, sink);
                }
            }
        }
    }

    /// Targets of one static pattern rule have one suffix and stand directly before the one with the recipe.
    fn is_static_sibling(&self, other: &Text, targets: &[Text]) -> bool {
        targets.iter().any(|target| paths::extension(&target.text()) == paths::extension(&other.text()))
            && !paths::extension(&other.text()).is_empty()
    }

    fn run_pattern(
        &mut self,
        rule: &Rule,
        wanted: &[Text],
        has_recipe: &FxHashSet<String>,
        path: &str,
        sink: &mut Sink,
    ) {
        let Some(first) = rule.targets.first() else { return };
        let (pattern, prerequisites) = match suffix_rule(&first.text()) {
            Some((from, to)) => {
                let origin = first.origin().unwrap_or(Origin::new(0, 0, 0));
                (format!("%{to}"), vec![Text::known(format!("%{from}"), origin)])
            }
            None => (first.text(), rule.prerequisites.clone()),
        };
        let mut ran = false;
        for target in wanted {
            let text = target.text();
            if has_recipe.contains(&text) {
                continue;
            }
            if let Some(stem) = stem_of(&pattern, &text).filter(|stem| !stem.is_empty()) {
                let prerequisites: Vec<Text> =
                    prerequisites.iter().map(|word| substitute_stem(word, &stem, target)).collect();
                // A rule applies where its first prerequisite exists or can be made.
                let exists = prerequisites.first().is_none_or(|first| {
                    let made = wanted.iter().any(|word| word.text() == first.text());
                    made || !first.is_known() || self.tree.exists(&paths::join(&self.folder, &first.text()))
                });
                if exists {
                    ran = true;
                    self.run_recipe(target, &prerequisites, &stem, &rule.recipe, path, sink);
                }
            }
        }
        if ran {
            return;
        }
        // Nothing asks for a target by name: every source that fits is compiled when it is asked for.
        let Some(source) = prerequisites.first().map(Text::text).filter(|source| source.contains('%')) else { return };
        let full = paths::join(&self.folder, &source.replacen('%', "**", 1));
        let files: Vec<String> = self.tree.glob(&full).into_iter().take(4096).cloned().collect();
        for file in files {
            let relative = crate::shell::relative_to(&self.folder, &file);
            let Some(stem) = stem_of(&source, &relative) else { continue };
            let origin = first.origin().unwrap_or(Origin::new(0, 0, 0));
            let target = Text::known(pattern.replacen('%', &stem, 1), origin);
            let prerequisites: Vec<Text> =
                prerequisites.iter().map(|word| substitute_stem(word, &stem, &target)).collect();
            self.run_recipe(&target, &prerequisites, &stem, &rule.recipe, path, sink);
        }
    }

    fn run_recipe(
        &mut self,
        target: &Text,
        prerequisites: &[Text],
        stem: &str,
        recipe: &[Text],
        path: &str,
        sink: &mut Sink,
    ) {
        let origin = target.origin().unwrap_or(Origin::new(0, 0, 0));
        let mut unique: Vec<Text> = Vec::new();
        for word in prerequisites {
            if !unique.iter().any(|other| other.text() == word.text()) {
                unique.push(word.clone());
            }
        }
        let all = join(&unique, origin);
        let automatic = [
            ("@", target.clone()),
            ("<", unique.first().cloned().unwrap_or_default()),
            ("^", all.clone()),
            ("?", all),
            ("+", join(prerequisites, origin)),
            ("*", Text::known(stem, origin)),
            ("@D", Text::known(paths::folder_of(&target.text()), origin)),
            ("@F", Text::known(paths::file_name(&target.text()), origin)),
            (
                "<F",
                unique.first().map_or_else(Text::default, |first| Text::known(paths::file_name(&first.text()), origin)),
            ),
            ("*F", Text::known(paths::file_name(stem), origin)),
        ];
        for (name, value) in automatic {
            self.variables.insert(name.to_owned(), Variable { value, is_recursive: false });
        }
        let directories = [self.folder.clone()];
        for line in recipe {
            if self.fuel == 0 {
                return;
            }
            let expanded = self.expand(line, 0);
            for line in expanded.split(|c| c == '\n') {
                let text = line.text();
                let start = text.len() - text.trim_start_matches([' ', '\t', '@', '-', '+']).len();
                let context = ShellContext {
                    directories: &directories,
                    script_folder: &self.folder,
                    variables: &[],
                    files: &self.tree.files,
                    scope: path,
                };
                run_script(&line.slice(start..text.len()), &context, sink);
            }
        }
    }
}

fn without_comment(line: &Text) -> Text {
    let text = line.text();
    let bytes = text.as_bytes();
    let comment = (0..bytes.len()).find(|&at| bytes[at] == b'#' && (at == 0 || bytes[at - 1] != b'\\'));
    comment.map_or_else(|| line.clone(), |at| line.slice(0..at))
}

/// The first assignment operator outside references, and before any rule colon.
fn find_assignment(text: &str) -> Option<(usize, &'static str)> {
    let bytes = text.as_bytes();
    let mut depth = 0i32;
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text.as_bytes()[at..];
        match bytes[at] {
            b'$' if matches!(bytes.get(at + 1), Some(b'(' | b'{')) => {
                depth += 1;
                at += 1;
            }
            b')' | b'}' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            _ if rest.starts_with(b":::=") => return Some((at, ":::=")),
            _ if rest.starts_with(b"::=") => return Some((at, "::=")),
            _ if rest.starts_with(b":=") => return Some((at, ":=")),
            _ if rest.starts_with(b"?=") => return Some((at, "?=")),
            _ if rest.starts_with(b"+=") => return Some((at, "+=")),
            _ if rest.starts_with(b"!=") => return Some((at, "!=")),
            b'=' => return Some((at, "=")),
            b';' => return None,
            _ => {}
        }
        at += 1;
    }
    None
}

fn top_level_colon(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'{' => depth += 1,
            b')' | b'}' => depth -= 1,
            b':' if depth == 0 => return Some(at),
            _ => {}
        }
    }
    None
}

fn closing(bytes: &[u8], open: usize, opening: u8, close: u8) -> usize {
    let mut depth = 0;
    for (at, &byte) in bytes.iter().enumerate().skip(open) {
        if byte == opening {
            depth += 1;
        } else if byte == close {
            depth -= 1;
            if depth == 0 {
                return at;
            }
        }
    }
    bytes.len()
}

/// What `%` stands for when `pattern` matches `text`; the whole text when the pattern has none and is equal.
fn stem_of(pattern: &str, text: &str) -> Option<String> {
    match pattern.split_once('%') {
        Some((prefix, suffix)) => {
            let rest = text.strip_prefix(prefix)?.strip_suffix(suffix)?;
            Some(rest.to_owned())
        }
        None => (pattern == text).then(String::new),
    }
}

fn substitute_stem(pattern: &Text, stem: &str, target: &Text) -> Text {
    let text = pattern.text();
    let Some(at) = text.find('%') else { return pattern.clone() };
    let mut result = pattern.slice(0..at);
    let target_text = target.text();
    // The stem is a part of the target, with what is known of it.
    match target_text.rfind(stem).filter(|_| !stem.is_empty()) {
        Some(start) => result.push_text(&target.slice(start..start + stem.len())),
        None => result.push_known(stem, target.origin().unwrap_or(Origin::new(0, 0, 0))),
    }
    result.push_text(&pattern.slice(at + 1..text.len()));
    result
}

/// `.metal.air` makes `.air` from `.metal`.
fn suffix_rule(target: &str) -> Option<(&str, &str)> {
    let rest = target.strip_prefix('.')?;
    let dot = rest.find('.')?;
    let (from, to) = (&target[..dot + 1], &target[dot + 1..]);
    (!to[1..].contains(['.', '/'])).then_some((from, to))
}

fn is_suffix_rule(target: &str) -> bool {
    suffix_rule(target).is_some()
}
