//! What one translation unit says about functions, tables, groups and constants.

use std::sync::Arc;

use msl_db::BodyPlace;
use msl_diagnostics::{Place, TextRange};
use msl_parser::ast::*;
use msl_project::BindingKind;
use msl_ty::{
    DeclRef, Sema, checked_instance,
    decls::Stage,
    expr::Facts,
    rules::function_pointers::{CallKind, group_names, groups_of_statement},
    store::{BindId, FnTy},
    unit_instances,
};

use super::signature::LinkSignature;
use crate::{
    analysis::{Analysis, UnitRequest},
    view::{Layer, View},
};

/// What one translation unit says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShaderUnit {
    pub path: Arc<str>,
    pub functions: Vec<ShaderFunction>,
    /// Every name of a group, inside the quotes.
    pub groups: Vec<NamedPlace>,
    /// Function constants.
    pub constants: Vec<NamedPlace>,
    /// Whether everything in the unit could be modelled.
    pub is_complete: bool,
}

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NamedPlace {
    pub name: String,
    pub place: Place,
}

/// What kind of function it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FunctionKind {
    Vertex,
    Fragment,
    Kernel,
    Object,
    Mesh,
    Intersection,
    /// `[[visible]]` or `[[stitchable]]`.
    Visible,
    Plain,
}

impl FunctionKind {
    pub const fn as_str(self) -> &'static str {
        match self {
            FunctionKind::Vertex => "vertex",
            FunctionKind::Fragment => "fragment",
            FunctionKind::Kernel => "kernel",
            FunctionKind::Object => "object",
            FunctionKind::Mesh => "mesh",
            FunctionKind::Intersection => "intersection",
            FunctionKind::Visible => "visible",
            FunctionKind::Plain => "plain",
        }
    }

    /// Whether a library offers the function by name.
    pub fn has_library_name(self) -> bool {
        self != FunctionKind::Plain
    }

    /// Whether a pipeline starts with it.
    pub fn is_entry(self) -> bool {
        !matches!(self, FunctionKind::Visible | FunctionKind::Intersection | FunctionKind::Plain)
    }
}

/// A function.
#[derive(Clone, Debug, PartialEq)]
pub struct ShaderFunction {
    /// The name that a library knows it by: of `[[host_name]]`, or its own.
    pub name: String,
    /// The name in the shader.
    pub own_name: String,
    pub kind: FunctionKind,
    /// The token of its name.
    pub place: Place,
    /// Tells instances of one template apart.
    pub instance: String,
    /// Where `[[host_name("…")]]` spells the name, inside the quotes.
    pub host_name: Option<Place>,
    /// Where its declaration begins, if text can be put there.
    pub start: Option<Place>,
    /// `None` if it is not known.
    pub signature: Option<LinkSignature>,
    /// Whether the unit has its body.
    pub is_defined: bool,
    /// Parameters that are tables.
    pub tables: Vec<ShaderTable>,
    /// Parameters of entry points with an index that is written as a number.
    pub slots: Vec<ShaderSlot>,
    pub calls: Vec<ShaderCall>,
}

/// A parameter that is a table of visible functions.
#[derive(Clone, Debug, PartialEq)]
pub struct ShaderTable {
    pub name: String,
    pub place: Place,
    /// The buffer index, if it is written as a number.
    pub slot: Option<u64>,
    pub signature: LinkSignature,
}

/// A parameter that host code binds something to.
#[derive(Clone, Debug, PartialEq)]
pub struct ShaderSlot {
    pub kind: BindingKind,
    pub index: u64,
    pub name: String,
    pub place: Place,
}

/// A call in a function's body.
#[derive(Clone, Debug, PartialEq)]
pub struct ShaderCall {
    /// The name that is called, or the callee's expression.
    pub place: Place,
    pub target: CallTarget,
    /// The groups of its statement; empty for any.
    pub groups: Vec<String>,
    /// The statement that names the groups.
    pub statement: Option<GroupStatement>,
}

/// A statement that can name groups (MSL spec §2.16).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GroupStatement {
    Variable,
    Expression,
    Return,
}

impl GroupStatement {
    fn of(kind: &StmtKind) -> Option<GroupStatement> {
        match kind {
            StmtKind::Decl(_) => Some(GroupStatement::Variable),
            StmtKind::Expr(_) => Some(GroupStatement::Expression),
            StmtKind::Return(_) => Some(GroupStatement::Return),
            _ => None,
        }
    }

    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            GroupStatement::Variable => "a variable's initialiser",
            GroupStatement::Expression => "an expression",
            GroupStatement::Return => "a `return`",
        }
    }
}

