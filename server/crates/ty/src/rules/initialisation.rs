//! Objects of class type: that a constructor takes what they are made from, and that a list fits the members
//! (C++ [dcl.init], [dcl.init.aggr]).

use msl_diagnostics::Code;
use msl_parser::ast::*;
use smallvec::SmallVec;

use crate::expr::{Checker, ExprInfo};
use crate::overload::{CallKey, Outcome, Reason};
use crate::record::RecordInfo;
use crate::sema::{DeclRef, TyDiagnostic};
use crate::store::*;

impl<'a> Checker<'a> {
    /// A class of the program that is known whole.
    fn own_class(&self, ty: Ty) -> Option<std::sync::Arc<RecordInfo>> {
        if !self.sema.store().is_solid(ty) || self.is_opaque(ty) {
            return None;
        }
        self.sema.record_info(ty).filter(|info| info.scope.is_some() && !info.uncertain)
    }

    /// Whether a value may become an object of a class by being copied or converted.
    fn may_become(&self, from: &ExprInfo, class: Ty) -> bool {
        let ty = self.sema.strip_ref(from.ty).ty;
        match self.kind(ty) {
            TyKind::Record(..) => {
                ty == class || self.sema.derives_from(ty, class) != Some(false) || !self.is_plain_class(from)
            }
            _ => false,
        }
    }

    /// Reports a member initialiser that names neither a member nor a base of the class.
    pub(crate) fn names_no_member(&self, target: TypeId) -> bool {
        let TypeKind::Path { path, .. } = &self.ast()[target].kind else { return false };
        let (Some(name), Some(last), Some(class)) = (path.as_ident(), path.last(), self.cx.class) else { return false };
        let is_known = self.own_class(class).is_some();
        if !is_known || last.args.is_some() || !self.sema.lookup_path(path, self.cx).items.is_empty() {
            return false;
        }
        let range = TokenRange::new(last.token, last.token + 1);
        self.sema.report(|| {
            let mut diagnostic = TyDiagnostic {
                code: Code::UnknownMember,
                severity: None,
                range,
                message: format!("`{}` has no member and no base named `{name}`", self.sema.spell_ty(class)),
                related: Vec::new(),
                fixes: Vec::new(),
            };
            self.sema.suggest(&mut diagnostic, self.sema.close_member(class, name));
            diagnostic
        });
        true
    }

    /// Checks `T(args)` and `T name(args)` for a class; `range` is where a finding is shown.
    pub(crate) fn check_constructor(&self, range: TokenRange, ty: Ty, args: &[ExprInfo]) {
        if args.iter().any(|arg| !self.is_solid(arg)) {
            return;
        }
        let Some(constructors) = self.sema.constructors(ty) else { return };
        if self.own_class(ty).is_none() {
            if self.is_made_of_numbers(ty, &constructors, args) {
                self.choose_constructor(range, ty, constructors, args);
            }
            return;
        }
        if let [only] = args
            && self.may_become(only, ty)
        {
            return;
        }
        if constructors.is_empty() {
            if !args.is_empty() {
                let message = format!(
                    "`{}` has no constructors: its members are initialised in braces, `{}{{…}}`",
                    self.sema.spell_ty(ty),
                    self.sema.spell_ty(ty)
                );
                self.report(Code::NoMatchingFunction, range, message);
            }
            return;
        }
        self.choose_constructor(range, ty, constructors, args);
    }

    /// Whether all constructors of a class of the library take numbers, and numbers are given: for those its overloads
    /// are known (the options of a texture's `sample`, rays).
    fn is_made_of_numbers(&self, ty: Ty, constructors: &[DeclRef], args: &[ExprInfo]) -> bool {
        let is_number =
            |ty: Ty| matches!(self.kind(ty), TyKind::Scalar(_) | TyKind::Vector(_, 1..=4) | TyKind::Packed(_, 1..=4));
        let takes_numbers = |item: &DeclRef| {
            self.sema.signature(*item).params.iter().all(|param| is_number(self.sema.strip_ref(param.ty).ty))
        };
        matches!(self.kind(ty), TyKind::Record(decl, _) if self.sema.is_library(*decl))
            && !args.is_empty()
            && args.iter().all(|arg| is_number(self.sema.decayed(arg.ty)))
            && !constructors.is_empty()
            && constructors.iter().all(takes_numbers)
    }

