//! The library, loaded: one parsed unit, its macros, and what the dialect says about each declaration.
//!
//! Loading preprocesses all headers as one unit, in the order of [`HEADERS`], parses it as the lowest layer of every
//! syntax tree and reads the dialect's attributes. Nothing depends on a language version: versions are filtered at
//! lookup ([`Library::exists_in`], [`Library::macros`]).
//!
//! What framework headers declare is a layer of its own between the library and a unit, one for each set of such headers
//! ([`Library::with`]): a unit that does not include a header has nothing of it, neither in the parser nor behind it.
//! Numbers of declarations and tokens go on from those of the library below.

use std::fmt::Write;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use msl_intern::Name;
use msl_parser::ast::{Ast, DeclId, DeclKind, FunctionRole, ScopeId, TokenRange};
use msl_parser::scope::ScopeKind;
use msl_parser::{SyntaxDiagnostic, parse_decls};
use msl_preproc::{
    FileId, Include, IncludeRequest, LanguageVersion, MacroDef, MacroTable, Options, Platform, Preprocessed,
    SourceProvider, Token, preprocess,
};
use rustc_hash::FxHashMap;

use crate::docs;
use crate::facts::{FactTable, Facts};
use crate::headers::{FrameworkSet, HEADERS, HeaderId, Visibility};
use crate::since::Since;

/// The number of the first header's file. Macros of the library carry these numbers into every unit, so they lie beyond
/// those that anybody gives to the files of a project.
const FIRST_FILE: u32 = u32::MAX - 0x1000;

/// The number of the synthetic file that includes all headers.
const ROOT: FileId = FileId(FIRST_FILE + HEADERS.len() as u32);

impl HeaderId {
    /// The number of the header's file, in places of macros and of the library's tokens.
    pub fn file(self) -> FileId {
        FileId(FIRST_FILE + u32::from(self.0))
    }

    /// The header with this file number; `None` for other files.
    pub fn from_file(file: FileId) -> Option<HeaderId> {
        let index = file.0.checked_sub(FIRST_FILE)?;
        ((index as usize) < HEADERS.len()).then_some(HeaderId(index as u8))
    }
}

/// The library with what a unit includes of framework headers; see the module documentation.
#[derive(Debug)]
pub struct Library {
    /// The library without framework headers that this one lies on; `None` for that itself.
    base: Option<&'static Library>,
    frameworks: FrameworkSet,
    ast: Arc<Ast>,
    global: ScopeId,
    /// The global scope of the topmost layer.
    own_global: ScopeId,
    unit: Preprocessed,
    facts: FactTable,
    macros: Mutex<FxHashMap<LanguageVersion, Arc<MacroTable>>>,
    /// Everything that is wrong with the headers, for tests: a released library has none.
    pub problems: Vec<Problem>,
}

/// Something that is wrong with a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub place: Place,
    pub message: String,
}

/// A place in a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub header: HeaderId,
    /// Byte offsets.
    pub range: Range<u32>,
}

/// A macro of the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryMacro {
    /// The place of its name.
    pub place: Place,
    pub since: Since,
    pub documentation: Option<String>,
}

