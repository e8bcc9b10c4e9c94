//! Rules for single parameters of an entry point beyond their attributes (MSL spec §5.1, §5.2, §5.11).

use msl_builtins::attributes::{Args, Role, Stages, is_of_tiles};
use msl_diagnostics::{Code, Severity};
use msl_parser::ast::*;

use super::shapes::{Resource, all_fields, is_library_class, known_record, resource_shape, spec_of};
use super::{
    EntryParam, EntryPoint, cautious, describe_stages, find_attr, finding, is_guarded, name_range, quoted_name,
    written_on,
};
use crate::decls::Stage;
use crate::sema::{Sema, TokenFix};
use crate::store::*;

/// Checks the parameters of one entry point.
pub(crate) fn check(sema: &Sema<'_>, entry: &EntryPoint<'_>, params: &[EntryParam<'_>]) {
    check_payload(sema, entry, params);
    check_repeated(sema, params);
    for param in params {
        check_parameter(sema, entry, param);
    }
}

fn check_parameter(sema: &Sema<'_>, entry: &EntryPoint<'_>, param: &EntryParam<'_>) {
    if !sema.store().is_solid(param.ty.ty) {
        return;
    }
    let word = entry.stage.word();
    if entry.stage == Stage::Intersection
        && let Some(shape) = resource_shape(sema, param.ty)
        && matches!(shape.resource, Resource::Texture | Resource::Threadgroup)
    {
        // Threadgroup memory is told by the rule of spaces already.
        if shape.resource == Resource::Texture {
            sema.report(|| {
                finding(
                    Code::EntryPointSignature,
                    name_range(sema, param.decl),
                    "an intersection function cannot use textures (MSL spec §5.1.6)",
                )
            });
        }
        return;
    }
    check_new_integers(sema, param);
    check_derived(sema, entry, param);
    check_library_class(sema, entry, param);
    check_raster_order(sema, param);
    check_padded_members(sema, param);
    let is_value = matches!(
        sema.kind(param.ty.ty),
        TyKind::Scalar(_) | TyKind::Vector(..) | TyKind::Packed(..) | TyKind::Matrix(..)
    );
    let has_attribute = sema.ast[param.decl].attrs.iter().any(|&attr| {
        sema.ast[attr].syntax == AttrSyntax::Brackets
            && !matches!(sema.ast[attr].name.as_str(), "function_constant" | "maybe_unused")
    });
    if is_value && !has_attribute && entry.is_definition && matches!(param.variable.init, Init::None) {
        sema.report(|| {
            finding(
                Code::EntryPointSignature,
                name_range(sema, param.decl),
                format!(
                    "nothing gives {} a value: a parameter of a {word} function that is not a resource needs an attribute such as {} (MSL spec §5.2)",
                    quoted_name(sema, param.decl),
                    match entry.stage {
                        Stage::Vertex => "`[[vertex_id]]` or `[[stage_in]]`",
                        Stage::Fragment => "`[[position]]` or `[[stage_in]]`",
                        Stage::Intersection => "`[[origin]]`",
                        _ => "`[[thread_position_in_grid]]`",
                    }
                ),
            )
        });
    }
}

/// 64-bit integers in buffers came with 2.3 (MSL spec §2.1).
fn check_new_integers(sema: &Sema<'_>, param: &EntryParam<'_>) {
    let (TyKind::Pointer(inner) | TyKind::LRef(inner)) = sema.kind(param.ty.ty) else { return };
    let is_long = spec_of(sema, inner.ty).is_some_and(|(scalar, _)| matches!(scalar, Scalar::Long | Scalar::ULong));
    if is_long && !sema.version().at_least(2, 3) && matches!(inner.space, Space::Device | Space::Constant) {
        sema.report(|| {
            finding(
                Code::RequiresNewerLanguageVersion,
                name_range(sema, param.decl),
                format!("`{}` in a buffer needs Metal 2.3: 64-bit integers (MSL spec §2.1)", sema.spell_ty(inner.ty)),
            )
        });
    }
}

/// Members of three components in what a buffer holds: each takes as much room as four, and a structure of the host
/// that has three numbers there is laid out differently (MSL spec §2.2.3). What the host declares is not known here,
/// so this is off unless asked for.
fn check_padded_members(sema: &Sema<'_>, param: &EntryParam<'_>) {
    let (TyKind::Pointer(inner) | TyKind::LRef(inner)) = sema.kind(param.ty.ty) else { return };
    if !matches!(inner.space, Space::Device | Space::Constant) {
        return;
    }
    let Some(fields) = known_record(sema, inner.ty).and_then(|info| all_fields(sema, &info)) else { return };
    for (field, ty) in fields {
        let mut element = ty.ty;
        while let TyKind::Array(of, _) = sema.kind(element) {
            element = of.ty;
        }
        let TyKind::Vector(scalar, 3) = *sema.kind(element) else { continue };
        sema.report(|| {
            let packed = sema.spell_ty(sema.store().intern(TyKind::Packed(scalar, 3)));
            let mut found = cautious(
                Code::PaddedVectorInBuffer,
                Severity::Warning,
                name_range(sema, field.decl),
                format!(
                    "{} takes {} bytes, of which the last {} are padding: where the host has three numbers, write `{packed}` (MSL spec \
                     §2.2.3)",
                    quoted_name(sema, field.decl),
                    4 * scalar.size(),
                    scalar.size()
                ),
            );
            // It changes the layout, which is right only if the host has three numbers.
            found.fixes.extend(written_name(sema, field.decl).map(|token| {
                let title = format!("Change the type to `{packed}`");
                TokenFix { preferred: false, ..super::replace(title, TokenRange::new(token, token + 1), packed) }
            }));
            found
        });
    }
}

/// The token of a field's type, if that is one word.
fn written_name(sema: &Sema<'_>, field: DeclId) -> Option<u32> {
    let DeclKind::Variable(variable) = &sema.ast[field].kind else { return None };
    let mut ty = variable.ty;
    loop {
        match &sema.ast[ty].kind {
            TypeKind::Qualified { inner, .. } | TypeKind::Array { elem: inner, .. } => ty = *inner,
            TypeKind::Path { path, .. } => {
                let last = path.last()?;
                let is_named = last.name.ident().is_some_and(|name| name.as_str().ends_with('3'));
                return (last.args.is_none() && is_named).then_some(last.token);
            }
            _ => return None,
        }
    }
}

/// MSL spec §5.11.
fn check_derived(sema: &Sema<'_>, entry: &EntryPoint<'_>, param: &EntryParam<'_>) {
    let Some(info) = known_record(sema, param.ty.ty) else { return };
    if info.bases.is_empty() {
        return;
    }
    sema.report(|| {
        finding(
            Code::EntryPointSignature,
            name_range(sema, param.decl),
            format!(
                "`{}` derives from another class: a parameter of a {} function cannot have such a type (MSL spec §5.11)",
                sema.spell_ty(param.ty.ty),
                entry.stage.word()
            ),
        )
    });
}

/// Classes of the library that only some stages can receive.
const STAGES_OF_CLASSES: &[(&str, Stages, &str)] = &[
    ("imageblock", Stages::KERNEL, "§5.6.4"),
    ("mesh", Stages::MESH, "§5.1.8"),
    ("mesh_grid_properties", Stages::OBJECT, "§5.1.7"),
    ("array_ref", Stages::INTERSECTION, "§2.12.1"),
];

fn check_library_class(sema: &Sema<'_>, entry: &EntryPoint<'_>, param: &EntryParam<'_>) {
    let ty = sema.strip_ref(param.ty).ty;
    let class = STAGES_OF_CLASSES.iter().find(|(name, ..)| is_library_class(sema, ty, &[name]));
    if let Some(&(name, stages, section)) = class
        && !stages.intersects(entry.stages)
    {
        sema.report(|| {
            finding(
                Code::EntryPointSignature,
                name_range(sema, param.decl),
                format!(
                    "`{name}` cannot be a parameter of a {} function: it is for {} (MSL spec {section})",
                    entry.stage.word(),
                    describe_stages(stages)
                ),
            )
        });
    }
    if is_library_class(sema, ty, &["visible_function_table"])
        && let Some(kind) = draws_as(sema, entry)
        && !sema.version().at_least(2, 4)
    {
        sema.report(|| {
            finding(
                Code::RequiresNewerLanguageVersion,
                name_range(sema, param.decl),
                format!("a function table in a {kind} function needs Metal 2.4 (MSL spec §2.15)"),
            )
        });
    }
}

/// What an entry point of a render pass is called; `None` for others. A kernel runs on tiles if it asks for what only
/// tiles have.
fn draws_as(sema: &Sema<'_>, entry: &EntryPoint<'_>) -> Option<&'static str> {
    match entry.stage {
        Stage::Vertex | Stage::Fragment => Some(entry.stage.word()),
        Stage::Kernel => {
            let signature = sema.signature(entry.item);
            let mut attrs = signature.params.iter().flat_map(|param| &sema.ast[param.decl].attrs);
            attrs.any(|&attr| is_of_tiles(sema.ast[attr].name.as_str())).then_some("tile")
        }
        _ => None,
    }
}

