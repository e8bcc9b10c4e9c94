//! Classes: which definition a specialisation selects, its bases, fields and layout.

use std::sync::Arc;

use msl_intern::Name;
use msl_parser::ast::*;
use smallvec::SmallVec;

use crate::consteval::Value;
use crate::sema::{Cx, DeclRef, Sema};
use crate::store::*;

/// A class as far as its declaration says: the definition that stands for it and where its members are found.
#[derive(Clone, Debug)]
pub struct RecordInfo {
    pub ty: Ty,
    /// The definition: the class itself, or the partial or explicit specialisation that was selected.
    pub decl: DeclId,
    /// What the template parameters of the definition stand for.
    pub bind: BindId,
    /// The member scope; `None` if the class is only declared.
    pub scope: Option<ScopeId>,
    pub bases: Vec<Ty>,
    /// A base is unknown or dependent, or the selection could not be decided: members may be missing here.
    pub uncertain: bool,
}

impl<'a> Sema<'a> {
    /// The first declaration of the class template, or class, that a declaration belongs to.
    pub fn primary_record(&self, decl: DeclId) -> DeclId {
        let DeclKind::Record(record) = &self.ast[decl].kind else { return decl };
        if let Some(path) = &record.qualifier {
            let cx = Cx {
                scope: self.ast[decl].scope,
                bind: BindId::NONE,
                before: decl.0,
                before_local: u32::MAX,
                class: None,
            };
            let mut segments = path.segments.to_vec();
            segments.push(Segment {
                name: UnqualName::Ident(record.name),
                args: None,
                token: 0,
                template_keyword: false,
            });
            let full = Path { global: path.global, decltype: None, segments: segments.into() };
            let found = self.lookup_path(&full, cx);
            if let Some(item) = found
                .items
                .iter()
                .find(|item| item.decl != decl && matches!(self.ast[item.decl].kind, DeclKind::Record(_)))
            {
                return item.decl;
            }
        }
        if record.name.is_empty() {
            return decl;
        }
        // A friend declaration names what is declared elsewhere, as long as anything is.
        let declarations = self.redeclarations(decl);
        let is_primary =
            |other: &DeclId| matches!(&self.ast[*other].kind, DeclKind::Record(record) if record.name_args.is_none());
        declarations
            .iter()
            .find(|other| is_primary(other) && !self.ast[**other].specs.contains(Specs::FRIEND))
            .or_else(|| declarations.iter().find(|other| is_primary(other)))
            .copied()
            .unwrap_or(decl)
    }

    /// The class type that a declaration means from inside, under these bindings.
    pub fn record_self(&self, decl: DeclId, bind: BindId) -> Ty {
        let ast: &'a Ast = self.ast;
        let primary = self.primary_record(decl);
        let bind = self.bind_for(decl, bind);
        let DeclKind::Record(record) = &ast[decl].kind else { return Ty::UNKNOWN };
        let Some(&primary_header) = ast[primary].templates.last() else {
            return self.store().intern(TyKind::Record(primary, bind));
        };
        let own_header = ast[decl].templates.last().copied();
        let outer = match own_header {
            Some(own) if bind != BindId::NONE && self.store().bindings(bind).header == own => {
                self.store().bindings(bind).parent
            }
            _ => bind,
        };
        if let Some(args) = &record.name_args {
            // A specialisation: its arguments, under what its own parameters stand for.
            let scope = own_header.map_or(ast[decl].scope, |header| ast[header].scope);
            let cx = Cx { scope, bind, before: u32::MAX, before_local: u32::MAX, class: None };
            let Some(args) = self.deeper(|| self.quiet().template_args(primary_header, args, outer, cx)).flatten()
            else {
                return Ty::UNKNOWN;
            };
            return self.make_record(primary, self.store().bind(outer, primary_header, args));
        }
        let args = match own_header {
            Some(own) if bind != BindId::NONE && self.store().bindings(bind).header == own => {
                Arc::clone(&self.store().bindings(bind).args)
            }
            _ => self.own_params(own_header.unwrap_or(primary_header)),
        };
        self.make_record(primary, self.store().bind(outer, primary_header, args))
    }

