//! Private and protected members outside of their classes (C++ [class.access]).

use msl_diagnostics::Code;
use msl_parser::ast::*;
use msl_parser::scope::ScopeKind;

use crate::expr::Checker;
use crate::sema::{DeclRef, TyDiagnostic};
use crate::store::*;

impl<'a> Checker<'a> {
    /// Reports the use of a member where its class keeps it to itself. A class with friends is left alone, and so is
    /// another instance of the same template.
    pub(crate) fn check_access(&self, token: u32, item: DeclRef) {
        let ast = self.ast();
        let data = &ast[item.decl];
        if !data.specs.intersects(Specs::PRIVATE | Specs::PROTECTED) {
            return;
        }
        let scope = self.sema.declared_in(item.decl);
        let Some(class) = ast[scope].owner.filter(|_| ast[scope].kind == ScopeKind::Record) else { return };
        let DeclKind::Record(record) = &ast[class].kind else { return };
        let is_friend = |&member: &DeclId| {
            ast[member].specs.contains(Specs::FRIEND) || matches!(ast[member].kind, DeclKind::FriendType(_))
        };
        if record.members.iter().any(is_friend) {
            return;
        }
        let is_protected = data.specs.contains(Specs::PROTECTED);
        let class = self.sema.primary_record(class);
        let is_inside = |ty: Option<Ty>| match ty.map(|ty| self.kind(ty)) {
            // Which classes derive from the one that a protected member belongs to need not be known here.
            Some(TyKind::Record(around, _)) => is_protected || self.sema.primary_record(*around) == class,
            Some(_) => true,
            None => false,
        };
        if is_inside(self.cx.class) {
            return;
        }
        let mut scope = Some(self.cx.scope);
        while let Some(id) = scope {
            let around = &ast[id];
            match (around.kind, around.owner) {
                (ScopeKind::Record, Some(owner)) if is_protected || self.sema.primary_record(owner) == class => return,
                (ScopeKind::Function, Some(owner))
                    if is_inside(self.sema.class_of(DeclRef { decl: owner, bind: self.cx.bind })) =>
                {
                    return;
                }
                _ => scope = around.parent,
            }
        }
        let name = self.sema.decl_name(item.decl).map_or_else(String::new, |name| name.to_string());
        let class = self.sema.decl_name(class).map_or_else(String::new, |name| name.to_string());
        let word = if is_protected { "protected" } else { "private" };
        let declared = data.name_token;
        self.sema.report(|| TyDiagnostic {
            code: Code::InaccessibleMember,
            severity: None,
            range: TokenRange::new(token, token + 1),
            message: format!("`{name}` is a {word} member of `{class}`"),
            related: vec![(TokenRange::new(declared, declared + 1), "it is declared here".to_owned())],
            fixes: Vec::new(),
        });
    }
}
