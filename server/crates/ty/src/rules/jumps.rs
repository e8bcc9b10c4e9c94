//! `break`, `continue`, `case` and `default`: what each belongs to, and that no two labels of a `switch` are the same
//! (C++ [stmt.jump], [stmt.switch]).

use msl_diagnostics::Code;
use msl_parser::ast::*;
use rustc_hash::FxHashMap;

use crate::consteval::Value;
use crate::expr::Checker;
use crate::sema::TyDiagnostic;
use crate::store::*;

/// The statements around a place that jumps and labels can belong to.
#[derive(Debug, Default)]
pub(crate) struct Enclosing {
    in_loop: bool,
    /// The labels so far of the innermost `switch`.
    labels: Option<Labels>,
    /// The body has syntax errors: what surrounds a statement may not be what was meant.
    pub(crate) is_broken: bool,
}

#[derive(Debug, Default)]
struct Labels {
    values: FxHashMap<i128, TokenRange>,
    default: Option<TokenRange>,
}

impl<'a> Checker<'a> {
    /// Looks at the body of a loop.
    pub(crate) fn in_loop(&mut self, look: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.enclosing.in_loop, true);
        look(self);
        self.enclosing.in_loop = outer;
    }

    /// Looks at the body of a `switch`.
    pub(crate) fn in_switch(&mut self, look: impl FnOnce(&mut Self)) {
        let outer = self.enclosing.labels.replace(Labels::default());
        look(self);
        self.enclosing.labels = outer;
    }

    /// Looks at the body of a lambda: jumps do not leave it.
    pub(crate) fn in_lambda(&mut self, look: impl FnOnce(&mut Self)) {
        let inner = Enclosing { is_broken: self.enclosing.is_broken, ..Enclosing::default() };
        let outer = std::mem::replace(&mut self.enclosing, inner);
        look(self);
        self.enclosing = outer;
    }

    pub(crate) fn check_break(&self, stmt: StmtId) {
        if !self.enclosing.in_loop && self.enclosing.labels.is_none() {
            self.misplaced(self.ast()[stmt].range, "`break` stands in no loop and no `switch`");
        }
    }

    pub(crate) fn check_continue(&self, stmt: StmtId) {
        if !self.enclosing.in_loop {
            self.misplaced(self.ast()[stmt].range, "`continue` stands in no loop");
        }
    }

    pub(crate) fn check_default(&mut self, stmt: StmtId) {
        let word = self.first_token(stmt);
        let Some(labels) = &mut self.enclosing.labels else {
            return self.misplaced(word, "`default` stands in no `switch`");
        };
        match labels.default {
            Some(earlier) => self.label_twice(word, earlier, "this `switch` has two `default` labels".to_owned()),
            None => labels.default = Some(word),
        }
    }

    /// `case value:`; a range of values (`end`) is not compared with others.
    pub(crate) fn check_case(&mut self, stmt: StmtId, value: ExprId, end: Option<ExprId>) {
        if self.enclosing.labels.is_none() {
            return self.misplaced(self.first_token(stmt), "`case` stands in no `switch`");
        }
        let range = self.ast()[value].range;
        match self.sema.evaluate_in(value, self.cx) {
            Value::Known(Const::Int(known)) if end.is_none() => {
                let labels = self.enclosing.labels.as_mut().map(|labels| labels.values.entry(known));
                match labels {
                    Some(std::collections::hash_map::Entry::Occupied(earlier)) => {
                        let earlier = *earlier.get();
                        self.label_twice(range, earlier, format!("this `switch` has two labels for the value {known}"));
                    }
                    Some(std::collections::hash_map::Entry::Vacant(place)) => {
                        place.insert(range);
                    }
                    None => {}
                }
            }
            Value::NotConstant if self.function_constant_in(value).is_none() => {
                let message = "the value of a `case` label must be known at compile time".to_owned();
                self.report(Code::NotAConstant, range, message);
            }
            _ => {}
        }
    }

    fn first_token(&self, stmt: StmtId) -> TokenRange {
        let start = self.ast()[stmt].range.start;
        TokenRange::new(start, start + 1)
    }

    fn misplaced(&self, range: TokenRange, message: &str) {
        if !self.enclosing.is_broken {
            self.report(Code::MisplacedJump, range, message.to_owned());
        }
    }

    fn label_twice(&self, range: TokenRange, earlier: TokenRange, message: String) {
        self.sema.report(|| TyDiagnostic {
            code: Code::DuplicateCase,
            severity: None,
            range,
            message,
            related: vec![(earlier, "the first one".to_owned())],
            fixes: Vec::new(),
        });
    }
}
