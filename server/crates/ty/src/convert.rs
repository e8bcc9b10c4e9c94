//! Implicit conversion sequences (C++ [over.best.ics]) with MSL's vectors and address spaces.

use msl_parser::ast::*;

use crate::expr::ExprInfo;
use crate::sema::{Cx, DeclRef, Sema};
use crate::store::*;

/// How good a conversion is, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rank {
    Exact,
    Promotion,
    Conversion,
    User,
    Ellipsis,
}

/// An implicit conversion sequence as far as ranking needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Conv {
    pub rank: Rank,
    /// Tie-breaks within a rank: a named space before generic, fewer qualifiers added, no `bool` at the end.
    pub detail: u8,
    /// How a reference binds, for the rule that rvalues prefer rvalue references.
    pub binding: Binding,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binding {
    Value,
    LRef,
    RRef,
}

/// Whether a conversion exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Converts {
    Yes(Conv),
    No(Why),
    /// Something involved is unknown.
    Unsure,
}

/// Why a conversion does not exist, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// No conversion between the types.
    Type,
    /// The address space of the first does not convert to the second.
    Space(Space, Space),
    /// A qualifier would be lost.
    Const,
    /// A non-const reference cannot bind to a temporary or a vector component.
    Temporary,
    /// A vector component or bit-field has no address.
    Component,
    /// The types differ in address spaces below the first level of pointers only (G42).
    DeepSpace,
}

const DETAIL_ADDS_CONST: u8 = 1;
const DETAIL_ADDS_VOLATILE: u8 = 2;
/// Gains or loses `coherent`, which is allowed, but not as good as neither.
const DETAIL_COHERENCE: u8 = 4;
const DETAIL_GENERIC: u8 = 8;
const DETAIL_TO_VOID: u8 = 16;
const DETAIL_TO_BOOL: u8 = 32;
/// A scalar becomes a vector: worse than becoming another scalar.
const DETAIL_SPLAT: u8 = 64;

impl Conv {
    const fn new(rank: Rank, detail: u8) -> Conv {
        Conv { rank, detail, binding: Binding::Value }
    }

    pub(crate) const EXACT: Conv = Conv::new(Rank::Exact, 0);
    pub(crate) const ELLIPSIS: Conv = Conv::new(Rank::Ellipsis, 0);
    const USER: Conv = Conv::new(Rank::User, 0);

    /// Whether this sequence is better than another (`Some(true)`), worse, or neither.
    pub fn better(self, other: Conv) -> Option<bool> {
        if self.rank != other.rank {
            return Some(self.rank < other.rank);
        }
        // User-defined conversions through different functions are not compared.
        if self.rank == Rank::User {
            return None;
        }
        if self.binding != other.binding && self.binding != Binding::Value && other.binding != Binding::Value {
            return Some(self.binding == Binding::RRef);
        }
        if self.detail != other.detail {
            return Some(self.detail < other.detail);
        }
        None
    }
}

impl<'a> Sema<'a> {
    /// The implicit conversion of an expression to a parameter's or variable's type.
    pub fn convert(&self, from: &ExprInfo, to: QualTy) -> Converts {
        self.deeper(|| self.convert_inner(from, to, true)).unwrap_or(Converts::Unsure)
    }

    fn unsure(&self, ty: Ty) -> bool {
        !self.store().is_solid(ty)
    }

    fn convert_inner(&self, from: &ExprInfo, to: QualTy, user: bool) -> Converts {
        if from.is_init_list() {
            return Converts::Unsure;
        }
        if from.is_overload_set() {
            return Converts::Unsure;
        }
        if self.unsure(from.ty.ty) || self.unsure(to.ty) {
            return Converts::Unsure;
        }
        match self.kind(to.ty) {
            TyKind::LRef(referee) => self.bind_reference(from, *referee, false, user),
            TyKind::RRef(referee) => self.bind_reference(from, *referee, true, user),
            _ => self.convert_value(from, to.ty, user),
        }
    }

