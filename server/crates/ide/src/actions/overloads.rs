//! Families of overloads that differ only in address spaces.
//!
//! Vocabulary:
//!
//! * The *canonical form* of a definition is the sequence of its tokens, comments left out, with its own names numbered in
//!   order of their first use, what may be written in several ways written in one (see [`spelling`](super::spelling)), and
//!   every address space replaced by a blank. Definitions of one scope with the same form do the same, as far as their
//!   spaces go.
//! * The blanks of a form are its *slots*. A slot stands in the signature (in the pointee of a parameter, or behind the
//!   parameters for `this`), in the result, or in the body. The *column* of a slot is what the overloads of a family write
//!   there, overload by overload.
//! * A family can become one generic function if each column that varies in result and body is the column of a slot of
//!   the signature: then the spaces there follow those of the arguments, as generic ones do.

use std::collections::BTreeMap;

use msl_db::{BodyPlace, Database, Unit, parsed_body, parsed_decls, split_unit};
use msl_intern::Name;
use msl_parser::ast::*;
use msl_preproc::{Keyword, Token, TokenKind};
use msl_ty::{
    DeclRef, Env, Sema, body_of, checked_body, checked_declarations, checked_inline_bodies, environment,
    expr::Facts,
    sema::LocalCaches,
    store::{BindId, QualTy, Space, TyKind},
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::spelling::Spelling;

/// Overloads of one name and one shape, in order of declaration.
pub(crate) struct OverloadGroup {
    pub(crate) name: String,
    pub(crate) overloads: Vec<Overload>,
}

/// A definition in a group.
pub(crate) struct Overload {
    pub(crate) decl: DeclId,
    /// All its declarations, the definition included.
    pub(crate) decls: Vec<DeclId>,
    pub(crate) form: Form,
}

/// The canonical form of a definition.
#[derive(Default)]
pub(crate) struct Form {
    items: Vec<Item>,
    pub(crate) slots: Vec<Slot>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    Token(TokenKind, Name),
    /// A name of the function's own, by number.
    Own(u32),
    /// Something that is declared elsewhere and is no function.
    Known(DeclRef),
    Space,
    /// Where an operation starts and ends, whatever parentheses are around it.
    Open,
    Close,
    /// `const` or `volatile` of a type, wherever it is written.
    Qualifier(Keyword),
}

/// A place where an address space is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) body: Option<BodyPlace>,
    /// `None` for `this` of a member without an address space, which is thread memory before Metal 4.1.
    pub(crate) token: Option<u32>,
    pub(crate) space: Space,
    pub(crate) role: SlotRole,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotRole {
    /// What a parameter points or refers to, or `this`.
    Parameter,
    /// Deeper in a parameter's type: conversions do not reach it.
    Deep,
    Result,
    Body,
    /// Where a variable of the body lives, which is not what something leads to.
    Storage,
}

/// Overloads of a group that can become one, or why they cannot.
pub(crate) struct Family {
    /// Indices into the group's overloads, at least two.
    pub(crate) members: Vec<usize>,
    /// The slots whose address spaces go, by index.
    pub(crate) generic: Vec<usize>,
}

/// The groups of a unit with at least two overloads.
pub(crate) fn groups(db: &Database, unit: Unit) -> Vec<OverloadGroup> {
    let env = environment(db, unit);
    let local = LocalCaches::default();
    let sema = Sema::new(env, &env.ast, &local);
    let mut by_shape: BTreeMap<(u32, String, String), Vec<DeclId>> = BTreeMap::new();
    for of in &parsed_decls(db, unit).functions {
        if let Some(shape) = shape(&sema, of.function) {
            by_shape.entry(shape).or_default().push(of.function);
        }
    }
    by_shape.retain(|_, decls| decls.len() > 1);
    let declarations = declarations_without_body(&sema, &by_shape);
    by_shape
        .into_iter()
        .map(|((_, name, _), decls)| {
            let name = match &env.ast[decls[0]].kind {
                DeclKind::Function(function) if function.role == FunctionRole::Conversion => {
                    let result = sema.signature(DeclRef { decl: decls[0], bind: BindId::NONE }).ret;
                    format!("operator {}", sema.spell(result))
                }
                _ => name,
            };
            let overloads = decls
                .into_iter()
                .map(|decl| {
                    let mut all = vec![decl];
                    all.extend(declarations.get(&decl).into_iter().flatten().copied());
                    Overload { decl, decls: all, form: form(db, unit, env, decl) }
                })
                .collect();
            OverloadGroup { name, overloads }
        })
        .collect()
}

/// What the overloads of a group share: where they are declared, their name, their parameters and qualifiers with all
/// address spaces left out. `None` for what cannot be part of a family.
fn shape(sema: &Sema<'_>, decl: DeclId) -> Option<(u32, String, String)> {
    let data = &sema.ast[decl];
    let DeclKind::Function(function) = &data.kind else { return None };
    if function.role == FunctionRole::Destructor
        || function.name_args.is_some()
        || data.specs.contains(Specs::FRIEND)
        || sema.stage_of(decl).is_some()
    {
        return None;
    }
    let item = DeclRef { decl, bind: BindId::NONE };
    let signature = sema.signature(item);
    if signature.unknown || signature.invalid || signature.variadic {
        return None;
    }
    let owner = match sema.class_of(item).map(|class| sema.kind(class)) {
        Some(TyKind::Record(record, _)) => sema.primary_record(*record).0,
        Some(_) => return None,
        // Scopes and declarations are numbered apart.
        None => u32::MAX - sema.ast.root_scope(sema.declared_in(decl)).0,
    };
    let mut shape = String::new();
    let mut has_space = false;
    for param in &signature.params {
        let (erased, space) = erase(sema, param.ty);
        has_space |= space.is_some();
        shape.push_str(&sema.spell(erased));
        shape.push(';');
    }
    if let Some(this) = &signature.this {
        has_space |= this.space != Space::Generic;
        shape.push_str(&format!("{:?} {:?}", this.cv, this.reference));
    }
    let name = match function.role {
        FunctionRole::Conversion => format!("operator {}", sema.spell(signature.ret)),
        _ => msl_ty::types::spell_name(function.name),
    };
    let own = template_params(sema.ast, data);
    let by_number = |spelled: String| match own.is_empty() {
        true => spelled,
        false => with_numbered_words(&spelled, &own),
    };
    // The name of a conversion is a type.
    let name = if function.role == FunctionRole::Conversion { by_number(name) } else { name };
    has_space.then(|| (owner, name, by_number(shape)))
}

/// The names of the template parameters of a declaration's own headers, in order.
fn template_params(ast: &Ast, data: &Decl) -> Vec<String> {
    let params = data.templates.iter().flat_map(|&header| ast[header].params.iter());
    params
        .filter_map(|&param| match &ast[param].kind {
            DeclKind::TypeParam { name, .. } | DeclKind::TemplateParam { name, .. } => Some(name.to_string()),
            DeclKind::Variable(Variable { name: UnqualName::Ident(name), .. }) => Some(name.to_string()),
            _ => None,
        })
        .collect()
}

/// A text with the words of a list replaced by their numbers.
fn with_numbered_words(text: &str, words: &[String]) -> String {
    let mut out = String::new();
    for part in text.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_') {
        let word = part.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_');
        match words.iter().position(|other| other == word) {
            Some(number) => out.push_str(&format!("${number}{}", &part[word.len()..])),
            None => out.push_str(part),
        }
    }
    out
}

