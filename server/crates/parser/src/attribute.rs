//! Attributes: `[[…]]`, `__attribute__((…))`, `alignas(…)`.

use msl_intern::Name;
use msl_preproc::{Keyword, Punct, TokenKind};

use crate::ast::{Attr, AttrId, AttrSyntax, ExprId, ExprKind, SizeofOp};
use crate::name::TypeOrExpr;
use crate::parser::Parser;

impl Parser<'_> {
    /// Whether an attribute starts at the current token.
    pub(crate) fn at_attribute(&self) -> bool {
        match self.kind() {
            TokenKind::Punct(Punct::LBracket) => self.nth_is(1, Punct::LBracket),
            TokenKind::Keyword(Keyword::Attribute | Keyword::Alignas) => true,
            _ => false,
        }
    }

    /// Reads all attributes at the current token.
    pub(crate) fn parse_attributes(&mut self, attrs: &mut Vec<AttrId>) {
        while self.at_attribute() {
            match self.kind() {
                TokenKind::Keyword(Keyword::Alignas) => self.parse_alignas(attrs),
                TokenKind::Keyword(_) => {
                    self.bump();
                    let open = self.number();
                    if !(self.eat(Punct::LParen) && self.eat(Punct::LParen)) {
                        self.expected("`((` after `__attribute__`");
                        return;
                    }
                    self.parse_attribute_list(attrs, AttrSyntax::Gnu, Punct::RParen, open);
                }
                _ => {
                    let open = self.bump();
                    self.bump();
                    self.parse_attribute_list(attrs, AttrSyntax::Brackets, Punct::RBracket, open);
                }
            }
        }
    }

    fn parse_alignas(&mut self, attrs: &mut Vec<AttrId>) {
        let start = self.bump();
        let open = self.number();
        if !self.expect(Punct::LParen) {
            return;
        }
        let arg = self.in_brackets(|parser| {
            let start = parser.number();
            match parser.parse_type_or_expr() {
                TypeOrExpr::Type(ty) => parser.expr(ExprKind::SizeofType { op: SizeofOp::Alignof, ty }, start),
                TypeOrExpr::Expr(expr) => expr,
            }
        });
        self.eat(Punct::Ellipsis);
        self.expect_closing(Punct::RParen, open);
        let attr = Attr {
            namespace: None,
            name: self.words.alignas,
            args: Box::new([arg]),
            has_args: true,
            syntax: AttrSyntax::Alignas,
            range: self.range_from(start),
            name_token: start,
        };
        attrs.push(self.ast.alloc_attr(attr));
    }

    /// The list inside `[[ ]]` or `(( ))`, with the closing brackets.
    fn parse_attribute_list(&mut self, attrs: &mut Vec<AttrId>, syntax: AttrSyntax, close: Punct, open: u32) {
        let mut namespace_for_all = None;
        if self.at_keyword(Keyword::Using) {
            // `[[using clang: a, b]]`.
            self.bump();
            namespace_for_all = Some(self.peek().name);
            self.bump();
            self.expect(Punct::Colon);
        }
        loop {
            match self.kind() {
                TokenKind::Punct(Punct::Comma) => {
                    self.bump();
                    continue;
                }
                TokenKind::Ident | TokenKind::Keyword(_) => {
                    let before = self.position;
                    let attr = self.parse_attribute(syntax, namespace_for_all);
                    attrs.push(attr);
                    self.eat(Punct::Ellipsis);
                    if self.at(Punct::Comma) {
                        continue;
                    }
                    if self.position > before && self.at(close) {
                        break;
                    }
                    // Without a comma, as clang took lists of both syntaxes for long: `[[host_name("a") kernel]]`.
                    if self.position > before && matches!(self.kind(), TokenKind::Ident | TokenKind::Keyword(_)) {
                        continue;
                    }
                    break;
                }
                _ => break,
            }
        }
        if !self.expect_closing(close, open) {
            // The half-typed attribute must not take what follows with it.
            let end = self.partner_of((open - self.base) as usize);
            if let Some(end) = end
                && end >= self.position
                && end - self.position < 64
            {
                self.position = end + 1;
            }
            return;
        }
        self.expect_closing(close, open);
    }

    fn parse_attribute(&mut self, syntax: AttrSyntax, namespace_for_all: Option<Name>) -> AttrId {
        let start = self.number();
        let mut namespace = namespace_for_all;
        let mut name = word_name(self.peek().kind, self.peek().name);
        let mut name_token = self.bump();
        if self.at(Punct::ColonColon) {
            self.bump();
            namespace = Some(name);
            name = Name::EMPTY;
            name_token = self.number();
            if let kind @ (TokenKind::Ident | TokenKind::Keyword(_)) = self.kind() {
                name = word_name(kind, self.peek().name);
                self.bump();
            } else {
                self.expected("the name of an attribute");
            }
        }
        let has_args = self.at(Punct::LParen);
        let mut args = Vec::new();
        if has_args {
            let open_position = self.position;
            let open = self.bump();
            let diagnostics = self.diagnostics.len();
            self.in_brackets(|parser| {
                while !matches!(parser.kind(), TokenKind::Punct(Punct::RParen) | TokenKind::Eof) {
                    let before = parser.position;
                    args.push(parser.parse_attribute_argument());
                    parser.eat(Punct::Ellipsis);
                    if !parser.eat(Punct::Comma) || parser.position == before {
                        break;
                    }
                }
            });
            if !self.at(Punct::RParen)
                && syntax == AttrSyntax::Gnu
                && let Some(close) = self.partner_of(open_position)
            {
                // GNU attributes have argument grammars of their own (`introduced=10.1`); they mean nothing here.
                self.diagnostics.truncate(diagnostics);
                self.position = close;
                self.sub = 0;
            }
            self.expect_closing(Punct::RParen, open);
        }
        let range = self.range_from(start);
        let args: Box<[ExprId]> = args.into_boxed_slice();
        self.ast.alloc_attr(Attr { namespace, name, args, has_args, syntax, range, name_token })
    }

    /// An argument of an attribute. A type stands as a built-in trait without a name.
    fn parse_attribute_argument(&mut self) -> ExprId {
        let start = self.number();
        match self.kind() {
            // A bare word stays a path, whatever it names elsewhere.
            TokenKind::Ident if matches!(self.nth(1).kind, TokenKind::Punct(Punct::Comma | Punct::RParen)) => {
                self.parse_assignment_expr()
            }
            _ => match self.parse_type_or_expr() {
                TypeOrExpr::Type(ty) => {
                    self.expr(ExprKind::TypeTrait { name: Name::EMPTY, args: Box::new([ty]) }, start)
                }
                TypeOrExpr::Expr(expr) => expr,
            },
        }
    }
}

/// The spelling of an identifier or keyword; keyword tokens may come without a name.
pub(crate) fn word_name(kind: TokenKind, name: Name) -> Name {
    match kind {
        TokenKind::Keyword(keyword) if name.is_empty() => Name::new(keyword.text()),
        _ => name,
    }
}
