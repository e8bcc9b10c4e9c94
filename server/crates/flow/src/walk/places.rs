//! Places and the values in them.

use super::*;

/// Arrays longer than this are one element.
const MAX_ELEMENTS: u64 = 16;
/// Types with more generic pointers than this are followed in part.
const MAX_LEAVES: usize = 24;
/// How deep a pointer may lie in its object.
const MAX_STEPS_IN: usize = 5;
/// How many pointers lead from an object to what is tracked behind it.
const MAX_DEREFS: usize = 2;

impl<'a> Walker<'a> {
    pub(super) fn param_number(&self, decl: DeclId) -> Option<u32> {
        self.params.iter().position(|&param| param == decl).map(|index| index as u32)
    }

    /// Whether a variable stands around the lambda that is walked.
    pub(super) fn is_around(&self, decl: DeclId) -> bool {
        matches!(self.code, Code::Lambda(..)) && self.param_number(decl).is_none() && !self.declared.contains(&decl)
    }

    pub(super) fn variable_type(&self, decl: DeclId) -> QualTy {
        self.view
            .variable(decl)
            .unwrap_or_else(|| self.sema.variable_type(DeclRef { decl, bind: self.sema.bind_for(decl, self.cx.bind) }))
    }

    /// The value of a place that nothing has been stored in.
    pub(super) fn initial(&mut self, place: &Place) -> Value {
        let nowhere = TokenRange::default();
        match place.root {
            Root::Behind(param) => {
                let input = self.input(Input::Behind(param, place.steps.clone()));
                Value::new(SourceKind::Input(input), nowhere)
            }
            Root::Local(decl) => match self.param_number(decl) {
                Some(param) => {
                    self.named(decl);
                    let range = self.name_range(decl);
                    let input = self.input(Input::Param(param, place.steps.clone()));
                    Value::new(SourceKind::Input(input), range)
                }
                None if self.is_around(decl) => {
                    self.named(decl);
                    let input = self.input(Input::Capture(decl, place.steps.clone()));
                    Value::new(SourceKind::Input(input), nowhere)
                }
                // Not initialised: null as far as anybody can tell.
                None => Value::default(),
            },
            Root::Temporary(_) => Value::default(),
            Root::Copied(..) => Value::limited(),
            Root::Returned(call) => {
                let output = Output::Pointee(place.steps.clone());
                Value::new(SourceKind::Output(call, output), nowhere)
            }
        }
    }

    pub(super) fn name_range(&self, decl: DeclId) -> TokenRange {
        let token = self.ast()[decl].name_token;
        TokenRange::new(token, token + 1)
    }

    /// The pointer that lies in a place; `holder` says what an untracked one lies in.
    pub(super) fn load(&mut self, place: Option<&Place>, holder: Holder, at: TokenRange) -> Value {
        let Some(place) = place else { return Value::from_memory(holder, at) };
        let mut value = match self.state.as_ref().and_then(|state| state.get(place)) {
            Some(value) => value.clone(),
            None => self.initial(place),
        };
        value.is_opaque |= self.roots.opaque.contains(&place.root);
        if self.roots.escaped.contains(&place.root) {
            match place.root {
                // The caller's code may well be followed through it.
                Root::Behind(_) => value.is_limited = true,
                _ => value.join(&Value::from_memory(holder, at)),
            }
        }
        value
    }

    pub(super) fn set(&mut self, place: Place, value: Value) {
        if let (Root::Local(decl), true) = (place.root, place.steps.is_empty()) {
            self.assigned(decl, &value);
        }
        if let Root::Returned(call) = place.root {
            self.store_returned(call, &place.steps, &value);
        }
        if place.steps.contains(&Step::Element) || self.roots.several.contains(&place.root) {
            return self.set_weakly(place, &value);
        }
        if let Some(state) = &mut self.state {
            state.insert(place, value);
        }
    }

    /// Stores a value that may go elsewhere instead.
    pub(super) fn set_weakly(&mut self, place: Place, value: &Value) {
        let mut joined = match self.state.as_ref().and_then(|state| state.get(&place)) {
            Some(own) => own.clone(),
            None => self.initial(&place),
        };
        joined.join(value);
        if let Some(state) = &mut self.state {
            state.insert(place, joined);
        }
    }

    /// A store through what a call returned may change any object that the call was given.
    fn store_returned(&mut self, call: u32, steps: &[Step], value: &Value) {
        for place in self.reached.get(&call).cloned().unwrap_or_default() {
            let place = place.join(steps);
            if let Some(own) = self.state.as_mut().and_then(|state| state.get_mut(&place)) {
                own.join(value);
                own.is_limited = true;
            }
        }
    }

