//! The parser's state: a cursor over tokens, the layer under construction, diagnostics and fuel.
//!
//! Vocabulary:
//!
//! * A *position* (`usize`) is an index into the slice of tokens at hand; a *token number* (`u32`) is that index in
//!   the stacked numbering of the layers ([`Parser::number`]).
//! * *Scanning* reads ahead without building anything and answers a question ("is this a parameter list?"); it is
//!   the only form of looking ahead by more than a few tokens. Nothing is ever parsed twice.
//! * `>>` and its like are *split*: when a template argument list needs only the first `>`, the cursor remembers in
//!   `sub` how many characters of the token are already taken.

use std::sync::{Arc, OnceLock};

use msl_intern::Name;
use msl_preproc::{Keyword, Punct, Token, TokenFlags, TokenKind};

use crate::ast::{
    Ast, DeclId, Expr, ExprId, ExprKind, Path, ScopeId, Specs, Stmt, StmtId, StmtKind, TemplateId, TokenRange, TypeId,
    TypeKind, TypeNode,
};
use crate::diagnostic::{SyntaxDiagnostic, SyntaxErrorKind};
use crate::scope::{Scope, ScopeKind};

/// How deeply constructs may be nested. Each unit is one recursive step of the parser, several to a written bracket.
pub(crate) const MAX_DEPTH: u32 = 1000;

/// Marks a bracket without partner in [`Parser::partner`].
pub(crate) const NO_PARTNER: u32 = u32::MAX;

/// Identifiers that are words only in certain places.
pub(crate) struct Words {
    pub(crate) kernel: Name,
    pub(crate) vertex: Name,
    pub(crate) fragment: Name,
    pub(crate) coherent: Name,
    pub(crate) object_data: Name,
    pub(crate) ray_data: Name,
    pub(crate) threadgroup_imageblock: Name,
    pub(crate) override_: Name,
    pub(crate) final_: Name,
    pub(crate) metal: Name,
    pub(crate) as_type: Name,
    pub(crate) addrspace_cast: Name,
    pub(crate) extension: Name,
    pub(crate) restrict: Name,
    pub(crate) half: Name,
    pub(crate) bfloat: Name,
    pub(crate) alignas: Name,
    pub(crate) alignof_gnu: Name,
    pub(crate) alignof_gnu_plain: Name,
    pub(crate) typeof_names: [Name; 3],
    pub(crate) asm_names: [Name; 2],
    pub(crate) inline_names: [Name; 2],
    pub(crate) requires: Name,
}

impl Words {
    pub(crate) fn get() -> &'static Words {
        static WORDS: OnceLock<Words> = OnceLock::new();
        WORDS.get_or_init(|| Words {
            kernel: Name::new("kernel"),
            vertex: Name::new("vertex"),
            fragment: Name::new("fragment"),
            coherent: Name::new("coherent"),
            object_data: Name::new("object_data"),
            ray_data: Name::new("ray_data"),
            threadgroup_imageblock: Name::new("threadgroup_imageblock"),
            override_: Name::new("override"),
            final_: Name::new("final"),
            metal: Name::new("metal"),
            as_type: Name::new("as_type"),
            addrspace_cast: Name::new("addrspace_cast"),
            extension: Name::new("__extension__"),
            restrict: Name::new("restrict"),
            half: Name::new("__half"),
            bfloat: Name::new("__bf16"),
            alignas: Name::new("alignas"),
            alignof_gnu: Name::new("__alignof__"),
            alignof_gnu_plain: Name::new("__alignof"),
            typeof_names: [Name::new("typeof"), Name::new("__typeof__"), Name::new("__typeof")],
            asm_names: [Name::new("__asm__"), Name::new("__asm")],
            inline_names: [Name::new("__inline__"), Name::new("__inline")],
            requires: Name::new("requires"),
        })
    }

    /// Whether the name is one of the words that make a function an entry point.
    pub(crate) fn is_stage(&self, name: Name) -> bool {
        name == self.kernel || name == self.vertex || name == self.fragment
    }
}