/// The spaces of a signature: of what its parameters lead to, and of `this`.
fn spaces_of(sema: &Sema<'_>, decl: DeclId) -> (Vec<Option<Space>>, Option<Space>) {
    let signature = sema.signature(DeclRef { decl, bind: BindId::NONE });
    let params = signature.params.iter().map(|param| erase(sema, param.ty).1).collect();
    (params, signature.this.map(|this| this.space))
}

/// A parameter's type without the space of what it points or refers to, and that space.
fn erase(sema: &Sema<'_>, ty: QualTy) -> (QualTy, Option<Space>) {
    let blank = |inner: &QualTy| QualTy { space: Space::Generic, ..*inner };
    let (kind, space) = match sema.kind(ty.ty) {
        TyKind::Pointer(inner) => (TyKind::Pointer(blank(inner)), inner.space),
        TyKind::LRef(inner) => (TyKind::LRef(blank(inner)), inner.space),
        TyKind::RRef(inner) => (TyKind::RRef(blank(inner)), inner.space),
        _ => return (ty, None),
    };
    (QualTy { ty: sema.store().intern(kind), ..ty }, Some(space))
}

/// The declarations without a body that belong to definitions of the shapes.
fn declarations_without_body(
    sema: &Sema<'_>,
    by_shape: &BTreeMap<(u32, String, String), Vec<DeclId>>,
) -> FxHashMap<DeclId, Vec<DeclId>> {
    let mut found: FxHashMap<DeclId, Vec<DeclId>> = FxHashMap::default();
    for (decl, data) in sema.ast.own_decls() {
        let DeclKind::Function(Function { body: FunctionBody::None, .. }) = &data.kind else { continue };
        if data.specs.contains(Specs::INSTANTIATION) {
            continue;
        }
        let Some(definitions) = shape(sema, decl).and_then(|shape| by_shape.get(&shape)) else { continue };
        // What has the shape of a definition and its spaces declares it: parameters of templates are other declarations
        // in each of their headers, so their types cannot be compared.
        let spaces = spaces_of(sema, decl);
        let own = definitions.iter().find(|&&definition| spaces_of(sema, definition) == spaces);
        if let Some(&definition) = own {
            found.entry(definition).or_default().push(decl);
        }
    }
    found
}

