//! What an editor shows about the thing under the pointer.

mod expressions;
mod keywords;

use std::{fmt::Write, sync::Arc};

use msl_builtins::{Library, Since, Visibility, attribute};
use msl_db::Db;
use msl_diagnostics::{Related, TextRange};
use msl_flow::Resolution;
use msl_parser::ast::*;
use msl_preproc::{MacroDef, MacroKind, TokenFlags};
use msl_ty::{
    DeclRef, Sema,
    store::{BindId, QualTy, Space, Ty, TyKind},
};

use crate::{
    analysis::{Analysis, UnitRequest},
    attributes, comments,
    flow_facts::FlowFacts,
    navigation::same_entity,
    view::{Layer, MacroUse, Named, View, macro_at},
};

/// Declarations and expansions longer than this many characters are cut.
const MAX_CODE: usize = 2000;

/// Of member functions before Metal 4.1 that do not annotate their object (MSL spec §4).
const UNANNOTATED_THIS: &str = "`this` points to `thread` memory, since the function is not annotated · under Metal 4.1 \
     it points to generic memory: the function can be called on objects in `device`, `thread` and `threadgroup` memory";

/// How memory is called whose space nothing states.
const GENERIC: &str = "generic memory: no space is declared";

/// Members of a class that are shown with it.
const MAX_MEMBERS: usize = 24;

/// What is known about a name, part by part in the order in which it is shown. Texts are Markdown, but for
/// `declarations`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Hover {
    pub range: TextRange,
    /// As MSL, address spaces spelled out; several if the name means several things.
    pub declarations: Vec<String>,
    /// Declared and inferred address spaces, and what an access through them costs.
    pub address_space: Option<String>,
    /// Where an inferred space comes from.
    pub origins: Vec<Related>,
    /// About the overload that was chosen.
    pub notes: Vec<String>,
    pub documentation: Option<String>,
    /// Sizes, values, expansions, slots.
    pub facts: Vec<String>,
}

impl Analysis {
    /// What is known about the thing at `offset`.
    pub fn hover(&self, request: &UnitRequest, path: &Arc<str>, offset: u32) -> Option<Hover> {
        let view = View::new(self, request);
        if let Some(used) = macro_at(&view, path, offset) {
            return Some(of_macro(&view, &used));
        }
        if let Some((layer, named)) = view.named_at(path, offset) {
            return of_name(&view, &layer, &named);
        }
        of_attribute(&view, path, offset)
            .or_else(|| expressions::of_expression(&view, path, offset))
            .or_else(|| keywords::of_keyword(&view, path, offset))
    }
}

fn of_name(view: &View<'_>, layer: &Layer<'_>, named: &Named) -> Option<Hover> {
    let sema = layer.sema(view.env);
    let mut hover = Hover { range: named.spot.range, ..Hover::default() };
    for &item in &named.items {
        let Some(declaration) = declaration_of(view, layer, &sema, item) else { continue };
        let is_new = !hover.declarations.contains(&declaration);
        if !is_new {
            continue;
        }
        hover.declarations.push(cut(declaration));
        if hover.declarations.len() == 1 {
            hover.address_space = address_space(layer, &sema, item);
            let is_generic = hover.address_space.as_deref().is_some_and(|text| text.contains(GENERIC));
            if let Some(inferred) =
                is_generic.then(|| inferred(view, layer, named.spot.token, Some(item.decl))).flatten()
            {
                inferred.tell(&mut hover);
            }
            this_of_member(view, &sema, item, &mut hover);
            hover.notes.extend(template(view, layer, &sema, item));
            hover.notes.extend(overloads(view, &sema, item));
            hover.notes.extend(link_note(view, layer, &sema, item));
            hover.documentation = documentation(view, layer, &sema, item.decl);
            hover.facts = facts(view, layer, &sema, item);
        }
    }
    (!hover.declarations.is_empty()).then_some(hover)
}

