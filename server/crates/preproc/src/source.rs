//! Where text comes from.

use std::sync::Arc;

use msl_intern::Name;

/// The number of a file, given out by whoever implements [`SourceProvider`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

impl FileId {
    /// The text of the predefined macros; no file of the user.
    pub const PREDEFINED: FileId = FileId(u32::MAX);
    /// The text of the macros that the build defines (`-D`, `-U`); no file of the user.
    pub const COMMAND_LINE: FileId = FileId(u32::MAX - 1);

    /// Whether it is a file that a [`SourceProvider`] knows.
    pub fn is_real(self) -> bool {
        self < FileId::COMMAND_LINE
    }
}

/// What an `#include`, `#include_next`, `#import` or `__has_include` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IncludeRequest<'a> {
    /// The file that the directive stands in.
    pub from: FileId,
    /// The spelling between the delimiters.
    pub spelling: &'a [u8],
    /// `<…>` rather than `"…"`.
    pub angled: bool,
    /// `#include_next`: search on behind the folder that `from` was found in.
    pub next: bool,
}

/// What an [`IncludeRequest`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Include {
    File(FileId),
    /// A header of the bundled library: gives no tokens and is only recorded.
    Library(Name),
    /// A header that the system's SDK has, which is not at hand: gives no tokens, and what it declares is unknown.
    Sdk(Name),
    NotFound,
}

/// Gives texts and resolves includes.
pub trait SourceProvider {
    /// The text of a file, `None` if it cannot be read.
    fn text(&self, file: FileId) -> Option<Arc<[u8]>>;

    /// Finds the file that a directive names.
    fn resolve_include(&self, request: &IncludeRequest<'_>) -> Include;

    /// The name of a file as `__FILE__` gives it.
    fn path(&self, _file: FileId) -> Option<String> {
        None
    }
}
