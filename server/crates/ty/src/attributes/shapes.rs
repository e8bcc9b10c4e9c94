//! Which types an attribute admits, and what kind of resource a type is.

use msl_builtins::attributes::{Allowed, Stages};
use msl_builtins::sets::TypeSpec;
use msl_parser::ast::*;

use crate::record::RecordInfo;
use crate::sema::{DeclRef, Sema, TokenFix};
use crate::store::*;

/// The resources that have a table of slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resource {
    /// A pointer or reference to `device` or `constant`.
    Buffer,
    Texture,
    Sampler,
    /// A pointer or reference to `threadgroup`.
    Threadgroup,
    /// Acceleration structures, function tables, tensors and what else the library binds as it does buffers.
    Opaque,
}

/// A type as a resource: what it is and how many slots it takes; `None` for the count where that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ResourceShape {
    pub(crate) resource: Resource,
    pub(crate) count: Option<u64>,
}

/// The resource that a solid type is; `None` for values, for classes of the program, and for what is not known.
pub(crate) fn resource_shape(sema: &Sema<'_>, ty: QualTy) -> Option<ResourceShape> {
    if !sema.store().is_solid(ty.ty) {
        return None;
    }
    let one = |resource| Some(ResourceShape { resource, count: Some(1) });
    match sema.kind(ty.ty) {
        TyKind::Pointer(inner) | TyKind::LRef(inner) => match inner.space {
            Space::Device | Space::Constant => one(Resource::Buffer),
            Space::Threadgroup => one(Resource::Threadgroup),
            _ => None,
        },
        TyKind::Array(elem, len) => {
            let inner = resource_shape(sema, *elem)?;
            let count = match len {
                ArrayLen::Known(len) => inner.count.and_then(|count| count.checked_mul(*len)),
                _ => None,
            };
            Some(ResourceShape { count, ..inner })
        }
        TyKind::Record(decl, bind) if sema.is_metal_library(*decl) => {
            let name = sema.decl_name(*decl)?;
            match name.as_str() {
                "array" => {
                    let args = &sema.store().bindings(*bind).args;
                    let TArg::Type(elem) = args.first()? else { return None };
                    let inner = resource_shape(sema, *elem)?;
                    let count = match args.get(1) {
                        Some(TArg::Value { value: Const::Int(len), .. }) => {
                            u64::try_from(*len).ok().and_then(|len| inner.count?.checked_mul(len))
                        }
                        _ => None,
                    };
                    Some(ResourceShape { count, ..inner })
                }
                "sampler" => one(Resource::Sampler),
                "acceleration_structure"
                | "visible_function_table"
                | "intersection_function_table"
                | "tensor"
                | "command_buffer"
                | "render_pipeline_state"
                | "compute_pipeline_state"
                | "depth_stencil_state" => one(Resource::Opaque),
                name if is_texture_class(name) => one(Resource::Texture),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether the library's class of this name is a texture (MSL spec §2.9). All of them, and nothing else in the
/// library, begin with these words and a digit, `cube` or `_buffer`.
fn is_texture_class(name: &str) -> bool {
    ["texture", "depth"].iter().any(|prefix| {
        name.strip_prefix(prefix)
            .is_some_and(|rest| rest.starts_with(['1', '2', '3']) || rest.starts_with("cube") || rest == "_buffer")
    })
}

/// Whether a type is a class of the library with one of these names.
pub(crate) fn is_library_class(sema: &Sema<'_>, ty: Ty, names: &[&str]) -> bool {
    match sema.kind(ty) {
        TyKind::Record(decl, _) if sema.is_metal_library(*decl) => {
            sema.decl_name(*decl).is_some_and(|name| names.contains(&name.as_str()))
        }
        _ => false,
    }
}

/// The class of the program that a type is, with its definition, unless something in it is not known.
pub(crate) fn known_record(sema: &Sema<'_>, ty: Ty) -> Option<std::sync::Arc<RecordInfo>> {
    if !sema.store().is_solid(ty) {
        return None;
    }
    let TyKind::Record(decl, _) = sema.kind(ty) else { return None };
    if sema.is_library(*decl) {
        return None;
    }
    let info = sema.record_info(ty)?;
    (info.scope.is_some() && !info.uncertain).then_some(info)
}

/// The data members of a class, those of its bases first, with unnamed structures and unions looked through; `None`
/// where a base is not known.
pub(crate) fn all_fields(sema: &Sema<'_>, info: &RecordInfo) -> Option<Vec<(DeclRef, QualTy)>> {
    let mut fields = Vec::new();
    let mut fuel = 64;
    collect_fields(sema, info, &mut fields, &mut fuel).then_some(fields)
}

fn collect_fields(sema: &Sema<'_>, info: &RecordInfo, fields: &mut Vec<(DeclRef, QualTy)>, fuel: &mut u32) -> bool {
    if *fuel == 0 {
        return false;
    }
    *fuel -= 1;
    for &base in &info.bases {
        let Some(base) = known_record(sema, base) else { return false };
        if !collect_fields(sema, &base, fields, fuel) {
            return false;
        }
    }
    let DeclKind::Record(record) = &sema.ast[info.decl].kind else { return false };
    for &member in &record.members {
        match &sema.ast[member].kind {
            DeclKind::Variable(variable) if variable.kind == VariableKind::Field => {
                if sema.ast[member].specs.contains(Specs::STATIC) {
                    continue;
                }
                let item = DeclRef { decl: member, bind: info.bind };
                fields.push((item, sema.variable_type(item)));
            }
            // The members of an unnamed structure are members of this one.
            DeclKind::Record(inner) if inner.name.is_empty() => return false,
            _ => {}
        }
    }
    true
}

/// Whether a type is among those that an attribute admits; `None` if that is not certain.
pub(crate) fn admits(sema: &Sema<'_>, allowed: &[Allowed], ty: QualTy, stages: Stages) -> Option<bool> {
    if allowed.is_empty() {
        return Some(true);
    }
    if !sema.store().is_solid(ty.ty) {
        return None;
    }
    let mut all_certain = true;
    for &one in allowed {
        match admits_one(sema, one, ty, stages) {
            Some(true) => return Some(true),
            Some(false) => {}
            None => all_certain = false,
        }
    }
    all_certain.then_some(false)
}

fn admits_one(sema: &Sema<'_>, allowed: Allowed, ty: QualTy, stages: Stages) -> Option<bool> {
    let kind = sema.kind(ty.ty);
    let is_library_record = matches!(kind, TyKind::Record(decl, _) if sema.is_library(*decl));
    let shape = resource_shape(sema, ty);
    match allowed {
        Allowed::Type(..) | Allowed::ScalarOrVector(_) => match kind {
            TyKind::Scalar(_) | TyKind::Vector(..) => {
                let own = spec_of(sema, ty.ty)?;
                Some(allowed.specs().iter().any(|spec| spec.scalar.name() == own.0.name() && spec.width == own.1))
            }
            // The library wraps values in classes of its own: interpolants, pixel formats, uniform values.
            TyKind::Record(..) if is_library_record && shape.is_none() => None,
            TyKind::Enum(..) => None,
            _ => Some(false),
        },
        Allowed::FloatArray => match kind {
            TyKind::Array(elem, _) => Some(elem.ty == Ty::FLOAT),
            TyKind::Record(..) if is_library_record && shape.is_none() => None,
            _ => Some(false),
        },
        Allowed::FloatMatrix(columns, rows) => match kind {
            TyKind::Matrix(scalar, own_columns, own_rows) => {
                Some(*scalar == Scalar::Float && (*own_columns, *own_rows) == (columns, rows))
            }
            TyKind::Record(..) if is_library_record => None,
            _ => Some(false),
        },
        Allowed::UintArrayRef => match kind {
            TyKind::Record(..) => None,
            _ => Some(false),
        },
        Allowed::Structure => match kind {
            TyKind::Record(..) if is_library_record && shape.is_none() => None,
            TyKind::Record(..) if shape.is_none() => Some(true),
            // A reference to imageblock data is judged by the rules of address spaces.
            TyKind::LRef(_) | TyKind::Pointer(_) => None,
            _ => Some(false),
        },
        Allowed::Buffer => match shape.map(|shape| shape.resource) {
            Some(Resource::Buffer | Resource::Opaque) => Some(true),
            Some(Resource::Texture | Resource::Sampler | Resource::Threadgroup) => Some(false),
            None => match kind {
                // A missing space, or one that no parameter of the stage can have, is another check's finding.
                TyKind::Pointer(_) | TyKind::LRef(_) | TyKind::RRef(_) | TyKind::Array(..) => None,
                TyKind::Record(..) if is_library_record => None,
                _ => Some(false),
            },
        },
        Allowed::Texture | Allowed::Sampler => {
            let wanted = if allowed == Allowed::Texture { Resource::Texture } else { Resource::Sampler };
            match shape.map(|shape| shape.resource) {
                Some(own) if own == wanted => Some(true),
                Some(_) => Some(false),
                None => match kind {
                    TyKind::Record(..) if is_library_record => None,
                    TyKind::Array(..) | TyKind::LRef(_) | TyKind::RRef(_) => None,
                    _ => Some(false),
                },
            }
        }
        Allowed::ThreadgroupPointer => match shape.map(|shape| shape.resource) {
            Some(Resource::Threadgroup) => Some(true),
            Some(_) => Some(false),
            None => match kind {
                TyKind::Pointer(_) | TyKind::LRef(_) | TyKind::RRef(_) | TyKind::Array(..) => None,
                TyKind::Record(..) if is_library_record => None,
                _ => Some(false),
            },
        },
        Allowed::PayloadReference => match kind {
            TyKind::Pointer(inner) | TyKind::LRef(inner) => match inner.space {
                Space::RayData => Some(stages.intersects(Stages::INTERSECTION)),
                Space::ObjectData => Some(stages.intersects(Stages::OBJECT.or(Stages::MESH))),
                Space::Unknown | Space::Generic => None,
                _ => Some(false),
            },
            TyKind::Record(..) if is_library_record => None,
            _ => Some(false),
        },
        Allowed::ConstDevicePointer => match kind {
            TyKind::Pointer(inner) | TyKind::LRef(inner) => match inner.space {
                Space::Device => Some(inner.is_const()),
                Space::Unknown | Space::Generic => None,
                _ => Some(false),
            },
            TyKind::Record(..) if is_library_record => None,
            _ => Some(false),
        },
        Allowed::FloatReference => match kind {
            TyKind::LRef(inner) if inner.ty == Ty::FLOAT => match inner.space {
                Space::RayData | Space::Thread => Some(true),
                _ => None,
            },
            TyKind::LRef(_) | TyKind::Pointer(_) => None,
            _ => Some(false),
        },
    }
}

/// Element type and width of a scalar or vector.
pub(crate) fn spec_of(sema: &Sema<'_>, ty: Ty) -> Option<(Scalar, u8)> {
    match sema.kind(ty) {
        TyKind::Scalar(scalar) => Some((*scalar, 1)),
        TyKind::Vector(scalar, width) => Some((*scalar, *width)),
        _ => None,
    }
}

/// What a group of types is called in a message.
pub(crate) fn describe(allowed: &[Allowed]) -> String {
    let mut words: Vec<String> = Vec::new();
    for one in allowed {
        let word = match one {
            Allowed::Type(..) | Allowed::FloatMatrix(..) | Allowed::UintArrayRef => format!("`{}`", one.describe()),
            _ => one.describe(),
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    super::list(&words, "or")
}

/// A fix that writes the type that is due: the one of the same width if there is such a one, else the widest.
pub(crate) fn type_fix(sema: &Sema<'_>, allowed: &[Allowed], written: TypeId, ty: QualTy) -> Option<TokenFix> {
    let range = plain_type_range(sema, written)?;
    let (scalar, width) = spec_of(sema, ty.ty)?;
    let mut specs: Vec<TypeSpec> = allowed.iter().flat_map(|one| one.specs()).collect();
    specs.dedup();
    let of_width: Vec<&TypeSpec> = specs.iter().filter(|spec| spec.width == width).collect();
    // Of `ushort` and `uint` the latter is never too small; a floating type stays one if it can.
    let same_kind = of_width.iter().rev().find(|spec| {
        let is_float = matches!(spec.scalar.name(), "half" | "float" | "bfloat");
        is_float == scalar.is_float() && spec.scalar.name() != "bfloat"
    });
    let spec = same_kind.copied().or_else(|| of_width.last().copied()).or_else(|| specs.last())?;
    let name = Allowed::Type(spec.scalar, spec.width).describe();
    let mut fix = super::replace(format!("Change the type to `{name}`"), range, name);
    fix.preferred = spec.width == width || specs.len() == 1;
    Some(fix)
}

/// The tokens of a type that is a name or keywords, without qualifiers and declarators.
pub(crate) fn plain_type_range(sema: &Sema<'_>, node: TypeId) -> Option<TokenRange> {
    match &sema.ast[node].kind {
        TypeKind::Qualified { inner, .. } => plain_type_range(sema, *inner),
        TypeKind::Path { .. } | TypeKind::Builtin(_) => Some(sema.ast[node].range),
        _ => None,
    }
}
