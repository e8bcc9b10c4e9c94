//! Overloads that differ only in address spaces become one generic function (Metal 4.1).
//!
//! The first overload is kept and loses the address spaces that vary; the others go, with their forward declarations.
//! Comments above them go too if they say the same, else they join the comment of the function that is kept.

use msl_diagnostics::{Code, Diagnostic, Place, Related, Severity, TextEdit, TextRange};
use msl_parser::ast::TokenRange;
use rustc_hash::FxHashSet;

use super::{
    edits::{EditBuilder, line_start, whole_lines},
    overloads::{Family, Form, OverloadGroup, Slot, SlotRole, form, groups},
    verify::Replacement,
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
                        let verdict = self.verify(request, edits, &built.replacement);
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
        "{} overloads of `{}` differ only in address spaces: one generic function does what they do{staying}",
        family.count, family.name
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
    let is_template = !view.env.ast[kept.decl].templates.is_empty();
    if is_template {
        builder.refuse("a template parameter could take the address space over, so templates are left as they are");
    }
    let has_role =
        |attr: &str| matches!(attr, "visible" | "stitchable" | "intersection" | "kernel" | "vertex" | "fragment");
    for &member in &family.members {
        let attrs = &view.env.ast[group.overloads[member].decl].attrs;
        if attrs.iter().any(|&attr| has_role(view.env.ast[attr].name.as_str())) {
            builder.refuse("it can be called from outside of this program");
        }
    }
    for &slot in &family.generic {
        if let Slot { body, token: Some(token), .. } = kept.form.slots[slot] {
            builder.remove_word(body, token);
        }
    }
    let own_slots = declared_slots(&kept.form);
    for &decl in kept.decls.iter().filter(|&&decl| decl != kept.decl) {
        let declared = form(view.db, view.unit, view.env, decl);
        let slots = declared_slots(&declared);
        if slots.len() != own_slots.len() {
            builder.refuse("a declaration of it spells its address spaces in another way");
            continue;
        }
        for (slot, own) in slots.iter().zip(&own_slots) {
            if family.generic.contains(own)
                && let Some(token) = declared.slots[*slot].token
            {
                builder.remove_word(None, token);
            }
        }
    }
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
    OverloadFamily {
        name: group.name.clone(),
        count: family.members.len(),
        names: Vec::new(),
        staying: Vec::new(),
        edits: builder.finish(),
        replacement: Replacement::default(),
        notes,
    }
}

/// The slots of a declaration, its body left out, by index.
fn declared_slots(form: &Form) -> Vec<usize> {
    (0..form.slots.len()).filter(|&slot| form.slots[slot].role != SlotRole::Body).collect()
}

/// Takes a declaration out, with its lines, a blank line and its comment.
fn remove_declaration(builder: &mut EditBuilder<'_>, tokens: TokenRange, comments: Option<&mut KeptComments>) {
    let Some(place) = builder.place(None, tokens) else {
        return builder.refuse("one of the overloads stands in the definition of a macro");
    };
    let text = builder.text(&place.path);
    let mut range = whole_lines(&text, place.range);
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
    } else if has_blank_before && before > 0 && text[end..].trim_ascii().is_empty() {
        range.start = line_start(&text, before - 1) as u32;
    }
    builder.replace_text(Place { range, ..place }, "");
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
