//! Template arguments: from what is written to one for each parameter; packs and defaults.

use std::sync::Arc;

use msl_diagnostics::Code;
use msl_intern::Name;
use msl_parser::ast::*;

use crate::lookup::Key;
use crate::resolve::{FunctionNamed, Named};
use crate::sema::{Cx, DeclRef, Sema, TyDiagnostic};
use crate::store::*;

impl<'a> Sema<'a> {
    /// Arguments as written, each on its own, without a header to match them with.
    pub(crate) fn plain_template_args(&self, args: &[TemplateArg], cx: Cx) -> Arc<[TArg]> {
        let mut result = Vec::with_capacity(args.len());
        for arg in args {
            if arg.expansion {
                self.expand_template_arg(arg, cx, &mut result);
                continue;
            }
            result.push(match arg.kind {
                TemplateArgKind::Type(node) => self.type_arg(node, cx),
                TemplateArgKind::Expr(expr) => self.value_arg(expr, None, cx),
            });
        }
        result.into()
    }

    fn type_arg(&self, node: TypeId, cx: Cx) -> TArg {
        if let TypeKind::Path { path, .. } = &self.ast[node].kind
            && let Named::Template(template) = self.named_type(path, cx)
        {
            if matches!(self.ast[template.decl].kind, DeclKind::TemplateParam { .. }) {
                return TArg::Param(template.decl);
            }
            return TArg::Template(template.decl, template.bind);
        }
        TArg::Type(self.resolve_type(node, cx))
    }

    fn value_arg(&self, expr: ExprId, param_ty: Option<Ty>, cx: Cx) -> TArg {
        if let ExprKind::Path(path) = &self.ast[expr].kind
            && let Some(name) = path.as_ident()
            && let [item] = &*self.lookup(Key::Name(name), cx).items
        {
            match &self.ast[item.decl].kind {
                DeclKind::Variable(variable) if variable.kind == VariableKind::TemplateValue => {
                    match self.binding(item.decl, cx.bind) {
                        None => return TArg::Param(item.decl),
                        Some(TArg::Value { value, ty }) => {
                            return TArg::Value { value: *value, ty: param_ty.unwrap_or(*ty) };
                        }
                        Some(arg @ (TArg::Param(_) | TArg::Unknown)) => return arg.clone(),
                        _ => {}
                    }
                }
                DeclKind::TemplateParam { .. } => {
                    return self.binding(item.decl, cx.bind).cloned().unwrap_or(TArg::Param(item.decl));
                }
                DeclKind::TypeParam { .. } => {
                    return self
                        .binding(item.decl, cx.bind)
                        .cloned()
                        .unwrap_or_else(|| TArg::Type(QualTy::plain(self.store().intern(TyKind::Param(item.decl)))));
                }
                _ => {}
            }
        }
        let target = param_ty.filter(|&ty| self.store().is_solid(ty));
        if let Some(ty) = target
            && let Some(arg) = self.function_arg(expr, ty, cx)
        {
            return arg;
        }
        match self.evaluate_as(expr, target, cx) {
            crate::consteval::Value::Known(value) => {
                let ty = param_ty.unwrap_or_else(|| self.const_type(expr, value, cx));
                TArg::Value { value, ty }
            }
            crate::consteval::Value::Dependent => TArg::DependentExpr(expr, cx.bind),
            crate::consteval::Value::Unknown | crate::consteval::Value::NotConstant => TArg::Unknown,
        }
    }

