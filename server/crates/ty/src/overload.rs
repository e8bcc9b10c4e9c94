//! Overload resolution (C++ [over.match]): candidates, viability, the best one, and why there is none.

use std::sync::Arc;

use msl_parser::ast::*;
use smallvec::SmallVec;

use crate::convert::{Conv, Converts, Rank, Why};
use crate::deduce::Deduced;
use crate::expr::ExprInfo;
use crate::sema::{DeclRef, Sema};
use crate::signature::Param;
use crate::store::*;

/// Everything that decides an overload resolution; outcomes are remembered by it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CallKey {
    pub candidates: SmallVec<[DeclRef; 2]>,
    /// The object, for member calls.
    pub object: Option<ExprInfo>,
    /// Explicit template arguments.
    pub explicit: Option<Arc<[TArg]>>,
    pub args: SmallVec<[ExprInfo; 4]>,
}

/// What overload resolution came to.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The function that is called, with its template parameters bound.
    Best(DeclRef),
    Ambiguous(Vec<DeclRef>),
    /// No candidate fits; each with the reason.
    None(Vec<(DeclRef, Reason)>),
    /// Something is not known: if all that may fit give the same result type, that is at least known.
    Unsure(Option<QualTy>),
    /// Depends on template parameters.
    Dependent,
}

/// Why a candidate does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    TooFew {
        needed: usize,
        given: usize,
    },
    TooMany {
        accepted: usize,
        given: usize,
    },
    /// Argument number (from 0), and the parameter's type.
    Argument {
        index: usize,
        param: QualTy,
        why: Why,
    },
    Object(Why),
    /// Template arguments could not be deduced, or make the declaration ill-formed.
    Template,
    /// The library does not have this overload here.
    NotHere,
}

/// Whether arguments convert to parameters, and how.
pub(crate) enum Fit {
    Yes(SmallVec<[Conv; 4]>),
    No(Reason),
    Unsure,
}

enum Viability {
    Viable(Candidate),
    Not(Reason),
    Unsure(Option<QualTy>),
}

struct Candidate {
    item: DeclRef,
    convs: SmallVec<[Conv; 4]>,
    is_template: bool,
    /// The template as declared, for partial ordering.
    pattern: DeclRef,
}

impl<'a> Sema<'a> {
    /// Whether a library declaration stands for one ordinary overload for each type of a set.
    pub(crate) fn is_each_family(&self, decl: DeclId) -> bool {
        self.is_library(decl) && self.env.library.facts(decl).is_some_and(|facts| !facts.each.is_empty())
    }

    /// The overloads that a family stands for, with the `each` parameters bound; other items stand for themselves.
    fn expand_family(&self, item: DeclRef) -> Arc<[DeclRef]> {
        if let Some(known) = self.env.caches.families.get(&item) {
            return Arc::clone(&known);
        }
        let ast: &'a Ast = self.ast;
        let decl = &ast[item.decl];
        let mut instances: Vec<DeclRef> = Vec::new();
        if let Some(&header) = decl.templates.last() {
            let params = &ast[header].params;
            let mut rows: Vec<Vec<TArg>> = vec![Vec::new()];
            for &param in params {
                let Some(types) = self.each_types(item.decl, param) else {
                    for row in &mut rows {
                        row.push(TArg::Unknown);
                    }
                    continue;
                };
                rows = rows
                    .iter()
                    .flat_map(|row| {
                        types.iter().map(|&ty| {
                            let mut row = row.clone();
                            row.push(TArg::Type(QualTy::plain(ty)));
                            row
                        })
                    })
                    .collect();
            }
            for row in rows {
                instances.push(DeclRef { decl: item.decl, bind: self.store().bind(item.bind, header, row.into()) });
            }
        }
        let instances: Arc<[DeclRef]> = instances.into();
        self.env.caches.families.insert(item, Arc::clone(&instances));
        instances
    }

    fn each_types(&self, decl: DeclId, param: DeclId) -> Option<Vec<Ty>> {
        let facts = self.env.library.facts(decl)?;
        let each = facts.each.iter().find(|each| each.param == param)?;
        Some(each.types.iter().filter_map(|spec| self.set_type(spec.scalar, spec.width)).collect())
    }

