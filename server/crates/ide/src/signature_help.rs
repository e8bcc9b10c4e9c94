//! The call that is being typed: its overloads, and the parameter at the cursor.

use std::{ops::Range, sync::Arc};

use msl_parser::ast::*;
use msl_preproc::{Punct, TokenKind};
use msl_ty::{DeclRef, Sema, lookup::Key, store::TyKind};

use crate::{
    analysis::{Analysis, UnitRequest},
    cursor::{Cursor, open_call},
    hover::documentation,
    view::View,
};

/// At most so many overloads are listed.
const MAX_SIGNATURES: usize = 50;

/// A call that is being typed.
#[derive(Clone, Debug, PartialEq)]
pub struct SignatureHelp {
    /// All overloads that exist in the language version; those that take so many arguments first.
    pub signatures: Vec<SignatureInfo>,
    /// The one that overload resolution has chosen, or the first that could be meant.
    pub active: usize,
    /// The argument at the cursor, from 0.
    pub parameter: usize,
}

/// One overload.
#[derive(Clone, Debug, PartialEq)]
pub struct SignatureInfo {
    pub label: String,
    /// The parameters as byte ranges of the label.
    pub parameters: Vec<Range<u32>>,
    pub documentation: Option<String>,
}

impl Analysis {
    /// The innermost call whose arguments the cursor is among.
    pub fn signature_help(&self, request: &UnitRequest, path: &Arc<str>, offset: u32) -> Option<SignatureHelp> {
        let view = View::new(self, request);
        let cursor = Cursor::new(&view, path, offset)?;
        let call = open_call(&view, &cursor)?;
        if let Some(info) = pointer_signature(&view, call.open) {
            return Some(SignatureHelp { signatures: vec![info], active: 0, parameter: call.commas });
        }
        let callee = name_before(&view, call.open)?;
        let (body, token) = view.number(callee)?;
        // In broken code the parenthesis can stand in another body, whose scopes are not those around the cursor.
        if body != cursor.layer.body {
            return None;
        }
        let layer = match body {
            Some(body) => view.body(body)?,
            None => view.declarations(),
        };
        let sema = layer.sema(view.env);
        let candidates = candidates(&view, &cursor, &sema, callee, token);
        let chosen = layer.facts.refs.get(&token).and_then(|items| items.first()).copied();
        let mut found: Vec<(bool, DeclRef, SignatureInfo)> = Vec::new();
        for item in candidates {
            let signature = sema.signature(item);
            let takes = signature.params.len() > call.commas
                || signature.variadic
                || signature.params.is_empty() && call.commas == 0;
            let Some(mut info) = spell(&sema, item) else { continue };
            if found.iter().any(|(.., other)| other.label == info.label) {
                continue;
            }
            info.documentation = documentation(&view, &layer, &sema, item.decl);
            found.push((takes, item, info));
        }
        found.sort_by_key(|(takes, ..)| !takes);
        found.truncate(MAX_SIGNATURES);
        let active = chosen
            .and_then(|chosen| found.iter().position(|(takes, item, _)| *takes && item.decl == chosen.decl))
            .unwrap_or(0);
        let signatures: Vec<SignatureInfo> = found.into_iter().map(|(.., info)| info).collect();
        (!signatures.is_empty()).then_some(SignatureHelp { signatures, active, parameter: call.commas })
    }
}

/// The signature of the pointer that is called, if the callee is one: what ends right before the parenthesis.
fn pointer_signature(view: &View<'_>, open: usize) -> Option<SignatureInfo> {
    let (body, token) = view.number(open)?;
    let layer = view.body(body?)?;
    let sema = layer.sema(view.env);
    let callee = layer.ast().own_exprs().filter(|(_, expr)| expr.range.end == token).find_map(|(id, _)| {
        let ty = sema.strip_ref(layer.facts.exprs.get(&id)?.ty);
        let TyKind::Pointer(inner) = sema.kind(ty.ty) else { return None };
        match sema.kind(inner.ty) {
            TyKind::Function(signature) => Some(signature.clone()),
            _ => None,
        }
    });
    let signature = callee?;
    let names = sema.alias_parameters(&signature).unwrap_or_default();
    let mut label = format!("{} (", sema.spell(signature.ret));
    let mut parameters = Vec::new();
    for (index, param) in signature.params.iter().enumerate() {
        if index > 0 {
            label.push_str(", ");
        }
        let start = label.len() as u32;
        let name = names.get(index).map_or("", |name| name.as_str());
        label.push_str(&sema.spell_with(*param, name));
        parameters.push(start..label.len() as u32);
    }
    label.push(')');
    let documentation = Some("A call through a function pointer.".to_owned());
    Some(SignatureInfo { label, parameters, documentation })
}

