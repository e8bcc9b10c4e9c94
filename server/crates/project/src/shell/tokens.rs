//! Words and operators of shell scripts.

use super::*;

/// A token: a word with its quoted parts marked, or an operator.
#[derive(Clone, Debug)]
pub(super) enum Token {
    Word(Vec<Part>),
    /// `;`, `&&`, `|`, `(`, …; a line end is `;`.
    Operator(&'static str),
}

/// A part of a word.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Literal {
        text: Text,
        quoted: bool,
    },
    /// `$name`, `${name…}`: the name with what follows it, as spelled between the braces.
    Variable {
        expression: String,
        quoted: bool,
        spelling: String,
        origin: Origin,
    },
    /// `$(…)` or backquotes.
    Command {
        text: Text,
        quoted: bool,
        origin: Origin,
    },
}

/// Cuts a script into tokens. Unknown pieces of the script become parts of words.
pub(super) fn tokenize(script: &Text) -> Vec<Token> {
    let source = script.text();
    let bytes = source.as_bytes();
    let mut tokens = Vec::new();
    let mut parts: Vec<Part> = Vec::new();
    let mut heredocs: Vec<String> = Vec::new();
    let mut at = 0;
    let anchor = script.origin().unwrap_or(Origin::new(0, 0, 0));
    let origin_of = |range: std::ops::Range<usize>| script.slice(range).origin().unwrap_or(anchor);
    macro_rules! flush {
        () => {
            if !parts.is_empty() {
                tokens.push(Token::Word(std::mem::take(&mut parts)));
            }
        };
    }
    while at < bytes.len() {
        match bytes[at] {
            b'\x01' => {
                let end = source[at..].find('\x02').map_or(bytes.len(), |offset| at + offset + 1);
                parts.push(Part::Literal { text: script.slice(at..end), quoted: false });
                at = end;
            }
            b'\\' if bytes.get(at + 1) == Some(&b'\n') => at += 2,
            b'\\' if bytes.get(at + 1) == Some(&b'\r') && bytes.get(at + 2) == Some(&b'\n') => at += 3,
            b' ' | b'\t' | b'\r' => {
                flush!();
                at += 1;
            }
            b'#' if parts.is_empty() => {
                while at < bytes.len() && bytes[at] != b'\n' {
                    at += 1;
                }
            }
            b'\n' => {
                flush!();
                tokens.push(Token::Operator(";"));
                at += 1;
                for end in heredocs.drain(..) {
                    while at < bytes.len() {
                        let line_end = source[at..].find('\n').map_or(bytes.len(), |offset| at + offset);
                        let line = source[at..line_end].trim();
                        at = (line_end + 1).min(bytes.len());
                        if line == end {
                            break;
                        }
                    }
                }
            }
            b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>' => {
                // `a=(` begins an array; the assignment before it stays apart.
                let two = source.get(at..at + 2).unwrap_or_default();
                let digits = matches!(bytes[at], b'<' | b'>')
                    && matches!(parts.as_slice(), [Part::Literal { text, quoted: false }] if text.text().bytes().all(|b| b.is_ascii_digit()));
                if digits {
                    parts.clear();
                }
                flush!();
                let operator = match two {
                    "&&" => "&&",
                    "||" => "||",
                    ";;" => ";;",
                    "<<" => "<<",
                    ">>" => ">",
                    "&>" | ">&" => ">",
                    "<(" | ">(" => "(",
                    _ => match bytes[at] {
                        b';' => ";",
                        b'&' => "&",
                        b'|' => "|",
                        b'(' => "(",
                        b')' => ")",
                        b'<' => "<",
                        _ => ">",
                    },
                };
                let length =
                    if matches!(two, "&&" | "||" | ";;" | "<<" | ">>" | "&>" | ">&" | "<(" | ">(") { 2 } else { 1 };
                at += length;
                if operator == "<<" {
                    let rest = source[at..].trim_start_matches(['-', ' ', '<']);
                    let name: String = rest
                        .trim_start_matches(['\'', '"'])
                        .chars()
                        .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
                        .collect();
                    let consumed = source.len() - at - rest.len();
                    if !name.is_empty() && !source[at..at + consumed].contains('<') {
                        heredocs.push(name);
                    }
                }
                tokens.push(Token::Operator(operator));
            }
            b'\'' => {
                let end = source[at + 1..].find('\'').map_or(bytes.len(), |offset| at + 1 + offset);
                parts.push(Part::Literal { text: script.slice(at + 1..end), quoted: true });
                at = (end + 1).min(bytes.len());
            }
            b'"' => {
                at += 1;
                let mut start = at;
                parts.push(Part::Literal { text: Text::default(), quoted: true });
                while at < bytes.len() && bytes[at] != b'"' {
                    match bytes[at] {
                        b'\x01' => at = source[at..].find('\x02').map_or(bytes.len(), |offset| at + offset + 1),
                        b'\\' if at + 1 < bytes.len() => {
                            parts.push(Part::Literal { text: script.slice(start..at), quoted: true });
                            if bytes[at + 1] == b'\n' {
                                at += 2;
                                start = at;
                            } else {
                                let keeps = !matches!(bytes[at + 1], b'"' | b'\\' | b'$' | b'`');
                                start = if keeps { at } else { at + 1 };
                                at += 2;
                            }
                            while !source.is_char_boundary(at.min(bytes.len())) {
                                at += 1;
                            }
                        }
                        b'$' | b'`' => {
                            let (part, end) = read_dollar(&source, at, true, script, &origin_of);
                            match part {
                                Some(part) => {
                                    parts.push(Part::Literal { text: script.slice(start..at), quoted: true });
                                    parts.push(part);
                                    start = end;
                                    at = end;
                                }
                                None => at += 1,
                            }
                        }
                        _ => at += 1,
                    }
                }
                at = at.min(bytes.len());
                parts.push(Part::Literal { text: script.slice(start..at), quoted: true });
                at = (at + 1).min(bytes.len());
            }
            b'\\' => {
                let mut end = (at + 2).min(bytes.len());
                while !source.is_char_boundary(end) {
                    end += 1;
                }
                parts.push(Part::Literal { text: script.slice((at + 1).min(end)..end), quoted: true });
                at = end;
            }
            b'$' | b'`' => match read_dollar(&source, at, false, script, &origin_of) {
                (Some(part), end) => {
                    parts.push(part);
                    at = end;
                }
                (None, _) => {
                    parts.push(Part::Literal { text: script.slice(at..at + 1), quoted: false });
                    at += 1;
                }
            },
            _ => {
                let start = at;
                while at < bytes.len() && !b" \t\r\n;&|()<>'\"\\$`\x01".contains(&bytes[at]) {
                    at += 1;
                }
                parts.push(Part::Literal { text: script.slice(start..at), quoted: false });
            }
        }
    }
    flush!();
    tokens
}

