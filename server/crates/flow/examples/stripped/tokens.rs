//! Where the tokens of a unit's trees stand in files.

use std::ops::Range;
use std::sync::Arc;

use msl_db::{BodyPlace, Database, Db, Layout, Unit, parsed_decls, preprocessed, split_unit};
use msl_parser::ast::TokenRange;
use msl_preproc::{Preprocessed, SpellingKind};

/// A place in a file: path, offset of its first byte, offset behind its last one.
pub(crate) type Place = (Arc<str>, Range<u32>);

/// Turns token numbers into places.
#[derive(Clone, Copy)]
pub(crate) struct Tokens<'a> {
    db: &'a Database,
    preprocessed: &'a Preprocessed,
    layout: &'a Layout,
    stream: TokenRange,
}

impl<'a> Tokens<'a> {
    pub(crate) fn of(db: &'a Database, unit: Unit) -> Tokens<'a> {
        let ast = &parsed_decls(db, unit).ast;
        Tokens {
            db,
            preprocessed: preprocessed(db, unit),
            layout: split_unit(db, unit).layout(db),
            stream: TokenRange::new(ast.start().tokens, ast.end().tokens),
        }
    }

    fn expanded(&self, body: Option<BodyPlace>, token: u32) -> Option<usize> {
        if token >= self.stream.end {
            let offset = token - self.stream.end;
            return match body? {
                BodyPlace::Deferred(number) => Some((self.layout.bodies.get(number as usize)?.start + offset) as usize),
                BodyPlace::Inline(range) => self.expanded(None, range.start + offset),
            };
        }
        let index = token.checked_sub(self.stream.start)?;
        self.layout.stream.get(index as usize).map(|&token| token as usize)
    }

    /// Where a token was written; for one from a macro's body, where it stands there.
    pub(crate) fn written(&self, body: Option<BodyPlace>, token: u32) -> Option<(Place, SpellingKind)> {
        let origin = *self.preprocessed.origins.get(self.expanded(body, token)?)?;
        let (file, range, kind) = self.preprocessed.map.spelling(origin);
        Some(((Arc::clone(self.db.shared().path(file)?), range), kind))
    }

    /// Where a token stands: for one from a macro's body, the outermost use of the macro.
    pub(crate) fn place(&self, body: Option<BodyPlace>, token: u32) -> Option<Place> {
        // A macro of the library is written in no file.
        if let Some((written, SpellingKind::Typed)) = self.written(body, token) {
            return Some(written);
        }
        let origin = *self.preprocessed.origins.get(self.expanded(body, token)?)?;
        let (file, range) = self.preprocessed.map.expansion_range(origin);
        Some((Arc::clone(self.db.shared().path(file)?), range))
    }

    /// The place of a range of tokens.
    pub(crate) fn range(&self, body: Option<BodyPlace>, range: TokenRange) -> Option<Place> {
        let (path, first) = self.place(body, range.start)?;
        let last = range.end.saturating_sub(1).max(range.start);
        match self.place(body, last) {
            Some((last_path, last)) if last_path == path => Some((path, first.start..last.end.max(first.end))),
            _ => Some((path, first)),
        }
    }
}
