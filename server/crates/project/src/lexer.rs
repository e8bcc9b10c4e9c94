//! Tokens of the languages that host code and build scripts are written in.
//!
//! Enough of each language to tell code from comments and strings, and to know what a string holds. Interpolations in
//! strings are kept as holes with the text of the expression.

use crate::{
    text::{Known, Origin, Text},
    tree::SourceFile,
};

/// A file has at most so many tokens; the rest is not read.
const MAX_TOKENS: usize = 2_000_000;

/// A language, as far as its tokens differ from others'.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// C, C++, Objective-C.
    C,
    Swift,
    Rust,
    /// JavaScript, TypeScript; Kotlin and Java are near enough.
    JavaScript,
    Zig,
    /// Python, Starlark, Meson.
    Python,
    Ruby,
    Lua,
    OCaml,
    Julia,
}

impl Dialect {
    /// The language of a file, by its name.
    pub(crate) fn of(path: &str) -> Option<Dialect> {
        let name = crate::paths::file_name(path);
        Some(match crate::paths::extension(path) {
            "c" | "cc" | "cpp" | "cxx" | "h" | "hh" | "hpp" | "hxx" | "m" | "mm" | "inl" => Dialect::C,
            "swift" => Dialect::Swift,
            "rs" => Dialect::Rust,
            "js" | "mjs" | "cjs" | "ts" | "mts" | "tsx" | "kts" | "gradle" | "go" => Dialect::JavaScript,
            "zig" => Dialect::Zig,
            "py" | "bzl" | "bazel" | "star" | "gyp" | "gypi" => Dialect::Python,
            "rb" | "podspec" => Dialect::Ruby,
            "lua" => Dialect::Lua,
            "ml" => Dialect::OCaml,
            "jl" => Dialect::Julia,
            _ => match name {
                "BUILD" | "BUCK" | "TARGETS" | "SConstruct" | "SConscript" | "wscript" | "meson.build" => {
                    Dialect::Python
                }
                "Podfile" | "Rakefile" | "Fastfile" => Dialect::Ruby,
                _ => return None,
            },
        })
    }

    /// Whether line ends end statements outside brackets.
    pub(crate) fn ends_at_lines(self) -> bool {
        matches!(
            self,
            Dialect::Python | Dialect::Ruby | Dialect::Swift | Dialect::Lua | Dialect::Julia | Dialect::JavaScript
        )
    }

    /// Whether blocks are marked by indentation.
    pub(crate) fn is_indented(self) -> bool {
        self == Dialect::Python
    }

    /// Whether blocks end with the word `end`.
    pub(crate) fn ends_with_word(self) -> bool {
        matches!(self, Dialect::Ruby | Dialect::Lua | Dialect::Julia)
    }
}

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether it is the first on its line.
    pub(crate) starts_line: bool,
    /// For brackets: the index of the other one.
    pub(crate) pair: Option<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TokenKind {
    /// Names and keywords.
    Word,
    Number,
    /// A string with its parts; whether it is a command (backquotes in Ruby and Julia).
    String {
        parts: Vec<StringPart>,
        is_command: bool,
    },
    /// Words in `%w[…]`.
    Words(Vec<Text>),
    /// One character.
    Punctuation(char),
}

/// A part of a string.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StringPart {
    Literal(Text),
    /// An interpolated expression, as it is spelled.
    Hole {
        expression: String,
        origin: Origin,
    },
}

/// The tokens of a file.
pub(crate) struct Tokens<'a> {
    pub(crate) file: &'a SourceFile,
    pub(crate) dialect: Dialect,
    pub(crate) list: Vec<Token>,
}

