//! Template argument deduction (C++ [temp.deduct]).
//!
//! A pattern is a type with unbound parameters. Matching it with a concrete type binds the parameters. Address
//! spaces take part: a parameter that stands for a pointee takes the pointee's space with it, so that `T *` matched
//! with `device float *` gives `T = device float` (rule G44).

use std::sync::Arc;

use msl_parser::ast::*;
use rustc_hash::FxHashMap;

use crate::expr::ExprInfo;
use crate::sema::{Cx, DeclRef, Sema};
use crate::signature::Param;
use crate::store::*;

/// The outcome of a deduction.
#[derive(Clone, Debug)]
pub enum Deduced {
    /// One argument for each parameter of the header.
    Yes(Arc<[TArg]>),
    No,
    /// Depends on something that is not known.
    Unsure,
}

/// How far a match got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Match {
    Yes,
    No,
    Unsure,
}

impl Match {
    fn and(self, other: impl FnOnce() -> Match) -> Match {
        match self {
            Match::No => Match::No,
            Match::Yes => other(),
            Match::Unsure => match other() {
                Match::No => Match::No,
                _ => Match::Unsure,
            },
        }
    }
}

/// The outcome of a deduction for the parameters of several headers at once.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DeducedBindings {
    Yes(BindId),
    No,
    /// Depends on something that is not known.
    Unsure,
}

struct Deducer<'s, 'a> {
    sema: &'s Sema<'a>,
    params: &'s [DeclId],
    slots: FxHashMap<DeclId, TArg>,
    /// Elements collected for each pack.
    packs: FxHashMap<DeclId, Vec<TArg>>,
    /// A call: qualification differences are allowed, and derived classes match their bases.
    in_call: bool,
}

impl<'a> Sema<'a> {
    /// Deduces a partial specialisation's parameters from a specialisation's arguments.
    pub(crate) fn deduce_args(&self, header: TemplateId, pattern: &[TArg], actual: &[TArg], outer: BindId) -> Deduced {
        let ast: &'a Ast = self.ast;
        let mut deducer = Deducer {
            sema: self,
            params: &ast[header].params,
            slots: FxHashMap::default(),
            packs: FxHashMap::default(),
            in_call: false,
        };
        let matched = deducer.args(pattern, actual);
        deducer.finish(matched, header, outer)
    }

    /// Deduces a function template's parameters from the type that an explicit instantiation or specialisation
    /// declares. `explicit` are the arguments written after the name.
    pub(crate) fn deduce_function(&self, item: DeclRef, explicit: &[TArg], params: &[QualTy], ret: QualTy) -> Deduced {
        let ast: &'a Ast = self.ast;
        let Some(&header) = ast[item.decl].templates.last() else { return Deduced::No };
        let pattern = self.signature(item);
        let mut deducer = Deducer {
            sema: self,
            params: &ast[header].params,
            slots: FxHashMap::default(),
            packs: FxHashMap::default(),
            in_call: false,
        };
        if !deducer.explicit(explicit, header, item.bind) {
            return Deduced::No;
        }
        let patterns: Vec<QualTy> = pattern
            .params
            .iter()
            .map(|param| match self.kind(param.ty.ty) {
                // What is given explicitly need not be matched; its type is compared once everything is known.
                _ if deducer.all_explicit(param.ty, explicit.len()) => QualTy::DEPENDENT,
                _ => param.ty.unqualified(),
            })
            .collect();
        let mut matched = deducer.types(&patterns, params);
        // The result tells something where it is a parameter that nothing else mentions.
        if let TyKind::Param(_) = self.kind(pattern.ret.ty)
            && self.store().is_solid(ret.ty)
        {
            matched = matched.and(|| deducer.types(&[pattern.ret.unqualified()], &[ret.unqualified()]));
        }
        deducer.finish(matched, header, item.bind)
    }

    /// Deduces a function template's parameters from a call. `explicit` are the arguments written after the name.
    pub(crate) fn deduce_call(&self, item: DeclRef, explicit: &[TArg], args: &[ExprInfo]) -> Deduced {
        let ast: &'a Ast = self.ast;
        let Some(&header) = ast[item.decl].templates.last() else { return Deduced::No };
        let params: &'a [DeclId] = &ast[header].params;
        let pattern = self.signature(item);
        let mut deducer =
            Deducer { sema: self, params, slots: FxHashMap::default(), packs: FxHashMap::default(), in_call: true };
        if !deducer.explicit(explicit, header, item.bind) {
            return Deduced::No;
        }
        let matched = deducer.call_args(&pattern.params, explicit.len(), args);
        deducer.finish(matched, header, item.bind)
    }

