//! Makes a function of an expression or of statements, in front of the function that they stand in.
//!
//! Vocabulary:
//!
//! * What the code *takes* are the local variables and parameters that it names and does not declare.
//! * What it *gives* is what the code behind it needs: the value of the expression, one variable that it declares, or one
//!   that it takes and writes. More than one thing is given through references.

use std::sync::Arc;

use msl_diagnostics::{Place, TextEdit, TextRange};
use msl_parser::ast::*;
use msl_ty::{
    DeclRef, Sema,
    store::{ArrayLen, BindId, Cv, QualTy, Space, TArg, Ty, TyFlags, TyKind},
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    Built, Ways,
    effects::EffectsOf,
    names,
    selection::{Selected, Selection},
    statements::Statements,
    text::{Written, has_directives},
    uses::{Use, use_of},
};
use crate::{
    actions::{edits::line_start, offers::ActionKind},
    comments,
    view::{Layer, View},
};

const ID: &str = "extract-function";
const TITLE: &str = "Extract into a function";

/// More parameters than this make no function that somebody wants.
const MAX_PARAMETERS: usize = 16;

pub(super) fn build<'v>(view: &View<'v>, selection: &Selection<'v>) -> Option<Built> {
    if let Selected::Expression(expr) = selection.what {
        let info = selection.layer.facts.exprs.get(&expr)?;
        // A name or number alone is nothing that somebody would make a function of.
        let is_leaf = matches!(
            selection.layer.ast()[expr].kind,
            ExprKind::Path(_)
                | ExprKind::Int(_)
                | ExprKind::Float(_)
                | ExprKind::Bool(_)
                | ExprKind::String(_)
                | ExprKind::This
        );
        if is_leaf || info.is_overload_set() || info.is_init_list() {
            return None;
        }
    }
    Some(match ways(view, selection) {
        Ok(ways) => Built { id: ID, title: TITLE.to_owned(), kind: ActionKind::Extract, ways },
        Err(reason) => Built::refused(ID, TITLE, ActionKind::Extract, reason),
    })
}

fn ways<'v>(view: &View<'v>, selection: &Selection<'v>) -> Result<Ways, String> {
    let layer = &selection.layer;
    let function = layer.function.ok_or("it is no part of a function body")?;
    let sema = layer.sema(view.env);
    let mut work = Work::new(view, selection, &sema, function)?;
    if msl_ty::check::is_templated(&sema, function) {
        work.template = Some(work.own_template()?);
    }
    let exit = work.exit()?;
    let taken = work.taken()?;
    if taken.len() > MAX_PARAMETERS {
        return Err(format!("it would take {} parameters", taken.len()));
    }
    let given = work.given(exit, &taken)?;
    let host = work.host()?;
    let name = names::unused_in_unit(view, "extracted");
    // Member functions that are not `const` may be called on what is handed over as `const` where nothing says that they
    // change it: the second way does without.
    Ok([Cv::CONST, Cv::empty()].into_iter().map(|cv| work.write(&host, &name, exit, &taken, &given, cv)).collect())
}

/// How the code ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    /// It goes on behind the selection.
    GoesOn,
    /// It always returns from the function around it.
    Returns,
}

/// A variable that the code takes.
struct Taken {
    decl: DeclId,
    name: String,
    /// As it is declared.
    ty: QualTy,
    /// Where it lives.
    space: Space,
    /// The code writes it, or something refers to it.
    is_object: bool,
    /// Something may still refer to it when it is written.
    is_escaped: bool,
    /// The code assigns it as a whole before it reads it.
    is_fresh: bool,
}

/// What the code gives.
enum Given {
    Nothing,
    /// The value of the expression.
    Value(QualTy),
    /// A variable that it declares.
    Declared {
        name: String,
        ty: QualTy,
    },
    /// One of those that it takes, or that it would take if it did not assign it before it reads it.
    Written(DeclId),
    /// What the function around it returns.
    Returned(QualTy),
}

/// Where the new function stands, and as what.
struct Host {
    path: Arc<str>,
    offset: u32,
    indent: String,
    step: &'static str,
    newline: &'static str,
    /// `static `, `inline ` or nothing.
    specifiers: &'static str,
    /// ` const` and the like, for a member function.
    qualifiers: String,
}

