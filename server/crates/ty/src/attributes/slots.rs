//! The slots of an entry point's resources (MSL spec §5.2.1): which are taken, twice taken, or left to the compiler.

use msl_builtins::attributes::Stages;
use msl_diagnostics::{Code, Severity};
use msl_parser::ast::*;

use super::arguments::{Number, number};
use super::shapes::{Resource, known_record, resource_shape};
use super::{EntryPoint, cautious, find_attr, finding, has_attr, insert_after_name, is_guarded, name_range, replace};
use crate::decls::Stage;
use crate::sema::{DeclRef, Sema};
use crate::store::*;

/// The tables, by the attribute that names a slot in one, with the highest slot of each.
const TABLES: &[(&str, i128)] = &[("buffer", 30), ("texture", 127), ("sampler", 15), ("threadgroup", 30)];

/// Slots that one declaration takes.
struct Taken<'a> {
    decl: DeclId,
    attr: &'a Attr,
    first: i128,
    /// One past the last; the first alone if the number of elements is not known.
    end: i128,
    guarded: bool,
}

/// Checks the slots of an entry point's parameters and of the structures of resources among them.
pub(crate) fn check(sema: &Sema<'_>, entry: &EntryPoint<'_>) {
    for &(table, max) in TABLES {
        let mut taken: Vec<Taken<'_>> = Vec::new();
        // Where a slot is not known, none is certainly free.
        let mut all_known = true;
        for (decl, ty) in declarations(sema, entry) {
            let Some(attr) = find_attr(sema, decl.decl, table) else { continue };
            let [index] = &*attr.args else {
                all_known = false;
                continue;
            };
            let Number::Known(first) = number(sema, *index, sema.cx_of(decl)) else {
                all_known = false;
                continue;
            };
            let count = resource_shape(sema, ty).and_then(|shape| shape.count);
            all_known &= count.is_some();
            let end = first.saturating_add(count.map_or(1, i128::from).max(1));
            if (0..=max).contains(&first) && end - 1 > max {
                sema.report(|| {
                    finding(
                        Code::ResourceIndex,
                        attr.range,
                        format!(
                            "an array of {} from `{table}({first})` on ends at {}, beyond {max} (MSL spec §5.2.1)",
                            end - first,
                            end - 1
                        ),
                    )
                });
            }
            taken.push(Taken { decl: decl.decl, attr, first, end, guarded: is_guarded(sema, decl.decl) });
        }
        for (index, later) in taken.iter().enumerate() {
            let clash = taken[..index].iter().find(|earlier| {
                earlier.first < later.end && later.first < earlier.end && !(earlier.guarded && later.guarded)
            });
            if let Some(earlier) = clash {
                report_clash(sema, table, max, earlier, later, all_known.then_some(&taken[..]));
            }
        }
        if entry.is_definition && !entry.is_template {
            hint_implicit(sema, entry, table, max, all_known.then_some(&taken[..]));
        }
    }
}

/// The parameters, and the members of those that are structures of resources passed by value.
fn declarations<'a>(sema: &Sema<'a>, entry: &EntryPoint<'a>) -> Vec<(DeclRef, QualTy)> {
    let mut all = Vec::new();
    for param in entry.params(sema) {
        all.push((DeclRef { decl: param.decl, bind: entry.item.bind }, param.ty));
        if has_attr(sema, param.decl, "stage_in") || has_attr(sema, param.decl, "imageblock_data") {
            continue;
        }
        add_members(sema, param.ty.ty, &mut all, 8);
    }
    all
}

/// Structures of resources may hold others (MSL spec §2.12.2).
fn add_members(sema: &Sema<'_>, ty: Ty, all: &mut Vec<(DeclRef, QualTy)>, fuel: u32) {
    let Some(fuel) = fuel.checked_sub(1) else { return };
    let Some(info) = known_record(sema, ty) else { return };
    for field in sema.fields(&info) {
        if all.len() > 512 {
            return;
        }
        let ty = sema.variable_type(field);
        all.push((field, ty));
        add_members(sema, ty.ty, all, fuel);
    }
}

fn free_slot(taken: &[Taken<'_>], count: i128, max: i128) -> Option<i128> {
    (0..=max - count + 1).find(|&slot| taken.iter().all(|taken| taken.end <= slot || slot + count <= taken.first))
}

fn report_clash(
    sema: &Sema<'_>,
    table: &str,
    max: i128,
    earlier: &Taken<'_>,
    later: &Taken<'_>,
    taken: Option<&[Taken<'_>]>,
) {
    sema.report(|| {
        let slot = earlier.first.max(later.first);
        let message = format!(
            "{table} slot {slot} is taken twice, by {} and by {} (MSL spec §5.2.1)",
            super::quoted_name(sema, earlier.decl),
            super::quoted_name(sema, later.decl)
        );
        // A constant that guards one of the two may be set so that they never meet.
        let mut found = if earlier.guarded || later.guarded {
            cautious(Code::ResourceIndex, Severity::Warning, later.attr.range, message)
        } else {
            finding(Code::ResourceIndex, later.attr.range, message)
        };
        found.related.push((earlier.attr.range, "the first one".to_owned()));
        if let Some(free) = taken.and_then(|taken| free_slot(taken, later.end - later.first, max))
            && let Some(&argument) = later.attr.args.first()
        {
            let range = sema.ast[argument].range;
            found.fixes.push(replace(format!("Use the next free slot, {free}"), range, free.to_string()));
        }
        found
    });
}

/// A resource without a slot gets one from the compiler, which the source does not show.
fn hint_implicit(sema: &Sema<'_>, entry: &EntryPoint<'_>, table: &str, max: i128, taken: Option<&[Taken<'_>]>) {
    let params = entry.params(sema);
    // Who numbers no resource at all counts on the compiler's order; a mixture is what one overlooks.
    if !params.iter().any(|param| has_attr(sema, param.decl, table)) {
        return;
    }
    for param in params {
        let Some(shape) = resource_shape(sema, param.ty) else { continue };
        let own_table = match shape.resource {
            Resource::Buffer | Resource::Opaque => "buffer",
            Resource::Texture => "texture",
            Resource::Sampler => "sampler",
            Resource::Threadgroup => "threadgroup",
        };
        // What carries another attribute is no resource of the host: a payload, imageblock data, primitive data.
        let is_bare = sema.ast[param.decl].attrs.iter().all(|&attr| {
            matches!(sema.ast[attr].name.as_str(), "function_constant" | "raster_order_group")
                || sema.ast[attr].syntax != AttrSyntax::Brackets
        });
        let is_bound = entry.stages.intersects(Stages::ANY_ENTRY_POINT) && entry.stage != Stage::Intersection;
        if own_table != table || !is_bare || !is_bound {
            continue;
        }
        let count = shape.count.map_or(1, i128::from);
        sema.report(|| {
            let mut found = finding(
                Code::ImplicitResourceIndex,
                name_range(sema, param.decl),
                format!(
                    "{} has no `[[{table}(…)]]`: the compiler chooses a slot (MSL spec §5.2.1)",
                    super::quoted_name(sema, param.decl)
                ),
            );
            if param.variable.name.ident().is_some()
                && !matches!(sema.ast[param.variable.ty].kind, TypeKind::Array { .. })
                && let Some(free) = taken.and_then(|taken| free_slot(taken, count, max))
            {
                let text = format!(" [[{table}({free})]]");
                found.fixes.push(insert_after_name(sema, param.decl, &format!("Add `[[{table}({free})]]`"), &text));
            }
            found
        });
    }
}
