//! The syntax tree: what was written, with every C++ ambiguity decided by name lookup, and nothing resolved.
//!
//! Vocabulary:
//!
//! * All nodes of one kind stand in a table and are named by a number: [`ExprId`], [`StmtId`], [`TypeId`],
//!   [`DeclId`], [`AttrId`], [`ScopeId`], [`TemplateId`]. A number is only meaningful together with its [`Ast`].
//! * Trees are stacked in *layers*. The library is the bottom layer, a translation unit's declarations lie on it, and
//!   each function body lies on its unit. A layer's numbers start where its base's end, so a reference into the
//!   library, the unit or the body is the same small number, and a lower layer is shared, never copied.
//!   Declarations are numbered in the order of their point of declaration, so "declared before use" is `<`.
//! * Places are token numbers ([`TokenRange`]), stacked the same way: library tokens, then the unit's declaration
//!   stream (with function bodies cut out), then the body's tokens. There are no byte offsets in the tree.
//! * Declarators are folded into types: `thread float *a[4]` is a variable `a` of type array of pointer to
//!   `thread float`.
//! * A *deferred body* is a function body that was cut out of the declaration stream; it is parsed alone, when it is
//!   needed, by [`crate::parse_body`].

use std::sync::Arc;

use bitflags::bitflags;
use msl_intern::Name;
use msl_preproc::Punct;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::scope::Scope;

/// A half-open range of token numbers, in the stacked numbering of the layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct TokenRange {
    pub start: u32,
    pub end: u32,
}

