//! Edits built from tokens.

use msl_db::{BodyPlace, Db, Unit};
use msl_diagnostics::{Place, TextEdit};
use msl_parser::ast::TokenRange;

use crate::places::TokenPlaces;

/// Why something cannot be edited.
const IN_A_MACRO: &str = "it stands in the definition of a macro, which is the same for all its uses";

/// Collects the edits of one change. What cannot be edited makes the whole change a refusal.
pub(crate) struct EditBuilder<'a> {
    places: TokenPlaces<'a>,
    edits: Vec<TextEdit>,
    refusal: Option<String>,
}

impl<'a> EditBuilder<'a> {
    pub(crate) fn new(db: &'a dyn Db, unit: Unit) -> EditBuilder<'a> {
        EditBuilder { places: TokenPlaces::of(db, unit), edits: Vec::new(), refusal: None }
    }

    /// Inserts right behind a token.
    pub(crate) fn insert_behind(&mut self, body: Option<BodyPlace>, token: u32, text: &str) {
        self.edit(body, TokenRange::new(token + 1, token + 1), true, text);
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

/// Edits in order of place, each once.
pub(crate) fn merged(mut edits: Vec<TextEdit>) -> Vec<TextEdit> {
    let key = |edit: &TextEdit| -> (Place, String) { (edit.place.clone(), edit.new_text.clone()) };
    edits.sort_by_key(key);
    edits.dedup();
    edits
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
