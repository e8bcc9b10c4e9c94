//! From expanded tokens to what was typed, and back.

mod support;

use expect_test::{Expect, expect};
use msl_preproc::{FileId, Preprocessed};
use support::{Files, expanded_text, report};

/// Prints each expanded token with its spelling and the steps out to the file.
fn check(fixture: &str, expected: Expect) {
    let files = if fixture.starts_with("// file: ") { Files::fixture(fixture) } else { Files::single(fixture) };
    let unit = files.preprocess();
    expected.assert_eq(&(origins(&files, &unit) + &report(&unit)));
}

fn origins(files: &Files, unit: &Preprocessed) -> String {
    let mut text = String::new();
    for (token, &origin) in unit.tokens.iter().zip(&unit.origins) {
        let (file, range, kind) = unit.map.spelling(origin);
        text.push_str(&format!("{} <- ", token.text()));
        let spelled = files.slice(file, range.clone());
        text.push_str(&format!("{kind:?} `{spelled}` {}:{range:?}", file.0));
        for step in unit.map.expansion_chain(origin) {
            let expansion = unit.map.expansions()[step.expansion as usize];
            let name = unit.map.definition(expansion.definition).name;
            text.push_str(&format!(" <- {:?} of {name}", step.kind));
        }
        if !unit.map.is_in_file(origin) {
            let (file, range) = unit.map.expansion_range(origin);
            text.push_str(&format!(" <- `{}`", files.slice(file, range)));
        }
        if let Some(includer) = unit.map.includer(origin) {
            let (file, offset) = unit.map.file_offset(includer).expect("an include stands in a file");
            text.push_str(&format!(" included at {}:{offset}", file.0));
        }
        text.push('\n');
    }
    text
}

