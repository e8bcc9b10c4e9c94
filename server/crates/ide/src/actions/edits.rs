//! Edits built from tokens.

use std::sync::Arc;

use msl_db::{BodyPlace, Db, Unit};
use msl_diagnostics::{Place, TextEdit, TextRange};
use msl_parser::ast::TokenRange;

use crate::places::TokenPlaces;

/// Why something cannot be edited.
const IN_A_MACRO: &str = "it stands in the definition of a macro, which is the same for all its uses";

/// Collects the edits of one change. What cannot be edited makes the whole change a refusal.
pub(crate) struct EditBuilder<'a> {
    db: &'a dyn Db,
    places: TokenPlaces<'a>,
    edits: Vec<TextEdit>,
    refusal: Option<String>,
}

impl<'a> EditBuilder<'a> {
    pub(crate) fn new(db: &'a dyn Db, unit: Unit) -> EditBuilder<'a> {
        EditBuilder { db, places: TokenPlaces::of(db, unit), edits: Vec::new(), refusal: None }
    }

    /// Inserts right behind a token.
    pub(crate) fn insert_behind(&mut self, body: Option<BodyPlace>, token: u32, text: &str) {
        self.edit(body, TokenRange::new(token + 1, token + 1), true, text);
    }

    /// Inserts right before a token.
    pub(crate) fn insert_before(&mut self, body: Option<BodyPlace>, token: u32, text: &str) {
        self.edit(body, TokenRange::new(token, token), false, text);
    }

    /// Replaces a run of tokens.
    pub(crate) fn replace(&mut self, body: Option<BodyPlace>, range: TokenRange, text: &str) {
        self.edit(body, range, false, text);
    }

    /// Edits a range of a file that does not stand for tokens.
    pub(crate) fn replace_text(&mut self, place: Place, text: &str) {
        self.edits.push(TextEdit { place, new_text: text.to_owned() });
    }

    /// Takes a word out, with the white space that separates it from the next one on its line, else from the one before.
    pub(crate) fn remove_word(&mut self, body: Option<BodyPlace>, token: u32) {
        let Some(mut place) = self.places.editable(body, TokenRange::new(token, token + 1), false) else {
            return self.refuse(IN_A_MACRO);
        };
        let text = self.text(&place.path);
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        let (start, end) = (place.range.start as usize, place.range.end as usize);
        let behind = text[end..].iter().take_while(|byte| is_blank(byte)).count();
        let is_last = text[end + behind..].first().is_none_or(|byte| matches!(byte, b'\n' | b'\r'));
        if behind > 0 && !is_last {
            place.range.end += behind as u32;
        } else {
            place.range.start -= text[..start].iter().rev().take_while(|byte| is_blank(byte)).count() as u32;
        }
        self.edits.push(TextEdit { place, new_text: String::new() });
    }

    /// The place of a run of tokens that the author typed in one file.
    pub(crate) fn place(&self, body: Option<BodyPlace>, range: TokenRange) -> Option<Place> {
        self.places.editable(body, range, false)
    }

    /// The text of a file of the unit.
    pub(crate) fn text(&self, path: &str) -> Arc<[u8]> {
        self.db.source_file(path).content(self.db).text().cloned().unwrap_or_default()
    }

    /// The change cannot be made.
    pub(crate) fn refuse(&mut self, reason: impl Into<String>) {
        self.refusal.get_or_insert_with(|| reason.into());
    }

    /// The edits, each once and in order of place; or why there are none.
    pub(crate) fn finish(self) -> Result<Vec<TextEdit>, String> {
        if let Some(reason) = self.refusal {
            return Err(reason);
        }
        Ok(merged(self.edits))
    }

    fn edit(&mut self, body: Option<BodyPlace>, range: TokenRange, after: bool, text: &str) {
        match self.places.editable(body, range, after) {
            Some(place) => self.edits.push(TextEdit { place, new_text: text.to_owned() }),
            None => self.refuse(IN_A_MACRO),
        }
    }
}

/// Edits in order of place, each once; removals that touch are one.
pub(crate) fn merged(mut edits: Vec<TextEdit>) -> Vec<TextEdit> {
    let key = |edit: &TextEdit| -> (Place, String) { (edit.place.clone(), edit.new_text.clone()) };
    edits.sort_by_key(key);
    edits.dedup();
    let mut result: Vec<TextEdit> = Vec::with_capacity(edits.len());
    for edit in edits {
        match result.last_mut() {
            Some(last)
                if last.new_text.is_empty()
                    && edit.new_text.is_empty()
                    && last.place.path == edit.place.path
                    && edit.place.range.start <= last.place.range.end =>
            {
                last.place.range.end = last.place.range.end.max(edit.place.range.end);
            }
            _ => result.push(edit),
        }
    }
    result
}

/// From the start of the line that a declaration starts on to the end of the one that it ends on, line break included, if
/// it has these lines for itself; a comment behind it goes with it.
pub(crate) fn whole_lines(text: &[u8], range: TextRange) -> TextRange {
    let (start, end) = (range.start as usize, range.end as usize);
    let line = line_start(text, start);
    let is_first = text[line..start].iter().all(u8::is_ascii_whitespace);
    let rest = &text[end..];
    let length = rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |newline| newline + 1);
    let behind = rest[..length].trim_ascii();
    if is_first && (behind.is_empty() || behind.starts_with(b"//")) {
        return TextRange::new(line as u32, (end + length) as u32);
    }
    range
}

/// Where the line that an offset lies in starts.
pub(crate) fn line_start(text: &[u8], offset: usize) -> usize {
    text[..offset].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1)
}

/// The white space that a line starts with.
pub(crate) fn indentation(text: &[u8], offset: usize) -> String {
    let line = line_start(text, offset);
    let blanks = text[line..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    String::from_utf8_lossy(&text[line..line + blanks]).into_owned()
}

/// A text after edits of it, which must be in order of place and must not overlap.
pub fn apply<'e>(text: &[u8], edits: impl Iterator<Item = &'e TextEdit>) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        let (start, end) = (edit.place.range.start as usize, edit.place.range.end as usize);
        result.extend_from_slice(&text[at.min(text.len())..start.clamp(at.min(text.len()), text.len())]);
        result.extend_from_slice(edit.new_text.as_bytes());
        at = end.max(at);
    }
    result.extend_from_slice(&text[at.min(text.len())..]);
    result
}
