//! Intersection functions (MSL spec §5.1.6, §5.2.3.7): what they return, and which values exist for which primitives
//! and tags.

use msl_diagnostics::Code;
use msl_parser::ast::*;

use super::arguments::word_of;
use super::shapes::{all_fields, is_library_class, known_record};
use super::{EntryParam, EntryPoint, find_attr, finding, has_attr, name_range, written_on};
use crate::sema::Sema;
use crate::store::*;

/// Checks that no member is an `intersection_query` and no function returns one: neither can be copied
/// (MSL spec §2.17.8).
pub(crate) fn check_query(sema: &Sema<'_>, decl: DeclId, ty: QualTy, place: &str) {
    let mut ty = ty.ty;
    for _ in 0..8 {
        match sema.kind(ty) {
            TyKind::Array(elem, _) => ty = elem.ty,
            _ => break,
        }
    }
    if is_library_class(sema, ty, &["intersection_query"]) {
        sema.report(|| {
            finding(
                Code::TypeMismatch,
                name_range(sema, decl),
                format!("an `intersection_query` cannot be copied and therefore cannot be {place} (MSL spec §2.17.8)"),
            )
        });
    }
}

/// What an input asks of the attribute `intersection`.
struct Needs {
    input: &'static str,
    /// All of these tags.
    tags: &'static [&'static str],
    /// One of these primitive types; empty for any.
    primitives: &'static [&'static str],
}

const fn needs(input: &'static str, tags: &'static [&'static str], primitives: &'static [&'static str]) -> Needs {
    Needs { input, tags, primitives }
}

/// MSL spec, table 5.10.
const NEEDS: &[Needs] = &[
    needs("instance_id", &["instancing"], &[]),
    needs("user_instance_id", &["instancing"], &[]),
    needs("world_space_origin", &["world_space_data"], &[]),
    needs("world_space_direction", &["world_space_data"], &[]),
    needs("barycentric_coord", &["triangle_data"], &["triangle"]),
    needs("front_facing", &["triangle_data"], &[]),
    needs("opaque", &[], &["bounding_box"]),
    needs("time", &["primitive_motion"], &[]),
    needs("motion_start_time", &["primitive_motion"], &[]),
    needs("motion_end_time", &["primitive_motion"], &[]),
    needs("key_frame_count", &["primitive_motion"], &[]),
    needs("object_to_world_transform", &["instancing", "world_space_data"], &[]),
    needs("world_to_object_transform", &["instancing", "world_space_data"], &[]),
    needs("curve_parameter", &["curve_data"], &[]),
    needs("function_id", &["intersection_function_buffer"], &[]),
    needs("user_data_buffer", &["intersection_function_buffer", "user_data"], &[]),
];

/// The primitive type and the tags of an intersection function; `None` where one is not a plain word.
fn tags_of<'a>(sema: &Sema<'a>, function: DeclId) -> Option<(&'a str, Vec<&'a str>)> {
    let attr = find_attr(sema, function, "intersection")?;
    let (&primitive, tags) = attr.args.split_first()?;
    let tags = tags.iter().map(|&tag| tag_of(sema, tag)).collect::<Option<Vec<_>>>()?;
    Some((word_of(sema, primitive)?, tags))
}

/// A tag's name: `instancing`, or `max_levels` of `max_levels<2>`.
fn tag_of<'a>(sema: &Sema<'a>, expr: ExprId) -> Option<&'a str> {
    let ast: &'a Ast = sema.ast;
    let path = match &ast[expr].kind {
        ExprKind::Path(path) => path,
        // What could be a type is one.
        ExprKind::TypeTrait { args, .. } => match &ast[*args.first()?].kind {
            TypeKind::Path { path, .. } => path,
            _ => return None,
        },
        _ => return None,
    };
    path.last()?.name.ident().map(|name| name.as_str())
}

/// Checks that each input exists for the function's primitive type and tags.
pub(crate) fn check_inputs(sema: &Sema<'_>, entry: &EntryPoint<'_>, params: &[EntryParam<'_>]) {
    let Some((primitive, tags)) = tags_of(sema, entry.item.decl) else { return };
    for param in params {
        for written in written_on(sema, param.decl) {
            let Some(needs) = NEEDS.iter().find(|needs| needs.input == written.info.name) else { continue };
            let name = needs.input;
            let missing: Vec<String> =
                needs.tags.iter().filter(|tag| !tags.contains(tag)).map(|tag| format!("`{tag}`")).collect();
            let message = if !missing.is_empty() {
                let what = if missing.len() == 1 { "the tag" } else { "the tags" };
                format!("`{name}` needs {what} {} in `intersection` (MSL spec §5.2.3.7)", super::list(&missing, "and"))
            } else if !needs.primitives.is_empty() && !needs.primitives.contains(&primitive) {
                format!(
                    "`{name}` exists for `{}` only, not for `{primitive}` (MSL spec §5.2.3.7)",
                    needs.primitives.join("` and `")
                )
            } else if tags.contains(&"max_levels")
                && name.ends_with("instance_id")
                && matches!(sema.kind(param.ty.ty), TyKind::Scalar(_))
            {
                format!("with the tag `max_levels` `{name}` is an `array_ref<uint>` (MSL spec §5.2.3.7)")
            } else {
                continue;
            };
            sema.report(|| finding(Code::AttributeMisuse, written.attr.range, message));
        }
    }
}

/// Checks what an intersection function returns (MSL spec §5.1.6, §5.2.3.8).
pub(crate) fn check_result(sema: &Sema<'_>, entry: &EntryPoint<'_>, ret: QualTy, wrong: &dyn Fn(String)) {
    let primitive = find_attr(sema, entry.item.decl, "intersection")
        .and_then(|attr| attr.args.first())
        .and_then(|&primitive| word_of(sema, primitive));
    match sema.kind(ret.ty) {
        TyKind::Scalar(Scalar::Bool) if primitive == Some("bounding_box") => wrong(
            "an intersection function for `bounding_box` returns a structure with `[[accept_intersection]]` and `[[distance]]` (MSL spec §5.1.6)".to_owned(),
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
                    wrong(format!(
                        "`{}` has no member with `[[{name}]]`, which the result of this intersection function needs (MSL spec §5.1.6)",
                        sema.spell(ret)
                    ));
                }
            }
        }
        TyKind::Void | TyKind::Scalar(_) | TyKind::Vector(..) => wrong(format!(
            "an intersection function returns `bool` or a structure with `[[accept_intersection]]`, not `{}` (MSL spec §5.1.6)",
            sema.spell(ret)
        )),
        _ => {}
    }
}
