//! Every query file compiles against the grammar, and the files below `editors` follow from the general ones.
//!
//! Editors disagree about the names of captures. All of them let the last of several matching patterns win; Helix does
//! so since 25.07.
//! `UPDATE_EXPECT=1 cargo test -p tree-sitter-metal` writes the derived files anew.

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use tree_sitter::{Language, Parser, Query, QueryCursor, StreamingIterator as _};

fn language() -> Language {
    tree_sitter_metal::LANGUAGE.into()
}

fn queries() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("queries")
}

const NEOVIM: &str = "../../editors/neovim/queries/metal";
const HELIX: &str = "../../editors/helix/queries/metal";
const ZED: &str = "../../editors/zed/languages/metal";

#[test]
fn every_query_compiles() {
    let mut count = 0;
    for folder in ["", NEOVIM, HELIX, ZED] {
        for entry in fs::read_dir(queries().join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_none_or(|extension| extension != "scm") {
                continue;
            }
            let source = fs::read_to_string(&path).expect("readable");
            if let Err(error) = Query::new(&language(), &source) {
                panic!("{}: {error}", path.display());
            }
            count += 1;
        }
    }
    assert_eq!(count, 26);
}

/// Helix compiles highlights, injections and locals as one query: a predicate that it does not know would disable all
/// highlighting. Its predicates for indentation are others.
#[test]
fn helix_and_zed_queries_use_common_predicates_only() {
    for folder in [HELIX, ZED] {
        for entry in fs::read_dir(queries().join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.ends_with("indents.scm") || path.extension().is_none_or(|extension| extension != "scm") {
                continue;
            }
            let source = fs::read_to_string(&path).expect("readable");
            for predicate in source.split("(#").skip(1) {
                let name = predicate.split_whitespace().next().unwrap_or_default();
                assert!(
                    ["match?", "eq?", "set!", "not-match?", "not-eq?"].contains(&name),
                    "{}: {name}",
                    path.display()
                );
            }
        }
    }
}

/// Capture names of nvim-treesitter and their Helix counterparts; names that are not listed are the same.
const HELIX_NAMES: &[(&str, &str)] = &[
    ("boolean", "constant.builtin.boolean"),
    ("character", "constant.character"),
    ("constant.macro", "constant"),
    ("function.call", "function"),
    ("keyword.conditional", "keyword.control.conditional"),
    ("keyword.exception", "keyword.control.exception"),
    ("keyword.import", "keyword.control.import"),
    ("keyword.modifier", "keyword.storage.modifier"),
    ("keyword.repeat", "keyword.control.repeat"),
    ("keyword.return", "keyword.control.return"),
    ("keyword.type", "keyword.storage.type"),
    ("module", "namespace"),
    ("number", "constant.numeric"),
    ("string.escape", "constant.character.escape"),
    ("variable.member", "variable.other.member"),
];

/// The same for Zed.
const ZED_NAMES: &[(&str, &str)] = &[
    ("character", "string"),
    ("constant.macro", "constant"),
    ("function.call", "function"),
    ("function.macro", "function"),
    ("keyword.directive", "preproc"),
    ("keyword.import", "preproc"),
    ("keyword.operator", "keyword"),
    ("module", "namespace"),
    ("variable.builtin", "variable.special"),
    ("variable.member", "property"),
];

/// Text objects, where Helix and Zed agree.
const TEXT_OBJECT_NAMES: &[(&str, &str)] = &[
    ("attribute.inner", "entry.inside"),
    ("attribute.outer", "entry.around"),
    ("class.inner", "class.inside"),
    ("class.outer", "class.around"),
    ("comment.outer", "comment.around"),
    ("function.inner", "function.inside"),
    ("function.outer", "function.around"),
    ("parameter.inner", "parameter.inside"),
    ("parameter.outer", "parameter.around"),
];

