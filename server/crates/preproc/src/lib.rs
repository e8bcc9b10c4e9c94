//! Lexer, preprocessor and source map for the Metal Shading Language.
//!
//! Vocabulary:
//!
//! * A *spelled* token is one that the author typed; an *expanded* token is what the parser sees after macros,
//!   conditionals and includes. Both are [`Token`]s.
//! * An [`Origin`] names the place a token came from in one location space for the whole translation unit. The
//!   [`SourceMap`] turns origins into files and byte offsets and back.
//! * A [`LanguageVersion`] (platform family, major, minor) decides the predefined macros.
//!
//! How a text becomes tokens:
//!
//! 1. [`lex`] cuts a whole file into tokens once, also what conditionals skip. The result depends on the text only.
//! 2. [`preprocess`] walks those tokens: it obeys directives, expands macros and enters included files. Each token of
//!    the result has an [`Origin`].
//! 3. [`Preprocessed`] answers questions: where a token was typed, which macros made it, what a typed token became.
//!
//! This crate knows neither salsa nor LSP, reads no files (a [`SourceProvider`] does) and never fails: broken input
//! gives tokens and diagnostics.

mod cache;
mod condition;
mod directive;
mod expand;
mod lexer;
mod macros;
mod names;
mod output;
mod predefined;
mod preprocess;
mod source;
mod source_map;
mod token;
mod version;

pub use cache::HeaderCache;
pub use lexer::{Lexed, LexedToken, MAX_FILE_LENGTH, Problem, ProblemKind, lex};
pub use macros::{Builtin, MacroDef, MacroId, MacroKind, MacroTable};
pub use output::{
    Diagnostic, DiagnosticKind, IncludeDirective, Limits, MacroIndex, MacroReference, MacroReferenceKind, Note,
    Options, PragmaDirective, Preprocessed,
};
pub use predefined::{predefined_macros, predefined_text};
pub use preprocess::preprocess;
pub use source::{FileId, Include, IncludeRequest, SourceProvider};
pub use source_map::{ExpansionKind, ExpansionStep, MacroExpansion, SourceMap, SpelledIndex, SpellingKind};
pub use token::{Keyword, Origin, Punct, Token, TokenFlags, TokenKind};
pub use version::{LanguageVersion, Platform};
