//! How layers are numbered, and what one sees of another.

use std::sync::Arc;

use msl_parser::ast::{DeclId, DeclKind, ExprKind, TokenRange, UnqualName};
use msl_parser::lookup::{self, NameClass, QualifierScope};
use msl_parser::{parse_body, parse_decls, split};

use crate::support::{library, tokens_of};

#[test]
fn numbers_continue_those_of_the_layer_below() {
    let library = library();
    let end = library.end();
    let tokens = tokens_of("int x; void f() { x = 1; }");
    let stream = split(&tokens);
    let unit = parse_decls(Some(Arc::clone(&library)), &stream.tokens);
    assert_eq!(unit.ast.start(), end);
    assert_eq!(unit.ast.end().tokens, end.tokens + stream.tokens.len() as u32);
    let x = unit.decls[0];
    assert_eq!(x, DeclId(end.decls));
    assert_eq!(unit.ast[x].range, TokenRange::new(end.tokens, end.tokens + 3));
    assert_eq!(unit.ast[x].name_token, end.tokens + 1);

    let unit = Arc::new(unit.ast);
    let f = DeclId(end.decls + 1);
    let body = &tokens[stream.bodies[0].start as usize..stream.bodies[0].end as usize];
    let parsed = parse_body(Arc::clone(&unit), &stream.tokens, f, body);
    assert_eq!(parsed.ast.start(), unit.end());
    assert_eq!(parsed.ast[parsed.root].range, TokenRange::new(unit.end().tokens, unit.end().tokens + 6));
    let (_, first) = parsed.ast.own_exprs().next().expect("the body has expressions");
    assert!(matches!(first.kind, ExprKind::Path(_)));
    assert_eq!(first.range, TokenRange::new(unit.end().tokens + 1, unit.end().tokens + 2));
}

#[test]
fn member_initialisers_are_numbered_as_tokens_of_the_unit() {
    let tokens = tokens_of("struct S { int a; S() : a(7) { a = 1; } };");
    let stream = split(&tokens);
    let unit = parse_decls(None, &stream.tokens);
    assert_eq!(unit.diagnostics, []);
    let unit = Arc::new(unit.ast);
    let constructor = unit
        .own_decls()
        .find(|(_, decl)| matches!(decl.kind, DeclKind::Function(_)))
        .map(|(decl, _)| decl)
        .expect("there is a constructor");
    let body = &tokens[stream.bodies[0].start as usize..stream.bodies[0].end as usize];
    let parsed = parse_body(Arc::clone(&unit), &stream.tokens, constructor, body);
    let [init] = &*parsed.inits else { panic!("one initialiser") };
    let text: Vec<&str> =
        (init.range.start..init.range.end).map(|token| stream.tokens[token as usize].text()).collect();
    assert_eq!(text, ["a", "(", "7", ")"]);
}

#[test]
fn a_namespace_continues_across_layers() {
    let library = library();
    let tokens = tokens_of(
        "namespace metal { struct Mine {}; inline namespace deep { struct Inner {}; } float dot(int a); }
         metal::Mine a; Mine b; metal::Inner c; float3 d; metal::float3 e; namespace m = metal; m::Mine f; m::float3 g;",
    );
    let unit = parse_decls(Some(library), &tokens);
    assert_eq!(unit.diagnostics, []);
    let mut found = Vec::new();
    lookup::lookup_unqualified(&unit.ast, unit.global, name("dot"), unit.ast.next_decl(), &mut found);
    assert_eq!(found.len(), 2, "the overloads of both layers");
    assert!(found[0] < found[1]);
}

#[test]
fn lookup_respects_the_point_of_declaration() {
    let tokens = tokens_of("int x; namespace n { int x; int y; } using namespace n; int z;");
    let unit = parse_decls(None, &tokens);
    let at = |text: &str, before: u32| {
        let mut found = Vec::new();
        lookup::lookup_unqualified(&unit.ast, unit.global, name(text), DeclId(before), &mut found);
        found
    };
    assert_eq!(at("x", 0), []);
    assert_eq!(at("x", 1), [DeclId(0)]);
    // Behind the directive both are found.
    assert_eq!(at("x", 100), [DeclId(0), DeclId(2)]);
    assert_eq!(at("y", 4), [], "the directive is not in force yet");
    assert_eq!(at("y", 100), [DeclId(3)]);
}

#[test]
fn paths_resolve_through_aliases_and_specialisations() {
    let tokens = tokens_of(
        "template <typename T> struct Traits; template <> struct Traits<int> { using type = float; static constexpr int n = 1; };
         struct Base { int inherited; enum Kind { A }; }; struct S : Base { struct In { int deep; }; }; using Alias = S; typedef Alias Again;
         using I = Traits<int>;",
    );
    let unit = parse_decls(None, &tokens);
    assert_eq!(unit.diagnostics, []);
    let resolve = |source: &str| {
        let mut tokens = tokens.clone();
        tokens.extend(tokens_of(&format!("using Probe = {source};")));
        let unit = parse_decls(None, &tokens);
        let last = *unit.decls.last().expect("the probe");
        let DeclKind::TypeAlias { ty, .. } = unit.ast[last].kind else { panic!("an alias") };
        let msl_parser::ast::TypeKind::Path { path, .. } = unit.ast[ty].kind.clone() else { panic!("a path") };
        let mut found = Vec::new();
        let class = lookup::lookup_path(&unit.ast, unit.global, &path, last, &mut found);
        (class, found.len())
    };
    assert_eq!(resolve("Again::In"), (NameClass::Type, 1));
    assert_eq!(resolve("Again::Kind"), (NameClass::Type, 1));
    assert_eq!(resolve("Traits<int>::type"), (NameClass::Type, 1));
    assert_eq!(resolve("I::type"), (NameClass::Type, 1));
    assert_eq!(resolve("Again"), (NameClass::Type, 1));
    let alias = unit.decls.iter().copied().find(
        |&decl| matches!(&unit.ast[decl].kind, DeclKind::TypeAlias { name: found, .. } if *found == name("Again")),
    );
    let QualifierScope::Scope(scope) = lookup::scope_of_decl(&unit.ast, alias.expect("declared")) else {
        panic!("a class's scope")
    };
    let mut found = Vec::new();
    lookup::lookup_qualified(&unit.ast, scope, name("inherited"), unit.ast.next_decl(), &mut found);
    assert_eq!(found.len(), 1, "a member of the base");
}

#[test]
fn cyclic_declarations_end() {
    for source in [
        "struct A : A { A a; }; A::x y;",
        "typedef A A; typedef A A; typedef A A; A::x y;",
        "using a::b; namespace a { using ::b; using a::b; } b c; a::b::d e;",
        "namespace a = b; namespace b = a; a::x y; using namespace a; using namespace b; z w;",
        "struct A; struct B : A { }; struct A : B { }; void A::f() { g x; } B::q r;",
        "template <typename T> struct A : A<A<T>> { typename A<T>::type x; }; A<int>::type y;",
    ] {
        let _ = crate::support::analyse(source);
    }
}

#[test]
fn unnamed_parameters_and_missing_names_are_not_declared() {
    let tokens = tokens_of("void f(int, float);");
    let unit = parse_decls(None, &tokens);
    for (_, decl) in unit.ast.own_decls() {
        if let DeclKind::Variable(variable) = &decl.kind {
            assert_eq!(variable.name, UnqualName::Missing);
        }
    }
}

fn name(text: &str) -> msl_intern::Name {
    msl_intern::Name::new(text)
}
