//! The signature of an entry point: its result, its parameters, and what its stage asks for (MSL spec §5.1, §5.2).

use msl_diagnostics::Code;
use msl_parser::ast::*;

use super::shapes::{known_record, spec_of};
use super::{
    EntryParam, EntryPoint, argument_buffers, find_attr, finding, grid, has_attr, insert_after_name, intersection,
    mesh, parameters, slots, stage_io,
};
use crate::decls::Stage;
use crate::sema::{DeclRef, Sema};
use crate::store::*;

/// Checks one declaration of an entry point.
pub(crate) fn check(sema: &Sema<'_>, entry: &EntryPoint<'_>) {
    let params = entry.params(sema);
    slots::check(sema, entry);
    grid::check(sema, entry, &params);
    check_name(sema, entry);
    check_result(sema, entry);
    check_stage_in(sema, entry, &params);
    parameters::check(sema, entry, &params);
    match entry.stage {
        Stage::Mesh => mesh::check(sema, &params),
        Stage::Fragment => stage_io::check_fragment_inputs(sema, entry, &params),
        Stage::Intersection => intersection::check_inputs(sema, entry, &params),
        Stage::Vertex | Stage::Kernel | Stage::Object => {}
    }
    argument_buffers::check_parameters(sema, &params);
}

/// `main` at program scope is C++'s own function, which returns `int` ([basic.start.main]): Apple's compiler refuses it
/// as an entry point.
fn check_name(sema: &Sema<'_>, entry: &EntryPoint<'_>) {
    let is_main = sema.decl_name(entry.item.decl).is_some_and(|name| name.as_str() == "main");
    if is_main && sema.ast[entry.item.decl].scope == sema.env.global {
        sema.report(|| {
            finding(
                Code::EntryPointSignature,
                entry.name_range(sema),
                format!(
                    "a {} function cannot be called `main`: C++ keeps that name for a function that returns `int`",
                    entry.stage.word()
                ),
            )
        });
    }
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
    let wrong = |what: String| {
        sema.report(|| finding(Code::EntryPointSignature, at_result(sema, entry), what));
    };
    if matches!(stage, Stage::Kernel | Stage::Mesh | Stage::Object) {
        if ret.ty != Ty::VOID {
            let message = format!("a {word} function returns `void`, not `{}` (MSL spec §5.1.3)", sema.spell(ret));
            wrong(message);
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
        wrong(format!("a {word} function cannot return {what} (MSL spec §5.1, §5.11)"));
        return;
    }
    match stage {
        Stage::Vertex => match kind {
            TyKind::Scalar(_) | TyKind::Vector(..) if spec_of(sema, ret.ty) != Some((Scalar::Float, 4)) => {
                wrong(format!(
                    "a vertex function returns `void`, `float4` or a structure with `[[position]]`, not `{}` (MSL spec §5.1.1)",
                    sema.spell(ret)
                ));
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
                wrong(format!(
                    "a colour attachment does not hold `{}`: a fragment function returns float, half, int, uint, short or ushort, or a vector of one (MSL spec §5.2.3.5)",
                    sema.spell(ret)
                ));
            }
            TyKind::Record(..) => stage_io::check_fragment_result(sema, entry, ret),
            _ => {}
        },
        Stage::Intersection => intersection::check_result(sema, entry, ret, &wrong),
        Stage::Kernel | Stage::Object | Stage::Mesh => {}
    }
}

/// Whether the result goes to a colour attachment: nothing else is written on the function.
fn entry_attrs_allow_color(sema: &Sema<'_>, entry: &EntryPoint<'_>) -> bool {
    !["depth", "stencil", "sample_mask", "imageblock_data"].iter().any(|name| has_attr(sema, entry.item.decl, name))
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