    fn bind_reference(&self, from: &ExprInfo, to: QualTy, is_rvalue_ref: bool, user: bool) -> Converts {
        let binding = if is_rvalue_ref { Binding::RRef } else { Binding::LRef };
        if to.space == Space::Unknown || from.place() == Space::Unknown {
            return Converts::Unsure;
        }
        let same = from.ty.ty == to.ty || self.adds_qualifiers(from.ty, to);
        let related = same || self.derives_from(from.ty.ty, to.ty) == Some(true);
        let is_const = to.cv.contains(Cv::CONST) && !to.cv.contains(Cv::VOLATILE);
        if related && (from.is_lvalue() || from.is_xvalue()) && !from.is_component() {
            if is_rvalue_ref && from.is_lvalue() {
                return Converts::No(Why::Type);
            }
            if !is_rvalue_ref && from.is_xvalue() && !is_const {
                return Converts::No(Why::Temporary);
            }
            if !from.ty.space.converts_to(to.space) && from.ty.space != Space::None && to.space != Space::None {
                return Converts::No(Why::Space(from.ty.space, to.space));
            }
            if !to.cv.contains(from.ty.cv - Cv::COHERENT) {
                return Converts::No(Why::Const);
            }
            let mut detail = qualification(from.ty.cv, to.cv);
            if to.space == Space::Generic && from.ty.space != Space::Generic {
                detail += DETAIL_GENERIC;
            }
            let rank = if same { Rank::Exact } else { Rank::Conversion };
            return Converts::Yes(Conv { rank, detail, binding });
        }
        // A class may convert itself to the reference.
        if user
            && !related
            && matches!(self.kind(from.ty.ty), TyKind::Record(..))
            && let found @ (Converts::Yes(_) | Converts::Unsure) =
                self.user_conversion_to_reference(from, to, is_rvalue_ref)
        {
            return found;
        }
        if !is_rvalue_ref && !is_const {
            return Converts::No(if related && from.is_component() { Why::Component } else { Why::Temporary });
        }
        // A temporary lives in thread memory; references to other spaces cannot bind to it.
        if !matches!(to.space, Space::Thread | Space::Generic | Space::None | Space::Unknown) {
            if related && from.is_lvalue() {
                return Converts::No(Why::Space(from.ty.space, to.space));
            }
            return Converts::No(Why::Temporary);
        }
        if same {
            // A prvalue or a vector component becomes the temporary itself.
            let mut detail = qualification(Cv::empty(), to.cv);
            if to.space == Space::Generic {
                detail += DETAIL_GENERIC;
            }
            return Converts::Yes(Conv { rank: Rank::Exact, detail, binding });
        }
        if related {
            return Converts::Yes(Conv { rank: Rank::Conversion, detail: 0, binding });
        }
        match self.convert_value(from, to.ty, user) {
            Converts::Yes(conv) => Converts::Yes(Conv { binding, ..conv }),
            other => other,
        }
    }

    /// Conversion of a value to an unqualified, non-reference type.
    pub(crate) fn convert_value(&self, from: &ExprInfo, to: Ty, user: bool) -> Converts {
        let source = self.decayed(from.ty);
        let yes = |rank, detail| Converts::Yes(Conv::new(rank, detail));
        if source == to {
            return yes(Rank::Exact, 0);
        }
        match (self.kind(source), self.kind(to)) {
            (_, TyKind::Record(..)) | (TyKind::Record(..), _) => self.convert_class(from, source, to, user),
            (TyKind::Scalar(a), TyKind::Scalar(b)) => self.convert_scalar(*a, *b),
            (TyKind::Scalar(a), TyKind::Vector(b, _) | TyKind::Packed(b, _)) => match self.convert_scalar(*a, *b) {
                Converts::Yes(_) => yes(Rank::Conversion, DETAIL_SPLAT),
                other => other,
            },
            (TyKind::Enum(decl, bind), TyKind::Scalar(b)) if !self.is_scoped_enum(*decl) => {
                match self.kind(self.underlying_type(*decl, *bind)) {
                    TyKind::Scalar(a) if a == b => yes(Rank::Promotion, 0),
                    TyKind::Scalar(a) => match self.convert_scalar(*a, *b) {
                        Converts::Yes(_) if *b == Scalar::Int => yes(Rank::Promotion, 0),
                        Converts::Yes(_) => yes(Rank::Conversion, 0),
                        other => other,
                    },
                    _ => Converts::Unsure,
                }
            }
            (TyKind::Enum(decl, bind), TyKind::Vector(b, _)) if !self.is_scoped_enum(*decl) => {
                match self.kind(self.underlying_type(*decl, *bind)) {
                    TyKind::Scalar(a) => match self.convert_scalar(*a, *b) {
                        Converts::Yes(_) => yes(Rank::Conversion, DETAIL_SPLAT),
                        other => other,
                    },
                    _ => Converts::Unsure,
                }
            }
            (TyKind::Vector(a, n), TyKind::Packed(b, m)) | (TyKind::Packed(a, n), TyKind::Vector(b, m))
                if a == b && n == m =>
            {
                yes(Rank::Conversion, 0)
            }
            (TyKind::NullPtr, TyKind::Pointer(_)) => yes(Rank::Conversion, 0),
            (TyKind::NullPtr, TyKind::Scalar(Scalar::Bool)) => yes(Rank::Conversion, DETAIL_TO_BOOL),
            (TyKind::Scalar(scalar), TyKind::Pointer(_)) if scalar.is_integer() && from.is_null_constant() => {
                yes(Rank::Conversion, 0)
            }
            (TyKind::Pointer(_), TyKind::Scalar(Scalar::Bool)) => yes(Rank::Conversion, DETAIL_TO_BOOL),
            (TyKind::Pointer(a), TyKind::Pointer(b)) => self.convert_pointee(*a, *b),
            (TyKind::Closure(..), TyKind::Pointer(_)) => Converts::Unsure,
            (TyKind::MemberPointer(..), TyKind::MemberPointer(..)) => Converts::Unsure,
            _ => Converts::No(Why::Type),
        }
    }