/// The template header of the function, which the new one takes over.
struct Template {
    /// `template <typename T>`.
    header: String,
    /// `<T>`.
    arguments: String,
}

struct Work<'a, 'v> {
    view: &'a View<'v>,
    selection: &'a Selection<'v>,
    layer: &'a Layer<'v>,
    sema: &'a Sema<'a>,
    ast: &'a Ast,
    function: DeclId,
    tree: Statements<'a>,
    effects: EffectsOf<'a>,
    written: Written,
    uses_object: bool,
    template: Option<Template>,
}

impl<'a, 'v> Work<'a, 'v> {
    fn new(
        view: &'a View<'v>,
        selection: &'a Selection<'v>,
        sema: &'a Sema<'a>,
        function: DeclId,
    ) -> Result<Work<'a, 'v>, String> {
        let layer = &selection.layer;
        let ast = layer.ast();
        let root = layer.root().ok_or("it is no part of a function body")?;
        let tree = Statements::of(ast, root);
        let place = Place { path: Arc::clone(&selection.path), range: selection.range };
        let written = Written::at(view, place).ok_or("it comes from a macro")?;
        let text = written.spelled();
        if has_directives(&text) {
            return Err("it holds directives of the preprocessor".to_owned());
        }
        let effects = EffectsOf::new(layer, sema);
        let mut work = Work {
            view,
            selection,
            layer,
            sema,
            ast,
            function,
            tree,
            effects,
            written,
            uses_object: false,
            template: None,
        };
        work.uses_object = work.names_object();
        work.check_scope()?;
        Ok(work)
    }

    /// The header of the function's template, if it has exactly one and all parameters have names.
    fn own_template(&self) -> Result<Template, String> {
        const NO_HEADER: &str = "types in it may depend on the parameters of the template";
        let data = &self.ast[self.function];
        let is_member = self.sema.class_of(DeclRef { decl: self.function, bind: BindId::NONE }).is_some();
        let (&[header], false) = (&*data.templates, is_member) else { return Err(NO_HEADER.to_owned()) };
        if self.sema.headers_around(self.function).len() != 1 {
            return Err(NO_HEADER.to_owned());
        }
        let mut names = Vec::new();
        for &param in &self.ast[header].params {
            let is_pack = match &self.ast[param].kind {
                DeclKind::TypeParam { pack, .. } | DeclKind::TemplateParam { pack, .. } => *pack,
                DeclKind::Variable(variable) => variable.pack,
                _ => true,
            };
            let name = self.sema.decl_name(param).map(|name| name.to_string()).filter(|name| !name.is_empty());
            match name {
                Some(name) if !is_pack => names.push(name),
                _ => return Err(NO_HEADER.to_owned()),
            }
        }
        let place = self.view.places.editable(None, self.ast[header].range, false);
        let header = place.and_then(|place| Written::at(self.view, place)).ok_or("the function comes from a macro")?;
        Ok(Template { header: format!("template {}", header.spelled()), arguments: format!("<{}>", names.join(", ")) })
    }

    /// Whether a type can be written as the analyser spells it.
    fn can_be_written(&self, ty: Ty, fuel: u32) -> bool {
        let Some(fuel) = fuel.checked_sub(1) else { return false };
        match self.sema.kind(ty) {
            TyKind::Pointer(inner) | TyKind::LRef(inner) | TyKind::RRef(inner) => self.can_be_written(inner.ty, fuel),
            TyKind::Array(inner, len) => {
                matches!(len, ArrayLen::Known(_) | ArrayLen::Param(_)) && self.can_be_written(inner.ty, fuel)
            }
            TyKind::Record(_, bind) if *bind != BindId::NONE => {
                self.sema.store().bindings(*bind).args.iter().all(|arg| match arg {
                    TArg::Type(ty) => self.can_be_written(ty.ty, fuel),
                    TArg::Value { .. } | TArg::Param(_) => true,
                    _ => false,
                })
            }
            TyKind::Param(_) => self.template.is_some(),
            _ => !self.sema.store().is_dependent(ty) && self.sema.store().is_solid(ty),
        }
    }

