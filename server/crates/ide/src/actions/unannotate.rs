//! A function with address spaces in its signature, made generic (Metal 4.1): the words go, in all its declarations.

use msl_diagnostics::{Place, TextEdit};
use msl_parser::ast::*;

use super::{
    consolidate::{is_called_from_outside, remove_spaces},
    edits::EditBuilder,
    offers::{Action, ActionKind},
    overloads::{Form, SlotRole, form},
    verify::{Replacement, Verifier},
};
use crate::{
    analysis::{Analysis, UnitRequest},
    navigation::same_entity,
    view::View,
};

impl Analysis {
    /// Makes the function generic whose name, in one of its declarations, is wanted.
    pub(crate) fn generic_form(
        &self,
        request: &UnitRequest,
        wanted: &dyn Fn(&Place) -> bool,
        verifier: &mut Verifier<'_>,
    ) -> Option<Action> {
        if !request.std.version.has_generic_pointers() {
            return None;
        }
        let view = View::new(self, request);
        let layer = view.declarations();
        let sema = layer.sema(view.env);
        let ast = &view.env.ast;
        for of in &view.tree.functions {
            let decl = of.function;
            if !view.place_of(&layer, decl).is_some_and(|place| wanted(&place)) {
                continue;
            }
            let is_left = sema.stage_of(decl).is_some()
                || is_called_from_outside(ast, decl)
                || msl_ty::check::is_templated(&sema, decl);
            let DeclKind::Function(function) = &ast[decl].kind else { return None };
            if is_left || function.name_args.is_some() {
                return None;
            }
            let written = form(view.db, view.unit, view.env, decl);
            let with_body = named_slots(&written, true);
            if !with_body.iter().any(|&slot| written.slots[slot].role == SlotRole::Parameter) {
                return None;
            }
            let mut decls = same_entity(&sema, decl);
            decls.sort();
            let names: Vec<Place> = decls.iter().filter_map(|&decl| view.place_of(&layer, decl)).collect();
            let replacement = Replacement { old: names.iter().cloned().collect(), new: names.into_iter().collect() };
            let mut without = |slots: &[usize]| -> Result<Vec<TextEdit>, String> {
                let mut builder = EditBuilder::new(view.db, view.unit);
                remove_spaces(&mut builder, &view, &written, decl, &decls, slots);
                let edits = builder.finish()?;
                verifier.verify(&edits, &replacement)?;
                Ok(edits)
            };
            // What the body says of its own may be right as it is.
            let edits =
                without(&with_body).or_else(|reason| without(&named_slots(&written, false)).map_err(|_| reason));
            return Some(Action {
                id: "make-generic",
                title: format!(
                    "Make `{}` generic: take its address spaces away",
                    msl_ty::types::spell_name(function.name)
                ),
                kind: ActionKind::Rewrite,
                edits,
                replacement: Some(replacement),
                notes: Vec::new(),
            });
        }
        None
    }
}

/// The slots with a space that generic pointers cover: those of parameters, and with `and_body` those of the result and
/// the body that have the space of a parameter.
fn named_slots(form: &Form, and_body: bool) -> Vec<usize> {
    let is_covered = |slot: usize| {
        let slot = &form.slots[slot];
        slot.token.is_some() && slot.space.is_named() && slot.space.covered_by_generic()
    };
    let role = |slot: usize| form.slots[slot].role;
    let all = (0..form.slots.len()).filter(|&slot| is_covered(slot));
    let parameters: Vec<usize> = all.clone().filter(|&slot| role(slot) == SlotRole::Parameter).collect();
    let follows = |slot: usize| parameters.iter().any(|&other| form.slots[other].space == form.slots[slot].space);
    all.filter(|&slot| match role(slot) {
        SlotRole::Parameter => true,
        SlotRole::Result => follows(slot),
        SlotRole::Body => and_body && follows(slot),
        SlotRole::Deep | SlotRole::Storage => false,
    })
    .collect()
}
