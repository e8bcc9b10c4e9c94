//! The library as the layers above see it: places, versions, descriptions, overload families.

use expect_test::{Expect, expect};
use msl_builtins::{FrameworkSet, HeaderId, Library, Visibility, headers};
use msl_intern::Name;
use msl_parser::ast::{Ast, DeclId, DeclKind, ScopeId};
use msl_preproc::LanguageVersion;

/// The declarations with a name like `metal::fast::sin`.
fn find(path: &str) -> Vec<DeclId> {
    let library = Library::get();
    let ast = library.ast();
    let mut found: Vec<DeclId> = Vec::new();
    let mut scope = Some(library.global_scope());
    for name in path.split("::") {
        found = scope.map(|scope| ast[scope].get(Name::new(name)).to_vec()).unwrap_or_default();
        scope = found.iter().find_map(|&decl| member_scope(ast, decl));
    }
    assert!(!found.is_empty(), "{path}");
    found
}

fn member_scope(ast: &Ast, decl: DeclId) -> Option<ScopeId> {
    match &ast[decl].kind {
        DeclKind::Namespace { scope, .. } => Some(*scope),
        DeclKind::Record(record) => record.scope,
        DeclKind::Enum(declared) => declared.scope,
        _ => None,
    }
}

fn version(text: &str) -> LanguageVersion {
    LanguageVersion::parse(text).unwrap()
}

/// Header, version, overload family and description of each declaration of a name.
fn check(path: &str, expected: Expect) {
    let library = Library::get();
    let mut text = String::new();
    for decl in find(path) {
        let header = library.header(decl).map_or("?", |header: HeaderId| header.header().name);
        text.push_str(&format!("<{header}> {}", library.since(decl)));
        for each in library.facts(decl).into_iter().flat_map(|facts| &facts.each) {
            let width = |width: u8| if width == 1 { String::new() } else { width.to_string() };
            let types = each.types.iter().map(|spec| format!("{}{}", spec.scalar.name(), width(spec.width)));
            text.push_str(&format!(" [{}]", types.collect::<Vec<_>>().join(" ")));
        }
        text.push_str(&format!("\n    {}\n", library.documentation(decl).unwrap_or_default().replace('\n', "\n    ")));
    }
    expected.assert_eq(&text);
}

#[test]
fn headers_have_no_problems() {
    let mut text = String::new();
    for problem in &Library::get().problems {
        let header = problem.place.header.header();
        let line = header.text[..problem.place.range.start as usize].lines().count();
        text.push_str(&format!("{}:{line}: {}\n", header.name, problem.message));
    }
    assert_eq!(text, "");
}

