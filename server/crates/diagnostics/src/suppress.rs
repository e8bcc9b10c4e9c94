//! Comments that silence findings: `// msl-analyzer: allow(code, group)` and `// msl-analyzer: allow-file(code)`.
//!
//! * `allow` behind code on its line covers that line; alone on a line it covers the next line that holds more than
//!   a comment.
//! * `allow-file` covers the whole file, wherever it stands.
//! * Text after the closing parenthesis is the author's reason and is not read.
//!
//! Only comments count, not strings that look like one, so the scan walks over literals. It looks at raw text,
//! because a comment is no token.

use crate::{Code, Diagnostic, Fix, FixKind, Group, Place, Severity, TextEdit, TextRange};

const MARKER: &[u8] = b"msl-analyzer:";

/// One name in one silencing comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allow {
    pub what: AllowWhat,
    /// Where the name stands.
    pub range: TextRange,
    /// What goes when the name goes: the name with a comma, or the whole comment if it names nothing else.
    pub removal: TextRange,
    pub scope: AllowScope,
    /// Whether it has silenced something.
    pub used: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AllowWhat {
    Code(Code),
    Group(Group),
    /// Neither a code nor a group; it silences nothing.
    Unknown(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllowScope {
    File,
    /// A line, as the byte range from its first byte to its line end.
    Line(TextRange),
}

/// The silencing comments of one file.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Suppressions {
    pub allows: Vec<Allow>,
}

impl Suppressions {
    /// Reads the comments of a file.
    pub fn scan(text: &[u8]) -> Suppressions {
        let mut allows = Vec::new();
        if !contains(text, MARKER) {
            return Suppressions::default();
        }
        for_each_comment(text, |range| {
            let comment = &text[range.start as usize..range.end as usize];
            if let Some(at) = find(comment, MARKER) {
                read_marker(text, range, range.start as usize + at + MARKER.len(), &mut allows);
            }
        });
        Suppressions { allows }
    }

    /// Whether a finding of this file is silenced; marks what silences it as used.
    pub fn silences(&mut self, code: Code, offset: u32) -> bool {
        let mut silenced = false;
        for allow in &mut self.allows {
            let names_it = match &allow.what {
                AllowWhat::Code(allowed) => *allowed == code,
                AllowWhat::Group(group) => *group == code.group(),
                AllowWhat::Unknown(_) => false,
            };
            let covers_it = match allow.scope {
                AllowScope::File => true,
                AllowScope::Line(line) => line.touches(offset),
            };
            if names_it && covers_it {
                allow.used = true;
                silenced = true;
            }
        }
        silenced
    }

    /// The findings about comments that silenced nothing. `is_on` says which codes are reported at all: what is
    /// off anyway is not missed.
    pub fn unused(&self, path: &std::sync::Arc<str>, is_on: impl Fn(Code) -> bool) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for allow in self.allows.iter().filter(|allow| !allow.used) {
            let message = match &allow.what {
                AllowWhat::Unknown(name) => format!("`{name}` is neither a diagnostic code nor a group of codes"),
                AllowWhat::Code(code) if is_on(*code) => {
                    format!("nothing here reports `{code}`; remove this `allow`")
                }
                AllowWhat::Group(group) if Code::ALL.iter().any(|code| code.group() == *group && is_on(*code)) => {
                    format!("nothing here reports a finding of the group `{}`; remove this `allow`", group.as_str())
                }
                AllowWhat::Code(_) | AllowWhat::Group(_) => continue,
            };
            let place = Place { path: path.clone(), range: allow.range };
            let mut finding = Diagnostic::new(Code::UnusedAllow, Severity::Warning, place, message);
            if !matches!(allow.what, AllowWhat::Unknown(_)) {
                let place = Place { path: path.clone(), range: allow.removal };
                let edits = vec![TextEdit { place, new_text: String::new() }];
                // Another unit or version may need it.
                let title = "Remove it".to_owned();
                finding.fixes.push(Fix { title, kind: FixKind::QuickFix, preferred: false, edits });
            }
            found.push(finding);
        }
        found
    }
}

/// Reads `allow(a, b)` or `allow-file(a)` at `at`.
fn read_marker(text: &[u8], comment: TextRange, at: usize, allows: &mut Vec<Allow>) {
    let end = comment.end as usize;
    let skip_spaces = |mut at: usize| {
        while at < end && text[at].is_ascii_whitespace() {
            at += 1;
        }
        at
    };
    let word_start = skip_spaces(at);
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"-.".contains(&byte);
    let word_end = (word_start..end).find(|&at| !is_word(text[at])).unwrap_or(end);
    let scope = match &text[word_start..word_end] {
        b"allow-file" => AllowScope::File,
        b"allow" => AllowScope::Line(covered_line(text, comment)),
        _ => return,
    };
    let open = skip_spaces(word_end);
    if text.get(open) != Some(&b'(') || open >= end {
        return;
    }
    let close = (open..end).find(|&at| text[at] == b')').unwrap_or(end);
    let mut at = open + 1;
    let first = allows.len();
    while at < close {
        at = skip_spaces(at);
        let name_end = (at..close).find(|&at| !is_word(text[at])).unwrap_or(close);
        if name_end == at {
            at += 1;
            continue;
        }
        let name = String::from_utf8_lossy(&text[at..name_end]).into_owned();
        let what = match (Code::parse(&name), Group::parse(&name)) {
            (Some(code), _) => AllowWhat::Code(code),
            (None, Some(group)) => AllowWhat::Group(group),
            (None, None) => AllowWhat::Unknown(name),
        };
        let range = TextRange::new(at as u32, name_end as u32);
        allows.push(Allow { what, range, removal: range, scope, used: false });
        at = name_end;
    }
    set_removals(text, comment, &mut allows[first..]);
}