    /// Deduces the parameters of all of `headers`, outermost first, from a call of something with these parameters.
    pub(crate) fn deduce_bindings(
        &self,
        pattern: &[Param],
        headers: &[TemplateId],
        outer: BindId,
        args: &[ExprInfo],
    ) -> DeducedBindings {
        let params: Vec<DeclId> = headers.iter().flat_map(|&header| self.ast[header].params.iter().copied()).collect();
        let mut deducer = Deducer {
            sema: self,
            params: &params,
            slots: FxHashMap::default(),
            packs: FxHashMap::default(),
            in_call: true,
        };
        match deducer.call_args(pattern, 0, args) {
            Match::No => return DeducedBindings::No,
            Match::Unsure => return DeducedBindings::Unsure,
            Match::Yes => {}
        }
        let mut bind = outer;
        for &header in headers {
            let Some(args) = deducer.arguments_of(header, bind) else { return DeducedBindings::No };
            bind = self.store().bind(bind, header, args);
        }
        DeducedBindings::Yes(bind)
    }
}

impl<'a> Deducer<'_, 'a> {
    /// Matches a call's arguments, of which the template's first `explicit` parameters are known already.
    fn call_args(&mut self, params: &[Param], explicit: usize, args: &[ExprInfo]) -> Match {
        let sema = self.sema;
        let mut matched = Match::Yes;
        let mut remaining = args.iter();
        for param in params {
            if let TyKind::Expansion(inner) = sema.kind(param.ty.ty) {
                for arg in remaining.by_ref() {
                    let inner = *inner;
                    matched = matched.and(|| self.pack_element(|deducer| deducer.call_arg(inner, arg)));
                }
                break;
            }
            let Some(arg) = remaining.next() else { break };
            if !sema.store().is_dependent(param.ty.ty) || self.all_explicit(param.ty, explicit) {
                continue;
            }
            matched = matched.and(|| self.call_arg(param.ty, arg));
        }
        matched
    }

    /// Takes over the arguments that are written; `false` if the template does not take them.
    fn explicit(&mut self, explicit: &[TArg], header: TemplateId, outer: BindId) -> bool {
        let mut given = explicit.iter();
        for &param in self.params {
            if self.is_pack(param) {
                let rest: Vec<TArg> = given.by_ref().cloned().collect();
                if !rest.is_empty() {
                    self.packs.insert(param, rest);
                }
                break;
            }
            match given.next() {
                Some(arg) if self.is_of_kind(param, arg) => {
                    let Some(arg) = self.sema.of_param_type(param, arg.clone(), header, outer) else { return false };
                    self.slots.insert(param, arg);
                }
                Some(_) => return false,
                None => break,
            }
        }
        given.next().is_none()
    }

    /// Whether an argument is of its parameter's kind: a type, a value or a template (C++ [temp.arg.explicit]).
    fn is_of_kind(&self, param: DeclId, arg: &TArg) -> bool {
        let flags = self.sema.store().arg_flags(arg);
        if flags.intersects(TyFlags::UNKNOWN | TyFlags::DEPENDENT) {
            return true;
        }
        !matches!(
            (&self.sema.ast[param].kind, arg),
            (DeclKind::Variable(_) | DeclKind::TemplateParam { .. }, TArg::Type(_))
                | (DeclKind::TypeParam { .. } | DeclKind::TemplateParam { .. }, TArg::Value { .. })
                | (DeclKind::TypeParam { .. } | DeclKind::Variable(_), TArg::Template(..))
        )
    }

    fn is_pack(&self, param: DeclId) -> bool {
        match &self.sema.ast[param].kind {
            DeclKind::TypeParam { pack, .. } | DeclKind::TemplateParam { pack, .. } => *pack,
            DeclKind::Variable(variable) => variable.pack,
            _ => false,
        }
    }

    /// Whether every parameter that a type mentions was given explicitly.
    fn all_explicit(&self, ty: QualTy, explicit: usize) -> bool {
        if explicit == 0 {
            return false;
        }
        let mut mentioned = Vec::new();
        mentioned_params(self.sema, ty.ty, &mut mentioned, 0);
        !mentioned.is_empty()
            && mentioned
                .iter()
                .all(|param| self.params.iter().position(|own| own == param).is_some_and(|index| index < explicit))
    }

    fn finish(self, matched: Match, header: TemplateId, outer: BindId) -> Deduced {
        match matched {
            Match::No => return Deduced::No,
            Match::Unsure => return Deduced::Unsure,
            Match::Yes => {}
        }
        self.arguments_of(header, outer).map_or(Deduced::No, Deduced::Yes)
    }

    /// One argument for each parameter of a header, defaults included; `None` if something was not deduced.
    fn arguments_of(&self, header: TemplateId, outer: BindId) -> Option<Arc<[TArg]>> {
        let sema = self.sema;
        let params = &sema.ast[header].params;
        let mut args: Vec<TArg> = Vec::with_capacity(params.len());
        for &param in params {
            if self.is_pack(param) {
                args.push(TArg::Pack(self.packs.get(&param).cloned().unwrap_or_default().into()));
                continue;
            }
            match self.slots.get(&param) {
                Some(arg) => args.push(arg.clone()),
                None => {
                    // What was deduced so far is visible to the defaults of later parameters.
                    let later: Vec<TArg> = args.clone();
                    args.push(sema.default_arg(header, later, param, outer)?);
                }
            }
        }
        Some(args.into())
    }

    fn pack_element(&mut self, body: impl FnOnce(&mut Self) -> Match) -> Match {
        let before = self.slots.clone();
        let pack_params: Vec<DeclId> = self.params.iter().copied().filter(|&param| self.is_pack(param)).collect();
        for param in &pack_params {
            self.slots.remove(param);
        }
        let matched = body(self);
        for param in pack_params {
            if let Some(element) = self.slots.remove(&param) {
                self.packs.entry(param).or_default().push(element);
            }
        }
        for (param, arg) in before {
            self.slots.entry(param).or_insert(arg);
        }
        matched
    }

    /// One argument of a call against its parameter (C++ [temp.deduct.call]).
    fn call_arg(&mut self, param: QualTy, arg: &ExprInfo) -> Match {
        let sema = self.sema;
        if arg.is_init_list() {
            return Match::Yes;
        }
        if arg.is_overload_set() {
            return Match::Yes;
        }
        if sema.store().is_dependent(arg.ty.ty) || matches!(sema.kind(arg.ty.ty), TyKind::Unknown | TyKind::Invalid) {
            return Match::Unsure;
        }
        match sema.kind(param.ty) {
            TyKind::LRef(inner) => {
                let actual = QualTy { space: if arg.is_lvalue() { arg.ty.space } else { Space::None }, ..arg.ty };
                self.ty(*inner, actual)
            }
            TyKind::RRef(inner) => {
                if let TyKind::Param(own) = sema.kind(inner.ty)
                    && inner.cv.is_empty()
                    && self.params.contains(own)
                    && arg.is_lvalue()
                {
                    let referee = sema.store().intern(TyKind::LRef(arg.ty));
                    return self.bind(*own, TArg::Type(QualTy::plain(referee)));
                }
                self.ty(*inner, QualTy { space: Space::None, ..arg.ty })
            }
            _ => {
                let actual = sema.decayed(arg.ty);
                self.ty(param.unqualified(), QualTy::plain(actual))
            }
        }
    }

    fn bind(&mut self, param: DeclId, arg: TArg) -> Match {
        match self.slots.get(&param) {
            None => {
                self.slots.insert(param, arg);
                Match::Yes
            }
            Some(known) => match (known, &arg) {
                (TArg::Value { value: a, .. }, TArg::Value { value: b, .. }) => {
                    if a == b {
                        Match::Yes
                    } else {
                        Match::No
                    }
                }
                _ if *known == arg => Match::Yes,
                (TArg::Unknown | TArg::DependentExpr(..), _) | (_, TArg::Unknown | TArg::DependentExpr(..)) => {
                    Match::Unsure
                }
                _ => Match::No,
            },
        }
    }

    fn ty(&mut self, pattern: QualTy, actual: QualTy) -> Match {
        let sema = self.sema;
        if let TyKind::Param(param) = sema.kind(pattern.ty) {
            if !self.params.contains(param) {
                return if pattern.ty == actual.ty { Match::Yes } else { Match::Unsure };
            }
            if !self.in_call && !actual.cv.contains(pattern.cv) {
                return Match::No;
            }
            let space = match (pattern.space, actual.space) {
                (Space::None, space) => space,
                (wanted, space) if wanted == space => Space::None,
                (Space::Generic, space) if self.in_call && space.covered_by_generic() => Space::None,
                (Space::Unknown, _) | (_, Space::Unknown) => Space::None,
                // A temporary has no space yet; it will live where the reference wants it.
                (_, Space::None) if self.in_call => Space::None,
                _ => return Match::No,
            };
            let deduced = QualTy { ty: actual.ty, cv: actual.cv - pattern.cv, space };
            return self.bind(*param, TArg::Type(deduced));
        }
        if !sema.store().is_dependent(pattern.ty) {
            if pattern.ty == actual.ty {
                return self.quals(pattern, actual);
            }
            if sema.store().is_unknown(pattern.ty) || sema.store().is_unknown(actual.ty) {
                return Match::Unsure;
            }
            return if self.in_call { Match::Yes } else { Match::No };
        }
        match self.quals(pattern, actual) {
            Match::No => return Match::No,
            Match::Unsure => return Match::Unsure,
            Match::Yes => {}
        }
        match (sema.kind(pattern.ty), sema.kind(actual.ty)) {
            (TyKind::DependentNode(..) | TyKind::Dependent, _) => Match::Yes,
            (_, TyKind::Unknown | TyKind::Invalid | TyKind::Dependent) => Match::Unsure,
            (TyKind::Pointer(p), TyKind::Pointer(a))
            | (TyKind::LRef(p), TyKind::LRef(a))
            | (TyKind::RRef(p), TyKind::RRef(a)) => self.ty(*p, *a),
            (TyKind::Array(p, len), TyKind::Array(a, actual_len)) => {
                let of_len = match (len, actual_len) {
                    (ArrayLen::Param(param), ArrayLen::Known(value)) => {
                        self.bind(*param, TArg::Value { value: Const::Int(i128::from(*value)), ty: Ty::ULONG })
                    }
                    (ArrayLen::Dependent, _) => Match::Yes,
                    (ArrayLen::Unknown, _) | (_, ArrayLen::Unknown) => Match::Unsure,
                    (a, b) if a == b => Match::Yes,
                    _ => Match::No,
                };
                // The qualifiers of an array are its elements'.
                let actual_elem = QualTy { cv: a.cv | actual.cv, space: actual.space, ..*a };
                let pattern_elem = QualTy { cv: p.cv | pattern.cv, space: pattern.space, ..*p };
                of_len.and(|| self.ty(pattern_elem, actual_elem))
            }
            (TyKind::Function(p), TyKind::Function(a)) => {
                if p.variadic != a.variadic {
                    return Match::No;
                }
                self.ty(p.ret, a.ret).and(|| self.types(&p.params, &a.params))
            }
            (TyKind::Record(p, p_bind), TyKind::Record(a, a_bind)) if p == a => self.links(*p_bind, *a_bind),
            (TyKind::Record(p, p_bind), TyKind::Vector(scalar, width)) => {
                self.builtin(*p, *p_bind, "vec", &[*scalar as u8], &[*width])
            }
            (TyKind::Record(p, p_bind), TyKind::Packed(scalar, width)) => {
                self.builtin(*p, *p_bind, "packed_vec", &[*scalar as u8], &[*width])
            }
            (TyKind::Record(p, p_bind), TyKind::Matrix(scalar, columns, rows)) => {
                self.builtin(*p, *p_bind, "matrix", &[*scalar as u8], &[*columns, *rows])
            }
            (TyKind::Record(..), TyKind::Record(..)) if self.in_call => {
                let Some(info) = sema.record_info(actual.ty) else { return Match::No };
                for &base in &info.bases {
                    let saved = self.slots.clone();
                    let result = self.ty(pattern, QualTy { ty: base, ..actual });
                    if result != Match::No {
                        return result;
                    }
                    self.slots = saved;
                }
                if info.uncertain { Match::Unsure } else { Match::No }
            }
            (TyKind::ParamInst(param, p_args), TyKind::Record(a, a_bind)) => {
                let link = sema.store().bindings(*a_bind);
                let template = TArg::Template(*a, link.parent);
                let args = Arc::clone(&link.args);
                self.bind(*param, template).and(|| self.args(p_args, &args))
            }
            (TyKind::MemberPointer(pc, pp), TyKind::MemberPointer(ac, ap)) => {
                self.ty(QualTy::plain(*pc), QualTy::plain(*ac)).and(|| self.ty(*pp, *ap))
            }
            _ => Match::No,
        }
    }

    fn quals(&self, pattern: QualTy, actual: QualTy) -> Match {
        if self.in_call {
            let fits = pattern.space == actual.space
                || matches!(pattern.space, Space::None | Space::Unknown)
                || matches!(actual.space, Space::None | Space::Unknown)
                || (pattern.space == Space::Generic && actual.space.covered_by_generic());
            // A pattern without a space that is not a parameter takes what the argument has only by conversion.
            return if fits { Match::Yes } else { Match::No };
        }
        if pattern.cv == actual.cv && (pattern.space == actual.space || pattern.space == Space::Unknown) {
            Match::Yes
        } else if actual.space == Space::Unknown {
            Match::Unsure
        } else {
            Match::No
        }
    }

    fn builtin(&mut self, decl: DeclId, bind: BindId, name: &str, scalar: &[u8], numbers: &[u8]) -> Match {
        let sema = self.sema;
        let Some(own) = sema.builtin_name(decl) else { return Match::No };
        if own.as_str() != name {
            // Placeholders such as `__scalar_of<T>` are not deduced from.
            return if matches!(own.as_str(), "vec" | "packed_vec" | "matrix") { Match::No } else { Match::Yes };
        }
        let args = Arc::clone(&sema.store().bindings(bind).args);
        let mut actual = vec![TArg::Type(QualTy::plain(Ty::scalar(Scalar::ALL[scalar[0] as usize])))];
        actual.extend(numbers.iter().map(|&n| TArg::Value { value: Const::Int(n.into()), ty: Ty::INT }));
        self.args(&args, &actual)
    }

    fn links(&mut self, pattern: BindId, actual: BindId) -> Match {
        if pattern == actual {
            return Match::Yes;
        }
        if pattern == BindId::NONE || actual == BindId::NONE {
            return Match::No;
        }
        let (p, a) = (self.sema.store().bindings(pattern), self.sema.store().bindings(actual));
        if p.header != a.header {
            return Match::No;
        }
        self.args(&p.args, &a.args).and(|| self.links(p.parent, a.parent))
    }

    fn types(&mut self, pattern: &[QualTy], actual: &[QualTy]) -> Match {
        let wrap = |types: &[QualTy]| -> Vec<TArg> {
            types
                .iter()
                .map(|ty| match self.sema.kind(ty.ty) {
                    TyKind::Expansion(inner) => TArg::Expansion(Arc::new(TArg::Type(*inner))),
                    _ => TArg::Type(*ty),
                })
                .collect()
        };
        let (pattern, actual) = (wrap(pattern), wrap(actual));
        self.args(&pattern, &actual)
    }

    fn args(&mut self, pattern: &[TArg], actual: &[TArg]) -> Match {
        let flatten = |args: &[TArg]| -> Vec<TArg> {
            args.iter()
                .flat_map(|arg| match arg {
                    TArg::Pack(inner) => inner.to_vec(),
                    other => vec![other.clone()],
                })
                .collect()
        };
        let (pattern, actual) = (flatten(pattern), flatten(actual));
        let mut matched = Match::Yes;
        let mut index = 0;
        for arg in &pattern {
            if let TArg::Expansion(inner) = arg {
                for element in &actual[index.min(actual.len())..] {
                    matched = matched.and(|| self.pack_element(|deducer| deducer.arg(inner, element)));
                }
                return matched;
            }
            let Some(element) = actual.get(index) else { return Match::No };
            matched = matched.and(|| self.arg(arg, element));
            index += 1;
        }
        if index == actual.len() { matched } else { Match::No }
    }

    fn arg(&mut self, pattern: &TArg, actual: &TArg) -> Match {
        match (pattern, actual) {
            (TArg::Type(p), TArg::Type(a)) => {
                let in_call = std::mem::replace(&mut self.in_call, false);
                let matched = self.ty(*p, *a);
                self.in_call = in_call;
                matched
            }
            (TArg::Param(param), _) if self.params.contains(param) => self.bind(*param, actual.clone()),
            (TArg::Param(a), TArg::Param(b)) if a == b => Match::Yes,
            (TArg::Value { value: p, .. }, TArg::Value { value: a, .. }) => {
                if p == a {
                    Match::Yes
                } else {
                    Match::No
                }
            }
            // The value of a dependent expression is checked once everything is deduced.
            (TArg::DependentExpr(..), _) => Match::Yes,
            (TArg::Unknown, _) | (_, TArg::Unknown | TArg::DependentExpr(..)) => Match::Unsure,
            (TArg::Template(p, p_bind), TArg::Template(a, a_bind)) => {
                if p == a && p_bind == a_bind {
                    Match::Yes
                } else {
                    Match::No
                }
            }
            _ => Match::No,
        }
    }
}