/// The canonical form of a definition; of a declaration without a body that of its signature.
pub(crate) fn form(db: &Database, unit: Unit, env: &Env, decl: DeclId) -> Form {
    let ast = &env.ast;
    let mut reader = Reader {
        env,
        form: Form::default(),
        own: FxHashMap::default(),
        slots: FxHashMap::default(),
        this_token: None,
        storage: FxHashSet::default(),
        signature: Spelling::default(),
        body: Spelling::default(),
    };
    let DeclKind::Function(function) = &ast[decl].kind else { return reader.form };
    reader.note_slots(function);
    let nothing = Facts::default();
    let place = body_of(db, unit, decl);
    let facts = place.and_then(|place| match place {
        BodyPlace::Deferred(number) => {
            let body = *split_unit(db, unit).bodies(db).get(number as usize)?;
            checked_body(db, body).as_ref().map(|checked| &checked.facts)
        }
        BodyPlace::Inline(_) => {
            let inline = checked_inline_bodies(db, unit);
            inline.iter().find(|(own, ..)| *own == decl).map(|(.., checked)| &checked.facts)
        }
    });
    let facts = facts.unwrap_or(&nothing);
    let parsed = place.and_then(|place| match place {
        BodyPlace::Deferred(number) => {
            let &body = split_unit(db, unit).bodies(db).get(number as usize)?;
            parsed_body(db, body).clone()
        }
        BodyPlace::Inline(_) => env.inline_body(decl),
    });
    let mut declared: FxHashMap<u32, DeclId> = FxHashMap::default();
    if let TypeKind::Function(written) = &ast[function.ty].kind {
        declared.extend(written.params.iter().map(|&param| (ast[param].name_token, param)));
    }
    for &header in &ast[decl].templates {
        declared.extend(ast[header].params.iter().map(|&param| (ast[param].name_token, param)));
    }
    let (start, end) = (ast.start().tokens, ast.end().tokens);
    let kind_in = |tokens: &[Token], number: u32| tokens.get(number as usize).map(|token| token.kind);
    reader.signature =
        Spelling::of_signature(ast, function, &|number| kind_in(&env.tokens, number.checked_sub(start)?));
    let body_tokens: &[Token] = match place {
        Some(BodyPlace::Deferred(index)) => {
            split_unit(db, unit).bodies(db).get(index as usize).map(|body| &**body.tokens(db)).unwrap_or_default()
        }
        Some(BodyPlace::Inline(inline)) => {
            env.tokens.get((inline.start - start) as usize..(inline.end - start) as usize).unwrap_or_default()
        }
        None => &[],
    };
    if let Some(parsed) = &parsed {
        reader.storage = storage_spaces(&parsed.ast);
        reader.body = Spelling::of_body(&parsed.ast, &|number| kind_in(body_tokens, number.checked_sub(end)?));
        declared.extend(parsed.ast.own_decls().map(|(local, data)| (data.name_token, local)));
    }
    // The names of the declaration mean what its own check found.
    let of_declarations = checked_declarations(db, unit);
    let range = ast[decl].range;
    let mut number = range.start;
    while number < range.end {
        let (tokens, body, first) = match place {
            Some(BodyPlace::Inline(inline)) if number == inline.start => {
                number = inline.end;
                (body_tokens, place, end)
            }
            _ => {
                let Some(token) = env.tokens.get((number - start) as usize) else { break };
                let at = number;
                number += 1;
                match (token.kind, place) {
                    (TokenKind::Body, Some(BodyPlace::Deferred(_))) => (body_tokens, place, end),
                    _ => (std::slice::from_ref(token), None, at),
                }
            }
        };
        let names = Names { declared: &declared, facts: if body.is_some() { facts } else { &of_declarations.facts } };
        for (number, token) in (first..).zip(tokens) {
            reader.token(body, number, token, &names);
        }
    }
    reader.this_slot(decl);
    reader.form
}

