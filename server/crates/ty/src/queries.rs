//! The queries of this phase: a unit's environment, the check of its declarations, the check of each body.
//!
//! The environment depends on the declaration stream alone and a body's check on the environment and that body's
//! tokens, so an edit inside a body checks that body again and nothing else.

use std::sync::Arc;

use msl_db::{Body, BodyPlace, Db, Unit, library_of, parsed_body, parsed_decls, split_unit};
use msl_parser::ast::DeclId;

use rustc_hash::FxHashSet;

use crate::check::Checked;
use crate::rules::recursion::CallGraph;
use crate::sema::{DeclRef, Env, TyDiagnostic};
use crate::store::BindId;

/// A unit's environment.
#[salsa::tracked(returns(ref), no_eq)]
pub fn environment(db: &dyn Db, unit: Unit) -> Arc<Env> {
    let tree = parsed_decls(db, unit);
    let stream = split_unit(db, unit).stream(db);
    let version = unit.options(db).version;
    let library = library_of(db, unit);
    Arc::new(Env::new(version, library, Arc::clone(&tree.ast), tree.decls.clone(), tree.global, Arc::clone(stream)))
}

/// What the check of a unit's declarations found.
#[salsa::tracked(returns(ref), no_eq)]
pub fn checked_declarations(db: &dyn Db, unit: Unit) -> Arc<Checked> {
    Arc::new(environment(db, unit).check_decls())
}

/// What the check of a body that was cut out of the declaration stream found; `None` if no function has it.
#[salsa::tracked(returns(ref), no_eq)]
pub fn checked_body<'db>(db: &'db dyn Db, body: Body<'db>) -> Option<Arc<Checked>> {
    let unit = body.unit(db);
    let parsed = parsed_body(db, body).as_ref()?;
    let function = *parsed_decls(db, unit).function_of_body.get(&body.number(db))?;
    Some(Arc::new(environment(db, unit).check_body(function, parsed, Some(body.tokens(db)))))
}

/// What the checks of bodies that stay in the declaration stream found, by function.
#[salsa::tracked(returns(ref), no_eq)]
pub fn checked_inline_bodies(db: &dyn Db, unit: Unit) -> Arc<Vec<(DeclId, BodyPlace, Checked)>> {
    let env = environment(db, unit);
    let mut checked = Vec::new();
    for of in &parsed_decls(db, unit).functions {
        if let BodyPlace::Inline(range) = of.body
            && let Some(body) = env.inline_body(of.function)
        {
            let tokens = env.token_slice(range);
            checked.push((of.function, of.body, env.check_body(of.function, &body, tokens)));
        }
    }
    Arc::new(checked)
}

/// An instance of a template: a definition of the unit with bindings, by their numbers in the unit's environment.
#[salsa::interned(debug)]
pub struct Instance<'db> {
    #[returns(copy)]
    pub unit: Unit,
    #[returns(copy)]
    pub decl: u32,
    #[returns(copy)]
    pub bind: u32,
}

impl Instance<'_> {
    /// The definition and its bindings.
    pub fn item(self, db: &dyn Db) -> DeclRef {
        DeclRef { decl: DeclId(self.decl(db)), bind: BindId(self.bind(db)) }
    }
}

/// How many instances of a unit are looked at.
pub const MAX_INSTANCES: usize = 20_000;

/// What a unit's explicit instantiations instantiate; no edit of a body changes it.
#[salsa::tracked(returns(ref), no_eq)]
pub fn explicit_instances(db: &dyn Db, unit: Unit) -> Arc<[DeclRef]> {
    environment(db, unit).explicit_instances().into()
}

/// The instances that explicit instantiations make entry points; no edit of a body changes them.
#[salsa::tracked(returns(ref), no_eq)]
pub fn entry_instances(db: &dyn Db, unit: Unit) -> Arc<FxHashSet<DeclRef>> {
    Arc::new(environment(db, unit).entry_instances().into_iter().collect())
}

/// The instances that a body's check calls for. Compared by content: most edits of a body leave them as they are.
#[salsa::tracked(returns(ref))]
fn instances_of_body<'db>(db: &'db dyn Db, body: Body<'db>) -> Arc<[(u32, u32)]> {
    match checked_body(db, body) {
        Some(checked) => checked.instances.iter().map(|item| (item.decl.0, item.bind.0)).collect(),
        None => Arc::from([]),
    }
}

