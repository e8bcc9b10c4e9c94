//! The syntax of CMake files: a list of commands with arguments.

use crate::{
    text::{Origin, Text},
    tree::SourceFile,
};

/// A file has at most so many commands.
const MAX_COMMANDS: usize = 100_000;

/// A command as it is written.
#[derive(Clone, Debug)]
pub(crate) struct Invocation {
    /// In lower case: names are not case sensitive.
    pub(crate) name: String,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) at: Origin,
}

/// An argument before variables are filled in.
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    pub(crate) text: Text,
    pub(crate) kind: ArgumentKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArgumentKind {
    Bare,
    Quoted,
    /// `[[…]]`: nothing in it is expanded.
    Bracket,
    /// A parenthesis inside a command: conditions have them.
    Parenthesis,
}

/// The commands of a file.
pub(crate) fn parse(file: &SourceFile) -> Vec<Invocation> {
    let bytes = file.text.as_bytes();
    let mut commands = Vec::new();
    let mut at = 0;
    while at < bytes.len() && commands.len() < MAX_COMMANDS {
        at = skip_blank(bytes, at);
        let start = at;
        while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
            at += 1;
        }
        if start == at {
            at += 1;
            continue;
        }
        let name = file.text[start..at].to_ascii_lowercase();
        let origin = Origin::new(file.id, start, at);
        let open = skip_blank(bytes, at);
        if bytes.get(open) != Some(&b'(') {
            continue;
        }
        at = open + 1;
        let mut arguments = Vec::new();
        let mut depth = 1;
        while depth > 0 && at < bytes.len() {
            at = skip_blank(bytes, at);
            match bytes.get(at) {
                None => break,
                Some(b'(') => {
                    depth += 1;
                    arguments.push(Argument { text: file.slice(at..at + 1), kind: ArgumentKind::Parenthesis });
                    at += 1;
                }
                Some(b')') => {
                    depth -= 1;
                    if depth > 0 {
                        arguments.push(Argument { text: file.slice(at..at + 1), kind: ArgumentKind::Parenthesis });
                    }
                    at += 1;
                }
                Some(b'"') => {
                    let (text, end) = quoted(file, at);
                    arguments.push(Argument { text, kind: ArgumentKind::Quoted });
                    at = end;
                }
                Some(b'[') if bracket_length(bytes, at).is_some() => {
                    let (range, end) = bracket(bytes, at);
                    arguments.push(Argument { text: file.slice(range), kind: ArgumentKind::Bracket });
                    at = end;
                }
                Some(_) => {
                    let (text, end) = bare(file, at);
                    arguments.push(Argument { text, kind: ArgumentKind::Bare });
                    at = end.max(at + 1);
                }
            }
        }
        commands.push(Invocation { name, arguments, at: origin });
    }
    commands
}

fn skip_blank(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() {
        if bytes[at].is_ascii_whitespace() {
            at += 1;
        } else if bytes[at] == b'#' {
            if bytes.get(at + 1) == Some(&b'[') && bracket_length(bytes, at + 1).is_some() {
                at = bracket(bytes, at + 1).1;
            } else {
                while at < bytes.len() && bytes[at] != b'\n' {
                    at += 1;
                }
            }
        } else {
            break;
        }
    }
    at
}

/// How many `=` stand in the opening `[==[` at `at`.
fn bracket_length(bytes: &[u8], at: usize) -> Option<usize> {
    let equals = bytes[at + 1..].iter().take_while(|&&byte| byte == b'=').count();
    (bytes.get(at + 1 + equals) == Some(&b'[')).then_some(equals)
}

/// The inside of a bracket argument, and the place behind it.
fn bracket(bytes: &[u8], at: usize) -> (std::ops::Range<usize>, usize) {
    let equals = bracket_length(bytes, at).unwrap_or(0);
    let start = at + equals + 2;
    let close = [b"]".to_vec(), vec![b'='; equals], b"]".to_vec()].concat();
    let rest = bytes.get(start..).unwrap_or_default();
    match rest.windows(close.len()).position(|window| window == close) {
        Some(length) => (start..start + length, start + length + close.len()),
        None => (start.min(bytes.len())..bytes.len(), bytes.len()),
    }
}

fn quoted(file: &SourceFile, at: usize) -> (Text, usize) {
    let bytes = file.text.as_bytes();
    let mut text = Text::default();
    let mut at = at + 1;
    let mut start = at;
    while at < bytes.len() && bytes[at] != b'"' {
        if bytes[at] == b'\\' && at + 1 < bytes.len() {
            text.push_text(&file.slice(start..at));
            at = escaped(file, at, &mut text);
            start = at;
        } else {
            at += 1;
        }
    }
    text.push_text(&file.slice(start..at));
    (text, (at + 1).min(bytes.len()))
}

/// Reads an escape; gives the place behind it.
fn escaped(file: &SourceFile, at: usize, text: &mut Text) -> usize {
    let next = file.text[at + 1..].chars().next().unwrap_or(' ');
    let end = at + 1 + next.len_utf8();
    let decoded = match next {
        'n' => "\n".to_owned(),
        't' => "\t".to_owned(),
        '\n' | '\r' => String::new(),
        // An escaped semicolon and an escaped dollar must not be taken for what they are not.
        ';' | '$' => format!("\\{next}"),
        other => other.to_string(),
    };
    text.push_known(decoded, Origin::new(file.id, at, end));
    end
}

fn bare(file: &SourceFile, at: usize) -> (Text, usize) {
    let bytes = file.text.as_bytes();
    let mut text = Text::default();
    let mut start = at;
    let mut at = at;
    // References and generator expressions may hold parentheses only in quotes; braces and angles are kept together.
    let mut depth = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if at + 1 < bytes.len() => {
                text.push_text(&file.slice(start..at));
                at = escaped(file, at, &mut text);
                start = at;
                continue;
            }
            b'$' if matches!(bytes.get(at + 1), Some(b'{' | b'<')) => {
                depth += 1;
                at += 1;
            }
            b'}' | b'>' if depth > 0 => depth -= 1,
            b'(' | b')' | b'#' => break,
            b'"' if at > start => {
                // `-DX="a b"`: the quotes are part of the argument.
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += 1;
                }
            }
            byte if byte.is_ascii_whitespace() && depth == 0 => break,
            b'\n' => break,
            _ => {}
        }
        at += 1;
    }
    let end = at.min(bytes.len());
    text.push_text(&file.slice(start..end));
    (text, end)
}
