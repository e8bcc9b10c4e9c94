//! Checks of declarations: types and their address spaces, entry points, program-scope variables.

use msl_builtins::Since;
use msl_builtins::attributes::{Role, Stages};
use msl_diagnostics::Code;
use msl_parser::ast::*;

use crate::expr::Checker;
use crate::sema::{Cx, DeclRef, Sema, TokenEdit, TokenFix, TyDiagnostic};
use crate::store::*;

/// What kind of entry point a function is (MSL spec §5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    Vertex,
    Fragment,
    Kernel,
    Object,
    Mesh,
    Intersection,
}

impl Stage {
    pub const fn word(self) -> &'static str {
        match self {
            Stage::Vertex => "vertex",
            Stage::Fragment => "fragment",
            Stage::Kernel => "kernel",
            Stage::Object => "object",
            Stage::Mesh => "mesh",
            Stage::Intersection => "intersection",
        }
    }

    /// The spaces that a pointer or reference parameter may be in (MSL spec §4, §5.1).
    pub const fn allows(self, space: Space) -> bool {
        match space {
            Space::Device | Space::Constant | Space::Unknown | Space::None => true,
            Space::Threadgroup => matches!(self, Stage::Kernel | Stage::Fragment | Stage::Object | Stage::Mesh),
            Space::ThreadgroupImageblock => matches!(self, Stage::Kernel | Stage::Fragment),
            Space::ObjectData => matches!(self, Stage::Object | Stage::Mesh),
            Space::RayData => matches!(self, Stage::Intersection),
            Space::Thread | Space::Generic => false,
        }
    }
}

impl Stage {
    /// The stage of the functions that an attribute makes entry points.
    fn of(stages: Stages) -> Option<Stage> {
        [
            (Stages::KERNEL, Stage::Kernel),
            (Stages::VERTEX, Stage::Vertex),
            (Stages::FRAGMENT, Stage::Fragment),
            (Stages::OBJECT, Stage::Object),
            (Stages::MESH, Stage::Mesh),
            (Stages::INTERSECTION, Stage::Intersection),
        ]
        .into_iter()
        .find_map(|(of, stage)| stages.contains(of).then_some(stage))
    }
}

/// The kinds of function that an attribute makes of the function it stands on; empty for other attributes.
fn qualifier_stages(attr: &Attr) -> Stages {
    msl_builtins::attribute(attr.name.as_str())
        .into_iter()
        .flat_map(|info| info.uses)
        .filter(|one| one.role == Role::Qualifier)
        .fold(Stages::NONE, |all, one| all.or(one.stages))
}

impl<'a> Sema<'a> {
    /// Whether the host can call a function, or the pipeline: entry points, visible and intersection functions.
    pub fn is_called_from_outside(&self, decl: DeclId) -> bool {
        self.stage_of(decl).is_some()
            || self.ast[decl].attrs.iter().any(|&attr| qualifier_stages(&self.ast[attr]) != Stages::NONE)
    }

    /// The kind of entry point that a function declaration says it is.
    pub fn stage_of(&self, decl: DeclId) -> Option<Stage> {
        let data = &self.ast[decl];
        if data.specs.contains(Specs::KERNEL) {
            return Some(Stage::Kernel);
        }
        if data.specs.contains(Specs::VERTEX) {
            return Some(Stage::Vertex);
        }
        if data.specs.contains(Specs::FRAGMENT) {
            return Some(Stage::Fragment);
        }
        data.attrs.iter().find_map(|&attr| Stage::of(qualifier_stages(&self.ast[attr])))
    }
}

impl<'a> Checker<'a> {
    fn at(&mut self, item: DeclRef) -> Cx {
        let outer = self.cx;
        self.cx = self.sema.cx_of(item);
        outer
    }

    /// Checks a declaration of the unit and what is declared inside it; deferred bodies are not entered.
    pub fn declaration(&mut self, decl: DeclId) {
        if !self.sema.enter() {
            return;
        }
        let item = DeclRef { decl, bind: BindId::NONE };
        let outer = self.at(item);
        self.declaration_inner(item);
        self.cx = outer;
        self.sema.leave();
    }

