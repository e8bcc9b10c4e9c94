//! Positions in text, in the units of whoever asks.

/// The unit in which a column is counted. LSP calls it the position encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PositionEncoding {
    /// Bytes of UTF-8.
    Utf8,
    /// Code units of UTF-16: two for a character beyond U+FFFF. LSP's default.
    Utf16,
    /// Unicode scalar values.
    Utf32,
}

impl PositionEncoding {
    /// All of them, for tests and tables.
    pub const ALL: [PositionEncoding; 3] = [PositionEncoding::Utf8, PositionEncoding::Utf16, PositionEncoding::Utf32];

    /// The width of `character` in this encoding.
    pub fn width(self, character: char) -> u32 {
        match self {
            PositionEncoding::Utf8 => character.len_utf8() as u32,
            PositionEncoding::Utf16 => character.len_utf16() as u32,
            PositionEncoding::Utf32 => 1,
        }
    }
}

/// A line and a column, both counted from 0. The column's unit is that of the [`PositionEncoding`] beside it.
///
/// A line ends at LF, CR LF or CR; its terminator has no column of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineColumn {
    pub line: u32,
    pub column: u32,
}

impl LineColumn {
    pub fn new(line: u32, column: u32) -> LineColumn {
        LineColumn { line, column }
    }
}
