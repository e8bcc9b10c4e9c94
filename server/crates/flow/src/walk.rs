//! The walk over one function's body that makes its summary.
//!
//! State is a map from tracked places to values, forward through the statements; at joins values are joined, loops run
//! until nothing changes. A *tracked* place is a part of a local variable, of a temporary object, or of what a
//! parameter leads to. Everything else is memory, of which nothing is known.
//!
//! The walk runs twice: the first time it finds the arrays that a variable indexes and the locals that escape, which
//! makes their contents opaque everywhere.

use msl_intern::Name;
use msl_parser::ParsedBody;
use msl_parser::ast::*;
use msl_ty::expr::{ExprInfo, Facts};
use msl_ty::sema::{Cx, LocalCaches};
use msl_ty::store::{QualTy, Space, Ty, TyKind};
use msl_ty::{DeclRef, Env, Sema};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::loops::trip_count;
use crate::summary::{Access, Call, Input, Loop, Output, Summary, THIS, Test, TestKind};
use crate::value::{Place, Root, SourceKind, Spaces, Step, Steps, Value};

/// What the type check found for a body: for an instance, its own facts over those of the template.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) own: &'a Facts,
    pub(crate) generic: Option<&'a Facts>,
}

impl<'a> View<'a> {
    fn info(&self, expr: ExprId) -> Option<ExprInfo> {
        self.own.exprs.get(&expr).or_else(|| self.generic?.exprs.get(&expr)).copied()
    }

    fn callee(&self, expr: ExprId) -> Option<DeclRef> {
        self.own.callees.get(&expr).or_else(|| self.generic?.callees.get(&expr)).copied()
    }

    fn constructor(&self, decl: DeclId) -> Option<DeclRef> {
        self.own.constructors.get(&decl).or_else(|| self.generic?.constructors.get(&decl)).copied()
    }

    fn variable(&self, decl: DeclId) -> Option<QualTy> {
        self.own.variables.get(&decl).or_else(|| self.generic?.variables.get(&decl)).copied()
    }
}

/// Summarises a function.
pub(crate) fn summarize(env: &Env, item: DeclRef, body: &ParsedBody, view: View<'_>) -> Summary {
    let local = LocalCaches::default();
    if let Some(generic) = view.generic {
        local.set_variables(&generic.variables);
    }
    local.set_variables(&view.own.variables);
    let sema = Sema::new(env, &body.ast, &local);
    if !concerns_generics(&sema, view) {
        return Summary::default();
    }
    let mut opaque = FxHashSet::default();
    for _ in 0..2 {
        let sema = Sema::new(env, &body.ast, &local);
        let mut walker = Walker::new(sema, item, view, std::mem::take(&mut opaque));
        walker.function(body);
        opaque = walker.opaque;
    }
    let mut walker = Walker::new(sema, item, view, opaque);
    walker.recording = true;
    walker.function(body);
    walker.summary
}

/// Whether anything in a body is generic or is passed to something generic. Most bodies have nothing of the kind.
fn concerns_generics(sema: &Sema<'_>, view: View<'_>) -> bool {
    let is_generic = |ty: QualTy| {
        ty.space == Space::Generic
            || matches!(sema.kind(ty.ty), TyKind::Pointer(inner) | TyKind::LRef(inner) | TyKind::RRef(inner) if inner.space == Space::Generic)
    };
    let facts = || [Some(view.own), view.generic].into_iter().flatten();
    facts().any(|facts| {
        facts.exprs.values().any(|info| is_generic(info.ty))
            || facts.variables.values().any(|&ty| is_generic(ty))
            || facts.callees.values().chain(facts.constructors.values()).any(|&callee| {
                !sema.is_library(callee.decl) && {
                    let signature = sema.signature(callee);
                    signature.this.is_some_and(|this| this.space == Space::Generic)
                        || is_generic(signature.ret)
                        || signature.params.iter().any(|param| is_generic(param.ty))
                }
            })
    })
}

type State = FxHashMap<Place, Value>;

/// What calls: an expression, or the declaration of a variable with a constructor.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum CallSite {
    Expr(ExprId),
    Variable(DeclId),
}

