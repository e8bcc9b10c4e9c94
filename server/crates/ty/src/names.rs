//! Names in expressions: what they refer to, and what is said where nothing declares them.

use std::sync::Arc;

use msl_diagnostics::Code;
use msl_parser::ast::*;

use crate::expr::{Category, Checker, ExprFlags, ExprInfo};
use crate::lookup::{Found, Key};
use crate::resolve::Container;
use crate::rules::Wanted;
use crate::sema::{DeclRef, TyDiagnostic};
use crate::store::*;

impl<'a> Checker<'a> {
    pub(crate) fn path(&mut self, expr: ExprId, path: &Path) -> ExprInfo {
        let Some(last) = path.last() else { return ExprInfo::UNKNOWN };
        if path.segments.len() > 1 {
            let prefix = Path {
                global: path.global,
                decltype: path.decltype,
                segments: path.segments[..path.segments.len() - 1].into(),
            };
            self.note_path(&prefix);
            match self.sema.resolve_container(path, path.segments.len() - 1, self.cx) {
                Container::Dependent => return ExprInfo::DEPENDENT,
                Container::Unknown => self.check_qualifier(path),
                _ => {}
            }
        }
        if let Some(args) = &last.args {
            self.note_template_args(args);
        }
        let found = self.sema.lookup_path(path, self.cx);
        if found.items.is_empty() {
            return self.not_found(path, last, &found);
        }
        self.found(expr, last, &found)
    }

    /// The first of the names before `::` is one of a namespace, class or enumeration.
    pub(crate) fn check_qualifier(&self, path: &Path) {
        let Some(first) = path.segments.first().filter(|_| !path.global && path.decltype.is_none()) else { return };
        let UnqualName::Ident(name) = first.name else { return };
        let found = self.sema.lookup(Key::Name(name), self.cx);
        if !found.items.is_empty() || found.uncertain || self.sema.may_be_the_compilers(name, self.cx) {
            return;
        }
        let range = TokenRange::new(first.token, first.token + 1);
        self.sema.report(|| self.sema.undeclared(name, range, found.too_new, "namespace or class"));
    }

    fn not_found(&mut self, path: &Path, segment: &Segment, found: &Found) -> ExprInfo {
        let UnqualName::Ident(name) = segment.name else { return ExprInfo::UNKNOWN };
        if found.uncertain {
            return if self.in_template() { ExprInfo::DEPENDENT } else { ExprInfo::UNKNOWN };
        }
        if self.sema.may_be_the_compilers(name, self.cx) {
            return ExprInfo::UNKNOWN;
        }
        let range = TokenRange::new(segment.token, segment.token + 1);
        if path.segments.len() > 1 || path.global {
            match self.sema.resolve_container(path, path.segments.len() - 1, self.cx) {
                Container::Record(class) if !self.sema.store().is_dependent(class) => {
                    let spelled = self.sema.spell_ty(class);
                    let mut diagnostic = TyDiagnostic {
                        code: Code::UnknownMember,
                        severity: None,
                        range,
                        message: format!("`{spelled}` has no member `{name}`"),
                        related: Vec::new(),
                        fixes: Vec::new(),
                    };
                    self.sema.suggest(&mut diagnostic, self.sema.close_member(class, name));
                    self.sema.report(|| diagnostic);
                }
                Container::Enum(decl, _) => {
                    let owner = self.sema.decl_name(decl).map_or(String::new(), |name| name.to_string());
                    if found.too_new.is_some() {
                        let diagnostic = self.sema.undeclared(name, range, found.too_new, "enumerator");
                        self.sema.report(|| diagnostic);
                    } else {
                        self.sema.report(|| {
                            let mut diagnostic = TyDiagnostic {
                                code: Code::UnknownMember,
                                severity: None,
                                range,
                                message: format!("`{owner}` has no enumerator `{name}`"),
                                related: Vec::new(),
                                fixes: Vec::new(),
                            };
                            self.sema.suggest(&mut diagnostic, self.sema.close_enumerator(decl, name));
                            diagnostic
                        });
                    }
                }
                Container::Namespace(_) => {
                    let diagnostic = self.sema.undeclared(name, range, found.too_new, "member");
                    self.sema.report(|| diagnostic);
                }
                _ => {}
            }
            return ExprInfo::UNKNOWN;
        }
        self.sema.report(|| {
            let mut diagnostic = self.sema.undeclared(name, range, found.too_new, "variable or function");
            if found.too_new.is_none()
                && !self.sema.qualify(&mut diagnostic, name)
                && !self.sema.qualify_enumerator(&mut diagnostic, name, self.cx)
            {
                self.sema.suggest(&mut diagnostic, self.sema.close_name(name, Wanted::Value, self.cx));
            }
            diagnostic
        });
        ExprInfo::UNKNOWN
    }

