//! What an editor offers at a place.

use std::sync::Arc;

use msl_diagnostics::{Place, TextEdit, TextRange};
use rustc_hash::FxHashSet;

use super::{
    consolidate::{Depth, OverloadFamily},
    verify::{Replacement, Verifier},
};
use crate::analysis::{Analysis, UnitRequest};

/// A change that is offered at a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// Which family of changes it belongs to; never renamed.
    pub id: &'static str,
    pub title: String,
    pub kind: ActionKind,
    /// In order of place, none overlapping; or why the change is not right here.
    pub edits: Result<Vec<TextEdit>, String>,
    /// If the change replaces functions, what becomes of their calls: units that were not looked at have to be verified.
    pub replacement: Option<Replacement>,
    /// What the author should look at afterwards.
    pub notes: Vec<String>,
}

/// What sort of change an action is; the names are those of LSP code action kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ActionKind {
    QuickFix,
    Rewrite,
    Extract,
    Inline,
    /// Orders the includes of a file.
    OrganizeImports,
    /// All certain repairs of a file.
    FixAll,
}

impl ActionKind {
    pub const fn as_str(self) -> &'static str {
        match self {
            ActionKind::QuickFix => "quickfix",
            ActionKind::Rewrite => "refactor.rewrite",
            ActionKind::Extract => "refactor.extract",
            ActionKind::Inline => "refactor.inline",
            ActionKind::OrganizeImports => "source.organizeImports",
            ActionKind::FixAll => "source.fixAll.msl-analyzer",
        }
    }
}

impl Action {
    fn rewrite(id: &'static str, title: String, edits: Result<Vec<TextEdit>, String>) -> Action {
        Action { id, title, kind: ActionKind::Rewrite, edits, replacement: None, notes: Vec::new() }
    }
}

impl Analysis {
    /// The actions at a range of a file, refused ones included.
    pub fn actions(&self, request: &UnitRequest, path: &Arc<str>, range: TextRange) -> Vec<Action> {
        let mut actions = Vec::new();
        let mut verifier = Verifier::new(self, request);
        self.offer_members(request, path, range, &mut verifier, &mut actions);
        self.offer_consolidation(request, path, range, &mut verifier, &mut actions);
        self.offer_specialization(request, path, range, &mut verifier, &mut actions);
        self.offer_casts(request, path, range, &mut verifier, &mut actions);
        self.offer_for_hot_loops(request, path, range, &mut verifier, &mut actions);
        self.offer_struct_members(request, path, range, &mut verifier, &mut actions);
        let touched = |place: &Place| place.path == *path && touches(place.range, range);
        actions.extend(self.generic_form(request, &touched, &mut verifier));
        actions
    }

    /// The actions of a whole unit, refused ones included; for tests and batch runs.
    pub fn all_actions(&self, request: &UnitRequest) -> Vec<Action> {
        self.all_actions_with(request, &mut Verifier::new(self, request))
    }

    /// See [`Analysis::all_actions`].
    pub(crate) fn all_actions_with(&self, request: &UnitRequest, verifier: &mut Verifier<'_>) -> Vec<Action> {
        let mut actions = Vec::new();
        let members = self.judge_members(request, &FxHashSet::default()).members;
        let needed: Vec<_> = members.iter().filter(|member| member.is_needed).collect();
        if !needed.is_empty() {
            let edits = together(needed.iter().map(|member| &member.own_annotation));
            actions.push(Action::rewrite(
                "annotate-needed-members",
                "Add `thread` where it is needed".to_owned(),
                edits,
            ));
        }
        for family in self.families_with(request, Depth::Calls, &|_| true, verifier) {
            actions.push(consolidation(family));
        }
        for place in self.generic_functions(request) {
            let Some(found) = self.specialization_with(request, &|other| *other == place, verifier) else { continue };
            let title = format!("Replace generic `{}` by overloads for {} memory", found.name, found.spaces);
            let mut overloads = Action::rewrite("generate-overloads", title, found.overloads);
            overloads.replacement = Some(found.replacement.clone());
            actions.push(overloads);
            if let Some(template) = found.template {
                let title = format!("Make `{}` a template", found.name);
                let mut template = Action::rewrite("template-on-pointer", title, template);
                template.replacement = Some(found.replacement);
                actions.push(template);
            }
        }
        actions.extend(self.all_casts(request, verifier));
        actions.extend(self.all_for_hot_loops(request, verifier));
        actions
    }

