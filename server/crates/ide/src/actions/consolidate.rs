//! Overloads that differ only in address spaces become one generic function (Metal 4.1).
//!
//! The first overload is kept and loses the address spaces that vary; the others go, with their forward declarations.
//! Comments above them go too if they say the same, else they join the comment of the function that is kept.

use msl_builtins::attributes::{Role, attribute};
use msl_diagnostics::{Code, Diagnostic, Place, Related, Severity, TextEdit, TextRange};
use msl_parser::ast::*;
use msl_ty::{
    DeclRef,
    store::{BindId, Space, TyKind},
};
use rustc_hash::FxHashSet;

use super::{
    edits::{EditBuilder, line_start, whole_lines},
    overloads::{Family, Form, Overload, OverloadGroup, Slot, SlotRole, form, groups, pointee_spaces},
    verify::{Replacement, Verifier},
};
use crate::{
    analysis::{Analysis, UnitRequest},
    comments,
    view::View,
};

/// A family of overloads of a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct OverloadFamily {
    /// The name, and how many overloads one generic function would replace.
    pub name: String,
    pub count: usize,
    /// How many pointers and references vary, `this` included, and in how many address spaces.
    pub pointers: usize,
    pub spaces: usize,
    /// The names of the overloads, in all their declarations; the first is that of the one that is kept.
    pub names: Vec<Place>,
    /// Names of other overloads of the same shape that stay, and why.
    pub staying: Vec<(Place, String)>,
    /// The edits, or why the overloads cannot become one.
    pub edits: Result<Vec<TextEdit>, String>,
    /// What becomes of the calls.
    pub replacement: Replacement,
    /// What the author should look at afterwards.
    pub notes: Vec<String>,
}

impl OverloadFamily {
    /// How many overloads there are for how many pointers and spaces: with K spaces, N pointers make K to the power of N.
    pub fn arithmetic(&self) -> String {
        let combinations = self.spaces.checked_pow(self.pointers as u32).unwrap_or(usize::MAX);
        let pointers = match self.pointers {
            1 => format!("1 pointer in {} spaces", self.spaces),
            several => format!("{several} pointers in {} spaces each", self.spaces),
        };
        match self.count == combinations {
            true => format!("{pointers}: {combinations}"),
            false => format!("{pointers}: {} of {combinations}", self.count),
        }
    }
}

/// How thorough the search for families is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The overloads alone are looked at.
    Declarations,
    /// The unit is checked with the edits made: calls must stay what they are.
    Calls,
}

impl Analysis {
    /// The families of overloads of a unit. `wanted` limits the search to families with a name that it accepts.
    pub fn overload_families(
        &self,
        request: &UnitRequest,
        depth: Depth,
        wanted: &dyn Fn(&Place) -> bool,
    ) -> Vec<OverloadFamily> {
        self.families_with(request, depth, wanted, &mut Verifier::new(self, request))
    }

    /// See [`Analysis::overload_families`].
    pub(crate) fn families_with(
        &self,
        request: &UnitRequest,
        depth: Depth,
        wanted: &dyn Fn(&Place) -> bool,
        verifier: &mut Verifier<'_>,
    ) -> Vec<OverloadFamily> {
        let view = View::new(self, request);
        let mut found = Vec::new();
        for group in groups(&self.db, view.unit) {
            let (families, left) = group.families();
            let names = |index: usize| name_places(&view, &group, index);
            let staying: Vec<(Place, String)> = left
                .iter()
                .flat_map(|(index, reason)| names(*index).into_iter().map(|it| (it, reason.clone())))
                .collect();
            for family in families {
                let places: Vec<Place> = family.members.iter().flat_map(|&member| names(member)).collect();
                if !places.iter().any(wanted) {
                    continue;
                }
                let mut built = build(&view, &group, &family);
                built.names = places;
                built.staying = staying.clone();
                built.replacement = Replacement {
                    old: built.names.iter().cloned().collect(),
                    new: names(family.members[0]).into_iter().collect(),
                };
                if request.std.version.has_generic_pointers() {
                    if depth == Depth::Calls
                        && let Ok(edits) = &built.edits
                    {
                        let verdict = verifier.verify(edits, &built.replacement);
                        built.edits = verdict.map(|()| edits.clone());
                    }
                } else {
                    built.edits =
                        Err("generic functions need Metal 4.1: change the version of the build first".to_owned());
                }
                found.push(built);
            }
            // Overloads of one shape that are no family: only whoever asks for one wants to know.
            for (place, reason) in staying.iter().filter(|(place, _)| wanted(place)) {
                if depth == Depth::Calls {
                    found.push(OverloadFamily {
                        name: group.name.clone(),
                        count: 0,
                        pointers: 0,
                        spaces: 0,
                        names: vec![place.clone()],
                        staying: Vec::new(),
                        edits: Err(reason.clone()),
                        replacement: Replacement::default(),
                        notes: Vec::new(),
                    });
                }
            }
        }
        found
    }

