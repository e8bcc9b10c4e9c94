//! Name lookup with types: unqualified lookup through scopes, classes and their bases, qualified lookup, members.
//!
//! The result of a lookup is a list of declarations of one name together with the bindings under which they are to
//! be read. Using-declarations are followed; declarations of the library that are newer than the version in force
//! are left out, and remembered so that a message can name the version that has them.

use std::sync::Arc;

use msl_intern::Name;
use msl_parser::ast::*;
use msl_parser::scope::{Declared, Scope, ScopeKind};
use smallvec::SmallVec;

use crate::sema::{Cx, DeclRef, Sema};
use crate::store::*;

/// What a lookup found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    pub items: SmallVec<[DeclRef; 2]>,
    /// The class in which members were found.
    pub class: Option<Ty>,
    /// The search passed a base class that depends on template parameters or is unknown: absence proves nothing.
    pub uncertain: bool,
    /// A declaration of this name that the version in force does not have.
    pub too_new: Option<DeclId>,
}

impl Found {
    /// Notes a declaration that the version in force does not have. One that was taken away is none to wait for.
    fn note_missing(&mut self, sema: &Sema<'_>, decl: DeclId) {
        if self.too_new.is_none() && sema.comes_later(decl) {
            self.too_new = Some(decl);
        }
    }
}

/// Members of one name in a class and its bases.
#[derive(Clone, Debug, Default)]
pub struct Members {
    pub items: SmallVec<[DeclRef; 2]>,
    pub class: Option<Ty>,
    pub uncertain: bool,
    pub too_new: Option<DeclId>,
}

/// A name to look for in one scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    Name(Name),
    Operator(OverloadedOp),
}

impl Key {
    pub(crate) fn get(self, scope: &Scope) -> Option<&Declared> {
        match self {
            Key::Name(name) => scope.names.get(&name),
            Key::Operator(op) => scope.operators.get(&op),
        }
    }
}

impl<'a> Sema<'a> {
    /// Unqualified lookup (C++ [basic.lookup.unqual]).
    pub fn lookup(&self, key: Key, cx: Cx) -> Found {
        let mut found = Found::default();
        let mut nominated: SmallVec<[ScopeId; 4]> = SmallVec::new();
        let mut current = Some(cx.scope);
        while let Some(scope) = current {
            let data = &self.ast[scope];
            match data.kind {
                ScopeKind::Record => {
                    let (bind, class) = self.class_scope_binding(scope, cx);
                    self.collect(scope, key, cx, bind, false, &mut found);
                    if !found.items.is_empty() {
                        found.class = class;
                        return found;
                    }
                    if !data.bases.is_empty() {
                        let inherited = self.lookup_in_bases(scope, key, Cx { bind, ..cx });
                        found.uncertain |= inherited.uncertain;
                        if !inherited.items.is_empty() {
                            found.items = inherited.items;
                            found.class = inherited.class;
                            return found;
                        }
                    }
                }
                ScopeKind::Namespace | ScopeKind::Global => {
                    self.collect_namespace(scope, key, cx, &mut found);
                    self.nominate(scope, cx, &mut nominated);
                    for &target in &nominated {
                        if self.scope_within(target, scope) {
                            self.collect_namespace(target, key, cx, &mut found);
                        }
                    }
                    if !found.items.is_empty() {
                        return found;
                    }
                }
                _ => {
                    self.collect(scope, key, cx, cx.bind, true, &mut found);
                    if !found.items.is_empty() {
                        return found;
                    }
                    self.nominate(scope, cx, &mut nominated);
                }
            }
            current = data.parent;
        }
        found
    }

    /// The bindings and the type of the class that a class scope on the way outwards belongs to.
    fn class_scope_binding(&self, scope: ScopeId, cx: Cx) -> (BindId, Option<Ty>) {
        let mut class = cx.class;
        while let Some(ty) = class {
            let Some(info) = self.record_info(ty) else { break };
            if info.scope == Some(scope) {
                return (info.bind, Some(ty));
            }
            class = self.enclosing_class(self.ast[info.decl].scope, info.bind);
        }
        let class = self.ast[scope].owner.map(|owner| self.record_self(owner, cx.bind));
        (cx.bind, class)
    }

    fn visible(&self, decl: DeclId, cx: Cx) -> bool {
        if self.is_local(decl) { decl.0 < cx.before_local } else { decl.0 < cx.before }
    }

    fn collect(&self, scope: ScopeId, key: Key, cx: Cx, bind: BindId, ordered: bool, found: &mut Found) {
        if let Some(declared) = key.get(&self.ast[scope]) {
            for &decl in declared {
                if !ordered || !self.is_local(decl) || self.visible(decl, cx) {
                    self.add(decl, bind, cx, found);
                }
            }
        }
    }