    fn holds(&self, range: TokenRange) -> bool {
        let tokens = self.selection.tokens;
        tokens.start <= range.start && range.end <= tokens.end
    }

    fn holds_token(&self, token: u32) -> bool {
        self.holds(TokenRange::new(token, token + 1))
    }

    /// Whether it uses the object of the member function that it stands in.
    fn names_object(&self) -> bool {
        self.ast.own_exprs().filter(|(_, data)| self.holds(data.range)).any(|(_, data)| match &data.kind {
            ExprKind::This => true,
            ExprKind::Path(path) => {
                let items = path.last().and_then(|last| self.layer.facts.refs.get(&last.token));
                items.into_iter().flatten().any(|item| self.is_of_object(item.decl))
            }
            _ => false,
        })
    }

    fn is_of_object(&self, decl: DeclId) -> bool {
        let data = &self.ast[decl];
        match &data.kind {
            DeclKind::Variable(variable) => variable.kind == VariableKind::Field && !data.specs.contains(Specs::STATIC),
            DeclKind::Function(function) => {
                function.role == FunctionRole::Plain
                    && self.sema.class_of(DeclRef { decl, bind: BindId::NONE }).is_some()
                    && !data.specs.contains(Specs::STATIC)
            }
            _ => false,
        }
    }

    /// What cannot leave the function, wherever it is.
    fn check_scope(&self) -> Result<(), String> {
        let around =
            |range: TokenRange| range.start <= self.selection.tokens.start && self.selection.tokens.end <= range.end;
        for (_, data) in self.ast.own_exprs() {
            if matches!(data.kind, ExprKind::Lambda(_) | ExprKind::StmtExpr(_))
                && (self.holds(data.range) || around(data.range))
            {
                return Err("it is part of a lambda, or holds one".to_owned());
            }
        }
        if self.ast.own_types().any(|(_, data)| around(data.range) && !self.holds(data.range)) {
            return Err("it is part of a type".to_owned());
        }
        for token in self.selection.tokens.start..self.selection.tokens.end {
            for item in self.layer.facts.refs.get(&token).into_iter().flatten() {
                let data = &self.ast[item.decl];
                let is_type = matches!(
                    data.kind,
                    DeclKind::Record(_) | DeclKind::Enum(_) | DeclKind::TypeAlias { .. } | DeclKind::Enumerator { .. }
                );
                if is_type && self.ast.owns_decl(item.decl) && !self.holds_token(data.name_token) {
                    return Err("it uses a type that the function declares".to_owned());
                }
            }
        }
        for (decl, data) in self.ast.own_decls() {
            let DeclKind::Variable(_) = &data.kind else { continue };
            if !self.holds_token(data.name_token) {
                continue;
            }
            if self.sema.storage(decl, self.effects.type_of(decl)) == Space::Threadgroup {
                return Err("variables in threadgroup memory are declared in the kernel".to_owned());
            }
        }
        Ok(())
    }

    /// How it ends; why it cannot leave if it ends in more than one way.
    fn exit(&self) -> Result<Exit, String> {
        let Selected::Statements(statements) = &self.selection.what else { return Ok(Exit::GoesOn) };
        let last = statements.last().copied();
        let mut returns = false;
        for stmt in self.tree.iter().filter(|&stmt| self.holds(self.ast[stmt].range)) {
            let is_inside = |outer: StmtId| self.holds(self.ast[outer].range);
            match &self.ast[stmt].kind {
                StmtKind::Return(_) => returns = true,
                StmtKind::Break => {
                    let mut around = self.tree.around(stmt).map(|(outer, _)| outer);
                    let target = around.find(|&outer| {
                        self.tree.is_loop(outer) || matches!(self.ast[outer].kind, StmtKind::Switch { .. })
                    });
                    if !target.is_some_and(is_inside) {
                        return Err("it breaks out of a loop or switch around it".to_owned());
                    }
                }
                StmtKind::Continue => {
                    let target = self.tree.around(stmt).map(|(outer, _)| outer).find(|&outer| self.tree.is_loop(outer));
                    if !target.is_some_and(is_inside) {
                        return Err("it continues a loop around it".to_owned());
                    }
                }
                StmtKind::Case { .. } | StmtKind::Default { .. } => {
                    let switch = self.tree.around(stmt).map(|(outer, _)| outer);
                    let mut switch = switch.filter(|&outer| matches!(self.ast[outer].kind, StmtKind::Switch { .. }));
                    if !switch.next().is_some_and(is_inside) {
                        return Err("it holds a case of the switch around it".to_owned());
                    }
                }
                StmtKind::Goto(_) | StmtKind::Label { .. } | StmtKind::Asm | StmtKind::Try { .. } | StmtKind::Error => {
                    return Err("it holds statements that cannot move".to_owned());
                }
                _ => {}
            }
        }
        match (returns, last.map(|last| &self.ast[last].kind)) {
            (false, _) => Ok(Exit::GoesOn),
            (true, Some(StmtKind::Return(_))) => Ok(Exit::Returns),
            (true, _) => Err("it returns from the function under a condition".to_owned()),
        }
    }

