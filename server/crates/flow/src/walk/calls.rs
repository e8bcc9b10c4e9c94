//! Calls and construction: what goes into a call, what comes out of it.

use super::*;

/// What a call is given.
#[derive(Default)]
pub(super) struct Passed {
    pub(super) args: Vec<(Input, Value)>,
    /// Where the arguments stand, by parameter.
    pub(super) places: Vec<(u32, TokenRange)>,
    /// Tracked places that the callee can change, and the output that says to what.
    pub(super) left: Vec<(Place, Output)>,
    /// The objects that the callee is given a way to.
    pub(super) objects: Vec<Place>,
}

impl Passed {
    /// Passes a pointer; one element of an array counts among all of them as well, for a callee that uses a variable
    /// as index.
    fn pass(&mut self, input: Input, value: Value) {
        let all = input.with_steps(without_indices(input.steps()));
        if all != input {
            self.join(all, &value);
        }
        self.join(input, &value);
    }

    fn join(&mut self, input: Input, value: &Value) {
        match self.args.iter_mut().find(|(own, _)| *own == input) {
            Some((_, own)) => own.join(value),
            None => self.args.push((input, value.clone())),
        }
    }
}

/// The address of what a node designates, with the tracked object that it is.
pub(super) fn pointing_at(node: &Node) -> Value {
    let mut address = node.address.clone();
    if let (Some(target), [source]) = (&node.place, &mut *address.sources)
        && let SourceKind::Space(_, own) = &mut source.kind
    {
        // The address of an object is that of its parts, as far as spaces go.
        *own = Some(target.clone());
    }
    address
}

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
            if let Some(closure) = self.closure_of(callee) {
                self.rvalue(callee);
                return self.call_closure(expr, closure, args);
            }
            // A call that no overload fits is an error of its own, and takes nobody's address.
            let names_function = self.names_function(callee);
            // Through a pointer or a table, or not known.
            if !names_function {
                self.rvalue(callee);
            }
            for &arg in args {
                let node = self.rvalue(arg);
                self.escape(&node.value);
                self.closure_leaves(arg);
            }
            return match self.view.info(callee) {
                Some(info)
                    if !names_function
                        && !matches!(self.sema.kind(info.ty.ty), TyKind::Unknown | TyKind::Dependent) =>
                {
                    self.unknown_result(expr, range)
                }
                _ => Node { value: Value::limited(), address: Value::limited(), ..Node::default() },
            };
        };
        let mut inner = callee;
        while let ExprKind::Paren(next) = &ast[inner].kind {
            inner = *next;
        }
        let has_this = self.sema.signature(target).this.is_some()
            && !matches!(&ast[target.decl].kind, DeclKind::Function(function) if function.role == FunctionRole::Constructor);
        let object = match &ast[inner].kind {
            ExprKind::Member { base, arrow, .. } => {
                let node = if *arrow { self.arrow_object(*base) } else { self.object_node(*base) };
                has_this.then_some(node)
            }
            ExprKind::Path(path) if has_this && !self.is_variable(path) => {
                let address = self.this_value(range);
                let place = self.target(&address);
                Some(Node { address, place, ..Node::default() })
            }
            // An object with `operator()`.
            _ if has_this => Some(self.object_node(inner)),
            _ => None,
        };
        self.call_with(expr, target, object, args)
    }

    /// Whether an expression that is called is the name of a function.
    fn names_function(&self, callee: ExprId) -> bool {
        match &self.ast()[callee].kind {
            ExprKind::Paren(inner) => self.names_function(*inner),
            ExprKind::Path(path) => {
                let found = self.sema.lookup_path(path, self.cx);
                found.items.first().is_some_and(|item| matches!(self.ast()[item.decl].kind, DeclKind::Function(_)))
            }
            _ => false,
        }
    }

    /// Whether a name that is called is that of an object.
    fn is_variable(&self, path: &Path) -> bool {
        let found = self.sema.lookup_path(path, self.cx);
        found.items.first().is_some_and(|item| matches!(self.ast()[item.decl].kind, DeclKind::Variable(_)))
    }

    /// The object that `base->` leads to, through an overloaded operator if there is one.
    pub(super) fn arrow_object(&mut self, base: ExprId) -> Node {
        let pointer = match self.view.info(base).map(|info| (info.ty, self.sema.kind(self.sema.decayed(info.ty)))) {
            Some((ty, TyKind::Record(..))) => self.overloaded_arrow(base, ty),
            _ => self.rvalue(base).value,
        };
        self.used(self.ast()[base].range, &pointer);
        let place = self.target(&pointer);
        Node { address: pointer, place, ..Node::default() }
    }

    /// What the `operator->` of a class gives.
    fn overloaded_arrow(&mut self, base: ExprId, ty: QualTy) -> Value {
        let range = self.ast()[base].range;
        let object = self.object_node(base);
        // The token behind the object is the arrow, and the operator that it stands for was noted there.
        let token = range.end;
        let facts = [Some(self.view.own), self.view.generic].into_iter().flatten();
        let callee = facts.filter_map(|facts| facts.refs.get(&token)).flatten().next().copied();
        let Some(callee) = callee.filter(|callee| self.sema.signature(*callee).this.is_some()) else {
            let _ = ty;
            return Value::limited();
        };
        let number = self.call_at(CallSite::Expr(base), range, callee, Some(object), &[]);
        let ret = self.sema.signature(callee).ret;
        match (self.sema.kind(ret.ty), number) {
            (TyKind::Pointer(inner), _) if inner.space.is_named() => Value::in_space(inner.space, range),
            (TyKind::Pointer(_), Some(number)) => {
                Value::new(SourceKind::Output(number, Output::Return(Steps::new())), range)
            }
            (TyKind::Pointer(_), None) => Value::new(SourceKind::Outside, range),
            _ => Value::limited(),
        }
    }

    pub(super) fn call_with(&mut self, expr: ExprId, callee: DeclRef, object: Option<Node>, args: &[ExprId]) -> Node {
        let range = self.ast()[expr].range;
        if self.sema.is_library(callee.decl) {
            let passed = self.passed(callee, object.as_ref(), args);
            return self.library_result(expr, callee, &passed.args);
        }
        match self.call_at(CallSite::Expr(expr), range, callee, object, args) {
            Some(number) => self.result(expr, number, range),
            None => self.unknown_result(expr, range),
        }
    }

    /// What a call passes, and the tracked objects that it makes reachable for its callee.
    pub(super) fn passed(&mut self, callee: DeclRef, object: Option<&Node>, args: &[ExprId]) -> Passed {
        let is_library = self.sema.is_library(callee.decl);
        let signature = self.sema.signature(callee);
        let params: Vec<QualTy> = signature.params.iter().map(|param| param.ty).collect();
        // Atomics and the like access what they are given; tests look at the address alone.
        let accesses = is_library && self.space_test(callee).is_none();
        let mut passed = self.arguments(&params, accesses, args);
        if let (Some(object), Some(this)) = (object, &signature.this) {
            passed.args.push((Input::Param(THIS, Steps::new()), object.address.clone()));
            let place = object.place.clone().or_else(|| self.target(&object.address));
            if let Some(place) = place {
                self.reach(&mut passed, THIS, &place, QualTy::plain(this.class));
            }
        }
        // A default argument that is null.
        for (index, param) in signature.params.iter().enumerate().skip(args.len()) {
            if let DeclKind::Variable(variable) = &self.ast()[param.decl].kind
                && let Init::Assign(init) = &variable.init
                && matches!(self.ast()[*init].kind, ExprKind::Nullptr)
            {
                passed.args.push((Input::Param(index as u32, Steps::new()), Value::default()));
            }
        }
        passed
    }

    pub(super) fn arguments(&mut self, params: &[QualTy], accesses: bool, args: &[ExprId]) -> Passed {
        let mut passed = Passed::default();
        for (index, &arg) in args.iter().enumerate() {
            passed.places.push((index as u32, self.ast()[arg].range));
            let index = index as u32;
            let Some(param) = params.get(index as usize) else {
                self.rvalue(arg);
                continue;
            };
            match self.sema.kind(param.ty) {
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
                    self.closure_leaves(arg);
                    let address = pointing_at(&node);
                    let place = node.place.clone().or_else(|| self.target(&address));
                    passed.args.push((Input::Param(index, Steps::new()), address));
                    if let Some(place) = place {
                        self.reach(&mut passed, index, &place, *inner);
                    }
                }
                TyKind::Pointer(inner) => {
                    let node = self.rvalue(arg);
                    let info = self.view.info(arg);
                    if accesses
                        && inner.space == Space::Generic
                        && info.is_some_and(|info| self.is_generic_pointer(self.sema.decayed(info.ty)))
                    {
                        self.access(arg, self.ast()[arg].range, &node.value);
                    }
                    if let Some(place) = self.target(&node.value) {
                        self.reach(&mut passed, index, &place, *inner);
                    }
                    passed.args.push((Input::Param(index, Steps::new()), node.value));
                }
                TyKind::Record(..) => {
                    let node = self.rvalue(arg);
                    for steps in self.leaves(*param, Root::Temporary(0)) {
                        self.pass_part(&mut passed, index, &node, steps);
                    }
                }
                _ => {
                    let node = self.rvalue(arg);
                    // A `T` that is deduced to be a pointer, and whatever else is not modelled.
                    if !node.value.sources.is_empty() {
                        passed.args.push((Input::Param(index, Steps::new()), node.value));
                    }
                    self.closure_leaves(arg);
                }
            }
        }
        passed
    }

    /// Passes a pointer inside an argument that is copied.
    fn pass_part(&mut self, passed: &mut Passed, index: u32, node: &Node, steps: Steps) {
        let deref = steps.iter().position(|step| *step == Step::Deref);
        match deref {
            None => {
                let value = self.part(node, &steps);
                passed.pass(Input::Param(index, steps), value);
            }
            Some(at) => {
                // What lies behind a pointer of the copy is the same object as before.
                let pointer = self.part(node, &steps[..at]);
                let Some(target) = self.target(&pointer) else { return };
                let Some(place) = self.follow(&target, &steps[at + 1..]) else { return };
                let value = self.load(Some(&place), Holder::default(), TokenRange::default());
                passed.left.push((place, Output::Behind(index, steps.clone())));
                passed.pass(Input::Behind(index, steps), value);
            }
        }
    }

    /// A tracked object becomes reachable for a callee.
    fn reach(&mut self, passed: &mut Passed, param: u32, place: &Place, ty: QualTy) {
        passed.objects.push(place.clone());
        for steps in self.leaves(ty, place.root) {
            let Some(at) = self.follow(place, &steps) else { continue };
            let before = self.load(Some(&at), Holder::default(), TokenRange::default());
            passed.pass(Input::Behind(param, steps.clone()), before);
            passed.left.push((at, Output::Behind(param, steps)));
        }
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
        let passed = self.passed(callee, object.as_ref(), args);
        let callee = definition.map_or(Callee::Outside, Callee::Function);
        let number = self.record_call(site, range, callee, passed);
        definition.map(|_| number)
    }

    /// Notes a call, and what it may have changed.
    pub(super) fn record_call(&mut self, site: CallSite, range: TokenRange, callee: Callee, passed: Passed) -> u32 {
        let number = match self.call_numbers.get(&site) {
            Some(&number) => number,
            None => {
                let number = self.summary.calls.len() as u32;
                self.call_numbers.insert(site, number);
                let loops = self.loops.clone();
                let places = passed.places.clone();
                self.summary.calls.push(Call { range, callee, args: Vec::new(), places, loops });
                number
            }
        };
        let mut changed: FxHashSet<&Place> = FxHashSet::default();
        for (place, output) in &passed.left {
            let after = match callee {
                Callee::Outside => Value::from_memory(Holder::default(), range),
                _ => Value::new(SourceKind::Output(number, output.clone()), range),
            };
            // An object that is reachable in two ways can be changed through either.
            if changed.insert(place) {
                self.set(place.clone(), after);
            } else {
                self.set_weakly(place.clone(), &after);
            }
        }
        self.reached.insert(number, passed.objects);
        if self.recording {
            let call = &mut self.summary.calls[number as usize];
            for (input, value) in passed.args {
                match call.args.iter_mut().find(|(own, _)| *own == input) {
                    Some((_, own)) => own.join(&value),
                    None => call.args.push((input, value)),
                }
            }
        }
        number
    }

    pub(super) fn result(&mut self, expr: ExprId, number: u32, range: TokenRange) -> Node {
        let Some(info) = self.view.info(expr) else { return Node::default() };
        let output = Value::new(SourceKind::Output(number, Output::Return(Steps::new())), range);
        if info.is_lvalue() || info.is_xvalue() {
            let address =
                if info.place() == Space::Generic { output } else { self.space_value(info.place(), None, range) };
            let place = Some(Place::of(Root::Returned(number)));
            return Node { address, place, ..Node::default() };
        }
        match self.sema.kind(info.ty.ty) {
            TyKind::Pointer(_) => {
                let value = self.declared_value(info.ty.ty, range).unwrap_or(output);
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
                let value = self.declared_value(info.ty.ty, range).unwrap_or(outside);
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
        let builtin = self.sema.env.library.facts(callee.decl)?.builtin?;
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
            Some(TyKind::Record(..)) if args.len() == 1 => {
                Node { parts: last.parts, place: last.place, ..Node::default() }
            }
            _ => Node::default(),
        }
    }

    /// An aggregate's parts in order (C++17 [dcl.init.aggr]).
    pub(super) fn init_list(&mut self, expr: ExprId, items: &[ExprId], ty: Option<QualTy>) -> Node {
        self.temporaries += 1;
        let place = Place::of(Root::Temporary(self.temporaries));
        let ty = ty.or_else(|| self.view.info(expr).map(|info| info.ty));
        self.init_list_into(items, ty, &place);
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
            Some(TyKind::Array(elem, _)) => {
                (0..items.len()).map(|index| (self.element(place.root, index as u64), *elem)).collect()
            }
            Some(TyKind::Pointer(_)) => {
                if items.is_empty() {
                    self.set(place.clone(), Value::default());
                }
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
                        _ => false,
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
}
