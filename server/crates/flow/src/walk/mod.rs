//! The walk over one function's body that makes its summary.
//!
//! State is a map from tracked places to values, forward through the statements; at joins values are joined, loops run
//! until nothing changes. A *tracked* place is a part of a local variable, of a temporary object, or of what a
//! parameter leads to. Everything else is memory, of which nothing is known.
//!
//! Some things are true of a root everywhere in the body, however late they are found, so the walk runs until no more
//! of them turn up:
//!
//! * It is *merged* if its arrays are followed as one element each, because a pointer walks over one of them, or the
//!   counter of a loop that is written to be unrolled indexes it: the compiler tells the elements apart.
//! * It is *opaque* if a variable indexes an array in it, or a pointer that may lead elsewhere as well stores into it:
//!   its contents are tracked, but the compiler cannot keep them in registers.
//! * It is *escaped* if its address lies in memory: anybody may have changed it.
//!
//! A lambda is a function of its own, whose inputs include the variables around it; see [`closures`].

mod calls;
mod closures;
mod conditions;
mod expressions;
mod places;
mod statements;
mod unconcerned;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use msl_intern::Name;
use msl_parser::ParsedBody;
use msl_parser::ast::*;
use msl_ty::expr::{ExprInfo, Facts};
use msl_ty::sema::{Cx, LocalCaches};
use msl_ty::store::{QualTy, Space, Ty, TyKind};
use msl_ty::{DeclRef, Env, Sema};
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) use self::unconcerned::concerns_generics;
use crate::border::{Input, Output, Step, Steps, THIS, without_indices};
use crate::loops::trip_count;
use crate::summary::{Access, Call, Callee, Loop, Mention, Summary, Test, TestKind, Variable};
use crate::value::{Holder, Place, Root, SourceKind, Spaces, Value};

/// What the type check found for a body: for an instance, its own facts over those of the template.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) own: &'a Facts,
    pub(crate) generic: Option<&'a Facts>,
    /// Whether those with open parameters [concern generics](concerns_generics).
    pub(crate) is_concerned: bool,
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
    if !view.is_concerned && !concerns_generics(&sema, view.own) {
        return unconcerned::calls_alone(&sema, item, view);
    }
    let shared = Shared { view, item, closures: Rc::default() };
    walk_until_settled(|roots, recording| {
        let mut walker = Walker::new(Sema::new(env, &body.ast, &local), shared.clone(), Code::Function, roots);
        walker.recording = recording;
        walker.function(body);
        (walker.roots, walker.summary)
    })
}

/// Walks until no more of that is found about roots, and then once more to record.
fn walk_until_settled(mut walk: impl FnMut(Roots, bool) -> (Roots, Summary)) -> Summary {
    let mut roots = Roots::default();
    for _ in 0..MAX_WALKS {
        let (found, _) = walk(roots.clone(), false);
        if found == roots {
            break;
        }
        roots = found;
    }
    walk(roots, true).1
}

/// How often a body is walked before it is recorded.
const MAX_WALKS: u32 = 4;

type State = FxHashMap<Place, Value>;

/// What calls: an expression, the declaration of a variable with a constructor, or the initialiser of a member. A
/// lambda that goes where it cannot be followed may be called from there.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum CallSite {
    Expr(ExprId),
    Variable(DeclId),
    Member(u32),
    Leaving(ExprId),
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
    /// What a pointer that is loaded from here was loaded from, if the place is not tracked.
    holder: Holder,
}

#[derive(Clone, Default)]
enum Parts {
    #[default]
    Unknown,
    At(Place),
    /// The result of a call.
    Call(u32),
}

/// What is true of roots everywhere in the body.
#[derive(Clone, Debug, Default, PartialEq)]
struct Roots {
    merged: FxHashSet<Root>,
    /// What a parameter leads to, where that is the first of several objects: none of them is tracked alone.
    several: FxHashSet<Root>,
    opaque: FxHashSet<Root>,
    escaped: FxHashSet<Root>,
}

/// What the walks of a function and of its lambdas have in common.
#[derive(Clone)]
struct Shared<'a> {
    view: View<'a>,
    item: DeclRef,
    /// The summaries of the lambdas met so far, and where each stands among its parameters.
    closures: Rc<RefCell<FxHashMap<ExprId, Arc<Summary>>>>,
}

/// What is walked.
#[derive(Clone, Copy)]
enum Code<'a> {
    Function,
    Lambda(&'a Lambda, Cx),
}

