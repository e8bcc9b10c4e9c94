//! Tokens: what the lexer and the preprocessor produce and the parser reads.
//!
//! A token is eight bytes and position-free: its place is an [`Origin`], kept in a parallel array, so that an edit
//! that only moves tokens leaves the token array equal and every phase that depends on it unchanged.

use msl_intern::Name;

/// A place in the location space of one translation unit; see `SourceMap`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Origin(pub u32);

/// A token. `name` is the interned spelling (for identifiers, keywords, literals); for punctuators it is unused and
/// [`Name::EMPTY`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Token {
    pub kind: TokenKind,
    pub flags: TokenFlags,
    pub name: Name,
}

/// What stands before a token, and whether it may still be expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct TokenFlags(pub u8);

impl TokenFlags {
    /// First token of its line.
    pub const LINE_START: u8 = 1;
    /// White space or a comment stands before it.
    pub const SPACE_BEFORE: u8 = 2;
    /// An identifier that named a macro while that macro was being expanded: never expanded again
    /// (C++ [cpp.rescan]).
    pub const NO_EXPAND: u8 = 4;
    /// The spelling in the file differs from the name: line splices inside the token.
    pub const SPLICED: u8 = 8;

    pub const fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// End of the token stream; the parser may read it any number of times.
    Eof,
    /// An identifier that is not a keyword. `vertex`, `fragment`, `kernel`, `coherent` and the like are
    /// identifiers: they are words only in certain places.
    Ident,
    Keyword(Keyword),
    /// An integer literal, with its suffix.
    Int,
    /// A floating literal, with its suffix (`h`, `bf`, `f` or none).
    Float,
    /// A character literal, with its quotes and prefix.
    Char,
    /// A string literal, with its quotes and prefix; raw strings included.
    String,
    Punct(Punct),
    /// A pragma that the parser attaches to the next statement; `name` is its text after `#pragma`, with one space
    /// between tokens: `unroll`, `unroll 4`, `nounroll`, `clang loop unroll(full)`.
    Pragma,
    /// A function body cut out of a declaration stream by the splitter; `name.index()` is the number of the body.
    Body,
    /// A byte that starts no token; its spelling is `name`.
    Unknown,
}

macro_rules! keywords {
    ($($variant:ident $text:literal)*) => {
        /// Words that are never identifiers, in any MSL version.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Keyword { $($variant),* }

        impl Keyword {
            /// All of them, in the order of their numbers.
            pub const ALL: &[Keyword] = &[$(Keyword::$variant),*];

            /// The spelling.
            pub const fn text(self) -> &'static str {
                match self { $(Keyword::$variant => $text),* }
            }

            /// The keyword with this spelling. A linear search: callers keep a table of [`Name`]s.
            pub fn from_text(text: &[u8]) -> Option<Keyword> {
                $(if text == $text.as_bytes() { return Some(Keyword::$variant); })*
                None
            }
        }
    };
}

keywords! {
    // Address spaces (MSL spec §4). `object_data`, `ray_data`, `threadgroup_imageblock` are identifiers to the lexer
    // and words to the parser, since code older than them may use the names.
    Thread "thread"
    Threadgroup "threadgroup"
    Device "device"
    Constant "constant"
    // Types.
    Void "void" Bool "bool" Char "char" Short "short" Int "int" Long "long" Float "float" Double "double"
    Signed "signed" Unsigned "unsigned" Auto "auto" Wchar "wchar_t" Char16 "char16_t" Char32 "char32_t"
    // Declarations.
    Alignas "alignas" Asm "asm" Class "class" Const "const" Constexpr "constexpr" Decltype "decltype" Enum "enum"
    Explicit "explicit" Export "export" Extern "extern" Friend "friend" Inline "inline" Mutable "mutable"
    Namespace "namespace" Noexcept "noexcept" Operator "operator" Private "private" Protected "protected"
    Public "public" Register "register" Restrict "__restrict" Static "static" StaticAssert "static_assert"
    Struct "struct" Template "template" ThreadLocal "thread_local" Typedef "typedef" Typename "typename"
    Union "union" Using "using" Virtual "virtual" Volatile "volatile" Attribute "__attribute__"
    // Statements.
    Break "break" Case "case" Catch "catch" Continue "continue" Default "default" Do "do" Else "else" For "for"
    Goto "goto" If "if" Return "return" Switch "switch" Throw "throw" Try "try" While "while"
    // Expressions.
    Alignof "alignof" ConstCast "const_cast" Delete "delete" DynamicCast "dynamic_cast" False "false" New "new"
    Nullptr "nullptr" ReinterpretCast "reinterpret_cast" Sizeof "sizeof" StaticCast "static_cast" This "this"
    True "true" Typeid "typeid"
}

macro_rules! puncts {
    ($($variant:ident $text:literal)*) => {
        /// Operators and punctuators. Digraphs and the words `and`, `or`, `not` … are given as what they stand for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Punct { $($variant),* }

        impl Punct {
            /// The usual spelling.
            pub const fn text(self) -> &'static str {
                match self { $(Punct::$variant => $text),* }
            }
        }
    };
}

puncts! {
    LParen "(" RParen ")" LBracket "[" RBracket "]" LBrace "{" RBrace "}"
    Semi ";" Comma "," Dot "." DotStar ".*" Ellipsis "..." Arrow "->" ArrowStar "->*" Colon ":" ColonColon "::"
    Question "?" Hash "#" HashHash "##"
    Plus "+" Minus "-" Star "*" Slash "/" Percent "%" Caret "^" Amp "&" Pipe "|" Tilde "~" Bang "!"
    Eq "=" Lt "<" Gt ">" PlusEq "+=" MinusEq "-=" StarEq "*=" SlashEq "/=" PercentEq "%=" CaretEq "^=" AmpEq "&="
    PipeEq "|=" Shl "<<" Shr ">>" ShlEq "<<=" ShrEq ">>=" EqEq "==" BangEq "!=" LtEq "<=" GtEq ">=" AmpAmp "&&"
    PipePipe "||" PlusPlus "++" MinusMinus "--"
}

impl Token {
    pub const EOF: Token = Token { kind: TokenKind::Eof, flags: TokenFlags(0), name: Name::EMPTY };

    pub fn is_punct(self, punct: Punct) -> bool {
        self.kind == TokenKind::Punct(punct)
    }

    pub fn is_keyword(self, keyword: Keyword) -> bool {
        self.kind == TokenKind::Keyword(keyword)
    }

    /// The spelling: of the name, or the usual one of a punctuator.
    pub fn text(self) -> &'static str {
        match self.kind {
            TokenKind::Punct(punct) => punct.text(),
            TokenKind::Keyword(keyword) => keyword.text(),
            TokenKind::Eof => "",
            _ => self.name.as_str(),
        }
    }
}

const _: () = assert!(size_of::<Token>() == 8);
