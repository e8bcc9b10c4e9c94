//! From types as written to types: names, template arguments, qualifiers, address spaces.
//!
//! Resolving the same node under other bindings is how templates are instantiated: nothing is substituted in an
//! already resolved type. A type that mentions an unbound parameter comes out dependent, with as much structure as
//! template argument deduction can use.
//!
//! An address space that is missing where one is needed is reported here (rules G1, G2, G10, G12, G13, G23, G24),
//! once, by whoever resolves the declaration with a sink.

use std::sync::Arc;

use msl_diagnostics::Code;
use msl_intern::Name;
use msl_parser::ast::*;
use msl_parser::scope::ScopeKind;

use crate::deduce::Deduced;
use crate::lookup::{Found, Key};
use crate::sema::{Cx, DeclRef, Sema, TokenEdit, TokenFix, TyDiagnostic};
use crate::store::*;

/// What the front part of a qualified name names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Container {
    Namespace(ScopeId),
    Record(Ty),
    Enum(DeclId, BindId),
    /// Depends on template parameters.
    Dependent,
    /// Not found, or not modelled.
    Unknown,
}

/// What a path that should name a type came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Named {
    Type(QualTy),
    /// A class or alias template without arguments.
    Template(DeclRef),
    NotAType,
    NotFound,
    Unknown,
}

/// What a function's name means where no call chooses among overloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FunctionNamed {
    One(DeclRef),
    /// More than one, or it cannot be told which.
    Several,
    /// No function of this name takes the template arguments, or is of the type that is wanted.
    NoneFits,
}

impl<'a> Sema<'a> {
    /// The type that a node names, under the bindings of `cx`.
    pub fn resolve_type(&self, node: TypeId, cx: Cx) -> QualTy {
        self.deeper(|| self.resolve_type_inner(node, cx)).unwrap_or(QualTy::UNKNOWN)
    }

    fn resolve_type_inner(&self, node: TypeId, cx: Cx) -> QualTy {
        let ast: &'a Ast = self.ast;
        match &ast[node].kind {
            TypeKind::Error => QualTy::UNKNOWN,
            TypeKind::None => QualTy::plain(Ty::VOID),
            TypeKind::Builtin(builtin) => QualTy::plain(self.builtin_type(*builtin)),
            TypeKind::Auto => QualTy::plain(Ty::AUTO),
            TypeKind::DecltypeAuto => QualTy::plain(Ty::DECLTYPE_AUTO),
            TypeKind::Decltype(expr) => self.resolve_decltype(node, *expr, cx),
            TypeKind::Path { path, .. } | TypeKind::Elaborated { path, .. } | TypeKind::ElaboratedEnum { path } => {
                self.resolve_type_path(node, path, cx)
            }
            TypeKind::Record(decl) => QualTy::plain(self.record_self(*decl, cx.bind)),
            TypeKind::Enum(decl) => QualTy::plain(self.enum_type(*decl, cx.bind)),
            TypeKind::Qualified { inner, quals } => {
                let inner = self.resolve_type(*inner, cx);
                self.apply_quals(inner, quals)
            }
            TypeKind::Pointer(pointee) => {
                let pointee = self.resolve_type(*pointee, cx);
                let pointee = self.pointee_space(pointee, node, false);
                if matches!(self.kind(pointee.ty), TyKind::LRef(_) | TyKind::RRef(_)) {
                    return QualTy::plain(Ty::INVALID);
                }
                QualTy::plain(self.store().pointer(pointee))
            }
            TypeKind::LRef(referee) | TypeKind::RRef(referee) => {
                let is_rvalue = matches!(ast[node].kind, TypeKind::RRef(_));
                let referee = self.resolve_type(*referee, cx);
                // Reference collapsing (C++ [dcl.ref]).
                match self.kind(referee.ty) {
                    TyKind::LRef(_) => return referee,
                    TyKind::RRef(inner) => {
                        return if is_rvalue {
                            referee
                        } else {
                            QualTy::plain(self.store().intern(TyKind::LRef(*inner)))
                        };
                    }
                    TyKind::Void => return QualTy::plain(Ty::INVALID),
                    _ => {}
                }
                let referee = self.pointee_space(referee, node, is_rvalue);
                let kind = if is_rvalue { TyKind::RRef(referee) } else { TyKind::LRef(referee) };
                QualTy::plain(self.store().intern(kind))
            }
            TypeKind::Array { elem, len } => {
                let elem = self.resolve_type(*elem, cx);
                if matches!(self.kind(elem.ty), TyKind::LRef(_) | TyKind::RRef(_) | TyKind::Void) {
                    return QualTy::plain(Ty::INVALID);
                }
                let len = match len {
                    None => ArrayLen::Unsized,
                    Some(len) => self.array_len(*len, cx),
                };
                // Space and qualifiers of an array are the array's: its elements live where it lives, and an array of
                // `const` elements is the `const` form of the same array (C++ [basic.type.qualifier]).
                let (space, cv) = (elem.space, elem.cv);
                QualTy { ty: self.store().intern(TyKind::Array(elem.unqualified(), len)), cv, space }
            }
            TypeKind::Function(function) => QualTy::plain(self.resolve_function_type(function, cx)),
            TypeKind::MemberPointer { class, pointee } => {
                let pointee = self.resolve_type(*pointee, cx);
                let class = match self.resolve_container(class, class.segments.len(), cx) {
                    Container::Record(ty) => ty,
                    Container::Dependent => Ty::DEPENDENT,
                    _ => Ty::UNKNOWN,
                };
                QualTy::plain(self.store().intern(TyKind::MemberPointer(class, pointee)))
            }
            TypeKind::Pack(inner) => {
                let inner = self.resolve_type(*inner, cx);
                QualTy::plain(self.store().intern(TyKind::Expansion(inner)))
            }
            TypeKind::Transform { name, arg } => {
                let arg = self.resolve_type(*arg, cx);
                self.transform(*name, arg, node, cx)
            }
        }
    }

