//! Narrowing in braced lists (C++ [dcl.init.list]): what a list initialises takes no value that its type may not hold.
//!
//! A value *narrows* if it is floating and the target an integer, or if it is no constant and the target does not hold
//! all values of its type. Constants are judged by their value.

use msl_diagnostics::Code;
use msl_parser::ast::*;

use super::wrap;
use crate::consteval::Value;
use crate::expr::{Checker, ExprInfo};
use crate::store::*;

impl<'a> Checker<'a> {
    /// Reports an item of a list that narrows to the type of what it initialises.
    pub(crate) fn check_narrowing(&self, item: ExprId, given: &ExprInfo, to: Ty) {
        let (&TyKind::Scalar(from), &TyKind::Scalar(to_scalar)) =
            (self.kind(self.sema.strip_ref(given.ty).ty), self.kind(to))
        else {
            return;
        };
        if from == to_scalar || from == Scalar::Bool || to_scalar == Scalar::Bool || self.is_bit_field(item) {
            return;
        }
        // Literals of `float` are exact enough for `half`, and both formats of 16 bits are left alone.
        let is_narrower = match (from.is_float(), to_scalar.is_float()) {
            (true, false) => true,
            (false, true) => self.is_no_constant(item),
            (true, true) => from.size() > to_scalar.size() && self.is_no_constant(item),
            (false, false) => {
                let holds_all = match (from.is_signed(), to_scalar.is_signed()) {
                    (true, false) => false,
                    (false, true) => to_scalar.bits() > from.bits(),
                    _ => to_scalar.bits() >= from.bits(),
                };
                !holds_all && self.is_no_constant(item)
            }
        };
        if is_narrower {
            let spelled = self.sema.spell_ty(to);
            let message = format!(
                "a `{}` is not narrowed to `{spelled}` in a list: convert it, `{spelled}(…)` (C++ [dcl.init.list])",
                self.sema.spell_ty(Ty::scalar(from))
            );
            let range = self.ast()[item].range;
            self.report_with(Code::TypeMismatch, range, message, vec![wrap(range, &spelled, true)]);
        }
    }

    fn is_no_constant(&self, item: ExprId) -> bool {
        self.sema.evaluate_in(item, self.cx) == Value::NotConstant
    }

    /// Bit-fields hold less than their type.
    fn is_bit_field(&self, mut item: ExprId) -> bool {
        while let ExprKind::Paren(inner) = self.ast()[item].kind {
            item = inner;
        }
        let ExprKind::Member { base, .. } = &self.ast()[item].kind else { return false };
        let info = self.sema.type_of_expr(item, self.cx);
        let object = self.sema.type_of_expr(*base, self.cx);
        info.is_component() && self.sema.as_vector(self.sema.strip_ref(object.ty).ty).is_none()
    }
}
