//! Instantiation of function templates and of members of class templates.
//!
//! An *instance* is a function with a body together with bindings that leave none of its template parameters open. A
//! unit's instances are what its explicit instantiations name and what its bodies and other instances call.
//!
//! The body of a template is checked once with its parameters open. What is settled there, because it does not depend
//! on a parameter, is taken over by every instance; only the rest is looked at again. So an instance costs as much as
//! its dependent part.

use std::sync::Arc;

use msl_parser::ast::*;
use smallvec::SmallVec;

use crate::deduce::Deduced;
use crate::sema::{Cx, DeclRef, Sema};
use crate::store::*;

impl<'a> Sema<'a> {
    /// The declaration of a function that has its body, with the bindings renamed to that declaration's own template
    /// parameters. `None` if the unit has no body for it.
    pub fn definition(&self, item: DeclRef) -> Option<DeclRef> {
        let has_body = |decl: DeclId| {
            matches!(&self.ast[decl].kind, DeclKind::Function(function)
                if matches!(function.body, FunctionBody::Deferred(_) | FunctionBody::Inline(_)))
        };
        if has_body(item.decl) {
            return Some(item);
        }
        let decl = &self.ast[item.decl];
        let DeclKind::Function(function) = &decl.kind else { return None };
        let own_template = decl.templates.len();
        // At namespace scope: a later declaration of the same name and template.
        for other in self.redeclarations(item.decl) {
            if other == item.decl || !has_body(other) || self.ast[other].templates.len() != own_template {
                continue;
            }
            let renamed = self.rename_bindings(item, other)?;
            if self.same_function(item, renamed) {
                return Some(renamed);
            }
        }
        // A member: a definition outside of its class.
        self.class_of(item)?;
        let outside = self.members_defined_outside(function.name);
        for other in outside {
            if !has_body(other) {
                continue;
            }
            let Some(renamed) = self.rename_bindings(item, other) else { continue };
            if self.class_of(renamed) == self.class_of(item) && self.same_function(item, renamed) {
                return Some(renamed);
            }
        }
        None
    }

    /// The explicit specialisation that takes the place of a function template's instance (C++ [temp.expl.spec]).
    pub(crate) fn explicit_specialization(&self, item: DeclRef) -> Option<DeclRef> {
        let &header = self.ast[item.decl].templates.last()?;
        let link = (item.bind != BindId::NONE).then(|| self.store().bindings(item.bind))?;
        if link.header != header || self.is_library(item.decl) {
            return None;
        }
        let template = DeclRef { decl: item.decl, bind: link.parent };
        let mut found = None;
        for other in self.redeclarations(item.decl) {
            let DeclKind::Function(function) = &self.ast[other].kind else { continue };
            // `template <>` without arguments behind the name leaves them all to deduction.
            let is_special = self.ast[other].templates.last().is_some_and(|&own| self.ast[own].params.is_empty());
            if self.ast[other].specs.contains(Specs::INSTANTIATION) || function.name_args.is_none() && !is_special {
                continue;
            }
            let written: &[TemplateArg] = function.name_args.as_deref().unwrap_or_default();
            let special = DeclRef { decl: other, bind: BindId::NONE };
            let Some(explicit) = self.template_args_prefix(header, written, template.bind, self.cx_of(special)) else {
                continue;
            };
            let signature = self.signature(special);
            let params: Vec<QualTy> = signature.params.iter().map(|param| param.ty.unqualified()).collect();
            let deduced = self.deduce_function(template, &explicit, &params, signature.ret);
            let Deduced::Yes(args) = deduced else { continue };
            if self.with_args(template, args).bind != item.bind {
                continue;
            }
            let has_body = !matches!(function.body, FunctionBody::None);
            if has_body || found.is_none() {
                found = Some(special);
            }
        }
        found
    }

    /// Definitions with a qualified name, by the last part of it.
    fn members_defined_outside(&self, name: UnqualName) -> SmallVec<[DeclId; 4]> {
        self.env.qualified_definitions().get(&crate::types::spell_name(name)).cloned().unwrap_or_default()
    }

    /// The bindings of one declaration of a function for the template parameters of another declaration of it.
    fn rename_bindings(&self, item: DeclRef, other: DeclId) -> Option<DeclRef> {
        let (from, to) = (self.headers_around(item.decl), self.headers_around(other));
        if from.len() != to.len() {
            return None;
        }
        let mut links = Vec::new();
        let mut bind = item.bind;
        while bind != BindId::NONE {
            let link = self.store().bindings(bind);
            links.push((link.header, Arc::clone(&link.args)));
            bind = link.parent;
        }
        let mut result = BindId::NONE;
        for (header, args) in links.into_iter().rev() {
            let position = from.iter().position(|&own| own == header)?;
            let target = to[position];
            if self.ast[target].params.len() != args.len() {
                return None;
            }
            result = self.store().bind(result, target, args);
        }
        Some(DeclRef { decl: other, bind: result })
    }

    /// Whether a function with these bindings is an instance: bound, and nothing in the bindings open, unknown or local
    /// to a body.
    pub(crate) fn is_instance(&self, item: DeclRef) -> bool {
        item.bind != BindId::NONE
            && !self.is_library(item.decl)
            && !self.is_local(item.decl)
            && !self.store().bind_flags(item.bind).intersects(TyFlags::DEPENDENT | TyFlags::UNKNOWN | TyFlags::LOCAL)
            && self.is_fully_bound(item)
    }

