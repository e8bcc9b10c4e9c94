//! What could stand at the cursor.
//!
//! The kind of place decides: behind `.` and `->` members and swizzles, behind `::` what the scope holds, inside `[[ ]]`
//! attributes that fit the declaration, else everything that name lookup would find there, with keywords and snippets.
//! All of it works on the facts of broken code: what is behind a `.` has a type even if nothing follows.

mod directives;
mod words;

use std::sync::Arc;

use msl_builtins::{
    AttributeInfo, FrameworkSet, Library, Visibility, attributes as attribute_table,
    attributes::{Args, Role, Stages},
};
use msl_diagnostics::TextRange;
use msl_intern::Name;
use msl_parser::{ast::*, scope::ScopeKind};
use msl_preproc::{MacroKind, Punct, TokenKind};
use msl_ty::{
    DeclRef, Sema,
    decls::Stage,
    lookup::Key,
    resolve::Container,
    sema::Cx,
    store::{BindId, QualTy, Space, Ty, TyKind},
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use self::words::{
    DECLARATION_SNIPPETS, DECLARATION_WORDS, STATEMENT_SNIPPETS, STATEMENT_WORDS, TYPE_WORDS, VISIBLE_FUNCTION_SNIPPET,
};
use crate::{
    analysis::{Analysis, UnitRequest},
    attributes,
    cursor::{Cursor, is_code},
    expected::expected_types,
    hover::documentation,
    symbols::{SymbolKind, kind_of},
    view::{View, has_name},
};

/// At most so many items are offered; the client asks again when more is typed.
const MAX_ITEMS: usize = 200;

/// What the user declared is shown with its comment if there are at most so many items.
const MAX_DOCUMENTED: usize = 50;

/// What is offered.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Completions {
    /// What is typed already and will be replaced.
    pub replaced: TextRange,
    /// The best first.
    pub items: Vec<CompletionItem>,
    /// Whether there are more.
    pub is_incomplete: bool,
    /// If the name of a header is being typed: what is there already. Files are for whoever knows the workspace.
    pub include: Option<IncludePrefix>,
    /// The `.` before, if what stands before it is a pointer: `->` has to take its place.
    pub arrow: Option<TextRange>,
}

/// The name of a header that is being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncludePrefix {
    pub typed: String,
    /// `<…>` rather than `"…"`.
    pub is_angled: bool,
}

/// How much further from the user something of a type that does not fit is.
const OTHER_TYPE: u8 = 4;

/// One thing that could stand at the cursor.
#[derive(Clone, Debug, PartialEq)]
pub struct CompletionItem {
    pub label: String,
    pub kind: CompletionKind,
    /// Type or signature.
    pub detail: String,
    /// What to insert, with `$0`, `${1:name}` for places to fill in; the label if there is none.
    pub snippet: Option<String>,
    pub documentation: Option<String>,
    /// For [`Analysis::library_documentation`], which is looked up only for what the user looks at.
    pub library: Option<LibraryItem>,
    /// How near it is, from 0.
    pub rank: u8,
}

/// A declaration of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LibraryItem {
    /// Its number.
    pub decl: u32,
    /// The framework headers that the numbers were given with: [`FrameworkSet::bits`].
    pub frameworks: u32,
}

/// What sort of thing is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    Symbol(SymbolKind),
    Keyword,
    Snippet,
    Attribute,
    Swizzle,
    Header,
}