    /// The type of a keyword.
    pub(crate) fn builtin_type(&self, builtin: BuiltinType) -> Ty {
        match builtin {
            BuiltinType::Void => Ty::VOID,
            BuiltinType::Bool => Ty::BOOL,
            BuiltinType::Char | BuiltinType::SChar => Ty::CHAR,
            BuiltinType::UChar => Ty::UCHAR,
            BuiltinType::Short => Ty::SHORT,
            BuiltinType::UShort => Ty::USHORT,
            BuiltinType::Int => Ty::INT,
            BuiltinType::UInt => Ty::UINT,
            BuiltinType::Long | BuiltinType::LongLong => Ty::LONG,
            BuiltinType::ULong | BuiltinType::ULongLong => Ty::ULONG,
            BuiltinType::Half => Ty::HALF,
            BuiltinType::BFloat => Ty::BFLOAT,
            BuiltinType::Float => Ty::FLOAT,
            // Metal has none of these; the check of declarations reports it and nothing follows from the type.
            BuiltinType::Double
            | BuiltinType::LongDouble
            | BuiltinType::Wchar
            | BuiltinType::Char16
            | BuiltinType::Char32 => Ty::UNKNOWN,
        }
    }

    pub(crate) fn apply_quals(&self, inner: QualTy, quals: &Quals) -> QualTy {
        let mut cv = inner.cv;
        if quals.is_const {
            cv |= Cv::CONST;
        }
        if quals.is_volatile {
            cv |= Cv::VOLATILE;
        }
        if quals.coherent.is_some() {
            cv |= Cv::COHERENT;
        }
        let mut space = inner.space;
        for &(word, token) in &quals.spaces {
            let written = Space::from_word(word);
            // `thread` is the absence of an address space to the compiler: beside another one it has no effect.
            if matches!(space, Space::None | Space::Unknown | Space::Generic | Space::Thread) {
                space = written;
            } else if space != written && written != Space::Thread {
                self.report(|| TyDiagnostic {
                    code: Code::MisplacedAddressSpace,
                    severity: None,
                    range: TokenRange::new(token, token + 1),
                    message: format!(
                        "a type can be in one address space only: `{}` and `{}`",
                        space.word(),
                        written.word()
                    ),
                    related: Vec::new(),
                    fixes: Vec::new(),
                });
            }
        }
        if space == Space::Constant {
            cv |= Cv::CONST;
        }
        // Qualifiers on a reference have no effect (C++ [dcl.ref]).
        if matches!(self.kind(inner.ty), TyKind::LRef(_) | TyKind::RRef(_)) {
            return inner;
        }
        QualTy { ty: inner.ty, cv, space }
    }

