//! What the parser finds wrong.

use msl_intern::Name;

use crate::ast::TokenRange;

/// A finding of the parser. An empty range `n..n` is the place right behind token `n - 1`: there something is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxDiagnostic {
    pub kind: SyntaxErrorKind,
    pub range: TokenRange,
    /// For people: what was found and what was expected.
    pub message: String,
    /// Further places that explain the finding, such as the bracket that is never closed.
    pub related: Vec<(TokenRange, String)>,
}

/// What sort of finding it is, for callers that choose a code or offer a fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyntaxErrorKind {
    /// Some token was expected and another was found.
    Expected,
    /// A name stands where only a type can stand, and nothing of that name is a type.
    UnknownType(Name),
    /// A reserved word is used as a name.
    ReservedWord(Name),
    /// A bracket has no partner.
    Unbalanced,
    /// Something that the grammar does not allow here, although each token is fine.
    Misplaced,
    /// The code is nested too deeply to be parsed.
    TooDeep,
}
