//! Values for CMake's cache that stand outside its files: presets, and `cmake -D` in scripts.

use rustc_hash::FxHashSet;

use crate::{cmake::Cache, paths, plist, step::Sink, text::Text, tree::Tree};

/// The configure presets of a folder, with what they inherit.
pub(crate) fn presets(tree: &Tree<'_>, folder: &str) -> Vec<Cache> {
    let mut nodes = Vec::new();
    for name in ["CMakePresets.json", "CMakeUserPresets.json"] {
        let Some(file) = tree.load(&paths::join(folder, name)) else { continue };
        let root = plist::read(&file);
        nodes.extend(root.get("configurePresets").map(|list| list.items().to_vec()).unwrap_or_default());
    }
    let mut caches = Vec::new();
    for node in &nodes {
        let is_hidden = node.get("hidden").and_then(plist::Node::string).is_some_and(|hidden| hidden == "true");
        let Some(name) = node.get("name").and_then(plist::Node::string).filter(|_| !is_hidden) else { continue };
        let mut entries = Vec::new();
        collect(&nodes, node, &mut entries, &mut FxHashSet::default());
        if !entries.is_empty() {
            caches.push(Cache { name: format!("preset {name}"), entries });
        }
    }
    caches
}

/// What a preset inherits comes first, so that its own values win.
fn collect(nodes: &[plist::Node], node: &plist::Node, entries: &mut Vec<(String, Text)>, seen: &mut FxHashSet<String>) {
    let name = node.get("name").and_then(plist::Node::string).unwrap_or_default();
    if !seen.insert(name) {
        return;
    }
    let parents: Vec<String> = match node.get("inherits").map(|inherits| &inherits.value) {
        Some(plist::Value::Text(text)) => vec![text.text()],
        Some(plist::Value::List(items)) => items.iter().filter_map(plist::Node::string).collect(),
        _ => Vec::new(),
    };
    // Of several parents the first wins.
    for parent in parents.iter().rev() {
        let found = nodes.iter().find(|node| node.get("name").and_then(plist::Node::string).as_ref() == Some(parent));
        if let Some(found) = found {
            collect(nodes, found, entries, seen);
        }
    }
    for (name, value) in node.get("cacheVariables").map(plist::Node::entries).unwrap_or_default() {
        let value = value.get("value").unwrap_or(value);
        if let Some(text) = value.as_text() {
            let name = name.text();
            entries.retain(|(other, _)| *other != name);
            entries.push((name, text.clone()));
        }
    }
}

/// The `-D` options of each `cmake` command that scripts run.
pub(crate) fn command_line_options(sink: &Sink) -> Vec<Cache> {
    let mut caches: Vec<Cache> = Vec::new();
    for step in &sink.steps {
        if step.words.first().is_none_or(|first| paths::file_name(&first.text()) != "cmake") {
            continue;
        }
        let mut entries = Vec::new();
        let mut words = step.words[1..].iter();
        while let Some(word) = words.next() {
            let definition = match word.text().as_str() {
                "-D" => words.next().cloned(),
                _ => word.strip_prefix("-D"),
            };
            let Some(definition) = definition else { continue };
            let text = definition.text();
            let Some(equals) = text.find('=') else { continue };
            let name = text[..equals].split(':').next().unwrap_or_default().to_owned();
            entries.push((name, definition.slice(equals + 1..text.len())));
        }
        let is_new = !caches.iter().any(|cache| {
            cache.entries.len() == entries.len()
                && cache.entries.iter().zip(&entries).all(|(a, b)| a.0 == b.0 && a.1.text() == b.1.text())
        });
        if !entries.is_empty() && is_new {
            caches.push(Cache { name: format!("{} {}", step.scope, caches.len()), entries });
        }
    }
    caches
}
