//! The scanner: one pass over the bytes.
//!
//! Tokens without a line splice, which are nearly all, are read straight from the text. A token that touches a splice
//! is read again from a copy of the text around it with the splices removed.

use std::ops::Range;

use memchr::{memchr, memchr2, memmem};
use msl_intern::Name;

use super::{
    Lexed, LexedToken, MAX_FILE_LENGTH, Problem, ProblemKind,
    literal::{number_end, number_kind, quoted, raw_string},
    words::{WordTable, with_table},
};
use crate::token::{Punct, Token, TokenFlags, TokenKind};

/// The mark of a comment that speaks to the analyser.
const COMMENT_MARK: &[u8] = b"msl-analyzer:";

/// One token as read at a place.
struct Scanned {
    kind: TokenKind,
    name: Name,
    end: usize,
    problem: Option<ProblemKind>,
    /// A line splice follows at once or stands inside: the token may go on behind it.
    touches_splice: bool,
}

const fn identifier_bytes() -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let value = byte as u8;
        table[byte] = value.is_ascii_alphanumeric() || value == b'_' || value == b'$';
        byte += 1;
    }
    table
}

static IDENTIFIER: [bool; 256] = identifier_bytes();

/// The length of the line splice at `at`, zero if there is none. Blanks between the backslash and the line end are
/// allowed, as in clang.
pub(super) fn splice_length(text: &[u8], at: usize) -> usize {
    if text.get(at) != Some(&b'\\') {
        return 0;
    }
    let mut end = at + 1;
    while matches!(text.get(end), Some(b' ' | b'\t' | 0x0b | 0x0c)) {
        end += 1;
    }
    match text.get(end) {
        Some(b'\n') => end + 1 - at,
        Some(b'\r') => end + 1 + usize::from(text.get(end + 1) == Some(&b'\n')) - at,
        _ => 0,
    }
}

/// The offset behind all line splices at `at`.
fn skip_splices(text: &[u8], mut at: usize) -> usize {
    loop {
        match splice_length(text, at) {
            0 => return at,
            length => at += length,
        }
    }
}

/// The length of the token that starts at `start`, line splices included. A byte that starts no token counts as one.
pub(crate) fn length_of_token_at(text: &[u8], start: usize) -> usize {
    if start >= text.len() {
        return 0;
    }
    with_table(|words| scan_token(text, start, words).end - start)
}

pub(super) fn scan(text: &[u8]) -> Lexed {
    with_table(|words| scan_with(text, words))
}

fn scan_with(full_text: &[u8], words: &mut WordTable) -> Lexed {
    let text = &full_text[..full_text.len().min(MAX_FILE_LENGTH)];
    let mut out = Lexed { tokens: Vec::with_capacity(text.len() / 3 + 16), ..Lexed::default() };
    let marks: Vec<usize> = memmem::find_iter(text, COMMENT_MARK).collect();
    let mut next_mark = 0;
    let mut at = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut flags = TokenFlags::LINE_START;
    let mut header = HeaderName::No;
    while at < text.len() {
        match text[at] {
            b' ' | b'\t' | 0x0b | 0x0c => {
                flags |= TokenFlags::SPACE_BEFORE;
                at += 1;
                continue;
            }
            b'\n' | b'\r' => {
                flags = TokenFlags::LINE_START;
                header = HeaderName::No;
                at += 1;
                continue;
            }
            b'/' => {
                let second = match text.get(at + 1) {
                    Some(b'\\') => skip_splices(text, at + 1),
                    _ => at + 1,
                };
                let end = match text.get(second) {
                    Some(b'/') => line_comment_end(text, second + 1),
                    Some(b'*') => match block_comment_end(text, second + 1) {
                        Some(end) => end,
                        None => {
                            let range = span(at, second + 1);
                            out.problems.push(Problem { kind: ProblemKind::UnterminatedComment, range });
                            text.len()
                        }
                    },
                    _ => 0,
                };
                if end > 0 {
                    let comment = span(at, end);
                    while marks.get(next_mark).is_some_and(|&mark| mark < at) {
                        next_mark += 1;
                    }
                    if marks.get(next_mark).is_some_and(|&mark| mark < end) {
                        out.marked_comments.push(comment.clone());
                    }
                    out.comments.push(comment);
                    flags |= TokenFlags::SPACE_BEFORE;
                    at = end;
                    continue;
                }
            }
            b'\\' => {
                let length = splice_length(text, at);
                if length > 0 {
                    at += length;
                    continue;
                }
            }
            0 => {
                out.problems.push(Problem { kind: ProblemKind::NulByte, range: span(at, at + 1) });
                flags |= TokenFlags::SPACE_BEFORE;
                at += 1;
                continue;
            }
            _ => {}
        }
        let mut token_flags = flags;
        let mut token = scan_plain(text, at, words);
        if header != HeaderName::No {
            if header == HeaderName::Next
                && text[at] == b'<'
                && let Some(end) = header_name_end(text, at)
            {
                let name = Name::from_bytes(&text[at..end]);
                token = Scanned { kind: TokenKind::String, name, end, problem: None, touches_splice: false };
            }
            header = match header {
                HeaderName::AfterHash if matches!(token.name.bytes(), b"include" | b"include_next" | b"import") => {
                    HeaderName::Next
                }
                _ => HeaderName::No,
            };
        }
        if token.touches_splice {
            token = scan_spliced(text, at, words);
            if splices_inside(&text[at..token.end]) {
                token_flags |= TokenFlags::SPLICED;
            }
        }
        if let Some(kind) = token.problem {
            out.problems.push(Problem { kind, range: span(at, token.end) });
        }
        if token.kind == TokenKind::Punct(Punct::Hash) && flags & TokenFlags::LINE_START != 0 {
            out.directives.push(out.tokens.len() as u32);
            header = HeaderName::AfterHash;
        }
        out.tokens.push(LexedToken {
            token: Token { kind: token.kind, flags: TokenFlags(token_flags), name: token.name },
            start: at as u32,
            end: token.end as u32,
        });
        at = token.end;
        flags = 0;
    }
    if text.len() < full_text.len() {
        out.problems.push(Problem { kind: ProblemKind::FileTooLong, range: span(text.len(), text.len()) });
    }
    let end = text.len() as u32;
    let eof = Token { flags: TokenFlags(TokenFlags::LINE_START), ..Token::EOF };
    out.tokens.push(LexedToken { token: eof, start: end, end });
    out
}

