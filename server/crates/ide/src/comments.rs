//! The comment that documents a declaration: the one right above it.

use std::ops::Range;

use msl_diagnostics::TextRange;

/// The text of the comment that ends on the line above `offset`, without its delimiters; `None` if there is none.
///
/// Both `//` lines and `/* */` blocks count, because few authors of shaders write `///`. A line without letters or digits
/// is a ruler and does not count. What is taken for documentation never exceeds the comment; its Markdown is kept.
pub(crate) fn documentation(text: &[u8], offset: u32) -> Option<String> {
    let mut lines = Vec::new();
    let offset = (offset as usize).min(text.len());
    let mut end = line_start(text, offset);
    // Another declaration begins on the line, and the comment is that one's.
    if text[end..offset].iter().any(|byte| b";{}(,".contains(byte)) {
        return None;
    }
    while let Some(line) = line_before(text, end) {
        let content = trimmed(&text[line.clone()]);
        if content.starts_with("//") {
            lines.push(
                content
                    .trim_start_matches('/')
                    .trim_start_matches('!')
                    .strip_prefix('<')
                    .unwrap_or(content.trim_start_matches('/').trim_start_matches('!'))
                    .to_owned(),
            );
            end = line.start;
        } else if content.ends_with("*/") && lines.is_empty() {
            return block(text, line.end);
        } else {
            break;
        }
    }
    lines.reverse();
    finish(lines.iter().map(String::as_str))
}

/// The text of the `//` comment that follows on the same line: what authors of structures write behind a member.
pub(crate) fn behind(text: &[u8], end: u32) -> Option<String> {
    let rest = text.get(end as usize..)?;
    let line = &rest[..rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())];
    let content = trimmed(line).trim_start_matches([';', ',']).trim_start().strip_prefix("//")?;
    let content = content.trim_start_matches('/').trim_start_matches('!');
    finish(std::iter::once(content.strip_prefix('<').unwrap_or(content)))
}

/// A comment with the commands of documentation generators (`\\param x`, `@return`) as Markdown.
pub(crate) fn as_markdown(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| command(line).unwrap_or_else(|| line.to_owned())).collect();
    lines.join("\n")
}

/// What the comment of a function says about one of its parameters.
pub(crate) fn of_parameter(text: &str, name: &str) -> Option<String> {
    let start = format!("- `{name}`: ");
    let mut lines = text.lines().skip_while(|line| !command(line).is_some_and(|line| line.starts_with(&start)));
    let first = command(lines.next()?)?;
    let rest = lines.take_while(|line| !line.trim().is_empty() && command(line).is_none());
    let words: Vec<&str> = std::iter::once(&first[start.len()..]).chain(rest.map(str::trim)).collect();
    Some(words.join(" ")).filter(|text| !text.is_empty())
}

/// A line that begins with a command, without it.
fn command(line: &str) -> Option<String> {
    let rest = line.trim_start().strip_prefix(['\\', '@'])?;
    let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    let (word, rest) = rest.split_at(end);
    let rest = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')).map_or(rest, |(_, rest)| rest).trim();
    let named = || {
        let (name, what) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        (!name.is_empty()).then(|| format!("- `{name}`: {}", what.trim()))
    };
    match word {
        "param" | "tparam" => named(),
        "return" | "returns" | "result" => Some(format!("\nReturns {rest}")),
        "brief" | "short" | "details" => Some(rest.to_owned()),
        "note" | "warning" | "attention" | "remark" => {
            let (first, others) = word.split_at(1);
            Some(format!("\n**{}{others}**: {rest}", first.to_ascii_uppercase()))
        }
        "see" | "sa" => Some(format!("\nSee {rest}")),
        _ => None,
    }
}

