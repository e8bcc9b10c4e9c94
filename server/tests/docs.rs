//! The book below `docs`: every page is in its table of contents, every link leads somewhere, and what is said of
//! commands and settings is what there is. `UPDATE_EXPECT=1` writes the generated parts anew.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use expect_test::expect_file;
use serde_json::Value;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the repository")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The Markdown files of a folder, in order.
fn pages_of(folder: &Path) -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();
    pages
}

/// Pages of diagnostics and of decisions stand below the page that introduces them.
#[test]
fn the_table_of_contents_is_complete() {
    let docs = repository().join("docs");
    let entry = |page: &Path, depth: &str| {
        let title = read(page).lines().next().unwrap_or_default().trim_start_matches("# ").to_owned();
        let link = page.strip_prefix(&docs).expect("below docs").display().to_string();
        format!("{depth}- [{title}]({link})\n")
    };
    let mut summary = String::new();
    let is_generated = |line: &str| line.starts_with("  - ");
    for line in read(&docs.join("SUMMARY.md")).lines().filter(|line| !is_generated(line)) {
        summary.push_str(line);
        summary.push('\n');
        let folder = match line {
            "- [Diagnostics](diagnostics.md)" => "diagnostics",
            "- [Architecture](architecture.md)" => "decisions",
            _ => continue,
        };
        for page in pages_of(&docs.join(folder)) {
            summary.push_str(&entry(&page, "  "));
        }
    }
    expect_file![docs.join("SUMMARY.md")].assert_eq(&summary);
    for folder in ["", "editors", "diagnostics", "decisions"] {
        for page in pages_of(&docs.join(folder)) {
            let link = page.strip_prefix(&docs).expect("below docs").display().to_string();
            assert!(link == "SUMMARY.md" || summary.contains(&format!("]({link})")), "{link} is not in SUMMARY.md");
        }
    }
}

#[test]
fn every_link_leads_somewhere() {
    let root = repository();
    let mut pages = vec![root.join("README.md"), root.join("CONTRIBUTING.md"), root.join("CHANGELOG.md")];
    for folder in ["docs", "docs/editors", "docs/diagnostics", "docs/decisions", "tests/editors", "grammar"] {
        pages.extend(pages_of(&root.join(folder)));
    }
    let mut dead = Vec::new();
    for page in &pages {
        for link in links(&read(page)) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if path.is_empty() { page.clone() } else { page.parent().expect("a folder").join(path) };
            let is_there = target.exists()
                && (anchor.is_empty() || headings(&read(&target)).iter().any(|heading| heading == anchor));
            // What the book leaves out cannot be reached from it.
            let docs = root.join("docs");
            let leaves_book = page.starts_with(&docs) && !target.canonicalize().is_ok_and(|it| it.starts_with(&docs));
            if !is_there || leaves_book {
                dead.push(format!("{}: {link}", page.strip_prefix(&root).expect("in the repository").display()));
            }
        }
    }
    assert!(dead.is_empty(), "dead links:\n{}", dead.join("\n"));
}

/// The targets of inline links and pictures outside of code.
fn links(markdown: &str) -> Vec<String> {
    let mut links = Vec::new();
    for line in outside_of_code(markdown) {
        // Parts between backticks are code.
        let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join(" ");
        let mut rest = prose.as_str();
        while let Some(at) = rest.find("](") {
            rest = &rest[at + 2..];
            let Some(end) = rest.find(')') else { break };
            links.push(rest[..end].split_whitespace().next().unwrap_or_default().to_owned());
            rest = &rest[end..];
        }
    }
    links
}

/// The anchors that GitHub and mdBook give to headings.
fn headings(markdown: &str) -> Vec<String> {
    outside_of_code(markdown)
        .filter_map(|line| line.strip_prefix('#').map(|heading| heading.trim_start_matches('#').trim()))
        .map(|heading| {
            let kept = heading
                .to_lowercase()
                .chars()
                .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
                .collect::<String>();
            kept.replace(' ', "-")
        })
        .collect()
}

fn outside_of_code(markdown: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    markdown.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

#[test]
fn every_command_is_described() {
    let help = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_msl-analyzer"))
            .args(arguments)
            .env_remove("CLICOLOR_FORCE")
            .env("COLUMNS", "100")
            .output()
            .expect("the command line runs");
        let text = String::from_utf8(output.stdout).expect("UTF-8").replace("msl-analyzer.exe", "msl-analyzer");
        text.lines().map(|line| format!("{}\n", line.trim_end())).collect::<String>()
    };
    let overview = help(&["--help"]);
    let commands: Vec<&str> = overview
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.contains(&"check") && commands.contains(&"lsp"), "{commands:?}");
    let mut page = format!(
        "# Commands\n\nWhat `msl-analyzer help COMMAND` prints; a test writes this page.\nThe [user guide](guide.md) says \
         more.\n\n```text\n{overview}```\n"
    );
    for command in commands {
        page.push_str(&format!("\n## {command}\n\n```text\n{}```\n", help(&["help", command])));
    }
    expect_file![repository().join("docs/commands.md")].assert_eq(&page);
}

#[test]
fn every_setting_is_described() {
    let root = repository();
    let page = read(&root.join("docs/settings.md"));
    let manifest: Value = serde_json::from_str(&read(&root.join("editors/vscode/package.json"))).expect("JSON");
    let settings = manifest["contributes"]["configuration"]["properties"].as_object().expect("settings");
    for name in settings.keys() {
        let short = name.strip_prefix("msl-analyzer.").expect("in our section");
        assert!(page.contains(&format!("`{name}`")) || page.contains(&format!("`{short}`")), "{name}");
    }
    let config = read(&root.join("server/src/workspace/config.rs"));
    let example: Vec<&str> = config.lines().take_while(|line| line.starts_with("//!")).collect();
    let keys = example.iter().filter_map(|line| line.strip_prefix("//! ")?.split_once(" = ")).map(|(key, _)| key);
    for key in keys.filter(|key| key.chars().all(|c| c.is_ascii_lowercase() || c == '-')) {
        assert!(
            page.contains(&format!("`{key} ="))
                || page.contains("[severities]") && config.contains(&format!("\n//! {key} = \"")),
            "{key}"
        );
    }
}

/// Each rule about function pointers has a row in its table, and the tests that the row names are there.
#[test]
fn rules_about_function_pointers_have_tests() {
    let root = repository();
    let page = read(&root.join("tests/function-pointers/rules.md"));
    let rows = page.lines().filter_map(|line| line.strip_prefix("| F"));
    let mut numbers: Vec<usize> = Vec::new();
    for row in rows {
        let mut cells = row.split(" | ");
        numbers.push(cells.next().and_then(|number| number.parse().ok()).expect("the number of a rule"));
        let tests = cells.nth(1).expect("a column of tests").trim_end_matches(" |");
        for test in tests.split("`, `").map(|test| test.trim_matches('`')) {
            let (file, name) = test.split_once(": ").expect("a file and a name");
            let is_there = match file.strip_suffix(".rs") {
                Some(_) => {
                    let text = read(&root.join(file));
                    text.contains(&format!("#[test]\nfn {name}() {{"))
                }
                None => {
                    let text = read(&root.join("tests/mdtest/function-pointers").join(file));
                    text.lines().any(|line| line.trim_start_matches('#') == format!(" {name}"))
                }
            };
            assert!(is_there, "rule F{}: there is no {test}", numbers.last().expect("a number"));
        }
    }
    assert_eq!(numbers, (1..=42).collect::<Vec<_>>());
}
