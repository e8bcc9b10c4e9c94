//! What the address-space flow says about places of a text: the base of hover, `inspect`, hints and the report.
//!
//! A *fact* is about an access or a name of one body, over all instances of its function.

use msl_db::{Database, Unit};
use msl_diagnostics::{Place, Related, TextRange};
use msl_flow::{
    Program, Resolution, Verdict,
    findings::words,
    program::OriginStep,
    summary::Access,
    value::{Spaces, Value},
};
use msl_parser::ast::{DeclId, TokenRange};
use msl_ty::{Env, body_of, environment};

use crate::places::TokenPlaces;

/// How many origins one place shows.
const MAX_ORIGINS: usize = 24;
/// How many callers one place shows.
const MAX_CALLERS: usize = 64;

/// The inferred spaces in one direct caller.
#[derive(Clone, Debug, PartialEq)]
pub struct Context {
    pub caller: Place,
    pub inferred: Vec<&'static str>,
}

/// A loop around an access.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    pub range: TextRange,
    /// From 1 for the outermost.
    pub depth: u32,
    pub trip_count: Option<u64>,
}

/// The flow of a unit, with the places of its tokens.
pub(crate) struct FlowFacts<'a> {
    db: &'a Database,
    unit: Unit,
    env: &'a Env,
    places: TokenPlaces<'a>,
    pub(crate) program: &'a Program,
}

/// A value of one place, in each instance of its function.
pub(crate) struct Fact<'a> {
    pub(crate) values: Vec<(usize, &'a Value)>,
    pub(crate) verdict: Verdict,
}

/// An access through a generic pointer.
pub(crate) struct AccessFact<'a> {
    /// The function whose body it is in.
    pub(crate) function: DeclId,
    pub(crate) range: TokenRange,
    pub(crate) place: Place,
    pub(crate) fact: Fact<'a>,
    access: &'a Access,
}

impl<'a> FlowFacts<'a> {
    pub(crate) fn of(db: &'a Database, unit: Unit) -> FlowFacts<'a> {
        FlowFacts {
            db,
            unit,
            env: environment(db, unit),
            places: TokenPlaces::of(db, unit),
            program: msl_flow::unit_flow(db, unit),
        }
    }

    /// Every access of the functions that `wanted` names, in no order.
    pub(crate) fn accesses(&self, wanted: impl Fn(DeclId) -> bool) -> Vec<AccessFact<'a>> {
        let mut found: Vec<AccessFact<'a>> = Vec::new();
        let mut known: rustc_hash::FxHashMap<(DeclId, TokenRange), usize> = Default::default();
        for (number, (function, summary)) in self.program.functions.iter().enumerate() {
            let decl = function.item.decl;
            if !wanted(decl) {
                continue;
            }
            for access in &summary.accesses {
                if let Some(&index) = known.get(&(decl, access.range)) {
                    found[index].fact.values.push((number, &access.pointer));
                    continue;
                }
                let Some(place) = self.place(decl, access.range) else { continue };
                known.insert((decl, access.range), found.len());
                let fact = Fact { values: vec![(number, &access.pointer)], verdict: NOTHING };
                found.push(AccessFact { function: decl, range: access.range, place, fact, access });
            }
        }
        for access in &mut found {
            access.fact.verdict = self.over_instances(&access.fact.values);
        }
        found
    }