impl TokenRange {
    pub const fn new(start: u32, end: u32) -> TokenRange {
        TokenRange { start, end }
    }

    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// The smallest range that holds both.
    pub fn cover(self, other: TokenRange) -> TokenRange {
        TokenRange { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

macro_rules! tables {
    ($($(#[$doc:meta])* $id:ident $node:ident $field:ident $alloc:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub struct $id(pub u32);
        )*

        /// Where the numbers of a layer start, one count for each kind of node and one for tokens.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
        pub struct LayerStart {
            pub tokens: u32,
            $(pub $field: u32,)*
        }

        /// One layer of the syntax tree; see the module documentation.
        #[derive(Debug, Default)]
        pub struct Ast {
            base: Option<Arc<Ast>>,
            start: LayerStart,
            /// How many tokens this layer adds.
            pub token_count: u32,
            /// Names that some class of this layer declares as a member template: after `.` and `->`, `<` opens
            /// template arguments only for these (and after the keyword `template`).
            pub member_templates: FxHashSet<Name>,
            /// For each scope of a lower layer that this layer continues, the continuing scope of this layer. The
            /// keys are the lowest scopes of their `extends` chains.
            pub extensions: FxHashMap<ScopeId, ScopeId>,
            $($field: Vec<$node>,)*
        }

        impl Ast {
            /// An empty layer on top of `base`.
            pub fn on(base: Arc<Ast>) -> Ast {
                let start = base.end();
                Ast { base: Some(base), start, ..Ast::default() }
            }

            /// Where a layer on top of this one starts.
            pub fn end(&self) -> LayerStart {
                LayerStart {
                    tokens: self.start.tokens + self.token_count,
                    $($field: self.start.$field + self.$field.len() as u32,)*
                }
            }

            $(
                /// Adds a node to this layer.
                pub fn $alloc(&mut self, node: $node) -> $id {
                    self.$field.push(node);
                    $id(self.start.$field + self.$field.len() as u32 - 1)
                }
            )*
        }

        $(
            impl std::ops::Index<$id> for Ast {
                type Output = $node;

                fn index(&self, id: $id) -> &$node {
                    let mut layer = self;
                    while id.0 < layer.start.$field {
                        layer = layer.base.as_deref().expect("a layer that does not start at zero has a base");
                    }
                    &layer.$field[(id.0 - layer.start.$field) as usize]
                }
            }

            impl std::ops::IndexMut<$id> for Ast {
                /// Only nodes of the top layer can be changed.
                fn index_mut(&mut self, id: $id) -> &mut $node {
                    &mut self.$field[(id.0 - self.start.$field) as usize]
                }
            }
        )*
    };
}

tables! {
    ExprId Expr exprs alloc_expr;
    StmtId Stmt stmts alloc_stmt;
    TypeId TypeNode types alloc_type;
    DeclId Decl decls alloc_decl;
    AttrId Attr attrs alloc_attr;
    ScopeId Scope scopes alloc_scope;
    TemplateId TemplateHeader templates alloc_template;
}

impl Ast {
    /// The layer below, if any.
    pub fn base(&self) -> Option<&Arc<Ast>> {
        self.base.as_ref()
    }

    /// Where this layer's numbers start.
    pub fn start(&self) -> LayerStart {
        self.start
    }

    /// Whether a node of this number was made by this layer and not by one below.
    pub fn owns_decl(&self, decl: DeclId) -> bool {
        decl.0 >= self.start.decls
    }

    /// Whether a scope of this number was made by this layer and not by one below.
    pub fn owns_scope(&self, scope: ScopeId) -> bool {
        scope.0 >= self.start.scopes
    }

    /// Whether some class of this layer or one below has a member template of this name.
    pub fn is_member_template(&self, name: Name) -> bool {
        let mut layer = Some(self);
        while let Some(ast) = layer {
            if ast.member_templates.contains(&name) {
                return true;
            }
            layer = ast.base.as_deref();
        }
        false
    }

    /// The scope of the topmost layer that continues `scope`; `scope` itself if none does.
    pub fn newest(&self, scope: ScopeId) -> ScopeId {
        let root = self.root_scope(scope);
        let mut layer = Some(self);
        while let Some(ast) = layer {
            if let Some(&newer) = ast.extensions.get(&root) {
                return newer;
            }
            layer = ast.base.as_deref();
        }
        scope
    }

    /// The lowest scope that `scope` continues: two scopes with the same root are parts of one namespace.
    pub fn root_scope(&self, scope: ScopeId) -> ScopeId {
        let mut root = scope;
        while let Some(lower) = self[root].extends {
            root = lower;
        }
        root
    }

    /// The number that the next declaration of this layer will get; as a limit for lookup, everything so far.
    pub fn next_decl(&self) -> DeclId {
        DeclId(self.start.decls + self.decls.len() as u32)
    }

    /// The declarations of this layer alone, in order of their point of declaration.
    pub fn own_decls(&self) -> impl Iterator<Item = (DeclId, &Decl)> {
        self.decls.iter().enumerate().map(|(index, decl)| (DeclId(self.start.decls + index as u32), decl))
    }

    /// The statements of this layer alone.
    pub fn own_stmts(&self) -> impl Iterator<Item = (StmtId, &Stmt)> {
        self.stmts.iter().enumerate().map(|(index, stmt)| (StmtId(self.start.stmts + index as u32), stmt))
    }

    /// The types of this layer alone.
    pub fn own_types(&self) -> impl Iterator<Item = (TypeId, &TypeNode)> {
        self.types.iter().enumerate().map(|(index, ty)| (TypeId(self.start.types + index as u32), ty))
    }

    /// The expressions of this layer alone.
    pub fn own_exprs(&self) -> impl Iterator<Item = (ExprId, &Expr)> {
        self.exprs.iter().enumerate().map(|(index, expr)| (ExprId(self.start.exprs + index as u32), expr))
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Names
// ---------------------------------------------------------------------------------------------------------------

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

// ---------------------------------------------------------------------------------------------------------------
// Types as written
// ---------------------------------------------------------------------------------------------------------------

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

// ---------------------------------------------------------------------------------------------------------------
// Declarations
// ---------------------------------------------------------------------------------------------------------------

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

// ---------------------------------------------------------------------------------------------------------------
// Statements
// ---------------------------------------------------------------------------------------------------------------

#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    pub kind: StmtKind,
    pub range: TokenRange,
    /// Statement attributes such as `[[function_groups("x")]]`.
    pub attrs: Box<[AttrId]>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    Error,
    Null,
    Compound {
        stmts: Box<[StmtId]>,
        scope: ScopeId,
    },
    Expr(ExprId),
    /// All declarators of one declaration.
    Decl(Box<[DeclId]>),
    If {
        is_constexpr: bool,
        init: Option<StmtId>,
        cond: Condition,
        then: StmtId,
        otherwise: Option<StmtId>,
        scope: ScopeId,
    },
    Switch {
        init: Option<StmtId>,
        cond: Condition,
        body: StmtId,
        scope: ScopeId,
    },
    /// `case a:` or `case a ... b:`; the labelled statement follows in the list.
    Case {
        value: ExprId,
        end: Option<ExprId>,
        stmt: StmtId,
    },
    Default {
        stmt: StmtId,
    },
    While {
        cond: Condition,
        body: StmtId,
        scope: ScopeId,
        unroll: Unroll,
    },
    Do {
        body: StmtId,
        cond: ExprId,
        unroll: Unroll,
    },
    For {
        init: Option<StmtId>,
        cond: Option<Condition>,
        step: Option<ExprId>,
        body: StmtId,
        scope: ScopeId,
        unroll: Unroll,
    },
    RangeFor {
        init: Option<StmtId>,
        var: DeclId,
        range: ExprId,
        body: StmtId,
        scope: ScopeId,
        unroll: Unroll,
    },
    Return(Option<ExprId>),
    Break,
    Continue,
    Goto(Name),
    Label {
        name: Name,
        stmt: StmtId,
    },
    Try {
        body: StmtId,
        handlers: Box<[StmtId]>,
    },
    Asm,
}

/// The condition of `if`, `while`, `for` or `switch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    Expr(ExprId),
    /// `if (T x = e)`.
    Decl(DeclId),
    /// Missing in broken code.
    Error,
}

impl Condition {
    /// The expression, where the condition is one.
    pub fn expr(self) -> Option<ExprId> {
        match self {
            Condition::Expr(expr) => Some(expr),
            Condition::Decl(_) | Condition::Error => None,
        }
    }
}

/// What `#pragma unroll` and `#pragma clang loop unroll(…)` before a loop ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Unroll {
    #[default]
    Unspecified,
    Full,
    Disable,
    /// `#pragma unroll N`; an expression is kept as `Full`, since only the token text is at hand.
    Count(u32),
}

// ---------------------------------------------------------------------------------------------------------------
// Expressions
// ---------------------------------------------------------------------------------------------------------------

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub range: TokenRange,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    Error,
    /// The spelling, suffix included.
    Int(Name),
    Float(Name),
    Char(Name),
    /// One or more adjacent string literals.
    String(Box<[Name]>),
    Bool(bool),
    Nullptr,
    This,
    /// A name; a whole overload set if it names functions.
    Path(Path),
    Paren(ExprId),
    Unary {
        op: UnaryOp,
        operand: ExprId,
        op_token: u32,
    },
    Binary {
        op: BinaryOp,
        lhs: ExprId,
        rhs: ExprId,
        op_token: u32,
    },
    /// `=` and the compound assignments; `op` is `None` for `=`.
    Assign {
        op: Option<BinaryOp>,
        lhs: ExprId,
        rhs: ExprId,
        op_token: u32,
    },
    Conditional {
        cond: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
    Call {
        callee: ExprId,
        args: Box<[ExprId]>,
    },
    Index {
        base: ExprId,
        args: Box<[ExprId]>,
    },
    /// `base.member` or `base->member`. The path has more than one segment only if it is written qualified.
    Member {
        base: ExprId,
        arrow: bool,
        member: Path,
    },
    /// `(T)e`.
    CCast {
        ty: TypeId,
        operand: ExprId,
    },
    /// `T(a, b)` and `T{a, b}`; for the latter `args` holds one [`ExprKind::InitList`].
    Construct {
        ty: TypeId,
        args: Box<[ExprId]>,
        braces: bool,
    },
    NamedCast {
        cast: NamedCast,
        ty: TypeId,
        operand: ExprId,
    },
    /// `{a, b}`, with or without designators.
    InitList(Box<[ExprId]>),
    /// `.field = e` or `.field{e}` inside an initialiser list; `[i] = e` has an index instead, and GNU's
    /// `[i ... last] = e` two.
    Designated {
        field: Option<Name>,
        field_token: u32,
        index: Option<ExprId>,
        last: Option<ExprId>,
        value: ExprId,
    },
    Lambda(Box<Lambda>),
    SizeofType {
        op: SizeofOp,
        ty: TypeId,
    },
    SizeofExpr {
        op: SizeofOp,
        operand: ExprId,
    },
    /// `sizeof...(pack)`.
    SizeofPack {
        pack: Name,
        token: u32,
    },
    /// `__is_same(T, U)` and other type traits that compilers build in.
    TypeTrait {
        name: Name,
        args: Box<[TypeId]>,
    },
    Noexcept(ExprId),
    /// `(e op ...)`, `(... op e)`, `(e op ... op init)`.
    Fold {
        op: BinaryOp,
        lhs: Option<ExprId>,
        rhs: Option<ExprId>,
    },
    /// `e...` in an argument or initialiser list.
    Expansion(ExprId),
    /// `({ … })`.
    StmtExpr(StmtId),
    /// `new`, `delete`, `throw`, `typeid`, `dynamic_cast` and the like are parsed so that the rule that forbids them
    /// can be reported; the operands are kept.
    Removed {
        what: RemovedExpr,
        operands: Box<[ExprId]>,
        ty: Option<TypeId>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RemovedExpr {
    New,
    PlacementNew,
    Delete,
    Throw,
    Typeid,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Plus,
    Minus,
    Not,
    BitNot,
    Deref,
    AddrOf,
    PreInc,
    PreDec,
    PostInc,
    PostDec,
    /// `__real`, `__imag`, `co_await` and other things that Metal has not.
    Extension,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
    Comma,
    /// `.*` and `->*`.
    MemberPointer,
    ArrowMemberPointer,
    /// Only in folds: `=` and compound assignments.
    Assign,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NamedCast {
    Static,
    Reinterpret,
    Const,
    Dynamic,
    /// `addrspace_cast<T>(e)` (MSL 4.1).
    AddrSpace,
    /// `as_type<T>(e)` (MSL spec §2.21).
    AsType,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SizeofOp {
    Sizeof,
    Alignof,
}

/// A lambda expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Lambda {
    /// `&` or `=` alone.
    pub default_capture: Option<CaptureMode>,
    pub captures: Box<[Capture]>,
    /// A [`TypeKind::Function`]; the return type is [`TypeKind::Auto`] if none is written.
    pub ty: TypeId,
    /// Whether a parameter list is written.
    pub has_params: bool,
    pub is_mutable: bool,
    pub attrs: Box<[AttrId]>,
    /// Captures and parameters.
    pub scope: ScopeId,
    pub body: StmtId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CaptureMode {
    Copy,
    Ref,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Capture {
    This {
        by_copy: bool,
        token: u32,
    },
    /// `x` or `&x`.
    Name {
        name: Name,
        mode: CaptureMode,
        token: u32,
        expansion: bool,
    },
    /// `x = e`: a [`VariableKind::Capture`] variable.
    Init {
        decl: DeclId,
        mode: CaptureMode,
    },
}
