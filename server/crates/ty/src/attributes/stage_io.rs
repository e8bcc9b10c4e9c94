//! The structures that stages exchange (MSL spec §5.2.4, §5.4, §5.7): what a vertex function gives, what a fragment
//! function takes and gives, and what is collected for a vertex or a thread of a grid.

use msl_builtins::attributes::Role;
use msl_diagnostics::{Code, Severity};
use msl_parser::ast::*;
use rustc_hash::FxHashMap;

use super::arguments::{Number, number, word_of};
use super::entry_point::position_fix;
use super::place::has_wrong_type;
use super::shapes::{all_fields, is_library_class, known_record, spec_of};
use super::{
    EntryParam, EntryPoint, cautious, find_attr, finding, has_attr, insert_after_name, is_guarded, name_range,
    quoted_name,
};
use crate::decls::Stage;
use crate::sema::{DeclRef, Sema};
use crate::store::*;

/// Attributes of members that say where a fragment function's result goes.
const FRAGMENT_OUTPUTS: &[&str] = &["color", "depth", "stencil", "sample_mask", "imageblock_data"];

/// Reports a type of vertices that has no `[[position]]`, or more than one.
pub(crate) fn check_has_position(sema: &Sema<'_>, ty: QualTy, what: &str, section: &str) {
    let Some(info) = known_record(sema, ty.ty) else { return };
    let Some(fields) = all_fields(sema, &info) else { return };
    let positions: Vec<&(DeclRef, QualTy)> =
        fields.iter().filter(|(field, _)| has_attr(sema, field.decl, "position")).collect();
    match &*positions {
        [] => {
            // A member that is a class of its own may have it; whether that is legal is another question.
            let may_be_inside = fields.iter().any(|(_, ty)| match sema.kind(ty.ty) {
                TyKind::Record(..) => true,
                _ => !sema.store().is_solid(ty.ty),
            });
            if may_be_inside {
                return;
            }
            sema.report(|| {
                let mut found = finding(
                    Code::StageInputOutput,
                    name_range(sema, info.decl),
                    format!(
                        "`{}` is {what} and has no member with `[[position]]` (MSL spec {section})",
                        sema.spell_ty(ty.ty)
                    ),
                );
                found.fixes.extend(position_fix(sema, &fields));
                found
            });
        }
        [first, rest @ ..] => {
            for (second, _) in rest {
                if is_guarded(sema, first.0.decl) && is_guarded(sema, second.decl) {
                    continue;
                }
                sema.report(|| {
                    let mut found = finding(
                        Code::StageInputOutput,
                        name_range(sema, second.decl),
                        format!("`{}` has more than one `[[position]]` (MSL spec {section})", sema.spell_ty(ty.ty)),
                    );
                    found.related.push((name_range(sema, first.0.decl), "the first one".to_owned()));
                    found
                });
            }
        }
    }
}

/// The class that a vertex function returns (MSL spec §5.1.1, §5.11).
pub(crate) fn check_vertex_result(sema: &Sema<'_>, entry: &EntryPoint<'_>, ret: QualTy) {
    check_has_position(sema, ret, "the result of a vertex function", "§5.1.1");
    check_result_members(sema, entry, ret);
}

/// The class that a fragment function returns (MSL spec §5.2.3.5).
pub(crate) fn check_fragment_result(sema: &Sema<'_>, entry: &EntryPoint<'_>, ret: QualTy) {
    check_result_members(sema, entry, ret);
    let Some(info) = known_record(sema, ret.ty) else { return };
    let Some(fields) = all_fields(sema, &info) else { return };
    let early = find_attr(sema, entry.item.decl, "early_fragment_tests");
    for (field, ty) in &fields {
        for name in ["depth", "stencil"] {
            if let (Some(early), Some(attr)) = (early, find_attr(sema, field.decl, name)) {
                sema.report(|| {
                    let mut found = finding(
                        Code::EntryPointSignature,
                        early.range,
                        format!(
                            "`early_fragment_tests` tests before the function runs, but its result has `[[{name}]]` (MSL spec §5.1.2)"
                        ),
                    );
                    found.related.push((attr.range, format!("the {name} that it gives")));
                    found
                });
            }
        }
        let has_output = FRAGMENT_OUTPUTS.iter().any(|name| has_attr(sema, field.decl, name));
        let is_value = spec_of(sema, ty.ty).is_some();
        if !has_output && is_value && sema.ast[field.decl].attrs.is_empty() {
            sema.report(|| {
                let mut found = finding(
                    Code::StageInputOutput,
                    name_range(sema, field.decl),
                    format!(
                        "{} is a member of a fragment function's result and says nothing of where it goes: it needs `[[color(n)]]`, `[[depth(…)]]`, `[[stencil]]` or `[[sample_mask]]` (MSL spec §5.2.3.5)",
                        quoted_name(sema, field.decl)
                    ),
                );
                found.related.push((entry.name_range(sema), "the fragment function".to_owned()));
                found
            });
        }
    }
}

