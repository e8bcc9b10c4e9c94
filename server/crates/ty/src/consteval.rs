//! Constant evaluation: array bounds, template arguments, enumerators, conditions, attribute arguments.
//!
//! Values are integers (as mathematical values, wrapped to their type) and floating numbers. `constexpr` functions
//! are interpreted over their statements with a budget of steps; variables in them hold such values. Aggregates are
//! not modelled: what needs them is [`Value::Unknown`].

mod functions;
mod literals;
mod traits;

use literals::round_to;
pub use literals::{char_literal, float_literal, int_literal, wrap};

use msl_parser::ast::*;
use rustc_hash::FxHashMap;

use crate::resolve::FunctionNamed;
use crate::sema::{Cx, DeclRef, Sema};
use crate::store::*;

/// The outcome of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    Known(Const),
    /// Depends on template parameters.
    Dependent,
    /// Certainly not a constant expression.
    NotConstant,
    /// Not modelled.
    Unknown,
}

impl Value {
    pub fn int(self) -> Option<i128> {
        match self {
            Value::Known(Const::Int(value)) => Some(value),
            _ => None,
        }
    }

    fn truth(self) -> Option<bool> {
        match self {
            Value::Known(Const::Int(value)) => Some(value != 0),
            Value::Known(Const::Float(bits)) => Some(f64::from_bits(bits) != 0.0),
            Value::Known(Const::Null) => Some(false),
            _ => None,
        }
    }
}

/// How many steps one evaluation may take.
const STEPS: u32 = 200_000;

/// What an interpreted function knows: its variables.
#[derive(Default)]
struct Frame {
    variables: FxHashMap<DeclId, Const>,
}

struct Evaluator<'s, 'a> {
    sema: &'s Sema<'a>,
    cx: Cx,
    frame: Option<Frame>,
    steps: u32,
}

enum Flow {
    Next,
    Return(Value),
    Break,
    Continue,
    /// Cannot be interpreted.
    Stop(Value),
}

impl<'a> Sema<'a> {
    /// Evaluates an expression.
    pub fn evaluate_in(&self, expr: ExprId, cx: Cx) -> Value {
        let quiet = self.quiet();
        let mut evaluator = Evaluator { sema: &quiet, cx, frame: None, steps: STEPS };
        evaluator.expr(expr)
    }

    /// Evaluates an expression and converts the value to a type.
    pub fn evaluate_as(&self, expr: ExprId, ty: Option<Ty>, cx: Cx) -> Value {
        let value = self.evaluate_in(expr, cx);
        match (value, ty) {
            (Value::Known(value), Some(ty)) => self.convert_const(value, ty).map_or(Value::Unknown, Value::Known),
            _ => value,
        }
    }

    /// A constant as a value of a scalar or enumeration type.
    pub fn convert_const(&self, value: Const, ty: Ty) -> Option<Const> {
        let scalar = match self.kind(ty) {
            TyKind::Scalar(scalar) => *scalar,
            TyKind::Enum(decl, bind) => match self.kind(self.underlying_type(*decl, *bind)) {
                TyKind::Scalar(scalar) => *scalar,
                _ => return None,
            },
            TyKind::Pointer(_) | TyKind::NullPtr | TyKind::MemberPointer(..) | TyKind::LRef(_) | TyKind::RRef(_) => {
                return Some(value);
            }
            _ => return None,
        };
        Some(match value {
            Const::Int(value) if scalar.is_float() => Const::Float(round_to(value as f64, scalar).to_bits()),
            Const::Int(value) => Const::Int(wrap(value, scalar)),
            Const::Float(bits) if scalar.is_float() => Const::Float(round_to(f64::from_bits(bits), scalar).to_bits()),
            Const::Float(bits) => {
                let value = f64::from_bits(bits);
                if scalar == Scalar::Bool {
                    Const::Int((value != 0.0).into())
                } else {
                    Const::Int(wrap(value as i128, scalar))
                }
            }
            other => other,
        })
    }

