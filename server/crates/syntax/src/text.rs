//! The text of one document, editable and cheap to share.
//!
//! - A **text** is a rope. A clone shares everything with the original, so that a reader keeps the version that it began
//!   with while the owner goes on editing.
//! - An **offset** counts bytes of UTF-8 from the start, as `u32`. A text is therefore never longer than
//!   [`Text::MAX_LEN`]; what exceeds it is cut off.
//! - A **position** is a line and a column in some encoding.
//!
//! Offsets and positions outside the text mean the nearest place inside it: beyond the last line the end of the text,
//! beyond the last column the end of the line before its terminator, inside a character the start of the character.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use ropey::Rope;
use tree_sitter::{InputEdit, Point};

use crate::line_index::LineIndex;
use crate::position::{LineColumn, PositionEncoding};

/// The text of one document.
#[derive(Clone, Default)]
pub struct Text {
    rope: Rope,
    /// The whole text in one piece, made when somebody first asks for it.
    contiguous: OnceLock<Arc<str>>,
    /// The lines, likewise.
    lines: OnceLock<Arc<LineIndex>>,
}

/// What a [`Text::replace`] did, in offsets. The raw tree is told of it by [`RawTree::edit`](crate::RawTree::edit).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppliedEdit {
    /// The bytes that were replaced, in the text before the edit.
    pub replaced: Range<u32>,
    /// Length of what stands there now.
    pub new_len: u32,
    pub(crate) points: [Point; 3],
}

impl AppliedEdit {
    /// The bytes that are new, in the text behind the edit.
    pub fn inserted(&self) -> Range<u32> {
        self.replaced.start..self.replaced.start + self.new_len
    }

    pub(crate) fn to_input_edit(&self) -> InputEdit {
        let [start_position, old_end_position, new_end_position] = self.points;
        InputEdit {
            start_byte: self.replaced.start as usize,
            old_end_byte: self.replaced.end as usize,
            new_end_byte: self.inserted().end as usize,
            start_position,
            old_end_position,
            new_end_position,
        }
    }
}

impl Text {
    /// The greatest length in bytes: offsets and lengths fit `u32`.
    pub const MAX_LEN: usize = u32::MAX as usize;

    pub fn new(text: &str) -> Text {
        Text {
            rope: Rope::from_str(floor_str(text, Text::MAX_LEN)),
            contiguous: OnceLock::new(),
            lines: OnceLock::new(),
        }
    }

    /// A text that is in one piece already; it is what [`Text::to_str`] returns, as long as it is not too long.
    pub fn from_shared(text: Arc<str>) -> Text {
        let result = Text::new(&text);
        if result.len() as usize == text.len() {
            let _ = result.contiguous.set(text);
        }
        result
    }

    /// A file as it is on disk. Bytes that are not UTF-8 become U+001A, one for one, and their ranges are returned:
    /// every other byte keeps its offset.
    ///
    /// U+001A (SUBSTITUTE) is one byte long, begins no token, and ends neither a line nor a comment nor a string.
    pub fn from_bytes(bytes: &[u8]) -> (Text, Vec<Range<u32>>) {
        let bytes = &bytes[..bytes.len().min(Text::MAX_LEN)];
        let (text, invalid) = decode_utf8(bytes);
        (Text::from_shared(text.into()), invalid)
    }

    /// Length in bytes.
    pub fn len(&self) -> u32 {
        self.rope.len_bytes() as u32
    }

    pub fn is_empty(&self) -> bool {
        self.rope.len_bytes() == 0
    }

    /// Number of lines, at least 1: a terminator at the end is followed by one more, empty line.
    pub fn line_count(&self) -> u32 {
        self.rope.len_lines() as u32
    }

    /// The whole text in one piece. Linear the first time after an edit, then shared.
    pub fn to_str(&self) -> &Arc<str> {
        self.contiguous.get_or_init(|| {
            let mut text = String::with_capacity(self.rope.len_bytes());
            for chunk in self.rope.chunks() {
                text.push_str(chunk);
            }
            text.into()
        })
    }

