//! Text that remembers where it was written.
//!
//! What a build tool finally runs is put together from pieces: a flag in a rule, its value in a variable, the variable
//! in another file. [`Text`] keeps the origin of each piece through every expansion, so that a finding can point at
//! both the flag and the value, and a fix can change the value where it stands.
//!
//! A piece whose value is not known stays in the text as a marked spelling. Two unknown pieces with the same spelling
//! are equal, which is how `$OUT/a.air` of a compile meets `$OUT/a.air` of a link although nobody knows `$OUT`.

/// Begins the spelling of a piece whose value is not known.
pub(crate) const UNKNOWN_MARK: char = '\u{1}';
/// Ends it.
const UNKNOWN_END: char = '\u{2}';

/// A text is cut when it grows beyond so many bytes: variables that contain each other grow exponentially.
const MAX_BYTES: usize = 1 << 16;
/// A text has at most so many pieces.
const MAX_PIECES: usize = 1 << 14;

/// A range of bytes of a file, by the index of the file in its [`crate::Project`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Origin {
    pub(crate) file: u32,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Origin {
    pub(crate) fn new(file: u32, start: usize, end: usize) -> Origin {
        Origin { file, start: start as u32, end: end as u32 }
    }

    fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// From the start of one to the end of the other, if they are in one file.
    pub(crate) fn cover(self, other: Origin) -> Origin {
        if self.file != other.file {
            return self;
        }
        Origin { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// How much is known of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// The text is the value.
    Yes,
    /// The value is not known; it is part of one word.
    NotTheValue,
    /// Neither the value nor the number of words it stands for is known.
    NotTheWords,
}

/// Text with one origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) origin: Origin,
    pub(crate) known: Known,
}

/// Text put together from pieces.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Text {
    pieces: Vec<Piece>,
    bytes: usize,
}

impl Text {
    pub(crate) fn known(text: impl Into<String>, origin: Origin) -> Text {
        let mut result = Text::default();
        result.push_known(text, origin);
        result
    }

    /// A single piece that is not known, spelled as in its file.
    pub(crate) fn unknown(spelling: &str, origin: Origin, known: Known) -> Text {
        let mut result = Text::default();
        result.push_unknown(spelling, origin, known);
        result
    }

    pub(crate) fn push_known(&mut self, text: impl Into<String>, origin: Origin) {
        let text: String = text.into();
        if text.is_empty() {
            return;
        }
        if let Some(last) = self.pieces.last_mut()
            && last.known == Known::Yes
            && last.origin.file == origin.file
            && last.origin.end == origin.start
            && last.origin.len() == last.text.len()
            && origin.len() == text.len()
            && self.bytes < MAX_BYTES
        {
            self.bytes += text.len();
            last.text.push_str(&text);
            last.origin.end = origin.end;
            return;
        }
        self.push_piece(Piece { text, origin, known: Known::Yes });
    }

    pub(crate) fn push_unknown(&mut self, spelling: &str, origin: Origin, known: Known) {
        let text = format!("{UNKNOWN_MARK}{}{UNKNOWN_END}", spelling.replace([UNKNOWN_MARK, UNKNOWN_END], ""));
        self.push_piece(Piece { text, origin, known });
    }

    pub(crate) fn push_piece(&mut self, piece: Piece) {
        if self.bytes + piece.text.len() > MAX_BYTES || self.pieces.len() >= MAX_PIECES {
            return;
        }
        self.bytes += piece.text.len();
        self.pieces.push(piece);
    }

    pub(crate) fn push_text(&mut self, text: &Text) {
        for piece in &text.pieces {
            match piece.known {
                Known::Yes => self.push_known(piece.text.clone(), piece.origin),
                _ => self.push_piece(piece.clone()),
            }
        }
    }

    /// What handling the text costs, in the units of the readers' fuel.
    pub(crate) fn cost(&self) -> u32 {
        1 + (self.bytes / 64 + self.pieces.len() / 4) as u32
    }

    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Whether every piece is known.
    pub(crate) fn is_known(&self) -> bool {
        self.pieces.iter().all(|piece| piece.known == Known::Yes)
    }

    /// The text; unknown pieces are marked.
    pub(crate) fn text(&self) -> String {
        self.pieces.iter().map(|piece| piece.text.as_str()).collect()
    }

    /// The text, if all of it is known.
    pub(crate) fn value(&self) -> Option<String> {
        self.is_known().then(|| self.text())
    }

