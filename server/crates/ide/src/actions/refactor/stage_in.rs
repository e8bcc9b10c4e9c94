//! What the stages of a render pipeline hand over: structures for `[[stage_in]]` (MSL spec §5.2.4).
//!
//! A vertex function's parameters with `[[attribute(n)]]` become the members of a structure, and a fragment function
//! takes the structure that a vertex function of the unit returns.

use std::sync::Arc;

use msl_diagnostics::{Place, TextEdit, TextRange};
use msl_parser::ast::*;
use msl_ty::{
    DeclRef, Sema,
    decls::Stage,
    store::{BindId, TyKind},
};

use super::{Built, names, text::Written};
use crate::{
    actions::{edits::line_start, offers::ActionKind},
    comments,
    view::{Layer, View},
};

const GATHER: &str = "gather-stage-in";
const TAKE: &str = "take-stage-in";

/// What is offered on the declaration of an entry point, outside of its body.
pub(super) fn build(view: &View<'_>, path: &Arc<str>, range: TextRange) -> Option<Built> {
    let spot = view.spots_at(path, range.start).into_iter().next().filter(|spot| spot.body.is_none())?;
    let layer = view.declarations();
    let sema = layer.sema(view.env);
    let ast = layer.ast();
    let (function, _) = ast.own_decls().find(|(_, data)| {
        matches!(data.kind, DeclKind::Function(_)) && data.range.start <= spot.token && spot.token < data.range.end
    })?;
    let params = parameters(ast, function)?;
    if params.iter().any(|&param| has_attribute(ast, param, "stage_in")) {
        return None;
    }
    match sema.stage_of(function)? {
        Stage::Vertex => gather(view, &layer, &sema, function, &params),
        Stage::Fragment => take(view, &layer, &sema, function, &params),
        _ => None,
    }
}

fn parameters(ast: &Ast, function: DeclId) -> Option<Vec<DeclId>> {
    let DeclKind::Function(function) = &ast[function].kind else { return None };
    let TypeKind::Function(ty) = &ast[function.ty].kind else { return None };
    Some(ty.params.to_vec())
}

fn has_attribute(ast: &Ast, decl: DeclId, name: &str) -> bool {
    ast[decl].attrs.iter().any(|&attr| ast[attr].name.as_str() == name)
}

/// `vertex O v(float3 p [[attribute(0)]])` as `struct VInput { float3 p [[attribute(0)]]; }; vertex O v(VInput in [[stage_in]])`.
fn gather(view: &View<'_>, layer: &Layer<'_>, sema: &Sema<'_>, function: DeclId, params: &[DeclId]) -> Option<Built> {
    let gathered: Vec<DeclId> =
        params.iter().copied().filter(|&param| has_attribute(layer.ast(), param, "attribute")).collect();
    if gathered.is_empty() {
        return None;
    }
    const TITLE: &str = "Gather the vertex attributes in a structure";
    let edits = gathering(view, layer, sema, function, params, &gathered);
    Some(Built { id: GATHER, title: TITLE.to_owned(), kind: ActionKind::Rewrite, ways: vec![edits] })
}

