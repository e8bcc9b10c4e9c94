//! Expressions: values, addresses and the tracked objects they lead to.

use super::*;

impl<'a> Walker<'a> {
    pub(super) fn rvalue(&mut self, expr: ExprId) -> Node {
        if !self.step() {
            return Node::default();
        }
        let node = self.rvalue_inner(expr);
        self.sema.leave();
        node
    }

    pub(super) fn rvalue_inner(&mut self, expr: ExprId) -> Node {
        let ast = self.ast();
        let range = ast[expr].range;
        let info = self.view.info(expr);
        // The value of `c ? p : q` is either value, wherever the pointers themselves are kept.
        let is_choice = matches!(ast[expr].kind, ExprKind::Conditional { .. })
            && info.is_some_and(|info| matches!(self.sema.kind(info.ty.ty), TyKind::Pointer(_) | TyKind::Record(..)));
        if is_lvalue_form(&ast[expr].kind)
            && !is_choice
            && info.is_none_or(|info| info.is_lvalue() || info.is_xvalue() || info.is_overload_set())
        {
            let node = self.lvalue(expr);
            return self.loaded(expr, node, info, range);
        }
        match &ast[expr].kind {
            ExprKind::This => {
                let input = self.this_value(range);
                Node { value: input, ..Node::default() }
            }
            ExprKind::Paren(inner) => self.rvalue(*inner),
            ExprKind::Unary { op: UnaryOp::AddrOf, operand, .. } => {
                let node = self.lvalue(*operand);
                let value = match (&node.place, &*node.address.sources) {
                    // The address of a tracked object keeps the object.
                    (Some(place), [source]) => match &source.kind {
                        SourceKind::Space(spaces, None) => {
                            Value::new(SourceKind::Space(*spaces, Some(place.clone())), range)
                        }
                        _ => node.address.clone(),
                    },
                    _ => node.address.clone(),
                };
                Node { value, ..Node::default() }
            }
            ExprKind::Unary { op, operand, .. } => {
                if self.view.callee(expr).is_some() {
                    return self.operator_call(expr, &[*operand]);
                }
                let node = match op {
                    UnaryOp::PostInc | UnaryOp::PostDec => {
                        let node = self.lvalue(*operand);
                        self.touch(*operand, &node);
                        let info = self.view.info(*operand);
                        self.loaded_quietly(node, info, range)
                    }
                    _ => self.rvalue(*operand),
                };
                Node { value: node.value, ..Node::default() }
            }
            ExprKind::Binary { op, lhs, rhs, .. } => {
                if self.view.callee(expr).is_some() {
                    return self.operator_call(expr, &[*lhs, *rhs]);
                }
                if matches!(op, BinaryOp::And | BinaryOp::Or) {
                    self.condition_value(expr);
                    return Node::default();
                }
                let left = self.rvalue(*lhs);
                let right = self.rvalue(*rhs);
                match op {
                    BinaryOp::Comma => right,
                    BinaryOp::Add | BinaryOp::Sub => {
                        let is_pointer = |expr: ExprId| {
                            self.view.info(expr).is_some_and(|info| {
                                matches!(self.sema.kind(self.sema.decayed(info.ty)), TyKind::Pointer(_))
                            })
                        };
                        let side = if is_pointer(*rhs) && !is_pointer(*lhs) { right } else { left };
                        Node { value: side.value, ..Node::default() }
                    }
                    _ => Node::default(),
                }
            }
            ExprKind::Conditional { cond, then, otherwise } => {
                let (yes, no) = self.condition(*cond);
                self.state = yes;
                let first = self.rvalue(*then);
                let after = std::mem::replace(&mut self.state, no);
                let second = self.rvalue(*otherwise);
                self.state = join_states(after, self.state.take(), self);
                let mut value = first.value.clone();
                value.join(&second.value);
                if value.sources.len() == 1 {
                    value.sources[0].at = range;
                }
                let parts = match (first.parts, second.parts) {
                    (Parts::At(a), Parts::At(b)) if a == b => Parts::At(a),
                    _ => Parts::Unknown,
                };
                Node { value, parts, ..Node::default() }
            }
            ExprKind::Call { callee, args } => self.call(expr, *callee, args),
            ExprKind::CCast { ty: _, operand } => self.cast(expr, *operand, None),
            ExprKind::NamedCast { cast, operand, .. } => self.cast(expr, *operand, Some(*cast)),
            ExprKind::Construct { args, braces, .. } => self.construct(expr, args, *braces),
            ExprKind::InitList(items) => self.init_list(expr, items, None),
            ExprKind::Designated { value, .. } => self.rvalue(*value),
            ExprKind::Lambda(lambda) => {
                self.lambda(lambda);
                Node::default()
            }
            ExprKind::Expansion(inner) => self.rvalue(*inner),
            ExprKind::Fold { lhs, rhs, .. } => {
                for side in [lhs, rhs].into_iter().flatten() {
                    self.rvalue(*side);
                }
                Node::default()
            }
            ExprKind::StmtExpr(stmt) => {
                self.stmt(*stmt);
                Node { value: Value::new(SourceKind::Memory, range), ..Node::default() }
            }
            ExprKind::Removed { operands, .. } => {
                for &operand in operands {
                    self.rvalue(operand);
                }
                Node { value: Value::new(SourceKind::Memory, range), ..Node::default() }
            }
            _ => Node::default(),
        }
    }

