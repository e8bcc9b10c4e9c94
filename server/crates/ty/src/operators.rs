//! Operators: those of the language on scalars, vectors, matrices and pointers, and overloaded ones.

use msl_diagnostics::Code;
use msl_parser::ast::*;
use msl_preproc::Punct;
use smallvec::SmallVec;

use crate::convert::{Converts, Why};
use crate::expr::{Category, Checker, ExprFlags, ExprInfo};
use crate::lookup::{Found, Key};
use crate::overload::{CallKey, Outcome, Reason};
use crate::rules::wrap;
use crate::sema::{DeclRef, TokenFix, TyDiagnostic};
use crate::store::*;
use crate::types::{common_scalar, promoted};

/// The punctuator of an operator, as it is named in `operator…`.
pub(crate) fn punct_of(op: BinaryOp) -> Punct {
    match op {
        BinaryOp::Mul => Punct::Star,
        BinaryOp::Div => Punct::Slash,
        BinaryOp::Rem => Punct::Percent,
        BinaryOp::Add => Punct::Plus,
        BinaryOp::Sub => Punct::Minus,
        BinaryOp::Shl => Punct::Shl,
        BinaryOp::Shr => Punct::Shr,
        BinaryOp::Lt => Punct::Lt,
        BinaryOp::Gt => Punct::Gt,
        BinaryOp::Le => Punct::LtEq,
        BinaryOp::Ge => Punct::GtEq,
        BinaryOp::Eq => Punct::EqEq,
        BinaryOp::Ne => Punct::BangEq,
        BinaryOp::BitAnd => Punct::Amp,
        BinaryOp::BitXor => Punct::Caret,
        BinaryOp::BitOr => Punct::Pipe,
        BinaryOp::And => Punct::AmpAmp,
        BinaryOp::Or => Punct::PipePipe,
        BinaryOp::Comma => Punct::Comma,
        BinaryOp::MemberPointer => Punct::DotStar,
        BinaryOp::ArrowMemberPointer => Punct::ArrowStar,
        BinaryOp::Assign => Punct::Eq,
    }
}

/// Operators that floating operands do not have (MSL spec §3).
fn needs_integers(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Rem | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor | BinaryOp::Shl | BinaryOp::Shr)
}

fn is_comparison(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne)
}

impl<'a> Checker<'a> {
    /// Whether an operand's type can have overloaded operators.
    fn may_overload(&self, info: &ExprInfo) -> bool {
        // A matrix is an object of a class of the library, so programs may give it operators; a vector is none.
        matches!(
            self.kind(info.ty.ty),
            TyKind::Record(..) | TyKind::Enum(..) | TyKind::Closure(..) | TyKind::Matrix(..)
        )
    }

