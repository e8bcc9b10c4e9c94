//! Expressions.
//!
//! Binary operators are parsed with an explicit stack, so a long chain costs no recursion; brackets, casts and prefix
//! operators recurse and use fuel.

use msl_preproc::{Keyword, Punct, TokenKind};
use smallvec::SmallVec;

use crate::ast::{BinaryOp, ExprId, ExprKind, Path, RemovedExpr, Segment, TypeId, UnaryOp, UnqualName};
use crate::lookup::NameClass;
use crate::name::PathUse;
use crate::parser::{Parser, PendingPath};
use crate::scan::{is_type_keyword, space_of_keyword};

/// Binding strengths; a higher one binds more tightly.
const LOWEST: u8 = 1;

fn binary_operator(punct: Punct) -> Option<(BinaryOp, u8)> {
    Some(match punct {
        Punct::DotStar => (BinaryOp::MemberPointer, 12),
        Punct::ArrowStar => (BinaryOp::ArrowMemberPointer, 12),
        Punct::Star => (BinaryOp::Mul, 11),
        Punct::Slash => (BinaryOp::Div, 11),
        Punct::Percent => (BinaryOp::Rem, 11),
        Punct::Plus => (BinaryOp::Add, 10),
        Punct::Minus => (BinaryOp::Sub, 10),
        Punct::Shl => (BinaryOp::Shl, 9),
        Punct::Shr => (BinaryOp::Shr, 9),
        Punct::Lt => (BinaryOp::Lt, 8),
        Punct::Gt => (BinaryOp::Gt, 8),
        Punct::LtEq => (BinaryOp::Le, 8),
        Punct::GtEq => (BinaryOp::Ge, 8),
        Punct::EqEq => (BinaryOp::Eq, 7),
        Punct::BangEq => (BinaryOp::Ne, 7),
        Punct::Amp => (BinaryOp::BitAnd, 6),
        Punct::Caret => (BinaryOp::BitXor, 5),
        Punct::Pipe => (BinaryOp::BitOr, 4),
        Punct::AmpAmp => (BinaryOp::And, 3),
        Punct::PipePipe => (BinaryOp::Or, 2),
        _ => return None,
    })
}

fn assignment_operator(punct: Punct) -> Option<Option<BinaryOp>> {
    Some(match punct {
        Punct::Eq => None,
        Punct::StarEq => Some(BinaryOp::Mul),
        Punct::SlashEq => Some(BinaryOp::Div),
        Punct::PercentEq => Some(BinaryOp::Rem),
        Punct::PlusEq => Some(BinaryOp::Add),
        Punct::MinusEq => Some(BinaryOp::Sub),
        Punct::ShlEq => Some(BinaryOp::Shl),
        Punct::ShrEq => Some(BinaryOp::Shr),
        Punct::AmpEq => Some(BinaryOp::BitAnd),
        Punct::CaretEq => Some(BinaryOp::BitXor),
        Punct::PipeEq => Some(BinaryOp::BitOr),
        _ => return None,
    })
}