    fn declaration_inner(&mut self, item: DeclRef) {
        let ast = self.ast();
        let decl = &ast[item.decl];
        for &header in &decl.templates {
            self.template_header(header);
        }
        self.note_attributes(item.decl);
        match &decl.kind {
            DeclKind::Namespace { decls, .. } => {
                for &inner in decls {
                    self.declaration(inner);
                }
            }
            DeclKind::TypeAlias { ty, .. } => {
                self.types_in(*ty);
            }
            DeclKind::UsingDirective { target }
            | DeclKind::UsingDecl { target, .. }
            | DeclKind::NamespaceAlias { target, .. } => {
                self.note_path(target);
            }
            DeclKind::StaticAssert { cond, message } => {
                self.expr(*cond);
                self.check_static_assert(*cond, *message);
            }
            DeclKind::Variable(variable) => self.declared_variable(item, variable),
            DeclKind::Function(function) => self.declared_function(item, function),
            DeclKind::Record(record) => self.declared_record(item, record),
            DeclKind::Enum(enumeration) => {
                if let Some(underlying) = enumeration.underlying {
                    self.types_in(underlying);
                }
                for &enumerator in &enumeration.enumerators {
                    if let DeclKind::Enumerator { value: Some(value), .. } = &ast[enumerator].kind {
                        let outer = self.at(DeclRef { decl: enumerator, bind: BindId::NONE });
                        self.expr(*value);
                        self.cx = outer;
                    }
                }
            }
            DeclKind::FriendType(ty) => {
                self.note_type_refs(*ty);
            }
            DeclKind::DeductionGuide { ty, result, .. } => {
                self.note_type_refs(*ty);
                self.note_type_refs(*result);
            }
            _ => {}
        }
    }

    fn template_header(&mut self, header: TemplateId) {
        let ast = self.ast();
        let outer = self.cx;
        self.cx.scope = ast[header].scope;
        for &param in &ast[header].params {
            match &ast[param].kind {
                DeclKind::TypeParam { default: Some(default), .. } => {
                    self.types_in(*default);
                }
                DeclKind::Variable(variable) => {
                    self.types_in(variable.ty);
                    if matches!(ast[variable.ty].kind, TypeKind::Auto) {
                        self.needs(
                            Since::both(4, 0),
                            ast[variable.ty].range,
                            "`auto` as the type of a template parameter needs",
                        );
                    }
                    if let Init::Assign(init) = &variable.init {
                        self.expr(*init);
                    }
                }
                _ => {}
            }
        }
        self.cx = outer;
    }

    fn declared_variable(&mut self, item: DeclRef, variable: &Variable) {
        let ast = self.ast();
        let specs = ast[item.decl].specs;
        if specs.contains(Specs::INSTANTIATION) {
            // `template kernel decltype(f<float>) f<float>;` names a function.
            if let Some(args) = &variable.name_args {
                self.note_template_args(args);
            }
            self.note_type_refs(variable.ty);
            self.refer_to_instantiated(item.decl);
            return;
        }
        let declared = self.types_in(variable.ty);
        let declared_item = DeclRef { decl: item.decl, bind: BindId::NONE };
        let template = if declared.ty == Ty::UNKNOWN { self.sema.template_name(variable.ty, self.cx) } else { None };
        let is_member = variable.kind == VariableKind::Field && !specs.contains(Specs::STATIC);
        if is_member {
            self.check_has_template_arguments(declared, variable.ty);
        } else if let Some(template) = template {
            self.check_class_deduction(template, variable.ty);
        }
        let ty = if template.is_some() || self.sema.store().flags(declared.ty).contains(TyFlags::AUTO) {
            self.sema.variable_type(declared_item)
        } else {
            declared
        };
        match variable.kind {
            VariableKind::Global => self.program_scope(item.decl, variable, ty),
            VariableKind::Field => self.field_space(item.decl, variable),
            _ => {}
        }
        if let Some(width) = variable.bit_width {
            self.expr(width);
        }
        self.initializer(&variable.init, Some(ty));
        self.check_declared_variable(item.decl, variable, ty);
    }

    /// The name in an explicit instantiation of a function leads to what is instantiated.
    fn refer_to_instantiated(&mut self, decl: DeclId) {
        for item in self.sema.explicitly_instantiated(decl) {
            self.refer(self.ast()[decl].name_token, item);
        }
    }

