//! What the analysis of one function says, whoever calls it.

use msl_parser::ast::{DeclId, ExprId, TokenRange};
use msl_ty::DeclRef;

use crate::value::{Steps, Value};

/// One function's flow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    pub inputs: Vec<Input>,
    pub accesses: Vec<Access>,
    pub calls: Vec<Call>,
    pub outputs: Vec<(Output, Value)>,
    pub loops: Vec<Loop>,
    pub tests: Vec<Test>,
    /// The body could not be followed to its end; what is said holds, but not all is said.
    pub is_partial: bool,
}

/// Something that a caller determines.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// A generic pointer or reference parameter, or one inside a parameter that is passed by value.
    Param(u32, Steps),
    /// A generic pointer in the object that a parameter points or refers to.
    Behind(u32, Steps),
}

/// The number that stands for `this` where a parameter's number is expected.
pub const THIS: u32 = u32::MAX;

/// Something that a call determines for its caller.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    /// The returned pointer or reference, or a pointer in the returned object.
    Return(Steps),
    /// A generic pointer in the object that a parameter points or refers to, after the call.
    Behind(u32, Steps),
}

/// A load or store through a generic pointer or reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    pub expr: ExprId,
    pub range: TokenRange,
    pub pointer: Value,
    /// The loops around it, outermost first, as indices of [`Summary::loops`].
    pub loops: Vec<u32>,
}

/// A call of a function of the program, or of one that is only declared.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub range: TokenRange,
    /// The definition; `None` if the call leaves the program.
    pub callee: Option<DeclRef>,
    /// For each input of the callee that this call determines. Filled by parameter; the callee's summary picks.
    pub args: Vec<(Input, Value)>,
    pub loops: Vec<u32>,
}

/// A loop of the function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The keyword and head.
    pub range: TokenRange,
    /// How often it runs, if that is a constant.
    pub trip_count: Option<u64>,
}

/// A test or a cast of a generic pointer.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    pub kind: TestKind,
    pub range: TokenRange,
    pub pointer: Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TestKind {
    /// `is_…_addrspace(p)`.
    Is(crate::value::Spaces),
    /// `static_cast` or a C-style cast to a named space.
    Cast(crate::value::Spaces),
    /// `addrspace_cast`.
    CheckedCast(crate::value::Spaces),
}

impl Summary {
    /// The number of an input.
    pub fn input(&self, wanted: &Input) -> Option<u32> {
        self.inputs.iter().position(|input| input == wanted).map(|index| index as u32)
    }

    /// The number of an output.
    pub fn output(&self, wanted: &Output) -> Option<u32> {
        self.outputs.iter().position(|(output, _)| output == wanted).map(|index| index as u32)
    }
}

/// A function of the program: a definition with bindings.
pub type Function = DeclRef;

/// The parameter declarations of a function, for messages.
pub type Params = Vec<DeclId>;
