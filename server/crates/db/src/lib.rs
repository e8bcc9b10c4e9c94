//! Inputs of the analysis and the queries up to the syntax tree.
//!
//! * A [`SourceFile`] is a path with its content, or with the reason why there is none.
//! * A [`Unit`] is a translation unit: a root file and its [`UnitOptions`] (language version, include folders,
//!   macros).
//! * [`Database`] owns them all; where contents come from is a [`file_system::FileSystem`].
//!
//! Queries are coarse: one for the whole preprocessing of a unit, one for each function body. Salsa's bookkeeping
//! costs more than the work it would save below that.

mod database;
pub mod file_system;
mod inputs;
mod parse;
mod preprocess;

pub use database::{Database, Db, Shared};
pub use inputs::{Define, FileContent, SourceFile, Unit, UnitOptions};
pub use parse::{
    Body, BodyPlace, FunctionWithBody, Layout, SplitUnit, UnitTree, included_frameworks, library_of, parse_inline_body,
    parsed_body, parsed_decls, split_unit,
};
pub use preprocess::preprocessed;
