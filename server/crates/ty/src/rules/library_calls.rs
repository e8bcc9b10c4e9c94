//! What declarations of the library ask for beyond types: constant arguments, their ranges, memory orders; and names
//! that they warn about.

use msl_builtins::facts::Facts;
use msl_diagnostics::Code;
use msl_parser::ast::*;

use super::replace;
use crate::consteval::Value;
use crate::expr::Checker;
use crate::sema::{DeclRef, TyDiagnostic};
use crate::signature::Param;
use crate::store::*;

impl<'a> Checker<'a> {
    /// Checks a call, whose function is named at `token`, against the facts about the function that it calls.
    pub(crate) fn check_library_call(&self, item: DeclRef, token: u32, args: &[ExprId]) {
        if !self.sema.is_library(item.decl) {
            return;
        }
        self.check_fast_math(item, token);
        self.check_uniform_call(item, token, args);
        let Some(facts) = self.sema.env.library.facts(item.decl) else { return };
        if facts.constant_params.is_empty() && facts.ranges.is_empty() && facts.orders.is_empty() {
            return;
        }
        // Behind a pack expansion the arguments' numbers are not those of the parameters.
        if args.iter().any(|&arg| matches!(self.ast()[arg].kind, ExprKind::Expansion(_))) {
            return;
        }
        let signature = self.sema.signature(item);
        for (param, &arg) in signature.params.iter().zip(args) {
            self.check_argument(item, facts, param, arg);
        }
    }

    fn check_argument(&self, item: DeclRef, facts: &Facts, param: &Param, arg: ExprId) {
        let Some(name) = self.sema.decl_name(param.decl) else { return };
        let function = self.sema.decl_name(item.decl).map_or(String::new(), |name| name.to_string());
        let range = self.ast()[arg].range;
        let is_order = self.is_memory_order(param.ty.ty);
        if facts.constant_params.contains(&name) || is_order && !facts.orders.is_empty() {
            match self.sema.evaluate_in(arg, self.cx) {
                Value::NotConstant => {
                    let message = format!("the argument `{name}` of `{function}` must be known at compile time");
                    self.report(Code::LibraryArgument, range, message);
                    return;
                }
                Value::Known(value) if is_order && !facts.orders.is_empty() => {
                    self.check_order(&function, facts, param, value, range)
                }
                _ => {}
            }
        }
        if let Some(bounds) = facts.ranges.iter().find(|bounds| bounds.param == name) {
            for component in self.constant_components(arg) {
                let Value::Known(Const::Int(value)) = self.sema.evaluate_in(component, self.cx) else { continue };
                if value < bounds.min.into() || value > bounds.max.into() {
                    let message = format!(
                        "the argument `{name}` of `{function}` is from {} to {}; this is {value}",
                        bounds.min, bounds.max
                    );
                    self.report(Code::LibraryArgument, self.ast()[component].range, message);
                }
            }
        }
    }

    fn is_memory_order(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TyKind::Enum(decl, _)
            if self.sema.is_library(*decl) && self.sema.decl_name(*decl).is_some_and(|name| name.as_str() == "memory_order"))
    }

    fn check_order(&self, function: &str, facts: &Facts, param: &Param, value: Const, range: TokenRange) {
        let spelled = self.sema.spell_const(value, param.ty.ty);
        let order = spelled.rsplit("::").next().unwrap_or_default().trim_start_matches("memory_order_");
        if order.is_empty() || order.bytes().all(|c| c.is_ascii_digit()) {
            return;
        }
        if facts.orders.iter().any(|allowed| allowed.as_str() == order) {
            return;
        }
        let allowed: Vec<String> = facts.orders.iter().map(|order| format!("`memory_order_{order}`")).collect();
        let newer = if self.sema.generic() {
            "; the other orders need the form that also says which memory is ordered, with `mem_flags`"
        } else {
            ""
        };
        let message = format!(
            "`{function}` takes {} here, not `memory_order_{order}`{newer} (MSL spec §6.15)",
            allowed.join(" or ")
        );
        self.report(Code::LibraryArgument, range, message);
    }

    /// The scalars that a vector argument is written from: those of `int2(1, 9)` and `{1, 9}`, else the argument.
    fn constant_components(&self, arg: ExprId) -> Vec<ExprId> {
        match &self.ast()[arg].kind {
            ExprKind::Paren(inner) => self.constant_components(*inner),
            ExprKind::Construct { args, braces: false, .. } => args.to_vec(),
            ExprKind::Construct { args, braces: true, .. } => match args.first() {
                Some(&list) => self.constant_components(list),
                None => Vec::new(),
            },
            ExprKind::InitList(items) => items.to_vec(),
            _ => vec![arg],
        }
    }

    /// Warns about a name that the library has for old programs only.
    pub(crate) fn check_deprecated(&self, token: u32, item: DeclRef) {
        if !self.sema.is_library(item.decl) {
            return;
        }
        let Some(deprecated) = self.sema.env.library.facts(item.decl).and_then(|facts| facts.deprecated.as_ref())
        else {
            return;
        };
        if deprecated.since.is_some_and(|since| !self.sema.has(since)) {
            return;
        }
        let Some(name) = self.sema.decl_name(item.decl) else { return };
        let range = TokenRange::new(token, token + 1);
        let mut fixes = Vec::new();
        if name.as_str() == "mem_device_and_threadgroup" {
            fixes.push(replace(range, "mem_device | mem_flags::mem_threadgroup"));
        }
        self.sema.report(|| TyDiagnostic {
            code: Code::DeprecatedName,
            severity: None,
            range,
            message: format!("`{name}` is deprecated: {}", deprecated.text),
            related: Vec::new(),
            fixes,
        });
    }
}
