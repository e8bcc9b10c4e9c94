//! How many components a vector or matrix is made from, and which components exist (MSL spec §2.2, §2.3).

use msl_diagnostics::Code;
use msl_parser::ast::*;

use super::wrap;
use crate::consteval::Value;
use crate::expr::{Checker, ExprInfo};
use crate::sema::TokenFix;
use crate::store::*;

impl<'a> Checker<'a> {
    /// Checks `T(a, b)` for a vector or matrix `T`; `range` is where a finding is shown.
    pub(crate) fn check_construction(&self, range: TokenRange, ty: Ty, args: &[ExprInfo], braces: bool) {
        if args.is_empty() || args.iter().any(|arg| !self.is_solid(arg)) {
            return;
        }
        match self.kind(ty) {
            TyKind::Vector(_, width) | TyKind::Packed(_, width) if *width <= 4 => {
                self.vector_construction(range, ty, *width, args, braces);
            }
            TyKind::Matrix(_, columns, rows) if !braces => self.matrix_construction(range, ty, *columns, *rows, args),
            _ => {}
        }
    }

    /// Checks a braced list against the array or vector that it initialises. Lists without inner braces may spread over
    /// several elements (C++ [dcl.init.aggr]), so only elements that hold one value each are counted.
    pub(crate) fn check_list(&mut self, list: ExprId, to: QualTy) {
        let ExprKind::InitList(items) = &self.ast()[list].kind else { return };
        if matches!(self.kind(to.ty), TyKind::Record(..)) {
            return self.check_class_list(list, items, to.ty);
        }
        let is_plain =
            |item: &ExprId| !matches!(self.ast()[*item].kind, ExprKind::Designated { .. } | ExprKind::Expansion(_));
        if items.is_empty() || !items.iter().all(is_plain) {
            return;
        }
        match self.kind(to.ty) {
            TyKind::Vector(..) | TyKind::Packed(..) => {
                let infos: Vec<ExprInfo> = items.iter().filter_map(|&item| self.info_of(item)).collect();
                if infos.len() == items.len() {
                    self.check_construction(self.ast()[list].range, to.ty, &infos, true);
                }
            }
            TyKind::Array(elem, len) if matches!(self.kind(elem.ty), TyKind::Scalar(_)) => {
                if let ArrayLen::Known(len) = len
                    && items.len() as u64 > *len
                {
                    let message = format!("this array has {len} elements, and the list has {}", items.len());
                    self.report(Code::TypeMismatch, self.ast()[list].range, message);
                }
                for &item in items {
                    if let Some(info) = self.info_of(item) {
                        self.check_conversion(item, &info, elem.unqualified(), "used");
                        self.check_narrowing(item, &info, elem.ty);
                    }
                }
            }
            _ => {}
        }
    }

    /// The number of components that an argument contributes; `None` for what is no scalar or vector.
    fn components_of(&self, arg: &ExprInfo) -> Option<u32> {
        let ty = self.sema.decayed(arg.ty);
        match self.sema.as_vector(ty) {
            Some((_, width)) => Some(width.into()),
            None => self.sema.as_scalar(ty).map(|_| 1),
        }
    }

    /// MSL spec §2.2.2: one scalar, or exactly as many components as the vector has.
    fn vector_construction(&self, range: TokenRange, ty: Ty, width: u8, args: &[ExprInfo], braces: bool) {
        let Some(given) = args.iter().map(|arg| self.components_of(arg)).sum::<Option<u32>>() else { return };
        let width = u32::from(width);
        let is_splat = args.len() == 1 && given == 1;
        // A braced list may leave components out; they are zero.
        if given == width || is_splat || braces && given < width {
            return;
        }
        let spelled = self.sema.spell_ty(ty);
        let message = format!(
            "`{spelled}` has {width} components and is made from exactly that many, or from one scalar; these are {given} (MSL \
             spec §2.2.2)"
        );
        self.report(Code::TypeMismatch, range, message);
    }

    /// MSL spec §2.3: one scalar for the diagonal, the columns, or all elements; nothing mixed.
    fn matrix_construction(&self, range: TokenRange, ty: Ty, columns: u8, rows: u8, args: &[ExprInfo]) {
        let spelled = self.sema.spell_ty(ty);
        if let [only] = args
            && let TyKind::Matrix(_, own_columns, own_rows) = self.kind(self.sema.decayed(only.ty))
        {
            if (*own_columns, *own_rows) != (columns, rows) {
                let message = format!(
                    "a `{spelled}` is not made from a `{}`: write its columns (MSL spec §2.3)",
                    self.sema.spell_ty(self.sema.decayed(only.ty))
                );
                self.report(Code::TypeMismatch, range, message);
            }
            return;
        }
        let Some(counts) = args.iter().map(|arg| self.components_of(arg)).collect::<Option<Vec<u32>>>() else { return };
        let scalars = counts.iter().filter(|&&count| count == 1).count();
        let (columns, rows) = (usize::from(columns), u32::from(rows));
        let fits = if scalars == counts.len() {
            scalars == 1 || scalars == columns * rows as usize
        } else {
            scalars == 0 && counts.len() == columns && counts.iter().all(|&count| count == rows)
        };
        if !fits {
            let message = format!(
                "`{spelled}` is made from one scalar, from {columns} columns of {rows} components, or from {} scalars (MSL spec §2.3)",
                columns * rows as usize
            );
            self.report(Code::TypeMismatch, range, message);
        }
    }

    /// A constant index of a vector or matrix is one of its components (MSL spec §2.2, §2.3).
    pub(crate) fn check_component_index(&self, object: &ExprInfo, index: ExprId) {
        let (count, what) = match self.kind(object.ty.ty) {
            TyKind::Vector(_, width) | TyKind::Packed(_, width) if *width <= 4 => (*width, "component"),
            TyKind::Matrix(_, columns, _) => (*columns, "column"),
            _ => return,
        };
        let Value::Known(Const::Int(value)) = self.sema.evaluate_in(index, self.cx) else { return };
        if !(0..i128::from(count)).contains(&value) {
            let message = format!(
                "`{}` has {count} {what}s, numbered from 0: there is no {what} {value}",
                self.sema.spell_ty(object.ty.ty)
            );
            self.report(Code::UnknownMember, self.ast()[index].range, message);
        }
    }

    /// Repairs for a vector where one of another element type is due: its conversion, which has to be written (MSL
    /// spec §2.22); likewise for `bfloat`, to which nothing floating converts by itself.
    pub(crate) fn conversion_fixes(&self, expr: ExprId, from: &ExprInfo, to: Ty) -> Vec<TokenFix> {
        let source = self.sema.decayed(from.ty);
        let is_written = match (self.kind(source), self.kind(to)) {
            (TyKind::Vector(_, n) | TyKind::Packed(_, n), TyKind::Vector(_, m) | TyKind::Packed(_, m)) => n == m,
            (TyKind::Scalar(_), TyKind::Scalar(Scalar::BFloat | Scalar::Half)) => true,
            (TyKind::Scalar(_), TyKind::Vector(Scalar::BFloat | Scalar::Half, _)) => true,
            _ => false,
        };
        let target = match self.kind(to) {
            TyKind::Packed(scalar, width) => self.sema.store().vector(*scalar, *width),
            _ => to,
        };
        if is_written { vec![wrap(self.ast()[expr].range, &self.sema.spell_ty(target), true)] } else { Vec::new() }
    }
}
