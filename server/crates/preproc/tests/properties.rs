//! What holds for every input, checked on random bytes and on random pieces of programs.

mod support;

use msl_preproc::{SpellingKind, TokenKind, lex};
use proptest::prelude::*;
use support::Files;

/// Pieces that meet the interesting code when thrown together.
const PIECES: &[&str] = &[
    "#define ",
    "#define f(x) ",
    "#define g(x, ...) ",
    "#undef ",
    "#if ",
    "#ifdef ",
    "#ifndef ",
    "#elif ",
    "#elifdef ",
    "#else\n",
    "#endif\n",
    "#include \"main.metal\"\n",
    "#include ",
    "#include_next <x>\n",
    "#import \"main.metal\"\n",
    "#pragma once\n",
    "#pragma unroll ",
    "#line 7 \"x\"\n",
    "#error ",
    "#warning ",
    "#",
    "##",
    "%:",
    "%:%:",
    "\n",
    "\n",
    " ",
    " ",
    "\\\n",
    "\\ \n",
    "\\",
    "\r\n",
    "/*",
    "*/",
    "//",
    "// msl-analyzer: allow(x)\n",
    "\"",
    "'",
    "R\"(",
    ")\"",
    "R\"xy(",
    "u8",
    "L",
    "a",
    "b",
    "f",
    "g",
    "f(",
    "g(",
    "f(f)(a)",
    "x",
    "__VA_ARGS__",
    "__VA_OPT__(",
    "#__VA_OPT__(",
    "#pragma push_macro(\"a\")\n",
    "#pragma pop_macro(\"a\")\n",
    "defined ",
    "defined(",
    "__LINE__",
    "__FILE__",
    "__COUNTER__",
    "__has_include(",
    "__has_feature(",
    "_Pragma(\"unroll\")",
    "_Pragma",
    "(",
    ")",
    ",",
    ",",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "<:",
    ":>",
    "<::",
    "0",
    "1",
    "1.0h",
    "0x1p",
    "1'0",
    ".",
    "..",
    "...",
    "+",
    "-",
    "->",
    "*",
    "/",
    "?",
    ":",
    "::",
    "&&",
    "||",
    "=",
    "==",
    "!",
    "~",
    "@",
    "`",
    "\0",
    "\u{e9}",
    "\u{201c}",
    "\u{feff}",
    "if",
    "int",
    "and",
    "not_eq",
    "true",
];

fn soup() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(prop::sample::select(PIECES), 0..120).prop_map(|pieces| pieces.concat().into_bytes())
}

fn lexing_covers(text: &[u8]) -> Result<(), TestCaseError> {
    let lexed = lex(text);
    let mut covered: Vec<(u32, u32)> = lexed.tokens.iter().map(|token| (token.start, token.end)).collect();
    let eof = covered.pop();
    prop_assert_eq!(eof, Some((text.len() as u32, text.len() as u32)));
    covered.extend(lexed.comments.iter().map(|comment| (comment.start, comment.end)));
    covered.sort_unstable();
    let mut end = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    for (start, next_end) in covered.into_iter().chain(eof) {
        prop_assert!(start >= end, "overlap at {}", start);
        let gap = &text[end as usize..start as usize];
        prop_assert!(gap.iter().all(|byte| matches!(byte, b' ' | 9..=13 | 0 | b'\\')), "{:?} is left out", gap);
        prop_assert!(next_end > start || start as usize == text.len());
        end = next_end;
    }
    Ok(())
}

fn preprocessing_keeps_places(text: &[u8]) -> Result<(), TestCaseError> {
    let mut files = Files::bytes(text);
    files.options.limits.include_depth = 6;
    files.options.limits.includes = 20;
    files.options.limits.expanded_tokens = 20_000;
    files.options.limits.tokens_per_expansion = 5_000;
    let unit = files.preprocess();
    prop_assert_eq!(unit.tokens.len(), unit.origins.len());
    let index = unit.spelled_to_expanded();
    for (number, (token, &origin)) in unit.tokens.iter().zip(&unit.origins).enumerate() {
        prop_assert!(token.kind != TokenKind::Eof);
        let (file, range, kind) = unit.map.spelling(origin);
        let (site_file, _) = unit.map.expansion_range(origin);
        prop_assert!(site_file.is_real());
        prop_assert!(unit.map.is_in_file(unit.map.expansion_site(origin)));
        if file.is_real() {
            prop_assert!(range.start <= range.end && range.end as usize <= text.len(), "{:?}", range);
            prop_assert!(index.tokens_at(file, range.start).any(|found| found as usize == number));
            // The bytes at the place spell the token.
            if token.kind == TokenKind::Ident && matches!(kind, SpellingKind::Typed | SpellingKind::MacroBody) {
                let bytes = &text[range.start as usize..range.end as usize];
                let alone = lex(bytes);
                prop_assert_eq!(alone.tokens[0].token.name, token.name);
                prop_assert_eq!(alone.tokens.len(), 2);
            }
        }
    }
    for diagnostic in &unit.diagnostics {
        let (file, range) = unit.map.file_range(diagnostic.range.clone());
        prop_assert!(!file.is_real() || range.start <= range.end && range.end as usize <= text.len());
    }
    for region in unit.inactive.values().flatten() {
        prop_assert!(region.start < region.end && region.end as usize <= text.len());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_are_covered(text in prop::collection::vec(any::<u8>(), 0..300)) {
        lexing_covers(&text)?;
        preprocessing_keeps_places(&text)?;
    }

    #[test]
    fn pieces_are_covered(text in soup()) {
        lexing_covers(&text)?;
    }

    #[test]
    fn pieces_keep_their_places(text in soup()) {
        preprocessing_keeps_places(&text)?;
    }
}