    /// The lines of the text, for whoever asks for many positions. Linear the first time after an edit, then shared.
    pub fn lines(&self) -> &Arc<LineIndex> {
        self.lines.get_or_init(|| Arc::new(LineIndex::new(self.to_str())))
    }

    /// The whole text as bytes, which are those of [`Text::to_str`].
    pub fn to_bytes(&self) -> Arc<[u8]> {
        Arc::clone(self.to_str()).into()
    }

    /// The part of the text in `range`, borrowed where the rope holds it in one piece.
    pub fn slice(&self, range: Range<u32>) -> Cow<'_, str> {
        let range = self.clamp_range(range);
        Cow::from(self.rope.byte_slice(range.start as usize..range.end as usize))
    }

    /// The nearest offset that is inside the text and at the start of a character.
    pub fn clamp_offset(&self, offset: u32) -> u32 {
        let offset = offset.min(self.len()) as usize;
        self.rope.char_to_byte(self.rope.byte_to_char(offset)) as u32
    }

    /// Both ends clamped, and the end not before the start.
    pub fn clamp_range(&self, range: Range<u32>) -> Range<u32> {
        let start = self.clamp_offset(range.start);
        start..self.clamp_offset(range.end).max(start)
    }

    /// The bytes of a line without its terminator. The empty range at the end for lines beyond the last.
    pub fn line_range(&self, line: u32) -> Range<u32> {
        if line >= self.line_count() {
            return self.len()..self.len();
        }
        let start = self.rope.line_to_byte(line as usize);
        let end = self.rope.line_to_byte(line as usize + 1);
        let terminator = terminator_len(&self.rope, start, end);
        start as u32..(end - terminator) as u32
    }

    /// The position of an offset. Logarithmic. An offset inside a terminator has the position of the line's end.
    pub fn position(&self, offset: u32, encoding: PositionEncoding) -> LineColumn {
        if let Some(lines) = self.lines.get() {
            return lines.position(offset, encoding);
        }
        let offset = self.clamp_offset(offset) as usize;
        let line = self.rope.byte_to_line(offset) as u32;
        let range = self.line_range(line);
        let start = range.start as usize;
        let offset = offset.min(range.end as usize);
        let column = match encoding {
            PositionEncoding::Utf8 => offset - start,
            PositionEncoding::Utf16 => self.byte_to_utf16(offset) - self.byte_to_utf16(start),
            PositionEncoding::Utf32 => self.rope.byte_to_char(offset) - self.rope.byte_to_char(start),
        };
        LineColumn { line, column: column as u32 }
    }

    /// The offset of a position. Logarithmic.
    pub fn offset(&self, position: LineColumn, encoding: PositionEncoding) -> u32 {
        let line = self.line_range(position.line);
        if position.line >= self.line_count() {
            return line.start;
        }
        let (start, end) = (line.start as usize, line.end as usize);
        let column = position.column as usize;
        let offset = match encoding {
            PositionEncoding::Utf8 => {
                self.clamp_offset(line.end.min(line.start.saturating_add(position.column))) as usize
            }
            PositionEncoding::Utf16 => {
                let unit = (self.byte_to_utf16(start) + column).min(self.byte_to_utf16(end));
                self.rope.char_to_byte(self.rope.utf16_cu_to_char(unit))
            }
            PositionEncoding::Utf32 => {
                let character = (self.rope.byte_to_char(start) + column).min(self.rope.byte_to_char(end));
                self.rope.char_to_byte(character)
            }
        };
        offset as u32
    }

    /// Replaces the bytes of `range` by `new_text`. Logarithmic, but for one pass over the bytes before the edit.
    pub fn replace(&mut self, range: Range<u32>, new_text: &str) -> AppliedEdit {
        let range = self.clamp_range(range);
        let kept = self.rope.len_bytes() - (range.end - range.start) as usize;
        let new_text = floor_str(new_text, Text::MAX_LEN - kept);

        let start_point = advance_point(Point { row: 0, column: 0 }, self.chunks(0..range.start));
        let old_end_point = advance_point(start_point, self.chunks(range.clone()));
        let new_end_point = advance_point(start_point, std::iter::once(new_text));

        let start = self.rope.byte_to_char(range.start as usize);
        let end = self.rope.byte_to_char(range.end as usize);
        self.rope.remove(start..end);
        self.rope.insert(start, new_text);
        self.contiguous = OnceLock::new();
        self.lines = OnceLock::new();

        AppliedEdit {
            replaced: range,
            new_len: new_text.len() as u32,
            points: [start_point, old_end_point, new_end_point],
        }
    }

    /// Replaces what stands between two positions; with `None`, everything. This is one LSP content change.
    pub fn replace_positions(
        &mut self,
        range: Option<Range<LineColumn>>,
        encoding: PositionEncoding,
        new_text: &str,
    ) -> AppliedEdit {
        let range = match range {
            Some(range) => self.offset(range.start, encoding)..self.offset(range.end, encoding),
            None => 0..self.len(),
        };
        self.replace(range, new_text)
    }

    /// The piece of the rope that holds `offset`, from there on; empty at the end.
    pub(crate) fn chunk_from(&self, offset: usize) -> &str {
        if offset >= self.rope.len_bytes() {
            return "";
        }
        let (chunk, start, _, _) = self.rope.chunk_at_byte(offset);
        // tree-sitter may ask for the middle of a character only if it was given one; floor for safety.
        let mut at = offset - start;
        while !chunk.is_char_boundary(at) {
            at -= 1;
        }
        &chunk[at..]
    }

    fn chunks(&self, range: Range<u32>) -> impl Iterator<Item = &str> {
        self.rope.byte_slice(range.start as usize..range.end as usize).chunks()
    }

    fn byte_to_utf16(&self, offset: usize) -> usize {
        self.rope.char_to_utf16_cu(self.rope.byte_to_char(offset))
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        self.rope == other.rope
    }
}

