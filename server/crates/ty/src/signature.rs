//! Functions and variables as their declarations say: parameter types, result, the space of `this`.

use std::sync::Arc;

use msl_parser::ast::*;

use crate::sema::{Cx, DeclRef, Sema};
use crate::store::*;

/// A function's type with what a call needs to know beyond it.
#[derive(Clone, Debug)]
pub struct Signature {
    pub item: DeclRef,
    pub ret: QualTy,
    pub params: Box<[Param]>,
    pub variadic: bool,
    /// For non-static member functions and constructors.
    pub this: Option<This>,
    /// Under these bindings the declaration is ill-formed: a substitution failure.
    pub invalid: bool,
    /// Something in it could not be modelled.
    pub unknown: bool,
}

/// One parameter. A bound pack is as many of these as it has elements.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    pub ty: QualTy,
    pub decl: DeclId,
    pub has_default: bool,
}

/// The object that a member function is called on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct This {
    pub class: Ty,
    pub cv: Cv,
    /// [`Space::Unknown`] for library members that take any space.
    pub space: Space,
    /// Whether the space is written after the parameter list.
    pub annotated: bool,
    pub reference: RefQualifier,
}

impl<'a> Sema<'a> {
    /// The signature of a function under its bindings. With the function's own template parameters unbound this is
    /// the pattern that deduction works on.
    pub fn signature(&self, item: DeclRef) -> Arc<Signature> {
        self.cached(self.is_local_ref(item), &self.env.caches.signatures, &self.local.signatures, item, || {
            Arc::new(self.quiet().compute_signature(item))
        })
    }

    pub(crate) fn compute_signature(&self, item: DeclRef) -> Signature {
        let ast: &'a Ast = self.ast;
        let decl = &ast[item.decl];
        let empty = Signature {
            item,
            ret: QualTy::UNKNOWN,
            params: Box::new([]),
            variadic: false,
            this: None,
            invalid: false,
            unknown: true,
        };
        let DeclKind::Function(function) = &decl.kind else { return empty };
        let TypeKind::Function(written) = &ast[function.ty].kind else { return empty };
        let cx = self.cx_of(item);
        let params = self.written_params(&written.params, cx);
        let mut invalid = false;
        let mut unknown = false;
        for param in &params {
            invalid |= self.store().is_invalid(param.ty.ty);
            unknown |= self.store().is_unknown(param.ty.ty);
        }
        let class = cx.class;
        let ret = match function.role {
            FunctionRole::Constructor => QualTy::plain(class.unwrap_or(Ty::UNKNOWN)),
            FunctionRole::Destructor => QualTy::plain(Ty::VOID),
            FunctionRole::Conversion => match function.name {
                UnqualName::Conversion(node) => self.resolve_type(node, cx),
                _ => QualTy::UNKNOWN,
            },
            FunctionRole::Plain => self.resolve_type(written.ret, cx),
        };
        invalid |= self.store().is_invalid(ret.ty);
        let is_member = class.is_some() && !decl.specs.intersects(Specs::STATIC | Specs::FRIEND);
        let is_static = decl.specs.contains(Specs::STATIC) || self.first_declaration_is_static(item, function);
        let this = (is_member && !is_static).then(|| {
            let quals = self.apply_quals(QualTy::plain(Ty::VOID), &written.this_quals);
            let annotated = quals.space != Space::None;
            let space = if annotated {
                quals.space
            } else if self.is_library(item.decl) {
                Space::Unknown
            } else if self.generic() && !self.env.supposes_thread(item.decl) {
                Space::Generic
            } else {
                Space::Thread
            };
            This { class: class.unwrap_or(Ty::UNKNOWN), cv: quals.cv, space, annotated, reference: written.this_ref }
        });
        Signature { item, ret, params: params.into(), variadic: written.variadic, this, invalid, unknown }
    }

    /// The parameters that a list of declarations declares. A pack that is bound becomes one for each element.
    pub(crate) fn written_params(&self, declared: &[DeclId], cx: Cx) -> Vec<Param> {
        let ast: &'a Ast = self.ast;
        let mut params = Vec::with_capacity(declared.len());
        for &param in declared {
            let DeclKind::Variable(variable) = &ast[param].kind else { continue };
            let has_default = !matches!(variable.init, Init::None);
            let is_pack = variable.pack || matches!(ast[variable.ty].kind, TypeKind::Pack(_));
            if is_pack {
                let node = match ast[variable.ty].kind {
                    TypeKind::Pack(inner) => inner,
                    _ => variable.ty,
                };
                match self.expand_binds(ast[node].range, cx) {
                    Some(binds) => {
                        for bind in binds {
                            let ty = self.resolve_type(node, Cx { bind, ..cx });
                            params.push(Param { ty: self.adjust_param(ty), decl: param, has_default });
                        }
                    }
                    None => {
                        let inner = self.adjust_param(self.resolve_type(node, cx));
                        let ty = QualTy::plain(self.store().intern(TyKind::Expansion(inner)));
                        params.push(Param { ty, decl: param, has_default });
                    }
                }
                continue;
            }
            let ty = self.adjust_param(self.resolve_type(variable.ty, cx));
            if ty.ty == Ty::VOID && declared.len() == 1 {
                continue;
            }
            params.push(Param { ty, decl: param, has_default });
        }
        params
    }

