//! Every name of a file and what it means: the base of `inspect`, hover and navigation.
//!
//! A *name* is a token that the author typed and that declares or refers to something: an identifier, `this`, an
//! overloaded operator, a literal. An *access* is an expression that goes through a pointer.
//!
//! What stands in the body of a template is listed once as the template itself has it, with its parameters open, and
//! once more for every instance in which it means something else or something more definite.

use std::sync::Arc;

use msl_db::{BodyPlace, Database, Db, Unit, parsed_body, parsed_decls, preprocessed, split_unit};
use msl_diagnostics::{Place, TextRange};
use msl_parser::ast::*;
use msl_ty::expr::{ExprInfo, Facts};
use msl_ty::sema::LocalCaches;
use msl_ty::store::{QualTy, Space, Ty, TyKind};
use msl_ty::{
    DeclRef, Env, Sema, body_of, checked_body, checked_declarations, checked_inline_bodies, checked_instance,
    environment, unit_instances,
};
use rustc_hash::FxHashMap;

use crate::{
    analysis::{Analysis, UnitRequest},
    flow_facts::{AccessFact, FlowFacts},
    flow_report::by_function,
    inspect::{Definition, Inspection},
    places::TokenPlaces,
};

impl Analysis {
    /// What is known about the name at `offset` of `path`, a file of the unit.
    pub fn inspect(&self, request: &UnitRequest, path: &Arc<str>, offset: u32) -> Inspection {
        let unit = self.unit(request, request.std.version);
        let found = inspections(&self.db, unit, path, Some(offset));
        // The innermost of what covers the place; a name goes before an access that starts with it.
        found
            .into_iter()
            .filter(|found| found.kind != Some("access"))
            .min_by_key(|found| found.range.end - found.range.start)
            .unwrap_or(Inspection { range: TextRange::new(offset, offset), ..Inspection::default() })
    }

    /// Everything that [`Analysis::inspect`] could say about `path`: names and accesses, in order of place.
    pub fn inspect_all(&self, request: &UnitRequest, path: &Arc<str>) -> Vec<Inspection> {
        let unit = self.unit(request, request.std.version);
        inspections(&self.db, unit, path, None)
    }
}

/// What is known about the names and accesses of a file, in order of place. With `at` only about those that cover this
/// offset.
pub(crate) fn inspections(db: &Database, unit: Unit, path: &Arc<str>, at: Option<u32>) -> Vec<Inspection> {
    let env = environment(db, unit);
    let tree = parsed_decls(db, unit);
    let places = TokenPlaces::of(db, unit);
    let mut collector = Collector { db, unit, env, places, path, at, found: Vec::new(), pointers: Vec::new() };
    let declarations = checked_declarations(db, unit);
    collector.layer(Layer { ast: &tree.ast, body: None, facts: &declarations.facts, instance: None });
    for (number, &body) in split_unit(db, unit).bodies(db).iter().enumerate() {
        if let (Some(parsed), Some(checked)) = (parsed_body(db, body), checked_body(db, body)) {
            let place = Some(BodyPlace::Deferred(number as u32));
            collector.layer(Layer { ast: &parsed.ast, body: place, facts: &checked.facts, instance: None });
        }
    }
    for (function, place, checked) in checked_inline_bodies(db, unit).iter() {
        if let Some(parsed) = env.inline_body(*function) {
            collector.layer(Layer { ast: &parsed.ast, body: Some(*place), facts: &checked.facts, instance: None });
        }
    }
    collector.instances();
    collector.macros();
    collector.generic_accesses();
    let mut found = collector.found;
    found.sort_by(|a, b| {
        let key = |of: &Inspection| (of.range.start, of.range.end, of.instantiation.is_some());
        key(a).cmp(&key(b)).then_with(|| a.instantiation.cmp(&b.instantiation))
    });
    // One token of a macro's argument can be several expanded ones that mean the same.
    found.dedup_by(|later, earlier| {
        later.range == earlier.range && later.kind == earlier.kind && later.instantiation == earlier.instantiation
    });
    definitions_of_instances(&mut found);
    found
}

