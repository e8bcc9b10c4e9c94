//! Calls and construction: what goes into a call, what comes out of it.

use super::*;

impl<'a> Walker<'a> {
    pub(super) fn operator_call(&mut self, expr: ExprId, operands: &[ExprId]) -> Node {
        let Some(callee) = self.view.callee(expr) else { return Node::default() };
        let signature = self.sema.signature(callee);
        if signature.this.is_some() {
            let object = self.object_node(operands[0]);
            return self.call_with(expr, callee, Some(object), &operands[1..]);
        }
        self.call_with(expr, callee, None, operands)
    }

    pub(super) fn object_node(&mut self, expr: ExprId) -> Node {
        if self.view.info(expr).is_some_and(|info| info.is_lvalue() || info.is_xvalue()) {
            self.lvalue(expr)
        } else {
            let node = self.rvalue(expr);
            self.materialized(expr, node)
        }
    }

    pub(super) fn call(&mut self, expr: ExprId, callee: ExprId, args: &[ExprId]) -> Node {
        let ast = self.ast();
        let range = ast[expr].range;
        let Some(target) = self.view.callee(expr) else {
            // Through a pointer, a table or a closure, or not known.
            self.rvalue(callee);
            for &arg in args {
                let node = self.rvalue(arg);
                self.escape(&node);
            }
            return self.unknown_result(expr, range);
        };
        let mut inner = callee;
        while let ExprKind::Paren(next) = &ast[inner].kind {
            inner = *next;
        }
        let has_this = self.sema.signature(target).this.is_some()
            && !matches!(&ast[target.decl].kind, DeclKind::Function(function) if function.role == FunctionRole::Constructor);
        let object = match &ast[inner].kind {
            ExprKind::Member { base, arrow, .. } => {
                let node = if *arrow {
                    let pointer = self.rvalue(*base);
                    let place = self.target(&pointer.value);
                    Node { address: pointer.value, place, ..Node::default() }
                } else {
                    self.object_node(*base)
                };
                has_this.then_some(node)
            }
            ExprKind::Path(_) if has_this => {
                let address = self.this_value(range);
                Some(Node { address, place: Some(Place::of(Root::Behind(THIS))), ..Node::default() })
            }
            // An object with `operator()`.
            _ if has_this => Some(self.object_node(inner)),
            _ => None,
        };
        self.call_with(expr, target, object, args)
    }

    pub(super) fn call_with(&mut self, expr: ExprId, callee: DeclRef, object: Option<Node>, args: &[ExprId]) -> Node {
        let range = self.ast()[expr].range;
        if self.sema.is_library(callee.decl) {
            let passed = self.passed(callee, object.as_ref(), args).0;
            return self.library_result(expr, callee, &passed);
        }
        match self.call_at(CallSite::Expr(expr), range, callee, object, args) {
            Some(number) => self.result(expr, number, range),
            None => self.unknown_result(expr, range),
        }
    }

    /// What a call passes, and the tracked objects that it makes reachable for its callee.
    #[allow(clippy::type_complexity)]
    pub(super) fn passed(
        &mut self,
        callee: DeclRef,
        object: Option<&Node>,
        args: &[ExprId],
    ) -> (Vec<(Input, Value)>, Vec<(u32, Place, QualTy)>) {
        let is_library = self.sema.is_library(callee.decl);
        let signature = self.sema.signature(callee);
        let mut passed: Vec<(Input, Value)> = Vec::new();
        let mut reachable: Vec<(u32, Place, QualTy)> = Vec::new();
        if let (Some(object), Some(this)) = (object, &signature.this) {
            passed.push((Input::Param(THIS, Steps::new()), object.address.clone()));
            let place = object.place.clone().or_else(|| self.target(&object.address));
            if let Some(place) = place {
                reachable.push((THIS, place, QualTy::plain(this.class)));
            }
        }
        for (index, &arg) in args.iter().enumerate() {
            let index = index as u32;
            let Some(param) = signature.params.get(index as usize) else {
                self.rvalue(arg);
                continue;
            };
            match self.sema.kind(param.ty.ty) {
                TyKind::LRef(inner) | TyKind::RRef(inner) => {
                    let node = match self.view.info(arg) {
                        Some(info) if (info.is_lvalue() || info.is_xvalue()) && !info.is_component() => {
                            self.lvalue(arg)
                        }
                        _ => {
                            let node = self.rvalue(arg);
                            self.materialized(arg, node)
                        }
                    };
                    passed.push((Input::Param(index, Steps::new()), node.address.clone()));
                    let place = node.place.clone().or_else(|| self.target(&node.address));
                    if let Some(place) = place {
                        reachable.push((index, place, *inner));
                    }
                }
                TyKind::Pointer(inner) => {
                    let node = self.rvalue(arg);
                    let info = self.view.info(arg);
                    if is_library
                        && inner.space == Space::Generic
                        && info.is_some_and(|info| self.is_generic_pointer(self.sema.decayed(info.ty)))
                    {
                        // Atomics and the like access what they are given.
                        self.access(arg, self.ast()[arg].range, &node.value);
                    }
                    if let Some(place) = self.target(&node.value) {
                        reachable.push((index, place, *inner));
                    }
                    passed.push((Input::Param(index, Steps::new()), node.value));
                }
                TyKind::Record(..) => {
                    let node = self.rvalue(arg);
                    for steps in self.leaves(param.ty) {
                        let value = self.part(&node, &steps);
                        passed.push((Input::Param(index, steps), value));
                    }
                }
                _ => {
                    self.rvalue(arg);
                }
            }
        }
        (passed, reachable)
    }