    /// Looks for an overloaded operator; `None` if none applies and the built-in meaning is to be tried.
    pub(crate) fn overloaded(
        &mut self,
        expr: ExprId,
        op: OverloadedOp,
        token: u32,
        operands: &[ExprInfo],
        members_only: bool,
    ) -> Option<ExprInfo> {
        if !operands.iter().any(|operand| self.may_overload(operand)) {
            return None;
        }
        if operands.iter().any(|operand| self.sema.store().is_unknown(operand.ty.ty) && !operand.is_init_list()) {
            return Some(ExprInfo::UNKNOWN);
        }
        let mut uncertain = false;
        let mut failures: Vec<(DeclRef, Reason)> = Vec::new();
        let first = operands[0];
        if matches!(self.kind(first.ty.ty), TyKind::Record(..)) {
            let members = self.sema.members_by(first.ty.ty, Key::Operator(op));
            uncertain |= members.uncertain;
            if !members.items.is_empty() {
                let key = CallKey {
                    candidates: members.items,
                    object: Some(first),
                    explicit: None,
                    args: SmallVec::from_slice(&operands[1..]),
                };
                match &*self.sema.resolve_call(key) {
                    Outcome::Best(item) => {
                        self.refer(token, *item);
                        self.called(expr, *item);
                        let ret = self.sema.result_of(*item);
                        return Some(ExprInfo::of_call_result(&self.sema, ret));
                    }
                    Outcome::None(reasons) => failures.extend(reasons.iter().copied()),
                    Outcome::Dependent => return Some(ExprInfo::DEPENDENT),
                    Outcome::Unsure(ret) => {
                        return Some(ret.map_or(ExprInfo::UNKNOWN, |ret| ExprInfo::of_call_result(&self.sema, ret)));
                    }
                    Outcome::Ambiguous(_) => return Some(ExprInfo::UNKNOWN),
                }
            }
        }
        if !members_only {
            let mut found = self.sema.lookup(Key::Operator(op), self.cx);
            if found.class.is_some() {
                found = Found::default();
            }
            let types: SmallVec<[Ty; 4]> = operands.iter().map(|operand| operand.ty.ty).collect();
            self.sema.lookup_adl(Key::Operator(op), &types, &mut found);
            if !found.items.is_empty() {
                let key = CallKey {
                    candidates: found.items,
                    object: None,
                    explicit: None,
                    args: SmallVec::from_slice(operands),
                };
                match &*self.sema.resolve_call(key) {
                    Outcome::Best(item) => {
                        self.refer(token, *item);
                        self.called(expr, *item);
                        let ret = self.sema.result_of(*item);
                        return Some(ExprInfo::of_call_result(&self.sema, ret));
                    }
                    Outcome::None(reasons) => failures.extend(reasons.iter().copied()),
                    Outcome::Dependent => return Some(ExprInfo::DEPENDENT),
                    Outcome::Unsure(ret) => {
                        return Some(ret.map_or(ExprInfo::UNKNOWN, |ret| ExprInfo::of_call_result(&self.sema, ret)));
                    }
                    Outcome::Ambiguous(_) => return Some(ExprInfo::UNKNOWN),
                }
            }
        }
        if uncertain {
            return Some(ExprInfo::UNKNOWN);
        }
        // An operator that fits but for an address space is the one that is meant.
        let fits_but_for_space = failures.iter().find_map(|(item, reason)| match reason {
            Reason::Object(Why::Space(have, wanted)) => Some((*item, *have, *wanted, true)),
            Reason::Argument { why: Why::Space(have, wanted), .. } => Some((*item, *have, *wanted, false)),
            _ => None,
        });
        let (item, have, wanted, of_object) = fits_but_for_space?;
        // The built-in operator may take what a class operand converts to.
        let may_convert = operands.iter().all(|operand| match self.kind(operand.ty.ty) {
            TyKind::Record(..) => {
                self.sema.conversion_functions(operand.ty.ty).is_none_or(|functions| !functions.is_empty())
            }
            _ => true,
        });
        if may_convert || operands.iter().any(|operand| !self.is_solid(operand)) {
            return None;
        }
        let name = crate::types::spell_name(UnqualName::Operator(op));
        let (code, message) = if of_object {
            self.object_message(&name, have, wanted)
        } else {
            let message = format!(
                "no `{name}` takes these operands: one is in {} memory where {} is needed",
                self.space_name(have),
                self.space_name(wanted)
            );
            (Code::NoMatchingFunction, message)
        };
        let declared = self.ast()[item.decl].name_token;
        self.sema.report(|| TyDiagnostic {
            code,
            severity: None,
            range: TokenRange::new(token, token + 1),
            message,
            related: vec![(
                TokenRange::new(declared, declared + 1),
                format!("`{}` is declared here", self.spell_function(item)),
            )],
            fixes: Vec::new(),
        });
        Some(ExprInfo::UNKNOWN)
    }

    /// A class operand of a built-in operator is first converted by its conversion function, if it has just one that
    /// gives an arithmetic type or pointer.
    pub(crate) fn as_operand(&self, info: ExprInfo) -> ExprInfo {
        if !matches!(self.kind(info.ty.ty), TyKind::Record(..)) {
            return info;
        }
        let Some(functions) = self.sema.conversion_functions(info.ty.ty) else { return ExprInfo::UNKNOWN };
        let usable: Vec<QualTy> =
            functions.into_iter().filter(|(item, _)| self.sema.callable_on(*item, &info)).map(|(_, ret)| ret).collect();
        match &*usable {
            [only] => ExprInfo::of_call_result(&self.sema, *only),
            _ => ExprInfo::UNKNOWN,
        }
    }

