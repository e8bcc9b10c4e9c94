//! Values of host code, as far as they matter for Metal's functions.

use std::collections::BTreeMap;

use super::{BindingKind, LibraryOrigin, NameRole};

/// Where an object is made: the token of the call and the calls of local functions that lead there. Running over the
/// same text again finds the same objects, so that members may be used above the place that sets them.
pub(super) type ObjectId = (usize, u64);

/// A range of tokens.
pub(super) type Tokens = std::ops::Range<usize>;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Unknown,
    Nil,
    Bool(bool),
    Int(i128),
    /// A string without holes, and its token.
    String(String, usize),
    /// An enumerator or another name that stands for itself.
    Word(String),
    /// One of several, such as the variable of a loop.
    OneOf(Vec<Value>),
    /// Elements, and whether they are all.
    Array(Vec<Value>, bool),
    /// Keys with values, and whether they are all.
    Map(Vec<(Value, Value)>, bool),
    Object(ObjectId),
    /// `start ..< end`, as far as the start is known.
    RangeFrom(i128),
}

impl Value {
    /// The values that it may be; `false` if it may be others.
    pub(super) fn choices(&self) -> (Vec<&Value>, bool) {
        match self {
            Value::OneOf(values) => {
                let is_complete = values.iter().all(|value| *value != Value::Unknown);
                (values.iter().filter(|value| **value != Value::Unknown).collect(), is_complete)
            }
            Value::Unknown => (Vec::new(), false),
            value => (vec![value], true),
        }
    }

    pub(super) fn object(&self) -> Option<ObjectId> {
        match self {
            Value::Object(id) => Some(*id),
            _ => None,
        }
    }

    /// What holds if either of two values does: of lists and maps, all that may be in them.
    pub(super) fn joined(self, other: Value) -> Value {
        match (self, other) {
            (Value::Array(mut left, a), Value::Array(right, b)) => {
                for value in right {
                    if !left.contains(&value) && left.len() < 10_000 {
                        left.push(value);
                    }
                }
                Value::Array(left, a && b)
            }
            (Value::Map(mut left, a), Value::Map(right, b)) => {
                for entry in right {
                    if !left.contains(&entry) && left.len() < 10_000 {
                        left.push(entry);
                    }
                }
                Value::Map(left, a && b)
            }
            (left, right) => left.or(right),
        }
    }

    /// One value out of two that may both hold.
    pub(super) fn or(self, other: Value) -> Value {
        if self == other {
            return self;
        }
        let mut all = match self {
            Value::OneOf(values) => values,
            value => vec![value],
        };
        let more = match other {
            Value::OneOf(values) => values,
            value => vec![value],
        };
        for value in more {
            if !all.contains(&value) && all.len() < 64 {
                all.push(value);
            }
        }
        Value::OneOf(all)
    }
}

/// What an object is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Library {
        origin: LibraryOrigin,
        options: Value,
    },
    CompileOptions,
    /// A function; the value that names it, or its descriptor.
    Function {
        source: Value,
        library: LibraryOrigin,
        from: Value,
    },
    FunctionDescriptor,
    LinkedFunctions,
    PipelineDescriptor,
    /// Made from a descriptor, or from one function.
    Pipeline {
        source: Value,
    },
    /// A pipeline with functions added to another.
    ExtendedPipeline {
        base: Value,
        added: Value,
    },
    TableDescriptor,
    Table {
        descriptor: Value,
        pipeline: Value,
        is_intersection: bool,
    },
    /// The handle of a function.
    Handle {
        function: Value,
    },
    Constants,
}

/// An object that host code makes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Object {
    pub(super) kind: Kind,
    /// How deep in blocks it is made.
    pub(super) depth: usize,
    pub(super) properties: BTreeMap<String, Property>,
}

/// A property that was set.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Property {
    pub(super) value: Value,
    /// The tokens of the value.
    pub(super) at: Tokens,
}

/// A function that is stored in a table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stored {
    pub(super) table: ObjectId,
    pub(super) index: Option<u64>,
    pub(super) handle: Value,
}

/// All that was found in a file. Keyed by the token of the call and its context, so that each counts once.
#[derive(Default)]
pub(super) struct World {
    pub(super) objects: BTreeMap<ObjectId, Object>,
    pub(super) stored: BTreeMap<(ObjectId, usize), Stored>,
    /// Tables that are bound: the table, the index, the token of the index.
    pub(super) bound_tables: BTreeMap<ObjectId, (ObjectId, u64, usize)>,
    pub(super) bindings: BTreeMap<usize, (BindingKind, u64)>,
    /// Strings that name something, by their token.
    pub(super) names: BTreeMap<usize, (NameRole, String, LibraryOrigin)>,
    pub(super) has_other_libraries: bool,
}

impl Value {
    /// What `+` makes of two values.
    pub(super) fn plus(self, other: Value) -> Value {
        match (self, other) {
            (Value::Array(mut left, a), Value::Array(right, b)) => {
                left.extend(right);
                left.truncate(10_000);
                Value::Array(left, a && b)
            }
            (Value::Array(left, _), _) => Value::Array(left, false),
            (Value::Int(left), Value::Int(right)) => left.checked_add(right).map_or(Value::Unknown, Value::Int),
            _ => Value::Unknown,
        }
    }
}
