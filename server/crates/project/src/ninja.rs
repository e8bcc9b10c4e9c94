//! Ninja files: variables, rules, build statements, `include` and `subninja`.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    paths,
    shell::{ShellContext, run_script},
    step::Sink,
    text::{Origin, Text},
    tree::{SourceFile, Tree},
};

/// Build statements and expansions before the reader gives up.
const FUEL: u32 = 400_000;
/// How deep files may include each other.
const MAX_DEPTH: u32 = 16;

/// Reads a Ninja file.
pub(crate) fn read(tree: &Tree<'_>, file: &SourceFile, sink: &mut Sink) {
    // Most build files of Ninja are large and have nothing to do with Metal.
    if !file.text.contains("metal") {
        return;
    }
    let mut ninja = Ninja {
        tree,
        variables: FxHashMap::default(),
        rules: FxHashMap::default(),
        read: FxHashSet::default(),
        folder: file.folder().to_owned(),
        scope: file.path.to_string(),
        fuel: FUEL,
        sink,
    };
    ninja.run_file(file, 0);
}

type Bindings = FxHashMap<String, Text>;

struct Ninja<'a> {
    tree: &'a Tree<'a>,
    variables: Bindings,
    rules: FxHashMap<String, Bindings>,
    read: FxHashSet<String>,
    folder: String,
    scope: String,
    fuel: u32,
    sink: &'a mut Sink,
}

/// A statement and the indented bindings below it.
struct Statement {
    line: Text,
    bindings: Vec<(String, Text)>,
}

fn statements(file: &SourceFile) -> Vec<Statement> {
    let mut statements: Vec<Statement> = Vec::new();
    let mut current = Text::default();
    let mut is_indented = false;
    let mut continues = false;
    let mut at = 0;
    for raw in file.text.split_inclusive('\n') {
        let (start, line) = (at, raw.trim_end_matches(['\n', '\r']));
        at += raw.len();
        let indent = line.len() - line.trim_start().len();
        if !continues {
            if line.trim().is_empty() || line.trim_start().starts_with('#') {
                continue;
            }
            is_indented = indent > 0;
        }
        let end = if line.ends_with('$') && !line.ends_with("$$") { line.len() - 1 } else { line.len() };
        current.push_text(&file.slice(start + indent.min(end)..start + end));
        continues = end < line.len();
        if continues {
            continue;
        }
        let line = std::mem::take(&mut current);
        match statements.last_mut().filter(|_| is_indented) {
            Some(statement) => statement.bindings.extend(binding(&line)),
            None => statements.push(Statement { line, bindings: Vec::new() }),
        }
    }
    statements
}

fn binding(line: &Text) -> Option<(String, Text)> {
    let text = line.text();
    let equals = text.find('=')?;
    Some((text[..equals].trim().to_owned(), line.slice(equals + 1..text.len()).trim()))
}

impl Ninja<'_> {
    fn run_file(&mut self, file: &SourceFile, depth: u32) {
        if depth > MAX_DEPTH || !self.read.insert(file.path.to_string()) {
            return;
        }
        for statement in statements(file) {
            if self.fuel == 0 {
                return;
            }
            self.fuel -= 1;
            let text = statement.line.text();
            let (keyword, rest_at) =
                text.find(' ').map_or((text.as_str(), text.len()), |space| (&text[..space], space));
            let rest = statement.line.slice(rest_at..text.len()).trim();
            match keyword {
                "rule" => {
                    self.rules.insert(rest.text(), statement.bindings.into_iter().collect());
                }
                "build" => self.run_build(&rest, statement.bindings),
                "include" | "subninja" => {
                    let named = self.expand(&rest, &[], 0).text();
                    let path = paths::join(&self.folder, &named);
                    if let Some(file) = self.tree.load(&path) {
                        self.run_file(&file, depth + 1);
                    }
                }
                "default" | "pool" => {}
                _ => {
                    if let Some((name, value)) = binding(&statement.line) {
                        let value = self.expand(&value, &[], 0);
                        self.variables.insert(name, value);
                    }
                }
            }
        }
    }

    fn run_build(&mut self, line: &Text, bindings: Vec<(String, Text)>) {
        let text = line.text();
        let bytes = text.as_bytes();
        let colon = (0..bytes.len()).find(|&at| bytes[at] == b':' && (at == 0 || bytes[at - 1] != b'$'));
        let Some(colon) = colon else { return };
        let inputs = line.slice(colon + 1..text.len()).split_whitespace();
        let Some((rule, inputs)) = inputs.split_first() else { return };
        let Some(rule) = self.rules.get(&rule.text()).cloned() else { return };
        let Some(command) = rule.get("command") else { return };
        let explicit = |words: &[Text]| -> Vec<Text> {
            words.iter().take_while(|word| !word.text().starts_with('|')).cloned().collect()
        };
        let outputs = explicit(&line.slice(0..colon).split_whitespace());
        let inputs = explicit(inputs);
        let local: Bindings = bindings.into_iter().map(|(name, value)| (name, self.expand(&value, &[], 0))).collect();
        let join = |ninja: &mut Self, words: &[Text]| {
            let mut joined = Text::default();
            for (index, word) in words.iter().enumerate() {
                if index > 0 {
                    let origin = word.origin().unwrap_or(Origin::new(0, 0, 0));
                    joined.push_known(" ", Origin { end: origin.start, ..origin });
                }
                joined.push_text(&ninja.expand(word, &[&local], 0));
            }
            joined
        };
        let mut special = Bindings::default();
        let joined_inputs = join(self, &inputs);
        let joined_outputs = join(self, &outputs);
        special.insert("in".to_owned(), joined_inputs);
        special.insert("out".to_owned(), joined_outputs);
        let script = self.expand(command, &[&special, &local, &rule], 0);
        let directories = [self.folder.clone()];
        let context = ShellContext {
            directories: &directories,
            script_folder: &self.folder,
            variables: &[],
            files: &self.tree.files,
            scope: &self.scope,
        };
        run_script(&script, &context, self.sink);
    }

    /// Fills in `$name` and `${name}`, looked up in the given bindings, then in the file's.
    fn expand(&mut self, text: &Text, bindings: &[&Bindings], depth: u32) -> Text {
        let all = text.text();
        if !all.contains('$') || depth > 20 || self.fuel == 0 {
            return text.clone();
        }
        self.fuel -= 1;
        let bytes = all.as_bytes();
        let mut result = Text::default();
        let mut start = 0;
        let mut at = 0;
        while at < bytes.len() {
            if bytes[at] != b'$' {
                at += 1;
                continue;
            }
            result.push_text(&text.slice(start..at));
            let (name, end) = match bytes.get(at + 1) {
                Some(b'$' | b' ' | b':') => {
                    result.push_text(&text.slice(at + 1..at + 2));
                    ("", at + 2)
                }
                Some(b'{') => {
                    let close = all[at..].find('}').map_or(all.len(), |close| at + close);
                    (&all[at + 2..close], (close + 1).min(all.len()))
                }
                _ => {
                    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_' || **byte == b'-';
                    let length = bytes[at + 1..].iter().take_while(is_name).count();
                    (&all[at + 1..at + 1 + length], at + 1 + length)
                }
            };
            let value = bindings.iter().find_map(|scope| scope.get(name)).or_else(|| self.variables.get(name)).cloned();
            if let Some(value) = value {
                let value = self.expand(&value, bindings, depth + 1);
                result.push_text(&value);
            }
            at = end;
            start = at;
        }
        result.push_text(&text.slice(start..bytes.len()));
        self.fuel = self.fuel.saturating_sub(result.cost());
        result
    }
}
