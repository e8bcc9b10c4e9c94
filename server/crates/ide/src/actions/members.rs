//! Member functions and Metal 4.1.
//!
//! Under Metal 4.0 and older, `this` of a member function without an address space points to thread memory; from 4.1 on
//! it is generic (rule G16), and nothing else that compiled changes its meaning (G17). So a unit is judged under 4.1 as
//! it stands, and once more with `thread` supposed behind the parameters of every such member: what is wrong or calls
//! something else only in the first is what the change of version does.
//!
//! Vocabulary:
//!
//! * A *candidate* is a member function without an address space for `this`: all its declarations are one candidate.
//! * A candidate *breaks* if its body has an error under 4.1 that `thread` takes away, and *changes* if a call in it
//!   chooses another function.
//! * `thread` *spreads*: a member that calls an annotated one on its own object has to be annotated as well (G33). The
//!   smallest set of annotations is the candidates that break or change, and what these spread to.
//!
//! Where both versions preprocess to the same tokens, which is nearly always, the trees of the unit as it is are judged,
//! and only the bodies of candidates are checked again.

use std::{collections::BTreeMap, sync::Arc};

use msl_db::{BodyPlace, Database, Db, Unit, parsed_body, parsed_decls, split_unit};
use msl_diagnostics::{Place, Related, Severity, TextEdit};
use msl_parser::{ParsedBody, ast::*};
use msl_preproc::{Keyword, LanguageVersion, Punct, TokenKind};
use msl_ty::{
    DeclRef, Env, Instance, Sema, TyDiagnostic, body_of, environment,
    sema::LocalCaches,
    store::{BindId, TyKind},
    unit_instances,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::edits::{EditBuilder, merged};
use crate::{
    analysis::{Analysis, UnitRequest},
    places::TokenPlaces,
};

/// What Metal 4.1 makes of a unit's member functions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MembersJudgement {
    /// In order of declaration.
    pub members: Vec<JudgedMember>,
}

/// A member function without an address space for `this`.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedMember {
    /// With its class: `Shape::area`.
    pub name: String,
    /// Its name where it is first declared: tells members apart, also those of headers that several units include.
    pub place: Place,
    /// Its name where its body is.
    pub definition: Option<Place>,
    pub verdict: MemberVerdict,
    /// Whether it is among the fewest that have to be annotated.
    pub is_needed: bool,
    /// The edits that annotate it and all that the annotation spreads to; or why that cannot be done.
    pub annotation: Result<Vec<TextEdit>, String>,
    /// The edits that annotate it alone.
    pub own_annotation: Result<Vec<TextEdit>, String>,
    /// The names of the members that the annotation spreads to.
    pub spreads_to: Vec<String>,
}

/// What becomes of a member function under Metal 4.1.
#[derive(Clone, Debug, PartialEq)]
pub enum MemberVerdict {
    /// It becomes generic and is fine, or has no body here.
    Generic,
    /// A call in it chooses another function: each with a message.
    Changes(Vec<Related>),
    /// It does not compile: the errors.
    Breaks(Vec<Related>),
    /// It is fine until one of these has to be annotated.
    Follows(Vec<String>),
}

impl Analysis {
    /// Judges the member functions of a unit under Metal 4.1. `annotated` are the places of members that are going to
    /// be annotated for the sake of other units.
    pub fn judge_members(&self, request: &UnitRequest, annotated: &FxHashSet<Place>) -> MembersJudgement {
        let (old, new) = self.both_sides(request);
        judge(&self.db, old, new, annotated)
    }

    /// The unit as it is, and as Metal 4.1 or newer.
    pub(crate) fn both_sides(&self, request: &UnitRequest) -> (Unit, Unit) {
        let old = request.std.version;
        let new = if old.has_generic_pointers() { old } else { LanguageVersion::new(4, 1, old.platform) };
        (self.unit(request, old), self.unit(request, new))
    }
}