/// Whether a `<` would start a header name: directly behind `#include` only.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HeaderName {
    No,
    AfterHash,
    Next,
}

fn span(start: usize, end: usize) -> Range<u32> {
    start as u32..end as u32
}

fn splices_inside(spelling: &[u8]) -> bool {
    memchr::memchr_iter(b'\\', spelling).any(|at| splice_length(spelling, at) > 0)
}

fn header_name_end(text: &[u8], open: usize) -> Option<usize> {
    let rest = &text[open..];
    let close = memchr(b'>', rest)?;
    memchr2(b'\n', b'\r', &rest[..close]).is_none().then_some(open + close + 1)
}

/// The end of a line comment, without its line end.
fn line_comment_end(text: &[u8], mut at: usize) -> usize {
    loop {
        let Some(found) = memchr2(b'\n', b'\r', &text[at..]) else { return text.len() };
        let line_end = at + found;
        let mut last = line_end;
        while last > at && matches!(text[last - 1], b' ' | b'\t') {
            last -= 1;
        }
        if last == at || text[last - 1] != b'\\' {
            return line_end;
        }
        at = last - 1 + splice_length(text, last - 1);
    }
}

fn block_comment_end(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr(b'*', &text[at..])? + 1;
        let next = if text.get(at) == Some(&b'\\') { skip_splices(text, at) } else { at };
        if text.get(next) == Some(&b'/') {
            return Some(next + 1);
        }
    }
}

fn scan_token(text: &[u8], at: usize, words: &mut WordTable) -> Scanned {
    let token = scan_plain(text, at, words);
    if token.touches_splice { scan_spliced(text, at, words) } else { token }
}

/// Reads a token from a copy of the text without line splices. The copy grows until the token ends well inside it.
#[cold]
fn scan_spliced(text: &[u8], start: usize, words: &mut WordTable) -> Scanned {
    let mut wanted = 64;
    loop {
        let mut clean = Vec::with_capacity(wanted);
        let mut at = start;
        while clean.len() < wanted && at < text.len() {
            at = skip_splices(text, at);
            if let Some(&byte) = text.get(at) {
                clean.push(byte);
                at += 1;
            }
        }
        let mut token = scan_plain(&clean, 0, words);
        // Three bytes are the farthest that any token looks ahead (`<::` and a fourth character).
        if token.end + 4 <= clean.len() || at >= text.len() {
            token.end = splice_offset(text, start, token.end);
            token.touches_splice = false;
            return token;
        }
        wanted *= 4;
    }
}

/// The offset behind the byte that is number `count` from `start` when line splices are not counted.
fn splice_offset(text: &[u8], start: usize, count: usize) -> usize {
    let mut at = start;
    for _ in 0..count {
        at = skip_splices(text, at) + 1;
    }
    at.min(text.len())
}

