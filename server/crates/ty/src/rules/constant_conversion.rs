//! Constants that become another value where they are converted: `uchar x = 300`, `int n = 1.5`.
//!
//! Only what is written as a constant counts, and only a conversion that nobody asked for. `uint x = -1` is a common way
//! to write the greatest value and is no finding: the bits stay the same.

use msl_diagnostics::Code;
use msl_parser::ast::*;

use crate::consteval::{Value, float_literal, int_literal, wrap};
use crate::expr::{Checker, ExprInfo};
use crate::store::*;

/// The greatest number that `half` holds, and where rounding leads beyond it.
const HALF_LIMIT: (f64, f64) = (65504.0, 65520.0);

impl<'a> Checker<'a> {
    /// Checks the conversion of an expression to the type that it initialises, is assigned to, passed or returned as.
    pub(crate) fn check_constant_conversion(&self, expr: ExprId, from: &ExprInfo, to: QualTy) {
        if self.generic.is_some() || self.cx.bind != BindId::NONE {
            return;
        }
        let (TyKind::Scalar(source), TyKind::Scalar(target)) = (self.kind(from.ty.ty), self.kind(to.ty)) else {
            return;
        };
        let (source, target) = (*source, *target);
        if source == target || target == Scalar::Bool || source == Scalar::Bool || !self.is_written_constant(expr) {
            return;
        }
        let Value::Known(value) = self.sema.evaluate_in(expr, self.cx) else { return };
        let becomes = match value {
            Const::Int(value) if source.is_integer() && target.is_integer() => {
                let is_pattern = !source.is_signed() || self.is_bit_pattern(expr);
                let fits = fits(value, is_pattern, target);
                (!fits).then(|| (value.to_string(), wrap(value, target).to_string()))
            }
            Const::Float(bits) if source.is_float() && target.is_integer() => {
                let value = f64::from_bits(bits);
                (value.is_finite() && value.fract() != 0.0).then(|| (value.to_string(), value.trunc().to_string()))
            }
            Const::Int(value) if target == Scalar::Half => too_large_for_half(value as f64),
            Const::Float(bits) if target == Scalar::Half => too_large_for_half(f64::from_bits(bits)),
            _ => None,
        };
        let Some((before, after)) = becomes else { return };
        let spelled = self.sema.spell_ty(to.ty);
        self.report(
            Code::ConstantConversion,
            self.ast()[expr].range,
            format!("{before} becomes {after} as `{spelled}`: write that value, or a cast if this is meant"),
        );
    }

    /// Whether a literal is written by its bits: hexadecimal, octal or binary.
    fn is_bit_pattern(&self, expr: ExprId) -> bool {
        match &self.ast()[expr].kind {
            ExprKind::Paren(inner) => self.sema.deeper(|| self.is_bit_pattern(*inner)).unwrap_or(true),
            ExprKind::Int(name) => name.as_str().len() > 1 && name.as_str().starts_with('0'),
            _ => false,
        }
    }

    /// Whether an expression is made of literals alone.
    fn is_written_constant(&self, expr: ExprId) -> bool {
        self.sema
            .deeper(|| match &self.ast()[expr].kind {
                ExprKind::Int(name) => int_literal(*name).is_some(),
                ExprKind::Float(name) => float_literal(*name).is_some(),
                ExprKind::Paren(inner)
                | ExprKind::Unary { op: UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot, operand: inner, .. } => {
                    self.is_written_constant(*inner)
                }
                ExprKind::Binary { lhs, rhs, .. } => self.is_written_constant(*lhs) && self.is_written_constant(*rhs),
                _ => false,
            })
            .unwrap_or(false)
    }
}

/// Whether an integer keeps its value, or its bits where those are meant (`is_pattern`) or only the sign is read
/// differently.
fn fits(value: i128, is_pattern: bool, target: Scalar) -> bool {
    let bits = target.bits();
    if value < 0 {
        // A negative number fits if no bit that differs from the sign is lost.
        return value >= -(1 << (bits - 1));
    }
    let limit = if target.is_signed() && !is_pattern { 1 << (bits - 1) } else { 1 << bits };
    value < limit
}

fn too_large_for_half(value: f64) -> Option<(String, String)> {
    let is_too_large = value.is_finite() && value.abs() >= HALF_LIMIT.1;
    let infinity = if value < 0.0 { "minus infinity" } else { "infinity" };
    is_too_large.then(|| (value.to_string(), format!("{infinity} (the greatest value is {})", HALF_LIMIT.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_keep_their_value_or_their_bits() {
        let int = |value, target| fits(value, false, target);
        assert!(int(255, Scalar::UChar) && !int(256, Scalar::UChar));
        assert!(int(-1, Scalar::UChar) && int(-128, Scalar::UChar) && !int(-129, Scalar::UChar));
        assert!(int(127, Scalar::Char) && !int(128, Scalar::Char));
        assert!(int(-1, Scalar::UInt) && int(-1, Scalar::ULong));
        assert!(fits(0xffff_ffff, true, Scalar::Int), "the bits of an unsigned literal");
        assert!(!fits(0x1_0000_0000, true, Scalar::Int));
    }
}
