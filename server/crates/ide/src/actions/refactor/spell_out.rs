//! Writes what a short word stands for: the type of `auto`, the expansion of a macro.

use std::sync::Arc;

use msl_diagnostics::{Place, TextEdit, TextRange};
use msl_parser::ast::*;
use msl_preproc::{MacroExpansion, TokenFlags};
use msl_ty::{
    Sema,
    store::{Cv, QualTy, TyKind},
};

use super::Built;
use crate::{
    actions::offers::ActionKind,
    view::{View, macro_at},
};

const AUTO: &str = "spell-out-auto";
const MACRO: &str = "expand-macro";
/// A longer expansion is not written in place of a word.
const MAX_EXPANSION: usize = 10_000;

/// `auto x = f();` as `float3 x = f();`.
pub(super) fn build_auto(view: &View<'_>, path: &Arc<str>, range: TextRange) -> Option<Built> {
    let spot = view.spots_at(path, range.start).into_iter().next().filter(|spot| range.end <= spot.range.end)?;
    if view.preprocessed.tokens.get(spot.expanded)?.text() != "auto" {
        return None;
    }
    let layer = view.layer(spot)?;
    let ast = layer.ast();
    let (decl, written) = ast.own_decls().find_map(|(decl, data)| {
        let DeclKind::Variable(variable) = &data.kind else { return None };
        let is_deduced = matches!(variable.kind, VariableKind::Local) && !matches!(variable.init, Init::None);
        let written = Deduced::of(ast, variable.ty).filter(|written| written.token == spot.token)?;
        is_deduced.then_some((decl, written))
    })?;
    const TITLE: &str = "Spell out the type of `auto`";
    let refused = |reason: &str| Some(Built::refused(AUTO, TITLE, ActionKind::Rewrite, reason));
    // Several declarators share the word, and each could have a type of its own.
    let shares = |other: DeclId| match &ast[other].kind {
        DeclKind::Variable(variable) => {
            other != decl && Deduced::of(ast, variable.ty).is_some_and(|other| other.token == written.token)
        }
        _ => false,
    };
    if ast.own_decls().any(|(other, _)| shares(other)) {
        return refused("several variables are declared with it");
    }
    let sema = layer.sema(view.env);
    let &declared = layer.facts.variables.get(&decl)?;
    let Some(spelled) = written.spelled(&sema, declared) else {
        return refused("its type has no name here, or depends on a template parameter");
    };
    let title = format!("Replace `auto` by `{spelled}`");
    let place = view.places.editable(layer.body, TokenRange::new(spot.token, spot.token + 1), false);
    let edits = place.ok_or("a macro wrote it".to_owned()).map(|mut place| {
        let text = view.text(&place.path).and_then(|text| text.get(place.range.end as usize));
        if spelled.ends_with('*') && text == Some(&b' ') {
            place.range.end += 1;
        }
        vec![TextEdit { place, new_text: spelled }]
    });
    Some(Built { id: AUTO, title, kind: ActionKind::Rewrite, ways: vec![edits] })
}

/// What is written around `auto` in the type of a variable.
struct Deduced<'a> {
    /// Of the word.
    token: u32,
    /// The pointers and references between the variable and the word, from the outside in.
    indirections: u32,
    /// The qualifiers that stand beside the word.
    quals: Option<&'a Quals>,
}

