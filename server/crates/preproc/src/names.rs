//! Names that the preprocessor itself knows.

use std::sync::OnceLock;

use msl_intern::Name;

pub(crate) struct Names {
    pub(crate) defined: Name,
    pub(crate) va_args: Name,
    pub(crate) va_opt: Name,
}

pub(crate) fn names() -> &'static Names {
    static NAMES: OnceLock<Names> = OnceLock::new();
    NAMES.get_or_init(|| Names {
        defined: Name::new("defined"),
        va_args: Name::new("__VA_ARGS__"),
        va_opt: Name::new("__VA_OPT__"),
    })
}
