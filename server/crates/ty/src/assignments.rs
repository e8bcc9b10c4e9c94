//! Assignments, and what can be written to.

use msl_diagnostics::Code;
use msl_parser::ast::*;
use msl_preproc::Punct;

use crate::expr::{Category, Checker, ExprInfo};
use crate::lookup::Key;
use crate::operators::punct_of;
use crate::store::*;

impl<'a> Checker<'a> {
    pub(crate) fn assign(
        &mut self,
        expr: ExprId,
        op: Option<BinaryOp>,
        lhs: ExprId,
        rhs: ExprId,
        token: u32,
    ) -> ExprInfo {
        let left = self.expr(lhs);
        let right = self.expr(rhs);
        if self.is_dependent(&left) || self.is_dependent(&right) {
            return if self.is_dependent(&left) { ExprInfo::DEPENDENT } else { left };
        }
        if self.is_no_copy(left.ty.ty) {
            self.no_copy_operator(&left, token);
            return left;
        }
        let punct = op.map_or(Punct::Eq, compound_punct);
        let result = self.overloaded(expr, OverloadedOp::Punct(punct), token, &[left, right], op.is_none());
        if let Some(result) = result {
            return result;
        }
        if !self.sema.store().is_solid(left.ty.ty) {
            return left;
        }
        self.check_writable(lhs, &left);
        match op {
            None => {
                let to = QualTy { space: Space::None, cv: Cv::empty(), ty: left.ty.ty };
                self.check_conversion(rhs, &right, to, "assigned");
            }
            Some(op) => {
                if right.is_overload_set() || right.is_init_list() || !self.is_solid(&right) {
                    return left;
                }
                let right = self.as_operand(right);
                let (a, b) = (self.sema.decayed(left.ty), self.sema.decayed(right.ty));
                if self.arithmetic(op, a, b).is_none()
                    && self.is_solid(&right)
                    && !self.is_opaque(a)
                    && !self.is_opaque(b)
                {
                    let message = format!(
                        "`{}` cannot be applied to `{}` and `{}`",
                        punct.text(),
                        self.sema.spell_ty(a),
                        self.sema.spell_ty(b)
                    );
                    self.report(Code::TypeMismatch, TokenRange::new(token, token + 1), message);
                }
            }
        }
        left
    }

    /// Reports an assignment, or a step by one, of an object that cannot be copied.
    pub(crate) fn no_copy_operator(&self, object: &ExprInfo, token: u32) {
        let message = if self.is_library_class(object.ty.ty, "atomic") {
            "an atomic object has no operators: use `atomic_store_explicit` or an `atomic_fetch_…_explicit` function (MSL spec §2.6)"
                .to_owned()
        } else {
            format!("an object of type `{}` cannot be assigned to", self.sema.spell_ty(object.ty.ty))
        };
        self.report(Code::NotCopyable, TokenRange::new(token, token + 1), message);
    }

    /// Reports a write to something that cannot be changed.
    pub(crate) fn check_writable(&self, target: ExprId, info: &ExprInfo) {
        if !self.is_solid(info) || !self.is_assigned_as_a_whole(info.ty.ty) {
            return;
        }
        let range = self.ast()[target].range;
        if info.category == Category::PrValue {
            // A value of class type may be assigned to, to no effect.
            if !matches!(self.kind(info.ty.ty), TyKind::Record(..)) {
                self.check_assignable(target);
            }
        } else if info.place() == Space::Constant {
            self.report(
                Code::ReadOnlyAssignment,
                range,
                "the constant address space cannot be written to (MSL spec §4.2)".to_owned(),
            );
        } else if info.is_lvalue() && info.ty.is_const() {
            self.report(Code::ReadOnlyAssignment, range, "this is `const` and cannot be written to".to_owned());
        }
    }

    /// Whether an assignment writes to the object itself: for a class, that it declares no `operator=`. A class of the
    /// library has to be a structure of fields: the operators of its other classes are not all known.
    fn is_assigned_as_a_whole(&self, ty: Ty) -> bool {
        let TyKind::Record(decl, _) = self.kind(ty) else { return true };
        if self.sema.is_library(*decl)
            && self.sema.record_info(ty).is_none_or(|info| self.sema.fields(&info).is_empty())
        {
            return false;
        }
        let members = self.sema.members_by(ty, Key::Operator(OverloadedOp::Punct(Punct::Eq)));
        members.items.is_empty() && !members.uncertain
    }

    /// Reports a write to a value that is no object: a literal, a result, a selection with a repeated component.
    fn check_assignable(&self, target: ExprId) {
        let ast = self.ast();
        let range = ast[target].range;
        match &ast[target].kind {
            ExprKind::Paren(inner) => self.check_assignable(*inner),
            ExprKind::Member { base, member, .. } => {
                let is_object = self.info_of(*base).is_some_and(|base| {
                    base.category != Category::PrValue && self.sema.as_vector(base.ty.ty).is_some()
                });
                if let (true, Some(name)) = (is_object, member.as_ident()) {
                    self.report(
                        Code::ReadOnlyAssignment,
                        range,
                        format!("`{name}` names a component twice, so it cannot be written to (MSL spec §2.2.1)"),
                    );
                }
            }
            ExprKind::Binary { .. }
            | ExprKind::Construct { .. }
            | ExprKind::SizeofType { .. }
            | ExprKind::SizeofExpr { .. } => {
                self.report(
                    Code::ReadOnlyAssignment,
                    range,
                    "this is a value and not an object: it cannot be written to".to_owned(),
                );
            }
            ExprKind::Unary {
                op:
                    UnaryOp::Plus | UnaryOp::Minus | UnaryOp::Not | UnaryOp::BitNot | UnaryOp::PostInc | UnaryOp::PostDec,
                ..
            } => {
                self.report(
                    Code::ReadOnlyAssignment,
                    range,
                    "this is a value and not an object: it cannot be written to".to_owned(),
                );
            }
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Bool(_) => {
                self.report(Code::ReadOnlyAssignment, range, "a literal cannot be written to".to_owned());
            }
            ExprKind::Call { .. } => {
                if let Some(item) = self.facts.callees.get(&target)
                    && !self.sema.is_library(item.decl)
                {
                    self.report(
                        Code::ReadOnlyAssignment,
                        range,
                        "the result of this function is a value and cannot be written to".to_owned(),
                    );
                }
            }
            _ => {}
        }
    }
}

fn compound_punct(op: BinaryOp) -> Punct {
    match op {
        BinaryOp::Mul => Punct::StarEq,
        BinaryOp::Div => Punct::SlashEq,
        BinaryOp::Rem => Punct::PercentEq,
        BinaryOp::Add => Punct::PlusEq,
        BinaryOp::Sub => Punct::MinusEq,
        BinaryOp::Shl => Punct::ShlEq,
        BinaryOp::Shr => Punct::ShrEq,
        BinaryOp::BitAnd => Punct::AmpEq,
        BinaryOp::BitXor => Punct::CaretEq,
        BinaryOp::BitOr => Punct::PipeEq,
        other => punct_of(other),
    }
}
