//! Types, interned.
//!
//! Vocabulary:
//!
//! * A [`Ty`] is a type without top-level qualifiers, as a number in a [`TyStore`]. Equal types have equal numbers.
//! * A [`QualTy`] adds `const`, `volatile`, `coherent` and an address [`Space`]. An address space belongs to the
//!   *pointee or referee*: `device float *` is a pointer to the qualified type `device float`. On the type of an
//!   lvalue the space says where the object lives.
//! * [`Bindings`] say what template parameters stand for. They form a chain, innermost template first, and are
//!   interned as well: a [`BindId`]. A class template specialisation is a declaration with bindings.
//! * A type is *dependent* if it mentions an unbound template parameter, *unknown* if it mentions something that the
//!   analysis could not model, *local* if it mentions a declaration inside a function body. [`TyFlags`] keep this
//!   for each type, so the questions cost nothing.

use std::hash::Hash;
use std::sync::Arc;

use bitflags::bitflags;
use dashmap::{DashMap, Entry};
use msl_parser::ast::{DeclId, ExprId, SpaceWord, TemplateId, TypeId};
use rustc_hash::FxBuildHasher;

/// An interned type without top-level qualifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ty(pub u32);

/// An interned chain of template bindings; [`BindId::NONE`] outside of templates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BindId(pub u32);

impl BindId {
    pub const NONE: BindId = BindId(0);
}

/// An address space (MSL spec §4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Space {
    /// No address space: a value, a function, or a type on its own.
    None,
    Thread,
    Threadgroup,
    Device,
    Constant,
    ThreadgroupImageblock,
    ObjectData,
    RayData,
    /// MSL 4.1: thread, threadgroup or device.
    Generic,
    /// Missing or contradictory in the source; every rule stays silent about it.
    Unknown,
}

impl Space {
    pub const fn from_word(word: SpaceWord) -> Space {
        match word {
            SpaceWord::Thread => Space::Thread,
            SpaceWord::Threadgroup => Space::Threadgroup,
            SpaceWord::ThreadgroupImageblock => Space::ThreadgroupImageblock,
            SpaceWord::Device => Space::Device,
            SpaceWord::Constant => Space::Constant,
            SpaceWord::ObjectData => Space::ObjectData,
            SpaceWord::RayData => Space::RayData,
        }
    }

    /// The word as MSL spells it; `generic` has none in the language.
    pub const fn word(self) -> &'static str {
        match self {
            Space::None => "",
            Space::Thread => "thread",
            Space::Threadgroup => "threadgroup",
            Space::Device => "device",
            Space::Constant => "constant",
            Space::ThreadgroupImageblock => "threadgroup_imageblock",
            Space::ObjectData => "object_data",
            Space::RayData => "ray_data",
            Space::Generic => "generic",
            Space::Unknown => "",
        }
    }

    /// Whether a generic pointer may point there (article on generic pointers; rules G3–G7).
    pub const fn covered_by_generic(self) -> bool {
        matches!(self, Space::Thread | Space::Threadgroup | Space::Device | Space::Generic)
    }

    /// Whether a pointer to `self` converts implicitly to a pointer to `to`.
    pub fn converts_to(self, to: Space) -> bool {
        self == to
            || matches!(self, Space::Unknown)
            || matches!(to, Space::Unknown)
            || (to == Space::Generic && self.covered_by_generic())
    }

    /// Whether this is one of the spaces that are written by name.
    pub const fn is_named(self) -> bool {
        !matches!(self, Space::None | Space::Generic | Space::Unknown)
    }
}

bitflags! {
    /// Qualifiers other than the address space.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
    pub struct Cv: u8 {
        const CONST = 1;
        const VOLATILE = 2;
        const COHERENT = 4;
    }
}

/// A type with qualifiers and address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QualTy {
    pub ty: Ty,
    pub cv: Cv,
    pub space: Space,
}

impl QualTy {
    pub const fn plain(ty: Ty) -> QualTy {
        QualTy { ty, cv: Cv::empty(), space: Space::None }
    }

    pub const UNKNOWN: QualTy = QualTy::plain(Ty::UNKNOWN);
    pub const DEPENDENT: QualTy = QualTy::plain(Ty::DEPENDENT);

