//! Operators that bind tighter than it looks: `flags & mask == 0`, `1 << bits + 1`, `!count == 0`.
//!
//! Only where both ways to read it have a meaning: with truth values `a == b & c` is a habit.

use msl_diagnostics::Code;
use msl_parser::ast::*;

use super::Review;
use crate::operators::punct_of;
use crate::sema::{TokenEdit, TokenFix};
use crate::store::*;

/// A pair of parentheses, from one token up to another.
fn parentheses(title: &str, from: TokenRange, to: TokenRange) -> TokenFix {
    let insertion =
        |at: u32, after: bool, text: &str| TokenEdit { range: TokenRange::new(at, at), after, text: text.to_owned() };
    TokenFix {
        title: title.to_owned(),
        preferred: false,
        edits: vec![insertion(from.start, false, "("), insertion(to.end, true, ")")],
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne)
}

impl Review<'_, '_> {
    pub(super) fn check_precedence(&self, op: BinaryOp, lhs: ExprId, rhs: ExprId) {
        match op {
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                let binds = |expr: ExprId| self.operator(expr).is_some_and(|(inner, ..)| is_comparison(inner));
                match (binds(lhs), binds(rhs)) {
                    (true, false) if self.is_number(rhs) => self.report_precedence(op, lhs, rhs, lhs),
                    (false, true) if self.is_number(lhs) => self.report_precedence(op, lhs, rhs, rhs),
                    _ => {}
                }
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                for side in [lhs, rhs] {
                    let is_sum = matches!(self.operator(side), Some((BinaryOp::Add | BinaryOp::Sub, ..)));
                    if is_sum && self.is_number(lhs) && self.is_number(rhs) {
                        return self.report_precedence(op, lhs, rhs, side);
                    }
                }
            }
            _ if is_comparison(op) => self.check_negated_side(op, lhs, rhs),
            _ => {}
        }
    }

    /// The operator of an expression without parentheses around it, its token and its operands.
    fn operator(&self, expr: ExprId) -> Option<(BinaryOp, u32, ExprId, ExprId)> {
        match self.ast()[expr].kind {
            ExprKind::Binary { op, op_token, lhs, rhs } if self.callee(expr).is_none() => {
                Some((op, op_token, lhs, rhs))
            }
            _ => None,
        }
    }

    /// Integers, and vectors of them, that are no truth values.
    fn is_number(&self, expr: ExprId) -> bool {
        self.integer(expr).is_some_and(|(scalar, _)| scalar != Scalar::Bool)
    }

    /// `tight` is the operand of `lhs op rhs` whose own operator comes first.
    fn report_precedence(&self, op: BinaryOp, lhs: ExprId, rhs: ExprId, tight: ExprId) {
        let ast = self.ast();
        let Some((inner, token, inner_lhs, inner_rhs)) = self.operator(tight) else { return };
        let (outer, inner) = (punct_of(op).text(), punct_of(inner).text());
        // The other reading takes the nearer operand of the two.
        let (from, to) = if tight == lhs { (inner_rhs, rhs) } else { (lhs, inner_lhs) };
        let first = parentheses(&format!("Evaluate `{outer}` first"), ast[from].range, ast[to].range);
        let keep = parentheses(
            &format!("Write parentheses around `{inner}`, which keeps the meaning"),
            ast[tight].range,
            ast[tight].range,
        );
        let message =
            format!("`{inner}` comes first here, and `{outer}` takes its result: parentheses say what is meant");
        self.checker.report_with(
            Code::OperatorPrecedence,
            TokenRange::new(token, token + 1),
            message,
            vec![first, keep],
        );
    }

    /// `!count == 1` compares a truth value.
    fn check_negated_side(&self, op: BinaryOp, lhs: ExprId, rhs: ExprId) {
        let ast = self.ast();
        let ExprKind::Unary { op: UnaryOp::Not, operand, op_token } = ast[lhs].kind else { return };
        if self.callee(lhs).is_some() || !self.is_number(operand) || !self.is_number(rhs) {
            return;
        }
        let comparison = punct_of(op).text();
        let first = parentheses(&format!("Evaluate `{comparison}` first"), ast[operand].range, ast[rhs].range);
        let keep = parentheses("Write parentheses around `!`, which keeps the meaning", ast[lhs].range, ast[lhs].range);
        let message =
            format!("`!` comes first here, and `{comparison}` compares a truth value: parentheses say what is meant");
        self.checker.report_with(
            Code::OperatorPrecedence,
            TokenRange::new(op_token, op_token + 1),
            message,
            vec![first, keep],
        );
    }
}
