//! Which values are the same in all threads of a SIMD group, and which table indices are not.
//!
//! Vocabulary:
//!
//! * A value is *uniform* if all threads of a SIMD group have the same one, *varying* if it is computed from an input
//!   that differs from thread to thread, such as the thread's position, and *unclear* where that cannot be told: after a
//!   division, which may even out what differs, or through what is not followed.
//! * What is assigned under a varying condition varies, too.
//!
//! The analysis looks at all assignments of a variable at once, not at their order, and follows calls of functions with
//! the uniformity of their arguments. Members of a variable are told apart on the first level. Only what certainly comes
//! from a varying input is reported.

use std::collections::BTreeMap;
use std::sync::Arc;

use msl_builtins::attributes::{Group, Role, Spread, attribute, spread};
use msl_db::{BodyPlace, Db, Unit, parsed_body, parsed_decls, split_unit};
use msl_diagnostics::Code;
use msl_intern::Name;
use msl_parser::ParsedBody;
use msl_parser::ast::*;
use msl_ty::expr::Facts;
use msl_ty::sema::LocalCaches;
use msl_ty::store::{BindId, Cv, Space, Ty, TyKind};
use msl_ty::{DeclRef, Env, Sema, body_of, checked_body, checked_inline_bodies, environment};
use rustc_hash::FxHashMap;

use crate::findings::Finding;

/// How a value relates to those of the other threads of its SIMD group; ordered, and the larger one wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Uniformity {
    #[default]
    Uniform,
    Unclear,
    /// With the declaration of the input that it comes from.
    Varying(DeclId),
}

/// How deep calls are followed.
const MAX_DEPTH: usize = 6;
/// How often a body is walked until nothing changes.
const MAX_ROUNDS: usize = 6;
/// Expressions that may be looked at in one unit.
const FUEL: u32 = 2_000_000;

/// A value with its members.
#[derive(Clone, Debug, Default, PartialEq)]
struct Value {
    whole: Uniformity,
    members: BTreeMap<Name, Uniformity>,
}

impl Value {
    fn of(whole: Uniformity) -> Value {
        Value { whole, members: BTreeMap::new() }
    }

    fn level(&self) -> Uniformity {
        self.members.values().copied().fold(self.whole, Uniformity::max)
    }

    fn member(&self, name: Name) -> Uniformity {
        self.members.get(&name).map_or(self.whole, |&member| member.max(self.whole))
    }

    /// Takes in another value that the same variable may have; says whether that changed anything.
    fn join(&mut self, other: &Value) -> bool {
        let before = self.clone();
        self.whole = self.whole.max(other.whole);
        for (&name, &level) in &other.members {
            let slot = self.members.entry(name).or_default();
            *slot = (*slot).max(level);
        }
        *self != before
    }
}

/// The indices into tables of a unit that differ between threads.
#[salsa::tracked(returns(ref), no_eq)]
pub fn divergent_tables(db: &dyn Db, unit: Unit) -> Arc<Vec<Finding>> {
    let env = environment(db, unit);
    let local = LocalCaches::default();
    let sema = Sema::new(env, &env.ast, &local);
    let mut analysis = Analysis {
        db,
        unit,
        env,
        results: FxHashMap::default(),
        open: Vec::new(),
        varying: BTreeMap::new(),
        fuel: FUEL,
    };
    for of in &parsed_decls(db, unit).functions {
        if sema.stage_of(of.function).is_none() || msl_ty::check::is_templated(&sema, of.function) {
            continue;
        }
        let item = DeclRef { decl: of.function, bind: BindId::NONE };
        let signature = sema.signature(item);
        // Most functions have no tables, and this is the only question about them.
        if !signature.params.iter().any(|param| reaches_table(&sema, param.ty)) {
            continue;
        }
        let params: Vec<Value> = signature.params.iter().map(|param| Value::of(input(&sema, param.decl))).collect();
        analysis.call(item, params);
    }
    let mut findings: Vec<Finding> = Vec::new();
    for ((function, _), (range, cause)) in &analysis.varying {
        let name = sema.decl_name(*cause).map_or_else(String::new, |name| format!(" with `{name}`"));
        findings.push(Finding {
            function: *function,
            code: Code::DivergentFunctionPointer,
            severity: None,
            range: *range,
            message: format!(
                "this index differs between the threads of a SIMD group{name}: functions that they call apart run one \
                 after the other; sort the work by function so that neighbouring threads call the same one"
            ),
            related: Vec::new(),
        });
    }
    Arc::new(findings)
}