    fn set_type(&self, scalar: msl_builtins::sets::Scalar, width: u8) -> Option<Ty> {
        let scalar = Scalar::ALL[scalar as usize];
        match scalar {
            Scalar::BFloat if !self.env.version.at_least(3, 1) => return None,
            Scalar::Long | Scalar::ULong if !self.env.version.at_least(2, 2) => return None,
            _ => {}
        }
        Some(self.store().vector(scalar, width))
    }

    /// Resolves a call among candidates, remembering the outcome.
    pub(crate) fn resolve_call(&self, key: CallKey) -> Arc<Outcome> {
        let has_lists = key.args.iter().any(|arg| arg.is_init_list() || arg.is_overload_set());
        let is_local = has_lists
            || key.candidates.iter().any(|item| self.is_local_ref(*item))
            || key.args.iter().chain(&key.object).any(|arg| self.store().flags(arg.ty.ty).contains(TyFlags::LOCAL));
        if is_local {
            return Arc::new(self.compute_call(&key));
        }
        if let Some(known) = self.env.caches.calls.get(&key) {
            return Arc::clone(&known);
        }
        let outcome = Arc::new(self.deeper(|| self.compute_call(&key)).unwrap_or(Outcome::Unsure(None)));
        self.env.caches.calls.insert(key, Arc::clone(&outcome));
        outcome
    }

    fn compute_call(&self, key: &CallKey) -> Outcome {
        let store = self.store();
        let is_dependent = |info: &ExprInfo| store.is_dependent(info.ty.ty);
        if key.args.iter().any(is_dependent)
            || key.object.as_ref().is_some_and(is_dependent)
            || key
                .explicit
                .as_ref()
                .is_some_and(|args| args.iter().any(|arg| store.arg_flags(arg).contains(TyFlags::DEPENDENT)))
        {
            return Outcome::Dependent;
        }
        let mut viable: Vec<Candidate> = Vec::new();
        let mut failures: Vec<(DeclRef, Reason)> = Vec::new();
        let mut unsure: Vec<Option<QualTy>> = Vec::new();
        let mut consider = |item: DeclRef, pattern: DeclRef, is_template: bool| match self.viability(
            item,
            pattern,
            is_template,
            key,
        ) {
            Viability::Viable(candidate) => viable.push(candidate),
            Viability::Not(reason) => failures.push((item, reason)),
            Viability::Unsure(ret) => unsure.push(ret),
        };
        let mut template_failures: Vec<(DeclRef, Reason)> = Vec::new();
        let mut unsure_templates = 0usize;
        // A declaration of which only the name is known fits any call that no other one fits.
        let mut has_unknown = false;
        for &item in &key.candidates {
            let decl = &self.ast[item.decl];
            let DeclKind::Function(function) = &decl.kind else { continue };
            // An explicit specialisation is no candidate; it stands in for its template once that is chosen.
            if function.name_args.is_some() {
                continue;
            }
            if self.is_library(item.decl) && self.env.library.facts(item.decl).is_some_and(|facts| facts.unknown) {
                has_unknown = true;
                continue;
            }
            if self.is_each_family(item.decl) {
                if key.explicit.is_some() {
                    unsure_templates += 1;
                    continue;
                }
                for &instance in self.expand_family(item).iter() {
                    consider(instance, item, false);
                }
                continue;
            }
            let own_template = decl.templates.last().filter(|_| self.is_own_template(item));
            match own_template {
                Some(_) => {
                    let explicit = key.explicit.as_deref().unwrap_or_default();
                    match self.deduce_call(item, explicit, &key.args) {
                        Deduced::Yes(args) => {
                            let instance = self.with_args(item, args);
                            consider(instance, item, true);
                        }
                        Deduced::No => template_failures.push((item, self.template_failure(item, key))),
                        Deduced::Unsure => unsure_templates += 1,
                    }
                }
                None if key.explicit.is_some() => {}
                None => consider(item, item, false),
            }
        }
        failures.extend(template_failures);
        if unsure.is_empty() && unsure_templates == 0 {
            return match self.best(&viable) {
                Some(index) => {
                    let item = viable[index].item;
                    Outcome::Best(self.explicit_specialization(item).unwrap_or(item))
                }
                None if viable.is_empty() && has_unknown => Outcome::Unsure(None),
                None if viable.is_empty() => Outcome::None(failures),
                None => Outcome::Ambiguous(viable.iter().map(|candidate| candidate.item).collect()),
            };
        }
        // What is sure may still decide the result type.
        if unsure_templates == 0 && viable.is_empty() {
            let mut types = unsure.iter();
            if let Some(Some(first)) = types.next()
                && types.all(|ty| ty.as_ref() == Some(first))
            {
                return Outcome::Unsure(Some(*first));
            }
        }
        Outcome::Unsure(None)
    }