    /// A function as an argument for a pointer or reference to one, chosen by its type.
    fn function_arg(&self, expr: ExprId, ty: Ty, cx: Cx) -> Option<TArg> {
        let (TyKind::Pointer(of) | TyKind::LRef(of)) = self.kind(ty) else { return None };
        if !matches!(self.kind(of.ty), TyKind::Function(_)) {
            return None;
        }
        match &self.ast[expr].kind {
            ExprKind::Paren(inner) | ExprKind::Unary { op: UnaryOp::AddrOf, operand: inner, .. } => {
                self.function_arg(*inner, ty, cx)
            }
            ExprKind::Path(path) => {
                let found = self.lookup_path(path, cx);
                let is_function = |item: &DeclRef| matches!(self.ast[item.decl].kind, DeclKind::Function(_));
                if found.items.is_empty() || !found.items.iter().all(is_function) {
                    return None;
                }
                match self.named_function(path, &found, Some(of.ty), cx) {
                    FunctionNamed::One(item) => {
                        Some(match self.store().bind_flags(item.bind).contains(TyFlags::DEPENDENT) {
                            true => TArg::DependentExpr(expr, cx.bind),
                            false => TArg::Value { value: Const::Function(item.decl, item.bind), ty },
                        })
                    }
                    FunctionNamed::Several => None,
                    // An argument that no parameter takes.
                    FunctionNamed::NoneFits => Some(TArg::Type(QualTy::plain(Ty::INVALID))),
                }
            }
            _ => None,
        }
    }

    /// The type of a template parameter that takes a value; a function's becomes a pointer to it (C++ [temp.param]).
    pub(crate) fn value_param_type(&self, variable: &Variable, cx: Cx) -> Ty {
        let ty = self.resolve_type(variable.ty, cx);
        match self.kind(ty.ty) {
            TyKind::Function(_) => self.store().pointer(ty),
            _ => ty.ty,
        }
    }

    fn const_type(&self, expr: ExprId, value: Const, cx: Cx) -> Ty {
        match value {
            Const::Int(_) | Const::Float(_) => {
                let ty = self.type_of_expr(expr, cx).ty.ty;
                if self.store().is_solid(ty) { ty } else { Ty::INT }
            }
            Const::Null => Ty::NULLPTR,
            Const::Function(decl, bind) => self
                .type_of_function(DeclRef { decl, bind })
                .map_or(Ty::UNKNOWN, |ty| self.store().pointer(QualTy::plain(ty))),
            Const::Variable(..) => Ty::UNKNOWN,
        }
    }

    /// `pattern...` as a template argument: once for each element if its packs are bound, else as a pattern.
    fn expand_template_arg(&self, arg: &TemplateArg, cx: Cx, result: &mut Vec<TArg>) {
        let range = arg.range;
        match self.expand_binds(range, cx) {
            Some(binds) => {
                for bind in binds {
                    let cx = Cx { bind, ..cx };
                    result.push(match arg.kind {
                        TemplateArgKind::Type(node) => self.type_arg(node, cx),
                        TemplateArgKind::Expr(expr) => self.value_arg(expr, None, cx),
                    });
                }
            }
            None => {
                let inner = match arg.kind {
                    TemplateArgKind::Type(node) => self.type_arg(node, cx),
                    TemplateArgKind::Expr(expr) => self.value_arg(expr, None, cx),
                };
                result.push(TArg::Expansion(Arc::new(inner)));
            }
        }
    }

    /// For an expansion over the tokens of `range`: one chain of bindings for each element of the packs in it, where
    /// each pack parameter stands for that one element. `None` if a pack is unbound or there is none.
    pub(crate) fn expand_binds(&self, range: TokenRange, cx: Cx) -> Option<Vec<BindId>> {
        let packs = self.packs_in_scope(cx);
        let mut length: Option<usize> = None;
        let mut used: Vec<DeclId> = Vec::new();
        for (param, name) in packs {
            if !self.mentions(range, name) {
                continue;
            }
            match self.binding(param, cx.bind) {
                Some(TArg::Pack(args)) => {
                    if args.iter().any(|arg| matches!(arg, TArg::Expansion(_))) {
                        return None;
                    }
                    length = Some(length.map_or(args.len(), |known| known.min(args.len())));
                    used.push(param);
                }
                _ => return None,
            }
        }
        let length = length?;
        Some((0..length).map(|index| self.bind_element(cx.bind, &used, index)).collect())
    }