/// What is called.
#[derive(Clone, Debug, PartialEq)]
pub enum CallTarget {
    /// A function, by the place of its name and its instance.
    Function { place: Place, instance: String, name: String, is_visible: bool },
    /// What a pointer of this type points to; the table that it comes from, if that is a parameter of the caller, by
    /// index.
    Pointer { signature: LinkSignature, table: Option<usize> },
    /// Whichever intersection function a table of those has for what a ray meets.
    Intersection,
    /// Not known.
    Open,
}

impl CallTarget {
    /// Whether what is called is decided at run time.
    pub fn is_through_pointer(&self) -> bool {
        matches!(self, CallTarget::Pointer { .. } | CallTarget::Intersection)
    }
}

impl Analysis {
    /// What a unit says about functions, tables, groups and constants.
    pub fn shader_unit(&self, request: &UnitRequest) -> ShaderUnit {
        let view = View::new(self, request);
        let mut unit = ShaderUnit { path: request.path.clone(), ..ShaderUnit::default() };
        unit.is_complete = view.preprocessed.diagnostics.is_empty();
        let reader = Reader { view: &view };
        reader.declarations(&mut unit);
        reader.groups(&mut unit);
        unit
    }
}

/// The groups that a unit names, and nothing else of it.
pub(super) fn groups_named_in<'a>(view: &'a View<'a>) -> Vec<NamedPlace> {
    let mut found = ShaderUnit::default();
    Reader { view }.groups(&mut found);
    found.groups
}

struct Reader<'a> {
    view: &'a View<'a>,
}

