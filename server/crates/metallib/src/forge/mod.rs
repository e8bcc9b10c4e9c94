//! Builds Metal binaries for tests, byte by byte.
//!
//! No compiler of Apple's is needed to test what a reader does with a function of language version 4.1, a dynamic
//! library or a damaged file. The builders write what the readers read, in the simplest valid form; they share no code
//! with the readers. Enabled by the feature `forge`, which only tests turn on.

mod bits;
mod containers;
mod library;
mod module;

pub use bits::BitWriter;
pub use containers::{ArchiveDialect, archive, fat, thin_archive};
pub use library::{ForgedFunction, ForgedLibrary};
pub use module::{ForgedModule, ForgedSymbol};
