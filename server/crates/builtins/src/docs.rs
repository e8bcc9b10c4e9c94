//! Finds the description of a declaration in the raw text of its header.
//!
//! Descriptions are `///` lines above a declaration; they cover the whole family, up to the next blank line
//! (`DIALECT.md`). Only lines that are indented as the declaration is count: deeper ones belong to what stands inside
//! a neighbour.

/// The description that covers the declaration or `#define` whose first token is at `offset`.
pub(crate) fn description(text: &str, offset: usize) -> Option<String> {
    let mut lines = family_above(text, offset).skip_while(|line| !line.starts_with("///"));
    let mut block: Vec<&str> = Vec::new();
    for line in lines.by_ref() {
        match line.strip_prefix("///") {
            Some(line) => block.push(line.strip_prefix(' ').unwrap_or(line)),
            None => break,
        }
    }
    block.reverse();
    (!block.is_empty()).then(|| block.join("\n"))
}

/// The argument of the `//! since("…")` line that covers the `#define` at `offset`.
pub(crate) fn macro_since(text: &str, offset: usize) -> Option<&str> {
    family_above(text, offset).find_map(|line| line.strip_prefix("//! since(\"")?.strip_suffix("\")"))
}

/// The argument of the `//! platform("…")` line that covers the `#define` at `offset`.
pub(crate) fn macro_platform(text: &str, offset: usize) -> Option<&str> {
    family_above(text, offset).find_map(|line| line.strip_prefix("//! platform(\"")?.strip_suffix("\")"))
}

/// The lines above the line of `offset` that belong to its family, from below, without their indentation.
fn family_above(text: &str, offset: usize) -> impl Iterator<Item = &str> {
    let above = text.get(..offset).unwrap_or_default();
    let line_start = above.rfind('\n').map_or(0, |newline| newline + 1);
    let indent = indentation(&text[line_start..]);
    text[..line_start]
        .lines()
        .rev()
        .take_while(move |line| {
            let opens_namespace = line.starts_with("namespace ") && line.ends_with('{');
            !line.trim().is_empty() && indentation(line) >= indent && !opens_namespace
        })
        .filter(move |line| indentation(line) == indent)
        .map(str::trim)
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
//! A header.

namespace metal {
int first;

/// The sine.
/// In radians.
template <typename T> T sin(T x);
namespace fast { template <typename T> T sin(T x); }

/// A structure.
struct S {
    int undescribed;
    /// A member.
    int member;
};
struct T {
    int other;
};

/// A constant.
//! since(\"3.1\")
#define ONE 1
#define TWO 2
";

    fn of(what: &str) -> Option<String> {
        description(TEXT, TEXT.find(what).unwrap())
    }

    #[test]
    fn families() {
        assert_eq!(of("int first"), None);
        assert_eq!(of("template").as_deref(), Some("The sine.\nIn radians."));
        assert_eq!(of("T sin(T x); }").as_deref(), Some("The sine.\nIn radians."));
        assert_eq!(of("struct S").as_deref(), Some("A structure."));
        assert_eq!(of("int undescribed"), None);
        assert_eq!(of("int member").as_deref(), Some("A member."));
        assert_eq!(of("struct T").as_deref(), Some("A structure."));
        assert_eq!(of("int other"), None);
        assert_eq!(of("#define TWO").as_deref(), Some("A constant."));
        assert_eq!(macro_since(TEXT, TEXT.find("#define TWO").unwrap()), Some("3.1"));
        assert_eq!(macro_since(TEXT, TEXT.find("struct S").unwrap()), None);
    }
}