    pub(crate) fn unary(&mut self, expr: ExprId, op: UnaryOp, operand: ExprId, token: u32) -> ExprInfo {
        let info = self.expr(operand);
        if op == UnaryOp::AddrOf {
            return self.address_of(expr, operand, info, token);
        }
        if self.is_dependent(&info) {
            return ExprInfo::DEPENDENT;
        }
        if info.is_overload_set()
            || self.sema.store().is_unknown(info.ty.ty) && self.kind(info.ty.ty) == &TyKind::Unknown
        {
            return ExprInfo::UNKNOWN;
        }
        let punct = match op {
            UnaryOp::Plus => Punct::Plus,
            UnaryOp::Minus => Punct::Minus,
            UnaryOp::Not => Punct::Bang,
            UnaryOp::BitNot => Punct::Tilde,
            UnaryOp::Deref => Punct::Star,
            UnaryOp::PreInc | UnaryOp::PostInc => Punct::PlusPlus,
            UnaryOp::PreDec | UnaryOp::PostDec => Punct::MinusMinus,
            UnaryOp::AddrOf => Punct::Amp,
            UnaryOp::Extension => return ExprInfo::UNKNOWN,
        };
        if self.is_no_copy(info.ty.ty)
            && matches!(op, UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec)
        {
            self.no_copy_operator(&info, token);
            return ExprInfo::UNKNOWN;
        }
        let mut operands: SmallVec<[ExprInfo; 2]> = SmallVec::from_slice(&[info]);
        if matches!(op, UnaryOp::PostInc | UnaryOp::PostDec) {
            operands.push(ExprInfo::value(Ty::INT));
        }
        if let Some(result) = self.overloaded(expr, OverloadedOp::Punct(punct), token, &operands, false) {
            return result;
        }
        self.check_class_operand(token, punct, &[info]);
        let info = self.as_operand(info);
        let ty = self.sema.decayed(info.ty);
        match op {
            UnaryOp::Deref => match self.kind(ty) {
                TyKind::Pointer(pointee) => ExprInfo::lvalue(*pointee),
                TyKind::Unknown | TyKind::Invalid => ExprInfo::UNKNOWN,
                _ => {
                    self.type_error(expr, &info, || "only a pointer can be dereferenced".to_owned());
                    ExprInfo::UNKNOWN
                }
            },
            UnaryOp::PreInc | UnaryOp::PreDec => {
                self.check_writable(operand, &info);
                info
            }
            UnaryOp::PostInc | UnaryOp::PostDec => {
                self.check_writable(operand, &info);
                ExprInfo::value(ty)
            }
            UnaryOp::Not => match self.kind(ty) {
                TyKind::Vector(_, width) | TyKind::Packed(_, width) => {
                    ExprInfo::value(self.sema.store().vector(Scalar::Bool, *width))
                }
                TyKind::Unknown | TyKind::Invalid => ExprInfo::UNKNOWN,
                _ => ExprInfo::value(Ty::BOOL),
            },
            UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot if self.lacks_unary(expr, op, &info, ty) => {
                ExprInfo::UNKNOWN
            }
            UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot => match self.kind(ty) {
                TyKind::Scalar(scalar) => ExprInfo::value(Ty::scalar(promoted(*scalar))),
                TyKind::Enum(..) => match self.sema.as_scalar(ty) {
                    Some(scalar) => ExprInfo::value(Ty::scalar(promoted(scalar))),
                    None => ExprInfo::UNKNOWN,
                },
                TyKind::Vector(..) | TyKind::Matrix(..) => ExprInfo::value(ty),
                TyKind::Packed(scalar, width) => ExprInfo::value(self.sema.store().vector(*scalar, *width)),
                TyKind::Pointer(_) if op == UnaryOp::Plus => ExprInfo::value(ty),
                _ => ExprInfo::UNKNOWN,
            },
            UnaryOp::AddrOf | UnaryOp::Extension => ExprInfo::UNKNOWN,
        }
    }

