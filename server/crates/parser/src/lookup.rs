//! Name lookup over [`Scope`](crate::scope::Scope)s: what the parser needs to decide C++'s ambiguities, and plain
//! lookup for later phases.
//!
//! Vocabulary:
//!
//! * *Unqualified* lookup walks from a scope outward and stops at the first scope that declares the name
//!   (C++ [basic.lookup.unqual]); *qualified* lookup looks into one namespace, class or enumeration
//!   ([basic.lookup.qual]). Argument-dependent lookup is not done here.
//! * `before` is the declaration number that a use stands at: what is numbered lower was declared before it. Walking
//!   outward through the scope of a function's parameters, the limit becomes that function (what is declared after it
//!   is invisible in its body) and enclosing classes become complete (all their members are visible).
//! * A scope is *known* or not: lookup never looks into a dependent base or a type that only an instantiation knows.
//!   For a specialisation `X<int>::` the members of the primary template stand in, then those of any specialisation.
//!
//! Using-declarations are replaced by what they name; one that names nothing known is returned as it is.

use msl_intern::Name;
use smallvec::SmallVec;

use crate::ast::{
    Ast, DeclId, DeclKind, ExprId, ExprKind, OverloadedOp, Path, ScopeId, Segment, TemplateArgKind, TypeId, TypeKind,
    UnqualName, VariableKind,
};
use crate::scope::ScopeKind;

/// How many aliases, using-declarations, inline namespaces and bases one lookup follows in all.
const MAX_STEPS: u32 = 256;

/// What a name is, as far as the grammar asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameClass {
    /// A class, enumeration, alias or type template parameter.
    Type,
    /// A class template or template template parameter.
    ClassTemplate,
    AliasTemplate,
    /// Functions, at least one of them a template.
    FunctionTemplate,
    VariableTemplate,
    /// A variable, function, enumerator or the like.
    Value,
    Namespace,
    /// A member of something that depends on a template parameter: a value unless the place demands a type.
    Dependent,
    /// Nothing of this name was found.
    Unknown,
}

impl NameClass {
    /// Whether the name, with template arguments if it wants some, names a type.
    pub fn is_type(self) -> bool {
        matches!(self, NameClass::Type | NameClass::ClassTemplate | NameClass::AliasTemplate)
    }

    /// Whether `<` behind the name opens template arguments.
    pub fn is_template(self) -> bool {
        matches!(
            self,
            NameClass::ClassTemplate
                | NameClass::AliasTemplate
                | NameClass::FunctionTemplate
                | NameClass::VariableTemplate
        )
    }
}

/// The scope that a qualifier such as `a::b<T>::` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QualifierScope {
    Scope(ScopeId),
    /// It depends on a template parameter.
    Dependent,
    /// Nothing is known of it.
    Unknown,
}

/// Appends what `name` means at a use in `scope`; see the module documentation for `before`.
pub fn lookup_unqualified(ast: &Ast, scope: ScopeId, name: Name, before: DeclId, found: &mut Vec<DeclId>) {
    Lookup { ast, found, steps: MAX_STEPS }.unqualified(scope, Key::Ident(name), before);
}

/// Like [`lookup_unqualified`] for an operator function's name.
pub fn lookup_operator(ast: &Ast, scope: ScopeId, op: OverloadedOp, before: DeclId, found: &mut Vec<DeclId>) {
    Lookup { ast, found, steps: MAX_STEPS }.unqualified(scope, Key::Operator(op), before);
}

/// Appends the members that `scope::name` means. The limit applies to namespaces; classes count as complete.
pub fn lookup_qualified(ast: &Ast, scope: ScopeId, name: Name, before: DeclId, found: &mut Vec<DeclId>) {
    Lookup { ast, found, steps: MAX_STEPS }.qualified(scope, Key::Ident(name), before);
}

/// Like [`lookup_qualified`] for an operator function's name.
pub fn lookup_qualified_operator(ast: &Ast, scope: ScopeId, op: OverloadedOp, before: DeclId, found: &mut Vec<DeclId>) {
    Lookup { ast, found, steps: MAX_STEPS }.qualified(scope, Key::Operator(op), before);
}

