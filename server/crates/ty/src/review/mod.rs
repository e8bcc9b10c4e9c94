//! The review of a body that was checked: what compiles and is most likely not what the author meant.
//!
//! The walk goes over the statements in the order in which they run, after the check, so that the meaning of every name
//! and the type of every expression is known. It looks at functions as they are written, not at instances of templates,
//! and says nothing where something depends on template parameters or is not understood.
//!
//! Vocabulary:
//!
//! * A place is *live* unless a condition around it is constant or depends on template parameters. What a computation
//!   gives is judged at live places alone: a branch for another size of an array is no mistake. See [`reach`].
//! * A *use* says what becomes of an expression: its value is read, it is written to, or something that is not followed
//!   may read and write it. See [`uses`].
//! * An expression has *effects* if leaving it out could make a difference beyond its value. See [`unused`].
//!
//! [`values`] looks at operators and indices, [`precedence`] at operators that bind tighter than it looks, [`unused`] at what is computed or declared for nothing, [`uses`] at what is
//! read before it has a value, [`reach`] at statements that cannot be reached or are empty.

mod precedence;
mod reach;
mod unused;
mod uses;
mod values;

use msl_parser::ParsedBody;
use msl_parser::ast::*;
use msl_preproc::Token;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::expr::{Checker, ExprInfo};
use crate::sema::{Cx, DeclRef};
use crate::store::*;
use uses::{Tracked, Use};

/// Walks a checked body.
struct Review<'c, 'a> {
    checker: &'c Checker<'a>,
    cx: Cx,
    /// The function stands under template parameters.
    is_templated: bool,
    /// How many conditions around this place may keep it from running in every program.
    unsure: u32,
    in_lambda: bool,
    /// The loops around this place, outermost first.
    loops: Vec<StmtId>,
    /// Variables that are declared without a value.
    tracked: FxHashMap<DeclId, Tracked>,
    /// Variables that are conditions, which reads them.
    tested: FxHashSet<DeclId>,
    /// The statements that declare one variable and nothing else.
    sole: FxHashMap<DeclId, TokenRange>,
    /// Something is nested too deeply or jumps too freely to be followed.
    gave_up: bool,
}

/// Reviews a body; `tokens` are the body's. `checker` has checked it with its template parameters open.
pub(crate) fn review_body(checker: &Checker<'_>, function: DeclId, body: &ParsedBody, tokens: &[Token]) {
    // Half-typed code is not what anyone meant.
    if !body.diagnostics.is_empty() {
        return;
    }
    let start = checker.sema.cx_of(DeclRef { decl: function, bind: BindId::NONE });
    let mut review = Review {
        checker,
        cx: Cx { before_local: body.ast.start().decls, ..start },
        is_templated: crate::check::is_templated(&checker.sema, function),
        unsure: 0,
        in_lambda: false,
        loops: Vec::new(),
        tracked: FxHashMap::default(),
        tested: FxHashSet::default(),
        sole: FxHashMap::default(),
        gave_up: false,
    };
    review.stmt(body.root);
    if !review.gave_up {
        review.report_uninitialized();
        review.report_unused(body, tokens);
    }
}

