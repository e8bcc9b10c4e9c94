//! Lambda expressions.

use msl_preproc::{Keyword, Punct, TokenKind};

use crate::ast::{
    Capture, CaptureMode, Decl, DeclKind, ExprId, ExprKind, FunctionType, Lambda, Quals, RefQualifier, Specs, StmtKind,
    TypeKind, UnqualName, Variable, VariableKind,
};
use crate::parser::Parser;
use crate::scan::space_of_keyword;
use crate::scope::ScopeKind;

impl Parser<'_> {
    /// A lambda expression with the cursor at `[`.
    #[inline(never)]
    pub(crate) fn parse_lambda(&mut self) -> ExprId {
        let start = self.bump();
        let scope = self.new_scope(ScopeKind::Lambda);
        let outer = std::mem::replace(&mut self.scope, scope);
        let outer_angle = std::mem::replace(&mut self.angle_closes, false);
        let (default_capture, captures) = self.parse_captures(start);
        let mut attrs = Vec::new();
        if self.at(Punct::Lt) {
            // A template header (C++20) is read so that what follows makes sense.
            let header = self.parse_template_header();
            let template_scope = self.ast[header].scope;
            self.scope = template_scope;
            self.ast[scope].parent = Some(template_scope);
            self.ast[template_scope].parent = Some(outer);
            self.scope = scope;
        }
        self.parse_attributes(&mut attrs);
        let type_start = self.number();
        let has_params = self.at(Punct::LParen);
        let range = self.behind();
        let auto = self.ty(TypeKind::Auto, range);
        let mut is_mutable = false;
        let ty = if has_params {
            // The parameters stand in the scope of the lambda itself.
            let (params, variadic) = self.nested(Self::parse_parameters, |_| (Box::default(), false));
            let mut spaces = Vec::new();
            let mut quals = Quals::default();
            let mut ret = None;
            loop {
                match self.kind() {
                    TokenKind::Keyword(Keyword::Mutable) => is_mutable = true,
                    TokenKind::Keyword(Keyword::Constexpr | Keyword::Static) => {}
                    TokenKind::Keyword(Keyword::Const) => quals.is_const = true,
                    TokenKind::Keyword(keyword) if space_of_keyword(keyword).is_some() => {
                        if let Some(space) = space_of_keyword(keyword) {
                            spaces.push((space, self.number()));
                        }
                    }
                    TokenKind::Keyword(Keyword::Noexcept) => {
                        self.bump();
                        if self.at(Punct::LParen) {
                            self.parse_parenthesised_operand();
                        }
                        continue;
                    }
                    TokenKind::Keyword(Keyword::Attribute) => {
                        self.parse_attributes(&mut attrs);
                        continue;
                    }
                    TokenKind::Punct(Punct::LBracket) if self.nth_is(1, Punct::LBracket) => {
                        self.parse_attributes(&mut attrs);
                        continue;
                    }
                    TokenKind::Punct(Punct::Arrow) => {
                        self.bump();
                        ret = Some(self.parse_type_id());
                        continue;
                    }
                    _ => break,
                }
                self.bump();
            }
            quals.spaces = spaces.into_boxed_slice();
            let function = FunctionType {
                ret: ret.unwrap_or(auto),
                params,
                variadic,
                this_quals: quals,
                this_ref: RefQualifier::None,
                trailing_return: ret.is_some(),
            };
            let range = self.range_from(type_start);
            self.ty(TypeKind::Function(function), range)
        } else {
            is_mutable = self.eat_keyword(Keyword::Mutable);
            let ret = self.eat(Punct::Arrow).then(|| self.parse_type_id());
            let function = FunctionType {
                ret: ret.unwrap_or(auto),
                params: Box::default(),
                variadic: false,
                this_quals: Quals::default(),
                this_ref: RefQualifier::None,
                trailing_return: ret.is_some(),
            };
            let range = self.range_from(type_start);
            self.ty(TypeKind::Function(function), range)
        };
        let body = if self.at(Punct::LBrace) {
            self.parse_compound_statement()
        } else {
            self.expected("the body of the lambda");
            let start = self.number();
            self.stmt(StmtKind::Error, start)
        };
        self.scope = outer;
        self.angle_closes = outer_angle;
        let lambda = Lambda {
            default_capture,
            captures: captures.into_boxed_slice(),
            ty,
            has_params,
            is_mutable,
            attrs: attrs.into_boxed_slice(),
            scope,
            body,
        };
        self.expr(ExprKind::Lambda(Box::new(lambda)), start)
    }

    fn parse_captures(&mut self, open: u32) -> (Option<CaptureMode>, Vec<Capture>) {
        let mut default_capture = None;
        let mut captures = Vec::new();
        while !matches!(self.kind(), TokenKind::Punct(Punct::RBracket) | TokenKind::Eof) {
            let before = self.position;
            let ends = |parser: &Self| matches!(parser.nth(1).kind, TokenKind::Punct(Punct::Comma | Punct::RBracket));
            match self.kind() {
                TokenKind::Punct(Punct::Amp) if ends(self) => {
                    self.bump();
                    default_capture = Some(CaptureMode::Ref);
                }
                TokenKind::Punct(Punct::Eq) if ends(self) => {
                    self.bump();
                    default_capture = Some(CaptureMode::Copy);
                }
                TokenKind::Keyword(Keyword::This) => {
                    captures.push(Capture::This { by_copy: false, token: self.number() });
                    self.bump();
                }
                TokenKind::Punct(Punct::Star) if self.nth(1).is_keyword(Keyword::This) => {
                    self.bump();
                    captures.push(Capture::This { by_copy: true, token: self.number() });
                    self.bump();
                }
                _ => {
                    let mode = if self.eat(Punct::Amp) { CaptureMode::Ref } else { CaptureMode::Copy };
                    let leading_pack = self.eat(Punct::Ellipsis);
                    if self.kind() != TokenKind::Ident {
                        self.expected("a capture");
                        break;
                    }
                    let name = self.peek().name;
                    let token = self.bump();
                    if matches!(self.kind(), TokenKind::Punct(Punct::Eq | Punct::LBrace | Punct::LParen)) {
                        captures.push(self.parse_init_capture(name, token, mode, leading_pack));
                    } else {
                        let expansion = self.eat(Punct::Ellipsis);
                        captures.push(Capture::Name { name, mode, token, expansion });
                    }
                }
            }
            if !self.eat(Punct::Comma) || self.position == before {
                break;
            }
        }
        if !self.expect_closing(Punct::RBracket, open) {
            self.skip_to_closing(open);
            self.eat(Punct::RBracket);
        }
        (default_capture, captures)
    }

    fn parse_init_capture(&mut self, name: msl_intern::Name, token: u32, mode: CaptureMode, pack: bool) -> Capture {
        let range = self.behind();
        let ty = self.ty(TypeKind::Auto, range);
        // The initialiser does not see the capture: it is declared behind it.
        let init = self.parse_initialiser();
        let variable = Variable {
            name: UnqualName::Ident(name),
            qualifier: None,
            name_args: None,
            ty,
            init,
            kind: VariableKind::Capture,
            bit_width: None,
            pack,
        };
        let range = self.range_from(token);
        let decl = self.ast.alloc_decl(Decl {
            kind: DeclKind::Variable(variable),
            range,
            name_token: token,
            scope: self.scope,
            attrs: Box::default(),
            specs: Specs::empty(),
            templates: Box::default(),
        });
        self.declare_in(self.scope, name, decl);
        Capture::Init { decl, mode }
    }
}
