//! The environment of a unit and the questions that can be asked of it.
//!
//! An [`Env`] is everything that a translation unit's *declarations* say: the syntax tree of the library and of the
//! unit, the language version, the interned types, and caches of facts derived from them. It does not depend on any
//! deferred function body, so it survives every edit inside one.
//!
//! A [`Sema`] asks questions of an environment. It is a cheap view that adds the layer being looked at (the unit, or
//! a function body on top of it) and, for declarations inside a body, caches that live as long as the body's check.
//!
//! A [`Cx`] says from where a question is asked: the scope, what the template parameters stand for, which
//! declarations are visible already, and the class whose members are at hand.

use std::cell::{Cell, RefCell};
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dashmap::DashMap;
use msl_builtins::{Library, Since};
use msl_diagnostics::{Code, Severity};
use msl_intern::Name;
use msl_parser::ast::*;
use msl_preproc::{LanguageVersion, Token};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::record::RecordInfo;
use crate::signature::Signature;
use crate::store::*;

/// A finding in terms of tokens.
#[derive(Clone, Debug, PartialEq)]
pub struct TyDiagnostic {
    pub code: Code,
    /// `None`: the code's default.
    pub severity: Option<Severity>,
    pub range: TokenRange,
    pub message: String,
    pub related: Vec<(TokenRange, String)>,
    pub fixes: Vec<TokenFix>,
}

/// A repair in terms of tokens.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenFix {
    pub title: String,
    pub preferred: bool,
    pub edits: Vec<TokenEdit>,
}

/// One edit: tokens are replaced by text; an empty range is an insertion before its first token.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenEdit {
    pub range: TokenRange,
    /// For an insertion: after the token before `range.start` instead of before the token at it.
    pub after: bool,
    pub text: String,
}

/// Where a question is asked from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cx {
    pub scope: ScopeId,
    pub bind: BindId,
    /// Declarations of the unit from this number on are not visible yet at namespace level.
    pub before: u32,
    /// Declarations of the body layer from this number on are not visible yet.
    pub before_local: u32,
    /// The class whose member is being looked at.
    pub class: Option<Ty>,
}

/// A declaration together with what its template parameters stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeclRef {
    pub decl: DeclId,
    pub bind: BindId,
}

/// Names that the language gives a meaning to.
pub(crate) struct WellKnown {
    pub(crate) metal: Name,
}

/// A unit's declarations and the facts derived from them.
pub struct Env {
    pub version: LanguageVersion,
    pub ast: Arc<Ast>,
    /// Tokens of the unit's declaration stream, for bodies that stay in it.
    pub tokens: Arc<[Token]>,
    /// The lowest layer.
    pub library: &'static Library,
    pub global: ScopeId,
    /// The declarations that the unit consists of.
    pub roots: Box<[DeclId]>,
    /// Environments that differ only in what they suppose share it, so that what one names the other knows.
    pub store: Arc<TyStore>,
    /// Member functions whose `this` is taken to be written `thread`, whatever stands there; see [`Env::supposing`].
    thread_members: FxHashSet<DeclId>,
    pub(crate) names: WellKnown,
    qualified: std::sync::OnceLock<FxHashMap<String, SmallVec<[DeclId; 4]>>>,
    linkage_names: std::sync::OnceLock<FxHashMap<DeclId, DeclId>>,
    pub(crate) caches: SharedCaches,
    /// See [`Env::depends_on_generics`].
    depends_on_generics: AtomicBool,
}

type Shared<K, V> = DashMap<K, V, FxBuildHasher>;

#[derive(Default)]
pub(crate) struct SharedCaches {
    pub(crate) records: Shared<Ty, Arc<RecordInfo>>,
    pub(crate) signatures: Shared<DeclRef, Arc<Signature>>,
    pub(crate) aliases: Shared<DeclRef, QualTy>,
    pub(crate) variables: Shared<DeclRef, QualTy>,
    pub(crate) constants: Shared<DeclRef, Option<Const>>,
    pub(crate) bodies: Shared<DeclId, Arc<msl_parser::ParsedBody>>,
    pub(crate) members: Shared<(Ty, Name), Arc<crate::lookup::Members>>,
    pub(crate) families: Shared<DeclRef, Arc<[DeclRef]>>,
    pub(crate) calls: Shared<crate::overload::CallKey, Arc<crate::overload::Outcome>>,
    pub(crate) returns: Shared<DeclRef, QualTy>,
}

