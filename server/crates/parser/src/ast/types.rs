//! Types as written.

use msl_intern::Name;

use super::*;

/// A type as written, with the declarator folded in.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeNode {
    pub kind: TypeKind,
    pub range: TokenRange,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// Missing or broken; reported by the parser.
    Error,
    /// No type is written, and none is due: constructors, destructors, conversion functions, deduction guides.
    None,
    Builtin(BuiltinType),
    Auto,
    DecltypeAuto,
    Decltype(ExprId),
    /// A named type, with or without `typename`. Also a class template's name where its arguments are deduced.
    Path {
        path: Path,
        typename: bool,
    },
    /// `struct S` and the like, naming a type declared elsewhere (or here for the first time).
    Elaborated {
        key: RecordKey,
        path: Path,
    },
    /// `enum E` naming a type declared elsewhere.
    ElaboratedEnum {
        path: Path,
    },
    /// A class defined inside a declaration: `struct { int a; } x;`.
    Record(DeclId),
    /// An enumeration defined inside a declaration.
    Enum(DeclId),
    /// Qualifiers on a type. On a pointee or referee the space says where it lives; on the outermost type of a
    /// variable, where the variable lives.
    Qualified {
        inner: TypeId,
        quals: Quals,
    },
    Pointer(TypeId),
    LRef(TypeId),
    RRef(TypeId),
    /// `len` is `None` for `[]`.
    Array {
        elem: TypeId,
        len: Option<ExprId>,
    },
    Function(FunctionType),
    /// `T C::*`.
    MemberPointer {
        class: Path,
        pointee: TypeId,
    },
    /// `T...` in a parameter declaration or a template argument.
    Pack(TypeId),
    /// `__underlying_type(T)` and other built-in type transformations, by name.
    Transform {
        name: Name,
        arg: TypeId,
    },
}

/// A type that is a single keyword or a run of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BuiltinType {
    Void,
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    /// Written `__half`; the library's `half` is an alias of it.
    Half,
    /// Written `__bf16`; the library's `bfloat` is an alias of it.
    BFloat,
    Float,
    Double,
    LongDouble,
    Wchar,
    Char16,
    Char32,
}

/// Qualifiers as written.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Quals {
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    /// `coherent` or `coherent(device)` (MSL spec §4.8), with its token.
    pub coherent: Option<u32>,
    /// Address-space words with their tokens, in order; more than one is an error that the type phase reports.
    pub spaces: Box<[(SpaceWord, u32)]>,
}

/// An address space as written (MSL spec §4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpaceWord {
    Thread,
    Threadgroup,
    ThreadgroupImageblock,
    Device,
    Constant,
    ObjectData,
    RayData,
}

/// A function type: of a declaration, of a pointer's pointee, of an alias, of a template argument.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionType {
    pub ret: TypeId,
    pub params: Box<[DeclId]>,
    pub variadic: bool,
    /// Written after the parameter list: `const`, `volatile`, address space of `this`.
    pub this_quals: Quals,
    pub this_ref: RefQualifier,
    /// The return type is written after `->`.
    pub trailing_return: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum RefQualifier {
    #[default]
    None,
    LValue,
    RValue,
}
