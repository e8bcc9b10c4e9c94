//! Whether a change keeps a unit right: nothing new is reported, and every call still calls what it did.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use msl_db::Db;
use msl_diagnostics::{Code, Diagnostic, Group, Place, Severity, Tag, TextEdit, TextRange};
use msl_ty::expr::Facts;
use rustc_hash::{FxHashMap, FxHashSet};

use super::edits::apply;
use crate::{
    analysis::{Analysis, UnitRequest},
    view::{Layer, View},
};

/// Edits of files, as a map from places before to places after.
#[derive(Debug, Default)]
pub struct EditMap {
    by_file: FxHashMap<Arc<str>, Vec<TextEdit>>,
}

impl EditMap {
    /// `edits` must be in order of place and must not overlap.
    pub fn new(edits: &[TextEdit]) -> EditMap {
        let mut by_file: FxHashMap<Arc<str>, Vec<TextEdit>> = FxHashMap::default();
        for edit in edits {
            by_file.entry(edit.place.path.clone()).or_default().push(edit.clone());
        }
        EditMap { by_file }
    }

    /// The files that change.
    pub fn files(&self) -> impl Iterator<Item = &Arc<str>> {
        self.by_file.keys()
    }

    /// A file's text after the edits.
    pub fn apply(&self, path: &str, text: &[u8]) -> Vec<u8> {
        apply(text, self.by_file.get(path).into_iter().flatten())
    }

    /// Where a place is after the edits; `None` if it is in what was taken out.
    pub fn forward(&self, place: &Place) -> Option<Place> {
        let Some(edits) = self.by_file.get(&place.path) else { return Some(place.clone()) };
        let TextRange { start, end } = place.range;
        let mut shift_start = 0i64;
        let mut shift_end = 0i64;
        for edit in edits {
            let range = edit.place.range;
            let change = edit.new_text.len() as i64 - i64::from(range.end - range.start);
            if range.start <= start && start < range.end && end <= range.end {
                return None;
            }
            if range.end <= start {
                shift_start += change;
            }
            if range.end <= end && range.start < end || range.end <= start {
                shift_end += change;
            }
        }
        let shifted = |offset: u32, shift: i64| (i64::from(offset) + shift).max(0) as u32;
        let range = TextRange::new(shifted(start, shift_start), shifted(end, shift_end));
        Some(Place { path: place.path.clone(), range })
    }
}

impl EditMap {
    /// Where the start of a place is after the edits, what is put in there included; an empty place.
    pub(crate) fn forward_start(&self, place: &Place) -> Place {
        let start = i64::from(place.range.start);
        let edits = self.by_file.get(&place.path).into_iter().flatten();
        let change =
            |edit: &TextEdit| edit.new_text.len() as i64 - i64::from(edit.place.range.end - edit.place.range.start);
        let shift: i64 = edits
            .filter(|edit| edit.place.range.end <= place.range.start && i64::from(edit.place.range.start) < start)
            .map(change)
            .sum();
        let at = (start + shift).max(0) as u32;
        Place { path: place.path.clone(), range: TextRange::new(at, at) }
    }

    /// Whether a place after the edits lies in what an edit put in.
    fn is_inserted(&self, place: &Place) -> bool {
        let Some(edits) = self.by_file.get(&place.path) else { return false };
        let mut shift = 0i64;
        for edit in edits {
            let start = i64::from(edit.place.range.start) + shift;
            let end = start + edit.new_text.len() as i64;
            if start <= i64::from(place.range.start) && i64::from(place.range.end) <= end {
                return true;
            }
            shift += edit.new_text.len() as i64 - i64::from(edit.place.range.end - edit.place.range.start);
        }
        false
    }

    /// Where a place after the edits was before; in what an edit put in, where that edit is.
    pub fn back(&self, place: &Place) -> Place {
        let Some(edits) = self.by_file.get(&place.path) else { return place.clone() };
        let back = |offset: u32| {
            let mut shift = 0i64;
            for edit in edits {
                let start = i64::from(edit.place.range.start) + shift;
                if i64::from(offset) <= start {
                    break;
                }
                if i64::from(offset) < start + edit.new_text.len() as i64 {
                    return edit.place.range.start;
                }
                let removed = edit.place.range.end - edit.place.range.start;
                shift += edit.new_text.len() as i64 - i64::from(removed);
            }
            (i64::from(offset) - shift).max(0) as u32
        };
        let start = back(place.range.start);
        let range = TextRange::new(start, back(place.range.end).max(start));
        Place { path: place.path.clone(), range }
    }
}

/// What a change may do to calls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replacement {
    /// The names of the functions, in all their declarations, that are replaced.
    pub old: FxHashSet<Place>,
    /// The names, before the edits, of what stands for them.
    pub new: FxHashSet<Place>,
}

