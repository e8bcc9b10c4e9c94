//! Property lists in the old OpenStep form, and JSON: nested dictionaries, lists and strings, with their places.
//!
//! Both are read by one tolerant reader that keeps going after mistakes, because a file that is being edited is broken
//! for a while. Parsers that give no places would not do: findings point into these files.

use crate::{
    text::{Origin, Text},
    tree::SourceFile,
};

/// How deep values may nest.
const MAX_DEPTH: u32 = 100;
/// A file has at most so many values.
const MAX_VALUES: u32 = 2_000_000;

/// A value with the place it stands at.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) origin: Origin,
    pub(crate) value: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Text(Text),
    List(Vec<Node>),
    Dictionary(Vec<(Text, Node)>),
}

impl Node {
    /// The value of a key; of several equal keys, the last.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().rev().find(|(name, _)| name.text() == key).map(|(_, node)| node)
    }

    pub(crate) fn entries(&self) -> &[(Text, Node)] {
        if let Value::Dictionary(entries) = &self.value { entries } else { &[] }
    }

    pub(crate) fn items(&self) -> &[Node] {
        if let Value::List(items) = &self.value { items } else { &[] }
    }

    pub(crate) fn as_text(&self) -> Option<&Text> {
        if let Value::Text(text) = &self.value { Some(text) } else { None }
    }

    pub(crate) fn string(&self) -> Option<String> {
        self.as_text().map(Text::text)
    }

    /// The words of a text, or of the texts of a list.
    pub(crate) fn words(&self) -> Vec<Text> {
        match &self.value {
            Value::Text(text) => text.split_whitespace(),
            Value::List(items) => items.iter().filter_map(Node::as_text).cloned().collect(),
            Value::Dictionary(_) => Vec::new(),
        }
    }
}

/// Reads a file.
pub(crate) fn read(file: &SourceFile) -> Node {
    let mut reader = Reader { file, bytes: file.text.as_bytes(), at: 0, values: 0 };
    reader.node(0)
}

struct Reader<'a> {
    file: &'a SourceFile,
    bytes: &'a [u8],
    at: usize,
    values: u32,
}

impl Reader<'_> {
    fn skip_blank(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            let rest = &self.bytes[self.at..];
            if byte.is_ascii_whitespace() || rest.starts_with("\u{feff}".as_bytes()) {
                self.at += if byte.is_ascii_whitespace() { 1 } else { 3 };
            } else if rest.starts_with(b"//") {
                self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
            } else if rest.starts_with(b"/*") {
                let end = rest.windows(2).skip(2).position(|pair| pair == b"*/").map_or(rest.len(), |end| end + 4);
                self.at += end;
            } else {
                break;
            }
        }
    }

    fn node(&mut self, depth: u32) -> Node {
        self.skip_blank();
        let start = self.at;
        self.values += 1;
        let is_over = depth > MAX_DEPTH || self.values > MAX_VALUES;
        if is_over {
            self.at = self.bytes.len();
        }
        let value = match self.bytes.get(self.at) {
            Some(b'{') => self.dictionary(depth),
            Some(&open @ (b'(' | b'[')) => self.list(if open == b'(' { b')' } else { b']' }, depth),
            _ => Value::Text(self.text()),
        };
        Node { origin: Origin::new(self.file.id, start, self.at.max(start)), value }
    }

    fn dictionary(&mut self, depth: u32) -> Value {
        self.at += 1;
        let mut entries = Vec::new();
        loop {
            self.skip_blank();
            match self.bytes.get(self.at) {
                None => break,
                Some(b'}') => {
                    self.at += 1;
                    break;
                }
                Some(b';' | b',' | b')' | b']' | b'=' | b':') => {
                    self.at += 1;
                    continue;
                }
                Some(b'{' | b'(' | b'[') => {
                    // A value without a key: read to keep the place.
                    self.node(depth + 1);
                    continue;
                }
                _ => {}
            }
            let before = self.at;
            let key = self.text();
            self.skip_blank();
            if matches!(self.bytes.get(self.at), Some(b'=' | b':')) {
                self.at += 1;
                let node = self.node(depth + 1);
                entries.push((key, node));
            } else if self.at == before {
                self.at += 1;
            }
        }
        Value::Dictionary(entries)
    }

    fn list(&mut self, close: u8, depth: u32) -> Value {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.skip_blank();
            match self.bytes.get(self.at) {
                None => break,
                Some(&byte) if byte == close => {
                    self.at += 1;
                    break;
                }
                Some(b',' | b';') => self.at += 1,
                Some(b'}' | b')' | b']') => break,
                _ => {
                    let before = self.at;
                    items.push(self.node(depth + 1));
                    if self.at == before {
                        self.at += 1;
                    }
                }
            }
        }
        Value::List(items)
    }

    /// A quoted or bare string.
    fn text(&mut self) -> Text {
        let Some(&quote) = self.bytes.get(self.at) else { return Text::default() };
        if quote != b'"' && quote != b'\'' {
            let start = self.at;
            while let Some(&byte) = self.bytes.get(self.at) {
                let is_comment = byte == b'/' && matches!(self.bytes.get(self.at + 1), Some(b'/' | b'*'));
                if byte.is_ascii_whitespace() || b"{}()[]=;,:\"'".contains(&byte) || is_comment {
                    break;
                }
                self.at += 1;
            }
            return self.file.slice(start..self.at);
        }
        self.at += 1;
        let mut text = Text::default();
        let mut start = self.at;
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte == quote {
                break;
            }
            if byte != b'\\' {
                self.at += 1;
                continue;
            }
            text.push_text(&self.file.slice(start..self.at));
            let origin = Origin::new(self.file.id, self.at, (self.at + 2).min(self.bytes.len()));
            let (decoded, length) = match self.bytes.get(self.at + 1) {
                Some(b'n') => ("\n".to_owned(), 2),
                Some(b't') => ("\t".to_owned(), 2),
                Some(b'u' | b'U') => {
                    let digits = self.file.text.get(self.at + 2..self.at + 6).unwrap_or_default();
                    let code = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
                    (code.unwrap_or('?').to_string(), if digits.is_empty() { 2 } else { 6 })
                }
                Some(byte) if byte.is_ascii() => (char::from(*byte).to_string(), 2),
                _ => (String::new(), 1),
            };
            text.push_known(decoded, origin);
            self.at = (self.at + length).min(self.bytes.len());
            start = self.at;
        }
        text.push_text(&self.file.slice(start..self.at));
        self.at = (self.at + 1).min(self.bytes.len());
        text
    }
}