/// What an expression came to.
#[derive(Clone, Default)]
struct Node {
    /// For pointers: the value.
    value: Value,
    /// For lvalues: the address.
    address: Value,
    /// The tracked object.
    place: Option<Place>,
    /// For class values: where the parts come from.
    parts: Parts,
}

#[derive(Clone, Default)]
enum Parts {
    #[default]
    Unknown,
    At(Place),
    /// The result of a call.
    Call(u32),
}

struct Walker<'a> {
    sema: Sema<'a>,
    cx: Cx,
    view: View<'a>,
    item: DeclRef,
    params: Vec<DeclId>,
    state: Option<State>,
    breaks: Vec<Option<State>>,
    continues: Vec<Option<State>>,
    summary: Summary,
    recording: bool,
    loops: Vec<u32>,
    loop_numbers: FxHashMap<StmtId, u32>,
    call_numbers: FxHashMap<CallSite, u32>,
    access_numbers: FxHashMap<ExprId, usize>,
    /// Roots whose contents the compiler cannot follow.
    opaque: FxHashSet<Root>,
    temporaries: u32,
    steps: u32,
}

/// How many expressions and statements one walk may visit, loops counted as often as they are run.
const MAX_STEPS: u32 = 400_000;
/// How often a loop is run before its state is taken as it is.
const MAX_ROUNDS: u32 = 5;

impl<'a> Walker<'a> {
    fn new(sema: Sema<'a>, item: DeclRef, view: View<'a>, opaque: FxHashSet<Root>) -> Walker<'a> {
        let ast: &'a Ast = sema.ast;
        let cx = Cx { before_local: u32::MAX, ..sema.cx_of(item) };
        let params = match &ast[item.decl].kind {
            DeclKind::Function(function) => match &ast[function.ty].kind {
                TypeKind::Function(written) => written.params.to_vec(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        Walker {
            sema,
            cx,
            view,
            item,
            params,
            state: Some(State::default()),
            breaks: Vec::new(),
            continues: Vec::new(),
            summary: Summary::default(),
            recording: false,
            loops: Vec::new(),
            loop_numbers: FxHashMap::default(),
            call_numbers: FxHashMap::default(),
            access_numbers: FxHashMap::default(),
            opaque,
            temporaries: 0,
            steps: 0,
        }
    }

    fn ast(&self) -> &'a Ast {
        self.sema.ast
    }

    fn step(&mut self) -> bool {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            self.summary.is_partial = true;
            return false;
        }
        self.sema.enter()
    }

    fn function(&mut self, body: &ParsedBody) {
        for init in &body.inits {
            self.member_init(init);
        }
        self.stmt(body.root);
        self.leave_function();
    }

    fn member_init(&mut self, init: &MemInit) {
        let value = match &init.init {
            Init::Assign(expr) => Some(self.rvalue(*expr)),
            Init::Paren(args) => {
                let mut last = None;
                for &arg in args {
                    last = Some(self.rvalue(arg));
                }
                last.filter(|_| args.len() == 1)
            }
            Init::Brace(list) => match &self.ast()[*list].kind {
                ExprKind::InitList(items) => {
                    let mut last = None;
                    for &item in items {
                        last = Some(self.rvalue(item));
                    }
                    last.filter(|_| items.len() == 1)
                }
                _ => None,
            },
            _ => None,
        };
        let TypeKind::Path { path, .. } = &self.ast()[init.target].kind else { return };
        let (Some(name), Some(class)) = (path.as_ident(), self.cx.class) else { return };
        let members = self.sema.members(class, name);
        if let (Some(field), Some(node)) = (members.items.first(), value) {
            let place = Place::of(Root::Behind(THIS)).then(Step::Field(field.decl));
            let ty = self.sema.variable_type(*field);
            self.store(&place, ty, &node);
        }
    }

