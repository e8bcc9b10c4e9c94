//! The comment that documents a declaration: the one right above it.

use std::ops::Range;

use msl_diagnostics::TextRange;

/// The text of the comment that ends on the line above `offset`, without its delimiters; `None` if there is none.
///
/// Both `//` lines and `/* */` blocks count, because few authors of shaders write `///`. A line without letters or digits
/// is a ruler and does not count. What is taken for documentation never exceeds the comment; its Markdown is kept.
pub(crate) fn documentation(text: &[u8], offset: u32) -> Option<String> {
    let mut lines = Vec::new();
    let mut end = line_start(text, (offset as usize).min(text.len()));
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
    use super::documentation;

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
    fn what_is_not_right_above_says_nothing() {
        check("// One.\n\n$", None);
        check("int a; // one\n$", None);
        check("//-----\n$", None);
        check("$", None);
    }
}
