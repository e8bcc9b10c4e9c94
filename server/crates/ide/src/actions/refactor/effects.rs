//! What code reads and writes.
//!
//! Nothing is known of pointers here: all memory that is not a local variable of its own is one place, except constant
//! memory, which nothing writes. A local variable whose address someone has is part of that place, too. What cannot be
//! resolved reads and writes everything.

use msl_parser::ast::*;
use msl_ty::{
    DeclRef, Sema,
    store::{Cv, QualTy, Space, Ty, TyKind},
};
use rustc_hash::FxHashSet;

use crate::view::Layer;

/// What some code reads or writes.
#[derive(Clone, Debug, Default)]
pub(super) struct Touched {
    /// Anything that is not a local variable of its own.
    pub(super) memory: bool,
    pub(super) locals: FxHashSet<DeclId>,
}

impl Touched {
    fn add(&mut self, other: &Touched) {
        self.memory |= other.memory;
        self.locals.extend(&other.locals);
    }

    fn meets(&self, other: &Touched) -> bool {
        self.memory && other.memory || self.locals.iter().any(|local| other.locals.contains(local))
    }
}

/// The effects of some code.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    pub(super) reads: Touched,
    pub(super) writes: Touched,
    /// It calls something, so that where it stands may matter to other threads of the group.
    pub(super) calls: bool,
}

impl Effects {
    /// Whether it changes nothing.
    pub(super) fn is_pure(&self) -> bool {
        !self.writes.memory && self.writes.locals.is_empty()
    }

    /// Whether what it gives cannot be changed by other code that does this.
    pub(super) fn is_independent_of(&self, other: &Effects) -> bool {
        !self.reads.meets(&other.writes) && !self.writes.meets(&other.reads) && !self.writes.meets(&other.writes)
    }

    fn add(&mut self, other: &Effects) {
        self.reads.add(&other.reads);
        self.writes.add(&other.writes);
        self.calls |= other.calls;
    }

    fn everything() -> Effects {
        let memory = Touched { memory: true, locals: FxHashSet::default() };
        Effects { reads: memory.clone(), writes: memory, calls: true }
    }
}

/// Finds the effects of a body's code.
pub(super) struct EffectsOf<'a> {
    ast: &'a Ast,
    layer: &'a Layer<'a>,
    sema: &'a Sema<'a>,
    /// Local variables whose address someone may have.
    escaped: FxHashSet<DeclId>,
}

