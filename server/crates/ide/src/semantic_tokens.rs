//! What each name of a file means, for colours.
//!
//! Only what needs a meaning is here: names, attributes, and lines that a conditional skipped. Keywords, numbers and
//! comments are the grammar's.

use std::{cell::OnceCell, sync::Arc};

use bitflags::bitflags;
use msl_builtins::attribute;
use msl_db::{Body, BodyPlace, Db, Unit, parsed_body, parsed_decls, split_unit};
use msl_diagnostics::TextRange;
use msl_parser::ast::*;
use msl_preproc::SpellingKind;
use msl_ty::{
    DeclRef, Env, Sema, checked_body, checked_declarations, checked_inline_bodies, environment,
    expr::Facts,
    sema::LocalCaches,
    store::{BindId, Space, TyKind},
};
use rustc_hash::FxHashMap;

use crate::{
    analysis::{Analysis, UnitRequest},
    flow_facts::FlowFacts,
    symbols::{SymbolKind, kind_of},
    view::{View, has_name},
};

/// The class of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    Name(SymbolKind),
    Attribute,
    /// Lines that a conditional skipped; the range may span several.
    Inactive,
}

bitflags! {
    /// What else is known about a token.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
    pub struct TokenModifiers: u32 {
        const DECLARATION = 1;
        const READONLY = 1 << 1;
        const STATIC = 1 << 2;
        const LIBRARY = 1 << 3;
        /// Where the object lives or, for pointers and references, what they lead to.
        const DEVICE = 1 << 4;
        const CONSTANT = 1 << 5;
        const THREADGROUP = 1 << 6;
        const THREADGROUP_IMAGEBLOCK = 1 << 7;
        const OBJECT_DATA = 1 << 8;
        const RAY_DATA = 1 << 9;
        const THREAD = 1 << 10;
        /// A generic pointer; the spaces that it can have are set as well, as far as they are inferred.
        const GENERIC = 1 << 11;
    }
}

impl TokenModifiers {
    /// Their names, by the number of their bit.
    pub const NAMES: [&'static str; 12] = [
        "declaration",
        "readonly",
        "static",
        "defaultLibrary",
        "device",
        "constant",
        "threadgroup",
        "threadgroupImageblock",
        "objectData",
        "rayData",
        "thread",
        "generic",
    ];
}

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemanticToken {
    pub range: TextRange,
    pub kind: TokenKind,
    pub modifiers: TokenModifiers,
}

impl Analysis {
    /// The tokens of a file, in order and without overlap. With `within`, only bodies that meet the range are looked at.
    pub fn semantic_tokens(
        &self,
        request: &UnitRequest,
        path: &Arc<str>,
        within: Option<TextRange>,
    ) -> Vec<SemanticToken> {
        let view = View::new(self, request);
        let (db, unit) = (view.db, view.unit);
        let bodies = split_unit(db, unit).bodies(db);
        let mut painter = Painter { view: &view, file: view.file(path), found: Vec::new(), flow: OnceCell::default() };
        painter.layer(None, None, painted_declarations(db, unit));
        for of in &view.tree.functions {
            if let Some(range) = within
                && view
                    .range_of_body(of.body)
                    .is_some_and(|of_body| of_body.end <= range.start || range.end <= of_body.start)
            {
                continue;
            }
            let painted = match of.body {
                BodyPlace::Deferred(number) => bodies.get(number as usize).map(|&body| painted_body(db, body)),
                BodyPlace::Inline(_) => painted_inline_bodies(db, unit).get(&of.function),
            };
            painter.layer(Some(of.body), Some(of.function), painted.map_or(&[], Vec::as_slice));
        }
        painter.macros();
        painter.inactive();
        let mut found = painter.found;
        if let Some(range) = within {
            found.retain(|token| token.range.start < range.end && range.start < token.range.end);
        }
        found.sort_by_key(|token| (token.range.start, token.range.end));
        let mut end = 0;
        found.retain(|token| {
            let follows = token.range.start >= end && token.range.start < token.range.end;
            if follows {
                end = token.range.end;
            }
            follows
        });
        found
    }
}

/// What a token of one layer is, wherever the layer stands in the text and whatever flow infers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Painted {
    /// In the numbering of the layer.
    token: u32,
    kind: TokenKind,
    modifiers: TokenModifiers,
}

