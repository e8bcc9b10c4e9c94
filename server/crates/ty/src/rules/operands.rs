//! Operands, callees, indices and ranges of a type that cannot be one (C++ [expr]).
//!
//! A *plain class* is a class of the program that is known whole and converts to nothing: without an operator of its
//! own for it, an operator does not exist.

use msl_diagnostics::Code;
use msl_parser::ast::*;
use msl_preproc::Punct;

use crate::expr::{Checker, ExprInfo};
use crate::lookup::Key;
use crate::store::*;

impl<'a> Checker<'a> {
    /// Types whose objects are copied as they are and have no members with a life of their own.
    pub(crate) fn is_value_type(&self, ty: Ty) -> bool {
        matches!(
            self.kind(ty),
            TyKind::Scalar(_)
                | TyKind::Vector(..)
                | TyKind::Packed(..)
                | TyKind::Matrix(..)
                | TyKind::Pointer(_)
                | TyKind::Enum(..)
        )
    }

    pub(crate) fn is_integer(&self, ty: Ty) -> bool {
        self.sema.as_scalar(ty).is_some_and(|scalar| !scalar.is_float())
    }

    /// Whether a value is of a plain class.
    pub(crate) fn is_plain_class(&self, info: &ExprInfo) -> bool {
        self.is_solid(info)
            && !self.is_opaque(info.ty.ty)
            && matches!(self.kind(info.ty.ty), TyKind::Record(..))
            && self.sema.record_info(info.ty.ty).is_some_and(|record| record.scope.is_some() && !record.uncertain)
            && self.sema.conversion_functions(info.ty.ty).is_some_and(|functions| functions.is_empty())
    }

    /// Reports an operator on objects of plain classes; no operator of theirs fits.
    pub(crate) fn check_class_operand(&self, token: u32, punct: Punct, operands: &[ExprInfo]) {
        // An enumeration or another class may have the operator, or be what a template of one is for.
        let is_known = |operand: &ExprInfo| {
            self.is_plain_class(operand)
                || self.is_solid(operand)
                    && matches!(
                        self.kind(self.sema.decayed(operand.ty)),
                        TyKind::Scalar(_)
                            | TyKind::Vector(..)
                            | TyKind::Packed(..)
                            | TyKind::Matrix(..)
                            | TyKind::Pointer(_)
                    )
        };
        if !operands.iter().all(is_known) || !operands.iter().any(|operand| self.is_plain_class(operand)) {
            return;
        }
        let types: Vec<String> =
            operands.iter().map(|operand| format!("`{}`", self.sema.spell_ty(self.sema.decayed(operand.ty)))).collect();
        let message = format!("no `operator{}` takes {}", punct.text(), types.join(" and "));
        self.report(Code::TypeMismatch, TokenRange::new(token, token + 1), message);
    }

    /// What an array, pointer, vector or matrix is indexed with is an integer (C++ [expr.sub]).
    pub(crate) fn check_index(&self, expr: ExprId, object: &ExprInfo, index: &ExprInfo) {
        if !self.is_solid(object) || !self.is_solid(index) {
            return;
        }
        let is_indexed = matches!(
            self.kind(object.ty.ty),
            TyKind::Array(..) | TyKind::Pointer(_) | TyKind::Vector(..) | TyKind::Packed(..) | TyKind::Matrix(..)
        );
        let ty = self.sema.decayed(index.ty);
        let is_wrong = match self.kind(ty) {
            TyKind::Scalar(scalar) => scalar.is_float(),
            TyKind::Enum(decl, _) => self.sema.is_scoped_enum(*decl),
            TyKind::Vector(..) | TyKind::Packed(..) | TyKind::Matrix(..) | TyKind::Pointer(_) | TyKind::NullPtr => true,
            TyKind::Record(..) => self.is_plain_class(index),
            _ => false,
        };
        if is_indexed && is_wrong {
            let at = match &self.ast()[expr].kind {
                ExprKind::Index { args, .. } => args.first().map_or(expr, |&arg| arg),
                _ => expr,
            };
            let message = format!("an index is an integer, and this is `{}`", self.sema.spell_ty(ty));
            self.report(Code::TypeMismatch, self.ast()[at].range, message);
        }
    }

    /// A class without an operator for it has no elements; texels are read and written by member functions (MSL spec
    /// §6.12).
    pub(crate) fn check_subscripted_class(&self, expr: ExprId, object: &ExprInfo) {
        let operators = self.sema.members_by(object.ty.ty, Key::Operator(OverloadedOp::Index));
        if !self.is_solid(object) || operators.uncertain || !operators.items.is_empty() {
            return;
        }
        if crate::attributes::is_texture_or_sampler(&self.sema, object.ty) {
            let message = format!(
                "`{}` has no subscript operator: texels are read with `read` or `sample` and written with `write` (MSL spec §6.12)",
                self.sema.spell_ty(object.ty.ty)
            );
            self.report(Code::TypeMismatch, self.ast()[expr].range, message);
        } else if self.is_plain_class(object) {
            self.cannot_be_indexed(expr, object);
        }
    }

