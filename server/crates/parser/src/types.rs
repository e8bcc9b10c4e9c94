//! Types as written: specifiers, qualifiers, type-ids, and what may be a type or an expression.

use msl_preproc::{Keyword, Punct, TokenFlags, TokenKind};

use crate::ast::{AttrId, DeclId, ExprId, Path, Quals, Specs, TokenRange, TypeId, TypeKind, TypeNode, UnqualName};
use crate::attribute::word_name;
use crate::diagnostic::SyntaxErrorKind;
use crate::lookup::{self, NameClass, QualifierScope};
use crate::name::{ParsedPath, PathUse, TypeOrExpr};
use crate::parser::{Parser, PendingPath, describe};
use crate::scan::{BuiltinWords, space_of_keyword};
use crate::scope::ScopeKind;

/// Where specifiers stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SpecifierPlace {
    /// A declaration at namespace scope, in a class or in a block.
    Declaration,
    /// A function or template parameter.
    Parameter,
    /// A type-id: type specifiers only.
    TypeId,
}

/// Declaration specifiers, read.
pub(crate) struct Specifiers {
    pub(crate) start: u32,
    pub(crate) specs: Specs,
    pub(crate) attrs: Vec<AttrId>,
    /// The type with its qualifiers; [`TypeKind::None`] if the declarator needs none.
    pub(crate) ty: TypeId,
    /// The type is `auto` and nothing else.
    pub(crate) is_auto: bool,
    /// A class or enumeration that was defined or first declared here.
    pub(crate) nominal: Option<DeclId>,
    /// A path that turned out to be the declared name: `S::S`, `S::~S`, or a name without a type.
    pub(crate) declarator: Option<ParsedPath>,
    /// A space word that stands where the declared name should: it is used as a name.
    pub(crate) reserved_name: bool,
}

