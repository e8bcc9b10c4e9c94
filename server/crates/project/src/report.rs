//! Findings about the boundary of Metal 4.1.

use std::sync::Arc;

use msl_diagnostics::{Code, Diagnostic, Fix, FixKind, Place, Related, Severity, TextRange};
use msl_metallib::Side;
use msl_preproc::{LanguageVersion, Platform};

use crate::{
    edits::{VersionEdits, version_edits},
    model::{Evidence, Join, LinkUnit, LinkVerdict, Unit, UnitKind},
    version::boundary,
};

/// A finding names at most so many places of each side.
const SHOWN_PLACES: usize = 3;

/// The findings about all units.
pub(crate) fn report(units: &[Unit], link_units: &[LinkUnit]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for link in link_units {
        match link.verdict {
            LinkVerdict::Mixed => found.push(mismatch(units, link)),
            // What a pipeline is put together from is seldom known in full.
            LinkVerdict::Unknown if link.join == Join::Pipeline => {}
            LinkVerdict::Unknown if link.join != Join::Binary || !link.members.is_empty() => {
                found.extend(unknown_link(units, link));
            }
            _ => {}
        }
        found.extend(dropped_modules(units, link));
        found.extend(system_of_first(units, link));
    }
    for unit in units {
        found.extend(unknown_runtime(unit));
        found.extend(old_deployment_target(unit));
    }
    msl_diagnostics::sort_and_merge(&mut found);
    found
}

fn place_of(path: &Arc<str>, range: Option<TextRange>) -> Place {
    Place { path: path.clone(), range: range.unwrap_or_default() }
}

fn place_of_evidence(evidence: &Evidence) -> Place {
    place_of(&evidence.path, evidence.range)
}

fn mismatch(units: &[Unit], link: &LinkUnit) -> Diagnostic {
    let members = || link.members.iter().filter_map(|&index| units.get(index));
    let of_side = |side: Side| members().filter(move |unit| unit.side == side);
    let (old, new) = (of_side(Side::Before41).count(), of_side(Side::From41).count());
    let what = match link.join {
        Join::Binary => "holds",
        Join::Dynamic | Join::Pipeline => "ties together",
        Join::Archive | Join::Library | Join::Merge => "links",
    };
    // Files have names, pipelines do not.
    let name = if link.name.contains(' ') { link.name.clone() } else { format!("`{}`", link.name) };
    let boundary = boundary();
    let mut message = format!(
        "{name} {what} code from both sides of Metal {boundary}: {} and {}",
        count(old, "before it", link.join),
        count(new, "from it on", link.join)
    );
    let severity = match (&link.crossing, link.join) {
        (Some(symbol), _) => {
            message.push_str(&format!("; `{symbol}` is needed on one side and defined on the other"));
            Severity::Error
        }
        (None, Join::Dynamic) => {
            message.push_str("; a dynamic library and what uses it call each other with different conventions");
            Severity::Error
        }
        (None, Join::Pipeline) => {
            message.push_str("; its functions call each other through tables with different conventions");
            Severity::Error
        }
        (None, Join::Binary) => {
            message.push_str("; no symbol crosses, so this is right as long as the functions stay self-contained");
            Severity::Warning
        }
        (None, _) => {
            message.push_str("; neither compiler nor linker checks this, compile all of it with one version");
            Severity::Warning
        }
    };
    let mut diagnostic = Diagnostic::new(Code::AbiVersionMismatch, severity, place_of(&link.path, link.range), message);
    for side in [Side::Before41, Side::From41] {
        for unit in of_side(side).take(SHOWN_PLACES) {
            let Some(evidence) = unit.evidence.first() else { continue };
            let subject = if unit.path == evidence.path { String::new() } else { format!("{} is ", unit.path) };
            let message = format!("{subject}{}: {}", unit.std_text(), evidence.message);
            diagnostic.related.push(Related { place: place_of_evidence(evidence), message });
        }
    }
    for (from, to) in [(Side::Before41, (4, 1)), (Side::From41, (4, 0))] {
        let version = LanguageVersion::new(to.0, to.1, Platform::MacOs);
        diagnostic.fixes.extend(one_version(of_side(from), version));
    }
    diagnostic
}

fn count(number: usize, where_: &str, join: Join) -> String {
    let noun = match (join, number) {
        (Join::Binary, _) => "functions",
        (_, 1) => "unit",
        _ => "units",
    };
    if join == Join::Binary { format!("{noun} {where_}") } else { format!("{number} {noun} {where_}") }
}

/// The edits that give all units of a side another version, if each of them states its version somewhere or can.
fn one_version<'a>(units: impl Iterator<Item = &'a Unit>, version: LanguageVersion) -> Option<Fix> {
    let VersionEdits { edits, remaining } = version_edits(units, version);
    if !remaining.is_empty() {
        return None;
    }
    let title = format!("compile everything as {version}");
    (!edits.is_empty()).then_some(Fix { title, kind: FixKind::QuickFix, preferred: false, edits })
}

