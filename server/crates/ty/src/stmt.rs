//! Statements and the variables that they declare.

use msl_diagnostics::Code;
use msl_parser::ast::*;

use smallvec::SmallVec;

use crate::expr::{Checker, ExprFlags, ExprInfo};
use crate::overload::{CallKey, Outcome};
use crate::sema::{Cx, DeclRef};
use crate::store::*;

impl<'a> Checker<'a> {
    /// Checks a whole parsed body: the member initialisers, then the statements.
    pub fn body(&mut self, body: &msl_parser::ParsedBody) {
        for init in &body.inits {
            self.member_init(init);
        }
        self.default_initialized_members(body);
        self.enclosing.is_broken = !body.diagnostics.is_empty();
        self.stmt(body.root);
        self.check_end(body);
    }

    /// G34: a member that is initialised by default needs a default constructor for the space of `this`.
    fn default_initialized_members(&mut self, body: &msl_parser::ParsedBody) {
        let ast = self.ast();
        let Some(function) = self.entry_function() else { return };
        let DeclKind::Function(Function { role: FunctionRole::Constructor, .. }) = &ast[function].kind else { return };
        let (Some(class), Some(this)) = (self.cx.class, self.sema.this_of(self.cx)) else { return };
        let Some(info) = self.sema.record_info(class) else { return };
        for field in self.sema.fields(&info) {
            let DeclKind::Variable(variable) = &ast[field.decl].kind else { continue };
            if variable.init != Init::None {
                continue;
            }
            let is_initialized = body.inits.iter().any(|init| {
                matches!(&ast[init.target].kind, TypeKind::Path { path, .. } if path.as_ident() == variable.name.ident())
                    || !matches!(&ast[init.target].kind, TypeKind::Path { .. })
            });
            let ty = self.sema.variable_type(field);
            if is_initialized || !matches!(self.kind(ty.ty), TyKind::Record(..)) {
                continue;
            }
            let Some(constructors) = self.sema.constructors(ty.ty) else { continue };
            let defaults: Vec<DeclRef> = constructors
                .into_iter()
                .filter(|&item| self.sema.signature(item).params.iter().all(|param| param.has_default))
                .collect();
            let wanted: Vec<Space> =
                defaults.iter().filter_map(|&item| Some(self.sema.signature(item).this?.space)).collect();
            if wanted.len() != defaults.len()
                || wanted.is_empty()
                || wanted.iter().any(|&space| this.space.converts_to(space))
            {
                continue;
            }
            let token = ast[function].name_token;
            let name = variable.name.ident().unwrap_or_default();
            self.report(
                if this.space == Space::Generic { Code::GenericToConcrete } else { Code::AddressSpaceMismatch },
                TokenRange::new(token, token + 1),
                format!(
                    "the member `{name}` cannot be initialised by default: its constructor takes an object in {} memory, and this \
                     constructor's object is {}; initialise it here or write `{}` after this constructor's parameters",
                    self.space_name(wanted[0]),
                    self.space_name(this.space),
                    wanted[0].word()
                ),
            );
        }
    }

    fn member_init(&mut self, init: &MemInit) {
        let ast = self.ast();
        let mut field = None;
        if let TypeKind::Path { path, .. } = &ast[init.target].kind
            && let Some(name) = path.as_ident()
            && let Some(class) = self.cx.class
        {
            let members = self.sema.members(class, name);
            if let Some(&item) = members.items.first()
                && matches!(ast[item.decl].kind, DeclKind::Variable(_))
            {
                if let Some(last) = path.last() {
                    self.refer(last.token, item);
                }
                field = Some(item);
            }
        }
        if field.is_none() && !self.names_no_member(init.target) {
            self.note_type_refs(init.target);
        }
        let to = field.map(|item| self.sema.variable_type(item));
        self.initializer(&init.init, to);
        let object = to.unwrap_or_else(|| self.sema.resolve_type(init.target, self.cx));
        if let Some(constructor) = self.chosen_constructor(&init.init, object.ty) {
            self.facts.member_constructors.insert(init.target, constructor);
        }
    }