/// Judges the members of a unit; see [`Analysis::judge_members`].
pub(crate) fn judge(db: &Database, old: Unit, new: Unit, annotated: &FxHashSet<Place>) -> MembersJudgement {
    if candidates(db, old).list.is_empty() {
        return MembersJudgement::default();
    }
    let unit = if has_same_tokens(db, old, new) { old } else { new };
    // Under 4.1 already, what the members mean is what they are meant to.
    let keeps_meaning = !old.options(db).version.has_generic_pointers();
    Judge::new(db, unit, keeps_meaning).judge(annotated)
}

/// Whether two units have the same tokens, so that the trees of one are those of the other.
#[salsa::tracked(returns(copy))]
fn has_same_tokens(db: &dyn Db, a: Unit, b: Unit) -> bool {
    let (a, b) = (split_unit(db, a), split_unit(db, b));
    let bodies = |unit: msl_db::SplitUnit<'_>| unit.bodies(db).len();
    a.stream(db) == b.stream(db)
        && bodies(a) == bodies(b)
        && a.bodies(db).iter().zip(b.bodies(db).iter()).all(|(a, b)| a.tokens(db) == b.tokens(db))
}

/// All declarations of one member function without an address space for `this`.
#[derive(Debug)]
struct Candidate {
    /// The first is the one in the class.
    decls: Vec<DeclId>,
    /// The one with a body.
    definition: Option<DeclId>,
    /// It may have a definition outside of its class that was not told apart from another.
    is_unclear: bool,
}

#[derive(Debug, Default)]
struct Candidates {
    list: Vec<Candidate>,
    by_decl: FxHashMap<DeclId, usize>,
}

#[salsa::tracked(returns(ref), no_eq)]
fn candidates(db: &dyn Db, unit: Unit) -> Arc<Candidates> {
    let env = environment(db, unit);
    let local = LocalCaches::default();
    let sema = Sema::new(env, &env.ast, &local);
    let mut found = Candidates::default();
    let mut outside: Vec<DeclId> = Vec::new();
    for (decl, _) in env.ast.own_decls().filter(|(_, data)| could_be_annotated(&env.ast, data)) {
        let Some(function) = function(&env.ast, decl) else { continue };
        if function.qualifier.is_some() {
            outside.push(decl);
        } else if sema.signature(DeclRef { decl, bind: BindId::NONE }).this.is_some() {
            found.by_decl.insert(decl, found.list.len());
            let definition = has_body(&env.ast, decl).then_some(decl);
            found.list.push(Candidate { decls: vec![decl], definition, is_unclear: false });
        }
    }
    if found.list.is_empty() {
        return Arc::new(found);
    }
    let mut by_name: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for (index, candidate) in found.list.iter().enumerate() {
        by_name.entry(own_name(&env.ast, candidate.decls[0])).or_default().push(index);
    }
    for decl in outside {
        let Some(named) = by_name.get(&own_name(&env.ast, decl)) else { continue };
        let of_class: Vec<usize> =
            named.iter().copied().filter(|&index| is_of_class(&sema, found.list[index].decls[0], decl)).collect();
        let mut fits: Vec<usize> = of_class
            .iter()
            .copied()
            .filter(|&index| is_spelled_alike(&sema, found.list[index].decls[0], decl))
            .collect();
        if fits.is_empty() && of_class.len() == 1 {
            fits.clone_from(&of_class);
        }
        match *fits {
            [index] => {
                let candidate = &mut found.list[index];
                candidate.is_unclear |= candidate.definition.is_some();
                candidate.decls.push(decl);
                candidate.definition.get_or_insert(decl);
                found.by_decl.insert(decl, index);
            }
            _ => of_class.iter().for_each(|&index| found.list[index].is_unclear = true),
        }
    }
    Arc::new(found)
}

fn function(ast: &Ast, decl: DeclId) -> Option<&Function> {
    match &ast[decl].kind {
        DeclKind::Function(function) => Some(function),
        _ => None,
    }
}

fn has_body(ast: &Ast, decl: DeclId) -> bool {
    function(ast, decl)
        .is_some_and(|function| matches!(function.body, FunctionBody::Deferred(_) | FunctionBody::Inline(_)))
}

