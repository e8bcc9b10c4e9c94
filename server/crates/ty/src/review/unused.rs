//! What is computed or declared for nothing: values that nobody takes, variables that nobody names.

use msl_diagnostics::Code;
use msl_parser::ParsedBody;
use msl_parser::ast::*;
use msl_preproc::{Token, TokenKind};
use rustc_hash::FxHashSet;

use super::Review;
use crate::sema::{DeclRef, TokenEdit, TokenFix};
use crate::store::*;

impl Review<'_, '_> {
    /// An expression that stands as a statement does something.
    pub(super) fn check_discarded(&self, expr: ExprId) {
        let ast = self.ast();
        let value = self.unparenthesized(expr);
        if self.solid(value).is_none_or(|ty| ty == Ty::VOID) {
            return;
        }
        let range = ast[value].range;
        let report = |message: &str, fixes: Vec<TokenFix>| {
            self.checker.report_with(Code::UnusedValue, range, message.to_owned(), fixes);
        };
        match &ast[value].kind {
            ExprKind::Binary { op: BinaryOp::Comma, rhs, .. } => self.check_discarded(*rhs),
            ExprKind::Binary { op: BinaryOp::And | BinaryOp::Or, rhs, .. } if self.has_effects(*rhs) => {}
            ExprKind::Binary { op, op_token, .. } if self.callee(value).is_none() => {
                let is_comparison = matches!(
                    op,
                    BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge
                );
                if *op == BinaryOp::Eq {
                    let assign = TokenFix {
                        preferred: false,
                        ..crate::rules::replace(TokenRange::new(*op_token, *op_token + 1), "=")
                    };
                    report("nothing uses the result of this comparison; `=` assigns", vec![assign]);
                } else if is_comparison {
                    report("nothing uses the result of this comparison", Vec::new());
                } else {
                    report("nothing uses this value", Vec::new());
                }
            }
            ExprKind::Unary { op: UnaryOp::Plus | UnaryOp::Minus | UnaryOp::Not | UnaryOp::BitNot, .. }
                if self.callee(value).is_none() =>
            {
                report("nothing uses this value", Vec::new());
            }
            ExprKind::Index { .. } if self.callee(value).is_none() && !self.is_volatile(value) => {
                report("nothing uses this value", Vec::new());
            }
            ExprKind::Member { .. } if !self.is_volatile(value) => report("nothing uses this value", Vec::new()),
            ExprKind::Path(path) if !self.is_volatile(value) => {
                let names_variable =
                    self.named(path).is_some_and(|decl| matches!(ast[decl].kind, DeclKind::Variable(_)));
                if names_variable {
                    report("nothing uses this value: `(void)` in front of it says that this is meant", Vec::new());
                }
            }
            ExprKind::Call { args, .. } => {
                let Some(function) = self.callee(value) else { return };
                if self.is_pure(value, function, args) {
                    let name = self.checker.sema.decl_name(function.decl).unwrap_or_default();
                    let message = format!("nothing uses the result of `{name}`, and it does nothing else");
                    report(&message, Vec::new());
                } else if self.is_nodiscard(function.decl) {
                    let name = self.checker.sema.decl_name(function.decl).unwrap_or_default();
                    let message = format!("nothing uses the result of `{name}`, which is `[[nodiscard]]`");
                    report(&message, Vec::new());
                }
            }
            _ => {}
        }
    }

    fn is_volatile(&self, expr: ExprId) -> bool {
        self.info(expr).is_none_or(|info| info.ty.cv.contains(Cv::VOLATILE))
    }

    /// Whether the result of a function of the program is to be used (C++17 [dcl.attr.nodiscard]).
    fn is_nodiscard(&self, function: DeclId) -> bool {
        !self.checker.sema.is_library(function)
            && self.ast()[function].attrs.iter().any(|&attr| {
                let attr = &self.ast()[attr];
                let is_standard = attr.syntax == AttrSyntax::Brackets && attr.namespace.is_none();
                is_standard && attr.name.as_str() == "nodiscard"
            })
    }

    /// Whether a call computes its result from its arguments and does nothing else: a function of the library that
    /// takes numbers and gives one, and that orders or exchanges nothing between threads.
    fn is_pure(&self, call: ExprId, function: DeclRef, args: &[ExprId]) -> bool {
        let sema = &self.checker.sema;
        if !sema.is_library(function.decl) || args.is_empty() {
            return false;
        }
        let does_more = sema.env.library.facts(function.decl).is_some_and(|facts| {
            facts.uniform || facts.fence || !facts.orders.is_empty() || !facts.uniform_params.is_empty()
        });
        let signature = sema.signature(function);
        let is_number = |expr: ExprId| {
            matches!(
                self.kind_of(expr),
                Some(TyKind::Scalar(_) | TyKind::Vector(..) | TyKind::Packed(..) | TyKind::Matrix(..))
            )
        };
        !does_more
            && signature.this.is_none()
            && !signature.variadic
            && signature.params.iter().all(|param| !sema.is_ref(param.ty.ty))
            && is_number(call)
            && args.iter().all(|&arg| is_number(arg))
    }

    /// Whether leaving an expression out could make a difference beyond its value.
    pub(super) fn has_effects(&self, expr: ExprId) -> bool {
        self.checker.sema.deeper(|| self.has_effects_inner(expr)).unwrap_or(true)
    }

    fn any_effects(&self, exprs: &[ExprId]) -> bool {
        exprs.iter().any(|&expr| self.has_effects(expr))
    }