    /// Checks an initialiser against the type it initialises, if that is known.
    pub(crate) fn initializer(&mut self, init: &Init, to: Option<QualTy>) -> Option<ExprInfo> {
        match init {
            Init::None | Init::Implied => None,
            Init::Assign(expr) => {
                let info = self.expr(*expr);
                if let Some(to) = to {
                    self.initialize(*expr, &info, to);
                    self.check_list(*expr, to);
                }
                Some(info)
            }
            Init::Paren(args) => {
                let mut only = None;
                let mut infos = Vec::with_capacity(args.len());
                for &arg in args {
                    let info = self.expr(arg);
                    infos.push(info);
                    only = Some(info);
                }
                if let (Some(to), Some((first, last))) = (to, args.first().zip(args.last()))
                    && !args.iter().any(|&arg| matches!(self.ast()[arg].kind, ExprKind::Expansion(_)))
                {
                    let range = self.ast()[*first].range.cover(self.ast()[*last].range);
                    self.check_construction(range, to.ty, &infos, false);
                    self.check_constructor(range, to.ty, &infos);
                }
                if let ([arg], Some(info), Some(to)) = (&**args, only, to)
                    && !matches!(
                        self.kind(to.ty),
                        TyKind::Record(..) | TyKind::Vector(..) | TyKind::Matrix(..) | TyKind::Packed(..)
                    )
                {
                    self.initialize(*arg, &info, to);
                }
                only
            }
            Init::Brace(list) => {
                let info = self.expr(*list);
                if let Some(to) = to {
                    self.check_list(*list, to);
                }
                if let (ExprKind::InitList(items), Some(to)) = (&self.ast()[*list].kind, to)
                    && let [item] = &**items
                    && matches!(self.kind(to.ty), TyKind::Pointer(_) | TyKind::LRef(_))
                {
                    let item_info = self.sema.type_of_expr(*item, self.cx);
                    self.initialize(*item, &item_info, to);
                }
                if let (ExprKind::InitList(items), Some(to)) = (&self.ast()[*list].kind, to)
                    && let [item] = &**items
                    && let Some(given) = self.info_of(*item)
                    && self.is_solid(&given)
                {
                    self.check_narrowing(*item, &given, to.ty);
                }
                Some(info)
            }
        }
    }

    fn initialize(&mut self, expr: ExprId, info: &ExprInfo, to: QualTy) {
        // C++ [dcl.init]: arrays are not copied.
        if matches!(self.kind(to.ty), TyKind::Array(..))
            && self.sema.store().is_solid(to.ty)
            && self.is_solid(info)
            && info.is_lvalue()
            && !info.flags.contains(ExprFlags::STRING)
        {
            let message = format!(
                "an array is initialised by a list in braces, and this is `{}`",
                self.sema.spell_ty(self.sema.strip_ref(info.ty).ty)
            );
            self.report(Code::TypeMismatch, self.ast()[expr].range, message);
            return;
        }
        if self.sema.store().is_dependent(to.ty) || matches!(self.kind(to.ty), TyKind::Array(..) | TyKind::Auto) {
            return;
        }
        self.check_conversion(expr, info, QualTy { space: Space::None, ..to }, "used");
    }

    pub(crate) fn stmt(&mut self, stmt: StmtId) {
        if !self.sema.enter() {
            return;
        }
        self.stmt_inner(stmt);
        self.sema.leave();
    }

