//! Statements and lambda expressions.

use msl_preproc::{Keyword, Punct, TokenFlags, TokenKind};

use crate::ast::{
    AttrId, Condition, Decl, DeclId, DeclKind, ExprId, Init, Specs, StmtId, StmtKind, UnqualName, Unroll, Variable,
    VariableKind,
};
use crate::decl::{Place, Prefix, split_name};
use crate::declarator::DeclaratorMode;
use crate::diagnostic::SyntaxErrorKind;
use crate::lookup::NameClass;
use crate::name::{ParsedPath, PathUse};
use crate::parser::{Parser, PendingPath};
use crate::scan::{NameMode, is_specifier_keyword, is_type_keyword, space_of_keyword};
use crate::scope::ScopeKind;
use crate::types::{SpecifierPlace, Specifiers};

/// What a statement turns out to start with.
enum Start {
    /// A declaration; a type name may have been read already.
    Declaration(Option<PendingPath>),
    /// An expression; a path may be pending.
    Expression,
}

impl Parser<'_> {
    /// `{ … }`.
    pub(crate) fn parse_compound_statement(&mut self) -> StmtId {
        let scope = self.new_scope(ScopeKind::Block);
        self.in_scope(scope, |parser| {
            parser.nested(
                |parser| parser.parse_compound_unchecked(scope),
                |parser| {
                    let start = parser.bump();
                    parser.skip_to_closing(start);
                    parser.eat(Punct::RBrace);
                    parser.stmt(StmtKind::Error, start)
                },
            )
        })
    }

    fn parse_compound_unchecked(&mut self, scope: crate::ast::ScopeId) -> StmtId {
        let start = self.number();
        let outer = std::mem::replace(&mut self.angle_closes, false);
        self.expect(Punct::LBrace);
        let mut stmts = Vec::new();
        self.parse_statements(&mut stmts);
        self.expect_closing(Punct::RBrace, start);
        self.angle_closes = outer;
        self.stmt(StmtKind::Compound { stmts: stmts.into_boxed_slice(), scope }, start)
    }

    fn parse_statements(&mut self, stmts: &mut Vec<StmtId>) {
        while !matches!(self.kind(), TokenKind::Eof | TokenKind::Punct(Punct::RBrace)) {
            let before = self.position;
            let stmt = self.parse_statement();
            stmts.push(stmt);
            if self.position == before {
                self.expected("a statement");
                self.bump();
            }
        }
    }

    /// One statement.
    pub(crate) fn parse_statement(&mut self) -> StmtId {
        self.nested(Self::parse_statement_unchecked, |parser| {
            let start = parser.number();
            parser.skip_statement();
            parser.stmt(StmtKind::Error, start)
        })
    }

    fn parse_statement_unchecked(&mut self) -> StmtId {
        let start = self.number();
        let unroll = self.parse_pragmas();
        let mut attrs = Vec::new();
        if self.at_attribute() {
            self.parse_attributes(&mut attrs);
        } else if self.at_foreign_attribute() {
            self.skip_foreign_attribute();
        }
        let stmt = self.parse_statement_behind(start, attrs, unroll);
        self.ast[stmt].range.start = start;
        stmt
    }

    /// `[unroll] for (…)`: no lambda goes on with a loop or a branch.
    fn at_foreign_attribute(&self) -> bool {
        self.at(Punct::LBracket)
            && self.partner_of(self.position).is_some_and(|close| {
                matches!(
                    self.kind_at(close + 1),
                    TokenKind::Keyword(Keyword::For | Keyword::While | Keyword::Do | Keyword::If | Keyword::Switch)
                )
            })
    }

    /// Pragmas in front of a statement; the last one that says something about unrolling counts.
    fn parse_pragmas(&mut self) -> Unroll {
        let mut unroll = Unroll::Unspecified;
        while self.kind() == TokenKind::Pragma {
            if let Some(found) = unroll_of_pragma(self.peek().text()) {
                unroll = found;
            }
            self.bump();
        }
        unroll
    }

    fn parse_statement_behind(&mut self, start: u32, attrs: Vec<AttrId>, unroll: Unroll) -> StmtId {
        let stmt = match self.kind() {
            TokenKind::Punct(Punct::LBrace) => self.parse_compound_statement(),
            TokenKind::Punct(Punct::Semi) => {
                self.bump();
                self.stmt(StmtKind::Null, start)
            }
            TokenKind::Punct(Punct::RBrace) | TokenKind::Eof => {
                self.expected("a statement");
                self.stmt(StmtKind::Error, start)
            }
            TokenKind::Keyword(keyword) => match keyword {
                Keyword::If => self.parse_if(start),
                Keyword::For => self.parse_for(start, unroll),
                Keyword::While => self.parse_while(start, unroll),
                Keyword::Do => self.parse_do(start, unroll),
                Keyword::Switch => self.parse_switch(start),
                Keyword::Return => {
                    self.bump();
                    let value =
                        (!self.at(Punct::Semi) && !self.at(Punct::RBrace) && !self.statement_starts_next_line())
                            .then(|| if self.at(Punct::LBrace) { self.parse_init_list() } else { self.parse_expr() });
                    self.end_statement();
                    self.stmt(StmtKind::Return(value), start)
                }
                Keyword::Break | Keyword::Continue => {
                    self.bump();
                    self.end_statement();
                    self.stmt(if keyword == Keyword::Break { StmtKind::Break } else { StmtKind::Continue }, start)
                }
                Keyword::Case => self.parse_case(start),
                Keyword::Default if self.nth_is(1, Punct::Colon) => {
                    self.bump();
                    self.bump();
                    let stmt = self.parse_labelled();
                    self.stmt(StmtKind::Default { stmt }, start)
                }
                Keyword::Goto => {
                    self.bump();
                    if self.at(Punct::Star) {
                        self.bump();
                        self.parse_expr();
                    }
                    let name = self.peek().name;
                    if self.kind() == TokenKind::Ident {
                        self.bump();
                    }
                    self.end_statement();
                    self.stmt(StmtKind::Goto(name), start)
                }
                Keyword::Try => self.parse_try(start),
                Keyword::Asm => self.parse_asm_statement(start),
                Keyword::Else => {
                    let range = self.here();
                    self.report(SyntaxErrorKind::Misplaced, range, "this `else` belongs to no `if`".to_owned());
                    self.bump();
                    self.parse_statement()
                }
                _ => self.parse_declaration_or_expression(start, attrs.clone()),
            },
            TokenKind::Ident => {
                let name = self.peek().name;
                if self.nth_is(1, Punct::Colon) && !self.nth_is(2, Punct::Colon) {
                    self.parse_label(start)
                } else if self.words.asm_names.contains(&name) {
                    self.parse_asm_statement(start)
                } else {
                    self.parse_declaration_or_expression(start, attrs.clone())
                }
            }
            _ => self.parse_declaration_or_expression(start, attrs.clone()),
        };
        if !attrs.is_empty() && !matches!(self.ast[stmt].kind, StmtKind::Decl(_)) {
            self.ast[stmt].attrs = attrs.into_boxed_slice();
        }
        stmt
    }

    /// Whether the next line starts a new statement, as after a half-typed `return`.
    fn statement_starts_next_line(&self) -> bool {
        self.at_line_start()
            && matches!(
                self.kind(),
                TokenKind::Keyword(
                    Keyword::If
                        | Keyword::For
                        | Keyword::While
                        | Keyword::Do
                        | Keyword::Switch
                        | Keyword::Return
                        | Keyword::Break
                        | Keyword::Continue
                        | Keyword::Case
                        | Keyword::Default
                        | Keyword::Else
                )
            )
    }

    /// The statement behind a label. At the end of a block there may be none.
    fn parse_labelled(&mut self) -> StmtId {
        if self.at(Punct::RBrace) {
            let start = self.number();
            return self.stmt(StmtKind::Null, start);
        }
        self.parse_statement()
    }

    fn parse_label(&mut self, start: u32) -> StmtId {
        let name = self.peek().name;
        self.bump();
        self.bump();
        let range = self.range_from(start);
        self.ast.alloc_decl(Decl {
            kind: DeclKind::Label(name),
            range,
            name_token: start,
            scope: self.scope,
            attrs: Box::default(),
            specs: Specs::empty(),
            templates: Box::default(),
        });
        let stmt = self.parse_labelled();
        self.stmt(StmtKind::Label { name, stmt }, start)
    }

    /// `case a: case b: …`, read in a loop and built from its end.
    fn parse_case(&mut self, start: u32) -> StmtId {
        let mut labels: Vec<(u32, ExprId, Option<ExprId>)> = Vec::new();
        let mut start = start;
        while self.at_keyword(Keyword::Case) {
            self.bump();
            let value = self.parse_conditional_expr();
            let end = self.eat(Punct::Ellipsis).then(|| self.parse_conditional_expr());
            self.expect(Punct::Colon);
            labels.push((start, value, end));
            start = self.number();
        }
        let mut stmt = self.parse_labelled();
        for (start, value, end) in labels.into_iter().rev() {
            stmt = self.stmt(StmtKind::Case { value, end, stmt }, start);
        }
        stmt
    }

    fn parse_asm_statement(&mut self, start: u32) -> StmtId {
        self.bump();
        self.skip_asm_operands();
        self.end_statement();
        self.stmt(StmtKind::Asm, start)
    }

    // -- Selection and loops ------------------------------------------------------------------------------------------

    /// `if … else if … else …`: the chain is read in a loop and built from its end.
    fn parse_if(&mut self, start: u32) -> StmtId {
        struct Link {
            start: u32,
            is_constexpr: bool,
            init: Option<StmtId>,
            cond: Condition,
            then: StmtId,
            scope: crate::ast::ScopeId,
        }
        let outer = self.scope;
        let mut links: Vec<Link> = Vec::new();
        let mut start = start;
        let last = loop {
            self.bump();
            let is_constexpr = self.eat_keyword(Keyword::Constexpr);
            let scope = self.new_scope(ScopeKind::Block);
            self.scope = scope;
            let (init, cond) = self.parse_condition_with_init();
            let then = self.parse_scoped_statement();
            links.push(Link { start, is_constexpr, init, cond, then, scope });
            if !self.eat_keyword(Keyword::Else) {
                break None;
            }
            if self.at_keyword(Keyword::If) {
                // The names of the conditions stay visible in the rest of the chain.
                start = self.number();
                continue;
            }
            break Some(self.parse_scoped_statement());
        };
        self.scope = outer;
        let mut otherwise = last;
        let mut result = None;
        for link in links.into_iter().rev() {
            let Link { start, is_constexpr, init, cond, then, scope } = link;
            let stmt = self.stmt(StmtKind::If { is_constexpr, init, cond, then, otherwise, scope }, start);
            otherwise = Some(stmt);
            result = Some(stmt);
        }
        result.unwrap_or_else(|| self.stmt(StmtKind::Error, start))
    }

    /// A substatement; if it is no block it has a scope of its own all the same.
    fn parse_scoped_statement(&mut self) -> StmtId {
        if self.at(Punct::LBrace) {
            return self.parse_compound_statement();
        }
        if self.at(Punct::RBrace) || self.at_end() {
            self.expected("a statement");
            let start = self.number();
            return self.stmt(StmtKind::Error, start);
        }
        let scope = self.new_scope(ScopeKind::Block);
        self.in_scope(scope, Self::parse_statement)
    }

    /// `(init; condition)`.
    fn parse_condition_with_init(&mut self) -> (Option<StmtId>, Condition) {
        let open = self.number();
        if !self.expect(Punct::LParen) {
            return (None, Condition::Error);
        }
        let init = self.condition_has_init(open).then(|| {
            let start = self.number();
            if self.eat(Punct::Semi) {
                return self.stmt(StmtKind::Null, start);
            }
            self.parse_declaration_or_expression(start, Vec::new())
        });
        let cond = self.parse_condition();
        self.close_head(open);
        (init, cond)
    }

    /// Whether a `;` stands directly inside the parentheses that open at token `open`.
    fn condition_has_init(&self, open: u32) -> bool {
        let Some(close) = self.partner_of((open - self.base) as usize) else { return false };
        let mut position = self.position;
        while position < close {
            match self.kind_at(position) {
                TokenKind::Punct(Punct::Semi) => return true,
                TokenKind::Punct(Punct::LParen | Punct::LBracket | Punct::LBrace) => match self.partner_of(position) {
                    Some(inner) => position = inner,
                    None => return false,
                },
                _ => {}
            }
            position += 1;
        }
        false
    }

    /// The `)` of a statement's head; what stands in front of it is reported and skipped.
    fn close_head(&mut self, open: u32) {
        if self.eat(Punct::RParen) {
            return;
        }
        self.expect_closing(Punct::RParen, open);
        self.skip_behind_partner(open);
    }

    /// An expression or `T x = e`.
    fn parse_condition(&mut self) -> Condition {
        if matches!(self.kind(), TokenKind::Punct(Punct::RParen) | TokenKind::Eof) {
            self.expected("a condition");
            return Condition::Error;
        }
        match self.decide_start(true) {
            Start::Declaration(first) => {
                let start = first.as_ref().map_or_else(|| self.number(), |first| first.start);
                let specifiers = self.parse_specifiers(SpecifierPlace::Declaration, first);
                Condition::Decl(self.parse_single_variable(start, specifiers, false))
            }
            Start::Expression => Condition::Expr(self.parse_expr()),
        }
    }

    /// One variable of a condition or range-for, with or without its initialiser.
    fn parse_single_variable(&mut self, start: u32, mut specifiers: Specifiers, range_for: bool) -> DeclId {
        let mut declarator = self.parse_declarator(
            specifiers.ty,
            start,
            DeclaratorMode::Declaration,
            specifiers.declarator.take(),
            specifiers.reserved_name,
        );
        let (name, _, _, _) = split_name(declarator.name.take());
        if name == UnqualName::Missing {
            self.expected("a name");
        }
        let mut attrs = specifiers.attrs;
        attrs.append(&mut declarator.attrs);
        let variable = Variable {
            name,
            qualifier: None,
            name_args: None,
            ty: declarator.ty,
            init: if range_for { Init::Implied } else { Init::None },
            kind: VariableKind::Local,
            bit_width: None,
            pack: false,
        };
        let range = self.range_from(start);
        let decl = self.ast.alloc_decl(Decl {
            kind: DeclKind::Variable(variable),
            range,
            name_token: declarator.name_token,
            scope: self.scope,
            attrs: attrs.into_boxed_slice(),
            specs: specifiers.specs,
            templates: Box::default(),
        });
        if let UnqualName::Ident(name) = name {
            self.declare_in(self.scope, name, decl);
        }
        if !range_for {
            let init = self.parse_initialiser();
            let range = self.range_from(start);
            self.ast[decl].range = range;
            if let DeclKind::Variable(variable) = &mut self.ast[decl].kind {
                variable.init = init;
            }
        }
        decl
    }

    fn parse_switch(&mut self, start: u32) -> StmtId {
        self.bump();
        let scope = self.new_scope(ScopeKind::Block);
        self.in_scope(scope, |parser| {
            let (init, cond) = parser.parse_condition_with_init();
            let body = parser.parse_scoped_statement();
            parser.stmt(StmtKind::Switch { init, cond, body, scope }, start)
        })
    }

    fn parse_while(&mut self, start: u32, unroll: Unroll) -> StmtId {
        self.bump();
        let scope = self.new_scope(ScopeKind::Block);
        self.in_scope(scope, |parser| {
            let (_, cond) = parser.parse_condition_with_init();
            let body = parser.parse_scoped_statement();
            parser.stmt(StmtKind::While { cond, body, scope, unroll }, start)
        })
    }

    fn parse_do(&mut self, start: u32, unroll: Unroll) -> StmtId {
        self.bump();
        let body = self.parse_scoped_statement();
        if !self.eat_keyword(Keyword::While) {
            self.missing("`while` of the `do` statement");
            let cond = self.error_expr();
            return self.stmt(StmtKind::Do { body, cond, unroll }, start);
        }
        let open = self.number();
        let cond = if self.expect(Punct::LParen) {
            let cond = self.parse_expr();
            self.close_head(open);
            cond
        } else {
            self.error_expr()
        };
        self.end_statement();
        self.stmt(StmtKind::Do { body, cond, unroll }, start)
    }

    fn parse_for(&mut self, start: u32, unroll: Unroll) -> StmtId {
        self.bump();
        let scope = self.new_scope(ScopeKind::Block);
        self.in_scope(scope, |parser| parser.parse_for_head(start, unroll, scope))
    }

    fn parse_for_head(&mut self, start: u32, unroll: Unroll, scope: crate::ast::ScopeId) -> StmtId {
        let open = self.number();
        if !self.expect(Punct::LParen) {
            let body = self.parse_scoped_statement();
            return self.stmt(StmtKind::For { init: None, cond: None, step: None, body, scope, unroll }, start);
        }
        let semicolons = self.semicolons_inside(open);
        if semicolons < 2 && self.colon_inside(open) {
            let init = (semicolons == 1).then(|| {
                let start = self.number();
                self.parse_declaration_or_expression(start, Vec::new())
            });
            return self.parse_range_for(start, unroll, scope, open, init);
        }
        let init_start = self.number();
        let init = if self.eat(Punct::Semi) {
            None
        } else if self.at(Punct::RParen) {
            self.expected("`;`");
            None
        } else {
            Some(self.parse_declaration_or_expression(init_start, Vec::new()))
        };
        let cond =
            (!matches!(self.kind(), TokenKind::Punct(Punct::Semi | Punct::RParen))).then(|| self.parse_condition());
        if !self.at(Punct::RParen) {
            self.expect(Punct::Semi);
        } else if semicolons < 2 {
            self.missing("`;`");
        }
        let step = (!matches!(self.kind(), TokenKind::Punct(Punct::RParen | Punct::LBrace) | TokenKind::Eof))
            .then(|| self.parse_expr());
        self.close_head(open);
        let body = self.parse_scoped_statement();
        self.stmt(StmtKind::For { init, cond, step, body, scope, unroll }, start)
    }

    fn semicolons_inside(&self, open: u32) -> u32 {
        self.count_inside(open, Punct::Semi)
    }

    /// Whether a lone `:` stands inside the parentheses, outside of conditional operators.
    fn colon_inside(&self, open: u32) -> bool {
        self.count_inside(open, Punct::Colon) > self.count_inside(open, Punct::Question)
    }

    fn count_inside(&self, open: u32, punct: Punct) -> u32 {
        let mut position = self.position;
        // Without a partner the head is broken: only what is near counts.
        let end = self.partner_of((open - self.base) as usize).unwrap_or(self.position + 256);
        let mut count = 0;
        while position < end {
            match self.kind_at(position) {
                TokenKind::Punct(found) if found == punct => count += 1,
                TokenKind::Punct(Punct::LBrace) if self.partner_of(position).is_none() => return count,
                TokenKind::Punct(Punct::LParen | Punct::LBracket | Punct::LBrace) => {
                    if let Some(close) = self.partner_of(position) {
                        position = close;
                    }
                }
                TokenKind::Punct(Punct::RBrace) | TokenKind::Eof => return count,
                _ => {}
            }
            position += 1;
        }
        count
    }

    fn parse_range_for(
        &mut self,
        start: u32,
        unroll: Unroll,
        scope: crate::ast::ScopeId,
        open: u32,
        init: Option<StmtId>,
    ) -> StmtId {
        let var_start = self.number();
        let mut attrs = Vec::new();
        self.parse_attributes(&mut attrs);
        let specifiers = self.parse_specifiers(SpecifierPlace::Declaration, None);
        let binding_ahead = usize::from(matches!(self.kind(), TokenKind::Punct(Punct::Amp | Punct::AmpAmp)));
        let var = if specifiers.is_auto
            && self.nth_is(binding_ahead, Punct::LBracket)
            && !self.nth_is(binding_ahead + 1, Punct::LBracket)
        {
            let prefix = Prefix { start: var_start, attrs, ..Prefix::default() };
            self.parse_structured_binding_head(prefix, specifiers)
        } else {
            self.parse_single_variable(var_start, specifiers, true)
        };
        self.expect(Punct::Colon);
        let range = self.parse_initialiser_clause();
        self.close_head(open);
        let body = self.parse_scoped_statement();
        self.stmt(StmtKind::RangeFor { init, var, range, body, scope, unroll }, start)
    }

    fn parse_try(&mut self, start: u32) -> StmtId {
        self.bump();
        let body = self.parse_compound_or_error();
        let mut handlers = Vec::new();
        while self.eat_keyword(Keyword::Catch) {
            let scope = self.new_scope(ScopeKind::Block);
            let handler = self.in_scope(scope, |parser| {
                let open = parser.number();
                if parser.eat(Punct::LParen) {
                    if !parser.eat(Punct::Ellipsis) {
                        let start = parser.number();
                        let specifiers = parser.parse_specifiers(SpecifierPlace::Parameter, None);
                        if parser.at(Punct::RParen) {
                            // The type alone.
                        } else {
                            parser.parse_single_variable(start, specifiers, true);
                        }
                    }
                    parser.close_head(open);
                }
                parser.parse_compound_or_error()
            });
            handlers.push(handler);
        }
        self.stmt(StmtKind::Try { body, handlers: handlers.into_boxed_slice() }, start)
    }

    fn parse_compound_or_error(&mut self) -> StmtId {
        if self.at(Punct::LBrace) {
            return self.parse_compound_statement();
        }
        self.expected("`{`");
        let start = self.number();
        self.stmt(StmtKind::Error, start)
    }

    // -- Declaration or expression --------------------------------------------------------------------------------------

    /// A declaration or an expression, with its `;`.
    fn parse_declaration_or_expression(&mut self, start: u32, attrs: Vec<AttrId>) -> StmtId {
        if self.at_space_before_call() {
            self.bump();
        }
        match self.decide_start(false) {
            Start::Declaration(first) => {
                let mut decls = Vec::new();
                let prefix = Prefix { start, attrs, ..Prefix::default() };
                match first {
                    Some(first) => self.parse_simple_declaration(Place::Block, prefix, Some(first), &mut decls),
                    None => self.parse_declaration_behind(Place::Block, prefix, &mut decls),
                }
                self.stmt(StmtKind::Decl(decls.into_boxed_slice()), start)
            }
            Start::Expression => {
                let expr = self.parse_expr();
                self.end_statement();
                self.stmt(StmtKind::Expr(expr), start)
            }
        }
    }

    /// `device f(x);` calls `f`: Metal's compiler takes an address space in front of an expression like an attribute.
    fn at_space_before_call(&mut self) -> bool {
        let TokenKind::Keyword(keyword) = self.kind() else { return false };
        space_of_keyword(keyword).is_some()
            && self.nth(1).kind == TokenKind::Ident
            && self.nth_is(2, Punct::LParen)
            && matches!(self.classify_name(self.nth(1).name), NameClass::Value | NameClass::FunctionTemplate)
    }

    /// Decides what a statement or condition starts with (C++ [stmt.ambig]): what can be a declaration is one.
    fn decide_start(&mut self, condition: bool) -> Start {
        match self.kind() {
            TokenKind::Keyword(keyword) => self.decide_keyword(keyword, condition),
            TokenKind::Ident => {
                let next = self.nth(1).kind;
                // A name alone in front of an operator is no type.
                if matches!(
                    next,
                    TokenKind::Punct(
                        Punct::Eq
                            | Punct::Dot
                            | Punct::Arrow
                            | Punct::PlusEq
                            | Punct::MinusEq
                            | Punct::StarEq
                            | Punct::SlashEq
                            | Punct::PlusPlus
                            | Punct::MinusMinus
                            | Punct::Semi
                            | Punct::RParen
                    )
                ) {
                    return Start::Expression;
                }
                if next == TokenKind::Punct(Punct::LBracket) && !self.nth_is(2, Punct::LBracket) {
                    return Start::Expression;
                }
                self.decide_path(condition)
            }
            TokenKind::Punct(Punct::ColonColon) => self.decide_path(condition),
            _ => Start::Expression,
        }
    }

    fn decide_keyword(&mut self, keyword: Keyword, condition: bool) -> Start {
        if space_of_keyword(keyword).is_some() {
            return if self.keyword_names_something()
                && matches!(self.nth(1).kind, TokenKind::Punct(_))
                && !self.nth_is(1, Punct::Star)
            {
                Start::Expression
            } else {
                Start::Declaration(None)
            };
        }
        if is_type_keyword(keyword) || matches!(keyword, Keyword::Typename | Keyword::Decltype | Keyword::Auto) {
            return self.decide_scanned(condition);
        }
        let declares = is_specifier_keyword(keyword)
            || matches!(
                keyword,
                Keyword::Struct
                    | Keyword::Class
                    | Keyword::Union
                    | Keyword::Enum
                    | Keyword::Using
                    | Keyword::StaticAssert
                    | Keyword::Namespace
                    | Keyword::Template
                    | Keyword::Alignas
                    | Keyword::Attribute
            );
        if declares { Start::Declaration(None) } else { Start::Expression }
    }

    /// A statement that starts with a type keyword: `float x`, `float(x)`, `float(x) * 2`.
    fn decide_scanned(&mut self, condition: bool) -> Start {
        let position = self.position;
        let Some(end) = self.scan_specifiers(position) else { return Start::Declaration(None) };
        match self.kind_at(end) {
            TokenKind::Punct(Punct::LBrace | Punct::ColonColon) => Start::Expression,
            TokenKind::Punct(Punct::LParen) if !self.declarator_follows(end, condition) => Start::Expression,
            _ => Start::Declaration(None),
        }
    }

    /// Whether a declarator and what may follow it stand at `position`, behind a type.
    fn declarator_follows(&mut self, position: usize, condition: bool) -> bool {
        let Some(end) = self.scan_declarator(position, NameMode::Required) else { return false };
        match self.kind_at(end) {
            TokenKind::Punct(Punct::Eq | Punct::LBrace) => true,
            TokenKind::Punct(Punct::Semi | Punct::Comma | Punct::LParen | Punct::Colon) => !condition,
            TokenKind::Eof => !condition,
            _ => false,
        }
    }

    fn decide_path(&mut self, condition: bool) -> Start {
        let position = self.position;
        if self.kind() == TokenKind::Ident {
            if self.space_word_at(position).is_some()
                || self.coherent_at(position)
                || self.stage_word_at(position) && self.nth(1).kind != TokenKind::Ident
            {
                return Start::Declaration(None);
            }
            let name = self.peek().name;
            if name == self.words.extension {
                return match self.type_starts_at(position + 1) {
                    true => Start::Declaration(None),
                    false => Start::Expression,
                };
            }
            if self.at_builtin_type_word() {
                return self.decide_scanned(condition);
            }
            if self.is_reserved_expression_word() {
                return Start::Expression;
            }
        }
        let parsed = self.parse_path(PathUse::Any);
        let is_declaration = self.path_starts_declaration(&parsed, condition);
        let pending = PendingPath { path: parsed.path, start: parsed.start, class: parsed.class };
        if !is_declaration {
            self.pending = Some(pending);
            return Start::Expression;
        }
        Start::Declaration(Some(pending))
    }

    /// Whether a path at the start of a statement is the type of a declaration.
    fn path_starts_declaration(&mut self, parsed: &ParsedPath, condition: bool) -> bool {
        if !matches!(parsed.path.last().map(|segment| segment.name), Some(UnqualName::Ident(_))) {
            return false;
        }
        let next = self.peek();
        if parsed.class.is_type() {
            return match next.kind {
                TokenKind::Punct(Punct::LParen) => self.declarator_follows(self.position, condition),
                TokenKind::Punct(Punct::LBrace | Punct::Dot | Punct::Arrow) => false,
                TokenKind::Punct(Punct::Semi | Punct::Star | Punct::Amp | Punct::AmpAmp) => true,
                TokenKind::Punct(Punct::LBracket) => self.nth_is(1, Punct::LBracket),
                TokenKind::Punct(Punct::ColonColon) => true,
                TokenKind::Punct(_) => false,
                _ => true,
            };
        }
        if matches!(parsed.class, NameClass::Value | NameClass::FunctionTemplate | NameClass::VariableTemplate) {
            return false;
        }
        let on_this_line = !next.flags.has(TokenFlags::LINE_START);
        match next.kind {
            TokenKind::Ident => {
                on_this_line
                    && !matches!(
                        self.nth(1).kind,
                        TokenKind::Punct(
                            Punct::Dot
                                | Punct::Arrow
                                | Punct::PlusEq
                                | Punct::MinusEq
                                | Punct::RParen
                                | Punct::RBracket
                        )
                    )
            }
            TokenKind::Keyword(keyword) => {
                on_this_line
                    && (space_of_keyword(keyword).is_some()
                        || is_type_keyword(keyword)
                        || matches!(keyword, Keyword::Const | Keyword::Volatile | Keyword::Struct))
            }
            // `unknown *x = …`: multiplying for nothing is not what is meant.
            TokenKind::Punct(Punct::Star | Punct::Amp | Punct::AmpAmp) => {
                let mut ahead = 1;
                while matches!(
                    self.nth(ahead).kind,
                    TokenKind::Punct(Punct::Star | Punct::Amp) | TokenKind::Keyword(Keyword::Const)
                ) {
                    ahead += 1;
                }
                self.nth(ahead).kind == TokenKind::Ident
                    && match self.nth(ahead + 1).kind {
                        TokenKind::Punct(Punct::Eq) => true,
                        TokenKind::Punct(Punct::Semi | Punct::Comma) => {
                            !condition && parsed.class == NameClass::Unknown
                        }
                        _ => false,
                    }
            }
            _ => false,
        }
    }

    /// `;`, or recovery.
    fn end_statement(&mut self) {
        if self.eat(Punct::Semi) {
            return;
        }
        let end_of_line =
            self.at_line_start() || matches!(self.kind(), TokenKind::Punct(Punct::RBrace) | TokenKind::Eof);
        self.missing("`;`");
        if !end_of_line {
            self.skip_statement();
        }
    }

    /// Over the rest of a broken statement.
    pub(crate) fn skip_statement(&mut self) {
        let start = self.position;
        loop {
            match self.kind() {
                TokenKind::Eof | TokenKind::Punct(Punct::RBrace) => return,
                TokenKind::Punct(Punct::Semi) => {
                    self.bump();
                    return;
                }
                TokenKind::Punct(Punct::LBrace) => {
                    if self.position > start && self.at_line_start() {
                        return;
                    }
                    match self.partner_of(self.position) {
                        Some(close) => self.position = close + 1,
                        None => {
                            self.bump();
                        }
                    }
                    self.sub = 0;
                    if !self.at(Punct::Semi) {
                        return;
                    }
                }
                TokenKind::Punct(Punct::LParen | Punct::LBracket) => {
                    match self.partner_of(self.position) {
                        Some(close) => self.position = close + 1,
                        None => {
                            self.bump();
                        }
                    }
                    self.sub = 0;
                }
                _ if self.position > start && self.at_line_start() => return,
                _ => {
                    self.bump();
                }
            }
        }
    }
}

/// What a pragma's text says about unrolling; `None` if it is about something else.
fn unroll_of_pragma(text: &str) -> Option<Unroll> {
    let text = text.trim();
    let (word, rest) = text.split_once(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or((text, ""));
    let argument = |rest: &str| rest.trim_matches(|c: char| c == '(' || c == ')' || c.is_whitespace()).to_owned();
    match word {
        "nounroll" => Some(Unroll::Disable),
        "unroll" => Some(unroll_of_argument(&argument(&text["unroll".len()..]))),
        "clang" | "GCC" => {
            if let Some(at) = rest.find("unroll_count") {
                return Some(unroll_of_argument(&argument(&rest[at + "unroll_count".len()..])));
            }
            let at = rest.find("unroll")?;
            Some(unroll_of_argument(&argument(&rest[at + "unroll".len()..])))
        }
        _ => None,
    }
}

fn unroll_of_argument(argument: &str) -> Unroll {
    match argument {
        "disable" => Unroll::Disable,
        _ => match argument.parse() {
            Ok(count) => Unroll::Count(count),
            Err(_) => Unroll::Full,
        },
    }
}
