//! Class template argument deduction (C++17 [over.match.class.deduct]).
//!
//! A *guide* is a function from constructor arguments to a specialisation: one that the program declares, or one that
//! stands for a constructor of the class template. The best guide for the arguments says which specialisation is
//! meant; where none or several do, nothing is known.

use msl_builtins::Since;
use msl_diagnostics::Code;
use msl_parser::ast::*;
use smallvec::SmallVec;

use crate::convert::Conv;
use crate::deduce::DeducedBindings;
use crate::expr::{Checker, ExprInfo};
use crate::overload::{Compared, Fit, compare};
use crate::resolve::Named;
use crate::sema::{Cx, DeclRef, Sema};
use crate::store::*;

/// A guide that takes the arguments.
struct Fitting {
    result: Ty,
    convs: SmallVec<[Conv; 4]>,
    is_declared: bool,
}

impl<'a> Sema<'a> {
    /// The class template that a type as written names without arguments.
    pub(crate) fn template_name(&self, node: TypeId, cx: Cx) -> Option<DeclRef> {
        match &self.ast[node].kind {
            TypeKind::Qualified { inner, .. } => self.template_name(*inner, cx),
            TypeKind::Path { path, .. } => match self.named_type(path, cx) {
                Named::Template(template) => Some(template),
                _ => None,
            },
            _ => None,
        }
    }

    /// The specialisation that `C(args)` makes of a class template `C`.
    pub(crate) fn deduce_class(&self, template: DeclRef, args: &[ExprInfo]) -> QualTy {
        if args.iter().any(|arg| self.store().is_dependent(arg.ty.ty)) {
            return QualTy::DEPENDENT;
        }
        self.deeper(|| self.deduce_class_inner(template, args)).flatten().map_or(QualTy::UNKNOWN, QualTy::plain)
    }

    /// The specialisation that a variable's initialiser makes of the class template that its type names.
    pub(crate) fn deduce_class_from(&self, template: DeclRef, init: &Init, cx: Cx) -> QualTy {
        let args: &[ExprId] = match init {
            Init::None | Init::Implied => &[],
            Init::Paren(args) => args,
            Init::Assign(value) | Init::Brace(value) => match &self.ast[*value].kind {
                ExprKind::InitList(items) => items,
                _ => std::slice::from_ref(value),
            },
        };
        if args.iter().any(|&arg| matches!(self.ast[arg].kind, ExprKind::Expansion(_) | ExprKind::Designated { .. })) {
            return QualTy::UNKNOWN;
        }
        let infos: Vec<ExprInfo> = args.iter().map(|&arg| self.type_of_expr(arg, cx)).collect();
        self.deduce_class(template, &infos)
    }

    fn deduce_class_inner(&self, template: DeclRef, args: &[ExprInfo]) -> Option<Ty> {
        let ast: &'a Ast = self.ast;
        let header = *ast[template.decl].templates.last()?;
        let is_typed = |arg: &ExprInfo| {
            !arg.is_init_list() && !arg.is_overload_set() && self.store().is_solid(self.decayed(arg.ty))
        };
        if !matches!(ast[template.decl].kind, DeclKind::Record(_)) || !args.iter().all(is_typed) {
            return None;
        }
        // A copy has the type of what is copied.
        if let [only] = args
            && matches!(self.kind(only.ty.ty), TyKind::Record(decl, _) if *decl == template.decl)
        {
            return Some(only.ty.ty);
        }
        let mut fitting: Vec<Fitting> = Vec::new();
        for &guide in &ast[self.declared_in(template.decl)].guides {
            if self.decl_name(guide) == self.decl_name(template.decl) {
                fitting.extend(self.fit_guide(guide, template, args)?);
            }
        }
        let definition = self.redeclarations(template.decl).into_iter().find(|&decl| {
            matches!(&ast[decl].kind, DeclKind::Record(record) if record.name_args.is_none() && record.scope.is_some())
        })?;
        let DeclKind::Record(Record { scope: Some(scope), .. }) = ast[definition].kind else { return None };
        if self.is_partial(definition) {
            return None;
        }
        for &constructor in &ast[scope].constructors {
            fitting.extend(self.fit_constructor(constructor, definition, template, args)?);
        }
        if args.is_empty() && ast[scope].constructors.is_empty() {
            let defaults = self.complete_args(header, Vec::new(), template.bind)?;
            return Some(self.make_record(template.decl, self.store().bind(template.bind, header, defaults)));
        }
        // Guides that are equally good are no contradiction as long as they lead to one specialisation.
        let mut best = fitting.iter().filter(|own| !fitting.iter().any(|other| is_better(other, own)));
        let first = best.next()?.result;
        best.all(|other| other.result == first).then_some(first)
    }

