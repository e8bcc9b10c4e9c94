//! Programs that use the library, one a family: they parse without findings, and every name that they call is known
//! in the version that their first line gives.

use std::sync::Arc;

use expect_test::expect;
use msl_builtins::{Library, is_compiler_function, lookup_include};
use msl_intern::Name;
use msl_parser::ast::{Ast, DeclId, DeclKind, ExprKind, FunctionBody, Path};
use msl_parser::lookup::{NameClass, lookup_path};
use msl_parser::{parse_body, parse_decls, split};
use msl_preproc::{FileId, Include, IncludeRequest, LanguageVersion, Options, SourceProvider, preprocess};

struct OneFile(Arc<[u8]>);

impl SourceProvider for OneFile {
    fn text(&self, _file: FileId) -> Option<Arc<[u8]>> {
        Some(Arc::clone(&self.0))
    }

    fn resolve_include(&self, request: &IncludeRequest<'_>) -> Include {
        let spelling = std::str::from_utf8(request.spelling).unwrap_or_default();
        lookup_include(spelling).map_or(Include::NotFound, |_| Include::Library(Name::new(spelling)))
    }
}

/// The findings and the unknown names of a program.
fn problems(text: &str) -> Vec<String> {
    let library = Library::get();
    let version = text.lines().next().and_then(|line| line.strip_prefix("// std: ")).unwrap_or("metal4.0");
    let version = LanguageVersion::parse(version).expect("the first line gives a version");
    let mut options = Options::new(version);
    options.library_macros = Some(library.macros(version));
    let unit = preprocess(FileId(0), &OneFile(text.as_bytes().into()), &options);
    let mut problems: Vec<String> = unit.diagnostics.iter().map(|diagnostic| diagnostic.message.clone()).collect();
    let stream = split(&unit.tokens);
    let parsed = parse_decls(Some(Arc::clone(library.ast())), &stream.tokens);
    problems.extend(parsed.diagnostics.iter().map(|diagnostic| diagnostic.message.clone()));
    let ast = Arc::new(parsed.ast);
    for (id, decl) in ast.own_decls() {
        let DeclKind::Function(function) = &decl.kind else { continue };
        let FunctionBody::Deferred(body) = function.body else { continue };
        let tokens =
            &unit.tokens[stream.bodies[body as usize].start as usize..stream.bodies[body as usize].end as usize];
        let body = parse_body(Arc::clone(&ast), &stream.tokens, id, tokens);
        problems.extend(body.diagnostics.iter().map(|diagnostic| diagnostic.message.clone()));
        for (_, expr) in body.ast.own_exprs() {
            if let ExprKind::Call { callee, .. } = expr.kind
                && let ExprKind::Path(path) = &body.ast[callee].kind
                && let Some(problem) = unknown_callee(&body.ast, function.scope, path, version)
            {
                problems.push(problem);
            }
        }
    }
    problems
}

/// Why a called name means nothing in a version, if so.
fn unknown_callee(ast: &Ast, scope: msl_parser::ast::ScopeId, path: &Path, version: LanguageVersion) -> Option<String> {
    let name = path.last()?.name.ident()?;
    let is_local =
        |decl: &DeclKind| matches!(decl, DeclKind::Variable(variable) if variable.name.ident() == Some(name));
    if is_compiler_function(name.as_str()) || ast.own_decls().any(|(_, decl)| is_local(&decl.kind)) {
        return None;
    }
    let mut found = Vec::new();
    let class = lookup_path(ast, scope, path, DeclId(u32::MAX), &mut found);
    if class == NameClass::Dependent {
        return None;
    }
    if found.is_empty() {
        return Some(format!("nothing is called `{}`", name.as_str()));
    }
    let exists = found.iter().any(|&decl| Library::get().exists_in(decl, version));
    (!exists).then(|| format!("`{}` does not exist in {version}", name.as_str()))
}

#[test]
fn programs_find_what_they_call() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/usage");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 20);
    let mut text = String::new();
    for file in files {
        let program = std::fs::read_to_string(&file).unwrap();
        for problem in problems(&program) {
            text.push_str(&format!("{}: {problem}\n", file.file_name().unwrap().to_string_lossy()));
        }
    }
    expect![""].assert_eq(&text);
}

#[test]
fn names_appear_with_their_version() {
    let program = |version: &str, call: &str| {
        problems(&format!(
            "// std: {version}\n#include <metal_stdlib>\nusing namespace metal;\nkernel void k() {{ {call}; }}\n"
        ))
    };
    assert_eq!(program("metal3.1", "nextafter(1.0f, 2.0f)"), Vec::<String>::new());
    assert_eq!(program("metal3.0", "nextafter(1.0f, 2.0f)"), ["`nextafter` does not exist in metal3.0"]);
    assert_eq!(program("metal3.0", "sine(1.0f)"), ["nothing is called `sine`"]);
    assert_eq!(program("metal3.0", "metal::precise::sin(M_PI_F)"), Vec::<String>::new());
}