/// The name that is called: right before the parenthesis, or before the template arguments there.
pub(crate) fn name_before(view: &View<'_>, open: usize) -> Option<usize> {
    let tokens = &view.preprocessed.tokens;
    let mut at = open.checked_sub(1)?;
    if tokens[at].is_punct(Punct::Gt) {
        let mut depth = 0usize;
        loop {
            if tokens[at].is_punct(Punct::Gt) {
                depth += 1;
            } else if tokens[at].is_punct(Punct::Lt) {
                depth -= 1;
            }
            at = at.checked_sub(1)?;
            if depth == 0 {
                break;
            }
        }
    }
    (tokens[at].kind == TokenKind::Ident).then_some(at)
}

/// The functions that the name `callee`, an expanded token with the number `token` in its layer, may call.
pub(crate) fn candidates(
    view: &View<'_>,
    cursor: &Cursor<'_>,
    sema: &Sema<'_>,
    callee: usize,
    token: u32,
) -> Vec<DeclRef> {
    let tokens = &view.preprocessed.tokens;
    let name = tokens[callee].name;
    let before = callee.checked_sub(1).map(|before| tokens[before].kind);
    let is_member = matches!(before, Some(TokenKind::Punct(Punct::Dot | Punct::Arrow)));
    let known = cursor.layer.facts.refs.get(&token).map(|items| items.to_vec()).unwrap_or_default();
    let mut items: Vec<DeclRef> = Vec::new();
    let cx = cursor.cx(view, sema);
    if is_member {
        let ast = cursor.layer.ast();
        let base = ast.own_exprs().find_map(|(_, expr)| match &expr.kind {
            ExprKind::Member { base, member, .. } if member.last().is_some_and(|it| it.token == token) => Some(*base),
            _ => None,
        });
        if let Some(info) = base.and_then(|base| cursor.layer.facts.exprs.get(&base)) {
            let ty = sema.strip_ref(info.ty);
            let class = match sema.kind(ty.ty) {
                TyKind::Pointer(inner) => inner.ty,
                _ => ty.ty,
            };
            items.extend(sema.members(class, name).items.iter().copied());
        }
    } else if matches!(before, Some(TokenKind::Punct(Punct::ColonColon))) {
        let mut segments = vec![segment(name)];
        let mut at = callee;
        while let Some(outer) = at
            .checked_sub(2)
            .filter(|&outer| tokens[outer + 1].is_punct(Punct::ColonColon) && tokens[outer].kind == TokenKind::Ident)
        {
            segments.push(segment(tokens[outer].name));
            at = outer;
        }
        segments.reverse();
        let path = Path { global: false, decltype: None, segments: segments.into() };
        items.extend(sema.lookup_path(&path, cx).items);
    } else {
        items.extend(sema.lookup(Key::Name(name), cx).items);
    }
    items.extend(known);
    let mut functions: Vec<DeclRef> = Vec::new();
    for item in items {
        match &sema.ast[item.decl].kind {
            DeclKind::Function(_) => functions.push(item),
            DeclKind::Record(_) => {
                let class = sema.record_self(item.decl, item.bind);
                if let Some(info) = sema.record_info(class)
                    && let Some(scope) = info.scope
                {
                    let constructors = sema.ast[scope].constructors.iter();
                    functions.extend(constructors.map(|&decl| DeclRef { decl, bind: info.bind }));
                }
            }
            _ => {}
        }
    }
    functions.retain(|item| sema.exists(item.decl));
    functions
}

fn segment(name: msl_intern::Name) -> Segment {
    Segment { name: UnqualName::Ident(name), args: None, token: 0, template_keyword: false }
}

/// An overload with the places of its parameters.
fn spell(sema: &Sema<'_>, item: DeclRef) -> Option<SignatureInfo> {
    let DeclKind::Function(function) = &sema.ast[item.decl].kind else { return None };
    let signature = sema.signature(item);
    let name = sema
        .decl_name(item.decl)
        .map_or_else(|| msl_ty::types::spell_name(function.name), |name| sema.qualified_name(item.decl, name));
    let mut label = match function.role {
        FunctionRole::Plain => format!("{} {name}(", sema.spell(signature.ret)),
        _ => format!("{name}("),
    };
    let mut parameters = Vec::new();
    for (index, param) in signature.params.iter().enumerate() {
        if index > 0 {
            label.push_str(", ");
        }
        let start = label.len() as u32;
        let name = sema.decl_name(param.decl).map_or_else(String::new, |name| name.to_string());
        label.push_str(&sema.spell_with(param.ty, &name));
        parameters.push(start..label.len() as u32);
    }
    label.push(')');
    Some(SignatureInfo { label, parameters, documentation: None })
}