impl Tokens<'_> {
    /// The text of a token.
    pub(crate) fn text(&self, index: usize) -> &str {
        self.list.get(index).map_or("", |token| &self.file.text[token.start..token.end])
    }

    pub(crate) fn is(&self, index: usize, text: &str) -> bool {
        self.text(index) == text && !matches!(self.list[index].kind, TokenKind::String { .. })
    }

    pub(crate) fn is_word(&self, index: usize) -> bool {
        self.list.get(index).is_some_and(|token| token.kind == TokenKind::Word)
    }

    /// The bracket that closes the one at `index`, or the end.
    pub(crate) fn close_of(&self, index: usize) -> usize {
        self.list.get(index).and_then(|token| token.pair).unwrap_or(self.list.len())
    }

    pub(crate) fn is_open(&self, index: usize) -> bool {
        self.list.get(index).is_some_and(|token| matches!(token.kind, TokenKind::Punctuation('(' | '[' | '{')))
    }

    pub(crate) fn origin(&self, index: usize) -> Origin {
        let token = self.list.get(index).or(self.list.last());
        token.map_or(Origin::new(self.file.id, 0, 0), |token| Origin::new(self.file.id, token.start, token.end))
    }

    /// The column of the first token of the line that holds a token.
    pub(crate) fn indent(&self, index: usize) -> usize {
        let start = self.list.get(index).map_or(0, |token| token.start);
        let line_start = self.file.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line = &self.file.text[line_start..];
        line.len() - line.trim_start_matches([' ', '\t']).len()
    }

    /// A string whose holes are unknown.
    pub(crate) fn string(&self, index: usize) -> Option<Text> {
        let TokenKind::String { parts, .. } = &self.list.get(index)?.kind else { return None };
        let mut text = Text::default();
        for part in parts {
            match part {
                StringPart::Literal(literal) => text.push_text(literal),
                StringPart::Hole { expression, origin } => text.push_unknown(expression, *origin, Known::NotTheValue),
            }
        }
        Some(text)
    }
}

/// Cuts a file into tokens.
pub(crate) fn tokenize(file: &SourceFile, dialect: Dialect) -> Tokens<'_> {
    let mut lexer = Lexer { file, dialect, bytes: file.text.as_bytes(), at: 0, starts_line: true, tokens: Vec::new() };
    lexer.run();
    let mut list = lexer.tokens;
    pair_brackets(&mut list);
    Tokens { file, dialect, list }
}

fn pair_brackets(tokens: &mut [Token]) {
    let mut open: Vec<(usize, char)> = Vec::new();
    for index in 0..tokens.len() {
        let TokenKind::Punctuation(character) = tokens[index].kind else { continue };
        let opening = match character {
            '(' | '[' | '{' => {
                open.push((index, character));
                continue;
            }
            ')' => '(',
            ']' => '[',
            '}' => '{',
            _ => continue,
        };
        // A bracket that nothing closes is passed over.
        if let Some(at) = open.iter().rposition(|&(_, character)| character == opening) {
            let (start, _) = open[at];
            open.truncate(at);
            tokens[start].pair = Some(index);
            tokens[index].pair = Some(start);
        }
    }
}

