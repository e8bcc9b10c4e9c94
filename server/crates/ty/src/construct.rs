//! `T(…)` and `T{…}`, and braced lists as arguments.

use msl_diagnostics::Code;
use msl_parser::ast::*;
use smallvec::SmallVec;

use crate::convert::{Conv, Converts, Why};
use crate::expr::{Checker, ExprInfo};
use crate::overload::{CallKey, Outcome};
use crate::resolve::Named;
use crate::sema::Sema;
use crate::store::*;

impl<'a> Checker<'a> {
    pub(crate) fn construct(&mut self, expr: ExprId, node: TypeId, args: &[ExprId], braces: bool) -> ExprInfo {
        let mut infos: SmallVec<[ExprInfo; 4]> = SmallVec::new();
        let mut unknown_length = false;
        if braces {
            if let Some(&list) = args.first() {
                self.expr(list);
                if let ExprKind::InitList(items) = &self.ast()[list].kind {
                    for &item in items {
                        match self.info_of(item) {
                            Some(info) => infos.push(info),
                            None => unknown_length = true,
                        }
                    }
                }
            }
        } else {
            match self.arguments(args) {
                Some(arguments) => infos = arguments,
                None => unknown_length = true,
            }
        }
        // A class template's name alone: its arguments are deduced.
        let mut deduced = None;
        if let TypeKind::Path { path, .. } = &self.ast()[node].kind
            && let Named::Template(template) = self.sema.named_type(path, self.cx)
        {
            self.note_path(path);
            self.check_class_deduction(template, node);
            deduced = Some(if unknown_length { QualTy::UNKNOWN } else { self.sema.deduce_class(template, &infos) });
        }
        let ty = match deduced {
            Some(QualTy::DEPENDENT) => return ExprInfo::DEPENDENT,
            Some(ty) => ty,
            None => self.types_in(node),
        };
        if self.sema.store().is_dependent(ty.ty) {
            // `vec<T, 4>(…)` has a type of its own even so.
            return ExprInfo::prvalue(ty.unqualified());
        }
        if ty.ty == Ty::UNKNOWN || ty.ty == Ty::INVALID {
            return ExprInfo::UNKNOWN;
        }
        if self.sema.store().flags(ty.ty).contains(TyFlags::AUTO) {
            return infos.first().map_or(ExprInfo::UNKNOWN, |info| ExprInfo::value(self.sema.decayed(info.ty)));
        }
        if matches!(self.kind(ty.ty), TyKind::Array(..)) && !braces && self.sema.store().is_solid(ty.ty) {
            let spelled = self.sema.spell_ty(ty.ty);
            let message = format!(
                "an array is not made with parentheses, and `{spelled}` is one: list its elements in braces, `{{…}}` (C++ \
                 [expr.type.conv])"
            );
            self.report(Code::TypeMismatch, self.ast()[expr].range, message);
            return ExprInfo::UNKNOWN;
        }
        if let TyKind::Record(..) = self.kind(ty.ty)
            && !braces
            && args.len() == infos.len()
        {
            self.note_constructor(expr, ty.ty, node, &infos);
        }
        if let (true, [given], Some(&list)) = (braces, &*infos, args.first())
            && let ExprKind::InitList(items) = &self.ast()[list].kind
            && let [item] = &**items
            && self.is_solid(given)
        {
            self.check_narrowing(*item, given, ty.ty);
        }
        if !unknown_length {
            let range = self.ast()[expr].range;
            self.check_construction(range, ty.ty, &infos, braces);
            if let (false, [only]) = (braces, &*infos) {
                self.check_to_scalar(range, None, only, ty.ty);
            }
            match args.first() {
                Some(&list) if braces => {
                    if let (TyKind::Record(..), ExprKind::InitList(items)) = (self.kind(ty.ty), &self.ast()[list].kind)
                    {
                        self.check_class_list(list, items, ty.ty);
                    }
                }
                _ => self.check_constructor(range, ty.ty, &infos),
            }
        }
        ExprInfo::of_call_result(&self.sema, ty)
    }

    /// Notes which constructor a construction calls.
    fn note_constructor(&mut self, expr: ExprId, class: Ty, node: TypeId, args: &[ExprInfo]) {
        if !self.keeps_facts {
            return;
        }
        let Some(constructors) = self.sema.constructors(class) else { return };
        if constructors.is_empty() {
            return;
        }
        let key = CallKey {
            candidates: constructors.into_iter().collect(),
            object: None,
            explicit: None,
            args: SmallVec::from_slice(args),
        };
        if let Outcome::Best(item) = &*self.sema.resolve_call(key) {
            self.called(expr, *item);
            let token = self.ast()[node].range.end.saturating_sub(1);
            self.facts.refs.entry(token).or_default().push(*item);
        }
    }
}

impl<'a> Sema<'a> {
    /// Conversions of what has no type of its own: braced lists and overload sets.
    pub(crate) fn convert_special(&self, from: &ExprInfo, to: QualTy) -> Converts {
        let Some(expr) = from.expr else { return Converts::Unsure };
        if from.is_overload_set() {
            let _ = expr;
            return match self.kind(self.strip_ref(to).ty) {
                TyKind::Pointer(_) | TyKind::Function(_) => Converts::Unsure,
                _ if !self.store().is_solid(to.ty) => Converts::Unsure,
                _ => Converts::No(Why::Type),
            };
        }
        let target = self.strip_ref(to);
        if !self.store().is_solid(target.ty) {
            return Converts::Unsure;
        }
        let ExprKind::InitList(items) = &self.ast[expr].kind else { return Converts::Unsure };
        match self.kind(target.ty) {
            TyKind::Scalar(_) | TyKind::Pointer(_) if items.len() > 1 => Converts::No(Why::Type),
            TyKind::Scalar(_) | TyKind::Pointer(_) | TyKind::Vector(..) | TyKind::Packed(..) | TyKind::Matrix(..) => {
                Converts::Yes(Conv::EXACT)
            }
            _ => Converts::Unsure,
        }
    }
}