    pub const fn with_space(self, space: Space) -> QualTy {
        QualTy { space, ..self }
    }

    pub fn with_cv(self, cv: Cv) -> QualTy {
        QualTy { cv: self.cv | cv, ..self }
    }

    /// The type alone, as a value of it has.
    pub const fn unqualified(self) -> QualTy {
        QualTy::plain(self.ty)
    }

    pub fn is_const(self) -> bool {
        self.cv.contains(Cv::CONST)
    }
}

/// An arithmetic type (MSL spec §2.1). `signed char` is `char`; `long` has 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Scalar {
    Bool,
    Char,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    Half,
    BFloat,
    Float,
}

impl Scalar {
    pub const ALL: [Scalar; 12] = [
        Scalar::Bool,
        Scalar::Char,
        Scalar::UChar,
        Scalar::Short,
        Scalar::UShort,
        Scalar::Int,
        Scalar::UInt,
        Scalar::Long,
        Scalar::ULong,
        Scalar::Half,
        Scalar::BFloat,
        Scalar::Float,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::Char => "char",
            Scalar::UChar => "uchar",
            Scalar::Short => "short",
            Scalar::UShort => "ushort",
            Scalar::Int => "int",
            Scalar::UInt => "uint",
            Scalar::Long => "long",
            Scalar::ULong => "ulong",
            Scalar::Half => "half",
            Scalar::BFloat => "bfloat",
            Scalar::Float => "float",
        }
    }

    /// Size in bytes, which is also the alignment.
    pub const fn size(self) -> u32 {
        match self {
            Scalar::Bool | Scalar::Char | Scalar::UChar => 1,
            Scalar::Short | Scalar::UShort | Scalar::Half | Scalar::BFloat => 2,
            Scalar::Int | Scalar::UInt | Scalar::Float => 4,
            Scalar::Long | Scalar::ULong => 8,
        }
    }

    pub const fn is_float(self) -> bool {
        matches!(self, Scalar::Half | Scalar::BFloat | Scalar::Float)
    }

    /// Integers including `bool`.
    pub const fn is_integer(self) -> bool {
        !self.is_float()
    }

    pub const fn is_signed(self) -> bool {
        matches!(self, Scalar::Char | Scalar::Short | Scalar::Int | Scalar::Long) || self.is_float()
    }

    /// Number of value bits of an integer type.
    pub const fn bits(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            _ => self.size() * 8,
        }
    }
}

/// The length of an array type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrayLen {
    Known(u64),
    /// `[]`.
    Unsized,
    /// An unbound non-type template parameter: a pattern for deduction.
    Param(DeclId),
    /// Depends on template parameters in a way that nothing can be deduced from.
    Dependent,
    /// A bound that could not be evaluated.
    Unknown,
}

/// A function type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FnTy {
    pub ret: QualTy,
    pub params: Box<[QualTy]>,
    pub variadic: bool,
}

/// A constant, as a non-type template argument or the result of constant evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Const {
    /// Integers, booleans and enumerators, as the mathematical value.
    Int(i128),
    /// The bits of an `f64`; values of `half` and `float` are exact in it.
    Float(u64),
    Null,
    /// The address of a function.
    Function(DeclId, BindId),
    /// The address of a variable.
    Variable(DeclId, BindId),
}

/// A template argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TArg {
    Type(QualTy),
    Value {
        value: Const,
        ty: Ty,
    },
    /// A class or alias template, for a template template parameter.
    Template(DeclId, BindId),
    Pack(Arc<[TArg]>),
    /// An unbound non-type or template template parameter, as a pattern for deduction.
    Param(DeclId),
    /// `P...` with an unbound pack, as a pattern.
    Expansion(Arc<TArg>),
    /// A value that depends on template parameters; nothing is deduced from it. The expression and the bindings it
    /// was met under keep different ones apart.
    DependentExpr(ExprId, BindId),
    Unknown,
}

/// One link of a chain of bindings: what the parameters of one template header stand for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bindings {
    pub parent: BindId,
    pub header: TemplateId,
    /// One for each parameter; a pack parameter has one [`TArg::Pack`].
    pub args: Arc<[TArg]>,
}

