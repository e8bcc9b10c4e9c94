//! Functions that Apple's frameworks call: a parameter of a framework's type says which framework it is, and with that
//! what the function looks like.
//!
//! Only functions that the host can find count, those with `[[stitchable]]` or `[[visible]]`: others are called by the
//! program itself and take what they like.

use msl_diagnostics::Code;

use super::{finding, has_attr, name_range};
use crate::{
    sema::{DeclRef, Sema},
    signature::Signature,
    store::{Scalar, Ty, TyKind},
};

/// Checks a function that a framework may call.
pub(crate) fn check_function(sema: &Sema<'_>, item: DeclRef) {
    let is_found = |name| has_attr(sema, item.decl, name);
    if sema.env.library.frameworks().is_empty() || !is_found("stitchable") && !is_found("visible") {
        return;
    }
    if crate::check::is_templated(sema, item.decl) {
        return;
    }
    let signature = sema.signature(item);
    let is_known = |ty| sema.store().is_solid(ty);
    if signature.unknown || !is_known(signature.ret.ty) || !signature.params.iter().all(|param| is_known(param.ty.ty)) {
        return;
    }
    let wrong = (0..signature.params.len()).find_map(|index| mistake(sema, &signature, index));
    if let Some(message) = wrong {
        sema.report(|| finding(Code::FrameworkSignature, name_range(sema, item.decl), message));
    }
}

/// What is wrong with a function that has a framework's type as the parameter of this index.
fn mistake(sema: &Sema<'_>, signature: &Signature, index: usize) -> Option<&'static str> {
    let params = &signature.params;
    let class = framework_class(sema, params[index].ty.ty)?;
    let is = |ty: Ty, scalar, width| ty == sema.store().vector(scalar, width);
    match class.as_str() {
        "SwiftUI::Layer" => {
            let fits = index == 1 && is(params[0].ty.ty, Scalar::Float, 2) && is(signature.ret.ty, Scalar::Half, 4);
            (!fits).then_some(
                "SwiftUI calls a layer effect as `half4 name(float2 position, SwiftUI::Layer layer, …)`, and finds no \
                 function of another form",
            )
        }
        "coreimage::destination" | "coreimage::group::destination" | "coreimage::group::destination_h" => (index + 1
            < params.len())
        .then_some("Core Image hands the destination over as the last parameter of a kernel"),
        "realitykit::surface_parameters" => (!is_alone(signature)).then_some(
            "RealityKit calls a surface shader as `void name(realitykit::surface_parameters params)`, and finds no \
             function of another form",
        ),
        "realitykit::geometry_parameters" => (!is_alone(signature)).then_some(
            "RealityKit calls a geometry modifier as `void name(realitykit::geometry_parameters params)`, and finds no \
             function of another form",
        ),
        _ => None,
    }
}

/// Whether a function has one parameter and no result.
fn is_alone(signature: &Signature) -> bool {
    signature.params.len() == 1 && signature.ret.ty == Ty::VOID
}

/// The name of the class that a type is, with its namespaces, if a framework header declares it.
fn framework_class(sema: &Sema<'_>, ty: Ty) -> Option<String> {
    let TyKind::Record(decl, _) = sema.kind(ty) else { return None };
    let name = sema.decl_name(*decl).filter(|_| sema.env.library.is_framework(*decl))?;
    Some(sema.qualified_name(*decl, name))
}