/// Says what goes with each name of one comment.
fn set_removals(text: &[u8], comment: TextRange, names: &mut [Allow]) {
    if let [only] = names {
        only.removal = comment;
        let (start, end) = (comment.start as usize, comment.end as usize);
        let blanks = text[..start].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let is_first = start == blanks || text[start - blanks - 1] == b'\n';
        let behind = text[end..].iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        match text.get(end + behind) {
            Some(b'\n') if is_first => {
                only.removal = TextRange::new((start - blanks) as u32, (end + behind + 1) as u32);
            }
            // Code stays in front of it, or behind it.
            Some(b'\n') | None => only.removal.start -= blanks as u32,
            Some(_) => only.removal.end += behind as u32,
        }
        return;
    }
    let ranges: Vec<TextRange> = names.iter().map(|name| name.range).collect();
    for (number, name) in names.iter_mut().enumerate() {
        name.removal = match ranges.get(number + 1) {
            Some(next) => TextRange::new(name.range.start, next.start),
            None => TextRange::new(ranges[number - 1].end, name.range.end),
        };
    }
}

/// The line that an `allow` comment covers.
fn covered_line(text: &[u8], comment: TextRange) -> TextRange {
    let line_of = |at: usize| {
        let start = text[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let end = text[at..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |newline| at + newline);
        (start, end)
    };
    let (start, end) = line_of(comment.start as usize);
    if text[start..comment.start as usize].iter().any(|byte| !byte.is_ascii_whitespace()) {
        return TextRange::new(start as u32, end as u32);
    }
    // Alone on its line (a block comment may have code behind it).
    let mut at = comment.end as usize;
    loop {
        let (_, end) = line_of(at);
        let rest = text[at..end].trim_ascii();
        let is_comment = rest.starts_with(b"//") || (rest.starts_with(b"/*") && rest.ends_with(b"*/"));
        if !(rest.is_empty() || is_comment) || end == text.len() {
            return TextRange::new(at as u32, end as u32);
        }
        at = end + 1;
    }
}

/// Calls `found` with the range of each comment.
fn for_each_comment(text: &[u8], mut found: impl FnMut(TextRange)) {
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'/' if text.get(at + 1) == Some(&b'/') => {
                let start = at;
                while at < text.len() && text[at] != b'\n' {
                    at += 1;
                }
                found(TextRange::new(start as u32, at as u32));
            }
            b'/' if text.get(at + 1) == Some(&b'*') => {
                let start = at;
                at = find(&text[at + 2..], b"*/").map_or(text.len(), |end| at + 2 + end + 2);
                found(TextRange::new(start as u32, at as u32));
            }
            quote @ (b'"' | b'\'') => {
                at += 1;
                // A literal ends with its line at the latest; an apostrophe may also be a digit separator.
                while at < text.len() && text[at] != quote && text[at] != b'\n' {
                    at += if text[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            _ => at += 1,
        }
    }
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    find(haystack, needle).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
// msl-analyzer: allow-file(abi)
int a; // msl-analyzer: allow(type-mismatch, syntax-error) because
  // msl-analyzer: allow(resource-index)

  // Another comment.
int b;
const char *s = \"// msl-analyzer: allow(type-mismatch)\"; int c;
/* msl-analyzer: allow(nonsense) */ int d;
";

    fn offset(of: &str) -> u32 {
        TEXT.find(of).unwrap() as u32
    }

    #[test]
    fn comments_cover_their_line_the_next_or_the_file() {
        let mut all = Suppressions::scan(TEXT.as_bytes());
        assert!(all.silences(Code::AbiVersionMismatch, 0));
        assert!(all.silences(Code::TypeMismatch, offset("int a")));
        assert!(all.silences(Code::ResourceIndex, offset("int b")));
        assert!(!all.silences(Code::TypeMismatch, offset("int c")));
        assert!(!all.silences(Code::ResourceIndex, offset("int a")));

        let unused = all.unused(&"a.metal".into(), |_| true);
        let seen: Vec<_> = unused.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(
            seen,
            [
                "nothing here reports `syntax-error`; remove this `allow`",
                "`nonsense` is neither a diagnostic code nor a group of codes"
            ]
        );
    }

    #[test]
    fn what_silences_nothing_can_go() {
        let after = |text: &str| {
            let path: std::sync::Arc<str> = "a.metal".into();
            let found = Suppressions::scan(text.as_bytes()).unused(&path, |_| true);
            let results = found.iter().map(|finding| {
                let range = finding.fixes[0].edits[0].place.range;
                format!("{}{}", &text[..range.start as usize], &text[range.end as usize..])
            });
            results.collect::<Vec<_>>()
        };
        assert_eq!(after("a; // msl-analyzer: allow(abi) because\nb;\n"), ["a;\nb;\n"]);
        assert_eq!(after("    // msl-analyzer: allow(abi)\nb;\n"), ["b;\n"]);
        assert_eq!(after("/* msl-analyzer: allow(abi) */ b;\n"), ["b;\n"]);
        assert_eq!(
            after("a; // msl-analyzer: allow(abi, recursion)"),
            ["a; // msl-analyzer: allow(recursion)", "a; // msl-analyzer: allow(abi)"]
        );
    }

    #[test]
    fn broken_comments_do_no_harm() {
        for text in ["// msl-analyzer: allow(", "/* msl-analyzer:", "// msl-analyzer: allow", "\"\\", "'", "//"] {
            assert_eq!(Suppressions::scan(text.as_bytes()), Suppressions::default(), "{text}");
        }
        assert_eq!(Suppressions::scan(b"// msl-analyzer: allow(abi").allows.len(), 1);
    }
}
