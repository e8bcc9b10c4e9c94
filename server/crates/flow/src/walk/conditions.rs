//! Conditions, and what tests of an address space leave possible on either side.

use super::*;

impl<'a> Walker<'a> {
    pub(super) fn condition_value(&mut self, expr: ExprId) {
        let (yes, no) = self.condition(expr);
        self.state = join_states(yes, no, self);
    }

    /// Evaluates a condition; gives the states where it holds and where it does not.
    pub(super) fn condition(&mut self, expr: ExprId) -> (Option<State>, Option<State>) {
        let ast = self.ast();
        match &ast[expr].kind {
            ExprKind::Paren(inner) => self.condition(*inner),
            ExprKind::Unary { op: UnaryOp::Not, operand, .. } if self.view.callee(expr).is_none() => {
                let (yes, no) = self.condition(*operand);
                (no, yes)
            }
            ExprKind::Binary { op: BinaryOp::And, lhs, rhs, .. } if self.view.callee(expr).is_none() => {
                let (yes, no) = self.condition(*lhs);
                self.state = yes;
                let (both, second_no) = self.condition(*rhs);
                let no = join_states(no, second_no, self);
                (both, no)
            }
            ExprKind::Binary { op: BinaryOp::Or, lhs, rhs, .. } if self.view.callee(expr).is_none() => {
                let (yes, no) = self.condition(*lhs);
                self.state = no;
                let (second_yes, neither) = self.condition(*rhs);
                let yes = join_states(yes, second_yes, self);
                (yes, neither)
            }
            ExprKind::Binary { op: op @ (BinaryOp::Eq | BinaryOp::Ne), lhs, rhs, .. } => {
                // `addrspace_cast<device T *>(p) != nullptr` tests as `is_device_addrspace(p)` does.
                let with_null = match (self.is_null(*lhs), self.is_null(*rhs)) {
                    (false, true) => Some(*lhs),
                    (true, false) => Some(*rhs),
                    _ => None,
                };
                let checked = with_null.and_then(|side| self.checked_cast(side));
                if let Some((pointer, spaces)) = checked {
                    self.compared_cast(expr, pointer, spaces);
                    let (yes, no) = self.refine(pointer, spaces);
                    return if *op == BinaryOp::Ne { (yes, no) } else { (no, yes) };
                }
                self.rvalue(expr);
                let Some(pointer) = with_null.filter(|side| self.is_pointer_expr(*side)) else {
                    return (self.state.clone(), self.state.take());
                };
                let (yes, no) = self.test_null(pointer);
                if *op == BinaryOp::Ne { (yes, no) } else { (no, yes) }
            }
            ExprKind::Call { args, .. } => {
                let test = self.view.callee(expr).and_then(|callee| self.space_test(callee));
                self.rvalue(expr);
                match (test, &**args) {
                    (Some(spaces), [pointer]) => self.refine(*pointer, spaces),
                    _ => (self.state.clone(), self.state.take()),
                }
            }
            ExprKind::NamedCast { cast: NamedCast::AddrSpace, .. } => match self.checked_cast(expr) {
                Some((pointer, spaces)) => {
                    self.compared_cast(expr, pointer, spaces);
                    self.refine(pointer, spaces)
                }
                None => {
                    self.rvalue(expr);
                    (self.state.clone(), self.state.take())
                }
            },
            ExprKind::Bool(true) => {
                let state = self.state.take();
                (state, None)
            }
            ExprKind::Bool(false) => {
                let state = self.state.take();
                (None, state)
            }
            ExprKind::Path(_) | ExprKind::Member { .. } if self.is_pointer_expr(expr) => {
                self.rvalue(expr);
                self.test_null(expr)
            }
            // `if (device T *p = …)`, `if ((p = …))`.
            ExprKind::Assign { op: None, lhs, .. } if self.is_pointer_expr(*lhs) => {
                self.rvalue(expr);
                self.test_null(*lhs)
            }
            _ => {
                self.rvalue(expr);
                (self.state.clone(), self.state.take())
            }
        }
    }

    fn is_null(&self, expr: ExprId) -> bool {
        match &self.ast()[expr].kind {
            ExprKind::Paren(inner) => self.is_null(*inner),
            ExprKind::Nullptr => true,
            ExprKind::Int(_) => self.sema.evaluate_in(expr, self.cx).int() == Some(0),
            _ => false,
        }
    }

    fn is_pointer_expr(&self, expr: ExprId) -> bool {
        self.view.info(expr).is_some_and(|info| matches!(self.sema.kind(info.ty.ty), TyKind::Pointer(_)))
    }

    /// A cast that is written for its being null or not.
    fn compared_cast(&mut self, expr: ExprId, pointer: ExprId, spaces: Spaces) {
        let node = self.rvalue(pointer);
        self.test(TestKind::ComparedCast(spaces), self.ast()[expr].range, &node.value);
    }

    /// The states where a pointer is not null, and where it is.
    fn test_null(&mut self, pointer: ExprId) -> (Option<State>, Option<State>) {
        let recording = std::mem::replace(&mut self.recording, false);
        let place = self.lvalue(pointer).place;
        self.recording = recording;
        self.refine_null(place)
    }

    pub(super) fn refine_null(&mut self, place: Option<Place>) -> (Option<State>, Option<State>) {
        let Some(place) = place else { return (self.state.clone(), self.state.take()) };
        let mut tested = self.load(Some(&place), Holder::default(), TokenRange::default());
        let (mut yes, mut no) = (self.state.clone(), self.state.take());
        tested.is_unchecked = false;
        if let Some(state) = &mut no {
            let null = Value { is_limited: tested.is_limited, ..Value::default() };
            state.insert(place.clone(), null);
        }
        if let Some(state) = &mut yes {
            state.insert(place, tested);
        }
        (yes, no)
    }

    pub(super) fn checked_cast(&self, expr: ExprId) -> Option<(ExprId, Spaces)> {
        match &self.ast()[expr].kind {
            ExprKind::Paren(inner) => self.checked_cast(*inner),
            ExprKind::NamedCast { cast: NamedCast::AddrSpace, operand, .. } => {
                let info = self.view.info(expr)?;
                let TyKind::Pointer(inner) = self.sema.kind(info.ty.ty) else { return None };
                Some((*operand, Spaces::of(inner.space)))
            }
            _ => None,
        }
    }

    /// The states where a pointer is in some of the spaces, and where it is not.
    pub(super) fn refine(&mut self, pointer: ExprId, spaces: Spaces) -> (Option<State>, Option<State>) {
        let recording = std::mem::replace(&mut self.recording, false);
        let node = self.lvalue(pointer);
        self.recording = recording;
        let Some(place) = node.place else { return (self.state.clone(), self.state.take()) };
        let current = self.load(Some(&place), Holder::default(), TokenRange::default());
        let narrowed = |mask: Spaces| {
            let mut value = current.clone();
            value.mask = value.mask.intersection(mask);
            value
        };
        let (mut yes, mut no) = (self.state.clone(), self.state.take());
        if let Some(state) = &mut yes {
            state.insert(place.clone(), narrowed(spaces));
        }
        if let Some(state) = &mut no {
            state.insert(place, narrowed(spaces.complement()));
        }
        (yes, no)
    }
}
