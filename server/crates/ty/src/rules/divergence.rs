//! Calls that all threads of a group have to reach, and arguments that have to be the same in all of them (MSL spec
//! §6.9.1, §6.9.2), where threads certainly differ.
//!
//! An expression *tells threads apart* if it is made from inputs of the entry point that differ within a group, such as
//! `[[thread_position_in_threadgroup]]`, by operators alone, directly or through constant local variables. Values from
//! memory and of calls may differ as well, but nothing here knows whether they do.
//!
//! A condition *parts* threads if it compares what tells threads apart for equality, so that some threads take one way
//! and some the other. An order such as `position < count` can come out the same for all threads of each group, and
//! often does; it parts nothing.

use msl_builtins::attributes::{Group, differs_within};
use msl_diagnostics::Code;
use msl_parser::ast::*;

use crate::expr::Checker;
use crate::sema::{DeclRef, TyDiagnostic};
use crate::store::Ty;

/// A condition around a place that parts the threads of a group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parting {
    cond: TokenRange,
    /// The smallest group whose threads part.
    within: Group,
}

impl<'a> Checker<'a> {
    /// Walks something that is only reached where `cond` comes out one way.
    pub(crate) fn parted_by(&mut self, cond: Option<ExprId>, walk: impl FnOnce(&mut Self)) {
        let before = self.partings.len();
        if let Some(cond) = cond
            && let Some(within) = self.parts_threads(cond)
        {
            self.partings.push(Parting { cond: self.ast()[cond].range, within });
        }
        walk(self);
        self.partings.truncate(before);
    }

    /// The smallest group of which a condition parts the threads.
    fn parts_threads(&self, cond: ExprId) -> Option<Group> {
        match &self.ast()[cond].kind {
            ExprKind::Paren(inner) | ExprKind::Unary { op: UnaryOp::Not, operand: inner, .. } => {
                self.parts_threads(*inner)
            }
            ExprKind::Binary { op: BinaryOp::Eq | BinaryOp::Ne, lhs, rhs, .. } => {
                // Two values that both differ may be equal in all threads.
                match (self.tells_threads_apart(*lhs), self.tells_threads_apart(*rhs)) {
                    (Some(within), None) if self.is_constant(*rhs) => Some(within),
                    (None, Some(within)) if self.is_constant(*lhs) => Some(within),
                    _ => None,
                }
            }
            ExprKind::Binary { op: BinaryOp::And, lhs, rhs, .. } => {
                self.parts_threads(*lhs).or_else(|| self.parts_threads(*rhs))
            }
            _ => None,
        }
    }

    fn is_constant(&self, expr: ExprId) -> bool {
        matches!(self.sema.evaluate_in(expr, self.cx), crate::consteval::Value::Known(_))
    }

    /// The smallest group in which an expression differs from thread to thread, if it certainly does in some.
    fn tells_threads_apart(&self, expr: ExprId) -> Option<Group> {
        self.sema.deeper(|| self.tells_threads_apart_inner(expr)).flatten()
    }

