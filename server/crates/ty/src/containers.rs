//! What stands in front of `::`: namespaces, classes and enumerations.

use msl_parser::ast::*;

use crate::lookup::{Found, Key};
use crate::resolve::{Container, Named};
use crate::sema::{Cx, Sema};
use crate::store::*;

impl<'a> Sema<'a> {
    /// What the first `count` segments of a path name.
    pub fn resolve_container(&self, path: &Path, count: usize, cx: Cx) -> Container {
        let mut container: Option<Container> =
            if path.global { Some(Container::Namespace(self.env.global)) } else { None };
        if let Some(expr) = path.decltype {
            let info = self.type_of_expr(expr, cx);
            container = Some(self.container_of_type(info.ty.ty));
        }
        for segment in path.segments.iter().take(count) {
            let UnqualName::Ident(name) = segment.name else { return Container::Unknown };
            let found = match container {
                None => self.lookup(Key::Name(name), cx),
                Some(Container::Namespace(scope)) => self.lookup_in_namespace(scope, Key::Name(name), cx),
                Some(Container::Record(ty)) => {
                    let members = self.members(ty, name);
                    Found {
                        items: members.items.clone(),
                        class: members.class,
                        uncertain: members.uncertain,
                        too_new: members.too_new,
                    }
                }
                Some(other @ (Container::Dependent | Container::Unknown)) => return other,
                Some(Container::Enum(..)) => return Container::Unknown,
            };
            let mut next = Container::Unknown;
            for &item in &found.items {
                match &self.ast[item.decl].kind {
                    DeclKind::Namespace { scope, .. } => {
                        next = Container::Namespace(*scope);
                        break;
                    }
                    DeclKind::NamespaceAlias { target, .. } => {
                        let from = Cx { scope: self.ast[item.decl].scope, before: item.decl.0, ..cx };
                        next = self
                            .deeper(|| self.resolve_container(target, target.segments.len(), from))
                            .unwrap_or(Container::Unknown);
                        break;
                    }
                    _ => match self.type_of_item(item, found.class, segment, cx) {
                        Named::Type(ty) => {
                            next = self.container_of_type(ty.ty);
                            break;
                        }
                        _ => continue,
                    },
                }
            }
            if matches!(next, Container::Unknown) && found.uncertain && found.items.is_empty() {
                next = Container::Dependent;
            }
            container = Some(next);
        }
        container.unwrap_or(Container::Unknown)
    }

    fn container_of_type(&self, ty: Ty) -> Container {
        match self.kind(ty) {
            TyKind::Record(..) => {
                if self.store().is_dependent(ty) && !self.is_current_instantiation(ty) {
                    Container::Dependent
                } else {
                    Container::Record(ty)
                }
            }
            TyKind::Enum(decl, bind) => Container::Enum(*decl, *bind),
            _ if self.store().is_dependent(ty) => Container::Dependent,
            _ => Container::Unknown,
        }
    }

    /// Whether a dependent class is a template seen from inside: each argument is the parameter itself.
    pub(crate) fn is_current_instantiation(&self, ty: Ty) -> bool {
        let TyKind::Record(decl, bind) = self.kind(ty) else { return false };
        let mut bind = *bind;
        if self.ast[*decl].templates.is_empty() {
            return true;
        }
        while bind != BindId::NONE {
            let link = self.store().bindings(bind);
            for (param, arg) in self.ast[link.header].params.iter().zip(link.args.iter()) {
                let own = match arg {
                    TArg::Type(ty) => {
                        matches!(self.kind(ty.ty), TyKind::Param(own) if self.is_own_param(*decl, *own, *param))
                    }
                    TArg::Param(own) => self.is_own_param(*decl, *own, *param),
                    TArg::Pack(args) => matches!(&**args, [TArg::Expansion(_)]),
                    _ => false,
                };
                if !own {
                    return false;
                }
            }
            bind = link.parent;
        }
        true
    }

    /// Whether a parameter is the class template's own: of its first declaration, of its definition, or of the
    /// definition of one of its members outside of it.
    fn is_own_param(&self, class: DeclId, own: DeclId, primary: DeclId) -> bool {
        if own == primary {
            return true;
        }
        let Some(owner) = self.ast[self.ast[own].scope].owner else { return false };
        let of_class = match &self.ast[owner].kind {
            DeclKind::Record(record) => record.name_args.is_none() && self.primary_record(owner) == class,
            DeclKind::Function(Function { qualifier: Some(path), .. })
            | DeclKind::Variable(Variable { qualifier: Some(path), .. }) => {
                path.last().and_then(|segment| segment.name.ident()) == self.decl_name(class)
            }
            _ => false,
        };
        let position = |param: DeclId, of: DeclId| {
            self.ast[of]
                .templates
                .iter()
                .find_map(|&header| self.ast[header].params.iter().position(|&candidate| candidate == param))
        };
        of_class && position(own, owner) == position(primary, class)
    }
}