impl<'a> Deduced<'a> {
    fn of(ast: &'a Ast, ty: TypeId) -> Option<Deduced<'a>> {
        let mut found = Deduced { token: 0, indirections: 0, quals: None };
        let mut at = ty;
        loop {
            match &ast[at].kind {
                TypeKind::Auto => {
                    found.token = ast[at].range.start;
                    return Some(found);
                }
                TypeKind::Qualified { inner, quals } => {
                    found.quals = Some(quals);
                    at = *inner;
                }
                TypeKind::Pointer(inner) | TypeKind::LRef(inner) => {
                    found.indirections += 1;
                    found.quals = None;
                    at = *inner;
                }
                // `auto &&` may be an lvalue reference, and would not be one behind a type.
                _ => return None,
            }
        }
    }

    /// The type that the word stands for in a declaration of this type; `None` if it cannot stand before a name.
    fn spelled(&self, sema: &Sema<'_>, declared: QualTy) -> Option<String> {
        let mut ty = declared;
        for _ in 0..self.indirections {
            ty = match sema.kind(ty.ty) {
                TyKind::Pointer(inner) | TyKind::LRef(inner) => *inner,
                _ => return None,
            };
        }
        let is_nameable = !sema.store().is_dependent(ty.ty)
            && matches!(
                sema.kind(ty.ty),
                TyKind::Scalar(_)
                    | TyKind::Vector(..)
                    | TyKind::Packed(..)
                    | TyKind::Matrix(..)
                    | TyKind::Enum(..)
                    | TyKind::Record(..)
                    | TyKind::Pointer(_)
            );
        if !is_nameable {
            return None;
        }
        let mut quals = String::new();
        // Qualifiers of the variable itself are written if they are there; those of what it leads to may be deduced.
        if self.indirections > 0 {
            let has = |is: fn(&Quals) -> bool| self.quals.is_some_and(is);
            if ty.space.is_named() && !has(|quals| !quals.spaces.is_empty()) {
                quals.push_str(ty.space.word());
                quals.push(' ');
            }
            if ty.cv.contains(Cv::CONST) && ty.space.word() != "constant" && !has(|quals| quals.is_const) {
                quals.push_str("const ");
            }
            if ty.cv.contains(Cv::VOLATILE) && !has(|quals| quals.is_volatile) {
                quals.push_str("volatile ");
            }
        }
        let spelled = sema.spell_ty(ty.ty);
        // What nobody can write, such as the type of something without a name.
        let is_written = !spelled.contains(['(', '…', '[']) && !spelled.contains("unknown");
        is_written.then(|| format!("{quals}{spelled}"))
    }
}

/// A use of a macro as the tokens that it became.
pub(super) fn build_macro(view: &View<'_>, path: &Arc<str>, range: TextRange) -> Option<Built> {
    let used = macro_at(view, path, range.start).filter(|used| range.end <= used.range.end)?;
    let expansion = used.expansion?;
    let map = &view.preprocessed.map;
    let file = view.file(path)?;
    // An argument of another macro is not a place of its own.
    let is_around = |other: &MacroExpansion| {
        let (start, end) = (map.spelled_range(other.call_site), map.spelled_range(other.call_end));
        map.is_in_file(other.call_site)
            && (start.0, end.0) == (file, file)
            && start.1.start < used.range.start
            && used.range.end <= end.1.end
    };
    if expansion.site != expansion.call_site || map.expansions().iter().any(is_around) {
        return None;
    }
    let title = format!("Expand the macro `{}`", used.definition.name);
    let tokens = view.preprocessed.tokens_of_expansion(expansion.site);
    let (_, mut whole) = map.expansion_range(expansion.site);
    let of_tokens = view.preprocessed.origins.get(tokens.clone()).unwrap_or_default();
    let end =
        of_tokens.iter().map(|&origin| map.expansion_range(origin)).chain([map.spelled_range(expansion.call_end)]);
    for (other, range) in end {
        if other != file {
            return None;
        }
        whole.end = whole.end.max(range.end);
    }
    let mut text = String::new();
    for token in view.preprocessed.tokens.get(tokens).unwrap_or_default() {
        if !text.is_empty() && (token.flags.has(TokenFlags::SPACE_BEFORE) || token.flags.has(TokenFlags::LINE_START)) {
            text.push(' ');
        }
        text.push_str(token.text());
        if text.len() > MAX_EXPANSION {
            return Some(Built::refused(MACRO, &title, ActionKind::Rewrite, "its expansion is very long"));
        }
    }
    let place = Place { path: Arc::clone(path), range: TextRange::new(whole.start, whole.end) };
    Some(Built {
        id: MACRO,
        title,
        kind: ActionKind::Rewrite,
        ways: vec![Ok(vec![TextEdit { place, new_text: text }])],
    })
}
