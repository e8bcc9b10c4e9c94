//! Function constants (MSL spec §5.8): values that are known when the pipeline is made, not when the shader is
//! compiled.

use msl_diagnostics::Code;
use msl_parser::ast::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::arguments::{Number, mentions_function_constant, number};
use super::shapes::spec_of;
use super::{find_attr, finding, name_range, quoted_name, replace};
use crate::sema::{Cx, DeclRef, Sema, TokenEdit, TokenFix};
use crate::store::*;

/// The greatest index.
const MAX_INDEX: i128 = 65_535;

/// Checks the declaration of a function constant.
pub(crate) fn check_declared(sema: &Sema<'_>, item: DeclRef, variable: &Variable) {
    let Some(attr) = find_attr(sema, item.decl, "function_constant") else { return };
    let name = quoted_name(sema, item.decl);
    let report =
        |message: String| sema.report(|| finding(Code::FunctionConstant, name_range(sema, item.decl), message));
    if let [index] = &*attr.args {
        match number(sema, *index, sema.cx_of(item)) {
            Number::Known(index) if !(0..=MAX_INDEX).contains(&index) => sema.report(|| {
                finding(
                    Code::FunctionConstant,
                    attr.range,
                    format!("the index {index} of a function constant is out of range: it must be from 0 to {MAX_INDEX} (MSL spec §5.8.1)"),
                )
            }),
            Number::FunctionConstant | Number::NotConstant => sema.report(|| {
                finding(
                    Code::FunctionConstant,
                    attr.range,
                    format!("{name} needs an index that is a constant expression (MSL spec §5.8.1)"),
                )
            }),
            _ => {}
        }
    }
    if !matches!(variable.init, Init::None) {
        report(format!(
            "the function constant {name} cannot have an initialiser: the pipeline gives its value (MSL spec §5.8.1)"
        ));
    }
    let ty = sema.variable_type(item);
    if !sema.store().is_solid(ty.ty) {
        return;
    }
    let is_value = spec_of(sema, ty.ty).is_some() || matches!(sema.kind(ty.ty), TyKind::Enum(..));
    if !is_value {
        report(format!(
            "the function constant {name} has the type `{}`: it must be a scalar or a vector (MSL spec §5.8.1)",
            sema.spell(ty)
        ));
    }
    if ty.space != Space::Constant && ty.space != Space::Unknown && is_value {
        let start = sema.ast[item.decl].range.start;
        sema.report(|| {
            let mut found = finding(
                Code::ProgramScopeVariable,
                name_range(sema, item.decl),
                format!("the function constant {name} must be in the `constant` address space (MSL spec §5.8.1)"),
            );
            if ty.space == Space::None {
                found.fixes.push(TokenFix {
                    title: "Add `constant`".to_owned(),
                    preferred: true,
                    edits: vec![TokenEdit {
                        range: TokenRange::new(start, start),
                        after: false,
                        text: "constant ".to_owned(),
                    }],
                });
            }
            found
        });
    }
}

/// Checks that two function constants of the unit do not have one index.
pub(crate) fn check_unique(sema: &Sema<'_>, globals: &[DeclRef]) {
    let mut indices = Vec::new();
    for &item in globals {
        let Some(attr) = find_attr(sema, item.decl, "function_constant") else { continue };
        let [argument] = &*attr.args else { continue };
        if let Number::Known(index) = number(sema, *argument, sema.cx_of(item)) {
            indices.push((item, attr, *argument, index));
        }
    }
    let taken: FxHashSet<i128> = indices.iter().map(|&(.., index)| index).collect();
    let mut seen: FxHashMap<i128, DeclRef> = FxHashMap::default();
    for (item, attr, argument, index) in indices {
        match seen.get(&index) {
            // A second declaration of the same variable, as two headers may have one.
            Some(first) if sema.decl_name(first.decl) == sema.decl_name(item.decl) => {}
            Some(first) => sema.report(|| {
                let mut found = finding(
                    Code::FunctionConstant,
                    attr.range,
                    format!(
                        "{} and {} are both function constant {index} (MSL spec §5.8.1)",
                        quoted_name(sema, first.decl),
                        quoted_name(sema, item.decl)
                    ),
                );
                found.related.push((name_range(sema, first.decl), "the first one".to_owned()));
                let free = (0..=MAX_INDEX).find(|index| !taken.contains(index));
                if let Some(free) = free {
                    let range = sema.ast[argument].range;
                    found.fixes.push(replace(format!("Use the free index {free}"), range, free.to_string()));
                }
                found
            }),
            None => {
                seen.insert(index, item);
            }
        }
    }
}

/// Checks that no array bound or template argument of a variable's type depends on a function constant.
pub(crate) fn check_not_in_type(sema: &Sema<'_>, item: DeclRef, variable: &Variable) {
    check_type_node(sema, variable.ty, sema.cx_of(item), 16);
}

fn check_type_node(sema: &Sema<'_>, node: TypeId, cx: Cx, fuel: u32) {
    let Some(fuel) = fuel.checked_sub(1) else { return };
    match &sema.ast[node].kind {
        TypeKind::Qualified { inner, .. }
        | TypeKind::Pointer(inner)
        | TypeKind::LRef(inner)
        | TypeKind::RRef(inner) => check_type_node(sema, *inner, cx, fuel),
        TypeKind::Array { elem, len } => {
            if let Some(len) = len {
                check_constant(sema, *len, "the length of an array", cx);
            }
            check_type_node(sema, *elem, cx, fuel);
        }
        TypeKind::Path { path, .. } => {
            for segment in &path.segments {
                for arg in segment.args.iter().flatten() {
                    match arg.kind {
                        TemplateArgKind::Type(inner) => check_type_node(sema, inner, cx, fuel),
                        TemplateArgKind::Expr(expr) => check_constant(sema, expr, "a template argument", cx),
                    }
                }
            }
        }
        _ => {}
    }
}

fn check_constant(sema: &Sema<'_>, expr: ExprId, what: &str, cx: Cx) {
    let Some(constant) = mentions_function_constant(sema, expr, cx, 24) else { return };
    // `is_function_constant_defined(c) ? 4 : 4` and the like stay what they are: only a value that is known is fine.
    if matches!(number(sema, expr, cx), Number::Known(_)) {
        return;
    }
    let constant_name = quoted_name(sema, constant);
    sema.report(|| {
        let mut found = finding(
            Code::FunctionConstant,
            sema.ast[expr].range,
            format!(
                "{what} must be known when the shader is compiled, but the function constant {constant_name} gets its value when the pipeline is made (MSL spec §5.8.1)"
            ),
        );
        found.related.push((name_range(sema, constant), "the function constant".to_owned()));
        found
    });
}
