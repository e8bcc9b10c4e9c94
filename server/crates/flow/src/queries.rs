//! The queries: each function's summary on its own, and the program that they make up.

use std::sync::Arc;

use msl_db::{Body, BodyPlace, Db, Unit, parsed_body, parsed_decls, split_unit};
use msl_parser::ast::{Ast, DeclId};
use msl_ty::sema::LocalCaches;
use msl_ty::store::BindId;
use msl_ty::{
    DeclRef, Instance, Sema, checked_body, checked_inline_bodies, checked_instance, entry_instances, environment,
    unit_instances,
};

use crate::findings::{Finding, findings};
use crate::program::{Program, Role};
use crate::summary::Summary;
use crate::walk::{View, summarize};

/// The summary of a function whose body was cut out of the declaration stream, with no template parameters.
#[salsa::tracked(returns(ref))]
fn summary_of_body<'db>(db: &'db dyn Db, body: Body<'db>) -> Option<Arc<Summary>> {
    let unit = body.unit(db);
    let parsed = parsed_body(db, body).as_ref()?;
    let checked = checked_body(db, body).as_ref()?;
    let function = *parsed_decls(db, unit).function_of_body.get(&body.number(db))?;
    let env = environment(db, unit);
    let item = DeclRef { decl: function, bind: BindId::NONE };
    Some(Arc::new(summarize(env, item, parsed, View { own: &checked.facts, generic: None })))
}

/// The summary of an instance.
#[salsa::tracked(returns(ref))]
fn summary_of_instance<'db>(db: &'db dyn Db, instance: Instance<'db>) -> Option<Arc<Summary>> {
    let unit = instance.unit(db);
    let item = instance.item(db);
    let env = environment(db, unit);
    let checked = checked_instance(db, instance).as_ref()?;
    match msl_ty::body_of(db, unit, item.decl)? {
        BodyPlace::Deferred(number) => {
            let body = *split_unit(db, unit).bodies(db).get(number as usize)?;
            let parsed = parsed_body(db, body).as_ref()?;
            let generic = checked_body(db, body).as_ref()?;
            let view = View { own: &checked.facts, generic: Some(&generic.facts) };
            Some(Arc::new(summarize(env, item, parsed, view)))
        }
        BodyPlace::Inline(_) => {
            let parsed = env.inline_body(item.decl)?;
            let inline = checked_inline_bodies(db, unit);
            let (_, _, generic) = inline.iter().find(|(function, ..)| *function == item.decl)?;
            let view = View { own: &checked.facts, generic: Some(&generic.facts) };
            Some(Arc::new(summarize(env, item, &parsed, view)))
        }
    }
}

/// The flow of a unit; empty under versions without generic pointers.
#[salsa::tracked(returns(ref), no_eq)]
pub fn unit_flow(db: &dyn Db, unit: Unit) -> Arc<Program> {
    let env = environment(db, unit);
    if !env.version.has_generic_pointers() {
        return Arc::new(Program::default());
    }
    let local = LocalCaches::default();
    let sema = Sema::new(env, &env.ast, &local);
    let mut functions = Vec::new();
    for of in &parsed_decls(db, unit).functions {
        if msl_ty::check::is_templated(&sema, of.function) {
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
            BodyPlace::Inline(_) => {
                let inline = checked_inline_bodies(db, unit);
                let Some((_, _, checked)) = inline.iter().find(|(function, ..)| *function == of.function) else {
                    continue;
                };
                let Some(parsed) = env.inline_body(of.function) else { continue };
                Arc::new(summarize(env, item, &parsed, View { own: &checked.facts, generic: None }))
            }
        };
        functions.push((item, summary, role_of(&sema, of.function)));
    }
    let entries = entry_instances(db, unit);
    for &instance in unit_instances(db, unit).iter() {
        if let Some(summary) = summary_of_instance(db, instance) {
            let item = instance.item(db);
            let mut role = role_of(&sema, item.decl);
            // The stage can stand on the explicit instantiation alone.
            role.is_entry |= entries.contains(&item);
            role.is_root |= role.is_entry;
            functions.push((item, Arc::clone(summary), role));
        }
    }
    Arc::new(Program::new(functions))
}

/// How a function takes part, as its declaration says.
fn role_of(sema: &Sema<'_>, function: DeclId) -> Role {
    let ast: &Ast = sema.ast;
    let has = |words: &[&str]| ast[function].attrs.iter().any(|&attr| words.contains(&ast[attr].name.as_str()));
    let is_entry = sema.stage_of(function).is_some();
    Role { is_root: sema.is_called_from_outside(function), is_entry, is_apart: has(&["noinline", "__noinline__"]) }
}

/// What flow has to say about a unit, by function.
#[salsa::tracked(returns(ref), no_eq)]
pub fn flow_findings(db: &dyn Db, unit: Unit) -> Arc<Vec<Finding>> {
    let program = unit_flow(db, unit);
    Arc::new(findings(environment(db, unit), program))
}
