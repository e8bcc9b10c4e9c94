//! Function pointers across the border between shaders and host code.
//!
//! # Vocabulary
//!
//! * A [`ShaderUnit`] is what one translation unit says: its functions with their signatures, tables and calls, the
//!   groups that statements name, its function constants.
//! * A [`HostFile`](msl_project::HostFile) is what one host source says: see [`msl_project`].
//! * A [`LinkProgram`] joins both. Functions are one if their names stand at one place, so that what a header declares is
//!   there once; names of host code mean a function by the name that the library knows it by.
//! * A call is *direct* or goes through a pointer; of the latter the functions that *fit* are those that can be called
//!   through a handle and have the pointer's type.
//!
//! # Silence
//!
//! Names that are put together at run time, lists that may hold more, and shaders that could not be modelled are never
//! the ground of a finding: what is missing from them may be what is looked for.

mod actions;
mod depth;
mod findings;
mod graph;
mod lenses;
mod names;
mod program;
mod shader;
mod signature;
mod slips;

pub(crate) use slips::similar_groups_of;

pub use depth::{CallDepth, depth_of};
pub use graph::{GraphLine, GraphNode, GraphNodeKind, LinkGraph, dot, text};
pub use lenses::{LinkLens, PointerCall};
pub use names::{LinkName, LinkNameKind};
pub use program::LinkProgram;
pub use shader::{
    CallTarget, FunctionKind, GroupStatement, NamedPlace, ShaderCall, ShaderFunction, ShaderSlot, ShaderTable,
    ShaderUnit,
};
pub use signature::LinkSignature;