    /// MSL spec §4.2: program-scope variables are in the constant address space.
    fn program_scope(&mut self, decl: DeclId, variable: &Variable, ty: QualTy) {
        let ast = self.ast();
        let data = &ast[decl];
        if variable.qualifier.is_some() || variable.name_args.is_some() || !self.sema.store().is_solid(ty.ty) {
            return;
        }
        let has_attr = |names: &[&str]| data.attrs.iter().any(|&attr| names.contains(&ast[attr].name.as_str()));
        let written = self.written_space(variable.ty);
        if has_attr(&["function_constant"]) {
            return;
        }
        match (written, ty.space) {
            (Some((SpaceWord::Constant, _)), _) | (None, Space::Constant) => {}
            (Some((_, token)), _) => {
                // From 3.2 on there are program-scope bindings in other spaces (MSL spec §5.9).
                if self.sema.version().at_least(3, 2) && !data.attrs.is_empty() {
                    return;
                }
                self.report(
                    Code::ProgramScopeVariable,
                    TokenRange::new(token, token + 1),
                    "a program-scope variable lives in constant memory: only what a pointer points to can be in another address space (MSL spec §4.2)".to_owned(),
                );
            }
            (None, _) => {
                if self.is_opaque_global(ty) || !data.attrs.is_empty() && self.sema.version().at_least(3, 1) {
                    return;
                }
                if data.specs.contains(Specs::EXTERN_TEMPLATE) {
                    return;
                }
                let start = data.range.start;
                let token = data.name_token;
                let name = variable.name.ident().map_or(String::new(), |name| format!("`{name}` "));
                self.sema.report(|| TyDiagnostic {
                    code: Code::ProgramScopeVariable,
                    severity: None,
                    range: TokenRange::new(token, token + 1),
                    message: format!(
                        "the program-scope variable {name}must be in the `constant` address space (MSL spec §4.2)"
                    ),
                    related: Vec::new(),
                    fixes: vec![TokenFix {
                        title: "Add `constant`".to_owned(),
                        preferred: true,
                        edits: vec![TokenEdit {
                            range: TokenRange::new(start, start),
                            after: false,
                            text: "constant ".to_owned(),
                        }],
                    }],
                });
            }
        }
    }

    /// Samplers, textures and other types of the library that have rules of their own at program scope.
    fn is_opaque_global(&self, ty: QualTy) -> bool {
        match self.kind(ty.ty) {
            TyKind::Record(decl, _) => self.sema.is_library(*decl),
            TyKind::LRef(_) | TyKind::RRef(_) | TyKind::Function(_) | TyKind::Auto => true,
            TyKind::Array(elem, _) => self.is_opaque_global(*elem),
            _ => false,
        }
    }

    fn field_space(&mut self, decl: DeclId, variable: &Variable) {
        let specs = self.ast()[decl].specs;
        if let Some((word, token)) = self.written_space(variable.ty)
            && !specs.contains(Specs::STATIC)
        {
            let space = Space::from_word(word);
            // Metal's compiler takes `thread`, which says nothing, and well-known generators of random numbers have it.
            if space == Space::Thread {
                return;
            }
            self.report_with(
                Code::MisplacedAddressSpace,
                TokenRange::new(token, token + 1),
                format!("a member lives where its object lives and cannot be `{}`; only what a pointer member points to can (MSL spec §4)", space.word()),
                vec![crate::rules::remove(token, space.word(), true)],
            );
        }
    }

    fn declared_record(&mut self, item: DeclRef, record: &Record) {
        let ast = self.ast();
        if let Some(args) = &record.name_args {
            self.note_template_args(args);
        }
        for base in &record.bases {
            self.types_in(base.ty);
        }
        if ast[item.decl].specs.contains(Specs::INSTANTIATION) {
            if let Some(info) = self.sema.record_info(self.sema.record_self(item.decl, BindId::NONE)) {
                self.refer(ast[item.decl].name_token, DeclRef { decl: info.decl, bind: info.bind });
            }
            return;
        }
        self.check_record_key(item.decl, record);
        for &member in &record.members {
            self.declaration(member);
        }
    }