/// Caches for declarations of one function body.
#[derive(Default)]
pub struct LocalCaches {
    pub(crate) records: RefCell<FxHashMap<Ty, Arc<RecordInfo>>>,
    pub(crate) signatures: RefCell<FxHashMap<DeclRef, Arc<Signature>>>,
    pub(crate) members: RefCell<FxHashMap<(Ty, Name), Arc<crate::lookup::Members>>>,
    /// Types of local variables as the check deduced them.
    pub(crate) variables: RefCell<FxHashMap<DeclRef, QualTy>>,
    /// Signatures of the closures met so far.
    pub(crate) closures: RefCell<FxHashMap<(ExprId, BindId), Arc<crate::expr::Closure>>>,
}

impl LocalCaches {
    /// Takes over the types of local variables that a check deduced.
    pub fn set_variables(&self, variables: &FxHashMap<DeclId, QualTy>) {
        let mut own = self.variables.borrow_mut();
        own.extend(variables.iter().map(|(&decl, &ty)| (DeclRef { decl, bind: BindId::NONE }, ty)));
    }
}

/// A view of an environment; see the module documentation.
pub struct Sema<'a> {
    pub env: &'a Env,
    pub ast: &'a Ast,
    pub local: &'a LocalCaches,
    /// Where findings go; `None` while the same declaration is only consulted.
    pub(crate) sink: Option<&'a RefCell<Vec<TyDiagnostic>>>,
    /// Nesting of resolution, instantiation and evaluation; see [`Sema::deeper`].
    depth: Cell<u32>,
}

/// How deep resolution may nest before it gives up with an unknown type.
const MAX_DEPTH: u32 = 220;

impl<'a> Sema<'a> {
    pub fn new(env: &'a Env, ast: &'a Ast, local: &'a LocalCaches) -> Sema<'a> {
        Sema { env, ast, local, sink: None, depth: Cell::new(0) }
    }

    /// The same view, reporting into `sink`.
    pub fn reporting(&self, sink: &'a RefCell<Vec<TyDiagnostic>>) -> Sema<'a> {
        Sema { env: self.env, ast: self.ast, local: self.local, sink: Some(sink), depth: self.depth.clone() }
    }

    /// The same view, reporting nothing.
    pub fn quiet(&self) -> Sema<'a> {
        Sema { env: self.env, ast: self.ast, local: self.local, sink: None, depth: self.depth.clone() }
    }

    /// A quiet view of another body's layer, as deep as `outer` is.
    pub(crate) fn nested<'b>(outer: &Sema<'b>, ast: &'a Ast, local: &'a LocalCaches) -> Sema<'a>
    where
        'b: 'a,
    {
        Sema { env: outer.env, ast, local, sink: None, depth: outer.depth.clone() }
    }

