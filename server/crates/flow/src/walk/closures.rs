//! Lambdas: functions of their own, whose inputs include the variables around them.
//!
//! What a lambda captured by copy is what the variable was when the lambda was created; what it captured by reference
//! is what the variable is when the lambda is called, and a call can change it.

use super::calls::Passed;
use super::*;

impl<'a> Walker<'a> {
    /// Creates a closure: its summary is made, and what it copies is copied.
    pub(super) fn lambda(&mut self, expr: ExprId, lambda: &'a Lambda) {
        for capture in &lambda.captures {
            if let Capture::Init { decl, .. } = capture
                && let DeclKind::Variable(variable) = &self.ast()[*decl].kind
            {
                let init = match &variable.init {
                    Init::Assign(init) => Some(*init),
                    Init::Paren(args) => args.first().copied(),
                    Init::Brace(list) => match &self.ast()[*list].kind {
                        ExprKind::InitList(items) => items.first().copied(),
                        _ => None,
                    },
                    _ => None,
                };
                let Some(init) = init else { continue };
                let ty = self.variable_type(*decl);
                let node = self.rvalue(init);
                self.store(&Place::of(Root::Copied(expr, *decl)), ty, &node);
            }
        }
        let summary = self.closure_summary(expr, lambda);
        for input in &summary.inputs {
            if let Input::Capture(decl, steps) = input
                && self.is_copied(lambda, *decl)
                && !is_init_capture(lambda, *decl)
                && let Some(from) = self.follow(&Place::of(Root::Local(*decl)), steps)
            {
                let value = self.load(Some(&from), Holder::default(), TokenRange::default());
                let to = Place { root: Root::Copied(expr, *decl), steps: steps.clone() };
                if let Some(state) = &mut self.state {
                    state.insert(to, value);
                }
            }
        }
        if self.recording && !self.summary.closures.iter().any(|(own, _)| *own == expr) {
            self.summary.closures.push((expr, summary));
        }
    }

    fn closure_summary(&mut self, expr: ExprId, lambda: &'a Lambda) -> Arc<Summary> {
        if let Some(known) = self.shared.closures.borrow().get(&expr) {
            return Arc::clone(known);
        }
        // A lambda that is met inside of itself says nothing new.
        self.shared.closures.borrow_mut().insert(expr, Arc::default());
        let (env, ast, local) = (self.sema.env, self.sema.ast, self.sema.local);
        let (shared, code) = (self.shared.clone(), Code::Lambda(lambda, self.cx));
        let summary = walk_until_settled(|roots, recording| {
            let mut walker = Walker::new(Sema::new(env, ast, local), shared.clone(), code, roots);
            walker.recording = recording;
            walker.parameters();
            walker.stmt(lambda.body);
            walker.leave_function();
            (walker.roots, walker.summary)
        });
        let summary = Arc::new(summary);
        self.shared.closures.borrow_mut().insert(expr, Arc::clone(&summary));
        summary
    }

    /// Whether a lambda keeps a copy of a variable.
    fn is_copied(&self, lambda: &Lambda, decl: DeclId) -> bool {
        let name = self.sema.decl_name(decl);
        for capture in &lambda.captures {
            match capture {
                Capture::Name { name: own, mode, .. } if Some(*own) == name => return *mode == CaptureMode::Copy,
                Capture::Init { decl: own, .. } if *own == decl => return true,
                _ => {}
            }
        }
        lambda.default_capture == Some(CaptureMode::Copy)
    }

    /// The lambda of this body that an expression's type is the closure of.
    pub(super) fn closure_of(&self, expr: ExprId) -> Option<(ExprId, &'a Lambda)> {
        let info = self.view.info(expr)?;
        let ty = match self.sema.kind(info.ty.ty) {
            TyKind::LRef(inner) | TyKind::RRef(inner) => inner.ty,
            _ => info.ty.ty,
        };
        let TyKind::Closure(closure, _) = self.sema.kind(ty) else { return None };
        let (start, end) = (self.ast().start().exprs, self.ast().end().exprs);
        if closure.0 < start || closure.0 >= end {
            return None;
        }
        match &self.ast()[*closure].kind {
            ExprKind::Lambda(lambda) => Some((*closure, lambda)),
            _ => None,
        }
    }

    /// A call of a closure of this body.
    pub(super) fn call_closure(&mut self, expr: ExprId, closure: (ExprId, &'a Lambda), args: &[ExprId]) -> Node {
        let range = self.ast()[expr].range;
        let (of, lambda) = closure;
        let params: Vec<QualTy> = match &self.ast()[lambda.ty].kind {
            TypeKind::Function(written) => written.params.iter().map(|&param| self.variable_type(param)).collect(),
            _ => Vec::new(),
        };
        let mut passed = self.arguments(&params, false, args);
        self.captures(of, lambda, &mut passed);
        let number = self.record_call(CallSite::Expr(expr), range, Callee::Closure(of), passed);
        self.result(expr, number, range)
    }

    /// A closure goes where it cannot be followed: it may be called there with arguments that nobody knows.
    pub(super) fn closure_leaves(&mut self, expr: ExprId) {
        if let Some((of, lambda)) = self.closure_of(expr) {
            let range = self.ast()[expr].range;
            let mut passed = Passed::default();
            self.captures(of, lambda, &mut passed);
            self.record_call(CallSite::Leaving(expr), range, Callee::Closure(of), passed);
        }
    }

    /// What a lambda finds in the variables around it.
    fn captures(&mut self, of: ExprId, lambda: &'a Lambda, passed: &mut Passed) {
        let summary = self.closure_summary(of, lambda);
        for input in &summary.inputs {
            match input {
                Input::Capture(decl, steps) if self.is_copied(lambda, *decl) => {
                    let place = Place { root: Root::Copied(of, *decl), steps: steps.clone() };
                    let value = self.load(Some(&place), Holder::default(), TokenRange::default());
                    passed.args.push((input.clone(), value));
                }
                Input::Capture(decl, steps) => {
                    if let Some(place) = self.follow(&Place::of(Root::Local(*decl)), steps) {
                        let value = self.load(Some(&place), Holder::default(), TokenRange::default());
                        passed.args.push((input.clone(), value));
                        let output = Output::Capture(*decl, steps.clone());
                        if summary.output(&output).is_some() {
                            passed.left.push((place, output));
                        }
                    }
                }
                // `this` and what it leads to are those of the function around.
                Input::Param(THIS, _) => {
                    let value = self.this_value(TokenRange::default());
                    passed.args.push((input.clone(), value));
                }
                Input::Behind(THIS, steps) => {
                    let place = Place { root: Root::Behind(THIS), steps: steps.clone() };
                    let value = self.load(Some(&place), Holder::default(), TokenRange::default());
                    passed.args.push((input.clone(), value));
                    let output = Output::Behind(THIS, steps.clone());
                    if summary.output(&output).is_some() {
                        passed.left.push((place, output));
                    }
                }
                _ => {}
            }
        }
        // A variable that only the lambda assigns is an output without being an input.
        for (output, _) in &summary.outputs {
            if let Output::Capture(decl, steps) = output
                && !self.is_copied(lambda, *decl)
                && !passed.left.iter().any(|(_, own)| own == output)
                && let Some(place) = self.follow(&Place::of(Root::Local(*decl)), steps)
            {
                passed.left.push((place, output.clone()));
            }
        }
    }
}

fn is_init_capture(lambda: &Lambda, decl: DeclId) -> bool {
    lambda.captures.iter().any(|capture| matches!(capture, Capture::Init { decl: own, .. } if *own == decl))
}
