//! The entry points of a file and the resources that each takes.

use std::sync::Arc;

use msl_diagnostics::TextRange;
use msl_parser::ast::*;
use msl_ty::{DeclRef, Sema, store::BindId};

use crate::{
    analysis::{Analysis, UnitRequest},
    view::{View, has_name},
};

/// The tables of resources, by the attribute that gives a place in one (MSL spec §5.2.1).
const TABLES: [&str; 4] = ["buffer", "texture", "sampler", "threadgroup"];

/// A function or class that can be named from elsewhere in its program.
#[derive(Clone, Debug, PartialEq)]
pub struct Declared {
    pub name_range: TextRange,
    /// For an entry point.
    pub entry_point: Option<EntryPoint>,
}

/// What an entry point takes.
#[derive(Clone, Debug, PartialEq)]
pub struct EntryPoint {
    /// `kernel`, `vertex` …
    pub stage: &'static str,
    /// By table: the slots that its parameters name, in order. A table without any is left out.
    pub slots: Vec<(&'static str, Vec<u32>)>,
    /// Parameters that are resources by their attribute, but whose slot is not a number that is known.
    pub unnumbered: u32,
}

impl EntryPoint {
    /// In words: `kernel · buffer 0–2, 5 · texture 0`.
    pub fn summary(&self) -> String {
        let mut text = self.stage.to_owned();
        for (table, slots) in &self.slots {
            text.push_str(&format!(" · {table} {}", spell_slots(slots)));
        }
        if self.slots.is_empty() && self.unnumbered == 0 {
            text.push_str(" · no resources");
        }
        text
    }
}

impl Analysis {
    /// The functions and classes that a file of a unit declares outside of function bodies, in order.
    pub fn declared(&self, request: &UnitRequest, path: &Arc<str>) -> Vec<Declared> {
        let view = View::new(self, request);
        let layer = view.declarations();
        let sema = layer.sema(view.env);
        let mut found: Vec<Declared> = Vec::new();
        for (decl, data) in view.tree.ast.own_decls() {
            let fits = match &data.kind {
                DeclKind::Function(function) => !matches!(function.body, FunctionBody::None),
                DeclKind::Record(record) => record.scope.is_some(),
                _ => false,
            };
            if !fits || !has_name(data) {
                continue;
            }
            // What a macro makes has no place of its own to say something at.
            let Some(place) = view.places.editable(None, TokenRange::new(data.name_token, data.name_token + 1), false)
            else {
                continue;
            };
            if place.path == *path {
                found.push(Declared { name_range: place.range, entry_point: entry_point(&sema, decl) });
            }
        }
        found.sort_by_key(|declared| declared.name_range.start);
        found
    }
}

fn entry_point(sema: &Sema<'_>, decl: DeclId) -> Option<EntryPoint> {
    let stage = sema.stage_of(decl)?.word();
    let item = DeclRef { decl, bind: BindId::NONE };
    let cx = sema.cx_of(item);
    let mut slots: Vec<(&'static str, Vec<u32>)> = TABLES.iter().map(|&table| (table, Vec::new())).collect();
    let mut unnumbered = 0;
    for param in &sema.signature(item).params {
        for &attr in &sema.ast[param.decl].attrs {
            let attr = &sema.ast[attr];
            let Some(of_table) = slots.iter_mut().find(|(table, _)| *table == attr.name.as_str()) else { continue };
            let slot = attr.args.first().and_then(|&arg| sema.evaluate_in(arg, cx).int());
            match slot.and_then(|slot| u32::try_from(slot).ok()) {
                Some(slot) => of_table.1.push(slot),
                None => unnumbered += 1,
            }
        }
    }
    for (_, slots) in &mut slots {
        slots.sort_unstable();
        slots.dedup();
    }
    slots.retain(|(_, slots)| !slots.is_empty());
    Some(EntryPoint { stage, slots, unnumbered })
}

/// `0–2, 5` for `[0, 1, 2, 5]`.
fn spell_slots(slots: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &slot in slots {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == slot => *last = slot,
            _ => runs.push((slot, slot)),
        }
    }
    let spell = |&(first, last): &(u32, u32)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first}–{last}"),
    };
    runs.iter().map(spell).collect::<Vec<String>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_slots() {
        assert_eq!(spell_slots(&[0, 1, 2, 5]), "0–2, 5");
        assert_eq!(spell_slots(&[3, 4]), "3, 4");
    }
}
