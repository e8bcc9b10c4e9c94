//! What the checks say about a unit, and what its flow infers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use msl_db::{BodyPlace, Database, Unit, parsed_decls, split_unit};
use msl_diagnostics::Severity;
use msl_flow::border::{Input, Steps, THIS};
use msl_flow::value::{SourceKind, Spaces, Value};
use msl_flow::{Resolution, unit_flow};
use msl_parser::ast::{DeclId, TokenRange};
use msl_ty::sema::LocalCaches;
use msl_ty::store::{BindId, Space, TyKind};
use msl_ty::{
    Checked, DeclRef, Sema, body_of, checked_body, checked_declarations, checked_inline_bodies, checked_instance,
    environment, unit_instances,
};
use rustc_hash::FxHashMap;

use crate::Counts;
use crate::sites::{Sites, What};
use crate::tokens::{Place, Tokens};

/// An error.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) code: &'static str,
    pub(crate) place: Place,
    message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, range) = &self.place;
        write!(f, "{path}, offset {}: {}: {}", range.start, self.code, self.message)
    }
}

impl Fault {
    /// What makes two of them one.
    pub(crate) fn key(&self) -> (&'static str, Arc<str>, u32) {
        (self.code, Arc::clone(&self.place.0), self.place.1.start)
    }
}

/// The checks of a unit.
#[derive(Default)]
pub(crate) struct Judged {
    pub(crate) faults: Vec<Fault>,
    /// By place of a name: the functions with a body that it refers to, by the places of their names.
    pub(crate) calls: BTreeMap<PlaceKey, BTreeSet<PlaceKey>>,
}

/// The start of a place.
pub(crate) type PlaceKey = (Arc<str>, u32);

impl Judged {
    pub(crate) fn of(db: &Database, unit: Unit) -> Judged {
        let tokens = Tokens::of(db, unit);
        let mut judged = Judged::default();
        judged.add(db, unit, tokens, None, checked_declarations(db, unit));
        let tree = parsed_decls(db, unit);
        for syntax in &tree.diagnostics {
            judged.fault(tokens, None, "syntax-error", syntax.range, &syntax.message);
        }
        for (number, &body) in split_unit(db, unit).bodies(db).iter().enumerate() {
            if let Some(checked) = checked_body(db, body) {
                judged.add(db, unit, tokens, Some(BodyPlace::Deferred(number as u32)), checked);
            }
        }
        for (_, place, checked) in checked_inline_bodies(db, unit).iter() {
            judged.add(db, unit, tokens, Some(*place), checked);
        }
        for &instance in unit_instances(db, unit).iter() {
            if let Some(checked) = checked_instance(db, instance) {
                judged.add(db, unit, tokens, body_of(db, unit, instance.item(db).decl), checked);
            }
        }
        judged
    }

    fn fault(
        &mut self,
        tokens: Tokens<'_>,
        body: Option<BodyPlace>,
        code: &'static str,
        range: TokenRange,
        message: &str,
    ) {
        if let Some(place) = tokens.range(body, range) {
            self.faults.push(Fault { code, place, message: message.to_owned() });
        }
    }

    fn add(&mut self, db: &Database, unit: Unit, tokens: Tokens<'_>, body: Option<BodyPlace>, checked: &Checked) {
        for finding in &checked.diagnostics {
            if finding.severity.or(finding.code.default_severity()) == Some(Severity::Error) {
                self.fault(tokens, body, finding.code.as_str(), finding.range, &finding.message);
            }
        }
        let env = environment(db, unit);
        let local = LocalCaches::default();
        let sema = Sema::new(env, &env.ast, &local);
        for (&token, targets) in &checked.facts.refs {
            let Some(at) = tokens.place(body, token) else { continue };
            let at = (at.0, at.1.start);
            for &target in targets {
                if sema.is_local(target.decl) || sema.is_library(target.decl) {
                    continue;
                }
                let Some(definition) = sema.definition(target) else { continue };
                if let Some(name) = tokens.place(None, env.ast[definition.decl].name_token) {
                    self.calls.entry(at.clone()).or_default().insert((name.0, name.1.start));
                }
            }
        }
    }
}

/// What is inferred for one pointer over all contexts of all instances.
#[derive(Default)]
struct Inferred {
    is_called: bool,
    is_limited: bool,
    spaces: Spaces,
    /// Every call passes null, or hands on what its own function was given.
    is_null: bool,
}

