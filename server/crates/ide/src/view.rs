//! A unit seen from its text: which name stands at a place, and what it means.
//!
//! Vocabulary:
//!
//! * A *layer* is the unit's declarations or one function body, with the facts that its check learned. See
//!   [`msl_parser::ast`] for how layers are stacked.
//! * A *spot* is a token that the author typed, found from its place: the layer and the token's number there. A token of
//!   a macro's argument can be several spots.
//! * The *origin* of a name, [`DeclRef`], is only meaningful inside its unit; what stands for it across units is the
//!   place of its declaration.
//!
//! Nothing here walks a whole unit to answer about one place: a spot is found by searches, and only the body that it
//! lies in is looked at.

use std::{cell::OnceCell, ops::Range, sync::Arc};

use msl_db::{BodyPlace, Database, Db, Unit, UnitTree, parsed_body, parsed_decls, preprocessed, split_unit};
use msl_diagnostics::{Place, TextRange};
use msl_intern::Name;
use msl_parser::{ParsedBody, ast::*};
use msl_preproc::{FileId, MacroDef, MacroExpansion, Preprocessed, Punct, SpellingKind, TokenKind};
use msl_ty::{
    Checked, DeclRef, Env, Instance, Sema, checked_body, checked_declarations, checked_inline_bodies, checked_instance,
    environment, expr::Facts, sema::LocalCaches, store::BindId, unit_instances,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{
    analysis::{Analysis, UnitRequest},
    places::TokenPlaces,
};

/// Instances that are looked at for what one name means.
const MAX_INSTANCES: usize = 16;

/// A unit seen from its text; see the module documentation.
pub(crate) struct View<'a> {
    pub(crate) db: &'a Database,
    pub(crate) unit: Unit,
    pub(crate) env: &'a Arc<Env>,
    pub(crate) tree: &'a Arc<UnitTree>,
    pub(crate) places: TokenPlaces<'a>,
    pub(crate) preprocessed: &'a Arc<Preprocessed>,
    /// The unit's instances by their function, found when somebody first asks.
    instances: OnceCell<FxHashMap<DeclId, Vec<Instance<'a>>>>,
    /// Where the bodies stand that are still in the declaration stream, found when somebody first asks.
    inline_bodies: OnceCell<Vec<TokenRange>>,
}

/// The unit's declarations or one body.
pub(crate) struct Layer<'a> {
    /// Which body; `None` for the declarations.
    pub(crate) body: Option<BodyPlace>,
    /// The function whose body it is.
    pub(crate) function: Option<DeclId>,
    pub(crate) facts: &'a Facts,
    parsed: Parsed<'a>,
    pub(crate) local: LocalCaches,
}

enum Parsed<'a> {
    Declarations(&'a Ast),
    Body(Arc<ParsedBody>),
}

/// A token that the author typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) body: Option<BodyPlace>,
    /// In the numbering of the layer.
    pub(crate) token: u32,
    /// Among the unit's expanded tokens.
    pub(crate) expanded: usize,
    pub(crate) range: TextRange,
}

/// A name and what it means.
pub(crate) struct Named {
    pub(crate) spot: Spot,
    /// After overload resolution; several for a name that means several things in different instantiations.
    pub(crate) items: SmallVec<[DeclRef; 1]>,
    pub(crate) is_declaration: bool,
}