/// Whether a table can be reached through a parameter: it is one, or it is a pointer or reference to something.
fn reaches_table(sema: &Sema<'_>, ty: msl_ty::store::QualTy) -> bool {
    if sema.table_signature(ty).is_some() {
        return true;
    }
    let (TyKind::Pointer(inner) | TyKind::LRef(inner)) = sema.kind(ty.ty) else { return false };
    let TyKind::Record(decl, _) = sema.kind(inner.ty) else { return false };
    let DeclKind::Record(record) = &sema.ast[*decl].kind else { return false };
    !sema.is_library(*decl)
        && record.members.iter().any(|&member| {
            let item = DeclRef { decl: member, bind: BindId::NONE };
            matches!(sema.ast[member].kind, DeclKind::Variable(_))
                && sema.table_signature(sema.variable_type(item)).is_some()
        })
}

/// What the attributes of a parameter or program-scope variable say; what has none is the same for all.
fn input(sema: &Sema<'_>, decl: DeclId) -> Uniformity {
    let mut level = Uniformity::Uniform;
    for &attr in &sema.ast[decl].attrs {
        let name = sema.ast[attr].name.as_str();
        match spread(name) {
            Some(Spread::Grid(Group::Quadgroup | Group::Simdgroup) | Spread::Draw) => return Uniformity::Varying(decl),
            // Groups of threads differ from each other, and all threads of a SIMD group are in one of them.
            Some(Spread::Grid(Group::Threadgroup) | Spread::Shared) => {}
            Some(Spread::Open) => level = Uniformity::Unclear,
            None => {
                let is_host_given = |role| matches!(role, Role::Binding | Role::Member | Role::FunctionConstant);
                if !attribute(name).is_some_and(|info| info.uses.iter().any(|one| is_host_given(one.role))) {
                    level = Uniformity::Unclear;
                }
            }
        }
    }
    level
}

struct Analysis<'a> {
    db: &'a dyn Db,
    unit: Unit,
    env: &'a Arc<Env>,
    /// What functions return, by the values of their arguments.
    results: FxHashMap<(DeclId, Vec<Uniformity>), Value>,
    open: Vec<DeclId>,
    /// Indices that vary: the function and the first token, with the index and the input that it comes from.
    varying: BTreeMap<(DeclId, u32), (TokenRange, DeclId)>,
    fuel: u32,
}

impl<'a> Analysis<'a> {
    /// What a function returns for these arguments; `None` if it is not followed.
    fn call(&mut self, item: DeclRef, arguments: Vec<Value>) -> Option<Value> {
        if self.open.len() >= MAX_DEPTH || self.open.contains(&item.decl) || item.bind != BindId::NONE {
            return None;
        }
        let key = (item.decl, arguments.iter().map(Value::level).collect::<Vec<_>>());
        if arguments.iter().all(|argument| argument.members.is_empty())
            && let Some(known) = self.results.get(&key)
        {
            return Some(known.clone());
        }
        let (parsed, facts) = self.body(item.decl)?;
        self.open.push(item.decl);
        let result = self.run(item, &parsed, facts, arguments);
        self.open.pop();
        self.results.insert(key, result.clone());
        Some(result)
    }

    fn body(&self, function: DeclId) -> Option<(Arc<ParsedBody>, &'a Facts)> {
        match body_of(self.db, self.unit, function)? {
            BodyPlace::Deferred(number) => {
                let body = *split_unit(self.db, self.unit).bodies(self.db).get(number as usize)?;
                let parsed = parsed_body(self.db, body).as_ref()?;
                Some((Arc::clone(parsed), &checked_body(self.db, body).as_ref()?.facts))
            }
            BodyPlace::Inline(_) => {
                let inline = checked_inline_bodies(self.db, self.unit);
                let (_, _, checked) = inline.iter().find(|(own, ..)| *own == function)?;
                Some((self.env.inline_body(function)?, &checked.facts))
            }
        }
    }

