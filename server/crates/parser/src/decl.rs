//! Declarations: namespaces, using, typedef, templates, and the simple declaration with its declarators.

use msl_intern::Name;
use msl_preproc::{Keyword, Punct, TokenKind};

use crate::ast::{
    AttrId, Decl, DeclId, DeclKind, Function, FunctionBody, FunctionRole, Init, Path, ScopeId, Specs, TemplateArg,
    TemplateId, TokenRange, TypeId, TypeKind, UnqualName, Variable, VariableKind,
};
use crate::declarator::{Declarator, DeclaratorMode, FunctionParts};
use crate::diagnostic::SyntaxErrorKind;
use crate::lookup::{NameClass, QualifierScope};
use crate::name::ParsedPath;
use crate::parser::{Parser, PendingPath};
use crate::types::{SpecifierPlace, Specifiers};

/// Where a declaration stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Namespace,
    Record,
    Block,
}

/// What was read in front of a declaration's specifiers.
#[derive(Default)]
pub(crate) struct Prefix {
    pub(crate) start: u32,
    pub(crate) attrs: Vec<AttrId>,
    pub(crate) specs: Specs,
    pub(crate) templates: Vec<TemplateId>,
}

impl Parser<'_> {
    /// Declarations up to the end of the stream or, if `nested`, to a `}`.
    pub(crate) fn parse_declarations(&mut self, decls: &mut Vec<DeclId>, nested: bool) {
        loop {
            match self.kind() {
                TokenKind::Eof => return,
                TokenKind::Punct(Punct::RBrace) if nested => return,
                TokenKind::Punct(Punct::RBrace) => {
                    let range = self.here();
                    self.report(SyntaxErrorKind::Unbalanced, range, "this `}` closes nothing".to_owned());
                    self.bump();
                    self.eat(Punct::Semi);
                    continue;
                }
                _ => {}
            }
            let before = self.position;
            self.parse_declaration(Place::Namespace, decls);
            if self.position == before {
                self.expected("a declaration");
                self.bump();
            }
        }
    }

    /// One declaration, which may declare several names.
    pub(crate) fn parse_declaration(&mut self, place: Place, decls: &mut Vec<DeclId>) {
        self.nested(
            |parser| {
                let start = parser.number();
                let mut attrs = Vec::new();
                parser.parse_attributes(&mut attrs);
                parser.parse_declaration_behind(place, Prefix { start, attrs, ..Prefix::default() }, decls);
            },
            |parser| parser.skip_declaration(),
        );
    }

    /// A declaration behind its leading attributes.
    pub(crate) fn parse_declaration_behind(&mut self, place: Place, prefix: Prefix, decls: &mut Vec<DeclId>) {
        let outer = self.scope;
        match self.kind() {
            TokenKind::Punct(Punct::Semi) => {
                self.bump();
                if !prefix.attrs.is_empty() {
                    decls.push(self.alloc_simple(prefix, DeclKind::Empty));
                }
            }
            TokenKind::Pragma => {
                self.bump();
            }
            TokenKind::Body => {
                let range = self.here();
                self.report(
                    SyntaxErrorKind::Misplaced,
                    range,
                    "a function body without the head of a function".to_owned(),
                );
                self.bump();
            }
            TokenKind::Keyword(keyword) => match keyword {
                Keyword::Namespace => self.parse_namespace(prefix, decls),
                Keyword::Inline if self.nth(1).is_keyword(Keyword::Namespace) => self.parse_namespace(prefix, decls),
                Keyword::Using => self.parse_using(place, prefix, decls),
                Keyword::StaticAssert => self.parse_static_assert(prefix, decls),
                Keyword::Template => self.parse_template(place, prefix, decls),
                Keyword::Extern if self.nth(1).kind == TokenKind::String => self.parse_linkage(place, prefix, decls),
                Keyword::Extern if self.nth(1).is_keyword(Keyword::Template) => {
                    self.bump();
                    let specs = prefix.specs | Specs::EXTERN_TEMPLATE;
                    self.parse_template(place, Prefix { specs, ..prefix }, decls);
                }
                Keyword::Asm => self.parse_asm_declaration(prefix, decls),
                _ => self.parse_simple_declaration(place, prefix, None, decls),
            },
            // `[numthreads(8, 8, 1)]`.
            TokenKind::Punct(Punct::LBracket) if place == Place::Namespace && self.skip_foreign_attribute() => {
                self.parse_declaration_behind(place, prefix, decls);
            }
            TokenKind::Ident if place == Place::Namespace && self.skip_foreign_declaration() => {}
            TokenKind::Ident if self.words.asm_names.contains(&self.peek().name) => {
                self.parse_asm_declaration(prefix, decls);
            }
            _ => self.parse_simple_declaration(place, prefix, None, decls),
        }
        self.scope = outer;
    }

    pub(crate) fn alloc_simple(&mut self, prefix: Prefix, kind: DeclKind) -> DeclId {
        let range = self.range_from(prefix.start);
        self.ast.alloc_decl(Decl {
            kind,
            range,
            name_token: prefix.start,
            scope: self.declaring_scope(),
            attrs: prefix.attrs.into_boxed_slice(),
            specs: prefix.specs,
            templates: prefix.templates.into_boxed_slice(),
        })
    }

    pub(crate) fn set_range(&mut self, decl: DeclId) {
        let start = self.ast[decl].range.start;
        let range = self.range_from(start);
        self.ast[decl].range = range;
    }

    // -- The simple declaration ---------------------------------------------------------------------------------------

    /// Specifiers, declarators, `;`. `first` is a type name that was read already.
    pub(crate) fn parse_simple_declaration(
        &mut self,
        place: Place,
        mut prefix: Prefix,
        first: Option<PendingPath>,
        decls: &mut Vec<DeclId>,
    ) {
        let outer = self.scope;
        let lexical = self.declaring_scope();
        let mut specifiers = {
            let nominal_templates = std::mem::take(&mut self.nominal_prefix);
            self.nominal_prefix = Some((std::mem::take(&mut prefix.templates), prefix.specs));
            let specifiers = self.parse_specifiers(SpecifierPlace::Declaration, first);
            if let Some((templates, _)) = std::mem::replace(&mut self.nominal_prefix, nominal_templates) {
                prefix.templates = templates;
            }
            specifiers
        };
        prefix.specs |= specifiers.specs;
        if let Some(nominal) = specifiers.nominal {
            decls.push(nominal);
            if prefix.start < self.ast[nominal].range.start {
                self.ast[nominal].range.start = prefix.start;
            }
        }
        if self.at(Punct::Semi) && specifiers.declarator.is_none() {
            self.finish_without_declarator(place, prefix, specifiers, decls);
            return;
        }
        if self.at_structured_binding(&specifiers) {
            self.parse_structured_binding(prefix, specifiers, decls);
            return;
        }
        if !self.at_declarator(&specifiers) {
            self.recover_from_bad_declaration(place, &specifiers);
            return;
        }
        if prefix.attrs.is_empty() {
            prefix.attrs = std::mem::take(&mut specifiers.attrs);
        } else {
            prefix.attrs.append(&mut specifiers.attrs);
        }
        let mut first_declarator = true;
        loop {
            let declarator_start = self.number();
            let name = if first_declarator { specifiers.declarator.take() } else { None };
            if let Some(none) = self.bare_qualifiers(specifiers.ty) {
                if self.at_constructor(&name, place) {
                    specifiers.ty = none;
                } else {
                    self.report_bare_qualifiers(&name);
                    specifiers.ty = self.ty(TypeKind::Error, self.here());
                }
            }
            let untyped = matches!(self.ast[specifiers.ty].kind, TypeKind::None);
            let declarator = self.parse_declarator(
                specifiers.ty,
                specifiers.start,
                DeclaratorMode::Declaration,
                name,
                specifiers.reserved_name && first_declarator,
            );
            let start = if first_declarator { prefix.start } else { declarator_start };
            let site = Site { place, lexical, start, untyped };
            let finished = self.finish_declarator(site, &prefix, declarator, decls);
            self.scope = outer;
            if finished {
                return;
            }
            first_declarator = false;
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.end_declaration();
        if let Some(&last) = decls.last() {
            self.set_range(last);
        }
    }

    /// `struct S {…};`, `friend T;`, `int;`.
    fn finish_without_declarator(
        &mut self,
        place: Place,
        mut prefix: Prefix,
        mut specifiers: Specifiers,
        decls: &mut Vec<DeclId>,
    ) {
        self.bump();
        prefix.attrs.append(&mut specifiers.attrs);
        if let Some(nominal) = specifiers.nominal {
            self.set_range(nominal);
            if !prefix.attrs.is_empty() {
                let mut attrs = std::mem::take(&mut prefix.attrs);
                attrs.extend_from_slice(&self.ast[nominal].attrs);
                self.ast[nominal].attrs = attrs.into_boxed_slice();
            }
            self.ast[nominal].specs |= prefix.specs;
            self.reveal_anonymous_members(place, nominal);
            return;
        }
        if prefix.specs.contains(Specs::FRIEND) {
            decls.push(self.alloc_simple(prefix, DeclKind::FriendType(specifiers.ty)));
            return;
        }
        // `float [[user(n)]];`: the attributes are of something that has no name.
        if place == Place::Record && !prefix.attrs.is_empty() && !matches!(self.ast[specifiers.ty].kind, TypeKind::None)
        {
            let semicolon = TokenRange::new(self.number() - 1, self.number());
            self.report(SyntaxErrorKind::Expected, semicolon, "expected a name in front of the attributes".to_owned());
        }
        // `int;` declares nothing.
        decls.push(self.alloc_simple(prefix, DeclKind::Empty));
    }

    /// Members of an unnamed struct or union without a declarator are names of the scope around it
    /// (C++ [class.union.anon]).
    fn reveal_anonymous_members(&mut self, place: Place, nominal: DeclId) {
        if place == Place::Namespace {
            return;
        }
        let DeclKind::Record(record) = &self.ast[nominal].kind else { return };
        if !record.name.is_empty() {
            return;
        }
        let Some(inner) = record.scope else { return };
        let outer = self.declaring_scope();
        let mut names: Vec<(Name, DeclId)> = Vec::new();
        for (&name, declared) in &self.ast[inner].names {
            names.extend(declared.iter().map(|&decl| (name, decl)));
        }
        names.sort_by_key(|&(_, decl)| decl);
        for (name, decl) in names {
            self.declare_in(outer, name, decl);
        }
    }

    fn at_structured_binding(&self, specifiers: &Specifiers) -> bool {
        if !specifiers.is_auto {
            return false;
        }
        let ahead = usize::from(matches!(self.kind(), TokenKind::Punct(Punct::Amp | Punct::AmpAmp)));
        self.nth_is(ahead, Punct::LBracket) && !self.nth_is(ahead + 1, Punct::LBracket)
    }

    pub(crate) fn parse_structured_binding(&mut self, prefix: Prefix, specifiers: Specifiers, decls: &mut Vec<DeclId>) {
        let decl = self.parse_structured_binding_head(prefix, specifiers);
        decls.push(decl);
        let init = match self.kind() {
            TokenKind::Punct(Punct::Eq) => {
                self.bump();
                Some(self.parse_initialiser_clause())
            }
            TokenKind::Punct(Punct::LBrace) => Some(self.parse_init_list()),
            TokenKind::Punct(Punct::LParen) => Some(self.parse_parenthesised_operand()),
            _ => {
                self.expected("an initialiser of the structured binding");
                None
            }
        };
        if let DeclKind::StructuredBinding { init: own, .. } = &mut self.ast[decl].kind {
            *own = init;
        }
        self.end_declaration();
        self.set_range(decl);
    }

    /// `auto [a, b]` without the initialiser.
    pub(crate) fn parse_structured_binding_head(&mut self, mut prefix: Prefix, mut specifiers: Specifiers) -> DeclId {
        prefix.attrs.append(&mut specifiers.attrs);
        prefix.specs |= specifiers.specs;
        let ty = self.parse_pointer_operators_onto(specifiers.ty);
        let open = self.bump();
        let mut names = Vec::new();
        while self.kind() == TokenKind::Ident {
            let name = self.peek().name;
            let token = self.bump();
            let variable = Variable {
                name: UnqualName::Ident(name),
                qualifier: None,
                name_args: None,
                ty,
                init: Init::Implied,
                kind: VariableKind::Binding,
                bit_width: None,
                pack: false,
            };
            let prefix = Prefix { start: token, ..Prefix::default() };
            let decl = self.alloc_simple(prefix, DeclKind::Variable(variable));
            let scope = self.declaring_scope();
            self.declare_in(scope, name, decl);
            names.push(decl);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect_closing(Punct::RBracket, open);
        self.alloc_simple(prefix, DeclKind::StructuredBinding { ty, names: names.into_boxed_slice(), init: None })
    }

    /// Whether a declarator can start here.
    fn at_declarator(&mut self, specifiers: &Specifiers) -> bool {
        if specifiers.declarator.is_some() || specifiers.reserved_name {
            return true;
        }
        if specifiers.nominal.is_some() && self.breaks_list() {
            return false;
        }
        let has_type = !matches!(self.ast[specifiers.ty].kind, TypeKind::None);
        match self.kind() {
            // An unnamed bit-field has neither name nor declarator; a missing name is reported later.
            TokenKind::Punct(Punct::Colon) => has_type,
            TokenKind::Punct(Punct::Star | Punct::Amp | Punct::AmpAmp | Punct::LParen) => has_type,
            TokenKind::Ident | TokenKind::Punct(Punct::Tilde | Punct::ColonColon) => true,
            TokenKind::Punct(Punct::Ellipsis) => has_type,
            TokenKind::Keyword(Keyword::Operator) => true,
            TokenKind::Keyword(_) => {
                has_type
                    && !self.at_line_start()
                    && matches!(
                        self.nth(1).kind,
                        TokenKind::Punct(Punct::Eq | Punct::Semi | Punct::LBracket | Punct::Comma | Punct::LParen)
                    )
            }
            _ => false,
        }
    }

    fn recover_from_bad_declaration(&mut self, place: Place, specifiers: &Specifiers) {
        let has_type = !matches!(self.ast[specifiers.ty].kind, TypeKind::None);
        if specifiers.nominal.is_some() {
            // `struct S { … }` without the semicolon.
            self.missing("`;`");
            if !self.at_line_start() {
                self.skip_declaration();
            }
            return;
        }
        let nothing_read = !has_type && self.number() == specifiers.start;
        if nothing_read && matches!(self.kind(), TokenKind::Punct(_) | TokenKind::Unknown) && !self.at(Punct::LBrace) {
            // A stray token: what follows it may be whole.
            self.expected(if place == Place::Record { "a member" } else { "a declaration" });
            self.bump();
            return;
        }
        if has_type && self.at_line_start() {
            self.missing("a name");
            return;
        }
        if has_type {
            self.expected("a name");
        } else {
            self.expected(match place {
                Place::Record => "a member",
                _ => "a declaration",
            });
        }
        self.skip_declaration();
    }

    /// What follows a declarator: initialiser, bit width, body. `true` if the declaration ended with a body.
    fn finish_declarator(
        &mut self,
        site: Site,
        prefix: &Prefix,
        mut declarator: Declarator,
        decls: &mut Vec<DeclId>,
    ) -> bool {
        let Site { place, untyped, .. } = site;
        let (name, qualifier, name_args, parsed) = split_name(declarator.name.take());
        if let Some(guide) = self.finish_deduction_guide(prefix, &parsed, &declarator, untyped, name) {
            decls.push(guide);
            return false;
        }
        if name == UnqualName::Missing && declarator.function.is_some() {
            let token = declarator.name_token;
            self.report(
                SyntaxErrorKind::Expected,
                TokenRange::new(token, token + 1),
                "expected the name of the function before its parameters".to_owned(),
            );
        } else if name == UnqualName::Missing && !self.at(Punct::Colon) {
            self.expected("a name");
        }
        let role = self.function_role(name, &parsed, untyped, place);
        if untyped && role == FunctionRole::Plain {
            self.report_missing_type(&parsed, declarator.function.is_some());
        }
        let mut attrs = prefix.attrs.clone();
        attrs.append(&mut declarator.attrs);
        self.skip_asm_label();
        self.parse_attributes(&mut attrs);
        let head = Head { site, attrs, name, qualifier, name_args, name_token: declarator.name_token };
        if prefix.specs.contains(Specs::TYPEDEF) {
            let decl = self.alloc_head(head, prefix, Specs::empty(), |head| DeclKind::TypeAlias {
                name: head.name.ident().unwrap_or_default(),
                ty: declarator.ty,
            });
            if let UnqualName::Ident(name) = name {
                let scope = self.declaring_scope();
                self.declare_in(scope, name, decl);
            }
            decls.push(decl);
            return false;
        }
        match declarator.function {
            Some(parts) => self.finish_function(head, prefix, &declarator, parts, role, decls),
            None => {
                self.finish_variable(head, prefix, &declarator, decls);
                false
            }
        }
    }

    /// What qualifiers stand in front of if it is nothing: `constant x = 1;`.
    fn bare_qualifiers(&self, ty: TypeId) -> Option<TypeId> {
        match self.ast[ty].kind {
            TypeKind::Qualified { inner, .. } if matches!(self.ast[inner].kind, TypeKind::None) => Some(inner),
            _ => None,
        }
    }

    /// Whether qualifiers without a type stand in front of a constructor, `thread Box(float side);`, which Metal's
    /// compiler takes. The name is read already or comes next.
    fn at_constructor(&self, parsed: &Option<ParsedPath>, place: Place) -> bool {
        let (name, next) = match parsed.as_ref().map(|parsed| parsed.path.last()) {
            Some(last) => (last.map(|segment| segment.name), 0),
            None => ((self.kind() == TokenKind::Ident).then(|| UnqualName::Ident(self.peek().name)), 1),
        };
        self.nth_is(next, Punct::LParen)
            && name.is_some_and(|name| self.function_role(name, parsed, true, place) == FunctionRole::Constructor)
    }

    /// `constant x = 1;`, where the name is read already or comes next.
    fn report_bare_qualifiers(&mut self, parsed: &Option<ParsedPath>) {
        let (range, name) = match parsed.as_ref().and_then(|parsed| parsed.path.last()) {
            Some(segment) => (TokenRange::new(segment.token, segment.token + 1), segment.name.ident()),
            None => (self.here(), (self.kind() == TokenKind::Ident).then(|| self.peek().name)),
        };
        let name = name.map_or(String::new(), |name| format!(" in front of `{name}`"));
        self.report(SyntaxErrorKind::Expected, range, format!("expected a type{name}"));
    }

    /// A declaration without a type that is not a constructor or the like.
    fn report_missing_type(&mut self, parsed: &Option<ParsedPath>, is_function: bool) {
        let Some(parsed) = parsed else { return };
        let range = TokenRange::new(parsed.start, parsed.path.last().map_or(parsed.start, |segment| segment.token) + 1);
        let name = parsed.path.last().and_then(|segment| segment.name.ident()).unwrap_or_default();
        let message = if is_function {
            format!("the function `{name}` has no return type")
        } else {
            format!("expected a declaration, but `{name}` is not a type")
        };
        self.report(SyntaxErrorKind::Misplaced, range, message);
    }

    fn finish_deduction_guide(
        &mut self,
        prefix: &Prefix,
        parsed: &Option<ParsedPath>,
        declarator: &Declarator,
        untyped: bool,
        name: UnqualName,
    ) -> Option<DeclId> {
        let parsed = parsed.as_ref()?;
        let (true, UnqualName::Ident(name), Some(_)) = (untyped, name, declarator.function) else { return None };
        let TypeKind::Function(function) = &self.ast[declarator.ty].kind else { return None };
        if parsed.class != NameClass::ClassTemplate || !function.trailing_return || parsed.path.segments.len() > 1 {
            return None;
        }
        let result = function.ret;
        let prefix = Prefix {
            start: prefix.start,
            attrs: prefix.attrs.clone(),
            specs: prefix.specs,
            templates: prefix.templates.clone(),
        };
        let decl = self.alloc_simple(prefix, DeclKind::DeductionGuide { name, ty: declarator.ty, result });
        self.ast[decl].name_token = declarator.name_token;
        let scope = self.declaring_scope();
        if self.ast.owns_scope(scope) {
            self.ast[scope].guides.push(decl);
        }
        Some(decl)
    }

    fn function_role(
        &self,
        name: UnqualName,
        parsed: &Option<ParsedPath>,
        untyped: bool,
        place: Place,
    ) -> FunctionRole {
        match name {
            UnqualName::Destructor(_) => FunctionRole::Destructor,
            UnqualName::Conversion(_) => FunctionRole::Conversion,
            UnqualName::Ident(name) if untyped => {
                let scope = match parsed.as_ref().and_then(|parsed| parsed.qualifier) {
                    Some(QualifierScope::Scope(scope)) => Some(scope),
                    Some(_) => {
                        let same = parsed.as_ref().is_some_and(|parsed| {
                            matches!(&*parsed.path.segments, [.., qualifier, last] if qualifier.name == last.name)
                        });
                        return if same { FunctionRole::Constructor } else { FunctionRole::Plain };
                    }
                    None if place == Place::Record => Some(self.declaring_scope()),
                    None => None,
                };
                let owner = scope.and_then(|scope| self.ast[scope].owner);
                match owner.map(|owner| &self.ast[owner].kind) {
                    Some(DeclKind::Record(record)) if record.name == name => FunctionRole::Constructor,
                    Some(DeclKind::Record(_)) if parsed.as_ref().is_some_and(|parsed| parsed.class.is_type()) => {
                        FunctionRole::Constructor
                    }
                    _ => FunctionRole::Plain,
                }
            }
            _ => FunctionRole::Plain,
        }
    }

    fn skip_asm_label(&mut self) {
        let is_asm = self.at_keyword(Keyword::Asm)
            || self.kind() == TokenKind::Ident && self.words.asm_names.contains(&self.peek().name);
        if is_asm && self.nth_is(1, Punct::LParen) {
            self.bump();
            self.skip_asm_operands();
        }
    }

    fn alloc_head(
        &mut self,
        head: Head,
        prefix: &Prefix,
        specs: Specs,
        kind: impl FnOnce(&mut Head) -> DeclKind,
    ) -> DeclId {
        let mut head = head;
        let kind = kind(&mut head);
        let range = self.range_from(head.site.start);
        // An out-of-class definition is parsed in the scope of its class but stands outside.
        let scope = head.site.lexical;
        self.ast.alloc_decl(Decl {
            kind,
            range,
            name_token: head.name_token,
            scope,
            attrs: head.attrs.into_boxed_slice(),
            specs: prefix.specs | specs,
            templates: prefix.templates.clone().into_boxed_slice(),
        })
    }

    fn finish_variable(&mut self, head: Head, prefix: &Prefix, declarator: &Declarator, decls: &mut Vec<DeclId>) {
        let (place, name, qualified) = (head.site.place, head.name, head.qualifier.is_some());
        let specialised = head.name_args.is_some();
        let is_template = !prefix.templates.is_empty();
        let kind = match place {
            Place::Namespace => VariableKind::Global,
            Place::Record => VariableKind::Field,
            Place::Block => VariableKind::Local,
        };
        let ty = declarator.ty;
        let pack = declarator.pack;
        let decl = self.alloc_head(head, prefix, Specs::empty(), |head| {
            DeclKind::Variable(Variable {
                name: head.name,
                qualifier: head.qualifier.take(),
                name_args: head.name_args.take(),
                ty,
                init: Init::None,
                kind,
                bit_width: None,
                pack,
            })
        });
        decls.push(decl);
        if let UnqualName::Ident(name) = name
            && !qualified
            && !prefix.specs.contains(Specs::INSTANTIATION)
            && !self.hides_type_by_mistake(name)
        {
            let scope = self.declaring_scope();
            self.declare_in(scope, name, decl);
            if is_template && !specialised {
                self.note_member_template(place, decl, name);
            }
        }
        if self.at(Punct::Colon) && place == Place::Record {
            self.bump();
            let width = self.parse_conditional_expr();
            if let DeclKind::Variable(variable) = &mut self.ast[decl].kind {
                variable.bit_width = Some(width);
            }
            let mut attrs = Vec::new();
            self.parse_attributes(&mut attrs);
            if !attrs.is_empty() {
                let mut all = std::mem::take(&mut self.ast[decl].attrs).into_vec();
                all.append(&mut attrs);
                self.ast[decl].attrs = all.into_boxed_slice();
            }
        }
        let init = self.parse_initialiser();
        let range = {
            let start = self.ast[decl].range.start;
            self.range_from(start)
        };
        self.ast[decl].range = range;
        if let DeclKind::Variable(variable) = &mut self.ast[decl].kind {
            variable.init = init;
        }
        if self.at_attribute() {
            let mut attrs = std::mem::take(&mut self.ast[decl].attrs).into_vec();
            self.parse_attributes(&mut attrs);
            self.ast[decl].attrs = attrs.into_boxed_slice();
        }
        if let TokenKind::Body = self.kind() {
            // A body behind something that is no function: the head is broken.
            self.expected("`;`");
            self.bump();
        }
    }

    /// Whether the declarator that was just read is broken and would hide a type: in `uint uint x = 1;` the second
    /// `uint` must not become a variable for all that follows.
    fn hides_type_by_mistake(&mut self, name: Name) -> bool {
        let is_whole = matches!(
            self.kind(),
            TokenKind::Punct(
                Punct::Semi | Punct::Eq | Punct::Comma | Punct::LBrace | Punct::LParen | Punct::Colon | Punct::LBracket
            )
        );
        !is_whole && self.classify_name(name).is_type()
    }

    /// `= e`, `(e)`, `{e}` or nothing.
    pub(crate) fn parse_initialiser(&mut self) -> Init {
        match self.kind() {
            TokenKind::Punct(Punct::Eq) => {
                self.bump();
                Init::Assign(self.parse_initialiser_clause())
            }
            TokenKind::Punct(Punct::LBrace) => Init::Brace(self.parse_init_list()),
            TokenKind::Punct(Punct::LParen) => {
                let open = self.bump();
                let args = self.parse_arguments(Punct::RParen);
                self.expect_closing(Punct::RParen, open);
                Init::Paren(args)
            }
            _ => Init::None,
        }
    }

    fn finish_function(
        &mut self,
        head: Head,
        prefix: &Prefix,
        declarator: &Declarator,
        parts: FunctionParts,
        role: FunctionRole,
        decls: &mut Vec<DeclId>,
    ) -> bool {
        let (place, name, qualified) = (head.site.place, head.name, head.qualifier.is_some());
        let ty = declarator.ty;
        let start = head.site.start;
        let decl = self.alloc_head(head, prefix, parts.specs, |head| {
            DeclKind::Function(Function {
                name: head.name,
                qualifier: head.qualifier.take(),
                name_args: head.name_args.take(),
                ty,
                role,
                scope: parts.scope,
                inits: TokenRange::default(),
                body: FunctionBody::None,
            })
        });
        decls.push(decl);
        self.ast[parts.scope].owner = Some(decl);
        self.declare_function(place, prefix, name, role, qualified, decl);
        let mut inits = TokenRange::default();
        let mut body = FunctionBody::None;
        let mut specs = Specs::empty();
        let mut ended = false;
        match self.kind() {
            TokenKind::Punct(Punct::Eq) => {
                self.bump();
                match self.kind() {
                    TokenKind::Keyword(Keyword::Default) => body = FunctionBody::Defaulted,
                    TokenKind::Keyword(Keyword::Delete) => body = FunctionBody::Deleted,
                    TokenKind::Int => specs |= Specs::PURE,
                    _ => {
                        self.expected("`default`, `delete` or `0`");
                        self.skip_to_declaration_end();
                    }
                }
                if matches!(self.kind(), TokenKind::Keyword(Keyword::Default | Keyword::Delete) | TokenKind::Int) {
                    self.bump();
                }
            }
            TokenKind::Punct(Punct::Colon) => {
                self.bump();
                let first = self.number();
                self.skip_member_initialisers();
                inits = self.range_from(first);
            }
            _ => {}
        }
        match self.kind() {
            TokenKind::Body => {
                body = FunctionBody::Deferred(self.peek().name.index());
                self.bump();
                ended = true;
            }
            TokenKind::Punct(Punct::LBrace) => {
                let first = self.number();
                self.skip_inline_body();
                body = FunctionBody::Inline(self.range_from(first));
                ended = true;
            }
            _ => {}
        }
        let range = self.range_from(start);
        let node = &mut self.ast[decl];
        node.range = range;
        node.specs |= specs;
        if let DeclKind::Function(function) = &mut node.kind {
            function.inits = inits;
            function.body = body;
        }
        ended
    }

    /// A body that stays in the stream.
    fn skip_inline_body(&mut self) {
        match self.partner_of(self.position) {
            Some(close) => {
                self.position = close + 1;
                self.sub = 0;
            }
            None => {
                let open = self.bump();
                while !self.at_end() && !self.at_line_start_declaration() {
                    self.bump();
                }
                self.expect_closing(Punct::RBrace, open);
            }
        }
    }

    /// `a(1), b{2}` between the colon and the body.
    fn skip_member_initialisers(&mut self) {
        loop {
            match self.kind() {
                TokenKind::Eof | TokenKind::Body | TokenKind::Punct(Punct::Semi | Punct::RBrace) => return,
                TokenKind::Punct(Punct::LParen) => match self.partner_of(self.position) {
                    Some(close) => self.position = close + 1,
                    None => {
                        self.bump();
                    }
                },
                TokenKind::Punct(Punct::LBrace) => {
                    // Behind a name a brace opens an initialiser, behind `)` or `}` the body.
                    let before = self.kind_at(self.position.wrapping_sub(1));
                    if !matches!(before, TokenKind::Ident | TokenKind::Punct(Punct::Gt | Punct::Shr)) {
                        return;
                    }
                    match self.partner_of(self.position) {
                        Some(close) => self.position = close + 1,
                        None => return,
                    }
                }
                _ => {
                    self.bump();
                }
            }
        }
    }

    fn declare_function(
        &mut self,
        place: Place,
        prefix: &Prefix,
        name: UnqualName,
        role: FunctionRole,
        qualified: bool,
        decl: DeclId,
    ) {
        if qualified || prefix.specs.contains(Specs::INSTANTIATION) {
            return;
        }
        let scope = self.declaring_scope();
        if !self.ast.owns_scope(scope) {
            return;
        }
        if prefix.specs.contains(Specs::FRIEND) {
            self.ast[scope].hidden_friends.push(decl);
            return;
        }
        match (name, role) {
            (_, FunctionRole::Constructor) => self.ast[scope].constructors.push(decl),
            (_, FunctionRole::Destructor) => self.ast[scope].destructors.push(decl),
            (_, FunctionRole::Conversion) => self.ast[scope].conversions.push(decl),
            (UnqualName::Operator(op), _) => self.ast[scope].operators.entry(op).or_default().push(decl),
            (UnqualName::Ident(name) | UnqualName::Literal(name), _) => {
                self.declare_in(scope, name, decl);
                if !prefix.templates.is_empty() {
                    self.note_member_template(place, decl, name);
                }
            }
            _ => {}
        }
    }

    /// Remembers a member template's name: behind `.` its `<` opens arguments.
    pub(crate) fn note_member_template(&mut self, place: Place, decl: DeclId, name: Name) {
        if place == Place::Record && crate::lookup::class_of_decl(&self.ast, decl).is_template() {
            self.ast.member_templates.insert(name);
        }
    }

    // -- The end of a declaration -----------------------------------------------------------------------------------

    /// `;`, or recovery: a missing one is reported behind the previous token.
    pub(crate) fn end_declaration(&mut self) {
        if self.eat(Punct::Semi) {
            return;
        }
        self.missing("`;`");
        // Behind a comma the next line belongs to the same list.
        let in_list = self.position > 0 && self.punct_at(self.position - 1, Punct::Comma);
        if self.at_line_start() && (!in_list || self.breaks_list()) || self.at(Punct::RBrace) || self.at_end() {
            return;
        }
        self.skip_to_declaration_end();
        if matches!(self.kind(), TokenKind::Punct(Punct::Semi) | TokenKind::Body) {
            self.bump();
        }
    }
}

/// Where a declarator stands.
#[derive(Clone, Copy)]
struct Site {
    place: Place,
    /// The scope that the declaration stands in.
    lexical: ScopeId,
    start: u32,
    /// No type is written.
    untyped: bool,
}

/// What is known of a declared entity before its initialiser or body.
struct Head {
    site: Site,
    attrs: Vec<AttrId>,
    name: UnqualName,
    qualifier: Option<Path>,
    name_args: Option<Box<[TemplateArg]>>,
    name_token: u32,
}

/// A declarator's name without its qualifiers, the qualifiers, and the template arguments behind the name.
#[expect(clippy::type_complexity, reason = "taken apart at once by the only caller")]
pub(crate) fn split_name(
    parsed: Option<ParsedPath>,
) -> (UnqualName, Option<Path>, Option<Box<[TemplateArg]>>, Option<ParsedPath>) {
    let Some(parsed) = parsed else { return (UnqualName::Missing, None, None, None) };
    let mut segments = parsed.path.segments.to_vec();
    let Some(last) = segments.pop() else { return (UnqualName::Missing, None, None, Some(parsed)) };
    let qualifier = (!segments.is_empty() || parsed.path.global || parsed.path.decltype.is_some()).then(|| Path {
        global: parsed.path.global,
        decltype: parsed.path.decltype,
        segments: segments.into_boxed_slice(),
    });
    (last.name, qualifier, last.args, Some(parsed))
}
