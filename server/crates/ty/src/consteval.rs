//! Constant evaluation: array bounds, template arguments, enumerators, conditions, attribute arguments.
//!
//! Values are integers (as mathematical values, wrapped to their type) and floating numbers. `constexpr` functions
//! are interpreted over their statements with a budget of steps; variables in them hold such values. Aggregates are
//! not modelled: what needs them is [`Value::Unknown`].

use msl_intern::Name;
use msl_parser::ast::*;
use rustc_hash::FxHashMap;

use crate::lookup::Key;
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

/// Wraps a mathematical value to an integer type.
pub fn wrap(value: i128, scalar: Scalar) -> i128 {
    if scalar == Scalar::Bool {
        return (value != 0).into();
    }
    let bits = scalar.bits();
    let mask = (1i128 << bits) - 1;
    let low = value & mask;
    if scalar.is_signed() && low >> (bits - 1) & 1 == 1 { low - (1i128 << bits) } else { low }
}

fn round_to(value: f64, scalar: Scalar) -> f64 {
    match scalar {
        Scalar::Float => f64::from(value as f32),
        _ => value,
    }
}

/// An integer literal: its value and type (C++ [lex.icon]; there is no `long long` in Metal).
pub fn int_literal(name: Name) -> Option<(i128, Scalar)> {
    let text: String = name.as_str().chars().filter(|&c| c != '\'').collect();
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = if let Some(hex) = lower.strip_prefix("0x") {
        (hex, 16)
    } else if let Some(binary) = lower.strip_prefix("0b") {
        (binary, 2)
    } else if lower.len() > 1 && lower.starts_with('0') {
        (&lower[1..], 8)
    } else {
        (lower.as_str(), 10)
    };
    let end = digits.find(['u', 'l', 'z']).unwrap_or(digits.len());
    let (number, suffix) = digits.split_at(end);
    let value = if number.is_empty() { 0 } else { u128::from_str_radix(number, radix).ok()? };
    let value = i128::try_from(value).ok()?;
    let unsigned = suffix.contains('u');
    let long = suffix.contains(['l', 'z']);
    let fits = |scalar: Scalar| wrap(value, scalar) == value;
    let candidates: &[Scalar] = match (unsigned, long, radix) {
        (true, true, _) => &[Scalar::ULong],
        (true, false, _) => &[Scalar::UInt, Scalar::ULong],
        (false, true, 10) => &[Scalar::Long],
        (false, true, _) => &[Scalar::Long, Scalar::ULong],
        (false, false, 10) => &[Scalar::Int, Scalar::Long],
        (false, false, _) => &[Scalar::Int, Scalar::UInt, Scalar::Long, Scalar::ULong],
    };
    let scalar = candidates.iter().copied().find(|&scalar| fits(scalar)).unwrap_or(Scalar::ULong);
    Some((value, scalar))
}

/// A floating literal: its value and type. Without a suffix it is `float` (MSL spec §2.1).
pub fn float_literal(name: Name) -> Option<(f64, Scalar)> {
    let text: String = name.as_str().chars().filter(|&c| c != '\'').collect::<String>().to_ascii_lowercase();
    let is_hex = text.starts_with("0x");
    let (number, scalar) = if let Some(number) = text.strip_suffix("bf").filter(|_| !is_hex || text.contains('p')) {
        (number, Scalar::BFloat)
    } else if let Some(number) = text.strip_suffix('h') {
        (number, Scalar::Half)
    } else if let Some(number) = text.strip_suffix('f').filter(|_| !is_hex || text.contains('p')) {
        (number, Scalar::Float)
    } else if let Some(number) = text.strip_suffix('l') {
        (number, Scalar::Float)
    } else {
        (text.as_str(), Scalar::Float)
    };
    let value = if is_hex { hex_float(number)? } else { number.parse::<f64>().ok()? };
    Some((round_to(value, scalar), scalar))
}