    /// A template's parameters as arguments for themselves: the template seen from inside, unbound.
    pub fn own_params(&self, header: TemplateId) -> Arc<[TArg]> {
        self.ast[header]
            .params
            .iter()
            .map(|&param| match &self.ast[param].kind {
                DeclKind::TypeParam { pack, .. } => {
                    let ty = TArg::Type(QualTy::plain(self.store().intern(TyKind::Param(param))));
                    if *pack { TArg::Pack(Arc::from([TArg::Expansion(Arc::new(ty))])) } else { ty }
                }
                DeclKind::Variable(variable) if variable.pack => {
                    TArg::Pack(Arc::from([TArg::Expansion(Arc::new(TArg::Param(param)))]))
                }
                DeclKind::TemplateParam { pack: true, .. } => {
                    TArg::Pack(Arc::from([TArg::Expansion(Arc::new(TArg::Param(param)))]))
                }
                _ => TArg::Param(param),
            })
            .collect()
    }

    /// A class template specialisation as a type. The library's names of built-in types become those.
    pub(crate) fn make_record(&self, primary: DeclId, bind: BindId) -> Ty {
        if let Some(name) = self.builtin_name(primary) {
            let link = self.store().bindings(bind);
            if self.store().bind_flags(bind).contains(TyFlags::DEPENDENT) {
                return self.store().intern(TyKind::Record(primary, bind));
            }
            return self.builtin_specialization(name.as_str(), &link.args);
        }
        self.store().intern(TyKind::Record(primary, bind))
    }

    fn builtin_specialization(&self, name: &str, args: &[TArg]) -> Ty {
        let scalar = |index: usize| match args.get(index) {
            Some(TArg::Type(ty)) => match self.kind(ty.ty) {
                TyKind::Scalar(scalar) => Some(*scalar),
                _ => None,
            },
            _ => None,
        };
        let number = |index: usize| match args.get(index) {
            Some(TArg::Value { value: Const::Int(value), .. }) => u8::try_from(*value).ok(),
            _ => None,
        };
        // Element type and width of an arithmetic scalar or vector.
        let shape = |index: usize| match args.get(index) {
            Some(TArg::Type(ty)) => match self.kind(ty.ty) {
                TyKind::Scalar(scalar) => Some((*scalar, 1)),
                TyKind::Vector(scalar, width) | TyKind::Packed(scalar, width) => Some((*scalar, *width)),
                _ => None,
            },
            _ => None,
        };
        let store = self.store();
        let result = match name {
            "vec" => scalar(0).zip(number(1)).filter(|&(_, n)| n > 1).map(|(s, n)| store.vector(s, n)),
            "packed_vec" => {
                scalar(0).zip(number(1)).filter(|&(_, n)| n > 1).map(|(s, n)| store.intern(TyKind::Packed(s, n)))
            }
            "matrix" => match (scalar(0), number(1), number(2)) {
                (Some(s), Some(c), Some(r)) => Some(store.intern(TyKind::Matrix(s, c, r))),
                _ => None,
            },
            "scalar_of" => shape(0).map(|(s, _)| Ty::scalar(s)),
            "bool_of" => shape(0).map(|(_, n)| store.vector(Scalar::Bool, n)),
            "int_of" => shape(0).map(|(_, n)| store.vector(Scalar::Int, n)),
            "uint_of" => shape(0).map(|(_, n)| store.vector(Scalar::UInt, n)),
            "short_of" => shape(0).map(|(_, n)| store.vector(Scalar::Short, n)),
            "ushort_of" => shape(0).map(|(_, n)| store.vector(Scalar::UShort, n)),
            "half_of" => shape(0).map(|(_, n)| store.vector(Scalar::Half, n)),
            "float_of" => shape(0).map(|(_, n)| store.vector(Scalar::Float, n)),
            "unsigned_of" => shape(0).map(|(s, n)| store.vector(crate::types::with_sign(s, false), n)),
            "signed_of" => shape(0).map(|(s, n)| store.vector(crate::types::with_sign(s, true), n)),
            "like" => scalar(0).zip(shape(1)).map(|(s, (_, n))| store.vector(s, n)),
            _ => return Ty::UNKNOWN,
        };
        if args.iter().any(|arg| store.arg_flags(arg).contains(TyFlags::UNKNOWN)) {
            return Ty::UNKNOWN;
        }
        result.unwrap_or(Ty::INVALID)
    }

