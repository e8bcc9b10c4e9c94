//! What concerns a unit as a whole: entry points that bear one name, templates that nothing instantiates, bindings at
//! program scope, and the functions that hand values to each other.

use msl_builtins::attributes::Role;
use msl_diagnostics::{Code, Severity};
use msl_intern::Name;
use msl_parser::ast::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::arguments::{Number, number};
use super::shapes::{Resource, resource_shape};
use super::{EntryPoint, cautious, find_attr, finding, function_constants, name_range, quoted_name, stage_io};
use crate::decls::Stage;
use crate::sema::{DeclRef, Sema};
use crate::store::*;

/// Checks what only the whole unit shows.
pub(crate) fn check(sema: &Sema<'_>) {
    let ast = &*sema.env.ast;
    let mut entries = Vec::new();
    let mut globals = Vec::new();
    let mut instantiated: FxHashSet<Name> = FxHashSet::default();
    let mut functions = Vec::new();
    for (decl, data) in ast.own_decls() {
        let item = DeclRef { decl, bind: BindId::NONE };
        match &data.kind {
            DeclKind::Function(function) => {
                functions.push(decl);
                if data.specs.contains(Specs::INSTANTIATION) || function.name_args.is_some() {
                    instantiated.extend(function.name.ident());
                } else if let Some(entry) = EntryPoint::of(sema, item) {
                    entries.push(entry);
                }
            }
            DeclKind::Variable(variable) if variable.kind == VariableKind::Global => {
                if data.specs.contains(Specs::INSTANTIATION) || variable.name_args.is_some() {
                    functions.push(decl);
                    instantiated.extend(variable.name.ident());
                } else {
                    globals.push(item);
                }
            }
            _ => {}
        }
    }
    function_constants::check_unique(sema, &globals);
    check_bindings(sema, &globals);
    check_unbound(sema, &globals);
    check_host_names(sema, &functions);
    check_overloads(sema, &entries);
    for entry in &entries {
        check_instantiated(sema, entry, &instantiated);
    }
    let of = |stage| {
        let mut of_stage = entries.iter().filter(|entry| entry.stage == stage && entry.is_definition);
        of_stage.next().filter(|_| of_stage.next().is_none())
    };
    let has_mesh = entries.iter().any(|entry| entry.stage == Stage::Mesh);
    if let (Some(vertex), Some(fragment), false) = (of(Stage::Vertex), of(Stage::Fragment), has_mesh) {
        stage_io::check_pair(sema, vertex, fragment);
    }
}

/// Variables at program scope that share a slot must have one type (MSL spec §5.9).
fn check_bindings(sema: &Sema<'_>, globals: &[DeclRef]) {
    // Before that the bindings themselves are wrong, which is said at each.
    if !sema.version().at_least(3, 2) {
        return;
    }
    let mut seen: FxHashMap<(&str, i128), DeclRef> = FxHashMap::default();
    for &item in globals {
        for written in super::written_on(sema, item.decl) {
            if !written.info.has_role(Role::Binding) || written.info.name == "raster_order_group" {
                continue;
            }
            let [argument] = &*written.attr.args else { continue };
            let Number::Known(slot) = number(sema, *argument, sema.cx_of(item)) else { continue };
            let ty = sema.variable_type(item);
            let Some(&first) = seen.get(&(written.info.name, slot)) else {
                seen.insert((written.info.name, slot), item);
                continue;
            };
            let before = sema.variable_type(first);
            if !sema.store().is_solid(ty.ty) || !sema.store().is_solid(before.ty) || ty.ty == before.ty {
                continue;
            }
            sema.report(|| {
                let mut found = finding(
                    Code::ResourceIndex,
                    written.attr.range,
                    format!(
                        "{} and {} share {} slot {slot} at program scope but have different types, `{}` and `{}` (MSL spec §5.9)",
                        quoted_name(sema, first.decl),
                        quoted_name(sema, item.decl),
                        written.info.name,
                        sema.spell(before),
                        sema.spell(ty)
                    ),
                );
                found.related.push((name_range(sema, first.decl), "the first one".to_owned()));
                found
            });
        }
    }
}