impl Analysis {
    /// What could stand at `offset`; nothing in comments, strings and numbers.
    pub fn completions(&self, request: &UnitRequest, path: &Arc<str>, offset: u32) -> Completions {
        let view = View::new(self, request);
        if let Some(found) = directives::directive(&view, path, offset) {
            return found;
        }
        let Some(cursor) = Cursor::new(&view, path, offset) else { return Completions::default() };
        let text = view.text(path).map_or(&[][..], |text| text);
        let prefix =
            String::from_utf8_lossy(&text[cursor.prefix.start as usize..cursor.prefix.end as usize]).into_owned();
        let is_code = view.file(path).is_some_and(|file| is_code(&view, file, cursor.prefix.start));
        if !is_code || prefix.starts_with(|first: char| first.is_ascii_digit()) {
            return Completions::default();
        }
        let sema = cursor.layer.sema(view.env);
        let expected = expected_types(&view, &cursor, &sema);
        let follows_call = text[cursor.prefix.end as usize..].trim_ascii_start().starts_with(b"(");
        let mut collector = Collector {
            sema,
            expected,
            view: &view,
            path,
            cursor: &cursor,
            prefix: prefix.to_ascii_lowercase(),
            follows_call,
            items: FxHashMap::default(),
            declared: FxHashMap::default(),
            is_incomplete: false,
            arrow: None,
        };
        collector.collect();
        collector.describe(&prefix.to_ascii_lowercase());
        let is_incomplete = collector.is_incomplete;
        let arrow = collector.arrow;
        let mut items: Vec<CompletionItem> = collector.items.into_values().collect();
        let lower = prefix.to_ascii_lowercase();
        items.sort_by(|a, b| {
            let key = |item: &CompletionItem| (!item.label.to_ascii_lowercase().starts_with(&lower), item.rank);
            key(a).cmp(&key(b)).then_with(|| a.label.cmp(&b.label))
        });
        let is_incomplete = is_incomplete || items.len() > MAX_ITEMS;
        items.truncate(MAX_ITEMS);
        Completions { replaced: cursor.prefix, items, is_incomplete, include: None, arrow }
    }

    /// The documentation of a declaration of the library, by the number that an item gave.
    pub fn library_documentation(&self, item: LibraryItem) -> Option<String> {
        let library = Library::with(FrameworkSet::from_bits(item.frameworks));
        let decl = DeclId(item.decl);
        if decl.0 >= library.ast().end().decls {
            return None;
        }
        let mut text = library.documentation(decl).unwrap_or_default();
        if let Some(header) = library.header(decl) {
            text.push_str(&format!("\n\n`<{}>`", header.header().name));
            let since = library.since(decl);
            // How old a framework's header is, is a matter of the system, not of the language.
            if header.header().visibility != Visibility::Framework || !since.is_always() {
                text.push_str(&format!(" · since Metal {since}"));
            }
        }
        Some(text.trim().to_owned())
    }
}

struct Collector<'a, 'v> {
    view: &'a View<'v>,
    path: &'a Arc<str>,
    cursor: &'a Cursor<'v>,
    sema: Sema<'a>,
    /// Types that would fit here; empty if nothing says.
    expected: Vec<Ty>,
    /// In lower case.
    prefix: String,
    /// An argument list follows already.
    follows_call: bool,
    /// By label.
    items: FxHashMap<String, CompletionItem>,
    /// Names with their rank and declarations. They are described when it is known which of them are offered, because
    /// there may be thousands.
    declared: FxHashMap<Name, (u8, SmallVec<[DeclRef; 2]>)>,
    is_incomplete: bool,
    arrow: Option<TextRange>,
}

impl Collector<'_, '_> {
    fn collect(&mut self) {
        let before = self.cursor.token_before(self.view, 0).copied();
        let kind = before.map(|token| token.kind);
        match kind {
            Some(TokenKind::Punct(Punct::Dot | Punct::Arrow)) => self.members(),
            Some(TokenKind::Punct(Punct::ColonColon)) => self.qualified(),
            _ if self.is_in_attribute() => self.attributes(),
            _ => self.scope(),
        }
    }

    fn wants(&self, label: &str) -> bool {
        // Letters in order, the first one first: what every editor takes for a match.
        let mut letters = label.bytes().map(|byte| byte.to_ascii_lowercase());
        let mut wanted = self.prefix.bytes();
        match wanted.next() {
            None => true,
            Some(first) => {
                let starts = letters.next() == Some(first);
                starts && wanted.all(|byte| letters.any(|letter| letter == byte))
            }
        }
    }

    fn add(&mut self, item: CompletionItem) {
        if self.wants(&item.label) {
            self.items.entry(item.label.clone()).or_insert(item);
        }
    }

    fn plain(&mut self, label: &str, kind: CompletionKind, detail: &str, rank: u8) {
        self.add(CompletionItem {
            label: label.to_owned(),
            kind,
            detail: detail.to_owned(),
            snippet: None,
            documentation: None,
            library: None,
            rank,
        });
    }