    /// Stores a value, or the parts of a class value, in a tracked place.
    pub(super) fn store(&mut self, place: &Place, ty: QualTy, node: &Node) {
        if self.is_pointer(ty.ty) {
            self.set(place.clone(), node.value.clone());
            return;
        }
        for steps in self.leaves(ty, place.root) {
            let value = self.part(node, &steps);
            self.set(place.join(&steps), value);
        }
    }

    /// The pointer in a part of a class value.
    pub(super) fn part(&mut self, node: &Node, steps: &[Step]) -> Value {
        let at = TokenRange::default();
        let from = match &node.parts {
            Parts::At(place) => Some(place.clone()),
            Parts::Call(call) => return Value::new(SourceKind::Output(*call, Output::Return(steps.into())), at),
            Parts::Unknown => node.place.clone(),
        };
        let field = steps.iter().rev().find_map(|step| match step {
            Step::Field(field) => Some(*field),
            _ => None,
        });
        let holder = Holder { field, space: self.holder_space(node) };
        match from {
            Some(place) => {
                let place = self.known_elements(&place.join(steps));
                self.load(Some(&place), holder, at)
            }
            None => self.load(None, holder, at),
        }
    }

    /// A place with its elements as the walk tracks them: in a merged or opaque object all of an array are one.
    pub(super) fn known_elements(&self, place: &Place) -> Place {
        if self.has_one_element(place.root) {
            Place { root: place.root, steps: without_indices(&place.steps) }
        } else {
            place.clone()
        }
    }

    /// Whether all elements of an array in an object are one.
    pub(super) fn has_one_element(&self, root: Root) -> bool {
        self.roots.opaque.contains(&root) || self.roots.merged.contains(&root)
    }

    /// A pointer moves away from the object that it led to, by a number of objects; `is_known` if the compiler will know
    /// that number.
    pub(super) fn moves(&mut self, pointer: &Value, pointee: QualTy, is_known: bool) {
        let Some(place) = self.target(pointer) else { return };
        if self.leaves(pointee, place.root).is_empty() {
            return;
        }
        self.roots.merged.insert(place.root);
        if let Root::Behind(_) = place.root {
            self.roots.several.insert(place.root);
        }
        if !is_known {
            self.roots.opaque.insert(place.root);
        }
    }

    /// Whether the compiler knows the value of an index: a constant, or one that consists of constants and counters of
    /// loops that it unrolls.
    pub(super) fn is_known_index(&self, index: ExprId) -> bool {
        if self.sema.evaluate_in(index, self.cx).int().is_some() {
            return true;
        }
        match &self.ast()[index].kind {
            ExprKind::Paren(inner) => self.is_known_index(*inner),
            ExprKind::Unary { op: UnaryOp::Minus | UnaryOp::Plus, operand, .. } => self.is_known_index(*operand),
            ExprKind::Binary { lhs, rhs, .. } => self.is_known_index(*lhs) && self.is_known_index(*rhs),
            ExprKind::Path(path) if !self.unrolled.is_empty() => {
                let Some(last) = path.last() else { return false };
                let facts = [Some(self.view.own), self.view.generic].into_iter().flatten();
                let mut named = facts.filter_map(|facts| facts.refs.get(&last.token)).flatten();
                named.next().is_some_and(|item| self.unrolled.contains(&item.decl))
            }
            _ => false,
        }
    }

    /// The space that an object lies in, if that is one.
    pub(super) fn holder_space(&self, node: &Node) -> Option<Space> {
        let [source] = &*node.address.sources else { return None };
        match &source.kind {
            SourceKind::Space(spaces, _) => [Space::Device, Space::Threadgroup, Space::Thread]
                .into_iter()
                .find(|&space| *spaces == Spaces::of(space)),
            _ => None,
        }
    }

    /// The object of the caller that a parameter leads to, if it can be one that is tracked: those are in thread memory.
    pub(super) fn behind(&self, param: u32, space: Space) -> Option<Place> {
        matches!(space, Space::Thread | Space::Generic).then(|| Place::of(Root::Behind(param)))
    }

    pub(super) fn is_pointer(&self, ty: Ty) -> bool {
        matches!(self.sema.kind(ty), TyKind::Pointer(_) | TyKind::LRef(_) | TyKind::RRef(_))
    }

    pub(super) fn is_generic_pointer(&self, ty: Ty) -> bool {
        matches!(self.sema.kind(ty), TyKind::Pointer(inner) | TyKind::LRef(inner) | TyKind::RRef(inner) if inner.space == Space::Generic)
    }

    /// The ways to generic pointers inside an object of a type with this root, through what it points to as well.
    pub(super) fn leaves(&self, ty: QualTy, root: Root) -> Vec<Steps> {
        let mut found = Vec::new();
        let is_one = self.has_one_element(root);
        self.leaves_of(ty.ty, is_one, 0, &mut Steps::new(), &mut found);
        found
    }