    /// The value of a variable that may be used in constant expressions.
    pub fn variable_value(&self, item: DeclRef) -> Value {
        let is_local = self.is_local_ref(item);
        if let Some(known) = (!is_local).then(|| self.env.caches.constants.get(&item)).flatten() {
            return known.map_or(Value::Unknown, Value::Known);
        }
        let value = self.deeper(|| self.compute_variable_value(item)).unwrap_or(Value::Unknown);
        if !is_local && let Value::Known(known) = value {
            self.env.caches.constants.insert(item, Some(known));
        }
        value
    }

    fn compute_variable_value(&self, item: DeclRef) -> Value {
        let decl = &self.ast[item.decl];
        let DeclKind::Variable(variable) = &decl.kind else { return Value::Unknown };
        let is_constexpr = decl.specs.contains(Specs::CONSTEXPR);
        let ty = self.variable_type(item);
        if self.store().is_dependent(ty.ty) {
            return Value::Dependent;
        }
        if !is_constexpr && !ty.is_const() {
            return match variable.kind {
                VariableKind::Param | VariableKind::Local => Value::NotConstant,
                _ => Value::Unknown,
            };
        }
        if self.ast[item.decl].attrs.iter().any(|&attr| self.ast[attr].name.as_str() == "function_constant") {
            return Value::NotConstant;
        }
        let init = match &variable.init {
            Init::Assign(init) => *init,
            Init::Brace(list) => match &self.ast[*list].kind {
                ExprKind::InitList(items) if items.len() == 1 => items[0],
                ExprKind::InitList(items) if items.is_empty() => {
                    return self.convert_const(Const::Int(0), ty.ty).map_or(Value::Unknown, Value::Known);
                }
                _ => return Value::Unknown,
            },
            Init::Paren(args) if args.len() == 1 => args[0],
            _ => return Value::Unknown,
        };
        let cx = self.cx_of(item);
        match self.evaluate_in(init, cx) {
            Value::Known(value) => self.convert_const(value, ty.ty).map_or(Value::Unknown, Value::Known),
            other => other,
        }
    }
}