impl Eq for Text {}

impl std::fmt::Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Text({:?})", self.rope)
    }
}

/// Decodes UTF-8; every byte of an invalid sequence becomes U+001A. See [`Text::from_bytes`].
pub fn decode_utf8(bytes: &[u8]) -> (Cow<'_, str>, Vec<Range<u32>>) {
    if let Ok(text) = str::from_utf8(bytes) {
        return (Cow::Borrowed(text), Vec::new());
    }
    let mut text = String::with_capacity(bytes.len());
    let mut invalid: Vec<Range<u32>> = Vec::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if chunk.invalid().is_empty() {
            continue;
        }
        let start = text.len() as u32;
        text.extend(chunk.invalid().iter().map(|_| '\u{1A}'));
        let end = text.len() as u32;
        match invalid.last_mut() {
            Some(last) if last.end == start => last.end = end,
            _ => invalid.push(start..end),
        }
    }
    (Cow::Owned(text), invalid)
}

/// `text` cut to at most `max` bytes, not inside a character.
pub(crate) fn floor_str(text: &str, max: usize) -> &str {
    let mut end = text.len().min(max);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Length of the terminator at the end of the line `start..end`, which includes it.
fn terminator_len(rope: &Rope, start: usize, end: usize) -> usize {
    let byte = |at: usize| (at > start).then(|| rope.byte(at - 1));
    match byte(end) {
        Some(b'\n') if end - start >= 2 && byte(end - 1) == Some(b'\r') => 2,
        Some(b'\n' | b'\r') => 1,
        _ => 0,
    }
}

/// tree-sitter's rows end at LF only, other than the lines of LSP, so they are counted apart.
fn advance_point<'a>(mut point: Point, chunks: impl Iterator<Item = &'a str>) -> Point {
    for chunk in chunks {
        match chunk.bytes().rposition(|byte| byte == b'\n') {
            Some(last) => {
                point.row += chunk.bytes().filter(|&byte| byte == b'\n').count();
                point.column = chunk.len() - last - 1;
            }
            None => point.column += chunk.len(),
        }
    }
    point
}