    /// Whether none of the template parameters that a declaration stands under is open.
    pub(crate) fn is_fully_bound(&self, item: DeclRef) -> bool {
        self.headers_around(item.decl).into_iter().all(|header| {
            if self.ast[header].params.is_empty() {
                return true;
            }
            let mut bind = item.bind;
            while bind != BindId::NONE {
                let link = self.store().bindings(bind);
                if link.header == header {
                    return true;
                }
                bind = link.parent;
            }
            false
        })
    }

    /// What an explicit instantiation instantiates (C++ [temp.explicit]): one function, or all members of a class.
    pub fn explicitly_instantiated(&self, decl: DeclId) -> Vec<DeclRef> {
        let ast: &'a Ast = self.ast;
        let data = &ast[decl];
        if !data.specs.contains(Specs::INSTANTIATION) || data.specs.contains(Specs::EXTERN_TEMPLATE) {
            return Vec::new();
        }
        let cx = Cx { scope: data.scope, bind: BindId::NONE, before: decl.0 + 1, before_local: u32::MAX, class: None };
        match &data.kind {
            DeclKind::Function(function) => {
                let TypeKind::Function(written) = &ast[function.ty].kind else { return Vec::new() };
                let params: Vec<QualTy> = written
                    .params
                    .iter()
                    .filter_map(|&param| match &ast[param].kind {
                        DeclKind::Variable(variable) => {
                            Some(self.adjust_param(self.quiet().resolve_type(variable.ty, cx)).unqualified())
                        }
                        _ => None,
                    })
                    .collect();
                let params = if let [only] = &*params
                    && only.ty == Ty::VOID
                {
                    Vec::new()
                } else {
                    params
                };
                self.instantiated_function(
                    function.name,
                    function.qualifier.as_ref(),
                    function.name_args.as_deref(),
                    Some((&params, self.quiet().resolve_type(written.ret, cx))),
                    cx,
                )
            }
            DeclKind::Variable(variable) => self.instantiated_function(
                variable.name,
                variable.qualifier.as_ref(),
                variable.name_args.as_deref(),
                None,
                cx,
            ),
            DeclKind::Record(record) => {
                let Some(args) = record.name_args.as_deref() else { return Vec::new() };
                let primary = self.primary_record(decl);
                let Some(&header) = ast[primary].templates.last() else { return Vec::new() };
                let Some(args) = self.template_args(header, args, BindId::NONE, cx) else { return Vec::new() };
                let ty = self.specialization(DeclRef { decl: primary, bind: BindId::NONE }, header, args);
                let Some(info) = self.record_info(ty.ty) else { return Vec::new() };
                let DeclKind::Record(record) = &ast[info.decl].kind else { return Vec::new() };
                record
                    .members
                    .iter()
                    .filter(|&&member| {
                        matches!(ast[member].kind, DeclKind::Function(_)) && ast[member].templates.is_empty()
                    })
                    .map(|&member| DeclRef { decl: member, bind: info.bind })
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    fn instantiated_function(
        &self,
        name: UnqualName,
        qualifier: Option<&Path>,
        args: Option<&[TemplateArg]>,
        ty: Option<(&[QualTy], QualTy)>,
        cx: Cx,
    ) -> Vec<DeclRef> {
        let mut segments = qualifier.map_or_else(Vec::new, |path| path.segments.to_vec());
        segments.push(Segment { name, args: None, token: 0, template_keyword: false });
        let path =
            Path { global: qualifier.is_some_and(|path| path.global), decltype: None, segments: segments.into() };
        let found = self.lookup_path(&path, cx);
        let mut result: Vec<DeclRef> = Vec::new();
        for item in found.items {
            let DeclKind::Function(function) = &self.ast[item.decl].kind else { continue };
            if self.ast[item.decl].specs.contains(Specs::INSTANTIATION) || function.name_args.is_some() {
                continue;
            }
            let Some(&header) = self.ast[item.decl].templates.last() else { continue };
            let explicit: Arc<[TArg]> = match args {
                Some(args) => match self.template_args_prefix(header, args, item.bind, cx) {
                    Some(args) => args,
                    None => continue,
                },
                None => Arc::from([]),
            };
            let instance = match ty {
                Some((params, ret)) => match self.deduce_function(item, &explicit, params, ret) {
                    Deduced::Yes(args) => self.with_args(item, args),
                    _ => continue,
                },
                None => match self.complete_args(header, explicit.to_vec(), item.bind) {
                    Some(args) => self.with_args(item, args),
                    None => continue,
                },
            };
            let signature = self.signature(instance);
            if signature.invalid {
                continue;
            }
            if let Some((params, _)) = ty
                && (signature.params.len() != params.len()
                    || signature
                        .params
                        .iter()
                        .zip(params)
                        .any(|(own, written)| own.ty.ty != written.ty && self.store().is_solid(written.ty)))
            {
                continue;
            }
            if !result.contains(&instance) {
                result.push(instance);
            }
        }
        // A template and its forward declaration are one function.
        let mut definitions: Vec<DeclRef> = Vec::new();
        for item in result {
            if let Some(definition) = self.definition(item)
                && !definitions.contains(&definition)
            {
                definitions.push(definition);
            }
        }
        definitions
    }
}
