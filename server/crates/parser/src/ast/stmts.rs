//! Statements.

use super::*;

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
