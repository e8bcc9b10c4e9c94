//! Concrete functions from a generic one: overloads for the address spaces that its callers use, or a template on its
//! pointers. Then nothing is left for the compiler to find out.
//!
//! The inverse of [`super::consolidate`]: what one makes, the other takes back.

use std::sync::Arc;

use msl_db::Unit;
use msl_diagnostics::{Place, TextEdit, TextRange};
use msl_flow::{
    border::{Input, Output, THIS},
    program::Function,
    unit_flow,
    value::{SourceKind, Spaces},
};
use msl_parser::ast::*;
use msl_ty::{
    DeclRef, Sema,
    store::{BindId, Space, TyKind},
};

use super::{
    consolidate::is_called_from_outside,
    edits::{EditBuilder, indentation, merged},
    members::end_of_parameters,
    verify::{Replacement, Verifier},
};
use crate::{
    analysis::{Analysis, UnitRequest},
    navigation::same_entity,
    view::View,
};

/// More overloads than this are not written.
const MAX_OVERLOADS: usize = 9;

/// A generic function and what can be made of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Specialization {
    pub name: String,
    /// The spaces of the overloads, in words.
    pub spaces: String,
    /// How many overloads that are.
    pub count: usize,
    pub overloads: Result<Vec<TextEdit>, String>,
    /// `None` where the space of `this` is among what is generic, which no template parameter stands for.
    pub template: Option<Result<Vec<TextEdit>, String>>,
    pub replacement: Replacement,
}

/// One generic pointer of a function's signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Position {
    /// The number of the parameter; [`THIS`] for the object.
    param: u32,
}

impl Analysis {
    /// What can be made of the generic function with a name at one of these places.
    pub fn specialization(&self, request: &UnitRequest, wanted: &dyn Fn(&Place) -> bool) -> Option<Specialization> {
        self.specialization_with(request, wanted, &mut Verifier::new(self, request))
    }

    /// See [`Analysis::specialization`].
    pub(crate) fn specialization_with(
        &self,
        request: &UnitRequest,
        wanted: &dyn Fn(&Place) -> bool,
        verifier: &mut Verifier<'_>,
    ) -> Option<Specialization> {
        if !request.std.version.has_generic_pointers() {
            return None;
        }
        let view = View::new(self, request);
        let layer = view.declarations();
        let sema = layer.sema(view.env);
        let of = view
            .tree
            .functions
            .iter()
            .find(|of| view.place_of(&layer, of.function).is_some_and(|place| wanted(&place)))?;
        let decl = of.function;
        let positions = positions(&sema, decl);
        // Templates have an instance for each address space already.
        let is_templated = msl_ty::check::is_templated(&sema, decl);
        if positions.is_empty() || sema.stage_of(decl).is_some() || is_templated {
            return None;
        }
        let DeclKind::Function(function) = &sema.ast[decl].kind else { return None };
        let mut decls = declarations_of(&sema, decl);
        decls.sort();
        let replacement = {
            let names: Vec<Place> = decls.iter().filter_map(|&decl| view.place_of(&layer, decl)).collect();
            Replacement { old: names.iter().cloned().collect(), new: names.into_iter().collect() }
        };
        let work = Work { view: &view, sema: &sema, decl, decls, positions };
        let (rows, is_whole) = work.rows();
        let (spaces, count) = (spell_rows(&rows), rows.len());
        let mut verified = |edits: Vec<TextEdit>| verifier.verify(&edits, &replacement).map(|()| edits);
        let overloads = if let Some(reason) = work.refusal() {
            Err(reason)
        } else if !is_whole {
            Err("some callers pass pointers whose address space is not known before run time".to_owned())
        } else if rows.len() > MAX_OVERLOADS {
            Err(format!("that would be {} overloads", rows.len()))
        } else {
            // With the space of the result where it follows that of a parameter, else with a generic one.
            let with_result = work.overloads(&rows, true).and_then(&mut verified);
            with_result.or_else(|_| work.overloads(&rows, false).and_then(&mut verified))
        };
        let has_this = work.positions.iter().any(|position| position.param == THIS);
        let template = (!has_this).then(|| match work.refusal() {
            Some(reason) => Err(reason),
            None => work.template().and_then(&mut verified),
        });
        Some(Specialization {
            name: msl_ty::types::spell_name(function.name),
            spaces,
            count,
            overloads,
            template,
            replacement: replacement.clone(),
        })
    }
}