    /// The same chain with each of `params` standing for one element of its pack.
    fn bind_element(&self, bind: BindId, params: &[DeclId], index: usize) -> BindId {
        if bind == BindId::NONE {
            return bind;
        }
        let link = self.store().bindings(bind);
        let parent = self.bind_element(link.parent, params, index);
        let header_params = &self.ast[link.header].params;
        let args: Arc<[TArg]> = link
            .args
            .iter()
            .enumerate()
            .map(|(position, arg)| match (header_params.get(position), arg) {
                (Some(param), TArg::Pack(elements)) if params.contains(param) => {
                    elements.get(index).cloned().unwrap_or(TArg::Unknown)
                }
                _ => arg.clone(),
            })
            .collect();
        self.store().bind(parent, link.header, args)
    }

    /// The template parameter packs that can be named from a context.
    fn packs_in_scope(&self, cx: Cx) -> Vec<(DeclId, Name)> {
        let mut packs = Vec::new();
        let mut add = |header: TemplateId| {
            for &param in &self.ast[header].params {
                let (name, pack) = match &self.ast[param].kind {
                    DeclKind::TypeParam { name, pack, .. } | DeclKind::TemplateParam { name, pack, .. } => {
                        (*name, *pack)
                    }
                    DeclKind::Variable(variable) => (variable.name.ident().unwrap_or_default(), variable.pack),
                    _ => continue,
                };
                if pack {
                    packs.push((param, name));
                }
            }
        };
        let mut bind = cx.bind;
        while bind != BindId::NONE {
            let link = self.store().bindings(bind);
            add(link.header);
            bind = link.parent;
        }
        packs
    }

    /// Whether a name occurs as a token, or through a function parameter pack, in a range.
    fn mentions(&self, range: TokenRange, name: Name) -> bool {
        self.env.mentions(range, name)
    }

    /// Matches written arguments with a header's parameters, filling in defaults. `None` if they do not fit.
    pub(crate) fn template_args(
        &self,
        header: TemplateId,
        written: &[TemplateArg],
        outer: BindId,
        cx: Cx,
    ) -> Option<Arc<[TArg]>> {
        let given = self.plain_args_for(header, written, outer, cx)?;
        self.complete_args(header, given, outer)
    }

    /// Written arguments for the first parameters of a header; the rest is to be deduced.
    pub(crate) fn template_args_prefix(
        &self,
        header: TemplateId,
        written: &[TemplateArg],
        outer: BindId,
        cx: Cx,
    ) -> Option<Arc<[TArg]>> {
        Some(self.plain_args_for(header, written, outer, cx)?.into())
    }

    fn plain_args_for(&self, header: TemplateId, written: &[TemplateArg], outer: BindId, cx: Cx) -> Option<Vec<TArg>> {
        let params = self.ast[header].params.clone();
        let mut given: Vec<TArg> = Vec::with_capacity(written.len());
        for arg in written {
            if arg.expansion {
                self.expand_template_arg(arg, cx, &mut given);
                continue;
            }
            let index = given.len().min(params.len().saturating_sub(1));
            let value = match (params.get(index).map(|&param| &self.ast[param].kind), arg.kind) {
                (Some(DeclKind::Variable(variable)), TemplateArgKind::Expr(expr)) => {
                    let partial = self.store().bind(outer, header, given.clone().into());
                    let of_header = Cx {
                        scope: self.ast[header].scope,
                        bind: partial,
                        before: u32::MAX,
                        before_local: u32::MAX,
                        class: None,
                    };
                    let ty = self.value_param_type(variable, of_header);
                    let is_known = !matches!(self.kind(ty), TyKind::Auto) && self.store().is_solid(ty);
                    let ty = is_known.then_some(ty);
                    self.value_arg(expr, ty, cx)
                }
                (_, TemplateArgKind::Type(node)) => self.type_arg(node, cx),
                (_, TemplateArgKind::Expr(expr)) => self.value_arg(expr, None, cx),
            };
            given.push(value);
        }
        Some(given)
    }