    /// What is known of a class; `None` if the type is not one.
    pub fn record_info(&self, ty: Ty) -> Option<Arc<RecordInfo>> {
        let TyKind::Record(primary, bind) = *self.kind(ty) else { return None };
        let is_local = self.store().flags(ty).contains(TyFlags::LOCAL);
        Some(self.cached(is_local, &self.env.caches.records, &self.local.records, ty, || {
            Arc::new(self.deeper(|| self.compute_record(ty, primary, bind)).unwrap_or(RecordInfo {
                ty,
                decl: primary,
                bind,
                scope: None,
                bases: Vec::new(),
                uncertain: true,
            }))
        }))
    }

    fn compute_record(&self, ty: Ty, primary: DeclId, bind: BindId) -> RecordInfo {
        let ast: &'a Ast = self.ast;
        let (decl, bind, mut uncertain) = self.select_definition(ty, primary, bind);
        let DeclKind::Record(record) = &ast[decl].kind else {
            return RecordInfo { ty, decl, bind, scope: None, bases: Vec::new(), uncertain: true };
        };
        // Which definition it is read from could not be decided: nothing is known of its members.
        if uncertain && !self.store().is_dependent(ty) {
            return RecordInfo { ty, decl, bind, scope: None, bases: Vec::new(), uncertain };
        }
        let mut bases = Vec::new();
        if record.scope.is_some() {
            let scope = ast[decl].templates.last().map_or(ast[decl].scope, |&header| ast[header].scope);
            let cx = Cx { scope, bind, before: u32::MAX, before_local: u32::MAX, class: None };
            for base in &record.bases {
                if base.expansion {
                    match self.expand_binds(ast[base.ty].range, cx) {
                        Some(binds) => {
                            for bind in binds {
                                bases.push(self.quiet().resolve_type(base.ty, Cx { bind, ..cx }).ty);
                            }
                        }
                        None => uncertain = true,
                    }
                    continue;
                }
                bases.push(self.quiet().resolve_type(base.ty, cx).ty);
            }
            uncertain |= bases.iter().any(|&base| !matches!(self.kind(base), TyKind::Record(..)));
        }
        RecordInfo { ty, decl, bind, scope: record.scope, bases, uncertain }
    }

