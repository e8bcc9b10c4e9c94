//! Functions with a result whose end can be reached (C++ [stmt.return]): what such a call gives is undefined.
//!
//! A statement *completes* if control can come out at its end. Only what certainly completes is reported: a condition
//! that is not understood, a call that may never return and broken text all count as not completing.

use msl_diagnostics::Code;
use msl_parser::ParsedBody;
use msl_parser::ast::*;
use rustc_hash::FxHashSet;

use crate::consteval::Value;
use crate::expr::Checker;
use crate::store::*;

/// What is known of a condition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Truth {
    Always,
    Never,
    Either,
    /// Depends on template parameters, or is not understood.
    Unknown,
}

impl<'a> Checker<'a> {
    /// Reports the end of a function that has to return a value, if it can be reached.
    pub(crate) fn check_end(&mut self, body: &ParsedBody) {
        let Some(declared) = self.ret else { return };
        let store = self.sema.store();
        let is_value = store.is_solid(declared.ty)
            && declared.ty != Ty::VOID
            && !store.flags(declared.ty).contains(TyFlags::AUTO)
            && Some(declared.ty) != self.cx.class;
        if !is_value || !body.diagnostics.is_empty() || !self.completes(body.root) {
            return;
        }
        let end = self.ast()[body.root].range.end;
        let message = format!(
            "the end of this function can be reached, and it has to return a value of type `{}`",
            self.sema.spell(declared)
        );
        self.report(Code::MissingReturn, TokenRange::new(end.saturating_sub(1), end), message);
    }

    fn truth(&self, cond: Condition, scope: ScopeId) -> Truth {
        match cond {
            Condition::Expr(expr) => {
                let cx = crate::sema::Cx { scope, ..self.cx };
                match self.sema.evaluate_in(expr, cx) {
                    Value::Known(Const::Int(0)) => Truth::Never,
                    Value::Known(_) => Truth::Always,
                    Value::NotConstant => Truth::Either,
                    Value::Dependent | Value::Unknown => Truth::Unknown,
                }
            }
            Condition::Decl(_) => Truth::Either,
            Condition::Error => Truth::Unknown,
        }
    }

    fn completes(&self, stmt: StmtId) -> bool {
        self.sema.deeper(|| self.completes_inner(stmt)).unwrap_or(false)
    }

    fn completes_inner(&self, stmt: StmtId) -> bool {
        let ast = self.ast();
        match &ast[stmt].kind {
            StmtKind::Error
            | StmtKind::Asm
            | StmtKind::Goto(_)
            | StmtKind::Label { .. }
            | StmtKind::Try { .. }
            | StmtKind::Return(_)
            | StmtKind::Break
            | StmtKind::Continue => false,
            StmtKind::Null => true,
            StmtKind::Expr(expr) => self.call_returns(*expr),
            StmtKind::Decl(_) => true,
            StmtKind::Compound { stmts, .. } => stmts.iter().all(|&inner| self.completes(inner)),
            StmtKind::If { cond, then, otherwise, scope, .. } => {
                let otherwise = |checker: &Self| otherwise.is_none_or(|otherwise| checker.completes(otherwise));
                match self.truth(*cond, *scope) {
                    Truth::Always => self.completes(*then),
                    Truth::Never => otherwise(self),
                    Truth::Either => self.completes(*then) || otherwise(self),
                    // Both ways have to come out.
                    Truth::Unknown => self.completes(*then) && otherwise(self),
                }
            }
            StmtKind::While { cond, body, scope, .. } => self.loop_completes(self.truth(*cond, *scope), *body),
            StmtKind::For { cond, body, scope, .. } => {
                let truth = cond.map_or(Truth::Always, |cond| self.truth(cond, *scope));
                self.loop_completes(truth, *body)
            }
            StmtKind::Do { body, cond, .. } => {
                let truth = self.truth(Condition::Expr(*cond), self.cx.scope);
                let is_left = matches!(truth, Truth::Either | Truth::Never)
                    && (self.completes(*body) || self.jumps(*body, &StmtKind::Continue));
                is_left || self.jumps(*body, &StmtKind::Break)
            }
            StmtKind::RangeFor { .. } => true,
            StmtKind::Switch { cond, body, .. } => self.switch_completes(*cond, *body),
            StmtKind::Case { stmt, .. } | StmtKind::Default { stmt } => self.completes(*stmt),
        }
    }