    fn run(&mut self, item: DeclRef, parsed: &ParsedBody, facts: &'a Facts, arguments: Vec<Value>) -> Value {
        let local = LocalCaches::default();
        local.set_variables(&facts.variables);
        let sema = Sema::new(self.env, &parsed.ast, &local);
        let mut variables: FxHashMap<DeclId, Value> = FxHashMap::default();
        for (param, value) in sema.signature(item).params.iter().zip(arguments) {
            variables.insert(param.decl, value);
        }
        let mut body = BodyWalk {
            analysis: self,
            sema,
            facts,
            function: item.decl,
            variables,
            returned: Value::default(),
            changed: false,
            reports: false,
            depth: 0,
        };
        for _ in 0..MAX_ROUNDS {
            body.changed = false;
            body.statement(parsed.root, Uniformity::Uniform);
            if !body.changed {
                break;
            }
        }
        body.reports = true;
        body.statement(parsed.root, Uniformity::Uniform);
        body.returned
    }
}

struct BodyWalk<'a, 'b> {
    analysis: &'b mut Analysis<'a>,
    sema: Sema<'b>,
    facts: &'a Facts,
    function: DeclId,
    variables: FxHashMap<DeclId, Value>,
    returned: Value,
    changed: bool,
    /// Whether everything is settled, so that indices can be judged.
    reports: bool,
    depth: u32,
}

impl BodyWalk<'_, '_> {
    fn join(&mut self, variable: DeclId, value: &Value) {
        self.changed |= self.variables.entry(variable).or_default().join(value);
    }

    /// Walks a statement that runs under a condition of this uniformity.
    fn statement(&mut self, stmt: StmtId, control: Uniformity) {
        self.depth += 1;
        if self.depth < 400 {
            self.statement_inner(stmt, control);
        }
        self.depth -= 1;
    }

    fn statement_inner(&mut self, stmt: StmtId, control: Uniformity) {
        let ast = self.sema.ast;
        match &ast[stmt].kind {
            StmtKind::Compound { stmts, .. } => stmts.iter().for_each(|&stmt| self.statement(stmt, control)),
            StmtKind::Expr(expr) => {
                self.expr(*expr, control);
            }
            StmtKind::Decl(decls) => decls.iter().for_each(|&decl| self.declaration(decl, control)),
            StmtKind::If { init, cond, then, otherwise, .. } => {
                init.iter().for_each(|&init| self.statement(init, control));
                let inner = self.condition(*cond, control).max(control);
                self.statement(*then, inner);
                otherwise.iter().for_each(|&otherwise| self.statement(otherwise, inner));
            }
            StmtKind::Switch { init, cond, body, .. } => {
                init.iter().for_each(|&init| self.statement(init, control));
                let inner = self.condition(*cond, control).max(control);
                self.statement(*body, inner);
            }
            StmtKind::Case { stmt, .. } | StmtKind::Default { stmt } | StmtKind::Label { stmt, .. } => {
                self.statement(*stmt, control);
            }
            StmtKind::While { cond, body, .. } => {
                let inner = self.condition(*cond, control).max(control);
                self.statement(*body, inner);
            }
            StmtKind::Do { body, cond, .. } => {
                let inner = self.expr(*cond, control).level().max(control);
                self.statement(*body, inner);
            }
            StmtKind::For { init, cond, step, body, .. } => {
                init.iter().for_each(|&init| self.statement(init, control));
                let inner = cond.map_or(control, |cond| self.condition(cond, control).max(control));
                self.statement(*body, inner);
                step.iter().for_each(|&step| {
                    self.expr(step, inner);
                });
            }
            StmtKind::RangeFor { var, range, body, .. } => {
                let value = self.expr(*range, control);
                self.join(*var, &value);
                self.statement(*body, control);
            }
            StmtKind::Return(Some(expr)) => {
                let mut value = self.expr(*expr, control);
                value.whole = value.whole.max(control);
                self.returned.join(&value);
            }
            _ => {}
        }
    }

