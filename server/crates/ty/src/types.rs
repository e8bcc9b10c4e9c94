//! Small questions about types: arithmetic shapes, decay, spelling.

use std::fmt::Write;

use msl_parser::ast::*;

use crate::sema::{DeclRef, Sema};
use crate::store::*;

/// The integer type of the same size with the given signedness; other types stay as they are.
pub fn with_sign(scalar: Scalar, signed: bool) -> Scalar {
    match (scalar, signed) {
        (Scalar::UChar | Scalar::Char, true) => Scalar::Char,
        (Scalar::UShort | Scalar::Short, true) => Scalar::Short,
        (Scalar::UInt | Scalar::Int, true) => Scalar::Int,
        (Scalar::ULong | Scalar::Long, true) => Scalar::Long,
        (Scalar::UChar | Scalar::Char, false) => Scalar::UChar,
        (Scalar::UShort | Scalar::Short, false) => Scalar::UShort,
        (Scalar::UInt | Scalar::Int, false) => Scalar::UInt,
        (Scalar::ULong | Scalar::Long, false) => Scalar::ULong,
        (other, _) => other,
    }
}

/// Integral promotion (C++ [conv.prom]); floating types are not promoted in Metal.
pub fn promoted(scalar: Scalar) -> Scalar {
    match scalar {
        Scalar::Bool | Scalar::Char | Scalar::UChar | Scalar::Short | Scalar::UShort => Scalar::Int,
        other => other,
    }
}

/// The common type of two scalar operands (C++ [expr.arith.conv] with MSL's floating types): `float` over `half` and
/// `bfloat`, floating over integer, else the integer rules. `None` for `half` with `bfloat`, which do not mix.
pub fn common_scalar(a: Scalar, b: Scalar) -> Option<Scalar> {
    use Scalar::*;
    if a == b && a.is_float() {
        return Some(a);
    }
    match (a, b) {
        (Float, _) | (_, Float) => return Some(Float),
        (Half, BFloat) | (BFloat, Half) => return None,
        (Half, _) | (_, Half) => return Some(Half),
        (BFloat, _) | (_, BFloat) => return Some(BFloat),
        _ => {}
    }
    let (a, b) = (promoted(a), promoted(b));
    if a == b {
        return Some(a);
    }
    Some(match (a, b) {
        (ULong, _) | (_, ULong) => ULong,
        (Long, _) | (_, Long) => Long,
        _ => UInt,
    })
}