impl Parser<'_> {
    /// An expression, commas included.
    pub(crate) fn parse_expr(&mut self) -> ExprId {
        let start = self.pending.as_ref().map_or_else(|| self.number(), |pending| pending.start);
        let mut lhs = self.parse_assignment_expr();
        while self.at(Punct::Comma) && !self.nth_is(1, Punct::Ellipsis) {
            let op_token = self.bump();
            let rhs = self.parse_assignment_expr();
            lhs = self.expr(ExprKind::Binary { op: BinaryOp::Comma, lhs, rhs, op_token }, start);
        }
        lhs
    }

    /// An expression without top-level commas.
    pub(crate) fn parse_assignment_expr(&mut self) -> ExprId {
        self.nested(Self::parse_assignment_unchecked, Self::give_up_expr)
    }

    pub(crate) fn give_up_expr(&mut self) -> ExprId {
        self.pending = None;
        // Over the bracket that is too deep, so that the callers find their closing ones.
        if let Some(close) = self.partner_of(self.position) {
            self.position = close + 1;
            self.sub = 0;
        } else if !matches!(
            self.kind(),
            TokenKind::Punct(Punct::RParen | Punct::RBracket | Punct::RBrace | Punct::Semi | Punct::Comma)
        ) {
            self.bump();
        }
        self.error_expr()
    }

    fn parse_assignment_unchecked(&mut self) -> ExprId {
        if self.at_keyword(Keyword::Throw) && self.pending.is_none() {
            return self.parse_throw();
        }
        let start = self.pending.as_ref().map_or_else(|| self.number(), |pending| pending.start);
        let lhs = self.parse_conditional_expr();
        let TokenKind::Punct(punct) = self.kind() else { return lhs };
        let Some(op) = assignment_operator(punct) else { return lhs };
        // `>=` and `>>=` that close template arguments are no operators.
        if self.nth_is(1, Punct::Ellipsis) || self.angle_closes && matches!(punct, Punct::ShrEq) {
            return lhs;
        }
        let op_token = self.bump();
        let rhs = self.parse_initialiser_clause();
        self.expr(ExprKind::Assign { op, lhs, rhs, op_token }, start)
    }

    #[inline(never)]
    fn parse_throw(&mut self) -> ExprId {
        let start = self.bump();
        let has_operand = !matches!(
            self.kind(),
            TokenKind::Punct(Punct::Semi | Punct::RParen | Punct::RBrace | Punct::Comma | Punct::Colon)
                | TokenKind::Eof
        );
        let operands = if has_operand { Box::new([self.parse_assignment_expr()]) as Box<[_]> } else { Box::default() };
        self.expr(ExprKind::Removed { what: RemovedExpr::Throw, operands, ty: None }, start)
    }

    /// An expression without assignment: also what C++ calls a constant expression.
    pub(crate) fn parse_conditional_expr(&mut self) -> ExprId {
        let start = self.pending.as_ref().map_or_else(|| self.number(), |pending| pending.start);
        let cond = self.parse_binary_expr();
        if !self.at(Punct::Question) {
            return cond;
        }
        self.parse_conditional_rest(cond, start)
    }

    /// `? a : b ? c : d …`: the chain is read in a loop and built from its end.
    #[inline(never)]
    fn parse_conditional_rest(&mut self, first: ExprId, start: u32) -> ExprId {
        let mut chain: SmallVec<[(ExprId, ExprId, u32); 4]> = SmallVec::new();
        let mut cond = first;
        let mut cond_start = start;
        let last = loop {
            self.bump();
            let then = if self.at(Punct::Colon) {
                // GNU's `a ?: b` takes the condition as the value.
                cond
            } else {
                self.in_brackets(Self::parse_expr)
            };
            chain.push((cond, then, cond_start));
            if !self.expect(Punct::Colon) {
                break self.error_expr();
            }
            let next_start = self.number();
            if self.at_keyword(Keyword::Throw) {
                break self.parse_throw();
            }
            let next = self.parse_binary_expr();
            if self.at(Punct::Question) {
                cond = next;
                cond_start = next_start;
                continue;
            }
            // The last operand may be an assignment.
            let TokenKind::Punct(punct) = self.kind() else { break next };
            match assignment_operator(punct) {
                Some(op) if !(self.angle_closes && punct == Punct::ShrEq) => {
                    let op_token = self.bump();
                    let rhs = self.parse_initialiser_clause();
                    break self.expr(ExprKind::Assign { op, lhs: next, rhs, op_token }, next_start);
                }
                _ => break next,
            }
        };
        let mut result = last;
        for (cond, then, start) in chain.into_iter().rev() {
            result = self.expr(ExprKind::Conditional { cond, then, otherwise: result }, start);
        }
        result
    }

    /// Operands and binary operators, with an explicit stack.
    fn parse_binary_expr(&mut self) -> ExprId {
        let start = self.pending.as_ref().map_or_else(|| self.number(), |pending| pending.start);
        let mut operand = self.parse_unary_expr();
        let mut operand_start = start;
        let mut stack: SmallVec<[Waiting; 4]> = SmallVec::new();
        loop {
            let next = self.at_binary_operator();
            let strength = next.map_or(LOWEST, |(_, strength)| strength);
            while let Some(&Waiting { lhs, start: lhs_start, op, strength: own, op_token }) = stack.last() {
                if own < strength {
                    break;
                }
                stack.pop();
                operand = self.expr(ExprKind::Binary { op, lhs, rhs: operand, op_token }, lhs_start);
                operand_start = lhs_start;
            }
            let Some((op, strength)) = next else { return operand };
            let op_token = self.bump();
            stack.push(Waiting { lhs: operand, start: operand_start, op, strength, op_token });
            operand_start = self.number();
            operand = self.parse_unary_expr();
        }
    }

    #[inline]
    fn at_binary_operator(&self) -> Option<(BinaryOp, u8)> {
        let TokenKind::Punct(punct) = self.kind() else { return None };
        let operator = binary_operator(punct)?;
        if self.angle_closes && matches!(punct, Punct::Gt | Punct::Shr | Punct::GtEq) {
            // `>=` may close too (`enable_if_t<x>=0`), but then nothing sensible follows in a template argument.
            if punct != Punct::GtEq {
                return None;
            }
        }
        // `(e op ...)` is a fold.
        if self.nth_is(1, Punct::Ellipsis) {
            return None;
        }
        Some(operator)
    }

    /// A unary or cast expression.
    pub(crate) fn parse_unary_expr(&mut self) -> ExprId {
        if self.pending.is_some() {
            return self.parse_postfix_expr();
        }
        match self.kind() {
            TokenKind::Ident | TokenKind::Int | TokenKind::Float => self.parse_postfix_expr(),
            TokenKind::Punct(punct) => {
                let op = match punct {
                    Punct::Minus => UnaryOp::Minus,
                    Punct::Plus => UnaryOp::Plus,
                    Punct::Bang => UnaryOp::Not,
                    Punct::Tilde => UnaryOp::BitNot,
                    Punct::Star => UnaryOp::Deref,
                    Punct::Amp => UnaryOp::AddrOf,
                    Punct::PlusPlus => UnaryOp::PreInc,
                    Punct::MinusMinus => UnaryOp::PreDec,
                    Punct::LParen => return self.parse_parenthesised(),
                    _ => return self.parse_postfix_expr(),
                };
                self.parse_prefix(op)
            }
            TokenKind::Keyword(Keyword::Sizeof | Keyword::Alignof) => self.parse_sizeof(),
            TokenKind::Keyword(Keyword::New | Keyword::Delete) => self.parse_new_or_delete(),
            _ => self.parse_postfix_expr(),
        }
    }

    /// A run of prefix operators, read in a loop.
    #[inline(never)]
    fn parse_prefix(&mut self, first: UnaryOp) -> ExprId {
        let mut ops: SmallVec<[(UnaryOp, u32); 4]> = SmallVec::new();
        let mut op = Some(first);
        while let Some(current) = op {
            ops.push((current, self.bump()));
            op = match self.kind() {
                TokenKind::Punct(Punct::Minus) => Some(UnaryOp::Minus),
                TokenKind::Punct(Punct::Plus) => Some(UnaryOp::Plus),
                TokenKind::Punct(Punct::Bang) => Some(UnaryOp::Not),
                TokenKind::Punct(Punct::Tilde) => Some(UnaryOp::BitNot),
                TokenKind::Punct(Punct::Star) => Some(UnaryOp::Deref),
                TokenKind::Punct(Punct::Amp) => Some(UnaryOp::AddrOf),
                TokenKind::Punct(Punct::PlusPlus) => Some(UnaryOp::PreInc),
                TokenKind::Punct(Punct::MinusMinus) => Some(UnaryOp::PreDec),
                _ => None,
            };
        }
        let mut operand = self.parse_unary_expr();
        for (op, op_token) in ops.into_iter().rev() {
            operand = self.expr(ExprKind::Unary { op, operand, op_token }, op_token);
        }
        operand
    }

    /// `(`: a cast, a fold, a statement expression, or parentheses.
    #[inline(never)]
    pub(crate) fn parse_parenthesised(&mut self) -> ExprId {
        self.nested(Self::parse_parenthesised_unchecked, Self::give_up_expr)
    }

    fn parse_parenthesised_unchecked(&mut self) -> ExprId {
        let start = self.number();
        let outer = std::mem::replace(&mut self.angle_closes, false);
        let open = self.bump();
        match self.parse_inside_parentheses(open) {
            Inside::Expr(kind) => {
                self.expect_closing_in_expr(Punct::RParen, open);
                self.angle_closes = outer;
                let expr = self.expr(kind, start);
                self.parse_postfix_operators(expr, start)
            }
            Inside::Type(ty) => {
                self.expect_closing_in_expr(Punct::RParen, open);
                self.angle_closes = outer;
                self.parse_cast_operand(ty, start)
            }
        }
    }

    /// What stands between parentheses, up to the closing one.
    #[inline(never)]
    pub(crate) fn parse_inside_parentheses(&mut self, open: u32) -> Inside {
        match self.kind() {
            TokenKind::Punct(Punct::LBrace) => {
                let body = self.parse_compound_statement();
                return Inside::Expr(ExprKind::StmtExpr(body));
            }
            TokenKind::Punct(Punct::Ellipsis) => {
                self.bump();
                return Inside::Expr(self.parse_fold_rest(None));
            }
            TokenKind::Punct(Punct::RParen) => {
                self.expected("an expression");
                return Inside::Expr(ExprKind::Error);
            }
            TokenKind::Ident | TokenKind::Punct(Punct::ColonColon) | TokenKind::Keyword(_) => {
                let simple = self.kind() == TokenKind::Ident
                    && matches!(
                        self.nth(1).kind,
                        TokenKind::Punct(
                            Punct::Dot | Punct::Arrow | Punct::LBracket | Punct::Plus | Punct::Minus | Punct::Slash
                        )
                    );
                if !simple {
                    match self.parse_cast_type_or_expr(open) {
                        CastStart::Type(ty) => return Inside::Type(ty),
                        CastStart::Expr => {}
                    }
                }
            }
            _ => {}
        }
        let inner = self.parse_expr();
        if let TokenKind::Punct(punct) = self.kind()
            && self.nth_is(1, Punct::Ellipsis)
            && fold_operator(punct).is_some()
        {
            return Inside::Expr(self.parse_fold_rest(Some(inner)));
        }
        Inside::Expr(ExprKind::Paren(inner))
    }

    /// Decides between `(type)` and `(expression)`; for the latter a path that was read is left pending.
    fn parse_cast_type_or_expr(&mut self, open: u32) -> CastStart {
        match self.kind() {
            TokenKind::Keyword(_) => {
                if !self.at_type_start() || self.keyword_names_something() {
                    return CastStart::Expr;
                }
                let is_type = match self.scan_specifiers(self.position) {
                    Some(end) => match self.kind_at(end) {
                        TokenKind::Punct(Punct::LBrace) => false,
                        TokenKind::Punct(Punct::LParen) => self.abstract_declarator_at(end),
                        TokenKind::Punct(Punct::ColonColon) => false,
                        _ => true,
                    },
                    None => true,
                };
                if is_type { CastStart::Type(self.parse_type_id()) } else { CastStart::Expr }
            }
            _ => {
                if self.space_word_at(self.position).is_some() || self.coherent_at(self.position) {
                    return CastStart::Type(self.parse_type_id());
                }
                if self.kind() == TokenKind::Ident {
                    if self.at_builtin_type_word() {
                        let type_id = match self.scan_specifiers(self.position) {
                            Some(end) => match self.kind_at(end) {
                                TokenKind::Punct(Punct::LBrace) => false,
                                TokenKind::Punct(Punct::LParen) => self.abstract_declarator_at(end),
                                _ => true,
                            },
                            None => true,
                        };
                        return if type_id { CastStart::Type(self.parse_type_id()) } else { CastStart::Expr };
                    }
                    if self.is_reserved_expression_word() {
                        return CastStart::Expr;
                    }
                }
                let parsed = self.parse_path(PathUse::Any);
                let is_cast = if parsed.class.is_type() {
                    self.path_is_type_id(&parsed)
                } else {
                    matches!(parsed.class, NameClass::Unknown | NameClass::Dependent) && self.unknown_cast_follows(open)
                };
                let pending = PendingPath { path: parsed.path, start: parsed.start, class: parsed.class };
                if is_cast {
                    return CastStart::Type(self.parse_type_id_from(Some(pending)));
                }
                self.pending = Some(pending);
                CastStart::Expr
            }
        }
    }

    /// Whether an unknown name behind `(` can only be a type: `(unknown*)p`, `(unknown)x`.
    fn unknown_cast_follows(&mut self, open: u32) -> bool {
        let close = self.partner_of((open - self.base) as usize);
        match self.kind() {
            TokenKind::Punct(Punct::RParen) => {
                matches!(
                    self.nth(1).kind,
                    TokenKind::Ident
                        | TokenKind::Int
                        | TokenKind::Float
                        | TokenKind::Keyword(Keyword::This | Keyword::True)
                ) && !self.nth(1).flags.has(msl_preproc::TokenFlags::LINE_START)
            }
            TokenKind::Punct(Punct::Star | Punct::Amp | Punct::AmpAmp) | TokenKind::Keyword(Keyword::Const) => {
                let position = self.position;
                matches!(
                    self.scan_declarator(position, crate::scan::NameMode::Forbidden),
                    Some(end) if Some(end) == close
                )
            }
            TokenKind::Keyword(keyword) => space_of_keyword(keyword).is_some(),
            _ => false,
        }
    }

    #[inline(never)]
    fn parse_cast_operand(&mut self, ty: TypeId, start: u32) -> ExprId {
        if self.at(Punct::LBrace) {
            // A compound literal.
            let list = self.parse_init_list();
            let expr = self.expr(ExprKind::Construct { ty, args: Box::new([list]), braces: true }, start);
            return self.parse_postfix_operators(expr, start);
        }
        let operand = self.nested(Self::parse_unary_expr, Self::give_up_expr);
        self.expr(ExprKind::CCast { ty, operand }, start)
    }

    /// Behind `(e` at an operator before `...`, or behind `(...`.
    #[inline(never)]
    fn parse_fold_rest(&mut self, lhs: Option<ExprId>) -> ExprKind {
        let op = match self.kind() {
            TokenKind::Punct(punct) => fold_operator(punct),
            _ => None,
        };
        let Some(op) = op else {
            self.expected("the operator of a fold expression");
            return ExprKind::Error;
        };
        self.bump();
        if lhs.is_some() {
            self.expect(Punct::Ellipsis);
            if self.at(Punct::RParen) {
                return ExprKind::Fold { op, lhs, rhs: None };
            }
            if !self.at(Punct::RParen) {
                self.bump();
            }
        }
        let rhs = Some(self.parse_unary_expr());
        ExprKind::Fold { op, lhs, rhs }
    }

    pub(crate) fn expect_closing_in_expr(&mut self, punct: Punct, open: u32) {
        if self.eat(punct) {
            return;
        }
        self.expect_closing(punct, open);
        // What stands in the way is skipped if the bracket does have a partner on the way.
        self.skip_behind_partner(open);
    }

    // -- Operands ---------------------------------------------------------------------------------------------------

    fn parse_postfix_expr(&mut self) -> ExprId {
        let start = self.pending.as_ref().map_or_else(|| self.number(), |pending| pending.start);
        let primary = self.parse_primary();
        self.parse_postfix_operators(primary, start)
    }

    pub(crate) fn parse_postfix_operators(&mut self, mut base: ExprId, start: u32) -> ExprId {
        loop {
            let TokenKind::Punct(punct) = self.kind() else { return base };
            base = match punct {
                Punct::LParen => {
                    let open = self.bump();
                    let args = self.parse_arguments(Punct::RParen);
                    self.expect_closing_in_expr(Punct::RParen, open);
                    self.expr(ExprKind::Call { callee: base, args }, start)
                }
                Punct::LBracket if !self.nth_is(1, Punct::LBracket) => {
                    let open = self.bump();
                    let args = self.parse_arguments(Punct::RBracket);
                    self.expect_closing_in_expr(Punct::RBracket, open);
                    self.expr(ExprKind::Index { base, args }, start)
                }
                Punct::Dot | Punct::Arrow => self.parse_member(base, start),
                Punct::PlusPlus | Punct::MinusMinus => {
                    let op = if punct == Punct::PlusPlus { UnaryOp::PostInc } else { UnaryOp::PostDec };
                    let op_token = self.bump();
                    self.expr(ExprKind::Unary { op, operand: base, op_token }, start)
                }
                _ => return base,
            };
        }
    }

    fn parse_member(&mut self, base: ExprId, start: u32) -> ExprId {
        let arrow = self.at(Punct::Arrow);
        self.bump();
        let member = self.parse_member_path();
        self.expr(ExprKind::Member { base, arrow, member }, start)
    }

    /// A member's name behind `.` or `->`. The class of the object is not known here: `<` opens template arguments
    /// if some class has a member template of the name.
    fn parse_member_path(&mut self) -> Path {
        let mut segments: SmallVec<[Segment; 1]> = SmallVec::new();
        loop {
            let template_keyword = self.at_keyword(Keyword::Template);
            if template_keyword {
                self.bump();
            }
            let token = self.number();
            let name = match self.kind() {
                TokenKind::Ident => {
                    let name = self.peek().name;
                    self.bump();
                    UnqualName::Ident(name)
                }
                TokenKind::Punct(Punct::Tilde) => {
                    self.bump();
                    let name = self.peek().name;
                    if matches!(self.kind(), TokenKind::Ident | TokenKind::Keyword(_)) {
                        self.bump();
                    }
                    UnqualName::Destructor(name)
                }
                TokenKind::Keyword(Keyword::Operator) => self.parse_operator_name(),
                // `p.thread = x`: a reserved word as a member, reported where it is declared if it is.
                TokenKind::Keyword(keyword)
                    if !self.at_line_start() && (space_of_keyword(keyword).is_some() || is_type_keyword(keyword)) =>
                {
                    UnqualName::Ident(self.parse_reserved_name())
                }
                _ => {
                    self.expected("the name of a member");
                    UnqualName::Missing
                }
            };
            let mut args = None;
            if self.at(Punct::Lt)
                && let UnqualName::Ident(name) = name
            {
                let opens = template_keyword
                    || self.nth(1).kind != TokenKind::Eof
                        && (self.ast.is_member_template(name) && self.member_args_follow()
                            || self.template_qualifier_follows());
                if opens {
                    args = Some(self.parse_template_args());
                }
            }
            segments.push(Segment { name, args, token, template_keyword });
            if !self.at(Punct::ColonColon) {
                break;
            }
            self.bump();
        }
        Path { global: false, decltype: None, segments: segments.into_vec().into_boxed_slice() }
    }

    /// Whether `<…>` at the cursor is closed and followed by what can follow template arguments of a member.
    fn member_args_follow(&mut self) -> bool {
        match self.scan_angles(self.position) {
            Some(end) => matches!(
                self.kind_at(end),
                TokenKind::Punct(
                    Punct::LParen
                        | Punct::ColonColon
                        | Punct::LBrace
                        | Punct::RParen
                        | Punct::Comma
                        | Punct::Semi
                        | Punct::RBracket
                        | Punct::Gt
                        | Punct::Shr
                )
            ),
            None => false,
        }
    }

    /// Whether `<…>::` stands at the cursor.
    fn template_qualifier_follows(&mut self) -> bool {
        let name = self.kind_at(self.position.wrapping_sub(1));
        name == TokenKind::Ident
            && matches!(self.scan_angles(self.position), Some(end) if self.punct_at(end, Punct::ColonColon)
                && self.kind_at(end + 1) == TokenKind::Ident)
    }

    /// The arguments of a call, subscript or initialiser, up to the closing bracket.
    pub(crate) fn parse_arguments(&mut self, close: Punct) -> Box<[ExprId]> {
        let mut args: SmallVec<[ExprId; 8]> = SmallVec::new();
        let outer = std::mem::replace(&mut self.angle_closes, false);
        while !self.at(close) && !self.at_end() {
            let start = self.number();
            let before = self.position;
            let arg = self.parse_argument(start);
            args.push(arg);
            if self.eat(Punct::Comma) {
                if self.at(close) {
                    self.expected("an expression");
                }
                continue;
            }
            if self.position == before && !self.at(close) {
                break;
            }
            break;
        }
        self.angle_closes = outer;
        args.into_vec().into_boxed_slice()
    }

    fn parse_argument(&mut self, start: u32) -> ExprId {
        let arg = self.parse_initialiser_clause();
        if self.at(Punct::Ellipsis) {
            self.bump();
            return self.expr(ExprKind::Expansion(arg), start);
        }
        arg
    }

    /// An assignment-expression or a braced list.
    pub(crate) fn parse_initialiser_clause(&mut self) -> ExprId {
        if self.at(Punct::LBrace) { self.parse_init_list() } else { self.parse_assignment_expr() }
    }

    /// `{a, b}`, with or without designators.
    pub(crate) fn parse_init_list(&mut self) -> ExprId {
        self.nested(Self::parse_init_list_unchecked, Self::give_up_expr)
    }

    fn parse_init_list_unchecked(&mut self) -> ExprId {
        let open = self.bump();
        let outer = std::mem::replace(&mut self.angle_closes, false);
        let mut elements: SmallVec<[ExprId; 8]> = SmallVec::new();
        while !matches!(self.kind(), TokenKind::Punct(Punct::RBrace) | TokenKind::Eof) {
            let start = self.number();
            let before = self.position;
            let element = match self.kind() {
                TokenKind::Punct(Punct::Dot) => self.parse_designated(),
                TokenKind::Punct(Punct::LBracket) if self.at_array_designator() => self.parse_designated(),
                // GNU's old `field: value`.
                TokenKind::Ident if self.nth_is(1, Punct::Colon) => {
                    let field = self.peek().name;
                    let field_token = self.bump();
                    self.bump();
                    let value = self.parse_initialiser_clause();
                    self.expr(
                        ExprKind::Designated { field: Some(field), field_token, index: None, last: None, value },
                        start,
                    )
                }
                _ => self.parse_argument(start),
            };
            elements.push(element);
            if self.eat(Punct::Comma) && self.position > before {
                continue;
            }
            break;
        }
        self.angle_closes = outer;
        self.expect_closing_in_expr(Punct::RBrace, open);
        self.expr(ExprKind::InitList(elements.into_vec().into_boxed_slice()), open)
    }

    /// Whether the `[` at the cursor is a designator, not a lambda.
    fn at_array_designator(&self) -> bool {
        self.partner_of(self.position).is_some_and(|close| {
            matches!(self.kind_at(close + 1), TokenKind::Punct(Punct::Eq | Punct::Dot))
                || self.punct_at(close + 1, Punct::LBracket)
        })
    }

    /// `.a = e`, `.a.b = e`, `[i] = e`, `.a{e}`.
    #[inline(never)]
    fn parse_designated(&mut self) -> ExprId {
        self.nested(
            |parser| {
                let start = parser.number();
                let (mut field, mut field_token, mut index, mut last) = (None, start, None, None);
                if parser.eat(Punct::Dot) {
                    field_token = parser.number();
                    if parser.kind() == TokenKind::Ident {
                        field = Some(parser.peek().name);
                        parser.bump();
                    } else {
                        parser.expected("the name of a member");
                    }
                } else {
                    let open = parser.bump();
                    index = Some(parser.parse_conditional_expr());
                    if parser.eat(Punct::Ellipsis) {
                        last = Some(parser.parse_conditional_expr());
                    }
                    parser.expect_closing(Punct::RBracket, open);
                }
                let value = match parser.kind() {
                    TokenKind::Punct(Punct::Dot | Punct::LBracket) => parser.parse_designated(),
                    TokenKind::Punct(Punct::LBrace) => parser.parse_init_list(),
                    _ => {
                        parser.expect(Punct::Eq);
                        parser.parse_initialiser_clause()
                    }
                };
                parser.expr(ExprKind::Designated { field, field_token, index, last, value }, start)
            },
            Self::give_up_expr,
        )
    }
}

/// An operator that waits for its right operand.
#[derive(Clone, Copy)]
struct Waiting {
    lhs: ExprId,
    /// The first token of the left operand.
    start: u32,
    op: BinaryOp,
    strength: u8,
    op_token: u32,
}

/// What stood between parentheses.
pub(crate) enum Inside {
    Type(TypeId),
    Expr(ExprKind),
}

enum CastStart {
    Type(TypeId),
    Expr,
}

/// The operator of a fold expression.
fn fold_operator(punct: Punct) -> Option<BinaryOp> {
    match punct {
        Punct::Comma => Some(BinaryOp::Comma),
        _ => binary_operator(punct).map(|(op, _)| op).or_else(|| assignment_operator(punct).map(|_| BinaryOp::Assign)),
    }
}