    /// Adds what a name is declared as; further declarations are further overloads.
    fn declared(&mut self, name: Name, decls: &[DeclRef], rank: u8) {
        let label = name.as_str();
        if decls.is_empty() {
            return;
        }
        // What is reserved for the compiler is for nobody to write.
        let is_reserved = label.starts_with("__")
            || label.starts_with('_') && !self.prefix.starts_with('_') && self.view.is_library(decls[0].decl);
        if is_reserved || !self.wants(label) {
            return;
        }
        self.declared.entry(name).or_insert_with(|| (rank, SmallVec::from_slice(decls)));
    }

    /// Makes items of the best of the declared names.
    fn describe(&mut self, prefix: &str) {
        let mut names: Vec<(bool, u8, Name)> = self
            .declared
            .iter()
            .map(|(&name, &(rank, _))| (!name.as_str().to_ascii_lowercase().starts_with(prefix), rank, name))
            .collect();
        names.sort_by(|a, b| (a.0, a.1, a.2.as_str()).cmp(&(b.0, b.1, b.2.as_str())));
        self.is_incomplete = names.len() > MAX_ITEMS;
        names.truncate(MAX_ITEMS);
        let is_documented = names.len() <= MAX_DOCUMENTED;
        for (_, rank, name) in names {
            if let Some((_, decls)) = self.declared.remove(&name) {
                self.describe_one(name, &decls, rank, is_documented);
            }
        }
    }

    fn describe_one(&mut self, name: Name, decls: &[DeclRef], rank: u8, is_documented: bool) {
        let label = name.as_str();
        let Some(&item) = decls.first() else { return };
        let Some(kind) = kind_of(&self.sema, item.decl) else { return };
        let is_library = self.view.is_library(item.decl);
        let is_function = matches!(self.sema.ast[item.decl].kind, DeclKind::Function(_));
        let detail = match &self.sema.ast[item.decl].kind {
            DeclKind::Function(_) => {
                let mut text = self.sema.spell_function(item);
                if decls.len() > 1 {
                    text.push_str(&format!(" (+{} overloads)", decls.len() - 1));
                }
                text
            }
            DeclKind::Variable(_) => {
                let facts = &self.cursor.layer.facts.variables;
                let ty = facts.get(&item.decl).copied().unwrap_or_else(|| self.sema.variable_type(item));
                let space = if ty.space == Space::Thread { Space::None } else { ty.space };
                self.sema.spell(QualTy { space, ..ty })
            }
            DeclKind::TypeAlias { .. } if self.sema.ast[item.decl].templates.is_empty() => {
                self.sema.spell(self.sema.alias_type(item))
            }
            DeclKind::Enumerator { .. } => {
                self.sema.enumerator_value(item).map(|value| value.to_string()).unwrap_or_default()
            }
            _ => String::new(),
        };
        let rank = if self.fits(decls) { rank } else { rank + OTHER_TYPE };
        let takes_nothing = is_function && decls.iter().all(|&item| self.sema.signature(item).params.is_empty());
        let snippet = (is_function && !self.follows_call).then(|| match takes_nothing {
            true => format!("{label}()$0"),
            false => format!("{label}($0)"),
        });
        let documentation = if is_library || !is_documented {
            None
        } else {
            documentation(self.view, &self.cursor.layer, &self.sema, item.decl)
        };
        self.items.insert(
            label.to_owned(),
            CompletionItem {
                label: label.to_owned(),
                kind: CompletionKind::Symbol(kind),
                detail,
                snippet,
                documentation,
                library: is_library
                    .then(|| LibraryItem { decl: item.decl.0, frameworks: self.view.env.library.frameworks().bits() }),
                rank,
            },
        );
    }