    /// A namespace scope with those it extends and its inline and unnamed namespaces.
    fn collect_namespace(&self, scope: ScopeId, key: Key, cx: Cx, found: &mut Found) {
        let mut part = Some(scope);
        while let Some(id) = part {
            let data = &self.ast[id];
            if let Some(declared) = key.get(data) {
                for &decl in declared {
                    if self.visible(decl, cx) {
                        self.add(decl, BindId::NONE, cx, found);
                    }
                }
            }
            part = data.extends;
        }
    }

    /// Whether only a part of a class or namespace of the library is known.
    pub(crate) fn is_partial(&self, decl: DeclId) -> bool {
        self.is_library(decl) && self.env.library.facts(decl).is_some_and(|facts| facts.partial)
    }

    /// Whether a namespace has members that the library does not declare, so that one that is not found is unknown.
    fn is_partial_namespace(&self, scope: ScopeId) -> bool {
        let mut part = Some(scope);
        while let Some(id) = part {
            if self.ast[id].owner.is_some_and(|owner| self.is_partial(owner)) {
                return true;
            }
            part = self.ast[id].extends;
        }
        false
    }

    fn add(&self, decl: DeclId, bind: BindId, cx: Cx, found: &mut Found) {
        // The library's own declarations see each other whatever the version: a parameter that a newer version added
        // has a type of that version.
        let from_library = cx.scope.0 < self.env.ast.start().scopes;
        if !from_library && !self.exists(decl) {
            found.note_missing(self, decl);
            return;
        }
        if let DeclKind::UsingDecl { target, .. } = &self.ast[decl].kind {
            let from = Cx { scope: self.ast[decl].scope, bind, before: decl.0, ..cx };
            if let Some(inner) = self.deeper(|| self.lookup_path(target, from)) {
                found.uncertain |= inner.uncertain;
                found.class = found.class.or(inner.class);
                for item in inner.items {
                    if !from_library && !self.exists(item.decl) {
                        found.note_missing(self, item.decl);
                    } else if !found.items.contains(&item) {
                        found.items.push(item);
                    }
                }
            }
            return;
        }
        let item = DeclRef { decl, bind };
        if !found.items.contains(&item) {
            found.items.push(item);
        }
    }

    /// Adds the namespaces that using-directives of a scope nominate, transitively.
    fn nominate(&self, scope: ScopeId, cx: Cx, nominated: &mut SmallVec<[ScopeId; 4]>) {
        let mut part = Some(scope);
        while let Some(id) = part {
            for directive in &self.ast[id].using_directives {
                if !self.visible(directive.at, cx) {
                    continue;
                }
                let target = directive.target.or_else(|| {
                    let path = directive.path.as_ref()?;
                    match self.deeper(|| {
                        self.resolve_container(
                            path,
                            path.segments.len(),
                            Cx { scope: id, before: directive.at.0, ..cx },
                        )
                    })? {
                        crate::resolve::Container::Namespace(target) => Some(target),
                        _ => None,
                    }
                });
                let Some(target) = target else { continue };
                let target = self.env.ast.newest(target);
                if !nominated.contains(&target) {
                    nominated.push(target);
                    self.nominate(target, cx, nominated);
                }
            }
            part = self.ast[id].extends;
        }
    }

    /// Whether a namespace lies in another, or in something that the other extends.
    fn scope_within(&self, inner: ScopeId, outer: ScopeId) -> bool {
        if self.ast[outer].kind == ScopeKind::Global {
            return true;
        }
        let mut current = Some(inner);
        while let Some(id) = current {
            let mut part = Some(outer);
            while let Some(outer_part) = part {
                if id == outer_part {
                    return true;
                }
                part = self.ast[outer_part].extends;
            }
            current = self.ast[id].parent;
        }
        false
    }

    /// Qualified lookup in a namespace: its own names, else those of the namespaces it nominates
    /// (C++ [namespace.qual]).
    pub fn lookup_in_namespace(&self, scope: ScopeId, key: Key, cx: Cx) -> Found {
        let mut found = Found::default();
        // The unit or a framework header may open a namespace of the library again.
        let scope = self.env.ast.newest(scope);
        self.collect_namespace(scope, key, cx, &mut found);
        if found.items.is_empty() {
            let mut nominated = SmallVec::new();
            self.nominate(scope, cx, &mut nominated);
            for target in nominated {
                self.collect_namespace(target, key, cx, &mut found);
            }
            found.uncertain |= found.items.is_empty() && self.is_partial_namespace(scope);
        }
        found
    }