    fn stmt_inner(&mut self, stmt: StmtId) {
        let ast = self.ast();
        let outer = self.cx;
        match &ast[stmt].kind {
            StmtKind::Error | StmtKind::Null | StmtKind::Asm => {}
            StmtKind::Break => self.check_break(stmt),
            StmtKind::Continue => self.check_continue(stmt),
            StmtKind::Compound { stmts, scope } => {
                self.cx.scope = *scope;
                for &inner in stmts {
                    self.stmt(inner);
                }
                self.leave(outer);
            }
            StmtKind::Expr(expr) => {
                self.expr(*expr);
            }
            StmtKind::Decl(decls) => self.declarations(decls),
            StmtKind::If { is_constexpr, init, cond, then, otherwise, scope } => {
                self.cx.scope = *scope;
                if let Some(init) = init {
                    self.newer_syntax(ast[*init].range, "initialisers in conditions");
                    self.stmt(*init);
                }
                if *is_constexpr {
                    let start = ast[stmt].range.start;
                    self.newer_syntax(TokenRange::new(start, start + 2), "`if constexpr` statements");
                }
                self.condition(*cond);
                let parting = cond.expr();
                // A discarded branch of an instantiated template is not looked at (C++ [stmt.if]).
                let taken = match (is_constexpr, cond) {
                    (true, Condition::Expr(cond)) if self.cx.bind != BindId::NONE => {
                        self.sema.evaluate_in(*cond, self.cx).int().map(|value| value != 0)
                    }
                    _ => None,
                };
                if taken != Some(false) {
                    self.parted_by(parting, |checker| checker.stmt(*then));
                }
                if let Some(otherwise) = otherwise
                    && taken != Some(true)
                {
                    self.parted_by(parting, |checker| checker.stmt(*otherwise));
                }
                self.leave(outer);
            }
            StmtKind::Switch { init, cond, body, scope } => {
                self.cx.scope = *scope;
                if let Some(init) = init {
                    self.newer_syntax(ast[*init].range, "initialisers in conditions");
                    self.stmt(*init);
                }
                match *cond {
                    Condition::Expr(cond) => {
                        let info = self.expr(cond);
                        self.check_switch(cond, &info);
                    }
                    Condition::Decl(decl) => self.local_variable(decl),
                    Condition::Error => {}
                }
                self.in_switch(|checker| checker.stmt(*body));
                self.leave(outer);
            }
            StmtKind::Case { value, end, stmt: labelled } => {
                self.expr(*value);
                if let Some(end) = end {
                    self.expr(*end);
                }
                self.check_case(stmt, *value, *end);
                self.stmt(*labelled);
            }
            StmtKind::Default { stmt: labelled } => {
                self.check_default(stmt);
                self.stmt(*labelled);
            }
            StmtKind::While { cond, body, scope, .. } => {
                self.cx.scope = *scope;
                self.condition(*cond);
                self.parted_by(cond.expr(), |checker| checker.in_loop(|checker| checker.stmt(*body)));
                self.leave(outer);
            }
            StmtKind::Do { body, cond, .. } => {
                self.in_loop(|checker| checker.stmt(*body));
                let info = self.expr(*cond);
                self.check_condition(*cond, &info);
            }
            StmtKind::For { init, cond, step, body, scope, .. } => {
                self.cx.scope = *scope;
                if let Some(init) = init {
                    self.stmt(*init);
                }
                if let Some(cond) = cond {
                    self.condition(*cond);
                }
                if let Some(step) = step {
                    self.expr(*step);
                }
                self.in_loop(|checker| checker.stmt(*body));
                self.leave(outer);
            }
            StmtKind::RangeFor { init, var, range, body, scope, .. } => {
                self.cx.scope = *scope;
                if let Some(init) = init {
                    self.stmt(*init);
                }
                let range_info = self.expr(*range);
                self.check_range(*range, &range_info);
                self.range_variable(*var, &range_info);
                self.in_loop(|checker| checker.stmt(*body));
                self.leave(outer);
            }
            StmtKind::Return(value) => self.return_value(ast[stmt].range, *value),
            StmtKind::Goto(_) => {
                self.report(
                    Code::RemovedLanguageFeature,
                    ast[stmt].range,
                    "Metal does not have `goto` (MSL spec §1.5.4)".to_owned(),
                );
            }
            StmtKind::Label { stmt, .. } => self.stmt(*stmt),
            StmtKind::Try { body, handlers } => {
                self.report(
                    Code::RemovedLanguageFeature,
                    TokenRange::new(ast[stmt].range.start, ast[stmt].range.start + 1),
                    "Metal does not have exceptions (MSL spec §1.5.4)".to_owned(),
                );
                self.stmt(*body);
                for &handler in handlers {
                    self.stmt(handler);
                }
            }
        }
    }