    /// The variables that it takes, in the order of their declarations.
    fn taken(&self) -> Result<Vec<Taken>, String> {
        let mut decls: Vec<DeclId> = Vec::new();
        for token in self.selection.tokens.start..self.selection.tokens.end {
            for item in self.layer.facts.refs.get(&token).into_iter().flatten() {
                let data = &self.ast[item.decl];
                let DeclKind::Variable(variable) = &data.kind else { continue };
                let is_local = matches!(
                    variable.kind,
                    VariableKind::Local | VariableKind::Param | VariableKind::Binding | VariableKind::Capture
                );
                if is_local && !self.holds_token(data.name_token) && !decls.contains(&item.decl) {
                    decls.push(item.decl);
                }
            }
        }
        decls.sort();
        let objects = self.objects();
        let mut names: FxHashSet<String> = FxHashSet::default();
        let mut taken = Vec::new();
        for decl in decls {
            let ty = self.effects.type_of(decl);
            let name = self.sema.decl_name(decl).map(|name| name.to_string()).unwrap_or_default();
            let space = self.sema.storage(decl, ty);
            if !names.insert(name.clone()) {
                return Err(format!("it uses two variables with the name `{name}`"));
            }
            let flags = self.sema.store().flags(ty.ty);
            if !self.can_be_written(ty.ty, 8)
                || !matches!(space, Space::None) && !space.is_named() && space != Space::Generic
            {
                return Err(format!("the type of `{name}` is not known"));
            }
            if flags.contains(TyFlags::LOCAL) {
                return Err(format!("the type of `{name}` is declared in the function"));
            }
            let (is_object, is_escaped) =
                (objects.contains_key(&decl), objects.get(&decl).copied().unwrap_or_default());
            taken.push(Taken { decl, name, ty, space, is_object, is_escaped, is_fresh: self.is_fresh(decl) });
        }
        Ok(taken)
    }

    /// Whether the first of the statements that names a variable assigns it as a whole.
    fn is_fresh(&self, decl: DeclId) -> bool {
        let Selected::Statements(statements) = &self.selection.what else { return false };
        let names = |range: TokenRange| {
            let tokens = (range.start..range.end).filter_map(|token| self.layer.facts.refs.get(&token));
            tokens.flatten().any(|item| item.decl == decl)
        };
        let Some(&first) = statements.iter().find(|&&stmt| names(self.ast[stmt].range)) else { return false };
        let StmtKind::Expr(expr) = self.ast[first].kind else { return false };
        match &self.ast[expr].kind {
            ExprKind::Assign { op: None, lhs, rhs, .. } => {
                matches!(self.ast[*lhs].kind, ExprKind::Path(_))
                    && self.effects.root(*lhs) == Some(decl)
                    && !names(self.ast[*rhs].range)
            }
            _ => false,
        }
    }

    /// The local variables that it writes or refers to; and whether something may refer to them.
    fn objects(&self) -> FxHashMap<DeclId, bool> {
        let mut objects = FxHashMap::default();
        let written = self.effects.within(self.selection.tokens).writes.locals;
        for local in written {
            objects.insert(local, self.effects.has_escaped(local));
        }
        for (expr, data) in self.ast.own_exprs().filter(|(_, data)| self.holds(data.range)) {
            let ExprKind::Path(_) = &data.kind else { continue };
            let Some(local) = self.effects.root(expr) else { continue };
            if use_of(self.layer, self.sema, self.ast, expr) == Use::Object {
                *objects.entry(local).or_default() |= self.effects.has_escaped(local);
            }
        }
        objects
    }

