//! Lambdas and calls of what they make.

use std::sync::Arc;

use msl_diagnostics::Code;
use msl_parser::ast::*;

use crate::expr::{Checker, Closure, ExprInfo};
use crate::lookup::Key;
use crate::sema::{Cx, TyDiagnostic};
use crate::store::*;

impl<'a> Checker<'a> {
    pub(crate) fn lambda(&mut self, expr: ExprId, lambda: &Lambda) -> ExprInfo {
        let ast = self.ast();
        if !self.sema.version().at_least(3, 2) {
            self.sema.report(|| TyDiagnostic {
                code: Code::RequiresNewerLanguageVersion,
                severity: Some(msl_diagnostics::Severity::Warning),
                range: TokenRange::new(ast[expr].range.start, ast[expr].range.start + 1),
                message: format!(
                    "lambda expressions need metal3.2 or later; this file is built as {}",
                    self.sema.version()
                ),
                related: Vec::new(),
                fixes: Vec::new(),
            });
        }
        for capture in &lambda.captures {
            match capture {
                Capture::Name { name, token, .. } => {
                    let found = self.sema.lookup(Key::Name(*name), self.cx);
                    if let Some(&item) = found.items.first() {
                        self.refer(*token, item);
                    }
                }
                Capture::Init { decl, .. } => self.local_variable(*decl),
                Capture::This { .. } => {}
            }
        }
        let TypeKind::Function(written) = &ast[lambda.ty].kind else { return ExprInfo::UNKNOWN };
        let outer = self.cx;
        self.cx.scope = lambda.scope;
        self.cx.before_local = u32::MAX;
        let mut params = Vec::new();
        let mut is_generic = false;
        for &param in &written.params {
            let DeclKind::Variable(variable) = &ast[param].kind else { continue };
            let declared = self.types_in(variable.ty);
            let mut ty = self.sema.adjust_param(declared);
            if self.sema.store().flags(ty.ty).contains(TyFlags::AUTO) {
                is_generic = true;
                ty = QualTy::DEPENDENT;
            }
            self.set_variable(param, ty);
            params.push((param, ty));
        }
        let declared = self.sema.resolve_type(written.ret, self.cx);
        let (outer_ret, outer_returned) = (self.ret.take(), self.returned.take());
        self.ret = Some(declared);
        self.in_lambda(|checker| checker.stmt(lambda.body));
        let returned = self.returned.take();
        (self.ret, self.returned) = (outer_ret, outer_returned);
        self.cx = outer;
        let ret = if self.sema.store().flags(declared.ty).contains(TyFlags::AUTO) {
            returned.unwrap_or(QualTy::plain(Ty::VOID))
        } else {
            declared
        };
        let key = (expr, self.cx.bind);
        let closure = Closure { expr, params, ret, is_generic };
        self.sema.local.closures.borrow_mut().insert(key, Arc::new(closure));
        ExprInfo::value(self.sema.store().intern(TyKind::Closure(expr, self.cx.bind)))
    }

    /// A call of a closure: its declared or deduced result; a generic one is looked at again with these arguments.
    pub(crate) fn call_closure(&mut self, expr: ExprId, bind: BindId, args: &[ExprInfo]) -> ExprInfo {
        let Some(closure) = self.sema.local.closures.borrow().get(&(expr, bind)).cloned() else {
            return ExprInfo::UNKNOWN;
        };
        if !closure.is_generic {
            return ExprInfo::of_call_result(&self.sema, closure.ret);
        }
        if args.iter().any(|arg| self.is_dependent(arg)) {
            return ExprInfo::DEPENDENT;
        }
        let ast = self.ast();
        let ExprKind::Lambda(lambda) = &ast[expr].kind else { return ExprInfo::UNKNOWN };
        let TypeKind::Function(written) = &ast[lambda.ty].kind else { return ExprInfo::UNKNOWN };
        let saved: Vec<(DeclId, QualTy)> = closure.params.clone();
        let outer = self.cx;
        self.cx = Cx { scope: lambda.scope, before_local: u32::MAX, bind, ..outer };
        for ((param, _), arg) in closure.params.iter().zip(args) {
            let DeclKind::Variable(variable) = &ast[*param].kind else { continue };
            let declared = self.sema.quiet().resolve_type(variable.ty, self.cx);
            let ty = if self.sema.store().flags(declared.ty).contains(TyFlags::AUTO) {
                self.sema.deduce_auto(declared, arg)
            } else {
                declared
            };
            self.set_variable(*param, ty);
        }
        let declared = self.sema.quiet().resolve_type(written.ret, self.cx);
        let mut inner = Checker { ret: Some(declared), ..Checker::new(self.sema.quiet(), self.cx) };
        inner.stmt(lambda.body);
        let returned = inner.returned;
        self.cx = outer;
        for (param, ty) in saved {
            self.set_variable(param, ty);
        }
        let ret = if self.sema.store().flags(declared.ty).contains(TyFlags::AUTO) {
            returned.unwrap_or(QualTy::plain(Ty::VOID))
        } else {
            declared
        };
        ExprInfo::of_call_result(&self.sema, ret)
    }
}
