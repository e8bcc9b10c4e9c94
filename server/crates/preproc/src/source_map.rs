//! The source map: from the tokens that the parser sees to the bytes that an author typed, and back.
//!
//! Vocabulary:
//!
//! * The *location space* of a translation unit is the range of all its [`Origin`]s. It is cut into *intervals*, given
//!   out in increasing order: one for every time a file is entered (an origin for each byte and one for its end) and
//!   one for each thing that a macro expansion makes (an origin for each token).
//! * The *spelling* of an expanded token is where an author typed it: in a replacement list, or in an argument.
//! * The *call site* of an expanded token is where the macro was used. A call site may itself be inside an expansion;
//!   following it to a file gives the *expansion site*.
//! * A *body* interval holds the tokens of a replacement list in their order, also those that argument tokens take the
//!   place of: the call site of an argument interval is the parameter's place in the body interval.

use std::{ops::Range, sync::Arc};

use rustc_hash::FxHashMap;

use crate::{
    lexer::length_of_token_at,
    macros::{MacroDef, MacroId},
    source::FileId,
    token::Origin,
};

/// What made a token of an expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExpansionKind {
    /// A token of the replacement list.
    Body,
    /// A token of the argument with this number, counted from zero.
    Argument(u16),
    /// The result of `##`.
    Paste,
    /// The result of `#`.
    Stringize,
}

/// One use of a macro.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MacroExpansion {
    pub definition: MacroId,
    /// The macro's name at its use; maybe inside another expansion.
    pub call_site: Origin,
    /// The last token of the use: the closing parenthesis, or the name.
    pub call_end: Origin,
    /// The expansion site: `call_site` followed out to a file.
    pub site: Origin,
}

/// One step outwards from an expanded token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpansionStep {
    pub kind: ExpansionKind,
    /// The use of the macro that made the token; an index into [`SourceMap::expansions`].
    pub expansion: u32,
    /// Where the step leads: the macro's use, or for an argument the place of its parameter.
    pub call_site: Origin,
}

/// Why a token's bytes stand where [`SourceMap::spelled_range`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpellingKind {
    /// Typed in a file, outside macro definitions: as such, or as a macro's argument. A rename may edit it.
    Typed,
    /// Stands in a replacement list.
    MacroBody,
    /// Made by `##`; the place is that of its left operand.
    Pasted,
    /// Made by `#`, or by a macro without replacement list such as `__LINE__`.
    Computed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interval {
    File { file: FileId, includer: Option<Origin> },
    Body { expansion: u32 },
    Argument { expansion: u32, argument: u16, spellings: u32, call_site: Origin },
    Paste { expansion: u32, left: Origin, right: Origin, call_site: Origin },
    Stringize { expansion: u32, call_site: Origin },
}

/// The location space of a translation unit; see the module's documentation.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    /// The first origin of each interval, increasing.
    bases: Vec<u32>,
    intervals: Vec<Interval>,
    /// The origins that the tokens of argument intervals had before.
    argument_spellings: Vec<Origin>,
    expansions: Vec<MacroExpansion>,
    macros: Vec<Arc<MacroDef>>,
    texts: FxHashMap<FileId, Arc<[u8]>>,
    next: u32,
}