/// Compares what was taken away with what is inferred. What differs, in words.
pub(crate) fn compare(db: &Database, unit: Unit, name: &str, sites: &Sites, counts: &mut Counts) -> Vec<String> {
    let (env, tokens, program) = (environment(db, unit), Tokens::of(db, unit), unit_flow(db, unit));
    let mut differs = Vec::new();
    let mut functions: FxHashMap<usize, DeclId> = FxHashMap::default();
    for of in &parsed_decls(db, unit).functions {
        if let Some(place) = tokens.place(None, env.ast[of.function].name_token)
            && let Some(group) = sites.group_at(&(place.0, place.1.start))
        {
            functions.insert(group, of.function);
        }
    }
    for site in &sites.sites {
        let is_local = matches!(site.what, What::Local(_));
        if site.what == What::Return || !site.is_outermost {
            counts.add(if site.is_active { "other words taken away" } else { "other words given back" }, 1);
            continue;
        }
        counts.add(if is_local { "variables" } else { "parameters" }, 1);
        if !site.is_active {
            counts.add(if is_local { "variables given back" } else { "parameters given back" }, 1);
            continue;
        }
        let Some(&function) = functions.get(&site.group) else { continue };
        // Redeclarations are taken away as well, and judged once.
        let inferred = match site.what {
            What::Param(number) => {
                if program.of_declaration(function).is_empty() {
                    counts.add("parameters of templates that nothing instantiates", 1);
                    continue;
                }
                if !is_generic(db, unit, function, number) {
                    counts.add("parameters not generic", 1);
                    continue;
                }
                of_input(program, function, &Input::Param(number, Steps::new()))
            }
            What::This => of_input(program, function, &Input::Param(THIS, Steps::new())),
            What::Local(offset) => {
                let body = body_of(db, unit, function);
                let is_it = |token| tokens.written(body, token).is_some_and(|(place, _)| place.1.start == offset);
                let mut inferred = Inferred::default();
                for &number in program.of_declaration(function) {
                    for variable in &program.functions[number].1.variables {
                        if is_it(variable.token) {
                            let verdict = program.verdict(number, &variable.value);
                            inferred.is_called |= program.is_called(number);
                            inferred.is_limited |= verdict.limit.is_some();
                            inferred.spaces = inferred.spaces.union(verdict.inferred);
                        }
                    }
                }
                Some(inferred)
            }
            What::Return => None,
        };
        let Some(inferred) = inferred else {
            counts.add("parameters of templates that nothing instantiates", 1);
            continue;
        };
        if !inferred.is_called {
            counts.add(if is_local { "variables not reached" } else { "parameters without a caller" }, 1);
            continue;
        }
        if inferred.is_limited {
            counts.add(if is_local { "variables limited" } else { "parameters limited" }, 1);
        }
        if inferred.is_null && inferred.spaces.is_empty() {
            counts.add("parameters that null alone is passed to", 1);
            continue;
        }
        let is_equal = inferred.spaces == site.space;
        let contains = site.space.intersection(inferred.spaces) == site.space;
        counts.add(if is_local { "variables judged" } else { "parameters judged" }, 1);
        counts.add(if is_local { "variables equal" } else { "parameters equal" }, usize::from(is_equal));
        counts.add(if is_local { "variables contain" } else { "parameters contain" }, usize::from(contains));
        if !is_equal {
            let of = &sites.groups[site.group];
            differs.push(format!(
                "{name}: {}:{} {}({}) {:?}: was {}, inferred {}{}",
                site.place.0,
                site.place.1.start,
                of.name,
                site.name,
                site.what,
                site.space.words().join(" or "),
                inferred.spaces.words().join(" or "),
                if inferred.is_limited { " (limit)" } else { "" }
            ));
        }
    }
    for (number, _) in program.functions.iter().enumerate() {
        for access in program.accesses(number) {
            let Some(resolution) = access.resolution else { continue };
            let name_of = match (resolution, access.inferred.len()) {
                (Resolution::Static, _) => "accesses static",
                (Resolution::PerCall, _) => "accesses per-call",
                // Of an array that a variable indexes; see the definitions in `docs/address-spaces.md`.
                (Resolution::Runtime, 1) => "accesses runtime, in one space",
                (Resolution::Runtime, _) => "accesses runtime",
            };
            counts.add(name_of, 1);
            if resolution == Resolution::Runtime && access.inferred.len() > 1 {
                let function = program.functions[number].0.item.decl;
                if let Some((path, range)) = tokens.range(body_of(db, unit, function), access.range) {
                    differs.push(format!(
                        "{name}: {path}:{} runtime access, {}",
                        range.start,
                        access.inferred.words().join(" or ")
                    ));
                }
            }
        }
    }
    differs
}

/// Whether a parameter is a generic pointer or reference in some instance of its function.
fn is_generic(db: &Database, unit: Unit, function: DeclId, number: u32) -> bool {
    let env = environment(db, unit);
    let local = LocalCaches::default();
    let sema = Sema::new(env, &env.ast, &local);
    let instances = unit_instances(db, unit).iter().map(|instance| instance.item(db));
    let own = DeclRef { decl: function, bind: BindId::NONE };
    instances.filter(|item| item.decl == function).chain([own]).any(|item| {
        let signature = sema.signature(item);
        signature.params.get(number as usize).is_some_and(|param| match sema.kind(param.ty.ty) {
            TyKind::Pointer(inner) | TyKind::LRef(inner) | TyKind::RRef(inner) => inner.space == Space::Generic,
            _ => false,
        })
    })
}

/// What an input of a function is in its contexts; `None` if no instance has it.
fn of_input(program: &msl_flow::Program, function: DeclId, input: &Input) -> Option<Inferred> {
    let mut found = None;
    for &number in program.of_declaration(function) {
        let (of, summary) = &program.functions[number];
        let Some(index) = summary.input(input).filter(|_| of.closure.is_none()) else { continue };
        let inferred = found.get_or_insert(Inferred { is_null: true, ..Inferred::default() });
        let own = Value::new(SourceKind::Input(index), TokenRange::default());
        for caller in program.callers(number, &own) {
            let call = &program.functions[caller.caller].1.calls[caller.call as usize];
            let passed = call.args.iter().find(|(of, _)| of == input).map(|(_, value)| value);
            let is_handed_on = |source: &msl_flow::value::Source| matches!(source.kind, SourceKind::Input(_));
            inferred.is_null &= passed.is_some_and(|value| value.sources.iter().all(is_handed_on));
        }
        inferred.is_limited |= program.limit(number).is_some();
        for context in program.contexts(number) {
            let Some(known) = context.get(index as usize) else { continue };
            inferred.is_called = true;
            inferred.is_limited |= known.is_limited;
            inferred.spaces = inferred.spaces.union(known.spaces);
        }
    }
    found
}
