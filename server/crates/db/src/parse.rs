//! The queries from expanded tokens to syntax trees.
//!
//! Vocabulary:
//!
//! * [`split_unit`] cuts a unit into its *declaration stream* and its [`Body`]s. Both are compared by content, and
//!   neither holds a place, so an edit inside a body changes that body alone.
//! * [`Layout`] says which expanded tokens they are. It changes with every edit and is read only to turn findings into
//!   places.
//! * [`parsed_decls`] is the tree of the declarations, a layer on [`library_of`] the unit. [`parsed_body`] is the tree of one
//!   body, a layer on the unit's.

use std::{ops::Range, sync::Arc};

use msl_builtins::{FrameworkSet, Library, LibraryInclude, lookup_include};
use msl_parser::{
    ParsedBody, SyntaxDiagnostic,
    ast::{Ast, DeclId, DeclKind, FunctionBody, ScopeId, TokenRange},
};
use msl_preproc::{Include, Token, TokenFlags};
use rustc_hash::FxHashMap;

use crate::{database::Db, inputs::Unit, preprocess::preprocessed};

/// A unit cut into declarations and function bodies. There is one for each unit, and its parts change on their own.
#[salsa::tracked(debug)]
pub struct SplitUnit<'db> {
    /// Tokens of the declaration stream.
    #[tracked]
    #[returns(ref)]
    pub stream: Arc<[Token]>,
    /// By number, as the body tokens of the stream name them.
    #[tracked]
    #[returns(ref)]
    pub bodies: Arc<[Body<'db>]>,
    #[tracked]
    #[returns(ref)]
    pub layout: Arc<Layout>,
}

/// A function body that was cut out of the declaration stream.
#[salsa::tracked(debug)]
pub struct Body<'db> {
    #[returns(copy)]
    pub unit: Unit,
    #[returns(copy)]
    pub number: u32,
    /// Braces included.
    #[tracked]
    #[returns(ref)]
    pub tokens: Arc<[Token]>,
}

/// Where declaration stream and bodies lie among the expanded tokens of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// For each token of the stream the index of its expanded token; for a body that of its `{`.
    pub stream: Vec<u32>,
    /// The expanded tokens of each body.
    pub bodies: Vec<Range<u32>>,
}

/// Cuts a unit into declarations and bodies.
#[salsa::tracked(returns(copy))]
pub fn split_unit<'db>(db: &'db dyn Db, unit: Unit) -> SplitUnit<'db> {
    let preprocessed = preprocessed(db, unit);
    let stream = msl_parser::split(&preprocessed.tokens);
    let bodies = stream.bodies.iter().enumerate().map(|(number, range)| {
        let tokens = &preprocessed.tokens[range.start as usize..range.end as usize];
        Body::new(db, unit, number as u32, without_layout(tokens))
    });
    let bodies = bodies.collect();
    let layout = Layout { stream: stream.source, bodies: stream.bodies };
    SplitUnit::new(db, without_layout(&stream.tokens), bodies, Arc::new(layout))
}

/// The tokens with nothing of their layout but line starts, which the parser reads to recover from errors: then moving
/// a token on its line changes nothing.
fn without_layout(tokens: &[Token]) -> Arc<[Token]> {
    tokens.iter().map(|token| Token { flags: TokenFlags(token.flags.0 & TokenFlags::LINE_START), ..*token }).collect()
}

/// The tree of a unit's declarations.
#[derive(Debug)]
pub struct UnitTree {
    pub ast: Arc<Ast>,
    /// The declarations at namespace level, in order.
    pub decls: Box<[DeclId]>,
    pub global: ScopeId,
    pub diagnostics: Vec<SyntaxDiagnostic>,
    /// The functions of the unit that have a body, in order of their declaration.
    pub functions: Vec<FunctionWithBody>,
    /// By number of the body: the function.
    pub function_of_body: FxHashMap<u32, DeclId>,
}

/// A function and where its body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionWithBody {
    pub function: DeclId,
    pub body: BodyPlace,
}

/// Where a function's body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BodyPlace {
    /// Cut out of the stream, with this number.
    Deferred(u32),
    /// Still in the stream, at these tokens.
    Inline(TokenRange),
}

/// The framework headers of the library that a unit includes. Compared by content: it changes with directives alone.
#[salsa::tracked(returns(copy))]
pub fn included_frameworks(db: &dyn Db, unit: Unit) -> FrameworkSet {
    let mut frameworks = FrameworkSet::default();
    for include in &preprocessed(db, unit).includes {
        if let Include::Library(name) = include.target
            && let Some(LibraryInclude::Header(header)) = lookup_include(name.as_str())
        {
            frameworks.insert(header);
        }
    }
    frameworks
}

/// The library that a unit lies on.
pub fn library_of(db: &dyn Db, unit: Unit) -> &'static Library {
    Library::with(included_frameworks(db, unit))
}

/// Parses the declarations of a unit.
#[salsa::tracked(returns(ref), no_eq)]
pub fn parsed_decls(db: &dyn Db, unit: Unit) -> Arc<UnitTree> {
    let stream = split_unit(db, unit).stream(db);
    let parsed = msl_parser::parse_decls(Some(Arc::clone(library_of(db, unit).ast())), stream);
    let functions: Vec<FunctionWithBody> = parsed
        .ast
        .own_decls()
        .filter_map(|(function, decl)| {
            let DeclKind::Function(definition) = &decl.kind else { return None };
            let body = match definition.body {
                FunctionBody::Deferred(number) => BodyPlace::Deferred(number),
                FunctionBody::Inline(range) => BodyPlace::Inline(range),
                FunctionBody::None | FunctionBody::Defaulted | FunctionBody::Deleted => return None,
            };
            Some(FunctionWithBody { function, body })
        })
        .collect();
    let function_of_body = functions
        .iter()
        .filter_map(|of| match of.body {
            BodyPlace::Deferred(number) => Some((number, of.function)),
            BodyPlace::Inline(_) => None,
        })
        .collect();
    Arc::new(UnitTree {
        ast: Arc::new(parsed.ast),
        decls: parsed.decls,
        global: parsed.global,
        diagnostics: parsed.diagnostics,
        functions,
        function_of_body,
    })
}

/// Parses a body that was cut out. `None` if no function has it, which broken code can bring about.
#[salsa::tracked(returns(ref), no_eq)]
pub fn parsed_body<'db>(db: &'db dyn Db, body: Body<'db>) -> Option<Arc<ParsedBody>> {
    let unit = body.unit(db);
    let tree = parsed_decls(db, unit);
    let function = *tree.function_of_body.get(&body.number(db))?;
    let stream = split_unit(db, unit).stream(db);
    Some(Arc::new(msl_parser::parse_body(tree.ast.clone(), stream, function, body.tokens(db))))
}

/// Parses a body that stayed in the declaration stream, given its tokens there. Not a query: it depends on nothing
/// but the declarations, and whoever looks at those looks at it.
pub fn parse_inline_body(db: &dyn Db, unit: Unit, function: DeclId, range: TokenRange) -> ParsedBody {
    let tree = parsed_decls(db, unit);
    let stream = split_unit(db, unit).stream(db);
    let start = tree.ast.start().tokens;
    let tokens = range.start.checked_sub(start).and_then(|first| {
        let last = range.end.checked_sub(start)?;
        stream.get(first as usize..last as usize)
    });
    msl_parser::parse_body(tree.ast.clone(), stream, function, tokens.unwrap_or_default())
}