impl<'a> Review<'_, 'a> {
    fn ast(&self) -> &'a Ast {
        self.checker.ast()
    }

    fn info(&self, expr: ExprId) -> Option<ExprInfo> {
        self.checker.info_of(expr)
    }

    /// The type of an expression, references taken off, if it is known for good.
    fn solid(&self, expr: ExprId) -> Option<Ty> {
        let info = self.info(expr).filter(|info| self.checker.is_solid(info))?;
        Some(self.checker.sema.strip_ref(info.ty).ty)
    }

    fn kind_of(&self, expr: ExprId) -> Option<&'a TyKind> {
        Some(self.checker.kind(self.solid(expr)?))
    }

    /// What an operator or call calls, if it is a function.
    fn callee(&self, expr: ExprId) -> Option<DeclRef> {
        self.checker.facts.callees.get(&expr).copied()
    }

    /// The declaration that a path names, if it is one.
    fn named(&self, path: &Path) -> Option<DeclId> {
        let refs = self.checker.facts.refs.get(&path.last()?.token)?;
        match &**refs {
            [item] => Some(item.decl),
            _ => None,
        }
    }

    fn unparenthesized(&self, mut expr: ExprId) -> ExprId {
        while let ExprKind::Paren(inner) = self.ast()[expr].kind {
            expr = inner;
        }
        expr
    }

    fn stmt(&mut self, stmt: StmtId) {
        let checker = self.checker;
        if !checker.sema.enter() {
            self.gave_up = true;
            return;
        }
        let scope = self.cx.scope;
        self.stmt_inner(stmt);
        self.cx.scope = scope;
        checker.sema.leave();
    }

    fn stmt_inner(&mut self, stmt: StmtId) {
        let ast = self.ast();
        match &ast[stmt].kind {
            StmtKind::Null | StmtKind::Break | StmtKind::Continue => {}
            StmtKind::Error | StmtKind::Asm | StmtKind::Goto(_) | StmtKind::Label { .. } | StmtKind::Try { .. } => {
                self.gave_up = true;
            }
            StmtKind::Compound { stmts, scope } => {
                self.cx.scope = *scope;
                self.check_reached(stmts);
                for &inner in stmts {
                    if let StmtKind::Decl(decls) = &ast[inner].kind
                        && let [only] = **decls
                    {
                        self.sole.insert(only, ast[inner].range);
                    }
                    self.stmt(inner);
                }
            }
            StmtKind::Expr(expr) => self.discarded(*expr),
            StmtKind::Decl(decls) => {
                for &decl in decls {
                    self.declaration(decl);
                }
            }
            StmtKind::If { init, cond, then, otherwise, scope, .. } => {
                self.cx.scope = *scope;
                if let Some(init) = init {
                    self.stmt(*init);
                }
                self.condition(*cond);
                self.check_empty_branch(*then, *otherwise);
                let (runs, runs_otherwise) = match cond.expr() {
                    Some(cond) => self.branches(cond),
                    None => (true, true),
                };
                self.where_live(runs, |review| review.stmt(*then));
                if let Some(otherwise) = otherwise {
                    self.where_live(runs_otherwise, |review| review.stmt(*otherwise));
                }
            }
            StmtKind::Switch { init, cond, body, scope } => {
                self.cx.scope = *scope;
                if let Some(init) = init {
                    self.stmt(*init);
                }
                match *cond {
                    Condition::Expr(cond) => self.expr(cond, Use::Read),
                    Condition::Decl(decl) => self.tested_declaration(decl),
                    Condition::Error => self.gave_up = true,
                }
                let is_live = cond.expr().is_none_or(|cond| !self.is_constant_shape(cond));
                self.where_live(is_live, |review| review.stmt(*body));
            }
            StmtKind::Case { stmt, .. } | StmtKind::Default { stmt } => self.stmt(*stmt),
            StmtKind::While { cond, body, scope, .. } => {
                self.cx.scope = *scope;
                self.loop_condition(stmt, *cond);
                let is_live = cond.expr().is_none_or(|cond| self.branches(cond).0);
                self.in_loop(stmt, |review| review.where_live(is_live, |review| review.stmt(*body)));
            }
            StmtKind::Do { body, cond, .. } => {
                self.in_loop(stmt, |review| {
                    review.stmt(*body);
                    review.condition(Condition::Expr(*cond));
                });
            }
            StmtKind::For { init, cond, step, body, scope, .. } => {
                self.cx.scope = *scope;
                if let Some(init) = init {
                    self.stmt(*init);
                }
                if let Some(cond) = cond {
                    self.loop_condition(stmt, *cond);
                }
                let is_live = cond.and_then(Condition::expr).is_none_or(|cond| self.branches(cond).0);
                self.in_loop(stmt, |review| {
                    review.where_live(is_live, |review| review.stmt(*body));
                    if let Some(step) = step {
                        review.discarded(*step);
                    }
                });
            }
            StmtKind::RangeFor { init, var, range, body, scope, .. } => {
                self.cx.scope = *scope;
                if let Some(init) = init {
                    self.stmt(*init);
                }
                self.expr(*range, Use::Place);
                self.see(*var);
                self.in_loop(stmt, |review| review.stmt(*body));
            }
            StmtKind::Return(value) => {
                if let Some(value) = *value {
                    let returned = self.checker.ret.filter(|_| !self.in_lambda);
                    let how = returned.map_or(Use::Place, |ty| self.use_as(ty.ty));
                    self.expr(value, how);
                }
            }
        }
    }

    fn in_loop(&mut self, stmt: StmtId, look: impl FnOnce(&mut Self)) {
        self.loops.push(stmt);
        look(self);
        self.loops.pop();
    }

    /// Looks at something that runs, or does so in some programs only.
    fn where_live(&mut self, is_live: bool, look: impl FnOnce(&mut Self)) {
        self.unsure += u32::from(!is_live);
        look(self);
        self.unsure -= u32::from(!is_live);
    }

    /// An expression whose value is not used.
    fn discarded(&mut self, expr: ExprId) {
        self.check_discarded(expr);
        self.expr(expr, Use::Discard);
    }

    fn condition(&mut self, cond: Condition) {
        match cond {
            Condition::Expr(expr) => {
                self.check_assigned_condition(expr);
                self.expr(expr, Use::Read);
            }
            Condition::Decl(decl) => self.tested_declaration(decl),
            Condition::Error => self.gave_up = true,
        }
    }

    /// The condition of `for` and `while`: it is evaluated once before the loop can have changed anything, all of it if
    /// nothing in it is skipped.
    fn loop_condition(&mut self, stmt: StmtId, cond: Condition) {
        match cond {
            Condition::Expr(expr) if self.skips(expr) => self.in_loop(stmt, |review| review.condition(cond)),
            _ => self.condition(cond),
        }
    }

    fn skips(&self, expr: ExprId) -> bool {
        match &self.ast()[self.unparenthesized(expr)].kind {
            ExprKind::Binary { op: BinaryOp::And | BinaryOp::Or, .. } | ExprKind::Conditional { .. } => true,
            ExprKind::Binary { lhs, rhs, .. } => {
                self.checker.sema.deeper(|| self.skips(*lhs) || self.skips(*rhs)).unwrap_or(true)
            }
            _ => false,
        }
    }

    /// Makes a declaration of the body visible from here on.
    fn see(&mut self, decl: DeclId) {
        self.cx.before_local = self.cx.before_local.max(decl.0 + 1);
    }

    /// `if (int n = count())`.
    fn tested_declaration(&mut self, decl: DeclId) {
        self.tested.insert(decl);
        self.declaration(decl);
    }

    fn declaration(&mut self, decl: DeclId) {
        let ast = self.ast();
        self.see(decl);
        match &ast[decl].kind {
            DeclKind::Variable(variable) => {
                let ty = self.checker.facts.variables.get(&decl).copied().unwrap_or(QualTy::UNKNOWN);
                let how = self.use_as(ty.ty);
                match &variable.init {
                    Init::None => self.track(decl, variable, ty),
                    Init::Implied => {}
                    Init::Assign(init) | Init::Brace(init) => self.expr(*init, how),
                    Init::Paren(args) => {
                        for &arg in args {
                            self.expr(arg, how);
                        }
                    }
                }
            }
            DeclKind::StructuredBinding { names, init, .. } => {
                if let Some(init) = init {
                    self.expr(*init, Use::Place);
                }
                for &name in names {
                    self.see(name);
                }
            }
            DeclKind::Record(record) => {
                for &member in &record.members {
                    self.see(member);
                }
            }
            DeclKind::Enum(enumeration) => {
                for &enumerator in &enumeration.enumerators {
                    self.see(enumerator);
                }
            }
            _ => {}
        }
    }

    fn expr(&mut self, expr: ExprId, how: Use) {
        let checker = self.checker;
        if !checker.sema.enter() {
            self.gave_up = true;
            return;
        }
        self.expr_inner(expr, how);
        checker.sema.leave();
    }

    fn exprs(&mut self, exprs: &[ExprId], how: Use) {
        for &expr in exprs {
            self.expr(expr, how);
        }
    }

    fn expr_inner(&mut self, expr: ExprId, how: Use) {
        let ast = self.ast();
        // An overloaded operator takes its operands as it likes.
        let is_overloaded = || self.callee(expr).is_some();
        match &ast[expr].kind {
            ExprKind::Path(path) => self.mention_path(path, how, false),
            ExprKind::Paren(inner) => self.expr(*inner, how),
            ExprKind::Unary { op, operand, .. } => {
                let of_operand = match op {
                    _ if is_overloaded() => Use::Place,
                    UnaryOp::AddrOf | UnaryOp::Extension => Use::Place,
                    UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => Use::Update,
                    UnaryOp::Deref | UnaryOp::Plus | UnaryOp::Minus | UnaryOp::Not | UnaryOp::BitNot => Use::Read,
                };
                let inner = self.unparenthesized(*operand);
                if let (UnaryOp::AddrOf, ExprKind::Index { base, args }) = (op, &ast[inner].kind) {
                    // The address right behind an array may be taken.
                    self.index(inner, *base, args, of_operand, true);
                } else {
                    self.expr(*operand, of_operand);
                }
            }
            ExprKind::Binary { op, lhs, rhs, .. } => {
                if is_overloaded() {
                    self.exprs(&[*lhs, *rhs], Use::Place);
                    return;
                }
                match op {
                    BinaryOp::Comma => {
                        self.discarded(*lhs);
                        self.expr(*rhs, how);
                    }
                    BinaryOp::And | BinaryOp::Or => {
                        self.expr(*lhs, Use::Read);
                        let (if_true, if_false) = self.branches(*lhs);
                        let is_live = if *op == BinaryOp::And { if_true } else { if_false };
                        self.where_live(is_live, |review| review.expr(*rhs, Use::Read));
                    }
                    _ => {
                        self.check_binary(expr, *op, *lhs, *rhs);
                        self.exprs(&[*lhs, *rhs], Use::Read);
                    }
                }
            }
            ExprKind::Assign { op, lhs, rhs, .. } => {
                if is_overloaded() {
                    self.exprs(&[*rhs, *lhs], Use::Place);
                    return;
                }
                self.check_assignment(expr, *op, *lhs, *rhs);
                let ty = self.info(*lhs).map_or(Ty::UNKNOWN, |info| info.ty.ty);
                self.expr(*rhs, self.use_as(ty));
                self.expr(*lhs, if op.is_some() { Use::Update } else { Use::Write });
            }
            ExprKind::Conditional { cond, then, otherwise } => {
                self.expr(*cond, Use::Read);
                let (if_true, if_false) = self.branches(*cond);
                let how = match how {
                    Use::Write | Use::Update => Use::Place,
                    other => other,
                };
                self.where_live(if_true, |review| review.expr(*then, how));
                self.where_live(if_false, |review| review.expr(*otherwise, how));
            }
            ExprKind::Call { callee, args } => self.call(expr, *callee, args),
            ExprKind::Index { base, args } => self.index(expr, *base, args, how, false),
            ExprKind::Member { base, arrow, .. } => self.part(*base, *arrow, how),
            ExprKind::CCast { operand, .. } | ExprKind::NamedCast { operand, .. } => {
                let ty = self.info(expr).map_or(Ty::UNKNOWN, |info| info.ty.ty);
                let is_object = self.info(expr).is_none_or(|info| info.category != crate::expr::Category::PrValue);
                let how = if ty == Ty::VOID {
                    Use::Discard
                } else if is_object {
                    Use::Place
                } else {
                    self.use_as(ty)
                };
                self.expr(*operand, how);
            }
            ExprKind::Construct { args, .. } => {
                let ty = self.info(expr).map_or(Ty::UNKNOWN, |info| info.ty.ty);
                self.exprs(args, self.use_as(ty));
            }
            ExprKind::InitList(items) => self.exprs(items, if how == Use::Read { Use::Read } else { Use::Place }),
            ExprKind::Designated { value, .. } => self.expr(*value, Use::Place),
            ExprKind::Lambda(lambda) => self.lambda(lambda),
            // What stands in these is not evaluated.
            ExprKind::SizeofType { .. }
            | ExprKind::SizeofExpr { .. }
            | ExprKind::SizeofPack { .. }
            | ExprKind::TypeTrait { .. }
            | ExprKind::Noexcept(_) => {}
            ExprKind::Fold { lhs, rhs, .. } => {
                for side in [lhs, rhs].into_iter().flatten() {
                    self.expr(*side, Use::Place);
                }
            }
            ExprKind::Expansion(inner) => self.expr(*inner, Use::Place),
            ExprKind::StmtExpr(stmt) => {
                // The last expression is the value.
                let last = match &ast[*stmt].kind {
                    StmtKind::Compound { stmts, .. } => stmts.last().map(|&last| &ast[last].kind),
                    _ => None,
                };
                if let Some(StmtKind::Expr(value)) = last {
                    self.expr(*value, Use::Place);
                }
                self.stmt(*stmt);
            }
            ExprKind::Removed { operands, .. } => self.exprs(operands, Use::Place),
            ExprKind::Error => self.gave_up = true,
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::String(_)
            | ExprKind::Bool(_)
            | ExprKind::Nullptr
            | ExprKind::This => {}
        }
    }

    fn call(&mut self, expr: ExprId, callee: ExprId, args: &[ExprId]) {
        let ast = self.ast();
        let function = self.callee(expr);
        let called = self.unparenthesized(callee);
        match &ast[called].kind {
            ExprKind::Member { base, arrow, .. } => self.expr(*base, if *arrow { Use::Read } else { Use::Place }),
            ExprKind::Path(_) if function.is_some() => {}
            _ => self.expr(called, Use::Place),
        }
        let signature = function.map(|function| self.checker.sema.signature(function));
        for (number, &arg) in args.iter().enumerate() {
            let param = signature.as_ref().and_then(|signature| signature.params.get(number));
            let is_value = param.is_some_and(|param| !self.checker.sema.is_ref(param.ty.ty))
                && self.solid(arg).is_some_and(|ty| self.checker.is_value_type(ty));
            if let (Some(param), Some(info)) = (param, self.info(arg)) {
                self.checker.check_constant_conversion(arg, &info, param.ty);
            }
            self.expr(arg, if is_value { Use::Read } else { Use::Place });
        }
    }

    fn index(&mut self, expr: ExprId, base: ExprId, args: &[ExprId], how: Use, may_be_end: bool) {
        self.exprs(args, Use::Read);
        match self.kind_of(base) {
            _ if self.callee(expr).is_some() => self.expr(base, Use::Place),
            Some(TyKind::Pointer(_)) => self.expr(base, Use::Read),
            Some(TyKind::Array(..)) => {
                self.check_bounds(base, args, may_be_end);
                self.part(base, false, how);
            }
            Some(TyKind::Vector(..) | TyKind::Packed(..) | TyKind::Matrix(..)) => self.part(base, false, how),
            _ => self.expr(base, Use::Place),
        }
    }

    /// A part of an object: of a vector, an array, a structure.
    fn part(&mut self, base: ExprId, arrow: bool, how: Use) {
        if arrow {
            return self.expr(base, Use::Read);
        }
        let how = match how {
            // A write to one part leaves the others as they are.
            Use::Write => Use::Place,
            other => other,
        };
        let inner = self.unparenthesized(base);
        match &self.ast()[inner].kind {
            ExprKind::Path(path) => self.mention_path(path, how, true),
            _ => self.expr(inner, how),
        }
    }

    fn lambda(&mut self, lambda: &Lambda) {
        for capture in &lambda.captures {
            match capture {
                Capture::Name { token, .. } => self.mention_token(*token, Use::Place, false),
                Capture::Init { decl, .. } => self.declaration(*decl),
                Capture::This { .. } => {}
            }
        }
        let outer = (self.cx, std::mem::replace(&mut self.in_lambda, true), std::mem::take(&mut self.loops));
        self.cx.scope = lambda.scope;
        self.stmt(lambda.body);
        let seen = self.cx.before_local;
        (self.cx, self.in_lambda, self.loops) = outer;
        self.cx.before_local = seen;
    }
}
