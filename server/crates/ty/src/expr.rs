//! Expressions: what each one's type is, where its object lives, and what its names mean.
//!
//! The [`Checker`] walks a body or a single expression. What it learns goes into [`Facts`]; what is wrong goes to the
//! sink of its [`Sema`]. Whatever touches something unknown is unknown itself and reported by nobody.

use std::sync::Arc;

use bitflags::bitflags;
use msl_diagnostics::Code;
use msl_parser::ast::*;
use msl_parser::scope::ScopeKind;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::rules::Parting;
use crate::rules::jumps::Enclosing;
use crate::sema::{Cx, DeclRef, LocalCaches, Sema, TyDiagnostic};
use crate::signature::This;
use crate::store::*;

/// Value category (C++ [basic.lval]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Category {
    LValue,
    XValue,
    PrValue,
}

bitflags! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
    pub struct ExprFlags: u8 {
        /// A vector component, swizzle or bit-field: an lvalue without an address.
        const COMPONENT = 1;
        /// A literal zero, which converts to any pointer.
        const NULL_CONSTANT = 2;
        /// A braced list, which has no type of its own.
        const INIT_LIST = 4;
        /// A string literal; that its data is in constant memory is deduced, not stated (G46).
        const STRING = 16;
        /// The name of several functions, or of a function template.
        const OVERLOAD_SET = 8;
    }
}

/// What is known of an expression. For lvalues the type's space says where the object lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExprInfo {
    pub ty: QualTy,
    pub category: Category,
    pub flags: ExprFlags,
    /// The expression itself, for braced lists and overload sets only.
    pub expr: Option<ExprId>,
}

impl ExprInfo {
    pub const UNKNOWN: ExprInfo = ExprInfo::prvalue(QualTy::UNKNOWN);
    pub const DEPENDENT: ExprInfo = ExprInfo::prvalue(QualTy::DEPENDENT);

    pub const fn prvalue(ty: QualTy) -> ExprInfo {
        ExprInfo { ty, category: Category::PrValue, flags: ExprFlags::empty(), expr: None }
    }

    pub const fn value(ty: Ty) -> ExprInfo {
        ExprInfo::prvalue(QualTy::plain(ty))
    }

    /// An object of a type that lives in the type's space.
    pub const fn lvalue(ty: QualTy) -> ExprInfo {
        ExprInfo { ty, category: Category::LValue, flags: ExprFlags::empty(), expr: None }
    }

    pub fn is_lvalue(&self) -> bool {
        self.category == Category::LValue
    }

    pub fn is_xvalue(&self) -> bool {
        self.category == Category::XValue
    }

    pub fn is_component(&self) -> bool {
        self.flags.contains(ExprFlags::COMPONENT)
    }

    pub fn is_null_constant(&self) -> bool {
        self.flags.contains(ExprFlags::NULL_CONSTANT)
    }

    pub fn is_init_list(&self) -> bool {
        self.flags.contains(ExprFlags::INIT_LIST)
    }

    pub fn is_overload_set(&self) -> bool {
        self.flags.contains(ExprFlags::OVERLOAD_SET)
    }

    /// Where the object lives; [`Space::None`] for values.
    pub fn place(&self) -> Space {
        if self.category == Category::PrValue { Space::None } else { self.ty.space }
    }

    /// The result of a call whose function returns `ret`.
    pub fn of_call_result(sema: &Sema<'_>, ret: QualTy) -> ExprInfo {
        match sema.kind(ret.ty) {
            TyKind::LRef(inner) => ExprInfo::lvalue(*inner),
            TyKind::RRef(inner) => ExprInfo { category: Category::XValue, ..ExprInfo::lvalue(*inner) },
            _ => ExprInfo::prvalue(QualTy { space: Space::None, ..ret }),
        }
    }

    /// `declval<T>()`.
    pub fn of_declval(sema: &Sema<'_>, ty: QualTy) -> ExprInfo {
        match sema.kind(ty.ty) {
            TyKind::LRef(inner) => ExprInfo::lvalue(*inner),
            TyKind::RRef(inner) => ExprInfo { category: Category::XValue, ..ExprInfo::lvalue(*inner) },
            _ => ExprInfo { category: Category::XValue, ..ExprInfo::lvalue(ty) },
        }
    }
}

