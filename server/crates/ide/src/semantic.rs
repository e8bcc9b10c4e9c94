//! Findings about names, types and address spaces.

use msl_db::{Body, BodyPlace, Database, Unit, parsed_decls, split_unit};
use msl_diagnostics::{Diagnostic, Fix, FixKind, Place, Related, Severity, TextEdit};
use msl_flow::Thresholds;
use msl_parser::ast::{DeclId, ExprId, TokenRange};
use msl_ty::sema::{TokenFix, TyDiagnostic};
use msl_ty::store::TyFlags;
use msl_ty::{
    Checked, DeclRef, Instance, MAX_INSTANCES, body_of, called_instances, checked_body, checked_declarations,
    checked_inline_bodies, checked_instance, environment, unit_instances, unit_recursion,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    actions::{
        edits::{indentation, line_start},
        resolving_cast,
    },
    flow_facts::FlowFacts,
    parallel,
    places::TokenPlaces,
    report::{UnitReport, UnitStats},
    written::holds_as_written,
};

/// Adds what the checks of a unit's declarations and bodies found.
pub(crate) fn bodies(db: &Database, unit: Unit, report: &mut UnitReport) {
    let places = TokenPlaces::of(db, unit);
    for_each_check(db, unit, |body, checked| {
        let shown = checked.diagnostics.iter().filter(|finding| holds_as_written(&places, body, finding));
        report.diagnostics.extend(shown.map(|finding| diagnostic(&places, body, finding)));
    });
}

/// Adds what only the unit as a whole tells: the checks of instances, flow, recursion.
pub(crate) fn program(db: &Database, unit: Unit, thresholds: Thresholds, report: &mut UnitReport) {
    let places = TokenPlaces::of(db, unit);
    instances(db, unit, &places, report);
    flow(db, unit, &places, thresholds, report);
    let cycles = unit_recursion(db, unit).iter().map(|finding| diagnostic(&places, None, finding));
    report.diagnostics.extend(cycles);
}

/// Checks the bodies of a unit on several threads, so that [`bodies`] finds it done.
pub(crate) fn prepare_bodies(db: &Database, unit: Unit) {
    environment(db, unit);
    parallel::for_each_number(db, split_unit(db, unit).bodies(db).len(), |db, number| {
        if let Some(&body) = split_unit(db, unit).bodies(db).get(number) {
            checked_body(db, body);
        }
    });
}

/// Checks the instances of a unit on several threads, so that [`program`] finds it done: those that the unit calls for by
/// itself, then those that these call, and so on. Where pointers are generic their flow is summed up as well.
pub(crate) fn prepare_instances(db: &Database, unit: Unit) {
    fn instance(db: &Database, unit: Unit, item: DeclRef) -> Instance<'_> {
        Instance::new(db, unit, item.decl.0, item.bind.0)
    }
    let env = environment(db, unit);
    let has_flow = env.version.has_generic_pointers();
    let mut seen: FxHashSet<DeclRef> = FxHashSet::default();
    let mut wanted = called_instances(db, unit);
    while !wanted.is_empty() {
        wanted.retain(|&item| seen.len() < MAX_INSTANCES && seen.insert(item));
        parallel::for_each_number(db, wanted.len(), |db, number| {
            let instance = instance(db, unit, wanted[number]);
            checked_instance(db, instance);
            if has_flow {
                msl_flow::summary_of_instance(db, instance);
            }
        });
        let checked = wanted.iter().filter_map(|&item| checked_instance(db, instance(db, unit, item)).as_deref());
        wanted = checked.flat_map(|checked| &checked.instances).copied().collect();
    }
    if has_flow {
        let functions = &parsed_decls(db, unit).functions;
        parallel::for_each_number(db, functions.len(), |db, number| {
            if let BodyPlace::Deferred(body) = functions[number].body
                && !env.is_templated(functions[number].function)
                && let Some(&body) = split_unit(db, unit).bodies(db).get(body as usize)
            {
                msl_flow::summary_of_body(db, body);
            }
        });
    }
}

