//! Calls, member access and construction.

use std::sync::Arc;

use msl_diagnostics::Code;
use msl_parser::ast::*;
use smallvec::SmallVec;

use crate::convert::{Conv, Converts, Why};
use crate::expr::{Category, Checker, ExprFlags, ExprInfo};
use crate::lookup::{Found, Key};
use crate::overload::{CallKey, Outcome, Reason};
use crate::resolve::{Container, Named};
use crate::rules::Wanted;
use crate::sema::{DeclRef, Sema, TokenEdit, TokenFix, TyDiagnostic};
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
                Some(infos) => self.call_value(expr, callee, &info, args, infos),
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

    /// The arguments' types; `None` if a pack expansion among them has no known length.
    fn arguments(&mut self, args: &[ExprId]) -> Option<SmallVec<[ExprInfo; 4]>> {
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
            if self.sema.resolve_container(path, path.segments.len() - 1, self.cx) == Container::Dependent {
                return Callee::Dependent;
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
                    if found.too_new.is_none() && !qualified {
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
                if !uncertain && !self.newer_overload(&key, token, name) {
                    self.no_match(&key, token, name, args, failures);
                }
                ExprInfo::UNKNOWN
            }
        }
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

    /// Reports a call that fits several functions. Where some are the library's, only if every argument is a number or
    /// a vector of numbers: for those the library's overloads are known.
    fn ambiguous(&self, key: &CallKey, token: u32, name: UnqualName, items: &[DeclRef]) {
        let is_scalar = |arg: &ExprInfo| matches!(self.kind(self.sema.decayed(arg.ty)), TyKind::Scalar(_));
        let is_number = |arg: &ExprInfo| {
            self.is_solid(arg)
                && matches!(
                    self.kind(self.sema.decayed(arg.ty)),
                    TyKind::Scalar(_) | TyKind::Vector(..) | TyKind::Packed(..)
                )
        };
        let ours = items.iter().filter(|item| !self.sema.is_library(item.decl)).count();
        if ours < items.len() && (ours > 0 || key.object.is_some() || !key.args.iter().all(is_number)) {
            return;
        }
        let takes_vectors = |item: &DeclRef| {
            self.sema
                .signature(*item)
                .params
                .iter()
                .all(|param| self.sema.as_vector(self.sema.strip_ref(param.ty).ty).is_some())
        };
        if ours == 0 && key.args.iter().all(is_scalar) && items.iter().all(takes_vectors) {
            let name = crate::types::spell_name(name);
            let message = format!("`{name}` takes vectors; no overload takes ({})", self.spell_given(key).join(", "));
            self.report(Code::NoMatchingFunction, TokenRange::new(token, token + 1), message);
            return;
        }
        let given = self.spell_given(key).join(", ");
        let name = crate::types::spell_name(name);
        self.sema.report(|| TyDiagnostic {
            code: Code::AmbiguousCall,
            severity: None,
            range: TokenRange::new(token, token + 1),
            message: format!(
                "the call of `{name}` with ({given}) fits several functions equally well: give the arguments one type"
            ),
            related: items
                .iter()
                .take(8)
                .map(|item| {
                    let token = self.ast()[item.decl].name_token;
                    (TokenRange::new(token, token + 1), format!("candidate: `{}`", self.spell_function(*item)))
                })
                .collect(),
            fixes: Vec::new(),
        });
    }

    /// A function's declaration in one line.
    pub fn spell_function(&self, item: DeclRef) -> String {
        self.sema.spell_function(item)
    }

    fn no_match(&self, key: &CallKey, token: u32, name: UnqualName, args: &[ExprId], failures: &[(DeclRef, Reason)]) {
        let spelled = crate::types::spell_name(name);
        // A single candidate whose only fault is an address space: say that, at the argument.
        if let [(item, reason)] = failures {
            match reason {
                Reason::Argument { index, param, why: Why::Space(have, wanted) } if args.len() == key.args.len() => {
                    let (_, message) = self.space_message(*param, *have, *wanted, "passed");
                    let declared = self.ast()[item.decl].name_token;
                    self.sema.report(|| TyDiagnostic {
                        code: Code::NoMatchingFunction,
                        severity: None,
                        range: self.ast()[args[*index]].range,
                        message: format!("`{spelled}` does not take this argument: {message}"),
                        related: vec![(
                            TokenRange::new(declared, declared + 1),
                            format!("`{}` is declared here", self.spell_function(*item)),
                        )],
                        fixes: Vec::new(),
                    });
                    return;
                }
                Reason::Object(Why::Space(have, wanted)) => {
                    let (code, message) = self.object_message(&spelled, *have, *wanted);
                    let declared = self.ast()[item.decl].name_token;
                    self.sema.report(|| TyDiagnostic {
                        code,
                        severity: None,
                        range: TokenRange::new(token, token + 1),
                        message,
                        related: vec![(
                            TokenRange::new(declared, declared + 1),
                            "the member function is declared here".to_owned(),
                        )],
                        fixes: Vec::new(),
                    });
                    return;
                }
                _ => {}
            }
        }
        let given = self.spell_given(key);
        let space_decides = failures.iter().find_map(|(_, reason)| match reason {
            Reason::Argument { index, why: Why::Space(have, wanted), .. } => Some((Some(*index), *have, *wanted)),
            Reason::Object(Why::Space(have, wanted)) => Some((None, *have, *wanted)),
            _ => None,
        });
        let mut message = format!("no function `{spelled}` takes ({})", given.join(", "));
        if let Some((index, have, wanted)) = space_decides {
            let what = index.map_or_else(|| "the object".to_owned(), |index| format!("argument {}", index + 1));
            message = format!(
                "{message}: {what} is in {} memory where {} is needed",
                self.space_name(have),
                self.space_name(wanted)
            );
        }
        // Where there is one candidate, why it does not fit is the message.
        let is_one = failures.iter().all(|(item, _)| item.decl == failures[0].0.decl);
        if let (true, None, Some((item, reason))) = (is_one, space_decides, failures.first())
            && !self.sema.is_each_family(item.decl)
        {
            message = format!("{message}: {}", self.spell_reason(reason));
        }
        self.sema.report(|| TyDiagnostic {
            code: Code::NoMatchingFunction,
            severity: None,
            range: TokenRange::new(token, token + 1),
            message,
            related: self.candidate_notes(failures),
            fixes: Vec::new(),
        });
    }

    /// The arguments' types as messages give them.
    fn spell_given(&self, key: &CallKey) -> Vec<String> {
        key.args
            .iter()
            .map(|arg| {
                if arg.is_init_list() {
                    "{…}".to_owned()
                } else if arg.is_overload_set() {
                    "<function>".to_owned()
                } else {
                    let mut ty = self.sema.spell(QualTy { space: Space::None, cv: Cv::empty(), ..arg.ty });
                    if arg.place().is_named() || arg.place() == Space::Generic {
                        ty = format!("{ty} in {} memory", arg.place().word());
                    }
                    ty
                }
            })
            .collect()
    }

    /// Reports a call that only an overload of a newer version fits; `false` if there is none.
    fn newer_overload(&self, key: &CallKey, token: u32, name: UnqualName) -> bool {
        let UnqualName::Ident(name) = name else { return false };
        let mut newer: SmallVec<[DeclRef; 2]> = SmallVec::new();
        for item in key.candidates.iter().filter(|item| self.sema.is_library(item.decl)) {
            for &decl in self.ast()[self.sema.declared_in(item.decl)].get(name) {
                let other = DeclRef { decl, bind: item.bind };
                let is_function = matches!(self.ast()[decl].kind, DeclKind::Function(_));
                if is_function && !self.sema.exists(decl) && !newer.contains(&other) {
                    newer.push(other);
                }
            }
        }
        if newer.is_empty() {
            return false;
        }
        let Outcome::Best(item) = &*self.sema.resolve_call(CallKey { candidates: newer, ..key.clone() }) else {
            return false;
        };
        let since = self.sema.since(item.decl);
        if since.includes(self.sema.version()) {
            return false;
        }
        let what = format!("`{name}` with ({}) needs", self.spell_given(key).join(", "));
        self.needs(since, TokenRange::new(token, token + 1), &what);
        true
    }

    fn candidate_notes(&self, failures: &[(DeclRef, Reason)]) -> Vec<(TokenRange, String)> {
        // A family's instances fail alike: one note for each declaration.
        let mut seen: Vec<DeclId> = Vec::new();
        let mut notes = Vec::new();
        for (item, reason) in failures {
            if seen.contains(&item.decl) {
                continue;
            }
            seen.push(item.decl);
            let token = self.ast()[item.decl].name_token;
            notes.push((
                TokenRange::new(token, token + 1),
                format!("`{}`: {}", self.spell_function(*item), self.spell_reason(reason)),
            ));
            if notes.len() == 8 {
                break;
            }
        }
        notes
    }

    fn spell_reason(&self, reason: &Reason) -> String {
        match reason {
            Reason::TooFew { needed, given } => {
                format!("needs {needed} argument{}, {given} given", if *needed == 1 { "" } else { "s" })
            }
            Reason::TooMany { accepted, given } => {
                format!("takes {accepted} argument{}, {given} given", if *accepted == 1 { "" } else { "s" })
            }
            Reason::Argument { index, param, why } => {
                let param = self.sema.spell(*param);
                let number = index + 1;
                match why {
                    Why::Space(have, wanted) => format!(
                        "argument {number} is in {} memory, `{param}` needs {}",
                        self.space_name(*have),
                        self.space_name(*wanted)
                    ),
                    Why::Const => format!("argument {number} is `const`, `{param}` is not"),
                    Why::Temporary => format!("argument {number} is a temporary value, to which `{param}` cannot bind"),
                    Why::Component => {
                        format!("argument {number} is a vector component, to which `{param}` cannot bind")
                    }
                    Why::Type | Why::DeepSpace => format!("argument {number} does not convert to `{param}`"),
                }
            }
            Reason::Object(why) => match why {
                Why::Space(have, wanted) => format!(
                    "the object is in {} memory, the function takes one in {}",
                    self.space_name(*have),
                    self.space_name(*wanted)
                ),
                _ => "the object is `const`, the function is not".to_owned(),
            },
            Reason::Template => "the template arguments do not fit".to_owned(),
            Reason::NotHere => "does not exist for this type".to_owned(),
        }
    }

    pub(crate) fn object_message(&self, name: &str, have: Space, wanted: Space) -> (Code, String) {
        match (have, wanted) {
            (Space::Generic, _) => (
                Code::GenericToConcrete,
                format!(
                    "`{name}` can only be called on an object in {} memory, and this one is generic: annotate the calling member with `{}`",
                    self.space_name(wanted),
                    wanted.word()
                ),
            ),
            (_, Space::Generic) => (
                Code::ConstantToGeneric,
                format!("`{name}` takes a generic object, which does not cover {} memory", self.space_name(have)),
            ),
            _ => (
                Code::AddressSpaceMismatch,
                format!(
                    "`{name}` is called on an object in {} memory, but takes one in {} memory: declare an overload with `{}` after its parameters",
                    self.space_name(have),
                    self.space_name(wanted),
                    have.word()
                ),
            ),
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
                _ => return ExprInfo::UNKNOWN,
            },
            TyKind::Closure(closure, bind) => return self.call_closure(*closure, *bind, &infos),
            TyKind::Record(..) => {
                let members = self.sema.members_by(ty, Key::Operator(OverloadedOp::Call));
                if members.items.is_empty() {
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
            _ => return ExprInfo::UNKNOWN,
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

    /// The object that `.` or `->` works on; `->` on a class goes through its `operator->`.
    fn object_of(&mut self, base: &ExprInfo, arrow: bool, token: u32) -> Option<ExprInfo> {
        if !arrow {
            return (!matches!(self.kind(base.ty.ty), TyKind::Unknown | TyKind::Invalid | TyKind::Dependent))
                .then_some(*base);
        }
        let mut current = *base;
        for _ in 0..8 {
            match self.kind(self.sema.decayed(current.ty)) {
                TyKind::Pointer(pointee) => return Some(ExprInfo::lvalue(*pointee)),
                TyKind::Record(..) if !self.sema.store().is_dependent(current.ty.ty) => {
                    let members = self
                        .sema
                        .members_by(current.ty.ty, Key::Operator(OverloadedOp::Punct(msl_preproc::Punct::Arrow)));
                    let key = CallKey {
                        candidates: members.items,
                        object: Some(current),
                        explicit: None,
                        args: SmallVec::new(),
                    };
                    match &*self.sema.resolve_call(key) {
                        Outcome::Best(item) => {
                            self.refer(token, *item);
                            current = ExprInfo::of_call_result(&self.sema, self.sema.result_of(*item));
                        }
                        _ => return None,
                    }
                }
                _ => return None,
            }
        }
        None
    }

    pub(crate) fn member(&mut self, expr: ExprId, base: ExprId, arrow: bool, member: &Path) -> ExprInfo {
        let Some(last) = member.last() else {
            self.expr(base);
            return ExprInfo::UNKNOWN;
        };
        let object_expr = self.expr(base);
        let Some(object) = self.object_of(&object_expr, arrow, self.ast()[base].range.end) else {
            if self.is_dependent(&object_expr) {
                return ExprInfo::DEPENDENT;
            }
            if arrow && self.is_solid(&object_expr) && !matches!(self.kind(object_expr.ty.ty), TyKind::Record(..)) {
                let range = TokenRange::new(last.token, last.token + 1);
                self.report(
                    Code::UnknownMember,
                    range,
                    format!("`->` needs a pointer; this is `{}`", self.sema.spell_ty(object_expr.ty.ty)),
                );
            }
            return ExprInfo::UNKNOWN;
        };
        let ty = object.ty.ty;
        let UnqualName::Ident(name) = last.name else {
            return match last.name {
                UnqualName::Destructor(_) => ExprInfo::UNKNOWN,
                _ if self.sema.store().is_dependent(ty) => ExprInfo::DEPENDENT,
                _ => ExprInfo { flags: ExprFlags::OVERLOAD_SET, expr: Some(expr), ..ExprInfo::UNKNOWN },
            };
        };
        let range = TokenRange::new(last.token, last.token + 1);
        match self.kind(ty) {
            TyKind::Vector(scalar, width) | TyKind::Packed(scalar, width) => {
                self.swizzle(&object, *scalar, *width, name.as_str(), range)
            }
            TyKind::Record(..) => {
                let is_dependent = self.sema.store().is_dependent(ty);
                if is_dependent && !self.sema.is_current_instantiation(ty) {
                    return ExprInfo::DEPENDENT;
                }
                let members = self.sema.members(ty, name);
                let Some(&item) = members.items.first() else {
                    if members.uncertain || is_dependent {
                        return if is_dependent { ExprInfo::DEPENDENT } else { ExprInfo::UNKNOWN };
                    }
                    let access = self.access_fix(base, ty, name.as_str());
                    self.no_member(ty, name, range, members.too_new, access);
                    return ExprInfo::UNKNOWN;
                };
                for &item in &members.items {
                    self.refer(last.token, item);
                }
                match &self.ast()[item.decl].kind {
                    DeclKind::Variable(variable) => {
                        if self.ast()[item.decl].specs.contains(Specs::STATIC) {
                            let declared = self.sema.variable_type(item);
                            return match self.kind(declared.ty) {
                                TyKind::LRef(inner) => ExprInfo::lvalue(*inner),
                                _ => ExprInfo::lvalue(declared.with_space(self.sema.storage(item.decl, declared))),
                            };
                        }
                        self.field(item, variable, &object)
                    }
                    DeclKind::Enumerator { .. } => match self.sema.enum_of(item.decl) {
                        Some(owner) => ExprInfo::value(self.sema.enum_type(owner, item.bind)),
                        None => ExprInfo::UNKNOWN,
                    },
                    DeclKind::Function(_) => {
                        ExprInfo { flags: ExprFlags::OVERLOAD_SET, expr: Some(expr), ..ExprInfo::UNKNOWN }
                    }
                    _ => ExprInfo::UNKNOWN,
                }
            }
            TyKind::Unknown | TyKind::Invalid => ExprInfo::UNKNOWN,
            _ if self.sema.store().is_dependent(ty) => ExprInfo::DEPENDENT,
            TyKind::Pointer(pointee) => {
                if !arrow && matches!(self.kind(pointee.ty), TyKind::Record(..)) {
                    self.report(
                        Code::UnknownMember,
                        range,
                        format!("`{}` is a pointer: use `->`", self.sema.spell_ty(ty)),
                    );
                } else if self.is_solid(&object) {
                    self.no_member(ty, name, range, None, None);
                }
                ExprInfo::UNKNOWN
            }
            _ => {
                if self.is_solid(&object) {
                    self.no_member(ty, name, range, None, None);
                }
                ExprInfo::UNKNOWN
            }
        }
    }

    /// A repair for a member that a texture has with another access: the declaration of the texture is changed.
    fn access_fix(&self, base: ExprId, ty: Ty, member: &str) -> Option<TokenFix> {
        let TyKind::Record(texture, bind) = self.kind(ty) else { return None };
        if !self.sema.is_library(*texture) {
            return None;
        }
        let now = self.store_access(*bind)?;
        let wanted = match (member, now.as_str()) {
            ("write", "read") | ("read", "write") => "read_write",
            ("write", _) => "write",
            ("read", _) => "read",
            _ if member.starts_with("sample") || member.starts_with("gather") => "sample",
            _ => return None,
        };
        let ExprKind::Path(path) = &self.ast()[base].kind else { return None };
        let found = self.sema.lookup_path(path, self.cx);
        let [item] = &*found.items else { return None };
        let DeclKind::Variable(variable) = &self.ast()[item.decl].kind else { return None };
        let mut node = variable.ty;
        while let TypeKind::Qualified { inner, .. } = &self.ast()[node].kind {
            node = *inner;
        }
        let TypeKind::Path { path, .. } = &self.ast()[node].kind else { return None };
        let args = path.last()?.args.as_ref()?;
        let text = format!("{}access::{wanted}", if path.segments.len() > 1 { "metal::" } else { "" });
        let edit = match &**args {
            [only] => TokenEdit {
                range: TokenRange::new(only.range.end, only.range.end),
                after: true,
                text: format!(", {text}"),
            },
            [_, access] | [_, access, _] => TokenEdit { range: access.range, after: false, text },
            _ => return None,
        };
        Some(TokenFix {
            title: format!("Declare the texture with `access::{wanted}`"),
            preferred: false,
            edits: vec![edit],
        })
    }

    /// The access among a texture's template arguments.
    fn store_access(&self, bind: BindId) -> Option<String> {
        if bind == BindId::NONE {
            return None;
        }
        self.sema.store().bindings(bind).args.iter().find_map(|arg| match arg {
            TArg::Value { value, ty } => match self.kind(*ty) {
                TyKind::Enum(decl, _) if self.sema.decl_name(*decl).is_some_and(|name| name.as_str() == "access") => {
                    Some(self.sema.spell_const(*value, *ty).rsplit("::").next().unwrap_or_default().to_owned())
                }
                _ => None,
            },
            _ => None,
        })
    }

    fn no_member(
        &self,
        ty: Ty,
        name: msl_intern::Name,
        range: TokenRange,
        too_new: Option<DeclId>,
        repair: Option<TokenFix>,
    ) {
        if too_new.is_some() {
            let diagnostic = self.sema.undeclared(name, range, too_new, "member");
            self.sema.report(|| diagnostic);
            return;
        }
        // The library may have the member for other template arguments.
        let reason = match self.sema.record_info(ty) {
            Some(info) if self.sema.is_library(info.decl) => info.scope.and_then(|scope| {
                let decl = *self.ast()[scope].get(name).first()?;
                Some(self.sema.enable_if_reason(decl).unwrap_or_default())
            }),
            _ => None,
        };
        let spelled = self.sema.spell_ty(ty);
        let is_sometimes = reason.is_some();
        let message = match reason {
            Some(reason) if !reason.is_empty() => format!("`{spelled}` has no member `{name}`: it {reason}"),
            Some(_) => format!("`{spelled}` has no member `{name}`; other forms of this type have it"),
            None => format!("`{spelled}` has no member `{name}`"),
        };
        self.sema.report(|| {
            let mut diagnostic = TyDiagnostic {
                code: Code::UnknownMember,
                severity: None,
                range,
                message,
                related: Vec::new(),
                fixes: Vec::new(),
            };
            if is_sometimes {
                diagnostic.fixes.extend(repair);
            } else {
                self.sema.suggest(&mut diagnostic, self.sema.close_member(ty, name));
            }
            diagnostic
        });
    }

    /// Vector components (MSL spec §2.2.1).
    fn swizzle(&self, object: &ExprInfo, scalar: Scalar, width: u8, name: &str, range: TokenRange) -> ExprInfo {
        let set = if name.bytes().all(|c| b"xyzw".contains(&c)) {
            &b"xyzw"[..]
        } else if name.bytes().all(|c| b"rgba".contains(&c)) {
            &b"rgba"[..]
        } else {
            &[]
        };
        let spelled = self.sema.spell_ty(object.ty.ty);
        if set.is_empty() || name.len() > 4 {
            // Other widths than the language documents have components that it does not document either.
            if width <= 4 {
                let mixed = name.len() <= 4 && name.bytes().all(|c| b"xyzwrgba".contains(&c));
                let message = if mixed {
                    format!("`{name}` mixes the component names `xyzw` and `rgba`")
                } else {
                    format!("`{spelled}` has no component `{name}`")
                };
                self.report(Code::UnknownMember, range, message);
            }
            return ExprInfo::UNKNOWN;
        }
        let index_of = |c: u8| set.iter().position(|&own| own == c).unwrap_or(0) as u8;
        if let Some(beyond) = name.bytes().find(|&c| index_of(c) >= width) {
            self.report(Code::UnknownMember, range, format!("`{spelled}` has no component `{}`", beyond as char));
            return ExprInfo::UNKNOWN;
        }
        let ty = QualTy { ty: self.sema.store().vector(scalar, name.len() as u8), ..object.ty };
        let repeats = name.bytes().enumerate().any(|(index, c)| name.bytes().take(index).any(|other| other == c));
        let category = if repeats { Category::PrValue } else { object.category };
        let ty = if category == Category::PrValue { ty.unqualified() } else { ty };
        ExprInfo { ty, category, flags: ExprFlags::COMPONENT, expr: None }
    }

    // -- construction ---------------------------------------------------------------------------------------------

    pub(crate) fn construct(&mut self, expr: ExprId, node: TypeId, args: &[ExprId], braces: bool) -> ExprInfo {
        let mut infos: SmallVec<[ExprInfo; 4]> = SmallVec::new();
        let mut unknown_length = false;
        if braces {
            if let Some(&list) = args.first() {
                self.expr(list);
                if let ExprKind::InitList(items) = &self.ast()[list].kind {
                    for &item in items {
                        match self.info_of(item) {
                            Some(info) => infos.push(info),
                            None => unknown_length = true,
                        }
                    }
                }
            }
        } else {
            match self.arguments(args) {
                Some(arguments) => infos = arguments,
                None => unknown_length = true,
            }
        }
        // A class template's name alone: its arguments are deduced.
        let mut deduced = None;
        if let TypeKind::Path { path, .. } = &self.ast()[node].kind
            && let Named::Template(template) = self.sema.named_type(path, self.cx)
        {
            self.note_path(path);
            self.check_class_deduction(template, node);
            deduced = Some(if unknown_length { QualTy::UNKNOWN } else { self.sema.deduce_class(template, &infos) });
        }
        let ty = match deduced {
            Some(QualTy::DEPENDENT) => return ExprInfo::DEPENDENT,
            Some(ty) => ty,
            None => self.types_in(node),
        };
        if self.sema.store().is_dependent(ty.ty) {
            // `vec<T, 4>(…)` has a type of its own even so.
            return ExprInfo::prvalue(ty.unqualified());
        }
        if ty.ty == Ty::UNKNOWN || ty.ty == Ty::INVALID {
            return ExprInfo::UNKNOWN;
        }
        if self.sema.store().flags(ty.ty).contains(TyFlags::AUTO) {
            return infos.first().map_or(ExprInfo::UNKNOWN, |info| ExprInfo::value(self.sema.decayed(info.ty)));
        }
        if let TyKind::Record(..) = self.kind(ty.ty)
            && !braces
            && args.len() == infos.len()
        {
            self.note_constructor(expr, ty.ty, node, &infos);
        }
        if !unknown_length {
            self.check_construction(self.ast()[expr].range, ty.ty, &infos, braces);
        }
        ExprInfo::of_call_result(&self.sema, ty)
    }

    /// Notes which constructor a construction calls.
    fn note_constructor(&mut self, expr: ExprId, class: Ty, node: TypeId, args: &[ExprInfo]) {
        if !self.keeps_facts {
            return;
        }
        let Some(constructors) = self.sema.constructors(class) else { return };
        if constructors.is_empty() {
            return;
        }
        let key = CallKey {
            candidates: constructors.into_iter().collect(),
            object: None,
            explicit: None,
            args: SmallVec::from_slice(args),
        };
        if let Outcome::Best(item) = &*self.sema.resolve_call(key) {
            self.called(expr, *item);
            let token = self.ast()[node].range.end.saturating_sub(1);
            self.facts.refs.entry(token).or_default().push(*item);
        }
    }
}

impl<'a> Sema<'a> {
    /// Conversions of what has no type of its own: braced lists and overload sets.
    pub(crate) fn convert_special(&self, from: &ExprInfo, to: QualTy) -> Converts {
        let Some(expr) = from.expr else { return Converts::Unsure };
        if from.is_overload_set() {
            let _ = expr;
            return match self.kind(self.strip_ref(to).ty) {
                TyKind::Pointer(_) | TyKind::Function(_) => Converts::Unsure,
                _ if !self.store().is_solid(to.ty) => Converts::Unsure,
                _ => Converts::No(Why::Type),
            };
        }
        let target = self.strip_ref(to);
        if !self.store().is_solid(target.ty) {
            return Converts::Unsure;
        }
        let ExprKind::InitList(items) = &self.ast[expr].kind else { return Converts::Unsure };
        match self.kind(target.ty) {
            TyKind::Scalar(_) | TyKind::Pointer(_) if items.len() > 1 => Converts::No(Why::Type),
            TyKind::Scalar(_) | TyKind::Pointer(_) | TyKind::Vector(..) | TyKind::Packed(..) | TyKind::Matrix(..) => {
                Converts::Yes(Conv::EXACT)
            }
            _ => Converts::Unsure,
        }
    }

    /// A function's declaration in one line, under its bindings.
    pub fn spell_function(&self, item: DeclRef) -> String {
        let signature = self.signature(item);
        let decl = &self.ast[item.decl];
        let DeclKind::Function(function) = &decl.kind else { return String::new() };
        let mut name = crate::types::spell_name(function.name);
        if let Some(ident) = self.decl_name(item.decl) {
            name = self.qualified_name(item.decl, ident);
        }
        let params: Vec<String> = signature
            .params
            .iter()
            .map(|param| {
                self.spell_with(param.ty, &self.decl_name(param.decl).map_or(String::new(), |name| name.to_string()))
            })
            .collect();
        let mut text = match function.role {
            FunctionRole::Plain => self.spell_with(signature.ret, &format!("{name}({})", params.join(", "))),
            FunctionRole::Conversion => format!("operator {}()", self.spell(signature.ret)),
            _ => format!("{name}({})", params.join(", ")),
        };
        if let Some(this) = &signature.this {
            if this.cv.contains(Cv::CONST) {
                text.push_str(" const");
            }
            if this.annotated {
                text.push(' ');
                text.push_str(this.space.word());
            }
        }
        text
    }
}