struct Walker<'a> {
    sema: Sema<'a>,
    cx: Cx,
    view: View<'a>,
    shared: Shared<'a>,
    code: Code<'a>,
    params: Vec<DeclId>,
    /// What the function or lambda returns; `None` if that is deduced.
    ret: Option<QualTy>,
    state: Option<State>,
    breaks: Vec<Option<State>>,
    continues: Vec<Option<State>>,
    summary: Summary,
    recording: bool,
    loops: Vec<u32>,
    /// The counters of the loops around that are written to be unrolled and run a constant number of times.
    unrolled: Vec<DeclId>,
    loop_numbers: FxHashMap<StmtId, u32>,
    call_numbers: FxHashMap<CallSite, u32>,
    access_numbers: FxHashMap<ExprId, usize>,
    mention_numbers: FxHashMap<u32, usize>,
    /// Local variables declared so far; in a lambda all others are around it.
    declared: FxHashSet<DeclId>,
    /// What each call can store into.
    reached: FxHashMap<u32, Vec<Place>>,
    roots: Roots,
    temporaries: u32,
    steps: u32,
}

/// How many expressions and statements one walk may visit, loops counted as often as they are run.
const MAX_STEPS: u32 = 400_000;
/// How often a loop is run before its state is taken as it is.
const MAX_ROUNDS: u32 = 8;

