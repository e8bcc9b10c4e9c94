//! What is declared twice in one scope (C++ [basic.scope.declarative], [basic.def.odr]); functions are compared in
//! `decls`.

use msl_diagnostics::Code;
use msl_parser::ParsedBody;
use msl_parser::ast::*;
use msl_parser::scope::ScopeKind;
use rustc_hash::FxHashMap;

use crate::sema::{Cx, DeclRef, Sema, TyDiagnostic};
use crate::store::BindId;

/// Reports every variable of a body whose name another variable has in the same scope. The parameters of the function
/// count as declared in the outermost block of its body (C++ [basic.scope.block]).
pub(crate) fn check_local_variables(sema: &Sema<'_>, function: DeclId, body: &ParsedBody) {
    let ast = sema.ast;
    let outermost = match &ast[body.root].kind {
        StmtKind::Compound { scope, .. } => Some(*scope),
        _ => None,
    };
    let mut seen = FxHashMap::default();
    if let (Some(outermost), DeclKind::Function(data)) = (outermost, &ast[function].kind)
        && let TypeKind::Function(written) = &ast[data.ty].kind
    {
        for &param in &written.params {
            if let Some(name) = sema.decl_name(param) {
                seen.insert((outermost, name), param);
            }
        }
    }
    for (decl, data) in body.ast.own_decls() {
        let DeclKind::Variable(variable) = &data.kind else { continue };
        if variable.kind != VariableKind::Local || ast[data.scope].kind != ScopeKind::Block {
            continue;
        }
        let Some(name) = sema.decl_name(decl) else { continue };
        let Some(earlier) = seen.insert((data.scope, name), decl) else { continue };
        report(sema, decl, earlier, format!("`{name}` is declared twice in the same scope"));
    }
}

/// Reports a declaration that cannot stand beside an earlier one.
pub(crate) fn report(sema: &Sema<'_>, decl: DeclId, earlier: DeclId, message: String) {
    let (token, before) = (sema.ast[decl].name_token, sema.ast[earlier].name_token);
    sema.report(|| TyDiagnostic {
        code: Code::Redefinition,
        severity: None,
        range: TokenRange::new(token, token + 1),
        message,
        related: vec![(TokenRange::new(before, before + 1), "the earlier declaration".to_owned())],
        fixes: Vec::new(),
    });
}

/// How a declaration takes part in the rule that a scope defines a name once.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Definition {
    Class,
    Enumeration,
    Enumerator,
    Variable,
    Member,
    Alias,
}

/// Whether a declaration defines its name for the whole scope that it stands in. Specialisations, and what is defined
/// outside of its class, stand for something else than their name alone.
fn definition(ast: &Ast, data: &Decl) -> Option<Definition> {
    if data.specs.intersects(Specs::INSTANTIATION | Specs::FRIEND | Specs::EXTERN | Specs::EXTERN_TEMPLATE) {
        return None;
    }
    match &data.kind {
        DeclKind::Record(record) => {
            (record.scope.is_some() && record.name_args.is_none() && record.qualifier.is_none())
                .then_some(Definition::Class)
        }
        DeclKind::Enum(enumeration) => (!enumeration.enumerators.is_empty()).then_some(Definition::Enumeration),
        DeclKind::Enumerator { .. } => Some(Definition::Enumerator),
        DeclKind::Variable(variable) if variable.qualifier.is_none() && variable.name_args.is_none() => {
            match variable.kind {
                VariableKind::Global if data.templates.is_empty() => Some(Definition::Variable),
                VariableKind::Field => Some(Definition::Member),
                _ => None,
            }
        }
        DeclKind::TypeAlias { .. } if data.templates.is_empty() && ast[data.scope].kind != ScopeKind::Block => {
            Some(Definition::Alias)
        }
        _ => None,
    }
}

/// Reports what the unit's declarations define twice, parameters included.
pub(crate) fn check_declarations(sema: &Sema<'_>) {
    let ast = sema.ast;
    for (decl, data) in ast.own_decls() {
        if let DeclKind::Function(function) = &data.kind {
            check_parameters(sema, function);
        }
        let Some(own) = definition(ast, data) else { continue };
        let Some(name) = sema.decl_name(decl) else { continue };
        let earlier = ast[sema.declared_in(decl)]
            .get(name)
            .iter()
            .copied()
            .take_while(|&other| other < decl)
            .find(|&other| definition(ast, &ast[other]) == Some(own));
        let Some(earlier) = earlier else { continue };
        // What is of no known type has a finding of its own, and may be none of what it looks like.
        if matches!(data.kind, DeclKind::Variable(_)) {
            let ty = sema.variable_type(DeclRef { decl, bind: BindId::NONE }).ty;
            if !sema.store().is_solid(ty) && !sema.store().is_dependent(ty) {
                continue;
            }
        }
        if own == Definition::Alias {
            check_alias(sema, decl, earlier);
        } else if own == Definition::Member {
            report(sema, decl, earlier, format!("there are two members named `{name}`"));
        } else {
            report(sema, decl, earlier, format!("`{name}` is defined twice in the same scope"));
        }
    }
}

/// An alias may be declared again for the same type only (C++ [dcl.typedef]).
fn check_alias(sema: &Sema<'_>, decl: DeclId, earlier: DeclId) {
    let ty = |decl: DeclId| {
        let DeclKind::TypeAlias { ty, .. } = sema.ast[decl].kind else { return None };
        let scope = sema.ast[decl].scope;
        let cx = Cx { scope, bind: BindId::NONE, before: decl.0, before_local: u32::MAX, class: None };
        let ty = sema.quiet().resolve_type(ty, cx);
        sema.store().is_solid(ty.ty).then_some(ty)
    };
    if let (Some(now), Some(before), Some(name)) = (ty(decl), ty(earlier), sema.decl_name(decl))
        && now != before
    {
        report(
            sema,
            decl,
            earlier,
            format!("`{name}` is `{}` here and `{}` before", sema.spell(now), sema.spell(before)),
        );
    }
}

fn check_parameters(sema: &Sema<'_>, function: &Function) {
    let TypeKind::Function(written) = &sema.ast[function.ty].kind else { return };
    for (index, &param) in written.params.iter().enumerate() {
        let Some(name) = sema.decl_name(param) else { continue };
        let earlier = written.params[..index].iter().find(|&&other| sema.decl_name(other) == Some(name));
        if let Some(&earlier) = earlier {
            report(sema, param, earlier, format!("there are two parameters named `{name}`"));
        }
    }
}
