//! The address spaces of a function, caller by caller.

use std::sync::Arc;

use msl_diagnostics::{Place, TextRange};
use msl_flow::{
    border::{Input, THIS},
    findings::words,
    program::Function,
    value::{SourceKind, Spaces, Value},
};
use msl_parser::ast::{DeclId, TokenRange};
use msl_ty::{DeclRef, Sema, sema::LocalCaches, store::BindId};

use crate::{
    analysis::{Analysis, UnitRequest},
    flow_facts::FlowFacts,
    flow_report::{AccessCounts, by_function},
    view::View,
};

/// What each caller passes to a function.
#[derive(Clone, Debug, PartialEq)]
pub struct SpaceExplanation {
    pub name: String,
    /// Of the name.
    pub place: Place,
    /// The generic pointers of the function: `this` and parameters.
    pub columns: Vec<String>,
    pub rows: Vec<SpaceRow>,
    pub accesses: AccessCounts,
    /// Code outside of the program can call the function and pass anything.
    pub is_open: bool,
    pub limit: Option<&'static str>,
}

/// What one call passes.
#[derive(Clone, Debug, PartialEq)]
pub struct SpaceRow {
    pub caller: String,
    pub call: Place,
    pub in_loop: bool,
    /// For each column the spaces, and whether the compiler has to find out at run time.
    pub cells: Vec<(Vec<&'static str>, bool)>,
}

/// A function with generic pointers, in a line above it.
#[derive(Clone, Debug, PartialEq)]
pub struct SpaceLens {
    /// Of the function's name.
    pub range: TextRange,
    pub title: String,
}

impl Analysis {
    /// What each caller passes to the function that an offset is in.
    pub fn explain_spaces(&self, request: &UnitRequest, path: &Arc<str>, offset: u32) -> Option<SpaceExplanation> {
        let view = View::new(self, request);
        let facts = FlowFacts::of(view.db, view.unit);
        let function = view.tree.functions.iter().find(|of| {
            let name = facts.name_place(of.function).filter(|place| place.path == *path);
            let body = view.range_of_body(of.body);
            name.is_some_and(|name| {
                let end = body.map_or(name.range.end, |body| body.end.max(name.range.end));
                name.range.start <= offset && offset <= end
            })
        })?;
        explain(&view, &facts, function.function)
    }

