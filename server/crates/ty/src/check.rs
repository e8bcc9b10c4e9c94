//! The two checks that a unit consists of: its declarations, and each function body.

use std::cell::RefCell;

use msl_diagnostics::Code;
use msl_parser::ParsedBody;
use msl_parser::ast::*;
use msl_parser::scope::ScopeKind;
use msl_preproc::Token;
use rustc_hash::FxHashSet;

use crate::expr::{Checker, ExprInfo, Facts};
use crate::sema::{Cx, DeclRef, Env, LocalCaches, Sema, TyDiagnostic};
use crate::store::*;

/// What a check found.
#[derive(Debug, Default)]
pub struct Checked {
    pub diagnostics: Vec<TyDiagnostic>,
    pub facts: Facts,
    pub counts: Counts,
    /// The instances of templates that are called, as their definitions.
    pub instances: Vec<DeclRef>,
}

/// How much of what is written is understood. Each written expression counts once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub expressions: u32,
    /// Of unknown type: something that the analysis does not model.
    pub unknown: u32,
    /// Depends on the parameters of a template that nothing instantiates.
    pub dependent: u32,
    /// Expressions inside templates, and how many of those are unknown.
    pub in_templates: u32,
    pub unknown_in_templates: u32,
}

impl Counts {
    pub fn add(&mut self, other: Counts) {
        self.expressions += other.expressions;
        self.unknown += other.unknown;
        self.dependent += other.dependent;
        self.in_templates += other.in_templates;
        self.unknown_in_templates += other.unknown_in_templates;
    }
}