/// Reads `$name`, `${…}`, `$(…)` or backquotes at `at`.
pub(super) fn read_dollar(
    source: &str,
    at: usize,
    quoted: bool,
    script: &Text,
    origin_of: &dyn Fn(std::ops::Range<usize>) -> Origin,
) -> (Option<Part>, usize) {
    let bytes = source.as_bytes();
    if bytes[at] == b'`' {
        let end = source[at + 1..].find('`').map_or(bytes.len(), |offset| at + 1 + offset);
        let part = Part::Command { text: script.slice(at + 1..end), quoted, origin: origin_of(at..end) };
        return (Some(part), (end + 1).min(bytes.len()));
    }
    match bytes.get(at + 1) {
        Some(b'(') => {
            let end = matching(bytes, at + 1, b'(', b')');
            let part = Part::Command { text: script.slice(at + 2..end), quoted, origin: origin_of(at..end) };
            (Some(part), (end + 1).min(bytes.len()))
        }
        Some(b'{') => {
            let end = matching(bytes, at + 1, b'{', b'}');
            let expression = source[at + 2..end].to_owned();
            let after = (end + 1).min(bytes.len());
            let spelling = source[at..after].to_owned();
            (Some(Part::Variable { expression, quoted, spelling, origin: origin_of(at..after) }), after)
        }
        Some(byte) if byte.is_ascii_alphabetic() || *byte == b'_' => {
            let length = bytes[at + 1..].iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
            let end = at + 1 + length;
            let expression = source[at + 1..end].to_owned();
            let spelling = source[at..end].to_owned();
            (Some(Part::Variable { expression, quoted, spelling, origin: origin_of(at..end) }), end)
        }
        Some(byte) if byte.is_ascii_digit() || b"@*#?$!-".contains(byte) => {
            let expression = source[at + 1..at + 2].to_owned();
            let spelling = source[at..at + 2].to_owned();
            (Some(Part::Variable { expression, quoted, spelling, origin: origin_of(at..at + 2) }), at + 2)
        }
        _ => (None, at + 1),
    }
}

/// The place of the bracket that closes the one at `open`, or the end.
pub(super) fn matching(bytes: &[u8], open: usize, opening: u8, closing: u8) -> usize {
    let mut depth = 0;
    let mut quote = None;
    let mut at = open;
    while at < bytes.len() {
        let byte = bytes[at];
        match quote {
            Some(q) if byte == q => quote = None,
            Some(_) => {}
            None if byte == b'\\' => at += 1,
            None if byte == b'\'' || byte == b'"' => quote = Some(byte),
            None if byte == opening => depth += 1,
            None if byte == closing => {
                depth -= 1;
                if depth == 0 {
                    return at;
                }
            }
            None => {}
        }
        at += 1;
    }
    bytes.len()
}