    /// Leaves a scope; declarations made in it stay numbered as seen.
    fn leave(&mut self, outer: Cx) {
        self.cx.scope = outer.scope;
    }

    pub(crate) fn stmt_expr(&mut self, stmt: StmtId) -> ExprInfo {
        let ast = self.ast();
        self.stmt(stmt);
        let StmtKind::Compound { stmts, .. } = &ast[stmt].kind else { return ExprInfo::UNKNOWN };
        match stmts.last().map(|&last| &ast[last].kind) {
            Some(StmtKind::Expr(expr)) => match self.info_of(*expr) {
                Some(info) => ExprInfo::value(self.sema.decayed(info.ty)),
                None => ExprInfo::UNKNOWN,
            },
            _ => ExprInfo::value(Ty::VOID),
        }
    }

    fn condition(&mut self, cond: Condition) {
        match cond {
            Condition::Expr(expr) => {
                let info = self.expr(expr);
                self.check_condition(expr, &info);
            }
            Condition::Decl(decl) => self.local_variable(decl),
            Condition::Error => {}
        }
    }

    fn declarations(&mut self, decls: &[DeclId]) {
        let ast = self.ast();
        for &decl in decls {
            match &ast[decl].kind {
                DeclKind::Variable(_) => self.local_variable(decl),
                DeclKind::StructuredBinding { ty, names, init } => {
                    self.newer_syntax(ast[*ty].range, "structured bindings");
                    self.structured_binding(*ty, names, *init);
                }
                DeclKind::TypeAlias { ty, .. } => {
                    self.see(decl);
                    self.types_in(*ty);
                }
                DeclKind::StaticAssert { cond, message } => {
                    self.expr(*cond);
                    self.check_static_assert(*cond, *message);
                }
                DeclKind::Record(_) | DeclKind::Enum(_) => {
                    self.see(decl);
                    self.local_type(decl);
                }
                DeclKind::UsingDirective { target }
                | DeclKind::UsingDecl { target, .. }
                | DeclKind::NamespaceAlias { target, .. } => {
                    self.see(decl);
                    self.note_path(target);
                }
                _ => self.see(decl),
            }
        }
    }

    /// Makes a declaration, and everything declared inside it, visible from here on.
    fn see(&mut self, decl: DeclId) {
        if self.sema.is_local(decl) && self.cx.before_local != u32::MAX {
            self.cx.before_local = self.cx.before_local.max(decl.0 + 1);
        }
    }

    fn local_type(&mut self, decl: DeclId) {
        let ast = self.ast();
        match &ast[decl].kind {
            DeclKind::Record(record) => {
                for &member in &record.members {
                    self.see(member);
                    if let DeclKind::Variable(variable) = &ast[member].kind {
                        let outer = self.cx;
                        if let Some(scope) = record.scope {
                            self.cx.scope = scope;
                        }
                        self.types_in(variable.ty);
                        self.cx.scope = outer.scope;
                    }
                }
            }
            DeclKind::Enum(enumeration) => {
                for &enumerator in &enumeration.enumerators {
                    self.see(enumerator);
                    if let DeclKind::Enumerator { value: Some(value), .. } = &ast[enumerator].kind {
                        self.expr(*value);
                    }
                }
            }
            _ => {}
        }
    }

