//! Casts, and which of them change what they must not (MSL spec §2.21, §2.22, §4).

use msl_diagnostics::Code;
use msl_parser::ast::*;

use crate::expr::{Checker, ExprInfo};
use crate::store::*;

impl<'a> Checker<'a> {
    pub(crate) fn cast(&mut self, expr: ExprId, cast: Option<NamedCast>, ty: TypeId, operand: ExprId) -> ExprInfo {
        let to = self.types_in(ty);
        let from = self.expr(operand);
        if self.sema.store().is_dependent(to.ty) {
            return ExprInfo::of_call_result(&self.sema, to);
        }
        if to.ty == Ty::VOID {
            return ExprInfo::value(Ty::VOID);
        }
        // What is wrong has its finding: what depends on it is not looked at.
        if from.ty.ty == Ty::INVALID {
            return ExprInfo::value(Ty::INVALID);
        }
        if !self.sema.store().is_unknown(to.ty) {
            self.check_cast(expr, cast, &from, to);
            self.check_reinterpretation(expr, cast, &from, to);
        }
        if cast == Some(NamedCast::AddrSpace) && !self.sema.generic() {
            self.report(
                Code::RequiresNewerLanguageVersion,
                self.ast()[expr].range,
                format!("`addrspace_cast` needs metal4.1 or later; this file is built as {}", self.sema.version()),
            );
        }
        if cast == Some(NamedCast::Dynamic) {
            self.report(
                Code::RemovedLanguageFeature,
                self.ast()[expr].range,
                "Metal does not have `dynamic_cast` (MSL spec §1.5.4)".to_owned(),
            );
        }
        ExprInfo::of_call_result(&self.sema, to)
    }

    /// The rules for casts between address spaces (G28, G47, G48, G50).
    fn check_cast(&self, expr: ExprId, cast: Option<NamedCast>, from: &ExprInfo, to: QualTy) {
        if from.is_init_list() || from.is_overload_set() || cast == Some(NamedCast::AsType) {
            return;
        }
        let (source, target) = match self.kind(to.ty) {
            TyKind::Pointer(target) => match self.kind(self.sema.decayed(from.ty)) {
                TyKind::Pointer(source) => (*source, *target),
                _ => return,
            },
            TyKind::LRef(target) if from.is_lvalue() && from.ty.ty == target.ty => (from.ty, *target),
            _ => return,
        };
        let (a, b) = (source.space, target.space);
        if a == b || [a, b].iter().any(|space| matches!(space, Space::None | Space::Unknown)) {
            return;
        }
        let range = self.ast()[expr].range;
        if cast == Some(NamedCast::AddrSpace) && !matches!(b, Space::Thread | Space::Threadgroup | Space::Device) {
            return;
        }
        // Down from generic: `static_cast`, `addrspace_cast` and C-style casts; up to generic: always.
        if a == Space::Generic && matches!(b, Space::Thread | Space::Threadgroup | Space::Device) {
            return;
        }
        if b == Space::Generic && a.covered_by_generic() {
            return;
        }
        if a == Space::Constant && b == Space::Generic {
            self.report(
                Code::ConstantToGeneric,
                range,
                "a pointer to `constant` memory cannot become generic: generic pointers cover thread, threadgroup and device only".to_owned(),
            );
            return;
        }
        self.report(
            Code::AddressSpaceMismatch,
            range,
            format!(
                "a pointer to {} memory cannot be cast to one to {} memory: no cast changes the address space",
                self.space_name(a),
                self.space_name(b)
            ),
        );
    }

    /// `as_type` needs values of one size (MSL spec §2.21); other casts do not change the width of a vector.
    fn check_reinterpretation(&self, expr: ExprId, cast: Option<NamedCast>, from: &ExprInfo, to: QualTy) {
        if !self.is_solid(from) || !self.sema.store().is_solid(to.ty) {
            return;
        }
        let source = self.sema.decayed(from.ty);
        let range = self.ast()[expr].range;
        if cast == Some(NamedCast::AsType) {
            let is_plain =
                |ty: Ty| matches!(self.kind(ty), TyKind::Scalar(_) | TyKind::Vector(..) | TyKind::Packed(..));
            if let (true, true, Some((have, _)), Some((wanted, _))) =
                (is_plain(source), is_plain(to.ty), self.sema.layout(source), self.sema.layout(to.ty))
                && have != wanted
            {
                let message = format!(
                    "`as_type` keeps the bits, so both types have one size: `{}` has {have} bytes and `{}` has {wanted} (MSL spec §2.21)",
                    self.sema.spell_ty(source),
                    self.sema.spell_ty(to.ty)
                );
                self.report(Code::TypeMismatch, range, message);
            }
            return;
        }
        self.check_to_scalar(range, cast, from, to.ty);
        if matches!(cast, None | Some(NamedCast::Static))
            && let (Some((_, n)), Some((_, m))) = (self.sema.as_vector(source), self.sema.as_vector(to.ty))
            && n != m
            && n <= 4
            && m <= 4
        {
            let message = format!(
                "a `{}` cannot be cast to `{}`: select or add components (MSL spec §2.22)",
                self.sema.spell_ty(source),
                self.sema.spell_ty(to.ty)
            );
            self.report(Code::TypeMismatch, range, message);
        }
    }

    /// No cast makes one number of a vector or of a class of the program (C++ [expr.static.cast]). Vectors as wide as an
    /// integer are left alone: compilers may take their bits.
    pub(crate) fn check_to_scalar(&self, range: TokenRange, cast: Option<NamedCast>, from: &ExprInfo, to: Ty) {
        let &TyKind::Scalar(scalar) = self.kind(to) else { return };
        if !matches!(cast, None | Some(NamedCast::Static)) || !self.is_solid(from) {
            return;
        }
        let source = self.sema.strip_ref(from.ty).ty;
        let (is_wrong, instead) = match self.kind(source) {
            TyKind::Vector(_, 2..=4) => {
                let has_same_size = self.sema.layout(source).is_none_or(|(size, _)| size == u64::from(scalar.size()));
                (scalar.is_float() || !has_same_size, "select a component")
            }
            TyKind::Record(..) => (self.is_plain_class(from), "it has no conversion function"),
            _ => (false, ""),
        };
        if is_wrong {
            let message =
                format!("a `{}` cannot be cast to `{}`: {instead}", self.sema.spell_ty(source), self.sema.spell_ty(to));
            self.report(Code::TypeMismatch, range, message);
        }
    }
}