impl Parser<'_> {
    /// Reads specifiers. `first` is a type name that was read already.
    pub(crate) fn parse_specifiers(&mut self, place: SpecifierPlace, first: Option<PendingPath>) -> Specifiers {
        let start = first.as_ref().map_or_else(|| self.number(), |path| path.start);
        let mut result = Specifiers {
            start,
            specs: Specs::empty(),
            attrs: Vec::new(),
            ty: TypeId(0),
            is_auto: false,
            nominal: None,
            declarator: None,
            reserved_name: false,
        };
        let mut quals = Quals::default();
        let mut spaces = Vec::new();
        let mut words = BuiltinWords::default();
        let mut named: Option<TypeId> = None;
        if let Some(first) = first {
            named = self.first_type(first);
        }
        loop {
            let has_type = words.any || named.is_some();
            if result.nominal.is_some() && self.breaks_list() {
                // A class without its semicolon: the next declaration is none of its business.
                break;
            }
            let token = self.peek();
            match token.kind {
                TokenKind::Keyword(keyword) => {
                    if crate::scan::is_type_keyword(keyword) {
                        if named.is_some() || words.any && self.at_line_start() && words.conflicts(keyword) {
                            break;
                        }
                        if !words.add(keyword) {
                            let message = format!("`{}` cannot be combined with the type before it", keyword.text());
                            self.report(SyntaxErrorKind::Misplaced, self.here(), message);
                        }
                        self.bump();
                        continue;
                    }
                    if let Some(space) = space_of_keyword(keyword) {
                        if has_type && place != SpecifierPlace::TypeId && self.keyword_is_name(place) {
                            result.reserved_name = true;
                            break;
                        }
                        let number = self.bump();
                        spaces.push((space, number));
                        continue;
                    }
                    match keyword {
                        Keyword::Const => quals.is_const = true,
                        Keyword::Volatile => quals.is_volatile = true,
                        Keyword::Restrict => quals.is_restrict = true,
                        Keyword::Constexpr => result.specs |= Specs::CONSTEXPR,
                        Keyword::Static => result.specs |= Specs::STATIC,
                        Keyword::Inline => result.specs |= Specs::INLINE,
                        Keyword::Extern => result.specs |= Specs::EXTERN,
                        Keyword::Friend => result.specs |= Specs::FRIEND,
                        Keyword::Virtual => result.specs |= Specs::VIRTUAL,
                        Keyword::Typedef => result.specs |= Specs::TYPEDEF,
                        Keyword::Mutable => result.specs |= Specs::MUTABLE,
                        Keyword::ThreadLocal => result.specs |= Specs::THREAD_LOCAL,
                        Keyword::Register => result.specs |= Specs::REGISTER,
                        Keyword::Explicit => {
                            result.specs |= Specs::EXPLICIT;
                            self.bump();
                            if self.at(Punct::LParen) {
                                self.parse_parenthesised_operand();
                            }
                            continue;
                        }
                        Keyword::Attribute | Keyword::Alignas => {
                            self.parse_attributes(&mut result.attrs);
                            continue;
                        }
                        Keyword::Struct | Keyword::Class | Keyword::Union if !has_type => {
                            let (ty, decl) = self.parse_record_specifier(place, result.specs);
                            named = Some(ty);
                            result.nominal = decl;
                            continue;
                        }
                        Keyword::Enum if !has_type => {
                            let (ty, decl) = self.parse_enum_specifier();
                            named = Some(ty);
                            result.nominal = decl;
                            continue;
                        }
                        Keyword::Typename if !has_type => {
                            named = Some(self.parse_typename());
                            continue;
                        }
                        Keyword::Auto if !has_type => {
                            let range = self.here();
                            self.bump();
                            result.is_auto = true;
                            named = Some(self.ty(TypeKind::Auto, range));
                            continue;
                        }
                        Keyword::Decltype if !has_type => {
                            named = Some(self.parse_decltype_specifier());
                            continue;
                        }
                        _ => break,
                    }
                    self.bump();
                }
                TokenKind::Punct(Punct::LBracket) if self.nth_is(1, Punct::LBracket) && !has_type => {
                    self.parse_attributes(&mut result.attrs);
                }
                // Behind the type attributes belong to it (C++ [dcl.spec]/1); nothing needs them apart.
                TokenKind::Punct(Punct::LBracket) if self.nth_is(1, Punct::LBracket) => {
                    self.parse_attributes(&mut result.attrs);
                }
                TokenKind::Ident => {
                    if has_type
                        && place != SpecifierPlace::TypeId
                        && self.words.is_stage(token.name)
                        && self.attributes_end_declaration(1)
                    {
                        result.reserved_name = true;
                        break;
                    }
                    if place != SpecifierPlace::TypeId
                        && self.stage_word_at(self.position)
                        && self.stage_word_is_specifier(has_type)
                    {
                        let name = token.name;
                        self.bump();
                        result.specs |= if name == self.words.kernel {
                            Specs::KERNEL
                        } else if name == self.words.vertex {
                            Specs::VERTEX
                        } else {
                            Specs::FRAGMENT
                        };
                        continue;
                    }
                    if let Some(space) = self.space_word_at(self.position)
                        && self.contextual_space_applies(has_type)
                    {
                        let number = self.bump();
                        spaces.push((space, number));
                        continue;
                    }
                    if self.coherent_at(self.position) && (!has_type || !self.names_declared_ends(1)) {
                        quals.coherent = Some(self.bump());
                        if self.at(Punct::LParen) {
                            self.bump();
                            self.bump();
                            self.expect(Punct::RParen);
                        }
                        continue;
                    }
                    if token.name == self.words.extension || self.words.inline_names.contains(&token.name) {
                        if token.name != self.words.extension {
                            result.specs |= Specs::INLINE;
                        }
                        self.bump();
                        continue;
                    }
                    if has_type {
                        break;
                    }
                    if !self.parse_named_type(place, &mut named, &mut result) {
                        break;
                    }
                }
                TokenKind::Punct(Punct::ColonColon) if !has_type => {
                    if !self.parse_named_type(place, &mut named, &mut result) {
                        break;
                    }
                }
                _ => break,
            }
        }
        quals.spaces = spaces.into_boxed_slice();
        let range = self.range_from(start);
        let unqualified = match named {
            Some(ty) => ty,
            None if words.any => self.ty(TypeKind::Builtin(words.resolve()), range),
            None => {
                let kind = self.missing_type(place, &result);
                self.ty(kind, range)
            }
        };
        result.ty = self.qualified(unqualified, quals, range);
        result
    }

    /// What stands for the type where none is written; reports it if one is due.
    fn missing_type(&mut self, place: SpecifierPlace, result: &Specifiers) -> TypeKind {
        if result.declarator.is_some() {
            return TypeKind::None;
        }
        match place {
            SpecifierPlace::Declaration => TypeKind::None,
            SpecifierPlace::Parameter | SpecifierPlace::TypeId => {
                self.expected("a type");
                TypeKind::Error
            }
        }
    }

    /// `ty` with qualifiers, if there are any.
    pub(crate) fn qualified(&mut self, ty: TypeId, quals: Quals, range: TokenRange) -> TypeId {
        if quals == Quals::default() {
            return ty;
        }
        self.ty(TypeKind::Qualified { inner: ty, quals }, range)
    }

    /// Whether the keyword at the cursor, behind a type, stands where the declared name belongs.
    fn keyword_is_name(&self, place: SpecifierPlace) -> bool {
        match self.nth(1).kind {
            TokenKind::Punct(Punct::Eq | Punct::Semi) => true,
            TokenKind::Punct(Punct::LBracket) => {
                !self.nth_is(2, Punct::LBracket)
                    || place == SpecifierPlace::Parameter
                    || self.attributes_end_declaration(1)
            }
            TokenKind::Punct(Punct::Comma | Punct::LBrace) => true,
            TokenKind::Punct(Punct::RParen) => place == SpecifierPlace::Parameter,
            _ => false,
        }
    }

    /// Whether attributes stand `ahead` and a `;` behind them: then a name stands before them.
    fn attributes_end_declaration(&self, ahead: usize) -> bool {
        let mut position = self.position + ahead;
        let is = |position: usize, punct: Punct| self.kind_at(position) == TokenKind::Punct(punct);
        let start = position;
        while is(position, Punct::LBracket) && is(position + 1, Punct::LBracket) {
            let Some(close) = self.partner_of(position) else { return false };
            position = close + 1;
        }
        position > start && is(position, Punct::Semi)
    }

    /// `vertex v;` with a class `vertex` declares a variable: then the word is a type.
    fn stage_word_is_specifier(&mut self, has_type: bool) -> bool {
        if has_type {
            return true;
        }
        let name = self.peek().name;
        let ambiguous = self.nth(1).kind == TokenKind::Ident
            && matches!(
                self.nth(2).kind,
                TokenKind::Punct(
                    Punct::LParen
                        | Punct::Semi
                        | Punct::Eq
                        | Punct::Comma
                        | Punct::RParen
                        | Punct::LBracket
                        | Punct::LBrace
                )
            );
        !(ambiguous && self.classify_name(name).is_type())
    }

    /// Whether a contextual word such as `object_data` is an address space here: not if it is the declared name.
    fn contextual_space_applies(&self, has_type: bool) -> bool {
        !has_type || !matches!(self.nth(1).kind, TokenKind::Punct(Punct::Semi | Punct::Eq | Punct::LBracket))
    }

    /// Whether a declarator ends right behind the token `ahead`.
    fn names_declared_ends(&self, ahead: usize) -> bool {
        matches!(self.nth(ahead).kind, TokenKind::Punct(Punct::Semi | Punct::Eq | Punct::Comma | Punct::RParen))
    }

    /// A path where a type is due. `false` ends the specifiers.
    fn parse_named_type(&mut self, place: SpecifierPlace, named: &mut Option<TypeId>, result: &mut Specifiers) -> bool {
        let token = self.peek();
        if token.kind == TokenKind::Ident {
            if token.name == self.words.half || token.name == self.words.bfloat {
                let builtin = if token.name == self.words.half {
                    crate::ast::BuiltinType::Half
                } else {
                    crate::ast::BuiltinType::BFloat
                };
                let range = self.here();
                self.bump();
                *named = Some(self.ty(TypeKind::Builtin(builtin), range));
                return true;
            }
            if self.words.typeof_names.contains(&token.name) && self.nth_is(1, Punct::LParen) {
                *named = Some(self.parse_typeof());
                return true;
            }
            if self.transform_at(self.position) {
                let start = self.bump();
                let open = self.bump();
                let arg = self.in_brackets(Self::parse_type_id);
                self.expect_closing(Punct::RParen, open);
                let range = self.range_from(start);
                *named = Some(self.ty(TypeKind::Transform { name: token.name, arg }, range));
                return true;
            }
            if place == SpecifierPlace::Declaration && self.at_constructor_name() {
                return false;
            }
        }
        let usage = if place == SpecifierPlace::Declaration { PathUse::Any } else { PathUse::Type };
        let diagnostics = self.diagnostics.len();
        let parsed = self.parse_path(usage);
        let next = self.peek();
        let last = parsed.path.last().map(|segment| segment.name);
        match last {
            Some(UnqualName::Ident(_)) => {}
            // `S::~S`, `S::operator T`, `operator+` without a type.
            _ if place == SpecifierPlace::Declaration => {
                result.declarator = Some(parsed);
                return false;
            }
            _ => {
                let range = self.range_from(parsed.start);
                self.report(SyntaxErrorKind::Expected, range, "expected a type".to_owned());
                *named = Some(self.ty(TypeKind::Error, range));
                return true;
            }
        }
        let range = self.range_from(parsed.start);
        if parsed.class.is_type() {
            if place == SpecifierPlace::Declaration && self.at(Punct::LParen) && self.is_constructor_path(&parsed) {
                result.declarator = Some(parsed);
                return false;
            }
            if place == SpecifierPlace::Declaration && self.at(Punct::LParen) && self.at_deduction_guide(&parsed) {
                result.declarator = Some(parsed);
                return false;
            }
            *named = Some(self.path_type(parsed.path, range, false));
            return true;
        }
        let followed_by_declarator = match next.kind {
            TokenKind::Ident => true,
            TokenKind::Keyword(keyword) => {
                crate::scan::is_type_keyword(keyword)
                    || space_of_keyword(keyword).is_some()
                    || matches!(keyword, Keyword::Const | Keyword::Volatile | Keyword::Struct | Keyword::Operator)
            }
            TokenKind::Punct(Punct::Star | Punct::Amp | Punct::AmpAmp) => true,
            TokenKind::Punct(Punct::Ellipsis) => place != SpecifierPlace::Declaration,
            _ => place != SpecifierPlace::Declaration,
        };
        if parsed.class == NameClass::Dependent && followed_by_declarator {
            *named = Some(self.path_type(parsed.path, range, false));
            return true;
        }
        if !followed_by_declarator {
            // A declarator without a type: `f(int x) { … }`, `x = 1;`.
            if place == SpecifierPlace::Declaration {
                result.declarator = Some(parsed);
            }
            return false;
        }
        if self.diagnostics.len() == diagnostics {
            self.report_not_a_type(&parsed, range);
        }
        if !self.real_type_follows() {
            *named = Some(self.ty(TypeKind::Error, range));
        }
        true
    }

    /// The type of a path that was read in front of the specifiers; what is no type is reported.
    fn first_type(&mut self, first: PendingPath) -> Option<TypeId> {
        let range = self.range_from(first.start);
        if first.class.is_type() || first.class == NameClass::Dependent {
            return Some(self.path_type(first.path, range, false));
        }
        let parsed = ParsedPath { path: first.path, start: first.start, class: first.class, qualifier: None };
        self.report_not_a_type(&parsed, range);
        (!self.real_type_follows()).then(|| self.ty(TypeKind::Error, range))
    }

    /// Whether the real type stands at the cursor, behind an unknown word: `out float x`, `in Ray ray`.
    fn real_type_follows(&mut self) -> bool {
        match self.kind() {
            TokenKind::Keyword(keyword) => {
                crate::scan::is_type_keyword(keyword)
                    || space_of_keyword(keyword).is_some()
                    || keyword == Keyword::Const
            }
            TokenKind::Ident => match self.scan_path(self.position) {
                Some((end, class)) => match self.kind_at(end) {
                    // Two more words: the first of them is meant as the type, known or not.
                    TokenKind::Ident => !self.token_at(end).flags.has(TokenFlags::LINE_START),
                    TokenKind::Punct(Punct::Star | Punct::Amp | Punct::AmpAmp) => class.is_type(),
                    _ => false,
                },
                None => false,
            },
            _ => false,
        }
    }

    /// Reports a name that stands where a type is due.
    pub(crate) fn report_not_a_type(&mut self, parsed: &ParsedPath, range: TokenRange) {
        let Some(segment) = parsed.path.last() else { return };
        let UnqualName::Ident(name) = segment.name else { return };
        match parsed.class {
            NameClass::Unknown => {
                let message = format!("unknown type name `{name}`");
                self.report(SyntaxErrorKind::UnknownType(name), range, message);
            }
            NameClass::Namespace => {
                let message = format!("expected a type, found the namespace `{name}`");
                self.report(SyntaxErrorKind::Misplaced, range, message);
            }
            _ => {
                let message = format!("expected a type, but `{name}` is not one");
                self.report(SyntaxErrorKind::Misplaced, range, message);
            }
        }
    }

    /// Whether the identifier at the cursor names the class around it and opens a constructor.
    fn at_constructor_name(&mut self) -> bool {
        let scope = &self.ast[self.declaring_scope()];
        if scope.kind != ScopeKind::Record {
            return false;
        }
        let Some(owner) = scope.owner else { return false };
        let crate::ast::DeclKind::Record(record) = &self.ast[owner].kind else { return false };
        if record.name != self.peek().name {
            return false;
        }
        // `S<T>()` names the constructor as well (until C++20).
        let behind_name = match self.nth_is(1, Punct::Lt) {
            true => self.scan_angles(self.position + 1),
            false => Some(self.position + 1),
        };
        behind_name.is_some_and(|position| self.punct_at(position, Punct::LParen))
    }

    /// Whether a qualified path names a constructor: `S::S`, `S<T>::S`.
    fn is_constructor_path(&self, parsed: &ParsedPath) -> bool {
        let Some(QualifierScope::Scope(scope)) = parsed.qualifier else { return false };
        let scope = &self.ast[scope];
        let (ScopeKind::Record, Some(owner)) = (scope.kind, scope.owner) else { return false };
        let crate::ast::DeclKind::Record(record) = &self.ast[owner].kind else { return false };
        let [.., qualifier, last] = &*parsed.path.segments else { return false };
        last.name == qualifier.name || last.name == UnqualName::Ident(record.name)
    }

    /// Whether `X(…) -> …` follows the name of a class template: a deduction guide.
    fn at_deduction_guide(&self, parsed: &ParsedPath) -> bool {
        parsed.class == NameClass::ClassTemplate
            && parsed.path.last().is_some_and(|segment| segment.args.is_none())
            && self.partner_of(self.position).is_some_and(|close| self.punct_at(close + 1, Punct::Arrow))
    }

    /// A type node for a path. `typename` says whether the keyword is written.
    pub(crate) fn path_type(&mut self, path: Path, range: TokenRange, typename: bool) -> TypeId {
        let kind = match path {
            Path { decltype: Some(operand), segments, .. } if segments.is_empty() => TypeKind::Decltype(operand),
            path => TypeKind::Path { path, typename },
        };
        self.ast.alloc_type(TypeNode { kind, range })
    }

    /// `typename a::b`.
    pub(crate) fn parse_typename(&mut self) -> TypeId {
        let start = self.bump();
        if !self.at_path() && !self.at_keyword(Keyword::Decltype) {
            self.expected("a name after `typename`");
            let range = self.range_from(start);
            return self.ty(TypeKind::Error, range);
        }
        let parsed = self.parse_path(PathUse::Type);
        let range = self.range_from(start);
        self.path_type(parsed.path, range, true)
    }

    /// `decltype(e)`, `decltype(auto)`, `decltype(e)::type`.
    fn parse_decltype_specifier(&mut self) -> TypeId {
        let start = self.number();
        if self.nth_is(1, Punct::LParen) && self.nth(2).is_keyword(Keyword::Auto) && self.nth_is(3, Punct::RParen) {
            for _ in 0..4 {
                self.bump();
            }
            let range = self.range_from(start);
            return self.ty(TypeKind::DecltypeAuto, range);
        }
        let parsed = self.parse_path(PathUse::Type);
        let range = self.range_from(start);
        self.path_type(parsed.path, range, false)
    }

    /// `typeof(e)` and `typeof(T)`.
    fn parse_typeof(&mut self) -> TypeId {
        let start = self.bump();
        let open = self.bump();
        let operand = self.in_brackets(Self::parse_type_or_expr);
        self.expect_closing(Punct::RParen, open);
        let range = self.range_from(start);
        match operand {
            TypeOrExpr::Type(ty) => ty,
            TypeOrExpr::Expr(expr) => self.ty(TypeKind::Decltype(expr), range),
        }
    }

    /// `(e)`, for `decltype`, `noexcept`, `explicit`.
    pub(crate) fn parse_parenthesised_operand(&mut self) -> ExprId {
        let open = self.number();
        if !self.expect(Punct::LParen) {
            return self.error_expr();
        }
        let operand = self.in_brackets(Self::parse_expr);
        self.expect_closing(Punct::RParen, open);
        operand
    }

    /// A type-id: specifiers and an abstract declarator.
    pub(crate) fn parse_type_id(&mut self) -> TypeId {
        self.parse_type_id_from(None)
    }

    /// A type-id whose first name was read already.
    pub(crate) fn parse_type_id_from(&mut self, first: Option<PendingPath>) -> TypeId {
        self.nested(
            |parser| {
                let specifiers = parser.parse_specifiers(SpecifierPlace::TypeId, first);
                parser.parse_abstract_declarator(specifiers.ty)
            },
            |parser| {
                let range = parser.behind();
                parser.ty(TypeKind::Error, range)
            },
        )
    }

    /// The type of a conversion function: no parentheses belong to it.
    pub(crate) fn parse_conversion_type(&mut self) -> TypeId {
        let specifiers = self.parse_specifiers(SpecifierPlace::TypeId, None);
        self.parse_pointer_operators_onto(specifiers.ty)
    }

    /// A type or an expression, decided as C++ decides it: what can be a type is one.
    pub(crate) fn parse_type_or_expr(&mut self) -> TypeOrExpr {
        match self.kind() {
            TokenKind::Ident | TokenKind::Punct(Punct::ColonColon) => {
                if self.space_word_at(self.position).is_some() || self.coherent_at(self.position) {
                    return TypeOrExpr::Type(self.parse_type_id());
                }
                if self.kind() == TokenKind::Ident && self.at_builtin_type_word() {
                    return self.parse_keyword_type_or_expr();
                }
                if self.kind() == TokenKind::Ident && self.is_reserved_expression_word() {
                    return TypeOrExpr::Expr(self.parse_assignment_expr());
                }
                let parsed = self.parse_path(PathUse::Any);
                if self.path_is_type_id(&parsed) {
                    let pending = PendingPath { path: parsed.path, start: parsed.start, class: parsed.class };
                    return TypeOrExpr::Type(self.parse_type_id_from(Some(pending)));
                }
                self.pending = Some(PendingPath { path: parsed.path, start: parsed.start, class: parsed.class });
                TypeOrExpr::Expr(self.parse_assignment_expr())
            }
            TokenKind::Keyword(_) if self.at_type_start() => self.parse_keyword_type_or_expr(),
            _ => TypeOrExpr::Expr(self.parse_assignment_expr()),
        }
    }

    /// Whether the identifier at the cursor is a type of the language spelled as an identifier.
    pub(crate) fn at_builtin_type_word(&self) -> bool {
        let name = self.peek().name;
        name == self.words.half
            || name == self.words.bfloat
            || self.words.typeof_names.contains(&name) && self.nth_is(1, Punct::LParen)
            || self.transform_at(self.position)
    }

    /// Like [`Parser::parse_type_or_expr`] where the first word is a type's.
    fn parse_keyword_type_or_expr(&mut self) -> TypeOrExpr {
        let position = self.position;
        let is_type = match self.scan_specifiers(position) {
            Some(end) => match self.kind_at(end) {
                TokenKind::Punct(Punct::LBrace) => false,
                TokenKind::Punct(Punct::LParen) => self.abstract_declarator_at(end),
                _ => true,
            },
            None => true,
        };
        if is_type { TypeOrExpr::Type(self.parse_type_id()) } else { TypeOrExpr::Expr(self.parse_assignment_expr()) }
    }

    /// Whether a path that was just read starts a type-id.
    pub(crate) fn path_is_type_id(&mut self, parsed: &ParsedPath) -> bool {
        let next = self.kind();
        if parsed.class.is_type() {
            return match next {
                TokenKind::Punct(Punct::LBrace) => false,
                TokenKind::Punct(Punct::LParen) => self.abstract_declarator_at(self.position),
                _ => true,
            };
        }
        if !matches!(parsed.class, NameClass::Unknown | NameClass::Dependent) {
            return false;
        }
        // `unknown*`, `unknown const&`: nothing but a type can stand there.
        match next {
            TokenKind::Punct(Punct::Star | Punct::Amp | Punct::AmpAmp)
            | TokenKind::Keyword(Keyword::Const | Keyword::Volatile) => self.abstract_declarator_at(self.position),
            TokenKind::Keyword(keyword) => space_of_keyword(keyword).is_some(),
            _ => false,
        }
    }

    /// The word at the cursor is a keyword that a declaration made a name, by mistake: uses are not reported again.
    pub(crate) fn keyword_names_something(&mut self) -> bool {
        let token = self.peek();
        let TokenKind::Keyword(keyword) = token.kind else { return false };
        let Some(_) = space_of_keyword(keyword) else { return false };
        let name = word_name(token.kind, token.name);
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        lookup::lookup_unqualified(&self.ast, self.scope, name, self.ast.next_decl(), &mut found);
        let known = !found.is_empty();
        self.found = found;
        known
    }

    /// Reports a reserved word at the cursor that is used as a name, and takes it.
    pub(crate) fn parse_reserved_name(&mut self) -> msl_intern::Name {
        let token = self.peek();
        let name = word_name(token.kind, token.name);
        let message = format!("{} cannot be used as a name", describe(token));
        let range = self.here();
        self.report(SyntaxErrorKind::ReservedWord(name), range, message);
        self.bump();
        name
    }
}
