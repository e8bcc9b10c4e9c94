//! From origins of tokens to places in files.
//!
//! A finding about code that the author typed, be it as a macro's argument, stands where it was typed. One about code
//! that stands in a macro's body is reported at the outermost use of the macro, because that is where it went wrong
//! this time, with related places that lead into the definition.

use std::{ops::Range, sync::Arc};

use msl_db::{BodyPlace, Db, Layout, Shared, Unit, parsed_decls, preprocessed, split_unit};
use msl_diagnostics::{Code, Diagnostic, Place, Related, Severity, TextRange};
use msl_parser::ast::TokenRange;
use msl_preproc::{FileId, Origin, Preprocessed, SpellingKind};

/// How many definitions the related places lead through.
const MAX_MACRO_STEPS: usize = 8;

/// Turns origins of one unit into places.
#[derive(Clone, Copy)]
pub(crate) struct Places<'a> {
    pub(crate) shared: &'a Shared,
    pub(crate) preprocessed: &'a Preprocessed,
    /// Where a finding goes that has no place of its own, such as one in a macro of the command line.
    pub(crate) root: &'a Arc<str>,
}

impl Places<'_> {
    /// A range of a file.
    pub(crate) fn in_file(&self, file: FileId, range: Range<u32>) -> Place {
        match self.shared.path(file) {
            Some(path) => Place { path: path.clone(), range: TextRange::new(range.start, range.end) },
            None => Place { path: self.root.clone(), range: TextRange::default() },
        }
    }

    /// The range between two origins, as the preprocessor reports it.
    pub(crate) fn between(&self, range: Range<Origin>) -> Place {
        let (file, range) = self.preprocessed.map.file_range(range);
        self.in_file(file, range)
    }

    /// The range of a run of expanded tokens, given their origins. There must be at least one.
    pub(crate) fn tokens(&self, origins: &[Origin]) -> Place {
        let (Some(&first), Some(&last)) = (origins.first(), origins.last()) else {
            return Place { path: self.root.clone(), range: TextRange::default() };
        };
        let typed = (self.typed(first), self.typed(last));
        if let (Some((file, start)), Some((last_file, end))) = typed
            && file == last_file
            && start.start <= end.end
        {
            return self.in_file(file, start.start..end.end);
        }
        let (file, mut range) = self.preprocessed.map.expansion_range(first);
        let (last_file, end) = self.preprocessed.map.expansion_range(last);
        if file == last_file && range.end < end.end {
            range.end = end.end;
        }
        self.in_file(file, range)
    }

    /// The place right behind a token, where something is missing.
    pub(crate) fn behind(&self, origin: Origin) -> Place {
        let mut place = self.tokens(&[origin]);
        place.range.start = place.range.end;
        place
    }

    /// For a token from a macro's body: where it stands in the definition, and the definitions that led there.
    pub(crate) fn macro_definitions(&self, origin: Origin) -> Vec<Related> {
        let map = &self.preprocessed.map;
        if self.typed(origin).is_some() {
            return Vec::new();
        }
        let mut related = Vec::new();
        let mut at = origin;
        while let Some(step) = map.step_out(at) {
            let definition = map.definition(map.expansions()[step.expansion as usize].definition);
            let (file, range) = map.spelled_range(at);
            if file.is_real() && related.len() < MAX_MACRO_STEPS {
                let message = format!("in the definition of the macro `{}`", definition.name);
                related.push(Related { place: self.in_file(file, range), message });
            }
            at = step.call_site;
        }
        related
    }

    /// Where the author typed the token, if it is not from a macro's body.
    fn typed(&self, origin: Origin) -> Option<(FileId, Range<u32>)> {
        let (file, range, kind) = self.preprocessed.map.spelling(origin);
        (kind == SpellingKind::Typed && file.is_real()).then_some((file, range))
    }
}

/// Turns token numbers of one unit's syntax trees into places. See [`msl_parser::ast`] for how they are stacked.
#[derive(Clone, Copy)]
pub(crate) struct TokenPlaces<'a> {
    pub(crate) places: Places<'a>,
    pub(crate) layout: &'a Layout,
    /// The numbers of the unit's declaration stream: from its first token to one behind its last.
    pub(crate) stream: TokenRange,
}

/// The expanded tokens that a range of token numbers stands for.
enum Expanded {
    Tokens(Range<usize>),
    /// Nothing but a place: right behind this token.
    Behind(usize),
}

