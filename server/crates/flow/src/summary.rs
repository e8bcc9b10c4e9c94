//! What the analysis of one function says, whoever calls it.

use std::sync::Arc;

use msl_intern::Name;
use msl_parser::ast::{DeclId, ExprId, TokenRange};
use msl_ty::DeclRef;

use crate::border::{Input, Output};
use crate::value::{Spaces, Value};

/// One function's flow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    pub inputs: Vec<Input>,
    pub accesses: Vec<Access>,
    pub calls: Vec<Call>,
    pub outputs: Vec<(Output, Value)>,
    pub loops: Vec<Loop>,
    pub tests: Vec<Test>,
    /// The lambdas of the body, each with a summary of its own.
    pub closures: Vec<(ExprId, Arc<Summary>)>,
    /// Functions whose address is taken: anybody can call them.
    pub taken: Vec<DeclRef>,
    /// Generic pointers and references that the body names, each with its value there.
    pub mentions: Vec<Mention>,
    /// Generic pointers and references that the function declares, its parameters included.
    pub variables: Vec<Variable>,
    /// The object of a member function that is not annotated.
    pub this: Option<Value>,
    /// The names of the local variables and parameters that sources mention.
    pub names: Vec<(DeclId, Name)>,
    /// The body could not be followed to its end: what is said of it is not all there is.
    pub is_partial: bool,
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

/// A generic pointer or reference where it is named.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    /// The token of the name.
    pub token: u32,
    pub value: Value,
}

/// A local variable or parameter that is a generic pointer or reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    pub decl: DeclId,
    /// The token of its name where it is declared, in the body's numbering.
    pub token: u32,
    /// All that is ever assigned to it.
    pub value: Value,
}

/// What a call runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Callee {
    /// The definition of a function of the program.
    Function(DeclRef),
    /// A lambda of the same body.
    Closure(ExprId),
    /// Code that is not here: a function that is only declared.
    Outside,
}

/// A call of a function of the program, or of one that is only declared.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub range: TokenRange,
    pub callee: Callee,
    /// For each input of the callee that this call determines. Filled by parameter; the callee's summary picks.
    pub args: Vec<(Input, Value)>,
    /// Where the arguments stand, by parameter.
    pub places: Vec<(u32, TokenRange)>,
    pub loops: Vec<u32>,
}

/// A loop of the function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The keyword and head.
    pub range: TokenRange,
    /// How often it runs, if that is a constant.
    pub trip_count: Option<u64>,
    /// The loop is written to be unrolled.
    pub is_unrolled: bool,
}

/// A test or a cast of a generic pointer, or a use of what a cast gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    pub kind: TestKind,
    pub range: TokenRange,
    pub pointer: Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TestKind {
    /// `is_…_addrspace(p)`.
    Is(Spaces),
    /// `static_cast` or a C-style cast to a named space.
    Cast(Spaces),
    /// `addrspace_cast`.
    CheckedCast(Spaces),
    /// `addrspace_cast` whose result is only compared with null.
    ComparedCast(Spaces),
    /// An access through the result of an `addrspace_cast` that nothing has compared with null.
    Unchecked,
}

impl Summary {
    /// Whether the function runs its callees in the same contexts as another, and gives the same to its callers, wherever
    /// that happens in their bodies.
    pub fn flows_like(&self, other: &Summary) -> bool {
        let same_calls = |(a, b): (&Call, &Call)| {
            a.callee == b.callee && a.loops.is_empty() == b.loops.is_empty() && flow_alike(&a.args, &b.args)
        };
        self.inputs == other.inputs
            && self.taken == other.taken
            && self.has_something_to_say() == other.has_something_to_say()
            && flow_alike(&self.outputs, &other.outputs)
            && self.calls.len() == other.calls.len()
            && self.calls.iter().zip(&other.calls).all(same_calls)
            && self.closures.len() == other.closures.len()
            && self.closures.iter().zip(&other.closures).all(|(a, b)| a.0 == b.0 && a.1.flows_like(&b.1))
    }

    /// The number of an input.
    pub fn input(&self, wanted: &Input) -> Option<u32> {
        self.inputs.iter().position(|input| input == wanted).map(|index| index as u32)
    }

    /// The value of an output.
    pub fn output(&self, wanted: &Output) -> Option<&Value> {
        self.outputs.iter().find(|(output, _)| output == wanted).map(|(_, value)| value)
    }

    /// The name of a local variable or parameter.
    pub fn name(&self, decl: DeclId) -> Option<Name> {
        self.names.iter().find(|(own, _)| *own == decl).map(|(_, name)| *name)
    }

    /// Whether there is anything in the function that its callers, known or not, decide.
    pub fn has_something_to_say(&self) -> bool {
        !(self.accesses.is_empty()
            && self.tests.is_empty()
            && self.mentions.is_empty()
            && self.variables.is_empty()
            && self.closures.is_empty())
    }
}

/// Whether both give the same to the same.
fn flow_alike<T: PartialEq>(a: &[(T, Value)], b: &[(T, Value)]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0 == b.0 && a.1.flows_like(&b.1))
}