    pub fn store(&self) -> &'a TyStore {
        &self.env.store
    }

    pub fn kind(&self, ty: Ty) -> &'a TyKind {
        self.env.store.kind(ty)
    }

    pub fn version(&self) -> LanguageVersion {
        self.env.version
    }

    /// Whether unannotated pointers are generic in this unit. Ask only where the answer matters: see
    /// [`Env::depends_on_generics`].
    pub fn generic(&self) -> bool {
        self.env.note_dependence();
        self.env.version.has_generic_pointers()
    }

    /// Whether the version in force has what came in with `since`.
    pub(crate) fn has(&self, since: Since) -> bool {
        let platform = self.env.version.platform;
        let [before, after] = [(4, 0), (4, 1)].map(|(major, minor)| LanguageVersion::new(major, minor, platform));
        if since.includes(before) != since.includes(after) {
            self.env.note_dependence();
        }
        since.includes(self.env.version)
    }

    /// Runs `body` one level deeper, or gives `None` at the limit.
    pub(crate) fn deeper<R>(&self, body: impl FnOnce() -> R) -> Option<R> {
        if self.depth.get() >= MAX_DEPTH {
            return None;
        }
        self.depth.set(self.depth.get() + 1);
        let result = body();
        self.depth.set(self.depth.get() - 1);
        Some(result)
    }

    /// Goes one level deeper; [`Sema::leave`] comes back. `false` at the limit.
    pub fn enter(&self) -> bool {
        let depth = self.depth.get();
        if depth >= MAX_DEPTH {
            return false;
        }
        self.depth.set(depth + 1);
        true
    }

    pub fn leave(&self) {
        self.depth.set(self.depth.get() - 1);
    }

    pub(crate) fn report(&self, diagnostic: impl FnOnce() -> TyDiagnostic) {
        if let Some(sink) = self.sink {
            sink.borrow_mut().push(diagnostic());
        }
    }

    /// Whether a declaration stands inside a function body.
    pub fn is_local(&self, decl: DeclId) -> bool {
        decl.0 >= self.env.ast.end().decls
    }

    /// Whether a declaration belongs to the library.
    pub fn is_library(&self, decl: DeclId) -> bool {
        decl.0 < self.env.ast.start().decls
    }

    /// Whether a declaration belongs to Metal's own library rather than to the header of a framework.
    pub(crate) fn is_metal_library(&self, decl: DeclId) -> bool {
        self.is_library(decl) && !self.env.library.is_framework(decl)
    }

    pub(crate) fn is_local_ref(&self, item: DeclRef) -> bool {
        self.is_local(item.decl) || self.store().bind_flags(item.bind).contains(TyFlags::LOCAL)
    }

    /// Looks a fact up in the cache that its key belongs to, computing it if need be. Nothing is locked meanwhile.
    pub(crate) fn cached<K: Copy + Eq + Hash, V: Clone>(
        &self,
        is_local: bool,
        shared: &Shared<K, V>,
        local: &RefCell<FxHashMap<K, V>>,
        key: K,
        compute: impl FnOnce() -> V,
    ) -> V {
        if is_local {
            if let Some(known) = local.borrow().get(&key) {
                return known.clone();
            }
            let value = compute();
            local.borrow_mut().insert(key, value.clone());
            value
        } else {
            if let Some(known) = shared.get(&key) {
                return known.clone();
            }
            let value = compute();
            shared.insert(key, value.clone());
            value
        }
    }

    /// The name of a declaration, if it has one that is an identifier.
    pub fn decl_name(&self, decl: DeclId) -> Option<Name> {
        let name = match &self.ast[decl].kind {
            DeclKind::Namespace { name, .. }
            | DeclKind::NamespaceAlias { name, .. }
            | DeclKind::TypeAlias { name, .. }
            | DeclKind::Enumerator { name, .. }
            | DeclKind::TypeParam { name, .. }
            | DeclKind::TemplateParam { name, .. }
            | DeclKind::DeductionGuide { name, .. }
            | DeclKind::Label(name) => *name,
            DeclKind::Variable(variable) => variable.name.ident()?,
            DeclKind::Function(function) => function.name.ident()?,
            DeclKind::Record(record) => record.name,
            DeclKind::Enum(enumeration) => enumeration.name,
            _ => return None,
        };
        (!name.is_empty()).then_some(name)
    }

    /// The context in which a declaration's own types are resolved: inside its innermost template header, seeing
    /// everything declared up to and including itself.
    pub fn cx_of(&self, item: DeclRef) -> Cx {
        let decl = &self.ast[item.decl];
        let scope = match &decl.kind {
            DeclKind::Function(function) => function.scope,
            _ => decl.templates.last().map_or(decl.scope, |&header| self.ast[header].scope),
        };
        let (before, before_local) =
            if self.is_local(item.decl) { (u32::MAX, item.decl.0 + 1) } else { (item.decl.0 + 1, u32::MAX) };
        Cx { scope, bind: item.bind, before, before_local, class: self.class_of(item) }
    }

    /// The class that a member declaration belongs to, under the declaration's bindings.
    pub fn class_of(&self, item: DeclRef) -> Option<Ty> {
        let decl = &self.ast[item.decl];
        let qualifier = match &decl.kind {
            DeclKind::Function(function) => function.qualifier.as_ref(),
            DeclKind::Variable(variable) => variable.qualifier.as_ref(),
            _ => None,
        };
        if let Some(path) = qualifier
            && !decl.specs.contains(Specs::FRIEND)
        {
            let scope = decl.templates.last().map_or(decl.scope, |&header| self.ast[header].scope);
            let cx = Cx { scope, bind: item.bind, before: u32::MAX, before_local: u32::MAX, class: None };
            return match self.resolve_container(path, path.segments.len(), cx) {
                crate::resolve::Container::Record(ty) => Some(ty),
                _ => None,
            };
        }
        self.enclosing_class(decl.scope, item.bind)
    }

    /// The innermost class that a scope lies in, as a type under these bindings.
    pub fn enclosing_class(&self, scope: ScopeId, bind: BindId) -> Option<Ty> {
        let mut scope = Some(scope);
        while let Some(id) = scope {
            let data = &self.ast[id];
            if data.kind == msl_parser::scope::ScopeKind::Record {
                return data.owner.map(|owner| self.record_self(owner, bind));
            }
            scope = data.parent;
        }
        None
    }

    /// The template headers that a declaration stands under, innermost first: its own and those of the classes and
    /// functions around it.
    pub fn headers_around(&self, decl: DeclId) -> Vec<TemplateId> {
        let mut headers: Vec<TemplateId> = self.ast[decl].templates.iter().rev().copied().collect();
        let mut scope = Some(self.ast[decl].scope);
        while let Some(id) = scope {
            let data = &self.ast[id];
            use msl_parser::scope::ScopeKind;
            if matches!(data.kind, ScopeKind::Record | ScopeKind::Function)
                && let Some(owner) = data.owner
                && owner != decl
            {
                headers.extend(self.ast[owner].templates.iter().rev());
            }
            scope = data.parent;
        }
        headers
    }

    /// The part of a chain of bindings that concerns a declaration: links of headers that it does not stand under
    /// are left out.
    pub fn bind_for(&self, decl: DeclId, bind: BindId) -> BindId {
        if bind == BindId::NONE {
            return bind;
        }
        let headers = self.headers_around(decl);
        let mut bind = bind;
        while bind != BindId::NONE && !headers.contains(&self.store().bindings(bind).header) {
            bind = self.store().bindings(bind).parent;
        }
        bind
    }

    /// What a template parameter stands for.
    pub fn binding(&self, param: DeclId, bind: BindId) -> Option<&'a TArg> {
        let mut bind = bind;
        while bind != BindId::NONE {
            let link = self.store().bindings(bind);
            if let Some(index) = self.ast[link.header].params.iter().position(|&candidate| candidate == param) {
                return link.args.get(index);
            }
            bind = link.parent;
        }
        None
    }

    /// The type or operation of the language that a library declaration names.
    pub(crate) fn builtin_name(&self, decl: DeclId) -> Option<Name> {
        if !self.is_library(decl) {
            return None;
        }
        self.env.library.facts(decl)?.builtin
    }
}

