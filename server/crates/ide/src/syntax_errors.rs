//! Findings of the phases that know no names: preprocessor and parser.

use msl_builtins::{Library, LibraryInclude, comes_with_compiler, lookup_include};
use msl_db::{BodyPlace, Db, Unit, library_of, parse_inline_body, parsed_body, parsed_decls, preprocessed, split_unit};
use msl_diagnostics::{Code, Diagnostic, Fix, FixKind, Related, Severity, TextEdit};
use msl_intern::Name;
use msl_parser::{SyntaxDiagnostic, SyntaxErrorKind};
use msl_parser::{
    ast::{DeclId, DeclKind, TokenRange},
    lookup,
};
use msl_preproc::{DiagnosticKind, Include, LanguageVersion, Punct, TokenKind};
use msl_ty::environment;

use crate::{
    places::{Places, TokenPlaces},
    report::UnitReport,
};

/// Adds what the preprocessor found, and what is missing because of it.
pub(crate) fn preprocessor(db: &dyn Db, unit: Unit, report: &mut UnitReport) {
    let preprocessed = preprocessed(db, unit);
    let places = Places { shared: db.shared(), preprocessed, root: unit.root(db).path(db) };
    for file in preprocessed.map.files() {
        if let Some(path) = db.shared().path(file)
            && !report.files.contains(path)
        {
            report.files.push(path.clone());
        }
    }
    // In no particular order so far; the root stays first.
    report.files[1..].sort();
    for finding in &preprocessed.diagnostics {
        let (code, severity) = match finding.kind {
            DiagnosticKind::SyntaxError => (Code::SyntaxError, Severity::Error),
            DiagnosticKind::PreprocessorError => (Code::PreprocessorError, Severity::Error),
            DiagnosticKind::Warning => (Code::PreprocessorWarning, Severity::Warning),
            DiagnosticKind::IncludeNotFound => (Code::IncludeNotFound, Severity::Error),
            DiagnosticKind::SdkHeader => (Code::FrameworkNotFound, Severity::Information),
            DiagnosticKind::Limit => (Code::LimitReached, Severity::Warning),
        };
        let tokens_are_missing =
            matches!(finding.kind, DiagnosticKind::IncludeNotFound | DiagnosticKind::SdkHeader | DiagnosticKind::Limit);
        if tokens_are_missing {
            report.incomplete.push(finding.message.clone());
        }
        let place = places.between(finding.range.clone());
        let mut diagnostic = Diagnostic::new(code, severity, place, finding.message.clone());
        if code == Code::FrameworkNotFound {
            diagnostic.message.push_str(
                "; what may rest on it is not judged: give the folder of its framework with `-F`, or with `frameworks` in \
                 msl-analyzer.toml",
            );
        }
        diagnostic.related.extend(finding.notes.iter().map(|note| Related {
            place: places.in_file(note.file, note.range.clone()),
            message: note.message.clone(),
        }));
        report.diagnostics.push(diagnostic);
    }
    for include in &preprocessed.includes {
        if let Include::Library(name) = include.target
            && let Some(LibraryInclude::Standard { instead }) = lookup_include(name.as_str())
            && !comes_with_compiler(name.as_str())
        {
            let place = places.in_file(include.file, include.name_range.clone());
            let repair = match instead {
                Some(header) => format!("what Metal has of it is in `<{header}>`"),
                None => "Metal has nothing of it".to_owned(),
            };
            let message = format!(
                "`<{name}>` is a header of C++'s library, which Metal does not have: {repair} (MSL spec §1.5.4)"
            );
            let mut diagnostic = Diagnostic::new(Code::StandardHeader, Severity::Warning, place.clone(), message);
            if let Some(header) = instead {
                let edits = vec![TextEdit { place, new_text: format!("<{header}>") }];
                let title = format!("include `<{header}>`");
                diagnostic.fixes.push(Fix { title, kind: FixKind::QuickFix, preferred: true, edits });
            }
            report.diagnostics.push(diagnostic);
        }
    }
}

