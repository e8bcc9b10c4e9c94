//! The address-space flow of a unit as data: counts, and what a page shows that explains it.

use std::sync::Arc;

use msl_diagnostics::{Place, Related, TextRange};
use msl_flow::{Program, Resolution, Verdict, border::Input, program::Function};
use msl_parser::ast::DeclId;
use msl_ty::{Sema, environment, sema::LocalCaches};
use rustc_hash::FxHashMap;

use crate::{
    analysis::{Analysis, UnitRequest},
    flow_facts::{AccessFact, Context, FlowFacts},
};

/// How many accesses have which resolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct AccessCounts {
    pub is_static: u32,
    pub per_call: u32,
    pub runtime: u32,
    /// In functions that nobody calls: nothing is paid yet.
    pub not_called: u32,
    /// A limit of the analysis was reached.
    pub limited: u32,
}

impl AccessCounts {
    fn count(&mut self, verdict: &Verdict) {
        *match (verdict.resolution, verdict.limit) {
            (Some(Resolution::Static), _) => &mut self.is_static,
            (Some(Resolution::PerCall), _) => &mut self.per_call,
            (Some(Resolution::Runtime), _) => &mut self.runtime,
            (None, Some(_)) => &mut self.limited,
            (None, None) => &mut self.not_called,
        } += 1;
    }

    /// Adds the counts of another unit or function.
    pub fn add(&mut self, other: &AccessCounts) {
        self.is_static += other.is_static;
        self.per_call += other.per_call;
        self.runtime += other.runtime;
        self.not_called += other.not_called;
        self.limited += other.limited;
    }

    /// All accesses through generic pointers.
    pub fn total(&self) -> u32 {
        self.is_static + self.per_call + self.runtime + self.not_called + self.limited
    }
}

/// A function with generic accesses.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionCounts {
    pub name: String,
    /// Of the name.
    pub place: Place,
    pub accesses: AccessCounts,
}

/// How a function comes into the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    EntryPoint,
    /// Code outside of the program can call it: visible, stitchable, or its address is taken.
    Open,
    Called,
    NotCalled,
}

/// What a page shows of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportFunction {
    pub name: String,
    pub place: Place,
    pub kind: FunctionKind,
    /// In how many contexts it runs.
    pub contexts: usize,
    pub is_recursive: bool,
    pub accesses: AccessCounts,
}

/// The calls of one function by another, by index into the report's functions.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportEdge {
    pub caller: usize,
    pub callee: usize,
    pub in_loop: bool,
    pub flows: Vec<ReportFlow>,
}

/// What flows along a call into one generic parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportFlow {
    pub parameter: String,
    pub spaces: Vec<&'static str>,
    pub is_runtime: bool,
}

/// What a page shows of one access.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportAccess {
    pub range: TextRange,
    /// `static`, `per-call` or `runtime`; `None` if nobody calls the function or a limit was reached.
    pub resolution: Option<&'static str>,
    pub limit: Option<&'static str>,
    pub inferred: Vec<&'static str>,
    /// Where the spaces come from, one explanation after the other.
    pub origins: Vec<Vec<Related>>,
    pub contexts: Vec<Context>,
    /// The loops around it, with how often each runs.
    pub loops: Vec<(Place, Option<u64>)>,
}

/// A file with generic accesses.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportFile {
    pub path: Arc<str>,
    pub text: Arc<[u8]>,
    /// In order of place; inner accesses after those around them.
    pub accesses: Vec<ReportAccess>,
}

/// The address-space flow of a unit, to be shown.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct FlowReport {
    pub files: Vec<ReportFile>,
    pub functions: Vec<ReportFunction>,
    pub edges: Vec<ReportEdge>,
    pub accesses: AccessCounts,
}

impl Analysis {
    /// The generic accesses of a unit, counted by function, in order of place. Instances of a template are one.
    pub fn flow_counts(&self, request: &UnitRequest) -> Vec<FunctionCounts> {
        let unit = self.unit(request, request.std.version);
        let facts = FlowFacts::of(&self.db, unit);
        let accesses = facts.accesses(|_| true);
        let local = LocalCaches::default();
        let env = environment(&self.db, unit);
        let sema = Sema::new(env, &env.ast, &local);
        let mut found: Vec<FunctionCounts> = by_function(&accesses)
            .into_iter()
            .filter_map(|(function, accesses)| {
                let place = facts.name_place(function)?;
                Some(FunctionCounts { name: name_of(&sema, function), place, accesses })
            })
            .collect();
        found.sort_by(|a, b| (&a.place.path, a.place.range.start).cmp(&(&b.place.path, b.place.range.start)));
        found
    }

    /// All that a page about the flow of a unit shows.
    pub fn flow_report(&self, request: &UnitRequest) -> FlowReport {
        let unit = self.unit(request, request.std.version);
        let facts = FlowFacts::of(&self.db, unit);
        let env = environment(&self.db, unit);
        let local = LocalCaches::default();
        let sema = Sema::new(env, &env.ast, &local);
        let accesses = facts.accesses(|_| true);
        let mut report = FlowReport::default();
        for access in &accesses {
            report.accesses.count(&access.fact.verdict);
        }
        report.files = self.report_files(&facts, &accesses);
        let index = functions(&facts, &sema, &accesses, &mut report);
        edges(&facts, &sema, &index, &mut report);
        report
    }