/// What no member of a result of vertex and fragment functions may be (MSL spec §5.11).
fn check_result_members(sema: &Sema<'_>, entry: &EntryPoint<'_>, ret: QualTy) {
    let Some(info) = known_record(sema, ret.ty) else { return };
    for field in sema.fields(&info) {
        let ty = sema.variable_type(field);
        if let Some(attr) = find_attr(sema, field.decl, "function_constant")
            && sema.version().at_least(1, 2)
            && !sema.version().at_least(2, 0)
        {
            sema.report(|| {
                finding(
                    Code::RequiresNewerLanguageVersion,
                    attr.range,
                    "a member of a result that depends on a function constant needs Metal 2.0 (MSL spec §5.8.1.6)",
                )
            });
        }
        if !sema.store().is_solid(ty.ty) || has_attr(sema, field.decl, "imageblock_data") {
            continue;
        }
        let what = match sema.kind(ty.ty) {
            TyKind::Packed(..) => "a packed vector",
            TyKind::Matrix(..) => "a matrix",
            TyKind::LRef(_) | TyKind::RRef(_) => "a reference",
            TyKind::Pointer(_) => "a pointer",
            // The specification rules out structures (§5.11), but compilers take them and pass their members on: engines
            // ship shaders that build their interfaces of such parts.
            _ => continue,
        };
        if has_wrong_type(sema, field) {
            continue;
        }
        sema.report(|| {
            let mut found = finding(
                Code::StageInputOutput,
                name_range(sema, field.decl),
                format!(
                    "{} is {what}, which the result of a {} function cannot hold (MSL spec §5.11)",
                    quoted_name(sema, field.decl),
                    entry.stage.word()
                ),
            );
            found.related.push((entry.name_range(sema), format!("the {} function", entry.stage.word())));
            found
        });
    }
}

/// Checks the type of a `[[stage_in]]` parameter (MSL spec §5.2.4, §5.4).
pub(crate) fn check_stage_in(sema: &Sema<'_>, entry: &EntryPoint<'_>, param: &EntryParam<'_>) {
    check_stage_in_by_value(sema, param);
    let Some(info) = known_record(sema, param.ty.ty) else { return };
    let is_fragment = entry.stage == Stage::Fragment;
    let mut next_attribute = next_free_attribute(sema, &info);
    for field in sema.fields(&info) {
        let ty = sema.variable_type(field);
        if !sema.store().is_solid(ty.ty) {
            continue;
        }
        let is_bit_field = matches!(&sema.ast[field.decl].kind, DeclKind::Variable(field) if field.bit_width.is_some());
        let what = match sema.kind(ty.ty) {
            _ if is_bit_field => Some("a bit-field"),
            TyKind::Packed(..) => Some("a packed vector"),
            TyKind::Matrix(..) => Some("a matrix"),
            TyKind::LRef(_) | TyKind::RRef(_) => Some("a reference"),
            TyKind::Pointer(_) => Some("a pointer"),
            TyKind::Array(..) if !is_fragment => Some("an array"),
            _ => None,
        };
        if let Some(what) = what {
            if has_wrong_type(sema, field) {
                continue;
            }
            sema.report(|| {
                let mut found = finding(
                    Code::StageInputOutput,
                    name_range(sema, field.decl),
                    format!(
                        "{} is {what} and cannot be a member of what `[[stage_in]]` reads (MSL spec §5.2.4)",
                        quoted_name(sema, field.decl)
                    ),
                );
                found.related.push((name_range(sema, param.decl), "the `[[stage_in]]` parameter".to_owned()));
                found
            });
            continue;
        }
        if !is_fragment && spec_of(sema, ty.ty).is_some() && !has_attr(sema, field.decl, "attribute") {
            sema.report(|| {
                let mut found = finding(
                    Code::StageInputOutput,
                    name_range(sema, field.decl),
                    format!(
                        "{} needs `[[attribute(n)]]`: what `[[stage_in]]` of a {} function reads is laid out by the host (MSL spec §5.2.4)",
                        quoted_name(sema, field.decl),
                        entry.stage.word()
                    ),
                );
                found.related.push((name_range(sema, param.decl), "the `[[stage_in]]` parameter".to_owned()));
                if let Some(next) = &mut next_attribute
                    && sema.ast[field.decl].attrs.is_empty()
                {
                    let text = format!(" [[attribute({next})]]");
                    found.fixes.push(insert_after_name(sema, field.decl, &format!("Add `{}`", text.trim()), &text));
                    *next += 1;
                }
                found
            });
        }
        if is_fragment {
            hint_flat(sema, field, ty);
        }
    }
}

