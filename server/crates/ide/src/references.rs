//! All occurrences of a thing in a unit, by meaning.
//!
//! Vocabulary:
//!
//! * An *entity* is what a name means: a function with all its declarations, a class with its constructors, a variable.
//!   Within a unit it is the set of its declarations; across units it is their places.
//! * An *occurrence* is a token that the author typed and that means the entity. A token that stands in a macro's body is
//!   counted apart: no editor can point at the use it makes.

use std::sync::Arc;

use msl_db::Db;
use msl_diagnostics::{Place, TextRange};
use msl_parser::ast::*;
use msl_ty::{
    DeclRef, Sema,
    expr::Facts,
    store::{BindId, TyKind},
};
use rustc_hash::FxHashSet;

use crate::{
    analysis::{Analysis, UnitRequest},
    navigation::same_entity,
    view::{Layer, MacroUse, View, has_name, macro_at},
};

/// How an occurrence uses the thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Access {
    Declaration,
    Read,
    Write,
}

/// One occurrence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    pub place: Place,
    pub access: Access,
}

/// What is found out about an entity in one unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Occurrences {
    /// The name under which it was asked for.
    pub range: TextRange,
    pub name: String,
    /// In order of place, each once.
    pub references: Vec<Reference>,
    /// Where it is declared; for the library a place in `<header>`.
    pub declarations: Vec<Place>,
    pub is_library: bool,
    pub is_macro: bool,
    /// Nothing outside of one function body can name it.
    pub is_local: bool,
    /// Macros whose bodies name it.
    pub in_macros: Vec<String>,
    /// Tokens that mean it in some instances of a template and something else in others.
    pub ambiguous: Vec<Place>,
}

impl Analysis {
    /// All occurrences, in one unit, of the thing at `offset` of `path`.
    pub fn occurrences(&self, request: &UnitRequest, path: &Arc<str>, offset: u32) -> Option<Occurrences> {
        let view = View::new(self, request);
        if let Some(used) = macro_at(&view, path, offset) {
            return Some(of_macro(&view, &used));
        }
        let (layer, named) = view.named_at(path, offset)?;
        let entity = Entity::of(&view, &layer, &named.items)?;
        let mut occurrences = find(&view, &layer, &entity, None);
        occurrences.range = named.spot.range;
        Some(occurrences)
    }

    /// The same, but only the occurrences in the file itself, for which nothing else needs to be mapped.
    pub fn occurrences_in_file(&self, request: &UnitRequest, path: &Arc<str>, offset: u32) -> Option<Occurrences> {
        let view = View::new(self, request);
        if let Some(used) = macro_at(&view, path, offset) {
            let mut occurrences = of_macro(&view, &used);
            occurrences.references.retain(|reference| reference.place.path == *path);
            return Some(occurrences);
        }
        let (layer, named) = view.named_at(path, offset)?;
        let entity = Entity::of(&view, &layer, &named.items)?;
        let mut occurrences = find(&view, &layer, &entity, Some(path));
        occurrences.range = named.spot.range;
        Some(occurrences)
    }
}

/// An entity of one unit.
pub(crate) struct Entity {
    /// All its declarations; never empty.
    pub(crate) decls: FxHashSet<DeclId>,
    pub(crate) first: DeclId,
    pub(crate) is_local: bool,
}

impl Entity {
    /// The entity that a name means; the first, if it means several.
    pub(crate) fn of(view: &View<'_>, layer: &Layer<'_>, items: &[DeclRef]) -> Option<Entity> {
        let sema = layer.sema(view.env);
        // A class's name in `S(1)` means the class and the constructor; the class is meant.
        let item = items.iter().find(|item| !is_function(&sema, item.decl)).or(items.first())?;
        let mut decl = item.decl;
        if let DeclKind::Function(function) = &sema.ast[decl].kind
            && matches!(function.role, FunctionRole::Constructor | FunctionRole::Destructor)
            && let Some(class) = sema.class_of(DeclRef { decl, bind: BindId::NONE })
            && let TyKind::Record(record, _) = sema.kind(class)
        {
            decl = *record;
        }
        let mut decls: FxHashSet<DeclId> = same_entity(&sema, decl).into_iter().collect();
        if let DeclKind::Record(_) = &sema.ast[decl].kind {
            add_special_members(view, layer, &sema, &mut decls);
        }
        let first = decls.iter().copied().min()?;
        Some(Entity { decls, first, is_local: sema.is_local(decl) })
    }

    pub(crate) fn is_meant_by(&self, items: &[DeclRef]) -> bool {
        items.iter().any(|item| self.decls.contains(&item.decl))
    }
}

fn is_function(sema: &Sema<'_>, decl: DeclId) -> bool {
    matches!(sema.ast[decl].kind, DeclKind::Function(_))
}

