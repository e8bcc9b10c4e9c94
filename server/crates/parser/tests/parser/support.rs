//! Source to tokens to dumped trees.

use std::sync::Arc;

use expect_test::Expect;
use msl_parser::ast::{Ast, DeclId, DeclKind, FunctionBody, TokenRange};
use msl_parser::{DeclStream, ParsedUnit, SyntaxDiagnostic, dump, parse_body, parse_decls, split};
use msl_preproc::{Punct, Token, TokenKind, lex};

/// A little of the library, so that tests can use its type names.
const PRELUDE: &str = "
namespace metal {
template <typename T, int N> struct vec { T data[N]; };
using half = __half;
using uint = unsigned int;
using ushort = unsigned short;
using uchar = unsigned char;
using float2 = vec<float, 2>;
using float3 = vec<float, 3>;
using float4 = vec<float, 4>;
using half4 = vec<half, 4>;
using int2 = vec<int, 2>;
using uint2 = vec<uint, 2>;
using uint3 = vec<uint, 3>;
struct float4x4 { float4 columns[4]; };
enum class access { sample, read, write, read_write };
template <typename T, access a = access::sample> struct texture2d {
    vec<T, 4> sample(float2 c) const;
    template <typename U> vec<U, 4> read_as(uint2 c) const;
};
template <typename T, int N> struct array { T elements[N]; int size() const; };
template <typename T> T max(T a, T b);
template <typename T> T min(T a, T b);
template <bool B, typename T = void> struct enable_if { using type = T; };
template <bool B, typename T = void> using enable_if_t = typename enable_if<B, T>::type;
float dot(float3 a, float3 b);
template <typename T> struct atomic { T value; };
using atomic_uint = atomic<uint>;
template <typename R> struct visible_function_table;
}
using namespace metal;
";

/// Tokens of a source text without directives; lines that start with `#pragma` become pragma tokens.
pub(crate) fn tokens_of(source: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut pragma: Option<String> = None;
    let lexed = lex(source.as_bytes());
    let mut iter = lexed.tokens.iter().peekable();
    while let Some(lexed) = iter.next() {
        let token = lexed.token;
        if token.flags.has(msl_preproc::TokenFlags::LINE_START) && token.is_punct(Punct::Hash) {
            iter.next();
            let mut text = String::new();
            while let Some(next) = iter.peek()
                && !next.token.flags.has(msl_preproc::TokenFlags::LINE_START)
            {
                if next.token.flags.has(msl_preproc::TokenFlags::SPACE_BEFORE) && !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(next.token.text());
                iter.next();
            }
            pragma = Some(text);
        }
        if let Some(text) = pragma.take() {
            tokens.push(Token { kind: TokenKind::Pragma, flags: token.flags, name: msl_intern::Name::new(&text) });
            continue;
        }
        if token.kind != TokenKind::Eof {
            tokens.push(token);
        }
    }
    tokens
}

/// The prelude as the lowest layer.
pub(crate) fn library() -> Arc<Ast> {
    let tokens = tokens_of(PRELUDE);
    let parsed = parse_decls(None, &tokens);
    assert_eq!(parsed.diagnostics, [], "the prelude has no mistakes");
    Arc::new(parsed.ast)
}

/// A unit with all its bodies.
pub(crate) struct Analysed {
    pub(crate) tree: String,
    pub(crate) diagnostics: Vec<String>,
}

/// A diagnostic with the text it marks.
fn render(diagnostic: &SyntaxDiagnostic, texts: &dyn Fn(u32) -> String) -> String {
    let marked = |range: TokenRange| -> String {
        if range.is_empty() {
            let before = if range.start > 0 { texts(range.start - 1) } else { String::new() };
            format!("behind `{before}`")
        } else {
            let parts: Vec<String> = (range.start..range.end.min(range.start + 6)).map(texts).collect();
            format!("at `{}`", parts.join(" "))
        }
    };
    let related: String =
        diagnostic.related.iter().map(|(range, text)| format!(" ({text}: {})", marked(*range))).collect();
    format!("{}: {}{related}", marked(diagnostic.range), diagnostic.message)
}