    /// The definition that a class or specialisation is read from (C++ [temp.class.spec.match]).
    fn select_definition(&self, ty: Ty, primary: DeclId, bind: BindId) -> (DeclId, BindId, bool) {
        let ast: &'a Ast = self.ast;
        let declarations = self.record_declarations(primary);
        let definition = declarations
            .iter()
            .copied()
            .find(|&decl| matches!(&ast[decl].kind, DeclKind::Record(record) if record.name_args.is_none() && record.scope.is_some()));
        let primary_definition = definition.unwrap_or(primary);
        let Some(&primary_header) = ast[primary].templates.last() else {
            return (primary_definition, bind, false);
        };
        let link = self.store().bindings(bind);
        // The definition's own header names the parameters differently from the first declaration's.
        let bind_definition = |decl: DeclId| match ast[decl].templates.last() {
            Some(&header) if header != primary_header => self.store().bind(link.parent, header, Arc::clone(&link.args)),
            _ => bind,
        };
        let specializations: Vec<DeclId> = declarations
            .iter()
            .copied()
            .filter(|&decl| {
                matches!(&ast[decl].kind, DeclKind::Record(record) if record.name_args.is_some())
                    && !ast[decl].specs.intersects(Specs::INSTANTIATION | Specs::FRIEND)
                    && self.exists(decl)
            })
            .collect();
        if specializations.is_empty() {
            return (primary_definition, bind_definition(primary_definition), false);
        }
        if self.store().is_dependent(ty) {
            let own = self.is_current_instantiation(ty);
            return (primary_definition, bind_definition(primary_definition), !own);
        }
        let mut uncertain = false;
        let mut matching: Vec<(DeclId, BindId, Arc<[TArg]>)> = Vec::new();
        for decl in specializations {
            let DeclKind::Record(record) = &ast[decl].kind else { continue };
            let Some(written) = &record.name_args else { continue };
            let header = ast[decl].templates.last().copied();
            let params_empty = header.is_none_or(|header| ast[header].params.is_empty());
            let scope = header.map_or(ast[decl].scope, |header| ast[header].scope);
            let cx = Cx { scope, bind: link.parent, before: u32::MAX, before_local: u32::MAX, class: None };
            let Some(pattern) =
                self.deeper(|| self.quiet().template_args(primary_header, written, link.parent, cx)).flatten()
            else {
                continue;
            };
            if params_empty {
                if self.same_args(&pattern, &link.args) {
                    return (decl, link.parent, false);
                }
                continue;
            }
            let Some(header) = header else { continue };
            match self.deduce_args(header, &pattern, &link.args, link.parent) {
                crate::deduce::Deduced::Yes(args) => {
                    let own = self.store().bind(link.parent, header, args);
                    // What nothing was deduced from has to come out right: `enable_if_t<…>` and the like.
                    match self.specialization_holds(
                        primary_header,
                        written,
                        link.parent,
                        Cx { bind: own, ..cx },
                        &link.args,
                    ) {
                        Some(true) => matching.push((decl, own, pattern)),
                        Some(false) => {}
                        None => uncertain = true,
                    }
                }
                crate::deduce::Deduced::No => {}
                crate::deduce::Deduced::Unsure => uncertain = true,
            }
        }
        // The most specialised of those that match: its pattern is matched by the others' patterns.
        let best = matching.iter().position(|(candidate, _, pattern)| {
            matching.iter().all(|(other, _, _)| {
                candidate == other || {
                    let header = ast[*other].templates.last().copied();
                    let DeclKind::Record(record) = &ast[*other].kind else { return false };
                    match (header, &record.name_args) {
                        (Some(header), Some(written)) => {
                            let cx = Cx {
                                scope: ast[header].scope,
                                bind: link.parent,
                                before: u32::MAX,
                                before_local: u32::MAX,
                                class: None,
                            };
                            self.quiet().template_args(primary_header, written, link.parent, cx).is_some_and(
                                |other_pattern| {
                                    !matches!(
                                        self.deduce_args(header, &other_pattern, pattern, link.parent),
                                        crate::deduce::Deduced::No
                                    )
                                },
                            )
                        }
                        _ => false,
                    }
                }
            })
        });
        match best {
            Some(index) => {
                let (decl, own, _) = &matching[index];
                // The specialisation may be declared first and defined later.
                (*decl, *own, uncertain)
            }
            None if matching.is_empty() => (primary_definition, bind_definition(primary_definition), uncertain),
            None => (primary_definition, bind_definition(primary_definition), true),
        }
    }

    /// Whether a partial specialisation's arguments, with its parameters bound, are the ones asked for
    /// (C++ [temp.class.spec.match]); `None` if that cannot be told.
    pub(crate) fn specialization_holds(
        &self,
        primary_header: TemplateId,
        written: &[TemplateArg],
        outer: BindId,
        cx: Cx,
        wanted: &[TArg],
    ) -> Option<bool> {
        let Some(args) = self.deeper(|| self.quiet().template_args(primary_header, written, outer, cx))? else {
            return Some(false);
        };
        if self.same_args(&args, wanted) {
            return Some(true);
        }
        let is_open = args.iter().chain(wanted).any(|arg| {
            let flags = self.store().arg_flags(arg);
            flags.intersects(TyFlags::UNKNOWN | TyFlags::DEPENDENT) && !flags.contains(TyFlags::INVALID)
        });
        if is_open { None } else { Some(false) }
    }

    pub(crate) fn same_args(&self, a: &[TArg], b: &[TArg]) -> bool {
        a.len() == b.len()
            && a.iter().zip(b).all(|(a, b)| match (a, b) {
                // `true` and `1` as values of one parameter are the same argument.
                (TArg::Value { value: a, .. }, TArg::Value { value: b, .. }) => a == b,
                (TArg::Pack(a), TArg::Pack(b)) => self.same_args(a, b),
                _ => a == b,
            })
    }