/// Only what lies in device memory has an order of accesses (MSL spec §5.2.1.2).
fn check_raster_order(sema: &Sema<'_>, param: &EntryParam<'_>) {
    let Some(attr) = find_attr(sema, param.decl, "raster_order_group") else { return };
    let space = match sema.kind(param.ty.ty) {
        TyKind::Pointer(inner) | TyKind::LRef(inner) => inner.space,
        _ => return,
    };
    if matches!(space, Space::Constant | Space::Threadgroup) {
        sema.report(|| {
            finding(
                Code::AttributeMisuse,
                attr.range,
                format!(
                    "`raster_order_group` orders accesses to textures and device memory, not to {} memory (MSL spec §5.2.1.2)",
                    space.word()
                ),
            )
        });
    }
}

/// Inputs of which it is known that a function has each only once.
const ONLY_ONCE: &[&str] = &["position", "sample_mask", "threads_per_simdgroup"];

/// A function that receives one value twice.
fn check_repeated(sema: &Sema<'_>, params: &[EntryParam<'_>]) {
    let mut seen: Vec<(&str, &Attr, DeclId)> = Vec::new();
    for param in params {
        for written in written_on(sema, param.decl) {
            let is_input = written.info.has_role(Role::Input) && written.info.args == Args::None;
            if !is_input || matches!(written.info.name, "stage_in" | "payload") {
                continue;
            }
            // The old name and the new one of one input.
            let name = written.info.deprecated.map_or(written.info.name, |(_, instead)| instead);
            let Some(&(_, first, before)) = seen.iter().find(|(seen, ..)| *seen == name) else {
                seen.push((name, written.attr, param.decl));
                continue;
            };
            if is_guarded(sema, before) || is_guarded(sema, param.decl) {
                continue;
            }
            sema.report(|| {
                let is_certain = ONLY_ONCE.contains(&name);
                let mut found = finding(
                    Code::EntryPointSignature,
                    written.attr.range,
                    format!(
                        "{} and {} are the same input, `{}` (MSL spec §5.2.3)",
                        quoted_name(sema, before),
                        quoted_name(sema, param.decl),
                        written.info.name
                    ),
                );
                found.severity = (!is_certain).then_some(Severity::Warning);
                found.related.push((first.range, format!("`{}`", first.name)));
                found
            });
        }
    }
}