    fn condition(&mut self, condition: Condition, control: Uniformity) -> Uniformity {
        match condition {
            Condition::Expr(expr) => self.expr(expr, control).level(),
            Condition::Decl(decl) => {
                self.declaration(decl, control);
                self.variables.get(&decl).map_or(Uniformity::Unclear, Value::level)
            }
            Condition::Error => Uniformity::Unclear,
        }
    }

    fn declaration(&mut self, decl: DeclId, control: Uniformity) {
        match &self.sema.ast[decl].kind {
            DeclKind::Variable(variable) => {
                let value = match &variable.init {
                    Init::Assign(expr) | Init::Brace(expr) => self.expr(*expr, control),
                    Init::Paren(args) => self.all(args, control),
                    Init::None | Init::Implied => Value::default(),
                };
                self.join(decl, &value);
            }
            DeclKind::StructuredBinding { names, init, .. } => {
                let value = init.map_or_else(Value::default, |init| Value::of(self.expr(init, control).level()));
                names.iter().for_each(|&name| self.join(name, &value));
            }
            _ => {}
        }
    }

    /// What depends on all of some expressions.
    fn all(&mut self, exprs: &[ExprId], control: Uniformity) -> Value {
        let level = exprs.iter().fold(Uniformity::Uniform, |level, &expr| level.max(self.expr(expr, control).level()));
        Value::of(level)
    }

    fn expr(&mut self, expr: ExprId, control: Uniformity) -> Value {
        self.analysis.fuel = self.analysis.fuel.saturating_sub(1);
        self.depth += 1;
        let value = if self.analysis.fuel == 0 || self.depth > 400 {
            Value::of(Uniformity::Unclear)
        } else {
            self.expr_inner(expr, control)
        };
        self.depth -= 1;
        value
    }

    fn expr_inner(&mut self, expr: ExprId, control: Uniformity) -> Value {
        let ast = self.sema.ast;
        match &ast[expr].kind {
            ExprKind::Path(path) => self.path(path),
            ExprKind::Paren(inner) | ExprKind::Expansion(inner) => self.expr(*inner, control),
            ExprKind::CCast { operand, .. } | ExprKind::NamedCast { operand, .. } => self.expr(*operand, control),
            ExprKind::Unary { op, operand, .. } => {
                let value = self.expr(*operand, control);
                if matches!(op, UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec) {
                    self.assign(*operand, &value, control);
                }
                value
            }
            ExprKind::Binary { op, lhs, rhs, .. } => {
                let left = self.expr(*lhs, control).level();
                let right = self.expr(*rhs, control).level();
                Value::of(self.binary(*op, left, right, *rhs))
            }
            ExprKind::Assign { op, lhs, rhs, .. } => {
                let mut value = self.expr(*rhs, control);
                let old = self.expr(*lhs, control);
                if let Some(op) = op {
                    value = Value::of(self.binary(*op, old.level(), value.level(), *rhs));
                }
                self.assign(*lhs, &value, control);
                value
            }
            ExprKind::Conditional { cond, then, otherwise } => {
                let decides = self.expr(*cond, control).level();
                let mut value = self.expr(*then, control);
                value.join(&self.expr(*otherwise, control));
                value.whole = value.whole.max(decides);
                value
            }
            ExprKind::Call { callee, args } => self.call(expr, *callee, args, control),
            ExprKind::Index { base, args } => self.index(*base, args, control),
            ExprKind::Member { base, member, .. } => {
                let value = self.expr(*base, control);
                match member.last().map(|last| last.name) {
                    Some(UnqualName::Ident(name)) => Value::of(self.member(*base, &value, name)),
                    _ => Value::of(value.level()),
                }
            }
            ExprKind::Construct { args, .. } => self.parts(expr, args, control),
            ExprKind::InitList(items) => self.parts(expr, items, control),
            ExprKind::Designated { value, .. } => self.expr(*value, control),
            ExprKind::This | ExprKind::Lambda(_) | ExprKind::StmtExpr(_) | ExprKind::Fold { .. } | ExprKind::Error => {
                Value::of(Uniformity::Unclear)
            }
            _ => Value::default(),
        }
    }