    /// The hints about families of overloads.
    pub(crate) fn family_findings(&self, request: &UnitRequest) -> Vec<Diagnostic> {
        if !request.std.version.has_generic_pointers() {
            return Vec::new();
        }
        let families = self.overload_families(request, Depth::Declarations, &|_| true);
        families.iter().filter(|family| family.edits.is_ok()).filter_map(finding).collect()
    }
}

/// The hint about a family.
pub(crate) fn finding(family: &OverloadFamily) -> Option<Diagnostic> {
    let place = family.names.first()?.clone();
    let staying = match family.staying.len() {
        0 => String::new(),
        1 => "; one more overload stays".to_owned(),
        more => format!("; {more} more overloads stay"),
    };
    let message = format!(
        "{} overloads of `{}` differ only in address spaces: one generic function does what they do ({}){staying}",
        family.count,
        family.name,
        family.arithmetic()
    );
    let mut finding = Diagnostic::new(Code::ConsolidatableOverloads, Severity::Hint, place, message);
    for name in family.names.iter().skip(1) {
        finding.related.push(Related { place: name.clone(), message: "this one too".to_owned() });
    }
    for (name, reason) in &family.staying {
        finding.related.push(Related { place: name.clone(), message: format!("this one stays: {reason}") });
    }
    Some(finding)
}

fn name_places(view: &View<'_>, group: &OverloadGroup, index: usize) -> Vec<Place> {
    let layer = view.declarations();
    group.overloads[index].decls.iter().filter_map(|&decl| view.place_of(&layer, decl)).collect()
}

fn build(view: &View<'_>, group: &OverloadGroup, family: &Family) -> OverloadFamily {
    let mut builder = EditBuilder::new(view.db, view.unit);
    let mut notes = Vec::new();
    let kept = &group.overloads[family.members[0]];
    if let Some(reason) = template_refusal(view, kept, family) {
        builder.refuse(reason);
    }
    if family.members.iter().any(|&member| is_called_from_outside(&view.env.ast, group.overloads[member].decl)) {
        builder.refuse("it can be called from outside of this program");
    }
    remove_spaces(&mut builder, view, &kept.form, kept.decl, &kept.decls, &family.generic);
    let mut comments = KeptComments::of(&builder, view.env.ast[kept.decl].range);
    for &member in &family.members[1..] {
        for &decl in &group.overloads[member].decls {
            remove_declaration(&mut builder, view.env.ast[decl].range, comments.as_mut());
        }
    }
    if let Some(comments) = comments {
        let spaces: FxHashSet<&str> = family
            .members
            .iter()
            .flat_map(|&member| family.generic.iter().map(move |&slot| (member, slot)))
            .map(|(member, slot)| group.overloads[member].form.slots[slot].space.word())
            .collect();
        notes.extend(comments.finish(&mut builder, &spaces));
    }
    let of_parameters: Vec<usize> =
        family.generic.iter().copied().filter(|&slot| kept.form.slots[slot].role == SlotRole::Parameter).collect();
    let spaces: FxHashSet<Space> = family
        .members
        .iter()
        .flat_map(|&member| of_parameters.iter().map(move |&slot| (member, slot)))
        .map(|(member, slot)| group.overloads[member].form.slots[slot].space)
        .collect();
    OverloadFamily {
        name: group.name.clone(),
        count: family.members.len(),
        pointers: of_parameters.len(),
        spaces: spaces.len(),
        names: Vec::new(),
        staying: Vec::new(),
        edits: builder.finish(),
        replacement: Replacement::default(),
        notes,
    }
}