    fn lookup_in_bases(&self, scope: ScopeId, key: Key, cx: Cx) -> Members {
        let mut result = Members::default();
        let bases = self.ast[scope].bases.clone();
        let base_cx = Cx { scope: self.ast[scope].parent.unwrap_or(scope), ..cx };
        for base in bases {
            let ty = self.quiet().resolve_type(base, base_cx).ty;
            match self.kind(ty) {
                TyKind::Record(..) => {
                    let members = self.members_by(ty, key);
                    result.uncertain |= members.uncertain;
                    result.too_new = result.too_new.or(members.too_new);
                    if !members.items.is_empty() {
                        result.items = members.items;
                        result.class = members.class;
                        return result;
                    }
                }
                _ => result.uncertain = true,
            }
        }
        result
    }

    /// The members of a name in a class, or else in its bases.
    pub fn members(&self, class: Ty, name: Name) -> Arc<Members> {
        let is_local = self.store().flags(class).contains(TyFlags::LOCAL);
        self.cached(is_local, &self.env.caches.members, &self.local.members, (class, name), || {
            Arc::new(self.members_by(class, Key::Name(name)))
        })
    }

    /// The members of a name or operator in a class, or else in its bases.
    pub fn members_by(&self, class: Ty, key: Key) -> Members {
        let mut members = Members::default();
        let Some(info) = self.record_info(class) else {
            members.uncertain = true;
            return members;
        };
        let Some(scope) = info.scope else {
            members.uncertain = true;
            return members;
        };
        let cx = Cx { scope, bind: info.bind, before: u32::MAX, before_local: u32::MAX, class: Some(class) };
        let mut found = Found::default();
        self.collect(scope, key, cx, info.bind, false, &mut found);
        members.too_new = found.too_new.filter(|&decl| self.enabled(DeclRef { decl, bind: info.bind }));
        members.uncertain |= found.uncertain || info.uncertain;
        found.items.retain(|item| {
            if !self.exists(item.decl) {
                if self.enabled(*item) {
                    members.too_new.get_or_insert(item.decl);
                }
                return false;
            }
            self.enabled(*item)
        });
        // Of a class of which a part is known, all overloads of a known function are, unless one says that it is unknown;
        // operators may have others.
        members.uncertain |= self.is_partial(info.decl) && (found.items.is_empty() || matches!(key, Key::Operator(_)));
        if !found.items.is_empty() {
            members.items = found.items;
            members.class = found.class.or(Some(class));
            return members;
        }
        // Members of unnamed unions and structs are members of the class around them.
        if let Some(result) = self.deeper(|| self.lookup_in_bases(scope, key, cx)) {
            members.uncertain |= result.uncertain;
            members.too_new = members.too_new.or(result.too_new);
            members.items = result.items;
            members.class = result.class;
        }
        members
    }

    /// Looks up what a path names, without its last segment's template arguments.
    pub fn lookup_path(&self, path: &Path, cx: Cx) -> Found {
        let Some(last) = path.last() else { return Found { uncertain: true, ..Found::default() } };
        let key = match last.name {
            UnqualName::Ident(name) => Key::Name(name),
            UnqualName::Operator(op) => Key::Operator(op),
            UnqualName::Literal(name) => Key::Name(name),
            UnqualName::Conversion(_) | UnqualName::Destructor(_) | UnqualName::Missing => {
                return Found { uncertain: true, ..Found::default() };
            }
        };
        if path.segments.len() == 1 && !path.global && path.decltype.is_none() {
            return self.lookup(key, cx);
        }
        match self.resolve_container(path, path.segments.len() - 1, cx) {
            crate::resolve::Container::Namespace(scope) => self.lookup_in_namespace(scope, key, cx),
            crate::resolve::Container::Record(class) => {
                let members = match key {
                    Key::Name(name) => {
                        // The injected class name, and the constructor's name.
                        let injected = self.record_info(class).filter(|info| self.decl_name(info.decl) == Some(name));
                        if let Some(info) = injected {
                            let mut found = Found { class: Some(class), ..Found::default() };
                            found.items.push(DeclRef { decl: info.decl, bind: info.bind });
                            return found;
                        }
                        (*self.members(class, name)).clone()
                    }
                    Key::Operator(_) => self.members_by(class, key),
                };
                Found {
                    items: members.items,
                    class: members.class,
                    uncertain: members.uncertain,
                    too_new: members.too_new,
                }
            }
            crate::resolve::Container::Enum(decl, bind) => {
                let mut found = Found::default();
                match self.enum_scope(decl) {
                    Some(scope) => self.collect(scope, key, cx, bind, false, &mut found),
                    None => found.uncertain = true,
                }
                found
            }
            crate::resolve::Container::Dependent | crate::resolve::Container::Unknown => {
                Found { uncertain: true, ..Found::default() }
            }
        }
    }

    /// The scope of an enumeration's enumerators, from whichever of its declarations has the list.
    pub fn enum_scope(&self, decl: DeclId) -> Option<ScopeId> {
        let DeclKind::Enum(enumeration) = &self.ast[decl].kind else { return None };
        if enumeration.scope.is_some() {
            return enumeration.scope;
        }
        self.redeclarations(decl).into_iter().find_map(|other| match &self.ast[other].kind {
            DeclKind::Enum(other) => other.scope,
            _ => None,
        })
    }