    /// A variable declared in a body: its type, its space, its initialiser.
    pub(crate) fn local_variable(&mut self, decl: DeclId) {
        let ast = self.ast();
        let DeclKind::Variable(variable) = &ast[decl].kind else { return };
        let is_function_like = variable.kind == VariableKind::Field;
        if is_function_like {
            return;
        }
        // In an instance a variable whose type depends on nothing has it already; its initialiser may still depend.
        if let Some(&known) = self.generic.and_then(|generic| generic.variables.get(&decl))
            && self.sema.store().is_solid(known.ty)
            && !self.sema.store().flags(known.ty).contains(TyFlags::LOCAL)
        {
            self.see(decl);
            self.set_variable(decl, known);
            if let Some(&constructor) = self.generic.and_then(|generic| generic.constructors.get(&decl)) {
                self.facts.constructors.insert(decl, constructor);
            }
            let is_settled = match &variable.init {
                Init::None | Init::Implied => true,
                Init::Assign(init) => self.settled(*init),
                _ => false,
            };
            if !is_settled {
                self.initializer(&variable.init, Some(known));
            }
            return;
        }
        self.note_attributes(decl);
        let declared = self.types_in(variable.ty);
        let is_auto = self.sema.store().flags(declared.ty).contains(TyFlags::AUTO)
            && !self.sema.store().is_dependent(declared.ty);
        // The name is visible in its own initialiser (C++ [basic.scope.pdecl]).
        self.see(decl);
        if is_auto {
            self.check_deduced(decl, variable);
            let info = self.initializer(&variable.init, None);
            let info = match &variable.init {
                // `auto x{e}` has the type of `e`.
                Init::Brace(list) => match &ast[*list].kind {
                    ExprKind::InitList(items) if items.len() == 1 => self.info_of(items[0]).or(info),
                    _ => info,
                },
                _ => info,
            };
            let ty = match info {
                Some(info) if !info.is_init_list() && !info.is_overload_set() => self.sema.deduce_auto(declared, &info),
                _ => QualTy::UNKNOWN,
            };
            self.set_variable(decl, ty);
            // What is deduced fits, but for what is written around it: a space, a reference.
            if let (Init::Assign(init), Some(info)) = (&variable.init, &info)
                && matches!(self.kind(declared.ty), TyKind::LRef(_) | TyKind::RRef(_) | TyKind::Pointer(_))
                && self.sema.store().is_solid(ty.ty)
            {
                self.check_conversion(*init, info, ty.unqualified(), "used");
            }
            self.check_local_variable(decl, variable, ty);
            return;
        }
        if let (Ty::UNKNOWN, Some(template)) = (declared.ty, self.sema.template_name(variable.ty, self.cx)) {
            self.check_class_deduction(template, variable.ty);
        }
        // A type parameter that stands for a pointee's type carries its space, which a variable of its own does not
        // have (G44a).
        let from_param = self.written_space(variable.ty).is_none();
        let declared = if from_param { declared.with_space(Space::None) } else { declared };
        let ty = self.sema.quiet().complete_variable_type(variable, declared, self.cx);
        self.set_variable(decl, ty);
        self.check_local_space(decl, variable, ty);
        self.initializer(&variable.init, Some(ty));
        if let Some(constructor) = self.chosen_constructor(&variable.init, ty.ty) {
            self.facts.constructors.insert(decl, constructor);
        }
        self.check_local_variable(decl, variable, ty);
    }

    /// Which constructor initialises an object of class type, if facts are kept.
    fn chosen_constructor(&self, init: &Init, ty: Ty) -> Option<DeclRef> {
        if !self.keeps_facts || !matches!(self.kind(ty), TyKind::Record(..)) || self.sema.store().is_dependent(ty) {
            return None;
        }
        let args: Vec<ExprId> = match init {
            Init::None => Vec::new(),
            Init::Paren(args) => args.to_vec(),
            Init::Brace(list) => match &self.ast()[*list].kind {
                ExprKind::InitList(items) => items.to_vec(),
                _ => return None,
            },
            Init::Assign(_) | Init::Implied => return None,
        };
        let constructors = self.sema.constructors(ty).filter(|constructors| !constructors.is_empty())?;
        let infos: Option<SmallVec<[ExprInfo; 4]>> = args.iter().map(|&arg| self.info_of(arg)).collect();
        let key =
            CallKey { candidates: constructors.into_iter().collect(), object: None, explicit: None, args: infos? };
        match &*self.sema.resolve_call(key) {
            Outcome::Best(item) => Some(*item),
            _ => None,
        }
    }