/// Constructors, destructors and deduction guides are named after their class.
fn add_special_members(view: &View<'_>, layer: &Layer<'_>, sema: &Sema<'_>, decls: &mut FxHashSet<DeclId>) {
    let mut scopes: Vec<ScopeId> = Vec::new();
    for &decl in decls.iter() {
        if let DeclKind::Record(record) = &sema.ast[decl].kind {
            scopes.extend(record.scope);
        }
    }
    let classes: FxHashSet<DeclId> = decls.clone();
    for scope in scopes {
        let scope = &sema.ast[scope];
        decls.extend(scope.constructors.iter().copied());
        decls.extend(scope.destructors.iter().copied());
    }
    // Those that are defined outside of the class are in no scope.
    let layers: [&Ast; 2] = [&view.tree.ast, layer.ast()];
    let name = classes.iter().find_map(|&class| sema.decl_name(class));
    for (decl, data) in layers.iter().take(if layer.body.is_some() { 2 } else { 1 }).flat_map(|ast| ast.own_decls()) {
        match &data.kind {
            DeclKind::Function(function)
                if function.qualifier.is_some()
                    && matches!(function.role, FunctionRole::Constructor | FunctionRole::Destructor) =>
            {
                let class = sema.class_of(DeclRef { decl, bind: BindId::NONE });
                if let Some(TyKind::Record(record, _)) = class.map(|class| sema.kind(class))
                    && classes.contains(record)
                {
                    decls.insert(decl);
                }
            }
            DeclKind::DeductionGuide { name: guided, .. } if Some(*guided) == name => {
                decls.insert(decl);
            }
            _ => {}
        }
    }
}

/// Finds an entity in all layers of its unit, or in its own body if it is local. `only` limits the search to a file.
pub(crate) fn find(view: &View<'_>, layer: &Layer<'_>, entity: &Entity, only: Option<&Arc<str>>) -> Occurrences {
    let sema = layer.sema(view.env);
    let interned = sema.decl_name(entity.first);
    let name = interned.map_or_else(String::new, |name| name.to_string());
    let mut finder = Finder {
        view,
        entity,
        only,
        name: name.as_bytes(),
        found: Vec::new(),
        in_macros: Vec::new(),
        ambiguous: Vec::new(),
    };
    match (entity.is_local, layer.body) {
        (true, Some(_)) => finder.layer(layer, &Tokens::All),
        // Whatever means the thing by its name is spelled like it, so that few tokens need to be looked at.
        _ => match interned {
            Some(name) => {
                for (body, tokens) in view.tokens_with_name(name) {
                    let layer = body.map_or_else(|| Some(view.declarations()), |body| view.body(body));
                    layer.into_iter().for_each(|layer| finder.layer(&layer, &Tokens::These(&tokens)));
                }
            }
            None => view.layers().for_each(|layer| finder.layer(&layer, &Tokens::All)),
        },
    }
    let Finder { mut found, mut in_macros, mut ambiguous, .. } = finder;
    found.sort_by(|a, b| (&a.place, a.access).cmp(&(&b.place, b.access)));
    found.dedup_by(|later, earlier| later.place == earlier.place);
    in_macros.sort();
    in_macros.dedup();
    ambiguous.sort();
    ambiguous.dedup();
    let mut declarations: Vec<Place> = entity.decls.iter().filter_map(|&decl| view.place_of(layer, decl)).collect();
    declarations.sort();
    declarations.dedup();
    Occurrences {
        range: TextRange::default(),
        references: found,
        declarations,
        is_library: view.is_library(entity.first),
        is_macro: false,
        is_local: entity.is_local,
        in_macros,
        ambiguous,
        name,
    }
}

struct Finder<'a, 'v> {
    view: &'a View<'v>,
    entity: &'a Entity,
    only: Option<&'a Arc<str>>,
    name: &'a [u8],
    found: Vec<Reference>,
    in_macros: Vec<String>,
    ambiguous: Vec<Place>,
}

/// The tokens of a layer that are looked at.
enum Tokens<'a> {
    All,
    /// By number, without order.
    These(&'a [u32]),
}

impl Tokens<'_> {
    /// The names of a layer among the tokens, with what they mean.
    fn of<'f>(&'f self, facts: &'f Facts) -> impl Iterator<Item = (u32, &'f [DeclRef])> {
        let (all, these) = match self {
            Tokens::All => (Some(&facts.refs), &[][..]),
            Tokens::These(these) => (None, *these),
        };
        let all = all.into_iter().flatten().map(|(&token, items)| (token, items.as_slice()));
        all.chain(these.iter().filter_map(|&token| Some((token, facts.refs.get(&token)?.as_slice()))))
    }

    fn contains(&self, token: u32) -> bool {
        match self {
            Tokens::All => true,
            Tokens::These(these) => these.contains(&token),
        }
    }
}

