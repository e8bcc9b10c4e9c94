//! What may be declared in a function and at program scope, and how it is initialised.

use msl_builtins::Since;
use msl_diagnostics::{Code, Severity};
use msl_parser::ast::*;
use msl_parser::scope::ScopeKind;
use rustc_hash::FxHashMap;

use crate::consteval::Value;
use crate::expr::Checker;
use crate::sema::{TokenEdit, TokenFix};
use crate::store::*;

impl<'a> Checker<'a> {
    /// Rules for a variable that is declared in a body.
    pub(crate) fn check_local_variable(&mut self, decl: DeclId, variable: &Variable, ty: QualTy) {
        if variable.kind != VariableKind::Local {
            return;
        }
        self.check_storage_class(decl, variable);
        self.check_array_bounds(variable.ty);
        self.check_uninitialized(decl, variable, ty);
        let specs = self.ast()[decl].specs;
        let name = self.name_range(decl);
        // What a threadgroup variable starts with is not stated; initialisers of such variables were not measured.
        if let Some((SpaceWord::Threadgroup, _)) = self.written_space(variable.ty)
            && !matches!(variable.init, Init::None | Init::Implied)
        {
            self.report(
                Code::ThreadgroupInitializer,
                name,
                "a threadgroup variable is shared by all threads of the group: let one thread write it and wait at a \
                 `threadgroup_barrier` instead of initialising it (MSL spec §4.4)"
                    .to_owned(),
            );
        }
        if !self.sema.store().is_solid(ty.ty) || specs.intersects(Specs::EXTERN | Specs::STATIC) {
            return;
        }
        let mut element = ty.ty;
        while let TyKind::Array(elem, _) = self.kind(element) {
            element = elem.ty;
        }
        if self.is_library_class(element, "atomic") && matches!(ty.space, Space::None | Space::Thread) {
            self.report(
                Code::MisplacedAddressSpace,
                name,
                "an atomic object lives in device or threadgroup memory, and a local variable in thread memory (MSL spec §2.6)"
                    .to_owned(),
            );
        }
        if self.is_library_class(ty.ty, "sampler") {
            self.check_sampler(decl, variable);
        }
        self.check_uniform_value(ty.ty, &variable.init);
    }

    /// `auto` has the type of an initialiser (C++ [dcl.spec.auto]).
    pub(crate) fn check_deduced(&self, decl: DeclId, variable: &Variable) {
        if variable.kind == VariableKind::Local && matches!(variable.init, Init::None) {
            let message = "`auto` takes its type from an initialiser, and there is none".to_owned();
            self.report(Code::MissingInitializer, self.name_range(decl), message);
        }
    }

    /// A variable without an initialiser: its type has to allow that (C++ [dcl.init]).
    fn check_uninitialized(&self, decl: DeclId, variable: &Variable, ty: QualTy) {
        let specs = self.ast()[decl].specs;
        if !self.sema.store().is_solid(ty.ty) || specs.contains(Specs::EXTERN) {
            return;
        }
        let range = self.name_range(decl);
        if ty.ty == Ty::VOID {
            self.report(Code::TypeMismatch, range, "a variable cannot have the type `void`".to_owned());
        }
        if !matches!(variable.init, Init::None) {
            return;
        }
        let mut element = ty;
        while let TyKind::Array(elem, _) = self.kind(element.ty) {
            element = QualTy { cv: element.cv | elem.cv, ..*elem };
        }
        match self.kind(element.ty) {
            TyKind::LRef(_) | TyKind::RRef(_) => {
                let message = "a reference has to be initialised with the object that it stands for".to_owned();
                self.report(Code::MissingInitializer, range, message);
            }
            TyKind::Scalar(_) | TyKind::Vector(..) | TyKind::Packed(..) | TyKind::Pointer(_) | TyKind::Enum(..)
                if element.is_const() && matches!(ty.space, Space::None | Space::Thread) =>
            {
                let message = "a `const` variable has to be initialised: it cannot be given a value later".to_owned();
                self.report(Code::MissingInitializer, range, message);
            }
            TyKind::Record(..) => self.check_constructor(range, element.ty, &[]),
            _ => {}
        }
    }

