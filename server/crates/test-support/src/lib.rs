//! What tests share: fixtures with marks in them, and literate tests in Markdown.

pub mod fixture;
pub mod mdtest;