struct Reader<'a> {
    env: &'a Env,
    form: Form,
    /// The function's own names by their declarations.
    own: FxHashMap<DeclId, u32>,
    /// The roles of the slots of the declaration, by token.
    slots: FxHashMap<u32, SlotRole>,
    /// Where the space of `this` is written.
    this_token: Option<u32>,
    /// The spaces of the body that say where a variable lives.
    storage: FxHashSet<u32>,
    signature: Spelling,
    body: Spelling,
}

/// What names mean.
struct Names<'a> {
    /// By the tokens of their names: what the function declares itself.
    declared: &'a FxHashMap<u32, DeclId>,
    facts: &'a Facts,
}

impl Reader<'_> {
    /// Finds out which address spaces of the declaration are those of parameters.
    fn note_slots(&mut self, function: &Function) {
        let ast = &self.env.ast;
        let TypeKind::Function(written) = &ast[function.ty].kind else { return };
        for &param in &written.params {
            let DeclKind::Variable(variable) = &ast[param].kind else { continue };
            for number in ast[param].range.start..ast[param].range.end {
                self.slots.insert(number, SlotRole::Deep);
            }
            for &(_, token) in pointee_spaces(ast, variable.ty) {
                self.slots.insert(token, SlotRole::Parameter);
            }
        }
        self.this_token = written.this_quals.spaces.first().map(|&(_, token)| token);
    }

    /// The slot of `this` comes last, because it is there even where nothing is written.
    fn this_slot(&mut self, decl: DeclId) {
        let local = LocalCaches::default();
        let sema = Sema::new(self.env, &self.env.ast, &local);
        let Some(this) = sema.signature(DeclRef { decl, bind: BindId::NONE }).this else { return };
        self.form.items.push(Item::Space);
        let role = SlotRole::Parameter;
        self.form.slots.push(Slot { body: None, token: self.this_token, space: this.space, role });
    }

    /// Reads a token, with what is to be written before and behind it.
    fn token(&mut self, body: Option<BodyPlace>, number: u32, token: &Token, names: &Names<'_>) {
        let spelling = if body.is_some() { &self.body } else { &self.signature };
        let count = |of: &FxHashMap<u32, u32>| of.get(&number).copied().unwrap_or_default();
        let (opens, closes) = (count(&spelling.opens), count(&spelling.closes));
        let is_left_out = spelling.left_out.contains(&number);
        let qualifiers = spelling.qualifiers.get(&number).cloned().unwrap_or_default();
        self.form.items.extend((0..opens).map(|_| Item::Open));
        for (word, at) in qualifiers.spaces {
            self.space(body, at, Space::from_word(word));
        }
        self.form.items.extend(qualifiers.others.into_iter().map(Item::Qualifier));
        if !is_left_out {
            self.read(body, number, token, names);
        }
        self.form.items.extend((0..closes).map(|_| Item::Close));
    }

    fn space(&mut self, body: Option<BodyPlace>, number: u32, space: Space) {
        let role = match body {
            Some(_) if self.storage.contains(&number) => SlotRole::Storage,
            Some(_) => SlotRole::Body,
            None => self.slots.get(&number).copied().unwrap_or(SlotRole::Result),
        };
        self.form.slots.push(Slot { body, token: Some(number), space, role });
        self.form.items.push(Item::Space);
    }

    fn read(&mut self, body: Option<BodyPlace>, number: u32, token: &Token, names: &Names<'_>) {
        if let Some(space) = space_of(token.kind) {
            if self.this_token != Some(number) || body.is_some() {
                self.space(body, number, space);
            }
            return;
        }
        let meant = names.declared.get(&number).map(|&decl| DeclRef { decl, bind: BindId::NONE });
        let meant = meant.or_else(|| match names.facts.refs.get(&number).map(|items| &**items) {
            Some(&[item]) => Some(item),
            _ => None,
        });
        let item = match meant {
            Some(item) if self.is_own(item.decl, names.declared) => {
                let next = self.own.len() as u32;
                Item::Own(*self.own.entry(item.decl).or_insert(next))
            }
            Some(item) if !self.is_function(item.decl) => Item::Known(item),
            _ => Item::Token(token.kind, token.name),
        };
        self.form.items.push(item);
    }

    fn is_own(&self, decl: DeclId, declared: &FxHashMap<u32, DeclId>) -> bool {
        decl.0 >= self.env.ast.end().decls || declared.values().any(|&own| own == decl)
    }

    fn is_function(&self, decl: DeclId) -> bool {
        decl.0 < self.env.ast.end().decls && matches!(self.env.ast[decl].kind, DeclKind::Function(_))
    }
}