    /// Whether the innermost header of a function is its own and still unbound.
    fn is_own_template(&self, item: DeclRef) -> bool {
        let decl = &self.ast[item.decl];
        let DeclKind::Function(function) = &decl.kind else { return false };
        let Some(&header) = decl.templates.last() else { return false };
        if self.ast[header].params.is_empty() {
            return false;
        }
        if item.bind != BindId::NONE && self.store().bindings(item.bind).header == header {
            return false;
        }
        // An out-of-class definition's headers belong to its classes first.
        match &function.qualifier {
            Some(path) => {
                let of_classes = path.segments.iter().filter(|segment| segment.args.is_some()).count();
                decl.templates.len() > of_classes
            }
            None => true,
        }
    }

    fn template_failure(&self, item: DeclRef, key: &CallKey) -> Reason {
        // Where one argument alone rules the pattern out by its space, that is the reason to give.
        let pattern = self.signature(item);
        let given = key.args.len();
        if let Some(reason) = arity(&pattern.params, pattern.variadic, given) {
            return reason;
        }
        for (index, (param, arg)) in pattern.params.iter().zip(&key.args).enumerate() {
            let (wanted, have) = match (self.kind(param.ty.ty), self.kind(self.decayed(arg.ty))) {
                (TyKind::LRef(wanted), _) => (wanted.space, arg.place()),
                (TyKind::Pointer(wanted), TyKind::Pointer(have)) => (wanted.space, have.space),
                _ => continue,
            };
            if wanted != Space::None && have != Space::None && !have.converts_to(wanted) {
                return Reason::Argument { index, param: param.ty, why: Why::Space(have, wanted) };
            }
        }
        Reason::Template
    }

    /// Whether a function takes as many arguments, and its template as many explicit ones, as a call has: all that can
    /// be said as long as the call depends on template parameters.
    pub(crate) fn may_take(&self, item: DeclRef, key: &CallKey) -> bool {
        let signature = self.signature(item);
        let has_pack = signature.params.iter().any(|param| matches!(self.kind(param.ty.ty), TyKind::Expansion(_)));
        if !has_pack && arity(&signature.params, signature.variadic, key.args.len()).is_some() {
            return false;
        }
        let DeclKind::Function(function) = &self.ast[item.decl].kind else { return true };
        let Some(explicit) = &key.explicit else { return function.name_args.is_none() };
        let params = match self.ast[item.decl].templates.last() {
            Some(&header) if self.is_own_template(item) => &self.ast[header].params,
            _ => return false,
        };
        let is_pack = |param: &DeclId| match &self.ast[*param].kind {
            DeclKind::TypeParam { pack, .. } | DeclKind::TemplateParam { pack, .. } => *pack,
            DeclKind::Variable(variable) => variable.pack,
            _ => false,
        };
        explicit.len() <= params.len() || params.iter().any(is_pack)
    }

    fn viability(&self, item: DeclRef, pattern: DeclRef, is_template: bool, key: &CallKey) -> Viability {
        if !self.enabled(item) {
            return Viability::Not(Reason::NotHere);
        }
        let signature = self.signature(item);
        if signature.invalid {
            // Only what deduction puts in rules a template out; what is wrong as it is written is reported there.
            let is_written_so = !is_template || item == pattern || self.signature(pattern).invalid;
            return if is_written_so { Viability::Unsure(None) } else { Viability::Not(Reason::Template) };
        }
        let given = key.args.len();
        if let Some(reason) = arity(&signature.params, signature.variadic, given) {
            return Viability::Not(reason);
        }
        let mut convs: SmallVec<[Conv; 4]> = SmallVec::new();
        let mut is_unsure = false;
        match (&signature.this, &key.object) {
            (Some(this), Some(object)) => match self.convert_object(object, this) {
                Converts::Yes(conv) => convs.push(conv),
                Converts::No(why) => return Viability::Not(Reason::Object(why)),
                Converts::Unsure => is_unsure = true,
            },
            (None, Some(_)) => convs.push(Conv::EXACT),
            _ => {}
        }
        match self.convert_arguments(&signature.params, &key.args) {
            Fit::Yes(of_args) => convs.extend(of_args),
            Fit::No(reason) => return Viability::Not(reason),
            Fit::Unsure => is_unsure = true,
        }
        if is_unsure {
            let ret = signature.ret;
            return Viability::Unsure((self.store().is_solid(ret.ty)).then_some(ret));
        }
        Viability::Viable(Candidate { item, convs, is_template, pattern })
    }