fn hex_float(text: &str) -> Option<f64> {
    let digits = text.strip_prefix("0x")?;
    let (mantissa, exponent) = digits.split_once('p').unwrap_or((digits, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut value = 0f64;
    for digit in whole.chars() {
        value = value * 16.0 + f64::from(digit.to_digit(16)?);
    }
    let mut scale = 1.0 / 16.0;
    for digit in fraction.chars() {
        value += f64::from(digit.to_digit(16)?) * scale;
        scale /= 16.0;
    }
    Some(value * 2f64.powi(exponent.parse().ok()?))
}

/// A character literal's value.
pub fn char_literal(name: Name) -> Option<i128> {
    let text = name.as_str();
    let inner = text.get(text.find('\'')? + 1..text.rfind('\'')?)?;
    let mut chars = inner.chars();
    match chars.next()? {
        '\\' => Some(match chars.next()? {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'x' => i128::from_str_radix(chars.as_str(), 16).ok()?,
            digit @ '0'..='7' => {
                let rest = format!("{digit}{}", chars.as_str());
                i128::from_str_radix(&rest, 8).ok()?
            }
            other => i128::from(other as u32),
        }),
        single => Some(i128::from(single as u32)),
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

    fn size(&self, ty: QualTy, op: SizeofOp) -> Value {
        let sema = self.sema;
        if sema.store().is_dependent(ty.ty) {
            return Value::Dependent;
        }
        match sema.layout(sema.strip_ref(ty).ty) {
            Some((size, align)) => {
                let value = match op {
                    SizeofOp::Sizeof => size,
                    SizeofOp::Alignof => align,
                };
                Value::Known(Const::Int(value.into()))
            }
            None => Value::Unknown,
        }
    }

    fn pack_size(&self, pack: Name) -> Value {
        let sema = self.sema;
        let found = sema.lookup(Key::Name(pack), self.cx);
        let Some(&item) = found.items.first() else { return Value::Unknown };
        match sema.binding(item.decl, self.cx.bind) {
            Some(TArg::Pack(args)) if !args.iter().any(|arg| matches!(arg, TArg::Expansion(_))) => {
                Value::Known(Const::Int(args.len() as i128))
            }
            Some(_) => Value::Dependent,
            None => match &sema.ast[item.decl].kind {
                // A function parameter pack has as many elements as the packs in its type.
                DeclKind::Variable(variable) if variable.kind == VariableKind::Param => {
                    match sema.expand_binds(sema.ast[variable.ty].range, self.cx) {
                        Some(binds) => Value::Known(Const::Int(binds.len() as i128)),
                        None => Value::Dependent,
                    }
                }
                _ => Value::Dependent,
            },
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
            DeclKind::Function(_) => Value::Known(Const::Function(item.decl, item.bind)),
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

    fn trait_value(&mut self, name: Name, args: &[TypeId]) -> Value {
        let sema = self.sema;
        let mut types: Vec<QualTy> = Vec::with_capacity(args.len());
        for &arg in args {
            if let TypeKind::Pack(inner) = &sema.ast[arg].kind {
                match sema.expand_binds(sema.ast[*inner].range, self.cx) {
                    Some(binds) => {
                        types.extend(binds.into_iter().map(|bind| sema.resolve_type(*inner, Cx { bind, ..self.cx })))
                    }
                    None => return Value::Dependent,
                }
                continue;
            }
            types.push(sema.resolve_type(arg, self.cx));
        }
        if types.iter().any(|ty| sema.store().is_dependent(ty.ty)) {
            return Value::Dependent;
        }
        if types.iter().any(|ty| sema.store().is_unknown(ty.ty)) {
            return Value::Unknown;
        }
        let Some(&first) = types.first() else { return Value::Unknown };
        let kind = sema.kind(first.ty);
        let scalar = match kind {
            TyKind::Scalar(scalar) => Some(*scalar),
            _ => None,
        };
        let truth = match name.as_str() {
            "__is_same" | "__is_same_as" => types.get(1) == Some(&first),
            "__is_convertible" | "__is_convertible_to" => {
                let Some(&to) = types.get(1) else { return Value::Unknown };
                if to.ty == Ty::VOID {
                    first.ty == Ty::VOID
                } else {
                    match sema.convert(&crate::expr::ExprInfo::of_declval(sema, first), to) {
                        crate::convert::Converts::Yes(_) => true,
                        crate::convert::Converts::No(_) => false,
                        crate::convert::Converts::Unsure => return Value::Unknown,
                    }
                }
            }
            "__is_enum" => matches!(kind, TyKind::Enum(..)),
            "__is_class" => match kind {
                TyKind::Record(decl, _) => {
                    !matches!(&sema.ast[*decl].kind, DeclKind::Record(record) if record.key == RecordKey::Union)
                }
                _ => false,
            },
            "__is_union" => match kind {
                TyKind::Record(decl, _) => {
                    matches!(&sema.ast[*decl].kind, DeclKind::Record(record) if record.key == RecordKey::Union)
                }
                _ => false,
            },
            "__is_integral" => scalar.is_some_and(Scalar::is_integer),
            "__is_floating_point" => scalar.is_some_and(Scalar::is_float),
            "__is_arithmetic" => scalar.is_some(),
            "__is_scalar" => {
                scalar.is_some() || matches!(kind, TyKind::Enum(..) | TyKind::Pointer(_) | TyKind::NullPtr)
            }
            "__is_vector" => matches!(kind, TyKind::Vector(..)),
            "__is_signed" => scalar.is_some_and(Scalar::is_signed),
            "__is_unsigned" => scalar.is_some_and(|scalar| !scalar.is_signed()),
            "__is_function" => matches!(kind, TyKind::Function(_)),
            "__is_pointer" => matches!(kind, TyKind::Pointer(_)),
            "__is_array" => matches!(kind, TyKind::Array(..)),
            "__is_void" => first.ty == Ty::VOID,
            "__is_const" => first.is_const(),
            "__is_volatile" => first.cv.contains(Cv::VOLATILE),
            "__is_reference" => sema.is_ref(first.ty),
            "__is_lvalue_reference" => matches!(kind, TyKind::LRef(_)),
            "__is_rvalue_reference" => matches!(kind, TyKind::RRef(_)),
            "__is_base_of" => {
                let Some(&derived) = types.get(1) else { return Value::Unknown };
                if first.ty == derived.ty && matches!(kind, TyKind::Record(..)) {
                    true
                } else {
                    match sema.derives_from(derived.ty, first.ty) {
                        Some(truth) => truth,
                        None if !matches!(sema.kind(derived.ty), TyKind::Record(..)) => false,
                        None => return Value::Unknown,
                    }
                }
            }
            _ => return Value::Unknown,
        };
        Value::Known(Const::Int(truth.into()))
    }

    // -- constexpr functions ------------------------------------------------------------------------------------

    fn call(&mut self, expr: ExprId, args: &[ExprId]) -> Value {
        let sema = self.sema;
        let Some(target) = sema.called_function(expr, self.cx) else { return self.unless_dependent(expr) };
        let decl = &sema.ast[target.decl];
        let DeclKind::Function(function) = &decl.kind else { return Value::Unknown };
        if !decl.specs.contains(Specs::CONSTEXPR) {
            // Which functions of the library are `constexpr` is not stated, and the program's may be interpreted.
            let is_certain = !sema.is_library(target.decl) && self.frame.is_none();
            return if is_certain { Value::NotConstant } else { Value::Unknown };
        }
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            match self.expr(arg) {
                Value::Known(value) => values.push(value),
                Value::Dependent => return Value::Dependent,
                other => return other,
            }
        }
        self.run(target, function, &values)
    }

    fn run(&mut self, target: DeclRef, function: &Function, args: &[Const]) -> Value {
        let sema = self.sema;
        let Some(body) = sema.inline_body(target.decl) else { return Value::Unknown };
        let signature = sema.signature(target);
        if signature.invalid
            || !sema.store().is_solid(signature.ret.ty) && !sema.store().flags(signature.ret.ty).contains(TyFlags::AUTO)
        {
            return Value::Unknown;
        }
        let mut frame = Frame::default();
        let TypeKind::Function(written) = &sema.ast[function.ty].kind else { return Value::Unknown };
        for (index, &param) in written.params.iter().enumerate() {
            let value = match args.get(index) {
                Some(value) => *value,
                None => return Value::Unknown,
            };
            let Some(ty) = signature.params.get(index) else { return Value::Unknown };
            let Some(value) = sema.convert_const(value, sema.strip_ref(ty.ty).ty) else { return Value::Unknown };
            frame.variables.insert(param, value);
        }
        let local = crate::sema::LocalCaches::default();
        let inner_sema = Sema::nested(sema, &body.ast, &local);
        let cx = Cx { before_local: u32::MAX, ..sema.cx_of(target) };
        let mut inner = Evaluator { sema: &inner_sema, cx, frame: Some(frame), steps: self.steps };
        let flow = inner.stmt(body.root);
        self.steps = inner.steps;
        match flow {
            Flow::Return(Value::Known(value)) => {
                let ret = signature.ret;
                if sema.store().flags(ret.ty).contains(TyFlags::AUTO) {
                    return Value::Known(value);
                }
                self.convert(value, sema.strip_ref(ret))
            }
            Flow::Return(other) | Flow::Stop(other) => other,
            _ => Value::Unknown,
        }
    }

    fn set(&mut self, decl: DeclId, value: Const) -> bool {
        match &mut self.frame {
            Some(frame) => {
                frame.variables.insert(decl, value);
                true
            }
            None => false,
        }
    }

    fn place(&self, expr: ExprId) -> Option<DeclRef> {
        match &self.sema.ast[expr].kind {
            ExprKind::Paren(inner) => self.place(*inner),
            ExprKind::Path(path) => {
                let found = self.sema.lookup_path(path, self.cx);
                let item = *found.items.first()?;
                self.frame.as_ref()?.variables.contains_key(&item.decl).then_some(item)
            }
            _ => None,
        }
    }

    fn assign(&mut self, op: Option<BinaryOp>, lhs: ExprId, rhs: ExprId) -> Value {
        let Some(item) = self.place(lhs) else { return Value::Unknown };
        let value = match op {
            None => self.expr(rhs),
            Some(op) => self.binary(op, lhs, rhs),
        };
        let Value::Known(value) = value else { return value };
        let ty = self.sema.strip_ref(self.sema.variable_type(DeclRef { decl: item.decl, bind: self.cx.bind }));
        let Some(value) = self.sema.convert_const(value, ty.ty) else { return Value::Unknown };
        if self.set(item.decl, value) { Value::Known(value) } else { Value::Unknown }
    }

    fn increment(&mut self, op: UnaryOp, operand: ExprId) -> Value {
        let Some(item) = self.place(operand) else { return Value::Unknown };
        let Value::Known(Const::Int(old)) = self.expr(operand) else { return Value::Unknown };
        let new = if matches!(op, UnaryOp::PreInc | UnaryOp::PostInc) { old + 1 } else { old - 1 };
        let ty = self.sema.variable_type(DeclRef { decl: item.decl, bind: self.cx.bind });
        let Some(new) = self.sema.convert_const(Const::Int(new), ty.ty) else { return Value::Unknown };
        if !self.set(item.decl, new) {
            return Value::Unknown;
        }
        if matches!(op, UnaryOp::PreInc | UnaryOp::PreDec) { Value::Known(new) } else { Value::Known(Const::Int(old)) }
    }

    fn stmt(&mut self, stmt: StmtId) -> Flow {
        if !self.step() {
            return Flow::Stop(Value::Unknown);
        }
        let sema = self.sema;
        let ast: &'a Ast = sema.ast;
        let outer = self.cx;
        match &ast[stmt].kind {
            StmtKind::Null => Flow::Next,
            StmtKind::Compound { stmts, scope } => {
                self.cx.scope = *scope;
                for &inner in stmts {
                    match self.stmt(inner) {
                        Flow::Next => {}
                        other => {
                            self.cx = outer;
                            return other;
                        }
                    }
                }
                self.cx = outer;
                Flow::Next
            }
            StmtKind::Expr(expr) => match self.expr(*expr) {
                Value::Known(_) => Flow::Next,
                other => Flow::Stop(other),
            },
            StmtKind::Decl(decls) => {
                for &decl in decls {
                    let DeclKind::Variable(variable) = &ast[decl].kind else { continue };
                    let ty = sema.variable_type(DeclRef { decl, bind: self.cx.bind });
                    let value = match &variable.init {
                        Init::Assign(init) => self.expr(*init),
                        Init::Paren(args) if args.len() == 1 => self.expr(args[0]),
                        Init::Brace(list) => match &ast[*list].kind {
                            ExprKind::InitList(items) if items.len() == 1 => self.expr(items[0]),
                            ExprKind::InitList(items) if items.is_empty() => Value::Known(Const::Int(0)),
                            _ => Value::Unknown,
                        },
                        Init::None => Value::Known(Const::Int(0)),
                        _ => Value::Unknown,
                    };
                    let Value::Known(value) = value else { return Flow::Stop(value) };
                    let Some(value) = sema.convert_const(value, ty.ty) else { return Flow::Stop(Value::Unknown) };
                    self.set(decl, value);
                }
                Flow::Next
            }
            StmtKind::If { init, cond, then, otherwise, scope, .. } => {
                self.cx.scope = *scope;
                if let Some(init) = init {
                    match self.stmt(*init) {
                        Flow::Next => {}
                        other => return other,
                    }
                }
                let flow = match self.condition(*cond) {
                    Ok(true) => self.stmt(*then),
                    Ok(false) => otherwise.map_or(Flow::Next, |otherwise| self.stmt(otherwise)),
                    Err(value) => Flow::Stop(value),
                };
                self.cx = outer;
                flow
            }
            StmtKind::While { cond, body, scope, .. } => {
                self.cx.scope = *scope;
                let flow = loop {
                    match self.condition(*cond) {
                        Ok(true) => {}
                        Ok(false) => break Flow::Next,
                        Err(value) => break Flow::Stop(value),
                    }
                    match self.stmt(*body) {
                        Flow::Next | Flow::Continue => {}
                        Flow::Break => break Flow::Next,
                        other => break other,
                    }
                };
                self.cx = outer;
                flow
            }
            StmtKind::Do { body, cond, .. } => loop {
                match self.stmt(*body) {
                    Flow::Next | Flow::Continue => {}
                    Flow::Break => return Flow::Next,
                    other => return other,
                }
                match self.expr(*cond).truth() {
                    Some(true) => {}
                    Some(false) => return Flow::Next,
                    None => return Flow::Stop(Value::Unknown),
                }
            },
            StmtKind::For { init, cond, step, body, scope, .. } => {
                self.cx.scope = *scope;
                if let Some(init) = init {
                    match self.stmt(*init) {
                        Flow::Next => {}
                        other => return other,
                    }
                }
                let flow = loop {
                    match cond.map_or(Ok(true), |cond| self.condition(cond)) {
                        Ok(true) => {}
                        Ok(false) => break Flow::Next,
                        Err(value) => break Flow::Stop(value),
                    }
                    match self.stmt(*body) {
                        Flow::Next | Flow::Continue => {}
                        Flow::Break => break Flow::Next,
                        other => break other,
                    }
                    if let Some(step) = step {
                        match self.expr(*step) {
                            Value::Known(_) => {}
                            other => break Flow::Stop(other),
                        }
                    }
                };
                self.cx = outer;
                flow
            }
            StmtKind::Return(Some(value)) => Flow::Return(self.expr(*value)),
            StmtKind::Return(None) => Flow::Return(Value::Unknown),
            StmtKind::Break => Flow::Break,
            StmtKind::Continue => Flow::Continue,
            _ => Flow::Stop(Value::Unknown),
        }
    }

    fn condition(&mut self, cond: Condition) -> Result<bool, Value> {
        match cond {
            Condition::Expr(expr) => {
                let value = self.expr(expr);
                value.truth().ok_or(value)
            }
            _ => Err(Value::Unknown),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals() {
        for (text, value, scalar) in [
            ("0", 0, Scalar::Int),
            ("017", 15, Scalar::Int),
            ("0x7fffffff", 0x7fff_ffff, Scalar::Int),
            ("0xffffffff", 0xffff_ffff, Scalar::UInt),
            ("2147483648", 2_147_483_648, Scalar::Long),
            ("1u", 1, Scalar::UInt),
            ("3ul", 3, Scalar::ULong),
            ("0b101", 5, Scalar::Int),
            ("1'000", 1000, Scalar::Int),
        ] {
            assert_eq!(int_literal(Name::new(text)), Some((value, scalar)), "{text}");
        }
        for (text, value, scalar) in [
            ("1.0", 1.0, Scalar::Float),
            ("1.0h", 1.0, Scalar::Half),
            ("2.bf", 2.0, Scalar::BFloat),
            (".5f", 0.5, Scalar::Float),
            ("1e3", 1000.0, Scalar::Float),
            ("0x1p4f", 16.0, Scalar::Float),
        ] {
            assert_eq!(float_literal(Name::new(text)), Some((value, scalar)), "{text}");
        }
    }

    #[test]
    fn wrapping() {
        assert_eq!(wrap(300, Scalar::UChar), 44);
        assert_eq!(wrap(200, Scalar::Char), -56);
        assert_eq!(wrap(-1, Scalar::UInt), 0xffff_ffff);
        assert_eq!(wrap(7, Scalar::Bool), 1);
    }
}