    /// `static` is written on the declaration in the class only.
    fn first_declaration_is_static(&self, item: DeclRef, function: &Function) -> bool {
        if function.qualifier.is_none() {
            return false;
        }
        let (Some(class), Some(name)) = (self.class_of(item), function.name.ident()) else { return false };
        self.members(class, name)
            .items
            .iter()
            .any(|member| member.decl != item.decl && self.ast[member.decl].specs.contains(Specs::STATIC))
    }

    /// The declared type of a variable, parameter, field or non-type template parameter; `auto` is deduced from the
    /// initialiser. The space is the one that is written; where the object lives is [`Sema::storage`]'s question.
    pub fn variable_type(&self, item: DeclRef) -> QualTy {
        if self.is_local(item.decl)
            && let Some(&known) = self.local.variables.borrow().get(&DeclRef { decl: item.decl, bind: BindId::NONE })
        {
            return known;
        }
        if self.is_local_ref(item) {
            return self.deeper(|| self.quiet().compute_variable_type(item)).unwrap_or(QualTy::UNKNOWN);
        }
        if let Some(known) = self.env.caches.variables.get(&item) {
            return *known;
        }
        let ty = self.deeper(|| self.quiet().compute_variable_type(item)).unwrap_or(QualTy::UNKNOWN);
        self.env.caches.variables.insert(item, ty);
        ty
    }

    pub(crate) fn compute_variable_type(&self, item: DeclRef) -> QualTy {
        let ast: &'a Ast = self.ast;
        let DeclKind::Variable(variable) = &ast[item.decl].kind else { return QualTy::UNKNOWN };
        let cx = self.cx_of(item);
        let node = match ast[variable.ty].kind {
            TypeKind::Pack(inner) if variable.pack || variable.kind == VariableKind::Param => inner,
            _ => variable.ty,
        };
        let declared = self.resolve_type(node, cx);
        // A template parameter of function type is a pointer to one (C++ [temp.param]).
        if variable.kind == VariableKind::TemplateValue && matches!(self.kind(declared.ty), TyKind::Function(_)) {
            return QualTy::plain(self.store().pointer(declared));
        }
        self.complete_variable_type(variable, declared, cx)
    }

    /// Adjusts parameters, deduces `auto`, and completes `[]` from the initialiser.
    pub(crate) fn complete_variable_type(&self, variable: &Variable, declared: QualTy, cx: Cx) -> QualTy {
        if variable.kind == VariableKind::Param {
            return self.own_param(declared);
        }
        if let TyKind::Array(elem, ArrayLen::Unsized) = self.kind(declared.ty) {
            let count = match &variable.init {
                Init::Assign(init) | Init::Brace(init) => match &self.ast[*init].kind {
                    ExprKind::InitList(items) => self.init_list_length(items, cx),
                    ExprKind::String(_) => None,
                    _ => None,
                },
                _ => None,
            };
            let len = count.map_or(ArrayLen::Unsized, ArrayLen::Known);
            return QualTy { ty: self.store().intern(TyKind::Array(*elem, len)), ..declared };
        }
        if self.store().flags(declared.ty).contains(TyFlags::AUTO) {
            let init = match &variable.init {
                Init::Assign(init) => Some(*init),
                Init::Paren(args) => args.first().copied(),
                Init::Brace(list) => match &self.ast[*list].kind {
                    ExprKind::InitList(items) if items.len() == 1 => Some(items[0]),
                    _ => None,
                },
                _ => None,
            };
            let Some(init) = init else { return QualTy::UNKNOWN };
            let info = self.type_of_expr(init, cx);
            return self.deduce_auto(declared, &info);
        }
        if declared.ty == Ty::UNKNOWN
            && let Some(template) = self.template_name(variable.ty, cx)
        {
            let deduced = self.deduce_class_from(template, &variable.init, cx);
            return QualTy { ty: deduced.ty, cv: declared.cv, space: declared.space };
        }
        declared
    }

    /// The number of elements of an array without a bound that a list initialises (C++ [dcl.init.aggr], with C's and
    /// GNU's designators).
    fn init_list_length(&self, items: &[ExprId], cx: Cx) -> Option<u64> {
        let mut next: u64 = 0;
        let mut length: u64 = 0;
        for &item in items {
            next = match &self.ast[item].kind {
                ExprKind::Designated { index: Some(index), last, .. } => {
                    let at = self.evaluate_in(last.unwrap_or(*index), cx).int()?;
                    u64::try_from(at).ok()?.checked_add(1)?
                }
                ExprKind::Designated { .. } | ExprKind::Expansion(_) => return None,
                _ => next + 1,
            };
            length = length.max(next);
        }
        Some(length)
    }