/// Whether a function declaration has room for the address space of `this`, if it is one of a member.
fn could_be_annotated(ast: &Ast, data: &Decl) -> bool {
    let DeclKind::Function(function) = &data.kind else { return false };
    let TypeKind::Function(written) = &ast[function.ty].kind else { return false };
    written.this_quals.spaces.is_empty()
        && !data.specs.intersects(Specs::INSTANTIATION | Specs::FRIEND | Specs::STATIC)
        && function.role != FunctionRole::Destructor
        && !matches!(function.body, FunctionBody::Deleted | FunctionBody::Defaulted)
}

/// The name that tells functions of a class apart from others; all conversions have one.
fn own_name(ast: &Ast, decl: DeclId) -> String {
    match function(ast, decl).map(|function| function.name) {
        Some(UnqualName::Conversion(_)) => "operator".to_owned(),
        Some(name) => msl_ty::types::spell_name(name),
        None => String::new(),
    }
}

/// Whether a definition outside of its class belongs to the class of a declaration inside.
fn is_of_class(sema: &Sema<'_>, inside: DeclId, outside: DeclId) -> bool {
    let item = |decl| DeclRef { decl, bind: BindId::NONE };
    let class = sema.class_of(item(inside)).map(|class| sema.kind(class));
    let Some(TyKind::Record(record, _)) = class else { return false };
    let Some(Function { qualifier: Some(path), .. }) = function(sema.ast, outside) else { return false };
    // As a template's name, because the parameters of the definition's headers are not those of the class.
    let named = sema.lookup_path(path, sema.cx_of(item(outside)));
    named.items.iter().any(|item| sema.primary_record(item.decl) == sema.primary_record(*record))
}

/// Whether a definition outside of its class has the parameters and qualifiers of a declaration inside, as they are
/// spelled: parameters of a template are other declarations in each of its headers.
fn is_spelled_alike(sema: &Sema<'_>, inside: DeclId, outside: DeclId) -> bool {
    let quals = |decl| match function(sema.ast, decl).map(|function| &sema.ast[function.ty].kind) {
        Some(TypeKind::Function(written)) => Some((written.this_quals.is_const, written.this_quals.is_volatile)),
        _ => None,
    };
    let spelled = |decl| -> Vec<String> {
        let signature = sema.signature(DeclRef { decl, bind: BindId::NONE });
        signature.params.iter().map(|param| sema.spell_ty(param.ty.ty)).collect()
    };
    quals(inside) == quals(outside) && spelled(inside) == spelled(outside)
}

/// The unit under 4.1, as it stands.
#[salsa::tracked(returns(ref), no_eq)]
fn generic_env(db: &dyn Db, unit: Unit) -> Arc<Env> {
    let own = environment(db, unit);
    if own.version.has_generic_pointers() {
        return Arc::clone(own);
    }
    Arc::new(own.supposing(judged_version(own), FxHashSet::default()))
}

/// The unit under 4.1 with every candidate annotated: what it means under older versions.
#[salsa::tracked(returns(ref), no_eq)]
fn thread_env(db: &dyn Db, unit: Unit) -> Arc<Env> {
    let own = environment(db, unit);
    let all = candidates(db, unit).by_decl.keys().copied().collect();
    Arc::new(own.supposing(judged_version(own), all))
}

fn judged_version(own: &Env) -> LanguageVersion {
    let version = own.version;
    if version.has_generic_pointers() { version } else { LanguageVersion::new(4, 1, version.platform) }
}

/// What the check of one body found, as far as versions can differ in it.
#[derive(Clone, Debug, Default, PartialEq)]
struct Outcome {
    errors: Vec<TyDiagnostic>,
    /// What each call calls, in order.
    callees: BTreeMap<ExprId, (TokenRange, DeclRef)>,
}

#[salsa::tracked(returns(ref))]
fn generic_outcome<'db>(db: &'db dyn Db, instance: Instance<'db>) -> Outcome {
    outcome(db, generic_env(db, instance.unit(db)), instance)
}