/// Appends the declarations that a path names at a use in `scope`, and says whether nothing was found because the
/// path depends on a template parameter.
pub fn lookup_path(ast: &Ast, scope: ScopeId, path: &Path, before: DeclId, found: &mut Vec<DeclId>) -> NameClass {
    Lookup { ast, found, steps: MAX_STEPS }.path(scope, path, before)
}

/// The scope that a declaration opens for `::`, through aliases and using-declarations.
pub fn scope_of_decl(ast: &Ast, decl: DeclId) -> QualifierScope {
    Lookup { ast, found: &mut Vec::new(), steps: MAX_STEPS }.scope_of_decl(decl)
}

/// The member scope of a type as written at a use in `scope`.
pub fn scope_of_type(ast: &Ast, scope: ScopeId, ty: TypeId, before: DeclId) -> QualifierScope {
    Lookup { ast, found: &mut Vec::new(), steps: MAX_STEPS }.scope_of_type(scope, ty, before)
}

/// What the declarations of one name make of it.
pub fn classify(ast: &Ast, decls: &[DeclId]) -> NameClass {
    let mut best = NameClass::Unknown;
    for &decl in decls {
        let class = class_of_decl(ast, decl);
        // A function or variable hides a class of the same name (C++ [basic.scope.hiding]); a template among
        // overloads makes `<` open arguments.
        let rank = |class| match class {
            NameClass::Unknown => 0,
            NameClass::Dependent => 1,
            NameClass::Namespace => 2,
            NameClass::Type => 3,
            NameClass::AliasTemplate => 4,
            NameClass::ClassTemplate => 5,
            NameClass::Value => 6,
            NameClass::VariableTemplate => 7,
            NameClass::FunctionTemplate => 8,
        };
        if rank(class) > rank(best) {
            best = class;
        }
    }
    best
}

/// What one declaration makes of its name.
pub fn class_of_decl(ast: &Ast, decl: DeclId) -> NameClass {
    let node = &ast[decl];
    let is_template = node.templates.last().is_some_and(|&header| !ast[header].params.is_empty());
    match &node.kind {
        DeclKind::Function(_) if is_template => NameClass::FunctionTemplate,
        DeclKind::Variable(_) if is_template => NameClass::VariableTemplate,
        DeclKind::Function(_) | DeclKind::Variable(_) | DeclKind::Enumerator { .. } => NameClass::Value,
        DeclKind::Record(record) if is_template || record.name_args.is_some() => NameClass::ClassTemplate,
        DeclKind::Record(_) | DeclKind::Enum(_) | DeclKind::TypeParam { .. } => NameClass::Type,
        DeclKind::TypeAlias { .. } if is_template => NameClass::AliasTemplate,
        DeclKind::TypeAlias { .. } => NameClass::Type,
        DeclKind::TemplateParam { .. } => NameClass::ClassTemplate,
        DeclKind::Namespace { .. } | DeclKind::NamespaceAlias { .. } => NameClass::Namespace,
        DeclKind::UsingDecl { typename: true, .. } => NameClass::Type,
        DeclKind::UsingDecl { typename: false, .. } => NameClass::Dependent,
        _ => NameClass::Unknown,
    }
}

/// The scope in which a declaration's own types and initialisers are looked up: that of its template parameters if it
/// has any, else the one it stands in.
pub fn inner_scope(ast: &Ast, decl: DeclId) -> ScopeId {
    let node = &ast[decl];
    node.templates.last().map_or(node.scope, |&header| ast[header].scope)
}

/// Whether a name that lookup does not find in `scope` is certainly no member of it: not if it is a class template,
/// of which a specialisation may have the member, or a class with a base that is not known.
pub fn members_are_known(ast: &Ast, scope: ScopeId) -> bool {
    let node = &ast[scope];
    if node.kind != ScopeKind::Record {
        return true;
    }
    let is_template = node.owner.is_some_and(|owner| !ast[owner].templates.is_empty());
    !is_template
        && node.bases.len() == node.base_scopes.len()
        && node.base_scopes.iter().all(|&base| base == scope || members_are_known(ast, base))
}