impl Env {
    /// The environment of a unit. `ast` is the layer that [`msl_parser::parse_decls`] made from `tokens` on that of
    /// `library`.
    pub fn new(
        version: LanguageVersion,
        library: &'static Library,
        ast: Arc<Ast>,
        roots: Box<[DeclId]>,
        global: ScopeId,
        tokens: Arc<[Token]>,
    ) -> Env {
        let end = ast.end();
        Env {
            version,
            ast,
            tokens,
            library,
            global,
            roots,
            store: Arc::new(TyStore::new(end.decls, end.exprs)),
            thread_members: FxHashSet::default(),
            names: WellKnown { metal: Name::new("metal") },
            qualified: std::sync::OnceLock::new(),
            linkage_names: std::sync::OnceLock::new(),
            caches: SharedCaches::default(),
            depends_on_generics: AtomicBool::new(false),
        }
    }

    /// The same declarations under another language version, with `thread` supposed behind the parameters of some member
    /// functions. Instances and types of the one environment are those of the other; nothing else is shared.
    pub fn supposing(&self, version: LanguageVersion, thread_members: FxHashSet<DeclId>) -> Env {
        Env {
            version,
            ast: Arc::clone(&self.ast),
            tokens: Arc::clone(&self.tokens),
            library: self.library,
            global: self.global,
            roots: self.roots.clone(),
            store: Arc::clone(&self.store),
            thread_members,
            names: WellKnown { metal: self.names.metal },
            qualified: std::sync::OnceLock::new(),
            linkage_names: std::sync::OnceLock::new(),
            caches: SharedCaches::default(),
            depends_on_generics: AtomicBool::new(false),
        }
    }