    /// Gives the pointee of an unannotated pointer its space: generic from 4.1 on, an error before.
    fn pointee_space(&self, pointee: QualTy, node: TypeId, is_rvalue_ref: bool) -> QualTy {
        if pointee.space != Space::None {
            return pointee;
        }
        match self.kind(pointee.ty) {
            TyKind::Function(_) => return pointee,
            // Before 4.1 `T *` lacks a space wherever it is written (G44).
            TyKind::Param(_) if !self.generic() && matches!(self.ast[node].kind, TypeKind::Pointer(_)) => {
                self.report(|| self.missing_space(node));
                return pointee;
            }
            // A template parameter, and what is made from one, may carry its own space.
            TyKind::Param(_)
            | TyKind::DependentNode(..)
            | TyKind::Dependent
            | TyKind::Expansion(_)
            | TyKind::ParamInst(..) => {
                return pointee;
            }
            TyKind::Auto | TyKind::DecltypeAuto => return pointee,
            TyKind::Unknown | TyKind::Invalid => return pointee.with_space(Space::Unknown),
            _ => {}
        }
        if self.generic() {
            return pointee.with_space(Space::Generic);
        }
        // References to pointers are accepted without one, and refer to thread memory: real code that Apple's
        // compiler builds says `const device T *&`.
        if matches!(self.kind(pointee.ty), TyKind::Pointer(_)) && matches!(self.ast[node].kind, TypeKind::LRef(_)) {
            return pointee.with_space(Space::Thread);
        }
        if !is_rvalue_ref {
            self.report(|| self.missing_space(node));
        }
        pointee.with_space(Space::Unknown)
    }

    fn missing_space(&self, node: TypeId) -> TyDiagnostic {
        let (what, inner) = match &self.ast[node].kind {
            TypeKind::Pointer(inner) => ("pointer", *inner),
            TypeKind::LRef(inner) => ("reference", *inner),
            _ => ("type", node),
        };
        // The space goes before the pointee where that is a plain name, and after the `*` of an inner pointer.
        let inner_range = self.ast[inner].range;
        let mut innermost = inner;
        while let TypeKind::Qualified { inner, .. } = &self.ast[innermost].kind {
            innermost = *inner;
        }
        let is_inner_pointer = matches!(self.ast[innermost].kind, TypeKind::Pointer(_));
        let fixes = ["thread", "device", "threadgroup", "constant"]
            .iter()
            .map(|space| TokenFix {
                title: format!("Add `{space}`"),
                // Which one is right depends on the callers.
                preferred: false,
                edits: vec![if is_inner_pointer {
                    TokenEdit {
                        range: TokenRange::new(inner_range.end, inner_range.end),
                        after: true,
                        text: format!(" {space}"),
                    }
                } else {
                    TokenEdit {
                        range: TokenRange::new(inner_range.start, inner_range.start),
                        after: false,
                        text: format!("{space} "),
                    }
                }],
            })
            .collect();
        TyDiagnostic {
            code: Code::MissingAddressSpace,
            severity: None,
            range: self.ast[node].range,
            message: format!(
                "this {what} needs an address space: write `thread`, `device`, `threadgroup` or `constant` before the \
                 type it {}, or build as Metal 4.1, where it is generic",
                if what == "reference" { "refers to" } else { "points to" }
            ),
            related: Vec::new(),
            fixes,
        }
    }