/// For each opening bracket the position of its partner, else [`NO_PARTNER`]. A bracket that is closed by a bracket
/// of another kind has none.
pub(crate) fn match_brackets(tokens: &[Token]) -> Box<[u32]> {
    let mut partner = vec![NO_PARTNER; tokens.len()].into_boxed_slice();
    let mut open: Vec<(usize, Punct)> = Vec::new();
    for (position, token) in tokens.iter().enumerate() {
        let TokenKind::Punct(punct) = token.kind else { continue };
        match punct {
            Punct::LParen | Punct::LBracket | Punct::LBrace => open.push((position, punct)),
            Punct::RParen | Punct::RBracket | Punct::RBrace => {
                let wanted = match punct {
                    Punct::RParen => Punct::LParen,
                    Punct::RBracket => Punct::LBracket,
                    _ => Punct::LBrace,
                };
                // A stray closing bracket does not close anything around it, save that `}` ends everything that was
                // left open inside its block.
                if open.last().is_some_and(|&(_, punct)| punct == wanted) {
                    let (start, _) = open.pop().expect("the stack was just looked at");
                    partner[start] = position as u32;
                } else if punct == Punct::RBrace
                    && let Some(index) = open.iter().rposition(|&(_, punct)| punct == Punct::LBrace)
                {
                    partner[open[index].0] = position as u32;
                    open.truncate(index);
                }
            }
            _ => {}
        }
    }
    partner
}

/// A path that was read to find out what a construct is, to be taken up by the parser of that construct.
pub(crate) struct PendingPath {
    pub(crate) path: Path,
    pub(crate) start: u32,
    pub(crate) class: crate::lookup::NameClass,
}

/// The state of one run of the parser.
pub(crate) struct Parser<'t> {
    pub(crate) tokens: &'t [Token],
    pub(crate) partner: Box<[u32]>,
    /// The number of `tokens[0]`.
    pub(crate) base: u32,
    pub(crate) position: usize,
    /// Characters of the current token that are already taken.
    pub(crate) sub: u8,
    pub(crate) ast: Ast,
    /// The innermost scope; declarations and lookups start here.
    pub(crate) scope: ScopeId,
    pub(crate) diagnostics: Vec<SyntaxDiagnostic>,
    /// The token of the last error, so that one place is reported once.
    last_error: Option<u32>,
    depth: u32,
    too_deep: bool,
    /// Steps that scanning may still take: it bounds what nested ambiguities can cost.
    pub(crate) scan_fuel: usize,
    /// Inside template arguments, where `>` ends an expression.
    pub(crate) angle_closes: bool,
    /// The first operand of the expression that is parsed next, if it was read already.
    pub(crate) pending: Option<PendingPath>,
    /// The template headers and specifiers in front of the declaration whose specifiers are read: a class or
    /// enumeration among them takes the headers.
    pub(crate) nominal_prefix: Option<(Vec<TemplateId>, Specs)>,
    /// A buffer for lookup.
    pub(crate) found: Vec<DeclId>,
    pub(crate) words: &'static Words,
}

impl<'t> Parser<'t> {
    /// A parser of `tokens` that adds to `ast`; the tokens are numbered from `base`.
    pub(crate) fn new(ast: Ast, scope: ScopeId, tokens: &'t [Token], base: u32) -> Parser<'t> {
        Parser {
            tokens,
            partner: match_brackets(tokens),
            base,
            position: 0,
            sub: 0,
            ast,
            scope,
            diagnostics: Vec::new(),
            last_error: None,
            depth: 0,
            too_deep: false,
            scan_fuel: tokens.len().saturating_mul(32) + 4096,
            angle_closes: false,
            pending: None,
            nominal_prefix: None,
            found: Vec::new(),
            words: Words::get(),
        }
    }

    /// A layer on `base`, or the lowest one, with `token_count` tokens.
    pub(crate) fn layer(base: Option<Arc<Ast>>, token_count: usize) -> Ast {
        let mut ast = base.map_or_else(Ast::default, Ast::on);
        ast.token_count = token_count as u32;
        ast
    }

    // -- The cursor -------------------------------------------------------------------------------------------

    /// The current token; of a split token what is left of it.
    #[inline]
    pub(crate) fn peek(&self) -> Token {
        let token = self.token_at(self.position);
        if self.sub == 0 { token } else { split_rest(token, self.sub) }
    }

    /// The token `ahead` places after the current one.
    #[inline]
    pub(crate) fn nth(&self, ahead: usize) -> Token {
        if ahead == 0 { self.peek() } else { self.token_at(self.position + ahead) }
    }

    #[inline]
    pub(crate) fn token_at(&self, position: usize) -> Token {
        self.tokens.get(position).copied().unwrap_or(Token::EOF)
    }

    #[inline]
    pub(crate) fn kind(&self) -> TokenKind {
        self.peek().kind
    }

    #[inline]
    pub(crate) fn at(&self, punct: Punct) -> bool {
        self.kind() == TokenKind::Punct(punct)
    }

    #[inline]
    pub(crate) fn nth_is(&self, ahead: usize, punct: Punct) -> bool {
        self.nth(ahead).kind == TokenKind::Punct(punct)
    }

    #[inline]
    pub(crate) fn at_keyword(&self, keyword: Keyword) -> bool {
        self.kind() == TokenKind::Keyword(keyword)
    }

    pub(crate) fn at_word(&self, word: Name) -> bool {
        let token = self.peek();
        token.kind == TokenKind::Ident && token.name == word
    }

    pub(crate) fn at_end(&self) -> bool {
        self.kind() == TokenKind::Eof
    }

    /// Takes the current token and returns its number. At the end of the stream nothing is taken.
    #[inline]
    pub(crate) fn bump(&mut self) -> u32 {
        let number = self.number();
        if self.position < self.tokens.len() {
            self.position += 1;
        }
        self.sub = 0;
        number
    }

    pub(crate) fn eat(&mut self, punct: Punct) -> bool {
        let found = self.at(punct);
        if found {
            self.bump();
        }
        found
    }

    pub(crate) fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.at_keyword(keyword);
        if found {
            self.bump();
        }
        found
    }