    fn path(&mut self, path: &Path) -> Value {
        let Some(items) = path.last().and_then(|last| self.facts.refs.get(&last.token)) else {
            return Value::of(Uniformity::Unclear);
        };
        let [item] = items.as_slice() else { return Value::of(Uniformity::Unclear) };
        let DeclKind::Variable(variable) = &self.sema.ast[item.decl].kind else { return Value::default() };
        match variable.kind {
            // Thread indices at program scope.
            VariableKind::Global => Value::of(input(&self.sema, item.decl)),
            // Members without `this->`.
            VariableKind::Field => Value::of(Uniformity::Unclear),
            VariableKind::TemplateValue => Value::default(),
            VariableKind::Capture => Value::of(Uniformity::Unclear),
            VariableKind::Param | VariableKind::Local | VariableKind::Binding => {
                self.variables.get(&item.decl).cloned().unwrap_or_default()
            }
        }
    }

    /// What an operator makes of two values. A division or shift may even out what differs, and so may a mask.
    fn binary(&self, op: BinaryOp, left: Uniformity, right: Uniformity, rhs: ExprId) -> Uniformity {
        let evens_out = match op {
            BinaryOp::Div | BinaryOp::Shr => true,
            BinaryOp::BitAnd => {
                !matches!(&self.sema.ast[rhs].kind, ExprKind::Int(text) if is_small_mask(text.as_str()))
            }
            _ => false,
        };
        let both = left.max(right);
        if evens_out { both.min(Uniformity::Unclear) } else { both }
    }

    /// A member of a value. Of a position in a grid only `x` is sure to differ within a SIMD group.
    fn member(&self, base: ExprId, value: &Value, name: Name) -> Uniformity {
        let level = value.member(name);
        let Uniformity::Varying(input) = level else { return level };
        let ExprKind::Path(path) = &self.sema.ast[base].kind else { return level };
        let is_input = path
            .last()
            .and_then(|last| self.facts.refs.get(&last.token))
            .is_some_and(|items| items.iter().any(|item| item.decl == input));
        let is_first = name.as_str().starts_with(['x', 'r', 's']);
        if is_input && !is_first && name.as_str().len() == 1 { Uniformity::Unclear } else { level }
    }

    /// The parts that a value is made of. Which member gets which is not told apart.
    fn parts(&mut self, expr: ExprId, parts: &[ExprId], control: Uniformity) -> Value {
        let mut named = Value::default();
        let mut levels: Vec<Uniformity> = Vec::new();
        for &part in parts {
            match &self.sema.ast[part].kind {
                ExprKind::Designated { field: Some(field), value, .. } => {
                    let level = self.expr(*value, control).level();
                    let slot = named.members.entry(*field).or_default();
                    *slot = (*slot).max(level);
                }
                _ => levels.push(self.expr(part, control).level()),
            }
        }
        let all = levels.iter().copied().max().unwrap_or_default();
        let is_record = self.facts.exprs.get(&expr).is_none_or(
            |info| matches!(self.sema.kind(info.ty.ty), TyKind::Record(decl, _) if !self.sema.is_library(*decl)),
        );
        let is_mixed = levels.iter().any(|&level| level != all);
        named.whole = named.whole.max(if is_record && is_mixed { all.min(Uniformity::Unclear) } else { all });
        named
    }

    fn index(&mut self, base: ExprId, args: &[ExprId], control: Uniformity) -> Value {
        let table = self.expr(base, control).level();
        let index = self.all(args, control).level();
        let is_table = self.facts.exprs.get(&base).is_some_and(|info| self.sema.table_signature(info.ty).is_some());
        if is_table
            && self.reports
            && let (Uniformity::Varying(cause), Some(&first)) = (index, args.first())
        {
            let range = self.sema.ast[first].range;
            self.analysis.varying.entry((self.function, range.start)).or_insert((range, cause));
        }
        Value::of(table.max(index))
    }

