//! Expressions: values, addresses and the tracked objects they lead to.

use super::calls::pointing_at;
use super::*;

impl<'a> Walker<'a> {
    pub(super) fn rvalue(&mut self, expr: ExprId) -> Node {
        if !self.step() {
            return Node::default();
        }
        let node = self.rvalue_inner(expr);
        self.sema.leave();
        self.note_name(expr, &node.value);
        node
    }

    /// Notes the value of a generic pointer where it is named.
    fn note_name(&mut self, expr: ExprId, value: &Value) {
        if !self.recording {
            return;
        }
        let token = match &self.ast()[expr].kind {
            ExprKind::This => Some(self.ast()[expr].range.start),
            ExprKind::Path(path) | ExprKind::Member { member: path, .. } => path.last().map(|last| last.token),
            _ => None,
        };
        if let (Some(token), Some(info)) = (token, self.view.info(expr))
            && self.is_generic_pointer(info.ty.ty)
        {
            self.mention(token, value);
        }
    }

    pub(super) fn rvalue_inner(&mut self, expr: ExprId) -> Node {
        let ast = self.ast();
        let range = ast[expr].range;
        let info = self.view.info(expr);
        // The value of `c ? p[i] : x` is the one or the other: each is loaded where it is chosen.
        let mut written = expr;
        while let ExprKind::Paren(inner) = &ast[written].kind {
            written = *inner;
        }
        let is_choice = matches!(ast[written].kind, ExprKind::Conditional { .. });
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
                if let ExprKind::Path(path) = &ast[*operand].kind
                    && self.takes_function(path)
                {
                    return Node::default();
                }
                let node = self.lvalue(*operand);
                // The address of a tracked object keeps the object.
                let value = pointing_at(&node);
                if let Some(place) = &node.place
                    && self.target(&value).as_ref() != Some(place)
                    && let Some(info) = self.view.info(*operand)
                    && !self.leaves(info.ty, place.root).is_empty()
                {
                    // A pointer to a part of an object that was given cannot be followed back to it.
                    self.roots.escaped.insert(place.root);
                }
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
                        let (side, pointer, by) = match (is_pointer(*lhs), is_pointer(*rhs)) {
                            (false, true) => (right, *rhs, *lhs),
                            _ => (left, *lhs, *rhs),
                        };
                        let ty = self.view.info(pointer).map(|info| self.sema.decayed(info.ty));
                        if let Some(pointee) = ty.and_then(|ty| self.sema.pointee(ty)) {
                            let is_known = self.is_known_index(by);
                            self.moves(&side.value, pointee, is_known);
                        }
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
                let parts = match (&first.parts, &second.parts) {
                    (Parts::At(a), Parts::At(b)) if a == b => Parts::At(a.clone()),
                    _ => self.joined_parts(expr, &first, &second),
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
                self.lambda(expr, lambda);
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
                Node { value: Value::limited(), ..Node::default() }
            }
            ExprKind::Removed { operands, .. } => {
                for &operand in operands {
                    self.rvalue(operand);
                }
                Node { value: Value::limited(), ..Node::default() }
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
                // A pointer to the first element goes on to the others.
                let place = node.place.as_ref().map(|place| place.then(Step::Element));
                if let Some(place) = &place
                    && !self.leaves(info.ty, place.root).is_empty()
                {
                    self.roots.merged.insert(place.root);
                }
                Node {
                    value: pointing_at(&Node { place, address: node.address, ..Node::default() }),
                    ..Node::default()
                }
            }
            TyKind::Pointer(_) => {
                let holder = Holder { space: self.holder_space(&node), ..node.holder };
                let value = match self.declared_value(ty, range) {
                    Some(mut value) => {
                        // A pointer to thread memory can lead to a tracked object, and one that a cast gave can be
                        // null.
                        if let Some(place) = &node.place
                            && let Some(stored) = self.state.as_ref().and_then(|state| state.get(place))
                        {
                            value.is_unchecked = stored.is_unchecked;
                            let (target, cast) = (self.target(stored), stored.sources.first().map(|source| source.at));
                            if let [source] = &mut *value.sources
                                && let SourceKind::Space(_, own) = &mut source.kind
                            {
                                *own = target;
                                if value.is_unchecked
                                    && let Some(cast) = cast
                                {
                                    source.at = cast;
                                }
                            }
                        } else if let Some(Place { root: Root::Local(decl), steps }) = &node.place
                            && steps.is_empty()
                            && let Some(param) = self.param_number(*decl)
                            && let TyKind::Pointer(inner) = self.sema.kind(ty)
                            && let [source] = &mut *value.sources
                            && let SourceKind::Space(_, own) = &mut source.kind
                        {
                            *own = self.behind(param, inner.space);
                        }
                        value
                    }
                    None => {
                        let place = node.place.as_ref().map(|place| self.known_elements(place));
                        self.load(place.as_ref(), holder, range)
                    }
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
            Some(this) => {
                let object = self.behind(THIS, this.space);
                self.space_value(this.space, object, at)
            }
            None => Value::limited(),
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
                self.used(range, &pointer.value);
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
                    self.assign(&left, info.ty, &right);
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
                let (place, holder) = match first.place == second.place {
                    true => (first.place, first.holder),
                    false => {
                        // Either object is meant: what is stored or loaded is no longer that of one of them.
                        address = pointing_at(&first);
                        address.join(&pointing_at(&second));
                        (None, Holder::default())
                    }
                };
                Node { address, place, holder, ..Node::default() }
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
            ExprKind::Lambda(_) | ExprKind::String(_) => self.rvalue(expr),
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
        if let DeclKind::Function(_) = &self.ast()[item.decl].kind {
            self.takes_function(path);
        }
        let DeclKind::Variable(variable) = &self.ast()[item.decl].kind else { return Node::default() };
        let is_static = self.ast()[item.decl].specs.contains(Specs::STATIC);
        if variable.kind == VariableKind::Field && !is_static {
            let this = self.this_value(range);
            let place = self.target(&this).map(|object| object.then(Step::Field(item.decl)));
            return self.field_of(expr, Node { address: this, ..Node::default() }, place, item);
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
                let address = self.load(Some(&own), Holder::default(), range);
                if let Some(last) = path.last() {
                    self.mention(last.token, &address);
                }
                address
            } else {
                let stored = self.state.as_ref().and_then(|state| state.get(&own)).cloned();
                let target = match stored {
                    Some(stored) => self.target(&stored),
                    None => self.param_number(item.decl).and_then(|param| self.behind(param, inner.space)),
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
            self.arrow_object(base)
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
            TyKind::Record(..) if arrow => self.class_behind_arrow(base).unwrap_or(info.ty.ty),
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
                let holder = Holder { field: Some(item.decl), space: self.holder_space(&object) };
                let address = self.load(place.as_ref(), holder, range);
                if let Some(token) = self.name_token(expr) {
                    self.mention(token, &address);
                }
                address
            } else {
                self.space_value(inner.space, None, range)
            };
            let place = self.target(&address);
            return Node { address, place, ..Node::default() };
        }
        let holder = Holder { field: Some(item.decl), space: None };
        Node { address: object.address, place, holder, ..Node::default() }
    }

    fn name_token(&self, expr: ExprId) -> Option<u32> {
        match &self.ast()[expr].kind {
            ExprKind::Path(path) | ExprKind::Member { member: path, .. } => path.last().map(|last| last.token),
            _ => None,
        }
    }

    /// Stores in whatever an lvalue designates.
    fn assign(&mut self, left: &Node, ty: QualTy, right: &Node) {
        if let Some(place) = &left.place {
            let place = self.known_elements(place);
            self.store(&place, ty, right);
            return;
        }
        // Numbers change nothing that is followed.
        if !self.is_pointer(ty.ty) && self.leaves(ty, Root::Temporary(0)).is_empty() {
            return;
        }
        let targets = self.targets(&left.address);
        for target in &targets {
            self.roots.opaque.insert(target.root);
            if self.is_pointer(ty.ty) {
                self.set_weakly(target.clone(), &right.value);
                continue;
            }
            for steps in self.leaves(ty, target.root) {
                let value = self.part(right, &steps);
                self.set_weakly(target.join(&steps), &value);
            }
        }
        if targets.len() < left.address.sources.len() {
            self.escape(&right.value);
        }
    }

    /// Class values that come from either side of `?:`, in a temporary of their own.
    fn joined_parts(&mut self, expr: ExprId, first: &Node, second: &Node) -> Parts {
        let Some(info) = self.view.info(expr) else { return Parts::Unknown };
        if !matches!(self.sema.kind(info.ty.ty), TyKind::Record(..)) {
            return Parts::Unknown;
        }
        self.temporaries += 1;
        let place = Place::of(Root::Temporary(self.temporaries));
        for steps in self.leaves(info.ty, place.root) {
            let mut value = self.part(first, &steps);
            let other = self.part(second, &steps);
            value.join(&other);
            self.set(place.join(&steps), value);
        }
        Parts::At(place)
    }

    /// Whether a name that is not called is that of a function, whose address is taken then.
    fn takes_function(&mut self, path: &Path) -> bool {
        let Some(last) = path.last() else { return false };
        let facts = [Some(self.view.own), self.view.generic].into_iter().flatten();
        let items: Vec<DeclRef> = facts.filter_map(|facts| facts.refs.get(&last.token)).flatten().copied().collect();
        let mut is_function = false;
        for item in items {
            if matches!(self.ast()[item.decl].kind, DeclKind::Function(_)) {
                is_function = true;
                if let Some(definition) = self.sema.definition(item).filter(|_| self.recording)
                    && !self.summary.taken.contains(&definition)
                {
                    self.summary.taken.push(definition);
                }
            }
        }
        is_function
    }

    /// The class that the `operator->` of an object leads to.
    fn class_behind_arrow(&self, base: ExprId) -> Option<Ty> {
        let token = self.ast()[base].range.end;
        let facts = [Some(self.view.own), self.view.generic].into_iter().flatten();
        let callee = facts.filter_map(|facts| facts.refs.get(&token)).flatten().next()?;
        match self.sema.kind(self.sema.signature(*callee).ret.ty) {
            TyKind::Pointer(pointee) => Some(pointee.ty),
            _ => None,
        }
    }

    /// The step to an element of an array with a constant index.
    pub(super) fn element(&self, root: Root, index: u64) -> Step {
        if self.has_one_element(root) || index >= 16 { Step::Element } else { Step::Index(index as u32) }
    }

    pub(super) fn index(&mut self, base: ExprId, args: &[ExprId]) -> Node {
        // `1[p]` is `p[1]`. One pointer indexed with another is a mistake, which has a finding of its own.
        let is_indexed = |walker: &Self, expr: ExprId| {
            let info = walker.view.info(expr);
            info.is_some_and(|info| matches!(walker.sema.kind(info.ty.ty), TyKind::Pointer(_) | TyKind::Array(..)))
        };
        if let [arg] = args
            && is_indexed(self, *arg)
            && !is_indexed(self, base)
        {
            return self.index(*arg, &[base]);
        }
        let base_info = self.view.info(base);
        let is_array = base_info.is_some_and(|info| matches!(self.sema.kind(info.ty.ty), TyKind::Array(..)));
        let is_pointer = base_info.is_some_and(|info| matches!(self.sema.kind(info.ty.ty), TyKind::Pointer(_)));
        if is_pointer {
            let pointer = self.rvalue(base);
            for &arg in args {
                self.rvalue(arg);
                let is_first = self.sema.evaluate_in(arg, self.cx).int() == Some(0);
                if let Some(pointee) = base_info.and_then(|info| self.sema.pointee(info.ty.ty)).filter(|_| !is_first) {
                    let is_known = self.is_known_index(arg);
                    self.moves(&pointer.value, pointee, is_known);
                }
            }
            self.used(self.ast()[base].range, &pointer.value);
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
        let mut constant = None;
        let mut is_known = true;
        for &arg in args {
            self.rvalue(arg);
            constant = self.sema.evaluate_in(arg, self.cx).int();
            is_known &= self.is_known_index(arg);
        }
        let Some(place) = object.place.clone().filter(|_| is_array) else {
            return Node { address: object.address, holder: object.holder, ..Node::default() };
        };
        let step = match constant.and_then(|index| u64::try_from(index).ok()) {
            Some(index) => self.element(place.root, index),
            None => {
                let roots = if is_known { &mut self.roots.merged } else { &mut self.roots.opaque };
                roots.insert(place.root);
                Step::Element
            }
        };
        Node { address: object.address, place: Some(place.then(step)), holder: object.holder, ..Node::default() }
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
                let mut value = Value::new(SourceKind::Space(spaces, target), range);
                value.is_unchecked = from_generic && cast == Some(NamedCast::AddrSpace);
                Node { value, ..Node::default() }
            }
            TyKind::Pointer(_) => {
                if node.value.sources.is_empty()
                    && self.view.info(operand).is_some_and(|info| {
                        !matches!(self.sema.kind(self.sema.decayed(info.ty)), TyKind::Pointer(_) | TyKind::NullPtr)
                    })
                {
                    // From a number: any space.
                    return Node { value: Value::from_memory(Holder::default(), range), ..Node::default() };
                }
                Node { value: node.value, ..Node::default() }
            }
            _ => Node { parts: node.parts, place: node.place, ..Node::default() },
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
