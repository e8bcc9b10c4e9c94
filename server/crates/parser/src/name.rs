//! Names: paths with template arguments, operator names, and what a path turns out to name.

use msl_intern::Name;
use msl_preproc::{Keyword, Punct, TokenKind};

use crate::ast::{OverloadedOp, Path, Segment, TemplateArg, TemplateArgKind, TokenRange, UnqualName};
use crate::lookup::{self, NameClass, QualifierScope};
use crate::parser::Parser;

/// A path as read, with what it names.
pub(crate) struct ParsedPath {
    pub(crate) path: Path,
    pub(crate) start: u32,
    pub(crate) class: NameClass,
    /// What the qualifiers name, if there are any.
    pub(crate) qualifier: Option<QualifierScope>,
}

/// What a path is read for; it decides what `<` means behind a name that lookup does not know.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PathUse {
    /// In an expression or where lookup must decide: C++'s rules.
    Any,
    /// Where only a type can stand: `<` opens arguments unless the name is known to be no template.
    Type,
    /// The name that a declarator declares: `<` always opens arguments.
    Declarator,
}

impl Parser<'_> {
    /// Whether the current token can start a path.
    pub(crate) fn at_path(&self) -> bool {
        matches!(self.kind(), TokenKind::Ident | TokenKind::Punct(Punct::ColonColon))
    }

    /// Reads a path. It must be at an identifier, `::`, `~`, `operator` or `decltype`.
    ///
    /// A trailing `::*` of a pointer to member is left for the declarator.
    pub(crate) fn parse_path(&mut self, usage: PathUse) -> ParsedPath {
        let start = self.number();
        let mut segments: Vec<Segment> = Vec::new();
        let mut qualifier = None;
        let mut decltype = None;
        let global = self.eat(Punct::ColonColon);
        if global {
            qualifier = Some(QualifierScope::Scope(lookup::global_scope(&self.ast, self.scope)));
        } else if self.at_keyword(Keyword::Decltype) {
            self.bump();
            decltype = Some(self.parse_parenthesised_operand());
            qualifier = Some(QualifierScope::Dependent);
            if !self.at(Punct::ColonColon) || self.nth_is(1, Punct::Star) {
                let path = Path { global, decltype, segments: Box::default() };
                return ParsedPath { path, start, class: NameClass::Type, qualifier };
            }
            self.bump();
        }
        let class = loop {
            let template_keyword =
                self.at_keyword(Keyword::Template) && !segments.is_empty() | global | decltype.is_some();
            if template_keyword {
                self.bump();
            }
            let token = self.number();
            let Some(name) = self.parse_unqualified_name(usage) else {
                self.expected("a name");
                segments.push(Segment { name: UnqualName::Missing, args: None, token, template_keyword });
                break NameClass::Unknown;
            };
            let class = match name {
                UnqualName::Ident(name) => self.classify_segment(qualifier, name),
                UnqualName::Operator(_) if self.at(Punct::Lt) => NameClass::FunctionTemplate,
                _ => NameClass::Value,
            };
            let mut args = None;
            if self.at(Punct::Lt) && self.angle_opens_arguments(class, usage, template_keyword, qualifier) {
                args = Some(self.parse_template_args());
            }
            let goes_on = self.at(Punct::ColonColon)
                && match self.nth(1).kind {
                    TokenKind::Ident
                    | TokenKind::Punct(Punct::Tilde)
                    | TokenKind::Keyword(Keyword::Template | Keyword::Operator) => true,
                    TokenKind::Punct(Punct::Star) => false,
                    // `ns::` at the end of half-typed code: the qualifier is kept.
                    _ => true,
                };
            segments.push(Segment { name, args, token, template_keyword });
            if !goes_on {
                break class;
            }
            self.bump();
            qualifier = Some(self.scope_behind(qualifier, name));
        };
        let path = Path { global, decltype, segments: segments.into_boxed_slice() };
        ParsedPath { path, start, class, qualifier }
    }

    /// Whether the `<` behind a name opens template arguments.
    fn angle_opens_arguments(
        &mut self,
        class: NameClass,
        usage: PathUse,
        template_keyword: bool,
        qualifier: Option<QualifierScope>,
    ) -> bool {
        if class.is_template() || template_keyword || usage == PathUse::Declarator {
            return true;
        }
        match class {
            NameClass::Value | NameClass::Namespace => false,
            // A type is never compared, so whatever it is, arguments are meant.
            NameClass::Type => true,
            NameClass::Dependent => {
                usage == PathUse::Type || {
                    qualifier == Some(QualifierScope::Dependent) && self.scan_unknown_template_args(class, false)
                }
            }
            _ => self.scan_unknown_template_args(class, usage == PathUse::Type),
        }
    }

    /// What `name` is behind a qualifier, or without one.
    pub(crate) fn classify_segment(&mut self, qualifier: Option<QualifierScope>, name: Name) -> NameClass {
        match qualifier {
            None => self.classify_name(name),
            Some(QualifierScope::Scope(scope)) => {
                let mut found = std::mem::take(&mut self.found);
                found.clear();
                let limit = lookup::namespace_limit(&self.ast, self.scope, self.ast.next_decl());
                lookup::lookup_qualified(&self.ast, scope, name, limit, &mut found);
                let class = lookup::classify(&self.ast, &found);
                self.found = found;
                if class == NameClass::Unknown && !lookup::members_are_known(&self.ast, scope) {
                    return NameClass::Dependent;
                }
                class
            }
            Some(QualifierScope::Dependent) => NameClass::Dependent,
            Some(QualifierScope::Unknown) => NameClass::Unknown,
        }
    }

    /// What an unqualified name is here.
    pub(crate) fn classify_name(&mut self, name: Name) -> NameClass {
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        lookup::lookup_unqualified(&self.ast, self.scope, name, self.ast.next_decl(), &mut found);
        let class = lookup::classify(&self.ast, &found);
        self.found = found;
        class
    }

    /// The scope that `name::` names behind a qualifier, or without one.
    pub(crate) fn scope_behind(&mut self, qualifier: Option<QualifierScope>, name: UnqualName) -> QualifierScope {
        let UnqualName::Ident(name) = name else { return QualifierScope::Unknown };
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        match qualifier {
            None => lookup::lookup_unqualified(&self.ast, self.scope, name, self.ast.next_decl(), &mut found),
            Some(QualifierScope::Scope(scope)) => {
                let limit = lookup::namespace_limit(&self.ast, self.scope, self.ast.next_decl());
                lookup::lookup_qualified(&self.ast, scope, name, limit, &mut found);
            }
            Some(other) => {
                self.found = found;
                return other;
            }
        }
        let mut result = QualifierScope::Unknown;
        for &decl in found.iter().rev() {
            if matches!(lookup::class_of_decl(&self.ast, decl), NameClass::Value | NameClass::FunctionTemplate) {
                continue;
            }
            match lookup::scope_of_decl(&self.ast, decl) {
                QualifierScope::Scope(scope) => {
                    result = QualifierScope::Scope(scope);
                    break;
                }
                QualifierScope::Dependent => result = QualifierScope::Dependent,
                QualifierScope::Unknown => {}
            }
        }
        self.found = found;
        result
    }

    /// An identifier, destructor name, operator or conversion name; `None` if there is none.
    fn parse_unqualified_name(&mut self, usage: PathUse) -> Option<UnqualName> {
        match self.kind() {
            TokenKind::Ident => {
                let name = self.peek().name;
                self.bump();
                Some(UnqualName::Ident(name))
            }
            TokenKind::Punct(Punct::Tilde) => {
                self.bump();
                if let TokenKind::Ident = self.kind() {
                    let name = self.peek().name;
                    self.bump();
                    if self.at(Punct::Lt) && usage != PathUse::Declarator {
                        self.parse_template_args();
                    }
                    return Some(UnqualName::Destructor(name));
                }
                Some(UnqualName::Missing)
            }
            TokenKind::Keyword(Keyword::Operator) => Some(self.parse_operator_name()),
            _ => None,
        }
    }

    /// `operator` and what follows it, up to the parameter list.
    pub(crate) fn parse_operator_name(&mut self) -> UnqualName {
        self.bump();
        match self.kind() {
            TokenKind::Punct(Punct::LParen) if self.nth_is(1, Punct::RParen) => {
                self.bump();
                self.bump();
                UnqualName::Operator(OverloadedOp::Call)
            }
            TokenKind::Punct(Punct::LBracket) if self.nth_is(1, Punct::RBracket) => {
                self.bump();
                self.bump();
                UnqualName::Operator(OverloadedOp::Index)
            }
            TokenKind::Keyword(keyword @ (Keyword::New | Keyword::Delete)) => {
                self.bump();
                let array = self.at(Punct::LBracket) && self.nth_is(1, Punct::RBracket);
                if array {
                    self.bump();
                    self.bump();
                }
                UnqualName::Operator(match (keyword, array) {
                    (Keyword::New, false) => OverloadedOp::New,
                    (Keyword::New, true) => OverloadedOp::NewArray,
                    (_, false) => OverloadedOp::Delete,
                    (_, true) => OverloadedOp::DeleteArray,
                })
            }
            TokenKind::String => {
                self.bump();
                let name = self.peek().name;
                if self.kind() == TokenKind::Ident {
                    self.bump();
                }
                UnqualName::Literal(name)
            }
            TokenKind::Punct(punct) if is_overloadable(punct) => {
                self.bump();
                UnqualName::Operator(OverloadedOp::Punct(punct))
            }
            // A name can only be a type here, known or not.
            _ if self.at_path() || self.at_type_start() => UnqualName::Conversion(self.parse_conversion_type()),
            _ => {
                self.expected("an operator or a type after `operator`");
                UnqualName::Missing
            }
        }
    }

    /// `<…>` with the cursor at `<`.
    pub(crate) fn parse_template_args(&mut self) -> Box<[TemplateArg]> {
        self.nested(Self::parse_template_args_unchecked, |parser| {
            parser.skip_angles();
            Box::default()
        })
    }

    fn parse_template_args_unchecked(&mut self) -> Box<[TemplateArg]> {
        let open = self.bump();
        let outer = std::mem::replace(&mut self.angle_closes, true);
        let pending = self.pending.take();
        let mut args = Vec::new();
        while !self.at_closing_angle() {
            let before = (self.position, self.sub);
            let arg = self.parse_template_arg();
            args.push(arg);
            if self.eat(Punct::Comma) {
                continue;
            }
            if self.at_closing_angle() || (self.position, self.sub) == before {
                break;
            }
            break;
        }
        self.angle_closes = outer;
        self.pending = pending;
        if !self.eat_closing_angle() {
            let message = format!("expected `>` before {}", self.found_text());
            let related = (TokenRange::new(open, open + 1), "to close this `<`".to_owned());
            self.report_related(crate::SyntaxErrorKind::Expected, self.behind(), message, related);
        }
        args.into_boxed_slice()
    }

    fn parse_template_arg(&mut self) -> TemplateArg {
        let start = self.number();
        let kind = match self.parse_type_or_expr() {
            TypeOrExpr::Type(ty) => TemplateArgKind::Type(ty),
            TypeOrExpr::Expr(expr) => TemplateArgKind::Expr(expr),
        };
        let expansion = self.eat(Punct::Ellipsis);
        TemplateArg { kind, expansion, range: self.range_from(start) }
    }
}

/// Something that C++ lets be a type or an expression.
pub(crate) enum TypeOrExpr {
    Type(crate::ast::TypeId),
    Expr(crate::ast::ExprId),
}

fn is_overloadable(punct: Punct) -> bool {
    !matches!(
        punct,
        Punct::LParen
            | Punct::RParen
            | Punct::LBracket
            | Punct::RBracket
            | Punct::LBrace
            | Punct::RBrace
            | Punct::Semi
            | Punct::Dot
            | Punct::DotStar
            | Punct::Ellipsis
            | Punct::Colon
            | Punct::ColonColon
            | Punct::Question
            | Punct::Hash
            | Punct::HashHash
    )
}