/// A lambda: its parameters and result.
#[derive(Clone, Debug)]
pub struct Closure {
    pub expr: ExprId,
    pub params: Vec<(DeclId, QualTy)>,
    pub ret: QualTy,
    /// Has `auto` parameters: a call operator template.
    pub is_generic: bool,
}

/// What the check of a body or of declarations learned, by expression and by token.
#[derive(Debug, Default)]
pub struct Facts {
    pub exprs: FxHashMap<ExprId, ExprInfo>,
    /// What the name at a token refers to.
    pub refs: FxHashMap<u32, SmallVec<[DeclRef; 1]>>,
    /// Types of local variables, deduced ones included.
    pub variables: FxHashMap<DeclId, QualTy>,
    /// What calls and overloaded operators call, by their expression.
    pub callees: FxHashMap<ExprId, DeclRef>,
    /// The constructors that initialise local variables.
    pub constructors: FxHashMap<DeclId, DeclRef>,
    /// The constructors that initialise members and bases, by the target of the member initialiser.
    pub member_constructors: FxHashMap<TypeId, DeclRef>,
    /// Expressions with something inside that only an instance settles.
    pub(crate) open: FxHashSet<ExprId>,
    /// How many things were met so far that only an instance settles.
    pub(crate) unsettled: u32,
}

/// Walks expressions and statements.
pub struct Checker<'a> {
    pub sema: Sema<'a>,
    pub cx: Cx,
    pub facts: Facts,
    /// Whether facts are kept; a quiet look at one expression keeps none.
    pub(crate) keeps_facts: bool,
    /// The declared result type, with `auto` still in it, and what `return` statements gave so far.
    pub(crate) ret: Option<QualTy>,
    pub(crate) returned: Option<QualTy>,
    /// For an instance: what the check with open parameters found.
    pub(crate) generic: Option<&'a Facts>,
    /// The conditions around this place that part the threads of a group, outermost first.
    pub(crate) partings: Vec<Parting>,
    /// What jumps and labels at this place belong to.
    pub(crate) enclosing: Enclosing,
}

impl<'a> Sema<'a> {
    /// The type of an expression, without reporting or remembering anything.
    pub fn type_of_expr(&self, expr: ExprId, cx: Cx) -> ExprInfo {
        self.deeper(|| Checker::new(self.quiet(), cx).expr(expr)).unwrap_or(ExprInfo::UNKNOWN)
    }

    /// `decltype(expr)` (C++ [dcl.type.decltype]).
    pub(crate) fn decltype_of(&self, expr: ExprId, info: ExprInfo, cx: Cx) -> QualTy {
        if let ExprKind::Path(_) | ExprKind::Member { .. } = &self.ast[expr].kind
            && let Some(item) = self.named_variable(expr, cx)
        {
            let declared = self.variable_type(item);
            // From 4.1 on the space of an automatic variable is part of its type.
            if declared.space == Space::None
                && !self.is_ref(declared.ty)
                && matches!(&self.ast[item.decl].kind, DeclKind::Variable(variable)
                    if matches!(variable.kind, VariableKind::Local | VariableKind::Param | VariableKind::Binding))
                && self.generic()
            {
                return declared.with_space(Space::Thread);
            }
            return declared;
        }
        self.value_category_type(&info)
    }