impl<'a> Evaluator<'_, 'a> {
    fn step(&mut self) -> bool {
        self.steps = self.steps.saturating_sub(1);
        self.steps > 0
    }

    fn expr(&mut self, expr: ExprId) -> Value {
        if !self.step() {
            return Value::Unknown;
        }
        let sema = self.sema;
        sema.deeper(|| self.expr_inner(expr)).unwrap_or(Value::Unknown)
    }

    fn expr_inner(&mut self, expr: ExprId) -> Value {
        let sema = self.sema;
        let ast: &'a Ast = sema.ast;
        match &ast[expr].kind {
            ExprKind::Int(name) => {
                int_literal(*name).map_or(Value::Unknown, |(value, _)| Value::Known(Const::Int(value)))
            }
            ExprKind::Float(name) => {
                float_literal(*name).map_or(Value::Unknown, |(value, _)| Value::Known(Const::Float(value.to_bits())))
            }
            ExprKind::Char(name) => char_literal(*name).map_or(Value::Unknown, |value| Value::Known(Const::Int(value))),
            ExprKind::Bool(value) => Value::Known(Const::Int((*value).into())),
            ExprKind::Nullptr => Value::Known(Const::Null),
            ExprKind::Paren(inner) => self.expr(*inner),
            ExprKind::Path(path) => self.path(path),
            ExprKind::Unary { op, operand, .. } => self.unary(*op, *operand),
            ExprKind::Binary { op, lhs, rhs, .. } => self.binary(*op, *lhs, *rhs),
            ExprKind::Conditional { cond, then, otherwise } => match self.expr(*cond) {
                value @ Value::Known(_) => match value.truth() {
                    Some(true) => self.expr(*then),
                    Some(false) => self.expr(*otherwise),
                    None => Value::Unknown,
                },
                other => other,
            },
            ExprKind::CCast { ty, operand } | ExprKind::NamedCast { cast: NamedCast::Static, ty, operand } => {
                self.cast(*ty, *operand)
            }
            ExprKind::Construct { ty, args, .. } => match &**args {
                [] => {
                    let ty = sema.resolve_type(*ty, self.cx);
                    self.convert(Const::Int(0), ty)
                }
                [only] => {
                    let operand = match &ast[*only].kind {
                        ExprKind::InitList(items) if items.len() == 1 => items[0],
                        ExprKind::InitList(items) if items.is_empty() => {
                            let ty = sema.resolve_type(*ty, self.cx);
                            return self.convert(Const::Int(0), ty);
                        }
                        _ => *only,
                    };
                    self.cast(*ty, operand)
                }
                _ => self.unless_dependent_type(*ty),
            },
            ExprKind::SizeofType { op, ty } => {
                let resolved = sema.resolve_type(*ty, self.cx);
                self.size(resolved, *op)
            }
            ExprKind::SizeofExpr { op, operand } => {
                let info = sema.type_of_expr(*operand, self.cx);
                self.size(info.ty, *op)
            }
            ExprKind::SizeofPack { pack, .. } => self.pack_size(*pack),
            ExprKind::TypeTrait { name, args } => self.trait_value(*name, args),
            ExprKind::Call { args, .. } => self.call(expr, args),
            ExprKind::Assign { op, lhs, rhs, .. } => self.assign(*op, *lhs, *rhs),
            ExprKind::Fold { op, lhs, rhs } => self.fold(*op, *lhs, *rhs),
            ExprKind::Index { base, args } => match (&**args, self.constant_list(*base)) {
                ([index], Some((list, cx))) => self.element(list, *index, cx),
                _ => self.unless_dependent(expr),
            },
            ExprKind::Member { .. } => self.unless_dependent(expr),
            ExprKind::Noexcept(_) => Value::Known(Const::Int(1)),
            ExprKind::Lambda(_) | ExprKind::StmtExpr(_) | ExprKind::Error | ExprKind::InitList(_) => Value::Unknown,
            _ => self.unless_dependent(expr),
        }
    }

    /// The braced list that an array constant is initialised from, and where its expressions are read.
    fn constant_list(&mut self, base: ExprId) -> Option<(ExprId, Cx)> {
        let sema = self.sema;
        match &sema.ast[base].kind {
            ExprKind::Paren(inner) => self.constant_list(*inner),
            ExprKind::Path(path) => {
                let found = sema.lookup_path(path, self.cx);
                let [item] = &*found.items else { return None };
                let decl = &sema.ast[item.decl];
                let DeclKind::Variable(variable) = &decl.kind else { return None };
                let ty = sema.variable_type(*item);
                if !decl.specs.contains(Specs::CONSTEXPR) && !ty.is_const() || !decl.templates.is_empty() {
                    return None;
                }
                let (TyKind::Array(..), Init::Assign(list) | Init::Brace(list)) = (sema.kind(ty.ty), &variable.init)
                else {
                    return None;
                };
                Some((*list, sema.cx_of(*item)))
            }
            ExprKind::Index { base, args } => {
                let (list, cx) = self.constant_list(*base)?;
                let [index] = &**args else { return None };
                let index = self.expr(*index).int()?;
                let row = self.item_of(list, index)?;
                matches!(sema.ast[row].kind, ExprKind::InitList(_)).then_some((row, cx))
            }
            _ => None,
        }
    }

    /// An item of a plain list: every item before it stands for one element.
    fn item_of(&self, list: ExprId, index: i128) -> Option<ExprId> {
        let ExprKind::InitList(items) = &self.sema.ast[list].kind else { return None };
        let is_plain =
            |item: &ExprId| !matches!(self.sema.ast[*item].kind, ExprKind::Designated { .. } | ExprKind::Expansion(_));
        if !items.iter().all(is_plain) {
            return None;
        }
        items.get(usize::try_from(index).ok()?).copied()
    }

    fn element(&mut self, list: ExprId, index: ExprId, cx: Cx) -> Value {
        let index = match self.expr(index) {
            Value::Known(Const::Int(index)) => index,
            Value::Dependent => return Value::Dependent,
            _ => return Value::Unknown,
        };
        let Some(item) = self.item_of(list, index) else { return Value::Unknown };
        if matches!(self.sema.ast[item].kind, ExprKind::InitList(_)) {
            return Value::Unknown;
        }
        let outer = std::mem::replace(&mut self.cx, cx);
        let value = self.expr(item);
        self.cx = outer;
        match value {
            Value::NotConstant => Value::Unknown,
            value => value,
        }
    }

    /// Unknown, unless the expression is dependent.
    fn unless_dependent(&mut self, expr: ExprId) -> Value {
        let info = self.sema.type_of_expr(expr, self.cx);
        if self.sema.store().is_dependent(info.ty.ty) { Value::Dependent } else { Value::Unknown }
    }

    fn unless_dependent_type(&mut self, ty: TypeId) -> Value {
        let ty = self.sema.resolve_type(ty, self.cx);
        if self.sema.store().is_dependent(ty.ty) { Value::Dependent } else { Value::Unknown }
    }

    fn convert(&self, value: Const, ty: QualTy) -> Value {
        if self.sema.store().is_dependent(ty.ty) {
            return Value::Dependent;
        }
        // An empty class is a value of no interest, but it is one: tags such as `true_type()`.
        self.sema.convert_const(value, ty.ty).map_or(Value::Unknown, Value::Known)
    }

    fn cast(&mut self, ty: TypeId, operand: ExprId) -> Value {
        let ty = self.sema.resolve_type(ty, self.cx);
        match self.expr(operand) {
            Value::Known(value) => self.convert(value, ty),
            other => other,
        }
    }

    fn path(&mut self, path: &Path) -> Value {
        let sema = self.sema;
        if path.segments.len() > 1
            && sema.resolve_container(path, path.segments.len() - 1, self.cx) == crate::resolve::Container::Dependent
        {
            return Value::Dependent;
        }
        let found = sema.lookup_path(path, self.cx);
        let Some(&item) = found.items.first() else {
            return if found.uncertain { Value::Dependent } else { Value::Unknown };
        };
        let decl = &sema.ast[item.decl];
        match &decl.kind {
            DeclKind::Enumerator { .. } => match sema.enumerator_value(item) {
                Some(value) => Value::Known(Const::Int(value)),
                None => {
                    if sema.store().bind_flags(item.bind).contains(TyFlags::DEPENDENT) {
                        Value::Dependent
                    } else {
                        Value::Unknown
                    }
                }
            },
            DeclKind::Variable(variable) => {
                if let Some(frame) = &self.frame
                    && let Some(value) = frame.variables.get(&item.decl)
                {
                    return Value::Known(*value);
                }
                if variable.kind == VariableKind::TemplateValue {
                    return match sema.binding(item.decl, self.cx.bind) {
                        Some(TArg::Value { value, .. }) => Value::Known(*value),
                        Some(TArg::Unknown) => Value::Unknown,
                        _ => Value::Dependent,
                    };
                }
                let Some(last) = path.last() else { return Value::Unknown };
                let item = match (&last.args, sema.ast[item.decl].templates.last()) {
                    (Some(args), Some(&header)) if variable.name_args.is_none() => {
                        let outer = sema.bind_for(item.decl, item.bind);
                        match sema.template_args(header, args, outer, self.cx) {
                            Some(args) => sema.select_variable(DeclRef {
                                decl: item.decl,
                                bind: sema.store().bind(outer, header, args),
                            }),
                            None => return Value::Unknown,
                        }
                    }
                    _ => DeclRef { decl: item.decl, bind: sema.bind_for(item.decl, item.bind) },
                };
                match sema.variable_value(item) {
                    // A variable of an interpreted function that the interpreter does not follow.
                    Value::NotConstant if self.frame.is_some() => Value::Unknown,
                    value => value,
                }
            }
            DeclKind::Function(_) => match sema.named_function(path, &found, None, self.cx) {
                FunctionNamed::One(item) if sema.store().bind_flags(item.bind).contains(TyFlags::DEPENDENT) => {
                    Value::Dependent
                }
                FunctionNamed::One(item) => Value::Known(Const::Function(item.decl, item.bind)),
                FunctionNamed::Several | FunctionNamed::NoneFits => Value::Unknown,
            },
            _ => Value::Unknown,
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId) -> Value {
        if matches!(op, UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec) {
            return self.increment(op, operand);
        }
        if op == UnaryOp::AddrOf {
            return match self.expr(operand) {
                value @ Value::Known(Const::Function(..)) => value,
                Value::Dependent => Value::Dependent,
                _ => Value::Unknown,
            };
        }
        let value = match self.expr(operand) {
            Value::Known(value) => value,
            other => return other,
        };
        let ty = self.arithmetic_type(operand);
        match (op, value) {
            (UnaryOp::Plus, value) => Value::Known(value),
            (UnaryOp::Minus, Const::Int(value)) => Value::Known(Const::Int(self.wrap_to(-value, ty))),
            (UnaryOp::Minus, Const::Float(bits)) => Value::Known(Const::Float((-f64::from_bits(bits)).to_bits())),
            (UnaryOp::Not, value) => match Value::Known(value).truth() {
                Some(truth) => Value::Known(Const::Int((!truth).into())),
                None => Value::Unknown,
            },
            (UnaryOp::BitNot, Const::Int(value)) => Value::Known(Const::Int(self.wrap_to(!value, ty))),
            _ => Value::Unknown,
        }
    }

    /// The promoted type of an operand, for wrapping.
    fn arithmetic_type(&self, operand: ExprId) -> Option<Scalar> {
        let info = self.sema.type_of_expr(operand, self.cx);
        self.sema.as_scalar(info.ty.ty).map(crate::types::promoted)
    }

    fn wrap_to(&self, value: i128, scalar: Option<Scalar>) -> i128 {
        match scalar {
            Some(scalar) if scalar.is_integer() => wrap(value, scalar),
            _ => value,
        }
    }

    fn binary(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> Value {
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            let left = self.expr(lhs);
            match (op, left.truth()) {
                (BinaryOp::And, Some(false)) => return Value::Known(Const::Int(0)),
                (BinaryOp::Or, Some(true)) => return Value::Known(Const::Int(1)),
                (_, None) => return left,
                _ => {}
            }
            let right = self.expr(rhs);
            return right.truth().map_or(right, |truth| Value::Known(Const::Int(truth.into())));
        }
        let left = self.expr(lhs);
        let right = self.expr(rhs);
        if op == BinaryOp::Comma {
            return right;
        }
        let (left, right) = match (left, right) {
            (Value::Known(left), Value::Known(right)) => (left, right),
            (Value::Dependent, _) | (_, Value::Dependent) => return Value::Dependent,
            (Value::NotConstant, _) | (_, Value::NotConstant) => return Value::NotConstant,
            _ => return Value::Unknown,
        };
        let common = match op {
            BinaryOp::Shl | BinaryOp::Shr => self.arithmetic_type(lhs),
            _ => match (self.arithmetic_type(lhs), self.arithmetic_type(rhs)) {
                (Some(a), Some(b)) => crate::types::common_scalar(a, b),
                _ => None,
            },
        };
        self.apply(op, left, right, common)
    }

    fn apply(&self, op: BinaryOp, left: Const, right: Const, common: Option<Scalar>) -> Value {
        if let (Const::Function(..) | Const::Null, Const::Function(..) | Const::Null) = (left, right) {
            return match op {
                BinaryOp::Eq => Value::Known(Const::Int((left == right).into())),
                BinaryOp::Ne => Value::Known(Const::Int((left != right).into())),
                _ => Value::Unknown,
            };
        }
        let known = |value: i128| Value::Known(Const::Int(value));
        match (left, right) {
            (Const::Int(a), Const::Int(b)) => {
                let (a, b) = (
                    self.wrap_to(a, common),
                    if matches!(op, BinaryOp::Shl | BinaryOp::Shr) { b } else { self.wrap_to(b, common) },
                );
                let result = match op {
                    BinaryOp::Mul => a.checked_mul(b),
                    BinaryOp::Div => a.checked_div(b),
                    BinaryOp::Rem => a.checked_rem(b),
                    BinaryOp::Add => a.checked_add(b),
                    BinaryOp::Sub => a.checked_sub(b),
                    // Shift counts are masked to the operand's width (MSL spec §3).
                    BinaryOp::Shl | BinaryOp::Shr => {
                        let bits = i128::from(common.map_or(32, Scalar::bits));
                        let count = b.rem_euclid(bits) as u32;
                        Some(if op == BinaryOp::Shl { a << count } else { a >> count })
                    }
                    BinaryOp::BitAnd => Some(a & b),
                    BinaryOp::BitXor => Some(a ^ b),
                    BinaryOp::BitOr => Some(a | b),
                    BinaryOp::Lt => return known((a < b).into()),
                    BinaryOp::Gt => return known((a > b).into()),
                    BinaryOp::Le => return known((a <= b).into()),
                    BinaryOp::Ge => return known((a >= b).into()),
                    BinaryOp::Eq => return known((a == b).into()),
                    BinaryOp::Ne => return known((a != b).into()),
                    _ => None,
                };
                result.map_or(Value::Unknown, |value| known(self.wrap_to(value, common)))
            }
            (Const::Int(_) | Const::Float(_), Const::Int(_) | Const::Float(_)) => {
                let number = |value: Const| match value {
                    Const::Int(value) => value as f64,
                    Const::Float(bits) => f64::from_bits(bits),
                    _ => f64::NAN,
                };
                let (a, b) = (number(left), number(right));
                let float =
                    |value: f64| Value::Known(Const::Float(round_to(value, common.unwrap_or(Scalar::Float)).to_bits()));
                match op {
                    BinaryOp::Mul => float(a * b),
                    BinaryOp::Div => float(a / b),
                    BinaryOp::Add => float(a + b),
                    BinaryOp::Sub => float(a - b),
                    BinaryOp::Lt => known((a < b).into()),
                    BinaryOp::Gt => known((a > b).into()),
                    BinaryOp::Le => known((a <= b).into()),
                    BinaryOp::Ge => known((a >= b).into()),
                    BinaryOp::Eq => known((a == b).into()),
                    BinaryOp::Ne => known((a != b).into()),
                    _ => Value::Unknown,
                }
            }
            _ => Value::Unknown,
        }
    }

    fn fold(&mut self, op: BinaryOp, lhs: Option<ExprId>, rhs: Option<ExprId>) -> Value {
        let sema = self.sema;
        let (pattern, init) = match (lhs, rhs) {
            (Some(pattern), None) | (None, Some(pattern)) => (pattern, None),
            (Some(a), Some(b)) => match sema.expand_binds(sema.ast[a].range, self.cx) {
                Some(_) => (a, Some(b)),
                None => (b, Some(a)),
            },
            (None, None) => return Value::Unknown,
        };
        let Some(binds) = sema.expand_binds(sema.ast[pattern].range, self.cx) else { return Value::Dependent };
        let mut result = match init {
            Some(init) => Some(self.expr(init)),
            None => match op {
                BinaryOp::And => Some(Value::Known(Const::Int(1))),
                BinaryOp::Or => Some(Value::Known(Const::Int(0))),
                _ => None,
            },
        };
        let outer = self.cx;
        for bind in binds {
            self.cx = Cx { bind, ..outer };
            let value = self.expr(pattern);
            let common = self.arithmetic_type(pattern);
            self.cx = outer;
            result = Some(match (result, value) {
                (None, value) => value,
                (Some(Value::Known(a)), Value::Known(b)) => match op {
                    BinaryOp::And | BinaryOp::Or => {
                        let (Some(a), Some(b)) = (Value::Known(a).truth(), Value::Known(b).truth()) else {
                            return Value::Unknown;
                        };
                        Value::Known(Const::Int((if op == BinaryOp::And { a && b } else { a || b }).into()))
                    }
                    BinaryOp::Comma => Value::Known(b),
                    _ => self.apply(op, a, b, common),
                },
                (Some(Value::Known(_)), other) | (Some(other), _) => return other,
            });
        }
        result.unwrap_or(Value::Unknown)
    }
}