/// Whether an attribute makes a function an entry point, or something that the host or another program calls.
pub(super) fn is_called_from_outside(ast: &Ast, decl: DeclId) -> bool {
    let is_qualifier =
        |attr: &AttrId| attribute(ast[*attr].name.as_str()).is_some_and(|it| it.has_role(Role::Qualifier));
    ast[decl].attrs.iter().any(is_qualifier)
}

/// Why templates cannot become one.
///
/// Where a parameter is `T *` or `T &`, what `T` stands for has the address space in it (rule G44): without a word for
/// the space there would be an instance for each, in which every other use of `T` means something else.
fn template_refusal(view: &View<'_>, kept: &Overload, family: &Family) -> Option<&'static str> {
    let ast = &view.env.ast;
    let own = kept.decls.iter().map(|&decl| ast[decl].templates.len()).min().unwrap_or_default();
    if own == 0 {
        return None;
    }
    let DeclKind::Function(function) = &ast[kept.decl].kind else { return None };
    let of_name = |data: &Decl| match &data.kind {
        DeclKind::Function(other) => {
            other.name == function.name && (other.name_args.is_some() || data.specs.contains(Specs::INSTANTIATION))
        }
        _ => false,
    };
    if ast.own_decls().any(|(_, data)| of_name(data)) {
        return Some("a template of this name is instantiated or specialised explicitly");
    }
    let headers = &ast[kept.decl].templates;
    let deduced: FxHashSet<DeclId> = headers[headers.len().saturating_sub(own)..]
        .iter()
        .flat_map(|&header| ast[header].params.iter().copied())
        .collect();
    let layer = view.declarations();
    let sema = layer.sema(view.env);
    let signature = sema.signature(DeclRef { decl: kept.decl, bind: BindId::NONE });
    let TypeKind::Function(written) = &ast[function.ty].kind else { return None };
    for (&param, declared) in written.params.iter().zip(&signature.params) {
        let DeclKind::Variable(variable) = &ast[param].kind else { continue };
        let tokens = pointee_spaces(ast, variable.ty);
        let varies =
            |&slot: &usize| kept.form.slots[slot].token.is_some_and(|it| tokens.iter().any(|(_, at)| *at == it));
        if !family.generic.iter().any(varies) {
            continue;
        }
        let (TyKind::Pointer(inner) | TyKind::LRef(inner) | TyKind::RRef(inner)) = sema.kind(declared.ty.ty) else {
            continue;
        };
        let mut pointee = inner.ty;
        while let TyKind::Array(element, _) = sema.kind(pointee) {
            pointee = element.ty;
        }
        if matches!(sema.kind(pointee), TyKind::Param(param) if deduced.contains(param)) {
            return Some("a template parameter would take the address space over");
        }
    }
    None
}

/// Takes the words of slots of a definition out, in all its declarations.
pub(super) fn remove_spaces(
    builder: &mut EditBuilder<'_>,
    view: &View<'_>,
    written: &Form,
    definition: DeclId,
    decls: &[DeclId],
    slots: &[usize],
) {
    for &slot in slots {
        if let Slot { body, token: Some(token), .. } = written.slots[slot] {
            builder.remove_word(body, token);
        }
    }
    let own_slots = declared_slots(written);
    for &decl in decls.iter().filter(|&&decl| decl != definition) {
        let declared = form(view.db, view.unit, view.env, decl);
        let of_declaration = declared_slots(&declared);
        if of_declaration.len() != own_slots.len() {
            builder.refuse("a declaration of it spells its address spaces in another way");
            continue;
        }
        for (slot, own) in of_declaration.iter().zip(&own_slots) {
            if slots.contains(own)
                && let Some(token) = declared.slots[*slot].token
            {
                builder.remove_word(None, token);
            }
        }
    }
}

/// The slots of a declaration, its body left out, by index.
fn declared_slots(form: &Form) -> Vec<usize> {
    let of_body = |slot: &usize| matches!(form.slots[*slot].role, SlotRole::Body | SlotRole::Storage);
    (0..form.slots.len()).filter(|slot| !of_body(slot)).collect()
}

/// Takes a declaration out, with its lines, a blank line and its comment.
fn remove_declaration(builder: &mut EditBuilder<'_>, tokens: TokenRange, comments: Option<&mut KeptComments>) {
    let Some(place) = builder.place(None, tokens) else {
        return builder.refuse("one of the overloads stands in the definition of a macro");
    };
    let text = builder.text(&place.path);
    let mut range = with_semicolon(&text, place.range);
    range = whole_lines(&text, range);
    if let Some(comment) = comments::range_above(&text, range.start) {
        if let Some(comments) = comments {
            comments.add(&String::from_utf8_lossy(&text[comment.start as usize..comment.end as usize]));
        }
        range.start = comment.start;
    }
    // Of the blank lines around it one stays.
    let is_blank = |from: usize| {
        let line = text[from..].split(|&byte| byte == b'\n').next().unwrap_or_default();
        from < text.len() && line.trim_ascii().is_empty()
    };
    let before = line_start(&text, range.start as usize);
    let has_blank_before =
        before == range.start as usize && (before == 0 || is_blank(line_start(&text, before.saturating_sub(1))));
    let end = range.end as usize;
    if has_blank_before && is_blank(end) {
        range.end =
            (end + text[end..].iter().position(|&byte| byte == b'\n').map_or(text.len() - end, |at| at + 1)) as u32;
    } else if has_blank_before && before > 0 && matches!(text[end..].trim_ascii_start().first(), None | Some(b'}')) {
        range.start = line_start(&text, before - 1) as u32;
    }
    builder.replace_text(Place { range, ..place }, "");
}

/// With the `;` that some write behind a definition.
fn with_semicolon(text: &[u8], range: TextRange) -> TextRange {
    let behind = &text[range.end as usize..];
    let blanks = behind.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    match behind.get(blanks) {
        Some(b';') => TextRange::new(range.start, range.end + blanks as u32 + 1),
        _ => range,
    }
}

/// The comment above the function that is kept, and what joins it.
struct KeptComments {
    at: Place,
    own: String,
    added: Vec<String>,
}

impl KeptComments {
    fn of(builder: &EditBuilder<'_>, tokens: TokenRange) -> Option<KeptComments> {
        let place = builder.place(None, tokens)?;
        let text = builder.text(&place.path);
        let start = line_start(&text, place.range.start as usize) as u32;
        let own = comments::range_above(&text, start)
            .map(|range| String::from_utf8_lossy(&text[range.start as usize..range.end as usize]).into_owned());
        let at = Place { range: TextRange::new(start, start), ..place };
        Some(KeptComments { at, own: own.unwrap_or_default(), added: Vec::new() })
    }

    fn add(&mut self, comment: &str) {
        let known = std::iter::once(&self.own).chain(&self.added);
        if !known.into_iter().any(|known| without_spaces(known) == without_spaces(comment)) {
            self.added.push(comment.to_owned());
        }
    }

    /// Adds what joins; gives what the author should look at.
    fn finish(self, builder: &mut EditBuilder<'_>, spaces: &FxHashSet<&str>) -> Option<String> {
        let joined: String = self.added.concat();
        if !joined.is_empty() {
            builder.replace_text(self.at, &joined);
        }
        let mentions = |word: &&&str| words(&self.own).chain(words(&joined)).any(|other| other == **word);
        let mut mentioned: Vec<&str> = spaces.iter().filter(mentions).copied().collect();
        mentioned.sort_unstable();
        (!mentioned.is_empty()).then(|| format!("its comment speaks of {} memory", mentioned.join(" and ")))
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// A comment's words, with one for all address spaces.
fn without_spaces(comment: &str) -> Vec<&str> {
    words(comment)
        .map(|word| if matches!(word, "thread" | "device" | "threadgroup") { "thread" } else { word })
        .collect()
}
