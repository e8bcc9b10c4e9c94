//! Whether the actions of a unit keep their promise: each is made in memory, and the unit is judged again.
//!
//! The promise: nothing is reported that was not reported before, every call still calls what it did, and what was done
//! is not offered a second time. A repair of a finding also takes that finding away; it may uncover one of its own code,
//! as where two literals of one expression are `float`.
//!
//! Vocabulary:
//!
//! * A *trial* is one action with what became of it.
//! * A *batch* is trials that are made together, because judging a unit again takes long: actions of one family whose
//!   edits do not meet. A batch that breaks the promise is cut in two until the action that does it is alone.

use msl_diagnostics::{Diagnostic, Fix, Place, Severity, TextEdit};
use rustc_hash::FxHashMap;

use super::{
    edits::merged,
    offers::Action,
    verify::{EditMap, Replacement, Verifier},
};
use crate::{
    analysis::{Analysis, UnitRequest},
    view::View,
};

/// An action and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The family of the action, or the code of the finding that it repairs.
    pub id: &'static str,
    pub title: String,
    /// Its first edit; `None` for what is refused.
    pub place: Option<Place>,
    pub outcome: TrialOutcome,
}

/// What became of an action.
#[derive(Clone, Debug, PartialEq)]
pub enum TrialOutcome {
    /// It was not offered, and why.
    Refused(String),
    Kept,
    /// In what way it breaks the promise.
    Broken(String),
}

/// Something to try.
struct Candidate {
    id: &'static str,
    title: String,
    edits: Vec<TextEdit>,
    replacement: Option<Replacement>,
    /// What it repairs.
    finding: Option<Diagnostic>,
}

impl Candidate {
    fn first(&self) -> Option<&Place> {
        self.edits.first().map(|edit| &edit.place)
    }

    fn meets(&self, other: &TextEdit) -> bool {
        self.edits.iter().any(|edit| {
            let (a, b) = (edit.place.range, other.place.range);
            edit.place.path == other.place.path && a.start <= b.end && b.start <= a.end
        })
    }
}

