//! Imageblocks (MSL spec §5.6): what their structures cannot hold.

use msl_diagnostics::Code;
use msl_parser::ast::*;

use super::shapes::{is_library_class, known_record};
use super::{find_attr, finding, has_attr};
use crate::sema::{DeclRef, Sema};
use crate::store::*;

/// Checks a member that holds imageblock data.
pub(crate) fn check_member(sema: &Sema<'_>, item: DeclRef) {
    if has_attr(sema, item.decl, "imageblock_data") {
        check_guards(sema, sema.variable_type(item).ty);
    }
}

/// Checks a parameter that is an imageblock or its data.
pub(crate) fn check_parameter(sema: &Sema<'_>, item: DeclRef) {
    if has_attr(sema, item.decl, "imageblock_data") {
        check_guards(sema, sema.variable_type(item).ty);
        return;
    }
    let DeclKind::Variable(variable) = &sema.ast[item.decl].kind else { return };
    // Most parameters are plainly something else.
    if !matches!(&sema.ast[variable.ty].kind, TypeKind::Path { .. } | TypeKind::Qualified { .. }) {
        return;
    }
    let ty = sema.variable_type(item).ty;
    if !sema.store().is_solid(ty) || !is_library_class(sema, ty, &["imageblock"]) {
        return;
    }
    if let TyKind::Record(_, bind) = sema.kind(ty)
        && let Some(TArg::Type(data)) = sema.store().bindings(*bind).args.first()
    {
        check_guards(sema, data.ty);
    }
}

/// No member of an imageblock depends on a function constant (MSL spec §5.6.6).
fn check_guards(sema: &Sema<'_>, ty: Ty) {
    let Some(info) = known_record(sema, ty) else { return };
    for field in sema.fields(&info) {
        let Some(attr) = find_attr(sema, field.decl, "function_constant") else { continue };
        sema.report(|| {
            finding(
                Code::FunctionConstant,
                attr.range,
                "a member of an imageblock cannot depend on a function constant (MSL spec §5.6.6)",
            )
        });
    }
}
