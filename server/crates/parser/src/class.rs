//! Classes and enumerations.

use msl_intern::Name;
use msl_preproc::{Keyword, Punct, TokenKind};

use crate::ast::{
    AttrId, Base, Decl, DeclId, DeclKind, Enum, Path, Record, RecordKey, ScopeId, Specs, TemplateId, TypeId, TypeKind,
    UnqualName,
};
use crate::decl::{Place, split_name};
use crate::lookup::{self, QualifierScope};
use crate::name::PathUse;
use crate::parser::Parser;
use crate::scope::ScopeKind;
use crate::types::SpecifierPlace;

impl Parser<'_> {
    /// `struct …` among specifiers: a definition, a declaration or the name of a class. Returns the type and the
    /// declaration that stands here, if there is one.
    pub(crate) fn parse_record_specifier(
        &mut self,
        place: SpecifierPlace,
        own_specs: Specs,
    ) -> (TypeId, Option<DeclId>) {
        let start = self.number();
        let key = match self.kind() {
            TokenKind::Keyword(Keyword::Union) => RecordKey::Union,
            TokenKind::Keyword(Keyword::Class) => RecordKey::Class,
            _ => RecordKey::Struct,
        };
        self.bump();
        let mut attrs = Vec::new();
        self.parse_attributes(&mut attrs);
        let outer = self.scope;
        let parsed = match self.kind() {
            TokenKind::Ident | TokenKind::Punct(Punct::ColonColon) => Some(self.parse_path(PathUse::Declarator)),
            TokenKind::Keyword(_) if matches!(self.nth(1).kind, TokenKind::Punct(Punct::LBrace | Punct::Semi)) => {
                let name = self.parse_reserved_name();
                let segment = crate::ast::Segment {
                    name: UnqualName::Ident(name),
                    args: None,
                    token: self.number() - 1,
                    template_keyword: false,
                };
                let path = Path { global: false, decltype: None, segments: Box::new([segment]) };
                Some(crate::name::ParsedPath {
                    path,
                    start: self.number() - 1,
                    class: lookup::NameClass::Unknown,
                    qualifier: None,
                })
            }
            _ => None,
        };
        self.parse_attributes(&mut attrs);
        let is_final = self.at_word(self.words.final_)
            && matches!(self.nth(1).kind, TokenKind::Punct(Punct::LBrace | Punct::Colon));
        if is_final {
            self.bump();
        }
        let can_define = place != SpecifierPlace::Parameter || self.at(Punct::LBrace);
        let defines = self.at(Punct::LBrace) || can_define && self.at(Punct::Colon) && self.base_clause_follows();
        let (templates, prefix_specs) = match (defines, self.at(Punct::Semi)) {
            (false, false) => (Vec::new(), Specs::empty()),
            _ => self.nominal_prefix.take().unwrap_or_default(),
        };
        if !defines {
            let is_declaration = self.at(Punct::Semi)
                && place == SpecifierPlace::Declaration
                && !own_specs.intersects(Specs::FRIEND)
                && parsed.is_some();
            if !is_declaration {
                if !templates.is_empty() || !prefix_specs.is_empty() {
                    self.nominal_prefix = Some((templates, prefix_specs));
                }
                let Some(parsed) = parsed else {
                    self.expected("a name or `{` of the class");
                    let range = self.range_from(start);
                    return (self.ty(TypeKind::Error, range), None);
                };
                return (self.elaborated_record(key, parsed.path, start, own_specs), None);
            }
        }
        let qualifier_scope = parsed.as_ref().and_then(|parsed| parsed.qualifier);
        let name_token = parsed.as_ref().and_then(|parsed| parsed.path.last()).map_or(start, |segment| segment.token);
        let (name, qualifier, name_args, _) = split_name(parsed);
        let name = name.ident().unwrap_or_default();
        let specialised = name_args.is_some();
        let lexical = self.declaring_scope();
        let record =
            Record { key, name, qualifier, name_args, bases: Box::default(), scope: None, members: Box::default() };
        let specs = prefix_specs | if is_final { Specs::FINAL } else { Specs::empty() };
        let decl = self.alloc_nominal(DeclKind::Record(record), start, name_token, attrs, specs, templates);
        self.ast[decl].scope = lexical;
        let instantiation = prefix_specs.contains(Specs::INSTANTIATION);
        match qualifier_scope {
            Some(QualifierScope::Scope(scope)) => self.declare_in(scope, name, decl),
            Some(_) => {}
            None if instantiation => {}
            None => {
                self.declare_in(lexical, name, decl);
                if !specialised && self.ast[lexical].kind == ScopeKind::Record {
                    self.note_member_template(Place::Record, decl, name);
                }
            }
        }
        if defines {
            if let Some(QualifierScope::Scope(scope)) = qualifier_scope
                && self.ast[self.scope].kind != ScopeKind::Template
            {
                self.scope = scope;
            }
            self.nested(
                |parser| parser.parse_record_body(decl),
                |parser| {
                    let open = parser.bump();
                    parser.skip_to_closing(open);
                    parser.eat(Punct::RBrace);
                },
            );
            self.scope = outer;
        }
        let range = self.range_from(start);
        self.ast[decl].range = range;
        (self.ty(TypeKind::Record(decl), range), Some(decl))
    }

    /// Whether the `:` at the cursor is a class's base clause and not the colon of a bit-field or a range-for.
    fn base_clause_follows(&mut self) -> bool {
        let mut position = self.position + 1;
        for _ in 0..256 {
            match self.kind_at(position) {
                TokenKind::Punct(Punct::LBrace) => return true,
                TokenKind::Punct(Punct::Semi | Punct::RParen | Punct::RBrace) | TokenKind::Eof | TokenKind::Body => {
                    return false;
                }
                TokenKind::Punct(Punct::LParen) => match self.partner_of(position) {
                    Some(close) => position = close,
                    None => return false,
                },
                _ => {}
            }
            position += 1;
        }
        false
    }

    fn elaborated_record(&mut self, key: RecordKey, path: Path, start: u32, specs: Specs) -> TypeId {
        // The first mention of a class declares it (C++ [basic.scope.pdecl]/7).
        if let Some(name) = path.as_ident()
            && self.classify_name(name) == lookup::NameClass::Unknown
        {
            let record = Record {
                key,
                name,
                qualifier: None,
                name_args: None,
                bases: Box::default(),
                scope: None,
                members: Box::default(),
            };
            let token = path.last().map_or(start, |segment| segment.token);
            let own_specs = specs & Specs::FRIEND;
            let decl = self.alloc_nominal(DeclKind::Record(record), start, token, Vec::new(), own_specs, Vec::new());
            let mut scope = self.declaring_scope();
            while matches!(self.ast[scope].kind, ScopeKind::Record | ScopeKind::Function | ScopeKind::Template)
                && (specs.contains(Specs::FRIEND) || self.ast[scope].kind != ScopeKind::Record)
                && let Some(parent) = self.ast[scope].parent
            {
                scope = parent;
            }
            // A friend belongs to the namespace around the class (C++ [namespace.memdef]).
            self.ast[decl].scope = scope;
            self.declare_in(scope, name, decl);
        }
        let range = self.range_from(start);
        self.ty(TypeKind::Elaborated { key, path }, range)
    }

    fn alloc_nominal(
        &mut self,
        kind: DeclKind,
        start: u32,
        name_token: u32,
        attrs: Vec<AttrId>,
        specs: Specs,
        templates: Vec<TemplateId>,
    ) -> DeclId {
        let range = self.range_from(start);
        self.ast.alloc_decl(Decl {
            kind,
            range,
            name_token,
            scope: self.declaring_scope(),
            attrs: attrs.into_boxed_slice(),
            specs,
            templates: templates.into_boxed_slice(),
        })
    }

    /// The base clause and the members.
    fn parse_record_body(&mut self, decl: DeclId) {
        let scope = self.new_scope(ScopeKind::Record);
        self.ast[scope].owner = Some(decl);
        let bases = if self.eat(Punct::Colon) { self.parse_bases(scope) } else { Vec::new() };
        if let DeclKind::Record(record) = &mut self.ast[decl].kind {
            record.scope = Some(scope);
            record.bases = bases.into_boxed_slice();
        }
        let open = self.number();
        if !self.expect(Punct::LBrace) {
            return;
        }
        let mut members = Vec::new();
        let access = match &self.ast[decl].kind {
            DeclKind::Record(record) if record.key == RecordKey::Class => Specs::PRIVATE,
            _ => Specs::empty(),
        };
        self.in_scope(scope, |parser| {
            parser.in_brackets(|parser| parser.parse_members(access, &mut members));
        });
        self.expect_closing(Punct::RBrace, open);
        if let DeclKind::Record(record) = &mut self.ast[decl].kind {
            record.members = members.into_boxed_slice();
        }
    }

    fn parse_bases(&mut self, scope: ScopeId) -> Vec<Base> {
        let mut bases = Vec::new();
        loop {
            self.parse_attributes(&mut Vec::new());
            let mut is_virtual = false;
            while let TokenKind::Keyword(keyword) = self.kind() {
                match keyword {
                    Keyword::Public | Keyword::Private | Keyword::Protected => {}
                    Keyword::Virtual => is_virtual = true,
                    _ => break,
                }
                self.bump();
            }
            let start = self.number();
            if !self.at_path() && !matches!(self.kind(), TokenKind::Keyword(Keyword::Typename | Keyword::Decltype)) {
                self.expected("a base class");
                break;
            }
            let (ty, known) = if self.at_keyword(Keyword::Typename) {
                (self.parse_typename(), None)
            } else {
                let parsed = self.parse_path(PathUse::Type);
                let range = self.range_from(start);
                let dependent = self.path_is_dependent(&parsed.path);
                let ty = self.path_type(parsed.path, range, false);
                (ty, (!dependent).then_some(()))
            };
            if known.is_some()
                && let QualifierScope::Scope(base) =
                    lookup::scope_of_type(&self.ast, self.scope, ty, self.ast.next_decl())
                && base != scope
            {
                self.ast[scope].base_scopes.push(base);
            }
            self.ast[scope].bases.push(ty);
            let expansion = self.eat(Punct::Ellipsis);
            bases.push(Base { ty, is_virtual, expansion });
            if !self.eat(Punct::Comma) {
                return bases;
            }
        }
        bases
    }

    /// Whether a path depends on a template parameter, as far as its names tell.
    fn path_is_dependent(&mut self, path: &Path) -> bool {
        lookup::path_is_dependent(&self.ast, self.scope, path, self.ast.next_decl())
    }

    /// The members up to the closing brace; `access` is that of the first ones.
    fn parse_members(&mut self, mut access: Specs, members: &mut Vec<DeclId>) {
        loop {
            match self.kind() {
                TokenKind::Eof | TokenKind::Punct(Punct::RBrace) => return,
                TokenKind::Keyword(keyword @ (Keyword::Public | Keyword::Private | Keyword::Protected)) => {
                    access = match keyword {
                        Keyword::Private => Specs::PRIVATE,
                        Keyword::Protected => Specs::PROTECTED,
                        _ => Specs::empty(),
                    };
                    self.bump();
                    self.expect(Punct::Colon);
                    continue;
                }
                TokenKind::Keyword(Keyword::Namespace) => {
                    // A class that is never closed.
                    return;
                }
                _ => {}
            }
            // An entry point is no member: the class is never closed.
            if self.at_line_start() && self.stage_word_at(self.position) && self.breaks_list() {
                return;
            }
            let before = self.position;
            let known = members.len();
            self.parse_declaration(Place::Record, members);
            for &member in &members[known..] {
                self.ast[member].specs |= access;
            }
            if self.position == before {
                self.expected("a member");
                self.bump();
            }
        }
    }

    /// `enum …` among specifiers.
    pub(crate) fn parse_enum_specifier(&mut self) -> (TypeId, Option<DeclId>) {
        let start = self.bump();
        let scoped = matches!(self.kind(), TokenKind::Keyword(Keyword::Class | Keyword::Struct));
        if scoped {
            self.bump();
        }
        let mut attrs = Vec::new();
        self.parse_attributes(&mut attrs);
        let parsed = self.at_path().then(|| self.parse_path(PathUse::Declarator));
        self.parse_attributes(&mut attrs);
        let underlying = (self.at(Punct::Colon) && self.enum_base_follows(parsed.is_some())).then(|| {
            self.bump();
            self.parse_type_id()
        });
        let declares = self.at(Punct::LBrace) || underlying.is_some() || scoped && self.at(Punct::Semi);
        if !declares {
            let range = self.range_from(start);
            return match parsed {
                Some(parsed) => (self.ty(TypeKind::ElaboratedEnum { path: parsed.path }, range), None),
                None => {
                    self.expected("a name or `{` of the enumeration");
                    (self.ty(TypeKind::Error, range), None)
                }
            };
        }
        let qualifier_scope = parsed.as_ref().and_then(|parsed| parsed.qualifier);
        let name_token = parsed.as_ref().and_then(|parsed| parsed.path.last()).map_or(start, |segment| segment.token);
        let (name, qualifier, _, _) = split_name(parsed);
        let name = name.ident().unwrap_or_default();
        let (templates, prefix_specs) = self.nominal_prefix.take().unwrap_or_default();
        let data = Enum { name, qualifier, scoped, underlying, scope: None, enumerators: Box::default() };
        let decl = self.alloc_nominal(DeclKind::Enum(data), start, name_token, attrs, prefix_specs, templates);
        let outer = self.declaring_scope();
        let declared_in = match qualifier_scope {
            Some(QualifierScope::Scope(scope)) => scope,
            _ => outer,
        };
        self.declare_in(declared_in, name, decl);
        let open = self.number();
        if self.eat(Punct::LBrace) {
            let scope = self.new_scope(ScopeKind::Enum);
            self.ast[scope].owner = Some(decl);
            let enumerators = self.in_scope(scope, |parser| {
                parser.in_brackets(|parser| parser.parse_enumerators(scope, (!scoped).then_some(declared_in)))
            });
            self.expect_closing(Punct::RBrace, open);
            if let DeclKind::Enum(data) = &mut self.ast[decl].kind {
                data.scope = Some(scope);
                data.enumerators = enumerators.into_boxed_slice();
            }
        }
        let range = self.range_from(start);
        self.ast[decl].range = range;
        (self.ty(TypeKind::Enum(decl), range), Some(decl))
    }

    /// Whether the `:` at the cursor gives an underlying type, not the width of a bit-field. A named enumeration may
    /// stand with one among the specifiers of any declaration, as in `typedef enum E : int E;`: Metal's compiler takes
    /// this form, which is how headers that host code shares spell `NS_ENUM`.
    fn enum_base_follows(&mut self, named: bool) -> bool {
        self.type_starts_at(self.position + 1)
            && match self.scan_specifiers(self.position + 1) {
                Some(end) => named || matches!(self.kind_at(end), TokenKind::Punct(Punct::LBrace)),
                None => false,
            }
    }

    fn parse_enumerators(&mut self, scope: ScopeId, also: Option<ScopeId>) -> Vec<DeclId> {
        let mut enumerators = Vec::new();
        loop {
            let start = self.number();
            let name = match self.kind() {
                TokenKind::Ident => {
                    let name = self.peek().name;
                    self.bump();
                    name
                }
                TokenKind::Punct(Punct::RBrace) | TokenKind::Eof => break,
                TokenKind::Keyword(_)
                    if matches!(self.nth(1).kind, TokenKind::Punct(Punct::Comma | Punct::Eq | Punct::RBrace)) =>
                {
                    self.parse_reserved_name()
                }
                _ => {
                    self.expected("an enumerator");
                    while !matches!(
                        self.kind(),
                        TokenKind::Eof | TokenKind::Punct(Punct::Comma | Punct::RBrace | Punct::Semi)
                    ) {
                        self.bump();
                    }
                    if self.eat(Punct::Comma) {
                        continue;
                    }
                    break;
                }
            };
            let mut attrs = Vec::new();
            self.parse_attributes(&mut attrs);
            let value = self.eat(Punct::Eq).then(|| self.parse_conditional_expr());
            self.parse_attributes(&mut attrs);
            let kind = DeclKind::Enumerator { name, value };
            let decl = self.alloc_nominal(kind, start, start, attrs, Specs::empty(), Vec::new());
            self.declare_in(scope, name, decl);
            if let Some(outer) = also
                && name != Name::EMPTY
            {
                self.declare_in(outer, name, decl);
            }
            enumerators.push(decl);
            if !self.eat(Punct::Comma) {
                if self.kind() == TokenKind::Ident {
                    self.missing("`,`");
                    continue;
                }
                break;
            }
        }
        enumerators
    }
}