impl Analysis {
    /// The names of the functions of a unit's own files that have a generic pointer in their signature.
    pub fn generic_functions(&self, request: &UnitRequest) -> Vec<Place> {
        if !request.std.version.has_generic_pointers() {
            return Vec::new();
        }
        let view = View::new(self, request);
        let layer = view.declarations();
        let sema = layer.sema(view.env);
        let functions = view.tree.functions.iter().filter(|of| !positions(&sema, of.function).is_empty());
        functions.filter_map(|of| view.place_of(&layer, of.function)).collect()
    }
}

/// All declarations of a function.
fn declarations_of(sema: &Sema<'_>, decl: DeclId) -> Vec<DeclId> {
    same_entity(sema, decl)
}

/// The generic pointers and references of a function's signature that are written as such.
fn positions(sema: &Sema<'_>, decl: DeclId) -> Vec<Position> {
    let DeclKind::Function(function) = &sema.ast[decl].kind else { return Vec::new() };
    let signature = sema.signature(DeclRef { decl, bind: BindId::NONE });
    if signature.unknown || signature.invalid || function.role != FunctionRole::Plain {
        return Vec::new();
    }
    let is_generic = |ty| match sema.kind(ty) {
        TyKind::Pointer(inner) | TyKind::LRef(inner) | TyKind::RRef(inner) => inner.space == Space::Generic,
        _ => false,
    };
    let mut found: Vec<Position> = signature
        .params
        .iter()
        .enumerate()
        .filter(|(_, param)| is_generic(param.ty.ty))
        .map(|(number, _)| Position { param: number as u32 })
        .collect();
    if signature.this.is_some_and(|this| this.space == Space::Generic) {
        found.push(Position { param: THIS });
    }
    found
}

struct Work<'a> {
    view: &'a View<'a>,
    sema: &'a Sema<'a>,
    decl: DeclId,
    decls: Vec<DeclId>,
    positions: Vec<Position>,
}

/// The spaces of one overload, position by position.
type Row = Vec<Space>;