    /// The text for people: unknown pieces as they are spelled.
    pub(crate) fn spelling(&self) -> String {
        self.text().replace([UNKNOWN_MARK, UNKNOWN_END], "")
    }

    /// Where the text was written; the first piece's file, from its first to its last piece there.
    pub(crate) fn origin(&self) -> Option<Origin> {
        let first = self.pieces.first()?.origin;
        let near = self.pieces.iter().take_while(|piece| piece.origin.file == first.file).map(|piece| piece.origin);
        // Pieces that were written elsewhere in the file would stretch the range over unrelated lines.
        Some(near.fold(first, |all, next| if next.start == all.end { all.cover(next) } else { all }))
    }

    /// The bytes `range` of the text, with their origins.
    pub(crate) fn slice(&self, range: std::ops::Range<usize>) -> Text {
        let mut result = Text::default();
        let mut at = 0;
        for piece in &self.pieces {
            let end = at + piece.text.len();
            let from = range.start.max(at);
            let to = range.end.min(end);
            if from < to {
                if let (Known::Yes, Some(part)) = (piece.known, piece.text.get(from - at..to - at)) {
                    let exact = piece.origin.len() == piece.text.len();
                    let origin = if exact {
                        Origin {
                            file: piece.origin.file,
                            start: piece.origin.start + (from - at) as u32,
                            end: piece.origin.start + (to - at) as u32,
                        }
                    } else {
                        piece.origin
                    };
                    result.push_known(part, origin);
                } else if from == at && to == end {
                    result.push_piece(piece.clone());
                }
            }
            at = end;
        }
        result
    }

    /// The text after `prefix`.
    pub(crate) fn strip_prefix(&self, prefix: &str) -> Option<Text> {
        let text = self.text();
        text.starts_with(prefix).then(|| self.slice(prefix.len()..text.len()))
    }

    /// Splits at white space; unknown pieces are not looked into.
    pub(crate) fn split_whitespace(&self) -> Vec<Text> {
        self.split(|c| c.is_whitespace()).into_iter().filter(|word| !word.is_empty()).collect()
    }

    /// Splits at each character that `separates`; unknown pieces are not looked into.
    pub(crate) fn split(&self, separates: impl Fn(char) -> bool) -> Vec<Text> {
        let mut parts = vec![Text::default()];
        let mut at = 0;
        for piece in &self.pieces {
            if piece.known == Known::Yes {
                let mut start = 0;
                for (offset, character) in piece.text.char_indices().filter(|&(_, c)| separates(c)) {
                    let part = self.slice(at + start..at + offset);
                    if let Some(last) = parts.last_mut() {
                        last.push_text(&part);
                    }
                    parts.push(Text::default());
                    start = offset + character.len_utf8();
                }
                let part = self.slice(at + start..at + piece.text.len());
                if let Some(last) = parts.last_mut() {
                    last.push_text(&part);
                }
            } else if let Some(last) = parts.last_mut() {
                last.push_piece(piece.clone());
            }
            at += piece.text.len();
        }
        parts
    }

    /// The text without white space around it.
    pub(crate) fn trim(&self) -> Text {
        let text = self.text();
        let start = text.len() - text.trim_start().len();
        self.slice(start..start + text.trim().len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_keep_exact_origins() {
        let mut text = Text::known("-std=", Origin::new(0, 10, 15));
        text.push_known("metal4.1", Origin::new(1, 3, 11));
        let value = text.strip_prefix("-std=").unwrap();
        assert_eq!(value.value().unwrap(), "metal4.1");
        assert_eq!(value.origin(), Some(Origin::new(1, 3, 11)));
        assert_eq!(value.slice(5..8).origin(), Some(Origin::new(1, 8, 11)));
    }

    #[test]
    fn unknown_pieces_are_equal_by_spelling() {
        let word = |start| {
            let mut word = Text::unknown("$OUT", Origin::new(0, start, start + 4), Known::NotTheValue);
            word.push_known("/a b", Origin::new(0, start + 4, start + 8));
            word
        };
        assert_eq!(word(3).text(), word(40).text());
        assert_eq!(word(3).value(), None);
        let parts = word(3).split_whitespace();
        assert_eq!(parts.iter().map(Text::spelling).collect::<Vec<_>>(), ["$OUT/a", "b"]);
    }
}