/// Whether a path depends on a template parameter, as far as its own names and template arguments tell. Values in
/// template arguments count as dependent unless they are literals or names of something known.
pub fn path_is_dependent(ast: &Ast, scope: ScopeId, path: &Path, before: DeclId) -> bool {
    Dependence { ast, scope, before, steps: MAX_STEPS }.path(path)
}

struct Dependence<'a> {
    ast: &'a Ast,
    scope: ScopeId,
    before: DeclId,
    steps: u32,
}

impl Dependence<'_> {
    fn path(&mut self, path: &Path) -> bool {
        if self.steps == 0 || path.decltype.is_some() {
            return true;
        }
        self.steps -= 1;
        if let Some(Segment { name: UnqualName::Ident(name), .. }) = path.segments.first()
            && !path.global
        {
            let mut found = Vec::new();
            lookup_unqualified(self.ast, self.scope, *name, self.before, &mut found);
            let dependent = found.iter().any(|&decl| match &self.ast[decl].kind {
                DeclKind::TypeParam { .. } | DeclKind::TemplateParam { .. } => true,
                DeclKind::Variable(variable) => variable.kind == VariableKind::TemplateValue,
                _ => false,
            });
            if dependent {
                return true;
            }
        }
        path.segments.iter().filter_map(|segment| segment.args.as_deref()).flatten().any(|arg| match arg.kind {
            TemplateArgKind::Type(ty) => self.ty(ty),
            TemplateArgKind::Expr(expr) => self.expr(expr),
        })
    }

    fn ty(&mut self, ty: TypeId) -> bool {
        match &self.ast[ty].kind {
            TypeKind::Builtin(_) | TypeKind::Error | TypeKind::None => false,
            TypeKind::Path { path, .. } | TypeKind::Elaborated { path, .. } | TypeKind::ElaboratedEnum { path } => {
                self.path(path)
            }
            TypeKind::Qualified { inner, .. }
            | TypeKind::Pointer(inner)
            | TypeKind::LRef(inner)
            | TypeKind::RRef(inner) => self.ty(*inner),
            TypeKind::Record(_) | TypeKind::Enum(_) => false,
            _ => true,
        }
    }

    fn expr(&mut self, expr: ExprId) -> bool {
        match &self.ast[expr].kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Char(_) | ExprKind::Bool(_) | ExprKind::Nullptr => false,
            ExprKind::Path(path) => self.path(path),
            ExprKind::Paren(inner) => self.expr(*inner),
            ExprKind::Unary { operand, .. } => self.expr(*operand),
            _ => true,
        }
    }
}

/// The limit that applies to namespaces at a use in `scope`; see the module documentation.
pub fn namespace_limit(ast: &Ast, scope: ScopeId, before: DeclId) -> DeclId {
    let mut limit = before;
    let mut next = Some(scope);
    while let Some(scope) = next {
        let node = &ast[scope];
        limit = limit_outside(node, limit);
        next = node.parent;
    }
    limit
}

fn limit_outside(scope: &crate::scope::Scope, limit: DeclId) -> DeclId {
    match (scope.kind, scope.owner) {
        (ScopeKind::Function, Some(function)) => limit.min(DeclId(function.0 + 1)),
        _ => limit,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Ident(Name),
    Operator(OverloadedOp),
}

/// Everything is visible.
const NO_LIMIT: DeclId = DeclId(u32::MAX);

struct Lookup<'a> {
    ast: &'a Ast,
    found: &'a mut Vec<DeclId>,
    steps: u32,
}