/// The address spaces in a body that say where a variable lives, by token.
fn storage_spaces(ast: &Ast) -> FxHashSet<u32> {
    let mut found = FxHashSet::default();
    for (_, data) in ast.own_decls() {
        let DeclKind::Variable(variable) = &data.kind else { continue };
        let mut node = variable.ty;
        loop {
            match &ast[node].kind {
                TypeKind::Qualified { inner, quals } => {
                    found.extend(quals.spaces.iter().map(|&(_, token)| token));
                    node = *inner;
                }
                TypeKind::Array { elem, .. } => node = *elem,
                _ => break,
            }
        }
    }
    found
}

/// The address spaces that are written on what a pointer, reference or array points to.
pub(crate) fn pointee_spaces(ast: &Ast, node: TypeId) -> &[(SpaceWord, u32)] {
    let mut node = node;
    loop {
        match &ast[node].kind {
            TypeKind::Qualified { inner, .. } => node = *inner,
            TypeKind::Pointer(inner)
            | TypeKind::LRef(inner)
            | TypeKind::RRef(inner)
            | TypeKind::Array { elem: inner, .. } => {
                return match &ast[*inner].kind {
                    TypeKind::Qualified { quals, .. } => &quals.spaces,
                    _ => &[],
                };
            }
            _ => return &[],
        }
    }
}

fn space_of(kind: TokenKind) -> Option<Space> {
    Some(match kind {
        TokenKind::Keyword(Keyword::Thread) => Space::Thread,
        TokenKind::Keyword(Keyword::Threadgroup) => Space::Threadgroup,
        TokenKind::Keyword(Keyword::Device) => Space::Device,
        TokenKind::Keyword(Keyword::Constant) => Space::Constant,
        _ => return None,
    })
}

impl OverloadGroup {
    /// The families of the group, and for each overload that is in none why that is so.
    pub(crate) fn families(&self) -> (Vec<Family>, Vec<(usize, String)>) {
        let mut families = Vec::new();
        let mut left: Vec<(usize, String)> = Vec::new();
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        for index in 0..self.overloads.len() {
            if seen.contains(&index) {
                continue;
            }
            let alike: Vec<usize> = (index..self.overloads.len())
                .filter(|&other| !seen.contains(&other) && self.is_alike(index, other))
                .collect();
            seen.extend(&alike);
            if alike.len() < 2 {
                left.extend(self.why_alone(index).map(|reason| (index, reason)));
                continue;
            }
            let generic = match self.has_generic_beside(index) {
                true => Err("a generic overload is there already: these can go, or stay for speed".to_owned()),
                false => self.generic_slots(&alike),
            };
            match generic {
                Ok(generic) => families.push(Family { members: alike, generic }),
                Err(reason) => left.extend(alike.into_iter().map(|member| (member, reason.clone()))),
            }
        }
        (families, left)
    }