    fn given(&self, exit: Exit, taken: &[Taken]) -> Result<Given, String> {
        if let Selected::Expression(expr) = self.selection.what {
            let Some(info) = self.layer.facts.exprs.get(&expr) else { return Err("its type is not known".to_owned()) };
            if matches!(self.sema.kind(info.ty.ty), TyKind::Void) {
                return Ok(Given::Value(QualTy::plain(info.ty.ty)));
            }
            if use_of(self.layer, self.sema, self.ast, expr) == Use::Object {
                return Err("what is written there must stay what it is".to_owned());
            }
            if self.template.is_none() || !self.sema.store().is_dependent(info.ty.ty) {
                self.check_value(info.ty.ty, "its value")?;
            }
            return Ok(Given::Value(QualTy::plain(info.ty.ty)));
        }
        if exit == Exit::Returns {
            let ret = self.sema.signature(DeclRef { decl: self.function, bind: BindId::NONE }).ret;
            if !self.can_be_written(ret.ty, 8) || self.sema.store().flags(ret.ty).contains(TyFlags::LOCAL) {
                return Err("what the function returns is not written".to_owned());
            }
            return Ok(Given::Returned(ret));
        }
        let behind = |decl: DeclId| {
            let uses = self.layer.facts.refs.iter().filter(|(token, _)| **token >= self.selection.tokens.end);
            uses.flat_map(|(_, items)| items).any(|item| item.decl == decl)
        };
        let mut declared: Vec<DeclId> = Vec::new();
        for (decl, data) in self.ast.own_decls() {
            if self.holds_token(data.name_token) && behind(decl) {
                declared.push(decl);
            }
        }
        match *declared.as_slice() {
            [] => {}
            [decl] => {
                let name = self.sema.decl_name(decl).map(|name| name.to_string()).unwrap_or_default();
                let ty = self.effects.type_of(decl);
                let is_plain = matches!(&self.ast[decl].kind, DeclKind::Variable(variable) if variable.kind == VariableKind::Local);
                if !is_plain || self.ast[decl].specs.intersects(Specs::STATIC | Specs::CONSTEXPR) {
                    return Err(format!("`{name}`, which it declares, is used behind it"));
                }
                self.check_value(ty.ty, &format!("`{name}`, which is used behind it,"))?;
                return Ok(Given::Declared { name, ty: QualTy { space: Space::None, ..ty } });
            }
            _ => return Err(format!("{} things that it declares are used behind it", declared.len())),
        }
        // One variable that is written is given back, so that nothing has to refer to it.
        let mut written = taken.iter().filter(|variable| variable.is_object);
        if let (Some(only), None) = (written.next(), written.next())
            && !only.is_escaped
            && !only.ty.is_const()
            && only.space == Space::Thread
            && self.is_handed_over_as_value(only.ty.ty)
            && self.is_only_assigned(only.decl)
        {
            return Ok(Given::Written(only.decl));
        }
        Ok(Given::Nothing)
    }

    /// Whether the code does nothing with a variable but read and assign it as a whole or in part.
    fn is_only_assigned(&self, decl: DeclId) -> bool {
        // What is handed to a function that writes is written, too, and stays an object.
        !self.ast.own_exprs().any(|(_, data)| match &data.kind {
            ExprKind::Call { args, .. } if self.holds(data.range) => args.iter().any(|&arg| {
                self.effects.root(arg) == Some(decl) && use_of(self.layer, self.sema, self.ast, arg) == Use::Object
            }),
            _ => false,
        })
    }