/// What `[[stage_in]]` collects lies nowhere: it is passed by value (MSL spec §5.2.4).
fn check_stage_in_by_value(sema: &Sema<'_>, param: &EntryParam<'_>) {
    let what = match sema.kind(param.ty.ty) {
        TyKind::Pointer(_) => "a pointer",
        TyKind::LRef(_) | TyKind::RRef(_) => "a reference",
        TyKind::Matrix(..) => "a matrix",
        _ => return,
    };
    if sema.store().is_solid(param.ty.ty) {
        sema.report(|| {
            finding(
                Code::StageInputOutput,
                name_range(sema, param.decl),
                format!(
                    "{} is {what}, and what `[[stage_in]]` reads is a structure that is passed by value (MSL spec §5.2.4)",
                    quoted_name(sema, param.decl)
                ),
            )
        });
    }
}

/// Checks what a fragment function receives apart from its `[[stage_in]]` structure's types: colours that it also
/// writes, and coverage after the tests (MSL spec §5.2.3.4, §5.2.3.5).
pub(crate) fn check_fragment_inputs(sema: &Sema<'_>, entry: &EntryPoint<'_>, params: &[EntryParam<'_>]) {
    let mut inputs: Vec<(DeclRef, QualTy)> = Vec::new();
    for param in params {
        match known_record(sema, param.ty.ty) {
            Some(info) => inputs.extend(all_fields(sema, &info).unwrap_or_default()),
            None => inputs.push((DeclRef { decl: param.decl, bind: entry.item.bind }, param.ty)),
        }
    }
    let written = written_colors(sema, entry);
    for (input, ty) in inputs {
        if let Some(attr) = find_attr(sema, input.decl, "post_depth_coverage")
            && !has_attr(sema, entry.item.decl, "early_fragment_tests")
        {
            sema.report(|| {
                finding(
                    Code::EntryPointSignature,
                    attr.range,
                    "`post_depth_coverage` needs `[[early_fragment_tests]]` on the function (MSL spec §5.2.3.4)",
                )
            });
        }
        let Some(attr) = find_attr(sema, input.decl, "color") else { continue };
        let Some(index) = attr.args.first().map(|&index| number(sema, index, sema.cx_of(input))) else { continue };
        let Some(&(output, output_ty, _)) = written.iter().find(|(_, _, written)| *written == index) else { continue };
        if spec_of(sema, ty.ty).is_none() || spec_of(sema, output_ty.ty).is_none() || ty.ty == output_ty.ty {
            continue;
        }
        sema.report(|| {
            let mut found = finding(
                Code::StageInputOutput,
                attr.range,
                format!(
                    "the function reads this colour as `{}` and writes it as `{}`: the types must be the same (MSL spec §5.2.3.5)",
                    sema.spell(ty),
                    sema.spell(output_ty)
                ),
            );
            found.related.push((name_range(sema, output), "what is written".to_owned()));
            found
        });
    }
}

/// The colours that a fragment function gives, with their known numbers.
fn written_colors(sema: &Sema<'_>, entry: &EntryPoint<'_>) -> Vec<(DeclId, QualTy, Number)> {
    let ret = sema.signature(entry.item).ret;
    if spec_of(sema, ret.ty).is_some() {
        let is_first = sema.ast[entry.item.decl].attrs.iter().all(|&attr| sema.ast[attr].name.as_str() != "color");
        return if is_first { vec![(entry.item.decl, ret, Number::Known(0))] } else { Vec::new() };
    }
    let Some(fields) = known_record(sema, ret.ty).and_then(|info| all_fields(sema, &info)) else { return Vec::new() };
    let known = |(field, ty): (DeclRef, QualTy)| {
        let attr = find_attr(sema, field.decl, "color")?;
        match number(sema, *attr.args.first()?, sema.cx_of(field)) {
            index @ Number::Known(_) => Some((field.decl, ty, index)),
            _ => None,
        }
    };
    fields.into_iter().filter_map(known).collect()
}

/// The first attribute number beyond those in use; `None` if one of them is not known.
fn next_free_attribute(sema: &Sema<'_>, info: &crate::record::RecordInfo) -> Option<i128> {
    let mut next = 0;
    for field in sema.fields(info) {
        let Some(attr) = find_attr(sema, field.decl, "attribute") else { continue };
        match number(sema, *attr.args.first()?, sema.cx_of(field)) {
            Number::Known(value) => next = next.max(value + 1),
            _ => return None,
        }
    }
    (next <= 30).then_some(next)
}

/// An integer is never interpolated; the code reads better if it says so (MSL spec §5.4).
fn hint_flat(sema: &Sema<'_>, field: DeclRef, ty: QualTy) {
    let is_integer = spec_of(sema, ty.ty).is_some_and(|(scalar, _)| scalar.is_integer());
    let only_named = sema.ast[field.decl].attrs.iter().all(|&attr| {
        matches!(sema.ast[attr].name.as_str(), "user" | "function_constant")
            || sema.ast[attr].syntax != AttrSyntax::Brackets
    });
    if !is_integer || !only_named {
        return;
    }
    sema.report(|| {
        let mut found = cautious(
            Code::StageInputOutput,
            Severity::Hint,
            name_range(sema, field.decl),
            format!(
                "{} is an integer and therefore flat: `[[flat]]` would say so (MSL spec §5.4)",
                quoted_name(sema, field.decl)
            ),
        );
        found.fixes.push(insert_after_name(sema, field.decl, "Add `[[flat]]`", " [[flat]]"));
        found
    });
}

/// Members of one class that claim the same number or name (MSL spec §5.2.4, §5.7), and what there can be only once.
pub(crate) fn check_unique_members(sema: &Sema<'_>, item: DeclRef, record: &Record) {
    if sema.ast[item.decl].specs.contains(Specs::INSTANTIATION) {
        return;
    }
    let fields: Vec<DeclRef> = record
        .members
        .iter()
        .filter(
            |&&member| matches!(&sema.ast[member].kind, DeclKind::Variable(field) if field.kind == VariableKind::Field),
        )
        .map(|&decl| DeclRef { decl, bind: item.bind })
        .collect();
    let mut claimed: FxHashMap<String, DeclId> = FxHashMap::default();
    for field in fields {
        for (key, attr, what) in claims(sema, field) {
            match claimed.get(&key) {
                Some(&first) if !(is_guarded(sema, first) && is_guarded(sema, field.decl)) => sema.report(|| {
                    let mut found = finding(
                        Code::StageInputOutput,
                        attr.range,
                        format!(
                            "{} and {} both have {what} (MSL spec §5.2)",
                            quoted_name(sema, first),
                            quoted_name(sema, field.decl)
                        ),
                    );
                    found.related.push((name_range(sema, first), "the first one".to_owned()));
                    found
                }),
                Some(_) => {}
                None => {
                    claimed.insert(key, field.decl);
                }
            }
        }
    }
}

/// What a member claims for itself alone: a key to compare, the attribute, and words for it.
fn claims<'a>(sema: &Sema<'a>, field: DeclRef) -> Vec<(String, &'a Attr, String)> {
    let mut claims = Vec::new();
    let cx = sema.cx_of(field);
    let index = |attr: &Attr| match attr.args.first().map(|&arg| number(sema, arg, cx)) {
        Some(Number::Known(value)) => Some(value),
        _ => None,
    };
    if let Some(attr) = find_attr(sema, field.decl, "attribute")
        && let Some(value) = index(attr)
    {
        let text = format!("attribute({value})");
        claims.push((text.clone(), attr, format!("`[[{text}]]`")));
    }
    if let Some(attr) = find_attr(sema, field.decl, "color")
        && let Some(value) = index(attr)
        // Members of imageblocks and framebuffer fetch share numbers by other rules.
        && !has_attr(sema, field.decl, "raster_order_group")
    {
        let second = match find_attr(sema, field.decl, "index") {
            Some(attr) => index(attr),
            None => Some(0),
        };
        if let Some(second) = second {
            let text = format!("color({value})");
            claims.push((format!("{text}/{second}"), attr, format!("`[[{text}]]`")));
        }
    }
    if let Some(attr) = find_attr(sema, field.decl, "user")
        && let Some(name) = attr.args.first().and_then(|&arg| word_of(sema, arg))
    {
        let text = format!("user({name})");
        claims.push((text.clone(), attr, format!("`[[{text}]]`")));
    }
    for name in ["depth", "stencil", "sample_mask", "point_size"] {
        if let Some(attr) = find_attr(sema, field.decl, name) {
            claims.push((name.to_owned(), attr, format!("`[[{name}]]`")));
        }
    }
    claims
}