/// The lines of the comment that ends on the line above `start`, the start of a line: from the start of its first line to
/// `start`.
pub(crate) fn range_above(text: &[u8], start: u32) -> Option<TextRange> {
    let start = start as usize;
    let mut at = start;
    while let Some(line) = line_before(text, at) {
        let content = trimmed(&text[line.clone()]);
        if content.starts_with("//") {
            at = line.start;
        } else if content.ends_with("*/") && at == start {
            let open = text[..line.end].windows(2).rposition(|pair| pair == b"/*")?;
            let first = line_start(text, open);
            // Code before the comment is not part of it.
            return text[first..open].trim_ascii().is_empty().then(|| TextRange::new(first as u32, start as u32));
        } else {
            break;
        }
    }
    (at < start).then(|| TextRange::new(at as u32, start as u32))
}

/// The block comment that ends at `end`.
fn block(text: &[u8], end: usize) -> Option<String> {
    let text = String::from_utf8_lossy(&text[..end]);
    let text = text.trim_end();
    let start = text.rfind("/*")?;
    let inside = text.get(start + 2..text.len() - 2)?;
    let lines = inside.lines().map(|line| {
        let line = line.trim();
        line.strip_prefix('*').or_else(|| line.strip_prefix('!')).unwrap_or(line)
    });
    finish(lines)
}

fn finish<'a>(lines: impl Iterator<Item = &'a str>) -> Option<String> {
    let lines: Vec<&str> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end()).collect();
    let says_something = |line: &&str| line.is_empty() || line.chars().any(char::is_alphanumeric);
    let kept: Vec<&str> = lines.into_iter().filter(says_something).collect();
    let text = kept.join("\n").trim().to_owned();
    (!text.is_empty()).then_some(text)
}

fn line_start(text: &[u8], offset: usize) -> usize {
    text[..offset].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1)
}

/// The line that ends right before `start`, a line's start.
fn line_before(text: &[u8], start: usize) -> Option<Range<usize>> {
    let end = start.checked_sub(1)?;
    Some(line_start(text, end)..end)
}

fn trimmed(line: &[u8]) -> &str {
    str::from_utf8(line).unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::{as_markdown, behind, documentation, of_parameter};

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let offset = text.find('$').expect("a place");
        assert_eq!(documentation(text.as_bytes(), offset as u32).as_deref(), expected);
    }

    #[test]
    fn comments_above() {
        check("// One.\n$", Some("One."));
        check("int a;\n/// One.\n///\n///   two\n  $", Some("One.\n\n  two"));
        check("/**\n * One.\n *  - two\n */\n$", Some("One.\n - two"));
        check("/* One. */\n$", Some("One."));
        check("//=====\n// One.\n//-----\n$", Some("One."));
    }

    #[test]
    fn of_an_earlier_declaration_on_the_line() {
        check("// One.\nstruct S { $int a; };", None);
        check("// One.\nvoid f($int a);", None);
        check("// One.\nEXPORT $void f();", Some("One."));
    }

    #[test]
    fn comments_behind() {
        assert_eq!(behind(b"int a; ///< one\nint b;", 5).as_deref(), Some("one"));
        assert_eq!(behind(b"a = 1, // one", 5).as_deref(), Some("one"));
        assert_eq!(behind(b"int a; int b; // one", 5), None);
    }

    #[test]
    fn commands() {
        let text = "@brief Sums.\n\\param[in] v values\n@tparam T type\n@return the sum\n\\note slow\n@other x";
        let markdown = "Sums.\n- `v`: values\n- `T`: type\n\nReturns the sum\n\n**Note**: slow\n@other x";
        assert_eq!(as_markdown(text), markdown);
        assert_eq!(of_parameter("Sums.\n@param a one\n  and more\n@param b two", "a").as_deref(), Some("one and more"));
        assert_eq!(of_parameter("Sums.\n@param a one", "v"), None);
    }

    #[test]
    fn what_is_not_right_above_says_nothing() {
        check("// One.\n\n$", None);
        check("int a; // one\n$", None);
        check("//-----\n$", None);
        check("$", None);
    }
}