/// Reads the token at `at`, which is neither white space nor a comment.
#[inline]
fn scan_plain(text: &[u8], at: usize, words: &mut WordTable) -> Scanned {
    let byte = text[at];
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => scan_word(text, at, words),
        b'0'..=b'9' => scan_number(text, at, words),
        b'"' | b'\'' => scan_quoted(text, at, at, false),
        b'(' => single(at, Punct::LParen),
        b')' => single(at, Punct::RParen),
        b'[' => single(at, Punct::LBracket),
        b']' => single(at, Punct::RBracket),
        b'{' => single(at, Punct::LBrace),
        b'}' => single(at, Punct::RBrace),
        b';' => single(at, Punct::Semi),
        b',' => single(at, Punct::Comma),
        b'?' => single(at, Punct::Question),
        b'~' => single(at, Punct::Tilde),
        0x80.. => scan_unicode(text, at, words),
        _ => scan_operator(text, at, words),
    }
}

#[inline]
fn single(at: usize, punct: Punct) -> Scanned {
    Scanned { kind: TokenKind::Punct(punct), name: Name::EMPTY, end: at + 1, problem: None, touches_splice: false }
}

#[inline]
fn scan_word(text: &[u8], at: usize, words: &mut WordTable) -> Scanned {
    let mut end = at + 1;
    while end < text.len() && IDENTIFIER[text[end] as usize] {
        end += 1;
    }
    match text.get(end) {
        Some(b'"' | b'\'') => {
            let prefix = &text[at..end];
            match (prefix, text[end]) {
                (b"L" | b"u" | b"U" | b"u8", _) => return scan_quoted(text, at, end, false),
                (b"R" | b"LR" | b"uR" | b"UR" | b"u8R", b'"') => return scan_quoted(text, at, end, true),
                _ => {}
            }
        }
        Some(0x80..) => {
            let long = unicode_word_end(text, end);
            if long > end {
                let (name, kind) = words.get(&text[at..long]);
                return Scanned { kind, name, end: long, problem: None, touches_splice: follows_splice(text, long) };
            }
        }
        _ => {}
    }
    let (name, kind) = words.get(&text[at..end]);
    Scanned { kind, name, end, problem: None, touches_splice: follows_splice(text, end) }
}

#[inline]
fn follows_splice(text: &[u8], at: usize) -> bool {
    text.get(at) == Some(&b'\\') && splice_length(text, at) > 0
}

fn scan_number(text: &[u8], at: usize, words: &mut WordTable) -> Scanned {
    let end = number_end(text, at);
    let spelling = &text[at..end];
    let (name, _) = words.get(spelling);
    Scanned { kind: number_kind(spelling), name, end, problem: None, touches_splice: follows_splice(text, end) }
}

fn scan_quoted(text: &[u8], at: usize, open: usize, raw: bool) -> Scanned {
    let quoted = if raw { raw_string(text, open) } else { quoted(text, open) };
    let mut end = quoted.end;
    // A suffix of a user-defined literal belongs to the token; compilers take one only if it begins with `_`, so
    // that the old `"a"MACRO` stays two tokens.
    if quoted.problem.is_none() && text.get(end) == Some(&b'_') {
        while end < text.len() && IDENTIFIER[text[end] as usize] {
            end += 1;
        }
    }
    let kind = if text[open] == b'"' { TokenKind::String } else { TokenKind::Char };
    Scanned {
        kind,
        name: if quoted.spliced { Name::EMPTY } else { Name::from_bytes(&text[at..end]) },
        end,
        problem: quoted.problem,
        touches_splice: quoted.spliced,
    }
}

/// The character at `at`, if the bytes there are valid UTF-8.
fn decode(text: &[u8], at: usize) -> Option<char> {
    let end = text.len().min(at + 4);
    let bytes = &text[at..end];
    let valid = match std::str::from_utf8(bytes) {
        Ok(valid) => valid,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).ok()?,
    };
    valid.chars().next()
}

/// Where a word that goes on at `at` ends; letters and digits of any script belong to it.
fn unicode_word_end(text: &[u8], mut at: usize) -> usize {
    while at < text.len() {
        if IDENTIFIER[text[at] as usize] {
            at += 1;
        } else if let Some(character) = decode(text, at).filter(|c| !c.is_ascii() && c.is_alphanumeric()) {
            at += character.len_utf8();
        } else {
            break;
        }
    }
    at
}

#[cold]
fn scan_unicode(text: &[u8], at: usize, words: &mut WordTable) -> Scanned {
    let end = unicode_word_end(text, at);
    if end > at {
        let (name, kind) = words.get(&text[at..end]);
        return Scanned { kind, name, end, problem: None, touches_splice: follows_splice(text, end) };
    }
    let (length, problem) = match decode(text, at) {
        Some(character) => (character.len_utf8(), ProblemKind::UnknownCharacter),
        None => (1, ProblemKind::InvalidUtf8),
    };
    unknown(text, at, length, problem)
}