    /// A call of a function of the program: its number, or `None` if its body is not here.
    pub(super) fn call_at(
        &mut self,
        site: CallSite,
        range: TokenRange,
        callee: DeclRef,
        object: Option<Node>,
        args: &[ExprId],
    ) -> Option<u32> {
        let definition = self.sema.definition(callee);
        let (mut passed, reachable) = self.passed(callee, object.as_ref(), args);
        let number = match self.call_numbers.get(&site) {
            Some(&number) => number,
            None => {
                let number = self.summary.calls.len() as u32;
                self.call_numbers.insert(site, number);
                self.summary.calls.push(Call {
                    range,
                    callee: definition,
                    args: Vec::new(),
                    loops: self.loops.clone(),
                });
                number
            }
        };
        for (param, place, ty) in &reachable {
            for steps in self.leaves(*ty) {
                let at = place.join(&steps);
                let before = self.load(Some(&at), range);
                passed.push((Input::Behind(*param, steps.clone()), before));
                let after = if definition.is_some() {
                    Value::new(SourceKind::Output(number, Output::Behind(*param, steps)), range)
                } else {
                    Value::new(SourceKind::Memory, range)
                };
                self.set(at, after);
            }
        }
        if self.recording {
            let call = &mut self.summary.calls[number as usize];
            for (input, value) in passed {
                match call.args.iter_mut().find(|(own, _)| *own == input) {
                    Some((_, own)) => own.join(&value),
                    None => call.args.push((input, value)),
                }
            }
        }
        definition.map(|_| number)
    }

    pub(super) fn result(&mut self, expr: ExprId, number: u32, range: TokenRange) -> Node {
        let Some(info) = self.view.info(expr) else { return Node::default() };
        let output = Value::new(SourceKind::Output(number, Output::Return(Steps::new())), range);
        if info.is_lvalue() || info.is_xvalue() {
            let address =
                if info.place() == Space::Generic { output } else { self.space_value(info.place(), None, range) };
            return Node { address, ..Node::default() };
        }
        match self.sema.kind(info.ty.ty) {
            TyKind::Pointer(_) => {
                let value = self.declared(info.ty.ty, range).unwrap_or(output);
                Node { value, ..Node::default() }
            }
            TyKind::Record(..) => Node { parts: Parts::Call(number), ..Node::default() },
            _ => Node::default(),
        }
    }

    pub(super) fn unknown_result(&mut self, expr: ExprId, range: TokenRange) -> Node {
        let outside = Value::new(SourceKind::Outside, range);
        match self.view.info(expr) {
            Some(info) if info.is_lvalue() || info.is_xvalue() => {
                let address =
                    if info.place() == Space::Generic { outside } else { self.space_value(info.place(), None, range) };
                Node { address, ..Node::default() }
            }
            Some(info) => {
                let value = self.declared(info.ty.ty, range).unwrap_or(outside);
                Node { value, ..Node::default() }
            }
            None => Node::default(),
        }
    }

    /// Functions of the library give back no generic pointers but those they are given.
    pub(super) fn library_result(&mut self, expr: ExprId, callee: DeclRef, passed: &[(Input, Value)]) -> Node {
        let range = self.ast()[expr].range;
        if let Some(spaces) = self.space_test(callee)
            && let Some((_, pointer)) = passed.first()
        {
            self.test(TestKind::Is(spaces), range, pointer);
        }
        self.unknown_result(expr, range)
    }