    fn check_value(&self, ty: Ty, what: &str) -> Result<(), String> {
        let flags = self.sema.store().flags(ty);
        if !self.can_be_written(ty, 8) {
            return Err(format!("the type of {what} is not known"));
        }
        let is_value = !matches!(
            self.sema.kind(ty),
            TyKind::Array(..)
                | TyKind::LRef(_)
                | TyKind::RRef(_)
                | TyKind::Closure(..)
                | TyKind::Function(_)
                | TyKind::NullPtr
        );
        if !is_value || flags.contains(TyFlags::LOCAL) || self.is_no_copy(ty) {
            return Err(format!("{what} cannot be returned by value"));
        }
        Ok(())
    }

    fn is_no_copy(&self, ty: Ty) -> bool {
        match self.sema.kind(ty) {
            TyKind::Record(decl, _) => {
                self.sema.is_library(*decl) && self.sema.env.library.facts(*decl).is_some_and(|facts| facts.no_copy)
            }
            _ => false,
        }
    }

    /// Whether a parameter of a type is written without a reference.
    fn is_handed_over_as_value(&self, ty: Ty) -> bool {
        match self.sema.kind(ty) {
            TyKind::Scalar(_)
            | TyKind::Vector(..)
            | TyKind::Packed(..)
            | TyKind::Matrix(..)
            | TyKind::Enum(..)
            | TyKind::Param(_)
            | TyKind::Pointer(_) => true,
            TyKind::Record(decl, _) => self.sema.is_library(*decl) && !self.is_no_copy(ty),
            _ => false,
        }
    }

    fn host(&self) -> Result<Host, String> {
        let data = &self.ast[self.function];
        let first = TokenRange::new(data.range.start, data.range.start + 1);
        let place = self.view.places.editable(None, first, false).ok_or("the function comes from a macro")?;
        if place.path != self.selection.path {
            return Err("the function begins in another file".to_owned());
        }
        let text = &self.written.text;
        let start = place.range.start as usize;
        let line = line_start(text, start);
        if !text[line..start].iter().all(u8::is_ascii_whitespace) {
            return Err("something stands in front of the function on its line".to_owned());
        }
        let offset = comments::range_above(text, line as u32).map_or(line as u32, |above| above.start);
        let indent = String::from_utf8_lossy(&text[line..start]).into_owned();
        let is_member = matches!(&data.kind, DeclKind::Function(function) if function.qualifier.is_none())
            && self.sema.class_of(DeclRef { decl: self.function, bind: BindId::NONE }).is_some();
        let mut qualifiers = String::new();
        let specifiers = if self.uses_object {
            let DeclKind::Function(function) = &data.kind else { return Err("it is no part of a function".to_owned()) };
            let TypeKind::Function(ty) = &self.ast[function.ty].kind else {
                return Err("its type is broken".to_owned());
            };
            if !is_member || function.role != FunctionRole::Plain || data.specs.contains(Specs::FRIEND) {
                return Err("it uses the object of a member function that is defined outside of its class".to_owned());
            }
            for (word, is_there) in [("const", ty.this_quals.is_const), ("volatile", ty.this_quals.is_volatile)] {
                if is_there {
                    qualifiers.push_str(&format!(" {word}"));
                }
            }
            for (space, _) in &ty.this_quals.spaces {
                qualifiers.push_str(&format!(" {}", Space::from_word(*space).word()));
            }
            ""
        } else if !is_member && data.specs.contains(Specs::INLINE) && !data.specs.contains(Specs::STATIC) {
            "inline "
        } else {
            "static "
        };
        let step = if indent.contains('\t') || self.written.indent().contains('\t') { "\t" } else { "    " };
        let newline = self.written.newline();
        Ok(Host { path: place.path, offset, indent, step, newline, specifiers, qualifiers })
    }

    /// The declaration of a parameter.
    fn parameter(&self, variable: &Taken, exit: Exit, given: &Given, cv: Cv) -> String {
        let is_given_back = matches!(given, Given::Written(decl) if *decl == variable.decl);
        let is_dead = exit == Exit::Returns && variable.space == Space::Thread && !variable.is_escaped;
        let as_value =
            self.is_handed_over_as_value(variable.ty.ty) && (!variable.is_object || is_given_back || is_dead);
        if as_value {
            return self.sema.spell_with(QualTy::plain(variable.ty.ty), &variable.name);
        }
        if self.sema.is_ref(variable.ty.ty) {
            return self.sema.spell_with(QualTy::plain(variable.ty.ty), &variable.name);
        }
        let space = if variable.space == Space::None { Space::Thread } else { variable.space };
        let is_record = matches!(self.sema.kind(variable.ty.ty), TyKind::Record(..));
        let more = if is_record && !variable.is_object { cv } else { Cv::empty() };
        let referred = QualTy { space, ..variable.ty }.with_cv(more);
        let reference = self.sema.store().intern(TyKind::LRef(referred));
        self.sema.spell_with(QualTy::plain(reference), &variable.name)
    }