impl<'a> View<'a> {
    pub(crate) fn new(analysis: &'a Analysis, request: &UnitRequest) -> View<'a> {
        View::of(&analysis.db, analysis.unit(request, request.std.version))
    }

    pub(crate) fn of(db: &'a Database, unit: Unit) -> View<'a> {
        View {
            db,
            unit,
            env: environment(db, unit),
            tree: parsed_decls(db, unit),
            places: TokenPlaces::of(db, unit),
            preprocessed: preprocessed(db, unit),
            instances: OnceCell::new(),
            inline_bodies: OnceCell::new(),
        }
    }

    /// The layer of the declarations.
    pub(crate) fn declarations(&self) -> Layer<'a> {
        let checked: &'a Checked = checked_declarations(self.db, self.unit);
        let layer = Parsed::Declarations(&self.tree.ast);
        Layer { body: None, function: None, facts: &checked.facts, parsed: layer, local: LocalCaches::default() }
    }

    /// The layer of a body; `None` if no function has it.
    pub(crate) fn body(&self, place: BodyPlace) -> Option<Layer<'a>> {
        match place {
            BodyPlace::Deferred(number) => {
                let &body = split_unit(self.db, self.unit).bodies(self.db).get(number as usize)?;
                let parsed = parsed_body(self.db, body).as_ref()?;
                let checked = checked_body(self.db, body).as_ref()?;
                let function = *self.tree.function_of_body.get(&number)?;
                Some(Layer::of_body(place, function, Arc::clone(parsed), checked))
            }
            BodyPlace::Inline(_) => {
                let all = checked_inline_bodies(self.db, self.unit);
                let (function, _, checked) = all.iter().find(|(_, other, _)| *other == place)?;
                Some(Layer::of_body(place, *function, self.env.inline_body(*function)?, checked))
            }
        }
    }