    fn loop_completes(&self, truth: Truth, body: StmtId) -> bool {
        matches!(truth, Truth::Either | Truth::Never) || self.jumps(body, &StmtKind::Break)
    }

    /// A `switch` comes out at its end, by `break`, and past all labels if there may be a value for none.
    fn switch_completes(&self, cond: Condition, body: StmtId) -> bool {
        let StmtKind::Compound { stmts, .. } = &self.ast()[body].kind else { return false };
        if self.jumps(body, &StmtKind::Break) {
            return true;
        }
        // What follows the last label that control comes in at.
        let mut comes_out = false;
        let mut has_default = false;
        let mut values = FxHashSet::default();
        for &stmt in stmts {
            let mut inner = stmt;
            let mut is_labelled = false;
            loop {
                match self.ast()[inner].kind {
                    StmtKind::Case { value, end, stmt } => {
                        if end.is_some() {
                            return false;
                        }
                        values.insert(self.sema.evaluate_in(value, self.cx).int());
                        inner = stmt;
                    }
                    StmtKind::Default { stmt } => {
                        has_default = true;
                        inner = stmt;
                    }
                    _ => break,
                }
                is_labelled = true;
            }
            comes_out = (comes_out || is_labelled) && self.completes(inner);
        }
        if comes_out || has_default {
            return comes_out;
        }
        // Without `default`, an enumeration may be covered by its enumerators.
        match cond {
            Condition::Expr(expr) => {
                self.info_of(expr).is_some_and(|info| match self.kind(self.sema.decayed(info.ty)) {
                    TyKind::Scalar(_) => true,
                    TyKind::Enum(decl, _) => match &self.ast()[*decl].kind {
                        DeclKind::Enum(enumeration) => values.len() < enumeration.enumerators.len(),
                        _ => false,
                    },
                    _ => false,
                })
            }
            Condition::Decl(_) | Condition::Error => false,
        }
    }

    /// Whether a `break` or `continue` in a statement belongs to what is around it.
    fn jumps(&self, stmt: StmtId, wanted: &StmtKind) -> bool {
        let ast = self.ast();
        self.sema
            .deeper(|| match &ast[stmt].kind {
                kind if kind == wanted => true,
                StmtKind::Compound { stmts, .. } => stmts.iter().any(|&inner| self.jumps(inner, wanted)),
                StmtKind::If { then, otherwise, .. } => {
                    self.jumps(*then, wanted) || otherwise.is_some_and(|otherwise| self.jumps(otherwise, wanted))
                }
                StmtKind::Case { stmt, .. } | StmtKind::Default { stmt } | StmtKind::Label { stmt, .. } => {
                    self.jumps(*stmt, wanted)
                }
                StmtKind::Switch { body, .. } => *wanted == StmtKind::Continue && self.jumps(*body, wanted),
                _ => false,
            })
            .unwrap_or(false)
    }

    /// Whether an expression that stands as a statement comes back: a call of something unknown need not.
    fn call_returns(&self, expr: ExprId) -> bool {
        match &self.ast()[expr].kind {
            ExprKind::Paren(inner) => self.call_returns(*inner),
            ExprKind::Call { .. } => {
                let callee = self.facts.callees.get(&expr).or_else(|| self.generic?.callees.get(&expr));
                callee.is_some_and(|item| {
                    !self.ast()[item.decl].attrs.iter().any(|&attr| self.ast()[attr].name.as_str() == "noreturn")
                })
            }
            ExprKind::StmtExpr(_) | ExprKind::Error => false,
            _ => true,
        }
    }
}