    fn write(
        &self,
        host: &Host,
        name: &str,
        exit: Exit,
        taken: &[Taken],
        given: &Given,
        cv: Cv,
    ) -> Result<Vec<TextEdit>, String> {
        let is_own =
            |variable: &&Taken| matches!(given, Given::Written(decl) if *decl == variable.decl) && variable.is_fresh;
        let handed_over: Vec<&Taken> = taken.iter().filter(|variable| !is_own(variable)).collect();
        let parameters: Vec<String> =
            handed_over.iter().map(|variable| self.parameter(variable, exit, given, cv)).collect();
        let arguments: Vec<&str> = handed_over.iter().map(|variable| variable.name.as_str()).collect();
        let template_arguments = self.template.as_ref().map_or("", |template| template.arguments.as_str());
        let call = format!("{name}{template_arguments}({})", arguments.join(", "));
        let inner = format!("{}{}", host.indent, host.step);
        let text = self.written.indented(&inner);
        let returned = |ty: &QualTy| self.sema.spell(QualTy { space: Space::None, cv: Cv::empty(), ..*ty });
        let name_of = |decl: DeclId| taken.iter().find(|variable| variable.decl == decl);
        let (result, body, replacement) = match given {
            Given::Nothing => ("void".to_owned(), text, format!("{call};")),
            Given::Value(ty) if matches!(self.sema.kind(ty.ty), TyKind::Void) => {
                ("void".to_owned(), format!("{text};"), call)
            }
            Given::Value(ty) if self.sema.store().is_dependent(ty.ty) => {
                ("auto".to_owned(), format!("return {text};"), call)
            }
            Given::Value(ty) => (returned(ty), format!("return {text};"), call),
            Given::Declared { name, ty } => {
                let body = format!("{text}{}{inner}return {name};", host.newline);
                (returned(ty), body, format!("{} = {call};", self.sema.spell_with(*ty, name)))
            }
            Given::Written(decl) => {
                let variable = name_of(*decl).ok_or("what it writes is not known")?;
                let text = match is_own(&variable) {
                    true => {
                        let declared = self.sema.spell_with(QualTy::plain(variable.ty.ty), &variable.name);
                        format!("{declared};{}{inner}{text}", host.newline)
                    }
                    false => text,
                };
                let body = format!("{text}{}{inner}return {};", host.newline, variable.name);
                (returned(&variable.ty), body, format!("{} = {call};", variable.name))
            }
            Given::Returned(ty) if matches!(self.sema.kind(ty.ty), TyKind::Void) => {
                let replacement = format!("{call};{}{}return;", host.newline, self.written.indent());
                ("void".to_owned(), text, replacement)
            }
            Given::Returned(ty) => (self.sema.spell(*ty), text, format!("return {call};")),
        };
        let join = if result.ends_with(['*', '&']) { "" } else { " " };
        let header = self.template.as_ref();
        let header = header.map(|template| format!("{}{}{}", host.indent, template.header, host.newline));
        let function = format!(
            "{}{indent}{}{result}{join}{name}({}){} {{{nl}{inner}{body}{nl}{indent}}}{nl}{nl}",
            header.unwrap_or_default(),
            host.specifiers,
            parameters.join(", "),
            host.qualifiers,
            indent = host.indent,
            nl = host.newline,
        );
        let at = TextRange::new(host.offset, host.offset);
        let edits = vec![
            TextEdit { place: Place { path: host.path.clone(), range: at }, new_text: function },
            TextEdit {
                place: Place { path: self.selection.path.clone(), range: self.selection.range },
                new_text: replacement,
            },
        ];
        Ok(edits)
    }
}