    /// How the arguments of a call convert to parameters of which there are enough.
    fn convert_arguments(&self, params: &[Param], args: &[ExprInfo]) -> Fit {
        let mut convs: SmallVec<[Conv; 4]> = SmallVec::new();
        let mut is_unsure = false;
        for (index, arg) in args.iter().enumerate() {
            let Some(param) = params.get(index) else {
                convs.push(Conv::ELLIPSIS);
                continue;
            };
            let converts = if arg.is_init_list() || arg.is_overload_set() {
                self.convert_special(arg, param.ty)
            } else {
                self.convert(arg, param.ty)
            };
            match converts {
                Converts::Yes(conv) => convs.push(conv),
                Converts::No(why) => return Fit::No(Reason::Argument { index, param: param.ty, why }),
                Converts::Unsure => is_unsure = true,
            }
        }
        if is_unsure { Fit::Unsure } else { Fit::Yes(convs) }
    }

    /// Whether something with these parameters takes the arguments of a call.
    pub(crate) fn fit_arguments(&self, params: &[Param], variadic: bool, args: &[ExprInfo]) -> Fit {
        match arity(params, variadic, args.len()) {
            Some(reason) => Fit::No(reason),
            None => self.convert_arguments(params, args),
        }
    }

    /// The conversion of the object to `*this`.
    pub(crate) fn convert_object(&self, object: &ExprInfo, this: &crate::signature::This) -> Converts {
        let place = match object.place() {
            // A temporary lives in thread memory.
            Space::None => Space::Thread,
            place => place,
        };
        if !place.converts_to(this.space) {
            return Converts::No(Why::Space(place, this.space));
        }
        if !this.cv.contains(object.ty.cv - Cv::COHERENT) {
            return Converts::No(Why::Const);
        }
        let mut detail = 0;
        if this.cv.contains(Cv::CONST) && !object.ty.cv.contains(Cv::CONST) {
            detail += 1;
        }
        // A member function of the library without a space takes objects in any; one for this very space is better.
        let takes_more = this.space == Space::Generic && place != Space::Generic
            || this.space == Space::Unknown && place != Space::Unknown;
        if takes_more {
            detail += 8;
        }
        Converts::Yes(Conv { rank: Rank::Exact, detail, binding: crate::convert::Binding::LRef })
    }

    fn best(&self, viable: &[Candidate]) -> Option<usize> {
        (0..viable.len()).find(|&index| {
            (0..viable.len()).all(|other| other == index || self.is_better(&viable[index], &viable[other]))
        })
    }

    fn is_better(&self, a: &Candidate, b: &Candidate) -> bool {
        match compare(&a.convs, &b.convs) {
            Compared::Better => return true,
            Compared::Worse | Compared::Mixed => return false,
            Compared::Equal => {}
        }
        if a.is_template != b.is_template {
            return !a.is_template;
        }
        if a.item == b.item {
            return true;
        }
        if a.is_template {
            return self.more_specialized(a.pattern, b.pattern);
        }
        // A redeclaration is the same function; the definition stands for it.
        self.same_function(a.item, b.item) && self.prefer_declaration(a.item, b.item)
    }

    fn prefer_declaration(&self, a: DeclRef, b: DeclRef) -> bool {
        let has_body = |item: DeclRef| matches!(&self.ast[item.decl].kind, DeclKind::Function(function) if function.body != FunctionBody::None);
        match (has_body(a), has_body(b)) {
            (true, false) => true,
            (false, true) => false,
            _ => a.decl < b.decl,
        }
    }

    /// Whether two declarations declare the same function: same parameters, spaces and `this`.
    pub fn same_function(&self, a: DeclRef, b: DeclRef) -> bool {
        if a == b {
            return true;
        }
        let (a, b) = (self.signature(a), self.signature(b));
        a.params.len() == b.params.len()
            && a.variadic == b.variadic
            && a.params.iter().zip(b.params.iter()).all(|(a, b)| a.ty.ty == b.ty.ty)
            && match (&a.this, &b.this) {
                (Some(a), Some(b)) => a.cv == b.cv && a.space == b.space && a.class == b.class,
                (None, None) => true,
                _ => false,
            }
    }