    /// The functions of a file that take generic pointers and are called.
    pub fn space_lenses(&self, request: &UnitRequest, path: &Arc<str>) -> Vec<SpaceLens> {
        let view = View::new(self, request);
        let facts = FlowFacts::of(view.db, view.unit);
        let mut lenses = Vec::new();
        for of in &view.tree.functions {
            let token = view.env.ast[of.function].name_token;
            let Some(place) = view.places.editable(None, TokenRange::new(token, token + 1), false) else { continue };
            if place.path != *path {
                continue;
            }
            let Some(found) = explain(&view, &facts, of.function) else { continue };
            if found.rows.is_empty() && !found.is_open {
                continue;
            }
            lenses.push(SpaceLens { range: place.range, title: title(&found) });
        }
        lenses
    }
}

fn explain(view: &View<'_>, facts: &FlowFacts<'_>, function: DeclId) -> Option<SpaceExplanation> {
    let program = facts.program;
    let local = LocalCaches::default();
    let sema = Sema::new(view.env, &view.env.ast, &local);
    let numbers: Vec<usize> = program
        .of_declaration(function)
        .iter()
        .copied()
        .filter(|&number| program.functions[number].0.closure.is_none())
        .collect();
    let mut params: Vec<u32> = Vec::new();
    for &number in &numbers {
        for input in &program.functions[number].1.inputs {
            if let Input::Param(param, steps) = input
                && steps.is_empty()
                && !params.contains(param)
                && is_generic(&sema, &program.functions[number].0, *param)
            {
                params.push(*param);
            }
        }
    }
    if params.is_empty() {
        return None;
    }
    // `this` first.
    params.sort_unstable_by_key(|&param| param.wrapping_add(1));
    let signature = sema.signature(DeclRef { decl: function, bind: BindId::NONE });
    let columns = params.iter().map(|&param| match param {
        THIS => "this".to_owned(),
        param => signature
            .params
            .get(param as usize)
            .and_then(|param| sema.decl_name(param.decl))
            .map_or_else(|| format!("argument {}", param + 1), |name| name.to_string()),
    });
    let mut rows: Vec<SpaceRow> = Vec::new();
    for &number in &numbers {
        let mut by_call: Vec<((usize, u32), SpaceRow)> = Vec::new();
        for (column, &param) in params.iter().enumerate() {
            let Some(input) = program.functions[number].1.input(&Input::Param(param, Default::default())) else {
                continue;
            };
            let value = Value::new(SourceKind::Input(input), TokenRange::default());
            for of in program.callers(number, &value) {
                let key = (of.caller, of.call);
                let index = match by_call.iter().position(|(own, _)| *own == key) {
                    Some(index) => index,
                    None => {
                        let (caller, summary) = &program.functions[of.caller];
                        let Some(call) = summary.calls.get(of.call as usize) else { continue };
                        let Some(place) = facts.place(caller.item.decl, call.range) else { continue };
                        let row = SpaceRow {
                            caller: words::function(view.env, program, of.caller),
                            call: place,
                            in_loop: !call.loops.is_empty(),
                            cells: vec![(Vec::new(), false); params.len()],
                        };
                        by_call.push((key, row));
                        by_call.len() - 1
                    }
                };
                by_call[index].1.cells[column] = (of.known.spaces.words(), of.known.is_runtime);
            }
        }
        for (_, row) in by_call {
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
    }
    rows.sort_by(|a, b| (&a.call.path, a.call.range.start).cmp(&(&b.call.path, b.call.range.start)));
    let accesses = facts.accesses(|decl| decl == function);
    let role = |of: fn(msl_flow::program::Role) -> bool| numbers.iter().any(|&number| of(program.role(number)));
    Some(SpaceExplanation {
        name: sema.decl_name(function).map_or_else(String::new, |name| sema.qualified_name(function, name)),
        place: facts.name_place(function)?,
        columns: columns.collect(),
        rows,
        accesses: by_function(&accesses).get(&function).copied().unwrap_or_default(),
        is_open: role(|role| role.is_root && !role.is_entry),
        limit: numbers.iter().find_map(|&number| program.limit(number)),
    })
}

/// Whether a parameter, or `this`, is a generic pointer or reference.
fn is_generic(sema: &Sema<'_>, function: &Function, param: u32) -> bool {
    use msl_ty::store::{Space, TyKind};
    let signature = sema.signature(function.item);
    if param == THIS {
        return signature.this.is_some_and(|this| this.space == Space::Generic);
    }
    signature.params.get(param as usize).is_some_and(|param| {
        matches!(sema.kind(param.ty.ty), TyKind::Pointer(inner) | TyKind::LRef(inner) | TyKind::RRef(inner) if inner.space == Space::Generic)
    })
}

/// A function's spaces and costs in a few words.
fn title(of: &SpaceExplanation) -> String {
    let mut parts: Vec<String> = Vec::new();
    for (index, column) in of.columns.iter().enumerate() {
        let mut words: Vec<&str> = of.rows.iter().flat_map(|row| row.cells[index].0.iter().copied()).collect();
        if of.is_open {
            words = Spaces::ALL.words();
        }
        words.sort_unstable();
        words.dedup();
        if !words.is_empty() {
            parts.push(format!("{column}: {}", words.join(" | ")));
        }
    }
    for (count, what) in [(of.accesses.per_call, "per call"), (of.accesses.runtime, "at run time")] {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    if parts.is_empty() {
        parts.push("address spaces".to_owned());
    }
    parts.join(" · ")
}

impl SpaceExplanation {
    /// As a Markdown table; `link` gives the place of a call.
    pub fn markdown(&self, link: impl Fn(&Place) -> String) -> String {
        use std::fmt::Write;
        let mut out = format!("### Address spaces of `{}`\n\n", self.name);
        if let Some(limit) = self.limit {
            let _ = writeln!(out, "Not all is known: {limit}.\n");
        }
        if self.is_open {
            out.push_str("Code outside of this program can call it and pass any address space.\n\n");
        }
        if self.rows.is_empty() {
            out.push_str("Nothing in this program calls it.\n");
            return out;
        }
        let _ = writeln!(out, "| caller | call | {} |", self.columns.join(" | "));
        let _ = writeln!(out, "| --- | --- |{}", " --- |".repeat(self.columns.len()));
        for row in &self.rows {
            let cells: Vec<String> = row
                .cells
                .iter()
                .map(|(spaces, is_runtime)| {
                    let words = if spaces.is_empty() { "null".to_owned() } else { spaces.join(", ") };
                    if *is_runtime { format!("{words} (run time)") } else { words }
                })
                .collect();
            let looped = if row.in_loop { ", in a loop" } else { "" };
            let _ = writeln!(out, "| {} | {}{looped} | {} |", row.caller, link(&row.call), cells.join(" | "));
        }
        let counts = self.accesses;
        let _ = writeln!(
            out,
            "\n{} accesses: {} static, {} per call, {} at run time.",
            counts.total(),
            counts.is_static,
            counts.per_call,
            counts.runtime
        );
        out
    }
}