impl<'a> TokenPlaces<'a> {
    /// The places of a unit.
    pub(crate) fn of(db: &'a dyn Db, unit: Unit) -> TokenPlaces<'a> {
        let places = Places { shared: db.shared(), preprocessed: preprocessed(db, unit), root: unit.root(db).path(db) };
        let ast = &parsed_decls(db, unit).ast;
        let stream = TokenRange::new(ast.start().tokens, ast.end().tokens);
        TokenPlaces { places, layout: split_unit(db, unit).layout(db), stream }
    }

    /// The place of a range, and the related places that lead into macros. `body` is the body that numbers behind the
    /// declaration stream belong to. `None` for tokens of the library.
    pub(crate) fn place(&self, body: Option<BodyPlace>, range: TokenRange) -> Option<(Place, Vec<Related>)> {
        let origins = &self.places.preprocessed.origins;
        match self.expanded(body, range)? {
            Expanded::Tokens(tokens) => {
                let tokens = origins.get(tokens)?;
                Some((self.places.tokens(tokens), self.places.macro_definitions(*tokens.first()?)))
            }
            Expanded::Behind(token) => Some((self.places.behind(*origins.get(token)?), Vec::new())),
        }
    }

    /// A finding at a range of tokens.
    pub(crate) fn diagnostic(
        &self,
        body: Option<BodyPlace>,
        code: Code,
        severity: Severity,
        range: TokenRange,
        message: String,
        related: &[(TokenRange, String)],
    ) -> Diagnostic {
        let nowhere = || (Place { path: self.places.root.clone(), range: TextRange::default() }, Vec::new());
        let (place, macro_definitions) = self.place(body, range).unwrap_or_else(nowhere);
        let mut diagnostic = Diagnostic::new(code, severity, place, message);
        diagnostic.related.extend(related.iter().filter_map(|(range, message)| {
            let (place, _) = self.place(body, *range)?;
            Some(Related { place, message: message.clone() })
        }));
        diagnostic.related.extend(macro_definitions);
        diagnostic
    }

    /// The text that an edit of a range of tokens replaces; for an empty range the place before its token, or behind
    /// the token before it if `after` is set. `None` where the author did not type the tokens: nothing can be edited
    /// inside a macro.
    pub(crate) fn editable(&self, body: Option<BodyPlace>, range: TokenRange, after: bool) -> Option<Place> {
        let origins = &self.places.preprocessed.origins;
        let typed = |token: usize| self.places.typed(*origins.get(token)?);
        if range.is_empty() {
            let at = if after { range.start.checked_sub(1)? } else { range.start };
            let Expanded::Tokens(token) = self.expanded(body, TokenRange::new(at, at + 1))? else { return None };
            let (file, text) = typed(if after { token.end.checked_sub(1)? } else { token.start })?;
            let offset = if after { text.end } else { text.start };
            return Some(self.places.in_file(file, offset..offset));
        }
        let Expanded::Tokens(tokens) = self.expanded(body, range)? else { return None };
        let (file, start) = typed(tokens.start)?;
        let (last_file, end) = typed(tokens.end.checked_sub(1)?)?;
        (file == last_file && start.start <= end.end).then(|| self.places.in_file(file, start.start..end.end))
    }

    fn expanded(&self, body: Option<BodyPlace>, range: TokenRange) -> Option<Expanded> {
        if range.is_empty() {
            // Right behind the token before; at the very start there is none, and the first token has to do.
            return match range.start.checked_sub(1).and_then(|before| self.last(body, before)) {
                Some(before) => Some(Expanded::Behind(before)),
                None => self.first(body, range.start).map(|first| Expanded::Tokens(first..first + 1)),
            };
        }
        let first = self.first(body, range.start)?;
        let last = self.last(body, range.end - 1)?;
        Some(Expanded::Tokens(first..last.max(first) + 1))
    }

    /// The first expanded token of a token number.
    pub(crate) fn first(&self, body: Option<BodyPlace>, number: u32) -> Option<usize> {
        if number >= self.stream.end {
            let offset = number - self.stream.end;
            return match body? {
                BodyPlace::Deferred(body) => {
                    let tokens = self.layout.bodies.get(body as usize)?;
                    (tokens.start + offset < tokens.end).then_some((tokens.start + offset) as usize)
                }
                BodyPlace::Inline(range) => self.first(None, range.start + offset),
            };
        }
        let index = number.checked_sub(self.stream.start)?;
        self.layout.stream.get(index as usize).map(|&token| token as usize)
    }

    /// The last expanded token of a token number: for a body that was cut out, its closing brace.
    fn last(&self, body: Option<BodyPlace>, number: u32) -> Option<usize> {
        let first = self.first(body, number)?;
        if number >= self.stream.end {
            return Some(first);
        }
        let of_body = self.layout.bodies.binary_search_by_key(&(first as u32), |tokens| tokens.start);
        Some(of_body.map_or(first, |body| (self.layout.bodies[body].end as usize).saturating_sub(1).max(first)))
    }
}