#[test]
fn bodies_and_arguments() {
    check(
        r#"#define twice(x) x + x
#define outer(y) twice(y) ;
a outer(b)
"#,
        expect![[r#"
        a <- Typed `a` 0:51..52
        b <- Typed `b` 0:59..60 <- Argument(0) of twice <- Body of twice <- Body of outer <- `outer(b)`
        + <- MacroBody `+` 0:19..20 <- Body of twice <- Body of outer <- `outer(b)`
        b <- Typed `b` 0:59..60 <- Argument(0) of twice <- Body of twice <- Body of outer <- `outer(b)`
        ; <- MacroBody `;` 0:49..50 <- Body of outer <- `outer(b)`
    "#]],
    );
}

#[test]
fn nested_calls_in_arguments() {
    check(
        r#"#define id(x) x
#define N 4
id(id(N) c)
"#,
        expect![[r#"
        4 <- MacroBody `4` 0:26..27 <- Argument(0) of id <- Body of id <- `id(id(N) c)`
        c <- Typed `c` 0:37..38 <- Argument(0) of id <- Body of id <- `id(id(N) c)`
    "#]],
    );
}

#[test]
fn pasted_and_stringized() {
    check(
        r#"#define name(p, s) p ## _ ## s #s __LINE__
name(kernel, add)
"#,
        expect![[r#"
        kernel_add <- Pasted `kernel` 0:48..54 <- Paste of name <- Body of name <- `name(kernel, add)`
        "add" <- Computed `#` 0:31..32 <- Stringize of name <- Body of name <- `name(kernel, add)`
        2 <- Computed `__LINE__` 0:34..42 <- Body of __LINE__ <- Body of name <- `name(kernel, add)`
    "#]],
    );
}

#[test]
fn splices_stay_in_the_range() {
    check(
        r#"#define id(x) x
ab\
cd id(e\
f)
"#,
        expect![[r#"
        abcd <- Typed `ab\
        cd` 0:16..22
        ef <- Typed `e\
        f` 0:26..30 <- Argument(0) of id <- Body of id <- `id(e\
        f)`
    "#]],
    );
}

#[test]
fn pragmas_have_their_place() {
    check(
        r#"#define U _Pragma("unroll")
U for
#pragma unroll
while
"#,
        expect![[r#"
        unroll <- MacroBody `_Pragma` 0:10..17 <- Body of U <- `U`
        for <- Typed `for` 0:30..33
        unroll <- Typed `pragma` 0:35..41
        while <- Typed `while` 0:49..54
    "#]],
    );
}

#[test]
fn calls_that_end_in_the_file() {
    check(
        r#"#define f(x) [x]
#define g f
g (1) 2
"#,
        expect![[r#"
            [ <- MacroBody `[` 0:13..14 <- Body of f <- Body of g <- `g (1)`
            1 <- Typed `1` 0:32..33 <- Argument(0) of f <- Body of f <- Body of g <- `g (1)`
            ] <- MacroBody `]` 0:15..16 <- Body of f <- Body of g <- `g (1)`
            2 <- Typed `2` 0:35..36
        "#]],
    );
}

#[test]
fn files_included_twice() {
    check(
        r#"// file: main.metal
#include "x.h"
#include "x.h"
// file: x.h
#ifdef M
M
#else
#define M x
#endif
"#,
        expect![[r#"
            x <- MacroBody `x` 1:27..28 <- Body of M <- `M` included at 0:15
        "#]],
    );
}

#[test]
fn all_occurrences_of_a_place() {
    let text = r#"#define thrice(x) x x x##_t
thrice(y) y
"#;
    let unit = Files::single(text).preprocess();
    let file = FileId(0);
    let at = |needle: &str| -> Vec<String> {
        let offset = text.find(needle).expect("the text has it") as u32;
        let tokens = unit.spelled_to_expanded().tokens_at(file, offset);
        tokens.map(|token| format!("{token}:{}", unit.tokens[token as usize].text())).collect()
    };
    assert_eq!(at("y) y"), ["0:y", "1:y", "2:y_t"]);
    assert_eq!(at("y\n"), ["3:y"]);
    assert_eq!(at("_t"), ["2:y_t"]);
    assert_eq!(at("thrice(y)"), [""; 0]);
    let line: Vec<u32> = unit.spelled_to_expanded().tokens_in(file, 28..text.len() as u32).collect();
    assert_eq!(line, [0, 1, 2, 3]);
}

#[test]
fn tokens_of_one_expansion() {
    let text = r#"#define f(x) x + 1
a f(b) f(c)
"#;
    let unit = Files::single(text).preprocess();
    let base = unit.map.file_entries(FileId(0)).next().expect("the file was entered").0;
    let tokens = |offset: usize| unit.tokens_of_expansion(msl_preproc::Origin(base + offset as u32));
    assert_eq!(tokens(text.find("f(b)").expect("the text has it")), 1..4);
    assert_eq!(tokens(text.find("f(c)").expect("the text has it")), 4..7);
    assert_eq!(tokens(text.find("a f").expect("the text has it")), 0..0);
}

#[test]
fn library_macros_are_shared() {
    let library = Files::single(
        r#"#define METAL_FUNC inline
#define M_PI_H 3.14h
#define max3(a, b, c) max(a, max(b, c))
#undef __FAST_MATH__
"#,
    )
    .preprocess();
    let mut files = Files::single(
        r#"METAL_FUNC half x = M_PI_H; __METAL_VERSION__ __FAST_MATH__
#undef M_PI_H
#define METAL_FUNC 1
M_PI_H METAL_FUNC max3(1, 2, 3)
"#,
    );
    files.options.version = msl_preproc::LanguageVersion::new(2, 0, msl_preproc::Platform::Ios);
    files.options.library_macros = Some(library.macro_table.clone());
    let unit = files.preprocess();
    expect![[r#"
        inline half x = 3.14h; 200 __FAST_MATH__
        M_PI_H 1 max(1, max(2, 3))
        0:82..92 Warning: macro `METAL_FUNC` is defined anew with a different meaning
            0:8..18 the definition so far is here
    "#]]
    .assert_eq(&(expanded_text(&unit) + &report(&unit)));
    let own: Vec<_> = unit.macro_table.own().map(|definition| definition.name.as_str()).collect();
    assert_eq!(own, ["METAL_FUNC"]);
    assert!(unit.macro_table.iter().any(|definition| definition.name.as_str() == "max3"));
    assert!(unit.macro_table.iter().all(|definition| definition.name.as_str() != "M_PI_H"));
}

#[test]
fn references_for_editors() {
    let text = r#"#define A 1
#ifdef A
#endif
#if defined(A) && defined B
#endif
A
#undef A
"#;
    let unit = Files::single(text).preprocess();
    let shown: Vec<String> = unit
        .macros
        .references
        .iter()
        .filter(|reference| unit.map.file_offset(reference.origin).is_some_and(|(file, _)| file.is_real()))
        .map(|reference| {
            let (_, range) = unit.map.spelled_range(reference.origin);
            format!("{} {:?} {range:?} {:?}", reference.name, reference.kind, reference.definition.is_some())
        })
        .collect();
    expect![[r#"
        A Define 8..9 true
        A Test 19..20 true
        A Test 40..41 true
        B Test 54..55 false
        A Undef 72..73 true"#]]
    .assert_eq(&shown.join("\n"));
    assert_eq!(unit.map.expansions().len(), 1);
}

#[test]
fn results_go_between_threads() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Preprocessed>();
    is_shared::<msl_preproc::Options>();
    let library = Files::single("#define LIBRARY(x) library x\n").preprocess();
    let texts: Vec<String> = std::thread::scope(|scope| {
        let start = |number: usize| {
            let macros = library.macro_table.clone();
            scope.spawn(move || {
                let mut files = Files::single("LIBRARY(1) __METAL_VERSION__\n");
                files.options.library_macros = Some(macros);
                files.options.version =
                    msl_preproc::LanguageVersion::parse(["metal3.1", "metal4.1"][number % 2]).unwrap();
                expanded_text(&files.preprocess())
            })
        };
        let handles: Vec<_> = (0..4).map(start).collect();
        handles.into_iter().map(|handle| handle.join().unwrap()).collect()
    });
    assert_eq!(texts, ["library 1 310\n", "library 1 410\n", "library 1 310\n", "library 1 410\n"]);
}

#[test]
fn lexed_headers_are_shared_while_their_text_stays() {
    use std::sync::Arc;
    let cache = Arc::new(msl_preproc::HeaderCache::new());
    let mut files = Files::fixture("// file: main.metal\n#include \"a.h\"\n// file: a.h\na\n");
    files.options.header_cache = Some(Arc::clone(&cache));
    assert_eq!(expanded_text(&files.preprocess()), "a\n");
    assert_eq!(expanded_text(&files.preprocess()), "a\n");
    let text: Arc<[u8]> = b"b".as_slice().into();
    let first = cache.lex(FileId(1), &text);
    assert!(Arc::ptr_eq(&first, &cache.lex(FileId(1), &text)));
    let changed: Arc<[u8]> = b"c".as_slice().into();
    assert!(!Arc::ptr_eq(&first, &cache.lex(FileId(1), &changed)));
    assert_eq!(expanded_text(&files.preprocess()), "a\n");
}