    /// The lvalue-to-rvalue conversion.
    pub(super) fn loaded(&mut self, expr: ExprId, node: Node, info: Option<ExprInfo>, range: TokenRange) -> Node {
        self.touch(expr, &node);
        self.loaded_quietly(node, info, range)
    }

    pub(super) fn loaded_quietly(&mut self, node: Node, info: Option<ExprInfo>, range: TokenRange) -> Node {
        let Some(info) = info else { return node };
        let ty = info.ty.ty;
        match self.sema.kind(ty) {
            TyKind::Array(..) => {
                let value = match (&node.place, &*node.address.sources) {
                    (Some(place), [source]) => match &source.kind {
                        SourceKind::Space(spaces, _) => {
                            Value::new(SourceKind::Space(*spaces, Some(place.then(Step::Element))), source.at)
                        }
                        _ => node.address.clone(),
                    },
                    _ => node.address.clone(),
                };
                Node { value, ..Node::default() }
            }
            TyKind::Pointer(_) => {
                let value = match self.declared(ty, range) {
                    Some(mut value) => {
                        // A pointer to thread memory can lead to a tracked object.
                        if let Some(place) = &node.place
                            && let Some(stored) = self.state.as_ref().and_then(|state| state.get(place))
                            && let Some(target) = self.target(stored)
                            && let [source] = &mut *value.sources
                            && let SourceKind::Space(_, own) = &mut source.kind
                        {
                            *own = Some(target);
                        }
                        value
                    }
                    None => self.load(node.place.as_ref(), range),
                };
                Node { value, ..Node::default() }
            }
            TyKind::Record(..) => {
                let parts = node.place.clone().map_or(Parts::Unknown, Parts::At);
                Node { parts, place: node.place, address: node.address, ..Node::default() }
            }
            _ => Node::default(),
        }
    }

    pub(super) fn this_value(&mut self, at: TokenRange) -> Value {
        match self.sema.this_of(self.cx) {
            Some(this) if this.space == Space::Generic => {
                let input = self.input(Input::Param(THIS, Steps::new()));
                Value::new(SourceKind::Input(input), at)
            }
            Some(this) => self.space_value(this.space, Some(Place::of(Root::Behind(THIS))), at),
            None => Value::new(SourceKind::Memory, at),
        }
    }

    pub(super) fn lvalue(&mut self, expr: ExprId) -> Node {
        if !self.step() {
            return Node::default();
        }
        let node = self.lvalue_inner(expr);
        self.sema.leave();
        node
    }