    /// The layer that a spot lies in.
    pub(crate) fn layer(&self, spot: Spot) -> Option<Layer<'a>> {
        match spot.body {
            None => Some(self.declarations()),
            Some(place) => self.body(place),
        }
    }

    /// Every layer: the declarations first, then the bodies in order.
    pub(crate) fn layers(&self) -> impl Iterator<Item = Layer<'a>> {
        let bodies = self.tree.functions.iter().filter_map(|of| self.body(of.body));
        std::iter::once(self.declarations()).chain(bodies)
    }

    /// The expanded tokens that are spelled like a name, and each `~` before one: by layer, in the layer's numbering. What
    /// stands before the body of a constructor may initialise a member, and is in its layer as well.
    pub(crate) fn tokens_with_name(&self, name: Name) -> FxHashMap<Option<BodyPlace>, Vec<u32>> {
        let mut found: FxHashMap<Option<BodyPlace>, Vec<u32>> = FxHashMap::default();
        let tokens = &self.preprocessed.tokens;
        let mut add = |expanded: usize| {
            if let Some((body, token)) = self.number(expanded) {
                found.entry(body).or_default().push(token);
                if let Some(constructor) = self.constructor_at(token).filter(|_| body.is_none()) {
                    found.entry(Some(constructor)).or_default().push(token);
                }
            }
        };
        for (expanded, _) in tokens.iter().enumerate().filter(|(_, token)| token.name == name) {
            add(expanded);
            if let Some(before) = expanded.checked_sub(1).filter(|&before| tokens[before].is_punct(Punct::Tilde)) {
                add(before);
            }
        }
        found
    }

    /// The body of the constructor whose definition a token of the declaration stream belongs to.
    fn constructor_at(&self, token: u32) -> Option<BodyPlace> {
        let (functions, ast) = (&self.tree.functions, &self.tree.ast);
        let after = functions.partition_point(|of| ast[of.function].range.start <= token);
        let of = functions.get(after.checked_sub(1)?)?;
        let DeclKind::Function(function) = &ast[of.function].kind else { return None };
        (function.role == FunctionRole::Constructor && token < ast[of.function].range.end).then_some(of.body)
    }

    /// The file with this path, if the unit enters it.
    pub(crate) fn file(&self, path: &Arc<str>) -> Option<FileId> {
        let id = self.db.shared().file_id(path);
        self.preprocessed.map.text(id).is_some().then_some(id)
    }

    pub(crate) fn text(&self, path: &Arc<str>) -> Option<&'a Arc<[u8]>> {
        self.preprocessed.map.text(self.file(path)?)
    }

    /// The token that a position of a file is at: the word around or right before it, else what stands at it.
    pub(crate) fn spots_at(&self, path: &Arc<str>, offset: u32) -> SmallVec<[Spot; 1]> {
        let mut spots = SmallVec::new();
        let Some(file) = self.file(path) else { return spots };
        let Some(text) = self.preprocessed.map.text(file) else { return spots };
        let starts: SmallVec<[u32; 4]> = match word_at(text, offset) {
            Some(word) => SmallVec::from_slice(&[word.start]),
            // Operators have up to three characters.
            None => (offset.saturating_sub(2)..=offset).rev().collect(),
        };
        for start in starts {
            for expanded in self.preprocessed.spelled_to_expanded().tokens_at(file, start) {
                spots.extend(self.spot(expanded as usize).filter(|spot| offset <= spot.range.end));
            }
            if !spots.is_empty() {
                break;
            }
        }
        spots
    }

    /// An expanded token as a spot; `None` unless the author typed it as such.
    pub(crate) fn spot(&self, expanded: usize) -> Option<Spot> {
        let &origin = self.preprocessed.origins.get(expanded)?;
        let (file, range, kind) = self.preprocessed.map.spelling(origin);
        if kind != SpellingKind::Typed || !file.is_real() {
            return None;
        }
        let (body, token) = self.number(expanded)?;
        Some(Spot { body, token, expanded, range: TextRange::new(range.start, range.end) })
    }

    /// The layer and number of an expanded token.
    pub(crate) fn number(&self, expanded: usize) -> Option<(Option<BodyPlace>, u32)> {
        let layout = self.places.layout;
        let stream = self.places.stream;
        let index = expanded as u32;
        let after = layout.bodies.partition_point(|tokens| tokens.start <= index);
        if let Some(number) = after.checked_sub(1)
            && let Range { start, end } = layout.bodies[number]
            && index < end
            // Only if a function has the body; broken code can cut out what nothing owns.
            && self.tree.function_of_body.contains_key(&(number as u32))
        {
            return Some((Some(BodyPlace::Deferred(number as u32)), stream.end + (index - start)));
        }
        let at = layout.stream.binary_search(&index).ok()? as u32 + stream.start;
        let inline = self.inline_bodies.get_or_init(|| {
            let ranges = self.tree.functions.iter().filter_map(|of| match of.body {
                BodyPlace::Inline(range) => Some(range),
                BodyPlace::Deferred(_) => None,
            });
            ranges.collect()
        });
        let inline = inline.iter().find(|range| range.start <= at && at < range.end);
        let inline = inline.map(|&range| (BodyPlace::Inline(range), range.start));
        Some(match inline {
            Some((place, start)) => (Some(place), stream.end + (at - start)),
            None => (None, at),
        })
    }

    /// What the name at a position means; several for one token of a macro's argument.
    pub(crate) fn named_at(&self, path: &Arc<str>, offset: u32) -> Option<(Layer<'a>, Named)> {
        self.spots_at(path, offset).into_iter().find_map(|spot| {
            let layer = self.layer(spot)?;
            let named = self.named(&layer, spot)?;
            Some((layer, named))
        })
    }

    /// What the name at a spot means.
    pub(crate) fn named(&self, layer: &Layer<'_>, spot: Spot) -> Option<Named> {
        if let Some(items) = layer.facts.refs.get(&spot.token)
            && !items.is_empty()
        {
            return Some(Named { spot, items: items.clone(), is_declaration: false });
        }
        // What is written is what it is, whatever the instances of a template are.
        let token = self.preprocessed.tokens.get(spot.expanded).map(|token| token.kind);
        if matches!(token, Some(TokenKind::Int | TokenKind::Float | TokenKind::Char | TokenKind::String)) {
            return None;
        }
        // What depends on template parameters is known from the instances.
        let mut items: SmallVec<[DeclRef; 1]> = SmallVec::new();
        for found in self.instances_of(layer).take(MAX_INSTANCES).filter_map(|facts| facts.refs.get(&spot.token)) {
            for item in found {
                if !items.iter().any(|other| other.decl == item.decl) {
                    items.push(*item);
                }
            }
        }
        if !items.is_empty() {
            return Some(Named { spot, items, is_declaration: false });
        }
        let ast = layer.ast();
        let (decl, _) = ast.own_decls().find(|(_, decl)| decl.name_token == spot.token && has_name(decl))?;
        let items = SmallVec::from_slice(&[DeclRef { decl, bind: BindId::NONE }]);
        Some(Named { spot, items, is_declaration: true })
    }

    /// The expanded token of a body's opening brace.
    pub(crate) fn first_token_of(&self, body: BodyPlace) -> Option<usize> {
        match body {
            BodyPlace::Deferred(number) => Some(self.places.layout.bodies.get(number as usize)?.start as usize),
            BodyPlace::Inline(range) => self.places.first(None, range.start),
        }
    }

    /// The expanded token of a body's closing brace.
    pub(crate) fn last_token_of(&self, body: BodyPlace) -> Option<usize> {
        match body {
            BodyPlace::Deferred(number) => {
                (self.places.layout.bodies.get(number as usize)?.end as usize).checked_sub(1)
            }
            BodyPlace::Inline(range) => self.places.first(None, range.end.checked_sub(1)?),
        }
    }

    /// From the first to the last byte of a body, if one file holds both.
    pub(crate) fn range_of_body(&self, body: BodyPlace) -> Option<TextRange> {
        self.place_of_body(body).map(|(_, range)| range)
    }

    fn place_of_body(&self, body: BodyPlace) -> Option<(FileId, TextRange)> {
        let layout = self.places.layout;
        let (first, last) = match body {
            BodyPlace::Deferred(number) => {
                let tokens = layout.bodies.get(number as usize)?;
                (tokens.start as usize, (tokens.end as usize).checked_sub(1)?)
            }
            BodyPlace::Inline(range) => {
                (self.places.first(None, range.start)?, self.places.first(None, range.end.checked_sub(1)?)?)
            }
        };
        let map = &self.preprocessed.map;
        let (file, start) = map.expansion_range(*self.preprocessed.origins.get(first)?);
        let (last_file, end) = map.expansion_range(*self.preprocessed.origins.get(last)?);
        (file == last_file).then(|| (file, TextRange::new(start.start, end.end.max(start.end))))
    }

    /// What the instances of a template's body say about it; nothing for what is no template.
    pub(crate) fn instances_of(&self, layer: &Layer<'_>) -> impl Iterator<Item = &'a Facts> {
        let (db, unit) = (self.db, self.unit);
        let template = layer.function.filter(|&function| self.is_template(function));
        let instances = template.and_then(|function| {
            let by_function = self.instances.get_or_init(|| {
                let mut by_function: FxHashMap<DeclId, Vec<Instance<'a>>> = FxHashMap::default();
                for &instance in unit_instances(db, unit).iter() {
                    by_function.entry(instance.item(db).decl).or_default().push(instance);
                }
                by_function
            });
            by_function.get(&function)
        });
        let instances = instances.into_iter().flatten();
        instances.filter_map(move |&instance| Some(&checked_instance(db, instance).as_ref()?.facts))
    }

    /// Whether a function depends on template parameters, its own or those of a class around it.
    fn is_template(&self, function: DeclId) -> bool {
        let local = LocalCaches::default();
        msl_ty::check::is_templated(&Sema::new(self.env, &self.tree.ast, &local), function)
    }

    /// The place of a declaration's name; for the library a place in the header `<name>`.
    pub(crate) fn place_of(&self, layer: &Layer<'_>, decl: DeclId) -> Option<Place> {
        let token = layer.ast()[decl].name_token;
        self.place_of_tokens(layer, decl, TokenRange::new(token, token + 1))
    }

    /// The place of a whole declaration.
    pub(crate) fn full_place_of(&self, layer: &Layer<'_>, decl: DeclId) -> Option<Place> {
        self.place_of_tokens(layer, decl, layer.ast()[decl].range)
    }

    fn place_of_tokens(&self, layer: &Layer<'_>, decl: DeclId, tokens: TokenRange) -> Option<Place> {
        if self.is_library(decl) {
            let library = self.env.library;
            let first = library.place_of_token(tokens.start)?;
            let last = library.place_of_token(tokens.end.saturating_sub(1).max(tokens.start))?;
            let end = if last.header == first.header { last.range.end.max(first.range.end) } else { first.range.end };
            let path: Arc<str> = format!("<{}>", first.header.header().name).into();
            return Some(Place { path, range: TextRange::new(first.range.start, end) });
        }
        Some(self.places.place(layer.body, tokens)?.0)
    }

    pub(crate) fn is_library(&self, decl: DeclId) -> bool {
        decl.0 < self.tree.ast.start().decls
    }
}

