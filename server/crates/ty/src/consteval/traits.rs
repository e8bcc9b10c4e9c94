//! `sizeof` and the compiler's questions about types.

use msl_intern::Name;
use msl_parser::ast::*;

use super::{Evaluator, Value};
use crate::lookup::Key;
use crate::sema::{Cx, Sema};
use crate::store::*;

impl<'a> Evaluator<'_, 'a> {
    pub(super) fn size(&self, ty: QualTy, op: SizeofOp) -> Value {
        let sema = self.sema;
        if sema.store().is_dependent(ty.ty) {
            return Value::Dependent;
        }
        match sema.layout(sema.strip_ref(ty).ty) {
            Some((size, align)) => {
                let value = match op {
                    SizeofOp::Sizeof => size,
                    SizeofOp::Alignof => align,
                };
                Value::Known(Const::Int(value.into()))
            }
            None => Value::Unknown,
        }
    }

    pub(super) fn pack_size(&self, pack: Name) -> Value {
        let sema = self.sema;
        let found = sema.lookup(Key::Name(pack), self.cx);
        let Some(&item) = found.items.first() else { return Value::Unknown };
        match sema.binding(item.decl, self.cx.bind) {
            Some(TArg::Pack(args)) if !args.iter().any(|arg| matches!(arg, TArg::Expansion(_))) => {
                Value::Known(Const::Int(args.len() as i128))
            }
            Some(_) => Value::Dependent,
            None => match &sema.ast[item.decl].kind {
                // A function parameter pack has as many elements as the packs in its type.
                DeclKind::Variable(variable) if variable.kind == VariableKind::Param => {
                    match sema.expand_binds(sema.ast[variable.ty].range, self.cx) {
                        Some(binds) => Value::Known(Const::Int(binds.len() as i128)),
                        None => Value::Dependent,
                    }
                }
                _ => Value::Dependent,
            },
        }
    }

    pub(super) fn trait_value(&mut self, name: Name, args: &[TypeId]) -> Value {
        let sema = self.sema;
        let mut types: Vec<QualTy> = Vec::with_capacity(args.len());
        for &arg in args {
            if let TypeKind::Pack(inner) = &sema.ast[arg].kind {
                match sema.expand_binds(sema.ast[*inner].range, self.cx) {
                    Some(binds) => {
                        types.extend(binds.into_iter().map(|bind| sema.resolve_type(*inner, Cx { bind, ..self.cx })))
                    }
                    None => return Value::Dependent,
                }
                continue;
            }
            types.push(sema.resolve_type(arg, self.cx));
        }
        if types.iter().any(|ty| sema.store().is_dependent(ty.ty)) {
            return Value::Dependent;
        }
        // What can't be called at all needs no look at the arguments.
        if name.as_str() == "__is_invocable"
            && let Some(&callee) = types.first()
        {
            return if may_be_called(sema, callee) { Value::Unknown } else { Value::Known(Const::Int(0)) };
        }
        if types.iter().any(|ty| sema.store().is_unknown(ty.ty)) {
            return Value::Unknown;
        }
        let Some(&first) = types.first() else { return Value::Unknown };
        let kind = sema.kind(first.ty);
        let scalar = match kind {
            TyKind::Scalar(scalar) => Some(*scalar),
            _ => None,
        };
        let truth = match name.as_str() {
            "__is_same" | "__is_same_as" => types.get(1) == Some(&first),
            "__is_convertible" | "__is_convertible_to" => {
                let Some(&to) = types.get(1) else { return Value::Unknown };
                if to.ty == Ty::VOID {
                    first.ty == Ty::VOID
                } else {
                    match sema.convert(&crate::expr::ExprInfo::of_declval(sema, first), to) {
                        crate::convert::Converts::Yes(_) => true,
                        crate::convert::Converts::No(_) => false,
                        crate::convert::Converts::Unsure => return Value::Unknown,
                    }
                }
            }
            "__is_enum" => matches!(kind, TyKind::Enum(..)),
            "__is_class" => match kind {
                TyKind::Record(decl, _) => {
                    !matches!(&sema.ast[*decl].kind, DeclKind::Record(record) if record.key == RecordKey::Union)
                }
                _ => false,
            },
            "__is_union" => match kind {
                TyKind::Record(decl, _) => {
                    matches!(&sema.ast[*decl].kind, DeclKind::Record(record) if record.key == RecordKey::Union)
                }
                _ => false,
            },
            "__is_integral" => scalar.is_some_and(Scalar::is_integer),
            "__is_floating_point" => scalar.is_some_and(Scalar::is_float),
            "__is_arithmetic" => scalar.is_some(),
            "__is_scalar" => {
                scalar.is_some() || matches!(kind, TyKind::Enum(..) | TyKind::Pointer(_) | TyKind::NullPtr)
            }
            "__is_vector" => matches!(kind, TyKind::Vector(..)),
            "__is_signed" => scalar.is_some_and(Scalar::is_signed),
            "__is_unsigned" => scalar.is_some_and(|scalar| !scalar.is_signed()),
            "__is_function" => matches!(kind, TyKind::Function(_)),
            "__is_pointer" => matches!(kind, TyKind::Pointer(_)),
            "__is_array" => matches!(kind, TyKind::Array(..)),
            "__is_void" => first.ty == Ty::VOID,
            "__is_const" => first.is_const(),
            "__is_volatile" => first.cv.contains(Cv::VOLATILE),
            "__is_reference" => sema.is_ref(first.ty),
            "__is_lvalue_reference" => matches!(kind, TyKind::LRef(_)),
            "__is_rvalue_reference" => matches!(kind, TyKind::RRef(_)),
            "__is_base_of" => {
                let Some(&derived) = types.get(1) else { return Value::Unknown };
                if first.ty == derived.ty && matches!(kind, TyKind::Record(..)) {
                    true
                } else {
                    match sema.derives_from(derived.ty, first.ty) {
                        Some(truth) => truth,
                        None if !matches!(sema.kind(derived.ty), TyKind::Record(..)) => false,
                        None => return Value::Unknown,
                    }
                }
            }
            _ => return Value::Unknown,
        };
        Value::Known(Const::Int(truth.into()))
    }
}

/// Whether values of a type may have a call operator: functions, pointers to them, closures and classes that declare it.
fn may_be_called(sema: &Sema<'_>, callee: QualTy) -> bool {
    match sema.kind(sema.strip_ref(callee).ty) {
        TyKind::Pointer(pointee) => match sema.kind(pointee.ty) {
            TyKind::Function(_) => true,
            _ => !sema.store().is_solid(pointee.ty),
        },
        TyKind::Record(..) => {
            let found = sema.members_by(sema.strip_ref(callee).ty, Key::Operator(OverloadedOp::Call));
            found.uncertain || !found.items.is_empty()
        }
        TyKind::Void
        | TyKind::NullPtr
        | TyKind::Scalar(_)
        | TyKind::Vector(..)
        | TyKind::Packed(..)
        | TyKind::Matrix(..)
        | TyKind::Array(..)
        | TyKind::Enum(..)
        | TyKind::MemberPointer(..) => false,
        _ => true,
    }
}