    pub(super) fn lvalue_inner(&mut self, expr: ExprId) -> Node {
        let ast = self.ast();
        let range = ast[expr].range;
        match &ast[expr].kind {
            ExprKind::Paren(inner) => self.lvalue(*inner),
            ExprKind::Path(path) => self.name(expr, path),
            ExprKind::Member { base, arrow, member } => self.member(expr, *base, *arrow, member),
            ExprKind::Index { base, args } => {
                if self.view.callee(expr).is_some() {
                    let mut operands = vec![*base];
                    operands.extend(args.iter().copied());
                    return self.operator_call(expr, &operands);
                }
                self.index(*base, args)
            }
            ExprKind::Unary { op: UnaryOp::Deref, operand, .. } => {
                if self.view.callee(expr).is_some() {
                    return self.operator_call(expr, &[*operand]);
                }
                let pointer = self.rvalue(*operand);
                let place = self.target(&pointer.value);
                Node { address: pointer.value, place, ..Node::default() }
            }
            ExprKind::Unary { op: UnaryOp::PreInc | UnaryOp::PreDec, operand, .. } => {
                if self.view.callee(expr).is_some() {
                    return self.operator_call(expr, &[*operand]);
                }
                let node = self.lvalue(*operand);
                self.touch(*operand, &node);
                node
            }
            ExprKind::Assign { op, lhs, rhs, .. } => {
                if self.view.callee(expr).is_some() {
                    return self.operator_call(expr, &[*lhs, *rhs]);
                }
                let right = self.rvalue(*rhs);
                let left = self.lvalue(*lhs);
                self.touch(*lhs, &left);
                if op.is_none()
                    && let Some(info) = self.view.info(*lhs)
                {
                    match &left.place {
                        Some(place) => self.store(&place.clone(), info.ty, &right),
                        None => self.escape(&right),
                    }
                }
                left
            }
            ExprKind::Conditional { cond, then, otherwise } => {
                let (yes, no) = self.condition(*cond);
                self.state = yes;
                let first = self.lvalue(*then);
                let after = std::mem::replace(&mut self.state, no);
                let second = self.lvalue(*otherwise);
                self.state = join_states(after, self.state.take(), self);
                let mut address = first.address.clone();
                address.join(&second.address);
                let place = if first.place == second.place { first.place } else { None };
                Node { address, place, ..Node::default() }
            }
            ExprKind::Binary { op: BinaryOp::Comma, lhs, rhs, .. } => {
                self.rvalue(*lhs);
                self.lvalue(*rhs)
            }
            ExprKind::Call { callee, args } => self.call(expr, *callee, args),
            ExprKind::NamedCast { operand, .. } | ExprKind::CCast { operand, .. } => {
                let node = self.lvalue(*operand);
                match self.view.info(expr) {
                    Some(info) if info.place().is_named() => {
                        let address = self.space_value(info.place(), node.place.clone(), range);
                        Node { address, ..node }
                    }
                    _ => node,
                }
            }
            ExprKind::String(_) => Node::default(),
            // A value that something binds to: a temporary in thread memory.
            _ => {
                let node = self.rvalue(expr);
                self.materialized(expr, node)
            }
        }
    }

    pub(super) fn materialized(&mut self, expr: ExprId, node: Node) -> Node {
        let range = self.ast()[expr].range;
        self.temporaries += 1;
        let place = Place::of(Root::Temporary(self.temporaries));
        if let Some(info) = self.view.info(expr) {
            self.store(&place, info.ty, &node);
        }
        let address = self.space_value(Space::Thread, Some(place.clone()), range);
        Node { address, place: Some(place), ..Node::default() }
    }