#[salsa::tracked(returns(ref))]
fn thread_outcome<'db>(db: &'db dyn Db, instance: Instance<'db>) -> Outcome {
    outcome(db, thread_env(db, instance.unit(db)), instance)
}

/// Checks a body, or one instance of it, in an environment of its unit.
fn outcome(db: &dyn Db, env: &Env, instance: Instance<'_>) -> Outcome {
    let item = instance.item(db);
    let Some(parsed) = parsed_of(db, env, instance.unit(db), item.decl) else { return Outcome::default() };
    let template = env.check_body(item.decl, &parsed, None);
    let checked = if item.bind == BindId::NONE { template } else { env.check_instance(item, &parsed, &template) };
    let is_error =
        |finding: &TyDiagnostic| finding.severity.or(finding.code.default_severity()) == Some(Severity::Error);
    let errors = checked.diagnostics.into_iter().filter(is_error).collect();
    let callees = checked.facts.callees.iter().map(|(&expr, &item)| (expr, (parsed.ast[expr].range, item))).collect();
    Outcome { errors, callees }
}

fn parsed_of(db: &dyn Db, env: &Env, unit: Unit, function: DeclId) -> Option<Arc<ParsedBody>> {
    match body_of(db, unit, function)? {
        BodyPlace::Deferred(number) => {
            let &body = split_unit(db, unit).bodies(db).get(number as usize)?;
            parsed_body(db, body).clone()
        }
        BodyPlace::Inline(_) => env.inline_body(function),
    }
}

/// What one outcome has that the other has not.
struct Difference<'o> {
    errors: Vec<&'o TyDiagnostic>,
    /// The call, what it called, what it calls now.
    calls: Vec<(TokenRange, DeclRef, DeclRef)>,
}

impl<'o> Difference<'o> {
    fn of(now: &'o Outcome, before: &Outcome, library_end: u32) -> Difference<'o> {
        let is_new = |error: &&TyDiagnostic| !before.errors.iter().any(|other| other.range == error.range);
        let errors = now.errors.iter().filter(is_new).collect();
        let calls = now
            .callees
            .iter()
            .filter_map(|(expr, &(range, item))| {
                let &(_, other) = before.callees.get(expr)?;
                // The library's overloads for several spaces do the same.
                let is_ours = item.decl.0 >= library_end || other.decl.0 >= library_end;
                (item.decl != other.decl && is_ours).then_some((range, other, item))
            })
            .collect();
        Difference { errors, calls }
    }

    fn is_empty(&self, keeps_meaning: bool) -> bool {
        self.errors.is_empty() && (self.calls.is_empty() || !keeps_meaning)
    }
}

/// The work on one unit.
struct Judge<'a> {
    db: &'a Database,
    unit: Unit,
    env: &'a Arc<Env>,
    candidates: &'a Candidates,
    /// By candidate: its body, or its instances.
    items: Vec<Vec<Instance<'a>>>,
    places: TokenPlaces<'a>,
    keeps_meaning: bool,
    /// Library declarations have smaller numbers.
    library_end: u32,
}

/// `thread` is not followed through more calls than this.
const MAX_ROUNDS: usize = 64;

impl<'a> Judge<'a> {
    fn new(db: &'a Database, unit: Unit, keeps_meaning: bool) -> Judge<'a> {
        let candidates = candidates(db, unit);
        let env = generic_env(db, unit);
        let library_end = parsed_decls(db, unit).ast.start().decls;
        let places = TokenPlaces::of(db, unit);
        let mut judge = Judge { db, unit, env, candidates, items: Vec::new(), places, keeps_meaning, library_end };
        judge.items = judge.all_items();
        judge
    }

    /// What is checked for each candidate: its body with template parameters open, and each instance.
    fn all_items(&self) -> Vec<Vec<Instance<'a>>> {
        let (db, unit) = (self.db, self.unit);
        let local = LocalCaches::default();
        let sema = Sema::new(self.env, &self.env.ast, &local);
        let mut items: Vec<Vec<Instance<'a>>> = Vec::new();
        let mut has_templates = false;
        for candidate in &self.candidates.list {
            let own = candidate.definition.map(|decl| Instance::new(db, unit, decl.0, BindId::NONE.0));
            has_templates |= candidate.definition.is_some_and(|decl| msl_ty::check::is_templated(&sema, decl));
            items.push(own.into_iter().collect());
        }
        if has_templates {
            for &instance in unit_instances(db, unit).iter() {
                if let Some(&index) = self.candidates.by_decl.get(&instance.item(db).decl) {
                    items[index].push(instance);
                }
            }
        }
        items
    }