/// The structure of a type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TyKind {
    Unknown,
    /// The result of something ill-formed: a substitution failure during overload resolution, else already reported.
    Invalid,
    /// Type of an expression that depends on template parameters in a way that is not tracked further.
    Dependent,
    Void,
    NullPtr,
    Scalar(Scalar),
    /// 2 to 4 components, or any number for types that the language only reserves.
    Vector(Scalar, u8),
    Packed(Scalar, u8),
    /// Columns, rows.
    Matrix(Scalar, u8, u8),
    Pointer(QualTy),
    LRef(QualTy),
    RRef(QualTy),
    Array(QualTy, ArrayLen),
    Function(Arc<FnTy>),
    /// A class, or a class template specialisation: the declaration is the primary template's and the bindings hold
    /// its arguments.
    Record(DeclId, BindId),
    Enum(DeclId, BindId),
    /// An unbound template type parameter.
    Param(DeclId),
    /// A pack expansion as a type: `T...` in a parameter list pattern.
    Expansion(QualTy),
    /// A template template parameter applied to arguments.
    ParamInst(DeclId, Arc<[TArg]>),
    /// A type that cannot be resolved until its template parameters are bound: `typename T::type`,
    /// `decltype(expr)`. Resolving the node again under complete bindings gives the type.
    DependentNode(TypeId, BindId),
    MemberPointer(Ty, QualTy),
    /// The closure type of a lambda expression.
    Closure(ExprId, BindId),
    /// A placeholder type in a declaration: `auto`.
    Auto,
    /// `decltype(auto)`.
    DecltypeAuto,
}

bitflags! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    pub struct TyFlags: u8 {
        const DEPENDENT = 1;
        const UNKNOWN = 2;
        const LOCAL = 4;
        const AUTO = 8;
        const INVALID = 16;
    }
}

/// The interner. It is shared by all threads that look at one unit; numbers are only meaningful within it.
pub struct TyStore {
    kinds: boxcar::Vec<(TyKind, TyFlags)>,
    ids: DashMap<TyKind, Ty, FxBuildHasher>,
    bindings: boxcar::Vec<(Bindings, TyFlags)>,
    bind_ids: DashMap<Bindings, BindId, FxBuildHasher>,
    /// Declarations and expressions from these numbers on are inside a function body.
    local_decls: u32,
    local_exprs: u32,
}

macro_rules! fixed {
    ($($name:ident = $index:literal, $kind:expr;)*) => {
        impl Ty { $(pub const $name: Ty = Ty($index);)* }
        const FIXED: &[TyKind] = &[$($kind),*];
    };
}

fixed! {
    UNKNOWN = 0, TyKind::Unknown;
    DEPENDENT = 1, TyKind::Dependent;
    VOID = 2, TyKind::Void;
    NULLPTR = 3, TyKind::NullPtr;
    AUTO = 4, TyKind::Auto;
    DECLTYPE_AUTO = 5, TyKind::DecltypeAuto;
    BOOL = 6, TyKind::Scalar(Scalar::Bool);
    CHAR = 7, TyKind::Scalar(Scalar::Char);
    UCHAR = 8, TyKind::Scalar(Scalar::UChar);
    SHORT = 9, TyKind::Scalar(Scalar::Short);
    USHORT = 10, TyKind::Scalar(Scalar::UShort);
    INT = 11, TyKind::Scalar(Scalar::Int);
    UINT = 12, TyKind::Scalar(Scalar::UInt);
    LONG = 13, TyKind::Scalar(Scalar::Long);
    ULONG = 14, TyKind::Scalar(Scalar::ULong);
    HALF = 15, TyKind::Scalar(Scalar::Half);
    BFLOAT = 16, TyKind::Scalar(Scalar::BFloat);
    FLOAT = 17, TyKind::Scalar(Scalar::Float);
    INVALID = 18, TyKind::Invalid;
}

impl Ty {
    /// The type of a scalar.
    pub const fn scalar(scalar: Scalar) -> Ty {
        Ty(Ty::BOOL.0 + scalar as u32)
    }
}