    fn choose_constructor(&self, range: TokenRange, ty: Ty, constructors: Vec<DeclRef>, args: &[ExprInfo]) {
        let key = CallKey {
            candidates: constructors.into_iter().collect(),
            object: None,
            explicit: None,
            args: SmallVec::from_slice(args),
        };
        let Outcome::None(failures) = &*self.sema.resolve_call(key) else { return };
        // Objects in spaces that a constructor does not take have findings of their own.
        if failures.is_empty() || failures.iter().any(|(_, why)| matches!(why, Reason::Object(_) | Reason::NotHere)) {
            return;
        }
        let given: Vec<String> = args.iter().map(|arg| self.sema.spell_ty(self.sema.decayed(arg.ty))).collect();
        let spelled = self.sema.spell_ty(ty);
        let message = match args {
            [] => format!("`{spelled}` has no constructor without arguments"),
            _ => format!("no constructor of `{spelled}` takes ({})", given.join(", ")),
        };
        self.sema.report(|| TyDiagnostic {
            code: Code::NoMatchingFunction,
            severity: None,
            range,
            message,
            related: failures
                .iter()
                .take(4)
                .map(|(item, _)| {
                    let token = self.ast()[item.decl].name_token;
                    (TokenRange::new(token, token + 1), format!("`{}` is declared here", self.spell_function(*item)))
                })
                .collect(),
            fixes: Vec::new(),
        });
    }

    /// Checks a braced list that initialises an object of a class.
    pub(crate) fn check_class_list(&mut self, list: ExprId, items: &[ExprId], ty: Ty) {
        let ast = self.ast();
        let Some(info) = self.own_class(ty) else { return };
        let Some(constructors) = self.sema.constructors(ty) else { return };
        if items.iter().any(|&item| matches!(ast[item].kind, ExprKind::Expansion(_))) {
            return;
        }
        if !constructors.is_empty() {
            let infos: Option<Vec<ExprInfo>> = items.iter().map(|&item| self.info_of(item)).collect();
            let Some(infos) = infos.filter(|infos| infos.iter().all(|info| self.is_solid(info))) else { return };
            let is_copy = matches!(&*infos, [only] if self.may_become(only, ty));
            if !is_copy {
                self.choose_constructor(ast[list].range, ty, constructors, &infos);
            }
            return;
        }
        let DeclKind::Record(record) = &ast[info.decl].kind else { return };
        if record.key == RecordKey::Union || !info.bases.is_empty() {
            return;
        }
        if items.iter().any(|&item| matches!(ast[item].kind, ExprKind::Designated { .. })) {
            return self.check_designators(ty, items);
        }
        if self.has_unnamed_members(record) {
            return;
        }
        let fields = self.sema.fields(&info);
        if let [only] = items
            && self.info_of(*only).is_none_or(|only| !self.is_solid(&only) || self.may_become(&only, ty))
        {
            return;
        }
        // Inner braces may be left out, so that a list spreads over the members of members.
        if let Some(most) = self.values_in(ty)
            && items.len() as u64 > most
        {
            let spelled = self.sema.spell_ty(ty);
            let message = format!("`{spelled}` is made from {most} values at most, and the list has {}", items.len());
            self.report(Code::TypeMismatch, ast[list].range, message);
            return;
        }
        let mut rest = items;
        for &field in &fields {
            let wanted = self.sema.variable_type(field);
            if rest.is_empty() || !self.spread(&mut rest, wanted) {
                return;
            }
        }
    }