/// A name that only an instance resolves leads to what the instances resolve it to.
fn definitions_of_instances(found: &mut [Inspection]) {
    for of_name in found.chunk_by_mut(|a, b| a.range == b.range && a.kind == b.kind) {
        let Some((template, instances)) = of_name.split_first_mut() else { continue };
        if template.instantiation.is_some() || instances.iter().all(|instance| instance.definitions.is_empty()) {
            continue;
        }
        template.definitions.clear();
        for definition in instances.iter().flat_map(|instance| &instance.definitions) {
            if !template.definitions.contains(definition) {
                template.definitions.push(definition.clone());
            }
        }
    }
}

/// What one check found, about the unit's declarations or about one body.
struct Layer<'a> {
    ast: &'a Ast,
    body: Option<BodyPlace>,
    facts: &'a Facts,
    instance: Option<OfInstance<'a>>,
}

/// For the body of an instance.
struct OfInstance<'a> {
    /// How the instance is spelled.
    name: &'a str,
    /// What the check with open template parameters found for the same body.
    template: &'a Facts,
}

struct Collector<'a> {
    db: &'a Database,
    unit: Unit,
    env: &'a Arc<Env>,
    places: TokenPlaces<'a>,
    path: &'a Arc<str>,
    at: Option<u32>,
    found: Vec<Inspection>,
    pointers: Vec<DeclaredPointer>,
}

/// A local generic pointer or reference where it is declared, with the tokens that name it in its body.
struct DeclaredPointer {
    declared: TextRange,
    body: BodyPlace,
    uses: Vec<u32>,
}

impl<'a> Collector<'a> {
    /// What names in the bodies of templates are in the instances of these.
    fn instances(&mut self) {
        let (db, unit) = (self.db, self.unit);
        for &instance in unit_instances(db, unit).iter() {
            let item = instance.item(db);
            let (Some(place), Some(checked)) = (body_of(db, unit, item.decl), checked_instance(db, instance)) else {
                continue;
            };
            let name = self.env.spell_instance(item);
            match place {
                BodyPlace::Deferred(number) => {
                    let Some(&body) = split_unit(db, unit).bodies(db).get(number as usize) else { continue };
                    if let (Some(parsed), Some(template)) = (parsed_body(db, body), checked_body(db, body)) {
                        let instance = Some(OfInstance { name: &name, template: &template.facts });
                        self.layer(Layer { ast: &parsed.ast, body: Some(place), facts: &checked.facts, instance });
                    }
                }
                BodyPlace::Inline(_) => {
                    let inline = checked_inline_bodies(db, unit);
                    let template = inline.iter().find(|(function, ..)| *function == item.decl);
                    if let (Some(parsed), Some((.., template))) = (self.env.inline_body(item.decl), template) {
                        let instance = Some(OfInstance { name: &name, template: &template.facts });
                        self.layer(Layer { ast: &parsed.ast, body: Some(place), facts: &checked.facts, instance });
                    }
                }
            }
        }
    }

