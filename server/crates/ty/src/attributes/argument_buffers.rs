//! Argument buffers and structures of resources (MSL spec §2.12.2, §2.13).

use msl_diagnostics::Code;
use msl_parser::ast::*;

use super::arguments::{Number, number};
use super::shapes::{Resource, known_record, resource_shape};
use super::{EntryParam, find_attr, finding, has_attr, is_guarded, name_range, quoted_name};
use crate::sema::{DeclRef, Sema};
use crate::store::*;

/// Checks that the ids of a class's members grow (MSL spec §2.13).
pub(crate) fn check_ids(sema: &Sema<'_>, item: DeclRef, record: &Record) {
    if sema.ast[item.decl].specs.contains(Specs::INSTANTIATION) {
        return;
    }
    // The first id that is free behind the last explicit one, and the member that has that one.
    let mut last: Option<(i128, DeclId)> = None;
    for &member in &record.members {
        let DeclKind::Variable(variable) = &sema.ast[member].kind else { continue };
        if variable.kind != VariableKind::Field || sema.ast[member].specs.contains(Specs::STATIC) {
            continue;
        }
        let field = DeclRef { decl: member, bind: item.bind };
        let count = ids_of(sema, sema.variable_type(field), 16);
        let Some(attr) = find_attr(sema, member, "id") else {
            // Without an id it takes those that follow; if it is not known how many, at least none.
            last = last.map(|(next, decl)| (next + count.map_or(0, i128::from), decl));
            continue;
        };
        let Some(&argument) = attr.args.first() else { continue };
        let Number::Known(id) = number(sema, argument, sema.cx_of(field)) else {
            last = None;
            continue;
        };
        if let Some((next, before)) = last
            && id < next
            && !(is_guarded(sema, before) && is_guarded(sema, member))
        {
            sema.report(|| {
                let mut found = finding(
                    Code::ResourceIndex,
                    attr.range,
                    format!(
                        "`id({id})` of {} is not above those before it, which take up to {}: ids must grow from member to member (MSL spec §2.13)",
                        quoted_name(sema, member),
                        next - 1
                    ),
                );
                found.related.push((name_range(sema, before), "the last id before it".to_owned()));
                let range = sema.ast[argument].range;
                found.fixes.push(super::replace(format!("Use the next free id, {next}"), range, next.to_string()));
                found
            });
        }
        let end = id.saturating_add(count.map_or(1, i128::from).max(1));
        last = Some((last.map_or(end, |(next, _)| next.max(end)), member));
    }
}

/// The ids that the members of an argument buffer without `[[id(…)]]` get: each the one behind those before it, from 0 on
/// (Apple, "Indexing argument buffers"). Empty for a class that is none; nothing behind a member of unknown size.
pub fn automatic_ids(sema: &Sema<'_>, item: DeclRef) -> Vec<(DeclId, u64)> {
    let DeclKind::Record(record) = &sema.ast[item.decl].kind else { return Vec::new() };
    let mut held = Contents::default();
    contents(sema, sema.record_self(item.decl, item.bind), &mut 256, &mut held);
    if !held.has_resource || record.key == RecordKey::Union || !record.bases.is_empty() {
        return Vec::new();
    }
    let mut ids = Vec::new();
    let mut next = 0u64;
    for &member in &record.members {
        let DeclKind::Variable(variable) = &sema.ast[member].kind else {
            // The members of an unnamed structure count as well.
            match sema.ast[member].kind {
                DeclKind::Record(_) => break,
                _ => continue,
            }
        };
        if variable.kind != VariableKind::Field || sema.ast[member].specs.contains(Specs::STATIC) {
            continue;
        }
        let field = DeclRef { decl: member, bind: item.bind };
        match find_attr(sema, member, "id") {
            Some(attr) => {
                let known = attr.args.first().map(|&argument| number(sema, argument, sema.cx_of(field)));
                match known {
                    Some(Number::Known(id)) if u64::try_from(id).is_ok() => next = id as u64,
                    _ => break,
                }
            }
            None => ids.push((member, next)),
        }
        let Some(count) = ids_of(sema, sema.variable_type(field), 16) else { break };
        next = next.saturating_add(count);
    }
    ids
}

/// How many ids a member takes: an array one for each element, a structure those of its members.
fn ids_of(sema: &Sema<'_>, ty: QualTy, fuel: u32) -> Option<u64> {
    let fuel = fuel.checked_sub(1)?;
    if !sema.store().is_solid(ty.ty) {
        return None;
    }
    if let Some(shape) = resource_shape(sema, ty) {
        return shape.count;
    }
    match sema.kind(ty.ty) {
        TyKind::Array(elem, ArrayLen::Known(len)) => ids_of(sema, *elem, fuel)?.checked_mul(*len),
        TyKind::Record(..) => {
            let info = known_record(sema, ty.ty)?;
            let mut count = 0u64;
            for field in sema.fields(&info) {
                // Ids of its own move the rest; that is not modelled.
                if has_attr(sema, field.decl, "id") {
                    return None;
                }
                count = count.checked_add(ids_of(sema, sema.variable_type(field), fuel)?)?;
            }
            Some(count)
        }
        TyKind::Scalar(_) | TyKind::Vector(..) | TyKind::Packed(..) | TyKind::Matrix(..) | TyKind::Pointer(_) => {
            Some(1)
        }
        _ => None,
    }
}

