//! Calls: what is called, and what the call gives.

use std::sync::Arc;

use msl_diagnostics::Code;
use msl_parser::ast::*;
use smallvec::SmallVec;

use crate::expr::{Checker, ExprInfo};
use crate::lookup::{Found, Key};
use crate::overload::{CallKey, Outcome};
use crate::resolve::Container;
use crate::rules::Wanted;
use crate::sema::DeclRef;
use crate::store::*;

/// What a call's callee turned out to be.
enum Callee {
    Functions { found: Found, object: Option<ExprInfo>, explicit: Option<Arc<[TArg]>>, token: u32, name: UnqualName },
    Value(ExprInfo),
    Dependent,
    Unknown,
}

impl<'a> Checker<'a> {
    pub(crate) fn call(&mut self, expr: ExprId, callee: ExprId, args: &[ExprId]) -> ExprInfo {
        let infos = self.arguments(args);
        match self.callee(callee, infos.as_deref().unwrap_or_default()) {
            Callee::Dependent => ExprInfo::DEPENDENT,
            Callee::Unknown => ExprInfo::UNKNOWN,
            Callee::Value(info) => match infos {
                Some(infos) => {
                    self.note_function_argument(expr, callee);
                    self.call_value(expr, callee, &info, args, infos)
                }
                None => ExprInfo::DEPENDENT,
            },
            Callee::Functions { found, object, explicit, token, name } => {
                let Some(infos) = infos else { return ExprInfo::DEPENDENT };
                let uncertain = found.uncertain;
                let key = CallKey { candidates: found.items, object, explicit, args: infos };
                self.finish_call(expr, key, token, name, args, uncertain)
            }
        }
    }

    /// Notes what a call of a template parameter that stands for a function calls: only an instance knows.
    fn note_function_argument(&mut self, expr: ExprId, callee: ExprId) {
        let ExprKind::Path(path) = &self.ast()[callee].kind else { return };
        let found = self.sema.lookup_path(path, self.cx);
        let [item] = &*found.items else { return };
        let is_parameter = matches!(&self.ast()[item.decl].kind, DeclKind::Variable(variable)
            if variable.kind == VariableKind::TemplateValue);
        match self.sema.binding(item.decl, self.cx.bind) {
            Some(&TArg::Value { value: Const::Function(decl, bind), .. }) => {
                let function = DeclRef { decl, bind };
                self.called(expr, self.sema.explicit_specialization(function).unwrap_or(function));
            }
            None if is_parameter && self.keeps_facts => self.facts.unsettled += 1,
            _ => {}
        }
    }

    /// The arguments' types; `None` if a pack expansion among them has no known length.
    pub(crate) fn arguments(&mut self, args: &[ExprId]) -> Option<SmallVec<[ExprInfo; 4]>> {
        let mut infos = SmallVec::new();
        let mut unknown_length = false;
        for &arg in args {
            if let ExprKind::Expansion(inner) = &self.ast()[arg].kind {
                match self.sema.expand_binds(self.ast()[*inner].range, self.cx) {
                    Some(binds) => {
                        let outer = self.cx;
                        for bind in binds {
                            self.cx.bind = bind;
                            let info = self.expr(*inner);
                            infos.push(info);
                        }
                        self.cx = outer;
                    }
                    None => {
                        self.expr(*inner);
                        unknown_length = true;
                    }
                }
                continue;
            }
            infos.push(self.expr(arg));
        }
        (!unknown_length).then_some(infos)
    }

    fn callee(&mut self, callee: ExprId, args: &[ExprInfo]) -> Callee {
        let ast = self.ast();
        match &ast[callee].kind {
            ExprKind::Paren(inner) => {
                let info = self.expr(*inner);
                if info.is_overload_set() { self.callee(*inner, args) } else { self.value_callee(info) }
            }
            ExprKind::Path(path) => self.path_callee(callee, path, args),
            ExprKind::Member { base, arrow, member } => self.member_callee(callee, *base, *arrow, member),
            _ => {
                let info = self.expr(callee);
                self.value_callee(info)
            }
        }
    }

    fn value_callee(&self, info: ExprInfo) -> Callee {
        if self.is_dependent(&info) {
            Callee::Dependent
        } else if info.is_overload_set() {
            Callee::Unknown
        } else {
            Callee::Value(info)
        }
    }