    fn array_len(&self, len: ExprId, cx: Cx) -> ArrayLen {
        // A bare template parameter is a pattern that deduction can use.
        if let ExprKind::Path(path) = &self.ast[len].kind
            && let Some(name) = path.as_ident()
            && let [item] = &*self.lookup(Key::Name(name), cx).items
            && matches!(&self.ast[item.decl].kind, DeclKind::Variable(variable) if variable.kind == VariableKind::TemplateValue)
            && self.binding(item.decl, cx.bind).is_none_or(|arg| matches!(arg, TArg::Param(_)))
        {
            return match self.binding(item.decl, cx.bind) {
                Some(TArg::Param(param)) => ArrayLen::Param(*param),
                _ => ArrayLen::Param(item.decl),
            };
        }
        match self.evaluate_in(len, cx) {
            crate::consteval::Value::Known(Const::Int(value)) if (0..=i64::MAX as i128).contains(&value) => {
                ArrayLen::Known(value as u64)
            }
            crate::consteval::Value::Dependent => ArrayLen::Dependent,
            _ => ArrayLen::Unknown,
        }
    }

    /// A function type; parameters are adjusted: arrays and functions become pointers, top-level `const` is dropped.
    pub(crate) fn resolve_function_type(&self, function: &FunctionType, cx: Cx) -> Ty {
        let ret = self.resolve_type(function.ret, cx);
        let params: Box<[QualTy]> = function
            .params
            .iter()
            .filter_map(|&param| match &self.ast[param].kind {
                DeclKind::Variable(variable) => {
                    let ty = self.resolve_type(variable.ty, cx);
                    let ty = if variable.pack && !matches!(self.kind(ty.ty), TyKind::Expansion(_)) {
                        QualTy::plain(self.store().intern(TyKind::Expansion(ty)))
                    } else {
                        ty
                    };
                    Some(self.adjust_param(ty).unqualified())
                }
                _ => None,
            })
            .collect();
        let params: Box<[QualTy]> = match &*params {
            [only] if only.ty == Ty::VOID => Box::new([]),
            _ => params,
        };
        self.store().intern(TyKind::Function(Arc::new(FnTy { ret, params, variadic: function.variadic })))
    }

    /// Parameter type adjustment (C++ [dcl.fct]): `T a[4]` is a pointer, to whose pointee the space belongs. Without
    /// one a call may pass what a generic pointer takes from 4.1 on (G23), and thread memory before: real code that
    /// Apple's compiler builds passes locals to `float a[2]`.
    pub(crate) fn adjust_param(&self, ty: QualTy) -> QualTy {
        self.adjusted(ty, || if self.generic() { Space::Generic } else { Space::Thread })
    }

    /// The type that a parameter has inside of its function. An array without a space is thread memory there: code
    /// that was written before 4.1 hands it on to `thread` pointers, and clang's model of 4.1 says so, too.
    pub(crate) fn own_param(&self, ty: QualTy) -> QualTy {
        self.adjusted(ty, || Space::Thread)
    }

    fn adjusted(&self, ty: QualTy, of_arrays: impl FnOnce() -> Space) -> QualTy {
        match self.kind(ty.ty) {
            TyKind::Array(elem, _) => {
                let mut pointee = QualTy { space: ty.space, cv: elem.cv | ty.cv, ..*elem };
                if pointee.space == Space::None {
                    pointee.space = of_arrays();
                }
                QualTy::plain(self.store().pointer(pointee))
            }
            TyKind::Function(_) => QualTy::plain(self.store().pointer(ty)),
            _ => ty,
        }
    }

    fn resolve_decltype(&self, node: TypeId, expr: ExprId, cx: Cx) -> QualTy {
        let Some(info) = self.deeper(|| self.type_of_expr(expr, cx)) else { return QualTy::UNKNOWN };
        if self.store().is_dependent(info.ty.ty) {
            return QualTy::plain(self.store().intern(TyKind::DependentNode(node, cx.bind)));
        }
        if info.is_overload_set() {
            return self.type_of_function_name(expr, cx).unwrap_or(QualTy::UNKNOWN);
        }
        self.decltype_of(expr, info, cx)
    }

