//! Where literals end, and what kind a number is. All functions look at text without line splices.

use crate::token::TokenKind;

use super::ProblemKind;

/// The end of a preprocessing number (C++17 [lex.ppnumber]) that starts at `start`.
pub(super) fn number_end(text: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'+' | b'-' if matches!(text[at - 1], b'e' | b'E' | b'p' | b'P') => {
                // In a hexadecimal number `e` is a digit: `0xe+1` is nevertheless one preprocessing number in the
                // standard; compilers of the C family agree, so we do.
                at += 1;
            }
            b'\'' if text.get(at + 1).is_some_and(|next| next.is_ascii_alphanumeric() || *next == b'_') => at += 2,
            b'.' | b'_' => at += 1,
            byte if byte.is_ascii_alphanumeric() => at += 1,
            _ => break,
        }
    }
    at
}

/// Whether a number is an integer or a floating literal. MSL adds the suffixes `h` and `bf` (MSL spec §2.1).
pub(super) fn number_kind(spelling: &[u8]) -> TokenKind {
    let is_float = match spelling {
        [b'0', b'x' | b'X', rest @ ..] => rest.iter().any(|byte| matches!(byte, b'.' | b'p' | b'P')),
        [b'0', b'b' | b'B', b'0' | b'1', ..] => false,
        _ => {
            let digits = spelling.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'\'').count();
            match &spelling[digits..] {
                [b'.' | b'f' | b'F' | b'h' | b'H', ..] => true,
                [b'e' | b'E', next, ..] => next.is_ascii_digit() || matches!(next, b'+' | b'-'),
                [b'b' | b'B', b'f' | b'F', ..] => true,
                _ => false,
            }
        }
    };
    if is_float { TokenKind::Float } else { TokenKind::Int }
}

/// A literal between quotes: where it ends, and what is wrong with it.
pub(super) struct Quoted {
    pub(super) end: usize,
    pub(super) problem: Option<ProblemKind>,
    /// A backslash before a line end was met: the literal has a line splice and must be read again without it.
    pub(super) spliced: bool,
}

/// Reads a string or character literal whose opening quote is at `open`.
pub(super) fn quoted(text: &[u8], open: usize) -> Quoted {
    let quote = text[open];
    let unterminated = if quote == b'"' { ProblemKind::UnterminatedString } else { ProblemKind::UnterminatedCharacter };
    let mut at = open + 1;
    loop {
        match text.get(at) {
            None | Some(b'\n' | b'\r') => return Quoted { end: at, problem: Some(unterminated), spliced: false },
            Some(b'\\') => {
                if super::scan::splice_length(text, at) > 0 {
                    return Quoted { end: at, problem: None, spliced: true };
                }
                at += if text.get(at + 1).is_none_or(|next| matches!(next, b'\n' | b'\r')) { 1 } else { 2 };
            }
            Some(&byte) if byte == quote => {
                let problem = (quote == b'\'' && at == open + 1).then_some(ProblemKind::EmptyCharacter);
                return Quoted { end: at + 1, problem, spliced: false };
            }
            Some(_) => at += 1,
        }
    }
}

/// Reads a raw string literal whose opening quote is at `open`: `"delimiter( … )delimiter"`.
pub(super) fn raw_string(text: &[u8], open: usize) -> Quoted {
    let delimiter_start = open + 1;
    let mut at = delimiter_start;
    while at < text.len()
        && at - delimiter_start <= 16
        && !matches!(text[at], b'(' | b')' | b'\\' | b'"' | b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
    {
        at += 1;
    }
    if text.get(at) != Some(&b'(') || at - delimiter_start > 16 {
        let rest = quoted(text, open);
        return Quoted { end: rest.end.max(at), problem: Some(ProblemKind::InvalidRawStringDelimiter), spliced: false };
    }
    let mut closing = [0; 18];
    let length = at - delimiter_start + 2;
    closing[0] = b')';
    closing[1..length - 1].copy_from_slice(&text[delimiter_start..at]);
    closing[length - 1] = b'"';
    match memchr::memmem::find(&text[at + 1..], &closing[..length]) {
        Some(found) => Quoted { end: at + 1 + found + length, problem: None, spliced: false },
        None => Quoted { end: text.len(), problem: Some(ProblemKind::UnterminatedRawString), spliced: false },
    }
}
