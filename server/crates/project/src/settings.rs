//! Settings in project descriptions that are programs: Tuist and Swift packages, CocoaPods, premake, Bazel and Buck.
//!
//! They are read as tokens: a key of Xcode's that has a literal value, the platforms of a package, the flags of a rule
//! that compiles Metal.

use crate::{
    command::{Detection, Fact, is_metal_source, version_of_flags},
    lexer::{Dialect, TokenKind, Tokens, tokenize},
    paths,
    step::{Sink, Target, TargetSource},
    text::Text,
    tree::{SourceFile, Tree},
    version::{DeploymentTarget, System},
    xcode_settings::{Layer, detect},
};

/// Keys that decide the version.
const KEYS: &[&str] = &["MTL_LANGUAGE_REVISION", "MTL_COMPILER_FLAGS"];

/// Reads a project description.
pub(crate) fn read(tree: &Tree<'_>, file: &SourceFile, dialect: Dialect, sink: &mut Sink) {
    let text = &file.text;
    let is_package = paths::file_name(&file.path) == "Package.swift" && text.contains("platforms");
    let has_keys = KEYS.iter().any(|key| text.contains(key));
    let has_rules = dialect == Dialect::Python && text.contains("metal_library");
    if !is_package && !has_keys && !has_rules {
        return;
    }
    let tokens = tokenize(file, dialect);
    if has_keys {
        read_keys(tree, &tokens, sink);
    }
    if has_rules {
        read_rules(tree, &tokens, sink);
    }
    if is_package {
        read_package(tree, &tokens, sink);
    }
}

/// Every `KEY: "value"`, `"KEY" => "value"`, `["KEY"] = "value"`.
fn read_keys(tree: &Tree<'_>, tokens: &Tokens<'_>, sink: &mut Sink) {
    let mut found = Vec::new();
    for at in 0..tokens.list.len() {
        let key = match &tokens.list[at].kind {
            TokenKind::Word => tokens.text(at).to_owned(),
            TokenKind::String { .. } => tokens.string(at).and_then(|text| text.value()).unwrap_or_default(),
            _ => continue,
        };
        if !KEYS.contains(&key.split('[').next().unwrap_or_default()) {
            continue;
        }
        // Between a key and its value stand only marks, and in Swift `.string(` or `SettingValue`.
        let value = (at + 1..tokens.list.len().min(at + 8)).take_while(|&next| {
            let is_mark =
                matches!(tokens.text(next), ":" | "=" | ">" | "]" | "." | "(" | "[" | "{" | "string" | "array");
            is_mark || matches!(tokens.list[next].kind, TokenKind::String { .. })
        });
        let value = value.into_iter().find(|&next| matches!(tokens.list[next].kind, TokenKind::String { .. }));
        if let Some(text) = value.and_then(|value| tokens.string(value)) {
            found.push((at, key, text));
        }
    }
    let sources = if found.iter().filter(|(_, key, _)| key.starts_with(KEYS[0])).count() <= 1 {
        sources_of_globs(tree, tokens)
    } else {
        Vec::new()
    };
    for (at, key, value) in found {
        let mut layer = Layer::default();
        layer.add(&key, value);
        for (_, version) in detect(&[&layer]) {
            let name = paths::file_name(&tokens.file.path).to_owned();
            sink.targets.push(Target { name, at: tokens.origin(at), version, sources: sources.clone() });
        }
    }
}

/// The shaders that patterns in the file match.
fn sources_of_globs(tree: &Tree<'_>, tokens: &Tokens<'_>) -> Vec<TargetSource> {
    let mut found: Vec<String> = Vec::new();
    for at in 0..tokens.list.len() {
        let Some(text) = tokens.string(at).and_then(|text| text.value()) else { continue };
        if !(text.contains('*') || is_metal_source(&text)) || text.contains(char::is_whitespace) {
            continue;
        }
        let pattern = paths::join(tokens.file.folder(), &text);
        found.extend(tree.glob(&pattern).into_iter().filter(|path| is_metal_source(path)).cloned());
    }
    found.sort();
    found.dedup();
    found.into_iter().map(|path| TargetSource { path, version: None }).collect()
}