fn unknown(text: &[u8], at: usize, length: usize, problem: ProblemKind) -> Scanned {
    let end = at + length;
    let name = Name::from_bytes(&text[at..end]);
    Scanned { kind: TokenKind::Unknown, name, end, problem: Some(problem), touches_splice: false }
}

#[inline]
fn scan_operator(text: &[u8], at: usize, words: &mut WordTable) -> Scanned {
    use Punct::*;
    let next = text.get(at + 1).copied().unwrap_or(0);
    let third = || text.get(at + 2).copied().unwrap_or(0);
    let (punct, length) = match (text[at], next) {
        (b'.', b'0'..=b'9') => return scan_number(text, at, words),
        (b'.', b'.') if third() == b'.' => (Ellipsis, 3),
        (b'.', b'*') => (DotStar, 2),
        (b'.', _) => (Dot, 1),
        (b':', b':') => (ColonColon, 2),
        (b':', b'>') => (RBracket, 2),
        (b':', _) => (Colon, 1),
        (b'#', b'#') => (HashHash, 2),
        (b'#', _) => (Hash, 1),
        (b'+', b'+') => (PlusPlus, 2),
        (b'+', b'=') => (PlusEq, 2),
        (b'+', _) => (Plus, 1),
        (b'-', b'-') => (MinusMinus, 2),
        (b'-', b'=') => (MinusEq, 2),
        (b'-', b'>') if third() == b'*' => (ArrowStar, 3),
        (b'-', b'>') => (Arrow, 2),
        (b'-', _) => (Minus, 1),
        (b'*', b'=') => (StarEq, 2),
        (b'*', _) => (Star, 1),
        (b'/', b'=') => (SlashEq, 2),
        (b'/', _) => (Slash, 1),
        (b'%', b'=') => (PercentEq, 2),
        (b'%', b'>') => (RBrace, 2),
        (b'%', b':') if third() == b'%' && text.get(at + 3) == Some(&b':') => (HashHash, 4),
        (b'%', b':') => (Hash, 2),
        (b'%', _) => (Percent, 1),
        (b'^', b'=') => (CaretEq, 2),
        (b'^', _) => (Caret, 1),
        (b'&', b'&') => (AmpAmp, 2),
        (b'&', b'=') => (AmpEq, 2),
        (b'&', _) => (Amp, 1),
        (b'|', b'|') => (PipePipe, 2),
        (b'|', b'=') => (PipeEq, 2),
        (b'|', _) => (Pipe, 1),
        (b'!', b'=') => (BangEq, 2),
        (b'!', _) => (Bang, 1),
        (b'=', b'=') => (EqEq, 2),
        (b'=', _) => (Eq, 1),
        (b'<', b'<') if third() == b'=' => (ShlEq, 3),
        (b'<', b'<') => (Shl, 2),
        (b'<', b'=') => (LtEq, 2),
        // `<::` is `<` and `::` unless a third colon or `>` follows (C++17 [lex.pptoken]).
        (b'<', b':') if third() == b':' && !matches!(text.get(at + 3), Some(b':' | b'>')) => (Lt, 1),
        (b'<', b':') => (LBracket, 2),
        (b'<', b'%') => (LBrace, 2),
        (b'<', _) => (Lt, 1),
        (b'>', b'>') if third() == b'=' => (ShrEq, 3),
        (b'>', b'>') => (Shr, 2),
        (b'>', b'=') => (GtEq, 2),
        (b'>', _) => (Gt, 1),
        _ => return unknown(text, at, 1, ProblemKind::UnknownCharacter),
    };
    let end = at + length;
    let touches_splice = follows_splice(text, end)
        // `..` and `%:` look two bytes ahead, and the second of them may stand behind a splice.
        || (follows_splice(text, end + 1) && matches!(text[at], b'.' | b'%' | b'<'));
    Scanned { kind: TokenKind::Punct(punct), name: Name::EMPTY, end, problem: None, touches_splice }
}

/// The one token that `text` spells, if it is one: the result of `##`.
pub(crate) fn lex_pasted(text: &[u8]) -> Option<(TokenKind, Name)> {
    if text.is_empty() || text.starts_with(b"//") || text.starts_with(b"/*") {
        return None;
    }
    let token = with_table(|words| scan_token(text, 0, words));
    (token.end == text.len() && token.problem.is_none()).then_some((token.kind, token.name))
}