    /// The type of an expression that names one function, or one instance of a function template, or takes its address;
    /// `None` if it names several, or that cannot be told.
    fn type_of_function_name(&self, expr: ExprId, cx: Cx) -> Option<QualTy> {
        match &self.ast[expr].kind {
            ExprKind::Paren(inner) => self.type_of_function_name(*inner, cx),
            ExprKind::Unary { op: UnaryOp::AddrOf, operand, .. } => {
                let function = self.type_of_function_name(*operand, cx)?;
                Some(QualTy::plain(self.store().pointer(function)))
            }
            ExprKind::Path(path) => {
                let found = self.lookup_path(path, cx);
                if found.uncertain || found.class.is_some() {
                    return None;
                }
                let FunctionNamed::One(item) = self.named_function(path, &found, None, cx) else { return None };
                self.type_of_function(item).map(QualTy::plain)
            }
            _ => None,
        }
    }

    /// The function that a path names, or the instance of a function template; among several the one of type `wanted`.
    pub(crate) fn named_function(&self, path: &Path, found: &Found, wanted: Option<Ty>, cx: Cx) -> FunctionNamed {
        let args = path.last().and_then(|last| last.args.as_deref());
        let mut named: Option<(DeclRef, Option<Ty>)> = None;
        for &item in &found.items {
            let item = match self.under_args(item, args, wanted, cx) {
                FunctionNamed::One(item) => item,
                FunctionNamed::Several => return FunctionNamed::Several,
                FunctionNamed::NoneFits => continue,
            };
            let ty = self.type_of_function(item);
            if wanted.is_some() && ty.is_some_and(|ty| self.store().is_solid(ty)) && ty != wanted {
                continue;
            }
            match named {
                Some((_, known)) if known.is_none() || known != ty => return FunctionNamed::Several,
                Some((earlier, _)) if self.definition(earlier).is_some() => {}
                _ => named = Some((item, ty)),
            }
        }
        named.map_or(FunctionNamed::NoneFits, |(item, _)| FunctionNamed::One(item))
    }

    /// A function under explicit template arguments; what they leave open follows from the type that is wanted
    /// (C++ [temp.deduct.funcaddr]).
    fn under_args(&self, item: DeclRef, args: Option<&[TemplateArg]>, wanted: Option<Ty>, cx: Cx) -> FunctionNamed {
        let data = &self.ast[item.decl];
        let DeclKind::Function(function) = &data.kind else { return FunctionNamed::NoneFits };
        if data.specs.contains(Specs::INSTANTIATION) || function.name_args.is_some() {
            return FunctionNamed::NoneFits;
        }
        let header = data.templates.last().copied().filter(|&header| !self.ast[header].params.is_empty());
        let Some(header) = header else {
            return if args.is_none() { FunctionNamed::One(item) } else { FunctionNamed::NoneFits };
        };
        let written = args.unwrap_or_default();
        let Some(given) = self.template_args_prefix(header, written, item.bind, cx) else {
            return FunctionNamed::NoneFits;
        };
        let wanted = wanted.and_then(|ty| match self.kind(ty) {
            TyKind::Function(function) if self.store().is_solid(ty) => Some(Arc::clone(function)),
            _ => None,
        });
        let args = match wanted {
            Some(wanted) => match self.deduce_function(item, &given, &wanted.params, wanted.ret) {
                Deduced::Yes(args) => Some(args),
                Deduced::No => None,
                Deduced::Unsure => return FunctionNamed::Several,
            },
            None if args.is_none() => return FunctionNamed::Several,
            None => self.complete_args(header, given.to_vec(), item.bind),
        };
        args.map_or(FunctionNamed::NoneFits, |args| FunctionNamed::One(self.with_args(item, args)))
    }

    /// The type of a function of the program, as far as it is known.
    pub(crate) fn type_of_function(&self, item: DeclRef) -> Option<Ty> {
        let signature = self.signature(item);
        if signature.invalid || signature.unknown || self.is_library(item.decl) {
            return None;
        }
        let params = signature.params.iter().map(|param| param.ty.unqualified()).collect();
        let function = FnTy { ret: self.result_of(item), params, variadic: signature.variadic };
        Some(self.store().intern(TyKind::Function(Arc::new(function))))
    }