impl Library {
    /// The library without framework headers, loaded at the first use.
    pub fn get() -> &'static Library {
        static LIBRARY: OnceLock<Library> = OnceLock::new();
        LIBRARY.get_or_init(|| Library::load(None, FrameworkSet::default()))
    }

    /// The library with the framework headers of a set, loaded at the first use and kept.
    pub fn with(frameworks: FrameworkSet) -> &'static Library {
        static EXTENDED: Mutex<Vec<&'static Library>> = Mutex::new(Vec::new());
        let base = Library::get();
        if frameworks.is_empty() {
            return base;
        }
        let mut extended = EXTENDED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(library) = extended.iter().find(|library| library.frameworks == frameworks) {
            return library;
        }
        // There are a few sets in a program, and everything refers to them.
        let library: &'static Library = Box::leak(Box::new(Library::load(Some(base), frameworks)));
        extended.push(library);
        library
    }

    fn load(base: Option<&'static Library>, frameworks: FrameworkSet) -> Library {
        let options = Options::new(LanguageVersion::new(4, 1, Platform::MacOs));
        let unit = preprocess(ROOT, &Headers { frameworks }, &options);
        let parsed = parse_decls(base.map(|base| Arc::clone(&base.ast)), &unit.tokens);
        let ast = Arc::new(parsed.ast);
        let facts = FactTable::collect(&ast);
        let global = base.map_or(parsed.global, |base| base.global);
        let (macros, problems, own_global) = (Mutex::default(), Vec::new(), parsed.global);
        let mut library = Library { base, frameworks, ast, global, own_global, unit, facts, macros, problems };
        library.problems = library.find_problems(&parsed.diagnostics);
        library
    }

    /// The declarations: the lowest layer of every syntax tree.
    pub fn ast(&self) -> &Arc<Ast> {
        &self.ast
    }

    /// The global scope, which contains `metal`.
    pub fn global_scope(&self) -> ScopeId {
        self.global
    }

    /// The framework headers that it has.
    pub fn frameworks(&self) -> FrameworkSet {
        self.frameworks
    }

    /// Whether a header may declare a name that is not known here: one in a namespace or class of which only a part is
    /// known, or one that begins as the other names of a framework header do.
    ///
    /// - `qualifier`: the names before `::`, the outermost first.
    pub fn may_declare(&self, qualifier: &[Name], name: Name) -> bool {
        if qualifier.is_empty() {
            return self.frameworks.may_declare(name.as_str());
        }
        let mut scope = self.own_global;
        for &part in qualifier {
            let opens = |&decl: &DeclId| match &self.ast[decl].kind {
                DeclKind::Namespace { scope, .. } => Some((decl, *scope)),
                DeclKind::Record(record) => Some((decl, record.scope?)),
                _ => None,
            };
            let parts = std::iter::successors(Some(scope), |&scope| self.ast[scope].extends);
            let known = parts.flat_map(|scope| self.ast[scope].get(part)).find_map(opens);
            let Some((decl, inner)) = known else { return false };
            if self.facts(decl).is_some_and(|facts| facts.partial) {
                return true;
            }
            scope = inner;
        }
        false
    }

    /// Whether a declaration stands in a framework header.
    pub fn is_framework(&self, decl: DeclId) -> bool {
        self.base.is_some() && self.ast.owns_decl(decl)
    }

    /// The expanded token of this number.
    pub fn token(&self, number: u32) -> Option<&Token> {
        let library = self.owner_of_token(number);
        library.unit.tokens.get((number - library.ast.start().tokens) as usize)
    }

    /// The expanded tokens of a range, which does not go over the border between the library and framework headers.
    pub fn tokens(&self, range: TokenRange) -> Option<&[Token]> {
        let library = self.owner_of_token(range.start);
        let start = library.ast.start().tokens;
        library.unit.tokens.get((range.start - start) as usize..range.end.checked_sub(start)? as usize)
    }

    /// All tokens of the library or of the framework headers, whichever a declaration stands in.
    pub fn stream_of(&self, decl: DeclId) -> &[Token] {
        &self.owner(decl).unit.tokens
    }

    /// The part that a declaration stands in.
    fn owner(&self, decl: DeclId) -> &Library {
        self.base.filter(|_| decl.0 < self.ast.start().decls).unwrap_or(self)
    }

    fn owner_of_token(&self, number: u32) -> &Library {
        self.base.filter(|_| number < self.ast.start().tokens).unwrap_or(self)
    }

    /// The macros that the library defines in a version; framework headers define none.
    pub fn macros(&self, version: LanguageVersion) -> Arc<MacroTable> {
        let mut tables = self.macros.lock().unwrap_or_else(PoisonError::into_inner);
        let table = tables.entry(version).or_insert_with(|| {
            let mut table = MacroTable::new(None, None);
            for definition in self.own_macros().filter(|definition| self.macro_exists_in(definition, version)) {
                table.define(Arc::clone(definition));
            }
            Arc::new(table)
        });
        Arc::clone(table)
    }

    /// What the library says about a macro of any version.
    pub fn macro_info(&self, name: Name) -> Option<LibraryMacro> {
        let definition = self.own_macros().find(|definition| definition.name == name)?;
        let place = macro_place(definition)?;
        let documentation = docs::description(place.header.header().text, place.range.start as usize);
        Some(LibraryMacro { place, since: self.macro_since(definition), documentation })
    }

    /// The place of a token of the library: where it is written, or where the macro is used that made it.
    pub fn place_of_token(&self, token: u32) -> Option<Place> {
        let library = self.owner_of_token(token);
        let &origin = library.unit.origins.get((token - library.ast.start().tokens) as usize)?;
        let (file, range) = library.unit.map.expansion_range(origin);
        Some(Place { header: HeaderId::from_file(file)?, range })
    }

    /// The place of a declaration's name.
    pub fn place(&self, decl: DeclId) -> Option<Place> {
        self.place_of_token(self.ast[decl].name_token)
    }

    /// The header that offers a declaration.
    pub fn header(&self, decl: DeclId) -> Option<HeaderId> {
        self.place(decl).map(|place| place.header)
    }

    /// The description of a declaration, in Markdown.
    pub fn documentation(&self, decl: DeclId) -> Option<String> {
        if let Some(primary) = self.member_of_primary(decl)
            && let Some(text) = self.own_documentation(primary)
        {
            return Some(text);
        }
        self.own_documentation(decl).or_else(|| self.documentation_of_relative(decl))
    }

    /// In which versions a declaration exists.
    pub fn since(&self, decl: DeclId) -> Since {
        self.owner(decl).facts.since(decl)
    }

    /// Whether a declaration exists in a version; one that is not the library's exists.
    pub fn exists_in(&self, decl: DeclId, version: LanguageVersion) -> bool {
        self.since(decl).includes(version)
            && self.facts(decl).and_then(|facts| facts.until).is_none_or(|until| !until.includes(version))
    }

    /// What the dialect says about a declaration apart from its version.
    pub fn facts(&self, decl: DeclId) -> Option<&Facts> {
        self.owner(decl).facts.facts(decl)
    }

    fn find_problems(&self, syntax: &[SyntaxDiagnostic]) -> Vec<Problem> {
        let mut problems = Vec::new();
        for diagnostic in &self.unit.diagnostics {
            let (file, range) = self.unit.map.file_range(diagnostic.range.clone());
            if let Some(header) = HeaderId::from_file(file) {
                problems.push(Problem { place: Place { header, range }, message: diagnostic.message.clone() });
            }
        }
        let mut at_tokens = |tokens: TokenRange, message: &str| {
            if let Some(place) = self.place_of_token(tokens.start) {
                problems.push(Problem { place, message: message.to_owned() });
            }
        };
        for diagnostic in syntax {
            at_tokens(diagnostic.range, &diagnostic.message);
        }
        for (attr, message) in &self.facts.mistakes {
            at_tokens(self.ast[*attr].range, message);
        }
        problems
    }

    fn own_documentation(&self, decl: DeclId) -> Option<String> {
        let place = self.place_of_token(self.ast[decl].range.start)?;
        docs::description(place.header.header().text, place.range.start as usize)
    }

    /// The description of the class for a constructor, of the definition for a declaration in advance.
    fn documentation_of_relative(&self, decl: DeclId) -> Option<String> {
        let ast = &*self.ast;
        let scope = &ast[ast[decl].scope];
        match &ast[decl].kind {
            DeclKind::Function(function) if function.role == FunctionRole::Constructor => {
                self.own_documentation(scope.owner?)
            }
            DeclKind::Record(record) if record.scope.is_none() => {
                scope.get(record.name).iter().find_map(|&other| self.own_documentation(other))
            }
            DeclKind::Enum(declared) if declared.scope.is_none() => {
                scope.get(declared.name).iter().find_map(|&other| self.own_documentation(other))
            }
            _ => None,
        }
    }

    /// For a member of a specialisation, the member of the primary template that has the same name.
    fn member_of_primary(&self, decl: DeclId) -> Option<DeclId> {
        let ast = &*self.ast;
        let class = &ast[ast[decl].scope];
        let owner = class.owner.filter(|_| class.kind == ScopeKind::Record)?;
        let DeclKind::Record(specialisation) = &ast[owner].kind else { return None };
        specialisation.name_args.as_ref()?;
        let name = declared_name(ast, decl)?;
        ast[ast[owner].scope].get(specialisation.name).iter().find_map(|&candidate| match &ast[candidate].kind {
            DeclKind::Record(record) if record.name_args.is_none() => ast[record.scope?].get(name).first().copied(),
            _ => None,
        })
    }

    fn own_macros(&self) -> impl Iterator<Item = &Arc<MacroDef>> {
        self.unit.macro_table.own().filter(|definition| macro_place(definition).is_some())
    }

    fn macro_since(&self, definition: &MacroDef) -> Since {
        macro_place(definition)
            .and_then(|place| docs::macro_since(place.header.header().text, place.range.start as usize))
            .and_then(Since::parse)
            .unwrap_or(Since::ALWAYS)
    }

    fn macro_exists_in(&self, definition: &MacroDef, version: LanguageVersion) -> bool {
        let platform = macro_place(definition)
            .and_then(|place| docs::macro_platform(place.header.header().text, place.range.start as usize));
        let platform_fits = match platform {
            Some("macos") => version.platform == Platform::MacOs,
            Some("ios") => version.platform == Platform::Ios,
            _ => true,
        };
        platform_fits && self.macro_since(definition).includes(version)
    }
}

