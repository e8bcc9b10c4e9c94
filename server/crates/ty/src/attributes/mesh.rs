//! Mesh functions: the mesh that they fill (MSL spec §2.19, §5.1.8).

use msl_diagnostics::{Code, Severity};

use super::shapes::{all_fields, is_library_class, known_record, spec_of};
use super::{EntryParam, cautious, finding, name_range, stage_io};
use crate::sema::Sema;
use crate::store::*;

/// Checks the meshes among a mesh function's parameters; a function that exports none has none.
pub(crate) fn check(sema: &Sema<'_>, params: &[EntryParam<'_>]) {
    let is_mesh = |ty: Ty| is_library_class(sema, ty, &["mesh"]);
    let meshes: Vec<_> = params
        .iter()
        .filter(|param| sema.store().is_solid(param.ty.ty) && is_mesh(sema.strip_ref(param.ty).ty))
        .collect();
    if let [_, second, ..] = &*meshes {
        sema.report(|| {
            finding(
                Code::EntryPointSignature,
                name_range(sema, second.decl),
                "a mesh function has only one parameter of type `mesh<…>` (MSL spec §5.1.8)",
            )
        });
    }
    for mesh in meshes {
        let TyKind::Record(_, bind) = sema.kind(sema.strip_ref(mesh.ty).ty) else { continue };
        let args = &sema.store().bindings(*bind).args;
        let Some(TArg::Type(vertex)) = args.first() else { continue };
        check_mesh_vertex(sema, mesh, *vertex);
        if let Some(TArg::Type(primitive)) = args.get(1) {
            check_names_apart(sema, vertex.ty, primitive.ty);
        }
    }
}

fn check_mesh_vertex(sema: &Sema<'_>, mesh: &EntryParam<'_>, vertex: QualTy) {
    if let Some(spec) = spec_of(sema, vertex.ty) {
        if spec != (Scalar::Float, 4) {
            sema.report(|| {
                finding(
                    Code::StageInputOutput,
                    name_range(sema, mesh.decl),
                    format!(
                        "a vertex of a mesh is `float4` or a structure with `[[position]]`, not `{}` (MSL spec §2.19)",
                        sema.spell(vertex)
                    ),
                )
            });
        }
        return;
    }
    stage_io::check_has_position(sema, vertex, "a vertex of a mesh", "§2.19");
}

/// The fragment function gets the members of both classes under their names, so no name can be in both
/// (MSL spec §2.19.2).
fn check_names_apart(sema: &Sema<'_>, vertex: Ty, primitive: Ty) {
    let fields = |ty: Ty| known_record(sema, ty).and_then(|info| all_fields(sema, &info));
    let (Some(vertex), Some(primitive)) = (fields(vertex), fields(primitive)) else { return };
    for (field, _) in primitive {
        let name = sema.decl_name(field.decl);
        let Some((other, _)) = vertex.iter().find(|(other, _)| name.is_some() && sema.decl_name(other.decl) == name)
        else {
            continue;
        };
        sema.report(|| {
            let mut found = cautious(
                Code::StageInputOutput,
                Severity::Warning,
                name_range(sema, field.decl),
                format!(
                    "{} is a member of the mesh's vertices, too: the names must differ (MSL spec §2.19.2)",
                    super::quoted_name(sema, field.decl)
                ),
            );
            found.related.push((name_range(sema, other.decl), "the member of the vertices".to_owned()));
            found
        });
    }
}