impl<'a> Sema<'a> {
    /// The scalar of an arithmetic or enumeration type.
    pub fn as_scalar(&self, ty: Ty) -> Option<Scalar> {
        match self.kind(ty) {
            TyKind::Scalar(scalar) => Some(*scalar),
            TyKind::Enum(decl, bind) if !self.is_scoped_enum(*decl) => {
                match self.kind(self.underlying_type(*decl, *bind)) {
                    TyKind::Scalar(scalar) => Some(*scalar),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    pub fn is_scoped_enum(&self, decl: DeclId) -> bool {
        matches!(&self.ast[decl].kind, DeclKind::Enum(enumeration) if enumeration.scoped)
    }

    /// Element type and width of a vector, packed or not.
    pub fn as_vector(&self, ty: Ty) -> Option<(Scalar, u8)> {
        match self.kind(ty) {
            TyKind::Vector(scalar, width) | TyKind::Packed(scalar, width) => Some((*scalar, *width)),
            _ => None,
        }
    }

    /// The type without references.
    pub fn strip_ref(&self, ty: QualTy) -> QualTy {
        match self.kind(ty.ty) {
            TyKind::LRef(inner) | TyKind::RRef(inner) => *inner,
            _ => ty,
        }
    }

    pub fn is_ref(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TyKind::LRef(_) | TyKind::RRef(_))
    }

    pub fn pointee(&self, ty: Ty) -> Option<QualTy> {
        match self.kind(ty) {
            TyKind::Pointer(pointee) => Some(*pointee),
            _ => None,
        }
    }

    /// The type of a by-value copy: without reference, qualifiers and space; arrays and functions become pointers.
    pub fn decayed(&self, ty: QualTy) -> Ty {
        let ty = self.strip_ref(ty);
        match self.kind(ty.ty) {
            TyKind::Array(elem, _) => self.store().pointer(QualTy { space: ty.space, cv: elem.cv | ty.cv, ..*elem }),
            TyKind::Function(_) => self.store().pointer(ty.unqualified()),
            _ => ty.ty,
        }
    }

    pub(crate) fn map_scalar(&self, ty: QualTy, map: impl Fn(Scalar) -> Scalar) -> QualTy {
        let mapped = match self.kind(ty.ty) {
            TyKind::Scalar(scalar) => Ty::scalar(map(*scalar)),
            TyKind::Vector(scalar, width) => self.store().vector(map(*scalar), *width),
            TyKind::Packed(scalar, width) => self.store().intern(TyKind::Packed(map(*scalar), *width)),
            TyKind::Enum(decl, bind) => match self.kind(self.underlying_type(*decl, *bind)) {
                TyKind::Scalar(scalar) => Ty::scalar(map(*scalar)),
                _ => Ty::UNKNOWN,
            },
            _ => Ty::INVALID,
        };
        QualTy { ty: mapped, ..ty }
    }

    /// The element type of a vector or matrix; scalars are their own.
    pub(crate) fn map_element(&self, ty: QualTy) -> QualTy {
        let mapped = match self.kind(ty.ty) {
            TyKind::Vector(scalar, _) | TyKind::Packed(scalar, _) | TyKind::Matrix(scalar, ..) => Ty::scalar(*scalar),
            _ => ty.ty,
        };
        QualTy { ty: mapped, ..ty }
    }

    /// A type as MSL spells it: `const device float *`, `float4`, `texture2d<float, access::write>`. A generic
    /// pointee is spelled without a space.
    pub fn spell(&self, ty: QualTy) -> String {
        self.spell_with(ty, "")
    }

    /// A type with a declarator: `float (*f)(int)` for the name `f`.
    pub fn spell_with(&self, ty: QualTy, declarator: &str) -> String {
        self.deeper(|| self.spell_inner(ty, declarator.to_owned())).unwrap_or_else(|| "…".to_owned())
    }

    /// A type without its qualifiers.
    pub fn spell_ty(&self, ty: Ty) -> String {
        self.spell(QualTy::plain(ty))
    }

    fn spell_inner(&self, ty: QualTy, declarator: String) -> String {
        let mut quals = String::new();
        let is_indirect = matches!(self.kind(ty.ty), TyKind::Pointer(_) | TyKind::LRef(_) | TyKind::RRef(_));
        if ty.cv.contains(Cv::CONST) && ty.space != Space::Constant {
            quals.push_str("const ");
        }
        if ty.cv.contains(Cv::VOLATILE) {
            quals.push_str("volatile ");
        }
        if ty.cv.contains(Cv::COHERENT) {
            quals.push_str("coherent ");
        }
        if ty.space.is_named() {
            quals.push_str(ty.space.word());
            quals.push(' ');
        }
        let join = |base: &str, declarator: &str| {
            if declarator.is_empty() { base.to_owned() } else { format!("{base} {declarator}") }
        };
        match self.kind(ty.ty) {
            TyKind::Pointer(inner) | TyKind::LRef(inner) | TyKind::RRef(inner) => {
                let sign = match self.kind(ty.ty) {
                    TyKind::Pointer(_) => "*",
                    TyKind::LRef(_) => "&",
                    _ => "&&",
                };
                let mut own = sign.to_owned();
                if is_indirect && !quals.is_empty() {
                    own.push_str(quals.trim_end());
                    if !declarator.is_empty() {
                        own.push(' ');
                    }
                }
                own.push_str(&declarator);
                if matches!(self.kind(inner.ty), TyKind::Array(..) | TyKind::Function(_)) {
                    own = format!("({own})");
                }
                self.spell_with(*inner, &own)
            }
            TyKind::Array(elem, len) => {
                let len = match len {
                    ArrayLen::Known(len) => len.to_string(),
                    ArrayLen::Unsized => String::new(),
                    ArrayLen::Param(param) => self.decl_name(*param).map_or(String::new(), |name| name.to_string()),
                    ArrayLen::Dependent | ArrayLen::Unknown => "…".to_owned(),
                };
                let elem = QualTy { space: ty.space, cv: elem.cv | ty.cv, ..*elem };
                self.spell_with(elem, &format!("{declarator}[{len}]"))
            }
            TyKind::Function(function) => {
                let params: Vec<String> = function.params.iter().map(|&param| self.spell(param)).collect();
                let dots = if function.variadic { if params.is_empty() { "..." } else { ", ..." } } else { "" };
                self.spell_with(function.ret, &format!("{declarator}({}{dots})", params.join(", ")))
            }
            kind => {
                let base = self.spell_base(kind);
                join(&format!("{quals}{base}"), &declarator)
            }
        }
    }

    fn spell_base(&self, kind: &TyKind) -> String {
        match kind {
            TyKind::Unknown | TyKind::Invalid => "<unknown>".to_owned(),
            TyKind::Dependent => "<dependent>".to_owned(),
            TyKind::Void => "void".to_owned(),
            TyKind::NullPtr => "nullptr_t".to_owned(),
            TyKind::Scalar(scalar) => scalar.name().to_owned(),
            TyKind::Vector(scalar, width) => format!("{}{width}", scalar.name()),
            TyKind::Packed(scalar, width) => format!("packed_{}{width}", scalar.name()),
            TyKind::Matrix(scalar, columns, rows) => format!("{}{columns}x{rows}", scalar.name()),
            TyKind::Record(decl, bind) => self.spell_record(*decl, *bind),
            TyKind::Enum(decl, _) => self
                .decl_name(*decl)
                .map(|name| self.qualified_name(*decl, name))
                .or_else(|| self.name_for_linkage(*decl))
                .unwrap_or_else(|| "<unnamed enum>".to_owned()),
            TyKind::Param(decl) => {
                self.decl_name(*decl).map_or_else(|| "<parameter>".to_owned(), |name| name.to_string())
            }
            TyKind::Expansion(inner) => format!("{}...", self.spell(*inner)),
            TyKind::ParamInst(decl, args) => {
                let name = self.decl_name(*decl).map_or(String::new(), |name| name.to_string());
                format!("{name}<{}>", self.spell_args(args))
            }
            TyKind::DependentNode(node, _) => self.spell_node(*node),
            TyKind::MemberPointer(class, pointee) => format!("{} {}::*", self.spell(*pointee), self.spell_ty(*class)),
            TyKind::Closure(..) => "<lambda>".to_owned(),
            TyKind::Auto => "auto".to_owned(),
            TyKind::DecltypeAuto => "decltype(auto)".to_owned(),
            TyKind::Pointer(_) | TyKind::LRef(_) | TyKind::RRef(_) | TyKind::Array(..) | TyKind::Function(_) => {
                String::new()
            }
        }
    }

    /// The arguments of a template without those at the end that its defaults give anyway: `texture2d<float>`. Numbers
    /// stay: a default number is mostly another argument, as the rows of a square matrix.
    fn without_defaults<'t>(&self, header: TemplateId, outer: BindId, args: &'t [TArg]) -> &'t [TArg] {
        let mut count = args.len();
        let is_number =
            |arg: &TArg| matches!(arg, TArg::Value { ty, .. } if matches!(self.kind(*ty), TyKind::Scalar(_)));
        while count > 1
            && !is_number(&args[count - 1])
            && self.complete_args(header, args[..count - 1].to_vec(), outer).is_some_and(|full| *full == *args)
        {
            count -= 1;
        }
        &args[..count]
    }

    /// The name that `typedef struct { … } name;` gives to an unnamed class or enumeration (C++ [dcl.typedef]).
    fn name_for_linkage(&self, decl: DeclId) -> Option<String> {
        let alias = if self.is_local(decl) {
            self.ast.own_decls().find(|(_, data)| names_for_linkage(self.ast, data) == Some(decl))?.0
        } else {
            *self.env.linkage_names().get(&decl)?
        };
        Some(self.qualified_name(alias, self.decl_name(alias)?))
    }

    fn spell_record(&self, decl: DeclId, bind: BindId) -> String {
        let Some(name) = self.decl_name(decl) else {
            return self.name_for_linkage(decl).unwrap_or_else(|| "<unnamed struct>".to_owned());
        };
        let mut text = self.qualified_name(decl, name);
        if let Some(&header) = self.ast[decl].templates.last()
            && bind != BindId::NONE
            && self.store().bindings(bind).header == header
        {
            let link = self.store().bindings(bind);
            let shown =
                if self.is_library(decl) { self.without_defaults(header, link.parent, &link.args) } else { &link.args };
            let _ = write!(text, "<{}>", self.spell_args(shown));
        }
        text
    }

    /// An instance as `f<float, 4>` or `S<half>::f`.
    pub fn spell_instance(&self, item: DeclRef) -> String {
        let Some(name) = self.decl_name(item.decl) else { return self.spell_function(item) };
        let mut text = match self.class_of(item) {
            Some(class) => format!("{}::{name}", self.spell_ty(class)),
            None => self.qualified_name(item.decl, name),
        };
        if let Some(&header) = self.ast[item.decl].templates.last()
            && item.bind != BindId::NONE
            && self.store().bindings(item.bind).header == header
        {
            let _ = write!(text, "<{}>", self.spell_args(&self.store().bindings(item.bind).args));
        }
        text
    }

    /// A name with the classes and namespaces around it; `metal::` and unnamed namespaces are left out.
    pub fn qualified_name(&self, decl: DeclId, name: msl_intern::Name) -> String {
        let mut text = name.to_string();
        let mut scope = Some(self.ast[decl].scope);
        while let Some(id) = scope {
            let data = &self.ast[id];
            if matches!(data.kind, msl_parser::scope::ScopeKind::Record | msl_parser::scope::ScopeKind::Namespace)
                && let Some(owner) = data.owner
                && let Some(outer) = self.decl_name(owner)
                && outer != self.env.names.metal
            {
                text = format!("{outer}::{text}");
            }
            scope = data.parent;
        }
        text
    }

    fn spell_args(&self, args: &[TArg]) -> String {
        let mut parts = Vec::new();
        for arg in args {
            self.spell_arg(arg, &mut parts);
        }
        parts.join(", ")
    }

    fn spell_arg(&self, arg: &TArg, parts: &mut Vec<String>) {
        parts.push(match arg {
            TArg::Type(ty) => self.spell(*ty),
            TArg::Value { value, ty } => self.spell_const(*value, *ty),
            TArg::Template(decl, _) | TArg::Param(decl) => {
                self.decl_name(*decl).map_or(String::new(), |name| name.to_string())
            }
            TArg::Pack(args) => {
                for arg in args.iter() {
                    self.spell_arg(arg, parts);
                }
                return;
            }
            TArg::Expansion(arg) => {
                let mut inner = Vec::new();
                self.spell_arg(arg, &mut inner);
                format!("{}...", inner.join(", "))
            }
            TArg::DependentExpr(..) | TArg::Unknown => "…".to_owned(),
        });
    }

    /// A constant of a type: enumerators by name, `true` and `false`, numbers.
    pub fn spell_const(&self, value: Const, ty: Ty) -> String {
        match (value, self.kind(ty)) {
            (Const::Int(value), TyKind::Scalar(Scalar::Bool)) => if value != 0 { "true" } else { "false" }.to_owned(),
            (Const::Int(value), TyKind::Enum(decl, _)) => {
                if let Some(scope) = self.enum_scope(*decl)
                    && let Some(owner) = self.ast[scope].owner
                    && let DeclKind::Enum(enumeration) = &self.ast[owner].kind
                {
                    for &enumerator in &enumeration.enumerators {
                        let item = DeclRef { decl: enumerator, bind: BindId::NONE };
                        if self.enumerator_value(item) == Some(value)
                            && let Some(name) = self.decl_name(enumerator)
                        {
                            let name = name.to_string();
                            return match self.decl_name(*decl) {
                                Some(outer) if enumeration.scoped => format!("{outer}::{name}"),
                                _ => name,
                            };
                        }
                    }
                }
                value.to_string()
            }
            (Const::Int(value), _) => value.to_string(),
            (Const::Float(bits), _) => format!("{:?}", f64::from_bits(bits)),
            (Const::Null, _) => "nullptr".to_owned(),
            (Const::Function(decl, bind), _) => self.spell_instance(DeclRef { decl, bind }),
            (Const::Variable(decl, _), _) => self.decl_name(decl).map_or(String::new(), |name| name.to_string()),
        }
    }

    /// A type as it is written, for types that stay dependent.
    fn spell_node(&self, node: TypeId) -> String {
        match &self.ast[node].kind {
            TypeKind::Path { path, .. } => spell_path(path),
            TypeKind::Decltype(_) => "decltype(…)".to_owned(),
            TypeKind::Transform { name, .. } => format!("{name}(…)"),
            _ => "<dependent>".to_owned(),
        }
    }
}

/// A path as written, with template arguments left out.
pub fn spell_path(path: &Path) -> String {
    let mut text = String::new();
    if path.global {
        text.push_str("::");
    }
    for (index, segment) in path.segments.iter().enumerate() {
        if index > 0 {
            text.push_str("::");
        }
        text.push_str(&spell_name(segment.name));
        if segment.args.is_some() {
            text.push_str("<…>");
        }
    }
    text
}

/// An unqualified name as written.
pub fn spell_name(name: UnqualName) -> String {
    match name {
        UnqualName::Ident(name) => name.to_string(),
        UnqualName::Operator(op) => match op {
            OverloadedOp::Punct(punct) => format!("operator{}", punct.text()),
            OverloadedOp::Call => "operator()".to_owned(),
            OverloadedOp::Index => "operator[]".to_owned(),
            OverloadedOp::New => "operator new".to_owned(),
            OverloadedOp::Delete => "operator delete".to_owned(),
            OverloadedOp::NewArray => "operator new[]".to_owned(),
            OverloadedOp::DeleteArray => "operator delete[]".to_owned(),
        },
        UnqualName::Conversion(_) => "conversion operator".to_owned(),
        UnqualName::Destructor(name) => format!("~{name}"),
        UnqualName::Literal(name) => format!("operator\"\"{name}"),
        UnqualName::Missing => "<unnamed>".to_owned(),
    }
}

/// The unnamed class or enumeration that a declaration gives a name for linkage.
pub(crate) fn names_for_linkage(ast: &Ast, data: &Decl) -> Option<DeclId> {
    let DeclKind::TypeAlias { mut ty, .. } = data.kind else { return None };
    while let TypeKind::Qualified { inner, .. } = ast[ty].kind {
        ty = inner;
    }
    match ast[ty].kind {
        TypeKind::Record(defined) | TypeKind::Enum(defined) => Some(defined),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_conversions() {
        use Scalar::*;
        for (a, b, common) in [
            (Int, Float, Some(Float)),
            (Half, Float, Some(Float)),
            (Half, Int, Some(Half)),
            (Half, BFloat, None),
            (Short, Short, Some(Int)),
            (UShort, UInt, Some(UInt)),
            (Int, UInt, Some(UInt)),
            (UInt, Long, Some(Long)),
            (Long, ULong, Some(ULong)),
            (Half, Half, Some(Half)),
        ] {
            assert_eq!(common_scalar(a, b), common, "{a:?} {b:?}");
        }
    }
}