fn cut(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(MAX_CODE) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// A declaration as MSL.
pub(crate) fn declaration_of(view: &View<'_>, layer: &Layer<'_>, sema: &Sema<'_>, item: DeclRef) -> Option<String> {
    let data = &sema.ast[item.decl];
    let name = sema.decl_name(item.decl);
    let qualified = || name.map_or_else(String::new, |name| sema.qualified_name(item.decl, name));
    let mut text = match &data.kind {
        DeclKind::Variable(variable) => {
            let ty = variable_type(layer, sema, item);
            let shown = match variable.kind {
                VariableKind::Global | VariableKind::Field => qualified(),
                _ => name.map_or_else(String::new, |name| name.to_string()),
            };
            let storage = match variable.kind {
                // A space of the object itself is shown where it was chosen, not where it is the only one possible.
                VariableKind::Local | VariableKind::Param | VariableKind::Binding | VariableKind::Capture
                    if ty.space == Space::Thread =>
                {
                    Space::None
                }
                _ => ty.space,
            };
            let spelled = match sema.kind(ty.ty) {
                TyKind::Unknown | TyKind::Invalid => return source_of(view, layer, item.decl),
                _ => sema.spell_with(QualTy { space: storage, ..ty }, &shown),
            };
            let mut text = spelled;
            if data.specs.contains(Specs::STATIC) {
                text.insert_str(0, "static ");
            }
            if data.specs.contains(Specs::CONSTEXPR) {
                text.insert_str(0, "constexpr ");
            }
            text
        }
        DeclKind::Function(_) => {
            let stage = sema.stage_of(item.decl).map(|stage| format!("[[{}]] ", stage.word())).unwrap_or_default();
            let header =
                if item.bind == BindId::NONE { template_header(view, layer, sema, item.decl) } else { String::new() };
            format!("{header}{stage}{}", sema.spell_function(item))
        }
        DeclKind::Record(record) => {
            let key = match record.key {
                RecordKey::Struct => "struct",
                RecordKey::Class => "class",
                RecordKey::Union => "union",
            };
            let ty = sema.record_self(item.decl, item.bind);
            let mut text = format!("{key} {}", sema.spell_ty(ty));
            // The library's types are not made of members that anybody should see.
            if !view.is_library(item.decl)
                && let Some(info) = sema.record_info(ty)
            {
                let fields = sema.fields(&info);
                if !fields.is_empty() {
                    text.push_str(" {\n");
                    for &field in fields.iter().take(MAX_MEMBERS) {
                        let name = sema.decl_name(field.decl).map_or_else(String::new, |name| name.to_string());
                        let ty = sema.variable_type(field);
                        let _ = writeln!(text, "    {};", sema.spell_with(QualTy { space: Space::None, ..ty }, &name));
                    }
                    if fields.len() > MAX_MEMBERS {
                        text.push_str("    …\n");
                    }
                    text.push('}');
                }
            }
            format!("{}{text}", template_header(view, layer, sema, item.decl))
        }
        DeclKind::Enum(enumeration) => {
            let key = if enumeration.scoped { "enum class" } else { "enum" };
            let underlying = sema.underlying_type(item.decl, item.bind);
            format!("{key} {} : {}", qualified(), sema.spell_ty(underlying))
        }
        DeclKind::Enumerator { .. } => {
            let value = sema.enumerator_value(item);
            let value = value.map(|value| format!(" = {value}")).unwrap_or_default();
            let scope = match sema.enum_of(item.decl) {
                Some(owner) => format!("{}::", sema.spell_ty(sema.enum_type(owner, item.bind))),
                None => String::new(),
            };
            format!("{scope}{}{value}", name.map_or_else(String::new, |name| name.to_string()))
        }
        DeclKind::TypeAlias { .. } => {
            let target = if data.templates.is_empty() { sema.alias_type(item) } else { QualTy::UNKNOWN };
            match sema.kind(target.ty) {
                TyKind::Unknown | TyKind::Invalid | TyKind::Dependent => {
                    return source_of(view, layer, item.decl);
                }
                _ => format!("using {} = {}", qualified(), sema.spell(target)),
            }
        }
        DeclKind::Namespace { .. } => format!("namespace {}", qualified()),
        DeclKind::TypeParam { name, pack, .. } => format!("typename{} {name}", if *pack { "..." } else { "" }),
        DeclKind::TemplateParam { name, .. } => format!("template <…> class {name}"),
        _ => return source_of(view, layer, item.decl),
    };
    for attr in attributes(view, layer, sema, item.decl) {
        let _ = write!(text, " {attr}");
    }
    Some(text)
}

/// The template header that a declaration stands under, as it is written.
fn template_header(view: &View<'_>, layer: &Layer<'_>, sema: &Sema<'_>, decl: DeclId) -> String {
    let mut text = String::new();
    for &header in &sema.ast[decl].templates {
        let params: Vec<String> = sema.ast[header]
            .params
            .iter()
            .map(|&param| {
                let name = sema.decl_name(param).map_or_else(String::new, |name| format!(" {name}"));
                match &sema.ast[param].kind {
                    DeclKind::TypeParam { pack, .. } => format!("typename{}{name}", if *pack { "..." } else { "" }),
                    DeclKind::TemplateParam { .. } => format!("template <…> class{name}"),
                    _ => source_of(view, layer, param).unwrap_or_else(|| format!("…{name}")),
                }
            })
            .collect();
        let _ = writeln!(text, "template <{}>", params.join(", "));
    }
    text
}

/// The tokens of a declaration on one line, for what has no better spelling.
fn source_of(view: &View<'_>, layer: &Layer<'_>, decl: DeclId) -> Option<String> {
    let place = view.full_place_of(layer, decl)?;
    let text = text_at(view, &place)?;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(text.trim_end_matches(';').to_owned())
}

fn text_at(view: &View<'_>, place: &msl_diagnostics::Place) -> Option<String> {
    let range = place.range.start as usize..place.range.end as usize;
    if let Some(name) = place.path.strip_prefix('<').and_then(|path| path.strip_suffix('>')) {
        let header = msl_builtins::headers().map(msl_builtins::HeaderId::header).find(|header| header.name == name)?;
        return header.text.get(range).map(str::to_owned);
    }
    let text = view.text(&place.path)?;
    Some(String::from_utf8_lossy(text.get(range)?).into_owned())
}

/// The attributes of a parameter, field or variable, as they are written.
fn attributes(view: &View<'_>, layer: &Layer<'_>, sema: &Sema<'_>, decl: DeclId) -> Vec<String> {
    let data = &sema.ast[decl];
    if !matches!(data.kind, DeclKind::Variable(_)) || view.is_library(decl) {
        return Vec::new();
    }
    data.attrs
        .iter()
        .filter(|&&attr| sema.ast[attr].syntax == AttrSyntax::Brackets)
        .filter_map(|&attr| {
            let (place, _) = view.places.place(layer.body, sema.ast[attr].range)?;
            Some(format!("[[{}]]", text_at(view, &place)?))
        })
        .collect()
}

fn variable_type(layer: &Layer<'_>, sema: &Sema<'_>, item: DeclRef) -> QualTy {
    layer.facts.variables.get(&item.decl).copied().unwrap_or_else(|| sema.variable_type(item))
}

fn address_space(layer: &Layer<'_>, sema: &Sema<'_>, item: DeclRef) -> Option<String> {
    let DeclKind::Variable(variable) = &sema.ast[item.decl].kind else { return None };
    if variable.kind == VariableKind::TemplateValue {
        return None;
    }
    let ty = variable_type(layer, sema, item);
    let code = |space: Space| format!("`{}`", space.word());
    match sema.kind(ty.ty) {
        TyKind::Pointer(inner) | TyKind::LRef(inner) | TyKind::RRef(inner) => {
            let what = if matches!(sema.kind(ty.ty), TyKind::Pointer(_)) { "points to" } else { "refers to" };
            match inner.space {
                Space::None | Space::Unknown => None,
                Space::Generic => Some(format!("{what} {GENERIC}")),
                space => Some(format!("{what} {} memory, as declared · resolution: concrete", code(space))),
            }
        }
        TyKind::Unknown | TyKind::Invalid | TyKind::Dependent => None,
        _ => match sema.storage(item.decl, ty) {
            Space::None | Space::Unknown | Space::Generic => None,
            space => Some(format!("lives in {} memory", code(space))),
        },
    }
}

/// The template that a function is an instance of.
fn template(view: &View<'_>, layer: &Layer<'_>, sema: &Sema<'_>, item: DeclRef) -> Option<String> {
    if item.bind == BindId::NONE || !matches!(sema.ast[item.decl].kind, DeclKind::Function(_)) {
        return None;
    }
    let header = template_header(view, layer, sema, item.decl);
    if header.is_empty() {
        return None;
    }
    let pattern = sema.spell_function(DeclRef { decl: item.decl, bind: BindId::NONE });
    Some(format!("from `{} {pattern}`", header.trim_end().replace('\n', " ")))
}

/// What flow says about a name, and about the innermost access that it is the pointer of.
struct Inferred {
    spaces: Vec<&'static str>,
    resolution: Option<Resolution>,
    limit: Option<&'static str>,
    is_called: bool,
    origins: Vec<Related>,
}

impl Inferred {
    fn tell(self, hover: &mut Hover) {
        let Some(address_space) = &mut hover.address_space else { return };
        if let Some(limit) = self.limit {
            let _ = write!(address_space, " · not inferred: {limit}");
            return;
        }
        if !self.is_called {
            address_space.push_str(" · inferred: anything, since the function is not called here");
            return;
        }
        if self.spaces.is_empty() {
            address_space.push_str(" · inferred: nothing reaches this");
            return;
        }
        let spelled: Vec<String> = self.spaces.iter().map(|space| format!("`{space}`")).collect();
        let _ = write!(address_space, " · inferred: {}", spelled.join(" or "));
        if let Some(resolution) = self.resolution {
            let cost = match resolution {
                Resolution::Static => "one space in every call: no cost",
                Resolution::PerCall => "one space in each call: costs code size only",
                Resolution::Runtime => "a branch on the address at run time",
            };
            let _ = write!(address_space, " · resolution: {} ({cost})", resolution.as_str());
        }
        if let Some(declaration) = hover.declarations.first_mut() {
            let _ = write!(declaration, "  // {}", self.spaces.join(" | "));
        }
        hover.origins = self.origins;
    }
}

/// What flow says about the generic pointer that a token names: in a body where it is used, or as a parameter.
fn inferred(view: &View<'_>, layer: &Layer<'_>, token: u32, item: Option<DeclId>) -> Option<Inferred> {
    let facts = FlowFacts::of(view.db, view.unit);
    let function = match (layer.function, item) {
        (Some(function), _) => function,
        (None, Some(param)) => function_of_parameter(view, param)?,
        (None, None) => return None,
    };
    let accesses = facts.accesses(|decl| decl == function);
    let innermost = accesses
        .iter()
        .filter(|access| layer.function.is_some() && access.range.start <= token && token < access.range.end)
        .min_by_key(|access| access.range.end - access.range.start);
    let fact = match layer.function {
        Some(_) => facts.mention(function, token).or_else(|| item.and_then(|item| facts.variable(function, item))),
        None => item.and_then(|item| facts.variable(function, item)),
    };
    let own = fact.as_ref().or(innermost.map(|access| &access.fact))?;
    Some(Inferred {
        spaces: own.verdict.inferred.words(),
        resolution: innermost.and_then(|access| access.fact.verdict.resolution),
        limit: own.verdict.limit,
        is_called: facts.is_called(own),
        origins: facts.origins(own),
    })
}

/// The function that a parameter of the unit's declarations belongs to, if its body is here.
fn function_of_parameter(view: &View<'_>, param: DeclId) -> Option<DeclId> {
    let ast = &view.tree.ast;
    let is_param = |function: DeclId| match &ast[function].kind {
        DeclKind::Function(of) => match &ast[of.ty].kind {
            TypeKind::Function(written) => written.params.contains(&param),
            _ => false,
        },
        _ => false,
    };
    view.tree.functions.iter().map(|of| of.function).find(|&function| is_param(function))
}

/// Of a member function that does not annotate its object: what `this` is, and what it becomes.
fn this_of_member(view: &View<'_>, sema: &Sema<'_>, item: DeclRef, hover: &mut Hover) {
    let DeclKind::Function(_) = &sema.ast[item.decl].kind else { return };
    if view.is_library(item.decl) {
        return;
    }
    let Some(this) = sema.signature(item).this.filter(|this| !this.annotated) else { return };
    if this.space != Space::Generic {
        hover.address_space = Some(UNANNOTATED_THIS.to_owned());
        return;
    }
    hover.address_space = Some(format!("`this` points to {GENERIC}"));
    let facts = FlowFacts::of(view.db, view.unit);
    if let Some(fact) = facts.this(item.decl) {
        let inferred = Inferred {
            spaces: fact.verdict.inferred.words(),
            resolution: None,
            limit: fact.verdict.limit,
            is_called: facts.is_called(&fact),
            origins: facts.origins(&fact),
        };
        inferred.tell(hover);
    }
}

/// What links a visible function, or what a table of them is for (MSL spec §2.15, §5.1.4).
fn link_note(view: &View<'_>, layer: &Layer<'_>, sema: &Sema<'_>, item: DeclRef) -> Option<String> {
    if view.is_library(item.decl) {
        return None;
    }
    match &sema.ast[item.decl].kind {
        DeclKind::Function(_) => {
            let is_visible =
                |decl: DeclId| sema.ast[decl].attrs.iter().any(|&attr| sema.ast[attr].name.as_str() == "visible");
            same_entity(sema, item.decl).into_iter().any(is_visible).then(|| {
                "visible: a pipeline that calls it needs it among its linked functions, unless both are compiled into one \
                 library"
                    .to_owned()
            })
        }
        DeclKind::Variable(variable) => {
            let signature = sema.table_signature(variable_type(layer, sema, item))?;
            let name = sema.decl_name(item.decl)?;
            let mut text = format!(
                "table of `{}`: `{name}[i]` is a pointer to a function, null where the host set none; `{name}.size()`, \
                 `{name}.empty()`, `is_null_visible_function_table({name})`",
                sema.spell_signature(&signature)
            );
            if variable.kind == VariableKind::Field {
                text.push_str(
                    "\n\nin an argument buffer: binding that buffer does not make the table resident, the host calls \
                     `useResource` for it",
                );
            }
            Some(text)
        }
        _ => None,
    }
}

/// What there is to say about the choice of an overload.
fn overloads(view: &View<'_>, sema: &Sema<'_>, item: DeclRef) -> Option<String> {
    let DeclKind::Function(function) = &sema.ast[item.decl].kind else { return None };
    let name = function.name.ident()?;
    let own = same_entity(sema, item.decl);
    let mut others: Vec<DeclId> = Vec::new();
    let mut scope = Some(sema.declared_in(item.decl));
    while let Some(id) = scope {
        for &other in sema.ast[id].get(name) {
            let exists = !view.is_library(other) || view.env.library.exists_in(other, view.env.version);
            let is_function = matches!(sema.ast[other].kind, DeclKind::Function(_));
            if is_function && exists && !own.contains(&other) && !others.contains(&other) {
                others.push(other);
            }
        }
        scope = sema.ast[id].extends;
    }
    match others.len() {
        0 => None,
        1 => Some("one other overload".to_owned()),
        count => Some(format!("{count} other overloads")),
    }
}

/// The documentation of a declaration: the library's own, or the comment above what the user wrote.
pub(crate) fn documentation(view: &View<'_>, layer: &Layer<'_>, sema: &Sema<'_>, decl: DeclId) -> Option<String> {
    if view.is_library(decl) {
        let library = view.env.library;
        let mut text = library.documentation(decl).unwrap_or_default();
        if let Some(header) = library.header(decl) {
            let since = library.since(decl);
            // How old a framework's header is, is a matter of the system, not of the language.
            let is_told = header.header().visibility != Visibility::Framework || !since.is_always();
            let since = if is_told { format!(" · since Metal {since}") } else { String::new() };
            let _ = write!(text, "\n\n`<{}>`{since}", header.header().name);
        }
        return Some(text.trim().to_owned());
    }
    // A parameter is described in the comment of its function.
    if let DeclKind::Variable(variable) = &sema.ast[decl].kind
        && variable.kind == VariableKind::Param
    {
        let function = sema.ast[sema.ast[decl].scope].owner?;
        let name = variable.name.ident()?;
        return comments::of_parameter(&raw_comment(view, layer, sema, function)?, name.as_str());
    }
    raw_comment(view, layer, sema, decl).map(|raw| comments::as_markdown(&raw))
}

/// The comment that a declaration has in the source, without its delimiters.
fn raw_comment(view: &View<'_>, layer: &Layer<'_>, sema: &Sema<'_>, decl: DeclId) -> Option<String> {
    same_entity(sema, decl).into_iter().find_map(|decl| {
        let place = view.full_place_of(layer, decl)?;
        let text = view.text(&place.path)?;
        let data = &sema.ast[decl];
        let is_listed = match &data.kind {
            DeclKind::Variable(variable) => matches!(variable.kind, VariableKind::Field | VariableKind::Global),
            DeclKind::Enumerator { .. } => true,
            _ => false,
        };
        let behind = || comments::behind(text, place.range.end).filter(|_| is_listed);
        comments::documentation(text, place.range.start).or_else(behind)
    })
}

fn facts(view: &View<'_>, layer: &Layer<'_>, sema: &Sema<'_>, item: DeclRef) -> Vec<String> {
    let mut facts = Vec::new();
    let data = &sema.ast[item.decl];
    let size_of = |ty: Ty| {
        let (size, align) = sema.layout(ty)?;
        Some(format!("size {size}, alignment {align} bytes"))
    };
    match &data.kind {
        DeclKind::Record(_) if data.templates.is_empty() => {
            facts.extend(size_of(sema.record_self(item.decl, item.bind)));
        }
        DeclKind::Enum(_) => facts.extend(size_of(sema.enum_type(item.decl, item.bind))),
        DeclKind::TypeAlias { .. } if data.templates.is_empty() => facts.extend(size_of(sema.alias_type(item).ty)),
        DeclKind::Variable(variable) => {
            let ty = variable_type(layer, sema, item);
            if variable.kind == VariableKind::Field
                && !view.is_library(item.decl)
                && !data.specs.contains(Specs::STATIC)
            {
                facts.extend(size_of(ty.ty));
            }
            let is_constant = data.specs.contains(Specs::CONSTEXPR) || ty.is_const() || ty.space == Space::Constant;
            if is_constant
                && !matches!(variable.init, Init::None)
                && let msl_ty::consteval::Value::Known(value) = sema.variable_value(item)
            {
                facts.push(format!("value `{}`", sema.spell_const(value, ty.ty)));
            }
        }
        _ => {}
    }
    for &attr in &data.attrs {
        if let Some(info) = attribute(sema.ast[attr].name.as_str())
            && matches!(data.kind, DeclKind::Variable(_))
        {
            facts.push(format!("`{}`: {}", info.name, info.doc));
        }
    }
    facts
}

fn of_macro(view: &View<'_>, used: &MacroUse) -> Hover {
    let definition = &used.definition;
    let mut hover = Hover { range: used.range, ..Hover::default() };
    hover.declarations.push(cut(spell_macro(definition)));
    if let Some(library) = Library::get().macro_info(definition.name)
        && msl_builtins::HeaderId::from_file(definition.file).is_some()
    {
        hover.documentation = library.documentation;
    } else if let Some(path) = view.db.shared().path(definition.file)
        && let Some(text) = view.text(path)
    {
        hover.documentation = comments::documentation(text, definition.range.start);
    }
    if let Some(expansion) = used.expansion {
        let tokens = view.preprocessed.tokens_of_expansion(expansion.site);
        let mut text = String::new();
        for token in view.preprocessed.tokens.get(tokens).unwrap_or_default() {
            if !text.is_empty()
                && (token.flags.has(TokenFlags::SPACE_BEFORE) || token.flags.has(TokenFlags::LINE_START))
            {
                text.push(' ');
            }
            text.push_str(token.text());
            if text.len() > MAX_CODE {
                break;
            }
        }
        if !text.is_empty() && definition.kind != MacroKind::Object || definition.body.len() > 1 {
            hover.facts.push(format!("Expands to:\n\n```metal\n{}\n```", cut(text)));
        }
    }
    hover
}

fn spell_macro(definition: &MacroDef) -> String {
    let mut text = format!("#define {}", definition.name);
    if definition.kind == MacroKind::Function {
        let names: Vec<&str> = definition.parameters.iter().map(|name| name.as_str()).collect();
        let _ = write!(text, "({})", names.join(", ").replace("__VA_ARGS__", "..."));
    }
    for (index, token) in definition.body.iter().enumerate() {
        if index == 0 || token.flags.has(TokenFlags::SPACE_BEFORE) {
            text.push(' ');
        }
        text.push_str(token.text());
    }
    text
}

/// An attribute's own documentation.
fn of_attribute(view: &View<'_>, path: &Arc<str>, offset: u32) -> Option<Hover> {
    let spot = *view.spots_at(path, offset).first()?;
    let token = &view.preprocessed.tokens[spot.expanded];
    let info = attribute(token.text())?;
    let layer = view.layer(spot)?;
    let ast = layer.ast();
    let is_it = |attr: &AttrId| ast[*attr].name_token == spot.token;
    let stands_here = ast.own_decls().any(|(_, decl)| decl.attrs.iter().any(is_it))
        || ast.own_stmts().any(|(_, stmt)| stmt.attrs.iter().any(is_it));
    if !stands_here {
        return None;
    }
    let arguments = attributes::spell_arguments(info.args);
    // Of what was always there nothing needs to be said.
    let since = info.since();
    let facts = if since == Since::ALWAYS { Vec::new() } else { vec![format!("since Metal {since}")] };
    Some(Hover {
        range: spot.range,
        declarations: vec![format!("[[{}{arguments}]]", info.name)],
        documentation: Some(info.doc.to_owned()),
        facts,
        ..Hover::default()
    })
}