    /// Whether one of these has, or gives, a type that fits here.
    fn fits(&self, decls: &[DeclRef]) -> bool {
        self.expected.is_empty()
            || decls.iter().any(|&item| {
                let ty = match &self.sema.ast[item.decl].kind {
                    DeclKind::Variable(_) => {
                        let known = self.cursor.layer.facts.variables.get(&item.decl).copied();
                        known.unwrap_or_else(|| self.sema.variable_type(item))
                    }
                    DeclKind::Function(_) => self.sema.signature(item).ret,
                    DeclKind::Enumerator { .. } => match self.sema.enum_of(item.decl) {
                        Some(owner) => QualTy::plain(self.sema.enum_type(owner, item.bind)),
                        None => return false,
                    },
                    _ => return false,
                };
                self.expected.contains(&self.sema.strip_ref(ty).ty)
            })
    }

    /// Behind `.` or `->`.
    fn members(&mut self) {
        let Some(ty) = self.base_type() else { return };
        let is_arrow = self.cursor.token_before(self.view, 0).is_some_and(|token| token.is_punct(Punct::Arrow));
        let ty = self.sema.strip_ref(ty);
        let object = match self.sema.kind(ty.ty) {
            TyKind::Pointer(inner) if is_arrow => *inner,
            // A `.` behind a pointer is meant to be an arrow.
            TyKind::Pointer(inner) => {
                self.arrow = self.dot_before();
                if self.arrow.is_none() {
                    return;
                }
                *inner
            }
            _ => ty,
        };
        match *self.sema.kind(object.ty) {
            TyKind::Vector(scalar, width) | TyKind::Packed(scalar, width) => self.swizzles(scalar.name(), width),
            TyKind::Record(..) => self.members_of(object.ty, 0, 0),
            _ => {}
        }
    }

    /// The `.` in front of what is typed, if it stands there as it is.
    fn dot_before(&self) -> Option<TextRange> {
        let text = self.view.text(self.path)?;
        let before = text.get(..self.cursor.prefix.start as usize)?.trim_ascii_end();
        let end = before.strip_suffix(b".").map(<[u8]>::len)? as u32;
        Some(TextRange::new(end, end + 1))
    }

    /// The type of what stands before the `.`.
    fn base_type(&self) -> Option<QualTy> {
        let ast = self.cursor.layer.ast();
        let dot = self.cursor.token.checked_sub(1)?;
        let member = ast.own_exprs().find_map(|(_, expr)| match &expr.kind {
            ExprKind::Member { base, .. } if ast[*base].range.end == dot => Some(*base),
            _ => None,
        });
        if let Some(base) = member {
            let known = self.cursor.layer.facts.exprs.get(&base);
            let instances = || self.view.instances_of(&self.cursor.layer).find_map(|facts| facts.exprs.get(&base));
            let info = known.filter(|info| !self.sema.store().is_dependent(info.ty.ty)).or_else(instances).or(known)?;
            return Some(info.ty);
        }
        // Code so broken that there is no expression: a variable alone can still be looked up.
        let name = self.cursor.token_before(self.view, 1).filter(|token| token.kind == TokenKind::Ident)?.name;
        let cx = self.cursor.cx(self.view, &self.sema);
        let item = *self.sema.lookup(Key::Name(name), cx).items.first()?;
        matches!(self.sema.ast[item.decl].kind, DeclKind::Variable(_)).then(|| {
            let facts = &self.cursor.layer.facts.variables;
            facts.get(&item.decl).copied().unwrap_or_else(|| self.sema.variable_type(item))
        })
    }

    fn swizzles(&mut self, scalar: &str, width: u8) {
        let width = usize::from(width.min(4));
        for (rank, set) in ["xyzw", "rgba"].iter().enumerate() {
            let set = &set[..width];
            for at in 0..set.len() {
                self.plain(&set[at..=at], CompletionKind::Swizzle, scalar, rank as u8);
            }
            for length in 2..=set.len() {
                for start in 0..=set.len() - length {
                    let detail = format!("{scalar}{length}");
                    self.plain(&set[start..start + length], CompletionKind::Swizzle, &detail, 2 + rank as u8);
                }
            }
        }
    }