    /// Packs and defaults: from the arguments given to one for each parameter.
    pub(crate) fn complete_args(&self, header: TemplateId, given: Vec<TArg>, outer: BindId) -> Option<Arc<[TArg]>> {
        let params = &self.ast[header].params;
        let mut args: Vec<TArg> = Vec::with_capacity(params.len());
        let mut given = given.into_iter().peekable();
        for &param in params.iter() {
            let (is_pack, default) = match &self.ast[param].kind {
                DeclKind::TypeParam { pack, default, .. } => (*pack, default.map(TemplateArgKind::Type)),
                DeclKind::TemplateParam { pack, default, .. } => (*pack, default.map(TemplateArgKind::Type)),
                DeclKind::Variable(variable) => (
                    variable.pack,
                    match &variable.init {
                        Init::Assign(expr) => Some(TemplateArgKind::Expr(*expr)),
                        _ => None,
                    },
                ),
                _ => return None,
            };
            if is_pack {
                let rest: Vec<TArg> = given.by_ref().collect();
                // A whole pack handed on is that pack.
                args.push(TArg::Pack(rest.into()));
                continue;
            }
            if matches!(given.peek(), Some(TArg::Expansion(_))) {
                // The number of arguments is not known yet.
                args.push(TArg::DependentExpr(ExprId(u32::MAX), BindId::NONE));
                continue;
            }
            match given.next() {
                Some(arg) => {
                    if !self.arg_fits(param, &arg) {
                        return None;
                    }
                    args.push(arg);
                }
                None => {
                    let default = default.or_else(|| self.inherited_default(header, args.len()))?;
                    let partial = self.store().bind(outer, header, args.clone().into());
                    let cx = Cx {
                        scope: self.ast[header].scope,
                        bind: partial,
                        before: u32::MAX,
                        before_local: u32::MAX,
                        class: None,
                    };
                    args.push(match default {
                        TemplateArgKind::Type(node) => self.quiet().type_arg(node, cx),
                        TemplateArgKind::Expr(expr) => {
                            let ty = match &self.ast[param].kind {
                                DeclKind::Variable(variable) => self.quiet().value_param_type(variable, cx),
                                _ => Ty::UNKNOWN,
                            };
                            if self.store().is_invalid(ty) {
                                return None;
                            }
                            self.quiet().value_arg(expr, self.store().is_solid(ty).then_some(ty), cx)
                        }
                    });
                    if let Some(TArg::Type(ty)) = args.last()
                        && self.store().is_invalid(ty.ty)
                    {
                        return None;
                    }
                }
            }
        }
        // Too many arguments; an expansion of unknown length may still turn out empty.
        if given.any(|arg| !matches!(arg, TArg::Expansion(_))) {
            return None;
        }
        Some(args.into())
    }