    fn report_files(&self, facts: &FlowFacts<'_>, accesses: &[AccessFact<'_>]) -> Vec<ReportFile> {
        let mut files: Vec<ReportFile> = Vec::new();
        for access in accesses {
            let verdict = access.fact.verdict;
            let shown = ReportAccess {
                range: access.place.range,
                resolution: verdict.resolution.map(Resolution::as_str),
                limit: verdict.limit,
                inferred: verdict.inferred.words(),
                origins: facts.chains(&access.fact),
                contexts: facts.contexts(&access.fact),
                loops: facts.loops(access).into_iter().map(|(place, of)| (place, of.trip_count)).collect(),
            };
            match files.iter_mut().find(|file| file.path == access.place.path) {
                Some(file) => file.accesses.push(shown),
                None => {
                    let Some(text) = self.text(&access.place.path) else { continue };
                    files.push(ReportFile { path: access.place.path.clone(), text, accesses: vec![shown] });
                }
            }
        }
        for file in &mut files {
            file.accesses.sort_by_key(|access| (access.range.start, std::cmp::Reverse(access.range.end)));
            file.accesses.dedup_by_key(|access| access.range);
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files
    }
}

pub(crate) fn by_function(accesses: &[AccessFact<'_>]) -> FxHashMap<DeclId, AccessCounts> {
    let mut counts: FxHashMap<DeclId, AccessCounts> = FxHashMap::default();
    for access in accesses {
        counts.entry(access.function).or_default().count(&access.fact.verdict);
    }
    counts
}

fn name_of(sema: &Sema<'_>, function: DeclId) -> String {
    sema.decl_name(function).map_or_else(String::new, |name| sema.qualified_name(function, name))
}

/// Adds the functions that have generic accesses or pass generic pointers on; gives the index of each declaration.
fn functions(
    facts: &FlowFacts<'_>,
    sema: &Sema<'_>,
    accesses: &[AccessFact<'_>],
    report: &mut FlowReport,
) -> FxHashMap<DeclId, usize> {
    let program: &Program = facts.program;
    let counts = by_function(accesses);
    let mut wanted: Vec<DeclId> = counts.keys().copied().collect();
    for edge in program.edges() {
        if edge.flows.iter().any(|flow| matches!(flow.input, Input::Param(..))) {
            let of = |number: usize| program.functions[number].0.item.decl;
            wanted.extend([of(edge.caller), of(edge.callee)]);
        }
    }
    wanted.sort_unstable();
    wanted.dedup();
    let mut index = FxHashMap::default();
    for decl in wanted {
        let Some(place) = facts.name_place(decl) else { continue };
        let numbers = program.of_declaration(decl);
        let role = |of: fn(msl_flow::program::Role) -> bool| numbers.iter().any(|&number| of(program.role(number)));
        let kind = if role(|role| role.is_entry) {
            FunctionKind::EntryPoint
        } else if role(|role| role.is_root) {
            FunctionKind::Open
        } else if numbers.iter().any(|&number| program.is_called(number)) {
            FunctionKind::Called
        } else {
            FunctionKind::NotCalled
        };
        let is_own = |number: &&usize| program.functions[**number].0.closure.is_none();
        index.insert(decl, report.functions.len());
        report.functions.push(ReportFunction {
            name: name_of(sema, decl),
            place,
            kind,
            contexts: numbers.iter().filter(is_own).map(|&number| program.context_count(number)).sum(),
            is_recursive: role(|role| role.is_recursive),
            accesses: counts.get(&decl).copied().unwrap_or_default(),
        });
    }
    index
}

fn edges(facts: &FlowFacts<'_>, sema: &Sema<'_>, index: &FxHashMap<DeclId, usize>, report: &mut FlowReport) {
    let program = facts.program;
    for edge in program.edges() {
        let of = |number: usize| index.get(&program.functions[number].0.item.decl).copied();
        let (Some(caller), Some(callee)) = (of(edge.caller), of(edge.callee)) else { continue };
        // A lambda is drawn as part of its function.
        if caller == callee && program.functions[edge.callee].0.closure.is_some() {
            continue;
        }
        let mut flows: Vec<ReportFlow> = Vec::new();
        for flow in &edge.flows {
            let Input::Param(param, steps) = &flow.input else { continue };
            if !steps.is_empty() || flow.known.spaces.is_empty() {
                continue;
            }
            let parameter = parameter_name(sema, &program.functions[edge.callee].0, *param);
            let spaces = flow.known.spaces.words();
            flows.push(ReportFlow { parameter, spaces, is_runtime: flow.known.is_runtime });
        }
        match report.edges.iter_mut().find(|own| own.caller == caller && own.callee == callee) {
            Some(own) => {
                own.in_loop |= edge.in_loop;
                for flow in flows {
                    match own.flows.iter_mut().find(|known| known.parameter == flow.parameter) {
                        Some(known) => {
                            known.is_runtime |= flow.is_runtime;
                            for space in flow.spaces {
                                if !known.spaces.contains(&space) {
                                    known.spaces.push(space);
                                }
                            }
                        }
                        None => own.flows.push(flow),
                    }
                }
            }
            None => report.edges.push(ReportEdge { caller, callee, in_loop: edge.in_loop, flows }),
        }
    }
}

fn parameter_name(sema: &Sema<'_>, function: &Function, param: u32) -> String {
    if param == msl_flow::border::THIS {
        return "this".to_owned();
    }
    let signature = sema.signature(function.item);
    let name = signature.params.get(param as usize).and_then(|param| sema.decl_name(param.decl));
    name.map_or_else(|| format!("argument {}", param + 1), |name| name.to_string())
}
