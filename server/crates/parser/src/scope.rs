//! Scopes: which names are declared where.
//!
//! The parser fills these while it parses, because C++ cannot be parsed without knowing which names are types and
//! which are templates; name lookup proper works on the same scopes later. A scope maps a name to all its
//! declarations in order. What a name *is* stands in the declaration itself.
//!
//! A namespace that is opened again continues the same scope, unless its first part lies in a lower layer: then the
//! new layer has a scope of its own whose `extends` names the lower one. The global scope of a unit extends the
//! library's global scope in this way.
//!
//! What stands where:
//!
//! * Entities stand in the scope that they are members of, also when the declaration stands elsewhere
//!   ([`Decl::scope`](crate::ast::Decl::scope) is where it is written). Definitions with a qualified name
//!   (`void S::f() {}`) and explicit instantiations are in no scope's names: what they define or instantiate is there
//!   already. Explicit and partial specialisations stand beside their primary template.
//! * Enumerators of an unscoped enumeration stand in its scope and in the one around it; so do the members of an
//!   unnamed struct or union that declares no variable.
//! * Constructors, destructors and conversion functions are found by what they are, not by name. A friend function
//!   that is declared only in a class stands in `hidden_friends` of the class.
//! * The parent of a scope is where lookup goes on: from parameters to template parameters to the class or namespace.
//!   For an out-of-class definition that is the class, so its template headers lie *inside* the class's scope.
//! * The scope of template parameters lies between a declaration and the scope that it stands in;
//!   [`inner_scope`](crate::lookup::inner_scope) gives it.

use msl_intern::Name;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::ast::{DeclId, OverloadedOp, Path, ScopeId, TypeId};

/// A scope. Conversion functions and the like, whose names are not identifiers, stand in `operators` and
/// `conversions`.
#[derive(Debug, Default)]
pub struct Scope {
    pub kind: ScopeKind,
    pub parent: Option<ScopeId>,
    /// The scope in a lower layer that this one continues.
    pub extends: Option<ScopeId>,
    /// The namespace, class, enumeration, function or template that this is the scope of.
    pub owner: Option<DeclId>,
    pub names: FxHashMap<Name, Declared>,
    pub operators: FxHashMap<OverloadedOp, Declared>,
    pub conversions: Declared,
    pub constructors: Declared,
    pub destructors: Declared,
    /// `using namespace`, with the declaration that says so; inline and unnamed namespaces are entered here too.
    pub using_directives: Vec<UsingDirective>,
    /// Base classes of a class scope, as written.
    pub bases: Vec<TypeId>,
    /// The member scopes of those base classes that are known and do not depend on template parameters.
    pub base_scopes: Vec<ScopeId>,
    /// Deduction guides of this scope's class templates.
    pub guides: Vec<DeclId>,
    /// Friend functions that are declared only inside a class: found by argument-dependent lookup.
    pub hidden_friends: Vec<DeclId>,
}

/// The declarations of one name in one scope, in order.
pub type Declared = SmallVec<[DeclId; 2]>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum ScopeKind {
    #[default]
    Global,
    Namespace,
    Record,
    Enum,
    /// Template parameters.
    Template,
    /// Function parameters.
    Function,
    /// Captures and parameters of a lambda.
    Lambda,
    Block,
}

#[derive(Clone, Debug, PartialEq)]
pub struct UsingDirective {
    /// The declaration; the directive has no effect before it.
    pub at: DeclId,
    /// The nominated namespace, if it was found; with a path that names none it stays `None`.
    pub target: Option<ScopeId>,
    pub path: Option<Path>,
}

impl Scope {
    pub fn new(kind: ScopeKind, parent: Option<ScopeId>) -> Scope {
        Scope { kind, parent, ..Scope::default() }
    }

    /// Adds a declaration of a name.
    pub fn declare(&mut self, name: Name, decl: DeclId) {
        self.names.entry(name).or_default().push(decl);
    }

    /// The declarations of a name in this scope alone.
    pub fn get(&self, name: Name) -> &[DeclId] {
        self.names.get(&name).map_or(&[], |declared| declared.as_slice())
    }
}