impl<'a> EffectsOf<'a> {
    pub(super) fn new(layer: &'a Layer<'a>, sema: &'a Sema<'a>) -> EffectsOf<'a> {
        let mut effects = EffectsOf { ast: layer.ast(), layer, sema, escaped: FxHashSet::default() };
        effects.escaped = effects.find_escaped();
        effects
    }

    /// The effects of all expressions and declarations within some tokens.
    pub(super) fn within(&self, tokens: TokenRange) -> Effects {
        self.within_except(tokens, |_| false)
    }

    /// The same, without the effects that some expressions have themselves; what they consist of counts.
    pub(super) fn within_except(&self, tokens: TokenRange, is_left_out: impl Fn(TokenRange) -> bool) -> Effects {
        let mut all = Effects::default();
        let is_within = |range: TokenRange| tokens.start <= range.start && range.end <= tokens.end;
        for (expr, data) in self.ast.own_exprs() {
            if is_within(data.range) && self.layer.facts.exprs.contains_key(&expr) && !is_left_out(data.range) {
                all.add(&self.of_node(expr));
            }
        }
        for (decl, data) in self.ast.own_decls() {
            let DeclKind::Variable(variable) = &data.kind else { continue };
            if !is_within(TokenRange::new(data.name_token, data.name_token + 1)) {
                continue;
            }
            if !matches!(variable.init, Init::None) {
                all.writes.locals.insert(decl);
            }
            if let Some(&constructor) = self.layer.facts.constructors.get(&decl) {
                all.add(&self.of_callee(constructor));
            }
        }
        all
    }

    /// What it takes to find the object that an expression names, which is not read.
    pub(super) fn of_designator(&self, expr: ExprId) -> Effects {
        let mut steps: FxHashSet<TokenRange> = FxHashSet::default();
        let mut at = expr;
        loop {
            steps.insert(self.ast[at].range);
            match &self.ast[at].kind {
                ExprKind::Paren(inner) => at = *inner,
                ExprKind::Member { base, arrow: false, .. } => at = *base,
                ExprKind::Index { base, .. } => {
                    let base_info = self.layer.facts.exprs.get(base);
                    match base_info.map(|info| self.sema.kind(info.ty.ty)) {
                        Some(TyKind::Array(..)) => at = *base,
                        _ => break,
                    }
                }
                _ => break,
            }
        }
        self.within_except(self.ast[expr].range, |range| steps.contains(&range))
    }

    /// The local variable that a designator names, through members and elements of arrays. `None` if it leads through a
    /// pointer or reference, or to something that is not local.
    pub(super) fn root(&self, expr: ExprId) -> Option<DeclId> {
        let mut at = expr;
        loop {
            match &self.ast[at].kind {
                ExprKind::Paren(inner) => at = *inner,
                ExprKind::Member { base, arrow: false, .. } => at = *base,
                ExprKind::Index { base, .. } => {
                    let info = self.layer.facts.exprs.get(base)?;
                    match self.sema.kind(info.ty.ty) {
                        TyKind::Array(..) | TyKind::Vector(..) | TyKind::Packed(..) | TyKind::Matrix(..) => at = *base,
                        _ => return None,
                    }
                }
                ExprKind::Path(path) => {
                    let item = self.layer.facts.refs.get(&path.last()?.token)?.first()?;
                    return self.local(item.decl);
                }
                _ => return None,
            }
        }
    }

    /// Whether something may refer to a local variable.
    pub(super) fn has_escaped(&self, local: DeclId) -> bool {
        self.escaped.contains(&local)
    }

    /// A local variable that is no reference.
    fn local(&self, decl: DeclId) -> Option<DeclId> {
        let DeclKind::Variable(variable) = &self.ast[decl].kind else { return None };
        let is_local = matches!(
            variable.kind,
            VariableKind::Local | VariableKind::Param | VariableKind::Binding | VariableKind::Capture
        );
        let ty = self.type_of(decl);
        (is_local && !self.sema.is_ref(ty.ty) && self.sema.storage(decl, ty) == Space::Thread).then_some(decl)
    }

    /// The declared type of a variable.
    pub(super) fn type_of(&self, decl: DeclId) -> QualTy {
        let known = self.layer.facts.variables.get(&decl).copied();
        known.unwrap_or_else(|| self.sema.variable_type(DeclRef { decl, bind: msl_ty::store::BindId::NONE }))
    }

    /// What one expression does itself, without what it consists of.
    fn of_node(&self, expr: ExprId) -> Effects {
        let mut effects = Effects::default();
        let info = self.layer.facts.exprs.get(&expr);
        match &self.ast[expr].kind {
            ExprKind::Assign { op, lhs, .. } => {
                self.designate(*lhs, &mut effects.writes);
                if op.is_some() {
                    self.designate(*lhs, &mut effects.reads);
                }
            }
            ExprKind::Unary {
                op: UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec,
                operand,
                ..
            } => {
                self.designate(*operand, &mut effects.writes);
                self.designate(*operand, &mut effects.reads);
            }
            ExprKind::Unary { op: UnaryOp::Deref, .. }
            | ExprKind::Index { .. }
            | ExprKind::Member { arrow: true, .. } => {
                let is_constant = info.is_some_and(|info| info.place() == Space::Constant);
                effects.reads.memory |= self.root(expr).is_none() && !is_constant;
            }
            ExprKind::Path(path) => {
                let refs = path.last().and_then(|last| self.layer.facts.refs.get(&last.token));
                for item in refs.into_iter().flatten() {
                    if matches!(self.ast[item.decl].kind, DeclKind::Variable(_)) {
                        self.designate(expr, &mut effects.reads);
                    }
                }
            }
            ExprKind::This => effects.reads.memory = true,
            ExprKind::Call { args, .. } => {
                effects.calls = true;
                let called = self.layer.facts.callees.get(&expr).map(|&item| self.of_callee(item));
                let called = called.unwrap_or_else(Effects::everything);
                if !called.is_pure() {
                    // What is handed over may be written.
                    for &arg in args {
                        self.designate(arg, &mut effects.writes);
                    }
                }
                effects.add(&called);
            }
            ExprKind::Lambda(_) | ExprKind::StmtExpr(_) | ExprKind::Removed { .. } | ExprKind::Error => {
                effects.add(&Effects::everything());
            }
            _ => {}
        }
        if !matches!(self.ast[expr].kind, ExprKind::Call { .. })
            && let Some(&item) = self.layer.facts.callees.get(&expr)
        {
            effects.add(&self.of_callee(item));
            if let ExprKind::Binary { lhs, .. } = &self.ast[expr].kind
                && !effects.is_pure()
            {
                self.designate(*lhs, &mut effects.writes);
            }
        }
        effects
    }

    fn designate(&self, expr: ExprId, touched: &mut Touched) {
        match self.root(expr) {
            Some(local) => {
                touched.locals.insert(local);
                touched.memory |= self.escaped.contains(&local);
            }
            None => {
                let place = self.layer.facts.exprs.get(&expr).map(|info| info.place());
                touched.memory |= !matches!(place, Some(Space::Constant | Space::None));
            }
        }
    }

    /// What a function may do, by its signature: Metal has no variables at program scope that can be written, so a
    /// function that is given only values gives only its result.
    fn of_callee(&self, item: DeclRef) -> Effects {
        let mut effects = Effects::default();
        let signature = self.sema.signature(item);
        let DeclKind::Function(function) = &self.ast[item.decl].kind else { return Effects::everything() };
        let is_constructor = function.role == FunctionRole::Constructor;
        if signature.unknown
            || signature.invalid
            || !is_constructor && matches!(self.sema.kind(signature.ret.ty), TyKind::Void)
        {
            return Effects::everything();
        }
        let of_library = self.sema.is_library(item.decl);
        for param in &signature.params {
            match self.sema.kind(param.ty.ty) {
                // Samplers, and options such as `level` and `bias`.
                TyKind::Record(decl, _) if of_library && self.sema.is_library(*decl) => effects.reads.memory = true,
                TyKind::LRef(inner) | TyKind::RRef(inner)
                    if inner.cv.contains(Cv::CONST) && self.is_value(inner.ty) =>
                {
                    effects.reads.memory = true;
                }
                _ if self.is_value(param.ty.ty) => {}
                _ => return Effects::everything(),
            }
        }
        if let Some(this) = &signature.this
            && !is_constructor
        {
            if !this.cv.contains(Cv::CONST) {
                return Effects::everything();
            }
            effects.reads.memory = true;
            // An object may lead to memory that a constant member function writes: a texture that can be written.
            let is_read_only = match of_library {
                true => !self.sema.spell_ty(this.class).contains("write"),
                false => self.is_value(this.class),
            };
            if !is_read_only {
                return Effects::everything();
            }
        }
        effects
    }

    /// Whether a value of a type leads nowhere else.
    pub(super) fn is_value(&self, ty: Ty) -> bool {
        self.is_value_within(ty, 8)
    }

    fn is_value_within(&self, ty: Ty, fuel: u32) -> bool {
        match self.sema.kind(ty) {
            TyKind::Scalar(_) | TyKind::Vector(..) | TyKind::Packed(..) | TyKind::Matrix(..) | TyKind::Enum(..) => true,
            TyKind::Array(inner, _) => self.is_value_within(inner.ty, fuel),
            TyKind::Record(decl, _) if !self.sema.is_library(*decl) && fuel > 0 => {
                self.sema.record_info(ty).is_some_and(|info| {
                    info.bases.is_empty()
                        && self
                            .sema
                            .fields(&info)
                            .iter()
                            .all(|&field| self.is_value_within(self.sema.variable_type(field).ty, fuel - 1))
                })
            }
            _ => false,
        }
    }

    /// Local variables whose address is taken, that a reference is bound to, that decay, or that a lambda may capture.
    fn find_escaped(&self) -> FxHashSet<DeclId> {
        let mut escaped = FxHashSet::default();
        let mut indexed: FxHashSet<ExprId> = FxHashSet::default();
        let mut lambdas: Vec<TokenRange> = Vec::new();
        for (_, data) in self.ast.own_exprs() {
            match &data.kind {
                ExprKind::Unary { op: UnaryOp::AddrOf, operand, .. } => escaped.extend(self.root(*operand)),
                ExprKind::Index { base, .. } => {
                    indexed.insert(*base);
                }
                ExprKind::Member { base, arrow: false, .. } => {
                    indexed.insert(*base);
                }
                ExprKind::Lambda(_) => lambdas.push(data.range),
                _ => {}
            }
        }
        for (expr, data) in self.ast.own_exprs() {
            let Some(local) = self.root(expr) else { continue };
            let is_array = self
                .layer
                .facts
                .exprs
                .get(&expr)
                .is_some_and(|info| matches!(self.sema.kind(info.ty.ty), TyKind::Array(..)));
            let in_lambda = lambdas.iter().any(|range| range.start <= data.range.start && data.range.end <= range.end);
            if is_array && !indexed.contains(&expr) || in_lambda {
                escaped.insert(local);
            }
        }
        for (decl, data) in self.ast.own_decls() {
            let DeclKind::Variable(variable) = &data.kind else { continue };
            if !self.sema.is_ref(self.type_of(decl).ty) {
                continue;
            }
            match &variable.init {
                Init::Assign(init) | Init::Brace(init) => self.bound(*init, &mut escaped),
                Init::Paren(inits) => inits.iter().for_each(|&init| self.bound(init, &mut escaped)),
                Init::None => {}
                // Bound to something of the statement around it.
                Init::Implied => escaped.extend(self.ast.own_exprs().filter_map(|(expr, _)| self.root(expr))),
            }
        }
        escaped
    }

    /// The local variables that a reference may refer to which is bound to an expression.
    fn bound(&self, expr: ExprId, into: &mut FxHashSet<DeclId>) {
        let mut open = vec![expr];
        while let Some(expr) = open.pop() {
            if let Some(local) = self.root(expr) {
                into.insert(local);
                continue;
            }
            match &self.ast[expr].kind {
                ExprKind::Paren(inner) => open.push(*inner),
                ExprKind::Conditional { then, otherwise, .. } => open.extend([*then, *otherwise]),
                // A pointer leads on, and where to is nothing that a name says.
                ExprKind::Member { base, arrow, .. } if !arrow => open.push(*base),
                ExprKind::Index { base, .. } => {
                    let info = self.layer.facts.exprs.get(base);
                    if !info.is_some_and(|info| matches!(self.sema.kind(info.ty.ty), TyKind::Pointer(_))) {
                        open.push(*base);
                    }
                }
                ExprKind::Path(_) | ExprKind::Member { .. } | ExprKind::Unary { op: UnaryOp::Deref, .. } => {}
                _ => into.extend(self.roots_within(expr)),
            }
        }
    }

    fn roots_within(&self, expr: ExprId) -> Vec<DeclId> {
        let outer = self.ast[expr].range;
        let within = |range: TokenRange| outer.start <= range.start && range.end <= outer.end;
        self.ast.own_exprs().filter(|(_, data)| within(data.range)).filter_map(|(expr, _)| self.root(expr)).collect()
    }
}