impl Finder<'_, '_> {
    fn layer(&mut self, layer: &Layer<'_>, wanted: &Tokens<'_>) {
        let ast = layer.ast();
        let mut tokens: Vec<(u32, Access)> = wanted
            .of(layer.facts)
            .filter(|(_, items)| self.entity.is_meant_by(items))
            .map(|(token, _)| (token, Access::Read))
            .collect();
        // What depends on template parameters is known from the instances.
        let instances: Vec<&Facts> = self.view.instances_of(layer).collect();
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        for (token, items) in instances.iter().flat_map(|facts| wanted.of(facts)) {
            let is_known = layer.facts.refs.get(&token).is_some_and(|items| !items.is_empty());
            if is_known || !self.entity.is_meant_by(items) || !seen.insert(token) {
                continue;
            }
            tokens.push((token, Access::Read));
            let disagrees = |facts: &&Facts| {
                facts.refs.get(&token).is_some_and(|items| !items.is_empty() && !self.entity.is_meant_by(items))
            };
            if instances.iter().any(disagrees)
                && let Some((place, _)) = self.view.places.place(layer.body, TokenRange::new(token, token + 1))
            {
                self.ambiguous.push(place);
            }
        }
        if !tokens.is_empty() {
            let written = written_tokens(ast);
            for (token, access) in &mut tokens {
                if written.contains(token) {
                    *access = Access::Write;
                }
            }
        }
        let (first, end) = (ast.start().decls, ast.end().decls);
        for &decl in self.entity.decls.iter().filter(|decl| (first..end).contains(&decl.0)) {
            let data = &ast[decl];
            let is_guide = matches!(data.kind, DeclKind::DeductionGuide { .. });
            if (has_name(data) || is_guide) && wanted.contains(data.name_token) {
                tokens.push((data.name_token, Access::Declaration));
            }
        }
        for (token, access) in tokens {
            self.token(layer, token, access);
        }
    }

    fn token(&mut self, layer: &Layer<'_>, token: u32, access: Access) {
        let range = TokenRange::new(token, token + 1);
        match self.view.places.editable(layer.body, range, false) {
            Some(mut place) => {
                if self.only.is_some_and(|only| *only != place.path) {
                    return;
                }
                if let Some(text) = self.view.text(&place.path) {
                    let spelled = &text[place.range.start as usize..place.range.end as usize];
                    if spelled == b"~" {
                        // A destructor's name is behind its tilde.
                        let Some(next) =
                            self.view.places.editable(layer.body, TokenRange::new(token + 1, token + 2), false)
                        else {
                            return;
                        };
                        place = next;
                    } else if spelled != self.name {
                        // An operator, or a name through an alias: it is used here, but not by its name.
                        if !self.name.is_empty() {
                            return;
                        }
                    }
                }
                self.found.push(Reference { place, access });
            }
            None => {
                if let Some((_, related)) = self.view.places.place(layer.body, range)
                    && let Some(first) = related.first()
                {
                    self.in_macros.push(first.message.clone());
                }
            }
        }
    }
}

/// The tokens of names that an assignment or an increment of the layer changes.
fn written_tokens(ast: &Ast) -> FxHashSet<u32> {
    let mut written = FxHashSet::default();
    for (_, expr) in ast.own_exprs() {
        let target = match &expr.kind {
            ExprKind::Assign { lhs, .. } => *lhs,
            ExprKind::Unary {
                op: UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec,
                operand,
                ..
            } => *operand,
            _ => continue,
        };
        let mut at = target;
        // What is written is the last name of the designator: `b` in `a.b = 1`, `a` in `a[i] = 1`.
        loop {
            match &ast[at].kind {
                ExprKind::Paren(inner) => at = *inner,
                ExprKind::Index { base, .. } => at = *base,
                ExprKind::Path(path) | ExprKind::Member { member: path, .. } => {
                    written.extend(path.last().map(|segment| segment.token));
                    break;
                }
                _ => break,
            }
        }
    }
    written
}

fn of_macro(view: &View<'_>, used: &MacroUse) -> Occurrences {
    let map = &view.preprocessed.map;
    let definition = &used.definition;
    let mut references = Vec::new();
    let mut in_macros = Vec::new();
    let mut add = |file, range: std::ops::Range<u32>, access| {
        if let Some(path) = view.db.shared().path(file) {
            let place = Place { path: path.clone(), range: TextRange::new(range.start, range.end) };
            references.push(Reference { place, access });
        }
    };
    for expansion in map.expansions().iter().filter(|it| **map.definition(it.definition) == **definition) {
        let (file, range, kind) = map.spelling(expansion.call_site);
        match kind {
            msl_preproc::SpellingKind::Typed => add(file, range, Access::Read),
            _ => in_macros.push("a macro".to_owned()),
        }
    }
    for reference in &view.preprocessed.macros.references {
        if reference.definition.is_some_and(|id| **map.definition(id) == **definition) {
            let (file, range) = map.spelled_range(reference.origin);
            let access = match reference.kind {
                msl_preproc::MacroReferenceKind::Define => Access::Declaration,
                _ => Access::Read,
            };
            add(file, range, access);
        }
    }
    references.sort_by(|a, b| (&a.place, a.access).cmp(&(&b.place, b.access)));
    references.dedup_by(|later, earlier| later.place == earlier.place);
    let declarations =
        references.iter().filter(|it| it.access == Access::Declaration).map(|it| it.place.clone()).collect();
    Occurrences {
        range: used.range,
        name: definition.name.to_string(),
        references,
        declarations,
        is_library: !definition.file.is_real() || msl_builtins::HeaderId::from_file(definition.file).is_some(),
        is_macro: true,
        is_local: false,
        in_macros,
        ambiguous: Vec::new(),
    }
}
