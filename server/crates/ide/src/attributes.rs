//! Attributes as an editor spells them.

use msl_builtins::attributes::Args;

/// The argument list of an attribute as a pattern: `(0…30)`; empty if it has none.
pub(crate) fn spell_arguments(args: Args) -> String {
    match args {
        Args::None => String::new(),
        Args::Index { max } => format!("(0…{max})"),
        Args::Number => "(number)".to_owned(),
        Args::Sizes => "(x[, y[, z]])".to_owned(),
        Args::Name => "(name)".to_owned(),
        Args::String => "(\"text\")".to_owned(),
        Args::Strings => "(\"text\"[, …])".to_owned(),
        Args::Word(words) => format!("({})", words.join(" | ")),
        Args::Patch => "(quad | triangle[, control points])".to_owned(),
        Args::Intersection => "(primitive[, tags…])".to_owned(),
        Args::FunctionConstant => "(0…65535 | name)".to_owned(),
        Args::OptionalType => "[(type)]".to_owned(),
    }
}