    /// The generic pointer or reference that a token of a function's body names.
    pub(crate) fn mention(&self, function: DeclId, token: u32) -> Option<Fact<'a>> {
        self.fact(function, |number| {
            let summary = &self.program.functions[number].1;
            summary.mentions.iter().find(|mention| mention.token == token).map(|mention| &mention.value)
        })
    }

    /// A local variable or parameter: all that it is ever assigned.
    pub(crate) fn variable(&self, function: DeclId, decl: DeclId) -> Option<Fact<'a>> {
        self.fact(function, |number| {
            let summary = &self.program.functions[number].1;
            summary.variables.iter().find(|own| own.decl == decl).map(|own| &own.value)
        })
    }

    /// The local variable or parameter that a token of a function's body declares.
    pub(crate) fn declared(&self, function: DeclId, token: u32) -> Option<Fact<'a>> {
        self.fact(function, |number| {
            let summary = &self.program.functions[number].1;
            summary.variables.iter().find(|own| own.token == token).map(|own| &own.value)
        })
    }

    /// The object that a member function is called on, if it is generic.
    pub(crate) fn this(&self, function: DeclId) -> Option<Fact<'a>> {
        self.fact(function, |number| {
            let (of, summary) = &self.program.functions[number];
            summary.this.as_ref().filter(|_| of.closure.is_none())
        })
    }

    /// Whether a root reaches the function that a fact is about.
    pub(crate) fn is_called(&self, fact: &Fact<'a>) -> bool {
        fact.values.iter().any(|&(number, _)| self.program.is_called(number))
    }

    fn fact(&self, function: DeclId, value: impl Fn(usize) -> Option<&'a Value>) -> Option<Fact<'a>> {
        let numbers = self.program.of_declaration(function).iter();
        let values: Vec<(usize, &Value)> =
            numbers.filter_map(|&number| value(number).map(|value| (number, value))).collect();
        (!values.is_empty()).then(|| Fact { verdict: self.over_instances(&values), values })
    }

    /// One verdict over all instances of a template. An instance that nobody calls says nothing if another is called.
    pub(crate) fn over_instances(&self, values: &[(usize, &Value)]) -> Verdict {
        let verdicts = || values.iter().map(|&(number, value)| (number, self.program.verdict(number, value)));
        let is_called = values.iter().any(|&(number, _)| self.program.is_called(number));
        let mut joined: Option<Verdict> = None;
        let mut seen = Spaces::NONE;
        for (number, verdict) in verdicts() {
            if is_called && !self.program.is_called(number) {
                continue;
            }
            let Some(own) = &mut joined else {
                seen = verdict.inferred;
                joined = Some(verdict);
                continue;
            };
            own.limit = own.limit.or(verdict.limit);
            let differs = !seen.is_empty() && !verdict.inferred.is_empty() && seen != verdict.inferred;
            own.resolution = match (own.resolution, verdict.resolution) {
                (Some(a), Some(b)) => {
                    let joined = a.max(b);
                    Some(if differs && joined == Resolution::Static { Resolution::PerCall } else { joined })
                }
                _ => None,
            };
            own.inferred = own.inferred.union(verdict.inferred);
            seen = seen.union(verdict.inferred);
        }
        joined.unwrap_or(NOTHING)
    }

    /// What a value is for each direct caller.
    pub(crate) fn contexts(&self, fact: &Fact<'a>) -> Vec<Context> {
        let mut found = Vec::new();
        for &(number, value) in &fact.values {
            for of in self.program.callers(number, value) {
                let (caller, summary) = &self.program.functions[of.caller];
                let Some(call) = summary.calls.get(of.call as usize) else { continue };
                let Some(place) = self.place(caller.item.decl, call.range) else { continue };
                let context = Context { caller: place, inferred: of.known.spaces.words() };
                if found.len() < MAX_CALLERS && !found.contains(&context) {
                    found.push(context);
                }
            }
        }
        found
    }

    /// Where the spaces of a value come from, each step once, the shortest explanation first.
    pub(crate) fn origins(&self, fact: &Fact<'a>) -> Vec<Related> {
        let mut found: Vec<Related> = Vec::new();
        for &(number, value) in &fact.values {
            for step in self.program.origins(number, value).iter().flatten() {
                if let Some(related) = self.related(step)
                    && found.len() < MAX_ORIGINS
                    && !found.contains(&related)
                {
                    found.push(related);
                }
            }
        }
        found
    }

    /// The explanations of a value one by one.
    pub(crate) fn chains(&self, fact: &Fact<'a>) -> Vec<Vec<Related>> {
        let mut found: Vec<Vec<Related>> = Vec::new();
        for &(number, value) in &fact.values {
            for chain in self.program.origins(number, value) {
                let chain: Vec<Related> = chain.iter().filter_map(|step| self.related(step)).collect();
                if found.len() < MAX_ORIGINS && !found.contains(&chain) {
                    found.push(chain);
                }
            }
        }
        found
    }

    fn related(&self, step: &OriginStep) -> Option<Related> {
        let function = self.program.functions[step.function].0.item.decl;
        let place = self.place(function, step.range)?;
        Some(Related { place, message: words::step(self.env, self.program, step) })
    }

    /// The loops around an access, outermost first: of the callers that lead to it, and its own.
    pub(crate) fn loops(&self, access: &AccessFact<'a>) -> Vec<(Place, Loop)> {
        let mut found = Vec::new();
        let mut add = |this: &Self, decl: DeclId, of: &msl_flow::summary::Loop| {
            if let Some(place) = this.place(decl, of.range) {
                let depth = found.len() as u32 + 1;
                let range = place.range;
                found.push((place, Loop { range, depth, trip_count: of.trip_count }));
            }
        };
        if let Some(&(number, value)) = access.fact.values.first() {
            for (caller, call) in self.program.loop_call(number, value).unwrap_or_default().into_iter().rev() {
                let (function, summary) = &self.program.functions[caller];
                for &index in &summary.calls[call as usize].loops {
                    add(self, function.item.decl, &summary.loops[index as usize]);
                }
            }
            let summary = &self.program.functions[number].1;
            for &index in &access.access.loops {
                add(self, access.function, &summary.loops[index as usize]);
            }
        }
        found
    }

    /// A range of a function's body; the function's name for an empty one.
    pub(crate) fn place(&self, function: DeclId, range: TokenRange) -> Option<Place> {
        if range.is_empty() {
            return self.name_place(function);
        }
        // Parameters are numbered with the unit's declarations.
        let body = body_of(self.db, self.unit, function)?;
        self.places.place(Some(body), range).map(|(place, _)| place)
    }

    /// The place of a function's name.
    pub(crate) fn name_place(&self, function: DeclId) -> Option<Place> {
        let token = self.env.ast[function].name_token;
        self.places.place(None, TokenRange::new(token, token + 1)).map(|(place, _)| place)
    }
}

const NOTHING: Verdict = Verdict { inferred: Spaces::NONE, resolution: None, limit: None };
