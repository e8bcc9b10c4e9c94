//! The two front ends on one file without macros: the raw tree and the parser see the same declarations.
//!
//! Only what no name lookup is needed for can be compared: kinds, names and ranges outside function bodies.

use std::ops::Range;
use std::sync::Arc;

use msl_parser::ast::{Ast, DeclId, DeclKind, FunctionBody, Specs};
use msl_parser::parse_decls;
use msl_preproc::{LexedToken, Token, TokenKind, lex};
use msl_syntax::{DeclarationKind, RawTree, Text, top_level_declarations};

/// Names of the library that the sources use.
const LIBRARY: &str = "
namespace metal {
using half = __half;
using uint = unsigned int;
template <typename T, int N> struct vec { T data[N]; };
using float4 = vec<float, 4>;
using half4 = vec<half, 4>;
enum class access { sample, read, write, read_write };
template <typename T, access a = access::sample> struct texture2d { vec<T, 4> sample(int c) const; };
struct sampler { template <typename... T> constexpr sampler(T... arguments); };
enum class filter { nearest, linear };
}
using namespace metal;
";

#[derive(Debug, PartialEq, Eq)]
struct Seen {
    start: u32,
    end: u32,
    kind: DeclarationKind,
}

#[test]
fn both_front_ends_see_the_same_declarations() {
    for source in SOURCES {
        assert_eq!(raw_declarations(source), parsed_declarations(source), "{source}");
    }
}

fn raw_declarations(source: &str) -> Vec<Seen> {
    let text = Text::new(source);
    let tree = RawTree::parse(&text);
    assert!(!tree.has_error(), "{tree:?}");
    let declarations = top_level_declarations(&tree, &text);
    let seen = |kind, range: Range<u32>| Seen { start: range.start, end: range.end, kind };
    // The parser lists the contents of a linkage block with what is around it.
    let kept = declarations.into_iter().filter(|declaration| declaration.kind != DeclarationKind::Linkage);
    kept.map(|declaration| seen(declaration.kind, declaration.range)).collect()
}

fn parsed_declarations(source: &str) -> Vec<Seen> {
    let library = Arc::new(parse_decls(None, &tokens(&lexed(LIBRARY))).ast);
    let lexed = lexed(source);
    let unit = parse_decls(Some(library), &tokens(&lexed));
    assert_eq!(unit.diagnostics, [], "{source}");
    let mut seen = Vec::new();
    collect(&unit.ast, &unit.decls, &lexed, &mut seen);
    // Several declarators of one declaration are several declarations of the parser, with a comma between them.
    seen.dedup_by(|next, before| {
        let between = source.get(before.end as usize..next.start as usize);
        let continues = between.is_some_and(|between| between.trim() == ",");
        if continues {
            before.end = next.end;
        }
        continues
    });
    seen
}

fn collect(ast: &Ast, decls: &[DeclId], lexed: &[LexedToken], seen: &mut Vec<Seen>) {
    for &id in decls {
        let decl = &ast[id];
        let kind = match &decl.kind {
            _ if decl.specs.contains(Specs::INSTANTIATION) => DeclarationKind::ExplicitInstantiation,
            DeclKind::Namespace { .. } => DeclarationKind::Namespace,
            DeclKind::NamespaceAlias { .. } => DeclarationKind::NamespaceAlias,
            DeclKind::UsingDirective { .. } | DeclKind::UsingDecl { .. } => DeclarationKind::Using,
            DeclKind::TypeAlias { .. } => DeclarationKind::TypeAlias,
            DeclKind::StaticAssert { .. } => DeclarationKind::StaticAssert,
            DeclKind::Function(function) if function.body != FunctionBody::None => DeclarationKind::Function,
            DeclKind::Function(_) | DeclKind::Variable(_) => DeclarationKind::Declaration,
            DeclKind::Record(_) => DeclarationKind::Struct,
            DeclKind::Enum(_) => DeclarationKind::Enum,
            other => panic!("{other:?}"),
        };
        let first = decl.range.start - ast.start().tokens;
        let last = decl.range.end - ast.start().tokens - 1;
        let (start, end) = (lexed[first as usize].range().start, lexed[last as usize].range().end);
        seen.push(Seen { start, end, kind });
        if let DeclKind::Namespace { decls, .. } = &decl.kind {
            collect(ast, decls, lexed, seen);
        }
    }
}

fn lexed(source: &str) -> Vec<LexedToken> {
    lex(source.as_bytes()).tokens.into_iter().filter(|token| token.token.kind != TokenKind::Eof).collect()
}

fn tokens(lexed: &[LexedToken]) -> Vec<Token> {
    lexed.iter().map(|token| token.token).collect()
}

const SOURCES: &[&str] = &[
    "struct Varyings { float4 position [[position]]; half4 color; };\n\
     vertex Varyings v(uint id [[vertex_id]], const device float4 *p [[buffer(0)]]) { Varyings out; return out; }\n\
     fragment half4 f(Varyings in [[stage_in]], texture2d<half> t [[texture(0)]]) { return in.color; }\n",
    "constant float a = 1.0f, b = 2.0f;\nconstant bool enabled [[function_constant(0)]];\n\
     constexpr sampler s(filter::linear);\nextern constant int later;\n",
    "namespace outer { enum class E : uint { a, b }; namespace inner { int f(thread int *x); } using T = half4; }\n\
     namespace short_name = outer::inner;\nusing namespace outer;\nusing outer::T;\n",
    "template <typename T> [[kernel]] void k(device T *p [[buffer(0)]]) { p[0] = T(1); }\n\
     template [[host_name(\"k_float\")]] [[kernel]] void k<float>(device float *);\n\
     template <typename T> struct Box { T value; T get() const device { return value; } };\n\
     template <> struct Box<int> { };\ntemplate struct Box<float>;\n",
    "typedef float F;\nusing G = half;\nstruct Forward;\nstatic_assert(sizeof(F) == 4, \"four\");\n\
     device int *g(device int *x);\nthread float &operator+=(thread float &a, half b) { return a; }\n\
     extern \"C\" { int c(int); }\nextern \"C\" int d(int);\n",
];
