//! From origins of tokens to places in files.
//!
//! A finding about code that the author typed, be it as a macro's argument, stands where it was typed. One about code
//! that stands in a macro's body is reported at the outermost use of the macro, because that is where it went wrong
//! this time, with related places that lead into the definition.

use std::{ops::Range, sync::Arc};

use msl_db::Shared;
use msl_diagnostics::{Place, Related, TextRange};
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
    pub(crate) fn into_macros(&self, origin: Origin) -> Vec<Related> {
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