    /// The names of one layer.
    fn layer(&mut self, layer: Layer<'_>) {
        let Layer { ast, body, facts, ref instance } = layer;
        let local = LocalCaches::default();
        if let Some(instance) = instance {
            local.set_variables(&instance.template.variables);
        }
        local.set_variables(&facts.variables);
        let sema = Sema::new(self.env, ast, &local);
        let by_token = infos_by_token(ast, facts);
        let in_template = instance.as_ref().map(|instance| infos_by_token(ast, instance.template));
        let start = self.found.len();
        if instance.is_none() {
            for (_, data) in ast.own_decls() {
                for &attr in &data.attrs {
                    self.attribute(body, &ast[attr]);
                }
            }
        }
        for (decl, data) in ast.own_decls() {
            if let Some(instance) = instance
                && facts.variables.get(&decl).is_none_or(|ty| instance.template.variables.get(&decl) == Some(ty))
            {
                continue;
            }
            if let Some(mut inspection) = self.declared(&sema, body, decl, data, facts) {
                inspection.definitions = self
                    .definition(&sema, body, DeclRef { decl, bind: msl_ty::store::BindId::NONE })
                    .into_iter()
                    .collect();
                if let Some(place) = body.filter(|_| inspection.space == Some("generic")) {
                    let names_it = |items: &[DeclRef]| items.iter().any(|item| item.decl == decl);
                    let uses = facts.refs.iter().filter(|(_, items)| names_it(items)).map(|(&token, _)| token);
                    self.pointers.push(DeclaredPointer {
                        declared: inspection.range,
                        body: place,
                        uses: uses.collect(),
                    });
                }
                self.found.push(inspection);
            }
        }
        for (&token, items) in &facts.refs {
            let Some(range) = self.typed(body, token) else { continue };
            let Some(&first) = items.first() else { continue };
            let info = by_token.get(&token).copied();
            if let (Some(instance), Some(in_template)) = (instance, &in_template)
                && instance.template.refs.get(&token) == Some(items)
                && in_template.get(&token).copied() == info
            {
                continue;
            }
            let mut inspection = self.describe(&sema, first, info, facts);
            inspection.range = range;
            inspection.text = self.text(range);
            inspection.definitions = items.iter().filter_map(|&item| self.definition(&sema, body, item)).collect();
            self.found.push(inspection);
        }
        for (&expr, info) in &facts.exprs {
            if instance.as_ref().is_none_or(|instance| instance.template.exprs.get(&expr) != Some(info)) {
                self.expression(&sema, body, ast, expr, info, facts);
            }
        }
        if let Some(instance) = instance {
            for inspection in &mut self.found[start..] {
                inspection.instantiation = Some(instance.name.to_owned());
            }
        }
    }

    fn attribute(&mut self, body: Option<BodyPlace>, attr: &Attr) {
        let Some(range) = self.typed(body, attr.name_token) else { return };
        let docs = msl_builtins::attribute(attr.name.as_str()).map(|info| info.doc.to_owned());
        let text = self.text(range);
        self.found.push(Inspection { range, text, kind: Some("attribute"), docs, ..Inspection::default() });
    }

    /// `this`, literals and accesses.
    fn expression(
        &mut self,
        sema: &Sema<'_>,
        body: Option<BodyPlace>,
        ast: &Ast,
        expr: ExprId,
        info: &ExprInfo,
        facts: &Facts,
    ) {
        let data = &ast[expr];
        let kind = match &data.kind {
            ExprKind::This => "this",
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::String(_)
            | ExprKind::Bool(_)
            | ExprKind::Nullptr => "literal",
            ExprKind::Unary { op: UnaryOp::Deref, operand, .. } => {
                return self.access(sema, body, data.range, facts.exprs.get(operand));
            }
            ExprKind::Index { base, .. } => return self.access(sema, body, data.range, facts.exprs.get(base)),
            ExprKind::Member { base, arrow: true, .. } => {
                return self.access(sema, body, data.range, facts.exprs.get(base));
            }
            _ => return,
        };
        let Some(range) = self.place_here(body, data.range) else { return };
        let mut inspection = Inspection { range, text: self.text(range), kind: Some(kind), ..Inspection::default() };
        self.fill_type(sema, &mut inspection, info.ty, Some(info));
        self.found.push(inspection);
    }

    fn access(&mut self, sema: &Sema<'_>, body: Option<BodyPlace>, range: TokenRange, pointer: Option<&ExprInfo>) {
        let Some(pointer) = pointer else { return };
        let TyKind::Pointer(pointee) = sema.kind(pointer.ty.ty) else { return };
        // Generic ones come from flow.
        if pointee.space == Space::Generic {
            return;
        }
        let Some(range) = self.place_here(body, range) else { return };
        let mut inspection =
            Inspection { range, text: self.text(range), kind: Some("access"), ..Inspection::default() };
        inspection.ty = Some(sema.spell(QualTy { space: Space::None, ..pointer.ty }));
        inspection.space = space_name(pointee.space);
        inspection.resolution = pointee.space.is_named().then_some("concrete");
        self.found.push(inspection);
    }

