//! Abstract values: which address spaces a generic pointer can have, and where that comes from.

use msl_parser::ast::{DeclId, ExprId, TokenRange};
use msl_ty::store::Space;
use smallvec::SmallVec;

use crate::border::{Output, Step, Steps};

/// A set of the three address spaces that a generic pointer covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Spaces(u8);

impl Spaces {
    pub const NONE: Spaces = Spaces(0);
    pub const ALL: Spaces = Spaces(7);

    /// The set of one space; empty for a space that generic does not cover.
    pub const fn of(space: Space) -> Spaces {
        match space {
            Space::Thread => Spaces(1),
            Space::Threadgroup => Spaces(2),
            Space::Device => Spaces(4),
            Space::Generic => Spaces::ALL,
            _ => Spaces(0),
        }
    }

    pub const fn union(self, other: Spaces) -> Spaces {
        Spaces(self.0 | other.0)
    }

    pub const fn intersection(self, other: Spaces) -> Spaces {
        Spaces(self.0 & other.0)
    }

    pub const fn complement(self) -> Spaces {
        Spaces(!self.0 & 7)
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The words, in the order device, thread, threadgroup.
    pub fn words(self) -> Vec<&'static str> {
        [(4, "device"), (1, "thread"), (2, "threadgroup")]
            .into_iter()
            .filter(|(bit, _)| self.0 & bit != 0)
            .map(|(_, word)| word)
            .collect()
    }
}

/// Where tracked memory starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// A local variable or parameter; in a lambda also a variable around it.
    Local(DeclId),
    /// What a parameter points or refers to, by the parameter's number: an object of the caller.
    Behind(u32),
    /// A temporary object, by the number of its creation.
    Temporary(u32),
    /// The copy of a variable that a lambda made when it was created.
    Copied(ExprId, DeclId),
    /// What the reference or pointer that a call gave leads to, by the call's number.
    Returned(u32),
}

/// A part of an object that the analysis tracks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub root: Root,
    pub steps: Steps,
}

impl Place {
    pub fn of(root: Root) -> Place {
        Place { root, steps: Steps::new() }
    }

    pub fn then(&self, step: Step) -> Place {
        let mut place = self.clone();
        place.steps.push(step);
        place
    }

    pub fn join(&self, steps: &[Step]) -> Place {
        let mut place = self.clone();
        place.steps.extend_from_slice(steps);
        place
    }
}

/// One way in which a pointer gets its value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Source {
    pub kind: SourceKind,
    /// Where it happens.
    pub at: TokenRange,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SourceKind {
    /// The address of something that lives in a space, or a pointer declared to point there.
    Space(Spaces, Option<Place>),
    /// An input of the function, by number.
    Input(u32),
    /// An output of a call, by the call's number. What the callee does not put out is what went in.
    Output(u32, Output),
    /// Loaded from memory that is not tracked; the compiler cannot know what was stored there.
    Memory(Holder),
    /// Result of a call that leaves the program, or of one through a pointer.
    Outside,
}

/// What an untracked pointer was loaded from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Holder {
    pub field: Option<DeclId>,
    /// The space that it lies in, if that is one.
    pub space: Option<Space>,
}

/// The values that a pointer can have at one point of a function, in terms of the function's inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    pub sources: SmallVec<[Source; 1]>,
    /// What tests of the address space leave possible.
    pub mask: Spaces,
    /// The compiler cannot follow the value even where its spaces are known: it went through an array that is indexed
    /// by a variable, or through a local whose address escaped.
    pub is_opaque: bool,
    /// The result of an `addrspace_cast` that nothing has compared with null yet.
    pub is_unchecked: bool,
    /// A limit of the analysis was reached: nothing is known, and nothing is claimed.
    pub is_limited: bool,
}

/// Values with more sources than this are given up.
const MAX_SOURCES: usize = 24;

impl Default for Value {
    fn default() -> Value {
        Value { sources: SmallVec::new(), mask: Spaces::ALL, is_opaque: false, is_unchecked: false, is_limited: false }
    }
}

impl Value {
    pub fn new(kind: SourceKind, at: TokenRange) -> Value {
        let mut value = Value::default();
        value.sources.push(Source { kind, at });
        value
    }

    pub fn in_space(space: Space, at: TokenRange) -> Value {
        Value::new(SourceKind::Space(Spaces::of(space), None), at)
    }

    pub fn from_memory(holder: Holder, at: TokenRange) -> Value {
        Value::new(SourceKind::Memory(holder), at)
    }

    /// A value of which a limit of the analysis leaves nothing known.
    pub fn limited() -> Value {
        Value { is_limited: true, ..Value::default() }
    }

    /// Whether both are the same in every context, wherever they come from.
    pub fn flows_like(&self, other: &Value) -> bool {
        let alike = |(a, b): (&Source, &Source)| match (&a.kind, &b.kind) {
            (SourceKind::Space(a, _), SourceKind::Space(b, _)) => a == b,
            (SourceKind::Memory(_), SourceKind::Memory(_)) => true,
            (a, b) => a == b,
        };
        self.mask == other.mask
            && self.is_opaque == other.is_opaque
            && self.is_limited == other.is_limited
            && self.sources.len() == other.sources.len()
            && self.sources.iter().zip(&other.sources).all(alike)
    }

    /// The value on either of two paths.
    pub fn join(&mut self, other: &Value) {
        self.is_opaque |= other.is_opaque;
        self.is_unchecked |= other.is_unchecked;
        self.is_limited |= other.is_limited;
        // A null pointer adds nothing.
        if other.sources.is_empty() {
            return;
        }
        if self.sources.is_empty() {
            self.sources.clone_from(&other.sources);
            self.mask = other.mask;
            return;
        }
        self.mask = self.mask.union(other.mask);
        for source in &other.sources {
            if self.sources.iter().any(|own| own.kind == source.kind) {
                continue;
            }
            if self.sources.len() >= MAX_SOURCES {
                self.is_limited = true;
                return;
            }
            self.sources.push(source.clone());
        }
    }
}
