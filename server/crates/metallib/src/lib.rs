//! Reader for compiled Metal: which language version a binary was made with, and what it can be linked with.
//!
//! # Vocabulary
//!
//! * A *metallib* is a file in the MTLB container: a list of *functions* with a *module* of AIR for each.
//! * *AIR* is Apple's dialect of LLVM bitcode. A module also comes alone, as an `.air` file or as LLVM assembly.
//! * A *container* is any of the files that Metal binaries come in: metallibs, modules, archives of modules, universal
//!   files with a slice for each GPU, and other files that carry metallibs among their data.
//! * The *side* of a function says whether it was compiled as language version 4.1 or newer, where mangled names and
//!   pointer conventions changed. *Evidence* is a fact that shows the side.
//!
//! # Use
//!
//! [`read`] opens a container; [`Container::leaves`] lists its libraries and modules. [`summarize`] counts the functions
//! of a library by version without touching their bitcode. [`Library::modules`] lists the modules for a full scan, which
//! a caller may spread over threads: [`ModuleRange::read`] is independent of all others. [`judge`] gives the side.
//!
//! ```
//! use msl_metallib::forge::{ForgedFunction, ForgedLibrary, ForgedModule};
//! use msl_metallib::{ModuleEvidence, Options, Side, judge, read};
//!
//! # let module = ForgedModule::apple(4, 1).build();
//! # let bytes = ForgedLibrary::new(vec![ForgedFunction::kernel("scale", [2, 9, 4, 1], module)]).build();
//! // `bytes` is a mapped file.
//! let container = read(&bytes, &Options::default());
//! for leaf in container.leaves() {
//!     let Some(library) = leaf.container.library() else { continue };
//!     for function in library.functions() {
//!         let module = library.read_module(&function).map(|module| ModuleEvidence::of(&module));
//!         let verdict = judge(function.versions, module.as_ref());
//!         assert_eq!((function.name, verdict.side), (&b"scale"[..], Side::From41));
//!     }
//! }
//! ```
//!
//! # Rules
//!
//! Everything reads from a borrowed slice; mapping a file is the caller's job. Broken input is data: what could be read
//! is returned together with [`Problems`]. No input makes a reader panic, run long or allocate more than a small
//! multiple of the input's size.
#![forbid(unsafe_code)]

mod archive;
mod bitcode;
mod bitstream;
mod bytes;
mod container;
mod fat;
#[cfg(feature = "forge")]
pub mod forge;
mod ir_text;
mod module;
pub mod mtlb;
mod problem;
mod summary;
mod symbol;
mod verdict;
mod version;

pub use bitcode::read_bitcode;
pub use container::{Container, Content, Kind, Leaf, Options, Part, read, sniff};
pub use ir_text::read_text;
pub use module::{Module, ModuleForm, ModuleLanguage, Producer};
pub use mtlb::{Function, FunctionKind, HashCheck, Library, ModuleList, ModuleRange, read_library};
pub use problem::{Problem, ProblemKind, Problems};
pub use summary::{Summary, summarize};
pub use symbol::{Decorations, Linkage, Symbol, SymbolKind, decorations, key_across_boundary};
pub use verdict::{Evidence, ModuleEvidence, Verdict, check_consistency, judge};
pub use version::{FIRST_AIR_OF_NEW_ABI, FIRST_VERSION_OF_NEW_ABI, FunctionVersions, Side, Version};
