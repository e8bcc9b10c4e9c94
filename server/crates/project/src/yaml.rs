//! YAML: workflows of CI services, whose steps are shell scripts, and XcodeGen's project files.

use saphyr_parser::{Event, Parser, ScalarStyle};

use crate::{
    command::is_metal_source,
    just, paths,
    plist::{Node, Value},
    project::script_directories,
    shell::{ShellContext, run_script},
    step::{Sink, Target, TargetSource},
    text::{Known, Origin, Text},
    tree::{SourceFile, Tree},
    xcode::{joined, system_of},
    xcode_settings::{Layer, detect},
};

/// A file has at most so many values.
const MAX_EVENTS: usize = 500_000;
/// How deep values may nest.
const MAX_DEPTH: usize = 100;

/// Keys whose values are shell scripts, in the files of the usual CI services.
const SCRIPT_KEYS: &[&str] = &[
    "run",
    "script",
    "before_script",
    "after_script",
    "bash",
    "sh",
    "commands",
    "command",
    "inlineScript",
    "cmd",
    "cmds",
];

/// Reads a file.
pub(crate) fn read(tree: &Tree<'_>, file: &SourceFile, sink: &mut Sink) {
    let is_project =
        file.text.contains("targets:") && (file.text.contains("settings") || file.text.contains("deploymentTarget"));
    let has_commands = file.text.contains("metal") || file.text.contains("cmake");
    if !is_project && !has_commands {
        return;
    }
    let Some(root) = parse(file) else { return };
    if root.get("targets").is_some() && root.get("name").is_some() {
        read_xcodegen(tree, file, &root, sink);
    }
    if has_commands {
        let directories = script_directories(tree, file);
        // Scripts of a workflow run in the root of the repository.
        let mut directories: Vec<String> = directories.into_iter().rev().collect();
        directories.truncate(8);
        run_scripts(tree, file, &root, &[], &directories, sink, 0);
    }
}

fn run_scripts(
    tree: &Tree<'_>,
    file: &SourceFile,
    node: &Node,
    outer: &[(String, Text)],
    directories: &[String],
    sink: &mut Sink,
    depth: usize,
) {
    if depth > MAX_DEPTH {
        return;
    }
    let mut variables = outer.to_vec();
    for key in ["env", "variables", "vars"] {
        for (name, value) in node.get(key).map(Node::entries).unwrap_or_default() {
            if let Some(text) = value.as_text() {
                variables.push((name.text(), fill(text, outer)));
            }
        }
    }
    let folder = node.get("working-directory").and_then(Node::as_text).and_then(Text::value);
    let inner: Vec<String> = match &folder {
        Some(folder) => directories.iter().map(|directory| paths::join(directory, folder)).collect(),
        None => directories.to_vec(),
    };
    for (key, value) in node.entries() {
        if SCRIPT_KEYS.contains(&key.text().as_str()) {
            let scripts: Vec<&Text> = match &value.value {
                Value::Text(text) => vec![text],
                _ => value.items().iter().filter_map(Node::as_text).collect(),
            };
            let mut script = Text::default();
            for part in scripts {
                script.push_text(&fill(part, &variables));
                let end = part.origin().unwrap_or(value.origin);
                script.push_known("\n", Origin { start: end.end, ..end });
            }
            let set: Vec<(String, Vec<Text>)> =
                variables.iter().map(|(name, value)| (name.clone(), vec![value.clone()])).collect();
            let context = ShellContext {
                directories: &inner,
                script_folder: file.folder(),
                variables: &set,
                files: &tree.files,
                scope: &file.path,
            };
            run_script(&script, &context, sink);
        }
        run_scripts(tree, file, value, &variables, &inner, sink, depth + 1);
    }
    for item in node.items() {
        run_scripts(tree, file, item, &variables, &inner, sink, depth + 1);
    }
}

/// Replaces `${{ env.NAME }}`; other expressions are unknown.
fn fill(text: &Text, variables: &[(String, Text)]) -> Text {
    let all = text.text();
    if !all.contains("${{") {
        return text.clone();
    }
    let mut result = Text::default();
    let mut start = 0;
    while let Some(open) = all[start..].find("${{").map(|at| start + at) {
        let Some(close) = all[open..].find("}}").map(|at| open + at + 2) else { break };
        result.push_text(&text.slice(start..open));
        let named: Vec<(String, Text)> =
            variables.iter().map(|(name, value)| (format!("env.{name}"), value.clone())).collect();
        result.push_text(&just::fill(&text.slice(open + 1..close), &named));
        start = close;
    }
    result.push_text(&text.slice(start..all.len()));
    result
}