impl<'a> Layer<'a> {
    fn of_body(place: BodyPlace, function: DeclId, parsed: Arc<ParsedBody>, checked: &'a Checked) -> Layer<'a> {
        let facts = &checked.facts;
        Layer {
            body: Some(place),
            function: Some(function),
            facts,
            parsed: Parsed::Body(parsed),
            local: LocalCaches::default(),
        }
    }

    pub(crate) fn ast(&self) -> &Ast {
        match &self.parsed {
            Parsed::Declarations(ast) => ast,
            Parsed::Body(parsed) => &parsed.ast,
        }
    }

    /// The outermost block of a body.
    pub(crate) fn root(&self) -> Option<StmtId> {
        match &self.parsed {
            Parsed::Declarations(_) => None,
            Parsed::Body(parsed) => Some(parsed.root),
        }
    }

    /// Questions about the layer, which know the types that its check deduced.
    pub(crate) fn sema<'s>(&'s self, env: &'s Env) -> Sema<'s> {
        self.local.set_variables(&self.facts.variables);
        Sema::new(env, self.ast(), &self.local)
    }
}

/// Whether a declaration introduces a name of its own, rather than naming what is declared elsewhere.
pub(crate) fn has_name(decl: &Decl) -> bool {
    if decl.specs.contains(Specs::INSTANTIATION) {
        return false;
    }
    match &decl.kind {
        DeclKind::Variable(variable) => !matches!(variable.name, UnqualName::Missing),
        DeclKind::Function(function) => !matches!(function.name, UnqualName::Missing),
        DeclKind::Record(record) => !record.name.is_empty(),
        DeclKind::Enum(enumeration) => !enumeration.name.is_empty(),
        DeclKind::Namespace { name, .. }
        | DeclKind::NamespaceAlias { name, .. }
        | DeclKind::TypeAlias { name, .. }
        | DeclKind::Enumerator { name, .. }
        | DeclKind::TypeParam { name, .. }
        | DeclKind::TemplateParam { name, .. } => !name.is_empty(),
        _ => false,
    }
}

/// The word that a position is in or right behind.
pub(crate) fn word_at(text: &[u8], offset: u32) -> Option<Range<u32>> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    let offset = (offset as usize).min(text.len());
    let start = offset - text[..offset].iter().rev().take_while(|byte| is_word(byte)).count();
    let end = offset + text[offset..].iter().take_while(|byte| is_word(byte)).count();
    (start < end).then_some(start as u32..end as u32)
}