    fn resolve_type_path(&self, node: TypeId, path: &Path, cx: Cx) -> QualTy {
        match self.named_type(path, cx) {
            Named::Type(ty) => {
                if ty.ty == Ty::DEPENDENT {
                    QualTy::plain(self.store().intern(TyKind::DependentNode(node, cx.bind)))
                } else {
                    if ty.ty == Ty::INVALID {
                        self.report_template_args(path, cx);
                    }
                    ty
                }
            }
            // A class template where a type is due: its arguments are deduced from the initialiser.
            Named::Template(_) => QualTy::UNKNOWN,
            Named::NotFound => {
                self.report_unknown_type(path, cx);
                QualTy::plain(Ty::INVALID)
            }
            Named::NotAType => QualTy::plain(Ty::INVALID),
            Named::Unknown => QualTy::UNKNOWN,
        }
    }

    fn report_unknown_type(&self, path: &Path, cx: Cx) {
        let Some(last) = path.last() else { return };
        let UnqualName::Ident(name) = last.name else { return };
        self.report(|| {
            let found = self.lookup_path(path, cx);
            let range = TokenRange::new(last.token, last.token + 1);
            let mut diagnostic = self.undeclared(name, range, found.too_new, "type");
            if found.too_new.is_none() && path.segments.len() == 1 {
                self.suggest(&mut diagnostic, self.close_name(name, crate::rules::Wanted::Type, cx));
            }
            diagnostic
        });
    }

    /// The message for a name that nothing declares, or that only a newer version declares.
    pub(crate) fn undeclared(
        &self,
        name: Name,
        range: TokenRange,
        too_new: Option<DeclId>,
        what: &str,
    ) -> TyDiagnostic {
        match too_new {
            Some(decl) => TyDiagnostic {
                code: Code::RequiresNewerLanguageVersion,
                severity: None,
                range,
                message: format!(
                    "`{name}` needs {} or later; this file is built as {}",
                    self.needed_version(self.since(decl)),
                    self.env.version
                ),
                related: Vec::new(),
                fixes: Vec::new(),
            },
            None => TyDiagnostic {
                code: Code::UndeclaredIdentifier,
                severity: None,
                range,
                message: format!("nothing declares a {what} named `{name}`"),
                related: Vec::new(),
                fixes: Vec::new(),
            },
        }
    }

    /// What a path names, if it is a type or a template.
    pub fn named_type(&self, path: &Path, cx: Cx) -> Named {
        let Some(last) = path.last() else { return Named::Unknown };
        if path.segments.len() > 1 && self.resolve_container(path, path.segments.len() - 1, cx) == Container::Dependent
        {
            return Named::Type(QualTy::DEPENDENT);
        }
        let found = self.lookup_path(path, cx);
        self.type_of_found(&found, last, cx)
    }

    fn type_of_found(&self, found: &Found, segment: &Segment, cx: Cx) -> Named {
        let mut saw_value = false;
        for &item in &found.items {
            match self.type_of_item(item, found.class, segment, cx) {
                Named::NotAType => saw_value = true,
                other => return other,
            }
        }
        if saw_value {
            // A parameter or variable can share its type's name; then the type stands further out.
            if let UnqualName::Ident(name) = segment.name
                && let Some(outer) = self.lookup_type_further_out(name, cx)
            {
                return self.type_of_item(outer, None, segment, cx);
            }
            return Named::NotAType;
        }
        if found.uncertain { Named::Unknown } else { Named::NotFound }
    }

    fn lookup_type_further_out(&self, name: Name, cx: Cx) -> Option<DeclRef> {
        let mut scope = Some(cx.scope);
        while let Some(id) = scope {
            let data = &self.ast[id];
            if !matches!(data.kind, ScopeKind::Function | ScopeKind::Block | ScopeKind::Lambda) {
                let found = self.lookup(Key::Name(name), Cx { scope: id, ..cx });
                return found.items.into_iter().find(|item| {
                    matches!(
                        self.ast[item.decl].kind,
                        DeclKind::Record(_)
                            | DeclKind::Enum(_)
                            | DeclKind::TypeAlias { .. }
                            | DeclKind::TypeParam { .. }
                    )
                });
            }
            scope = data.parent;
        }
        None
    }