struct Lexer<'a> {
    file: &'a SourceFile,
    dialect: Dialect,
    bytes: &'a [u8],
    at: usize,
    starts_line: bool,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn rest(&self) -> &[u8] {
        &self.bytes[self.at.min(self.bytes.len())..]
    }

    fn run(&mut self) {
        while self.at < self.bytes.len() && self.tokens.len() < MAX_TOKENS {
            let byte = self.bytes[self.at];
            if byte == b'\n' {
                self.starts_line = true;
                self.at += 1;
            } else if byte.is_ascii_whitespace() {
                self.at += 1;
            } else if byte == b'\\' && matches!(self.bytes.get(self.at + 1), Some(b'\n' | b'\r')) {
                self.at += if self.bytes[self.at + 1] == b'\r' { 3 } else { 2 };
            } else if !self.skip_comment() {
                let start = self.at;
                let kind = self.token();
                self.at = self.at.max(start + 1).min(self.bytes.len());
                while !self.file.text.is_char_boundary(self.at) {
                    self.at += 1;
                }
                let starts_line = std::mem::replace(&mut self.starts_line, false);
                self.tokens.push(Token { kind, start, end: self.at, starts_line, pair: None });
            }
        }
    }

    fn skip_comment(&mut self) -> bool {
        let rest = self.rest();
        // The opening and the closing of a block, and whether blocks nest.
        type Block = (&'static [u8], &'static [u8], bool);
        let (line, block): (&[u8], Option<Block>) = match self.dialect {
            Dialect::C | Dialect::JavaScript => (b"//", Some((b"/*", b"*/", false))),
            Dialect::Swift | Dialect::Rust => (b"//", Some((b"/*", b"*/", true))),
            Dialect::Zig => (b"//", None),
            Dialect::Python | Dialect::Ruby => (b"#", None),
            Dialect::Julia => (b"#", Some((b"#=", b"=#", true))),
            Dialect::Lua => (b"--", Some((b"--[[", b"]]", false))),
            Dialect::OCaml => (b"\0", Some((b"(*", b"*)", true))),
        };
        if let Some((open, close, nests)) = block
            && rest.starts_with(open)
        {
            let mut depth = 1;
            let mut at = open.len();
            while at < rest.len() && depth > 0 {
                if rest[at..].starts_with(close) {
                    depth -= 1;
                    at += close.len();
                } else if nests && rest[at..].starts_with(open) {
                    depth += 1;
                    at += open.len();
                } else {
                    at += 1;
                }
            }
            let newlines = rest[..at.min(rest.len())].contains(&b'\n');
            let length = at.min(rest.len());
            self.starts_line |= newlines;
            self.at += length;
            return true;
        }
        if rest.starts_with(line) {
            self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
            return true;
        }
        false
    }

    fn token(&mut self) -> TokenKind {
        let byte = self.bytes[self.at];
        if let Some(kind) = self.string() {
            return kind;
        }
        if byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80 {
            self.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80);
            return TokenKind::Word;
        }
        if byte.is_ascii_digit() {
            self.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.');
            return TokenKind::Number;
        }
        self.at += 1;
        TokenKind::Punctuation(char::from(byte))
    }

    fn skip_while(&mut self, keeps: impl Fn(u8) -> bool) {
        self.at += self.rest().iter().position(|&byte| !keeps(byte)).unwrap_or(self.rest().len());
    }

    /// A string at the current place, with its prefix.
    fn string(&mut self) -> Option<TokenKind> {
        let rest = self.rest();
        match self.dialect {
            Dialect::Python => {
                let prefix = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
                let letters = &rest[..prefix];
                let is_prefix = prefix <= 2 && letters.iter().all(|byte| b"rRbBuUfF".contains(byte));
                let quote = *rest.get(prefix).filter(|byte| is_prefix && matches!(byte, b'"' | b'\''))?;
                let is_raw = letters.iter().any(|byte| matches!(byte, b'r' | b'R'));
                let hole = letters.iter().any(|byte| matches!(byte, b'f' | b'F')).then_some(Hole::Braces);
                let triple = rest[prefix..].starts_with(&[quote; 3]);
                self.at += prefix;
                let close = vec![quote; if triple { 3 } else { 1 }];
                Some(self.quoted(
                    &close.clone(),
                    &close,
                    Quoting { escapes: !is_raw, hole, is_command: false, lines: triple },
                ))
            }
            Dialect::Rust => {
                let prefix = rest.iter().take_while(|byte| matches!(byte, b'r' | b'b' | b'c')).count();
                let hashes = rest[prefix..].iter().take_while(|&&byte| byte == b'#').count();
                let is_raw = rest[..prefix].contains(&b'r');
                if rest.get(prefix + hashes) == Some(&b'"') && prefix <= 2 && (hashes == 0 || is_raw) {
                    self.at += prefix;
                    let open = [vec![b'#'; hashes], vec![b'"']].concat();
                    let close = [vec![b'"'], vec![b'#'; hashes]].concat();
                    return Some(self.quoted(
                        &open,
                        &close,
                        Quoting { escapes: !is_raw, hole: None, is_command: false, lines: true },
                    ));
                }
                // A character or a lifetime.
                if rest[0] == b'\'' {
                    let is_character = rest.get(1) == Some(&b'\\') || rest.get(2) == Some(&b'\'');
                    if is_character {
                        return Some(self.quoted(b"'", b"'", Quoting::plain()));
                    }
                }
                None
            }
            Dialect::Swift => {
                let hashes = rest.iter().take_while(|&&byte| byte == b'#').count();
                if rest.get(hashes) != Some(&b'"') {
                    return None;
                }
                let triple = rest[hashes..].starts_with(b"\"\"\"");
                let quotes = vec![b'"'; if triple { 3 } else { 1 }];
                let open = [vec![b'#'; hashes], quotes.clone()].concat();
                let close = [quotes, vec![b'#'; hashes]].concat();
                let hole = (hashes == 0).then_some(Hole::BackslashParen);
                Some(self.quoted(
                    &open,
                    &close,
                    Quoting { escapes: hashes == 0, hole, is_command: false, lines: triple },
                ))
            }
            Dialect::C => match rest {
                [b'R', b'"', ..] => {
                    let delimiter = rest[2..].iter().take(18).position(|&byte| byte == b'(')?;
                    let open = rest[1..delimiter + 3].to_vec();
                    let close = [b")", &rest[2..2 + delimiter], b"\""].concat();
                    self.at += 1;
                    Some(self.quoted(
                        &open,
                        &close,
                        Quoting { escapes: false, hole: None, is_command: false, lines: true },
                    ))
                }
                [b'"', ..] => Some(self.quoted(b"\"", b"\"", Quoting::plain())),
                // Digits may be separated by single quotes; a character is short.
                [b'\'', ..] => Some(self.quoted(b"'", b"'", Quoting::plain())),
                _ => None,
            },
            Dialect::JavaScript => match rest[0] {
                b'"' => Some(self.quoted(b"\"", b"\"", Quoting::plain())),
                b'\'' => Some(self.quoted(b"'", b"'", Quoting::plain())),
                b'`' => {
                    let hole = Some(Hole::DollarBraces);
                    Some(self.quoted(b"`", b"`", Quoting { escapes: true, hole, is_command: false, lines: true }))
                }
                _ => None,
            },
            Dialect::Zig => match rest {
                [b'\\', b'\\', ..] => {
                    let start = self.at + 2;
                    self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                    let parts = vec![StringPart::Literal(self.file.slice(start..self.at))];
                    Some(TokenKind::String { parts, is_command: false })
                }
                [b'"', ..] => Some(self.quoted(b"\"", b"\"", Quoting::plain())),
                [b'\'', ..] => Some(self.quoted(b"'", b"'", Quoting::plain())),
                _ => None,
            },
            Dialect::Ruby => match rest {
                [b'"', ..] => {
                    let hole = Some(Hole::HashBraces);
                    Some(self.quoted(b"\"", b"\"", Quoting { escapes: true, hole, is_command: false, lines: true }))
                }
                [b'`', ..] => {
                    let hole = Some(Hole::HashBraces);
                    Some(self.quoted(b"`", b"`", Quoting { escapes: true, hole, is_command: true, lines: true }))
                }
                [b'\'', ..] => Some(self.quoted(b"'", b"'", Quoting { lines: true, ..Quoting::plain() })),
                [b'%', b'w' | b'W', open @ (b'[' | b'(' | b'{'), ..] => {
                    let close = match open {
                        b'[' => b']',
                        b'(' => b')',
                        _ => b'}',
                    };
                    let start = self.at + 3;
                    let length = self.bytes[start..].iter().position(|&byte| byte == close);
                    let end = length.map_or(self.bytes.len(), |length| start + length);
                    self.at = end + 1;
                    Some(TokenKind::Words(self.file.slice(start..end).split_whitespace()))
                }
                _ => None,
            },
            Dialect::Lua => match rest {
                [b'"', ..] => Some(self.quoted(b"\"", b"\"", Quoting::plain())),
                [b'\'', ..] => Some(self.quoted(b"'", b"'", Quoting::plain())),
                [b'[', b'[', ..] => {
                    Some(self.quoted(b"[[", b"]]", Quoting { escapes: false, lines: true, ..Quoting::plain() }))
                }
                _ => None,
            },
            Dialect::OCaml => match rest {
                [b'"', ..] => Some(self.quoted(b"\"", b"\"", Quoting { lines: true, ..Quoting::plain() })),
                [b'\'', _, b'\'', ..] => Some(self.quoted(b"'", b"'", Quoting::plain())),
                _ => None,
            },
            Dialect::Julia => match rest {
                [b'"', b'"', b'"', ..] => {
                    let hole = Some(Hole::Dollar);
                    Some(self.quoted(
                        b"\"\"\"",
                        b"\"\"\"",
                        Quoting { escapes: true, hole, is_command: false, lines: true },
                    ))
                }
                [b'"', ..] => {
                    let hole = Some(Hole::Dollar);
                    Some(self.quoted(b"\"", b"\"", Quoting { escapes: true, hole, is_command: false, lines: true }))
                }
                [b'`', ..] => {
                    let hole = Some(Hole::Dollar);
                    Some(self.quoted(b"`", b"`", Quoting { escapes: true, hole, is_command: true, lines: true }))
                }
                [b'\'', _, b'\'', ..] => Some(self.quoted(b"'", b"'", Quoting::plain())),
                _ => None,
            },
        }
    }

    /// Reads from `open` to `close`.
    fn quoted(&mut self, open: &[u8], close: &[u8], quoting: Quoting) -> TokenKind {
        self.at += open.len();
        let mut parts = Vec::new();
        let mut text = Text::default();
        let mut start = self.at;
        while self.at < self.bytes.len() {
            let rest = &self.bytes[self.at..];
            if rest.starts_with(close) || (!quoting.lines && rest[0] == b'\n') {
                break;
            }
            if let Some((open, close)) = quoting.hole.and_then(|hole| hole.at(rest)) {
                text.push_text(&self.file.slice(start..self.at));
                parts.push(StringPart::Literal(std::mem::take(&mut text)));
                let inner = self.at + open;
                let end = match close {
                    Some(close) => inner + matching_close(&self.bytes[inner..], close),
                    None => {
                        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
                        inner + self.bytes[inner..].iter().take_while(|byte| is_name(byte)).count()
                    }
                };
                let expression = self.file.text.get(inner..end).unwrap_or_default().to_owned();
                let after = (end + usize::from(close.is_some())).min(self.bytes.len());
                parts.push(StringPart::Hole { expression, origin: Origin::new(self.file.id, self.at, after) });
                self.at = after;
                start = after;
            } else if rest[0] == b'\\' && quoting.escapes {
                text.push_text(&self.file.slice(start..self.at));
                let escaped = self.file.text[self.at + 1..].chars().next();
                let length = 1 + escaped.map_or(0, char::len_utf8);
                let decoded = match escaped {
                    Some('n') => "\n".to_owned(),
                    Some('t') => "\t".to_owned(),
                    Some('\n' | '\r') | None => String::new(),
                    Some('u' | 'x') => "?".to_owned(),
                    Some(other) => other.to_string(),
                };
                text.push_known(decoded, Origin::new(self.file.id, self.at, self.at + length));
                self.at += length;
                start = self.at;
            } else if quoting.hole == Some(Hole::Braces) && (rest.starts_with(b"{{") || rest.starts_with(b"}}")) {
                text.push_text(&self.file.slice(start..self.at + 1));
                self.at += 2;
                start = self.at;
            } else {
                self.at += 1;
            }
        }
        let end = self.at.min(self.bytes.len());
        text.push_text(&self.file.slice(start..end));
        parts.push(StringPart::Literal(text));
        self.at = (end + close.len()).min(self.bytes.len());
        TokenKind::String { parts, is_command: quoting.is_command }
    }
}

