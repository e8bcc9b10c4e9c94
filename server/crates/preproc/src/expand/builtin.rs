//! Macros that are computed: `__LINE__`, `__has_include`, `_Pragma` and the like.

use msl_intern::Name;

use super::{Placed, SPACING, painted};
use crate::{
    lexer::{lex, word_kind},
    macros::{Builtin, MacroId},
    output::DiagnosticKind,
    preprocess::{FileFrame, Preprocessor},
    source::{Include, IncludeRequest},
    source_map::Interval,
    token::{Origin, Punct, Token, TokenFlags, TokenKind},
    version::Platform,
};

/// Attributes that clang-based compilers know in the GNU spelling and that shader code tests for.
const ATTRIBUTES: &[&str] = &[
    "address_space",
    "alias",
    "aligned",
    "always_inline",
    "annotate",
    "cold",
    "const",
    "convergent",
    "deprecated",
    "diagnose_if",
    "enable_if",
    "ext_vector_type",
    "flatten",
    "hot",
    "internal_linkage",
    "malloc",
    "matrix_type",
    "may_alias",
    "mode",
    "noduplicate",
    "noinline",
    "nonnull",
    "noreturn",
    "nothrow",
    "optnone",
    "overloadable",
    "packed",
    "pure",
    "returns_nonnull",
    "section",
    "unavailable",
    "unused",
    "used",
    "vector_size",
    "visibility",
    "warn_unused_result",
    "weak",
];

/// Standard attributes and the value of `__has_cpp_attribute` for them.
const CPP_ATTRIBUTES: &[(&str, u32)] = &[
    ("carries_dependency", 200809),
    ("deprecated", 201309),
    ("fallthrough", 201603),
    ("likely", 201803),
    ("maybe_unused", 201603),
    ("nodiscard", 201907),
    ("noreturn", 200809),
    ("no_unique_address", 201803),
    ("unlikely", 201803),
];

/// Builtin functions of clang that need no particular target.
const BUILTINS: &[&str] = &[
    "__builtin_addressof",
    "__builtin_assume",
    "__builtin_astype",
    "__builtin_bit_cast",
    "__builtin_bitreverse32",
    "__builtin_bswap16",
    "__builtin_bswap32",
    "__builtin_bswap64",
    "__builtin_choose_expr",
    "__builtin_clz",
    "__builtin_constant_p",
    "__builtin_convertvector",
    "__builtin_ctz",
    "__builtin_expect",
    "__builtin_ffs",
    "__builtin_nan",
    "__builtin_offsetof",
    "__builtin_parity",
    "__builtin_popcount",
    "__builtin_shufflevector",
    "__builtin_trap",
    "__builtin_unreachable",
    "__is_same",
    "__make_integer_seq",
    "__type_pack_element",
];

/// Language features of `__has_feature` and `__has_extension` that every MSL version has.
const FEATURES: &[&str] = &[
    "attribute_deprecated_with_message",
    "attribute_ext_vector_type",
    "attribute_overloadable",
    "attribute_unavailable_with_message",
    "cxx_alias_templates",
    "cxx_alignas",
    "cxx_alignof",
    "cxx_attributes",
    "cxx_auto_type",
    "cxx_constexpr",
    "cxx_decltype",
    "cxx_default_function_template_args",
    "cxx_defaulted_functions",
    "cxx_deleted_functions",
    "cxx_explicit_conversions",
    "cxx_generalized_initializers",
    "cxx_inline_namespaces",
    "cxx_noexcept",
    "cxx_nonstatic_member_init",
    "cxx_nullptr",
    "cxx_override_control",
    "cxx_range_for",
    "cxx_raw_string_literals",
    "cxx_reference_qualified_functions",
    "cxx_rvalue_references",
    "cxx_static_assert",
    "cxx_strong_enums",
    "cxx_trailing_return",
    "cxx_unrestricted_unions",
    "cxx_user_literals",
    "cxx_variadic_templates",
];

/// Features that C++14 adds, which Metal 2.0 is based on.
const FEATURES_OF_CPP14: &[&str] = &[
    "cxx_aggregate_nsdmi",
    "cxx_binary_literals",
    "cxx_contextual_conversions",
    "cxx_decltype_auto",
    "cxx_relaxed_constexpr",
    "cxx_return_type_deduction",
    "cxx_variable_templates",
];