#[test]
fn overload_families() {
    check(
        "metal::sin",
        expect![[r#"
        <metal_math> 1.0 [float float2 float3 float4 half half2 half3 half4]
            The sine of `x`, in radians.
            Fast: the absolute error is at most 2⁻¹³ for `x` from -π to π and larger elsewhere; precise: at most 4 ulp.
    "#]],
    );
    check(
        "metal::fast::sin",
        expect![[r#"
        <metal_math> 1.0 [float float2 float3 float4]
            The sine of `x`, in radians.
            Fast: the absolute error is at most 2⁻¹³ for `x` from -π to π and larger elsewhere; precise: at most 4 ulp.
    "#]],
    );
    check(
        "metal::cross",
        expect![[r#"
        <metal_geometric> 1.0 [float3 half3]
            The cross product: a vector that is perpendicular to `x` and `y`. Only for vectors of 3.
    "#]],
    );
    check(
        "metal::popcount",
        expect![[r#"
        <metal_integer> 1.0 [char char2 char3 char4 uchar uchar2 uchar3 uchar4 short short2 short3 short4 ushort ushort2 ushort3 ushort4 int int2 int3 int4 uint uint2 uint3 uint4]
            The number of one bits in `x`.
        <metal_integer> 2.3 [long long2 long3 long4 ulong ulong2 ulong3 ulong4]
            The number of one bits in `x`.
    "#]],
    );
}

#[test]
fn versions_of_members_and_namespaces() {
    check(
        "metal::access::read_write",
        expect![[r#"
        <metal_types> ios 2.0, macos 1.2
            Read and write texels; writes become visible to later reads of the same thread after `fence()`.
    "#]],
    );
    check(
        "metal::thread_scope::thread_scope_device",
        expect![[r#"
        <metal_types> 3.2
            All threads on the device.
    "#]],
    );
    check(
        "bfloat3",
        expect![[r#"
        <metal_extended_vector> 3.1
            A vector of 3 components, each a 16-bit floating-point number with the range of `float`: 8 bytes, aligned to 8.
    "#]],
    );
    let library = Library::get();
    let popcount = find("metal::popcount");
    let exists = |text: &str| popcount.iter().filter(|&&decl| library.exists_in(decl, version(text))).count();
    assert_eq!((exists("macos-metal2.2"), exists("macos-metal2.3")), (1, 2));
}

#[test]
fn members_of_specialisations_have_the_descriptions_of_the_primary_template() {
    let library = Library::get();
    let ast = library.ast();
    let limits = find("metal::numeric_limits");
    let descriptions: Vec<_> = limits
        .iter()
        .filter_map(|&decl| member_scope(ast, decl))
        .map(|scope| library.documentation(ast[scope].get(Name::new("epsilon"))[0]).unwrap())
        .collect();
    assert_eq!(descriptions.len(), 14);
    assert!(descriptions.iter().all(|text| text == "The distance from 1 to the next larger value; 0 for integers."));
}

#[test]
fn macros_by_version() {
    let library = Library::get();
    let has = |text: &str, name: &str| library.macros(version(text)).get(Name::new(name)).is_some();
    assert!(has("metal3.1", "M_PI_BF") && !has("metal3.0", "M_PI_BF"));
    assert!(has("ios-metal1.0", "M_PI_F"));
    assert!(has("macos-metal2.4", "TARGET_OS_OSX") && !has("ios-metal2.4", "TARGET_OS_OSX"));
    let pi = library.macro_info(Name::new("M_PI_BF")).unwrap();
    assert_eq!(pi.place.header.header().name, "metal_types");
    assert_eq!(&pi.place.header.header().text[pi.place.range.start as usize..pi.place.range.end as usize], "M_PI_BF");
    assert_eq!(pi.documentation.as_deref(), Some("π, about 3.14159."));
    assert_eq!(pi.since.to_string(), "3.1");
    // Helper macros of the headers stay inside.
    let leaks = |definition: &&std::sync::Arc<msl_preproc::MacroDef>| definition.name.as_str().starts_with("__msl_");
    assert_eq!(library.macros(version("metal4.1")).own().filter(leaks).count(), 0);
}

#[test]
fn public_functions_and_types_are_described() {
    let library = Library::get();
    let ast = library.ast();
    let mut undescribed = String::new();
    for (id, decl) in ast.own_decls() {
        let name = match &decl.kind {
            DeclKind::Function(function) if function.body != msl_parser::ast::FunctionBody::Deleted => {
                function.name.ident()
            }
            DeclKind::Record(record) => Some(record.name),
            DeclKind::Enum(declared) => Some(declared.name),
            _ => None,
        };
        let Some(name) = name else { continue };
        let internal = name.as_str().starts_with("__") || library.facts(id).is_some_and(|facts| facts.internal);
        if !internal && library.documentation(id).is_none() {
            let header = library.header(id).map_or("?", |header| header.header().name);
            undescribed.push_str(&format!("<{header}> {}\n", name.as_str()));
        }
    }
    expect![""].assert_eq(&undescribed);
}

#[test]
fn framework_headers_have_no_problems() {
    let mut text = String::new();
    let mut all = FrameworkSet::default();
    for id in headers() {
        let mut alone = FrameworkSet::default();
        alone.insert(id);
        all.insert(id);
        let library = Library::with(alone);
        assert_eq!(library.frameworks().contains(id), id.header().visibility == Visibility::Framework);
        for problem in library.problems.iter().filter(|_| !alone.is_empty()) {
            let header = problem.place.header.header();
            let line = header.text[..problem.place.range.start as usize].lines().count();
            text.push_str(&format!("{}:{line}: {}\n", header.name, problem.message));
        }
    }
    assert_eq!(text, "");
    assert_eq!(FrameworkSet::from_bits(all.bits()), all);
    assert!(Library::with(all).problems.is_empty());
    assert_eq!(FrameworkSet::from_bits(u32::MAX), all);
}

#[test]
fn numbers_of_framework_declarations_go_on_from_the_librarys() {
    let header = headers().find(|id| id.header().name == "SwiftUI/SwiftUI_Metal.h").unwrap();
    let mut set = FrameworkSet::default();
    set.insert(header);
    let (base, library) = (Library::get(), Library::with(set));
    let (layer, _) = library.ast().own_decls().find(|(id, _)| library.documentation(*id).is_some()).unwrap();
    assert!(layer.0 >= base.ast().end().decls);
    assert_eq!(library.header(layer), Some(header));
    // What the library declares is the same in both.
    let sine = find("metal::sin")[0];
    assert_eq!(library.place(sine), base.place(sine));
    assert_eq!(library.documentation(sine), base.documentation(sine));
    assert!(library.facts(sine).is_some_and(|facts| !facts.each.is_empty()));
    assert_eq!(library.token(0).map(|token| token.name), base.token(0).map(|token| token.name));
}