    /// Whether the current token starts with `>`.
    pub(crate) fn at_closing_angle(&self) -> bool {
        matches!(self.kind(), TokenKind::Punct(Punct::Gt | Punct::Shr | Punct::GtEq | Punct::ShrEq))
    }

    /// Takes one `>`, which may be the first character of a longer token.
    pub(crate) fn eat_closing_angle(&mut self) -> bool {
        match self.kind() {
            TokenKind::Punct(Punct::Gt) => {
                self.bump();
                true
            }
            TokenKind::Punct(Punct::Shr | Punct::GtEq | Punct::ShrEq) => {
                self.sub += 1;
                true
            }
            _ => false,
        }
    }

    /// The number of the current token.
    #[inline]
    pub(crate) fn number(&self) -> u32 {
        self.base + self.position as u32
    }

    /// From the token numbered `start` to before the current token.
    #[inline]
    pub(crate) fn range_from(&self, start: u32) -> TokenRange {
        let end = self.base + self.position as u32 + u32::from(self.sub > 0);
        TokenRange::new(start.min(end), end)
    }

    /// The current token alone; at the end of the stream the place behind the last one.
    pub(crate) fn here(&self) -> TokenRange {
        let number = self.number();
        TokenRange::new(number, if self.position < self.tokens.len() { number + 1 } else { number })
    }

    /// The place right behind the token before the current one.
    pub(crate) fn behind(&self) -> TokenRange {
        let number = self.number();
        TokenRange::new(number, number)
    }

    pub(crate) fn at_line_start(&self) -> bool {
        self.sub == 0 && self.peek().flags.has(TokenFlags::LINE_START)
    }

    /// The position of the partner of the opening bracket at `position`.
    pub(crate) fn partner_of(&self, position: usize) -> Option<usize> {
        match self.partner.get(position) {
            Some(&partner) if partner != NO_PARTNER => Some(partner as usize),
            _ => None,
        }
    }

    // -- Diagnostics --------------------------------------------------------------------------------------------

    /// Reports something, unless something was already reported at the same token.
    pub(crate) fn report(&mut self, kind: SyntaxErrorKind, range: TokenRange, message: String) {
        if self.too_deep {
            // What follows from giving up is of no use to anybody.
            return;
        }
        let here = self.number();
        if self.last_error == Some(here) && !matches!(kind, SyntaxErrorKind::UnknownType(_)) {
            return;
        }
        self.last_error = Some(here);
        self.diagnostics.push(SyntaxDiagnostic { kind, range, message, related: Vec::new() });
    }

    /// Like [`Parser::report`], with a further place.
    pub(crate) fn report_related(
        &mut self,
        kind: SyntaxErrorKind,
        range: TokenRange,
        message: String,
        related: (TokenRange, String),
    ) {
        let before = self.diagnostics.len();
        self.report(kind, range, message);
        if self.diagnostics.len() > before {
            self.diagnostics[before].related.push(related);
        }
    }

    /// Reports that `what` was expected at the current token.
    pub(crate) fn expected(&mut self, what: &str) {
        let (message, range) = (format!("expected {what}, found {}", self.found_text()), self.here());
        self.report(SyntaxErrorKind::Expected, range, message);
    }

    /// Reports that `what` is missing behind the previous token.
    pub(crate) fn missing(&mut self, what: &str) {
        let message = format!("expected {what} before {}", self.found_text());
        let range = self.behind();
        self.report(SyntaxErrorKind::Expected, range, message);
    }

    /// The current token in words.
    pub(crate) fn found_text(&self) -> String {
        describe(self.peek())
    }

    /// Takes `punct` or reports that it is missing behind the previous token.
    pub(crate) fn expect(&mut self, punct: Punct) -> bool {
        if self.eat(punct) {
            return true;
        }
        self.missing(&format!("`{}`", punct.text()));
        false
    }