/// What the check of an instance found; `None` if it has no body here.
#[salsa::tracked(returns(ref), no_eq)]
pub fn checked_instance<'db>(db: &'db dyn Db, instance: Instance<'db>) -> Option<Arc<Checked>> {
    let unit = instance.unit(db);
    let item = instance.item(db);
    let env = environment(db, unit);
    match body_of(db, unit, item.decl)? {
        BodyPlace::Deferred(number) => {
            let body = *split_unit(db, unit).bodies(db).get(number as usize)?;
            let parsed = parsed_body(db, body).as_ref()?;
            let generic = checked_body(db, body).as_ref()?;
            Some(Arc::new(env.check_instance(item, parsed, generic)))
        }
        BodyPlace::Inline(_) => {
            let parsed = env.inline_body(item.decl)?;
            let checked = checked_inline_bodies(db, unit);
            let (_, _, generic) = checked.iter().find(|(function, ..)| *function == item.decl)?;
            Some(Arc::new(env.check_instance(item, &parsed, generic)))
        }
    }
}

/// The instances that a unit calls for by itself, not through other instances: those that it instantiates explicitly, and
/// those that its bodies and declarations call. Some may be named twice.
pub fn called_instances(db: &dyn Db, unit: Unit) -> Vec<DeclRef> {
    let mut called: Vec<DeclRef> = explicit_instances(db, unit).to_vec();
    for &body in split_unit(db, unit).bodies(db).iter() {
        let of_body = instances_of_body(db, body).iter();
        called.extend(of_body.map(|&(decl, bind)| DeclRef { decl: DeclId(decl), bind: BindId(bind) }));
    }
    let inline = checked_inline_bodies(db, unit);
    let declarations = checked_declarations(db, unit);
    called.extend(inline.iter().flat_map(|(.., checked)| &checked.instances).chain(&declarations.instances));
    called
}

/// All instances of a unit: those that it calls for by itself, and those that they call, directly or through others.
#[salsa::tracked(returns(ref), no_eq)]
pub fn unit_instances<'db>(db: &'db dyn Db, unit: Unit) -> Arc<Vec<Instance<'db>>> {
    let mut seen: FxHashSet<(u32, u32)> = FxHashSet::default();
    let mut found: Vec<Instance<'db>> = Vec::new();
    let mut add = |key: (u32, u32), found: &mut Vec<Instance<'db>>| {
        if found.len() < MAX_INSTANCES && seen.insert(key) {
            found.push(Instance::new(db, unit, key.0, key.1));
        }
    };
    for item in called_instances(db, unit) {
        add((item.decl.0, item.bind.0), &mut found);
    }
    let mut next = 0;
    while next < found.len() {
        if let Some(checked) = checked_instance(db, found[next]) {
            for item in &checked.instances {
                add((item.decl.0, item.bind.0), &mut found);
            }
        }
        next += 1;
    }
    Arc::new(found)
}

/// The functions with a body that a body's check found called. Compared by content, like [`instances_of_body`].
#[salsa::tracked(returns(ref))]
fn callees_of_body<'db>(db: &'db dyn Db, body: Body<'db>) -> Arc<[(u32, u32)]> {
    match checked_body(db, body) {
        Some(checked) => numbers(environment(db, body.unit(db)), checked).collect(),
        None => Arc::from([]),
    }
}

fn numbers(env: &Env, checked: &Checked) -> impl Iterator<Item = (u32, u32)> {
    env.called_definitions(checked.facts.callees.values().copied()).into_iter().map(|item| (item.decl.0, item.bind.0))
}

/// What is wrong with the functions of a unit that call themselves, directly or through others.
#[salsa::tracked(returns(ref), no_eq)]
pub fn unit_recursion(db: &dyn Db, unit: Unit) -> Arc<[TyDiagnostic]> {
    let env = environment(db, unit);
    let item_of = |&(decl, bind): &(u32, u32)| DeclRef { decl: DeclId(decl), bind: BindId(bind) };
    let mut graph = CallGraph::default();
    let bodies = split_unit(db, unit).bodies(db);
    for of in &parsed_decls(db, unit).functions {
        if let BodyPlace::Deferred(number) = of.body
            && let Some(&body) = bodies.get(number as usize)
            && !env.is_templated(of.function)
        {
            let callees = callees_of_body(db, body).iter().map(item_of).collect();
            graph.insert(DeclRef { decl: of.function, bind: BindId::NONE }, callees);
        }
    }
    for (function, _, checked) in checked_inline_bodies(db, unit).iter() {
        if !env.is_templated(*function) {
            let callees = numbers(env, checked).map(|key| item_of(&key)).collect();
            graph.insert(DeclRef { decl: *function, bind: BindId::NONE }, callees);
        }
    }
    for &instance in unit_instances(db, unit).iter() {
        if let Some(checked) = checked_instance(db, instance) {
            graph.insert(instance.item(db), numbers(env, checked).map(|key| item_of(&key)).collect());
        }
    }
    env.check_recursion(&graph).into()
}

/// Where the body of a function of the unit is.
pub fn body_of(db: &dyn Db, unit: Unit, function: DeclId) -> Option<BodyPlace> {
    let functions = &parsed_decls(db, unit).functions;
    let index = functions.binary_search_by_key(&function, |of| of.function).ok()?;
    Some(functions[index].body)
}