    /// Conversions between scalars (MSL spec §2.1, §2.22): all are implicit, but `bfloat` takes no floating value
    /// and `half` does not mix with it.
    fn convert_scalar(&self, from: Scalar, to: Scalar) -> Converts {
        use Scalar::*;
        let yes = |rank, detail| Converts::Yes(Conv::new(rank, detail));
        match (from, to) {
            _ if from == to => yes(Rank::Exact, 0),
            (Half | Float, BFloat) | (BFloat, Half) => Converts::No(Why::Type),
            // Which integers convert to `bfloat` without being asked was not measured.
            (_, BFloat) => yes(Rank::Conversion, 0),
            (Bool | Char | UChar | Short | UShort, Int) => yes(Rank::Promotion, 0),
            (_, Bool) => yes(Rank::Conversion, 0),
            _ => yes(Rank::Conversion, 0),
        }
    }

    /// Pointer conversions: qualification, to a base class, to `void`, to generic.
    pub(crate) fn convert_pointee(&self, from: QualTy, to: QualTy) -> Converts {
        if from.space == Space::Unknown || to.space == Space::Unknown {
            return Converts::Unsure;
        }
        let same = from.ty == to.ty || self.adds_qualifiers(from, to);
        let to_void = to.ty == Ty::VOID && !matches!(self.kind(from.ty), TyKind::Function(_));
        let to_base = !same && self.derives_from(from.ty, to.ty) == Some(true);
        if !same && !to_void && !to_base {
            if self.unsure(from.ty) || self.unsure(to.ty) {
                return Converts::Unsure;
            }
            // Arrays of which one has no length.
            if let (TyKind::Array(a, x), TyKind::Array(b, y)) = (self.kind(from.ty), self.kind(to.ty))
                && a == b
                && [x, y].iter().any(|len| matches!(len, ArrayLen::Unknown | ArrayLen::Unsized))
            {
                return Converts::Unsure;
            }
            if self.same_but_for_spaces(from.ty, to.ty) {
                return Converts::No(Why::DeepSpace);
            }
            return Converts::No(Why::Type);
        }
        if !from.space.converts_to(to.space) && from.space != Space::None && to.space != Space::None {
            return Converts::No(Why::Space(from.space, to.space));
        }
        let from_cv = from.cv - Cv::COHERENT;
        if !to.cv.contains(from_cv) {
            return Converts::No(Why::Const);
        }
        let mut detail = qualification(from.cv, to.cv);
        if to.space == Space::Generic && from.space != Space::Generic {
            detail += DETAIL_GENERIC;
        }
        if to_void {
            detail += DETAIL_TO_VOID;
        }
        let rank = if same { Rank::Exact } else { Rank::Conversion };
        Converts::Yes(Conv::new(rank, detail))
    }

    /// Whether a type of pointers, or of arrays of pointers, becomes another one by qualifiers that are added behind its
    /// pointers: `T *[2]` and `const T *const [2]`. Then each level in front of an added qualifier is `const`
    /// (C++ [conv.qual]/3, and [dcl.init.ref]/4 for references).
    fn adds_qualifiers(&self, from: QualTy, to: QualTy) -> bool {
        match (self.kind(from.ty), self.kind(to.ty)) {
            (TyKind::Pointer(a), TyKind::Pointer(b)) => {
                a == b
                    || to.is_const()
                        && a.space == b.space
                        && b.cv.contains(a.cv)
                        && (a.ty == b.ty || self.adds_qualifiers(*a, *b))
            }
            (TyKind::Array(a, x), TyKind::Array(b, y)) => {
                let element = |elem: QualTy, array: QualTy| QualTy { cv: elem.cv | array.cv, ..elem };
                let (a, b) = (element(*a, from), element(*b, to));
                x == y && b.cv.contains(a.cv) && (a.ty == b.ty || self.adds_qualifiers(a, b))
            }
            _ => false,
        }
    }

