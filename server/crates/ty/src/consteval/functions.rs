//! Evaluation of `constexpr` functions: their calls, statements and local variables.

use msl_parser::ast::*;

use super::{Evaluator, Flow, Frame, Value};
use crate::sema::{Cx, DeclRef, Sema};
use crate::store::*;

impl<'a> Evaluator<'_, 'a> {
    pub(super) fn call(&mut self, expr: ExprId, args: &[ExprId]) -> Value {
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

    pub(super) fn assign(&mut self, op: Option<BinaryOp>, lhs: ExprId, rhs: ExprId) -> Value {
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

    pub(super) fn increment(&mut self, op: UnaryOp, operand: ExprId) -> Value {
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
