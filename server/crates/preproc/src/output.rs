//! What goes into the preprocessor and what comes out of it.

use std::{
    ops::Range,
    sync::{Arc, OnceLock},
};

use msl_intern::Name;
use rustc_hash::FxHashMap;

use crate::{
    cache::HeaderCache,
    macros::{MacroDef, MacroId, MacroTable},
    source::{FileId, Include},
    source_map::{SourceMap, SpelledIndex},
    token::{Origin, Token},
    version::LanguageVersion,
};

/// How a translation unit is preprocessed.
#[derive(Clone, Debug)]
pub struct Options {
    /// Decides the predefined macros.
    pub version: LanguageVersion,
    /// `-D`: a name, maybe with parameters (`F(x)`), and its replacement; without one it is `1`.
    pub defines: Vec<(String, Option<String>)>,
    /// `-U`: names that are undefined after all `defines`.
    pub undefs: Vec<String>,
    /// `-include`: files read before the root, in this order.
    pub forced_includes: Vec<FileId>,
    /// The macros of the bundled library.
    pub library_macros: Option<Arc<MacroTable>>,
    /// Work shared between translation units.
    pub header_cache: Option<Arc<HeaderCache>>,
    pub limits: Limits,
}

impl Options {
    /// Options for a version, with nothing else set.
    pub fn new(version: LanguageVersion) -> Options {
        Options {
            version,
            defines: Vec::new(),
            undefs: Vec::new(),
            forced_includes: Vec::new(),
            library_macros: None,
            header_cache: None,
            limits: Limits::default(),
        }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options::new(LanguageVersion::DEFAULT)
    }
}

/// Fuel. Reaching a limit is a diagnostic of kind [`DiagnosticKind::Limit`], reported once for each limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Tokens that all macro expansions of the unit may handle together.
    pub expanded_tokens: u32,
    /// Tokens that one use of a macro outside other macros may handle.
    pub tokens_per_expansion: u32,
    /// Expansions inside each other.
    pub expansion_depth: u32,
    /// Macro calls inside arguments of macro calls.
    pub argument_depth: u32,
    /// Files that include each other, the root not counted.
    pub include_depth: u32,
    /// Files entered in all.
    pub includes: u32,
    /// Tokens of the result.
    pub tokens: u32,
    /// Diagnostics, those about limits not counted.
    pub diagnostics: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            expanded_tokens: 4 << 20,
            tokens_per_expansion: 1 << 20,
            expansion_depth: 4 << 10,
            argument_depth: 200,
            include_depth: 200,
            includes: 20_000,
            tokens: 8 << 20,
            diagnostics: 1_000,
        }
    }
}

/// What a finding of the preprocessor is about; the layers above give each kind its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DiagnosticKind {
    /// The text cannot be cut into tokens.
    SyntaxError,
    /// A directive or macro is used wrongly, or `#error`.
    PreprocessorError,
    /// What compilers only warn about, and `#warning`.
    Warning,
    IncludeNotFound,
    /// A header of the system's SDK, which is not at hand, is included.
    SdkHeader,
    /// A [limit](Limits) was reached.
    Limit,
}

/// A finding of the preprocessor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub kind: DiagnosticKind,
    /// Two places in one file, the end excluded: give them to [`SourceMap::file_range`].
    pub range: Range<Origin>,
    pub message: String,
    pub notes: Vec<Note>,
}

/// A place that explains a [`Diagnostic`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub file: FileId,
    pub range: Range<u32>,
    pub message: String,
}

/// A directive that includes a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncludeDirective {
    /// The file that the directive stands in.
    pub file: FileId,
    /// The whole directive.
    pub range: Range<u32>,
    /// The header's name with its delimiters, or the macro that gives it.
    pub name_range: Range<u32>,
    /// The header's name without its delimiters.
    pub spelling: Name,
    pub angled: bool,
    pub target: Include,
    /// Whether the file was entered; false if a guard, `#pragma once` or `#import` kept it out.
    pub entered: bool,
}

/// A pragma, kept or dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PragmaDirective {
    pub file: FileId,
    pub range: Range<u32>,
    /// The text behind `pragma`, one space where there was white space.
    pub text: Name,
}

/// A use of a macro's name that does not expand it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MacroReference {
    pub name: Name,
    /// The definition meant, `None` if the name is no macro there.
    pub definition: Option<MacroId>,
    pub origin: Origin,
    pub kind: MacroReferenceKind,
}

/// How a [`MacroReference`] names a macro.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MacroReferenceKind {
    /// The name in a `#define`.
    Define,
    /// The name in an `#undef`.
    Undef,
    /// `#ifdef`, `#ifndef`, `#elifdef`, `#elifndef` or `defined`.
    Test,
    /// The name of a function-like macro without a call.
    NotCalled,
}

/// Macros for an editor. Uses that expand are in [`SourceMap::expansions`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MacroIndex {
    pub references: Vec<MacroReference>,
}

/// A preprocessed translation unit.
#[derive(Clone, Debug, Default)]
pub struct Preprocessed {
    /// What the parser reads, without an end token.
    pub tokens: Vec<Token>,
    /// Where each token comes from, parallel to `tokens`.
    pub origins: Vec<Origin>,
    pub map: SourceMap,
    pub diagnostics: Vec<Diagnostic>,
    pub macros: MacroIndex,
    /// The macros at the end of the unit; the library's are the base of every other unit's.
    pub macro_table: Arc<MacroTable>,
    pub includes: Vec<IncludeDirective>,
    pub pragmas: Vec<PragmaDirective>,
    /// Whole lines that a conditional skipped, per file, in order. A file entered several times lists each entry's.
    pub inactive: FxHashMap<FileId, Vec<Range<u32>>>,
    /// Comments that contain `msl-analyzer:`, per file.
    pub marked_comments: FxHashMap<FileId, Vec<Range<u32>>>,
    pub(crate) spelled: OnceLock<SpelledIndex>,
}

impl Preprocessed {
    /// The table from spelled to expanded tokens, built at its first use.
    pub fn spelled_to_expanded(&self) -> &SpelledIndex {
        self.spelled.get_or_init(|| self.map.spelled_index(&self.origins))
    }

    /// The indices of the tokens that the macro use at `site`, an origin in a file, became. They stand together.
    pub fn tokens_of_expansion(&self, site: Origin) -> Range<usize> {
        let is_made = |origin: &Origin| *origin != site && self.map.expansion_site(*origin) == site;
        let Some(start) = self.origins.iter().position(is_made) else { return 0..0 };
        let length = self.origins[start..].iter().take_while(|&origin| is_made(origin)).count();
        start..start + length
    }

    /// The definition with this number.
    pub fn definition(&self, id: MacroId) -> &Arc<MacroDef> {
        self.map.definition(id)
    }
}