    /// Notes what the function leaves behind at one of its ends.
    fn leave_function(&mut self) {
        let Some(state) = self.state.take() else { return };
        if self.recording {
            for (place, value) in &state {
                if let Root::Behind(param) = place.root {
                    self.output(Output::Behind(param, place.steps.clone()), value);
                }
            }
            // What this end leaves alone is as it came in.
            let others: Vec<(u32, Steps)> = self
                .summary
                .outputs
                .iter()
                .filter_map(|(output, _)| match output {
                    Output::Behind(param, steps) => Some((*param, steps.clone())),
                    Output::Return(_) => None,
                })
                .collect();
            for (param, steps) in others {
                let place = Place { root: Root::Behind(param), steps: steps.clone() };
                if !state.contains_key(&place) {
                    let unchanged = self.initial(&place);
                    self.output(Output::Behind(param, steps), &unchanged);
                }
            }
        }
    }

    fn output(&mut self, output: Output, value: &Value) {
        match self.summary.outputs.iter_mut().find(|(own, _)| *own == output) {
            Some((_, own)) => own.join(value),
            None => self.summary.outputs.push((output, value.clone())),
        }
    }

    fn input(&mut self, input: Input) -> u32 {
        if let Some(known) = self.summary.input(&input) {
            return known;
        }
        self.summary.inputs.push(input);
        self.summary.inputs.len() as u32 - 1
    }

    // -- places and values ----------------------------------------------------------------------------------------

    fn param_number(&self, decl: DeclId) -> Option<u32> {
        self.params.iter().position(|&param| param == decl).map(|index| index as u32)
    }

    /// The value of a place that nothing has been stored in.
    fn initial(&mut self, place: &Place) -> Value {
        let nowhere = TokenRange::default();
        match place.root {
            Root::Behind(param) => {
                let input = self.input(Input::Behind(param, place.steps.clone()));
                Value::new(SourceKind::Input(input), nowhere)
            }
            Root::Local(decl) => match self.param_number(decl) {
                Some(param) => {
                    let range = self.name_range(decl);
                    let input = self.input(Input::Param(param, place.steps.clone()));
                    Value::new(SourceKind::Input(input), range)
                }
                // Not initialised: null as far as anybody can tell.
                None => Value::default(),
            },
            Root::Temporary(_) => Value::default(),
        }
    }

    fn name_range(&self, decl: DeclId) -> TokenRange {
        let token = self.ast()[decl].name_token;
        TokenRange::new(token, token + 1)
    }

    fn load(&mut self, place: Option<&Place>, at: TokenRange) -> Value {
        let Some(place) = place else { return Value::new(SourceKind::Memory, at) };
        let mut value = match self.state.as_ref().and_then(|state| state.get(place)) {
            Some(value) => value.clone(),
            None => self.initial(place),
        };
        if self.opaque.contains(&place.root) {
            value.is_opaque = true;
        }
        value
    }

    fn set(&mut self, place: Place, value: Value) {
        let is_weak = place.steps.contains(&Step::Element);
        let Some(state) = &mut self.state else { return };
        match state.get_mut(&place) {
            Some(own) if is_weak => own.join(&value),
            _ => {
                state.insert(place, value);
            }
        }
    }

    /// Stores a value, or the parts of a class value, in a tracked place.
    fn store(&mut self, place: &Place, ty: QualTy, node: &Node) {
        if self.is_generic_pointer(ty.ty) {
            self.set(place.clone(), node.value.clone());
            return;
        }
        for steps in self.leaves(ty) {
            let value = self.part(node, &steps);
            self.set(place.join(&steps), value);
        }
    }

    fn part(&mut self, node: &Node, steps: &[Step]) -> Value {
        let at = TokenRange::default();
        match &node.parts {
            Parts::At(place) => {
                let place = place.join(steps);
                self.load(Some(&place), at)
            }
            Parts::Call(call) => Value::new(SourceKind::Output(*call, Output::Return(steps.into())), at),
            Parts::Unknown => match &node.place {
                Some(place) => {
                    let place = place.join(steps);
                    self.load(Some(&place), at)
                }
                None => Value::new(SourceKind::Memory, at),
            },
        }
    }

    fn is_generic_pointer(&self, ty: Ty) -> bool {
        matches!(self.sema.kind(ty), TyKind::Pointer(inner) | TyKind::LRef(inner) | TyKind::RRef(inner) if inner.space == Space::Generic)
    }

    /// The ways to generic pointers inside a type, at most a handful.
    fn leaves(&self, ty: QualTy) -> Vec<Steps> {
        let mut found = Vec::new();
        self.leaves_of(ty.ty, &mut Steps::new(), &mut found);
        found
    }

