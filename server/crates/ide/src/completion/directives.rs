//! Lines that begin with `#`: the names of directives, and of headers behind `#include`.

use std::sync::Arc;

use msl_builtins::Visibility;
use msl_diagnostics::TextRange;

use super::{CompletionItem, CompletionKind, Completions, IncludePrefix};
use crate::view::View;

/// Directives with what follows them (MSL spec §1.6.3 and the C++ preprocessor).
const DIRECTIVES: &[(&str, &str)] = &[
    ("define", "define ${1:NAME} $0"),
    ("elif", "elif ${1:condition}"),
    ("else", "else"),
    ("endif", "endif"),
    ("error", "error ${1:message}"),
    ("if", "if ${1:condition}\n$0\n#endif"),
    ("ifdef", "ifdef ${1:NAME}\n$0\n#endif"),
    ("ifndef", "ifndef ${1:NAME}\n$0\n#endif"),
    ("include", "include $0"),
    ("include <metal_stdlib>", "include <metal_stdlib>\nusing namespace metal;\n$0"),
    ("line", "line ${1:number}"),
    ("pragma METAL", "pragma METAL $0"),
    ("pragma once", "pragma once"),
    ("pragma unroll", "pragma unroll"),
    ("undef", "undef ${1:NAME}"),
    ("warning", "warning ${1:message}"),
];

/// What could stand on a line of the preprocessor; `None` if the cursor is on no such line, or further back on it.
pub(super) fn directive(view: &View<'_>, path: &Arc<str>, offset: u32) -> Option<Completions> {
    let text = view.text(path)?;
    let offset = (offset as usize).min(text.len());
    let start = text[..offset].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    let line = str::from_utf8(&text[start..offset]).ok()?;
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let of_include = rest.strip_prefix("include").or_else(|| rest.strip_prefix("import")).map(str::trim_start);
    match of_include.filter(|rest| rest.starts_with(['<', '"'])) {
        Some(rest) => Some(include(view, rest, offset)),
        None if rest.bytes().all(|byte| byte.is_ascii_alphabetic()) => Some(names(rest, offset)),
        None => None,
    }
}

fn names(typed: &str, offset: usize) -> Completions {
    let items = DIRECTIVES.iter().filter(|(name, _)| name.starts_with(typed)).map(|&(name, snippet)| CompletionItem {
        label: name.to_owned(),
        kind: CompletionKind::Keyword,
        detail: String::new(),
        snippet: Some(snippet.to_owned()),
        documentation: None,
        library: None,
        rank: 0,
    });
    let replaced = TextRange::new((offset - typed.len()) as u32, offset as u32);
    Completions { replaced, items: items.collect(), ..Completions::default() }
}

/// Names of headers; `rest` begins with the bracket or quotation mark.
fn include(view: &View<'_>, rest: &str, offset: usize) -> Completions {
    let is_angled = rest.starts_with('<');
    let typed = &rest[1..];
    if typed.contains(['>', '"']) {
        return Completions::default();
    }
    let version = view.env.version;
    let exists = |since: &str| msl_builtins::Since::parse(since).is_none_or(|since| since.includes(version));
    let of_library = |visibility| match visibility {
        Visibility::Stdlib | Visibility::Library => "Metal's library",
        Visibility::Framework => "a framework of Apple",
    };
    let names = msl_builtins::headers()
        .map(msl_builtins::HeaderId::header)
        .filter(|it| exists(it.since))
        .map(|it| (it.name, of_library(it.visibility)));
    let all = std::iter::once(("metal_stdlib", "Metal's library")).chain(names);
    let items = all.filter(|(name, _)| name.starts_with(typed)).map(|(name, detail)| CompletionItem {
        label: name.to_owned(),
        kind: CompletionKind::Header,
        detail: detail.to_owned(),
        snippet: None,
        documentation: None,
        library: None,
        rank: 1,
    });
    let replaced = TextRange::new((offset - typed.len()) as u32, offset as u32);
    let include = Some(IncludePrefix { typed: typed.to_owned(), is_angled });
    Completions { replaced, items: items.collect(), include, ..Completions::default() }
}
