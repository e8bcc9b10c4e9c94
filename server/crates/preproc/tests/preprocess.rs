//! What the preprocessor makes of texts: the expanded tokens as text, then the diagnostics.

mod support;

use expect_test::{Expect, expect};
use support::{Files, expanded_text, report};

fn check(input: &str, expected: Expect) {
    let unit = Files::single(input).preprocess();
    let mut text = expanded_text(&unit);
    text.push_str(&report(&unit));
    expected.assert_eq(&text);
}

#[path = "preprocess/directives.rs"]
mod directives;
#[path = "preprocess/macros.rs"]
mod macros;
