//! A project written as one text, and what is known of it as another.

#![allow(dead_code)]

use msl_project::{BinaryOptions, Evidence, LinkVerdict, MemoryTree, Project, UnitKind};

/// Files: each begins with a line `--- path`.
pub(crate) fn tree(fixture: &str) -> MemoryTree {
    let mut tree = MemoryTree::default();
    let mut current: Option<(&str, String)> = None;
    for line in fixture.split_inclusive('\n') {
        if let Some(path) = line.strip_prefix("--- ") {
            if let Some((path, text)) = current.take() {
                tree.insert(path, text);
            }
            current = Some((path.trim(), String::new()));
        } else if let Some((_, text)) = &mut current {
            text.push_str(line);
        }
    }
    if let Some((path, text)) = current {
        tree.insert(path, text);
    }
    tree
}

pub(crate) fn load(fixture: &str) -> Project {
    Project::load(".", &tree(fixture))
}

pub(crate) fn load_with_binaries(tree: &MemoryTree, options: BinaryOptions) -> Project {
    let mut project = Project::load(".", tree);
    project.add_binaries(".", tree, options);
    project
}

/// The line of a piece of evidence.
fn place(evidence: &Evidence, tree: &MemoryTree) -> String {
    use msl_project::FileAccess;
    let Some(range) = evidence.range else { return evidence.path.to_string() };
    let bytes = tree.read(&evidence.path).expect("evidence is in a file");
    let before = &(*bytes).as_ref()[..range.start as usize];
    format!("{}:{}", evidence.path, before.iter().filter(|&&byte| byte == b'\n').count() + 1)
}

/// Units, link units and findings, a line each.
pub(crate) fn show(project: &Project, tree: &MemoryTree) -> String {
    let mut lines = Vec::new();
    for unit in &project.units {
        let mut line = format!("{} {} {}", unit.kind.as_str(), unit.path, unit.std_text());
        if let Some(function) = &unit.function {
            line.push_str(&format!(" [{function}]"));
        }
        for (index, evidence) in unit.evidence.iter().enumerate() {
            let separator = if index == 0 { " <-" } else { ";" };
            line.push_str(&format!("{separator} {} {}", place(evidence, tree), evidence.message));
        }
        lines.push(line);
    }
    for link in &project.link_units {
        let members: Vec<String> = link.members.iter().map(|&unit| project.units[unit].path.to_string()).collect();
        let mut line = format!("link {} {} ({})", link.name, link.verdict.as_str(), members.join(" "));
        if !link.unresolved.is_empty() {
            line.push_str(&format!(" unresolved: {}", link.unresolved.join(" ")));
        }
        lines.push(line);
    }
    for diagnostic in &project.diagnostics {
        lines.push(format!("{} {}: {}", diagnostic.severity.as_str(), diagnostic.code, diagnostic.message));
    }
    lines.join("\n") + "\n"
}

/// Compares what is known of a project with what should be.
pub(crate) fn check(fixture: &str, expected: expect_test::Expect) {
    let tree = tree(fixture);
    expected.assert_eq(&show(&Project::load(".", &tree), &tree));
}

/// Whether any link is mixed.
pub(crate) fn is_mixed(project: &Project) -> bool {
    project.link_units.iter().any(|link| link.verdict == LinkVerdict::Mixed)
}

/// The versions of all sources, by path.
pub(crate) fn versions(project: &Project) -> Vec<(String, String)> {
    let sources = project.units.iter().filter(|unit| unit.kind == UnitKind::Source);
    sources.map(|unit| (unit.path.to_string(), unit.std_text())).collect()
}