    /// All declarations of a class template, specialisations included, in all layers.
    fn record_declarations(&self, primary: DeclId) -> SmallVec<[DeclId; 2]> {
        let mut result = self.redeclarations(primary);
        // A specialisation of a library template stands in the unit's part of the namespace, or in the global scope.
        if self.is_library(primary)
            && let Some(name) = self.decl_name(primary)
        {
            for scope in self.unit_parts_of(self.declared_in(primary)) {
                for &decl in self.ast[scope].get(name) {
                    if matches!(&self.ast[decl].kind, DeclKind::Record(record) if record.name_args.is_some())
                        && !result.contains(&decl)
                    {
                        result.push(decl);
                    }
                }
            }
        }
        result
    }

    fn unit_parts_of(&self, scope: ScopeId) -> SmallVec<[ScopeId; 2]> {
        let mut result = SmallVec::new();
        for (_, decl) in self.env.ast.own_decls() {
            if let DeclKind::Namespace { scope: own, .. } = decl.kind
                && self.ast[own].extends == Some(scope)
            {
                result.push(own);
            }
        }
        result
    }

    /// Whether a library member exists in this instantiation: `[[msl::enable_if(…)]]`.
    pub(crate) fn enabled(&self, item: DeclRef) -> bool {
        if !self.is_library(item.decl) {
            return true;
        }
        let Some(facts) = self.env.library.facts(item.decl) else { return true };
        if facts.enable_if.is_empty() || item.bind == BindId::NONE {
            return true;
        }
        let cx = Cx {
            scope: self.cx_of(item).scope,
            bind: item.bind,
            before: u32::MAX,
            before_local: u32::MAX,
            class: None,
        };
        facts.enable_if.iter().all(|condition| {
            !matches!(self.deeper(|| self.evaluate_in(condition.condition, cx)), Some(Value::Known(Const::Int(0))))
        })
    }

    /// The reason that a library member gives for existing only sometimes.
    pub(crate) fn enable_if_reason(&self, decl: DeclId) -> Option<String> {
        self.env.library.facts(decl)?.enable_if.iter().find_map(|condition| condition.reason.clone())
    }

    /// The non-static data members of a class, bases not included, in order. Members of unnamed unions and structs
    /// stand for themselves as one unnamed field.
    pub fn fields(&self, info: &RecordInfo) -> Vec<DeclRef> {
        let DeclKind::Record(record) = &self.ast[info.decl].kind else { return Vec::new() };
        record
            .members
            .iter()
            .copied()
            .filter(|&member| {
                matches!(&self.ast[member].kind, DeclKind::Variable(variable) if variable.kind == VariableKind::Field)
                    && !self.ast[member].specs.contains(Specs::STATIC)
            })
            .map(|decl| DeclRef { decl, bind: info.bind })
            .collect()
    }

    /// Whether a class can be initialised as an aggregate (C++17 [dcl.init.aggr]): no constructors, no virtual
    /// functions.
    pub fn is_aggregate(&self, info: &RecordInfo) -> bool {
        info.scope.is_some_and(|scope| self.ast[scope].constructors.is_empty())
    }

    /// Whether `derived` has `base` as a base class, directly or not; `None` if that cannot be known.
    pub fn derives_from(&self, derived: Ty, base: Ty) -> Option<bool> {
        let info = self.record_info(derived)?;
        if info.bases.contains(&base) {
            return Some(true);
        }
        for &direct in &info.bases {
            match self.deeper(|| self.derives_from(direct, base)).flatten() {
                Some(false) => {}
                other => return other,
            }
        }
        if info.uncertain { None } else { Some(false) }
    }

    /// Size and alignment in bytes, where the type is complete and fully known (MSL spec §2.1–2.3).
    pub fn layout(&self, ty: Ty) -> Option<(u64, u64)> {
        self.deeper(|| self.layout_inner(ty)).flatten()
    }