impl SourceMap {
    /// The bytes that an author typed for the token at `origin`, and why they stand there. For [`FileId`]s that are
    /// not [real](FileId::is_real) the range is one of a text that no user sees.
    pub fn spelling(&self, origin: Origin) -> (FileId, Range<u32>, SpellingKind) {
        let mut origin = origin;
        let mut kind = SpellingKind::Typed;
        // Every step leads to an origin that was given out before, so the walk ends.
        loop {
            let (interval, offset) = self.interval(origin);
            match interval {
                Interval::File { file, .. } => return (file, self.token_range(file, offset), kind),
                Interval::Body { expansion } => {
                    let use_ = self.expansions[expansion as usize];
                    let definition = &self.macros[use_.definition.0 as usize];
                    match definition.body_ranges.get(offset as usize) {
                        Some(&(start, end)) => {
                            let kind = if kind == SpellingKind::Typed { SpellingKind::MacroBody } else { kind };
                            return (definition.file, start..end, kind);
                        }
                        None => {
                            kind = SpellingKind::Computed;
                            origin = use_.call_site;
                        }
                    }
                }
                Interval::Argument { spellings, .. } => {
                    origin = self.argument_spellings[(spellings + offset) as usize];
                }
                Interval::Paste { left, .. } => {
                    kind = SpellingKind::Pasted;
                    origin = left;
                }
                Interval::Stringize { call_site, .. } => {
                    kind = SpellingKind::Computed;
                    origin = call_site;
                }
            }
        }
    }

    /// The bytes that an author typed for the token at `origin`.
    pub fn spelled_range(&self, origin: Origin) -> (FileId, Range<u32>) {
        let (file, range, _) = self.spelling(origin);
        (file, range)
    }

    /// The outermost call site of the token at `origin`: an origin in a file. An origin in a file is its own.
    pub fn expansion_site(&self, origin: Origin) -> Origin {
        match self.step_out(origin) {
            Some(step) => self.expansions[step.expansion as usize].site,
            None => origin,
        }
    }

    /// The bytes of the outermost call, from the macro's name to the last token of its use. For a token that no macro
    /// made these are its own.
    pub fn expansion_range(&self, origin: Origin) -> (FileId, Range<u32>) {
        let site = self.expansion_site(origin);
        let (file, mut range) = self.spelled_range(site);
        // The call of an inner macro may end behind that of the outer one: `g (1)` where `g` expands to `f`.
        for step in self.expansion_chain(origin) {
            let end = self.expansions[step.expansion as usize].call_end;
            if self.is_in_file(end) {
                let (end_file, end_range) = self.spelled_range(end);
                if end_file == file && end_range.end > range.end {
                    range.end = end_range.end;
                }
            }
        }
        (file, range)
    }

    /// The steps from a token out to a file, from the inside; empty for a token that no macro made.
    pub fn expansion_chain(&self, origin: Origin) -> Vec<ExpansionStep> {
        let mut chain = Vec::new();
        let mut origin = origin;
        while let Some(step) = self.step_out(origin) {
            origin = step.call_site;
            chain.push(step);
        }
        chain
    }

    /// One step outwards; `None` in a file.
    pub fn step_out(&self, origin: Origin) -> Option<ExpansionStep> {
        let (interval, _) = self.interval(origin);
        let (kind, expansion, call_site) = match interval {
            Interval::File { .. } => return None,
            Interval::Body { expansion } => {
                (ExpansionKind::Body, expansion, self.expansions[expansion as usize].call_site)
            }
            Interval::Argument { expansion, argument, call_site, .. } => {
                (ExpansionKind::Argument(argument), expansion, call_site)
            }
            Interval::Paste { expansion, call_site, .. } => (ExpansionKind::Paste, expansion, call_site),
            Interval::Stringize { expansion, call_site } => (ExpansionKind::Stringize, expansion, call_site),
        };
        Some(ExpansionStep { kind, expansion, call_site })
    }

    /// For a token of an argument: what it was before it took its parameter's place. That may itself be the result of
    /// a macro used in the argument. `None` for every other token.
    pub fn argument_source(&self, origin: Origin) -> Option<Origin> {
        match self.interval(origin) {
            (Interval::Argument { spellings, .. }, offset) => {
                self.argument_spellings.get((spellings + offset) as usize).copied()
            }
            _ => None,
        }
    }

    /// Whether no macro made the token at `origin`.
    pub fn is_in_file(&self, origin: Origin) -> bool {
        matches!(self.interval(origin).0, Interval::File { .. })
    }

