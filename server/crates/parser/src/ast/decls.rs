//! Declarations, their specifiers and attributes.

use bitflags::bitflags;
use msl_intern::Name;

use super::*;

/// A declaration. One written declaration with several declarators is several of these.
#[derive(Clone, Debug, PartialEq)]
pub struct Decl {
    pub kind: DeclKind,
    /// The whole declaration, attributes and template headers included.
    pub range: TokenRange,
    /// The token of the declared name; of the keyword or first token where there is none.
    pub name_token: u32,
    /// The scope that the declaration stands in (lexically).
    pub scope: ScopeId,
    pub attrs: Box<[AttrId]>,
    pub specs: Specs,
    /// Template headers, outermost first; those of enclosing class templates are theirs, not repeated here.
    /// `template <>` is a header without parameters.
    pub templates: Box<[TemplateId]>,
}

bitflags! {
    /// Declaration specifiers that are not part of the type.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
    pub struct Specs: u32 {
        const CONSTEXPR = 1;
        const STATIC = 1 << 1;
        const INLINE = 1 << 2;
        const EXTERN = 1 << 3;
        const FRIEND = 1 << 4;
        const EXPLICIT = 1 << 5;
        const VIRTUAL = 1 << 6;
        const TYPEDEF = 1 << 7;
        const MUTABLE = 1 << 8;
        const THREAD_LOCAL = 1 << 9;
        const REGISTER = 1 << 10;
        /// The words `kernel`, `vertex`, `fragment`; the attribute forms stand among the attributes.
        const KERNEL = 1 << 11;
        const VERTEX = 1 << 12;
        const FRAGMENT = 1 << 13;
        /// `template` without `<`: an explicit instantiation.
        const INSTANTIATION = 1 << 14;
        /// `extern template`.
        const EXTERN_TEMPLATE = 1 << 15;
        const NOEXCEPT = 1 << 16;
        const OVERRIDE = 1 << 17;
        const FINAL = 1 << 18;
        const PURE = 1 << 19;
        /// Of members: private or protected, as written or by default in a `class` (C++ [class.access]).
        const PRIVATE = 1 << 20;
        const PROTECTED = 1 << 21;
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum DeclKind {
    /// `;`, or a declaration too broken to keep.
    Empty,
    Namespace {
        name: Name,
        inline: bool,
        scope: ScopeId,
        decls: Box<[DeclId]>,
    },
    NamespaceAlias {
        name: Name,
        target: Path,
    },
    UsingDirective {
        target: Path,
    },
    /// `using a::b;`, also with `typename`.
    UsingDecl {
        target: Path,
        typename: bool,
    },
    /// `using T = …;` (also a template) or `typedef`.
    TypeAlias {
        name: Name,
        ty: TypeId,
    },
    StaticAssert {
        cond: ExprId,
        message: Option<ExprId>,
    },
    Variable(Variable),
    Function(Function),
    Record(Record),
    Enum(Enum),
    Enumerator {
        name: Name,
        value: Option<ExprId>,
    },
    /// A type template parameter.
    TypeParam {
        name: Name,
        pack: bool,
        default: Option<TypeId>,
    },
    /// A template template parameter.
    TemplateParam {
        name: Name,
        pack: bool,
        header: TemplateId,
        default: Option<TypeId>,
    },
    /// `auto [a, b] = e;`; the names are [`VariableKind::Binding`] variables.
    StructuredBinding {
        ty: TypeId,
        names: Box<[DeclId]>,
        init: Option<ExprId>,
    },
    /// `X(T) -> X<T>;`
    DeductionGuide {
        name: Name,
        ty: TypeId,
        result: TypeId,
    },
    /// `friend class X;` and `friend T;`; friend functions are functions with [`Specs::FRIEND`].
    FriendType(TypeId),
    /// `asm("…");` and `extern "C" { … }`'s contents are flattened into the enclosing list.
    Asm,
    /// `goto` label inside a body.
    Label(Name),
}

/// A variable, parameter, field, non-type template parameter or binding.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    pub name: UnqualName,
    /// Qualifiers of an out-of-class definition: `int S::count = 0;` has the path `S`.
    pub qualifier: Option<Path>,
    /// Template arguments after the name: explicit specialisation or instantiation, also in the form
    /// `template [[host_name("k")]] [[kernel]] decltype(f<float>) f<float>;`.
    pub name_args: Option<Box<[TemplateArg]>>,
    pub ty: TypeId,
    pub init: Init,
    pub kind: VariableKind,
    /// Width of a bit-field.
    pub bit_width: Option<ExprId>,
    /// Followed by `...`: a parameter pack.
    pub pack: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableKind {
    /// At namespace scope.
    Global,
    /// A member; static data members have [`Specs::STATIC`].
    Field,
    Param,
    Local,
    /// A name of a structured binding.
    Binding,
    /// A non-type template parameter.
    TemplateValue,
    /// An init-capture of a lambda.
    Capture,
}

/// How a variable is initialised; a default argument is [`Init::Assign`].
#[derive(Clone, Debug, PartialEq)]
pub enum Init {
    None,
    /// `= e`, where `e` may be an [`ExprKind::InitList`].
    Assign(ExprId),
    /// `(a, b)`.
    Paren(Box<[ExprId]>),
    /// `{a, b}`: an [`ExprKind::InitList`].
    Brace(ExprId),
    /// Set by the enclosing range-for or structured binding.
    Implied,
}

/// A function: free, member, operator, constructor, destructor, conversion; declaration or definition.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: UnqualName,
    /// Qualifiers of an out-of-class definition or a friend: `void S<T>::f() {}` has the path `S<T>`.
    pub qualifier: Option<Path>,
    /// Template arguments after the name: explicit specialisation or instantiation.
    pub name_args: Option<Box<[TemplateArg]>>,
    /// Always a [`TypeKind::Function`]; constructors and the like return [`TypeKind::None`].
    pub ty: TypeId,
    pub role: FunctionRole,
    /// The scope of the parameters.
    pub scope: ScopeId,
    /// Member initialisers as tokens, without the colon: they are parsed with the body, when the class is complete.
    pub inits: TokenRange,
    pub body: FunctionBody,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FunctionRole {
    /// Free function or member function, operators included.
    Plain,
    Constructor,
    Destructor,
    Conversion,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FunctionBody {
    /// A declaration.
    None,
    /// Cut out by the splitter: the number of the body. See [`crate::parse_body`].
    Deferred(u32),
    /// Still in the declaration stream, braces included, because declarations may depend on it: `constexpr`
    /// functions and functions whose return type is deduced.
    Inline(TokenRange),
    Defaulted,
    Deleted,
}

/// One element of a constructor's initialiser list.
#[derive(Clone, Debug, PartialEq)]
pub struct MemInit {
    /// A field's name or a base class, as a type; a plain identifier is a [`TypeKind::Path`] that may name a field.
    pub target: TypeId,
    pub init: Init,
    pub expansion: bool,
    pub range: TokenRange,
}

/// A class, struct or union.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub key: RecordKey,
    /// [`Name::EMPTY`] if unnamed.
    pub name: Name,
    pub qualifier: Option<Path>,
    /// Present for partial and explicit specialisations and explicit instantiations.
    pub name_args: Option<Box<[TemplateArg]>>,
    pub bases: Box<[Base]>,
    /// The member scope; `None` for a declaration without a body.
    pub scope: Option<ScopeId>,
    pub members: Box<[DeclId]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordKey {
    Struct,
    Class,
    Union,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Base {
    pub ty: TypeId,
    pub is_virtual: bool,
    /// Followed by `...`.
    pub expansion: bool,
}

/// An enumeration; enumerators of an unscoped one are also visible in the enclosing scope.
#[derive(Clone, Debug, PartialEq)]
pub struct Enum {
    pub name: Name,
    pub qualifier: Option<Path>,
    /// `enum class`.
    pub scoped: bool,
    pub underlying: Option<TypeId>,
    /// The scope of the enumerators; `None` for a declaration without a list.
    pub scope: Option<ScopeId>,
    pub enumerators: Box<[DeclId]>,
}

/// `template <…>`.
#[derive(Clone, Debug, PartialEq)]
pub struct TemplateHeader {
    /// [`DeclKind::TypeParam`], [`DeclKind::TemplateParam`], or [`VariableKind::TemplateValue`] variables.
    pub params: Box<[DeclId]>,
    /// The scope of the parameters.
    pub scope: ScopeId,
    pub range: TokenRange,
}

/// An attribute: one element of `[[a, b(1)]]`, `__attribute__((x))` or `alignas(n)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Attr {
    /// `clang` in `[[clang::x]]`.
    pub namespace: Option<Name>,
    pub name: Name,
    /// Each argument as an expression; words such as `any` in `depth(any)` are plain paths that nothing resolves.
    pub args: Box<[ExprId]>,
    /// Whether an argument list is written, even an empty one.
    pub has_args: bool,
    pub syntax: AttrSyntax,
    /// Name and arguments.
    pub range: TokenRange,
    pub name_token: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AttrSyntax {
    /// `[[x]]`.
    Brackets,
    /// `__attribute__((x))`.
    Gnu,
    /// `alignas(x)`; the name is `alignas`, a type argument is an [`ExprKind::SizeofType`] node named Alignof.
    Alignas,
}