impl Preprocessor<'_> {
    pub(super) fn expand_builtin(
        &mut self,
        id: MacroId,
        builtin: Builtin,
        name: Token,
        origin: Origin,
    ) -> Option<Token> {
        let (kind, text) = match builtin {
            Builtin::Pragma => return self.expand_pragma_operator(name, origin),
            Builtin::Line => (TokenKind::Int, self.line_number(origin).to_string()),
            Builtin::File => (TokenKind::String, self.file_name(name.name)),
            Builtin::Counter => {
                self.counter += 1;
                (TokenKind::Int, (self.counter - 1).to_string())
            }
            Builtin::IncludeLevel => {
                let level = self.files.iter().filter(|frame| frame.file.is_real()).count().saturating_sub(1);
                (TokenKind::Int, level.to_string())
            }
            _ => {
                if !self.next_is_open_paren() {
                    return Some(painted(name));
                }
                let value = self.query(builtin, origin);
                (TokenKind::Int, value.to_string())
            }
        };
        let expansion = self.out.map.add_expansion(id, origin, origin);
        let made = self.out.map.allocate(Interval::Body { expansion }, 1).unwrap_or(origin);
        let token = Token { kind, flags: TokenFlags(name.flags.0 & SPACING), name: Name::new(&text) };
        if self.burn(1, origin) {
            self.expander.push([Placed { token, origin: made }], None);
        }
        None
    }

    /// Answers `__has_…(…)`; the next token is the opening parenthesis.
    fn query(&mut self, builtin: Builtin, origin: Origin) -> u32 {
        self.next_raw(true);
        let mut tokens = Vec::new();
        let mut depth = 1u32;
        while let Some(placed) = self.next_raw(true) {
            match placed.token.kind {
                TokenKind::Punct(Punct::LParen) => depth += 1,
                TokenKind::Punct(Punct::RParen) => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            tokens.push(placed);
        }
        if depth > 0 {
            self.report(DiagnosticKind::PreprocessorError, origin..origin, "missing `)`".to_owned());
            return 0;
        }
        if matches!(builtin, Builtin::HasInclude | Builtin::HasIncludeNext) {
            let Some((spelling, angled)) = self.header_name(&tokens) else {
                let message = "expected a header's name in quotes or angle brackets".to_owned();
                self.report(DiagnosticKind::PreprocessorError, origin..origin, message);
                return 0;
            };
            let from = self.top().file;
            let next = builtin == Builtin::HasIncludeNext;
            let request = IncludeRequest { from, spelling: &spelling, angled, next };
            return u32::from(self.provider.resolve_include(&request) != Include::NotFound);
        }
        let text: Vec<u8> = tokens.iter().flat_map(|placed| placed.token.bytes()).copied().collect();
        let text = String::from_utf8_lossy(&text);
        // `__attribute__` names may be written with two underscores on either side.
        let bare = text.strip_prefix("__").and_then(|text| text.strip_suffix("__")).unwrap_or(&text);
        let known = match builtin {
            Builtin::HasAttribute => ATTRIBUTES.contains(&bare),
            Builtin::HasCppAttribute => {
                if let Some(&(_, value)) = CPP_ATTRIBUTES.iter().find(|&&(name, _)| name == bare) {
                    return value;
                }
                let scoped = bare.strip_prefix("clang::").or_else(|| bare.strip_prefix("gnu::"));
                scoped.is_some_and(|scoped| ATTRIBUTES.contains(&scoped))
            }
            Builtin::HasBuiltin => BUILTINS.contains(&&*text),
            Builtin::HasFeature | Builtin::HasExtension => {
                FEATURES.contains(&bare)
                    || FEATURES_OF_CPP14.contains(&bare)
                        && (builtin == Builtin::HasExtension || self.options.version.at_least(2, 0))
            }
            Builtin::IsTargetOs => match self.options.version.platform {
                Platform::MacOs => matches!(&*text, "macos" | "macosx" | "osx" | "darwin"),
                Platform::Ios => matches!(&*text, "ios" | "darwin"),
            },
            Builtin::IsTargetArch => text == "air64",
            Builtin::IsTargetVendor => text == "apple",
            Builtin::IsIdentifier => match tokens.as_slice() {
                [only] => only.token.is_word() && word_kind(only.token.name) == TokenKind::Ident,
                _ => false,
            },
            _ => false,
        };
        u32::from(known)
    }

    /// The header that tokens name, and whether in angle brackets. Tokens that are neither are expanded first.
    pub(crate) fn header_name(&mut self, tokens: &[Placed]) -> Option<(Vec<u8>, bool)> {
        let is_header = |tokens: &[Placed]| {
            tokens.first().is_some_and(|first| first.token.kind == TokenKind::String || first.token.is_punct(Punct::Lt))
        };
        let expanded;
        let tokens = if is_header(tokens) {
            tokens
        } else {
            expanded = self.expand_argument(tokens);
            &expanded
        };
        let first = tokens.first()?;
        if first.token.kind == TokenKind::String {
            let text = first.token.bytes();
            return match text {
                [b'<', inner @ .., b'>'] => Some((inner.to_vec(), true)),
                [b'"', inner @ .., b'"'] => Some((inner.to_vec(), false)),
                _ => None,
            };
        }
        if !first.token.is_punct(Punct::Lt) {
            return None;
        }
        let mut spelling = Vec::new();
        for (index, placed) in tokens[1..].iter().enumerate() {
            if placed.token.is_punct(Punct::Gt) {
                return Some((spelling, true));
            }
            if index > 0 && placed.token.flags.0 & SPACING != 0 {
                spelling.push(b' ');
            }
            spelling.extend(placed.token.bytes());
        }
        None
    }

    /// `_Pragma("…")`: as if its text stood in a `#pragma`.
    fn expand_pragma_operator(&mut self, name: Token, origin: Origin) -> Option<Token> {
        if !self.next_is_open_paren() {
            return Some(painted(name));
        }
        let open = self.next_raw(true);
        let literal = self.next_raw(true);
        let close = self.next_raw(true);
        let (Some(text), true) = (
            literal.filter(|literal| literal.token.kind == TokenKind::String),
            close.is_some_and(|close| close.token.is_punct(Punct::RParen)),
        ) else {
            let message = "`_Pragma` takes one string literal in parentheses".to_owned();
            self.report(DiagnosticKind::PreprocessorError, origin..origin, message);
            self.expander.push([open, literal, close].into_iter().flatten(), None);
            return Some(painted(name));
        };
        if !self.burn(4, origin) {
            return None;
        }
        let text = destringized(text.token.bytes());
        let lexed = lex(&text);
        let tokens: Vec<Placed> =
            lexed.tokens[..lexed.eof()].iter().map(|lexed| Placed { token: lexed.token, origin }).collect();
        let (file, range) = self.out.map.expansion_range(origin);
        let spacing = name.flags.0 & SPACING;
        match self.pragma(&tokens, file, range) {
            Some(text) => {
                let token = Token { kind: TokenKind::Pragma, flags: TokenFlags(spacing), name: text };
                self.expander.push([Placed { token, origin }], None);
            }
            None => self.expander.carry |= spacing,
        }
        None
    }

    /// The line of the outermost macro call's end, as compilers count for `__LINE__`, with `#line` in force.
    fn line_number(&mut self, origin: Origin) -> i64 {
        let (_, range) = self.out.map.expansion_range(origin);
        let frame = self.top();
        line_of(frame, range.end.saturating_sub(1)) + frame.line_delta
    }

    fn file_name(&mut self, macro_name: Name) -> String {
        let frame = if macro_name.bytes() == b"__BASE_FILE__" { self.files.first() } else { self.files.last() };
        let Some(frame) = frame else { return "\"\"".to_owned() };
        let mut path = match frame.line_name {
            Some(name) => name.to_string(),
            None => self.provider.path(frame.file).unwrap_or_default(),
        };
        if macro_name.bytes() == b"__FILE_NAME__" {
            path = path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        }
        format!("\"{}\"", path.replace('\\', "\\\\").replace('"', "\\\""))
    }
}

