//! Texts of files, and positions in them as output formats count them.

use std::sync::Arc;

use msl_diagnostics::Place;
use msl_ide::file_system::FileSystem;
use rustc_hash::FxHashMap;

/// The texts that findings point into, read once.
pub(crate) struct Sources {
    files: Arc<dyn FileSystem>,
    texts: FxHashMap<Arc<str>, Arc<SourceText>>,
}

/// A text with its line starts.
pub(crate) struct SourceText {
    pub(crate) bytes: Arc<[u8]>,
    line_starts: Vec<u32>,
}

/// A position, counted from zero; what columns count is the caller's choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineColumn {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// What columns count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnUnit {
    Utf8Bytes,
    Utf16Units,
    Characters,
}

impl Sources {
    pub(crate) fn new(files: Arc<dyn FileSystem>) -> Sources {
        Sources { files, texts: FxHashMap::default() }
    }

    /// The text at a path; empty if it cannot be read any more.
    pub(crate) fn text(&mut self, path: &Arc<str>) -> Arc<SourceText> {
        let files = &self.files;
        let read = || Arc::new(SourceText::new(files.read(path).unwrap_or_default()));
        self.texts.entry(path.clone()).or_insert_with(read).clone()
    }

    /// Start and end of a place.
    pub(crate) fn positions(&mut self, place: &Place, unit: ColumnUnit) -> (LineColumn, LineColumn) {
        let text = self.text(&place.path);
        (text.position(place.range.start, unit), text.position(place.range.end, unit))
    }
}

impl SourceText {
    pub(crate) fn new(bytes: Arc<[u8]>) -> SourceText {
        let newlines = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect();
        SourceText { bytes, line_starts }
    }

    /// The position of a byte offset; one past the end counts as the end.
    pub(crate) fn position(&self, offset: u32, unit: ColumnUnit) -> LineColumn {
        let offset = offset.min(self.bytes.len() as u32);
        let line = self.line_starts.partition_point(|&start| start <= offset) - 1;
        let before = &self.bytes[self.line_starts[line] as usize..offset as usize];
        let column = match unit {
            ColumnUnit::Utf8Bytes => before.len(),
            ColumnUnit::Characters => String::from_utf8_lossy(before).chars().count(),
            ColumnUnit::Utf16Units => String::from_utf8_lossy(before).encode_utf16().count(),
        };
        LineColumn { line: line as u32, column: column as u32 }
    }

    /// The offset of a position with a column in bytes, if the text has it.
    pub(crate) fn offset(&self, position: LineColumn) -> Option<u32> {
        let range = self.line_range(position.line)?;
        let offset = range.start + position.column as usize;
        (offset <= range.end).then_some(offset as u32)
    }

    /// The bytes of a line, without its line end.
    pub(crate) fn line_range(&self, line: u32) -> Option<std::ops::Range<usize>> {
        let start = *self.line_starts.get(line as usize)? as usize;
        let end = self.line_starts.get(line as usize + 1).map_or(self.bytes.len(), |&next| next as usize - 1);
        let end = if end > start && self.bytes[end - 1] == b'\r' { end - 1 } else { end };
        Some(start..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_in_each_unit() {
        let text = SourceText::new("a\r\n\u{e9}\u{1F600}x\n".as_bytes().into());
        let at = |offset, unit| {
            let position = text.position(offset, unit);
            (position.line, position.column)
        };
        assert_eq!(at(9, ColumnUnit::Utf8Bytes), (1, 6));
        assert_eq!(at(9, ColumnUnit::Utf16Units), (1, 3));
        assert_eq!(at(9, ColumnUnit::Characters), (1, 2));
        assert_eq!(at(99, ColumnUnit::Utf8Bytes), (2, 0));
        assert_eq!(text.line_range(0), Some(0..1));
        assert_eq!(text.offset(LineColumn { line: 1, column: 6 }), Some(9));
        assert_eq!(text.offset(LineColumn { line: 1, column: 60 }), None);
        assert_eq!(text.offset(LineColumn { line: 7, column: 0 }), None);
    }
}
