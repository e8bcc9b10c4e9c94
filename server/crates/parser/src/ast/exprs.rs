//! Expressions.

use msl_intern::Name;

use super::*;

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