    fn found(&mut self, expr: ExprId, segment: &Segment, found: &Found) -> ExprInfo {
        let item = found.items[0];
        let decl = &self.ast()[item.decl];
        if let (Some(_), [only]) = (found.class, &*found.items) {
            self.check_access(segment.token, *only);
        }
        match &decl.kind {
            DeclKind::Variable(variable) => {
                self.refer(segment.token, item);
                self.variable(item, variable, segment, found.class)
            }
            DeclKind::Enumerator { .. } => {
                self.refer(segment.token, item);
                match self.sema.enum_of(item.decl) {
                    Some(owner) => ExprInfo::value(self.sema.enum_type(owner, item.bind)),
                    None => ExprInfo::UNKNOWN,
                }
            }
            DeclKind::Function(_) => {
                if let [only] = &*found.items
                    && decl.templates.is_empty()
                    && !self.sema.is_each_family(only.decl)
                {
                    self.refer(segment.token, *only);
                    let signature = self.sema.signature(*only);
                    let ty = FnTy {
                        ret: signature.ret,
                        params: signature.params.iter().map(|param| param.ty.unqualified()).collect(),
                        variadic: signature.variadic,
                    };
                    return ExprInfo::lvalue(QualTy::plain(self.sema.store().intern(TyKind::Function(Arc::new(ty)))));
                }
                for &item in &found.items {
                    self.refer(segment.token, item);
                }
                ExprInfo { flags: ExprFlags::OVERLOAD_SET, expr: Some(expr), ..ExprInfo::UNKNOWN }
            }
            _ => {
                self.refer(segment.token, item);
                ExprInfo::UNKNOWN
            }
        }
    }

    fn variable(&mut self, item: DeclRef, variable: &Variable, segment: &Segment, class: Option<Ty>) -> ExprInfo {
        let sema = &self.sema;
        let decl = &sema.ast[item.decl];
        if variable.kind == VariableKind::TemplateValue {
            return match sema.binding(item.decl, self.cx.bind) {
                Some(TArg::Value { ty, .. }) => {
                    let mut info = ExprInfo::value(*ty);
                    if *ty == Ty::UNKNOWN {
                        info = ExprInfo::UNKNOWN;
                    }
                    info
                }
                Some(TArg::Unknown) => ExprInfo::UNKNOWN,
                _ => ExprInfo::DEPENDENT,
            };
        }
        if variable.kind == VariableKind::Field && !decl.specs.contains(Specs::STATIC) {
            return match sema.this_of(self.cx) {
                Some(this) => {
                    let object = QualTy { ty: class.unwrap_or(this.class), cv: this.cv, space: this.space };
                    self.field(item, variable, &ExprInfo::lvalue(object))
                }
                // Named without an object, as in `sizeof(S::field)`.
                None => ExprInfo::lvalue(sema.variable_type(item)),
            };
        }
        let item = match (&segment.args, decl.templates.last()) {
            (Some(args), Some(&header)) if variable.name_args.is_none() => {
                let outer = sema.bind_for(item.decl, item.bind);
                match sema.template_args(header, args, outer, self.cx) {
                    Some(args) => {
                        let bind = sema.store().bind(outer, header, args);
                        if sema.store().bind_flags(bind).contains(TyFlags::DEPENDENT) {
                            return ExprInfo::DEPENDENT;
                        }
                        sema.select_variable(DeclRef { decl: item.decl, bind })
                    }
                    None => return ExprInfo::UNKNOWN,
                }
            }
            _ if variable.kind == VariableKind::Param
                && (variable.pack || matches!(sema.ast[variable.ty].kind, TypeKind::Pack(_))) =>
            {
                DeclRef { decl: item.decl, bind: self.cx.bind }
            }
            _ => {
                let bind = if class.is_some() { item.bind } else { self.cx.bind };
                DeclRef { decl: item.decl, bind: sema.bind_for(item.decl, bind) }
            }
        };
        let declared =
            if let Some(known) = self.facts.variables.get(&item.decl) { *known } else { sema.variable_type(item) };
        if matches!(declared.ty, Ty::DEPENDENT) {
            return ExprInfo::DEPENDENT;
        }
        match sema.kind(declared.ty) {
            TyKind::LRef(inner) | TyKind::RRef(inner) => ExprInfo::lvalue(*inner),
            _ => {
                let mut ty = declared.with_space(sema.storage(item.decl, declared));
                if decl.specs.contains(Specs::CONSTEXPR) {
                    ty = ty.with_cv(Cv::CONST);
                }
                ExprInfo::lvalue(ty)
            }
        }
    }

    /// A field of an object: it lives where the object lives and takes on its qualifiers.
    pub(crate) fn field(&self, item: DeclRef, variable: &Variable, object: &ExprInfo) -> ExprInfo {
        let sema = &self.sema;
        let declared = sema.variable_type(item);
        if matches!(declared.ty, Ty::DEPENDENT) {
            return ExprInfo::DEPENDENT;
        }
        let mut info = match sema.kind(declared.ty) {
            TyKind::LRef(inner) | TyKind::RRef(inner) => ExprInfo::lvalue(*inner),
            _ => {
                let mut cv = declared.cv | object.ty.cv;
                if sema.ast[item.decl].specs.contains(Specs::MUTABLE) {
                    cv -= Cv::CONST;
                }
                let ty = QualTy { ty: declared.ty, cv, space: object.ty.space };
                let category = if object.category == Category::PrValue { Category::XValue } else { object.category };
                ExprInfo { ty, category, flags: ExprFlags::empty(), expr: None }
            }
        };
        if variable.bit_width.is_some() {
            info.flags |= ExprFlags::COMPONENT;
        }
        info
    }
}