    pub(crate) fn type_of_item(&self, item: DeclRef, class: Option<Ty>, segment: &Segment, cx: Cx) -> Named {
        let ast: &'a Ast = self.ast;
        let decl = &ast[item.decl];
        match &decl.kind {
            DeclKind::TypeParam { .. } => match self.binding(item.decl, cx.bind) {
                Some(TArg::Type(ty)) => Named::Type(*ty),
                Some(TArg::Pack(_)) => Named::Type(QualTy::DEPENDENT),
                Some(TArg::Unknown) => Named::Unknown,
                _ => Named::Type(QualTy::plain(self.store().intern(TyKind::Param(item.decl)))),
            },
            DeclKind::TemplateParam { .. } => match self.binding(item.decl, cx.bind) {
                Some(TArg::Template(decl, bind)) => {
                    let target = DeclRef { decl: *decl, bind: *bind };
                    match &segment.args {
                        Some(args) => self.instantiate_type(target, args, cx),
                        None => Named::Template(target),
                    }
                }
                _ => match &segment.args {
                    Some(args) => {
                        let args = self.plain_template_args(args, cx);
                        Named::Type(QualTy::plain(self.store().intern(TyKind::ParamInst(item.decl, args))))
                    }
                    None => Named::Template(item),
                },
            },
            DeclKind::TypeAlias { .. } => {
                if decl.templates.is_empty() {
                    return Named::Type(
                        self.alias_type(DeclRef { decl: item.decl, bind: self.bind_for(item.decl, item.bind) }),
                    );
                }
                match &segment.args {
                    Some(args) => {
                        self.instantiate_type(DeclRef { decl: item.decl, bind: self.outer_bind(item) }, args, cx)
                    }
                    None => Named::Template(item),
                }
            }
            DeclKind::Record(_) => {
                let primary = self.primary_record(item.decl);
                if ast[primary].templates.is_empty() {
                    return Named::Type(QualTy::plain(self.record_self(item.decl, item.bind)));
                }
                match &segment.args {
                    Some(args) => self.instantiate_type(
                        DeclRef { decl: primary, bind: self.outer_bind(DeclRef { decl: primary, bind: item.bind }) },
                        args,
                        cx,
                    ),
                    None => match self.injected_class(primary, class, cx) {
                        Some(ty) => Named::Type(QualTy::plain(ty)),
                        None => Named::Template(DeclRef {
                            decl: primary,
                            bind: self.outer_bind(DeclRef { decl: primary, bind: item.bind }),
                        }),
                    },
                }
            }
            DeclKind::Enum(_) => Named::Type(QualTy::plain(self.enum_type(item.decl, item.bind))),
            DeclKind::UsingDecl { .. } => Named::Unknown,
            _ => Named::NotAType,
        }
    }

    /// The bindings around a template, without its own link.
    fn outer_bind(&self, item: DeclRef) -> BindId {
        let mut bind = self.bind_for(item.decl, item.bind);
        if let Some(own) = self.ast[item.decl].templates.last()
            && bind != BindId::NONE
            && self.store().bindings(bind).header == *own
        {
            bind = self.store().bindings(bind).parent;
        }
        bind
    }

    /// The class that a template's bare name means inside the template itself (C++ [temp.local]).
    fn injected_class(&self, primary: DeclId, found_in: Option<Ty>, cx: Cx) -> Option<Ty> {
        if let Some(ty) = found_in
            && matches!(self.kind(ty), TyKind::Record(decl, _) if *decl == primary)
        {
            return Some(ty);
        }
        let mut class = cx.class;
        while let Some(ty) = class {
            if matches!(self.kind(ty), TyKind::Record(decl, _) if *decl == primary) {
                return Some(ty);
            }
            let info = self.record_info(ty)?;
            class = self.enclosing_class(self.ast[info.decl].scope, info.bind);
        }
        let mut scope = Some(cx.scope);
        while let Some(id) = scope {
            let data = &self.ast[id];
            if data.kind == ScopeKind::Record
                && let Some(owner) = data.owner
                && self.primary_record(owner) == primary
            {
                return Some(self.record_self(owner, cx.bind));
            }
            scope = data.parent;
        }
        None
    }

