//! Operators and indices whose operands make no sense: divisions by zero, shifts beyond the width, comparisons that
//! cannot come out either way, elements that arrays do not have, assignments of a variable to itself.

use msl_diagnostics::Code;
use msl_parser::ast::*;

use super::Review;
use crate::consteval::{Value, int_literal};
use crate::rules::replace;
use crate::sema::{TokenEdit, TokenFix};
use crate::store::*;
use crate::types::promoted;

impl Review<'_, '_> {
    /// The value of an expression that is an integer constant.
    fn constant(&self, expr: ExprId) -> Option<i128> {
        if self.is_constant_shape(expr) { self.checker.sema.evaluate_in(expr, self.cx).int() } else { None }
    }

    /// The integer type of a scalar, or of a vector's components.
    pub(super) fn integer(&self, expr: ExprId) -> Option<(Scalar, bool)> {
        let (scalar, is_vector) = match self.kind_of(expr)? {
            TyKind::Scalar(scalar) => (*scalar, false),
            TyKind::Vector(scalar, _) | TyKind::Packed(scalar, _) => (*scalar, true),
            _ => return None,
        };
        scalar.is_integer().then_some((scalar, is_vector))
    }

    pub(super) fn check_binary(&self, expr: ExprId, op: BinaryOp, lhs: ExprId, rhs: ExprId) {
        self.check_operands(op, lhs, rhs);
        self.check_precedence(op, lhs, rhs);
        if matches!(op, BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne) {
            self.check_comparison(expr, op, lhs, rhs);
        }
    }

    pub(super) fn check_assignment(&self, expr: ExprId, op: Option<BinaryOp>, lhs: ExprId, rhs: ExprId) {
        match op {
            Some(op) => self.check_operands(op, lhs, rhs),
            None if self.is_same_object(lhs, rhs)
                && self.solid(lhs).is_some_and(|ty| self.checker.is_value_type(ty))
                && self.info(lhs).is_some_and(|info| !info.ty.cv.contains(Cv::VOLATILE)) =>
            {
                let message = "this assigns an object to itself, which does nothing".to_owned();
                self.checker.report(Code::SelfAssignment, self.ast()[expr].range, message);
            }
            None => {}
        }
    }

    /// Whether two expressions certainly name the same object, with nothing computed on the way.
    fn is_same_object(&self, left: ExprId, right: ExprId) -> bool {
        let (left, right) = (self.unparenthesized(left), self.unparenthesized(right));
        match (&self.ast()[left].kind, &self.ast()[right].kind) {
            (ExprKind::Path(left), ExprKind::Path(right)) => {
                let named = self.named(left);
                named.is_some() && named == self.named(right)
            }
            (
                ExprKind::Member { base: left, arrow: false, member },
                ExprKind::Member { base: right, arrow: false, member: other },
            ) => {
                member.as_ident().is_some()
                    && member.as_ident() == other.as_ident()
                    && self.checker.sema.deeper(|| self.is_same_object(*left, *right)).unwrap_or(false)
            }
            _ => false,
        }
    }

    fn check_operands(&self, op: BinaryOp, lhs: ExprId, rhs: ExprId) {
        if self.unsure > 0 {
            return;
        }
        let range = self.ast()[rhs].range;
        match op {
            BinaryOp::Div | BinaryOp::Rem
                if self.integer(lhs).is_some() && self.integer(rhs).is_some() && self.constant(rhs) == Some(0) =>
            {
                let what = if op == BinaryOp::Div { "quotient" } else { "remainder" };
                let message = format!("an integer is divided by zero here, so the {what} is undefined");
                self.checker.report(Code::DivisionByZero, range, message);
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                let (Some((scalar, is_vector)), Some(_)) = (self.integer(lhs), self.integer(rhs)) else { return };
                let bits = if is_vector { scalar } else { promoted(scalar) }.bits();
                let Some(count) = self.constant(rhs) else { return };
                if !(0..i128::from(bits)).contains(&count) {
                    let message = format!(
                        "a value of {bits} bits is shifted by {count}; only the lowest bits of the count are used, so this shifts by \
                         {} (MSL spec §3)",
                        count.rem_euclid(i128::from(bits))
                    );
                    self.checker.report(Code::ShiftCount, range, message);
                }
            }
            _ => {}
        }
    }