    fn judge(&self, annotated: &FxHashSet<Place>) -> MembersJudgement {
        let own: Vec<MemberVerdict> = (0..self.items.len()).map(|index| self.verdict(index)).collect();
        let mut needed: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (index, verdict) in own.iter().enumerate() {
            let is_asked_for =
                || self.place(self.candidates.list[index].decls[0]).is_some_and(|it| annotated.contains(&it));
            if *verdict != MemberVerdict::Generic || is_asked_for() {
                needed.insert(index, Vec::new());
            }
        }
        self.spread(&mut needed);
        let callers = self.callers_and_overloads();
        // What breaks of its own accord may break once more by what it calls.
        let mut spreading = needed.clone();
        for (caller, causes) in &mut spreading {
            let called = callers.get(caller).into_iter().flatten();
            causes.extend(called.filter(|called| needed.contains_key(called)));
        }
        let annotations: Vec<Result<Vec<TextEdit>, String>> =
            self.candidates.list.iter().map(|candidate| self.annotation(candidate)).collect();
        let names: Vec<String> = self.candidates.list.iter().map(|candidate| self.name(candidate.decls[0])).collect();
        let mut members = Vec::new();
        for (index, (candidate, verdict)) in self.candidates.list.iter().zip(own).enumerate() {
            let Some(place) = self.place(candidate.decls[0]) else { continue };
            let causes = needed.get(&index);
            let verdict = match (verdict, causes) {
                (MemberVerdict::Generic, Some(causes)) if !causes.is_empty() => {
                    MemberVerdict::Follows(causes.iter().map(|&cause| names[cause].clone()).collect())
                }
                (verdict, _) => verdict,
            };
            let spreads_to = match causes {
                Some(_) => followers(&spreading, index),
                None => followers(&callers, index),
            };
            let annotation = std::iter::once(index)
                .chain(spreads_to.iter().copied())
                .map(|index| annotations[index].clone())
                .collect::<Result<Vec<_>, String>>()
                .map(|edits| merged(edits.into_iter().flatten().collect()));
            // Where generic members are meant to be generic, those that call this one may be needed for other memory.
            let annotation = match spreads_to.first() {
                Some(&caller) if causes.is_none() && !self.keeps_meaning => {
                    Err(format!("`{}` calls it or is an overload of it, and is generic", names[caller]))
                }
                _ => annotation,
            };
            members.push(JudgedMember {
                name: names[index].clone(),
                place,
                definition: candidate.definition.and_then(|decl| self.place(decl)),
                verdict,
                is_needed: causes.is_some(),
                annotation,
                own_annotation: annotations[index].clone(),
                spreads_to: spreads_to.into_iter().map(|index| names[index].clone()).collect(),
            });
        }
        MembersJudgement { members }
    }

    /// What 4.1 makes of a candidate while no other is annotated.
    fn verdict(&self, index: usize) -> MemberVerdict {
        let mut errors: Vec<Related> = Vec::new();
        let mut calls: Vec<Related> = Vec::new();
        for &item in &self.items[index] {
            let (now, before) = (generic_outcome(self.db, item), thread_outcome(self.db, item));
            let difference = Difference::of(now, before, self.library_end);
            let body = body_of(self.db, self.unit, item.item(self.db).decl);
            let note = |into: &mut Vec<Related>, range: TokenRange, message: String| {
                if let Some((place, _)) = self.places.place(body, range)
                    && !into.iter().any(|other| other.place == place)
                {
                    into.push(Related { place, message });
                }
            };
            for error in difference.errors {
                note(&mut errors, error.range, error.message.clone());
            }
            for (range, before, now) in difference.calls {
                let local = LocalCaches::default();
                let sema = Sema::new(self.env, &self.env.ast, &local);
                let (before, now) = (sema.spell_function(before), sema.spell_function(now));
                note(&mut calls, range, format!("this called `{before}` and will call `{now}`"));
            }
        }
        if !errors.is_empty() {
            MemberVerdict::Breaks(errors)
        } else if !calls.is_empty() && self.keeps_meaning {
            MemberVerdict::Changes(calls)
        } else {
            MemberVerdict::Generic
        }
    }