/// XcodeGen: `targets`, each with settings, a platform and sources.
fn read_xcodegen(tree: &Tree<'_>, file: &SourceFile, root: &Node, sink: &mut Sink) {
    let groups = root.get("settingGroups");
    let project = settings(root.get("settings"), groups);
    let mut defaults = Layer::default();
    let options = root.get("options").and_then(|options| options.get("deploymentTarget"));
    for (platform, version) in options.map(Node::entries).unwrap_or_default() {
        if let (Some(key), Some(text)) = (deployment_key(&platform.text()), version.as_text()) {
            defaults.add(key, text.clone());
        }
    }
    let project_configurations = configurations(root.get("settings"), groups);
    for (name, target) in root.get("targets").map(Node::entries).unwrap_or_default() {
        let mut sources = Vec::new();
        let listed = target.get("sources");
        let entries: Vec<&Node> = match listed {
            Some(node) if node.items().is_empty() => vec![node],
            Some(node) => node.items().iter().collect(),
            None => Vec::new(),
        };
        for entry in entries {
            let Some(path) = entry.as_text().or_else(|| entry.get("path")?.as_text()).map(Text::text) else { continue };
            let path = paths::join(file.folder(), &path);
            let below = tree.below(&path).chain(tree.files.iter().filter(|file| **file == path));
            sources.extend(
                below
                    .filter(|path| is_metal_source(path))
                    .map(|path| TargetSource { path: path.clone(), version: None }),
            );
        }
        let mut base = settings(target.get("settings"), groups);
        let platform = target.get("platform").and_then(Node::string);
        if let Some(system) = platform.as_deref().and_then(system_of) {
            let at = target.get("platform").map_or(target.origin, |node| node.origin);
            let sdk = match system {
                crate::version::System::MacOs => "macosx",
                crate::version::System::Ios => "iphoneos",
                crate::version::System::TvOs => "appletvos",
                crate::version::System::VisionOs => "xros",
            };
            base.add("SDKROOT", Text::known(sdk, at));
            let deployment = target.get("deploymentTarget").and_then(Node::as_text);
            if let (Some(key), Some(text)) = (platform.as_deref().and_then(deployment_key), deployment) {
                base.add(key, text.clone());
            }
        }
        let target_configurations = configurations(target.get("settings"), groups);
        let names: Vec<String> =
            project_configurations.iter().chain(&target_configurations).map(|(name, _)| name.clone()).collect();
        let no_layer = Layer::default();
        let layer_of = |list: &[(String, Layer)], name: &str| {
            list.iter().find(|(other, _)| other == name).map_or_else(Layer::default, |(_, layer)| layer.clone())
        };
        let mut seen = Vec::new();
        for configuration in names.iter().map(String::as_str).chain(names.is_empty().then_some("")) {
            let outer = layer_of(&project_configurations, configuration);
            let inner = layer_of(&target_configurations, configuration);
            for (_, version) in detect(&[&defaults, &project, &outer, &base, &inner, &no_layer]) {
                if (sources.is_empty() && version.spelled.is_none()) || seen.contains(&version) {
                    continue;
                }
                seen.push(version.clone());
                let shown =
                    if configuration.is_empty() { name.text() } else { format!("{} ({configuration})", name.text()) };
                let at = name.origin().unwrap_or(target.origin);
                sink.targets.push(Target { name: shown, at, version, sources: sources.clone() });
            }
        }
    }
}

fn deployment_key(platform: &str) -> Option<&'static str> {
    Some(match platform {
        "macOS" => "MACOSX_DEPLOYMENT_TARGET",
        "iOS" => "IPHONEOS_DEPLOYMENT_TARGET",
        "tvOS" => "TVOS_DEPLOYMENT_TARGET",
        "visionOS" => "XROS_DEPLOYMENT_TARGET",
        _ => return None,
    })
}

/// How deep groups of settings may name each other.
const MAX_GROUPS: u32 = 8;

/// The settings for all configurations: `base`, or the dictionary itself, over the groups that `groups` names.
fn settings(node: Option<&Node>, groups: Option<&Node>) -> Layer {
    let mut layer = Layer::default();
    add_settings(node, groups, &mut layer, 0);
    layer
}

fn add_settings(node: Option<&Node>, groups: Option<&Node>, layer: &mut Layer, depth: u32) {
    let Some(node) = node.filter(|_| depth < MAX_GROUPS) else { return };
    for name in node.get("groups").map(Node::items).unwrap_or_default() {
        let group = name.string().and_then(|name| groups?.get(&name));
        add_settings(group, groups, layer, depth + 1);
    }
    let entries = node.get("base").map_or_else(|| node.entries(), Node::entries);
    for (key, value) in entries {
        if !matches!(value.value, Value::Dictionary(_)) {
            layer.add(&key.text(), joined(value));
        }
    }
}