    /// Takes the closing bracket of the one numbered `open`, or reports what is missing.
    pub(crate) fn expect_closing(&mut self, punct: Punct, open: u32) -> bool {
        if self.eat(punct) {
            return true;
        }
        let message = format!("expected `{}` before {}", punct.text(), self.found_text());
        let opening = match punct {
            Punct::RParen => "(",
            Punct::RBracket => "[",
            _ => "{",
        };
        let related = (TokenRange::new(open, open + 1), format!("to close this `{opening}`"));
        self.report_related(SyntaxErrorKind::Expected, self.behind(), message, related);
        false
    }

    // -- Fuel -----------------------------------------------------------------------------------------------------

    /// Runs `parse` one level deeper, or `give_up` if the code is nested too deeply.
    #[inline]
    pub(crate) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> T, give_up: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= MAX_DEPTH {
            self.report_too_deep();
            return give_up(self);
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    #[cold]
    fn report_too_deep(&mut self) {
        if !self.too_deep {
            self.too_deep = true;
            let range = self.here();
            self.diagnostics.push(SyntaxDiagnostic {
                kind: SyntaxErrorKind::TooDeep,
                range,
                message: "the code is nested too deeply to be analysed".to_owned(),
                related: Vec::new(),
            });
        }
        self.last_error = Some(self.number());
    }

    // -- Nodes ------------------------------------------------------------------------------------------------------

    #[inline]
    pub(crate) fn expr(&mut self, kind: ExprKind, start: u32) -> ExprId {
        let range = self.range_from(start);
        self.ast.alloc_expr(Expr { kind, range })
    }

    /// A missing expression at the current place.
    pub(crate) fn error_expr(&mut self) -> ExprId {
        let start = self.number();
        self.expr(ExprKind::Error, start)
    }

    pub(crate) fn stmt(&mut self, kind: StmtKind, start: u32) -> StmtId {
        let range = self.range_from(start);
        self.ast.alloc_stmt(Stmt { kind, range, attrs: Box::default() })
    }

    pub(crate) fn ty(&mut self, kind: TypeKind, range: TokenRange) -> TypeId {
        self.ast.alloc_type(TypeNode { kind, range })
    }

    pub(crate) fn new_scope(&mut self, kind: ScopeKind) -> ScopeId {
        self.ast.alloc_scope(Scope::new(kind, Some(self.scope)))
    }

    /// Runs `parse` with another innermost scope.
    pub(crate) fn in_scope<T>(&mut self, scope: ScopeId, parse: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.scope, scope);
        let result = parse(self);
        self.scope = outer;
        result
    }

    /// Runs `parse` where `>` is an operator again, as it is inside brackets.
    pub(crate) fn in_brackets<T>(&mut self, parse: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.angle_closes, false);
        let result = parse(self);
        self.angle_closes = outer;
        result
    }

    /// The innermost scope that can hold declarations: template parameters stand around one, not in it.
    pub(crate) fn declaring_scope(&self) -> ScopeId {
        let mut scope = self.scope;
        while self.ast[scope].kind == ScopeKind::Template {
            match self.ast[scope].parent {
                Some(parent) => scope = parent,
                None => break,
            }
        }
        scope
    }

    /// Declares a name in a scope of this layer. A name that belongs to a scope of a lower layer, as in an
    /// out-of-class definition, is found there already.
    pub(crate) fn declare_in(&mut self, scope: ScopeId, name: Name, decl: DeclId) {
        if !name.is_empty() && self.ast.owns_scope(scope) {
            self.ast[scope].declare(name, decl);
        }
    }
}

/// A token in words, for messages.
pub(crate) fn describe(token: Token) -> String {
    match token.kind {
        TokenKind::Eof => "the end of the code".to_owned(),
        TokenKind::Body => "a function body".to_owned(),
        TokenKind::Pragma => "a pragma".to_owned(),
        TokenKind::Keyword(keyword) => format!("the reserved word `{}`", keyword.text()),
        TokenKind::String => "a string".to_owned(),
        _ => format!("`{}`", token.text()),
    }
}

/// What is left of a token that starts with `>` after `taken` of its characters.
fn split_rest(token: Token, taken: u8) -> Token {
    let TokenKind::Punct(punct) = token.kind else { return token };
    let rest = match (punct, taken) {
        (Punct::Shr, 1) => Punct::Gt,
        (Punct::GtEq, 1) => Punct::Eq,
        (Punct::ShrEq, 1) => Punct::GtEq,
        (Punct::ShrEq, 2) => Punct::Eq,
        _ => punct,
    };
    Token { kind: TokenKind::Punct(rest), flags: TokenFlags(0), name: token.name }
}