/// The tokens of a unit's declarations, by number.
#[salsa::tracked(returns(ref), no_eq)]
fn painted_declarations(db: &dyn Db, unit: Unit) -> Vec<Painted> {
    let env = environment(db, unit);
    paint(env, &parsed_decls(db, unit).ast, &checked_declarations(db, unit).facts)
}

/// The tokens of a body that was cut out of the declaration stream, by number.
#[salsa::tracked(returns(ref), no_eq)]
fn painted_body<'db>(db: &'db dyn Db, body: Body<'db>) -> Vec<Painted> {
    let (Some(parsed), Some(checked)) = (parsed_body(db, body), checked_body(db, body)) else { return Vec::new() };
    paint(environment(db, body.unit(db)), &parsed.ast, &checked.facts)
}

/// The tokens of the bodies in the declaration stream, by function and number.
#[salsa::tracked(returns(ref), no_eq)]
fn painted_inline_bodies(db: &dyn Db, unit: Unit) -> FxHashMap<DeclId, Vec<Painted>> {
    let env = environment(db, unit);
    let bodies = checked_inline_bodies(db, unit).iter();
    let painted = bodies.filter_map(|(function, _, checked)| {
        let parsed = env.inline_body(*function)?;
        Some((*function, paint(env, &parsed.ast, &checked.facts)))
    });
    painted.collect()
}

/// The tokens of a layer.
fn paint(env: &Env, ast: &Ast, facts: &Facts) -> Vec<Painted> {
    let local = LocalCaches::default();
    local.set_variables(&facts.variables);
    let sema = Sema::new(env, ast, &local);
    let mut painted = Vec::with_capacity(facts.refs.len());
    let mut known: FxHashMap<DeclId, Option<(SymbolKind, TokenModifiers)>> = FxHashMap::default();
    for (&token, items) in &facts.refs {
        let Some(item) = items.first() else { continue };
        let described = *known.entry(item.decl).or_insert_with(|| describe(&sema, item.decl, facts));
        if let Some((kind, modifiers)) = described {
            painted.push(Painted { token, kind: TokenKind::Name(kind), modifiers });
        }
    }
    for (decl, data) in ast.own_decls().filter(|(_, data)| has_name(data)) {
        if let Some((kind, modifiers)) = describe(&sema, decl, facts) {
            let modifiers = modifiers | TokenModifiers::DECLARATION;
            painted.push(Painted { token: data.name_token, kind: TokenKind::Name(kind), modifiers });
        }
    }
    let of_decls = ast.own_decls().filter(|(_, data)| has_name(data)).flat_map(|(_, data)| &data.attrs);
    let of_stmts = ast.own_stmts().flat_map(|(_, stmt)| &stmt.attrs);
    for &attr in of_decls.chain(of_stmts) {
        if attribute(ast[attr].name.as_str()).is_some() {
            let modifiers = TokenModifiers::empty();
            painted.push(Painted { token: ast[attr].name_token, kind: TokenKind::Attribute, modifiers });
        }
    }
    // What a name means comes before that it declares something.
    painted.sort_by_key(|painted| painted.token);
    painted
}

struct Painter<'a, 'v> {
    view: &'a View<'v>,
    file: Option<msl_preproc::FileId>,
    found: Vec<SemanticToken>,
    /// Asked for where something generic is named, since it needs all instances of templates.
    flow: OnceCell<FlowFacts<'v>>,
}

impl Painter<'_, '_> {
    fn layer(&mut self, body: Option<BodyPlace>, function: Option<DeclId>, painted: &[Painted]) {
        for &Painted { token, kind, modifiers } in painted {
            if let Some(range) = self.typed(body, token) {
                let modifiers = modifiers | self.inferred(function, token, modifiers);
                self.found.push(SemanticToken { range, kind, modifiers });
            }
        }
    }

    /// The spaces that a generic pointer can have where it is named; none if they are not known.
    fn inferred(&self, function: Option<DeclId>, token: u32, modifiers: TokenModifiers) -> TokenModifiers {
        let is_generic = modifiers.contains(TokenModifiers::GENERIC);
        let Some(function) = function.filter(|_| is_generic) else { return TokenModifiers::empty() };
        let flow = self.flow.get_or_init(|| FlowFacts::of(self.view.db, self.view.unit));
        let fact = flow.mention(function, token).or_else(|| flow.declared(function, token));
        let Some(fact) = fact.filter(|fact| flow.is_called(fact) && fact.verdict.limit.is_none()) else {
            return TokenModifiers::empty();
        };
        let mut modifiers = TokenModifiers::empty();
        for space in fact.verdict.inferred.words() {
            modifiers |= match space {
                "device" => TokenModifiers::DEVICE,
                "thread" => TokenModifiers::THREAD,
                _ => TokenModifiers::THREADGROUP,
            };
        }
        modifiers
    }