impl Work<'_> {
    fn unit(&self) -> Unit {
        self.view.unit
    }

    /// Why nothing can be made of the function.
    fn refusal(&self) -> Option<String> {
        if is_called_from_outside(self.sema.ast, self.decl) {
            return Some("it can be called from outside of this program".to_owned());
        }
        None
    }

    /// The spaces that the callers use, and whether that is all that they do. Without callers, every combination.
    fn rows(&self) -> (Vec<Row>, bool) {
        let program = unit_flow(self.view.db, self.unit());
        let number = program.number(Function::of(DeclRef { decl: self.decl, bind: BindId::NONE }));
        let contexts = number.map(|number| program.contexts(number)).unwrap_or_default();
        let inputs = number.map(|number| program.functions[number].1.inputs.clone()).unwrap_or_default();
        let mut rows: Vec<Row> = Vec::new();
        let mut is_whole = true;
        for context in &contexts {
            let row: Option<Row> = self
                .positions
                .iter()
                .map(|position| {
                    let is_it = |input: &Input| matches!(input, Input::Param(param, steps) if *param == position.param && steps.is_empty());
                    // What the body does not use, the summary does not list.
                    let known = inputs.iter().position(is_it).and_then(|index| context.get(index))?;
                    single(known.spaces).filter(|_| !known.is_runtime && !known.is_limited)
                })
                .collect();
            match row {
                Some(row) if !rows.contains(&row) => rows.push(row),
                Some(_) => {}
                None => is_whole = false,
            }
        }
        if contexts.is_empty() {
            rows = vec![Vec::new()];
            for _ in &self.positions {
                rows = rows
                    .into_iter()
                    .flat_map(|row| {
                        [Space::Thread, Space::Device, Space::Threadgroup].map(|space| {
                            let mut row = row.clone();
                            row.push(space);
                            row
                        })
                    })
                    .collect();
            }
        }
        rows.sort_by_key(|row| row.iter().map(|&space| order(space)).collect::<Vec<u8>>());
        (rows, is_whole)
    }

    /// The position whose space the result has, if the body says so.
    fn result_follows(&self) -> Option<usize> {
        let signature = self.sema.signature(DeclRef { decl: self.decl, bind: BindId::NONE });
        let is_generic = match self.sema.kind(signature.ret.ty) {
            TyKind::Pointer(inner) | TyKind::LRef(inner) => inner.space == Space::Generic,
            _ => false,
        };
        let program = unit_flow(self.view.db, self.unit());
        let number =
            program.number(Function::of(DeclRef { decl: self.decl, bind: BindId::NONE })).filter(|_| is_generic)?;
        let summary = &program.functions[number].1;
        let (_, value) =
            summary.outputs.iter().find(|(output, _)| matches!(output, Output::Return(steps) if steps.is_empty()))?;
        let mut found: Option<usize> = None;
        for source in &value.sources {
            let SourceKind::Input(input) = source.kind else { return None };
            let Input::Param(param, steps) = summary.inputs.get(input as usize)? else { return None };
            let index = self.positions.iter().position(|position| position.param == *param && steps.is_empty())?;
            if found.is_some_and(|other| other != index) {
                return None;
            }
            found = Some(index);
        }
        found
    }

    /// Writes one function for each row: the first where the generic one is, the others behind it.
    fn overloads(&self, rows: &[Row], with_result: bool) -> Result<Vec<TextEdit>, String> {
        let result = if with_result { self.result_follows() } else { None };
        let mut edits: Vec<TextEdit> = Vec::new();
        for &decl in &self.decls {
            let mut copies: Vec<String> = Vec::new();
            let builder = EditBuilder::new(self.view.db, self.unit());
            let place = builder
                .place(None, self.sema.ast[decl].range)
                .ok_or("one of its declarations stands in the definition of a macro")?;
            let text = builder.text(&place.path);
            for (index, row) in rows.iter().enumerate() {
                let own = self.annotations(decl, row, result)?;
                if index == 0 {
                    edits.extend(own);
                } else {
                    copies.push(copy(&text, place.range, &own));
                }
            }
            if !copies.is_empty() {
                let indent = indentation(&text, place.range.start as usize);
                let is_definition = matches!(
                    &self.sema.ast[decl].kind,
                    DeclKind::Function(function) if function.body != FunctionBody::None
                );
                let gap = if is_definition { "\n\n" } else { "\n" };
                let new_text = copies.iter().map(|copy| format!("{gap}{indent}{copy}")).collect();
                let end = place.range.end;
                edits.push(TextEdit { place: Place { range: TextRange::new(end, end), ..place }, new_text });
            }
        }
        Ok(merged(edits))
    }

    /// The edits that write the spaces of a row into a declaration.
    fn annotations(&self, decl: DeclId, row: &Row, result: Option<usize>) -> Result<Vec<TextEdit>, String> {
        let mut builder = EditBuilder::new(self.view.db, self.unit());
        let ast = self.sema.ast;
        let DeclKind::Function(function) = &ast[decl].kind else { return Err("it is no function".to_owned()) };
        let TypeKind::Function(written) = &ast[function.ty].kind else { return Err("it is no function".to_owned()) };
        for (position, space) in self.positions.iter().zip(row) {
            if position.param == THIS {
                match end_of_parameters(self.view.env, decl) {
                    Some(token) => builder.insert_behind(None, token, &format!(" {}", space.word())),
                    None => builder.refuse("its parameter list was not found"),
                }
                continue;
            }
            let param = written.params.get(position.param as usize);
            let DeclKind::Variable(variable) = &ast[*param.ok_or("its parameters were not found")?].kind else {
                continue;
            };
            match is_pointer_as_written(ast, variable.ty) {
                true => builder.insert_before(None, ast[variable.ty].range.start, &format!("{} ", space.word())),
                false => builder.refuse("the pointer is part of a named type, which says nothing of its address space"),
            }
        }
        if let Some(index) = result {
            match is_pointer_as_written(ast, written.ret) {
                true => builder.insert_before(None, ast[written.ret].range.start, &format!("{} ", row[index].word())),
                false => builder.refuse("the result is a named type"),
            }
        }
        builder.finish()
    }

    /// Makes the pointers parameters of a template: one instance for each address space.
    fn template(&self) -> Result<Vec<TextEdit>, String> {
        let ast = self.sema.ast;
        let signature = self.sema.signature(DeclRef { decl: self.decl, bind: BindId::NONE });
        let returns_generic = match self.sema.kind(signature.ret.ty) {
            TyKind::Pointer(inner) | TyKind::LRef(inner) => inner.space == Space::Generic,
            _ => false,
        };
        if returns_generic {
            return Err("its result is a generic pointer".to_owned());
        }
        let mut builder = EditBuilder::new(self.view.db, self.unit());
        for &decl in &self.decls {
            let DeclKind::Function(function) = &ast[decl].kind else { continue };
            let TypeKind::Function(written) = &ast[function.ty].kind else { continue };
            let mut names: Vec<String> = Vec::new();
            for position in &self.positions {
                let Some(&param) = written.params.get(position.param as usize) else { continue };
                let DeclKind::Variable(variable) = &ast[param].kind else { continue };
                let is_pointer =
                    matches!(self.sema.kind(signature.params[position.param as usize].ty.ty), TyKind::Pointer(_));
                let is_plain = matches!(ast[variable.ty].kind, TypeKind::Pointer(_));
                if !is_pointer || !is_plain || !matches!(variable.init, Init::None) {
                    builder.refuse("one of its generic parameters is not a plain pointer");
                    continue;
                }
                let name = match self.positions.len() {
                    1 => "Pointer".to_owned(),
                    _ => format!("Pointer{}", names.len() + 1),
                };
                // From the first word of the type to the last `*` of the declarator.
                let range = TokenRange::new(ast[variable.ty].range.start, ast[param].name_token);
                let text = match variable.name {
                    UnqualName::Missing => name.clone(),
                    _ => format!("{name} "),
                };
                self.replace_up_to_name(&mut builder, range, ast[param].name_token, &text, variable);
                names.push(name);
            }
            let header: Vec<String> = names.iter().map(|name| format!("typename {name}")).collect();
            builder.insert_before(None, ast[decl].range.start, &format!("template <{}>\n", header.join(", ")));
        }
        builder.finish()
    }

    /// Replaces a parameter's type, with the white space before its name.
    fn replace_up_to_name(
        &self,
        builder: &mut EditBuilder<'_>,
        range: TokenRange,
        name: u32,
        text: &str,
        variable: &Variable,
    ) {
        let ast = self.sema.ast;
        if matches!(variable.name, UnqualName::Missing) {
            return builder.replace(None, ast[variable.ty].range, text);
        }
        let (Some(start), Some(end)) = (
            builder.place(None, TokenRange::new(range.start, range.start + 1)),
            builder.place(None, TokenRange::new(name, name + 1)),
        ) else {
            return builder.refuse("its parameters stand in the definition of a macro");
        };
        if start.path != end.path || start.range.start >= end.range.start {
            return builder.refuse("its parameters were not found");
        }
        let range = TextRange::new(start.range.start, end.range.start);
        builder.replace_text(Place { range, ..start }, text);
    }
}