    /// The file and offset of an origin in a file; `None` for an origin in an expansion.
    pub fn file_offset(&self, origin: Origin) -> Option<(FileId, u32)> {
        match self.interval(origin) {
            (Interval::File { file, .. }, offset) => Some((file, offset)),
            _ => None,
        }
    }

    /// The bytes between two origins of one file, the end excluded; what diagnostics carry. For origins in
    /// expansions: the bytes of the outermost call.
    pub fn file_range(&self, range: Range<Origin>) -> (FileId, Range<u32>) {
        match (self.file_offset(range.start), self.file_offset(range.end)) {
            (Some((file, start)), Some((end_file, end))) if file == end_file && start <= end => (file, start..end),
            _ => self.expansion_range(range.start),
        }
    }

    /// The place of the directive that included the file that `origin` stands in; `None` in the root file.
    pub fn includer(&self, origin: Origin) -> Option<Origin> {
        match self.interval(self.expansion_site(origin)).0 {
            Interval::File { includer, .. } => includer,
            _ => None,
        }
    }

    /// Every use of a macro, in the order in which they were expanded.
    pub fn expansions(&self) -> &[MacroExpansion] {
        &self.expansions
    }

    /// The definition with this number.
    pub fn definition(&self, id: MacroId) -> &Arc<MacroDef> {
        &self.macros[id.0 as usize]
    }

    /// Every definition that the unit made or used; the index is the [`MacroId`].
    pub fn definitions(&self) -> &[Arc<MacroDef>] {
        &self.macros
    }

    /// The text of a file that the unit entered.
    pub fn text(&self, file: FileId) -> Option<&Arc<[u8]>> {
        self.texts.get(&file)
    }

    /// The files that the unit entered, in no particular order.
    pub fn files(&self) -> impl Iterator<Item = FileId> {
        self.texts.keys().copied().filter(|file| file.is_real())
    }

    /// The first origins of all entries of `file`; more than one if it was included more than once.
    pub fn file_entries(&self, file: FileId) -> impl Iterator<Item = Origin> {
        self.bases.iter().zip(&self.intervals).filter_map(move |(&base, interval)| match interval {
            Interval::File { file: entered, .. } if *entered == file => Some(Origin(base)),
            _ => None,
        })
    }

    /// The table from places in files to the tokens that they made, given the origins of all tokens.
    pub fn spelled_index(&self, origins: &[Origin]) -> SpelledIndex {
        // Tokens come in the order of their files but for those of macros, so that what is typed is a few long runs, which
        // a stable sort leaves as they are. What macro bodies spell is apart from it.
        let mut typed = Vec::with_capacity(origins.len());
        let mut in_bodies = Vec::new();
        let mut pending = Vec::new();
        // Neighbours are mostly in one interval.
        let mut last = 0;
        for (token, &origin) in origins.iter().enumerate() {
            pending.push(origin);
            while let Some(origin) = pending.pop() {
                let is_last = self.bases.get(last).is_some_and(|&base| base <= origin.0)
                    && self.bases.get(last + 1).is_none_or(|&base| origin.0 < base);
                if !is_last {
                    last = self.bases.partition_point(|&base| base <= origin.0).saturating_sub(1);
                }
                let (Some(&interval), Some(&base)) = (self.intervals.get(last), self.bases.get(last)) else { continue };
                let offset = origin.0 - base;
                match interval {
                    Interval::File { file, .. } => typed.push((file, offset, token as u32)),
                    Interval::Paste { left, right, .. } => pending.extend([right, left]),
                    Interval::Argument { spellings, .. } => {
                        pending.push(self.argument_spellings[(spellings + offset) as usize]);
                    }
                    Interval::Stringize { call_site, .. } => pending.push(call_site),
                    Interval::Body { expansion } => {
                        let expansion = self.expansions[expansion as usize];
                        let definition = self.definition(expansion.definition);
                        match definition.body_ranges.get(offset as usize) {
                            Some(&(start, _)) => in_bodies.push((definition.file, start, token as u32)),
                            None => pending.push(expansion.call_site),
                        }
                    }
                }
            }
        }
        typed.sort();
        in_bodies.sort_unstable();
        typed.dedup();
        in_bodies.dedup();
        SpelledIndex { typed, in_bodies }
    }