    /// The range of a token of this file that the author typed.
    fn typed(&self, body: Option<BodyPlace>, token: u32) -> Option<TextRange> {
        let expanded = self.view.places.first(body, token)?;
        let preprocessed = self.view.preprocessed;
        let &origin = preprocessed.origins.get(expanded)?;
        // A name that stands in a file as it is spelled, which is nearly every one.
        if let Some((file, start)) = preprocessed.map.file_offset(origin) {
            if Some(file) != self.file {
                return None;
            }
            let name = preprocessed.tokens.get(expanded)?.name.bytes();
            let text = preprocessed.map.text(file)?.get(start as usize..)?;
            if !name.is_empty() && text.starts_with(name) {
                return Some(TextRange::new(start, start + name.len() as u32));
            }
        }
        let (file, range, kind) = self.view.preprocessed.map.spelling(origin);
        (kind == SpellingKind::Typed && Some(file) == self.file).then(|| TextRange::new(range.start, range.end))
    }

    fn macros(&mut self) {
        let map = &self.view.preprocessed.map;
        let sites = map.expansions().iter().map(|expansion| map.spelling(expansion.call_site));
        let named = self.view.preprocessed.macros.references.iter().map(|reference| map.spelling(reference.origin));
        for (file, range, kind) in sites.chain(named) {
            if kind == SpellingKind::Typed && Some(file) == self.file {
                let range = TextRange::new(range.start, range.end);
                let kind = TokenKind::Name(SymbolKind::Macro);
                self.found.push(SemanticToken { range, kind, modifiers: TokenModifiers::empty() });
            }
        }
    }

    fn inactive(&mut self) {
        let ranges = self.file.and_then(|file| self.view.preprocessed.inactive.get(&file));
        for range in ranges.into_iter().flatten() {
            let range = TextRange::new(range.start, range.end);
            self.found.push(SemanticToken { range, kind: TokenKind::Inactive, modifiers: TokenModifiers::empty() });
        }
    }
}

fn describe(sema: &Sema<'_>, decl: DeclId, facts: &Facts) -> Option<(SymbolKind, TokenModifiers)> {
    let mut kind = kind_of(sema, decl)?;
    let data = &sema.ast[decl];
    let mut modifiers = TokenModifiers::empty();
    modifiers.set(TokenModifiers::LIBRARY, sema.is_library(decl));
    modifiers.set(TokenModifiers::STATIC, data.specs.contains(Specs::STATIC));
    if let DeclKind::Variable(variable) = &data.kind {
        let ty = facts
            .variables
            .get(&decl)
            .copied()
            .unwrap_or_else(|| sema.variable_type(DeclRef { decl, bind: BindId::NONE }));
        let space = match sema.kind(ty.ty) {
            TyKind::Pointer(inner) | TyKind::LRef(inner) | TyKind::RRef(inner) => inner.space,
            _ => sema.storage(decl, ty),
        };
        modifiers |= match space {
            Space::Device => TokenModifiers::DEVICE,
            Space::Constant => TokenModifiers::CONSTANT,
            Space::Threadgroup => TokenModifiers::THREADGROUP,
            Space::ThreadgroupImageblock => TokenModifiers::THREADGROUP_IMAGEBLOCK,
            Space::ObjectData => TokenModifiers::OBJECT_DATA,
            Space::RayData => TokenModifiers::RAY_DATA,
            Space::Thread => TokenModifiers::THREAD,
            Space::Generic => TokenModifiers::GENERIC,
            Space::None | Space::Unknown => TokenModifiers::empty(),
        };
        let is_readonly = ty.is_const() || data.specs.contains(Specs::CONSTEXPR) || ty.space == Space::Constant;
        modifiers.set(TokenModifiers::READONLY, is_readonly);
        if variable.kind == VariableKind::Global {
            kind = SymbolKind::Variable;
        }
    }
    Some((kind, modifiers))
}