/// A macro's name in a text.
pub(crate) struct MacroUse {
    pub(crate) range: TextRange,
    pub(crate) definition: Arc<MacroDef>,
    /// The expansion, if the name is expanded there.
    pub(crate) expansion: Option<MacroExpansion>,
}

/// The macro that a position names.
pub(crate) fn macro_at(view: &View<'_>, path: &Arc<str>, offset: u32) -> Option<MacroUse> {
    let map = &view.preprocessed.map;
    let file = view.file(path)?;
    let text = map.text(file)?;
    let word = word_at(text, offset)?;
    let range = TextRange::new(word.start, word.end);
    // Most words name no macro, and there may be very many uses of macros.
    let spelled = &text[word.start as usize..word.end as usize];
    let is_named = |definition: &MacroDef| definition.name.bytes() == spelled;
    if !map.definitions().iter().any(|definition| is_named(definition)) {
        return None;
    }
    for expansion in map.expansions() {
        if is_named(map.definition(expansion.definition))
            && map.spelled_range(expansion.call_site) == (file, word.clone())
        {
            let definition = Arc::clone(map.definition(expansion.definition));
            return Some(MacroUse { range, definition, expansion: Some(*expansion) });
        }
    }
    let reference = view
        .preprocessed
        .macros
        .references
        .iter()
        .find(|reference| map.spelled_range(reference.origin) == (file, word.clone()))?;
    Some(MacroUse { range, definition: Arc::clone(map.definition(reference.definition?)), expansion: None })
}