    /// The interval that an origin is in, and its offset there.
    fn interval(&self, origin: Origin) -> (Interval, u32) {
        let index = self.bases.partition_point(|&base| base <= origin.0);
        match index.checked_sub(1) {
            Some(index) => (self.intervals[index], origin.0 - self.bases[index]),
            None => (Interval::File { file: FileId::PREDEFINED, includer: None }, 0),
        }
    }

    fn token_range(&self, file: FileId, start: u32) -> Range<u32> {
        let length = self.texts.get(&file).map_or(0, |text| length_of_token_at(text, start as usize));
        start..start + length as u32
    }

    /// Gives out `length` origins, or `None` when the location space is full.
    pub(crate) fn allocate(&mut self, interval: Interval, length: usize) -> Option<Origin> {
        let base = self.next;
        let next = u32::try_from(length).ok().and_then(|length| base.checked_add(length))?;
        // An interval without origins would share its base with the next one.
        if length == 0 {
            return Some(Origin(base));
        }
        self.bases.push(base);
        self.intervals.push(interval);
        self.next = next;
        Some(Origin(base))
    }

    pub(crate) fn add_text(&mut self, file: FileId, text: &Arc<[u8]>) {
        self.texts.entry(file).or_insert_with(|| Arc::clone(text));
    }

    pub(crate) fn add_macro(&mut self, definition: Arc<MacroDef>) -> MacroId {
        self.macros.push(definition);
        MacroId(self.macros.len() as u32 - 1)
    }

    pub(crate) fn add_expansion(&mut self, definition: MacroId, call_site: Origin, call_end: Origin) -> u32 {
        let site = self.expansion_site(call_site);
        self.expansions.push(MacroExpansion { definition, call_site, call_end, site });
        self.expansions.len() as u32 - 1
    }

    /// Gives out origins for tokens of an argument that had `spellings` before.
    pub(crate) fn allocate_argument(
        &mut self,
        expansion: u32,
        argument: u16,
        call_site: Origin,
        spellings: impl ExactSizeIterator<Item = Origin>,
    ) -> Option<Origin> {
        let start = self.argument_spellings.len() as u32;
        let length = spellings.len();
        let base = self.allocate(Interval::Argument { expansion, argument, spellings: start, call_site }, length)?;
        self.argument_spellings.extend(spellings);
        Some(base)
    }
}

/// A sorted table from places in files to tokens: all occurrences, since a macro's argument may be used often and a
/// file may be included often.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpelledIndex {
    /// File, offset, token.
    typed: Vec<(FileId, u32, u32)>,
    /// The same for places in the replacement lists of macros.
    in_bodies: Vec<(FileId, u32, u32)>,
}

impl SpelledIndex {
    /// The indices of the tokens spelled by a token that starts within `range` of `file`: first what the author typed as
    /// such, then what stands in macro definitions; each once, increasing per spelled place.
    pub fn tokens_in(&self, file: FileId, range: Range<u32>) -> impl Iterator<Item = u32> {
        let within = |entries: &[(FileId, u32, u32)]| {
            let start = entries.partition_point(|&(entry, offset, _)| (entry, offset) < (file, range.start));
            let end = entries.partition_point(|&(entry, offset, _)| (entry, offset) < (file, range.end));
            start..end.max(start)
        };
        let (typed, in_bodies) = (within(&self.typed), within(&self.in_bodies));
        self.typed[typed].iter().chain(&self.in_bodies[in_bodies]).map(|&(_, _, token)| token)
    }

    /// The indices of the tokens spelled by the token that starts at `offset` of `file`.
    pub fn tokens_at(&self, file: FileId, offset: u32) -> impl Iterator<Item = u32> {
        self.tokens_in(file, offset..offset.saturating_add(1))
    }
}