    pub(super) fn name(&mut self, expr: ExprId, path: &Path) -> Node {
        let range = self.ast()[expr].range;
        let found = self.sema.lookup_path(path, self.cx);
        let Some(&item) = found.items.first() else { return Node::default() };
        let DeclKind::Variable(variable) = &self.ast()[item.decl].kind else { return Node::default() };
        let is_static = self.ast()[item.decl].specs.contains(Specs::STATIC);
        if variable.kind == VariableKind::Field && !is_static {
            let this = self.this_value(range);
            let place = Place::of(Root::Behind(THIS)).then(Step::Field(item.decl));
            return self.field_of(expr, Node { address: this, ..Node::default() }, Some(place), item);
        }
        match variable.kind {
            VariableKind::Local | VariableKind::Param | VariableKind::Binding | VariableKind::Capture => {}
            _ => {
                let info = self.view.info(expr);
                let space = info.map_or(Space::Constant, |info| info.place());
                return Node { address: self.space_value(space, None, range), ..Node::default() };
            }
        }
        let declared = match self.view.variable(item.decl) {
            Some(ty) => ty,
            None => {
                self.sema.variable_type(DeclRef { decl: item.decl, bind: self.sema.bind_for(item.decl, self.cx.bind) })
            }
        };
        let own = Place::of(Root::Local(item.decl));
        if let TyKind::LRef(inner) | TyKind::RRef(inner) = self.sema.kind(declared.ty) {
            let address = if inner.space == Space::Generic {
                self.load(Some(&own), range)
            } else {
                let stored = self.state.as_ref().and_then(|state| state.get(&own)).cloned();
                let target = match stored {
                    Some(stored) => self.target(&stored),
                    None => self.param_number(item.decl).map(|param| Place::of(Root::Behind(param))),
                };
                self.space_value(inner.space, target, range)
            };
            let place = self.target(&address);
            return Node { address, place, ..Node::default() };
        }
        let space = self.sema.storage(item.decl, declared);
        let place = (space == Space::Thread).then_some(own);
        Node { address: self.space_value(space, place.clone(), range), place, ..Node::default() }
    }

    pub(super) fn member(&mut self, expr: ExprId, base: ExprId, arrow: bool, member: &Path) -> Node {
        let range = self.ast()[expr].range;
        let object = if arrow {
            let pointer = self.rvalue(base);
            let place = self.target(&pointer.value);
            Node { address: pointer.value, place, ..Node::default() }
        } else {
            let is_object = self.view.info(base).is_some_and(|info| info.is_lvalue() || info.is_xvalue());
            if is_object {
                self.lvalue(base)
            } else {
                let node = self.rvalue(base);
                self.materialized(base, node)
            }
        };
        let Some(UnqualName::Ident(name)) = member.last().map(|last| last.name) else { return object };
        let class = self.view.info(base).map(|info| match self.sema.kind(self.sema.decayed(info.ty)) {
            TyKind::Pointer(pointee) if arrow => pointee.ty,
            _ => info.ty.ty,
        });
        match class.map(|class| (self.sema.kind(class), class)) {
            Some((TyKind::Record(..), class)) => {
                let members = self.sema.members(class, name);
                match members.items.first() {
                    Some(&item) if matches!(self.ast()[item.decl].kind, DeclKind::Variable(_)) => {
                        let place = object.place.as_ref().map(|place| place.then(Step::Field(item.decl)));
                        self.field_of(expr, object, place, item)
                    }
                    _ => Node { address: object.address, place: object.place, ..Node::default() },
                }
            }
            // A vector's component lies where the vector lies.
            _ => {
                let _ = range;
                Node { address: object.address, place: None, ..Node::default() }
            }
        }
    }

    pub(super) fn field_of(&mut self, expr: ExprId, object: Node, place: Option<Place>, item: DeclRef) -> Node {
        let range = self.ast()[expr].range;
        let ty = self.sema.variable_type(item);
        if let TyKind::LRef(inner) | TyKind::RRef(inner) = self.sema.kind(ty.ty) {
            let address = if inner.space == Space::Generic {
                self.load(place.as_ref(), range)
            } else {
                self.space_value(inner.space, None, range)
            };
            let place = self.target(&address);
            return Node { address, place, ..Node::default() };
        }
        Node { address: object.address, place, ..Node::default() }
    }