    /// The space that `is_…_addrspace` tests for.
    pub(super) fn space_test(&self, callee: DeclRef) -> Option<Spaces> {
        let builtin = msl_builtins::Library::get().facts(callee.decl)?.builtin?;
        test_of(builtin)
    }

    pub(super) fn construct(&mut self, expr: ExprId, args: &[ExprId], braces: bool) -> Node {
        let range = self.ast()[expr].range;
        let info = self.view.info(expr);
        if let Some(callee) = self.view.callee(expr)
            && !self.sema.is_library(callee.decl)
        {
            self.temporaries += 1;
            let place = Place::of(Root::Temporary(self.temporaries));
            let address = self.space_value(Space::Thread, Some(place.clone()), range);
            let object = Node { address, place: Some(place.clone()), ..Node::default() };
            self.call_with(expr, callee, Some(object), args);
            return Node { parts: Parts::At(place), ..Node::default() };
        }
        if braces
            && let [list] = args
            && let ExprKind::InitList(items) = &self.ast()[*list].kind
        {
            return self.init_list(expr, items, info.map(|info| info.ty));
        }
        let mut last = Node::default();
        for &arg in args {
            last = self.rvalue(arg);
        }
        match info.map(|info| self.sema.kind(info.ty.ty)) {
            Some(TyKind::Pointer(_)) if args.len() == 1 => self.cast(expr, args[0], None),
            // A copy.
            Some(TyKind::Record(..)) if args.len() == 1 => Node { parts: last.parts, ..Node::default() },
            _ => Node::default(),
        }
    }

    /// An aggregate's parts in order (C++17 [dcl.init.aggr]).
    pub(super) fn init_list(&mut self, expr: ExprId, items: &[ExprId], ty: Option<QualTy>) -> Node {
        self.temporaries += 1;
        let place = Place::of(Root::Temporary(self.temporaries));
        self.init_list_into(items, ty, &place);
        let _ = expr;
        Node { parts: Parts::At(place), ..Node::default() }
    }

    pub(super) fn init_list_into(&mut self, items: &[ExprId], ty: Option<QualTy>, place: &Place) {
        let fields: Vec<(Step, QualTy)> = match ty.map(|ty| self.sema.kind(ty.ty)) {
            Some(TyKind::Record(..)) => match ty.and_then(|ty| self.sema.record_info(ty.ty)) {
                Some(info) => self
                    .sema
                    .fields(&info)
                    .into_iter()
                    .map(|field| (Step::Field(field.decl), self.sema.variable_type(field)))
                    .collect(),
                None => Vec::new(),
            },
            Some(TyKind::Array(elem, _)) => vec![(Step::Element, *elem); items.len()],
            Some(TyKind::Pointer(_)) => {
                if let [item] = items {
                    let node = self.rvalue(*item);
                    if let Some(ty) = ty {
                        self.store(place, ty, &node);
                    }
                }
                return;
            }
            _ => Vec::new(),
        };
        let mut position = 0;
        for &item in items {
            let (value, index) = match &self.ast()[item].kind {
                ExprKind::Designated { field: Some(name), value, .. } => {
                    let index = fields.iter().position(|(step, _)| match step {
                        Step::Field(decl) => self.sema.decl_name(*decl) == Some(*name),
                        Step::Element => false,
                    });
                    (*value, index.unwrap_or(position))
                }
                _ => (item, position),
            };
            position = index + 1;
            match fields.get(index) {
                Some((step, field_ty)) => {
                    let target = place.then(*step);
                    if let ExprKind::InitList(inner) = &self.ast()[value].kind {
                        self.init_list_into(inner, Some(*field_ty), &target);
                    } else {
                        let node = self.rvalue(value);
                        self.store(&target, *field_ty, &node);
                    }
                }
                None => {
                    self.rvalue(value);
                }
            }
        }
    }

    /// A lambda's body runs where it stands, with unknown arguments: its captures are the variables around it.
    pub(super) fn lambda(&mut self, lambda: &Lambda) {
        let outer = self.cx;
        self.cx.scope = lambda.scope;
        let before = self.state.clone();
        self.stmt(lambda.body);
        // It may run any number of times, or never.
        self.state = join_states(before, self.state.take(), self);
        self.cx = outer;
    }
}
