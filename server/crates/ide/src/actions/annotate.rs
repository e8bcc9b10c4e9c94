//! Address spaces for pointers that have none, before Metal 4.1: which one the callers use.
//!
//! The unit is looked at as Metal 4.1, where such pointers are generic, and flow says what every one of them can point to
//! there. If that is one space, it is the one to write.

use msl_diagnostics::{Code, Diagnostic, Fix, FixKind, Place};
use msl_flow::{
    program::Function,
    summary::Input,
    unit_flow,
    value::{SourceKind, Spaces},
};
use msl_parser::ast::*;
use msl_preproc::LanguageVersion;
use msl_ty::{DeclRef, store::BindId};
use rustc_hash::FxHashMap;

use super::edits::merged;
use crate::{
    analysis::{Analysis, StdChoice, UnitRequest},
    view::View,
};

/// A declaration that can take a space.
struct Declared {
    place: Place,
    /// The function that it belongs to, by number.
    function: usize,
    is_parameter: bool,
    spaces: Spaces,
}

impl Analysis {
    /// Marks, for pointers without an address space, the one that flow infers.
    pub(crate) fn prefer_inferred_spaces(
        &self,
        request: &UnitRequest,
        version: LanguageVersion,
        findings: &mut [Diagnostic],
    ) {
        if version.has_generic_pointers() || !findings.iter().any(|it| it.code == Code::MissingAddressSpace) {
            return;
        }
        let version = LanguageVersion::new(4, 1, version.platform);
        let std = StdChoice { version, ..request.std.clone() };
        let declared = self.inferred_spaces(&UnitRequest { std, ..request.clone() });
        // By function: the repairs that are certain, and whether one of its parameters is not.
        let mut whole: FxHashMap<usize, (Vec<Fix>, bool)> = FxHashMap::default();
        let mut of_function: Vec<(usize, usize)> = Vec::new();
        for (index, finding) in findings.iter_mut().enumerate().filter(|(_, it)| it.code == Code::MissingAddressSpace) {
            let covers = |other: &&Declared| {
                let (a, b) = (other.place.range, finding.place.range);
                other.place.path == finding.place.path && a.start <= b.start && b.end <= a.end
            };
            let smallest = |other: &&Declared| other.place.range.end - other.place.range.start;
            let Some(own) = declared.iter().filter(covers).min_by_key(smallest) else { continue };
            let word = match &*own.spaces.words() {
                [word] => *word,
                _ => {
                    whole.entry(own.function).or_default().1 |= own.is_parameter;
                    continue;
                }
            };
            let Some(at) = finding.fixes.iter().position(|fix| fix.title == format!("Add `{word}`")) else { continue };
            let mut fix = finding.fixes.remove(at);
            fix.preferred = true;
            fix.title = format!("Add `{word}`: nothing else reaches it");
            if own.is_parameter {
                whole.entry(own.function).or_default().0.push(fix.clone());
                of_function.push((index, own.function));
            }
            finding.fixes.insert(0, fix);
        }
        for (index, function) in of_function {
            let Some((fixes, false)) = whole.get(&function) else { continue };
            if fixes.len() < 2 {
                continue;
            }
            let edits = merged(fixes.iter().flat_map(|fix| fix.edits.iter().cloned()).collect());
            let title = "Add address spaces to all parameters, as the callers use them".to_owned();
            findings[index].fixes.insert(1, Fix { title, kind: FixKind::QuickFix, preferred: false, edits });
        }
    }

    /// The spaces that each generic parameter and local pointer of a unit can point to.
    fn inferred_spaces(&self, request: &UnitRequest) -> Vec<Declared> {
        let view = View::new(self, request);
        let program = unit_flow(view.db, view.unit);
        let layer = view.declarations();
        let mut found: Vec<Declared> = Vec::new();
        for of in &view.tree.functions {
            let item = DeclRef { decl: of.function, bind: BindId::NONE };
            let Some(number) = program.number(Function::of(item)) else { continue };
            let DeclKind::Function(function) = &view.env.ast[of.function].kind else { continue };
            let TypeKind::Function(written) = &view.env.ast[function.ty].kind else { continue };
            let contexts = program.contexts(number);
            let summary = &program.functions[number].1;
            for (index, &param) in written.params.iter().enumerate() {
                let is_it = |input: &Input| matches!(input, Input::Param(own, steps) if *own == index as u32 && steps.is_empty());
                let Some(input) = summary.inputs.iter().position(is_it) else { continue };
                let spaces = contexts
                    .iter()
                    .filter_map(|context| context.get(input))
                    .fold(Spaces::NONE, |all, known| all.union(known.spaces));
                // A caller that passes something unknown decides nothing, and neither does a limit of the analysis.
                let is_known = !contexts.is_empty()
                    && program.limit(number).is_none()
                    && contexts.iter().filter_map(|context| context.get(input)).all(|known| !known.is_limited);
                let spaces = if is_known { spaces } else { Spaces::ALL };
                if let Some(place) = view.full_place_of(&layer, param) {
                    found.push(Declared { place, function: number, is_parameter: true, spaces });
                }
            }
            let Some(body) = view.body(of.body) else { continue };
            let mut locals: FxHashMap<DeclId, Spaces> = FxHashMap::default();
            for access in &summary.accesses {
                if access
                    .pointer
                    .sources
                    .iter()
                    .any(|source| matches!(source.kind, SourceKind::Memory(_) | SourceKind::Outside))
                {
                    continue;
                }
                let ast = body.ast();
                let base = match &ast[access.expr].kind {
                    ExprKind::Unary { operand, .. } => *operand,
                    ExprKind::Index { base, .. } | ExprKind::Member { base, .. } => *base,
                    _ => continue,
                };
                let ExprKind::Path(path) = &ast[base].kind else { continue };
                let Some(last) = path.last() else { continue };
                let Some(&[item]) = body.facts.refs.get(&last.token).map(|items| &**items) else { continue };
                if item.decl.0 >= view.env.ast.end().decls {
                    let verdict = program.verdict(number, &access.pointer);
                    // Beyond a limit of the analysis nothing is known.
                    let spaces = if verdict.limit.is_some() { Spaces::ALL } else { verdict.inferred };
                    let all = locals.entry(item.decl).or_default();
                    *all = all.union(spaces);
                }
            }
            for (local, spaces) in locals {
                if let Some(place) = view.full_place_of(&body, local) {
                    found.push(Declared { place, function: number, is_parameter: false, spaces });
                }
            }
        }
        found
    }
}