/// The template parameters that a type mentions.
fn mentioned_params(sema: &Sema<'_>, ty: Ty, result: &mut Vec<DeclId>, depth: u32) {
    if depth > 16 || !sema.store().is_dependent(ty) {
        return;
    }
    let mut of_args = |args: &[TArg]| {
        for arg in args {
            match arg {
                TArg::Type(ty) => mentioned_params(sema, ty.ty, result, depth + 1),
                TArg::Param(param) => result.push(*param),
                TArg::Expansion(inner) => {
                    if let TArg::Type(ty) = &**inner {
                        mentioned_params(sema, ty.ty, result, depth + 1);
                    }
                }
                _ => {}
            }
        }
    };
    match sema.kind(ty) {
        TyKind::Param(param) => result.push(*param),
        TyKind::Pointer(inner) | TyKind::LRef(inner) | TyKind::RRef(inner) | TyKind::Expansion(inner) => {
            mentioned_params(sema, inner.ty, result, depth + 1);
        }
        TyKind::Array(inner, len) => {
            if let ArrayLen::Param(param) = len {
                result.push(*param);
            }
            mentioned_params(sema, inner.ty, result, depth + 1);
        }
        TyKind::Record(_, bind) if *bind != BindId::NONE => of_args(&sema.store().bindings(*bind).args),
        TyKind::ParamInst(param, args) => {
            of_args(args);
            result.push(*param);
        }
        _ => {}
    }
}