    /// Whether two types are the same apart from the address spaces of pointers in them.
    fn same_but_for_spaces(&self, a: Ty, b: Ty) -> bool {
        match (self.kind(a), self.kind(b)) {
            (TyKind::Pointer(x), TyKind::Pointer(y)) => x.ty == y.ty || self.same_but_for_spaces(x.ty, y.ty),
            _ => false,
        }
    }

    fn convert_class(&self, from: &ExprInfo, source: Ty, to: Ty, user: bool) -> Converts {
        if self.derives_from(source, to) == Some(true) {
            return Converts::Yes(Conv::new(Rank::Conversion, 0));
        }
        if !user {
            return Converts::No(Why::Type);
        }
        let mut unsure = false;
        if matches!(self.kind(source), TyKind::Record(..)) {
            match self.conversion_functions(source) {
                Some(functions) => {
                    for (item, result) in functions {
                        if self.unsure(result.ty) {
                            unsure = true;
                            continue;
                        }
                        if !self.callable_on(item, from) {
                            continue;
                        }
                        match self.convert_inner(&ExprInfo::of_call_result(self, result), QualTy::plain(to), false) {
                            Converts::Yes(_) => return Converts::Yes(Conv::USER),
                            Converts::Unsure => unsure = true,
                            Converts::No(_) => {}
                        }
                    }
                }
                None => unsure = true,
            }
        }
        if matches!(self.kind(to), TyKind::Record(..)) {
            match self.constructors(to) {
                Some(constructors) => {
                    for item in constructors {
                        if self.ast[item.decl].specs.contains(Specs::EXPLICIT) {
                            continue;
                        }
                        match self.constructor_accepts(item, from) {
                            Converts::Yes(_) => return Converts::Yes(Conv::USER),
                            Converts::Unsure => unsure = true,
                            Converts::No(_) => {}
                        }
                    }
                }
                None => unsure = true,
            }
        }
        if unsure { Converts::Unsure } else { Converts::No(Why::Type) }
    }

    /// Whether a constructor takes one argument without a further user-defined conversion.
    fn constructor_accepts(&self, item: DeclRef, from: &ExprInfo) -> Converts {
        let item = if self.ast[item.decl].templates.is_empty() || self.is_each_family(item.decl) {
            item
        } else {
            match self.deduce_call(item, &[], std::slice::from_ref(from)) {
                crate::deduce::Deduced::Yes(args) => self.with_args(item, args),
                crate::deduce::Deduced::No => return Converts::No(Why::Type),
                crate::deduce::Deduced::Unsure => return Converts::Unsure,
            }
        };
        let signature = self.signature(item);
        if signature.invalid {
            return Converts::No(Why::Type);
        }
        let required = signature.params.iter().filter(|param| !param.has_default).count();
        if required > 1 || signature.params.is_empty() {
            return Converts::No(Why::Type);
        }
        self.convert_inner(from, signature.params[0].ty, false)
    }

    fn user_conversion_to_reference(&self, from: &ExprInfo, to: QualTy, is_rvalue_ref: bool) -> Converts {
        let Some(functions) = self.conversion_functions(from.ty.ty) else { return Converts::Unsure };
        let mut unsure = false;
        for (item, result) in functions {
            if !self.callable_on(item, from) {
                continue;
            }
            if !matches!(self.kind(result.ty), TyKind::LRef(_) | TyKind::RRef(_)) && !is_rvalue_ref && !to.is_const() {
                continue;
            }
            match self.bind_reference(&ExprInfo::of_call_result(self, result), to, is_rvalue_ref, false) {
                Converts::Yes(conv) => return Converts::Yes(Conv { rank: Rank::User, ..conv }),
                Converts::Unsure => unsure = true,
                Converts::No(_) => {}
            }
        }
        if unsure { Converts::Unsure } else { Converts::No(Why::Type) }
    }

    /// Whether a member function can be called on an object, by qualifiers and space.
    pub(crate) fn callable_on(&self, item: DeclRef, object: &ExprInfo) -> bool {
        match self.signature(item).this {
            Some(this) => object.place().converts_to(this.space) && this.cv.contains(object.ty.cv - Cv::COHERENT),
            None => true,
        }
    }

