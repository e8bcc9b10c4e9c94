//! The Metal standard library as MSL declarations with our own documentation.
//!
//! Vocabulary:
//!
//! * The *declarations* are data: files of MSL under `msl/`, one a header, in the dialect that `DIALECT.md` defines.
//!   They are parsed once, whatever the language version, and lie below every translation unit.
//! * [`headers`](mod@headers) lists the files and answers what an `#include` of the library names.
//! * [`since`] says in which language versions a declaration exists; the filter is applied at lookup.
//! * [`sets`] holds the type lists over which an overload family ranges.
//! * [`attributes`](mod@attributes) is the table of MSL's attributes.

mod attribute_table;
pub mod attributes;
mod docs;
pub mod facts;
pub mod headers;
pub mod library;
mod sdk;
pub mod sets;
pub mod since;

pub use attributes::{AttributeInfo, attribute, attributes};
pub use headers::{
    FrameworkSet, Header, HeaderId, LibraryInclude, Visibility, comes_with_compiler, headers, lookup_include,
};
pub use library::{Library, LibraryMacro, Place, Problem, is_compiler_function};
pub use since::Since;