    /// All declarations in the same scope under the same name and of the same sort, the given one included.
    pub fn redeclarations(&self, decl: DeclId) -> SmallVec<[DeclId; 2]> {
        let Some(name) = self.decl_name(decl) else { return SmallVec::from_slice(&[decl]) };
        let sort = std::mem::discriminant(&self.ast[decl].kind);
        let mut result = SmallVec::new();
        let mut scope = Some(self.declared_in(decl));
        while let Some(id) = scope {
            for &other in self.ast[id].get(name) {
                if std::mem::discriminant(&self.ast[other].kind) == sort {
                    result.push(other);
                }
            }
            scope = self.ast[id].extends;
        }
        if result.is_empty() {
            result.push(decl);
        }
        result
    }

    /// The scope that a declaration's name was entered in: its lexical scope, past template headers.
    pub fn declared_in(&self, decl: DeclId) -> ScopeId {
        let mut scope = self.ast[decl].scope;
        while self.ast[scope].kind == ScopeKind::Template {
            match self.ast[scope].parent {
                Some(parent) => scope = parent,
                None => break,
            }
        }
        scope
    }

    /// The namespace that a declaration is a member of.
    pub fn namespace_of(&self, decl: DeclId) -> ScopeId {
        let mut scope = self.ast[decl].scope;
        loop {
            let data = &self.ast[scope];
            match (data.kind, data.parent) {
                (ScopeKind::Namespace | ScopeKind::Global, _) | (_, None) => return scope,
                (_, Some(parent)) => scope = parent,
            }
        }
    }

    /// Argument-dependent lookup (C++ [basic.lookup.argdep]): functions of this name in the namespaces of the
    /// arguments' types, and friends declared only inside their classes.
    pub fn lookup_adl(&self, key: Key, args: &[Ty], found: &mut Found) {
        let mut namespaces: SmallVec<[ScopeId; 4]> = SmallVec::new();
        let mut classes: SmallVec<[Ty; 4]> = SmallVec::new();
        for &arg in args {
            self.associated(arg, &mut namespaces, &mut classes, 0);
        }
        let cx =
            Cx { scope: self.env.global, bind: BindId::NONE, before: u32::MAX, before_local: u32::MAX, class: None };
        for scope in namespaces {
            let mut inner = Found::default();
            self.collect_namespace(self.env.ast.newest(scope), key, cx, &mut inner);
            for item in inner.items {
                if matches!(self.ast[item.decl].kind, DeclKind::Function(_)) && !found.items.contains(&item) {
                    found.items.push(item);
                }
            }
        }
        for class in classes {
            let Some(info) = self.record_info(class) else { continue };
            let Some(scope) = info.scope else { continue };
            for &friend in &self.ast[scope].hidden_friends {
                let DeclKind::Function(function) = &self.ast[friend].kind else { continue };
                let same = match (function.name, key) {
                    (UnqualName::Ident(name), Key::Name(wanted)) => name == wanted,
                    (UnqualName::Operator(op), Key::Operator(wanted)) => op == wanted,
                    _ => false,
                };
                let item = DeclRef { decl: friend, bind: info.bind };
                if same && !found.items.contains(&item) {
                    found.items.push(item);
                }
            }
        }
    }

    fn associated(&self, ty: Ty, namespaces: &mut SmallVec<[ScopeId; 4]>, classes: &mut SmallVec<[Ty; 4]>, depth: u32) {
        if depth > 8 {
            return;
        }
        match self.kind(ty) {
            TyKind::Pointer(inner) | TyKind::LRef(inner) | TyKind::RRef(inner) | TyKind::Array(inner, _) => {
                self.associated(inner.ty, namespaces, classes, depth + 1);
            }
            TyKind::Enum(decl, _) => {
                let scope = self.namespace_of(*decl);
                if !namespaces.contains(&scope) {
                    namespaces.push(scope);
                }
            }
            TyKind::Record(decl, bind) => {
                if classes.contains(&ty) {
                    return;
                }
                classes.push(ty);
                let scope = self.namespace_of(*decl);
                if !namespaces.contains(&scope) {
                    namespaces.push(scope);
                }
                if let Some(info) = self.record_info(ty) {
                    for base in &info.bases {
                        self.associated(*base, namespaces, classes, depth + 1);
                    }
                }
                if *bind != BindId::NONE {
                    for arg in self.store().bindings(*bind).args.iter() {
                        if let TArg::Type(arg) = arg {
                            self.associated(arg.ty, namespaces, classes, depth + 1);
                        }
                    }
                }
            }
            _ => {}
        }
    }
}