    fn path_callee(&mut self, callee: ExprId, path: &Path, args: &[ExprInfo]) -> Callee {
        let Some(last) = path.last() else { return Callee::Unknown };
        let qualified = path.segments.len() > 1 || path.global;
        if path.segments.len() > 1 {
            let prefix = Path {
                global: path.global,
                decltype: path.decltype,
                segments: path.segments[..path.segments.len() - 1].into(),
            };
            self.note_path(&prefix);
            match self.sema.resolve_container(path, path.segments.len() - 1, self.cx) {
                Container::Dependent => return Callee::Dependent,
                Container::Unknown => {
                    self.check_qualifier(path);
                    return Callee::Unknown;
                }
                _ => {}
            }
        }
        let mut found = self.sema.lookup_path(path, self.cx);
        let all_functions = found.items.iter().all(|item| matches!(self.ast()[item.decl].kind, DeclKind::Function(_)));
        if !all_functions {
            let info = self.expr(callee);
            return self.value_callee(info);
        }
        let key = match last.name {
            UnqualName::Ident(name) => Key::Name(name),
            UnqualName::Operator(op) => Key::Operator(op),
            _ => return Callee::Unknown,
        };
        let is_member = found.class.is_some();
        let args_dependent = args.iter().any(|arg| self.is_dependent(arg));
        if !qualified && !is_member {
            let types: SmallVec<[Ty; 4]> = args.iter().map(|arg| arg.ty.ty).collect();
            self.sema.lookup_adl(key, &types, &mut found);
        }
        if let Some(args) = &last.args {
            self.note_template_args(args);
        }
        if found.items.is_empty() {
            if found.uncertain {
                return if self.in_template() { Callee::Dependent } else { Callee::Unknown };
            }
            // Argument-dependent lookup can still find it when the template is instantiated.
            if !qualified && args_dependent {
                return Callee::Dependent;
            }
            if let UnqualName::Ident(name) = last.name {
                if self.sema.may_be_the_compilers(name, self.cx) {
                    return Callee::Unknown;
                }
                let range = TokenRange::new(last.token, last.token + 1);
                self.sema.report(|| {
                    let mut diagnostic = self.sema.undeclared(name, range, found.too_new, "function");
                    // In another namespace than this one the name is looked for as it was qualified.
                    if found.too_new.is_none() && !qualified && !self.sema.qualify(&mut diagnostic, name) {
                        self.sema.suggest(&mut diagnostic, self.sema.close_name(name, Wanted::Value, self.cx));
                    }
                    diagnostic
                });
            }
            return Callee::Unknown;
        }
        let explicit = last.args.as_ref().map(|args| self.sema.plain_template_args(args, self.cx));
        // An implicit `this` stands in front of a member's name.
        let object = if is_member && (path.segments.len() == 1 || self.is_own_class(found.class)) {
            self.sema.this_of(self.cx).map(|this| {
                ExprInfo::lvalue(QualTy { ty: found.class.unwrap_or(this.class), cv: this.cv, space: this.space })
            })
        } else {
            None
        };
        Callee::Functions { found, object, explicit, token: last.token, name: last.name }
    }

    fn is_own_class(&self, class: Option<Ty>) -> bool {
        match (class, self.sema.this_of(self.cx)) {
            (Some(class), Some(this)) => class == this.class || self.sema.derives_from(this.class, class) == Some(true),
            _ => false,
        }
    }

    fn member_callee(&mut self, callee: ExprId, base: ExprId, arrow: bool, member: &Path) -> Callee {
        let Some(last) = member.last() else { return Callee::Unknown };
        let object = self.expr(base);
        if let Some(args) = &last.args {
            self.note_template_args(args);
        }
        let Some(object) = self.object_of(&object, arrow, self.ast()[base].range.end) else {
            return if self.is_dependent(&object) { Callee::Dependent } else { Callee::Unknown };
        };
        let key = match last.name {
            UnqualName::Ident(name) => Key::Name(name),
            UnqualName::Operator(op) => Key::Operator(op),
            _ => {
                return Callee::Unknown;
            }
        };
        if !matches!(self.kind(object.ty.ty), TyKind::Record(..)) {
            let info = self.expr(callee);
            return self.value_callee(info);
        }
        if self.sema.store().is_dependent(object.ty.ty) && !self.sema.is_current_instantiation(object.ty.ty) {
            return Callee::Dependent;
        }
        let members = self.sema.members_by(object.ty.ty, key);
        let is_function =
            members.items.first().is_some_and(|item| matches!(self.ast()[item.decl].kind, DeclKind::Function(_)));
        if !is_function {
            let info = self.expr(callee);
            return self.value_callee(info);
        }
        let explicit = last.args.as_ref().map(|args| self.sema.plain_template_args(args, self.cx));
        let found = Found {
            items: members.items,
            class: members.class,
            uncertain: members.uncertain,
            too_new: members.too_new,
        };
        Callee::Functions { found, object: Some(object), explicit, token: last.token, name: last.name }
    }

