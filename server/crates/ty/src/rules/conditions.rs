//! What decides a branch is one truth value (MSL spec §3); and operands that make arithmetic wider than it looks.

use msl_diagnostics::Code;
use msl_parser::ast::*;

use super::{replace, wrap};
use crate::consteval::float_literal;
use crate::expr::{Checker, ExprInfo};
use crate::store::*;

/// The numbers that `half` holds without becoming infinite or losing most of their digits.
fn is_half_number(value: f64) -> bool {
    value == 0.0 || (6.2e-5..=65504.0).contains(&value.abs())
}

impl<'a> Checker<'a> {
    /// Hints at a literal without a suffix that makes `half` arithmetic `float` (MSL spec §2.1).
    pub(crate) fn check_half_literal(&self, op: BinaryOp, left: (ExprId, &ExprInfo), right: (ExprId, &ExprInfo)) {
        if !matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div) {
            return;
        }
        let is_half = |info: &ExprInfo| matches!(self.kind(info.ty.ty), TyKind::Scalar(Scalar::Half));
        let literal = match (is_half(left.1), is_half(right.1)) {
            (true, false) => right.0,
            (false, true) => left.0,
            _ => return,
        };
        let ExprKind::Float(text) = &self.ast()[literal].kind else { return };
        if !text.as_str().ends_with(|c: char| c.is_ascii_digit() || c == '.') {
            return;
        }
        if float_literal(*text).is_some_and(|(value, scalar)| scalar == Scalar::Float && is_half_number(value)) {
            let range = self.ast()[literal].range;
            self.report_with(
                Code::FloatLiteralInHalfArithmetic,
                range,
                format!("`{text}` is `float` and makes this arithmetic `float`: write `{text}h` to stay in `half` (MSL spec §2.1)"),
                vec![replace(range, &format!("{text}h"))],
            );
        }
    }

    /// What `switch` looks at is an integer or an enumerator (C++ [stmt.switch]).
    pub(crate) fn check_switch(&self, expr: ExprId, info: &ExprInfo) {
        if !self.is_solid(info) {
            return;
        }
        let ty = self.sema.decayed(info.ty);
        let is_wrong = match self.kind(ty) {
            TyKind::Scalar(scalar) => scalar.is_float(),
            TyKind::Vector(..) | TyKind::Packed(..) | TyKind::Matrix(..) | TyKind::Pointer(_) => true,
            _ => false,
        };
        if is_wrong {
            let message = format!("`switch` takes an integer, and this is `{}`", self.sema.spell_ty(ty));
            self.report(Code::TypeMismatch, self.ast()[expr].range, message);
        }
    }

    /// Checks the condition of `if`, `while`, `do`, `for` and `?:`.
    pub(crate) fn check_condition(&self, expr: ExprId, info: &ExprInfo) {
        if !self.is_solid(info) {
            return;
        }
        let ty = self.sema.decayed(info.ty);
        let range = self.ast()[expr].range;
        match self.kind(ty) {
            TyKind::Vector(scalar, width) | TyKind::Packed(scalar, width) if *width <= 4 => {
                let fixes = match scalar {
                    Scalar::Bool => vec![wrap(range, "all", false), wrap(range, "any", false)],
                    _ => Vec::new(),
                };
                let message = format!(
                    "a condition is one truth value, and this is `{}`: `all(…)` asks whether every component is true, \
                     `any(…)` whether one is, and `select(…)` chooses component by component (MSL spec §3)",
                    self.sema.spell_ty(ty)
                );
                self.report_with(Code::TypeMismatch, range, message, fixes);
            }
            TyKind::Matrix(..) | TyKind::Void => {
                let message = format!("a condition is one truth value, and this is `{}`", self.sema.spell_ty(ty));
                self.report(Code::TypeMismatch, range, message);
            }
            TyKind::Record(..) if self.is_plain_class(info) => {
                let message = format!(
                    "a condition is one truth value, and `{}` has no conversion to one",
                    self.sema.spell_ty(ty)
                );
                self.report(Code::TypeMismatch, range, message);
            }
            TyKind::Enum(decl, _) if self.sema.is_scoped_enum(*decl) => {
                let message = format!(
                    "a condition is one truth value, to which `{}`, an `enum class`, does not convert",
                    self.sema.spell_ty(ty)
                );
                self.report(Code::TypeMismatch, range, message);
            }
            _ => {}
        }
    }
}
