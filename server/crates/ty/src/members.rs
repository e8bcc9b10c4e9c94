//! Member access, and the components of vectors (MSL spec §2.2.1).

use msl_diagnostics::Code;
use msl_parser::ast::*;
use smallvec::SmallVec;

use crate::expr::{Category, Checker, ExprFlags, ExprInfo};
use crate::lookup::Key;
use crate::overload::{CallKey, Outcome};
use crate::sema::{TokenEdit, TokenFix, TyDiagnostic};
use crate::store::*;

impl<'a> Checker<'a> {
    /// The object that `.` or `->` works on; `->` on a class goes through its `operator->`.
    pub(crate) fn object_of(&mut self, base: &ExprInfo, arrow: bool, token: u32) -> Option<ExprInfo> {
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
            let has_arrow = match self.kind(object_expr.ty.ty) {
                TyKind::Record(..) => {
                    let arrow = Key::Operator(OverloadedOp::Punct(msl_preproc::Punct::Arrow));
                    let members = self.sema.members_by(object_expr.ty.ty, arrow);
                    !self.is_plain_class(&object_expr) || members.uncertain || !members.items.is_empty()
                }
                _ => false,
            };
            if arrow && self.is_solid(&object_expr) && !has_arrow {
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
            // The data member of the library's class `matrix`, which programs use beside the operator `[]`.
            TyKind::Matrix(scalar, columns, rows) if name.as_str() == "columns" => {
                let store = self.sema.store();
                let column = QualTy::plain(store.intern(TyKind::Vector(*scalar, *rows)));
                let array = store.intern(TyKind::Array(column, ArrayLen::Known(u64::from(*columns))));
                let category = match object.category {
                    Category::PrValue => Category::XValue,
                    category => category,
                };
                ExprInfo { category, ..ExprInfo::lvalue(QualTy { ty: array, ..object.ty }) }
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
                if let [only] = &*members.items {
                    self.check_access(last.token, *only);
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
                let has_members =
                    matches!(self.kind(pointee.ty), TyKind::Record(..) | TyKind::Vector(..) | TyKind::Packed(..));
                if !arrow && has_members {
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
}