    /// Reports arguments of a class or alias template that are too many, too few, or of another sort than its
    /// parameters; what fails further inside is none of that.
    pub(crate) fn report_template_args(&self, path: &Path, cx: Cx) {
        let Some((last, written)) = path.last().and_then(|last| Some((last, last.args.as_deref()?))) else { return };
        let found = self.lookup_path(path, cx);
        let Some(&item) = found.items.first() else { return };
        if !matches!(self.ast[item.decl].kind, DeclKind::Record(_) | DeclKind::TypeAlias { .. }) {
            return;
        }
        let primary = match self.ast[item.decl].kind {
            DeclKind::Record(_) => self.primary_record(item.decl),
            _ => item.decl,
        };
        let (Some(&header), Some(name)) = (self.ast[primary].templates.last(), self.decl_name(primary)) else { return };
        let params = &self.ast[header].params;
        let is_pack = |&param: &DeclId| match &self.ast[param].kind {
            DeclKind::TypeParam { pack, .. } | DeclKind::TemplateParam { pack, .. } => *pack,
            DeclKind::Variable(variable) => variable.pack,
            _ => true,
        };
        if params.iter().any(is_pack) || written.iter().any(|arg| arg.expansion) {
            return;
        }
        let has_default = |index: usize| {
            let own = match &self.ast[params[index]].kind {
                DeclKind::TypeParam { default, .. } | DeclKind::TemplateParam { default, .. } => default.is_some(),
                DeclKind::Variable(variable) => !matches!(variable.init, Init::None),
                _ => true,
            };
            own || self.inherited_default(header, index).is_some()
        };
        let range = TokenRange::new(last.token, last.token + 1);
        let count = |count: usize| {
            if count == 1 { "one template argument".to_owned() } else { format!("{count} template arguments") }
        };
        let needed = (0..params.len()).filter(|&index| !has_default(index)).count();
        let message = if written.len() > params.len() {
            let most = if needed == params.len() { String::new() } else { " at most".to_owned() };
            format!("`{name}` takes {}{most}, and {} are given", count(params.len()), written.len())
        } else if written.len() < needed {
            let least = if needed == params.len() { String::new() } else { " at least".to_owned() };
            let given = if written.len() == 1 { "one is".to_owned() } else { format!("{} are", written.len()) };
            format!("`{name}` takes {}{least}, and {given} given", count(needed))
        } else {
            let wrong = params.iter().zip(written).find_map(|(&param, arg)| match (&self.ast[param].kind, arg.kind) {
                (DeclKind::TypeParam { name, .. }, TemplateArgKind::Expr(_)) => Some((arg, *name, "a type")),
                (DeclKind::Variable(variable), TemplateArgKind::Type(node)) => {
                    let ty = self.quiet().resolve_type(node, cx).ty;
                    let is_type = self.store().is_solid(ty) || matches!(self.kind(ty), TyKind::Param(_));
                    is_type.then(|| (arg, variable.name.ident().unwrap_or_default(), "a value"))
                }
                _ => None,
            });
            let Some((arg, param, wanted)) = wrong else { return };
            self.report(|| TyDiagnostic {
                code: Code::TemplateArgumentMismatch,
                severity: None,
                range: arg.range,
                message: format!("`{name}` takes {wanted} as `{param}`"),
                related: Vec::new(),
                fixes: Vec::new(),
            });
            return;
        };
        self.report(|| TyDiagnostic {
            code: Code::TemplateArgumentMismatch,
            severity: None,
            range,
            message,
            related: Vec::new(),
            fixes: Vec::new(),
        });
    }

    /// A default template argument that an earlier declaration of the same template gives.
    fn inherited_default(&self, header: TemplateId, index: usize) -> Option<TemplateArgKind> {
        let owner = self.ast[header].params.first().map(|&param| self.ast[param].scope)?;
        let owner = self.ast[owner].owner?;
        self.redeclarations(owner).into_iter().find_map(|other| {
            let other_header = *self.ast[other].templates.last()?;
            if other_header == header {
                return None;
            }
            match &self.ast[*self.ast[other_header].params.get(index)?].kind {
                DeclKind::TypeParam { default, .. } | DeclKind::TemplateParam { default, .. } => {
                    default.map(TemplateArgKind::Type)
                }
                DeclKind::Variable(variable) => match &variable.init {
                    Init::Assign(expr) => Some(TemplateArgKind::Expr(*expr)),
                    _ => None,
                },
                _ => None,
            }
        })
    }

    /// Whether an argument is of the sort that a parameter takes.
    fn arg_fits(&self, param: DeclId, arg: &TArg) -> bool {
        match (&self.ast[param].kind, arg) {
            (_, TArg::Unknown | TArg::Param(_) | TArg::DependentExpr(..)) => true,
            (DeclKind::TypeParam { .. }, TArg::Type(ty)) => !self.store().is_invalid(ty.ty),
            (DeclKind::TemplateParam { .. }, TArg::Template(..)) => true,
            (DeclKind::Variable(_), TArg::Value { .. }) => true,
            // What the parser took for a type can be the value of a dependent name.
            (DeclKind::Variable(_), TArg::Type(ty)) => self.store().is_dependent(ty.ty),
            _ => false,
        }
    }
}
