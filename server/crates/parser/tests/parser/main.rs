//! Tests of the parser: source in, tree or diagnostics out.

mod ambiguity;
mod declarations;
mod expressions;
mod layers;
mod properties;
mod recovery;
mod splitting;
mod statements;
mod support;
mod templates;