    /// Whether a guide that the program declares takes the arguments; `None` if that is not known.
    fn fit_guide(&self, guide: DeclId, template: DeclRef, args: &[ExprInfo]) -> Option<Option<Fitting>> {
        let ast: &'a Ast = self.ast;
        let DeclKind::DeductionGuide { ty, result, .. } = &ast[guide].kind else { return Some(None) };
        let TypeKind::Function(written) = &ast[*ty].kind else { return None };
        let headers: &[TemplateId] = &ast[guide].templates;
        let open = self.cx_of(DeclRef { decl: guide, bind: template.bind });
        let pattern = self.written_params(&written.params, open);
        let bind = match self.deduce_bindings(&pattern, headers, template.bind, args) {
            DeducedBindings::Yes(bind) => bind,
            DeducedBindings::No => return Some(None),
            DeducedBindings::Unsure => return None,
        };
        let bound = Cx { bind, ..open };
        let convs = match self.fit_arguments(&self.written_params(&written.params, bound), written.variadic, args) {
            Fit::Yes(convs) => convs,
            Fit::No(_) => return Some(None),
            Fit::Unsure => return None,
        };
        let result = self.quiet().resolve_type(*result, bound).ty;
        matches!(self.kind(result), TyKind::Record(..)).then_some(Some(Fitting { result, convs, is_declared: true }))
    }

    /// Whether a constructor of the class template takes the arguments; `None` if that is not known.
    fn fit_constructor(
        &self,
        constructor: DeclId,
        definition: DeclId,
        template: DeclRef,
        args: &[ExprInfo],
    ) -> Option<Option<Fitting>> {
        let ast: &'a Ast = self.ast;
        let of_class = *ast[definition].templates.last()?;
        let mut headers: SmallVec<[TemplateId; 2]> = SmallVec::from_slice(&[of_class]);
        headers.extend(ast[constructor].templates.last().copied().filter(|&own| !ast[own].params.is_empty()));
        let pattern = self.signature(DeclRef { decl: constructor, bind: template.bind });
        let bind = match self.deduce_bindings(&pattern.params, &headers, template.bind, args) {
            DeducedBindings::Yes(bind) => bind,
            DeducedBindings::No => return Some(None),
            DeducedBindings::Unsure => return None,
        };
        let signature = self.signature(DeclRef { decl: constructor, bind });
        if signature.invalid {
            return Some(None);
        }
        let convs = match self.fit_arguments(&signature.params, signature.variadic, args) {
            Fit::Yes(convs) => convs,
            Fit::No(_) => return Some(None),
            Fit::Unsure => return None,
        };
        let mut link = self.store().bindings(bind);
        if link.header != of_class {
            link = self.store().bindings(link.parent);
        }
        let primary = *ast[template.decl].templates.last()?;
        let of_primary = self.store().bind(template.bind, primary, std::sync::Arc::clone(&link.args));
        Some(Some(Fitting { result: self.make_record(template.decl, of_primary), convs, is_declared: false }))
    }
}

fn is_better(a: &Fitting, b: &Fitting) -> bool {
    match compare(&a.convs, &b.convs) {
        Compared::Better => true,
        Compared::Equal => a.is_declared && !b.is_declared,
        Compared::Worse | Compared::Mixed => false,
    }
}

impl<'a> Checker<'a> {
    /// Reports a class template without arguments where nothing gives them: in the type of a parameter, a result or a
    /// data member.
    pub(crate) fn check_has_template_arguments(&self, declared: QualTy, node: TypeId) {
        if self.sema.store().is_solid(declared.ty) {
            return;
        }
        let mut node = node;
        while let TypeKind::Pointer(inner)
        | TypeKind::LRef(inner)
        | TypeKind::RRef(inner)
        | TypeKind::Qualified { inner, .. }
        | TypeKind::Array { elem: inner, .. } = self.ast()[node].kind
        {
            node = inner;
        }
        let Some(template) = self.sema.template_name(node, self.cx) else { return };
        let Some(name) = self.sema.decl_name(template.decl) else { return };
        self.report(
            Code::TemplateArgumentMismatch,
            self.ast()[node].range,
            format!("`{name}` is a class template and needs its arguments here: `{name}<…>`"),
        );
    }

    /// Reports a class template without arguments where the version in force asks for them.
    pub(crate) fn check_class_deduction(&self, template: DeclRef, node: TypeId) {
        if !self.sema.is_library(template.decl) {
            self.needs(
                Since::both(4, 0),
                self.ast()[node].range,
                "the deduction of a class template's arguments needs",
            );
        }
    }
}