    /// Adds the candidates that have to be annotated because those in `needed` are, each with those that make it so.
    fn spread(&self, needed: &mut BTreeMap<usize, Vec<usize>>) {
        if needed.is_empty() {
            return;
        }
        for _ in 0..MAX_ROUNDS {
            let decls: FxHashSet<DeclId> =
                needed.keys().flat_map(|&index| self.candidates.list[index].decls.iter().copied()).collect();
            let env = self.env.supposing(self.env.version, decls);
            let mut added: Vec<(usize, Vec<usize>)> = Vec::new();
            for (index, items) in self.items.iter().enumerate().filter(|(index, _)| !needed.contains_key(index)) {
                for &item in items {
                    let now = outcome(self.db, &env, item);
                    let before = thread_outcome(self.db, item);
                    if Difference::of(&now, before, self.library_end).is_empty(self.keeps_meaning) {
                        continue;
                    }
                    let generic = generic_outcome(self.db, item);
                    let mut causes: Vec<usize> = generic
                        .callees
                        .values()
                        .filter_map(|(_, callee)| self.candidates.by_decl.get(&callee.decl).copied())
                        .filter(|callee| needed.contains_key(callee))
                        .collect();
                    causes.sort_unstable();
                    causes.dedup();
                    if causes.is_empty() {
                        causes = self.unnamed_causes(index, needed);
                    }
                    added.push((index, causes));
                    break;
                }
            }
            if added.is_empty() {
                return;
            }
            needed.extend(added);
        }
    }

    /// By candidate: the others that it calls, and its overloads. Whoever calls an annotated one may have to be annotated,
    /// an overload that stays generic may fit as well as one that is not, and before Metal 4.1 to annotate more never
    /// hurts: all of them work on thread memory.
    fn callers_and_overloads(&self) -> BTreeMap<usize, Vec<usize>> {
        let ast = &self.env.ast;
        let key = |index: usize| {
            let decl = self.candidates.list[index].decls[0];
            (ast[decl].scope, own_name(ast, decl))
        };
        let mut by_name: FxHashMap<(ScopeId, String), Vec<usize>> = FxHashMap::default();
        for index in 0..self.items.len() {
            by_name.entry(key(index)).or_default().push(index);
        }
        let called = |(index, items): (usize, &Vec<Instance<'a>>)| {
            let mut called: Vec<usize> = items
                .iter()
                .flat_map(|&item| generic_outcome(self.db, item).callees.values())
                .filter_map(|(_, callee)| self.candidates.by_decl.get(&callee.decl).copied())
                .collect();
            called.extend(by_name.get(&key(index)).into_iter().flatten().filter(|&&other| other != index));
            called.sort_unstable();
            called.dedup();
            (index, called)
        };
        self.items.iter().enumerate().map(called).filter(|(_, called)| !called.is_empty()).collect()
    }

    /// What makes a candidate follow where no call names it: the initialisation of a member by its constructor, or a
    /// conversion.
    fn unnamed_causes(&self, follower: usize, needed: &BTreeMap<usize, Vec<usize>>) -> Vec<usize> {
        let ast = &self.env.ast;
        let role = |index: usize| function(ast, self.candidates.list[index].decls[0]).map(|function| function.role);
        let wanted = match role(follower) {
            Some(FunctionRole::Constructor) => FunctionRole::Constructor,
            _ => FunctionRole::Conversion,
        };
        let of_role: Vec<usize> = needed.keys().copied().filter(|&index| role(index) == Some(wanted)).collect();
        if !of_role.is_empty() {
            return of_role;
        }
        needed.keys().copied().collect()
    }