impl<'a> Lookup<'a> {
    fn unqualified(&mut self, scope: ScopeId, key: Key, before: DeclId) {
        let start = self.found.len();
        let mut limit = before;
        let mut complete = false;
        // Namespaces that a using-directive nominated; their names appear in the nearest namespace around both
        // (C++ [namespace.udir]).
        let mut nominated: SmallVec<[ScopeId; 4]> = SmallVec::new();
        let mut next = Some(scope);
        while let Some(scope) = next {
            let node = &self.ast[scope];
            self.nominate(scope, limit, &mut nominated);
            match node.kind {
                ScopeKind::Global | ScopeKind::Namespace => {
                    self.namespace(scope, key, limit);
                    nominated.retain(|target| {
                        let here = self.encloses(scope, *target);
                        if here {
                            self.namespace(*target, key, limit);
                        }
                        !here
                    });
                }
                ScopeKind::Record => self.record(scope, key, if complete { NO_LIMIT } else { limit }),
                _ => self.own(scope, key, limit),
            }
            if self.found.len() > start {
                return;
            }
            if node.kind == ScopeKind::Function && node.owner.is_some() {
                complete = true;
                limit = limit_outside(node, limit);
            }
            next = node.parent;
        }
    }

    fn qualified(&mut self, scope: ScopeId, key: Key, before: DeclId) {
        let start = self.found.len();
        match self.ast[scope].kind {
            ScopeKind::Global | ScopeKind::Namespace => {
                let scope = self.ast.newest(scope);
                self.namespace(scope, key, before);
                if self.found.len() == start {
                    let mut nominated: SmallVec<[ScopeId; 4]> = SmallVec::new();
                    self.nominate(scope, before, &mut nominated);
                    for target in nominated {
                        self.namespace(target, key, before);
                    }
                }
            }
            ScopeKind::Record => {
                self.record(scope, key, NO_LIMIT);
                if self.found.len() > start {
                    return;
                }
                let Some(owner) = self.ast[scope].owner else { return };
                let DeclKind::Record(record) = &self.ast[owner].kind else { return };
                if key == Key::Ident(record.name) {
                    // The class's name stands among its own members (C++ [class]/2).
                    self.found.push(owner);
                    return;
                }
                for other in self.siblings(owner) {
                    if let DeclKind::Record(record) = &self.ast[other].kind
                        && let Some(sibling) = record.scope
                        && sibling != scope
                    {
                        self.own(sibling, key, NO_LIMIT);
                        if self.found.len() > start {
                            return;
                        }
                    }
                }
            }
            _ => self.own(scope, key, NO_LIMIT),
        }
    }

    /// The declarations of the same name as a record.
    fn siblings(&self, record: DeclId) -> SmallVec<[DeclId; 4]> {
        let node = &self.ast[record];
        let DeclKind::Record(data) = &node.kind else { return SmallVec::new() };
        let mut siblings = SmallVec::new();
        let mut scope = Some(self.ast.newest(node.scope));
        while let Some(part) = scope {
            siblings.extend_from_slice(self.ast[part].get(data.name));
            scope = self.ast[part].extends;
        }
        siblings
    }

    /// Adds the namespaces that directives in `scope` nominate before `limit`, and those that these nominate.
    fn nominate(&self, scope: ScopeId, limit: DeclId, nominated: &mut SmallVec<[ScopeId; 4]>) {
        let first_new = nominated.len();
        self.directives(scope, limit, nominated);
        let mut index = first_new;
        while index < nominated.len() && index < 64 {
            self.directives(nominated[index], limit, nominated);
            index += 1;
        }
    }

    fn directives(&self, scope: ScopeId, limit: DeclId, nominated: &mut SmallVec<[ScopeId; 4]>) {
        let mut part = Some(scope);
        while let Some(scope) = part {
            let node = &self.ast[scope];
            for directive in &node.using_directives {
                if directive.at < limit
                    && let Some(target) = directive.target
                    && matches!(self.ast[directive.at].kind, DeclKind::UsingDirective { .. })
                {
                    let target = self.ast.newest(target);
                    if !nominated.contains(&target) {
                        nominated.push(target);
                    }
                }
            }
            part = node.extends;
        }
    }

    /// Whether `outer` is the global scope or a namespace around the namespace `inner`.
    fn encloses(&self, outer: ScopeId, inner: ScopeId) -> bool {
        if self.ast[outer].kind == ScopeKind::Global {
            return true;
        }
        let root = self.ast.root_scope(outer);
        let mut next = Some(inner);
        while let Some(scope) = next {
            if self.ast.root_scope(scope) == root {
                return true;
            }
            next = self.ast[scope].parent;
        }
        false
    }