fn gathering(
    view: &View<'_>,
    layer: &Layer<'_>,
    sema: &Sema<'_>,
    function: DeclId,
    params: &[DeclId],
    gathered: &[DeclId],
) -> Result<Vec<TextEdit>, String> {
    const IN_A_MACRO: &str = "the declaration comes from a macro";
    let ast = layer.ast();
    let name = sema.decl_name(function).map(|name| name.to_string()).ok_or("the function has no name")?;
    let mut first = name.chars();
    let upper: String = first.next().into_iter().flat_map(char::to_uppercase).chain(first).collect();
    let structure = names::unused_in_unit(view, &format!("{upper}Input"));
    let of_body = view.tree.functions.iter().find(|of| of.function == function).and_then(|of| view.body(of.body));
    let of_body = of_body.ok_or("the function has no body")?;
    let object = names::unused(view, &of_body, "in");

    let mut members = String::new();
    let mut kept = vec![format!("{structure} {object} [[stage_in]]")];
    let mut list: Option<TextRange> = None;
    let head = Written::of(view, layer, TokenRange::new(ast[function].range.start, ast[function].range.start + 1));
    let head = head.ok_or(IN_A_MACRO)?;
    for &param in params {
        let written = Written::of(view, layer, ast[param].range).ok_or(IN_A_MACRO)?;
        if written.place.path != head.place.path {
            return Err("its parameters stand in another file".to_owned());
        }
        if let Some(before) = list {
            let between = &head.text[before.end as usize..written.place.range.start as usize];
            if between.iter().any(|byte| !byte.is_ascii_whitespace() && *byte != b',') {
                return Err("comments stand between its parameters".to_owned());
            }
        }
        list = Some(list.map_or(written.place.range, |list| list.cover(written.place.range)));
        match gathered.contains(&param) {
            true => members.push_str(&format!("{}    {};{}", head.indent(), written.spelled(), head.newline())),
            false => kept.push(written.spelled()),
        }
    }
    let list = list.ok_or("it has no parameters")?;
    let start = line_start(&head.text, head.place.range.start as usize) as u32;
    let start = comments::range_above(&head.text, start).map_or(start, |above| above.start);
    let (indent, newline) = (head.indent(), head.newline());
    let declaration = format!("{indent}struct {structure} {{{newline}{members}{indent}}};{newline}{newline}");
    let at = |range: TextRange| Place { path: Arc::clone(&head.place.path), range };
    let mut edits = vec![
        TextEdit { place: at(TextRange::new(start, start)), new_text: declaration },
        TextEdit { place: at(list), new_text: kept.join(", ") },
    ];
    for (&token, items) in &of_body.facts.refs {
        if items.iter().any(|item| gathered.contains(&item.decl)) {
            let place = view.places.editable(of_body.body, TokenRange::new(token, token), false);
            let place = place.ok_or("a macro uses one of its parameters")?;
            edits.push(TextEdit { place, new_text: format!("{object}.") });
        }
    }
    edits.sort_by(|a, b| a.place.cmp(&b.place));
    Ok(edits)
}

/// Gives a fragment function the parameter that takes what the one vertex function of the unit returns.
fn take(view: &View<'_>, layer: &Layer<'_>, sema: &Sema<'_>, function: DeclId, params: &[DeclId]) -> Option<Built> {
    let ast = layer.ast();
    let mut given = view.tree.functions.iter().filter_map(|of| {
        let ret = sema.signature(DeclRef { decl: of.function, bind: BindId::NONE }).ret;
        let is_structure = matches!(sema.kind(ret.ty), TyKind::Record(decl, _) if !sema.is_library(*decl));
        (sema.stage_of(of.function) == Some(Stage::Vertex) && is_structure).then_some(ret)
    });
    let (Some(ret), None) = (given.next(), given.next()) else { return None };
    let title = format!("Take `{}` of the vertex function", sema.spell_ty(ret.ty));
    let of_body = view.tree.functions.iter().find(|of| of.function == function).and_then(|of| view.body(of.body))?;
    let object = names::unused(view, &of_body, "in");
    // Behind the opening parenthesis, which follows the name.
    let open = ast[function].name_token + 2;
    let place = view.places.editable(None, TokenRange::new(open, open), true);
    let separator = if params.is_empty() { "" } else { ", " };
    let new_text = format!("{} {object} [[stage_in]]{separator}", sema.spell_ty(ret.ty));
    let edits =
        place.map(|place| vec![TextEdit { place, new_text }]).ok_or("the function comes from a macro".to_owned());
    Some(Built { id: TAKE, title, kind: ActionKind::Rewrite, ways: vec![edits] })
}