    /// The range of an expression of this file that starts with a token that the author typed.
    fn place_here(&self, body: Option<BodyPlace>, range: TokenRange) -> Option<TextRange> {
        let (place, _) = self.places.place(body, range)?;
        let first = self.places.editable(body, TokenRange::new(range.start, range.start + 1), false)?;
        (place.path == *self.path && first.path == *self.path && self.wanted(place.range)).then_some(place.range)
    }

    /// Whether the caller asks about this range.
    fn wanted(&self, range: TextRange) -> bool {
        self.at.is_none_or(|at| range.start <= at && at < range.end.max(range.start + 1))
    }

    /// The range of a token of this file that the author typed.
    fn typed(&self, body: Option<BodyPlace>, token: u32) -> Option<TextRange> {
        let place = self.places.editable(body, TokenRange::new(token, token + 1), false)?;
        (place.path == *self.path && self.wanted(place.range)).then_some(place.range)
    }

    fn text(&self, range: TextRange) -> String {
        let file = self.db.source_file(self.path);
        let text = file.content(self.db).text().map_or(&[][..], |text| text);
        let slice = text.get(range.start as usize..range.end as usize).unwrap_or_default();
        String::from_utf8_lossy(slice).into_owned()
    }

    fn declared(
        &self,
        sema: &Sema<'_>,
        body: Option<BodyPlace>,
        decl: DeclId,
        data: &Decl,
        facts: &Facts,
    ) -> Option<Inspection> {
        if data.specs.contains(Specs::INSTANTIATION) {
            return None;
        }
        sema.decl_name(decl)?;
        let range = self.typed(body, data.name_token)?;
        let mut inspection = self.describe(sema, DeclRef { decl, bind: msl_ty::store::BindId::NONE }, None, facts);
        inspection.kind?;
        inspection.range = range;
        inspection.text = self.text(range);
        Some(inspection)
    }

    /// What a name is.
    fn describe(&self, sema: &Sema<'_>, item: DeclRef, info: Option<ExprInfo>, facts: &Facts) -> Inspection {
        let mut inspection = Inspection { kind: kind_of(sema, item.decl), ..Inspection::default() };
        match &sema.ast[item.decl].kind {
            DeclKind::Variable(_) => {
                let declared = facts.variables.get(&item.decl).copied().unwrap_or_else(|| sema.variable_type(item));
                let storage = sema.storage(item.decl, declared);
                self.fill_type(sema, &mut inspection, declared, info.as_ref());
                if info.is_none() && !matches!(storage, Space::None) {
                    inspection.storage = space_name(storage);
                }
            }
            DeclKind::Function(_) => inspection.ty = Some(sema.spell_function(item)),
            DeclKind::Record(_) => inspection.ty = Some(sema.spell_ty(sema.record_self(item.decl, item.bind))),
            DeclKind::Enum(_) => inspection.ty = Some(sema.spell_ty(sema.enum_type(item.decl, item.bind))),
            DeclKind::TypeAlias { .. } if sema.ast[item.decl].templates.is_empty() => {
                inspection.ty = Some(sema.spell(sema.alias_type(item)));
            }
            DeclKind::Enumerator { .. } => {
                if let Some(owner) = sema.enum_of(item.decl) {
                    inspection.ty = Some(sema.spell_ty(sema.enum_type(owner, item.bind)));
                }
            }
            _ => {}
        }
        inspection.docs = if sema.is_library(item.decl) { sema.env.library.documentation(item.decl) } else { None };
        inspection
    }

    fn fill_type(&self, sema: &Sema<'_>, inspection: &mut Inspection, declared: QualTy, info: Option<&ExprInfo>) {
        if declared.ty == Ty::UNKNOWN || declared.ty == Ty::DEPENDENT {
            return;
        }
        // The space that the object lives in is its storage; the type is spelled without it.
        let spelled = match sema.kind(declared.ty) {
            TyKind::LRef(_) | TyKind::RRef(_) => declared,
            _ => QualTy { space: Space::None, ..declared },
        };
        inspection.ty = Some(sema.spell(spelled));
        inspection.space = match sema.kind(declared.ty) {
            TyKind::Pointer(inner) | TyKind::LRef(inner) | TyKind::RRef(inner) => space_name(inner.space),
            _ => None,
        };
        if let Some(info) = info
            && info.is_lvalue()
        {
            inspection.storage = space_name(info.place());
        }
    }