    /// The names of a namespace in all layers, with those of its inline and unnamed namespaces.
    fn namespace(&mut self, scope: ScopeId, key: Key, limit: DeclId) {
        let node = &self.ast[scope];
        if let Some(lower) = node.extends {
            self.namespace(lower, key, limit);
        }
        self.own(scope, key, limit);
        for directive in &node.using_directives {
            if let Some(target) = directive.target
                && matches!(self.ast[directive.at].kind, DeclKind::Namespace { .. })
                && self.steps > 0
            {
                self.steps -= 1;
                self.namespace(target, key, limit);
            }
        }
    }

    /// The members of a class, else those of its known bases.
    fn record(&mut self, scope: ScopeId, key: Key, limit: DeclId) {
        let start = self.found.len();
        self.own(scope, key, limit);
        if self.found.len() > start || self.steps == 0 {
            return;
        }
        self.steps -= 1;
        for &base in &self.ast[scope].base_scopes {
            self.record(base, key, NO_LIMIT);
        }
    }

    /// The names declared in one scope of one layer.
    fn own(&mut self, scope: ScopeId, key: Key, limit: DeclId) {
        let node = &self.ast[scope];
        let declared = match key {
            Key::Ident(name) => node.names.get(&name),
            Key::Operator(op) => node.operators.get(&op),
        };
        let Some(declared) = declared else { return };
        // Within one scope a declaration stands once; only what other scopes gave can repeat.
        let others = self.found.len();
        for &decl in declared {
            if decl >= limit {
                continue;
            }
            match &self.ast[decl].kind {
                DeclKind::UsingDecl { target, .. } if self.steps > 0 => {
                    self.steps -= 1;
                    let start = self.found.len();
                    let limit = namespace_limit(self.ast, self.ast[decl].scope, decl);
                    self.path(self.ast[decl].scope, target, limit);
                    if self.found.len() == start {
                        self.found.push(decl);
                    }
                }
                _ if self.found[..others].contains(&decl) => {}
                _ => self.found.push(decl),
            }
        }
    }

    fn path(&mut self, scope: ScopeId, path: &Path, before: DeclId) -> NameClass {
        let start = self.found.len();
        let Some((last, qualifiers)) = path.segments.split_last() else { return NameClass::Unknown };
        if path.decltype.is_some() {
            return NameClass::Dependent;
        }
        let Some(key) = key_of(last) else { return NameClass::Value };
        if qualifiers.is_empty() && !path.global {
            self.unqualified(scope, key, before);
        } else {
            match self.qualifier(scope, path.global, qualifiers, before) {
                QualifierScope::Scope(scope) => {
                    let limit = namespace_limit(self.ast, scope, before);
                    self.qualified(scope, key, limit);
                }
                QualifierScope::Dependent => return NameClass::Dependent,
                QualifierScope::Unknown => return NameClass::Unknown,
            }
        }
        classify(self.ast, &self.found[start..])
    }

    fn qualifier(&mut self, scope: ScopeId, global: bool, segments: &[Segment], before: DeclId) -> QualifierScope {
        let mut current =
            if global { QualifierScope::Scope(global_scope(self.ast, scope)) } else { QualifierScope::Unknown };
        let limit = namespace_limit(self.ast, scope, before);
        for (index, segment) in segments.iter().enumerate() {
            let Some(key) = key_of(segment) else { return QualifierScope::Unknown };
            let mut found = Vec::new();
            let mut inner = Lookup { ast: self.ast, found: &mut found, steps: self.steps };
            if index == 0 && !global {
                inner.unqualified(scope, key, before);
            } else if let QualifierScope::Scope(scope) = current {
                inner.qualified(scope, key, limit);
            } else {
                return current;
            }
            self.steps = inner.steps;
            current = self.scope_of_decls(&found);
        }
        current
    }

