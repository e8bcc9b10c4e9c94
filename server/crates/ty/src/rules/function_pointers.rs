//! Function pointers, tables of visible functions, and the groups that calls through them name (MSL spec §2.15, §2.16,
//! §5.1.4).
//!
//! * An *indirect call* calls what a pointer or an element of a table points to.
//! * The *statement's groups* are the names in its `[[function_groups("…")]]`; they cover every indirect call in it.
//!
//! What is said of calls rests on types: a call that depends on template parameters, or whose callee is not known, may
//! be an indirect one.

use std::sync::Arc;

use msl_diagnostics::{Code, Severity};
use msl_intern::Name;
use msl_parser::ast::*;

use crate::attributes::{has_attr, written};
use crate::expr::Facts;
use crate::sema::{DeclRef, Sema, TokenEdit, TokenFix, TyDiagnostic};
use crate::store::*;

/// What a call calls.
#[derive(Clone, Debug, PartialEq)]
pub enum CallKind {
    /// A function by its name, a constructor, an operator.
    Direct,
    /// Something that a pointer to a function of this type points to.
    Indirect(Arc<FnTy>),
    /// Not known, or not yet.
    Open,
}

impl<'a> Sema<'a> {
    /// The signature of a table of visible functions; `None` for other types and where it is not known.
    pub fn table_signature(&self, ty: QualTy) -> Option<Arc<FnTy>> {
        let TyKind::Record(decl, bind) = self.kind(self.strip_ref(ty).ty) else { return None };
        if !self.is_library(*decl) || self.decl_name(*decl)?.as_str() != "visible_function_table" {
            return None;
        }
        match self.store().bindings(*bind).args.first()? {
            TArg::Type(argument) => match self.kind(argument.ty) {
                TyKind::Function(signature) => Some(Arc::clone(signature)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a type is a table of intersection functions.
    pub fn is_intersection_table(&self, ty: QualTy) -> bool {
        let TyKind::Record(decl, _) = self.kind(self.strip_ref(ty).ty) else { return false };
        self.is_library(*decl)
            && self.decl_name(*decl).is_some_and(|name| name.as_str() == "intersection_function_table")
    }

    /// Whether functions of a declaration can be called through a handle: `[[visible]]`, `[[stitchable]]`.
    pub fn is_visible(&self, decl: DeclId) -> bool {
        has_attr(self, decl, "visible") || has_attr(self, decl, "stitchable")
    }

    /// The type of a function as tables and pointers name it; `None` where it is not known.
    pub fn function_type(&self, item: DeclRef) -> Option<FnTy> {
        let signature = self.signature(item);
        if signature.unknown || signature.invalid || signature.this.is_some() {
            return None;
        }
        // `const` of a parameter is the callee's own business (C++ [dcl.fct]/5).
        let params = signature.params.iter().map(|param| QualTy { cv: Cv::empty(), ..param.ty }).collect();
        Some(FnTy { ret: signature.ret, params, variadic: signature.variadic })
    }

    /// The names of parameters that the unit's aliases give a function type, such as `using F = float(float x);`.
    /// `None` if no alias names them, or if several name them differently.
    pub fn alias_parameters(&self, signature: &FnTy) -> Option<Vec<Name>> {
        let mut found: Option<Vec<Name>> = None;
        for (decl, data) in self.env.ast.own_decls() {
            let DeclKind::TypeAlias { ty, .. } = &data.kind else { continue };
            let TypeKind::Function(written) = &self.ast[*ty].kind else { continue };
            if written.params.len() != signature.params.len() {
                continue;
            }
            let item = DeclRef { decl, bind: BindId::NONE };
            let resolved = self.quiet().resolve_type(*ty, self.cx_of(item));
            let is_same = matches!(self.kind(resolved.ty), TyKind::Function(own) if **own == *signature);
            if !is_same {
                continue;
            }
            let names: Vec<Name> =
                written.params.iter().map(|&param| self.decl_name(param).unwrap_or(Name::EMPTY)).collect();
            if names.iter().all(|name| name.is_empty()) {
                continue;
            }
            match &found {
                Some(before) if *before != names => return None,
                _ => found = Some(names),
            }
        }
        found
    }

    /// How a function type is spelled: `float3(float3, int)`.
    pub fn spell_signature(&self, signature: &FnTy) -> String {
        let params: Vec<String> = signature.params.iter().map(|param| self.spell(*param)).collect();
        format!("{}({})", self.spell(signature.ret), params.join(", "))
    }

    /// What a call calls, by what its check learned.
    pub fn call_kind(&self, facts: &Facts, call: ExprId, callee: ExprId) -> CallKind {
        if facts.callees.contains_key(&call) {
            return CallKind::Direct;
        }
        let mut callee = callee;
        while let ExprKind::Paren(inner) = &self.ast[callee].kind {
            callee = *inner;
        }
        let Some(info) = facts.exprs.get(&callee) else {
            // Names of functions have no type of their own.
            return match &self.ast[callee].kind {
                ExprKind::Path(path) => match path.last().and_then(|last| facts.refs.get(&last.token)) {
                    Some(_) => CallKind::Direct,
                    None => CallKind::Open,
                },
                _ => CallKind::Open,
            };
        };
        if info.is_overload_set() {
            return CallKind::Direct;
        }
        let ty = self.strip_ref(info.ty);
        let pointee = match self.kind(ty.ty) {
            TyKind::Pointer(inner) => inner.ty,
            _ => ty.ty,
        };
        match self.kind(pointee) {
            TyKind::Function(signature) => CallKind::Indirect(Arc::clone(signature)),
            _ if !self.store().is_solid(ty.ty) => CallKind::Open,
            _ => CallKind::Direct,
        }
    }
}

/// The names in a `[[function_groups("…")]]`, each with the token of its string. Strings that are put together from
/// several, and what is no string, are left out.
pub fn group_names(ast: &Ast, attr: &Attr) -> Vec<(String, u32)> {
    let names = attr.args.iter().filter_map(|&arg| match &ast[arg].kind {
        ExprKind::String(parts) if parts.len() == 1 => {
            let text = parts[0].as_str().strip_prefix('"')?.strip_suffix('"')?;
            (!text.contains('\\')).then(|| (text.to_owned(), ast[arg].range.start))
        }
        _ => None,
    });
    names.collect()
}

/// The function groups on a statement.
pub fn groups_of_statement<'s>(ast: &'s Ast, stmt: &'s Stmt) -> impl Iterator<Item = &'s Attr> {
    // In front of a declaration they belong to the variables, which share them.
    let of_variable = match &stmt.kind {
        StmtKind::Decl(decls) => decls.first().map_or(&[][..], |&decl| &ast[decl].attrs),
        _ => &[],
    };
    stmt.attrs.iter().chain(of_variable).map(|&attr| &ast[attr]).filter(|attr| {
        attr.name.as_str() == "function_groups" && attr.namespace.is_none() && attr.syntax == AttrSyntax::Brackets
    })
}

/// Checks the pointers and groups in one body.
pub(crate) fn check_body(sema: &Sema<'_>, function: DeclId, layer: &Ast, facts: &Facts, is_templated: bool) {
    check_tables_are_tested(sema, function, layer, facts);
    let mut calls: Option<Vec<(TokenRange, CallKind)>> = None;
    for (_, stmt) in layer.own_stmts() {
        for attr in groups_of_statement(layer, stmt) {
            let calls = calls.get_or_insert_with(|| all_calls(sema, layer, facts));
            check_groups(sema, layer, stmt, attr, calls, is_templated);
        }
    }
    for (_, decl) in layer.own_decls() {
        if let DeclKind::Variable(variable) = &decl.kind
            && let Init::Assign(init) = variable.init
        {
            check_address(sema, layer, facts, init);
        }
    }
    for (_, expr) in layer.own_exprs() {
        if let ExprKind::Assign { op: None, rhs, .. } = expr.kind {
            check_address(sema, layer, facts, rhs);
        }
    }
}

fn all_calls(sema: &Sema<'_>, layer: &Ast, facts: &Facts) -> Vec<(TokenRange, CallKind)> {
    let calls = layer.own_exprs().filter_map(|(id, expr)| match &expr.kind {
        ExprKind::Call { callee, .. } => Some((expr.range, sema.call_kind(facts, id, *callee))),
        _ => None,
    });
    calls.collect()
}

/// The groups of a statement: their names, what they stand on, whether there is a call to restrict.
fn check_groups(
    sema: &Sema<'_>,
    ast: &Ast,
    stmt: &Stmt,
    attr: &Attr,
    calls: &[(TokenRange, CallKind)],
    is_templated: bool,
) {
    let report = |severity: Option<Severity>, range: TokenRange, message: String| {
        sema.report(|| TyDiagnostic {
            code: Code::FunctionPointerMisuse,
            severity,
            range,
            message,
            related: Vec::new(),
            fixes: Vec::new(),
        });
    };
    let names = group_names(ast, attr);
    for (index, (name, token)) in names.iter().enumerate() {
        let range = TokenRange::new(*token, token + 1);
        if names[..index].iter().any(|(before, _)| before == name) {
            report(Some(Severity::Warning), range, format!("the group `{name}` is named twice (MSL spec §2.16)"));
        }
    }
    let takes_groups = match &stmt.kind {
        StmtKind::Expr(_) => true,
        StmtKind::Return(value) => value.is_some(),
        StmtKind::Decl(decls) => decls.iter().any(|&decl| match &ast[decl].kind {
            DeclKind::Variable(variable) => !matches!(variable.init, Init::None),
            DeclKind::StructuredBinding { init, .. } => init.is_some(),
            _ => false,
        }),
        StmtKind::Error => return,
        _ => false,
    };
    if !takes_groups {
        let message = "`function_groups` is for a variable with an initialiser, an expression or a `return` with a \
                       value: it covers the indirect calls in there (MSL spec §2.16)";
        report(None, attr.range, message.to_owned());
        return;
    }
    let inside = calls.iter().filter(|(range, _)| range.start >= stmt.range.start && range.end <= stmt.range.end);
    let mut kinds = inside.map(|(_, kind)| kind);
    // What a template calls may be a pointer in an instance.
    if is_templated || kinds.any(|kind| *kind != CallKind::Direct) {
        return;
    }
    let message = "`function_groups` restricts calls through function pointers, and this statement has none (MSL spec \
                   §2.16)";
    report(Some(Severity::Warning), attr.range, message.to_owned());
}

/// A pointer to a function that no handle reaches: only visible functions can be called through pointers.
fn check_address(sema: &Sema<'_>, ast: &Ast, facts: &Facts, expr: ExprId) {
    let mut expr = expr;
    loop {
        expr = match &ast[expr].kind {
            ExprKind::Paren(inner) => *inner,
            ExprKind::Unary { op: UnaryOp::AddrOf, operand, .. } => *operand,
            _ => break,
        };
    }
    let ExprKind::Path(path) = &ast[expr].kind else { return };
    let Some(last) = path.last() else { return };
    let Some([item]) = facts.refs.get(&last.token).map(|items| items.as_slice()) else { return };
    let DeclKind::Function(function) = &sema.ast[item.decl].kind else { return };
    if sema.is_library(item.decl) || item.bind != BindId::NONE || function.role != FunctionRole::Plain {
        return;
    }
    // Any declaration may carry the attribute.
    let same = sema.definition(*item).into_iter().chain([*item]).any(|item| sema.is_visible(item.decl));
    if same || sema.stage_of(item.decl).is_some() || sema.class_of(*item).is_some() {
        return;
    }
    let Some(name) = sema.decl_name(item.decl) else { return };
    let first = sema.ast[item.decl].range.start;
    sema.report(|| TyDiagnostic {
        code: Code::FunctionNotVisible,
        severity: None,
        range: TokenRange::new(last.token, last.token + 1),
        message: format!(
            "`{name}` is not `[[visible]]`: a pointer to it can only be called where the compiler sees what it points to \
             (MSL spec §5.1.4)"
        ),
        related: vec![(crate::attributes::name_range(sema, item.decl), "declared here".to_owned())],
        fixes: vec![TokenFix {
            title: "Add `[[visible]]`".to_owned(),
            preferred: false,
            edits: vec![TokenEdit {
                range: TokenRange::new(first, first),
                after: false,
                text: "[[visible]] ".to_owned(),
            }],
        }],
    });
}

/// A table that an entry point calls through without asking whether it is there or how many functions it has.
fn check_tables_are_tested(sema: &Sema<'_>, function: DeclId, layer: &Ast, facts: &Facts) {
    if sema.stage_of(function).is_none() {
        return;
    }
    let variable_of = |expr: ExprId| match &layer[expr].kind {
        ExprKind::Path(path) => match facts.refs.get(&path.last()?.token)?.as_slice() {
            [item] => sema.table_signature(sema.variable_type(*item)).map(|_| item.decl),
            _ => None,
        },
        _ => None,
    };
    let mut called: Vec<(DeclId, TokenRange)> = Vec::new();
    let mut tested: Vec<DeclId> = Vec::new();
    for (_, expr) in layer.own_exprs() {
        match &expr.kind {
            ExprKind::Index { base, .. } => {
                if let Some(table) = variable_of(*base)
                    && !called.iter().any(|(other, _)| *other == table)
                {
                    called.push((table, expr.range));
                }
            }
            ExprKind::Member { base, .. } => tested.extend(variable_of(*base)),
            // `is_null_visible_function_table`, and helpers of the program's own.
            ExprKind::Call { args, .. } => tested.extend(args.iter().filter_map(|&arg| variable_of(arg))),
            _ => {}
        }
    }
    for (table, range) in called.into_iter().filter(|(table, _)| !tested.contains(table)) {
        let Some(name) = sema.decl_name(table) else { continue };
        sema.report(|| TyDiagnostic {
            code: Code::UncheckedFunctionTable,
            severity: Some(Severity::Hint),
            range,
            message: format!(
                "nothing tests whether `{name}` is bound: `is_null_visible_function_table({name})` or `{name}.empty()` \
                 (MSL spec §2.15)"
            ),
            related: Vec::new(),
            fixes: Vec::new(),
        });
    }
}

/// Parameters of a signature that are generic pointers: the space of what they point to is not known on the other side
/// of the link.
fn check_generic_parameters(sema: &Sema<'_>, range: TokenRange, what: &str, parameters: &[QualTy]) {
    let is_generic = |ty: &QualTy| match sema.kind(ty.ty) {
        TyKind::Pointer(inner) | TyKind::LRef(inner) | TyKind::RRef(inner) => inner.space == Space::Generic,
        _ => false,
    };
    let Some(ty) = parameters.iter().find(|ty| is_generic(ty)) else { return };
    sema.report(|| TyDiagnostic {
        code: Code::GenericPointerAcrossLink,
        severity: None,
        range,
        message: format!(
            "{what} takes `{}`, a generic pointer: no caller is known where it is compiled, so each access through it \
             asks for the address space at run time; name the address space where it is always the same",
            sema.spell(*ty)
        ),
        related: Vec::new(),
        fixes: Vec::new(),
    });
}

/// Pointers in the signature of a table need an address space before 4.1, like all others.
fn check_spaces(sema: &Sema<'_>, table: DeclId, parameters: &[QualTy]) {
    let lacks_space = |ty: &QualTy| match sema.kind(ty.ty) {
        TyKind::Pointer(inner) | TyKind::LRef(inner) | TyKind::RRef(inner) => {
            matches!(inner.space, Space::None | Space::Unknown) && !matches!(sema.kind(inner.ty), TyKind::Function(_))
        }
        _ => false,
    };
    let Some(ty) = parameters.iter().find(|ty| lacks_space(ty)).filter(|_| !sema.generic()) else { return };
    sema.report(|| TyDiagnostic {
        code: Code::MissingAddressSpace,
        severity: None,
        range: crate::attributes::name_range(sema, table),
        message: format!(
            "`{}` in the signature of this table needs an address space before Metal 4.1 (MSL spec §4)",
            sema.spell(*ty)
        ),
        related: Vec::new(),
        fixes: Vec::new(),
    });
}

/// Checks the tables among the parameters of an entry point.
pub(crate) fn check_tables(sema: &Sema<'_>, item: DeclRef) {
    for param in &sema.signature(item).params {
        if let Some(signature) = sema.table_signature(param.ty)
            && sema.ast[param.decl].name_token != 0
        {
            check_spaces(sema, param.decl, &signature.params);
            check_generic_parameters(
                sema,
                crate::attributes::name_range(sema, param.decl),
                "this table",
                &signature.params,
            );
        }
    }
}

/// Checks what is declared as a visible function.
pub(crate) fn check_function(sema: &Sema<'_>, item: DeclRef, function: &Function) {
    let Some(attr) = sema.ast[item.decl]
        .attrs
        .iter()
        .map(|&attr| &sema.ast[attr])
        .find(|attr| matches!(attr.name.as_str(), "visible" | "stitchable") && written(attr).is_some())
    else {
        return;
    };
    let name = attr.name;
    let report = |severity: Option<Severity>, message: String| {
        sema.report(|| TyDiagnostic {
            code: Code::FunctionPointerMisuse,
            severity,
            range: attr.range,
            message,
            related: Vec::new(),
            fixes: Vec::new(),
        });
    };
    if let Some(stage) = sema.stage_of(item.decl) {
        report(None, format!("a {} function cannot be `[[{name}]]` as well (MSL spec §5.1.4)", stage.word()));
    } else if sema.class_of(item).is_some() || function.role != FunctionRole::Plain {
        report(None, format!("a member function cannot be `[[{name}]]`: it has no handle (MSL spec §5.1.4)"));
    } else if let Some(ty) = sema.function_type(item) {
        let range = crate::attributes::name_range(sema, item.decl);
        check_generic_parameters(sema, range, "this visible function", &ty.params);
    }
}