/// Whether a type is written as a pointer, reference or array, so that a word in front of it is about what it leads to.
fn is_pointer_as_written(ast: &Ast, node: TypeId) -> bool {
    let mut node = node;
    let mut levels = 0;
    loop {
        match &ast[node].kind {
            TypeKind::Qualified { inner, .. } => node = *inner,
            TypeKind::Pointer(inner) | TypeKind::LRef(inner) | TypeKind::RRef(inner) => {
                levels += 1;
                node = *inner;
            }
            TypeKind::Array { elem, .. } => {
                levels += usize::from(levels == 0);
                node = *elem;
            }
            // A word in front is about the innermost level.
            _ => return levels == 1,
        }
    }
}

/// A part of a text with edits of it made.
fn copy(text: &Arc<[u8]>, range: TextRange, edits: &[TextEdit]) -> String {
    let mut out: Vec<u8> = Vec::new();
    let mut at = range.start as usize;
    for edit in edits {
        let start = edit.place.range.start as usize;
        if start < at || start > range.end as usize {
            continue;
        }
        out.extend_from_slice(&text[at..start]);
        out.extend_from_slice(edit.new_text.as_bytes());
        at = edit.place.range.end as usize;
    }
    out.extend_from_slice(&text[at..range.end as usize]);
    String::from_utf8_lossy(&out).into_owned()
}

/// The space of a set of one.
fn single(spaces: Spaces) -> Option<Space> {
    [Space::Thread, Space::Device, Space::Threadgroup].into_iter().find(|&space| spaces == Spaces::of(space))
}

fn order(space: Space) -> u8 {
    match space {
        Space::Thread => 0,
        Space::Device => 1,
        _ => 2,
    }
}

fn spell_rows(rows: &[Row]) -> String {
    let spelled: Vec<String> =
        rows.iter().map(|row| row.iter().map(|space| space.word()).collect::<Vec<_>>().join("/")).collect();
    match spelled.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => spelled.concat(),
    }
}
