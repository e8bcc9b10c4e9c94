//! The declarations of a file as a tree.

use std::sync::Arc;

use msl_diagnostics::TextRange;
use msl_parser::ast::*;
use msl_ty::{DeclRef, Sema, store::BindId, store::QualTy, store::Space};

use crate::{
    analysis::{Analysis, UnitRequest},
    view::{Layer, View, has_name},
};

/// What sort of thing a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    Namespace,
    Struct,
    Class,
    Enum,
    EnumMember,
    TypeAlias,
    TypeParameter,
    Function,
    /// A function that a host can start.
    EntryPoint,
    Method,
    Constructor,
    Field,
    Variable,
    Constant,
    Parameter,
    Macro,
}

/// A declaration of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentSymbol {
    pub name: String,
    /// Type or signature.
    pub detail: String,
    pub kind: SymbolKind,
    /// The whole declaration.
    pub range: TextRange,
    /// Its name, inside of `range`.
    pub name_range: TextRange,
    pub children: Vec<DocumentSymbol>,
}

impl Analysis {
    /// What a file of a unit declares outside of function bodies, macros included, in order of place.
    pub fn document_symbols(&self, request: &UnitRequest, path: &Arc<str>) -> Vec<DocumentSymbol> {
        let view = View::new(self, request);
        let layer = view.declarations();
        let sema = layer.sema(view.env);
        let mut symbols = of_decls(&view, &layer, &sema, path, &view.tree.decls);
        macros(&view, path, &mut symbols);
        symbols.sort_by_key(|symbol| (symbol.range.start, symbol.range.end));
        symbols
    }
}

fn of_decls(
    view: &View<'_>,
    layer: &Layer<'_>,
    sema: &Sema<'_>,
    path: &Arc<str>,
    decls: &[DeclId],
) -> Vec<DocumentSymbol> {
    let mut symbols: Vec<DocumentSymbol> =
        decls.iter().flat_map(|&decl| of_decl(view, layer, sema, path, decl)).collect();
    symbols.sort_by_key(|symbol| (symbol.range.start, symbol.range.end));
    symbols
}

fn of_decl(view: &View<'_>, layer: &Layer<'_>, sema: &Sema<'_>, path: &Arc<str>, decl: DeclId) -> Vec<DocumentSymbol> {
    let data = &sema.ast[decl];
    let inner = match &data.kind {
        DeclKind::Namespace { decls, .. } => of_decls(view, layer, sema, path, decls),
        DeclKind::Record(record) => of_decls(view, layer, sema, path, &record.members),
        DeclKind::Enum(enumeration) => of_decls(view, layer, sema, path, &enumeration.enumerators),
        _ => Vec::new(),
    };
    let Some(kind) = kind_of(sema, decl).filter(|_| has_name(data)) else { return inner };
    let name_place = view.place_of(layer, decl).filter(|place| place.path == *path);
    let Some(name_place) = name_place else { return inner };
    let full = view.full_place_of(layer, decl).filter(|place| place.path == *path);
    let range = full.map_or(name_place.range, |full| full.range.cover(name_place.range));
    let item = DeclRef { decl, bind: BindId::NONE };
    let detail = match &data.kind {
        DeclKind::Function(_) => {
            let stage = sema.stage_of(decl).map(|stage| format!("[[{}]] ", stage.word())).unwrap_or_default();
            format!("{stage}{}", sema.spell_function(item))
        }
        DeclKind::Variable(_) => {
            let ty = sema.variable_type(item);
            let space = if ty.space == Space::Thread { Space::None } else { ty.space };
            sema.spell(QualTy { space, ..ty })
        }
        DeclKind::TypeAlias { .. } if data.templates.is_empty() => sema.spell(sema.alias_type(item)),
        DeclKind::Enumerator { .. } => sema.enumerator_value(item).map(|value| value.to_string()).unwrap_or_default(),
        _ => String::new(),
    };
    let name = match &data.kind {
        DeclKind::Function(function) => match &function.qualifier {
            Some(path) => format!("{}::{}", msl_ty::types::spell_path(path), msl_ty::types::spell_name(function.name)),
            None => msl_ty::types::spell_name(function.name),
        },
        _ => sema.decl_name(decl).map_or_else(String::new, |name| name.to_string()),
    };
    vec![DocumentSymbol { name, detail, kind, range, name_range: name_place.range, children: inner }]
}

/// The sort of a declaration; `None` for what has none.
pub(crate) fn kind_of(sema: &Sema<'_>, decl: DeclId) -> Option<SymbolKind> {
    let data = &sema.ast[decl];
    Some(match &data.kind {
        DeclKind::Namespace { .. } | DeclKind::NamespaceAlias { .. } => SymbolKind::Namespace,
        DeclKind::Record(record) if record.key == RecordKey::Class => SymbolKind::Class,
        DeclKind::Record(_) => SymbolKind::Struct,
        DeclKind::Enum(_) => SymbolKind::Enum,
        DeclKind::Enumerator { .. } => SymbolKind::EnumMember,
        DeclKind::TypeAlias { .. } => SymbolKind::TypeAlias,
        DeclKind::TypeParam { .. } | DeclKind::TemplateParam { .. } => SymbolKind::TypeParameter,
        DeclKind::Function(function) => match function.role {
            FunctionRole::Constructor | FunctionRole::Destructor => SymbolKind::Constructor,
            _ if sema.enclosing_class(data.scope, BindId::NONE).is_some() || function.qualifier.is_some() => {
                SymbolKind::Method
            }
            _ if sema.stage_of(decl).is_some() => SymbolKind::EntryPoint,
            _ => SymbolKind::Function,
        },
        DeclKind::Variable(variable) => match variable.kind {
            VariableKind::Field => SymbolKind::Field,
            VariableKind::Param => SymbolKind::Parameter,
            VariableKind::TemplateValue => SymbolKind::TypeParameter,
            VariableKind::Global => SymbolKind::Constant,
            _ => SymbolKind::Variable,
        },
        _ => return None,
    })
}

fn macros(view: &View<'_>, path: &Arc<str>, symbols: &mut Vec<DocumentSymbol>) {
    let Some(file) = view.file(path) else { return };
    for definition in view.preprocessed.map.definitions().iter().filter(|definition| definition.file == file) {
        let name_range = TextRange::new(definition.name_range.start, definition.name_range.end);
        let range = TextRange::new(definition.range.start, definition.range.end).cover(name_range);
        let parameters: Vec<&str> = definition.parameters.iter().map(|name| name.as_str()).collect();
        let is_function = definition.kind == msl_preproc::MacroKind::Function;
        let detail = if is_function { format!("#define ({})", parameters.join(", ")) } else { "#define".to_owned() };
        let name = definition.name.to_string();
        symbols.push(DocumentSymbol { name, detail, kind: SymbolKind::Macro, range, name_range, children: Vec::new() });
    }
}
