//! Statements: branches, loops, returns and declarations.

use super::calls::pointing_at;
use super::*;

impl<'a> Walker<'a> {
    pub(super) fn stmt(&mut self, stmt: StmtId) {
        if self.state.is_none() || !self.step() {
            return;
        }
        self.stmt_inner(stmt);
        self.sema.leave();
    }

    pub(super) fn stmt_inner(&mut self, stmt: StmtId) {
        let ast = self.ast();
        let outer = self.cx.scope;
        match &ast[stmt].kind {
            StmtKind::Compound { stmts, scope } => {
                self.cx.scope = *scope;
                for &inner in stmts {
                    self.stmt(inner);
                }
            }
            StmtKind::Expr(expr) => {
                self.rvalue(*expr);
            }
            StmtKind::Decl(decls) => {
                for &decl in decls {
                    self.declare(decl);
                }
            }
            StmtKind::If { is_constexpr, init, cond, then, otherwise, scope } => {
                self.cx.scope = *scope;
                if let Some(init) = init {
                    self.stmt(*init);
                }
                let taken = match (is_constexpr, cond) {
                    (true, Condition::Expr(cond)) => {
                        self.sema.evaluate_in(*cond, self.cx).int().map(|value| value != 0)
                    }
                    _ => None,
                };
                let (yes, no) = self.head(*cond);
                self.state = if taken == Some(false) { None } else { yes };
                self.stmt(*then);
                let after = std::mem::replace(&mut self.state, if taken == Some(true) { None } else { no });
                if let Some(otherwise) = otherwise {
                    self.stmt(*otherwise);
                }
                self.state = join_states(after, self.state.take(), self);
            }
            StmtKind::Switch { init, cond, body, scope } => {
                self.cx.scope = *scope;
                if let Some(init) = init {
                    self.stmt(*init);
                }
                let (start, _) = self.head(*cond);
                self.breaks.push(None);
                // Every label can be reached from the head, and nothing before the first one.
                self.state = None;
                let has_default = self.switch_body(*body, &start);
                let broken = self.breaks.pop().flatten();
                let fallen = self.state.take();
                let state = join_states(fallen, broken, self);
                self.state = if has_default { state } else { join_states(state, start, self) };
            }
            StmtKind::Case { stmt, .. } | StmtKind::Default { stmt } | StmtKind::Label { stmt, .. } => self.stmt(*stmt),
            StmtKind::While { cond, body, scope, unroll } => {
                self.cx.scope = *scope;
                let head = TokenRange::new(ast[stmt].range.start, ast[*body].range.start);
                self.run_loop(stmt, head, None, *unroll, |walker| {
                    let (yes, no) = walker.head(*cond);
                    walker.state = yes;
                    walker.stmt(*body);
                    no
                });
            }
            StmtKind::Do { body, cond, unroll } => {
                let head = TokenRange::new(ast[stmt].range.start, ast[stmt].range.start + 1);
                self.run_loop(stmt, head, None, *unroll, |walker| {
                    walker.stmt(*body);
                    walker.rejoin_continues();
                    let (yes, no) = walker.condition(*cond);
                    walker.state = yes;
                    no
                });
            }
            StmtKind::For { init, cond, step, body, scope, unroll } => {
                self.cx.scope = *scope;
                if let Some(init) = init {
                    self.stmt(*init);
                }
                let head = TokenRange::new(ast[stmt].range.start, ast[*body].range.start);
                let trips = trip_count(&self.sema, self.cx, *init, *cond, *step);
                let outer = self.unrolled.len();
                self.unrolled.extend(unrolled_counter(ast, *init, trips, *unroll));
                self.run_loop(stmt, head, trips, *unroll, |walker| {
                    let (yes, no) = match cond {
                        Some(cond) => walker.head(*cond),
                        None => (walker.state.take(), None),
                    };
                    walker.state = yes;
                    walker.stmt(*body);
                    walker.rejoin_continues();
                    if let Some(step) = step
                        && walker.state.is_some()
                    {
                        walker.rvalue(*step);
                    }
                    no
                });
                self.unrolled.truncate(outer);
            }
            StmtKind::RangeFor { init, var, range, body, scope, unroll } => {
                self.cx.scope = *scope;
                if let Some(init) = init {
                    self.stmt(*init);
                }
                let node = self.lvalue(*range);
                let head = TokenRange::new(ast[stmt].range.start, ast[*body].range.start);
                let count = self.view.info(*range).and_then(|info| match self.sema.kind(info.ty.ty) {
                    TyKind::Array(_, msl_ty::store::ArrayLen::Known(len)) => Some(*len),
                    _ => None,
                });
                if let Some(place) = &node.place {
                    self.roots.opaque.insert(place.root);
                }
                self.declared.insert(*var);
                let ty = self.variable_type(*var);
                let is_reference = matches!(self.sema.kind(ty.ty), TyKind::LRef(_) | TyKind::RRef(_));
                let element = node.place.as_ref().map(|place| place.then(Step::Element));
                self.run_loop(stmt, head, count, *unroll, |walker| {
                    let out = walker.state.clone();
                    let own = Place::of(Root::Local(*var));
                    if is_reference {
                        let of = Node { address: node.address.clone(), place: element.clone(), ..Node::default() };
                        walker.set(own, pointing_at(&of));
                    } else {
                        let of = Node { place: element.clone(), address: node.address.clone(), ..Node::default() };
                        let value = match walker.is_generic_pointer(ty.ty) {
                            true => walker.part(&of, &[]),
                            false => Value::default(),
                        };
                        walker.store_declared(&own, ty, &Node { value, ..of });
                    }
                    walker.stmt(*body);
                    out
                });
            }
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.return_value(*value);
                }
                self.leave_function();
            }
            StmtKind::Break => {
                let state = self.state.take();
                if let Some(broken) = self.breaks.pop() {
                    let joined = join_states(broken, state, self);
                    self.breaks.push(joined);
                }
            }
            StmtKind::Continue => {
                let state = self.state.take();
                if let Some(continued) = self.continues.pop() {
                    let joined = join_states(continued, state, self);
                    self.continues.push(joined);
                }
            }
            StmtKind::Try { body, .. } => self.stmt(*body),
            StmtKind::Goto(_) | StmtKind::Asm => self.summary.is_partial = true,
            StmtKind::Error | StmtKind::Null => {}
        }
        self.cx.scope = outer;
    }

    /// Walks the body of a switch; says whether it has a `default`.
    fn switch_body(&mut self, body: StmtId, start: &Option<State>) -> bool {
        let ast = self.ast();
        let StmtKind::Compound { stmts, scope } = &ast[body].kind else {
            self.state.clone_from(start);
            self.stmt(body);
            return false;
        };
        let outer = std::mem::replace(&mut self.cx.scope, *scope);
        let mut has_default = false;
        for &inner in stmts {
            let mut at = inner;
            loop {
                at = match &ast[at].kind {
                    StmtKind::Case { stmt, .. } => *stmt,
                    StmtKind::Default { stmt } => {
                        has_default = true;
                        *stmt
                    }
                    _ => break,
                };
            }
            if at != inner {
                self.state = join_states(self.state.take(), start.clone(), self);
            }
            if let StmtKind::Decl(decls) = &ast[inner].kind {
                // Declared in front of the first label.
                self.declared.extend(decls);
            }
            self.stmt(inner);
        }
        self.cx.scope = outer;
        has_default
    }

    pub(super) fn head(&mut self, cond: Condition) -> (Option<State>, Option<State>) {
        match cond {
            Condition::Expr(expr) => self.condition(expr),
            Condition::Decl(decl) => {
                self.declare(decl);
                let ty = self.variable_type(decl);
                match self.sema.kind(ty.ty) {
                    TyKind::Pointer(_) => self.refine_null(Some(Place::of(Root::Local(decl)))),
                    _ => (self.state.clone(), self.state.take()),
                }
            }
            Condition::Error => (self.state.clone(), self.state.take()),
        }
    }

    pub(super) fn rejoin_continues(&mut self) {
        if let Some(continued) = self.continues.pop() {
            self.state = join_states(self.state.take(), continued, self);
            self.continues.push(None);
        }
    }

    /// Runs a loop until its state does not change, and then once more to note what happens in it. `round` walks the
    /// loop once and gives the state in which its condition fails.
    pub(super) fn run_loop(
        &mut self,
        stmt: StmtId,
        head: TokenRange,
        trip_count: Option<u64>,
        unroll: Unroll,
        mut round: impl FnMut(&mut Walker<'a>) -> Option<State>,
    ) {
        let number = match self.loop_numbers.get(&stmt) {
            Some(&number) => number,
            None => {
                let is_unrolled = matches!(unroll, Unroll::Full | Unroll::Count(_));
                self.summary.loops.push(Loop { range: head, trip_count, is_unrolled });
                let number = self.summary.loops.len() as u32 - 1;
                self.loop_numbers.insert(stmt, number);
                number
            }
        };
        let recording = std::mem::replace(&mut self.recording, false);
        self.loops.push(number);
        let mut entry = self.state.clone();
        for _ in 0..MAX_ROUNDS {
            self.breaks.push(None);
            self.continues.push(None);
            self.state = entry.clone();
            round(self);
            self.breaks.pop();
            let continued = self.continues.pop().flatten();
            let back = join_states(self.state.take(), continued, self);
            let next = join_states(entry.clone(), back, self);
            if next == entry {
                break;
            }
            entry = next;
        }
        self.recording = recording;
        self.breaks.push(None);
        self.continues.push(None);
        self.state = entry.clone();
        let out = round(self);
        let broken = self.breaks.pop().flatten();
        self.continues.pop();
        self.loops.pop();
        self.state = join_states(out, broken, self);
    }

    pub(super) fn return_value(&mut self, value: ExprId) {
        let is_reference =
            self.ret.is_some_and(|ret| matches!(self.sema.kind(ret.ty), TyKind::LRef(_) | TyKind::RRef(_)));
        let node = if is_reference {
            let node = self.lvalue(value);
            Node { value: pointing_at(&node), ..node }
        } else if let ExprKind::InitList(items) = &self.ast()[value].kind {
            self.init_list(value, items, self.ret)
        } else {
            self.rvalue(value)
        };
        self.closure_leaves(value);
        let ty = match (self.ret, self.view.info(value)) {
            (Some(ret), _) if self.sema.store().is_solid(ret.ty) => ret,
            (_, Some(info)) => QualTy::plain(self.sema.decayed(info.ty)),
            (Some(ret), None) => ret,
            (None, None) => return,
        };
        if !self.recording {
            return;
        }
        if is_reference || matches!(self.sema.kind(ty.ty), TyKind::Pointer(_)) {
            self.output(Output::Return(Steps::new()), &node.value);
            return;
        }
        for steps in self.leaves(ty, Root::Temporary(0)) {
            if !steps.contains(&Step::Deref) {
                let part = self.part(&node, &steps);
                self.output(Output::Return(steps), &part);
            }
        }
    }

    pub(super) fn declare(&mut self, decl: DeclId) {
        let ast = self.ast();
        let DeclKind::Variable(variable) = &ast[decl].kind else { return };
        self.declared.insert(decl);
        let ty = self.view.variable(decl).unwrap_or(QualTy::UNKNOWN);
        let place = Place::of(Root::Local(decl));
        if let TyKind::LRef(_) | TyKind::RRef(_) = self.sema.kind(ty.ty) {
            let init = match &variable.init {
                Init::Assign(init) => Some(*init),
                Init::Paren(args) => args.first().copied(),
                Init::Brace(list) => match &ast[*list].kind {
                    ExprKind::InitList(items) => items.first().copied(),
                    _ => None,
                },
                _ => None,
            };
            if let Some(init) = init {
                let node = self.object_node(init);
                let address = pointing_at(&node);
                self.set(place, address);
            }
            return;
        }
        if let Some(constructor) = self.view.constructor(decl)
            && !self.sema.is_library(constructor.decl)
        {
            let args: Vec<ExprId> = match &variable.init {
                Init::Paren(args) => args.to_vec(),
                Init::Brace(list) => match &ast[*list].kind {
                    ExprKind::InitList(items) => items.to_vec(),
                    _ => Vec::new(),
                },
                _ => Vec::new(),
            };
            let range = self.name_range(decl);
            let address = self.space_value(Space::Thread, Some(place.clone()), range);
            let object = Node { address, place: Some(place), ..Node::default() };
            self.call_at(CallSite::Variable(decl), range, constructor, Some(object), &args);
            return;
        }
        match &variable.init {
            Init::Assign(init) => match &ast[*init].kind {
                ExprKind::InitList(items) => self.init_list_into(items, Some(ty), &place),
                _ => {
                    let node = self.rvalue(*init);
                    self.store_declared(&place, ty, &node);
                }
            },
            Init::Brace(list) => {
                if let ExprKind::InitList(items) = &ast[*list].kind {
                    self.init_list_into(items, Some(ty), &place);
                }
            }
            Init::Paren(args) => {
                let nodes: Vec<Node> = args.iter().map(|&arg| self.rvalue(arg)).collect();
                if let [node] = &*nodes {
                    self.store_declared(&place, ty, &node.clone());
                }
            }
            _ => {}
        }
    }

    /// Stores an initial value; a pointer to thread memory is kept as well, for what it leads to.
    pub(super) fn store_declared(&mut self, place: &Place, ty: QualTy, node: &Node) {
        if matches!(self.sema.kind(ty.ty), TyKind::Pointer(_)) {
            self.set(place.clone(), node.value.clone());
        } else {
            self.store(place, ty, node);
        }
    }
}

/// The counter of a loop that the compiler unrolls whole.
fn unrolled_counter(ast: &Ast, init: Option<StmtId>, trips: Option<u64>, unroll: Unroll) -> Option<DeclId> {
    let trips = trips?;
    let is_whole = match unroll {
        Unroll::Full => true,
        Unroll::Count(count) => u64::from(count) >= trips,
        Unroll::Disable | Unroll::Unspecified => false,
    };
    let StmtKind::Decl(decls) = &ast[init?].kind else { return None };
    decls.first().copied().filter(|_| is_whole)
}