/// A resource at program scope is bound by its index: the compiler chooses none (MSL spec §5.9).
fn check_unbound(sema: &Sema<'_>, globals: &[DeclRef]) {
    if !sema.version().at_least(3, 2) {
        return;
    }
    for &item in globals {
        let data = &sema.ast[item.decl];
        let DeclKind::Variable(variable) = &data.kind else { continue };
        let is_bare = matches!(variable.init, Init::None)
            && data.attrs.iter().all(|&attr| sema.ast[attr].syntax != AttrSyntax::Brackets)
            && variable.qualifier.is_none()
            && data.templates.is_empty();
        if !is_bare || data.specs.contains(Specs::CONSTEXPR) {
            continue;
        }
        let table = match resource_shape(sema, sema.variable_type(item)).map(|shape| shape.resource) {
            Some(Resource::Texture) => "texture",
            Some(Resource::Buffer) => "buffer",
            Some(Resource::Threadgroup) => "threadgroup",
            // A sampler may be meant to be the default one.
            Some(Resource::Sampler | Resource::Opaque) | None => continue,
        };
        sema.report(|| {
            finding(
                Code::ResourceIndex,
                name_range(sema, item.decl),
                format!(
                    "{} is a resource at program scope and needs `[[{table}(…)]]`: there the compiler chooses no index (MSL spec §5.9)",
                    quoted_name(sema, item.decl)
                ),
            )
        });
    }
}

/// Two functions cannot have one name for the host (MSL spec §5.1.10).
fn check_host_names(sema: &Sema<'_>, functions: &[DeclId]) {
    let mut seen: FxHashMap<String, DeclId> = FxHashMap::default();
    for &function in functions {
        let Some(attr) = find_attr(sema, function, "host_name") else { continue };
        let Some(ExprKind::String(parts)) = attr.args.first().map(|&arg| &sema.ast[arg].kind) else { continue };
        let name: String = parts.iter().map(|part| part.as_str().trim_matches('"')).collect();
        let Some(&first) = seen.get(&name) else {
            seen.insert(name, function);
            continue;
        };
        // A declaration and the definition of one function say it twice.
        let is_same = sema.decl_name(first) == sema.decl_name(function)
            && !sema.ast[function].specs.contains(Specs::INSTANTIATION);
        if is_same || name.is_empty() {
            continue;
        }
        sema.report(|| {
            let mut found = finding(
                Code::AttributeMisuse,
                attr.range,
                format!("two functions have the host name \"{name}\" (MSL spec §5.1.10)"),
            );
            found.related.push((name_range(sema, first), "the first one".to_owned()));
            found
        });
    }
}

/// MSL spec §1.5.1: entry points cannot be overloaded.
fn check_overloads(sema: &Sema<'_>, entries: &[EntryPoint<'_>]) {
    let mut seen: FxHashMap<(ScopeId, Name), &EntryPoint<'_>> = FxHashMap::default();
    for entry in entries {
        // Templates of one name may be told apart by what instantiates them, others by what they are called for the
        // host.
        if entry.is_template
            || entry.function.qualifier.is_some()
            || find_attr(sema, entry.item.decl, "host_name").is_some()
        {
            continue;
        }
        let Some(name) = entry.function.name.ident() else { continue };
        let key = (sema.declared_in(entry.item.decl), name);
        let Some(first) = seen.get(&key) else {
            seen.insert(key, entry);
            continue;
        };
        let (own, other) = (sema.signature(entry.item), sema.signature(first.item));
        if own.unknown || other.unknown || sema.same_function(first.item, entry.item) {
            continue;
        }
        sema.report(|| {
            let mut found = finding(
                Code::EntryPointSignature,
                entry.name_range(sema),
                format!("there is another entry point `{name}`: entry points cannot be overloaded (MSL spec §1.5.1)"),
            );
            found.related.push((first.name_range(sema), "the other one".to_owned()));
            found
        });
    }
}

/// A template makes no function for the host until it is instantiated (MSL spec §5.1.11).
fn check_instantiated(sema: &Sema<'_>, entry: &EntryPoint<'_>, instantiated: &FxHashSet<Name>) {
    let Some(name) = entry.function.name.ident() else { return };
    let has_header = sema.ast[entry.item.decl].templates.iter().any(|&header| !sema.ast[header].params.is_empty());
    if !has_header || !entry.is_definition {
        return;
    }
    if !sema.version().at_least(2, 2) {
        sema.report(|| {
            finding(
                Code::RequiresNewerLanguageVersion,
                entry.name_range(sema),
                format!("an entry point that is a template, as `{name}` is, needs Metal 2.2 (MSL spec §5.1.11)"),
            )
        });
        return;
    }
    if instantiated.contains(&name) {
        return;
    }
    sema.report(|| {
        cautious(
            Code::EntryPointSignature,
            Severity::Hint,
            entry.name_range(sema),
            format!(
                "nothing here instantiates `{name}`, so the host finds no such function: `template [[host_name(\"…\")]] …` makes one (MSL spec §5.1.11)"
            ),
        )
    });
}