impl<'a> Sema<'a> {
    /// A value as an argument has the type of its parameter, where that is a number's: `f<1>` and `f<1u>` are one.
    /// `None` for a function of another type than the parameter points to.
    fn of_param_type(&self, param: DeclId, arg: TArg, header: TemplateId, outer: BindId) -> Option<TArg> {
        let (TArg::Value { value, ty }, DeclKind::Variable(variable)) = (&arg, &self.ast[param].kind) else {
            return Some(arg);
        };
        let scope = self.ast[header].scope;
        let cx = Cx { scope, bind: outer, before: u32::MAX, before_local: u32::MAX, class: None };
        let wanted = self.quiet().value_param_type(variable, cx);
        if wanted == *ty {
            return Some(arg);
        }
        match (self.kind(wanted), value) {
            (TyKind::Scalar(_), _) => match self.convert_const(*value, wanted) {
                Some(value) => Some(TArg::Value { value, ty: wanted }),
                None => Some(arg),
            },
            (TyKind::Pointer(_), Const::Function(..))
                if self.store().is_solid(wanted) && self.store().is_solid(*ty) =>
            {
                None
            }
            _ => Some(arg),
        }
    }

    /// The default of one parameter, given the arguments before it.
    fn default_arg(&self, header: TemplateId, before: Vec<TArg>, param: DeclId, outer: BindId) -> Option<TArg> {
        let bind = self.store().bind(outer, header, before.into());
        let cx = Cx { scope: self.ast[header].scope, bind, before: u32::MAX, before_local: u32::MAX, class: None };
        match &self.ast[param].kind {
            DeclKind::TypeParam { default: Some(node), .. } => {
                let ty = self.quiet().resolve_type(*node, cx);
                (!self.store().is_invalid(ty.ty)).then_some(TArg::Type(ty))
            }
            DeclKind::TemplateParam { default: Some(node), .. } => {
                let arg =
                    TemplateArg { kind: TemplateArgKind::Type(*node), expansion: false, range: TokenRange::default() };
                self.quiet().plain_template_args(&[arg], cx).first().cloned()
            }
            DeclKind::Variable(variable) => {
                let ty = self.quiet().resolve_type(variable.ty, cx);
                if self.store().is_invalid(ty.ty) {
                    return None;
                }
                match &variable.init {
                    Init::Assign(expr) => {
                        let arg = TemplateArg {
                            kind: TemplateArgKind::Expr(*expr),
                            expansion: false,
                            range: TokenRange::default(),
                        };
                        self.quiet().plain_template_args(&[arg], cx).first().cloned()
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