    /// Partial ordering of function templates (C++ [temp.func.order]): `a`'s parameters as arguments fit `b`'s
    /// pattern, but not the reverse.
    fn more_specialized(&self, a: DeclRef, b: DeclRef) -> bool {
        let a_fits_b = self.pattern_fits(a, b);
        let b_fits_a = self.pattern_fits(b, a);
        if a_fits_b != b_fits_a {
            return a_fits_b;
        }
        if a_fits_b && b_fits_a {
            // A parameter pack is less specialised than parameters.
            let has_pack = |item: DeclRef| {
                self.signature(item).params.iter().any(|param| matches!(self.kind(param.ty.ty), TyKind::Expansion(_)))
            };
            let (a_pack, b_pack) = (has_pack(a), has_pack(b));
            if a_pack != b_pack {
                return b_pack;
            }
            // Redeclarations of one template.
            if self.same_template(a, b) {
                return self.prefer_declaration(a, b);
            }
        }
        false
    }

    fn same_template(&self, a: DeclRef, b: DeclRef) -> bool {
        let (Some(&a_header), Some(&b_header)) = (self.ast[a.decl].templates.last(), self.ast[b.decl].templates.last())
        else {
            return false;
        };
        self.ast[a_header].params.len() == self.ast[b_header].params.len()
            && self.decl_name(a.decl) == self.decl_name(b.decl)
            && self.signature(a).params.len() == self.signature(b).params.len()
            && self.declared_in(a.decl) == self.declared_in(b.decl)
    }

    fn pattern_fits(&self, a: DeclRef, b: DeclRef) -> bool {
        let (Some(&header), a_sig, b_sig) = (self.ast[b.decl].templates.last(), self.signature(a), self.signature(b))
        else {
            return false;
        };
        let strip = |params: &[Param]| -> Vec<TArg> {
            params
                .iter()
                .map(|param| match self.kind(param.ty.ty) {
                    TyKind::Expansion(inner) => TArg::Expansion(Arc::new(TArg::Type(self.strip_ref(*inner)))),
                    _ => TArg::Type(self.strip_ref(param.ty)),
                })
                .collect()
        };
        let (pattern, actual) = (strip(&b_sig.params), strip(&a_sig.params));
        // The arguments of a's own pack are taken as one element.
        let actual: Vec<TArg> = actual
            .into_iter()
            .map(|arg| match arg {
                TArg::Expansion(inner) if !matches!(pattern.last(), Some(TArg::Expansion(_))) => (*inner).clone(),
                other => other,
            })
            .collect();
        !matches!(self.deduce_args(header, &pattern, &actual, b.bind), Deduced::No)
    }

    /// What a call gives, from an outcome.
    pub(crate) fn result_of(&self, item: DeclRef) -> QualTy {
        let ret = self.signature(item).ret;
        if self.store().flags(ret.ty).contains(TyFlags::AUTO) {
            return self.deduced_return(item);
        }
        ret
    }
}

/// How the conversions that one function needs for the arguments of a call compare with those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compared {
    /// Better for some arguments, worse for none.
    Better,
    Worse,
    Equal,
    /// Better for some arguments, worse for others.
    Mixed,
}

/// Compares two lists of conversions (C++ [over.match.best]).
pub(crate) fn compare(a: &[Conv], b: &[Conv]) -> Compared {
    let mut result = Compared::Equal;
    for (a, b) in a.iter().zip(b) {
        let one = match a.better(*b) {
            Some(true) => Compared::Better,
            Some(false) => Compared::Worse,
            None => continue,
        };
        if result != Compared::Equal && result != one {
            return Compared::Mixed;
        }
        result = one;
    }
    result
}

fn arity(params: &[Param], variadic: bool, given: usize) -> Option<Reason> {
    let accepted = params.len();
    if given > accepted && !variadic {
        return Some(Reason::TooMany { accepted, given });
    }
    let needed = params.iter().filter(|param| !param.has_default).count();
    if given < needed {
        return Some(Reason::TooFew { needed, given });
    }
    None
}
