//! Names as written, with their qualifiers and template arguments.

use msl_intern::Name;
use msl_preproc::Punct;

use super::*;

/// A name without its qualifiers, as it is declared or used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnqualName {
    Ident(Name),
    /// `operator+`, `operator()`, `operator[]` …
    Operator(OverloadedOp),
    /// `operator T`.
    Conversion(TypeId),
    /// `~T`; the name is `T`'s.
    Destructor(Name),
    /// `operator""_x`.
    Literal(Name),
    /// A name that is missing in broken code, or an unnamed entity.
    Missing,
}

impl UnqualName {
    pub fn ident(self) -> Option<Name> {
        match self {
            UnqualName::Ident(name) => Some(name),
            _ => None,
        }
    }
}

/// An operator that can be overloaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OverloadedOp {
    /// Any operator that is one punctuator; prefix and postfix `++` share one.
    Punct(Punct),
    Call,
    Index,
    New,
    Delete,
    NewArray,
    DeleteArray,
}

/// A possibly qualified name: `a::b<T>::c`, `::x`, `T::template f<int>`, `decltype(e)::type`.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Written with a leading `::`.
    pub global: bool,
    /// `decltype(…)::` in front, else `None`.
    pub decltype: Option<ExprId>,
    /// At least one, unless the code is broken; the last names the entity.
    pub segments: Box<[Segment]>,
}

/// One part of a [`Path`].
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    pub name: UnqualName,
    /// Present exactly if a template argument list is written.
    pub args: Option<Box<[TemplateArg]>>,
    /// The token of the name itself; of `operator` for operator names.
    pub token: u32,
    /// Written with the `template` keyword before it.
    pub template_keyword: bool,
}

impl Path {
    /// The last segment, if there is one.
    pub fn last(&self) -> Option<&Segment> {
        self.segments.last()
    }

    /// The name, if the path is a single identifier without arguments.
    pub fn as_ident(&self) -> Option<Name> {
        match &*self.segments {
            [Segment { name: UnqualName::Ident(name), args: None, .. }] if !self.global && self.decltype.is_none() => {
                Some(*name)
            }
            _ => None,
        }
    }
}

/// One template argument as written. What could be a type or an expression is a type (C++ [temp.arg]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TemplateArg {
    pub kind: TemplateArgKind,
    /// Followed by `...`.
    pub expansion: bool,
    pub range: TokenRange,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplateArgKind {
    /// A type; also the name of a class template given for a template template parameter, as a [`TypeKind::Path`].
    Type(TypeId),
    Expr(ExprId),
}