impl Reader<'_> {
    fn declarations(&self, unit: &mut ShaderUnit) {
        let view = self.view;
        let layer = view.declarations();
        let sema = layer.sema(view.env);
        for (decl, data) in layer.ast().own_decls() {
            match &data.kind {
                DeclKind::Variable(variable) if variable.kind == VariableKind::Global => {
                    if has_attr(&sema, decl, "function_constant")
                        && let (Some(name), Some(place)) = (sema.decl_name(decl), view.place_of(&layer, decl))
                    {
                        unit.constants.push(NamedPlace { name: name.to_string(), place });
                    }
                }
                _ => {}
            }
            if data.specs.contains(Specs::INSTANTIATION) {
                for item in sema.explicitly_instantiated(decl) {
                    self.function(&layer, &sema, item, Some(decl), unit);
                }
            } else if let DeclKind::Function(function) = &data.kind
                && !msl_ty::check::is_templated(&sema, decl)
            {
                let is_defined = matches!(function.body, FunctionBody::Deferred(_) | FunctionBody::Inline(_));
                if is_defined || sema.is_visible(decl) {
                    self.function(&layer, &sema, DeclRef { decl, bind: BindId::NONE }, None, unit);
                }
            }
        }
        // Instances that calls make.
        for &instance in unit_instances(view.db, view.unit).iter() {
            let item = instance.item(view.db);
            let spelled = sema.spell_instance(item);
            let place = view.place_of(&layer, item.decl);
            let is_known = unit.functions.iter().any(|it| it.instance == spelled && Some(&it.place) == place.as_ref());
            if !is_known {
                self.function(&layer, &sema, item, None, unit);
            }
        }
    }

    /// Adds a function; `named_by` is the explicit instantiation that gives it attributes.
    fn function(
        &self,
        layer: &Layer<'_>,
        sema: &Sema<'_>,
        item: DeclRef,
        named_by: Option<DeclId>,
        unit: &mut ShaderUnit,
    ) {
        let view = self.view;
        let (Some(own_name), Some(place)) = (sema.decl_name(item.decl), view.place_of(layer, item.decl)) else {
            return;
        };
        let carrier = named_by.unwrap_or(item.decl);
        let kind = match sema.stage_of(carrier).or_else(|| sema.stage_of(item.decl)) {
            Some(Stage::Vertex) => FunctionKind::Vertex,
            Some(Stage::Fragment) => FunctionKind::Fragment,
            Some(Stage::Kernel) => FunctionKind::Kernel,
            Some(Stage::Object) => FunctionKind::Object,
            Some(Stage::Mesh) => FunctionKind::Mesh,
            Some(Stage::Intersection) => FunctionKind::Intersection,
            None if sema.is_visible(carrier) || sema.is_visible(item.decl) => FunctionKind::Visible,
            None => FunctionKind::Plain,
        };
        let host_name = [carrier, item.decl].into_iter().find_map(|decl| self.host_name(sema, decl));
        let signature = sema.function_type(item).and_then(|ty| self.comparable(layer, sema, &ty));
        let first = sema.ast[item.decl].range.start;
        let start = view.places.editable(layer.body, TokenRange::new(first, first), false);
        let mut tables = Vec::new();
        for param in &sema.signature(item).params {
            if let Some(signature) = sema.table_signature(param.ty)
                && let Some(signature) = self.comparable(layer, sema, &signature)
                && let (Some(name), Some(place)) = (sema.decl_name(param.decl), view.place_of(layer, param.decl))
            {
                tables.push((
                    param.decl,
                    ShaderTable { name: name.to_string(), place, slot: slot_of(sema, param.decl, "buffer"), signature },
                ));
            }
        }
        let mut slots = Vec::new();
        if kind.is_entry() {
            for param in &sema.signature(item).params {
                for (word, kind) in [
                    ("buffer", BindingKind::Buffer),
                    ("texture", BindingKind::Texture),
                    ("sampler", BindingKind::Sampler),
                ] {
                    if let Some(index) = slot_of(sema, param.decl, word)
                        && let (Some(name), Some(place)) =
                            (sema.decl_name(param.decl), view.place_of(layer, param.decl))
                    {
                        slots.push(ShaderSlot { kind, index, name: name.to_string(), place });
                    }
                }
            }
        }
        let table_decls: Vec<DeclId> = tables.iter().map(|(decl, _)| *decl).collect();
        let body = msl_ty::body_of(view.db, view.unit, item.decl);
        let calls = body.map_or_else(Vec::new, |body| self.calls(body, item, &table_decls));
        unit.functions.push(ShaderFunction {
            name: host_name.as_ref().map_or_else(|| own_name.to_string(), |named| named.name.clone()),
            own_name: own_name.to_string(),
            kind,
            place,
            instance: if item.bind == BindId::NONE { String::new() } else { sema.spell_instance(item) },
            host_name: host_name.map(|named| named.place),
            start,
            signature,
            is_defined: body.is_some(),
            slots,
            tables: tables.into_iter().map(|(_, table)| table).collect(),
            calls,
        });
    }

    /// A type of functions as other units can compare it.
    fn comparable(&self, layer: &Layer<'_>, sema: &Sema<'_>, ty: &FnTy) -> Option<LinkSignature> {
        LinkSignature::new(sema, ty, &|decl| match sema.ast[decl].name_token {
            0 => self.view.full_place_of(layer, decl),
            _ => self.view.place_of(layer, decl),
        })
    }

    /// The name in `[[host_name("…")]]`.
    fn host_name(&self, sema: &Sema<'_>, decl: DeclId) -> Option<NamedPlace> {
        let attr = attr(sema, decl, "host_name")?;
        let &arg = attr.args.first()?;
        let ExprKind::String(parts) = &sema.ast[arg].kind else { return None };
        let [part] = &**parts else { return None };
        let name = part.as_str().strip_prefix('"')?.strip_suffix('"')?.to_owned();
        let (place, _) = self.view.places.place(None, sema.ast[arg].range)?;
        Some(NamedPlace { name, place: inside_quotes(place) })
    }

    fn calls(&self, body: BodyPlace, item: DeclRef, tables: &[DeclId]) -> Vec<ShaderCall> {
        let view = self.view;
        let Some(layer) = view.body(body) else { return Vec::new() };
        let instance = (item.bind != BindId::NONE)
            .then(|| {
                let all = unit_instances(view.db, view.unit);
                let found = all.iter().find(|instance| instance.item(view.db) == item)?;
                checked_instance(view.db, *found).as_ref()
            })
            .flatten();
        let facts: &Facts = instance.map_or(layer.facts, |checked| &checked.facts);
        let sema = layer.sema(view.env);
        let ast = layer.ast();
        let mut grouped: Vec<(TokenRange, Vec<String>, Option<GroupStatement>)> = Vec::new();
        for (_, stmt) in ast.own_stmts() {
            let names: Vec<String> =
                groups_of_statement(ast, stmt).flat_map(|attr| group_names(ast, attr)).map(|(name, _)| name).collect();
            if !names.is_empty() {
                grouped.push((stmt.range, names, GroupStatement::of(&stmt.kind)));
            }
        }
        let mut calls = Vec::new();
        for (id, expr) in ast.own_exprs() {
            let ExprKind::Call { callee, args } = &expr.kind else { continue };
            let target = match sema.call_kind(facts, id, *callee) {
                CallKind::Direct => {
                    let called = facts.callees.get(&id).or_else(|| layer.facts.callees.get(&id));
                    let Some(&called) = called else { continue };
                    if sema.is_library(called.decl) {
                        let hands_table = args
                            .iter()
                            .any(|arg| facts.exprs.get(arg).is_some_and(|info| sema.is_intersection_table(info.ty)));
                        if hands_table
                            && sema.class_of(called).is_some()
                            && let Some((place, _)) = view.places.place(layer.body, ast[*callee].range)
                        {
                            calls.push(ShaderCall {
                                place,
                                target: CallTarget::Intersection,
                                groups: Vec::new(),
                                statement: None,
                            });
                        }
                        continue;
                    }
                    let called = sema.definition(called).unwrap_or(called);
                    let Some(place) = view.place_of(&layer, called.decl) else { continue };
                    let name = sema.decl_name(called.decl).map_or_else(String::new, |name| name.to_string());
                    let instance =
                        if called.bind == BindId::NONE { String::new() } else { sema.spell_instance(called) };
                    CallTarget::Function { place, instance, name, is_visible: sema.is_visible(called.decl) }
                }
                CallKind::Indirect(signature) => match self.comparable(&layer, &sema, &signature) {
                    Some(signature) => CallTarget::Pointer {
                        signature,
                        table: table_of(ast, facts, *callee, 0)
                            .and_then(|table| tables.iter().position(|&other| other == table)),
                    },
                    None => CallTarget::Open,
                },
                CallKind::Open => CallTarget::Open,
            };
            let Some((place, _)) = view.places.place(layer.body, ast[*callee].range) else { continue };
            let around = |range: &TokenRange| range.start <= expr.range.start && expr.range.end <= range.end;
            let around: Vec<_> = grouped.iter().filter(|(range, ..)| around(range)).collect();
            let groups = around.iter().flat_map(|(_, names, _)| names.clone()).collect();
            let statement = around.last().and_then(|(.., statement)| *statement);
            calls.push(ShaderCall { place, target, groups, statement });
        }
        calls
    }

    fn groups(&self, unit: &mut ShaderUnit) {
        for layer in self.view.layers() {
            let ast = layer.ast();
            for (_, stmt) in ast.own_stmts() {
                for (name, token) in groups_of_statement(ast, stmt).flat_map(|attr| group_names(ast, attr)) {
                    let range = TokenRange::new(token, token + 1);
                    if let Some((place, _)) = self.view.places.place(layer.body, range) {
                        unit.groups.push(NamedPlace { name, place: inside_quotes(place) });
                    }
                }
            }
        }
    }
}