    fn leaves_of(&self, ty: Ty, is_one: bool, derefs: usize, steps: &mut Steps, found: &mut Vec<Steps>) {
        if found.len() >= MAX_LEAVES || steps.len() > MAX_STEPS_IN {
            return;
        }
        match self.sema.kind(ty) {
            TyKind::Pointer(inner) | TyKind::LRef(inner) | TyKind::RRef(inner) => {
                if inner.space == Space::Generic {
                    found.push(steps.clone());
                }
                if derefs < MAX_DEREFS && matches!(inner.space, Space::Generic | Space::Thread) {
                    steps.push(Step::Deref);
                    self.leaves_of(inner.ty, is_one, derefs + 1, steps, found);
                    steps.pop();
                }
            }
            TyKind::Record(..) => {
                let Some(info) = self.sema.record_info(ty) else { return };
                if self.sema.is_library(info.decl) {
                    return;
                }
                for field in self.sema.fields(&info) {
                    let field_ty = self.sema.variable_type(field);
                    steps.push(Step::Field(field.decl));
                    self.leaves_of(field_ty.ty, is_one, derefs, steps, found);
                    steps.pop();
                }
                for &base in &info.bases {
                    self.leaves_of(base, is_one, derefs, steps, found);
                }
            }
            TyKind::Array(elem, len) => {
                let count = match len {
                    msl_ty::store::ArrayLen::Known(count) if !is_one && *count <= MAX_ELEMENTS => Some(*count),
                    _ => None,
                };
                let each = (0..count.unwrap_or(0)).map(|index| Step::Index(index as u32));
                for step in each.chain(count.is_none().then_some(Step::Element)) {
                    steps.push(step);
                    self.leaves_of(elem.ty, is_one, derefs, steps, found);
                    steps.pop();
                }
            }
            _ => {}
        }
    }

    /// The one tracked object that a pointer leads to.
    pub(super) fn target(&self, value: &Value) -> Option<Place> {
        let [source] = &*value.sources else { return None };
        self.target_of(&source.kind)
    }

    /// Every tracked object that a pointer can lead to.
    pub(super) fn targets(&self, value: &Value) -> Vec<Place> {
        value.sources.iter().filter_map(|source| self.target_of(&source.kind)).collect()
    }

    fn target_of(&self, kind: &SourceKind) -> Option<Place> {
        match kind {
            SourceKind::Space(_, place) => place.clone(),
            SourceKind::Input(input) => {
                let (root, steps) = match self.summary.inputs.get(*input as usize)? {
                    Input::Param(param, steps) if steps.is_empty() => return Some(Place::of(Root::Behind(*param))),
                    Input::Param(param, steps) | Input::Behind(param, steps) => (Root::Behind(*param), steps),
                    Input::Capture(decl, steps) => (Root::Local(*decl), steps),
                };
                let derefs = steps.iter().filter(|step| **step == Step::Deref).count();
                (derefs < MAX_DEREFS).then(|| Place { root, steps: steps.clone() }.then(Step::Deref))
            }
            SourceKind::Output(call, Output::Return(steps)) if steps.is_empty() => {
                Some(Place::of(Root::Returned(*call)))
            }
            _ => None,
        }
    }

    /// The place that steps lead to, through the pointers that are met on the way; `None` where one of them leads to
    /// nothing that is tracked.
    pub(super) fn follow(&mut self, from: &Place, steps: &[Step]) -> Option<Place> {
        let mut at = from.clone();
        for step in steps {
            if *step == Step::Deref {
                let value = self.load(Some(&at), Holder::default(), TokenRange::default());
                at = self.target(&value)?;
            } else {
                at.steps.push(*step);
            }
        }
        Some(self.known_elements(&at))
    }

    pub(super) fn space_value(&mut self, space: Space, place: Option<Place>, at: TokenRange) -> Value {
        if let Some(Place { root: Root::Local(decl), .. }) = place {
            self.named(decl);
        }
        Value::new(SourceKind::Space(Spaces::of(space), place), at)
    }

    /// The value of a pointer whose type names its space.
    pub(super) fn declared_value(&self, ty: Ty, at: TokenRange) -> Option<Value> {
        match self.sema.kind(ty) {
            TyKind::Pointer(inner) | TyKind::LRef(inner) | TyKind::RRef(inner) if inner.space.is_named() => {
                Some(Value::in_space(inner.space, at))
            }
            TyKind::NullPtr => Some(Value::default()),
            _ => None,
        }
    }

    /// What becomes reachable from memory that is not tracked may be changed by anybody.
    pub(super) fn escape(&mut self, value: &Value) {
        for place in self.targets(value) {
            if matches!(place.root, Root::Local(_) | Root::Temporary(_)) {
                self.roots.escaped.insert(place.root);
            }
        }
    }
}