/// Adds what the parser found in declarations and in each body.
pub(crate) fn parser(db: &dyn Db, unit: Unit, report: &mut UnitReport) {
    let tree = parsed_decls(db, unit);
    let places = TokenPlaces::of(db, unit);
    let library = library_of(db, unit);
    let mut add = |body: Option<BodyPlace>, findings: &[SyntaxDiagnostic]| {
        for finding in findings {
            let (code, severity) = match finding.kind {
                SyntaxErrorKind::UnknownType(_) => (Code::UndeclaredIdentifier, Severity::Error),
                SyntaxErrorKind::TooDeep => (Code::LimitReached, Severity::Warning),
                SyntaxErrorKind::Expected
                | SyntaxErrorKind::ReservedWord(_)
                | SyntaxErrorKind::Unbalanced
                | SyntaxErrorKind::Misplaced => (Code::SyntaxError, Severity::Error),
            };
            if code == Code::LimitReached {
                report.incomplete.push(finding.message.clone());
            }
            let message = finding.message.clone();
            let mut diagnostic = places.diagnostic(body, code, severity, finding.range, message, &finding.related);
            if let SyntaxErrorKind::UnknownType(name) = finding.kind {
                let unknown = UnknownType { name, range: finding.range, body, version: unit.options(db).version };
                let qualifier = unknown.qualifier(&places);
                if library.may_declare(&qualifier, name) {
                    continue;
                }
                unknown.explain(&places, &qualifier, &mut diagnostic);
                if diagnostic.fixes.is_empty()
                    && let Some(close) = environment(db, unit).close_type(name)
                    && let Some(place) = places.editable(body, finding.range, false)
                {
                    diagnostic.message.push_str(&format!("; did you mean `{close}`?"));
                    let edits = vec![TextEdit { place, new_text: close.to_string() }];
                    let title = format!("write `{close}`");
                    diagnostic.fixes.push(Fix { title, kind: FixKind::QuickFix, preferred: true, edits });
                }
            }
            diagnostic.fixes.extend(missing_semicolon(&places, body, finding));
            report.diagnostics.push(diagnostic);
        }
    };
    add(None, &tree.diagnostics);
    let bodies = split_unit(db, unit).bodies(db);
    for of in &tree.functions {
        match of.body {
            BodyPlace::Deferred(number) => {
                if let Some(parsed) = bodies.get(number as usize).and_then(|&body| parsed_body(db, body).as_ref()) {
                    add(Some(of.body), &parsed.diagnostics);
                }
            }
            BodyPlace::Inline(range) => {
                let parsed = parse_inline_body(db, unit, of.function, range);
                add(Some(of.body), &parsed.diagnostics);
            }
        }
    }
}

/// The repair of a `;` that is missing at the end of a line. Elsewhere something else may be wrong.
fn missing_semicolon(places: &TokenPlaces<'_>, body: Option<BodyPlace>, finding: &SyntaxDiagnostic) -> Option<Fix> {
    if finding.kind != SyntaxErrorKind::Expected || !finding.message.starts_with("expected `;`") {
        return None;
    }
    let token = finding.range.start;
    let place = places.editable(body, TokenRange::new(token, token), true)?;
    let text = places.places.preprocessed.map.text(places.places.shared.file_id(&place.path))?;
    let line = text[place.range.start as usize..].split(|&byte| byte == b'\n').next()?.trim_ascii();
    if !line.is_empty() && !line.starts_with(b"//") {
        return None;
    }
    let edits = vec![TextEdit { place, new_text: ";".to_owned() }];
    Some(Fix { title: "Add `;`".to_owned(), kind: FixKind::QuickFix, preferred: true, edits })
}

/// A name that stands where only a type can, and is none.
struct UnknownType {
    name: Name,
    range: TokenRange,
    body: Option<BodyPlace>,
    version: LanguageVersion,
}

impl UnknownType {
    /// Names the type as it is written, and says where the library has it.
    fn explain(&self, places: &TokenPlaces<'_>, qualifier: &[Name], diagnostic: &mut Diagnostic) {
        let name = self.name;
        let spelled: String = qualifier.iter().map(|part| format!("{part}::")).collect();
        diagnostic.message = format!("nothing declares a type `{spelled}{name}`");
        if !qualifier.is_empty() || !self.is_in_library() {
            return;
        }
        diagnostic.message = format!(
            "nothing declares a type `{name}` here, but the library has `metal::{name}`: write that, or `using namespace metal;`"
        );
        if let Some(place) = places.editable(self.body, TokenRange::new(self.range.start, self.range.start), false) {
            diagnostic.fixes.push(Fix {
                title: format!("write `metal::{name}`"),
                kind: FixKind::QuickFix,
                preferred: true,
                edits: vec![TextEdit { place, new_text: "metal::".to_owned() }],
            });
        }
    }

    /// The names that are written before the name, the outermost first.
    fn qualifier(&self, places: &TokenPlaces<'_>) -> Vec<Name> {
        let tokens = &places.places.preprocessed.tokens;
        let first = places.first(self.body, self.range.start).unwrap_or(tokens.len());
        let path = tokens[first.min(tokens.len())..]
            .iter()
            .take_while(|token| token.kind == TokenKind::Ident || token.is_punct(Punct::ColonColon));
        let path: Vec<_> = path.collect();
        // Up to the last `::`; the name itself follows.
        let end = path.iter().rposition(|token| token.is_punct(Punct::ColonColon)).unwrap_or(0);
        path[..end].iter().filter(|token| token.kind == TokenKind::Ident).map(|token| token.name).collect()
    }

    fn is_in_library(&self) -> bool {
        let library = Library::get();
        let ast = library.ast();
        let metal = ast[library.global_scope()].get(Name::new("metal")).iter().find_map(|&decl| match ast[decl].kind {
            DeclKind::Namespace { scope, .. } => Some(scope),
            _ => None,
        });
        let Some(metal) = metal else { return false };
        let mut found = Vec::new();
        lookup::lookup_qualified(ast, metal, self.name, DeclId(u32::MAX), &mut found);
        found.retain(|&decl| library.exists_in(decl, self.version));
        lookup::classify(ast, &found).is_type()
    }
}
