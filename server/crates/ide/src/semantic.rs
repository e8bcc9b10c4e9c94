//! Findings about names, types and address spaces.

use msl_db::{Body, BodyPlace, Database, Unit, split_unit};
use msl_diagnostics::{Fix, FixKind, TextEdit};
use msl_ty::sema::TokenFix;
use msl_ty::{Checked, checked_body, checked_declarations, checked_inline_bodies};

use crate::{check::UnitReport, places::TokenPlaces};

/// Adds what the checks of a unit's declarations and bodies found.
pub(crate) fn check(db: &Database, unit: Unit, report: &mut UnitReport) {
    let places = TokenPlaces::of(db, unit);
    for_each_check(db, unit, |body, checked| {
        for finding in &checked.diagnostics {
            let Some(severity) = finding.severity.or(finding.code.default_severity()) else { continue };
            let mut diagnostic = places.diagnostic(
                body,
                finding.code,
                severity,
                finding.range,
                finding.message.clone(),
                &finding.related,
            );
            diagnostic.fixes = finding.fixes.iter().filter_map(|fix| fix_of(&places, body, fix)).collect();
            report.diagnostics.push(diagnostic);
        }
        report.stats.expressions += checked.counts.expressions;
        report.stats.unknown_expressions += checked.counts.unknown;
        report.stats.dependent_expressions += checked.counts.dependent;
        report.stats.template_expressions += checked.counts.in_templates;
        report.stats.unknown_template_expressions += checked.counts.unknown_in_templates;
    });
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
            Some(TextEdit { place, new_text: edit.text.clone() })
        })
        .collect::<Option<Vec<TextEdit>>>()?;
    Some(Fix { title: fix.title.clone(), kind: FixKind::QuickFix, preferred: fix.preferred, edits })
}
