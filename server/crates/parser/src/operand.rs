//! Primary operands of expressions: literals, names, constructions, casts by name, `sizeof`, and what Metal removed.

use msl_intern::Name;
use msl_preproc::{Keyword, Punct, TokenKind};

use crate::ast::{
    ExprId, ExprKind, NamedCast, Path, RemovedExpr, Segment, SizeofOp, TemplateArgKind, TypeId, UnqualName,
};
use crate::diagnostic::SyntaxErrorKind;
use crate::expr::Inside;
use crate::lookup::NameClass;
use crate::name::{PathUse, TypeOrExpr};
use crate::parser::{Parser, PendingPath};
use crate::scan::{is_type_keyword, space_of_keyword};

impl Parser<'_> {
    fn literal(&mut self, kind: ExprKind) -> ExprId {
        let start = self.bump();
        self.expr(kind, start)
    }

    pub(crate) fn parse_primary(&mut self) -> ExprId {
        if let Some(pending) = self.pending.take() {
            return self.parse_path_operand(pending);
        }
        let token = self.peek();
        match token.kind {
            TokenKind::Ident => {
                // Most names need no lookup: nothing behind them depends on what they are.
                let next = self.nth(1).kind;
                let plain = !matches!(
                    next,
                    TokenKind::Punct(Punct::LParen | Punct::LBrace | Punct::Lt | Punct::ColonColon)
                        | TokenKind::String
                        | TokenKind::Ident
                );
                if plain && !(self.at_line_start() && next == TokenKind::Punct(Punct::Star)) {
                    let start = self.bump();
                    let segment = Segment {
                        name: UnqualName::Ident(token.name),
                        args: None,
                        token: start,
                        template_keyword: false,
                    };
                    let path = Path { global: false, decltype: None, segments: Box::new([segment]) };
                    return self.expr(ExprKind::Path(path), start);
                }
                self.parse_name_operand()
            }
            TokenKind::Int => self.literal(ExprKind::Int(token.name)),
            TokenKind::Float => self.literal(ExprKind::Float(token.name)),
            TokenKind::Char => self.literal(ExprKind::Char(token.name)),
            TokenKind::String => {
                let start = self.number();
                let mut parts = Vec::new();
                while self.kind() == TokenKind::String {
                    parts.push(self.peek().name);
                    self.bump();
                }
                self.expr(ExprKind::String(parts.into_boxed_slice()), start)
            }
            TokenKind::Punct(Punct::LParen) => self.parse_parenthesised(),
            TokenKind::Punct(Punct::LBracket) => self.parse_lambda(),
            TokenKind::Punct(Punct::ColonColon) => {
                if let TokenKind::Keyword(Keyword::New | Keyword::Delete) = self.nth(1).kind {
                    self.bump();
                    return self.parse_new_or_delete();
                }
                self.parse_name_operand()
            }
            TokenKind::Keyword(keyword) => self.parse_keyword_operand(keyword),
            _ => self.missing_operand(),
        }
    }

    #[inline(never)]
    fn missing_operand(&mut self) -> ExprId {
        self.expected("an expression");
        self.error_expr()
    }

    /// Whether the identifier at the cursor starts an operand of its own grammar.
    pub(crate) fn is_reserved_expression_word(&self) -> bool {
        let name = self.peek().name;
        let called = self.nth_is(1, Punct::LParen);
        name == self.words.extension
            || (name == self.words.as_type || name == self.words.addrspace_cast) && self.nth_is(1, Punct::Lt)
            || called && (name == self.words.alignof_gnu || name == self.words.alignof_gnu_plain)
            || called && name.bytes().starts_with(b"__is_")
    }

    #[inline(never)]
    fn parse_name_operand(&mut self) -> ExprId {
        if self.at_line_start()
            && self.kind() == TokenKind::Ident
            && !self.is_reserved_expression_word()
            && self.declaration_follows()
        {
            return self.missing_operand();
        }
        if self.kind() == TokenKind::Ident {
            if self.at_builtin_type_word() {
                return self.parse_type_operand();
            }
            if self.is_reserved_expression_word()
                && let Some(expr) = self.parse_reserved_word_operand()
            {
                return expr;
            }
        }
        let parsed = self.parse_path(PathUse::Any);
        self.parse_path_operand(PendingPath { path: parsed.path, start: parsed.start, class: parsed.class })
    }

    /// A path that was read: a value, or a type that is constructed.
    #[inline(never)]
    fn parse_path_operand(&mut self, pending: PendingPath) -> ExprId {
        let PendingPath { path, start, class } = pending;
        let names_member = matches!(path.last(), Some(Segment { name: UnqualName::Ident(_), .. }));
        let constructs = match self.kind() {
            TokenKind::Punct(Punct::LParen) => class.is_type(),
            TokenKind::Punct(Punct::LBrace) => {
                class.is_type() || class == NameClass::Dependent || class == NameClass::Unknown && self.list_follows()
            }
            _ => false,
        };
        if constructs && names_member {
            let range = self.range_from(start);
            let ty = self.path_type(path, range, false);
            return self.parse_construction(ty, start);
        }
        if is_cast_word(&path, self.words.as_type, self.words.metal) {
            return self.parse_library_cast(path, NamedCast::AsType, start);
        }
        if is_cast_word(&path, self.words.addrspace_cast, self.words.metal) {
            return self.parse_library_cast(path, NamedCast::AddrSpace, start);
        }
        self.expr(ExprKind::Path(path), start)
    }

    /// Whether the braces at the cursor hold a list and not statements, as far as the first tokens tell.
    fn list_follows(&self) -> bool {
        match self.partner_of(self.position) {
            Some(close) => !self.at_line_start() && !self.punct_at(close.wrapping_sub(1), Punct::Semi),
            None => false,
        }
    }

    /// `as_type<T>(e)` with its path read.
    fn parse_library_cast(&mut self, path: Path, cast: NamedCast, start: u32) -> ExprId {
        let ty = path.last().and_then(|segment| segment.args.as_deref()).and_then(|args| match args {
            [arg] => match arg.kind {
                TemplateArgKind::Type(ty) => Some(ty),
                TemplateArgKind::Expr(_) => None,
            },
            _ => None,
        });
        let (Some(ty), true) = (ty, self.at(Punct::LParen)) else {
            return self.expr(ExprKind::Path(path), start);
        };
        let open = self.bump();
        let operand = self.in_brackets(Self::parse_expr);
        self.expect_closing_in_expr(Punct::RParen, open);
        self.expr(ExprKind::NamedCast { cast, ty, operand }, start)
    }

    /// `T(a, b)` or `T{a, b}` with the type read.
    fn parse_construction(&mut self, ty: TypeId, start: u32) -> ExprId {
        if self.at(Punct::LBrace) {
            let list = self.parse_init_list();
            return self.expr(ExprKind::Construct { ty, args: Box::new([list]), braces: true }, start);
        }
        let open = self.number();
        if !self.expect(Punct::LParen) {
            return self.expr(ExprKind::Error, start);
        }
        let args = self.parse_arguments(Punct::RParen);
        self.expect_closing_in_expr(Punct::RParen, open);
        self.expr(ExprKind::Construct { ty, args, braces: false }, start)
    }

    /// A type at the start of an operand: `float(x)`, `typename T::x(y)`.
    #[inline(never)]
    fn parse_type_operand(&mut self) -> ExprId {
        let start = self.number();
        if self.at_line_start() && self.declaration_follows() {
            // The expression is unfinished, and the next line declares something.
            return self.missing_operand();
        }
        let ty = self.parse_simple_type();
        if !matches!(self.kind(), TokenKind::Punct(Punct::LParen | Punct::LBrace)) {
            let message = format!("expected `(` or `{{` behind a type, found {}", self.found_text());
            let range = self.here();
            self.report(SyntaxErrorKind::Expected, range, message);
            return self.expr(ExprKind::Error, start);
        }
        self.parse_construction(ty, start)
    }

    /// Whether a type and a name stand at the cursor.
    fn declaration_follows(&mut self) -> bool {
        let position = self.position;
        match self.scan_specifiers(position) {
            Some(end) => matches!(self.kind_at(end), TokenKind::Ident | TokenKind::Punct(Punct::Star | Punct::Amp)),
            None => false,
        }
    }

    /// A type without a declarator.
    fn parse_simple_type(&mut self) -> TypeId {
        self.parse_specifiers(crate::types::SpecifierPlace::TypeId, None).ty
    }

    #[inline(never)]
    fn parse_reserved_word_operand(&mut self) -> Option<ExprId> {
        let name = self.peek().name;
        let start = self.number();
        if name == self.words.extension {
            self.bump();
            return Some(self.nested(Self::parse_unary_expr, Self::give_up_expr));
        }
        if name == self.words.alignof_gnu || name == self.words.alignof_gnu_plain {
            return Some(self.parse_sizeof());
        }
        if name == self.words.as_type || name == self.words.addrspace_cast {
            let cast = if name == self.words.as_type { NamedCast::AsType } else { NamedCast::AddrSpace };
            if matches!(self.classify_name(name), NameClass::Value) {
                return None;
            }
            self.bump();
            return Some(self.parse_cast_behind(cast, start));
        }
        // `__is_same(T, U)`: a trait if its operands are types.
        if self.classify_name(name) != NameClass::Unknown {
            return None;
        }
        self.bump();
        let open = self.bump();
        let args = self.in_brackets(|parser| {
            let mut args = Vec::new();
            while !matches!(parser.kind(), TokenKind::Punct(Punct::RParen) | TokenKind::Eof) {
                let before = parser.position;
                args.push(parser.parse_type_id());
                parser.eat(Punct::Ellipsis);
                if !parser.eat(Punct::Comma) || parser.position == before {
                    break;
                }
            }
            args
        });
        self.expect_closing_in_expr(Punct::RParen, open);
        Some(self.expr(ExprKind::TypeTrait { name, args: args.into_boxed_slice() }, start))
    }

    /// `<T>(e)` behind a cast's name.
    fn parse_cast_behind(&mut self, cast: NamedCast, start: u32) -> ExprId {
        let open = self.number();
        if !self.expect(Punct::Lt) {
            return self.expr(ExprKind::Error, start);
        }
        let outer = std::mem::replace(&mut self.angle_closes, true);
        let ty = self.parse_type_id();
        self.angle_closes = outer;
        if !self.eat_closing_angle() {
            let message = format!("expected `>` before {}", self.found_text());
            let related = (crate::ast::TokenRange::new(open, open + 1), "to close this `<`".to_owned());
            self.report_related(SyntaxErrorKind::Expected, self.behind(), message, related);
            return self.expr(ExprKind::Error, start);
        }
        let open = self.number();
        if !self.expect(Punct::LParen) {
            return self.expr(ExprKind::Error, start);
        }
        let operand = self.in_brackets(Self::parse_expr);
        self.expect_closing_in_expr(Punct::RParen, open);
        self.expr(ExprKind::NamedCast { cast, ty, operand }, start)
    }

    #[inline(never)]
    fn parse_keyword_operand(&mut self, keyword: Keyword) -> ExprId {
        let start = self.number();
        match keyword {
            Keyword::True | Keyword::False => self.literal(ExprKind::Bool(keyword == Keyword::True)),
            Keyword::Nullptr => self.literal(ExprKind::Nullptr),
            Keyword::This => self.literal(ExprKind::This),
            Keyword::StaticCast | Keyword::ReinterpretCast | Keyword::ConstCast | Keyword::DynamicCast => {
                self.bump();
                let cast = match keyword {
                    Keyword::StaticCast => NamedCast::Static,
                    Keyword::ReinterpretCast => NamedCast::Reinterpret,
                    Keyword::ConstCast => NamedCast::Const,
                    _ => NamedCast::Dynamic,
                };
                self.parse_cast_behind(cast, start)
            }
            Keyword::Typeid => {
                self.bump();
                let open = self.number();
                if !self.expect(Punct::LParen) {
                    return self.expr(ExprKind::Error, start);
                }
                let (ty, operands): (_, Box<[ExprId]>) = match self.in_brackets(Self::parse_type_or_expr) {
                    TypeOrExpr::Type(ty) => (Some(ty), Box::default()),
                    TypeOrExpr::Expr(expr) => (None, Box::new([expr])),
                };
                self.expect_closing_in_expr(Punct::RParen, open);
                self.expr(ExprKind::Removed { what: RemovedExpr::Typeid, operands, ty }, start)
            }
            Keyword::Noexcept => {
                self.bump();
                let operand = self.parse_parenthesised_operand();
                self.expr(ExprKind::Noexcept(operand), start)
            }
            Keyword::Sizeof | Keyword::Alignof => self.parse_sizeof(),
            Keyword::New | Keyword::Delete => self.parse_new_or_delete(),
            Keyword::Operator => self.parse_name_operand(),
            Keyword::Decltype => {
                // `decltype(e)(x)` constructs; `decltype(e)::f(x)` calls.
                let parsed = self.parse_path(PathUse::Any);
                if parsed.path.segments.is_empty() {
                    let range = self.range_from(parsed.start);
                    let ty = self.path_type(parsed.path, range, false);
                    return self.parse_construction(ty, start);
                }
                self.parse_path_operand(PendingPath { path: parsed.path, start: parsed.start, class: parsed.class })
            }
            Keyword::Typename => self.parse_type_operand(),
            _ if is_type_keyword(keyword) => self.parse_type_operand(),
            _ if space_of_keyword(keyword).is_some() && self.keyword_names_something() => {
                let token = self.peek();
                let name = crate::attribute::word_name(token.kind, token.name);
                self.bump();
                let segment =
                    Segment { name: UnqualName::Ident(name), args: None, token: start, template_keyword: false };
                let path = Path { global: false, decltype: None, segments: Box::new([segment]) };
                self.expr(ExprKind::Path(path), start)
            }
            _ if space_of_keyword(keyword).is_some() && !self.at_line_start() => {
                self.parse_reserved_name();
                self.expr(ExprKind::Error, start)
            }
            _ => self.missing_operand(),
        }
    }

    #[inline(never)]
    pub(crate) fn parse_sizeof(&mut self) -> ExprId {
        let start = self.number();
        let op = if self.at_keyword(Keyword::Sizeof) { SizeofOp::Sizeof } else { SizeofOp::Alignof };
        self.bump();
        if self.at(Punct::Ellipsis) {
            self.bump();
            let open = self.number();
            self.expect(Punct::LParen);
            let (pack, token) = (self.peek().name, self.number());
            if self.kind() == TokenKind::Ident {
                self.bump();
            } else {
                self.expected("the name of a parameter pack");
            }
            self.expect_closing_in_expr(Punct::RParen, open);
            return self.expr(ExprKind::SizeofPack { pack, token }, start);
        }
        if self.at(Punct::LParen) {
            let outer = std::mem::replace(&mut self.angle_closes, false);
            let open = self.bump();
            match self.parse_inside_parentheses(open) {
                Inside::Type(ty) => {
                    self.expect_closing_in_expr(Punct::RParen, open);
                    self.angle_closes = outer;
                    return self.expr(ExprKind::SizeofType { op, ty }, start);
                }
                Inside::Expr(kind) => {
                    self.expect_closing_in_expr(Punct::RParen, open);
                    self.angle_closes = outer;
                    let inner = self.expr(kind, open);
                    let operand = self.parse_postfix_operators(inner, open);
                    return self.expr(ExprKind::SizeofExpr { op, operand }, start);
                }
            }
        }
        let operand = self.nested(Self::parse_unary_expr, Self::give_up_expr);
        self.expr(ExprKind::SizeofExpr { op, operand }, start)
    }

    #[inline(never)]
    pub(crate) fn parse_new_or_delete(&mut self) -> ExprId {
        let start = self.number();
        if self.at_keyword(Keyword::Delete) {
            self.bump();
            if self.at(Punct::LBracket) && self.nth_is(1, Punct::RBracket) {
                self.bump();
                self.bump();
            }
            let operand = self.nested(Self::parse_unary_expr, Self::give_up_expr);
            let operands = Box::new([operand]);
            return self.expr(ExprKind::Removed { what: RemovedExpr::Delete, operands, ty: None }, start);
        }
        self.bump();
        let mut operands = Vec::new();
        let mut what = RemovedExpr::New;
        let mut ty = None;
        if self.at(Punct::LParen) {
            let placement = !self.type_starts_at(self.position + 1);
            let open = self.bump();
            if placement {
                what = RemovedExpr::PlacementNew;
                operands.extend(self.parse_arguments(Punct::RParen));
            } else {
                ty = Some(self.in_brackets(Self::parse_type_id));
            }
            self.expect_closing_in_expr(Punct::RParen, open);
        }
        if ty.is_none() {
            let simple = self.parse_simple_type();
            ty = Some(self.parse_pointer_operators_onto(simple));
            while self.at(Punct::LBracket) && !self.nth_is(1, Punct::LBracket) {
                let open = self.bump();
                if !self.at(Punct::RBracket) {
                    operands.push(self.in_brackets(Self::parse_expr));
                }
                self.expect_closing_in_expr(Punct::RBracket, open);
            }
        }
        if self.at(Punct::LParen) {
            let open = self.bump();
            operands.extend(self.parse_arguments(Punct::RParen));
            self.expect_closing_in_expr(Punct::RParen, open);
        } else if self.at(Punct::LBrace) {
            operands.push(self.parse_init_list());
        }
        let operands = operands.into_boxed_slice();
        self.expr(ExprKind::Removed { what, operands, ty }, start)
    }
}

/// Whether a path is `word<…>` or `metal::word<…>`.
fn is_cast_word(path: &Path, word: Name, metal: Name) -> bool {
    let [qualifiers @ .., last] = &*path.segments else { return false };
    last.name == UnqualName::Ident(word)
        && last.args.is_some()
        && matches!(qualifiers, [only] if only.name == UnqualName::Ident(metal))
}
