//! Printers of findings: text, one line each, JSON, JSON lines, SARIF, workflow annotations; and the baseline file.

mod baseline;
mod flow_page;
mod github;
pub(crate) mod json;
mod sarif;
mod short;
mod text;

use std::sync::Arc;

use msl_diagnostics::Diagnostic;
use msl_ide::{AccessCounts, FunctionCounts};
use msl_preproc::LanguageVersion;

pub(crate) use self::baseline::{read as read_baseline, write as write_baseline};
pub(crate) use self::flow_page::page as flow_page;
use super::{
    arguments::{CommonArguments, Format},
    sources::Sources,
};

/// A finding and the version under which it holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Finding {
    pub(crate) version: LanguageVersion,
    pub(crate) diagnostic: Diagnostic,
}

/// A file that was analysed, under one version.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FileEntry {
    pub(crate) path: Arc<str>,
    pub(crate) std: LanguageVersion,
    pub(crate) std_source: Arc<str>,
    pub(crate) complete: bool,
}

/// Numbers about a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Stats {
    pub(crate) files: u64,
    pub(crate) lines: u64,
    /// Written expressions, and how many of them are of unknown type or depend on template parameters.
    pub(crate) expressions: u64,
    pub(crate) unknown_expressions: u64,
    pub(crate) dependent_expressions: u64,
    /// The same inside templates alone.
    pub(crate) template_expressions: u64,
    pub(crate) unknown_template_expressions: u64,
    pub(crate) milliseconds: u64,
    /// Accesses through generic pointers; counted on request.
    pub(crate) accesses: AccessCounts,
}

impl Stats {
    /// Adds the numbers of a unit's expressions.
    pub(crate) fn count(&mut self, unit: &msl_ide::UnitStats) {
        self.expressions += u64::from(unit.expressions);
        self.unknown_expressions += u64::from(unit.unknown_expressions);
        self.dependent_expressions += u64::from(unit.dependent_expressions);
        self.template_expressions += u64::from(unit.template_expressions);
        self.unknown_template_expressions += u64::from(unit.unknown_template_expressions);
    }
}

/// Everything that a printer may show.
#[derive(Debug)]
pub(crate) struct Output {
    /// Sorted by place.
    pub(crate) findings: Vec<Finding>,
    pub(crate) files: Vec<FileEntry>,
    pub(crate) stats: Stats,
    /// Path and reason of what could not be modelled.
    pub(crate) incomplete: Vec<(Arc<str>, String)>,
    /// How many language versions each file was judged under.
    pub(crate) versions: usize,
    /// Print at most so many findings.
    pub(crate) limit: Option<usize>,
    pub(crate) show_stats: bool,
    /// Functions with generic accesses; counted on request.
    pub(crate) functions: Vec<FunctionCounts>,
}

impl Output {
    /// The findings to print.
    fn shown(&self) -> &[Finding] {
        &self.findings[..self.limit.unwrap_or(usize::MAX).min(self.findings.len())]
    }
}

/// Prints to standard output. A closed pipe ends the printing and is no fault.
pub(crate) fn print(output: &Output, sources: &mut Sources, options: &CommonArguments) {
    let stdout = std::io::stdout().lock();
    let _ = match options.format {
        Format::Text => text::print(output, sources, options, stdout),
        Format::Short => short::print(output, sources, stdout),
        Format::Json => json::print(output, sources, stdout),
        Format::Jsonl => json::print_lines(output, sources, stdout),
        Format::Sarif => sarif::print(output, sources, stdout),
        Format::Github => github::print(output, sources, stdout),
    };
}
