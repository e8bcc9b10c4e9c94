//! Build files, host code, language versions and link units.
//!
//! # Vocabulary
//!
//! * The *side* of code is whether it was compiled as Metal 4.1 or newer, where pointer conventions and mangled names
//!   changed. Code of both sides must not be linked together, and no tool of the compiler checks that.
//! * A *unit* is something with one language version: a shader source that a build compiles, a build target, a compile
//!   at run time, a binary or a function in one.
//! * *Evidence* is a place that shows a unit's version, and what it says.
//! * A *link unit* is a set of units that are joined: into a library, an archive, by a dynamic library.
//! * A *reader* understands one kind of build file. Readers give *steps*, commands that a build would run, and
//!   *targets*, which a build system compiles by itself.
//!
//! # How it works
//!
//! Readers interpret build files just far enough to know the words of the commands that run Metal's tools, and where each
//! word was written ([`text`]). One model of those commands ([`command`]) gives versions; one pass over all of them
//! ([`link`]) follows outputs to inputs. What depends on the machine, on the environment or on code that is not
//! interpreted is unknown, and unknown is never wrong.
//!
//! Nothing is executed and nothing fails: broken or hostile files are data, and every loop has a bound.
#![forbid(unsafe_code)]

mod binary;
mod cmake;
mod cmake_condition;
mod cmake_presets;
mod cmake_syntax;
mod command;
mod compile_commands;
mod dot;
mod edits;
mod files;
mod host;
mod host_model;
mod just;
mod lexer;
mod link;
mod make;
mod model;
mod ninja;
mod paths;
mod plist;
mod project;
mod report;
mod runtime;
mod script;
mod settings;
mod shell;
mod step;
mod text;
mod tree;
mod version;
mod xcode;
mod xcode_settings;
mod yaml;

pub use binary::BinaryOptions;
pub use dot::dot;
pub use edits::VersionEdits;
pub use files::{Bytes, FileAccess, MemoryTree};
pub use host_model::{
    BindingKind, FunctionList, HostBinding, HostFile, HostFunction, HostGroup, HostLibrary, HostName, HostPipeline,
    HostStage, HostTable, LibraryOrigin, LinkList, NameRole, PipelineStage, Setting, TableEntry, is_host_file,
    read_host_file, read_host_files,
};
pub use model::{Detected, Evidence, Join, LinkUnit, LinkVerdict, Unit, UnitKind};
pub use msl_metallib::Side;
pub use project::{Project, is_build_file};
pub use version::{DeploymentTarget, System, side_of};