/// How a string is read.
#[derive(Clone, Copy)]
struct Quoting {
    escapes: bool,
    hole: Option<Hole>,
    is_command: bool,
    /// Whether it may go over line ends.
    lines: bool,
}

impl Quoting {
    fn plain() -> Quoting {
        Quoting { escapes: true, hole: None, is_command: false, lines: false }
    }
}

/// How expressions are written in strings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hole {
    Braces,
    BackslashParen,
    DollarBraces,
    HashBraces,
    Dollar,
}

impl Hole {
    /// If a hole begins here: how long its beginning is, and what ends it (a name that simply ends: nothing).
    fn at(self, rest: &[u8]) -> Option<(usize, Option<u8>)> {
        match (self, rest) {
            (Hole::Braces, [b'{', b'{', ..]) => None,
            (Hole::Braces, [b'{', ..]) => Some((1, Some(b'}'))),
            (Hole::BackslashParen, [b'\\', b'(', ..]) => Some((2, Some(b')'))),
            (Hole::DollarBraces, [b'$', b'{', ..]) => Some((2, Some(b'}'))),
            (Hole::HashBraces, [b'#', b'{', ..]) => Some((2, Some(b'}'))),
            (Hole::Dollar, [b'$', b'(', ..]) => Some((2, Some(b')'))),
            (Hole::Dollar, [b'$', next, ..]) if next.is_ascii_alphabetic() || *next == b'_' => Some((1, None)),
            _ => None,
        }
    }
}

/// The place of the bracket that ends a hole.
fn matching_close(bytes: &[u8], close: u8) -> usize {
    let open = if close == b')' { b'(' } else { b'{' };
    let mut depth = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        if byte == open {
            depth += 1;
        } else if byte == close {
            if depth == 0 {
                return at;
            }
            depth -= 1;
        }
    }
    bytes.len()
}