    /// `static`, `thread_local` and `register` (MSL spec §1.5.4, §5.3).
    pub(crate) fn check_storage_class(&self, decl: DeclId, variable: &Variable) {
        let specs = self.ast()[decl].specs;
        let range = self.name_range(decl);
        let word = if specs.contains(Specs::THREAD_LOCAL) {
            "thread_local"
        } else if specs.contains(Specs::REGISTER) {
            "register"
        } else {
            ""
        };
        if !word.is_empty() {
            self.report(
                Code::RemovedLanguageFeature,
                range,
                format!("Metal does not have `{word}` variables (MSL spec §1.5.4)"),
            );
        }
        // `static` beside `constexpr` or `constant` in a body was not measured.
        if variable.kind == VariableKind::Local
            && specs.contains(Specs::STATIC)
            && !specs.contains(Specs::CONSTEXPR)
            && self.written_space(variable.ty).is_none()
        {
            self.report(
                Code::RemovedLanguageFeature,
                range,
                "Metal does not have `static` variables in functions: `static` is for program scope (MSL spec §5.3)"
                    .to_owned(),
            );
        }
    }

    /// The bound of an array is a constant expression (C++ [dcl.array]).
    pub(crate) fn check_array_bounds(&self, node: TypeId) {
        match &self.ast()[node].kind {
            TypeKind::Qualified { inner, .. } => self.check_array_bounds(*inner),
            TypeKind::Array { elem, len } => {
                self.check_array_bounds(*elem);
                let Some(len) = *len else { return };
                match self.sema.evaluate_in(len, self.cx) {
                    Value::NotConstant => {}
                    Value::Known(Const::Int(len_value)) if len_value < 0 => {
                        let message = format!("an array cannot have a length of {len_value}");
                        return self.report(Code::TypeMismatch, self.ast()[len].range, message);
                    }
                    _ => return,
                }
                // Bounds that depend on function constants have a rule of their own.
                if self.function_constant_in(len).is_some() {
                    return;
                }
                let message = "an array needs a length that is known at compile time".to_owned();
                self.report(Code::NotAConstant, self.ast()[len].range, message);
            }
            _ => {}
        }
    }

    /// The function constant that an expression names, directly or through the initialisers of constants.
    pub(crate) fn function_constant_in(&self, expr: ExprId) -> Option<msl_intern::Name> {
        self.sema.deeper(|| self.function_constant_inner(expr)).flatten()
    }