    fn declared_function(&mut self, item: DeclRef, function: &Function) {
        let ast = self.ast();
        let decl = &ast[item.decl];
        let TypeKind::Function(written) = &ast[function.ty].kind else { return };
        let is_instantiation = decl.specs.contains(Specs::INSTANTIATION);
        if let Some(path) = &function.qualifier {
            self.note_path(path);
        }
        if let Some(args) = &function.name_args {
            self.note_template_args(args);
        }
        let stage = self.sema.stage_of(item.decl);
        if !matches!(ast[written.ret].kind, TypeKind::None) {
            let declared = self.types_in(written.ret);
            self.check_has_template_arguments(declared, written.ret);
        }
        if let UnqualName::Conversion(node) = function.name {
            self.types_in(node);
        }
        for &param in &written.params {
            let DeclKind::Variable(variable) = &ast[param].kind else { continue };
            self.parameter(param, variable, stage.filter(|_| !is_instantiation));
        }
        if is_instantiation {
            self.refer_to_instantiated(item.decl);
            return;
        }
        self.redeclared(item, function);
        if stage == Some(Stage::Object) {
            self.check_payloads(&written.params);
        }
        self.removed_function_features(item.decl, function, stage);
    }

    /// Declarations of one function must agree, and only one may have a body (C++ [basic.def.odr], rule G37).
    fn redeclared(&mut self, item: DeclRef, function: &Function) {
        let ast = self.ast();
        let Some(name) = function.name.ident() else { return };
        let is_plain = |decl: DeclId, function: &Function| {
            function.qualifier.is_none()
                && function.name_args.is_none()
                && !ast[decl].specs.intersects(Specs::FRIEND | Specs::INSTANTIATION)
                && self.sema.headers_around(decl).is_empty()
        };
        if !is_plain(item.decl, function) {
            return;
        }
        let own = self.sema.signature(item);
        if own.unknown || !self.sema.store().is_solid(own.ret.ty) {
            return;
        }
        for &earlier in ast[self.sema.declared_in(item.decl)].get(name) {
            if earlier >= item.decl {
                break;
            }
            let DeclKind::Function(other) = &ast[earlier].kind else { continue };
            let earlier_item = DeclRef { decl: earlier, bind: BindId::NONE };
            if !is_plain(earlier, other) || !self.sema.same_function(earlier_item, item) {
                continue;
            }
            let signature = self.sema.signature(earlier_item);
            if signature.unknown || !self.sema.store().is_solid(signature.ret.ty) {
                continue;
            }
            let has_body = |function: &Function| !matches!(function.body, FunctionBody::None);
            let message = if signature.ret.ty != own.ret.ty {
                format!(
                    "`{name}` is declared with the same parameters and another result, `{}`: overloads cannot differ in the result alone",
                    self.sema.spell(signature.ret)
                )
            } else if has_body(function) && has_body(other) {
                format!("`{name}` is defined twice with the same parameters")
            } else {
                continue;
            };
            crate::redeclare::report(&self.sema, item.decl, earlier, message);
            return;
        }
    }

    fn removed_function_features(&mut self, decl: DeclId, function: &Function, stage: Option<Stage>) {
        let data = &self.ast()[decl];
        let range = TokenRange::new(data.name_token, data.name_token + 1);
        if data.specs.contains(Specs::VIRTUAL) {
            self.report(
                Code::RemovedLanguageFeature,
                range,
                "Metal does not have virtual functions (MSL spec §1.5.4)".to_owned(),
            );
        }
        if stage.is_none() {
            self.check_main(decl, function);
        }
    }