    /// The address of a value that lies nowhere (C++ [expr.unary.op]). What the library's operators and member
    /// functions give is left out: some of it has a place although its declaration does not say so.
    /// What the operator gives then.
    pub(crate) fn check_temporary(&self, expr: ExprId, operand: ExprId, info: &ExprInfo) -> ExprInfo {
        let mut inner = operand;
        while let ExprKind::Paren(next) = self.ast()[inner].kind {
            inner = next;
        }
        let is_certain = match &self.ast()[inner].kind {
            ExprKind::Index { .. } => false,
            ExprKind::Call { callee, .. } => matches!(self.ast()[*callee].kind, ExprKind::Path(_)),
            _ => true,
        };
        let is_plain = self.is_value_type(info.ty.ty);
        if is_certain && is_plain && self.is_solid(info) {
            let message = format!(
                "this `{}` is a temporary value and has no address: put it into a variable first",
                self.sema.spell_ty(info.ty.ty)
            );
            self.report(Code::TypeMismatch, self.ast()[expr].range, message);
            return ExprInfo::value(Ty::INVALID);
        }
        ExprInfo::UNKNOWN
    }

    /// Pointers to different numbers are neither compared nor subtracted (C++ [expr.add], [expr.rel]).
    pub(crate) fn check_pointees(&self, op: BinaryOp, a: Ty, b: Ty, token: u32) {
        let compares = matches!(
            op,
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Sub
        );
        let (TyKind::Pointer(p), TyKind::Pointer(q)) = (self.kind(a), self.kind(b)) else { return };
        let is_number = |ty: Ty| matches!(self.kind(ty), TyKind::Scalar(_) | TyKind::Vector(_, 1..=4));
        if compares && p.ty != q.ty && is_number(p.ty) && is_number(q.ty) {
            let message = format!(
                "`{}` does not go between pointers to `{}` and `{}`",
                crate::operators::punct_of(op).text(),
                self.sema.spell_ty(p.ty),
                self.sema.spell_ty(q.ty)
            );
            self.report(Code::TypeMismatch, TokenRange::new(token, token + 1), message);
        }
    }

    /// What is called is a function, or an object that can be called.
    pub(crate) fn check_callee(&self, callee: ExprId, info: &ExprInfo) {
        if !self.is_solid(info) || self.is_opaque(info.ty.ty) {
            return;
        }
        let is_wrong = match self.kind(self.sema.strip_ref(info.ty).ty) {
            TyKind::Scalar(_)
            | TyKind::Vector(..)
            | TyKind::Packed(..)
            | TyKind::Matrix(..)
            | TyKind::Pointer(_)
            | TyKind::Array(..)
            | TyKind::Enum(..)
            | TyKind::NullPtr => true,
            TyKind::Record(..) => self.is_plain_class(info),
            _ => false,
        };
        if is_wrong {
            let message = format!("this is `{}`, which cannot be called", self.sema.spell_ty(info.ty.ty));
            self.report(Code::TypeMismatch, self.ast()[callee].range, message);
        }
    }

    /// The two sides of `?:`, of types of which neither converts to the other (C++ [expr.cond]).
    pub(crate) fn check_branches(&self, expr: ExprId, a: Ty, b: Ty) {
        let is_known = |ty: Ty| {
            self.sema.store().is_solid(ty)
                && !self.is_opaque(ty)
                && match self.kind(ty) {
                    TyKind::Scalar(_) | TyKind::Vector(..) | TyKind::Matrix(..) | TyKind::Pointer(_) => true,
                    TyKind::Record(..) => self.is_plain_class(&ExprInfo::value(ty)),
                    _ => false,
                }
        };
        if is_known(a) && is_known(b) {
            let message = format!(
                "one side of `?:` is `{}` and the other `{}`: there is no type for both",
                self.sema.spell_ty(a),
                self.sema.spell_ty(b)
            );
            self.report(Code::TypeMismatch, self.ast()[expr].range, message);
        }
    }

    /// What a range-based `for` goes over is an array or has `begin()` (C++ [stmt.ranged]).
    pub(crate) fn check_range(&self, range: ExprId, info: &ExprInfo) {
        if !self.is_solid(info) || self.is_opaque(info.ty.ty) {
            return;
        }
        let is_wrong = match self.kind(self.sema.strip_ref(info.ty).ty) {
            TyKind::Scalar(_) | TyKind::Vector(..) | TyKind::Packed(..) | TyKind::Matrix(..) | TyKind::Pointer(_) => {
                true
            }
            TyKind::Record(..) => {
                let begin = Key::Name(msl_intern::Name::new("begin"));
                let members = self.sema.members_by(info.ty.ty, begin);
                let mut free = crate::lookup::Found::default();
                self.sema.lookup_adl(begin, &[info.ty.ty], &mut free);
                self.is_plain_class(info) && members.items.is_empty() && !members.uncertain && free.items.is_empty()
            }
            _ => false,
        };
        if is_wrong {
            let message = format!("this is `{}`: there is nothing in it to go over", self.sema.spell_ty(info.ty.ty));
            self.report(Code::TypeMismatch, self.ast()[range].range, message);
        }
    }

    /// `this` in no member function, or in a static one.
    pub(crate) fn check_this(&self, expr: ExprId) {
        let is_in_function = self.entry_function().is_some_and(|function| {
            matches!(&self.ast()[function].kind, DeclKind::Function(function) if function.qualifier.is_none())
        });
        if is_in_function && !self.in_template() {
            let message = "there is no `this` here: it stands in member functions that are not `static`".to_owned();
            self.report(Code::UndeclaredIdentifier, self.ast()[expr].range, message);
        }
    }
}
