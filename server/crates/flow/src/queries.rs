//! The queries: each function's summary on its own, and the program that they make up.

use std::sync::Arc;

use msl_db::{Body, BodyPlace, Db, Unit, parsed_body, parsed_decls, split_unit};
use msl_parser::ast::{Ast, Decl, DeclId, DeclKind, Specs};
use msl_parser::scope::ScopeKind;
use msl_ty::sema::LocalCaches;
use msl_ty::store::BindId;
use msl_ty::{
    DeclRef, Instance, Sema, checked_body, checked_inline_bodies, checked_instance, entry_instances, environment,
    unit_instances,
};

use msl_ty::decls::Stage;
use rustc_hash::FxHashMap;

use crate::findings::{Finding, Thresholds, findings};
use crate::program::{Part, Program, Role, Solution};
use crate::summary::Summary;
use crate::walk::{View, concerns_generics, summarize};

/// The summary of a function whose body was cut out of the declaration stream, with no template parameters.
#[salsa::tracked(returns(ref))]
pub fn summary_of_body<'db>(db: &'db dyn Db, body: Body<'db>) -> Option<Arc<Summary>> {
    let unit = body.unit(db);
    let parsed = parsed_body(db, body).as_ref()?;
    let checked = checked_body(db, body).as_ref()?;
    let function = *parsed_decls(db, unit).function_of_body.get(&body.number(db))?;
    let env = environment(db, unit);
    let item = DeclRef { decl: function, bind: BindId::NONE };
    Some(Arc::new(summarize(env, item, parsed, View { own: &checked.facts, generic: None, is_concerned: false })))
}

/// Whether what was learned of a body with open template parameters concerns generics. Asked once for all its instances.
#[salsa::tracked]
fn body_concerns_generics<'db>(db: &'db dyn Db, body: Body<'db>) -> bool {
    let (Some(parsed), Some(checked)) = (parsed_body(db, body), checked_body(db, body)) else { return false };
    let local = LocalCaches::default();
    local.set_variables(&checked.facts.variables);
    concerns_generics(&Sema::new(environment(db, body.unit(db)), &parsed.ast, &local), &checked.facts)
}

/// The summary of an instance.
#[salsa::tracked(returns(ref))]
pub fn summary_of_instance<'db>(db: &'db dyn Db, instance: Instance<'db>) -> Option<Arc<Summary>> {
    let unit = instance.unit(db);
    let item = instance.item(db);
    let env = environment(db, unit);
    let checked = checked_instance(db, instance).as_ref()?;
    match msl_ty::body_of(db, unit, item.decl)? {
        BodyPlace::Deferred(number) => {
            let body = *split_unit(db, unit).bodies(db).get(number as usize)?;
            let parsed = parsed_body(db, body).as_ref()?;
            let generic = checked_body(db, body).as_ref()?;
            let is_concerned = *body_concerns_generics(db, body);
            let view = View { own: &checked.facts, generic: Some(&generic.facts), is_concerned };
            Some(Arc::new(summarize(env, item, parsed, view)))
        }
        BodyPlace::Inline(_) => {
            let parsed = env.inline_body(item.decl)?;
            let inline = checked_inline_bodies(db, unit);
            let (_, _, generic) = inline.iter().find(|(function, ..)| *function == item.decl)?;
            let local = LocalCaches::default();
            local.set_variables(&generic.facts.variables);
            let is_concerned = concerns_generics(&Sema::new(env, &parsed.ast, &local), &generic.facts);
            let view = View { own: &checked.facts, generic: Some(&generic.facts), is_concerned };
            Some(Arc::new(summarize(env, item, &parsed, view)))
        }
    }
}

/// What the flow of a unit is computed from. Compared by content: most edits of a body leave it as it is.
#[derive(Clone, Debug)]
struct Parts(Arc<[Part]>);

impl Parts {
    /// Whether both have the same functions in the same roles, with summaries of which `same` holds.
    fn agree(&self, other: &Parts, same: impl Fn(&Summary, &Summary) -> bool) -> bool {
        let agree = |(a, b): (&Part, &Part)| a.0 == b.0 && a.2 == b.2 && (Arc::ptr_eq(&a.1, &b.1) || same(&a.1, &b.1));
        self.0.len() == other.0.len() && self.0.iter().zip(&*other.0).all(agree)
    }
}

impl PartialEq for Parts {
    fn eq(&self, other: &Parts) -> bool {
        self.agree(other, |a, b| a == b)
    }
}

/// The same, compared by what flows alone: of the edits that change a summary, most move its places only.
#[derive(Clone, Debug)]
struct Flows(Parts);

impl PartialEq for Flows {
    fn eq(&self, other: &Flows) -> bool {
        self.0.agree(&other.0, Summary::flows_like)
    }
}

/// The summaries of a unit's functions and instances.
#[salsa::tracked(returns(ref))]
fn unit_summaries(db: &dyn Db, unit: Unit) -> Parts {
    let env = environment(db, unit);
    let roles = unit_roles(db, unit);
    let role = |function: DeclId| roles.get(&function).copied().unwrap_or_default();
    let mut functions = Vec::new();
    for of in &parsed_decls(db, unit).functions {
        if env.is_templated(of.function) {
            continue;
        }
        let item = DeclRef { decl: of.function, bind: BindId::NONE };
        let summary = match of.body {
            BodyPlace::Deferred(number) => {
                let Some(&body) = split_unit(db, unit).bodies(db).get(number as usize) else { continue };
                match summary_of_body(db, body) {
                    Some(summary) => Arc::clone(summary),
                    None => continue,
                }
            }
            BodyPlace::Inline(_) => match inline_summaries(db, unit).get(&of.function) {
                Some(summary) => Arc::clone(summary),
                None => continue,
            },
        };
        functions.push((item, summary, role(of.function)));
    }
    let entries = entry_instances(db, unit);
    for &instance in unit_instances(db, unit).iter() {
        if let Some(summary) = summary_of_instance(db, instance) {
            let item = instance.item(db);
            let mut role = role(item.decl);
            // The stage can stand on the explicit instantiation alone.
            role.is_entry |= entries.contains(&item);
            role.is_root |= role.is_entry;
            functions.push((item, Arc::clone(summary), role));
        }
    }
    Parts(functions.into())
}