/// At most one payload; a mesh function only reads it (MSL spec §5.1.7, §5.1.8).
fn check_payload(sema: &Sema<'_>, entry: &EntryPoint<'_>, params: &[EntryParam<'_>]) {
    let mut first: Option<&Attr> = None;
    for param in params {
        let Some(attr) = find_attr(sema, param.decl, "payload") else { continue };
        if let Some(before) = first {
            sema.report(|| {
                let mut found = finding(
                    Code::EntryPointSignature,
                    attr.range,
                    format!("a {} function has at most one payload (MSL spec §5.1)", entry.stage.word()),
                );
                found.related.push((before.range, "the first one".to_owned()));
                found
            });
        }
        first = first.or(Some(attr));
        let (TyKind::Pointer(inner) | TyKind::LRef(inner)) = sema.kind(param.ty.ty) else { continue };
        if !sema.store().is_solid(inner.ty) || inner.space != Space::ObjectData {
            continue;
        }
        let is_const = inner.is_const();
        if entry.stage == Stage::Mesh && !is_const {
            sema.report(|| {
                finding(
                    Code::EntryPointSignature,
                    name_range(sema, param.decl),
                    "a mesh function can only read its payload: it must be `const` (MSL spec §5.1.8)",
                )
            });
        }
    }
}