#[test]
fn derived_queries_are_up_to_date() {
    let derive =
        |source: &str, names| derive(&fs::read_to_string(queries().join(source)).expect(source), source, names);
    let check = |folder: &str, source: &str, names| {
        expect_file![queries().join(folder).join(source)].assert_eq(&derive(source, names));
    };

    for source in ["highlights.scm", "folds.scm", "indents.scm", "injections.scm", "locals.scm", "textobjects.scm"] {
        check(NEOVIM, source, &[]);
    }
    check(HELIX, "highlights.scm", HELIX_NAMES);
    check(HELIX, "injections.scm", &[]);
    check(HELIX, "locals.scm", &[]);
    check(HELIX, "tags.scm", &[]);
    check(HELIX, "textobjects.scm", TEXT_OBJECT_NAMES);
    check(ZED, "highlights.scm", ZED_NAMES);
    check(ZED, "injections.scm", &[]);
    check(ZED, "textobjects.scm", TEXT_OBJECT_NAMES);
}

/// The patterns of `source` with other capture names.
fn derive(text: &str, source: &str, names: &[(&str, &str)]) -> String {
    let without_comments: String =
        text.lines().filter(|line| !line.starts_with(';')).map(|line| format!("{line}\n")).collect();
    let mut patterns: Vec<String> = without_comments
        .split("\n\n")
        .map(str::trim)
        .filter(|pattern| !pattern.is_empty())
        .map(|pattern| rename_captures(pattern, names))
        .collect();
    if names == TEXT_OBJECT_NAMES {
        // Objects of nvim-treesitter-textobjects that the other editors do not have.
        patterns.retain(|pattern| names.iter().any(|(_, name)| pattern.contains(&format!("@{name}"))));
    }
    format!(
        "; Derived from grammar/queries/{source}; grammar/tests/queries.rs writes this file.\n\n{}\n",
        patterns.join("\n\n")
    )
}

fn rename_captures(pattern: &str, names: &[(&str, &str)]) -> String {
    let mut parts = pattern.split('@');
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !(c.is_alphanumeric() || c == '.' || c == '_')).unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        let name = names.iter().find(|(from, _)| *from == name).map_or(name, |(_, to)| to);
        result.push('@');
        result.push_str(name);
        result.push_str(rest);
    }
    result
}

/// What each editor shows for the words that make a file Metal.
#[test]
fn highlights_of_an_entry_point() {
    let source = "kernel void scale(device half4 *data [[buffer(0)]]) { data[i] = half4(1.0h); UNROLL for (;;) {} }";
    let expected = [
        ("kernel", "keyword.function"),
        ("void", "type.builtin"),
        ("scale", "function"),
        ("device", "keyword.modifier"),
        ("half4", "type.builtin"),
        ("data", "variable.parameter"),
        ("buffer", "attribute"),
        ("0", "number"),
        ("1.0h", "number"),
        ("UNROLL", "function.macro"),
        ("for", "keyword.repeat"),
    ];
    for (query, names) in [
        (tree_sitter_metal::HIGHLIGHTS_QUERY.to_owned(), &[][..]),
        (fs::read_to_string(queries().join(HELIX).join("highlights.scm")).expect("helix"), HELIX_NAMES),
        (fs::read_to_string(queries().join(ZED).join("highlights.scm")).expect("zed"), ZED_NAMES),
    ] {
        for (word, name) in expected {
            let name = names.iter().find(|(from, _)| *from == name).map_or(name, |(_, to)| to);
            assert_eq!(winning_capture(&query, source, word).as_deref(), Some(name), "{word}");
        }
    }
}

/// The capture of the first occurrence of `word` by the last pattern that matches.
fn winning_capture(query: &str, source: &str, word: &str) -> Option<String> {
    let mut parser = Parser::new();
    parser.set_language(&language()).expect("the ABI fits");
    let tree = parser.parse(source, None).expect("no cancellation");
    let query = Query::new(&language(), query).expect("compiles");
    let start = source.find(word)?;
    let range = start..start + word.len();

    let mut cursor = QueryCursor::new();
    let mut matches = cursor.matches(&query, tree.root_node(), source.as_bytes());
    let mut found: Option<(usize, String)> = None;
    while let Some(one) = matches.next() {
        for capture in one.captures().iter().filter(|capture| capture.node.byte_range() == range) {
            let wins = found.as_ref().is_none_or(|(pattern, _)| one.pattern_index > *pattern);
            if wins {
                found = Some((one.pattern_index, query.capture_names()[capture.index as usize].to_owned()));
            }
        }
    }
    found.map(|(_, name)| name)
}
