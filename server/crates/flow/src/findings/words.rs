//! Explanations in words.

use msl_parser::ast::DeclId;
use msl_ty::sema::LocalCaches;
use msl_ty::store::BindId;
use msl_ty::{Env, Sema};

use crate::border::{Input, THIS};
use crate::program::{OriginKind, OriginStep, Program};
use crate::value::{Holder, Spaces};

/// `device or thread`.
pub fn spaces(spaces: Spaces) -> String {
    spaces.words().join(" or ")
}

/// The name of a function as messages have it.
pub fn function(env: &Env, program: &Program, number: usize) -> String {
    let (function, _) = &program.functions[number];
    let name = match function.item.bind {
        BindId::NONE => declaration(env, function.item.decl),
        _ => env.spell_instance(function.item),
    };
    if function.closure.is_some() { format!("a lambda in `{name}`") } else { format!("`{name}`") }
}

/// The name of a declaration of the unit, qualified.
fn declaration(env: &Env, decl: DeclId) -> String {
    let local = LocalCaches::default();
    let sema = Sema::new(env, &env.ast, &local);
    if sema.is_local(decl) {
        return "?".to_owned();
    }
    sema.decl_name(decl).map_or_else(|| "?".to_owned(), |name| sema.qualified_name(decl, name))
}

/// An input of a function by the name of the parameter or variable.
pub fn input(env: &Env, program: &Program, number: usize, input: &Input) -> String {
    let (function, summary) = &program.functions[number];
    let named = |decl: DeclId| summary.name(decl).map_or_else(|| declaration(env, decl), |name| name.to_string());
    let parameter = |param: u32| {
        if param == THIS {
            return "this".to_owned();
        }
        let local = LocalCaches::default();
        let sema = Sema::new(env, &env.ast, &local);
        let signature = sema.signature(function.item);
        match signature.params.get(param as usize) {
            Some(param) if function.closure.is_none() => named(param.decl),
            _ => format!("argument {}", param + 1),
        }
    };
    match input {
        Input::Param(param, _) | Input::Behind(param, _) => parameter(*param),
        Input::Capture(decl, _) => named(*decl),
    }
}

/// A step of an explanation in words.
pub fn step(env: &Env, program: &Program, step: &OriginStep) -> String {
    match &step.kind {
        OriginKind::AddressOf(decl) => {
            let name = program.functions[step.function].1.name(*decl);
            name.map_or_else(
                || "address of a local variable, which is in thread memory".to_owned(),
                |name| format!("address of the local variable `{name}`, which is in thread memory"),
            )
        }
        OriginKind::Points(of) => match of.words().as_slice() {
            [] => "points to no memory that generic pointers cover".to_owned(),
            _ => format!("points to {} memory", spaces(*of)),
        },
        OriginKind::Passed { callee, input: of } => {
            let callee_name = function(env, program, *callee);
            let name = input(env, program, *callee, of);
            match of {
                Input::Param(THIS, _) => format!("object that {callee_name} is called on"),
                Input::Param(..) => format!("parameter `{name}` of {callee_name} ← this argument"),
                Input::Behind(THIS, _) => format!("in the object that {callee_name} is called on"),
                Input::Behind(..) => format!("in the object that `{name}` of {callee_name} leads to ← this argument"),
                Input::Capture(..) => format!("variable `{name}`, which the lambda captures"),
            }
        }
        OriginKind::Returned { callee } => format!("returned by {}", function(env, program, *callee)),
        OriginKind::LeftBy { callee } => format!("stored by {}", function(env, program, *callee)),
        OriginKind::Loaded(holder) => loaded(env, holder),
        OriginKind::Outside => "comes from a call that leaves this program".to_owned(),
        OriginKind::UnknownCaller(of) => {
            let name = input(env, program, step.function, of);
            let role = program.role(step.function);
            let why = match (role.is_taken, role.is_exported) {
                (true, _) => "whose address is taken",
                (false, true) => "which a dynamic library exports",
                (false, false) => "which is visible",
            };
            let callee = function(env, program, step.function);
            format!("`{name}` of {callee}, {why}: any caller can pass any address space")
        }
        OriginKind::NoCaller(of) => {
            let name = input(env, program, step.function, of);
            format!("`{name}` of {}: no caller in this program", function(env, program, step.function))
        }
    }
}

/// What an untracked pointer was loaded from.
pub fn loaded(env: &Env, holder: &Holder) -> String {
    let field = holder.field.map(|field| declaration(env, field)).filter(|name| name != "?");
    let space = holder.space.map(msl_ty::store::Space::word);
    match (field, space) {
        (Some(field), Some(space)) => format!("loaded from the field `{field}`, stored in {space} memory"),
        (Some(field), None) => format!("loaded from the field `{field}`, stored in memory"),
        (None, Some(space)) => format!("loaded from {space} memory"),
        (None, None) => "loaded from memory".to_owned(),
    }
}