    fn leaves_of(&self, ty: Ty, steps: &mut Steps, found: &mut Vec<Steps>) {
        if found.len() >= 16 || steps.len() > 3 {
            return;
        }
        if self.is_generic_pointer(ty) {
            found.push(steps.clone());
            return;
        }
        match self.sema.kind(ty) {
            TyKind::Record(..) => {
                let Some(info) = self.sema.record_info(ty) else { return };
                if self.sema.is_library(info.decl) {
                    return;
                }
                for field in self.sema.fields(&info) {
                    let field_ty = self.sema.variable_type(field);
                    steps.push(Step::Field(field.decl));
                    self.leaves_of(field_ty.ty, steps, found);
                    steps.pop();
                }
                for &base in &info.bases {
                    self.leaves_of(base, steps, found);
                }
            }
            TyKind::Array(elem, _) => {
                steps.push(Step::Element);
                self.leaves_of(elem.ty, steps, found);
                steps.pop();
            }
            _ => {}
        }
    }

    /// The one tracked object that a pointer leads to.
    fn target(&self, value: &Value) -> Option<Place> {
        let [source] = &*value.sources else { return None };
        match &source.kind {
            SourceKind::Space(_, place) => place.clone(),
            SourceKind::Input(input) => match self.summary.inputs.get(*input as usize)? {
                Input::Param(param, steps) if steps.is_empty() => Some(Place::of(Root::Behind(*param))),
                _ => None,
            },
            _ => None,
        }
    }

    fn space_value(&self, space: Space, place: Option<Place>, at: TokenRange) -> Value {
        Value::new(SourceKind::Space(Spaces::of(space), place), at)
    }

    /// The value of a pointer whose type names its space.
    fn declared(&self, ty: Ty, at: TokenRange) -> Option<Value> {
        match self.sema.kind(ty) {
            TyKind::Pointer(inner) | TyKind::LRef(inner) | TyKind::RRef(inner) if inner.space.is_named() => {
                Some(self.space_value(inner.space, None, at))
            }
            TyKind::NullPtr => Some(Value::default()),
            _ => None,
        }
    }

    // -- accesses ---------------------------------------------------------------------------------------------------

    fn access(&mut self, expr: ExprId, range: TokenRange, pointer: &Value) {
        if !self.recording {
            return;
        }
        match self.access_numbers.get(&expr) {
            Some(&index) => self.summary.accesses[index].pointer.join(pointer),
            None => {
                self.access_numbers.insert(expr, self.summary.accesses.len());
                let loops = self.loops.clone();
                self.summary.accesses.push(Access { expr, range, pointer: pointer.clone(), loops });
            }
        }
    }

    /// Notes a load or store of an lvalue, if it is generic.
    fn touch(&mut self, expr: ExprId, node: &Node) {
        let mut inner = expr;
        while let ExprKind::Paren(next) = &self.ast()[inner].kind {
            inner = *next;
        }
        if let Some(info) = self.view.info(inner)
            && info.place() == Space::Generic
            && !matches!(self.sema.kind(info.ty.ty), TyKind::Array(..) | TyKind::Function(_))
        {
            self.access(inner, self.ast()[inner].range, &node.address);
        }
    }

    fn test(&mut self, kind: TestKind, range: TokenRange, pointer: &Value) {
        if self.recording {
            self.summary.tests.push(Test { kind, range, pointer: pointer.clone() });
        }
    }

    // -- expressions ------------------------------------------------------------------------------------------------

    fn rvalue(&mut self, expr: ExprId) -> Node {
        if !self.step() {
            return Node::default();
        }
        let node = self.rvalue_inner(expr);
        self.sema.leave();
        node
    }