    fn members_of(&mut self, class: Ty, rank: u8, depth: u8) {
        let Some(info) = self.sema.record_info(class) else { return };
        if let Some(scope) = info.scope {
            let names: Vec<Name> = self.sema.ast[scope].names.keys().copied().collect();
            for name in names {
                let members = self.sema.members(class, name);
                let is_member = |item: &&DeclRef| {
                    matches!(self.sema.ast[item.decl].kind, DeclKind::Variable(_) | DeclKind::Function(_))
                };
                let items: Vec<DeclRef> = members.items.iter().filter(is_member).copied().collect();
                self.declared(name, &items, rank);
            }
        }
        if depth < 16 {
            for &base in &info.bases {
                self.members_of(base, rank + 1, depth + 1);
            }
        }
    }

    /// Behind `::`.
    fn qualified(&mut self) {
        // The names before, outermost last: `c::b::a::`.
        let mut segments = Vec::new();
        let mut back = 0;
        let mut global = false;
        loop {
            let is_colons = self.cursor.token_before(self.view, back).is_some_and(|it| it.is_punct(Punct::ColonColon));
            if !is_colons {
                break;
            }
            match self.cursor.token_before(self.view, back + 1) {
                Some(token) if token.kind == TokenKind::Ident => {
                    let name = UnqualName::Ident(token.name);
                    segments.push(Segment { name, args: None, token: 0, template_keyword: false });
                    back += 2;
                }
                _ => {
                    global = true;
                    break;
                }
            }
        }
        segments.reverse();
        let count = segments.len();
        let path = Path { global, decltype: None, segments: segments.into() };
        let cx = self.cursor.cx(self.view, &self.sema);
        match self.sema.resolve_container(&path, count, cx) {
            Container::Namespace(scope) => self.namespace(scope, &cx, 0),
            Container::Record(class) => {
                let Some(scope) = self.sema.record_info(class).and_then(|info| info.scope) else { return };
                self.names_of(scope, &cx, BindId::NONE, 0);
            }
            Container::Enum(decl, bind) => {
                if let Some(scope) = self.sema.enum_scope(decl) {
                    self.names_of(scope, &cx, bind, 0);
                }
            }
            Container::Dependent | Container::Unknown => {}
        }
    }

    fn namespace(&mut self, scope: ScopeId, cx: &Cx, rank: u8) {
        let mut part = Some(self.sema.ast.newest(scope));
        while let Some(id) = part {
            self.names_of(id, cx, BindId::NONE, rank);
            part = self.sema.ast[id].extends;
        }
    }

    fn names_of(&mut self, scope: ScopeId, cx: &Cx, bind: BindId, rank: u8) {
        let names: Vec<Name> =
            self.sema.ast[scope].names.keys().copied().filter(|name| self.wants(name.as_str())).collect();
        for name in names {
            let items: Vec<DeclRef> = self.sema.ast[scope]
                .get(name)
                .iter()
                .filter(|&&decl| {
                    let limit = if self.sema.is_local(decl) { cx.before_local } else { cx.before };
                    decl.0 < limit && self.sema.exists(decl) && has_name(&self.sema.ast[decl])
                })
                .map(|&decl| DeclRef { decl, bind })
                .collect();
            let is_library = items.first().is_some_and(|item| self.view.is_library(item.decl));
            self.declared(name, &items, if is_library { 8 } else { rank });
        }
    }

    /// Everything that a name alone could mean.
    fn scope(&mut self) {
        let cx = self.cursor.cx(self.view, &self.sema);
        let mut rank = 0;
        let mut current = Some(cx.scope);
        let mut nominated: FxHashSet<ScopeId> = FxHashSet::default();
        while let Some(scope) = current {
            let data = &self.sema.ast[scope];
            match data.kind {
                ScopeKind::Namespace | ScopeKind::Global => {
                    self.namespace(scope, &cx, 5);
                    self.directives(scope, &cx, &mut nominated);
                }
                ScopeKind::Record => {
                    match cx
                        .class
                        .filter(|&class| self.sema.record_info(class).is_some_and(|info| info.scope == Some(scope)))
                    {
                        Some(class) => self.members_of(class, 3, 0),
                        None => self.names_of(scope, &cx, BindId::NONE, 3),
                    }
                    self.names_of(scope, &cx, BindId::NONE, 4);
                }
                _ => {
                    self.names_of(scope, &cx, cx.bind, rank);
                    self.directives(scope, &cx, &mut nominated);
                    rank = (rank + 1).min(2);
                }
            }
            current = self.sema.ast[scope].parent;
        }
        self.macros();
        let is_in_body = self.cursor.layer.body.is_some();
        for (words, rank) in [(if is_in_body { STATEMENT_WORDS } else { DECLARATION_WORDS }, 6), (TYPE_WORDS, 7)] {
            for word in words {
                self.plain(word, CompletionKind::Keyword, "", rank);
            }
        }
        for (label, detail, snippet) in if is_in_body { STATEMENT_SNIPPETS } else { DECLARATION_SNIPPETS } {
            self.snippet(label, detail, snippet);
        }
        // Kernels have tables since 2.3 (MSL spec §2.15).
        if !is_in_body && self.view.env.version.at_least(2, 3) {
            self.snippet(
                "visible function with table",
                "a visible function, a table of its type, and a call",
                VISIBLE_FUNCTION_SNIPPET,
            );
        }
    }

