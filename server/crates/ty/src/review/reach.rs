//! Which statements are reached: branches that do not run in every program, statements behind a jump, and branches that
//! are empty.

use msl_diagnostics::Code;
use msl_parser::ast::*;

use super::Review;
use crate::consteval::Value;
use crate::store::*;

impl Review<'_, '_> {
    /// Whether what runs if a condition holds, and what runs if it does not, is live.
    pub(super) fn branches(&self, cond: ExprId) -> (bool, bool) {
        self.checker.sema.deeper(|| self.branches_inner(cond)).unwrap_or((false, false))
    }

    fn branches_inner(&self, cond: ExprId) -> (bool, bool) {
        match &self.ast()[cond].kind {
            ExprKind::Paren(inner) => self.branches(*inner),
            ExprKind::Unary { op: UnaryOp::Not, operand, .. } => {
                let (holds, fails) = self.branches(*operand);
                (fails, holds)
            }
            ExprKind::Binary { op: BinaryOp::And, lhs, rhs, .. } => {
                let (left, right) = (self.branches(*lhs), self.branches(*rhs));
                (left.0 && right.0, left.1 || right.1)
            }
            ExprKind::Binary { op: BinaryOp::Or, lhs, rhs, .. } => {
                let (left, right) = (self.branches(*lhs), self.branches(*rhs));
                (left.0 || right.0, left.1 && right.1)
            }
            _ if self.is_constant_shape(cond) => match self.checker.sema.evaluate_in(cond, self.cx) {
                Value::Known(Const::Int(0)) => (false, true),
                Value::Known(_) => (true, false),
                // A function constant, or something else that is known later.
                Value::NotConstant => (true, true),
                Value::Dependent | Value::Unknown => (false, false),
            },
            _ => {
                let is_settled = !self.is_templated || !self.is_open_inside(cond);
                (is_settled, is_settled)
            }
        }
    }

    /// Whether something in an expression depends on template parameters.
    fn is_open_inside(&self, expr: ExprId) -> bool {
        self.checker.sema.deeper(|| self.is_open_inner(expr)).unwrap_or(true)
    }

    fn is_open_inner(&self, expr: ExprId) -> bool {
        if self.info(expr).is_none_or(|info| !self.checker.is_solid(&info)) {
            return true;
        }
        match &self.ast()[expr].kind {
            ExprKind::Paren(inner) | ExprKind::Unary { operand: inner, .. } => self.is_open_inside(*inner),
            ExprKind::Member { base, .. } => self.is_open_inside(*base),
            ExprKind::Binary { lhs, rhs, .. } => self.is_open_inside(*lhs) || self.is_open_inside(*rhs),
            ExprKind::Index { base, args } => {
                self.is_open_inside(*base) || args.iter().any(|&arg| self.is_open_inside(arg))
            }
            ExprKind::Call { args, .. } => {
                self.callee(expr).is_none_or(|item| item.bind != BindId::NONE)
                    || args.iter().any(|&arg| self.is_open_inside(arg))
            }
            ExprKind::Path(path) => {
                let is_plain = path.as_ident().is_some()
                    && self.named(path).is_some_and(|decl| {
                        matches!(&self.ast()[decl].kind, DeclKind::Variable(variable)
                            if variable.kind != VariableKind::TemplateValue)
                    });
                !is_plain || self.is_constant_shape(expr) && self.is_open(expr)
            }
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Char(_) | ExprKind::Bool(_) | ExprKind::Nullptr => false,
            _ => true,
        }
    }

    /// Statements behind one that never comes out at its end; and loops whose body is empty before a block.
    pub(super) fn check_reached(&self, stmts: &[StmtId]) {
        let ast = self.ast();
        for pair in stmts.windows(2) {
            if let StmtKind::While { body, .. } | StmtKind::For { body, .. } = ast[pair[0]].kind
                && ast[body].kind == StmtKind::Null
                && matches!(ast[pair[1]].kind, StmtKind::Compound { .. })
            {
                let message = "this `;` is the whole body of the loop: the block behind it runs once".to_owned();
                self.checker.report(Code::EmptyBody, ast[body].range, message);
            }
        }
        let mut rest = stmts;
        while let Some(jump) = rest.iter().position(|&stmt| self.jumps_away(stmt)) {
            let behind = &rest[jump + 1..];
            // A label brings control back.
            let end = behind.iter().position(|&stmt| self.is_labelled(stmt)).unwrap_or(behind.len());
            self.report_unreachable(&behind[..end]);
            rest = &behind[end..];
        }
    }

    fn report_unreachable(&self, stmts: &[StmtId]) {
        let ast = self.ast();
        let (Some(&first), Some(&last)) = (stmts.first(), stmts.last()) else { return };
        let is_customary = |&stmt: &StmtId| {
            matches!(ast[stmt].kind, StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) | StmtKind::Null)
        };
        // `return x; break;` in a `switch`, and a `return` that calms a compiler down, are habits.
        if stmts.iter().all(is_customary) {
            return;
        }
        let range = ast[first].range.cover(ast[last].range);
        self.checker.report(Code::UnreachableCode, range, "this is never reached".to_owned());
    }

    fn is_labelled(&self, stmt: StmtId) -> bool {
        let ast = self.ast();
        match &ast[stmt].kind {
            StmtKind::Case { .. } | StmtKind::Default { .. } | StmtKind::Label { .. } => true,
            // A label of a `switch` may stand in a block of its own.
            StmtKind::Compound { stmts, .. } => {
                self.checker.sema.deeper(|| stmts.iter().any(|&inner| self.is_labelled(inner))).unwrap_or(true)
            }
            _ => false,
        }
    }

    /// Whether a statement always leaves by `return`, `break` or `continue`.
    fn jumps_away(&self, stmt: StmtId) -> bool {
        let ast = self.ast();
        self.checker
            .sema
            .deeper(|| match &ast[stmt].kind {
                StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue => true,
                StmtKind::Compound { stmts, .. } => {
                    stmts.iter().any(|&inner| self.jumps_away(inner))
                        && !stmts.iter().any(|&inner| self.is_labelled(inner))
                }
                StmtKind::If { then, otherwise: Some(otherwise), .. } => {
                    self.jumps_away(*then) && self.jumps_away(*otherwise)
                }
                StmtKind::Case { stmt, .. } | StmtKind::Default { stmt } => self.jumps_away(*stmt),
                _ => false,
            })
            .unwrap_or(false)
    }

    /// `if (c);`: whether the `;` was meant, the layout has to say.
    pub(super) fn check_empty_branch(&self, then: StmtId, otherwise: Option<StmtId>) {
        if otherwise.is_none() && self.ast()[then].kind == StmtKind::Null && self.ast()[then].attrs.is_empty() {
            let message = "this `;` is all that the condition decides about".to_owned();
            self.checker.report(Code::EmptyBody, self.ast()[then].range, message);
        }
    }
}