impl Analysis {
    /// Checks that edits keep a unit right; the reason if they do not.
    pub fn verify(&self, request: &UnitRequest, edits: &[TextEdit], replacement: &Replacement) -> Result<(), String> {
        Verifier::new(self, request).verify(edits, replacement)
    }

    /// The unit after edits, as an analyser of its own.
    pub(crate) fn edited(&self, request: &UnitRequest, edits: &EditMap) -> Analysis {
        let view = View::new(self, request);
        let mut edited = self.fresh();
        for file in view.preprocessed.map.files() {
            if let Some(path) = view.db.shared().path(file)
                && let Some(text) = self.text(path)
            {
                edited.open(path, edits.apply(path, &text).into());
            }
        }
        edited
    }

    /// Checks that every call that edits leave calls what it called, or what stands for it; the reason if one does not.
    pub(crate) fn same_calls(
        &self,
        request: &UnitRequest,
        edited: &Analysis,
        map: &EditMap,
        replacement: &Replacement,
    ) -> Result<(), String> {
        let of = |analysis: &Analysis| Judged { findings: Vec::new(), calls: calls(&View::new(analysis, request)) };
        match first_other_call(&of(self), &of(edited), map, replacement) {
            Some(call) => {
                let line = line_in(&self.text(&call.path).unwrap_or_default(), call.range.start);
                Err(format!("the call in {}:{line} would choose another function", call.path))
            }
            None => Ok(()),
        }
    }
}

/// Checks changes of one unit, one after the other.
///
/// The edited texts are judged in a second analyser that stays from change to change, so that what a change does not
/// touch is judged once.
pub(crate) struct Verifier<'a> {
    analysis: &'a Analysis,
    request: &'a UnitRequest,
    before: Option<Judged>,
    edited: Option<Edited>,
}

/// What a unit says about itself.
struct Judged {
    findings: Vec<Diagnostic>,
    calls: BTreeMap<Place, BTreeSet<Place>>,
}

impl Judged {
    fn of(analysis: &Analysis, request: &UnitRequest) -> Judged {
        let findings = analysis.check_under(request, request.std.version).diagnostics;
        Judged { findings, calls: calls(&View::new(analysis, request)) }
    }
}

/// The unit with the edits of the last change made.
struct Edited {
    analysis: Analysis,
    /// The files that differ from what they are without edits.
    changed: Vec<Arc<str>>,
}

impl<'a> Verifier<'a> {
    pub(crate) fn new(analysis: &'a Analysis, request: &'a UnitRequest) -> Verifier<'a> {
        Verifier { analysis, request, before: None, edited: None }
    }

    /// The unit after edits.
    pub(crate) fn edited(&mut self, map: &EditMap) -> &Analysis {
        let analysis = self.analysis;
        let is_first = self.edited.is_none();
        let Edited { analysis: edited, changed } = self
            .edited
            .get_or_insert_with(|| Edited { analysis: analysis.edited(self.request, map), changed: Vec::new() });
        if !is_first {
            for path in changed.iter().filter(|path| !map.by_file.contains_key(*path)) {
                edited.edit(path, analysis.text(path).unwrap_or_default());
            }
            for path in map.files() {
                edited.edit(path, map.apply(path, &analysis.text(path).unwrap_or_default()).into());
            }
        }
        *changed = map.files().cloned().collect();
        edited
    }

    /// Checks that edits keep the unit right; the reason if they do not.
    pub(crate) fn verify(&mut self, edits: &[TextEdit], replacement: &Replacement) -> Result<(), String> {
        self.verify_but(edits, replacement, None)
    }

    /// As [`Verifier::verify`], but findings of one code may appear.
    pub(crate) fn verify_but(
        &mut self,
        edits: &[TextEdit],
        replacement: &Replacement,
        uncovers: Option<Code>,
    ) -> Result<(), String> {
        let (analysis, request) = (self.analysis, self.request);
        let map = EditMap::new(edits);
        let after = Judged::of(self.edited(&map), request);
        let before = self.before.get_or_insert_with(|| Judged::of(analysis, request));
        let line = |place: &Place| line_in(&analysis.text(&place.path).unwrap_or_default(), place.range.start);
        if let Some(finding) = first_new(&before.findings, &after.findings, &map, uncovers) {
            let place = map.back(&finding.place);
            let line = line(&place);
            return Err(format!("{}:{line} would get the finding `{}`: {}", place.path, finding.code, finding.message));
        }
        match first_other_call(before, &after, &map, replacement) {
            Some(call) => Err(format!("the call in {}:{} would choose another function", call.path, line(call))),
            None => Ok(()),
        }
    }

    /// Whether edits take errors away.
    pub(crate) fn has_fewer_errors(&mut self, edits: &[TextEdit]) -> bool {
        let request = self.request;
        let errors = |analysis: &Analysis| {
            let found = analysis.check_under(request, request.std.version).diagnostics;
            found.iter().filter(|finding| finding.severity == Severity::Error).count()
        };
        let after = errors(self.edited(&EditMap::new(edits)));
        after < errors(self.analysis)
    }
}

