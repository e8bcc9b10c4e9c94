//! Lines and columns of a text that does not change: built once in linear time, asked in logarithmic time.
//!
//! [`Text`](crate::Text) answers the same questions about an open document; this is for texts of which only the string
//! is at hand, such as files on disk. Both clamp in the same way.

use std::ops::Range;

use crate::position::{LineColumn, PositionEncoding};
use crate::text::{Text, floor_str};

/// The line starts of a text and its characters beyond ASCII.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineIndex {
    len: u32,
    lines: Vec<Line>,
    /// In the order of their offsets. Empty for most sources.
    wide: Vec<WideCharacter>,
}

/// Offsets of one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Line {
    start: u32,
    /// Before the terminator.
    end: u32,
}

/// A character that takes more than one byte in UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct WideCharacter {
    offset: u32,
    /// Bytes of UTF-8: 2 to 4.
    len: u32,
    /// How many more bytes than UTF-16 units, and than characters, the text has before this one.
    saved_utf16: u32,
    saved_utf32: u32,
}

impl LineIndex {
    /// Indexes `text`, of which only the first [`Text::MAX_LEN`] bytes count.
    pub fn new(text: &str) -> LineIndex {
        let bytes = floor_str(text, Text::MAX_LEN).as_bytes();
        let mut lines = Vec::new();
        let mut wide = Vec::new();
        let (mut saved_utf16, mut saved_utf32) = (0, 0);
        let (mut start, mut at) = (0, 0);
        while at < bytes.len() {
            let terminator = match bytes[at] {
                b'\n' => 1,
                b'\r' if bytes.get(at + 1) == Some(&b'\n') => 2,
                b'\r' => 1,
                byte if byte < 0x80 => {
                    at += 1;
                    continue;
                }
                lead => {
                    let len = if lead >= 0xF0 {
                        4
                    } else if lead >= 0xE0 {
                        3
                    } else {
                        2
                    };
                    wide.push(WideCharacter { offset: at as u32, len, saved_utf16, saved_utf32 });
                    saved_utf16 += if len == 4 { 2 } else { len - 1 };
                    saved_utf32 += len - 1;
                    at += len as usize;
                    continue;
                }
            };
            lines.push(Line { start: start as u32, end: at as u32 });
            at += terminator;
            start = at;
        }
        let len = bytes.len() as u32;
        lines.push(Line { start: (start as u32).min(len), end: len });
        LineIndex { len, lines, wide }
    }

    /// Length of the text in bytes.
    pub fn len(&self) -> u32 {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Number of lines, at least 1.
    pub fn line_count(&self) -> u32 {
        self.lines.len() as u32
    }

    /// The bytes of a line without its terminator. The empty range at the end for lines beyond the last.
    pub fn line_range(&self, line: u32) -> Range<u32> {
        self.lines.get(line as usize).map_or(self.len..self.len, |line| line.start..line.end)
    }

    /// The line that an offset is in; a terminator belongs to the line that it ends.
    pub fn line_of(&self, offset: u32) -> u32 {
        self.lines.partition_point(|line| line.start <= offset) as u32 - 1
    }

    /// The position of an offset. An offset inside a terminator has the position of the line's end.
    pub fn position(&self, offset: u32, encoding: PositionEncoding) -> LineColumn {
        self.position_in(self.line_of(offset), offset, encoding)
    }

    /// [`LineIndex::position`] of an offset that is known to be in `line`, which must exist.
    pub fn position_in(&self, line: u32, offset: u32, encoding: PositionEncoding) -> LineColumn {
        let Line { start, end } = self.lines[line as usize];
        let offset = self.floor_offset(offset.min(end));
        LineColumn { line, column: self.units(offset, encoding) - self.units(start, encoding) }
    }

    /// The offset of a position.
    pub fn offset(&self, position: LineColumn, encoding: PositionEncoding) -> u32 {
        let Some(&Line { start, end }) = self.lines.get(position.line as usize) else { return self.len };
        let units = self.units(start, encoding).saturating_add(position.column).min(self.units(end, encoding));
        // The last wide character that begins at or before the place decides how many bytes are ahead of the units.
        let before = self.wide.partition_point(|wide| wide.units(encoding) <= units);
        let Some(wide) = before.checked_sub(1).map(|last| &self.wide[last]) else { return units };
        let behind = wide.units(encoding) + wide.width(encoding);
        if units < behind { wide.offset } else { wide.offset + wide.len + (units - behind) }
    }

    /// The start of the character that holds `offset`.
    fn floor_offset(&self, offset: u32) -> u32 {
        if self.wide.is_empty() {
            return offset;
        }
        let before = self.wide.partition_point(|wide| wide.offset <= offset);
        match before.checked_sub(1).map(|last| &self.wide[last]) {
            Some(wide) if offset < wide.offset + wide.len => wide.offset,
            _ => offset,
        }
    }

    /// How many units of `encoding` stand before `offset`, which is at the start of a character.
    fn units(&self, offset: u32, encoding: PositionEncoding) -> u32 {
        if self.wide.is_empty() || encoding == PositionEncoding::Utf8 {
            return offset;
        }
        let before = self.wide.partition_point(|wide| wide.offset < offset);
        match before.checked_sub(1).map(|last| &self.wide[last]) {
            Some(wide) => wide.units(encoding) + wide.width(encoding) + (offset - wide.offset - wide.len),
            None => offset,
        }
    }
}

impl WideCharacter {
    /// Units before this character.
    fn units(&self, encoding: PositionEncoding) -> u32 {
        match encoding {
            PositionEncoding::Utf8 => self.offset,
            PositionEncoding::Utf16 => self.offset - self.saved_utf16,
            PositionEncoding::Utf32 => self.offset - self.saved_utf32,
        }
    }

    /// Units of this character.
    fn width(&self, encoding: PositionEncoding) -> u32 {
        match encoding {
            PositionEncoding::Utf8 => self.len,
            PositionEncoding::Utf16 => {
                if self.len == 4 {
                    2
                } else {
                    1
                }
            }
            PositionEncoding::Utf32 => 1,
        }
    }
}
