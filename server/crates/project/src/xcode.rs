//! Xcode projects and `.xcconfig` files.

use std::collections::HashMap;

use rustc_hash::FxHashSet;

use crate::{
    command::{Detection, is_metal_source, version_of_flags},
    paths,
    plist::{self, Node, Value},
    shell::{ShellContext, run_script},
    step::{Sink, Target, TargetSource},
    text::Text,
    tree::{SourceFile, Tree},
    version::System,
    xcode_settings::{Layer, detect},
};

/// How deep groups may nest and configuration files may include each other.
const MAX_DEPTH: u32 = 64;

/// Reads a `project.pbxproj`.
pub(crate) fn read(tree: &Tree<'_>, file: &SourceFile, sink: &mut Sink) {
    let root = plist::read(file);
    let Some(objects) = root.get("objects") else { return };
    let by_id: HashMap<String, &Node> = objects.entries().iter().map(|(id, node)| (id.text(), node)).collect();
    let folder = paths::folder_of(paths::folder_of(&file.path)).to_owned();
    let mut parents: HashMap<String, String> = HashMap::new();
    for (id, node) in objects.entries() {
        for child in node.get("children").map(Node::items).unwrap_or_default() {
            parents.insert(child.string().unwrap_or_default(), id.text());
        }
    }
    let project = Project { tree, by_id, parents, folder };
    let of_kind = |kind: &'static str| {
        objects
            .entries()
            .iter()
            .filter(move |(_, node)| node.get("isa").and_then(Node::string).as_deref() == Some(kind))
    };
    let Some((_, project_node)) = of_kind("PBXProject").next() else { return };
    let project_configurations = project.configurations(project_node);
    for (_, target) in of_kind("PBXNativeTarget").chain(of_kind("PBXAggregateTarget")) {
        project.read_target(target, &project_configurations, sink);
    }
    for (_, phase) in of_kind("PBXShellScriptBuildPhase") {
        let Some(script) = phase.get("shellScript").and_then(Node::as_text) else { continue };
        let directories = [project.folder.clone()];
        let context = ShellContext {
            directories: &directories,
            script_folder: &project.folder,
            variables: &[],
            files: &tree.files,
            scope: &file.path,
        };
        run_script(script, &context, sink);
    }
}

struct Project<'a> {
    tree: &'a Tree<'a>,
    by_id: HashMap<String, &'a Node>,
    /// The group that holds a file or group.
    parents: HashMap<String, String>,
    /// The folder that holds the `.xcodeproj`.
    folder: String,
}

/// A configuration: its name, what its `.xcconfig` says, and what it says itself.
struct Configuration {
    name: String,
    base: Layer,
    own: Layer,
}