/// The first call that calls something else than it did.
fn first_other_call<'j>(
    before: &'j Judged,
    after: &Judged,
    map: &EditMap,
    replacement: &Replacement,
) -> Option<&'j Place> {
    let is_library = |place: &Place| place.path.starts_with('<');
    before.calls.iter().find_map(|(call, callees)| {
        let moved = map.forward(call)?;
        let expected: FxHashSet<Place> = callees
            .iter()
            .flat_map(|callee| match replacement.old.contains(callee) {
                true => replacement.new.iter().filter_map(|new| map.forward(new)).collect(),
                false => map.forward(callee).into_iter().collect::<Vec<Place>>(),
            })
            .collect();
        let of_library = callees.iter().all(is_library);
        let is_replaced = callees.iter().any(|callee| replacement.old.contains(callee));
        let fits = after.calls.get(&moved).is_some_and(|now| {
            now.iter().all(|callee| {
                expected.contains(callee) || of_library && is_library(callee) || is_replaced && map.is_inserted(callee)
            })
        });
        (!fits).then_some(call)
    })
}

/// A line, counted from 1.
fn line_in(text: &[u8], offset: u32) -> usize {
    text.iter().take(offset as usize).filter(|&&byte| byte == b'\n').count() + 1
}

/// The first finding that was not there before. Findings about migration come and go with what they are about.
fn first_new<'d>(
    before: &[Diagnostic],
    after: &'d [Diagnostic],
    map: &EditMap,
    uncovers: Option<Code>,
) -> Option<&'d Diagnostic> {
    let known: FxHashSet<(&str, Place)> =
        before.iter().filter_map(|finding| Some((finding.code.as_str(), map.forward(&finding.place)?))).collect();
    after
        .iter()
        .filter(|finding| finding.code.group() != Group::Migration && Some(finding.code) != uncovers)
        .filter(|finding| finding.code.tag() != Some(Tag::Unnecessary))
        .find(|finding| !known.contains(&(finding.code.as_str(), finding.place.clone())))
}

/// What each call of a unit calls, over all instances; by their places.
fn calls(view: &View<'_>) -> BTreeMap<Place, BTreeSet<Place>> {
    let mut found: BTreeMap<Place, BTreeSet<Place>> = BTreeMap::new();
    for layer in view.layers() {
        add_calls(view, &layer, layer.facts, &mut found);
        for facts in view.instances_of(&layer) {
            add_calls(view, &layer, facts, &mut found);
        }
    }
    found
}

fn add_calls(view: &View<'_>, layer: &Layer<'_>, facts: &Facts, found: &mut BTreeMap<Place, BTreeSet<Place>>) {
    for (&expr, item) in &facts.callees {
        let call = view.places.place(layer.body, layer.ast()[expr].range);
        if let (Some((call, _)), Some(callee)) = (call, view.place_of(layer, item.decl)) {
            found.entry(call).or_default().insert(callee);
        }
    }
    for (&variable, item) in &facts.constructors {
        if let (Some(variable), Some(constructor)) = (view.place_of(layer, variable), view.place_of(layer, item.decl)) {
            found.entry(variable).or_default().insert(constructor);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_move_with_edits() {
        let place = |start, end| Place { path: "a".into(), range: TextRange::new(start, end) };
        let edit = |start, end, text: &str| TextEdit { place: place(start, end), new_text: text.into() };
        let map = EditMap::new(&[edit(2, 4, ""), edit(10, 10, "xyz")]);
        assert_eq!(map.forward(&place(0, 1)), Some(place(0, 1)));
        assert_eq!(map.forward(&place(2, 3)), None);
        assert_eq!(map.forward(&place(5, 7)), Some(place(3, 5)));
        assert_eq!(map.forward(&place(10, 12)), Some(place(11, 13)));
        assert_eq!(map.forward(&place(1, 7)), Some(place(1, 5)));
        assert_eq!(map.forward(&place(7, 10)), Some(place(5, 8)));
        for (start, end) in [(0, 1), (5, 7), (10, 12), (7, 9)] {
            assert_eq!(map.back(&map.forward(&place(start, end)).unwrap()), place(start, end));
        }
        assert_eq!(map.back(&place(9, 10)).range.start, 10);
        assert_eq!(map.apply("a", b"0123456789ab"), b"01456789xyzab");
    }
}