/// A value that passes from a vertex to a fragment function, with the name by which it is matched.
struct Varying {
    key: String,
    field: DeclRef,
    ty: QualTy,
}

/// The members of a class that are matched by name; `None` if one could be hidden.
fn varyings(sema: &Sema<'_>, ty: Ty) -> Option<Vec<Varying>> {
    let info = known_record(sema, ty)?;
    let mut all = Vec::new();
    for (field, ty) in all_fields(sema, &info)? {
        if !sema.store().is_solid(ty.ty) {
            return None;
        }
        if is_guarded(sema, field.decl) || known_record(sema, ty.ty).is_some() {
            return None;
        }
        let key = match find_attr(sema, field.decl, "user") {
            Some(attr) => format!("user({})", word_of(sema, *attr.args.first()?)?),
            None => sema.decl_name(field.decl)?.to_string(),
        };
        let is_builtin = super::written_on(sema, field.decl).iter().any(|written| {
            (written.info.has_role(Role::Input) || written.info.has_role(Role::Output)) && written.info.name != "shared"
        });
        if !is_builtin {
            all.push(Varying { key, field, ty });
        }
    }
    Some(all)
}

/// Compares what the unit's only vertex function gives with what its only fragment function takes (MSL spec §5.7).
///
/// Which functions meet in a pipeline is the host's choice. With one of each in a unit, and with values of the same
/// names, the two are meant for each other; still it is a warning.
pub(crate) fn check_pair(sema: &Sema<'_>, vertex: &EntryPoint<'_>, fragment: &EntryPoint<'_>) {
    let given = sema.signature(vertex.item).ret;
    let Some(taken) = super::entry_point::stage_in_class(sema, fragment) else { return };
    if given.ty == taken {
        return;
    }
    let (Some(given_fields), Some(taken_fields)) = (varyings(sema, given.ty), varyings(sema, taken)) else { return };
    let same_key = |varying: &Varying| given_fields.iter().find(|given| given.key == varying.key);
    if !taken_fields.iter().any(|varying| same_key(varying).is_some()) {
        return;
    }
    for varying in &taken_fields {
        let what = varying.key.clone();
        match same_key(varying) {
            Some(given) => {
                let is_wrapped = is_library_class(sema, varying.ty.ty, &["interpolant"]);
                if given.ty.ty == varying.ty.ty || is_wrapped {
                    continue;
                }
                sema.report(|| {
                    let mut found = cautious(
                        Code::StageInputOutput,
                        Severity::Warning,
                        name_range(sema, varying.field.decl),
                        format!(
                            "the fragment function takes `{what}` as `{}`, the vertex function gives it as `{}`: the types must be the same (MSL spec §5.7)",
                            sema.spell(varying.ty),
                            sema.spell(given.ty)
                        ),
                    );
                    found.related.push((name_range(sema, given.field.decl), "what the vertex function gives".to_owned()));
                    found
                });
            }
            None => sema.report(|| {
                let mut found = cautious(
                    Code::StageInputOutput,
                    Severity::Warning,
                    name_range(sema, varying.field.decl),
                    format!(
                        "the fragment function takes `{what}`, which the result `{}` of the vertex function does not have (MSL spec §5.7)",
                        sema.spell(given)
                    ),
                );
                found.related.push((vertex.name_range(sema), "the vertex function".to_owned()));
                found
            }),
        }
    }
}