    /// Reports `~` on floating operands, and signs on matrices, which Metal's compiler does not take.
    fn lacks_unary(&self, expr: ExprId, op: UnaryOp, info: &ExprInfo, ty: Ty) -> bool {
        let (lacks, word) = match (op, self.kind(ty)) {
            (UnaryOp::BitNot, TyKind::Scalar(scalar) | TyKind::Vector(scalar, _) | TyKind::Packed(scalar, _)) => {
                (scalar.is_float(), "~")
            }
            (UnaryOp::BitNot, TyKind::Matrix(..)) => (true, "~"),
            (UnaryOp::Minus, TyKind::Matrix(..)) => (true, "-"),
            (UnaryOp::Plus, TyKind::Matrix(..)) => (true, "+"),
            (UnaryOp::BitNot, TyKind::Pointer(_) | TyKind::NullPtr) => (true, "~"),
            (UnaryOp::Minus, TyKind::Pointer(_) | TyKind::NullPtr) => (true, "-"),
            _ => (false, ""),
        };
        if lacks && self.is_solid(info) {
            let is_matrix = matches!(self.kind(ty), TyKind::Matrix(..));
            let instead = if word == "-" && is_matrix { ": multiply by `-1`" } else { "" };
            let message = format!("`{word}` cannot be applied to `{}`{instead} (MSL spec §3)", self.sema.spell_ty(ty));
            self.report(Code::TypeMismatch, self.ast()[expr].range, message);
        }
        lacks
    }

    fn address_of(&mut self, expr: ExprId, operand: ExprId, info: ExprInfo, token: u32) -> ExprInfo {
        if info.is_overload_set() {
            return ExprInfo { flags: ExprFlags::OVERLOAD_SET, expr: info.expr, ..ExprInfo::UNKNOWN };
        }
        if self.is_dependent(&info) && matches!(self.kind(info.ty.ty), TyKind::Dependent) {
            return ExprInfo::DEPENDENT;
        }
        if let Some(result) = self.overloaded(expr, OverloadedOp::Punct(Punct::Amp), token, &[info], false)
            && !matches!(self.kind(info.ty.ty), TyKind::Record(..) | TyKind::Enum(..))
        {
            return result;
        }
        match self.kind(info.ty.ty) {
            TyKind::Unknown | TyKind::Invalid => return ExprInfo::UNKNOWN,
            _ => {}
        }
        // `&S::member` makes a pointer to member.
        if let ExprKind::Path(path) = &self.ast()[operand].kind
            && path.segments.len() > 1
            && let found = self.sema.lookup_path(path, self.cx)
            && let [item] = &*found.items
            && matches!(&self.ast()[item.decl].kind, DeclKind::Variable(variable) if variable.kind == VariableKind::Field)
            && !self.ast()[item.decl].specs.contains(Specs::STATIC)
        {
            let class = found.class.unwrap_or(Ty::UNKNOWN);
            return ExprInfo::value(
                self.sema.store().intern(TyKind::MemberPointer(class, self.sema.variable_type(*item))),
            );
        }
        if info.is_component() {
            self.report(
                Code::TypeMismatch,
                self.ast()[expr].range,
                "a vector component or bit-field has no address (MSL spec §2.2.1)".to_owned(),
            );
            return ExprInfo::UNKNOWN;
        }
        if !info.is_lvalue() && !info.is_xvalue() {
            return self.check_temporary(expr, operand, &info);
        }
        ExprInfo::value(self.sema.store().pointer(info.ty))
    }

    pub(crate) fn binary(&mut self, expr: ExprId, op: BinaryOp, lhs: ExprId, rhs: ExprId, token: u32) -> ExprInfo {
        let left = self.expr(lhs);
        let right = self.expr(rhs);
        self.check_half_literal(op, (lhs, &left), (rhs, &right));
        self.binary_of(expr, op, left, right, token)
    }