/// What a class holds, its members' members included.
#[derive(Clone, Copy, Default)]
struct Contents {
    /// A texture, a sampler, or a member with an id: what makes it an argument buffer.
    has_resource: bool,
    union: Option<DeclId>,
    texture_array: Option<DeclId>,
}

fn contents(sema: &Sema<'_>, ty: Ty, fuel: &mut u32, all: &mut Contents) {
    let Some(rest) = fuel.checked_sub(1) else { return };
    *fuel = rest;
    let Some(info) = known_record(sema, ty) else { return };
    if matches!(&sema.ast[info.decl].kind, DeclKind::Record(record) if record.key == RecordKey::Union) {
        all.union = all.union.or(Some(info.decl));
    }
    for field in sema.fields(&info) {
        let ty = sema.variable_type(field);
        all.has_resource |= has_attr(sema, field.decl, "id");
        match resource_shape(sema, ty) {
            Some(shape) if matches!(shape.resource, Resource::Texture | Resource::Sampler) => {
                all.has_resource = true;
                let is_array = !matches!(sema.kind(ty.ty), TyKind::Record(decl, _)
                    if sema.decl_name(*decl).is_some_and(|name| name.as_str() != "array"));
                if is_array && shape.resource == Resource::Texture {
                    all.texture_array = all.texture_array.or(Some(field.decl));
                }
            }
            Some(_) => {}
            None => {
                let inner = match sema.kind(ty.ty) {
                    TyKind::Array(elem, _) => elem.ty,
                    _ => ty.ty,
                };
                contents(sema, inner, fuel, all);
            }
        }
    }
}

/// Checks the structures among an entry point's parameters.
pub(crate) fn check_parameters(sema: &Sema<'_>, params: &[EntryParam<'_>]) {
    for param in params {
        let mut held = Contents::default();
        let mut fuel = 256;
        match sema.kind(param.ty.ty) {
            TyKind::Pointer(inner) | TyKind::LRef(inner)
                if matches!(inner.space, Space::Device | Space::Constant) && !has_attr(sema, param.decl, "payload") =>
            {
                contents(sema, inner.ty, &mut fuel, &mut held);
                if held.has_resource && !sema.version().at_least(2, 0) {
                    sema.report(|| {
                        finding(
                            Code::RequiresNewerLanguageVersion,
                            name_range(sema, param.decl),
                            format!(
                                "`{}` holds textures or samplers: passing it by pointer or reference makes it an argument buffer, which needs Metal 2.0 (MSL spec §2.13)",
                                sema.spell_ty(inner.ty)
                            ),
                        )
                    });
                }
                if held.has_resource
                    && let Some(union) = held.union
                {
                    sema.report(|| {
                        let mut found = finding(
                            Code::ArgumentBuffer,
                            name_range(sema, param.decl),
                            format!(
                                "`{}` is an argument buffer and holds a union, which it cannot (MSL spec §2.13)",
                                sema.spell_ty(inner.ty)
                            ),
                        );
                        found.related.push((name_range(sema, union), "the union".to_owned()));
                        found
                    });
                }
            }
            TyKind::Record(..) => {
                contents(sema, param.ty.ty, &mut fuel, &mut held);
                check_mixture(sema, param);
                if let Some(array) = held.texture_array {
                    sema.report(|| {
                        let mut found = finding(
                            Code::ArgumentBuffer,
                            name_range(sema, param.decl),
                            format!(
                                "`{}` is passed by value and holds an array of textures: only an argument buffer, passed by `device` or `constant` reference, can (MSL spec §2.12)",
                                sema.spell_ty(param.ty.ty)
                            ),
                        );
                        found.related.push((name_range(sema, array), "the array".to_owned()));
                        found
                    });
                }
            }
            _ => {}
        }
    }
}

/// By value a structure holds resources only, or none (MSL spec §2.12.2).
fn check_mixture(sema: &Sema<'_>, param: &EntryParam<'_>) {
    if ["stage_in", "imageblock_data"].iter().any(|name| has_attr(sema, param.decl, name)) {
        return;
    }
    let Some(info) = known_record(sema, param.ty.ty) else { return };
    let mut resource = None;
    let mut value = None;
    for field in sema.fields(&info) {
        let ty = sema.variable_type(field);
        match resource_shape(sema, ty) {
            Some(shape) if matches!(shape.resource, Resource::Texture | Resource::Sampler) => {
                resource = resource.or(Some(field.decl));
            }
            Some(_) => {}
            None if matches!(sema.kind(ty.ty), TyKind::Scalar(_) | TyKind::Vector(..) | TyKind::Matrix(..))
                && sema.ast[field.decl].attrs.is_empty() =>
            {
                value = value.or(Some(field.decl));
            }
            None => {}
        }
    }
    let (Some(resource), Some(value)) = (resource, value) else { return };
    sema.report(|| {
        let mut found = finding(
            Code::ArgumentBuffer,
            name_range(sema, param.decl),
            format!(
                "`{}` is passed by value and holds both resources and values: only an argument buffer, passed by `device` or `constant` reference, can (MSL spec §2.12.2)",
                sema.spell_ty(param.ty.ty)
            ),
        );
        found.related.push((name_range(sema, resource), "a resource".to_owned()));
        found.related.push((name_range(sema, value), "a value".to_owned()));
        found
    });
}