impl Analysis {
    /// Tries every action that is offered somewhere in a unit, and every repair of a finding in it; of errors only the
    /// preferred one.
    pub fn try_actions(&self, request: &UnitRequest) -> Vec<Trial> {
        let mut verifier = Verifier::new(self, request);
        let mut trials: Vec<Trial> = Vec::new();
        let mut by_family: Vec<(&'static str, Vec<Candidate>)> = Vec::new();
        let mut add = |candidate: Candidate| match by_family.iter_mut().find(|(id, _)| *id == candidate.id) {
            Some((_, of_family)) => of_family.push(candidate),
            None => by_family.push((candidate.id, vec![candidate])),
        };
        for Action { id, title, edits, replacement, .. } in self.all_actions_with(request, &mut verifier) {
            match edits {
                Ok(edits) => add(Candidate { id, title, edits, replacement, finding: None }),
                Err(reason) => {
                    trials.push(Trial { id, title, place: None, outcome: TrialOutcome::Refused(reason) });
                }
            }
        }
        for action in self.some_generic_forms(request, &mut verifier) {
            match action.edits {
                Ok(edits) => {
                    let (id, title, replacement) = (action.id, action.title, action.replacement);
                    add(Candidate { id, title, edits, replacement, finding: None });
                }
                Err(reason) => {
                    let (id, title) = (action.id, action.title);
                    trials.push(Trial { id, title, place: None, outcome: TrialOutcome::Refused(reason) });
                }
            }
        }
        for finding in self.check(request).diagnostics {
            // What is wrong already can be repaired in several ways, of which the author knows the right one.
            let is_choice = |fix: &Fix| finding.severity == Severity::Error && !fix.preferred;
            for fix in finding.fixes.iter().filter(|fix| !is_choice(fix)) {
                let (id, title, edits) = (finding.code.as_str(), fix.title.clone(), merged(fix.edits.clone()));
                add(Candidate { id, title, edits, replacement: None, finding: Some(finding.clone()) });
            }
        }
        for (_, candidates) in by_family {
            for batch in batches(candidates) {
                try_batch(&mut verifier, request, batch, &mut trials);
            }
        }
        trials
    }
}

/// So many functions of a unit are made generic, from its first to its last.
const MAX_GENERIC: usize = 4;

impl Analysis {
    /// Some functions made generic: nearly every function can be, and each takes a check of the unit.
    fn some_generic_forms(&self, request: &UnitRequest, verifier: &mut Verifier<'_>) -> Vec<Action> {
        let names: Vec<Place> = {
            let view = View::new(self, request);
            let layer = view.declarations();
            view.tree.functions.iter().filter_map(|of| view.place_of(&layer, of.function)).collect()
        };
        let step = (names.len() / (4 * MAX_GENERIC)).max(1);
        let offered =
            names.iter().step_by(step).filter_map(|name| self.generic_form(request, &|it| it == name, verifier));
        offered.take(MAX_GENERIC).collect()
    }
}

/// Candidates whose edits do not meet, in as few batches as a first fit gives. What replaces functions is on its own.
fn batches(candidates: Vec<Candidate>) -> Vec<Vec<Candidate>> {
    let mut batches: Vec<Vec<Candidate>> = Vec::new();
    for candidate in candidates {
        let fits = |batch: &&mut Vec<Candidate>| {
            candidate.replacement.is_none()
                && batch
                    .iter()
                    .all(|other| other.replacement.is_none() && !other.edits.iter().any(|edit| candidate.meets(edit)))
        };
        match batches.iter_mut().find(fits) {
            Some(batch) => batch.push(candidate),
            None => batches.push(vec![candidate]),
        }
    }
    batches
}

fn try_batch(verifier: &mut Verifier<'_>, request: &UnitRequest, mut batch: Vec<Candidate>, trials: &mut Vec<Trial>) {
    let broken = broken_promise(verifier, request, &batch);
    if broken.is_some() && batch.len() > 1 {
        let rest = batch.split_off(batch.len() / 2);
        try_batch(verifier, request, batch, trials);
        return try_batch(verifier, request, rest, trials);
    }
    let outcome = broken.map_or(TrialOutcome::Kept, TrialOutcome::Broken);
    trials.extend(batch.into_iter().map(|candidate| Trial {
        id: candidate.id,
        place: candidate.first().cloned(),
        title: candidate.title,
        outcome: outcome.clone(),
    }));
}

/// In what way the promise is broken by actions that are made together.
fn broken_promise(verifier: &mut Verifier<'_>, request: &UnitRequest, batch: &[Candidate]) -> Option<String> {
    let edits = merged(batch.iter().flat_map(|candidate| candidate.edits.iter().cloned()).collect());
    let replacement = batch.first().and_then(|candidate| candidate.replacement.clone()).unwrap_or_default();
    let uncovers = batch.first().and_then(|candidate| candidate.finding.as_ref()).map(|finding| finding.code);
    if let Err(reason) = verifier.verify_but(&edits, &replacement, uncovers) {
        return Some(reason);
    }
    let map = EditMap::new(&edits);
    let edited = verifier.edited(&map);
    if let [Candidate { id, title, finding: None, .. }] = batch {
        // The same change of the same place.
        let at = map.forward_start(batch[0].first()?);
        let again = edited.actions(request, &at.path, at.range);
        let is_it = |action: &&Action| action.id == *id && action.title == *title && action.edits.is_ok();
        return again.iter().find(is_it).map(|_| "it is offered again".to_owned());
    }
    let mut offered: FxHashMap<Place, Vec<String>> = FxHashMap::default();
    if batch.iter().any(|candidate| candidate.finding.is_none()) {
        for action in edited.all_actions(request).into_iter().filter(|action| action.id == batch[0].id) {
            let edits = action.edits.iter().flatten();
            edits.take(1).for_each(|edit| offered.entry(edit.place.clone()).or_default().push(action.title.clone()));
        }
    }
    let after = match batch.iter().any(|candidate| candidate.finding.is_some()) {
        true => edited.check(request).diagnostics,
        false => Vec::new(),
    };
    batch.iter().find_map(|candidate| match &candidate.finding {
        None => {
            let at = map.forward_start(candidate.first()?);
            let is_offered = |(place, titles): (&Place, &Vec<String>)| {
                place.path == at.path && place.range.start == at.range.start && titles.contains(&candidate.title)
            };
            offered.iter().any(is_offered).then(|| "it is offered again".to_owned())
        }
        Some(finding) => {
            let is_left = |other: &&Diagnostic| {
                other.code == finding.code
                    && map.back(&other.place) == finding.place
                    && other.message == finding.message
            };
            after.iter().find(is_left).map(|_| "it is still reported".to_owned())
        }
    })
}