    fn snippet(&mut self, label: &str, detail: &str, snippet: &str) {
        self.add(CompletionItem {
            label: label.to_owned(),
            kind: CompletionKind::Snippet,
            detail: detail.to_owned(),
            snippet: Some(snippet.to_owned()),
            documentation: None,
            library: None,
            rank: 6,
        });
    }

    /// What `using namespace` brings in.
    fn directives(&mut self, scope: ScopeId, cx: &Cx, nominated: &mut FxHashSet<ScopeId>) {
        let mut part = Some(scope);
        while let Some(id) = part {
            let targets: Vec<ScopeId> = self.sema.ast[id]
                .using_directives
                .iter()
                .filter(|directive| {
                    let limit = if self.sema.is_local(directive.at) { cx.before_local } else { cx.before };
                    directive.at.0 < limit
                })
                .filter_map(|directive| {
                    directive.target.or_else(|| {
                        let path = directive.path.as_ref()?;
                        match self.sema.resolve_container(path, path.segments.len(), Cx { scope: id, ..*cx }) {
                            Container::Namespace(target) => Some(target),
                            _ => None,
                        }
                    })
                })
                .collect();
            for target in targets {
                if nominated.insert(target) {
                    self.namespace(target, cx, 5);
                    self.directives(self.sema.ast.newest(target), cx, nominated);
                }
            }
            part = self.sema.ast[id].extends;
        }
    }

    fn macros(&mut self) {
        let definitions: Vec<Arc<msl_preproc::MacroDef>> = self
            .view
            .preprocessed
            .macro_table
            .iter()
            .filter(|definition| {
                let name = definition.name.as_str();
                // Before anything is typed, the library's many constants would hide the rest.
                !name.starts_with("__") && self.wants(name) && (is_own(definition) || !self.prefix.is_empty())
            })
            .cloned()
            .collect();
        for definition in definitions {
            let label = definition.name.to_string();
            let is_function = definition.kind == MacroKind::Function;
            let names: Vec<&str> = definition.parameters.iter().map(|name| name.as_str()).collect();
            self.add(CompletionItem {
                snippet: (is_function && !self.follows_call).then(|| format!("{label}($0)")),
                detail: if is_function { format!("#define ({})", names.join(", ")) } else { "#define".to_owned() },
                kind: CompletionKind::Symbol(SymbolKind::Macro),
                documentation: None,
                library: None,
                rank: if is_own(&definition) { 5 } else { 9 },
                label,
            });
        }
    }

    /// Whether the cursor is between `[[` and `]]`.
    fn is_in_attribute(&self) -> bool {
        let mut depth = 0usize;
        for back in 0..200 {
            let Some(token) = self.cursor.token_before(self.view, back) else { return false };
            let TokenKind::Punct(punct) = token.kind else { continue };
            match punct {
                Punct::RParen | Punct::RBracket => depth += 1,
                Punct::LBracket if depth == 0 => {
                    return self
                        .cursor
                        .token_before(self.view, back + 1)
                        .is_some_and(|it| it.is_punct(Punct::LBracket));
                }
                // The argument of an attribute is no place for attributes.
                Punct::LParen if depth == 0 => return false,
                Punct::LParen | Punct::LBracket => depth -= 1,
                Punct::Semi | Punct::LBrace | Punct::RBrace => return false,
                _ => {}
            }
        }
        false
    }

