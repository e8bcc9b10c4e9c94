//! The queries of this phase: a unit's environment, the check of its declarations, the check of each body.
//!
//! The environment depends on the declaration stream alone and a body's check on the environment and that body's
//! tokens, so an edit inside a body checks that body again and nothing else.

use std::sync::Arc;

use msl_db::{Body, BodyPlace, Db, Unit, parsed_body, parsed_decls, split_unit};
use msl_parser::ast::DeclId;

use crate::check::Checked;
use crate::sema::Env;

/// A unit's environment.
#[salsa::tracked(returns(ref), no_eq)]
pub fn environment(db: &dyn Db, unit: Unit) -> Arc<Env> {
    let tree = parsed_decls(db, unit);
    let stream = split_unit(db, unit).stream(db);
    let version = unit.options(db).version;
    Arc::new(Env::new(version, Arc::clone(&tree.ast), tree.decls.clone(), tree.global, Arc::clone(stream)))
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
    Some(Arc::new(environment(db, unit).check_body(function, parsed)))
}

/// What the checks of bodies that stay in the declaration stream found, by function.
#[salsa::tracked(returns(ref), no_eq)]
pub fn checked_inline_bodies(db: &dyn Db, unit: Unit) -> Arc<Vec<(DeclId, BodyPlace, Checked)>> {
    let env = environment(db, unit);
    let mut checked = Vec::new();
    for of in &parsed_decls(db, unit).functions {
        if let BodyPlace::Inline(_) = of.body
            && let Some(body) = env.inline_body(of.function)
        {
            checked.push((of.function, of.body, env.check_body(of.function, &body)));
        }
    }
    Arc::new(checked)
}