    /// A comparison with a value that the type of the other side does not have.
    fn check_comparison(&self, expr: ExprId, op: BinaryOp, lhs: ExprId, rhs: ExprId) {
        if self.unsure > 0 {
            return;
        }
        let (operand, constant, op) = match (self.is_constant_shape(lhs), self.is_constant_shape(rhs)) {
            (false, true) => (lhs, rhs, op),
            (true, false) => (rhs, lhs, mirrored(op)),
            _ => return,
        };
        let (Some(TyKind::Scalar(scalar)), Some(TyKind::Scalar(other))) =
            (self.kind_of(operand), self.kind_of(constant))
        else {
            return;
        };
        let is_equality = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        // Narrower types become `int`, which keeps their values; a wider or unsigned other side could change them.
        let (low, high) = match *scalar {
            Scalar::Bool if is_equality => (0, 1),
            narrow if narrow.is_integer() && narrow != Scalar::Bool && narrow.bits() < 32 => limits(narrow),
            _ => return,
        };
        if !other.is_integer() || low < 0 && !promoted(*other).is_signed() {
            return;
        }
        let Some(value) = self.constant(constant) else { return };
        if (low..=high).contains(&value) {
            return;
        }
        let is_above = value > high;
        let outcome = match op {
            BinaryOp::Eq => false,
            BinaryOp::Ne => true,
            BinaryOp::Lt | BinaryOp::Le => is_above,
            _ => !is_above,
        };
        let spelled = self.checker.sema.spell_ty(Ty::scalar(*scalar));
        let message = format!(
            "this is always `{outcome}`: a `{spelled}` is a value from {low} to {high}, and the other side is {value}"
        );
        self.checker.report(Code::ConstantComparison, self.ast()[expr].range, message);
    }

    /// A constant index of an array is one of its elements. `may_be_end`: the address of what is behind the last one
    /// is taken.
    pub(super) fn check_bounds(&self, base: ExprId, args: &[ExprId], may_be_end: bool) {
        let (Some(TyKind::Array(_, ArrayLen::Known(len))), [index]) = (self.kind_of(base), args) else { return };
        if self.unsure > 0 || self.is_last_member(base) {
            return;
        }
        let Some(value) = self.constant(*index) else { return };
        let len = i128::from(*len);
        if (0..len).contains(&value) || may_be_end && value == len {
            return;
        }
        let message = match len {
            1 => format!("this array has one element, number 0: there is no element {value}"),
            _ => format!("this array has {len} elements, numbered from 0: there is no element {value}"),
        };
        self.checker.report(Code::IndexOutOfBounds, self.ast()[*index].range, message);
    }

    /// Whether an array is the last member of its structure: it may stand for as many elements as memory was made for.
    fn is_last_member(&self, array: ExprId) -> bool {
        let array = self.unparenthesized(array);
        match &self.ast()[array].kind {
            ExprKind::Member { base, .. } => {
                let Some(ty) = self.solid(*base) else { return true };
                let class = match self.checker.kind(ty) {
                    TyKind::Pointer(pointee) => pointee.ty,
                    _ => ty,
                };
                let ExprKind::Member { member, .. } = &self.ast()[array].kind else { return true };
                let (Some(info), Some(named)) = (self.checker.sema.record_info(class), self.named(member)) else {
                    return true;
                };
                self.checker.sema.fields(&info).last().is_none_or(|last| last.decl == named)
            }
            // `this->` may be left out.
            ExprKind::Path(path) => self.named(path).is_none_or(|decl| {
                matches!(&self.ast()[decl].kind, DeclKind::Variable(variable) if variable.kind == VariableKind::Field)
            }),
            ExprKind::Index { base, .. } => {
                self.checker.sema.deeper(|| self.is_last_member(*base)).unwrap_or(true)
            }
            _ => false,
        }
    }

