//! The signature of an entry point: its result, its parameters, and what its stage asks for (MSL spec §5.1, §5.2).

use msl_builtins::attributes::{Args, Role};
use msl_diagnostics::{Code, Severity};
use msl_parser::ast::*;

use super::arguments::word_of;
use super::shapes::{self, Resource, all_fields, known_record, resource_shape, spec_of};
use super::{
    EntryParam, EntryPoint, argument_buffers, find_attr, finding, grid, has_attr, insert_after_name, is_guarded,
    name_range, quoted_name, replace, slots, stage_io, written_on,
};
use crate::decls::Stage;
use crate::sema::{DeclRef, Sema};
use crate::store::*;

/// Checks one declaration of an entry point.
pub(crate) fn check(sema: &Sema<'_>, entry: &EntryPoint<'_>) {
    let params = entry.params(sema);
    slots::check(sema, entry);
    grid::check(sema, entry, &params);
    check_result(sema, entry);
    check_stage_in(sema, entry, &params);
    check_payload(sema, entry, &params);
    check_repeated(sema, &params);
    for param in &params {
        check_parameter(sema, entry, param);
    }
    if entry.stage == Stage::Mesh {
        check_mesh(sema, entry, &params);
    }
    argument_buffers::check_parameters(sema, &params);
}

fn at_result(sema: &Sema<'_>, entry: &EntryPoint<'_>) -> TokenRange {
    let range = sema.ast[entry.ty.ret].range;
    if range.is_empty() { entry.name_range(sema) } else { range }
}

fn check_result(sema: &Sema<'_>, entry: &EntryPoint<'_>) {
    let signature = sema.signature(entry.item);
    let ret = signature.ret;
    if !sema.store().is_solid(ret.ty) || sema.store().flags(ret.ty).contains(TyFlags::AUTO) {
        return;
    }
    let stage = entry.stage;
    let word = stage.word();
    let wrong = |what: String, fix: Option<&str>| {
        sema.report(|| {
            let range = at_result(sema, entry);
            let mut found = finding(Code::EntryPointSignature, range, what);
            if let Some(fix) = fix
                && let Some(range) = shapes::plain_type_range(sema, entry.ty.ret)
            {
                found.fixes.push(replace(format!("Return `{fix}`"), range, fix));
            }
            found
        });
    };
    if matches!(stage, Stage::Kernel | Stage::Mesh | Stage::Object) {
        if ret.ty != Ty::VOID {
            let message = format!("a {word} function returns `void`, not `{}` (MSL spec §5.1.3)", sema.spell(ret));
            // Where the body returns a value, the type alone does not repair it.
            wrong(message, None);
        }
        return;
    }
    let kind = sema.kind(ret.ty);
    let illegal = match kind {
        TyKind::LRef(_) | TyKind::RRef(_) => Some("a reference"),
        TyKind::Pointer(_) => Some("a pointer"),
        TyKind::Packed(..) => Some("a packed vector"),
        TyKind::Matrix(..) => Some("a matrix"),
        TyKind::Array(..) => Some("an array"),
        _ => None,
    };
    if let Some(what) = illegal {
        wrong(format!("a {word} function cannot return {what} (MSL spec §5.1, §5.11)"), None);
        return;
    }
    match stage {
        Stage::Vertex => match kind {
            TyKind::Scalar(_) | TyKind::Vector(..) if spec_of(sema, ret.ty) != Some((Scalar::Float, 4)) => {
                wrong(
                    format!(
                        "a vertex function returns `void`, `float4` or a structure with `[[position]]`, not `{}` (MSL spec §5.1.1)",
                        sema.spell(ret)
                    ),
                    None,
                );
            }
            TyKind::Record(..) => stage_io::check_vertex_result(sema, entry, ret),
            _ => {}
        },
        Stage::Fragment => match kind {
            TyKind::Scalar(scalar) | TyKind::Vector(scalar, _)
                if matches!(
                    scalar,
                    Scalar::Bool | Scalar::Char | Scalar::UChar | Scalar::Long | Scalar::ULong | Scalar::BFloat
                ) && entry_attrs_allow_color(sema, entry) =>
            {
                wrong(
                    format!(
                        "a colour attachment does not hold `{}`: a fragment function returns float, half, int, uint, short or ushort, or a vector of one (MSL spec §5.2.3.5)",
                        sema.spell(ret)
                    ),
                    None,
                );
            }
            TyKind::Record(..) => stage_io::check_fragment_result(sema, entry, ret),
            _ => {}
        },
        Stage::Intersection => check_intersection_result(sema, entry, ret, &wrong),
        Stage::Kernel | Stage::Object | Stage::Mesh => {}
    }
}

/// Whether the result goes to a colour attachment: nothing else is written on the function.
fn entry_attrs_allow_color(sema: &Sema<'_>, entry: &EntryPoint<'_>) -> bool {
    !["depth", "stencil", "sample_mask", "imageblock_data"].iter().any(|name| has_attr(sema, entry.item.decl, name))
}

