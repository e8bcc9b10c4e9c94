//! Refactorings of what is selected: changes that keep what the program does and move where it says it.
//!
//! Vocabulary:
//!
//! * A *selection* is a range of a file that holds exactly one expression or a run of statements of one block.
//! * The *anchor* of an expression is the statement in front of which the expression can be computed instead.
//! * *Effects* are what code reads and writes: local variables by their declaration, everything else as memory. Code may
//!   move over other code only where neither writes what the other one reads or writes.
//! * A refactoring is *built* from the layer of one body, which costs little, and *verified* by a check of the unit with
//!   its edits, which costs as much as an edit does. An editor shows what is built and verifies what is chosen.
//!
//! [`statements`] is the tree of a body's statements, [`effects`] what they do, [`selection`] what is selected.
//! [`extract_variable`], [`extract_function`], [`inline_variable`], [`stage_in`], [`branches`] and [`spell_out`] are the
//! refactorings, [`names`] invents names.

mod branches;
mod effects;
mod extract_function;
mod extract_variable;
mod inline_variable;
mod names;
mod sample;
mod selection;
mod spell_out;
mod stage_in;
mod statements;
mod text;
mod uses;

use std::sync::Arc;

use msl_diagnostics::{Diagnostic, Group, Tag, TextEdit, TextRange};
use rustc_hash::FxHashMap;

use super::{
    offers::{Action, ActionKind},
    verify::{EditMap, Replacement},
};
use crate::{
    analysis::{Analysis, UnitRequest},
    view::View,
};
use selection::Selection;

/// One way to write a refactoring. Of several, the first that keeps the unit right is taken.
type Ways = Vec<Result<Vec<TextEdit>, String>>;

/// A refactoring that is built and not verified.
struct Built {
    id: &'static str,
    title: String,
    kind: ActionKind,
    /// Never empty.
    ways: Ways,
}

impl Built {
    fn refused(id: &'static str, title: &str, kind: ActionKind, reason: impl Into<String>) -> Built {
        Built { id, title: title.to_owned(), kind, ways: vec![Err(reason.into())] }
    }

    fn into_action(self, edits: Result<Vec<TextEdit>, String>) -> Action {
        Action { id: self.id, title: self.title, kind: self.kind, edits, replacement: None, notes: Vec::new() }
    }
}

impl Analysis {
    /// The refactorings of what is selected, refused ones included, before they are verified. A caret is an empty range.
    pub fn refactorings(&self, request: &UnitRequest, path: &Arc<str>, range: TextRange) -> Vec<Action> {
        let built = self.build_refactorings(request, path, range);
        built
            .into_iter()
            .map(|mut built| {
                let first = built.ways.swap_remove(0);
                built.into_action(first)
            })
            .collect()
    }

    /// One of them, verified.
    pub fn refactoring(&self, request: &UnitRequest, path: &Arc<str>, range: TextRange, id: &str) -> Option<Action> {
        let mut built = self.build_refactorings(request, path, range).into_iter().find(|built| built.id == id)?;
        let mut refusal = None;
        for way in std::mem::take(&mut built.ways) {
            let verified = way.and_then(|edits| self.keeps(request, &edits).map(|()| edits));
            match verified {
                Ok(edits) => return Some(built.into_action(Ok(edits))),
                Err(reason) => refusal = refusal.or(Some(reason)),
            }
        }
        let reason = refusal.unwrap_or_default();
        Some(built.into_action(Err(reason)))
    }

    fn build_refactorings(&self, request: &UnitRequest, path: &Arc<str>, range: TextRange) -> Vec<Built> {
        let view = View::new(self, request);
        let mut found = Vec::new();
        if range.start < range.end
            && let Some(selection) = Selection::of(&view, path, range)
        {
            found.extend(extract_variable::build(&view, &selection));
            found.extend(extract_function::build(&view, &selection));
        }
        found.extend(inline_variable::build(&view, path, range));
        found.extend(stage_in::build(&view, path, range));
        found.extend(branches::build(&view, path, range));
        found.extend(spell_out::build_auto(&view, path, range));
        found.extend(spell_out::build_macro(&view, path, range));
        found
    }

    /// Checks that edits which move code bring no finding that was not there before; what is found in code that moves
    /// moves with it. Every call that stays calls what it called.
    fn keeps(&self, request: &UnitRequest, edits: &[TextEdit]) -> Result<(), String> {
        let map = EditMap::new(edits);
        let edited = self.edited(request, &map);
        let version = request.std.version;
        let count = |analysis: &Analysis| {
            let mut counts: FxHashMap<&'static str, i64> = FxHashMap::default();
            let found = analysis.check_under(request, version).diagnostics;
            // What can be left out in the result could be before, or is there to be used next.
            let counts_for = |finding: &&Diagnostic| {
                finding.code.group() != Group::Migration && finding.code.tag() != Some(Tag::Unnecessary)
            };
            for finding in found.iter().filter(counts_for) {
                *counts.entry(finding.code.as_str()).or_default() += 1;
            }
            (counts, found)
        };
        let (before, _) = count(self);
        let (after, found) = count(&edited);
        let more = |finding: &&Diagnostic| {
            let code = finding.code.as_str();
            after.get(code).copied().unwrap_or_default() > before.get(code).copied().unwrap_or_default()
        };
        if let Some(finding) = found.iter().find(more) {
            return Err(format!("the result would get the finding `{}`: {}", finding.code, finding.message));
        }
        self.same_calls(request, &edited, &map, &Replacement::default())
    }
}
