//! Namespaces, using-declarations and the other declarations that declare no entity of their own.

use msl_intern::Name;
use msl_preproc::{Keyword, Punct, TokenKind};

use crate::ast::{DeclId, DeclKind, ScopeId, UnqualName};
use crate::decl::{Place, Prefix};
use crate::lookup::QualifierScope;
use crate::name::PathUse;
use crate::parser::Parser;
use crate::scope::{ScopeKind, UsingDirective};

impl Parser<'_> {
    pub(crate) fn parse_namespace(&mut self, mut prefix: Prefix, decls: &mut Vec<DeclId>) {
        let inline = self.eat_keyword(Keyword::Inline);
        self.bump();
        self.parse_attributes(&mut prefix.attrs);
        let mut names: Vec<(Name, u32, bool)> = Vec::new();
        let mut nested_inline = inline;
        while self.kind() == TokenKind::Ident {
            names.push((self.peek().name, self.number(), nested_inline));
            self.bump();
            if !self.eat(Punct::ColonColon) {
                break;
            }
            nested_inline = self.eat_keyword(Keyword::Inline);
        }
        self.parse_attributes(&mut prefix.attrs);
        if self.at(Punct::Eq) && names.len() == 1 {
            self.bump();
            let (name, token, _) = names[0];
            let target = self.parse_path(PathUse::Any).path;
            let decl = self.alloc_simple(prefix, DeclKind::NamespaceAlias { name, target });
            self.ast[decl].name_token = token;
            let scope = self.declaring_scope();
            self.declare_in(scope, name, decl);
            self.end_declaration();
            self.set_range(decl);
            decls.push(decl);
            return;
        }
        if names.is_empty() {
            names.push((Name::EMPTY, prefix.start, inline));
        }
        let open = self.number();
        if !self.eat(Punct::LBrace) {
            self.missing("`{` of the namespace");
            self.skip_declaration();
            return;
        }
        let outer = self.scope;
        let mut opened = Vec::new();
        for (name, token, inline) in names {
            let attrs = if opened.is_empty() { std::mem::take(&mut prefix.attrs) } else { Vec::new() };
            let prefix = Prefix { start: prefix.start, attrs, ..Prefix::default() };
            let kind = DeclKind::Namespace { name, inline, scope: self.scope, decls: Box::default() };
            let decl = self.alloc_simple(prefix, kind);
            self.ast[decl].name_token = token;
            let scope = self.open_namespace(name, inline, decl);
            if let DeclKind::Namespace { scope: own, .. } = &mut self.ast[decl].kind {
                *own = scope;
            }
            opened.push(decl);
            self.scope = scope;
        }
        let mut inner = Vec::new();
        self.parse_declarations(&mut inner, true);
        self.expect_closing(Punct::RBrace, open);
        self.scope = outer;
        for decl in opened.into_iter().rev() {
            self.set_range(decl);
            if let DeclKind::Namespace { decls, .. } = &mut self.ast[decl].kind {
                *decls = std::mem::take(&mut inner).into_boxed_slice();
            }
            inner.push(decl);
        }
        decls.append(&mut inner);
    }

    /// The scope of a namespace that is opened here: that of an earlier part in this layer, or a new one that
    /// continues what lower layers have.
    fn open_namespace(&mut self, name: Name, inline: bool, decl: DeclId) -> ScopeId {
        let outer = self.declaring_scope();
        // The first part of the namespace, in this layer or below.
        let mut earlier = None;
        let mut part = Some(outer);
        while let Some(scope) = part
            && earlier.is_none()
        {
            let node = &self.ast[scope];
            earlier = if name.is_empty() {
                node.using_directives.iter().rev().find_map(|directive| match &self.ast[directive.at].kind {
                    DeclKind::Namespace { name, scope, .. } if name.is_empty() => Some(*scope),
                    _ => None,
                })
            } else {
                node.get(name).iter().rev().find_map(|&decl| match &self.ast[decl].kind {
                    DeclKind::Namespace { scope, .. } => Some(*scope),
                    _ => None,
                })
            };
            part = node.extends;
        }
        let earlier = earlier.map(|scope| self.ast.newest(scope));
        let (scope, is_new) = match earlier {
            Some(scope) if self.ast.owns_scope(scope) => (scope, false),
            Some(lower) => {
                let scope = self.new_scope(ScopeKind::Namespace);
                self.ast[scope].extends = Some(lower);
                self.ast[scope].owner = Some(decl);
                let root = self.ast.root_scope(lower);
                self.ast.extensions.insert(root, scope);
                (scope, false)
            }
            None => {
                let scope = self.new_scope(ScopeKind::Namespace);
                self.ast[scope].owner = Some(decl);
                (scope, true)
            }
        };
        self.declare_in(outer, name, decl);
        let entered = self.ast[outer].using_directives.iter().any(|directive| directive.target == Some(scope));
        if (inline || name.is_empty()) && !entered && self.ast.owns_scope(outer) && (is_new || earlier.is_some()) {
            // An extension of a lower layer's inline namespace is entered too: that layer enters only its own part.
            self.ast[outer].using_directives.push(UsingDirective { at: decl, target: Some(scope), path: None });
        }
        scope
    }

    pub(crate) fn parse_using(&mut self, place: Place, mut prefix: Prefix, decls: &mut Vec<DeclId>) {
        self.bump();
        let scope = self.declaring_scope();
        if self.eat_keyword(Keyword::Namespace) {
            let parsed = self.parse_path(PathUse::Any);
            let target = match parsed.path.last().map(|segment| segment.name) {
                Some(name @ UnqualName::Ident(_)) => match self.scope_behind(parsed.qualifier, name) {
                    QualifierScope::Scope(scope) => Some(scope),
                    _ => None,
                },
                _ => None,
            };
            let decl = self.alloc_simple(prefix, DeclKind::UsingDirective { target: parsed.path.clone() });
            if self.ast.owns_scope(scope) {
                self.ast[scope].using_directives.push(UsingDirective { at: decl, target, path: Some(parsed.path) });
            }
            self.end_declaration();
            self.set_range(decl);
            decls.push(decl);
            return;
        }
        let is_alias = self.kind() == TokenKind::Ident
            && (self.nth_is(1, Punct::Eq)
                || self.nth_is(1, Punct::LBracket) && self.nth_is(2, Punct::LBracket)
                || self.nth(1).is_keyword(Keyword::Attribute));
        if is_alias {
            let name = self.peek().name;
            let name_token = self.bump();
            self.parse_attributes(&mut prefix.attrs);
            self.expect(Punct::Eq);
            let ty = self.parse_type_id();
            self.parse_attributes(&mut prefix.attrs);
            let decl = self.alloc_simple(prefix, DeclKind::TypeAlias { name, ty });
            self.ast[decl].name_token = name_token;
            self.declare_in(scope, name, decl);
            self.note_member_template(place, decl, name);
            self.end_declaration();
            self.set_range(decl);
            decls.push(decl);
            return;
        }
        loop {
            let typename = self.eat_keyword(Keyword::Typename);
            let parsed = self.parse_path(PathUse::Any);
            let name = parsed.path.last().map(|segment| (segment.name, segment.token));
            let target_prefix =
                Prefix { start: prefix.start, attrs: prefix.attrs.clone(), specs: prefix.specs, templates: Vec::new() };
            let decl = self.alloc_simple(target_prefix, DeclKind::UsingDecl { target: parsed.path, typename });
            if let Some((name, token)) = name {
                self.ast[decl].name_token = token;
                match name {
                    UnqualName::Ident(name) => self.declare_in(scope, name, decl),
                    UnqualName::Operator(op) if self.ast.owns_scope(scope) => {
                        self.ast[scope].operators.entry(op).or_default().push(decl);
                    }
                    _ => {}
                }
            }
            self.eat(Punct::Ellipsis);
            decls.push(decl);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.end_declaration();
        if let Some(&decl) = decls.last() {
            self.set_range(decl);
        }
    }

    pub(crate) fn parse_static_assert(&mut self, prefix: Prefix, decls: &mut Vec<DeclId>) {
        self.bump();
        let open = self.number();
        if !self.expect(Punct::LParen) {
            self.skip_declaration();
            return;
        }
        let (cond, message) = self.in_brackets(|parser| {
            let cond = parser.parse_assignment_expr();
            let message = parser.eat(Punct::Comma).then(|| parser.parse_assignment_expr());
            (cond, message)
        });
        self.expect_closing(Punct::RParen, open);
        self.end_declaration();
        decls.push(self.alloc_simple(prefix, DeclKind::StaticAssert { cond, message }));
    }

    pub(crate) fn parse_linkage(&mut self, place: Place, prefix: Prefix, decls: &mut Vec<DeclId>) {
        self.bump();
        self.bump();
        let open = self.number();
        if self.eat(Punct::LBrace) {
            self.parse_declarations(decls, true);
            self.expect_closing(Punct::RBrace, open);
        } else {
            self.parse_simple_declaration(place, prefix, None, decls);
        }
    }

    pub(crate) fn parse_asm_declaration(&mut self, prefix: Prefix, decls: &mut Vec<DeclId>) {
        self.bump();
        self.skip_asm_operands();
        self.end_declaration();
        decls.push(self.alloc_simple(prefix, DeclKind::Asm));
    }

    /// Qualifiers and the parenthesised text of an `asm`.
    pub(crate) fn skip_asm_operands(&mut self) {
        while matches!(self.kind(), TokenKind::Keyword(Keyword::Volatile | Keyword::Inline | Keyword::Goto))
            || self.kind() == TokenKind::Ident
        {
            self.bump();
        }
        let open = self.number();
        if self.expect(Punct::LParen) {
            self.skip_to_closing(open);
            self.expect_closing(Punct::RParen, open);
        }
    }
}
