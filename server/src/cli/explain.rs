//! `explain`: the documentation of a diagnostic, or the list of all of them.

use std::io::Write;

use anstream::AutoStream;
use anstyle::Style;
use msl_diagnostics::Code;

use super::{Status, arguments::ExplainArguments, complain};

include!(concat!(env!("OUT_DIR"), "/diagnostic_pages.rs"));

/// The documentation page of a diagnostic.
fn page(code: &str) -> Option<&'static str> {
    PAGES.iter().find(|(name, _)| *name == code).map(|(_, text)| *text)
}

pub(crate) fn run(arguments: &ExplainArguments) -> Status {
    let mut out = AutoStream::new(std::io::stdout().lock(), arguments.color.for_stream());
    let Some(name) = &arguments.code else {
        list(&mut out);
        return Status::Clean;
    };
    let Some(code) = Code::parse(name) else {
        let near = Code::ALL.iter().min_by_key(|code| distance(name, code.as_str()));
        match near.filter(|code| distance(name, code.as_str()) <= name.len() / 3) {
            Some(near) => complain(format!("there is no diagnostic `{name}`; did you mean `{near}`?")),
            None => complain(format!("there is no diagnostic `{name}`; `msl-analyzer explain` lists them")),
        }
        return Status::Usage;
    };
    match page(code.as_str()) {
        Some(page) => print_page(&mut out, page),
        None => {
            let _ = writeln!(out, "{code}: {}", code.summary());
        }
    }
    Status::Clean
}

fn list(out: &mut impl Write) {
    let strong = Style::new().bold();
    for &code in Code::ALL {
        let default = code.default_severity().map_or("off", |severity| severity.as_str());
        let _ = writeln!(
            out,
            "{strong}{:32}{strong:#} {:16} {default:11}  {}",
            code.as_str(),
            code.group().as_str(),
            code.summary()
        );
    }
}

/// Prints Markdown for a terminal: headings and code stand out, everything else is text already.
fn print_page(out: &mut impl Write, page: &str) {
    let heading = Style::new().bold();
    let code = anstyle::AnsiColor::Cyan.on_default();
    let mut in_code = false;
    for line in page.lines() {
        if line.starts_with("```") {
            in_code = !in_code;
            continue;
        }
        let _ = if in_code {
            writeln!(out, "    {code}{line}{code:#}")
        } else if let Some(title) = line.strip_prefix('#') {
            writeln!(out, "{heading}{}{heading:#}", title.trim_start_matches('#').trim())
        } else {
            writeln!(out, "{line}")
        };
    }
}

/// Edit distance, for the suggestion.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &to) in b.iter().enumerate() {
            let change = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(distance("generic-to-concret", "generic-to-concrete"), 1);
        assert_eq!(distance("", "abc"), 3);
    }

    /// Codes that nothing reports yet, and so have no page.
    const LATER: &[Code] = &[
        Code::GenericPointerInHotLoop,
        Code::UnresolvedGenericPointer,
        Code::InvalidAddressSpaceCast,
        Code::UncheckedAddrspaceCast,
        Code::ConstantAddressSpaceTest,
        Code::UnannotatedMemberFunction,
        Code::BecomesGenericIn41,
        Code::BreaksIn41,
        Code::ConsolidatableOverloads,
    ];

    #[test]
    fn every_code_has_a_page_that_names_it() {
        for code in Code::ALL {
            match page(code.as_str()) {
                Some(page) => assert!(page.starts_with(&format!("# {code}\n")), "docs/diagnostics/{code}.md"),
                None => assert!(LATER.contains(code), "docs/diagnostics/{code}.md is missing"),
            }
        }
        for (name, _) in PAGES {
            assert!(Code::parse(name).is_some(), "docs/diagnostics/{name}.md is about no code");
        }
    }
}