impl TyStore {
    /// An empty store. Declarations from `local_decls` and expressions from `local_exprs` on belong to bodies.
    pub fn new(local_decls: u32, local_exprs: u32) -> TyStore {
        let store = TyStore {
            kinds: boxcar::Vec::new(),
            ids: DashMap::with_hasher_and_shard_amount(FxBuildHasher, 8),
            bindings: boxcar::Vec::new(),
            bind_ids: DashMap::with_hasher_and_shard_amount(FxBuildHasher, 4),
            local_decls,
            local_exprs,
        };
        for (index, kind) in FIXED.iter().enumerate() {
            assert_eq!(store.intern(kind.clone()), Ty(index as u32), "the fixed types keep their numbers");
        }
        let nothing = Bindings { parent: BindId::NONE, header: TemplateId(u32::MAX), args: Arc::from([]) };
        store.bindings.push((nothing, TyFlags::empty()));
        store
    }

    /// The number of a type.
    pub fn intern(&self, kind: TyKind) -> Ty {
        if let Some(ty) = self.ids.get(&kind) {
            return *ty;
        }
        let flags = self.compute_flags(&kind);
        match self.ids.entry(kind) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(vacant) => {
                let ty = Ty(self.kinds.push((vacant.key().clone(), flags)) as u32);
                *vacant.insert(ty)
            }
        }
    }

    pub fn kind(&self, ty: Ty) -> &TyKind {
        &self.kinds[ty.0 as usize].0
    }

    pub fn flags(&self, ty: Ty) -> TyFlags {
        self.kinds[ty.0 as usize].1
    }

    pub fn is_dependent(&self, ty: Ty) -> bool {
        self.flags(ty).contains(TyFlags::DEPENDENT)
    }

    /// Whether the type is, or mentions, something that could not be modelled.
    pub fn is_unknown(&self, ty: Ty) -> bool {
        self.flags(ty).contains(TyFlags::UNKNOWN)
    }

    /// Whether the type is, or mentions, something ill-formed.
    pub fn is_invalid(&self, ty: Ty) -> bool {
        self.flags(ty).contains(TyFlags::INVALID)
    }

    /// Neither dependent nor unknown.
    pub fn is_solid(&self, ty: Ty) -> bool {
        !self.flags(ty).intersects(TyFlags::DEPENDENT | TyFlags::UNKNOWN)
    }

    /// The number of a chain of bindings.
    pub fn bind(&self, parent: BindId, header: TemplateId, args: Arc<[TArg]>) -> BindId {
        let bindings = Bindings { parent, header, args };
        if let Some(id) = self.bind_ids.get(&bindings) {
            return *id;
        }
        let mut flags = if parent == BindId::NONE { TyFlags::empty() } else { self.bind_flags(parent) };
        for arg in &*bindings.args {
            flags |= self.arg_flags(arg);
        }
        match self.bind_ids.entry(bindings) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(vacant) => {
                let id = BindId(self.bindings.push((vacant.key().clone(), flags)) as u32);
                *vacant.insert(id)
            }
        }
    }

    pub fn bindings(&self, id: BindId) -> &Bindings {
        &self.bindings[id.0 as usize].0
    }

    pub fn bind_flags(&self, id: BindId) -> TyFlags {
        self.bindings[id.0 as usize].1
    }

    pub fn pointer(&self, pointee: QualTy) -> Ty {
        self.intern(TyKind::Pointer(pointee))
    }

    pub fn vector(&self, scalar: Scalar, width: u8) -> Ty {
        if width == 1 { Ty::scalar(scalar) } else { self.intern(TyKind::Vector(scalar, width)) }
    }

    fn decl_flags(&self, decl: DeclId) -> TyFlags {
        if decl.0 >= self.local_decls { TyFlags::LOCAL } else { TyFlags::empty() }
    }

    fn expr_flags(&self, expr: ExprId) -> TyFlags {
        if expr.0 >= self.local_exprs { TyFlags::LOCAL } else { TyFlags::empty() }
    }

    /// The flags of a template argument.
    pub fn arg_flags(&self, arg: &TArg) -> TyFlags {
        match arg {
            TArg::Type(ty) => self.flags(ty.ty),
            TArg::Value { value, ty } => {
                let of_value = match value {
                    Const::Function(decl, bind) | Const::Variable(decl, bind) => {
                        self.decl_flags(*decl) | self.bind_flags_of(*bind)
                    }
                    _ => TyFlags::empty(),
                };
                of_value | self.flags(*ty)
            }
            TArg::Template(decl, bind) => self.decl_flags(*decl) | self.bind_flags_of(*bind),
            TArg::Pack(args) => args.iter().fold(TyFlags::empty(), |flags, arg| flags | self.arg_flags(arg)),
            TArg::Param(decl) => TyFlags::DEPENDENT | self.decl_flags(*decl),
            TArg::Expansion(arg) => TyFlags::DEPENDENT | self.arg_flags(arg),
            TArg::DependentExpr(expr, _) => TyFlags::DEPENDENT | self.expr_flags(*expr),
            TArg::Unknown => TyFlags::UNKNOWN,
        }
    }

    fn bind_flags_of(&self, bind: BindId) -> TyFlags {
        if bind == BindId::NONE { TyFlags::empty() } else { self.bind_flags(bind) }
    }

    fn compute_flags(&self, kind: &TyKind) -> TyFlags {
        match kind {
            TyKind::Unknown => TyFlags::UNKNOWN,
            TyKind::Invalid => TyFlags::UNKNOWN | TyFlags::INVALID,
            TyKind::Dependent => TyFlags::DEPENDENT,
            TyKind::Auto | TyKind::DecltypeAuto => TyFlags::AUTO,
            TyKind::Void
            | TyKind::NullPtr
            | TyKind::Scalar(_)
            | TyKind::Vector(..)
            | TyKind::Packed(..)
            | TyKind::Matrix(..) => TyFlags::empty(),
            TyKind::Pointer(inner) | TyKind::LRef(inner) | TyKind::RRef(inner) => self.flags(inner.ty),
            TyKind::Array(elem, len) => {
                let of_len = match len {
                    ArrayLen::Known(_) | ArrayLen::Unsized => TyFlags::empty(),
                    ArrayLen::Param(_) | ArrayLen::Dependent => TyFlags::DEPENDENT,
                    // An array of unknown length is still an array; only its length is unknown.
                    ArrayLen::Unknown => TyFlags::empty(),
                };
                of_len | self.flags(elem.ty)
            }
            TyKind::Function(function) => {
                function.params.iter().fold(self.flags(function.ret.ty), |flags, param| flags | self.flags(param.ty))
            }
            TyKind::Record(decl, bind) | TyKind::Enum(decl, bind) => self.decl_flags(*decl) | self.bind_flags_of(*bind),
            TyKind::Param(decl) => TyFlags::DEPENDENT | self.decl_flags(*decl),
            TyKind::Expansion(inner) => TyFlags::DEPENDENT | self.flags(inner.ty),
            TyKind::ParamInst(decl, args) => {
                args.iter().fold(TyFlags::DEPENDENT | self.decl_flags(*decl), |flags, arg| flags | self.arg_flags(arg))
            }
            TyKind::DependentNode(..) => TyFlags::DEPENDENT,
            TyKind::MemberPointer(class, pointee) => self.flags(*class) | self.flags(pointee.ty),
            TyKind::Closure(expr, bind) => self.expr_flags(*expr) | self.bind_flags_of(*bind),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_types_have_equal_numbers() {
        let store = TyStore::new(u32::MAX, u32::MAX);
        let device_float = QualTy::plain(Ty::FLOAT).with_space(Space::Device);
        assert_eq!(store.pointer(device_float), store.pointer(device_float));
        assert_ne!(store.pointer(device_float), store.pointer(device_float.with_space(Space::Thread)));
        assert_eq!(store.kind(Ty::scalar(Scalar::Half)), &TyKind::Scalar(Scalar::Half));
    }

    #[test]
    fn generic_covers_three_spaces() {
        for (space, covered) in [
            (Space::Thread, true),
            (Space::Threadgroup, true),
            (Space::Device, true),
            (Space::Constant, false),
            (Space::RayData, false),
            (Space::ObjectData, false),
            (Space::ThreadgroupImageblock, false),
        ] {
            assert_eq!(space.converts_to(Space::Generic), covered, "{space:?}");
            assert!(!Space::Generic.converts_to(space));
        }
    }
}