fn configurations(node: Option<&Node>, groups: Option<&Node>) -> Vec<(String, Layer)> {
    let configs = node.and_then(|node| node.get("configs"));
    configs
        .map(Node::entries)
        .unwrap_or_default()
        .iter()
        .map(|(name, value)| (name.text(), settings(Some(value), groups)))
        .collect()
}

/// Reads YAML into the same form as property lists. What stands before a mistake is kept.
fn parse(file: &SourceFile) -> Option<Node> {
    enum Open {
        List(Vec<Node>, Origin),
        Dictionary(Vec<(Text, Node)>, Option<Text>, Origin),
    }
    let offsets = Offsets::of(&file.text);
    let mut open: Vec<Open> = Vec::new();
    let mut root: Option<Node> = None;
    let mut place = |node: Node, open: &mut Vec<Open>| match open.last_mut() {
        Some(Open::List(items, _)) => items.push(node),
        Some(Open::Dictionary(entries, key, _)) => match key.take() {
            Some(key) => entries.push((key, node)),
            None => *key = Some(node.as_text().cloned().unwrap_or_default()),
        },
        None => root = root.take().or(Some(node)),
    };
    for event in Parser::new_from_str(&file.text).take(MAX_EVENTS) {
        let Ok((event, span)) = event else { break };
        let (start, end) = (offsets.byte(span.start.index()), offsets.byte(span.end.index()));
        let origin = Origin::new(file.id, start, end.max(start));
        match event {
            Event::Scalar(value, style, ..) => {
                let text = scalar(file, &value, style, start, end);
                place(Node { origin, value: Value::Text(text) }, &mut open);
            }
            Event::Alias(_) => {
                let text = Text::unknown("*", origin, Known::NotTheWords);
                place(Node { origin, value: Value::Text(text) }, &mut open);
            }
            Event::SequenceStart(..) if open.len() > MAX_DEPTH => break,
            Event::MappingStart(..) if open.len() > MAX_DEPTH => break,
            Event::SequenceStart(..) => open.push(Open::List(Vec::new(), origin)),
            Event::MappingStart(..) => open.push(Open::Dictionary(Vec::new(), None, origin)),
            Event::SequenceEnd | Event::MappingEnd => {
                let node = match open.pop() {
                    Some(Open::List(items, origin)) => Node { origin, value: Value::List(items) },
                    Some(Open::Dictionary(entries, _, origin)) => Node { origin, value: Value::Dictionary(entries) },
                    None => continue,
                };
                place(node, &mut open);
            }
            _ => {}
        }
    }
    // A file that ends in a mistake: what is open closes.
    while let Some(last) = open.pop() {
        let node = match last {
            Open::List(items, origin) => Node { origin, value: Value::List(items) },
            Open::Dictionary(entries, _, origin) => Node { origin, value: Value::Dictionary(entries) },
        };
        place(node, &mut open);
    }
    root
}

/// The text of a scalar, with the places of its lines.
fn scalar(file: &SourceFile, value: &str, style: ScalarStyle, start: usize, end: usize) -> Text {
    let raw = file.text.get(start..end).unwrap_or_default();
    match style {
        ScalarStyle::Literal | ScalarStyle::Folded => {
            // Each line of the value stands, in order, somewhere in the raw text.
            let mut text = Text::default();
            let mut at = start;
            for line in value.split_inclusive('\n') {
                let content = line.trim_end_matches('\n');
                let found = file.text.get(at..).and_then(|rest| rest.find(content)).filter(|_| !content.is_empty());
                if let Some(offset) = found {
                    text.push_text(&file.slice(at + offset..at + offset + content.len()));
                    at += offset + content.len();
                } else if !content.is_empty() {
                    text.push_known(content, Origin::new(file.id, start, end.max(start)));
                }
                if line.ends_with('\n') {
                    text.push_known("\n", Origin::new(file.id, at, at));
                }
            }
            text
        }
        _ => match raw.find(value) {
            Some(offset) => file.slice(start + offset..start + offset + value.len()),
            None => Text::known(value, Origin::new(file.id, start, end.max(start))),
        },
    }
}

/// From character counts to byte offsets.
struct Offsets {
    /// `None` when every character is a byte.
    table: Option<Vec<u32>>,
    length: usize,
}

impl Offsets {
    fn of(text: &str) -> Offsets {
        let table = (!text.is_ascii()).then(|| text.char_indices().map(|(at, _)| at as u32).collect());
        Offsets { table, length: text.len() }
    }

    fn byte(&self, index: usize) -> usize {
        match &self.table {
            Some(table) => table.get(index).map_or(self.length, |&at| at as usize),
            None => index.min(self.length),
        }
    }
}