    pub(super) fn index(&mut self, base: ExprId, args: &[ExprId]) -> Node {
        let base_info = self.view.info(base);
        let is_array = base_info.is_some_and(|info| matches!(self.sema.kind(info.ty.ty), TyKind::Array(..)));
        let is_pointer = base_info.is_some_and(|info| matches!(self.sema.kind(info.ty.ty), TyKind::Pointer(_)));
        if is_pointer {
            let pointer = self.rvalue(base);
            for &arg in args {
                self.rvalue(arg);
            }
            let place = self.target(&pointer.value);
            return Node { address: pointer.value, place, ..Node::default() };
        }
        let object = match base_info {
            Some(info) if info.is_lvalue() || info.is_xvalue() => self.lvalue(base),
            _ => {
                let node = self.rvalue(base);
                self.materialized(base, node)
            }
        };
        let mut is_constant = true;
        for &arg in args {
            self.rvalue(arg);
            is_constant &= self.sema.evaluate_in(arg, self.cx).int().is_some();
        }
        let place = object.place.clone().filter(|_| is_array).map(|place| place.then(Step::Element));
        if let Some(place) = &place
            && !is_constant
        {
            self.opaque.insert(place.root);
        }
        Node { address: object.address, place, ..Node::default() }
    }

    pub(super) fn cast(&mut self, expr: ExprId, operand: ExprId, cast: Option<NamedCast>) -> Node {
        let range = self.ast()[expr].range;
        let node = self.rvalue(operand);
        let Some(info) = self.view.info(expr) else { return node };
        let from_generic =
            self.view.info(operand).is_some_and(|info| self.is_generic_pointer(self.sema.decayed(info.ty)));
        match self.sema.kind(info.ty.ty) {
            TyKind::Pointer(inner) if inner.space.is_named() => {
                let spaces = Spaces::of(inner.space);
                if from_generic && !spaces.is_empty() {
                    let kind = match cast {
                        Some(NamedCast::AddrSpace) => TestKind::CheckedCast(spaces),
                        _ => TestKind::Cast(spaces),
                    };
                    self.test(kind, range, &node.value);
                }
                let target = self.target(&node.value);
                Node { value: Value::new(SourceKind::Space(spaces, target), range), ..Node::default() }
            }
            TyKind::Pointer(_) => {
                if node.value.sources.is_empty()
                    && self.view.info(operand).is_some_and(|info| {
                        !matches!(self.sema.kind(self.sema.decayed(info.ty)), TyKind::Pointer(_) | TyKind::NullPtr)
                    })
                {
                    // From a number: any space.
                    return Node { value: Value::new(SourceKind::Memory, range), ..Node::default() };
                }
                Node { value: node.value, ..Node::default() }
            }
            _ => Node { parts: node.parts, place: node.place, ..Node::default() },
        }
    }

    /// What becomes reachable from memory that is not tracked is not followed any more.
    pub(super) fn escape(&mut self, node: &Node) {
        if let Some(place) = self.target(&node.value)
            && matches!(place.root, Root::Local(_) | Root::Temporary(_))
        {
            self.opaque.insert(place.root);
        }
    }
}

fn is_lvalue_form(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::Path(_)
            | ExprKind::Member { .. }
            | ExprKind::Index { .. }
            | ExprKind::Unary { op: UnaryOp::Deref | UnaryOp::PreInc | UnaryOp::PreDec, .. }
            | ExprKind::Assign { .. }
            | ExprKind::Call { .. }
            | ExprKind::Conditional { .. }
            | ExprKind::Paren(_)
            | ExprKind::NamedCast { .. }
            | ExprKind::CCast { .. }
            | ExprKind::String(_)
    )
}