    fn has_effects_inner(&self, expr: ExprId) -> bool {
        if self.callee(expr).is_some() {
            let ExprKind::Call { args, .. } = &self.ast()[expr].kind else { return true };
            let is_pure = self.callee(expr).is_some_and(|function| self.is_pure(expr, function, args));
            return !is_pure || self.any_effects(args);
        }
        let makes_value = |expr: ExprId| self.solid(expr).is_some_and(|ty| self.checker.is_value_type(ty));
        match &self.ast()[expr].kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::String(_)
            | ExprKind::Bool(_)
            | ExprKind::Nullptr
            | ExprKind::This
            | ExprKind::SizeofType { .. }
            | ExprKind::SizeofExpr { .. }
            | ExprKind::SizeofPack { .. }
            | ExprKind::TypeTrait { .. } => false,
            ExprKind::Path(_) => self.is_volatile(expr),
            ExprKind::Paren(inner) => self.has_effects(*inner),
            ExprKind::Unary {
                op: UnaryOp::Plus | UnaryOp::Minus | UnaryOp::Not | UnaryOp::BitNot | UnaryOp::Deref | UnaryOp::AddrOf,
                operand,
                ..
            } => self.is_volatile(expr) || self.has_effects(*operand),
            ExprKind::Binary { lhs, rhs, .. } => {
                self.solid(lhs.to_owned()).is_none() || self.solid(*rhs).is_none() || self.any_effects(&[*lhs, *rhs])
            }
            ExprKind::Conditional { cond, then, otherwise } => self.any_effects(&[*cond, *then, *otherwise]),
            ExprKind::Index { base, args } => {
                self.is_volatile(expr) || self.has_effects(*base) || self.any_effects(args)
            }
            ExprKind::Member { base, .. } => self.is_volatile(expr) || self.has_effects(*base),
            ExprKind::CCast { operand, .. } | ExprKind::NamedCast { operand, .. } => {
                !makes_value(expr) || self.has_effects(*operand)
            }
            ExprKind::Construct { args, .. } => !makes_value(expr) || self.any_effects(args),
            ExprKind::InitList(items) => self.any_effects(items),
            _ => true,
        }
    }

    /// Variables that the body does not name. `tokens` are the body's: a name that was not resolved may be a variable's.
    pub(super) fn report_unused(&self, body: &ParsedBody, tokens: &[Token]) {
        let mut unused: Vec<(DeclId, msl_intern::Name)> = Vec::new();
        for (decl, data) in body.ast.own_decls() {
            if let DeclKind::Variable(variable) = &data.kind
                && let Some(name) = variable.name.ident()
                && self.may_be_unused(decl, data, variable)
            {
                unused.push((decl, name));
            }
        }
        if unused.is_empty() {
            return;
        }
        let used: FxHashSet<DeclId> = self
            .checker
            .facts
            .refs
            .values()
            .flatten()
            .map(|item| item.decl)
            .filter(|decl| self.checker.sema.is_local(*decl))
            .collect();
        unused.retain(|(decl, _)| !used.contains(decl));
        if unused.is_empty() {
            return;
        }
        let names: FxHashSet<u32> = body.ast.own_decls().map(|(_, data)| data.name_token).collect();
        let start = body.ast.start().tokens;
        for (decl, name) in unused {
            let is_named = tokens.iter().enumerate().any(|(index, token)| {
                let number = start + index as u32;
                match token.kind {
                    TokenKind::Ident => {
                        token.name == name
                            && !names.contains(&number)
                            && self.checker.facts.refs.get(&number).is_none_or(|refs| refs.is_empty())
                    }
                    TokenKind::Pragma => token.name.as_str().contains(name.as_str()),
                    _ => false,
                }
            });
            if !is_named {
                self.report_unused_variable(decl, name);
            }
        }
    }

    /// Whether a variable is one that nobody keeps for what its construction does.
    fn may_be_unused(&self, decl: DeclId, data: &Decl, variable: &Variable) -> bool {
        let Some(&ty) = self.checker.facts.variables.get(&decl) else { return false };
        if variable.kind != VariableKind::Local
            || matches!(variable.init, Init::Implied)
            || self.tested.contains(&decl)
            || !data.attrs.is_empty()
            || data.specs.contains(Specs::EXTERN)
            || !self.checker.sema.store().is_solid(ty.ty)
        {
            return false;
        }
        let mut element = self.checker.sema.strip_ref(ty).ty;
        while let TyKind::Array(elem, _) = self.checker.kind(element) {
            element = elem.ty;
        }
        match self.checker.kind(element) {
            TyKind::Record(decl, _) if self.checker.sema.is_library(*decl) => {
                self.checker.is_library_class(element, "sampler") && data.specs.contains(Specs::CONSTEXPR)
            }
            TyKind::Record(..) => self.checker.sema.constructors(element).is_some_and(|made| made.is_empty()),
            _ => self.checker.is_value_type(element),
        }
    }

    fn report_unused_variable(&self, decl: DeclId, name: msl_intern::Name) {
        let DeclKind::Variable(variable) = &self.ast()[decl].kind else { return };
        let has_effects = match &variable.init {
            Init::None | Init::Implied => false,
            Init::Assign(init) | Init::Brace(init) => self.has_effects(*init),
            // The arguments of a sampler are constants.
            Init::Paren(args) => self.any_effects(args),
        };
        let fixes = match self.sole.get(&decl) {
            Some(&range) if !has_effects => vec![TokenFix {
                title: format!("Remove `{name}`"),
                preferred: false,
                edits: vec![TokenEdit { range, after: false, text: String::new() }],
            }],
            _ => Vec::new(),
        };
        let message = format!("nothing uses the variable `{name}`");
        self.checker.report_with(Code::UnusedVariable, self.checker.name_range(decl), message, fixes);
    }
}