    /// What `auto` stands for (C++ [dcl.spec.auto]), with the declarator around it.
    pub(crate) fn deduce_auto(&self, declared: QualTy, init: &crate::expr::ExprInfo) -> QualTy {
        if self.store().is_dependent(init.ty.ty) {
            return QualTy::DEPENDENT;
        }
        if init.ty.ty == Ty::UNKNOWN || init.ty.ty == Ty::INVALID {
            return QualTy::UNKNOWN;
        }
        match self.kind(declared.ty) {
            TyKind::Auto => QualTy { ty: self.decayed(init.ty), cv: declared.cv, space: declared.space },
            TyKind::DecltypeAuto => self.value_category_type(init),
            TyKind::Pointer(inner) => match self.kind(self.decayed(init.ty)) {
                TyKind::Pointer(pointee) if matches!(self.kind(inner.ty), TyKind::Auto) => {
                    let space = if inner.space == Space::None { pointee.space } else { inner.space };
                    let pointee = QualTy { ty: pointee.ty, cv: pointee.cv | inner.cv, space };
                    QualTy { ty: self.store().pointer(pointee), ..declared }
                }
                _ => QualTy::UNKNOWN,
            },
            TyKind::LRef(inner) | TyKind::RRef(inner) if matches!(self.kind(inner.ty), TyKind::Auto) => {
                let space = if inner.space == Space::None { init.place() } else { inner.space };
                let referee = QualTy { ty: self.strip_ref(init.ty).ty, cv: init.ty.cv | inner.cv, space };
                let is_rvalue = matches!(self.kind(declared.ty), TyKind::RRef(_)) && !init.is_lvalue();
                let kind = if is_rvalue { TyKind::RRef(referee) } else { TyKind::LRef(referee) };
                QualTy::plain(self.store().intern(kind))
            }
            _ => QualTy::UNKNOWN,
        }
    }

    /// Where the object that a variable names lives.
    pub fn storage(&self, decl: DeclId, declared: QualTy) -> Space {
        if let TyKind::LRef(inner) | TyKind::RRef(inner) = self.kind(declared.ty) {
            return inner.space;
        }
        if declared.space != Space::None {
            return declared.space;
        }
        let DeclKind::Variable(variable) = &self.ast[decl].kind else { return Space::Unknown };
        match variable.kind {
            VariableKind::Local | VariableKind::Param | VariableKind::Binding | VariableKind::Capture => Space::Thread,
            VariableKind::TemplateValue => Space::None,
            VariableKind::Field if self.ast[decl].specs.contains(Specs::STATIC) => Space::Unknown,
            // A field lives where its object lives.
            VariableKind::Field => Space::None,
            VariableKind::Global => Space::Unknown,
        }
    }

    /// The value of an enumerator.
    pub fn enumerator_value(&self, item: DeclRef) -> Option<i128> {
        if let Some(known) = self.env.caches.constants.get(&item) {
            return match *known {
                Some(Const::Int(value)) => Some(value),
                _ => None,
            };
        }
        let DeclKind::Enumerator { value, .. } = &self.ast[item.decl].kind else { return None };
        let result = match value {
            Some(expr) => {
                let cx = self.cx_of(item);
                match self.deeper(|| self.evaluate_in(*expr, cx)) {
                    Some(crate::consteval::Value::Known(Const::Int(value))) => Some(value),
                    _ => None,
                }
            }
            None => self.previous_enumerator(item).map_or(Some(0), |previous| {
                self.deeper(|| self.enumerator_value(previous)).flatten().map(|value| value + 1)
            }),
        };
        if !self.is_local_ref(item) {
            self.env.caches.constants.insert(item, result.map(Const::Int));
        }
        result
    }

    fn previous_enumerator(&self, item: DeclRef) -> Option<DeclRef> {
        let enumeration = self.enum_of(item.decl)?;
        let DeclKind::Enum(enumeration) = &self.ast[enumeration].kind else { return None };
        let position = enumeration.enumerators.iter().position(|&other| other == item.decl)?;
        let previous = *enumeration.enumerators.get(position.checked_sub(1)?)?;
        Some(DeclRef { decl: previous, bind: item.bind })
    }

    /// The enumeration that an enumerator belongs to.
    pub fn enum_of(&self, enumerator: DeclId) -> Option<DeclId> {
        let owner = self.ast[self.ast[enumerator].scope].owner?;
        matches!(self.ast[owner].kind, DeclKind::Enum(_)).then_some(owner)
    }
}
