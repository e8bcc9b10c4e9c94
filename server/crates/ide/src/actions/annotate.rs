//! Address spaces for pointers that have none, before Metal 4.1: which one the callers use.
//!
//! The unit is looked at as Metal 4.1, where such pointers are generic, and flow says what every one of them can point to
//! there. If that is one space, it is the one to write.
//!
//! The pointers of a structure can be annotated together. A header that the host includes as well gets a macro for that:
//! it is `device` for Metal before 4.1, and nothing for the host and for Metal 4.1, where such pointers are generic.

use std::sync::Arc;

use msl_diagnostics::{Code, Diagnostic, Fix, FixKind, Place, TextEdit, TextRange};
use msl_flow::{
    border::Input,
    program::Function,
    unit_flow,
    value::{SourceKind, Spaces},
};
use msl_parser::ast::*;
use msl_preproc::LanguageVersion;
use msl_ty::{DeclRef, store::BindId};
use rustc_hash::FxHashMap;

use super::{
    edits::{indentation, line_start, merged},
    offers::{Action, ActionKind},
    verify::Verifier,
};
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

/// What stands for the address space of a pointer in a header that the host includes as well.
const SHARED_MACRO: &str = "METAL_DEVICE";

impl Analysis {
    /// For a structure with pointers that need an address space: one for all of them.
    pub(crate) fn offer_struct_members(
        &self,
        request: &UnitRequest,
        path: &Arc<str>,
        range: TextRange,
        verifier: &mut Verifier<'_>,
        actions: &mut Vec<Action>,
    ) {
        if request.std.version.has_generic_pointers() {
            return;
        }
        let mut findings = self.check_under(request, request.std.version).diagnostics;
        findings.retain(|finding| finding.code == Code::MissingAddressSpace && finding.place.path == *path);
        let is_touched =
            |finding: &Diagnostic| finding.place.range.start <= range.end && range.start <= finding.place.range.end;
        if !findings.iter().any(is_touched) {
            return;
        }
        let view = View::new(self, request);
        let layer = view.declarations();
        let ast = &view.env.ast;
        let within = |decl: DeclId| {
            let place = view.full_place_of(&layer, decl);
            findings.iter().filter(move |finding| {
                place.as_ref().is_some_and(|place| {
                    place.path == finding.place.path
                        && place.range.start <= finding.place.range.start
                        && finding.place.range.end <= place.range.end
                })
            })
        };
        for (decl, data) in ast.own_decls() {
            let DeclKind::Record(record) = &data.kind else { continue };
            let is_field = |member: &DeclId| matches!(&ast[*member].kind, DeclKind::Variable(it) if it.kind == VariableKind::Field);
            let of_fields: Vec<&Diagnostic> =
                record.members.iter().copied().filter(is_field).flat_map(within).collect();
            if !of_fields.iter().any(|finding| is_touched(finding)) {
                continue;
            }
            let edits: Vec<TextEdit> = of_fields
                .iter()
                .filter_map(|finding| finding.fixes.iter().find(|fix| fix.title.starts_with("Add `device`")))
                .flat_map(|fix| fix.edits.iter().cloned())
                .collect();
            if edits.len() != of_fields.len() {
                continue;
            }
            let name = record.name;
            let members = match of_fields.len() {
                1 => "the pointer member".to_owned(),
                several => format!("all {several} pointer members"),
            };
            let mut offer = |id, title: String, edits: Vec<TextEdit>| {
                if verifier.has_fewer_errors(&edits) {
                    let kind = ActionKind::QuickFix;
                    actions.push(Action { id, title, kind, edits: Ok(edits), replacement: None, notes: Vec::new() });
                }
            };
            if edits.len() > 1 {
                let title = format!("Add `device` to {members} of `{name}`");
                offer("annotate-struct-members", title, merged(edits.clone()));
            }
            let Some(text) = self.text(path) else { continue };
            let is_shared = is_header(path) || memchr::memmem::find(&text, b"__METAL_VERSION__").is_some();
            let Some(place) = view.full_place_of(&layer, decl).filter(|_| is_shared) else { continue };
            let mut shared: Vec<TextEdit> = edits
                .into_iter()
                .map(|edit| TextEdit { new_text: edit.new_text.replace("device", SHARED_MACRO), ..edit })
                .collect();
            if memchr::memmem::find(&text, format!("define {SHARED_MACRO}").as_bytes()).is_none() {
                let start = line_start(&text, place.range.start as usize) as u32;
                let indent = indentation(&text, place.range.start as usize);
                let lines = [
                    "#if defined(__METAL_VERSION__) && __METAL_VERSION__ < 410",
                    &format!("#define {SHARED_MACRO} device"),
                    "#else",
                    &format!("#define {SHARED_MACRO}"),
                    "#endif",
                ];
                let new_text = lines.map(|line| format!("{indent}{line}\n")).concat() + "\n";
                let place = Place { path: place.path, range: TextRange::new(start, start) };
                shared.push(TextEdit { place, new_text });
            }
            let title = format!("Add a macro to {members} of `{name}` that is `device` for Metal before 4.1 only");
            offer("annotate-shared-struct", title, merged(shared));
        }
    }
}

/// Whether a file is usually included by others.
fn is_header(path: &str) -> bool {
    [".h", ".hh", ".hpp", ".metalh"].iter().any(|suffix| path.ends_with(suffix))
}