/// Adds what flow found, once for each place of a template.
fn flow(db: &Database, unit: Unit, places: &TokenPlaces<'_>, thresholds: Thresholds, report: &mut UnitReport) {
    let facts = FlowFacts::of(db, unit);
    let spaces = msl_flow::flow_findings(db, unit, thresholds);
    let mut said: FxHashSet<(DeclId, TokenRange, &'static str)> = FxHashSet::default();
    for finding in spaces.iter().chain(msl_flow::divergent_tables(db, unit).iter()) {
        if !said.insert((finding.function, finding.range, finding.code.as_str())) {
            continue;
        }
        let Some(body) = body_of(db, unit, finding.function) else { continue };
        let Some(severity) = finding.severity.or(finding.code.default_severity()) else { continue };
        let message = finding.message.clone();
        let mut diagnostic = places.diagnostic(Some(body), finding.code, severity, finding.range, message, &[]);
        let related = finding.related.iter().filter_map(|step| {
            let place = facts.place(step.function, step.range)?;
            Some(Related { place, message: step.message.clone() })
        });
        diagnostic.related.splice(0..0, related);
        diagnostic.fixes.extend(resolving_cast(db, unit, finding));
        report.diagnostics.push(diagnostic);
    }
}

/// Adds what is wrong in some instances only, each finding once.
fn instances(db: &Database, unit: Unit, places: &TokenPlaces<'_>, report: &mut UnitReport) {
    let env = environment(db, unit);
    let mut said: FxHashSet<(DeclId, TokenRange, &'static str)> = FxHashSet::default();
    for &instance in unit_instances(db, unit).iter() {
        let Some(checked) = checked_instance(db, instance) else { continue };
        if checked.diagnostics.is_empty() {
            continue;
        }
        let item = instance.item(db);
        let Some(body) = body_of(db, unit, item.decl) else { continue };
        for finding in &checked.diagnostics {
            if !said.insert((item.decl, finding.range, finding.code.as_str())) {
                continue;
            }
            let mut diagnostic = diagnostic(places, Some(body), finding);
            // A repair changes the template for all instances, so it must be right for each.
            if !is_alike_in_all(db, unit, item.decl, finding) {
                diagnostic.fixes.clear();
            }
            let name = db_token(env, item.decl);
            if let Some((place, _)) = places.place(None, name) {
                let message = format!("in the instance `{}`", env.spell_instance(item));
                diagnostic.related.push(Related { place, message });
            }
            report.diagnostics.push(diagnostic);
        }
    }
}

/// Whether every instance of a function has a finding, with the same repairs.
fn is_alike_in_all(db: &Database, unit: Unit, function: DeclId, finding: &TyDiagnostic) -> bool {
    finding.fixes.is_empty()
        || unit_instances(db, unit).iter().filter(|instance| instance.item(db).decl == function).all(|&instance| {
            let is_it = |other: &TyDiagnostic| {
                other.code == finding.code && other.range == finding.range && other.fixes == finding.fixes
            };
            checked_instance(db, instance).as_ref().is_some_and(|checked| checked.diagnostics.iter().any(is_it))
        })
}

/// Counts how much of a unit is understood. Instances settle what depends on a parameter: it is dependent no more, and
/// unknown if it is in any instance.
pub(crate) fn statistics(db: &Database, unit: Unit, stats: &mut UnitStats) {
    for_each_check(db, unit, |_, checked| {
        stats.expressions += checked.counts.expressions;
        stats.unknown_expressions += checked.counts.unknown;
        stats.dependent_expressions += checked.counts.dependent;
        stats.template_expressions += checked.counts.in_templates;
        stats.unknown_template_expressions += checked.counts.unknown_in_templates;
    });
    let env = environment(db, unit);
    let mut by_function: FxHashMap<DeclId, FxHashMap<ExprId, bool>> = FxHashMap::default();
    for &instance in unit_instances(db, unit).iter() {
        let Some(checked) = checked_instance(db, instance) else { continue };
        let settled = by_function.entry(instance.item(db).decl).or_default();
        for (&expr, info) in &checked.facts.exprs {
            let is_unknown = !info.is_init_list()
                && !info.is_overload_set()
                && env.store.flags(info.ty.ty).contains(TyFlags::UNKNOWN);
            *settled.entry(expr).or_default() |= is_unknown;
        }
    }
    for (function, settled) in by_function {
        let Some(generic) = generic_check(db, unit, function) else { continue };
        for (&expr, &is_unknown) in &settled {
            let Some(info) = generic.facts.exprs.get(&expr) else { continue };
            if info.is_init_list() || info.is_overload_set() || !env.store.is_dependent(info.ty.ty) {
                continue;
            }
            stats.dependent_expressions -= 1;
            if is_unknown {
                stats.unknown_expressions += 1;
                stats.unknown_template_expressions += 1;
            }
        }
    }
}

/// The check of a function's body with its template parameters open.
fn generic_check(db: &Database, unit: Unit, function: DeclId) -> Option<&Checked> {
    match body_of(db, unit, function)? {
        BodyPlace::Deferred(number) => {
            let body = *split_unit(db, unit).bodies(db).get(number as usize)?;
            checked_body(db, body).as_deref()
        }
        BodyPlace::Inline(_) => {
            let checked = checked_inline_bodies(db, unit);
            checked.iter().find(|(own, ..)| *own == function).map(|(.., checked)| checked)
        }
    }
}

fn db_token(env: &msl_ty::Env, decl: DeclId) -> TokenRange {
    let token = env.ast[decl].name_token;
    TokenRange::new(token, token + 1)
}

fn diagnostic(places: &TokenPlaces<'_>, body: Option<BodyPlace>, finding: &TyDiagnostic) -> Diagnostic {
    // A code that is off is seen only where a level turns it on, and that says how severe it is.
    let severity = finding.severity.or(finding.code.default_severity()).unwrap_or(Severity::Hint);
    let message = finding.message.clone();
    let mut diagnostic = places.diagnostic(body, finding.code, severity, finding.range, message, &finding.related);
    diagnostic.fixes = finding.fixes.iter().filter_map(|fix| fix_of(places, body, fix)).collect();
    diagnostic
}

/// Calls `each` with the check of the declarations, and then that of each body and where the body is.
pub(crate) fn for_each_check(db: &Database, unit: Unit, mut each: impl FnMut(Option<BodyPlace>, &Checked)) {
    each(None, checked_declarations(db, unit));
    let bodies: &[Body<'_>] = split_unit(db, unit).bodies(db);
    for (number, &body) in bodies.iter().enumerate() {
        if let Some(checked) = checked_body(db, body) {
            each(Some(BodyPlace::Deferred(number as u32)), checked);
        }
    }
    for (_, place, checked) in checked_inline_bodies(db, unit).iter() {
        each(Some(*place), checked);
    }
}

/// A repair in terms of files; `None` if it would have to change something that the author did not type.
fn fix_of(places: &TokenPlaces<'_>, body: Option<BodyPlace>, fix: &TokenFix) -> Option<Fix> {
    let edits = fix
        .edits
        .iter()
        .map(|edit| {
            let place = places.editable(body, edit.range, edit.after)?;
            laid_out(places, place, &edit.text)
        })
        .collect::<Option<Vec<TextEdit>>>()?;
    Some(Fix { title: fix.title.clone(), kind: FixKind::QuickFix, preferred: fix.preferred, edits })
}

/// An edit that keeps the layout: with a word goes the white space behind it, and the line if nothing else is on it; a
/// line that is put in front of a statement leaves the statement its indentation. `None` if directives stand in what is
/// taken out.
fn laid_out(places: &TokenPlaces<'_>, mut place: Place, text: &str) -> Option<TextEdit> {
    let mut new_text = text.to_owned();
    let file = places.places.shared.file_id(&place.path);
    if let Some(written) = places.places.preprocessed.map.text(file) {
        if text.is_empty() {
            let removed = &written[place.range.start as usize..place.range.end as usize];
            if removed.split(|&byte| byte == b'\n').any(|line| line.trim_ascii_start().starts_with(b"#")) {
                return None;
            }
            let behind = written[place.range.end as usize..].iter();
            place.range.end += behind.take_while(|byte| matches!(byte, b' ' | b'\t')).count() as u32;
            let line = line_start(written, place.range.start as usize);
            let rest = &written[place.range.end as usize..];
            let line_end = if rest.starts_with(b"\r\n") { 2 } else { u32::from(rest.starts_with(b"\n")) };
            let is_alone = written[line..place.range.start as usize].iter().all(|byte| matches!(byte, b' ' | b'\t'));
            if is_alone && line_end > 0 {
                place.range.start = line as u32;
                place.range.end += line_end;
            }
        } else if text.ends_with('\n') {
            new_text.push_str(&indentation(written, place.range.start as usize));
        }
    }
    Some(TextEdit { place, new_text })
}