    fn definition(&self, sema: &Sema<'_>, body: Option<BodyPlace>, item: DeclRef) -> Option<Definition> {
        let data = &sema.ast[item.decl];
        let name = sema.decl_name(item.decl).map_or_else(String::new, |name| sema.qualified_name(item.decl, name));
        if sema.is_library(item.decl) {
            let place = sema.env.library.place(item.decl)?;
            let path: Arc<str> = format!("<{}>", place.header.header().name).into();
            let place = Place { path, range: TextRange::new(place.range.start, place.range.end) };
            return Some(Definition { place, name });
        }
        let (place, _) = self.places.place(body, TokenRange::new(data.name_token, data.name_token + 1))?;
        Some(Definition { place, name })
    }

    /// Accesses through generic pointers, with what flow says of them; and the names that such an access goes through.
    fn generic_accesses(&mut self) {
        let facts = FlowFacts::of(self.db, self.unit);
        let mut accesses: Vec<Inspection> = Vec::new();
        let all = facts.accesses(|_| true);
        for access in &all {
            if access.place.path != *self.path {
                continue;
            }
            let verdict = access.fact.verdict;
            let mut inspection = Inspection {
                range: access.place.range,
                text: self.text(access.place.range),
                kind: Some("access"),
                space: Some("generic"),
                inferred: Some(verdict.inferred.words()),
                resolution: verdict.resolution.map(msl_flow::Resolution::as_str),
                limit: verdict.limit,
                ..Inspection::default()
            };
            if self.wanted(inspection.range) {
                inspection.contexts = facts.contexts(&access.fact);
                inspection.origins = facts.origins(&access.fact);
                inspection.loops = facts.loops(access).into_iter().map(|(_, of)| of).collect();
            }
            accesses.push(inspection);
        }
        // A name tells about the innermost access through it.
        for name in &mut self.found {
            if name.space != Some("generic") && name.kind != Some("this") {
                continue;
            }
            let innermost = accesses
                .iter()
                .filter(|access| access.range.start <= name.range.start && name.range.end <= access.range.end)
                .min_by_key(|access| access.range.end - access.range.start);
            if let Some(access) = innermost {
                name.inferred.clone_from(&access.inferred);
                name.resolution = access.resolution;
                name.limit = access.limit;
                name.contexts.clone_from(&access.contexts);
                name.origins.clone_from(&access.origins);
                name.loops.clone_from(&access.loops);
            }
        }
        // Where a pointer is declared, it tells about all accesses through it.
        for pointer in &self.pointers {
            let mut values = Vec::new();
            for token in &pointer.uses {
                let around = |of: &&AccessFact<'_>| {
                    of.range.start <= *token
                        && *token < of.range.end
                        && body_of(self.db, self.unit, of.function) == Some(pointer.body)
                };
                let innermost = all.iter().filter(around).min_by_key(|of| of.range.end - of.range.start);
                values.extend(innermost.into_iter().flat_map(|of| of.fact.values.iter().copied()));
            }
            let declared = self.found.iter_mut().find(|name| name.range == pointer.declared && name.space.is_some());
            if let (Some(name), false) = (declared, values.is_empty()) {
                name.resolution = facts.over_instances(&values).resolution.map(msl_flow::Resolution::as_str);
            }
        }
        // What a template alone knows of an access says less than its instances.
        let ranges: rustc_hash::FxHashSet<TextRange> = accesses.iter().map(|access| access.range).collect();
        self.found.retain(|found| {
            found.kind != Some("access") || found.resolution.is_some() || !ranges.contains(&found.range)
        });
        self.found.append(&mut accesses);
        self.generic_names(&facts);
        self.counts(&facts, &all);
    }

    /// How many accesses of which resolution each function has, at its definition.
    fn counts(&mut self, facts: &FlowFacts<'_>, accesses: &[AccessFact<'_>]) {
        for (function, counts) in by_function(accesses) {
            let Some(place) = facts.name_place(function).filter(|place| place.path == *self.path) else { continue };
            for name in self.found.iter_mut().filter(|name| name.range == place.range && name.instantiation.is_none()) {
                name.accesses = Some(counts);
            }
        }
    }

    /// Generic pointers that a name names without an access through it.
    fn generic_names(&mut self, facts: &FlowFacts<'_>) {
        let mut by_place: FxHashMap<TextRange, Inspection> = FxHashMap::default();
        for of in &parsed_decls(self.db, self.unit).functions {
            for &number in facts.program.of_declaration(of.function) {
                let summary = &facts.program.functions[number].1;
                let mentions = summary.mentions.iter().map(|mention| (mention.token, None));
                let variables = summary.variables.iter().map(|variable| (variable.token, Some(variable.decl)));
                for (token, variable) in mentions.chain(variables) {
                    let Some(range) = self.typed(Some(of.body), token).filter(|range| !by_place.contains_key(range))
                    else {
                        continue;
                    };
                    let fact = match variable {
                        None => facts.mention(of.function, token),
                        Some(decl) => facts.variable(of.function, decl),
                    };
                    if let Some(fact) = fact {
                        let inspection = Inspection {
                            inferred: Some(fact.verdict.inferred.words()),
                            limit: fact.verdict.limit,
                            contexts: facts.contexts(&fact),
                            origins: facts.origins(&fact),
                            ..Inspection::default()
                        };
                        by_place.insert(range, inspection);
                    }
                }
            }
        }
        for name in self.found.iter_mut().filter(|name| name.kind != Some("access") && name.instantiation.is_none()) {
            if let Some(own) = by_place.get(&name.range) {
                name.inferred.clone_from(&own.inferred);
                name.limit = own.limit;
                name.contexts.clone_from(&own.contexts);
                name.origins.clone_from(&own.origins);
            }
        }
    }

    fn macros(&mut self) {
        let preprocessed = preprocessed(self.db, self.unit);
        let shared = self.db.shared();
        for reference in &preprocessed.macros.references {
            let (file, range) = preprocessed.map.spelled_range(reference.origin);
            if shared.path(file) != Some(self.path) {
                continue;
            }
            let range = TextRange::new(range.start, range.end);
            if !self.wanted(range) {
                continue;
            }
            self.found.push(Inspection { range, text: self.text(range), kind: Some("macro"), ..Inspection::default() });
        }
    }
}