    /// The edits that write `thread` at each declaration of a candidate.
    fn annotation(&self, candidate: &Candidate) -> Result<Vec<TextEdit>, String> {
        let mut builder = EditBuilder::new(self.db, self.unit);
        if candidate.is_unclear {
            builder.refuse("it is not clear which definition belongs to the declaration");
        }
        if candidate.definition.is_none() {
            builder.refuse("its definition is not in this program");
        }
        for &decl in &candidate.decls {
            match end_of_parameters(self.env, decl) {
                Some(token) => builder.insert_behind(None, token, " thread"),
                None => builder.refuse("its parameter list was not found"),
            }
        }
        builder.finish()
    }

    fn place(&self, decl: DeclId) -> Option<Place> {
        let token = self.env.ast[decl].name_token;
        Some(self.places.place(None, TokenRange::new(token, token + 1))?.0)
    }

    fn name(&self, decl: DeclId) -> String {
        let local = LocalCaches::default();
        let sema = Sema::new(self.env, &self.env.ast, &local);
        let name = function(&self.env.ast, decl).map(|function| function.name);
        let own = match name {
            Some(UnqualName::Conversion(_)) => {
                format!("operator {}", sema.spell(sema.signature(DeclRef { decl, bind: BindId::NONE }).ret))
            }
            Some(name) => msl_ty::types::spell_name(name),
            None => String::new(),
        };
        // Without template arguments: they are long, and the place says which class it is.
        let class = sema.class_of(DeclRef { decl, bind: BindId::NONE }).map(|class| sema.kind(class));
        match class {
            Some(TyKind::Record(record, _)) => match sema.decl_name(*record) {
                Some(class) => format!("{class}::{own}"),
                None => own,
            },
            _ => own,
        }
    }
}

/// The candidates that have to be annotated because this one is, directly or through others.
fn followers(needed: &BTreeMap<usize, Vec<usize>>, index: usize) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    let mut work = vec![index];
    while let Some(cause) = work.pop() {
        for (&follower, causes) in needed {
            if causes.contains(&cause) && follower != index && !found.contains(&follower) {
                found.push(follower);
                work.push(follower);
            }
        }
    }
    found.sort_unstable();
    found
}

/// The last token of a function's parameter list and of the `const` and `volatile` behind it: where the address space of
/// `this` goes.
pub(crate) fn end_of_parameters(env: &Env, decl: DeclId) -> Option<u32> {
    let ast = &env.ast;
    let start = ast.start().tokens;
    let token = |number: u32| env.tokens.get(number.checked_sub(start)? as usize);
    let function = function(ast, decl)?;
    let TypeKind::Function(written) = &ast[function.ty].kind else { return None };
    let name = ast[decl].name_token;
    let first_param = written.params.first().map(|&param| ast[param].range.start);
    let mut at = match (first_param, function.name) {
        (Some(first), _) => first.checked_sub(1)?,
        // The parentheses of the name come first.
        (None, UnqualName::Operator(OverloadedOp::Call)) => name + 3,
        _ => (name..ast[decl].range.end).find(|&number| token(number).is_some_and(|it| it.is_punct(Punct::LParen)))?,
    };
    if !token(at)?.is_punct(Punct::LParen) {
        return None;
    }
    let mut depth = 0u32;
    loop {
        let current = token(at)?;
        if current.is_punct(Punct::LParen) {
            depth += 1;
        } else if current.is_punct(Punct::RParen) {
            depth -= 1;
            if depth == 0 {
                break;
            }
        }
        at += 1;
        if at >= ast[decl].range.end {
            return None;
        }
    }
    while token(at + 1).is_some_and(|next| matches!(next.kind, TokenKind::Keyword(Keyword::Const | Keyword::Volatile)))
    {
        at += 1;
    }
    Some(at)
}