    fn offer_members(
        &self,
        request: &UnitRequest,
        path: &Arc<str>,
        range: TextRange,
        verifier: &mut Verifier<'_>,
        actions: &mut Vec<Action>,
    ) {
        let judgement = self.judge_members(request, &FxHashSet::default());
        let in_file: Vec<_> = judgement.members.iter().filter(|member| member.place.path == *path).collect();
        let touched = |place: &Place| place.path == *path && touches(place.range, range);
        for member in &judgement.members {
            if !touched(&member.place) && !member.definition.as_ref().is_some_and(touched) {
                continue;
            }
            let title = format!("Add `thread` to `{}`", member.name);
            let mut edits = member.annotation.clone();
            if request.std.version.has_generic_pointers() && !member.is_needed {
                // It may be called on objects in other memory.
                let verified = |edits: Vec<TextEdit>| verifier.verify(&edits, &Replacement::default()).map(|()| edits);
                edits = edits.and_then(verified);
            }
            actions.push(Action::rewrite("annotate-member", title, edits));
            let needed: Vec<_> = judgement.members.iter().filter(|member| member.is_needed).collect();
            if !needed.is_empty() {
                let title = format!("Add `thread` to the {} that need it for Metal 4.1", members(needed.len()));
                let edits = together(needed.iter().map(|member| &member.own_annotation));
                actions.push(Action::rewrite("annotate-needed-members", title, edits));
            }
            if in_file.len() > 1 {
                let title =
                    format!("Add `thread` to all {} of this file without an address space", members(in_file.len()));
                let edits = together(in_file.iter().map(|member| &member.own_annotation));
                actions.push(Action::rewrite("annotate-all-members", title, edits));
            }
            break;
        }
    }

    fn offer_consolidation(
        &self,
        request: &UnitRequest,
        path: &Arc<str>,
        range: TextRange,
        verifier: &mut Verifier<'_>,
        actions: &mut Vec<Action>,
    ) {
        let touched = |place: &Place| place.path == *path && touches(place.range, range);
        for family in self.families_with(request, Depth::Calls, &touched, verifier) {
            actions.push(consolidation(family));
        }
        if !actions.iter().any(|action| action.id == "consolidate-overloads" && action.edits.is_ok()) {
            return;
        }
        let all = self.families_with(request, Depth::Calls, &|_| true, verifier);
        let all: Vec<OverloadFamily> = all.into_iter().filter(|family| family.edits.is_ok()).collect();
        if all.len() < 2 {
            return;
        }
        let title = format!("Replace all {} families of overloads by generic functions", all.len());
        let edits = together(all.iter().map(|family| &family.edits));
        let replacement = Replacement {
            old: all.iter().flat_map(|family| family.replacement.old.iter().cloned()).collect(),
            new: all.iter().flat_map(|family| family.replacement.new.iter().cloned()).collect(),
        };
        // One by one they keep the unit right; together they have to as well.
        if edits.as_ref().is_ok_and(|edits| verifier.verify(edits, &replacement).is_ok()) {
            let mut action = Action::rewrite("consolidate-all-overloads", title, edits);
            action.notes = all.into_iter().flat_map(|family| family.notes).collect();
            action.replacement = Some(replacement);
            actions.push(action);
        }
    }
}

impl Analysis {
    fn offer_specialization(
        &self,
        request: &UnitRequest,
        path: &Arc<str>,
        range: TextRange,
        verifier: &mut Verifier<'_>,
        actions: &mut Vec<Action>,
    ) {
        let touched = |place: &Place| place.path == *path && touches(place.range, range);
        let Some(found) = self.specialization_with(request, &touched, verifier) else { return };
        let title = format!("Replace generic `{}` by overloads for {} memory", found.name, found.spaces);
        let mut overloads = Action::rewrite("generate-overloads", title, found.overloads);
        overloads.replacement = Some(found.replacement.clone());
        actions.push(overloads);
        if let Some(template) = found.template {
            let title = format!("Make `{}` a template with an instance for each address space", found.name);
            let mut template = Action::rewrite("template-on-pointer", title, template);
            template.replacement = Some(found.replacement);
            actions.push(template);
        }
    }
}

fn consolidation(family: OverloadFamily) -> Action {
    let title = match family.count {
        0 => format!("Replace overloads of `{}` by one generic function", family.name),
        count => format!("Replace {count} overloads of `{}` by one generic function", family.name),
    };
    let mut action = Action::rewrite("consolidate-overloads", title, family.edits);
    action.notes = family.notes;
    action.replacement = Some(family.replacement);
    action
}

fn members(count: usize) -> String {
    match count {
        1 => "1 member function".to_owned(),
        _ => format!("{count} member functions"),
    }
}

/// Edits of several changes; the first refusal if there is one.
fn together<'e>(all: impl Iterator<Item = &'e Result<Vec<TextEdit>, String>>) -> Result<Vec<TextEdit>, String> {
    let edits = all.cloned().collect::<Result<Vec<_>, String>>()?;
    Ok(super::edits::merged(edits.into_iter().flatten().collect()))
}

fn touches(place: TextRange, range: TextRange) -> bool {
    place.start <= range.end && range.start <= place.end
}