    /// Whether two overloads have one form, and the same spaces where generic covers none.
    fn is_alike(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.overloads[a].form, &self.overloads[b].form);
        let is_covered = |slot: &Slot| slot.space.covered_by_generic();
        a.items == b.items
            && a.slots.len() == b.slots.len()
            && a.slots
                .iter()
                .zip(&b.slots)
                .all(|(a, b)| a.role == b.role && (a.space == b.space || is_covered(a) && is_covered(b)))
    }

    /// Whether an overload of the group is what a family with this member would become, or could be.
    fn has_generic_beside(&self, member: usize) -> bool {
        let uncovered = |index: usize| {
            let slots = self.overloads[index].form.slots.iter();
            slots.filter(|slot| slot.role == SlotRole::Parameter && !slot.space.covered_by_generic()).count()
        };
        let is_generic = |index: usize| {
            let slots = self.overloads[index].form.slots.iter();
            let mut of_parameters = slots.filter(|slot| slot.role == SlotRole::Parameter);
            of_parameters.all(|slot| slot.space == Space::Generic || !slot.space.covered_by_generic())
        };
        (0..self.overloads.len()).any(|other| is_generic(other) && uncovered(other) == uncovered(member))
    }

    /// Why an overload is like no other. `None` if it is generic already, or stands beside generic ones.
    fn why_alone(&self, index: usize) -> Option<String> {
        let parameters = |index: usize| {
            let slots = self.overloads[index].form.slots.iter();
            slots.filter(|slot| matches!(slot.role, SlotRole::Parameter | SlotRole::Deep))
        };
        let could_be_generic =
            |index: usize| parameters(index).any(|slot| slot.space.is_named() && slot.space.covered_by_generic());
        if !(0..self.overloads.len()).any(|other| other != index && could_be_generic(other)) {
            return None;
        }
        match parameters(index).find(|slot| !slot.space.covered_by_generic()) {
            Some(slot) => {
                Some(format!("generic pointers do not cover {} memory, so this overload stays", slot.space.word()))
            }
            None if could_be_generic(index) => {
                Some("its declaration or its body differs from those of the other overloads".to_owned())
            }
            None => None,
        }
    }

    /// The slots that lose their address spaces when overloads of one form become one function.
    fn generic_slots(&self, members: &[usize]) -> Result<Vec<usize>, String> {
        let forms: Vec<&Form> = members.iter().map(|&member| &self.overloads[member].form).collect();
        let column = |slot: usize| -> Vec<Space> { forms.iter().map(|form| form.slots[slot].space).collect() };
        let varies = |slot: usize| forms.iter().any(|form| form.slots[slot].space != forms[0].slots[slot].space);
        let varying: Vec<usize> = (0..forms[0].slots.len()).filter(|&slot| varies(slot)).collect();
        let role = |slot: usize| forms[0].slots[slot].role;
        let parameters: Vec<Vec<Space>> =
            varying.iter().filter(|&&slot| role(slot) == SlotRole::Parameter).map(|&slot| column(slot)).collect();
        for &slot in &varying {
            match role(slot) {
                SlotRole::Parameter => {}
                SlotRole::Deep => {
                    return Err("the overloads differ in an address space deep inside a parameter's type, where nothing converts".to_owned());
                }
                SlotRole::Storage => {
                    return Err("a variable of the body lives in another address space".to_owned());
                }
                SlotRole::Result if !parameters.contains(&column(slot)) => {
                    return Err("the address space of the result does not follow that of a parameter".to_owned());
                }
                SlotRole::Body if !parameters.contains(&column(slot)) => {
                    return Err("address spaces in the body do not follow those of the parameters".to_owned());
                }
                SlotRole::Result | SlotRole::Body => {}
            }
        }
        if parameters.is_empty() {
            return Err("the overloads do not differ in the address spaces of their parameters".to_owned());
        }
        Ok(varying)
    }
}