    fn call(&mut self, expr: ExprId, callee: ExprId, args: &[ExprId], control: Uniformity) -> Value {
        let values: Vec<Value> = args.iter().map(|&arg| self.expr(arg, control)).collect();
        let of_args = values.iter().map(Value::level).max().unwrap_or_default();
        let object = match &self.sema.ast[callee].kind {
            ExprKind::Member { base, .. } => self.expr(*base, control).level(),
            ExprKind::Path(_) => Uniformity::Uniform,
            _ => self.expr(callee, control).level(),
        };
        let Some(&item) = self.facts.callees.get(&expr) else {
            // A pointer, a construction, or something that is not known.
            let least = if args.is_empty() { Uniformity::Unclear } else { Uniformity::Uniform };
            return Value::of(of_args.max(object).max(least));
        };
        if self.sema.is_library(item.decl) {
            return Value::of(self.of_library(item, of_args.max(object)));
        }
        self.effects(item, args, of_args.max(object), control);
        let item = self.sema.definition(item).unwrap_or(item);
        match self.analysis.call(item, values) {
            Some(value) => value,
            None => Value::of(Uniformity::Unclear),
        }
    }

    /// What a function of the library makes of its arguments (MSL spec §6.9).
    fn of_library(&self, item: DeclRef, args: Uniformity) -> Uniformity {
        let facts = self.sema.env.library.facts(item.decl);
        if let Some(across) = facts.and_then(|facts| facts.across) {
            // What is the same in a quad-group may differ between those of a SIMD-group.
            let is_same = across.is_same && across.group >= Group::Simdgroup;
            return if is_same { Uniformity::Uniform } else { Uniformity::Unclear };
        }
        // Other threads may write to what a pointer leads to, unless it is the thread's own or stays as it is.
        let is_shared = |ty: Ty| match self.sema.kind(ty) {
            TyKind::Pointer(inner) | TyKind::LRef(inner) => {
                inner.space != Space::Thread && (!inner.is_const() || inner.cv.contains(Cv::VOLATILE))
            }
            _ => false,
        };
        let reads_memory = self.sema.signature(item).params.iter().any(|param| is_shared(param.ty.ty));
        if reads_memory { Uniformity::Unclear } else { args }
    }

    /// What a called function may write through pointers and references to variables of this one.
    fn effects(&mut self, item: DeclRef, args: &[ExprId], level: Uniformity, control: Uniformity) {
        let signature = self.sema.signature(item);
        let written = level.min(Uniformity::Unclear).max(control.min(Uniformity::Unclear));
        if written == Uniformity::Uniform {
            return;
        }
        for (param, &arg) in signature.params.iter().zip(args) {
            let may_write = match self.sema.kind(param.ty.ty) {
                TyKind::Pointer(inner) | TyKind::LRef(inner) => !inner.is_const(),
                _ => false,
            };
            if may_write {
                self.assign(arg, &Value::of(written), control);
            }
        }
    }

    /// Notes that an lvalue gets a value.
    fn assign(&mut self, target: ExprId, value: &Value, control: Uniformity) {
        let mut value = value.clone();
        value.whole = value.whole.max(control);
        let mut target = target;
        let mut member: Option<Name> = None;
        for _ in 0..32 {
            match &self.sema.ast[target].kind {
                ExprKind::Paren(inner) => target = *inner,
                ExprKind::Unary { op: UnaryOp::Deref | UnaryOp::AddrOf, operand, .. } => target = *operand,
                ExprKind::CCast { operand, .. } | ExprKind::NamedCast { operand, .. } => target = *operand,
                ExprKind::Index { base, args } => {
                    // An element whose number differs may be another one in each thread.
                    let index = self.all(args, control).level();
                    value.whole = value.whole.max(index);
                    member = None;
                    target = *base;
                }
                ExprKind::Member { base, member: path, .. } => {
                    member = match path.last().map(|last| last.name) {
                        Some(UnqualName::Ident(name)) => Some(name),
                        _ => None,
                    };
                    target = *base;
                }
                ExprKind::Path(path) => {
                    let items = path.last().and_then(|last| self.facts.refs.get(&last.token));
                    let Some([item]) = items.map(|items| items.as_slice()) else { return };
                    let value = match member {
                        Some(name) => {
                            Value { whole: Uniformity::Uniform, members: BTreeMap::from_iter([(name, value.level())]) }
                        }
                        None => value,
                    };
                    self.join(item.decl, &value);
                    return;
                }
                _ => return,
            }
        }
    }
}

/// Whether a mask keeps only bits that tell apart the threads of a SIMD group of 32.
fn is_small_mask(text: &str) -> bool {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    };
    value.is_some_and(|value| (1..32).contains(&value))
}