    /// Takes from the items of a list those that initialise an object of type `wanted`, with inner braces left out as
    /// far as they are (C++ [dcl.init.aggr]), and checks them; `false` if it is not known which those are.
    fn spread(&mut self, rest: &mut &[ExprId], wanted: QualTy) -> bool {
        let Some((&item, behind)) = rest.split_first() else { return true };
        if matches!(self.ast()[item].kind, ExprKind::InitList(_)) {
            *rest = behind;
            return true;
        }
        let Some(given) = self.info_of(item) else { return false };
        if !self.is_solid(&given) {
            return false;
        }
        let own = self.sema.strip_ref(given.ty).ty;
        match self.kind(wanted.ty) {
            TyKind::Scalar(_) | TyKind::Pointer(_) | TyKind::Enum(..) => {}
            // Scalars may be components of the vector, one by one.
            TyKind::Vector(..) | TyKind::Packed(..) => {
                if self.sema.as_vector(own).is_none() && !matches!(self.kind(own), TyKind::Matrix(..)) {
                    return false;
                }
            }
            TyKind::Array(elem, ArrayLen::Known(len))
                if self.sema.as_vector(own).is_some() || self.sema.as_scalar(own).is_some() =>
            {
                let elem = *elem;
                for _ in 0..*len {
                    if rest.is_empty() {
                        break;
                    }
                    if self.sema.deeper(|| ()).is_none() || !self.spread(rest, elem) {
                        return false;
                    }
                }
                return true;
            }
            _ if own == wanted.ty => {
                *rest = behind;
                return true;
            }
            _ => return false,
        }
        *rest = behind;
        let before = self.sema.convert(&given, wanted.unqualified());
        self.check_conversion(item, &given, wanted.unqualified(), "used");
        if matches!(before, crate::convert::Converts::Yes(_)) {
            self.check_narrowing(item, &given, wanted.ty);
        }
        // What does not fit shifts what follows.
        !matches!(before, crate::convert::Converts::No(_))
    }

    /// The members that designators name exist.
    fn check_designators(&self, ty: Ty, items: &[ExprId]) {
        let ast = self.ast();
        for &item in items {
            let ExprKind::Designated { field: Some(name), field_token, .. } = &ast[item].kind else { continue };
            let members = self.sema.members(ty, *name);
            if members.uncertain || !members.items.is_empty() {
                continue;
            }
            let range = TokenRange::new(*field_token, *field_token + 1);
            self.sema.report(|| {
                let mut diagnostic = TyDiagnostic {
                    code: Code::UnknownMember,
                    severity: None,
                    range,
                    message: format!("`{}` has no member `{name}`", self.sema.spell_ty(ty)),
                    related: Vec::new(),
                    fixes: Vec::new(),
                };
                self.sema.suggest(&mut diagnostic, self.sema.close_member(ty, *name));
                diagnostic
            });
        }
    }

    /// Whether a class has members in unnamed structures or unions.
    fn has_unnamed_members(&self, record: &Record) -> bool {
        record.members.iter().any(
            |&member| matches!(&self.ast()[member].kind, DeclKind::Record(inner) if inner.name.as_str().is_empty()),
        )
    }

    /// How many values a list for a type has at most, with all inner braces left out; `None` if that is not known.
    fn values_in(&self, ty: Ty) -> Option<u64> {
        self.sema.deeper(|| self.values_in_inner(ty)).flatten()
    }

    fn values_in_inner(&self, ty: Ty) -> Option<u64> {
        match self.kind(ty) {
            TyKind::Scalar(_) | TyKind::Pointer(_) | TyKind::Enum(..) | TyKind::LRef(_) => Some(1),
            TyKind::Vector(_, width) | TyKind::Packed(_, width) => Some(u64::from(*width)),
            TyKind::Matrix(_, columns, rows) => Some(u64::from(*columns) * u64::from(*rows)),
            TyKind::Array(elem, ArrayLen::Known(len)) => self.values_in(elem.ty)?.checked_mul(*len),
            TyKind::Record(..) => {
                let info = self.own_class(ty)?;
                if !self.sema.is_aggregate(&info) {
                    return Some(1);
                }
                let DeclKind::Record(record) = &self.ast()[info.decl].kind else { return None };
                if record.key == RecordKey::Union || !info.bases.is_empty() || self.has_unnamed_members(record) {
                    return None;
                }
                let mut sum = 0u64;
                for field in self.sema.fields(&info) {
                    sum = sum.checked_add(self.values_in(self.sema.variable_type(field).ty)?)?;
                }
                Some(sum)
            }
            _ => None,
        }
    }
}