fn macro_place(definition: &MacroDef) -> Option<Place> {
    Some(Place { header: HeaderId::from_file(definition.file)?, range: definition.name_range.clone() })
}

/// Whether a name that nothing declares is a function of Metal's compiler, which its library is made from and which
/// programs call now and then: `__metal_fma`, `__builtin_trap`. What it takes and gives is unknown.
pub fn is_compiler_function(name: &str) -> bool {
    ["__metal_", "__builtin_", "__air_"].iter().any(|prefix| name.starts_with(prefix))
}

fn declared_name(ast: &Ast, decl: DeclId) -> Option<Name> {
    match &ast[decl].kind {
        DeclKind::Variable(variable) => variable.name.ident(),
        DeclKind::Function(function) => function.name.ident(),
        DeclKind::TypeAlias { name, .. } => Some(*name),
        DeclKind::Record(record) => Some(record.name),
        _ => None,
    }
}

/// Gives the preprocessor the texts of the library's headers, or of the framework headers of a set.
struct Headers {
    /// Empty for the library itself.
    frameworks: FrameworkSet,
}

impl SourceProvider for Headers {
    fn text(&self, file: FileId) -> Option<Arc<[u8]>> {
        if file == ROOT {
            let mut text = String::new();
            for id in crate::headers() {
                let belongs = match id.header().visibility {
                    Visibility::Stdlib | Visibility::Library => self.frameworks.is_empty(),
                    Visibility::Framework => self.frameworks.contains(id),
                };
                if belongs {
                    let _ = writeln!(text, "#include <{}>", id.header().name);
                }
            }
            return Some(text.into_bytes().into());
        }
        Some(HeaderId::from_file(file)?.header().text.as_bytes().into())
    }

    fn resolve_include(&self, request: &IncludeRequest<'_>) -> Include {
        let index = HEADERS.iter().position(|header| header.name.as_bytes() == request.spelling);
        index.map_or(Include::NotFound, |index| Include::File(HeaderId(index as u8).file()))
    }
}