    pub(crate) fn binary_of(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        left: ExprInfo,
        right: ExprInfo,
        token: u32,
    ) -> ExprInfo {
        if op == BinaryOp::Comma {
            if self.is_dependent(&left) || self.is_dependent(&right) {
                return right;
            }
            return self
                .overloaded(expr, OverloadedOp::Punct(Punct::Comma), token, &[left, right], false)
                .unwrap_or(right);
        }
        if self.is_dependent(&left) || self.is_dependent(&right) {
            return ExprInfo::DEPENDENT;
        }
        if left.is_overload_set() || right.is_overload_set() {
            return if is_comparison(op) { ExprInfo::value(Ty::BOOL) } else { ExprInfo::UNKNOWN };
        }
        if let Some(result) = self.overloaded(expr, OverloadedOp::Punct(punct_of(op)), token, &[left, right], false) {
            return result;
        }
        if !matches!(op, BinaryOp::MemberPointer | BinaryOp::ArrowMemberPointer) {
            self.check_class_operand(token, punct_of(op), &[left, right]);
        }
        let (left, right) = (self.as_operand(left), self.as_operand(right));
        let (a, b) = (self.sema.decayed(left.ty), self.sema.decayed(right.ty));
        if matches!(op, BinaryOp::MemberPointer | BinaryOp::ArrowMemberPointer) {
            return match self.kind(b) {
                TyKind::MemberPointer(_, pointee) => {
                    let object = if op == BinaryOp::ArrowMemberPointer { self.sema.pointee(a) } else { Some(left.ty) };
                    match object {
                        Some(object) => {
                            ExprInfo::lvalue(QualTy { ty: pointee.ty, cv: pointee.cv | object.cv, space: object.space })
                        }
                        None => ExprInfo::UNKNOWN,
                    }
                }
                _ => ExprInfo::UNKNOWN,
            };
        }
        if let (TyKind::Pointer(p), TyKind::Pointer(q)) = (self.kind(a), self.kind(b))
            && (is_comparison(op) || op == BinaryOp::Sub)
            && !p.space.converts_to(q.space)
            && !q.space.converts_to(p.space)
            && p.space != Space::None
            && q.space != Space::None
        {
            // G40: pointers of two named spaces have nothing in common.
            self.report(
                Code::AddressSpaceMismatch,
                TokenRange::new(token, token + 1),
                format!(
                    "a pointer to {} memory cannot be compared with one to {} memory",
                    self.space_name(p.space),
                    self.space_name(q.space)
                ),
            );
        }
        self.check_pointees(op, a, b, token);
        match self.arithmetic(op, a, b) {
            Some(ty) => ExprInfo::value(ty),
            None => self.binary_failed(expr, op, &left, &right, a, b, token),
        }
    }