    /// The space that is written on a declaration's outermost type, with its token.
    pub(crate) fn written_space(&self, node: TypeId) -> Option<(SpaceWord, u32)> {
        match &self.ast()[node].kind {
            TypeKind::Qualified { inner, quals } => {
                quals.spaces.first().copied().or_else(|| self.written_space(*inner))
            }
            TypeKind::Array { elem, .. } => self.written_space(*elem),
            _ => None,
        }
    }

    /// Where automatic variables may live (MSL spec §4).
    fn check_local_space(&mut self, decl: DeclId, variable: &Variable, ty: QualTy) {
        let specs = self.ast()[decl].specs;
        if let Some((word, token)) = self.written_space(variable.ty)
            && variable.kind == VariableKind::Local
            && !specs.intersects(Specs::STATIC | Specs::EXTERN | Specs::CONSTEXPR)
        {
            let range = TokenRange::new(token, token + 1);
            match word {
                SpaceWord::Device => self.report_with(
                    Code::MisplacedAddressSpace,
                    range,
                    "a local variable cannot be in device memory: it lives in thread memory; only what a pointer points to can be `device`".to_owned(),
                    vec![crate::rules::remove(token, "device", true)],
                ),
                SpaceWord::Constant if !ty.is_const() || matches!(variable.init, Init::None) => self.report(
                    Code::MisplacedAddressSpace,
                    range,
                    "a local variable cannot be in constant memory: move it to program scope".to_owned(),
                ),
                SpaceWord::Threadgroup if !self.in_entry_point() => {
                    if self.may_be_entry_point() {
                        return;
                    }
                    self.report(
                        Code::MisplacedAddressSpace,
                        range,
                        "threadgroup memory can be declared only in a kernel, mesh or object function: declare it there and pass a pointer (MSL spec §4.4)".to_owned(),
                    );
                }
                _ => {}
            }
        }
    }

    pub(crate) fn entry_function(&self) -> Option<DeclId> {
        let mut scope = Some(self.cx.scope);
        while let Some(id) = scope {
            let data = &self.ast()[id];
            if data.kind == msl_parser::scope::ScopeKind::Function {
                return data.owner;
            }
            scope = data.parent;
        }
        None
    }

    fn in_entry_point(&self) -> bool {
        self.entry_function().is_some_and(|decl| self.sema.stage_of(decl).is_some())
    }

    /// A template can become an entry point by explicit instantiation, and a function whose stage is hidden from us
    /// can be one.
    fn may_be_entry_point(&self) -> bool {
        self.entry_function().is_none_or(|decl| !self.ast()[decl].templates.is_empty()) || self.cx.bind != BindId::NONE
    }

    fn range_variable(&mut self, var: DeclId, range: &ExprInfo) {
        let ast = self.ast();
        let DeclKind::Variable(variable) = &ast[var].kind else { return };
        let declared = self.types_in(variable.ty);
        self.see(var);
        let element = match self.kind(range.ty.ty) {
            TyKind::Array(elem, _) => {
                Some(ExprInfo::lvalue(QualTy { cv: elem.cv | range.ty.cv, space: range.ty.space, ..*elem }))
            }
            _ if self.is_dependent(range) => Some(ExprInfo::DEPENDENT),
            TyKind::Record(..) => self.range_element(range),
            _ => None,
        };
        let ty = if self.sema.store().flags(declared.ty).contains(TyFlags::AUTO) {
            element.map_or(QualTy::UNKNOWN, |element| self.sema.deduce_auto(declared, &element))
        } else {
            declared
        };
        self.set_variable(var, ty);
    }