/// The expressions that names are, by the token of the name.
fn infos_by_token(ast: &Ast, facts: &Facts) -> FxHashMap<u32, ExprInfo> {
    let mut by_token = FxHashMap::default();
    for (&expr, &info) in &facts.exprs {
        let path = match &ast[expr].kind {
            ExprKind::Path(path) | ExprKind::Member { member: path, .. } => path,
            _ => continue,
        };
        if let Some(last) = path.last() {
            by_token.insert(last.token, info);
        }
    }
    by_token
}

fn space_name(space: Space) -> Option<&'static str> {
    match space {
        Space::None | Space::Unknown => None,
        _ => Some(space.word()),
    }
}

/// The sort of thing that a declaration declares, in the words of the interface.
fn kind_of(sema: &Sema<'_>, decl: DeclId) -> Option<&'static str> {
    Some(match &sema.ast[decl].kind {
        DeclKind::Variable(variable) => match variable.kind {
            VariableKind::Param => "parameter",
            VariableKind::Field => "field",
            VariableKind::TemplateValue => "template-parameter",
            VariableKind::Global | VariableKind::Local | VariableKind::Binding | VariableKind::Capture => "variable",
        },
        DeclKind::Function(_) => {
            if sema.enclosing_class(sema.ast[decl].scope, msl_ty::store::BindId::NONE).is_some() {
                "method"
            } else {
                "function"
            }
        }
        DeclKind::Record(_) | DeclKind::Enum(_) | DeclKind::TypeAlias { .. } => "type",
        DeclKind::TypeParam { .. } | DeclKind::TemplateParam { .. } => "template-parameter",
        DeclKind::Enumerator { .. } => "enumerator",
        DeclKind::Namespace { .. } | DeclKind::NamespaceAlias { .. } => "namespace",
        _ => return None,
    })
}