fn unknown_link(units: &[Unit], link: &LinkUnit) -> Option<Diagnostic> {
    let unknown: Vec<&Unit> =
        link.members.iter().filter_map(|&index| units.get(index)).filter(|unit| unit.side == Side::Unknown).collect();
    if unknown.is_empty() && link.unresolved.is_empty() {
        return None;
    }
    let mut message = match unknown.first() {
        Some(unit) => {
            let why = unit.evidence.first().map_or("nothing states it", |evidence| evidence.message.as_str());
            format!("the language version of `{}` in `{}` is not known: {why}", unit.path, link.name)
        }
        None => format!("`{}` takes in `{}`, which could not be followed", link.name, link.unresolved[0]),
    };
    let others = (unknown.len() + link.unresolved.len()).saturating_sub(1);
    if others > 0 {
        message.push_str(&format!(" (and {others} more)"));
    }
    let mut diagnostic =
        Diagnostic::new(Code::AbiVersionUnknown, Severity::Information, place_of(&link.path, link.range), message);
    for evidence in unknown.iter().filter_map(|unit| unit.evidence.first()).take(SHOWN_PLACES) {
        diagnostic.related.push(Related { place: place_of_evidence(evidence), message: evidence.message.clone() });
    }
    Some(diagnostic)
}

fn unknown_runtime(unit: &Unit) -> Option<Diagnostic> {
    if unit.kind != UnitKind::Runtime || unit.side != Side::Unknown {
        return None;
    }
    let why = unit.evidence.first().map_or("nothing states it", |evidence| evidence.message.as_str());
    let message = format!("the language version of this compile at run time is not known: {why}");
    Some(Diagnostic::new(Code::AbiVersionUnknown, Severity::Information, place_of(&unit.path, unit.range), message))
}

/// A version that needs a newer system than the one that is asked for: the compiler raises the target without a word.
fn old_deployment_target(unit: &Unit) -> Option<Diagnostic> {
    let target = unit.deployment.filter(|target| unit.side == Side::From41 && !target.loads_new_side())?;
    let evidence = unit.evidence.first()?;
    let version = unit.std?;
    let system = target.system.as_str();
    let message = match unit.kind {
        // A library takes its system from the first input, so one for an older system may hold newer functions.
        UnitKind::Binary => format!(
            "this is stamped for {target} and holds {version} code, which needs {system} 27: those functions do not load \
             on {target}"
        ),
        _ => format!(
            "{version} needs {system} 27, and the deployment target is {target}: the library will not load there"
        ),
    };
    let mut diagnostic =
        Diagnostic::new(Code::AbiDeploymentTarget, Severity::Warning, place_of_evidence(evidence), message);
    if let Some(other) = unit.evidence.get(1) {
        diagnostic.related.push(Related { place: place_of_evidence(other), message: other.message.clone() });
    }
    Some(diagnostic)
}

/// A link for an older system leaves out modules that need a newer one, with success as its status.
fn dropped_modules(units: &[Unit], link: &LinkUnit) -> Option<Diagnostic> {
    let target = link.deployment.filter(|target| link.join != Join::Binary && !target.loads_new_side())?;
    let dropped = link.members.iter().filter_map(|&index| units.get(index)).find(|unit| {
        // What the same command compiles has the same target, and is reported as a compile.
        unit.side == Side::From41 && unit.deployment.is_none_or(|own| own.loads_new_side())
    })?;
    let message = format!(
        "this link is for {target}, so the linker leaves out `{}`, which is {}, without a message",
        dropped.path,
        dropped.std_text()
    );
    Some(Diagnostic::new(Code::AbiDeploymentTarget, Severity::Warning, place_of(&link.path, link.range), message))
}

/// `metallib` stamps a library with the oldest system of its first input, whatever the others need.
fn system_of_first(units: &[Unit], link: &LinkUnit) -> Option<Diagnostic> {
    if !link.takes_system_of_first {
        return None;
    }
    // Units are in the order of the inputs, except that binaries come last: then nothing is known of the order.
    let members: Vec<&Unit> = link.members.iter().filter_map(|&index| units.get(index)).collect();
    let floor = |unit: &Unit| unit.deployment.map(|target| target.raised_for(unit.std));
    let (first, rest) = members.split_first()?;
    let has_order = members.iter().all(|unit| unit.kind == UnitKind::Source);
    let stamp = floor(first).filter(|_| has_order)?;
    let other = rest.iter().find_map(|unit| {
        let own = floor(unit)?;
        (own.system == stamp.system && own.major != stamp.major).then_some((*unit, own))
    });
    let (unit, own) = other?;
    let consequence = if own.major > stamp.major {
        format!("what comes from `{}` needs {own} and does not load on {stamp}", unit.path)
    } else {
        format!("although `{}` is for {own}, nothing of it loads below {stamp}", unit.path)
    };
    let message = format!(
        "`{}` is stamped for {stamp}, the system of its first input `{}`: {consequence}",
        link.name, first.path
    );
    let mut diagnostic =
        Diagnostic::new(Code::AbiDeploymentTarget, Severity::Warning, place_of(&link.path, link.range), message);
    for evidence in [*first, unit].into_iter().filter_map(|unit| unit.evidence.first()) {
        diagnostic.related.push(Related { place: place_of_evidence(evidence), message: evidence.message.clone() });
    }
    Some(diagnostic)
}