    fn rvalue_inner(&mut self, expr: ExprId) -> Node {
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
    fn loaded(&mut self, expr: ExprId, node: Node, info: Option<ExprInfo>, range: TokenRange) -> Node {
        self.touch(expr, &node);
        self.loaded_quietly(node, info, range)
    }

    fn loaded_quietly(&mut self, node: Node, info: Option<ExprInfo>, range: TokenRange) -> Node {
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

    fn this_value(&mut self, at: TokenRange) -> Value {
        match self.sema.this_of(self.cx) {
            Some(this) if this.space == Space::Generic => {
                let input = self.input(Input::Param(THIS, Steps::new()));
                Value::new(SourceKind::Input(input), at)
            }
            Some(this) => self.space_value(this.space, Some(Place::of(Root::Behind(THIS))), at),
            None => Value::new(SourceKind::Memory, at),
        }
    }

    fn lvalue(&mut self, expr: ExprId) -> Node {
        if !self.step() {
            return Node::default();
        }
        let node = self.lvalue_inner(expr);
        self.sema.leave();
        node
    }

    fn lvalue_inner(&mut self, expr: ExprId) -> Node {
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

    fn materialized(&mut self, expr: ExprId, node: Node) -> Node {
        let range = self.ast()[expr].range;
        self.temporaries += 1;
        let place = Place::of(Root::Temporary(self.temporaries));
        if let Some(info) = self.view.info(expr) {
            self.store(&place, info.ty, &node);
        }
        let address = self.space_value(Space::Thread, Some(place.clone()), range);
        Node { address, place: Some(place), ..Node::default() }
    }

    fn name(&mut self, expr: ExprId, path: &Path) -> Node {
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

    fn member(&mut self, expr: ExprId, base: ExprId, arrow: bool, member: &Path) -> Node {
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

    fn field_of(&mut self, expr: ExprId, object: Node, place: Option<Place>, item: DeclRef) -> Node {
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

    fn index(&mut self, base: ExprId, args: &[ExprId]) -> Node {
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

    fn cast(&mut self, expr: ExprId, operand: ExprId, cast: Option<NamedCast>) -> Node {
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
    fn escape(&mut self, node: &Node) {
        if let Some(place) = self.target(&node.value)
            && matches!(place.root, Root::Local(_) | Root::Temporary(_))
        {
            self.opaque.insert(place.root);
        }
    }

    // -- calls ------------------------------------------------------------------------------------------------------

    fn operator_call(&mut self, expr: ExprId, operands: &[ExprId]) -> Node {
        let Some(callee) = self.view.callee(expr) else { return Node::default() };
        let signature = self.sema.signature(callee);
        if signature.this.is_some() {
            let object = self.object_node(operands[0]);
            return self.call_with(expr, callee, Some(object), &operands[1..]);
        }
        self.call_with(expr, callee, None, operands)
    }

    fn object_node(&mut self, expr: ExprId) -> Node {
        if self.view.info(expr).is_some_and(|info| info.is_lvalue() || info.is_xvalue()) {
            self.lvalue(expr)
        } else {
            let node = self.rvalue(expr);
            self.materialized(expr, node)
        }
    }

    fn call(&mut self, expr: ExprId, callee: ExprId, args: &[ExprId]) -> Node {
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

    fn call_with(&mut self, expr: ExprId, callee: DeclRef, object: Option<Node>, args: &[ExprId]) -> Node {
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
    fn passed(
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
    fn call_at(
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

    fn result(&mut self, expr: ExprId, number: u32, range: TokenRange) -> Node {
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

    fn unknown_result(&mut self, expr: ExprId, range: TokenRange) -> Node {
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
    fn library_result(&mut self, expr: ExprId, callee: DeclRef, passed: &[(Input, Value)]) -> Node {
        let range = self.ast()[expr].range;
        if let Some(spaces) = self.space_test(callee)
            && let Some((_, pointer)) = passed.first()
        {
            self.test(TestKind::Is(spaces), range, pointer);
        }
        self.unknown_result(expr, range)
    }

    /// The space that `is_…_addrspace` tests for.
    fn space_test(&self, callee: DeclRef) -> Option<Spaces> {
        let builtin = msl_builtins::Library::get().facts(callee.decl)?.builtin?;
        test_of(builtin)
    }

    fn construct(&mut self, expr: ExprId, args: &[ExprId], braces: bool) -> Node {
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
    fn init_list(&mut self, expr: ExprId, items: &[ExprId], ty: Option<QualTy>) -> Node {
        self.temporaries += 1;
        let place = Place::of(Root::Temporary(self.temporaries));
        self.init_list_into(items, ty, &place);
        let _ = expr;
        Node { parts: Parts::At(place), ..Node::default() }
    }

    fn init_list_into(&mut self, items: &[ExprId], ty: Option<QualTy>, place: &Place) {
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
    fn lambda(&mut self, lambda: &Lambda) {
        let outer = self.cx;
        self.cx.scope = lambda.scope;
        let before = self.state.clone();
        self.stmt(lambda.body);
        // It may run any number of times, or never.
        self.state = join_states(before, self.state.take(), self);
        self.cx = outer;
    }

    // -- conditions -------------------------------------------------------------------------------------------------

    fn condition_value(&mut self, expr: ExprId) {
        let (yes, no) = self.condition(expr);
        self.state = join_states(yes, no, self);
    }

    /// Evaluates a condition; gives the states where it holds and where it does not.
    fn condition(&mut self, expr: ExprId) -> (Option<State>, Option<State>) {
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
                let checked = [*lhs, *rhs].into_iter().find_map(|side| self.checked_cast(side));
                self.rvalue(expr);
                match checked {
                    Some((pointer, spaces)) => {
                        let (yes, no) = self.refine(pointer, spaces);
                        if *op == BinaryOp::Ne { (yes, no) } else { (no, yes) }
                    }
                    None => (self.state.clone(), self.state.take()),
                }
            }
            ExprKind::Call { args, .. } => {
                let test = self.view.callee(expr).and_then(|callee| self.space_test(callee));
                self.rvalue(expr);
                match (test, &**args) {
                    (Some(spaces), [pointer]) => self.refine(*pointer, spaces),
                    _ => (self.state.clone(), self.state.take()),
                }
            }
            ExprKind::NamedCast { cast: NamedCast::AddrSpace, .. } => {
                let checked = self.checked_cast(expr);
                self.rvalue(expr);
                match checked {
                    Some((pointer, spaces)) => self.refine(pointer, spaces),
                    None => (self.state.clone(), self.state.take()),
                }
            }
            ExprKind::Bool(true) => {
                let state = self.state.take();
                (state, None)
            }
            ExprKind::Bool(false) => {
                let state = self.state.take();
                (None, state)
            }
            _ => {
                self.rvalue(expr);
                (self.state.clone(), self.state.take())
            }
        }
    }

    fn checked_cast(&self, expr: ExprId) -> Option<(ExprId, Spaces)> {
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
    fn refine(&mut self, pointer: ExprId, spaces: Spaces) -> (Option<State>, Option<State>) {
        let recording = std::mem::replace(&mut self.recording, false);
        let node = self.lvalue(pointer);
        self.recording = recording;
        let Some(place) = node.place else { return (self.state.clone(), self.state.take()) };
        let current = self.load(Some(&place), TokenRange::default());
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

    // -- statements -------------------------------------------------------------------------------------------------

    fn stmt(&mut self, stmt: StmtId) {
        if self.state.is_none() || !self.step() {
            return;
        }
        self.stmt_inner(stmt);
        self.sema.leave();
    }

    fn stmt_inner(&mut self, stmt: StmtId) {
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
                // Every label can be reached from the head.
                self.state = start.clone();
                self.switch_body(*body, &start);
                let broken = self.breaks.pop().flatten();
                let fallen = self.state.take();
                let state = join_states(fallen, broken, self);
                self.state = join_states(state, start, self);
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
                    self.opaque.insert(place.root);
                }
                self.run_loop(stmt, head, count, *unroll, |walker| {
                    let out = walker.state.clone();
                    walker.set(Place::of(Root::Local(*var)), node.address.clone());
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

    fn switch_body(&mut self, body: StmtId, start: &Option<State>) {
        let ast = self.ast();
        let StmtKind::Compound { stmts, scope } = &ast[body].kind else {
            self.stmt(body);
            return;
        };
        let outer = std::mem::replace(&mut self.cx.scope, *scope);
        for &inner in stmts {
            if matches!(ast[inner].kind, StmtKind::Case { .. } | StmtKind::Default { .. }) {
                self.state = join_states(self.state.take(), start.clone(), self);
            }
            self.stmt(inner);
        }
        self.cx.scope = outer;
    }

    fn head(&mut self, cond: Condition) -> (Option<State>, Option<State>) {
        match cond {
            Condition::Expr(expr) => self.condition(expr),
            Condition::Decl(decl) => {
                self.declare(decl);
                (self.state.clone(), self.state.take())
            }
            Condition::Error => (self.state.clone(), self.state.take()),
        }
    }

    fn rejoin_continues(&mut self) {
        if let Some(continued) = self.continues.pop() {
            self.state = join_states(self.state.take(), continued, self);
            self.continues.push(None);
        }
    }

    /// Runs a loop until its state does not change, and then once more to note what happens in it. `round` walks the
    /// loop once and gives the state in which its condition fails.
    fn run_loop(
        &mut self,
        stmt: StmtId,
        head: TokenRange,
        trip_count: Option<u64>,
        _unroll: Unroll,
        mut round: impl FnMut(&mut Walker<'a>) -> Option<State>,
    ) {
        let number = match self.loop_numbers.get(&stmt) {
            Some(&number) => number,
            None => {
                self.summary.loops.push(Loop { range: head, trip_count });
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

    fn return_value(&mut self, value: ExprId) {
        let TypeKind::Function(_) = &self.ast()[self.function_type()].kind else { return };
        let ret = self.sema.signature(self.item).ret;
        let node = match self.sema.kind(ret.ty) {
            TyKind::LRef(_) | TyKind::RRef(_) => {
                let node = self.lvalue(value);
                Node { value: node.address.clone(), ..node }
            }
            _ => self.rvalue(value),
        };
        if !self.recording {
            return;
        }
        if self.is_generic_pointer(ret.ty) {
            self.output(Output::Return(Steps::new()), &node.value.clone());
            return;
        }
        let ty = match self.view.info(value) {
            Some(info) => info.ty,
            None => ret,
        };
        for steps in self.leaves(ty) {
            let part = self.part(&node, &steps);
            self.output(Output::Return(steps), &part);
        }
    }

    fn function_type(&self) -> TypeId {
        match &self.ast()[self.item.decl].kind {
            DeclKind::Function(function) => function.ty,
            _ => TypeId(0),
        }
    }

    fn declare(&mut self, decl: DeclId) {
        let ast = self.ast();
        let DeclKind::Variable(variable) = &ast[decl].kind else { return };
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
                let mut address = node.address.clone();
                if let (Some(target), [source]) = (&node.place, &mut *address.sources)
                    && let SourceKind::Space(_, own @ None) = &mut source.kind
                {
                    *own = Some(target.clone());
                }
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
    fn store_declared(&mut self, place: &Place, ty: QualTy, node: &Node) {
        if matches!(self.sema.kind(ty.ty), TyKind::Pointer(_)) {
            self.set(place.clone(), node.value.clone());
        } else {
            self.store(place, ty, node);
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

/// The space that a function of the library tests for, by what it is built in as.
fn test_of(builtin: Name) -> Option<Spaces> {
    match builtin.as_str() {
        "is_thread_addrspace" => Some(Spaces::of(Space::Thread)),
        "is_threadgroup_addrspace" => Some(Spaces::of(Space::Threadgroup)),
        "is_device_addrspace" => Some(Spaces::of(Space::Device)),
        _ => None,
    }
}

/// The state after either of two paths. A place that one path has not touched has its initial value there.
fn join_states(a: Option<State>, b: Option<State>, walker: &mut Walker<'_>) -> Option<State> {
    match (a, b) {
        (None, other) | (other, None) => other,
        (Some(mut a), Some(b)) => {
            for (place, value) in &b {
                match a.get_mut(place) {
                    Some(own) => own.join(value),
                    None => {
                        let mut joined = walker.initial(place);
                        joined.join(value);
                        a.insert(place.clone(), joined);
                    }
                }
            }
            let missing: Vec<Place> = a.keys().filter(|place| !b.contains_key(*place)).cloned().collect();
            for place in missing {
                let initial = walker.initial(&place);
                if let Some(own) = a.get_mut(&place) {
                    own.join(&initial);
                }
            }
            Some(a)
        }
    }
}
