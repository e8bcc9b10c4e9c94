//! Runs the files of `test/corpus` through the committed parser, so that no command line tool is needed.
//!
//! The format is that of `tree-sitter test`: a title between two lines of `=`, a source, a line of `-`, a tree.
//! `:error` below the title says that the tree holds an error; it then has no expected tree, because how the parser
//! recovers is no promise of the grammar.

use std::fs;
use std::path::{Path, PathBuf};

use tree_sitter::Parser;

struct Case {
    title: String,
    expects_error: bool,
    source: String,
    tree: String,
}

#[test]
fn corpus() {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_metal::LANGUAGE.into()).expect("the ABI fits");
    let mut count = 0;
    for path in corpus_files() {
        for case in parse_corpus(&fs::read_to_string(&path).expect("readable")) {
            let tree = parser.parse(&case.source, None).expect("no cancellation");
            let root = tree.root_node();
            let place = format!("{}: {}", path.display(), case.title);
            if case.expects_error {
                assert!(root.has_error(), "{place}: no error\n{}", root.to_sexp());
                assert_eq!(root.end_byte(), case.source.len(), "{place}: the tree does not cover the source");
            } else {
                assert_eq!(collapse_spaces(&root.to_sexp()), collapse_spaces(&case.tree), "{place}");
            }
            count += 1;
        }
    }
    assert!(count > 40, "only {count} cases found");
}

fn corpus_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("test/corpus");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("the corpus").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

fn parse_corpus(text: &str) -> Vec<Case> {
    let is_title_line = |line: &str| line.len() >= 3 && line.bytes().all(|byte| byte == b'=');
    let is_tree_line = |line: &str| line.len() >= 3 && line.bytes().all(|byte| byte == b'-');
    let mut cases = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if !is_title_line(line) {
            continue;
        }
        let head: Vec<&str> = lines.by_ref().take_while(|line| !is_title_line(line)).collect();
        let source: Vec<&str> = lines.by_ref().take_while(|line| !is_tree_line(line)).collect();
        let mut tree = Vec::new();
        while let Some(line) = lines.next_if(|line| !is_title_line(line)) {
            tree.push(line);
        }
        cases.push(Case {
            title: head.first().copied().unwrap_or_default().to_owned(),
            expects_error: head.contains(&":error"),
            source: source.join("\n").trim_matches('\n').to_owned() + "\n",
            tree: tree.join("\n"),
        });
    }
    cases
}

/// One space between words, none before a closing parenthesis.
fn collapse_spaces(tree: &str) -> String {
    tree.split_whitespace().collect::<Vec<_>>().join(" ").replace(" )", ")")
}