    fn named_variable(&self, expr: ExprId, cx: Cx) -> Option<DeclRef> {
        let ExprKind::Path(path) = &self.ast[expr].kind else { return None };
        let found = self.lookup_path(path, cx);
        match &*found.items {
            [item] => match &self.ast[item.decl].kind {
                DeclKind::Variable(variable)
                    if variable.kind != VariableKind::TemplateValue && path.last()?.args.is_none() =>
                {
                    Some(DeclRef {
                        decl: item.decl,
                        bind: self.bind_for(item.decl, if found.class.is_some() { item.bind } else { cx.bind }),
                    })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The type with a reference for lvalues and xvalues.
    pub(crate) fn value_category_type(&self, info: &ExprInfo) -> QualTy {
        match info.category {
            Category::LValue => QualTy::plain(self.store().intern(TyKind::LRef(info.ty))),
            Category::XValue => QualTy::plain(self.store().intern(TyKind::RRef(info.ty))),
            Category::PrValue => info.ty,
        }
    }

    /// The object that `this` points to in a context.
    pub fn this_of(&self, cx: Cx) -> Option<This> {
        let mut scope = Some(cx.scope);
        while let Some(id) = scope {
            let data = &self.ast[id];
            match data.kind {
                ScopeKind::Function => {
                    let owner = data.owner?;
                    let item = DeclRef { decl: owner, bind: self.bind_for(owner, cx.bind) };
                    return self.signature(item).this;
                }
                // A default member initialiser, a decltype in a member's type.
                ScopeKind::Record => {
                    let class = cx.class.or_else(|| data.owner.map(|owner| self.record_self(owner, cx.bind)))?;
                    let space = if self.generic() { Space::Generic } else { Space::Thread };
                    return Some(This {
                        class,
                        cv: Cv::empty(),
                        space,
                        annotated: false,
                        reference: RefQualifier::None,
                    });
                }
                _ => scope = data.parent,
            }
        }
        None
    }

    /// A body that stays in the declaration stream, parsed.
    pub(crate) fn inline_body(&self, decl: DeclId) -> Option<Arc<msl_parser::ParsedBody>> {
        if self.is_local(decl) {
            return None;
        }
        if let Some(known) = self.env.caches.bodies.get(&decl) {
            return Some(Arc::clone(&known));
        }
        let DeclKind::Function(function) = &self.ast[decl].kind else { return None };
        let body = match function.body {
            FunctionBody::Inline(range) => {
                let tokens = self.env.token_slice(range)?;
                let stream = if self.is_library(decl) { self.env.library.stream_of(decl) } else { &*self.env.tokens };
                Arc::new(msl_parser::parse_body(Arc::clone(&self.env.ast), stream, decl, tokens))
            }
            _ => {
                // The definition may be another declaration of the same function.
                let definition = self.redeclarations(decl).into_iter().find(|&other| {
                    other != decl
                        && matches!(&self.ast[other].kind, DeclKind::Function(other) if matches!(other.body, FunctionBody::Inline(_)))
                        && self.same_function(DeclRef { decl, bind: BindId::NONE }, DeclRef { decl: other, bind: BindId::NONE })
                })?;
                return self.deeper(|| self.inline_body(definition)).flatten();
            }
        };
        self.env.caches.bodies.insert(decl, Arc::clone(&body));
        Some(body)
    }

    /// The result type of a function whose declaration says `auto`.
    pub(crate) fn deduced_return(&self, item: DeclRef) -> QualTy {
        if let Some(known) = self.env.caches.returns.get(&item) {
            return *known;
        }
        if self.store().bind_flags(item.bind).contains(TyFlags::DEPENDENT) {
            return QualTy::DEPENDENT;
        }
        let compute = || -> Option<QualTy> {
            let body = self.inline_body(item.decl)?;
            let local = LocalCaches::default();
            let sema = Sema::nested(self, &body.ast, &local);
            let declared = sema.signature(item).ret;
            let mut checker = Checker::for_function(sema, item, Some(declared));
            checker.keeps_facts = false;
            checker.body(&body);
            let result = match checker.returned {
                Some(ty) => ty,
                None => QualTy::plain(Ty::VOID),
            };
            // Types that only exist inside the body cannot be named out here.
            if self.store().flags(result.ty).contains(TyFlags::LOCAL) { None } else { Some(result) }
        };
        let result = self.deeper(compute).flatten().unwrap_or(QualTy::UNKNOWN);
        if !self.is_local_ref(item) {
            self.env.caches.returns.insert(item, result);
        }
        result
    }

    /// The function that a call expression calls, if that is decided.
    pub(crate) fn called_function(&self, expr: ExprId, cx: Cx) -> Option<DeclRef> {
        Checker::new(self.quiet(), cx).call_target(expr)
    }

    /// The declaration that a variable template specialisation is read from.
    pub(crate) fn select_variable(&self, item: DeclRef) -> DeclRef {
        let Some(name) = self.decl_name(item.decl) else { return item };
        let link = self.store().bindings(item.bind);
        let (header, actual, outer) = (link.header, Arc::clone(&link.args), link.parent);
        let mut scope = Some(self.declared_in(item.decl));
        let mut best: Option<(DeclRef, usize)> = None;
        while let Some(id) = scope {
            for &other in self.ast[id].get(name) {
                let DeclKind::Variable(variable) = &self.ast[other].kind else { continue };
                let Some(written) = &variable.name_args else { continue };
                if self.ast[other].specs.contains(Specs::INSTANTIATION) {
                    continue;
                }
                let own = self.ast[other].templates.last().copied();
                let own_scope = own.map_or(self.ast[other].scope, |own| self.ast[own].scope);
                let cx = Cx { scope: own_scope, bind: outer, before: u32::MAX, before_local: u32::MAX, class: None };
                let Some(pattern) = self.deeper(|| self.quiet().template_args(header, written, outer, cx)).flatten()
                else {
                    continue;
                };
                match own.filter(|&own| !self.ast[own].params.is_empty()) {
                    None if self.same_args(&pattern, &actual) => return DeclRef { decl: other, bind: outer },
                    None => {}
                    Some(own) => {
                        if let crate::deduce::Deduced::Yes(args) = self.deduce_args(own, &pattern, &actual, outer) {
                            let candidate = DeclRef { decl: other, bind: self.store().bind(outer, own, args) };
                            let bound = Cx { bind: candidate.bind, ..cx };
                            if self.specialization_holds(header, written, outer, bound, &actual) != Some(true) {
                                continue;
                            }
                            // Fewer parameters is a fair stand-in for more specialised among patterns that all match.
                            let weight = self.ast[own].params.len();
                            if best.is_none_or(|(_, known)| weight < known) {
                                best = Some((candidate, weight));
                            }
                        }
                    }
                }
            }
            scope = self.ast[id].extends;
        }
        best.map_or(item, |(found, _)| found)
    }
}

impl<'a> Checker<'a> {
    /// A checker that keeps no facts.
    pub(crate) fn new(sema: Sema<'a>, cx: Cx) -> Checker<'a> {
        Checker {
            sema,
            cx,
            facts: Facts::default(),
            keeps_facts: false,
            ret: None,
            returned: None,
            generic: None,
            partings: Vec::new(),
            enclosing: Enclosing::default(),
        }
    }

    /// A checker for one function's body, or for its declaration.
    pub fn for_function(sema: Sema<'a>, item: DeclRef, ret: Option<QualTy>) -> Checker<'a> {
        let cx = sema.cx_of(item);
        let cx = Cx { before_local: sema.ast.start().decls.max(sema.env.ast.end().decls), ..cx };
        Checker { keeps_facts: true, ret, ..Checker::new(sema, cx) }
    }

    pub(crate) fn ast(&self) -> &'a Ast {
        self.sema.ast
    }

    pub(crate) fn kind(&self, ty: Ty) -> &'a TyKind {
        self.sema.kind(ty)
    }

    pub(crate) fn refer(&mut self, token: u32, item: DeclRef) {
        if self.keeps_facts {
            let refs = self.facts.refs.entry(token).or_default();
            if !refs.contains(&item) {
                refs.push(item);
                self.check_deprecated(token, item);
            }
        }
    }

    pub(crate) fn report(&self, code: Code, range: TokenRange, message: String) {
        self.sema.report(|| TyDiagnostic {
            code,
            severity: None,
            range,
            message,
            related: Vec::new(),
            fixes: Vec::new(),
        });
    }

    /// Reports something that follows from a rule that nobody states: at most a hint.
    pub(crate) fn hint(&self, code: Code, range: TokenRange, message: String) {
        let severity = Some(msl_diagnostics::Severity::Hint);
        self.sema.report(|| TyDiagnostic { code, severity, range, message, related: Vec::new(), fixes: Vec::new() });
    }

    pub(crate) fn is_dependent(&self, info: &ExprInfo) -> bool {
        self.sema.store().is_dependent(info.ty.ty)
    }

    /// Neither dependent nor unknown, and a value of its own.
    pub(crate) fn is_solid(&self, info: &ExprInfo) -> bool {
        self.sema.store().is_solid(info.ty.ty) && !info.is_init_list() && !info.is_overload_set()
    }

    /// Whether the template parameters in force are unbound somewhere: absence of a name proves little.
    pub(crate) fn in_template(&self) -> bool {
        let mut scope = Some(self.cx.scope);
        while let Some(id) = scope {
            let data = &self.ast()[id];
            if data.kind == ScopeKind::Template && !data.names.is_empty() {
                let bound =
                    data.names.values().flatten().all(|&param| self.sema.binding(param, self.cx.bind).is_some());
                if !bound {
                    return true;
                }
            }
            scope = data.parent;
        }
        false
    }

    /// Checks an expression.
    pub fn expr(&mut self, expr: ExprId) -> ExprInfo {
        if let Some(generic) = self.generic
            && let Some(info) = generic.exprs.get(&expr)
            && self.settled(expr)
        {
            return *info;
        }
        let unsettled = self.facts.unsettled;
        let depth = self.sema.enter();
        let info = if depth { self.expr_inner(expr) } else { ExprInfo::UNKNOWN };
        if depth {
            self.sema.leave();
        }
        if self.keeps_facts {
            self.facts.exprs.insert(expr, info);
            if !info.is_init_list() && !self.is_settled(&info) || self.is_dependent(&info) {
                self.facts.unsettled += 1;
            }
            if self.facts.unsettled != unsettled {
                self.facts.open.insert(expr);
            }
        }
        info
    }

    /// Whether what is known of an expression with open template parameters holds for every instance.
    fn is_settled(&self, info: &ExprInfo) -> bool {
        !info.is_init_list()
            && !info.is_overload_set()
            && !self
                .sema
                .store()
                .flags(info.ty.ty)
                .intersects(TyFlags::DEPENDENT | TyFlags::UNKNOWN | TyFlags::LOCAL | TyFlags::AUTO)
    }

    /// Whether an expression was settled with open template parameters, and so was everything inside of it.
    pub(crate) fn settled(&self, expr: ExprId) -> bool {
        self.generic.is_some_and(|generic| {
            !generic.open.contains(&expr) && generic.exprs.get(&expr).is_some_and(|info| self.is_settled(info))
        })
    }

    /// What this check, or the one with open parameters, found for an expression.
    pub(crate) fn info_of(&self, expr: ExprId) -> Option<ExprInfo> {
        self.facts.exprs.get(&expr).or_else(|| self.generic?.exprs.get(&expr)).copied()
    }

    fn expr_inner(&mut self, expr: ExprId) -> ExprInfo {
        let ast = self.ast();
        match &ast[expr].kind {
            ExprKind::Error => ExprInfo::UNKNOWN,
            ExprKind::Int(name) => match crate::consteval::int_literal(*name) {
                Some((value, scalar)) => {
                    let mut info = ExprInfo::value(Ty::scalar(scalar));
                    if value == 0 {
                        info.flags |= ExprFlags::NULL_CONSTANT;
                    }
                    info
                }
                None => ExprInfo::UNKNOWN,
            },
            ExprKind::Float(name) => match crate::consteval::float_literal(*name) {
                Some((_, scalar)) => ExprInfo::value(Ty::scalar(scalar)),
                None => ExprInfo::UNKNOWN,
            },
            ExprKind::Char(_) => ExprInfo::value(Ty::CHAR),
            ExprKind::String(_) => {
                // The length is not needed by any rule; an unsized array of characters in constant memory (G46).
                let elem = QualTy::plain(Ty::CHAR);
                let array = self.sema.store().intern(TyKind::Array(elem, ArrayLen::Unknown));
                let ty = QualTy::plain(array).with_cv(Cv::CONST).with_space(Space::Constant);
                ExprInfo { flags: ExprFlags::STRING, ..ExprInfo::lvalue(ty) }
            }
            ExprKind::Bool(_) => ExprInfo::value(Ty::BOOL),
            ExprKind::Nullptr => ExprInfo::value(Ty::NULLPTR),
            ExprKind::This => match self.sema.this_of(self.cx) {
                Some(this) => {
                    let object = QualTy { ty: this.class, cv: this.cv, space: this.space };
                    ExprInfo::value(self.sema.store().pointer(object))
                }
                None => {
                    self.check_this(expr);
                    ExprInfo::UNKNOWN
                }
            },
            ExprKind::Path(path) => self.path(expr, path),
            ExprKind::Paren(inner) => self.expr(*inner),
            ExprKind::Unary { op, operand, op_token } => self.unary(expr, *op, *operand, *op_token),
            ExprKind::Binary { op, lhs, rhs, op_token } => self.binary(expr, *op, *lhs, *rhs, *op_token),
            ExprKind::Assign { op, lhs, rhs, op_token } => self.assign(expr, *op, *lhs, *rhs, *op_token),
            ExprKind::Conditional { cond, then, otherwise } => self.conditional(expr, *cond, *then, *otherwise),
            ExprKind::Call { callee, args } => self.call(expr, *callee, args),
            ExprKind::Index { base, args } => self.index(expr, *base, args),
            ExprKind::Member { base, arrow, member } => self.member(expr, *base, *arrow, member),
            ExprKind::CCast { ty, operand } => self.cast(expr, None, *ty, *operand),
            ExprKind::NamedCast { cast, ty, operand } => self.cast(expr, Some(*cast), *ty, *operand),
            ExprKind::Construct { ty, args, braces } => self.construct(expr, *ty, args, *braces),
            ExprKind::InitList(items) => {
                let mut is_dependent = false;
                for &item in items {
                    is_dependent |= {
                        let info = self.expr(item);
                        self.is_dependent(&info)
                    };
                }
                let ty = if is_dependent { QualTy::DEPENDENT } else { QualTy::plain(Ty::VOID) };
                ExprInfo { flags: ExprFlags::INIT_LIST, expr: Some(expr), ..ExprInfo::prvalue(ty) }
            }
            ExprKind::Designated { index, last, value, .. } => {
                for bound in [index, last].into_iter().flatten() {
                    self.expr(*bound);
                }
                self.expr(*value)
            }
            ExprKind::Lambda(lambda) => self.lambda(expr, lambda),
            ExprKind::SizeofType { ty, .. } => {
                self.types_in(*ty);
                ExprInfo::value(Ty::ULONG)
            }
            ExprKind::SizeofExpr { operand, .. } => {
                self.expr(*operand);
                ExprInfo::value(Ty::ULONG)
            }
            ExprKind::SizeofPack { .. } => ExprInfo::value(Ty::ULONG),
            ExprKind::TypeTrait { args, .. } => {
                for &arg in args {
                    self.types_in(arg);
                }
                ExprInfo::value(Ty::BOOL)
            }
            ExprKind::Noexcept(operand) => {
                self.expr(*operand);
                self.report(
                    Code::RemovedLanguageFeature,
                    ast[expr].range,
                    "Metal does not have the operator `noexcept` (MSL spec §1.5.4)".to_owned(),
                );
                ExprInfo::value(Ty::BOOL)
            }
            ExprKind::Fold { op, lhs, rhs } => {
                self.newer_syntax(self.ast()[expr].range, "fold expressions");
                self.fold(*op, *lhs, *rhs)
            }
            ExprKind::Expansion(inner) => match self.sema.expand_binds(ast[*inner].range, self.cx) {
                Some(binds) => {
                    let outer = self.cx;
                    let mut last = ExprInfo::UNKNOWN;
                    for bind in binds {
                        self.cx = Cx { bind, ..outer };
                        last = self.expr(*inner);
                    }
                    self.cx = outer;
                    last
                }
                None => {
                    self.expr(*inner);
                    ExprInfo::DEPENDENT
                }
            },
            ExprKind::StmtExpr(stmt) => self.stmt_expr(*stmt),
            ExprKind::Removed { what, operands, ty } => {
                for &operand in operands {
                    self.expr(operand);
                }
                if let Some(ty) = ty {
                    self.types_in(*ty);
                }
                self.removed(expr, *what)
            }
        }
    }

    fn removed(&mut self, expr: ExprId, what: RemovedExpr) -> ExprInfo {
        let (word, allowed) = match what {
            RemovedExpr::New => ("new", false),
            RemovedExpr::PlacementNew => ("placement new", self.sema.generic()),
            RemovedExpr::Delete => ("delete", false),
            RemovedExpr::Throw => ("throw", false),
            RemovedExpr::Typeid => ("typeid", false),
        };
        if !allowed {
            let since = if what == RemovedExpr::PlacementNew { " before Metal 4.1" } else { "" };
            self.report(
                Code::RemovedLanguageFeature,
                self.ast()[expr].range,
                format!("Metal does not have `{word}`{since} (MSL spec §1.5.4)"),
            );
        }
        ExprInfo::UNKNOWN
    }

    /// Resolves a type for its names and its mistakes.
    pub(crate) fn types_in(&mut self, node: TypeId) -> QualTy {
        if self.keeps_facts {
            self.note_type_refs(node);
        }
        self.sema.resolve_type(node, self.cx)
    }

    /// Notes what the names in a type refer to, and checks expressions in it.
    pub(crate) fn note_type_refs(&mut self, node: TypeId) {
        let ast = self.ast();
        self.check_type_node(node);
        match &ast[node].kind {
            TypeKind::Path { path, .. } | TypeKind::Elaborated { path, .. } | TypeKind::ElaboratedEnum { path } => {
                self.note_path(path)
            }
            TypeKind::Qualified { inner, .. }
            | TypeKind::Pointer(inner)
            | TypeKind::LRef(inner)
            | TypeKind::RRef(inner)
            | TypeKind::Pack(inner)
            | TypeKind::Transform { arg: inner, .. } => self.note_type_refs(*inner),
            TypeKind::Array { elem, len } => {
                self.note_type_refs(*elem);
                if let Some(len) = len {
                    self.expr(*len);
                }
            }
            TypeKind::Function(function) => {
                self.note_type_refs(function.ret);
                for &param in &function.params {
                    if let DeclKind::Variable(variable) = &ast[param].kind {
                        self.note_type_refs(variable.ty);
                    }
                }
            }
            TypeKind::Decltype(expr) => {
                self.expr(*expr);
            }
            _ => {}
        }
    }

    /// Notes what each segment of a path that is not an expression refers to.
    pub(crate) fn note_path(&mut self, path: &Path) {
        if !self.keeps_facts {
            return;
        }
        if let Some(expr) = path.decltype {
            self.expr(expr);
        }
        for count in 1..=path.segments.len() {
            let segment = &path.segments[count - 1];
            if let Some(args) = &segment.args {
                self.note_template_args(args);
            }
            if !matches!(segment.name, UnqualName::Ident(_)) {
                continue;
            }
            let prefix = Path { global: path.global, decltype: path.decltype, segments: path.segments[..count].into() };
            let found = self.sema.lookup_path(&prefix, self.cx);
            if let Some(&item) = found.items.first() {
                self.refer(segment.token, item);
            }
        }
    }

    /// Looks at the numbers among the arguments of a declaration's attributes; words are names of nothing.
    pub(crate) fn note_attributes(&mut self, decl: DeclId) {
        use msl_builtins::attributes::{Args, attribute};
        for &attr in &self.ast()[decl].attrs {
            let attr = &self.ast()[attr];
            let has_numbers = match attr.syntax {
                AttrSyntax::Alignas => true,
                _ => attribute(attr.name.as_str()).is_some_and(|info| {
                    matches!(info.args, Args::Index { .. } | Args::Number | Args::Sizes | Args::FunctionConstant)
                }),
            };
            for &arg in attr.args.iter().filter(|_| has_numbers) {
                self.expr(arg);
            }
        }
    }

    pub(crate) fn note_template_args(&mut self, args: &[TemplateArg]) {
        for arg in args {
            match arg.kind {
                TemplateArgKind::Type(ty) => self.note_type_refs(ty),
                TemplateArgKind::Expr(expr) => {
                    self.expr(expr);
                }
            }
        }
    }

    fn fold(&mut self, op: BinaryOp, lhs: Option<ExprId>, rhs: Option<ExprId>) -> ExprInfo {
        let mut is_dependent = false;
        let mut element = None;
        let outer = self.cx;
        for side in [lhs, rhs].into_iter().flatten() {
            match self.sema.expand_binds(self.ast()[side].range, outer) {
                Some(binds) => {
                    for bind in binds {
                        self.cx = Cx { bind, ..outer };
                        element = Some(self.expr(side));
                    }
                    self.cx = outer;
                }
                None => {
                    let info = self.expr(side);
                    is_dependent |= self.in_template() || self.is_dependent(&info);
                    element = element.or(Some(info));
                }
            }
        }
        if is_dependent {
            return ExprInfo::DEPENDENT;
        }
        match op {
            BinaryOp::And | BinaryOp::Or => ExprInfo::value(Ty::BOOL),
            BinaryOp::Comma | BinaryOp::Assign => element.unwrap_or(ExprInfo::value(Ty::VOID)),
            _ => match element {
                Some(info) => ExprInfo::value(self.sema.decayed(info.ty)),
                None => ExprInfo::UNKNOWN,
            },
        }
    }

    /// Remembers the type of a local variable.
    pub(crate) fn set_variable(&mut self, decl: DeclId, ty: QualTy) {
        if self.sema.is_local(decl) {
            self.sema.local.variables.borrow_mut().insert(DeclRef { decl, bind: BindId::NONE }, ty);
        }
        if self.keeps_facts {
            self.facts.variables.insert(decl, ty);
        }
    }
}