/// `apple_metal_library(name = …, srcs = […], copts = […])`.
fn read_rules(tree: &Tree<'_>, tokens: &Tokens<'_>, sink: &mut Sink) {
    for at in 0..tokens.list.len() {
        if !tokens.is_word(at) || !tokens.text(at).ends_with("metal_library") || !tokens.is(at + 1, "(") {
            continue;
        }
        let close = tokens.close_of(at + 1).min(tokens.list.len());
        let strings = |label: &str| -> Vec<Text> {
            let start = (at + 2..close).find(|&at| tokens.is(at, label) && tokens.is(at + 1, "="));
            let Some(start) = start else { return Vec::new() };
            let mut end = start + 2;
            while end < close && !tokens.is(end, ",") {
                end = if tokens.is_open(end) { tokens.close_of(end) + 1 } else { end + 1 };
            }
            (start + 2..end.min(close)).filter_map(|at| tokens.string(at)).collect()
        };
        let name = strings("name").first().map_or_else(|| tokens.text(at).to_owned(), Text::text);
        let copts = strings("copts");
        let minimum = strings("minimum_os_version").into_iter().next();
        let version = version_of_flags(&copts).or_else(|| {
            let value = minimum.as_ref()?;
            let origin = value.origin()?;
            // The rule is built for whichever system asks for it.
            Some(Detection::unknown(
                origin,
                "minimum_os_version without `-std`: the system is that of whoever depends on it",
            ))
        });
        let version = version.unwrap_or_else(|| {
            Detection::unknown(tokens.origin(at), "no `-std` in copts: the version is the default of the SDK")
        });
        let mut sources = Vec::new();
        for source in strings("srcs") {
            let path = paths::join(tokens.file.folder(), source.text().trim_start_matches(':'));
            let matching = tree.glob(&path).into_iter().filter(|path| is_metal_source(path));
            sources.extend(matching.map(|path| TargetSource { path: path.clone(), version: None }));
        }
        sink.targets.push(Target { name, at: tokens.origin(at), version, sources });
    }
}

/// `platforms: [.macOS(.v27)]` of a Swift package decides what its shaders default to.
fn read_package(tree: &Tree<'_>, tokens: &Tokens<'_>, sink: &mut Sink) {
    let start = (0..tokens.list.len())
        .find(|&at| tokens.is(at, "platforms") && tokens.is(at + 1, ":") && tokens.is(at + 2, "["));
    let Some(start) = start else { return };
    let sources: Vec<TargetSource> = tree
        .below(tokens.file.folder())
        .filter(|path| is_metal_source(path))
        .map(|path| TargetSource { path: path.clone(), version: None })
        .collect();
    if sources.is_empty() {
        return;
    }
    let close = tokens.close_of(start + 2).min(tokens.list.len());
    for at in start + 3..close {
        let Some(system) = System::parse(tokens.text(at)).filter(|_| tokens.is(at + 1, "(")) else { continue };
        let value = match tokens.string(at + 2) {
            Some(text) => text.value(),
            None => tokens.text(at + 3).strip_prefix('v').map(|version| version.replace('_', ".")),
        };
        let Some(target) = value.and_then(|value| DeploymentTarget::parse(system, &value)) else { continue };
        let default = target.default_version().map_or("not known".to_owned(), |version| version.to_string());
        let origin = tokens.origin(at).cover(tokens.origin(tokens.close_of(at + 1)));
        let message = format!("platforms: the default of {target} is {default}");
        let version = Detection::of_deployment(target, vec![Fact { origin, message }]);
        let name = format!("Package.swift ({})", system.as_str());
        sink.targets.push(Target { name, at: tokens.origin(start), version, sources: sources.clone() });
    }
}