    /// The result type of a built-in operator.
    pub(crate) fn arithmetic(&self, op: BinaryOp, a: Ty, b: Ty) -> Option<Ty> {
        let store = self.sema.store();
        let (ka, kb) = (self.kind(a), self.kind(b));
        let is_logic = matches!(op, BinaryOp::And | BinaryOp::Or);
        let compares = is_comparison(op);
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        if let (Some(x), Some(y)) = (self.sema.as_scalar(a), self.sema.as_scalar(b)) {
            if is_logic {
                return Some(Ty::BOOL);
            }
            if compares {
                return common_scalar(x, y).map(|_| Ty::BOOL);
            }
            if needs_integers(op) && (x.is_float() || y.is_float()) {
                return None;
            }
            if is_shift {
                return Some(Ty::scalar(promoted(x)));
            }
            return common_scalar(x, y).map(Ty::scalar);
        }
        // Vectors: component by component, a scalar operand is splatted (MSL spec §3).
        let shape = |ty: Ty| self.sema.as_vector(ty);
        match (shape(a), shape(b)) {
            (Some((x, n)), Some((y, m))) => {
                if n != m || needs_integers(op) && (x.is_float() || y.is_float()) {
                    return None;
                }
                if is_logic || compares {
                    return (x == y || is_logic).then(|| store.vector(Scalar::Bool, n));
                }
                if is_shift {
                    return Some(store.vector(x, n));
                }
                return (x == y).then(|| store.vector(x, n));
            }
            (Some((x, n)), None) | (None, Some((x, n))) => {
                let other = if shape(a).is_some() { b } else { a };
                if let Some(scalar) = self.sema.as_scalar(other) {
                    if needs_integers(op) && (x.is_float() || scalar.is_float()) {
                        return None;
                    }
                    if is_logic || compares {
                        return Some(store.vector(Scalar::Bool, n));
                    }
                    return Some(store.vector(x, n));
                }
            }
            (None, None) => {}
        }
        match (ka, kb) {
            (TyKind::Matrix(x, columns, rows), TyKind::Matrix(y, other_columns, other_rows)) => match op {
                BinaryOp::Mul => {
                    (x == y && columns == other_rows).then(|| store.intern(TyKind::Matrix(*x, *other_columns, *rows)))
                }
                BinaryOp::Add | BinaryOp::Sub => (a == b).then_some(a),
                BinaryOp::Eq | BinaryOp::Ne => (a == b).then_some(Ty::BOOL),
                _ => None,
            },
            (TyKind::Matrix(x, columns, rows), _) => match (shape(b), self.sema.as_scalar(b)) {
                (Some((y, n)), _) if op == BinaryOp::Mul => {
                    (*x == y && n == *columns && matches!(kb, TyKind::Vector(..))).then(|| store.vector(*x, *rows))
                }
                (None, Some(_)) if matches!(op, BinaryOp::Mul | BinaryOp::Div) => Some(a),
                _ => None,
            },
            (_, TyKind::Matrix(x, columns, rows)) => match (shape(a), self.sema.as_scalar(a)) {
                (Some((y, n)), _) if op == BinaryOp::Mul => {
                    (*x == y && n == *rows && matches!(ka, TyKind::Vector(..))).then(|| store.vector(*x, *columns))
                }
                (None, Some(_)) if op == BinaryOp::Mul => Some(b),
                _ => None,
            },
            (TyKind::Pointer(_), TyKind::Pointer(_)) => match op {
                BinaryOp::Sub => Some(Ty::LONG),
                _ if compares || is_logic => Some(Ty::BOOL),
                _ => None,
            },
            (TyKind::Pointer(_), TyKind::Scalar(_) | TyKind::Enum(..)) => match op {
                BinaryOp::Add | BinaryOp::Sub => self.is_integer(b).then_some(a),
                _ if compares || is_logic => Some(Ty::BOOL),
                _ => None,
            },
            (TyKind::Scalar(_) | TyKind::Enum(..), TyKind::Pointer(_)) => match op {
                BinaryOp::Add => self.is_integer(a).then_some(b),
                _ if compares || is_logic => Some(Ty::BOOL),
                _ => None,
            },
            (TyKind::NullPtr, TyKind::Pointer(_) | TyKind::NullPtr) | (TyKind::Pointer(_), TyKind::NullPtr)
                if compares || is_logic =>
            {
                Some(Ty::BOOL)
            }
            (TyKind::Enum(..), TyKind::Enum(..)) if compares && a == b => Some(Ty::BOOL),
            (TyKind::MemberPointer(..) | TyKind::NullPtr, TyKind::MemberPointer(..) | TyKind::NullPtr) if compares => {
                Some(Ty::BOOL)
            }
            _ => None,
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn binary_failed(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        left: &ExprInfo,
        right: &ExprInfo,
        a: Ty,
        b: Ty,
        token: u32,
    ) -> ExprInfo {
        if self.is_solid(left) && self.is_solid(right) && !self.is_opaque(a) && !self.is_opaque(b) {
            let mut message = format!(
                "`{}` cannot be applied to `{}` and `{}`",
                punct_of(op).text(),
                self.sema.spell_ty(a),
                self.sema.spell_ty(b)
            );
            if op == BinaryOp::Rem {
                message.push_str(": `fmod` gives the remainder of floating values");
            }
            let fixes = self.operand_fixes(expr, op, left, right);
            self.report_with(Code::TypeMismatch, TokenRange::new(token, token + 1), message, fixes);
        }
        ExprInfo::UNKNOWN
    }

    /// Repairs for operands that fit once one of them is converted.
    fn operand_fixes(&self, expr: ExprId, op: BinaryOp, left: &ExprInfo, right: &ExprInfo) -> Vec<TokenFix> {
        let ExprKind::Binary { lhs, rhs, .. } = &self.ast()[expr].kind else { return Vec::new() };
        if needs_integers(op) {
            return Vec::new();
        }
        let (a, b) = (self.sema.decayed(left.ty), self.sema.decayed(right.ty));
        // A packed vector is no operand of a matrix product until it is converted.
        if let (TyKind::Matrix(..), TyKind::Packed(scalar, width)) = (self.kind(a), self.kind(b)) {
            let vector = self.sema.store().vector(*scalar, *width);
            return vec![wrap(self.ast()[*rhs].range, &self.sema.spell_ty(vector), true)];
        }
        if let (TyKind::Packed(scalar, width), TyKind::Matrix(..)) = (self.kind(a), self.kind(b)) {
            let vector = self.sema.store().vector(*scalar, *width);
            return vec![wrap(self.ast()[*lhs].range, &self.sema.spell_ty(vector), true)];
        }
        let mut fixes = self.conversion_fixes(*rhs, right, a);
        fixes.extend(self.conversion_fixes(*lhs, left, b));
        for fix in &mut fixes {
            fix.preferred = false;
        }
        fixes
    }

    pub(crate) fn conditional(&mut self, expr: ExprId, cond: ExprId, then: ExprId, otherwise: ExprId) -> ExprInfo {
        let condition = self.expr(cond);
        let a = self.expr(then);
        let b = self.expr(otherwise);
        if self.is_dependent(&a) || self.is_dependent(&b) {
            return ExprInfo::DEPENDENT;
        }
        self.check_condition(cond, &condition);
        if a.is_init_list() || b.is_init_list() || a.is_overload_set() || b.is_overload_set() {
            return ExprInfo::UNKNOWN;
        }
        // A thrown operand leaves the other one's type; Metal has no `throw`.
        if !self.sema.store().is_solid(a.ty.ty) || !self.sema.store().is_solid(b.ty.ty) {
            return ExprInfo::UNKNOWN;
        }
        if a.ty.ty == b.ty.ty && a.category == b.category && a.category != Category::PrValue {
            let cv = a.ty.cv | b.ty.cv;
            if a.ty.space == b.ty.space {
                return ExprInfo { ty: QualTy { cv, ..a.ty }, flags: a.flags | b.flags, ..a };
            }
            if a.ty.space.covered_by_generic()
                && b.ty.space.covered_by_generic()
                && (a.ty.space == Space::Generic || b.ty.space == Space::Generic)
            {
                return ExprInfo { ty: QualTy { cv, space: Space::Generic, ..a.ty }, flags: a.flags | b.flags, ..a };
            }
            // Objects in two spaces are read: the result is a value.
            if !matches!(self.kind(a.ty.ty), TyKind::Array(..)) {
                return ExprInfo::value(a.ty.ty);
            }
        }
        let (x, y) = (self.sema.decayed(a.ty), self.sema.decayed(b.ty));
        if x == y {
            return ExprInfo::value(x);
        }
        match (self.kind(x), self.kind(y)) {
            (TyKind::Pointer(p), TyKind::Pointer(q)) => {
                let space = if p.space == q.space {
                    p.space
                } else if p.space == Space::Unknown || q.space == Space::Unknown {
                    Space::Unknown
                } else if p.space.converts_to(q.space) {
                    q.space
                } else if q.space.converts_to(p.space) {
                    p.space
                } else {
                    // G39: two named spaces have no common pointer type.
                    self.report(
                        Code::AddressSpaceMismatch,
                        self.ast()[expr].range,
                        format!(
                            "one side of `?:` is a pointer to `{}` and the other to `{}` memory; there is no pointer type for both",
                            p.space.word(),
                            q.space.word()
                        ),
                    );
                    return ExprInfo::UNKNOWN;
                };
                let ty = if p.ty == q.ty || p.ty == Ty::VOID || self.sema.derives_from(q.ty, p.ty) == Some(true) {
                    p.ty
                } else if q.ty == Ty::VOID || self.sema.derives_from(p.ty, q.ty) == Some(true) {
                    q.ty
                } else {
                    return ExprInfo::UNKNOWN;
                };
                ExprInfo::value(self.sema.store().pointer(QualTy { ty, cv: p.cv | q.cv, space }))
            }
            (TyKind::Pointer(_), TyKind::NullPtr) => ExprInfo::value(x),
            (TyKind::NullPtr, TyKind::Pointer(_)) => ExprInfo::value(y),
            (TyKind::Pointer(_), TyKind::Scalar(_)) if b.is_null_constant() => ExprInfo::value(x),
            (TyKind::Scalar(_), TyKind::Pointer(_)) if a.is_null_constant() => ExprInfo::value(y),
            _ => {
                if let (Some(p), Some(q)) = (self.sema.as_scalar(x), self.sema.as_scalar(y)) {
                    return common_scalar(p, q).map_or(ExprInfo::UNKNOWN, |scalar| ExprInfo::value(Ty::scalar(scalar)));
                }
                match (self.sema.as_vector(x), self.sema.as_vector(y)) {
                    (Some((s, n)), None) | (None, Some((s, n))) => {
                        return ExprInfo::value(self.sema.store().vector(s, n));
                    }
                    (Some(p), Some(q)) if p == q => return ExprInfo::value(self.sema.store().vector(p.0, p.1)),
                    _ => {}
                }
                // One side may convert to the other's class.
                let (forth, back) = (self.sema.convert_value(&a, y, true), self.sema.convert_value(&b, x, true));
                match (forth, back) {
                    (Converts::Yes(_), _) => return ExprInfo::value(y),
                    (_, Converts::Yes(_)) => return ExprInfo::value(x),
                    (Converts::No(_), Converts::No(_)) => self.check_branches(expr, x, y),
                    _ => {}
                }
                ExprInfo::UNKNOWN
            }
        }
    }

    pub(crate) fn index(&mut self, expr: ExprId, base: ExprId, args: &[ExprId]) -> ExprInfo {
        let object = self.expr(base);
        let args: SmallVec<[ExprInfo; 4]> = args.iter().map(|&arg| self.expr(arg)).collect();
        if self.is_dependent(&object) || args.iter().any(|arg| self.is_dependent(arg)) {
            // The element type is known even if the index is dependent.
            if self.is_dependent(&object) || matches!(self.kind(object.ty.ty), TyKind::Record(..)) {
                return self.index_dependent(&object);
            }
        }
        let Some(&index) = args.first() else { return ExprInfo::UNKNOWN };
        if let TyKind::Record(..) = self.kind(object.ty.ty) {
            let mut operands: SmallVec<[ExprInfo; 4]> = SmallVec::from_slice(&[object]);
            operands.extend(args.iter().copied());
            let token = self.ast()[base].range.end;
            if let Some(result) = self.overloaded(expr, OverloadedOp::Index, token, &operands, true) {
                return result;
            }
            self.check_subscripted_class(expr, &object);
            let object = self.as_operand(object);
            if matches!(self.kind(object.ty.ty), TyKind::Record(..)) {
                return ExprInfo::UNKNOWN;
            }
            return self.index_builtin(expr, &object, &index);
        }
        if let ExprKind::Index { args, .. } = &self.ast()[expr].kind
            && let [only] = &**args
        {
            self.check_component_index(&object, *only);
        }
        self.index_builtin(expr, &object, &index)
    }

    fn index_dependent(&self, object: &ExprInfo) -> ExprInfo {
        match self.kind(object.ty.ty) {
            TyKind::Array(elem, _) => {
                ExprInfo::lvalue(QualTy { cv: elem.cv | object.ty.cv, space: object.ty.space, ..*elem })
            }
            TyKind::Pointer(pointee) => ExprInfo::lvalue(*pointee),
            _ => ExprInfo::DEPENDENT,
        }
    }

    fn index_builtin(&self, expr: ExprId, object: &ExprInfo, index: &ExprInfo) -> ExprInfo {
        self.check_index(expr, object, index);
        let category = if object.category == Category::PrValue { Category::PrValue } else { object.category };
        match self.kind(object.ty.ty) {
            TyKind::Array(elem, _) => {
                let ty = QualTy { cv: elem.cv | object.ty.cv, space: object.ty.space, ..*elem };
                ExprInfo {
                    category: if category == Category::PrValue { Category::XValue } else { category },
                    ..ExprInfo::lvalue(ty)
                }
            }
            TyKind::Pointer(pointee) => ExprInfo::lvalue(*pointee),
            TyKind::Vector(scalar, _) | TyKind::Packed(scalar, _) => {
                let ty = QualTy { ty: Ty::scalar(*scalar), ..object.ty };
                ExprInfo { ty, category, flags: ExprFlags::COMPONENT, expr: None }
            }
            TyKind::Matrix(scalar, _, rows) => {
                let ty = QualTy { ty: self.sema.store().vector(*scalar, *rows), ..object.ty };
                ExprInfo { ty, category, flags: object.flags, expr: None }
            }
            // `2[array]`.
            TyKind::Scalar(scalar) if scalar.is_integer() => match self.kind(index.ty.ty) {
                TyKind::Array(elem, _) => {
                    ExprInfo::lvalue(QualTy { space: index.ty.space, cv: elem.cv | index.ty.cv, ..*elem })
                }
                TyKind::Pointer(pointee) => ExprInfo::lvalue(*pointee),
                _ => {
                    if self.is_solid(index) && !self.is_opaque(index.ty.ty) {
                        self.cannot_be_indexed(expr, object);
                    }
                    ExprInfo::UNKNOWN
                }
            },
            _ => {
                self.cannot_be_indexed(expr, object);
                ExprInfo::UNKNOWN
            }
        }
    }

    pub(crate) fn cannot_be_indexed(&self, expr: ExprId, object: &ExprInfo) {
        self.type_error(expr, object, || {
            "only arrays, pointers, vectors and matrices have elements that a subscript `[…]` reaches".to_owned()
        });
    }
}