    fn attributes(&mut self) {
        let (roles, stages) = self.attribute_place();
        for info in attribute_table() {
            let version = self.view.env.version;
            let fits = info.uses.iter().any(|one| {
                roles.contains(&one.role)
                    && one.since().includes(version)
                    && (one.stages == Stages::NONE || one.stages.intersects(stages))
            });
            if fits {
                self.add(attribute_item(info));
            }
        }
    }

    /// What an attribute at the cursor would stand on.
    fn attribute_place(&self) -> (&'static [Role], Stages) {
        if self.cursor.layer.body.is_some() {
            return (&[Role::Statement], Stages::ALL);
        }
        let ast = self.cursor.layer.ast();
        let at = self.cursor.token;
        let mut inner: Option<(u32, &'static [Role], Stages)> = None;
        for (decl, data) in ast.own_decls() {
            // The cursor may be behind the last token that belongs to the declaration.
            if !(data.range.start < at && at <= data.range.end + 2) {
                continue;
            }
            let size = data.range.end - data.range.start;
            let place: Option<(&'static [Role], Stages)> = match &data.kind {
                DeclKind::Variable(variable) => match variable.kind {
                    VariableKind::Param => {
                        let owner = self.sema.ast[data.scope].owner;
                        let stage = owner.and_then(|owner| self.sema.stage_of(owner));
                        Some((PARAMETER, stage.map_or(Stages::ALL, stages_of)))
                    }
                    VariableKind::Field => Some((FIELD, Stages::ALL)),
                    _ => Some((GLOBAL, Stages::ALL)),
                },
                DeclKind::Function(function) => {
                    let is_in_parameters = self.sema.ast[decl].name_token + 1 < at
                        && matches!(&self.sema.ast[function.ty].kind, TypeKind::Function(_));
                    let stage = self.sema.stage_of(decl).map_or(Stages::ALL, stages_of);
                    Some(if is_in_parameters { (PARAMETER, stage) } else { (FUNCTION, Stages::ALL) })
                }
                DeclKind::Record(_) => Some((FIELD, Stages::ALL)),
                _ => None,
            };
            if let Some((roles, stages)) = place
                && inner.is_none_or(|(smallest, ..)| size <= smallest)
            {
                inner = Some((size, roles, stages));
            }
        }
        match inner {
            Some((_, roles, stages)) => (roles, stages),
            None => (FUNCTION, Stages::ALL),
        }
    }
}

/// Whether a macro is the user's.
fn is_own(definition: &msl_preproc::MacroDef) -> bool {
    definition.file.is_real() && msl_builtins::HeaderId::from_file(definition.file).is_none()
}

const PARAMETER: &[Role] = &[Role::Input, Role::Binding, Role::FunctionConstant];
const FIELD: &[Role] = &[Role::Member, Role::Input, Role::Output, Role::Interpolation, Role::FunctionConstant];
const FUNCTION: &[Role] = &[Role::Qualifier, Role::Function, Role::Output];
const GLOBAL: &[Role] = &[Role::Global, Role::Binding, Role::FunctionConstant, Role::Qualifier, Role::Function];

fn stages_of(stage: Stage) -> Stages {
    match stage {
        Stage::Vertex => Stages::ANY_VERTEX,
        Stage::Fragment => Stages::FRAGMENT,
        Stage::Kernel => Stages::KERNEL,
        Stage::Object => Stages::OBJECT,
        Stage::Mesh => Stages::MESH,
        Stage::Intersection => Stages::INTERSECTION,
    }
}

fn attribute_item(info: &AttributeInfo) -> CompletionItem {
    let snippet = match info.args {
        Args::None | Args::OptionalType => None,
        Args::String | Args::Strings => Some(format!("{}(\"$1\")$0", info.name)),
        _ => Some(format!("{}($1)$0", info.name)),
    };
    CompletionItem {
        label: info.name.to_owned(),
        kind: CompletionKind::Attribute,
        detail: attributes::spell_arguments(info.args),
        snippet,
        documentation: Some(info.doc.to_owned()),
        library: None,
        rank: 0,
    }
}