    /// Whether anything that was asked so far about the unit has another answer under Metal 4.1, where unannotated pointers
    /// are generic, than under 4.0. As long as it does not, what was found under one of the two versions holds under the
    /// other, if their macros do not make a difference either.
    pub fn depends_on_generics(&self) -> bool {
        self.depends_on_generics.load(Ordering::Relaxed)
    }

    fn note_dependence(&self) {
        // Threads share the environment, and it is asked often: it is written once.
        if !self.depends_on_generics() {
            self.depends_on_generics.store(true, Ordering::Relaxed);
        }
    }

    /// Whether `this` of a member function is taken to be written `thread`.
    pub(crate) fn supposes_thread(&self, member: DeclId) -> bool {
        self.thread_members.contains(&member)
    }

    /// The unit's functions that are defined with a qualified name, by the last part of it.
    pub(crate) fn qualified_definitions(&self) -> &FxHashMap<String, SmallVec<[DeclId; 4]>> {
        self.qualified.get_or_init(|| {
            let mut by_name: FxHashMap<String, SmallVec<[DeclId; 4]>> = FxHashMap::default();
            for (id, decl) in self.ast.own_decls() {
                if let DeclKind::Function(function) = &decl.kind
                    && function.qualifier.is_some()
                {
                    by_name.entry(crate::types::spell_name(function.name)).or_default().push(id);
                }
            }
            by_name
        })
    }

    /// The alias that names each of the unit's unnamed classes and enumerations, where its declaration gives one.
    pub(crate) fn linkage_names(&self) -> &FxHashMap<DeclId, DeclId> {
        self.linkage_names.get_or_init(|| {
            let mut names = FxHashMap::default();
            for (id, decl) in self.ast.own_decls() {
                if let Some(named) = crate::types::names_for_linkage(&self.ast, decl) {
                    names.entry(named).or_insert(id);
                }
            }
            names
        })
    }

    /// Whether a name occurs as a token in a range of the unit's or the library's declaration stream. Tokens of body
    /// layers are not at hand here; for them the answer is yes, and the caller looks at what is bound.
    pub(crate) fn mentions(&self, range: TokenRange, name: Name) -> bool {
        let start = self.ast.start().tokens;
        let end = self.ast.end().tokens;
        (range.start..range.end).any(|index| {
            let token = if index < start {
                self.library.token(index)
            } else if index < end {
                self.tokens.get((index - start) as usize)
            } else {
                return true;
            };
            token.is_some_and(|token| token.name == name)
        })
    }

    /// The tokens of a range that lies in one of the two declaration streams.
    pub(crate) fn token_slice(&self, range: TokenRange) -> Option<&[Token]> {
        let start = self.ast.start().tokens;
        if range.start < start {
            return self.library.tokens(range);
        }
        self.tokens.get((range.start - start) as usize..(range.end - start) as usize)
    }
}