    fn parameter(&mut self, param: DeclId, variable: &Variable, stage: Option<Stage>) {
        let ty = match stage {
            // An entry point's pointers have a rule of their own (G8), which holds in every version.
            Some(_) => {
                if self.keeps_facts {
                    self.note_type_refs(variable.ty);
                }
                let found = std::cell::RefCell::new(Vec::new());
                let ty = self.sema.reporting(&found).resolve_type(variable.ty, self.cx);
                for finding in found.into_inner() {
                    if finding.code != Code::MissingAddressSpace {
                        self.sema.report(|| finding);
                    }
                }
                ty
            }
            None => self.types_in(variable.ty),
        };
        self.check_has_template_arguments(ty, variable.ty);
        self.note_attributes(param);
        let ty = self.sema.own_param(ty);
        if self.keeps_facts {
            self.facts.variables.insert(param, ty);
        }
        if let Some(stage) = stage {
            self.entry_parameter(param, variable, ty, stage);
            self.check_buffer_type(param, ty);
        }
        if !matches!(self.kind(ty.ty), TyKind::Pointer(_) | TyKind::LRef(_) | TyKind::RRef(_))
            && let Some((word, token)) = self.written_space(variable.ty)
            && !matches!(word, SpaceWord::Thread)
            // A parameter of an entry point is told so by its attribute.
            && (stage.is_none() || !crate::attributes::has_attr(&self.sema, param, "buffer"))
            && self.sema.store().is_solid(ty.ty)
            && !matches!(self.kind(ty.ty), TyKind::Record(decl, _) if self.sema.is_library(*decl))
        {
            let word = Space::from_word(word).word();
            // A reference may be what was meant.
            self.report_with(
                Code::MisplacedAddressSpace,
                TokenRange::new(token, token + 1),
                format!("a parameter passed by value lives in thread memory and cannot be `{word}`"),
                vec![crate::rules::remove(token, word, false)],
            );
        }
        if let Init::Assign(init) = &variable.init {
            self.expr(*init);
        }
    }

    fn entry_parameter(&mut self, param: DeclId, variable: &Variable, ty: QualTy, stage: Stage) {
        let (inner, what) = match self.kind(ty.ty) {
            TyKind::Pointer(inner) => (*inner, "pointer"),
            TyKind::LRef(inner) | TyKind::RRef(inner) => (*inner, "reference"),
            _ => return,
        };
        if matches!(self.kind(inner.ty), TyKind::Function(_)) || !self.sema.store().is_solid(inner.ty) {
            return;
        }
        let missing = inner.space == Space::Generic || inner.space == Space::Unknown && self.lacks_space(variable.ty);
        let data = &self.ast()[param];
        if missing {
            let start = self.pointee_start(variable.ty);
            let is_const = inner.is_const();
            self.sema.report(|| TyDiagnostic {
                code: Code::EntryPointAddressSpace,
                severity: None,
                range: TokenRange::new(data.name_token, data.name_token + 1),
                message: format!(
                    "a {what} parameter of a {} function needs an address space: `device`, `constant`{}",
                    stage.word(),
                    if stage.allows(Space::Threadgroup) { " or `threadgroup`" } else { "" }
                ),
                related: Vec::new(),
                fixes: ["device", "constant", "threadgroup"]
                    .into_iter()
                    .filter(|&space| space != "threadgroup" || stage.allows(Space::Threadgroup))
                    .map(|space| TokenFix {
                        title: format!("Add `{space}`"),
                        preferred: space == if is_const { "constant" } else { "device" },
                        edits: vec![TokenEdit {
                            range: TokenRange::new(start, start),
                            after: false,
                            text: format!("{space} "),
                        }],
                    })
                    .collect(),
            });
        } else if !stage.allows(inner.space) {
            self.report(
                Code::EntryPointAddressSpace,
                TokenRange::new(data.name_token, data.name_token + 1),
                format!(
                    "a {what} to {} memory cannot be a parameter of a {} function (MSL spec §4)",
                    self.space_name(inner.space),
                    stage.word()
                ),
            );
        }
    }

    /// Whether a pointer, reference or array is written without a space for what it leads to.
    fn lacks_space(&self, node: TypeId) -> bool {
        match &self.ast()[node].kind {
            TypeKind::Qualified { inner, quals } => quals.spaces.is_empty() && self.lacks_space(*inner),
            TypeKind::Pointer(inner) | TypeKind::LRef(inner) | TypeKind::RRef(inner) => {
                self.written_space(*inner).is_none()
            }
            TypeKind::Array { .. } => self.written_space(node).is_none(),
            _ => false,
        }
    }

    fn pointee_start(&self, node: TypeId) -> u32 {
        match &self.ast()[node].kind {
            TypeKind::Qualified { inner, .. } => self.pointee_start(*inner),
            TypeKind::Pointer(inner) | TypeKind::LRef(inner) | TypeKind::RRef(inner) => self.ast()[*inner].range.start,
            _ => self.ast()[node].range.start,
        }
    }
}