impl<'a> Walker<'a> {
    fn new(sema: Sema<'a>, shared: Shared<'a>, code: Code<'a>, roots: Roots) -> Walker<'a> {
        let ast: &'a Ast = sema.ast;
        let function = match &ast[shared.item.decl].kind {
            DeclKind::Function(function) => Some(function.ty),
            _ => None,
        };
        let (cx, written) = match code {
            Code::Function => (Cx { before_local: u32::MAX, ..sema.cx_of(shared.item) }, function),
            Code::Lambda(lambda, outer) => {
                (Cx { scope: lambda.scope, before_local: u32::MAX, ..outer }, Some(lambda.ty))
            }
        };
        let written = written.and_then(|ty| match &ast[ty].kind {
            TypeKind::Function(written) => Some(written),
            _ => None,
        });
        let params = written.map_or_else(Vec::new, |written| written.params.to_vec());
        let ret = match code {
            Code::Function => written.map(|_| sema.signature(shared.item).ret),
            Code::Lambda(..) => written
                .filter(|written| !matches!(ast[written.ret].kind, TypeKind::Auto))
                .map(|written| sema.resolve_type(written.ret, cx)),
        };
        Walker {
            sema,
            cx,
            view: shared.view,
            shared,
            code,
            params,
            ret,
            state: Some(State::default()),
            breaks: Vec::new(),
            continues: Vec::new(),
            summary: Summary::default(),
            recording: false,
            loops: Vec::new(),
            unrolled: Vec::new(),
            loop_numbers: FxHashMap::default(),
            call_numbers: FxHashMap::default(),
            access_numbers: FxHashMap::default(),
            mention_numbers: FxHashMap::default(),
            declared: FxHashSet::default(),
            reached: FxHashMap::default(),
            roots,
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
        self.parameters();
        for init in &body.inits {
            self.member_init(init);
        }
        self.stmt(body.root);
        self.leave_function();
    }

    /// The generic pointers and references that come in by parameters.
    fn parameters(&mut self) {
        for param in self.params.clone() {
            let ty = self.variable_type(param);
            if self.is_generic_pointer(ty.ty) {
                let value = self.initial(&Place::of(Root::Local(param)));
                self.assigned(param, &value);
            }
        }
        if let Code::Function = self.code
            && self.sema.this_of(self.cx).is_some_and(|this| this.space == Space::Generic)
        {
            let this = self.input(Input::Param(THIS, Steps::new()));
            let at = self.name_range(self.shared.item.decl);
            self.summary.this = Some(Value::new(SourceKind::Input(this), at));
        }
    }

    fn member_init(&mut self, init: &MemInit) {
        if self.member_constructor(init) {
            return;
        }
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
        if !self.recording {
            return;
        }
        for (place, value) in &state {
            if let Some(output) = self.output_at(place) {
                self.output(output, value);
            }
        }
        for root in self.roots.escaped.clone() {
            if let Root::Behind(param) = root
                && let Some(pointee) = self.object_type(param)
            {
                for steps in self.leaves(pointee, root) {
                    self.output(Output::Behind(param, steps), &Value::limited());
                }
            }
        }
        // What this end leaves alone is as it came in.
        let others: Vec<Place> = self
            .summary
            .outputs
            .iter()
            .filter_map(|(output, _)| match output {
                Output::Behind(param, steps) => Some(Place { root: Root::Behind(*param), steps: steps.clone() }),
                Output::Capture(decl, steps) => Some(Place { root: Root::Local(*decl), steps: steps.clone() }),
                Output::Return(_) | Output::Pointee(_) => None,
            })
            .filter(|place| !state.contains_key(place))
            .collect();
        for place in others {
            let unchanged = self.initial(&place);
            if let Some(output) = self.output_at(&place) {
                self.output(output, &unchanged);
            }
        }
    }

    /// The type of the object that a parameter leads to.
    fn object_type(&self, param: u32) -> Option<QualTy> {
        if param == THIS {
            return self.cx.class.map(QualTy::plain);
        }
        let ty = self.variable_type(*self.params.get(param as usize)?).ty;
        match self.sema.kind(ty) {
            TyKind::Pointer(inner) | TyKind::LRef(inner) | TyKind::RRef(inner) => Some(*inner),
            _ => None,
        }
    }

    /// The output that a place is for the caller.
    fn output_at(&self, place: &Place) -> Option<Output> {
        match place.root {
            Root::Behind(param) => Some(Output::Behind(param, place.steps.clone())),
            Root::Local(decl) if self.is_around(decl) => Some(Output::Capture(decl, place.steps.clone())),
            _ => None,
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

    // -- accesses ---------------------------------------------------------------------------------------------------

    /// A member that a constructor initialises (C++17 [class.base.init]).
    fn member_constructor(&mut self, init: &MemInit) -> bool {
        let facts = [Some(self.view.own), self.view.generic].into_iter().flatten();
        let constructor = facts.filter_map(|facts| facts.member_constructors.get(&init.target)).next().copied();
        let Some(constructor) = constructor.filter(|constructor| !self.sema.is_library(constructor.decl)) else {
            return false;
        };
        let args: Vec<ExprId> = match &init.init {
            Init::Paren(args) => args.to_vec(),
            Init::Brace(list) => match &self.ast()[*list].kind {
                ExprKind::InitList(items) => items.to_vec(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        let own = Place::of(Root::Behind(THIS));
        let place = match &self.ast()[init.target].kind {
            TypeKind::Path { path, .. } => {
                let field = path.as_ident().zip(self.cx.class).and_then(|(name, class)| {
                    let members = self.sema.members(class, name);
                    let field = members.items.first()?;
                    matches!(self.ast()[field.decl].kind, DeclKind::Variable(_)).then_some(field.decl)
                });
                field.map_or_else(|| own.clone(), |field| own.then(Step::Field(field)))
            }
            _ => own,
        };
        let address = self.this_value(init.range);
        let object = Node { address, place: Some(place), ..Node::default() };
        self.call_at(CallSite::Member(init.target.0), init.range, constructor, Some(object), &args);
        true
    }

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
            // The store is noted at the left side; nothing is loaded again.
            && !is_store(&self.ast()[inner].kind)
        {
            self.access(inner, self.ast()[inner].range, &node.address);
        }
    }

    /// Notes the value of a name.
    fn mention(&mut self, token: u32, value: &Value) {
        if !self.recording {
            return;
        }
        match self.mention_numbers.get(&token) {
            Some(&index) => self.summary.mentions[index].value.join(value),
            None => {
                self.mention_numbers.insert(token, self.summary.mentions.len());
                self.summary.mentions.push(Mention { token, value: value.clone() });
            }
        }
    }

    /// Notes what a variable is declared with or assigned.
    fn assigned(&mut self, decl: DeclId, value: &Value) {
        if !self.recording {
            return;
        }
        match self.summary.variables.iter_mut().find(|own| own.decl == decl) {
            Some(own) => own.value.join(value),
            None => {
                let token = self.ast()[decl].name_token;
                if self.is_generic_pointer(self.variable_type(decl).ty) {
                    self.summary.variables.push(Variable { decl, token, value: value.clone() });
                }
            }
        }
    }

    /// Remembers the name of a variable for explanations.
    fn named(&mut self, decl: DeclId) {
        if self.recording
            && self.summary.name(decl).is_none()
            && let Some(name) = self.sema.decl_name(decl)
        {
            self.summary.names.push((decl, name));
        }
    }

    /// Notes the use of a pointer that an `addrspace_cast` gave and nothing has tested.
    fn used(&mut self, range: TokenRange, pointer: &Value) {
        if pointer.is_unchecked {
            self.test(TestKind::Unchecked, range, pointer);
        }
    }

    fn test(&mut self, kind: TestKind, range: TokenRange, pointer: &Value) {
        if self.recording {
            self.summary.tests.push(Test { kind, range, pointer: pointer.clone() });
        }
    }
}

fn is_store(kind: &ExprKind) -> bool {
    matches!(kind, ExprKind::Assign { .. } | ExprKind::Unary { op: UnaryOp::PreInc | UnaryOp::PreDec, .. })
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
