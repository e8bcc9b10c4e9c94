//! The text around a statement.

use std::sync::Arc;

use msl_diagnostics::{Place, TextEdit, TextRange};
use msl_parser::ast::*;

use super::super::edits::{indentation, line_start};
use crate::view::{Layer, View};

/// A statement as it stands in its file.
pub(super) struct Written {
    pub(super) place: Place,
    pub(super) text: Arc<[u8]>,
}

impl Written {
    /// A range of a file that the unit enters.
    pub(super) fn at(view: &View<'_>, place: Place) -> Option<Written> {
        let text = Arc::clone(view.text(&place.path)?);
        Some(Written { place, text })
    }

    /// `None` unless the author typed the first and last of the tokens, in one file.
    pub(super) fn of(view: &View<'_>, layer: &Layer<'_>, tokens: TokenRange) -> Option<Written> {
        Written::at(view, view.places.editable(layer.body, tokens, false)?)
    }

    /// The text of the tokens.
    pub(super) fn spelled(&self) -> String {
        let range = self.place.range;
        String::from_utf8_lossy(&self.text[range.start as usize..range.end as usize]).into_owned()
    }

    /// The white space that its first line starts with.
    pub(super) fn indent(&self) -> String {
        indentation(&self.text, self.place.range.start as usize)
    }

    /// Whether nothing stands before it on its line.
    pub(super) fn starts_line(&self) -> bool {
        let start = self.place.range.start as usize;
        self.text[line_start(&self.text, start)..start].iter().all(u8::is_ascii_whitespace)
    }

    /// The line break of the file.
    pub(super) fn newline(&self) -> &'static str {
        if self.text.windows(2).any(|pair| pair == b"\r\n") { "\r\n" } else { "\n" }
    }

    /// Puts a statement in front of this one, on a line of its own if this one has that.
    pub(super) fn before(&self, statement: &str) -> TextEdit {
        let start = self.place.range.start;
        let new_text = match self.starts_line() {
            true => format!("{statement}{}{}", self.newline(), self.indent()),
            false => format!("{statement} "),
        };
        TextEdit { place: Place { path: self.place.path.clone(), range: TextRange::new(start, start) }, new_text }
    }

    /// Puts text right behind it.
    pub(super) fn behind(&self, text: String) -> TextEdit {
        let end = self.place.range.end;
        TextEdit { place: Place { path: self.place.path.clone(), range: TextRange::new(end, end) }, new_text: text }
    }

    /// Its text with another indentation of the lines behind the first.
    pub(super) fn indented(&self, indent: &str) -> String {
        let (old, text) = (self.indent(), self.spelled());
        let mut lines = text.split('\n');
        let mut out = lines.next().unwrap_or_default().to_owned();
        for line in lines {
            out.push('\n');
            match line.strip_prefix(&old) {
                Some(rest) if !rest.trim().is_empty() => {
                    out.push_str(indent);
                    out.push_str(rest);
                }
                _ => out.push_str(line),
            }
        }
        out
    }
}

/// Whether a text has lines that choose or define what others are; pragmas are statements.
pub(super) fn has_directives(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with('#') && !line.trim_start().starts_with("#pragma"))
}
