//! How the positions and sizes that an entry point receives must agree (MSL spec §5.2.3.6, §5.2.3.9, §5.2.3.10).

use msl_diagnostics::Code;
use msl_parser::ast::*;

use super::shapes::spec_of;
use super::{EntryParam, EntryPoint, finding, has_attr, replace};
use crate::decls::Stage;
use crate::sema::Sema;
use crate::store::*;

/// A parameter with one of the attributes.
struct Given<'a> {
    name: &'static str,
    attr: &'a Attr,
    param: EntryParam<'a>,
    scalar: Scalar,
    width: u8,
}

/// Those that have as many components as each other unless they are scalars.
const SAME_WIDTH: &[&str] = &[
    "thread_position_in_grid",
    "threads_per_grid",
    "thread_position_in_threadgroup",
    "threads_per_threadgroup",
    "threadgroup_position_in_grid",
    "dispatch_threads_per_threadgroup",
    "threadgroups_per_grid",
];

/// Groups of which all have the same type.
const SAME_TYPE: &[&[&str]] = &[
    &["thread_position_in_grid", "threads_per_grid"],
    &["thread_position_in_threadgroup", "threads_per_threadgroup", "dispatch_threads_per_threadgroup"],
    &[
        "thread_index_in_simdgroup",
        "threads_per_simdgroup",
        "simdgroup_index_in_threadgroup",
        "simdgroups_per_threadgroup",
        "dispatch_simdgroups_per_threadgroup",
        "quadgroup_index_in_threadgroup",
        "quadgroups_per_threadgroup",
        "dispatch_quadgroups_per_threadgroup",
    ],
    // Of tiles (MSL spec §5.2.3.4).
    &["pixel_position_in_tile", "pixels_per_tile"],
];

/// Pairs of which the first is not wider than the second (MSL spec §5.2.3.1).
const NOT_WIDER: &[(&str, &str)] = &[("base_vertex", "vertex_id"), ("base_instance", "instance_id")];

/// Checks the parameters of one entry point against each other.
pub(crate) fn check(sema: &Sema<'_>, entry: &EntryPoint<'_>, params: &[EntryParam<'_>]) {
    match entry.stage {
        Stage::Kernel | Stage::Object | Stage::Mesh => check_grid(sema, params),
        Stage::Vertex => {
            for &(base, whole) in NOT_WIDER {
                if let ([base], [whole]) = (&*given(sema, params, &[base]), &*given(sema, params, &[whole]))
                    && base.scalar.size() > whole.scalar.size()
                {
                    report(sema, base, whole, "cannot be wider than", "§5.2.3.1");
                }
            }
        }
        Stage::Fragment => check_types(sema, params, &mut Vec::new()),
        Stage::Intersection => {}
    }
}

fn check_grid(sema: &Sema<'_>, params: &[EntryParam<'_>]) {
    let mut reported = Vec::new();
    check_types(sema, params, &mut reported);
    let all = given(sema, params, SAME_WIDTH);
    let vectors: Vec<_> = all.iter().filter(|given| given.width > 1).collect();
    if let Some(first) = vectors.first() {
        for other in &vectors[1..] {
            if other.width != first.width && !reported.contains(&other.param.decl) {
                report(sema, other, first, "must have as many components as", "§5.2.3.6");
            }
        }
    }
    if let ([position], [index]) = (
        &*given(sema, params, &["thread_position_in_threadgroup"]),
        &*given(sema, params, &["thread_index_in_threadgroup"]),
    ) && position.scalar == Scalar::UInt
        && index.scalar == Scalar::UShort
    {
        report(sema, index, position, "must be `uint` because of", "§5.2.3.6");
    }
}

/// Reports those that should have the type of another; `reported` gets them.
fn check_types(sema: &Sema<'_>, params: &[EntryParam<'_>], reported: &mut Vec<DeclId>) {
    for group in SAME_TYPE {
        let given = given(sema, params, group);
        let Some(first) = given.first() else { continue };
        for other in &given[1..] {
            if (other.scalar, other.width) != (first.scalar, first.width) {
                reported.push(other.param.decl);
                report(sema, other, first, "must have the type of", "§5.2.3.6");
            }
        }
    }
}

/// The parameters that carry one of these attributes.
fn given<'a>(sema: &Sema<'a>, params: &[EntryParam<'a>], names: &[&'static str]) -> Vec<Given<'a>> {
    params
        .iter()
        .filter(|param| !has_attr(sema, param.decl, "function_constant"))
        .filter_map(|param| {
            let (scalar, width) = spec_of(sema, param.ty.ty)?;
            // Other types are another check's finding.
            if !matches!(scalar, Scalar::UInt | Scalar::UShort) || width > 3 {
                return None;
            }
            names.iter().find_map(|&name| {
                let attr = super::find_attr(sema, param.decl, name)?;
                Some(Given { name, attr, param: *param, scalar, width })
            })
        })
        .collect()
}

fn report(sema: &Sema<'_>, wrong: &Given<'_>, other: &Given<'_>, relation: &str, section: &str) {
    sema.report(|| {
        let mut found = finding(
            Code::AttributeMisuse,
            wrong.attr.range,
            format!(
                "`{}` is `{}`, but `{}` is `{}`: it {relation} the other (MSL spec {section})",
                wrong.name,
                sema.spell_ty(wrong.param.ty.ty),
                other.name,
                sema.spell_ty(other.param.ty.ty)
            ),
        );
        found.related.push((other.attr.range, format!("`{}`", other.name)));
        if relation.contains("type")
            && let Some(range) = super::shapes::plain_type_range(sema, wrong.param.variable.ty)
        {
            let ty = sema.spell_ty(other.param.ty.ty);
            found.fixes.push(replace(format!("Change the type to `{ty}`"), range, ty));
        }
        found
    });
}
