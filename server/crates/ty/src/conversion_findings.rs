//! Values that do not convert to what is needed, in words.

use msl_diagnostics::Code;
use msl_parser::ast::*;

use crate::convert::{Converts, Why};
use crate::expr::{Checker, ExprFlags, ExprInfo};
use crate::sema::{TokenEdit, TokenFix};
use crate::store::*;

impl<'a> Checker<'a> {
    /// Types whose operators are not modelled: absence of one proves nothing.
    pub(crate) fn is_opaque(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TyKind::Record(decl, _) => self.sema.is_library(*decl),
            TyKind::Closure(..) | TyKind::Function(_) | TyKind::MemberPointer(..) => true,
            TyKind::Vector(_, width) | TyKind::Packed(_, width) => *width > 4,
            _ => false,
        }
    }

    pub(crate) fn type_error(&self, expr: ExprId, info: &ExprInfo, message: impl FnOnce() -> String) {
        if self.is_solid(info) && !self.is_opaque(self.sema.decayed(info.ty)) {
            let spelled = self.sema.spell_ty(self.sema.decayed(info.ty));
            self.report(Code::TypeMismatch, self.ast()[expr].range, format!("{}; this is `{spelled}`", message()));
        }
    }

    pub(crate) fn space_name(&self, space: Space) -> String {
        match space {
            Space::Generic => "generic".to_owned(),
            _ => format!("`{}`", space.word()),
        }
    }

    /// Reports a failed conversion of a value to a variable, result or operand. `verb` completes "cannot be …".
    pub(crate) fn check_conversion(&mut self, expr: ExprId, from: &ExprInfo, to: QualTy, verb: &str) {
        if from.is_init_list() || from.is_overload_set() {
            return;
        }
        if !self.sema.is_ref(to.ty) && self.check_copy(expr, from) {
            return;
        }
        let Converts::No(why) = self.sema.convert(from, to) else {
            return self.check_constant_conversion(expr, from, to);
        };
        let range = self.ast()[expr].range;
        match why {
            Why::Space(have, wanted) => {
                let (code, message) = self.space_message(to, have, wanted, verb);
                if from.flags.contains(ExprFlags::STRING) {
                    self.hint(code, range, message);
                } else {
                    let fixes = self.space_cast_fixes(expr, from, to, have, wanted);
                    self.report_with(code, range, message, fixes);
                }
            }
            Why::DeepSpace => self.hint(
                Code::AddressSpaceMismatch,
                range,
                format!(
                    "`{}` and `{}` differ in address spaces below the first level, where pointers do not convert",
                    self.spell_value(from),
                    self.sema.spell(to)
                ),
            ),
            Why::Const => self.report(
                Code::TypeMismatch,
                range,
                format!(
                    "`{}` cannot be {verb} as `{}`: that would lose `const` or `volatile`",
                    self.spell_value(from),
                    self.sema.spell(to)
                ),
            ),
            Why::Component => self.report(
                Code::TypeMismatch,
                range,
                "a reference cannot bind to a vector component or bit-field (MSL spec §2.2.1)".to_owned(),
            ),
            Why::Temporary => self.report(
                Code::TypeMismatch,
                range,
                format!("`{}` cannot bind to a temporary value", self.sema.spell(to)),
            ),
            Why::Type => {
                let target = self.sema.strip_ref(to).ty;
                let is_number = matches!(
                    self.kind(target),
                    TyKind::Scalar(_) | TyKind::Vector(..) | TyKind::Packed(..) | TyKind::Matrix(..) | TyKind::Enum(..)
                );
                let is_certain = is_number && crate::attributes::is_texture_or_sampler(&self.sema, from.ty);
                if !is_certain && (self.is_opaque(from.ty.ty) || self.is_opaque(target)) {
                    return;
                }
                let fixes = self.conversion_fixes(expr, from, target);
                let message = format!("`{}` cannot be {verb} as `{}`", self.spell_value(from), self.sema.spell(to));
                self.report_with(Code::TypeMismatch, range, message, fixes);
            }
        }
    }

    fn spell_value(&self, info: &ExprInfo) -> String {
        self.sema.spell(QualTy { space: Space::None, ..info.ty })
    }

    /// The repair for a generic pointer or object where one in a named space is needed (rule G47). It is not checked at
    /// run time, so it is never made unseen.
    pub(crate) fn space_cast_fixes(
        &self,
        expr: ExprId,
        from: &ExprInfo,
        to: QualTy,
        have: Space,
        wanted: Space,
    ) -> Vec<TokenFix> {
        let is_castable = matches!(wanted, Space::Thread | Space::Threadgroup | Space::Device);
        // The parameters of another template have no name here.
        let is_spelled = !self.sema.store().is_dependent(to.ty);
        if have != Space::Generic || !is_castable || from.is_component() || !is_spelled {
            return Vec::new();
        }
        let (open, close) = match self.kind(to.ty) {
            TyKind::Pointer(_) => (format!("static_cast<{}>(", self.sema.spell(QualTy::plain(to.ty))), ")"),
            TyKind::LRef(inner) if from.is_lvalue() => {
                let pointer = self.sema.store().pointer(*inner);
                (format!("*static_cast<{}>(&", self.sema.spell(QualTy::plain(pointer))), ")")
            }
            _ => return Vec::new(),
        };
        let range = self.ast()[expr].range;
        let edit = |at: u32, after: bool, text: &str| TokenEdit {
            range: TokenRange::new(at, at),
            after,
            text: text.to_owned(),
        };
        vec![TokenFix {
            title: format!("Cast to {} memory with `static_cast`, unchecked", wanted.word()),
            preferred: false,
            edits: vec![edit(range.start, false, &open), edit(range.end, true, close)],
        }]
    }

    /// Code and words for an address space that does not fit.
    pub(crate) fn space_message(&self, to: QualTy, have: Space, wanted: Space, verb: &str) -> (Code, String) {
        let what = if self.sema.is_ref(to.ty) { "reference" } else { "pointer" };
        let source = if self.sema.is_ref(to.ty) {
            format!("this lies in {} memory", self.space_name(have))
        } else {
            format!("this points to {} memory", self.space_name(have))
        };
        match (have, wanted) {
            (Space::Generic, _) => (
                Code::GenericToConcrete,
                format!(
                    "a generic {what} cannot be {verb} as one to {} memory without a cast: use `static_cast` if it is known to \
                     be {}, or `addrspace_cast` and test for null",
                    self.space_name(wanted),
                    self.space_name(wanted)
                ),
            ),
            (_, Space::Generic) => (
                Code::ConstantToGeneric,
                format!(
                    "{source}, which a generic {what} does not cover: it can point to thread, threadgroup or device memory"
                ),
            ),
            _ => (
                Code::AddressSpaceMismatch,
                format!(
                    "{source}, but a {what} to {} memory is needed (`{}`)",
                    self.space_name(wanted),
                    self.sema.spell(to)
                ),
            ),
        }
    }
}