/// The summaries of functions whose bodies stand in the declaration stream.
#[salsa::tracked(returns(ref), no_eq)]
fn inline_summaries(db: &dyn Db, unit: Unit) -> FxHashMap<DeclId, Arc<Summary>> {
    let env = environment(db, unit);
    let mut summaries = FxHashMap::default();
    for (function, _, checked) in checked_inline_bodies(db, unit).iter() {
        let item = DeclRef { decl: *function, bind: BindId::NONE };
        if let Some(parsed) = env.inline_body(*function)
            && !env.is_templated(*function)
        {
            let view = View { own: &checked.facts, generic: None, is_concerned: false };
            summaries.insert(*function, Arc::new(summarize(env, item, &parsed, view)));
        }
    }
    summaries
}

/// How the functions of a unit take part.
#[salsa::tracked(returns(ref), no_eq)]
fn unit_roles(db: &dyn Db, unit: Unit) -> FxHashMap<DeclId, Role> {
    let env = environment(db, unit);
    let local = LocalCaches::default();
    let sema = Sema::new(env, &env.ast, &local);
    let is_exported = |function: DeclId| unit.options(db).is_dynamic_library && has_external_linkage(&sema, function);
    let role = |function: DeclId| {
        let mut role = role_of(&sema, function);
        role.is_exported = !role.is_root && is_exported(function);
        role.is_root |= role.is_exported;
        (function, role)
    };
    parsed_decls(db, unit).functions.iter().map(|of| role(of.function)).collect()
}

/// What decides the contexts of a unit's functions.
#[salsa::tracked(returns(ref))]
fn unit_flows(db: &dyn Db, unit: Unit) -> Flows {
    Flows(unit_summaries(db, unit).clone())
}

/// The contexts of a unit's functions.
#[salsa::tracked(returns(ref), no_eq)]
fn unit_contexts(db: &dyn Db, unit: Unit) -> Arc<Solution> {
    Arc::new(Solution::of(&unit_flows(db, unit).0.0))
}

/// The flow of a unit; empty under versions without generic pointers.
#[salsa::tracked(returns(ref), no_eq)]
pub fn unit_flow(db: &dyn Db, unit: Unit) -> Arc<Program> {
    if !environment(db, unit).version.has_generic_pointers() {
        return Arc::new(Program::default());
    }
    let contexts = Arc::clone(unit_contexts(db, unit));
    Arc::new(Program::new(&unit_summaries(db, unit).0, contexts))
}

/// Whether other libraries can name a function: one at namespace scope that is neither `static`, nor `inline`, nor a
/// template, nor hidden in an unnamed namespace (C++ [basic.link]).
fn has_external_linkage(sema: &Sema<'_>, function: DeclId) -> bool {
    let inner = Specs::STATIC | Specs::INLINE | Specs::CONSTEXPR;
    let is_inner = |decl: DeclId| sema.ast[decl].specs.intersects(inner) || is_hidden(sema, decl);
    let DeclKind::Function(data) = &sema.ast[function].kind else { return false };
    data.qualifier.is_none()
        && sema.ast[function].templates.is_empty()
        && sema.class_of(DeclRef { decl: function, bind: BindId::NONE }).is_none()
        && !sema.redeclarations(function).into_iter().any(is_inner)
}

/// Whether a declaration stands in an unnamed namespace.
fn is_hidden(sema: &Sema<'_>, decl: DeclId) -> bool {
    let mut scope = Some(sema.declared_in(decl));
    while let Some(id) = scope {
        let is_unnamed = |(_, data): (DeclId, &Decl)| matches!(&data.kind, DeclKind::Namespace { name, scope, .. } if name.is_empty() && *scope == id);
        if sema.ast[id].kind == ScopeKind::Namespace && sema.env.ast.own_decls().any(is_unnamed) {
            return true;
        }
        scope = sema.ast[id].parent;
    }
    false
}

/// How a function takes part, as its declarations say.
fn role_of(sema: &Sema<'_>, function: DeclId) -> Role {
    let ast: &Ast = sema.ast;
    let mut role = Role::default();
    for decl in sema.redeclarations(function) {
        role.is_root |= sema.is_called_from_outside(decl);
        // Not an attribute of Metal, but of every compiler that it has.
        role.is_apart |= ast[decl].attrs.iter().any(|&attr| ast[attr].name.as_str().trim_matches('_') == "noinline");
    }
    let stage = sema.stage_of(function);
    role.is_entry = stage.is_some_and(|stage| stage != Stage::Intersection);
    role
}

/// What flow has to say about a unit, by function.
#[salsa::tracked(returns(ref), no_eq)]
pub fn flow_findings(db: &dyn Db, unit: Unit, thresholds: Thresholds) -> Arc<Vec<Finding>> {
    let program = unit_flow(db, unit);
    Arc::new(findings(environment(db, unit), program, thresholds))
}