    /// The element of a class with `begin()`.
    fn range_element(&self, range: &ExprInfo) -> Option<ExprInfo> {
        let begin = self.sema.members(range.ty.ty, msl_intern::Name::new("begin"));
        let usable: Vec<DeclRef> =
            begin.items.iter().copied().filter(|&item| self.sema.callable_on(item, range)).collect();
        let &item = usable.first()?;
        match self.kind(self.sema.decayed(self.sema.result_of(item))) {
            TyKind::Pointer(pointee) => Some(ExprInfo::lvalue(*pointee)),
            _ => None,
        }
    }

    fn structured_binding(&mut self, ty: TypeId, names: &[DeclId], init: Option<ExprId>) {
        let declared = self.types_in(ty);
        let info = init.map(|init| self.expr(init));
        let elements: Option<Vec<QualTy>> = info.and_then(|info| self.binding_elements(&info, declared, names.len()));
        for (index, &name) in names.iter().enumerate() {
            self.see(name);
            let ty = match (&elements, &info) {
                (Some(elements), _) => elements[index],
                (None, Some(info)) if self.is_dependent(info) => QualTy::DEPENDENT,
                _ => QualTy::UNKNOWN,
            };
            self.set_variable(name, ty);
        }
    }

    fn binding_elements(&self, info: &ExprInfo, declared: QualTy, count: usize) -> Option<Vec<QualTy>> {
        let object = self.sema.strip_ref(info.ty);
        let space = if self.sema.is_ref(declared.ty) { info.place() } else { Space::None };
        let types: Vec<QualTy> = match self.kind(object.ty) {
            TyKind::Array(elem, _) => vec![*elem; count],
            // Each component, as clang does it; nobody states that Metal forbids it.
            TyKind::Vector(scalar, width) if usize::from(*width) == count => {
                vec![QualTy::plain(Ty::scalar(*scalar)); count]
            }
            TyKind::Record(..) => {
                let record = self.sema.record_info(object.ty)?;
                self.sema.fields(&record).into_iter().map(|field| self.sema.variable_type(field)).collect()
            }
            _ => return None,
        };
        (types.len() == count).then(|| types.into_iter().map(|ty| ty.with_space(space).with_cv(declared.cv)).collect())
    }

    fn return_value(&mut self, range: TokenRange, value: Option<ExprId>) {
        let Some(value) = value else {
            self.returned.get_or_insert(QualTy::plain(Ty::VOID));
            if let Some(declared) = self.ret
                && self.sema.store().is_solid(declared.ty)
                && !self.sema.store().flags(declared.ty).contains(TyFlags::AUTO)
                && declared.ty != Ty::VOID
                && Some(declared.ty) != self.cx.class
            {
                let ty = self.sema.spell(declared);
                self.report(Code::TypeMismatch, range, format!("this function has to return a value of type `{ty}`"));
            }
            return;
        };
        let info = self.expr(value);
        let Some(declared) = self.ret else { return };
        if self.sema.store().flags(declared.ty).contains(TyFlags::AUTO) {
            if info.is_init_list() || info.is_overload_set() {
                self.returned.get_or_insert(QualTy::UNKNOWN);
                return;
            }
            let ty = match self.kind(declared.ty) {
                TyKind::DecltypeAuto => self.sema.decltype_of(value, info, self.cx),
                _ => self.sema.deduce_auto(declared, &info),
            };
            self.returned.get_or_insert(ty);
            return;
        }
        if declared.ty == Ty::VOID && self.is_solid(&info) && info.ty.ty != Ty::VOID {
            let ty = self.sema.spell_ty(info.ty.ty);
            let message = format!("this function returns nothing, and this is a value of type `{ty}`");
            self.report(Code::TypeMismatch, self.ast()[value].range, message);
        }
        if self.sema.store().is_dependent(declared.ty) || declared.ty == Ty::VOID {
            return;
        }
        self.check_conversion(value, &info, declared, "returned");
    }
}