    /// `if (a = b)`: an assignment that decides, without the second pair of parentheses that says it is meant.
    pub(super) fn check_assigned_condition(&self, cond: ExprId) {
        let ExprKind::Assign { op: None, op_token, .. } = self.ast()[cond].kind else { return };
        let range = self.ast()[cond].range;
        let insertion = |at: u32, after: bool, text: &str| TokenEdit {
            range: TokenRange::new(at, at),
            after,
            text: text.to_owned(),
        };
        let compare = TokenFix { preferred: false, ..replace(TokenRange::new(op_token, op_token + 1), "==") };
        let keep = TokenFix {
            title: "Write parentheses around the assignment".to_owned(),
            preferred: false,
            edits: vec![insertion(range.start, false, "("), insertion(range.end, true, ")")],
        };
        self.checker.report_with(
            Code::AssignmentInCondition,
            TokenRange::new(op_token, op_token + 1),
            "this condition assigns: `==` compares; if the assignment is meant, parentheses around it say so"
                .to_owned(),
            vec![compare, keep],
        );
    }

    /// Whether an expression is made of literals, constants and template arguments alone, so that evaluating it may
    /// give something.
    pub(super) fn is_constant_shape(&self, expr: ExprId) -> bool {
        self.checker.sema.deeper(|| self.is_constant_shape_inner(expr)).unwrap_or(false)
    }

    fn is_constant_shape_inner(&self, expr: ExprId) -> bool {
        match &self.ast()[expr].kind {
            ExprKind::Int(name) => int_literal(*name).is_some(),
            ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::Bool(_)
            | ExprKind::SizeofType { .. }
            | ExprKind::SizeofExpr { .. }
            | ExprKind::SizeofPack { .. }
            | ExprKind::TypeTrait { .. } => true,
            ExprKind::Paren(inner)
            | ExprKind::Unary {
                op: UnaryOp::Plus | UnaryOp::Minus | UnaryOp::Not | UnaryOp::BitNot,
                operand: inner,
                ..
            }
            | ExprKind::CCast { operand: inner, .. }
            | ExprKind::NamedCast { cast: NamedCast::Static, operand: inner, .. } => self.is_constant_shape(*inner),
            ExprKind::Construct { args, .. } => match &**args {
                [only] => self.is_constant_shape(*only),
                _ => false,
            },
            ExprKind::Binary { lhs, rhs, .. } => self.is_constant_shape(*lhs) && self.is_constant_shape(*rhs),
            ExprKind::Conditional { cond, then, otherwise } => {
                [cond, then, otherwise].into_iter().all(|part| self.is_constant_shape(*part))
            }
            ExprKind::Path(path) => {
                let Some(decl) = self.named(path) else { return false };
                match &self.ast()[decl].kind {
                    DeclKind::Enumerator { .. } => true,
                    DeclKind::Variable(variable) => {
                        variable.kind == VariableKind::TemplateValue
                            || self.ast()[decl].specs.contains(Specs::CONSTEXPR)
                            || self.info(expr).is_some_and(|info| info.ty.is_const())
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Whether a value, known or not, depends on template parameters; only asked in templates.
    pub(super) fn is_open(&self, expr: ExprId) -> bool {
        matches!(self.checker.sema.evaluate_in(expr, self.cx), Value::Dependent | Value::Unknown)
    }
}

/// The operator that says the same with its operands the other way round.
fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Le,
        other => other,
    }
}

/// The least and the greatest value of an integer type.
pub(crate) fn limits(scalar: Scalar) -> (i128, i128) {
    let bits = scalar.bits();
    if scalar.is_signed() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}