/// Splits and parses a unit and each function body of it.
pub(crate) fn analyse(source: &str) -> Analysed {
    let tokens = tokens_of(source);
    let stream = split(&tokens);
    let ParsedUnit { ast, decls, diagnostics, .. } = parse_decls(Some(library()), &stream.tokens);
    let unit = Arc::new(ast);
    let start = unit.start().tokens;
    let mut rendered = Vec::new();
    let unit_text = |number: u32| match number.checked_sub(start) {
        Some(index) => stream.tokens.get(index as usize).map(|token| token.text().to_owned()).unwrap_or_default(),
        None => "library".to_owned(),
    };
    for diagnostic in &diagnostics {
        rendered.push(render(diagnostic, &unit_text));
    }
    let mut tree = dump::dump_decls(&unit, &decls);
    let functions: Vec<DeclId> = unit.own_decls().map(|(decl, _)| decl).collect();
    for decl in functions {
        let Some((name, body)) = body_of(&unit, &stream, &tokens, start, decl) else { continue };
        let parsed = parse_body(Arc::clone(&unit), &stream.tokens, decl, &body);
        let body_start = unit.end().tokens;
        let text = |number: u32| match number.checked_sub(body_start) {
            Some(index) => body.get(index as usize).map(|token| token.text().to_owned()).unwrap_or_default(),
            None => unit_text(number),
        };
        for diagnostic in &parsed.diagnostics {
            rendered.push(render(diagnostic, &text));
        }
        tree.push_str(&format!("{name}:\n"));
        tree.push_str(&dump::dump_inits(&parsed.ast, &parsed.inits));
        tree.push_str(&dump::dump_stmt(&parsed.ast, parsed.root));
    }
    Analysed { tree, diagnostics: rendered }
}

/// The name and body tokens of a function with a body.
pub(crate) fn body_of(
    unit: &Ast,
    stream: &DeclStream,
    tokens: &[Token],
    start: u32,
    decl: DeclId,
) -> Option<(String, Vec<Token>)> {
    let DeclKind::Function(function) = &unit[decl].kind else { return None };
    let body = match function.body {
        FunctionBody::Deferred(number) => {
            let range = stream.bodies[number as usize].clone();
            tokens[range.start as usize..range.end as usize].to_vec()
        }
        FunctionBody::Inline(range) => {
            stream.tokens[(range.start - start) as usize..(range.end - start) as usize].to_vec()
        }
        _ => return None,
    };
    Some((dump::dump_name(unit, function.name), body))
}

/// The trees of a source without mistakes.
#[track_caller]
pub(crate) fn check(source: &str, expected: Expect) {
    let analysed = analyse(source);
    assert_eq!(analysed.diagnostics, Vec::<String>::new(), "unexpected diagnostics in\n{source}\n{}", analysed.tree);
    expected.assert_eq(&analysed.tree);
}

/// The statements of a function body without mistakes; `declarations` stand before the function.
#[track_caller]
pub(crate) fn check_body(declarations: &str, body: &str, expected: Expect) {
    let analysed = analyse(&format!("{declarations}\nvoid test() {{\n{body}\n}}"));
    assert_eq!(analysed.diagnostics, Vec::<String>::new(), "unexpected diagnostics in\n{body}\n{}", analysed.tree);
    let at = analysed.tree.find("\ntest:\nblock\n").expect("the function is there");
    let text = &analysed.tree[at + "\ntest:\nblock\n".len()..];
    let lines: Vec<&str> = text.lines().map(|line| line.strip_prefix("  ").unwrap_or(line)).collect();
    expected.assert_eq(&(lines.join("\n") + "\n"));
}

/// The diagnostics of a source with mistakes.
#[track_caller]
pub(crate) fn check_errors(source: &str, expected: Expect) {
    let analysed = analyse(source);
    expected.assert_eq(&(analysed.diagnostics.join("\n") + "\n"));
}

/// The diagnostics, then the trees.
#[track_caller]
pub(crate) fn check_recovery(source: &str, expected: Expect) {
    let analysed = analyse(source);
    expected.assert_eq(&format!("{}\n---\n{}", analysed.diagnostics.join("\n"), analysed.tree));
}