    /// A class or alias template with arguments.
    fn instantiate_type(&self, template: DeclRef, args: &[TemplateArg], cx: Cx) -> Named {
        let Some(&header) = self.ast[template.decl].templates.last() else { return Named::Unknown };
        let Some(args) = self.deeper(|| self.template_args(header, args, template.bind, cx)).flatten() else {
            return Named::Type(QualTy::plain(Ty::INVALID));
        };
        Named::Type(self.specialization(template, header, args))
    }

    /// A class or alias template with complete arguments.
    pub(crate) fn specialization(&self, template: DeclRef, header: TemplateId, args: Arc<[TArg]>) -> QualTy {
        let bind = self.store().bind(template.bind, header, args);
        match &self.ast[template.decl].kind {
            DeclKind::TypeAlias { .. } => self.alias_type(DeclRef { decl: template.decl, bind }),
            _ => QualTy::plain(self.make_record(template.decl, bind)),
        }
    }

    /// The type that an alias stands for.
    pub fn alias_type(&self, alias: DeclRef) -> QualTy {
        let DeclKind::TypeAlias { ty, .. } = self.ast[alias.decl].kind else { return QualTy::UNKNOWN };
        let compute = || {
            let cx = self.cx_of(alias);
            self.quiet().resolve_type(ty, cx)
        };
        if self.is_local_ref(alias) {
            return compute();
        }
        if let Some(known) = self.env.caches.aliases.get(&alias) {
            return *known;
        }
        let ty = compute();
        self.env.caches.aliases.insert(alias, ty);
        ty
    }

    /// The type of an enumeration.
    pub fn enum_type(&self, decl: DeclId, bind: BindId) -> Ty {
        let first = self.redeclarations(decl).first().copied().unwrap_or(decl);
        self.store().intern(TyKind::Enum(first, self.bind_for(first, bind)))
    }

    /// A compiler's built-in type transformation.
    fn transform(&self, name: Name, arg: QualTy, node: TypeId, cx: Cx) -> QualTy {
        if self.store().is_dependent(arg.ty) {
            return QualTy::plain(self.store().intern(TyKind::DependentNode(node, cx.bind)));
        }
        match name.as_str() {
            "__underlying_type" => match self.kind(arg.ty) {
                TyKind::Enum(decl, bind) => QualTy::plain(self.underlying_type(*decl, *bind)),
                _ => QualTy::plain(Ty::INVALID),
            },
            "__remove_addrspace" => match self.kind(arg.ty) {
                TyKind::LRef(inner) => QualTy::plain(self.store().intern(TyKind::LRef(inner.with_space(Space::None)))),
                _ => arg.with_space(Space::None),
            },
            "__remove_coherent" => QualTy { cv: arg.cv - Cv::COHERENT, ..arg },
            "__make_signed" | "__make_unsigned" => {
                let signed = name.as_str() == "__make_signed";
                self.map_scalar(arg, |scalar| crate::types::with_sign(scalar, signed))
            }
            "__make_scalar" => self.map_element(arg),
            "__decay" => QualTy::plain(self.decayed(arg)),
            "__remove_cv" => QualTy { cv: Cv::empty(), ..arg },
            "__remove_const" => QualTy { cv: arg.cv - Cv::CONST, ..arg },
            "__remove_volatile" => QualTy { cv: arg.cv - Cv::VOLATILE, ..arg },
            "__remove_reference" | "__remove_reference_t" => match self.kind(arg.ty) {
                TyKind::LRef(inner) | TyKind::RRef(inner) => *inner,
                _ => arg,
            },
            _ => QualTy::UNKNOWN,
        }
    }

    /// The underlying type of an enumeration: as written, else `int` for a scoped one and for values that fit.
    pub fn underlying_type(&self, decl: DeclId, bind: BindId) -> Ty {
        for other in self.redeclarations(decl) {
            if let DeclKind::Enum(Enum { underlying: Some(node), .. }) = &self.ast[other].kind {
                let cx = self.cx_of(DeclRef { decl: other, bind });
                return self.quiet().resolve_type(*node, cx).ty;
            }
        }
        Ty::INT
    }
}
