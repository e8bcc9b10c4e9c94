//! Template headers and everything that `template` starts.

use msl_intern::Name;
use msl_preproc::{Keyword, Punct, TokenKind};

use crate::ast::{
    Decl, DeclId, DeclKind, Init, Specs, TemplateHeader, TemplateId, TypeKind, UnqualName, Variable, VariableKind,
};
use crate::decl::{Place, Prefix};
use crate::declarator::DeclaratorMode;
use crate::parser::Parser;
use crate::scope::ScopeKind;
use crate::types::SpecifierPlace;

impl Parser<'_> {
    /// `template <…> declaration`, or `template declaration`: an explicit instantiation.
    pub(crate) fn parse_template(&mut self, place: Place, mut prefix: Prefix, decls: &mut Vec<DeclId>) {
        if !self.nth_is(1, Punct::Lt) {
            self.bump();
            prefix.specs |= Specs::INSTANTIATION;
            self.parse_attributes(&mut prefix.attrs);
            self.parse_simple_declaration(place, prefix, None, decls);
            return;
        }
        let outer = self.scope;
        while self.at_keyword(Keyword::Template) && self.nth_is(1, Punct::Lt) {
            self.bump();
            let header = self.parse_template_header();
            prefix.templates.push(header);
            // Everything behind the header sees its parameters.
            self.scope = self.ast[header].scope;
        }
        if self.at_word(self.words.requires) {
            self.bump();
            self.parse_conditional_expr();
        }
        self.parse_attributes(&mut prefix.attrs);
        match self.kind() {
            TokenKind::Keyword(Keyword::Using | Keyword::StaticAssert) => {
                self.parse_declaration_behind(place, prefix, decls);
            }
            TokenKind::Punct(Punct::Semi | Punct::RBrace) | TokenKind::Eof => {
                self.expected("the declaration of the template");
                self.eat(Punct::Semi);
            }
            _ => self.parse_simple_declaration(place, prefix, None, decls),
        }
        self.scope = outer;
    }

    /// `<…>` of a template header, in a scope of its own.
    pub(crate) fn parse_template_header(&mut self) -> TemplateId {
        let start = self.bump();
        let scope = self.new_scope(ScopeKind::Template);
        let params = self.in_scope(scope, |parser| {
            let outer = std::mem::replace(&mut parser.angle_closes, true);
            let mut params = Vec::new();
            parser.nested(
                |parser| {
                    while !parser.at_closing_angle() && !parser.at_end() {
                        let before = parser.position;
                        params.push(parser.parse_template_parameter());
                        if parser.eat(Punct::Comma) && parser.position > before {
                            if parser.at_closing_angle() {
                                parser.expected("a template parameter");
                            }
                            continue;
                        }
                        if parser.position > before && parser.recover_in_template_header() {
                            continue;
                        }
                        break;
                    }
                },
                |_| (),
            );
            parser.angle_closes = outer;
            params
        });
        if !self.eat_closing_angle() {
            self.missing("`>` of the template header");
            // What is left of the header must not be taken for the declaration.
            while !matches!(
                self.kind(),
                TokenKind::Eof
                    | TokenKind::Body
                    | TokenKind::Punct(Punct::Semi | Punct::LBrace | Punct::RBrace | Punct::Gt)
            ) && !self.at_line_start()
                && !self.at_type_start()
            {
                self.bump();
            }
            self.eat_closing_angle();
        }
        let range = self.range_from(start);
        self.ast.alloc_template(TemplateHeader { params: params.into_boxed_slice(), scope, range })
    }

    /// Behind a broken parameter: reports it and goes on at the next comma, if the header is closed after all.
    fn recover_in_template_header(&mut self) -> bool {
        if self.at_closing_angle() {
            return false;
        }
        let mut position = self.position;
        while position < self.position + 64 {
            match self.kind_at(position) {
                TokenKind::Punct(Punct::Comma) => {
                    self.expected("`,` or `>`");
                    self.position = position + 1;
                    self.sub = 0;
                    return true;
                }
                TokenKind::Punct(Punct::Gt) => {
                    self.expected("`,` or `>`");
                    self.position = position;
                    self.sub = 0;
                    return false;
                }
                TokenKind::Punct(Punct::Semi | Punct::LBrace | Punct::RBrace | Punct::LParen | Punct::RParen)
                | TokenKind::Body
                | TokenKind::Eof => return false,
                _ => position += 1,
            }
        }
        false
    }

    fn alloc_parameter(&mut self, kind: DeclKind, name: Name, start: u32, name_token: u32) -> DeclId {
        let scope = self.scope;
        let range = self.range_from(start);
        let decl = self.ast.alloc_decl(Decl {
            kind,
            range,
            name_token,
            scope,
            attrs: Box::default(),
            specs: Specs::empty(),
            templates: Box::default(),
        });
        self.declare_in(scope, name, decl);
        decl
    }

    fn parse_template_parameter(&mut self) -> DeclId {
        let start = self.number();
        match self.kind() {
            TokenKind::Keyword(Keyword::Typename | Keyword::Class) if self.at_type_parameter() => {
                self.bump();
                let pack = self.eat(Punct::Ellipsis);
                let (name, name_token) = self.parse_parameter_name(start);
                let kind = DeclKind::TypeParam { name, pack, default: None };
                let decl = self.alloc_parameter(kind, name, start, name_token);
                if self.eat(Punct::Eq) {
                    let ty = self.parse_type_id();
                    if let DeclKind::TypeParam { default, .. } = &mut self.ast[decl].kind {
                        *default = Some(ty);
                    }
                    let range = self.range_from(start);
                    self.ast[decl].range = range;
                }
                decl
            }
            TokenKind::Keyword(Keyword::Template) if self.nth_is(1, Punct::Lt) => {
                self.bump();
                let header = self.parse_template_header();
                if !self.eat_keyword(Keyword::Class) && !self.eat_keyword(Keyword::Typename) {
                    self.expected("`class` or `typename`");
                }
                let pack = self.eat(Punct::Ellipsis);
                let (name, name_token) = self.parse_parameter_name(start);
                let kind = DeclKind::TemplateParam { name, pack, header, default: None };
                let decl = self.alloc_parameter(kind, name, start, name_token);
                if self.eat(Punct::Eq) {
                    let ty = self.parse_type_id();
                    if let DeclKind::TemplateParam { default, .. } = &mut self.ast[decl].kind {
                        *default = Some(ty);
                    }
                    let range = self.range_from(start);
                    self.ast[decl].range = range;
                }
                decl
            }
            _ => self.parse_value_parameter(start),
        }
    }

    /// Whether `typename` or `class` starts a type parameter, not the type of a value parameter.
    fn at_type_parameter(&self) -> bool {
        let behind_name = |ahead: usize| {
            matches!(
                self.nth(ahead).kind,
                TokenKind::Punct(Punct::Comma | Punct::Gt | Punct::Shr | Punct::Eq | Punct::GtEq | Punct::ShrEq)
                    | TokenKind::Eof
            )
        };
        match self.nth(1).kind {
            TokenKind::Punct(Punct::Ellipsis) => true,
            TokenKind::Ident => {
                behind_name(2) || !self.nth_is(2, Punct::ColonColon) && self.at_keyword(Keyword::Typename)
            }
            _ => behind_name(1) || matches!(self.nth(1).kind, TokenKind::Keyword(_)),
        }
    }

    fn parse_parameter_name(&mut self, start: u32) -> (Name, u32) {
        match self.kind() {
            TokenKind::Ident => {
                let name = self.peek().name;
                (name, self.bump())
            }
            TokenKind::Keyword(_) if self.nth_is(1, Punct::Comma) || self.nth_is(1, Punct::Gt) => {
                let token = self.number();
                (self.parse_reserved_name(), token)
            }
            _ => (Name::EMPTY, start),
        }
    }

    fn parse_value_parameter(&mut self, start: u32) -> DeclId {
        let specifiers = self.parse_specifiers(SpecifierPlace::Parameter, None);
        let declarator =
            self.parse_declarator(specifiers.ty, start, DeclaratorMode::Parameter, None, specifiers.reserved_name);
        let name = declarator
            .name
            .as_ref()
            .and_then(|parsed| parsed.path.last())
            .map_or(UnqualName::Missing, |segment| segment.name);
        let mut ty = declarator.ty;
        if declarator.pack {
            let range = self.range_from(start);
            ty = self.ty(TypeKind::Pack(ty), range);
        }
        let variable = Variable {
            name,
            qualifier: None,
            name_args: None,
            ty,
            init: Init::None,
            kind: VariableKind::TemplateValue,
            bit_width: None,
            pack: declarator.pack,
        };
        let ident = name.ident().unwrap_or_default();
        let name_token = if ident.is_empty() { start } else { declarator.name_token };
        let decl = self.alloc_parameter(DeclKind::Variable(variable), ident, start, name_token);
        if self.eat(Punct::Eq) {
            let value = self.parse_assignment_expr();
            if let DeclKind::Variable(variable) = &mut self.ast[decl].kind {
                variable.init = Init::Assign(value);
            }
            let range = self.range_from(start);
            self.ast[decl].range = range;
        }
        decl
    }
}