    /// What overload resolution chose for a call, for constant evaluation.
    pub(crate) fn call_target(&mut self, expr: ExprId) -> Option<DeclRef> {
        let ExprKind::Call { callee, args } = &self.ast()[expr].kind else { return None };
        let infos = self.arguments(args)?;
        match self.callee(*callee, &infos) {
            Callee::Functions { found, object, explicit, .. } => {
                match &*self.sema.resolve_call(CallKey { candidates: found.items, object, explicit, args: infos }) {
                    Outcome::Best(item) => Some(*item),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn finish_call(
        &mut self,
        expr: ExprId,
        key: CallKey,
        token: u32,
        name: UnqualName,
        args: &[ExprId],
        uncertain: bool,
    ) -> ExprInfo {
        let outcome = self.sema.resolve_call(key.clone());
        match &*outcome {
            Outcome::Best(item) => {
                self.refer(token, *item);
                self.called(expr, *item);
                self.check_access(token, *item);
                self.check_library_call(*item, token, args);
                let ret = self.sema.result_of(*item);
                if self.sema.store().is_dependent(ret.ty) {
                    return ExprInfo::DEPENDENT;
                }
                ExprInfo::of_call_result(&self.sema, ret)
            }
            Outcome::Dependent => {
                let fitting = key.candidates.iter().filter(|&&item| self.sema.may_take(item, &key));
                let fitting: SmallVec<[DeclRef; 2]> = fitting.copied().collect();
                for &item in if fitting.is_empty() { &key.candidates } else { &fitting } {
                    self.refer(token, item);
                }
                ExprInfo::DEPENDENT
            }
            Outcome::Unsure(ret) => {
                for &item in &key.candidates {
                    self.refer(token, item);
                }
                ret.map_or(ExprInfo::UNKNOWN, |ret| ExprInfo::of_call_result(&self.sema, ret))
            }
            Outcome::Ambiguous(items) => {
                for &item in items {
                    self.refer(token, item);
                }
                if !uncertain {
                    self.ambiguous(&key, token, name, items);
                }
                ExprInfo::UNKNOWN
            }
            Outcome::None(failures) => {
                for &item in &key.candidates {
                    self.refer(token, item);
                }
                if !uncertain && self.is_known_call(&key) && !self.newer_overload(&key, token, name) {
                    self.no_match(&key, token, name, args, failures);
                }
                ExprInfo::UNKNOWN
            }
        }
    }

    /// Whether what is wrong with a call is the call: an argument of unknown type has a finding of its own or is not
    /// understood here, and a class of the library that cannot exist has no members.
    fn is_known_call(&self, key: &CallKey) -> bool {
        let is_unknown =
            |arg: &ExprInfo| self.sema.store().is_unknown(arg.ty.ty) && !arg.is_init_list() && !arg.is_overload_set();
        !key.args.iter().any(is_unknown)
            && key.object.is_none_or(|object| self.failing_assertion(object.ty.ty).is_none())
    }

    /// Remembers what an expression calls.
    pub(crate) fn called(&mut self, expr: ExprId, item: DeclRef) {
        if self.keeps_facts {
            self.facts.callees.insert(expr, item);
            // An instance calls another instance here.
            if self.sema.store().bind_flags(item.bind).contains(TyFlags::DEPENDENT) || !self.sema.is_fully_bound(item) {
                self.facts.unsettled += 1;
            }
        }
    }

    fn call_value(
        &mut self,
        expr: ExprId,
        callee: ExprId,
        info: &ExprInfo,
        args: &[ExprId],
        infos: SmallVec<[ExprInfo; 4]>,
    ) -> ExprInfo {
        let ty = self.sema.strip_ref(info.ty).ty;
        let function = match self.kind(ty) {
            TyKind::Function(function) => Arc::clone(function),
            TyKind::Pointer(pointee) => match self.kind(pointee.ty) {
                TyKind::Function(function) => Arc::clone(function),
                _ => {
                    self.check_callee(callee, info);
                    return ExprInfo::UNKNOWN;
                }
            },
            TyKind::Closure(closure, bind) => return self.call_closure(*closure, *bind, &infos),
            TyKind::Record(..) => {
                let members = self.sema.members_by(ty, Key::Operator(OverloadedOp::Call));
                if members.items.is_empty() {
                    if !members.uncertain {
                        self.check_callee(callee, info);
                    }
                    return ExprInfo::UNKNOWN;
                }
                let token = self.ast()[callee].range.end;
                let key = CallKey { candidates: members.items, object: Some(*info), explicit: None, args: infos };
                return self.finish_call(
                    expr,
                    key,
                    token,
                    UnqualName::Operator(OverloadedOp::Call),
                    args,
                    members.uncertain,
                );
            }
            _ => {
                self.check_callee(callee, info);
                return ExprInfo::UNKNOWN;
            }
        };
        if infos.iter().any(|info| self.is_dependent(info)) || self.sema.store().is_dependent(function.ret.ty) {
            return ExprInfo::DEPENDENT;
        }
        if args.len() == infos.len() {
            for ((&arg, info), &param) in args.iter().zip(&infos).zip(function.params.iter()) {
                self.check_conversion(arg, info, param, "passed");
            }
            let wrong =
                infos.len() < function.params.len() || infos.len() > function.params.len() && !function.variadic;
            if wrong
                && !function
                    .params
                    .iter()
                    .any(|param| self.sema.store().is_unknown(param.ty) || self.sema.store().is_dependent(param.ty))
            {
                let range = self.ast()[callee].range;
                self.report(
                    Code::NoMatchingFunction,
                    range,
                    format!("this takes {} arguments, {} given", function.params.len(), infos.len()),
                );
            }
        }
        ExprInfo::of_call_result(&self.sema, function.ret)
    }
}
