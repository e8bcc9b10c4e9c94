//! What each name of a file means, for colours.
//!
//! Only what needs a meaning is here: names, attributes, and lines that a conditional skipped. Keywords, numbers and
//! comments are the grammar's.

use std::sync::Arc;

use bitflags::bitflags;
use msl_builtins::attribute;
use msl_diagnostics::TextRange;
use msl_parser::ast::*;
use msl_preproc::SpellingKind;
use msl_ty::{
    DeclRef, Sema,
    expr::Facts,
    store::{BindId, Space, TyKind},
};
use rustc_hash::FxHashMap;

use crate::{
    analysis::{Analysis, UnitRequest},
    flow_facts::FlowFacts,
    symbols::{SymbolKind, kind_of},
    view::{Layer, View, has_name},
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
        let mut painter = Painter {
            view: &view,
            file: view.file(path),
            found: Vec::new(),
            known: FxHashMap::default(),
            flow: FlowFacts::of(view.db, view.unit),
        };
        for layer in view.layers() {
            if let (Some(range), Some(body)) = (within, layer.body)
                && view
                    .range_of_body(body)
                    .is_some_and(|of_body| of_body.end <= range.start || range.end <= of_body.start)
            {
                continue;
            }
            painter.layer(&layer);
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

struct Painter<'a, 'v> {
    view: &'a View<'v>,
    file: Option<msl_preproc::FileId>,
    found: Vec<SemanticToken>,
    /// Of declarations below the layer that is painted.
    known: FxHashMap<DeclId, Option<(SymbolKind, TokenModifiers)>>,
    flow: FlowFacts<'v>,
}

impl Painter<'_, '_> {
    fn layer(&mut self, layer: &Layer<'_>) {
        let sema = layer.sema(self.view.env);
        let ast = layer.ast();
        let mut in_body: FxHashMap<DeclId, Option<(SymbolKind, TokenModifiers)>> = FxHashMap::default();
        for (&token, items) in &layer.facts.refs {
            let Some(item) = items.first() else { continue };
            let known = if sema.is_local(item.decl) { &mut in_body } else { &mut self.known };
            let described = *known.entry(item.decl).or_insert_with(|| describe(&sema, item.decl, layer.facts));
            let inferred = self.inferred(layer, token, described);
            self.add(layer, token, described, inferred);
        }
        for (decl, data) in ast.own_decls().filter(|(_, data)| has_name(data)) {
            let described = describe(&sema, decl, layer.facts);
            let inferred = self.inferred(layer, data.name_token, described);
            self.add(layer, data.name_token, described, TokenModifiers::DECLARATION | inferred);
            self.attributes(layer, ast, &data.attrs);
        }
        for (_, stmt) in ast.own_stmts().filter(|(_, stmt)| !stmt.attrs.is_empty()) {
            self.attributes(layer, ast, &stmt.attrs);
        }
    }

    /// The spaces that a generic pointer can have where it is named; none if they are not known.
    fn inferred(
        &self,
        layer: &Layer<'_>,
        token: u32,
        described: Option<(SymbolKind, TokenModifiers)>,
    ) -> TokenModifiers {
        let is_generic = described.is_some_and(|(_, modifiers)| modifiers.contains(TokenModifiers::GENERIC));
        let Some(function) = layer.function.filter(|_| is_generic) else { return TokenModifiers::empty() };
        let fact = self.flow.mention(function, token).or_else(|| self.flow.declared(function, token));
        let Some(fact) = fact.filter(|fact| self.flow.is_called(fact) && fact.verdict.limit.is_none()) else {
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

    fn attributes(&mut self, layer: &Layer<'_>, ast: &Ast, attrs: &[AttrId]) {
        for &attr in attrs {
            if attribute(ast[attr].name.as_str()).is_some()
                && let Some(range) = self.typed(layer, ast[attr].name_token)
            {
                self.found.push(SemanticToken {
                    range,
                    kind: TokenKind::Attribute,
                    modifiers: TokenModifiers::empty(),
                });
            }
        }
    }

    fn add(
        &mut self,
        layer: &Layer<'_>,
        token: u32,
        described: Option<(SymbolKind, TokenModifiers)>,
        more: TokenModifiers,
    ) {
        if let Some((kind, modifiers)) = described
            && let Some(range) = self.typed(layer, token)
        {
            self.found.push(SemanticToken { range, kind: TokenKind::Name(kind), modifiers: modifiers | more });
        }
    }

    /// The range of a token of this file that the author typed.
    fn typed(&self, layer: &Layer<'_>, token: u32) -> Option<TextRange> {
        let expanded = self.view.places.first(layer.body, token)?;
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
