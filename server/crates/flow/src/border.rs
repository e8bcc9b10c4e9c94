//! What crosses the border of a function: the pointers that a caller determines, and those that a call determines for it.

use msl_parser::ast::DeclId;
use smallvec::SmallVec;

/// A step from an object to a part of it, or to what a part of it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    Field(DeclId),
    /// The element of an array at a constant index.
    Index(u32),
    /// The elements of an array that a variable indexes, which are one.
    Element,
    /// What the pointer or reference that stands here leads to.
    Deref,
}

pub type Steps = SmallVec<[Step; 2]>;

/// The steps with every constant index as [`Step::Element`].
pub fn without_indices(steps: &[Step]) -> Steps {
    steps.iter().map(|step| if let Step::Index(_) = step { Step::Element } else { *step }).collect()
}

/// Something that a caller determines.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// A generic pointer or reference parameter, or one inside a parameter that is passed by value.
    Param(u32, Steps),
    /// A generic pointer in the object that a parameter points or refers to.
    Behind(u32, Steps),
    /// In a lambda: a generic pointer or reference in a variable around it.
    Capture(DeclId, Steps),
}

impl Input {
    /// Where it is, from the parameter or variable on.
    pub fn steps(&self) -> &Steps {
        match self {
            Input::Param(_, steps) | Input::Behind(_, steps) | Input::Capture(_, steps) => steps,
        }
    }

    /// The same with other steps.
    pub fn with_steps(&self, steps: Steps) -> Input {
        match self {
            Input::Param(param, _) => Input::Param(*param, steps),
            Input::Behind(param, _) => Input::Behind(*param, steps),
            Input::Capture(decl, _) => Input::Capture(*decl, steps),
        }
    }
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
    /// Of a lambda: a generic pointer in a variable around it that was captured by reference, after the call.
    Capture(DeclId, Steps),
    /// A generic pointer in the object that the returned pointer or reference leads to.
    Pointee(Steps),
}