fn attr<'a>(sema: &Sema<'a>, decl: DeclId, name: &str) -> Option<&'a Attr> {
    let ast: &'a Ast = sema.ast;
    ast[decl].attrs.iter().map(|&attr| &ast[attr]).find(|attr| attr.name.as_str() == name && attr.namespace.is_none())
}

fn has_attr(sema: &Sema<'_>, decl: DeclId, name: &str) -> bool {
    attr(sema, decl, name).is_some()
}

/// The number in `[[buffer(n)]]` and its like.
fn slot_of(sema: &Sema<'_>, decl: DeclId, word: &str) -> Option<u64> {
    let &arg = attr(sema, decl, word)?.args.first()?;
    match &sema.ast[arg].kind {
        ExprKind::Int(text) => text.as_str().parse().ok(),
        _ => None,
    }
}

/// The table that a pointer comes from: the base of `table[i]`, directly or through a variable that is set once.
fn table_of(ast: &Ast, facts: &Facts, expr: ExprId, depth: u32) -> Option<DeclId> {
    let variable = |path: &Path| match facts.refs.get(&path.last()?.token)?.as_slice() {
        [item] => Some(item.decl),
        _ => None,
    };
    match &ast[expr].kind {
        _ if depth > 8 => None,
        ExprKind::Paren(inner) => table_of(ast, facts, *inner, depth + 1),
        ExprKind::Unary { op: UnaryOp::Deref, operand, .. } => table_of(ast, facts, *operand, depth + 1),
        ExprKind::Index { base, .. } => match &ast[*base].kind {
            ExprKind::Path(path) => variable(path),
            _ => None,
        },
        ExprKind::Path(path) => {
            let decl = variable(path)?;
            let DeclKind::Variable(data) = &ast[decl].kind else { return None };
            let Init::Assign(init) = data.init else { return None };
            let is_set_again = ast.own_exprs().any(|(_, expr)| match &expr.kind {
                ExprKind::Assign { lhs, .. } => {
                    matches!(&ast[*lhs].kind, ExprKind::Path(path) if variable(path) == Some(decl))
                }
                _ => false,
            });
            if data.kind != VariableKind::Local || is_set_again { None } else { table_of(ast, facts, init, depth + 1) }
        }
        _ => None,
    }
}

/// A place without the quotes at its ends.
fn inside_quotes(place: Place) -> Place {
    let range = TextRange::new(place.range.start + 1, place.range.end.max(place.range.start + 2) - 1);
    Place { range, ..place }
}
