//! The walk over one function's body that makes its summary.
//!
//! State is a map from tracked places to values, forward through the statements; at joins values are joined, loops run
//! until nothing changes. A *tracked* place is a part of a local variable, of a temporary object, or of what a
//! parameter leads to. Everything else is memory, of which nothing is known.
//!
//! The walk runs twice: the first time it finds the arrays that a variable indexes and the locals that escape, which
//! makes their contents opaque everywhere.

mod calls;
mod conditions;
mod expressions;
mod statements;

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
