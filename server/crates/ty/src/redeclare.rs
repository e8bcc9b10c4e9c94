//! Local variables that are declared twice in one scope (C++ [basic.scope.declarative]).

use msl_diagnostics::Code;
use msl_parser::ParsedBody;
use msl_parser::ast::*;
use msl_parser::scope::ScopeKind;
use rustc_hash::FxHashMap;

use crate::sema::{Sema, TyDiagnostic};

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
        let (token, before) = (data.name_token, ast[earlier].name_token);
        sema.report(|| TyDiagnostic {
            code: Code::Redefinition,
            severity: None,
            range: TokenRange::new(token, token + 1),
            message: format!("`{name}` is declared twice in the same scope"),
            related: vec![(TokenRange::new(before, before + 1), "the earlier declaration".to_owned())],
            fixes: Vec::new(),
        });
    }
}