/// The number of the line that an offset is in, from one.
pub(crate) fn line_of(frame: &mut FileFrame, offset: u32) -> i64 {
    if frame.line_starts.is_empty() {
        frame.line_starts.push(0);
        frame.line_starts.extend(memchr::memchr_iter(b'\n', &frame.text).map(|at| at as u32 + 1));
    }
    frame.line_starts.partition_point(|&start| start <= offset) as i64
}

/// The text of a string literal as `_Pragma` reads it (C++17 [cpp.pragma.op]).
fn destringized(literal: &[u8]) -> Vec<u8> {
    let Some(open) = memchr::memchr(b'"', literal) else { return Vec::new() };
    let inner = literal.get(open + 1..literal.len() - 1).unwrap_or_default();
    if literal[..open].ends_with(b"R") {
        let start = memchr::memchr(b'(', inner).map_or(0, |at| at + 1);
        let end = memchr::memrchr(b')', inner).unwrap_or(inner.len());
        return inner.get(start..end).unwrap_or_default().to_vec();
    }
    let mut text = Vec::with_capacity(inner.len());
    let mut bytes = inner.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match (byte, bytes.peek()) {
            (b'\\', Some(&next @ (b'"' | b'\\'))) => {
                text.push(next);
                bytes.next();
            }
            _ => text.push(byte),
        }
    }
    text
}