    fn layout_inner(&self, ty: Ty) -> Option<(u64, u64)> {
        match self.kind(ty) {
            TyKind::Scalar(scalar) => Some((scalar.size().into(), scalar.size().into())),
            TyKind::Vector(scalar, width) => {
                let padded = if *width == 3 { 4 } else { *width };
                let size = u64::from(scalar.size()) * u64::from(padded);
                Some((size, size))
            }
            TyKind::Packed(scalar, width) => Some((u64::from(scalar.size()) * u64::from(*width), scalar.size().into())),
            TyKind::Matrix(scalar, columns, rows) => {
                let column = u64::from(scalar.size()) * u64::from(if *rows == 3 { 4 } else { *rows });
                Some((column * u64::from(*columns), column))
            }
            TyKind::Pointer(_) | TyKind::NullPtr => Some((8, 8)),
            TyKind::LRef(inner) | TyKind::RRef(inner) => self.layout(inner.ty),
            TyKind::Enum(decl, bind) => self.layout(self.underlying_type(*decl, *bind)),
            TyKind::Array(elem, ArrayLen::Known(len)) => {
                let (size, align) = self.layout(elem.ty)?;
                Some((size.checked_mul(*len)?, align))
            }
            TyKind::Record(..) => {
                let info = self.record_info(ty)?;
                let is_opaque = self.is_library(info.decl) && self.fields(&info).is_empty();
                if info.scope.is_none() || info.uncertain || is_opaque || self.is_partial(info.decl) {
                    return None;
                }
                let DeclKind::Record(record) = &self.ast[info.decl].kind else { return None };
                let is_union = record.key == RecordKey::Union;
                let (mut size, mut align) = (0u64, 1u64);
                for &base in &info.bases {
                    let (base_size, base_align) = self.layout(base)?;
                    size = size.next_multiple_of(base_align) + base_size;
                    align = align.max(base_align);
                }
                for member in &record.members {
                    match &self.ast[*member].kind {
                        DeclKind::Variable(variable) if variable.kind == VariableKind::Field => {
                            if self.ast[*member].specs.contains(Specs::STATIC) {
                                continue;
                            }
                            if variable.bit_width.is_some() {
                                return None;
                            }
                        }
                        // An unnamed struct or union that declares no variable is a field itself.
                        DeclKind::Record(inner)
                            if inner.name.is_empty()
                                && inner.scope.is_some()
                                && !self.declares_field(record, *member) =>
                        {
                            let (field_size, field_align) = self.layout(self.record_self(*member, info.bind))?;
                            align = align.max(field_align);
                            if is_union {
                                size = size.max(field_size);
                            } else {
                                size = size.next_multiple_of(field_align) + field_size;
                            }
                            continue;
                        }
                        _ => continue,
                    }
                    let ty = self.variable_type(DeclRef { decl: *member, bind: info.bind });
                    let (field_size, mut field_align) = self.layout(ty.ty)?;
                    if let Some(aligned) = self.alignas(*member, info.bind) {
                        field_align = field_align.max(aligned?);
                    }
                    align = align.max(field_align);
                    if is_union {
                        size = size.max(field_size);
                    } else {
                        size = size.next_multiple_of(field_align) + field_size;
                    }
                }
                if let Some(aligned) = self.alignas(info.decl, info.bind) {
                    align = align.max(aligned?);
                }
                Some((size.max(1).next_multiple_of(align), align))
            }
            _ => None,
        }
    }

    /// Whether a class that is defined inside a declaration is the type of a field.
    fn declares_field(&self, record: &Record, inner: DeclId) -> bool {
        record.members.iter().any(|&member| match &self.ast[member].kind {
            DeclKind::Variable(variable) => self.mentions_record(variable.ty, inner),
            _ => false,
        })
    }

    fn mentions_record(&self, node: TypeId, record: DeclId) -> bool {
        match &self.ast[node].kind {
            TypeKind::Record(own) => *own == record,
            TypeKind::Qualified { inner, .. } | TypeKind::Pointer(inner) | TypeKind::Array { elem: inner, .. } => {
                self.mentions_record(*inner, record)
            }
            _ => false,
        }
    }

    /// The value of `alignas` on a declaration: absent, unknown or known.
    fn alignas(&self, decl: DeclId, bind: BindId) -> Option<Option<u64>> {
        let aligned = Name::new("alignas");
        let attr = self.ast[decl]
            .attrs
            .iter()
            .map(|&attr| &self.ast[attr])
            .find(|attr| attr.name == aligned || attr.name.as_str() == "aligned")?;
        let cx = self.cx_of(DeclRef { decl, bind });
        let value = attr.args.first().map(|&arg| self.evaluate_in(arg, cx));
        Some(match value {
            Some(Value::Known(Const::Int(value))) => u64::try_from(value).ok().filter(|value| value.is_power_of_two()),
            _ => None,
        })
    }
}