    fn tells_threads_apart_inner(&self, expr: ExprId) -> Option<Group> {
        match &self.ast()[expr].kind {
            ExprKind::Paren(inner) => self.tells_threads_apart(*inner),
            ExprKind::Member { base, arrow: false, .. } => {
                // A component of a position: a vector's parts differ as the vector does, along some dimension.
                let is_vector = self.info_of(*base).is_some_and(|info| self.sema.as_vector(info.ty.ty).is_some());
                if is_vector { self.tells_threads_apart(*base) } else { None }
            }
            ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, lhs, rhs, .. } => {
                match (self.tells_threads_apart(*lhs), self.tells_threads_apart(*rhs)) {
                    (Some(within), None) if self.is_constant(*rhs) => Some(within),
                    (None, Some(within)) if self.is_constant(*lhs) => Some(within),
                    _ => None,
                }
            }
            ExprKind::Path(path) => {
                let found = self.sema.lookup_path(path, self.cx);
                let [item] = &*found.items else { return None };
                let data = &self.ast()[item.decl];
                let DeclKind::Variable(variable) = &data.kind else { return None };
                match variable.kind {
                    VariableKind::Param => {
                        let function = self.entry_function()?;
                        self.sema.stage_of(function)?;
                        data.attrs.iter().find_map(|&attr| differs_within(self.ast()[attr].name.as_str()))
                    }
                    VariableKind::Local if self.facts.variables.get(&item.decl)?.is_const() => match &variable.init {
                        Init::Assign(init) => self.tells_threads_apart(*init),
                        _ => None,
                    },
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Checks a call of a function of the library that all threads of a group have to reach, or to which they have to
    /// pass the same value.
    pub(crate) fn check_uniform_call(&self, item: DeclRef, token: u32, args: &[ExprId]) {
        let Some(facts) = self.sema.env.library.facts(item.decl) else { return };
        if !facts.uniform && facts.uniform_params.is_empty() {
            return;
        }
        // The group that other functions speak of is that of an object or a template argument.
        let Some(group) = facts.across.map(|across| across.group) else { return };
        let Some(name) = self.sema.decl_name(item.decl) else { return };
        if facts.uniform
            && let Some(parting) = self.partings.iter().find(|parting| parting.within <= group)
        {
            self.sema.report(|| TyDiagnostic {
                code: Code::BarrierInDivergentFlow,
                severity: None,
                range: TokenRange::new(token, token + 1),
                message: format!(
                    "not all threads of the {} reach this `{name}`, and those that do may wait forever: the condition around it is not \
                     the same for all of them (MSL spec §6.9.1)",
                    group.words()
                ),
                related: vec![(parting.cond, "this condition differs between threads".to_owned())],
                fixes: Vec::new(),
            });
        }
        if facts.uniform_params.is_empty()
            || args.iter().any(|&arg| matches!(self.ast()[arg].kind, ExprKind::Expansion(_)))
        {
            return;
        }
        let signature = self.sema.signature(item);
        for (param, &arg) in signature.params.iter().zip(args) {
            let Some(own) = self.sema.decl_name(param.decl) else { continue };
            if facts.uniform_params.contains(&own)
                && self.tells_threads_apart(arg).is_some_and(|within| within <= group)
            {
                self.report_as(
                    msl_diagnostics::Severity::Warning,
                    Code::LibraryArgument,
                    self.ast()[arg].range,
                    format!(
                        "the argument `{own}` of `{name}` has to be the same in all threads of the {}, and this differs between \
                         them (MSL spec §6.9.2)",
                        group.words()
                    ),
                );
            }
        }
    }

    /// Warns about a `uniform` variable that takes what differs between threads (MSL spec §2.14).
    pub(crate) fn check_uniform_value(&self, ty: Ty, init: &Init) {
        if !self.is_library_class(ty, "uniform") {
            return;
        }
        let value = match init {
            Init::Assign(value) => *value,
            Init::Paren(values) => match &**values {
                [only] => *only,
                _ => return,
            },
            _ => return,
        };
        if self.tells_threads_apart(value).is_some() {
            self.report_as(
                msl_diagnostics::Severity::Warning,
                Code::LibraryArgument,
                self.ast()[value].range,
                "a `uniform` value is the same in all threads, and this differs between them (MSL spec §2.14)"
                    .to_owned(),
            );
        }
    }

    /// Hints at tests for NaN and infinity, which fast math may fold to `false`; it is on unless a build turns it off
    /// (MSL spec §1.6.3).
    pub(crate) fn check_fast_math(&self, item: DeclRef, token: u32) {
        let Some(name) = self.sema.decl_name(item.decl) else { return };
        if !matches!(name.as_str(), "isnan" | "isinf" | "isfinite") {
            return;
        }
        self.report(
            Code::NanTestUnderFastMath,
            TokenRange::new(token, token + 1),
            format!(
                "under fast math, which is the default, the compiler may take for granted that `{name}` finds nothing; build with \
                 `-fno-fast-math` where the answer matters (MSL spec §1.6.3)"
            ),
        );
    }
}