/// MSL spec §5.1.6.
fn check_intersection_result(
    sema: &Sema<'_>,
    entry: &EntryPoint<'_>,
    ret: QualTy,
    wrong: &dyn Fn(String, Option<&str>),
) {
    let primitive = find_attr(sema, entry.item.decl, "intersection")
        .and_then(|attr| attr.args.first())
        .and_then(|&primitive| word_of(sema, primitive));
    match sema.kind(ret.ty) {
        TyKind::Scalar(Scalar::Bool) if primitive == Some("bounding_box") => wrong(
            "an intersection function for `bounding_box` returns a structure with `[[accept_intersection]]` and `[[distance]]` (MSL spec §5.1.6)".to_owned(),
            None,
        ),
        TyKind::Scalar(Scalar::Bool) => {}
        TyKind::Record(..) => {
            let Some(info) = known_record(sema, ret.ty) else { return };
            let Some(fields) = all_fields(sema, &info) else { return };
            let has = |name: &str| fields.iter().any(|(field, _)| has_attr(sema, field.decl, name));
            let wanted: &[&str] = match primitive {
                Some("bounding_box") => &["accept_intersection", "distance"],
                _ => &["accept_intersection"],
            };
            for name in wanted {
                if !has(name) {
                    wrong(
                        format!(
                            "`{}` has no member with `[[{name}]]`, which the result of this intersection function needs (MSL spec §5.1.6)",
                            sema.spell(ret)
                        ),
                        None,
                    );
                }
            }
        }
        TyKind::Void | TyKind::Scalar(_) | TyKind::Vector(..) => wrong(
            format!(
                "an intersection function returns `bool` or a structure with `[[accept_intersection]]`, not `{}` (MSL spec §5.1.6)",
                sema.spell(ret)
            ),
            None,
        ),
        _ => {}
    }
}

fn check_stage_in(sema: &Sema<'_>, entry: &EntryPoint<'_>, params: &[EntryParam<'_>]) {
    let mut first: Option<&Attr> = None;
    for param in params {
        let Some(attr) = find_attr(sema, param.decl, "stage_in") else { continue };
        match first {
            Some(before) => sema.report(|| {
                let mut found = finding(
                    Code::EntryPointSignature,
                    attr.range,
                    "an entry point has at most one `[[stage_in]]` parameter (MSL spec §5.2.4)",
                );
                found.related.push((before.range, "the first one".to_owned()));
                found
            }),
            None => first = Some(attr),
        }
        stage_io::check_stage_in(sema, entry, param);
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

/// MSL spec §5.1.8 and §2.19: the `mesh` that a mesh function fills.
fn check_mesh(sema: &Sema<'_>, entry: &EntryPoint<'_>, params: &[EntryParam<'_>]) {
    if params.iter().any(|param| !sema.store().is_solid(param.ty.ty)) {
        return;
    }
    let is_mesh = |ty: Ty| shapes::is_library_class(sema, ty, &["mesh"]);
    let meshes: Vec<_> = params.iter().filter(|param| is_mesh(sema.strip_ref(param.ty).ty)).collect();
    // A structure may hold it, or a class derive from it.
    let may_hide = params.iter().any(|param| known_record(sema, param.ty.ty).is_some());
    if meshes.is_empty() && !may_hide && entry.is_definition {
        sema.report(|| {
            finding(
                Code::EntryPointSignature,
                entry.name_range(sema),
                "a mesh function has a parameter of type `mesh<…>` (MSL spec §5.1.8)",
            )
        });
    }
    if let [_, second, ..] = &*meshes {
        sema.report(|| {
            finding(
                Code::EntryPointSignature,
                name_range(sema, second.decl),
                "a mesh function has only one parameter of type `mesh<…>` (MSL spec §5.1.8)",
            )
        });
    }
    for mesh in meshes {
        let TyKind::Record(_, bind) = sema.kind(sema.strip_ref(mesh.ty).ty) else { continue };
        let Some(TArg::Type(vertex)) = sema.store().bindings(*bind).args.first() else { continue };
        check_mesh_vertex(sema, mesh, *vertex);
    }
}

fn check_mesh_vertex(sema: &Sema<'_>, mesh: &EntryParam<'_>, vertex: QualTy) {
    if let Some(spec) = spec_of(sema, vertex.ty) {
        if spec != (Scalar::Float, 4) {
            sema.report(|| {
                finding(
                    Code::StageInputOutput,
                    name_range(sema, mesh.decl),
                    format!(
                        "a vertex of a mesh is `float4` or a structure with `[[position]]`, not `{}` (MSL spec §2.19)",
                        sema.spell(vertex)
                    ),
                )
            });
        }
        return;
    }
    stage_io::check_has_position(sema, vertex, "a vertex of a mesh", "§2.19");
}

/// The type that a stage takes from an earlier one, written as a class of the program.
pub(crate) fn stage_in_class(sema: &Sema<'_>, entry: &EntryPoint<'_>) -> Option<Ty> {
    entry
        .params(sema)
        .into_iter()
        .find(|param| has_attr(sema, param.decl, "stage_in"))
        .map(|param| param.ty.ty)
        .filter(|&ty| known_record(sema, ty).is_some())
}

/// Offers to write `[[position]]` on the one member that can be it.
pub(crate) fn position_fix(sema: &Sema<'_>, fields: &[(DeclRef, QualTy)]) -> Option<crate::sema::TokenFix> {
    let can_be = |field: &DeclRef, ty: &QualTy| {
        spec_of(sema, ty.ty) == Some((Scalar::Float, 4)) && sema.ast[field.decl].attrs.is_empty()
    };
    let mut candidates = fields.iter().filter(|(field, ty)| can_be(field, ty));
    let (field, _) = candidates.next()?;
    if candidates.next().is_some() {
        return None;
    }
    let name = sema.decl_name(field.decl)?;
    let title = format!("Add `[[position]]` to `{name}`");
    Some(insert_after_name(sema, field.decl, &title, " [[position]]"))
}