/// How a body is checked.
#[derive(Clone, Copy)]
enum Check<'c> {
    /// As it is written, with its template parameters open; the tokens are the body's.
    Open(Option<&'c [Token]>),
    /// As an instance, given what the check as written found.
    Instance(&'c Checked),
}

impl Env {
    /// Checks the unit's declarations, deferred bodies left out; bodies that stay in the declaration stream are
    /// checked here.
    pub fn check_decls(&self) -> Checked {
        let local = LocalCaches::default();
        let sink = RefCell::new(Vec::new());
        let sema = Sema::new(self, &self.ast, &local).reporting(&sink);
        let cx = Cx { scope: self.global, bind: BindId::NONE, before: u32::MAX, before_local: u32::MAX, class: None };
        let mut checker = Checker { keeps_facts: true, ..Checker::new(sema, cx) };
        for &decl in &self.roots {
            checker.declaration(decl);
        }
        let facts = std::mem::take(&mut checker.facts);
        let counts = count(&checker.sema, &facts, false);
        let instances = instances(&checker.sema, &facts);
        crate::attributes::check_declarations(&checker.sema);
        crate::redeclare::check_declarations(&checker.sema);
        drop(checker);
        Checked { diagnostics: sink.into_inner(), facts, counts, instances }
    }

    /// Checks one function's body, with the template parameters it stands under open.
    /// With `tokens`, those of the body, braces included, what compiles and is most likely not meant is looked for too.
    pub fn check_body(&self, function: DeclId, body: &ParsedBody, tokens: Option<&[Token]>) -> Checked {
        self.check_with(DeclRef { decl: function, bind: BindId::NONE }, body, Check::Open(tokens))
    }

    /// Checks one instance's body. `generic` is what [`Env::check_body`] found for the same body.
    pub fn check_instance(&self, item: DeclRef, body: &ParsedBody, generic: &Checked) -> Checked {
        self.check_with(item, body, Check::Instance(generic))
    }

    fn check_with(&self, item: DeclRef, body: &ParsedBody, check: Check<'_>) -> Checked {
        let generic = match check {
            Check::Open(_) => None,
            Check::Instance(generic) => Some(generic),
        };
        let local = LocalCaches::default();
        let sink = RefCell::new(Vec::new());
        let sema = Sema::new(self, &body.ast, &local).reporting(&sink);
        let signature = sema.signature(item);
        if generic.is_none() {
            crate::redeclare::check_local_variables(&sema, item.decl, body);
        }
        let mut checker = Checker::for_function(sema, item, Some(signature.ret));
        checker.generic = generic.map(|generic| &generic.facts);
        checker.body(body);
        if let Check::Open(Some(tokens)) = check {
            crate::review::review_body(&checker, item.decl, body, tokens);
        }
        let facts = std::mem::take(&mut checker.facts);
        let in_template = item.bind == BindId::NONE && is_templated(&checker.sema, item.decl);
        let counts = count(&checker.sema, &facts, in_template);
        let instances = instances(&checker.sema, &facts);
        if generic.is_none() {
            crate::attributes::check_body(&checker.sema, item.decl, body, &facts);
        }
        let mut diagnostics = sink.take();
        drop(checker);
        // In a list the same constant is an error, which says it all.
        let wrong: FxHashSet<TokenRange> = diagnostics
            .iter()
            .filter(|finding| finding.code == Code::TypeMismatch)
            .map(|finding| finding.range)
            .collect();
        diagnostics.retain(|finding| finding.code != Code::ConstantConversion || !wrong.contains(&finding.range));
        if let Some(generic) = generic {
            // What is wrong whatever the parameters are was said once.
            diagnostics.retain(|finding| {
                !generic.diagnostics.iter().any(|said| said.code == finding.code && said.range == finding.range)
            });
        }
        Checked { diagnostics, facts, counts, instances }
    }

    /// What the unit's explicit instantiations instantiate.
    pub fn explicit_instances(&self) -> Vec<DeclRef> {
        let local = LocalCaches::default();
        let sema = Sema::new(self, &self.ast, &local);
        self.ast.own_decls().flat_map(|(decl, _)| sema.explicitly_instantiated(decl)).collect()
    }

    /// The instances that explicit instantiations make entry points.
    pub fn entry_instances(&self) -> Vec<DeclRef> {
        let local = LocalCaches::default();
        let sema = Sema::new(self, &self.ast, &local);
        self.ast
            .own_decls()
            .filter(|(decl, data)| data.specs.contains(Specs::INSTANTIATION) && sema.stage_of(*decl).is_some())
            .flat_map(|(decl, _)| sema.explicitly_instantiated(decl))
            .collect()
    }

    /// How an instance is spelled in messages: `f<float, 4>`.
    pub fn spell_instance(&self, item: DeclRef) -> String {
        let local = LocalCaches::default();
        let sema = Sema::new(self, &self.ast, &local);
        sema.spell_instance(item)
    }

    /// A body that stays in the unit's declaration stream, parsed.
    pub fn inline_body(&self, function: DeclId) -> Option<std::sync::Arc<ParsedBody>> {
        let local = LocalCaches::default();
        Sema::new(self, &self.ast, &local).inline_body(function)
    }
}

/// Whether a function stands under a template header that has parameters.
pub fn is_templated(sema: &Sema<'_>, decl: DeclId) -> bool {
    sema.headers_around(decl).iter().any(|&header| !sema.ast[header].params.is_empty()) || {
        let mut scope = Some(sema.ast[decl].scope);
        let mut found = false;
        while let Some(id) = scope {
            found |= sema.ast[id].kind == ScopeKind::Template && !sema.ast[id].names.is_empty();
            scope = sema.ast[id].parent;
        }
        found
    }
}

/// The instances with a body among what is called, each once, in a fixed order.
fn instances(sema: &Sema<'_>, facts: &Facts) -> Vec<DeclRef> {
    let mut found: Vec<DeclRef> = facts
        .callees
        .values()
        .chain(facts.constructors.values())
        .chain(facts.member_constructors.values())
        .filter(|&&item| sema.is_instance(item))
        .filter_map(|&item| sema.definition(item))
        .collect();
    found.sort_unstable_by_key(|item| (item.decl, item.bind));
    found.dedup();
    found
}

fn count(sema: &Sema<'_>, facts: &Facts, in_template: bool) -> Counts {
    let mut counts = Counts::default();
    for info in facts.exprs.values() {
        counts.expressions += 1;
        if in_template {
            counts.in_templates += 1;
        }
        if info.is_init_list() || info.is_overload_set() {
            continue;
        }
        if sema.store().is_dependent(info.ty.ty) {
            counts.dependent += 1;
        } else if is_unknown(sema, info) {
            counts.unknown += 1;
            if in_template {
                counts.unknown_in_templates += 1;
            }
        }
    }
    counts
}

fn is_unknown(sema: &Sema<'_>, info: &ExprInfo) -> bool {
    sema.store().is_unknown(info.ty.ty)
}