    /// The conversion functions of a class and its bases with their result types; `None` if some may be hidden.
    pub(crate) fn conversion_functions(&self, class: Ty) -> Option<Vec<(DeclRef, QualTy)>> {
        let info = self.record_info(class)?;
        let scope = info.scope?;
        let mut result = Vec::new();
        for &decl in &self.ast[scope].conversions {
            let item = DeclRef { decl, bind: info.bind };
            if !self.exists(decl) || !self.enabled(item) {
                continue;
            }
            if !self.ast[decl].templates.is_empty() {
                // A conversion function template can give any type.
                return None;
            }
            result.push((item, self.signature(item).ret));
        }
        if info.uncertain || self.is_partial(info.decl) {
            return None;
        }
        for &base in &info.bases {
            result.extend(self.deeper(|| self.conversion_functions(base)).flatten()?);
        }
        Some(result)
    }

    /// The declared constructors of a class; `None` if they cannot be known.
    pub(crate) fn constructors(&self, class: Ty) -> Option<Vec<DeclRef>> {
        let info = self.record_info(class)?;
        let scope = info.scope?;
        if self.is_partial(info.decl) {
            return None;
        }
        let mut constructors: Vec<DeclRef> = self.ast[scope]
            .constructors
            .iter()
            .map(|&decl| DeclRef { decl, bind: info.bind })
            .filter(|&item| self.exists(item.decl) && self.enabled(item))
            .collect();
        let DeclKind::Record(record) = &self.ast[info.decl].kind else { return Some(constructors) };
        for &member in &record.members {
            if let DeclKind::UsingDecl { target, .. } = &self.ast[member].kind {
                constructors.extend(self.inherited_constructors(&info, class, member, target)?);
            }
        }
        Some(constructors)
    }

    /// The constructors that `using Base::Base;` brings into a class (C++ [namespace.udecl]): all but those that copy
    /// a `Base`. Empty for another using-declaration; `None` if they cannot be known.
    fn inherited_constructors(
        &self,
        info: &crate::record::RecordInfo,
        class: Ty,
        using: DeclId,
        target: &Path,
    ) -> Option<Vec<DeclRef>> {
        use crate::resolve::Container;
        let scope = self.ast[using].scope;
        let cx = Cx { scope, bind: info.bind, before: u32::MAX, before_local: u32::MAX, class: Some(class) };
        let name = target.last().and_then(|last| last.name.ident());
        let base = match self.resolve_container(target, target.segments.len().checked_sub(1)?, cx) {
            Container::Record(base) => base,
            Container::Namespace(_) | Container::Enum(..) => return Some(Vec::new()),
            Container::Dependent | Container::Unknown => return None,
        };
        let named = self.record_info(base)?;
        // `using Alias::Alias` names the constructors, too.
        let qualifier = target.segments.iter().rev().nth(1).and_then(|segment| segment.name.ident());
        if !info.bases.contains(&base) || name != self.decl_name(named.decl) && name != qualifier {
            return Some(Vec::new());
        }
        let copies = |item: &DeclRef| {
            let signature = self.signature(*item);
            let required = signature.params.iter().filter(|param| !param.has_default).count();
            required <= 1
                && signature.params.first().is_some_and(
                    |param| matches!(self.kind(param.ty.ty), TyKind::LRef(of) | TyKind::RRef(of) if of.ty == base),
                )
        };
        let inherited = self.deeper(|| self.constructors(base)).flatten()?;
        Some(inherited.into_iter().filter(|item| !copies(item)).collect())
    }

    /// An item whose innermost template header is bound to `args`.
    pub(crate) fn with_args(&self, item: DeclRef, args: std::sync::Arc<[TArg]>) -> DeclRef {
        match self.ast[item.decl].templates.last() {
            Some(&header) => DeclRef { decl: item.decl, bind: self.store().bind(item.bind, header, args) },
            None => item,
        }
    }
}

fn qualification(from: Cv, to: Cv) -> u8 {
    let mut detail = 0;
    if to.contains(Cv::CONST) && !from.contains(Cv::CONST) {
        detail += DETAIL_ADDS_CONST;
    }
    if to.contains(Cv::VOLATILE) && !from.contains(Cv::VOLATILE) {
        detail += DETAIL_ADDS_VOLATILE;
    }
    if to.contains(Cv::COHERENT) != from.contains(Cv::COHERENT) {
        detail += DETAIL_COHERENCE;
    }
    detail
}