    /// The scope that the declarations found for a qualifier name; functions and variables do not count.
    fn scope_of_decls(&mut self, decls: &[DeclId]) -> QualifierScope {
        let mut unknown = QualifierScope::Unknown;
        // The newest part of a namespace extends the older ones.
        for &decl in decls.iter().rev() {
            if matches!(class_of_decl(self.ast, decl), NameClass::Value | NameClass::FunctionTemplate) {
                continue;
            }
            match self.scope_of_decl(decl) {
                QualifierScope::Unknown => {}
                QualifierScope::Dependent => unknown = QualifierScope::Dependent,
                scope => return scope,
            }
        }
        unknown
    }

    fn scope_of_decl(&mut self, decl: DeclId) -> QualifierScope {
        if self.steps == 0 {
            return QualifierScope::Unknown;
        }
        self.steps -= 1;
        let node = &self.ast[decl];
        match &node.kind {
            DeclKind::Namespace { scope, .. } => QualifierScope::Scope(self.ast.newest(*scope)),
            DeclKind::NamespaceAlias { target, .. } => {
                let target = self.qualifier(node.scope, target.global, &target.segments, decl);
                match target {
                    QualifierScope::Scope(scope) => QualifierScope::Scope(self.ast.newest(scope)),
                    other => other,
                }
            }
            DeclKind::Record(record) => match record.scope.or_else(|| self.definition_scope(decl)) {
                Some(scope) => QualifierScope::Scope(scope),
                None => QualifierScope::Unknown,
            },
            DeclKind::Enum(data) => match data.scope {
                Some(scope) => QualifierScope::Scope(scope),
                None => QualifierScope::Unknown,
            },
            DeclKind::TypeAlias { ty, .. } => self.scope_of_type(inner_scope(self.ast, decl), *ty, decl),
            DeclKind::TypeParam { .. } | DeclKind::TemplateParam { .. } | DeclKind::UsingDecl { .. } => {
                QualifierScope::Dependent
            }
            DeclKind::Variable(variable) if variable.kind == VariableKind::TemplateValue => QualifierScope::Dependent,
            _ => QualifierScope::Unknown,
        }
    }

    /// For a class that is only declared here: the scope of its definition, else that of some specialisation.
    fn definition_scope(&self, decl: DeclId) -> Option<ScopeId> {
        let mut specialisation = None;
        for other in self.siblings(decl) {
            if let DeclKind::Record(record) = &self.ast[other].kind
                && let Some(scope) = record.scope
            {
                if record.name_args.is_none() {
                    return Some(scope);
                }
                specialisation.get_or_insert(scope);
            }
        }
        specialisation
    }

    fn scope_of_type(&mut self, scope: ScopeId, ty: TypeId, before: DeclId) -> QualifierScope {
        let mut ty = ty;
        loop {
            match &self.ast[ty].kind {
                TypeKind::Qualified { inner, .. } => ty = *inner,
                TypeKind::Path { path, .. } | TypeKind::Elaborated { path, .. } | TypeKind::ElaboratedEnum { path } => {
                    if path.decltype.is_some() {
                        return QualifierScope::Dependent;
                    }
                    return self.qualifier(scope, path.global, &path.segments, before);
                }
                TypeKind::Record(decl) | TypeKind::Enum(decl) => return self.scope_of_decl(*decl),
                TypeKind::Decltype(_) | TypeKind::Auto | TypeKind::DecltypeAuto | TypeKind::Transform { .. } => {
                    return QualifierScope::Dependent;
                }
                _ => return QualifierScope::Unknown,
            }
        }
    }
}

fn key_of(segment: &Segment) -> Option<Key> {
    match segment.name {
        UnqualName::Ident(name) => Some(Key::Ident(name)),
        UnqualName::Operator(op) => Some(Key::Operator(op)),
        _ => None,
    }
}

/// The global scope around `scope`, in the topmost layer.
pub fn global_scope(ast: &Ast, scope: ScopeId) -> ScopeId {
    let mut scope = scope;
    while let Some(parent) = ast[scope].parent {
        scope = parent;
    }
    ast.newest(scope)
}