    fn function_constant_inner(&self, expr: ExprId) -> Option<msl_intern::Name> {
        let ast = self.ast();
        match &ast[expr].kind {
            ExprKind::Paren(inner)
            | ExprKind::Unary { operand: inner, .. }
            | ExprKind::CCast { operand: inner, .. } => self.function_constant_in(*inner),
            ExprKind::Binary { lhs, rhs, .. } => {
                self.function_constant_in(*lhs).or_else(|| self.function_constant_in(*rhs))
            }
            ExprKind::Construct { args, .. } => args.iter().find_map(|&arg| self.function_constant_in(arg)),
            ExprKind::Path(path) => {
                let found = self.sema.lookup_path(path, self.cx);
                let item = *found.items.first()?;
                let DeclKind::Variable(variable) = &ast[item.decl].kind else { return None };
                if self.is_function_constant(item.decl) {
                    return variable.name.ident();
                }
                match &variable.init {
                    Init::Assign(init) if variable.kind == VariableKind::Global => self.function_constant_in(*init),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn is_function_constant(&self, decl: DeclId) -> bool {
        self.ast()[decl].attrs.iter().any(|&attr| self.ast()[attr].name.as_str() == "function_constant")
    }

    /// A sampler that the program makes itself is `constexpr` (MSL spec §2.10). A copy of one that was passed in is
    /// none of that.
    pub(crate) fn check_sampler(&mut self, decl: DeclId, variable: &Variable) {
        let data = &self.ast()[decl];
        let args: &[ExprId] = match &variable.init {
            Init::None => &[],
            Init::Paren(args) => args,
            Init::Brace(list) => match &self.ast()[*list].kind {
                ExprKind::InitList(items) => items,
                _ => return,
            },
            Init::Assign(_) | Init::Implied => return,
        };
        if !data.specs.contains(Specs::CONSTEXPR) {
            let is_copy = match args {
                [only] => self.info_of(*only).is_none_or(|info| !matches!(self.kind(info.ty.ty), TyKind::Enum(..))),
                _ => false,
            };
            if is_copy || !data.attrs.is_empty() {
                return;
            }
            let start = data.range.start;
            let fixes = match variable.init {
                Init::None => Vec::new(),
                _ => vec![TokenFix {
                    title: "Add `constexpr`".to_owned(),
                    preferred: true,
                    edits: vec![TokenEdit {
                        range: TokenRange::new(start, start),
                        after: false,
                        text: "constexpr ".to_owned(),
                    }],
                }],
            };
            self.report_with(
                Code::SamplerDeclaration,
                self.name_range(decl),
                "a sampler that is made in the program is `constexpr` and says its state: `constexpr sampler s(filter::linear);` (MSL \
                 spec §2.10)"
                    .to_owned(),
                fixes,
            );
            return;
        }
        self.check_sampler_state(args);
    }

    /// The restrictions on samplers with pixel coordinates (MSL spec §2.10), and states that are given twice.
    fn check_sampler_state(&self, args: &[ExprId]) {
        // By enumeration: the enumerator and where it stands.
        let mut states: FxHashMap<String, (String, ExprId)> = FxHashMap::default();
        for &arg in args {
            let ExprKind::Path(path) = &self.ast()[arg].kind else { continue };
            let found = self.sema.lookup_path(path, self.cx);
            let Some(&item) = found.items.first() else { continue };
            if !self.sema.is_library(item.decl) || !matches!(self.ast()[item.decl].kind, DeclKind::Enumerator { .. }) {
                continue;
            }
            let Some(owner) = self.sema.enum_of(item.decl).and_then(|owner| self.sema.decl_name(owner)) else {
                continue;
            };
            let Some(value) = self.sema.decl_name(item.decl) else { continue };
            if states.insert(owner.to_string(), (value.to_string(), arg)).is_some() {
                self.report_as(
                    Severity::Hint,
                    Code::SamplerDeclaration,
                    self.ast()[arg].range,
                    format!("the state `{owner}` of this sampler is given twice"),
                );
            }
        }
        if states.get("coord").is_none_or(|(value, _)| value != "pixel") {
            return;
        }
        let warn = |expr: ExprId, message: String| {
            self.report_as(Severity::Warning, Code::SamplerDeclaration, self.ast()[expr].range, message);
        };
        for state in ["address", "s_address", "t_address", "r_address"] {
            if let Some((value, arg)) = states.get(state)
                && value.contains("repeat")
            {
                warn(
                    *arg,
                    format!(
                        "with pixel coordinates the address modes are those that clamp, not `{state}::{value}` (MSL spec §2.10)"
                    ),
                );
            }
        }
        if let Some((value, arg)) = states.get("mip_filter")
            && value != "none"
        {
            warn(
                *arg,
                format!(
                    "with pixel coordinates the mip filter is `mip_filter::none`, not `mip_filter::{value}` (MSL spec §2.10)"
                ),
            );
        }
        if let (Some((min, _)), Some((mag, arg))) = (states.get("min_filter"), states.get("mag_filter"))
            && min != mag
        {
            warn(*arg, "with pixel coordinates `min_filter` and `mag_filter` are the same (MSL spec §2.10)".to_owned());
        }
    }

    /// Rules for a variable that is declared outside of functions.
    pub(crate) fn check_declared_variable(&mut self, decl: DeclId, variable: &Variable, ty: QualTy) {
        self.check_storage_class(decl, variable);
        self.check_array_bounds(variable.ty);
        if variable.kind != VariableKind::Global || !self.sema.store().is_solid(ty.ty) {
            return;
        }
        if self.is_library_class(ty.ty, "sampler") {
            self.check_sampler(decl, variable);
        } else if ty.space == Space::Constant && variable.qualifier.is_none() && variable.name_args.is_none() {
            self.check_constant_variable(decl, variable, ty);
        }
    }

    /// Rules for a program-scope variable in constant memory (MSL spec §4.2): it is initialised, by a constant.
    pub(crate) fn check_constant_variable(&self, decl: DeclId, variable: &Variable, ty: QualTy) {
        let data = &self.ast()[decl];
        if !data.attrs.is_empty() || data.specs.intersects(Specs::EXTERN | Specs::EXTERN_TEMPLATE) {
            return;
        }
        if matches!(variable.init, Init::None) {
            // Types of the library may be bindings, and those have rules of their own.
            let is_plain = matches!(
                self.kind(ty.ty),
                TyKind::Scalar(_) | TyKind::Vector(..) | TyKind::Packed(..) | TyKind::Matrix(..) | TyKind::Enum(..)
            );
            if is_plain && data.templates.is_empty() {
                self.report(
                    Code::NotAConstant,
                    self.name_range(decl),
                    "a program-scope variable in constant memory is initialised where it is declared; a value that is set when the \
                     pipeline is made needs `[[function_constant(n)]]` (MSL spec §4.2)"
                        .to_owned(),
                );
            }
            return;
        }
        if let Init::Assign(init) = &variable.init
            && let Some((call, function)) = self.runtime_call(*init)
        {
            self.report(
                Code::NotAConstant,
                self.ast()[call].range,
                format!(
                    "the initialiser of a variable in constant memory is a constant expression, and `{function}` is not `constexpr` (MSL \
                     spec §4.2)"
                ),
            );
        }
    }

    /// A call, inside an expression, of a function of the program that is not `constexpr`.
    fn runtime_call(&self, expr: ExprId) -> Option<(ExprId, String)> {
        self.sema.deeper(|| self.runtime_call_inner(expr)).flatten()
    }

    fn runtime_call_inner(&self, expr: ExprId) -> Option<(ExprId, String)> {
        let ast = self.ast();
        match &ast[expr].kind {
            ExprKind::Call { args, .. } => {
                if let Some(item) = self.facts.callees.get(&expr)
                    && !self.sema.is_library(item.decl)
                    && !ast[item.decl].specs.contains(Specs::CONSTEXPR)
                    && matches!(&ast[item.decl].kind, DeclKind::Function(function) if function.role == FunctionRole::Plain)
                {
                    return Some((expr, self.sema.decl_name(item.decl)?.to_string()));
                }
                args.iter().find_map(|&arg| self.runtime_call(arg))
            }
            ExprKind::Paren(inner)
            | ExprKind::Unary { operand: inner, .. }
            | ExprKind::CCast { operand: inner, .. } => self.runtime_call(*inner),
            ExprKind::Binary { lhs, rhs, .. } => self.runtime_call(*lhs).or_else(|| self.runtime_call(*rhs)),
            ExprKind::Construct { args, .. } => args.iter().find_map(|&arg| self.runtime_call(arg)),
            ExprKind::InitList(items) => items.iter().find_map(|&item| self.runtime_call(item)),
            _ => None,
        }
    }

    /// A failed `static_assert` whose condition depends on nothing open (C++ [dcl.pre]).
    pub(crate) fn check_static_assert(&self, cond: ExprId, message: Option<ExprId>) {
        if !matches!(self.sema.evaluate_in(cond, self.cx), Value::Known(Const::Int(0))) || self.in_template() {
            return;
        }
        let text: String = match message.map(|message| &self.ast()[message].kind) {
            Some(ExprKind::String(parts)) => parts.iter().map(|part| part.as_str().trim_matches('"')).collect(),
            _ => String::new(),
        };
        let message = match text.is_empty() {
            true => "this static assertion does not hold".to_owned(),
            false => format!("this static assertion does not hold: {text}"),
        };
        self.report(Code::StaticAssertionFailed, self.ast()[cond].range, message);
    }

    /// 64-bit integers may stand in buffers from 2.3 on (MSL spec §2.1).
    pub(crate) fn check_buffer_type(&self, param: DeclId, ty: QualTy) {
        let since = Since::both(2, 3);
        if self.sema.has(since) {
            return;
        }
        let (TyKind::Pointer(inner) | TyKind::LRef(inner)) = self.kind(ty.ty) else { return };
        // A pointee that is one itself is the business of the rules for parameters.
        if matches!(inner.space, Space::Device | Space::Constant)
            && matches!(self.kind(inner.ty), TyKind::Record(..))
            && self.holds_long(inner.ty)
        {
            self.needs(since, self.name_range(param), "64-bit integers in buffers need");
        }
    }

    /// Whether an object of a type has a 64-bit integer in it.
    fn holds_long(&self, ty: Ty) -> bool {
        let inside = || match self.kind(ty) {
            TyKind::Scalar(scalar) | TyKind::Vector(scalar, _) | TyKind::Packed(scalar, _) => {
                matches!(scalar, Scalar::Long | Scalar::ULong)
            }
            TyKind::Array(elem, _) => self.holds_long(elem.ty),
            TyKind::Record(decl, _) if !self.sema.is_library(*decl) => self.sema.record_info(ty).is_some_and(|info| {
                self.sema.fields(&info).into_iter().any(|field| self.holds_long(self.sema.variable_type(field).ty))
            }),
            _ => false,
        };
        self.sema.deeper(inside).unwrap_or(false)
    }

    /// An object function has one payload (MSL spec §5.1.7).
    pub(crate) fn check_payloads(&self, params: &[DeclId]) {
        let is_payload = |&&param: &&DeclId| match &self.ast()[param].kind {
            DeclKind::Variable(_) => {
                let ty = self.sema.variable_type(crate::sema::DeclRef { decl: param, bind: BindId::NONE });
                matches!(self.kind(ty.ty), TyKind::Pointer(inner) | TyKind::LRef(inner) if inner.space == Space::ObjectData)
            }
            _ => false,
        };
        if let Some(&second) = params.iter().filter(is_payload).nth(1) {
            self.report(
                Code::AttributeMisuse,
                self.name_range(second),
                "an object function has one payload, and this is the second (MSL spec §5.1.7)".to_owned(),
            );
        }
    }

    /// Unions came with 1.2 (MSL spec §1.5.4).
    pub(crate) fn check_record_key(&self, decl: DeclId, record: &Record) {
        if record.key == RecordKey::Union && record.scope.is_some() {
            let range = self.ast()[decl].range;
            let range = if record.name.is_empty() {
                TokenRange::new(range.start, range.start + 1)
            } else {
                self.name_range(decl)
            };
            self.needs(Since::both(1, 2), range, "unions need");
        }
    }

    /// A function that no attribute makes an entry point cannot be called `main`.
    pub(crate) fn check_main(&self, decl: DeclId, function: &Function) {
        let ast = self.ast();
        if function.name.ident().is_some_and(|name| name.as_str() == "main")
            && function.qualifier.is_none()
            && ast[decl].templates.is_empty()
            && ast[self.sema.declared_in(decl)].kind == ScopeKind::Global
        {
            self.report(
                Code::RemovedLanguageFeature,
                self.name_range(decl),
                "a function that is no entry point cannot be called `main`".to_owned(),
            );
        }
    }

    pub(crate) fn name_range(&self, decl: DeclId) -> TokenRange {
        let token = self.ast()[decl].name_token;
        TokenRange::new(token, token + 1)
    }
}
