//! What a rename would break.
//!
//! A rename edits every occurrence of an entity, in all units that see it. This module says why it must not: the name is
//! no name, the thing is not the author's, an occurrence cannot be edited, or the new name means something already where
//! the old one is used.

use std::{fmt, sync::Arc};

use msl_intern::Name;
use msl_parser::ast::*;
use msl_preproc::TokenKind;
use msl_ty::{lookup::Key, sema::Cx, store::BindId};

use crate::{
    analysis::{Analysis, UnitRequest},
    references::{Entity, Occurrences},
    view::{View, macro_at},
};

/// Why something cannot be renamed, in the user's terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenameProblem(pub String);

impl fmt::Display for RenameProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn problem<T>(message: impl Into<String>) -> Result<T, RenameProblem> {
    Err(RenameProblem(message.into()))
}

impl Occurrences {
    /// Whether the thing can be renamed at all.
    pub fn check_renamable(&self) -> Result<(), RenameProblem> {
        let name = &self.name;
        if self.is_library {
            return problem(format!("`{name}` is declared in Metal's library"));
        }
        if self.is_macro {
            return problem(format!("`{name}` is a macro: what it is replaced by need not mean the same everywhere"));
        }
        if name.is_empty() {
            return problem("this has no name that could be changed");
        }
        if let Some(place) = self.in_macros.first() {
            return problem(format!("`{name}` is named {place}, which a rename cannot follow"));
        }
        if !self.ambiguous.is_empty() {
            return problem(format!("`{name}` is named in a template where other instances mean something else"));
        }
        if !self.references.iter().any(|reference| reference.access == crate::Access::Declaration) {
            return problem(format!("the declaration of `{name}` is not text that could be edited"));
        }
        Ok(())
    }
}

/// Whether a text can be the name of something that a user declares.
pub fn is_valid_name(name: &str) -> Result<(), RenameProblem> {
    let lexed = msl_preproc::lex(name.as_bytes());
    let kind = match &*lexed.tokens {
        [token, _] if token.range() == (0..name.len() as u32) => token.token.kind,
        _ => return problem(format!("`{name}` is not a name")),
    };
    match kind {
        TokenKind::Ident => {}
        TokenKind::Keyword(_) => return problem(format!("`{name}` is a keyword")),
        _ => return problem(format!("`{name}` is not a name")),
    }
    if matches!(name, "kernel" | "vertex" | "fragment" | "coherent") {
        return problem(format!("`{name}` is a word of the language"));
    }
    let bytes = name.as_bytes();
    if name.contains("__") || bytes[0] == b'_' && bytes.get(1).is_some_and(u8::is_ascii_uppercase) {
        return problem(format!("names such as `{name}` are reserved for the compiler (C++ [lex.name])"));
    }
    Ok(())
}

impl Analysis {
    /// Whether the thing at `offset` can get a new name without changing the meaning of the unit.
    pub fn check_new_name(
        &self,
        request: &UnitRequest,
        path: &Arc<str>,
        offset: u32,
        new_name: &str,
    ) -> Result<(), RenameProblem> {
        is_valid_name(new_name)?;
        let view = View::new(self, request);
        if macro_at(&view, path, offset).is_some() {
            return problem("a macro cannot be renamed");
        }
        let Some((layer, named)) = view.named_at(path, offset) else { return problem("there is no name here") };
        let Some(entity) = Entity::of(&view, &layer, &named.items) else { return problem("there is no name here") };
        let name = Name::new(new_name);
        if view.preprocessed.map.definitions().iter().any(|definition| definition.name == name)
            || view.preprocessed.macro_table.get(name).is_some()
        {
            return problem(format!("`{new_name}` is a macro"));
        }

        // In the scope of the declaration, and in whatever is around it where other code could mean it.
        let sema = layer.sema(view.env);
        let declared = &sema.ast[entity.first];
        let is_member = sema.enclosing_class(declared.scope, BindId::NONE).is_some();
        let scope = sema.declared_in(entity.first);
        if !sema.ast[scope].get(name).is_empty() {
            return problem(format!("`{new_name}` is declared in the same scope"));
        }
        if let Some(class) = sema.enclosing_class(scope, BindId::NONE)
            && sema.ast[scope].kind == msl_parser::scope::ScopeKind::Record
            && !sema.members(class, name).items.is_empty()
        {
            return problem(format!("`{new_name}` is a member of a base class"));
        }

        // Where the new name is used already, it must not come to mean the renamed thing, and where the old one is used,
        // the new one must not mean something nearer.
        let uses_new = |facts: &msl_ty::expr::Facts, ast: &Ast| {
            let by_name = |decl: DeclId| sema_name(ast, decl) == Some(name);
            let declares = ast.own_decls().any(|(decl, _)| by_name(decl));
            declares || facts.refs.values().flatten().any(|item| by_name(item.decl))
        };
        let clash =
            || problem(format!("`{new_name}` means something else where `{}` is used", display(&sema, entity.first)));
        if entity.is_local {
            if uses_new(layer.facts, layer.ast()) {
                return clash();
            }
            return Ok(());
        }
        if !is_member {
            let cx = Cx {
                scope: view.env.global,
                bind: BindId::NONE,
                before: u32::MAX,
                before_local: u32::MAX,
                class: None,
            };
            let found = sema.lookup(Key::Name(name), Cx { scope, ..cx });
            if !found.items.is_empty() {
                return clash();
            }
        }
        for layer in view.layers() {
            let is_used = layer.facts.refs.values().any(|items| entity.is_meant_by(items));
            if is_used && !is_member && uses_new(layer.facts, layer.ast()) && layer.body.is_some() {
                return clash();
            }
        }
        Ok(())
    }
}

fn sema_name(ast: &Ast, decl: DeclId) -> Option<Name> {
    match &ast[decl].kind {
        DeclKind::Variable(variable) => variable.name.ident(),
        DeclKind::Function(function) => function.name.ident(),
        DeclKind::Record(record) => Some(record.name),
        DeclKind::Enum(enumeration) => Some(enumeration.name),
        DeclKind::TypeAlias { name, .. } | DeclKind::Enumerator { name, .. } | DeclKind::TypeParam { name, .. } => {
            Some(*name)
        }
        _ => None,
    }
}

fn display(sema: &msl_ty::Sema<'_>, decl: DeclId) -> String {
    sema.decl_name(decl).map_or_else(String::new, |name| name.to_string())
}

#[cfg(test)]
mod tests {
    use super::is_valid_name;

    #[test]
    fn names() {
        for good in ["x", "_x", "Größe", "device_pointer"] {
            assert!(is_valid_name(good).is_ok(), "{good}");
        }
        for bad in ["", "1x", "a b", "a::b", "float", "device", "kernel", "__x", "_X", "a__b", "x ", "operator+"] {
            assert!(is_valid_name(bad).is_err(), "{bad}");
        }
    }
}