impl Project<'_> {
    fn object(&self, node: Option<&Node>) -> Option<&Node> {
        self.by_id.get(&node?.string()?).copied()
    }

    fn configurations(&self, owner: &Node) -> Vec<Configuration> {
        let Some(list) = self.object(owner.get("buildConfigurationList")) else { return Vec::new() };
        let ids = list.get("buildConfigurations").map(Node::items).unwrap_or_default();
        ids.iter()
            .filter_map(|id| self.object(Some(id)))
            .map(|configuration| {
                let mut own = Layer::default();
                let settings = configuration.get("buildSettings");
                for (key, value) in settings.map(Node::entries).unwrap_or_default() {
                    own.add(&key.text(), joined(value));
                }
                let reference = configuration.get("baseConfigurationReference").and_then(Node::string);
                let path = reference.and_then(|id| self.path_of(&id)).or_else(|| {
                    let name = configuration.get("baseConfigurationReferenceRelativePath")?.string()?;
                    self.find_file(&name)
                });
                let base = path.and_then(|path| self.tree.load(&path)).map(|file| read_xcconfig(self.tree, &file));
                let name = configuration.get("name").and_then(Node::string).unwrap_or_default();
                Configuration { name, base: base.unwrap_or_default(), own }
            })
            .collect()
    }

    /// The path of a file reference, through its groups.
    fn path_of(&self, id: &str) -> Option<String> {
        let mut parts = Vec::new();
        let mut current = id.to_owned();
        for _ in 0..MAX_DEPTH {
            let Some(node) = self.by_id.get(&current) else { break };
            if let Some(path) = node.get("path").and_then(Node::string) {
                parts.push(path);
            }
            let tree = node.get("sourceTree").and_then(Node::string).unwrap_or_default();
            match (tree.as_str(), self.parents.get(&current)) {
                ("<group>" | "", Some(parent)) => current = parent.clone(),
                _ => break,
            }
        }
        parts.reverse();
        let path = paths::join(&self.folder, &parts.join("/"));
        if self.tree.exists(&path) || self.tree.below(&path).next().is_some() {
            return Some(path);
        }
        self.find_file(parts.last()?)
    }

    /// The only file of this name below the project's folder.
    fn find_file(&self, name: &str) -> Option<String> {
        let name = paths::file_name(name);
        let mut found = self.tree.below(&self.folder).filter(|path| paths::file_name(path) == name);
        let first = found.next()?;
        found.next().is_none().then(|| first.clone())
    }

    fn read_target(&self, target: &Node, project: &[Configuration], sink: &mut Sink) {
        let sources = self.sources(target);
        let name = target.get("name").and_then(Node::string).unwrap_or_default();
        let own = self.configurations(target);
        let no_layer = Layer::default();
        let mut seen: Vec<Detection> = Vec::new();
        for configuration in &own {
            let outer = project.iter().find(|other| other.name == configuration.name);
            let layers = [
                outer.map_or(&no_layer, |outer| &outer.base),
                outer.map_or(&no_layer, |outer| &outer.own),
                &configuration.base,
                &configuration.own,
            ];
            // Targets without shaders matter only if somebody set a version for them.
            for (system, version) in detect(&layers) {
                let is_stated = version.spelled.is_some();
                if (sources.is_empty() && !is_stated) || seen.contains(&version) {
                    continue;
                }
                let system = system.map(|system| format!(", {}", system.as_str())).unwrap_or_default();
                let target_name = format!("{name} ({}{system})", configuration.name);
                seen.push(version.clone());
                sink.targets.push(Target { name: target_name, at: target.origin, version, sources: sources.clone() });
            }
        }
        if seen.is_empty() && !sources.is_empty() {
            let version =
                Detection::unknown(target.origin, "neither a language revision nor a deployment target is set");
            sink.targets.push(Target { name, at: target.origin, version, sources });
        }
    }

    /// The shaders that a target compiles.
    fn sources(&self, target: &Node) -> Vec<TargetSource> {
        let mut sources = Vec::new();
        for phase in target.get("buildPhases").map(Node::items).unwrap_or_default() {
            let Some(phase) = self.object(Some(phase)) else { continue };
            for build_file in phase.get("files").map(Node::items).unwrap_or_default() {
                let Some(build_file) = self.object(Some(build_file)) else { continue };
                let Some(id) = build_file.get("fileRef").and_then(Node::string) else { continue };
                let reference = self.by_id.get(&id).and_then(|node| node.get("path")).and_then(Node::string);
                if !reference.is_some_and(|path| is_metal_source(&path)) {
                    continue;
                }
                let Some(path) = self.path_of(&id) else { continue };
                let flags = build_file.get("settings").and_then(|settings| settings.get("COMPILER_FLAGS"));
                let version =
                    flags.and_then(|flags| version_of_flags(&flags.words())).filter(|version| version.std.is_some());
                sources.push(TargetSource { path, version });
            }
        }
        // Folders that Xcode keeps in step with the disk.
        for group in target.get("fileSystemSynchronizedGroups").map(Node::items).unwrap_or_default() {
            let Some(path) = group.string().and_then(|id| self.path_of(&id)) else { continue };
            let below = self.tree.below(&path).filter(|path| is_metal_source(path));
            sources.extend(below.map(|path| TargetSource { path: path.clone(), version: None }));
        }
        sources
    }
}

/// A value as one text; the items of a list with blanks between.
pub(crate) fn joined(value: &Node) -> Text {
    match &value.value {
        Value::Text(text) => text.clone(),
        _ => {
            let mut joined = Text::default();
            for (index, word) in value.words().iter().enumerate() {
                if index > 0
                    && let Some(origin) = word.origin()
                {
                    joined.push_known(" ", crate::text::Origin { end: origin.start, ..origin });
                }
                joined.push_text(word);
            }
            joined
        }
    }
}

/// The settings of an `.xcconfig` file and what it includes.
pub(crate) fn read_xcconfig(tree: &Tree<'_>, file: &SourceFile) -> Layer {
    let mut layer = Layer::default();
    add_xcconfig(tree, file, &mut layer, &mut FxHashSet::default(), 0);
    layer
}

fn add_xcconfig(tree: &Tree<'_>, file: &SourceFile, layer: &mut Layer, seen: &mut FxHashSet<String>, depth: u32) {
    if depth > MAX_DEPTH || !seen.insert(file.path.to_string()) {
        return;
    }
    let mut at = 0;
    for raw in file.text.split_inclusive('\n') {
        let start = at;
        at += raw.len();
        let line = raw.split("//").next().unwrap_or_default().trim_end();
        let trimmed = raw.trim();
        if let Some(include) = trimmed.strip_prefix("#include") {
            let path = include.trim_start_matches('?').trim().trim_matches('"');
            if let Some(included) = tree.load(&paths::join(file.folder(), path)) {
                add_xcconfig(tree, &included, layer, seen, depth + 1);
            }
            continue;
        }
        // The `=` behind the key; conditions in brackets have one of their own.
        let mut depth = 0;
        let equals = line.bytes().position(|byte| {
            depth += i32::from(byte == b'[') - i32::from(byte == b']');
            byte == b'=' && depth == 0
        });
        let Some(equals) = equals else { continue };
        let value = file.slice(start + equals + 1..start + line.len()).trim();
        layer.add(line[..equals].trim(), value);
    }
}

/// The system that a platform's name stands for: `iOS`, `macOS`.
pub(crate) fn system_of(name: &str) -> Option<System> {
    System::parse(name)
}
