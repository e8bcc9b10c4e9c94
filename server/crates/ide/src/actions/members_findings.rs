//! What is reported about member functions and Metal 4.1.

use msl_diagnostics::{Code, Diagnostic, Fix, FixKind, Severity};
use rustc_hash::FxHashSet;

use super::members::{JudgedMember, MemberVerdict, judge};
use crate::analysis::{Analysis, UnitRequest};

/// How many members a title names.
const SHOWN_NAMES: usize = 3;

impl Analysis {
    /// Findings about the member functions of a unit that have no address space for `this`.
    pub(crate) fn member_findings(&self, request: &UnitRequest) -> Vec<Diagnostic> {
        let (old, new) = self.both_sides(request);
        let is_old = !request.std.version.has_generic_pointers();
        let judgement = judge(&self.db, old, new, &FxHashSet::default());
        let mut found = Vec::new();
        for member in &judgement.members {
            found.push(unannotated(member, is_old));
            if is_old {
                found.push(migration_finding(member));
            }
        }
        found
    }
}

impl Analysis {
    /// Adds `thread` as a repair of errors that a generic `this` brings about.
    pub(crate) fn repair_in_members(&self, request: &UnitRequest, findings: &mut [Diagnostic]) {
        let is_new = request.std.version.has_generic_pointers();
        if !is_new || !findings.iter().any(|finding| finding.severity == Severity::Error) {
            return;
        }
        let (old, new) = self.both_sides(request);
        for member in &judge(&self.db, old, new, &FxHashSet::default()).members {
            let MemberVerdict::Breaks(errors) = &member.verdict else { continue };
            let caused = |finding: &&mut Diagnostic| {
                finding.severity == Severity::Error && errors.iter().any(|error| error.place == finding.place)
            };
            for finding in findings.iter_mut().filter(caused) {
                finding.fixes.extend(fix(member, false));
            }
        }
    }
}

/// The finding about how a member fares under Metal 4.1.
pub fn migration_finding(member: &JudgedMember) -> Diagnostic {
    let name = &member.name;
    let place = member.definition.clone().unwrap_or_else(|| member.place.clone());
    let (code, message, related) = match &member.verdict {
        MemberVerdict::Breaks(errors) => {
            let message = format!(
                "`{name}` will not compile under Metal 4.1, where `this` is generic and its body needs it in thread \
                 memory; `thread` behind its parameters keeps it as it is"
            );
            (Code::BreaksIn41, message, errors.clone())
        }
        MemberVerdict::Changes(calls) => {
            let message = format!(
                "`{name}` will mean something else under Metal 4.1, where `this` is generic: a call in it chooses \
                 another function; `thread` behind its parameters keeps it as it is"
            );
            (Code::BecomesGenericIn41, message, calls.clone())
        }
        MemberVerdict::Follows(causes) => {
            let message = format!(
                "`{name}` becomes generic under Metal 4.1 and works on its own object through {}: with `thread` there, \
                 it needs `thread` too",
                list(causes)
            );
            (Code::BecomesGenericIn41, message, Vec::new())
        }
        MemberVerdict::Generic => {
            let message = format!(
                "`{name}` becomes generic under Metal 4.1: `this` can point to thread, threadgroup and device memory, \
                 and what it does stays the same"
            );
            (Code::BecomesGenericIn41, message, Vec::new())
        }
    };
    let mut finding = Diagnostic::new(code, Severity::Hint, place, message);
    finding.related = related;
    // What becomes generic and stays right needs nothing.
    if member.verdict != MemberVerdict::Generic {
        finding.fixes.extend(fix(member, true));
    }
    finding
}

fn unannotated(member: &JudgedMember, is_old: bool) -> Diagnostic {
    let message = if is_old {
        format!(
            "`{}` has no address space for `this`: that is thread memory now and generic from Metal 4.1 on; `thread` \
             behind its parameters keeps the meaning",
            member.name
        )
    } else {
        format!(
            "`{}` has no address space for `this`, so it is generic; before Metal 4.1 it was thread memory",
            member.name
        )
    };
    let mut finding =
        Diagnostic::new(Code::UnannotatedMemberFunction, Severity::Warning, member.place.clone(), message);
    // A member that is generic on purpose may be called on objects in other memory.
    if is_old || member.is_needed {
        finding.fixes.extend(fix(member, is_old));
    }
    finding
}

/// The repair: `thread`, here and where that spreads to.
fn fix(member: &JudgedMember, preferred: bool) -> Option<Fix> {
    let edits = member.annotation.clone().ok()?;
    let title = match member.spreads_to.len() {
        0 => format!("Add `thread` to `{}`", member.name),
        _ => format!(
            "Add `thread` to `{}` and to what calls it on its own object: {}",
            member.name,
            list(&member.spreads_to)
        ),
    };
    Some(Fix { title, kind: FixKind::QuickFix, preferred, edits })
}

fn list(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(SHOWN_NAMES).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(SHOWN_NAMES) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
